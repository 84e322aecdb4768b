/* SPDX-License-Identifier: MIT */
/* The client over HTTP/2: limits of streams, GOAWAY, refusals, and servers with ideas of their own,
 * whose frames are written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "client_fixture.h"
#include "server_fixture.h"

enum { MANY = 200 };

static const cw_http_client_options http_2 = {.version = CW_HTTP_2};

/* ---- against the library's server --------------------------------------------------------------
 */

typedef struct peak {
    unsigned most;
} peak;

static void note_peak(answer *a)
{
    peak *p = a->user;
    unsigned n = (unsigned)cw_http_client_in_flight(a->f->client) + 1; /* this one too */
    p->most = n > p->most ? n : p->most;
}

/* 200 requests through 10 streams: the server's limit is kept, in the order of sending. */
static void the_servers_limit_of_streams_is_kept(void **state)
{
    (void)state;
    static const struct {
        size_t max_streams, max_in_flight, most;
    } rows[] = {{10, 0, 10}, {1, 0, 1}, {100, 7, 7}, {5, 7, 5}};
    static answer a[MANY];
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        client_fixture f;
        peak p = {0};
        fixture *server =
            fixture_open(&(cw_http_server_options){.limits = {.max_streams = rows[r].max_streams}});
        client_setup(
            &f,
            &(cw_http_client_options){.version = CW_HTTP_2, .max_in_flight = rows[r].max_in_flight},
            server->port);
        client_connect(&f, 1); /* with SETTINGS */
        assert_int_equal(f.ready.status, CW_NET_OK);
        for (unsigned i = 0; i < MANY; i++) {
            a[i].then = note_peak;
            a[i].user = &p;
            client_send_get(&f, "/hello", &a[i]);
        }
        assert_int_equal(cw_http_client_in_flight(f.client), rows[r].most);
        assert_int_equal(cw_http_client_queued(f.client), MANY - rows[r].most);
        client_wait(&f, MANY);
        for (unsigned i = 0; i < MANY; i++) {
            assert_answer(&a[i], 200, "hello");
            assert_int_equal(a[i].order, i + 1);
            assert_int_equal(a[i].reused, i > 0);
        }
        assert_int_equal(p.most, rows[r].most);
        cw_net_counters n = client_counters(&f);
        assert_int_equal(n.connections, 1);
        assert_int_equal(fixture_counters(server).requests, MANY);
        client_teardown(&f);
        fixture_close(server);
        answers_free(a, MANY);
    }
}

/* Before SETTINGS the limit is not known: what is refused for that is sent again. */
static void requests_of_the_first_flight_are_sent_again(void **state)
{
    (void)state;
    static answer a[MANY];
    client_fixture f;
    fixture *server = fixture_open(&(cw_http_server_options){.limits = {.max_streams = 10}});
    client_setup(&f, &http_2, server->port);
    for (unsigned i = 0; i < MANY; i++) {
        client_send_get(&f, "/hello", &a[i]);
    }
    client_wait(&f, MANY);
    for (unsigned i = 0; i < MANY; i++) {
        assert_answer(&a[i], 200, "hello");
    }
    assert_int_equal(client_counters(&f).connections, 1);
    client_teardown(&f);
    fixture_close(server);
    answers_free(a, MANY);
}

/* More than one connection where that is asked for; the emptier one is taken. */
static void requests_are_spread_over_connections(void **state)
{
    (void)state;
    enum { N = 12 };
    client_fixture f;
    answer a[N] = {{.f = NULL}};
    fixture *server = fixture_open(&(cw_http_server_options){.port = 0});
    client_setup(&f, &(cw_http_client_options){.version = CW_HTTP_2, .max_connections = 3},
                 server->port);
    client_connect(&f, 3);
    assert_int_equal(client_counters(&f).connections_open, 3);
    for (unsigned i = 0; i < N; i++) {
        client_send_get(&f, "/keep", &a[i]);
        assert_int_equal(cw_http_exchange_reused(a[i].x), i >= 3);
    }
    client_run_for(&f, 10);
    assert_true(fixture_wait(server, fixture_has_kept, N));
    fixture_answer_kept(server);
    client_wait(&f, N);
    assert_int_equal(client_counters(&f).connections, 3);
    client_teardown(&f);
    fixture_close(server);
    answers_free(a, N);
}

/* ... and is opened when the others are full, not before. */
static void connections_are_added_when_streams_run_out(void **state)
{
    (void)state;
    enum { N = 12 };
    client_fixture f;
    answer a[N] = {{.f = NULL}};
    fixture *server = fixture_open(&(cw_http_server_options){.limits = {.max_streams = 4}});
    client_setup(&f, &(cw_http_client_options){.version = CW_HTTP_2, .max_connections = 5},
                 server->port);
    client_connect(&f, 1);
    for (unsigned i = 0; i < N; i++) {
        client_send_get(&f, "/keep", &a[i]);
    }
    while (fixture_counters(server).requests < N) {
        client_run_for(&f, 1);
    }
    assert_int_equal(client_counters(&f).connections, 3);
    fixture_answer_kept(server);
    client_wait(&f, N);
    for (unsigned i = 0; i < N; i++) {
        assert_answer(&a[i], 200, "kept");
    }
    client_teardown(&f);
    fixture_close(server);
    answers_free(a, N);
}

/* ---- frames by hand ----------------------------------------------------------------------------
 */

enum {
    DATA = 0,
    HEADERS = 1,
    RST_STREAM = 3,
    SETTINGS = 4,
    GOAWAY = 7,
    END_STREAM = 1,
    ACK = 1,
    END_HEADERS = 4,
    REFUSED_STREAM = 7
};

typedef struct frame {
    uint8_t type, flags;
    uint32_t stream;
    size_t len;
} frame;

static void write_frame(fake_peer *p, uint8_t type, uint8_t flags, uint32_t stream,
                        const void *payload, size_t len)
{
    uint8_t head[9] = {(uint8_t)(len >> 16),
                       (uint8_t)(len >> 8),
                       (uint8_t)len,
                       type,
                       flags,
                       (uint8_t)(stream >> 24),
                       (uint8_t)(stream >> 16),
                       (uint8_t)(stream >> 8),
                       (uint8_t)stream};
    fake_write_bytes(p, head, sizeof head);
    fake_write_bytes(p, payload, len);
}

static void write_number(fake_peer *p, uint8_t type, uint32_t stream, uint32_t a, uint32_t b,
                         size_t len)
{
    const uint8_t payload[8] = {(uint8_t)(a >> 24), (uint8_t)(a >> 16), (uint8_t)(a >> 8),
                                (uint8_t)a,         (uint8_t)(b >> 24), (uint8_t)(b >> 16),
                                (uint8_t)(b >> 8),  (uint8_t)b};
    write_frame(p, type, 0, stream, payload, len);
}

static void write_goaway(fake_peer *p, uint32_t last, uint32_t code)
{
    write_number(p, GOAWAY, 0, last, code, 8);
}

static void write_reset(fake_peer *p, uint32_t stream, uint32_t code)
{
    write_number(p, RST_STREAM, stream, code, 0, 4);
}

/* ":status: 200" and this body, END_STREAM with its last frame. */
static void write_answer(fake_peer *p, uint32_t stream, const char *body)
{
    write_frame(p, HEADERS, END_HEADERS | (body[0] == '\0' ? END_STREAM : 0), stream, "\x88", 1);
    if (body[0] != '\0') {
        write_frame(p, DATA, END_STREAM, stream, body, strlen(body));
    }
}

static void write_max_streams(fake_peer *p, uint8_t max)
{
    const uint8_t entry[6] = {0, 3, 0, 0, 0, max};
    write_frame(p, SETTINGS, 0, 0, entry, sizeof entry);
}

static bool read_frame(fake_peer *p, frame *f)
{
    if (!fake_read(p, 9)) {
        return false;
    }
    const uint8_t *head = (const uint8_t *)p->data;
    f->len = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
    f->type = head[3];
    f->flags = head[4];
    f->stream = (uint32_t)(head[5] & 0x7f) << 24 | (uint32_t)head[6] << 16 |
                (uint32_t)head[7] << 8 | head[8];
    if (!fake_read(p, 9 + f->len)) {
        return false;
    }
    fake_take(p, 9 + f->len);
    if (f->type == SETTINGS && (f->flags & ACK) == 0) {
        write_frame(p, SETTINGS, ACK, 0, "", 0);
    }
    return true;
}

/* The client's preface. */
static bool read_preface(fake_peer *p)
{
    if (!fake_read(p, 24)) {
        return false;
    }
    fake_take(p, 24);
    return true;
}

/* The next request; its stream, 0: the client has gone. */
static uint32_t read_request(fake_peer *p)
{
    frame f;
    do {
        if (!read_frame(p, &f)) {
            return 0;
        }
    } while (f.type != HEADERS);
    pthread_mutex_lock(&p->server->lock);
    p->server->requests++;
    pthread_mutex_unlock(&p->server->lock);
    return f.stream;
}

static void answer_all(fake_peer *p)
{
    for (uint32_t stream; (stream = read_request(p)) != 0;) {
        write_answer(p, stream, "ok");
    }
}

/* The first connection: three requests; names the first as the last one it takes, and answers it
 * after a while. */
static void go_away(fake_peer *p)
{
    read_preface(p);
    write_frame(p, SETTINGS, 0, 0, "", 0);
    if (p->number > 0) {
        answer_all(p);
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        read_request(p);
    }
    write_goaway(p, 1, 0);
    if (fake_wait(p, 1)) {
        write_answer(p, 1, "late");
        fake_wait_end(p);
    }
}

/* What the server surely has not seen is sent again where there is a copy, and told as refused
 * where there is none; what it has begun is waited for, on a connection that takes nothing new. */
static void requests_above_goaway_are_refused(void **state)
{
    (void)state;
    for (int is_warm = 0; is_warm < 2; is_warm++) {
        client_fixture f;
        answer a[4] = {{.f = NULL}};
        fake_server *server = fake_start(go_away, NULL);
        client_setup(&f, &http_2, server->port);
        if (is_warm) {
            client_connect(&f, 1);
        }
        for (unsigned i = 0; i < 3; i++) {
            client_send_get(&f, "/", &a[i]);
        }
        client_wait(&f, 2);
        assert_int_equal(a[0].calls, 0);
        for (unsigned i = 1; i < 3; i++) {
            if (is_warm) {
                assert_failed(&a[i], CW_NET_ERR_REFUSED);
            } else {
                assert_answer(&a[i], 200, "ok");
            }
        }
        client_get(&f, "/", &a[3]); /* beside the old connection, though there may be one only */
        assert_answer(&a[3], 200, "ok");
        assert_int_equal(client_counters(&f).connections_open, 2);
        fake_signal(server);
        client_wait(&f, 4);
        assert_answer(&a[0], 200, "late");
        while (client_counters(&f).connections_open > 1) {
            client_run_for(&f, 1);
        }
        assert_int_equal(fake_accepted(server), 2);
        client_teardown(&f);
        assert_int_equal(f.errors, 0);
        fake_stop(server);
        answers_free(a, 4);
    }
}

/* Refuses the first n streams. */
static void refuse_some(fake_peer *p)
{
    const unsigned *n = p->ctx;
    read_preface(p);
    write_frame(p, SETTINGS, 0, 0, "", 0);
    uint32_t stream;
    for (unsigned i = 0; (stream = read_request(p)) != 0; i++) {
        if (i < *n) {
            write_reset(p, stream, REFUSED_STREAM);
        } else {
            write_answer(p, stream, "ok");
        }
    }
}

static void what_was_refused_is_sent_again_once(void **state)
{
    (void)state;
    for (unsigned refusals = 0; refusals < 4; refusals++) {
        client_fixture f;
        answer a = {.f = NULL}, next = {.f = NULL};
        fake_server *server = fake_start(refuse_some, &refusals);
        client_setup(&f, &http_2, server->port);
        /* Any method: it was not done. */
        const cw_http_request post = {.body = {(const uint8_t *)"x", 1}};
        client_fetch(&f, &post, &a);
        if (refusals <= 1) {
            assert_answer(&a, 200, "ok");
        } else {
            assert_failed(&a, CW_NET_ERR_REFUSED);
            assert_int_equal(a.e.code, REFUSED_STREAM);
        }
        assert_int_equal(fake_requests(server), refusals == 0 ? 1 : 2);
        client_get(&f, "/", &next);
        if (refusals <= 2) {
            assert_answer(&next, 200, "ok");
        } else {
            assert_failed(&next, CW_NET_ERR_REFUSED); /* sent at once: there was no copy */
        }
        assert_int_equal(fake_accepted(server), 1);
        client_teardown(&f);
        fake_stop(server);
        answer_free(&a);
        answer_free(&next);
    }
}

/* One script for each way to end a request that is not its answer. */
static void end_badly(fake_peer *p)
{
    const int *how = p->ctx;
    read_preface(p);
    write_frame(p, SETTINGS, 0, 0, "", 0);
    uint32_t stream = read_request(p);
    if (p->number > 0) {
        write_answer(p, stream, "ok");
        answer_all(p);
        return;
    }
    switch (*how) {
    case 0: /* closes */
        fake_end(p);
        return;
    case 1: /* resets the connection */
        fake_reset(p);
        return;
    case 2: /* half a head */
        fake_write_bytes(p, "\0\0\5\1\4\0\0\0\1\x88", 10);
        fake_end(p);
        return;
    case 3: /* a head, half a body */
        write_frame(p, HEADERS, END_HEADERS, stream, "\x88", 1);
        write_frame(p, DATA, 0, stream, "he", 2);
        fake_end(p);
        return;
    case 4: /* the same, and the stream is reset */
        write_frame(p, HEADERS, END_HEADERS, stream, "\x88", 1);
        write_frame(p, DATA, 0, stream, "he", 2);
        write_reset(p, stream, 2);
        answer_all(p);
        return;
    case 5: /* GOAWAY with an error, then the end */
        write_goaway(p, 1, 11);
        fake_end(p);
        return;
    case 6: /* no frame that HTTP/2 knows in this place */
        write_frame(p, DATA, 0, 0, "x", 1);
        fake_wait_end(p);
        return;
    case 7: /* no HTTP/2 */
        fake_write(p, "HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
        fake_wait_end(p);
        return;
    default: /* a response without :status */
        write_frame(p, HEADERS, END_HEADERS | END_STREAM, stream, "\x84", 1);
        answer_all(p);
        return;
    }
}

static void what_ends_badly_is_no_success(void **state)
{
    (void)state;
    static const struct {
        cw_net_status st;
        unsigned status;
        const char *body;
        unsigned connections;
    } rows[] = {
        {CW_NET_ERR_CLOSED, 0, "", 2},    {CW_NET_ERR_CLOSED, 0, "", 2},
        {CW_NET_ERR_CLOSED, 0, "", 2},    {CW_NET_ERR_CLOSED, 200, "he", 2},
        {CW_NET_ERR_RESET, 200, "he", 1}, {CW_NET_ERR_CLOSED, 0, "", 2},
        {CW_NET_ERR_PROTOCOL, 0, "", 2},  {CW_NET_ERR_PROTOCOL, 0, "", 2},
        {CW_NET_ERR_PROTOCOL, 0, "", 1},
    };
    for (int how = 0; how < (int)(sizeof rows / sizeof rows[0]); how++) {
        client_fixture f;
        answer a = {.f = NULL}, next = {.f = NULL};
        fake_server *server = fake_start(end_badly, &how);
        client_setup(&f, &http_2, server->port);
        client_get(&f, "/", &a);
        if (a.e.status != rows[how].st || a.status != rows[how].status ||
            strcmp(a.body, rows[how].body) != 0) {
            fail_msg("%d: %s (%s) %u \"%s\"", how, cw_net_status_name(a.e.status), a.e.detail,
                     a.status, a.body);
        }
        client_get(&f, "/", &next);
        assert_answer(&next, 200, "ok");
        assert_int_equal(fake_accepted(server), rows[how].connections);
        client_teardown(&f);
        fake_stop(server);
        answer_free(&a);
        answer_free(&next);
    }
}

/* Its SETTINGS come late; until then the connection is not "up". */
static void say_settings_late(fake_peer *p)
{
    read_preface(p);
    if (fake_wait(p, 1)) {
        write_max_streams(p, 2);
        answer_all(p);
    }
}

static void note_ready(void *ctx, const cw_net_error *e)
{
    unsigned *n = ctx;
    assert_int_equal(e->status, CW_NET_OK);
    ++*n;
}

static void ready_waits_for_settings(void **state)
{
    (void)state;
    client_fixture f;
    unsigned readies = 0;
    answer a[5] = {{.f = NULL}};
    fake_server *server = fake_start(say_settings_late, NULL);
    client_setup(&f, &http_2, server->port);
    cw_http_client_connect(f.client, 1, note_ready, &readies);
    while (fake_accepted(server) == 0) {
        client_run_for(&f, 1);
    }
    client_run_for(&f, 30);
    assert_int_equal(readies, 0);
    fake_signal(server);
    while (readies == 0) {
        client_run_for(&f, 1);
    }
    for (unsigned i = 0; i < 5; i++) {
        client_send_get(&f, "/", &a[i]);
    }
    assert_int_equal(cw_http_client_in_flight(f.client), 2);
    client_wait(&f, 5);
    assert_answer(&a[4], 200, "ok");
    assert_int_equal(readies, 1);
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, 5);
}

/* A connection that is closed as soon as it is open must not be made again for ever. */
static void close_at_once(fake_peer *p)
{
    read_preface(p);
    write_goaway(p, 0, 0);
    fake_end(p);
}

static void a_server_that_always_goes_away_ends_in_an_error(void **state)
{
    (void)state;
    client_fixture f;
    answer a[3] = {{.f = NULL}};
    fake_server *server = fake_start(close_at_once, NULL);
    client_setup(&f, &http_2, server->port);
    client_connect(&f, 1);
    assert_true(f.ready.status != CW_NET_OK);
    for (unsigned i = 0; i < 3; i++) {
        client_send_get(&f, "/", &a[i]);
    }
    client_wait(&f, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(a[i].e.status != CW_NET_OK);
    }
    assert_true(fake_accepted(server) <= 10);
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, 3);
}

/* The whole answer, then RST_STREAM(NO_ERROR): the rest of the request is not wanted (RFC 9113,
 * 8.1). */
static void answer_early(fake_peer *p)
{
    read_preface(p);
    write_frame(p, SETTINGS, 0, 0, "", 0);
    for (uint32_t stream; (stream = read_request(p)) != 0;) {
        write_answer(p, stream, "early");
        write_reset(p, stream, 0);
    }
}

static void an_answer_may_come_before_the_upload_ends(void **state)
{
    (void)state;
    client_fixture f;
    answer a = {.f = NULL}, big = {.f = NULL}, next = {.f = NULL};
    uint8_t *body = calloc(1, 1 << 20);
    fake_server *server = fake_start(answer_early, NULL);
    client_setup(&f, &http_2, server->port);
    const cw_http_request streamed = {.body = {body, 100}, .streamed = true};
    client_fetch(&f, &streamed, &a);
    assert_answer(&a, 200, "early");
    const cw_http_request large = {.body = {body, 1 << 20}};
    client_fetch(&f, &large, &big); /* more than the windows take */
    assert_answer(&big, 200, "early");
    client_get(&f, "/", &next);
    assert_answer(&next, 200, "early");
    assert_int_equal(fake_accepted(server), 1);
    client_run_for(&f, 20);
    client_teardown(&f);
    assert_int_equal(f.errors, 0);
    fake_stop(server);
    answer_free(&a);
    answer_free(&big);
    answer_free(&next);
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_servers_limit_of_streams_is_kept),
        cmocka_unit_test(requests_of_the_first_flight_are_sent_again),
        cmocka_unit_test(requests_are_spread_over_connections),
        cmocka_unit_test(connections_are_added_when_streams_run_out),
        cmocka_unit_test(requests_above_goaway_are_refused),
        cmocka_unit_test(what_was_refused_is_sent_again_once),
        cmocka_unit_test(what_ends_badly_is_no_success),
        cmocka_unit_test(ready_waits_for_settings),
        cmocka_unit_test(a_server_that_always_goes_away_ends_in_an_error),
        cmocka_unit_test(an_answer_may_come_before_the_upload_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
