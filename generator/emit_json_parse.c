/* SPDX-License-Identifier: MIT */
/*
 * emit_json_parse.c: T__parse and T_from_json. See runtime/include/cwire/json.h.
 *
 * Fields are known by their place in by_number, which is also the order in which every printer
 * writes them. So behind each field's value the next field's key is looked for: one constant is
 * compared, and its `case` goes on into the next one. What is absent, in another order, in other
 * spelling or with blanks is for the loop around the switch. A field counts as seen when its key
 * was there, also with null.
 */
#include "emit.h"
#include "emit_common.h"
#include "emit_json_common.h"

#include <string.h>

/* --- storing values --------------------------------------------------------------------------- */

/* Zeroes or initialises the message at x. */
static void emit_init(const cwg_message *m, const char *x, cwg_text *t)
{
    cwg_set(t, "x", x);
    cwg_emit(t, m->has_defaults ? "$M$_init($x$);\n" : "memset($x$, 0, sizeof *$x$);\n");
}

/*
 * Reads an enum into `v`, in a block of its own that the caller opens; `skip` is then true when
 * it is not to be stored.
 */
static void emit_read_enum(const cwg_field *f, cwg_text *t)
{
    cwg_set(t, "E", f->enum_type->c_name);
    cwg_setf(t, "known", f->closed_enum ? "%s__known" : "NULL", f->enum_type->c_name);
    cwg_emit(t, "int32_t v = 0;\n"
                "bool skip = false;\n");
    if (cwg__json_is_null_value(f))
        cwg_emit(t, "if (!cw__json_null(r, &p)) {\n");
    cwg_emit(t, "p = cw__json_get_enum(r, p, &v, $E$_from_name, $known$, &skip);\n");
    if (cwg__json_is_null_value(f))
        cwg_emit(t, "}\n");
}

/* A new element at the end of the list $v$, if there is memory; else $fail$. */
static void emit_grow(cwg_text *t)
{
    cwg_emit(t, "if (CW_UNLIKELY($v$.len == $v$.cap)) {\n"
                "void *data = cw__json_list_grow(r, $v$.data, $v$.len, &$v$.cap, "
                "sizeof *$v$.data);\n"
                "if (CW_UNLIKELY(data == NULL)) {\n"
                "p = cw__json_fail_memory(r, p);\n"
                "break;\n"
                "}\n"
                "$v$.data = data;\n"
                "}\n");
}

/* --- shapes ----------------------------------------------------------------------------------- */

/* What makes the field present, after its value was stored. */
static void emit_presence(const cwg_field *f, cwg_text *t)
{
    if (f->has_bit)
        cwg_emit(t, "m->has.$F$ = true;\n");
    else if (f->oneof)
        cwg_emit(t, "m->$O_case$ = $case$;\n");
}

static void emit_singular_message(const cwg_field *f, cwg_text *t)
{
    cwg_emit(t, "if (CW_UNLIKELY(depth == 0)) {\n"
                "p = cw__json_fail(r, CW_ERR_DEPTH, p, NULL);\n"
                "break;\n"
                "}\n"
                "$M$ *x = $M$__new(r->arena);\n"
                "if (CW_UNLIKELY(x == NULL)) {\n"
                "p = cw__json_fail_memory(r, p);\n"
                "break;\n"
                "}\n"
                "$v$ = x;\n");
    emit_presence(f, t);
    cwg_emit(t, "p = $M$__parse(x, r, p, depth - 1);\n");
}

static void emit_singular(const cwg_field *f, cwg_text *t)
{
    if (f->oneof)
        cwg_emit(
            t, "if (CW_UNLIKELY(m->$O_case$ != 0)) {\n"
               "p = cw__json_fail(r, CW_ERR_DUPLICATE, r->key_at, \"another member of the oneof is "
               "set\");\n"
               "break;\n"
               "}\n");
    if (f->message) {
        emit_singular_message(f, t);
    } else if (f->enum_type) {
        emit_read_enum(f, t);
        cwg_emit(t, "if (CW_LIKELY(!skip)) {\n"
                    "$v$ = v;\n");
        emit_presence(f, t);
        cwg_emit(t, "}\n");
    } else {
        cwg_set(t, "stem", cwg__json_stem(f));
        cwg_emit(t, "p = cw__json_get_$stem$(r, p, &$v$);\n");
        emit_presence(f, t);
    }
}

static void emit_list(const cwg_field *f, cwg_text *t)
{
    cwg_emit(t, "p = cw__json_array(r, p);\n"
                "while (p != NULL && *p != ']') {\n");
    if (f->message)
        cwg_emit(t, "if (CW_UNLIKELY(depth == 0)) {\n"
                    "cw__json_fail(r, CW_ERR_DEPTH, p, NULL);\n"
                    "return cw__json_fail_at(r, $name$, $v$.len);\n"
                    "}\n");
    emit_grow(t);
    if (f->message) {
        cwg_emit(t, "$M$ *x = &$v$.data[$v$.len];\n");
        emit_init(f->message, "x", t);
        cwg_emit(t, "p = $M$__parse(x, r, p, depth - 1);\n");
    } else if (f->enum_type) {
        emit_read_enum(f, t);
    } else {
        cwg_set(t, "stem", cwg__json_stem(f));
        cwg_emit(t, "p = cw__json_get_$stem$(r, p, &$v$.data[$v$.len]);\n");
    }
    cwg_emit(t, "if (CW_UNLIKELY(p == NULL)) {\n"
                "return cw__json_fail_at(r, $name$, $v$.len);\n"
                "}\n");
    if (f->enum_type)
        cwg_emit(t, "if (CW_LIKELY(!skip)) {\n"
                    "$v$.data[$v$.len++] = v;\n"
                    "}\n");
    else
        cwg_emit(t, "$v$.len++;\n");
    cwg_emit(t, "p = cw__json_element_next(r, p);\n"
                "}\n"
                "if (p != NULL) {\n"
                "p++;\n"
                "}\n");
}

/* --- maps ------------------------------------------------------------------------------------- */

/* The value of the entry x, read from p. */
static void emit_map_value(const cwg_field *value, cwg_text *t)
{
    cwg_set(t, "V", value->c_name);
    if (value->message) {
        cwg_set(t, "M", value->message->c_name);
        cwg_emit(t, "if (CW_LIKELY(depth > 1)) {\n"
                    "p = $M$__parse(&x->$V$, r, p, depth - 2);\n"
                    "} else {\n"
                    "p = cw__json_fail(r, CW_ERR_DEPTH, p, NULL);\n"
                    "}\n");
    } else if (value->enum_type) {
        emit_read_enum(value, t);
        cwg_emit(t, "x->$V$ = v;\n");
    } else {
        cwg_set(t, "stem", cwg__json_stem(value));
        cwg_emit(t, "p = cw__json_get_$stem$(r, p, &x->$V$);\n");
    }
}

/* Keys that did not come in order: they are sorted, and one that is there twice is found. */
static void emit_map_sort(const cwg_field *f, cwg_text *t)
{
    cwg_emit(t, "if (CW_UNLIKELY(p != NULL && !sorted)) {\n"
                "size_t second = SIZE_MAX;\n"
                "if (!cw__map_sort_strict(r->arena, $v$.data, $v$.len, sizeof *$v$.data, "
                "cw__map_compare_$order$, &second)) {\n"
                "p = cw__json_fail_memory(r, p);\n"
                "break;\n"
                "}\n"
                "if (second != SIZE_MAX) {\n"
                "p = cw__json_fail(r, CW_ERR_DUPLICATE, start, \"a key is there twice\");\n");
    if (f->map->key->kind->id == CWG_KIND_STRING)
        cwg_emit(t, "return cw__json_fail_at_key(r, $name$, $v$.data[second].$K$);\n");
    else
        cwg_emit(t, "break;\n");
    cwg_emit(t, "}\n"
                "}\n");
}

static void emit_map(const cwg_field *f, cwg_text *t)
{
    const cwg_field *key = f->map->key, *value = f->map->value;
    cwg_set(t, "K", key->c_name);
    cwg_set(t, "key_stem",
            key->kind->id == CWG_KIND_STRING ? "string"
            : key->kind->id == CWG_KIND_BOOL ? "bool"
                                             : cwg__json_stem(key));
    cwg_emit(t, "const char *start = p;\n"
                "bool sorted = true;\n"
                "p = cw__json_object(r, p);\n"
                "while (p != NULL && *p != '}') {\n"
                "if (CW_UNLIKELY(depth == 0)) { /* an entry is a level */\n"
                "p = cw__json_fail(r, CW_ERR_DEPTH, p, NULL);\n"
                "break;\n"
                "}\n");
    emit_grow(t);
    cwg_emit(t, "$X$ *x = &$v$.data[$v$.len];\n"
                "memset(x, 0, sizeof *x);\n");
    if (value->message && value->message->has_defaults) {
        cwg_setf(t, "M", "%s", value->message->c_name);
        cwg_setf(t, "x", "&x->%s", value->c_name);
        cwg_emit(t, "$M$_init($x$);\n");
    }
    cwg_emit(t, "const char *name = p;\n"
                "p = cw__json_map_key_$key_stem$(r, p, &x->$K$);\n"
                "if (CW_UNLIKELY(p == NULL)) {\n"
                "break;\n"
                "}\n");
    emit_map_value(value, t);
    cwg_emit(t, "if (CW_UNLIKELY(p == NULL)) {\n"
                "return cw__json_fail_at_key(r, $name$, ");
    if (key->kind->id == CWG_KIND_STRING)
        cwg_emit(t, "x->$K$);\n");
    else
        cwg_emit(t, "cw_str_of(name + 1, strcspn(name + 1, \"\\\"\")));\n");
    cwg_emit(t, "}\n");
    if (value->enum_type)
        cwg_emit(t, "if (CW_LIKELY(!skip)) {\n");
    cwg_emit(t, "if ($v$.len > 0) {\n"
                "int order = cw__map_compare_$order$(x - 1, x);\n"
                "if (CW_UNLIKELY(order == 0)) {\n"
                "p = cw__json_fail(r, CW_ERR_DUPLICATE, name, \"a key is there twice\");\n"
                "break;\n"
                "}\n"
                "sorted = sorted && order < 0;\n"
                "}\n"
                "$v$.len++;\n");
    if (value->enum_type)
        cwg_emit(t, "}\n");
    cwg_emit(t, "p = cw__json_member_next(r, p);\n"
                "}\n");
    emit_map_sort(f, t);
    cwg_emit(t, "if (p != NULL) {\n"
                "p++;\n"
                "}\n");
}

/* --- messages --------------------------------------------------------------------------------- */

/* How a value begins when there is but one way, and it is not null: its first byte; else "". */
static const char *value_opens(const cwg_field *f)
{
    if (f->shape == CWG_REPEATED)
        return "[";
    if (f->shape == CWG_MAP)
        return "{";
    if (f->message)
        return f->message->own_json ? "" : "{";
    return f->kind->id == CWG_KIND_STRING || f->kind->id == CWG_KIND_BYTES ? "\"" : "";
}

/* n = how many bytes are before f's value when `before` ('{' or ','), its key and a value stand at
 * p; else 0. */
static void emit_expect(const cwg_field *f, const char *before, cwg_text *t)
{
    char open[4], after[4] = "\":";
    strcat(strcpy(open, before), "\"");
    strcat(after, value_opens(f));
    cwg__json_set_text(t, "json", open, f->json_name, after);
    cwg__json_set_text(t, "proto", open, f->name, after);
    cwg_set(t, "expect",
            *value_opens(f)                              ? "cw__json_expect_open"
            : f->message || f->kind->id == CWG_KIND_BOOL ? "cw__json_expect_any"
                                                         : "cw__json_expect");
    if (strcmp(f->json_name, f->name) == 0)
        cwg_emit(t, "n = $expect$(r, p, $json$, $json_len$);\n");
    else
        cwg_emit(t, "if (r->style == 0) {\n"
                    "n = $expect$(r, p, $json$, $json_len$);\n"
                    "} else {\n"
                    "n = $expect$(r, p, $proto$, $proto_len$);\n"
                    "}\n");
}

/* Sets $seen$, $bit$ and $index$ for a field that is known. */
static void set_seen(const cwg_message *m, int index, cwg_text *t)
{
    cwg_seti(t, "index", index);
    if (m->n_fields > 64)
        cwg_setf(t, "seen", "seen[%d]", index / 64);
    else
        cwg_set(t, "seen", "seen");
    cwg_setf(t, "bit", "(uint64_t)1 << %d", index % 64);
}

/* Behind the value of by_number[i]: on into the next case when that field follows. */
static void emit_on(const cwg_message *m, int i, cwg_text *t)
{
    if (i + 1 == m->n_fields) {
        cwg_emit(t, "break;\n");
        return;
    }
    const cwg_field *f = m->by_number[i + 1];
    cwg_push(t);
    cwg_set_field(t, f);
    set_seen(m, i + 1, t);
    emit_expect(f, ",", t);
    cwg_emit(t, "if (CW_UNLIKELY(n == 0) || CW_UNLIKELY(($seen$ & ($bit$)) != 0)");
    if (f->oneof)
        cwg_emit(t, " || m->$O_case$ != 0");
    cwg_emit(t, ") {\n"
                "break;\n"
                "}\n"
                "p += n;\n"
                "$seen$ |= $bit$;\n"
                "at = $index$;\n"
                "CW_FALLTHROUGH;\n");
    cwg_pop(t);
}

static void emit_case(const cwg_message *m, int i, cwg_text *t)
{
    const cwg_field *f = m->by_number[i];
    bool block = !cwg_is_singular(f) || f->message || f->enum_type; /* has locals of its own */
    cwg_push(t);
    cwg_set_field(t, f);
    cwg_set_literal(t, "name", f->name, strlen(f->name));
    cwg_seti(t, "index", i);
    cwg_emit(t, block ? "case $index$: { /* $decl$ */\n" : "case $index$: /* $decl$ */\n");
    if (f->map)
        emit_map(f, t);
    else if (f->shape == CWG_REPEATED)
        emit_list(f, t);
    else
        emit_singular(f, t);
    emit_on(m, i, t);
    if (block)
        cwg_emit(t, "}\n");
    cwg_pop(t);
}

/* What is under a key that is no field's. */
static void emit_unknown(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "case CW__JSON_NO_FIELD:\n");
    if (m->n_extension_ranges > 0)
        cwg_emit(t, "p = cw__json_extension(r, p, &$T$_type, &m->unknown, &extensions, depth);\n");
    else
        cwg_emit(t, "p = cw__json_unknown(r, p, depth);\n");
    cwg_emit(t, "if (CW_UNLIKELY(p == NULL)) {\n"
                "return NULL;\n"
                "}\n"
                "break;\n");
}

/* `at` and p of the first member; the first field is looked for as the others are. */
static void emit_first(const cwg_message *m, cwg_text *t)
{
    const char *first = "p = cw__json_first(r, p, &$T$__json_keys, $all_seen$);\n";
    if (m->n_fields == 0) {
        cwg_emit(t, first);
        cwg_emit(t, "uint32_t at = r->at;\n");
        return;
    }
    set_seen(m, 0, t);
    cwg_emit(t, "size_t n;\n");
    emit_expect(m->by_number[0], "{", t);
    cwg_emit(t, "uint32_t at = 0;\n"
                "if (CW_LIKELY(n != 0)) {\n"
                "p += n;\n"
                "$seen$ = 1;\n"
                "} else {\n");
    cwg_emit(t, first);
    cwg_emit(t, "at = r->at;\n"
                "}\n");
}

static void emit_loop(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "while (CW_LIKELY(p != NULL)) {\n"
                "switch (at) {\n");
    for (int i = 0; i < m->n_fields; i++)
        emit_case(m, i, t);
    emit_unknown(m, t);
    cwg_emit(t, "case CW__JSON_END:\n"
                "return p;\n"
                "default: /* CW__JSON_NULL */\n"
                "break;\n"
                "}\n");
    if (m->n_fields > 0)
        cwg_emit(t, "if (CW_UNLIKELY(p == NULL)) {\n"
                    "return cw__json_fail_at(r, $T$__json_names[2 * at + 1].text, SIZE_MAX);\n"
                    "}\n");
    cwg_emit(t, "if (cw__json_ends(r, p)) {\n"
                "return p + 1;\n"
                "}\n"
                "p = cw__json_member(r, p, &$T$__json_keys, $all_seen$);\n"
                "at = r->at;\n"
                "}\n"
                "return NULL;\n");
}

static void emit_parse(const cwg_message *m, cwg_text *t)
{
    cwg_blank(t);
    cwg_emit(t, "const char *$T$__parse($T$ *m, cw__json_reader *r, const char *p, int depth)\n"
                "{\n");
    if (m->n_fields == 0 && m->n_extension_ranges == 0)
        cwg_emit(t, "(void)m;\n");
    cwg_seti(t, "words", (m->n_fields + 63) / 64);
    cwg_set(t, "all_seen", m->n_fields > 64 ? "seen" : m->n_fields > 0 ? "&seen" : "NULL");
    if (m->n_fields > 64)
        cwg_emit(t, "uint64_t seen[$words$] = {0};\n");
    else if (m->n_fields > 0)
        cwg_emit(t, "uint64_t seen = 0;\n");
    if (m->n_extension_ranges > 0)
        cwg_emit(t, "cw__json_seen extensions = {NULL, 0, 0};\n");
    emit_first(m, t);
    emit_loop(m, t);
    cwg_emit(t, "}\n");
}

static void emit_from_json(const cwg_message *m, cwg_text *t)
{
    cwg_set_literal(t, "full_name", m->full_name, strlen(m->full_name));
    cwg_blank(t);
    cwg_emit(t, "cw_status $T$_from_json($T$ *m, const char *json, size_t len, cw_arena *a, const "
                "cw_json_parse_options *o, cw_error *e)\n"
                "{\n"
                "cw__json_reader r;\n"
                "int depth = 0;\n"
                "$T$_init(m);\n"
                "const char *p = cw__json_read_begin(&r, json, len, a, o, &depth, e);\n"
                "if (p != NULL) {\n");
    cwg__json_emit_file(m, "r", t);
    cwg_emit(t, "p = $T$__parse(m, &r, p, depth);\n"
                "}\n");
    if (m->reaches_required)
        cwg_emit(t, "if (p != NULL && !r.allow_partial && !$T$__required(m, e, depth)) {\n"
                    "r.status = CW_ERR_REQUIRED;\n"
                    "}\n");
    cwg_emit(t, "return cw__json_read_end(&r, p, $full_name$);\n"
                "}\n");
}

void cwg_emit_json_parse(const cwg_file *f, cwg_text *t)
{
    for (int i = 0; i < f->n_messages; i++) {
        cwg_push(t);
        cwg_set_message(t, f->messages[i]);
        if (!f->messages[i]->own_json) {
            cwg__json_emit_keys(f->messages[i], t);
            emit_parse(f->messages[i], t);
        }
        emit_from_json(f->messages[i], t);
        cwg_pop(t);
    }
}
