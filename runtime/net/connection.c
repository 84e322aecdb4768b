/* SPDX-License-Identifier: MIT */
/* A connection's life on its socket: open, read, feed, flush, end. */
#include "connection.h"

#include <stdlib.h>

#include "http1.h"
#include "http2.h"
#include "tcp_info.h"

enum {
    BATCH = 65536, /* bytes of one write, about */
    BATCHES = 2,   /* of one connection at a time: others want their turn */
    KEPT_PENDING = 16384,
    KEPT_BATCH = 4 * BATCH /* a core may hand over the buffer of a large body */
};

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf);
static void read_or_pause(cw__connection *c, bool wanted);

/* ---- beginning and end ------------------------------------------------------------------------
 */

static cw__connection *make(cw__pool *p, cw_net_error *e)
{
    cw__connection *c = calloc(1, sizeof *c);
    int status = c != NULL ? uv_tcp_init(p->o.loop, &c->tcp) : UV_ENOMEM;
    if (status < 0) {
        free(c);
        cw_net_error_set(e, status == UV_ENOMEM ? CW_NET_ERR_MEMORY : CW_NET_ERR_IO, status, "%s",
                         uv_strerror(status));
        return NULL;
    }
    c->pool = p;
    c->tcp.data = c;
    c->since_ms = uv_now(p->o.loop);
    cw__pool_add(p, c);
    return c;
}

static void count_open(cw__connection *c)
{
    c->is_counted = true;
    c->pool->counters.connections++;
    c->pool->counters.connections_open++;
}

static void on_handle_closed(uv_handle_t *handle)
{
    cw__connection *c = handle->data;
    cw__pool *p = c->pool;
    if (c->core != NULL) {
        cw_net_error why = c->why;
        if (why.status == CW_NET_OK && c->core->ops->streams(c->core) > 0) {
            cw_net_error_set(&why, CW_NET_ERR_CLOSED, 0, "%s", "");
        }
        c->core->ops->free(c->core, &why);
        c->core = NULL;
    }
    p->o.events->on_close(p->o.ctx, c, &c->why);
    if (c->tls != NULL) {
        cw__tls_close(c->tls);
    }
    cw__buf_free(&c->pending);
    cw__buf_free(&c->sniffed);
    cw__pool_remove(p, c);
    free(c);
    cw__pool_handle_closed(p);
}

void cw__connection_close(cw__connection *c, const cw_net_error *why)
{
    if (c->state == CW__CLOSING) {
        return;
    }
    cw__pool *p = c->pool;
    if (c->why.status == CW_NET_OK && why != NULL) {
        c->why = *why;
    }
    if (c->tls != NULL && c->core == NULL && c->why.status != CW_NET_OK) {
        p->counters.handshakes_failed++;
    }
    if (c->is_counted) {
        uv_os_fd_t fd;
        p->counters.connections_open--;
        if (uv_fileno((uv_handle_t *)&c->tcp, &fd) == 0) {
            cw__tcp_info_add(fd, &p->counters);
        }
    }
    c->state = CW__CLOSING;
    uv_close((uv_handle_t *)&c->tcp, on_handle_closed);
}

void cw__connection_fail(cw__connection *c, cw_net_status st, int code, const char *detail)
{
    cw_net_error e;
    cw_net_error_set(&e, st, code, "%s", detail);
    cw__connection_close(c, &e);
}

void cw__connection_shutdown(cw__connection *c)
{
    if (c->state == CW__OPEN) {
        c->core->ops->shutdown(c->core);
        cw__connection_touch(c);
    } else if (c->state < CW__OPEN) {
        cw__connection_fail(c, CW_NET_ERR_SHUTDOWN, 0, "before the connection was open");
    }
}

void cw__connection_touch(cw__connection *c)
{
    if (!c->is_dirty && c->state != CW__CLOSING) {
        c->is_dirty = true;
        c->next_dirty = c->pool->dirty;
        c->pool->dirty = c;
    }
}

/* Is there nobody whom the end of this connection could concern? A client has every answer, though
 * a body that was refused may not be written to its end yet; a server has written all of its own.
 */
static bool is_nobodys(const cw__connection *c)
{
    const cw__core_ops *ops = c->core != NULL ? c->core->ops : NULL;
    if (ops == NULL || c->pool->o.is_server) {
        return ops != NULL && ops->is_done(c->core) && !c->is_writing;
    }
    return ops->is_done(c->core) || (ops->streams(c->core) == 0 && ops->room(c->core) == 0);
}

/* The peer has reset, or the network has failed: nothing more will be read. */
static void fail_read(cw__connection *c, int status)
{
    if (is_nobodys(c)) {
        cw__connection_close(c, NULL); /* it was to end anyway */
    } else {
        cw__connection_fail(c, CW_NET_ERR_CLOSED, status, uv_strerror(status));
    }
}

/* ---- writing ----------------------------------------------------------------------------------
 */

/*
 * The peer takes no more. It may have said why before: a server that refuses a large body answers
 * and closes while the client still sends (RFC 9112, 9.5), so a client goes on reading.
 */
static void fail_write(cw__connection *c, int status)
{
    if (c->pool->o.is_server) {
        cw__connection_fail(c, CW_NET_ERR_CLOSED, status, uv_strerror(status));
        return;
    }
    if (c->read_ended) {
        fail_read(c, status);
        return;
    }
    c->is_deaf = true;
    c->since_ms = uv_now(c->pool->o.loop);
    read_or_pause(c, true);
    cw__connection_touch(c);
}

static void on_written(uv_write_t *req, int status)
{
    cw__connection *c = req->handle->data;
    size_t len = cw__buf_len(&c->pending);
    c->is_writing = c->was_writing = false;
    cw__buf_trim(&c->pending, KEPT_PENDING);
    if (c->state == CW__CLOSING) {
        return;
    }
    if (status < 0) {
        fail_write(c, status);
        return;
    }
    c->pool->counters.writes++;
    c->pool->counters.bytes_out += len;
    cw__connection_touch(c);
}

/* As much as the socket takes now; the rest, with the buffer, goes to pending. */
static void send_bytes(cw__connection *c, cw__buf *out)
{
    cw_bytes bytes = cw__buf_bytes(out);
    uv_buf_t buf = {.base = (char *)out->data + out->start, .len = bytes.len};
    int n = uv_try_write((uv_stream_t *)&c->tcp, &buf, 1);
    if (n < 0 && n != UV_EAGAIN) {
        fail_write(c, n);
        return;
    }
    if (n > 0) {
        c->pool->counters.writes++;
        c->pool->counters.bytes_out += (uint64_t)n;
        cw__buf_take(out, (size_t)n);
    }
    if (cw__buf_len(out) == 0) {
        return;
    }
    cw__buf_free(&c->pending);
    c->pending = *out;
    *out = (cw__buf){.data = NULL};
    buf.base = (char *)c->pending.data + c->pending.start;
    buf.len = cw__buf_len(&c->pending);
    c->is_writing = true;
    int status = uv_write(&c->req.write, (uv_stream_t *)&c->tcp, &buf, 1, on_written);
    if (status < 0) {
        c->is_writing = false;
        fail_write(c, status);
    }
}

/* One batch: what the core has, through TLS. False: there was nothing, or the connection closes. */
static bool send_batch(cw__connection *c)
{
    cw__pool *p = c->pool;
    cw_net_error e;
    cw__buf *out = &p->out;
    cw__buf_clear(out);
    if (c->core != NULL && c->core->ops->wants_write(c->core) &&
        c->core->ops->drain(c->core, out, BATCH, &e) != CW_NET_OK) {
        cw__connection_close(c, &e);
        return false;
    }
    if (c->tls != NULL) {
        if (cw__buf_len(out) > 0 && cw__tls_write(c->tls, cw__buf_bytes(out), &e) != CW_NET_OK) {
            cw__connection_close(c, &e);
            return false;
        }
        out = &p->records;
        cw__buf_clear(out);
        if (!cw__tls_take(c->tls, out)) {
            cw__connection_fail(c, CW_NET_ERR_MEMORY, 0, "TLS records");
            return false;
        }
    }
    if (cw__buf_len(out) == 0) {
        return false;
    }
    if (!c->is_deaf) {
        send_bytes(c, out);
    }
    cw__buf_trim(&p->out, KEPT_BATCH);
    return c->state != CW__CLOSING;
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    /* One read is used up before the next begins, so all connections share the buffer. */
    cw__connection *c = handle->data;
    (void)suggested;
    *buf = uv_buf_init((char *)c->pool->read.data, (unsigned)c->pool->read.cap);
}

static void read_or_pause(cw__connection *c, bool wanted)
{
    if (c->read_ended || wanted == c->is_reading) {
        return;
    }
    c->is_reading = wanted;
    if (!wanted) {
        uv_read_stop((uv_stream_t *)&c->tcp);
        return;
    }
    int status = uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read);
    if (status < 0) {
        cw__connection_fail(c, CW_NET_ERR_IO, status, uv_strerror(status));
    }
}

static void on_shut(uv_shutdown_t *req, int status)
{
    (void)req; /* whether it worked is seen by the peer's end, or by time */
    (void)status;
}

/* Everything is said. A server waits for the peer's end, or the peer might lose our last bytes. */
static void end(cw__connection *c)
{
    if (c->tls != NULL && !c->is_ended) {
        c->is_ended = true;
        cw__tls_end(c->tls);
        send_batch(c);
        if (c->is_writing || c->state == CW__CLOSING) {
            return; /* the flush after it comes here again */
        }
    }
    if (!c->pool->o.is_server || c->read_ended) {
        cw__connection_close(c, NULL);
        return;
    }
    c->state = CW__LINGERING;
    c->since_ms = c->heard_ms = uv_now(c->pool->o.loop);
    read_or_pause(c, true);
    if (c->state == CW__LINGERING &&
        uv_shutdown(&c->req.shutdown, (uv_stream_t *)&c->tcp, on_shut) < 0) {
        cw__connection_close(c, NULL);
    }
}

void cw__connection_flush(cw__connection *c)
{
    if (c->state != CW__OPENING && c->state != CW__OPEN) {
        return;
    }
    unsigned batches = 0;
    while (!c->is_writing && batches < BATCHES && send_batch(c)) {
        batches++;
    }
    if (c->state == CW__CLOSING) {
        return;
    }
    if (batches == BATCHES) {
        cw__connection_touch(c);
    }
    if (c->core == NULL) {
        return;
    }
    if (!c->is_writing && (c->has_failed || c->core->ops->is_done(c->core)) &&
        !c->core->ops->wants_write(c->core)) {
        end(c);
        return;
    }
    read_or_pause(c, c->is_deaf || (!c->has_failed && c->core->ops->wants_read(c->core)));
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static uint64_t now_of(void *ctx)
{
    const cw__connection *c = ctx;
    return uv_now(c->pool->o.loop);
}

static bool open_core(cw__connection *c, cw_http_version version)
{
    const cw__pool *p = c->pool;
    c->core = version == CW_HTTP_2
                  ? cw__http2_open(p->o.is_server, p->o.max_in_flight, &p->o.limits, now_of,
                                   &p->events, c)
                  : cw__http1_open(p->o.is_server, p->o.tls != NULL ? "https" : "http",
                                   &p->o.limits, &p->events, c);
    if (c->core == NULL) {
        cw__connection_fail(c, CW_NET_ERR_MEMORY, 0, "connection");
        return false;
    }
    c->state = CW__OPEN;
    c->since_ms = uv_now(p->o.loop);
    p->o.events->on_open(p->o.ctx, c);
    cw__connection_touch(c);
    return c->state == CW__OPEN;
}

static void feed_core(cw__connection *c, cw_bytes in)
{
    cw_net_error e;
    if (in.len > 0 && !c->has_failed && c->core->ops->feed(c->core, in, &e) != CW_NET_OK) {
        c->has_failed = true;
        c->why = e;
    }
    cw__connection_touch(c);
}

/* Server, plain: is this the preface of HTTP/2 (RFC 9113, 3.4), or HTTP/1? */
static void sniff(cw__connection *c, cw_bytes in)
{
    size_t had = cw__buf_len(&c->sniffed);
    size_t wanted = CW__HTTP2_PREFACE_LEN - had;
    size_t n = in.len < wanted ? in.len : wanted;
    static const char preface[] = CW__HTTP2_PREFACE;
    bool matches = memcmp(in.data, &preface[had], n) == 0;
    if (matches && n < wanted) {
        if (!cw__buf_append_bytes(&c->sniffed, in)) {
            cw__connection_fail(c, CW_NET_ERR_MEMORY, 0, "connection");
        }
        return;
    }
    if (!open_core(c, matches ? CW_HTTP_2 : CW_HTTP_1_1)) {
        return;
    }
    if (had > 0) {
        feed_core(c, cw__buf_bytes(&c->sniffed));
        cw__buf_free(&c->sniffed);
    }
    feed_core(c, in);
}

static void fail_tls(cw__connection *c, const cw_net_error *e)
{
    cw__buf *alert = &c->pool->records;
    if (c->why.status == CW_NET_OK) {
        c->why = *e; /* comes before what sending may say */
    }
    cw__buf_clear(alert);
    if (!c->is_writing && !c->is_deaf && cw__tls_take(c->tls, alert) && cw__buf_len(alert) > 0) {
        send_bytes(c, alert); /* as far as the socket takes it */
    }
    cw__connection_close(c, e);
}

static bool open_after_handshake(cw__connection *c)
{
    cw_http_version version = cw__tls_alpn(c->tls);
    if (cw__tls_was_resumed(c->tls)) {
        c->pool->counters.handshakes_resumed++;
    } else {
        c->pool->counters.handshakes_full++;
    }
    return open_core(c, version == CW_HTTP_2 ? CW_HTTP_2 : CW_HTTP_1_1);
}

static void on_end(cw__connection *c);

static void feed_tls(cw__connection *c, cw_bytes in)
{
    cw_net_error e;
    cw__buf *plain = &c->pool->plain;
    cw__buf_clear(plain);
    cw_net_status st = cw__tls_feed(c->tls, in, plain, &e);
    if (c->core == NULL && st == CW_NET_OK && cw__tls_is_open(c->tls) && !open_after_handshake(c)) {
        return;
    }
    if (c->core != NULL) {
        feed_core(c, cw__buf_bytes(plain));
    }
    if (st != CW_NET_OK) {
        fail_tls(c, &e);
    } else if (cw__tls_peer_ended(c->tls) && c->state != CW__CLOSING && !c->read_ended) {
        read_or_pause(c, false);
        on_end(c);
    } else {
        cw__connection_touch(c); /* handshake records */
    }
}

/* The peer has sent its last byte. */
static void on_end(cw__connection *c)
{
    cw_net_error e;
    c->read_ended = true;
    c->is_reading = false;
    if (c->state == CW__LINGERING) {
        cw__connection_close(c, NULL);
        return;
    }
    if (c->core == NULL) {
        /* Connecting and leaving is no error: health checks do it. */
        bool is_fine = c->pool->o.is_server && !c->has_read;
        cw__connection_fail(c, is_fine ? CW_NET_OK : CW_NET_ERR_CLOSED, 0,
                            "before the first message");
        return;
    }
    if (c->tls != NULL && !cw__tls_peer_ended(c->tls)) {
        /* RFC 8446, 6.1: without close_notify the data may have been cut off by anybody. */
        if (c->core->ops->streams(c->core) > 0) {
            cw__connection_fail(c, CW_NET_ERR_CLOSED, 0, "TLS ended without close_notify");
            return;
        }
    }
    if (!c->has_failed && c->core->ops->feed_end(c->core, &e) != CW_NET_OK) {
        c->has_failed = true;
        c->why = e;
    }
    cw__connection_touch(c);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    cw__connection *c = stream->data;
    if (n == 0 || c->state == CW__CLOSING) {
        return;
    }
    if (n == UV_EOF) {
        on_end(c);
        return;
    }
    if (n < 0) {
        fail_read(c, (int)n);
        return;
    }
    c->has_read = true;
    c->pool->counters.reads++;
    c->pool->counters.bytes_in += (uint64_t)n;
    cw_bytes in = cw_bytes_of(buf->base, (size_t)n);
    if (c->state == CW__LINGERING) {
        c->heard_ms = uv_now(c->pool->o.loop); /* and thrown away */
    } else if (c->tls != NULL) {
        feed_tls(c, in);
    } else if (c->core == NULL) {
        sniff(c, in);
    } else {
        feed_core(c, in);
    }
}

/* ---- the first steps --------------------------------------------------------------------------
 */

/* The TCP connection is there. */
static void start(cw__connection *c, bool is_server)
{
    cw__pool *p = c->pool;
    cw_net_error e;
    count_open(c);
    uv_tcp_nodelay(&c->tcp, 1); /* batches are gathered here, not by the kernel */
    c->state = CW__OPENING;
    c->since_ms = uv_now(p->o.loop);
    if (p->o.tls != NULL) {
        c->tls = cw__tls_open(p->o.tls, p->o.host, p->o.version, &e);
        if (c->tls == NULL || (!is_server && cw__tls_start(c->tls, &e) != CW_NET_OK)) {
            cw__connection_close(c, &e);
            return;
        }
        cw__connection_touch(c);
    } else if (!is_server && !open_core(c, p->o.version)) {
        return;
    }
    read_or_pause(c, true);
}

cw__connection *cw__connection_accept(cw__pool *p, uv_stream_t *listener, cw_net_error *e)
{
    cw__connection *c = make(p, e);
    if (c == NULL) {
        return NULL;
    }
    int status = uv_accept(listener, (uv_stream_t *)&c->tcp);
    if (status < 0) {
        cw_net_error_set(e, CW_NET_ERR_IO, status, "accept: %s", uv_strerror(status));
        cw__connection_close(c, e);
        return NULL;
    }
    start(c, true);
    return c;
}

static void on_connected(uv_connect_t *req, int status)
{
    cw__connection *c = req->handle->data;
    if (c->state == CW__CLOSING) {
        return;
    }
    if (status < 0) {
        cw__connection_fail(c, CW_NET_ERR_CONNECT, status, uv_strerror(status));
        return;
    }
    start(c, false);
}

cw__connection *cw__connection_connect(cw__pool *p, const struct sockaddr *address, cw_net_error *e)
{
    cw__connection *c = make(p, e);
    if (c == NULL) {
        return NULL;
    }
    int status = uv_tcp_connect(&c->req.connect, &c->tcp, address, on_connected);
    if (status < 0) {
        cw__connection_fail(c, CW_NET_ERR_CONNECT, status, uv_strerror(status));
    }
    return c;
}
