/* SPDX-License-Identifier: MIT */
/*
 * The client of the HTTP race: sends a payload again and again and checks each answer, in a closed
 * loop (a fixed number in flight; the next request leaves when an answer has come) or in an open
 * one (requests leave at fixed times, whatever the answers do; latency counts from those times).
 *
 * A request is the changed message, really encoded; an answer is really decoded and checked.
 * Latency is from before the encoding until after the check.
 */
#ifndef BENCH_HTTP_LOAD_H
#define BENCH_HTTP_LOAD_H

#include "cwire/net/client.h"
#include "http/message.h"
#include "http/outcome.h"

typedef struct bench_load_options {
    const char *origin;
    cw_http_version version;
    size_t connections; /* at most */
    size_t in_flight;   /* of a closed loop */
    bool no_keep_alive;
    cw_tls *tls;
    cw_http_coding_options coding;
    cw_http_limits limits;     /* of answers */
    const char *method, *path; /* NULL: POST, "/batch" */
    bench_source *source;      /* NULL: requests have no body */
    bench_wire wire;           /* of requests; without a body: what they accept */
    bool any_answer; /* any 2xx of another server will do; ours has to be right all the same */
} bench_load_options;

/* One window: so many requests, or as many as leave in duration_ns. */
typedef struct bench_plan {
    uint64_t requests;
    uint64_t duration_ns;
    double rate; /* requests a second of an open loop, which needs duration_ns; 0: closed */
} bench_plan;

/* Requests of an open loop that are not answered so long after its end are late, and given up;
 * those of a closed loop when nothing has come for BENCH_STALL_MS. */
enum { BENCH_GRACE_MS = 200, BENCH_STALL_MS = 20000 };

typedef struct bench_load bench_load;

/* Texts of the options are copied, tls is held, source must outlive it. NULL with *e filled. */
bench_load *bench_load_open(uv_loop_t *loop, const bench_load_options *o, cw_net_error *e);

/* Opens all connections ahead of the requests. Not OK: *e is filled. */
cw_net_status bench_load_connect(bench_load *l, cw_net_error *e);

/* Runs the loop until every request of the plan is accounted for, and adds to *into. */
void bench_load_run(bench_load *l, const bench_plan *plan, bench_outcome *into);

/* Connections that it has opened so far. */
uint64_t bench_load_connections(const bench_load *l);

/* Closes the connections; runs the loop until they are. */
void bench_load_close(bench_load *l);

#endif
