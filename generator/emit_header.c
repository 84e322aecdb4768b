/* SPDX-License-Identifier: MIT */
/*
 * emit_header.c: base.cw.h. Order: forward typedefs and lists, enums, cases of oneofs, message
 * structs, map-entry structs, functions. Every message struct holds scalars, views, lists and
 * pointers only, so that their order does not matter; entries hold messages by value and come last.
 */
#include "emit.h"
#include "emit_common.h"

/* --- the top ------------------------------------------------------------------------------------
 */

static void emit_changed(const cwg_file *f, cwg_text *t)
{
    if (f->n_changed == 0)
        return;
    cwg_emit(t, "/*\n"
                "* Names that could not be kept:\n");
    for (int i = 0; i < f->n_changed; i++) {
        const cwg_changed_name *c = &f->changed[i];
        cwg_push(t);
        cwg_set_comment(t, "proto", c->proto);
        cwg_set_comment(t, "wanted", c->wanted);
        cwg_set_comment(t, "got", c->got);
        cwg_emit(t, "*   $proto$: $wanted$ -> $got$\n");
        cwg_pop(t);
    }
    cwg_emit(t, "*/\n");
}

static void emit_top(const cwg_file *f, cwg_text *t)
{
    cwg_emit_first_line(f, t);
    cwg_comment(t, f->comments.leading);
    emit_changed(f, t);
    cwg_set(t, "guard", f->guard);
    cwg_seti(t, "version_number", cwg_version_number());
    cwg_set(t, "include", f->include);
    cwg_emit(t, "#ifndef $guard$\n"
                "#define $guard$\n"
                "\n"
                "#include \"cwire/cwire.h\"\n"
                "\n"
                "#if CWIRE_VERSION_NUMBER != $version_number$\n"
                "#error \"$include$ was made for another version of cwire: run protoc-gen-cwire "
                "again\"\n"
                "#endif\n"
                "\n");
    for (int i = 0; i < f->n_deps; i++) {
        cwg_set(t, "dep", f->deps[i].include);
        cwg_emit(t, "#include \"$dep$\"\n");
    }
    cwg_emit(t, "\n"
                "/* clang-format off */\n"
                "\n"
                "CW_BEGIN_DECLS\n"
                "\n");
}

static void emit_typedefs(const cwg_file *f, cwg_text *t)
{
    for (int i = 0; i < f->n_messages; i++) {
        const cwg_message *m = f->messages[i];
        cwg_set(t, "T", m->c_name);
        cwg_emit(t, "typedef struct $T$ $T$;\n"
                    "typedef struct $T$_list {\n"
                    "$T$ *data;\n"
                    "size_t len, cap;\n"
                    "} $T$_list;\n");
        for (int k = 0; k < m->n_maps; k++) {
            cwg_set(t, "X", m->maps[k]->c_name);
            cwg_set(t, "L", m->maps[k]->c_list_name);
            cwg_emit(t, "typedef struct $X$ $X$;\n"
                        "typedef struct $L$ {\n"
                        "$X$ *data;\n"
                        "size_t len, cap;\n"
                        "} $L$;\n");
        }
    }
    cwg_blank(t);
}

/* --- enums --------------------------------------------------------------------------------------
 */

static void emit_enum(const cwg_enum *e, cwg_text *t)
{
    cwg_set(t, "E", e->c_name);
    cwg_set_comment(t, "full", e->full_name);
    cwg_set(t, "closed", e->closed ? " (closed)" : "");
    cwg_comment(t, e->comments.leading);
    cwg_emit(t, "typedef int32_t $E$; /* enum $full$$closed$ */\n"
                "enum {\n");
    for (int i = 0; i < e->n_values; i++) {
        const cwg_enum_value *v = &e->values[i];
        cwg_push(t);
        cwg_set(t, "constant", v->c_name);
        if (v->number == INT32_MIN) /* 2147483648 alone is no int */
            cwg_set(t, "number", "(-2147483647 - 1)");
        else
            cwg_seti(t, "number", v->number);
        cwg_set(t, "comma", i + 1 < e->n_values ? "," : "");
        cwg_comment(t, v->comments.leading);
        cwg_comment(t, v->comments.trailing);
        cwg_emit(t, "$constant$ = $number$$comma$\n");
        cwg_pop(t);
    }
    cwg_emit(t, "};\n");
    cwg_blank(t);
}

static void emit_cases(const cwg_message *m, cwg_text *t)
{
    for (int i = 0; i < m->n_oneofs; i++) {
        const cwg_oneof *o = m->oneofs[i];
        cwg_push(t);
        cwg_set(t, "type", o->c_case_type);
        cwg_set(t, "none", o->c_not_set);
        cwg_emit(t, "typedef enum $type$ {\n"
                    "$none$ = 0");
        for (int k = 0; k < o->n_fields; k++) {
            cwg_set_field(t, o->fields[k]);
            cwg_emit(t, ",\n"
                        "$case$ = $number$");
        }
        cwg_emit(t, "\n"
                    "} $type$;\n");
        cwg_blank(t);
        cwg_pop(t);
    }
}

/* --- structs ------------------------------------------------------------------------------------
 */

/* names.c sees to it that no member is named like a type that the struct uses: C++ forbids it. */
static void emit_member(const cwg_field *f, cwg_text *t)
{
    cwg_push(t);
    cwg_set_field(t, f);
    cwg_set(t, "type", cwg_is_singular(f) ? f->c_type : f->c_list_type);
    cwg_set(t, "star", f->message && cwg_is_singular(f) ? "*" : "");
    cwg_set(t, "old", f->deprecated ? ", deprecated" : "");
    cwg_comment(t, f->comments.leading);
    cwg_comment(t, f->comments.trailing);
    cwg_emit(t, "$type$ $star$$F$; /* $decl$$old$ */\n");
    cwg_pop(t);
}

static void emit_union(const cwg_oneof *o, cwg_text *t)
{
    cwg_push(t);
    cwg_set(t, "O", o->c_name);
    cwg_set(t, "O_case", o->c_case);
    cwg_set(t, "type", o->c_case_type);
    cwg_comment(t, o->comments.leading);
    cwg_emit(t, "$type$ $O_case$;\n"
                "union {\n");
    for (int i = 0; i < o->n_fields; i++)
        emit_member(o->fields[i], t);
    cwg_emit(t, "} $O$;\n");
    cwg_pop(t);
}

static void emit_has(const cwg_message *m, cwg_text *t)
{
    if (!m->has_presence_bits)
        return;
    cwg_emit(t, "struct {\n");
    for (int i = 0; i < m->n_fields; i++) {
        if (!m->fields[i]->has_bit)
            continue;
        cwg_set(t, "F", m->fields[i]->c_name);
        cwg_emit(t, "bool $F$ : 1;\n");
    }
    cwg_emit(t, "} has;\n");
}

static void emit_struct(const cwg_message *m, cwg_text *t)
{
    cwg_push(t);
    cwg_set_message(t, m);
    cwg_comment(t, m->comments.leading);
    cwg_emit(t, "/* message $full$ */\n"
                "struct $T$ {\n");
    emit_has(m, t);
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->fields[i];
        if (!f->oneof || f->shape != CWG_ONEOF)
            emit_member(f, t);
        else if (f->oneof_index == 0)
            emit_union(f->oneof, t);
    }
    cwg_emit(t, "cw_unknown *unknown; /* fields that the schema does not know; NULL: none */\n"
                "};\n");
    cwg_blank(t);
    cwg_pop(t);
}

static void emit_entries(const cwg_message *m, cwg_text *t)
{
    for (int i = 0; i < m->n_maps; i++) {
        const cwg_map *map = m->maps[i];
        cwg_push(t);
        cwg_set_field(t, map->field);
        cwg_set(t, "K", map->key->c_type);
        cwg_set(t, "V", map->value->c_type);
        cwg_emit(t, "/* an entry of $decl$ */\n"
                    "struct $X$ {\n"
                    "$K$ key;\n"
                    "$V$ value;\n"
                    "};\n");
        cwg_blank(t);
        cwg_pop(t);
    }
}

/* --- functions ----------------------------------------------------------------------------------
 */

static void emit_rules(const cwg_file *f, cwg_text *t)
{
    cwg_emit(
        t, "/*\n"
           "* Functions of a message T:\n"
           "*\n"
           "* T_init, T_clear: empty, with the schema's default values. A zeroed T is valid too.\n"
           "* T_size: exact length of the encoded message in bytes.\n"
           "* T_encode: into buf[0..cap); *len is the length; CW_ERR_SPACE: *len is what it "
           "takes.\n"
           "* T_encode_arena: the same into arena memory.\n"
           "* T_decode: replaces *m; T_merge_from: adds to it. What is decoded lives in the arena, "
           "strings\n"
           "* in the input with the option `alias`. After a failure *m is only good for T_init.\n"
           "* T_check: required fields, depth, UTF-8, closed enums, size.\n"
           "* T_copy: deep, everything into the arena; on failure *to is empty.\n"
           "* T_equal: same presence and values; floats by their bits (NaN equals itself, 0 is not "
           "-0),\n"
           "* unknown fields by their bytes.\n");
    if (f->with_json)
        cwg_emit(t,
                 "* T_to_json: text in the arena, NUL-terminated. T_from_json: replaces *m, which "
                 "after a\n"
                 "* failure is only good for T_init; the error has line and column.\n");
    if (f->with_text)
        cwg_emit(t, "* T_to_text, T_from_text: the same for the text format (cwire/text.h).\n");
    cwg_emit(
        t,
        "* T_set_F, T_clear_F: fields with presence and members of oneofs; strings and messages "
        "are not\n"
        "* copied. T_mut_F: the message there, made when absent. T_add_F: one more element. "
        "NULL or\n"
        "* false: no memory (arena.failure). Element addresses hold until the next add.\n"
        "* T_F_get, T_F_put of maps: the value of a key (get: NULL when there is none; put: made "
        "when\n"
        "* absent, in order, the key is not copied). Addresses hold until the next put. T_F_sort: "
        "after\n"
        "* editing .data by hand; scratch from a.\n"
        "*\n"
        "* Options and errors may be NULL. The first failure is in *e: status, offset, path.\n"
        "*/\n");
}

static void emit_enum_functions(const cwg_enum *e, cwg_text *t)
{
    cwg_set(t, "E", e->c_name);
    cwg_emit(t, "$api$cw_str $E$_name($E$ v); /* {NULL, 0}: no such value */\n"
                "$api$bool $E$_from_name(const char *name, size_t len, $E$ *v); "
                "/* false: no such name */\n"
                "extern $api$const cw_enum $E$_values;\n");
    cwg_blank(t);
}

static void emit_field_functions(const cwg_message *m, cwg_text *t)
{
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->fields[i];
        cwg_push(t);
        cwg_set_field(t, f);
        if (f->map) {
            cwg_set(t, "K", f->map->key->c_type);
            cwg_set(t, "V", f->map->value->c_type);
            cwg_emit(t, "$api$$V$ *$T$_$F$_get(const $T$ *m, $K$ key);\n"
                        "$api$$V$ *$T$_$F$_put($T$ *m, $K$ key, cw_arena *a);\n"
                        "$api$bool $T$_$F$_sort($T$ *m, cw_arena *a);\n");
        } else if (f->shape == CWG_REPEATED && f->message) {
            cwg_emit(t, "$api$$M$ *$T$_add_$F$($T$ *m, cw_arena *a);\n");
        } else if (f->shape == CWG_REPEATED) {
            cwg_emit(t, "$api$bool $T$_add_$F$($T$ *m, $C$ value, cw_arena *a);\n");
        } else if (f->message) {
            cwg_emit(t, "$api$$M$ *$T$_mut_$F$($T$ *m, cw_arena *a);\n");
        }
        cwg_pop(t);
    }
}

static void emit_functions(const cwg_file *f, const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "/* $full$ */\n"
                "$api$void $T$_init($T$ *m);\n"
                "$api$void $T$_clear($T$ *m);\n"
                "$api$size_t $T$_size(const $T$ *m);\n"
                "$api$cw_status $T$_encode(const $T$ *m, void *buf, size_t cap, size_t *len, "
                "cw_error *e);\n"
                "$api$cw_status $T$_encode_arena(const $T$ *m, cw_arena *a, cw_bytes *out, "
                "cw_error *e);\n"
                "$api$cw_status $T$_decode($T$ *m, const void *data, size_t len, cw_arena *a, "
                "const cw_decode_options *o, cw_error *e);\n"
                "$api$cw_status $T$_merge_from($T$ *m, const void *data, size_t len, cw_arena *a, "
                "const cw_decode_options *o, cw_error *e);\n");
    if (f->with_json)
        cwg_emit(t, "$api$cw_status $T$_to_json(const $T$ *m, cw_arena *a, "
                    "const cw_json_print_options *o, cw_str *out, cw_error *e);\n"
                    "$api$cw_status $T$_from_json($T$ *m, const char *json, size_t len, "
                    "cw_arena *a, const cw_json_parse_options *o, cw_error *e);\n");
    if (f->with_text)
        cwg_emit(t, "$api$cw_status $T$_to_text(const $T$ *m, cw_arena *a, "
                    "const cw_text_print_options *o, cw_str *out, cw_error *e);\n"
                    "$api$cw_status $T$_from_text($T$ *m, const char *text, size_t len, "
                    "cw_arena *a, const cw_text_parse_options *o, cw_error *e);\n");
    cwg_emit(t, "$api$cw_status $T$_check(const $T$ *m, cw_error *e);\n"
                "$api$cw_status $T$_copy($T$ *to, const $T$ *from, cw_arena *a);\n"
                "$api$bool $T$_equal(const $T$ *a, const $T$ *b);\n");
    emit_field_functions(m, t);
    cwg_emit_inline(m, t);
    cwg_emit(t, "extern $api$const cw_type $T$_type;\n");
    cwg_blank(t);
}

static void emit_internal(const cwg_file *f, const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "$api$$T$ *$T$__new(cw_arena *a);\n"
                "$api$uint64_t $T$__size(const $T$ *m, int depth);\n"
                "$api$uint8_t *$T$__enc(const $T$ *m, cw__encoder *w, uint8_t *p, int depth);\n"
                "$api$const uint8_t *$T$__dec($T$ *m, const uint8_t *p, const uint8_t *end, "
                "cw__decoder *d, int depth);\n"
                "$api$bool $T$__copy($T$ *to, const $T$ *from, cw_arena *a);\n"
                "$api$bool $T$__check(const $T$ *m, cw_error *e, int depth);\n");
    if (m->reaches_required)
        cwg_emit(t, "$api$bool $T$__required(const $T$ *m, cw_error *e, int depth);\n");
    if (m->reaches_maps)
        cwg_emit(t, "$api$bool $T$__sort_maps($T$ *m, cw_arena *a);\n");
    if (f->with_json)
        cwg_emit(t, "$api$char *$T$__print(const $T$ *m, cw__json_writer *w, char *p, int depth);\n"
                    "$api$const char *$T$__parse($T$ *m, cw__json_reader *r, const char *p, "
                    "int depth);\n");
}

static void emit_all_functions(const cwg_file *f, cwg_text *t)
{
    if (f->n_messages > 0)
        emit_rules(f, t);
    cwg_blank(t);
    for (int i = 0; i < f->n_enums; i++)
        emit_enum_functions(f->enums[i], t);
    for (int i = 0; i < f->n_messages; i++) {
        cwg_push(t);
        cwg_set_message(t, f->messages[i]);
        emit_functions(f, f->messages[i], t);
        cwg_pop(t);
    }
    cwg_emit_extension_header(f, t);
    cwg_set(t, "ident", f->ident);
    cwg_emit(t, "extern $api$const cw_file $ident$_file;\n"
                "\n"
                "/* For generated files only. */\n");
    for (int i = 0; i < f->n_enums; i++) {
        cwg_set(t, "E", f->enums[i]->c_name);
        if (f->enums[i]->closed)
            cwg_emit(t, "$api$bool $E$__known(int32_t v);\n");
    }
    for (int i = 0; i < f->n_messages; i++) {
        cwg_push(t);
        cwg_set_message(t, f->messages[i]);
        emit_internal(f, f->messages[i], t);
        cwg_pop(t);
    }
}

void cwg_emit_header(const cwg_file *f, cwg_text *t)
{
    cwg_push(t);
    cwg_set(t, "api", f->is_wkt ? "CW_API " : "");
    emit_top(f, t);
    emit_typedefs(f, t);
    for (int i = 0; i < f->n_enums; i++)
        emit_enum(f->enums[i], t);
    for (int i = 0; i < f->n_messages; i++)
        emit_cases(f->messages[i], t);
    for (int i = 0; i < f->n_messages; i++)
        emit_struct(f->messages[i], t);
    for (int i = 0; i < f->n_messages; i++)
        emit_entries(f->messages[i], t);
    emit_all_functions(f, t);
    cwg_emit(t, "\n"
                "CW_END_DECLS\n"
                "\n"
                "#endif\n");
    cwg_pop(t);
}
