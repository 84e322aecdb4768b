/* SPDX-License-Identifier: MIT */
/* The server over HTTP/1.1 on real sockets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "raw_client.h"
#include "server_fixture.h"

static const cw_http_server_options plain = {.server_field = "cwire"};

#define HOST "Host: localhost\r\n"

static void hello(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    for (int i = 0; i < 3; i++) { /* the connection is kept */
        assert_int_equal(raw_ask(&c, "GET /hello HTTP/1.1\r\n" HOST "\r\n", &r), 200);
        assert_string_equal(r.body, "hello");
        assert_true(raw_has_line(&r, "content-length: 5"));
        assert_true(raw_has_line(&r, "server: cwire"));
        const char *date = strstr(r.head, "date: ");
        assert_non_null(date);
        char day[4], month[4], zone[4];
        int d, y, h, m, s;
        assert_int_equal(sscanf(date, "date: %3[A-Za-z], %2d %3[A-Za-z] %4d %2d:%2d:%2d %3[A-Z]\r",
                                day, &d, month, &y, &h, &m, &s, zone),
                         8);
        assert_string_equal(zone, "GMT");
        assert_in_range(y, 2025, 2200);
        raw_response_free(&r);
    }
    cw_net_counters n = fixture_counters(f);
    assert_int_equal(n.connections, 1);
    assert_int_equal(n.connections_open, 1);
    assert_int_equal(n.requests, 3);
    assert_int_equal(n.answered, 3);
    raw_close(&c);
    fixture_close(f);
}

static void date_and_server_can_be_left_out(void **state)
{
    (void)state;
    const cw_http_server_options o = {.no_date = true};
    fixture *f = fixture_open(&o);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_int_equal(raw_ask(&c, "GET /hello HTTP/1.1\r\n" HOST "\r\n", &r), 200);
    assert_null(strstr(r.head, "date:"));
    assert_null(strstr(r.head, "server:"));
    raw_response_free(&r);
    raw_close(&c);
    fixture_close(f);
}

static void http_1_0_ends_with_the_response(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_int_equal(raw_ask(&c, "GET /hello HTTP/1.0\r\n\r\n", &r), 200);
    assert_string_equal(r.body, "hello");
    assert_true(raw_read_to_end(&c));
    assert_int_equal(c.len, 0);
    raw_response_free(&r);
    raw_close(&c);
    /* No chunks for 1.0: the end of the connection is the end of the body. */
    assert_true(raw_open(&c, f->port));
    assert_int_equal(raw_ask(&c, "GET /stream/3000 HTTP/1.0\r\n\r\n", &r), 200);
    assert_int_equal(r.body_len, 3000);
    assert_false(raw_has_line(&r, "transfer-encoding: chunked"));
    assert_string_equal(r.trailers, "");
    raw_response_free(&r);
    raw_close(&c);
    fixture_close(f);
}

static void head_has_no_body(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_int_equal(raw_ask(&c, "HEAD /hello HTTP/1.1\r\n" HOST "\r\n", &r), 200);
    assert_true(raw_has_line(&r, "content-length: 5"));
    raw_response_free(&r);
    assert_int_equal(raw_ask(&c, "HEAD /stream/70000 HTTP/1.1\r\n" HOST "\r\n", &r), 200);
    raw_response_free(&r);
    assert_int_equal(raw_ask(&c, "GET /hello HTTP/1.1\r\n" HOST "\r\n", &r), 200);
    assert_string_equal(r.body, "hello");
    raw_response_free(&r);
    raw_close(&c);
    fixture_close(f);
}

static void pipelined_in_order(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, "GET /hello HTTP/1.1\r\n" HOST "\r\n"
                                  "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\nabc"
                                  "GET /stream/40000 HTTP/1.1\r\n" HOST "\r\n"
                                  "GET /nothing HTTP/1.1\r\n" HOST "\r\n"
                                  "GET /hello HTTP/1.1\r\n" HOST "\r\n"));
    static const struct {
        int status;
        size_t len;
    } rows[] = {{200, 5}, {200, 3}, {200, 40000}, {404, 12}, {200, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(raw_get_response(&c, true, &r));
        assert_int_equal(r.status, rows[i].status);
        assert_int_equal(r.body_len, rows[i].len);
        raw_response_free(&r);
    }
    raw_close(&c);
    fixture_close(f);
}

static void pipelined_behind_a_slow_one(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, "GET /keep HTTP/1.1\r\n" HOST "\r\n"
                                  "GET /hello HTTP/1.1\r\n" HOST "\r\n"));
    assert_true(fixture_wait(f, fixture_has_kept, 1));
    assert_false(raw_read(&c, 50)); /* hello waits for its turn */
    fixture_answer_kept(f);
    assert_true(raw_get_response(&c, true, &r));
    assert_string_equal(r.body, "kept");
    raw_response_free(&r);
    assert_true(raw_get_response(&c, true, &r));
    assert_string_equal(r.body, "hello");
    raw_response_free(&r);
    raw_close(&c);
    fixture_close(f);
}

/* B72, with a pipelined request behind it. */
static const char chunked[] = "POST /echo HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n"
                              "5;q=\"a\"\r\nhello\r\n0\r\nX: y\r\n\r\n"
                              "GET /hello HTTP/1.1\r\n" HOST "\r\n";

static void chunked_cut_anywhere(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    static const size_t steps[] = {1, 2, 3, 7, 64, sizeof chunked};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        raw_client c;
        raw_response r;
        assert_true(raw_open(&c, f->port));
        assert_true(raw_send_cut(&c, chunked, sizeof chunked - 1, steps[i]));
        assert_true(raw_get_response(&c, true, &r));
        assert_int_equal(r.status, 200);
        assert_string_equal(r.body, "hello");
        assert_true(raw_has_line(&r, "x-x: y"));
        raw_response_free(&r);
        assert_true(raw_get_response(&c, true, &r));
        assert_string_equal(r.body, "hello");
        raw_response_free(&r);
        raw_close(&c);
    }
    fixture_close(f);
}

static void streamed_response_with_trailers(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_int_equal(raw_ask(&c, "GET /stream/300000 HTTP/1.1\r\n" HOST "\r\n", &r), 200);
    assert_true(raw_has_line(&r, "transfer-encoding: chunked"));
    assert_true(raw_has_line(&r, "content-type: text/plain"));
    assert_int_equal(r.body_len, 300000);
    for (size_t i = 0; i < r.body_len; i++) {
        if (r.body[i] != (char)('a' + i % 26)) {
            fail_msg("byte %zu is %d", i, r.body[i]);
        }
    }
    assert_string_equal(r.trailers, "x-sum: 300000\r\n");
    raw_response_free(&r);
    raw_close(&c);
    assert_true(fixture_wait(f, fixture_has_done, 1));
    assert_int_equal(f->done[0].status, CW_NET_OK);
    fixture_close(f);
}

static void streamed_request_comes_back_in_pieces(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, "POST /pieces HTTP/1.1\r\n" HOST
                                  "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"));
    assert_true(raw_read_until(&c, "abc")); /* before the request is complete */
    assert_true(raw_send_text(&c, "2\r\nde\r\n0\r\nX-Last: z\r\n\r\n"));
    assert_true(raw_get_response(&c, true, &r));
    assert_string_equal(r.body, "abcde");
    assert_string_equal(r.trailers, "x-last: z\r\n");
    raw_response_free(&r);
    raw_close(&c);
    fixture_close(f);
}

static void continue_is_sent_when_wanted(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_int_equal(raw_ask(&c,
                             "POST /echo HTTP/1.1\r\n" HOST
                             "Content-Length: 4\r\nExpect: 100-continue\r\n\r\n",
                             &r),
                     100);
    raw_response_free(&r);
    assert_int_equal(raw_ask(&c, "body", &r), 200);
    assert_string_equal(r.body, "body");
    raw_response_free(&r);
    raw_close(&c);
    /* Answered from on_head: no 100 comes first. */
    assert_true(raw_open(&c, f->port));
    assert_int_equal(raw_ask(&c,
                             "POST /head HTTP/1.1\r\n" HOST
                             "Content-Length: 4\r\nExpect: 100-continue\r\n\r\n",
                             &r),
                     403);
    assert_string_equal(r.body, "no");
    raw_response_free(&r);
    raw_close(&c);
    fixture_close(f);
    /* And without an on_head at all. */
    f = fixture_open_bare(&plain);
    assert_true(raw_open(&c, f->port));
    assert_int_equal(raw_ask(&c,
                             "POST /echo HTTP/1.1\r\n" HOST
                             "Content-Length: 4\r\nExpect: 100-continue\r\n\r\n",
                             &r),
                     100);
    raw_response_free(&r);
    assert_int_equal(raw_ask(&c, "body", &r), 200);
    raw_response_free(&r);
    raw_close(&c);
    fixture_close(f);
}

static void fields(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_int_equal(raw_ask(&c, "GET /fields/100 HTTP/1.1\r\n" HOST "\r\n", &r), 200);
    assert_true(raw_has_line(&r, "x-field-0: VALUE 0"));
    assert_true(raw_has_line(&r, "x-field-99: VALUE 99"));
    raw_response_free(&r);
    assert_int_equal(raw_ask(&c, "GET /huge-field HTTP/1.1\r\n" HOST "\r\n", &r), 200);
    assert_string_equal(r.body, "huge");
    assert_in_range(strlen(r.head), 200000, 201000);
    raw_response_free(&r);
    raw_close(&c);
    fixture_close(f);
}

static void answered_before_the_body(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_int_equal(
        raw_ask(&c, "POST /early HTTP/1.1\r\n" HOST "Content-Length: 100000\r\n\r\nsome", &r), 200);
    assert_string_equal(r.body, "early");
    raw_response_free(&r);
    raw_close(&c);
    assert_true(fixture_wait(f, fixture_has_done, 1));
    assert_int_equal(f->n_requests, 0);
    fixture_close(f);
}

static void wrong_answers_are_500(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    static const struct {
        int line;
        const char *request;
        int status;
        const char *body;
    } rows[] = {
        {__LINE__, "GET /bad-field HTTP/1.1\r\n" HOST "\r\n", 500, ""},
        {__LINE__, "GET /split HTTP/1.1\r\n" HOST "\r\n", 500, ""},
        {__LINE__, "GET /twice HTTP/1.1\r\n" HOST "\r\n", 200, "once"},
        {__LINE__, "GET /status/199 HTTP/1.1\r\n" HOST "\r\n", 500, ""},
        {__LINE__, "GET /status/600 HTTP/1.1\r\n" HOST "\r\n", 500, ""},
        {__LINE__, "GET /status/0 HTTP/1.1\r\n" HOST "\r\n", 500, ""},
        {__LINE__, "GET /status/200 HTTP/1.1\r\n" HOST "\r\n", 200, "body"},
        {__LINE__, "GET /status/204 HTTP/1.1\r\n" HOST "\r\n", 204, ""},
        {__LINE__, "GET /status/304 HTTP/1.1\r\n" HOST "\r\n", 304, ""},
        {__LINE__, "GET /status/599 HTTP/1.1\r\n" HOST "\r\n", 599, "body"},
    };
    raw_client c;
    assert_true(raw_open(&c, f->port));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        raw_response r;
        int status = raw_ask(&c, rows[i].request, &r);
        if (status != rows[i].status || strcmp(r.body, rows[i].body) != 0) {
            fail_msg("row at line %d: %d \"%s\"", rows[i].line, status, r.body);
        }
        assert_null(strstr(r.head, "set-cookie"));
        raw_response_free(&r);
    }
    raw_close(&c);
    fixture_close(f);
}

static void given_up_by_the_handler(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    static const char *const paths[] = {"/abort", "/half", "/bad-trailer"};
    for (size_t i = 0; i < 3; i++) {
        char request[100];
        raw_client c;
        raw_response r;
        snprintf(request, sizeof request, "GET %s HTTP/1.1\r\n" HOST "\r\n", paths[i]);
        assert_true(raw_open(&c, f->port));
        /* Whatever came is not a complete response. */
        assert_int_equal(raw_send_text(&c, request), true);
        assert_false(raw_get_response(&c, true, &r));
        assert_true(c.ended);
        raw_response_free(&r);
        raw_close(&c);
        assert_true(fixture_wait(f, fixture_has_done, i + 1));
        assert_int_equal(f->done[i].status, i == 2 ? CW_NET_ERR_ARGUMENT : CW_NET_ERR_CANCELLED);
    }
    fixture_close(f);
    /* failed, each of them: seen in the counters by fixture_close */
}

static void bad_requests_are_counted(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_int_equal(raw_ask(&c, "GET /hello HTTP/1.1\r\n\r\n", &r), 400); /* no Host */
    raw_response_free(&r);
    assert_true(raw_read_to_end(&c));
    raw_close(&c);
    assert_true(fixture_wait(f, fixture_has_errors, 1));
    assert_int_equal(f->errors[0].status, CW_NET_ERR_PROTOCOL);
    assert_int_equal(f->errors[0].code, 400);
    /* A health check is no error: nothing was sent. */
    assert_true(raw_open(&c, f->port));
    raw_close(&c);
    /* Part of a head is one. */
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send_text(&c, "GET /hello HT"));
    raw_close(&c);
    assert_true(fixture_wait(f, fixture_has_errors, 2));
    assert_int_equal(f->errors[1].status, CW_NET_ERR_CLOSED);
    cw_net_counters n = fixture_counters(f);
    assert_int_equal(n.bad_requests, 2);
    assert_int_equal(n.requests, 0);
    fixture_close(f);
}

static void never(void *ctx, cw_http_call *call)
{
    (void)ctx;
    (void)call;
    fail();
}

static void options_that_do_not_fit(void **state)
{
    (void)state;
    uv_loop_t loop;
    assert_int_equal(uv_loop_init(&loop), 0);
    static const struct {
        int line;
        cw_http_server_options o;
        cw_net_status st;
    } rows[] = {
        {__LINE__, {.host = "localhost"}, CW_NET_ERR_ARGUMENT}, /* a name, not an address */
        {__LINE__, {.host = ""}, CW_NET_ERR_ARGUMENT},
        {__LINE__, {.port = -1}, CW_NET_ERR_ARGUMENT},
        {__LINE__, {.port = 65536}, CW_NET_ERR_ARGUMENT},
        {__LINE__, {.server_field = "a\r\nb"}, CW_NET_ERR_ARGUMENT},
        {__LINE__, {.coding = {.codings = 4}}, CW_NET_ERR_ARGUMENT},
        {__LINE__, {.coding = {.gzip_level = 10}}, CW_NET_ERR_ARGUMENT},
        {__LINE__, {.coding = {.br_quality = 12}}, CW_NET_ERR_ARGUMENT},
        {__LINE__, {.host = "192.0.2.1"}, CW_NET_ERR_IO}, /* not this machine's */
    };
    static const cw_http_handler handler = {.on_request = never}, none = {.on_request = NULL};
    cw_net_error e;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(cw_http_server_open(&loop, &rows[i].o, &handler, NULL, &e));
        if (e.status != rows[i].st || e.detail[0] == '\0') {
            fail_msg("row at line %d: %s %s", rows[i].line, cw_net_status_name(e.status), e.detail);
        }
    }
    assert_null(cw_http_server_open(&loop, &plain, &none, NULL, &e));
    assert_int_equal(e.status, CW_NET_ERR_ARGUMENT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

static void ports_are_shared_when_asked_for(void **state)
{
    (void)state;
    cw_http_server_options o = {.reuse_port = true};
    fixture *f = fixture_open(&o);
    assert_in_range(f->port, 1, 65535);
    o.port = f->port;
    fixture *other = fixture_open(&o);
    assert_int_equal(other->port, f->port);
    fixture_close(other);
    /* Without it the port is taken. */
    o.reuse_port = false;
    o.host = "127.0.0.1";
    uv_loop_t loop;
    cw_net_error e;
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_null(cw_http_server_open(&loop, &o, &f->handler, NULL, &e));
    assert_int_equal(e.status, CW_NET_ERR_IO);
    assert_int_equal(e.code, UV_EADDRINUSE);
    assert_int_equal(uv_loop_close(&loop), 0);
    fixture_close(f);
}

static void every_address(void **state)
{
    (void)state;
    static const char *const hosts[] = {"0.0.0.0", "127.0.0.1", "::"};
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    for (size_t i = 0; i < (fd >= 0 ? 3 : 2); i++) {
        const cw_http_server_options o = {.host = hosts[i]};
        fixture *f = fixture_open(&o);
        raw_client c;
        raw_response r;
        assert_true(raw_open(&c, f->port)); /* by IPv4 in each case */
        assert_int_equal(raw_ask(&c, "GET /hello HTTP/1.1\r\n" HOST "\r\n", &r), 200);
        raw_response_free(&r);
        raw_close(&c);
        fixture_close(f);
    }
    close(fd);
    /* None said: all of them. */
    static const cw_http_handler handler = {.on_request = never};
    uv_loop_t loop;
    cw_net_error e;
    raw_client c;
    assert_int_equal(uv_loop_init(&loop), 0);
    const cw_http_server_options o = {.host = NULL};
    cw_http_server *s = cw_http_server_open(&loop, &o, &handler, NULL, &e);
    assert_non_null(s);
    assert_true(raw_open(&c, cw_http_server_port(s))); /* the backlog takes it */
    raw_close(&c);
    cw_http_server_close(s, NULL);
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hello),
        cmocka_unit_test(date_and_server_can_be_left_out),
        cmocka_unit_test(http_1_0_ends_with_the_response),
        cmocka_unit_test(head_has_no_body),
        cmocka_unit_test(pipelined_in_order),
        cmocka_unit_test(pipelined_behind_a_slow_one),
        cmocka_unit_test(chunked_cut_anywhere),
        cmocka_unit_test(streamed_response_with_trailers),
        cmocka_unit_test(streamed_request_comes_back_in_pieces),
        cmocka_unit_test(continue_is_sent_when_wanted),
        cmocka_unit_test(fields),
        cmocka_unit_test(answered_before_the_body),
        cmocka_unit_test(wrong_answers_are_500),
        cmocka_unit_test(given_up_by_the_handler),
        cmocka_unit_test(bad_requests_are_counted),
        cmocka_unit_test(options_that_do_not_fit),
        cmocka_unit_test(ports_are_shared_when_asked_for),
        cmocka_unit_test(every_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
