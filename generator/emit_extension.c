/* SPDX-License-Identifier: MIT */
/*
 * emit_extension.c: EXT_has, EXT_get, EXT_set, EXT_clear: declarations for the header, definitions
 * for base.cw.c. A row EXT__ext says what the extension is; the runtime does the rest on the
 * extendee's unknown bytes. Nothing here refers to the tables of base.cw_type.c.
 */
#include "emit.h"
#include "emit_common.h"

#include <string.h>

static bool is_list(const cwg_field *f)
{
    return f->shape == CWG_REPEATED;
}

/*
 * Sets $X$ the extension's C name, $T$ the extendee's, $decl$ its line with the extendee, $C$ type
 * of one value, $V$ that of what get and set pass, $M$ message type, $E$ enum type, $number$.
 */
static void set_extension(const cwg_extension *x, cwg_text *t)
{
    const cwg_field *f = x->field;
    cwg_set(t, "X", x->c_name);
    cwg_set(t, "T", x->extendee->c_name);
    cwg_set_comment(t, "decl", f->decl);
    cwg_set_comment(t, "extendee", x->extendee->full_name);
    cwg_set(t, "C", f->c_type);
    cwg_set(t, "V", is_list(f) ? f->c_list_type : f->c_type);
    cwg_seti(t, "number", f->number);
    if (f->message)
        cwg_set(t, "M", f->message->c_name);
    if (f->enum_type)
        cwg_set(t, "E", f->enum_type->c_name);
}

/* Structs are passed by address, the rest by value. */
static bool by_address(const cwg_field *f)
{
    return f->message || is_list(f);
}

/* --- declarations ----------------------------------------------------------------------------- */

static void emit_rules(cwg_text *t)
{
    cwg_emit(
        t,
        "/*\n"
        "* Functions of an extension EXT. Its value is kept encoded, in the extendee's `unknown`.\n"
        "*\n"
        "* EXT_has: is there a value? A closed enum's unknown number is none, an empty list "
        "neither.\n"
        "* EXT_get: decodes it into arena memory, with the default options and checks of decode; "
        "without\n"
        "* a value *value is the schema's default, an empty message or list. After a failure "
        "*value is\n"
        "* only good to be set anew. e may be NULL.\n"
        "* EXT_set: encodes it into arena memory in the place of what is there; nothing of value "
        "is kept.\n"
        "* On failure nothing has changed.\n"
        "* EXT_clear: removes it.\n"
        "*/\n");
    cwg_blank(t);
}

void cwg_emit_extension_header(const cwg_file *f, cwg_text *t)
{
    if (f->n_extensions > 0)
        emit_rules(t);
    for (int i = 0; i < f->n_extensions; i++) {
        const cwg_extension *x = f->extensions[i];
        cwg_push(t);
        set_extension(x, t);
        cwg_set(t, "old", x->field->deprecated ? ", deprecated" : "");
        cwg_comment(t, x->field->comments.leading);
        cwg_comment(t, x->field->comments.trailing);
        cwg_emit(t,
                 "/* extend $extendee$: $decl$$old$ */\n"
                 "$api$bool $X$_has(const $T$ *m);\n"
                 "$api$cw_status $X$_get(const $T$ *m, cw_arena *a, $V$ *value, cw_error *e);\n");
        cwg_emit(t, by_address(x->field)
                        ? "$api$cw_status $X$_set($T$ *m, cw_arena *a, const $V$ *value);\n"
                        : "$api$cw_status $X$_set($T$ *m, cw_arena *a, $V$ value);\n");
        cwg_emit(t, "$api$void $X$_clear($T$ *m);\n");
        cwg_blank(t);
        cwg_pop(t);
    }
}

/* --- definitions ------------------------------------------------------------------------------ */

/* The value's type behind void pointers. */
static void emit_message(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t,
             "static void $X$__ext_init(void *m)\n"
             "{\n"
             "$M$_init(m);\n"
             "}\n"
             "\n"
             "static uint8_t *$X$__ext_enc(const void *m, cw__encoder *w, uint8_t *p, int depth)\n"
             "{\n"
             "return $M$__enc(m, w, p, depth);\n"
             "}\n"
             "\n"
             "static const uint8_t *$X$__ext_dec(void *m, const uint8_t *p, const uint8_t *end, "
             "cw__decoder *d, int depth)\n"
             "{\n"
             "return $M$__dec(m, p, end, d, depth);\n"
             "}\n"
             "\n");
    if (m->reaches_required)
        cwg_emit(t, "static bool $X$__ext_required(const void *m, cw_error *e, int depth)\n"
                    "{\n"
                    "return $M$__required(m, e, depth);\n"
                    "}\n"
                    "\n");
    if (m->reaches_maps)
        cwg_emit(t, "static bool $X$__ext_sort_maps(void *m, cw_arena *a)\n"
                    "{\n"
                    "return $M$__sort_maps(m, a);\n"
                    "}\n"
                    "\n");
    cwg_emit(t, "static const cw__ext_message $X$__ext_message = {\n"
                ".struct_size = sizeof($M$),\n"
                ".init = $X$__ext_init,\n"
                ".wire_put = $X$__ext_enc,\n"
                ".wire_get = $X$__ext_dec,\n");
    if (m->reaches_required)
        cwg_emit(t, ".required = $X$__ext_required,\n");
    if (m->reaches_maps)
        cwg_emit(t, ".sort_maps = $X$__ext_sort_maps,\n");
    cwg_emit(t, "};\n"
                "\n");
}

static void emit_row(const cwg_extension *x, cwg_text *t)
{
    const cwg_field *f = x->field;
    cwg_set_literal(t, "full_name", x->full_name, strlen(x->full_name));
    cwg_set(t, "kind", f->is_group ? "CW_KIND_GROUP" : f->kind->rt_kind);
    cwg_emit(t, "static const cw__ext $X$__ext = {\n"
                ".full_name = $full_name$,\n"
                ".number = $number$,\n"
                ".kind = $kind$,\n");
    if (is_list(f))
        cwg_emit(t, ".repeated = true,\n");
    if (f->packed)
        cwg_emit(t, ".packed = true,\n");
    if (f->validate_utf8)
        cwg_emit(t, ".check_utf8 = true,\n");
    if (x->extendee->is_message_set)
        cwg_emit(t, ".in_message_set = true,\n");
    cwg_emit(t, ".element_size = sizeof($C$),\n");
    if (f->closed_enum)
        cwg_emit(t, ".known = $E$__known,\n");
    if (f->message)
        cwg_emit(t, ".message = &$X$__ext_message,\n");
    cwg_emit(t, "};\n"
                "\n");
}

static void emit_functions(const cwg_extension *x, cwg_text *t)
{
    const cwg_field *f = x->field;
    cwg_emit(t, "bool $X$_has(const $T$ *m)\n"
                "{\n"
                "return cw__ext_has(m->unknown, &$X$__ext);\n"
                "}\n"
                "\n"
                "cw_status $X$_get(const $T$ *m, cw_arena *a, $V$ *value, cw_error *e)\n"
                "{\n");
    if (is_list(f)) {
        cwg_emit(t, "memset(value, 0, sizeof *value);\n");
    } else if (f->message) {
        cwg_emit(t, "$M$_init(value);\n");
    } else {
        cwg_set(t, "default", f->default_c);
        cwg_emit(t, "*value = $default$;\n");
    }
    cwg_emit(t, "return cw__ext_get(m->unknown, &$X$__ext, a, NULL, value, NULL, e);\n"
                "}\n"
                "\n");
    cwg_emit(t, by_address(f) ? "cw_status $X$_set($T$ *m, cw_arena *a, const $V$ *value)\n"
                                "{\n"
                                "return cw__ext_set(&m->unknown, &$X$__ext, a, value, NULL);\n"
                                "}\n"
                                "\n"
                              : "cw_status $X$_set($T$ *m, cw_arena *a, $V$ value)\n"
                                "{\n"
                                "return cw__ext_set(&m->unknown, &$X$__ext, a, &value, NULL);\n"
                                "}\n"
                                "\n");
    cwg_emit(t, "void $X$_clear($T$ *m)\n"
                "{\n"
                "cw__ext_clear(m->unknown, &$X$__ext);\n"
                "}\n"
                "\n");
}

void cwg_emit_extension(const cwg_file *f, cwg_text *t)
{
    for (int i = 0; i < f->n_extensions; i++) {
        const cwg_extension *x = f->extensions[i];
        cwg_push(t);
        set_extension(x, t);
        cwg_emit(t, "/* extend $extendee$: $decl$ */\n"
                    "\n");
        if (x->field->message)
            emit_message(x->field->message, t);
        emit_row(x, t);
        emit_functions(x, t);
        cwg_pop(t);
    }
}
