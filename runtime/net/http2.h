/* SPDX-License-Identifier: MIT */
/*
 * http2.h (internal): HTTP/2 (RFC 9113) on nghttp2. The client's first drain gives preface,
 * SETTINGS, the connection window and the first requests in one flight; the server takes the
 * preface by feed.
 *
 * Floods are counted here: streams reset by the peer and streams reset by us because of what the
 * peer sent draw on one budget (max_resets, resets_per_second); frames that bring nothing are
 * counted in a row. Beyond: GOAWAY(ENHANCE_YOUR_CALM). Streams that the peer has reset while their
 * handler still runs count against max_running: beyond it new ones are refused.
 *
 * A response may be complete before its request is (RFC 9113, 8.1): the server sends
 * RST_STREAM(NO_ERROR) after it, and on_closed says CW_NET_OK at both ends; `received` of the
 * server's stream tells. drain() returns nothing but OK and ERR_MEMORY: with other errors what it
 * gives (GOAWAY) is to be sent, is_done() says the rest. The operation free is not for events.
 */
#ifndef CWIRE_NET_HTTP2_H
#define CWIRE_NET_HTTP2_H

#include "core.h"

/*
 * limits have no 0 in them and are copied. max_in_flight: client, own limit on concurrent streams,
 * SIZE_MAX: none. now_ms: a clock that does not go back, called with ctx. NULL: no memory.
 */
cw__core *cw__http2_open(bool is_server, size_t max_in_flight, const cw_http_limits *limits,
                         uint64_t (*now_ms)(void *ctx), const cw__core_events *events, void *ctx);

/* Server: the handler of a stream that was closed before has answered at last; it counts against
 * max_running no longer. */
void cw__http2_late_answer(cw__core *c);

/* Client: the peer's SETTINGS have come. */
bool cw__http2_is_ready(const cw__core *c);

/* Client: no request will be taken any more, whatever becomes of those in work. */
bool cw__http2_is_leaving(const cw__core *c);

/* The preface that a client's first bytes must be (RFC 9113, 3.4). */
#define CW__HTTP2_PREFACE     "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
#define CW__HTTP2_PREFACE_LEN 24

#endif
