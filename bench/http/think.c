/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include <stdio.h>

#include "http/alarm.h"
#include "http/print.h"
#include "http/tables.h"

enum { THINK_MS = 2 };

/* A row, with what others got on a machine of this kind for 400 requests, in ms: the article's
 * server (Node), and nginx under h2load. */
typedef struct entry {
    cw_http_version version;
    unsigned connections, in_flight;
    bool no_keep_alive, no_resumption;
    bench_security security;
    const char *article, *reference;
} entry;

static const entry plain[] = {
    {CW_HTTP_1_1, 1, 1, false, false, BENCH_PLAIN, "917", "850-867"},
    {CW_HTTP_1_1, 6, 6, false, false, BENCH_PLAIN, "175", "151-153"},
    {CW_HTTP_1_1, 50, 50, false, false, BENCH_PLAIN, "30", "22-24"},
    {CW_HTTP_2, 1, 1, false, false, BENCH_PLAIN, "925", "852-867"},
    {CW_HTTP_2, 1, 6, false, false, BENCH_PLAIN, "166", "148-154"},
    {CW_HTTP_2, 1, 50, false, false, BENCH_PLAIN, "33", "21.5-22.3"},
    {CW_HTTP_1_1, 50, 50, true, false, BENCH_PLAIN, NULL, NULL},
};

static const entry over_tls[] = {
    {CW_HTTP_1_1, 6, 6, false, false, BENCH_RSA, "174", NULL},
    {CW_HTTP_1_1, 50, 50, false, false, BENCH_RSA, "56", "42-49"},
    {CW_HTTP_1_1, 50, 50, true, false, BENCH_RSA, "172", NULL},
    {CW_HTTP_1_1, 50, 50, true, true, BENCH_RSA, "172", NULL},
    {CW_HTTP_2, 1, 50, false, false, BENCH_RSA, "32.5", "22-25"},
    {CW_HTTP_1_1, 6, 6, false, false, BENCH_P256, NULL, NULL},
    {CW_HTTP_1_1, 50, 50, false, false, BENCH_P256, NULL, NULL},
    {CW_HTTP_1_1, 50, 50, true, false, BENCH_P256, NULL, NULL},
    {CW_HTTP_1_1, 50, 50, true, true, BENCH_P256, NULL, NULL},
    {CW_HTTP_2, 1, 50, false, false, BENCH_P256, NULL, NULL},
};

enum { ENTRIES_MAX = 10 };

static const bench_column columns[] = {
    {"transport", 9, BENCH_WORDS},
    {"TLS", 8, BENCH_WORDS},
    {"connections", 26, BENCH_WORDS},
    {"in flight", 9, 0},
    {"ms median", 9, 2},
    {"min", 8, 2},
    {"max", 8, 2},
    {"floor", 5, 0},
    {"article", 7, BENCH_WORDS},
    {"nginx", 9, BENCH_WORDS},
    {"p50 us", 7, 0},
    {"p90", 7, 0},
    {"p99", 7, 0},
    {"max", 7, 0},
    {"CPU us client", 13, 1},
    {"server", 6, 1},
    {"opened before", 13, 0},
    {"in window", 9, 0},
    {"full", 5, 0},
    {"resumed", 7, 0},
    {"done", 5, 0},
    {"failed", 6, 0},
    {"late", 4, 0},
};
static const size_t n_columns = sizeof columns / sizeof columns[0];

static void print_row(const bench_http_row *row, unsigned requests)
{
    char kind[64];
    const bench_column *c = columns;
    double rounds = (requests + row->in_flight - 1) / row->in_flight;
    snprintf(kind, sizeof kind, "%.0f%s", row->connections,
             row->keep_alive > 0   ? ", kept alive"
             : row->resumption > 0 ? ", one each, resuming"
                                   : ", one each, full");
    if (row->keep_alive <= 0 && row->tls == bench_security_names[BENCH_PLAIN]) {
        snprintf(kind, sizeof kind, "%.0f, one each", row->connections);
    }
    bench_print_words(c++, row->transport);
    bench_print_words(c++, row->tls);
    bench_print_words(c++, kind);
    bench_print_number(c++, row->in_flight);
    bench_print_number(c++, row->ms_median);
    bench_print_number(c++, row->ms_min);
    bench_print_number(c++, row->ms_max);
    bench_print_number(c++, (double)(unsigned long)rounds * (THINK_MS + row->rtt_ms));
    bench_print_words(c++, row->article);
    bench_print_words(c++, row->reference);
    bench_print_number(c++, row->p50_us);
    bench_print_number(c++, row->p90_us);
    bench_print_number(c++, row->p99_us);
    bench_print_number(c++, row->max_us);
    bench_print_number(c++, row->client_cpu_us);
    bench_print_number(c++, row->server_cpu_us);
    bench_print_number(c++, row->connections_before);
    bench_print_number(c++, row->connections_in_window);
    bench_print_number(c++, row->handshakes_full);
    bench_print_number(c++, row->handshakes_resumed);
    bench_print_number(c++, row->completed);
    bench_print_number(c++, row->failed);
    bench_print_number(c++, row->late);
    bench_print_end();
}

static bench_case case_of(const entry *e, bool two_cores)
{
    return (bench_case){
        .table = e->security == BENCH_PLAIN ? "think" : "tls",
        .version = e->version,
        .connections = e->connections,
        .in_flight = e->in_flight,
        .no_keep_alive = e->no_keep_alive,
        .no_resumption = e->no_resumption,
        .security = e->security,
        .two_cores = two_cores,
        .think_ms = THINK_MS,
        .wire = BENCH_PROTOBUF,
    };
}

static void print_title(bench_stage *s, bool two_cores, bool tls)
{
    const bench_http_pace *pace = bench_stage_pace(s);
    printf("\n## HTTP: %u requests against a handler that thinks for %d ms, %s (%s)\n\n",
           pace->requests, THINK_MS, tls ? "over TLS 1.3" : "plain",
           bench_stage_placement(s, two_cores));
    printf("One as protobuf; milliseconds from the first request to the last answer, %u runs; the "
           "handler's clock is a %s. Floor: rounds x (%d ms + round trip). Beside ours, for 400 "
           "requests on a "
           "machine of this kind: the article's server (Node), and nginx under h2load.%s\n\n",
           pace->runs, bench_alarm_kind(), THINK_MS,
           tls ? " Connections that are kept alive are made before the window, others inside it."
               : "");
}

/* Run by run, so that what disturbs the machine for a while disturbs all rows alike. */
static void run_all(bench_trial *trials, size_t n, const bench_http_pace *pace)
{
    const bench_plan plan = {.requests = pace->requests};
    for (size_t i = 0; i < n; i++) {
        const bench_plan warm = {.requests = 3 * trials[i].c.in_flight};
        bench_trial_warm(&trials[i], &warm);
    }
    for (unsigned run = 0; run < pace->runs; run++) {
        for (size_t k = 0; k < n; k++) {
            bench_trial_run(&trials[run % 2 ? n - 1 - k : k], &plan);
        }
    }
}

void bench_table_think(bench_stage *s, bool two_cores, bool tls)
{
    const entry *entries = tls ? over_tls : plain;
    const size_t n_entries =
        tls ? sizeof over_tls / sizeof over_tls[0] : sizeof plain / sizeof plain[0];
    const bench_http_pace *pace = bench_stage_pace(s);
    bench_trial trials[ENTRIES_MAX];
    const entry *of[ENTRIES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < n_entries; i++) {
        bench_case c = case_of(&entries[i], two_cores);
        if (bench_case_is_wanted(s, &c)) {
            of[n] = &entries[i];
            bench_trial_open(&trials[n++], s, &c);
        }
    }
    if (n == 0) {
        return;
    }
    print_title(s, two_cores, tls);
    run_all(trials, n, pace);
    bench_print_heading(columns, n_columns);
    for (size_t i = 0; i < n; i++) {
        bench_http_row row = bench_trial_report(&trials[i]);
        if (row.rtt_ms <= 0) { /* theirs was the loopback */
            row.article = of[i]->article;
            row.reference = of[i]->reference;
        }
        print_row(&row, pace->requests);
        bench_http_row_add(&bench_stage_run(s)->results, &row);
        bench_trial_close(&trials[i]);
    }
}
