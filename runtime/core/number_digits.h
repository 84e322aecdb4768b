/* SPDX-License-Identifier: MIT */
/*
 * number_digits.h: binary integers to decimal digits, eight or sixteen at a time and without a
 * loop, for the printers of integers (json_write.c) and of floating-point numbers (number_print.c).
 *
 * In every step each lane is divided by multiplying, and holds quotient and rest in its two halves
 * afterwards: 4 digits a lane, then 2, then 1.
 */
#ifndef CWIRE_CORE_NUMBER_DIGITS_H
#define CWIRE_CORE_NUMBER_DIGITS_H

#include "cwire/port.h"

#define CW__TEN_8           100000000u
#define CW__TEN_16          10000000000000000u
#define CW__ZERO_CHARACTERS 0x3030303030303030u

/* The eight digits of `v` (below 10^8) as bytes 0 to 9, the first in the lowest byte. */
CW_ALWAYS_INLINE uint64_t cw__eight_digits(uint32_t v)
{
    /* Both divisions are exact in their range (n x 10486 >> 20 is n / 100 below 10^4, n x 103 >> 10
     * is n / 10 below 100). */
    uint64_t fours = v / 10000 | (uint64_t)(v % 10000) << 32;
    uint64_t hundreds = (fours * 10486 >> 20) & 0x0000007f0000007fu;
    uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000fu;
    return tens | (twos - 10 * tens) << 8;
}

/* Sixteen digits as bytes 0 to 9. */
#if CW_SSE2

typedef __m128i cw__digits16;

/* Of an integer below 10^16. */
CW_ALWAYS_INLINE cw__digits16 cw__sixteen_digits(uint64_t v)
{
    uint32_t high = (uint32_t)(v / CW__TEN_8), low = (uint32_t)(v % CW__TEN_8);
    __m128i eights = _mm_unpacklo_epi64(_mm_cvtsi32_si128((int)high), _mm_cvtsi32_si128((int)low));
    /* n x 3518437209 >> 45 is n / 10^4 for all of 32 bits, n x 5243 >> 19 is n / 100 below 10^4,
     * n x 6554 >> 16 is n / 10 below 100. */
    __m128i quotient =
        _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi64x((int64_t)3518437209)), 45);
    __m128i rest = _mm_sub_epi32(eights, _mm_mul_epu32(quotient, _mm_set1_epi64x(10000)));
    __m128i fours = _mm_or_si128(quotient, _mm_slli_epi64(rest, 32));
    quotient = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5243)), 3);
    rest = _mm_sub_epi16(fours, _mm_mullo_epi16(quotient, _mm_set1_epi16(100)));
    __m128i twos = _mm_or_si128(quotient, _mm_slli_epi32(rest, 16));
    quotient = _mm_mulhi_epu16(twos, _mm_set1_epi16(6554));
    rest = _mm_sub_epi16(twos, _mm_mullo_epi16(quotient, _mm_set1_epi16(10)));
    return _mm_or_si128(quotient, _mm_slli_epi16(rest, 8));
}

/* Bit i tells that digit i is not 0. */
CW_ALWAYS_INLINE unsigned cw__nonzero_digits(cw__digits16 d)
{
    return (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(d, _mm_setzero_si128()));
}

/* The first and the last eight, the first in the lowest byte. */
CW_ALWAYS_INLINE uint64_t cw__first_digits(cw__digits16 d)
{
    uint64_t v;
    _mm_storel_epi64((__m128i *)(void *)&v, d);
    return v;
}

CW_ALWAYS_INLINE uint64_t cw__last_digits(cw__digits16 d)
{
    return cw__first_digits(_mm_unpackhi_epi64(d, d));
}

/* Writes sixteen characters. */
CW_ALWAYS_INLINE void cw__put_digits16(char *out, cw__digits16 d)
{
    _mm_storeu_si128((__m128i *)(void *)out, _mm_or_si128(d, _mm_set1_epi8('0')));
}

#else

typedef struct cw__digits16 {
    uint64_t first, last;
} cw__digits16;

CW_ALWAYS_INLINE cw__digits16 cw__sixteen_digits(uint64_t v)
{
    return (cw__digits16){cw__eight_digits((uint32_t)(v / CW__TEN_8)),
                          cw__eight_digits((uint32_t)(v % CW__TEN_8))};
}

/* One bit for each byte of `digits` that is not 0, the lowest byte's bit the lowest. */
CW_ALWAYS_INLINE unsigned cw__nonzero_bytes(uint64_t digits)
{
    uint64_t ones = (digits + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
    return (unsigned)(ones * 0x0102040810204080u >> 56);
}

CW_ALWAYS_INLINE unsigned cw__nonzero_digits(cw__digits16 d)
{
    return cw__nonzero_bytes(d.first) | cw__nonzero_bytes(d.last) << 8;
}

CW_ALWAYS_INLINE uint64_t cw__first_digits(cw__digits16 d)
{
    return d.first;
}

CW_ALWAYS_INLINE uint64_t cw__last_digits(cw__digits16 d)
{
    return d.last;
}

CW_ALWAYS_INLINE void cw__put_digits16(char *out, cw__digits16 d)
{
    cw__store64(out, d.first | CW__ZERO_CHARACTERS);
    cw__store64(out + 8, d.last | CW__ZERO_CHARACTERS);
}

#endif

/* Writes digits without the zeros at their front, but never none; at most eight bytes are touched.
 */
CW_ALWAYS_INLINE char *cw__put_leading(char *out, uint64_t digits)
{
    unsigned zeros = (unsigned)CW__CTZ64(digits | 1ull << 56) & 56u;
    cw__store64(out, (digits | CW__ZERO_CHARACTERS) >> zeros);
    return out + 8 - zeros / 8;
}

/* Writes an integer below 10^16; at most 16 bytes are touched. */
CW_ALWAYS_INLINE char *cw__put_below_ten_16(char *out, uint64_t v)
{
    if (v < CW__TEN_8) {
        return cw__put_leading(out, cw__eight_digits((uint32_t)v));
    }
    cw__digits16 d = cw__sixteen_digits(v);
    out = cw__put_leading(out, cw__first_digits(d));
    cw__store64(out, cw__last_digits(d) | CW__ZERO_CHARACTERS);
    return out + 8;
}

#endif
