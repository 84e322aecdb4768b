/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include <stdio.h>

#include "http/alarm.h"
#include "http/print.h"
#include "http/tables.h"

/* At full capacity; with fewer in a row, its percentiles are those of single requests. */
enum { REQUESTS_MIN = 20 };

static const double parts[] = {25, 50, 75, 90}; /* percent of the capacity */

static const bench_column columns[] = {
    {"transport", 9, BENCH_WORDS},
    {"TLS", 5, BENCH_WORDS},
    {"conn.", 5, 0},
    {"load %", 6, 0},
    {"due/s", 7, 0},
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
    {"done", 8, 0},
    {"failed", 6, 0},
    {"late", 6, 0},
};
static const size_t n_columns = sizeof columns / sizeof columns[0];

static void print_row(const bench_http_row *row)
{
    const bench_column *c = columns;
    bench_print_words(c++, row->transport);
    bench_print_words(c++, row->tls);
    const double numbers[] = {
        row->connections,   row->capacity_percent, row->offered_per_s, row->req_per_s,
        row->p50_us,        row->p90_us,           row->p99_us,        row->p999_us,
        row->max_us,        row->client_cpu_us,    row->server_cpu_us, row->client_writes,
        row->server_writes, row->completed,        row->failed,        row->late,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        bench_print_number(c++, numbers[i]);
    }
    bench_print_end();
}

/* Requests a second of a closed loop in the same place, a moment before. */
static double measure_capacity(bench_stage *s, const bench_case *c)
{
    const bench_plan warm = {.duration_ns = bench_stage_pace(s)->warm_ns};
    const bench_plan plan = {.duration_ns = bench_stage_pace(s)->slice_ns};
    bench_trial t;
    bench_trial_open(&t, s, c);
    bench_trial_warm(&t, &warm);
    bench_trial_run(&t, &plan);
    bench_http_row row = bench_trial_report(&t);
    bench_trial_close(&t);
    return row.req_per_s;
}

static void run_part(bench_stage *s, const bench_case *c, double capacity, double percent)
{
    const bench_http_pace *pace = bench_stage_pace(s);
    const double rate = capacity * percent / 100;
    const bench_plan warm = {.duration_ns = pace->warm_ns};
    const bench_plan plan = {.duration_ns = pace->open_ns, .rate = rate};
    bench_trial t;
    bench_trial_open(&t, s, c);
    bench_trial_warm(&t, &warm);
    bench_trial_run(&t, &plan);
    bench_http_row row = bench_trial_report(&t);
    row.timer = bench_alarm_kind();
    row.in_flight = -1;
    row.offered_per_s = rate;
    row.capacity_percent = percent;
    print_row(&row);
    bench_http_row_add(&bench_stage_run(s)->results, &row);
    bench_trial_close(&t);
}

static void print_title(bench_stage *s, const bench_case *c)
{
    printf("\n## HTTP: open loop, %s as protobuf (%s)\n\n", bench_stage_payload(s, false),
           bench_stage_placement(s, c->two_cores));
    printf("Requests leave at fixed times (%s), %g s a row; latency counts from those times. "
           "Capacity is what a closed loop with %u in flight did a moment before. Late: not "
           "answered %d ms after the last one was due.\n\n",
           bench_alarm_kind(), (double)bench_stage_pace(s)->open_ns / 1e9, c->in_flight,
           BENCH_GRACE_MS);
    bench_print_heading(columns, n_columns);
}

void bench_table_open(bench_stage *s, bool two_cores, bool all)
{
    const bench_case cases[] = {
        {.version = CW_HTTP_2},
        {.version = CW_HTTP_2, .security = BENCH_P256},
        {.version = CW_HTTP_1_1},
        {.version = CW_HTTP_1_1, .security = BENCH_P256},
    };
    bool titled = false;
    for (size_t i = 0; i < (all ? sizeof cases / sizeof cases[0] : 1); i++) {
        bench_case c = cases[i];
        c.table = "open";
        c.in_flight = bench_stage_in_flight(s, false);
        c.connections = c.version == CW_HTTP_2 ? 1 : c.in_flight;
        c.two_cores = two_cores;
        if (!bench_case_is_wanted(s, &c)) {
            continue;
        }
        if (!titled) {
            print_title(s, &c);
            titled = true;
        }
        double capacity = measure_capacity(s, &c);
        if (capacity * (double)bench_stage_pace(s)->open_ns / 1e9 < REQUESTS_MIN) {
            printf("\nToo few requests of this length fit into the time of a row.\n");
            continue;
        }
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            run_part(s, &c, capacity, parts[k]);
        }
    }
}
