/* SPDX-License-Identifier: MIT */
/* The HTTP/1.1 core's limits, at the last value that passes and at the first that does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "http1_support.h"

#define HOST "host: x\r\n"
#define GET  "GET / HTTP/1.1\r\n" HOST "\r\n"
#define POST "POST / HTTP/1.1\r\n" HOST
#define TE   "transfer-encoding: chunked\r\n\r\n"

/* What a server with these limits makes of it, in pieces: 0 is fine, else the status. */
static int served_in(const cw_http_limits *limits, const char *in, size_t piece)
{
    record r = {.core = NULL};
    http1_server(&r, limits);
    cw_net_status st = record_feed_cut(&r, in, strlen(in), piece);
    int code = st == CW_NET_OK ? 0 : r.error.code;
    if (code == 431 || code == 414) {
        assert_int_equal(st, CW_NET_ERR_HEADER_LIMIT);
        assert_true(r.core->ops->is_done(r.core));
    }
    record_free(&r);
    return code;
}

static int served(const cw_http_limits *limits, const char *in)
{
    int code = served_in(limits, in, SIZE_MAX);
    assert_int_equal(served_in(limits, in, 1), code);
    assert_int_equal(served_in(limits, in, 13), code);
    return code;
}

/* name + value + 32 for each field and the request line. */
static void header_bytes(void **state)
{
    (void)state;
    cw_http_limits limits = {.max_header_bytes = 300};
    size_t fixed = strlen("GET / HTTP/1.1") + strlen("hostx") + 32 + strlen("a") + 32;
    for (size_t n = 250 - fixed; n <= 301 - fixed; n++) {
        char in[500], *value = http1_repeat('v', n);
        snprintf(in, sizeof in, "GET / HTTP/1.1\r\n" HOST "a: %s\r\n\r\n", value);
        assert_int_equal(served(&limits, in), fixed + n <= 300 ? 0 : 431);
        free(value);
    }
}

/* What Connection fields name is looked for among all fields: 32 names, empty ones included. */
static void connection_options(void **state)
{
    (void)state;
    static const char *const options[] = {"a,", ","};
    for (size_t i = 0; i < 2; i++) {
        for (size_t n = 15; n <= 17; n++) {
            char list[64] = "", in[300];
            for (size_t k = 0; k < n; k++) {
                strcat(list, options[i]);
            }
            snprintf(in, sizeof in,
                     "GET / HTTP/1.1\r\n" HOST
                     "connection: close,%s\r\nconnection: %skeep-alive\r\n\r\n",
                     list, list);
            assert_int_equal(served(NULL, in), n <= 16 ? 0 : 400);
        }
    }
}

static void header_fields(void **state)
{
    (void)state;
    cw_http_limits limits = {.max_header_fields = 3};
    assert_int_equal(served(&limits, "GET / HTTP/1.1\r\n" HOST "a: 1\r\nb:\r\n\r\n"), 0);
    assert_int_equal(served(&limits, "GET / HTTP/1.1\r\n" HOST "a: 1\r\nb: 2\r\nc:\r\n\r\n"), 431);
    /* Without waiting for the end of it. */
    assert_int_equal(served(&limits, "GET / HTTP/1.1\r\n" HOST "a: 1\r\nb: 2\r\nc:"), 431);
    assert_int_equal(served(NULL, GET), 0);
    char in[8000], *at = in;
    at += sprintf(at, "GET / HTTP/1.1\r\n" HOST);
    for (int i = 1; i < 100; i++) {
        at += sprintf(at, "a%d: b\r\n", i);
    }
    strcpy(at, "\r\n");
    assert_int_equal(served(NULL, in), 0); /* 100, the default */
    strcpy(at, "a: b\r\n\r\n");
    assert_int_equal(served(NULL, in), 431);
}

static void request_target(void **state)
{
    (void)state;
    cw_http_limits limits = {.max_header_bytes = 200};
    /* The line alone is in the limit, at it, above it. */
    for (size_t line = 150; line < 220; line++) {
        char in[400], *path = http1_repeat('p', line - strlen("GET / HTTP/1.0"));
        snprintf(in, sizeof in, "GET /%s HTTP/1.0\r\n\r\n", path);
        int wanted = line <= 200 ? 0 : 414;
        assert_int_equal(served(&limits, in), wanted);
        free(path);
    }
    char *endless = http1_repeat('p', 300);
    memcpy(endless, "GET /", 5);
    assert_int_equal(served(&limits, endless), 414);
    endless[204] = '\0';
    assert_int_equal(served(&limits, endless), 0); /* it waits for more */
    free(endless);
}

/* Blanks that no size counts, and a head that never ends. */
static void endless_heads(void **state)
{
    (void)state;
    cw_http_limits limits = {.max_header_bytes = 200};
    static const char *const starts[] = {"GET / HTTP/1.1\r\na:", "GET / HTTP/1.1\r\na: b",
                                         "GET / HTTP/1.1\r\na"};
    static const char fillers[] = " ba";
    for (size_t i = 0; i < 3; i++) {
        char *in = http1_repeat(fillers[i], 205);
        memcpy(in, starts[i], strlen(starts[i]));
        assert_int_equal(served(&limits, in), 431);
        in[204] = '\0';
        assert_int_equal(served(&limits, in), 0);
        free(in);
    }
}

static void trailers(void **state)
{
    (void)state;
    cw_http_limits limits = {.max_header_bytes = 150, .max_header_fields = 2};
    for (size_t n = 1; n < 200; n++) {
        char in[600], *value = http1_repeat('v', n);
        snprintf(in, sizeof in, POST TE "0\r\na: %s\r\n\r\n", value);
        assert_int_equal(served(&limits, in), 33 + n <= 150 ? 0 : 431);
        snprintf(in, sizeof in, POST TE "0\r\na: %s", value);
        assert_int_equal(served(&limits, in), 3 + n <= 154 ? 0 : 431);
        free(value);
    }
    assert_int_equal(served(&limits, POST TE "0\r\na: 1\r\nb: 2\r\n\r\n"), 0);
    assert_int_equal(served(&limits, POST TE "0\r\na: 1\r\nb: 2\r\nc: 3\r\n\r\n"), 431);
}

enum { FRAMING = 16384, WORTH = 16 + 2 };

static char *with_framing(size_t n)
{
    char *in = malloc(n + 200), *ext = http1_repeat('e', n - strlen("1;\r\n"));
    assert_non_null(in);
    sprintf(in, POST TE "1;%s\r\nx\r\n0\r\n\r\n", ext);
    free(ext);
    return in;
}

static void chunk_framing(void **state)
{
    (void)state;
    /* One long extension. */
    for (size_t n = FRAMING - 1; n <= FRAMING + 1; n++) {
        char *in = with_framing(n);
        assert_int_equal(served_in(NULL, in, SIZE_MAX), n <= FRAMING ? 0 : 400);
        assert_int_equal(served_in(NULL, in, 1000), n <= FRAMING ? 0 : 400);
        free(in);
    }
    /* Many short ones (CVE-2023-39326): each costs what it is worth, or one byte more. */
    for (size_t more = 0; more < 2; more++) {
        char *ext = http1_repeat('e', WORTH + more - strlen("1;\r\n\r\n"));
        char chunk[100];
        int len = sprintf(chunk, "1;%s\r\nx\r\n", ext);
        free(ext);
        record r = {.core = NULL};
        http1_server(&r, NULL);
        record_feed_text(&r, POST TE);
        size_t fed = 0;
        while (fed < 2 * FRAMING && record_feed(&r, chunk, (size_t)len) == CW_NET_OK) {
            fed++;
        }
        assert_int_equal(r.error.code, more ? 400 : 0);
        assert_in_range(fed, more ? FRAMING - WORTH : 2 * FRAMING,
                        more ? FRAMING + WORTH : 2 * FRAMING);
        record_free(&r);
    }
    /* A chunk is worth no more when it comes in pieces. */
    for (size_t cut = 0; cut < 2; cut++) {
        enum { MORE = 100, COST = WORTH + 2 + MORE };
        char chunk[COST + 10], *ext = http1_repeat('e', COST - strlen("2;\r\n\r\n"));
        size_t size_line = (size_t)sprintf(chunk, "2;%s\r\nxx\r\n", ext) - 4;
        size_t fed = 0;
        record r = {.core = NULL};
        http1_server(&r, NULL);
        record_feed_text(&r, POST TE);
        while (record_feed(&r, chunk, size_line + cut) == CW_NET_OK &&
               record_feed(&r, chunk + size_line + cut, 4 - cut) == CW_NET_OK) {
            fed++;
        }
        assert_int_equal(fed, (FRAMING - COST) / MORE + 1);
        record_free(&r);
        free(ext);
    }
    /* Zeros before the size. */
    char *zeros = http1_repeat('0', FRAMING + 100);
    record r = {.core = NULL};
    http1_server(&r, NULL);
    record_feed_text(&r, POST TE);
    assert_int_equal(record_feed_cut(&r, zeros, FRAMING, 100), CW_NET_OK);
    assert_int_equal(record_feed(&r, zeros, 1), CW_NET_ERR_PROTOCOL);
    record_free(&r);
    free(zeros);
}

/* Of a client. */
static void responses(void **state)
{
    (void)state;
    cw_http_limits limits = {.max_header_bytes = 150, .max_header_fields = 2};
    for (size_t n = 1; n < 120; n++) {
        record r = {.core = NULL};
        char in[300], *value = http1_repeat('v', n);
        snprintf(in, sizeof in, "HTTP/1.1 200 OK\r\nb: %s\r\ncontent-length: 0\r\n\r\n", value);
        http1_client(&r, &limits);
        cw_http_head head = http1_get("/");
        record_request(&r, &head, http1_bytes(""), true, false);
        record_drain(&r);
        cw_net_status st = record_feed_cut(&r, in, strlen(in), 50);
        assert_int_equal(st, 15 + 33 + 47 + n <= 150 ? CW_NET_OK : CW_NET_ERR_HEADER_LIMIT);
        assert_int_equal(r.why.status, st);
        record_free(&r);
        free(value);
    }
    record r = {.core = NULL};
    http1_client(&r, &limits);
    cw_http_head head = http1_get("/");
    record_request(&r, &head, http1_bytes(""), true, false);
    record_drain(&r);
    assert_int_equal(record_feed_text(&r, "HTTP/1.1 200 OK\r\na:\r\nb:\r\nc:\r\n"),
                     CW_NET_ERR_HEADER_LIMIT);
    record_free(&r);
}

static void interim_responses(void **state)
{
    (void)state;
    enum { MOST = 64 };
    record r = {.core = NULL};
    http1_client(&r, NULL);
    cw_http_head head = http1_get("/");
    record_request(&r, &head, http1_bytes(""), true, false);
    record_drain(&r);
    for (int i = 0; i < MOST; i++) {
        assert_int_equal(record_feed_text(&r, "HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n"),
                         CW_NET_OK);
    }
    assert_int_equal(record_feed_text(&r, "HTTP/1.1 103 Early Hints\r\n\r\n"), CW_NET_ERR_PROTOCOL);
    record_free(&r);
}

/* ---- time --------------------------------------------------------------------------------------
 */

enum { BODY_MS = 30000 };

static void sweep(record *r, uint64_t now_ms)
{
    r->core->ops->sweep(r->core, now_ms);
}

/* Is the stream given up at `from` + BODY_MS and not before? */
static bool times_out_from(record *r, uint64_t from)
{
    sweep(r, from + BODY_MS - 1);
    if (r->core->ops->wants_write(r->core) && r->why.status == CW_NET_ERR_TIMEOUT) {
        return false;
    }
    unsigned before = r->closed;
    sweep(r, from + BODY_MS);
    assert_int_equal(r->closed, before); /* not inside sweep */
    record_drain(r);
    return r->closed == before + 1 && r->why.status == CW_NET_ERR_TIMEOUT;
}

#define TIMEOUT "HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"

static void slow_requests(void **state)
{
    (void)state;
    static const char *const starts[] = {"G", "GET / HTTP/1.1\r\n",
                                         POST "content-length: 3\r\n\r\n",
                                         POST "content-length: 3\r\n\r\nab", POST TE "1\r\na\r\n"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        record r = {.core = NULL};
        http1_server(&r, NULL);
        sweep(&r, 5);
        record_feed_text(&r, starts[i]);
        sweep(&r, 1000);
        assert_true(times_out_from(&r, 1000));
        assert_text(record_sent(&r), TIMEOUT);
        assert_int_equal(r.why.code, 408);
        assert_true(r.core->ops->is_done(r.core));
        assert_int_equal(record_feed_text(&r, GET), CW_NET_OK); /* ignored */
        assert_int_equal(r.streams, 1);
        record_free(&r);
    }
}

static void progress_counts(void **state)
{
    (void)state;
    record r = {.core = NULL};
    http1_server(&r, NULL);
    record_feed_text(&r, POST "content-length: 1000\r\n\r\n");
    for (uint64_t t = 0; t < 20 * BODY_MS; t += BODY_MS) {
        sweep(&r, t);
        record_feed_text(&r, "x");
    }
    assert_int_equal(r.closed, 0);
    sweep(&r, 20 * BODY_MS);
    assert_true(times_out_from(&r, 20 * BODY_MS));
    record_free(&r);
}

/* Waiting for our own side is no offence. */
static void own_side_is_slow(void **state)
{
    (void)state;
    record r = {.core = NULL, .keeps_body = true};
    http1_server(&r, NULL);
    r.on = NULL;
    record_feed_text(&r, POST "expect: 100-continue\r\ncontent-length: 100000\r\n\r\n");
    sweep(&r, 0);
    sweep(&r, 10 * BODY_MS); /* nobody has told the client to go on */
    record_drain(&r);
    cw__stream *s = record_find(&r, 1);
    s->core->ops->send_continue(s);
    record_drain(&r);
    sweep(&r, 11 * BODY_MS);
    char *body = http1_repeat('b', 65537);
    record_feed(&r, body, 65537);
    free(body);
    sweep(&r, 12 * BODY_MS);
    sweep(&r, 20 * BODY_MS); /* nobody reads the body */
    record_drain(&r);
    assert_int_equal(r.closed, 0);
    s->core->ops->consume(s, 65537);
    assert_true(times_out_from(&r, 20 * BODY_MS));

    record answer = {.core = NULL};
    http1_server(&answer, NULL);
    answer.on = NULL;
    record_feed_text(&answer, GET);
    sweep(&answer, 0);
    sweep(&answer, 10 * BODY_MS); /* nobody answers */
    record_drain(&answer);
    assert_int_equal(answer.closed, 0);
    record_echo(&answer, record_find(&answer, 1), "end");
    assert_true(times_out_from(&answer, 10 * BODY_MS)); /* nobody takes the answer */
    assert_text(record_sent(&answer), "");
    record_free(&answer);
    record_free(&r);
}

/* No second answer into the first one. */
static void slow_in_mid_response(void **state)
{
    (void)state;
    record r = {.core = NULL};
    http1_server(&r, NULL);
    r.on = NULL;
    record_feed_text(&r, POST "content-length: 3\r\n\r\n");
    cw__stream *s = record_find(&r, 1);
    s->core->ops->respond(s, 200, (cw_http_fields){NULL, 0}, http1_bytes("x"), false);
    record_drain(&r);
    size_t sent = r.sent.end;
    sweep(&r, 1);
    assert_true(times_out_from(&r, 1));
    assert_int_equal(r.sent.end, sent);
    assert_int_equal(r.why.code, 0);
    record_free(&r);
}

/* The owner's own clock for heads. */
static void header_timeout(void **state)
{
    (void)state;
    static const char *const starts[] = {"", "\r\n", "GET /", GET "GET /"};
    for (size_t i = 0; i < 4; i++) {
        record r = {.core = NULL};
        http1_server(&r, NULL);
        record_feed_text(&r, starts[i]);
        record_drain(&r);
        assert_int_equal(r.core->ops->in_head(r.core), i >= 2);
        record_clear(&r);
        cw__http1_timeout(r.core);
        assert_true(r.core->ops->wants_write(r.core));
        record_drain(&r);
        assert_text(record_sent(&r), TIMEOUT);
        assert_true(r.core->ops->is_done(r.core));
        assert_int_equal(r.closed, r.streams);
        assert_int_equal(r.why.status, i >= 2 ? CW_NET_ERR_TIMEOUT : CW_NET_OK);
        record_free(&r);
    }
    record r = {.core = NULL};
    http1_server(&r, NULL);
    r.on = NULL;
    record_feed_text(&r, POST "content-length: 3\r\n\r\n");
    record_echo(&r, record_find(&r, 1), "end");
    record_drain(&r);
    record_clear(&r);
    cw__http1_timeout(r.core); /* the rest of an answered request does not come */
    record_drain(&r);
    assert_text(record_sent(&r), "");
    assert_true(r.core->ops->is_done(r.core));
    record_free(&r);
}

static void slow_responses(void **state)
{
    (void)state;
    static const struct {
        const char *start;
        bool is_drained, is_offence;
    } rows[] = {
        {"", true, false}, /* who asks may wait: the owner's request has a time limit */
        {"", false, true},
        {"HTTP/1.1 200 OK\r\n", true, true},
        {"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab", true, true},
        {"HTTP/1.1 200 OK\r\n\r\nab", true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        record r = {.core = NULL};
        http1_client(&r, NULL);
        cw_http_head head = http1_get("/");
        record_request(&r, &head, http1_bytes(""), true, false);
        if (rows[i].is_drained) {
            record_drain(&r);
        }
        record_feed_text(&r, rows[i].start);
        sweep(&r, 100);
        assert_int_equal(times_out_from(&r, 100), rows[i].is_offence);
        assert_int_equal(r.closed, rows[i].is_offence);
        record_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_bytes),         cmocka_unit_test(connection_options),
        cmocka_unit_test(header_fields),        cmocka_unit_test(request_target),
        cmocka_unit_test(endless_heads),        cmocka_unit_test(trailers),
        cmocka_unit_test(chunk_framing),        cmocka_unit_test(responses),
        cmocka_unit_test(interim_responses),    cmocka_unit_test(slow_requests),
        cmocka_unit_test(progress_counts),      cmocka_unit_test(own_side_is_slow),
        cmocka_unit_test(slow_in_mid_response), cmocka_unit_test(header_timeout),
        cmocka_unit_test(slow_responses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
