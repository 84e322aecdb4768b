/* SPDX-License-Identifier: MIT */
/* emit_inline.c: T_set_F and T_clear_F, in the header. */
#include "emit_common.h"

static void emit_oneof(cwg_text *t, const cwg_field *f)
{
    cwg_set(t, "none", f->oneof->c_not_set);
    cwg_set(t, "star", f->message ? "*" : "");
    cwg_emit(t, "static inline void $T$_set_$F$($T$ *m, $C$ $star$value)\n"
                "{\n"
                "memset(&m->$O$, 0, sizeof m->$O$);\n"
                "$v$ = value;\n");
    cwg_emit(t, f->message ? "m->$O_case$ = value != NULL ? $case$ : $none$;\n"
                           : "m->$O_case$ = $case$;\n");
    cwg_emit(t, "}\n"
                "static inline void $T$_clear_$F$($T$ *m)\n"
                "{\n"
                "if (m->$O_case$ == $case$) {\n"
                "memset(&m->$O$, 0, sizeof m->$O$);\n"
                "m->$O_case$ = $none$;\n"
                "}\n"
                "}\n");
}

static void emit_optional(cwg_text *t, const cwg_field *f)
{
    cwg_set(t, "default", f->default_c);
    cwg_emit(t, "static inline void $T$_set_$F$($T$ *m, $C$ value)\n"
                "{\n"
                "$v$ = value;\n"
                "m->has.$F$ = true;\n"
                "}\n"
                "static inline void $T$_clear_$F$($T$ *m)\n"
                "{\n"
                "$v$ = $default$;\n"
                "m->has.$F$ = false;\n"
                "}\n");
}

static void emit_message(cwg_text *t)
{
    cwg_emit(t, "static inline void $T$_set_$F$($T$ *m, $C$ *value)\n"
                "{\n"
                "$v$ = value;\n"
                "}\n"
                "static inline void $T$_clear_$F$($T$ *m)\n"
                "{\n"
                "$v$ = NULL;\n"
                "}\n");
}

void cwg_emit_inline(const cwg_message *m, cwg_text *t)
{
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->fields[i];
        if (!cwg_is_singular(f) || (f->shape == CWG_IMPLICIT && !f->message))
            continue;
        cwg_push(t);
        cwg_set_field(t, f);
        if (f->shape == CWG_ONEOF)
            emit_oneof(t, f);
        else if (f->message)
            emit_message(t);
        else
            emit_optional(t, f);
        cwg_pop(t);
    }
}
