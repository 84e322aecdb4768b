/* SPDX-License-Identifier: MIT */
/*
 * emit_type.c: base.cw_type.c, the file's messages, enums and extensions as tables (cwire/type.h).
 *
 * For a message T with a map F: T__type_fields, T__type_has ... (thunks with the `void *`
 * parameters that cw_type wants: calling through a cast function pointer is undefined), T_F_entry
 * has a static table T_F_entry__type, T itself T_type. An enum E gives E_values, the file
 * IDENT_file.
 */
#include "emit.h"
#include "emit_common.h"

#include <string.h>

/* --- names and constants ---------------------------------------------------------------------- */

static const char *shape_constant(const cwg_field *f)
{
    switch (f->shape) {
    case CWG_IMPLICIT:
        return "CW_SHAPE_IMPLICIT";
    case CWG_OPTIONAL:
        return "CW_SHAPE_OPTIONAL";
    case CWG_REQUIRED:
        return "CW_SHAPE_REQUIRED";
    case CWG_ONEOF:
        return "CW_SHAPE_ONEOF";
    case CWG_REPEATED:
        return "CW_SHAPE_REPEATED";
    case CWG_MAP:
        return "CW_SHAPE_MAP";
    }
    return NULL;
}

/* --- fields ----------------------------------------------------------------------------------- */

/* The members of cw_field that tell the place in the struct. */
static void emit_place(const cwg_field *f, cwg_text *t)
{
    if (f->shape == CWG_ONEOF) {
        cwg_set(t, "O", f->oneof->c_name);
        cwg_set(t, "C", f->oneof->c_case);
        cwg_emit(t, ", .offset = offsetof($T$, $O$.$F$), .case_offset = offsetof($T$, $C$)");
    } else {
        cwg_emit(t, ", .offset = offsetof($T$, $F$)");
    }
    if (f->shape == CWG_MAP)
        cwg_emit(t, ", .element_size = sizeof($entry$)");
    else if (f->shape == CWG_REPEATED || f->message)
        cwg_emit(t, ", .element_size = sizeof($value$)");
}

/* One row of a field table; $T$ is the struct it sits in. An extension has no place. */
static void emit_field(const cwg_field *f, const char *json_name, bool has_place, cwg_text *t)
{
    cwg_push(t);
    cwg_set_comment(t, "decl", f->decl);
    cwg_set_literal(t, "name", f->name, strlen(f->name));
    cwg_set_literal(t, "json_name", json_name, strlen(json_name));
    cwg_seti(t, "number", f->number);
    cwg_set(t, "kind", f->is_group ? "CW_KIND_GROUP" : f->kind->rt_kind);
    cwg_set(t, "shape", shape_constant(f));
    cwg_set(t, "F", f->c_name);
    if (f->map)
        cwg_set(t, "entry", f->map->c_name);
    else
        cwg_set(t, "value", f->c_type);
    cwg_emit(t, "/* $decl$ */\n"
                "{.name = $name$, .json_name = $json_name$, .number = $number$, .kind = $kind$, "
                ".shape = $shape$");
    if (strcmp(f->text_name, f->name) != 0) {
        cwg_set_literal(t, "text_name", f->text_name, strlen(f->text_name));
        cwg_emit(t, ", .text_name = $text_name$");
    }
    if (f->packed)
        cwg_emit(t, ", .packed = true");
    if (f->closed_enum)
        cwg_emit(t, ", .closed_enum = true");
    if (f->validate_utf8)
        cwg_emit(t, ", .check_utf8 = true");
    if (has_place)
        emit_place(f, t);
    if (f->map)
        cwg_emit(t, ", .message = &$entry$__type");
    else if (f->message)
        cwg_emit(t, ", .message = &$value$_type");
    if (f->enum_type)
        cwg_emit(t, ", .enum_type = &$value$_values");
    cwg_emit(t, "},\n");
    cwg_pop(t);
}

/* --- enums ------------------------------------------------------------------------------------ */

static void emit_enum(const cwg_enum *e, cwg_text *t)
{
    cwg_push(t);
    cwg_set(t, "E", e->c_name);
    cwg_set_literal(t, "full_name", e->full_name, strlen(e->full_name));
    cwg_seti(t, "n", e->n_values);
    cwg_set(t, "closed", e->closed ? "true" : "false");
    cwg_emit(t, "static const cw_enum_value $E$__type_values[] = {\n");
    for (int i = 0; i < e->n_values; i++) {
        cwg_set_literal(t, "name", e->values[i].name, strlen(e->values[i].name));
        cwg_seti(t, "number", e->values[i].number);
        if (e->values[i].number == INT32_MIN)
            cwg_set(t, "number", "INT32_MIN");
        cwg_emit(t, "{.name = $name$, .number = $number$},\n");
    }
    cwg_emit(t, "};\n\n"
                "const cw_enum $E$_values = {\n"
                ".full_name = $full_name$,\n"
                ".values = $E$__type_values,\n"
                ".n_values = $n$,\n"
                ".closed = $closed$,\n");
    if (e->closed)
        cwg_emit(t, ".known = $E$__known,\n");
    cwg_emit(t, "};\n\n");
    cwg_pop(t);
}

/* --- messages --------------------------------------------------------------------------------- */

static void emit_entry(const cwg_map *map, cwg_text *t)
{
    cwg_push(t);
    cwg_set(t, "T", map->c_name);
    cwg_set_literal(t, "full_name", map->full_name, strlen(map->full_name));
    cwg_emit(t, "static const cw_field $T$__type_fields[] = {\n");
    emit_field(map->key, map->key->json_name, true, t);
    emit_field(map->value, map->value->json_name, true, t);
    cwg_emit(t, "};\n\n"
                "static const cw_type $T$__type = {\n"
                ".full_name = $full_name$,\n"
                ".struct_size = sizeof($T$),\n"
                ".fields = $T$__type_fields,\n"
                ".n_fields = 2,\n"
                ".file = &$I$_file,\n"
                ".unknown_offset = SIZE_MAX,\n"
                "};\n\n");
    cwg_pop(t);
}

static void emit_presence(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "static bool $T$__type_has(const void *message, uint32_t at)\n"
                "{\n"
                "const $T$ *m = message;\n"
                "switch (at) {\n");
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->by_number[i];
        if (!f->has_bit)
            continue;
        cwg_seti(t, "index", f->index);
        cwg_set(t, "F", f->c_name);
        cwg_emit(t, "case $index$:\n"
                    "return m->has.$F$;\n");
    }
    cwg_emit(t, "default:\n"
                "return false;\n"
                "}\n"
                "}\n\n"
                "static void $T$__type_set_has(void *message, uint32_t at, bool value)\n"
                "{\n"
                "$T$ *m = message;\n"
                "switch (at) {\n");
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->by_number[i];
        if (!f->has_bit)
            continue;
        cwg_seti(t, "index", f->index);
        cwg_set(t, "F", f->c_name);
        cwg_emit(t, "case $index$:\n"
                    "m->has.$F$ = value;\n"
                    "break;\n");
    }
    cwg_emit(t, "default:\n"
                "break;\n"
                "}\n"
                "}\n\n");
}

static void emit_thunks(cwg_text *t)
{
    cwg_emit(t,
             "static void $T$__type_init(void *m)\n"
             "{\n"
             "$T$_init(m);\n"
             "}\n\n"
             "static size_t $T$__type_size(const void *m)\n"
             "{\n"
             "return $T$_size(m);\n"
             "}\n\n"
             "static cw_status $T$__type_encode(const void *m, void *buf, size_t cap, size_t *len, "
             "cw_error *e)\n"
             "{\n"
             "return $T$_encode(m, buf, cap, len, e);\n"
             "}\n\n"
             "static cw_status $T$__type_encode_arena(const void *m, cw_arena *a, cw_bytes *out, "
             "cw_error *e)\n"
             "{\n"
             "return $T$_encode_arena(m, a, out, e);\n"
             "}\n\n"
             "static cw_status $T$__type_decode(void *m, const void *data, size_t len, cw_arena "
             "*a, const cw_decode_options *o, cw_error *e)\n"
             "{\n"
             "return $T$_decode(m, data, len, a, o, e);\n"
             "}\n\n"
             "static cw_status $T$__type_merge_from(void *m, const void *data, size_t len, "
             "cw_arena *a, const cw_decode_options *o, cw_error *e)\n"
             "{\n"
             "return $T$_merge_from(m, data, len, a, o, e);\n"
             "}\n\n"
             "static cw_status $T$__type_check(const void *m, cw_error *e)\n"
             "{\n"
             "return $T$_check(m, e);\n"
             "}\n\n"
             "static cw_status $T$__type_copy(void *to, const void *from, cw_arena *a)\n"
             "{\n"
             "return $T$_copy(to, from, a);\n"
             "}\n\n"
             "static bool $T$__type_equal(const void *a, const void *b)\n"
             "{\n"
             "return $T$_equal(a, b);\n"
             "}\n\n");
}

/* The functions that messages call each other with. */
static void emit_inner_thunks(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "static uint8_t *$T$__type_wire_put(const void *m, cw__encoder *w, uint8_t *p, "
                "int depth)\n"
                "{\n"
                "return $T$__enc(m, w, p, depth);\n"
                "}\n\n"
                "static const uint8_t *$T$__type_wire_get(void *m, const uint8_t *p, const uint8_t "
                "*end, cw__decoder *d, int depth)\n"
                "{\n"
                "return $T$__dec(m, p, end, d, depth);\n"
                "}\n\n");
    if (m->reaches_required)
        cwg_emit(t, "static bool $T$__type_required(const void *m, cw_error *e, int depth)\n"
                    "{\n"
                    "return $T$__required(m, e, depth);\n"
                    "}\n\n");
    if (m->reaches_maps)
        cwg_emit(t, "static bool $T$__type_sort_maps(void *m, cw_arena *a)\n"
                    "{\n"
                    "return $T$__sort_maps(m, a);\n"
                    "}\n\n");
}

static void emit_json_thunks(cwg_text *t)
{
    cwg_emit(t,
             "static cw_status $T$__type_to_json(const void *m, cw_arena *a, const "
             "cw_json_print_options *o, cw_str *out, cw_error *e)\n"
             "{\n"
             "return $T$_to_json(m, a, o, out, e);\n"
             "}\n\n"
             "static cw_status $T$__type_from_json(void *m, const char *json, size_t len, cw_arena "
             "*a, const cw_json_parse_options *o, cw_error *e)\n"
             "{\n"
             "return $T$_from_json(m, json, len, a, o, e);\n"
             "}\n\n"
             "static char *$T$__type_json_put(const void *m, cw__json_writer *w, char *p, int "
             "depth)\n"
             "{\n"
             "return $T$__print(m, w, p, depth);\n"
             "}\n\n"
             "static const char *$T$__type_json_get(void *m, cw__json_reader *r, const char *p, "
             "int depth)\n"
             "{\n"
             "return $T$__parse(m, r, p, depth);\n"
             "}\n\n");
}

static void emit_reserved_names(const cwg_message *m, cwg_text *t)
{
    if (m->n_reserved_names == 0)
        return;
    cwg_emit(t, "static const char *const $T$__type_reserved[] = {\n");
    for (int i = 0; i < m->n_reserved_names; i++) {
        cwg_set_literal(t, "name", m->reserved_names[i], strlen(m->reserved_names[i]));
        cwg_emit(t, "$name$,\n");
    }
    cwg_emit(t, "};\n\n");
}

/* What is not so of most messages. */
static void emit_message_facts(const cwg_message *m, cwg_text *t)
{
    cwg_seti(t, "n_reserved", m->n_reserved_names);
    if (m->n_reserved_names > 0)
        cwg_emit(t, ".reserved_names = $T$__type_reserved,\n"
                    ".n_reserved_names = $n_reserved$,\n");
    if (m->n_extension_ranges > 0)
        cwg_emit(t, ".has_extensions = true,\n");
    if (m->is_message_set)
        cwg_emit(t, ".is_message_set = true,\n");
    if (m->own_json)
        cwg_emit(t, ".own_json = true,\n");
}

static void emit_message_table(const cwg_message *m, bool json, cwg_text *t)
{
    cwg_set_literal(t, "full_name", m->full_name, strlen(m->full_name));
    cwg_seti(t, "n", m->n_fields);
    cwg_emit(t, "const cw_type $T$_type = {\n"
                ".full_name = $full_name$,\n"
                ".struct_size = sizeof($T$),\n");
    if (m->n_fields > 0)
        cwg_emit(t, ".fields = $T$__type_fields,\n"
                    ".n_fields = $n$,\n");
    cwg_emit(t, ".file = &$I$_file,\n"
                ".unknown_offset = offsetof($T$, unknown),\n");
    emit_message_facts(m, t);
    if (m->has_presence_bits)
        cwg_emit(t, ".has = $T$__type_has,\n"
                    ".set_has = $T$__type_set_has,\n");
    cwg_emit(t, ".init = $T$__type_init,\n"
                ".encoded_size = $T$__type_size,\n"
                ".encode = $T$__type_encode,\n"
                ".encode_arena = $T$__type_encode_arena,\n"
                ".decode = $T$__type_decode,\n"
                ".merge_from = $T$__type_merge_from,\n"
                ".check = $T$__type_check,\n"
                ".copy = $T$__type_copy,\n"
                ".equal = $T$__type_equal,\n"
                ".wire_put = $T$__type_wire_put,\n"
                ".wire_get = $T$__type_wire_get,\n");
    if (m->reaches_required)
        cwg_emit(t, ".required = $T$__type_required,\n");
    if (m->reaches_maps)
        cwg_emit(t, ".sort_maps = $T$__type_sort_maps,\n");
    if (json)
        cwg_emit(t, ".to_json = $T$__type_to_json,\n"
                    ".from_json = $T$__type_from_json,\n"
                    ".json_put = $T$__type_json_put,\n"
                    ".json_get = $T$__type_json_get,\n");
    cwg_emit(t, "};\n\n");
}

static void emit_message(const cwg_message *m, bool json, cwg_text *t)
{
    cwg_push(t);
    cwg_set(t, "T", m->c_name);
    cwg_set_comment(t, "full", m->full_name);
    cwg_emit(t, "/* --- $full$ --- */\n\n");
    for (int i = 0; i < m->n_maps; i++)
        emit_entry(m->maps[i], t);
    if (m->n_fields > 0) {
        cwg_emit(t, "static const cw_field $T$__type_fields[] = {\n");
        for (int i = 0; i < m->n_fields; i++)
            emit_field(m->by_number[i], m->by_number[i]->json_name, true, t);
        cwg_emit(t, "};\n\n");
    }
    if (m->has_presence_bits)
        emit_presence(m, t);
    emit_thunks(t);
    emit_inner_thunks(m, t);
    if (json)
        emit_json_thunks(t);
    emit_reserved_names(m, t);
    emit_message_table(m, json, t);
    cwg_pop(t);
}

/* --- extensions and the file ------------------------------------------------------------------ */

static void emit_extension(const cwg_extension *x, cwg_text *t)
{
    cwg_push(t);
    cwg_set(t, "X", x->c_name);
    cwg_set(t, "T", x->extendee->c_name);
    cwg_set_literal(t, "full_name", x->full_name, strlen(x->full_name));
    cwg_emit(t, "static const cw_field $X$__type_field[] = {\n");
    emit_field(x->field, x->json_name, false, t);
    cwg_emit(t, "};\n\n"
                "static const cw_extension $X$__type_extension = {\n"
                ".full_name = $full_name$,\n"
                ".extendee = &$T$_type,\n"
                ".field = $X$__type_field,\n"
                "};\n\n");
    cwg_pop(t);
}

/* True when the header of the file includes the import's: its tables are declared then. */
static bool is_dep(const cwg_file *f, const cwg_file *import)
{
    for (int i = 0; i < f->n_deps; i++) {
        if (f->deps[i].file == import)
            return true;
    }
    return false;
}

static void emit_lists(const cwg_file *f, cwg_text *t)
{
    if (f->n_messages > 0)
        cwg_emit(t, "static const cw_type *const $I$__file_types[] = {\n");
    for (int i = 0; i < f->n_messages; i++) {
        cwg_set(t, "T", f->messages[i]->c_name);
        cwg_emit(t, i + 1 < f->n_messages ? "&$T$_type,\n" : "&$T$_type,\n};\n\n");
    }
    if (f->n_enums > 0)
        cwg_emit(t, "static const cw_enum *const $I$__file_enums[] = {\n");
    for (int i = 0; i < f->n_enums; i++) {
        cwg_set(t, "E", f->enums[i]->c_name);
        cwg_emit(t, i + 1 < f->n_enums ? "&$E$_values,\n" : "&$E$_values,\n};\n\n");
    }
    if (f->n_extensions > 0)
        cwg_emit(t, "static const cw_extension *const $I$__file_extensions[] = {\n");
    for (int i = 0; i < f->n_extensions; i++) {
        cwg_set(t, "X", f->extensions[i]->c_name);
        cwg_emit(t, "&$X$__type_extension,\n");
        if (i + 1 == f->n_extensions)
            cwg_emit(t, "};\n\n");
    }
    if (f->n_imports > 0)
        cwg_emit(t, "static const cw_file *const $I$__file_imports[] = {\n");
    for (int i = 0; i < f->n_imports; i++) {
        cwg_set(t, "import", f->imports[i]->ident);
        cwg_emit(t, i + 1 < f->n_imports ? "&$import$_file,\n" : "&$import$_file,\n};\n\n");
    }
}

static void emit_file(const cwg_file *f, cwg_text *t)
{
    cwg_emit(t, "/* --- the file --- */\n\n");
    emit_lists(f, t);
    cwg_set_literal(t, "name", f->name, strlen(f->name));
    cwg_seti(t, "n_types", f->n_messages);
    cwg_seti(t, "n_enums", f->n_enums);
    cwg_seti(t, "n_extensions", f->n_extensions);
    cwg_seti(t, "n_imports", f->n_imports);
    cwg_emit(t, "const cw_file $I$_file = {\n"
                ".name = $name$,\n");
    if (f->n_messages > 0)
        cwg_emit(t, ".types = $I$__file_types,\n"
                    ".n_types = $n_types$,\n");
    if (f->n_enums > 0)
        cwg_emit(t, ".enums = $I$__file_enums,\n"
                    ".n_enums = $n_enums$,\n");
    if (f->n_extensions > 0)
        cwg_emit(t, ".extensions = $I$__file_extensions,\n"
                    ".n_extensions = $n_extensions$,\n");
    if (f->n_imports > 0)
        cwg_emit(t, ".imports = $I$__file_imports,\n"
                    ".n_imports = $n_imports$,\n");
    cwg_emit(t, "};\n");
}

void cwg_emit_type(const cwg_file *f, cwg_text *t)
{
    bool json = f->with_json;
    cwg_push(t);
    cwg_set(t, "I", f->ident);
    cwg_set(t, "include", f->include);
    cwg_emit_first_line(f, t);
    cwg_emit(t, "/* clang-format off */\n"
                "#include \"$include$\"\n\n");
    for (int i = 0; i < f->n_imports; i++) {
        if (is_dep(f, f->imports[i]))
            continue;
        cwg_set(t, "import", f->imports[i]->ident);
        cwg_emit(t, "extern const cw_file $import$_file;\n\n");
    }
    for (int i = 0; i < f->n_enums; i++)
        emit_enum(f->enums[i], t);
    for (int i = 0; i < f->n_messages; i++)
        emit_message(f->messages[i], json, t);
    for (int i = 0; i < f->n_extensions; i++)
        emit_extension(f->extensions[i], t);
    emit_file(f, t);
    cwg_pop(t);
}
