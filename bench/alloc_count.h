/* SPDX-License-Identifier: MIT */
/*
 * Counts what a piece of work asks the heap for, the libraries' own requests included.
 *
 * Where the platform allows it (glibc, no sanitizer), malloc and its sisters are defined by this
 * program and stand in front of the C library's for every shared library too. While the counter is
 * off they cost a test of one flag and a jump. One thread at a time counts.
 */
#ifndef BENCH_ALLOC_COUNT_H
#define BENCH_ALLOC_COUNT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bench_allocs {
    uint64_t calls; /* malloc, calloc, realloc, aligned_alloc, posix_memalign */
    uint64_t bytes; /* what they asked for */
    uint64_t frees; /* of a block, not of NULL */
} bench_allocs;

/* False: this build cannot count; the functions below then count nothing. */
bool bench_allocs_available(void);

void bench_allocs_start(void);

/* Ends it; what was asked for since the start. */
bench_allocs bench_allocs_stop(void);

#endif
