/* SPDX-License-Identifier: MIT */
/*
 * emit_misc.c: the top of base.cw.c, and what is neither size, encode nor decode: enum names, init,
 * presence, lists, maps; copy, equal and check are in files of their own.
 */
#include "emit.h"
#include "emit_common.h"

#include <string.h>

void cwg_emit_c_top(const cwg_file *f, cwg_text *t)
{
    cwg_push(t);
    cwg_emit_first_line(f, t);
    cwg_set(t, "include", f->include);
    if (f->n_extensions > 0)
        cwg_emit(t, "#include \"cwire/extension.h\"\n");
    cwg_emit(t, f->for_size ? "#include \"cwire/table.h\"\n" : "#include \"cwire/message.h\"\n");
    cwg_emit(t, "\n"
                "#include \"$include$\"\n"
                "\n"
                "/* clang-format off */\n"
                "\n");
    cwg_pop(t);
}

/* --- enums --------------------------------------------------------------------------------------
 */

static void emit_enum_name(const cwg_enum *e, cwg_text *t)
{
    cwg_emit(t, "cw_str $E$_name($E$ v)\n"
                "{\n"
                "switch (v) {\n");
    for (int i = 0; i < e->n_values; i++) {
        if (e->values[i].is_alias)
            continue;
        cwg_push(t);
        cwg_set(t, "constant", e->values[i].c_name);
        cwg_set(t, "name", e->values[i].name);
        cwg_emit(t, "case $constant$:\n"
                    "return CW_STR(\"$name$\");\n");
        cwg_pop(t);
    }
    cwg_emit(t, "default:\n"
                "return cw_str_of(NULL, 0);\n"
                "}\n"
                "}\n"
                "\n");
}

/* By length first, then by comparison. */
static void emit_enum_from_name(const cwg_enum *e, cwg_text *t)
{
    size_t longest = 0;
    for (int i = 0; i < e->n_values; i++) {
        size_t n = strlen(e->values[i].name);
        longest = n > longest ? n : longest;
    }
    cwg_emit(t, "bool $E$_from_name(const char *name, size_t len, $E$ *v)\n"
                "{\n"
                "switch (len) {\n");
    for (size_t n = 1; n <= longest; n++) {
        bool any = false;
        for (int i = 0; i < e->n_values; i++) {
            if (strlen(e->values[i].name) != n)
                continue;
            cwg_push(t);
            cwg_seti(t, "len", (long long)n);
            cwg_set(t, "constant", e->values[i].c_name);
            cwg_set(t, "name", e->values[i].name);
            if (!any)
                cwg_emit(t, "case $len$:\n");
            any = true;
            cwg_emit(t, "if (memcmp(name, \"$name$\", $len$) == 0) {\n"
                        "*v = $constant$;\n"
                        "return true;\n"
                        "}\n");
            cwg_pop(t);
        }
        if (any)
            cwg_emit(t, "return false;\n");
    }
    cwg_emit(t, "default:\n"
                "return false;\n"
                "}\n"
                "}\n"
                "\n");
}

static void emit_enum_known(const cwg_enum *e, cwg_text *t)
{
    if (!e->closed)
        return;
    cwg_emit(t, "bool $E$__known(int32_t v)\n"
                "{\n"
                "switch (v) {\n");
    for (int i = 0; i < e->n_values; i++) {
        if (e->values[i].is_alias)
            continue;
        cwg_push(t);
        cwg_set(t, "constant", e->values[i].c_name);
        cwg_emit(t, "case $constant$:\n");
        cwg_pop(t);
    }
    cwg_emit(t, "return true;\n"
                "default:\n"
                "return false;\n"
                "}\n"
                "}\n"
                "\n");
}

void cwg_emit_enum_functions(const cwg_enum *e, cwg_text *t)
{
    cwg_push(t);
    cwg_set(t, "E", e->c_name);
    emit_enum_name(e, t);
    emit_enum_from_name(e, t);
    emit_enum_known(e, t);
    cwg_pop(t);
}

/* --- init ---------------------------------------------------------------------------------------
 */

void cwg_emit_init(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "void $T$_init($T$ *m)\n"
                "{\n"
                "memset(m, 0, sizeof *m);\n");
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->fields[i];
        if (!cwg_is_singular(f) || f->shape == CWG_ONEOF || !f->default_nonzero)
            continue;
        cwg_push(t);
        cwg_set_field(t, f);
        cwg_set(t, "default", f->default_c);
        cwg_emit(t, "$v$ = $default$;\n");
        cwg_pop(t);
    }
    cwg_emit(t, "}\n"
                "\n"
                "void $T$_clear($T$ *m)\n"
                "{\n"
                "$T$_init(m);\n"
                "}\n"
                "\n"
                "$T$ *$T$__new(cw_arena *a)\n"
                "{\n"
                "$T$ *m = cw_arena_alloc(a, sizeof *m);\n"
                "if (m != NULL) {\n"
                "$T$_init(m);\n"
                "}\n"
                "return m;\n"
                "}\n"
                "\n");
}

/* --- presence and lists -------------------------------------------------------------------------
 */

void cwg_emit_presence(const cwg_message *m, cwg_text *t)
{
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->fields[i];
        if (!cwg_is_singular(f) || !f->message)
            continue;
        cwg_push(t);
        cwg_set_field(t, f);
        cwg_set_present(t, "present", f, "m");
        cwg_emit(t, "$M$ *$T$_mut_$F$($T$ *m, cw_arena *a)\n"
                    "{\n"
                    "if (!($present$)) {\n"
                    "$M$ *x = $M$__new(a);\n"
                    "if (x == NULL) {\n"
                    "return NULL;\n"
                    "}\n"
                    "$T$_set_$F$(m, x);\n"
                    "}\n"
                    "return $v$;\n"
                    "}\n"
                    "\n");
        cwg_pop(t);
    }
}

void cwg_emit_lists(const cwg_message *m, cwg_text *t)
{
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->fields[i];
        if (f->shape != CWG_REPEATED)
            continue;
        cwg_push(t);
        cwg_set_field(t, f);
        cwg_set(t, "none", f->message ? "NULL" : "false");
        cwg_emit(t, f->message ? "$M$ *$T$_add_$F$($T$ *m, cw_arena *a)\n"
                               : "bool $T$_add_$F$($T$ *m, $C$ value, cw_arena *a)\n");
        cwg_emit(t, "{\n"
                    "if ($v$.len >= $v$.cap) {\n"
                    "void *data = cw__list_grow(a, $v$.data, $v$.len, &$v$.cap, "
                    "sizeof *$v$.data, 1);\n"
                    "if (data == NULL) {\n"
                    "return $none$;\n"
                    "}\n"
                    "$v$.data = data;\n"
                    "}\n");
        cwg_emit(t, f->message ? "$M$ *x = &$v$.data[$v$.len++];\n"
                                 "$M$_init(x);\n"
                                 "return x;\n"
                               : "$v$.data[$v$.len++] = value;\n"
                                 "return true;\n");
        cwg_emit(t, "}\n"
                    "\n");
        cwg_pop(t);
    }
}

void cwg_emit_misc(const cwg_file *f, cwg_text *t)
{
    for (int i = 0; i < f->n_enums; i++)
        cwg_emit_enum_functions(f->enums[i], t);
    for (int i = 0; i < f->n_messages; i++) {
        const cwg_message *m = f->messages[i];
        cwg_push(t);
        cwg_set_message(t, m);
        cwg_emit_init(m, t);
        cwg_emit_presence(m, t);
        cwg_emit_lists(m, t);
        cwg_emit_map_functions(m, t);
        cwg_emit_check(m, t);
        cwg_emit_copy(m, t);
        cwg_emit_equal(m, t);
        cwg_pop(t);
    }
}
