/* SPDX-License-Identifier: MIT */
/*
 * What a timed iteration does beside the operation: it looks at a little of the output and folds
 * that into the running value. Inline, for it stands in the timed loops of entry.c and entry_set.c.
 */
#ifndef BENCH_ENTRY_LOOK_H
#define BENCH_ENTRY_LOOK_H

#include "entry.h"

static inline uint64_t bench_fold(uint64_t running, uint64_t x)
{
    return ((running << 23 | running >> 41) ^ x) * UINT64_C(0x9E3779B97F4A7C15);
}

/* 8 bytes of the output at the offset, fewer at its end. */
static inline uint64_t bench_look_at(cw_bytes output, size_t offset)
{
    uint64_t x = 0;
    if (CW_LIKELY(offset + sizeof x <= output.len)) {
        memcpy(&x, output.data + offset, sizeof x);
    } else if (offset < output.len) {
        memcpy(&x, output.data + offset, output.len - offset);
    }
    return x;
}

/* ---- sets (entry_set.c) -------------------------------------------------------------------------
 */

/* Room for the order of the messages. */
void bench_set_open(bench_entry *e);

/* As bench_entry_run, without the last check; *next is the message that would be next. */
const char *bench_set_run(bench_entry *e, uint64_t count, uint64_t start, uint64_t *ns,
                          unsigned *next);

#endif
