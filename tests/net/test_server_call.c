/* SPDX-License-Identifier: MIT */
/* Calls on a core that does what the test says: what no socket can bring about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server_internal.h"

static const cw_http_fields no_fields = {NULL, 0};

/* ---- a core ------------------------------------------------------------------------------------
 */

typedef struct world {
    cw_http_server *server;
    cw__connection connection;
    cw__peer peer;
    cw__core core;
    cw_net_status respond_st, write_st, end_st; /* what the operations give */
    unsigned responds, status, ends, resets, continues;
    size_t fields, consumed;
    cw_net_error why; /* of the last reset */
    /* the handler */
    cw_http_call *call;
    unsigned done, requests;
    cw_net_error done_error;
    bool streams, pauses;
} world;

static world *w;

static cw_net_status core_respond(cw__stream *s, unsigned status, cw_http_fields fields,
                                  cw_bytes body, bool end)
{
    (void)s;
    (void)body;
    (void)end;
    w->responds++;
    w->status = status;
    w->fields = fields.len;
    return status == 500 ? CW_NET_OK : w->respond_st;
}

static cw_net_status core_write(cw__stream *s, cw_bytes piece)
{
    (void)s;
    (void)piece;
    return w->write_st;
}

static cw_net_status core_end(cw__stream *s, cw_http_fields trailers)
{
    (void)s;
    (void)trailers;
    w->ends++;
    return w->end_st;
}

static size_t core_unsent(const cw__stream *s)
{
    (void)s;
    return 7;
}

static void core_consume(cw__stream *s, size_t n)
{
    (void)s;
    w->consumed += n;
}

static void core_reset(cw__stream *s, const cw_net_error *why)
{
    (void)s;
    w->resets++;
    w->why = *why;
}

static void core_continue(cw__stream *s)
{
    (void)s;
    w->continues++;
}

static const cw__core_ops ops = {.respond = core_respond,
                                 .write = core_write,
                                 .end = core_end,
                                 .unsent = core_unsent,
                                 .consume = core_consume,
                                 .reset = core_reset,
                                 .send_continue = core_continue};

/* ---- the handler -------------------------------------------------------------------------------
 */

static void on_head(void *ctx, cw_http_call *call)
{
    (void)ctx;
    w->call = call;
    if (w->streams) {
        cw_http_call_stream(call);
    }
    if (w->pauses) {
        cw_http_call_pause(call);
    }
}

static void on_request(void *ctx, cw_http_call *call)
{
    (void)ctx;
    w->call = call;
    w->requests++;
}

static void on_done(void *ctx, cw_http_call *call, const cw_net_error *e)
{
    (void)ctx;
    (void)call;
    w->done++;
    w->done_error = *e;
}

/* ---- a world -----------------------------------------------------------------------------------
 */

static int setup(void **state)
{
    (void)state;
    w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->server = calloc(1, sizeof *w->server);
    assert_non_null(w->server);
    w->server->handler =
        (cw_http_handler){.on_request = on_request, .on_head = on_head, .on_done = on_done};
    w->server->limits = cw_http_limits_of(NULL);
    w->server->fd = -1;
    w->server->pool.o.ctx = w->server;
    w->connection.pool = &w->server->pool;
    w->connection.state = CW__OPEN;
    w->connection.user = &w->peer;
    w->connection.core = &w->core;
    w->core = (cw__core){.ops = &ops, .ctx = &w->connection, .version = CW_HTTP_1_1};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(w->server->calls, 0);
    assert_int_equal(w->server->pool.counters.requests,
                     w->server->pool.counters.answered + w->server->pool.counters.failed);
    w->server->state = CW__SERVER_CLOSES;
    cw__server_release(w->server);
    free(w);
    return 0;
}

static void begin(cw__stream *s, const char *path)
{
    *s = (cw__stream){.core = &w->core,
                      .head = {.version = CW_HTTP_1_1,
                               .method = CW_STR_INIT("POST"),
                               .scheme = CW_STR_INIT("http"),
                               .authority = CW_STR_INIT("localhost"),
                               .path = {path, strlen(path)}},
                      .head_seen = true};
    cw__server_core_events.on_stream(&w->connection, s);
    cw__server_core_events.on_head(&w->connection, s);
}

static void body(cw__stream *s, const char *text)
{
    cw__server_core_events.on_body(&w->connection, s, cw_bytes_of(text, strlen(text)));
}

static void end(cw__stream *s)
{
    s->received = true;
    cw__server_core_events.on_end(&w->connection, s);
}

static void closed(cw__stream *s, cw_net_status st)
{
    cw_net_error e;
    cw_net_error_set(&e, st, 0, "%s", "");
    cw__server_core_events.on_closed(&w->connection, s, &e);
    assert_null(s->owner);
    memset(s, 0xa5, sizeof *s); /* it is gone */
}

/* ---- no memory ---------------------------------------------------------------------------------
 */

static void respond_without_memory(void **state)
{
    (void)state;
    cw__stream s;
    begin(&s, "/");
    end(&s);
    w->respond_st = CW_NET_ERR_MEMORY;
    assert_int_equal(cw_http_respond(w->call, 200, no_fields, cw_bytes_of("x", 1)),
                     CW_NET_ERR_MEMORY);
    assert_int_equal(w->resets, 1);
    assert_int_equal(w->why.status, CW_NET_ERR_MEMORY);
    /* It counts as the answer. */
    assert_int_equal(cw_http_respond(w->call, 200, no_fields, cw_bytes_of("x", 1)),
                     CW_NET_ERR_ARGUMENT);
    assert_int_equal(w->done, 0);
    closed(&s, CW_NET_ERR_MEMORY);
    assert_int_equal(w->done, 1);
    assert_int_equal(w->done_error.status, CW_NET_ERR_MEMORY);
    assert_int_equal(w->server->pool.counters.failed, 1);
}

static void stream_without_memory(void **state)
{
    (void)state;
    for (int at = 0; at < 3; at++) {
        cw__stream s;
        w->resets = 0;
        w->respond_st = at == 0 ? CW_NET_ERR_MEMORY : CW_NET_OK;
        w->write_st = at == 1 ? CW_NET_ERR_MEMORY : CW_NET_OK;
        w->end_st = at == 2 ? CW_NET_ERR_MEMORY : CW_NET_OK;
        begin(&s, "/");
        end(&s);
        cw_net_status st = cw_http_start(w->call, 200, no_fields);
        assert_int_equal(st, at == 0 ? CW_NET_ERR_MEMORY : CW_NET_OK);
        if (at > 0) {
            st = cw_http_write(w->call, cw_bytes_of("x", 1));
            assert_int_equal(st, at == 1 ? CW_NET_ERR_MEMORY : CW_NET_OK);
        }
        if (at == 2) {
            assert_int_equal(cw_http_unsent(w->call), 7);
            assert_int_equal(cw_http_end(w->call, no_fields), CW_NET_ERR_MEMORY);
        }
        assert_int_equal(cw_http_unsent(w->call), 0);
        assert_int_equal(cw_http_write(w->call, cw_bytes_of("x", 1)), CW_NET_ERR_ARGUMENT);
        assert_int_equal(cw_http_end(w->call, no_fields), CW_NET_ERR_ARGUMENT);
        assert_int_equal(w->resets, 1);
        closed(&s, CW_NET_ERR_MEMORY);
        assert_int_equal(w->done, (unsigned)at + 1);
        assert_int_equal(w->server->calls, 0);
    }
}

/* More fields than the core can send: 500 in place of them. */
static void too_much_for_the_core(void **state)
{
    (void)state;
    for (int is_start = 0; is_start < 2; is_start++) {
        cw__stream s;
        begin(&s, "/");
        end(&s);
        w->respond_st = CW_NET_ERR_ARGUMENT;
        cw_net_status st = is_start ? cw_http_start(w->call, 200, no_fields)
                                    : cw_http_respond(w->call, 200, no_fields, cw_bytes_of("x", 1));
        assert_int_equal(st, CW_NET_ERR_ARGUMENT);
        assert_int_equal(w->status, 500);
        assert_int_equal(w->resets, 0);
        closed(&s, CW_NET_OK);
    }
    assert_int_equal(w->done, 2);
}

/* ---- streams that go ---------------------------------------------------------------------------
 */

/* The core knows that the stream is about to close, the handler does not yet. */
static void answered_while_it_goes(void **state)
{
    (void)state;
    cw__stream s;
    begin(&s, "/");
    end(&s);
    w->respond_st = CW_NET_ERR_RESET;
    assert_int_equal(cw_http_respond(w->call, 200, no_fields, cw_bytes_of("x", 1)), CW_NET_OK);
    assert_int_equal(w->resets, 0);
    closed(&s, CW_NET_ERR_RESET);
    assert_int_equal(w->done_error.status, CW_NET_ERR_RESET);
    assert_int_equal(w->server->calls, 0);
}

static void views_outlive_the_stream(void **state)
{
    (void)state;
    cw__stream s;
    char path[] = "/path", name[] = "x-name", value[] = "value", trailer[] = "trailer";
    cw_http_field field = {cw_str_from(name), cw_str_from(value)};
    cw_http_field last = {cw_str_from(name), cw_str_from(trailer)};
    s = (cw__stream){.core = &w->core,
                     .head = {.version = CW_HTTP_1_1,
                              .method = CW_STR_INIT("PUT"),
                              .path = cw_str_from(path),
                              .fields = {&field, 1}},
                     .head_seen = true};
    cw__server_core_events.on_stream(&w->connection, &s);
    cw__server_core_events.on_head(&w->connection, &s);
    const cw_http_head *head = cw_http_call_head(w->call);
    const cw_http_field seen = head->fields.data[0];
    cw_str seen_path = head->path;
    body(&s, "some ");
    body(&s, "body");
    s.trailers = (cw_http_fields){&last, 1};
    end(&s);
    cw_bytes seen_body = cw_http_call_body(w->call);
    cw_http_fields trailers = cw_http_call_trailers(w->call);
    closed(&s, CW_NET_ERR_CLOSED);
    memset(path, 'X', sizeof path);
    memset(name, 'X', sizeof name);
    memset(value, 'X', sizeof value);
    memset(trailer, 'X', sizeof trailer);
    assert_true(cw_http_call_gone(w->call));
    assert_true(cw_str_equal(seen_path, CW_STR("/path")));
    assert_true(cw_str_equal(seen.name, CW_STR("x-name")));
    assert_true(cw_str_equal(seen.value, CW_STR("value")));
    assert_true(cw_str_equal(head->method, CW_STR("PUT")));
    assert_true(cw_str_equal(trailers.data[0].value, CW_STR("trailer")));
    assert_true(cw_bytes_equal(seen_body, cw_bytes_of("some body", 9)));
    assert_int_equal(cw_http_start(w->call, 200, no_fields), CW_NET_OK);
    assert_int_equal(cw_http_write(w->call, cw_bytes_of("x", 1)), CW_NET_OK);
    assert_int_equal(cw_http_unsent(w->call), 0);
    assert_int_equal(cw_http_end(w->call, no_fields), CW_NET_OK);
    assert_int_equal(w->responds, 0);
    assert_int_equal(w->server->calls, 0);
}

/* A recycled call knows nothing of its last life. */
static void recycled(void **state)
{
    (void)state;
    cw__stream s;
    begin(&s, "/first");
    body(&s, "body");
    end(&s);
    cw_http_call *first = w->call;
    cw_http_call_set_user(first, first);
    cw_http_respond(first, 200, no_fields, cw_bytes_of("x", 1));
    closed(&s, CW_NET_OK);
    begin(&s, "/second/longer/than/the/first");
    assert_ptr_equal(w->call, first);
    assert_null(cw_http_call_user(w->call));
    assert_false(cw_http_call_gone(w->call));
    end(&s);
    assert_int_equal(cw_http_call_body(w->call).len, 0);
    assert_int_equal(cw_http_call_trailers(w->call).len, 0);
    assert_true(
        cw_str_equal(cw_http_call_head(w->call)->path, CW_STR("/second/longer/than/the/first")));
    assert_int_equal(cw_http_respond(w->call, 200, no_fields, cw_bytes_of("x", 1)), CW_NET_OK);
    closed(&s, CW_NET_OK);
}

/* Calls that wait for their answer leave the connection's list in any order, or are left there. */
static void late_in_any_order(void **state)
{
    (void)state;
    static const unsigned orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}};
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        cw_http_call *calls[3];
        cw__stream s;
        for (size_t i = 0; i < 3; i++) {
            begin(&s, "/");
            end(&s);
            calls[i] = w->call;
            closed(&s, CW_NET_ERR_RESET);
        }
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(w->server->calls, 3 - i);
            assert_int_equal(
                cw_http_respond(calls[orders[o][i]], 200, no_fields, cw_bytes_of("x", 1)),
                CW_NET_OK);
        }
        assert_null(w->peer.late);
    }
    assert_int_equal(w->done, 12);
}

/* ---- bodies ------------------------------------------------------------------------------------
 */

static void collected_is_consumed_at_once(void **state)
{
    (void)state;
    cw__stream s;
    begin(&s, "/");
    body(&s, "12345");
    assert_int_equal(w->consumed, 5);
    end(&s);
    cw_http_abort(w->call);
    assert_int_equal(w->resets, 1);
    cw_http_abort(w->call); /* again: nothing */
    assert_int_equal(w->resets, 1);
    closed(&s, CW_NET_ERR_CANCELLED);
}

static void paused_is_consumed_later(void **state)
{
    (void)state;
    cw__stream s;
    w->streams = w->pauses = true;
    begin(&s, "/");
    body(&s, "12345");
    body(&s, "678");
    assert_int_equal(w->consumed, 0);
    cw_http_call_resume(w->call);
    assert_int_equal(w->consumed, 8);
    body(&s, "9");
    assert_int_equal(w->consumed, 9);
    cw_http_call_pause(w->call);
    body(&s, "0");
    assert_int_equal(w->consumed, 9);
    end(&s);
    cw_http_respond(w->call, 200, no_fields, cw_bytes_of("x", 1));
    assert_int_equal(w->consumed, 10); /* whoever answers waits for nothing */
    closed(&s, CW_NET_OK);
}

/* Not held: on_head has seen it, but nobody owes an answer. */
static void gone_before_it_was_owed(void **state)
{
    (void)state;
    cw__stream s;
    begin(&s, "/");
    body(&s, "12345");
    closed(&s, CW_NET_ERR_CLOSED);
    assert_int_equal(w->done, 1);
    assert_int_equal(w->requests, 0);
    assert_int_equal(w->server->calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(respond_without_memory, setup, teardown),
        cmocka_unit_test_setup_teardown(stream_without_memory, setup, teardown),
        cmocka_unit_test_setup_teardown(too_much_for_the_core, setup, teardown),
        cmocka_unit_test_setup_teardown(answered_while_it_goes, setup, teardown),
        cmocka_unit_test_setup_teardown(views_outlive_the_stream, setup, teardown),
        cmocka_unit_test_setup_teardown(recycled, setup, teardown),
        cmocka_unit_test_setup_teardown(late_in_any_order, setup, teardown),
        cmocka_unit_test_setup_teardown(collected_is_consumed_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(paused_is_consumed_later, setup, teardown),
        cmocka_unit_test_setup_teardown(gone_before_it_was_owed, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
