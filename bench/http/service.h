/* SPDX-License-Identifier: MIT */
/*
 * What the server of the HTTP race does: POST /batch takes a message of its type (shop.Batch, where
 * nothing else was said), decodes it and answers
 * with the same message encoded again, in the form it came in (400: it cannot be decoded; 415: not
 * a form of ours). GET / is a short text; GET /one and GET /many are the orders of the race, in the
 * first of our forms that Accept names, else in protobuf.
 */
#ifndef BENCH_HTTP_SERVICE_H
#define BENCH_HTTP_SERVICE_H

#include "cwire/net/server.h"
#include "cwire/type.h"

typedef struct bench_service bench_service;

/* type: of what is posted, NULL: shop.Batch. think_ns: answers wait so long after the request is
 * there. version: CW_HTTP_ANY, or the one that is answered (others get 505). owner: for
 * bench_service_owner. Dies when the system gives no memory. */
bench_service *bench_service_open(uv_loop_t *loop, const cw_type *type, uint64_t think_ns,
                                  cw_http_version version, void *owner);
void *bench_service_owner(const bench_service *s);

/* The handler; its ctx is the service. */
extern const cw_http_handler bench_service_handler;

/* After the server's end. Calls that still wait are answered at once. The service is gone when the
 * loop has run once more. */
void bench_service_close(bench_service *s);

/* The first error that a connection ended with, for the output: status CW_NET_OK, there was none.
 */
const cw_net_error *bench_service_error(const bench_service *s);

#endif
