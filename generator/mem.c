/* SPDX-License-Identifier: MIT */
/* mem.c: the generator's arena and string table. See mem.h. */
#include "mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Large enough that a schema of thousands of fields takes few blocks. */
#define BLOCK_SIZE ((size_t)64 * 1024)

struct cwg_block {
    cwg_block *next;
    size_t used, size;
    max_align_t data[];
};

static void no_memory(void)
{
    fputs("protoc-gen-cwire: out of memory\n", stderr);
    exit(1);
}

void cwg_arena_free(cwg_arena *a)
{
    while (a->blocks) {
        cwg_block *next = a->blocks->next;
        free(a->blocks);
        a->blocks = next;
    }
}

void *cwg_new(cwg_arena *a, size_t count, size_t size)
{
    const size_t align = sizeof(max_align_t);
    if (size != 0 && count > (SIZE_MAX / 2 - sizeof(cwg_block)) / size)
        no_memory();
    size_t n = (count * size + align - 1) / align * align;
    cwg_block *b = a->blocks;
    if (!b || b->size - b->used < n) {
        size_t block_size = n > BLOCK_SIZE ? n : BLOCK_SIZE;
        b = calloc(1, sizeof *b + block_size);
        if (!b)
            no_memory();
        b->size = block_size;
        b->next = a->blocks;
        a->blocks = b;
    }
    void *r = (char *)b->data + b->used;
    b->used += n;
    return r;
}

char *cwg_dup_bytes(cwg_arena *a, const char *s, size_t len)
{
    char *r = cwg_new(a, len + 1, 1);
    if (len != 0)
        memcpy(r, s, len);
    return r;
}

char *cwg_dup(cwg_arena *a, const char *s)
{
    return s ? cwg_dup_bytes(a, s, strlen(s)) : NULL;
}

char *cwg_vprintf(cwg_arena *a, const char *format, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    if (!format) /* never; gcc's sanitizers make it wonder */
        format = "";
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0)
        no_memory();
    char *r = cwg_new(a, (size_t)n + 1, 1);
    vsnprintf(r, (size_t)n + 1, format, ap);
    return r;
}

char *cwg_printf(cwg_arena *a, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    char *r = cwg_vprintf(a, format, ap);
    va_end(ap);
    return r;
}

/* FNV-1a: short keys, no adversary that matters (a slow run of a build tool). */
static size_t hash(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

/* The slot of a key, or the empty slot where it belongs. cap is not 0. */
static size_t find_slot(const cwg_strmap *map, const char *key)
{
    size_t i = hash(key) & (map->cap - 1);
    while (map->keys[i] && strcmp(map->keys[i], key) != 0)
        i = (i + 1) & (map->cap - 1);
    return i;
}

void *cwg_map_get(const cwg_strmap *map, const char *key)
{
    if (map->cap == 0)
        return NULL;
    size_t i = find_slot(map, key);
    return map->keys[i] ? map->values[i] : NULL;
}

static void grow(cwg_arena *a, cwg_strmap *map)
{
    cwg_strmap bigger = {0};
    bigger.cap = map->cap ? map->cap * 2 : 64;
    bigger.used = map->used;
    bigger.keys = cwg_new(a, bigger.cap, sizeof *bigger.keys);
    bigger.values = cwg_new(a, bigger.cap, sizeof *bigger.values);
    for (size_t i = 0; i < map->cap; i++) {
        if (!map->keys[i])
            continue;
        size_t slot = find_slot(&bigger, map->keys[i]);
        bigger.keys[slot] = map->keys[i];
        bigger.values[slot] = map->values[i];
    }
    *map = bigger;
}

void *cwg_map_put(cwg_arena *a, cwg_strmap *map, const char *key, void *value)
{
    if (map->used * 2 >= map->cap)
        grow(a, map);
    size_t i = find_slot(map, key);
    if (map->keys[i])
        return map->values[i];
    map->keys[i] = key;
    map->values[i] = value;
    map->used++;
    return NULL;
}
