/* SPDX-License-Identifier: MIT */
/* defaults.h: default values, from the descriptor's text to C. */
#ifndef CWG_DEFAULTS_H
#define CWG_DEFAULTS_H

#include "model.h"

/*
 * Fills the default_* fields and has_default of a field whose kind, shape and enum are known. text
 * NULL: no default is given. False: the text is no value of this kind. default_c of enums waits for
 * names.c.
 */
bool cwg_default_set(cwg_field *f, const char *text, cwg_arena *a);

#endif
