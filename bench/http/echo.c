/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "die.h"
#include "http/echo_server.h"
#include "http/print.h"
#include "http/tables.h"
#include "mem.h"

enum { MESSAGE = 113, CONNECTIONS_MAX = 50 };

static const bench_column columns[] = {
    {"connections", 11, 0}, {"round trips/s", 13, 0}, {"p50 us", 7, 1}, {"p90", 7, 1},
    {"p99", 7, 1},          {"p99.9", 7, 1},          {"max", 7, 0},    {"CPU us client", 13, 2},
    {"server", 7, 2},       {"done", 8, 0},           {"failed", 6, 0},
};
static const size_t n_columns = sizeof columns / sizeof columns[0];

typedef struct client client;

typedef struct socket_end {
    client *client;
    uv_tcp_t tcp;
    uv_connect_t connect;
    size_t got; /* of the message that comes back */
    uint64_t begin_ns;
} socket_end;

struct client {
    uv_loop_t *loop;
    bench_outcome *out;
    unsigned n, connected, in_flight, open;
    uint64_t end_ns;
    bool is_running;
    char message[MESSAGE], room[4 * MESSAGE];
    socket_end ends[CONNECTIONS_MAX];
};

static void send_message(socket_end *s)
{
    client *c = s->client;
    uv_buf_t buf = uv_buf_init(c->message, MESSAGE);
    s->got = 0;
    s->begin_ns = bench_wall_ns();
    c->in_flight++;
    c->out->sent++;
    c->out->counters.writes++;
    c->out->counters.bytes_out += MESSAGE;
    if (uv_try_write((uv_stream_t *)&s->tcp, &buf, 1) != MESSAGE) {
        bench_die("echo: a write failed");
    }
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *out)
{
    socket_end *s = handle->data;
    (void)suggested;
    *out = uv_buf_init(s->client->room, sizeof s->client->room);
}

static void on_message(socket_end *s)
{
    client *c = s->client;
    uint64_t now = bench_wall_ns();
    bench_histogram_add(&c->out->latency, now - s->begin_ns);
    c->out->completed++;
    c->in_flight--;
    if (now < c->end_ns) {
        send_message(s);
    } else if (c->in_flight == 0) {
        c->is_running = false;
        uv_stop(c->loop);
    }
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    socket_end *s = stream->data;
    if (n < 0 || s->got + (size_t)n > MESSAGE ||
        memcmp(buf->base, s->client->message + s->got, (size_t)n) != 0) {
        bench_die("echo: what comes back is not what was sent");
    }
    s->client->out->counters.reads += n > 0;
    s->client->out->counters.bytes_in += (uint64_t)n;
    s->got += (size_t)n;
    if (s->got == MESSAGE) {
        on_message(s);
    }
}

static void on_connect(uv_connect_t *connect, int status)
{
    socket_end *s = connect->data;
    if (status != 0) {
        bench_die("echo: no connection: %s", uv_strerror(status));
    }
    uv_tcp_nodelay(&s->tcp, 1);
    uv_read_start((uv_stream_t *)&s->tcp, on_room, on_read);
    if (++s->client->connected == s->client->n) {
        uv_stop(s->client->loop);
    }
}

static void connect_all(client *c, const char *host, int port)
{
    struct sockaddr_in address;
    uv_ip4_addr(host, port, &address);
    for (unsigned i = 0; i < c->n; i++) {
        socket_end *s = &c->ends[i];
        s->client = c;
        s->tcp.data = s->connect.data = s;
        uv_tcp_init(c->loop, &s->tcp);
        c->open++;
        int status =
            uv_tcp_connect(&s->connect, &s->tcp, (const struct sockaddr *)&address, on_connect);
        if (status != 0) {
            bench_die("echo: no connection: %s", uv_strerror(status));
        }
    }
    while (c->connected < c->n) {
        uv_run(c->loop, UV_RUN_DEFAULT);
    }
}

static void run_window(client *c, uint64_t duration_ns)
{
    uint64_t begin_ns = bench_wall_ns();
    bench_usage begin = bench_usage_now();
    c->end_ns = begin_ns + duration_ns;
    c->is_running = true;
    for (unsigned i = 0; i < c->n; i++) {
        send_message(&c->ends[i]);
    }
    while (c->is_running) {
        uv_run(c->loop, UV_RUN_DEFAULT);
    }
    bench_usage end = bench_usage_now();
    bench_usage_add(&c->out->usage, &begin, &end);
    c->out->wall_ns += bench_wall_ns() - begin_ns;
}

static void on_closed(uv_handle_t *handle)
{
    socket_end *s = handle->data;
    s->client->open--;
}

static void close_all(client *c)
{
    for (unsigned i = 0; i < c->n; i++) {
        uv_close((uv_handle_t *)&c->ends[i].tcp, on_closed);
    }
    while (c->open > 0) {
        uv_run(c->loop, UV_RUN_ONCE);
    }
}

static bench_http_row run_echo(bench_stage *s, bench_thread *server, const char *host, unsigned n)
{
    bench_outcome out;
    bench_usage usage = {0};
    cw_net_counters counters = {0};
    client *c = bench_calloc(1, sizeof *c);
    bench_outcome_open(&out);
    c->loop = bench_stage_loop(s);
    c->out = &out;
    c->n = n;
    memset(c->message, 'e', sizeof c->message);
    connect_all(c, host, bench_thread_port(server));
    run_window(c, bench_stage_pace(s)->warm_ns);
    bench_outcome_clear(&out);

    bench_sample before = bench_thread_sample(server);
    run_window(c, bench_stage_pace(s)->slice_ns);
    bench_sample after = bench_thread_sample(server);
    bench_usage_add(&usage, &before.usage, &after.usage);
    bench_counters_add(&counters, &before.counters, &after.counters);
    close_all(c);
    free(c);

    bench_http_row row = bench_http_row_empty();
    out.body_up = out.counters.bytes_out;
    out.body_down = out.counters.bytes_in;
    bench_http_row_outcome(&row, &out);
    bench_http_row_server(&row, &out, &usage, &counters);
    bench_outcome_free(&out);
    return row;
}

static void print_row(const bench_http_row *row)
{
    const double numbers[] = {
        row->connections,   row->req_per_s, row->p50_us, row->p90_us,
        row->p99_us,        row->p999_us,   row->max_us, row->client_cpu_us,
        row->server_cpu_us, row->completed, row->failed,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        bench_print_number(&columns[i], numbers[i]);
    }
    bench_print_end();
}

void bench_table_echo(bench_stage *s, bool two_cores)
{
    static const unsigned connections[] = {1, CONNECTIONS_MAX};
    const char *filter = bench_stage_run(s)->options->filter;
    if (filter != NULL && strstr("echo/TCP", filter) == NULL) {
        return;
    }
    printf("\n## The floor: a TCP echo of %d bytes on the same loop (%s)\n\n", MESSAGE,
           bench_stage_placement(s, two_cores));
    bench_print_heading(columns, n_columns);
    const char *host = bench_stage_host(s);
    bench_thread *server =
        bench_thread_start(&bench_echo_server, host, bench_stage_place(s, two_cores));
    for (size_t i = 0; i < 2; i++) {
        bench_http_row row = run_echo(s, server, host, connections[i]);
        row.table = "echo";
        row.transport = "TCP";
        row.tls = bench_security_names[BENCH_PLAIN];
        row.placement = bench_stage_placement(s, two_cores);
        row.connections = row.in_flight = connections[i];
        row.keep_alive = 1;
        bench_stage_describe(s, &row);
        print_row(&row);
        bench_http_row_add(&bench_stage_run(s)->results, &row);
    }
    bench_thread_stop(server);
}
