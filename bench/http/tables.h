/* SPDX-License-Identifier: MIT */
/*
 * The tables of the HTTP race. Each runs its rows on the stage, prints them, and adds them to the
 * results.
 */
#ifndef BENCH_HTTP_TABLES_H
#define BENCH_HTTP_TABLES_H

#include "http/trial.h"

/* 400 requests against a handler that thinks for 2 ms: plain, or over TLS; the article's figures
 * beside ours. */
void bench_table_think(bench_stage *s, bool two_cores, bool tls);

/* What one TLS handshake costs, full and resumed. */
void bench_table_handshake(bench_stage *s, bool two_cores);

/* No think time, closed loop: forms, codings, payloads. `all`: the whole cross product. */
void bench_table_closed(bench_stage *s, bool two_cores, bool all);

/* Open loop at parts of the capacity. `all`: HTTP/1.1 and TLS as well. */
void bench_table_open(bench_stage *s, bool two_cores, bool all);

/* Bytes of one exchange, and the codec's share of a round trip. */
void bench_table_exchange(bench_stage *s, bool two_cores);

/* The floor: a raw TCP echo on the same kind of loop. */
void bench_table_echo(bench_stage *s, bool two_cores);

#endif
