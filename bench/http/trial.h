/* SPDX-License-Identifier: MIT */
/* One case of the race on the stage: opened, warmed up, run in one or more windows, and reported.
 */
#ifndef BENCH_HTTP_TRIAL_H
#define BENCH_HTTP_TRIAL_H

#include "http/load.h"
#include "http/row.h"
#include "http/stage.h"

typedef struct bench_case {
    const char *table;
    cw_http_version version; /* CW_HTTP_1_1 or CW_HTTP_2 */
    unsigned connections, in_flight;
    bool no_keep_alive, no_resumption;
    bench_security security;
    bool two_cores;
    unsigned think_ms;
    bench_wire wire;
    unsigned coding;
    bool many;
} bench_case;

/* "closed/HTTP/2/50/P-256/one/protobuf/gzip 6", which --filter looks through; written to out. */
const char *bench_case_label(const bench_stage *s, const bench_case *c, char *out, size_t cap);
bool bench_case_is_wanted(const bench_stage *s, const bench_case *c);

/* Sets what the row says of its case. */
void bench_case_describe(const bench_case *c, const bench_stage *stage, bench_http_row *row);

enum { BENCH_RUNS_MAX = 64 };

typedef struct bench_trial {
    bench_stage *stage;
    bench_case c;
    bench_thread *server;
    bench_load *load;
    double connections_before;
    bench_outcome outcome; /* of all windows */
    bench_usage server_usage;
    cw_net_counters server_counters;
    double run_ms[BENCH_RUNS_MAX];
    unsigned runs;
    bool is_open_loop;
} bench_trial;

/* Connects, but for a case without keep-alive. Dies when that fails. Release with
 * bench_trial_close. */
void bench_trial_open(bench_trial *t, bench_stage *stage, const bench_case *c);
void bench_trial_close(bench_trial *t);

/* A window that does not count. */
void bench_trial_warm(bench_trial *t, const bench_plan *plan);

/* A window: what both ends did in it is added to what they did before. */
void bench_trial_run(bench_trial *t, const bench_plan *plan);

/*
 * The row of everything that was run, for the caller to complete and to add to the results.
 * Requests that failed or were late are told of on stderr, and make the program's run a failed one;
 * an open loop's late ones (rate > 0 in its plan) only make the row.
 */
bench_http_row bench_trial_report(bench_trial *t);

#endif
