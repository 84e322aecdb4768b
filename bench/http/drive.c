/* SPDX-License-Identifier: MIT */
/* cwire-bench drive: the client of the race by itself, against any server. */
#define _GNU_SOURCE /* SIGPIPE, and uv.h wants POSIX types */

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "data_order.h"
#include "die.h"
#include "http/load.h"
#include "http/row.h"
#include "http/words.h"
#include "suite.h"

typedef struct drive_options {
    const char *url, *http, *method, *payload, *coding, *ca;
    int connections, in_flight, requests;
    double seconds, rate;
    bool json_body, insecure, no_keep_alive;
} drive_options;

static const drive_options defaults = {.http = "any", .coding = "none"};

static const bench_option options[] = {
    {.name = "--connections",
     .kind = BENCH_OPTION_INT,
     .at = offsetof(drive_options, connections),
     .value = "N",
     .help = "at most (--http 2: 1; else as many as requests in flight)",
     .min = 1,
     .max = 60000},
    {.name = "--in-flight",
     .kind = BENCH_OPTION_INT,
     .at = offsetof(drive_options, in_flight),
     .value = "N",
     .help = "requests at once, all in all (as many as connections)",
     .min = 1,
     .max = 1000000},
    {.name = "--requests",
     .kind = BENCH_OPTION_INT,
     .at = offsetof(drive_options, requests),
     .value = "N",
     .help = "so many requests (1000)",
     .min = 1,
     .max = INT_MAX},
    {.name = "--seconds",
     .kind = BENCH_OPTION_REAL,
     .at = offsetof(drive_options, seconds),
     .value = "S",
     .help = "or as many as leave in this time",
     .min = 0.001,
     .max = 1e6},
    {.name = "--rate",
     .kind = BENCH_OPTION_REAL,
     .at = offsetof(drive_options, rate),
     .value = "R",
     .help = "open loop: R requests a second, whatever the answers do (with --seconds)",
     .min = 0.001,
     .max = 1e7},
    {.name = "--http",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(drive_options, http),
     .choices = "1|2|any",
     .help = "the version to speak (any: what ALPN gives; without TLS 1)"},
    {.name = "--no-keep-alive",
     .kind = BENCH_OPTION_FLAG,
     .at = offsetof(drive_options, no_keep_alive),
     .help = "a connection for each request (HTTP/1.1)"},
    {.name = "--method",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(drive_options, method),
     .value = "NAME",
     .help = "GET, or POST with a payload"},
    {.name = "--payload",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(drive_options, payload),
     .choices = "one|many|none",
     .help = "the body of requests (one for a path that ends with /batch, else none)"},
    {.name = "--json-body",
     .kind = BENCH_OPTION_FLAG,
     .at = offsetof(drive_options, json_body),
     .help = "as JSON, not as protobuf; without a body: accept JSON"},
    {.name = "--coding",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(drive_options, coding),
     .choices = BENCH_CODING_WORDS,
     .help = "content codings to accept; gzip and br also for requests (none)"},
    {.name = "--ca",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(drive_options, ca),
     .value = "FILE",
     .help = "whom to trust (PEM; else the system's store)"},
    {.name = "--insecure",
     .kind = BENCH_OPTION_FLAG,
     .at = offsetof(drive_options, insecure),
     .help = "trust anybody"},
};

const bench_own_options bench_drive_own = {
    .command = "drive",
    .options = options,
    .n = sizeof options / sizeof options[0],
    .operand = "URL",
    .operand_at = offsetof(drive_options, url),
    .defaults = &defaults,
    .size = sizeof defaults,
};

typedef struct target {
    char origin[512];
    const char *path; /* a view of the URL */
    bool is_tls;
} target;

static void read_url(const char *url, target *t)
{
    size_t scheme = strncmp(url, "https://", 8) == 0 ? 8 : strncmp(url, "http://", 7) == 0 ? 7 : 0;
    size_t len = scheme + strcspn(url + scheme, "/?#");
    if (scheme == 0 || len == scheme || len >= sizeof t->origin) {
        bench_die("no URL: %s (http://HOST[:PORT]/PATH)", url);
    }
    memcpy(t->origin, url, len);
    t->origin[len] = '\0';
    t->path = url[len] == '/' ? url + len : "/";
    t->is_tls = scheme == 8;
}

static _Noreturn void die_of(const cw_net_error *e)
{
    char text[256];
    cw_net_error_print(e, text, sizeof text);
    bench_die("%s", text);
}

/* The body of requests; NULL: none. Nothing said: what the path suggests. */
static bench_payload *payload_of(const drive_options *o, const char *path)
{
    const char *end = "/batch";
    size_t len = strcspn(path, "?"), n = strlen(end);
    bool is_batch = len >= n && strncmp(path + len - n, end, n) == 0 && o->method == NULL;
    const char *word = o->payload ? o->payload : is_batch ? "one" : "none";
    return strcmp(word, "many") == 0  ? bench_payload_orders("many", 0, BENCH_MANY)
           : strcmp(word, "one") == 0 ? bench_payload_orders("one", 1, 1)
                                      : NULL;
}

static cw_tls *open_tls(const drive_options *o, const target *t)
{
    const cw_tls_client_options tls = {.ca_file = o->ca, .insecure = o->insecure};
    cw_net_error e = {0};
    if (!t->is_tls) {
        return NULL;
    }
    cw_tls *made = cw_tls_client(&tls, &e);
    if (made == NULL) {
        die_of(&e);
    }
    return made;
}

static bench_load_options load_of(const drive_options *o, const target *t)
{
    bench_load_options l = {
        .origin = t->origin,
        .path = t->path,
        .method = o->method,
        .version = bench_version_of(o->http),
        .no_keep_alive = o->no_keep_alive,
        .coding = {.codings = bench_codings_of(o->coding)},
        .wire = o->json_body ? BENCH_JSON : BENCH_PROTOBUF,
        .any_answer = true,
    };
    unsigned request_coding = bench_codings_of(o->coding);
    bool is_one = request_coding == CW_HTTP_GZIP || request_coding == CW_HTTP_BR;
    l.coding.request_coding = is_one ? request_coding : 0;
    size_t connections = (size_t)o->connections, in_flight = (size_t)o->in_flight;
    l.in_flight = in_flight ? in_flight : connections ? connections : 1;
    l.connections = connections ? connections : l.version == CW_HTTP_2 ? 1 : l.in_flight;
    return l;
}

static bench_plan plan_of(const drive_options *o)
{
    bench_plan p = {.duration_ns = (uint64_t)(o->seconds * 1e9), .rate = o->rate};
    if (o->rate > 0 && (o->seconds <= 0 || o->requests > 0)) {
        bench_die("--rate needs --seconds, and no --requests");
    }
    if (o->requests > 0 && o->seconds > 0) {
        bench_die("--requests and --seconds exclude each other");
    }
    p.requests = o->requests > 0 ? (uint64_t)o->requests : o->seconds > 0 ? 0 : 1000;
    return p;
}

/* Nothing for what was not measured. */
static void print_number(const char *before, double v, int decimals)
{
    if (v >= 0) {
        printf("%s%.*f", before, decimals, v);
    }
}

static void print_row(const bench_http_row *r)
{
    print_number("completed ", r->completed, 0);
    print_number(", failed ", r->failed, 0);
    print_number(", of them refused ", r->refused, 0);
    print_number(", late ", r->late, 0);
    print_number("; req/s ", r->req_per_s, 0);
    print_number("; us p50 ", r->p50_us, 1);
    print_number(", p90 ", r->p90_us, 1);
    print_number(", p99 ", r->p99_us, 1);
    print_number(", p99.9 ", r->p999_us, 1);
    print_number(", max ", r->max_us, 1);
    print_number("; CPU us ", r->client_cpu_us, 2);
    print_number("; connections before ", r->connections_before, 0);
    print_number(", then ", r->connections_in_window, 0);
    print_number("; handshakes then: full ", r->handshakes_full, 0);
    print_number(", resumed ", r->handshakes_resumed, 0);
    print_number("; bytes of a request up ", r->socket_bytes_up, 0);
    print_number(", down ", r->socket_bytes_down, 0);
    printf("\n");
}

static bench_http_row row_of(const drive_options *o, const bench_load_options *l)
{
    bench_http_row row = bench_http_row_empty();
    row.table = "drive";
    row.transport = l->version == CW_HTTP_2     ? "HTTP/2"
                    : l->version == CW_HTTP_1_1 ? "HTTP/1.1"
                                                : NULL; /* ALPN's choice */
    row.payload = l->source != NULL ? l->source->payload->name : NULL;
    row.form = l->source != NULL ? bench_wires[l->wire].name : NULL;
    row.coding = o->coding;
    row.connections = (double)l->connections;
    row.in_flight = o->rate > 0 ? -1 : (double)l->in_flight;
    row.offered_per_s = o->rate > 0 ? o->rate : -1;
    row.keep_alive = !l->no_keep_alive;
    return row;
}

/* Prints and keeps the row; false: not every request was completed. */
static bool report(bench_run *run, bench_http_row *row, const bench_outcome *out)
{
    bench_http_row_outcome(row, out);
    print_row(row);
    bench_http_row_add(&run->results, row);
    if (out->first_failure[0] != '\0') {
        fprintf(stderr, "cwire-bench: the first that failed: %s\n", out->first_failure);
    }
    return out->completed > 0 && out->completed == out->sent;
}

void bench_drive(bench_run *run)
{
    const drive_options *o = run->options->own;
    const bench_plan plan = plan_of(o);
    target t;
    bench_source source;
    bench_outcome out;
    uv_loop_t loop;
    cw_net_error e = {0};
    read_url(o->url, &t);
    bench_load_options options_of_load = load_of(o, &t);
    bench_payload *payload = payload_of(o, t.path);
    if (payload != NULL) {
        bench_source_open(&source, payload);
        options_of_load.source = &source;
    }
    cw_tls *tls = options_of_load.tls = open_tls(o, &t);
    signal(SIGPIPE, SIG_IGN);
    if (uv_loop_init(&loop) != 0) {
        bench_die("no loop");
    }
    bench_load *load = bench_load_open(&loop, &options_of_load, &e);
    if (load == NULL || (!o->no_keep_alive && bench_load_connect(load, &e) != CW_NET_OK)) {
        die_of(&e);
    }
    bench_outcome_open(&out);
    bench_http_row row = row_of(o, &options_of_load);
    row.connections_before = (double)bench_load_connections(load);
    bench_load_run(load, &plan, &out);
    run->failed = !report(run, &row, &out);
    bench_load_close(load);
    bench_outcome_free(&out);
    cw_tls_free(tls);
    if (payload != NULL) {
        bench_source_free(&source);
    }
    if (uv_loop_close(&loop) != 0) {
        bench_die("the loop has handles left");
    }
}
