/* SPDX-License-Identifier: MIT */
/* HTTP/2: a client core against frames made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "h2_frames.h"

enum { END = NGHTTP2_FLAG_END_STREAM };

static const cw_http_fields no_fields = {NULL, 0};

static cw__stream *request_of(frames *f, const char *method, const char *body, bool end)
{
    const cw_http_head head = {.method = cw_str_from(method),
                               .scheme = CW_STR("https"),
                               .authority = CW_STR("example.org"),
                               .path = CW_STR("/x")};
    return record_request(&f->r, &head, cw_bytes_of(body, strlen(body)), end, true);
}

static void get(frames *f)
{
    assert_non_null(request_of(f, "GET", "", true));
}

static void respond(frames *f, uint8_t flags, int32_t stream, const char *status)
{
    const char *const fields[] = {":status", status, NULL};
    frames_headers(f, flags, stream, fields);
}

static size_t room(const frames *f)
{
    return f->r.core->ops->room(f->r.core);
}

static bool is_done(const frames *f)
{
    return f->r.core->ops->is_done(f->r.core);
}

/* ---- what is right ----------------------------------------------------------------------------
 */

static void test_first_flight(void **state)
{
    (void)state;
    frames f;
    frames_open(&f, false, NULL);
    get(&f);
    assert_non_null(request_of(&f, "POST", "hello", true));
    assert_string_equal(frames_read(&f),
                        "PREFACE\nSETTINGS 4=1048576 6=16384 2=0\nWINDOW_UPDATE 0 4128769\n"
                        "HEADERS 1 END\n  :method: GET\n  :scheme: https\n"
                        "  :authority: example.org\n  :path: /x\n"
                        "HEADERS 3\n  :method: POST\n  :scheme: https\n"
                        "  :authority: example.org\n  :path: /x\n  content-length: 5\n"
                        "DATA 3 5 END hello\n");
    assert_string_equal(frames_exchange(&f), "SETTINGS ACK\n");
    frames_close(&f);
}

static void test_interim_responses(void **state)
{
    (void)state;
    static const char *const hints[] = {":status", "103", "link", "</a>", NULL};
    static const char *const final[] = {":status", "200", "x", "y", NULL};
    frames f;
    frames_start(&f, false, NULL);
    get(&f);
    (void)frames_read(&f);
    frames_headers(&f, 0, 1, hints);
    respond(&f, 0, 1, "100");
    frames_headers(&f, 0, 1, hints);
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_string_equal(record_log(&f.r), "continue 1\n");
    frames_headers(&f, 0, 1, final);
    frames_data(&f, END, 1, "ok", 2);
    assert_string_equal(frames_exchange(&f), "");
    assert_string_equal(record_log(&f.r), "continue 1\nhead 1 200 2.0\n  x: y\nend 1 2 ok\n"
                                          "closed 1 CW_NET_OK 0\nroom 4294967295\n");
    frames_close(&f);
}

static void test_reading_window(void **state)
{
    (void)state;
    static const char data[10000];
    const cw_http_limits limits = {.stream_window = 20000, .connection_window = 65535};
    frames f;
    frames_start(&f, false, &limits);
    f.r.keeps_body = true;
    get(&f);
    (void)frames_read(&f);
    respond(&f, 0, 1, "200");
    frames_data(&f, 0, 1, data, sizeof data);
    frames_data(&f, 0, 1, data, sizeof data);
    assert_string_equal(frames_exchange(&f), "");
    cw__stream *s = record_find(&f.r, 1);
    f.r.core->ops->consume(s, 9999);
    assert_string_equal(frames_read(&f), "");
    f.r.core->ops->consume(s, 1);
    assert_string_equal(frames_read(&f), "WINDOW_UPDATE 1 10000\n");
    frames_data(&f, END, 1, data, sizeof data);
    assert_string_equal(frames_exchange(&f), "");
    assert_int_equal(f.r.closed, 1); /* what was not consumed is given back now */
    get(&f);
    assert_non_null(strstr(frames_read(&f), "HEADERS 3 END\n"));
    respond(&f, 0, 3, "200");
    frames_data(&f, 0, 3, data, sizeof data);
    assert_string_equal(frames_exchange(&f), "");
    f.r.core->ops->consume(record_find(&f.r, 2), sizeof data);
    assert_string_equal(frames_read(&f), "WINDOW_UPDATE 0 40000\nWINDOW_UPDATE 3 10000\n");
    frames_close(&f);
}

/* ---- room -------------------------------------------------------------------------------------
 */

static void test_room(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, false, NULL);
    assert_int_equal(room(&f), UINT32_MAX); /* SETTINGS without a limit */
    frames_settings(&f, (const uint32_t[]){NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 2, 0});
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_string_equal(record_log(&f.r), "room 2\n");
    get(&f);
    get(&f);
    assert_int_equal(room(&f), 0);
    assert_null(request_of(&f, "GET", "", true));
    assert_int_equal(f.r.error.status, CW_NET_ERR_BUSY);
    (void)frames_read(&f);
    frames_settings(&f, (const uint32_t[]){NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 1, 0});
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_int_equal(room(&f), 0);
    respond(&f, END, 1, "200");
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_int_equal(room(&f), 0);
    respond(&f, END, 3, "200");
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_int_equal(room(&f), 1);
    assert_non_null(strstr(record_log(&f.r), "closed 2 CW_NET_OK 0\nroom 1\n"));
    frames_close(&f);
}

/* The last stream id there is (RFC 9113, 5.1.1): a new connection is needed then. */
static void test_stream_ids_end(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, false, NULL);
    cw__http2 *c = (cw__http2 *)f.r.core;
    assert_int_equal(nghttp2_session_set_next_stream_id(c->session, INT32_MAX - 2), 0);
    get(&f);
    assert_true(room(&f) > 0);
    assert_false(cw__http2_is_leaving(f.r.core));
    get(&f);
    assert_int_equal(room(&f), 0);
    assert_true(cw__http2_is_leaving(f.r.core));
    assert_false(is_done(&f));
    assert_null(request_of(&f, "GET", "", true));
    assert_int_equal(f.r.error.status, CW_NET_ERR_BUSY);
    const char *sent = frames_read(&f);
    assert_non_null(strstr(sent, "HEADERS 2147483645 END\n"));
    assert_non_null(strstr(sent, "HEADERS 2147483647 END\n"));
    assert_string_equal(record_log(&f.r), "room 0\n");
    respond(&f, END, INT32_MAX, "200");
    respond(&f, END, INT32_MAX - 2, "200");
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_int_equal(f.r.ended, 2);
    assert_int_equal(room(&f), 0);
    assert_true(is_done(&f));
    frames_close(&f);
}

/* ---- GOAWAY -----------------------------------------------------------------------------------
 */

static void test_goaway(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, false, NULL);
    get(&f);
    get(&f);
    (void)frames_read(&f);
    get(&f); /* not sent yet */
    frames_goaway(&f, 1, NGHTTP2_NO_ERROR);
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_string_equal(record_log(&f.r), "closed 2 CW_NET_ERR_REFUSED 7\nroom 0\n");
    assert_string_equal(frames_read(&f), "");
    assert_non_null(strstr(record_log(&f.r), "closed 3 CW_NET_ERR_REFUSED 7\n"));
    assert_int_equal(room(&f), 0);
    assert_false(is_done(&f));
    respond(&f, END, 1, "200");
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_non_null(strstr(record_log(&f.r), "closed 1 CW_NET_OK 0\n"));
    assert_true(is_done(&f));
    frames_close(&f);
}

/* The first of two: nothing is refused, nothing new begins. */
static void test_goaway_in_two_steps(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, false, NULL);
    get(&f);
    get(&f);
    (void)frames_read(&f);
    assert_false(cw__http2_is_leaving(f.r.core));
    frames_goaway(&f, INT32_MAX, NGHTTP2_NO_ERROR);
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_true(cw__http2_is_leaving(f.r.core));
    assert_string_equal(record_log(&f.r), "room 0\n");
    frames_ping(&f, 0, "12345678");
    frames_goaway(&f, 3, NGHTTP2_NO_ERROR);
    respond(&f, END, 1, "200");
    respond(&f, END, 3, "200");
    assert_string_equal(frames_exchange(&f), "PING ACK 12345678\n");
    assert_int_equal(f.r.ended, 2);
    assert_true(is_done(&f));
    frames_close(&f);
}

static void test_goaway_with_error(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, false, NULL);
    get(&f);
    get(&f);
    (void)frames_read(&f);
    frames_goaway(&f, 1, NGHTTP2_ENHANCE_YOUR_CALM);
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_int_equal(record_feed_end(&f.r), CW_NET_ERR_CLOSED);
    assert_int_equal(f.r.error.code, NGHTTP2_ENHANCE_YOUR_CALM);
    assert_string_equal(f.r.error.detail, "GOAWAY: ENHANCE_YOUR_CALM");
    assert_non_null(strstr(record_log(&f.r), "closed 2 CW_NET_ERR_REFUSED 7\n"));
    assert_non_null(strstr(record_log(&f.r), "closed 1 CW_NET_ERR_CLOSED 11\n"));
    frames_close(&f);
}

static void test_goaway_that_grows(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, false, NULL);
    get(&f);
    (void)frames_read(&f);
    frames_goaway(&f, 1, NGHTTP2_NO_ERROR);
    frames_goaway(&f, 3, NGHTTP2_NO_ERROR);
    assert_int_equal(frames_feed(&f), CW_NET_ERR_PROTOCOL);
    assert_string_equal(frames_read(&f),
                        "GOAWAY 0 PROTOCOL_ERROR GOAWAY: invalid last_stream_id\n");
    frames_close(&f);
}

/* ---- resets and the end -----------------------------------------------------------------------
 */

static void test_resets(void **state)
{
    (void)state;
    static const struct {
        bool has_head, is_whole;
        uint32_t code;
        const char *closed;
    } rows[] = {
        {false, false, NGHTTP2_REFUSED_STREAM, "closed 1 CW_NET_ERR_REFUSED 7\n"},
        {false, false, NGHTTP2_CANCEL, "closed 1 CW_NET_ERR_RESET 8\n"},
        {false, false, NGHTTP2_NO_ERROR, "closed 1 CW_NET_ERR_RESET 0\n"},
        {true, false, NGHTTP2_INTERNAL_ERROR, "closed 1 CW_NET_ERR_RESET 2 after 3 abc\n"},
        {true, false, NGHTTP2_NO_ERROR, "closed 1 CW_NET_ERR_RESET 0 after 3 abc\n"},
        {true, true, NGHTTP2_NO_ERROR, "end 1 3 abc\nclosed 1 CW_NET_OK 0\n"},
        {true, true, NGHTTP2_CANCEL, "end 1 3 abc\nclosed 1 CW_NET_OK 0\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        frames f;
        frames_start(&f, false, NULL);
        assert_non_null(request_of(&f, "POST", "more follows", false));
        (void)frames_read(&f);
        if (rows[i].has_head) {
            respond(&f, 0, 1, "200");
            frames_data(&f, rows[i].is_whole ? END : 0, 1, "abc", 3);
        }
        frames_rst(&f, 1, rows[i].code);
        assert_string_equal(frames_exchange(&f), "");
        if (strstr(record_log(&f.r), rows[i].closed) == NULL) {
            fail_msg("row %zu: %s", i, record_log(&f.r));
        }
        assert_false(is_done(&f));
        frames_close(&f);
    }
}

/* A response that comes before the request is whole; the rest of the request is sent all the same
 * if the server wants it. */
static void test_early_response(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, false, NULL);
    cw__stream *s = request_of(&f, "POST", "a", false);
    (void)frames_read(&f);
    respond(&f, END, 1, "200");
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_string_equal(record_log(&f.r), "head 1 200 2.0\nend 1 0 \n");
    assert_int_equal(f.r.core->ops->end(s, no_fields), CW_NET_OK);
    assert_string_equal(frames_read(&f), "DATA 1 0 END\n");
    assert_non_null(strstr(record_log(&f.r), "closed 1 CW_NET_OK 0\n"));
    frames_close(&f);
}

static void test_feed_end(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, false, NULL);
    get(&f);
    assert_non_null(request_of(&f, "POST", "", false));
    assert_non_null(request_of(&f, "POST", "", false));
    (void)frames_read(&f);
    get(&f); /* is not sent */
    respond(&f, 0, 3, "200");
    frames_data(&f, 0, 3, "half", 4);
    respond(&f, END, 5, "200");
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_int_equal(record_feed_end(&f.r), CW_NET_ERR_CLOSED);
    const char *log = record_log(&f.r);
    assert_non_null(strstr(log, "closed 1 CW_NET_ERR_CLOSED 0\n"));
    assert_non_null(strstr(log, "closed 2 CW_NET_ERR_CLOSED 0 after 4 half\n"));
    assert_non_null(strstr(log, "closed 3 CW_NET_OK 0\n"));
    assert_non_null(strstr(log, "closed 4 CW_NET_ERR_REFUSED 0\n"));
    assert_non_null(strstr(log, "room 0\n"));
    assert_int_equal(room(&f), 0);
    assert_true(is_done(&f));
    frames_close(&f);
    frames_start(&f, false, NULL);
    assert_int_equal(record_feed_end(&f.r), CW_NET_OK);
    assert_true(is_done(&f));
    frames_close(&f);
}

/* A request that is given up before it was sent leaves no trace on the wire. */
static void test_cancel_unsent(void **state)
{
    (void)state;
    const cw_net_error why = {.status = CW_NET_ERR_CANCELLED};
    frames f;
    frames_start(&f, false, NULL);
    cw__stream *first = request_of(&f, "POST", "abc", true);
    get(&f);
    f.r.core->ops->reset(first, &why);
    assert_int_equal(f.r.closed, 0);
    assert_string_equal(frames_read(&f), "HEADERS 3 END\n  :method: GET\n  :scheme: https\n"
                                         "  :authority: example.org\n  :path: /x\n");
    assert_string_equal(record_log(&f.r), "closed 1 CW_NET_ERR_CANCELLED 0\nroom 4294967294\n");
    frames_close(&f);
}

static void test_request_too_large(void **state)
{
    (void)state;
    const cw_http_head head = {.method = CW_STR("PUT"),
                               .scheme = CW_STR("https"),
                               .authority = CW_STR("host"),
                               .path = CW_STR("/")};
    const cw_bytes endless = {(const uint8_t *)"", SIZE_MAX};
    frames f;
    frames_start(&f, false, NULL);
    assert_null(record_request(&f.r, &head, endless, true, false));
    assert_int_equal(f.r.error.status, CW_NET_ERR_MEMORY);
    assert_int_equal(f.r.core->ops->streams(f.r.core), 0);
    get(&f);
    assert_non_null(strstr(frames_read(&f), "HEADERS 1 END\n"));
    frames_close(&f);
}

static void test_shutdown(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, false, NULL);
    get(&f);
    (void)frames_read(&f);
    f.r.core->ops->shutdown(f.r.core);
    assert_int_equal(room(&f), 0);
    assert_false(is_done(&f));
    assert_string_equal(frames_read(&f), "");
    respond(&f, END, 1, "200");
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_true(is_done(&f));
    assert_true(f.r.core->ops->wants_write(f.r.core));
    assert_string_equal(frames_read(&f), "GOAWAY 0 NO_ERROR\n");
    assert_false(f.r.core->ops->wants_write(f.r.core));
    f.r.core->ops->shutdown(f.r.core); /* again: nothing */
    assert_string_equal(frames_read(&f), "");
    frames_close(&f);
}

/* ---- what is wrong ----------------------------------------------------------------------------
 */

static void test_malformed_responses(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *method;
        const char *fields[8];
        const char *data; /* NULL: END_STREAM on HEADERS */
    } rows[] = {
        {__LINE__, "GET", {"x", "y"}, NULL},
        {__LINE__, "GET", {":status", "101"}, NULL},
        {__LINE__, "GET", {":status", "20"}, NULL},
        {__LINE__, "GET", {":status", "2x0"}, NULL},
        {__LINE__, "GET", {":status", "099"}, NULL},
        {__LINE__, "GET", {":status", "000"}, "x"},
        {__LINE__, "GET", {":status", "200", ":status", "200"}, NULL},
        {__LINE__, "GET", {":status", "200", ":path", "/"}, NULL},
        {__LINE__, "GET", {":status", "200", "connection", "close"}, NULL},
        {__LINE__, "GET", {":status", "200", "Upper", "x"}, NULL},
        {__LINE__, "GET", {":status", "200", "x", "a\nb"}, NULL},
        {__LINE__, "GET", {":status", "103"}, NULL}, /* and no final one */
        {__LINE__, "GET", {":status", "100"}, "x"},
        {__LINE__, "GET", {":status", "200", "content-length", "2"}, "x"},
        {__LINE__, "GET", {":status", "200", "content-length", "1"}, "xy"},
        {__LINE__, "GET", {":status", "200", "content-length", "1"}, NULL},
        {__LINE__, "HEAD", {":status", "200"}, "x"},
        {__LINE__, "GET", {":status", "204"}, "x"},
        {__LINE__, "GET", {":status", "304"}, "x"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        frames f;
        frames_start(&f, false, NULL);
        assert_non_null(request_of(&f, rows[i].method, "", true));
        (void)frames_read(&f);
        frames_headers(&f, rows[i].data == NULL ? END : 0, 1, rows[i].fields);
        if (rows[i].data != NULL) {
            frames_data(&f, END, 1, rows[i].data, strlen(rows[i].data));
        }
        const char *sent = frames_exchange(&f);
        if (strcmp(sent, "RST_STREAM 1 PROTOCOL_ERROR\n") != 0 ||
            strstr(record_log(&f.r), "closed 1 CW_NET_ERR_PROTOCOL 1") == NULL ||
            strstr(record_log(&f.r), "end 1") != NULL) {
            fail_msg("line %d: %s%s", rows[i].line, sent, record_log(&f.r));
        }
        get(&f); /* the connection is fine */
        (void)frames_read(&f);
        respond(&f, END, 3, "200");
        assert_int_equal(frames_feed(&f), CW_NET_OK);
        assert_int_equal(f.r.ended, 1);
        frames_close(&f);
    }
}

static void test_header_limits(void **state)
{
    (void)state;
    char value[500];
    memset(value, 'v', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    const char *const large[] = {":status", "200", "x", value, NULL};
    const char *const trailers[] = {"x", value, NULL};
    const cw_http_limits limits = {.max_header_bytes = 500};
    frames f;
    frames_start(&f, false, &limits);
    get(&f);
    get(&f);
    (void)frames_read(&f);
    frames_headers(&f, END, 1, large);
    respond(&f, 0, 3, "200");
    frames_headers(&f, END, 3, trailers);
    assert_string_equal(frames_exchange(&f), "RST_STREAM 1 ENHANCE_YOUR_CALM\n"
                                             "RST_STREAM 3 ENHANCE_YOUR_CALM\n");
    assert_string_equal(record_log(&f.r), "head 2 200 2.0\nclosed 2 CW_NET_ERR_HEADER_LIMIT 11\n"
                                          "closed 1 CW_NET_ERR_HEADER_LIMIT 11\n"
                                          "room 4294967295\n");
    frames_close(&f);
}

static void push(frames *f)
{
    frames_raw(f, NGHTTP2_PUSH_PROMISE, NGHTTP2_FLAG_END_HEADERS, 1, "\0\0\0\2\x82\x86\x84", 7);
}

static void data_before_head(frames *f)
{
    frames_data(f, 0, 1, "x", 1);
}

static void server_request(frames *f)
{
    frames_request(f, END, 2, "GET", "/");
}

static void idle_stream(frames *f)
{
    respond(f, END, 7, "200");
}

static void settings_push(frames *f)
{
    frames_settings(f, (const uint32_t[]){NGHTTP2_SETTINGS_ENABLE_PUSH, 1, 0});
}

static void test_connection_errors(void **state)
{
    (void)state;
    static const struct {
        void (*write)(frames *f);
        const char *goaway;
    } rows[] = {
        {push, "GOAWAY 0 PROTOCOL_ERROR\n"},
        {data_before_head, "GOAWAY 0 PROTOCOL_ERROR DATA: stream not opened\n"},
        {server_request, "GOAWAY 0 PROTOCOL_ERROR request HEADERS: client received request\n"},
        {idle_stream, "GOAWAY 0 PROTOCOL_ERROR request HEADERS: client received request\n"},
        {settings_push, "GOAWAY 0 PROTOCOL_ERROR SETTINGS: server attempted to enable push\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        frames f;
        frames_start(&f, false, NULL);
        get(&f);
        (void)frames_read(&f);
        rows[i].write(&f);
        cw_net_status st = frames_feed(&f);
        const char *sent = frames_read(&f);
        if (st != CW_NET_ERR_PROTOCOL || strcmp(sent, rows[i].goaway) != 0) {
            fail_msg("row %zu: %d %s", i, st, sent);
        }
        assert_int_equal(f.r.error.code, NGHTTP2_PROTOCOL_ERROR);
        assert_string_equal(record_log(&f.r), "closed 1 CW_NET_ERR_PROTOCOL 1\nroom 0\n"
                                              "feed CW_NET_ERR_PROTOCOL 1\n");
        assert_true(is_done(&f));
        frames_close(&f);
    }
}

/* Interim responses without end bring nothing; resets, on the other hand, are the client's own. */
static void test_floods(void **state)
{
    (void)state;
    const cw_http_limits limits = {.max_empty_frames = 100, .max_resets = 1};
    frames f;
    frames_start(&f, false, &limits);
    for (int32_t id = 1; id <= 20; id += 2) {
        get(&f);
        (void)frames_read(&f);
        frames_rst(&f, id, NGHTTP2_REFUSED_STREAM);
        assert_int_equal(frames_feed(&f), CW_NET_OK);
    }
    get(&f);
    (void)frames_read(&f);
    cw_net_status st = CW_NET_OK;
    for (unsigned i = 0; st == CW_NET_OK && i < 200; i++) {
        respond(&f, 0, 21, "103");
        st = frames_feed(&f);
    }
    assert_int_equal(st, CW_NET_ERR_FLOOD);
    assert_string_equal(frames_read(&f), "GOAWAY 0 ENHANCE_YOUR_CALM\n");
    frames_close(&f);
}

static void test_not_http2(void **state)
{
    (void)state;
    frames f;
    frames_open(&f, false, NULL);
    get(&f);
    (void)frames_read(&f);
    assert_int_equal(record_feed_text(&f.r, "HTTP/1.1 400 Bad Request\r\n\r\n"),
                     CW_NET_ERR_PROTOCOL);
    assert_string_equal(f.r.error.detail, "SETTINGS expected");
    assert_non_null(strstr(record_log(&f.r), "closed 1 CW_NET_ERR_PROTOCOL 1\n"));
    assert_string_equal(frames_read(&f), "GOAWAY 0 PROTOCOL_ERROR SETTINGS expected\n");
    frames_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_flight),
        cmocka_unit_test(test_interim_responses),
        cmocka_unit_test(test_reading_window),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_stream_ids_end),
        cmocka_unit_test(test_goaway),
        cmocka_unit_test(test_goaway_in_two_steps),
        cmocka_unit_test(test_goaway_with_error),
        cmocka_unit_test(test_goaway_that_grows),
        cmocka_unit_test(test_resets),
        cmocka_unit_test(test_early_response),
        cmocka_unit_test(test_feed_end),
        cmocka_unit_test(test_cancel_unsent),
        cmocka_unit_test(test_request_too_large),
        cmocka_unit_test(test_shutdown),
        cmocka_unit_test(test_malformed_responses),
        cmocka_unit_test(test_header_limits),
        cmocka_unit_test(test_connection_errors),
        cmocka_unit_test(test_floods),
        cmocka_unit_test(test_not_http2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
