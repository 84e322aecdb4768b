/* SPDX-License-Identifier: MIT */
/* Cells of the tables for people: aligned, and valid Markdown. */
#ifndef BENCH_HTTP_PRINT_H
#define BENCH_HTTP_PRINT_H

#include <stdbool.h>
#include <stddef.h>

/* A column: its heading, how wide it is, and whether it holds numbers. */
typedef struct bench_column {
    const char *heading;
    int width;
    int decimals; /* of a number; BENCH_WORDS: text */
} bench_column;

enum { BENCH_WORDS = -1 };

/* The heading and the line below it. */
void bench_print_heading(const bench_column *columns, size_t n);

/* One cell with the bar before it; the last one is followed by bench_print_end. A negative number
 * and a NULL text are "-". */
void bench_print_number(const bench_column *column, double v);
void bench_print_words(const bench_column *column, const char *text);
void bench_print_end(void);

#endif
