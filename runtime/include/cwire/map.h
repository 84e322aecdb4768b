/* SPDX-License-Identifier: MIT */
/*
 * map.h: maps are lists of entries sorted by key, each key once. Parsers append and sort once a
 * message; _get searches. All functions know of an entry only its size; its key is its first
 * member.
 */
#ifndef CWIRE_MAP_H
#define CWIRE_MAP_H

#include "cwire/arena.h"
#include "cwire/str.h"

CW_BEGIN_DECLS

/* Order of two entries by key: < 0, 0, > 0. */
typedef int cw__map_compare(const void *a, const void *b);

/*
 * Sorts the *len entries of `elem` bytes at data by key and keeps of equal keys the last one; *len
 * is then the number of entries that are left. Stable, O(n log n) for every input, one look when
 * they are in order already. Scratch of *len * elem bytes must be free in the arena, and is not
 * kept. False: no memory (cw_arena.failure); the list is then as before.
 */
CW_API bool cw__map_sort(cw_arena *a, void *data, size_t *len, size_t elem,
                         cw__map_compare *compare);

/*
 * The same for input in which a key may be given only once: sorts, drops nothing, and sets *second
 * to the place of an entry whose key is that of the one before it; SIZE_MAX: there is none.
 */
CW_API bool cw__map_sort_strict(cw_arena *a, void *data, size_t len, size_t elem,
                                cw__map_compare *compare, size_t *second);

/*
 * Where in the sorted entries the key of *key_elem (an entry of which only the key is looked at) is
 * (*found: true) or belongs: 0 to len. data may be NULL when len is 0.
 */
CW_API size_t cw__map_find(const void *data, size_t len, size_t elem, const void *key_elem,
                           cw__map_compare *compare, bool *found);

/* Orders for each class of keys; an entry's first member is its key. */

static inline int cw__map_compare_int32(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static inline int cw__map_compare_int64(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static inline int cw__map_compare_uint32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static inline int cw__map_compare_uint64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static inline int cw__map_compare_bool(const void *a, const void *b)
{
    return *(const bool *)a - *(const bool *)b;
}

static inline int cw__map_compare_str(const void *a, const void *b)
{
    return cw_str_compare(*(const cw_str *)a, *(const cw_str *)b);
}

CW_END_DECLS
#endif
