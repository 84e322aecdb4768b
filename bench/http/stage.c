/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* mkdtemp, and uv.h wants POSIX types */

#include "http/stage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data_order.h"
#include "die.h"
#include "mem.h"

const char *const bench_security_names[BENCH_SECURITIES] = {"none", "P-256", "RSA-2048"};

#define GZIP(level)                                                                                \
    {                                                                                              \
        .codings = CW_HTTP_GZIP, .request_coding = CW_HTTP_GZIP, .gzip_level = (level),            \
        .min_size = 1                                                                              \
    }

const bench_coding bench_codings[BENCH_CODINGS] = {
    [BENCH_IDENTITY] = {"identity", {.codings = 0}},
    [BENCH_GZIP_1] = {"gzip 1", GZIP(1)},
    [BENCH_GZIP_6] = {"gzip 6", GZIP(6)},
    [BENCH_BR_4] =
        {"br 4",
         {.codings = CW_HTTP_BR, .request_coding = CW_HTTP_BR, .br_quality = 4, .min_size = 1}},
};

const cw_http_limits bench_stage_limits = {
    .max_body = SIZE_MAX, .max_decoded = SIZE_MAX, .max_expansion = SIZE_MAX};

enum { SERVERS_MAX = 32, IN_FLIGHT = 50, IN_FLIGHT_BYTES = 64 << 20 };

typedef struct server_entry {
    bench_server_kind kind;
    bench_thread *thread;
} server_entry;

struct bench_stage {
    bench_run *run;
    bench_http_pace pace;
    const bench_scene *scene; /* NULL: the loopback */
    uv_loop_t loop;
    bench_source one, many; /* of a user's payload: the first only */
    const cw_type *type;    /* of that one; NULL: the orders' */
    cw_tls *server_tls[BENCH_SECURITIES];
    cw_tls *client_tls[BENCH_SECURITIES][2]; /* with resumption, without */
    server_entry servers[SERVERS_MAX];
    size_t n_servers;
};

static _Noreturn void die_of(const char *what, const cw_net_error *e)
{
    char text[256];
    cw_net_error_print(e, text, sizeof text);
    bench_die("%s: %s", what, text);
}

/* Contexts of both ends around a new certificate; its files are gone when this returns. */
static void make_tls(bench_stage *s, bench_security security, cw_tls_key key, const char *folder)
{
    char certificate[512], key_file[512], names[128];
    cw_net_error e = {0};
    snprintf(certificate, sizeof certificate, "%s/certificate.pem", folder);
    snprintf(key_file, sizeof key_file, "%s/key.pem", folder);
    snprintf(names, sizeof names, "localhost,%s", bench_stage_host(s));
    const cw_tls_server_options server = {.certificate_file = certificate, .key_file = key_file};
    if (cw_tls_self_signed(key, names, 2, certificate, key_file, &e) != CW_NET_OK ||
        (s->server_tls[security] = cw_tls_server(&server, &e)) == NULL) {
        die_of("no certificate", &e);
    }
    for (int without = 0; without < 2; without++) {
        const cw_tls_client_options client = {.ca_file = certificate, .no_resumption = without};
        s->client_tls[security][without] = cw_tls_client(&client, &e);
        if (s->client_tls[security][without] == NULL) {
            die_of("the certificate is not taken", &e);
        }
    }
    unlink(certificate);
    unlink(key_file);
}

static void make_all_tls(bench_stage *s)
{
    const char *tmp = getenv("TMPDIR");
    char folder[400];
    snprintf(folder, sizeof folder, "%s/cwire-bench-XXXXXX", tmp && tmp[0] ? tmp : "/tmp");
    if (mkdtemp(folder) == NULL) {
        bench_die("no folder for certificates: %s: %s", folder, strerror(errno));
    }
    make_tls(s, BENCH_P256, CW_TLS_P256, folder);
    make_tls(s, BENCH_RSA, CW_TLS_RSA_2048, folder);
    rmdir(folder);
}

bench_stage *bench_stage_open(bench_run *run, const bench_http_pace *pace, const bench_scene *scene,
                              bench_payload *payload)
{
    bench_stage *s = bench_calloc(1, sizeof *s);
    s->run = run;
    s->pace = *pace;
    s->scene = scene;
    if (uv_loop_init(&s->loop) != 0) {
        bench_die("no loop for the client");
    }
    s->type = payload ? payload->type : NULL;
    bench_source_open(&s->one, payload ? payload : bench_payload_orders("one", 1, 1));
    if (payload == NULL) {
        bench_source_open(&s->many, bench_payload_orders("many", 0, BENCH_MANY));
    }
    make_all_tls(s);
    return s;
}

void bench_stage_stop_servers(bench_stage *s)
{
    while (s->n_servers > 0) {
        bench_thread_stop(s->servers[--s->n_servers].thread);
    }
}

void bench_stage_close(bench_stage *s)
{
    bench_stage_stop_servers(s);
    for (int i = 0; i < BENCH_SECURITIES; i++) {
        cw_tls_free(s->server_tls[i]);
        cw_tls_free(s->client_tls[i][0]);
        cw_tls_free(s->client_tls[i][1]);
    }
    bench_source_free(&s->one);
    if (s->many.payload != NULL) {
        bench_source_free(&s->many);
    }
    if (uv_loop_close(&s->loop) != 0) {
        bench_die("the client's loop has handles left");
    }
    free(s);
}

bench_run *bench_stage_run(const bench_stage *s)
{
    return s->run;
}

const bench_http_pace *bench_stage_pace(const bench_stage *s)
{
    return &s->pace;
}

uv_loop_t *bench_stage_loop(bench_stage *s)
{
    return &s->loop;
}

bench_source *bench_stage_source(bench_stage *s, bool many)
{
    return many && s->type == NULL ? &s->many : &s->one;
}

unsigned bench_stage_payload_count(const bench_stage *s)
{
    return s->type == NULL ? 2 : 1;
}

const char *bench_stage_payload(const bench_stage *s, bool many)
{
    return many && s->type == NULL ? s->many.payload->name : s->one.payload->name;
}

unsigned bench_stage_in_flight(const bench_stage *s, bool many)
{
    const bench_payload *p = many && s->type == NULL ? s->many.payload : s->one.payload;
    size_t longest = p->longest[BENCH_BINARY] > p->longest[BENCH_TEXT] ? p->longest[BENCH_BINARY]
                                                                       : p->longest[BENCH_TEXT];
    size_t n = IN_FLIGHT_BYTES / (longest + 1);
    return n < 1 ? 1 : n < IN_FLIGHT ? (unsigned)n : IN_FLIGHT;
}

const char *bench_stage_host(const bench_stage *s)
{
    return s->scene ? s->scene->host : "127.0.0.1";
}

bench_place bench_stage_place(const bench_stage *s, bool two_cores)
{
    const bench_machine *m = s->run->machine;
    return (bench_place){two_cores ? m->other : m->pinned, s->scene ? s->scene->netns : -1};
}

const char *bench_stage_placement(const bench_stage *s, bool two_cores)
{
    int cpu = bench_stage_place(s, two_cores).cpu;
    return cpu < 0 ? "not pinned" : two_cores ? "two cores" : "same core";
}

static bool is_kind(const bench_server_kind *a, const bench_server_kind *b)
{
    return a->security == b->security && a->two_cores == b->two_cores &&
           a->think_ms == b->think_ms && a->coding == b->coding;
}

bench_thread *bench_stage_server(bench_stage *s, const bench_server_kind *kind)
{
    for (size_t i = 0; i < s->n_servers; i++) {
        if (is_kind(&s->servers[i].kind, kind)) {
            return s->servers[i].thread;
        }
    }
    if (s->n_servers == SERVERS_MAX) {
        bench_die("more than %d servers", SERVERS_MAX);
    }
    const bench_server_options options = {
        .host = bench_stage_host(s),
        .tls = s->server_tls[kind->security],
        .type = s->type,
        .think_ns = kind->think_ms * UINT64_C(1000000),
        .limits = bench_stage_limits,
        .coding = bench_codings[kind->coding].options,
    };
    bench_thread *t =
        bench_thread_start(&bench_server, &options, bench_stage_place(s, kind->two_cores));
    s->servers[s->n_servers++] = (server_entry){*kind, t};
    return t;
}

const char *bench_stage_origin(const bench_stage *s, const bench_thread *server,
                               bench_security security, char *out, size_t cap)
{
    snprintf(out, cap, "%s://%s:%d", security == BENCH_PLAIN ? "http" : "https",
             bench_stage_host(s), bench_thread_port(server));
    return out;
}

cw_tls *bench_stage_client_tls(bench_stage *s, bench_security security, bool no_resumption)
{
    return s->client_tls[security][no_resumption];
}

void bench_stage_describe(const bench_stage *s, bench_http_row *row)
{
    row->rtt_ms = s->scene ? s->scene->rtt_ms : 0;
    row->loss_percent = s->scene ? s->scene->loss_percent : 0;
    row->congestion = s->scene ? s->scene->congestion : NULL;
}
