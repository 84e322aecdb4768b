/* SPDX-License-Identifier: MIT */
/* The HTTP/1.1 core as a server: requests in, responses out, however the bytes are cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "http1_support.h"

#define HOST        "host: x\r\n"
#define COUNT(rows) (sizeof rows / sizeof rows[0])

static void one_exchange(void **state)
{
    (void)state;
    record r = {.core = NULL};
    http1_server(&r, NULL);
    const cw__core_ops *ops = r.core->ops;
    assert_true(ops->wants_read(r.core));
    assert_false(ops->wants_write(r.core));
    assert_int_equal(ops->room(r.core), 0);
    assert_int_equal(record_feed_text(&r, "POST /a?b=c HTTP/1.1\r\nHost: example.org:80\r\n"
                                          "X-Empty:\r\nAccept: \t a, b \t\r\n"
                                          "content-length: 5\r\n\r\nhello"),
                     CW_NET_OK);
    assert_text(record_log(&r), "stream 1\n"
                                "head 1 POST http example.org:80 /a?b=c 1.1\n"
                                "  x-empty: \n"
                                "  accept: a, b\n"
                                "  content-length: 5\n"
                                "end 1 5 hello\n");
    assert_int_equal(ops->streams(r.core), 1);
    assert_true(ops->wants_write(r.core));
    assert_int_equal(ops->unsent(record_find(&r, 1)), 17 + 13 + 19 + 2 + 5);
    assert_false(record_find(&r, 1)->sent);
    assert_int_equal(record_drain(&r), CW_NET_OK);
    assert_text(record_sent(&r),
                "HTTP/1.1 200 OK\r\nx-number: 1\r\ncontent-length: 5\r\n\r\nhello");
    assert_int_equal(r.closed, 1);
    assert_int_equal(r.why.status, CW_NET_OK);
    assert_int_equal(ops->streams(r.core), 0);
    assert_false(ops->wants_write(r.core));
    assert_false(ops->is_done(r.core));
    record_free(&r);
}

/* Heads that are shown in a way of their own. */
static void heads(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *bytes, *head;
    } rows[] = {
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "\r\n", "GET http x / 1.1\n"},
        {__LINE__, "GET / HTTP/1.0\r\n\r\n", "GET http  / 1.0\n"},
        {__LINE__, "GET / HTTP/1.0\r\n" HOST "\r\n", "GET http x / 1.0\n"},
        {__LINE__, "OPTIONS * HTTP/1.1\r\n" HOST "\r\n", "OPTIONS http x * 1.1\n"},
        {__LINE__, "M-SEARCH /a HTTP/1.1\r\n" HOST "\r\n", "M-SEARCH http x /a 1.1\n"},
        /* What an absolute target says stands above the host field. */
        {__LINE__, "GET http://a:1/b?c HTTP/1.1\r\n" HOST "\r\n", "GET http a:1 /b?c 1.1\n"},
        {__LINE__, "GET HTTP://a HTTP/1.1\r\n" HOST "\r\n", "GET http a / 1.1\n"},
        {__LINE__, "GET http://a?b HTTP/1.1\r\n" HOST "\r\n", "GET http a /?b 1.1\n"},
        {__LINE__, "OPTIONS http://a HTTP/1.1\r\n" HOST "\r\n", "OPTIONS http a * 1.1\n"},
        {__LINE__, "OPTIONS http://a/ HTTP/1.1\r\n" HOST "\r\n", "OPTIONS http a / 1.1\n"},
        {__LINE__, "GET http://a/ HTTP/1.0\r\n\r\n", "GET http a / 1.0\n"},
        /* What is for the connection is not shown, nor what it names. */
        {__LINE__,
         "GET / HTTP/1.1\r\n" HOST "Connection: A, close , b-c\r\nKeep-Alive: 1\r\nA: 1\r\n"
         "Proxy-Connection: x\r\nB-C: 2\r\nUpgrade: h2c\r\nTE: trailers\r\nTrailer: d\r\nD: 3\r\n"
         "B-C: 4\r\n\r\n",
         "GET http x / 1.1\n  trailer: d\n  d: 3\n"},
        {__LINE__,
         "GET / HTTP/1.1\r\nE: 1\r\nConnection: d\r\n" HOST "D: 2\r\nConnection: e,host\r\n\r\n",
         "GET http x / 1.1\n"},
        {__LINE__,
         "GET / HTTP/1.1\r\n" HOST "Connection: content-length\r\nContent-Length: 0\r\n\r\n",
         "GET http x / 1.1\n  content-length: 0\n"},
        /* Upgrades are not taken up (RFC 9110, 7.8). */
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "Connection: upgrade\r\nUpgrade: websocket\r\n\r\n",
         "GET http x / 1.1\n"},
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "Expect: 100-continue\r\n\r\n",
         "GET http x / 1.1\n  expect: 100-continue\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        record r = {.core = NULL};
        char wanted[300];
        snprintf(wanted, sizeof wanted, "stream 1\nhead 1 %send 1 0 \n", rows[i].head);
        http1_server(&r, NULL);
        record_feed_text(&r, rows[i].bytes);
        if (strcmp(record_log(&r), wanted) != 0) {
            fail_msg("row at line %d:\n%s", rows[i].line, record_log(&r));
        }
        record_free(&r);
    }
}

/* B72 of ../shared/cases/reports.md, byte by byte. */
static void chunk_extensions(void **state)
{
    (void)state;
    static const char in[] =
        "POST / HTTP/1.1\r\n" HOST "transfer-encoding: chunked\r\n\r\n"
        "5;q=\"a\"\r\nhello\r\n0\r\nX: y\r\n\r\nGET /2 HTTP/1.1\r\n" HOST "\r\n";
    record r = {.core = NULL};
    http1_server(&r, NULL);
    assert_int_equal(record_feed_cut(&r, in, sizeof in - 1, 1), CW_NET_OK);
    assert_text(record_log(&r), "stream 1\n"
                                "head 1 POST http x / 1.1\n"
                                "end 1 5 hello\n"
                                "  ~ x: y\n"
                                "closed 1 CW_NET_OK 0\n"
                                "stream 2\n"
                                "head 2 GET http x /2 1.1\n"
                                "end 2 0 \n"
                                "closed 2 CW_NET_OK 0\n");
    record_free(&r);
}

/* Trailers stay apart from the head; those that belong in a head are dropped. */
static void trailers(void **state)
{
    (void)state;
    record r = {.core = NULL};
    http1_server(&r, NULL);
    record_feed_text(&r, "POST / HTTP/1.1\r\n" HOST "A: 1\r\ntransfer-encoding: chunked\r\n\r\n"
                         "2\r\nhi\r\n00\r\nGrpc-Status: 0\r\nHost: y\r\nAuthorization: z\r\n"
                         "Connection: close\r\nSet-Cookie: c\r\nEmpty:\r\nA: 2 \r\n"
                         "Content-Type: t\r\n\r\n");
    assert_text(record_log(&r), "stream 1\n"
                                "head 1 POST http x / 1.1\n"
                                "  a: 1\n"
                                "end 1 2 hi\n"
                                "  ~ grpc-status: 0\n"
                                "  ~ empty: \n"
                                "  ~ a: 2\n");
    assert_true(r.core->ops->wants_read(r.core));
    record_drain(&r);
    assert_false(r.core->ops->is_done(r.core)); /* "close" in a trailer says nothing */
    record_free(&r);
}

/* ---- cuts --------------------------------------------------------------------------------------
 */

static const char *const streams[] = {
    "GET / HTTP/1.1\r\n" HOST "\r\n",
    "\r\n\r\nPOST /long/path?query=1 HTTP/1.1\r\nHost: example.org:8080\r\nA:\r\nB: \t c d \t\r\n"
    "C:e\r\nContent-Length: 10\r\n\r\n0123456789",
    "POST / HTTP/1.1\r\n" HOST
    "transfer-encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n006\r\n world\r\n"
    "0;x\r\nT: 1\r\nU:\r\nVv:  w w \r\n\r\nGET / HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Upgrade: a\r\nConnection: upgrade\r\nContent-Length: 3\r\n\r\nabc"
    "POST / HTTP/1.1\r\n" HOST
    "Upgrade: a\r\nConnection: upgrade\r\ntransfer-encoding: chunked\r\n\r\n"
    "3\r\nabc\r\n0\r\n\r\nHEAD / HTTP/1.1\r\n" HOST "\r\n\r\nGET http://a?b HTTP/1.1\r\n" HOST
    "\r\n",
    "POST / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi"
    "GET / HTTP/1.0\r\n\r\nGET /ignored HTTP/1.0\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Expect: 100-continue\r\nContent-Length: 2\r\n\r\nhi"
    "GET / HTTP/1.1\r\n" HOST "A: b\nC: d\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST
    "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n c\r\n\r\n",
};

/* Ends at the first error, whose own line is taken off: a request that waited fails in a drain. */
static void feed_in_pieces(record *r, const char *in, const size_t *cuts, size_t count)
{
    size_t at = 0, len = strlen(in);
    for (size_t i = 0; i <= count; i++) {
        size_t end = i < count ? cuts[i] : len;
        cw_net_status st = record_feed(r, in + at, end - at);
        record_drain(r);
        if (st != CW_NET_OK) {
            r->log.end = (size_t)(strstr(record_log(r), "feed ") - record_log(r));
            return;
        }
        at = end;
    }
}

static void check_cut(const char *in, const size_t *cuts, size_t count, const char *log,
                      const char *sent)
{
    record r = {.core = NULL};
    http1_server(&r, NULL);
    feed_in_pieces(&r, in, cuts, count);
    if (strcmp(record_log(&r), log) != 0 || strcmp(record_sent(&r), sent) != 0) {
        fail_msg("cut at %zu:\n%s\nwanted:\n%s\n%s\nwanted:\n%s", cuts[0], record_log(&r), log,
                 record_sent(&r), sent);
    }
    record_free(&r);
}

static void cuts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(streams); i++) {
        const char *in = streams[i];
        size_t len = strlen(in), all[1000];
        record whole = {.core = NULL};
        http1_server(&whole, NULL);
        feed_in_pieces(&whole, in, NULL, 0);
        assert_true(whole.ended + (whole.error.status != CW_NET_OK) > 0);
        const char *log = record_log(&whole), *sent = record_sent(&whole);
        for (size_t a = 0; a < len; a++) {
            all[a] = a + 1;
            check_cut(in, &all[a], 1, log, sent);
            for (size_t b = a + 1; b < len; b += 7) {
                const size_t two[] = {a, b};
                check_cut(in, two, 2, log, sent);
            }
        }
        check_cut(in, all, len - 1, log, sent); /* byte by byte */
        record_free(&whole);
    }
}

/* ---- one after another -------------------------------------------------------------------------
 */

enum { MANY = 500 };

static char *many_requests(unsigned n)
{
    char *in = malloc(n * 80 + 1), *at = in;
    assert_non_null(in);
    for (unsigned i = 1; i <= n; i++) {
        at += sprintf(at, "POST /%u HTTP/1.1\r\n" HOST "content-length: 4\r\n\r\n%04u", i, i);
    }
    return in;
}

static char *many_responses(unsigned n)
{
    char *out = malloc(n * 80 + 1), *at = out;
    assert_non_null(out);
    for (unsigned i = 1; i <= n; i++) {
        at += sprintf(at, "HTTP/1.1 200 OK\r\nx-number: %u\r\ncontent-length: 4\r\n\r\n%04u", i, i);
    }
    return out;
}

static void pipelining(void **state)
{
    (void)state;
    char *in = many_requests(MANY), *out = many_responses(MANY);
    for (int late = 0; late < 2; late++) {
        record r = {.core = NULL};
        http1_server(&r, NULL);
        r.on = late ? NULL : record_echo;
        assert_int_equal(record_feed_text(&r, in), CW_NET_OK);
        assert_int_equal(r.streams, 1); /* the others wait */
        for (unsigned i = 1; late && i <= MANY; i++) {
            assert_int_equal(r.ended, i);
            record_echo(&r, record_find(&r, i), "end");
            record_drain(&r);
        }
        record_drain(&r); /* one is enough when they are answered at once */
        assert_int_equal(r.closed, MANY);
        assert_text(record_sent(&r), out);
        assert_false(r.core->ops->wants_write(r.core));
        record_free(&r);
    }
    free(in);
    free(out);
}

/* Requests that wait are bounded by back-pressure, output by `max`; neither loses anything. */
static void pipelining_with_bounds(void **state)
{
    (void)state;
    enum { N = 2000 };
    char *in = many_requests(N), *out = many_responses(N);
    record r = {.core = NULL, .drain_max = 100};
    http1_server(&r, NULL);
    size_t len = strlen(in), at = 0;
    bool was_full = false;
    while (at < len || r.core->ops->wants_write(r.core)) {
        if (at < len && r.core->ops->wants_read(r.core)) {
            size_t n = len - at < 1000 ? len - at : 1000;
            assert_int_equal(record_feed(&r, in + at, n), CW_NET_OK);
            at += n;
        } else {
            was_full = was_full || at < len;
            size_t before = r.sent.end;
            record_drain(&r);
            assert_in_range(r.sent.end - before, 0, 100);
        }
    }
    assert_true(was_full);
    assert_text(record_sent(&r), out);
    record_free(&r);
    free(in);
    free(out);
}

/* What comes behind the last request is not kept. */
static void input_after_the_last(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    record r = {.core = NULL};
    http1_server(&r, NULL);
    r.on = NULL;
    record_feed_text(&r, "GET / HTTP/1.1\r\n" HOST "connection: close\r\n\r\n");
    char *more = http1_repeat('m', SIZE);
    assert_int_equal(record_feed(&r, more, SIZE), CW_NET_OK);
    assert_true(r.core->ops->wants_read(r.core));
    free(more);
    record_echo(&r, record_find(&r, 1), "end");
    record_drain(&r);
    assert_int_equal(r.streams, 1);
    assert_true(r.core->ops->is_done(r.core));
    record_free(&r);
}

/* The peer has closed its side: what is complete is answered, what is not fails. */
static void input_ends(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *in;
        unsigned answered;
        cw_net_status fed, why;
    } rows[] = {
        {__LINE__, "", 0, CW_NET_OK, CW_NET_OK},
        {__LINE__, "\r\n", 0, CW_NET_OK, CW_NET_OK},
        {__LINE__, "G", 0, CW_NET_ERR_CLOSED, CW_NET_ERR_CLOSED},
        {__LINE__, "POST / HTTP/1.1\r\n" HOST "content-length: 2\r\n\r\nh", 0, CW_NET_ERR_CLOSED,
         CW_NET_ERR_CLOSED},
        {__LINE__, "POST / HTTP/1.1\r\n" HOST "transfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n",
         0, CW_NET_ERR_CLOSED, CW_NET_ERR_CLOSED},
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "\r\n", 1, CW_NET_OK, CW_NET_OK},
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "\r\nGET / HTTP/1.1\r\n" HOST "\r\n", 2, CW_NET_OK,
         CW_NET_OK},
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "\r\nGET / HTTP/1.1\r\n", 1, CW_NET_OK,
         CW_NET_ERR_CLOSED},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        record r = {.core = NULL};
        http1_server(&r, NULL);
        record_feed_text(&r, rows[i].in);
        cw_net_status st = record_feed_end(&r);
        record_drain(&r);
        if (st != rows[i].fed || r.why.status != rows[i].why || r.ended != rows[i].answered ||
            r.closed != r.streams || !r.core->ops->is_done(r.core) ||
            (record_sent(&r)[0] != '\0') != (r.ended > 0)) {
            fail_msg("row at line %d:\n%s", rows[i].line, record_log(&r));
        }
        record_free(&r);
    }
}

/* ---- keep-alive --------------------------------------------------------------------------------
 */

static void keep_alive(void **state)
{
    (void)state;
#define CLOSE "connection: close\r\n"
#define KEEP  "connection: keep-alive\r\n"
    static const struct {
        int line;
        const char *request, *says;
        bool ends;
    } rows[] = {
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "\r\n", "", false},
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "Connection: keep-alive\r\n\r\n", "", false},
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n", CLOSE, true},
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "Connection: Close\r\n\r\n", CLOSE, true},
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "Connection: x, close\r\n\r\n", CLOSE, true},
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "Connection: keep-alive, close\r\n\r\n", CLOSE, true},
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "Connection: x\r\nConnection: close\r\n\r\n", CLOSE,
         true},
        {__LINE__, "GET / HTTP/1.1\r\n" HOST "Connection: closed\r\n\r\n", "", false},
        {__LINE__, "GET / HTTP/1.0\r\n\r\n", CLOSE, true},
        {__LINE__, "GET / HTTP/1.0\r\nConnection: close\r\n\r\n", CLOSE, true},
        {__LINE__, "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", KEEP, false},
        {__LINE__, "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", CLOSE, true},
        {__LINE__, "GET / HTTP/1.0\r\nKeep-Alive: 5\r\n\r\n", CLOSE, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        record r = {.core = NULL};
        char in[400], wanted[400];
        snprintf(in, sizeof in, "%s%s", rows[i].request, rows[i].request);
        int n =
            snprintf(wanted, sizeof wanted,
                     "HTTP/1.1 200 OK\r\n%sx-number: 1\r\ncontent-length: 0\r\n\r\n", rows[i].says);
        if (!rows[i].ends) {
            snprintf(wanted + n, sizeof wanted - (size_t)n,
                     "HTTP/1.1 200 OK\r\n%sx-number: 2\r\ncontent-length: 0\r\n\r\n", rows[i].says);
        }
        http1_server(&r, NULL);
        record_feed_text(&r, in);
        record_drain(&r);
        if (r.core->ops->is_done(r.core) != rows[i].ends || r.streams != (rows[i].ends ? 1 : 2) ||
            strcmp(record_sent(&r), wanted) != 0) {
            fail_msg("row at line %d:\n%s\n%s", rows[i].line, record_log(&r), record_sent(&r));
        }
        if (rows[i].ends) { /* what comes later is ignored */
            assert_int_equal(record_feed_text(&r, rows[i].request), CW_NET_OK);
            record_drain(&r);
            assert_int_equal(r.streams, 1);
        }
        record_free(&r);
    }
#undef CLOSE
#undef KEEP
}

/* ---- shutdown ----------------------------------------------------------------------------------
 */

static void shutting_down(void **state)
{
    (void)state;
    record idle = {.core = NULL};
    http1_server(&idle, NULL);
    idle.core->ops->shutdown(idle.core);
    assert_true(idle.core->ops->is_done(idle.core));
    assert_int_equal(record_feed_text(&idle, "GET / HTTP/1.1\r\n"), CW_NET_OK);
    assert_int_equal(idle.streams, 0);
    record_free(&idle);

    record r = {.core = NULL};
    http1_server(&r, NULL);
    record_feed_text(&r, "GET / HTTP/1.1\r\n");
    r.core->ops->shutdown(r.core);
    assert_false(r.core->ops->is_done(r.core)); /* it has begun, so it may finish */
    record_feed_text(&r, HOST "\r\nGET /2 HTTP/1.1\r\n");
    record_drain(&r);
    assert_text(record_sent(&r),
                "HTTP/1.1 200 OK\r\nconnection: close\r\nx-number: 1\r\ncontent-length: 0\r\n\r\n");
    assert_true(r.core->ops->is_done(r.core));
    assert_int_equal(r.streams, 1);
    record_free(&r);
}

static void freed_in_work(void **state)
{
    (void)state;
    record r = {.core = NULL};
    http1_server(&r, NULL);
    record_feed_text(&r, "POST / HTTP/1.1\r\n" HOST "content-length: 5\r\n\r\nhel");
    cw_net_error why = {.status = CW_NET_ERR_SHUTDOWN, .code = 7};
    r.core->ops->free(r.core, &why);
    r.core = NULL;
    assert_text(record_log(&r), "stream 1\n"
                                "head 1 POST http x / 1.1\n"
                                "  content-length: 5\n"
                                "closed 1 CW_NET_ERR_SHUTDOWN 7 after 3 hel\n");
    record_free(&r);
}

/* A core without anybody who listens works all the same. */
static void no_events(void **state)
{
    (void)state;
    static const cw__core_events none_of_them = {.on_stream = NULL};
    cw_http_limits limits = cw_http_limits_of(NULL);
    cw__core *c = cw__http1_open(true, "http", &limits, &none_of_them, NULL);
    assert_non_null(c);
    cw_net_error e;
    cw_bytes in = http1_bytes("POST / HTTP/1.1\r\n" HOST "content-length: 2\r\n\r\nhi");
    assert_int_equal(c->ops->feed(c, in, &e), CW_NET_OK);
    assert_int_equal(c->ops->streams(c), 1);
    e.status = CW_NET_ERR_CANCELLED;
    c->ops->free(c, &e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_exchange),
        cmocka_unit_test(heads),
        cmocka_unit_test(chunk_extensions),
        cmocka_unit_test(trailers),
        cmocka_unit_test(cuts),
        cmocka_unit_test(pipelining),
        cmocka_unit_test(pipelining_with_bounds),
        cmocka_unit_test(input_after_the_last),
        cmocka_unit_test(input_ends),
        cmocka_unit_test(keep_alive),
        cmocka_unit_test(shutting_down),
        cmocka_unit_test(freed_in_work),
        cmocka_unit_test(no_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
