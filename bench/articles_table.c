/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "articles.h"

static const bench_row *find_row(const bench_results *r, const char *payload,
                                 const bench_article_format *format, const char *op)
{
    for (size_t i = 0; i < r->len; i++) {
        const bench_row *row = &r->rows[i];
        if (strcmp(row->suite, "articles") == 0 && strcmp(row->payload, payload) == 0 &&
            strcmp(row->contender, format->name) == 0 && strcmp(row->op, op) == 0) {
            return row;
        }
    }
    return NULL;
}

double bench_articles_ratio(const bench_results *r, const char *payload,
                            const bench_article_format *format, bench_act act)
{
    const bench_row *row = find_row(r, payload, format, bench_act_names[act]);
    const bench_row *json = find_row(r, payload, &bench_article_formats[0], bench_act_names[act]);
    return row != NULL && json != NULL ? row->ns_median / json->ns_median : -1;
}

double bench_articles_cycles(const bench_results *r, const char *payload,
                             const bench_article_format *format)
{
    const bench_row *row = find_row(r, payload, format, bench_act_names[BENCH_ROUND_TRIP]);
    return row != NULL ? 1e9 / row->ns_median : -1;
}

/* ---- cells -------------------------------------------------------------------------------------
 */

/* "-" for what was not measured. */
static void print_number(int width, int decimals, double v)
{
    if (v < 0) {
        printf(" %*s |", width, "-");
    } else {
        printf(" %*.*f |", width, decimals, v);
    }
}

static void print_us(double ns)
{
    double us = ns / 1000;
    print_number(11, us < 10 ? 3 : us < 1000 ? 1 : 0, us);
}

static void print_names(const char *payload, const char *title)
{
    printf("| %-14s | %-23s |", payload, title);
}

typedef void print_line(const bench_results *r, const char *payload,
                        const bench_article_format *format);
typedef void print_published_line(bench_published *p, const char *payload,
                                  const bench_article_format *format);

/* How a table prints its lines, and which published values belong there. */
typedef struct table {
    print_line *print;
    print_published_line *print_published;
    const char *const *values;
    size_t n_values;
} table;

static void print_lines(const table *t, const bench_results *r, bench_published *published,
                        const char *const *payloads, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < BENCH_ARTICLE_FORMATS; k++) {
            const bench_article_format *format = &bench_article_formats[k];
            if (find_row(r, payloads[i], format, bench_act_names[BENCH_ROUND_TRIP]) == NULL) {
                continue;
            }
            print_names(payloads[i], format->title);
            t->print(r, payloads[i], format);
            printf("\n");
            if (bench_published_has(published, payloads[i], format, t->values, t->n_values)) {
                print_names("", "  published");
                t->print_published(published, payloads[i], format);
                printf("\n");
            }
        }
    }
}

/* ---- tables ------------------------------------------------------------------------------------
 */

static void print_bytes(const bench_results *r, const char *payload,
                        const bench_article_format *format)
{
    const char *op = bench_act_names[BENCH_ROUND_TRIP];
    const bench_row *row = find_row(r, payload, format, op);
    const bench_row *json = find_row(r, payload, &bench_article_formats[0], op);
    printf(" %8zu |", row->bytes);
    print_number(6, 3, json != NULL ? (double)row->bytes / (double)json->bytes : -1);
}

static void print_times(const bench_results *r, const char *payload,
                        const bench_article_format *format)
{
    print_bytes(r, payload, format);
    for (unsigned act = 0; act < BENCH_ACTS; act++) {
        print_us(find_row(r, payload, format, bench_act_names[act])->ns_median);
        print_number(6, 3, bench_articles_ratio(r, payload, format, act));
    }
}

/* Bytes, and as a part of JSON's. */
static void print_published_bytes(bench_published *p, const char *payload,
                                  const bench_article_format *format)
{
    double bytes = bench_published_find(p, payload, format, "bytes");
    double json = bench_published_find(p, payload, &bench_article_formats[0], "bytes");
    print_number(8, 0, bytes);
    print_number(6, 3, bytes >= 0 && json > 0 ? bytes / json : -1);
}

static void print_published_times(bench_published *p, const char *payload,
                                  const bench_article_format *format)
{
    print_published_bytes(p, payload, format);
    for (unsigned act = 0; act < BENCH_ACTS; act++) {
        print_number(11, 0, -1); /* of another machine */
        print_number(6, 3, bench_published_find(p, payload, format, bench_act_names[act]));
    }
}

static const char *const time_values[] = {"bytes", "serialize", "deserialize", "round_trip"};
static const table times = {print_times, print_published_times, time_values, 4};

void bench_articles_print_times(const bench_results *r, bench_published *published,
                                const char *const *payloads, size_t n)
{
    printf("| %-14s | %-23s | %8s | %6s |", "", "format", "bytes", "/JSON");
    for (unsigned act = 0; act < BENCH_ACTS; act++) {
        static const char *const titles[] = {"write us", "read us", "round trip"};
        printf(" %11s | %6s |", titles[act], "/JSON");
    }
    printf("\n|----------------|-------------------------|---------:|-------:|");
    for (unsigned act = 0; act < BENCH_ACTS; act++) {
        printf("------------:|-------:|");
    }
    printf("\n");
    print_lines(&times, r, published, payloads, n);
}

static void print_heap(const bench_results *r, const char *payload,
                       const bench_article_format *format)
{
    const char *const *const ops[] = {bench_act_names, bench_first_names};
    for (size_t i = 0; i < 2; i++) {
        for (unsigned act = 0; act < BENCH_ROUND_TRIP; act++) {
            const bench_row *row = find_row(r, payload, format, ops[i][act]);
            print_number(7, 0, row != NULL ? row->allocs : -1);
            print_number(9, 0, row != NULL ? row->alloc_bytes : -1);
        }
    }
}

static const char *const heap_values[] = {"serialize_allocs", "serialize_bytes",
                                          "deserialize_allocs", "deserialize_bytes"};

static void print_published_heap(bench_published *p, const char *payload,
                                 const bench_article_format *format)
{
    for (size_t i = 0; i < 4; i++) {
        print_number(i % 2 ? 9 : 7, 0, bench_published_find(p, payload, format, heap_values[i]));
    }
    for (size_t i = 0; i < 4; i++) {
        print_number(i % 2 ? 9 : 7, 0, -1);
    }
}

static const table heap = {print_heap, print_published_heap, heap_values, 4};

void bench_articles_print_heap(const bench_results *r, bench_published *published,
                               const char *const *payloads, size_t n)
{
    static const char *const titles[] = {"write", "read", "1st wr.", "1st rd."};
    printf("| %-14s | %-23s |", "", "format");
    for (size_t i = 0; i < 4; i++) {
        printf(" %7s | %9s |", titles[i], "bytes");
    }
    printf("\n|----------------|-------------------------|");
    for (size_t i = 0; i < 4; i++) {
        printf("--------:|----------:|");
    }
    printf("\n");
    print_lines(&heap, r, published, payloads, n);
}

static void print_cycles(const bench_results *r, const char *payload,
                         const bench_article_format *format)
{
    double cycles = bench_articles_cycles(r, payload, format);
    double json = bench_articles_cycles(r, payload, &bench_article_formats[0]);
    print_bytes(r, payload, format);
    print_number(11, 0, cycles);
    print_number(6, 2, json > 0 ? cycles / json : -1);
}

static const char *const cycle_values[] = {"bytes", "cycles"};

static void print_published_cycles(bench_published *p, const char *payload,
                                   const bench_article_format *format)
{
    double cycles = bench_published_find(p, payload, format, "cycles");
    double json = bench_published_find(p, payload, &bench_article_formats[0], "cycles");
    print_published_bytes(p, payload, format);
    print_number(11, 0, cycles);
    print_number(6, 2, cycles >= 0 && json > 0 ? cycles / json : -1);
}

static const table cycles_table = {print_cycles, print_published_cycles, cycle_values, 2};

void bench_articles_print_cycles(const bench_results *r, bench_published *published,
                                 const char *payload)
{
    printf("| %-14s | %-23s | %8s | %6s | %11s | %6s |\n", "", "format", "bytes", "/JSON",
           "cycles/s", "/JSON");
    printf("|----------------|-------------------------|---------:|-------:|------------:|-------:|"
           "\n");
    print_lines(&cycles_table, r, published, &payload, 1);
}
