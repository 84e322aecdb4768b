/* SPDX-License-Identifier: MIT */
/*
 * The stage of the HTTP race: the client's loop, certificates, payloads, and the servers that the
 * cases need, each in a thread of its own.
 */
#ifndef BENCH_HTTP_STAGE_H
#define BENCH_HTTP_STAGE_H

#include "http/message.h"
#include "http/row.h"
#include "http/server.h"
#include "suite.h"

typedef enum bench_security { BENCH_PLAIN, BENCH_P256, BENCH_RSA, BENCH_SECURITIES } bench_security;

extern const char *const bench_security_names[BENCH_SECURITIES]; /* "none", "P-256", "RSA-2048" */

typedef struct bench_coding {
    const char *name;
    cw_http_coding_options options; /* of both ends; min_size 1: small bodies are coded too */
} bench_coding;

enum { BENCH_IDENTITY, BENCH_GZIP_1, BENCH_GZIP_6, BENCH_BR_4, BENCH_CODINGS };

extern const bench_coding bench_codings[BENCH_CODINGS];

/* How long the rows take. */
typedef struct bench_http_pace {
    unsigned runs;      /* of a table whose rows are runs of `requests` */
    unsigned requests;  /* of a run */
    uint64_t slice_ns;  /* of a closed loop */
    uint64_t many_ns;   /* the same with many */
    uint64_t open_ns;   /* of an open loop */
    uint64_t serial_ns; /* of a serial loop that is there for its round trip */
    uint64_t warm_ns;   /* before each of them */
    unsigned handshakes;
} bench_http_pace;

/* A stage that is not the loopback: where the servers live, and under which address. */
typedef struct bench_scene {
    const char *host; /* of the server */
    int netns;        /* of the server; -1: the client's */
    double rtt_ms, loss_percent;
    const char *congestion;
} bench_scene;

/* Both ends' limits: whatever a user's message is, and however well it compresses, is no attack. */
extern const cw_http_limits bench_stage_limits;

typedef struct bench_stage bench_stage;

/* scene NULL: the loopback. payload, which the stage then owns: sent in place of the orders by all
 * cases; NULL: none. Dies when something cannot be had. */
bench_stage *bench_stage_open(bench_run *run, const bench_http_pace *pace, const bench_scene *scene,
                              bench_payload *payload);
void bench_stage_close(bench_stage *s);

bench_run *bench_stage_run(const bench_stage *s);
const bench_http_pace *bench_stage_pace(const bench_stage *s);
uv_loop_t *bench_stage_loop(bench_stage *s);
bench_source *bench_stage_source(bench_stage *s, bool many);
unsigned bench_stage_payload_count(const bench_stage *s);
/* "one", "many", or the payload's own. */
const char *bench_stage_payload(const bench_stage *s, bool many);

/* How many requests a case has in flight that has many: fewer of long messages, for what all of
 * them hold together has a limit. */
unsigned bench_stage_in_flight(const bench_stage *s, bool many);

/* Ends the servers that were started so far. Nothing may be connected to them. */
void bench_stage_stop_servers(bench_stage *s);

/* A running server of that kind; started when there is none yet. */
typedef struct bench_server_kind {
    bench_security security;
    bool two_cores;
    unsigned think_ms;
    unsigned coding;
} bench_server_kind;
bench_thread *bench_stage_server(bench_stage *s, const bench_server_kind *kind);

/* The address of the servers. */
const char *bench_stage_host(const bench_stage *s);

/* "http://127.0.0.1:PORT", written to out, which is returned. */
const char *bench_stage_origin(const bench_stage *s, const bench_thread *server,
                               bench_security security, char *out, size_t cap);

/* The client's context that trusts the server's certificate; NULL for BENCH_PLAIN. Contexts with
 * and without resumption are two. */
cw_tls *bench_stage_client_tls(bench_stage *s, bench_security security, bool no_resumption);

/* Where a server of a case runs: the CPU (-1: not pinned), and the words for it. */
bench_place bench_stage_place(const bench_stage *s, bool two_cores);
const char *bench_stage_placement(const bench_stage *s, bool two_cores);

/* Sets what the scene says of a row. */
void bench_stage_describe(const bench_stage *s, bench_http_row *row);

#endif
