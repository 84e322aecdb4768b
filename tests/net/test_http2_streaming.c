/* SPDX-License-Identifier: MIT */
/* HTTP/2: messages in pieces, early answers, many streams, bytes cut anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "h2_pair.h"

static const cw_http_fields no_fields = {NULL, 0};

/* ---- streamed bodies --------------------------------------------------------------------------
 */

static void test_streamed_both_ways(void **state)
{
    (void)state;
    static const cw_http_field trailer[] = {{CW_STR_INIT("x-sum"), CW_STR_INIT("1")},
                                            {CW_STR_INIT("grpc-status"), CW_STR_INIT("0")}};
    h2_pair p;
    h2_pair_open(&p, NULL);
    p.server.on = NULL;
    const cw__core_ops *ops = p.client.core->ops;
    cw__stream *up = h2_pair_begin(&p, "POST", no_fields, h2_pair_bytes(""), false);
    h2_pair_run(&p);
    assert_string_equal(record_log(&p.server), "stream 1\nhead 1 POST http host / 2.0\n");
    cw__stream *down = record_find(&p.server, 1);
    assert_int_equal(ops->respond(down, 200, no_fields, h2_pair_bytes("he"), false), CW_NET_OK);
    assert_int_equal(ops->write(up, h2_pair_bytes("one ")), CW_NET_OK);
    h2_pair_run(&p);
    assert_int_equal(h2_pair_arrived(&p.server, 1), 4);
    assert_int_equal(h2_pair_arrived(&p.client, 1), 2);
    assert_false(down->sent);
    assert_int_equal(ops->write(up, h2_pair_bytes("two ")), CW_NET_OK);
    assert_int_equal(ops->write(up, h2_pair_bytes("")), CW_NET_OK);
    assert_int_equal(ops->write(up, h2_pair_bytes("three")), CW_NET_OK);
    assert_int_equal(ops->unsent(up), 9);
    assert_int_equal(ops->write(down, h2_pair_bytes("llo")), CW_NET_OK);
    h2_pair_run(&p);
    assert_int_equal(ops->unsent(up), 0);
    assert_int_equal(ops->end(up, (cw_http_fields){trailer, 1}), CW_NET_OK);
    assert_int_equal(ops->end(up, no_fields), CW_NET_ERR_ARGUMENT);
    assert_int_equal(ops->write(up, h2_pair_bytes("more")), CW_NET_ERR_ARGUMENT);
    h2_pair_run(&p);
    assert_true(down->received);
    assert_int_equal(ops->end(down, (cw_http_fields){trailer, 2}), CW_NET_OK);
    h2_pair_run(&p);
    assert_string_equal(record_log(&p.server),
                        "stream 1\nhead 1 POST http host / 2.0\n"
                        "end 1 13 one two three\n  ~ x-sum: 1\nclosed 1 CW_NET_OK 0\n");
    assert_string_equal(record_log(&p.client),
                        "room 127\nhead 1 200 2.0\nend 1 5 hello\n  ~ x-sum: 1\n"
                        "  ~ grpc-status: 0\nclosed 1 CW_NET_OK 0\nroom 128\n");
    h2_pair_close(&p);
}

/* Trailers without any body, and the end said together with the head. */
static void test_trailers_without_body(void **state)
{
    (void)state;
    static const cw_http_field trailer = {CW_STR_INIT("x-t"), CW_STR_INIT("v")};
    h2_pair p;
    h2_pair_open(&p, NULL);
    p.server.on = NULL;
    const cw__core_ops *ops = p.client.core->ops;
    cw__stream *up = h2_pair_begin(&p, "PUT", no_fields, h2_pair_bytes(""), false);
    assert_int_equal(ops->end(up, (cw_http_fields){&trailer, 1}), CW_NET_OK);
    h2_pair_run(&p);
    cw__stream *down = record_find(&p.server, 1);
    assert_int_equal(ops->respond(down, 404, no_fields, h2_pair_bytes(""), false), CW_NET_OK);
    assert_int_equal(ops->end(down, no_fields), CW_NET_OK);
    h2_pair_run(&p);
    assert_string_equal(record_log(&p.server), "stream 1\nhead 1 PUT http host / 2.0\n"
                                               "end 1 0 \n  ~ x-t: v\nclosed 1 CW_NET_OK 0\n");
    assert_string_equal(record_log(&p.client),
                        "room 127\nhead 1 404 2.0\nend 1 0 \nclosed 1 CW_NET_OK 0\nroom 128\n");
    h2_pair_close(&p);
}

/* A response to HEAD that is streamed has no body all the same. */
static void test_streamed_head_response(void **state)
{
    (void)state;
    h2_pair p;
    h2_pair_open(&p, NULL);
    p.server.on = NULL;
    const cw__core_ops *ops = p.client.core->ops;
    h2_pair_request(&p, "HEAD", "/", h2_pair_bytes(""));
    h2_pair_to_server(&p);
    cw__stream *down = record_find(&p.server, 1);
    assert_int_equal(ops->respond(down, 200, no_fields, h2_pair_bytes("not sent"), false),
                     CW_NET_OK);
    assert_int_equal(ops->write(down, h2_pair_bytes("nor this")), CW_NET_OK);
    assert_int_equal(ops->unsent(down), 0);
    assert_int_equal(ops->end(down, no_fields), CW_NET_OK);
    h2_pair_run(&p);
    assert_string_equal(record_log(&p.client),
                        "head 1 200 2.0\nend 1 0 \nclosed 1 CW_NET_OK 0\nroom 128\n");
    h2_pair_close(&p);
}

static void write_more(record *r, cw__stream *s, const char *event)
{
    if (strcmp(event, "writable") == 0 && r->core->ops->unsent(s) < CW__LOW_WATER) {
        static uint8_t block[100000];
        unsigned *left = ((h2_pair *)r->user)->user;
        if (*left > 0) {
            --*left;
            assert_int_equal(r->core->ops->write(s, cw_bytes_of(block, sizeof block)), CW_NET_OK);
        } else {
            assert_int_equal(r->core->ops->end(s, no_fields), CW_NET_OK);
        }
    }
}

/* on_writable comes once each time that unsent() falls below the mark; what it writes, or ends, is
 * sent along. */
static void test_writable(void **state)
{
    (void)state;
    static uint8_t block[100000];
    h2_pair p;
    h2_pair_open(&p, NULL);
    p.server.on = NULL;
    h2_pair_request(&p, "GET", "/", h2_pair_bytes(""));
    h2_pair_to_server(&p);
    cw__stream *s = record_find(&p.server, 1);
    const cw__core_ops *ops = p.server.core->ops;
    assert_int_equal(ops->respond(s, 200, no_fields, cw_bytes_of(block, sizeof block), false),
                     CW_NET_OK);
    assert_int_equal(ops->unsent(s), 100000);
    unsigned left = 4;
    p.server.on = write_more;
    p.user = &left;
    h2_pair_run(&p);
    assert_string_equal(record_log(&p.server),
                        "stream 1\nhead 1 GET http host / 2.0\nend 1 0 \nwritable 1\nwritable 1\n"
                        "writable 1\nwritable 1\nwritable 1\nclosed 1 CW_NET_OK 0\n");
    assert_non_null(strstr(record_log(&p.client), "\nend 1 500000 "));
    h2_pair_close(&p);
}

/* Long responses share the connection: a short one need not wait for a long one's end. */
static void answer_second_short(record *r, cw__stream *s, const char *event)
{
    static uint8_t block[900000];
    if (strcmp(event, "end") == 0) {
        size_t n = record_number(s) == 1 ? sizeof block : 10;
        assert_int_equal(r->core->ops->respond(s, 200, no_fields, cw_bytes_of(block, n), true),
                         CW_NET_OK);
    }
}

static void test_fair_share(void **state)
{
    (void)state;
    h2_pair p;
    h2_pair_open(&p, NULL);
    p.server.on = answer_second_short;
    h2_pair_request(&p, "GET", "/long", h2_pair_bytes(""));
    h2_pair_request(&p, "GET", "/short", h2_pair_bytes(""));
    h2_pair_to_server(&p);
    p.server.drain_max = 100000;
    h2_pair_to_client(&p);
    assert_non_null(strstr(record_log(&p.client), "closed 2 CW_NET_OK"));
    assert_null(strstr(record_log(&p.client), "closed 1"));
    assert_in_range(p.to_client, 100000, 120000); /* drain stops soon after its maximum */
    h2_pair_run(&p);
    assert_non_null(strstr(record_log(&p.client), "closed 1 CW_NET_OK"));
    h2_pair_close(&p);
}

/* ---- expectations and early answers -----------------------------------------------------------
 */

static void continue_at_head(record *r, cw__stream *s, const char *event)
{
    if (strcmp(event, "head") == 0) {
        assert_true(s->expects_continue);
        r->core->ops->send_continue(s);
        assert_false(s->expects_continue);
        r->core->ops->send_continue(s); /* once is enough */
    }
    record_echo(r, s, event);
}

static void test_continue(void **state)
{
    (void)state;
    const cw_http_field expect = {CW_STR("expect"), CW_STR("100-Continue")};
    h2_pair p;
    h2_pair_open(&p, NULL);
    p.server.on = continue_at_head;
    cw__stream *s =
        h2_pair_begin(&p, "PUT", (cw_http_fields){&expect, 1}, h2_pair_bytes(""), false);
    h2_pair_run(&p);
    assert_string_equal(record_log(&p.client), "continue 1\nroom 127\n");
    assert_int_equal(s->head.status, 0);
    p.client.core->ops->go_on(s); /* nothing was held back */
    assert_int_equal(p.client.core->ops->write(s, h2_pair_bytes("body")), CW_NET_OK);
    assert_int_equal(p.client.core->ops->end(s, no_fields), CW_NET_OK);
    h2_pair_run(&p);
    assert_non_null(strstr(record_log(&p.client), "head 1 200 2.0\n  x-number: 1\n"));
    assert_int_equal(p.client.why.status, CW_NET_OK);
    h2_pair_close(&p);
}

static void refuse_at_head(record *r, cw__stream *s, const char *event)
{
    if (strcmp(event, "head") == 0) {
        assert_int_equal(r->core->ops->respond(s, 413, no_fields, h2_pair_bytes("too large"), true),
                         CW_NET_OK);
    }
}

/* The server answers while the client still sends: the answer counts, the rest is stopped. */
static void test_early_answer(void **state)
{
    (void)state;
    const cw_http_limits limits = {.stream_window = 50000};
    uint8_t *body = h2_pair_pattern(200000);
    h2_pair p;
    h2_pair_open(&p, &limits);
    h2_pair_run(&p);
    p.server.on = refuse_at_head;
    h2_pair_request(&p, "POST", "/", cw_bytes_of(body, 200000));
    h2_pair_run(&p);
    assert_non_null(strstr(record_log(&p.client), "head 1 413 2.0\n  content-length: 9\n"
                                                  "end 1 9 too large\nclosed 1 CW_NET_OK 0\n"));
    assert_non_null(strstr(record_log(&p.server), "closed 1 CW_NET_OK 0 after"));
    h2_pair_request(&p, "GET", "/", h2_pair_bytes("")); /* the connection is fine */
    h2_pair_run(&p);
    assert_non_null(strstr(record_log(&p.client), "end 2 9 too large\nclosed 2 CW_NET_OK 0\n"));
    h2_pair_close(&p);
    free(body);
}

/* ---- many at once, cuts -----------------------------------------------------------------------
 */

static void test_hundred_at_once(void **state)
{
    (void)state;
    h2_pair p;
    h2_pair_open(&p, NULL);
    assert_int_equal(p.client.core->ops->room(p.client.core), 100); /* before SETTINGS */
    uint8_t *body = h2_pair_pattern(5000);
    for (size_t i = 0; i < 100; i++) {
        assert_non_null(h2_pair_request(&p, "POST", "/", cw_bytes_of(body, 50 * i)));
    }
    assert_null(h2_pair_request(&p, "GET", "/", h2_pair_bytes("")));
    assert_int_equal(p.client.error.status, CW_NET_ERR_BUSY);
    assert_int_equal(p.client.core->ops->room(p.client.core), 0);
    assert_int_equal(p.client.core->ops->streams(p.client.core), 100);
    h2_pair_run(&p);
    assert_int_equal(p.client.core->ops->room(p.client.core), 128);
    assert_int_equal(p.client.ended, 100);
    assert_int_equal(p.server.ended, 100);
    for (unsigned i = 1; i <= 100; i++) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "end %u %u ", i, 50 * (i - 1));
        assert_non_null(strstr(record_log(&p.client), wanted));
        snprintf(wanted, sizeof wanted, "closed %u CW_NET_OK 0\n", i);
        assert_non_null(strstr(record_log(&p.client), wanted));
    }
    h2_pair_close(&p);
    free(body);
}

/* Everything of the first flight is in one drain: preface, SETTINGS, window, request. */
static void test_first_flight(void **state)
{
    (void)state;
    h2_pair p;
    h2_pair_open(&p, NULL);
    assert_true(p.client.core->ops->wants_write(p.client.core));
    assert_true(p.client.core->ops->wants_read(p.client.core));
    assert_false(cw__http2_is_ready(p.client.core));
    h2_pair_request(&p, "POST", "/", h2_pair_bytes("hello"));
    assert_true(h2_pair_to_server(&p));
    assert_string_equal(record_log(&p.server), "stream 1\nhead 1 POST http host / 2.0\n"
                                               "  content-length: 5\nend 1 5 hello\n");
    assert_true(h2_pair_to_client(&p));
    assert_true(cw__http2_is_ready(p.client.core));
    assert_int_equal(p.client.ended, 1);
    h2_pair_run(&p);
    assert_false(p.client.core->ops->wants_write(p.client.core));
    assert_false(p.server.core->ops->wants_write(p.server.core));
    assert_false(p.client.core->ops->is_done(p.client.core));
    h2_pair_close(&p);
}

/* What a client sends in a small conversation. */
static void converse(h2_pair *p)
{
    static const cw_http_field fields[] = {{CW_STR_INIT("x-a"), CW_STR_INIT("1")},
                                           {CW_STR_INIT("expect"), CW_STR_INIT("100-continue")}};
    uint8_t *body = h2_pair_pattern(300);
    const cw__core_ops *ops = p->client.core->ops;
    h2_pair_request(p, "GET", "/first", h2_pair_bytes(""));
    h2_pair_request(p, "POST", "/second", cw_bytes_of(body, 300));
    cw__stream *s =
        h2_pair_begin(p, "PUT", (cw_http_fields){fields, 2}, h2_pair_bytes("abc"), false);
    h2_pair_to_server(p);
    assert_int_equal(ops->write(s, h2_pair_bytes("defg")), CW_NET_OK);
    assert_int_equal(ops->end(s, (cw_http_fields){fields, 1}), CW_NET_OK);
    cw__stream *gone = h2_pair_request(p, "DELETE", "/gone", h2_pair_bytes("x"));
    h2_pair_to_server(p);
    const cw_net_error why = {.status = CW_NET_ERR_CANCELLED};
    ops->reset(gone, &why);
    h2_pair_run(p);
    free(body);
}

static void echo_but_delete(record *r, cw__stream *s, const char *event)
{
    if (!cw_str_equal(s->head.method, CW_STR("DELETE"))) {
        record_echo(r, s, event);
    }
}

/* The log without the lines that depend on when the core was drained. */
static char *messages_of(record *r)
{
    char *kept = strdup(record_log(r));
    assert_non_null(kept);
    char *to = kept;
    for (const char *line = record_log(r), *next; *line != '\0'; line = next) {
        next = strchr(line, '\n') + 1;
        if (strncmp(line, "closed", 6) != 0 && strncmp(line, "room", 4) != 0) {
            memcpy(to, line, (size_t)(next - line));
            to += next - line;
        }
    }
    *to = '\0';
    return kept;
}

static void replay(cw_bytes wire, size_t first, size_t piece, const char *wanted)
{
    h2_pair p;
    h2_pair_open(&p, NULL);
    p.server.on = echo_but_delete;
    (void)record_drain(&p.server);
    assert_int_equal(record_feed(&p.server, wire.data, first), CW_NET_OK);
    assert_int_equal(record_feed_cut(&p.server, wire.data + first, wire.len - first, piece),
                     CW_NET_OK);
    (void)record_drain(&p.server);
    char *got = messages_of(&p.server);
    assert_string_equal(got, wanted);
    assert_int_equal(p.server.closed, 4);
    free(got);
    h2_pair_close(&p);
}

/* A server sees the same whatever the pieces are in which the bytes arrive. */
static void test_cuts(void **state)
{
    (void)state;
    h2_pair p;
    h2_pair_open(&p, NULL);
    p.keeps_wire = true;
    p.server.on = echo_but_delete;
    converse(&p);
    cw_bytes wire = cw__buf_bytes(&p.wire);
    assert_non_null(strstr(record_log(&p.server), "closed 4 CW_NET_ERR_RESET 8\n"));
    char *wanted = messages_of(&p.server);
    for (size_t first = 0; first <= wire.len; first++) {
        replay(wire, first, wire.len, wanted);
    }
    for (size_t piece = 1; piece < 40; piece += piece < 4 ? 1 : 5) {
        replay(wire, 0, piece, wanted);
    }
    free(wanted);
    h2_pair_close(&p);
}

/* The same for a client. */
static void test_cuts_of_client(void **state)
{
    (void)state;
    char *wanted = NULL;
    static const size_t cuts[] = {0, 1, 2, 3, 7, 9, 64};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        h2_pair p;
        h2_pair_open(&p, NULL);
        p.server.on = echo_but_delete;
        h2_pair_run(&p);
        p.cut = cuts[i];
        converse(&p);
        char *got = messages_of(&p.client);
        if (wanted == NULL) {
            wanted = got;
            assert_non_null(strstr(wanted, "end 3 7 abcdefg\n"));
        } else {
            assert_string_equal(got, wanted);
            free(got);
        }
        assert_non_null(strstr(record_log(&p.client), "closed 4 CW_NET_ERR_CANCELLED 0\n"));
        assert_int_equal(p.client.closed, 4);
        h2_pair_close(&p);
    }
    free(wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streamed_both_ways),
        cmocka_unit_test(test_trailers_without_body),
        cmocka_unit_test(test_streamed_head_response),
        cmocka_unit_test(test_writable),
        cmocka_unit_test(test_fair_share),
        cmocka_unit_test(test_continue),
        cmocka_unit_test(test_early_answer),
        cmocka_unit_test(test_hundred_at_once),
        cmocka_unit_test(test_first_flight),
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_cuts_of_client),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
