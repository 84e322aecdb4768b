/* SPDX-License-Identifier: MIT */
/* The HTTP/1.1 core as a client: requests out, responses in, however the bytes are cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "http1_support.h"

#define COUNT(rows) (sizeof rows / sizeof rows[0])
#define EMPTY       "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"

static const cw_http_fields none = {NULL, 0};

static size_t room(const record *r)
{
    return r->core->ops->room(r->core);
}

static bool is_done(const record *r)
{
    return r->core->ops->is_done(r->core);
}

/* A client whose request 1 is with the server. */
static cw__stream *open_with(record *r, const char *method)
{
    http1_client(r, NULL);
    cw_http_head head = http1_get("/");
    head.method = cw_str_from(method);
    cw__stream *s = record_request(r, &head, http1_bytes(""), true, false);
    assert_non_null(s);
    record_drain(r);
    return s;
}

static void get(record *r)
{
    cw_http_head head = http1_get("/");
    assert_non_null(record_request(r, &head, http1_bytes(""), true, false));
    record_drain(r);
}

static void one_exchange(void **state)
{
    (void)state;
    static const cw_http_field fields[] = {{CW_STR_INIT("accept"), CW_STR_INIT("a, b")},
                                           {CW_STR_INIT("x-empty"), CW_STR_INIT("")}};
    record r = {.core = NULL};
    http1_client(&r, NULL);
    assert_int_equal(room(&r), 1);
    cw_http_head head = http1_post("/path?q");
    head.fields = (cw_http_fields){fields, 2};
    cw__stream *s = record_request(&r, &head, http1_bytes("hello"), true, false);
    assert_non_null(s);
    assert_int_equal(room(&r), 0);
    assert_null(record_request(&r, &head, http1_bytes(""), true, false));
    assert_int_equal(r.error.status, CW_NET_ERR_BUSY);
    assert_false(s->sent);
    record_drain(&r);
    assert_true(s->sent);
    assert_text(record_sent(&r), "POST /path?q HTTP/1.1\r\nhost: example.org\r\naccept: a, b\r\n"
                                 "x-empty: \r\ncontent-length: 5\r\n\r\nhello");
    assert_int_equal(record_feed_text(&r, "HTTP/1.1 200 OK\r\nServer: s\r\nConnection: x\r\n"
                                          "Content-Length: 2\r\n\r\nhi"),
                     CW_NET_OK);
    assert_text(record_log(&r), "head 1 200 1.1\n"
                                "  server: s\n"
                                "  content-length: 2\n"
                                "end 1 2 hi\n"
                                "closed 1 CW_NET_OK 0\n"
                                "room 1\n");
    assert_int_equal(r.core->ops->streams(r.core), 0);
    assert_false(is_done(&r));
    record_clear(&r);
    get(&r);
    assert_text(record_sent(&r), "GET / HTTP/1.1\r\nhost: example.org\r\n\r\n");
    record_free(&r);
}

/* ---- requests ----------------------------------------------------------------------------------
 */

static void request_framing(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *method, *body;
        bool whole;
        const char *after_host;
    } rows[] = {
        {__LINE__, "GET", "", true, "\r\n"},
        {__LINE__, "HEAD", "", true, "\r\n"},
        {__LINE__, "DELETE", "", true, "\r\n"},
        {__LINE__, "POST", "", true, "content-length: 0\r\n\r\n"},
        {__LINE__, "PUT", "", true, "content-length: 0\r\n\r\n"},
        {__LINE__, "PATCH", "", true, "content-length: 0\r\n\r\n"},
        {__LINE__, "GET", "ab", true, "content-length: 2\r\n\r\nab"},
        {__LINE__, "POST", "ab", false, "transfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"},
        {__LINE__, "GET", "", false, "transfer-encoding: chunked\r\n\r\n0\r\n\r\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        record r = {.core = NULL};
        http1_client(&r, NULL);
        cw_http_head head = http1_get("/");
        head.method = cw_str_from(rows[i].method);
        cw__stream *s = record_request(&r, &head, http1_bytes(rows[i].body), rows[i].whole, false);
        assert_non_null(s);
        if (!rows[i].whole) {
            assert_int_equal(s->core->ops->end(s, none), CW_NET_OK);
        }
        record_drain(&r);
        const char *after = strstr(record_sent(&r), "example.org\r\n");
        if (strcmp(after + strlen("example.org\r\n"), rows[i].after_host) != 0 || !s->sent) {
            fail_msg("row at line %d:\n%s", rows[i].line, record_sent(&r));
        }
        record_free(&r);
    }
}

static void streamed_request(void **state)
{
    (void)state;
    static const cw_http_field trailer = {CW_STR_INIT("t"), CW_STR_INIT("1")};
    record r = {.core = NULL};
    http1_client(&r, NULL);
    cw_http_head head = http1_post("/");
    cw__stream *s = record_request(&r, &head, http1_bytes("a"), false, false);
    const cw__core_ops *ops = r.core->ops;
    assert_int_equal(ops->write(s, http1_bytes("bc")), CW_NET_OK);
    assert_int_equal(ops->write(s, http1_bytes("")), CW_NET_OK);
    record_drain(&r);
    assert_false(s->sent);
    assert_int_equal(ops->end(s, (cw_http_fields){&trailer, 1}), CW_NET_OK);
    assert_int_equal(ops->end(s, none), CW_NET_ERR_ARGUMENT);
    assert_int_equal(ops->write(s, http1_bytes("d")), CW_NET_ERR_ARGUMENT);
    assert_int_equal(ops->respond(s, 200, none, http1_bytes(""), true), CW_NET_ERR_ARGUMENT);
    record_drain(&r);
    assert_true(s->sent);
    assert_text(record_sent(&r), "POST / HTTP/1.1\r\nhost: example.org\r\ntransfer-encoding: "
                                 "chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\nt: 1\r\n\r\n");
    record_free(&r);
}

/* What would make another request of it is not written. */
static void wrong_requests(void **state)
{
    (void)state;
    static const struct {
        const char *method, *authority, *path;
        cw_net_status status;
    } rows[] = {
        {"GET", "a", "/b c", CW_NET_ERR_ARGUMENT}, {"GET", "a", "/\r\nx: y", CW_NET_ERR_ARGUMENT},
        {"GET", "a", "", CW_NET_ERR_ARGUMENT},     {"GET", "a\r\nx: y", "/", CW_NET_ERR_ARGUMENT},
        {"GET", "", "/", CW_NET_ERR_ARGUMENT},     {"GET ", "a", "/", CW_NET_ERR_ARGUMENT},
        {"", "a", "/", CW_NET_ERR_ARGUMENT},       {"CONNECT", "a", "/", CW_NET_ERR_UNSUPPORTED},
    };
    record r = {.core = NULL};
    http1_client(&r, NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const cw_http_head head = {.method = cw_str_from(rows[i].method),
                                   .authority = cw_str_from(rows[i].authority),
                                   .path = cw_str_from(rows[i].path)};
        assert_null(record_request(&r, &head, http1_bytes(""), true, false));
        assert_int_equal(r.error.status, rows[i].status);
    }
    record_drain(&r);
    assert_text(record_sent(&r), "");
    assert_int_equal(room(&r), 1);
    record_free(&r);
}

/* ---- 100-continue ------------------------------------------------------------------------------
 */

#define HELD "POST / HTTP/1.1\r\nhost: example.org\r\nexpect: 100-continue\r\n"

static cw__stream *open_held(record *r, bool whole)
{
    http1_client(r, NULL);
    cw_http_head head = http1_post("/");
    cw__stream *s = record_request(r, &head, http1_bytes("hello"), whole, true);
    assert_non_null(s);
    record_drain(r);
    assert_text(record_sent(r), whole ? HELD "content-length: 5\r\n\r\n"
                                      : HELD "transfer-encoding: chunked\r\n\r\n");
    assert_false(s->sent);
    record_clear(r);
    return s;
}

static void held_body_goes_on(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        for (int told = 0; told < 2; told++) {
            record r = {.core = NULL};
            cw__stream *s = open_held(&r, whole);
            if (!whole) {
                s->core->ops->write(s, http1_bytes("!"));
                s->core->ops->end(s, none);
            }
            record_drain(&r);
            assert_text(record_sent(&r), "");
            assert_true(s->core->ops->unsent(s) >= 5);
            if (told) {
                s->core->ops->go_on(s);
                s->core->ops->go_on(s);
            } else {
                record_feed_text(&r, "HTTP/1.1 100 Continue\r\nx: y\r\n\r\n");
                assert_text(record_log(&r), "continue 1\n");
            }
            record_drain(&r);
            assert_text(record_sent(&r), whole ? "hello" : "5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n");
            assert_true(s->sent);
            record_feed_text(&r, EMPTY);
            assert_int_equal(r.why.status, CW_NET_OK);
            assert_int_equal(r.closed, 1);
            assert_int_equal(room(&r), 1);
            record_free(&r);
        }
    }
}

/* The answer comes without the body, which stays unsent; the connection ends. */
static void held_body_is_refused(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        record r = {.core = NULL};
        cw__stream *s = open_held(&r, whole);
        record_feed_text(&r, "HTTP/1.1 417 No\r\ncontent-length: 2\r\n\r\nn");
        s->core->ops->go_on(s);
        if (!whole) {
            assert_int_equal(s->core->ops->write(s, http1_bytes("more")), CW_NET_OK);
            assert_int_equal(s->core->ops->end(s, none), CW_NET_OK);
        }
        record_drain(&r);
        assert_false(s->sent);
        record_feed_text(&r, "o");
        assert_text(record_sent(&r), "");
        assert_int_equal(r.why.status, CW_NET_OK);
        assert_int_equal(r.closed, 1);
        assert_int_equal(room(&r), 0);
        assert_true(is_done(&r));
        record_free(&r);
    }
}

static void nothing_to_hold(void **state)
{
    (void)state;
    static const cw_http_field expect = {CW_STR_INIT("Expect"), CW_STR_INIT("100-continue")};
    record r = {.core = NULL};
    http1_client(&r, NULL);
    cw_http_head head = http1_post("/");
    record_request(&r, &head, http1_bytes(""), true, true);
    record_drain(&r);
    assert_text(record_sent(&r),
                "POST / HTTP/1.1\r\nhost: example.org\r\ncontent-length: 0\r\n\r\n");
    record_feed_text(&r, EMPTY);
    record_clear(&r);
    head.fields = (cw_http_fields){&expect, 1}; /* not written twice */
    record_request(&r, &head, http1_bytes("a"), true, true);
    record_drain(&r);
    assert_text(record_sent(&r), "POST / HTTP/1.1\r\nhost: example.org\r\nExpect: 100-continue\r\n"
                                 "content-length: 1\r\n\r\n");
    record_free(&r);
}

/* ---- responses ---------------------------------------------------------------------------------
 */

typedef struct response {
    int line;
    const char *method, *bytes, *body;
    bool ends; /* the connection does, with it */
} response;

static const response responses[] = {
    {__LINE__, "GET", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "5 hello", false},
    {__LINE__, "GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "0 ", false},
    {__LINE__, "GET", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", "0 ", false},
    {__LINE__, "GET", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "0 ", false},
    {__LINE__, "GET", "HTTP/1.1 200 \x80 \t x\r\nContent-Length: 0\r\n\r\n", "0 ", false},
    {__LINE__, "GET",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a\r\nhello\r\n0\r\nT: 1\r\nHost: x\r\n"
     "\r\n",
     "5 hello\n  ~ t: 1", false},
    {__LINE__, "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "0 ",
     false},
    {__LINE__, "GET", "HTTP/1.1 404 Not Found\r\nContent-Length: 1\r\n\r\nx", "1 x", false},
    /* Without a body, whatever the fields say. */
    {__LINE__, "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "0 ", false},
    {__LINE__, "HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "0 ", false},
    {__LINE__, "HEAD", "HTTP/1.1 200 OK\r\n\r\n", "0 ", false},
    {__LINE__, "GET", "HTTP/1.1 204 No Content\r\n\r\n", "0 ", false},
    {__LINE__, "GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "0 ", false},
    {__LINE__, "GET", "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", "0 ", true},
    /* Interim ones are passed over. */
    {__LINE__, "GET",
     "HTTP/1.1 103 Early Hints\r\nContent-Length: 5\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
     "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
     "2 hi", false},
    /* The end of the connection. */
    {__LINE__, "GET", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi", "2 hi",
     true},
    {__LINE__, "GET", "HTTP/1.1 200 OK\r\nConnection: X, Close\r\nContent-Length: 2\r\n\r\nhi",
     "2 hi", true},
    {__LINE__, "GET", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", "2 hi", true},
    {__LINE__, "GET", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi",
     "2 hi", false},
    {__LINE__, "GET",
     "HTTP/1.1 200 OK\r\nUpgrade: h2c\r\nConnection: upgrade\r\n"
     "Content-Length: 2\r\n\r\nhi",
     "2 hi", false},
};

static void check_response(const response *w, size_t piece)
{
    record r = {.core = NULL};
    open_with(&r, w->method);
    cw_net_status st = record_feed_cut(&r, w->bytes, strlen(w->bytes), piece);
    char wanted[100];
    snprintf(wanted, sizeof wanted, "end 1 %s\nclosed 1 CW_NET_OK 0\nroom %d\n", w->body, !w->ends);
    const char *end = strstr(record_log(&r), "end 1");
    if (st != CW_NET_OK || end == NULL || strcmp(end, wanted) != 0 || is_done(&r) != w->ends) {
        fail_msg("row at line %d, pieces of %zu:\n%s", w->line, piece, record_log(&r));
    }
    if (!w->ends) {
        get(&r);
        assert_int_equal(record_feed_text(&r, EMPTY), CW_NET_OK);
        assert_int_equal(r.closed, 2);
    }
    record_free(&r);
}

static void response_framing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(responses); i++) {
        for (size_t piece = 1; piece <= strlen(responses[i].bytes); piece++) {
            check_response(&responses[i], piece);
        }
    }
}

/* Neither length nor chunks: the body is what comes until the end. */
static void response_until_close(void **state)
{
    (void)state;
    for (int minor = 0; minor < 2; minor++) {
        record r = {.core = NULL};
        char head[100];
        snprintf(head, sizeof head, "HTTP/1.%d 200 OK\r\nConnection: keep-alive\r\n\r\n", minor);
        open_with(&r, "GET");
        record_feed_text(&r, head);
        record_feed_text(&r, "hel");
        record_feed_text(&r, "lo\r\n");
        assert_int_equal(r.closed, 0);
        assert_int_equal(record_feed_end(&r), CW_NET_OK);
        char wanted[100];
        snprintf(wanted, sizeof wanted,
                 "head 1 200 1.%d\nend 1 7 hello\\x0d\\x0a\nclosed 1 CW_NET_OK 0\nroom 0\n", minor);
        assert_text(record_log(&r), wanted);
        assert_true(is_done(&r));
        record_free(&r);
    }
}

/* Has a byte of the response come? Asked when the stream closes. */
static void note_begun(record *r, cw__stream *s, const char *event)
{
    if (s != NULL && strcmp(event, "closed") == 0) {
        *(bool *)r->user = cw__http1_has_begun(r->core);
    }
}

static void truncated_responses(void **state)
{
    (void)state;
    static const char *const whole[] = {
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
    };
    for (size_t i = 0; i < COUNT(whole); i++) {
        for (size_t n = 0; n < strlen(whole[i]); n++) {
            record r = {.core = NULL};
            bool has_begun = false;
            open_with(&r, "GET");
            r.on = note_begun;
            r.user = &has_begun;
            assert_int_equal(record_feed(&r, whole[i], n), CW_NET_OK);
            assert_int_equal(record_feed_end(&r), CW_NET_ERR_CLOSED);
            assert_int_equal(r.why.status, CW_NET_ERR_CLOSED);
            assert_int_equal(has_begun, n > 0);
            assert_string_equal(r.why.detail,
                                n > 0 ? "in the middle of a response" : "before the response");
            assert_null(strstr(record_log(&r), "end 1"));
            assert_int_equal(r.closed, 1);
            assert_true(is_done(&r));
            record_free(&r);
        }
    }
}

static void connection_ends(void **state)
{
    (void)state;
    record idle = {.core = NULL};
    http1_client(&idle, NULL);
    assert_int_equal(record_feed_end(&idle), CW_NET_OK);
    assert_true(is_done(&idle));
    assert_text(record_log(&idle), "room 0\n");
    cw_http_head head = http1_get("/");
    assert_null(record_request(&idle, &head, http1_bytes(""), true, false));
    record_free(&idle);

    /* Nothing of the request has left: it can safely be sent again. */
    record r = {.core = NULL};
    http1_client(&r, NULL);
    record_request(&r, &head, http1_bytes(""), true, false);
    assert_int_equal(record_feed_end(&r), CW_NET_ERR_REFUSED);
    assert_int_equal(r.why.status, CW_NET_ERR_REFUSED);
    record_free(&r);
}

/* What nobody asked for must not be taken for the answer to the next request. */
static void bytes_without_request(void **state)
{
    (void)state;
    record r = {.core = NULL};
    http1_client(&r, NULL);
    assert_int_equal(record_feed_text(&r, EMPTY), CW_NET_ERR_PROTOCOL);
    assert_text(record_log(&r), "room 0\nfeed CW_NET_ERR_PROTOCOL 0\n");
    assert_true(is_done(&r));
    record_free(&r);

    record behind = {.core = NULL};
    open_with(&behind, "GET");
    assert_int_equal(record_feed_text(&behind, EMPTY "HTTP/1.1 200 OK\r\n"), CW_NET_ERR_PROTOCOL);
    assert_text(record_log(&behind), "head 1 200 1.1\n  content-length: 0\nend 1 0 \n"
                                     "closed 1 CW_NET_OK 0\nroom 0\nfeed CW_NET_ERR_PROTOCOL 0\n");
    record_free(&behind);

    record before = {.core = NULL};
    http1_client(&before, NULL);
    cw_http_head head = http1_get("/");
    record_request(&before, &head, http1_bytes(""), true, false);
    assert_int_equal(record_feed_text(&before, EMPTY), CW_NET_ERR_PROTOCOL);
    assert_int_equal(before.why.status, CW_NET_ERR_PROTOCOL);
    assert_null(strstr(record_log(&before), "head"));
    record_free(&before);

    record last = {.core = NULL}; /* behind the last response it does not matter */
    open_with(&last, "GET");
    assert_int_equal(record_feed_text(&last, "HTTP/1.1 204 No\r\nConnection: close\r\n\r\nxyz"),
                     CW_NET_OK);
    assert_int_equal(last.why.status, CW_NET_OK);
    assert_true(is_done(&last));
    record_free(&last);
}

/* The response is whole before the request is: it counts, and the connection ends. */
static void early_response(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        record r = {.core = NULL, .drain_max = 100};
        char *body = http1_repeat('b', 1000);
        http1_client(&r, NULL);
        cw_http_head head = http1_post("/");
        record_request(&r, &head, http1_bytes(body), whole, false);
        record_drain(&r);
        record_feed_text(&r, "HTTP/1.1 413 No\r\ncontent-length: 0\r\n\r\n");
        assert_int_equal(r.why.status, CW_NET_OK);
        assert_int_equal(r.closed, 1);
        assert_true(is_done(&r));
        assert_false(r.core->ops->wants_write(r.core));
        record_drain(&r);
        assert_int_equal(r.sent.end, 100);
        record_free(&r);
        free(body);
    }
}

/* ---- others ------------------------------------------------------------------------------------
 */

static void next_on_room(record *r, cw__stream *s, const char *event)
{
    cw_http_head head = http1_get("/next");
    if (strcmp(event, "closed") == 0) { /* too early: the stream is not gone yet */
        assert_non_null(s);
        assert_int_equal(room(r), 0);
        assert_null(record_request(r, &head, http1_bytes(""), true, false));
    } else if (strcmp(event, "room") == 0 && r->streams < 100) {
        assert_non_null(record_request(r, &head, http1_bytes(""), true, false));
    }
}

static void one_after_another(void **state)
{
    (void)state;
    record r = {.core = NULL};
    open_with(&r, "GET");
    r.on = next_on_room;
    for (unsigned i = 1; i <= 100; i++) {
        assert_int_equal(record_feed_text(&r, EMPTY), CW_NET_OK);
        assert_int_equal(r.closed, i);
        record_drain(&r);
    }
    assert_int_equal(room(&r), 1);
    record_free(&r);
}

static void closing_after(void **state)
{
    (void)state;
    record r = {.core = NULL};
    http1_client(&r, NULL);
    cw__http1_close_after(r.core);
    get(&r);
    assert_text(record_sent(&r),
                "GET / HTTP/1.1\r\nhost: example.org\r\nconnection: close\r\n\r\n");
    record_feed_text(&r, EMPTY);
    assert_int_equal(r.why.status, CW_NET_OK);
    assert_true(is_done(&r));
    record_free(&r);

    record late = {.core = NULL};
    open_with(&late, "GET");
    cw__http1_close_after(late.core);
    record_feed_text(&late, EMPTY);
    assert_true(is_done(&late));
    record_free(&late);
}

/* A body that nobody used up does not stop what comes after it. */
static void unused_body(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    record r = {.core = NULL, .keeps_body = true};
    open_with(&r, "GET");
    char *body = http1_repeat('b', SIZE);
    record_feed_text(&r, "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
    record_feed(&r, body, SIZE - 1);
    assert_false(r.core->ops->wants_read(r.core));
    record_feed(&r, body, 1);
    assert_int_equal(r.why.status, CW_NET_OK);
    assert_int_equal(r.closed, 1);
    assert_true(r.core->ops->wants_read(r.core));
    free(body);
    record_free(&r);
}

static void shutting_down(void **state)
{
    (void)state;
    record idle = {.core = NULL};
    http1_client(&idle, NULL);
    idle.core->ops->shutdown(idle.core);
    assert_true(is_done(&idle));
    assert_int_equal(room(&idle), 0);
    record_free(&idle);

    record r = {.core = NULL};
    open_with(&r, "GET");
    r.core->ops->shutdown(r.core);
    assert_false(is_done(&r));
    record_feed_text(&r, EMPTY);
    assert_int_equal(r.why.status, CW_NET_OK);
    assert_true(is_done(&r));
    record_free(&r);
}

static void resets(void **state)
{
    (void)state;
    static const cw_net_error why = {.status = CW_NET_ERR_CANCELLED};
    static const char *const starts[] = {"", "HTTP/1.1 200 OK\r\n",
                                         "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhe"};
    for (size_t i = 0; i < COUNT(starts); i++) {
        record r = {.core = NULL};
        cw__stream *s = open_with(&r, "GET");
        record_feed_text(&r, starts[i]);
        s->core->ops->reset(s, &why);
        assert_int_equal(r.closed, 0);
        assert_int_equal(record_feed_text(&r, EMPTY), CW_NET_OK);
        assert_int_equal(r.closed, 1);
        assert_int_equal(r.why.status, CW_NET_ERR_CANCELLED);
        assert_true(is_done(&r));
        record_free(&r);
    }
}

static void reset_on(record *r, cw__stream *s, const char *event)
{
    static const cw_net_error why = {.status = CW_NET_ERR_CANCELLED};
    if (strcmp(event, r->user) == 0 && s != NULL) {
        s->core->ops->reset(s, &why);
    }
}

static void resets_in_events(void **state)
{
    (void)state;
    static const char *const events[] = {"continue", "head", "body", "end"};
    static const char *const bodies[] = {"content-length: 2\r\n\r\nhi",
                                         "transfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"};
    for (size_t i = 0; i < COUNT(events); i++) {
        for (size_t b = 0; b < COUNT(bodies); b++) {
            char in[200], event[16];
            strcpy(event, events[i]);
            snprintf(in, sizeof in, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n%s",
                     bodies[b]);
            record r = {.core = NULL};
            open_with(&r, "GET");
            r.on = reset_on;
            r.user = event;
            assert_int_equal(record_feed_text(&r, in), CW_NET_OK);
            assert_int_equal(r.closed, 1);
            assert_int_equal(r.why.status, CW_NET_ERR_CANCELLED);
            assert_true(is_done(&r));
            record_free(&r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_exchange),         cmocka_unit_test(request_framing),
        cmocka_unit_test(streamed_request),     cmocka_unit_test(wrong_requests),
        cmocka_unit_test(held_body_goes_on),    cmocka_unit_test(held_body_is_refused),
        cmocka_unit_test(nothing_to_hold),      cmocka_unit_test(response_framing),
        cmocka_unit_test(response_until_close), cmocka_unit_test(truncated_responses),
        cmocka_unit_test(connection_ends),      cmocka_unit_test(bytes_without_request),
        cmocka_unit_test(early_response),       cmocka_unit_test(one_after_another),
        cmocka_unit_test(closing_after),        cmocka_unit_test(unused_body),
        cmocka_unit_test(shutting_down),        cmocka_unit_test(resets),
        cmocka_unit_test(resets_in_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
