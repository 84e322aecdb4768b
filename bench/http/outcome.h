/* SPDX-License-Identifier: MIT */
/* What came of one or more windows of a load. */
#ifndef BENCH_HTTP_OUTCOME_H
#define BENCH_HTTP_OUTCOME_H

#include "cwire/net/http.h"
#include "histogram.h"
#include "http/usage.h"

/* Windows add up. Every request that was due is counted once: sent == completed + failed + late. */
typedef struct bench_outcome {
    uint64_t sent;      /* of an open loop: due */
    uint64_t completed; /* answered, and the answer is right */
    uint64_t failed;    /* no answer, another status than 2xx, or not what was expected */
    uint64_t refused;   /* of the failed: surely not processed by the server */
    uint64_t late;      /* given up when they were not answered in time; their latency up to then is
                           in the histogram too */
    uint64_t wall_ns;   /* from the first request to the last answer */
    uint64_t body_up, body_down; /* bytes of the messages, before content coding */
    bench_histogram latency;     /* ns, of completed and late ones */
    bench_usage usage;           /* of the client's thread */
    cw_net_counters counters;    /* of the client: what was added; connections_open: at the end */
    char first_failure[256];     /* why; empty: none */
} bench_outcome;

/* Empty; dies without memory. Release with bench_outcome_free. */
void bench_outcome_open(bench_outcome *o);
void bench_outcome_free(bench_outcome *o);
void bench_outcome_clear(bench_outcome *o);

/* Is every request accounted for? */
bool bench_outcome_adds_up(const bench_outcome *o);

/* Keeps the text when it is the first. */
void bench_outcome_explain(bench_outcome *o, const char *text);

/* into += after - before; connections_open is that of `after`. */
void bench_counters_add(cw_net_counters *into, const cw_net_counters *before,
                        const cw_net_counters *after);

#endif
