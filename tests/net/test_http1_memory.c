/* SPDX-License-Identifier: MIT */
/*
 * Memory of the HTTP/1.1 core: every allocation may fail, a steady state takes none, an idle
 * connection keeps little. The files that allocate (all but the core itself, once) are compiled in
 * here, with an allocator that counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <malloc.h>

#include "http1_support.h"

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

static void free_counted(void *p)
{
    memory.live_bytes -= p != NULL ? malloc_usable_size(p) : 0;
    free(p);
}

#undef malloc
#undef realloc
#undef free
#define malloc(n)     realloc_counted(NULL, n)
#define realloc(p, n) realloc_counted(p, n)
#define free(p)       free_counted(p)
#include "buffer.c"
#include "fields.c"
#undef malloc
#undef realloc
#undef free

#define HOST "host: x\r\n"

static const char requests[] =
    "POST /path HTTP/1.1\r\n" HOST "a: b\r\nconnection: a\r\ncontent-length: 5\r\n\r\nhello"
    "POST / HTTP/1.1\r\n" HOST "expect: 100-continue\r\ntransfer-encoding: chunked\r\n\r\n"
    "5\r\nhello\r\n0\r\nt: 1\r\nu: 2\r\n\r\nGET / HTTP/1.1\r\n" HOST "\r\n";

static const char responses[] = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"
                                "transfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\na: b\r\n\r\n";

/*
 * An owner that holds no memory and gives up a stream when a call fails; it counts what must come
 * in pairs.
 */
typedef struct frugal {
    cw__core *core;
    unsigned opened, closed, answered;
    cw_net_status worst;
    bool wants_large;
} frugal;

enum { LARGE_ANSWER = 20000 };

static void give_up(cw__stream *s, cw_net_status st)
{
    cw_net_error why = {.status = st};
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

static void frugal_head(void *ctx, cw__stream *s)
{
    (void)ctx;
    if (s->expects_continue) {
        s->core->ops->send_continue(s);
    }
}

static void frugal_body(void *ctx, cw__stream *s, cw_bytes piece)
{
    (void)ctx;
    s->core->ops->consume(s, piece.len);
}

static void frugal_end(void *ctx, cw__stream *s)
{
    static const cw_http_field field = {CW_STR_INIT("t"), CW_STR_INIT("1")};
    static const cw_http_fields fields = {&field, 1};
    if (s->head.status != 0) {
        return;
    }
    if (((frugal *)ctx)->wants_large) {
        char *body = http1_repeat('a', LARGE_ANSWER);
        give_up(s, s->core->ops->respond(s, 200, fields, cw_bytes_of(body, LARGE_ANSWER), true));
        free(body);
        return;
    }
    cw_net_status st = s->core->ops->respond(s, 200, fields, cw_bytes_of("abc", 3), false);
    st = st == CW_NET_OK ? s->core->ops->write(s, cw_bytes_of("defg", 4)) : st;
    st = st == CW_NET_OK ? s->core->ops->end(s, fields) : st;
    give_up(s, st);
}

static void frugal_closed(void *ctx, cw__stream *s, const cw_net_error *why)
{
    frugal *f = ctx;
    (void)s;
    f->closed++;
    f->answered += why->status == CW_NET_OK;
    f->worst = why->status == CW_NET_OK ? f->worst : why->status;
}

static const cw__core_events frugal_events = {
    .on_stream = frugal_stream,
    .on_head = frugal_head,
    .on_body = frugal_body,
    .on_end = frugal_end,
    .on_closed = frugal_closed,
};

static bool frugal_open(frugal *f, bool is_server)
{
    cw_http_limits limits = cw_http_limits_of(NULL);
    *f = (frugal){.worst = CW_NET_OK};
    f->core = cw__http1_open(is_server, "http", &limits, &frugal_events, f);
    return f->core != NULL;
}

/* In pieces, draining after each. Not OK: no memory. */
static cw_net_status frugal_feed(frugal *f, const char *in, size_t len, size_t piece, cw__buf *out)
{
    cw_net_status st = CW_NET_OK;
    cw_net_error e;
    for (size_t at = 0; at < len && st == CW_NET_OK; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        st = f->core->ops->feed(f->core, cw_bytes_of(in + at, n), &e);
        if (f->core->ops->drain(f->core, out, SIZE_MAX, &e) != CW_NET_OK) {
            st = e.status;
        }
    }
    assert_true(st == CW_NET_OK || st == CW_NET_ERR_MEMORY);
    return st == CW_NET_OK ? f->worst : st;
}

static void frugal_close(frugal *f, cw__buf *out)
{
    static const cw_net_error why = {.status = CW_NET_ERR_SHUTDOWN};
    f->core->ops->free(f->core, &why);
    assert_int_equal(f->opened, f->closed);
    cw__buf_free(out);
}

static cw_net_status serve(size_t piece)
{
    frugal f;
    cw__buf out = {.data = NULL};
    if (!frugal_open(&f, true)) {
        return CW_NET_ERR_MEMORY;
    }
    cw_net_status st = frugal_feed(&f, requests, sizeof requests - 1, piece, &out);
    assert_true(st != CW_NET_OK || f.answered == 3);
    frugal_close(&f, &out);
    return st;
}

static cw_net_status ask(size_t piece)
{
    frugal f;
    cw__buf out = {.data = NULL};
    cw_net_error e = {.status = CW_NET_OK};
    if (!frugal_open(&f, false)) {
        return CW_NET_ERR_MEMORY;
    }
    cw_http_head head = http1_post("/");
    cw__stream *s = f.core->ops->request(f.core, &head, cw_bytes_of("body", 4), true, true, &f, &e);
    cw_net_status st = e.status;
    if (s != NULL) {
        f.opened++;
        st = f.core->ops->drain(f.core, &out, SIZE_MAX, &e);
    }
    if (st == CW_NET_OK) {
        st = frugal_feed(&f, responses, sizeof responses - 1, piece, &out);
        assert_true(st != CW_NET_OK || f.answered == 1);
    }
    frugal_close(&f, &out);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    cw_net_status (*const runs[])(size_t) = {serve, ask};
    for (size_t i = 0; i < 4; i++) {
        for (size_t piece = 1; piece < 1000; piece = 3 * piece + 4) {
            memory.fails_on = i >= 2;
            size_t n = 0;
            do {
                memory.calls = 0;
                memory.fail_at = ++n;
                cw_net_status st = runs[i % 2](piece);
                assert_int_equal(memory.live_bytes, 0);
                assert_true(st == CW_NET_ERR_MEMORY || memory.calls < n);
            } while (memory.calls >= n);
            assert_true(n > 5);
        }
    }
    memory.fail_at = 0;
}

static void steady_state_takes_none(void **state)
{
    (void)state;
    frugal f;
    cw__buf out = {.data = NULL};
    assert_true(frugal_open(&f, true));
    for (int i = 0; i < 100; i++) {
        if (i == 2) {
            memory.calls = 0;
        }
        cw__buf_clear(&out);
        assert_int_equal(frugal_feed(&f, requests, sizeof requests - 1, 40, &out), CW_NET_OK);
    }
    assert_int_equal(f.answered, 300);
    assert_int_equal(memory.calls, 0);
    frugal_close(&f, &out);
}

/* After ordinary messages and after large ones; a new one costs next to nothing. */
static void idle_connections_are_small(void **state)
{
    (void)state;
    enum { LARGE = 15000 };
    frugal f;
    cw__buf out = {.data = NULL};
    assert_true(frugal_open(&f, true));
    assert_in_range(malloc_usable_size(f.core), 1, 1200);
    assert_int_equal(memory.live_bytes, 0);
    assert_int_equal(frugal_feed(&f, requests, sizeof requests - 1, 1000, &out), CW_NET_OK);
    cw__buf_free(&out);
    assert_in_range(memory.live_bytes, 1, 6000);
    char *in = http1_repeat('v', LARGE);
    memcpy(in, "POST / HTTP/1.1\r\n" HOST "a:", 28);
    strcpy(in + LARGE - 40, "\r\ntransfer-encoding: chunked\r\n\r\n");
    assert_int_equal(frugal_feed(&f, in, strlen(in), 100000, &out), CW_NET_OK);
    assert_true(memory.live_bytes > LARGE);
    char *tail = http1_repeat('t', LARGE);
    memcpy(tail, "3\r\nabc\r\n0\r\nt:", 13);
    strcpy(tail + LARGE - 5, "\r\n\r\n");
    assert_int_equal(frugal_feed(&f, tail, strlen(tail), 100000, &out), CW_NET_OK);
    assert_int_equal(f.answered, 4);
    cw__buf_free(&out);
    assert_in_range(memory.live_bytes, 1, 6000);
    free(in);
    free(tail);
    /* Many requests at once, which wait, and their answers. */
    enum { TIMES = 50 };
    char *many = http1_repeat('\0', TIMES * sizeof requests);
    for (size_t i = 0; i < TIMES; i++) {
        memcpy(many + i * (sizeof requests - 1), requests, sizeof requests - 1);
    }
    static const char end[] = "GET / HTTP/1.1\r\n" HOST "\r\n";
    assert_int_equal(frugal_feed(&f, many, TIMES * (sizeof requests - 1), 1000000, &out),
                     CW_NET_OK);
    free(many);
    assert_int_equal(f.answered, 4 + 3 * TIMES);
    cw__buf_free(&out);
    assert_in_range(memory.live_bytes, 1, 6000);
    /* A large answer. */
    f.wants_large = true;
    assert_int_equal(frugal_feed(&f, end, sizeof end - 1, 1000, &out), CW_NET_OK);
    assert_true(cw__buf_len(&out) > LARGE_ANSWER);
    cw__buf_free(&out);
    assert_in_range(memory.live_bytes, 1, 6000);
    frugal_close(&f, &out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(steady_state_takes_none),
        cmocka_unit_test(idle_connections_are_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
