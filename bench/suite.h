/* SPDX-License-Identifier: MIT */
/* What the subcommands of the program run: a suite, a list of them, or one end. */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include "http/emulation.h"
#include "machine.h"
#include "options.h"
#include "payload.h"
#include "results.h"

typedef struct bench_run {
    const bench_options *options;
    const bench_machine *machine;
    bench_results results;
    bool failed; /* the program ends with code 1, though there may be rows */
} bench_run;

/* Sizes of some payloads in every form. */
void bench_size(bench_run *run);
/* The same of One and Many alone. */
void bench_size_orders(bench_run *run);
/* The same of n messages, one struct behind the other, each compressed by itself: all in one line.
 * Dies when one cannot be written. */
void bench_size_messages(bench_run *run, const char *name, const cw_type *type,
                         const void *messages, size_t n);

/* The codec race: every contender's operations on every payload. */
void bench_codec(bench_run *run);
/* The same of one payload, and what stands at the end of it all. */
void bench_codec_payload(bench_run *run, const bench_payload *p);
void bench_codec_end(bench_run *run);

/* The tables of three published write-ups, ours beside what they printed. */
void bench_articles(bench_run *run);
extern const bench_own_options bench_articles_own;

/* The race on a user's schema and data. */
void bench_race(bench_run *run);
extern const bench_own_options bench_race_own;

/* The HTTP race, and its two ends for use with others' ends. Not without libcwire_net. */
void bench_http(bench_run *run);
/* The tables that the article on the orders has, alone. */
void bench_http_article(bench_run *run);
/* One payload (which is then freed): one exchange at a time, many in flight, and an open loop.
 * The emulation lacks nothing. */
void bench_http_payload(bench_run *run, bench_payload *payload, const bench_emulation *emulation);
void bench_serve(bench_run *run);
void bench_drive(bench_run *run);
extern const bench_own_options bench_http_own, bench_serve_own, bench_drive_own;

/* ---- payloads ----------------------------------------------------------------------------------
 */

/* A batch of `count` orders from order(first); dies without memory. */
bench_payload *bench_payload_orders(const char *name, uint32_t first, uint32_t count);

#endif
