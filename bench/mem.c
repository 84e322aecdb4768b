/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */

#include "mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

enum { LINE = 64 }; /* of a cache */

void *bench_calloc(size_t count, size_t size)
{
    void *block = NULL;
    const size_t most = SIZE_MAX / (size ? size : 1);
    const size_t n = count <= most ? count * size : SIZE_MAX;
    if (count > most || posix_memalign(&block, LINE, n ? n : 1) != 0) {
        bench_die("out of memory (%zu x %zu bytes)", count, size);
    }
    return memset(block, 0, n);
}

cw_bytes bench_clone(cw_bytes bytes)
{
    const size_t size = bytes.len + BENCH_SPARE;
    void *block = NULL;
    if (posix_memalign(&block, LINE, size ? size : 1) != 0) {
        bench_die("out of memory (%zu bytes)", bytes.len);
    }
    uint8_t *copy = block;
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
