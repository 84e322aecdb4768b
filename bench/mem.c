/* SPDX-License-Identifier: MIT */
#include "mem.h"

#include <stdlib.h>

#include "die.h"

void *bench_calloc(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size ? size : 1);
    if (block == NULL) {
        bench_die("out of memory (%zu x %zu bytes)", count, size);
    }
    return block;
}

cw_bytes bench_clone(cw_bytes bytes)
{
    const size_t size = bytes.len + BENCH_SPARE;
    uint8_t *copy = malloc(size ? size : 1);
    if (copy == NULL) {
        bench_die("out of memory (%zu bytes)", bytes.len);
    }
    if (bytes.len > 0) {
        memcpy(copy, bytes.data, bytes.len);
    }
    memset(copy + bytes.len, 0, size - bytes.len);
    return cw_bytes_of(copy, bytes.len);
}

void bench_release(cw_bytes block)
{
    free((void *)(uintptr_t)block.data);
}
