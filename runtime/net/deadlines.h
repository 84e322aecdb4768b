/* SPDX-License-Identifier: MIT */
/* deadlines.h (internal): many points in time for one timer: a binary heap, the earliest on top. */
#ifndef CWIRE_NET_DEADLINES_H
#define CWIRE_NET_DEADLINES_H

#include "cwire/port.h"

/* A member of what is to be woken. Zeroed: not set. */
typedef struct cw__deadline {
    uint64_t due_ms;
    size_t place; /* in the heap, from 1; 0: not in it */
    void *owner;
} cw__deadline;

/* Zeroed is empty. Memory is kept until cw__deadlines_free. */
typedef struct cw__deadlines {
    cw__deadline **heap; /* heap[0] is the earliest */
    size_t len, cap;
} cw__deadlines;

/* Sets or moves; moving needs no memory. False: no memory, nothing changed. */
bool cw__deadlines_set(cw__deadlines *h, cw__deadline *d, uint64_t due_ms);
/* Does nothing to one that is not set. */
void cw__deadlines_remove(cw__deadlines *h, cw__deadline *d);
void cw__deadlines_free(cw__deadlines *h);

static inline cw__deadline *cw__deadlines_first(const cw__deadlines *h)
{
    return h->len > 0 ? h->heap[0] : NULL;
}

#endif
