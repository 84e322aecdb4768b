/* SPDX-License-Identifier: MIT */
/* cwire-bench serve: the server of the race by itself, for clients of others. */
#define _GNU_SOURCE /* kill's signals, and uv.h wants POSIX types */

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "http/service.h"
#include "http/words.h"
#include "suite.h"

typedef struct serve_options {
    const char *host, *http, *certificate, *key, *coding;
    int port;
    bool tls, rsa;
    double think_ms;
} serve_options;

static const serve_options defaults = {.host = "127.0.0.1", .http = "any", .coding = "any"};

static const bench_option options[] = {
    {.name = "--port",
     .kind = BENCH_OPTION_INT,
     .at = offsetof(serve_options, port),
     .value = "N",
     .help = "listen on port N (else a free one)",
     .max = 65535},
    {.name = "--host",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(serve_options, host),
     .value = "ADDRESS",
     .help = "a numeric address (127.0.0.1)"},
    {.name = "--http",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(serve_options, http),
     .choices = "1|2|any",
     .help = "the version to speak (any)"},
    {.name = "--think",
     .kind = BENCH_OPTION_REAL,
     .at = offsetof(serve_options, think_ms),
     .value = "MS",
     .help = "wait so long before each answer",
     .max = 60000},
    {.name = "--coding",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(serve_options, coding),
     .choices = BENCH_CODING_WORDS,
     .help = "content codings for answers of 1 KiB and more (any)"},
    {.name = "--tls",
     .kind = BENCH_OPTION_FLAG,
     .at = offsetof(serve_options, tls),
     .help = "TLS 1.3; without --cert with a new self-signed certificate, whose file is printed"},
    {.name = "--rsa",
     .kind = BENCH_OPTION_FLAG,
     .at = offsetof(serve_options, rsa),
     .help = "with --tls: such a one with an RSA-2048 key (else P-256)"},
    {.name = "--cert",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(serve_options, certificate),
     .value = "FILE",
     .help = "with --tls: this certificate (PEM)"},
    {.name = "--key",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(serve_options, key),
     .value = "FILE",
     .help = "and its key (PEM)"},
};

const bench_own_options bench_serve_own = {
    .command = "serve",
    .options = options,
    .n = sizeof options / sizeof options[0],
    .defaults = &defaults,
    .size = sizeof defaults,
};

typedef struct server {
    const serve_options *o;
    uv_loop_t loop;
    uv_signal_t interrupt, terminate;
    cw_http_server *http;
    bench_service *service;
    cw_tls *tls;
    char certificate[PATH_MAX], key[PATH_MAX]; /* files made for this run; "": none */
    bool is_ending;
} server;

/* ---- the certificate ---------------------------------------------------------------------------
 */

/* Beside the program, with a name of this process's own. */
static void name_files(server *s)
{
    char folder[PATH_MAX - 64];
    size_t size = sizeof folder;
    if (uv_exepath(folder, &size) != 0) {
        snprintf(folder, sizeof folder, "./cwire-bench");
    }
    snprintf(s->certificate, sizeof s->certificate, "%s-%ld.pem", folder, (long)getpid());
    snprintf(s->key, sizeof s->key, "%s-%ld.key", folder, (long)getpid());
}

static void remove_files(const server *s)
{
    if (s->certificate[0] != '\0') {
        unlink(s->certificate);
        unlink(s->key);
    }
}

static bool make_certificate(server *s, cw_net_error *e)
{
    char names[128];
    name_files(s);
    snprintf(names, sizeof names, "localhost,127.0.0.1,%s", s->o->host);
    return cw_tls_self_signed(s->o->rsa ? CW_TLS_RSA_2048 : CW_TLS_P256, names, 30, s->certificate,
                              s->key, e) == CW_NET_OK;
}

static bool open_tls(server *s, cw_net_error *e)
{
    const serve_options *o = s->o;
    if ((o->certificate == NULL) != (o->key == NULL)) {
        cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "--cert and --key go together");
        return false;
    }
    if (o->certificate == NULL && !make_certificate(s, e)) {
        return false;
    }
    const cw_tls_server_options tls = {
        .certificate_file = o->certificate ? o->certificate : s->certificate,
        .key_file = o->key ? o->key : s->key,
        .no_http_1 = strcmp(o->http, "2") == 0,
        .no_http_2 = strcmp(o->http, "1") == 0,
    };
    s->tls = cw_tls_server(&tls, e);
    return s->tls != NULL;
}

/* ---- running -----------------------------------------------------------------------------------
 */

static void print_counters(const cw_net_counters *c, const cw_net_error *first)
{
    printf("requests %llu, answered %llu, failed %llu, bad requests %llu; connections %llu, "
           "refused %llu; handshakes full %llu, resumed %llu, failed %llu; reads %llu, writes "
           "%llu, bytes in %llu, out %llu\n",
           (unsigned long long)c->requests, (unsigned long long)c->answered,
           (unsigned long long)c->failed, (unsigned long long)c->bad_requests,
           (unsigned long long)c->connections, (unsigned long long)c->connections_failed,
           (unsigned long long)c->handshakes_full, (unsigned long long)c->handshakes_resumed,
           (unsigned long long)c->handshakes_failed, (unsigned long long)c->reads,
           (unsigned long long)c->writes, (unsigned long long)c->bytes_in,
           (unsigned long long)c->bytes_out);
    if (first->status != CW_NET_OK) {
        char text[256];
        cw_net_error_print(first, text, sizeof text);
        printf("first error of a connection: %s\n", text);
    }
}

static void on_closed(void *ctx)
{
    server *s = bench_service_owner(ctx);
    cw_net_counters counters;
    cw_http_server_counters(s->http, &counters);
    print_counters(&counters, bench_service_error(s->service));
    bench_service_close(s->service);
}

static void on_signal(uv_signal_t *signal, int number)
{
    server *s = signal->data;
    (void)number;
    if (!s->is_ending) {
        s->is_ending = true;
        uv_close((uv_handle_t *)&s->interrupt, NULL);
        uv_close((uv_handle_t *)&s->terminate, NULL);
        cw_http_server_shutdown(s->http, on_closed);
    }
}

static void watch(server *s, uv_signal_t *signal, int number)
{
    signal->data = s;
    if (uv_signal_init(&s->loop, signal) != 0 || uv_signal_start(signal, on_signal, number) != 0) {
        bench_die("signals cannot be caught");
    }
}

static bool open_server(server *s, cw_net_error *e)
{
    const serve_options *o = s->o;
    if (o->tls && !open_tls(s, e)) {
        return false;
    }
    const cw_http_server_options http = {
        .host = o->host,
        .port = o->port,
        .tls = s->tls,
        .coding = {.codings = bench_codings_of(o->coding)},
        .server_field = "cwire-bench",
    };
    s->service = bench_service_open(&s->loop, NULL, (uint64_t)(o->think_ms * 1e6),
                                    bench_version_of(o->http), s);
    s->http = cw_http_server_open(&s->loop, &http, &bench_service_handler, s->service, e);
    if (s->http == NULL) {
        bench_service_close(s->service);
        uv_run(&s->loop, UV_RUN_DEFAULT);
    }
    return s->http != NULL;
}

static void print_url(const server *s)
{
    bool is_6 = strchr(s->o->host, ':') != NULL;
    printf("%s://%s%s%s:%d", s->tls != NULL ? "https" : "http", is_6 ? "[" : "", s->o->host,
           is_6 ? "]" : "", cw_http_server_port(s->http));
    if (s->certificate[0] != '\0') {
        printf(" (certificate: %s)", s->certificate);
    }
    printf("\n");
    fflush(stdout);
}

void bench_serve(bench_run *run)
{
    cw_net_error e = {0};
    server s = {.o = run->options->own};
    signal(SIGPIPE, SIG_IGN);
    if (uv_loop_init(&s.loop) != 0) {
        bench_die("no loop");
    }
    if (open_server(&s, &e)) {
        watch(&s, &s.interrupt, SIGINT);
        watch(&s, &s.terminate, SIGTERM);
        print_url(&s);
        uv_run(&s.loop, UV_RUN_DEFAULT);
    } else {
        char text[256];
        cw_net_error_print(&e, text, sizeof text);
        fprintf(stderr, "cwire-bench: %s\n", text);
        run->failed = true;
    }
    remove_files(&s);
    cw_tls_free(s.tls);
    if (uv_loop_close(&s.loop) != 0) {
        bench_die("the loop has handles left");
    }
}
