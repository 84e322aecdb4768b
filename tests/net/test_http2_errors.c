/* SPDX-License-Identifier: MIT */
/* HTTP/2: a server core against frames that are wrong: the stream ends, or the connection. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "h2_frames.h"

enum { END = NGHTTP2_FLAG_END_STREAM };

/* ---- streams ----------------------------------------------------------------------------------
 */

static void test_malformed_requests(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *fields[16];
    } rows[] = {
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "host"}},
        {__LINE__, {":method", "GET", ":path", "/", ":authority", "host"}},
        {__LINE__, {":scheme", "http", ":path", "/", ":authority", "host"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":path", "/"}}, /* no host at all */
        {__LINE__, {FRAMES_REQUEST, ":method", "GET"}},
        {__LINE__, {FRAMES_REQUEST, "x", "y", ":method", "GET"}},
        {__LINE__, {"x", "y", FRAMES_REQUEST}},
        {__LINE__, {FRAMES_REQUEST, ":status", "200"}},
        {__LINE__, {FRAMES_REQUEST, ":foo", "bar"}},
        {__LINE__, {FRAMES_REQUEST, ":protocol", "websocket"}},
        {__LINE__, {FRAMES_REQUEST, "host", "other"}},
        {__LINE__, {FRAMES_REQUEST, "host", "host:80"}},
        {__LINE__, {FRAMES_REQUEST, "host", "host", "host", "host"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "me@host", ":path", "/"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "", ":path", "/"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "a b", ":path", "/"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "a,b", ":path", "/"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", ":80", ":path", "/"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "h:x", ":path", "/"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "h:65536", ":path", "/"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "[::1", ":path", "/"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":path", "/", "host", "a,b"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "host", ":path", "/#x"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "host", ":path", "/\x80"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "host", ":path", "x"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "host", ":path", "*"}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "host", ":path", ""}},
        {__LINE__, {":method", "GET", ":scheme", "http", ":authority", "host", ":path", "/ x"}},
        {__LINE__, {":method", "GET", ":scheme", "ftp", ":authority", "host", ":path", "x"}},
        {__LINE__, {":method", "GET", ":scheme", "a b", ":authority", "host", ":path", "/"}},
        {__LINE__, {":method", "G T", ":scheme", "http", ":authority", "host", ":path", "/"}},
        {__LINE__, {":method", "CONNECT", ":scheme", "http", ":authority", "host", ":path", "/"}},
        {__LINE__, {":method", "CONNECT"}},
        {__LINE__, {FRAMES_REQUEST, "connection", "close"}},
        {__LINE__, {FRAMES_REQUEST, "keep-alive", "1"}},
        {__LINE__, {FRAMES_REQUEST, "proxy-connection", "close"}},
        {__LINE__, {FRAMES_REQUEST, "transfer-encoding", "chunked"}},
        {__LINE__, {FRAMES_REQUEST, "upgrade", "h2c"}},
        {__LINE__, {FRAMES_REQUEST, "te", "gzip"}},
        {__LINE__, {FRAMES_REQUEST, "te", "trailers, gzip"}},
        {__LINE__, {FRAMES_REQUEST, "content-length", "x"}},
        {__LINE__, {FRAMES_REQUEST, "content-length", "-1"}},
        {__LINE__, {FRAMES_REQUEST, "content-length", "0", "content-length", "0"}},
        {__LINE__, {FRAMES_REQUEST, "content-length", "5"}}, /* and END_STREAM */
        {__LINE__, {FRAMES_REQUEST, "content-length", "99999999999999999999"}},
        {__LINE__, {FRAMES_REQUEST, "X-Upper", "y"}},
        {__LINE__, {FRAMES_REQUEST, "x y", "z"}},
        {__LINE__, {FRAMES_REQUEST, "", "z"}},
        {__LINE__, {FRAMES_REQUEST, "x", "a\nb: c"}},
        {__LINE__, {FRAMES_REQUEST, "x", "a\r"}},
        {__LINE__, {FRAMES_REQUEST, "x", " a"}},
        {__LINE__, {FRAMES_REQUEST, "x", "a\t"}},
        {__LINE__, {FRAMES_REQUEST, "x", "a\x7f"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        frames f;
        frames_start(&f, true, NULL);
        f.r.on = record_echo;
        frames_headers(&f, END, 1, rows[i].fields);
        frames_request(&f, END, 3, "GET", "/next");
        const char *sent = frames_exchange(&f);
        if (strncmp(sent, "RST_STREAM 1 PROTOCOL_ERROR\nHEADERS 3 END\n", 42) != 0 ||
            strncmp(record_log(&f.r), "stream 1\n", 9) != 0 ||
            strstr(record_log(&f.r), "head 1") != NULL ||
            strstr(record_log(&f.r), "closed 1 CW_NET_ERR_PROTOCOL 1\n") == NULL ||
            strstr(record_log(&f.r), "closed 2 CW_NET_OK 0\n") == NULL) {
            fail_msg("line %d: %s%s", rows[i].line, sent, record_log(&f.r));
        }
        frames_close(&f);
    }
}

/* ---- bodies out of form -----------------------------------------------------------------------
 */

static void post_with_length(frames *f, const char *length)
{
    const char *const fields[] = {FRAMES_REQUEST, "content-length", length, NULL};
    frames_headers(f, 0, 1, fields);
}

static void too_much(frames *f)
{
    post_with_length(f, "3");
    frames_data(f, 0, 1, "abcd", 4);
}

static void too_little(frames *f)
{
    post_with_length(f, "3");
    frames_data(f, END, 1, "ab", 2);
}

static void too_little_before_trailers(frames *f)
{
    static const char *const trailers[] = {"x", "y", NULL};
    post_with_length(f, "3");
    frames_headers(f, END, 1, trailers);
}

static void trailers_without_end(frames *f)
{
    static const char *const trailers[] = {"x", "y", NULL};
    frames_request(f, 0, 1, "POST", "/");
    frames_headers(f, 0, 1, trailers);
}

static void pseudo_trailers(frames *f)
{
    static const char *const trailers[] = {":path", "/", NULL};
    frames_request(f, 0, 1, "POST", "/");
    frames_headers(f, END, 1, trailers);
}

static void window_overrun(frames *f)
{
    static const char data[10001];
    frames_request(f, 0, 1, "POST", "/");
    frames_data(f, 0, 1, data, sizeof data);
}

static void window_overflow(frames *f)
{
    frames_request(f, 0, 1, "POST", "/");
    frames_window(f, 1, INT32_MAX);
}

static void settings_overflow_stream_window(frames *f)
{
    frames_request(f, 0, 1, "POST", "/");
    frames_window(f, 1, INT32_MAX - 65535);
    frames_settings(f, (const uint32_t[]){NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 65536, 0});
}

static void test_stream_errors(void **state)
{
    (void)state;
    static const struct {
        void (*write)(frames *f);
        const char *sent, *closed;
    } rows[] = {
        {too_much, "RST_STREAM 1 PROTOCOL_ERROR\n", "closed 1 CW_NET_ERR_PROTOCOL 1\n"},
        {too_little, "RST_STREAM 1 PROTOCOL_ERROR\n",
         "closed 1 CW_NET_ERR_PROTOCOL 1 after 2 ab\n"},
        {too_little_before_trailers, "RST_STREAM 1 PROTOCOL_ERROR\n",
         "closed 1 CW_NET_ERR_PROTOCOL 1\n"},
        {trailers_without_end, "RST_STREAM 1 PROTOCOL_ERROR\n", "closed 1 CW_NET_ERR_PROTOCOL 1\n"},
        {pseudo_trailers, "RST_STREAM 1 PROTOCOL_ERROR\n", "closed 1 CW_NET_ERR_PROTOCOL 1\n"},
        {window_overrun, "RST_STREAM 1 FLOW_CONTROL_ERROR\n", "closed 1 CW_NET_ERR_PROTOCOL 3"},
        {settings_overflow_stream_window, "SETTINGS ACK\nRST_STREAM 1 FLOW_CONTROL_ERROR\n",
         "closed 1 CW_NET_ERR_PROTOCOL 3\n"},
        {window_overflow, "RST_STREAM 1 FLOW_CONTROL_ERROR\n", "closed 1 CW_NET_ERR_PROTOCOL 3\n"},
    };
    const cw_http_limits limits = {.stream_window = 10000, .max_resets = 1};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        frames f;
        frames_start(&f, true, &limits);
        rows[i].write(&f);
        const char *sent = frames_exchange(&f);
        if (strcmp(sent, rows[i].sent) != 0 || strstr(record_log(&f.r), rows[i].closed) == NULL) {
            fail_msg("row %zu: %s%s", i, sent, record_log(&f.r));
        }
        assert_int_equal(f.r.core->ops->streams(f.r.core), 0);
        /* It was charged, once: the next one is a flood. */
        frames_request(&f, 0, 3, "POST", "/");
        frames_rst(&f, 3, NGHTTP2_CANCEL);
        assert_int_equal(frames_feed(&f), CW_NET_ERR_FLOOD);
        frames_close(&f);
    }
}

/* Frames for a stream that is over are thrown away, their bytes given back. */
static void test_late_frames(void **state)
{
    (void)state;
    static const char data[16384];
    static const char *const trailers[] = {"x", "y", NULL};
    const cw_http_limits limits = {.connection_window = 65535};
    frames f;
    frames_start(&f, true, &limits);
    frames_request(&f, 0, 1, "POST", "/");
    frames_rst(&f, 1, NGHTTP2_CANCEL);
    assert_string_equal(frames_exchange(&f), "");
    for (unsigned i = 0; i < 4; i++) {
        frames_data(&f, 0, 1, data, sizeof data - 1);
    }
    frames_headers(&f, END, 1, trailers);
    frames_window(&f, 1, 1);
    frames_rst(&f, 1, NGHTTP2_CANCEL);
    assert_string_equal(frames_exchange(&f), "WINDOW_UPDATE 0 49149\n");
    frames_request(&f, END, 3, "GET", "/");
    assert_string_equal(frames_exchange(&f), "");
    assert_non_null(strstr(record_log(&f.r), "end 2 0"));
    frames_close(&f);
}

/* ---- connections ------------------------------------------------------------------------------
 */

static void oversize_frame(frames *f)
{
    static const char data[16385];
    frames_request(f, 0, 1, "POST", "/");
    frames_data(f, 0, 1, data, sizeof data);
}

static void data_on_idle_stream(frames *f)
{
    frames_data(f, 0, 1, "x", 1);
}

static void data_on_no_stream(frames *f)
{
    frames_data(f, 0, 0, "x", 1);
}

static void data_after_end(frames *f)
{
    frames_request(f, END, 1, "GET", "/");
    frames_data(f, 0, 1, "x", 1);
}

static void headers_after_end(frames *f)
{
    frames_request(f, END, 1, "GET", "/");
    frames_request(f, END, 1, "GET", "/");
}

static void headers_on_no_stream(frames *f)
{
    frames_request(f, END, 0, "GET", "/");
}

static void headers_on_even_stream(frames *f)
{
    frames_request(f, END, 2, "GET", "/");
}

static void headers_that_depend_on_themselves(frames *f)
{
    frames_raw(f, NGHTTP2_HEADERS, NGHTTP2_FLAG_PRIORITY | NGHTTP2_FLAG_END_HEADERS, 1,
               "\0\0\0\1\x10\x82", 6);
}

static void bad_header_block(frames *f)
{
    frames_raw(f, NGHTTP2_HEADERS, END | NGHTTP2_FLAG_END_HEADERS, 1, "\xff\xff\xff\xff\xff\xff",
               6);
}

static void too_much_padding(frames *f)
{
    frames_raw(f, NGHTTP2_HEADERS, NGHTTP2_FLAG_PADDED | NGHTTP2_FLAG_END_HEADERS, 1, "\5\x82", 2);
}

static void too_much_data_padding(frames *f)
{
    frames_request(f, 0, 1, "POST", "/");
    frames_data(f, NGHTTP2_FLAG_PADDED, 1, "\5abc", 4);
}

static void stray_continuation(frames *f)
{
    frames_raw(f, NGHTTP2_CONTINUATION, NGHTTP2_FLAG_END_HEADERS, 1, "\x82", 1);
}

static void interrupted_headers(frames *f)
{
    frames_raw(f, NGHTTP2_HEADERS, END, 1, "\x82", 1);
    frames_ping(f, 0, "12345678");
}

static void rst_on_idle_stream(frames *f)
{
    frames_rst(f, 1, NGHTTP2_CANCEL);
}

static void rst_on_no_stream(frames *f)
{
    frames_rst(f, 0, NGHTTP2_CANCEL);
}

static void short_rst(frames *f)
{
    frames_request(f, 0, 1, "POST", "/");
    frames_raw(f, NGHTTP2_RST_STREAM, 0, 1, "\0\0\0", 3);
}

static void window_update_of_zero(frames *f)
{
    frames_window(f, 0, 0);
}

static void window_update_of_zero_on_stream(frames *f)
{
    frames_request(f, 0, 1, "POST", "/");
    frames_window(f, 1, 0);
}

static void connection_window_overflow(frames *f)
{
    frames_window(f, 0, INT32_MAX);
}

static void window_update_on_idle_stream(frames *f)
{
    frames_window(f, 1, 1);
}

static void connection_window_overrun(frames *f)
{
    static const char data[16384];
    for (int32_t id = 1; id <= 9; id += 2) {
        frames_request(f, 0, id, "POST", "/");
        frames_data(f, 0, id, data, sizeof data);
    }
}

static void settings_on_stream(frames *f)
{
    frames_raw(f, NGHTTP2_SETTINGS, 0, 1, NULL, 0);
}

static void short_settings(frames *f)
{
    frames_raw(f, NGHTTP2_SETTINGS, 0, 0, "\0\1\0\0\0", 5);
}

static void settings_ack_with_payload(frames *f)
{
    frames_raw(f, NGHTTP2_SETTINGS, NGHTTP2_FLAG_ACK, 0, "\0\1\0\0\0\0", 6);
}

static void settings_ack_unasked(frames *f)
{
    frames_raw(f, NGHTTP2_SETTINGS, NGHTTP2_FLAG_ACK, 0, NULL, 0);
}

static void settings_bad_push(frames *f)
{
    frames_settings(f, (const uint32_t[]){NGHTTP2_SETTINGS_ENABLE_PUSH, 2, 0});
}

static void settings_bad_window(frames *f)
{
    frames_settings(f, (const uint32_t[]){NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1u << 31, 0});
}

static void settings_small_frames(frames *f)
{
    frames_settings(f, (const uint32_t[]){NGHTTP2_SETTINGS_MAX_FRAME_SIZE, 16383, 0});
}

static void settings_large_frames(frames *f)
{
    frames_settings(f, (const uint32_t[]){NGHTTP2_SETTINGS_MAX_FRAME_SIZE, 1u << 24, 0});
}

static void many_settings(frames *f)
{
    uint32_t entries[2 * 33 + 1];
    for (size_t i = 0; i < 33; i++) {
        entries[2 * i] = NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS;
        entries[2 * i + 1] = 100;
    }
    entries[66] = 0;
    frames_settings(f, entries);
}

static void ping_on_stream(frames *f)
{
    frames_raw(f, NGHTTP2_PING, 0, 1, "12345678", 8);
}

static void short_ping(frames *f)
{
    frames_raw(f, NGHTTP2_PING, 0, 0, "1234567", 7);
}

static void short_goaway(frames *f)
{
    frames_raw(f, NGHTTP2_GOAWAY, 0, 0, "1234567", 7);
}

static void short_priority(frames *f)
{
    frames_raw(f, NGHTTP2_PRIORITY, 0, 1, "1234", 4);
}

static void push_promise(frames *f)
{
    frames_raw(f, NGHTTP2_PUSH_PROMISE, NGHTTP2_FLAG_END_HEADERS, 1, "\0\0\0\2\x82", 5);
}

static void test_connection_errors(void **state)
{
    (void)state;
    static const struct {
        void (*write)(frames *f);
        int code;
        const char *goaway;
    } rows[] = {
        {oversize_frame, NGHTTP2_FRAME_SIZE_ERROR,
         "GOAWAY 1 FRAME_SIZE_ERROR too large frame size"},
        {data_on_idle_stream, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR DATA: stream in idle"},
        {data_on_no_stream, NGHTTP2_PROTOCOL_ERROR, "GOAWAY 0 PROTOCOL_ERROR DATA: stream_id == 0"},
        {data_after_end, NGHTTP2_STREAM_CLOSED,
         "GOAWAY 1 STREAM_CLOSED DATA: stream in half-closed(remote)"},
        {headers_after_end, NGHTTP2_STREAM_CLOSED, "GOAWAY 1 STREAM_CLOSED HEADERS: stream closed"},
        {headers_on_no_stream, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR request HEADERS: stream_id == 0"},
        {headers_on_even_stream, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR request HEADERS: invalid stream_id"},
        {headers_that_depend_on_themselves, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR request HEADERS: depend on itself"},
        {bad_header_block, NGHTTP2_COMPRESSION_ERROR, "GOAWAY 1 COMPRESSION_ERROR"},
        {too_much_padding, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR HEADERS: invalid padding"},
        {too_much_data_padding, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 1 PROTOCOL_ERROR DATA: invalid padding"},
        {stray_continuation, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR CONTINUATION: unexpected"},
        {interrupted_headers, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 1 PROTOCOL_ERROR unexpected non-CONTINUATION frame or stream_id is invalid"},
        {rst_on_idle_stream, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR RST_STREAM: stream in idle"},
        {rst_on_no_stream, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR RST_STREAM: stream_id == 0"},
        {short_rst, NGHTTP2_FRAME_SIZE_ERROR, "GOAWAY 1 FRAME_SIZE_ERROR"},
        {window_update_of_zero, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR WINDOW_UPDATE: window_size_increment == 0"},
        {window_update_of_zero_on_stream, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 1 PROTOCOL_ERROR WINDOW_UPDATE: window_size_increment == 0"},
        {connection_window_overflow, NGHTTP2_FLOW_CONTROL_ERROR, "GOAWAY 0 FLOW_CONTROL_ERROR"},
        {window_update_on_idle_stream, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR WINDOW_UPDATE to idle stream"},
        {connection_window_overrun, NGHTTP2_FLOW_CONTROL_ERROR, "GOAWAY 7 FLOW_CONTROL_ERROR"},
        {settings_on_stream, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR SETTINGS: stream_id != 0"},
        {short_settings, NGHTTP2_FRAME_SIZE_ERROR, "GOAWAY 0 FRAME_SIZE_ERROR"},
        {settings_ack_with_payload, NGHTTP2_FRAME_SIZE_ERROR, "GOAWAY 0 FRAME_SIZE_ERROR"},
        {settings_ack_unasked, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR SETTINGS: unexpected ACK"},
        {settings_bad_push, NGHTTP2_PROTOCOL_ERROR, "GOAWAY 0 PROTOCOL_ERROR SETTINGS: invalid"},
        {settings_bad_window, NGHTTP2_FLOW_CONTROL_ERROR,
         "GOAWAY 0 FLOW_CONTROL_ERROR SETTINGS: too large SETTINGS_INITIAL_WINDOW_SIZE"},
        {settings_small_frames, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR SETTINGS: invalid SETTINGS_MAX_FRAME_SIZE"},
        {settings_large_frames, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR SETTINGS: invalid SETTINGS_MAX_FRAME_SIZE"},
        {many_settings, NGHTTP2_ENHANCE_YOUR_CALM,
         "GOAWAY 0 ENHANCE_YOUR_CALM SETTINGS: too many setting entries"},
        {ping_on_stream, NGHTTP2_PROTOCOL_ERROR, "GOAWAY 0 PROTOCOL_ERROR PING: stream_id != 0"},
        {short_ping, NGHTTP2_FRAME_SIZE_ERROR, "GOAWAY 0 FRAME_SIZE_ERROR"},
        {short_goaway, NGHTTP2_FRAME_SIZE_ERROR, "GOAWAY 0 FRAME_SIZE_ERROR"},
        {short_priority, NGHTTP2_FRAME_SIZE_ERROR, "GOAWAY 0 FRAME_SIZE_ERROR"},
        {push_promise, NGHTTP2_PROTOCOL_ERROR,
         "GOAWAY 0 PROTOCOL_ERROR PUSH_PROMISE: push disabled"},
    };
    const cw_http_limits limits = {.connection_window = 65535, .stream_window = 65535};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        frames f;
        frames_start(&f, true, &limits);
        f.r.keeps_body = true;
        rows[i].write(&f);
        cw_net_status wanted =
            rows[i].code == NGHTTP2_ENHANCE_YOUR_CALM ? CW_NET_ERR_FLOOD : CW_NET_ERR_PROTOCOL;
        cw_net_status st = frames_feed(&f);
        char *sent = strdup(frames_read(&f));
        assert_non_null(sent);
        const char *goaway = strstr(sent, "GOAWAY");
        if (st != wanted || f.r.error.code != rows[i].code || goaway == NULL ||
            strncmp(goaway, rows[i].goaway, strlen(rows[i].goaway)) != 0) {
            fail_msg("row %zu: %d %d %s", i, st, f.r.error.code, sent);
        }
        /* Every stream has heard of it, and the connection is over. */
        assert_int_equal(f.r.closed, f.r.streams);
        if (f.r.closed > 0) {
            assert_int_equal(f.r.why.status, wanted);
        }
        const cw__core_ops *ops = f.r.core->ops;
        assert_true(ops->is_done(f.r.core));
        assert_false(ops->wants_write(f.r.core));
        frames_request(&f, END, 11, "GET", "/");
        assert_int_equal(frames_feed(&f), wanted);
        assert_string_equal(frames_read(&f), "");
        free(sent);
        frames_close(&f);
    }
}

static void test_bad_preface(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "GET / HTTP/1.1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\rX",
        "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n",
        "\x16\x03\x01\x02",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        frames f;
        frames_open(&f, true, NULL);
        assert_int_equal(record_feed_text(&f.r, rows[i]), CW_NET_ERR_PROTOCOL);
        assert_int_equal(f.r.error.code, NGHTTP2_PROTOCOL_ERROR);
        assert_string_equal(f.r.error.detail, "bad connection preface");
        assert_string_equal(frames_read(&f), "SETTINGS 4=1048576 6=16384 3=128 9=1\n"
                                             "GOAWAY 0 PROTOCOL_ERROR\n");
        assert_true(f.r.core->ops->is_done(f.r.core));
        frames_close(&f);
    }
}

/* After the preface SETTINGS must come. */
static void test_no_settings(void **state)
{
    (void)state;
    frames f;
    frames_open(&f, true, NULL);
    cw__buf_clear(&f.out);
    assert_int_equal(record_feed_text(&f.r, CW__HTTP2_PREFACE), CW_NET_OK);
    frames_ping(&f, 0, "12345678");
    assert_int_equal(frames_feed(&f), CW_NET_ERR_PROTOCOL);
    assert_string_equal(f.r.error.detail, "SETTINGS expected");
    assert_non_null(strstr(frames_read(&f), "GOAWAY 0 PROTOCOL_ERROR SETTINGS expected\n"));
    frames_close(&f);
}

/* What streams are told when the connection fails, and what their owner may still call. */
static void answer_all(record *r, cw__stream *s, const char *event)
{
    if (strcmp(event, "closed") == 0) {
        for (record_stream *o = r->open; o != NULL; o = o->next) {
            if (o->s != s) {
                const cw_net_error why = {.status = CW_NET_ERR_CANCELLED};
                r->core->ops->reset(o->s, &why);
            }
        }
    }
}

static void test_streams_of_failed_connection(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    f.r.on = answer_all;
    for (int32_t id = 1; id <= 5; id += 2) {
        frames_request(&f, END, id, "GET", "/");
    }
    frames_data(&f, 0, 0, "x", 1);
    assert_int_equal(frames_feed(&f), CW_NET_ERR_PROTOCOL);
    const char *log = record_log(&f.r);
    assert_non_null(strstr(log, "closed 3 CW_NET_ERR_PROTOCOL 1\n"));
    assert_non_null(strstr(log, "closed 2 CW_NET_ERR_CANCELLED 0\n"));
    assert_non_null(strstr(log, "closed 1 CW_NET_ERR_CANCELLED 0\n"));
    assert_string_equal(frames_read(&f), "GOAWAY 5 PROTOCOL_ERROR DATA: stream_id == 0\n");
    frames_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_malformed_requests),
        cmocka_unit_test(test_stream_errors),
        cmocka_unit_test(test_late_frames),
        cmocka_unit_test(test_connection_errors),
        cmocka_unit_test(test_bad_preface),
        cmocka_unit_test(test_no_settings),
        cmocka_unit_test(test_streams_of_failed_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
