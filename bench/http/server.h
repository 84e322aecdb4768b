/* SPDX-License-Identifier: MIT */
/* The HTTP server of the race, to be run by a bench_thread. */
#ifndef BENCH_HTTP_SERVER_H
#define BENCH_HTTP_SERVER_H

#include "cwire/net/server.h"
#include "cwire/type.h"
#include "http/thread.h"

typedef struct bench_server_options {
    const char *host;    /* NULL: 127.0.0.1 */
    cw_tls *tls;         /* NULL: plain */
    const cw_type *type; /* of what is posted; NULL: shop.Batch */
    uint64_t think_ns;
    cw_http_limits limits;
    cw_http_coding_options coding;
} bench_server_options;

/* Its options are bench_server_options. */
extern const bench_served bench_server;

#endif
