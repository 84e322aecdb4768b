/* SPDX-License-Identifier: MIT */
/* Bodies of responses over HTTP/1.1: limits, pieces, back-pressure, content coding, bombs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "client_fixture.h"
#include "coding.h"

enum { KIB = 1024, MIB = 1024 * KIB };

/* What the fake server says, and what it has seen. */
typedef struct reply {
    const char *head;
    cw__buf body;
    size_t written; /* of the body, under the server's lock */
    bool closes;
} reply;

static void fill_body(reply *r, size_t n)
{
    uint8_t *to = cw__buf_reserve(&r->body, n);
    assert_non_null(to);
    for (size_t i = 0; i < n; i++) {
        to[i] = (uint8_t)('a' + (i + i * i / 1000) % 26); /* compresses, within reason */
    }
    cw__buf_added(&r->body, n);
}

/* Answers with a head, content-length and the body. */
static void say(fake_peer *p)
{
    reply *r = p->ctx;
    while (fake_read_request(p)) {
        char text[256];
        size_t len = cw__buf_len(&r->body);
        snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\n%scontent-length: %zu\r\n\r\n", r->head,
                 len);
        fake_write(p, text);
        for (size_t at = 0, n; at < len; at += n) {
            n = len - at < 32 * KIB ? len - at : 32 * KIB;
            if (!fake_write_bytes(p, r->body.data + at, n)) {
                return;
            }
            pthread_mutex_lock(&p->server->lock);
            r->written += n;
            pthread_mutex_unlock(&p->server->lock);
        }
        if (r->closes) {
            return;
        }
    }
}

static size_t written(fake_server *s, const reply *r)
{
    pthread_mutex_lock(&s->lock);
    size_t n = r->written;
    pthread_mutex_unlock(&s->lock);
    return n;
}

static void nothing(answer *a)
{
    (void)a;
}

/* ---- down --------------------------------------------------------------------------------------
 */

static void bodies_are_collected_up_to_the_limit(void **state)
{
    (void)state;
    static const struct {
        size_t max, len;
        cw_net_status st;
    } rows[] = {
        {1000, 1000, CW_NET_OK},
        {1000, 1001, CW_NET_ERR_BODY_LIMIT},
        {0, 3 * MIB, CW_NET_OK},
        {MIB, 3 * MIB, CW_NET_ERR_BODY_LIMIT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client_fixture f;
        reply r = {.head = ""};
        answer a = {.f = NULL}, next = {.f = NULL};
        fill_body(&r, rows[i].len);
        fake_server *server = fake_start(say, &r);
        client_setup(&f, &(cw_http_client_options){.limits = {.max_body = rows[i].max}},
                     server->port);
        client_get(&f, "/", &a);
        if (rows[i].st == CW_NET_OK) {
            assert_int_equal(a.e.status, CW_NET_OK);
            assert_int_equal(a.body_len, rows[i].len);
            assert_memory_equal(a.body, r.body.data, rows[i].len);
        } else {
            assert_failed(&a, rows[i].st);
            assert_true(a.body_len <= rows[i].max);
        }
        /* In pieces there is no limit. */
        next.at_body = nothing;
        client_get(&f, "/", &next);
        assert_int_equal(next.e.status, CW_NET_OK);
        assert_int_equal(next.body_len, rows[i].len);
        assert_memory_equal(next.body, r.body.data, rows[i].len);
        assert_int_equal(next.reused, rows[i].st == CW_NET_OK);
        client_teardown(&f);
        fake_stop(server);
        answer_free(&a);
        answer_free(&next);
        cw__buf_free(&r.body);
    }
}

static void pause_at_first(answer *a)
{
    if (a->pieces == 1) {
        cw_http_exchange_pause(a->x);
    }
}

static void a_paused_body_does_not_arrive(void **state)
{
    (void)state;
    client_fixture f;
    reply r = {.head = ""};
    answer a = {.at_body = pause_at_first};
    enum { LEN = 32 * MIB };
    fill_body(&r, LEN);
    fake_server *server = fake_start(say, &r);
    client_setup(&f, NULL, server->port);
    client_send_get(&f, "/", &a);
    size_t last = 0;
    do {
        last = written(server, &r);
        client_run_for(&f, 100);
    } while (written(server, &r) == 0 || written(server, &r) > last);
    assert_true(a.body_len > 0 && a.body_len <= 2 * MIB);
    assert_true(written(server, &r) < LEN);
    assert_int_equal(a.calls, 0);
    size_t before = a.body_len;
    client_run_for(&f, 50);
    assert_int_equal(a.body_len, before);
    cw_http_exchange_resume(a.x);
    cw_http_exchange_resume(a.x);
    client_wait(&f, 1);
    assert_int_equal(a.e.status, CW_NET_OK);
    assert_int_equal(a.body_len, LEN);
    assert_memory_equal(a.body, r.body.data, LEN);
    client_teardown(&f);
    fake_stop(server);
    answer_free(&a);
    cw__buf_free(&r.body);
}

static void a_paused_body_may_be_cancelled(void **state)
{
    (void)state;
    client_fixture f;
    reply r = {.head = ""};
    answer a = {.at_body = pause_at_first};
    fill_body(&r, 8 * MIB);
    fake_server *server = fake_start(say, &r);
    client_setup(&f, NULL, server->port);
    client_send_get(&f, "/", &a);
    while (a.pieces == 0) {
        client_run_for(&f, 1);
    }
    cw_http_exchange_cancel(a.x);
    cw_http_exchange_resume(a.x);
    client_wait(&f, 1);
    assert_failed(&a, CW_NET_ERR_CANCELLED);
    client_teardown(&f);
    fake_stop(server);
    answer_free(&a);
    cw__buf_free(&r.body);
}

/* ---- content coding ----------------------------------------------------------------------------
 */

static void put_coded(cw__buf *to, unsigned coding, const void *data, size_t len)
{
    cw_net_error e;
    cw__coder *encoder = cw__encoder_open(coding, coding == CW_HTTP_BR ? 4 : 6);
    assert_non_null(encoder);
    assert_int_equal(cw__encode(encoder, cw_bytes_of(data, len), true, to, &e), CW_NET_OK);
    cw__coder_free(encoder);
}

static void responses_are_decoded(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *head;
        unsigned coding;
        size_t len, cut; /* cut: bytes left out at the end */
        size_t max_decoded;
        cw_net_status st;
    } rows[] = {
        {__LINE__, "content-encoding: gzip\r\n", CW_HTTP_GZIP, 5000, 0, 0, CW_NET_OK},
        {__LINE__, "Content-Encoding: GZIP\r\n", CW_HTTP_GZIP, 3 * MIB, 0, 0, CW_NET_OK},
        {__LINE__, "content-encoding: x-gzip\r\n", CW_HTTP_GZIP, 1, 0, 0, CW_NET_OK},
        {__LINE__, "content-encoding: br\r\n", CW_HTTP_BR, 3 * MIB, 0, 0, CW_NET_OK},
        {__LINE__, "content-encoding: identity\r\n", 0, 5000, 0, 0, CW_NET_OK},
        {__LINE__, "content-encoding: br\r\n", CW_HTTP_BR, 5000, 0, 5000, CW_NET_OK},
        {__LINE__, "content-encoding: br\r\n", CW_HTTP_BR, 5001, 0, 5000, CW_NET_ERR_BODY_LIMIT},
        {__LINE__, "content-encoding: gzip\r\n", CW_HTTP_GZIP, 5000, 1, 0, CW_NET_ERR_CODING},
        {__LINE__, "content-encoding: br\r\n", CW_HTTP_BR, 5000, 1, 0, CW_NET_ERR_CODING},
        {__LINE__, "content-encoding: gzip\r\n", 0, 5000, 0, 0, CW_NET_ERR_CODING},
        {__LINE__, "content-encoding: zstd\r\n", 0, 5000, 0, 0, CW_NET_ERR_CODING},
        {__LINE__, "content-encoding: gzip, gzip\r\n", CW_HTTP_GZIP, 5000, 0, 0, CW_NET_ERR_CODING},
        /* nothing is nothing in every coding */
        {__LINE__, "content-encoding: zstd\r\n", 0, 0, 0, 0, CW_NET_OK},
        {__LINE__, "content-encoding: gzip\r\n", 0, 0, 0, 0, CW_NET_OK},
    };
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        bool in_pieces = i % 2 == 1;
        size_t row = i / 2;
        client_fixture f;
        reply plain = {.head = ""}, r = {.head = rows[row].head};
        answer a = {.at_body = in_pieces ? nothing : NULL}, next = {.f = NULL};
        fill_body(&plain, rows[row].len);
        if (rows[row].coding != 0) {
            put_coded(&r.body, rows[row].coding, plain.body.data, rows[row].len);
        } else {
            fill_body(&r, rows[row].len);
        }
        r.body.end -= rows[row].cut;
        fake_server *server = fake_start(say, &r);
        client_setup(&f,
                     &(cw_http_client_options){.limits = {.max_decoded = rows[row].max_decoded}},
                     server->port);
        client_get(&f, "/", &a);
        if (a.e.status != rows[row].st ||
            (rows[row].st == CW_NET_OK &&
             (a.body_len != rows[row].len ||
              (a.body_len > 0 && memcmp(a.body, plain.body.data, a.body_len) != 0)))) {
            fail_msg("line %d: %s (%s), %zu bytes", rows[row].line, cw_net_status_name(a.e.status),
                     a.e.detail, a.body_len);
        }
        client_get(&f, "/", &next); /* decoders are used again */
        assert_int_equal(next.e.status, rows[row].st);
        client_teardown(&f);
        fake_stop(server);
        answer_free(&a);
        answer_free(&next);
        cw__buf_free(&plain.body);
        cw__buf_free(&r.body);
    }
}

/* A gigabyte of zeros in a few bytes: refused before it is there. */
static void a_bomb_is_refused(void **state)
{
    (void)state;
    static uint8_t zeros[MIB];
    for (unsigned coding = CW_HTTP_GZIP; coding <= CW_HTTP_BR; coding++) {
        client_fixture f;
        cw_net_error e;
        reply r = {.head = coding == CW_HTTP_BR ? "content-encoding: br\r\n"
                                                : "content-encoding: gzip\r\n"};
        answer a = {.f = NULL}, pieces = {.at_body = nothing};
        cw__coder *encoder = cw__encoder_open(coding, 1);
        for (unsigned i = 0; i < 256; i++) {
            cw__encode(encoder, cw_bytes_of(zeros, MIB), i == 255, &r.body, &e);
        }
        cw__coder_free(encoder);
        assert_true(cw__buf_len(&r.body) < 2 * MIB);
        fake_server *server = fake_start(say, &r);
        client_setup(&f, &(cw_http_client_options){.limits = {.max_decoded = 8 * MIB}},
                     server->port);
        client_get(&f, "/", &a);
        assert_failed(&a, CW_NET_ERR_BODY_LIMIT);
        assert_true(a.body_len <= 8 * MIB);
        client_get(&f, "/", &pieces);
        assert_failed(&pieces, CW_NET_ERR_BODY_LIMIT);
        assert_true(pieces.body_len <= 8 * MIB);
        client_teardown(&f);
        fake_stop(server);
        answer_free(&a);
        answer_free(&pieces);
        cw__buf_free(&r.body);
    }
}

/* How much a byte may become is the client's to say. */
static void expansion(void **state)
{
    (void)state;
    static const struct {
        size_t max;
        unsigned coding;
        cw_net_status st;
    } rows[] = {
        {0, CW_HTTP_GZIP, CW_NET_OK},
        {0, CW_HTTP_BR, CW_NET_ERR_BODY_LIMIT},
        {10, CW_HTTP_GZIP, CW_NET_ERR_BODY_LIMIT},
        {SIZE_MAX, CW_HTTP_BR, CW_NET_OK},
    };
    static const uint8_t zeros[3 * MIB];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client_fixture f;
        reply r = {.head = rows[i].coding == CW_HTTP_BR ? "content-encoding: br\r\n"
                                                        : "content-encoding: gzip\r\n"};
        answer a = {.f = NULL};
        put_coded(&r.body, rows[i].coding, zeros, sizeof zeros);
        fake_server *server = fake_start(say, &r);
        client_setup(&f, &(cw_http_client_options){.limits = {.max_expansion = rows[i].max}},
                     server->port);
        client_get(&f, "/", &a);
        assert_int_equal(a.e.status, rows[i].st);
        if (rows[i].st == CW_NET_OK) {
            assert_int_equal(a.body_len, sizeof zeros);
        } else {
            assert_true(a.body_len < sizeof zeros);
        }
        client_teardown(&f);
        fake_stop(server);
        answer_free(&a);
        cw__buf_free(&r.body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_collected_up_to_the_limit),
        cmocka_unit_test(a_paused_body_does_not_arrive),
        cmocka_unit_test(a_paused_body_may_be_cancelled),
        cmocka_unit_test(responses_are_decoded),
        cmocka_unit_test(a_bomb_is_refused),
        cmocka_unit_test(expansion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
