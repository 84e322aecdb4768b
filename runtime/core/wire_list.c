/* SPDX-License-Identifier: MIT */
/*
 * wire_list.c: repeated scalars and strings. The loops are written once and inlined per kind of
 * element, with the kind a constant; elements move by memcpy, so that one loop serves signed,
 * unsigned and floating-point lists.
 */
#include "cwire/wire.h"

#include "element.h"

/* Most bytes of one element with its tag. */
#define TAGGED_MAX ((size_t)15)

/* ---- decoding ---------------------------------------------------------------------------------
 */

const uint8_t *cw__get_element(cw__decoder *d, const uint8_t *p, const uint8_t *end, cw__array *x,
                               cw__element kind)
{
    const uint8_t *at = p;
    uint64_t v = 0;
    uint32_t v32 = 0;
    if (kind == CW__FIXED64) {
        p = cw__get_fixed64(d, p, end, &v);
        kind = CW__VARINT64;
    } else if (kind == CW__FIXED32) {
        p = cw__get_fixed32(d, p, end, &v32);
        v = v32;
        kind = CW__VARINT32;
    } else {
        p = cw__get_varint(d, p, end, &v);
    }
    if (!p || !cw__element_reserve(d, x, cw__element_size(kind), 1, at)) {
        return NULL;
    }
    cw__element_store(x->data, x->len++, kind, v);
    return p;
}

/* One value of a closed enum: to the list, or to the unknown fields. */
static bool add_closed(cw__decoder *d, const uint8_t *at, uint64_t v, cw_i32_list *x,
                       cw__enum_known *known, uint32_t tag, cw_unknown **u)
{
    int32_t number = (int32_t)(uint32_t)v;
    if (!known(number)) {
        if (!cw__unknown_varint(d, u, tag, v)) {
            cw__get_fail_memory(d, at);
            return false;
        }
        return true;
    }
    if (x->len >= x->cap) {
        int32_t *data = cw__list_grow(d->arena, x->data, x->len, &x->cap, sizeof *data, 1);
        if (!data) {
            cw__get_fail_memory(d, at);
            return false;
        }
        x->data = data;
    }
    x->data[x->len++] = number;
    return true;
}

const uint8_t *cw__get_packed_closed(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                     cw_i32_list *x, cw__enum_known *known, uint32_t tag,
                                     cw_unknown **u)
{
    const uint8_t *at = p;
    size_t n;
    p = cw__get_len(d, p, end, &n);
    if (!p || n == 0) {
        return p;
    }
    end = p + n;
    if (end[-1] >= 0x80) {
        return cw__get_fail(d, CW_ERR_TRUNCATED, at, "packed field ends inside an element");
    }
    while (p < end) {
        const uint8_t *element = p;
        uint64_t v = 0;
        p = cw__get_varint(d, p, end, &v);
        if (!p || !add_closed(d, element, v, x, known, tag, u)) {
            return NULL;
        }
    }
    return p;
}

const uint8_t *cw__get_closed(cw__decoder *d, const uint8_t *p, const uint8_t *end, cw_i32_list *x,
                              cw__enum_known *known, uint32_t tag, cw_unknown **u)
{
    const uint8_t *at = p;
    uint64_t v = 0;
    p = cw__get_varint(d, p, end, &v);
    return p && add_closed(d, at, v, x, known, tag, u) ? p : NULL;
}

const uint8_t *cw__get_strings(cw__decoder *d, const uint8_t *p, const uint8_t *end, cw_str_list *x,
                               uint32_t tag, bool check_utf8)
{
    do {
        if (x->len >= x->cap) {
            size_t run = cw__count_run(p, end, tag);
            cw_str *data = cw__list_grow(d->arena, x->data, x->len, &x->cap, sizeof *x->data, run);
            if (!data) {
                return cw__get_fail_memory(d, p);
            }
            x->data = data;
        }
        cw_str *v = &x->data[x->len];
        p = check_utf8 ? cw__get_string(d, p, end, v) : cw__get_string_raw(d, p, end, v);
        if (!p) {
            return NULL;
        }
        x->len++;
    } while (cw__next_is(&p, end, tag));
    return p;
}

const uint8_t *cw__get_bytes_list(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                  cw_bytes_list *x, uint32_t tag)
{
    do {
        if (x->len >= x->cap) {
            size_t run = cw__count_run(p, end, tag);
            cw_bytes *data =
                cw__list_grow(d->arena, x->data, x->len, &x->cap, sizeof *x->data, run);
            if (!data) {
                return cw__get_fail_memory(d, p);
            }
            x->data = data;
        }
        p = cw__get_bytes(d, p, end, &x->data[x->len]);
        if (!p) {
            return NULL;
        }
        x->len++;
    } while (cw__next_is(&p, end, tag));
    return p;
}

/* ---- encoding ---------------------------------------------------------------------------------
 */

CW_ALWAYS_INLINE uint8_t *put_one(uint8_t *p, uint64_t v, cw__element kind)
{
    if (kind == CW__BOOL) {
        *--p = (uint8_t)v;
        return p;
    }
    if (kind == CW__FIXED32) {
        return cw__put_fixed32(p, (uint32_t)v);
    }
    return kind == CW__FIXED64 ? cw__put_fixed64(p, v) : cw__put_varint(p, v);
}

/* The elements with their tags backward, in stretches that surely fit. */
CW_ALWAYS_INLINE uint8_t *put_elements(cw__encoder *w, uint8_t *p, const void *data, size_t len,
                                       cw__element kind, uint32_t tag)
{
    while (len > 0) {
        size_t fits = (size_t)(p - w->begin) / TAGGED_MAX;
        if (CW_UNLIKELY(fits == 0)) {
            fits = CW__PUT_MAX / TAGGED_MAX;
            p = cw__put_room(w, p, (fits < len ? fits : len) * TAGGED_MAX);
            if (!p) {
                return NULL;
            }
        }
        size_t stop = fits < len ? len - fits : 0;
        while (len > stop) {
            p = put_one(p, cw__element_load(data, --len, kind), kind);
            p = cw__put_tag(p, tag);
        }
    }
    return p;
}

/* put_elements with the kind a constant in each case. */
static uint8_t *put_kind(cw__encoder *w, uint8_t *p, const void *data, size_t len, cw__element kind,
                         uint32_t tag)
{
    switch (kind) {
    case CW__VARINT32:
        return put_elements(w, p, data, len, CW__VARINT32, tag);
    case CW__INT32:
        return put_elements(w, p, data, len, CW__INT32, tag);
    case CW__VARINT64:
        return put_elements(w, p, data, len, CW__VARINT64, tag);
    case CW__ZIGZAG32:
        return put_elements(w, p, data, len, CW__ZIGZAG32, tag);
    case CW__ZIGZAG64:
        return put_elements(w, p, data, len, CW__ZIGZAG64, tag);
    case CW__FIXED32:
        return put_elements(w, p, data, len, CW__FIXED32, tag);
    case CW__FIXED64:
        return put_elements(w, p, data, len, CW__FIXED64, tag);
    case CW__BOOL:
        break;
    }
    return put_elements(w, p, data, len, CW__BOOL, tag);
}

uint8_t *cw__put_unpacked(cw__encoder *w, uint8_t *p, const void *data, size_t len,
                          cw__element kind, uint32_t tag, size_t keep)
{
    p = put_kind(w, p, data, len, kind, tag);
    return p ? cw__put_room(w, p, keep) : NULL;
}

uint8_t *cw__put_strings(cw__encoder *w, uint8_t *p, const cw_str_list *x, uint32_t tag,
                         size_t keep)
{
    for (size_t i = x->len; i-- > 0;) {
        p = cw__put_string(w, p, x->data[i], TAGGED_MAX);
        if (!p) {
            return NULL;
        }
        p = cw__put_tag(p, tag);
    }
    return cw__put_room(w, p, keep);
}

uint8_t *cw__put_bytes_list(cw__encoder *w, uint8_t *p, const cw_bytes_list *x, uint32_t tag,
                            size_t keep)
{
    for (size_t i = x->len; i-- > 0;) {
        p = cw__put_bytes(w, p, x->data[i], TAGGED_MAX);
        if (!p) {
            return NULL;
        }
        p = cw__put_tag(p, tag);
    }
    return cw__put_room(w, p, keep);
}

/* ---- sizes ------------------------------------------------------------------------------------
 */

CW_ALWAYS_INLINE uint64_t size_varints(const void *data, size_t len, cw__element kind)
{
    uint64_t n = 0;
    for (size_t i = 0; i < len; i++) {
        n += cw__varint_size(cw__element_load(data, i, kind));
    }
    return n;
}

uint64_t cw__size_elements(const void *data, size_t len, cw__element kind)
{
    switch (kind) {
    case CW__VARINT32:
        return size_varints(data, len, CW__VARINT32);
    case CW__INT32:
        return size_varints(data, len, CW__INT32);
    case CW__VARINT64:
        return size_varints(data, len, CW__VARINT64);
    case CW__ZIGZAG32:
        return size_varints(data, len, CW__ZIGZAG32);
    case CW__ZIGZAG64:
        return size_varints(data, len, CW__ZIGZAG64);
    case CW__FIXED32:
        return (uint64_t)len * 4;
    case CW__FIXED64:
        return (uint64_t)len * 8;
    case CW__BOOL:
        break;
    }
    return len;
}

uint64_t cw__size_strings(const cw_str_list *x)
{
    uint64_t n = 0;
    for (size_t i = 0; i < x->len; i++) {
        n += cw__size_len(x->data[i].len);
    }
    return n;
}

uint64_t cw__size_bytes_list(const cw_bytes_list *x)
{
    uint64_t n = 0;
    for (size_t i = 0; i < x->len; i++) {
        n += cw__size_len(x->data[i].len);
    }
    return n;
}
