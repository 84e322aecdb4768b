/* SPDX-License-Identifier: MIT */
/* core_support.h: what the tests of the runtime's core share. Included after cmocka.h. */
#ifndef CWIRE_TESTS_CORE_SUPPORT_H
#define CWIRE_TESTS_CORE_SUPPORT_H

#include "cwire/arena.h"

#include <stdlib.h>

/* Bytes in a heap block of exactly their size, so that a sanitizer sees an over-read. */
static inline uint8_t *exact_copy(const void *data, size_t n)
{
    uint8_t *r = malloc(n);
    if (!r) {
        r = malloc(1);
    }
    assert_non_null(r);
    if (n > 0) {
        memcpy(r, data, n);
    }
    return r;
}

/* An allocator that counts, and whose call number `fail_at` (from 1; 0: none) returns NULL. */
typedef struct counter {
    size_t calls;
    size_t live;
    size_t live_bytes;
    size_t largest;
    size_t fail_at;
} counter;

static inline void *counter_alloc(void *ctx, size_t size)
{
    counter *c = ctx;
    c->calls++;
    c->largest = size > c->largest ? size : c->largest;
    if (c->calls == c->fail_at) {
        return NULL;
    }
    c->live++;
    c->live_bytes += size;
    return malloc(size);
}

static inline void counter_free(void *ctx, void *block, size_t size)
{
    counter *c = ctx;
    c->live--;
    c->live_bytes -= size;
    free(block);
}

static inline cw_allocator counter_allocator(counter *c)
{
    cw_allocator r = {counter_alloc, counter_free, c};
    return r;
}

/* An arena on a counter; o may be NULL. */
static inline void counter_arena(cw_arena *a, counter *c, const cw_arena_options *o)
{
    cw_allocator alloc = counter_allocator(c);
    cw_arena_options with = {0};
    if (o) {
        with = *o;
    }
    with.alloc = &alloc;
    cw_arena_init(a, &with);
}

#endif
