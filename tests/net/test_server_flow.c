/* SPDX-License-Identifier: MIT */
/* Back-pressure both ways: neither a slow reader nor a slow handler makes the server hoard. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "h2_client.h"
#include "server_fixture.h"

static const cw_http_server_options plain = {.port = 0};

enum {
    MANY = 50000000,
    HELD_BY_SOCKETS = 24000000, /* more than the kernel's buffers at both ends take */
    UNSENT_MAX = 65536 + 16384 + 64
};

#define HOST "Host: localhost\r\n"

static void nap(long ms)
{
    const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* Waits until the server has had nothing to do for a while. */
static uint64_t settled_bytes_out(fixture *f)
{
    uint64_t last = 0, now = fixture_counters(f).bytes_out;
    do {
        last = now;
        nap(100);
        now = fixture_counters(f).bytes_out;
    } while (now != last);
    return now;
}

static bool has_streamed(fixture *f, size_t n)
{
    return f->streamed >= n;
}

static void slow_reader(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, "GET /stream/50000000 HTTP/1.1\r\n" HOST "\r\n"));
    assert_true(raw_read_until(&c, "\r\n\r\n"));
    assert_in_range(settled_bytes_out(f), 1, HELD_BY_SOCKETS);
    assert_in_range(fixture_max_unsent(f), 1, UNSENT_MAX);
    assert_true(raw_get_response(&c, true, &r));
    assert_int_equal(r.body_len, MANY);
    for (size_t i = 0; i < MANY; i += 9973) {
        assert_int_equal(r.body[i], 'a' + i % 26);
    }
    assert_string_equal(r.trailers, "x-sum: 50000000\r\n");
    assert_in_range(fixture_max_unsent(f), 1, UNSENT_MAX);
    raw_response_free(&r);
    raw_close(&c);
    fixture_close(f);
}

static void h2_slow_reader(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    c.holds_window = true;
    const h2_stream *s = h2_request(&c, "GET", "/stream/5000000", NULL, 0);
    while (s->body.len < 65535) {
        assert_true(h2_pump(&c, RAW_WAIT_MS));
    }
    assert_false(h2_pump(&c, 200));
    assert_int_equal(s->body.len, 65535); /* our window to the byte */
    assert_in_range(fixture_max_unsent(f), 1, UNSENT_MAX);
    /* The connection's window is used up too: another stream gets its head, but no body. */
    const h2_stream *other = h2_request(&c, "GET", "/hello", NULL, 0);
    while (other->status == 0) {
        assert_true(h2_pump(&c, RAW_WAIT_MS));
    }
    assert_false(other->is_ended);
    c.holds_window = false;
    nghttp2_session_consume(c.session, s->id, 65535);
    assert_true(h2_wait(&c, s));
    assert_true(h2_wait(&c, other));
    assert_int_equal(s->body.len, 5000000);
    assert_true(h2_has_line(&s->trailers, "x-sum: 5000000"));
    assert_string_equal(other->body.data, "hello");
    assert_in_range(fixture_max_unsent(f), 1, UNSENT_MAX);
    h2_close(&c);
    fixture_close(f);
}

static void paused_upload_stops_the_sender(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    char *body = calloc(1, MANY);
    assert_non_null(body);
    assert_true(raw_open(&c, f->port));
    assert_true(
        raw_send_text(&c, "POST /paused HTTP/1.1\r\n" HOST "Content-Length: 50000000\r\n\r\n"));
    size_t sent = 0, last;
    do { /* until nothing is taken for a while */
        last = sent;
        nap(100);
        for (size_t n; (n = raw_send_some(&c, body + sent, MANY - sent)) > 0; sent += n) {
        }
    } while (sent != last);
    assert_in_range(sent, 1, HELD_BY_SOCKETS);
    assert_true(fixture_wait(f, has_streamed, 1));
    fixture_counters(f); /* its turn of the loop is over */
    assert_in_range(f->streamed, 1, 1 << 20);
    fixture_resume(f);
    assert_true(raw_send(&c, body + sent, MANY - sent));
    assert_true(raw_get_response(&c, true, &r));
    assert_string_equal(r.body, "50000000");
    raw_response_free(&r);
    raw_close(&c);
    free(body);
    fixture_close(f);
}

static void h2_paused_upload_stops_the_sender(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    static uint8_t body[8000000];
    assert_true(h2_open(&c, f->port));
    const h2_stream *s = h2_request(&c, "POST", "/paused", body, sizeof body);
    while (h2_pump(&c, 300)) {
    }
    assert_false(s->is_closed);
    assert_in_range(s->up_at, 65535, 1 << 20); /* the stream's window */
    assert_true(fixture_wait(f, has_streamed, s->up_at));
    assert_int_equal(f->streamed, s->up_at);
    /* The others are not held up by it. */
    const h2_stream *echo = h2_request(&c, "POST", "/echo", body, 2000000);
    assert_true(h2_wait(&c, echo));
    assert_int_equal(echo->body.len, 2000000);
    assert_false(s->is_closed);
    fixture_resume(f);
    assert_true(h2_wait(&c, s));
    assert_string_equal(s->body.data, "8000000");
    h2_close(&c);
    fixture_close(f);
}

/* What a paused stream has taken of the connection's window comes back when it is reset. */
static void h2_reset_while_paused(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    static uint8_t body[4000000];
    assert_true(h2_open(&c, f->port));
    for (size_t i = 0; i < 6; i++) {
        const h2_stream *s = h2_request(&c, "POST", "/paused", body, sizeof body);
        while (h2_pump(&c, 100) || s->up_at < 60000) {
        }
        nghttp2_submit_rst_stream(c.session, 0, s->id, NGHTTP2_CANCEL);
        assert_true(h2_flush(&c));
        assert_true(fixture_wait(f, fixture_has_done, i + 1));
        assert_int_equal(f->done[i].status, CW_NET_ERR_RESET);
    }
    const h2_stream *echo = h2_request(&c, "POST", "/echo", body, sizeof body);
    assert_true(h2_wait(&c, echo));
    assert_int_equal(echo->body.len, sizeof body);
    h2_close(&c);
    fixture_close(f);
}

/* B68: windows are opened again in both directions. */
static void h2_echo_of_200000_bytes(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    static uint8_t body[200000];
    for (size_t i = 0; i < sizeof body; i++) {
        body[i] = (uint8_t)(i * 7 % 251);
    }
    assert_true(h2_open(&c, f->port));
    for (int i = 0; i < 3; i++) {
        const h2_stream *s = h2_request(&c, "POST", "/echo", body, sizeof body);
        assert_true(h2_wait(&c, s));
        assert_int_equal(s->status, 200);
        assert_int_equal(s->body.len, sizeof body);
        assert_memory_equal(s->body.data, body, sizeof body);
    }
    h2_close(&c);
    fixture_close(f);
}

/* A handler that answers and forgets that it has paused. */
static void answered_while_paused(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, "POST /paused HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nhello"
                                  "GET /hello HTTP/1.1\r\n" HOST "\r\n"));
    assert_true(raw_get_response(&c, true, &r));
    assert_string_equal(r.body, "5");
    raw_response_free(&r);
    assert_true(raw_get_response(&c, true, &r));
    assert_string_equal(r.body, "hello");
    raw_response_free(&r);
    raw_close(&c);
    fixture_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_reader),
        cmocka_unit_test(h2_slow_reader),
        cmocka_unit_test(paused_upload_stops_the_sender),
        cmocka_unit_test(h2_paused_upload_stops_the_sender),
        cmocka_unit_test(h2_reset_while_paused),
        cmocka_unit_test(h2_echo_of_200000_bytes),
        cmocka_unit_test(answered_while_paused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
