/* SPDX-License-Identifier: MIT */
/*
 * client_internal.h (internal): the client's parts and what they ask of each other.
 *
 *   client.c          opening and closing; what is put off to the client's own turn of the loop
 *   client_request.c  a request: checked, completed, copied, sent or queued
 *   client_links.c    connections: resolve, connect, who gets which
 *   exchange.c        what happens to a request that was sent, and how each one ends
 *   exchange_user.c   what the user may do with one
 *
 * Nothing calls the user from inside the user's own call, and nothing decides about connections
 * there: both are left to the turn, an idle callback that wake asks for.
 */
#ifndef CWIRE_NET_CLIENT_INTERNAL_H
#define CWIRE_NET_CLIENT_INTERNAL_H

#include "coding.h"
#include "connection.h"
#include "cwire/net/client.h"
#include "deadlines.h"
#include "fields.h"
#include "origin.h"

enum {
    CW__SPARE_DECODERS = 8, /* of each coding, kept */
    CW__CODINGS = 2
};

/* A connection to the origin, from before its first address is tried until it is gone. */
typedef struct cw__link {
    cw_http_client *client;
    cw__connection *connection;
    struct cw__link *next, *prev;             /* in links */
    struct cw__link *next_ready, *prev_ready; /* in ready */
    bool is_open;
    bool is_ready;    /* in ready: has room for a request, as far as is known */
    bool is_leaving;  /* takes no requests any more, so another may be opened in its place */
    bool has_told;    /* a request has ended with its error */
    size_t base;      /* of the addresses, the first that was tried */
    size_t tried;     /* addresses so far */
    size_t in_flight; /* streams */
    uint64_t carried; /* requests so far */
} cw__link;

typedef enum cw__exchange_state {
    CW__QUEUED,    /* in queue or fresh */
    CW__IN_FLIGHT, /* a stream has it */
    CW__ENDING,    /* in ended: the turn will tell the user */
    CW__OVER       /* the user is being told */
} cw__exchange_state;

typedef struct cw__exchange_list {
    cw_http_exchange *first, *last;
    size_t len;
} cw__exchange_list;

struct cw_http_exchange {
    cw_http_client *client;
    cw_http_exchange *next, *prev;
    cw__exchange_list *list; /* the one it is in */
    cw__exchange_state state;
    cw__link *link;
    cw__stream *stream;

    /* The request. `is` and `has` are cleared from request to request with what follows them. */
    void *user;
    void (*on_response)(void *user, cw_http_exchange *x, const cw_net_error *e);
    void (*on_head)(void *user, cw_http_exchange *x);
    void (*on_body)(void *user, cw_http_exchange *x, cw_bytes piece);
    void (*on_writable)(void *user, cw_http_exchange *x);
    bool is_streamed, is_idempotent, expects_continue, has_ended_upload;
    bool has_copy;        /* of head and body: it may be sent later, or again */
    bool is_retried;      /* once is enough */
    bool is_reused;       /* its connection had carried others */
    bool is_held;         /* the body waits for "100 Continue" */
    cw__deadline timer;   /* what comes first: the request's end, or that of waiting */
    uint64_t deadline_ms; /* UINT64_MAX: none */

    cw_http_head head;              /* where has_copy */
    cw_http_fields upload_trailers; /* of an upload that ended before it was sent */

    /* The response. */
    bool has_coding, is_paused;
    unsigned coding;
    cw__coder *decoder;
    size_t received; /* bytes of the body as they came */
    size_t decoded;  /* bytes given to on_body */
    size_t withheld; /* bytes not consumed, while paused */
    cw_net_error error;

    /* Kept from request to request, with their memory. */
    cw__fields copy;     /* of head */
    cw__fields trailers; /* of upload_trailers */
    cw__buf upload;      /* the request's body, while it is not with the stream or is kept */
    cw__buf body;        /* of the response */
};

struct cw_http_client {
    cw__pool pool;
    cw__origin origin;
    cw_http_client_options o; /* without what its pointers point to */
    cw_http_version version;  /* that is spoken; CW_HTTP_ANY: not known before a handshake */
    unsigned handles_open;
    bool is_closing, is_stopped;
    void (*closed)(void *ctx);
    void *closed_ctx;

    cw__link *links, *ready_first, *ready_last; /* ready: the most recently used first */
    size_t link_count, connecting, leaving;
    bool may_grow;      /* connecting has not failed since something changed */
    bool has_failed;    /* a connection could not be made: the turn tells whom it concerns */
    cw_net_error error; /* why */
    size_t ahead;       /* connections wanted without requests */
    void (*ready)(void *ctx, const cw_net_error *e);
    void *ready_ctx;
    uv_getaddrinfo_t resolve;
    bool is_resolving, is_numeric; /* the host is an address */
    struct sockaddr_storage *addresses;
    size_t address_count, address_first; /* first: worked last */

    cw__exchange_list queue;
    cw__exchange_list fresh; /* to be tried again on a new connection */
    cw__exchange_list ended;
    cw__exchange_list spare;
    size_t in_flight;
    bool in_closed; /* a stream's last event is being handled: on_room follows */

    uv_idle_t turn;
    uv_timer_t timer;
    uint64_t timer_ms; /* when the timer fires; UINT64_MAX: it does not run */
    cw__deadlines deadlines;

    cw__coder *encoder;
    cw__coder *decoders[CW__CODINGS][CW__SPARE_DECODERS];
    size_t decoder_count[CW__CODINGS];
    cw__buf coded;   /* a request's body, coded */
    cw__buf decoded; /* a piece for on_body */
    cw_http_field *fields;
    size_t fields_cap;
};

static inline bool cw__is_error(const cw_net_error *e)
{
    return e->status != CW_NET_OK;
}

/* ---- client.c ---------------------------------------------------------------------------------
 */

/* A handle of the client, or what counts as one, is closed. */
void cw__client_handle_closed(cw_http_client *c);
/* Has the turn come. */
void cw__client_wake(cw_http_client *c);
/* A clock for deadlines that does not stand still while the loop does other things. */
uint64_t cw__client_now(void);
/* The exchange's timer; true when moving, false: no memory. */
bool cw__client_set_timer(cw_http_client *c, cw_http_exchange *x, uint64_t due_ms);

/* ---- client_request.c -------------------------------------------------------------------------
 */

/* Gives a queued exchange to a link with room. Not OK: it could not be sent, *e says why. */
cw_net_status cw__request_start(cw_http_exchange *x, cw__link *l, cw_net_error *e);

/* ---- client_links.c ---------------------------------------------------------------------------
 */

extern const cw__pool_events cw__link_events;

/* A link for one more request, NULL: none now. */
cw__link *cw__link_pick(cw_http_client *c);
/* It has been given a request, or has lost one: is it ready? */
void cw__link_update(cw__link *l);
/* Gives what is queued to who has room. */
void cw__links_dispatch(cw_http_client *c);
/* The part of the turn that makes connections and tells of those that could not be made. */
void cw__links_turn(cw_http_client *c);
/* Is a connection missing that a turn would make? */
bool cw__links_are_short(const cw_http_client *c);

/* ---- exchange.c -------------------------------------------------------------------------------
 */

extern const cw__core_events cw__exchange_events;

/* One that is not used, cleared. NULL: no memory. */
cw_http_exchange *cw__exchange_take(cw_http_client *c);
/* Back to the spare ones, or freed. */
void cw__exchange_recycle(cw_http_exchange *x);
void cw__exchange_free(cw_http_exchange *x);
/* Tells the user, counts, recycles. */
void cw__exchange_finish(cw_http_exchange *x, const cw_net_error *e);
/* Leaves its list; the turn finishes it. */
void cw__exchange_end_later(cw_http_exchange *x, const cw_net_error *e);
/* In flight: its stream is reset, which finishes it. Queued: as end_later. */
void cw__exchange_fail(cw_http_exchange *x, const cw_net_error *e);
/* In flight: the peer may send as many bytes more as were withheld. */
void cw__exchange_consume(cw_http_exchange *x);
/* The deadline, or that of waiting for "100 Continue", has come. */
void cw__exchange_time_out(cw_http_exchange *x, uint64_t now_ms);

void cw__list_add(cw__exchange_list *list, cw_http_exchange *x);
void cw__list_add_first(cw__exchange_list *list, cw_http_exchange *x);
void cw__list_remove(cw_http_exchange *x);

#endif
