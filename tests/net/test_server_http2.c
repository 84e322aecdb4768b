/* SPDX-License-Identifier: MIT */
/* The server over HTTP/2, and both versions on one port. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "h2_client.h"
#include "server_fixture.h"

static const cw_http_server_options plain = {.server_field = "cwire"};

static void both_versions_on_one_port(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    raw_client old;
    raw_response r;
    assert_true(h2_open(&c, f->port));
    assert_true(raw_open(&old, f->port));
    const h2_stream *s = h2_request(&c, "GET", "/hello", NULL, 0);
    assert_true(h2_wait(&c, s));
    assert_int_equal(s->status, 200);
    assert_string_equal(s->body.data, "hello");
    assert_true(h2_has_line(&s->head, "server: cwire"));
    assert_true(h2_has_line(&s->head, "content-length: 5"));
    assert_non_null(strstr(s->head.data, "date: "));
    assert_int_equal(s->error, NGHTTP2_NO_ERROR);
    assert_int_equal(raw_ask(&old, "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n", &r), 200);
    raw_response_free(&r);
    raw_close(&old);
    h2_close(&c);
    fixture_close(f);
}

/* Preface, SETTINGS, and a request, a byte at a time, in two halves, and all at once. */
static void preface_cut_anywhere(void **state)
{
    (void)state;
    static const char bytes[] =
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        "\0\0\0\4\0\0\0\0\0"                  /* SETTINGS */
        "\0\0\x10\1\5\0\0\0\1"                /* HEADERS, END_STREAM and END_HEADERS */
        "\x82\x86\x04\x06/hello\x01\x04host"; /* GET, http, :path, :authority */
    fixture *f = fixture_open(&plain);
    static const size_t steps[] = {1, 2, 5, 12, 23, 24, 25, sizeof bytes};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        raw_client c;
        assert_true(raw_open(&c, f->port));
        assert_true(raw_send_cut(&c, bytes, sizeof bytes - 1, steps[i]));
        while (c.len < 9 || memmem(c.data, c.len, "hello", 5) == NULL) {
            assert_true(raw_read(&c, RAW_WAIT_MS));
        }
        assert_int_equal(c.data[3], 4); /* SETTINGS first */
        raw_close(&c);
        assert_true(fixture_wait(f, fixture_has_done, i + 1));
        assert_int_equal(f->done[i].status, CW_NET_OK);
    }
    assert_int_equal(f->n_errors, 0);
    fixture_close(f);
}

/* What begins like the preface and is none goes to HTTP/1.1, which does not understand it. */
static void almost_a_preface(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_int_equal(raw_ask(&c, "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", &r), 505);
    assert_true(raw_read_to_end(&c));
    raw_response_free(&r);
    raw_close(&c);
    /* And half of it is nothing. */
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, "PRI * HT"));
    raw_close(&c);
    assert_true(fixture_wait(f, fixture_has_errors, 2));
    assert_int_equal(f->errors[1].status, CW_NET_ERR_CLOSED);
    fixture_close(f);
}

static void many_streams_at_once(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    const h2_stream *s[100];
    assert_true(h2_open(&c, f->port));
    for (size_t i = 0; i < 100; i++) {
        s[i] = h2_request(&c, i % 2 ? "GET" : "POST", i % 2 ? "/hello" : "/echo",
                          i % 2 ? NULL : "up", i % 2 ? 0 : 2);
    }
    for (size_t i = 0; i < 100; i++) {
        assert_true(h2_wait(&c, s[i]));
        assert_int_equal(s[i]->status, 200);
        assert_string_equal(s[i]->body.data, i % 2 ? "hello" : "up");
    }
    cw_net_counters n = fixture_counters(f);
    assert_int_equal(n.connections, 1);
    assert_int_equal(n.requests, 100);
    assert_int_equal(n.answered, 100);
    assert_in_range(n.writes, 1, 60); /* responses of one turn leave together */
    h2_close(&c);
    fixture_close(f);
}

static void trailers_both_ways(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    const h2_stream *s = h2_request_with(&c, "POST", "/echo", NULL, "body", 4, true);
    const h2_stream *pieces = h2_request_with(&c, "POST", "/pieces", NULL, "body", 4, true);
    const h2_stream *empty = h2_request_with(&c, "POST", "/echo", NULL, "", 0, true);
    assert_true(h2_wait(&c, s));
    assert_string_equal(s->body.data, "body");
    assert_true(h2_has_line(&s->head, "x-x-t: up"));
    assert_true(h2_wait(&c, pieces));
    assert_string_equal(pieces->body.data, "body");
    assert_true(h2_has_line(&pieces->trailers, "x-t: up"));
    assert_true(h2_wait(&c, empty));
    assert_int_equal(empty->body.len, 0);
    assert_true(h2_has_line(&empty->head, "x-x-t: up"));
    h2_close(&c);
    fixture_close(f);
}

static void fields(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    const h2_stream *many = h2_request(&c, "GET", "/fields/100", NULL, 0);
    const h2_stream *huge = h2_request(&c, "GET", "/huge-field", NULL, 0);
    const h2_stream *after = h2_request(&c, "GET", "/hello", NULL, 0);
    assert_true(h2_wait(&c, many));
    assert_int_equal(many->status, 200);
    assert_true(h2_has_line(&many->head, "x-field-0: VALUE 0")); /* lower case on the wire */
    assert_true(h2_has_line(&many->head, "x-field-99: VALUE 99"));
    assert_true(h2_wait(&c, huge));
    assert_int_equal(huge->status, 500); /* more than nghttp2 can send */
    assert_int_equal(huge->body.len, 0);
    assert_true(h2_wait(&c, after));
    assert_int_equal(after->status, 200);
    h2_close(&c);
    fixture_close(f);
}

static void answered_before_the_body(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    static uint8_t body[3000000];
    h2_client c;
    assert_true(h2_open(&c, f->port));
    const h2_stream *s = h2_request(&c, "POST", "/early", body, sizeof body);
    assert_true(h2_wait(&c, s));
    assert_int_equal(s->status, 200);
    assert_string_equal(s->body.data, "early");
    assert_true(s->is_ended);
    assert_true(fixture_wait(f, fixture_has_done, 1));
    assert_int_equal(f->n_requests, 0);
    /* The connection is as good as before. */
    const h2_stream *after = h2_request(&c, "POST", "/echo", body, sizeof body);
    assert_true(h2_wait(&c, after));
    assert_int_equal(after->body.len, sizeof body);
    h2_close(&c);
    fixture_close(f);
}

static void continue_is_sent_when_wanted(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    static const char *const expect[] = {"expect", "100-continue", NULL};
    h2_client c;
    assert_true(h2_open(&c, f->port));
    const h2_stream *s = h2_request_with(&c, "POST", "/echo", expect, "body", 4, false);
    assert_true(h2_wait(&c, s));
    assert_int_equal(s->status, 200);
    assert_string_equal(s->body.data, "body");
    h2_close(&c);
    fixture_close(f);
}

static void head_has_no_body(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    const h2_stream *s = h2_request(&c, "HEAD", "/hello", NULL, 0);
    const h2_stream *stream = h2_request(&c, "HEAD", "/stream/200000", NULL, 0);
    assert_true(h2_wait(&c, s));
    assert_true(h2_has_line(&s->head, "content-length: 5"));
    assert_int_equal(s->body.len, 0);
    assert_true(h2_wait(&c, stream));
    assert_int_equal(stream->status, 200);
    assert_int_equal(stream->body.len, 0);
    h2_close(&c);
    fixture_close(f);
}

static void given_up_by_the_handler(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    static const char *const paths[] = {"/abort", "/half", "/bad-trailer"};
    h2_client c;
    assert_true(h2_open(&c, f->port));
    for (size_t i = 0; i < 3; i++) {
        const h2_stream *s = h2_request(&c, "GET", paths[i], NULL, 0);
        assert_true(h2_wait(&c, s));
        assert_false(s->is_ended);
        assert_int_not_equal(s->error, NGHTTP2_NO_ERROR);
        assert_true(fixture_wait(f, fixture_has_done, i + 1));
        assert_int_equal(f->done[i].status, i == 2 ? CW_NET_ERR_ARGUMENT : CW_NET_ERR_CANCELLED);
    }
    const h2_stream *s = h2_request(&c, "GET", "/hello", NULL, 0);
    assert_true(h2_wait(&c, s));
    assert_int_equal(s->status, 200);
    h2_close(&c);
    fixture_close(f);
}

static void wrong_answers_are_500(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    static const struct {
        const char *path;
        int status;
    } rows[] = {{"/bad-field", 500}, {"/split", 500},      {"/twice", 200},
                {"/status/99", 500}, {"/status/204", 204}, {"/status/304", 304}};
    h2_client c;
    assert_true(h2_open(&c, f->port));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const h2_stream *s = h2_request(&c, "GET", rows[i].path, NULL, 0);
        assert_true(h2_wait(&c, s));
        assert_int_equal(s->status, rows[i].status);
        assert_int_equal(s->error, NGHTTP2_NO_ERROR);
        assert_string_equal(s->body.len > 0 ? s->body.data : "",
                            rows[i].status == 200 ? "once" : "");
    }
    h2_close(&c);
    fixture_close(f);
}

static void reset_by_the_client(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    c.holds_window = true;
    const h2_stream *s = h2_request(&c, "GET", "/stream/1000000", NULL, 0);
    while (s->body.len < 65535) {
        assert_true(h2_pump(&c, RAW_WAIT_MS));
    }
    nghttp2_submit_rst_stream(c.session, 0, s->id, NGHTTP2_CANCEL);
    assert_true(h2_flush(&c));
    assert_true(fixture_wait(f, fixture_has_done, 1));
    assert_int_equal(f->done[0].status, CW_NET_ERR_RESET);
    cw_net_counters n = fixture_counters(f);
    assert_int_equal(n.failed, 1);
    assert_int_equal(n.connections_open, 1);
    h2_close(&c);
    fixture_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_versions_on_one_port), cmocka_unit_test(preface_cut_anywhere),
        cmocka_unit_test(almost_a_preface),          cmocka_unit_test(many_streams_at_once),
        cmocka_unit_test(trailers_both_ways),        cmocka_unit_test(fields),
        cmocka_unit_test(answered_before_the_body),  cmocka_unit_test(continue_is_sent_when_wanted),
        cmocka_unit_test(head_has_no_body),          cmocka_unit_test(given_up_by_the_handler),
        cmocka_unit_test(wrong_answers_are_500),     cmocka_unit_test(reset_by_the_client),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
