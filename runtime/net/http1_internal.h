/* SPDX-License-Identifier: MIT */
/*
 * http1_internal.h: for http1*.c alone: the state of a connection that speaks HTTP/1.1.
 *
 *     http1.c        the operations, and the life of the stream
 *     http1_parse.c  bytes in: llhttp, bodies, chunk framing
 *     http1_head.c   the check of a head or trailer section that llhttp has taken apart
 *     http1_target.c the check of host and request target
 *     http1_write.c  bytes out: heads, bodies, chunks
 *
 * A head is kept as it came, `text` of a cw__fields, and checked as a whole when its empty line is
 * there: llhttp says where names and values are, the check demands that nothing but what the
 * grammar allows stands between them. So whatever version of llhttp is lenient about what, the
 * result is the same. Of bodies llhttp sees only chunked ones, and its framing is checked in the
 * same way.
 */
#ifndef CWIRE_NET_HTTP1_INTERNAL_H
#define CWIRE_NET_HTTP1_INTERNAL_H

#include <llhttp.h>

#include "fields.h"
#include "http1.h"

/* Bytes of a request that was answered before its end which are read and thrown away, so that the
 * connection can go on. */
#define CW__HTTP1_MAX_DISCARDED 65536

/* Where the peer's message stands. */
typedef enum cw__http1_phase {
    CW__HTTP1_START,   /* no byte of the next message yet */
    CW__HTTP1_HEAD,    /* in a head; client: from request() on */
    CW__HTTP1_LENGTH,  /* in a body, `left` bytes are to come */
    CW__HTTP1_CHUNKED, /* in a chunked body or its trailers */
    CW__HTTP1_TO_END,  /* in a body that ends with the connection */
    CW__HTTP1_DONE,    /* complete, the stream is not closed yet */
    CW__HTTP1_DEAD     /* nothing more is looked at */
} cw__http1_phase;

/* Where our message stands. */
typedef enum cw__http1_own {
    CW__HTTP1_NOTHING, /* server: no final head */
    CW__HTTP1_STARTED,
    CW__HTTP1_ENDED
} cw__http1_own;

/* How our body is framed; NONE: what is written is dropped (HEAD, 204, 304). */
typedef enum cw__http1_framing {
    CW__HTTP1_OUT_NONE,
    CW__HTTP1_OUT_PLAIN, /* by content-length or the connection's end */
    CW__HTTP1_OUT_CHUNKED
} cw__http1_framing;

/* What a head says about its message and the connection. */
typedef struct cw__http1_facts {
    cw_str host;
    uint64_t length;
    unsigned hosts, codings, lengths;
    unsigned names; /* fields named in Connection fields */
    bool is_chunked, ends_chunked, wants_close, wants_keep_alive, expects_continue;
    bool expects_other;
} cw__http1_facts;

typedef struct cw__http1 {
    cw__core core;
    cw__stream s; /* the only one, used again and again */
    llhttp_t parser;
    const char *scheme;
    size_t max_header_bytes, max_header_fields;
    unsigned body_timeout_ms;
    bool is_server;

    bool is_open;      /* the stream is in use */
    bool is_closing;   /* in on_closed */
    bool is_reset;     /* to be closed with `why` by the next feed or drain */
    bool has_failed;   /* with `why`, which feed returned */
    bool is_last;      /* the connection ends with the stream in work */
    bool is_over;      /* no message will follow, none is in work */
    bool read_ended;   /* the peer has sent its last byte */
    bool has_new_room; /* client: on_room is due */
    cw_net_error why;

    /* the peer's message */
    cw__http1_phase phase;
    cw__http1_facts facts;
    uint64_t left;        /* LENGTH */
    size_t unconsumed;    /* given to on_body and not used up */
    size_t discarded;     /* bytes of a request that has been answered */
    unsigned interim;     /* client: 1xx responses so far */
    unsigned empty_lines; /* server: before the request */
    bool after_cr;        /* the last byte of empty lines or chunk framing was CR */
    bool is_head_request; /* HEAD */
    uint32_t target, target_end;
    cw__fields head, trailers;
    cw__buf in; /* server: what follows the request in work */

    /* while llhttp runs */
    const char *input;   /* what it was given */
    const char *checked; /* up to here chunk framing was counted and checked */
    cw__fields *section; /* head or trailers */
    size_t section_at;   /* where `input` is in section->text, modulo SIZE_MAX + 1 */
    size_t framing;      /* bytes of chunk framing beyond what its chunks are worth */
    bool in_trailers;
    bool is_new_chunk;
    unsigned bad_code; /* not 0: the message is refused with this status, for this reason */
    const char *bad_text;

    /* our message */
    cw__http1_own own;
    cw__http1_framing out_framing;
    cw__buf out;  /* not given to drain yet */
    cw__buf held; /* client: the body that waits for "100 Continue" */
    bool is_held;
    bool is_muted;     /* client: the response came before the body was sent: it stays unsent */
    bool has_drained;  /* a byte of it has been given to drain */
    bool was_above;    /* unsent() was above CW__LOW_WATER */
    bool closes_after; /* client: send "connection: close" */
} cw__http1;

static inline cw__http1 *cw__http1_of(cw__core *c)
{
    return (cw__http1 *)(void *)c;
}

static inline const cw__http1 *cw__http1_of_const(const cw__core *c)
{
    return (const cw__http1 *)(const void *)c;
}

/* Views of text in a section. */
static inline cw_str cw__http1_text(const cw__fields *f, size_t from, size_t to)
{
    return cw_str_of((const char *)f->text.data + from, to - from);
}

/* ---- http1.c ---- */

/* Opens the stream for a message of either side. */
void cw__http1_open_stream(cw__http1 *h, void *owner);
/*
 * The peer's fault, or ours (no memory): a server answers with `code` if it can (0: it doesn't),
 * the stream is closed with the error, and so is the connection then. Not from inside an event.
 */
void cw__http1_fail(cw__http1 *h, cw_net_status st, int code, const char *detail);
/* The peer's message is complete. */
void cw__http1_received(cw__http1 *h);
/* The stream neither was reset nor has failed: go on. */
static inline bool cw__http1_is_alive(const cw__http1 *h)
{
    return h->phase != CW__HTTP1_DEAD;
}

/* ---- http1_parse.c ---- */

/* To be called before the first byte of a head. */
void cw__http1_expect_head(cw__http1 *h);
/* Takes bytes until the message is complete, all are used, or it fails; how many were used. */
size_t cw__http1_parse(cw__http1 *h, cw_bytes in);

/* ---- http1_head.c ---- */

/* Nothing is wrong with the message so far; else cw__http1_refuse was called. */
static inline bool cw__http1_is_good(const cw__http1 *h)
{
    return h->bad_code == 0;
}

/* Notes what is wrong (the first thing counts): `code` is the status for a client. False. */
bool cw__http1_refuse(cw__http1 *h, unsigned code, const char *text);
/* The head in h->head.text: checks it and fills s.head and facts. False: refused. */
bool cw__http1_check_head(cw__http1 *h);
/* The trailers in h->trailers.text: checks them and fills s.trailers. False: refused. */
bool cw__http1_check_trailers(cw__http1 *h);
/* The status for a request that llhttp does not understand. */
unsigned cw__http1_status_of(const cw__http1 *h, llhttp_errno_t err);

/* The lower-case form of a character of tokens (RFC 9110, 5.6.2), 0 for all others. */
char cw__http1_lower(char c);

/* ---- http1_target.c ---- */

/* facts.host, which becomes s.head.authority. False: refused. */
bool cw__http1_check_host(cw__http1 *h);
/* The target, which becomes s.head.path and may have an authority of its own. False: refused. */
bool cw__http1_check_target(cw__http1 *h);

/* ---- http1_write.c ---- */

cw_net_status cw__http1_respond(cw__stream *s, unsigned status, cw_http_fields fields,
                                cw_bytes body, bool end);
cw__stream *cw__http1_request(cw__core *c, const cw_http_head *head, cw_bytes body, bool end,
                              bool hold_body, void *owner, cw_net_error *e);
cw_net_status cw__http1_write(cw__stream *s, cw_bytes piece);
cw_net_status cw__http1_end(cw__stream *s, cw_http_fields trailers);
void cw__http1_send_continue(cw__stream *s);
void cw__http1_go_on(cw__stream *s);
/* An empty response of our own with "connection: close", as far as memory allows. */
void cw__http1_write_error(cw__http1 *h, unsigned status);

#endif
