/* SPDX-License-Identifier: MIT */
/*
 * wire_list.c: repeated scalars and strings. The loops are written once and inlined per kind of
 * element, with the kind a constant; elements move by memcpy, so that one loop serves signed,
 * unsigned and floating-point lists.
 */
#include "cwire/wire.h"

#define TOP_BITS 0x8080808080808080u

/* Most bytes of one varint element, and of one with its tag. */
#define ELEMENT_MAX ((size_t)10)
#define TAGGED_MAX  ((size_t)15)

static size_t element_size(cw__element kind)
{
    switch (kind) {
    case CW__BOOL:
        return sizeof(bool);
    case CW__VARINT64:
    case CW__ZIGZAG64:
    case CW__FIXED64:
        return 8;
    case CW__VARINT32:
    case CW__INT32:
    case CW__ZIGZAG32:
    case CW__FIXED32:
        break;
    }
    return 4;
}

/* ---- decoding ---------------------------------------------------------------------------------
 */

/* Room for n more elements. */
static bool reserve(cw__decoder *d, cw__array *x, size_t elem, size_t n, const uint8_t *at)
{
    if (n <= x->cap && x->len <= x->cap - n) {
        return true;
    }
    void *data = cw__list_grow(d->arena, x->data, x->len, &x->cap, elem, n);
    if (!data) {
        cw__get_fail_memory(d, at);
        return false;
    }
    x->data = data;
    return true;
}

/* The varint v as element i. */
CW_ALWAYS_INLINE void store(void *data, size_t i, cw__element kind, uint64_t v)
{
    if (kind == CW__BOOL) {
        ((bool *)data)[i] = v != 0;
    } else if (kind == CW__VARINT64 || kind == CW__ZIGZAG64) {
        v = kind == CW__ZIGZAG64 ? (uint64_t)cw__unzigzag64(v) : v;
        memcpy((char *)data + 8 * i, &v, 8);
    } else {
        uint32_t x = (uint32_t)v;
        x = kind == CW__ZIGZAG32 ? (uint32_t)cw__unzigzag32(x) : x;
        memcpy((char *)data + 4 * i, &x, 4);
    }
}

/*
 * The varints in [p, end) to data[i...]. The last byte ends a varint, so that none runs past `end`;
 * each has its element (see count_varints), so that there is room.
 */
CW_ALWAYS_INLINE const uint8_t *get_varints(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                            void *data, size_t i, cw__element kind)
{
    while (p < end) {
        if (end - p >= 8 && !(cw__load64(p) & TOP_BITS)) {
            for (int k = 0; k < 8; k++) {
                store(data, i++, kind, p[k]);
            }
            p += 8;
        } else {
            uint64_t v = 0;
            p = cw__get_varint(d, p, end, &v);
            if (CW_UNLIKELY(!p)) {
                return NULL;
            }
            store(data, i++, kind, v);
        }
    }
    return p;
}

/* How many bytes of [p, end) end a varint. */
static size_t count_varints(const uint8_t *p, const uint8_t *end)
{
    size_t n = 0;
    while (end - p >= 8) {
        /* One bit a byte; the multiplication sums the bytes into the top one. */
        uint64_t ends = (~cw__load64(p) & TOP_BITS) >> 7;
        n += (size_t)((ends * 0x0101010101010101u) >> 56);
        p += 8;
    }
    while (p < end) {
        n += *p++ < 0x80;
    }
    return n;
}

static const uint8_t *get_packed_fixed(cw__decoder *d, const uint8_t *p, size_t n, cw__array *x,
                                       size_t elem, const uint8_t *at)
{
    if (n % elem != 0) {
        return cw__get_fail(d, CW_ERR_LENGTH, at, "packed length is no multiple of the element's");
    }
    if (n == 0) {
        return p;
    }
    if (!reserve(d, x, elem, n / elem, at)) {
        return NULL;
    }
    char *to = (char *)x->data + x->len * elem;
    if (CW_LITTLE_ENDIAN) {
        memcpy(to, p, n);
    } else if (elem == 8) {
        for (size_t i = 0; i < n; i += 8) {
            uint64_t v = cw__load64(p + i);
            memcpy(to + i, &v, 8);
        }
    } else {
        for (size_t i = 0; i < n; i += 4) {
            uint32_t v = cw__load32(p + i);
            memcpy(to + i, &v, 4);
        }
    }
    x->len += n / elem;
    return p + n;
}

const uint8_t *cw__get_packed(cw__decoder *d, const uint8_t *p, const uint8_t *end, cw__array *x,
                              cw__element kind)
{
    const uint8_t *at = p;
    size_t n;
    p = cw__get_len(d, p, end, &n);
    if (!p) {
        return NULL;
    }
    if (kind == CW__FIXED32 || kind == CW__FIXED64) {
        return get_packed_fixed(d, p, n, x, element_size(kind), at);
    }
    if (n == 0) {
        return p;
    }
    end = p + n;
    if (end[-1] >= 0x80) {
        return cw__get_fail(d, CW_ERR_TRUNCATED, at, "packed field ends inside an element");
    }
    size_t count = count_varints(p, end);
    if (!reserve(d, x, element_size(kind), count, at)) {
        return NULL;
    }
    switch (kind) {
    case CW__BOOL:
        p = get_varints(d, p, end, x->data, x->len, CW__BOOL);
        break;
    case CW__ZIGZAG32:
        p = get_varints(d, p, end, x->data, x->len, CW__ZIGZAG32);
        break;
    case CW__ZIGZAG64:
        p = get_varints(d, p, end, x->data, x->len, CW__ZIGZAG64);
        break;
    case CW__VARINT64:
        p = get_varints(d, p, end, x->data, x->len, CW__VARINT64);
        break;
    case CW__VARINT32:
    case CW__INT32:
    case CW__FIXED32:
    case CW__FIXED64:
        p = get_varints(d, p, end, x->data, x->len, CW__VARINT32);
        break;
    }
    if (p) {
        x->len += count;
    }
    return p;
}

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
    if (!p || !reserve(d, x, element_size(kind), 1, at)) {
        return NULL;
    }
    store(x->data, x->len++, kind, v);
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

/* Element i as the varint that goes on the wire; fixed kinds: its bits. */
CW_ALWAYS_INLINE uint64_t load(const void *data, size_t i, cw__element kind)
{
    if (kind == CW__BOOL) {
        return ((const bool *)data)[i] ? 1 : 0;
    }
    if (kind == CW__VARINT64 || kind == CW__ZIGZAG64 || kind == CW__FIXED64) {
        uint64_t v;
        memcpy(&v, (const char *)data + 8 * i, 8);
        return kind == CW__ZIGZAG64 ? cw__zigzag64((int64_t)v) : v;
    }
    uint32_t v;
    memcpy(&v, (const char *)data + 4 * i, 4);
    if (kind == CW__INT32) {
        return (uint64_t)(int64_t)(int32_t)v;
    }
    return kind == CW__ZIGZAG32 ? cw__zigzag32((int32_t)v) : v;
}

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

/* The elements backward, in stretches that surely fit. tag 0: packed. */
CW_ALWAYS_INLINE uint8_t *put_elements(cw__encoder *w, uint8_t *p, const void *data, size_t len,
                                       cw__element kind, uint32_t tag)
{
    const size_t each = tag ? TAGGED_MAX : ELEMENT_MAX;
    while (len > 0) {
        size_t fits = (size_t)(p - w->begin) / each;
        if (CW_UNLIKELY(fits == 0)) {
            fits = CW__PUT_MAX / each;
            p = cw__put_room(w, p, (fits < len ? fits : len) * each);
            if (!p) {
                return NULL;
            }
        }
        size_t stop = fits < len ? len - fits : 0;
        while (len > stop) {
            p = put_one(p, load(data, --len, kind), kind);
            p = tag ? cw__put_tag(p, tag) : p;
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

uint8_t *cw__put_packed(cw__encoder *w, uint8_t *p, const void *data, size_t len, cw__element kind,
                        size_t keep)
{
    if (len == 0) {
        return cw__put_room(w, p, keep);
    }
    if (CW_LITTLE_ENDIAN && (kind == CW__FIXED32 || kind == CW__FIXED64)) {
        size_t n = len * element_size(kind);
        p = cw__put_raw(w, p, data, n, keep);
        return p ? cw__put_varint(p, n) : NULL;
    }
    size_t mark = cw__put_mark(w, p);
    p = put_kind(w, p, data, len, kind, 0);
    p = p ? cw__put_room(w, p, keep) : NULL;
    return p ? cw__put_varint(p, cw__put_mark(w, p) - mark) : NULL;
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
        n += cw__varint_size(load(data, i, kind));
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
