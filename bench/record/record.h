/* SPDX-License-Identifier: MIT */
/*
 * A file that --json wrote (or tools/bench_cost.sh), read again. It is read by cwire's own JSON
 * parser as a google.protobuf.Value, so a suite may add fields without anything here knowing.
 */
#ifndef BENCH_RECORD_RECORD_H
#define BENCH_RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "cwire/wkt/struct.cw.h"

typedef google_protobuf_Struct bench_fields; /* one row, or the machine */

typedef struct bench_saved {
    const char *path;
    cw_arena arena;
    google_protobuf_Value root;
    const bench_fields *machine; /* NULL: the record names none */
    const bench_fields **rows;   /* in the arena */
    size_t n_rows;
} bench_saved;

/* False, with a line on stderr that names the file and, of what is no JSON, line and column.
 * Release with bench_saved_close, also after false. */
bool bench_saved_open(bench_saved *s, const char *path);
void bench_saved_close(bench_saved *s);

/* "" for what is absent, null or no text; NUL-terminated. */
const char *bench_field_text(const bench_fields *f, const char *name);
/* Negative for what is absent, null or no number. */
double bench_field_number(const bench_fields *f, const char *name);
/* Has the row this text there? */
bool bench_field_is(const bench_fields *f, const char *name, const char *text);

#endif
