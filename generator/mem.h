/* SPDX-License-Identifier: MIT */
/*
 * mem.h: the arena that owns the model, and a table of strings. The plugin is a short-lived
 * program: when memory runs out here it says so on stderr and exits with 1, so callers need no
 * checks.
 */
#ifndef CWG_MEM_H
#define CWG_MEM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cwg_block cwg_block;

/* {0} is an empty arena. */
typedef struct cwg_arena {
    cwg_block *blocks;
} cwg_arena;

void cwg_arena_free(cwg_arena *a);

/* Zeroed memory, aligned for any type, valid until cwg_arena_free. count * size is checked. */
void *cwg_new(cwg_arena *a, size_t count, size_t size);

/* Copies, NUL-terminated. cwg_dup(NULL) is NULL. */
char *cwg_dup(cwg_arena *a, const char *s);
char *cwg_dup_bytes(cwg_arena *a, const char *s, size_t len);
char *cwg_printf(cwg_arena *a, const char *format, ...);
char *cwg_vprintf(cwg_arena *a, const char *format, va_list ap);

/*
 * Strings -> pointers. Keys are not copied: they must live as long as the map. {0} is an empty map;
 * its memory comes from the arena that is passed to cwg_map_put.
 */
typedef struct cwg_strmap {
    const char **keys;
    void **values;
    size_t used, cap; /* cap: 0 or a power of two */
} cwg_strmap;

/* The value of a key; NULL when it is not there. */
void *cwg_map_get(const cwg_strmap *map, const char *key);

/* Adds a key; when it is there already nothing changes and the value that it has is returned, else
 * NULL. */
void *cwg_map_put(cwg_arena *a, cwg_strmap *map, const char *key, void *value);

#endif
