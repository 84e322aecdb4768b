/* SPDX-License-Identifier: MIT */
/* The operations of the core and the life of its stream. */
#include "http1_internal.h"

#include <stdlib.h>

enum {
    UNCONSUMED = 65536, /* body bytes that the owner may sit on before we stop reading */
    KEPT_OUT = 4096,    /* memory that a connection keeps for its next message */
    KEPT_IN = 4096,
    SWAPPED = 32768 /* output of this size changes hands, less is copied */
};

/* ---- the stream --------------------------------------------------------------------------------
 */

void cw__http1_open_stream(cw__http1 *h, void *owner)
{
    h->s = (cw__stream){.core = &h->core, .owner = owner, .progressed = true};
    h->is_open = true;
    h->own = CW__HTTP1_NOTHING;
    h->discarded = 0;
    h->interim = 0;
    h->is_muted = h->has_drained = h->was_above = false;
}

/* What an idle connection need not keep. */
static void trim(cw__http1 *h)
{
    cw__fields_trim(&h->head);
    if (h->phase != CW__HTTP1_CHUNKED) { /* else the rest is thrown away, but parsed */
        cw__fields_trim(&h->trailers);
    }
    cw__buf_free(&h->held);
    h->is_held = false;
}

static void close_stream(cw__http1 *h, const cw_net_error *why)
{
    if (!h->is_open) {
        return;
    }
    h->is_open = false;
    h->is_closing = true;
    if (h->core.events->on_closed != NULL) {
        h->core.events->on_closed(h->core.ctx, &h->s, why);
    }
    h->is_closing = false;
    h->has_new_room = true;
    h->unconsumed = 0;
    trim(h);
}

static void close_well(cw__http1 *h)
{
    static const cw_net_error ok = {.status = CW_NET_OK};
    close_stream(h, &ok);
}

/* No message follows. */
static void finish(cw__http1 *h)
{
    h->phase = CW__HTTP1_DEAD;
    h->is_over = h->is_last = true;
    h->has_new_room = true;
}

void cw__http1_fail(cw__http1 *h, cw_net_status st, int code, const char *detail)
{
    if (h->phase == CW__HTTP1_DEAD) {
        return;
    }
    bool in_body = h->phase == CW__HTTP1_LENGTH || h->phase == CW__HTTP1_CHUNKED;
    bool is_answered = h->is_server && in_body && (!h->is_open || h->own == CW__HTTP1_ENDED);
    h->phase = CW__HTTP1_DEAD;
    h->is_last = true;
    if (is_answered) {
        /* The answer goes out; the rest of the request does not matter. */
        h->is_over = !h->is_open;
        return;
    }
    finish(h);
    h->has_failed = true;
    cw_net_error_set(&h->why, st, h->is_server ? code : 0, "%s", detail != NULL ? detail : "");
    if (h->is_server && code != 0 && (!h->is_open || h->own == CW__HTTP1_NOTHING)) {
        cw__http1_write_error(h, (unsigned)code);
    }
    close_stream(h, &h->why);
}

static void begin_next(cw__http1 *h)
{
    if (h->is_last) {
        finish(h);
    } else {
        h->phase = CW__HTTP1_START;
    }
}

/* Client: a response that comes before its request is sent ends the connection. */
static void finish_response(cw__http1 *h)
{
    h->s.sent = h->own == CW__HTTP1_ENDED && cw__buf_len(&h->out) == 0 && !h->is_muted;
    if (!h->s.sent) {
        h->is_last = true;
        cw__buf_clear(&h->out);
    }
    close_well(h);
    begin_next(h);
}

void cw__http1_received(cw__http1 *h)
{
    h->phase = CW__HTTP1_DONE;
    if (!h->is_open) {
        trim(h); /* that was the rest of an answered request */
        begin_next(h);
        return;
    }
    h->s.received = true;
    bool is_wanted = !h->is_server || h->own != CW__HTTP1_ENDED;
    if (is_wanted && h->core.events->on_end != NULL) {
        h->core.events->on_end(h->core.ctx, &h->s);
    }
    if (!h->is_server && cw__http1_is_alive(h)) {
        finish_response(h);
    }
}

/* Server: the response has been given to drain to its last byte. */
static void finish_exchange(cw__http1 *h)
{
    h->s.sent = true;
    close_well(h);
    if (h->is_last || (h->read_ended && cw__buf_len(&h->in) == 0)) {
        finish(h);
    } else if (h->phase == CW__HTTP1_DONE) {
        h->phase = CW__HTTP1_START;
    }
}

/* What an event's receiver has asked for and could not be done inside it. */
static void settle(cw__http1 *h)
{
    if (h->is_reset && h->is_open) {
        close_stream(h, &h->why);
        finish(h);
    }
}

static void tell_room(cw__http1 *h)
{
    if (h->has_new_room && !h->is_server) {
        h->has_new_room = false;
        if (h->core.events->on_room != NULL) {
            h->core.events->on_room(h->core.ctx);
        }
    }
}

static void reset(cw__stream *s, const cw_net_error *why)
{
    cw__http1 *h = cw__http1_of(s->core);
    if (h->is_reset || !h->is_open) {
        return;
    }
    h->is_reset = h->is_last = true;
    h->why = *why;
    h->phase = CW__HTTP1_DEAD;
    cw__buf_clear(&h->out);
    cw__buf_clear(&h->held);
}

/* ---- input -------------------------------------------------------------------------------------
 */

static cw_net_status report(const cw__http1 *h, cw_net_error *e)
{
    if (!h->has_failed) {
        return CW_NET_OK;
    }
    *e = h->why;
    return h->why.status;
}

/* Requests that have to wait for the one in work. */
static void keep(cw__http1 *h, cw_bytes in)
{
    if (!h->is_last && !cw__buf_append_bytes(&h->in, in)) {
        cw__http1_fail(h, CW_NET_ERR_MEMORY, 0, "connection");
    }
}

static cw_net_status feed(cw__core *c, cw_bytes in, cw_net_error *e)
{
    cw__http1 *h = cw__http1_of(c);
    settle(h);
    if (in.len > 0 && cw__http1_is_alive(h)) {
        h->s.progressed = true;
        if (h->phase == CW__HTTP1_DONE || cw__buf_len(&h->in) > 0) {
            keep(h, in);
        } else if (!h->is_server && h->is_open && !h->has_drained) {
            cw__http1_fail(h, CW_NET_ERR_PROTOCOL, 0, "a response before the request");
        } else {
            size_t used = cw__http1_parse(h, in);
            if (used < in.len && h->phase == CW__HTTP1_DONE) {
                keep(h, cw_bytes_of(in.data + used, in.len - used));
            }
        }
        settle(h);
    }
    tell_room(h);
    return report(h, e);
}

/* Server: no byte follows what was fed. */
static void end_requests(cw__http1 *h)
{
    bool is_complete = h->phase == CW__HTTP1_DONE || cw__buf_len(&h->in) > 0;
    if (is_complete || h->phase == CW__HTTP1_DEAD) {
        return; /* may be answered yet */
    }
    if (h->is_open && h->own != CW__HTTP1_ENDED) {
        cw__http1_fail(h, CW_NET_ERR_CLOSED, 0, "in the middle of a request");
    } else if (h->is_open) {
        h->phase = CW__HTTP1_DEAD;
        h->is_last = true;
    } else {
        finish(h);
    }
}

static void end_responses(cw__http1 *h)
{
    if (!h->is_open) {
        finish(h);
    } else if (h->phase == CW__HTTP1_TO_END) {
        cw__http1_received(h);
    } else if (cw__http1_has_begun(&h->core)) {
        cw__http1_fail(h, CW_NET_ERR_CLOSED, 0, "in the middle of a response");
    } else if (h->has_drained) {
        cw__http1_fail(h, CW_NET_ERR_CLOSED, 0, "before the response");
    } else {
        cw__http1_fail(h, CW_NET_ERR_REFUSED, 0, "before the request was sent");
    }
}

static cw_net_status feed_end(cw__core *c, cw_net_error *e)
{
    cw__http1 *h = cw__http1_of(c);
    settle(h);
    h->read_ended = true;
    if (h->is_server) {
        end_requests(h);
    } else if (cw__http1_is_alive(h)) {
        end_responses(h);
    }
    settle(h);
    tell_room(h);
    return report(h, e);
}

/* Server: takes up the requests that waited. */
static void parse_kept(cw__http1 *h)
{
    h->s.progressed = true;
    size_t used = cw__http1_parse(h, cw__buf_bytes(&h->in));
    if (h->phase == CW__HTTP1_DEAD) {
        cw__buf_free(&h->in);
    } else {
        cw__buf_take(&h->in, used);
        if (cw__buf_len(&h->in) == 0) {
            cw__buf_trim(&h->in, KEPT_IN);
            if (h->read_ended) {
                end_requests(h);
            }
        }
    }
    settle(h);
}

/* ---- output ------------------------------------------------------------------------------------
 */

static size_t unsent(const cw__stream *s)
{
    const cw__http1 *h = cw__http1_of_const(s->core);
    return cw__buf_len(&h->out) + cw__buf_len(&h->held);
}

/* Moves output; false: no memory. */
static bool give(cw__http1 *h, cw__buf *out, size_t max)
{
    size_t had = cw__buf_len(out);
    size_t room = max > had ? max - had : 0;
    size_t n = cw__buf_len(&h->out);
    n = n < room ? n : room;
    if (n == 0) {
        return true;
    }
    if (had == 0 && n >= SWAPPED && n == cw__buf_len(&h->out)) {
        cw__buf whole = h->out;
        h->out = *out;
        *out = whole;
        cw__buf_clear(&h->out);
    } else if (cw__buf_append(out, h->out.data + h->out.start, n)) {
        cw__buf_take(&h->out, n);
    } else {
        return false;
    }
    if (cw__buf_len(&h->out) == 0) {
        cw__buf_trim(&h->out, KEPT_OUT);
    }
    h->s.progressed = h->has_drained = true;
    return true;
}

/* What is due when output has been given. */
static void after_giving(cw__http1 *h)
{
    bool is_empty = cw__buf_len(&h->out) == 0;
    if (h->is_open && h->own == CW__HTTP1_STARTED && h->was_above &&
        unsent(&h->s) < CW__LOW_WATER) {
        h->was_above = false;
        if (h->core.events->on_writable != NULL) {
            h->core.events->on_writable(h->core.ctx, &h->s);
        }
        settle(h);
    } else if (h->is_open && h->own == CW__HTTP1_ENDED && is_empty && h->is_server) {
        finish_exchange(h);
    } else if (h->is_open && h->own == CW__HTTP1_ENDED && is_empty && !h->is_held) {
        h->s.sent = !h->is_muted;
    }
}

static bool has_kept(const cw__http1 *h)
{
    return h->is_server && !h->is_open && cw__http1_is_alive(h) && cw__buf_len(&h->in) > 0;
}

/* Answers that are made at once leave together: requests that waited are taken up here. */
static cw_net_status drain(cw__core *c, cw__buf *out, size_t max, cw_net_error *e)
{
    cw__http1 *h = cw__http1_of(c);
    settle(h);
    do {
        if (!give(h, out, max)) {
            return cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "connection");
        }
        after_giving(h);
        if (cw__buf_len(out) < max && has_kept(h)) {
            parse_kept(h);
        }
    } while (cw__buf_len(out) < max && cw__buf_len(&h->out) > 0);
    tell_room(h);
    return CW_NET_OK;
}

static bool wants_write(const cw__core *c)
{
    const cw__http1 *h = cw__http1_of_const(c);
    bool is_due = h->is_open && (h->is_reset || (h->is_server && h->own == CW__HTTP1_ENDED));
    return cw__buf_len(&h->out) > 0 || is_due || has_kept(h);
}

/* ---- the connection ----------------------------------------------------------------------------
 */

static bool wants_read(const cw__core *c)
{
    const cw__http1 *h = cw__http1_of_const(c);
    return h->unconsumed <= UNCONSUMED && cw__buf_len(&h->in) < CW__HTTP1_PIPELINE;
}

static void consume(cw__stream *s, size_t n)
{
    cw__http1 *h = cw__http1_of(s->core);
    h->unconsumed -= n < h->unconsumed ? n : h->unconsumed;
}

static bool is_done(const cw__core *c)
{
    const cw__http1 *h = cw__http1_of_const(c);
    return h->is_over && !h->is_open && !h->is_closing;
}

static size_t streams(const cw__core *c)
{
    return cw__http1_of_const(c)->is_open ? 1 : 0;
}

static bool in_head(const cw__core *c)
{
    const cw__http1 *h = cw__http1_of_const(c);
    return h->phase == CW__HTTP1_HEAD && h->head.text.end > 0;
}

static size_t room(const cw__core *c)
{
    const cw__http1 *h = cw__http1_of_const(c);
    return h->is_server || h->is_open || h->is_closing || h->is_over || h->is_last ? 0 : 1;
}

static void shutdown(cw__core *c)
{
    cw__http1 *h = cw__http1_of(c);
    h->is_last = true;
    if (!h->is_open) {
        finish(h);
    }
}

void cw__http1_close_after(cw__core *c)
{
    cw__http1 *h = cw__http1_of(c);
    h->closes_after = true;
    h->is_last = h->is_last || h->is_open;
}

/* ---- time --------------------------------------------------------------------------------------
 */

static void time_out(cw__http1 *h)
{
    cw_net_error e;
    bool is_answerable = h->is_server && h->own == CW__HTTP1_NOTHING;
    cw_net_error_set(&e, CW_NET_ERR_TIMEOUT, is_answerable ? 408 : 0, "%s",
                     cw__buf_len(&h->out) > 0 ? "the peer takes nothing" : "nothing comes");
    reset(&h->s, &e);
    if (is_answerable) {
        cw__http1_write_error(h, 408);
    }
}

void cw__http1_timeout(cw__core *c)
{
    cw__http1 *h = cw__http1_of(c);
    if (h->is_open) {
        time_out(h);
    } else if (h->phase == CW__HTTP1_START) {
        cw__http1_write_error(h, 408);
        finish(h);
    } else {
        finish(h);
    }
}

/* Does the stream wait for the peer, not for its own side? */
static bool is_waiting(const cw__http1 *h)
{
    bool is_wanted = h->is_server ? h->own != CW__HTTP1_ENDED && !h->s.expects_continue
                                  : h->s.head_seen || h->head.text.end > 0;
    bool for_bytes = !h->s.received && is_wanted && wants_read(&h->core);
    return for_bytes || (cw__buf_len(&h->out) > 0 && !h->core.is_moving);
}

static void sweep(cw__core *c, uint64_t now_ms)
{
    cw__http1 *h = cw__http1_of(c);
    if (!h->is_open || h->is_reset) {
        return;
    }
    if (h->s.progressed || !is_waiting(h)) {
        h->s.progressed = false;
        h->s.progress_ms = now_ms;
    } else if (now_ms - h->s.progress_ms >= h->body_timeout_ms) {
        time_out(h);
    }
}

/* ---- opening and freeing -----------------------------------------------------------------------
 */

static void free_core(cw__core *c, const cw_net_error *why)
{
    cw__http1 *h = cw__http1_of(c);
    close_stream(h, h->is_reset ? &h->why : why);
    cw__fields_free(&h->head);
    cw__fields_free(&h->trailers);
    cw__buf_free(&h->in);
    cw__buf_free(&h->out);
    cw__buf_free(&h->held);
    free(h);
}

static const cw__core_ops ops = {
    .free = free_core,
    .feed = feed,
    .feed_end = feed_end,
    .drain = drain,
    .wants_read = wants_read,
    .wants_write = wants_write,
    .is_done = is_done,
    .streams = streams,
    .in_head = in_head,
    .sweep = sweep,
    .shutdown = shutdown,
    .room = room,
    .request = cw__http1_request,
    .go_on = cw__http1_go_on,
    .send_continue = cw__http1_send_continue,
    .respond = cw__http1_respond,
    .write = cw__http1_write,
    .end = cw__http1_end,
    .unsent = unsent,
    .consume = consume,
    .reset = reset,
};

cw__core *cw__http1_open(bool is_server, const char *scheme, const cw_http_limits *limits,
                         const cw__core_events *events, void *ctx)
{
    cw__http1 *h = calloc(1, sizeof *h);
    if (h == NULL) {
        return NULL;
    }
    /* Places in a head are of 32 bits. */
    size_t most = UINT32_MAX / 4;
    h->core = (cw__core){.ops = &ops, .events = events, .ctx = ctx, .version = CW_HTTP_1_1};
    h->is_server = is_server;
    h->scheme = scheme;
    h->max_header_bytes = limits->max_header_bytes < most ? limits->max_header_bytes : most;
    h->max_header_fields = limits->max_header_fields;
    h->body_timeout_ms = limits->body_timeout_ms;
    h->phase = CW__HTTP1_START;
    return &h->core;
}

bool cw__http1_has_begun(const cw__core *c)
{
    const cw__http1 *h = cw__http1_of_const(c);
    return h->interim > 0 || h->head.text.end > 0;
}
