/* SPDX-License-Identifier: MIT */
/* The yajl contender in three files: yajl.c is the table row, yajl_print.c and yajl_parse.c work.
 */
#ifndef BENCH_YAJL_STATE_H
#define BENCH_YAJL_STATE_H

#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>

#include "contender.h"
#include "json_build.h"

typedef struct yajl_state {
    bench_cwire_state base;
    bench_json_table *table;
    yajl_gen gen;
    yajl_handle parser;
    void *message; /* the result */
    bench_builder builder;
} yajl_state;

cw_bytes bench_yajl_print(void *state, const void *message);
const void *bench_yajl_parse(void *state, cw_bytes input);

/* A parser for one handle's life; it fills s->builder. NULL: no memory. */
yajl_handle bench_yajl_parser(yajl_state *s);

#endif
