/* SPDX-License-Identifier: MIT */
/* A request on its way out: checked, completed with our fields, copied where it has to wait. */
#include "client_internal.h"

#include <stdlib.h>

#include "http2.h"
#include "target.h"

enum { CONTINUE_MS = 1000 }; /* how long "100 Continue" is waited for: RFC 9110, 10.1.1 */

/* ---- what may be sent --------------------------------------------------------------------------
 */

/* Tokens that are methods somewhere; RFC 9110 would take more signs. */
static bool is_method(cw_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        bool is_alnum = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!is_alnum && c != '-' && c != '_') {
            return false;
        }
    }
    return true;
}

static bool is_path(cw_str s, cw_str method)
{
    bool is_form = s.data[0] == '/' ||
                   (s.len == 1 && s.data[0] == '*' && cw_str_equal(method, CW_STR("OPTIONS")));
    return is_form && cw__is_target(s);
}

static const char *fields_refusal(cw_http_fields fields)
{
    for (size_t i = 0; i < fields.len; i++) {
        if (cw__name_is(fields.data[i].name, "accept-encoding")) {
            return "accept-encoding is the client's to write";
        }
    }
    return cw__fields_refusal(fields, false);
}

static cw_net_status check(const cw_http_request *r, cw_net_error *e)
{
    const char *wrong = r->on_response == NULL ? "no on_response" : fields_refusal(r->fields);
    if (wrong == NULL && !is_method(r->method)) {
        wrong = "the method is none";
    }
    if (wrong == NULL && r->path.len > 0 && !is_path(r->path, r->method)) {
        wrong = "the path is none";
    }
    if (wrong != NULL) {
        return cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "%s", wrong);
    }
    if (cw_str_equal(r->method, CW_STR("CONNECT"))) {
        return cw_net_error_set(e, CW_NET_ERR_UNSUPPORTED, 0, "%s", "CONNECT");
    }
    return CW_NET_OK;
}

/* RFC 9110, 9.2.2. */
static bool is_idempotent(cw_str method)
{
    static const char *const methods[] = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (cw_str_equal(method, cw_str_from(methods[i]))) {
            return true;
        }
    }
    return false;
}

/* ---- what is sent ------------------------------------------------------------------------------
 */

/* A head with views of the caller's memory and the client's, and the body, coded or not. */
typedef struct outgoing {
    cw_http_head head;
    cw_bytes body;
} outgoing;

/* Bodies that the user has coded, and small ones, stay as they are. */
static unsigned coding_of(const cw_http_client *c, const cw_http_request *r)
{
    if (r->streamed || r->body.len < c->o.coding.min_size) {
        return 0;
    }
    for (size_t i = 0; i < r->fields.len; i++) {
        if (cw__name_is(r->fields.data[i].name, "content-encoding")) {
            return 0;
        }
    }
    return c->o.coding.request_coding;
}

/* Puts the coded body in the place of out->body, unless it is no smaller; then *coding is 0. */
static cw_net_status encode(cw_http_client *c, unsigned *coding, outgoing *out, cw_net_error *e)
{
    const cw_http_coding_options *o = &c->o.coding;
    if (c->encoder == NULL) {
        int level = *coding == CW_HTTP_BR ? o->br_quality : o->gzip_level;
        c->encoder = cw__encoder_open(*coding, level);
    }
    if (c->encoder == NULL || !cw__coder_reset(c->encoder)) {
        return cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "%s", "encoder");
    }
    cw__buf_clear(&c->coded);
    cw_net_status st = cw__encode(c->encoder, out->body, true, &c->coded, e);
    if (st == CW_NET_OK && cw__buf_len(&c->coded) < out->body.len) {
        out->body = cw__buf_bytes(&c->coded);
    } else {
        *coding = 0;
    }
    return st;
}

/* The user's fields and ours, in the client's array. */
static cw_net_status add_fields(cw_http_client *c, unsigned coding, cw_http_fields *fields,
                                cw_net_error *e)
{
    size_t wanted = fields->len + 2;
    if (wanted > c->fields_cap) {
        cw_http_field *grown = realloc(c->fields, 2 * wanted * sizeof *grown);
        if (grown == NULL) {
            return cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "%s", "fields");
        }
        c->fields = grown;
        c->fields_cap = 2 * wanted;
    }
    size_t n = fields->len;
    if (n > 0) {
        memcpy(c->fields, fields->data, n * sizeof *c->fields);
    }
    if (c->o.coding.codings != 0) {
        c->fields[n].name = CW_STR("accept-encoding");
        c->fields[n++].value = cw_str_from(cw__coding_accept(c->o.coding.codings));
    }
    if (coding != 0) {
        c->fields[n].name = CW_STR("content-encoding");
        c->fields[n++].value = cw_str_from(cw__coding_name(coding));
    }
    *fields = (cw_http_fields){c->fields, n};
    return CW_NET_OK;
}

static cw_net_status complete(cw_http_client *c, const cw_http_request *r, outgoing *out,
                              cw_net_error *e)
{
    *out = (outgoing){
        .head = {.method = r->method,
                 .scheme = c->origin.is_tls ? CW_STR("https") : CW_STR("http"),
                 .authority = cw_str_from(c->origin.authority),
                 .path = r->path.len > 0 ? r->path : CW_STR("/"),
                 .fields = r->fields},
        .body = r->body,
    };
    if (r->method.len == 0) {
        out->head.method = r->body.len > 0 || r->streamed ? CW_STR("POST") : CW_STR("GET");
    }
    unsigned coding = coding_of(c, r);
    cw_net_status st = coding != 0 ? encode(c, &coding, out, e) : CW_NET_OK;
    if (st == CW_NET_OK && (coding != 0 || c->o.coding.codings != 0)) {
        st = add_fields(c, coding, &out->head.fields, e);
    }
    return st;
}

static cw_net_status keep_copy(cw_http_exchange *x, const outgoing *out, cw_net_error *e)
{
    if (!cw__fields_keep_head(&x->copy, &out->head, &x->head) ||
        !cw__buf_append_bytes(&x->upload, out->body)) {
        return cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "%s", "request");
    }
    x->has_copy = true;
    return CW_NET_OK;
}

/* ---- sending -----------------------------------------------------------------------------------
 */

/* The upload was ended before there was a stream. */
static void end_upload(cw_http_exchange *x)
{
    cw_net_error e;
    cw_net_status st = x->stream->core->ops->end(x->stream, x->upload_trailers);
    if (st != CW_NET_OK) {
        cw_net_error_set(&e, st, 0, "%s", "trailers");
        cw__exchange_fail(x, &e);
    }
}

static cw_net_status begin(cw_http_exchange *x, cw__link *l, const outgoing *out, cw_net_error *e)
{
    cw_http_client *c = x->client;
    cw__core *core = l->connection->core;
    bool is_whole = !x->is_streamed || (x->has_ended_upload && x->upload_trailers.len == 0);
    bool is_held = x->expects_continue && core->version != CW_HTTP_2;
    cw__stream *s = core->ops->request(core, &out->head, out->body, is_whole, is_held, x, e);
    if (s == NULL) {
        return e->status;
    }
    x->state = CW__IN_FLIGHT;
    x->stream = s;
    x->link = l;
    x->is_reused = l->carried > 0;
    x->is_held = is_held;
    c->in_flight++;
    l->in_flight++;
    l->carried++;
    if (is_held) {
        uint64_t until = cw__client_now() + CONTINUE_MS;
        cw__client_set_timer(c, x, until < x->deadline_ms ? until : x->deadline_ms);
    }
    if (!is_whole && x->has_ended_upload) {
        end_upload(x);
    }
    cw__connection_touch(l->connection);
    cw__link_update(l);
    return CW_NET_OK;
}

cw_net_status cw__request_start(cw_http_exchange *x, cw__link *l, cw_net_error *e)
{
    const outgoing out = {.head = x->head, .body = cw__buf_bytes(&x->upload)};
    return begin(x, l, &out, e);
}

static bool fill(cw_http_exchange *x, const cw_http_request *r, const outgoing *out)
{
    x->user = r->user;
    x->on_response = r->on_response;
    x->on_head = r->on_head;
    x->on_body = r->on_body;
    x->on_writable = r->on_writable;
    x->is_streamed = r->streamed;
    x->is_idempotent = is_idempotent(out->head.method);
    x->expects_continue = r->expect && (r->streamed || r->body.len > 0);
    x->deadline_ms = UINT64_MAX;
    if (r->timeout_ms > 0) {
        x->deadline_ms = cw__client_now() + r->timeout_ms;
    } else if (!x->expects_continue) {
        return true;
    }
    /* Set here for a place in the heap: from now on it only moves, which takes no memory. */
    return cw__client_set_timer(x->client, x, x->deadline_ms);
}

/*
 * May it have to be sent again? An idle HTTP/1.1 connection may be closed by the server while the
 * request is on its way; an HTTP/2 server that has not told its limits yet may refuse streams. In
 * all other cases the copy is saved.
 */
static bool wants_copy(const cw_http_exchange *x, const cw__link *l)
{
    const cw__core *core = l->connection->core;
    if (x->is_streamed) {
        return false;
    }
    return core->version == CW_HTTP_2 ? !cw__http2_is_ready(core)
                                      : x->is_idempotent && l->carried > 0;
}

static cw_net_status begin_or_queue(cw_http_exchange *x, cw__link *l, const outgoing *out,
                                    cw_net_error *e)
{
    cw_http_client *c = x->client;
    if (l == NULL || wants_copy(x, l)) {
        cw_net_status st = keep_copy(x, out, e);
        if (st != CW_NET_OK) {
            return st;
        }
    }
    if (l != NULL) {
        return begin(x, l, out, e);
    }
    x->state = CW__QUEUED;
    cw__list_add(&c->queue, x);
    c->may_grow = true;
    if (!c->in_closed && cw__links_are_short(c)) {
        cw__client_wake(c);
    }
    return CW_NET_OK;
}

cw_net_status cw_http_send(cw_http_client *c, const cw_http_request *request, cw_http_exchange **x,
                           cw_net_error *e)
{
    cw_net_error ignored;
    e = e != NULL ? e : &ignored;
    if (c->is_closing) {
        return cw_net_error_set(e, CW_NET_ERR_SHUTDOWN, 0, "%s", "the client is closed");
    }
    outgoing out;
    cw_net_status st = check(request, e);
    if (st != CW_NET_OK) {
        return st;
    }
    size_t waiting = cw_http_client_queued(c);
    cw__link *l = waiting == 0 ? cw__link_pick(c) : NULL;
    if (l == NULL && c->o.max_queued > 0 && waiting >= c->o.max_queued) {
        return cw_net_error_set(e, CW_NET_ERR_BUSY, 0, "%zu requests wait", waiting);
    }
    st = complete(c, request, &out, e);
    if (st != CW_NET_OK) {
        return st;
    }
    cw_http_exchange *made = cw__exchange_take(c);
    if (made == NULL || !fill(made, request, &out)) {
        st = cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "%s", "request");
    } else {
        st = begin_or_queue(made, l, &out, e);
    }
    cw__buf_trim(&c->coded, CW__KEPT_BODY);
    if (st != CW_NET_OK) {
        if (made != NULL) {
            cw__exchange_recycle(made);
        }
        return st;
    }
    c->pool.counters.requests++;
    if (x != NULL) {
        *x = made;
    }
    return CW_NET_OK;
}
