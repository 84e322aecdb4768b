/* SPDX-License-Identifier: MIT */
/*
 * server_internal.h (internal): what server.c (listening, life), call.c (what arrives), answer.c
 * (what is sent) and call_memory.c share.
 */
#ifndef CWIRE_NET_SERVER_INTERNAL_H
#define CWIRE_NET_SERVER_INTERNAL_H

#include <time.h>

#include "coding.h"
#include "connection.h"
#include "cwire/net/server.h"
#include "fields.h"

typedef enum cw__server_state {
    CW__SERVER_RUNS,
    CW__SERVER_DRAINS,
    CW__SERVER_CLOSES
} cw__server_state;

struct cw_http_server {
    cw_http_handler handler;
    void *ctx;
    cw_http_limits limits;         /* without 0 */
    cw_http_coding_options coding; /* without 0, but for codings */
    char *server_field;            /* NULL: none */
    bool no_date;
    cw__server_state state;
    void (*closed)(void *ctx);

    int fd; /* bound and listening, -1: closed; the listener has a copy of it */
    int port, backlog;
    uv_tcp_t listener;
    uv_timer_t retry; /* accepts again after a pause */
    uv_timer_t end;   /* drained for long enough, or everything is closed */
    bool has_listener, has_pool;
    unsigned parts; /* handles, and the pool, that are not closed yet */
    cw__pool pool;

    size_t calls;        /* in use: they keep this struct when the server is gone */
    cw_http_call *spare; /* for the next calls, list by next */
    size_t spares;

    /* One user at a time: an operation that does not call anybody. */
    cw__coder *encoders[2], *decoders[2]; /* by coding - 1, made when first needed */
    cw__buf scratch;
    cw_http_field *fields;
    size_t fields_cap;
    time_t date_second; /* which `date` shows */
    char date[32];
};

/* What the server keeps for a connection, its `user`. */
typedef struct cw__peer {
    cw_http_call *late; /* calls that lost their stream before they were answered */
    cw_net_status told; /* the last error that a stream ended with: it needs no telling again */
} cw__peer;

/*
 * A call's life: made at on_head; has lost its stream when `stream` is NULL (the core's on_closed),
 * is_done after on_done; recycled when it is done and nobody owes an answer.
 */
struct cw_http_call {
    cw_http_server *server;
    cw__connection *connection; /* NULL: closed */
    cw__stream *stream;         /* NULL: closed */
    cw_http_call *next,
        **prev; /* among the spare ones (next only), or the connection's late ones */
    void *user;
    cw_http_head head;
    cw_http_fields trailers;
    cw__fields head_memory, trailer_memory; /* copies: a call may outlive its stream */
    cw__buf body;       /* collected: on the wire first, decoded from on_request on */
    unsigned coding;    /* of the request's body */
    size_t arrived;     /* bytes of it on the wire */
    size_t decoded;     /* streamed: bytes given to the handler */
    size_t held_back;   /* bytes on the wire that were given while paused */
    cw__coder *decoder; /* streamed request */
    cw__coder *encoder; /* streamed response */
    cw_net_error error; /* the library refused the request */
    bool is_shown;      /* to the handler, which gets on_done */
    bool is_owed;       /* the handler must answer: on_request, or the body is streamed */
    bool is_streamed, is_paused;
    bool is_started, is_answered; /* by the handler */
    bool is_refused;              /* by the library, see error */
    bool is_reset;                /* by the server */
    bool is_final;                /* the core has the whole response, or is_reset */
    bool is_gone, is_done;
};

/* call.c: what the cores tell of streams. */
extern const cw__core_events cw__server_core_events;

/* call.c: counts and tells an error that belongs to no call the handler knows. */
void cw__server_error(cw_http_server *s, const cw_net_error *e);

/* call.c: the handler has said its last word: the call may be gone after this. */
void cw__call_answered(cw_http_call *call);

/* call_memory.c: a call that is empty, recycled where there is one. NULL: no memory. */
cw_http_call *cw__call_take(cw_http_server *s);
void cw__call_release(cw_http_call *call);
/* The spare calls' memory is given back. */
void cw__calls_free(cw_http_server *s);

/* server.c: frees the struct of a server that is gone, when the last call is. */
void cw__server_release(cw_http_server *s);

/* answer.c: the library answers in place of the handler: `status` without a body, or a reset when
 * a response was started. on_done will say *e. */
void cw__call_refuse(cw_http_call *call, unsigned status, const cw_net_error *e);

/* server.c: the kept encoder or decoder, ready for a body. NULL: no memory. */
cw__coder *cw__server_encoder(cw_http_server *s, unsigned coding);
cw__coder *cw__server_decoder(cw_http_server *s, unsigned coding);

static inline int cw__coding_level(const cw_http_server *s, unsigned coding)
{
    return coding == CW_HTTP_GZIP ? s->coding.gzip_level : s->coding.br_quality;
}

#endif
