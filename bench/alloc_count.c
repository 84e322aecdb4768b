/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dl_iterate_phdr */

#include "alloc_count.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#define BENCH_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BENCH_SANITIZED 1
#endif
#if defined(__GLIBC__) && UINTPTR_MAX > UINT32_MAX && !defined(BENCH_SANITIZED)
#define BENCH_COUNTS 1
#else
#define BENCH_COUNTS 0
#endif

bool bench_allocs_available(void)
{
    return BENCH_COUNTS;
}

#if BENCH_COUNTS

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

/* glibc's own names for its allocator: they are never diverted. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

enum { SLOTS_MAX = 256 };

/* A pointer that was diverted, and what it was. */
typedef struct slot {
    uintptr_t *at;
    uintptr_t was;
} slot;

/* Global, because malloc has no argument that could carry it. */
static bench_allocs counted;
static slot slots[SLOTS_MAX];
static size_t n_slots;

static void count_call(size_t bytes)
{
    counted.calls++;
    counted.bytes += bytes;
}

static void *counting_malloc(size_t size)
{
    count_call(size);
    return __libc_malloc(size);
}

static void *counting_calloc(size_t count, size_t size)
{
    count_call(count * size);
    return __libc_calloc(count, size);
}

static void *counting_realloc(void *block, size_t size)
{
    count_call(size);
    return __libc_realloc(block, size);
}

static void *counting_aligned_alloc(size_t alignment, size_t size)
{
    count_call(size);
    return __libc_memalign(alignment, size);
}

static void counting_free(void *block)
{
    counted.frees += block != NULL;
    __libc_free(block);
}

/* The counting function of that name; 0: none. */
static uintptr_t counter_named(const char *name)
{
    if (strcmp(name, "malloc") == 0) {
        return (uintptr_t)counting_malloc;
    }
    if (strcmp(name, "calloc") == 0) {
        return (uintptr_t)counting_calloc;
    }
    if (strcmp(name, "realloc") == 0) {
        return (uintptr_t)counting_realloc;
    }
    if (strcmp(name, "aligned_alloc") == 0) {
        return (uintptr_t)counting_aligned_alloc;
    }
    return strcmp(name, "free") == 0 ? (uintptr_t)counting_free : 0;
}

/* Writes a pointer that may lie in a page made read-only after loading. */
static bool divert(uintptr_t *at, uintptr_t to)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *begin = (void *)((uintptr_t)at & ~(page - 1));
    if (n_slots == SLOTS_MAX || mprotect(begin, page, PROT_READ | PROT_WRITE) != 0) {
        return false;
    }
    slots[n_slots++] = (slot){at, *at};
    *at = to;
    return true;
}

/* What of an object's dynamic section is needed; addresses are absolute. */
typedef struct tables {
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * rela[2]; /* of data, of the procedure linkage table */
    size_t rela_size[2];
} tables;

static tables find_tables(const struct dl_phdr_info *object, const ElfW(Dyn) * d)
{
    tables t = {0};
    for (; d->d_tag != DT_NULL; d++) {
        /* The loader makes these absolute in most objects, not in all. */
        uintptr_t p = d->d_un.d_ptr;
        p += p < object->dlpi_addr ? object->dlpi_addr : 0;
        switch (d->d_tag) {
        case DT_SYMTAB:
            t.symbols = (const ElfW(Sym) *)p;
            break;
        case DT_STRTAB:
            t.names = (const char *)p;
            break;
        case DT_RELA:
            t.rela[0] = (const ElfW(Rela) *)p;
            break;
        case DT_JMPREL:
            t.rela[1] = (const ElfW(Rela) *)p;
            break;
        case DT_RELASZ:
            t.rela_size[0] = d->d_un.d_val;
            break;
        case DT_PLTRELSZ:
            t.rela_size[1] = d->d_un.d_val;
            break;
        default:
            break;
        }
    }
    return t;
}

static int divert_object(struct dl_phdr_info *object, size_t size, void *ctx)
{
    (void)size;
    (void)ctx;
    const ElfW(Dyn) *dynamic = NULL;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            dynamic = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        }
    }
    tables t = {0};
    if (dynamic != NULL) {
        t = find_tables(object, dynamic);
    }
    for (size_t k = 0; k < 2 && t.symbols != NULL && t.names != NULL; k++) {
        size_t n = t.rela[k] != NULL ? t.rela_size[k] / sizeof *t.rela[k] : 0;
        for (size_t i = 0; i < n; i++) {
            const ElfW(Rela) *r = &t.rela[k][i];
            uintptr_t to = counter_named(t.names + t.symbols[ELF64_R_SYM(r->r_info)].st_name);
            if (to != 0) {
                divert((uintptr_t *)(object->dlpi_addr + r->r_offset), to);
            }
        }
    }
    return 0;
}

void bench_allocs_start(void)
{
    counted = (bench_allocs){0, 0, 0};
    n_slots = 0;
    dl_iterate_phdr(divert_object, NULL);
}

bench_allocs bench_allocs_stop(void)
{
    while (n_slots > 0) {
        n_slots--;
        *slots[n_slots].at = slots[n_slots].was;
    }
    return counted;
}

#else

void bench_allocs_start(void)
{
}

bench_allocs bench_allocs_stop(void)
{
    return (bench_allocs){0, 0, 0};
}

#endif
