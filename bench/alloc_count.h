/* SPDX-License-Identifier: MIT */
/*
 * Counts what a piece of work asks the heap for, the libraries' own requests included.
 *
 * Where the platform allows it (glibc with 64-bit ELF, no sanitizer) every loaded object's pointers
 * to malloc and its sisters lead to counting functions while the counter is on, and to the C
 * library's again afterwards. (Defining malloc in the program would count as well, but cost each
 * call a test and a jump in the timed runs: 5 % of protobuf-c's decode.) One thread at a time.
 */
#ifndef BENCH_ALLOC_COUNT_H
#define BENCH_ALLOC_COUNT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bench_allocs {
    uint64_t calls; /* malloc, calloc, realloc, aligned_alloc */
    uint64_t bytes; /* what they asked for */
    uint64_t frees; /* of a block, not of NULL */
} bench_allocs;

/* False: this build cannot count; the functions below then count nothing. */
bool bench_allocs_available(void);

void bench_allocs_start(void);

/* Ends it; what was asked for since the start. */
bench_allocs bench_allocs_stop(void);

#endif
