/* SPDX-License-Identifier: MIT */
/* A call's life, and what arrives for it: head, body, trailers, end. */
#include "server_internal.h"

#include "http2.h"

enum { SLICE = 1024 }; /* of a coded body that is streamed: bounds what one piece becomes */

/* ---- what arrives ------------------------------------------------------------------------------
 */

void cw__server_error(cw_http_server *s, const cw_net_error *e)
{
    s->pool.counters.bad_requests++;
    if (s->handler.on_error != NULL) {
        s->handler.on_error(s->ctx, e);
    }
}

static cw_http_server *server_of(const cw__connection *c)
{
    return c->pool->o.ctx;
}

/* Nobody waits for more of this request. */
static bool is_over(const cw_http_call *call)
{
    return call->is_answered || call->is_refused;
}

static void refuse(cw_http_call *call, unsigned http, cw_net_status st, const char *detail)
{
    cw_net_error e;
    cw_net_error_set(&e, st, (int)http, "%s", detail);
    cw__call_refuse(call, http, &e);
}

static void no_memory(cw_http_call *call)
{
    refuse(call, 500, CW_NET_ERR_MEMORY, "request");
}

static void on_stream(void *ctx, cw__stream *stream)
{
    const cw__connection *c = ctx;
    cw__peer *peer = c->user;
    (void)stream;
    peer->told = CW_NET_OK;
}

/* What content-length promises; 0 without. The core has checked it. */
static uint64_t content_length(const cw_http_call *call)
{
    cw_str s = cw_http_find(call->head.fields, "content-length");
    uint64_t n = 0;
    for (size_t i = 0; i < s.len && s.data[i] >= '0' && s.data[i] <= '9'; i++) {
        n = n > UINT64_MAX / 16 ? n : 10 * n + (uint64_t)(s.data[i] - '0');
    }
    return n;
}

static void show_head(cw_http_call *call)
{
    const cw_http_server *s = call->server;
    if (s->handler.on_head != NULL) {
        call->is_shown = true;
        s->handler.on_head(s->ctx, call);
    }
    if (is_over(call)) {
        return;
    }
    if (!call->is_streamed && content_length(call) > s->limits.max_body) {
        refuse(call, 413, CW_NET_ERR_BODY_LIMIT, "content-length");
    } else if (call->stream->expects_continue) {
        call->stream->core->ops->send_continue(call->stream);
    }
}

static void on_head(void *ctx, cw__stream *stream)
{
    cw__connection *c = ctx;
    cw_http_server *s = server_of(c);
    cw_net_error e;
    s->pool.counters.requests++;
    cw_http_call *call = cw__call_take(s);
    if (call == NULL || !cw__fields_keep_head(&call->head_memory, &stream->head, &call->head)) {
        if (call != NULL) {
            cw__call_release(call);
        }
        cw_net_error_set(&e, CW_NET_ERR_MEMORY, 0, "%s", "request");
        stream->core->ops->reset(stream, &e);
        return;
    }
    call->stream = stream;
    call->connection = c;
    stream->owner = call;
    if (cw__coding_of(call->head.fields, &call->coding, &e) != CW_NET_OK) {
        refuse(call, 415, e.status, e.detail);
        return;
    }
    show_head(call);
}

static void on_continue(void *ctx, cw__stream *stream)
{
    (void)ctx; /* a client's event */
    (void)stream;
}

static void on_room(void *ctx)
{
    (void)ctx; /* a client's event */
}

static void collect(cw_http_call *call, cw_bytes piece)
{
    if (call->arrived > call->server->limits.max_body) {
        refuse(call, 413, CW_NET_ERR_BODY_LIMIT, "body");
    } else if (!cw__buf_append_bytes(&call->body, piece)) {
        no_memory(call);
    }
}

static void bad_coding(cw_http_call *call, const cw_net_error *e)
{
    if (e->status == CW_NET_ERR_BODY_LIMIT) {
        refuse(call, 413, e->status, "body after its content coding is undone");
    } else if (e->status == CW_NET_ERR_MEMORY) {
        no_memory(call);
    } else {
        refuse(call, 400, e->status, e->detail);
    }
}

/* A slice of a streamed body, or its end, becomes a piece for the handler. */
static void stream_decoded(cw_http_call *call, cw_bytes in, bool last)
{
    cw_http_server *s = call->server;
    cw_net_error e;
    cw__buf out = s->scratch; /* the handler may use the server's while it looks at this */
    s->scratch = (cw__buf){.data = NULL};
    size_t room = s->limits.max_decoded - call->decoded;
    if (cw__decode(call->decoder, in, last, room, &out, &e) != CW_NET_OK) {
        bad_coding(call, &e);
    } else if (cw__buf_len(&out) > 0) {
        call->decoded += cw__buf_len(&out);
        if (s->handler.on_body != NULL) {
            s->handler.on_body(s->ctx, call, cw__buf_bytes(&out));
        }
    }
    cw__buf_free(&s->scratch);
    cw__buf_trim(&out, CW__KEPT_BODY);
    s->scratch = out;
}

static void stream_piece(cw_http_call *call, cw_bytes piece)
{
    const cw_http_server *s = call->server;
    if (call->decoder == NULL) {
        if (s->handler.on_body != NULL) {
            s->handler.on_body(s->ctx, call, piece);
        }
        return;
    }
    while (piece.len > 0 && !is_over(call)) {
        size_t n = piece.len < SLICE ? piece.len : SLICE;
        stream_decoded(call, cw_bytes_of(piece.data, n), false);
        piece = cw_bytes_of(piece.data + n, piece.len - n);
    }
}

static void on_body(void *ctx, cw__stream *stream, cw_bytes piece)
{
    cw_http_call *call = stream->owner;
    (void)ctx;
    if (call == NULL) {
        stream->core->ops->consume(stream, piece.len);
        return;
    }
    call->arrived += piece.len;
    /* After the answer it is thrown away; the core ends the stream when all of that is sent. */
    if (!is_over(call) && call->is_streamed) {
        stream_piece(call, piece);
    } else if (!is_over(call)) {
        collect(call, piece);
    }
    if (call->is_paused && !is_over(call)) {
        call->held_back += piece.len;
    } else {
        stream->core->ops->consume(stream, piece.len);
    }
}

/* The collected body's content coding is undone as a whole, with a decoder that is kept. */
static void decode_collected(cw_http_call *call)
{
    cw_http_server *s = call->server;
    cw_net_error e;
    cw__coder *decoder = cw__server_decoder(s, call->coding);
    if (decoder == NULL) {
        no_memory(call);
        return;
    }
    cw__buf_clear(&s->scratch);
    if (cw__decode(decoder, cw__buf_bytes(&call->body), true, s->limits.max_decoded, &s->scratch,
                   &e) != CW_NET_OK) {
        cw__buf_trim(&s->scratch, CW__KEPT_BODY);
        bad_coding(call, &e);
        return;
    }
    cw__buf coded = call->body;
    call->body = s->scratch;
    s->scratch = coded;
    cw__buf_trim(&s->scratch, CW__KEPT_BODY);
}

static void on_end(void *ctx, cw__stream *stream)
{
    cw_http_call *call = stream->owner;
    (void)ctx;
    if (call == NULL || is_over(call)) {
        return;
    }
    if (stream->trailers.len > 0 &&
        !cw__fields_keep(&call->trailer_memory, stream->trailers, &call->trailers)) {
        no_memory(call);
    } else if (call->decoder != NULL) {
        stream_decoded(call, cw_bytes_of(NULL, 0), true);
    } else if (call->coding != 0 && !call->is_streamed) {
        decode_collected(call);
    }
    if (!is_over(call)) {
        call->is_shown = call->is_owed = true;
        call->server->handler.on_request(call->server->ctx, call);
    }
}

static void on_writable(void *ctx, cw__stream *stream)
{
    cw_http_call *call = stream->owner;
    (void)ctx;
    if (call != NULL && call->is_started && !is_over(call) &&
        call->server->handler.on_writable != NULL) {
        call->server->handler.on_writable(call->server->ctx, call);
    }
}

/* ---- the end -----------------------------------------------------------------------------------
 */

/* HTTP/2 bounds the handlers that run for streams the peer has given up. */
static void tell_late_answer(const cw_http_call *call)
{
    const cw__connection *c = call->connection;
    if (!call->is_final && c != NULL && c->core != NULL && c->core->version == CW_HTTP_2) {
        cw__http2_late_answer(c->core);
    }
}

static void wait_for_answer(cw_http_call *call)
{
    cw__peer *peer = call->connection->user;
    call->next = peer->late;
    call->prev = &peer->late;
    if (call->next != NULL) {
        call->next->prev = &call->next;
    }
    peer->late = call;
}

void cw__call_answered(cw_http_call *call)
{
    call->is_answered = true;
    if (!call->is_done) {
        cw_http_call_resume(call);
        return;
    }
    tell_late_answer(call);
    if (call->connection != NULL) {
        *call->prev = call->next;
        if (call->next != NULL) {
            call->next->prev = call->prev;
        }
    }
    cw__call_release(call);
}

static void tell_end(cw_http_call *call, const cw_net_error *e)
{
    cw_http_server *s = call->server;
    if (!call->is_shown) {
        if (e->status != CW_NET_OK) {
            cw__server_error(s, e);
        }
    } else if (s->handler.on_done != NULL) {
        s->handler.on_done(s->ctx, call, e);
    }
}

static void on_closed(void *ctx, cw__stream *stream, const cw_net_error *why)
{
    cw__connection *c = ctx;
    cw_http_server *s = server_of(c);
    cw__peer *peer = c->user;
    cw_http_call *call = stream->owner;
    if (why->status != CW_NET_OK) {
        peer->told = why->status;
    }
    if (call == NULL) {
        s->pool.counters.failed += stream->head_seen;
        if (why->status != CW_NET_OK) {
            cw__server_error(s, why);
        }
        return;
    }
    const cw_net_error *e = call->is_refused ? &call->error : why;
    stream->owner = NULL;
    call->stream = NULL;
    call->is_gone = e->status != CW_NET_OK;
    if (call->is_gone) {
        s->pool.counters.failed++;
    } else {
        s->pool.counters.answered++;
    }
    tell_end(call, e);
    call->is_done = true;
    if (call->is_owed && !call->is_answered) {
        wait_for_answer(call);
    } else {
        tell_late_answer(call);
        cw__call_release(call);
    }
}

const cw__core_events cw__server_core_events = {
    .on_stream = on_stream,
    .on_head = on_head,
    .on_continue = on_continue,
    .on_body = on_body,
    .on_end = on_end,
    .on_writable = on_writable,
    .on_closed = on_closed,
    .on_room = on_room,
};

/* ---- what a handler asks -----------------------------------------------------------------------
 */

const cw_http_head *cw_http_call_head(const cw_http_call *call)
{
    return &call->head;
}

cw_bytes cw_http_call_body(const cw_http_call *call)
{
    return call->is_owed ? cw__buf_bytes(&call->body) : cw_bytes_of(NULL, 0);
}

cw_http_fields cw_http_call_trailers(const cw_http_call *call)
{
    return call->trailers;
}

bool cw_http_call_gone(const cw_http_call *call)
{
    return call->is_gone;
}

void cw_http_call_set_user(cw_http_call *call, void *user)
{
    call->user = user;
}

void *cw_http_call_user(const cw_http_call *call)
{
    return call->user;
}

void cw_http_call_stream(cw_http_call *call)
{
    if (call->is_owed || is_over(call) || call->stream == NULL || call->arrived > 0) {
        return;
    }
    call->is_streamed = call->is_owed = true;
    if (call->coding != 0) {
        call->decoder = cw__decoder_open(call->coding, call->server->limits.max_expansion);
        if (call->decoder == NULL) {
            no_memory(call);
        }
    }
}

void cw_http_call_pause(cw_http_call *call)
{
    call->is_paused = true;
}

void cw_http_call_resume(cw_http_call *call)
{
    size_t n = call->held_back;
    call->is_paused = false;
    call->held_back = 0;
    if (n > 0 && call->stream != NULL) {
        call->stream->core->ops->consume(call->stream, n);
        cw__connection_touch(call->connection);
    }
}
