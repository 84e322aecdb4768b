/* SPDX-License-Identifier: MIT */
/*
 * fuzz_http1.c: any bytes from the peer of an HTTP/1.1 core, server or client.
 *
 *   - However the bytes are cut, the same events come out and the same bytes are sent.
 *   - Events come in their order, each stream is closed once, and what a head shows is what the
 *     header promises: names in lower case, no line ends, nothing that is the connection's.
 *   - A server answers every request that is complete, unless it refused it; a client has a whole
 *     response or an error.
 *   - After an error nothing happens any more.
 *
 * An input is three bytes and then what the peer sends:
 *   flags   FLAG_* below
 *   seed    of the cuts (two bytes)
 */
#include <stdio.h>
#include <stdlib.h>

#include "fields.h"
#include "http1.h"
#include "support.h"

enum {
    FLAG_CLIENT = 1,
    FLAG_HEAD = 2,       /* client: HEAD; server: answers in on_head */
    FLAG_HOLD = 4,       /* client: the body waits for "100 Continue" */
    FLAG_LATE = 4,       /* server: answers after feed has returned */
    FLAG_STREAMED = 8,   /* our message is written in pieces */
    FLAG_SMALL = 16,     /* small limits */
    FLAG_HALF_OPEN = 32, /* the peer's last byte is told at once, not after all answers */
    HEADER = 3
};

/* An owner that writes down what happens, joined so that it does not depend on the cuts. */
typedef struct owner {
    cw__core *core;
    unsigned flags;
    cw__buf log, body, sent;
    cw__stream *open; /* the stream in work */
    bool has_head, has_end, is_answered;
    bool has_failed;
    unsigned ended, well, answered;
} owner;

static void add(owner *o, const void *data, size_t len)
{
    FUZZ_CHECK(cw__buf_append(&o->log, data, len));
}

static void add_str(owner *o, const char *before, cw_str s)
{
    add(o, before, strlen(before));
    add(o, s.data, s.len);
}

static void add_fields(owner *o, cw_http_fields fields)
{
    for (size_t i = 0; i < fields.len; i++) {
        add_str(o, "\n ", fields.data[i].name);
        add_str(o, ": ", fields.data[i].value);
    }
}

static void check_fields(cw_http_fields fields)
{
    static const char *const hidden[] = {"connection", "keep-alive",        "proxy-connection",
                                         "upgrade",    "transfer-encoding", "te"};
    for (size_t i = 0; i < fields.len; i++) {
        cw_str name = fields.data[i].name, value = fields.data[i].value;
        FUZZ_CHECK(name.len > 0);
        for (size_t c = 0; c < name.len; c++) {
            FUZZ_CHECK(name.data[c] > ' ' && name.data[c] != ':' && name.data[c] < 0x7f &&
                       (name.data[c] < 'A' || name.data[c] > 'Z'));
        }
        for (size_t c = 0; c < value.len; c++) {
            FUZZ_CHECK(value.data[c] != '\r' && value.data[c] != '\n' && value.data[c] != '\0');
        }
        for (size_t n = 0; n < sizeof hidden / sizeof hidden[0]; n++) {
            FUZZ_CHECK(!cw__name_is(name, hidden[n]));
        }
    }
}

/* ---- answers -----------------------------------------------------------------------------------
 */

static void answer(owner *o, cw__stream *s)
{
    static const cw_http_field field = {CW_STR_INIT("t"), CW_STR_INIT("1")};
    const cw_http_fields fields = {&field, 1};
    const cw__core_ops *ops = o->core->ops;
    o->is_answered = true;
    o->answered++;
    if (!(o->flags & FLAG_STREAMED)) {
        FUZZ_CHECK(ops->respond(s, 200, fields, cw_bytes_of("hello", 5), true) == CW_NET_OK);
        return;
    }
    FUZZ_CHECK(ops->respond(s, 404, fields, cw_bytes_of("ab", 2), false) == CW_NET_OK);
    FUZZ_CHECK(ops->write(s, cw_bytes_of("cde", 3)) == CW_NET_OK);
    FUZZ_CHECK(ops->end(s, fields) == CW_NET_OK);
}

/* ---- events ------------------------------------------------------------------------------------
 */

static void begin(owner *o, cw__stream *s)
{
    FUZZ_CHECK(o->open == NULL && !o->has_failed);
    o->open = s;
    o->has_head = o->has_end = o->is_answered = false;
    cw__buf_clear(&o->body);
}

static void on_stream(void *ctx, cw__stream *s)
{
    owner *o = ctx;
    begin(o, s);
    add(o, "stream\n", 7);
}

static void on_head(void *ctx, cw__stream *s)
{
    owner *o = ctx;
    const cw_http_head *h = &s->head;
    FUZZ_CHECK(s == o->open && !o->has_head);
    o->has_head = true;
    check_fields(h->fields);
    if (o->flags & FLAG_CLIENT) {
        FUZZ_CHECK(h->status >= 200 && h->status <= 599);
    } else {
        FUZZ_CHECK(h->method.len > 0 && h->path.len > 0);
        FUZZ_CHECK(h->path.data[0] == '/' || cw_str_equal(h->path, CW_STR("*")));
        FUZZ_CHECK(h->authority.len > 0 || h->version == CW_HTTP_1_0);
        FUZZ_CHECK(cw_str_equal(cw_http_find(h->fields, "host"), CW_STR("")));
    }
    char numbers[40];
    int n = snprintf(numbers, sizeof numbers, "head %d %u ", (int)h->version, h->status);
    add(o, numbers, (size_t)n);
    add_str(o, "", h->method);
    add_str(o, " ", h->authority);
    add_str(o, " ", h->path);
    add_fields(o, h->fields);
    add(o, "\n", 1);
    if (!(o->flags & FLAG_CLIENT)) {
        o->core->ops->send_continue(s);
        if (o->flags & FLAG_HEAD) {
            answer(o, s);
        }
    }
}

static void on_continue(void *ctx, cw__stream *s)
{
    owner *o = ctx;
    FUZZ_CHECK((o->flags & FLAG_CLIENT) && s == o->open && !o->has_head);
    add(o, "continue\n", 9);
}

static void on_body(void *ctx, cw__stream *s, cw_bytes piece)
{
    owner *o = ctx;
    FUZZ_CHECK(s == o->open && o->has_head && !o->has_end && piece.len > 0);
    FUZZ_CHECK(!o->is_answered);
    FUZZ_CHECK(cw__buf_append_bytes(&o->body, piece));
    o->core->ops->consume(s, piece.len);
}

static void on_end(void *ctx, cw__stream *s)
{
    owner *o = ctx;
    FUZZ_CHECK(s == o->open && o->has_head && !o->has_end && s->received);
    FUZZ_CHECK(!o->is_answered);
    o->has_end = true;
    o->ended++;
    check_fields(s->trailers);
    add(o, "end ", 4);
    add(o, o->body.data, cw__buf_len(&o->body));
    add_fields(o, s->trailers);
    add(o, "\n", 1);
    if (!(o->flags & (FLAG_CLIENT | FLAG_LATE))) {
        answer(o, s);
    }
}

static void on_closed(void *ctx, cw__stream *s, const cw_net_error *why)
{
    owner *o = ctx;
    FUZZ_CHECK(s == o->open);
    o->open = NULL;
    if (why->status == CW_NET_OK) {
        o->well++;
        FUZZ_CHECK(o->flags & FLAG_CLIENT ? o->has_end : o->is_answered);
    }
    char text[100];
    int n = snprintf(text, sizeof text, "closed %s %d %zu\n", cw_net_status_name(why->status),
                     why->code, cw__buf_len(&o->body));
    add(o, text, (size_t)n);
}

static const cw__core_events events = {
    .on_stream = on_stream,
    .on_head = on_head,
    .on_continue = on_continue,
    .on_body = on_body,
    .on_end = on_end,
    .on_closed = on_closed,
};

/* ---- a run -------------------------------------------------------------------------------------
 */

static void open_owner(owner *o, unsigned flags)
{
    cw_http_limits small = {.max_header_bytes = 200, .max_header_fields = 4};
    cw_http_limits limits = cw_http_limits_of(flags & FLAG_SMALL ? &small : NULL);
    *o = (owner){.flags = flags};
    o->core = cw__http1_open(!(flags & FLAG_CLIENT), "http", &limits, &events, o);
    FUZZ_CHECK(o->core);
    if (!(flags & FLAG_CLIENT)) {
        return;
    }
    const cw_http_head head = {.method = flags & FLAG_HEAD ? CW_STR("HEAD") : CW_STR("GET"),
                               .authority = CW_STR("x"),
                               .path = CW_STR("/")};
    cw_net_error e;
    cw_bytes body = cw_bytes_of("body", flags & (FLAG_HOLD | FLAG_STREAMED) ? 4 : 0);
    cw__stream *s = o->core->ops->request(o->core, &head, body, !(flags & FLAG_STREAMED),
                                          flags & FLAG_HOLD, o, &e);
    FUZZ_CHECK(s);
    begin(o, s);
    if (flags & FLAG_STREAMED) {
        FUZZ_CHECK(o->core->ops->end(s, (cw_http_fields){NULL, 0}) == CW_NET_OK);
    }
}

/* Answers that are owed, and output, until nothing moves. */
static void turn(owner *o)
{
    const cw__core_ops *ops = o->core->ops;
    cw_net_error e;
    do {
        if (o->open != NULL && o->has_end && !o->is_answered && (o->flags & FLAG_LATE) &&
            !(o->flags & FLAG_CLIENT)) {
            answer(o, o->open);
        }
        FUZZ_CHECK(ops->drain(o->core, &o->sent, SIZE_MAX, &e) == CW_NET_OK);
    } while (ops->wants_write(o->core) ||
             (o->open != NULL && o->has_end && !o->is_answered && !(o->flags & FLAG_CLIENT)));
}

static void feed(owner *o, const uint8_t *data, size_t len)
{
    const cw__core_ops *ops = o->core->ops;
    cw_net_error e = {.status = CW_NET_OK};
    uint8_t *exact = malloc(len);
    FUZZ_CHECK(exact);
    memcpy(exact, data, len);
    size_t logged = o->log.end, sent = o->sent.end;
    cw_net_status st = ops->feed(o->core, cw_bytes_of(exact, len), &e);
    free(exact);
    FUZZ_CHECK(st == CW_NET_OK || e.status == st);
    if (o->has_failed) {
        turn(o);
        FUZZ_CHECK(st != CW_NET_OK && o->log.end == logged && o->sent.end == sent);
    } else if (st != CW_NET_OK) {
        o->has_failed = true;
        FUZZ_CHECK(o->open == NULL && e.detail[0] != '\0');
    }
    turn(o);
    FUZZ_CHECK(!o->has_failed || ops->is_done(o->core));
}

static void finish(owner *o)
{
    const cw__core_ops *ops = o->core->ops;
    cw_net_error e = {.status = CW_NET_OK};
    cw_net_status st = ops->feed_end(o->core, &e);
    FUZZ_CHECK(st == CW_NET_OK || e.status == st);
    turn(o);
    FUZZ_CHECK(o->open == NULL && ops->is_done(o->core) && ops->streams(o->core) == 0);
    FUZZ_CHECK(o->flags & FLAG_CLIENT ? o->well == o->ended : o->well == o->answered);
    cw_net_error why = {.status = CW_NET_ERR_SHUTDOWN};
    ops->free(o->core, &why);
    cw__buf_free(&o->body);
}

/* step: the cuts; 0: none, 1: everywhere, else what a seed makes of it. */
static void run(owner *o, unsigned flags, const uint8_t *data, size_t len, unsigned step)
{
    open_owner(o, flags);
    if (flags & FLAG_CLIENT) {
        turn(o);
    }
    for (size_t at = 0; at < len;) {
        size_t n = step == 0 ? len : step == 1 ? 1 : step % 97 % 31 + 1;
        n = n < len - at ? n : len - at;
        if (flags & FLAG_HALF_OPEN && at + n == len && step == 0) {
            /* The same as telling it later: what is complete is answered. */
            cw_net_error e;
            o->core->ops->feed(o->core, cw_bytes_of(data + at, n), &e);
            o->core->ops->feed_end(o->core, &e);
            turn(o);
            o->has_failed = true;
        } else {
            feed(o, data + at, n);
        }
        at += n;
        step = step > 1 ? step * 1103515245u + 12345u : step;
    }
    finish(o);
}

static void free_logs(owner *o)
{
    cw__buf_free(&o->log);
    cw__buf_free(&o->sent);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= HEADER) {
        return 0;
    }
    unsigned flags = data[0], seed = 256u * data[1] + data[2] + 2;
    owner whole, cut;
    run(&whole, flags, data + HEADER, size - HEADER, 0);
    const unsigned steps[] = {1, seed, seed ^ 0x5555u};
    for (size_t i = 0; i < 3; i++) {
        run(&cut, flags, data + HEADER, size - HEADER, steps[i] == 0 ? 1 : steps[i]);
        FUZZ_CHECK(cw_bytes_equal(cw__buf_bytes(&whole.log), cw__buf_bytes(&cut.log)));
        /* A body that was held leaves, or doesn't, before the response comes. */
        FUZZ_CHECK((flags & FLAG_CLIENT && flags & FLAG_HOLD) ||
                   cw_bytes_equal(cw__buf_bytes(&whole.sent), cw__buf_bytes(&cut.sent)));
        free_logs(&cut);
    }
    free_logs(&whole);
    return 0;
}
