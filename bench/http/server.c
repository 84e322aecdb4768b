/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include "http/server.h"

#include <stdlib.h>

#include "die.h"
#include "http/service.h"
#include "mem.h"

typedef struct server {
    cw_http_server *http;
    bench_service *service;
} server;

static void *open_server(const void *options, uv_loop_t *loop, int *port)
{
    const bench_server_options *o = options;
    const cw_http_server_options http = {
        .host = o->host ? o->host : "127.0.0.1",
        .tls = o->tls,
        .limits = o->limits,
        .coding = o->coding,
        .server_field = "cwire-bench",
    };
    cw_net_error e = {0};
    server *s = bench_calloc(1, sizeof *s);
    s->service = bench_service_open(loop, o->type, o->think_ns, CW_HTTP_ANY, NULL);
    s->http = cw_http_server_open(loop, &http, &bench_service_handler, s->service, &e);
    if (s->http == NULL) {
        char text[256];
        cw_net_error_print(&e, text, sizeof text);
        bench_die("the server cannot listen: %s", text);
    }
    *port = cw_http_server_port(s->http);
    return s;
}

static void read_counters(const void *served, cw_net_counters *out)
{
    const server *s = served;
    cw_http_server_counters(s->http, out);
}

/* ctx is the handler's: the service. */
static void on_closed(void *ctx)
{
    bench_service_close(ctx);
}

static void close_server(void *served)
{
    server *s = served;
    cw_http_server_close(s->http, on_closed);
    free(s);
}

const bench_served bench_server = {open_server, read_counters, close_server};
