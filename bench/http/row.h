/* SPDX-License-Identifier: MIT */
/* A row of the HTTP race: everything that is known of it, for the tables and for --json. */
#ifndef BENCH_HTTP_ROW_H
#define BENCH_HTTP_ROW_H

#include "http/outcome.h"
#include "results.h"

/* Fewer samples than this have no 99.9th percentile. */
enum { BENCH_SAMPLES_P999 = 100000 };

/*
 * Texts are constant or live as long as the row; NULL: does not apply. Numbers: negative, not
 * measured or does not apply. "up" is from client to server; what has "per_request" in its comment
 * is divided by the completed requests.
 */
typedef struct bench_http_row {
    const char *table;     /* "think", "tls", "closed", "open", "exchange", "handshake", "echo" */
    const char *transport; /* "HTTP/1.1", "HTTP/2", "TCP" */
    const char *tls;       /* "none", "P-256", "RSA-2048" */
    const char *placement; /* "same core", "two cores", "not pinned" */
    const char *payload;   /* "one", "many" */
    const char *form;      /* "protobuf", "json" */
    const char *coding;    /* "identity", "gzip 6" ... */
    const char *timer;     /* of the think time, or of an open loop */
    const char *article;   /* the article's figure, a text */
    const char *reference; /* nginx's with h2load, a text */
    const char *congestion;
    double connections, in_flight, keep_alive, resumption; /* keep_alive, resumption: 0 or 1 */
    double think_ms, rtt_ms, loss_percent;
    double offered_per_s, capacity_percent; /* of an open loop */

    double runs, samples;
    double sent, completed, failed, refused, late;
    double ms_median, ms_min, ms_max; /* of a run, on the wall */
    double req_per_s;
    double mean_us, p50_us, p90_us, p99_us, p999_us, max_us;

    /* Per request, each thread by itself. */
    double client_cpu_us, client_user_us, client_sys_us;
    double server_cpu_us, server_user_us, server_sys_us;
    double client_waits, client_preempted, server_waits, server_preempted;
    double client_reads, client_writes, server_reads, server_writes;
    double message_bytes_up, message_bytes_down; /* as encoded, before content coding */
    double socket_bytes_up, socket_bytes_down;   /* written and read, TLS included */
    double tcp_bytes_up, tcp_bytes_down;         /* payload of segments, resent ones included */
    double tcp_segments_up, tcp_segments_down;
    double codec_us, codec_percent; /* both ends' encode and decode; of the round trip */

    /* All in all. */
    double tcp_retransmits;
    double connections_before, connections_in_window;
    double handshakes_full, handshakes_resumed; /* in the window */
} bench_http_row;

/* Names and texts NULL, numbers not measured. */
bench_http_row bench_http_row_empty(void);

/* What one or more windows came to. Percentiles that the samples do not support stay out. */
void bench_http_row_outcome(bench_http_row *row, const bench_outcome *o);
void bench_http_row_server(bench_http_row *row, const bench_outcome *o, const bench_usage *usage,
                           const cw_net_counters *counters);

/* As a record with every field named. */
void bench_http_row_add(bench_results *results, const bench_http_row *row);

#endif
