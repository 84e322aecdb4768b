/* SPDX-License-Identifier: MIT */
/* Both directions look up character by character; encoding takes 6 bytes at a time, decoding 4
 * characters. */
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

static const char alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Writes four characters for the 24 high bits of `v`. */
static void put_four(char *out, uint64_t v)
{
    out[0] = alphabet[v >> 58];
    out[1] = alphabet[v >> 52 & 63];
    out[2] = alphabet[v >> 46 & 63];
    out[3] = alphabet[v >> 40 & 63];
}

size_t cw__base64_encode(char *out, const uint8_t *data, size_t len)
{
    char *p = out;
    while (len >= 8) {
        /* Two bytes more than used are read, which keeps it one load. */
        uint64_t v = cw__swap64(cw__load64(data));
        put_four(p, v);
        put_four(p + 4, v << 24);
        p += 8;
        data += 6;
        len -= 6;
    }
    while (len > 0) {
        uint64_t v = (uint64_t)data[0] << 56;
        v |= len > 1 ? (uint64_t)data[1] << 48 : 0;
        v |= len > 2 ? (uint64_t)data[2] << 40 : 0;
        put_four(p, v);
        p += 4;
        if (len < 3) {
            p[-1] = '=';
            p[-2] = len < 2 ? '=' : p[-2];
            break;
        }
        data += 3;
        len -= 3;
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
