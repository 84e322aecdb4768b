/* SPDX-License-Identifier: MIT */
/* buffer.h (internal): bytes that are appended at the end and taken from the front. */
#ifndef CWIRE_NET_BUFFER_H
#define CWIRE_NET_BUFFER_H

#include "cwire/str.h"

/* Zeroed is empty. The content is data[start..end). */
typedef struct cw__buf {
    uint8_t *data;
    size_t start, end, cap;
} cw__buf;

static inline size_t cw__buf_len(const cw__buf *b)
{
    return b->end - b->start;
}

static inline cw_bytes cw__buf_bytes(const cw__buf *b)
{
    return cw_bytes_of(b->data ? b->data + b->start : NULL, b->end - b->start);
}

/*
 * Room for n more bytes at the end (what was taken from the front is reused first); where to write
 * them, or NULL: no memory, nothing changed. Then cw__buf_added. Moves the content.
 */
uint8_t *cw__buf_reserve(cw__buf *b, size_t n);

static inline void cw__buf_added(cw__buf *b, size_t n)
{
    b->end += n;
}

/* False: no memory, nothing changed. */
bool cw__buf_append(cw__buf *b, const void *data, size_t n);

static inline bool cw__buf_append_bytes(cw__buf *b, cw_bytes s)
{
    return cw__buf_append(b, s.data, s.len);
}

/* Takes n bytes (n <= length) from the front. */
static inline void cw__buf_take(cw__buf *b, size_t n)
{
    b->start += n;
    if (b->start == b->end) {
        b->start = b->end = 0;
    }
}

/* Empty, the memory kept. */
static inline void cw__buf_clear(cw__buf *b)
{
    b->start = b->end = 0;
}

/* Empty, the memory returned. */
void cw__buf_free(cw__buf *b);

/* What is kept, as a rule, of a body's memory for the next one. */
enum { CW__KEPT_BODY = 65536 };

/* Empty, the memory returned when it is more than `keep` bytes: what a large message leaves behind
 * in a connection that idles or in a recycled call. */
void cw__buf_trim(cw__buf *b, size_t keep);

#endif
