/* SPDX-License-Identifier: MIT */
/* The HTTP/1.1 core as a server: what it writes, and when it must not go on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "http1_support.h"

#define HOST        "host: x\r\n"
#define GET         "GET / HTTP/1.1\r\n" HOST "\r\n"
#define COUNT(rows) (sizeof rows / sizeof rows[0])

static const cw_http_fields none = {NULL, 0};

static void consume(cw__stream *s, size_t n)
{
    s->core->ops->consume(s, n);
}

static cw_net_status respond(cw__stream *s, unsigned status, const char *body, bool end)
{
    return s->core->ops->respond(s, status, none, http1_bytes(body), end);
}

static cw_net_status put(cw__stream *s, const char *piece)
{
    return s->core->ops->write(s, http1_bytes(piece));
}

static cw_net_status end(cw__stream *s)
{
    return s->core->ops->end(s, none);
}

/* A server whose stream 1 has its request and waits for the answer. */
static cw__stream *open_with(record *r, const char *request)
{
    http1_server(r, NULL);
    r->on = NULL;
    assert_int_equal(record_feed_text(r, request), CW_NET_OK);
    cw__stream *s = record_find(r, 1);
    assert_non_null(s);
    return s;
}

/* ---- framing -----------------------------------------------------------------------------------
 */

static void framing(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *method;
        int minor;
        unsigned status;
        bool whole; /* the body at once; else in two pieces and an empty one */
        const char *body, *after_status_line;
        bool ends;
    } rows[] = {
        {__LINE__, "GET", 1, 200, true, "hello", "content-length: 5\r\n\r\nhello", false},
        {__LINE__, "GET", 1, 200, true, "", "content-length: 0\r\n\r\n", false},
        {__LINE__, "GET", 1, 404, true, "hello", "content-length: 5\r\n\r\nhello", false},
        {__LINE__, "HEAD", 1, 200, true, "hello", "content-length: 5\r\n\r\n", false},
        {__LINE__, "HEAD", 1, 200, true, "", "\r\n", false},
        {__LINE__, "GET", 1, 204, true, "hello", "\r\n", false},
        {__LINE__, "GET", 1, 304, true, "hello", "\r\n", false},
        {__LINE__, "GET", 1, 205, true, "hello", "content-length: 0\r\n\r\n", false},
        {__LINE__, "GET", 1, 200, false, "hello",
         "transfer-encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", false},
        {__LINE__, "GET", 1, 200, false, "0123456789abcdefghij",
         "transfer-encoding: chunked\r\n\r\n2\r\n01\r\n12\r\n23456789abcdefghij\r\n0\r\n\r\n",
         false},
        {__LINE__, "HEAD", 1, 200, false, "hello", "\r\n", false},
        {__LINE__, "GET", 1, 204, false, "hello", "\r\n", false},
        {__LINE__, "GET", 1, 304, false, "hello", "\r\n", false},
        {__LINE__, "GET", 0, 200, true, "hello",
         "connection: keep-alive\r\ncontent-length: 5\r\n\r\nhello", false},
        {__LINE__, "GET", 0, 200, false, "hello", "connection: close\r\n\r\nhello", true},
        {__LINE__, "HEAD", 0, 200, false, "hello", "connection: keep-alive\r\n\r\n", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        record r = {.core = NULL};
        char request[100];
        snprintf(request, sizeof request,
                 "%s / HTTP/1.%d\r\n" HOST "connection: keep-alive\r\n\r\n", rows[i].method,
                 rows[i].minor);
        cw__stream *s = open_with(&r, request);
        if (rows[i].whole) {
            assert_int_equal(respond(s, rows[i].status, rows[i].body, true), CW_NET_OK);
        } else {
            assert_int_equal(respond(s, rows[i].status, "", false), CW_NET_OK);
            const char piece[] = {rows[i].body[0], rows[i].body[1], '\0'};
            assert_int_equal(put(s, piece), CW_NET_OK);
            assert_int_equal(put(s, ""), CW_NET_OK);
            assert_int_equal(put(s, rows[i].body + 2), CW_NET_OK);
            assert_int_equal(end(s), CW_NET_OK);
        }
        assert_int_equal(r.closed, 0); /* not before the bytes are given */
        record_drain(&r);
        const char *after = strstr(record_sent(&r), "\r\n");
        if (strcmp(after + 2, rows[i].after_status_line) != 0 || r.closed != 1 ||
            r.why.status != CW_NET_OK || r.core->ops->is_done(r.core) != rows[i].ends) {
            fail_msg("row at line %d:\n%s", rows[i].line, record_sent(&r));
        }
        record_free(&r);
    }
}

static void status_lines(void **state)
{
    (void)state;
    static const struct {
        unsigned status;
        const char *line;
    } rows[] = {
        {200, "HTTP/1.1 200 OK\r\n"},
        {404, "HTTP/1.1 404 Not Found\r\n"},
        {299, "HTTP/1.1 299 \r\n"},
        {599, "HTTP/1.1 599 \r\n"},
        {503, "HTTP/1.1 503 Service Unavailable\r\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        record r = {.core = NULL};
        cw__stream *s =
            open_with(&r, "GET / HTTP/1.0\r\n\r\n"); /* answered as 1.1: RFC 9110, 6.2 */
        assert_int_equal(respond(s, rows[i].status, "", true), CW_NET_OK);
        record_drain(&r);
        assert_memory_equal(record_sent(&r), rows[i].line, strlen(rows[i].line));
        record_free(&r);
    }
}

static void trailers(void **state)
{
    (void)state;
    static const cw_http_field fields[] = {{CW_STR_INIT("grpc-status"), CW_STR_INIT("0")},
                                           {CW_STR_INIT("b"), CW_STR_INIT("")}};
    for (int minor = 0; minor < 2; minor++) {
        record r = {.core = NULL};
        cw__stream *s = open_with(&r, minor == 1 ? GET : "GET / HTTP/1.0\r\n\r\n");
        const cw_http_fields head = {fields, 1};
        assert_int_equal(s->core->ops->respond(s, 200, head, http1_bytes("hi"), false), CW_NET_OK);
        assert_int_equal(s->core->ops->end(s, (cw_http_fields){fields, 2}), CW_NET_OK);
        record_drain(&r);
        assert_text(record_sent(&r),
                    minor == 1
                        ? "HTTP/1.1 200 OK\r\ngrpc-status: 0\r\ntransfer-encoding: chunked\r\n"
                          "\r\n2\r\nhi\r\n0\r\ngrpc-status: 0\r\nb: \r\n\r\n"
                        : "HTTP/1.1 200 OK\r\nconnection: close\r\ngrpc-status: 0\r\n\r\nhi");
        record_free(&r);
    }
}

/* Calls that are wrong, or too late, change nothing. */
static void wrong_calls(void **state)
{
    (void)state;
    record r = {.core = NULL};
    cw__stream *s = open_with(&r, GET);
    assert_int_equal(respond(s, 100, "", true), CW_NET_ERR_ARGUMENT);
    assert_int_equal(respond(s, 199, "", true), CW_NET_ERR_ARGUMENT);
    assert_int_equal(respond(s, 600, "", true), CW_NET_ERR_ARGUMENT);
    assert_int_equal(put(s, "x"), CW_NET_ERR_ARGUMENT);
    assert_int_equal(end(s), CW_NET_ERR_ARGUMENT);
    assert_int_equal(respond(s, 200, "", false), CW_NET_OK);
    assert_int_equal(respond(s, 200, "", true), CW_NET_ERR_ARGUMENT);
    assert_int_equal(end(s), CW_NET_OK);
    assert_int_equal(end(s), CW_NET_ERR_ARGUMENT);
    assert_int_equal(put(s, "x"), CW_NET_ERR_ARGUMENT);
    cw_http_head head = http1_get("/");
    assert_null(record_request(&r, &head, http1_bytes(""), true, false));
    record_drain(&r);
    assert_text(record_sent(&r), "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n");
    record_free(&r);
}

/* ---- reset -------------------------------------------------------------------------------------
 */

static void reset_later(void **state)
{
    (void)state;
    static const cw_net_error why = {.status = CW_NET_ERR_CANCELLED, .code = 3};
    for (int by_feed = 0; by_feed < 2; by_feed++) {
        record r = {.core = NULL};
        cw__stream *s = open_with(&r, GET);
        assert_int_equal(respond(s, 200, "partly", false), CW_NET_OK);
        s->core->ops->reset(s, &why);
        s->core->ops->reset(s, &(cw_net_error){.status = CW_NET_ERR_IO}); /* the first counts */
        assert_int_equal(r.closed, 0);
        assert_true(r.core->ops->wants_write(r.core));
        assert_int_equal(put(s, "more"), CW_NET_OK); /* does nothing */
        assert_int_equal(end(s), CW_NET_OK);
        assert_int_equal(by_feed ? record_feed_text(&r, GET) : record_drain(&r), CW_NET_OK);
        assert_int_equal(r.closed, 1);
        assert_int_equal(r.why.status, CW_NET_ERR_CANCELLED);
        assert_int_equal(r.why.code, 3);
        assert_true(r.core->ops->is_done(r.core));
        assert_false(r.core->ops->wants_write(r.core));
        assert_text(record_sent(&r), "");
        record_free(&r);
    }
}

static void reset_on(record *r, cw__stream *s, const char *event)
{
    static const cw_net_error why = {.status = CW_NET_ERR_CANCELLED};
    if (strcmp(event, r->user) == 0) {
        s->core->ops->reset(s, &why);
        assert_int_equal(r->closed, 0);
    }
}

static void reset_in_events(void **state)
{
    (void)state;
    static const char *const events[] = {"stream", "head", "body", "end"};
    static const char *const requests[] = {
        "POST / HTTP/1.1\r\n" HOST "content-length: 3\r\n\r\nabc" GET,
        "POST / HTTP/1.1\r\n" HOST
        "transfer-encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n" GET,
    };
    for (size_t e = 0; e < COUNT(events); e++) {
        for (size_t i = 0; i < COUNT(requests); i++) {
            char event[8];
            strcpy(event, events[e]);
            record r = {.core = NULL};
            http1_server(&r, NULL);
            r.on = reset_on;
            r.user = event;
            assert_int_equal(record_feed_text(&r, requests[i]), CW_NET_OK);
            assert_int_equal(r.closed, 1);
            assert_int_equal(r.streams, 1);
            assert_int_equal(r.why.status, CW_NET_ERR_CANCELLED);
            assert_true(r.core->ops->is_done(r.core));
            record_free(&r);
        }
    }
}

/* ---- 100-continue ------------------------------------------------------------------------------
 */

#define EXPECT "POST / HTTP/1.1\r\n" HOST "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n"

static void continue_is_sent(void **state)
{
    (void)state;
    record r = {.core = NULL};
    cw__stream *s = open_with(&r, EXPECT);
    assert_true(s->expects_continue);
    s->core->ops->send_continue(s);
    s->core->ops->send_continue(s); /* once */
    assert_false(s->expects_continue);
    record_drain(&r);
    assert_text(record_sent(&r), "HTTP/1.1 100 Continue\r\n\r\n");
    record_feed_text(&r, "hello");
    assert_int_equal(respond(s, 200, "hi", true), CW_NET_OK);
    record_drain(&r);
    assert_text(record_sent(&r),
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi");
    assert_false(r.core->ops->is_done(r.core));
    record_free(&r);
}

/* Answered without it: who knows whether the client sends the body. */
static void continue_is_refused(void **state)
{
    (void)state;
    record r = {.core = NULL};
    cw__stream *s = open_with(&r, EXPECT);
    assert_int_equal(respond(s, 413, "", true), CW_NET_OK);
    s->core->ops->send_continue(s); /* too late */
    record_feed_text(&r, "GET / HTTP/1.1\r\n" HOST "\r\n");
    record_drain(&r);
    assert_text(record_sent(&r), "HTTP/1.1 413 Content Too Large\r\nconnection: close\r\n"
                                 "content-length: 0\r\n\r\n");
    assert_int_equal(r.why.status, CW_NET_OK);
    assert_true(r.core->ops->is_done(r.core));
    assert_int_equal(r.streams, 1);
    record_free(&r);
}

static void no_continue_needed(void **state)
{
    (void)state;
    static const char *const requests[] = {
        EXPECT "h", /* the body is on its way */
        "POST / HTTP/1.1\r\n" HOST "Expect: 100-continue\r\nContent-Length: 0\r\n\r\n",
        "POST / HTTP/1.0\r\n" HOST "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n",
        "POST / HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\n",
    };
    for (size_t i = 0; i < COUNT(requests); i++) {
        record r = {.core = NULL};
        cw__stream *s = open_with(&r, requests[i]);
        assert_false(s->expects_continue);
        s->core->ops->send_continue(s);
        record_drain(&r);
        assert_text(record_sent(&r), "");
        record_free(&r);
    }
}

/* ---- answers before the request's end ----------------------------------------------------------
 */

static void answer_early(record *r, cw__stream *s, const char *event)
{
    if (strcmp(event, r->user != NULL ? r->user : "head") == 0) {
        assert_int_equal(respond(s, 200, "early", true), CW_NET_OK);
    }
}

#define EARLY        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nearly"
#define EARLY_CLOSED "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 5\r\n\r\nearly"

/* The rest of the body is thrown away, and the connection goes on. */
static void early_answers(void **state)
{
    (void)state;
    static const char *const requests[] = {
        "POST / HTTP/1.1\r\n" HOST "content-length: 5\r\n\r\nhello",
        "POST / HTTP/1.1\r\n" HOST
        "transfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\nA: b\r\n\r\n",
    };
    char in[400];
    for (size_t i = 0; i < COUNT(requests); i++) {
        int len = snprintf(in, sizeof in, "%s%s", requests[i], requests[i]);
        for (size_t piece = 1; piece < (size_t)len + 1; piece++) {
            for (int on_body = 0; on_body < 2; on_body++) {
                char body[] = "body";
                record r = {.core = NULL};
                http1_server(&r, NULL);
                r.on = answer_early;
                r.user = on_body ? body : NULL;
                assert_int_equal(record_feed_cut(&r, in, (size_t)len, piece), CW_NET_OK);
                assert_text(record_sent(&r), EARLY EARLY);
                assert_int_equal(r.closed, 2);
                assert_int_equal(r.ended, 0); /* nobody asks for the rest */
                assert_int_equal(r.why.status, CW_NET_OK);
                assert_false(r.core->ops->is_done(r.core));
                assert_int_equal(r.core->ops->streams(r.core), 0);
                record_free(&r);
            }
        }
    }
}

/* What is thrown away has a bound, known from the start or met on the way. */
static void early_answers_to_large_bodies(void **state)
{
    (void)state;
    enum { BOUND = 65536, SIZE_LINE = 7 /* counts too */ };
    static const struct {
        int line;
        bool chunked;
        size_t size, fed;
        bool closes; /* said in the response */
        bool ends;
    } rows[] = {
        {__LINE__, false, BOUND, BOUND, false, false},
        {__LINE__, false, BOUND + 1, 0, true, true},
        {__LINE__, true, BOUND - 1000, BOUND - 1000, false, false},
        {__LINE__, true, 2 * BOUND, BOUND - SIZE_LINE, false, false},
        {__LINE__, true, 2 * BOUND, BOUND - SIZE_LINE + 1, false, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char head[200];
        record r = {.core = NULL};
        http1_server(&r, NULL);
        r.on = answer_early;
        if (rows[i].chunked) {
            snprintf(head, sizeof head,
                     "POST / HTTP/1.1\r\n" HOST "transfer-encoding: chunked\r\n\r\n%zx\r\n",
                     rows[i].size);
        } else {
            snprintf(head, sizeof head, "POST / HTTP/1.1\r\n" HOST "content-length: %zu\r\n\r\n",
                     rows[i].size);
        }
        record_feed_text(&r, head);
        record_drain(&r);
        assert_text(record_sent(&r), rows[i].closes ? EARLY_CLOSED : EARLY);
        char *body = http1_repeat('b', rows[i].fed);
        assert_int_equal(record_feed_cut(&r, body, rows[i].fed, 10000), CW_NET_OK);
        free(body);
        if (r.core->ops->is_done(r.core) != rows[i].ends || r.closed != 1 ||
            r.why.status != CW_NET_OK || !r.core->ops->wants_read(r.core)) {
            fail_msg("row at line %d:\n%s", rows[i].line, record_log(&r));
        }
        record_free(&r);
    }
}

/* A mistake in a body that nobody wants ends the connection, not the answer. */
static void early_answers_to_bad_bodies(void **state)
{
    (void)state;
    for (int drained = 0; drained < 2; drained++) {
        record r = {.core = NULL};
        http1_server(&r, NULL);
        r.on = answer_early;
        record_feed_text(&r, "POST / HTTP/1.1\r\n" HOST "transfer-encoding: chunked\r\n\r\n");
        if (drained) {
            record_drain(&r);
        }
        assert_int_equal(record_feed_text(&r, "no chunk\r\n"), CW_NET_OK);
        record_drain(&r);
        assert_text(record_sent(&r), EARLY);
        assert_int_equal(r.why.status, CW_NET_OK);
        assert_true(r.core->ops->is_done(r.core));
        record_free(&r);
    }
}

/* A response in pieces while the request still comes: both go on. */
static void both_at_once(void **state)
{
    (void)state;
    record r = {.core = NULL};
    cw__stream *s = open_with(&r, "POST / HTTP/1.1\r\n" HOST "transfer-encoding: chunked\r\n\r\n");
    assert_int_equal(respond(s, 200, "", false), CW_NET_OK);
    record_feed_text(&r, "2\r\nhi\r\n");
    assert_int_equal(record_body(s).len, 2);
    put(s, "hi");
    record_drain(&r);
    record_feed_text(&r, "3\r\nyou\r\n0\r\n\r\n");
    assert_int_equal(r.ended, 1);
    put(s, "you");
    end(s);
    record_drain(&r);
    assert_text(record_sent(&r), "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
                                 "2\r\nhi\r\n3\r\nyou\r\n0\r\n\r\n");
    assert_int_equal(r.closed, 1);
    record_free(&r);
}

/* A mistake while the response is on its way: no second status line into the middle of it. */
static void mistakes_in_mid_response(void **state)
{
    (void)state;
    record r = {.core = NULL};
    cw__stream *s = open_with(&r, "POST / HTTP/1.1\r\n" HOST "transfer-encoding: chunked\r\n\r\n");
    assert_int_equal(respond(s, 200, "hi", false), CW_NET_OK);
    assert_int_equal(record_feed_text(&r, "x\r\n"), CW_NET_ERR_PROTOCOL);
    assert_int_equal(r.why.status, CW_NET_ERR_PROTOCOL);
    record_drain(&r);
    assert_text(record_sent(&r),
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n");
    assert_true(r.core->ops->is_done(r.core));
    record_free(&r);
}

/* ---- pushing back ------------------------------------------------------------------------------
 */

static void input_pushes_back(void **state)
{
    (void)state;
    record r = {.core = NULL, .keeps_body = true};
    http1_server(&r, NULL);
    r.on = NULL;
    record_feed_text(&r, "POST / HTTP/1.1\r\n" HOST "content-length: 1000000\r\n\r\n");
    char *body = http1_repeat('b', 65536);
    record_feed(&r, body, 65536);
    assert_true(r.core->ops->wants_read(r.core)); /* at the limit */
    record_feed(&r, body, 1);
    assert_false(r.core->ops->wants_read(r.core));
    record_feed(&r, body, 1); /* comes all the same */
    cw__stream *s = record_find(&r, 1);
    assert_int_equal(record_body(s).len, 65538);
    consume(s, 1);
    assert_false(r.core->ops->wants_read(r.core));
    consume(s, 1);
    assert_true(r.core->ops->wants_read(r.core));
    record_feed(&r, body, 100);
    assert_false(r.core->ops->wants_read(r.core));
    assert_int_equal(respond(s, 413, "", true), CW_NET_OK); /* what is thrown away is used up */
    assert_true(r.core->ops->wants_read(r.core));
    free(body);
    record_free(&r);
}

static void output_pushes_back(void **state)
{
    (void)state;
    enum { PIECE = 10000 };
    record r = {.core = NULL, .drain_max = 5000};
    cw__stream *s = open_with(&r, GET);
    char *piece = http1_repeat('p', PIECE);
    assert_int_equal(respond(s, 200, "", false), CW_NET_OK);
    for (int i = 0; i < 7; i++) {
        put(s, piece);
    }
    size_t unsent = s->core->ops->unsent(s);
    assert_in_range(unsent, 70000, 70200);
    while (unsent >= CW__LOW_WATER) {
        assert_null(strstr(record_log(&r), "writable"));
        record_drain(&r);
        assert_int_equal(s->core->ops->unsent(s), unsent - 5000);
        unsent -= 5000;
    }
    assert_non_null(strstr(record_log(&r), "writable 1\n"));
    record_clear(&r);
    while (r.core->ops->wants_write(r.core)) {
        record_drain(&r);
    }
    assert_text(record_log(&r), ""); /* told once */
    assert_int_equal(r.core->ops->unsent(s), 0);
    end(s);
    record_drain(&r);
    assert_int_equal(r.closed, 1);
    free(piece);
    record_free(&r);
}

/* Much output in one go, for a buffer that changes hands, and for one that does not. */
static void large_responses(void **state)
{
    (void)state;
    enum { SIZE = 300000 };
    char *body = http1_repeat('x', SIZE);
    for (size_t max = 1000; max < 1000000; max *= 10) {
        record r = {.core = NULL, .drain_max = max};
        cw__stream *s = open_with(&r, GET);
        body[0] = 'a';
        body[SIZE - 1] = 'z';
        assert_int_equal(respond(s, 200, body, true), CW_NET_OK);
        while (r.core->ops->wants_write(r.core)) {
            assert_int_equal(r.closed, 0);
            record_drain(&r);
        }
        assert_int_equal(r.closed, 1);
        const char *start = strstr(record_sent(&r), "\r\n\r\na");
        assert_non_null(start);
        assert_text(start + 4, body);
        record_feed_text(&r, GET);
        assert_int_equal(respond(record_find(&r, 2), 200, "next", true), CW_NET_OK);
        record_clear(&r);
        record_drain(&r);
        assert_text(record_sent(&r), "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnext");
        record_free(&r);
    }
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(framing),
        cmocka_unit_test(status_lines),
        cmocka_unit_test(trailers),
        cmocka_unit_test(wrong_calls),
        cmocka_unit_test(reset_later),
        cmocka_unit_test(reset_in_events),
        cmocka_unit_test(continue_is_sent),
        cmocka_unit_test(continue_is_refused),
        cmocka_unit_test(no_continue_needed),
        cmocka_unit_test(early_answers),
        cmocka_unit_test(early_answers_to_large_bodies),
        cmocka_unit_test(early_answers_to_bad_bodies),
        cmocka_unit_test(both_at_once),
        cmocka_unit_test(mistakes_in_mid_response),
        cmocka_unit_test(input_pushes_back),
        cmocka_unit_test(output_pushes_back),
        cmocka_unit_test(large_responses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
