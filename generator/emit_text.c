/* SPDX-License-Identifier: MIT */
/*
 * emit_text.c: base.cw_text.c, T_to_text and T_from_text. The text format is written once, over the
 * tables of base.cw_type.c; these are its typed doors.
 */
#include <string.h>

#include "emit_common.h"

static void emit_message(const cwg_message *m, cwg_text *t)
{
    cwg_push(t);
    cwg_set_message(t, m);
    cwg_blank(t);
    cwg_emit(t, "cw_status $T$_to_text(const $T$ *m, cw_arena *a, const cw_text_print_options *o, "
                "cw_str *out, cw_error *e)\n"
                "{\n"
                "return cw_text_print(&$T$_type, m, a, o, out, e);\n"
                "}\n"
                "\n"
                "cw_status $T$_from_text($T$ *m, const char *text, size_t len, cw_arena *a, const "
                "cw_text_parse_options *o, cw_error *e)\n"
                "{\n"
                "return cw_text_parse(&$T$_type, m, text, len, a, o, e);\n"
                "}\n");
    cwg_pop(t);
}

void cwg_emit_text(const cwg_file *f, cwg_text *t)
{
    cwg_emit_first_line(f, t);
    cwg_push(t);
    cwg_set(t, "include", f->include);
    cwg_emit(t, "#include \"$include$\"\n");
    cwg_pop(t);
    for (int i = 0; i < f->n_messages; i++)
        emit_message(f->messages[i], t);
}
