/* SPDX-License-Identifier: MIT */
/*
 * The scalars of a message, found through its type, and how to reach each of them in a decoded
 * struct of any library.
 *
 * A leaf is a place in a message: steps of field number and index. A contender turns leaves into
 * probes for the layout of its own structs; the harness reads and writes through probes, so that it
 * can change a field of the input and look at fields of the result without knowing the library.
 */
#ifndef BENCH_PATH_H
#define BENCH_PATH_H

#include "cwire/cwire.h"

/* Fields deeper than this are no leaves (the data generator stays well above). */
#define BENCH_PATH_MAX 10

typedef struct bench_step {
    uint32_t number; /* of the field in its message (map entries: 1 or 2) */
    uint32_t index;  /* in a list; 0 for singular fields */
} bench_step;

typedef struct bench_leaf {
    bench_step steps[BENCH_PATH_MAX];
    uint32_t n_steps;
    cw_kind kind;  /* never a message */
    uint32_t byte; /* strings and bytes: which byte of the contents is looked at: the last */
    bool is_key;   /* inside a map's key: must not be changed */
} bench_leaf;

typedef struct bench_leaves {
    bench_leaf *data;
    size_t len, cap;
} bench_leaves;

/* All present scalars of the message in field order; empty strings and bytes are none. Dies without
 * memory; release with bench_leaves_free. */
bench_leaves bench_leaves_of(const cw_type *type, const void *message);
void bench_leaves_free(bench_leaves *leaves);

/*
 * How to reach a scalar: add offset[0] to the message's address and load a pointer, add offset[1]
 * and load a pointer, and so on; the last offset leads to the value itself, `width` bytes.
 */
typedef struct bench_probe {
    size_t offset[2 * BENCH_PATH_MAX + 2];
    uint32_t n;
    uint32_t width; /* 1, 4 or 8 */
    uintptr_t tag;  /* bits of the loaded pointers that are no part of an address; mostly 0 */
} bench_probe;

/* The leaf in cwire's struct of that type; false: the type has no such place. */
bool bench_probe_cwire(const cw_type *type, const bench_leaf *leaf, bench_probe *out);

/* The address of the probed value in the message. */
static inline const uint8_t *bench_probe_at(const bench_probe *probe, const void *message)
{
    const uint8_t *at = (const uint8_t *)message;
    for (uint32_t i = 0; i + 1 < probe->n; i++) {
        uintptr_t next;
        memcpy(&next, at + probe->offset[i], sizeof next);
        at = (const uint8_t *)(next & ~probe->tag);
    }
    return at + probe->offset[probe->n - 1];
}

/* The same address for writing; the message must be the caller's to change. */
static inline uint8_t *bench_probe_place(const bench_probe *probe, void *message)
{
    const uint8_t *at = bench_probe_at(probe, message);
    uint8_t *place;
    memcpy(&place, &at, sizeof place); /* drops the const that the walk added */
    return place;
}

/* The probed value, zero-extended; equal values of two layouts give equal numbers. */
static inline uint64_t bench_probe_load(const bench_probe *probe, const void *message)
{
    const uint8_t *at = bench_probe_at(probe, message);
    uint32_t narrow;
    uint64_t wide;
    switch (probe->width) {
    case 1:
        return *at;
    case 4:
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    default:
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
}

#endif
