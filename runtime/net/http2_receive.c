/* SPDX-License-Identifier: MIT */
/* What arrives: nghttp2's callbacks become events. */
#include "http2_internal.h"
#include "target.h"

enum { FAR = 4 }; /* a header section so many times larger than the limit is not answered */

/* What a callback returns: 0, or nghttp2 stops since the connection has failed. */
static int verdict(const cw__http2 *c)
{
    return cw__h2_has_failed(c) ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
}

/* ---- fields -----------------------------------------------------------------------------------
 */

static cw_str str_of(nghttp2_rcbuf *buf)
{
    nghttp2_vec v = nghttp2_rcbuf_get_buf(buf);
    return cw_str_of((const char *)v.base, v.len);
}

static bool is(cw_str s, const char *text, size_t len)
{
    return s.len == len && memcmp(s.data, text, len) == 0;
}
#define IS(s, literal) is(s, literal, sizeof(literal) - 1)

/* nghttp2 has seen to it that names are in lower case. */
static bool add_field(cw__fields *f, cw_str name, cw_str value)
{
    uint8_t *to = cw__fields_begin(f) ? cw__buf_reserve(&f->text, name.len + value.len) : NULL;
    if (to == NULL) {
        return false;
    }
    cw__field_ref *ref = &f->refs[f->len - 1];
    memcpy(to, name.data, name.len);
    memcpy(to + name.len, value.data, value.len); /* never NULL: nghttp2 ends it with a NUL */
    cw__buf_added(&f->text, name.len + value.len);
    ref->name_len = (uint32_t)name.len;
    ref->value = ref->name + (uint32_t)name.len;
    ref->value_len = (uint32_t)value.len;
    f->size += name.len + value.len;
    return true;
}

static bool keep_text(cw__fields *f, cw_str value, cw__h2_text *to)
{
    to->at = cw__fields_text(f, value);
    to->len = value.len;
    return to->at != SIZE_MAX;
}

static bool keep_pseudo(cw__h2_stream *s, cw_str name, cw_str value)
{
    /* nghttp2 lets no others through, none of them twice, and :status is three digits. */
    if (IS(name, ":method")) {
        return keep_text(&s->fields, value, &s->method);
    }
    if (IS(name, ":path")) {
        return keep_text(&s->fields, value, &s->path);
    }
    if (IS(name, ":scheme")) {
        return keep_text(&s->fields, value, &s->scheme);
    }
    if (IS(name, ":authority")) {
        return keep_text(&s->fields, value, &s->authority);
    }
    s->base.head.status = (unsigned)(value.data[0] - '0') * 100 +
                          (unsigned)(value.data[1] - '0') * 10 + (unsigned)(value.data[2] - '0');
    return true;
}

static bool keep_field(const cw__http2 *c, cw__h2_stream *s, cw_str name, cw_str value)
{
    if (s->base.head_seen) {
        return !cw__may_trail(name) || add_field(&s->trailers, name, value);
    }
    if (name.data[0] == ':') {
        return keep_pseudo(s, name, value);
    }
    if (c->is_server) {
        if (IS(name, "host")) {
            return keep_text(&s->fields, value, &s->host);
        }
        if (IS(name, "expect")) {
            s->expects = s->expects || cw__name_is(value, "100-continue");
        } else if (IS(name, "priority")) {
            s->has_priority = true;
        } else if (IS(name, "cookie")) {
            s->cookies++;
        }
    }
    return IS(name, "te") || add_field(&s->fields, name, value);
}

/* The header section is larger than the limit: not kept any more; far beyond, or where there is
 * nobody to answer, the stream ends. */
static int cut_off(cw__http2 *c, cw__h2_stream *s)
{
    bool is_far = c->block_size / FAR > c->limits.max_header_bytes ||
                  c->block_fields / FAR > c->limits.max_header_fields;
    if (s->stage == CW__H2_HEAD && !is_far) {
        s->too_large = true;
        return 0;
    }
    cw_net_error e;
    cw_net_error_set(&e, CW_NET_ERR_HEADER_LIMIT, NGHTTP2_ENHANCE_YOUR_CALM, "%s",
                     s->base.head_seen ? "trailers" : "head");
    cw__h2_give_up(s, &e);
    return cw__h2_has_failed(c) ? NGHTTP2_ERR_CALLBACK_FAILURE
                                : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, nghttp2_rcbuf *name_buf,
                     nghttp2_rcbuf *value_buf, uint8_t flags, void *user)
{
    cw__http2 *c = user;
    cw__h2_stream *s = c->current;
    (void)session;
    (void)frame;
    (void)flags;
    if (s == NULL) {
        return 0;
    }
    cw_str name = str_of(name_buf);
    cw_str value = str_of(value_buf);
    c->block_size += name.len + value.len + 32; /* RFC 9113, 6.5.2 */
    c->block_fields++;
    if (c->block_size > c->limits.max_header_bytes ||
        c->block_fields > c->limits.max_header_fields) {
        return cut_off(c, s);
    }
    if (s->stage != CW__H2_MUTE && !keep_field(c, s, name, value)) {
        cw__h2_no_memory(c);
    }
    return verdict(c);
}

/* ---- heads ------------------------------------------------------------------------------------
 */

static cw_str text_of(const cw__h2_stream *s, cw__h2_text t)
{
    return t.len > 0 ? cw_str_of((const char *)s->fields.text.data + t.at, t.len)
                     : cw_str_of(NULL, 0);
}

static bool equal_hosts(cw_str a, cw_str b)
{
    if (a.len != b.len) {
        return false;
    }
    for (size_t i = 0; i < a.len; i++) {
        char x = a.data[i] >= 'A' && a.data[i] <= 'Z' ? (char)(a.data[i] | 0x20) : a.data[i];
        char y = b.data[i] >= 'A' && b.data[i] <= 'Z' ? (char)(b.data[i] | 0x20) : b.data[i];
        if (x != y) {
            return false;
        }
    }
    return true;
}

/* What nghttp2 leaves to be checked (RFC 9113, 8.3.1). NULL: fine. */
static const char *fault_of(const cw_http_head *h, cw_str host)
{
    if (host.len > 0 && !equal_hosts(host, h->authority)) {
        return ":authority and host differ";
    }
    if (!cw__is_authority(h->authority)) {
        return ":authority is no host";
    }
    bool is_form = h->path.data[0] == '/' || (IS(h->path, "*") && IS(h->method, "OPTIONS"));
    if (!is_form || !cw__is_target(h->path)) {
        return ":path is no path";
    }
    return NULL;
}

/* A request that is wrong in form: a stream error (RFC 9113, 8.1.1). */
static void malformed(cw__h2_stream *s, const char *what)
{
    cw_net_error e;
    cw_net_error_set(&e, CW_NET_ERR_PROTOCOL, NGHTTP2_PROTOCOL_ERROR, "%s", what);
    cw__h2_give_up(s, &e);
}

static void refuse(cw__h2_stream *s, unsigned status, cw_net_status st, const char *what)
{
    if (!cw__h2_charge_reset(cw__h2_core(&s->base))) {
        return;
    }
    s->charged = true;
    cw_net_error_set(&s->why, st, (int)status, "%s", what);
    cw__h2_refuse(s, status);
}

static void end_request_head(cw__http2 *c, cw__h2_stream *s, bool is_last)
{
    if (s->too_large) {
        refuse(s, 431, CW_NET_ERR_HEADER_LIMIT, "head");
        return;
    }
    cw_http_head *h = &s->base.head;
    if (s->cookies > 1 && !cw__fields_join(&s->fields, CW_STR("cookie"), CW_STR("; "))) {
        cw__h2_no_memory(c);
        return;
    }
    h->fields = cw__fields_seal(&s->fields);
    h->version = CW_HTTP_2;
    h->method = text_of(s, s->method);
    h->scheme = text_of(s, s->scheme);
    h->path = text_of(s, s->path);
    h->authority = text_of(s, s->authority.len > 0 ? s->authority : s->host);
    if (IS(h->method, "CONNECT")) {
        refuse(s, 501, CW_NET_ERR_UNSUPPORTED, "CONNECT");
        return;
    }
    const char *fault = fault_of(h, text_of(s, s->host));
    if (fault != NULL) {
        malformed(s, fault);
        return;
    }
    s->stage = CW__H2_SHOWN;
    s->base.head_seen = true;
    s->base.expects_continue = s->expects && !is_last;
    c->base.events->on_head(c->base.ctx, &s->base);
}

static void end_response_head(cw__http2 *c, cw__h2_stream *s)
{
    cw_http_head *h = &s->base.head;
    if (h->status < 100) {
        malformed(s, ":status below 100");
        return;
    }
    if (h->status < 200) {
        if (h->status == 100) {
            c->base.events->on_continue(c->base.ctx, &s->base);
        }
        h->status = 0;
        return;
    }
    h->fields = cw__fields_seal(&s->fields);
    h->version = CW_HTTP_2;
    s->base.head_seen = true;
    s->base.progressed = true;
    cw__h2_brought(c);
    c->base.events->on_head(c->base.ctx, &s->base);
}

static void end_message(cw__http2 *c, cw__h2_stream *s)
{
    s->base.received = true;
    s->base.expects_continue = false;
    if (s->stage == CW__H2_SHOWN) {
        s->base.trailers = cw__fields_seal(&s->trailers);
        c->base.events->on_end(c->base.ctx, &s->base);
    }
}

static bool is_last(const nghttp2_frame *frame)
{
    return (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
}

static void end_headers(cw__http2 *c, const nghttp2_frame *frame)
{
    cw__h2_stream *s = c->current;
    c->current = NULL;
    if (s == NULL) {
        return;
    }
    if (!s->base.head_seen && s->stage != CW__H2_MUTE) {
        if (c->is_server) {
            end_request_head(c, s, is_last(frame));
        } else {
            end_response_head(c, s);
        }
    }
    if (is_last(frame) && s->stage != CW__H2_LEAVING) {
        end_message(c, s);
    }
}

/* ---- frames -----------------------------------------------------------------------------------
 */

/* Refused before the owner has seen anything of it: the client may send it again. */
static int refuse_stream(cw__http2 *c, int32_t id)
{
    cw__h2_rst(c, id, NGHTTP2_REFUSED_STREAM);
    if (c->goaway != CW__H2_GOAWAY_NAMED && !cw__h2_charge_reset(c)) {
        return NGHTTP2_ERR_CALLBACK_FAILURE;
    }
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

static int begin_request(cw__http2 *c, int32_t id)
{
    cw__h2_brought(c);
    c->current = NULL;
    if (c->goaway == CW__H2_GOAWAY_NAMED || c->streams + c->running >= c->limits.max_running) {
        return refuse_stream(c, id);
    }
    cw__h2_stream *s = cw__h2_take(c, id);
    if (s == NULL) {
        cw__h2_no_memory(c);
        return NGHTTP2_ERR_CALLBACK_FAILURE;
    }
    (void)nghttp2_session_set_stream_user_data(c->session, id, s); /* the stream exists */
    s->stage = CW__H2_HEAD;
    c->current = c->last = s;
    c->base.events->on_stream(c->base.ctx, &s->base);
    return verdict(c);
}

static int on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
    cw__http2 *c = user;
    (void)session;
    c->block_size = c->block_fields = 0;
    if (c->is_server && frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
        return begin_request(c, frame->hd.stream_id);
    }
    c->current = cw__h2_find(c, frame->hd.stream_id);
    if (c->current != NULL && !c->current->base.head_seen) {
        cw__fields_clear(&c->current->fields); /* of an interim response */
    }
    return 0;
}

static int on_begin_frame(nghttp2_session *session, const nghttp2_frame_hd *hd, void *user)
{
    cw__http2 *c = user;
    (void)session;
    if (hd->type == NGHTTP2_PUSH_PROMISE && !c->is_server) {
        cw__h2_fail(c, CW_NET_ERR_PROTOCOL, NGHTTP2_PROTOCOL_ERROR, "PUSH_PROMISE: push disabled");
    } else {
        (void)cw__h2_count_frame(c, hd->type);
    }
    return verdict(c);
}

static int on_data_chunk(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *data,
                         size_t len, void *user)
{
    cw__http2 *c = user;
    cw__h2_stream *s = cw__h2_find(c, id);
    (void)session;
    (void)flags;
    cw__h2_brought(c);
    if (s == NULL || s->stage != CW__H2_SHOWN) {
        cw__h2_return_bytes(c, len);
    } else {
        s->base.progressed = true;
        s->unconsumed += len;
        c->base.events->on_body(c->base.ctx, &s->base, cw_bytes_of(data, len));
    }
    return verdict(c);
}

static void on_settings(cw__http2 *c, const nghttp2_frame *frame)
{
    if ((frame->hd.flags & NGHTTP2_FLAG_ACK) != 0) {
        return;
    }
    c->queued++; /* nghttp2's ACK */
    c->is_ready = true;
    c->peer_max =
        nghttp2_session_get_remote_settings(c->session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
    c->room_changed = true;
}

static void on_ping(cw__http2 *c, const nghttp2_frame *frame)
{
    if ((frame->hd.flags & NGHTTP2_FLAG_ACK) == 0) {
        c->queued++; /* nghttp2's ACK */
    } else if (c->goaway == CW__H2_GOAWAY_NOTICE) {
        c->goaway = CW__H2_GOAWAY_DUE; /* we send no other PING */
    }
}

static void on_rst(cw__http2 *c, const nghttp2_frame *frame)
{
    cw__h2_stream *s = cw__h2_find(c, frame->hd.stream_id);
    if (s == NULL) {
        return; /* a stream that is over costs nobody anything: it counts as an empty frame */
    }
    s->reset_seen = true;
    if (!s->charged) {
        s->charged = true;
        (void)cw__h2_charge_reset(c);
    }
}

static int on_frame_recv(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
    cw__http2 *c = user;
    cw__h2_stream *s;
    (void)session;
    switch (frame->hd.type) {
    case NGHTTP2_HEADERS:
        end_headers(c, frame);
        break;
    case NGHTTP2_DATA:
        s = is_last(frame) ? cw__h2_find(c, frame->hd.stream_id) : NULL;
        if (s != NULL) {
            end_message(c, s);
        }
        break;
    case NGHTTP2_RST_STREAM:
        on_rst(c, frame);
        break;
    case NGHTTP2_SETTINGS:
        on_settings(c, frame);
        break;
    case NGHTTP2_PING:
        on_ping(c, frame);
        break;
    case NGHTTP2_WINDOW_UPDATE:
        cw__h2_count_window(c, frame->window_update.window_size_increment);
        break;
    case NGHTTP2_GOAWAY:
        c->goaway_received = true;
        c->goaway_code = frame->goaway.error_code;
        c->room_changed = true;
        break;
    default:
        break;
    }
    return verdict(c);
}

/* nghttp2 has found a frame wrong and resets its stream, or ends the connection. */
static int on_invalid_frame(nghttp2_session *session, const nghttp2_frame *frame, int error,
                            void *user)
{
    cw__http2 *c = user;
    cw__h2_stream *s = cw__h2_find(c, frame->hd.stream_id);
    (void)session;
    c->current = NULL;
    if (s != NULL) {
        s->fault = nghttp2_strerror(error);
        if (s->charged) {
            return 0;
        }
        s->charged = true;
    }
    return cw__h2_charge_reset(c) ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE;
}

/* Unknown frames are counted, and thrown away. */
static int on_extension(nghttp2_session *session, void **payload, const nghttp2_frame_hd *hd,
                        void *user)
{
    (void)session;
    (void)payload;
    (void)hd;
    (void)user;
    return NGHTTP2_ERR_CANCEL;
}

/* ---- the end of a stream ----------------------------------------------------------------------
 */

static void set_why(const cw__http2 *c, cw__h2_stream *s, uint32_t code)
{
    /* An answer may be complete before the request is (RFC 9113, 8.1): it counts all the same. */
    bool is_whole = c->is_server ? s->base.sent && !s->reset_seen : s->base.received;
    if (is_whole) {
        s->why.status = CW_NET_OK;
        s->why.code = 0;
        s->why.detail[0] = '\0';
        return;
    }
    cw_net_status st = code == NGHTTP2_REFUSED_STREAM ? CW_NET_ERR_REFUSED
                       : s->reset_seen                ? CW_NET_ERR_RESET
                                                      : CW_NET_ERR_PROTOCOL;
    cw_net_error_set(&s->why, st, (int)code, "%s",
                     s->fault != NULL ? s->fault : nghttp2_http2_strerror(code));
}

static int on_stream_close(nghttp2_session *session, int32_t id, uint32_t code, void *user)
{
    cw__http2 *c = user;
    cw__h2_stream *s = cw__h2_find(c, id);
    (void)session;
    if (s != NULL) {
        if (s->stage != CW__H2_MUTE) {
            set_why(c, s, code);
        }
        cw__h2_finish(s, &s->why);
    }
    return 0;
}

void cw__h2_set_receive_callbacks(nghttp2_session_callbacks *callbacks)
{
    nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, on_begin_frame);
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback2(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data_chunk);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame_recv);
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, on_invalid_frame);
    nghttp2_session_callbacks_set_unpack_extension_callback(callbacks, on_extension);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
}
