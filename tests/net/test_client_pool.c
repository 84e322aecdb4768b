/* SPDX-License-Identifier: MIT */
/* The client's connections over HTTP/1.1: how many, when, which one, in what order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "client_fixture.h"
#include "fake_server.h"

enum { MANY = 40 };

/* Answers each request with its path. */
static void answer_path(fake_peer *p)
{
    while (fake_read_request(p)) {
        char text[160], path[64];
        sscanf(p->head, "%*s %60s", path);
        bool ends = strcasestr(p->head, "\r\nconnection: close\r\n") != NULL;
        snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\n%scontent-length: %zu\r\n\r\n%s",
                 ends ? "connection: close\r\n" : "", strlen(path), path);
        if (!fake_write(p, text) || ends) {
            return;
        }
    }
}

/* The same, but the first answer of each connection waits for a signal. */
static void answer_when_told(fake_peer *p)
{
    if (fake_read_head(p) && fake_wait(p, 1)) {
        fake_write(p, "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        answer_path(p);
    }
}

/* ---- keep-alive --------------------------------------------------------------------------------
 */

static void one_after_the_other_takes_one_connection(void **state)
{
    (void)state;
    client_fixture f;
    answer a[MANY] = {{.f = NULL}};
    fake_server *server = fake_start(answer_path, NULL);
    client_setup(&f, NULL, server->port);
    for (unsigned i = 0; i < MANY; i++) {
        client_get(&f, "/x", &a[i]);
        assert_answer(&a[i], 200, "/x");
        assert_int_equal(a[i].reused, i > 0);
        assert_int_equal(a[i].version, CW_HTTP_1_1);
    }
    cw_net_counters n = client_counters(&f);
    assert_int_equal(n.connections, 1);
    assert_int_equal(n.connections_open, 1);
    assert_int_equal(n.requests, MANY);
    assert_int_equal(n.answered, MANY);
    assert_int_equal(n.writes, MANY);
    assert_int_equal(n.handshakes_full + n.handshakes_resumed + n.connections_failed, 0);
    client_teardown(&f);
    assert_int_equal(fake_accepted(server), 1);
    fake_stop(server);
    answers_free(a, MANY);
}

/* Sends the next one from inside on_response: the connection that has just become free is used,
 * and no second one is opened for it. */
static void send_again(answer *a)
{
    answer *next = a->user;
    if (next != NULL) {
        client_send_get(a->f, "/x", next);
    }
}

static void a_request_from_inside_on_response_takes_the_same_connection(void **state)
{
    (void)state;
    client_fixture f;
    answer a[MANY] = {{.f = NULL}};
    fake_server *server = fake_start(answer_path, NULL);
    client_setup(&f, NULL, server->port);
    for (unsigned i = 0; i < MANY; i++) {
        a[i].then = send_again;
        a[i].user = i + 1 < MANY ? &a[i + 1] : NULL;
    }
    client_send_get(&f, "/x", &a[0]);
    client_wait(&f, MANY);
    for (unsigned i = 0; i < MANY; i++) {
        assert_answer(&a[i], 200, "/x");
        assert_int_equal(a[i].order, i + 1);
    }
    assert_int_equal(fake_accepted(server), 1);
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, MANY);
}

static void without_keep_alive_each_request_has_its_connection(void **state)
{
    (void)state;
    client_fixture f;
    answer a[MANY] = {{.f = NULL}};
    fake_server *server = fake_start(answer_path, NULL);
    client_setup(&f, &(cw_http_client_options){.no_keep_alive = true, .max_connections = 3},
                 server->port);
    for (unsigned i = 0; i < MANY; i++) {
        client_send_get(&f, "/x", &a[i]);
    }
    client_wait(&f, MANY);
    for (unsigned i = 0; i < MANY; i++) {
        assert_answer(&a[i], 200, "/x");
        assert_false(a[i].reused);
    }
    assert_int_equal(client_counters(&f).connections, MANY);
    assert_int_equal(fake_accepted(server), MANY);
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, MANY);
}

/* ---- how many ----------------------------------------------------------------------------------
 */

static void there_are_no_more_connections_than_allowed(void **state)
{
    (void)state;
    static const struct {
        int line;
        size_t max, requests;
        unsigned connections;
    } rows[] = {
        {__LINE__, 0, 1, 1}, {__LINE__, 0, 4, 4},    {__LINE__, 0, 6, 6},  {__LINE__, 0, 20, 6},
        {__LINE__, 1, 5, 1}, {__LINE__, 10, 20, 10}, {__LINE__, 10, 3, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client_fixture f;
        answer a[20] = {{.f = NULL}};
        fake_server *server = fake_start(answer_when_told, NULL);
        client_setup(&f, &(cw_http_client_options){.max_connections = rows[i].max}, server->port);
        for (unsigned k = 0; k < rows[i].requests; k++) {
            client_send_get(&f, "/", &a[k]);
        }
        assert_int_equal(cw_http_client_queued(f.client), rows[i].requests);
        client_wait_for_requests(&f, server, rows[i].connections);
        assert_int_equal(cw_http_client_in_flight(f.client), rows[i].connections);
        assert_int_equal(cw_http_client_queued(f.client), rows[i].requests - rows[i].connections);
        fake_signal(server);
        client_wait(&f, (unsigned)rows[i].requests);
        if (fake_accepted(server) != rows[i].connections ||
            client_counters(&f).answered != rows[i].requests) {
            fail_msg("line %d: %u connections", rows[i].line, fake_accepted(server));
        }
        client_teardown(&f);
        fake_stop(server);
        answers_free(a, 20);
    }
}

static void never(void *user, cw_http_exchange *x, const cw_net_error *e)
{
    (void)user;
    (void)x;
    fail_msg("told of a request that was not taken: %s", cw_net_status_name(e->status));
}

static void the_queue_has_an_end_when_asked_for(void **state)
{
    (void)state;
    client_fixture f;
    answer a[4] = {{.f = NULL}};
    fake_server *server = fake_start(answer_when_told, NULL);
    client_setup(&f, &(cw_http_client_options){.max_connections = 1, .max_queued = 2},
                 server->port);
    client_send_get(&f, "/0", &a[0]);
    client_wait_for_requests(&f, server, 1);
    client_send_get(&f, "/1", &a[1]);
    client_send_get(&f, "/2", &a[2]);
    cw_net_error e;
    const cw_http_request one_more = {.on_response = never};
    assert_int_equal(cw_http_send(f.client, &one_more, NULL, &e), CW_NET_ERR_BUSY);
    assert_int_equal(e.status, CW_NET_ERR_BUSY);
    fake_signal(server);
    client_wait(&f, 3);
    client_send_get(&f, "/3", &a[3]);
    client_wait(&f, 4);
    assert_answer(&a[0], 200, "ok");
    assert_answer(&a[1], 200, "/1");
    assert_answer(&a[2], 200, "/2");
    assert_answer(&a[3], 200, "/3");
    assert_int_equal(client_counters(&f).requests, 4);
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, 4);
}

/* ---- who is next -------------------------------------------------------------------------------
 */

static void requests_leave_in_the_order_of_sending(void **state)
{
    (void)state;
    client_fixture f;
    answer a[MANY] = {{.f = NULL}};
    fake_server *server = fake_start(answer_path, NULL);
    client_setup(&f, &(cw_http_client_options){.max_connections = 1}, server->port);
    for (unsigned i = 0; i < MANY; i++) {
        char path[16];
        snprintf(path, sizeof path, "/%u", i);
        client_send_get(&f, path, &a[i]);
    }
    client_wait(&f, MANY);
    for (unsigned i = 0; i < MANY; i++) {
        char path[16], line[32];
        snprintf(path, sizeof path, "/%u", i);
        snprintf(line, sizeof line, "GET /%u HTTP/1.1", i);
        assert_answer(&a[i], 200, path);
        assert_int_equal(a[i].order, i + 1);
        assert_string_equal(server->log[i], line);
    }
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, MANY);
}

static void answer_with_number(fake_peer *p)
{
    while (fake_read_request(p)) {
        char text[100];
        snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n%02u", p->number);
        if (p->number == 0 && p->server->signals == 0 && !fake_wait(p, 1)) {
            return;
        }
        fake_write(p, text);
    }
}

/* Of two idle connections the one that was used last. */
static void the_warmest_connection_is_taken(void **state)
{
    (void)state;
    client_fixture f;
    answer a[5] = {{.f = NULL}};
    fake_server *server = fake_start(answer_with_number, NULL);
    client_setup(&f, NULL, server->port);
    client_send_get(&f, "/", &a[0]); /* held at connection 0 */
    client_wait_for_requests(&f, server, 1);
    client_get(&f, "/", &a[1]);
    assert_answer(&a[1], 200, "01");
    client_get(&f, "/", &a[2]);
    assert_answer(&a[2], 200, "01");
    fake_signal(server);
    client_wait(&f, 3);
    assert_answer(&a[0], 200, "00");
    client_get(&f, "/", &a[3]);
    assert_answer(&a[3], 200, "00");
    client_get(&f, "/", &a[4]);
    assert_answer(&a[4], 200, "00");
    assert_int_equal(fake_accepted(server), 2);
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, 5);
}

/* ---- connections ahead of requests -------------------------------------------------------------
 */

static void connections_are_opened_ahead(void **state)
{
    (void)state;
    client_fixture f;
    answer a[3] = {{.f = NULL}};
    fake_server *server = fake_start(answer_path, NULL);
    client_setup(&f, NULL, server->port);
    client_connect(&f, 0);
    assert_int_equal(f.ready.status, CW_NET_OK);
    assert_int_equal(client_counters(&f).connections, 0);
    client_connect(&f, 3);
    assert_int_equal(f.ready.status, CW_NET_OK);
    assert_int_equal(client_counters(&f).connections_open, 3);
    client_connect(&f, 2); /* are there */
    assert_int_equal(client_counters(&f).connections, 3);
    client_connect(&f, 100);
    assert_int_equal(client_counters(&f).connections, 6);
    for (unsigned i = 0; i < 3; i++) {
        client_send_get(&f, "/x", &a[i]);
    }
    assert_int_equal(cw_http_client_in_flight(f.client), 3); /* at once */
    client_wait(&f, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_answer(&a[i], 200, "/x");
        assert_false(a[i].reused);
    }
    assert_int_equal(client_counters(&f).connections, 6);
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, 3);
}

static void connecting_ahead_may_fail(void **state)
{
    (void)state;
    client_fixture f;
    answer a = {.f = NULL};
    client_setup(&f, NULL, fake_dead_port());
    client_connect(&f, 3);
    assert_int_equal(f.ready.status, CW_NET_ERR_CONNECT);
    assert_int_equal(f.ready.code, UV_ECONNREFUSED);
    client_get(&f, "/", &a);
    assert_failed(&a, CW_NET_ERR_CONNECT);
    client_teardown(&f);
    answer_free(&a);
}

static void ready_comes_with_the_close_too(void **state)
{
    (void)state;
    client_fixture f;
    fake_server *server = fake_start(answer_path, NULL);
    client_setup(&f, NULL, server->port);
    client_close(&f);
    client_connect(&f, 1);
    assert_int_equal(f.ready.status, CW_NET_ERR_CANCELLED);
    client_wait_flag(&f, &f.is_closed);
    client_teardown(&f);
    fake_stop(server);
}

/* ---- addresses ---------------------------------------------------------------------------------
 */

static void names_are_resolved(void **state)
{
    (void)state;
    client_fixture f;
    char origin[64];
    answer a = {.f = NULL};
    fake_server *server = fake_start(answer_path, NULL);
    snprintf(origin, sizeof origin, "http://LOCALHOST:%d/", server->port);
    client_setup(&f, &(cw_http_client_options){.origin = origin}, 0);
    client_get(&f, "/x", &a);
    assert_answer(&a, 200, "/x");
    client_teardown(&f);
    fake_stop(server);
    answer_free(&a);
}

static void all_addresses_are_tried(void **state)
{
    (void)state;
    client_fixture f;
    answer a[2] = {{.f = NULL}};
    fake_server *server = fake_start(answer_path, NULL);
    client_setup(&f, &(cw_http_client_options){.no_keep_alive = true}, server->port);
    client_set_ports(&f, (const int[]){fake_dead_port(), fake_dead_port(), server->port}, 3);
    client_get(&f, "/x", &a[0]);
    assert_answer(&a[0], 200, "/x");
    assert_int_equal(client_counters(&f).connections_failed, 2);
    /* The one that worked is the first choice from now on. */
    client_get(&f, "/x", &a[1]);
    assert_answer(&a[1], 200, "/x");
    assert_int_equal(client_counters(&f).connections_failed, 2);
    assert_int_equal(client_counters(&f).connections, 2);
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, 2);
}

static void each_address_is_tried_once(void **state)
{
    (void)state;
    client_fixture f;
    answer a[5] = {{.f = NULL}};
    client_setup(&f, &(cw_http_client_options){.max_connections = 1}, fake_dead_port());
    client_set_ports(&f, (const int[]){fake_dead_port(), fake_dead_port(), fake_dead_port()}, 3);
    for (unsigned i = 0; i < 5; i++) {
        client_send_get(&f, "/", &a[i]);
    }
    client_wait(&f, 5);
    for (unsigned i = 0; i < 5; i++) {
        assert_failed(&a[i], CW_NET_ERR_CONNECT);
        assert_int_equal(a[i].order, i + 1);
    }
    assert_int_equal(client_counters(&f).connections_failed, 3);
    client_teardown(&f);
    answers_free(a, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_after_the_other_takes_one_connection),
        cmocka_unit_test(a_request_from_inside_on_response_takes_the_same_connection),
        cmocka_unit_test(without_keep_alive_each_request_has_its_connection),
        cmocka_unit_test(there_are_no_more_connections_than_allowed),
        cmocka_unit_test(the_queue_has_an_end_when_asked_for),
        cmocka_unit_test(requests_leave_in_the_order_of_sending),
        cmocka_unit_test(the_warmest_connection_is_taken),
        cmocka_unit_test(connections_are_opened_ahead),
        cmocka_unit_test(connecting_ahead_may_fail),
        cmocka_unit_test(ready_comes_with_the_close_too),
        cmocka_unit_test(names_are_resolved),
        cmocka_unit_test(all_addresses_are_tried),
        cmocka_unit_test(each_address_is_tried_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
