/* SPDX-License-Identifier: MIT */
/* Who goes first: clients that leave, answers that come late, servers that end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "h2_client.h"
#include "server_fixture.h"

static const cw_http_server_options plain = {.port = 0};

#define HOST    "Host: localhost\r\n"
#define KEEP    "GET /keep HTTP/1.1\r\n" HOST "\r\n"
#define MANY    "GET /stream/50000000 HTTP/1.1\r\n" HOST "\r\n"
#define HALF    "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 10\r\n\r\nhalf"
#define CHUNKED "POST /pieces HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"

/* ---- clients that leave ------------------------------------------------------------------------
 */

static void gone_in_mid_request(void **state)
{
    (void)state;
    static const char *const requests[] = {HALF, CHUNKED};
    for (int by_reset = 0; by_reset < 2; by_reset++) {
        fixture *f = fixture_open(&plain);
        for (size_t i = 0; i < 2; i++) {
            raw_client c;
            assert_true(raw_open(&c, f->port));
            assert_true(raw_send_text(&c, requests[i]));
            if (i == 1) {
                assert_true(raw_read_until(&c, "abc")); /* the call is under way */
            } else {
                assert_true(fixture_wait_heads(f, 1));
            }
            if (by_reset) {
                raw_reset(&c);
            } else {
                raw_close(&c);
            }
            assert_true(fixture_wait(f, fixture_has_done, i + 1));
            assert_int_equal(f->done[i].status, CW_NET_ERR_CLOSED);
        }
        cw_net_counters n = fixture_counters(f);
        assert_int_equal(n.requests, 2);
        assert_int_equal(n.failed, 2);
        assert_int_equal(n.bad_requests, 0); /* on_done has told */
        assert_int_equal(f->n_errors, 0);
        fixture_close(f);
    }
}

static void gone_in_mid_request_not_shown(void **state)
{
    (void)state;
    fixture *f = fixture_open_bare(&plain);
    raw_client c;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, HALF));
    assert_true(fixture_wait_heads(f, 1));
    raw_close(&c);
    assert_true(fixture_wait(f, fixture_has_errors, 1));
    assert_int_equal(f->errors[0].status, CW_NET_ERR_CLOSED);
    cw_net_counters n = fixture_counters(f);
    assert_int_equal(n.failed, 1);
    assert_int_equal(n.bad_requests, 1);
    fixture_close(f);
}

static void gone_in_mid_response(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, MANY));
    assert_true(raw_read_until(&c, "abcdef"));
    raw_reset(&c);
    assert_true(fixture_wait(f, fixture_has_done, 1));
    assert_int_equal(f->done[0].status, CW_NET_ERR_CLOSED);
    assert_int_equal(fixture_counters(f).failed, 1);
    fixture_close(f);
}

static void h2_gone_in_mid_response(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    const h2_stream *s = h2_request(&c, "GET", "/stream/50000000", NULL, 0);
    const h2_stream *up = h2_request(&c, "POST", "/pieces", "abc", 3);
    while (s->body.len < 100000 || !up->is_closed) {
        assert_true(h2_pump(&c, RAW_WAIT_MS));
    }
    raw_reset(&c.raw);
    assert_true(fixture_wait(f, fixture_has_done, 2));
    assert_int_equal(f->done[0].status, CW_NET_OK);
    assert_int_equal(f->done[1].status, CW_NET_ERR_CLOSED);
    h2_close(&c);
    fixture_close(f);
}

/* ---- late answers ------------------------------------------------------------------------------
 */

static void late_answer(void **state)
{
    (void)state;
    static const char *const requests[] = {KEEP, "GET /keep-started HTTP/1.1\r\n" HOST "\r\n"};
    for (size_t i = 0; i < 2; i++) {
        fixture *f = fixture_open(&plain);
        raw_client c;
        assert_true(raw_open(&c, f->port));
        assert_true(raw_send_text(&c, requests[i]));
        assert_true(fixture_wait(f, fixture_has_kept, 1));
        raw_reset(&c);
        assert_true(fixture_wait(f, fixture_has_done, 1));
        assert_int_equal(f->done[0].status, CW_NET_ERR_CLOSED);
        fixture_answer_kept(f);
        assert_true(f->was_gone);
        cw_net_counters n = fixture_counters(f);
        assert_int_equal(n.answered, 0);
        assert_int_equal(n.failed, 1);
        fixture_close(f);
    }
}

/* Half-closed is not gone (RFC 9112, 9.6): the answer is sent. */
static void half_closed_is_answered(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, KEEP));
    raw_end(&c);
    assert_true(fixture_wait(f, fixture_has_kept, 1));
    assert_false(raw_read(&c, 20));
    fixture_answer_kept(f);
    assert_false(f->was_gone);
    assert_true(raw_get_response(&c, true, &r));
    assert_string_equal(r.body, "kept");
    assert_true(raw_read_to_end(&c));
    raw_response_free(&r);
    raw_close(&c);
    assert_true(fixture_wait(f, fixture_has_done, 1));
    assert_int_equal(f->done[0].status, CW_NET_OK);
    fixture_close(f);
}

static void h2_late_answers(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    const h2_stream *reset = h2_request(&c, "GET", "/keep", NULL, 0);
    const h2_stream *kept = h2_request(&c, "GET", "/keep", NULL, 0);
    assert_true(h2_flush(&c));
    assert_true(fixture_wait(f, fixture_has_kept, 2));
    nghttp2_submit_rst_stream(c.session, 0, reset->id, NGHTTP2_CANCEL);
    assert_true(h2_flush(&c));
    assert_true(fixture_wait(f, fixture_has_done, 1));
    assert_int_equal(f->done[0].status, CW_NET_ERR_RESET);
    assert_int_equal(f->done[0].code, NGHTTP2_CANCEL);
    fixture_answer_kept(f);
    assert_true(h2_wait(&c, kept));
    assert_int_equal(kept->status, 200);
    assert_string_equal(kept->body.data, "kept");
    /* And one whose connection has gone. */
    assert_non_null(h2_request(&c, "GET", "/keep", NULL, 0));
    assert_true(h2_flush(&c));
    assert_true(fixture_wait(f, fixture_has_kept, 1));
    raw_reset(&c.raw);
    assert_true(fixture_wait(f, fixture_has_done, 3));
    assert_int_equal(f->done[2].status, CW_NET_ERR_CLOSED);
    h2_close(&c);
    assert_true(fixture_wait_open(f, 0));
    fixture_answer_kept(f);
    assert_true(f->was_gone);
    fixture_close(f);
}

/* A client may not have more handlers running than max_running by resetting what it asked for. */
static void h2_running_handlers_are_bounded(void **state)
{
    (void)state;
    const cw_http_server_options o = {.limits = {.max_running = 5, .max_streams = 100}};
    fixture *f = fixture_open(&o);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    for (int i = 0; i < 5; i++) {
        const h2_stream *s = h2_request(&c, "GET", "/keep", NULL, 0);
        assert_true(h2_flush(&c));
        assert_true(fixture_wait(f, fixture_has_kept, (size_t)i + 1));
        nghttp2_submit_rst_stream(c.session, 0, s->id, NGHTTP2_CANCEL);
    }
    const h2_stream *refused = h2_request(&c, "GET", "/hello", NULL, 0);
    assert_true(h2_wait(&c, refused));
    assert_int_equal(refused->status, 0);
    assert_int_equal(refused->error, NGHTTP2_REFUSED_STREAM);
    fixture_answer_kept(f);
    const h2_stream *again = h2_request(&c, "GET", "/hello", NULL, 0);
    assert_true(h2_wait(&c, again));
    assert_int_equal(again->status, 200);
    h2_close(&c);
    fixture_close(f);
}

/* ---- servers that end --------------------------------------------------------------------------
 */

static void closed_with_calls_unanswered(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c, up;
    h2_client h2;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, KEEP));
    assert_true(raw_open(&up, f->port));
    assert_true(raw_send_text(&up, CHUNKED));
    assert_true(raw_read_until(&up, "abc"));
    assert_true(h2_open(&h2, f->port));
    assert_non_null(h2_request(&h2, "GET", "/keep", NULL, 0));
    assert_non_null(h2_request(&h2, "GET", "/keep-started", NULL, 0));
    assert_true(h2_flush(&h2));
    assert_true(fixture_wait(f, fixture_has_kept, 3));
    fixture_close_server(f);
    assert_true(fixture_wait(f, fixture_is_closed, 0));
    assert_int_equal(f->n_done, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(f->done[i].status, CW_NET_ERR_SHUTDOWN);
    }
    assert_int_equal(f->last.requests, 4);
    assert_int_equal(f->last.failed, 4);
    assert_true(raw_read_to_end(&c));
    assert_true(raw_read_to_end(&up));
    assert_true(h2_wait_end(&h2));
    raw_close(&c);
    raw_close(&up);
    h2_close(&h2);
    fixture_close(f); /* the kept ones are answered in here, by nobody's server */
    assert_true(true);
}

static void shutdown_waits_for_work(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client work, idle, late;
    raw_response r;
    assert_true(raw_open(&work, f->port));
    assert_true(raw_send_text(&work, KEEP));
    assert_true(raw_open(&idle, f->port));
    assert_int_equal(raw_ask(&idle, "GET /hello HTTP/1.1\r\n" HOST "\r\n", &r), 200);
    raw_response_free(&r);
    assert_true(fixture_wait(f, fixture_has_kept, 1));
    fixture_shutdown(f);
    assert_true(raw_read_to_end(&idle)); /* at once */
    assert_false(raw_open(&late, f->port));
    raw_close(&idle);
    raw_close(&late);
    assert_false(f->is_closed);
    fixture_answer_kept(f);
    assert_true(raw_get_response(&work, true, &r));
    assert_string_equal(r.body, "kept");
    assert_true(raw_has_line(&r, "connection: close"));
    raw_response_free(&r);
    assert_true(raw_read_to_end(&work));
    raw_close(&work);
    assert_true(fixture_wait(f, fixture_is_closed, 0));
    assert_int_equal(f->last.answered, 2);
    assert_int_equal(f->last.failed, 0);
    fixture_close(f);
}

static void h2_shutdown_waits_for_work(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    const h2_stream *kept = h2_request(&c, "GET", "/keep", NULL, 0);
    const h2_stream *stream = h2_request(&c, "GET", "/stream/3000000", NULL, 0);
    assert_true(h2_flush(&c));
    assert_true(fixture_wait(f, fixture_has_kept, 1));
    fixture_shutdown(f);
    assert_true(h2_wait(&c, stream));
    assert_int_equal(stream->body.len, 3000000);
    assert_in_range(c.goaways, 1, 2);
    assert_int_equal(c.goaway_error, NGHTTP2_NO_ERROR);
    assert_false(f->is_closed);
    fixture_answer_kept(f);
    assert_true(h2_wait(&c, kept));
    assert_string_equal(kept->body.data, "kept");
    assert_true(h2_wait_end(&c));
    assert_int_equal(c.goaways, 2);
    assert_int_equal(c.goaway_last, stream->id);
    h2_close(&c);
    assert_true(fixture_wait(f, fixture_is_closed, 0));
    assert_int_equal(f->last.answered, 2);
    assert_int_equal(f->last.failed, 0);
    fixture_close(f);
}

static void shutdown_does_not_wait_for_ever(void **state)
{
    (void)state;
    const cw_http_server_options o = {.limits = {.drain_timeout_ms = 100}};
    fixture *f = fixture_open(&o);
    raw_client c;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, KEEP));
    assert_true(fixture_wait(f, fixture_has_kept, 1));
    fixture_shutdown(f);
    assert_true(fixture_wait(f, fixture_is_closed, 0));
    assert_int_equal(f->n_done, 1);
    assert_int_equal(f->done[0].status, CW_NET_ERR_SHUTDOWN);
    raw_close(&c);
    fixture_close(f);
}

static void ends_that_cross(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, KEEP));
    assert_true(fixture_wait(f, fixture_has_kept, 1));
    fixture_shutdown(f);
    fixture_shutdown(f);
    assert_false(f->is_closed);
    fixture_close_server(f); /* speeds it up */
    assert_true(fixture_wait(f, fixture_is_closed, 0));
    raw_close(&c);
    fixture_close(f); /* checks that `closed` came once */
}

static void shutdown_of_an_unused_server(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    fixture_shutdown(f);
    assert_true(fixture_wait(f, fixture_is_closed, 0));
    assert_int_equal(f->last.connections, 0);
    fixture_close(f);
}

/* ---- a handler that ends the server ------------------------------------------------------------
 */

static cw_http_server *suicidal;
static size_t n_done;

static void respond_and_close(void *ctx, cw_http_call *call)
{
    (void)ctx;
    cw_http_respond(call, 200, (cw_http_fields){NULL, 0}, cw_bytes_of("bye", 3));
    cw_http_server_shutdown(suicidal, NULL);
}

static void count_done(void *ctx, cw_http_call *call, const cw_net_error *e)
{
    (void)ctx;
    (void)call;
    n_done += e->status == CW_NET_OK;
}

static void ended_from_inside_a_handler(void **state)
{
    (void)state;
    static const cw_http_handler handler = {.on_request = respond_and_close, .on_done = count_done};
    const cw_http_server_options o = {.host = "127.0.0.1"};
    uv_loop_t loop;
    cw_net_error e;
    raw_client c;
    raw_response r;
    assert_int_equal(uv_loop_init(&loop), 0);
    suicidal = cw_http_server_open(&loop, &o, &handler, NULL, &e);
    assert_non_null(suicidal);
    assert_true(raw_open(&c, cw_http_server_port(suicidal)));
    assert_true(raw_send_text(&c, "GET / HTTP/1.1\r\n" HOST "\r\n"));
    raw_end(&c);
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&loop), 0);
    assert_true(raw_get_response(&c, true, &r));
    assert_string_equal(r.body, "bye");
    assert_int_equal(n_done, 1);
    raw_response_free(&r);
    raw_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gone_in_mid_request),
        cmocka_unit_test(gone_in_mid_request_not_shown),
        cmocka_unit_test(gone_in_mid_response),
        cmocka_unit_test(h2_gone_in_mid_response),
        cmocka_unit_test(late_answer),
        cmocka_unit_test(half_closed_is_answered),
        cmocka_unit_test(h2_late_answers),
        cmocka_unit_test(h2_running_handlers_are_bounded),
        cmocka_unit_test(closed_with_calls_unanswered),
        cmocka_unit_test(shutdown_waits_for_work),
        cmocka_unit_test(h2_shutdown_waits_for_work),
        cmocka_unit_test(shutdown_does_not_wait_for_ever),
        cmocka_unit_test(ends_that_cross),
        cmocka_unit_test(shutdown_of_an_unused_server),
        cmocka_unit_test(ended_from_inside_a_handler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
