/* SPDX-License-Identifier: MIT */
/*
 * http1.h (internal): HTTP/1.1 (RFC 9112), and 1.0 as far as old clients and servers need it.
 *
 * One stream at a time. A server parses pipelined requests one after the other: what follows a
 * request waits, up to CW__HTTP1_PIPELINE bytes before wants_read() says no, until its response is
 * given to drain; drain then takes up the next, so responses to requests that are answered at once
 * leave together. Events come out of drain too, therefore; a bad request found there is answered
 * and reported by is_done() and the next feed. A client does not pipeline.
 *
 * A request answered before its end: no on_body or on_end follows, the rest (64 KiB at most) is
 * read and thrown away, or the connection ends. A response that is complete before its request was
 * sent is good, and the connection ends. What is asked of a stream that was reset does nothing and
 * says CW_NET_OK. The core is not freed inside an event.
 *
 * The parser is llhttp in strict mode; what it leaves to us is checked here: exactly one Host and a
 * valid one, no obsolete line folding, no Transfer-Encoding but "chunked" and none in HTTP/1.0,
 * limits. A bad request is answered (400, 408, 413, 414, 417, 431, 501, 505) and the connection
 * ends.
 */
#ifndef CWIRE_NET_HTTP1_H
#define CWIRE_NET_HTTP1_H

#include "core.h"

#define CW__HTTP1_PIPELINE 65536

/* limits have no 0 in them and are copied. scheme: "http" or "https", a constant text. NULL: no
 * memory. */
cw__core *cw__http1_open(bool is_server, const char *scheme, const cw_http_limits *limits,
                         const cw__core_events *events, void *ctx);

/* Client: the connection ends with the next response ("connection: close" is sent). */
void cw__http1_close_after(cw__core *c);

/* Client: a byte of the response to the request in work has arrived; until on_closed returns. */
bool cw__http1_has_begun(const cw__core *c);

/* Server: the head has not come in time: 408 is sent and the connection ends. */
void cw__http1_timeout(cw__core *c);

#endif
