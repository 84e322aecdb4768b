/* SPDX-License-Identifier: MIT */
/*
 * The client without memory: the n-th allocation of its thread fails, for all n, and so do all
 * later ones in a second round; and what a request allocates once the client is warm. This
 * program's malloc takes the place of glibc's. Sanitizers bring their own: skipped there.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client_fixture.h"
#include "server_fixture.h"

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    HAS_FEATURE(address_sanitizer) || HAS_FEATURE(thread_sanitizer) ||                             \
    HAS_FEATURE(memory_sanitizer)
#define OURS 0
#else
#define OURS 1
#endif

/* Of this thread: allocations until one fails, 0: never; whether all fail after it; blocks that
 * were not freed; all calls. */
static _Thread_local long left, live, calls;
static _Thread_local bool is_final, has_failed;

#if OURS
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);

static bool may(void)
{
    calls++;
    if (left > 0 && --left == 0) {
        has_failed = true;
        left = is_final ? 1 : 0;
        errno = ENOMEM;
        return false;
    }
    return true;
}

static void *counted(void *p)
{
    live += p != NULL;
    return p;
}

void *malloc(size_t n)
{
    return may() ? counted(__libc_malloc(n)) : NULL;
}

void *calloc(size_t n, size_t size)
{
    return may() ? counted(__libc_calloc(n, size)) : NULL;
}

void *realloc(void *p, size_t n)
{
    if (!may()) {
        return NULL;
    }
    void *moved = __libc_realloc(p, n);
    live += p == NULL && moved != NULL;
    return moved;
}

void free(void *p)
{
    live -= p != NULL;
    __libc_free(p);
}
#endif

/* ---- every allocation fails once ---------------------------------------------------------------
 */

enum { REQUESTS = 4 };

typedef struct scene {
    uv_loop_t *loop;
    fixture *server;
    cw_http_version version;
    cw_http_client *client;
    unsigned sent, ended, answered;
    bool is_closed;
} scene;

static void on_response(void *user, cw_http_exchange *x, const cw_net_error *e)
{
    scene *s = user;
    s->ended++;
    if (e->status == CW_NET_OK) {
        s->answered++;
        if (cw_http_exchange_head(x)->status != 200 || cw_http_exchange_body(x).len < 5) {
            s->answered += 1000; /* a silent failure */
        }
    }
}

static void on_closed(void *ctx)
{
    scene *s = ctx;
    s->is_closed = true;
}

static void send_all(scene *s)
{
    static uint8_t body[3000];
    const cw_http_field field = {CW_STR("x-a"), CW_STR("1")};
    const cw_http_fields none = {.len = 0};
    cw_net_error e;
    cw_http_request r = {.path = CW_STR("/echo"),
                         .body = {body, sizeof body},
                         .fields = {&field, 1},
                         .timeout_ms = 60000,
                         .user = s,
                         .on_response = on_response};
    s->sent += cw_http_send(s->client, &r, NULL, &e) == CW_NET_OK;
    r = (cw_http_request){.path = CW_STR("/big"), .user = s, .on_response = on_response};
    s->sent += cw_http_send(s->client, &r, NULL, &e) == CW_NET_OK;
    for (unsigned i = 2; i < REQUESTS; i++) {
        cw_http_exchange *x = NULL;
        r = (cw_http_request){.path = CW_STR("/echo"),
                              .body = {(const uint8_t *)"hello", 5},
                              .streamed = true,
                              .user = s,
                              .on_response = on_response};
        if (cw_http_send(s->client, &r, &x, &e) != CW_NET_OK) {
            continue;
        }
        s->sent++;
        const cw_http_fields trailers = {&field, 1};
        if (cw_http_exchange_write(x, cw_bytes_of(body, 100)) != CW_NET_OK ||
            cw_http_exchange_end(x, i == 2 ? none : trailers) != CW_NET_OK) {
            cw_http_exchange_cancel(x);
        }
    }
}

/* Opens, sends, waits, closes; what was taken must end. */
static void play(scene *s)
{
    char origin[64];
    cw_net_error e = {.status = CW_NET_OK};
    snprintf(origin, sizeof origin, "http://127.0.0.1:%d", s->server->port);
    const cw_http_client_options o = {
        .origin = origin,
        .version = s->version,
        .max_connections = 1,
        .coding = {.codings = CW_HTTP_GZIP, .request_coding = CW_HTTP_GZIP}};
    s->sent = s->ended = s->answered = 0;
    s->is_closed = false;
    s->client = cw_http_client_open(s->loop, &o, &e);
    if (s->client == NULL) {
        assert_int_equal(e.status, CW_NET_ERR_MEMORY);
        return;
    }
    send_all(s);
    while (s->ended < s->sent) {
        uv_run(s->loop, UV_RUN_ONCE);
    }
    send_all(s); /* on what is there now */
    while (s->ended < s->sent) {
        uv_run(s->loop, UV_RUN_ONCE);
    }
    cw_http_client_close(s->client, on_closed, s);
    while (!s->is_closed) {
        uv_run(s->loop, UV_RUN_ONCE);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    if (!OURS) {
        skip();
    }
    static const cw_http_version versions[] = {CW_HTTP_1_1, CW_HTTP_2};
    for (size_t v = 0; v < 2; v++) {
        uv_loop_t loop;
        uv_loop_init(&loop);
        scene s = {.loop = &loop, .version = versions[v]};
        cw_http_server_options so = {.coding = {.codings = CW_HTTP_GZIP}};
        s.server = fixture_open(&so);
        play(&s); /* libuv ends the process where its own tables cannot grow: they do here */
        assert_int_equal(s.answered, 2 * REQUESTS);
        for (int final = 0; final < 2; final++) {
            long n = 0;
            do {
                long before = live;
                is_final = final;
                has_failed = false;
                left = ++n;
                play(&s);
                left = 0;
                if (live != before || s.answered > 2 * REQUESTS) {
                    fail_msg("allocation %ld: %ld blocks left, %u answers", n, live - before,
                             s.answered);
                }
            } while (has_failed);
            assert_int_equal(s.answered, 2 * REQUESTS);
            assert_true(n > 20);
        }
        uv_loop_close(&loop);
        fixture_close(s.server);
    }
}

/* ---- none in steady state ----------------------------------------------------------------------
 */

static void a_warm_client_allocates_nothing(void **state)
{
    (void)state;
    if (!OURS) {
        skip();
    }
    enum { BATCH = 6, BATCHES = 50 };
    client_fixture f;
    answer a[BATCH] = {{.f = NULL}};
    fixture *server = fixture_open(&(cw_http_server_options){.port = 0});
    client_setup(&f, NULL, server->port);
    long before = 0;
    for (unsigned i = 0; i < BATCHES; i++) {
        if (i == BATCHES / 2) {
            before = calls;
        }
        for (unsigned k = 0; k < BATCH; k++) {
            const cw_http_request r = {.path = CW_STR("/echo"),
                                       .body = {(const uint8_t *)"hello", 5},
                                       .timeout_ms = 60000};
            a[k].calls = 0;
            a[k].body_len = 0;
            client_send(&f, &r, &a[k]);
        }
        client_wait(&f, (i + 1) * BATCH);
    }
    assert_int_equal(calls - before, 0);
    client_teardown(&f);
    fixture_close(server);
    answers_free(a, BATCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_warm_client_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
