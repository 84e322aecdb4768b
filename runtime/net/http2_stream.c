/* SPDX-License-Identifier: MIT */
/* Streams of HTTP/2: taken, given up, closed, recycled. */
#include <stddef.h>
#include <stdlib.h>

#include "http2_internal.h"

enum { MAX_SPARES = 64 };

/* ---- lists ------------------------------------------------------------------------------------
 */

static void link_in(cw__h2_stream *s, cw__h2_stream **list)
{
    s->next = *list;
    s->prev = list;
    if (s->next != NULL) {
        s->next->prev = &s->next;
    }
    *list = s;
}

static void unlink_from(cw__h2_stream *s)
{
    *s->prev = s->next;
    if (s->next != NULL) {
        s->next->prev = s->prev;
    }
}

static void free_stream(cw__h2_stream *s)
{
    cw__fields_free(&s->fields);
    cw__fields_free(&s->trailers);
    cw__fields_free(&s->out_trailers);
    cw__buf_free(&s->out);
    free(s);
}

void cw__h2_free_spares(cw__http2 *c)
{
    while (c->spare != NULL) {
        cw__h2_stream *s = c->spare;
        c->spare = s->next;
        free_stream(s);
    }
    c->spares = 0;
}

cw__h2_stream *cw__h2_take(cw__http2 *c, int32_t id)
{
    cw__h2_stream *s = c->spare;
    if (s != NULL) {
        c->spare = s->next;
        c->spares--;
    } else {
        s = calloc(1, sizeof *s);
        if (s == NULL) {
            return NULL;
        }
    }
    s->base.core = &c->base;
    s->base.progressed = true;
    s->id = id;
    link_in(s, &c->open);
    c->streams++;
    return s;
}

static void recycle(cw__http2 *c, cw__h2_stream *s)
{
    if (c->spares == MAX_SPARES) {
        free_stream(s);
        return;
    }
    memset(s, 0, offsetof(cw__h2_stream, fields));
    s->why.status = CW_NET_OK;
    cw__fields_trim(&s->fields);
    cw__fields_trim(&s->trailers);
    cw__fields_trim(&s->out_trailers);
    cw__buf_trim(&s->out, CW__KEPT_BODY);
    s->next = c->spare;
    c->spare = s;
    c->spares++;
}

/* ---- nghttp2's side of it ---------------------------------------------------------------------
 */

cw__h2_stream *cw__h2_find(cw__http2 *c, int32_t id)
{
    if (c->last == NULL || c->last->id != id) {
        c->last = nghttp2_session_get_stream_user_data(c->session, id);
    }
    return c->last;
}

void cw__h2_return_bytes(cw__http2 *c, size_t n)
{
    if (n > 0 && nghttp2_session_consume_connection(c->session, n) != 0) {
        cw__h2_no_memory(c);
    }
}

/* nghttp2 knows the stream no longer, and the connection's window has its bytes back. */
static void detach(cw__http2 *c, cw__h2_stream *s)
{
    /* It may not find the stream any more: there is nothing to unset then. */
    (void)nghttp2_session_set_stream_user_data(c->session, s->id, NULL);
    c->current = c->current == s ? NULL : c->current;
    c->last = c->last == s ? NULL : c->last;
    cw__h2_return_bytes(c, s->unconsumed);
    s->unconsumed = 0;
}

void cw__h2_rst(cw__http2 *c, int32_t id, uint32_t code)
{
    size_t before = cw__h2_queue(c);
    if (nghttp2_submit_rst_stream(c->session, NGHTTP2_FLAG_NONE, id, code) != 0) {
        cw__h2_no_memory(c);
    }
    c->queued += cw__h2_queue(c) - before;
}

/* ---- the end ----------------------------------------------------------------------------------
 */

void cw__h2_finish(cw__h2_stream *s, const cw_net_error *why)
{
    cw__http2 *c = cw__h2_core(&s->base);
    unlink_from(s);
    c->streams--;
    if (s->stage != CW__H2_LEAVING) {
        detach(c, s);
    }
    if (c->is_server && s->base.head_seen && !s->answered) {
        c->running++;
    }
    c->room_changed = true;
    c->base.events->on_closed(c->base.ctx, &s->base, why);
    recycle(c, s);
}

void cw__h2_drop(cw__h2_stream *s)
{
    cw__http2 *c = cw__h2_core(&s->base);
    unlink_from(s);
    c->streams--;
    recycle(c, s);
}

void cw__h2_leave(cw__h2_stream *s, const cw_net_error *why, uint32_t code)
{
    cw__http2 *c = cw__h2_core(&s->base);
    cw__h2_rst(c, s->id, code);
    detach(c, s);
    s->why = *why;
    s->stage = CW__H2_LEAVING;
    unlink_from(s);
    link_in(s, &c->leaving);
}

void cw__h2_flush(cw__http2 *c)
{
    while (c->leaving != NULL) {
        cw__h2_finish(c->leaving, &c->leaving->why);
    }
}

/* ---- operations -------------------------------------------------------------------------------
 */

void cw__h2_consume(cw__stream *stream, size_t n)
{
    cw__h2_stream *s = (cw__h2_stream *)stream;
    cw__http2 *c = cw__h2_core(stream);
    if (s->stage == CW__H2_LEAVING || n > s->unconsumed) {
        n = s->unconsumed;
    }
    if (n == 0) {
        return;
    }
    s->unconsumed -= n;
    if (stream->received) {
        cw__h2_return_bytes(c, n); /* nothing more will come in this stream */
    } else if (nghttp2_session_consume(c->session, s->id, n) != 0) {
        cw__h2_no_memory(c);
    }
}

static bool is_peers_fault(cw_net_status st)
{
    switch (st) {
    case CW_NET_ERR_PROTOCOL:
    case CW_NET_ERR_HEADER_LIMIT:
    case CW_NET_ERR_BODY_LIMIT:
    case CW_NET_ERR_FLOOD:
    case CW_NET_ERR_CODING:
    case CW_NET_ERR_TIMEOUT:
        return true;
    default:
        return false;
    }
}

static uint32_t code_of(cw_net_status st)
{
    switch (st) {
    case CW_NET_ERR_MEMORY:
    case CW_NET_ERR_ARGUMENT:
    case CW_NET_ERR_IO:
        return NGHTTP2_INTERNAL_ERROR;
    case CW_NET_ERR_PROTOCOL:
    case CW_NET_ERR_CODING:
        return NGHTTP2_PROTOCOL_ERROR;
    case CW_NET_ERR_HEADER_LIMIT:
    case CW_NET_ERR_BODY_LIMIT:
    case CW_NET_ERR_FLOOD:
        return NGHTTP2_ENHANCE_YOUR_CALM;
    default:
        return NGHTTP2_CANCEL;
    }
}

void cw__h2_give_up(cw__h2_stream *s, const cw_net_error *why)
{
    if (is_peers_fault(why->status) && !s->charged) {
        /* Too many end the connection: the feed or drain that runs, or comes next, sees it. */
        (void)cw__h2_charge_reset(cw__h2_core(&s->base));
    }
    cw__h2_leave(s, why, code_of(why->status));
}

void cw__h2_reset(cw__stream *stream, const cw_net_error *why)
{
    cw__h2_stream *s = (cw__h2_stream *)stream;
    if (s->stage != CW__H2_LEAVING) {
        s->answered = true;
        cw__h2_give_up(s, why);
    }
}
