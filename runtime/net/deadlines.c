/* SPDX-License-Identifier: MIT */
#include "deadlines.h"

#include <stdlib.h>

enum { FIRST_CAP = 64 };

static void put(cw__deadlines *h, size_t at, cw__deadline *d)
{
    h->heap[at] = d;
    d->place = at + 1;
}

static void move_up(cw__deadlines *h, cw__deadline *d)
{
    size_t at = d->place - 1;
    while (at > 0) {
        cw__deadline *parent = h->heap[(at - 1) / 2];
        if (parent->due_ms <= d->due_ms) {
            break;
        }
        put(h, at, parent);
        at = (at - 1) / 2;
    }
    put(h, at, d);
}

static void move_down(cw__deadlines *h, cw__deadline *d)
{
    size_t at = d->place - 1;
    for (size_t child = 2 * at + 1; child < h->len; child = 2 * at + 1) {
        if (child + 1 < h->len && h->heap[child + 1]->due_ms < h->heap[child]->due_ms) {
            child++;
        }
        if (d->due_ms <= h->heap[child]->due_ms) {
            break;
        }
        put(h, at, h->heap[child]);
        at = child;
    }
    put(h, at, d);
}

bool cw__deadlines_set(cw__deadlines *h, cw__deadline *d, uint64_t due_ms)
{
    if (d->place == 0) {
        if (h->len == h->cap) {
            size_t cap = h->cap > 0 ? 2 * h->cap : FIRST_CAP;
            cw__deadline **heap = realloc(h->heap, cap * sizeof *heap);
            if (heap == NULL) {
                return false;
            }
            h->heap = heap;
            h->cap = cap;
        }
        put(h, h->len++, d);
    }
    d->due_ms = due_ms;
    move_up(h, d);
    move_down(h, d);
    return true;
}

void cw__deadlines_remove(cw__deadlines *h, cw__deadline *d)
{
    if (d->place == 0) {
        return;
    }
    size_t at = d->place - 1;
    d->place = 0;
    cw__deadline *last = h->heap[--h->len];
    if (last != d) {
        put(h, at, last);
        move_up(h, last);
        move_down(h, last);
    }
}

void cw__deadlines_free(cw__deadlines *h)
{
    free(h->heap);
    *h = (cw__deadlines){.heap = NULL};
}
