/* SPDX-License-Identifier: MIT */
/*
 * utf8_tables.h: what is wrong with two bytes that follow each other, for the vector paths.
 *
 * Each bit is one mistake. A pair (a, b) makes it when all three of first_high[a >> 4],
 * first_low[a & 15] and second_high[b >> 4] have its bit, so three look-ups of 16 entries find all
 * mistakes of 16 or 32 pairs at once. PAIR is no mistake by itself: a continuation byte
 * after a continuation byte, which is right exactly where a byte from 0xe0 on stands two places
 * before or one from 0xf0 on three.
 *
 * (Unicode 15, table 3-7.)
 */
#ifndef CWIRE_CORE_UTF8_TABLES_H
#define CWIRE_CORE_UTF8_TABLES_H

#include <stdint.h>

enum {
    SHORT = 0x01,     /* a lead byte, then none that continues it */
    LONG = 0x02,      /* ASCII, then a continuation byte */
    THREE = 0x04,     /* e0 80 to e0 9f: overlong */
    LARGE = 0x08,     /* f4 90 and above, f5 to ff with 90 to bf */
    SURROGATE = 0x10, /* ed a0 to ed bf */
    TWO = 0x20,       /* c0, c1: overlong */
    FOUR = 0x40,      /* f0 80 to f0 8f: overlong; f5 to ff with 80 to 8f: too large */
    PAIR = 0x80,
    ANY_LOW = SHORT | LONG | PAIR, /* whatever the lower half of the first byte is */
    ABOVE_F4 = ANY_LOW | LARGE | FOUR
};

static const uint8_t first_high[16] = {
    LONG,
    LONG,
    LONG,
    LONG,
    LONG,
    LONG,
    LONG,
    LONG,
    PAIR,
    PAIR,
    PAIR,
    PAIR,
    SHORT | TWO,
    SHORT,
    SHORT | THREE | SURROGATE,
    SHORT | LARGE | FOUR,
};

static const uint8_t first_low[16] = {
    ANY_LOW | THREE | TWO | FOUR,
    ANY_LOW | TWO,
    ANY_LOW,
    ANY_LOW,
    ANY_LOW | LARGE,
    ABOVE_F4,
    ABOVE_F4,
    ABOVE_F4,
    ABOVE_F4,
    ABOVE_F4,
    ABOVE_F4,
    ABOVE_F4,
    ABOVE_F4,
    ABOVE_F4 | SURROGATE,
    ABOVE_F4,
    ABOVE_F4,
};

static const uint8_t second_high[16] = {
    SHORT,
    SHORT,
    SHORT,
    SHORT,
    SHORT,
    SHORT,
    SHORT,
    SHORT,
    LONG | PAIR | TWO | THREE | FOUR,
    LONG | PAIR | TWO | THREE | LARGE,
    LONG | PAIR | TWO | SURROGATE | LARGE,
    LONG | PAIR | TWO | SURROGATE | LARGE,
    SHORT,
    SHORT,
    SHORT,
    SHORT,
};

#endif
