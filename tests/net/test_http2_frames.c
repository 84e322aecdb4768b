/* SPDX-License-Identifier: MIT */
/* HTTP/2: a server core against frames made by hand, right and wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "h2_frames.h"

enum { END = NGHTTP2_FLAG_END_STREAM, PADDED = NGHTTP2_FLAG_PADDED };

static const cw_http_fields no_fields = {NULL, 0};

static cw_str log_of(frames *f)
{
    return cw_str_from(record_log(&f->r));
}

/* ---- what is right ----------------------------------------------------------------------------
 */

static void test_first_frames(void **state)
{
    (void)state;
    frames f;
    frames_open(&f, true, NULL);
    assert_string_equal(frames_read(&f), "SETTINGS 4=1048576 6=16384 3=128 9=1\n"
                                         "WINDOW_UPDATE 0 4128769\n");
    assert_string_equal(frames_exchange(&f), "SETTINGS ACK\n");
    frames_close(&f);
    const cw_http_limits limits = {.stream_window = 65535,
                                   .connection_window = 65535,
                                   .max_streams = 7,
                                   .max_header_bytes = 1000};
    frames_open(&f, true, &limits);
    assert_string_equal(frames_read(&f), "SETTINGS 4=65535 6=1000 3=7 9=1\n");
    frames_close(&f);
    const cw_http_limits huge = {.stream_window = UINT32_MAX, .connection_window = UINT32_MAX};
    frames_open(&f, true, &huge);
    assert_string_equal(frames_read(&f), "SETTINGS 4=2147483647 6=16384 3=128 9=1\n"
                                         "WINDOW_UPDATE 0 2147418112\n");
    frames_close(&f);
}

static void test_request_and_response(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    f.r.on = record_echo;
    frames_request(&f, END, 1, "GET", "/");
    frames_request(&f, 0, 3, "POST", "/x");
    frames_data(&f, 0, 3, "hel", 3);
    frames_data(&f, END, 3, "lo", 2);
    assert_string_equal(frames_exchange(&f),
                        "HEADERS 1 END\n  :status: 200\n  x-number: 1\n  content-length: 0\n"
                        "HEADERS 3\n  :status: 200\n  x-number: 2\n  content-length: 5\n"
                        "DATA 3 5 END hello\n");
    frames_close(&f);
}

static void test_padding_and_priority(void **state)
{
    (void)state;
    static const char *const fields[] = {":method", "PUT",   ":scheme", "http", ":authority",
                                         "host",    ":path", "/",       NULL};
    frames f;
    frames_start(&f, true, NULL);
    cw__buf payload = {.data = NULL};
    static const uint8_t zeros[255];
    assert_true(cw__buf_append(&payload, "\xff\0\0\0\0\x10", 6)); /* padding, priority */
    frames_block(&f, fields, &payload);
    assert_true(cw__buf_append(&payload, zeros, 255));
    frames_raw(&f, NGHTTP2_HEADERS, PADDED | NGHTTP2_FLAG_PRIORITY | NGHTTP2_FLAG_END_HEADERS, 1,
               payload.data, cw__buf_len(&payload));
    frames_data(&f, PADDED, 1, "\3abc\0\0\0", 7);
    frames_data(&f, PADDED, 1, "\2\0\0", 3); /* nothing but padding */
    frames_data(&f, PADDED | END, 1, "\0de", 3);
    assert_string_equal(frames_exchange(&f), "");
    assert_string_equal(record_log(&f.r), "stream 1\nhead 1 PUT http host / 2.0\nend 1 5 abcde\n");
    cw__buf_free(&payload);
    frames_close(&f);
}

static void test_trailers(void **state)
{
    (void)state;
    static const char *const trailers[] = {
        /* what belongs to a head is not shown: RFC 9110, 6.5.1 */
        "x-a", "1", "set-cookie", "s", "authorization", "Basic", "x-b", "", NULL};
    frames f;
    frames_start(&f, true, NULL);
    frames_request(&f, 0, 1, "POST", "/");
    frames_data(&f, 0, 1, "body", 4);
    frames_headers(&f, END, 1, trailers);
    frames_request(&f, 0, 3, "POST", "/");
    frames_headers(&f, END, 3, trailers);
    assert_string_equal(frames_exchange(&f), "");
    assert_string_equal(record_log(&f.r),
                        "stream 1\nhead 1 POST http host / 2.0\nend 1 4 body\n  ~ x-a: 1\n"
                        "  ~ x-b: \nstream 2\nhead 2 POST http host / 2.0\nend 2 0 \n  ~ x-a: 1\n"
                        "  ~ x-b: \n");
    const cw_http_field field = {CW_STR("x-c"), CW_STR("2")};
    cw__stream *s = record_find(&f.r, 1);
    assert_int_equal(f.r.core->ops->respond(s, 200, no_fields, cw_bytes_of("yes", 3), false),
                     CW_NET_OK);
    assert_int_equal(f.r.core->ops->end(s, (cw_http_fields){&field, 1}), CW_NET_OK);
    assert_string_equal(frames_read(&f),
                        "HEADERS 1\n  :status: 200\nDATA 1 3 yes\nHEADERS 1 END\n  x-c: 2\n");
    frames_close(&f);
}

/* A head in HEADERS and CONTINUATION frames, each of one byte, which arrive byte by byte. */
static void test_continuation(void **state)
{
    (void)state;
    static const char *const fields[] = {":method", "GET",   ":scheme", "https", ":authority",
                                         "host",    ":path", "/",       NULL};
    frames f;
    frames_start(&f, true, NULL);
    cw__buf block = {.data = NULL};
    frames_block(&f, fields, &block);
    cw_bytes b = cw__buf_bytes(&block);
    assert_int_equal(b.len, 8);
    frames_raw(&f, NGHTTP2_HEADERS, END, 1, b.data, 1);
    for (size_t i = 1; i < b.len; i++) {
        frames_raw(&f, NGHTTP2_CONTINUATION, 0, 1, b.data + i, 1);
    }
    frames_raw(&f, NGHTTP2_CONTINUATION, NGHTTP2_FLAG_END_HEADERS, 1, NULL, 0);
    cw__buf out = f.out;
    f.out = (cw__buf){.data = NULL};
    assert_int_equal(record_feed_cut(&f.r, out.data, cw__buf_len(&out), 1), CW_NET_OK);
    assert_string_equal(record_log(&f.r), "stream 1\nhead 1 GET https host / 2.0\nend 1 0 \n");
    cw__buf_free(&out);
    cw__buf_free(&block);
    frames_close(&f);
}

static void test_ping_and_unknown_frames(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    frames_ping(&f, 0, "12345678");
    frames_raw(&f, 0x0a, 0, 0, "altsvc", 6);
    frames_raw(&f, 0x42, 0xff, 77, "whatever", 8);
    frames_raw(&f, 0xff, 0, 0, NULL, 0);
    frames_raw(&f, NGHTTP2_PRIORITY, 0, 9, "\0\0\0\3\x10", 5);
    frames_ping(&f, NGHTTP2_FLAG_ACK, "unasked!");
    frames_request(&f, END, 1, "GET", "/");
    assert_string_equal(frames_exchange(&f), "PING ACK 12345678\n");
    assert_int_equal(f.r.ended, 1);
    frames_close(&f);
}

static void test_continue_frames(void **state)
{
    (void)state;
    static const char *const fields[] = {":method",    "PUT",          ":scheme", "http",
                                         ":authority", "host",         ":path",   "/",
                                         "expect",     "100-continue", NULL};
    frames f;
    frames_start(&f, true, NULL);
    frames_headers(&f, 0, 1, fields);
    frames_headers(&f, END, 3, fields); /* no body: nothing to wait for */
    assert_string_equal(frames_exchange(&f), "");
    assert_true(record_find(&f.r, 1)->expects_continue);
    assert_false(record_find(&f.r, 2)->expects_continue);
    f.r.core->ops->send_continue(record_find(&f.r, 1));
    f.r.core->ops->send_continue(record_find(&f.r, 2));
    assert_string_equal(frames_read(&f), "HEADERS 1\n  :status: 100\n");
    assert_int_equal(
        f.r.core->ops->respond(record_find(&f.r, 1), 200, no_fields, cw_bytes_of(NULL, 0), false),
        CW_NET_OK);
    assert_string_equal(frames_read(&f), "HEADERS 1\n  :status: 200\n");
    frames_close(&f);
}

static void test_in_head(void **state)
{
    (void)state;
    frames f;
    frames_open(&f, true, NULL);
    const cw__core_ops *ops = f.r.core->ops;
    assert_false(ops->in_head(f.r.core));
    cw_bytes preface = cw__buf_bytes(&f.out);
    assert_int_equal(record_feed(&f.r, preface.data, 5), CW_NET_OK);
    assert_true(ops->in_head(f.r.core)); /* the preface counts, too */
    assert_int_equal(record_feed(&f.r, preface.data + 5, preface.len - 5), CW_NET_OK);
    assert_false(ops->in_head(f.r.core));
    cw__buf_clear(&f.out);
    cw__buf block = {.data = NULL};
    static const char *const fields[] = {":method", "GET",   ":scheme", "http", ":authority",
                                         "host",    ":path", "/",       NULL};
    frames_block(&f, fields, &block);
    frames_raw(&f, NGHTTP2_HEADERS, END, 1, block.data, cw__buf_len(&block));
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_true(ops->in_head(f.r.core));
    frames_raw(&f, NGHTTP2_CONTINUATION, NGHTTP2_FLAG_END_HEADERS, 1, NULL, 0);
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_false(ops->in_head(f.r.core));
    cw__buf_free(&block);
    frames_close(&f);
}

/* ---- requests in form -------------------------------------------------------------------------
 */

static void test_good_requests(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *fields[16];
        const char *head;
    } rows[] = {
        {__LINE__,
         {":method", "GET", ":scheme", "http", ":path", "/", "host", "h:1"},
         "head 1 GET http h:1 / 2.0\n"},
        {__LINE__, {FRAMES_REQUEST, "host", "HOST"}, "head 1 GET http host / 2.0\n"},
        {__LINE__,
         {":method", "OPTIONS", ":scheme", "https", ":authority", "a", ":path", "*"},
         "head 1 OPTIONS https a * 2.0\n"},
        {__LINE__,
         {FRAMES_REQUEST, "te", "trailers", "x", "y"},
         "head 1 GET http host / 2.0\n  x: y\n"},
        {__LINE__,
         {FRAMES_REQUEST, "cookie", "a", "cookie", "b"},
         "head 1 GET http host / 2.0\n  cookie: a; b\n"},
        {__LINE__,
         {FRAMES_REQUEST, "priority", "u=1"},
         "head 1 GET http host / 2.0\n  priority: u=1\n"},
        {__LINE__,
         {FRAMES_REQUEST, "expect", "nothing"},
         "head 1 GET http host / 2.0\n  expect: nothing\n"},
        {__LINE__,
         {":method", "M-SEARCH", ":scheme", "http", ":authority", "[::1]:80", ":path", "/a?b=c"},
         "head 1 M-SEARCH http [::1]:80 /a?b=c 2.0\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        frames f;
        frames_start(&f, true, NULL);
        frames_headers(&f, END, 1, rows[i].fields);
        char wanted[200];
        snprintf(wanted, sizeof wanted, "stream 1\n%send 1 0 \n", rows[i].head);
        assert_string_equal(frames_exchange(&f), "");
        if (!cw_str_equal(log_of(&f), cw_str_from(wanted))) {
            fail_msg("line %d: %s", rows[i].line, record_log(&f.r));
        }
        frames_close(&f);
    }
}

static void test_connect_is_not_supported(void **state)
{
    (void)state;
    static const char *const fields[] = {":method", "CONNECT", ":authority", "host:443", NULL};
    frames f;
    frames_start(&f, true, NULL);
    frames_headers(&f, 0, 1, fields);
    assert_string_equal(frames_exchange(&f), "HEADERS 1 END\n  :status: 501\n  content-length: 0\n"
                                             "RST_STREAM 1 NO_ERROR\n");
    assert_string_equal(record_log(&f.r), "stream 1\nclosed 1 CW_NET_ERR_UNSUPPORTED 501\n");
    frames_close(&f);
}

/* ---- resets -----------------------------------------------------------------------------------
 */

static void test_resets_by_client(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    frames_request(&f, 0, 1, "POST", "/");
    frames_data(&f, 0, 1, "abc", 3);
    frames_rst(&f, 1, NGHTTP2_CANCEL);
    frames_request(&f, 0, 3, "POST", "/");
    frames_rst(&f, 3, NGHTTP2_REFUSED_STREAM);
    frames_request(&f, END, 5, "GET", "/");
    frames_rst(&f, 5, NGHTTP2_NO_ERROR);
    assert_string_equal(frames_exchange(&f), "");
    const char *log = record_log(&f.r);
    assert_non_null(strstr(log, "closed 1 CW_NET_ERR_RESET 8 after 3 abc\n"));
    assert_non_null(strstr(log, "closed 2 CW_NET_ERR_REFUSED 7\n"));
    assert_non_null(strstr(log, "closed 3 CW_NET_ERR_RESET 0\n"));
    assert_string_equal(f.r.why.detail, "NO_ERROR");
    frames_close(&f);
}

/* Which code an owner's reset is sent with; nothing is sent after it. */
static void test_resets_by_owner(void **state)
{
    (void)state;
    static const struct {
        cw_net_status why;
        const char *sent;
    } rows[] = {
        {CW_NET_ERR_CANCELLED, "RST_STREAM 1 CANCEL\n"},
        {CW_NET_ERR_TIMEOUT, "RST_STREAM 1 CANCEL\n"},
        {CW_NET_ERR_MEMORY, "RST_STREAM 1 INTERNAL_ERROR\n"},
        {CW_NET_ERR_ARGUMENT, "RST_STREAM 1 INTERNAL_ERROR\n"},
        {CW_NET_ERR_PROTOCOL, "RST_STREAM 1 PROTOCOL_ERROR\n"},
        {CW_NET_ERR_CODING, "RST_STREAM 1 PROTOCOL_ERROR\n"},
        {CW_NET_ERR_BODY_LIMIT, "RST_STREAM 1 ENHANCE_YOUR_CALM\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        frames f;
        frames_start(&f, true, NULL);
        frames_request(&f, 0, 1, "POST", "/");
        frames_data(&f, 0, 1, "abc", 3);
        assert_string_equal(frames_exchange(&f), "");
        const cw__core_ops *ops = f.r.core->ops;
        cw__stream *s = record_find(&f.r, 1);
        const cw_net_error why = {.status = rows[i].why, .code = 42};
        assert_int_equal(ops->respond(s, 200, no_fields, cw_bytes_of("x", 1), false), CW_NET_OK);
        ops->reset(s, &why);
        ops->reset(s, &(cw_net_error){.status = CW_NET_ERR_IO}); /* the first counts */
        assert_int_equal(f.r.closed, 0);
        assert_int_equal(ops->streams(f.r.core), 1);
        assert_int_equal(ops->write(s, cw_bytes_of("x", 1)), rows[i].why);
        assert_int_equal(ops->end(s, no_fields), rows[i].why);
        assert_int_equal(ops->respond(s, 200, no_fields, cw_bytes_of("x", 1), true), rows[i].why);
        ops->send_continue(s);
        ops->consume(s, 3);
        assert_true(ops->wants_write(f.r.core));
        assert_string_equal(frames_read(&f), rows[i].sent);
        assert_int_equal(f.r.closed, 1);
        assert_int_equal(f.r.why.status, rows[i].why);
        assert_int_equal(f.r.why.code, 42);
        assert_int_equal(ops->streams(f.r.core), 0);
        frames_close(&f);
    }
}

static void reset_at_once(record *r, cw__stream *s, const char *event)
{
    const cw_net_error why = {.status = CW_NET_ERR_CANCELLED};
    if (strcmp(event, "stream") == 0) {
        r->core->ops->reset(s, &why);
    }
}

/* A stream that is given up before its head is there. */
static void test_reset_before_head(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    f.r.on = reset_at_once;
    frames_request(&f, END, 1, "GET", "/");
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_string_equal(record_log(&f.r), "stream 1\nclosed 1 CW_NET_ERR_CANCELLED 0\n");
    assert_string_equal(frames_read(&f), "RST_STREAM 1 CANCEL\n");
    assert_false(f.r.core->ops->in_head(f.r.core));
    frames_close(&f);
}

/* Bytes that are used up after the message's end go back to the connection. */
static void test_late_consume(void **state)
{
    (void)state;
    static const char data[16384];
    const cw_http_limits limits = {.connection_window = 65535, .stream_window = 65535};
    frames f;
    frames_start(&f, true, &limits);
    f.r.keeps_body = true;
    frames_request(&f, 0, 1, "POST", "/");
    frames_data(&f, 0, 1, data, sizeof data);
    frames_data(&f, 0, 1, data, sizeof data);
    frames_data(&f, END, 1, data, sizeof data);
    assert_string_equal(frames_exchange(&f), "");
    f.r.core->ops->consume(record_find(&f.r, 1), 3 * sizeof data);
    assert_string_equal(frames_read(&f), "WINDOW_UPDATE 0 49152\n");
    frames_close(&f);
}

/* Pieces that no memory can hold. */
static void test_pieces_too_large(void **state)
{
    (void)state;
    const cw_http_field huge = {CW_STR("x"), {"", UINT32_MAX}};
    const cw_bytes endless = {(const uint8_t *)"", SIZE_MAX};
    frames f;
    frames_start(&f, true, NULL);
    frames_request(&f, END, 1, "GET", "/");
    assert_string_equal(frames_exchange(&f), "");
    const cw__core_ops *ops = f.r.core->ops;
    cw__stream *s = record_find(&f.r, 1);
    assert_int_equal(ops->respond(s, 200, no_fields, endless, true), CW_NET_ERR_MEMORY);
    assert_int_equal(ops->respond(s, 200, no_fields, cw_bytes_of("a", 1), false), CW_NET_OK);
    assert_int_equal(ops->write(s, endless), CW_NET_ERR_MEMORY);
    assert_int_equal(ops->end(s, (cw_http_fields){&huge, 1}), CW_NET_ERR_ARGUMENT);
    assert_string_equal(frames_read(&f), "HEADERS 1\n  :status: 200\nDATA 1 1 a\n");
    frames_close(&f);
}

/* What may not be asked. */
static void test_wrong_order(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    frames_request(&f, 0, 1, "POST", "/");
    assert_string_equal(frames_exchange(&f), "");
    const cw__core_ops *ops = f.r.core->ops;
    cw__stream *s = record_find(&f.r, 1);
    const cw_bytes none = {NULL, 0};
    assert_int_equal(ops->write(s, none), CW_NET_ERR_ARGUMENT);
    assert_int_equal(ops->end(s, no_fields), CW_NET_ERR_ARGUMENT);
    assert_int_equal(ops->respond(s, 100, no_fields, none, true), CW_NET_ERR_ARGUMENT);
    assert_int_equal(ops->respond(s, 1000, no_fields, none, true), CW_NET_ERR_ARGUMENT);
    assert_int_equal(ops->respond(s, 200, no_fields, none, false), CW_NET_OK);
    assert_int_equal(ops->respond(s, 200, no_fields, none, true), CW_NET_ERR_ARGUMENT);
    ops->consume(s, 100); /* nothing came: nothing happens */
    assert_string_equal(frames_read(&f), "HEADERS 1\n  :status: 200\n");
    cw_net_error e;
    assert_null(ops->request(f.r.core, &(cw_http_head){.status = 0}, none, true, false, NULL, &e));
    assert_int_equal(e.status, CW_NET_ERR_BUSY);
    frames_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_frames),
        cmocka_unit_test(test_request_and_response),
        cmocka_unit_test(test_padding_and_priority),
        cmocka_unit_test(test_trailers),
        cmocka_unit_test(test_continuation),
        cmocka_unit_test(test_ping_and_unknown_frames),
        cmocka_unit_test(test_continue_frames),
        cmocka_unit_test(test_in_head),
        cmocka_unit_test(test_good_requests),
        cmocka_unit_test(test_connect_is_not_supported),
        cmocka_unit_test(test_resets_by_client),
        cmocka_unit_test(test_resets_by_owner),
        cmocka_unit_test(test_reset_before_head),
        cmocka_unit_test(test_late_consume),
        cmocka_unit_test(test_pieces_too_large),
        cmocka_unit_test(test_wrong_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
