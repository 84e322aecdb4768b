/* SPDX-License-Identifier: MIT */
/*
 * json_scan.h: looks at 16 bytes of a JSON string at a time, for reader and writer.
 *
 * "Plain" bytes stand for themselves wherever they are: ASCII from ' ' on without '"' and '\'.
 * "Raw" ones are the same and every byte from 0x80 on (whose UTF-8 is checked apart).
 */
#ifndef CWIRE_CORE_JSON_SCAN_H
#define CWIRE_CORE_JSON_SCAN_H

#include "vector.h"

#define CW__BYTES(b) (0x0101010101010101u * (uint64_t)(b))

/*
 * One high bit for each byte of x (loaded little-endian) that is not raw. Only the lowest one is
 * exact: a borrow may set more above it.
 */
CW_ALWAYS_INLINE uint64_t cw__json_word_escapes(uint64_t x)
{
    uint64_t quote = x ^ CW__BYTES('"');
    uint64_t slash = x ^ CW__BYTES('\\');
    return (((quote - CW__BYTES(1)) & ~quote) | ((slash - CW__BYTES(1)) & ~slash) |
            ((x - CW__BYTES(' ')) & ~x)) &
           CW__BYTES(0x80);
}

/* The same for each byte that is not plain. */
CW_ALWAYS_INLINE uint64_t cw__json_word_special(uint64_t x)
{
    return cw__json_word_escapes(x) | (x & CW__BYTES(0x80));
}

#if CW_SSE2

CW_ALWAYS_INLINE __m128i cw__json_load16(const char *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* One bit for each byte of x that is plain; all bits from 16 on are 0. */
CW_ALWAYS_INLINE unsigned cw__json_vector_plain(__m128i x)
{
    /* Compared as signed bytes, what is above 0x1f is ASCII from ' ' on: control characters and
     * 0x80 to 0xff are not. */
    __m128i high = _mm_cmpgt_epi8(x, _mm_set1_epi8(0x1f));
    __m128i quote = _mm_cmpeq_epi8(x, _mm_set1_epi8('"'));
    __m128i slash = _mm_cmpeq_epi8(x, _mm_set1_epi8('\\'));
    return (unsigned)_mm_movemask_epi8(_mm_andnot_si128(_mm_or_si128(quote, slash), high));
}

/* Are all bytes of x plain? */
CW_ALWAYS_INLINE bool cw__json_plain_word(uint64_t x)
{
    __m128i v = _mm_loadl_epi64((const __m128i *)(const void *)&x);
    return (cw__json_vector_plain(v) & 0xff) == 0xff;
}

/* How many plain bytes stand at p, at most 16; 16 bytes are read. */
CW_ALWAYS_INLINE size_t cw__json_plain16(const char *p)
{
    return (unsigned)CW__CTZ32(~cw__json_vector_plain(cw__json_load16(p)));
}

/* How many raw bytes stand at p, at most 16; 16 bytes are read. Not 0 in *high: some of them are
 * from 0x80 on. The usual 16 is a constant: nothing waits for it. */
CW_ALWAYS_INLINE size_t cw__json_raw16(const char *p, uint64_t *high)
{
    __m128i x = cw__json_load16(p);
    __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8(0x1f)), x);
    __m128i quote = _mm_cmpeq_epi8(x, _mm_set1_epi8('"'));
    __m128i slash = _mm_cmpeq_epi8(x, _mm_set1_epi8('\\'));
    unsigned stop = (unsigned)_mm_movemask_epi8(_mm_or_si128(low, _mm_or_si128(quote, slash)));
    *high |= (unsigned)_mm_movemask_epi8(x);
    return CW_LIKELY(stop == 0) ? 16 : (unsigned)CW__CTZ32(stop);
}

#else

CW_ALWAYS_INLINE bool cw__json_plain_word(uint64_t x)
{
    return cw__json_word_special(x) == 0;
}

CW_ALWAYS_INLINE size_t cw__json_plain16(const char *p)
{
    uint64_t stop = cw__json_word_special(cw__load64(p));
    if (stop) {
        return (size_t)CW__CTZ64(stop) / 8;
    }
    stop = cw__json_word_special(cw__load64(p + 8));
    return stop ? 8 + (size_t)CW__CTZ64(stop) / 8 : 16;
}

CW_ALWAYS_INLINE size_t cw__json_raw16(const char *p, uint64_t *high)
{
    uint64_t first = cw__load64(p), last = cw__load64(p + 8);
    *high |= (first | last) & CW__BYTES(0x80);
    uint64_t stop = cw__json_word_escapes(first);
    if (stop) {
        return (size_t)CW__CTZ64(stop) / 8;
    }
    stop = cw__json_word_escapes(last);
    return stop ? 8 + (size_t)CW__CTZ64(stop) / 8 : 16;
}

#endif

/*
 * How many raw bytes [s, s + n) begins with. They are copied to `to` on the way unless that is NULL
 * (apart from s; bytes behind them up to to + n may be written too). Sets bits in *high when one of
 * them is from 0x80 on, and perhaps when only one behind them is. Nothing outside is read or
 * written.
 */
size_t cw__json_run(char *to, const char *s, size_t n, uint64_t *high);

/* The same, quick where the run ends within 16 bytes: escapes may stand close to each other. */
CW_ALWAYS_INLINE size_t cw__json_run_near(char *to, const char *s, size_t n, uint64_t *high)
{
    if (CW_LIKELY(n >= 16)) {
        uint64_t x[2];
        memcpy(x, s, 16);
        memcpy(to, x, 16);
        size_t raw = cw__json_raw16(s, high);
        if (raw < 16) {
            return raw;
        }
    }
    return cw__json_run(to, s, n, high);
}

/* The paths behind it, which tests call one by one. The second takes n >= 64 and runs where
 * cw__have_avx2(). */
size_t cw__json_run_portable(char *to, const char *s, size_t n, uint64_t *high);
#if CW__AVX2
size_t cw__json_run_avx2(char *to, const char *s, size_t n, uint64_t *high);
#endif

/* Copies 8 <= n <= 16 bytes, reading nothing else; true when all are plain. */
CW_ALWAYS_INLINE bool cw__json_copy_8_to_16(char *to, const char *s, size_t n)
{
#if CW_SSE2
    /* Checked in the register: a load of 16 bytes over the two stores would have to wait for them.
     */
    __m128i first = _mm_loadl_epi64((const __m128i *)(const void *)s);
    __m128i last = _mm_loadl_epi64((const __m128i *)(const void *)(s + n - 8));
    _mm_storel_epi64((__m128i *)(void *)to, first);
    _mm_storel_epi64((__m128i *)(void *)(to + n - 8), last);
    return cw__json_vector_plain(_mm_unpacklo_epi64(first, last)) == 0xffff;
#else
    uint64_t first = cw__load64(s), last = cw__load64(s + n - 8);
    cw__store64(to, first);
    cw__store64(to + n - 8, last);
    return (cw__json_word_special(first) | cw__json_word_special(last)) == 0;
#endif
}

/* The same for n < 8; s may be NULL when n is 0. */
CW_ALWAYS_INLINE bool cw__json_copy_below_8(char *to, const char *s, size_t n)
{
    uint64_t x;
    if (n >= 4) {
        uint32_t first = cw__load32(s), last = cw__load32(s + n - 4);
        cw__store32(to, first);
        cw__store32(to + n - 4, last);
        x = first | (uint64_t)last << 32;
    } else if (n > 0) {
        char first = s[0], middle = s[n / 2], last = s[n - 1];
        to[0] = first;
        to[n / 2] = middle;
        to[n - 1] = last;
        x = (uint64_t)(unsigned char)first | (uint64_t)(unsigned char)middle << 8 |
            (uint64_t)(unsigned char)last << 16 | CW__BYTES(' ') << 24;
    } else {
        return true;
    }
    return cw__json_plain_word(x);
}

#endif
