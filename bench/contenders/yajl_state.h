/* SPDX-License-Identifier: MIT */
/* The yajl contender in three files: yajl.c is the table row, yajl_print.c and yajl_parse.c work.
 */
#ifndef BENCH_YAJL_STATE_H
#define BENCH_YAJL_STATE_H

#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>

#include "contender.h"
#include "json_table.h"

/* Open messages, lists and maps. */
#define YAJL_FRAMES_MAX 128

typedef enum yajl_frame_kind { IN_MESSAGE, IN_LIST, IN_MAP } yajl_frame_kind;

typedef struct yajl_frame {
    yajl_frame_kind kind;
    uint32_t expected;             /* IN_MESSAGE: index of the field that should be next */
    const bench_json_type *type;   /* IN_MESSAGE: of the message */
    const bench_json_field *field; /* IN_MESSAGE: whose value is next; else the list's or map's */
    char *message;                 /* IN_MESSAGE: the message; else the one that gets the list */
    cw_list_view list;             /* IN_LIST, IN_MAP: so far */
} yajl_frame;

typedef struct yajl_state {
    bench_cwire_state base;
    bench_json_table *table;
    yajl_gen gen;
    yajl_handle parser;
    void *message; /* the result */
    bool complete; /* the top message was closed */
    int depth;     /* open frames */
    yajl_frame frames[YAJL_FRAMES_MAX];
} yajl_state;

cw_bytes bench_yajl_print(void *state, const void *message);
const void *bench_yajl_parse(void *state, cw_bytes input);

/* A parser for one handle's life; ctx is the yajl_state. NULL: no memory. */
yajl_handle bench_yajl_parser(yajl_state *s);

#endif
