/* SPDX-License-Identifier: MIT */
/* list.c: the growth rule that all lists and unknown fields share. */
#include "cwire/arena.h"

/* Lists of small elements that grow one by one start with this many. */
#define FIRST_ELEMENTS ((size_t)4)
#define SMALL_ELEMENT  ((size_t)16)

/* The product of two numbers below this is at most PTRDIFF_MAX: no division for them. */
#define HALF_SIZE ((size_t)1 << (sizeof(size_t) * 4 - 1))

/* Room for exactly `want` elements: in place when the list ends where the arena's free room begins,
 * else a copy. NULL: no memory. */
static void *resize(cw_arena *a, void *data, size_t len, size_t cap, size_t elem, size_t want)
{
    if (CW_UNLIKELY((want | elem) >= HALF_SIZE) && want > PTRDIFF_MAX / elem) {
        a->failure = CW_ERR_LIMIT;
        return NULL;
    }
    if (cap > 0) {
        size_t held = (cap * elem + 7) & ~(size_t)7;
        size_t more = ((want * elem + 7) & ~(size_t)7) - held;
        if ((char *)data + held == a->ptr && more <= (size_t)(a->end - a->ptr)) {
            a->ptr += more;
            return data;
        }
    }
    void *r = cw_arena_alloc(a, want * elem);
    if (r && len > 0) {
        memcpy(r, data, len * elem);
    }
    return r;
}

void *cw__list_grow(cw_arena *a, void *data, size_t len, size_t *cap, size_t elem, size_t add)
{
    if (add > SIZE_MAX - len) {
        a->failure = CW_ERR_LIMIT;
        return NULL;
    }
    size_t need = len + add;
    if (need <= *cap) {
        return data;
    }
    size_t want = *cap > SIZE_MAX / 2 ? need : 2 * *cap;
    if (want < need) {
        want = need;
    }
    if (want < FIRST_ELEMENTS && elem <= SMALL_ELEMENT) {
        want = FIRST_ELEMENTS;
    }
    void *r = resize(a, data, len, *cap, elem, want);
    if (!r && want > need && a->failure == CW_ERR_LIMIT) {
        want = need; /* what is left under the limit may do without doubling */
        r = resize(a, data, len, *cap, elem, want);
    }
    if (r) {
        *cap = want;
    }
    return r;
}
