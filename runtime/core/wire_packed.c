/* SPDX-License-Identifier: MIT */
/*
 * wire_packed.c: packed lists of scalars. Long ones are what these loops are for: the lengths of
 * their varints cannot be foreseen, so that nothing branches on them.
 */
#include "cwire/wire.h"

#include "element.h"

#define TOP_BITS 0x8080808080808080u

/* Bytes that are looked at at once, and those that may be read behind the start of a varint. */
#define BLOCK     ((ptrdiff_t)64)
#define READ_OVER ((ptrdiff_t)16)

/* Most bytes of one varint element. */
#define ELEMENT_MAX ((size_t)10)

/* Elements that are written together when all of them are small. */
#define GROUP ((size_t)16)

/* ---- decoding ---------------------------------------------------------------------------------
 */

#if CW_SSE2

CW_ALWAYS_INLINE __m128i load16(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

CW_ALWAYS_INLINE uint64_t tops16(const uint8_t *p)
{
    return (unsigned)_mm_movemask_epi8(load16(p));
}

/* Which of the BLOCK bytes at p end a varint: one bit each. */
CW_ALWAYS_INLINE uint64_t varint_ends(const uint8_t *p)
{
    return ~(tops16(p) | tops16(p + 16) << 16 | tops16(p + 32) << 32 | tops16(p + 48) << 48);
}

/* How many of the 16 * n bytes at p end a varint; n <= 255. */
CW_ALWAYS_INLINE size_t count_ends(const uint8_t *p, size_t n)
{
    const __m128i none = _mm_setzero_si128();
    __m128i sum = none; /* a count for each of the 16 places */
    for (size_t i = 0; i < n; i++) {
        sum = _mm_sub_epi8(sum, _mm_cmpgt_epi8(load16(p + 16 * i), _mm_set1_epi8(-1)));
    }
    sum = _mm_sad_epu8(sum, none);
    return (size_t)_mm_cvtsi128_si32(sum) + (size_t)_mm_cvtsi128_si32(_mm_srli_si128(sum, 8));
}

/* 16 varints of one byte each, at p, to `to`; returns the place behind their elements. */
CW_ALWAYS_INLINE char *store16(char *to, const uint8_t *p, cw__element kind)
{
    const __m128i none = _mm_setzero_si128();
    const __m128i bytes = load16(p);
    __m128i *out = (__m128i *)(void *)to;
    if (kind == CW__BOOL) {
        _mm_storeu_si128(out, _mm_min_epu8(bytes, _mm_set1_epi8(1)));
        return to + 16;
    }
    const __m128i half[2] = {_mm_unpacklo_epi8(bytes, none), _mm_unpackhi_epi8(bytes, none)};
    for (int i = 0; i < 2; i++) {
        const __m128i low = _mm_unpacklo_epi16(half[i], none);
        const __m128i high = _mm_unpackhi_epi16(half[i], none);
        if (kind == CW__VARINT64) {
            _mm_storeu_si128(out++, _mm_unpacklo_epi32(low, none));
            _mm_storeu_si128(out++, _mm_unpackhi_epi32(low, none));
            _mm_storeu_si128(out++, _mm_unpacklo_epi32(high, none));
            _mm_storeu_si128(out++, _mm_unpackhi_epi32(high, none));
        } else {
            _mm_storeu_si128(out++, low);
            _mm_storeu_si128(out++, high);
        }
    }
    return (char *)out;
}

#else

CW_ALWAYS_INLINE char *store16(char *to, const uint8_t *p, cw__element kind)
{
    for (size_t k = 0; k < 16; k++) {
        cw__element_store(to, k, kind, p[k]);
    }
    return to + 16 * cw__element_size(kind);
}

CW_ALWAYS_INLINE uint64_t ends8(const uint8_t *p)
{
    uint64_t ends = (~cw__load64(p) & TOP_BITS) >> 7;
    return (ends * 0x0102040810204080u) >> 56; /* one bit a byte, gathered in the top byte */
}

CW_ALWAYS_INLINE uint64_t varint_ends(const uint8_t *p)
{
    uint64_t ends = 0;
    for (int i = 0; i < 64; i += 8) {
        ends |= ends8(p + i) << i;
    }
    return ends;
}

CW_ALWAYS_INLINE size_t count_ends(const uint8_t *p, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < 16 * n; i += 8) {
        /* One bit a byte; the multiplication sums the bytes into the top one. */
        uint64_t ends = (~cw__load64(p + i) & TOP_BITS) >> 7;
        count += (size_t)((ends * 0x0101010101010101u) >> 56);
    }
    return count;
}

#endif

/* How many bytes of [p, end) end a varint. */
static size_t count_varints(const uint8_t *p, const uint8_t *end)
{
    size_t count = 0;
    while (end - p >= 16) {
        size_t n = (size_t)(end - p) / 16;
        n = n < 255 ? n : 255;
        count += count_ends(p, n);
        p += 16 * n;
    }
    while (p < end) {
        count += *p++ < 0x80;
    }
    return count;
}

/* The bytes of a varint of n bytes in its first eight and in the two behind them (cw__gather7 drops
 * the top bits). */
static const uint64_t keep_low[ELEMENT_MAX + 1] = {
    0x0,        0xff,         0xffff,         0xffffff,
    0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
    UINT64_MAX, UINT64_MAX,   UINT64_MAX};
static const uint8_t keep_8[ELEMENT_MAX + 1] = {[9] = 0x7f, [10] = 0x7f};
static const uint8_t keep_9[ELEMENT_MAX + 1] = {[10] = 0x01};

/* The varint of n <= 10 bytes at p, without a branch on n. Of a kind of 32 bits only these are
 * right. READ_OVER bytes are readable. */
CW_ALWAYS_INLINE uint64_t varint_of(const uint8_t *p, size_t n, cw__element kind)
{
    uint64_t v = cw__gather7(cw__load64(p) & keep_low[n]);
    if (kind == CW__VARINT64 || kind == CW__ZIGZAG64 || kind == CW__BOOL) {
        v |= (uint64_t)(p[8] & keep_8[n]) << 56 | (uint64_t)(p[9] & keep_9[n]) << 63;
    }
    return v;
}

/* A block of varints of one byte each to data[at...]. */
CW_ALWAYS_INLINE void store_block(void *data, size_t at, const uint8_t *p, cw__element kind)
{
    if (kind == CW__ZIGZAG32 || kind == CW__ZIGZAG64) {
        for (size_t k = 0; k < BLOCK; k++) {
            cw__element_store(data, at + k, kind, p[k]);
        }
        return;
    }
    char *to = (char *)data + at * cw__element_size(kind);
    for (size_t k = 0; k < BLOCK; k += 16) {
        to = store16(to, p + k, kind);
    }
}

/*
 * The varints from p on, as long as whole blocks are in [p, end), to data[*i...]; returns where the
 * next one begins. Where they end is known for a block at once: none waits for the one before it.
 */
CW_ALWAYS_INLINE const uint8_t *get_blocks(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                           void *data, size_t *i, cw__element kind)
{
    size_t at = *i;
    for (const uint8_t *block = p; end - block >= BLOCK && d->end - block >= BLOCK + READ_OVER;
         block += BLOCK) {
        uint64_t ends = varint_ends(block);
        if (ends == UINT64_MAX && p == block) {
            store_block(data, at, p, kind);
            at += (size_t)BLOCK;
            p += BLOCK;
            continue;
        }
        /* Bytes that go on, and whose next byte does: none, when all have one or two. */
        if ((~ends & (~ends << 1 | (p < block))) == 0 && block - p < 2) {
            for (; ends != 0; ends &= ends - 1) {
                const uint8_t *next = block + CW__CTZ64(ends) + 1;
                uint64_t two = (uint64_t)(next - p) - 1;
                cw__element_store(data, at++, kind,
                                  (p[0] & 0x7fu) | ((uint64_t)next[-1] << 7 & (0 - two)));
                p = next;
            }
            continue;
        }
        for (; ends != 0; ends &= ends - 1) {
            const uint8_t *next = block + CW__CTZ64(ends) + 1;
            size_t n = (size_t)(next - p);
            if (CW_UNLIKELY(n > ELEMENT_MAX)) {
                return cw__get_fail(d, CW_ERR_VARINT, p, NULL);
            }
            cw__element_store(data, at++, kind, varint_of(p, n, kind));
            p = next;
        }
    }
    *i = at;
    return p;
}

/*
 * The varints in [p, end) to data[i...]. The last byte ends a varint, so that none runs past `end`;
 * each has its element (see count_varints), so that there is room.
 */
CW_ALWAYS_INLINE const uint8_t *get_varints(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                            void *data, size_t i, cw__element kind)
{
    p = get_blocks(d, p, end, data, &i, kind);
    while (p && p < end) {
        uint64_t v = 0;
        p = cw__get_varint(d, p, end, &v);
        cw__element_store(data, i++, kind, v);
    }
    return p;
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
    if (!cw__element_reserve(d, x, elem, n / elem, at)) {
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
        return get_packed_fixed(d, p, n, x, cw__element_size(kind), at);
    }
    if (n == 0) {
        return p;
    }
    end = p + n;
    if (end[-1] >= 0x80) {
        return cw__get_fail(d, CW_ERR_TRUNCATED, at, "packed field ends inside an element");
    }
    size_t count = count_varints(p, end);
    if (!cw__element_reserve(d, x, cw__element_size(kind), count, at)) {
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

/* ---- encoding ---------------------------------------------------------------------------------
 */

#if CW_SSE2

/* The GROUP elements at data to the GROUP bytes before p, when each is below 0x80. */
CW_ALWAYS_INLINE bool put_small_group(uint8_t *p, const void *data, cw__element kind)
{
    const char *s = (const char *)data;
    const __m128i none = _mm_setzero_si128();
    __m128i bytes;
    if (kind == CW__VARINT64) {
        __m128i x[8], any = none;
        for (int i = 0; i < 8; i++) {
            x[i] = load16(s + 16 * i);
            any = _mm_or_si128(any, x[i]);
        }
        any = _mm_andnot_si128(_mm_set_epi32(0, 0x7f, 0, 0x7f), any);
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(any, none)) != 0xffff) {
            return false;
        }
        for (int i = 0; i < 4; i++) { /* every other 32 bits are 0, then every other 16 */
            x[i] = _mm_packs_epi32(x[2 * i], x[2 * i + 1]);
        }
        bytes = _mm_packus_epi16(_mm_packs_epi32(x[0], x[1]), _mm_packs_epi32(x[2], x[3]));
    } else {
        __m128i a = load16(s), b = load16(s + 16), c = load16(s + 32), e = load16(s + 48);
        __m128i any = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, e));
        any = _mm_andnot_si128(_mm_set1_epi32(0x7f), any);
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(any, none)) != 0xffff) {
            return false;
        }
        bytes = _mm_packus_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, e));
    }
    _mm_storeu_si128((__m128i *)(void *)(p - GROUP), bytes);
    return true;
}

#else

CW_ALWAYS_INLINE bool put_small_group(uint8_t *p, const void *data, cw__element kind)
{
    uint64_t any = 0;
    for (size_t i = 0; i < GROUP; i++) {
        any |= cw__element_load(data, i, kind);
    }
    if (any >= 0x80) {
        return false;
    }
    for (size_t i = 0; i < GROUP; i++) {
        p[i - GROUP] = (uint8_t)cw__element_load(data, i, kind);
    }
    return true;
}

#endif

/* The elements backward, in stretches that surely fit. */
CW_ALWAYS_INLINE uint8_t *put_varints(cw__encoder *w, uint8_t *p, const void *data, size_t len,
                                      cw__element kind)
{
    const size_t size = cw__element_size(kind);
    while (len > 0) {
        size_t fits = (size_t)(p - w->begin) / ELEMENT_MAX;
        if (CW_UNLIKELY(fits == 0)) {
            fits = CW__PUT_MAX / ELEMENT_MAX;
            p = cw__put_room(w, p, (fits < len ? fits : len) * ELEMENT_MAX);
            if (!p) {
                return NULL;
            }
        }
        size_t stop = fits < len ? len - fits : 0;
        while (len - stop >= GROUP) {
            len -= GROUP;
            const char *group = (const char *)data + len * size;
            if (kind != CW__ZIGZAG32 && kind != CW__ZIGZAG64 && put_small_group(p, group, kind)) {
                p -= GROUP;
                continue;
            }
            for (size_t i = GROUP; i > 0; i--) {
                p = cw__put_varint(p, cw__element_load(group, i - 1, kind));
            }
        }
        while (len > stop) {
            p = cw__put_varint(p, cw__element_load(data, --len, kind));
        }
    }
    return p;
}

/* Fixed-width elements: their bytes, in the format's order. */
static uint8_t *put_fixed(cw__encoder *w, uint8_t *p, const void *data, size_t len,
                          cw__element kind, size_t keep)
{
    const size_t size = cw__element_size(kind);
    if (CW_LITTLE_ENDIAN) {
        return cw__put_raw(w, p, data, len * size, keep);
    }
    while (len > 0 && (p = cw__put_room(w, p, size)) != NULL) {
        uint64_t v = cw__element_load(data, --len, kind);
        p = kind == CW__FIXED64 ? cw__put_fixed64(p, v) : cw__put_fixed32(p, (uint32_t)v);
    }
    return p;
}

uint8_t *cw__put_packed(cw__encoder *w, uint8_t *p, const void *data, size_t len, cw__element kind,
                        size_t keep)
{
    if (len == 0) {
        return cw__put_room(w, p, keep);
    }
    size_t mark = cw__put_mark(w, p);
    switch (kind) {
    case CW__BOOL: /* is 0 or 1, as on the wire */
        p = cw__put_raw(w, p, data, len, keep);
        break;
    case CW__FIXED32:
    case CW__FIXED64:
        p = put_fixed(w, p, data, len, kind, keep);
        break;
    case CW__VARINT32:
        p = put_varints(w, p, data, len, CW__VARINT32);
        break;
    case CW__INT32:
        p = put_varints(w, p, data, len, CW__INT32);
        break;
    case CW__VARINT64:
        p = put_varints(w, p, data, len, CW__VARINT64);
        break;
    case CW__ZIGZAG32:
        p = put_varints(w, p, data, len, CW__ZIGZAG32);
        break;
    case CW__ZIGZAG64:
        p = put_varints(w, p, data, len, CW__ZIGZAG64);
        break;
    }
    p = p ? cw__put_room(w, p, keep) : NULL;
    return p ? cw__put_varint(p, cw__put_mark(w, p) - mark) : NULL;
}
