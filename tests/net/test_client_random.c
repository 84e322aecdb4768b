/* SPDX-License-Identifier: MIT */
/* Anything may happen at any time: random users against random servers, from seeds. Whatever they
 * do, each request that was taken ends exactly once, and right answers have the right body. */
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

enum { MANY = 150, SEEDS = 24 };

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* ---- a server with moods -----------------------------------------------------------------------
 */

#define OK_5 "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n"

/* False: the connection ends. */
static bool answer_somehow(fake_peer *p, uint32_t mood)
{
    switch (mood % 16) {
    case 0: /* closes instead */
        return false;
    case 1: /* breaks off */
        fake_write(p, OK_5 "he");
        return false;
    case 2:
        fake_reset(p);
        return false;
    case 3: /* ends politely */
        fake_write(p, "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello");
        return false;
    case 4: /* ends without a word, after the answer */
        fake_write(p, OK_5 "hello");
        return false;
    case 5: /* is slow */
        fake_write(p, OK_5 "h");
        usleep(3000);
        return fake_write(p, "ello");
    case 6:
        return fake_write(p, "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n"
                             "transfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n");
    case 7: /* talks nonsense */
        fake_write(p, "hello\r\n\r\n");
        return false;
    case 8: /* says more than was asked for */
        fake_write(p, OK_5 "hellohello");
        return false;
    default:
        return fake_write(p, OK_5 "hello");
    }
}

static void be_moody(fake_peer *p)
{
    const uint32_t *seed = p->ctx;
    uint32_t random = *seed * 7919 + p->number;
    while (fake_read_request(p) && answer_somehow(p, next_random(&random))) {
    }
}

/* ---- a user with moods -------------------------------------------------------------------------
 */

typedef struct user {
    client_fixture *f;
    uint32_t random;
    const char *path;
    unsigned sent, answered;
    bool is_closing;
    answer a[MANY];
} user;

static void act(user *u);

static void check_answer(answer *a)
{
    user *u = a->user;
    if (a->e.status == CW_NET_OK) {
        assert_int_equal(a->status, 200);
        assert_string_equal(a->body, "hello");
        u->answered++;
    }
    if (next_random(&u->random) % 3 == 0) {
        act(u);
    }
}

static void act_at_head(answer *a)
{
    user *u = a->user;
    if (next_random(&u->random) % 8 == 0) {
        act(u);
    }
}

static void send_one(user *u)
{
    uint32_t r = next_random(&u->random);
    answer *a = &u->a[u->sent++];
    a->then = check_answer;
    a->at_head = act_at_head;
    a->at_body = r % 3 == 0 ? act_at_head : NULL;
    a->user = u;
    const cw_http_request request = {
        .method = r % 5 == 0 ? CW_STR("PUT") : CW_STR("POST"),
        .path = cw_str_from(u->path),
        .body = {(const uint8_t *)"hello", 5},
        .streamed = r % 7 == 0,
        .timeout_ms = r % 4 == 0 ? 1 + r % 40 : 0,
    };
    client_send(u->f, &request, a);
    if (request.streamed && a->x != NULL) {
        cw_http_exchange_end(a->x, (cw_http_fields){.len = 0});
    }
}

/* Does something to somebody. */
static void act(user *u)
{
    uint32_t r = next_random(&u->random);
    answer *a = u->sent > 0 ? &u->a[(r >> 4) % u->sent] : NULL;
    switch (r % 8) {
    case 0:
        if (a != NULL && a->x != NULL) {
            cw_http_exchange_cancel(a->x);
        }
        break;
    case 1:
        if (a != NULL && a->x != NULL) {
            cw_http_exchange_pause(a->x);
        }
        break;
    case 2:
        if (a != NULL && a->x != NULL) {
            cw_http_exchange_resume(a->x);
        }
        break;
    default:
        if (u->sent < MANY && !u->is_closing) {
            send_one(u);
        }
        break;
    }
}

/* Until all have ended, or the client is closed in the middle. */
static void play(user *u, bool closes)
{
    client_fixture *f = u->f;
    unsigned end = closes ? MANY / 2 : MANY;
    while (u->sent < end) {
        act(u);
        if (next_random(&u->random) % 4 == 0) {
            uv_run(&f->loop, UV_RUN_NOWAIT);
        }
    }
    for (unsigned i = 0; i < u->sent && !closes; i++) {
        if (u->a[i].x != NULL) {
            cw_http_exchange_resume(u->a[i].x);
        }
    }
    if (closes) {
        u->is_closing = true;
        client_close(f);
        client_wait_flag(f, &f->is_closed);
    } else {
        /* Paused again by one that ends: a paused one may wait for ever. */
        while (f->ended < u->sent) {
            client_run_for(f, 1);
            for (unsigned i = 0; i < u->sent; i++) {
                if (u->a[i].x != NULL) {
                    cw_http_exchange_resume(u->a[i].x);
                }
            }
        }
        cw_net_counters n = client_counters(f);
        assert_int_equal(n.requests, u->sent);
        assert_int_equal(n.answered, u->answered);
        assert_int_equal(n.failed, u->sent - u->answered);
        assert_int_equal(cw_http_client_queued(f->client) + cw_http_client_in_flight(f->client), 0);
    }
    assert_int_equal(f->ended, u->sent);
    for (unsigned i = 0; i < u->sent; i++) {
        assert_int_equal(u->a[i].calls, 1);
    }
}

static user *new_user(client_fixture *f, uint32_t seed, const char *path)
{
    user *u = calloc(1, sizeof *u);
    assert_non_null(u);
    u->f = f;
    u->random = seed;
    u->path = path;
    return u;
}

static void free_user(user *u)
{
    answers_free(u->a, u->sent);
    free(u);
}

static void moody_servers(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        client_fixture f;
        fake_server *server = fake_start(be_moody, &seed);
        client_setup(&f,
                     &(cw_http_client_options){.max_connections = 1 + seed % 5,
                                               .no_keep_alive = seed % 6 == 0,
                                               .connect_timeout_ms = 1000},
                     server->port);
        user *u = new_user(&f, seed, "/");
        play(u, seed % 4 == 3);
        client_teardown(&f);
        fake_stop(server);
        free_user(u);
    }
}

static void moody_users_of_a_good_server(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        client_fixture f;
        fixture *server =
            fixture_open(&(cw_http_server_options){.limits = {.max_streams = 1 + seed % 9}});
        client_setup(&f,
                     &(cw_http_client_options){.max_connections = 1 + seed % 3,
                                               .version = seed % 3 ? CW_HTTP_2 : CW_HTTP_1_1},
                     server->port);
        user *u = new_user(&f, seed, seed % 2 ? "/echo" : "/pieces");
        play(u, seed % 4 == 3);
        client_teardown(&f);
        fixture_close(server);
        free_user(u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moody_servers),
        cmocka_unit_test(moody_users_of_a_good_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
