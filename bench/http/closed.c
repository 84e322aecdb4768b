/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include <stdio.h>

#include "http/print.h"
#include "http/tables.h"

static const bench_column columns[] = {
    {"form", 8, BENCH_WORDS},
    {"coding", 8, BENCH_WORDS},
    {"transport", 9, BENCH_WORDS},
    {"TLS", 5, BENCH_WORDS},
    {"conn.", 5, 0},
    {"in flight", 9, 0},
    {"req/s", 7, 0},
    {"p50 us", 7, 0},
    {"p90", 7, 0},
    {"p99", 7, 0},
    {"p99.9", 7, 0},
    {"max", 7, 0},
    {"CPU us client", 13, 2},
    {"server", 7, 2},
    {"writes client", 13, 3},
    {"server", 6, 3},
    {"reads client", 12, 3},
    {"server", 6, 3},
    {"bytes up: message", 17, 0},
    {"socket", 6, 0},
    {"TCP", 6, 0},
    {"down: message", 13, 0},
    {"socket", 6, 0},
    {"TCP", 6, 0},
    {"done", 8, 0},
    {"failed", 6, 0},
    {"late", 4, 0},
};
static const size_t n_columns = sizeof columns / sizeof columns[0];

static void print_row(const bench_http_row *row)
{
    const bench_column *c = columns;
    bench_print_words(c++, row->form);
    bench_print_words(c++, row->coding);
    bench_print_words(c++, row->transport);
    bench_print_words(c++, row->tls);
    const double numbers[] = {
        row->connections,
        row->in_flight,
        row->req_per_s,
        row->p50_us,
        row->p90_us,
        row->p99_us,
        row->p999_us,
        row->max_us,
        row->client_cpu_us,
        row->server_cpu_us,
        row->client_writes,
        row->server_writes,
        row->client_reads,
        row->server_reads,
        row->message_bytes_up,
        row->socket_bytes_up,
        row->tcp_bytes_up,
        row->message_bytes_down,
        row->socket_bytes_down,
        row->tcp_bytes_down,
        row->completed,
        row->failed,
        row->late,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        bench_print_number(c++, numbers[i]);
    }
    bench_print_end();
}

/* What is to be run, and whether its heading was printed. */
typedef struct closed {
    bench_stage *stage;
    bool two_cores, all, titled;
} closed;

static void print_title(closed *k, bool many)
{
    if (k->titled) {
        return;
    }
    printf("\n## HTTP: no think time, closed loop, %s (%s)\n\n",
           bench_stage_payload(k->stage, many), bench_stage_placement(k->stage, k->two_cores));
    printf("%g s a row. Figures are of one request; CPU is that of the client's and the "
           "server's thread. Bodies of any size are compressed here, request and answer.\n\n",
           (double)(many ? bench_stage_pace(k->stage)->many_ns
                         : bench_stage_pace(k->stage)->slice_ns) /
               1e9);
    bench_print_heading(columns, n_columns);
    k->titled = true;
}

static void run_case(closed *k, const bench_case *c)
{
    bench_run *run = bench_stage_run(k->stage);
    const bench_http_pace *pace = bench_stage_pace(k->stage);
    const bench_plan warm = {.duration_ns = pace->warm_ns};
    const bench_plan plan = {.duration_ns = c->many ? pace->many_ns : pace->slice_ns};
    bench_trial t;
    if (!bench_case_is_wanted(k->stage, c)) {
        return;
    }
    print_title(k, c->many);
    bench_trial_open(&t, k->stage, c);
    bench_trial_warm(&t, &warm);
    bench_trial_run(&t, &plan);
    bench_http_row row = bench_trial_report(&t);
    print_row(&row);
    bench_http_row_add(&run->results, &row);
    bench_trial_close(&t);
}

/* HTTP/1.1 with so many sockets, HTTP/2 with so many requests in flight on one connection. */
static void run_transports(closed *k, const bench_case *base, unsigned in_flight)
{
    bench_case c = *base;
    c.in_flight = in_flight;
    c.version = CW_HTTP_1_1;
    c.connections = in_flight;
    run_case(k, &c);
    c.version = CW_HTTP_2;
    c.connections = 1;
    run_case(k, &c);
}

static void run_forms(closed *k, const bench_case *base)
{
    bench_case c = *base;
    const unsigned most = bench_stage_in_flight(k->stage, c.many);
    for (int wire = 0; wire < BENCH_WIRES; wire++) {
        for (unsigned coding = 0; coding < BENCH_CODINGS; coding++) {
            c.wire = (bench_wire)wire;
            c.coding = coding;
            /* TLS and fewer in flight: without content coding, unless all is asked for. */
            if (k->all && most > 1) {
                run_transports(k, &c, 1);
            }
            if (k->all && most > 6) {
                run_transports(k, &c, 6);
            }
            if (k->all || c.security == BENCH_PLAIN || coding == BENCH_IDENTITY) {
                run_transports(k, &c, most);
            }
        }
    }
}

void bench_table_closed(bench_stage *s, bool two_cores, bool all)
{
    closed k = {.stage = s, .two_cores = two_cores, .all = all};
    bench_case c = {.table = "closed", .two_cores = two_cores};
    run_forms(&k, &c);
    c.security = BENCH_P256;
    run_forms(&k, &c);
    if (bench_stage_payload_count(s) == 1) {
        return;
    }
    k.titled = false;
    c.many = true;
    c.security = BENCH_PLAIN;
    run_forms(&k, &c);
    if (all) {
        c.security = BENCH_P256;
        run_forms(&k, &c);
    }
}
