/* SPDX-License-Identifier: MIT */
/*
 * net/client.h: an HTTP client for one origin on a libuv loop: keeps its connections, spreads
 * requests over them, and tells of each request exactly once how it ended.
 *
 *     const cw_http_client_options options = {.origin = "http://127.0.0.1:8080"};
 *     cw_http_client *client = cw_http_client_open(loop, &options, &e);
 *     const cw_http_request request = {.method = CW_STR_INIT("POST"), .path = CW_STR_INIT("/"),
 *                                      .body = body, .on_response = on_response, .user = me};
 *     cw_http_send(client, &request, NULL, &e);
 *
 * Requests sent in one turn of the loop leave in one write a connection at the turn's end.
 *
 * A request is sent a second time, once, where that cannot do anything twice: when the server has
 * refused it (any method), or when it is idempotent (RFC 9110, 9.2.2) and an HTTP/1.1 connection
 * that had been idle closes before a byte of the response. It needs a copy for that, which is made
 * of what waits for a connection, goes to an idle HTTP/1.1 connection, or to an HTTP/2 connection
 * before its SETTINGS: others, and streamed ones, end with CW_NET_ERR_REFUSED or _CLOSED.
 */
#ifndef CWIRE_NET_CLIENT_H
#define CWIRE_NET_CLIENT_H

#include <uv.h>

#include "cwire/net/tls.h"

CW_BEGIN_DECLS

typedef struct cw_http_client cw_http_client;
/* A request that was sent, and its response. Valid from cw_http_send until on_response returns. */
typedef struct cw_http_exchange cw_http_exchange;

/* All zero but the origin is a good default. Copied. */
typedef struct cw_http_client_options {
    const char *origin; /* "http://host:port" or "https://host:port"; an IPv6 address in [] */
    cw_http_version
        version;            /* CW_HTTP_ANY, CW_HTTP_1_1, CW_HTTP_2 (without TLS: prior knowledge) */
    size_t max_connections; /* at once; 0: 6 for HTTP/1.1, 1 for HTTP/2 */
    size_t max_in_flight;   /* HTTP/2: requests of a connection at once, beside the server's limit;
                               0: the server's limit alone */
    size_t max_queued;      /* requests that wait for a connection; one more is CW_NET_ERR_BUSY;
                               0: no limit */
    bool no_keep_alive;     /* HTTP/1.1: a connection for each request */
    cw_tls *tls;            /* https: NULL is a client context with defaults */
    cw_http_limits limits;  /* max_header_*, max_body, max_decoded, max_expansion, windows,
                               timeouts */
    cw_http_coding_options coding;
    unsigned connect_timeout_ms; /* for TCP, and as much for TLS, at each address; 0: 10,000 */
    /* An error of a connection that belongs to no request (an idle one fails); may be NULL. */
    void (*on_error)(void *ctx, const cw_net_error *e);
    void *ctx;
} cw_http_client_options;

typedef struct cw_http_request {
    cw_str method;         /* letters, digits, '-' and '_'; empty: GET, or POST with a body */
    cw_str path;           /* with the query; empty: "/" */
    cw_http_fields fields; /* not connection-specific, nor host, content-length, accept-encoding */
    cw_bytes body;
    bool streamed;       /* the body goes on with cw_http_exchange_write and _end */
    bool expect;         /* HTTP/1.1: wait for "100 Continue" (a second at most) before the body */
    unsigned timeout_ms; /* from cw_http_send to on_response; 0: none */
    void *user;
    /*
     * Exactly once for each request that cw_http_send took: the response is complete (e->status is
     * CW_NET_OK, whatever its HTTP status), or there is none or only a part of one. Not called
     * before cw_http_send has returned.
     */
    void (*on_response)(void *user, cw_http_exchange *x, const cw_net_error *e);
    /* Optional: the head of the final response is there. */
    void (*on_head)(void *user, cw_http_exchange *x);
    /* Optional: the body in pieces (content coding undone, of max_decoded bytes in all at most);
     * it is not collected then, and max_body does not count. */
    void (*on_body)(void *user, cw_http_exchange *x, cw_bytes piece);
    /* Optional: a streamed request has less than 64 KiB unsent again. */
    void (*on_writable)(void *user, cw_http_exchange *x);
} cw_http_request;

/* NULL with *e filled: the origin cannot be read or memory is short. Connects with the first
 * request. */
CW_API cw_http_client *cw_http_client_open(uv_loop_t *loop, const cw_http_client_options *o,
                                           cw_net_error *e);

/*
 * Fails what is queued or in flight with CW_NET_ERR_CANCELLED, closes all connections, then calls
 * `closed` (NULL: none): the client is gone after that.
 */
CW_API void cw_http_client_close(cw_http_client *c, void (*closed)(void *ctx), void *ctx);

/*
 * Opens this many connections (max_connections at most) ahead of requests and calls `ready` when
 * all are up (TLS and the peer's SETTINGS included), or with the first error. Not twice at a time.
 */
CW_API void cw_http_client_connect(cw_http_client *c, size_t connections,
                                   void (*ready)(void *ctx, const cw_net_error *e), void *ctx);

/*
 * Sends a request, or queues it until a connection has room. Everything but the callbacks' `user`
 * is copied. *x (may be NULL) is the exchange. Not OK: nothing was sent and no callback will come.
 */
CW_API cw_net_status cw_http_send(cw_http_client *c, const cw_http_request *request,
                                  cw_http_exchange **x, cw_net_error *e);

/* Requests that wait for a connection, and requests sent and not answered. */
CW_API size_t cw_http_client_queued(const cw_http_client *c);
CW_API size_t cw_http_client_in_flight(const cw_http_client *c);

CW_API void cw_http_client_counters(const cw_http_client *c, cw_net_counters *out);

/* ---- an exchange ------------------------------------------------------------------------------
 * Views are valid until on_response returns. */

/* The head of the final response; status 0: none arrived. */
CW_API const cw_http_head *cw_http_exchange_head(const cw_http_exchange *x);
CW_API cw_bytes cw_http_exchange_body(const cw_http_exchange *x);
CW_API cw_http_fields cw_http_exchange_trailers(const cw_http_exchange *x);
/* It was given to a connection that had carried other requests before. */
CW_API bool cw_http_exchange_reused(const cw_http_exchange *x);

/* A streamed request's body: any number of writes, then end. */
CW_API cw_net_status cw_http_exchange_write(cw_http_exchange *x, cw_bytes piece);
CW_API size_t cw_http_exchange_unsent(const cw_http_exchange *x);
CW_API cw_net_status cw_http_exchange_end(cw_http_exchange *x, cw_http_fields trailers);
/* Back-pressure on the response's body, as cw_http_call_pause. */
CW_API void cw_http_exchange_pause(cw_http_exchange *x);
CW_API void cw_http_exchange_resume(cw_http_exchange *x);
/* Gives the request up; on_response comes with CW_NET_ERR_CANCELLED, not before this returns. */
CW_API void cw_http_exchange_cancel(cw_http_exchange *x);

CW_END_DECLS
#endif
