/* SPDX-License-Identifier: MIT */
/*
 * Memory of the HTTP/2 core itself: every allocation may fail, a steady state takes none, an idle
 * connection keeps little. The files that allocate are compiled in here, with an allocator that
 * counts; nghttp2's own memory is test_http2_life.c's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <malloc.h>

#include "h2_frames.h"

static struct {
    size_t calls, fail_at; /* fail_at 0: none */
    bool fails_on;         /* and all after it */
    size_t live_bytes;
} memory;

static bool may_allocate(void)
{
    memory.calls++;
    return memory.fail_at == 0 ||
           (memory.fails_on ? memory.calls < memory.fail_at : memory.calls != memory.fail_at);
}

static void *realloc_counted(void *p, size_t n)
{
    if (!may_allocate()) {
        return NULL;
    }
    size_t before = p != NULL ? malloc_usable_size(p) : 0;
    void *q = realloc(p, n);
    if (q != NULL) {
        memory.live_bytes += malloc_usable_size(q) - before;
    }
    return q;
}

static void *calloc_counted(size_t n, size_t size)
{
    void *p = realloc_counted(NULL, n * size);
    return p != NULL ? memset(p, 0, n * size) : NULL;
}

static void free_counted(void *p)
{
    memory.live_bytes -= p != NULL ? malloc_usable_size(p) : 0;
    free(p);
}

#undef malloc
#undef calloc
#undef realloc
#undef free
#define malloc(n)       realloc_counted(NULL, n)
#define calloc(n, size) calloc_counted(n, size)
#define realloc(p, n)   realloc_counted(p, n)
#define free(p)         free_counted(p)
#include "buffer.c"
#include "fields.c"
#include "http2_flood.c"
#include "http2_stream.c"
#include "http2_receive.c"
#include "http2_send.c"
#include "http2.c"
#undef malloc
#undef calloc
#undef realloc
#undef free

/* ---- an owner that holds no memory ------------------------------------------------------------
 */

/* It gives up a stream when a call fails, and counts what must come in pairs. */
typedef struct frugal {
    cw__core *core;
    unsigned opened, closed, whole;
    bool keeps_asking; /* client: a request for each that is over */
    cw_net_status worst;
} frugal;

static void give_up_on(cw__stream *s, cw_net_status st)
{
    const cw_net_error why = {.status = st};
    if (st != CW_NET_OK) {
        assert_int_equal(st, CW_NET_ERR_MEMORY);
        s->core->ops->reset(s, &why);
    }
}

static void frugal_stream(void *ctx, cw__stream *s)
{
    (void)s;
    ((frugal *)ctx)->opened++;
}

static void frugal_event(void *ctx, cw__stream *s)
{
    (void)ctx;
    (void)s;
}

static void frugal_body(void *ctx, cw__stream *s, cw_bytes piece)
{
    (void)ctx;
    s->core->ops->consume(s, piece.len);
}

/* In one piece or in several with trailers, by turns. */
static void frugal_answer(void *ctx, cw__stream *s)
{
    static char body[3000];
    static cw_http_field fields[50];
    const frugal *o = ctx;
    const cw__core_ops *call = s->core->ops;
    bool is_whole = o->opened % 2 == 0;
    for (size_t i = 0; i < 50; i++) {
        fields[i] = (cw_http_field){CW_STR("x-name"), CW_STR("value")};
    }
    size_t n = cw_str_equal(s->head.path, CW_STR("/many")) ? 50 : 3;
    cw_net_status st = call->respond(s, 200, (cw_http_fields){fields, n},
                                     cw_bytes_of(body, sizeof body), is_whole);
    if (st == CW_NET_OK && !is_whole) {
        st = call->write(s, cw_bytes_of(body, sizeof body));
        st = st == CW_NET_OK ? call->end(s, (cw_http_fields){fields, 2}) : st;
    }
    give_up_on(s, st);
}

static void frugal_closed(void *ctx, cw__stream *s, const cw_net_error *why)
{
    frugal *o = ctx;
    (void)s;
    o->closed++;
    o->whole += why->status == CW_NET_OK;
    o->worst = why->status != CW_NET_OK ? why->status : o->worst;
}

static void frugal_room(void *ctx)
{
    (void)ctx;
}

static const cw__core_events server_events = {frugal_stream, frugal_event,  frugal_event,
                                              frugal_body,   frugal_answer, frugal_event,
                                              frugal_closed, frugal_room};
static const cw__core_events client_events = {frugal_stream, frugal_event, frugal_event,
                                              frugal_body,   frugal_event, frugal_event,
                                              frugal_closed, frugal_room};

static uint64_t frugal_now(void *ctx)
{
    (void)ctx;
    return 1000;
}

static cw__core *open_frugal(frugal *o, bool is_server)
{
    const cw_http_limits limits = cw_http_limits_of(NULL);
    *o = (frugal){.core = NULL};
    o->core = cw__http2_open(is_server, SIZE_MAX, &limits, frugal_now,
                             is_server ? &server_events : &client_events, o);
    return o->core;
}

static void close_frugal(frugal *o)
{
    static const cw_net_error why = {.status = CW_NET_ERR_SHUTDOWN};
    o->core->ops->free(o->core, &why);
    assert_int_equal(o->opened, o->closed);
}

static void ask(frugal *o, bool end)
{
    static char body[2000], cookie[200];
    memset(cookie, 'c', sizeof cookie);
    /* Cookies are put together, which takes more room. */
    const cw_http_field fields[] = {{CW_STR("x-name"), CW_STR("value")},
                                    {CW_STR("cookie"), {cookie, sizeof cookie}},
                                    {CW_STR("cookie"), {cookie, sizeof cookie}}};
    const cw_http_head head = {.method = CW_STR("POST"),
                               .scheme = CW_STR("http"),
                               .authority = CW_STR("host"),
                               .path = CW_STR("/"),
                               .fields = {fields, 3}};
    cw_net_error e;
    cw__stream *s =
        o->core->ops->request(o->core, &head, cw_bytes_of(body, sizeof body), end, false, NULL, &e);
    if (s == NULL) {
        /* No room: the connection failed before, at either end. */
        assert_true(e.status == CW_NET_ERR_MEMORY ||
                    (e.status == CW_NET_ERR_BUSY && cw__http2_is_leaving(o->core)));
        o->worst = CW_NET_ERR_MEMORY;
        return;
    }
    o->opened++;
    if (!end) {
        cw_net_status st = o->core->ops->write(s, cw_bytes_of(body, sizeof body));
        st = st == CW_NET_OK ? o->core->ops->end(s, (cw_http_fields){fields, 1}) : st;
        give_up_on(s, st);
    }
}

/* From one core to the other; what fails is the connection's end. False: nothing moved. */
static bool carry(frugal *from, frugal *to, cw__buf *out)
{
    cw_net_error e = {.status = CW_NET_OK};
    cw__buf_clear(out);
    cw_net_status st = from->core->ops->drain(from->core, out, SIZE_MAX / 2, &e);
    from->worst = st != CW_NET_OK ? st : from->worst;
    if (cw__buf_len(out) > 0 &&
        to->core->ops->feed(to->core, cw__buf_bytes(out), &e) != CW_NET_OK) {
        to->worst = e.status;
    }
    return cw__buf_len(out) > 0;
}

static void converse(frugal *client, frugal *server, cw__buf *out)
{
    bool moved = true;
    while (moved) {
        moved = carry(client, server, out);
        moved = carry(server, client, out) || moved;
    }
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static bool converse_without_memory(size_t n, bool fails_on)
{
    frugal client = {.core = NULL}, server = {.core = NULL};
    cw__buf out = {.data = NULL};
    memory.calls = 0;
    memory.fail_at = n;
    memory.fails_on = fails_on;
    if (open_frugal(&client, false) != NULL && open_frugal(&server, true) != NULL) {
        ask(&client, true);
        ask(&client, false);
        converse(&client, &server, &out);
        ask(&client, true);
        converse(&client, &server, &out);
        /* Whoever ran out, somebody was told; else all went well. */
        bool all_well = client.whole == 3 && server.whole == 3;
        assert_true(all_well || client.worst != CW_NET_OK || server.worst != CW_NET_OK);
    }
    bool ran_out = memory.calls >= n;
    memory.fail_at = 0;
    if (client.core != NULL) {
        close_frugal(&client);
    }
    if (server.core != NULL) {
        close_frugal(&server);
    }
    cw__buf_free(&out);
    assert_int_equal(memory.live_bytes, 0);
    return ran_out;
}

/* The n-th allocation fails, for every n; and all after it. */
static void test_no_memory(void **state)
{
    (void)state;
    size_t n = 1;
    while (converse_without_memory(n, false)) {
        n++;
    }
    assert_in_range(n, 20, 1000);
    for (n = 1; converse_without_memory(n, true); n++) {
    }
}

/* A response with more fields than usual takes memory for the moment. */
static void test_many_fields(void **state)
{
    (void)state;
    frames f;
    frugal o;
    cw_net_error e;
    frames_open(&f, true, NULL);
    frames_request(&f, NGHTTP2_FLAG_END_STREAM, 1, "GET", "/many");
    cw__buf in = f.out;
    f.out = (cw__buf){.data = NULL};
    for (size_t i = 0; i < 2; i++) {
        assert_non_null(open_frugal(&o, true));
        memory.calls = 0;
        /* stream, text, references, views, body, fields */
        memory.fail_at = i == 0 ? 6 : 0;
        assert_int_equal(o.core->ops->feed(o.core, cw__buf_bytes(&in), &e), CW_NET_OK);
        memory.fail_at = 0;
        assert_int_equal(o.worst, i == 0 ? CW_NET_ERR_MEMORY : CW_NET_OK);
        close_frugal(&o);
    }
    cw__buf_free(&in);
    frames_close(&f);
    assert_int_equal(memory.live_bytes, 0);
}

/* Once its streams have been used the core allocates nothing of its own for a request. */
static void test_steady_state(void **state)
{
    (void)state;
    frugal client, server;
    cw__buf out = {.data = NULL};
    assert_non_null(open_frugal(&client, false));
    assert_non_null(open_frugal(&server, true));
    for (unsigned round = 0; round < 100; round++) {
        size_t before = memory.calls;
        for (unsigned i = 0; i < 20; i++) {
            ask(&client, i % 2 == 0);
        }
        converse(&client, &server, &out);
        if (round > 50) {
            assert_int_equal(memory.calls, before);
        }
    }
    assert_int_equal(client.whole, 2000);
    assert_int_equal(server.whole, 2000);
    close_frugal(&client);
    close_frugal(&server);
    cw__buf_free(&out);
}

/* What a connection that idles keeps: next to nothing of ours, and nghttp2's session. */
static void test_idle_connection(void **state)
{
    (void)state;
    frames f;
    frames_heap h = {.used = 0};
    nghttp2_mem mem = frames_heap_mem(&h);
    frames_open_with(&f, true, NULL, &mem);
    f.r.on = record_echo;
    (void)frames_exchange(&f);
    for (int32_t id = 1; id < 400; id += 2) {
        frames_request(&f, 0, id, "POST", "/");
        frames_data(&f, NGHTTP2_FLAG_END_STREAM, id, "hello", 5);
        (void)frames_exchange(&f);
    }
    f.r.core->ops->sweep(f.r.core, f.now);
    const cw__http2 *c = (const cw__http2 *)f.r.core;
    assert_int_equal(c->spares, 0);
    assert_int_equal(c->ahead.cap, 0);
    assert_in_range(sizeof *c, 0, 1024);
    assert_in_range(h.used, 1000, 40000);
    frames_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_many_fields),
        cmocka_unit_test(test_steady_state),
        cmocka_unit_test(test_idle_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
