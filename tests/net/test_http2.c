/* SPDX-License-Identifier: MIT */
/* HTTP/2: whole messages of all shapes between a client and a server core; windows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "h2_pair.h"

static const cw_http_fields no_fields = {NULL, 0};

/* ---- shapes -----------------------------------------------------------------------------------
 */

/* Answers as the path says: "/STATUS/LENGTH". */
static void by_path(record *r, cw__stream *s, const char *event)
{
    if (strcmp(event, "end") != 0) {
        return;
    }
    unsigned status = 0;
    size_t length = 0;
    char path[32];
    snprintf(path, sizeof path, "%.*s", (int)s->head.path.len, s->head.path.data);
    assert_int_equal(sscanf(path, "/%u/%zu", &status, &length), 2);
    uint8_t *body = h2_pair_pattern(length);
    const cw_http_field field = {CW_STR("Content-Type"), CW_STR("text/plain")};
    assert_int_equal(r->core->ops->respond(s, status, (cw_http_fields){&field, 1},
                                           cw_bytes_of(body, length), true),
                     CW_NET_OK);
    free(body);
}

static void test_shapes(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *method, *path, *body;
        const char *server, *client; /* logs */
    } rows[] = {
        {__LINE__, "GET", "/200/0", "",
         "stream 1\nhead 1 GET http host /200/0 2.0\nend 1 0 \nclosed 1 CW_NET_OK 0\n",
         "head 1 200 2.0\n  content-type: text/plain\n  content-length: 0\nend 1 0 \n"
         "closed 1 CW_NET_OK 0\nroom 128\n"},
        {__LINE__, "POST", "/201/3", "abcd",
         "stream 1\nhead 1 POST http host /201/3 2.0\n  content-length: 4\nend 1 4 abcd\n"
         "closed 1 CW_NET_OK 0\n",
         "head 1 201 2.0\n  content-type: text/plain\n  content-length: 3\n"
         "end 1 3 \\x00\\x07\\x0e\nclosed 1 CW_NET_OK 0\nroom 128\n"},
        {__LINE__, "POST", "/200/0", "",
         "stream 1\nhead 1 POST http host /200/0 2.0\n  content-length: 0\nend 1 0 \n"
         "closed 1 CW_NET_OK 0\n",
         "head 1 200 2.0\n  content-type: text/plain\n  content-length: 0\nend 1 0 \n"
         "closed 1 CW_NET_OK 0\nroom 128\n"},
        {__LINE__, "HEAD", "/200/1000", "",
         "stream 1\nhead 1 HEAD http host /200/1000 2.0\nend 1 0 \nclosed 1 CW_NET_OK 0\n",
         "head 1 200 2.0\n  content-type: text/plain\n  content-length: 1000\n"
         "end 1 0 \nclosed 1 CW_NET_OK 0\nroom 128\n"},
        {__LINE__, "GET", "/204/0", "",
         "stream 1\nhead 1 GET http host /204/0 2.0\nend 1 0 \nclosed 1 CW_NET_OK 0\n",
         "head 1 204 2.0\n  content-type: text/plain\nend 1 0 \nclosed 1 CW_NET_OK 0\n"
         "room 128\n"},
        {__LINE__, "GET", "/304/5", "", /* a body is not sent */
         "stream 1\nhead 1 GET http host /304/5 2.0\nend 1 0 \nclosed 1 CW_NET_OK 0\n",
         "head 1 304 2.0\n  content-type: text/plain\nend 1 0 \nclosed 1 CW_NET_OK 0\n"
         "room 128\n"},
        {__LINE__, "GET", "/205/5", "", /* as over HTTP/1.1 */
         "stream 1\nhead 1 GET http host /205/5 2.0\nend 1 0 \nclosed 1 CW_NET_OK 0\n",
         "head 1 205 2.0\n  content-type: text/plain\n  content-length: 0\nend 1 0 \n"
         "closed 1 CW_NET_OK 0\nroom 128\n"},
        {__LINE__, "DELETE", "/503/1", "x",
         "stream 1\nhead 1 DELETE http host /503/1 2.0\n  content-length: 1\nend 1 1 x\n"
         "closed 1 CW_NET_OK 0\n",
         "head 1 503 2.0\n  content-type: text/plain\n  content-length: 1\n"
         "end 1 1 \\x00\nclosed 1 CW_NET_OK 0\nroom 128\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        h2_pair p;
        h2_pair_open(&p, NULL);
        p.server.on = by_path;
        assert_non_null(
            h2_pair_request(&p, rows[i].method, rows[i].path, h2_pair_bytes(rows[i].body)));
        h2_pair_run(&p);
        if (strcmp(record_log(&p.server), rows[i].server) != 0 ||
            strcmp(record_log(&p.client), rows[i].client) != 0) {
            fail_msg("line %d:\n%s\n%s", rows[i].line, record_log(&p.server),
                     record_log(&p.client));
        }
        h2_pair_close(&p);
    }
}

static void test_fields(void **state)
{
    (void)state;
    h2_pair p;
    h2_pair_open(&p, NULL);
    char value[3000];
    memset(value, 'v', sizeof value);
    const cw_http_field fields[] = {
        {CW_STR("X-Upper"), CW_STR("Kept As It Is")},
        {CW_STR("cookie"), CW_STR("a=1")}, /* one field in the end: RFC 9113, 8.2.3 */
        {CW_STR("x-empty"), CW_STR("")},
        {CW_STR("cookie"), CW_STR("b=2")},
        {CW_STR("x-long"), {value, sizeof value}},
        {CW_STR("te"), CW_STR("trailers")},
        {CW_STR("cookie"), CW_STR("")},
        {CW_STR("cookie"), CW_STR("c=3; d=4")},
        {CW_STR("cookies"), CW_STR("e")},
    };
    h2_pair_begin(&p, "GET", (cw_http_fields){fields, sizeof fields / sizeof fields[0]},
                  h2_pair_bytes(""), true);
    h2_pair_run(&p);
    const char *log = record_log(&p.server);
    assert_non_null(strstr(log, "  x-upper: Kept As It Is\n  cookie: a=1; b=2; ; c=3; d=4\n"
                                "  x-empty: \n  x-long: vvvv"));
    assert_non_null(strstr(log, "vvvv\n  cookies: e\nend 1"));
    assert_null(strstr(log, "te: trailers"));
    assert_int_equal(p.server.why.status, CW_NET_OK);
    h2_pair_close(&p);
}

static void test_many_fields(void **state)
{
    (void)state;
    const cw_http_limits limits = {.max_header_fields = 1000, .max_header_bytes = 100000};
    h2_pair p;
    h2_pair_open(&p, &limits);
    cw_http_field fields[900];
    char names[900][16];
    for (int i = 0; i < 900; i++) {
        snprintf(names[i], sizeof names[i], "x-%d", i);
        fields[i] = (cw_http_field){cw_str_from(names[i]), CW_STR("v")};
    }
    h2_pair_begin(&p, "GET", (cw_http_fields){fields, 900}, h2_pair_bytes(""), true);
    h2_pair_run(&p);
    assert_non_null(strstr(record_log(&p.server), "  x-0: v\n  x-1: v\n"));
    assert_non_null(strstr(record_log(&p.server), "  x-899: v\nend 1 0"));
    assert_non_null(strstr(record_log(&p.client), "head 1 200"));
    h2_pair_close(&p);
}

/* What would not fit into a header section is refused before it is queued. */
static void test_fields_that_do_not_fit(void **state)
{
    (void)state;
    h2_pair p;
    h2_pair_open(&p, NULL);
    p.server.on = NULL;
    static char value[65536];
    memset(value, 'v', sizeof value);
    const cw_http_field field = {CW_STR("x-long"), {value, sizeof value}};
    const cw_http_fields fields = {&field, 1};
    assert_null(h2_pair_begin(&p, "GET", fields, h2_pair_bytes(""), true));
    assert_int_equal(p.client.error.status, CW_NET_ERR_ARGUMENT);
    assert_int_equal(p.client.core->ops->streams(p.client.core), 0);
    assert_non_null(h2_pair_request(&p, "GET", "/", h2_pair_bytes("")));
    h2_pair_run(&p);
    cw__stream *s = record_find(&p.server, 1);
    const cw__core_ops *ops = p.server.core->ops;
    assert_int_equal(ops->respond(s, 200, fields, h2_pair_bytes("body"), true),
                     CW_NET_ERR_ARGUMENT);
    assert_int_equal(ops->respond(s, 500, no_fields, h2_pair_bytes(""), false), CW_NET_OK);
    assert_int_equal(ops->end(s, fields), CW_NET_ERR_ARGUMENT);
    h2_pair_close(&p);
}

/* ---- bodies -----------------------------------------------------------------------------------
 */

static void echo_body(size_t n, const cw_http_limits *limits, size_t cut)
{
    h2_pair p;
    uint8_t *body = h2_pair_pattern(n);
    h2_pair_open(&p, limits);
    p.cut = cut;
    cw__stream *s = h2_pair_request(&p, "POST", "/", cw_bytes_of(body, n));
    assert_non_null(s);
    /* The body is looked at before the stream is gone. */
    bool moved = true;
    while (moved && !s->received) {
        moved = h2_pair_to_server(&p);
        (void)record_drain(&p.server);
        cw__buf out = p.server.sent;
        p.server.sent = (cw__buf){.data = NULL};
        moved = moved || cw__buf_len(&out) > 0;
        (void)record_feed(&p.client, out.data, cw__buf_len(&out));
        cw__buf_free(&out);
        if (p.client.closed > 0) {
            break;
        }
    }
    assert_int_equal(p.client.why.status, CW_NET_OK);
    assert_int_equal(p.server.why.status, CW_NET_OK);
    char line[64];
    snprintf(line, sizeof line, "\nend 1 %zu ", n);
    assert_non_null(strstr(record_log(&p.client), line));
    assert_non_null(strstr(record_log(&p.server), line));
    h2_pair_close(&p);
    free(body);
}

static void test_body_sizes(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 16383, 16384, 16385, 65535, 65536, 200000, 3000000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        echo_body(sizes[i], NULL, 0);
    }
}

/* B68: more than any window, with the smallest sensible ones. */
static void test_body_larger_than_windows(void **state)
{
    (void)state;
    const cw_http_limits tiny = {.stream_window = 1000, .connection_window = 1500};
    const cw_http_limits usual = {.stream_window = 65535, .connection_window = 65535};
    echo_body(200000, &usual, 0);
    echo_body(200000, &usual, 777);
    echo_body(20000, &tiny, 0);
    echo_body(20000, &tiny, 13);
}

/* Content arrives as it was sent. */
static void check_content(record *r, cw__stream *s, const char *event)
{
    record_echo(r, s, event);
    if (strcmp(event, "end") == 0) {
        cw_bytes got = record_body(s);
        uint8_t *wanted = h2_pair_pattern(got.len);
        assert_memory_equal(got.data, wanted, got.len);
        assert_int_equal(got.len, 300000);
        free(wanted);
    }
}

static void test_content(void **state)
{
    (void)state;
    h2_pair p;
    uint8_t *body = h2_pair_pattern(300000);
    h2_pair_open(&p, NULL);
    p.server.on = check_content;
    h2_pair_request(&p, "PUT", "/", cw_bytes_of(body, 300000));
    h2_pair_run(&p);
    assert_non_null(strstr(record_log(&p.client), "end 1 300000 "));
    h2_pair_close(&p);
    free(body);
}

/* A reader that keeps its bytes stops the stream at its window exactly. */
static void test_stalled_reader(void **state)
{
    (void)state;
    const cw_http_limits limits = {.stream_window = 100000, .connection_window = 1000000};
    h2_pair p;
    uint8_t *body = h2_pair_pattern(250000);
    h2_pair_open(&p, &limits);
    h2_pair_run(&p); /* SETTINGS are acknowledged: the window holds */
    p.server.keeps_body = true;
    h2_pair_request(&p, "POST", "/", cw_bytes_of(body, 250000));
    h2_pair_run(&p);
    assert_int_equal(h2_pair_arrived(&p.server, 1), 100000);
    h2_pair_request(&p, "GET", "/", h2_pair_bytes("")); /* others pass */
    h2_pair_run(&p);
    assert_non_null(strstr(record_log(&p.client), "end 2 0"));

    cw__stream *s = record_find(&p.server, 1);
    p.server.core->ops->consume(s, 60000);
    h2_pair_run(&p);
    assert_int_equal(h2_pair_arrived(&p.server, 1), 160000);
    p.server.core->ops->consume(s, 1000000); /* more than there is: what there is */
    h2_pair_run(&p);
    assert_non_null(strstr(record_log(&p.server), "end 1 250000 "));
    assert_non_null(strstr(record_log(&p.client), "end 1 250000 "));
    h2_pair_close(&p);
    free(body);
}

/* The connection's window stops all streams, and gets back what a reset stream held. */
static void test_connection_window(void **state)
{
    (void)state;
    const cw_http_limits limits = {.stream_window = 100000, .connection_window = 150000};
    h2_pair p;
    uint8_t *body = h2_pair_pattern(100000);
    h2_pair_open(&p, &limits);
    h2_pair_run(&p);
    p.server.keeps_body = true;
    for (int i = 0; i < 3; i++) {
        h2_pair_request(&p, "POST", "/", cw_bytes_of(body, 100000));
    }
    h2_pair_run(&p);
    assert_int_equal(h2_pair_arrived(&p.server, 1) + h2_pair_arrived(&p.server, 2) +
                         h2_pair_arrived(&p.server, 3),
                     150000);
    const cw_net_error gone = {.status = CW_NET_ERR_CANCELLED};
    for (unsigned i = 1; i <= 3; i++) {
        cw__stream *s = record_find(&p.server, i);
        if (s != NULL) {
            p.server.core->ops->reset(s, &gone);
        }
    }
    h2_pair_run(&p);
    assert_int_equal(p.server.core->ops->streams(p.server.core), 0);
    assert_int_equal(p.client.core->ops->streams(p.client.core), 0);
    /* Again and again: nothing leaks. */
    p.server.keeps_body = false;
    for (unsigned i = 0; i < 20; i++) {
        assert_non_null(h2_pair_request(&p, "POST", "/", cw_bytes_of(body, 100000)));
        h2_pair_run(&p);
        assert_int_equal(p.client.why.status, CW_NET_OK);
    }
    h2_pair_close(&p);
    free(body);
}

/* Bytes that arrive for a stream that was reset, or never shown, go back to the window too. */
static void reset_at_head(record *r, cw__stream *s, const char *event)
{
    const cw_net_error gone = {.status = CW_NET_ERR_CANCELLED};
    if (strcmp(event, "head") == 0 && r->streams <= 30) {
        r->core->ops->reset(s, &gone);
    }
    record_echo(r, s, event);
}

static void test_bytes_of_streams_gone(void **state)
{
    (void)state;
    const cw_http_limits limits = {.connection_window = 65535};
    h2_pair p;
    uint8_t *body = h2_pair_pattern(60000);
    h2_pair_open(&p, &limits);
    p.server.on = reset_at_head;
    for (unsigned i = 0; i < 30; i++) {
        h2_pair_request(&p, "POST", "/", cw_bytes_of(body, 60000));
        h2_pair_run(&p);
        assert_int_equal(p.client.why.status, CW_NET_ERR_RESET);
        assert_int_equal(p.client.why.code, NGHTTP2_CANCEL);
    }
    h2_pair_request(&p, "POST", "/", cw_bytes_of(body, 60000));
    h2_pair_run(&p);
    assert_int_equal(p.client.why.status, CW_NET_OK);
    h2_pair_close(&p);
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_many_fields),
        cmocka_unit_test(test_fields_that_do_not_fit),
        cmocka_unit_test(test_body_sizes),
        cmocka_unit_test(test_body_larger_than_windows),
        cmocka_unit_test(test_content),
        cmocka_unit_test(test_stalled_reader),
        cmocka_unit_test(test_connection_window),
        cmocka_unit_test(test_bytes_of_streams_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
