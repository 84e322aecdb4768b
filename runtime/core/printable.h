/* SPDX-License-Identifier: MIT */
/* printable.h: foreign text made fit for an error's path. */
#ifndef CWIRE_CORE_PRINTABLE_H
#define CWIRE_CORE_PRINTABLE_H

#include "cwire/str.h"

/* At most 80 bytes, no control characters; NUL-terminated. */
typedef struct cw__printable {
    char text[84];
    size_t len;
} cw__printable;

static inline void cw__make_printable(cw__printable *to, cw_str s)
{
    size_t n = s.len;
    if (n > 80) {
        n = 80;
        while (n > 0 && ((unsigned char)s.data[n] & 0xc0) == 0x80) {
            n--; /* not inside a character */
        }
    }
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s.data[i];
        to->text[i] = c < ' ' || c == 0x7f ? '?' : (char)c;
    }
    if (n < s.len) {
        memcpy(to->text + n, "...", 3);
        n += 3;
    }
    to->text[n] = 0;
    to->len = n;
}

#endif
