/* SPDX-License-Identifier: MIT */
/*
 * table_encode.c: size and encode by table. As in generated code, every message leaves
 * CW__PUT_HEADER bytes of room for its caller; so does every value here.
 */
#include "table_field.h"

/* A varint, its tag, and what is left behind them. */
#define VALUE_ROOM (10 + 5 + CW__PUT_HEADER)

/* ---- size -------------------------------------------------------------------------------------
 */

static uint64_t size_value(const cw_field *f, const void *place)
{
    if (cw__field_is_view(f)) {
        return cw__size_len(cw__view_in(f, place).len);
    }
    return cw__size_elements(place, 1, cw__field_kind(f)->element);
}

/* Length of field f's tag. */
static uint64_t tag_size(const cw_field *f)
{
    return cw__varint_size((uint64_t)f->number << 3);
}

static uint64_t size_message(const cw_field *f, const void *x, int depth)
{
    if (depth < 1) {
        return CW__SIZE_TOO_DEEP;
    }
    uint64_t n = cw__table_size(f->message, x, depth - 1);
    return f->kind == CW_KIND_GROUP ? 2 * tag_size(f) + n : tag_size(f) + cw__size_len(n);
}

static uint64_t size_map(const cw_field *f, cw_list_view v, int depth)
{
    const cw_field *parts = f->message->fields;
    uint64_t n = 0;
    if (v.len > 0 && depth < (parts[1].message ? 2 : 1)) {
        return CW__SIZE_TOO_DEEP;
    }
    for (size_t i = 0; i < v.len; i++) {
        const void *x = cw__element_of(f, v, i);
        const void *value = cw__field_in(&parts[1], x);
        uint64_t entry = tag_size(&parts[0]) + size_value(&parts[0], cw__field_in(&parts[0], x));
        entry += parts[1].message ? size_message(&parts[1], value, depth - 1)
                                  : tag_size(&parts[1]) + size_value(&parts[1], value);
        n += tag_size(f) + cw__size_len(entry);
    }
    return n;
}

static uint64_t size_list(const cw_field *f, const void *m, int depth)
{
    cw_list_view v = cw__field_list(f, m);
    uint64_t n = 0;
    if (f->shape == CW_SHAPE_MAP) {
        return size_map(f, v, depth);
    }
    if (f->message) {
        for (size_t i = 0; i < v.len && n < CW__SIZE_TOO_DEEP; i++) {
            n += size_message(f, cw__element_of(f, v, i), depth);
        }
        return n;
    }
    if (cw__field_is_view(f)) {
        n = f->kind == CW_KIND_STRING ? cw__size_strings(cw__field_in(f, m))
                                      : cw__size_bytes_list(cw__field_in(f, m));
        return n + tag_size(f) * v.len;
    }
    n = cw__size_elements(v.data, v.len, cw__field_kind(f)->element);
    if (!f->packed) {
        return n + tag_size(f) * v.len;
    }
    return v.len > 0 ? tag_size(f) + cw__size_len(n) : 0;
}

uint64_t cw__table_size(const cw_type *t, const void *m, int depth)
{
    uint64_t n = cw__size_unknown(cw__unknown_in(t, m));
    for (uint32_t i = 0; i < t->n_fields; i++) {
        const cw_field *f = &t->fields[i];
        uint64_t more = 0;
        if (cw__field_is_list(f)) {
            more = size_list(f, m, depth);
        } else if (cw__field_present(t, f, m)) {
            more = f->message ? size_message(f, cw__field_message(f, m), depth)
                              : tag_size(f) + size_value(f, cw__field_in(f, m));
        }
        if (more >= CW__SIZE_TOO_DEEP) {
            return CW__SIZE_TOO_DEEP;
        }
        n += more;
    }
    return n;
}

/* ---- encode -----------------------------------------------------------------------------------
 */

/* A number at `place`; room for it is there. */
static uint8_t *put_number(const cw_field *f, const void *place, uint8_t *p)
{
    uint64_t long_ = 0;
    uint32_t word = 0;
    size_t size = cw__field_kind(f)->size;
    if (size == 8) {
        memcpy(&long_, place, 8);
    } else if (size == 4) {
        memcpy(&word, place, 4);
    }
    switch (cw__field_kind(f)->element) {
    case CW__VARINT32:
        return cw__put_varint(p, word);
    case CW__INT32:
        return cw__put_varint(p, (uint64_t)(int64_t)(int32_t)word);
    case CW__VARINT64:
        return cw__put_varint(p, long_);
    case CW__ZIGZAG32:
        return cw__put_varint(p, cw__zigzag32((int32_t)word));
    case CW__ZIGZAG64:
        return cw__put_varint(p, cw__zigzag64((int64_t)long_));
    case CW__FIXED32:
        return cw__put_fixed32(p, word);
    case CW__FIXED64:
        return cw__put_fixed64(p, long_);
    case CW__BOOL:
        break;
    }
    return cw__put_bool(p, *(const bool *)place);
}

/* A value that is no message, with its tag. */
static uint8_t *put_value(const cw_field *f, const void *place, cw__encoder *w, uint8_t *p)
{
    if (cw__field_is_view(f)) {
        cw_bytes s = cw__view_in(f, place);
        p = cw__put_bytes_view(w, p, s.data, s.len, VALUE_ROOM);
    } else {
        p = cw__put_room(w, p, VALUE_ROOM);
        p = p ? put_number(f, place, p) : NULL;
    }
    return p ? cw__put_tag(p, cw__field_tag(f)) : NULL;
}

static uint8_t *put_too_deep(cw__encoder *w, const char *name, size_t index)
{
    cw__put_fail(w, CW_ERR_DEPTH, NULL);
    return cw__put_fail_at(w, name, index);
}

/* The message at x in `name`[index]. */
static uint8_t *put_message(const cw_field *f, const void *x, cw__encoder *w, uint8_t *p, int depth,
                            const char *name, size_t index)
{
    bool group = f->kind == CW_KIND_GROUP;
    if (depth < 1) {
        return put_too_deep(w, name, index);
    }
    if (group) {
        p = cw__put_room(w, p, CW__PUT_HEADER);
        if (!p) {
            return NULL;
        }
        p = cw__put_tag(p, f->number << 3 | CW__WIRE_END);
    }
    size_t mark = cw__put_mark(w, p);
    p = cw__table_enc(f->message, x, w, p, depth - 1);
    if (!p) {
        return cw__put_fail_at(w, name, index);
    }
    if (!group) {
        p = cw__put_varint(p, cw__put_mark(w, p) - mark);
    }
    return cw__put_tag(p, cw__field_tag(f));
}

/* From the last entry to the first: value, key, length, tag. Both are always written. */
static uint8_t *put_map(const cw_field *f, cw_list_view v, cw__encoder *w, uint8_t *p, int depth)
{
    const cw_field *parts = f->message->fields;
    for (size_t i = v.len; i > 0; i--) {
        const void *x = cw__element_of(f, v, i - 1);
        const void *value = cw__field_in(&parts[1], x);
        if (depth < (parts[1].message ? 2 : 1)) {
            return put_too_deep(w, f->name, i - 1);
        }
        size_t mark = cw__put_mark(w, p);
        p = parts[1].message ? put_message(&parts[1], value, w, p, depth - 1, f->name, i - 1)
                             : put_value(&parts[1], value, w, p);
        p = p ? put_value(&parts[0], cw__field_in(&parts[0], x), w, p) : NULL;
        if (!p) {
            return NULL;
        }
        p = cw__put_varint(p, cw__put_mark(w, p) - mark);
        p = cw__put_tag(p, f->number << 3 | CW__WIRE_LEN);
    }
    return p;
}

static uint8_t *put_list(const cw_field *f, const void *m, cw__encoder *w, uint8_t *p, int depth)
{
    cw_list_view v = cw__field_list(f, m);
    if (f->shape == CW_SHAPE_MAP) {
        return put_map(f, v, w, p, depth);
    }
    if (f->message) {
        for (size_t i = v.len; p && i > 0; i--) {
            p = put_message(f, cw__element_of(f, v, i - 1), w, p, depth, f->name, i - 1);
        }
        return p;
    }
    uint32_t tag = cw__field_tag(f);
    if (f->kind == CW_KIND_STRING) {
        return cw__put_strings(w, p, cw__field_in(f, m), tag, CW__PUT_HEADER);
    }
    if (f->kind == CW_KIND_BYTES) {
        return cw__put_bytes_list(w, p, cw__field_in(f, m), tag, CW__PUT_HEADER);
    }
    cw__element element = cw__field_kind(f)->element;
    if (!f->packed) {
        return cw__put_unpacked(w, p, v.data, v.len, element, tag, CW__PUT_HEADER);
    }
    if (v.len > 0) {
        p = cw__put_packed(w, p, v.data, v.len, element, VALUE_ROOM);
        p = p ? cw__put_tag(p, cw__field_packed_tag(f)) : NULL;
    }
    return p;
}

uint8_t *cw__table_enc(const cw_type *t, const void *m, cw__encoder *w, uint8_t *p, int depth)
{
    p = cw__put_unknown(w, p, cw__unknown_in(t, m), 0);
    for (uint32_t i = t->n_fields; p && i > 0; i--) {
        const cw_field *f = &t->fields[i - 1];
        if (cw__field_is_list(f)) {
            p = put_list(f, m, w, p, depth);
        } else if (cw__field_present(t, f, m)) {
            p = f->message ? put_message(f, cw__field_message(f, m), w, p, depth, f->name, SIZE_MAX)
                           : put_value(f, cw__field_in(f, m), w, p);
        }
    }
    return p ? cw__put_room(w, p, CW__PUT_HEADER) : NULL;
}

static bool check_required(const cw_type *t, const void *m, cw_error *e)
{
    if (cw__table_required(t, m, e, CW_DEPTH_DEFAULT)) {
        return true;
    }
    cw__error_root(e, t->full_name);
    return false;
}

cw_status cw__table_encode(const cw_type *t, const void *m, void *buf, size_t cap, size_t *len,
                           cw_error *e)
{
    cw__encoder w;
    if (!check_required(t, m, e)) {
        return CW_ERR_REQUIRED;
    }
    uint8_t *p = cw__encode_begin(&w, buf, cap, e);
    p = cw__table_enc(t, m, &w, p, CW_DEPTH_DEFAULT);
    cw_status st = cw__encode_end(&w, p, buf, len, t->full_name);
    if (st == CW_ERR_SPACE && len) {
        *len = cw__size_clamp(cw__table_size(t, m, CW_DEPTH_DEFAULT));
    }
    return st;
}

cw_status cw__table_encode_arena(const cw_type *t, const void *m, cw_arena *a, cw_bytes *out,
                                 cw_error *e)
{
    cw__encoder w;
    if (!check_required(t, m, e)) {
        return CW_ERR_REQUIRED;
    }
    uint8_t *p = cw__encode_arena_begin(&w, a, e);
    if (p) {
        p = cw__table_enc(t, m, &w, p, CW_DEPTH_DEFAULT);
    }
    return cw__encode_arena_end(&w, p, out, t->full_name);
}
