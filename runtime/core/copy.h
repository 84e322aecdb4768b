/* SPDX-License-Identifier: MIT */
/* copy.h: copies of the lengths that strings have, without a call. Private to runtime/core. */
#ifndef CWIRE_CORE_COPY_H
#define CWIRE_CORE_COPY_H

#include "cwire/port.h"

/* n bytes, 17 to 64, apart from each other: overlapping stores of 16 and 32 bytes; nothing outside
 * is read or written. */
CW_ALWAYS_INLINE void cw__copy_medium(void *to, const void *from, size_t n)
{
    char *t = (char *)to;
    const char *f = (const char *)from;
    uint64_t head[4], tail[4];
    if (n <= 32) {
        memcpy(head, f, 16);
        memcpy(tail, f + n - 16, 16);
        memcpy(t, head, 16);
        memcpy(t + n - 16, tail, 16);
    } else {
        memcpy(head, f, 32);
        memcpy(tail, f + n - 32, 32);
        memcpy(t, head, 32);
        memcpy(t + n - 32, tail, 32);
    }
}

#endif
