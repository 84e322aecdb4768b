/* SPDX-License-Identifier: MIT */
/*
 * json_generic.h: JSON of one value by a row of a type's table, for what no generated code knows:
 * extensions. A value is held as cwire/extension.h says. Errors' paths are the caller's business.
 */
#ifndef CWIRE_CORE_JSON_GENERIC_H
#define CWIRE_CORE_JSON_GENERIC_H

#include "cwire/type.h"

/* Room that cw__json_put_value leaves. */
#define CW__GENERIC_KEEP 64

/* May null be a value of this kind, rather than the absence of one? */
bool cw__json_null_is_value(const cw_field *f);

/* One value (of a list: an element). A message is one level below `depth`. Room is made. */
char *cw__json_put_value(const cw_field *f, const void *value, cw__json_writer *w, char *p,
                         int depth);

/*
 * One value at p into *value (a message is initialised). *ignored: it is an unknown enum value that
 * is to be passed over.
 */
const char *cw__json_get_value(const cw_field *f, void *value, cw__json_reader *r, const char *p,
                               int depth, bool *ignored);

#endif
