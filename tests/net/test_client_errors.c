/* SPDX-License-Identifier: MIT */
/* The client when things go wrong, HTTP/1.1: no request is lost, none is a silent success. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "client_fixture.h"

enum { MANY = 60 };

#define OK_HEAD "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n"
#define OK_2    OK_HEAD "ok"

/* ---- options -----------------------------------------------------------------------------------
 */

static void bad_options_are_refused(void **state)
{
    (void)state;
    uv_loop_t loop;
    uv_loop_init(&loop);
    static const struct {
        int line;
        cw_http_client_options o;
    } rows[] = {
        {__LINE__, {.origin = NULL}},
        {__LINE__, {.origin = "http://h/path"}},
        {__LINE__, {.origin = "http://h", .version = CW_HTTP_1_0}},
        {__LINE__, {.origin = "http://h", .version = (cw_http_version)12}},
        {__LINE__, {.origin = "http://h", .coding = {.request_coding = 3}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw_net_error e = {.status = CW_NET_OK};
        if (cw_http_client_open(&loop, &rows[i].o, &e) != NULL || e.status != CW_NET_ERR_ARGUMENT ||
            e.detail[0] == '\0') {
            fail_msg("line %d: %s", rows[i].line, cw_net_status_name(e.status));
        }
    }
    assert_int_equal(uv_loop_close(&loop), 0);
}

/* ---- connections that cannot be made -----------------------------------------------------------
 */

static void nobody_listens(void **state)
{
    (void)state;
    client_fixture f;
    answer a[4] = {{.f = NULL}};
    client_setup(&f, NULL, fake_dead_port());
    for (unsigned i = 0; i < 3; i++) {
        client_send_get(&f, "/", &a[i]);
    }
    client_wait(&f, 3);
    client_get(&f, "/", &a[3]); /* is a new try */
    for (unsigned i = 0; i < 4; i++) {
        assert_failed(&a[i], CW_NET_ERR_CONNECT);
        assert_int_equal(a[i].e.code, UV_ECONNREFUSED);
        assert_int_equal(a[i].status, 0);
    }
    cw_net_counters n = client_counters(&f);
    assert_int_equal(n.requests, 4);
    assert_int_equal(n.failed, 4);
    assert_int_equal(n.connections, 0);
    assert_true(n.connections_failed >= 2 && n.connections_failed <= 4);
    client_teardown(&f);
    answers_free(a, 4);
}

/* A user that sends again from on_response does not keep the loop from anything else. */
static void try_again(answer *a)
{
    answer *next = a->user;
    if (next != NULL) {
        client_send_get(a->f, "/", next);
    }
}

static void trying_again_from_inside_is_a_new_try(void **state)
{
    (void)state;
    client_fixture f;
    answer a[5] = {{.f = NULL}};
    client_setup(&f, NULL, fake_dead_port());
    for (unsigned i = 0; i < 5; i++) {
        a[i].then = try_again;
        a[i].user = i < 4 ? &a[i + 1] : NULL;
    }
    client_send_get(&f, "/", &a[0]);
    client_wait(&f, 5);
    assert_failed(&a[4], CW_NET_ERR_CONNECT);
    assert_int_equal(client_counters(&f).connections_failed, 5);
    client_teardown(&f);
    answers_free(a, 5);
}

static void names_that_do_not_exist(void **state)
{
    (void)state;
    client_fixture f;
    answer a[3] = {{.f = NULL}};
    client_setup(&f, &(cw_http_client_options){.origin = "http://name.invalid"}, 0);
    client_send_get(&f, "/", &a[0]);
    client_send_get(&f, "/", &a[1]);
    client_wait(&f, 2);
    client_get(&f, "/", &a[2]);
    for (unsigned i = 0; i < 3; i++) {
        assert_failed(&a[i], CW_NET_ERR_RESOLVE);
        assert_true(a[i].e.code < 0);
        assert_non_null(strstr(a[i].e.detail, "name.invalid"));
    }
    client_teardown(&f);
    answers_free(a, 3);
}

static void closing_while_a_name_is_resolved(void **state)
{
    (void)state;
    client_fixture f;
    answer a = {.f = NULL};
    client_setup(&f, &(cw_http_client_options){.origin = "http://name.invalid"}, 0);
    client_send_get(&f, "/", &a);
    uv_run(&f.loop, UV_RUN_NOWAIT);
    client_close(&f);
    client_wait_flag(&f, &f.is_closed);
    assert_failed(&a, a.e.status == CW_NET_ERR_RESOLVE ? CW_NET_ERR_RESOLVE : CW_NET_ERR_CANCELLED);
    client_teardown(&f);
    answer_free(&a);
}

/* ---- connections that end ----------------------------------------------------------------------
 */

typedef struct script {
    unsigned good;     /* answers of each connection before the last request */
    const char *last;  /* what is said to that one */
    bool is_reset;     /* the connection is reset, not closed */
    bool closes_first; /* the first connection only; those after it are good */
    bool is_idle;      /* it ends after the good ones, without another request */
} script;

static void run_script(fake_peer *p)
{
    const script *s = p->ctx;
    for (unsigned i = 0; i < s->good || (s->closes_first && p->number > 0); i++) {
        if (!fake_read_request(p) || !fake_write(p, p->head[0] == 'H' ? OK_HEAD : OK_2)) {
            return;
        }
    }
    if (s->is_idle ? fake_wait(p, 1) : fake_read_request(p)) {
        fake_write(p, s->last);
        if (s->is_reset) {
            usleep(20000); /* what was written must arrive before the reset */
            fake_reset(p);
        }
    }
}

/* An idle connection that has gone is replaced without a word, whatever the method. */
static void idle_connections_may_go(void **state)
{
    (void)state;
    client_fixture f;
    answer a[2] = {{.f = NULL}};
    script s = {.good = 1, .last = "", .is_idle = true, .closes_first = true};
    fake_server *server = fake_start(run_script, &s);
    client_setup(&f, NULL, server->port);
    const cw_http_request post = {.method = CW_STR_INIT("POST")};
    client_fetch(&f, &post, &a[0]);
    fake_signal(server);
    while (client_counters(&f).connections_open > 0) {
        client_run_for(&f, 1);
    }
    client_fetch(&f, &post, &a[1]);
    assert_answer(&a[1], 200, "ok");
    assert_false(a[1].reused);
    assert_int_equal(fake_accepted(server), 2);
    client_teardown(&f);
    assert_int_equal(f.errors, 0);
    fake_stop(server);
    answers_free(a, 2);
}

/* The server closes while the request is on its way to it. */
static void retries(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *method;
        script s;
        bool is_retried;
        cw_net_status st; /* when not */
    } rows[] = {
        {__LINE__, "GET", {1, "", false, true, false}, true, CW_NET_OK},
        {__LINE__, "HEAD", {1, "", false, true, false}, true, CW_NET_OK},
        {__LINE__, "PUT", {1, "", false, true, false}, true, CW_NET_OK},
        {__LINE__, "DELETE", {3, "", false, true, false}, true, CW_NET_OK},
        {__LINE__, "OPTIONS", {1, "", false, true, false}, true, CW_NET_OK},
        {__LINE__, "TRACE", {1, "", false, true, false}, true, CW_NET_OK},
        {__LINE__, "GET", {1, "", true, true, false}, true, CW_NET_OK},
        /* once */
        {__LINE__, "GET", {1, "", false, false, false}, true, CW_NET_OK},
        /* not where it might be done twice */
        {__LINE__, "POST", {1, "", false, true, false}, false, CW_NET_ERR_CLOSED},
        {__LINE__, "PATCH", {1, "", true, true, false}, false, CW_NET_ERR_CLOSED},
        {__LINE__, "get", {1, "", false, true, false}, false, CW_NET_ERR_CLOSED},
        /* nor after a byte of an answer */
        {__LINE__, "GET", {1, "H", false, true, false}, false, CW_NET_ERR_CLOSED},
        {__LINE__, "GET", {1, "HTTP/1.1 20", true, true, false}, false, CW_NET_ERR_CLOSED},
        {__LINE__,
         "GET",
         {1, "HTTP/1.1 100 Continue\r\n\r\n", false, true, false},
         false,
         CW_NET_ERR_CLOSED},
        {__LINE__,
         "GET",
         {1, "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhe", false, true, false},
         false,
         CW_NET_ERR_CLOSED},
        {__LINE__, "GET", {1, "junk\r\n\r\n", false, true, false}, false, CW_NET_ERR_PROTOCOL},
        /* nor on the first connection */
        {__LINE__, "GET", {0, "", false, true, false}, false, CW_NET_ERR_CLOSED},
        {__LINE__, "GET", {0, "", true, true, false}, false, CW_NET_ERR_CLOSED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client_fixture f;
        answer a[6] = {{.f = NULL}};
        script s = rows[i].s;
        fake_server *server = fake_start(run_script, &s);
        client_setup(&f, &(cw_http_client_options){.max_connections = 1}, server->port);
        const cw_http_request request = {.method = cw_str_from(rows[i].method),
                                         .body = {(const uint8_t *)"body", 4}};
        for (unsigned k = 0; k < s.good; k++) {
            client_fetch(&f, &request, &a[k]);
            assert_int_equal(a[k].e.status, CW_NET_OK);
        }
        answer *last = &a[s.good];
        client_fetch(&f, &request, last);
        if (last->e.status != rows[i].st || fake_accepted(server) != (rows[i].is_retried ? 2 : 1) ||
            fake_requests(server) != s.good + (rows[i].is_retried ? 2 : 1)) {
            fail_msg("line %d: %s (%s), %u connections, %u requests", rows[i].line,
                     cw_net_status_name(last->e.status), last->e.detail, fake_accepted(server),
                     fake_requests(server));
        }
        assert_int_equal(last->reused, !rows[i].is_retried && s.good > 0);
        client_teardown(&f);
        fake_stop(server);
        answers_free(a, 6);
    }
}

/* Against a server that closes every connection after its first answer without saying so, all is
 * answered nevertheless, on new connections where need be. */
static void stale_connections_do_not_starve_a_retry(void **state)
{
    (void)state;
    client_fixture f;
    answer a[12] = {{.f = NULL}};
    script s = {.good = 1, .last = ""};
    fake_server *server = fake_start(run_script, &s);
    client_setup(&f, &(cw_http_client_options){.max_connections = 2}, server->port);
    for (unsigned i = 0; i < 12; i++) {
        client_send_get(&f, "/", &a[i]);
    }
    client_wait(&f, 12);
    for (unsigned i = 0; i < 12; i++) {
        assert_answer(&a[i], 200, "ok");
    }
    assert_true(fake_most_open(server) <= 4); /* two, and two that it is about to close */
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, 12);
}

/* Three idle connections, none of them good any more, and no room for a fourth. */
static void a_retry_replaces_an_idle_connection(void **state)
{
    (void)state;
    client_fixture f;
    answer a[4] = {{.f = NULL}};
    script s = {.good = 1, .last = ""};
    fake_server *server = fake_start(run_script, &s);
    client_setup(&f, &(cw_http_client_options){.max_connections = 3}, server->port);
    for (unsigned i = 0; i < 3; i++) {
        client_send_get(&f, "/", &a[i]);
    }
    client_wait(&f, 3);
    assert_int_equal(client_counters(&f).connections_open, 3);
    client_get(&f, "/", &a[3]);
    assert_answer(&a[3], 200, "ok");
    assert_false(a[3].reused);
    assert_int_equal(fake_accepted(server), 4);
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, 4);
}

/* ---- a server that dies ------------------------------------------------------------------------
 */

/* Dies in the middle of everything after some requests: with answers, halves, and silence. */
static void die_soon(fake_peer *p)
{
    for (unsigned i = 0; fake_read_request(p); i++) {
        if (fake_requests(p->server) > MANY / 2) {
            fake_reset(p);
            return;
        }
        fake_write(p, i % 7 == 6 ? "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no" : OK_2);
        if (i % 7 == 6) {
            return;
        }
    }
}

typedef struct load {
    answer a[MANY];
    unsigned sent;
} load;

static void keep_loading(answer *a)
{
    load *l = a->user;
    if (l->sent < MANY) {
        client_send_get(a->f, "/", &l->a[l->sent++]);
    }
}

static void no_request_is_lost_when_the_server_dies(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 5; round++) {
        client_fixture f;
        load l = {.sent = 10};
        answer *a = l.a;
        fake_server *server = fake_start(die_soon, NULL);
        client_setup(&f, &(cw_http_client_options){.max_connections = 5}, server->port);
        for (unsigned i = 0; i < MANY; i++) {
            a[i].then = keep_loading;
            a[i].user = &l;
            if (i < 10) {
                client_send_get(&f, "/", &a[i]);
            }
        }
        client_wait_for_requests(&f, server, MANY / 3);
        fake_stop_listening(server);
        client_wait(&f, MANY);
        unsigned answered = 0, failed = 0;
        for (unsigned i = 0; i < MANY; i++) {
            assert_int_equal(a[i].calls, 1);
            if (a[i].e.status == CW_NET_OK) {
                assert_answer(&a[i], 200, "ok");
                answered++;
            } else {
                assert_true(a[i].e.status == CW_NET_ERR_CLOSED ||
                            a[i].e.status == CW_NET_ERR_CONNECT);
                failed++;
            }
        }
        cw_net_counters n = client_counters(&f);
        assert_int_equal(n.requests, MANY);
        assert_int_equal(n.answered, answered);
        assert_int_equal(n.failed, failed);
        assert_true(answered > 0 && failed > 0);
        client_teardown(&f);
        fake_stop(server);
        answers_free(a, MANY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(nobody_listens),
        cmocka_unit_test(trying_again_from_inside_is_a_new_try),
        cmocka_unit_test(names_that_do_not_exist),
        cmocka_unit_test(closing_while_a_name_is_resolved),
        cmocka_unit_test(idle_connections_may_go),
        cmocka_unit_test(retries),
        cmocka_unit_test(stale_connections_do_not_starve_a_retry),
        cmocka_unit_test(a_retry_replaces_an_idle_connection),
        cmocka_unit_test(no_request_is_lost_when_the_server_dies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
