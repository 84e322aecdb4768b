/* SPDX-License-Identifier: MIT */
/*
 * Memory of the harness and of setups: never of a timed region, so that running out ends the run.
 * Blocks begin with a cache line: a row shall not depend on where the heap had room that day.
 */
#ifndef BENCH_MEM_H
#define BENCH_MEM_H

#include <stddef.h>

#include "cwire/str.h"

/* count * size zeroed bytes, at least one; dies when there is no memory. Release with free(). */
void *bench_calloc(size_t count, size_t size);

/* Zero bytes behind every copy that bench_clone makes: simdjson reads there, rapidjson stops there.
 * None in builds without C++ contenders, so that reading past the end is seen. */
#ifndef BENCH_SPARE
#define BENCH_SPARE 0
#endif

/* A copy of the bytes in a block of exactly their size (and BENCH_SPARE), for free(); an empty
 * view gives a block of at least one byte. Dies when there is no memory. */
cw_bytes bench_clone(cw_bytes bytes);

/* Releases a block that a view was given to own. */
void bench_release(cw_bytes block);

/* The text as bytes. */
static inline cw_bytes bench_bytes_of(cw_str text)
{
    return cw_bytes_of(text.data, text.len);
}

#endif
