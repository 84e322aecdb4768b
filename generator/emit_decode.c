/* SPDX-License-Identifier: MIT */
/*
 * emit_decode.c: T__dec, a loop with one case a field, and T_decode, T_merge_from around it.
 *
 * p may run past `end` inside a varint, never past the whole input's end: the loop finds p != end.
 * A case leaves p NULL on failure; what it failed at is named behind the switch.
 */
#include "emit.h"
#include "emit_common.h"

/* Stops the case when depth does not allow one more message. */
static void emit_too_deep(cwg_text *t)
{
    cwg_emit(t, "if (CW_UNLIKELY(depth < 1)) {\n"
                "p = cw__get_fail(d, CW_ERR_DEPTH, start, NULL);\n"
                "break;\n"
                "}\n");
}

/* Sets $get$ to the call that reads one value into `place`. */
static void set_get(cwg_text *t, const cwg_field *f, const char *place)
{
    const char *stem = cwg_is_string(f) && !f->validate_utf8 ? "string_raw" : f->kind->name;
    cwg_setf(t, "get", "cw__get_%s(d, p, end, &%s)", stem, place);
}

/* A closed enum's value: known ones go where `store` says, others to `unknown`. */
static void emit_closed(cwg_text *t, const char *store)
{
    cwg_emit(t, "uint64_t v = 0;\n"
                "p = cw__get_uint64(d, p, end, &v);\n"
                "if (CW_UNLIKELY(p == NULL)) {\n"
                "break;\n"
                "}\n"
                "int32_t number = (int32_t)(uint32_t)v;\n"
                "if ($E$__known(number)) {\n");
    cwg_emit(t, store);
    cwg_emit(t, "} else if (!cw__unknown_varint(d, &m->unknown, $tag$, v)) {\n"
                "p = cw__get_fail_memory(d, start);\n"
                "}\n");
}

/*
 * The end of a case. The next field's tag is the likely next one, since writers go by number: it is
 * looked for here, and a hit saves the way through the loop and the switch.
 */
static void emit_end_of_case(cwg_text *t, const cwg_field *next)
{
    const cwg_tag *tag = !next ? NULL : next->packed ? &next->packed_tag : &next->tag;
    if (!next || next->shape == CWG_ONEOF || tag->len > 2) { /* cw__next_is knows two bytes */
        cwg_emit(t, "break;\n");
        return;
    }
    cwg_seti(t, "next_tag", tag->value);
    cwg_emit(t, "if (!cw__field_follows(&p, end, $next_tag$, &start, &tag)) {\n"
                "break;\n"
                "}\n"
                "/* fall through */\n");
}

static void emit_scalar(cwg_text *t, const cwg_field *f, const cwg_field *next)
{
    if (f->closed_enum) {
        cwg_emit(t, "case $tag$: { /* $decl$ */\n");
        emit_closed(t, f->shape == CWG_IMPLICIT ? "$v$ = number;\n" : "$T$_set_$F$(m, number);\n");
        cwg_emit(t, "break;\n"
                    "}\n");
        return;
    }
    if (f->shape == CWG_ONEOF) {
        set_get(t, f, "v");
        cwg_emit(t, "case $tag$: { /* $decl$ */\n");
        cwg_emit(t, cwg_is_view(f) ? "$C$ v = {NULL, 0};\n" : "$C$ v = 0;\n");
        cwg_emit(t, "p = $get$;\n"
                    "if (CW_LIKELY(p != NULL)) {\n"
                    "$T$_set_$F$(m, v);\n"
                    "}\n"
                    "break;\n"
                    "}\n");
        return;
    }
    set_get(t, f, cwg_get(t, "v"));
    cwg_emit(t, "case $tag$: /* $decl$ */\n"
                "p = $get$;\n");
    if (f->has_bit)
        cwg_emit(t, "m->has.$F$ = true;\n");
    emit_end_of_case(t, next);
}

/* Decodes into the message at x, delimited or as a group. */
static void emit_into(cwg_text *t, const cwg_field *f)
{
    if (f->is_group)
        cwg_emit(t, "cw__group outer = cw__group_open(d, x, $number$);\n"
                    "p = $M$__dec(x, p, end, d, depth - 1);\n"
                    "p = cw__group_close(d, outer, x, p, end);\n");
    else
        cwg_emit(t, cwg_uses_inlined(f, f->parent->file)
                        ? "p = $M$__dec_inline(x, p, p + n, d, depth - 1);\n"
                        : "p = $M$__dec(x, p, p + n, d, depth - 1);\n");
}

static void emit_length(cwg_text *t)
{
    cwg_emit(t, "size_t n = 0;\n"
                "p = cw__get_len(d, p, end, &n);\n"
                "if (CW_UNLIKELY(p == NULL)) {\n"
                "break;\n"
                "}\n");
}

/* A second occurrence merges, also in a oneof. */
static void emit_singular_message(cwg_text *t, const cwg_field *f)
{
    cwg_emit(t, "case $tag$: { /* $decl$ */\n");
    emit_too_deep(t);
    if (!f->is_group)
        emit_length(t);
    if (f->shape == CWG_ONEOF)
        cwg_emit(t, "$M$ *x = m->$O_case$ == $case$ ? $v$ : NULL;\n");
    else
        cwg_emit(t, "$M$ *x = $v$;\n");
    cwg_emit(t, "if (x == NULL) {\n"
                "x = $M$__new(d->arena);\n"
                "if (CW_UNLIKELY(x == NULL)) {\n"
                "p = cw__get_fail_memory(d, start);\n"
                "break;\n"
                "}\n"
                "$T$_set_$F$(m, x);\n"
                "}\n");
    emit_into(t, f);
    cwg_emit(t, "break;\n"
                "}\n");
}

/* Room for a run of elements: `count` is an expression. */
static void emit_grow(cwg_text *t, const char *count)
{
    cwg_set(t, "count", count);
    cwg_emit(t, "if (CW_UNLIKELY($v$.len >= $v$.cap)) {\n"
                "void *data = cw__list_grow(d->arena, $v$.data, $v$.len, &$v$.cap, "
                "sizeof *$v$.data, $count$);\n"
                "if (CW_UNLIKELY(data == NULL)) {\n"
                "p = cw__get_fail_memory(d, start);\n"
                "break;\n"
                "}\n"
                "$v$.data = data;\n"
                "}\n");
}

static void emit_repeated_message(cwg_text *t, const cwg_field *f)
{
    cwg_emit(t, "case $tag$: { /* $decl$ */\n");
    emit_too_deep(t);
    if (f->is_group) {
        emit_grow(t, "1");
    } else {
        cwg_emit(t, "do {\n");
        cwg_setf(t, "run", "cw__count_run(p, end, %s)", cwg_get(t, "tag"));
        emit_grow(t, cwg_get(t, "run"));
        emit_length(t);
    }
    cwg_emit(t, "$M$ *x = &$v$.data[$v$.len];\n"
                "$M$_init(x);\n");
    emit_into(t, f);
    cwg_emit(t, "if (CW_UNLIKELY(p == NULL)) {\n"
                "return cw__get_fail_at(d, \"$name$\", $v$.len);\n"
                "}\n"
                "$v$.len++;\n");
    if (!f->is_group)
        cwg_emit(t, "} while (cw__next_is(&p, end, $tag$));\n");
    cwg_emit(t, "break;\n"
                "}\n");
}

/* Sets $get$ to the call for one element, $get_packed$ to that for many. */
static void set_get_elements(cwg_text *t, const cwg_field *f)
{
    const char *v = cwg_get(t, "v");
    if (f->closed_enum) {
        const char *e = cwg_get(t, "E");
        const char *tag = cwg_get(t, "tag");
        cwg_setf(t, "get", "cw__get_closed(d, p, end, &%s, %s__known, %s, &m->unknown)", v, e, tag);
        cwg_setf(t, "get_packed",
                 "cw__get_packed_closed(d, p, end, &%s, %s__known, %s, &m->unknown)", v, e, tag);
    } else {
        cwg_setf(t, "get", "cw__get_element_%s(d, p, end, &%s)", f->kind->name, v);
        cwg_setf(t, "get_packed", "cw__get_packed_%s(d, p, end, &%s)", f->kind->name, v);
    }
}

/* Both forms are read whatever the declaration; the declared one comes first. */
static void emit_repeated_number(cwg_text *t, const cwg_field *f)
{
    static const char one[] = "case $tag$: /* $decl$ */\n"
                              "p = $get$;\n"
                              "break;\n";
    static const char many[] = "case $packed_tag$: /* $decl$, packed */\n"
                               "p = $get_packed$;\n"
                               "break;\n";
    set_get_elements(t, f);
    cwg_emit(t, f->packed ? many : one);
    cwg_emit(t, f->packed ? one : many);
}

static void emit_repeated(cwg_text *t, const cwg_field *f)
{
    if (f->message) {
        emit_repeated_message(t, f);
    } else if (cwg_is_string(f)) {
        cwg_set(t, "check", f->validate_utf8 ? "true" : "false");
        cwg_emit(t, "case $tag$: /* $decl$ */\n"
                    "p = cw__get_strings(d, p, end, &$v$, $tag$, $check$);\n"
                    "break;\n");
    } else if (cwg_is_view(f)) {
        cwg_emit(t, "case $tag$: /* $decl$ */\n"
                    "p = cw__get_bytes_list(d, p, end, &$v$, $tag$);\n"
                    "break;\n");
    } else {
        emit_repeated_number(t, f);
    }
}

static void emit_map(cwg_text *t, const cwg_field *f, int nth)
{
    cwg_seti(t, "nth", nth);
    cwg_emit(t, "case $tag$: /* $decl$ */\n");
    emit_too_deep(t);
    cwg_emit(t, "p = $T$__$F$_dec(m, start, p, end, d, depth - 1, &unsorted[$nth$]);\n"
                "break;\n");
    (void)f;
}

static void emit_case(const cwg_field *f, const cwg_field *next, int nth_map, cwg_text *t)
{
    cwg_push(t);
    cwg_set_field(t, f);
    if (f->shape == CWG_MAP)
        emit_map(t, f, nth_map);
    else if (f->shape == CWG_REPEATED)
        emit_repeated(t, f);
    else if (f->message)
        emit_singular_message(t, f);
    else
        emit_scalar(t, f, next);
    cwg_pop(t);
}

/* Number -> name for error paths. */
static void emit_field_names(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "static CW_COLD const uint8_t *$T$__dec_fail(cw__decoder *d, uint32_t number)\n"
                "{\n"
                "const char *name = NULL;\n"
                "switch (number) {\n");
    for (int i = 0; i < m->n_fields; i++) {
        cwg_push(t);
        cwg_set_field(t, m->by_number[i]);
        cwg_emit(t, "case $number$:\n"
                    "name = \"$name$\";\n"
                    "break;\n");
        cwg_pop(t);
    }
    cwg_emit(t, "default:\n"
                "break;\n"
                "}\n"
                "return name ? cw__get_fail_at(d, name, SIZE_MAX) : NULL;\n"
                "}\n"
                "\n");
}

/* Maps that got keys out of order are sorted once; those that had entries before wait for the end
 * of the whole decode, so that many small merges stay linear. */
static void emit_sort(const cwg_message *m, cwg_text *t)
{
    for (int i = 0; i < m->n_maps; i++) {
        cwg_push(t);
        cwg_set_field(t, m->maps[i]->field);
        cwg_seti(t, "nth", i);
        cwg_emit(t, "if (CW_UNLIKELY(unsorted[$nth$])) {\n"
                    "if (had[$nth$] > 0) {\n"
                    "d->maps_unsorted = true;\n"
                    "} else if (!$T$_$F$_sort(m, d->arena)) {\n"
                    "return cw__get_fail_memory(d, p);\n"
                    "}\n"
                    "}\n");
        cwg_pop(t);
    }
}

static void emit_map_locals(const cwg_message *m, cwg_text *t)
{
    if (m->n_maps == 0)
        return;
    cwg_seti(t, "maps", m->n_maps);
    cwg_emit(t, "bool unsorted[$maps$] = {false};\n"
                "const size_t had[$maps$] = {");
    for (int i = 0; i < m->n_maps; i++) {
        cwg_set(t, "F", m->maps[i]->field->c_name);
        cwg_emit(t, i > 0 ? ", m->$F$.len" : "m->$F$.len");
    }
    cwg_emit(t, "};\n");
}

/* `before` is what stands before the parameters; it says whether the function is inlined. */
static void emit_dec(const cwg_message *m, cwg_text *t, const char *before)
{
    if (m->n_fields > 0)
        emit_field_names(m, t);
    cwg_emit(t, before);
    cwg_emit(t, "($T$ *m, const uint8_t *p, const uint8_t *end, cw__decoder *d, int depth)\n"
                "{\n");
    emit_map_locals(m, t);
    cwg_emit(t, "while (p < end) {\n"
                "const uint8_t *start = p;\n"
                "uint32_t tag = 0;\n"
                "p = cw__get_tag(d, p, end, &tag);\n"
                "if (CW_UNLIKELY(p == NULL)) {\n"
                "return NULL;\n"
                "}\n"
                "switch (tag) {\n");
    int nth_map = 0;
    for (int i = 0; i < m->n_fields; i++) {
        nth_map = 0;
        for (int k = 0; k < m->n_maps; k++)
            nth_map = m->maps[k]->field == m->by_number[i] ? k : nth_map;
        const cwg_field *next = i + 1 < m->n_fields ? m->by_number[i + 1] : NULL;
        emit_case(m->by_number[i], next, nth_map, t);
    }
    cwg_emit(t, "default:\n"
                "if (cw__group_ends(d, m, tag)) {\n"
                "end = p;\n"
                "break;\n"
                "}\n"
                "p = cw__get_unknown(d, start, p, end, tag, &m->unknown, depth);\n"
                "break;\n"
                "}\n"
                "if (CW_UNLIKELY(p == NULL)) {\n");
    cwg_emit(t, m->n_fields > 0 ? "return $T$__dec_fail(d, tag >> 3);\n" : "return NULL;\n");
    cwg_emit(t, "}\n"
                "}\n"
                "if (CW_UNLIKELY(p != end)) {\n"
                "return cw__get_fail(d, CW_ERR_LENGTH, end, NULL);\n"
                "}\n");
    emit_sort(m, t);
    cwg_emit(t, "return p;\n"
                "}\n"
                "\n");
}

static void emit_public(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "cw_status $T$_merge_from($T$ *m, const void *data, size_t len, cw_arena *a, "
                "const cw_decode_options *o, cw_error *e)\n"
                "{\n"
                "cw__decoder d;\n"
                "int depth = cw__decode_begin(&d, data, len, a, o, e);\n"
                "const uint8_t *p = $T$__dec(m, d.begin, d.end, &d, depth);\n");
    bool more = false;
    if (m->reaches_maps) {
        cwg_emit(t, "if (p != NULL && d.maps_unsorted && !$T$__sort_maps(m, a)) {\n"
                    "p = cw__get_fail_memory(&d, d.end);\n"
                    "}\n");
        more = true;
    }
    if (m->reaches_required) {
        cwg_emit(t, "if (p != NULL && !d.allow_partial && !$T$__required(m, e, depth)) {\n"
                    "d.status = CW_ERR_REQUIRED;\n"
                    "}\n");
        more = true;
    }
    if (!more)
        cwg_emit(t, "(void)p;\n");
    cwg_emit(t, "return cw__decode_end(&d, \"$full$\");\n"
                "}\n"
                "\n"
                "cw_status $T$_decode($T$ *m, const void *data, size_t len, cw_arena *a, "
                "const cw_decode_options *o, cw_error *e)\n"
                "{\n"
                "$T$_init(m);\n"
                "return $T$_merge_from(m, data, len, a, o, e);\n"
                "}\n"
                "\n");
}

void cwg_emit_decode(const cwg_file *f, cwg_text *t)
{
    for (int i = 0; i < f->n_messages; i++) { /* before all that use them */
        if (!cwg_is_inlined(f->messages[i]))
            continue;
        cwg_push(t);
        cwg_set_message(t, f->messages[i]);
        emit_dec(f->messages[i], t, "CW_ALWAYS_INLINE const uint8_t *$T$__dec_inline");
        cwg_pop(t);
    }
    for (int i = 0; i < f->n_messages; i++) {
        const cwg_message *m = f->messages[i];
        cwg_push(t);
        cwg_set_message(t, m);
        for (int k = 0; k < m->n_maps; k++)
            cwg_emit_decode_map(m, m->maps[k], t);
        if (cwg_is_inlined(m))
            cwg_emit(t, "const uint8_t *$T$__dec($T$ *m, const uint8_t *p, const uint8_t *end, "
                        "cw__decoder *d, int depth)\n"
                        "{\n"
                        "return $T$__dec_inline(m, p, end, d, depth);\n"
                        "}\n"
                        "\n");
        else
            emit_dec(m, t, "const uint8_t *$T$__dec");
        emit_public(m, t);
        cwg_pop(t);
    }
}
