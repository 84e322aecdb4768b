/* SPDX-License-Identifier: MIT */
/* The client when it waits no longer: time limits, cancelled requests, a closed client. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "client_fixture.h"

#define OK_2 "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

/* ---- time --------------------------------------------------------------------------------------
 */

static void say_last_and_wait(fake_peer *p)
{
    const char *const *last = p->ctx;
    while (fake_read_request(p)) {
        fake_write(p, *last);
    }
}

static uint64_t ms_since(uint64_t begin_ns, const answer *a)
{
    return (a->ended_ns - begin_ns) / 1000000;
}

/* None ends before its time. What falls due in one turn of a late loop is told in any order. */
static void nothing_comes_in_time(void **state)
{
    (void)state;
    static const struct {
        const char *says, *body, *detail;
        unsigned status;
    } rows[] = {
        {"", "", "no response", 0},
        {"HTTP/1.1 2", "", "no response", 0},
        {"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhe", "he", "the response is not complete",
         200},
        {"HTTP/1.1 200 OK\r\n\r\nhe", "he", "the response is not complete", 200},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client_fixture f;
        const char *says = rows[i].says;
        answer a = {.f = NULL}, queued = {.f = NULL}, patient = {.f = NULL};
        fake_server *server = fake_start(say_last_and_wait, &says);
        client_setup(&f, &(cw_http_client_options){.max_connections = 1}, server->port);
        uint64_t begin = uv_hrtime();
        client_send(&f, &(const cw_http_request){.timeout_ms = 60}, &a);
        client_send(&f, &(const cw_http_request){.timeout_ms = 30}, &queued);
        client_send(&f, &(const cw_http_request){.timeout_ms = 90}, &patient);
        client_wait(&f, 3);
        assert_failed(&queued, CW_NET_ERR_TIMEOUT);
        assert_string_equal(queued.e.detail, "no connection had room");
        assert_in_range(ms_since(begin, &queued), 29, UINT64_MAX); /* whole milliseconds */
        assert_failed(&a, CW_NET_ERR_TIMEOUT);
        assert_string_equal(a.e.detail, rows[i].detail);
        assert_string_equal(a.body, rows[i].body);
        assert_int_equal(a.status, rows[i].status);
        assert_in_range(ms_since(begin, &a), 59, UINT64_MAX);
        assert_failed(&patient, CW_NET_ERR_TIMEOUT);
        assert_in_range(ms_since(begin, &patient), 89, UINT64_MAX);
        assert_int_equal(client_counters(&f).failed, 3);
        client_teardown(&f);
        fake_stop(server);
        answer_free(&a);
        answer_free(&queued);
        answer_free(&patient);
    }
}

static void in_time_is_in_time(void **state)
{
    (void)state;
    client_fixture f;
    answer a[3] = {{.f = NULL}};
    const char *says = OK_2;
    fake_server *server = fake_start(say_last_and_wait, &says);
    client_setup(&f, NULL, server->port);
    for (unsigned i = 0; i < 3; i++) {
        client_fetch(&f, &(const cw_http_request){.timeout_ms = 30000 - i}, &a[i]);
        assert_answer(&a[i], 200, "ok");
    }
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, 3);
}

/* The loop has slept for longer than the limit before the request was sent. */
static void a_late_loop_is_no_time_out(void **state)
{
    (void)state;
    client_fixture f;
    answer a = {.f = NULL};
    const char *says = OK_2;
    fake_server *server = fake_start(say_last_and_wait, &says);
    client_setup(&f, NULL, server->port);
    usleep(120000);
    client_fetch(&f, &(const cw_http_request){.timeout_ms = 100}, &a);
    assert_answer(&a, 200, "ok");
    client_teardown(&f);
    fake_stop(server);
    answer_free(&a);
}

/* A server that accepts and says nothing: TLS does not get anywhere. */
static void read_only(fake_peer *p)
{
    fake_wait_end(p);
}

enum { WAITING = 8 };

/* A port where nobody answers: its queue is full of connections that are never accepted. */
typedef struct full_port {
    int listener, waiting[WAITING];
    int port;
} full_port;

static void open_full(full_port *p)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    p->listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(p->listener, (struct sockaddr *)&a, sizeof a), 0);
    assert_int_equal(listen(p->listener, 0), 0);
    assert_int_equal(getsockname(p->listener, (struct sockaddr *)&a, &len), 0);
    p->port = ntohs(a.sin_port);
    for (unsigned i = 0; i < WAITING; i++) {
        p->waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        (void)connect(p->waiting[i], (struct sockaddr *)&a, sizeof a); /* EINPROGRESS */
    }
}

static void close_full(full_port *p)
{
    for (unsigned i = 0; i < WAITING; i++) {
        close(p->waiting[i]);
    }
    close(p->listener);
}

static void connecting_has_a_limit(void **state)
{
    (void)state;
    client_fixture f;
    full_port full;
    answer a[2] = {{.f = NULL}}, second = {.f = NULL};
    const char *says = OK_2;
    open_full(&full);
    client_setup(&f, &(cw_http_client_options){.connect_timeout_ms = 60}, full.port);
    client_send_get(&f, "/", &a[0]);
    client_send_get(&f, "/", &a[1]);
    client_wait(&f, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_failed(&a[i], CW_NET_ERR_TIMEOUT);
        assert_string_equal(a[i].e.detail, "no connection");
    }
    client_teardown(&f);
    /* A request's own limit may be the first to come; another address may be the answer. */
    fake_server *server = fake_start(say_last_and_wait, &says);
    client_setup(&f, &(cw_http_client_options){.connect_timeout_ms = 60}, full.port);
    client_set_ports(&f, (const int[]){full.port, server->port}, 2);
    answer impatient = {.f = NULL};
    client_send(&f, &(const cw_http_request){.timeout_ms = 20}, &impatient);
    client_send_get(&f, "/", &second);
    client_wait(&f, 2);
    assert_failed(&impatient, CW_NET_ERR_TIMEOUT);
    assert_string_equal(impatient.e.detail, "no connection had room");
    assert_answer(&second, 200, "ok");
    client_teardown(&f);
    fake_stop(server);
    close_full(&full);
    answers_free(a, 2);
    answer_free(&impatient);
    answer_free(&second);
}

static void the_handshake_has_a_limit(void **state)
{
    (void)state;
    client_fixture f;
    answer a = {.f = NULL};
    fake_server *server = fake_start(read_only, NULL);
    client_setup_tls(&f, &(cw_http_client_options){.connect_timeout_ms = 80}, server->port, NULL);
    client_get(&f, "/", &a);
    assert_failed(&a, CW_NET_ERR_TIMEOUT);
    assert_int_equal(client_counters(&f).handshakes_full, 0);
    client_teardown(&f);
    fake_stop(server);
    answer_free(&a);
}

/* The limits that no request has asked for: a body that stalls, an idle connection, a huge head. */
static void connections_have_limits_of_their_own(void **state)
{
    (void)state;
    static char huge[40000];
    snprintf(huge, sizeof huge, "HTTP/1.1 200 OK\r\nx: %0*d\r\ncontent-length: 0\r\n\r\n", 20000,
             1);
    static const struct {
        int line;
        const char *says;
        cw_http_limits limits;
        cw_net_status st;
    } rows[] = {
        {__LINE__,
         "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhe",
         {.body_timeout_ms = 60},
         CW_NET_ERR_TIMEOUT},
        {__LINE__, "HTTP/1.1 200 O", {.header_timeout_ms = 60}, CW_NET_ERR_TIMEOUT},
        {__LINE__, OK_2, {.idle_timeout_ms = 60}, CW_NET_OK},
        {__LINE__, huge, {.idle_timeout_ms = 0}, CW_NET_ERR_HEADER_LIMIT},
        {__LINE__, huge, {.max_header_bytes = 30000, .idle_timeout_ms = 60}, CW_NET_OK},
        {__LINE__,
         "HTTP/1.1 200 OK\r\na: b\r\nc: d\r\ncontent-length: 0\r\n\r\n",
         {.max_header_fields = 2},
         CW_NET_ERR_HEADER_LIMIT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client_fixture f;
        const char *says = rows[i].says;
        answer a = {.f = NULL};
        fake_server *server = fake_start(say_last_and_wait, &says);
        client_setup(&f, &(cw_http_client_options){.limits = rows[i].limits}, server->port);
        client_get(&f, "/", &a);
        if (a.e.status != rows[i].st) {
            fail_msg("line %d: %s (%s)", rows[i].line, cw_net_status_name(a.e.status), a.e.detail);
        }
        /* Whatever it was, the connection ends, and without another word. */
        while (client_counters(&f).connections_open > 0) {
            client_run_for(&f, 1);
        }
        client_teardown(&f);
        assert_int_equal(f.errors, 0);
        fake_stop(server);
        answer_free(&a);
    }
}

/* ---- giving up ---------------------------------------------------------------------------------
 */

static void cancel(answer *a)
{
    a->f->is_sending = true; /* on_response must not come from inside */
    cw_http_exchange_cancel(a->x);
    cw_http_exchange_cancel(a->x);
    a->f->is_sending = false;
}

static void requests_are_cancelled_at_each_stage(void **state)
{
    (void)state;
    enum { AT_ONCE, CONNECTING, QUEUED, SENT, HEAD_SEEN, STAGES };
    for (int stage = AT_ONCE; stage < STAGES; stage++) {
        client_fixture f;
        answer first = {.f = NULL}, a = {.f = NULL}, next = {.f = NULL};
        const char *says =
            stage == HEAD_SEEN ? "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhe" : "";
        fake_server *server = fake_start(say_last_and_wait, &says);
        client_setup(&f, &(cw_http_client_options){.max_connections = 1}, server->port);
        if (stage == QUEUED) {
            client_send_get(&f, "/", &first);
            client_wait_for_requests(&f, server, 1);
        }
        a.at_head = stage == HEAD_SEEN ? cancel : NULL;
        client_send_get(&f, "/", &a);
        if (stage == CONNECTING) {
            uv_run(&f.loop, UV_RUN_NOWAIT);
        } else if (stage == SENT) {
            client_wait_for_requests(&f, server, 1);
        }
        if (stage != HEAD_SEEN) {
            cancel(&a);
        }
        client_wait(&f, 1);
        assert_failed(&a, CW_NET_ERR_CANCELLED);
        assert_int_equal(a.status, stage == HEAD_SEEN ? 200 : 0);
        /* The client goes on. */
        says = OK_2;
        if (stage != QUEUED) {
            client_get(&f, "/", &next);
            assert_answer(&next, 200, "ok");
        }
        client_teardown(&f);
        fake_stop(server);
        answer_free(&first);
        answer_free(&a);
        answer_free(&next);
    }
}

static void close_client(answer *a)
{
    client_close(a->f);
}

/* From outside, or from inside one of the callbacks, with requests at every stage. */
static void the_client_is_closed_with_requests_in_work(void **state)
{
    (void)state;
    for (int from_inside = 0; from_inside < 3; from_inside++) {
        client_fixture f;
        answer a[10] = {{.f = NULL}};
        const char *says = from_inside ? OK_2 : "";
        fake_server *server = fake_start(say_last_and_wait, &says);
        client_setup(&f, &(cw_http_client_options){.max_connections = 3}, server->port);
        for (unsigned i = 0; i < 10; i++) {
            a[i].then = from_inside == 1 ? close_client : NULL;
            a[i].at_head = from_inside == 2 ? close_client : NULL;
            client_send_get(&f, "/", &a[i]);
        }
        if (!from_inside) {
            client_wait_for_requests(&f, server, 3);
            client_close(&f);
            client_close(&f); /* once is enough */
        }
        client_wait_flag(&f, &f.is_closed);
        assert_int_equal(f.ended, 10);
        unsigned cancelled = 0;
        for (unsigned i = 0; i < 10; i++) {
            assert_int_equal(a[i].calls, 1);
            if (a[i].e.status != CW_NET_OK) {
                assert_failed(&a[i], CW_NET_ERR_CANCELLED);
                cancelled++;
            }
        }
        /* The close comes with the loop's next turn: what three connections brought may count. */
        assert_in_range(cancelled, from_inside ? 7 : 10, from_inside ? 9 : 10);
        client_teardown(&f);
        fake_stop(server);
        answers_free(a, 10);
    }
}

static void never(void *user, cw_http_exchange *x, const cw_net_error *e)
{
    (void)user;
    (void)x;
    fail_msg("told of a request that was not taken: %s", cw_net_status_name(e->status));
}

static void refuse_after_close(answer *a)
{
    cw_net_error e;
    const cw_http_request late = {.on_response = never};
    client_close(a->f);
    assert_int_equal(cw_http_send(a->f->client, &late, NULL, &e), CW_NET_ERR_SHUTDOWN);
    assert_int_equal(e.status, CW_NET_ERR_SHUTDOWN);
}

static void a_closed_client_takes_nothing(void **state)
{
    (void)state;
    client_fixture f;
    answer a = {.then = refuse_after_close};
    const char *says = OK_2;
    fake_server *server = fake_start(say_last_and_wait, &says);
    client_setup(&f, NULL, server->port);
    client_send_get(&f, "/", &a);
    client_wait_flag(&f, &f.is_closed);
    assert_answer(&a, 200, "ok");
    client_teardown(&f);
    fake_stop(server);
    answer_free(&a);
}

static void an_unused_client_is_closed(void **state)
{
    (void)state;
    client_fixture f;
    client_setup(&f, NULL, fake_dead_port());
    client_teardown(&f);
    client_setup(&f, &(cw_http_client_options){.origin = "https://h"}, 0);
    cw_http_client_close(f.client, NULL, NULL);
    uv_run(&f.loop, UV_RUN_DEFAULT);
    f.is_closed = true;
    client_teardown(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_comes_in_time),
        cmocka_unit_test(in_time_is_in_time),
        cmocka_unit_test(a_late_loop_is_no_time_out),
        cmocka_unit_test(connecting_has_a_limit),
        cmocka_unit_test(the_handshake_has_a_limit),
        cmocka_unit_test(connections_have_limits_of_their_own),
        cmocka_unit_test(requests_are_cancelled_at_each_stage),
        cmocka_unit_test(the_client_is_closed_with_requests_in_work),
        cmocka_unit_test(a_closed_client_takes_nothing),
        cmocka_unit_test(an_unused_client_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
