/* SPDX-License-Identifier: MIT */
/* HTTP/2: shutdown, time limits, the end of a connection, memory that runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "h2_frames.h"
#include "h2_pair.h"

enum { END = NGHTTP2_FLAG_END_STREAM };

static const cw_http_fields no_fields = {NULL, 0};

/* ---- shutdown ---------------------------------------------------------------------------------
 */

/* GOAWAY in two steps: what arrives between them is answered, what comes later is not. */
static void test_two_goaways(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    const cw__core_ops *ops = f.r.core->ops;
    frames_request(&f, END, 1, "GET", "/in-work");
    assert_string_equal(frames_exchange(&f), "");
    ops->shutdown(f.r.core);
    ops->shutdown(f.r.core); /* once is enough */
    assert_string_equal(frames_read(&f), "PING cw-drain\nGOAWAY 2147483647 NO_ERROR\n");
    frames_request(&f, END, 3, "GET", "/between");
    assert_string_equal(frames_exchange(&f), "");
    assert_int_equal(f.r.ended, 2);
    frames_ping(&f, NGHTTP2_FLAG_ACK, "cw-drain");
    frames_request(&f, END, 5, "GET", "/just-in-time");
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_true(ops->wants_write(f.r.core));
    assert_string_equal(frames_read(&f), "GOAWAY 5 NO_ERROR\n");
    frames_request(&f, END, 7, "GET", "/late");
    assert_string_equal(frames_exchange(&f), "");
    assert_int_equal(f.r.streams, 3);
    assert_false(ops->is_done(f.r.core));
    for (unsigned i = 1; i <= 3; i++) {
        assert_int_equal(
            ops->respond(record_find(&f.r, i), 200, no_fields, cw_bytes_of("ok", 2), true),
            CW_NET_OK);
    }
    const char *sent = frames_read(&f);
    assert_non_null(strstr(sent, "DATA 1 2 END ok\n"));
    assert_non_null(strstr(sent, "DATA 3 2 END ok\n"));
    assert_non_null(strstr(sent, "DATA 5 2 END ok\n"));
    assert_int_equal(f.r.closed, 3);
    assert_int_equal(f.r.why.status, CW_NET_OK);
    assert_true(ops->is_done(f.r.core));
    assert_false(ops->wants_write(f.r.core));
    frames_close(&f);
}

/* Requests that come after the last stream was named, and before the naming was sent. */
static void test_named_and_not_sent(void **state)
{
    (void)state;
    static const char body[200000];
    frames f;
    frames_start(&f, true, NULL);
    const cw__core_ops *ops = f.r.core->ops;
    frames_request(&f, END, 1, "GET", "/");
    assert_string_equal(frames_exchange(&f), "");
    ops->shutdown(f.r.core);
    (void)frames_read(&f);
    frames_ping(&f, NGHTTP2_FLAG_ACK, "cw-drain");
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    const cw_http_field field = {CW_STR("x"), CW_STR("y")};
    assert_int_equal(ops->respond(record_find(&f.r, 1), 200, (cw_http_fields){&field, 1},
                                  cw_bytes_of(body, sizeof body), true),
                     CW_NET_OK);
    f.r.drain_max = 1; /* HEADERS are ahead of GOAWAY */
    assert_string_equal(frames_read(&f), "HEADERS 1\n  :status: 200\n  x: y\n"
                                         "  content-length: 200000\n");
    frames_request(&f, END, 3, "GET", "/");
    assert_int_equal(frames_feed(&f), CW_NET_OK);
    assert_int_equal(f.r.streams, 1);
    f.r.drain_max = 0;
    const char *sent = frames_read(&f);
    assert_non_null(strstr(sent, "GOAWAY 1 NO_ERROR\n"));
    assert_non_null(strstr(sent, "RST_STREAM 3 REFUSED_STREAM\n"));
    frames_close(&f);
}

/* The client answers the PING and breaks the rules in one breath: nothing is due any more. */
static void test_failed_while_naming(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    f.r.core->ops->shutdown(f.r.core);
    (void)frames_read(&f);
    frames_ping(&f, NGHTTP2_FLAG_ACK, "cw-drain");
    frames_data(&f, 0, 1, "x", 1);
    assert_int_equal(frames_feed(&f), CW_NET_ERR_PROTOCOL);
    assert_string_equal(frames_read(&f), "GOAWAY 0 PROTOCOL_ERROR DATA: stream in idle\n");
    assert_false(f.r.core->ops->wants_write(f.r.core));
    frames_close(&f);
}

/* A client that does not answer the PING is not waited for. */
static void test_goaway_by_time(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    const cw__core_ops *ops = f.r.core->ops;
    ops->shutdown(f.r.core);
    (void)frames_read(&f);
    ops->sweep(f.r.core, f.now);
    ops->sweep(f.r.core, f.now + 1000);
    assert_string_equal(frames_read(&f), "");
    assert_false(ops->is_done(f.r.core));
    ops->sweep(f.r.core, f.now + 1001);
    assert_string_equal(frames_read(&f), "GOAWAY 0 NO_ERROR\n");
    assert_true(ops->is_done(f.r.core));
    frames_close(&f);
}

/* Two cores: requests go on being answered while the server shuts down. */
static void test_shutdown_of_pair(void **state)
{
    (void)state;
    h2_pair p;
    h2_pair_open(&p, NULL);
    h2_pair_request(&p, "GET", "/1", h2_pair_bytes(""));
    h2_pair_to_server(&p);
    h2_pair_request(&p, "GET", "/2", h2_pair_bytes(""));
    p.server.core->ops->shutdown(p.server.core);
    h2_pair_run(&p);
    assert_non_null(strstr(record_log(&p.client), "closed 1 CW_NET_OK 0\n"));
    assert_non_null(strstr(record_log(&p.client), "closed 2 CW_NET_OK 0\n"));
    assert_int_equal(p.client.core->ops->room(p.client.core), 0);
    assert_true(p.client.core->ops->is_done(p.client.core));
    assert_true(p.server.core->ops->is_done(p.server.core));
    h2_pair_close(&p);
}

/* ---- time limits ------------------------------------------------------------------------------
 */

static void sweep(frames *f, unsigned ms)
{
    f->now += ms;
    f->r.core->ops->sweep(f->r.core, f->now);
}

static void test_body_timeout(void **state)
{
    (void)state;
    const cw_http_limits limits = {.body_timeout_ms = 5000};
    frames f;
    frames_start(&f, true, &limits);
    frames_request(&f, 0, 1, "POST", "/");
    frames_data(&f, 0, 1, "abc", 3);
    frames_request(&f, END, 3, "GET", "/"); /* the handler is slow: no offence */
    assert_string_equal(frames_exchange(&f), "");
    sweep(&f, 1000); /* sees the progress of before */
    sweep(&f, 4999);
    frames_data(&f, 0, 1, "d", 1);
    assert_string_equal(frames_exchange(&f), "");
    sweep(&f, 1);
    sweep(&f, 4999);
    frames_ping(&f, 0, "12345678"); /* no progress */
    frames_window(&f, 1, 10000);
    assert_string_equal(frames_exchange(&f), "PING ACK 12345678\n");
    sweep(&f, 1);
    assert_string_equal(frames_read(&f), "RST_STREAM 1 CANCEL\n");
    assert_non_null(strstr(record_log(&f.r), "closed 1 CW_NET_ERR_TIMEOUT 8 after 4 abcd\n"));
    assert_string_equal(f.r.why.detail, "the peer sends no bytes");
    assert_int_equal(f.r.core->ops->streams(f.r.core), 1);
    frames_close(&f);
}

/* While we do not take its bytes the peer is not to blame for silence. */
static void test_body_timeout_of_stalled_reader(void **state)
{
    (void)state;
    static const char data[10000];
    const cw_http_limits limits = {.body_timeout_ms = 5000, .stream_window = 10000};
    frames f;
    frames_start(&f, true, &limits);
    f.r.keeps_body = true;
    frames_request(&f, 0, 1, "POST", "/");
    frames_data(&f, 0, 1, data, sizeof data);
    assert_string_equal(frames_exchange(&f), "");
    sweep(&f, 1000);
    sweep(&f, 100000);
    f.r.core->ops->consume(record_find(&f.r, 1), sizeof data);
    assert_string_equal(frames_read(&f), "WINDOW_UPDATE 1 10000\n");
    sweep(&f, 4999); /* from now on it is */
    assert_string_equal(frames_read(&f), "");
    sweep(&f, 1);
    assert_string_equal(frames_read(&f), "RST_STREAM 1 CANCEL\n");
    frames_close(&f);
}

static void test_window_timeout(void **state)
{
    (void)state;
    static const char body[100000];
    const cw_http_limits limits = {.body_timeout_ms = 5000};
    frames f;
    frames_start(&f, true, &limits);
    frames_request(&f, END, 1, "GET", "/");
    assert_string_equal(frames_exchange(&f), "");
    assert_int_equal(f.r.core->ops->respond(record_find(&f.r, 1), 200, no_fields,
                                            cw_bytes_of(body, sizeof body), true),
                     CW_NET_OK);
    (void)frames_read(&f); /* 65,535 bytes of it */
    sweep(&f, 1000);
    sweep(&f, 4999);
    frames_window(&f, 1, 1000);
    frames_window(&f, 0, 1000);
    assert_string_equal(frames_exchange(&f), "DATA 1 1000\n");
    sweep(&f, 1);
    sweep(&f, 4999);
    assert_string_equal(frames_read(&f), "");
    sweep(&f, 1);
    assert_string_equal(frames_read(&f), "RST_STREAM 1 CANCEL\n");
    assert_non_null(strstr(record_log(&f.r), "closed 1 CW_NET_ERR_TIMEOUT 8\n"));
    assert_string_equal(f.r.why.detail, "the peer takes no bytes");
    frames_close(&f);
}

/* A stream whose bytes wait behind those of others is not stuck. */
static void test_waiting_behind_others(void **state)
{
    (void)state;
    static const char body[3000000];
    static const char *const first[] = {FRAMES_REQUEST, "priority", "u=0", NULL};
    const cw_http_limits limits = {.body_timeout_ms = 5000};
    frames f;
    frames_start(&f, true, &limits);
    frames_settings(&f, (const uint32_t[]){NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 5000000, 0});
    frames_headers(&f, END, 1, first);
    frames_request(&f, END, 3, "GET", "/");
    assert_string_equal(frames_exchange(&f), "SETTINGS ACK\n");
    for (unsigned i = 1; i <= 2; i++) {
        assert_int_equal(f.r.core->ops->respond(record_find(&f.r, i), 200, no_fields,
                                                cw_bytes_of(body, sizeof body), true),
                         CW_NET_OK);
    }
    (void)frames_read(&f);
    for (unsigned i = 0; i < 20; i++) {
        frames_window(&f, 0, 16384);
        assert_string_equal(frames_exchange(&f), "DATA 1 16384\n");
        sweep(&f, 3000);
    }
    assert_int_equal(f.r.closed, 0);
    sweep(&f, 5000); /* but when nothing moves, both are */
    assert_non_null(strstr(frames_read(&f), "RST_STREAM 3 CANCEL\n"));
    assert_int_equal(f.r.closed, 2);
    frames_close(&f);
}

/* A client waits for the head as long as its owner does, but not for a body. */
static void test_client_timeout(void **state)
{
    (void)state;
    static const char *const fields[] = {":status", "200", NULL};
    const cw_http_limits limits = {.body_timeout_ms = 5000};
    const cw_http_head head = {.method = CW_STR("GET"),
                               .scheme = CW_STR("http"),
                               .authority = CW_STR("host"),
                               .path = CW_STR("/")};
    frames f;
    frames_start(&f, false, &limits);
    assert_non_null(record_request(&f.r, &head, cw_bytes_of(NULL, 0), true, false));
    (void)frames_read(&f);
    sweep(&f, 100000);
    sweep(&f, 100000);
    frames_headers(&f, 0, 1, fields);
    assert_string_equal(frames_exchange(&f), "");
    sweep(&f, 1);
    sweep(&f, 4999);
    assert_int_equal(f.r.closed, 0);
    sweep(&f, 1);
    assert_string_equal(frames_read(&f), "RST_STREAM 1 CANCEL\n");
    assert_int_equal(f.r.why.status, CW_NET_ERR_TIMEOUT);
    frames_close(&f);
}

/* Timeouts are charged: the connection of a peer that has too many ends. */
static void test_timeout_flood(void **state)
{
    (void)state;
    const cw_http_limits limits = {.body_timeout_ms = 10, .max_resets = 3};
    frames f;
    frames_start(&f, true, &limits);
    for (int32_t id = 1; id <= 7; id += 2) {
        frames_request(&f, 0, id, "POST", "/");
    }
    assert_string_equal(frames_exchange(&f), "");
    sweep(&f, 1);
    sweep(&f, 10);
    assert_true(f.r.core->ops->wants_write(f.r.core));
    assert_string_equal(frames_read(&f), "GOAWAY 7 ENHANCE_YOUR_CALM\n");
    assert_int_equal(f.r.closed, 4);
    assert_true(f.r.core->ops->is_done(f.r.core));
    frames_ping(&f, 0, "12345678");
    assert_int_equal(frames_feed(&f), CW_NET_ERR_FLOOD);
    frames_close(&f);
}

/* Recycled streams are given back when the connection idles. */
static void test_spares(void **state)
{
    (void)state;
    h2_pair p;
    h2_pair_open(&p, NULL);
    for (unsigned i = 0; i < 100; i++) {
        h2_pair_request(&p, "GET", "/", h2_pair_bytes(""));
    }
    h2_pair_run(&p);
    const cw__http2 *c = (const cw__http2 *)p.server.core;
    assert_int_equal(c->spares, 64);
    cw__stream *s = h2_pair_begin(&p, "PUT", no_fields, h2_pair_bytes("x"), false);
    h2_pair_run(&p);
    assert_int_equal(c->spares, 63);
    p.server.core->ops->sweep(p.server.core, p.now);
    assert_int_equal(c->spares, 63);
    assert_int_equal(p.client.core->ops->end(s, no_fields), CW_NET_OK);
    h2_pair_run(&p);
    p.server.core->ops->sweep(p.server.core, p.now);
    assert_int_equal(c->spares, 0);
    h2_pair_request(&p, "GET", "/", h2_pair_bytes(""));
    h2_pair_run(&p);
    assert_int_equal(p.client.why.status, CW_NET_OK);
    h2_pair_close(&p);
}

/* ---- the end of the connection ----------------------------------------------------------------
 */

/* The client has ended its direction only: what it has asked for in full is answered. */
static void test_feed_end(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    const cw__core_ops *ops = f.r.core->ops;
    frames_request(&f, END, 1, "GET", "/");
    frames_request(&f, 0, 3, "POST", "/");
    frames_data(&f, 0, 3, "half", 4);
    assert_string_equal(frames_exchange(&f), "");
    assert_int_equal(record_feed_end(&f.r), CW_NET_ERR_CLOSED);
    assert_string_equal(f.r.error.detail, "in the middle of a message");
    assert_non_null(strstr(record_log(&f.r), "closed 2 CW_NET_ERR_CLOSED 0 after 4 half\n"));
    assert_false(ops->is_done(f.r.core));
    assert_int_equal(ops->respond(record_find(&f.r, 1), 200, no_fields, cw_bytes_of("ok", 2), true),
                     CW_NET_OK);
    assert_non_null(strstr(frames_read(&f), "DATA 1 2 END ok\n"));
    assert_int_equal(f.r.why.status, CW_NET_OK);
    assert_true(ops->is_done(f.r.core));
    frames_close(&f);
}

static void test_feed_end_in_head(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    frames_raw(&f, NGHTTP2_HEADERS, 0, 1, "\x82", 1);
    assert_string_equal(frames_exchange(&f), "");
    assert_int_equal(record_feed_end(&f.r), CW_NET_ERR_CLOSED);
    assert_non_null(strstr(record_log(&f.r), "closed 1 CW_NET_ERR_CLOSED 0\n"));
    frames_close(&f);
    frames_open(&f, true, NULL);
    assert_int_equal(record_feed_text(&f.r, "PRI"), CW_NET_OK);
    assert_int_equal(record_feed_end(&f.r), CW_NET_ERR_CLOSED);
    assert_string_equal(f.r.error.detail, "in the middle of a head");
    frames_close(&f);
    frames_start(&f, true, NULL);
    assert_int_equal(record_feed_end(&f.r), CW_NET_OK);
    assert_true(f.r.core->ops->is_done(f.r.core));
    frames_close(&f);
}

/* A client that says GOAWAY and has nothing open. */
static void test_goaway_of_client(void **state)
{
    (void)state;
    frames f;
    frames_start(&f, true, NULL);
    frames_request(&f, END, 1, "GET", "/");
    frames_goaway(&f, 0, NGHTTP2_NO_ERROR);
    assert_string_equal(frames_exchange(&f), "");
    assert_false(f.r.core->ops->is_done(f.r.core));
    assert_int_equal(
        f.r.core->ops->respond(record_find(&f.r, 1), 204, no_fields, cw_bytes_of(NULL, 0), true),
        CW_NET_OK);
    assert_string_equal(frames_read(&f), "HEADERS 1 END\n  :status: 204\n");
    assert_true(f.r.core->ops->is_done(f.r.core));
    frames_close(&f);
}

static void request_again(record *r, cw__stream *s, const char *event)
{
    (void)s;
    if (strcmp(event, "closed") == 0 && !r->core->ops->is_done(r->core)) {
        fail_msg("the core is being freed");
    }
}

/* Streams of every kind are closed by free, with its reason. */
static void test_freed_with_streams(void **state)
{
    (void)state;
    h2_pair p;
    h2_pair_open(&p, NULL);
    p.server.on = NULL;
    h2_pair_request(&p, "GET", "/", h2_pair_bytes(""));
    cw__stream *second = h2_pair_begin(&p, "PUT", no_fields, h2_pair_bytes("body"), false);
    h2_pair_run(&p);
    h2_pair_request(&p, "GET", "/unsent", h2_pair_bytes(""));
    const cw_net_error gone = {.status = CW_NET_ERR_CANCELLED, .code = 3};
    p.client.core->ops->reset(second, &gone);
    record_clear(&p.client);
    record_clear(&p.server);
    p.client.on = request_again;
    const cw_net_error why = {.status = CW_NET_ERR_SHUTDOWN, .code = 7};
    p.client.core->ops->free(p.client.core, &why);
    p.server.core->ops->free(p.server.core, &why);
    p.client.core = p.server.core = NULL;
    assert_string_equal(record_log(&p.client),
                        "closed 3 CW_NET_ERR_SHUTDOWN 7\nclosed 1 CW_NET_ERR_SHUTDOWN 7\n"
                        "closed 2 CW_NET_ERR_CANCELLED 3\n");
    assert_string_equal(record_log(&p.server), "closed 2 CW_NET_ERR_SHUTDOWN 7 after 4 body\n"
                                               "closed 1 CW_NET_ERR_SHUTDOWN 7\n");
    h2_pair_close(&p);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* Answers; without memory it gives the stream up. */
static void answer(record *r, cw__stream *s, const char *event)
{
    if (strcmp(event, "end") == 0) {
        static const cw_http_field trailer = {CW_STR_INIT("x-t"), CW_STR_INIT("v")};
        const cw__core_ops *ops = r->core->ops;
        cw_net_status st = ops->respond(s, 200, no_fields, record_body(s), false);
        st = st == CW_NET_OK ? ops->end(s, (cw_http_fields){&trailer, 1}) : st;
        if (st != CW_NET_OK) {
            assert_int_equal(st, CW_NET_ERR_MEMORY);
            const cw_net_error e = {.status = st};
            ops->reset(s, &e);
        }
    }
}

static void converse(frames *f)
{
    static const char *const trailers[] = {"x", "y", NULL};
    frames_request(f, END, 21, "GET", "/");
    frames_request(f, 0, 23, "POST", "/");
    frames_data(f, 0, 23, "abc", 3);
    frames_headers(f, END, 23, trailers);
    frames_request(f, 0, 25, "POST", "/");
    frames_rst(f, 25, NGHTTP2_CANCEL);
    frames_request(f, 0, 27, "POST", "no path");
    frames_ping(f, 0, "12345678");
    (void)frames_feed(f);
    (void)record_drain(&f->r);
    f->r.core->ops->shutdown(f->r.core);
    frames_ping(f, NGHTTP2_FLAG_ACK, "cw-drain");
    (void)frames_feed(f);
    (void)record_drain(&f->r);
    (void)record_feed_end(&f->r);
}

/* A core whose nghttp2 has memory for n more allocations. Something has been sent before: nghttp2
 * 1.52 frees a frame twice when its queue of streams cannot grow. */
static void begin_limited(frames *f, frames_heap *h, nghttp2_mem *mem, bool is_server, size_t n)
{
    *h = (frames_heap){.used = 0};
    *mem = frames_heap_mem(h);
    frames_open_with(f, is_server, NULL, mem);
    assert_non_null(f->r.core);
    if (is_server) {
        f->r.on = answer;
        frames_request(f, END, 11, "POST", "/");
    }
    (void)frames_exchange(f);
    record_clear(&f->r);
    h->left = n;
    h->is_limited = true;
}

/* Each stream was closed once, and where anything went wrong somebody was told. */
static bool end_limited(frames *f, const frames_heap *h, size_t n)
{
    bool ran_out = h->refused > 0;
    if (f->r.closed != f->r.streams ||
        (ran_out && strstr(record_log(&f->r), "CW_NET_ERR_MEMORY") == NULL)) {
        fail_msg("allocation %zu: %s", n, record_log(&f->r));
    }
    frames_close(f);
    assert_int_equal(h->used, 0);
    return ran_out;
}

/* nghttp2's n-th allocation fails, for every n, and all after it. */
static void test_server_without_memory(void **state)
{
    (void)state;
    size_t n = 0;
    for (bool ran_out = true; ran_out; n++) {
        frames_heap h;
        nghttp2_mem mem;
        frames f;
        begin_limited(&f, &h, &mem, true, n);
        converse(&f);
        ran_out = end_limited(&f, &h, n);
    }
    assert_in_range(n, 20, 1000);
}

static void test_client_without_memory(void **state)
{
    (void)state;
    static const char *const fields[] = {":status", "200", "x", "y", NULL};
    const cw_http_head head = {.method = CW_STR("POST"),
                               .scheme = CW_STR("http"),
                               .authority = CW_STR("host"),
                               .path = CW_STR("/")};
    size_t n = 0;
    for (bool ran_out = true; ran_out; n++) {
        frames_heap h;
        nghttp2_mem mem;
        frames f;
        begin_limited(&f, &h, &mem, false, n);
        if (record_request(&f.r, &head, cw_bytes_of("abc", 3), true, false) == NULL ||
            record_request(&f.r, &head, cw_bytes_of("abc", 3), false, false) == NULL) {
            assert_int_equal(f.r.error.status, CW_NET_ERR_MEMORY);
            assert_true(cw__buf_append(&f.r.log, "CW_NET_ERR_MEMORY", 17));
        }
        (void)record_drain(&f.r);
        frames_headers(&f, 0, 1, fields);
        frames_data(&f, END, 1, "body", 4);
        (void)frames_feed(&f);
        (void)record_drain(&f.r);
        (void)record_feed_end(&f.r);
        ran_out = end_limited(&f, &h, n);
    }
    assert_in_range(n, 10, 1000);
}

/* No core where there is no memory for one. */
static void test_open_without_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        size_t n = 0;
        for (bool is_open = false; !is_open; n++) {
            frames_heap h = {.left = n, .is_limited = true};
            nghttp2_mem mem = frames_heap_mem(&h);
            frames f;
            frames_open_with(&f, i == 0, NULL, &mem);
            is_open = f.r.core != NULL;
            frames_close(&f);
            assert_int_equal(h.used, 0);
        }
        assert_in_range(n, 5, 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_goaways),
        cmocka_unit_test(test_named_and_not_sent),
        cmocka_unit_test(test_failed_while_naming),
        cmocka_unit_test(test_goaway_by_time),
        cmocka_unit_test(test_shutdown_of_pair),
        cmocka_unit_test(test_body_timeout),
        cmocka_unit_test(test_body_timeout_of_stalled_reader),
        cmocka_unit_test(test_window_timeout),
        cmocka_unit_test(test_waiting_behind_others),
        cmocka_unit_test(test_client_timeout),
        cmocka_unit_test(test_timeout_flood),
        cmocka_unit_test(test_spares),
        cmocka_unit_test(test_feed_end),
        cmocka_unit_test(test_feed_end_in_head),
        cmocka_unit_test(test_goaway_of_client),
        cmocka_unit_test(test_freed_with_streams),
        cmocka_unit_test(test_server_without_memory),
        cmocka_unit_test(test_client_without_memory),
        cmocka_unit_test(test_open_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
