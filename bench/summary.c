/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "contender.h"
#include "report.h"

/* A column: cwire's operation, and what it is compared with. */
typedef struct column {
    const char *title, *op;
    bench_form form;
    bool writes;
    const char *rival_op; /* NULL: the fastest of the rivals' operations on that form */
} column;

static const column columns[] = {
    {"encode", "encode", BENCH_BINARY, true, NULL},
    {"exact size", "encode_exact", BENCH_BINARY, true, NULL},
    {"to the arena", "encode_arena", BENCH_BINARY, true, NULL},
    {"copy, malloc", "decode_copy", BENCH_BINARY, false, "decode_malloc"},
    {"copy, bump", "decode_copy", BENCH_BINARY, false, "decode_bump"},
    {"alias, malloc", "decode_alias", BENCH_BINARY, false, "decode_malloc"},
    {"alias, bump", "decode_alias", BENCH_BINARY, false, "decode_bump"},
    {"JSON print", "json_print", BENCH_TEXT, true, NULL},
    {"JSON parse", "json_parse", BENCH_TEXT, false, NULL},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static bool is_codec_row(const bench_row *row, const char *payload)
{
    return strcmp(row->suite, "codec") == 0 && strcmp(row->payload, payload) == 0;
}

static const bench_contender *contender_of(const bench_row *row)
{
    for (size_t i = 0; bench_contenders[i] != NULL; i++) {
        if (strcmp(bench_contenders[i]->name, row->contender) == 0) {
            return bench_contenders[i];
        }
    }
    return NULL;
}

/* The row is one that the column compares with. */
static bool competes(const bench_row *row, const column *c)
{
    const bench_contender *contender = contender_of(row);
    if (contender == NULL || contender == &bench_cwire || contender->is_twin || contender->is_cxx ||
        contender->is_lesson) {
        return false;
    }
    for (size_t i = 0; i < contender->n_ops; i++) {
        const bench_op *op = &contender->ops[i];
        if (strcmp(op->name, row->op) == 0) {
            return op->form == c->form && (op->write != NULL) == c->writes &&
                   (c->rival_op == NULL || strcmp(c->rival_op, op->name) == 0);
        }
    }
    return false;
}

/* How many times faster; 0: a row is missing. */
static double ratio(const bench_results *r, const char *payload, const column *c)
{
    double best = 0;
    const bench_row *ours = bench_results_find(r, payload, "cwire", c->op);
    for (size_t i = 0; ours != NULL && i < r->len; i++) {
        const bench_row *row = &r->rows[i];
        if (is_codec_row(row, payload) && competes(row, c) &&
            (best <= 0 || row->ns_median < best)) {
            best = row->ns_median;
        }
    }
    return best > 0 ? best / ours->ns_median : 0;
}

/* The most heap requests among cwire's operations; negative: not counted. */
static double most_allocs(const bench_results *r, const char *payload)
{
    double most = -1;
    for (size_t i = 0; i < r->len; i++) {
        const bench_row *row = &r->rows[i];
        const bench_contender *c = is_codec_row(row, payload) ? contender_of(row) : NULL;
        if (c == &bench_cwire && row->allocs > most) {
            most = row->allocs;
        }
    }
    return most;
}

static void print_line(const bench_results *r, const char *payload)
{
    printf("| %-18s |", payload);
    for (size_t i = 0; i < COLUMNS; i++) {
        double times = ratio(r, payload, &columns[i]);
        if (times > 0) {
            printf(" %13.2f |", times);
        } else {
            printf(" %13s |", "-");
        }
    }
    double allocs = most_allocs(r, payload);
    if (allocs < 0) {
        printf(" %6s |\n", "-");
    } else {
        printf(" %6.3g |\n", allocs);
    }
}

static void print_heading(void)
{
    printf(
        "\n## Codec: summary\n\nHow many times faster cwire is than the fastest C library of the "
        "format at the same job (decode: than\nprotobuf-c with malloc and with a bump allocator), "
        "and heap requests of its operations.\n\n| %-18s |",
        "");
    for (size_t i = 0; i < COLUMNS; i++) {
        printf(" %13s |", columns[i].title);
    }
    printf(" %6s |\n|--------------------|", "allocs");
    for (size_t i = 0; i < COLUMNS; i++) {
        printf("--------------:|");
    }
    printf("-------:|\n");
}

void bench_report_summary(const bench_results *r)
{
    const char *last = NULL; /* the rows of a payload stand together */
    for (size_t i = 0; i < r->len; i++) {
        const bench_row *row = &r->rows[i];
        if (strcmp(row->suite, "codec") != 0 || (last != NULL && strcmp(last, row->payload) == 0)) {
            continue;
        }
        if (last == NULL) {
            print_heading();
        }
        last = row->payload;
        print_line(r, last);
    }
}
