/* SPDX-License-Identifier: MIT */
/*
 * fuzz_http2.c: any bytes as what a peer sends to an HTTP/2 core, server or client.
 *
 *   - Each stream is closed once, and nothing is told of it afterwards; its events are in order.
 *   - No more streams are open than the limit says, and memory is bounded.
 *   - A connection that has failed stays so, with every stream closed, and still can be drained.
 *
 * An input is three bytes, then what the peer sends:
 *   flags   FUZZ_* below
 *   cut     size of the pieces in which it arrives, 0: as a whole
 *   owner   how requests are answered, and when bodies are consumed
 */
#include <stdlib.h>

#include "http2_internal.h"
#include "support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    IS_CLIENT = 1,
    HAS_PREFACE = 2, /* a right preface and SETTINGS come first */
    IS_TIGHT = 4,    /* small limits and windows */
    KEEPS_BODY = 8,  /* bytes are consumed at the end of a message only */
    IS_SWEPT = 16,   /* a second passes with each piece */
    SHUTS_DOWN = 32, /* with the second piece */
    HEADER = 3,
    MAX_ALIVE = 512,
    REQUESTS = 12,
    MEMORY = 4 << 20
};

typedef struct owner {
    unsigned flags, way;
    cw__core *core;
    uint64_t now;
    size_t used; /* by nghttp2 */
    size_t alive, requests;
    cw__stream *streams[MAX_ALIVE];
    size_t kept[MAX_ALIVE]; /* bytes not consumed */
} owner;

static uint64_t now_of(void *ctx)
{
    return ((owner *)ctx)->now;
}

/* ---- nghttp2's memory is counted --------------------------------------------------------------
 */

static void *heap_realloc(void *old, size_t size, void *user)
{
    owner *o = user;
    size_t *block = old != NULL ? (size_t *)old - 2 : NULL;
    size_t had = block != NULL ? block[0] : 0;
    block = realloc(block, size + 2 * sizeof *block);
    FUZZ_CHECK(block);
    block[0] = size;
    o->used += size - had;
    FUZZ_CHECK(o->used < MEMORY);
    return block + 2;
}

static void *heap_malloc(size_t size, void *user)
{
    return heap_realloc(NULL, size, user);
}

static void *heap_calloc(size_t n, size_t size, void *user)
{
    return memset(heap_realloc(NULL, n * size, user), 0, n * size);
}

static void heap_free(void *p, void *user)
{
    if (p != NULL) {
        ((owner *)user)->used -= ((size_t *)p - 2)[0];
        free((size_t *)p - 2);
    }
}

/* ---- the owner --------------------------------------------------------------------------------
 */

static size_t index_of(const owner *o, const cw__stream *s)
{
    size_t i = 0;
    while (i < o->alive && o->streams[i] != s) {
        i++;
    }
    FUZZ_CHECK(i < o->alive);
    return i;
}

static void add(owner *o, cw__stream *s)
{
    FUZZ_CHECK(o->alive < MAX_ALIVE);
    o->streams[o->alive] = s;
    o->kept[o->alive++] = 0;
}

static void request(owner *o)
{
    static const cw_http_field field = {CW_STR_INIT("x-field"), CW_STR_INIT("value")};
    const cw_http_head head = {.method = o->requests % 3 == 0 ? CW_STR("HEAD") : CW_STR("POST"),
                               .scheme = CW_STR("http"),
                               .authority = CW_STR("host"),
                               .path = CW_STR("/"),
                               .fields = {&field, 1}};
    cw_net_error e;
    if (o->requests == REQUESTS || o->core->ops->room(o->core) == 0) {
        return;
    }
    bool end = o->requests % 4 != 1;
    cw__stream *s =
        o->core->ops->request(o->core, &head, cw_bytes_of("request", 7), end, false, o, &e);
    FUZZ_CHECK(s && s->owner == o);
    add(o, s);
    o->requests++;
}

static void on_stream(void *ctx, cw__stream *s)
{
    owner *o = ctx;
    FUZZ_CHECK(s->owner == NULL && !s->head_seen && !s->received);
    s->owner = o;
    add(o, s);
}

static void check_text(cw_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        FUZZ_CHECK(s.data[i] != '\n' && s.data[i] != '\0');
    }
}

static void check_fields(cw_http_fields fields)
{
    for (size_t i = 0; i < fields.len; i++) {
        FUZZ_CHECK(fields.data[i].name.len > 0 && fields.data[i].name.data[0] != ':');
        check_text(fields.data[i].name);
        check_text(fields.data[i].value);
    }
}

static void give_up(cw__stream *s)
{
    const cw_net_error why = {.status = CW_NET_ERR_BODY_LIMIT};
    s->core->ops->reset(s, &why);
}

static void on_head(void *ctx, cw__stream *s)
{
    owner *o = ctx;
    const cw_http_head *h = &s->head;
    (void)index_of(o, s);
    FUZZ_CHECK(s->head_seen && !s->received && h->version == CW_HTTP_2);
    check_fields(h->fields);
    if ((o->flags & IS_CLIENT) != 0) {
        FUZZ_CHECK(h->status >= 200 && h->status <= 999);
        return;
    }
    FUZZ_CHECK(h->method.len > 0 && h->scheme.len > 0 && h->authority.len > 0 && h->path.len > 0);
    check_text(h->path);
    check_text(h->authority);
    switch (o->way % 5) {
    case 0:
        give_up(s);
        break;
    case 1:
        FUZZ_CHECK(s->core->ops->respond(s, 413, h->fields, cw_bytes_of("early", 5), true) !=
                   CW_NET_ERR_MEMORY);
        break;
    default:
        s->core->ops->send_continue(s);
        break;
    }
}

static void on_continue(void *ctx, cw__stream *s)
{
    (void)index_of(ctx, s);
    FUZZ_CHECK(!s->head_seen);
}

static void on_body(void *ctx, cw__stream *s, cw_bytes piece)
{
    owner *o = ctx;
    size_t i = index_of(o, s);
    FUZZ_CHECK(s->head_seen && !s->received && piece.len > 0);
    if ((o->flags & KEEPS_BODY) != 0) {
        o->kept[i] += piece.len;
    } else {
        s->core->ops->consume(s, piece.len);
    }
    if (o->way % 7 == 3 && piece.data[0] == 'x') {
        give_up(s);
    }
}

/* The answer: whole, in pieces, or with trailers. */
static void answer(owner *o, cw__stream *s)
{
    static const char body[70000];
    static const cw_http_field trailer = {CW_STR_INIT("x-t"), CW_STR_INIT("v")};
    const cw__core_ops *ops = s->core->ops;
    size_t n = o->way % 3 == 0 ? sizeof body : o->way % 11;
    bool end = o->way % 2 == 0;
    cw_net_status st = ops->respond(s, 200 + o->way % 200, (cw_http_fields){&trailer, 1},
                                    cw_bytes_of(body, n), end);
    FUZZ_CHECK(st == CW_NET_OK || st == CW_NET_ERR_ARGUMENT); /* it was answered at its head */
    if (st == CW_NET_OK && !end) {
        FUZZ_CHECK(ops->write(s, cw_bytes_of(body, 5)) == CW_NET_OK);
        FUZZ_CHECK(ops->end(s, (cw_http_fields){&trailer, o->way % 4 == 1}) == CW_NET_OK);
    }
}

static void on_end(void *ctx, cw__stream *s)
{
    owner *o = ctx;
    size_t i = index_of(o, s);
    FUZZ_CHECK(s->head_seen && s->received);
    check_fields(s->trailers);
    s->core->ops->consume(s, o->kept[i]);
    o->kept[i] = 0;
    if ((o->flags & IS_CLIENT) == 0) {
        answer(o, s);
    }
}

static void on_writable(void *ctx, cw__stream *s)
{
    (void)index_of(ctx, s);
    FUZZ_CHECK(s->core->ops->unsent(s) < CW__LOW_WATER);
}

static void on_closed(void *ctx, cw__stream *s, const cw_net_error *why)
{
    owner *o = ctx;
    size_t i = index_of(o, s);
    FUZZ_CHECK((unsigned)why->status < CW_NET_STATUS_COUNT);
    FUZZ_CHECK(why->status != CW_NET_OK || s->received || s->sent);
    o->alive--;
    o->streams[i] = o->streams[o->alive];
    o->kept[i] = o->kept[o->alive];
    if ((o->flags & IS_CLIENT) == 0) {
        cw__http2_late_answer(o->core);
    }
}

static void on_room(void *ctx)
{
    request(ctx);
}

static const cw__core_events events = {
    .on_stream = on_stream,
    .on_head = on_head,
    .on_continue = on_continue,
    .on_body = on_body,
    .on_end = on_end,
    .on_writable = on_writable,
    .on_closed = on_closed,
    .on_room = on_room,
};

/* ---- the peer ---------------------------------------------------------------------------------
 */

static cw_net_status feed(owner *o, const void *data, size_t len)
{
    cw_net_error e = {.status = CW_NET_OK};
    uint8_t *exact = malloc(len > 0 ? len : 1);
    FUZZ_CHECK(exact);
    if (len > 0) {
        memcpy(exact, data, len);
    }
    cw_net_status st = o->core->ops->feed(o->core, cw_bytes_of(exact, len), &e);
    free(exact);
    FUZZ_CHECK(e.status == st && st != CW_NET_ERR_MEMORY && st != CW_NET_ERR_IO);
    FUZZ_CHECK(o->core->ops->streams(o->core) == o->alive);
    FUZZ_CHECK(st == CW_NET_OK || (o->alive == 0 && o->core->ops->is_done(o->core)));
    return st;
}

static void drain(owner *o)
{
    cw__buf out = {NULL, 0, 0, 0};
    cw_net_error e;
    FUZZ_CHECK(o->core->ops->drain(o->core, &out, 1 << 20, &e) == CW_NET_OK);
    FUZZ_CHECK(cw__buf_len(&out) < (1 << 20) + 70000);
    FUZZ_CHECK(o->core->ops->streams(o->core) == o->alive);
    cw__buf_free(&out);
}

static void begin(owner *o)
{
    static const char settings[] = "\0\0\0\4\0\0\0\0\0"  /* SETTINGS */
                                   "\0\0\0\4\1\0\0\0\0"; /* and the ACK of ours */
    drain(o);
    if ((o->flags & HAS_PREFACE) != 0) {
        if ((o->flags & IS_CLIENT) == 0) {
            FUZZ_CHECK(feed(o, CW__HTTP2_PREFACE, CW__HTTP2_PREFACE_LEN) == CW_NET_OK);
        }
        FUZZ_CHECK(feed(o, settings, sizeof settings - 1) == CW_NET_OK);
    }
    for (size_t i = 0; (o->flags & IS_CLIENT) != 0 && i < 4; i++) {
        request(o);
    }
    drain(o);
}

static void talk(owner *o, const uint8_t *data, size_t size, size_t cut)
{
    cw_net_status st = CW_NET_OK;
    cut = cut > 0 ? cut : size;
    for (size_t i = 0, n = 0; i < size; i += cut, n++) {
        cw_net_status now = feed(o, data + i, cut < size - i ? cut : size - i);
        FUZZ_CHECK(st == CW_NET_OK || now == st);
        st = now;
        if ((o->flags & SHUTS_DOWN) != 0 && n == 1) {
            o->core->ops->shutdown(o->core);
        }
        if ((o->flags & IS_SWEPT) != 0) {
            o->now += 1000;
            o->core->ops->sweep(o->core, o->now);
        }
        drain(o);
        FUZZ_CHECK(st == CW_NET_OK || !o->core->ops->wants_write(o->core));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEADER) {
        return 0;
    }
    owner o = {.flags = data[0], .way = data[2], .now = 1000};
    bool is_tight = (o.flags & IS_TIGHT) != 0;
    const cw_http_limits limits = {.max_header_bytes = is_tight ? 400 : 0,
                                   .max_header_fields = is_tight ? 10 : 0,
                                   .max_streams = is_tight ? 3 : 0,
                                   .max_running = is_tight ? 4 : 0,
                                   .max_resets = is_tight ? 4 : 0,
                                   .max_empty_frames = is_tight ? 10 : 0,
                                   .body_timeout_ms = is_tight ? 3000 : 0,
                                   .stream_window = is_tight ? 20 : 0,
                                   .connection_window = is_tight ? 50 : 0};
    const cw_http_limits whole = cw_http_limits_of(&limits);
    nghttp2_mem mem = {&o, heap_malloc, heap_free, heap_calloc, heap_realloc};
    o.core = cw__http2_open_with((o.flags & IS_CLIENT) == 0, SIZE_MAX, &whole, now_of, &events, &o,
                                 &mem);
    FUZZ_CHECK(o.core);
    begin(&o);
    talk(&o, data + HEADER, size - HEADER, data[1]);
    cw_net_error e = {.status = CW_NET_OK};
    cw_net_status st = o.core->ops->feed_end(o.core, &e);
    FUZZ_CHECK(st == e.status);
    drain(&o);
    const cw_net_error why = {.status = CW_NET_ERR_SHUTDOWN};
    o.core->ops->free(o.core, &why);
    FUZZ_CHECK(o.alive == 0 && o.used == 0);
    return 0;
}
