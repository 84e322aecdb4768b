/* SPDX-License-Identifier: MIT */
/*
 * net/server.h: an HTTP server on a libuv loop: HTTP/1.1 and HTTP/2 on one port, plain (HTTP/2 by
 * prior knowledge, told apart by its preface) or over TLS (chosen by ALPN).
 *
 *     static void on_request(void *ctx, cw_http_call *call)
 *     {
 *         cw_http_respond(call, 200, (cw_http_fields){0}, cw_http_call_body(call));
 *     }
 *     ...
 *     const cw_http_handler handler = {.on_request = on_request};
 *     const cw_http_server_options options = {.host = "127.0.0.1", .port = 8080};
 *     cw_http_server *server = cw_http_server_open(loop, &options, &handler, NULL, &e);
 *     uv_run(loop, UV_RUN_DEFAULT);
 *
 * A call is one request and its response. It is valid from the first callback that shows it until
 * it was answered *and* on_done was called, whichever is later; so a handler may answer at any
 * later time of the loop without asking whether the client is still there: answering a call whose
 * client has gone does nothing (cw_http_call_gone tells). Every call shown by on_request, or taken
 * by cw_http_call_stream, must be answered, once.
 *
 * Responses made in one turn of the loop leave in one write a connection at the turn's end.
 */
#ifndef CWIRE_NET_SERVER_H
#define CWIRE_NET_SERVER_H

#include <uv.h>

#include "cwire/net/tls.h"

CW_BEGIN_DECLS

typedef struct cw_http_server cw_http_server;
typedef struct cw_http_call cw_http_call;

/* ctx is the one given to cw_http_server_open. All but on_request may be NULL. */
typedef struct cw_http_handler {
    /*
     * The whole request is there: body (collected, content coding undone) and trailers. For a
     * streamed call: the body has ended.
     */
    void (*on_request)(void *ctx, cw_http_call *call);
    /*
     * The head is there. May answer at once (the rest of the request is thrown away), or take the
     * body in pieces with cw_http_call_stream. "100 Continue" is sent after it, when the client
     * waits for that and the call was not answered.
     */
    void (*on_head)(void *ctx, cw_http_call *call);
    /* A piece of a streamed body, content coding undone; valid during the callback. */
    void (*on_body)(void *ctx, cw_http_call *call, cw_bytes piece);
    /* A started response has less than 64 KiB unsent again: time to write more. */
    void (*on_writable)(void *ctx, cw_http_call *call);
    /*
     * The exchange is over: e->status is CW_NET_OK when request and response went through as a
     * whole. Once for each call that on_head or on_request has shown. When the call was not shown
     * by on_request nor taken as a stream, it is gone after this.
     */
    void (*on_done)(void *ctx, cw_http_call *call, const cw_net_error *e);
    /* An error of a connection that belongs to no shown call: TLS failed, bad request, flood ... */
    void (*on_error)(void *ctx, const cw_net_error *e);
} cw_http_handler;

/* All zero: every address, a free port, no TLS. Copied. */
typedef struct cw_http_server_options {
    const char *host; /* a numeric address; NULL: "::", or "0.0.0.0" without IPv6 */
    int port;         /* 0: a free one */
    int backlog;      /* 0: 1024 */
    cw_tls *tls;      /* NULL: plain */
    cw_http_limits limits;
    cw_http_coding_options coding;
    const char *server_field; /* value of the "server" field; NULL: none */
    bool no_date;             /* leave out the "date" field */
    bool reuse_port;          /* SO_REUSEPORT: one server a thread on the same port */
} cw_http_server_options;

/*
 * Listens. NULL with *e filled on failure. The loop stays the caller's, and must run for anything
 * to happen. handler is copied.
 */
CW_API cw_http_server *cw_http_server_open(uv_loop_t *loop, const cw_http_server_options *o,
                                           const cw_http_handler *handler, void *ctx,
                                           cw_net_error *e);

/* The port it listens on. */
CW_API int cw_http_server_port(const cw_http_server *s);

/*
 * Graceful end: no new connections; HTTP/2 connections get GOAWAY in two steps, HTTP/1.1 ones
 * "connection: close" with their next response, idle ones are closed; calls in work may finish
 * within drain_timeout_ms. Then everything is closed and `closed` (NULL: none) is called, which may
 * still read the counters; the server is gone after that, but for calls that were not answered yet,
 * which stay valid until they are. A second call does nothing while the first is under way.
 */
CW_API void cw_http_server_shutdown(cw_http_server *s, void (*closed)(void *ctx));

/* The same without waiting for calls in work: on_done tells of each. Also ends a shutdown that is
 * under way; `closed` counts where that one was given none. */
CW_API void cw_http_server_close(cw_http_server *s, void (*closed)(void *ctx));

CW_API void cw_http_server_counters(const cw_http_server *s, cw_net_counters *out);

/* ---- a call: what arrived ----------------------------------------------------------------------
 * Views are valid as long as the call. */

CW_API const cw_http_head *cw_http_call_head(const cw_http_call *call);
/* The whole body; empty for a streamed call, and before on_request. */
CW_API cw_bytes cw_http_call_body(const cw_http_call *call);
CW_API cw_http_fields cw_http_call_trailers(const cw_http_call *call);
/* The client has gone or has given up this request: nobody will read the answer. */
CW_API bool cw_http_call_gone(const cw_http_call *call);
/* The handler's own pointer, NULL at first. */
CW_API void cw_http_call_set_user(cw_http_call *call, void *user);
CW_API void *cw_http_call_user(const cw_http_call *call);

/* From on_head: the body is given to on_body in pieces and not collected (max_body does not count).
 */
CW_API void cw_http_call_stream(cw_http_call *call);
/*
 * Back-pressure on a streamed body: while paused no more than the flow-control window (HTTP/2) or
 * what the sockets hold (HTTP/1.1) arrives. Over HTTP/2, calls paused with all of connection_window
 * hold up the bodies of the connection's other calls; over HTTP/1.1, a client that goes away is
 * noticed after the pause.
 */
CW_API void cw_http_call_pause(cw_http_call *call);
CW_API void cw_http_call_resume(cw_http_call *call);

/* ---- a call: the answer ------------------------------------------------------------------------
 * Fields and bytes are copied before the functions return. Fields must not be connection-specific,
 * nor content-length, date or host, nor hold control characters: CW_NET_ERR_ARGUMENT, and the call
 * is answered with 500 in place of it (reset, when a response was started).
 *
 * CW_NET_ERR_ARGUMENT is also what a function gives that does not fit the call's state (a second
 * answer, write before start): nothing happens then. CW_NET_ERR_MEMORY from any of them: the call
 * is given up, and that counts as the answer. */

/* The whole response: status 200 to 599. Not for a call that was answered or started before. */
CW_API cw_net_status cw_http_respond(cw_http_call *call, unsigned status, cw_http_fields fields,
                                     cw_bytes body);

/* A response in pieces: start, any number of writes, end. */
CW_API cw_net_status cw_http_start(cw_http_call *call, unsigned status, cw_http_fields fields);
/* Queues a piece; it leaves as flow control lets it. See cw_http_unsent for back-pressure. */
CW_API cw_net_status cw_http_write(cw_http_call *call, cw_bytes piece);
/* Bytes of the response's body that wait to be sent. */
CW_API size_t cw_http_unsent(const cw_http_call *call);
/* The last word; trailers may be {0} (dropped for HTTP/1.0). */
CW_API cw_net_status cw_http_end(cw_http_call *call, cw_http_fields trailers);
/* Gives up: RST_STREAM, or the HTTP/1.1 connection is closed. Counts as the answer. */
CW_API void cw_http_abort(cw_http_call *call);

CW_END_DECLS
#endif
