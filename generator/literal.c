/* SPDX-License-Identifier: MIT */
/* literal.c: see literal.h. */
#include "literal.h"

#include <stdint.h>

size_t cwg_literal_size(size_t len)
{
    return len > (SIZE_MAX - 3) / 4 ? 0 : len * 4 + 3;
}

void cwg_literal_write(char *to, const char *bytes, size_t len)
{
    *to++ = '"';
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '"' || c == '\\' || (c == '?' && i > 0 && bytes[i - 1] == '?')) {
            *to++ = '\\';
            *to++ = (char)c;
        } else if (c >= 0x20 && c < 0x7f) {
            *to++ = (char)c;
        } else {
            *to++ = '\\';
            *to++ = (char)('0' + (c >> 6));
            *to++ = (char)('0' + (c >> 3 & 7));
            *to++ = (char)('0' + (c & 7));
        }
    }
    *to++ = '"';
    *to = '\0';
}
