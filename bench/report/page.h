/* SPDX-License-Identifier: MIT */
/* A record as a page: one file, no network. Sections whose rows are missing say so. */
#ifndef BENCH_REPORT_PAGE_H
#define BENCH_REPORT_PAGE_H

#include <stdbool.h>

#include "options.h"
#include "record/record.h"
#include "report/html.h"

/* `cwire-bench report RESULTS.json OUT.html`: the exit status, 2 when the record cannot be read. */
int bench_page(const bench_options *options);
extern const bench_own_options bench_page_own;

/* Reads the record and writes the page, by way of a new file beside it; false, with a line on
 * stderr: one of the two failed. */
bool bench_page_write(const char *record, const char *html);

/* ---- for the sections --------------------------------------------------------------------------
 */

typedef struct page {
    FILE *out;
    bench_saved saved;
    const char *given; /* the command line of a race on a user's data; NULL: the bench's own */
    unsigned charts;   /* so far */
} page;

#define PAGE_NONE SIZE_MAX /* no such row */
enum { PAGE_BARS = 64 };

/* Names of a payload each, in the order of the record, every one once. Start with *at = 0; NULL:
 * no more. table: of http rows; NULL: any. */
const char *page_next_payload(const page *p, const char *suite, const char *table, size_t *at);

/* A row of the suites "size" and "codec". */
size_t page_find(const page *p, const char *suite, const char *payload, const char *contender,
                 const char *op);

/* What tells http rows of one payload apart. */
typedef struct page_case {
    const char *table, *payload, *transport, *tls, *form;
} page_case;

/* Of such rows without content coding the one with the most in flight; the first of these. */
size_t page_find_http(const page *p, const page_case *c);

double page_number(const page *p, size_t row, const char *field); /* negative: none */
const char *page_text(const page *p, size_t row, const char *field);

/* The fastest C library's row for the same job as cwire's op (decode: with malloc or a bump
 * allocator); PAGE_NONE: nobody else does it. */
size_t page_rival(const page *p, const char *payload, const char *op);

/* The command for rows that a filter names: of a user's race, the whole. */
void page_command(const page *p, const char *subcommand, const char *filter);

void page_verdict(page *p);
void page_sizes(page *p);
void page_codec(page *p);
void page_http(page *p);

extern const char page_style[];

#endif
