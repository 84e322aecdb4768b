/* SPDX-License-Identifier: MIT */
/* A connection's end: answers that come before a body is sent, and peers that are slow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <sys/socket.h>

#include "client_fixture.h"
#include "h2_client.h"
#include "server_fixture.h"
#include "server_internal.h"

enum { LARGE = 30000000 }; /* more than the sockets of both ends hold */

#define HOST "Host: localhost\r\n"
#define TOO_LARGE                                                                                  \
    "HTTP/1.1 413 Content Too Large\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno"

/* ---- an answer ahead of the body ---------------------------------------------------------------
 */

/* Answers and closes: what is unread makes a reset of it. */
static void answer_and_reset(fake_peer *p)
{
    if (fake_read_head(p)) {
        fake_write(p, TOO_LARGE);
    }
}

/* The answer is in the client's socket when its writing fails. */
static void a_client_reads_what_came_before_the_reset(void **state)
{
    (void)state;
    enum { N = 10 };
    client_fixture f;
    answer a[N] = {{.f = NULL}};
    char *body = calloc(1, LARGE);
    assert_non_null(body);
    fake_server *server = fake_start(answer_and_reset, NULL);
    client_setup(&f, &(cw_http_client_options){.max_connections = 3}, server->port);
    const cw_http_request request = {.path = CW_STR_INIT("/"), .body = cw_bytes_of(body, LARGE)};
    for (unsigned i = 0; i < N; i++) {
        client_send(&f, &request, &a[i]);
    }
    client_wait(&f, N);
    for (unsigned i = 0; i < N; i++) {
        assert_answer(&a[i], 413, "no");
    }
    assert_int_equal(f.errors, 0);
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, N);
    free(body);
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

static void answer_later_and_reset(fake_peer *p)
{
    if (fake_read_head(p)) {
        sleep_ms(100);
        fake_write(p, TOO_LARGE);
    }
}

/* The answer and the reset behind it are there together when the client, whose write waits, looks
 * again: libuv then tells of the answer, of an end, and of a failed write. */
static void a_client_that_has_its_answer_hears_of_no_reset(void **state)
{
    (void)state;
    client_fixture f;
    answer a = {.f = NULL};
    char *body = calloc(1, LARGE);
    assert_non_null(body);
    fake_server *server = fake_start(answer_later_and_reset, NULL);
    client_setup(&f, NULL, server->port);
    client_send(&f, &(cw_http_request){.body = cw_bytes_of(body, LARGE)}, &a);
    for (unsigned i = 0; i < 50; i++) {
        uv_run(&f.loop, UV_RUN_NOWAIT);
        sleep_ms(1);
    }
    sleep_ms(150);
    client_wait(&f, 1);
    assert_answer(&a, 413, "no");
    while (client_counters(&f).connections_open > 0) {
        uv_run(&f.loop, UV_RUN_ONCE);
    }
    assert_int_equal(f.errors, 0);
    client_teardown(&f);
    fake_stop(server);
    answer_free(&a);
    free(body);
}

static void reset_at_once(fake_peer *p)
{
    if (fake_read_head(p)) {
        fake_reset(p);
    }
}

/* Nothing came before it: that is a failure, told once. */
static void a_reset_without_an_answer_fails(void **state)
{
    (void)state;
    client_fixture f;
    answer a = {.f = NULL};
    char *body = calloc(1, LARGE);
    assert_non_null(body);
    fake_server *server = fake_start(reset_at_once, NULL);
    client_setup(&f, NULL, server->port);
    client_fetch(&f, &(cw_http_request){.body = cw_bytes_of(body, LARGE)}, &a);
    assert_failed(&a, CW_NET_ERR_CLOSED);
    client_teardown(&f);
    fake_stop(server);
    answer_free(&a);
    free(body);
}

/* A client that sends all it has before it looks: the server throws it away, and does not reset. */
static void a_refused_upload_can_be_sent_to_its_end(void **state)
{
    (void)state;
    fixture *f = fixture_open(&(cw_http_server_options){.limits = {.max_body = 1000}});
    raw_client c;
    raw_response r;
    char *body = calloc(1, LARGE);
    assert_non_null(body);
    assert_true(raw_open(&c, f->port));
    assert_true(
        raw_send_text(&c, "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 30000000\r\n\r\n"));
    assert_true(raw_send(&c, body, LARGE));
    assert_true(raw_get_response(&c, true, &r));
    assert_int_equal(r.status, 413);
    assert_true(raw_read_to_end(&c));
    assert_false(c.was_reset);
    raw_response_free(&r);
    raw_close(&c);
    free(body);
    fixture_close(f);
}

/* ---- slow readers ------------------------------------------------------------------------------
 */

enum { SLOW_MS = 200, SLOW_ROUNDS = 9, SLOW_TIMEOUT_MS = 600, STREAMED = 20000000 };

/*
 * Linux opens a window that was shut when a sixteenth of the receive buffer is free: with a large
 * buffer several reads of 64 KiB free nothing that the peer could see. So it is kept small.
 */
static void keep_window_small(const raw_client *c)
{
    const int size = 65536;
    assert_int_equal(setsockopt(c->fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size), 0);
}

static const cw_http_server_options impatient = {.limits = {.body_timeout_ms = SLOW_TIMEOUT_MS}};

static void nap(long ms)
{
    const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/*
 * A reader that takes something now and then is no offence, though it takes it longer than the
 * limit until the socket has room for the next write.
 */
static void a_slow_reader_gets_it_all(void **state)
{
    (void)state;
    fixture *f = fixture_open(&impatient);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    keep_window_small(&c);
    assert_true(raw_send_text(&c, "GET /stream/20000000 HTTP/1.1\r\n" HOST "\r\n"));
    for (unsigned i = 0; i < SLOW_ROUNDS; i++) {
        assert_true(raw_read(&c, RAW_WAIT_MS));
        nap(SLOW_MS);
    }
    assert_true(raw_get_response(&c, true, &r));
    assert_int_equal(r.body_len, STREAMED);
    raw_response_free(&r);
    raw_close(&c);
    fixture_close(f);
}

static void h2_slow_readers_get_it_all(void **state)
{
    (void)state;
    fixture *f = fixture_open(&impatient);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    keep_window_small(&c.raw);
    nghttp2_session_set_local_window_size(c.session, 0, 0, INT32_MAX);
    nghttp2_settings_entry window = {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, INT32_MAX};
    nghttp2_submit_settings(c.session, 0, &window, 1);
    const h2_stream *a = h2_request(&c, "GET", "/stream/20000000", NULL, 0);
    const h2_stream *b = h2_request(&c, "GET", "/stream/20000000", NULL, 0);
    for (unsigned i = 0; i < SLOW_ROUNDS; i++) {
        assert_true(h2_pump(&c, RAW_WAIT_MS));
        nap(SLOW_MS);
    }
    assert_true(h2_wait(&c, a));
    assert_true(h2_wait(&c, b));
    assert_int_equal(a->body.len, STREAMED);
    assert_int_equal(b->body.len, STREAMED);
    h2_close(&c);
    fixture_close(f);
}

/* ---- fairness ----------------------------------------------------------------------------------
 */

enum { SHARE_MAX = 1 << 20 };

static void write_on(void *ctx, cw_http_call *call)
{
    static const uint8_t piece[65536];
    (void)ctx;
    while (cw_http_unsent(call) < 65536 && !cw_http_call_gone(call)) {
        assert_int_equal(cw_http_write(call, cw_bytes_of(piece, sizeof piece)), CW_NET_OK);
    }
}

static void begin(void *ctx, cw_http_call *call)
{
    assert_int_equal(cw_http_start(call, 200, (cw_http_fields){.len = 0}), CW_NET_OK);
    write_on(ctx, call);
}

static void give_up(void *ctx, cw_http_call *call, const cw_net_error *e)
{
    (void)ctx;
    (void)e;
    cw_http_abort(call);
}

/* A socket that takes megabytes at once has its share of a turn, and the loop looks at others. */
static void one_connection_does_not_take_the_turn(void **state)
{
    (void)state;
    const cw_http_handler handler = {
        .on_request = begin, .on_writable = write_on, .on_done = give_up};
    uv_loop_t loop;
    cw_net_error e;
    cw_net_counters n;
    raw_client c;
    assert_int_equal(uv_loop_init(&loop), 0);
    cw_http_server *s = cw_http_server_open(&loop, &(cw_http_server_options){.host = "127.0.0.1"},
                                            &handler, NULL, &e);
    assert_non_null(s);
    assert_true(raw_open(&c, cw_http_server_port(s)));
    assert_true(raw_send_text(&c, "GET / HTTP/1.1\r\n" HOST "\r\n"));
    uint64_t last = 0;
    unsigned turns = 0;
    do { /* until the sockets are full */
        uv_run(&loop, UV_RUN_NOWAIT);
        cw_http_server_counters(s, &n);
        assert_in_range(n.bytes_out - last, 0, SHARE_MAX);
        last = n.bytes_out;
    } while (last < 2 * SHARE_MAX && ++turns < 10000);
    raw_close(&c);
    cw_http_server_close(s, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

/* ---- memory ------------------------------------------------------------------------------------
 */

static void look_at_buffer(fixture *f, void *arg)
{
    *(size_t *)arg = f->server->pool.out.cap;
}

/* What all connections share does not stay as large as the largest body. */
static void a_large_body_leaves_no_buffer(void **state)
{
    (void)state;
    enum { BODY = 8000000 };
    fixture *f = fixture_open(&(cw_http_server_options){.port = 0});
    raw_client c;
    raw_response r;
    char *body = calloc(1, BODY);
    assert_non_null(body);
    for (size_t n = BODY - 70000; n <= BODY; n += 10000) { /* the last batch may be of any size */
        char head[100];
        size_t cap;
        snprintf(head, sizeof head, "POST /echo HTTP/1.1\r\n" HOST "Content-Length: %zu\r\n\r\n",
                 n);
        assert_true(raw_open(&c, f->port));
        assert_true(raw_send_text(&c, head));
        assert_true(raw_send(&c, body, n));
        assert_true(raw_get_response(&c, true, &r));
        assert_int_equal(r.body_len, n);
        fixture_run(f, look_at_buffer, &cap);
        assert_in_range(cap, 0, 512 * 1024);
        raw_response_free(&r);
        raw_close(&c);
    }
    free(body);
    fixture_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_reads_what_came_before_the_reset),
        cmocka_unit_test(a_client_that_has_its_answer_hears_of_no_reset),
        cmocka_unit_test(a_reset_without_an_answer_fails),
        cmocka_unit_test(a_refused_upload_can_be_sent_to_its_end),
        cmocka_unit_test(a_slow_reader_gets_it_all),
        cmocka_unit_test(h2_slow_readers_get_it_all),
        cmocka_unit_test(one_connection_does_not_take_the_turn),
        cmocka_unit_test(a_large_body_leaves_no_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
