/* SPDX-License-Identifier: MIT */
#include "alloc_count.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "cwire/port.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define BENCH_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define BENCH_SANITIZED 1
#endif
#if defined(__GLIBC__) && !defined(BENCH_SANITIZED)
#define BENCH_COUNTS 1
#else
#define BENCH_COUNTS 0
#endif

/* The one piece of global state: malloc has no argument that could carry it. */
static bool counting;
static bench_allocs counted;

bool bench_allocs_available(void)
{
    return BENCH_COUNTS;
}

void bench_allocs_start(void)
{
    counted = (bench_allocs){0, 0, 0};
    counting = true;
}

bench_allocs bench_allocs_stop(void)
{
    counting = false;
    return counted;
}

#if BENCH_COUNTS

/* glibc's own names for its allocator, exported for exactly this. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static CW_NOINLINE void count_call(size_t bytes)
{
    counted.calls++;
    counted.bytes += bytes;
}

void *malloc(size_t size)
{
    if (CW_UNLIKELY(counting)) {
        count_call(size);
    }
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (CW_UNLIKELY(counting)) {
        count_call(count * size);
    }
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    if (CW_UNLIKELY(counting)) {
        count_call(size);
    }
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    if (CW_UNLIKELY(counting)) {
        count_call(size);
    }
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    void *block = aligned_alloc(alignment, size);
    if (block == NULL) {
        return ENOMEM;
    }
    *out = block;
    return 0;
}

void free(void *block)
{
    if (CW_UNLIKELY(counting)) {
        counted.frees += block != NULL;
    }
    __libc_free(block);
}

#endif
