/* SPDX-License-Identifier: MIT */
/* emit_json_common.h: what the JSON printer's and the JSON parser's emitters share. */
#ifndef CWG_EMIT_JSON_COMMON_H
#define CWG_EMIT_JSON_COMMON_H

#include "model.h"
#include "text.h"

/* Most bytes of a field's name as it stands in JSON; check.c refuses a longer one. */
#define CWG_JSON_NAME_MAX 800

/*
 * before + name + after, where name is escaped as the inside of a JSON string needs it, in malloc
 * memory (NULL, error noted: no memory, or the name is too long); *len is the length.
 */
char *cwg__json_text(cwg_text *t, const char *before, const char *name, const char *after,
                     size_t *len);

/* Bytes of the name when escaped. */
size_t cwg__json_name_len(const char *name);

/* Sets $var$ to the C literal of cwg__json_text, and $var$_len to its length. */
void cwg__json_set_text(cwg_text *t, const char *var, const char *before, const char *name,
                        const char *after);

/*
 * The stem of the runtime's number functions for a kind: all 32-bit signed kinds are "int32" and so
 * on. NULL for enums and messages.
 */
const char *cwg__json_stem(const cwg_field *f);

/* google.protobuf.NullValue: null in JSON. */
bool cwg__json_is_null_value(const cwg_field *f);

/* A field whose value may be written null: NullValue and google.protobuf.Value. */
bool cwg__json_takes_null(const cwg_field *f);

/*
 * Sets in `state` ("w", "r") the file of m, where types and extensions are looked for, when m can
 * hold such. Only then is base.cw_type.c needed with base.cw_json.c.
 */
void cwg__json_emit_file(const cwg_message *m, const char *state, cwg_text *t);

/* emit_json_keys.c: the tables and the look-up of T's names: T__json_keys and T__json_names. */
void cwg__json_emit_keys(const cwg_message *m, cwg_text *t);

#endif
