/* SPDX-License-Identifier: MIT */
#include "h2_client.h"

#include <stdlib.h>
#include <string.h>

static void add(h2_text *t, const void *data, size_t n)
{
    if (t->len + n + 1 > t->cap) {
        t->cap = 2 * (t->len + n + 1);
        t->data = realloc(t->data, t->cap);
        if (t->data == NULL) {
            abort();
        }
    }
    memcpy(t->data + t->len, data, n);
    t->len += n;
    t->data[t->len] = '\0';
}

static h2_stream *stream_of(h2_client *c, int32_t id)
{
    return nghttp2_session_get_stream_user_data(c->session, id);
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                     size_t name_len, const uint8_t *value, size_t value_len, uint8_t flags,
                     void *ctx)
{
    h2_stream *s = stream_of(ctx, frame->hd.stream_id);
    (void)session;
    (void)flags;
    if (s == NULL) {
        return 0;
    }
    if (name_len == 7 && memcmp(name, ":status", 7) == 0) {
        s->status = atoi((const char *)value);
        s->head.len = 0; /* an interim head makes room for the final one */
    }
    h2_text *to = s->has_head ? &s->trailers : &s->head;
    add(to, name, name_len);
    add(to, ": ", 2);
    add(to, value, value_len);
    add(to, "\n", 1);
    return 0;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *data,
                   size_t n, void *ctx)
{
    h2_client *c = ctx;
    h2_stream *s = stream_of(c, id);
    (void)flags;
    if (s != NULL) {
        add(&s->body, data, n);
    }
    if (!c->holds_window) {
        nghttp2_session_consume(session, id, n);
    }
    return 0;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *ctx)
{
    h2_client *c = ctx;
    (void)session;
    if (frame->hd.type == NGHTTP2_SETTINGS && (frame->hd.flags & NGHTTP2_FLAG_ACK) == 0) {
        c->has_settings = true;
    } else if (frame->hd.type == NGHTTP2_GOAWAY) {
        c->goaways++;
        c->goaway_last = frame->goaway.last_stream_id;
        c->goaway_error = frame->goaway.error_code;
    }
    h2_stream *s = frame->hd.stream_id != 0 ? stream_of(c, frame->hd.stream_id) : NULL;
    bool may_end = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    if (s != NULL && frame->hd.type == NGHTTP2_HEADERS && s->status >= 200) {
        s->has_head = true;
    }
    if (s != NULL && may_end && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
        s->is_ended = true;
    }
    return 0;
}

static int on_stream_close(nghttp2_session *session, int32_t id, uint32_t error, void *ctx)
{
    h2_stream *s = stream_of(ctx, id);
    (void)session;
    if (s != NULL) {
        s->is_closed = true;
        s->error = error;
    }
    return 0;
}

static bool open_session(h2_client *c)
{
    nghttp2_session_callbacks *callbacks;
    nghttp2_option *option;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
    nghttp2_option_new(&option);
    nghttp2_option_set_no_auto_window_update(option, 1);
    nghttp2_session_client_new2(&c->session, callbacks, c, option);
    nghttp2_option_del(option);
    nghttp2_session_callbacks_del(callbacks);
    c->streams = calloc(H2_MAX_STREAMS, sizeof(h2_stream *));
    nghttp2_submit_settings(c->session, NGHTTP2_FLAG_NONE, NULL, 0);
    return c->streams != NULL && h2_flush(c);
}

bool h2_open(h2_client *c, int port)
{
    *c = (h2_client){.n = 0};
    return raw_open(&c->raw, port) && open_session(c);
}

bool h2_open_tls(h2_client *c, int port)
{
    *c = (h2_client){.n = 0};
    return raw_open(&c->raw, port) && raw_start_tls(&c->raw, "\x02h2") && open_session(c);
}

void h2_close(h2_client *c)
{
    nghttp2_session_del(c->session);
    raw_close(&c->raw);
    for (size_t i = 0; i < c->n; i++) {
        free(c->streams[i]->head.data);
        free(c->streams[i]->body.data);
        free(c->streams[i]->trailers.data);
        free(c->streams[i]);
    }
    free(c->streams);
}

static nghttp2_nv pair(const char *name, const char *value)
{
    union {
        const char *in;
        uint8_t *out; /* nghttp2 does not write to it */
    } n = {.in = name}, v = {.in = value};
    return (nghttp2_nv){n.out, v.out, strlen(name), strlen(value), NGHTTP2_NV_FLAG_NONE};
}

static ssize_t give_body(nghttp2_session *session, int32_t id, uint8_t *buf, size_t length,
                         uint32_t *flags, nghttp2_data_source *source, void *ctx)
{
    h2_stream *s = source->ptr;
    (void)ctx;
    size_t left = s->up_len - s->up_at;
    size_t n = left < length ? left : length;
    if (n > 0) {
        memcpy(buf, s->up + s->up_at, n);
    }
    s->up_at += n;
    if (s->never_ends && n == 0) {
        return NGHTTP2_ERR_DEFERRED;
    }
    if (s->up_at == s->up_len && !s->never_ends) {
        *flags |= NGHTTP2_DATA_FLAG_EOF;
        if (s->has_trailers) {
            const nghttp2_nv trailer = pair("x-t", "up");
            *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
            nghttp2_submit_trailer(session, id, &trailer, 1);
        }
    }
    return (ssize_t)n;
}

h2_stream *h2_request_with(h2_client *c, const char *method, const char *path,
                           const char *const *fields, const void *up, size_t up_len,
                           bool has_trailers)
{
    h2_stream *s = calloc(1, sizeof *s);
    if (s == NULL || c->n == H2_MAX_STREAMS) {
        abort();
    }
    s->up = up;
    s->up_len = up_len;
    s->has_trailers = has_trailers;
    nghttp2_nv nv[32] = {pair(":method", method), pair(":scheme", "http"),
                         pair(":authority", "localhost"), pair(":path", path)};
    size_t n = 4;
    for (size_t i = 0; fields != NULL && fields[i] != NULL && n < 32; i += 2) {
        nv[n++] = pair(fields[i], fields[i + 1]);
    }
    const nghttp2_data_provider provider = {.source = {.ptr = s}, .read_callback = give_body};
    s->id = nghttp2_submit_request(c->session, NULL, nv, n, up != NULL ? &provider : NULL, s);
    if (s->id < 0) {
        free(s);
        return NULL;
    }
    c->streams[c->n++] = s;
    return s;
}

h2_stream *h2_request(h2_client *c, const char *method, const char *path, const void *up,
                      size_t up_len)
{
    return h2_request_with(c, method, path, NULL, up, up_len, false);
}

bool h2_flush(h2_client *c)
{
    char *all = NULL; /* one write, so that the server can read all of it at once */
    size_t len = 0;
    const uint8_t *data;
    ssize_t n;
    while ((n = nghttp2_session_mem_send(c->session, &data)) > 0) {
        all = realloc(all, len + (size_t)n);
        if (all == NULL) {
            abort();
        }
        memcpy(all + len, data, (size_t)n);
        len += (size_t)n;
    }
    bool is_sent = n == 0 && (len == 0 || raw_send(&c->raw, all, len));
    free(all);
    return is_sent;
}

bool h2_pump(h2_client *c, int timeout_ms)
{
    /* What cannot be sent any more does not matter: there may be something to read. */
    h2_flush(c);
    if (!raw_read(&c->raw, timeout_ms)) {
        return false;
    }
    ssize_t n = nghttp2_session_mem_recv(c->session, (const uint8_t *)c->raw.data, c->raw.len);
    c->raw.len = 0;
    h2_flush(c);
    return n >= 0;
}

bool h2_wait(h2_client *c, const h2_stream *s)
{
    while (!s->is_closed) {
        if (!h2_pump(c, RAW_WAIT_MS)) {
            return false;
        }
    }
    return true;
}

bool h2_wait_end(h2_client *c)
{
    while (h2_pump(c, RAW_WAIT_MS)) {
    }
    return c->raw.ended;
}

bool h2_has_line(const h2_text *text, const char *line)
{
    size_t n = strlen(line);
    for (const char *at = text->data; at != NULL && *at != '\0';) {
        const char *end = strchr(at, '\n');
        if ((size_t)(end - at) == n && memcmp(at, line, n) == 0) {
            return true;
        }
        at = end + 1;
    }
    return false;
}
