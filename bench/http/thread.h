/* SPDX-License-Identifier: MIT */
/*
 * The other end of a connection: a server in a thread of its own, with a loop of its own, pinned.
 * What it serves is a bench_served; the thread starts it, asks it for counters, and ends it.
 */
#ifndef BENCH_HTTP_THREAD_H
#define BENCH_HTTP_THREAD_H

#include "cwire/net/http.h"
#include "http/usage.h"

#include <uv.h>

/* All three are called in the thread. */
typedef struct bench_served {
    /* Listens and sets *port; dies when it cannot. What it returns goes to the others. */
    void *(*open)(const void *options, uv_loop_t *loop, int *port);
    void (*counters)(const void *served, cw_net_counters *out);
    /* Begins to close: the loop runs until it has let go of everything. */
    void (*close)(void *served);
} bench_served;

typedef struct bench_place {
    int cpu;   /* to be pinned to; -1: not pinned */
    int netns; /* a network namespace to enter first (Linux), as a file; -1: stay */
} bench_place;

typedef struct bench_thread bench_thread;

/* Starts the thread and waits until it listens. options must live until this returns. */
bench_thread *bench_thread_start(const bench_served *served, const void *options,
                                 bench_place place);

int bench_thread_port(const bench_thread *t);

/* What the server's thread has used and counted up to now, read by itself. */
typedef struct bench_sample {
    bench_usage usage;
    cw_net_counters counters;
} bench_sample;
bench_sample bench_thread_sample(bench_thread *t);

/* Ends it and waits for that; dies when its loop does not end empty. */
void bench_thread_stop(bench_thread *t);

#endif
