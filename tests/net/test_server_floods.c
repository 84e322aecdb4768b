/* SPDX-License-Identifier: MIT */
/* Floods of HTTP/2 at a real socket (case B70): the connection ends with GOAWAY, the server lives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "h2_client.h"
#include "server_fixture.h"

static const cw_http_server_options plain = {.port = 0};

enum { MANY = 5000, MEMORY_MAX = 64 << 20 };

/* Bytes of memory in use, as the kernel sees them. */
static size_t resident(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    size_t size = 0, pages = 0;
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%zu %zu", &size, &pages), 2);
    fclose(f);
    return pages * 4096;
}

static void assert_healthy(fixture *f)
{
    h2_client c;
    assert_true(h2_open(&c, f->port));
    const h2_stream *s = h2_request(&c, "GET", "/hello", NULL, 0);
    assert_true(h2_wait(&c, s));
    assert_string_equal(s->body.data, "hello");
    h2_close(&c);
}

/* B70 (a): no budget is spent by requests that are answered. */
static void five_thousand_requests(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    for (int i = 0; i < MANY; i++) {
        assert_non_null(h2_request(&c, "GET", "/hello", NULL, 0));
        if (i % 50 == 49) { /* the client sends 100 at once at most */
            assert_true(h2_wait(&c, c.streams[i]));
        }
    }
    for (size_t i = 0; i < MANY; i++) {
        assert_true(h2_wait(&c, c.streams[i]));
        assert_int_equal(c.streams[i]->status, 200);
    }
    assert_int_equal(c.goaways, 0);
    cw_net_counters n = fixture_counters(f);
    assert_int_equal(n.requests, MANY);
    assert_int_equal(n.answered, MANY);
    h2_close(&c);
    fixture_close(f);
}

/* And so has the benchmark client of that report, which resets each stream after its answer. */
static void reset_after_each_answer(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    for (int i = 0; i < MANY; i++) {
        const h2_stream *s = h2_request(&c, "GET", "/hello", NULL, 0);
        assert_true(h2_wait(&c, s));
        nghttp2_submit_rst_stream(c.session, 0, s->id, NGHTTP2_NO_ERROR);
    }
    assert_int_equal(c.goaways, 0);
    assert_int_equal(fixture_counters(f).answered, MANY);
    h2_close(&c);
    fixture_close(f);
}

/* B70 (b): rapid reset, with handlers that would keep what they are given. */
static void rapid_reset(void **state)
{
    (void)state;
    static const char *const paths[] = {"/keep", "/hello"};
    for (size_t p = 0; p < 2; p++) {
        fixture *f = fixture_open(&plain);
        h2_client c;
        size_t before = resident();
        assert_true(h2_open(&c, f->port));
        for (int i = 0; i < MANY && !c.raw.ended && c.goaways == 0; i++) {
            const h2_stream *s = h2_request(&c, "GET", paths[p], NULL, 0);
            if (s == NULL) {
                break;
            }
            h2_flush(&c);
            nghttp2_submit_rst_stream(c.session, 0, s->id, NGHTTP2_CANCEL);
            h2_flush(&c);
            if (i % 100 == 99) {
                h2_pump(&c, 0);
            }
        }
        assert_true(h2_wait_end(&c));
        assert_int_equal(c.goaways, 1);
        assert_int_equal(c.goaway_error, NGHTTP2_ENHANCE_YOUR_CALM);
        h2_close(&c);
        assert_healthy(f);
        assert_in_range(f->n_kept, 0, 256); /* max_running */
        cw_net_counters n = fixture_counters(f);
        assert_in_range(n.requests, 1, MANY);
        assert_in_range(n.bad_requests + f->n_done, 1, 2 * MANY);
        assert_in_range(resident() - before < SIZE_MAX / 2 ? resident() - before : 0, 0,
                        MEMORY_MAX);
        fixture_close(f);
    }
}

/* Resets that the server itself is made to send, by more DATA than content-length says. */
static void made_to_reset(void **state)
{
    (void)state;
    static const char *const length[] = {"content-length", "1", NULL};
    fixture *f = fixture_open(&plain);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    for (int i = 0; i < MANY && !c.raw.ended && c.goaways == 0; i++) {
        if (h2_request_with(&c, "POST", "/keep", length, "too much", 8, false) == NULL) {
            break;
        }
        h2_pump(&c, i % 50 == 49 ? 100 : 0);
    }
    assert_true(h2_wait_end(&c));
    assert_int_equal(c.goaways, 1);
    assert_int_equal(c.goaway_error, NGHTTP2_ENHANCE_YOUR_CALM);
    h2_close(&c);
    assert_healthy(f);
    fixture_close(f);
}

/* ---- frames that bring nothing -----------------------------------------------------------------
 */

static const char *frame_of(int kind, size_t *n)
{
    static const char settings[] = "\0\0\0\4\0\0\0\0\0";
    static const char ping[] = "\0\0\x08\6\0\0\0\0\0abcdefgh";
    static const char window[] = "\0\0\4\x08\0\0\0\0\0\0\0\0\1";
    static const char unknown[] = "\0\0\0\x7f\0\0\0\0\0";
    static const char priority[] = "\0\0\5\2\0\0\0\0\1\0\0\0\0\x10";
    switch (kind) {
    case 0:
        *n = sizeof settings - 1;
        return settings;
    case 1:
        *n = sizeof ping - 1;
        return ping;
    case 2:
        *n = sizeof window - 1;
        return window;
    case 3:
        *n = sizeof unknown - 1;
        return unknown;
    default:
        *n = sizeof priority - 1;
        return priority;
    }
}

static void empty_frames(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    for (int kind = 0; kind < 5; kind++) {
        h2_client c;
        size_t n;
        const char *frame = frame_of(kind, &n);
        assert_true(h2_open(&c, f->port));
        for (int i = 0; i < MANY && raw_send(&c.raw, frame, n); i++) {
        }
        assert_true(h2_wait_end(&c));
        h2_close(&c);
        assert_true(fixture_wait(f, fixture_has_errors, (size_t)kind + 1));
        if (f->errors[kind].status != CW_NET_ERR_FLOOD) {
            fail_msg("kind %d: %s %s", kind, cw_net_status_name(f->errors[kind].status),
                     f->errors[kind].detail);
        }
        assert_int_equal(f->errors[kind].code, NGHTTP2_ENHANCE_YOUR_CALM);
    }
    assert_healthy(f);
    assert_int_equal(fixture_counters(f).bad_requests, 5);
    fixture_close(f);
}

/* Empty DATA in a stream that is shown: its on_done tells. */
static void empty_data(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    h2_stream *s = h2_request(&c, "POST", "/pieces", "a", 1);
    s->never_ends = true;
    while (s->body.len == 0) {
        assert_true(h2_pump(&c, RAW_WAIT_MS));
    }
    for (int i = 0; i < MANY && raw_send(&c.raw, "\0\0\0\0\0\0\0\0\1", 9); i++) {
    }
    assert_true(h2_wait_end(&c));
    h2_close(&c);
    assert_true(fixture_wait(f, fixture_has_done, 1));
    assert_int_equal(f->done[0].status, CW_NET_ERR_FLOOD);
    assert_true(fixture_wait_open(f, 0));
    assert_int_equal(f->n_errors, 0);
    assert_healthy(f);
    fixture_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_thousand_requests),
        cmocka_unit_test(reset_after_each_answer),
        cmocka_unit_test(rapid_reset),
        cmocka_unit_test(made_to_reset),
        cmocka_unit_test(empty_frames),
        cmocka_unit_test(empty_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
