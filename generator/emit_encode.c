/* SPDX-License-Identifier: MIT */
/*
 * emit_encode.c: T__enc, which writes a message backward, and T_encode, T_encode_arena around it.
 *
 * Fields go in descending order, unknown ones first, so that the bytes are in ascending order.
 * Room: every T__enc leaves CW__PUT_HEADER bytes of room for its caller, who writes length and tag
 * into it. A run of scalars, strings and bytes is a segment: its room is asked for once at its
 * start, and is the sum of the worst sizes plus CW__PUT_HEADER. Lists, maps and messages stand
 * between segments: they expect no room, and what they leave is not counted on.
 */
#include "emit.h"
#include "emit_common.h"

/* CW__PUT_MAX and CW__PUT_HEADER of cwire/wire.h, and the length that cw__put_string counts with.
 */
#define PUT_MAX    192
#define PUT_HEADER 16
#define PUT_LENGTH 10

/* Does a field end a segment? */
static bool stands_alone(const cwg_field *f)
{
    return !cwg_is_singular(f) || f->message;
}

/* Most bytes that a value of a segment takes, its string not counted. */
static int worst_size(const cwg_field *f)
{
    return f->tag.len + (cwg_is_view(f) ? PUT_LENGTH : f->kind->max_size);
}

static void emit_room(cwg_text *t, int need)
{
    cwg_seti(t, "need", need);
    cwg_emit(t, "p = cw__put_room(w, p, $need$);\n"
                "if (CW_UNLIKELY(p == NULL)) {\n"
                "return NULL;\n"
                "}\n");
}

/* Value and tag; `room` is what the segment still needs, this field included. */
static void emit_value(cwg_text *t, const cwg_field *f, const char *place, int room)
{
    cwg_set(t, "place", place);
    cwg_seti(t, "room", room);
    if (cwg_is_view(f))
        cwg_emit(t, "p = cw__put_$kind$(w, p, $place$, $room$);\n"
                    "if (CW_UNLIKELY(p == NULL)) {\n"
                    "return NULL;\n"
                    "}\n");
    else
        cwg_emit(t, "p = cw__put_$kind$(p, $place$);\n");
    cwg_emit(t, "p = cw__put_tag(p, $tag$);\n");
}

static void emit_too_deep(cwg_text *t, int levels)
{
    cwg_emit(t, levels > 1 ? "if (CW_UNLIKELY(depth < 2)) {\n" : "if (CW_UNLIKELY(depth < 1)) {\n");
    cwg_emit(t, "cw__put_fail(w, CW_ERR_DEPTH, NULL);\n"
                "return cw__put_fail_at(w, \"$name$\", $index$);\n"
                "}\n");
}

/* The message at the pointer $place$ with its length or group tags. */
static void emit_submessage(cwg_text *t, const cwg_field *f, const char *place, const char *index)
{
    cwg_set(t, "place", place);
    cwg_set(t, "index", index);
    emit_too_deep(t, 1);
    if (f->is_group) {
        emit_room(t, PUT_HEADER);
        cwg_emit(t, "p = cw__put_tag(p, $end_tag$);\n");
    } else {
        cwg_emit(t, "size_t mark = cw__put_mark(w, p);\n");
    }
    cwg_set(t, "inline", cwg_uses_inlined(f, f->parent->file) ? "_inline" : "");
    cwg_emit(t, "p = $M$__enc$inline$($place$, w, p, depth - 1);\n"
                "if (CW_UNLIKELY(p == NULL)) {\n"
                "return cw__put_fail_at(w, \"$name$\", $index$);\n"
                "}\n");
    if (!f->is_group)
        cwg_emit(t, "p = cw__put_varint(p, cw__put_mark(w, p) - mark);\n");
    cwg_emit(t, "p = cw__put_tag(p, $tag$);\n");
}

static void emit_singular_message(cwg_text *t, const cwg_field *f)
{
    cwg_set_present(t, "present", f, "m");
    cwg_emit(t, "if ($present$) {\n");
    emit_submessage(t, f, cwg_get(t, "v"), "SIZE_MAX");
    cwg_emit(t, "}\n");
}

static void emit_repeated(cwg_text *t, const cwg_field *f)
{
    if (f->message) {
        cwg_emit(t, "for (size_t i = $v$.len; i > 0; i--) {\n");
        cwg_setf(t, "item", "&%s.data[i - 1]", cwg_get(t, "v"));
        emit_submessage(t, f, cwg_get(t, "item"), "i - 1");
        cwg_emit(t, "}\n");
        return;
    }
    if (f->packed) {
        cwg_seti(t, "keep", PUT_LENGTH + f->packed_tag.len + PUT_HEADER);
        cwg_emit(t, "if ($v$.len > 0) {\n"
                    "p = cw__put_packed_$kind$(w, p, &$v$, $keep$);\n"
                    "if (CW_UNLIKELY(p == NULL)) {\n"
                    "return NULL;\n"
                    "}\n"
                    "p = cw__put_tag(p, $packed_tag$);\n"
                    "}\n");
        return;
    }
    if (cwg_is_string(f))
        cwg_set(t, "function", "strings");
    else if (cwg_is_view(f))
        cwg_set(t, "function", "bytes_list");
    else
        cwg_setf(t, "function", "unpacked_%s", f->kind->name);
    cwg_emit(t, "p = cw__put_$function$(w, p, &$v$, $tag$, CW__PUT_HEADER);\n"
                "if (CW_UNLIKELY(p == NULL)) {\n"
                "return NULL;\n"
                "}\n");
}

/* From the last entry to the first: value, key, length, tag. Both are always written. */
static void emit_map(cwg_text *t, const cwg_field *f)
{
    const cwg_field *key = f->map->key;
    const cwg_field *value = f->map->value;
    int need = worst_size(key) + PUT_HEADER;
    cwg_emit(t, "for (size_t i = $v$.len; i > 0; i--) {\n"
                "const $X$ *x = &$v$.data[i - 1];\n");
    cwg_set(t, "index", "i - 1");
    emit_too_deep(t, value->message ? 2 : 1);
    cwg_emit(t, "size_t mark = cw__put_mark(w, p);\n");
    cwg_push(t);
    cwg_set_field(t, value);
    cwg_setf(t, "part", "x->%s", value->c_name);
    if (value->message) {
        cwg_setf(t, "name", "%s", f->name);
        cwg_emit(t, "p = $M$__enc(&$part$, w, p, depth - 2);\n"
                    "if (CW_UNLIKELY(p == NULL)) {\n"
                    "return cw__put_fail_at(w, \"$name$\", i - 1);\n"
                    "}\n"
                    "p = cw__put_varint(p, cw__put_mark(w, p) - mark);\n"
                    "p = cw__put_tag(p, $tag$);\n");
        emit_room(t, need);
    } else {
        emit_room(t, need + worst_size(value));
        emit_value(t, value, cwg_get(t, "part"), need + worst_size(value));
    }
    cwg_set_field(t, key);
    cwg_setf(t, "part", "x->%s", key->c_name);
    emit_value(t, key, cwg_get(t, "part"), need);
    cwg_pop(t);
    cwg_emit(t, "p = cw__put_varint(p, cw__put_mark(w, p) - mark);\n"
                "p = cw__put_tag(p, $tag$);\n"
                "}\n");
}

static void emit_alone(cwg_text *t, const cwg_field *f)
{
    cwg_push(t);
    cwg_set_field(t, f);
    cwg_emit_decl(t);
    if (f->shape == CWG_MAP)
        emit_map(t, f);
    else if (f->shape == CWG_REPEATED)
        emit_repeated(t, f);
    else
        emit_singular_message(t, f);
    cwg_pop(t);
}

/* The fields last, last - 1 ... first of by_number, for which `room` is needed in all. */
static void emit_segment(cwg_text *t, const cwg_message *m, int first, int last, int room)
{
    emit_room(t, room);
    for (int i = last; i >= first; i--) {
        const cwg_field *f = m->by_number[i];
        cwg_push(t);
        cwg_set_field(t, f);
        cwg_set_present(t, "present", f, "m");
        cwg_emit_decl(t);
        cwg_emit(t, "if ($present$) {\n");
        emit_value(t, f, cwg_get(t, "v"), room);
        cwg_emit(t, "}\n");
        cwg_pop(t);
        room -= worst_size(f);
    }
}

/* Parameters and body: what stands before them says whether it is inlined. */
static void emit_enc(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "(const $T$ *m, cw__encoder *w, uint8_t *p, int depth)\n"
                "{\n");
    if (!cwg_uses_depth(m))
        cwg_emit(t, "(void)depth;\n");
    cwg_emit(t, "if (CW_UNLIKELY(m->unknown != NULL)) {\n"
                "p = cw__put_unknown(w, p, m->unknown, 0);\n"
                "if (CW_UNLIKELY(p == NULL)) {\n"
                "return NULL;\n"
                "}\n"
                "}\n");
    bool room_left = false;
    for (int i = m->n_fields - 1; i >= 0;) {
        room_left = !stands_alone(m->by_number[i]);
        if (!room_left) {
            emit_alone(t, m->by_number[i--]);
            continue;
        }
        int room = PUT_HEADER;
        int last = i;
        while (i >= 0 && !stands_alone(m->by_number[i]) &&
               room + worst_size(m->by_number[i]) <= PUT_MAX)
            room += worst_size(m->by_number[i--]);
        emit_segment(t, m, i + 1, last, room);
    }
    cwg_emit(t, room_left ? "return p;\n" : "return cw__put_room(w, p, CW__PUT_HEADER);\n");
    cwg_emit(t, "}\n"
                "\n");
}

static void emit_required_check(const cwg_message *m, cwg_text *t)
{
    if (m->reaches_required)
        cwg_emit(t, "if (CW_UNLIKELY(!$T$__required(m, e, CW_DEPTH_DEFAULT))) {\n"
                    "cw__error_root(e, \"$full$\");\n"
                    "return CW_ERR_REQUIRED;\n"
                    "}\n");
}

static void emit_public(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "cw_status $T$_encode(const $T$ *m, void *buf, size_t cap, size_t *len, "
                "cw_error *e)\n"
                "{\n"
                "cw__encoder w;\n");
    emit_required_check(m, t);
    cwg_emit(t, "uint8_t *p = cw__encode_begin(&w, buf, cap, e);\n"
                "p = $T$__enc(m, &w, p, CW_DEPTH_DEFAULT);\n"
                "cw_status st = cw__encode_end(&w, p, buf, len, \"$full$\");\n"
                "if (st == CW_ERR_SPACE && len != NULL) {\n"
                "*len = $T$_size(m);\n"
                "}\n"
                "return st;\n"
                "}\n"
                "\n"
                "cw_status $T$_encode_arena(const $T$ *m, cw_arena *a, cw_bytes *out, "
                "cw_error *e)\n"
                "{\n"
                "cw__encoder w;\n");
    emit_required_check(m, t);
    cwg_emit(t, "uint8_t *p = cw__encode_arena_begin(&w, a, e);\n"
                "if (CW_LIKELY(p != NULL)) {\n"
                "p = $T$__enc(m, &w, p, CW_DEPTH_DEFAULT);\n"
                "}\n"
                "return cw__encode_arena_end(&w, p, out, \"$full$\");\n"
                "}\n"
                "\n");
}

void cwg_emit_encode(const cwg_file *f, cwg_text *t)
{
    for (int i = 0; i < f->n_messages; i++) { /* before all that use them */
        if (!cwg_is_inlined(f->messages[i]))
            continue;
        cwg_push(t);
        cwg_set_message(t, f->messages[i]);
        cwg_emit(t, "CW_ALWAYS_INLINE uint8_t *$T$__enc_inline");
        emit_enc(f->messages[i], t);
        cwg_pop(t);
    }
    for (int i = 0; i < f->n_messages; i++) {
        cwg_push(t);
        cwg_set_message(t, f->messages[i]);
        cwg_emit(t, "uint8_t *$T$__enc");
        if (cwg_is_inlined(f->messages[i]))
            cwg_emit(t, "(const $T$ *m, cw__encoder *w, uint8_t *p, int depth)\n"
                        "{\n"
                        "return $T$__enc_inline(m, w, p, depth);\n"
                        "}\n"
                        "\n");
        else
            emit_enc(f->messages[i], t);
        emit_public(f->messages[i], t);
        cwg_pop(t);
    }
}
