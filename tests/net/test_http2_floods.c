/* SPDX-License-Identifier: MIT */
/* HTTP/2: a server core ends connections that reset without end, or bring nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "h2_frames.h"

enum { END = NGHTTP2_FLAG_END_STREAM };

/* ---- resets -----------------------------------------------------------------------------------
 */

/* B70: requests that are answered are no flood, whatever their number. */
static void test_many_requests(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    f.r.on = record_echo;
    for (int32_t i = 0; i < 5000; i++) {
        frames_request(&f, END, 2 * i + 1, "GET", "/");
        const char *sent = frames_exchange(&f);
        assert_int_equal(strncmp(sent, "HEADERS ", 8), 0);
        assert_non_null(strstr(sent, ":status: 200"));
        cw__buf_clear(&f.r.log);
    }
    assert_int_equal(f.r.ended, 5000);
    assert_int_equal(f.r.why.status, CW_NET_OK);
    frames_close(&f);
}

/* A client that resets each stream after its answer has come harms nobody. */
static void test_resets_after_answers(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    f.r.on = record_echo;
    for (int32_t i = 0; i < 5000; i++) {
        frames_request(&f, END, 2 * i + 1, "GET", "/");
        assert_non_null(strstr(frames_exchange(&f), "HEADERS "));
        frames_rst(&f, 2 * i + 1, NGHTTP2_CANCEL);
        cw__buf_clear(&f.r.log);
    }
    assert_int_equal(f.r.ended, 5000);
    frames_close(&f);
}

/* B70: HEADERS and RST_STREAM, again and again. */
static void test_rst_flood(void **state)
{
    (void)state;
    frames_heap h = {.used = 0};
    nghttp2_mem mem = frames_heap_mem(&h);
    frames f;
    frames_open_with(&f, true, NULL, &mem);
    (void)frames_exchange(&f);
    size_t at_first = h.used;
    int32_t id = 1;
    cw_net_status st = CW_NET_OK;
    for (; st == CW_NET_OK && id < 10000; id += 2) {
        frames_request(&f, END, id, "GET", "/");
        frames_rst(&f, id, NGHTTP2_CANCEL);
        st = frames_feed(&f);
        assert_int_equal(f.r.core->ops->streams(f.r.core), 0);
        cw__http2_late_answer(f.r.core); /* handlers are quick */
        assert_in_range(h.used, 0, at_first + 10000);
    }
    assert_int_equal(st, CW_NET_ERR_FLOOD);
    assert_int_equal(f.r.error.code, NGHTTP2_ENHANCE_YOUR_CALM);
    assert_string_equal(f.r.error.detail, "too many streams were reset");
    assert_int_equal(id, 2 * 1001 + 1);
    assert_string_equal(frames_read(&f), "GOAWAY 2001 ENHANCE_YOUR_CALM\n");
    assert_true(f.r.core->ops->is_done(f.r.core));
    assert_in_range(h.most, 0, at_first + 20000);
    frames_close(&f);
    assert_int_equal(h.used, 0);
}

/* All in one read. */
static void test_rst_flood_at_once(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    for (int32_t id = 1; id < 10000; id += 2) {
        frames_request(&f, END, id, "GET", "/");
        frames_rst(&f, id, NGHTTP2_CANCEL);
    }
    assert_int_equal(frames_feed(&f), CW_NET_ERR_FLOOD);
    assert_string_equal(frames_read(&f), "GOAWAY 2001 ENHANCE_YOUR_CALM\n");
    frames_close(&f);
}

/* The budget is refilled by time. */
static void test_reset_budget(void **state)
{
    (void)state;
    const cw_http_limits limits = {.max_resets = 10, .resets_per_second = 4};
    frames f;
    frames_start(&f, true, &limits);
    int32_t id = 1;
    const struct {
        unsigned ms, resets;
    } rows[] = {{0, 10}, {1000, 4}, {249, 0}, {1, 1}, {600, 2}, {100000, 10}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        f.now += rows[i].ms;
        for (unsigned n = 0; n < rows[i].resets; n++, id += 2) {
            frames_request(&f, END, id, "GET", "/");
            frames_rst(&f, id, NGHTTP2_CANCEL);
            assert_int_equal(frames_feed(&f), CW_NET_OK);
            cw__http2_late_answer(f.r.core);
        }
    }
    frames_request(&f, END, id, "GET", "/");
    frames_rst(&f, id, NGHTTP2_CANCEL);
    assert_int_equal(frames_feed(&f), CW_NET_ERR_FLOOD);
    frames_close(&f);
}

/* "MadeYouReset": the client has the server reset its streams. Each writes one such request. */
static void longer_than_said(frames *f, int32_t id)
{
    static const char *const fields[] = {FRAMES_REQUEST, "content-length", "1", NULL};
    frames_headers(f, 0, id, fields);
    frames_data(f, 0, id, "ab", 2);
}

static void shorter_than_said(frames *f, int32_t id)
{
    static const char *const fields[] = {FRAMES_REQUEST, "content-length", "1", NULL};
    frames_headers(f, 0, id, fields);
    frames_data(f, END, id, NULL, 0);
}

static void bad_trailers(frames *f, int32_t id)
{
    static const char *const fields[] = {"x", "y", NULL};
    frames_request(f, 0, id, "POST", "/");
    frames_headers(f, 0, id, fields);
}

static void overflow(frames *f, int32_t id)
{
    frames_request(f, 0, id, "POST", "/");
    frames_window(f, id, INT32_MAX);
}

static void overrun(frames *f, int32_t id)
{
    static const char data[101];
    frames_request(f, 0, id, "POST", "/");
    frames_data(f, 0, id, data, sizeof data);
}

static void nonsense(frames *f, int32_t id)
{
    static const char *const fields[] = {FRAMES_REQUEST, "connection", "close", NULL};
    frames_headers(f, END, id, fields);
}

static void other_host(frames *f, int32_t id)
{
    static const char *const fields[] = {FRAMES_REQUEST, "host", "other", NULL};
    frames_headers(f, END, id, fields);
}

static void too_large(frames *f, int32_t id)
{
    frames_large_request(f, END, id, 5, 300);
}

static void far_too_large(frames *f, int32_t id)
{
    frames_large_request(f, END, id, 20, 300);
}

static void refuse_body(record *r, cw__stream *s, const char *event)
{
    const cw_net_error e = {.status = CW_NET_ERR_BODY_LIMIT};
    if (strcmp(event, "body") == 0) {
        r->core->ops->reset(s, &e);
    }
}

static void unwanted_body(frames *f, int32_t id)
{
    frames_request(f, 0, id, "POST", "/");
    frames_data(f, 0, id, "abc", 3);
}

static void test_made_to_reset(void **state)
{
    (void)state;
    static void (*const rows[])(frames * f, int32_t id) = {
        longer_than_said, shorter_than_said, bad_trailers, overflow,      overrun,
        nonsense,         other_host,        too_large,    far_too_large, unwanted_body};
    const cw_http_limits limits = {
        .max_resets = 50, .stream_window = 100, .max_header_bytes = 1000};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        frames f;
        frames_start(&f, true, &limits);
        f.r.on = refuse_body;
        int32_t n = 0;
        cw_net_status st = CW_NET_OK;
        for (; st == CW_NET_OK && n < 1000; n++) {
            rows[i](&f, 2 * n + 1);
            st = frames_feed(&f);
            if (st == CW_NET_OK) {
                (void)frames_read(&f);
            }
            assert_int_equal(f.r.core->ops->streams(f.r.core), 0);
            while (f.r.closed < f.r.streams) {
                fail_msg("row %zu: a stream was forgotten", i);
            }
        }
        if (st != CW_NET_ERR_FLOOD || n != 51) {
            fail_msg("row %zu: %d after %d: %s", i, st, (int)n, f.r.error.detail);
        }
        assert_non_null(strstr(frames_read(&f), "GOAWAY 101 ENHANCE_YOUR_CALM\n"));
        frames_close(&f);
    }
}

/* Requests beyond the limit are refused, and charged, before SETTINGS are acknowledged. */
static void test_refusal_flood(void **state)
{
    (void)state;
    const cw_http_limits limits = {.max_streams = 1, .max_resets = 50};
    frames f;
    frames_open(&f, true, &limits);
    (void)frames_exchange(&f);
    for (int32_t id = 1; id <= 2 * 51; id += 2) {
        frames_request(&f, END, id, "GET", "/");
    }
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    frames_request(&f, END, 103, "GET", "/");
    assert_int_equal(frames_feed(&f), CW_NET_ERR_FLOOD);
    assert_non_null(strstr(frames_read(&f), "GOAWAY 1 ENHANCE_YOUR_CALM\n"));
    frames_close(&f);
}

/* ---- frames that bring nothing ----------------------------------------------------------------
 */

static void empty_data(frames *f)
{
    frames_data(f, 0, 1, NULL, 0);
}

static void padding(frames *f)
{
    frames_data(f, NGHTTP2_FLAG_PADDED, 1, "\1\0", 2);
}

static void ping(frames *f)
{
    frames_ping(f, 0, "12345678");
}

static void ping_ack(frames *f)
{
    frames_ping(f, NGHTTP2_FLAG_ACK, "12345678");
}

static void settings(frames *f)
{
    frames_settings(f, (const uint32_t[]){NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 7, 0});
}

static void priority(frames *f)
{
    frames_raw(f, NGHTTP2_PRIORITY, 0, 9, "\0\0\0\3\x10", 5);
}

static void unknown(frames *f)
{
    frames_raw(f, 0x77, 0, 0, "abc", 3);
}

static void tiny_window(frames *f)
{
    frames_window(f, 1, 1);
}

static void tiny_connection_window(frames *f)
{
    frames_window(f, 0, 1);
}

static void window_of_no_stream(frames *f)
{
    frames_window(f, 3, 100000);
}

static void rst_of_no_stream(frames *f)
{
    frames_rst(f, 3, NGHTTP2_CANCEL);
}

static void headers_of_no_stream(frames *f)
{
    frames_request(f, END, 3, "GET", "/");
}

static void (*const empty_frames[])(frames *f) = {empty_data,
                                                  padding,
                                                  ping,
                                                  ping_ack,
                                                  settings,
                                                  priority,
                                                  unknown,
                                                  tiny_window,
                                                  tiny_connection_window,
                                                  window_of_no_stream,
                                                  rst_of_no_stream,
                                                  headers_of_no_stream};
enum { EMPTY_KINDS = sizeof empty_frames / sizeof empty_frames[0] };

static void begin_empty(frames *f, const cw_http_limits *limits)
{
    frames_start(f, true, limits);
    frames_request(f, END, 3, "GET", "/");
    frames_rst(f, 3, NGHTTP2_CANCEL);
    frames_request(f, 0, 5, "POST", "/");
    assert_string_equal(frames_exchange(f), "");
}

static void write_empty(frames *f, size_t kind)
{
    /* Stream 1 of the rows above is 5 here: 3 has to be over. */
    size_t from = cw__buf_len(&f->out);
    empty_frames[kind](f);
    uint8_t *frame = f->out.data + f->out.start + from;
    frame[8] = frame[8] == 1 ? 5 : frame[8];
}

static void test_empty_frame_floods(void **state)
{
    (void)state;
    const cw_http_limits limits = {.max_empty_frames = 100};
    for (size_t kind = 0; kind < EMPTY_KINDS; kind++) {
        frames f;
        begin_empty(&f, &limits);
        for (unsigned i = 0; i < 100; i++) {
            write_empty(&f, kind);
            if (frames_feed(&f) != CW_NET_OK) {
                fail_msg("kind %zu, frame %u: %s", kind, i, f.r.error.detail);
            }
            (void)frames_read(&f);
        }
        write_empty(&f, kind);
        if (frames_feed(&f) != CW_NET_ERR_FLOOD) {
            fail_msg("kind %zu: no flood", kind);
        }
        assert_int_equal(f.r.error.code, NGHTTP2_ENHANCE_YOUR_CALM);
        assert_string_equal(f.r.error.detail, "too many frames that bring nothing");
        assert_non_null(strstr(frames_read(&f), "GOAWAY 5 ENHANCE_YOUR_CALM\n"));
        assert_non_null(strstr(record_log(&f.r), "closed 2 CW_NET_ERR_FLOOD 11\n"));
        frames_close(&f);
    }
}

/* With something that counts now and then, there is no end. */
static void test_empty_frames_between(void **state)
{
    (void)state;
    const cw_http_limits limits = {.max_empty_frames = 100};
    for (size_t kind = 0; kind < EMPTY_KINDS; kind++) {
        frames f;
        begin_empty(&f, &limits);
        for (unsigned i = 0; i < 10; i++) {
            for (unsigned n = 0; n < 99; n++) {
                write_empty(&f, kind);
                assert_int_equal(frames_feed(&f), CW_NET_OK);
                (void)frames_read(&f);
            }
            frames_data(&f, 0, 5, "x", 1);
        }
        for (unsigned i = 0; i < 10; i++) {
            frames_request(&f, END, 7 + 2 * (int32_t)i, "GET", "/");
            for (unsigned n = 0; n < 99; n++) {
                write_empty(&f, kind);
                assert_int_equal(frames_feed(&f), CW_NET_OK);
                (void)frames_read(&f);
            }
        }
        frames_close(&f);
    }
}

/* PINGs that keep a connection alive come without end, but slowly. */
static void test_slow_pings(void **state)
{
    (void)state;
    const cw_http_limits limits = {.max_empty_frames = 100};
    frames f;
    frames_start(&f, true, &limits);
    for (unsigned i = 0; i < 1000; i++) {
        f.now += 1000;
        f.r.core->ops->sweep(f.r.core, f.now);
        frames_ping(&f, 0, "12345678");
        assert_string_equal(frames_exchange(&f), "PING ACK 12345678\n");
    }
    frames_close(&f);
}

/* A download is a long row of WINDOW_UPDATE frames, and no flood. */
static void test_window_updates_of_download(void **state)
{
    (void)state;
    static const char body[3000000];
    const cw_http_limits limits = {.max_empty_frames = 100};
    frames f;
    frames_start(&f, true, &limits);
    frames_request(&f, END, 1, "GET", "/");
    assert_string_equal(frames_exchange(&f), "");
    assert_int_equal(f.r.core->ops->respond(record_find(&f.r, 1), 200, (cw_http_fields){NULL, 0},
                                            cw_bytes_of(body, sizeof body), true),
                     CW_NET_OK);
    (void)frames_read(&f);
    for (unsigned i = 0; i < 4000 && f.r.closed == 0; i++) {
        frames_window(&f, 0, 1000);
        frames_window(&f, 1, 1000);
        (void)frames_exchange(&f);
    }
    assert_int_equal(f.r.closed, 1);
    assert_int_equal(f.r.why.status, CW_NET_OK);
    frames_close(&f);
}

/* Small messages that are acknowledged one by one are none either. */
static void test_window_updates_of_messages(void **state)
{
    (void)state;
    const cw_http_limits limits = {.max_empty_frames = 100};
    frames f;
    frames_start(&f, true, &limits);
    frames_request(&f, END, 1, "GET", "/");
    assert_string_equal(frames_exchange(&f), "");
    cw__stream *s = record_find(&f.r, 1);
    const cw__core_ops *ops = f.r.core->ops;
    assert_int_equal(ops->respond(s, 200, (cw_http_fields){NULL, 0}, cw_bytes_of("a", 1), false),
                     CW_NET_OK);
    for (unsigned i = 0; i < 1000; i++) {
        assert_int_equal(ops->write(s, cw_bytes_of("tick", 4)), CW_NET_OK);
        assert_non_null(strstr(frames_read(&f), "tick\n"));
        frames_window(&f, 0, 4);
        frames_window(&f, 1, 4);
        assert_int_equal(frames_feed(&f), CW_NET_OK);
    }
    frames_close(&f);
}

/* More in one read than can be acknowledged. */
static void test_acknowledgements_between_requests(void **state)
{
    (void)state;
    const cw_http_limits limits = {.max_empty_frames = 100};
    frames f;
    frames_start(&f, true, &limits);
    for (int32_t id = 1; id <= 5; id += 2) {
        frames_request(&f, END, id, "GET", "/");
        for (unsigned i = 0; i < 50; i++) {
            ping(&f);
        }
    }
    assert_int_equal(frames_feed(&f), CW_NET_ERR_FLOOD);
    assert_int_equal(f.r.error.code, NGHTTP2_ENHANCE_YOUR_CALM);
    assert_string_equal(frames_read(&f), "GOAWAY 5 ENHANCE_YOUR_CALM\n");
    frames_close(&f);
}

static void test_acknowledgements_are_bounded(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    for (unsigned i = 0; i < 5000; i++) {
        settings(&f);
    }
    assert_int_equal(frames_feed(&f), CW_NET_ERR_FLOOD);
    assert_string_equal(frames_read(&f), "GOAWAY 0 ENHANCE_YOUR_CALM\n");
    frames_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_requests),
        cmocka_unit_test(test_resets_after_answers),
        cmocka_unit_test(test_rst_flood),
        cmocka_unit_test(test_rst_flood_at_once),
        cmocka_unit_test(test_reset_budget),
        cmocka_unit_test(test_made_to_reset),
        cmocka_unit_test(test_refusal_flood),
        cmocka_unit_test(test_empty_frame_floods),
        cmocka_unit_test(test_empty_frames_between),
        cmocka_unit_test(test_slow_pings),
        cmocka_unit_test(test_window_updates_of_download),
        cmocka_unit_test(test_window_updates_of_messages),
        cmocka_unit_test(test_acknowledgements_between_requests),
        cmocka_unit_test(test_acknowledgements_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
