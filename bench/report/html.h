/* SPDX-License-Identifier: MIT */
/*
 * What the page is written with. Whatever comes from a record (names of payloads and types are
 * users') goes through html_put; fprintf and fputs are for markup and numbers alone.
 */
#ifndef BENCH_REPORT_HTML_H
#define BENCH_REPORT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Formatted text with & < > " ' written as entities: good between tags and in quoted attributes. */
void html_put(FILE *out, const char *format, ...);

enum { HTML_NUMBER = 48, HTML_LABEL = 256 };

/* Each writes to buf, of HTML_NUMBER bytes, and returns it. */
const char *html_count(char *buf, double v);      /* "63,141" */
const char *html_time(char *buf, double ns);      /* "32.1 ns", "6.20 µs", "1.03 ms" */
const char *html_times(char *buf, double ratio);  /* "9.5×" */
const char *html_percent(char *buf, double part); /* 0.355: "36 %", the blank unbroken */

/* One bar of a chart. */
typedef struct html_bar {
    char label[HTML_LABEL], value[HTML_LABEL];
    double part;       /* its length, 0 to 1 */
    double inner;      /* a part of it in another tone, 0 to 1; 0: none */
    unsigned tone;     /* 0 binary, 1 JSON, 2 other */
    size_t row;        /* of the record */
    size_t rival;      /* the row that it is a ratio to; SIZE_MAX: none */
    const char *field; /* of the row, or "ratio" */
    double number;     /* that field's */
} html_bar;

/* mark: where a line stands, 0 to 1; negative: none. id: unique in the page. */
void html_chart(FILE *out, unsigned id, const char *title, const char *description,
                const html_bar *bars, size_t n, double mark);

/* The head of a folded table; columns: the headings, separated by '|', "<" before those of words.
 * Ends with html_table_end. */
void html_table(FILE *out, const char *summary, const char *columns);
void html_table_end(FILE *out);
/* Cells of a row of it. */
void html_cell_text(FILE *out, const char *text);
void html_cell(FILE *out, const char *field, double number, const char *shown);

/* What to type for these numbers. */
void html_command(FILE *out, const char *command);

#endif
