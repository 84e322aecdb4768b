/* SPDX-License-Identifier: MIT */
/* The client against the library's own server, over each transport. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "client_fixture.h"
#include "server_fixture.h"

enum { MIB = 1 << 20 };

typedef struct transport {
    const char *name;
    cw_http_version version;
    bool is_tls;
    size_t connections; /* by default */
} transport;

static const transport transports[] = {
    {"HTTP/1.1", CW_HTTP_1_1, false, 6},
    {"HTTP/2", CW_HTTP_2, false, 1},
    {"HTTP/1.1 over TLS", CW_HTTP_1_1, true, 6},
    {"HTTP/2 over TLS", CW_HTTP_2, true, 1},
};

/* Both ends, joined by a transport. */
typedef struct ends {
    const transport *t;
    fixture *server;
    client_fixture f;
} ends;

static int make_certificate(void **state)
{
    cw_net_error e;
    (void)state;
    return cw_tls_self_signed(CW_TLS_P256, "localhost,127.0.0.1", 1, "client.crt", "client.key",
                              &e) == CW_NET_OK
               ? 0
               : -1;
}

static void open_ends(ends *n, const transport *t, cw_http_server_options so,
                      cw_http_client_options co)
{
    cw_net_error e;
    n->t = t;
    if (t->is_tls) {
        so.tls = cw_tls_server(
            &(cw_tls_server_options){.certificate_file = "client.crt", .key_file = "client.key"},
            &e);
        assert_non_null(so.tls);
    }
    n->server = fixture_open(&so);
    co.version = t->version;
    if (t->is_tls) {
        cw_tls_free(so.tls);
        client_setup_tls(&n->f, &co, n->server->port, "client.crt");
    } else {
        client_setup(&n->f, &co, n->server->port);
    }
}

static void close_ends(ends *n)
{
    client_teardown(&n->f);
    fixture_close(n->server);
}

#define FOR_EACH_TRANSPORT(t)                                                                      \
    for (const transport *t = transports;                                                          \
         t < transports + sizeof transports / sizeof transports[0]; t++)

static const cw_http_server_options server_defaults = {.host = "127.0.0.1"};
static const cw_http_client_options client_defaults = {.origin = NULL};

/* ---- requests and responses --------------------------------------------------------------------
 */

static void a_request_is_echoed(void **state)
{
    (void)state;
    FOR_EACH_TRANSPORT(t)
    {
        ends n;
        answer a = {.f = NULL}, missing = {.f = NULL}, head = {.f = NULL}, none = {.f = NULL};
        open_ends(&n, t, server_defaults, client_defaults);
        const cw_http_field fields[] = {{CW_STR("x-a"), CW_STR("1")}};
        const cw_http_request request = {
            .path = CW_STR("/echo"), .body = {(const uint8_t *)"hello", 5}, .fields = {fields, 1}};
        client_fetch(&n.f, &request, &a);
        assert_answer(&a, 200, "hello");
        assert_int_equal(a.version, t->version);
        assert_string_equal(a.trailers, "");
        assert_non_null(strstr(a.fields, "content-length: 5\n"));
        client_get(&n.f, "/nothing", &missing);
        assert_answer(&missing, 404, "no such path");
        const cw_http_request ask_head = {.method = CW_STR("HEAD"), .path = CW_STR("/hello")};
        client_fetch(&n.f, &ask_head, &head);
        assert_answer(&head, 200, "");
        client_get(&n.f, "/status/204", &none);
        assert_answer(&none, 204, "");
        assert_int_equal(client_counters(&n.f).connections, 1);
        close_ends(&n);
        answer_free(&a);
        answer_free(&missing);
        answer_free(&head);
        answer_free(&none);
    }
}

static void trailers_go_both_ways(void **state)
{
    (void)state;
    FOR_EACH_TRANSPORT(t)
    {
        for (int before = 0; before < 2; before++) {
            ends n;
            answer up = {.f = NULL}, down = {.f = NULL};
            open_ends(&n, t, server_defaults, client_defaults);
            const cw_http_field trailer = {CW_STR("sum"), CW_STR("42")};
            const cw_http_field wrong = {CW_STR("content-type"), CW_STR("x")};
            const cw_http_request request = {
                .path = CW_STR("/echo"), .body = {(const uint8_t *)"abc", 3}, .streamed = true};
            client_send(&n.f, &request, &up);
            if (!before) {
                client_wait_for_flight(&n.f);
            }
            assert_int_equal(cw_http_exchange_end(up.x, (cw_http_fields){&wrong, 1}),
                             CW_NET_ERR_ARGUMENT);
            assert_int_equal(cw_http_exchange_end(up.x, (cw_http_fields){&trailer, 1}), CW_NET_OK);
            client_wait(&n.f, 1);
            assert_answer(&up, 200, "abc");
            assert_non_null(strstr(up.fields, "x-sum: 42\n"));
            client_get(&n.f, "/stream/10", &down);
            assert_answer(&down, 200, "abcdefghij");
            assert_string_equal(down.trailers, "x-sum: 10\n");
            close_ends(&n);
            answer_free(&up);
            answer_free(&down);
        }
    }
}

enum { MANY = 200 };

static void many_at_once(void **state)
{
    (void)state;
    static answer a[MANY];
    FOR_EACH_TRANSPORT(t)
    {
        ends n;
        open_ends(&n, t, server_defaults, client_defaults);
        for (unsigned i = 0; i < MANY; i++) {
            char text[16];
            snprintf(text, sizeof text, "number %u", i);
            const cw_http_request request = {.path = CW_STR("/echo"),
                                             .body = {(const uint8_t *)text, strlen(text)}};
            client_send(&n.f, &request, &a[i]);
        }
        client_wait(&n.f, MANY);
        for (unsigned i = 0; i < MANY; i++) {
            char text[16];
            snprintf(text, sizeof text, "number %u", i);
            assert_answer(&a[i], 200, text);
        }
        cw_net_counters c = client_counters(&n.f);
        assert_int_equal(c.requests, MANY);
        assert_int_equal(c.answered, MANY);
        assert_int_equal(c.connections, t->connections);
        assert_int_equal(c.handshakes_full + c.handshakes_resumed, t->is_tls ? t->connections : 0);
        assert_int_equal(n.f.errors, 0);
        close_ends(&n);
        answers_free(a, MANY);
    }
}

/* Nothing is sent while a loop of sends runs; then all of it leaves at once. */
static void what_is_sent_in_one_turn_leaves_in_one_write(void **state)
{
    (void)state;
    enum { N = 50 };
    answer a[N] = {{.f = NULL}};
    FOR_EACH_TRANSPORT(t)
    {
        ends n;
        open_ends(&n, t, server_defaults, (cw_http_client_options){.max_connections = 1});
        client_connect(&n.f, 1);
        assert_int_equal(n.f.ready.status, CW_NET_OK);
        client_run_for(&n.f, 50); /* acknowledgements, tickets */
        uint64_t writes = client_counters(&n.f).writes;
        for (unsigned i = 0; i < N; i++) {
            client_send_get(&n.f, "/keep", &a[i]);
        }
        assert_int_equal(client_counters(&n.f).writes, writes);
        uv_run(&n.f.loop, UV_RUN_NOWAIT);
        assert_int_equal(client_counters(&n.f).writes, writes + 1);
        if (t->version == CW_HTTP_2) {
            assert_int_equal(cw_http_client_in_flight(n.f.client), N);
            assert_true(fixture_wait(n.server, fixture_has_kept, N));
            fixture_answer_kept(n.server);
            client_wait(&n.f, N);
            assert_answer(&a[N - 1], 200, "kept");
        }
        close_ends(&n);
        answers_free(a, N);
    }
}

/* ---- pieces and back-pressure ------------------------------------------------------------------
 */

static void pause_at_first(answer *a)
{
    if (a->pieces == 1) {
        cw_http_exchange_pause(a->x);
    }
}

static void assert_letters(const answer *a, size_t len)
{
    assert_int_equal(a->e.status, CW_NET_OK);
    assert_int_equal(a->body_len, len);
    for (size_t i = 0; i < len; i++) {
        if (a->body[i] != (char)('a' + i % 26)) {
            fail_msg("byte %zu", i);
        }
    }
}

static void a_paused_response_does_not_stop_others(void **state)
{
    (void)state;
    enum { LEN = 8 * MIB };
    char path[32];
    snprintf(path, sizeof path, "/stream/%d", LEN);
    FOR_EACH_TRANSPORT(t)
    {
        ends n;
        answer a = {.at_body = pause_at_first}, other = {.f = NULL};
        open_ends(&n, t, server_defaults, client_defaults);
        client_send_get(&n.f, path, &a);
        size_t last;
        do {
            last = a.body_len;
            client_run_for(&n.f, 60);
        } while (a.body_len == 0 || a.body_len > last);
        assert_true(a.body_len <= 2 * MIB); /* the stream's window, or the sockets */
        assert_int_equal(a.calls, 0);
        client_get(&n.f, "/stream/100000", &other);
        assert_letters(&other, 100000);
        cw_http_exchange_resume(a.x);
        client_wait(&n.f, 2);
        assert_letters(&a, LEN);
        assert_true(n.server->max_unsent < 65536 + 16384);
        close_ends(&n);
        answer_free(&a);
        answer_free(&other);
    }
}

/* Bytes that a cancelled response withheld do not stay missing from the connection's window. */
static void cancelled_responses_leave_no_hole(void **state)
{
    (void)state;
    FOR_EACH_TRANSPORT(t)
    {
        ends n;
        answer last = {.f = NULL};
        open_ends(&n, t, server_defaults, client_defaults);
        for (unsigned i = 0; i < 8; i++) {
            answer a = {.at_body = pause_at_first};
            client_send_get(&n.f, "/stream/3000000", &a);
            while (a.body_len == 0) {
                client_run_for(&n.f, 1);
            }
            cw_http_exchange_cancel(a.x);
            client_wait(&n.f, i + 1);
            assert_failed(&a, CW_NET_ERR_CANCELLED);
            answer_free(&a);
        }
        client_get(&n.f, "/stream/3000000", &last);
        assert_letters(&last, 3000000);
        assert_int_equal(client_counters(&n.f).connections, t->version == CW_HTTP_2 ? 1 : 9);
        close_ends(&n);
        answer_free(&last);
    }
}

typedef struct upload {
    size_t left, most_unsent;
} upload;

enum { PIECE = 10000 };

static void write_more(answer *a)
{
    uint8_t piece[PIECE];
    upload *u = a->user;
    while (u->left > 0 && cw_http_exchange_unsent(a->x) < 65536) {
        size_t n = u->left < PIECE ? u->left : PIECE;
        for (size_t i = 0; i < n; i++) {
            piece[i] = (uint8_t)('z' - (u->left - i - 1) % 26);
        }
        assert_int_equal(cw_http_exchange_write(a->x, cw_bytes_of(piece, n)), CW_NET_OK);
        u->left -= n;
        size_t unsent = cw_http_exchange_unsent(a->x);
        u->most_unsent = unsent > u->most_unsent ? unsent : u->most_unsent;
        if (u->left == 0) {
            assert_int_equal(cw_http_exchange_end(a->x, (cw_http_fields){.len = 0}), CW_NET_OK);
        }
    }
}

static void nothing(answer *a)
{
    (void)a;
}

/* Up and down at the same time, more than all windows hold. */
static void a_body_goes_up_and_comes_down(void **state)
{
    (void)state;
    enum { LEN = 26 * 200000 };
    FOR_EACH_TRANSPORT(t)
    {
        ends n;
        upload u = {.left = LEN};
        answer a = {.at_writable = write_more, .at_body = nothing, .user = &u};
        open_ends(&n, t, server_defaults, client_defaults);
        client_send(&n.f,
                    &(const cw_http_request){.path = CW_STR_INIT("/pieces"), .streamed = true}, &a);
        write_more(&a);
        client_wait(&n.f, 1);
        assert_letters(&a, LEN);
        assert_true(u.most_unsent < 65536 + PIECE);
        close_ends(&n);
        answer_free(&a);
    }
}

static void a_server_that_pauses_stops_the_upload(void **state)
{
    (void)state;
    enum { LEN = 20 * MIB };
    char number[16];
    snprintf(number, sizeof number, "%d", LEN);
    FOR_EACH_TRANSPORT(t)
    {
        ends n;
        upload u = {.left = LEN};
        answer a = {.at_writable = write_more, .user = &u}, other = {.f = NULL};
        open_ends(&n, t, server_defaults, client_defaults);
        client_send(&n.f,
                    &(const cw_http_request){.path = CW_STR_INIT("/paused"), .streamed = true}, &a);
        write_more(&a);
        size_t left;
        do {
            left = u.left;
            client_run_for(&n.f, 60);
        } while (u.left < left || u.left == LEN);
        assert_true(u.left > 0);            /* the sockets hold the rest */
        client_get(&n.f, "/hello", &other); /* is not in its way */
        assert_answer(&other, 200, "hello");
        fixture_resume(n.server);
        client_wait(&n.f, 2);
        assert_answer(&a, 200, number);
        assert_int_equal(u.left, 0);
        close_ends(&n);
        answer_free(&a);
        answer_free(&other);
    }
}

static void codings_are_agreed_upon(void **state)
{
    (void)state;
    FOR_EACH_TRANSPORT(t)
    {
        for (unsigned coding = 0; coding <= 3; coding++) {
            ends n;
            answer a = {.f = NULL}, up = {.f = NULL};
            cw_http_client_options co = {.coding = {.codings = coding}};
            co.coding.request_coding = coding <= 2 ? coding : 0;
            cw_http_server_options so = server_defaults;
            so.coding.codings = CW_HTTP_GZIP | CW_HTTP_BR;
            open_ends(&n, t, so, co);
            client_get(&n.f, "/big", &a);
            assert_letters(&a, 100000);
            const char *line = coding == 0              ? NULL
                               : coding == CW_HTTP_GZIP ? "content-encoding: gzip\n"
                                                        : "content-encoding: br\n";
            if (line != NULL) {
                assert_non_null(strstr(a.fields, line));
            } else {
                assert_null(strstr(a.fields, "content-encoding"));
            }
            uint64_t out = client_counters(&n.f).bytes_out;
            const cw_http_request request = {.path = CW_STR("/echo"),
                                             .body = {(const uint8_t *)a.body, a.body_len}};
            client_fetch(&n.f, &request, &up);
            assert_letters(&up, 100000);
            out = client_counters(&n.f).bytes_out - out;
            assert_true(coding == CW_HTTP_GZIP || coding == CW_HTTP_BR ? out < 10000
                                                                       : out > 100000);
            close_ends(&n);
            answer_free(&a);
            answer_free(&up);
        }
    }
}

/* ---- failures ----------------------------------------------------------------------------------
 */

static void a_response_that_is_given_up_is_no_success(void **state)
{
    (void)state;
    FOR_EACH_TRANSPORT(t)
    {
        ends n;
        answer aborted = {.f = NULL}, half = {.f = NULL}, next = {.f = NULL};
        open_ends(&n, t, server_defaults, client_defaults);
        const cw_net_status st = t->version == CW_HTTP_2 ? CW_NET_ERR_RESET : CW_NET_ERR_CLOSED;
        client_get(&n.f, "/abort", &aborted);
        assert_failed(&aborted, st);
        client_get(&n.f, "/half", &half);
        assert_failed(&half, st);
        client_get(&n.f, "/hello", &next);
        assert_answer(&next, 200, "hello");
        assert_int_equal(client_counters(&n.f).connections, t->version == CW_HTTP_2 ? 1 : 3);
        assert_int_equal(n.f.errors, 0); /* the requests told of it */
        close_ends(&n);
        answer_free(&aborted);
        answer_free(&half);
        answer_free(&next);
    }
}

static void limits_of_time_and_patience(void **state)
{
    (void)state;
    FOR_EACH_TRANSPORT(t)
    {
        ends n;
        answer late = {.f = NULL}, cancelled = {.f = NULL}, next = {.f = NULL};
        open_ends(&n, t, server_defaults, client_defaults);
        const cw_http_request request = {.path = CW_STR("/keep"), .timeout_ms = 40};
        client_fetch(&n.f, &request, &late);
        assert_failed(&late, CW_NET_ERR_TIMEOUT);
        client_send_get(&n.f, "/keep", &cancelled);
        while (fixture_counters(n.server).requests < 2) {
            client_run_for(&n.f, 1);
        }
        cw_http_exchange_cancel(cancelled.x);
        client_wait(&n.f, 2);
        assert_failed(&cancelled, CW_NET_ERR_CANCELLED);
        client_get(&n.f, "/hello", &next);
        assert_answer(&next, 200, "hello");
        /* HTTP/2 goes on with the same connection, and the server has heard of it. */
        assert_int_equal(client_counters(&n.f).connections, t->version == CW_HTTP_2 ? 1 : 3);
        if (t->version == CW_HTTP_2) {
            assert_true(fixture_wait(n.server, fixture_has_done, 3));
        }
        fixture_answer_kept(n.server);
        close_ends(&n);
        answer_free(&late);
        answer_free(&cancelled);
        answer_free(&next);
    }
}

static void a_response_that_stalls_has_a_limit(void **state)
{
    (void)state;
    FOR_EACH_TRANSPORT(t)
    {
        ends n;
        answer a = {.f = NULL};
        open_ends(&n, t, server_defaults,
                  (cw_http_client_options){.limits = {.body_timeout_ms = 60}});
        client_get(&n.f, "/keep-started", &a);
        assert_failed(&a, CW_NET_ERR_TIMEOUT);
        assert_string_equal(a.body, "begun");
        fixture_answer_kept(n.server);
        close_ends(&n);
        answer_free(&a);
    }
}

static bool has_ipv6(void)
{
    const struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    bool is_fine = fd >= 0 && bind(fd, (const struct sockaddr *)&a, sizeof a) == 0;
    if (fd >= 0) {
        close(fd);
    }
    return is_fine;
}

static void ipv6_addresses_are_reached(void **state)
{
    (void)state;
    if (!has_ipv6()) {
        skip();
    }
    client_fixture f;
    answer a = {.f = NULL};
    char origin[64];
    fixture *server = fixture_open(&(cw_http_server_options){.host = "::1"});
    snprintf(origin, sizeof origin, "http://[::1]:%d", server->port);
    client_setup(&f, &(cw_http_client_options){.origin = origin}, 0);
    client_get(&f, "/hello", &a);
    assert_answer(&a, 200, "hello");
    client_teardown(&f);
    fixture_close(server);
    answer_free(&a);
}

/* ---- a server that goes ------------------------------------------------------------------------
 */

typedef struct load {
    answer a[MANY];
    unsigned sent, answered, refused, failed;
} load;

static void keep_loading(answer *a)
{
    load *l = a->user;
    if (a->e.status == CW_NET_OK) {
        assert_answer(a, 200, "hello");
        l->answered++;
    } else if (a->e.status == CW_NET_ERR_REFUSED) {
        l->refused++;
    } else {
        assert_true(a->e.status == CW_NET_ERR_CLOSED || a->e.status == CW_NET_ERR_CONNECT ||
                    a->e.status == CW_NET_ERR_RESET);
        l->failed++;
    }
    if (l->sent < MANY) {
        client_send_get(a->f, "/hello", &l->a[l->sent++]);
    }
}

/* In order, or at once, in the middle of a load: each request is answered, refused or failed. */
static void no_request_is_lost_when_the_server_goes(void **state)
{
    (void)state;
    static load l;
    FOR_EACH_TRANSPORT(t)
    {
        for (int in_order = 0; in_order < 2; in_order++) {
            ends n;
            memset(&l, 0, sizeof l);
            open_ends(&n, t, server_defaults, client_defaults);
            for (unsigned i = 0; i < MANY; i++) {
                l.a[i].then = keep_loading;
                l.a[i].user = &l;
            }
            for (unsigned i = 0; i < 20; i++) {
                client_send_get(&n.f, "/hello", &l.a[l.sent++]);
            }
            while (l.answered < 40) {
                client_run_for(&n.f, 1);
            }
            if (in_order) {
                fixture_shutdown(n.server);
            } else {
                fixture_close_server(n.server);
            }
            client_wait(&n.f, MANY);
            cw_net_counters c = client_counters(&n.f);
            assert_int_equal(c.requests, MANY);
            assert_int_equal(c.answered, l.answered);
            assert_int_equal(c.failed, l.refused + l.failed);
            assert_int_equal(l.answered + l.refused + l.failed, MANY);
            assert_true(l.answered >= 40);
            assert_true(fixture_wait(n.server, fixture_is_closed, 0));
            close_ends(&n);
            answers_free(l.a, MANY);
        }
    }
}

/* The client goes in the middle of everything. */
static void the_client_is_closed_under_load(void **state)
{
    (void)state;
    enum { N = 40 };
    FOR_EACH_TRANSPORT(t)
    {
        ends n;
        answer a[N] = {{.f = NULL}};
        open_ends(&n, t, server_defaults, client_defaults);
        for (unsigned i = 0; i < N; i++) {
            client_send_get(&n.f,
                            i % 3 == 0   ? "/keep"
                            : i % 3 == 1 ? "/stream/9000000"
                                         : "/hello",
                            &a[i]);
        }
        while (n.f.ended == 0 && t->version == CW_HTTP_2) {
            client_run_for(&n.f, 1);
        }
        client_close(&n.f);
        client_wait_flag(&n.f, &n.f.is_closed);
        assert_int_equal(n.f.ended, N);
        for (unsigned i = 0; i < N; i++) {
            assert_int_equal(a[i].calls, 1);
            assert_true(a[i].e.status == CW_NET_OK || a[i].e.status == CW_NET_ERR_CANCELLED);
        }
        assert_int_equal(a[0].e.status, CW_NET_ERR_CANCELLED);
        fixture_answer_kept(n.server);
        close_ends(&n);
        answers_free(a, N);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_echoed),
        cmocka_unit_test(trailers_go_both_ways),
        cmocka_unit_test(many_at_once),
        cmocka_unit_test(what_is_sent_in_one_turn_leaves_in_one_write),
        cmocka_unit_test(a_paused_response_does_not_stop_others),
        cmocka_unit_test(cancelled_responses_leave_no_hole),
        cmocka_unit_test(a_body_goes_up_and_comes_down),
        cmocka_unit_test(a_server_that_pauses_stops_the_upload),
        cmocka_unit_test(codings_are_agreed_upon),
        cmocka_unit_test(a_response_that_is_given_up_is_no_success),
        cmocka_unit_test(limits_of_time_and_patience),
        cmocka_unit_test(a_response_that_stalls_has_a_limit),
        cmocka_unit_test(ipv6_addresses_are_reached),
        cmocka_unit_test(no_request_is_lost_when_the_server_goes),
        cmocka_unit_test(the_client_is_closed_under_load),
    };
    return cmocka_run_group_tests(tests, make_certificate, NULL);
}
