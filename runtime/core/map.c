/* SPDX-License-Identifier: MIT */
/* map.c: sorting and searching the entries of a map. */
#include "cwire/map.h"

/* What the sort works on: entries are known by their size and order alone. */
typedef struct sorter {
    size_t elem;
    cw__map_compare *compare;
} sorter;

/* Each key greater than the one before: nothing to do. */
static bool in_order(const sorter *s, const char *data, size_t len)
{
    for (size_t i = 1; i < len; i++) {
        if (s->compare(data + (i - 1) * s->elem, data + i * s->elem) >= 0) {
            return false;
        }
    }
    return true;
}

/* Merges the sorted [from, mid) and [mid, end) to `to`; of equal keys the left one first. */
static void merge(const sorter *s, char *to, const char *from, const char *mid, const char *end)
{
    const char *left = from, *right = mid;
    if (mid == end || s->compare(mid - s->elem, mid) <= 0) {
        memcpy(to, from, (size_t)(end - from));
        return;
    }
    while (left < mid && right < end) {
        const char **next = s->compare(left, right) <= 0 ? &left : &right;
        memcpy(to, *next, s->elem);
        *next += s->elem;
        to += s->elem;
    }
    memcpy(to, left, (size_t)(mid - left));
    to += mid - left;
    memcpy(to, right, (size_t)(end - right));
}

/* Sorts n bytes of entries at data, with as much scratch; returns which of the two holds the
 * result. */
static char *merge_sort(const sorter *s, char *data, char *scratch, size_t n)
{
    char *from = data, *to = scratch;
    for (size_t run = s->elem; run < n;) {
        for (size_t at = 0; at < n;) {
            size_t left = n - at < run ? n - at : run;
            size_t right = n - at - left < run ? n - at - left : run;
            merge(s, to + at, from + at, from + at + left, from + at + left + right);
            at += left + right;
        }
        char *sorted = to;
        to = from;
        from = sorted;
        run = run > n / 2 ? n : 2 * run;
    }
    return from;
}

/* Moves the entries to `to` (may be `from`), of equal keys only the last one; returns how many. */
static size_t unique(const sorter *s, char *to, const char *from, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        const char *x = from + i * s->elem;
        if (i + 1 < len && s->compare(x, x + s->elem) == 0) {
            continue;
        }
        if (to + n * s->elem != x) {
            memcpy(to + n * s->elem, x, s->elem);
        }
        n++;
    }
    return n;
}

bool cw__map_sort(cw_arena *a, void *data, size_t *len, size_t elem, cw__map_compare *compare)
{
    sorter s = {elem, compare};
    if (*len < 2 || in_order(&s, data, *len)) {
        return true;
    }
    size_t n = *len * elem;
    if (!cw__arena_room(a, n)) {
        return false;
    }
    char *sorted = merge_sort(&s, data, a->ptr, n);
    *len = unique(&s, data, sorted, *len);
    return true;
}

bool cw__map_sort_strict(cw_arena *a, void *data, size_t len, size_t elem, cw__map_compare *compare,
                         size_t *second)
{
    sorter s = {elem, compare};
    *second = SIZE_MAX;
    if (len < 2 || in_order(&s, data, len)) {
        return true;
    }
    size_t n = len * elem;
    if (!cw__arena_room(a, n)) {
        return false;
    }
    char *sorted = merge_sort(&s, data, a->ptr, n);
    if (sorted != data) {
        memcpy(data, sorted, n);
    }
    for (size_t i = 1; i < len; i++) {
        if (compare(sorted + (i - 1) * elem, sorted + i * elem) == 0) {
            *second = i;
            break;
        }
    }
    return true;
}

size_t cw__map_find(const void *data, size_t len, size_t elem, const void *key_elem,
                    cw__map_compare *compare, bool *found)
{
    size_t low = 0, high = len;
    *found = false;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int c = compare((const char *)data + mid * elem, key_elem);
        if (c == 0) {
            *found = true;
            return mid;
        }
        if (c < 0) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}
