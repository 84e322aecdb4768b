/* SPDX-License-Identifier: MIT */
/* The suites: each subcommand of the program is one, or a list of them. */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include "machine.h"
#include "options.h"
#include "payload.h"
#include "results.h"

typedef struct bench_run {
    const bench_options *options;
    const bench_machine *machine;
    bench_results results;
} bench_run;

/* Sizes of the orders in every form. */
void bench_size(bench_run *run);

/* The codec race: every contender's operations on every payload. */
void bench_codec(bench_run *run);

/* ---- payloads ----------------------------------------------------------------------------------
 */

/* A batch of `count` orders from order(first); dies without memory. */
bench_payload *bench_payload_orders(const char *name, uint32_t first, uint32_t count);

/*
 * Calls visit(ctx, payload) for "one", "many" and every further message type of schemas/, with data
 * from schemas/samples/FULL.NAME.json or from the generator. The types of order.proto that the
 * batch is made of are left out unless `all`. The payload is freed after the visit.
 */
void bench_payloads_each(bool all, void (*visit)(void *ctx, const bench_payload *p), void *ctx);

#endif
