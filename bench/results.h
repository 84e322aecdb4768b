/* SPDX-License-Identifier: MIT */
/* The rows of a run, for tables and for --json. */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "cwire/arena.h"
#include "machine.h"

/* Names are constant texts or live as long as the results. What was not measured is negative. */
typedef struct bench_row {
    const char *suite;     /* "size", "codec" ... */
    const char *payload;   /* "one", "many", "PACKAGE.Message" */
    const char *contender; /* "cwire", "protobuf-c" ... */
    const char *op;        /* "encode", "decode_copy" ... */
    double ns_median, ns_min, ns_max;
    size_t bytes;
    double mb_per_s;
    double allocs, alloc_bytes; /* heap requests of one operation */
} bench_row;

/* One value of a record: text, or a number where that is NULL (negative: not measured). */
typedef struct bench_value {
    const char *name;
    const char *text;
    double number;
} bench_value;

/* A row of a suite that has fields of its own. */
typedef struct bench_record {
    const bench_value *values;
    size_t n;
} bench_record;

/* {0} is empty. */
typedef struct bench_results {
    bench_row *rows;
    size_t len, cap;
    bench_record *records; /* written after the rows */
    size_t n_records, cap_records;
    cw_arena texts; /* of the records */
} bench_results;

/* Appends a copy; dies without memory. */
void bench_results_add(bench_results *r, const bench_row *row);
void bench_results_add_record(bench_results *r, const bench_value *values, size_t n);
void bench_results_free(bench_results *r);

/* The row with these names (suite "codec"); NULL: there is none. */
const bench_row *bench_results_find(const bench_results *r, const char *payload,
                                    const char *contender, const char *op);

/*
 * Writes {"machine": {...}, "rows": [...]} to the file: to a new file beside it first, which then
 * takes its place. False, with a line on stderr: it could not be written; an old file is untouched.
 */
bool bench_results_write(const bench_results *r, const bench_machine *m, const char *path);

/* The same without the machine as comma-separated values: a line of names, a line per row, empty
 * what was not measured or is no field of that suite's rows. */
bool bench_results_write_csv(const bench_results *r, const char *path);

#endif
