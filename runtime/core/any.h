/* SPDX-License-Identifier: MIT */
/* any.h: google.protobuf.Any for the formats that look inside of it, JSON and text. */
#ifndef CWIRE_CORE_ANY_H
#define CWIRE_CORE_ANY_H

#include "cwire/type.h"

/*
 * The type that a type URL names by what stands behind its last '/': looked for in `file` (may be
 * NULL) and its imports, then in the registry (may be NULL), then among the well-known types. NULL:
 * there is none, or this is no type URL ("host/pkg.Type", of which the host may be empty).
 */
const cw_type *cw__any_type(const cw_file *file, const cw_registry *types, cw_str url);

/*
 * Decodes an Any's value for a printer: *m is a new message, all its memory from `a`, strings point
 * into value. Missing required fields are no error. `depth` messages may be open below it. On
 * failure the error's path begins at *m.
 */
cw_status cw__any_decode(const cw_type *t, cw_bytes value, cw_arena *a, int depth, void **m,
                         cw_error *e);

/*
 * Encodes a parsed message into what becomes an Any's value. Missing required fields are
 * CW_ERR_REQUIRED unless allow_partial. On failure the error's path begins at m.
 */
cw_status cw__any_encode(const cw_type *t, const void *m, cw_arena *a, int depth,
                         bool allow_partial, cw_bytes *out, cw_error *e);

/* Puts ".[URL]" in front of an error's path. The URL may be any text. */
void cw__any_fail_at(cw_error *e, cw_str url);

#endif
