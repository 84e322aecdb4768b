/* SPDX-License-Identifier: MIT */
/*
 * Encoding turns 6 bytes into 8 characters in one 64-bit word: spread into 6-bit groups, then into
 * characters by adding what the ranges of the alphabet are apart. Decoding looks each character up.
 */
#include "base64.h"

#include "cwire/port.h"

/* ---- Encoding --------------------------------------------------------------------------- */

bool cw__base64_encoded_size(size_t len, size_t *size)
{
    size_t groups = len / 3 + (len % 3 != 0);
    if (groups > SIZE_MAX / 4) {
        return false;
    }
    *size = groups * 4;
    return true;
}

/* One in each of the eight bytes of `values` (0 to 63) that is at least `bound`. */
static uint64_t at_least(uint64_t values, unsigned bound)
{
    return (values + (128 - bound) * 0x0101010101010101u) >> 7 & 0x0101010101010101u;
}

/* The 48 low bits as eight characters, the first in the highest byte. */
static uint64_t eight_characters(uint64_t v)
{
    /* 2 x 24 bits, 4 x 12, 8 x 6 */
    v = (v << 8 & 0x00ffffff00000000u) | (v & 0x0000000000ffffffu);
    v = (v << 4 & 0x0fff00000fff0000u) | (v & 0x00000fff00000fffu);
    v = (v << 2 & 0x3f003f003f003f00u) | (v & 0x003f003f003f003fu);
    /* A-Z from 65, a-z from 97 - 26, 0-9 from 48 - 52, then '+' and '/'. Every byte ends between 43
     * and 122, so what bytes borrow from each other in between evens out. */
    return v + 'A' * 0x0101010101010101u + 6 * at_least(v, 26) - 75 * at_least(v, 52) -
           15 * at_least(v, 62) + 3 * at_least(v, 63);
}

size_t cw__base64_encode(char *out, const uint8_t *data, size_t len)
{
    char *p = out;
    while (len >= 8) {
        /* Two bytes more than used are read, which keeps it one load. */
        cw__store64(p, cw__swap64(eight_characters(cw__swap64(cw__load64(data)) >> 16)));
        p += 8;
        data += 6;
        len -= 6;
    }
    while (len > 0) {
        size_t n = len < 3 ? len : 3;
        uint64_t group = (uint64_t)data[0] << 16;
        if (n > 1) {
            group |= (uint64_t)data[1] << 8;
        }
        if (n > 2) {
            group |= data[2];
        }
        /* The group's four characters are the first four of eight. */
        uint32_t characters = (uint32_t)(eight_characters(group << 24) >> 32);
        cw__store32(p, cw__swap32(characters));
        if (n < 3) {
            p[3] = '=';
            p[2] = n < 2 ? '=' : p[2];
        }
        p += 4;
        data += n;
        len -= n;
    }
    return (size_t)(p - out);
}

/* ---- Decoding --------------------------------------------------------------------------- */

#define BAD 0x80

/* The value of each character, `+/` and `-_` alike. */
static const uint8_t values[256] = {
    /* clang-format off */
    BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD,
    BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD,
    BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD,  62, BAD,  62, BAD,  63,
     52,  53,  54,  55,  56,  57,  58,  59,  60,  61, BAD, BAD, BAD, BAD, BAD, BAD,
    BAD,   0,   1,   2,   3,   4,   5,   6,   7,   8,   9,  10,  11,  12,  13,  14,
     15,  16,  17,  18,  19,  20,  21,  22,  23,  24,  25, BAD, BAD, BAD, BAD,  63,
    BAD,  26,  27,  28,  29,  30,  31,  32,  33,  34,  35,  36,  37,  38,  39,  40,
     41,  42,  43,  44,  45,  46,  47,  48,  49,  50,  51, BAD, BAD, BAD, BAD, BAD,
    BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD,
    BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD,
    BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD,
    BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD,
    BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD,
    BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD,
    BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD,
    BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD,
    /* clang-format on */
};

bool cw__base64_decode(uint8_t *out, size_t *out_len, const char *s, size_t len, size_t *bad)
{
    /* Padding counts only where it fills up a group of four. */
    size_t used = len;
    if (len % 4 == 0 && len > 0 && s[len - 1] == '=') {
        used -= s[len - 2] == '=' ? 2 : 1;
    }
    const uint8_t *p = (const uint8_t *)s;
    const uint8_t *end = p + used;
    uint8_t *to = out;
    for (; end - p >= 4; p += 4, to += 3) {
        uint32_t a = values[p[0]], b = values[p[1]], c = values[p[2]], d = values[p[3]];
        if (CW_UNLIKELY((a | b | c | d) & BAD)) {
            break;
        }
        uint32_t group = a << 18 | b << 12 | c << 6 | d;
        to[0] = (uint8_t)(group >> 16);
        to[1] = (uint8_t)(group >> 8);
        to[2] = (uint8_t)group;
    }
    /* The rest: fewer than four characters, or a foreign one among the next four. */
    uint32_t group = 0;
    size_t n = 0;
    for (; p + n < end; n++) {
        uint8_t value = values[p[n]];
        if (value == BAD) {
            *bad = (size_t)(p - (const uint8_t *)s) + n;
            return false;
        }
        group |= (uint32_t)value << (18 - 6 * n);
    }
    if (n == 1) {
        *bad = used - 1;
        return false;
    }
    if (n >= 2) {
        *to++ = (uint8_t)(group >> 16);
    }
    if (n >= 3) {
        *to++ = (uint8_t)(group >> 8);
    }
    *out_len = (size_t)(to - out);
    return true;
}
