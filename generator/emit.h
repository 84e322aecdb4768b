/* SPDX-License-Identifier: MIT */
/*
 * emit.h: the emitters. Each writes its part of one file, reads the model only, and reports trouble
 * through cwg_fail. plugin.c calls them in the order given here:
 *   base.cw.h        cwg_emit_header
 *   base.cw.c        cwg_emit_c_top, cwg_emit_misc, cwg_emit_size, cwg_emit_encode,
 *                    cwg_emit_decode, cwg_emit_extension
 *   base.cw_json.c   cwg_emit_json_top, cwg_emit_json_print, cwg_emit_json_parse     (json=on)
 *   base.cw_type.c   cwg_emit_type
 *   base.cw_text.c   cwg_emit_text                                                   (text=on)
 * With optimize=size these are others:
 *   base.cw.c        cwg_emit_c_top, cwg_emit_table, cwg_emit_extension
 *   base.cw_json.c   cwg_emit_table_json                                             (json=on)
 * An emitter loops over f->messages itself. Internal names shared between files of one .proto
 * (T__verb) are declared in base.cw.h.
 */
#ifndef CWG_EMIT_H
#define CWG_EMIT_H

#include "model.h"
#include "text.h"

/* emit_header.c: the whole header. */
void cwg_emit_header(const cwg_file *f, cwg_text *t);

/* emit_misc.c: first comment and includes of base.cw.c; init clear copy equal check, presence
 * helpers, list and map helpers, enum names. */
void cwg_emit_c_top(const cwg_file *f, cwg_text *t);
void cwg_emit_misc(const cwg_file *f, cwg_text *t);

/* emit_size.c emit_encode.c emit_decode.c: all messages' functions of that concern. */
void cwg_emit_size(const cwg_file *f, cwg_text *t);
void cwg_emit_encode(const cwg_file *f, cwg_text *t);
void cwg_emit_decode(const cwg_file *f, cwg_text *t);

/* emit_extension.c: all extensions' functions. */
void cwg_emit_extension(const cwg_file *f, cwg_text *t);

/* emit_json_print.c, emit_json_parse.c; cwg_emit_json_top (in emit_json_print.c): first comment and
 * includes. */
void cwg_emit_json_top(const cwg_file *f, cwg_text *t);
void cwg_emit_json_print(const cwg_file *f, cwg_text *t);
void cwg_emit_json_parse(const cwg_file *f, cwg_text *t);

/* emit_table.c: both files' functions as calls with the message's table (optimize=size). */
void cwg_emit_table(const cwg_file *f, cwg_text *t);
void cwg_emit_table_json(const cwg_file *f, cwg_text *t);

/* emit_text.c: the whole of base.cw_text.c. */
void cwg_emit_text(const cwg_file *f, cwg_text *t);

/* emit_type.c: the whole of base.cw_type.c. */
void cwg_emit_type(const cwg_file *f, cwg_text *t);

#endif
