/* SPDX-License-Identifier: MIT */
/*
 * emit_table.c: with optimize=size, what stands in base.cw.c and base.cw_json.c in the place of the
 * other emitters' functions: the same functions, each a call of one body for all messages
 * (cwire/table.h) with the message's table.
 */
#include "emit.h"
#include "emit_common.h"

static void emit_enum(const cwg_enum *e, cwg_text *t)
{
    cwg_set(t, "E", e->c_name);
    cwg_emit(t, "cw_str $E$_name($E$ v)\n"
                "{\n"
                "return cw__table_enum_name(&$E$_values, v);\n"
                "}\n"
                "\n"
                "bool $E$_from_name(const char *name, size_t len, $E$ *v)\n"
                "{\n"
                "return cw__table_enum_from_name(&$E$_values, name, len, v);\n"
                "}\n"
                "\n");
    if (e->closed)
        cwg_emit(t, "bool $E$__known(int32_t v)\n"
                    "{\n"
                    "return cw__table_enum_known(&$E$_values, v);\n"
                    "}\n"
                    "\n");
}

/* --- fields ----------------------------------------------------------------------------------- */

static void emit_map(const cwg_field *f, cwg_text *t)
{
    cwg_set(t, "K", f->map->key->c_type);
    cwg_set(t, "V", f->map->value->c_type);
    cwg_emit(t, "$V$ *$T$_$F$_get(const $T$ *m, $K$ key)\n"
                "{\n"
                "return cw__table_map_get(&$T$_type, $index$, m, &key);\n"
                "}\n"
                "\n"
                "$V$ *$T$_$F$_put($T$ *m, $K$ key, cw_arena *a)\n"
                "{\n"
                "return cw__table_map_put(&$T$_type, $index$, m, &key, a);\n"
                "}\n"
                "\n"
                "bool $T$_$F$_sort($T$ *m, cw_arena *a)\n"
                "{\n"
                "return cw__table_map_sort(&$T$_type, $index$, m, a);\n"
                "}\n"
                "\n");
}

static void emit_field(const cwg_field *f, cwg_text *t)
{
    cwg_set_field(t, f);
    cwg_seti(t, "index", f->index);
    if (f->map)
        emit_map(f, t);
    else if (f->shape == CWG_REPEATED && f->message)
        cwg_emit(t, "$M$ *$T$_add_$F$($T$ *m, cw_arena *a)\n"
                    "{\n"
                    "return cw__table_add(&$T$_type, $index$, m, a);\n"
                    "}\n"
                    "\n");
    else if (f->shape == CWG_REPEATED)
        cwg_emit(t, "bool $T$_add_$F$($T$ *m, $C$ value, cw_arena *a)\n"
                    "{\n"
                    "$C$ *x = cw__table_add(&$T$_type, $index$, m, a);\n"
                    "if (x == NULL) {\n"
                    "return false;\n"
                    "}\n"
                    "*x = value;\n"
                    "return true;\n"
                    "}\n"
                    "\n");
    else if (f->message)
        cwg_emit(t, "$M$ *$T$_mut_$F$($T$ *m, cw_arena *a)\n"
                    "{\n"
                    "return cw__table_mut(&$T$_type, $index$, m, a);\n"
                    "}\n"
                    "\n");
}

/* --- messages --------------------------------------------------------------------------------- */

static void emit_whole(cwg_text *t)
{
    cwg_emit(t, "bool $T$__check(const $T$ *m, cw_error *e, int depth)\n"
                "{\n"
                "return cw__table_check_below(&$T$_type, m, e, depth);\n"
                "}\n"
                "\n"
                "cw_status $T$_check(const $T$ *m, cw_error *e)\n"
                "{\n"
                "return cw__table_check(&$T$_type, m, e);\n"
                "}\n"
                "\n"
                "bool $T$__copy($T$ *to, const $T$ *from, cw_arena *a)\n"
                "{\n"
                "return cw__table_copy_below(&$T$_type, to, from, a);\n"
                "}\n"
                "\n"
                "cw_status $T$_copy($T$ *to, const $T$ *from, cw_arena *a)\n"
                "{\n"
                "return cw__table_copy(&$T$_type, to, from, a);\n"
                "}\n"
                "\n"
                "bool $T$_equal(const $T$ *a, const $T$ *b)\n"
                "{\n"
                "return cw__table_equal(&$T$_type, a, b);\n"
                "}\n"
                "\n");
}

static void emit_wire(cwg_text *t)
{
    cwg_emit(t,
             "uint64_t $T$__size(const $T$ *m, int depth)\n"
             "{\n"
             "return cw__table_size(&$T$_type, m, depth);\n"
             "}\n"
             "\n"
             "size_t $T$_size(const $T$ *m)\n"
             "{\n"
             "return cw__size_clamp(cw__table_size(&$T$_type, m, CW_DEPTH_DEFAULT));\n"
             "}\n"
             "\n"
             "uint8_t *$T$__enc(const $T$ *m, cw__encoder *w, uint8_t *p, int depth)\n"
             "{\n"
             "return cw__table_enc(&$T$_type, m, w, p, depth);\n"
             "}\n"
             "\n"
             "cw_status $T$_encode(const $T$ *m, void *buf, size_t cap, size_t *len, cw_error *e)\n"
             "{\n"
             "return cw__table_encode(&$T$_type, m, buf, cap, len, e);\n"
             "}\n"
             "\n"
             "cw_status $T$_encode_arena(const $T$ *m, cw_arena *a, cw_bytes *out, cw_error *e)\n"
             "{\n"
             "return cw__table_encode_arena(&$T$_type, m, a, out, e);\n"
             "}\n"
             "\n"
             "const uint8_t *$T$__dec($T$ *m, const uint8_t *p, const uint8_t *end, cw__decoder "
             "*d, int depth)\n"
             "{\n"
             "return cw__table_dec(&$T$_type, m, p, end, d, depth);\n"
             "}\n"
             "\n"
             "cw_status $T$_merge_from($T$ *m, const void *data, size_t len, cw_arena *a, const "
             "cw_decode_options *o, cw_error *e)\n"
             "{\n"
             "return cw__table_merge_from(&$T$_type, m, data, len, a, o, e);\n"
             "}\n"
             "\n"
             "cw_status $T$_decode($T$ *m, const void *data, size_t len, cw_arena *a, const "
             "cw_decode_options *o, cw_error *e)\n"
             "{\n"
             "$T$_init(m);\n"
             "return cw__table_merge_from(&$T$_type, m, data, len, a, o, e);\n"
             "}\n"
             "\n");
}

static void emit_message(const cwg_message *m, cwg_text *t)
{
    cwg_set_message(t, m);
    cwg_emit_init(m, t);
    for (int i = 0; i < m->n_fields; i++) {
        cwg_push(t);
        emit_field(m->fields[i], t);
        cwg_pop(t);
    }
    if (m->reaches_maps)
        cwg_emit(t, "bool $T$__sort_maps($T$ *m, cw_arena *a)\n"
                    "{\n"
                    "return cw__table_sort_maps(&$T$_type, m, a);\n"
                    "}\n"
                    "\n");
    if (m->reaches_required)
        cwg_emit(t, "bool $T$__required(const $T$ *m, cw_error *e, int depth)\n"
                    "{\n"
                    "return cw__table_required(&$T$_type, m, e, depth);\n"
                    "}\n"
                    "\n");
    emit_whole(t);
    emit_wire(t);
}

void cwg_emit_table(const cwg_file *f, cwg_text *t)
{
    for (int i = 0; i < f->n_enums; i++) {
        cwg_push(t);
        emit_enum(f->enums[i], t);
        cwg_pop(t);
    }
    for (int i = 0; i < f->n_messages; i++) {
        cwg_push(t);
        emit_message(f->messages[i], t);
        cwg_pop(t);
    }
}

static void emit_json(const cwg_message *m, cwg_text *t)
{
    cwg_set_message(t, m);
    cwg_blank(t);
    if (!m->own_json)
        cwg_emit(t, "char *$T$__print(const $T$ *m, cw__json_writer *w, char *p, int depth)\n"
                    "{\n"
                    "return cw__table_print(&$T$_type, m, w, p, depth);\n"
                    "}\n"
                    "\n"
                    "const char *$T$__parse($T$ *m, cw__json_reader *r, const char *p, int depth)\n"
                    "{\n"
                    "return cw__table_parse(&$T$_type, m, r, p, depth);\n"
                    "}\n"
                    "\n");
    cwg_emit(t, "cw_status $T$_to_json(const $T$ *m, cw_arena *a, const cw_json_print_options *o, "
                "cw_str *out, cw_error *e)\n"
                "{\n"
                "return cw__table_to_json(&$T$_type, m, a, o, out, e);\n"
                "}\n"
                "\n"
                "cw_status $T$_from_json($T$ *m, const char *json, size_t len, cw_arena *a, const "
                "cw_json_parse_options *o, cw_error *e)\n"
                "{\n"
                "return cw__table_from_json(&$T$_type, m, json, len, a, o, e);\n"
                "}\n");
}

void cwg_emit_table_json(const cwg_file *f, cwg_text *t)
{
    cwg_push(t);
    cwg_emit_first_line(f, t);
    cwg_set(t, "include", f->include);
    cwg_emit(t, "#include \"cwire/table.h\"\n"
                "\n"
                "#include \"$include$\"\n");
    cwg_pop(t);
    for (int i = 0; i < f->n_messages; i++) {
        cwg_push(t);
        emit_json(f->messages[i], t);
        cwg_pop(t);
    }
}
