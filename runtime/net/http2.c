/* SPDX-License-Identifier: MIT */
/* The HTTP/2 core as a whole: life, bytes in and out, shutdown, time. */
#include "http2_internal.h"

#include <stdlib.h>

enum {
    MAX_SETTINGS = 32,
    /* nghttp2 counts a CONTINUATION once for every piece in which its 9 bytes of header arrive; we
     * count whole ones (http2_flood.c), so its limit only has to be out of their way. */
    NGHTTP2_CONTINUATIONS = 9 * 10,
    FIRST_EXTENSION = 0x0a, /* types of frames that nghttp2 does not know */
    LAST_EXTENSION = 0xff,
    PEER_MAX_AT_FIRST = 100, /* nghttp2's guess until SETTINGS come */
    NOTICE_MS = 1000,        /* for the PING after "going away" to come back */
    AHEAD_MAX = 65536,
    KEPT_AHEAD = 4096
};

/* ---- errors -----------------------------------------------------------------------------------
 */

void cw__h2_fail(cw__http2 *c, cw_net_status st, int code, const char *detail)
{
    if (!cw__h2_has_failed(c)) {
        cw_net_error_set(&c->error, st, code, "%s", detail);
    }
}

void cw__h2_no_memory(cw__http2 *c)
{
    cw__h2_fail(c, CW_NET_ERR_MEMORY, 0, "HTTP/2 connection");
}

/* nghttp2 gave up in mem_recv or mem_send. */
static void fail_by(cw__http2 *c, int error)
{
    switch (error) {
    case NGHTTP2_ERR_BAD_CLIENT_MAGIC:
        cw__h2_fail(c, CW_NET_ERR_PROTOCOL, NGHTTP2_PROTOCOL_ERROR, "bad connection preface");
        break;
    case NGHTTP2_ERR_FLOODED:
    case NGHTTP2_ERR_TOO_MANY_CONTINUATIONS:
        cw__h2_fail(c, CW_NET_ERR_FLOOD, NGHTTP2_ENHANCE_YOUR_CALM, nghttp2_strerror(error));
        break;
    case NGHTTP2_ERR_NOMEM:
        cw__h2_no_memory(c);
        break;
    default: /* CALLBACK_FAILURE: our own error is set; anything else is no fault of the peer's */
        cw__h2_fail(c, CW_NET_ERR_IO, NGHTTP2_INTERNAL_ERROR, nghttp2_strerror(error));
        break;
    }
}

static void close_all(cw__http2 *c, const cw_net_error *why)
{
    while (c->open != NULL) {
        cw__h2_finish(c->open, why);
    }
    cw__h2_flush(c);
}

/* The connection has failed: GOAWAY is submitted, streams are closed. */
static void tear_down(cw__http2 *c)
{
    bool has_code = c->error.status != CW_NET_ERR_MEMORY && c->error.code > 0;
    c->is_torn = true;
    /* Without memory there will be no GOAWAY. */
    (void)nghttp2_session_terminate_session(c->session, has_code ? (uint32_t)c->error.code
                                                                 : NGHTTP2_INTERNAL_ERROR);
    close_all(c, &c->error);
}

/* What every feed and drain ends with. */
static void settle(cw__http2 *c)
{
    cw__h2_flush(c);
    if (cw__h2_has_failed(c) && !c->is_torn) {
        tear_down(c);
    }
    if (c->room_changed) {
        c->room_changed = false;
        if (!c->is_server) {
            c->base.events->on_room(c->base.ctx);
        }
    }
}

/* ---- bytes out --------------------------------------------------------------------------------
 */

/* Is it time for GOAWAY's second step, or, for a client, the only one? */
static bool goaway_is_due(const cw__http2 *c)
{
    if (cw__h2_has_failed(c) || c->goaway == CW__H2_GOAWAY_NAMED) {
        return false;
    }
    return c->is_server ? c->goaway == CW__H2_GOAWAY_DUE : c->is_draining && c->streams == 0;
}

/* Named is the last stream that has reached us. */
static void name_last_stream(cw__http2 *c)
{
    if (!goaway_is_due(c)) {
        return;
    }
    c->goaway = CW__H2_GOAWAY_NAMED;
    if (nghttp2_submit_goaway(c->session, NGHTTP2_FLAG_NONE,
                              nghttp2_session_get_last_proc_stream_id(c->session), NGHTTP2_NO_ERROR,
                              NULL, 0) != 0) {
        cw__h2_no_memory(c);
    }
}

/* Takes frames from nghttp2 until there are `max` bytes; before_data: until the first DATA frame,
 * ahead of which everything has left that nghttp2 says of its own accord. */
static void pump(cw__http2 *c, cw__buf *out, size_t max, bool before_data)
{
    while (cw__buf_len(out) < max) {
        const uint8_t *data;
        c->sent_type = UINT8_MAX;
        ssize_t n = nghttp2_session_mem_send(c->session, &data);
        if (n < 0) {
            fail_by(c, (int)n);
            return;
        }
        if (n == 0) {
            return;
        }
        if (!cw__buf_append(out, data, (size_t)n)) {
            cw__h2_no_memory(c);
            return;
        }
        if (cw__h2_has_failed(c) && !c->is_torn) {
            tear_down(c);
        }
        if (before_data && c->sent_type == NGHTTP2_DATA) {
            return;
        }
    }
}

static bool take_ahead(cw__http2 *c, cw__buf *out)
{
    if (cw__buf_len(&c->ahead) == 0) {
        return true;
    }
    bool taken = cw__buf_append_bytes(out, cw__buf_bytes(&c->ahead));
    cw__buf_trim(&c->ahead, KEPT_AHEAD);
    return taken;
}

static cw_net_status drain(cw__core *core, cw__buf *out, size_t max, cw_net_error *e)
{
    cw__http2 *c = (cw__http2 *)core;
    settle(c);
    name_last_stream(c);
    if (!take_ahead(c, out)) {
        cw__h2_no_memory(c);
    }
    pump(c, out, max, false);
    settle(c);
    /* Other errors are told by feed; what has been appended (GOAWAY) is to be sent. */
    if (c->error.status == CW_NET_ERR_MEMORY) {
        *e = c->error;
        return CW_NET_ERR_MEMORY;
    }
    return CW_NET_OK;
}

static bool wants_write(const cw__core *core)
{
    const cw__http2 *c = (const cw__http2 *)core;
    return cw__buf_len(&c->ahead) > 0 || c->leaving != NULL || goaway_is_due(c) ||
           nghttp2_session_want_write(c->session);
}

/* ---- bytes in ---------------------------------------------------------------------------------
 */

static cw_net_status feed(cw__core *core, cw_bytes in, cw_net_error *e)
{
    cw__http2 *c = (cw__http2 *)core;
    cw__h2_flush(c);
    if (!cw__h2_has_failed(c) && in.len > 0) {
        c->has_started = true;
        c->queued = cw__h2_queue(c);
        ssize_t n = nghttp2_session_mem_recv(c->session, in.data, in.len);
        if (n < 0) {
            fail_by(c, (int)n);
        } else if (cw__h2_queue(c) != c->queued) {
            /* nghttp2 has queued something that we do not know: RST_STREAM, or GOAWAY, which it
             * does not tell in any other way than by sending it. */
            pump(c, &c->ahead, AHEAD_MAX, true);
        }
    }
    settle(c);
    if (cw__h2_has_failed(c)) {
        *e = c->error;
    }
    return c->error.status;
}

/* The peer will say nothing more; what becomes of a stream? False: it may go on. */
static bool is_cut(const cw__http2 *c, const cw__h2_stream *s, cw_net_error *e)
{
    if (s->base.received) {
        if (!c->is_server) {
            *e = (cw_net_error){.status = CW_NET_OK}; /* the response is whole */
        }
        return !c->is_server;
    }
    if (!c->is_server && s->id > c->last_sent_id) {
        cw_net_error_set(e, CW_NET_ERR_REFUSED, 0, "%s", "the request was not sent");
    } else if (c->goaway_received && c->goaway_code != NGHTTP2_NO_ERROR) {
        cw_net_error_set(e, CW_NET_ERR_CLOSED, (int)c->goaway_code, "GOAWAY: %s",
                         nghttp2_http2_strerror(c->goaway_code));
    } else {
        cw_net_error_set(e, CW_NET_ERR_CLOSED, 0, "%s", "in the middle of a message");
    }
    return true;
}

static cw_net_status feed_end(cw__core *core, cw_net_error *e)
{
    cw__http2 *c = (cw__http2 *)core;
    cw_net_status st = CW_NET_OK;
    c->peer_ended = true;
    c->room_changed = true;
    if (c->current != NULL || (c->is_server && c->has_started && !c->is_ready)) {
        st = cw_net_error_set(e, CW_NET_ERR_CLOSED, 0, "%s", "in the middle of a head");
    }
    for (cw__h2_stream *s = c->open, *next; s != NULL; s = next) {
        cw_net_error why;
        next = s->next;
        if (is_cut(c, s, &why)) {
            cw__h2_leave(s, &why, NGHTTP2_CANCEL);
            if (why.status != CW_NET_OK) {
                st = why.status;
                *e = why;
            }
        }
    }
    settle(c);
    if (cw__h2_has_failed(c)) {
        *e = c->error;
        st = c->error.status;
    }
    return st;
}

static bool wants_read(const cw__core *core)
{
    (void)core;
    return true; /* flow control pushes back */
}

static bool in_head(const cw__core *core)
{
    const cw__http2 *c = (const cw__http2 *)core;
    return c->current != NULL || (c->is_server && c->has_started && !c->is_ready);
}

/* ---- time, shutdown ---------------------------------------------------------------------------
 */

static bool is_done(const cw__core *core)
{
    const cw__http2 *c = (const cw__http2 *)core;
    if (cw__h2_has_failed(c)) {
        return true;
    }
    bool no_more = c->goaway == CW__H2_GOAWAY_NAMED || c->goaway_received || c->peer_ended ||
                   c->ids_are_used_up || (c->is_draining && !c->is_server);
    return c->streams == 0 && no_more;
}

static size_t streams(const cw__core *core)
{
    return ((const cw__http2 *)core)->streams;
}

/* Could the peer send in this stream if it wanted to? */
static bool may_send(const cw__http2 *c, const cw__h2_stream *s)
{
    return nghttp2_session_get_local_window_size(c->session) > 0 &&
           nghttp2_session_get_stream_local_window_size(c->session, s->id) > 0;
}

/* Streams share the connection: one that waits for the others' bytes to leave is not stuck. */
static bool is_stuck(const cw__http2 *c, const cw__h2_stream *s)
{
    if (c->base.is_moving) {
        return false;
    }
    return !c->has_moved || nghttp2_session_get_stream_remote_window_size(c->session, s->id) <= 0;
}

static bool waits_for_peer(const cw__http2 *c, const cw__h2_stream *s)
{
    if (cw__buf_len(&s->out) > 0) {
        return is_stuck(c, s);
    }
    return s->base.head_seen && !s->base.received && s->stage == CW__H2_SHOWN && may_send(c, s);
}

static void sweep_stream(cw__http2 *c, cw__h2_stream *s, uint64_t now_ms)
{
    if (s->base.progressed || !waits_for_peer(c, s)) {
        s->base.progressed = false;
        s->base.progress_ms = now_ms;
    } else if (now_ms - s->base.progress_ms >= c->limits.body_timeout_ms) {
        cw_net_error e;
        cw_net_error_set(&e, CW_NET_ERR_TIMEOUT, NGHTTP2_CANCEL, "%s",
                         cw__buf_len(&s->out) > 0 ? "the peer takes no bytes"
                                                  : "the peer sends no bytes");
        cw__h2_give_up(s, &e);
    }
}

static void sweep(cw__core *core, uint64_t now_ms)
{
    cw__http2 *c = (cw__http2 *)core;
    for (cw__h2_stream *s = c->open, *next; s != NULL; s = next) {
        next = s->next;
        sweep_stream(c, s, now_ms);
    }
    c->has_moved = false;
    if (c->goaway == CW__H2_GOAWAY_NOTICE) {
        if (c->notice_ms == 0) {
            c->notice_ms = now_ms;
        } else if (now_ms - c->notice_ms > NOTICE_MS) {
            c->goaway = CW__H2_GOAWAY_DUE;
        }
    }
    if (c->streams == 0) {
        cw__h2_free_spares(c);
    }
    cw__h2_forgive(c, now_ms);
}

/* A server says "going away" first, and names the last stream it takes when a PING shows that the
 * client knows: no request is lost between the two (RFC 9113, 6.8). */
static void shut_down(cw__core *core)
{
    static const uint8_t marker[8] = {'c', 'w', '-', 'd', 'r', 'a', 'i', 'n'};
    cw__http2 *c = (cw__http2 *)core;
    if (c->is_draining || cw__h2_has_failed(c)) {
        return;
    }
    c->is_draining = true;
    c->room_changed = true;
    if (c->is_server) {
        c->goaway = CW__H2_GOAWAY_NOTICE;
        if (nghttp2_submit_shutdown_notice(c->session) != 0 ||
            nghttp2_submit_ping(c->session, NGHTTP2_FLAG_NONE, marker) != 0) {
            cw__h2_no_memory(c);
        }
        c->queued += 2;
    }
}

/* ---- life -------------------------------------------------------------------------------------
 */

static void free_core(cw__core *core, const cw_net_error *why)
{
    cw__http2 *c = (cw__http2 *)core;
    cw__h2_fail(c, why->status != CW_NET_OK ? why->status : CW_NET_ERR_CLOSED, why->code,
                why->detail); /* nothing new begins */
    close_all(c, why);
    nghttp2_session_del(c->session);
    cw__h2_free_spares(c);
    cw__buf_free(&c->ahead);
    free(c);
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
    .shutdown = shut_down,
    .room = cw__h2_room,
    .request = cw__h2_request,
    .go_on = cw__h2_go_on,
    .send_continue = cw__h2_send_continue,
    .respond = cw__h2_respond,
    .write = cw__h2_write,
    .end = cw__h2_end,
    .unsent = cw__h2_unsent,
    .consume = cw__h2_consume,
    .reset = cw__h2_reset,
};

static nghttp2_option *make_options(const cw_http_limits *limits)
{
    nghttp2_option *o;
    if (nghttp2_option_new(&o) != 0) {
        return NULL;
    }
    nghttp2_option_set_no_auto_window_update(o, 1);
    nghttp2_option_set_no_closed_streams(o, 1);
    nghttp2_option_set_max_settings(o, MAX_SETTINGS);
    nghttp2_option_set_max_continuations(o, NGHTTP2_CONTINUATIONS);
    nghttp2_option_set_max_outbound_ack(o, limits->max_empty_frames);
    /* nghttp2 would count RST_STREAM for streams that are over, too, and not what it has to reset
     * itself: http2_flood.c does it. */
    nghttp2_option_set_stream_reset_rate_limit(o, UINT64_MAX, 0);
    for (unsigned type = FIRST_EXTENSION; type <= LAST_EXTENSION; type++) {
        nghttp2_option_set_user_recv_extension_type(o, (uint8_t)type); /* to be counted */
    }
    return o;
}

static int open_session(cw__http2 *c, nghttp2_mem *mem)
{
    nghttp2_session_callbacks *callbacks;
    if (nghttp2_session_callbacks_new(&callbacks) != 0) {
        return NGHTTP2_ERR_NOMEM;
    }
    cw__h2_set_receive_callbacks(callbacks);
    cw__h2_set_send_callbacks(callbacks);
    nghttp2_option *o = make_options(&c->limits);
    int st = NGHTTP2_ERR_NOMEM;
    if (o != NULL) {
        st = c->is_server ? nghttp2_session_server_new3(&c->session, callbacks, c, o, mem)
                          : nghttp2_session_client_new3(&c->session, callbacks, c, o, mem);
    }
    nghttp2_option_del(o);
    nghttp2_session_callbacks_del(callbacks);
    return st;
}

static uint32_t at_most(size_t n, uint32_t max)
{
    return n < max ? (uint32_t)n : max;
}

static int submit_settings(cw__http2 *c)
{
    const cw_http_limits *l = &c->limits;
    nghttp2_settings_entry entries[] = {
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, at_most(l->stream_window, INT32_MAX)},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, at_most(l->max_header_bytes, UINT32_MAX)},
        {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
        {0, 0}};
    size_t n = 3;
    if (c->is_server) {
        entries[2].settings_id = NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS;
        entries[2].value = at_most(l->max_streams, INT32_MAX);
        /* RFC 9218 in place of the old tree: cheaper, and nothing for a peer to grow. */
        entries[3].settings_id = NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES;
        entries[3].value = 1;
        n = 4;
    }
    int st = nghttp2_submit_settings(c->session, NGHTTP2_FLAG_NONE, entries, n);
    return st != 0 ? st
                   : nghttp2_session_set_local_window_size(
                         c->session, NGHTTP2_FLAG_NONE, 0,
                         (int32_t)at_most(l->connection_window, INT32_MAX));
}

cw__core *cw__http2_open_with(bool is_server, size_t max_in_flight, const cw_http_limits *limits,
                              uint64_t (*now_ms)(void *ctx), const cw__core_events *events,
                              void *ctx, nghttp2_mem *mem)
{
    cw__http2 *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return NULL;
    }
    c->base = (cw__core){.ops = &ops, .events = events, .ctx = ctx, .version = CW_HTTP_2};
    c->is_server = is_server;
    c->max_in_flight = max_in_flight;
    c->limits = *limits;
    c->now_ms = now_ms;
    c->peer_max = PEER_MAX_AT_FIRST;
    cw__h2_bucket_init(&c->resets, limits->max_resets, limits->resets_per_second, now_ms(ctx));
    if (open_session(c, mem) != 0) {
        free(c);
        return NULL;
    }
    if (submit_settings(c) != 0) {
        nghttp2_session_del(c->session);
        free(c);
        return NULL;
    }
    return &c->base;
}

cw__core *cw__http2_open(bool is_server, size_t max_in_flight, const cw_http_limits *limits,
                         uint64_t (*now_ms)(void *ctx), const cw__core_events *events, void *ctx)
{
    return cw__http2_open_with(is_server, max_in_flight, limits, now_ms, events, ctx, NULL);
}

void cw__http2_late_answer(cw__core *core)
{
    cw__http2 *c = (cw__http2 *)core;
    c->running -= c->running > 0;
}

bool cw__http2_is_leaving(const cw__core *core)
{
    const cw__http2 *c = (const cw__http2 *)core;
    return c->is_draining || c->goaway_received || c->peer_ended || c->ids_are_used_up ||
           cw__h2_has_failed(c);
}

bool cw__http2_is_ready(const cw__core *core)
{
    return ((const cw__http2 *)core)->is_ready;
}
