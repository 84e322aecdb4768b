/* SPDX-License-Identifier: MIT */
/*
 * The shortest decimal of a floating-point number, by Raffaele Giulietti's Schubfach ("The
 * Schubfach way to render doubles", 2020) with a power of ten rounded up to 128 (float: 64) bits.
 *
 * Reading order: digits to text, then the search for the digits, then the entry points at the
 * bottom.
 */
#include "number.h"

#include <assert.h>
#include <math.h>

/* ---- Digits to text --------------------------------------------------------------------- */

#define TEN_8           100000000u
#define TEN_16          10000000000000000u
#define ZERO_CHARACTERS 0x3030303030303030u

/* `digits` x 10^`exponent` */
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

/* The eight digits of `v` (below 10^8) as bytes 0 to 9, the first in the lowest byte. */
static uint64_t eight_digits(uint32_t v)
{
    /* 4 + 4 digits in two lanes, then 2 in each of four, then 1 in each of eight: in every step the
     * high part is a division by multiplying and the low part what is left; both divisions are
     * exact in their range (n x 10486 >> 20 is n / 100 below 10^4, n x 103 >> 10 is n / 10 below
     * 100). */
    uint64_t fours = v / 10000 | (uint64_t)(v % 10000) << 32;
    uint64_t hundreds = (fours * 10486 >> 20) & 0x0000007f0000007fu;
    uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000fu;
    return tens | (twos - 10 * tens) << 8;
}

/* The length of `digits` (from eight_digits(), not all zero) without the zeros at its end. */
static unsigned length_without_zeros(uint64_t digits)
{
    return 8 - (unsigned)CW__CLZ64(digits) / 8;
}

/* Writes an integer below 2^53. Scribbles up to 16 bytes. */
static char *put_integer(char *out, uint64_t v)
{
    uint32_t high = (uint32_t)(v / TEN_8);
    uint64_t digits = eight_digits(high ? high : (uint32_t)v);
    /* One digit always stays: the value zero is the text "0". */
    unsigned zeros = (unsigned)CW__CTZ64(digits | 1ull << 56) / 8;
    cw__store64(out, (digits | ZERO_CHARACTERS) >> 8 * zeros);
    out += 8 - zeros;
    if (high) {
        cw__store64(out, eight_digits((uint32_t)(v % TEN_8)) | ZERO_CHARACTERS);
        out += 8;
    }
    return out;
}

/* Writes eight characters with a point before the i-th (i < 8); returns the character pushed out.
 */
static char put_with_point(char *out, uint64_t characters, unsigned i)
{
    uint64_t before = (1ull << 8 * i) - 1;
    cw__store64(out, (characters & before) | (uint64_t)'.' << 8 * i | (characters & ~before) << 8);
    return (char)(characters >> 56);
}

/* Writes the exponent of a scientific form. */
static char *put_exponent(char *out, int exponent)
{
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    unsigned e = (unsigned)(exponent < 0 ? -exponent : exponent);
    if (e >= 100) {
        *out++ = (char)('0' + e / 100);
    }
    if (e >= 10) {
        *out++ = (char)('0' + e / 10 % 10);
    }
    *out++ = (char)('0' + e % 10);
    return out;
}

/* Writes 0 < d in JavaScript's form. Scribbles up to 25 bytes. */
static char *put_decimal(char *out, decimal d)
{
    /* Normal numbers come with 16 or 17 digits: that choice without a jump, subnormals take the
     * loop. */
    bool short_of_one = d.digits < TEN_16;
    d.digits *= short_of_one ? 10 : 1;
    d.exponent -= short_of_one;
    while (d.digits < TEN_16) {
        d.digits *= 10;
        d.exponent--;
    }
    /* Now there are 17 digits, 1 + 8 + 8, and the point belongs before digit number `point`. */
    int point = d.exponent + 17;
    uint64_t high = d.digits / TEN_8;
    char first = (char)('0' + high / TEN_8);
    uint64_t middle = eight_digits((uint32_t)(high % TEN_8));
    uint64_t last = eight_digits((uint32_t)(d.digits % TEN_8));
    int length = 1;
    if (last) {
        length = 9 + (int)length_without_zeros(last);
    } else if (middle) {
        length = 1 + (int)length_without_zeros(middle);
    }
    middle |= ZERO_CHARACTERS;
    last |= ZERO_CHARACTERS;

    if (0 < point && point < length) {
        /* 12.34: the point goes in among the digits after the first, while they are in registers.
         */
        unsigned i = (unsigned)point - 1;
        out[0] = first;
        if (i < 8) {
            char pushed = put_with_point(out + 1, middle, i);
            cw__store64(out + 9, last << 8 | (unsigned char)pushed);
            out[17] = (char)(last >> 56);
        } else {
            cw__store64(out + 1, middle);
            out[17] = put_with_point(out + 9, last, i - 8);
        }
        return out + length + 1;
    }
    if (-6 < point && point <= 0) {
        /* 0.00123 */
        cw__store64(out, (uint64_t)'.' << 8 | (ZERO_CHARACTERS & ~0xff00ull));
        out += 2 - point;
        out[0] = first;
        cw__store64(out + 1, middle);
        cw__store64(out + 9, last);
        return out + length;
    }
    if (length <= point && point <= 21) {
        /* 1234000: at most four zeros more than the 17 digits */
        out[0] = first;
        cw__store64(out + 1, middle);
        cw__store64(out + 9, last);
        cw__store64(out + 17, ZERO_CHARACTERS);
        return out + point;
    }
    /* 1.234e+56 */
    out[0] = first;
    out[1] = '.';
    cw__store64(out + 2, middle);
    cw__store64(out + 10, last);
    return put_exponent(out + (length == 1 ? 1 : length + 1), point - 1);
}

/* ---- The shortest digits ---------------------------------------------------------------- */

/*
 * A value is significand x 2^exponent; the numbers that read back as it are those between the
 * middles to its neighbours. Scaled by 4 x 10^-k, with k such that 10^k is the largest power of ten
 * that fits between them, each of the three is held as an integer whose lowest bit also says "and a
 * bit more" (rounding to odd), which suffices for every comparison below.
 */
typedef struct interval {
    uint64_t lower, value, upper; /* lower and upper themselves still read back as the value */
    int k;
} interval;

/* floor(log10(2^exponent)), or of 3/4 of it when the lower neighbour is at half the distance. */
static int decimal_exponent(int exponent, bool closer)
{
    return (exponent * 1262611 - (closer ? 524031 : 0)) >> 22;
}

CW_ALWAYS_INLINE uint64_t scale128(const uint64_t power[2], uint64_t v)
{
    uint64_t carry;
    (void)cw__multiply64(power[1], v, &carry);
    uint64_t high;
    uint64_t low = cw__multiply64(power[0], v, &high);
    low += carry;
    high += low < carry;
    /* The table rounds up: a fraction of one unit is none. */
    return high | (low > 1);
}

static uint64_t scale64(uint64_t power, uint64_t v)
{
    uint64_t high;
    uint64_t low = cw__multiply64(power, v, &high);
    /* v has 32 bits, so the leading 32 of the 64 fraction bits decide; again one unit does not
     * count. */
    return high | (low >> 32 > 1);
}

/*
 * The decimal in the interval with the fewest digits (maybe zeros at the end), then closest to the
 * value. Which of the candidates wins is as good as random, so all are made and one is selected
 * without a jump.
 */
CW_ALWAYS_INLINE decimal shortest_in(interval v)
{
    uint64_t s = v.value / 4;
    /* At most one multiple of 10^(k+1) lies in the interval: next below or next above the value.
     * (Zero, which is one, never does.) */
    uint64_t tens = s / 10 * 10;
    bool tens_below = v.lower <= 4 * tens;
    bool tens_above = 4 * tens + 40 <= v.upper;
    uint64_t by_ten = tens + (tens_above ? 10 : 0);
    /* Of the multiples of 10^k one or more do; of two the closer, or if as close, the even one. */
    bool below = v.lower <= 4 * s;
    bool above = 4 * s + 4 <= v.upper;
    bool only_one = below != above;
    bool closer_above = v.value + (s & 1) > 4 * s + 2;
    uint64_t by_one = s + ((only_one & above) | (!only_one & closer_above));
    uint64_t take_ten = 0 - (uint64_t)(tens_below != tens_above);
    return (decimal){(by_ten & take_ten) | (by_one & ~take_ten), v.k};
}

static decimal shortest_double(uint64_t bits)
{
    uint64_t fraction = bits & ((1ull << 52) - 1);
    int biased = (int)(bits >> 52);
    uint64_t significand = biased ? fraction | 1ull << 52 : fraction;
    int exponent = (biased ? biased : 1) - 1075;
    bool closer = fraction == 0 && biased > 1;
    bool odd = significand & 1;

    int k = decimal_exponent(exponent, closer);
    int shift = exponent + cw__log2_of_power_of_ten(-k) + 1;
    const uint64_t *power = cw__powers_of_ten[-k - CW__POWER_OF_TEN_MIN];
    /* The middles to the neighbours are read as the even one of the two. */
    interval v = {
        .lower = scale128(power, (4 * significand - 2 + closer) << shift) + odd,
        .value = scale128(power, 4 * significand << shift),
        .upper = scale128(power, (4 * significand + 2) << shift) - odd,
        .k = k,
    };
    return shortest_in(v);
}

static decimal shortest_float(uint32_t bits)
{
    uint32_t fraction = bits & ((1u << 23) - 1);
    int biased = (int)(bits >> 23);
    uint64_t significand = biased ? fraction | 1u << 23 : fraction;
    int exponent = (biased ? biased : 1) - 150;
    bool closer = fraction == 0 && biased > 1;
    bool odd = significand & 1;

    int k = decimal_exponent(exponent, closer);
    int shift = exponent + cw__log2_of_power_of_ten(-k) + 1;
    const uint64_t *entry = cw__powers_of_ten[-k - CW__POWER_OF_TEN_MIN];
    uint64_t power = entry[0] + (entry[1] != 0);
    interval v = {
        .lower = scale64(power, (4 * significand - 2 + closer) << shift) + odd,
        .value = scale64(power, 4 * significand << shift),
        .upper = scale64(power, (4 * significand + 2) << shift) - odd,
        .k = k,
    };
    return shortest_in(v);
}

/* ---- Entry points ----------------------------------------------------------------------- */

size_t cw__print_double(char *out, double v)
{
    assert(isfinite(v));
    char *p = out;
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    if (bits >> 63) {
        *p++ = '-';
        bits &= ~(1ull << 63);
        v = -v;
    }
    if (v < 0x1p53) {
        int64_t whole = (int64_t)v; /* signed: one instruction where unsigned takes several */
        if ((double)whole == v) {
            return (size_t)(put_integer(p, (uint64_t)whole) - out);
        }
    }
    return (size_t)(put_decimal(p, shortest_double(bits)) - out);
}

size_t cw__print_float(char *out, float v)
{
    assert(isfinite(v));
    char *p = out;
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    if (bits >> 31) {
        *p++ = '-';
        bits &= ~(1u << 31);
        v = -v;
    }
    if (v < 0x1p24f) {
        int32_t whole = (int32_t)v;
        if ((float)whole == v) {
            return (size_t)(put_integer(p, (uint64_t)whole) - out);
        }
    }
    /* Nine digits are the most that a float needs; put_decimal() counts from 17. */
    decimal d = shortest_float(bits);
    return (size_t)(put_decimal(p, (decimal){d.digits * TEN_8, d.exponent - 8}) - out);
}
