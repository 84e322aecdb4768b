/* SPDX-License-Identifier: MIT */
/*
 * core.h (internal): what HTTP/1.1 and HTTP/2 have in common, seen from the connection: a protocol
 * engine that does no I/O. Bytes go in with feed, events come out of it synchronously; what is to
 * be sent is gathered by drain. Made by cw__http1_open and cw__http2_open.
 *
 * Rules:
 * - feed and drain are never called from inside an event; everything else may be.
 * - The owner sends what drain gives when the turn of its loop ends, in as few writes as it can.
 * - A stream is one request and its response. It lives from on_stream (server) or request()
 *   (client) until on_closed returns, which comes exactly once, also when the core is freed. The
 *   owner forgets the pointer then. The core recycles streams with their buffers.
 * - Limits are the core's to keep (cw_http_limits): header section, stream count, floods. Bodies
 *   are handed on uncounted but for flow control; max_body is the owner's.
 */
#ifndef CWIRE_NET_CORE_H
#define CWIRE_NET_CORE_H

#include "buffer.h"
#include "cwire/net/http.h"

typedef struct cw__core cw__core;

/* The part of a stream that the owner sees; the cores' own streams begin with it. */
typedef struct cw__stream {
    cw__core *core;
    void *owner;             /* the owner's: NULL until it sets it; the core leaves it alone */
    cw_http_head head;       /* of the received message, from on_head; valid until on_closed */
    cw_http_fields trailers; /* received, from on_end */
    bool head_seen;          /* on_head came */
    bool received;           /* on_end came: the peer's message is complete */
    bool sent;               /* our message has been handed to drain to its last byte */
    bool expects_continue;   /* server: the client waits for "100 Continue" */
    bool progressed;         /* a byte of its messages moved since the last sweep */
    uint64_t progress_ms;    /* the sweep that saw it last */
} cw__stream;

/* ctx is the owner's, given at open. None is NULL. */
typedef struct cw__core_events {
    /* Server: a request begins to arrive. A good moment to set owner. */
    void (*on_stream)(void *ctx, cw__stream *s);
    /* The head is complete (for a client: of the final response). */
    void (*on_head)(void *ctx, cw__stream *s);
    /* Client: "100 Continue" arrived. */
    void (*on_continue)(void *ctx, cw__stream *s);
    /*
     * Bytes of the body, transfer coding undone. The owner says with consume() when they are used
     * up; the window opens again by as much.
     */
    void (*on_body)(void *ctx, cw__stream *s, cw_bytes piece);
    /* The peer's message is complete, trailers included. */
    void (*on_end)(void *ctx, cw__stream *s);
    /* unsent() has fallen below CW__LOW_WATER again after it had reached it. */
    void (*on_writable)(void *ctx, cw__stream *s);
    /* The last event of a stream. CW_NET_OK: both messages went through as a whole. */
    void (*on_closed)(void *ctx, cw__stream *s, const cw_net_error *why);
    /* Client: room() may have grown (a stream ended, SETTINGS came), or has become 0 for good. */
    void (*on_room)(void *ctx);
} cw__core_events;

#define CW__LOW_WATER 65536

typedef struct cw__core_ops {
    /* Every stream left is closed with `why` first. */
    void (*free)(cw__core *c, const cw_net_error *why);
    /*
     * Bytes from the peer, all of which are taken (the core keeps what it cannot use yet; while
     * wants_read() is false the owner should stop reading, what comes all the same is kept). Not
     * OK: *e is filled, streams are closed with it, and after what drain() still gives (GOAWAY, a
     * 400 ...) the connection is to be closed.
     */
    cw_net_status (*feed)(cw__core *c, cw_bytes in, cw_net_error *e);
    /*
     * The peer has sent its last byte. Completes a message that ends with the connection
     * (HTTP/1.x), else streams that still wait for bytes close with CW_NET_ERR_CLOSED (REFUSED,
     * where the peer surely has not processed the request). Responses of a server to requests that
     * are complete may still be sent: the peer may have closed one direction only.
     */
    cw_net_status (*feed_end)(cw__core *c, cw_net_error *e);
    /*
     * Appends what is to be sent to out until it holds `max` bytes or a little more, or nothing is
     * left to send now. CW_NET_ERR_MEMORY or worse: close.
     */
    cw_net_status (*drain)(cw__core *c, cw__buf *out, size_t max, cw_net_error *e);
    bool (*wants_read)(const cw__core *c);
    /* drain() has something to give. */
    bool (*wants_write)(const cw__core *c);
    /* Nothing is in work and nothing will be: close after what drain() gives. */
    bool (*is_done)(const cw__core *c);
    /* Streams open now. */
    size_t (*streams)(const cw__core *c);
    /* Bytes that belong to a message have arrived whose head is not complete (for the timeout). */
    bool (*in_head)(const cw__core *c);
    /*
     * Called every now and then: a stream that has waited for the peer (for its bytes, or for its
     * window or socket to take ours) for body_timeout_ms without progress is reset with
     * CW_NET_ERR_TIMEOUT (HTTP/1.1: answered with 408 where nothing was sent yet). Waiting for our
     * own side is no offence. now_ms does not go back.
     */
    void (*sweep)(cw__core *c, uint64_t now_ms);
    /* No new streams; ends when those in work have: GOAWAY in two steps, "connection: close". */
    void (*shutdown)(cw__core *c);

    /* ---- client ---- */
    /* How many requests may be sent now. 0 and is_done(): never again. */
    size_t (*room)(const cw__core *c);
    /*
     * Begins a request: head's method, scheme, authority, path and fields (checked by the caller
     * with cw__fields_refusal, but for fields of the library's own). end: body is all of it, so
     * that content-length is known; else write() and end() follow. body is copied. hold_body:
     * HTTP/1.1, the body waits for on_continue or go_on(). NULL with *e: no room or no memory.
     */
    cw__stream *(*request)(cw__core *c, const cw_http_head *head, cw_bytes body, bool end,
                           bool hold_body, void *owner, cw_net_error *e);
    void (*go_on)(cw__stream *s);

    /* ---- server ---- */
    /* "100 Continue", when the client still waits for it. */
    void (*send_continue)(cw__stream *s);
    /* As request(): a final response. Once for a stream. */
    cw_net_status (*respond)(cw__stream *s, unsigned status, cw_http_fields fields, cw_bytes body,
                             bool end);

    /* ---- both ---- */
    cw_net_status (*write)(cw__stream *s, cw_bytes piece);
    cw_net_status (*end)(cw__stream *s, cw_http_fields trailers);
    size_t (*unsent)(const cw__stream *s);
    /* n bytes given to on_body are used up. Counting is all the owner has to do to push back. */
    void (*consume)(cw__stream *s, size_t n);
    /*
     * Gives up the stream: on_closed comes with *why, not before this returns (at the latest from
     * the next feed or drain). HTTP/1.x: the connection ends with it. Counted against floods when
     * `why` says that the peer is to blame.
     */
    void (*reset)(cw__stream *s, const cw_net_error *why);
} cw__core_ops;

struct cw__core {
    const cw__core_ops *ops;
    const cw__core_events *events;
    void *ctx;
    cw_http_version version;
    /* The connection's word for the next sweep: its socket is full, and the peer takes from it.
     * What stands behind that in the core has not been refused by anybody. */
    bool is_moving;
};

#endif
