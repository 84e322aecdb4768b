/* SPDX-License-Identifier: MIT */
/*
 * utf8.c: UTF-8 validation. Here ASCII goes by in words and the rest by range checks (Unicode 15,
 * table 3-7): what runs everywhere, and short strings; long ones are utf8_vector.c's where it can.
 */
#include "utf8.h"

#include "copy.h"
#include "cwire/wire.h"

#define TOP_BITS 0x8080808080808080u

/* The first place from p on where not all bytes are ASCII, at the granularity of a word: what is
 * before the returned pointer is ASCII. */
static const uint8_t *skip_ascii(const uint8_t *p, const uint8_t *end)
{
#if CW_SSE2
    while (end - p >= 32) {
        __m128i a = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + 16));
        if (_mm_movemask_epi8(_mm_or_si128(a, b))) {
            break;
        }
        p += 32;
    }
#endif
    while (end - p >= 8 && !(cw__load64(p) & TOP_BITS)) {
        p += 8;
    }
    return p;
}

CW_ALWAYS_INLINE bool tail(uint8_t byte)
{
    return (byte & 0xc0) == 0x80;
}

/* One character of two to four bytes at p, p < end; NULL: invalid. */
CW_ALWAYS_INLINE const uint8_t *check_multibyte(const uint8_t *p, const uint8_t *end)
{
    size_t left = (size_t)(end - p);
    uint8_t lead = p[0];
    if (lead < 0xe0) {
        return lead >= 0xc2 && left >= 2 && tail(p[1]) ? p + 2 : NULL;
    }
    if (lead < 0xf0) {
        /* e0: overlong below a0; ed: surrogates from a0 on */
        uint8_t low = lead == 0xe0 ? 0xa0 : 0x80;
        uint8_t high = lead == 0xed ? 0x9f : 0xbf;
        return left >= 3 && p[1] >= low && p[1] <= high && tail(p[2]) ? p + 3 : NULL;
    }
    /* f0: overlong below 90; f4: above U+10FFFF from 90 on */
    uint8_t low = lead == 0xf0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xf4 ? 0x8f : 0xbf;
    return lead <= 0xf4 && left >= 4 && p[1] >= low && p[1] <= high && tail(p[2]) && tail(p[3])
               ? p + 4
               : NULL;
}

/* Where the first byte of [p, end) is that is not ASCII; `end` when there is none. Text before p
 * from `begin` on may be read again. */
CW_ALWAYS_INLINE const uint8_t *find_multibyte(const uint8_t *begin, const uint8_t *p,
                                               const uint8_t *end)
{
    while (end - p >= 8) {
        uint64_t high = cw__load64(p) & TOP_BITS;
        if (high) {
            return p + CW__CTZ64(high) / 8;
        }
        p += 8;
    }
    size_t left = (size_t)(end - p);
    if (left > 0 && end - begin >= 8) {
        /* The last word, without the bytes before p. */
        uint64_t high = (cw__load64(end - 8) & TOP_BITS) >> (8 * (8 - left));
        return high ? p + CW__CTZ64(high) / 8 : end;
    }
    while (p < end && *p < 0x80) {
        p++;
    }
    return p;
}

static CW_NOINLINE bool valid_from(const uint8_t *begin, const uint8_t *p, const uint8_t *end)
{
    while ((p = find_multibyte(begin, p, end)) < end) {
        do {
            p = check_multibyte(p, end);
            if (!p) {
                return false;
            }
        } while (p < end && *p >= 0x80);
    }
    return true;
}

/* Any n > 0. */
CW_ALWAYS_INLINE bool valid(const uint8_t *s, size_t n)
{
    const uint8_t *p = s;
    const uint8_t *end = p + n;
    if (n >= 8) {
        p = skip_ascii(p, end);
        /* Fewer than 8 bytes are left: the last word, which overlaps what was looked at. */
        if (CW_LIKELY(end - p < 8 && !(cw__load64(end - 8) & TOP_BITS))) {
            return true;
        }
    } else if (n >= 4) {
        if (CW_LIKELY(!((cw__load32(p) | cw__load32(end - 4)) & 0x80808080u))) {
            return true;
        }
    }
    return valid_from(s, p, end);
}

bool cw__utf8_portable(char *to, const uint8_t *s, size_t n)
{
    if (n == 0) {
        return true; /* s may be NULL */
    }
    if (to) {
        memcpy(to, s, n);
    }
    return valid(s, n);
}

/* n >= CW__UTF8_LONG. */
static CW_NOINLINE bool long_text(char *to, const uint8_t *s, size_t n)
{
#if CW__AVX2
    if (CW_LIKELY(cw__have_avx2())) {
        return cw__utf8_avx2(to, s, n);
    }
#elif CW__NEON
    return cw__utf8_neon(to, s, n);
#endif
    return cw__utf8_portable(to, s, n);
}

bool cw__utf8_valid(const char *s, size_t n)
{
    if (n == 0) {
        return true; /* s may be NULL */
    }
    if (n >= CW__UTF8_LONG) {
        return long_text(NULL, (const uint8_t *)s, n);
    }
    return valid((const uint8_t *)s, n);
}

bool cw__utf8_copy(char *to, const char *s, size_t n)
{
    if (n >= CW__UTF8_LONG) {
        return long_text(to, (const uint8_t *)s, n);
    }
    if (n > 16) {
        cw__copy_medium(to, s, n);
    } else {
        cw__copy_short_back((uint8_t *)to + n, (const uint8_t *)s, n);
    }
    return n == 0 || valid((const uint8_t *)s, n);
}
