/* SPDX-License-Identifier: MIT */
/* Bytes in: llhttp takes heads and chunked bodies apart, other bodies are counted here. */
#include "http1_internal.h"

enum {
    VERSION = 9,         /* " HTTP/1.1" */
    LINE_ENDS = 4,       /* bytes of a head that its size does not count: two CRLF */
    MAX_EMPTY_LINES = 4, /* before a request: RFC 9112, 2.2 */
    MAX_INTERIM = 64,    /* 1xx responses to a request */

    MAX_FRAMING = 16384, /* bytes of chunk framing beyond what its chunks are worth: */
    CHUNK_WORTH = 16,    /* this for a chunk and two more for each of its bytes */
};

/* ---- what llhttp tells -------------------------------------------------------------------------
 */

static uint32_t place_of(const cw__http1 *h, const char *at)
{
    return (uint32_t)(h->section_at + (size_t)(at - h->input));
}

static int on_url(llhttp_t *p, const char *at, size_t len)
{
    cw__http1 *h = p->data;
    if (h->target == 0) {
        h->target = place_of(h, at);
    }
    h->target_end = place_of(h, at) + (uint32_t)len;
    return HPE_OK;
}

/*
 * Chunk framing up to `to`: every CR is followed by LF and every LF follows CR, no other control
 * characters. Many bytes of it for few of data are an attack on our patience (CVE-2023-39326).
 */
static bool check_framing(cw__http1 *h, const char *to)
{
    for (const char *p = h->checked; p < to; p++) {
        unsigned char c = (unsigned char)*p;
        if ((c == '\n') != h->after_cr || (c < ' ' && c != '\r' && c != '\n' && c != '\t') ||
            c == 0x7f) {
            return cw__http1_refuse(h, 400, "chunk framing");
        }
        h->after_cr = c == '\r';
    }
    h->framing += (size_t)(to - h->checked);
    h->checked = to;
    return h->framing <= MAX_FRAMING || cw__http1_refuse(h, 400, "too much chunk framing");
}

static bool begin_trailers(cw__http1 *h, const char *at)
{
    h->in_trailers = true;
    h->section = &h->trailers;
    h->section_at = (size_t)0 - (size_t)(at - h->input);
    return check_framing(h, at);
}

static int on_header_field(llhttp_t *p, const char *at, size_t len)
{
    cw__http1 *h = p->data;
    if (len == 0) {
        return HPE_OK;
    }
    if (h->phase == CW__HTTP1_CHUNKED && !h->in_trailers && !begin_trailers(h, at)) {
        return HPE_USER;
    }
    cw__fields *f = h->section;
    uint32_t place = place_of(h, at);
    if (f->len > 0) {
        cw__field_ref *last = &f->refs[f->len - 1];
        if (last->name + last->name_len == place) {
            last->name_len += (uint32_t)len; /* input was cut in the name */
            return HPE_OK;
        }
    }
    if (!cw__fields_begin(f)) {
        cw__http1_refuse(h, 500, "out of memory");
        return HPE_USER;
    }
    /* The text is appended later, all at once. */
    f->refs[f->len - 1] = (cw__field_ref){place, (uint32_t)len, 0, 0};
    return HPE_OK;
}

/* Counted here, at the colon: the name's pieces come at different times when input is cut. */
static int on_header_field_complete(llhttp_t *p)
{
    cw__http1 *h = p->data;
    if (h->section->len > h->max_header_fields) {
        cw__http1_refuse(h, 431, "too many header fields");
        return HPE_USER;
    }
    return HPE_OK;
}

static int on_header_value(llhttp_t *p, const char *at, size_t len)
{
    cw__http1 *h = p->data;
    cw__fields *f = h->section;
    if (len == 0) {
        return HPE_OK;
    }
    if (f->len == 0 || (h->phase == CW__HTTP1_CHUNKED && !h->in_trailers)) {
        cw__http1_refuse(h, 400, "a field without a name");
        return HPE_USER;
    }
    cw__field_ref *last = &f->refs[f->len - 1];
    uint32_t place = place_of(h, at);
    if (last->value == 0) {
        last->value = place;
    } else if (last->value + last->value_len != place) {
        cw__http1_refuse(h, 400, "folded header line");
        return HPE_USER;
    }
    last->value_len += (uint32_t)len;
    return HPE_OK;
}

/* What follows is decided here, or by llhttp when it is resumed. */
static int on_pause(llhttp_t *p)
{
    (void)p;
    return HPE_PAUSED;
}

static int on_chunk_header(llhttp_t *p)
{
    cw__http1 *h = p->data;
    h->is_new_chunk = true;
    return HPE_OK;
}

/* Nobody wants the rest of a request that has been answered. */
static bool is_discarding(const cw__http1 *h)
{
    return h->is_server && (!h->is_open || h->own == CW__HTTP1_ENDED);
}

static void deliver(cw__http1 *h, const void *data, size_t len)
{
    if (is_discarding(h)) {
        return;
    }
    h->unconsumed += len;
    h->s.expects_continue = false;
    if (h->core.events->on_body != NULL) {
        h->core.events->on_body(h->core.ctx, &h->s, cw_bytes_of(data, len));
    }
}

static int on_body(llhttp_t *p, const char *at, size_t len)
{
    cw__http1 *h = p->data;
    if (!check_framing(h, at)) {
        return HPE_USER;
    }
    h->checked = at + len;
    size_t worth = 2 * len + (h->is_new_chunk ? CHUNK_WORTH : 0);
    h->is_new_chunk = false;
    h->framing -= worth < h->framing ? worth : h->framing;
    deliver(h, at, len);
    return cw__http1_is_alive(h) ? HPE_OK : HPE_USER;
}

static const llhttp_settings_t settings = {
    .on_url = on_url,
    .on_header_field = on_header_field,
    .on_header_field_complete = on_header_field_complete,
    .on_header_value = on_header_value,
    .on_headers_complete = on_pause,
    .on_chunk_header = on_chunk_header,
    .on_body = on_body,
    .on_message_complete = on_pause,
};

void cw__http1_expect_head(cw__http1 *h)
{
    llhttp_init(&h->parser, h->is_server ? HTTP_REQUEST : HTTP_RESPONSE, &settings);
    h->parser.data = h;
    cw__fields_clear(&h->head);
    h->section = &h->head;
    h->target = h->target_end = 0;
    h->in_trailers = h->after_cr = h->is_new_chunk = false;
    h->framing = 0;
    h->bad_code = 0;
    h->phase = CW__HTTP1_HEAD;
}

/* ---- what is made of it ------------------------------------------------------------------------
 */

static void fail_refused(cw__http1 *h)
{
    unsigned code = h->bad_code;
    cw_net_status st = code == 414 || code == 431                  ? CW_NET_ERR_HEADER_LIMIT
                       : code == 417 || code == 501 || code == 505 ? CW_NET_ERR_UNSUPPORTED
                       : code == 500                               ? CW_NET_ERR_MEMORY
                                                                   : CW_NET_ERR_PROTOCOL;
    cw__http1_fail(h, st, st == CW_NET_ERR_MEMORY ? 0 : (int)code, h->bad_text);
}

static void fail_memory(cw__http1 *h)
{
    cw__http1_fail(h, CW_NET_ERR_MEMORY, 0, "connection");
}

/* The body follows, or there is none. */
static void begin_body(cw__http1 *h)
{
    const cw__http1_facts *facts = &h->facts;
    if (facts->is_chunked) {
        h->phase = CW__HTTP1_CHUNKED;
        cw__fields_clear(&h->trailers);
        llhttp_resume(&h->parser);
    } else if (facts->length > 0) {
        h->phase = CW__HTTP1_LENGTH;
        h->left = facts->length;
    } else {
        cw__http1_received(h);
    }
}

static void show_head(cw__http1 *h)
{
    h->s.head_seen = true;
    if (h->core.events->on_head != NULL) {
        h->core.events->on_head(h->core.ctx, &h->s);
    }
}

static void take_request(cw__http1 *h)
{
    const cw__http1_facts *facts = &h->facts;
    h->is_last = h->is_last || facts->wants_close ||
                 (h->s.head.version == CW_HTTP_1_0 && !facts->wants_keep_alive);
    h->is_head_request = cw_str_equal(h->s.head.method, CW_STR("HEAD"));
    h->left = facts->length; /* respond() looks at it */
    h->phase = facts->is_chunked   ? CW__HTTP1_CHUNKED
               : facts->length > 0 ? CW__HTTP1_LENGTH
                                   : CW__HTTP1_DONE;
    show_head(h);
    if (cw__http1_is_alive(h)) {
        begin_body(h);
    }
}

static void take_interim(cw__http1 *h)
{
    if (h->s.head.status == 101) {
        cw__http1_fail(h, CW_NET_ERR_PROTOCOL, 0, "101 without an upgrade");
        return;
    }
    if (++h->interim > MAX_INTERIM) {
        cw__http1_fail(h, CW_NET_ERR_PROTOCOL, 0, "too many interim responses");
        return;
    }
    if (h->s.head.status == 100 && h->core.events->on_continue != NULL) {
        h->core.events->on_continue(h->core.ctx, &h->s);
    }
    if (!cw__http1_is_alive(h)) {
        return;
    }
    if (h->s.head.status == 100) {
        cw__http1_go_on(&h->s);
    }
    h->s.head = (cw_http_head){.status = 0};
    cw__http1_expect_head(h);
}

static void take_response(cw__http1 *h)
{
    const cw__http1_facts *facts = &h->facts;
    unsigned status = h->s.head.status;
    if (status < 200) {
        take_interim(h);
        return;
    }
    bool has_body = !h->is_head_request && status != 204 && status != 304;
    bool is_to_end = has_body && !facts->is_chunked && facts->lengths == 0;
    h->is_last = h->is_last || facts->wants_close || is_to_end ||
                 (h->s.head.version == CW_HTTP_1_0 && !facts->wants_keep_alive);
    if (h->is_held) {
        /* RFC 9110, 10.1.1: answered without the body, which stays unsent. */
        cw__buf_free(&h->held);
        h->is_held = false;
        h->is_muted = true;
    }
    show_head(h);
    if (!cw__http1_is_alive(h)) {
        return;
    }
    if (!has_body) {
        cw__http1_received(h);
    } else if (is_to_end) {
        h->phase = CW__HTTP1_TO_END;
    } else {
        begin_body(h);
    }
}

static void take_head(cw__http1 *h)
{
    if (!cw__http1_check_head(h)) {
        fail_refused(h);
    } else if (h->is_server) {
        take_request(h);
    } else {
        take_response(h);
    }
}

/* ---- one step each: how many bytes were used ---------------------------------------------------
 */

/* The next message of a client begins; a server's idle connection must be silent. */
static size_t start(cw__http1 *h, cw_bytes in)
{
    if (!h->is_server) {
        cw__http1_fail(h, CW_NET_ERR_PROTOCOL, 0, "bytes that answer no request");
        return in.len;
    }
    size_t i = 0;
    for (; i < in.len && (h->after_cr || in.data[i] == '\r' || in.data[i] == '\n'); i++) {
        bool is_line = h->after_cr && in.data[i] == '\n';
        if (is_line ? ++h->empty_lines > MAX_EMPTY_LINES : in.data[i] != '\r' || h->after_cr) {
            cw__http1_fail(h, CW_NET_ERR_PROTOCOL, 400, "what stands before the request line");
            return in.len;
        }
        h->after_cr = !h->after_cr;
    }
    if (i < in.len) {
        h->empty_lines = 0;
        cw__http1_expect_head(h);
        cw__http1_open_stream(h, NULL);
        if (h->core.events->on_stream != NULL) {
            h->core.events->on_stream(h->core.ctx, &h->s);
        }
    }
    return i;
}

/* A request line that has no version (HTTP/0.9): its sender waits for an answer. */
static bool has_no_version(const cw__http1 *h)
{
    return h->is_server && h->target > 0 && h->target_end < h->head.text.end &&
           h->head.text.data[h->target_end] != ' ';
}

static size_t fail_too_large(cw__http1 *h)
{
    bool is_target = h->is_server && h->target_end + VERSION > h->max_header_bytes;
    cw__http1_refuse(h, is_target ? 414 : 431, "header section too large");
    fail_refused(h);
    return 0;
}

static size_t parse_head(cw__http1 *h, cw_bytes in)
{
    cw__buf *text = &h->head.text;
    size_t room = h->max_header_bytes + LINE_ENDS - text->end;
    size_t n = in.len < room ? in.len : room;
    if (n == 0) {
        return fail_too_large(h);
    }
    h->input = (const char *)in.data;
    h->section_at = text->end;
    llhttp_errno_t err = llhttp_execute(&h->parser, h->input, n);
    size_t used = err == HPE_OK ? n : (size_t)(llhttp_get_error_pos(&h->parser) - h->input);
    bool is_error = err != HPE_OK && err != HPE_PAUSED;
    /* With an error, the byte that it is about says which one it is. */
    used += is_error && used < n ? 1 : 0;
    if (!cw__buf_append(text, in.data, used)) {
        fail_memory(h);
        return used;
    }
    if (has_no_version(h)) {
        h->bad_code = 0; /* whatever was found behind that */
        cw__http1_refuse(h, 400, "request line without a version");
    } else if (is_error) {
        cw__http1_refuse(h, cw__http1_status_of(h, err), llhttp_get_error_reason(&h->parser));
    }
    if (!cw__http1_is_good(h)) {
        fail_refused(h);
    } else if (err == HPE_PAUSED) {
        take_head(h);
    }
    return used;
}

/* After a step in the body of a request that nobody wants any more. */
static void count_discarded(cw__http1 *h, size_t n)
{
    if (is_discarding(h) && h->phase != CW__HTTP1_DONE && h->phase != CW__HTTP1_START) {
        h->discarded += n;
        if (h->discarded > CW__HTTP1_MAX_DISCARDED) {
            cw__http1_fail(h, CW_NET_ERR_BODY_LIMIT, 0, "");
        }
    }
}

static size_t parse_length(cw__http1 *h, cw_bytes in)
{
    size_t n = in.len < h->left ? in.len : (size_t)h->left;
    h->left -= n;
    deliver(h, in.data, n);
    if (cw__http1_is_alive(h) && h->left == 0) {
        cw__http1_received(h);
    }
    count_discarded(h, n);
    return n;
}

/* Trailers are collected up to `to`, other framing is checked. */
static bool take_framing(cw__http1 *h, const char *to)
{
    if (!h->in_trailers) {
        return check_framing(h, to);
    }
    cw__buf *text = &h->trailers.text;
    size_t n = (size_t)(to - h->checked);
    if (text->end + n > h->max_header_bytes + LINE_ENDS) {
        return cw__http1_refuse(h, 431, "trailers too large");
    }
    return cw__buf_append(text, h->checked, n) || cw__http1_refuse(h, 500, "out of memory");
}

static void end_chunked(cw__http1 *h)
{
    if (h->in_trailers && !cw__http1_check_trailers(h)) {
        fail_refused(h);
    } else {
        cw__http1_received(h);
    }
}

static size_t parse_chunked(cw__http1 *h, cw_bytes in)
{
    h->input = h->checked = (const char *)in.data;
    h->section_at = h->trailers.text.end;
    llhttp_errno_t err = llhttp_execute(&h->parser, h->input, in.len);
    if (!cw__http1_is_alive(h)) {
        return in.len;
    }
    const char *end = h->input + in.len;
    if (err != HPE_OK) {
        end = llhttp_get_error_pos(&h->parser);
    }
    size_t used = (size_t)(end - h->input);
    if (cw__http1_is_good(h) && take_framing(h, end) && err != HPE_OK && err != HPE_PAUSED) {
        cw__http1_refuse(h, 400, llhttp_get_error_reason(&h->parser));
    }
    if (!cw__http1_is_good(h)) {
        fail_refused(h);
        return in.len;
    }
    if (err == HPE_PAUSED) {
        end_chunked(h);
    }
    count_discarded(h, used);
    return used;
}

static size_t step(cw__http1 *h, cw_bytes in)
{
    switch (h->phase) {
    case CW__HTTP1_START:
        return start(h, in);
    case CW__HTTP1_HEAD:
        return parse_head(h, in);
    case CW__HTTP1_LENGTH:
        return parse_length(h, in);
    case CW__HTTP1_CHUNKED:
        return parse_chunked(h, in);
    case CW__HTTP1_TO_END:
        deliver(h, in.data, in.len);
        return in.len;
    default:
        return 0;
    }
}

size_t cw__http1_parse(cw__http1 *h, cw_bytes in)
{
    size_t used = 0;
    while (used < in.len && h->phase != CW__HTTP1_DONE && h->phase != CW__HTTP1_DEAD) {
        used += step(h, cw_bytes_of(in.data + used, in.len - used));
    }
    return used;
}
