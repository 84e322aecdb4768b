/* SPDX-License-Identifier: MIT */
/* A request that was sent: its response as it arrives, and how it ends. */
#include "client_internal.h"

#include <stdlib.h>

#include "http1.h"

enum { SPARE_EXCHANGES = 256 }; /* kept, with some memory for each direction */

/* ---- lists and memory --------------------------------------------------------------------------
 */

void cw__list_add(cw__exchange_list *list, cw_http_exchange *x)
{
    x->list = list;
    x->next = NULL;
    x->prev = list->last;
    *(list->last != NULL ? &list->last->next : &list->first) = x;
    list->last = x;
    list->len++;
}

void cw__list_add_first(cw__exchange_list *list, cw_http_exchange *x)
{
    x->list = list;
    x->prev = NULL;
    x->next = list->first;
    *(list->first != NULL ? &list->first->prev : &list->last) = x;
    list->first = x;
    list->len++;
}

void cw__list_remove(cw_http_exchange *x)
{
    cw__exchange_list *list = x->list;
    if (list == NULL) {
        return;
    }
    *(x->prev != NULL ? &x->prev->next : &list->first) = x->next;
    *(x->next != NULL ? &x->next->prev : &list->last) = x->prev;
    list->len--;
    x->list = NULL;
    x->next = x->prev = NULL;
}

cw_http_exchange *cw__exchange_take(cw_http_client *c)
{
    cw_http_exchange *x = c->spare.first;
    if (x == NULL) {
        x = calloc(1, sizeof *x);
    } else {
        cw__list_remove(x);
    }
    if (x != NULL) {
        *x = (cw_http_exchange){.client = c,
                                .timer = {.owner = x},
                                .copy = x->copy,
                                .trailers = x->trailers,
                                .upload = x->upload,
                                .body = x->body};
    }
    return x;
}

void cw__exchange_free(cw_http_exchange *x)
{
    cw__fields_free(&x->copy);
    cw__fields_free(&x->trailers);
    cw__buf_free(&x->upload);
    cw__buf_free(&x->body);
    free(x);
}

void cw__exchange_recycle(cw_http_exchange *x)
{
    cw_http_client *c = x->client;
    cw__deadlines_remove(&c->deadlines, &x->timer);
    if (c->spare.len == SPARE_EXCHANGES) {
        cw__exchange_free(x);
        return;
    }
    cw__fields_trim(&x->copy);
    cw__fields_trim(&x->trailers);
    cw__buf_trim(&x->upload, CW__KEPT_BODY);
    cw__buf_trim(&x->body, CW__KEPT_BODY);
    cw__list_add_first(&c->spare, x);
}

/* ---- decoders ----------------------------------------------------------------------------------
 */

static size_t decoder_index(unsigned coding)
{
    return coding == CW_HTTP_BR ? 1 : 0;
}

static cw__coder *take_decoder(cw_http_client *c, unsigned coding)
{
    size_t i = decoder_index(coding);
    if (c->decoder_count[i] == 0) {
        return cw__decoder_open(coding, c->pool.o.limits.max_expansion);
    }
    cw__coder *decoder = c->decoders[i][--c->decoder_count[i]];
    if (!cw__coder_reset(decoder)) {
        cw__coder_free(decoder);
        return NULL;
    }
    return decoder;
}

static void return_decoder(cw_http_client *c, unsigned coding, cw__coder *decoder)
{
    size_t i = decoder_index(coding);
    if (c->decoder_count[i] < CW__SPARE_DECODERS) {
        c->decoders[i][c->decoder_count[i]++] = decoder;
    } else {
        cw__coder_free(decoder);
    }
}

/* ---- the end -----------------------------------------------------------------------------------
 */

void cw__exchange_finish(cw_http_exchange *x, const cw_net_error *e)
{
    cw_http_client *c = x->client;
    cw__list_remove(x);
    cw__deadlines_remove(&c->deadlines, &x->timer);
    if (x->decoder != NULL) {
        return_decoder(c, x->coding, x->decoder);
        x->decoder = NULL;
    }
    x->state = CW__OVER;
    if (cw__is_error(e)) {
        c->pool.counters.failed++;
    } else {
        c->pool.counters.answered++;
    }
    x->on_response(x->user, x, e);
    cw__exchange_recycle(x);
}

void cw__exchange_end_later(cw_http_exchange *x, const cw_net_error *e)
{
    cw_http_client *c = x->client;
    cw__list_remove(x);
    cw__deadlines_remove(&c->deadlines, &x->timer);
    x->state = CW__ENDING;
    x->error = *e;
    cw__list_add(&c->ended, x);
    cw__client_wake(c);
}

void cw__exchange_fail(cw_http_exchange *x, const cw_net_error *e)
{
    if (x->state == CW__QUEUED) {
        cw__exchange_end_later(x, e);
    } else if (x->state == CW__IN_FLIGHT && !cw__is_error(&x->error)) {
        x->error = *e;
        cw__deadlines_remove(&x->client->deadlines, &x->timer);
        if (x->link->connection->state != CW__CLOSING) {
            x->stream->core->ops->reset(x->stream, e);
            cw__connection_touch(x->link->connection);
        }
    }
}

void cw__exchange_time_out(cw_http_exchange *x, uint64_t now_ms)
{
    if (x->is_held && now_ms < x->deadline_ms) {
        /* RFC 9110, 10.1.1: old servers do not know of it. */
        x->is_held = false;
        cw__client_set_timer(x->client, x, x->deadline_ms);
        x->stream->core->ops->go_on(x->stream);
        cw__connection_touch(x->link->connection);
        return;
    }
    static const char *const stages[] = {"no connection had room", "no response",
                                         "the response is not complete"};
    cw_net_error e;
    size_t stage = x->state == CW__QUEUED ? 0 : x->stream->head_seen ? 2 : 1;
    cw_net_error_set(&e, CW_NET_ERR_TIMEOUT, 0, "%s", stages[stage]);
    cw__exchange_fail(x, &e);
}

/*
 * May it be sent again without being done twice? Refused: the peer has not begun. Closed: on a
 * connection that had been idle, before a byte of the response, the server has most likely closed
 * it before it saw the request, and no harm is done otherwise (RFC 9110, 9.2.2).
 */
static bool may_retry(const cw_http_exchange *x, const cw__stream *s, const cw_net_error *why)
{
    const cw__core *core = s->core;
    if (!x->has_copy || x->is_streamed || x->is_retried || x->client->is_closing || s->head_seen) {
        return false;
    }
    return why->status == CW_NET_ERR_REFUSED ||
           (why->status == CW_NET_ERR_CLOSED && core->version != CW_HTTP_2 && x->is_reused &&
            x->is_idempotent && !cw__http1_has_begun(core));
}

static void retry(cw_http_exchange *x, const cw_net_error *why)
{
    cw_http_client *c = x->client;
    x->is_retried = true;
    x->state = CW__QUEUED;
    x->stream = NULL;
    x->link = NULL;
    if (x->is_held) {
        x->is_held = false;
        cw__client_set_timer(c, x, x->deadline_ms);
    }
    cw__list_add_first(why->status == CW_NET_ERR_REFUSED ? &c->queue : &c->fresh, x);
    c->may_grow = true;
}

/* Bytes withheld would be missing from the connection's window for good. */
void cw__exchange_consume(cw_http_exchange *x)
{
    size_t n = x->withheld;
    x->withheld = 0;
    if (n > 0) {
        x->stream->core->ops->consume(x->stream, n);
    }
}

/* ---- the response ------------------------------------------------------------------------------
 */

static void on_head(void *ctx, cw__stream *s)
{
    cw_http_exchange *x = s->owner;
    (void)ctx;
    if (x != NULL && !cw__is_error(&x->error) && x->on_head != NULL) {
        x->on_head(x->user, x);
    }
}

static void on_continue(void *ctx, cw__stream *s)
{
    cw_http_exchange *x = s->owner;
    (void)ctx;
    if (x == NULL || cw__is_error(&x->error)) {
        return;
    }
    if (x->is_held) {
        x->is_held = false;
        cw__client_set_timer(x->client, x, x->deadline_ms);
    }
}

/* Where the content coding, if there is one, begins to count: bodies without a byte have none. */
static cw_net_status find_coding(cw_http_exchange *x, cw_net_error *e)
{
    cw_net_status st = cw__coding_of(x->stream->head.fields, &x->coding, e);
    x->has_coding = true;
    if (st == CW_NET_OK && x->coding != 0) {
        x->decoder = take_decoder(x->client, x->coding);
        if (x->decoder == NULL) {
            st = cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "%s", "decoder");
        }
    }
    return st;
}

/* Undoes the coding of a piece, for the body or for on_body. */
static cw_net_status decode(cw_http_exchange *x, cw_bytes piece, bool last, cw_net_error *e)
{
    cw_http_client *c = x->client;
    size_t max = c->pool.o.limits.max_decoded;
    if (x->on_body == NULL) {
        return cw__decode(x->decoder, piece, last, max - cw__buf_len(&x->body), &x->body, e);
    }
    cw__buf_clear(&c->decoded);
    cw_net_status st = cw__decode(x->decoder, piece, last, max - x->decoded, &c->decoded, e);
    cw_bytes decoded = cw__buf_bytes(&c->decoded);
    if (st == CW_NET_OK && decoded.len > 0) {
        x->decoded += decoded.len;
        x->on_body(x->user, x, decoded);
    }
    cw__buf_trim(&c->decoded, CW__KEPT_BODY);
    return st;
}

static cw_net_status take_piece(cw_http_exchange *x, cw_bytes piece, cw_net_error *e)
{
    size_t max = x->client->pool.o.limits.max_body;
    cw_net_status st = x->has_coding ? CW_NET_OK : find_coding(x, e);
    if (st != CW_NET_OK) {
        return st;
    }
    x->received += piece.len;
    if (x->on_body == NULL && x->received > max) {
        return cw_net_error_set(e, CW_NET_ERR_BODY_LIMIT, 0, "more than %zu bytes", max);
    }
    if (x->coding != 0) {
        return decode(x, piece, false, e);
    }
    if (x->on_body != NULL) {
        x->on_body(x->user, x, piece);
    } else if (!cw__buf_append_bytes(&x->body, piece)) {
        return cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "%s", "body");
    }
    return CW_NET_OK;
}

static void on_body(void *ctx, cw__stream *s, cw_bytes piece)
{
    cw_http_exchange *x = s->owner;
    cw_net_error e;
    (void)ctx;
    if (x != NULL && !cw__is_error(&x->error) && take_piece(x, piece, &e) != CW_NET_OK) {
        cw__exchange_fail(x, &e);
    }
    if (x != NULL && x->is_paused) {
        x->withheld += piece.len;
    } else {
        s->core->ops->consume(s, piece.len);
    }
}

/*
 * A response that comes before the request is all sent is the answer nevertheless (RFC 9112, 9.5;
 * RFC 9113, 8.1). What is still to be sent goes on without the exchange, where its end is known.
 */
static void finish_early(cw_http_exchange *x, cw__stream *s)
{
    const cw_net_error ok = {.status = CW_NET_OK};
    cw_http_client *c = x->client;
    bool goes_on = (!x->is_streamed || x->has_ended_upload) && !x->is_held;
    c->in_flight--;
    cw__exchange_consume(x);
    s->owner = NULL;
    cw__exchange_finish(x, &ok);
    if (!goes_on) {
        cw_net_error why;
        cw_net_error_set(&why, CW_NET_ERR_CANCELLED, 0, "%s", "answered before it was all sent");
        s->core->ops->reset(s, &why);
    }
}

static void on_end(void *ctx, cw__stream *s)
{
    cw_http_exchange *x = s->owner;
    cw_net_error e;
    (void)ctx;
    if (x == NULL || cw__is_error(&x->error)) {
        return;
    }
    if (x->decoder != NULL && decode(x, cw_bytes_of(NULL, 0), true, &e) != CW_NET_OK) {
        cw__exchange_fail(x, &e);
    } else if (!s->sent && !cw__is_error(&x->error)) {
        finish_early(x, s);
    }
}

static void on_writable(void *ctx, cw__stream *s)
{
    cw_http_exchange *x = s->owner;
    (void)ctx;
    if (x != NULL && !cw__is_error(&x->error) && x->on_writable != NULL) {
        x->on_writable(x->user, x);
    }
}

static void on_closed(void *ctx, cw__stream *s, const cw_net_error *why)
{
    const cw__connection *connection = ctx;
    cw__link *l = connection->user;
    cw_http_client *c = l->client;
    cw_http_exchange *x = s->owner;
    l->in_flight--;
    if (x == NULL) {
        return;
    }
    c->in_flight--;
    cw__exchange_consume(x);
    if (!cw__is_error(&x->error) && !s->received) {
        l->has_told = true;
        if (may_retry(x, s, why)) {
            retry(x, why);
            return;
        }
        x->error = *why;
        if (!cw__is_error(why)) {
            cw_net_error_set(&x->error, CW_NET_ERR_CLOSED, 0, "%s", "without a response");
        }
    }
    bool was = c->in_closed;
    c->in_closed = true;
    cw__exchange_finish(x, &x->error);
    c->in_closed = was;
}

static void on_room(void *ctx)
{
    const cw__connection *connection = ctx;
    cw__link *l = connection->user;
    cw_http_client *c = l->client;
    cw__link_update(l);
    cw__links_dispatch(c);
    if (c->ready != NULL || cw__links_are_short(c)) {
        cw__client_wake(c);
    }
}

static void on_stream(void *ctx, cw__stream *s)
{
    (void)ctx; /* of servers */
    (void)s;
}

const cw__core_events cw__exchange_events = {
    .on_stream = on_stream,
    .on_head = on_head,
    .on_continue = on_continue,
    .on_body = on_body,
    .on_end = on_end,
    .on_writable = on_writable,
    .on_closed = on_closed,
    .on_room = on_room,
};
