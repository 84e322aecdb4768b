/* SPDX-License-Identifier: MIT */
/* HTTP/2: a server core keeps its limits: header sections, streams, handlers that run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "h2_frames.h"

enum { END = NGHTTP2_FLAG_END_STREAM };

/* ---- limits -----------------------------------------------------------------------------------
 */

/* FRAMES_REQUEST is 32 * 4 and ":methodGET:schemehttp:authorityhost:path/", 41 bytes. */
enum { USUAL_SIZE = 32 * 4 + 41 };

static void test_header_limit(void **state)
{
    (void)state;
    static const struct {
        int line;
        unsigned n;
        size_t size;
        const char *sent, *log;
    } rows[] = {
        {__LINE__, 1, 2000 - USUAL_SIZE, "", NULL},
        {__LINE__, 1, 2001 - USUAL_SIZE, "HEADERS 1 END\n  :status: 431\n  content-length: 0\n",
         "stream 1\nclosed 1 CW_NET_ERR_HEADER_LIMIT 431\n"},
        {__LINE__, 16, 34, "", NULL},
        {__LINE__, 17, 34, "HEADERS 1 END\n  :status: 431\n  content-length: 0\n",
         "stream 1\nclosed 1 CW_NET_ERR_HEADER_LIMIT 431\n"},
        {__LINE__, 10, 2000, "RST_STREAM 1 ENHANCE_YOUR_CALM\n",
         "stream 1\nclosed 1 CW_NET_ERR_HEADER_LIMIT 11\n"},
        {__LINE__, 1000, 34, "RST_STREAM 1 ENHANCE_YOUR_CALM\n",
         "stream 1\nclosed 1 CW_NET_ERR_HEADER_LIMIT 11\n"},
    };
    const cw_http_limits limits = {.max_header_bytes = 2000, .max_header_fields = 20};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        frames f;
        frames_start(&f, true, &limits);
        frames_large_request(&f, END, 1, rows[i].n, rows[i].size);
        const char *sent = frames_exchange(&f);
        if (strcmp(sent, rows[i].sent) != 0 ||
            (rows[i].log != NULL && strcmp(record_log(&f.r), rows[i].log) != 0)) {
            fail_msg("line %d: %s%s", rows[i].line, sent, record_log(&f.r));
        }
        assert_int_equal(f.r.ended, rows[i].log == NULL ? 1 : 0);
        f.r.on = record_echo; /* header compression is still in step */
        frames_request(&f, END, 3, "GET", "/next");
        frames_exchange(&f);
        assert_non_null(strstr(record_log(&f.r), "head 2 GET http host /next 2.0\nend 2 0 \n"
                                                 "closed 2 CW_NET_OK 0\n"));
        frames_close(&f);
    }
}

/* The rest of a request whose head was too large is not wanted. */
static void test_header_limit_with_body(void **state)
{
    (void)state;
    static const char *const trailers[] = {"x", "y", NULL};
    const cw_http_limits limits = {.max_header_bytes = 500};
    frames f;
    frames_start(&f, true, &limits);
    frames_large_request(&f, 0, 1, 1, 600);
    frames_data(&f, 0, 1, "abc", 3);
    frames_large_request(&f, 0, 3, 1, 600);
    frames_headers(&f, END, 3, trailers);
    assert_string_equal(frames_exchange(&f), "HEADERS 1 END\n  :status: 431\n  content-length: 0\n"
                                             "HEADERS 3 END\n  :status: 431\n  content-length: 0\n"
                                             "RST_STREAM 1 NO_ERROR\n");
    assert_string_equal(record_log(&f.r),
                        "stream 1\nstream 2\nclosed 2 CW_NET_ERR_HEADER_LIMIT 431\n"
                        "closed 1 CW_NET_ERR_HEADER_LIMIT 431\n");
    frames_close(&f);
}

/* A request that was answered with 431 and goes on wrongly is charged once. */
static void test_header_limit_and_bad_trailers(void **state)
{
    (void)state;
    static const char *const trailers[] = {"x", "y", NULL};
    const cw_http_limits limits = {.max_header_bytes = 500, .max_resets = 2};
    frames f;
    frames_start(&f, true, &limits);
    for (int32_t id = 1; id <= 3; id += 2) {
        frames_large_request(&f, 0, id, 1, 600);
        frames_headers(&f, 0, id, trailers);
        (void)frames_exchange(&f);
    }
    assert_int_equal(f.r.closed, 2);
    assert_int_equal(f.r.why.status, CW_NET_ERR_HEADER_LIMIT);
    frames_close(&f);
}

static void test_trailer_limit(void **state)
{
    (void)state;
    char value[600];
    memset(value, 'v', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    const char *const trailers[] = {"x", value, NULL};
    const cw_http_limits limits = {.max_header_bytes = 500};
    frames f;
    frames_start(&f, true, &limits);
    frames_request(&f, 0, 1, "POST", "/");
    frames_headers(&f, END, 1, trailers);
    assert_string_equal(frames_exchange(&f), "RST_STREAM 1 ENHANCE_YOUR_CALM\n");
    assert_string_equal(record_log(&f.r), "stream 1\nhead 1 POST http host / 2.0\n"
                                          "closed 1 CW_NET_ERR_HEADER_LIMIT 11\n");
    frames_close(&f);
}

/* Before SETTINGS are acknowledged the client may not know the limit. */
static void test_max_streams(void **state)
{
    (void)state;
    const cw_http_limits limits = {.max_streams = 2};
    frames f;
    frames_open(&f, true, &limits);
    (void)frames_read(&f);
    for (int32_t id = 1; id <= 7; id += 2) {
        frames_request(&f, END, id, "GET", "/");
    }
    assert_string_equal(frames_exchange(&f),
                        "SETTINGS ACK\nRST_STREAM 5 REFUSED_STREAM\nRST_STREAM 7 REFUSED_STREAM\n");
    assert_int_equal(f.r.ended, 2);
    assert_null(strstr(record_log(&f.r), "stream 3"));
    frames_raw(&f, NGHTTP2_SETTINGS, NGHTTP2_FLAG_ACK, 0, NULL, 0);
    frames_request(&f, END, 9, "GET", "/");
    assert_int_equal(frames_feed(&f), CW_NET_ERR_PROTOCOL);
    assert_string_equal(
        frames_read(&f),
        "GOAWAY 3 PROTOCOL_ERROR request HEADERS: max concurrent streams exceeded\n");
    frames_close(&f);
}

/* Handlers whose clients have gone count until they answer. */
static void test_running_handlers(void **state)
{
    (void)state;
    const cw_http_limits limits = {.max_running = 3};
    frames f;
    frames_start(&f, true, &limits);
    for (int32_t id = 1; id <= 3; id += 2) {
        frames_request(&f, END, id, "GET", "/");
        frames_rst(&f, id, NGHTTP2_CANCEL);
    }
    frames_request(&f, END, 5, "GET", "/"); /* two run, one is open */
    assert_string_equal(frames_exchange(&f), "");
    frames_request(&f, END, 7, "GET", "/");
    assert_string_equal(frames_exchange(&f), "RST_STREAM 7 REFUSED_STREAM\n");
    cw__http2_late_answer(f.r.core);
    frames_request(&f, END, 9, "GET", "/");
    assert_string_equal(frames_exchange(&f), "");
    /* One that has been answered in full does not run when it is reset. */
    const cw_http_field none = {CW_STR("x"), CW_STR("y")};
    const cw__core_ops *ops = f.r.core->ops;
    static const char body[70000];
    assert_int_equal(ops->respond(record_find(&f.r, 3), 200, (cw_http_fields){&none, 1},
                                  cw_bytes_of(body, sizeof body), true),
                     CW_NET_OK);
    frames_rst(&f, 5, NGHTTP2_CANCEL);
    assert_string_equal(frames_exchange(&f), "");
    frames_request(&f, END, 11, "GET", "/");
    assert_string_equal(frames_exchange(&f), "");
    assert_int_equal(ops->streams(f.r.core), 2);
    cw__http2_late_answer(f.r.core);
    cw__http2_late_answer(f.r.core); /* more than run: nothing happens */
    cw__http2_late_answer(f.r.core);
    frames_request(&f, END, 13, "GET", "/");
    frames_request(&f, END, 15, "GET", "/");
    assert_string_equal(frames_exchange(&f), "RST_STREAM 15 REFUSED_STREAM\n");
    frames_close(&f);
}

static void test_continuation_flood(void **state)
{
    (void)state;
    for (unsigned n = 8; n <= 9; n++) {
        frames f;
        frames_start(&f, true, NULL);
        frames_raw(&f, NGHTTP2_HEADERS, END, 1, "\x82\x86\x84\x41\1x", 6);
        for (unsigned i = 1; i < n; i++) {
            frames_raw(&f, NGHTTP2_CONTINUATION, 0, 1, NULL, 0);
        }
        frames_raw(&f, NGHTTP2_CONTINUATION, NGHTTP2_FLAG_END_HEADERS, 1, NULL, 0);
        assert_int_equal(frames_feed(&f), n == 8 ? CW_NET_OK : CW_NET_ERR_FLOOD);
        if (n == 8) {
            assert_string_equal(record_log(&f.r), "stream 1\nhead 1 GET http x / 2.0\nend 1 0 \n");
        } else {
            assert_int_equal(f.r.error.code, NGHTTP2_ENHANCE_YOUR_CALM);
            assert_string_equal(frames_read(&f), "GOAWAY 1 ENHANCE_YOUR_CALM\n");
            assert_string_equal(record_log(&f.r), "stream 1\nclosed 1 CW_NET_ERR_FLOOD 11\n"
                                                  "feed CW_NET_ERR_FLOOD 11\n");
        }
        frames_close(&f);
    }
}

/* The same in a header section that nobody wants, where nghttp2 counts. */
static void test_continuation_flood_ignored(void **state)
{
    (void)state;
    const cw_http_limits limits = {.max_running = 1};
    frames f;
    frames_start(&f, true, &limits);
    frames_request(&f, END, 1, "GET", "/");
    frames_raw(&f, NGHTTP2_HEADERS, END, 3, "\x82", 1);
    for (unsigned i = 0; i < 100; i++) {
        frames_raw(&f, NGHTTP2_CONTINUATION, 0, 3, NULL, 0);
    }
    assert_int_equal(frames_feed(&f), CW_NET_ERR_FLOOD);
    assert_string_equal(frames_read(&f), "GOAWAY 3 ENHANCE_YOUR_CALM\n");
    frames_close(&f);
}

/* A few bytes that refer to a large field of the table again and again: cut off, not collected. */
static void test_header_bomb(void **state)
{
    (void)state;
    static uint8_t plant[4015] = "\x82\x86\x84\x01\1x\x40\4bomb\x7f\xa1\x1e"; /* 4000 bytes */
    static uint8_t bomb[16000] = "\x82\x86\x84\x01\1x";
    memset(plant + 15, 'b', sizeof plant - 15);
    memset(bomb + 6, 0x80 | 62, sizeof bomb - 6); /* the newest entry */
    frames_heap h = {.used = 0};
    nghttp2_mem mem = frames_heap_mem(&h);
    frames f;
    frames_open_with(&f, true, NULL, &mem);
    f.r.on = record_echo;
    (void)frames_exchange(&f);
    frames_raw(&f, NGHTTP2_HEADERS, END | NGHTTP2_FLAG_END_HEADERS, 1, plant, sizeof plant);
    assert_non_null(strstr(frames_exchange(&f), ":status: 200"));
    size_t before = h.used;
    h.most = h.used;
    frames_raw(&f, NGHTTP2_HEADERS, END | NGHTTP2_FLAG_END_HEADERS, 3, bomb, sizeof bomb);
    assert_string_equal(frames_exchange(&f), "RST_STREAM 3 ENHANCE_YOUR_CALM\n");
    assert_non_null(strstr(record_log(&f.r), "closed 2 CW_NET_ERR_HEADER_LIMIT 11\n"));
    assert_in_range(h.most, before, before + 2000);
    frames_raw(&f, NGHTTP2_HEADERS, END | NGHTTP2_FLAG_END_HEADERS, 5, "\x82\x86\x84\x01\1x\xbe",
               7);
    assert_non_null(strstr(frames_exchange(&f), "HEADERS 5"));
    frames_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header_limit),
        cmocka_unit_test(test_header_limit_with_body),
        cmocka_unit_test(test_header_limit_and_bad_trailers),
        cmocka_unit_test(test_trailer_limit),
        cmocka_unit_test(test_max_streams),
        cmocka_unit_test(test_running_handlers),
        cmocka_unit_test(test_continuation_flood),
        cmocka_unit_test(test_continuation_flood_ignored),
        cmocka_unit_test(test_header_bomb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
