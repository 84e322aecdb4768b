/* SPDX-License-Identifier: MIT */
/* Bytes out: heads, bodies, chunks. Room is made once for all that a call writes. */
#include "http1_internal.h"

enum {
    MAX_DIGITS = 20,
    /* Status line, connection, content-length or transfer-encoding, expect, empty line: the longest
     * of each, with room to spare. */
    OUR_LINES = 224,
    CHUNK_ENDS = 2 * 8 + 2 + 2 /* size, CRLF, data, CRLF */
};

/* ---- pieces of text: where the next byte goes is returned --------------------------------------
 */

static uint8_t *put(uint8_t *p, const void *data, size_t n)
{
    if (n > 0) {
        memcpy(p, data, n);
    }
    return p + n;
}

static uint8_t *put_str(uint8_t *p, cw_str s)
{
    return put(p, s.data, s.len);
}

static uint8_t *put_number(uint8_t *p, uint64_t n)
{
    uint8_t digits[MAX_DIGITS];
    size_t at = MAX_DIGITS;
    do {
        digits[--at] = (uint8_t)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    return put(p, digits + at, MAX_DIGITS - at);
}

static uint8_t *put_hex(uint8_t *p, size_t n)
{
    uint8_t digits[2 * sizeof n];
    size_t at = sizeof digits;
    do {
        digits[--at] = (uint8_t) "0123456789abcdef"[n % 16];
        n /= 16;
    } while (n > 0);
    return put(p, digits + at, sizeof digits - at);
}

static uint8_t *put_fields(uint8_t *p, cw_http_fields fields)
{
    for (size_t i = 0; i < fields.len; i++) {
        p = put_str(p, fields.data[i].name);
        p = put(p, ": ", 2);
        p = put_str(p, fields.data[i].value);
        p = put(p, "\r\n", 2);
    }
    return p;
}

static size_t fields_size(cw_http_fields fields)
{
    size_t n = 0;
    for (size_t i = 0; i < fields.len; i++) {
        n += fields.data[i].name.len + fields.data[i].value.len + 4;
    }
    return n;
}

static uint8_t *put_chunk(uint8_t *p, cw_bytes piece)
{
    p = put_hex(p, piece.len);
    p = put(p, "\r\n", 2);
    p = put(p, piece.data, piece.len);
    return put(p, "\r\n", 2);
}

/* A piece of a body in its framing; an empty chunk would be the last one. */
static uint8_t *put_piece(uint8_t *p, cw__http1_framing framing, cw_bytes piece)
{
    if (framing == CW__HTTP1_OUT_NONE || piece.len == 0) {
        return p;
    }
    return framing == CW__HTTP1_OUT_CHUNKED ? put_chunk(p, piece) : put(p, piece.data, piece.len);
}

static cw_str reason_of(unsigned status)
{
    static const struct {
        unsigned status;
        cw_str reason;
    } rows[] = {
        {201, CW_STR_INIT("Created")},
        {202, CW_STR_INIT("Accepted")},
        {204, CW_STR_INIT("No Content")},
        {206, CW_STR_INIT("Partial Content")},
        {301, CW_STR_INIT("Moved Permanently")},
        {302, CW_STR_INIT("Found")},
        {303, CW_STR_INIT("See Other")},
        {304, CW_STR_INIT("Not Modified")},
        {307, CW_STR_INIT("Temporary Redirect")},
        {308, CW_STR_INIT("Permanent Redirect")},
        {400, CW_STR_INIT("Bad Request")},
        {401, CW_STR_INIT("Unauthorized")},
        {403, CW_STR_INIT("Forbidden")},
        {404, CW_STR_INIT("Not Found")},
        {405, CW_STR_INIT("Method Not Allowed")},
        {406, CW_STR_INIT("Not Acceptable")},
        {408, CW_STR_INIT("Request Timeout")},
        {409, CW_STR_INIT("Conflict")},
        {411, CW_STR_INIT("Length Required")},
        {412, CW_STR_INIT("Precondition Failed")},
        {413, CW_STR_INIT("Content Too Large")},
        {414, CW_STR_INIT("URI Too Long")},
        {415, CW_STR_INIT("Unsupported Media Type")},
        {417, CW_STR_INIT("Expectation Failed")},
        {422, CW_STR_INIT("Unprocessable Content")},
        {429, CW_STR_INIT("Too Many Requests")},
        {431, CW_STR_INIT("Request Header Fields Too Large")},
        {500, CW_STR_INIT("Internal Server Error")},
        {501, CW_STR_INIT("Not Implemented")},
        {502, CW_STR_INIT("Bad Gateway")},
        {503, CW_STR_INIT("Service Unavailable")},
        {504, CW_STR_INIT("Gateway Timeout")},
        {505, CW_STR_INIT("HTTP Version Not Supported")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].status == status) {
            return rows[i].reason;
        }
    }
    return CW_STR(""); /* RFC 9112, 4: may be empty, the space before it may not be missing */
}

static uint8_t *put_status_line(uint8_t *p, unsigned status)
{
    if (status == 200) {
        return put(p, "HTTP/1.1 200 OK\r\n", 17);
    }
    p = put(p, "HTTP/1.1 ", 9);
    p = put_number(p, status);
    p = put(p, " ", 1);
    p = put_str(p, reason_of(status));
    return put(p, "\r\n", 2);
}

/* What was written to `to` ends at p. */
static void wrote(cw__http1 *h, cw__buf *to, const uint8_t *p)
{
    cw__buf_added(to, (size_t)(p - (to->data + to->end)));
    h->was_above = h->was_above || cw__buf_len(&h->out) + cw__buf_len(&h->held) >= CW__LOW_WATER;
}

/* Our message is complete; see also drain(). */
static void end_own(cw__http1 *h)
{
    h->own = CW__HTTP1_ENDED;
    if (h->is_server) {
        h->unconsumed = 0; /* what still comes is thrown away */
    }
}

/* ---- responses ---------------------------------------------------------------------------------
 */

/* The connection must end after this response, whatever the client wishes. */
static bool must_close(const cw__http1 *h, bool end)
{
    /* Nobody knows whether the client sends a body that we did not ask for. */
    bool is_doubtful = h->s.expects_continue && h->phase != CW__HTTP1_DONE;
    bool is_too_much = end && h->phase == CW__HTTP1_LENGTH && h->left > CW__HTTP1_MAX_DISCARDED;
    return is_doubtful || is_too_much;
}

cw_net_status cw__http1_respond(cw__stream *s, unsigned status, cw_http_fields fields,
                                cw_bytes body, bool end)
{
    cw__http1 *h = cw__http1_of(s->core);
    if (h->is_reset) {
        return CW_NET_OK;
    }
    if (!h->is_server || h->own != CW__HTTP1_NOTHING || !s->head_seen || status < 200 ||
        status > 599) {
        return CW_NET_ERR_ARGUMENT;
    }
    bool is_1_0 = s->head.version == CW_HTTP_1_0;
    bool has_content = status != 204 && status != 304;
    bool has_body = has_content && status != 205 && !h->is_head_request;
    bool has_length = end && has_content && (!h->is_head_request || body.len > 0);
    size_t size = OUR_LINES + fields_size(fields) + CHUNK_ENDS + (has_body ? body.len : 0);
    uint8_t *p = cw__buf_reserve(&h->out, size);
    if (p == NULL) {
        return CW_NET_ERR_MEMORY;
    }
    cw__http1_framing framing = !has_body       ? CW__HTTP1_OUT_NONE
                                : end || is_1_0 ? CW__HTTP1_OUT_PLAIN
                                                : CW__HTTP1_OUT_CHUNKED;
    h->is_last = h->is_last || must_close(h, end) || (is_1_0 && has_body && !end);
    p = put_status_line(p, status);
    if (h->is_last) {
        p = put_str(p, CW_STR("connection: close\r\n"));
    } else if (is_1_0) {
        p = put_str(p, CW_STR("connection: keep-alive\r\n"));
    }
    p = put_fields(p, fields);
    if (framing == CW__HTTP1_OUT_CHUNKED) {
        p = put_str(p, CW_STR("transfer-encoding: chunked\r\n"));
    } else if (has_length) {
        p = put_str(p, CW_STR("content-length: "));
        p = put_number(p, status == 205 ? 0 : body.len);
        p = put(p, "\r\n", 2);
    }
    p = put(p, "\r\n", 2);
    p = put_piece(p, framing, body);
    wrote(h, &h->out, p);
    s->expects_continue = false;
    h->out_framing = framing;
    h->own = CW__HTTP1_STARTED;
    if (end) {
        end_own(h);
    }
    return CW_NET_OK;
}

void cw__http1_send_continue(cw__stream *s)
{
    cw__http1 *h = cw__http1_of(s->core);
    if (!h->is_reset && h->own == CW__HTTP1_NOTHING && s->expects_continue &&
        cw__buf_append_bytes(&h->out, cw_bytes_of("HTTP/1.1 100 Continue\r\n\r\n", 25))) {
        s->expects_continue = false;
    }
}

void cw__http1_write_error(cw__http1 *h, unsigned status)
{
    uint8_t *p = cw__buf_reserve(&h->out, OUR_LINES);
    if (p != NULL) {
        p = put_status_line(p, status);
        p = put_str(p, CW_STR("connection: close\r\ncontent-length: 0\r\n\r\n"));
        wrote(h, &h->out, p);
    }
}

/* ---- requests ----------------------------------------------------------------------------------
 */

/* No blank, control character or line end that would make the line another one. */
static bool is_one_word(cw_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.data[i] <= ' ' || s.data[i] == 0x7f) {
            return false;
        }
    }
    return s.len > 0;
}

static bool has_field(cw_http_fields fields, const char *lower)
{
    for (size_t i = 0; i < fields.len; i++) {
        if (cw__name_is(fields.data[i].name, lower)) {
            return true;
        }
    }
    return false;
}

/* RFC 9110, 8.6: a method with a meaning for content says that there is none. */
static bool wants_length(const cw_http_head *head, size_t len)
{
    cw_str m = head->method;
    return len > 0 || cw_str_equal(m, CW_STR("POST")) || cw_str_equal(m, CW_STR("PUT")) ||
           cw_str_equal(m, CW_STR("PATCH"));
}

static cw_net_status check_request(const cw__http1 *h, const cw_http_head *head, cw_net_error *e)
{
    if (h->is_open || h->is_closing || h->is_over || h->is_last) {
        return cw_net_error_set(e, CW_NET_ERR_BUSY, 0, "the connection has no room");
    }
    if (!is_one_word(head->method) || !is_one_word(head->path) || !is_one_word(head->authority)) {
        return cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "method, path or authority");
    }
    if (cw_str_equal(head->method, CW_STR("CONNECT"))) {
        return cw_net_error_set(e, CW_NET_ERR_UNSUPPORTED, 0, "CONNECT");
    }
    return CW_NET_OK;
}

static uint8_t *put_request_head(uint8_t *p, const cw__http1 *h, const cw_http_head *head,
                                 size_t body_len, bool end)
{
    p = put_str(p, head->method);
    p = put(p, " ", 1);
    p = put_str(p, head->path);
    p = put_str(p, CW_STR(" HTTP/1.1\r\nhost: "));
    p = put_str(p, head->authority);
    p = put(p, "\r\n", 2);
    if (h->closes_after) {
        p = put_str(p, CW_STR("connection: close\r\n"));
    }
    p = put_fields(p, head->fields);
    if (h->is_held && !has_field(head->fields, "expect")) {
        p = put_str(p, CW_STR("expect: 100-continue\r\n"));
    }
    if (!end) {
        p = put_str(p, CW_STR("transfer-encoding: chunked\r\n"));
    } else if (wants_length(head, body_len)) {
        p = put_str(p, CW_STR("content-length: "));
        p = put_number(p, body_len);
        p = put(p, "\r\n", 2);
    }
    return put(p, "\r\n", 2);
}

cw__stream *cw__http1_request(cw__core *c, const cw_http_head *head, cw_bytes body, bool end,
                              bool hold_body, void *owner, cw_net_error *e)
{
    cw__http1 *h = cw__http1_of(c);
    if (check_request(h, head, e) != CW_NET_OK) {
        return NULL;
    }
    bool is_held = hold_body && (body.len > 0 || !end);
    size_t head_size = OUR_LINES + head->method.len + head->path.len + head->authority.len +
                       fields_size(head->fields);
    size_t body_size = body.len + CHUNK_ENDS;
    uint8_t *p = cw__buf_reserve(&h->out, head_size + (is_held ? 0 : body_size));
    uint8_t *q = is_held ? cw__buf_reserve(&h->held, body_size) : NULL;
    if (p == NULL || (is_held && q == NULL)) {
        cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "request");
        return NULL;
    }
    cw__http1_open_stream(h, owner);
    h->is_held = is_held;
    h->is_last = h->closes_after;
    h->is_head_request = cw_str_equal(head->method, CW_STR("HEAD"));
    h->out_framing = end ? CW__HTTP1_OUT_PLAIN : CW__HTTP1_OUT_CHUNKED;
    h->own = CW__HTTP1_STARTED;
    p = put_request_head(p, h, head, body.len, end);
    if (is_held) {
        q = put_piece(q, h->out_framing, body);
        wrote(h, &h->held, q);
    } else {
        p = put_piece(p, h->out_framing, body);
    }
    wrote(h, &h->out, p);
    if (end) {
        end_own(h);
    }
    cw__http1_expect_head(h);
    return &h->s;
}

void cw__http1_go_on(cw__stream *s)
{
    cw__http1 *h = cw__http1_of(s->core);
    if (!h->is_held || h->is_reset) {
        return;
    }
    if (!cw__buf_append_bytes(&h->out, cw__buf_bytes(&h->held))) {
        cw_net_error e;
        cw_net_error_set(&e, CW_NET_ERR_MEMORY, 0, "request");
        h->core.ops->reset(s, &e);
        return;
    }
    cw__buf_free(&h->held);
    h->is_held = false;
}

/* ---- both --------------------------------------------------------------------------------------
 */

/* May more be written? *st: what to answer if not. */
static bool may_write(const cw__http1 *h, cw_net_status *st)
{
    *st = h->is_reset || h->own == CW__HTTP1_STARTED ? CW_NET_OK : CW_NET_ERR_ARGUMENT;
    return !h->is_reset && h->own == CW__HTTP1_STARTED;
}

cw_net_status cw__http1_write(cw__stream *s, cw_bytes piece)
{
    cw__http1 *h = cw__http1_of(s->core);
    cw_net_status st;
    if (!may_write(h, &st) || piece.len == 0 || h->is_muted ||
        h->out_framing == CW__HTTP1_OUT_NONE) {
        return st;
    }
    cw__buf *to = h->is_held ? &h->held : &h->out;
    uint8_t *p = cw__buf_reserve(to, piece.len + CHUNK_ENDS);
    if (p == NULL) {
        return CW_NET_ERR_MEMORY;
    }
    wrote(h, to, put_piece(p, h->out_framing, piece));
    return CW_NET_OK;
}

cw_net_status cw__http1_end(cw__stream *s, cw_http_fields trailers)
{
    cw__http1 *h = cw__http1_of(s->core);
    cw_net_status st;
    if (!may_write(h, &st)) {
        return st;
    }
    if (h->out_framing == CW__HTTP1_OUT_CHUNKED && !h->is_muted) {
        cw__buf *to = h->is_held ? &h->held : &h->out;
        uint8_t *p = cw__buf_reserve(to, fields_size(trailers) + CHUNK_ENDS);
        if (p == NULL) {
            return CW_NET_ERR_MEMORY;
        }
        p = put(p, "0\r\n", 3);
        p = put_fields(p, trailers);
        wrote(h, to, put(p, "\r\n", 2));
    }
    end_own(h);
    return CW_NET_OK;
}
