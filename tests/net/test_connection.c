/* SPDX-License-Identifier: MIT */
/* A connection's end: answers that come before a body is sent, and peers that are slow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client_fixture.h"
#include "raw_client.h"
#include "server_fixture.h"

enum { LARGE = 30000000 }; /* more than the sockets of both ends hold */

#define HOST "Host: localhost\r\n"
#define TOO_LARGE                                                                                  \
    "HTTP/1.1 413 Content Too Large\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno"

/* ---- an answer ahead of the body ---------------------------------------------------------------
 */

/* Answers and closes: what is unread makes a reset of it. */
static void answer_and_reset(fake_peer *p)
{
    if (fake_read_head(p)) {
        fake_write(p, TOO_LARGE);
    }
}

/* The answer is in the client's socket when its writing fails. */
static void a_client_reads_what_came_before_the_reset(void **state)
{
    (void)state;
    enum { N = 10 };
    client_fixture f;
    answer a[N] = {{.f = NULL}};
    char *body = calloc(1, LARGE);
    assert_non_null(body);
    fake_server *server = fake_start(answer_and_reset, NULL);
    client_setup(&f, &(cw_http_client_options){.max_connections = 3}, server->port);
    const cw_http_request request = {.path = CW_STR_INIT("/"), .body = cw_bytes_of(body, LARGE)};
    for (unsigned i = 0; i < N; i++) {
        client_send(&f, &request, &a[i]);
    }
    client_wait(&f, N);
    for (unsigned i = 0; i < N; i++) {
        assert_answer(&a[i], 413, "no");
    }
    assert_int_equal(f.errors, 0);
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, N);
    free(body);
}

static void reset_at_once(fake_peer *p)
{
    if (fake_read_head(p)) {
        fake_reset(p);
    }
}

/* Nothing came before it: that is a failure, told once. */
static void a_reset_without_an_answer_fails(void **state)
{
    (void)state;
    client_fixture f;
    answer a = {.f = NULL};
    char *body = calloc(1, LARGE);
    assert_non_null(body);
    fake_server *server = fake_start(reset_at_once, NULL);
    client_setup(&f, NULL, server->port);
    client_fetch(&f, &(cw_http_request){.body = cw_bytes_of(body, LARGE)}, &a);
    assert_failed(&a, CW_NET_ERR_CLOSED);
    client_teardown(&f);
    fake_stop(server);
    answer_free(&a);
    free(body);
}

/* A client that sends all it has before it looks: the server throws it away, and does not reset. */
static void a_refused_upload_can_be_sent_to_its_end(void **state)
{
    (void)state;
    fixture *f = fixture_open(&(cw_http_server_options){.limits = {.max_body = 1000}});
    raw_client c;
    raw_response r;
    char *body = calloc(1, LARGE);
    assert_non_null(body);
    assert_true(raw_open(&c, f->port));
    assert_true(
        raw_send_text(&c, "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 30000000\r\n\r\n"));
    assert_true(raw_send(&c, body, LARGE));
    assert_true(raw_get_response(&c, true, &r));
    assert_int_equal(r.status, 413);
    assert_true(raw_read_to_end(&c));
    assert_false(c.was_reset);
    raw_response_free(&r);
    raw_close(&c);
    free(body);
    fixture_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_reads_what_came_before_the_reset),
        cmocka_unit_test(a_reset_without_an_answer_fails),
        cmocka_unit_test(a_refused_upload_can_be_sent_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
