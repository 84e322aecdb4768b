/* SPDX-License-Identifier: MIT */
/* A call's answer: fields, content coding, whole or in pieces. */
#include "server_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST_FIELDS = 32, OUR_FIELDS = 4 /* date, server, content-encoding, vary */ };

/* How a response is coded. */
typedef struct choice {
    unsigned coding; /* 0: identity */
    bool varies;     /* with the request's Accept-Encoding */
} choice;

/* ---- fields ------------------------------------------------------------------------------------
 */

/* RFC 9110, 5.6.7, "Sun, 06 Nov 1994 08:49:37 GMT"; not strftime, which asks the locale. */
static cw_str date_of(cw_http_server *s)
{
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t now = time(NULL);
    if (now != s->date_second || s->date[0] == '\0') {
        struct tm t;
        gmtime_r(&now, &t);
        snprintf(s->date, sizeof s->date, "%s, %02u %s %04u %02u:%02u:%02u GMT",
                 days[t.tm_wday % 7], (unsigned)t.tm_mday % 100u, months[t.tm_mon % 12],
                 (unsigned)(t.tm_year + 1900) % 10000u, (unsigned)t.tm_hour % 100u,
                 (unsigned)t.tm_min % 100u, (unsigned)t.tm_sec % 100u);
        s->date_second = now;
    }
    return cw_str_from(s->date);
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

static bool fields_room(cw_http_server *s, size_t n)
{
    if (n <= s->fields_cap) {
        return true;
    }
    size_t cap = n > FIRST_FIELDS ? n : FIRST_FIELDS;
    cw_http_field *fields = realloc(s->fields, cap * sizeof *fields);
    if (fields == NULL) {
        return false;
    }
    s->fields = fields;
    s->fields_cap = cap;
    return true;
}

/* The library's fields in front of the handler's; valid until the next time. False: no memory. */
static bool all_fields(cw_http_server *s, cw_http_fields theirs, choice ch, cw_http_fields *out)
{
    size_t n = 0;
    if (!fields_room(s, theirs.len + OUR_FIELDS)) {
        return false;
    }
    if (!s->no_date) {
        s->fields[n++] = (cw_http_field){CW_STR("date"), date_of(s)};
    }
    if (s->server_field != NULL && !has_field(theirs, "server")) {
        s->fields[n++] = (cw_http_field){CW_STR("server"), cw_str_from(s->server_field)};
    }
    if (ch.coding != 0) {
        s->fields[n++] =
            (cw_http_field){CW_STR("content-encoding"), cw_str_from(cw__coding_name(ch.coding))};
    }
    if (ch.varies) {
        s->fields[n++] = (cw_http_field){CW_STR("vary"), CW_STR("accept-encoding")};
    }
    for (size_t i = 0; i < theirs.len; i++) {
        s->fields[n++] = theirs.data[i];
    }
    *out = (cw_http_fields){s->fields, n};
    return true;
}

/* A body of `size` bytes (SIZE_MAX: not known yet). 206 sends a part of the plain bytes. */
static choice choose(const cw_http_call *call, unsigned status, cw_http_fields fields, size_t size)
{
    const cw_http_coding_options *o = &call->server->coding;
    if (o->codings == 0 || size < o->min_size || status == 204 || status == 206 || status == 304 ||
        has_field(fields, "content-encoding")) {
        return (choice){0, false};
    }
    return (choice){cw__coding_choose(call->head.fields, o->codings), true};
}

/* ---- sending -----------------------------------------------------------------------------------
 */

/* Nobody is there to be answered. */
static bool is_mute(const cw_http_call *call)
{
    return call->stream == NULL || call->is_refused || call->is_final;
}

static void reset(cw_http_call *call, cw_net_status st, const char *detail)
{
    cw_net_error e;
    if (call->is_reset) {
        return;
    }
    cw_net_error_set(&e, st, 0, "%s", detail);
    call->is_final = call->is_reset = true;
    call->stream->core->ops->reset(call->stream, &e);
    cw__connection_touch(call->connection);
}

/*
 * What an operation of the core has given. Without memory, or when the handler broke the rules, the
 * stream is reset: a part must not look like the whole. Any other failure is that of a stream which
 * is about to close: nobody is there to be answered, and on_done will say why.
 */
static cw_net_status outcome(cw_http_call *call, cw_net_status st)
{
    if (st == CW_NET_ERR_MEMORY || st == CW_NET_ERR_ARGUMENT) {
        reset(call, st, "response");
        return st;
    }
    cw__connection_touch(call->connection);
    return CW_NET_OK;
}

static cw_net_status send_head(cw_http_call *call, unsigned status, cw_http_fields theirs,
                               choice ch, cw_bytes body, bool end)
{
    const cw__core_ops *ops = call->stream->core->ops;
    cw_http_fields fields;
    if (!all_fields(call->server, theirs, ch, &fields)) {
        return outcome(call, CW_NET_ERR_MEMORY);
    }
    cw_net_status st = ops->respond(call->stream, status, fields, body, end);
    call->is_final = end && st == CW_NET_OK;
    return st == CW_NET_ERR_ARGUMENT ? st : outcome(call, st);
}

/* In place of what the handler wanted: there is nothing of its own in this. */
static void send_error(cw_http_call *call, unsigned status, cw_http_fields fields)
{
    outcome(call, send_head(call, status, fields, (choice){0, false}, cw_bytes_of(NULL, 0), true));
}

static cw_net_status send_end(cw_http_call *call, cw_http_fields trailers)
{
    cw_net_status st = call->stream->core->ops->end(call->stream, trailers);
    call->is_final = st == CW_NET_OK;
    return outcome(call, st);
}

static cw_net_status send_piece(cw_http_call *call, cw_bytes piece)
{
    return piece.len == 0 ? CW_NET_OK
                          : outcome(call, call->stream->core->ops->write(call->stream, piece));
}

void cw__call_refuse(cw_http_call *call, unsigned status, const cw_net_error *e)
{
    if (is_mute(call)) {
        return;
    }
    const cw_http_field codings = {CW_STR("accept-encoding"),
                                   cw_str_from(cw__coding_accept(CW_HTTP_GZIP | CW_HTTP_BR))};
    if (call->is_started) {
        reset(call, e->status, e->detail);
    } else {
        send_error(call, status, (cw_http_fields){&codings, status == 415 ? 1 : 0});
    }
    call->error = *e;
    call->is_refused = call->is_gone = true;
    cw_http_call_resume(call);
}

static bool is_head_request(const cw_http_call *call)
{
    return cw_str_equal(call->head.method, CW_STR("HEAD"));
}

/* The handler must not send this: the client gets 500 in its place. */
static cw_net_status refuse_answer(cw_http_call *call)
{
    if (!is_mute(call)) {
        send_error(call, 500, (cw_http_fields){NULL, 0});
    }
    cw__call_answered(call);
    return CW_NET_ERR_ARGUMENT;
}

static bool may_be_sent(unsigned status, cw_http_fields fields)
{
    return status >= 200 && status <= 599 && cw__fields_refusal(fields, false) == NULL;
}

/* The body coded as chosen, with an encoder that is kept; false: it is sent as it is. */
static bool code_body(cw_http_server *s, unsigned coding, cw_bytes *body)
{
    cw_net_error e;
    cw__coder *encoder = cw__server_encoder(s, coding);
    cw__buf_clear(&s->scratch);
    if (encoder == NULL || cw__encode(encoder, *body, true, &s->scratch, &e) != CW_NET_OK ||
        cw__buf_len(&s->scratch) >= body->len) {
        return false;
    }
    *body = cw__buf_bytes(&s->scratch);
    return true;
}

static cw_net_status send_whole(cw_http_call *call, unsigned status, cw_http_fields fields,
                                cw_bytes body)
{
    cw_http_server *s = call->server;
    choice ch = choose(call, status, fields, body.len);
    if (ch.coding != 0 && is_head_request(call)) {
        /* Coding a body only to learn its length would be a waste: no content-length is sent. */
        cw_net_status st = send_head(call, status, fields, ch, cw_bytes_of(NULL, 0), false);
        return st == CW_NET_OK ? send_end(call, (cw_http_fields){NULL, 0}) : st;
    }
    if (ch.coding != 0 && !code_body(s, ch.coding, &body)) {
        ch.coding = 0;
    }
    cw_net_status st = send_head(call, status, fields, ch, body, true);
    cw__buf_trim(&s->scratch, CW__KEPT_BODY);
    return st;
}

/* ---- what a handler does -----------------------------------------------------------------------
 */

cw_net_status cw_http_respond(cw_http_call *call, unsigned status, cw_http_fields fields,
                              cw_bytes body)
{
    if (call->is_answered || call->is_started) {
        return CW_NET_ERR_ARGUMENT;
    }
    if (!may_be_sent(status, fields)) {
        return refuse_answer(call);
    }
    cw_net_status st = is_mute(call) ? CW_NET_OK : send_whole(call, status, fields, body);
    if (st == CW_NET_ERR_ARGUMENT) {
        return refuse_answer(call); /* more than the core can send */
    }
    cw__call_answered(call);
    return st;
}

cw_net_status cw_http_start(cw_http_call *call, unsigned status, cw_http_fields fields)
{
    if (call->is_answered || call->is_started) {
        return CW_NET_ERR_ARGUMENT;
    }
    if (!may_be_sent(status, fields)) {
        return refuse_answer(call);
    }
    call->is_started = true;
    if (is_mute(call)) {
        return CW_NET_OK;
    }
    choice ch = choose(call, status, fields, SIZE_MAX);
    if (ch.coding != 0 && !is_head_request(call)) {
        call->encoder = cw__encoder_open(ch.coding, cw__coding_level(call->server, ch.coding));
        ch.coding = call->encoder != NULL ? ch.coding : 0;
    }
    cw_net_status st = send_head(call, status, fields, ch, cw_bytes_of(NULL, 0), false);
    if (st == CW_NET_ERR_ARGUMENT) {
        return refuse_answer(call);
    }
    if (st != CW_NET_OK) {
        cw__call_answered(call);
    }
    return st;
}

/* What goes out for a piece, in the server's scratch buffer. */
static cw_net_status code_piece(cw_http_call *call, bool last, cw_bytes *piece)
{
    cw__buf *out = &call->server->scratch;
    cw_net_error e;
    if (call->encoder == NULL) {
        return CW_NET_OK;
    }
    cw__buf_clear(out);
    cw_net_status st = cw__encode(call->encoder, *piece, last, out, &e);
    if (st != CW_NET_OK) {
        reset(call, st, "content coding");
        return st;
    }
    *piece = cw__buf_bytes(out);
    return CW_NET_OK;
}

cw_net_status cw_http_write(cw_http_call *call, cw_bytes piece)
{
    if (!call->is_started || call->is_answered) {
        return CW_NET_ERR_ARGUMENT;
    }
    if (is_mute(call)) {
        return CW_NET_OK;
    }
    cw_net_status st = code_piece(call, false, &piece);
    st = st == CW_NET_OK ? send_piece(call, piece) : st;
    cw__buf_trim(&call->server->scratch, CW__KEPT_BODY);
    if (st != CW_NET_OK) {
        cw__call_answered(call);
    }
    return st;
}

size_t cw_http_unsent(const cw_http_call *call)
{
    return call->stream == NULL || call->is_reset ? 0
                                                  : call->stream->core->ops->unsent(call->stream);
}

cw_net_status cw_http_end(cw_http_call *call, cw_http_fields trailers)
{
    if (!call->is_started || call->is_answered) {
        return CW_NET_ERR_ARGUMENT;
    }
    cw_net_status st = CW_NET_OK;
    if (cw__fields_refusal(trailers, true) != NULL) {
        st = CW_NET_ERR_ARGUMENT;
        if (!is_mute(call)) {
            reset(call, st, "trailers");
        }
    } else if (!is_mute(call)) {
        cw_bytes last = {NULL, 0};
        st = code_piece(call, true, &last);
        st = st == CW_NET_OK ? send_piece(call, last) : st;
        st = st == CW_NET_OK ? send_end(call, trailers) : st;
        cw__buf_trim(&call->server->scratch, CW__KEPT_BODY);
    }
    cw__call_answered(call);
    return st;
}

void cw_http_abort(cw_http_call *call)
{
    if (call->stream != NULL && !call->is_refused) {
        reset(call, CW_NET_ERR_CANCELLED, "by the handler");
    }
    if (!call->is_answered) {
        cw__call_answered(call);
    }
}
