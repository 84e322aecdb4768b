/* SPDX-License-Identifier: MIT */
/* What a client may cost: sizes, numbers and times, each of them small here. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "h2_client.h"
#include "server_fixture.h"

static const cw_http_server_options plain = {.port = 0};

#define HOST "Host: localhost\r\n"

static void nap(long ms)
{
    const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* ---- heads -------------------------------------------------------------------------------------
 */

static char *request_with(size_t fields, size_t value_len, size_t path_len)
{
    size_t cap = 200 + path_len + fields * (value_len + 40);
    char *text = malloc(cap);
    assert_non_null(text);
    size_t n = (size_t)snprintf(text, cap, "GET /hello?");
    memset(text + n, 'p', path_len);
    n += path_len;
    n += (size_t)snprintf(text + n, cap - n, " HTTP/1.1\r\n" HOST);
    for (size_t i = 0; i < fields; i++) {
        n += (size_t)snprintf(text + n, cap - n, "X-Field-%zu: ", i);
        memset(text + n, 'v', value_len);
        n += value_len;
        n += (size_t)snprintf(text + n, cap - n, "\r\n");
    }
    snprintf(text + n, cap - n, "\r\n");
    return text;
}

static void heads(void **state)
{
    (void)state;
    const cw_http_server_options o = {
        .limits = {.max_header_bytes = 4000, .max_header_fields = 20}};
    fixture *f = fixture_open(&o);
    static const struct {
        int line;
        size_t fields, value_len, path_len;
        int status;
    } rows[] = {
        {__LINE__, 10, 300, 0, 404}, {__LINE__, 19, 10, 0, 404},     {__LINE__, 20, 10, 0, 431},
        {__LINE__, 1, 4000, 0, 431}, {__LINE__, 500, 100, 0, 431},   {__LINE__, 0, 0, 3500, 404},
        {__LINE__, 0, 0, 5000, 414}, {__LINE__, 0, 0, 1000000, 414}, {__LINE__, 1, 1000000, 0, 431},
    };
    size_t bad = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *request = request_with(rows[i].fields, rows[i].value_len, rows[i].path_len);
        raw_client c;
        raw_response r;
        assert_true(raw_open(&c, f->port));
        raw_send_text(&c, request); /* may be cut off */
        bool came = raw_get_response(&c, true, &r);
        if (!came || r.status != rows[i].status) {
            fail_msg("row at line %d: %d", rows[i].line, r.status);
        }
        if (r.status != 404) {
            assert_true(raw_read_to_end(&c));
            assert_true(fixture_wait(f, fixture_has_errors, ++bad));
            assert_int_equal(f->errors[bad - 1].status, CW_NET_ERR_HEADER_LIMIT);
            assert_int_equal(f->errors[bad - 1].code, r.status);
        }
        raw_response_free(&r);
        raw_close(&c);
        free(request);
    }
    assert_int_equal(fixture_counters(f).bad_requests, bad);
    fixture_close(f);
}

static void h2_heads(void **state)
{
    (void)state;
    const cw_http_server_options o = {
        .limits = {.max_header_bytes = 4000, .max_header_fields = 20}};
    fixture *f = fixture_open(&o);
    static char value[3000];
    memset(value, 'v', sizeof value - 1);
    const char *large[] = {"x-a", value, "x-b", value, NULL};
    const char *many[2 * 18 + 1] = {NULL};
    for (size_t i = 0; i < 18; i++) {
        many[2 * i] = "x-many";
        many[2 * i + 1] = "v";
    }
    h2_client c;
    assert_true(h2_open(&c, f->port));
    const h2_stream *s = h2_request_with(&c, "GET", "/hello", large, NULL, 0, false);
    assert_true(h2_wait(&c, s));
    assert_int_equal(s->status, 431);
    s = h2_request_with(&c, "GET", "/hello", many, NULL, 0, false);
    assert_true(h2_wait(&c, s));
    assert_int_equal(s->status, 431);
    s = h2_request_with(&c, "GET", "/hello", large + 2, NULL, 0, false);
    assert_true(h2_wait(&c, s));
    assert_int_equal(s->status, 200); /* the connection goes on */
    cw_net_counters n = fixture_counters(f);
    assert_int_equal(n.bad_requests, 2);
    assert_int_equal(n.requests, 1);
    assert_int_equal(f->n_errors, 2);
    assert_int_equal(f->errors[0].status, CW_NET_ERR_HEADER_LIMIT);
    h2_close(&c);
    fixture_close(f);
}

/* ---- bodies ------------------------------------------------------------------------------------
 */

static void bodies(void **state)
{
    (void)state;
    const cw_http_server_options o = {.limits = {.max_body = 1000}};
    for (int is_bare = 0; is_bare < 2; is_bare++) {
        fixture *f = is_bare ? fixture_open_bare(&o) : fixture_open(&o);
        raw_client c;
        raw_response r;
        char body[1100];
        memset(body, 'b', sizeof body);
        /* As much as the limit is fine, chunked or not. */
        assert_true(raw_open(&c, f->port));
        assert_true(
            raw_send_text(&c, "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 1000\r\n\r\n"));
        assert_true(raw_send(&c, body, 1000));
        assert_true(raw_get_response(&c, true, &r));
        assert_int_equal(r.status, 200);
        assert_int_equal(r.body_len, 1000);
        raw_response_free(&r);
        /* A byte more is refused before it comes. */
        assert_int_equal(raw_ask(&c,
                                 "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 1001\r\n"
                                 "Expect: 100-continue\r\n\r\n",
                                 &r),
                         413);
        raw_response_free(&r);
        raw_close(&c);
        /* Without a length it is refused when it has come. */
        assert_true(raw_open(&c, f->port));
        assert_true(raw_send_text(&c, "POST /echo HTTP/1.1\r\n" HOST
                                      "Transfer-Encoding: chunked\r\n\r\n"
                                      "44c\r\n"));
        assert_true(raw_send(&c, body, sizeof body));
        assert_true(raw_get_response(&c, true, &r));
        assert_int_equal(r.status, 413);
        raw_response_free(&r);
        raw_close(&c);
        /* And all of a large one need not be sent to learn it. */
        assert_true(raw_open(&c, f->port));
        assert_int_equal(
            raw_ask(&c, "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 1000000000000\r\n\r\nbegin",
                    &r),
            413);
        raw_response_free(&r);
        raw_close(&c);
        if (is_bare) {
            assert_true(fixture_wait(f, fixture_has_errors, 3));
            assert_int_equal(f->errors[0].status, CW_NET_ERR_BODY_LIMIT);
            assert_int_equal(f->errors[0].code, 413);
        } else {
            assert_true(fixture_wait(f, fixture_has_done, 4));
            assert_int_equal(f->done[0].status, CW_NET_OK);
            for (size_t i = 1; i < 4; i++) {
                assert_int_equal(f->done[i].status, CW_NET_ERR_BODY_LIMIT);
            }
            assert_int_equal(f->n_errors, 0);
        }
        assert_int_equal(f->n_requests, 1);
        cw_net_counters n = fixture_counters(f);
        assert_int_equal(n.answered, 1);
        assert_int_equal(n.failed, 3);
        assert_int_equal(n.bad_requests, is_bare ? 3 : 0);
        fixture_close(f);
    }
}

static void h2_bodies(void **state)
{
    (void)state;
    const cw_http_server_options o = {.limits = {.max_body = 1000}};
    fixture *f = fixture_open(&o);
    static uint8_t body[500000];
    static const char *const length[] = {"content-length", "500000", NULL};
    h2_client c;
    assert_true(h2_open(&c, f->port));
    const h2_stream *fits = h2_request(&c, "POST", "/echo", body, 1000);
    const h2_stream *known = h2_request_with(&c, "POST", "/echo", length, body, 500000, false);
    const h2_stream *unknown = h2_request(&c, "POST", "/echo", body, 500000);
    assert_true(h2_wait(&c, fits));
    assert_int_equal(fits->status, 200);
    assert_true(h2_wait(&c, known));
    assert_int_equal(known->status, 413);
    assert_true(h2_wait(&c, unknown));
    assert_int_equal(unknown->status, 413);
    const h2_stream *after = h2_request(&c, "GET", "/hello", NULL, 0);
    assert_true(h2_wait(&c, after));
    assert_int_equal(after->status, 200);
    cw_net_counters n = fixture_counters(f);
    assert_int_equal(n.answered, 2);
    assert_int_equal(n.failed, 2);
    h2_close(&c);
    fixture_close(f);
}

/* A streamed call takes any size. */
static void streamed_bodies_have_no_limit(void **state)
{
    (void)state;
    const cw_http_server_options o = {.limits = {.max_body = 1000}};
    fixture *f = fixture_open(&o);
    static uint8_t body[100000];
    h2_client c;
    assert_true(h2_open(&c, f->port));
    const h2_stream *s = h2_request(&c, "POST", "/pieces", body, sizeof body);
    assert_true(h2_wait(&c, s));
    assert_int_equal(s->body.len, sizeof body);
    h2_close(&c);
    fixture_close(f);
}

/* ---- connections -------------------------------------------------------------------------------
 */

static void connections(void **state)
{
    (void)state;
    const cw_http_server_options o = {.limits = {.max_connections = 3}};
    fixture *f = fixture_open(&o);
    raw_client c[3], more;
    raw_response r;
    for (size_t i = 0; i < 3; i++) {
        assert_true(raw_open(&c[i], f->port));
    }
    assert_true(fixture_wait_open(f, 3));
    for (size_t i = 0; i < 5; i++) {
        assert_true(raw_open(&more, f->port));
        assert_true(raw_read_to_end(&more));
        assert_int_equal(more.len, 0);
        raw_close(&more);
        assert_true(fixture_wait(f, fixture_has_errors, i + 1));
        assert_int_equal(f->errors[i].status, CW_NET_ERR_BUSY);
    }
    cw_net_counters n = fixture_counters(f);
    assert_int_equal(n.connections, 3);
    assert_int_equal(n.connections_failed, 5);
    assert_int_equal(n.bad_requests, 0);
    /* One leaves, one may come. */
    raw_close(&c[1]);
    assert_true(fixture_wait_open(f, 2));
    assert_true(raw_open(&c[1], f->port));
    assert_int_equal(raw_ask(&c[1], "GET /hello HTTP/1.1\r\n" HOST "\r\n", &r), 200);
    raw_response_free(&r);
    for (size_t i = 0; i < 3; i++) {
        raw_close(&c[i]);
    }
    fixture_close(f);
}

static void lose_spare_fd(fixture *f, void *arg)
{
    (void)arg;
    close(f->loop.emfile_fd); /* libuv's way out of EMFILE */
    f->loop.emfile_fd = -1;
}

/*
 * Without its spare descriptor libuv tells of EMFILE by the listener's callback, up to some version
 * before 1.50; from there on it keeps silent and tries again.
 */
static bool libuv_tells(void)
{
    return uv_version() < 0x013200;
}

/* Waits for the error, or for as long as it would take. */
static bool wait_until_told(fixture *f)
{
    if (libuv_tells()) {
        return fixture_wait(f, fixture_has_errors, 1);
    }
    uv_sleep(200);
    return f->n_errors == 0;
}

/* No file descriptor is left: an error that is told, a pause, and later the server goes on. */
static void no_descriptors(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    fixture_run(f, lose_spare_fd, NULL);
    raw_client c;
    raw_response r;
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    int next = dup(0);
    assert_in_range(next, 1, 1000);
    close(next);
    few = before;
    few.rlim_cur = (rlim_t)next + 1; /* the client's, but not the server's end */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    bool is_open = raw_open(&c, f->port);
    bool is_told = wait_until_told(f);
    size_t n_errors = f->n_errors;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_true(is_open);
    assert_true(is_told);
    if (libuv_tells()) {
        assert_in_range(n_errors, 1, 20); /* it does not spin */
        assert_int_equal(f->errors[0].status, CW_NET_ERR_IO);
        assert_int_equal(f->errors[0].code, UV_EMFILE);
    }
    assert_int_equal(raw_ask(&c, "GET /hello HTTP/1.1\r\n" HOST "\r\n", &r), 200);
    raw_response_free(&r);
    raw_close(&c);
    assert_in_range(fixture_counters(f).connections_failed, libuv_tells() ? 1 : 0, 20);
    fixture_close(f);
}

/* The server ends while it pauses. */
static void closed_without_descriptors(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    fixture_run(f, lose_spare_fd, NULL);
    raw_client c;
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    int next = dup(0);
    close(next);
    few = before;
    few.rlim_cur = (rlim_t)next + 1;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    bool is_open = raw_open(&c, f->port);
    bool is_told = wait_until_told(f);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_true(is_open && is_told);
    fixture_shutdown(f);
    assert_true(fixture_wait(f, fixture_is_closed, 0));
    raw_close(&c);
    fixture_close(f);
}

/* ---- time --------------------------------------------------------------------------------------
 */

static const cw_http_server_options hasty = {
    .limits = {.header_timeout_ms = 400, .body_timeout_ms = 400, .idle_timeout_ms = 400}};

static void slow_heads(void **state)
{
    (void)state;
    fixture *f = fixture_open(&hasty);
    raw_client c, silent, h2;
    raw_response r;
    assert_true(raw_open(&silent, f->port));
    assert_true(raw_open(&h2, f->port));
    assert_true(raw_send_text(&h2, "PRI * HTTP/2.0\r\n"));
    assert_true(raw_open(&c, f->port));
    /* A byte every now and then does not help. */
    uint64_t began = now_ms();
    const char *const text = "GET /hello HTTP/1.1\r\nHost: localhost\r\nX-Slow: loris";
    for (size_t i = 0; i < strlen(text) && !c.ended && c.len == 0; i++) {
        raw_send_some(&c, text + i, 1);
        raw_read(&c, 50);
    }
    assert_true(raw_get_response(&c, true, &r));
    assert_int_equal(r.status, 408);
    assert_true(now_ms() - began >= 400);
    raw_response_free(&r);
    assert_true(raw_read_to_end(&c));
    assert_true(raw_read_to_end(&silent));
    assert_true(raw_read_to_end(&h2));
    raw_close(&c);
    raw_close(&silent);
    raw_close(&h2);
    assert_true(fixture_wait(f, fixture_has_errors, 3));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(f->errors[i].status, CW_NET_ERR_TIMEOUT);
    }
    assert_true(fixture_wait_open(f, 0));
    assert_int_equal(fixture_counters(f).requests, 0);
    fixture_close(f);
}

static void slow_bodies(void **state)
{
    (void)state;
    fixture *f = fixture_open(&hasty);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_int_equal(
        raw_ask(&c, "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 10\r\n\r\nhalf", &r), 408);
    raw_response_free(&r);
    assert_true(raw_read_to_end(&c));
    raw_close(&c);
    h2_client h2;
    assert_true(h2_open(&h2, f->port));
    h2_stream *s = h2_request(&h2, "POST", "/echo", "half", 4);
    s->never_ends = true;
    assert_true(h2_wait(&h2, s));
    assert_int_equal(s->up_at, 4);
    assert_int_not_equal(s->error, NGHTTP2_NO_ERROR);
    h2_close(&h2);
    assert_true(fixture_wait(f, fixture_has_done, 2));
    assert_int_equal(f->done[0].status, CW_NET_ERR_TIMEOUT);
    assert_int_equal(f->done[1].status, CW_NET_ERR_TIMEOUT);
    assert_int_equal(f->n_requests, 0);
    fixture_close(f);
}

/* The client does not take what it has asked for. */
static void slow_readers(void **state)
{
    (void)state;
    fixture *f = fixture_open(&hasty);
    raw_client c;
    h2_client h2;
    assert_true(h2_open(&h2, f->port));
    h2.holds_window = true;
    const h2_stream *s = h2_request(&h2, "GET", "/stream/1000000", NULL, 0);
    assert_true(h2_wait(&h2, s)); /* reset */
    assert_int_equal(s->body.len, 65535);
    assert_int_not_equal(s->error, NGHTTP2_NO_ERROR);
    assert_true(fixture_wait(f, fixture_has_done, 1));
    assert_int_equal(f->done[0].status, CW_NET_ERR_TIMEOUT);
    h2_close(&h2);
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, "GET /stream/50000000 HTTP/1.1\r\n" HOST "\r\n"));
    assert_true(fixture_wait(f, fixture_has_done, 2));
    assert_int_equal(f->done[1].status, CW_NET_ERR_TIMEOUT);
    raw_close(&c);
    fixture_close(f);
}

/* The handler is slow, which is nobody's offence. */
static void slow_handlers(void **state)
{
    (void)state;
    fixture *f = fixture_open(&hasty);
    raw_client c, paused;
    raw_response r;
    h2_client h2;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, "GET /keep HTTP/1.1\r\n" HOST "\r\n"));
    assert_true(h2_open(&h2, f->port));
    const h2_stream *s = h2_request(&h2, "GET", "/keep", NULL, 0);
    assert_true(h2_flush(&h2));
    assert_true(fixture_wait(f, fixture_has_kept, 2));
    /* Paused with more body to come than is taken meanwhile. */
    static char body[2000000];
    assert_true(raw_open(&paused, f->port));
    assert_true(
        raw_send_text(&paused, "POST /paused HTTP/1.1\r\n" HOST "Content-Length: 2000000\r\n\r\n"));
    assert_true(raw_send(&paused, body, 1000000));
    nap(1200);
    assert_int_equal(f->n_done, 0);
    fixture_answer_kept(f);
    assert_true(raw_get_response(&c, true, &r));
    assert_string_equal(r.body, "kept");
    raw_response_free(&r);
    assert_true(h2_wait(&h2, s));
    assert_string_equal(s->body.data, "kept");
    fixture_resume(f);
    assert_true(raw_send(&paused, body, 1000000));
    assert_true(raw_get_response(&paused, true, &r));
    assert_string_equal(r.body, "2000000");
    raw_response_free(&r);
    raw_close(&c);
    raw_close(&paused);
    h2_close(&h2);
    fixture_close(f);
}

static void idle(void **state)
{
    (void)state;
    fixture *f = fixture_open(&hasty);
    raw_client c;
    raw_response r;
    h2_client h2;
    assert_true(raw_open(&c, f->port));
    assert_int_equal(raw_ask(&c, "GET /hello HTTP/1.1\r\n" HOST "\r\n", &r), 200);
    raw_response_free(&r);
    assert_true(h2_open(&h2, f->port));
    const h2_stream *s = h2_request(&h2, "GET", "/hello", NULL, 0);
    assert_true(h2_wait(&h2, s));
    assert_true(raw_read_to_end(&c));
    assert_int_equal(c.len, 0);
    assert_true(h2_wait_end(&h2));
    assert_in_range(h2.goaways, 1, 2);
    assert_int_equal(h2.goaway_error, NGHTTP2_NO_ERROR);
    raw_close(&c);
    h2_close(&h2);
    assert_true(fixture_wait_open(f, 0));
    assert_int_equal(f->n_errors, 0); /* no error of anybody */
    fixture_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads),
        cmocka_unit_test(h2_heads),
        cmocka_unit_test(bodies),
        cmocka_unit_test(h2_bodies),
        cmocka_unit_test(streamed_bodies_have_no_limit),
        cmocka_unit_test(connections),
        cmocka_unit_test(no_descriptors),
        cmocka_unit_test(closed_without_descriptors),
        cmocka_unit_test(slow_heads),
        cmocka_unit_test(slow_bodies),
        cmocka_unit_test(slow_readers),
        cmocka_unit_test(slow_handlers),
        cmocka_unit_test(idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
