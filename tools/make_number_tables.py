#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints runtime/core/number_tables.c: the leading 128 bits of the powers of ten, rounded up.

    python3 tools/make_number_tables.py > runtime/core/number_tables.c

MIN is the smallest power that the parser meets (10^-343 times any 64-bit number is below half of
the smallest double), MAX the largest that the printer needs (for the subnormals).
"""

MIN, MAX = -342, 324
EXACT = range(0, 56)  # 5^55 < 2^128 < 5^56
HEAD = """\
/* SPDX-License-Identifier: MIT */
/* Made by tools/make_number_tables.py; see number.h for the meaning. */
#include "number.h"

const uint64_t cw__powers_of_ten[CW__POWER_OF_TEN_MAX - CW__POWER_OF_TEN_MIN + 1][2] = {"""


def leading_bits(n):
    """ceil(10^n * 2^s), with s such that the result has 128 bits, and whether it is exact."""
    numerator, denominator = (10**n, 1) if n >= 0 else (1, 10**-n)
    shift = 128 - (numerator.bit_length() - denominator.bit_length())
    for s in (shift, shift - 1, shift + 1):
        top, bottom = (numerator << s, denominator) if s >= 0 else (numerator, denominator << -s)
        value = top // bottom
        if value.bit_length() == 128:
            exact = value * bottom == top
            return value + (not exact), exact
    raise AssertionError(n)


def main():
    print(HEAD)
    for n in range(MIN, MAX + 1):
        value, exact = leading_bits(n)
        high, low = value >> 64, value & (2**64 - 1)
        # What the C code relies on.
        assert value < 2**128 and exact == (n in EXACT)
        assert exact or low != 0, "the parser takes an entry's high half as a lower bound"
        assert high + (low != 0) < 2**64, "the float printer rounds the high half up"
        print(f"    {{0x{high:016x}, 0x{low:016x}}}, /* 10^{n} */")
    print("};")


main()
