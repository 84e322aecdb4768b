/* SPDX-License-Identifier: MIT */
/* What is sent: heads, bodies, trailers; nghttp2's callbacks for it. */
#include <stdlib.h>

#include "http2_internal.h"

enum {
    FRAME = 16384,                         /* nghttp2's DATA frames are not larger */
    SECTION_MAX = 65536,                   /* nghttp2 takes no larger header section */
    FIELD_OVERHEAD = 12,                   /* in nghttp2's estimate */
    SECTION_OVERHEAD = 64,                 /* the same, and more than it needs */
    USUAL_FIELDS = 40,                     /* more need memory */
    PSEUDO_AND_OURS = 5,                   /* :method, :scheme, :authority, :path, content-length */
    NO_COPY = NGHTTP2_NV_FLAG_NO_COPY_NAME /* for constants */
};

/* ---- header sections --------------------------------------------------------------------------
 */

/* A header section in nghttp2's form; nghttp2 copies it when it is submitted. */
typedef struct section {
    nghttp2_nv *nv; /* usual, or malloc's */
    size_t len;
    size_t size;
    char number[24];
    nghttp2_nv usual[USUAL_FIELDS];
} section;

static bool section_open(section *h, size_t fields)
{
    h->nv = h->usual;
    h->len = 0;
    h->size = SECTION_OVERHEAD;
    if (fields > USUAL_FIELDS - PSEUDO_AND_OURS) {
        h->nv = calloc(fields + PSEUDO_AND_OURS, sizeof *h->nv);
    }
    return h->nv != NULL;
}

static void section_close(section *h)
{
    if (h->nv != h->usual) {
        free(h->nv);
    }
}

/* nghttp2's type is not const, though it changes nothing. */
static uint8_t *unconst(const char *s)
{
    return (uint8_t *)(uintptr_t)s;
}

static void section_add(section *h, cw_str name, cw_str value, uint8_t flags)
{
    h->nv[h->len++] = (nghttp2_nv){.name = unconst(name.data),
                                   .value = unconst(value.data),
                                   .namelen = name.len,
                                   .valuelen = value.len,
                                   .flags = flags};
    h->size += name.len + value.len + FIELD_OVERHEAD;
}

static void section_add_all(section *h, cw_http_fields fields)
{
    for (size_t i = 0; i < fields.len; i++) {
        section_add(h, fields.data[i].name, fields.data[i].value, NGHTTP2_NV_FLAG_NONE);
    }
}

static void section_add_length(section *h, size_t n)
{
    char *end = h->number + sizeof h->number;
    char *at = end;
    do {
        *--at = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    section_add(h, CW_STR("content-length"), cw_str_of(at, (size_t)(end - at)), NO_COPY);
}

static bool section_fits(const section *h)
{
    return h->size <= SECTION_MAX;
}

/* ---- bodies -----------------------------------------------------------------------------------
 */

/* The body is given out to its end: trailers follow it, or it ends the stream. */
static bool send_trailers(cw__http2 *c, cw__h2_stream *s)
{
    section h;
    if (!section_open(&h, s->own_trailers.len)) {
        return false;
    }
    section_add_all(&h, s->own_trailers);
    int st = nghttp2_submit_trailer(c->session, s->id, h.nv, h.len);
    c->queued += st == 0;
    section_close(&h);
    return st == 0;
}

static void tell_writable(cw__http2 *c, cw__h2_stream *s)
{
    if (s->above_water && cw__buf_len(&s->out) < CW__LOW_WATER) {
        s->above_water = false;
        c->base.events->on_writable(c->base.ctx, &s->base);
    }
}

static ssize_t read_body(nghttp2_session *session, int32_t id, uint8_t *to, size_t max,
                         uint32_t *flags, nghttp2_data_source *source, void *user)
{
    cw__http2 *c = user;
    cw__h2_stream *s = cw__h2_find(c, id);
    (void)session;
    (void)source;
    if (s == NULL) {
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    size_t n = cw__buf_len(&s->out) < max ? cw__buf_len(&s->out) : max;
    if (n > 0) {
        memcpy(to, s->out.data + s->out.start, n);
        cw__buf_take(&s->out, n);
        s->base.progressed = c->has_moved = true;
        tell_writable(c, s);
    }
    if (cw__buf_len(&s->out) > 0 || s->stage == CW__H2_LEAVING) {
        return (ssize_t)n;
    }
    if (n > 0) {
        cw__h2_brought(c); /* the peer let us finish: no dribble */
    }
    if (!s->ended) {
        s->deferred = n == 0;
        return s->deferred ? NGHTTP2_ERR_DEFERRED : (ssize_t)n;
    }
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (s->own_trailers.len > 0) {
        *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
        if (!send_trailers(c, s)) {
            cw__h2_no_memory(c);
        }
    }
    return (ssize_t)n;
}

static const nghttp2_data_provider body_provider = {.source = {.ptr = NULL},
                                                    .read_callback = read_body};

static void wake(cw__http2 *c, cw__h2_stream *s)
{
    if (s->deferred) {
        s->deferred = false;
        if (nghttp2_session_resume_data(c->session, s->id) != 0) {
            cw__h2_no_memory(c);
        }
    }
}

/* What the owner may add to its message. */
static cw_net_status may_add(const cw__h2_stream *s)
{
    if (s->stage == CW__H2_LEAVING) {
        return s->why.status;
    }
    return s->began && !s->ended ? CW_NET_OK : CW_NET_ERR_ARGUMENT;
}

static bool append(cw__h2_stream *s, cw_bytes piece)
{
    if (!s->no_body && !cw__buf_append_bytes(&s->out, piece)) {
        return false;
    }
    s->above_water = s->above_water || cw__buf_len(&s->out) >= CW__LOW_WATER;
    return true;
}

cw_net_status cw__h2_write(cw__stream *stream, cw_bytes piece)
{
    cw__h2_stream *s = (cw__h2_stream *)stream;
    cw_net_status st = may_add(s);
    if (st != CW_NET_OK) {
        return st;
    }
    if (!append(s, piece)) {
        return CW_NET_ERR_MEMORY;
    }
    if (piece.len > 0) {
        wake(cw__h2_core(stream), s);
    }
    return CW_NET_OK;
}

static cw_net_status keep_trailers(cw__h2_stream *s, cw_http_fields trailers)
{
    size_t size = SECTION_OVERHEAD;
    for (size_t i = 0; i < trailers.len; i++) {
        size += trailers.data[i].name.len + trailers.data[i].value.len + FIELD_OVERHEAD;
    }
    if (size > SECTION_MAX) {
        return CW_NET_ERR_ARGUMENT;
    }
    bool is_kept =
        trailers.len == 0 || cw__fields_keep(&s->out_trailers, trailers, &s->own_trailers);
    return is_kept ? CW_NET_OK : CW_NET_ERR_MEMORY;
}

cw_net_status cw__h2_end(cw__stream *stream, cw_http_fields trailers)
{
    cw__h2_stream *s = (cw__h2_stream *)stream;
    cw_net_status st = may_add(s);
    if (st == CW_NET_OK && !s->no_body) {
        st = keep_trailers(s, trailers);
    }
    if (st != CW_NET_OK) {
        return st;
    }
    s->ended = s->answered = true;
    wake(cw__h2_core(stream), s);
    return CW_NET_OK;
}

size_t cw__h2_unsent(const cw__stream *stream)
{
    return cw__buf_len(&((const cw__h2_stream *)stream)->out);
}

/* ---- responses --------------------------------------------------------------------------------
 */

static bool has_no_body(const cw__h2_stream *s, unsigned status)
{
    return status == 204 || status == 205 || status == 304 ||
           cw_str_equal(s->base.head.method, CW_STR("HEAD"));
}

/* Long responses share the connection frame by frame, if the client has not said otherwise:
 * nghttp2 would send one after the other (RFC 9218, 10). */
static void share(const cw__http2 *c, const cw__h2_stream *s)
{
    const nghttp2_extpri fair = {.urgency = NGHTTP2_EXTPRI_DEFAULT_URGENCY, .inc = 1};
    if (!s->has_priority) {
        (void)nghttp2_session_change_extpri_stream_priority(c->session, s->id, &fair, 0);
    }
}

static int submit_response(cw__http2 *c, cw__h2_stream *s, unsigned status, cw_http_fields fields,
                           const size_t *length, bool has_data)
{
    section h;
    if (!section_open(&h, fields.len)) {
        return NGHTTP2_ERR_NOMEM;
    }
    const char digits[3] = {(char)('0' + status / 100 % 10), (char)('0' + status / 10 % 10),
                            (char)('0' + status % 10)};
    section_add(&h, CW_STR(":status"), cw_str_of(digits, sizeof digits), NO_COPY);
    section_add_all(&h, fields);
    if (length != NULL) {
        section_add_length(&h, *length);
    }
    int st = section_fits(&h) ? nghttp2_submit_response(c->session, s->id, h.nv, h.len,
                                                        has_data ? &body_provider : NULL)
                              : NGHTTP2_ERR_INVALID_ARGUMENT;
    section_close(&h);
    c->queued += st == 0;
    return st;
}

static cw_net_status status_of(int st)
{
    return st == 0                              ? CW_NET_OK
           : st == NGHTTP2_ERR_INVALID_ARGUMENT ? CW_NET_ERR_ARGUMENT
                                                : CW_NET_ERR_MEMORY;
}

cw_net_status cw__h2_respond(cw__stream *stream, unsigned status, cw_http_fields fields,
                             cw_bytes body, bool end)
{
    cw__h2_stream *s = (cw__h2_stream *)stream;
    cw__http2 *c = cw__h2_core(stream);
    if (s->stage == CW__H2_LEAVING) {
        return s->why.status;
    }
    if (s->stage != CW__H2_SHOWN || s->began || status < 200 || status > 999) {
        return CW_NET_ERR_ARGUMENT;
    }
    s->no_body = has_no_body(s, status);
    if (status == 205) {
        body = cw_bytes_of(NULL, 0); /* RFC 9110, 15.3.6 */
    }
    if (!append(s, body)) {
        return CW_NET_ERR_MEMORY;
    }
    bool has_data = !s->no_body && (!end || body.len > 0);
    const size_t *length = end && status != 204 && status != 304 ? &body.len : NULL;
    int st = submit_response(c, s, status, fields, length, has_data);
    if (st != 0) {
        cw__buf_clear(&s->out);
        return status_of(st);
    }
    s->began = true;
    s->ended = s->answered = end;
    stream->expects_continue = false;
    if (has_data && (!end || body.len > FRAME)) {
        share(c, s);
    }
    return CW_NET_OK;
}

void cw__h2_refuse(cw__h2_stream *s, unsigned status)
{
    cw__http2 *c = cw__h2_core(&s->base);
    const size_t none = 0;
    s->stage = CW__H2_MUTE;
    s->began = s->ended = s->answered = true;
    if (submit_response(c, s, status, (cw_http_fields){NULL, 0}, &none, false) != 0) {
        cw__h2_no_memory(c);
    }
}

void cw__h2_send_continue(cw__stream *stream)
{
    cw__h2_stream *s = (cw__h2_stream *)stream;
    cw__http2 *c = cw__h2_core(stream);
    if (s->stage != CW__H2_SHOWN || !stream->expects_continue) {
        return;
    }
    stream->expects_continue = false;
    section h;
    (void)section_open(&h, 0);
    section_add(&h, CW_STR(":status"), CW_STR("100"), NO_COPY);
    if (nghttp2_submit_headers(c->session, NGHTTP2_FLAG_NONE, s->id, NULL, h.nv, h.len, NULL) !=
        0) {
        cw__h2_no_memory(c);
    }
    c->queued++;
}

/* ---- requests ---------------------------------------------------------------------------------
 */

size_t cw__h2_room(const cw__core *core)
{
    const cw__http2 *c = (const cw__http2 *)core;
    size_t max = c->peer_max < c->max_in_flight ? c->peer_max : c->max_in_flight;
    return c->is_server || cw__http2_is_leaving(core) || c->streams >= max ? 0 : max - c->streams;
}

/* RFC 9110, 8.6: a length of 0 is said where the method has a body as a rule. */
static bool says_length(cw_str method, size_t body)
{
    return body > 0 || cw_str_equal(method, CW_STR("POST")) ||
           cw_str_equal(method, CW_STR("PUT")) || cw_str_equal(method, CW_STR("PATCH"));
}

static int32_t submit_request(cw__http2 *c, cw__h2_stream *s, const cw_http_head *head,
                              const size_t *length, bool has_data)
{
    section h;
    if (!section_open(&h, head->fields.len)) {
        return NGHTTP2_ERR_NOMEM;
    }
    section_add(&h, CW_STR(":method"), head->method, NO_COPY);
    section_add(&h, CW_STR(":scheme"), head->scheme, NO_COPY);
    section_add(&h, CW_STR(":authority"), head->authority, NO_COPY);
    section_add(&h, CW_STR(":path"), head->path, NO_COPY);
    section_add_all(&h, head->fields);
    if (length != NULL) {
        section_add_length(&h, *length);
    }
    int32_t id = section_fits(&h) ? nghttp2_submit_request(c->session, NULL, h.nv, h.len,
                                                           has_data ? &body_provider : NULL, s)
                                  : NGHTTP2_ERR_INVALID_ARGUMENT;
    section_close(&h);
    c->queued += id > 0;
    return id;
}

cw__stream *cw__h2_request(cw__core *core, const cw_http_head *head, cw_bytes body, bool end,
                           bool hold_body, void *owner, cw_net_error *e)
{
    cw__http2 *c = (cw__http2 *)core;
    (void)hold_body;
    if (cw__h2_room(core) == 0) {
        cw_net_error_set(e, CW_NET_ERR_BUSY, 0, "%s", "no room on the connection");
        return NULL;
    }
    cw__h2_stream *s = cw__h2_take(c, 0);
    if (s == NULL) {
        cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "%s", "request");
        return NULL;
    }
    const size_t *length = end && says_length(head->method, body.len) ? &body.len : NULL;
    int32_t id = append(s, body) ? submit_request(c, s, head, length, !end || body.len > 0)
                                 : NGHTTP2_ERR_NOMEM;
    if (id < 0) {
        cw_net_error_set(e, status_of(id), 0, "%s",
                         id == NGHTTP2_ERR_NOMEM ? "request" : nghttp2_strerror(id));
        cw__h2_drop(s);
        return NULL;
    }
    s->id = id;
    s->stage = CW__H2_SHOWN;
    s->began = true;
    s->ended = end;
    s->base.owner = owner;
    c->ids_are_used_up = id == INT32_MAX;
    c->room_changed = c->room_changed || c->ids_are_used_up;
    return &s->base;
}

void cw__h2_go_on(cw__stream *s)
{
    (void)s; /* bodies are never held back */
}

/* ---- what nghttp2 says of frames ---------------------------------------------------------------
 */

static void message_sent(cw__http2 *c, int32_t id)
{
    cw__h2_stream *s = cw__h2_find(c, id);
    if (s == NULL) {
        return;
    }
    s->base.sent = true;
    if (c->is_server && !s->base.received) {
        /* RFC 9113, 8.1: the rest of the request is not wanted. */
        s->charged = true;
        cw__h2_rst(c, id, NGHTTP2_NO_ERROR);
    }
}

static void goaway_sent(cw__http2 *c, const nghttp2_goaway *frame)
{
    if (frame->error_code == NGHTTP2_NO_ERROR || cw__h2_has_failed(c)) {
        return;
    }
    /* nghttp2 has found the peer at fault. */
    char text[CW_NET_DETAIL_MAX];
    size_t n = frame->opaque_data_len < sizeof text - 1 ? frame->opaque_data_len : sizeof text - 1;
    const char *said = nghttp2_http2_strerror(frame->error_code);
    if (n > 0) {
        memcpy(text, frame->opaque_data, n);
        text[n] = '\0';
        said = text;
    }
    cw__h2_fail(
        c, frame->error_code == NGHTTP2_ENHANCE_YOUR_CALM ? CW_NET_ERR_FLOOD : CW_NET_ERR_PROTOCOL,
        (int)frame->error_code, said);
}

static int on_frame_send(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
    cw__http2 *c = user;
    cw__h2_stream *s;
    (void)session;
    c->sent_type = frame->hd.type;
    switch (frame->hd.type) {
    case NGHTTP2_HEADERS:
        if (!c->is_server && frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
            c->last_sent_id = frame->hd.stream_id;
        }
        /* fall through */
    case NGHTTP2_DATA:
        if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
            message_sent(c, frame->hd.stream_id);
        }
        break;
    case NGHTTP2_RST_STREAM:
        s = cw__h2_find(c, frame->hd.stream_id);
        if (s != NULL && !s->charged) {
            /* nghttp2's own: the body is longer than content-length, a window is overrun ... */
            s->charged = true;
            (void)cw__h2_charge_reset(c);
        }
        break;
    case NGHTTP2_GOAWAY:
        goaway_sent(c, &frame->goaway);
        break;
    default:
        break;
    }
    return 0; /* a failure is seen by who drains, who still wants the GOAWAY */
}

void cw__h2_set_send_callbacks(nghttp2_session_callbacks *callbacks)
{
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_frame_send);
}
