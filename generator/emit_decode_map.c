/* SPDX-License-Identifier: MIT */
/*
 * emit_decode_map.c: T__F_dec, which decodes one entry of a map and appends it. Order is looked at
 * here and mended at the message's end.
 */
#include "emit_common.h"

/* A value of which only the default is not all zero bits. */
static void emit_value_init(cwg_text *t, const cwg_field *value)
{
    if (value->message)
        cwg_emit(t, "$M$_init(&x->value);\n");
    else if (value->default_nonzero) {
        cwg_set(t, "default", value->default_c);
        cwg_emit(t, "x->value = $default$;\n");
    }
}

static void emit_message_case(cwg_text *t)
{
    cwg_emit(t, "case $tag$: { /* $decl$ */\n"
                "size_t size = 0;\n"
                "if (CW_UNLIKELY(depth < 1)) {\n"
                "p = cw__get_fail(d, CW_ERR_DEPTH, at, NULL);\n"
                "break;\n"
                "}\n"
                "p = cw__get_len(d, p, end, &size);\n"
                "if (CW_LIKELY(p != NULL)) {\n"
                "p = $M$__dec(&x->value, p, p + size, d, depth - 1);\n"
                "}\n"
                "break;\n"
                "}\n");
}

static void emit_case(cwg_text *t, const cwg_field *f)
{
    cwg_push(t);
    cwg_set_field(t, f);
    if (f->message) {
        emit_message_case(t);
    } else if (f->closed_enum) {
        cwg_emit(t, "case $tag$: /* $decl$ */\n"
                    "p = cw__get_enum(d, p, end, &x->value);\n"
                    "known = $E$__known(x->value);\n"
                    "break;\n");
    } else {
        cwg_set(t, "stem", cwg_is_string(f) && !f->validate_utf8 ? "string_raw" : f->kind->name);
        cwg_emit(t, "case $tag$: /* $decl$ */\n"
                    "p = cw__get_$stem$(d, p, end, &x->$F$);\n"
                    "break;\n");
    }
    cwg_pop(t);
}

static void emit_append(cwg_text *t, const cwg_map *map)
{
    if (map->value->closed_enum)
        cwg_emit(t, "if (!known) { /* the whole entry is unknown */\n"
                    "if (!cw__unknown_add(d->arena, &m->unknown, start, (size_t)(p - start))) {\n"
                    "return cw__get_fail_memory(d, start);\n"
                    "}\n"
                    "return p;\n"
                    "}\n");
    cwg_emit(t, "if ($v$.len > 0 && cw__map_compare_$order$(x - 1, x) >= 0) {\n"
                "*unsorted = true;\n"
                "}\n"
                "$v$.len++;\n"
                "return p;\n"
                "}\n"
                "\n");
}

void cwg_emit_decode_map(const cwg_message *m, const cwg_map *map, cwg_text *t)
{
    (void)m;
    cwg_push(t);
    cwg_set_field(t, map->field);
    cwg_emit(t,
             "/* One entry of $decl$ */\n"
             "static const uint8_t *$T$__$F$_dec($T$ *m, const uint8_t *start, const uint8_t *p, "
             "const uint8_t *end, cw__decoder *d, int depth, bool *unsorted)\n"
             "{\n"
             "size_t n = 0;\n"
             "if (CW_UNLIKELY($v$.len >= $v$.cap)) {\n"
             "void *data = cw__list_grow(d->arena, $v$.data, $v$.len, &$v$.cap, "
             "sizeof *$v$.data, cw__count_run(p, end, $tag$));\n"
             "if (CW_UNLIKELY(data == NULL)) {\n"
             "return cw__get_fail_memory(d, start);\n"
             "}\n"
             "$v$.data = data;\n"
             "}\n"
             "p = cw__get_len(d, p, end, &n);\n"
             "if (CW_UNLIKELY(p == NULL)) {\n"
             "return NULL;\n"
             "}\n"
             "$X$ *x = &$v$.data[$v$.len];\n"
             "memset(x, 0, sizeof *x);\n");
    cwg_push(t);
    cwg_set_field(t, map->value);
    emit_value_init(t, map->value);
    cwg_pop(t);
    if (map->value->closed_enum)
        cwg_emit(t, "bool known = true;\n");
    cwg_emit(t, "end = p + n;\n"
                "while (p < end) {\n"
                "const uint8_t *at = p;\n"
                "uint32_t tag = 0;\n"
                "p = cw__get_tag(d, p, end, &tag);\n"
                "if (CW_UNLIKELY(p == NULL)) {\n"
                "return NULL;\n"
                "}\n"
                "switch (tag) {\n");
    emit_case(t, map->key);
    emit_case(t, map->value);
    cwg_emit(t, "default:\n"
                "p = cw__get_unknown(d, at, p, end, tag, NULL, depth);\n"
                "break;\n"
                "}\n"
                "if (CW_UNLIKELY(p == NULL)) {\n"
                "return NULL;\n"
                "}\n"
                "}\n"
                "if (CW_UNLIKELY(p != end)) {\n"
                "return cw__get_fail(d, CW_ERR_LENGTH, end, NULL);\n"
                "}\n");
    emit_append(t, map);
    cwg_pop(t);
}
