/* SPDX-License-Identifier: MIT */
/*
 * http2_internal.h (internal): what the files of the HTTP/2 core share.
 *   http2.c          operations of the core as a whole: life, bytes in and out, shutdown, sweep
 *   http2_stream.c   streams: taken, closed, recycled
 *   http2_receive.c  nghttp2's callbacks for what arrives
 *   http2_send.c     what is sent: heads, bodies, trailers
 *   http2_flood.c    budgets
 *
 * nghttp2 calls back from inside mem_recv and mem_send. Streams are closed there at once when
 * nghttp2 closes them; what we reset ourselves is put aside ("leaving") and closed at the end of
 * the feed or drain, so that no event finds its stream gone half-way.
 */
#ifndef CWIRE_NET_HTTP2_INTERNAL_H
#define CWIRE_NET_HTTP2_INTERNAL_H

#include <nghttp2/nghttp2.h>

#include "fields.h"
#include "http2.h"

typedef struct cw__http2 cw__http2;
typedef struct cw__h2_stream cw__h2_stream;

typedef enum cw__h2_stage {
    CW__H2_SPARE,  /* recycled */
    CW__H2_HEAD,   /* server: the request's head is arriving */
    CW__H2_SHOWN,  /* the owner knows it: on_head came, or request() made it */
    CW__H2_MUTE,   /* server: answered by the core itself; the owner only hears on_closed */
    CW__H2_LEAVING /* reset; on_closed is due */
} cw__h2_stage;

/* Text in `fields` that belongs to no field. */
typedef struct cw__h2_text {
    size_t at, len;
} cw__h2_text;

struct cw__h2_stream {
    cw__stream base;
    cw__h2_stream *next, **prev; /* in open or leaving; spare: next only */
    int32_t id;
    cw__h2_stage stage;
    bool answered;     /* server: the owner has said its last word: whole response, or reset */
    bool began;        /* our head is submitted */
    bool ended;        /* `out` is all that is left of our body */
    bool no_body;      /* our message has none: response to HEAD, 204, 304 */
    bool deferred;     /* nghttp2 waits for nghttp2_session_resume_data */
    bool above_water;  /* unsent() was above CW__LOW_WATER */
    bool reset_seen;   /* RST_STREAM arrived */
    bool charged;      /* its reset has been charged to the budget, or is no fault of the peer's */
    bool too_large;    /* its head */
    bool has_priority; /* the client gave one */
    bool expects;      /* "expect: 100-continue" */
    unsigned cookies;  /* fields: to be one (RFC 9113, 8.2.3) */
    size_t unconsumed; /* bytes given to on_body that came back to no window yet */
    cw__h2_text method, scheme, authority, path, host;
    cw_http_fields own_trailers; /* to be sent, in out_trailers */
    const char *fault;           /* nghttp2's word for what was wrong, or NULL; constant */
    /* From here on memory is kept when a stream is recycled. */
    cw__fields fields, trailers; /* received */
    cw__buf out;                 /* unsent body */
    cw__fields out_trailers;
    cw_net_error why; /* stages MUTE and LEAVING: how it ends */
};

typedef enum cw__h2_goaway {
    CW__H2_GOAWAY_NONE,
    CW__H2_GOAWAY_NOTICE, /* server: "going away" is said, a PING is on its way */
    CW__H2_GOAWAY_DUE,    /* it has come back: the last stream is to be named */
    CW__H2_GOAWAY_NAMED
} cw__h2_goaway;

/* A bucket of tokens, in thousandths of a token. */
typedef struct cw__h2_bucket {
    uint64_t level, burst, rate; /* rate: thousandths per millisecond */
    uint64_t at_ms;
} cw__h2_bucket;

struct cw__http2 {
    cw__core base;
    nghttp2_session *session;
    bool is_server;
    cw_http_limits limits;
    size_t max_in_flight;
    uint64_t (*now_ms)(void *ctx);

    cw__h2_stream *open, *leaving; /* lists */
    cw__h2_stream *spare;
    size_t spares;
    size_t streams; /* open and leaving */
    size_t running; /* closed, but their handlers have not answered */

    cw__h2_stream *current;          /* whose header section is arriving */
    cw__h2_stream *last;             /* found last: spares nghttp2's hash table */
    size_t block_size, block_fields; /* of that header section */

    /* What nghttp2's queues hold as far as we know; where they hold more, nghttp2 has something to
     * say of its own accord. */
    size_t queued;
    uint8_t sent_type; /* of the last frame sent */
    cw__buf ahead;     /* frames taken by feed, for drain to give */

    cw_net_error error; /* of the connection: the first */
    bool is_torn;       /* streams were closed with it */
    bool has_started;   /* bytes arrived */
    bool is_ready;      /* the peer's SETTINGS arrived */
    bool peer_ended;
    bool goaway_received;
    uint32_t goaway_code; /* of the peer's */
    bool has_moved;       /* body bytes have left since the last sweep */
    bool is_draining;     /* shutdown() was called */
    cw__h2_goaway goaway;
    uint64_t notice_ms; /* the sweep that saw the notice first; 0: none yet */

    size_t peer_max;      /* client: streams the peer takes at once */
    int32_t last_sent_id; /* client: of the last request that has left */
    bool ids_are_used_up; /* client */
    bool room_changed;

    cw__h2_bucket resets;
    size_t empty_frames; /* in a row */
    uint64_t forgiven_ms;
    unsigned continuations; /* of the header section that is arriving */
};

static inline cw__http2 *cw__h2_core(const cw__stream *s)
{
    return (cw__http2 *)s->core;
}

static inline size_t cw__h2_queue(const cw__http2 *c)
{
    return nghttp2_session_get_outbound_queue_size(c->session);
}

/* As cw__http2_open; mem: what nghttp2 allocates with, NULL: malloc. */
cw__core *cw__http2_open_with(bool is_server, size_t max_in_flight, const cw_http_limits *limits,
                              uint64_t (*now_ms)(void *ctx), const cw__core_events *events,
                              void *ctx, nghttp2_mem *mem);

/* ---- http2.c ---- */

/* The connection has failed; the first error stays. Streams are closed before feed or drain
 * returns. code: of HTTP/2, for GOAWAY. */
void cw__h2_fail(cw__http2 *c, cw_net_status st, int code, const char *detail);
void cw__h2_no_memory(cw__http2 *c);

static inline bool cw__h2_has_failed(const cw__http2 *c)
{
    return c->error.status != CW_NET_OK;
}

/* ---- http2_stream.c ---- */

/* A stream in the list of open ones; stage and owner are the caller's to set. NULL: no memory. */
cw__h2_stream *cw__h2_take(cw__http2 *c, int32_t id);
/* NULL: none, or it is leaving. */
cw__h2_stream *cw__h2_find(cw__http2 *c, int32_t id);
/* A stream that nobody has seen is given back. */
void cw__h2_drop(cw__h2_stream *s);
/* The last event of an open stream, and its end. */
void cw__h2_finish(cw__h2_stream *s, const cw_net_error *why);
/* RST_STREAM is submitted; on_closed comes from cw__h2_flush. */
void cw__h2_leave(cw__h2_stream *s, const cw_net_error *why, uint32_t code);
void cw__h2_flush(cw__http2 *c);
/* The same with the code that suits; charged to the budget where the peer is to blame. */
void cw__h2_give_up(cw__h2_stream *s, const cw_net_error *why);
/* Submits RST_STREAM. */
void cw__h2_rst(cw__http2 *c, int32_t id, uint32_t code);
/* Bytes that were received go back to the connection's window alone. */
void cw__h2_return_bytes(cw__http2 *c, size_t n);
void cw__h2_free_spares(cw__http2 *c);
/* The operations consume and reset. */
void cw__h2_consume(cw__stream *s, size_t n);
void cw__h2_reset(cw__stream *s, const cw_net_error *why);

/* ---- http2_receive.c, http2_send.c ---- */

void cw__h2_set_receive_callbacks(nghttp2_session_callbacks *callbacks);
void cw__h2_set_send_callbacks(nghttp2_session_callbacks *callbacks);

size_t cw__h2_room(const cw__core *core);
cw__stream *cw__h2_request(cw__core *core, const cw_http_head *head, cw_bytes body, bool end,
                           bool hold_body, void *owner, cw_net_error *e);
void cw__h2_go_on(cw__stream *s);
void cw__h2_send_continue(cw__stream *s);
cw_net_status cw__h2_respond(cw__stream *s, unsigned status, cw_http_fields fields, cw_bytes body,
                             bool end);
cw_net_status cw__h2_write(cw__stream *s, cw_bytes piece);
cw_net_status cw__h2_end(cw__stream *s, cw_http_fields trailers);
size_t cw__h2_unsent(const cw__stream *s);
/* The core's own answer, without a body; the stream becomes mute and ends with *why. */
void cw__h2_refuse(cw__h2_stream *s, unsigned status);

/* ---- http2_flood.c ---- */

void cw__h2_bucket_init(cw__h2_bucket *b, size_t burst, size_t per_second, uint64_t now_ms);
/* Takes one token. False: there is none. */
bool cw__h2_bucket_draw(cw__h2_bucket *b, uint64_t now_ms);
/* A stream was reset by the peer or because of it. False: the connection has failed now. */
bool cw__h2_charge_reset(cw__http2 *c);
/* A frame begins. False: the connection has failed now. */
bool cw__h2_count_frame(cw__http2 *c, uint8_t type);
/* The frame that was counted is WINDOW_UPDATE: one that opens a window is no empty frame. */
void cw__h2_count_window(cw__http2 *c, int32_t increment);
/* Time passes: a few empty frames are forgiven. */
void cw__h2_forgive(cw__http2 *c, uint64_t now_ms);

/* Something that counts has arrived, or all we had has been sent. */
static inline void cw__h2_brought(cw__http2 *c)
{
    c->empty_frames = 0;
}

#endif
