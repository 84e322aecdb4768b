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

#include "number_digits.h"

/* ---- Digits to text --------------------------------------------------------------------- */

/*
 * 0.d1d2d3... x 10^point. The digits are the sixteen of `head`, of which the first may be 0 (then
 * `skip` is 1 and d1 is the second) but not the first two, and `last`.
 */
typedef struct decimal {
    uint64_t head;
    unsigned last;
    unsigned skip;
    int point;
} decimal;

/* `digits` x 10^`exponent`; digits is not 0 and below 10^17. */
static decimal decimal_of(uint64_t digits, int exponent)
{
    unsigned last = 0;
    if (digits >= CW__TEN_16) {
        last = (unsigned)(digits % 10);
        digits /= 10;
        exponent++;
    }
    while (digits < CW__TEN_16 / 10) {
        digits *= 10;
        exponent--;
    }
    return (decimal){digits, last, 0, exponent + 16};
}

/* Eight characters with a point before the i-th (i < 8), so that the last one is pushed out. */
CW_ALWAYS_INLINE uint64_t with_point(uint64_t characters, unsigned i)
{
    uint64_t behind = UINT64_MAX << 8 * i;
    return (characters & ~behind) | (characters & behind) << 8 | (uint64_t)'.' << 8 * i;
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

/* Writes 1234000 and 1.234e+56, which are rare. The first digit of `head` is not 0. */
static CW_NOINLINE char *put_large_or_small(char *out, uint64_t head, unsigned last, int point)
{
    cw__digits16 digits = cw__sixteen_digits(head);
    int length = last ? 17 : 64 - CW__CLZ64(cw__nonzero_digits(digits));
    if (0 < point && point <= 21) {
        /* At most four zeros more than the 17 digits. */
        cw__put_digits16(out, digits);
        out[16] = (char)('0' + last);
        cw__store64(out + 17, CW__ZERO_CHARACTERS);
        return out + point;
    }
    cw__put_digits16(out + 1, digits);
    out[17] = (char)('0' + last);
    out[0] = out[1];
    out[1] = '.';
    return put_exponent(out + (length == 1 ? 1 : length + 1), point - 1);
}

/* Writes d in JavaScript's form. Scribbles up to 25 bytes. */
CW_ALWAYS_INLINE char *put_decimal(char *out, decimal d)
{
    cw__digits16 digits = cw__sixteen_digits(d.head);
    /* Without the zeros at the end: mostly there are none, which is known before the digits are. */
    int length = 16 + (d.last != 0) - (int)d.skip;
    unsigned some = cw__nonzero_digits(digits);
    if (d.last == 0 && some >> 15 == 0) {
        length = 64 - CW__CLZ64(some) - (int)d.skip;
    }
    int point = d.point;
    char last = (char)('0' + d.last);

    if (CW_LIKELY(0 < point && point < length)) {
        /* 12.34: all digits one place to the right, and once more those before the point. */
        cw__put_digits16(out + 1 - d.skip, digits);
        out[17 - d.skip] = last;
        uint64_t first = cw__load64(out + 1);
        if (CW_LIKELY(point < 8)) {
            cw__store64(out, with_point(first, (unsigned)point));
        } else {
            uint64_t second = cw__load64(out + 9);
            cw__store64(out, first);
            if (point < 16) {
                second = with_point(second, (unsigned)point - 8);
            } else {
                out[16] = '.';
            }
            cw__store64(out + 8, second);
        }
        return out + length + 1;
    }
    if (-6 < point && point <= 0) {
        /* 0.00123: a zero that is skipped takes the place of one of these, or of the point. */
        char *from = out + 2 - point;
        cw__store64(out, CW__ZERO_CHARACTERS);
        cw__put_digits16(from - d.skip, digits);
        from[16 - d.skip] = last;
        out[1] = '.';
        return from + length;
    }
    return d.skip ? put_large_or_small(out, 10 * d.head + d.last, 0, point)
                  : put_large_or_small(out, d.head, d.last, point);
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
 * value.
 */
static decimal shortest_in(interval v)
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
    return decimal_of(tens_below != tens_above ? by_ten : by_one, v.k);
}

/* The shortest digits of any double that is not 0. */
static decimal shortest_double_slow(uint64_t bits)
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

/* Do a and b, each known to one unit, compare as they do, or may they be equal? */
CW_ALWAYS_INLINE bool too_close(uint64_t a, uint64_t b)
{
    return a - b + 4 <= 8;
}

/*
 * The same, quicker: one product in place of three. In units of 10^(k+1), in which the interval is
 * 1/10 to 1 wide, the value is `whole` + `fraction`/2^64, and the middles to its neighbours are
 * `half` away. When whole or whole + 1 is in the interval, it is the shortest; else the fraction's
 * first digit, rounded, comes behind it, which is never more than half a unit of 10^k, and so less
 * than `half`, away. Both fraction and half are known to one unit of their last bit; where that
 * leaves a decision open, and for powers of two, whose lower neighbour is nearer, the slow way
 * decides. Which of the candidates wins is as good as random: one is selected without a jump.
 */
CW_ALWAYS_INLINE bool shortest_double(uint64_t bits, decimal *d)
{
    uint64_t significand = (bits & ((1ull << 52) - 1)) | 1ull << 52;
    unsigned biased = (unsigned)(bits >> 52);
    int exponent = (int)biased - 1075;
    int k = decimal_exponent(exponent, false);
    int shift = exponent + cw__log2_of_power_of_ten(-k - 1) + 1; /* -3 to 0 */
    const uint64_t *power = cw__powers_of_ten[-k - 1 - CW__POWER_OF_TEN_MIN];

    uint64_t scaled = significand << (shift + 4), carry, high;
    (void)cw__multiply64(power[1], scaled, &carry);
    uint64_t low = cw__multiply64(power[0], scaled, &high);
    low += carry;
    high += low < carry;
    uint64_t whole = high >> 4;
    uint64_t fraction = high << 60 | low >> 4;
    uint64_t half = power[0] >> (1 - shift);

    uint64_t digit;
    uint64_t rest = cw__multiply64(fraction, 10, &digit);
    digit += rest >> 63;
    unsigned below = fraction < half;
    unsigned above = fraction > 0 - half;
    if (CW_UNLIKELY(too_close(fraction, half) || too_close(fraction, 0 - half) ||
                    rest - (1ull << 63) + 32 <= 64 || significand == 1ull << 52 || biased == 0)) {
        return false;
    }
    whole += above;
    d->head = whole;
    d->last = (unsigned)digit & ((below | above) - 1);
    d->skip = whole < CW__TEN_16 / 10;
    d->point = k + 17 - (int)d->skip;
    return true;
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

/* Out of the way of what most numbers take, so that they need no memory for d. */
static CW_NOINLINE char *put_double_slow(char *out, uint64_t bits)
{
    return put_decimal(out, shortest_double_slow(bits));
}

size_t cw__print_double(char *out, double v)
{
    assert(isfinite(v));
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    char *p = out;
    *p = '-';
    p += bits >> 63;
    bits &= UINT64_MAX >> 1;
    /* An integer below 2^53 has zeros behind the point. */
    unsigned places =
        (unsigned)(bits >> 52) - 1023; /* of the significand before the point, less one */
    if (places < 53 && bits << 12 << places == 0) {
        uint64_t whole = ((bits << 11) | 1ull << 63) >> (63 - places);
        return (size_t)(cw__put_below_ten_16(p, whole) - out);
    }
    if (CW_UNLIKELY(bits == 0)) {
        *p = '0';
        return (size_t)(p + 1 - out);
    }
    decimal d;
    if (CW_LIKELY(shortest_double(bits, &d))) {
        return (size_t)(put_decimal(p, d) - out);
    }
    return (size_t)(put_double_slow(p, bits) - out);
}

size_t cw__print_float(char *out, float v)
{
    assert(isfinite(v));
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    char *p = out;
    *p = '-';
    p += bits >> 31;
    bits &= UINT32_MAX >> 1;
    if (bits < (uint32_t)(127 + 24) << 23) { /* below 2^24 */
        int32_t whole = (int32_t)v;
        if ((float)whole == v) {
            return (size_t)(cw__put_below_ten_16(p, (uint64_t)(whole < 0 ? -whole : whole)) - out);
        }
    }
    return (size_t)(put_decimal(p, shortest_float(bits)) - out);
}
