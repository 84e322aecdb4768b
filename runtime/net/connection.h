/* SPDX-License-Identifier: MIT */
/*
 * connection.h (internal): sockets and the loop. A connection is a TCP socket, TLS where there is a
 * context, and a core that speaks HTTP; a pool is what the connections of one server or one client
 * share. Used by server.c and client.c, which own the streams.
 */
#ifndef CWIRE_NET_CONNECTION_H
#define CWIRE_NET_CONNECTION_H

#include <uv.h>

#include "core.h"
#include "tls_session.h"

typedef struct cw__pool cw__pool;
typedef struct cw__connection cw__connection;

typedef struct cw__pool_events {
    /* The core exists: connected, TLS done, version known (client: SETTINGS may still be to come).
     */
    void (*on_open)(void *ctx, cw__connection *c);
    /*
     * The last event: every stream had its on_closed before, the connection is gone after this.
     * CW_NET_OK: it ended in order (idle or drained and closed by either side).
     */
    void (*on_close)(void *ctx, cw__connection *c, const cw_net_error *why);
    /* Every pool->sweep_ms milliseconds or so, while there are connections. */
    void (*on_sweep)(void *ctx, uint64_t now_ms);
} cw__pool_events;

/* How a pool is set up; what pointers point to must outlive it, but for tls, which is held. */
typedef struct cw__pool_options {
    uv_loop_t *loop;
    bool is_server;
    cw_tls *tls;              /* NULL: plain */
    const char *host;         /* client: for TLS */
    cw_http_version version;  /* client: what to speak; CW_HTTP_ANY: ALPN, HTTP/1.1 without TLS */
    size_t max_in_flight;     /* client, HTTP/2; SIZE_MAX: the peer's limit */
    unsigned open_timeout_ms; /* connect and handshake; server: handshake */
    cw_http_limits limits;    /* without 0 */
    const cw__core_events *core_events; /* their ctx is the cw__connection */
    const cw__pool_events *events;
    void *ctx;
} cw__pool_options;

struct cw__pool {
    cw__pool_options o;
    cw_net_counters counters; /* owners count requests, answered, failed, bad_requests */
    cw__connection *all;      /* list by next */
    cw__connection *dirty;    /* to be flushed at the turn's end, list by next_dirty */
    uv_prepare_t prepare;     /* flush what timers and other callbacks before the poll have made */
    uv_check_t check;         /* flush what the poll's callbacks have made */
    uv_idle_t again;          /* runs while some are dirty still: the poll must not wait */
    uv_timer_t sweep;
    unsigned sweep_ms;
    size_t handles_open;    /* the pool's own and those of connections */
    cw__core_events events; /* o.core_events with some of them watched on their way */
    bool closing;
    void (*closed)(void *ctx);
    cw__buf read, plain, out, records; /* for one step at a time, shared by all connections */
};

typedef enum cw__connection_state {
    CW__CONNECTING, /* client: TCP */
    CW__OPENING,    /* TLS handshake, or the server waits for the first bytes */
    CW__OPEN,
    CW__LINGERING, /* our last byte is sent; the peer's is awaited for a while */
    CW__CLOSING    /* the handle is being closed */
} cw__connection_state;

struct cw__connection {
    cw__pool *pool;
    cw__core *core; /* NULL until CW__OPEN */
    void *user;     /* the owner's */
    cw__connection_state state;
    cw__connection *next, **prev; /* in pool->all */
    cw__connection *next_dirty;
    bool is_dirty, is_reading, is_writing;
    bool has_read;   /* a byte has come */
    bool read_ended; /* the peer's last byte has come */
    bool is_counted; /* in connections_open */
    bool has_failed; /* no more is read: what the core still has to say is sent, then it ends */
    bool is_ended;   /* close_notify was sent, where there is TLS */
    bool is_deaf;    /* client: the socket takes no more, what it holds is still read */
    uv_tcp_t tcp;
    union {
        uv_connect_t connect;
        uv_write_t write;
        uv_shutdown_t shutdown;
    } req;
    cw__tls_session *tls;
    cw__buf pending;      /* what the socket did not take, while is_writing */
    cw__buf sniffed;      /* server, plain: the first bytes, until they tell the version */
    uint64_t heads;       /* complete heads so far */
    uint64_t heads_swept; /* ... at the last sweep */
    bool was_idle, was_in_head, was_writing;
    uint64_t since_ms;         /* when the state, or being idle, or the unfinished head began */
    uint64_t writing_since_ms; /* when the write that the peer does not take was first seen */
    uint64_t taken;            /* bytes that the peer had acknowledged at the last sweep */
    uint64_t heard_ms;         /* lingering: when the last byte came */
    cw_net_error why;          /* the first error, for on_close */
};

/* Copies o. False with *e: no memory. */
bool cw__pool_open(cw__pool *p, const cw__pool_options *o, cw_net_error *e);

/*
 * Closes every connection at once (streams with CW_NET_ERR_SHUTDOWN for a server, CANCELLED for a
 * client) and the pool's handles; `closed(o.ctx)` when the loop has let go of all.
 */
void cw__pool_close(cw__pool *p, void (*closed)(void *ctx));

/* The counters, with what the kernel knows of open connections added. */
void cw__pool_counters(const cw__pool *p, cw_net_counters *out);

/* Server: takes the next connection of the listener. NULL with *e: it could not be had (on_close
 * may still come, for a connection that the owner has not seen). */
cw__connection *cw__connection_accept(cw__pool *p, uv_stream_t *listener, cw_net_error *e);

/* Client: begins to connect. NULL with *e, or on_open or on_close follow, not before this returns.
 */
cw__connection *cw__connection_connect(cw__pool *p, const struct sockaddr *address,
                                       cw_net_error *e);

/* The core has been given something to send: it leaves at the end of this turn. To be called after
 * every operation on c->core that is not made from inside one of its events. */
void cw__connection_touch(cw__connection *c);

/* In order: no new streams, closed when those in work are done. */
void cw__connection_shutdown(cw__connection *c);

/* At once. Streams are closed with *why; on_close follows, not before this returns. */
void cw__connection_close(cw__connection *c, const cw_net_error *why);

/* ---- between pool.c, connection.c and connection_time.c ---------------------------------------
 */

/* cw__connection_close with an error that is made here. */
void cw__connection_fail(cw__connection *c, cw_net_status st, int code, const char *detail);

/* The end of a turn: sends what there is to send, reads on or pauses, ends what is done. */
void cw__connection_flush(cw__connection *c);
/* Time limits. */
void cw__connection_sweep(cw__connection *c, uint64_t now_ms);
/* The first connection starts the sweep, the last one's end stops it. */
void cw__pool_add(cw__pool *p, cw__connection *c);
void cw__pool_remove(cw__pool *p, cw__connection *c);
/* A handle of the pool has been closed. */
void cw__pool_handle_closed(cw__pool *p);

#endif
