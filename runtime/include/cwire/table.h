/* SPDX-License-Identifier: MIT */
/*
 * table.h: what generated files call that were made with optimize=size. Their functions have the
 * same names, parameters and results as those made for speed, and pass the message's table on to
 * one body for all messages. Not for users.
 *
 * m is always a message of type t, `index` the place of a field in t->fields. Results, errors and
 * ownership are those of the generated function that is named.
 */
#ifndef CWIRE_TABLE_H
#define CWIRE_TABLE_H

#include "cwire/message.h"
#include "cwire/type.h"

CW_BEGIN_DECLS

/* E_name, E_from_name, E__known. */
CW_API cw_str cw__table_enum_name(const cw_enum *e, int32_t v);
CW_API bool cw__table_enum_from_name(const cw_enum *e, const char *name, size_t len, int32_t *v);
CW_API bool cw__table_enum_known(const cw_enum *e, int32_t v);

/* T_mut_F: the message in a singular field, made when absent. NULL: no memory. */
CW_API void *cw__table_mut(const cw_type *t, uint32_t index, void *m, cw_arena *a);
/* T_add_F: a new element of a list, messages initialised, others not set. NULL: no memory. */
CW_API void *cw__table_add(const cw_type *t, uint32_t index, void *m, cw_arena *a);
/* T_F_get, T_F_put: the value of the map's entry whose key is at `key` (of the key's C type). */
CW_API void *cw__table_map_get(const cw_type *t, uint32_t index, const void *m, const void *key);
CW_API void *cw__table_map_put(const cw_type *t, uint32_t index, void *m, const void *key,
                               cw_arena *a);
/* T_F_sort, T__sort_maps. */
CW_API bool cw__table_map_sort(const cw_type *t, uint32_t index, void *m, cw_arena *a);
CW_API bool cw__table_sort_maps(const cw_type *t, void *m, cw_arena *a);

/* T__required, T__check, T_check. */
CW_API bool cw__table_required(const cw_type *t, const void *m, cw_error *e, int depth);
CW_API bool cw__table_check_below(const cw_type *t, const void *m, cw_error *e, int depth);
CW_API cw_status cw__table_check(const cw_type *t, const void *m, cw_error *e);

/* T__copy, T_copy, T_equal. */
CW_API bool cw__table_copy_below(const cw_type *t, void *to, const void *from, cw_arena *a);
CW_API cw_status cw__table_copy(const cw_type *t, void *to, const void *from, cw_arena *a);
CW_API bool cw__table_equal(const cw_type *t, const void *a, const void *b);

/* T__size, T__enc, T_encode, T_encode_arena. */
CW_API uint64_t cw__table_size(const cw_type *t, const void *m, int depth);
CW_API uint8_t *cw__table_enc(const cw_type *t, const void *m, cw__encoder *w, uint8_t *p,
                              int depth);
CW_API cw_status cw__table_encode(const cw_type *t, const void *m, void *buf, size_t cap,
                                  size_t *len, cw_error *e);
CW_API cw_status cw__table_encode_arena(const cw_type *t, const void *m, cw_arena *a, cw_bytes *out,
                                        cw_error *e);

/* T__dec, T_merge_from. */
CW_API const uint8_t *cw__table_dec(const cw_type *t, void *m, const uint8_t *p, const uint8_t *end,
                                    cw__decoder *d, int depth);
CW_API cw_status cw__table_merge_from(const cw_type *t, void *m, const void *data, size_t len,
                                      cw_arena *a, const cw_decode_options *o, cw_error *e);

/* T__print, T_to_json, T__parse, T_from_json. */
CW_API char *cw__table_print(const cw_type *t, const void *m, cw__json_writer *w, char *p,
                             int depth);
CW_API cw_status cw__table_to_json(const cw_type *t, const void *m, cw_arena *a,
                                   const cw_json_print_options *o, cw_str *out, cw_error *e);
CW_API const char *cw__table_parse(const cw_type *t, void *m, cw__json_reader *r, const char *p,
                                   int depth);
CW_API cw_status cw__table_from_json(const cw_type *t, void *m, const char *json, size_t len,
                                     cw_arena *a, const cw_json_parse_options *o, cw_error *e);

CW_END_DECLS
#endif
