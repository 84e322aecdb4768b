/* SPDX-License-Identifier: MIT */
/*
 * Numbers as text: the shortest decimal of a double or float, and the exact value of a JSON number.
 *
 * Pure integer arithmetic: no locale, no rounding mode, no floating-point library. Nothing is
 * allocated and nothing beyond `end` is read. Both directions share one table of powers of ten
 * (number_tables.c).
 */
#ifndef CWIRE_CORE_NUMBER_H
#define CWIRE_CORE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cwire/port.h"

/* ---- The 128-bit product, which compilers spell differently ----------------------------- */

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 cw__u128;

/* The low half of a * b; the high half goes to *high. */
static inline uint64_t cw__multiply64(uint64_t a, uint64_t b, uint64_t *high)
{
    cw__u128 product = (cw__u128)a * b;
    *high = (uint64_t)(product >> 64);
    return (uint64_t)product;
}
#else
/* The low half of a * b; the high half goes to *high. */
static inline uint64_t cw__multiply64(uint64_t a, uint64_t b, uint64_t *high)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t cross = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (a & UINT32_MAX) * (b >> 32) + (cross & UINT32_MAX);
    *high = (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
    return other << 32 | (low & UINT32_MAX);
}
#endif

/* ---- Printing --------------------------------------------------------------------------- */

/* Room that the two printers need at `out`; they may write anywhere in it, also behind the text. */
#define CW__DOUBLE_MAX 32

/*
 * Writes `v` as a JSON number and returns its length (at most 25); no NUL is added.
 *
 * The digits are the fewest that read back as exactly `v`, and of those the closest to it; the form
 * is that of JavaScript's Number.prototype.toString: `100`, `0.000001`, `1e-7`,
 * `123456789012345680000`, `1e+21`. Negative zero is `-0`, so that it reads back too. `v` must be
 * finite: ProtoJSON's "NaN" and "Infinity" are the caller's business (asserted). `out` has
 * CW__DOUBLE_MAX bytes of room.
 */
size_t cw__print_double(char *out, double v);

/* The same for a float: the fewest digits that read back as exactly `v` when read as a float. */
size_t cw__print_float(char *out, float v);

/* ---- Parsing ---------------------------------------------------------------------------- */

typedef enum cw__number_status {
    CW__NUMBER_OK,
    CW__NUMBER_NONE,     /* no JSON number begins here */
    CW__NUMBER_RANGE,    /* too large in magnitude for the type */
    CW__NUMBER_FRACTION, /* cw__parse_integer_text: the value is not an integer */
} cw__number_status;

/*
 * Reads the longest JSON number (RFC 8259: no leading zeros, no `+`, no bare point) that begins at
 * `p` and returns its end; what may follow is for the caller to judge (`01` reads as `0`, `1.` as
 * `1`, `2e` as `2`).
 *
 * The value is rounded once, to nearest and ties to even, whatever the number of digits; a tiny one
 * becomes subnormal or (signed) zero, which is no error. *status: CW__NUMBER_OK     *out is the
 * value; CW__NUMBER_NONE   nothing was read, `p` is returned and *out untouched; CW__NUMBER_RANGE
 * the number is well-formed (its end is returned) and rounds to infinity, which *out gets. Time is
 * linear in the length, with at most some microseconds on top for values next to a rounding border.
 */
const char *cw__parse_double(const char *p, const char *end, double *out,
                             cw__number_status *status);

/* The same for a float, rounded directly (not by way of double); CW__NUMBER_RANGE from 2^128 -
 * 2^103 on. */
const char *cw__parse_float(const char *p, const char *end, float *out, cw__number_status *status);

/*
 * Reads a JSON number in any spelling as an exact integer: `1e3`, `100.000` and `10e-1` are
 * integers, `0.5` and `1e-1` are not. Returns the number's end (`p` and CW__NUMBER_NONE when there
 * is none). On CW__NUMBER_OK the value is *magnitude, negated when *negative; `-0` gives 0 with
 * *negative set. On CW__NUMBER_FRACTION (not an integer) and CW__NUMBER_RANGE (magnitude over
 * UINT64_MAX) both are untouched. The range of the field's own type is for the caller. Time is
 * linear in the length, whatever the exponent.
 */
const char *cw__parse_integer_text(const char *p, const char *end, bool *negative,
                                   uint64_t *magnitude, cw__number_status *status);

/* ---- Tables ----------------------------------------------------------------------------- */

#define CW__POWER_OF_TEN_MIN (-342)
#define CW__POWER_OF_TEN_MAX 324

/*
 * 10^(CW__POWER_OF_TEN_MIN + i) as {high, low}: the leading 128 bits, the first of them one,
 * rounded up. Exact for 10^0 to 10^55; no other entry has a zero low half. Made by
 * tools/make_number_tables.py.
 */
extern const uint64_t cw__powers_of_ten[CW__POWER_OF_TEN_MAX - CW__POWER_OF_TEN_MIN + 1][2];

/* floor(log2(10^n)) for |n| <= 1233. Right shifts of negative values are arithmetic (as in gcc and
 * clang). */
static inline int cw__log2_of_power_of_ten(int n)
{
    return n * 1741647 >> 19;
}

#endif
