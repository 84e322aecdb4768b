/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include <stdio.h>

#include "clock.h"
#include "die.h"
#include "http/print.h"
#include "http/tables.h"

typedef struct entry {
    bench_security security;
    bool no_resumption;
    const char *article;
} entry;

static const entry entries[] = {
    {BENCH_PLAIN, true, NULL}, {BENCH_RSA, true, "1110"}, {BENCH_RSA, false, NULL},
    {BENCH_P256, true, NULL},  {BENCH_P256, false, NULL},
};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

static const bench_column columns[] = {
    {"TLS", 8, BENCH_WORDS},
    {"handshake", 9, BENCH_WORDS},
    {"us p50", 7, 0},
    {"p90", 7, 0},
    {"max", 7, 0},
    {"CPU us client", 13, 0},
    {"server", 6, 0},
    {"less plain: us", 14, 0},
    {"CPU us client", 13, 0},
    {"server", 6, 0},
    {"article us", 10, BENCH_WORDS},
    {"full", 5, 0},
    {"resumed", 7, 0},
    {"failed", 6, 0},
};
static const size_t n_columns = sizeof columns / sizeof columns[0];

/* Connections that are made one after the other, each by a client of its own. */
typedef struct opener {
    uv_loop_t *loop;
    cw_http_client_options options;
    bench_outcome *out;
    cw_http_client *client;
    uint64_t begin_ns;
    bool is_closed;
} opener;

static void on_closed(void *ctx)
{
    opener *o = ctx;
    o->is_closed = true;
    uv_stop(o->loop);
}

static void on_ready(void *ctx, const cw_net_error *e)
{
    opener *o = ctx;
    const cw_net_counters none = {0};
    cw_net_counters counters;
    uint64_t now = bench_wall_ns();
    if (e->status == CW_NET_OK) {
        bench_histogram_add(&o->out->latency, now - o->begin_ns);
        o->out->wall_ns += now - o->begin_ns;
        o->out->completed++;
    } else {
        char text[256];
        cw_net_error_print(e, text, sizeof text);
        bench_outcome_explain(o->out, text);
        o->out->failed++;
    }
    cw_http_client_counters(o->client, &counters);
    bench_counters_add(&o->out->counters, &none, &counters);
    cw_http_client_close(o->client, on_closed, o);
}

static void open_one(opener *o)
{
    cw_net_error e = {0};
    o->is_closed = false;
    o->out->sent++;
    o->client = cw_http_client_open(o->loop, &o->options, &e);
    if (o->client == NULL) {
        bench_die("no client: %s", e.detail);
    }
    o->begin_ns = bench_wall_ns();
    cw_http_client_connect(o->client, 1, on_ready, o);
    while (!o->is_closed) {
        uv_run(o->loop, UV_RUN_DEFAULT);
    }
}

static bench_case case_of(const entry *e, bool two_cores)
{
    return (bench_case){
        .table = "handshake",
        .version = CW_HTTP_2, /* ready with the peer's SETTINGS, which come behind the tickets */
        .connections = 1,
        .in_flight = 1,
        .no_resumption = e->no_resumption,
        .security = e->security,
        .two_cores = two_cores,
    };
}

static bench_http_row run_entry(bench_stage *s, const entry *e, bool two_cores)
{
    const bench_server_kind kind = {.security = e->security, .two_cores = two_cores};
    bench_thread *server = bench_stage_server(s, &kind);
    bench_outcome out;
    bench_usage server_usage = {0};
    cw_net_counters server_counters = {0};
    char origin[64];
    opener o = {
        .loop = bench_stage_loop(s),
        .options = {.origin = bench_stage_origin(s, server, e->security, origin, sizeof origin),
                    .version = CW_HTTP_2,
                    .max_connections = 1,
                    .tls = bench_stage_client_tls(s, e->security, e->no_resumption)},
        .out = &out,
    };
    bench_outcome_open(&out);
    open_one(&o); /* warms up, and brings a ticket */
    bench_outcome_clear(&out);

    bench_sample before = bench_thread_sample(server);
    bench_usage begin = bench_usage_now();
    for (unsigned i = 0; i < bench_stage_pace(s)->handshakes; i++) {
        open_one(&o);
    }
    bench_usage end = bench_usage_now();
    bench_sample after = bench_thread_sample(server);
    bench_usage_add(&out.usage, &begin, &end);
    bench_usage_add(&server_usage, &before.usage, &after.usage);
    bench_counters_add(&server_counters, &before.counters, &after.counters);

    bench_http_row row = bench_http_row_empty();
    bench_http_row_outcome(&row, &out);
    bench_http_row_server(&row, &out, &server_usage, &server_counters);
    if (out.failed > 0) {
        fprintf(stderr, "cwire-bench: handshake: %s\n", out.first_failure);
        bench_stage_run(s)->failed = true;
    }
    bench_outcome_free(&out);
    return row;
}

/* What is more than without TLS; a difference may be nothing, not less. */
static double more_than(double v, double plain)
{
    return v < 0 || plain < 0 ? -1 : v > plain ? v - plain : 0;
}

static void print_row(const entry *e, const bench_http_row *row, const bench_http_row *plain)
{
    const bench_column *c = columns;
    bool is_plain = e->security == BENCH_PLAIN;
    bench_print_words(c++, bench_security_names[e->security]);
    bench_print_words(c++, is_plain ? "TCP only" : e->no_resumption ? "full" : "resumed");
    bench_print_number(c++, row->p50_us);
    bench_print_number(c++, row->p90_us);
    bench_print_number(c++, row->max_us);
    bench_print_number(c++, row->client_cpu_us);
    bench_print_number(c++, row->server_cpu_us);
    bench_print_number(c++, is_plain ? -1 : more_than(row->p50_us, plain->p50_us));
    bench_print_number(c++, is_plain ? -1 : more_than(row->client_cpu_us, plain->client_cpu_us));
    bench_print_number(c++, is_plain ? -1 : more_than(row->server_cpu_us, plain->server_cpu_us));
    bench_print_words(c++, row->article);
    bench_print_number(c++, row->handshakes_full);
    bench_print_number(c++, row->handshakes_resumed);
    bench_print_number(c++, row->failed);
    bench_print_end();
}

static void print_title(bench_stage *s, bool two_cores)
{
    printf("\n## HTTP: one TLS 1.3 handshake (%s)\n\n", bench_stage_placement(s, two_cores));
    printf("%u connections one after the other: TCP, TLS, the peer's HTTP/2 SETTINGS; then closed, "
           "which the CPU time includes. \"Less plain\": what is more than the first row's.\n\n",
           bench_stage_pace(s)->handshakes);
    bench_print_heading(columns, n_columns);
}

void bench_table_handshake(bench_stage *s, bool two_cores)
{
    bench_http_row plain = bench_http_row_empty();
    bool titled = false;
    for (size_t i = 0; i < ENTRIES; i++) {
        const entry *e = &entries[i];
        bench_case c = case_of(e, two_cores);
        if (!bench_case_is_wanted(s, &c)) {
            continue;
        }
        if (!titled) {
            print_title(s, two_cores);
            titled = true;
        }
        bench_http_row row = run_entry(s, e, two_cores);
        bench_case_describe(&c, s, &row);
        row.payload = row.form = row.coding = NULL;
        row.article = row.rtt_ms > 0 ? NULL : e->article;
        plain = e->security == BENCH_PLAIN ? row : plain;
        print_row(e, &row, &plain);
        bench_http_row_add(&bench_stage_run(s)->results, &row);
    }
}
