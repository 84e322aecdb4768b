/* SPDX-License-Identifier: MIT */
#include "buffer.h"

#include <stdlib.h>

enum { FIRST_SIZE = 512 };

uint8_t *cw__buf_reserve(cw__buf *b, size_t n)
{
    if (n <= b->cap - b->end && b->data != NULL) {
        return b->data + b->end;
    }
    size_t len = b->end - b->start;
    if (b->data != NULL && n <= b->cap - len && b->start >= len) {
        /* At least half of what is held was taken: moving costs less than it has saved. */
        memcpy(b->data, b->data + b->start, len);
        b->start = 0;
        b->end = len;
        return b->data + len;
    }
    if (n > SIZE_MAX / 2 - len) {
        return NULL;
    }
    size_t cap = b->cap > FIRST_SIZE ? b->cap : FIRST_SIZE;
    while (cap < len + n) {
        cap *= 2;
    }
    uint8_t *data = malloc(cap);
    if (data == NULL) {
        return NULL;
    }
    if (len > 0) {
        memcpy(data, b->data + b->start, len);
    }
    free(b->data);
    *b = (cw__buf){data, 0, len, cap};
    return data + len;
}

bool cw__buf_append(cw__buf *b, const void *data, size_t n)
{
    if (n == 0) {
        return true;
    }
    uint8_t *to = cw__buf_reserve(b, n);
    if (to == NULL) {
        return false;
    }
    memcpy(to, data, n);
    b->end += n;
    return true;
}

void cw__buf_free(cw__buf *b)
{
    free(b->data);
    *b = (cw__buf){NULL, 0, 0, 0};
}

void cw__buf_trim(cw__buf *b, size_t keep)
{
    if (b->cap > keep) {
        cw__buf_free(b);
    } else {
        cw__buf_clear(b);
    }
}
