/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <openssl/err.h>

#include "tls_context.h"
#include "tls_pair.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const cw_tls_server_options plain_server;
static const cw_tls_client_options plain_client;

static int make_files(void **state)
{
    (void)state;
    tls_make_local("p256", CW_TLS_P256, "a.test,b.test,127.0.0.1,*.c.test");
    tls_make_local("rsa", CW_TLS_RSA_2048, "a.test");
    return 0;
}

/* A whole connection. Was it resumed? Both ends must agree. */
static bool connect_once(cw_tls *client, cw_tls *server, const char *host)
{
    tls_pair p;
    tls_pair_open(&p, client, server, host, CW_HTTP_ANY);
    tls_pair_pump(&p, 0);
    tls_assert_open(&p);
    tls_assert_passes(&p, "request", "response");
    bool resumed = cw__tls_was_resumed(p.client.session);
    assert_int_equal(cw__tls_was_resumed(p.server.session), resumed);
    assert_int_equal(cw__tls_alpn(p.client.session), CW_HTTP_2);
    assert_int_equal(cw__tls_alpn(p.server.session), CW_HTTP_2);
    tls_pair_close(&p);
    return resumed;
}

static void count_sessions(const char *host, cw__tickets *t, size_t expected)
{
    size_t n = 0;
    for (size_t i = 0; i < CW__TICKET_HOSTS; i++) {
        if (t->hosts[i].name != NULL && strcmp(t->hosts[i].name, host) == 0) {
            n += t->hosts[i].count;
        }
    }
    assert_int_equal(n, expected);
}

static void resumes(void **state)
{
    (void)state;
    static const char *const files[] = {"p256", "rsa"};
    for (size_t i = 0; i < COUNT(files); i++) {
        cw_tls *server = tls_server_of(files[i], plain_server);
        cw_tls *client = tls_client_of(files[i], plain_client);
        assert_false(connect_once(client, server, "a.test"));
        for (int k = 0; k < 20; k++) {
            assert_true(connect_once(client, server, "a.test"));
        }
        cw_tls_free(client);
        cw_tls_free(server);
    }
}

static void switched_off(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        const cw_tls_server_options so = {.no_resumption = i & 1, .tls_1_2 = i & 4};
        const cw_tls_client_options co = {.no_resumption = i & 2, .tls_1_2 = i & 4};
        cw_tls *server = tls_server_of("p256", so), *client = tls_client_of("p256", co);
        assert_false(connect_once(client, server, "a.test"));
        count_sessions("a.test", &client->tickets, i % 4 == 0 ? 2 : 0);
        assert_int_equal(connect_once(client, server, "a.test"), i % 4 == 0);
        cw_tls_free(client);
        cw_tls_free(server);
    }
}

/* A ticket is of one name, one client context and one server context. */
static void not_across(void **state)
{
    (void)state;
    cw_tls *server = tls_server_of("p256", plain_server);
    cw_tls *other_server = tls_server_of("p256", plain_server);
    cw_tls *client = tls_client_of("p256", plain_client);
    cw_tls *other_client = tls_client_of("p256", plain_client);
    const cw_tls_client_options named = {.server_name = "a.test"};
    cw_tls *named_client = tls_client_of("p256", named);
    assert_false(connect_once(client, server, "a.test"));
    assert_false(connect_once(client, server, "b.test"));
    assert_false(connect_once(client, server, "127.0.0.1"));
    assert_false(connect_once(other_client, server, "a.test"));
    assert_true(connect_once(client, server, "a.test"));
    assert_true(connect_once(client, server, "a.test."));
    assert_true(connect_once(client, server, "b.test"));
    assert_true(connect_once(client, server, "127.0.0.1"));
    /* a server that cannot read the ticket shakes hands in full */
    assert_false(connect_once(client, other_server, "a.test"));
    assert_true(connect_once(client, other_server, "a.test"));
    /* server_name is the name */
    assert_false(connect_once(named_client, server, "x.example"));
    assert_true(connect_once(named_client, server, "y.example"));
    cw_tls_free(named_client);
    cw_tls_free(other_client);
    cw_tls_free(client);
    cw_tls_free(other_server);
    cw_tls_free(server);
}

/* Connections that are opened together after the first: none of them has to wait for a ticket. */
static void at_once(void **state)
{
    (void)state;
    cw_tls *server = tls_server_of("p256", plain_server);
    cw_tls *client = tls_client_of("p256", plain_client);
    assert_false(connect_once(client, server, "a.test"));
    tls_pair pairs[10];
    for (size_t i = 0; i < COUNT(pairs); i++) {
        tls_pair_open(&pairs[i], client, server, "a.test", CW_HTTP_ANY);
    }
    for (size_t i = 0; i < COUNT(pairs); i++) {
        tls_pair_pump(&pairs[i], 0);
        tls_assert_open(&pairs[i]);
        assert_true(cw__tls_was_resumed(pairs[i].client.session));
        assert_true(cw__tls_was_resumed(pairs[i].server.session));
    }
    for (size_t i = 0; i < COUNT(pairs); i++) {
        tls_pair_close(&pairs[i]);
    }
    cw_tls_free(client);
    cw_tls_free(server);
}

/* Ten full handshakes bring twenty tickets, more than are kept. */
static void more_than_are_kept(void **state)
{
    (void)state;
    cw_tls *server = tls_server_of("p256", plain_server);
    cw_tls *client = tls_client_of("p256", plain_client);
    tls_pair pairs[10];
    for (size_t i = 0; i < COUNT(pairs); i++) {
        tls_pair_open(&pairs[i], client, server, "a.test", CW_HTTP_ANY);
    }
    for (size_t i = 0; i < COUNT(pairs); i++) {
        tls_pair_pump(&pairs[i], 0);
        tls_assert_open(&pairs[i]);
        assert_false(cw__tls_was_resumed(pairs[i].client.session));
        size_t expected = 2 * (i + 1);
        count_sessions("a.test", &client->tickets,
                       expected < CW__TICKETS_OF_HOST ? expected : CW__TICKETS_OF_HOST);
        tls_pair_close(&pairs[i]);
    }
    assert_true(connect_once(client, server, "a.test"));
    cw_tls_free(client);
    cw_tls_free(server);
}

/* A connection that failed or was just dropped does not spoil the tickets it brought. */
static void after_a_drop(void **state)
{
    (void)state;
    cw_tls *server = tls_server_of("p256", plain_server);
    cw_tls *client = tls_client_of("p256", plain_client);
    tls_pair p;
    tls_pair_open(&p, client, server, "a.test", CW_HTTP_ANY);
    tls_pair_pump(&p, 0);
    tls_assert_open(&p);
    cw_net_error e;
    assert_int_equal(cw__tls_feed(p.client.session,
                                  cw_bytes_of("\x17\x03\x03\x00\x11garbage garbage g", 22),
                                  &p.client.received, &e),
                     CW_NET_ERR_TLS);
    tls_pair_close(&p);
    assert_true(connect_once(client, server, "a.test"));
    cw_tls_free(client);
    cw_tls_free(server);
}

/* TLS 1.2: one ticket serves any number of connections. */
static void tls_1_2(void **state)
{
    (void)state;
    const cw_tls_client_options co = {.tls_1_2 = true};
    cw_tls *client = tls_client_of("p256", co);
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_use_certificate_chain_file(context, "p256.crt");
    SSL_CTX_use_PrivateKey_file(context, "p256.key", SSL_FILETYPE_PEM);
    for (int i = 0; i < 5; i++) {
        tls_end end = {.session = cw__tls_open(client, "a.test", CW_HTTP_ANY, NULL)};
        tls_raw raw;
        SSL_CTX_up_ref(context);
        tls_raw_open(&raw, context, true);
        assert_int_equal(cw__tls_start(end.session, NULL), CW_NET_OK);
        assert_true(tls_raw_pump(&raw, &end));
        assert_true(cw__tls_is_open(end.session));
        assert_int_equal(SSL_version(raw.ssl), TLS1_2_VERSION);
        assert_int_equal(cw__tls_was_resumed(end.session), i > 0);
        assert_int_equal(SSL_session_reused(raw.ssl), i > 0);
        tls_raw_close(&raw);
        cw__tls_close(end.session);
        cw__buf_free(&end.received);
    }
    SSL_CTX_free(context);
    cw_tls_free(client);
}

/* A ticket of a server that is trusted no more is of no use: the contexts are apart. And one that
 * came with insecure trust stays with that context. */
static void trust_is_the_context(void **state)
{
    (void)state;
    cw_tls *server = tls_server_of("p256", plain_server);
    const cw_tls_client_options co = {.insecure = true};
    cw_tls *blind = tls_client_of(NULL, co), *strict = tls_client_of("rsa", plain_client);
    assert_false(connect_once(blind, server, "a.test"));
    assert_true(connect_once(blind, server, "a.test"));
    tls_pair p;
    tls_pair_open(&p, strict, server, "a.test", CW_HTTP_ANY);
    tls_pair_pump(&p, 0);
    assert_int_equal(p.client.error.status, CW_NET_ERR_CERTIFICATE);
    tls_pair_close(&p);
    cw_tls_free(strict);
    cw_tls_free(blind);
    cw_tls_free(server);
}

/* ---- the store ------------------------------------------------------------ */

/* The store keeps so many hosts and drops the one that was not used for the longest time. */
static void hosts_are_bounded(void **state)
{
    (void)state;
    cw_tls *server = tls_server_of("p256", plain_server);
    cw_tls *client = tls_client_of("p256", plain_client);
    char host[32];
    for (int i = 0; i < CW__TICKET_HOSTS; i++) {
        snprintf(host, sizeof host, "h%d.c.test", i);
        assert_false(connect_once(client, server, host));
    }
    assert_true(connect_once(client, server, "h0.c.test"));
    assert_false(connect_once(client, server, "a.test")); /* in the place of h1 */
    assert_true(connect_once(client, server, "h0.c.test"));
    assert_true(connect_once(client, server, "h2.c.test"));
    assert_false(connect_once(client, server, "h1.c.test"));
    cw_tls_free(client);
    cw_tls_free(server);
}

/* Each ticket is given out once, the newest first, but the last one stays. */
static void tickets_are_bounded(void **state)
{
    (void)state;
    cw__tickets t;
    assert_true(cw__tickets_open(&t));
    assert_null(cw__tickets_take(&t, "a.test"));
    SSL_SESSION *empty = SSL_SESSION_new();
    cw__tickets_put(&t, "a.test", empty); /* cannot be resumed: not kept */
    SSL_SESSION_free(empty);
    count_sessions("a.test", &t, 0);

    cw_tls *server = tls_server_of("p256", plain_server);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT);
    SSL_SESSION *session = NULL;
    for (int i = 0; i < 12; i++) {
        tls_end end = {.session = cw__tls_open(server, NULL, CW_HTTP_ANY, NULL)};
        tls_raw raw;
        SSL_CTX_up_ref(context);
        tls_raw_open(&raw, context, false);
        assert_true(tls_raw_pump(&raw, &end));
        SSL_SESSION_free(session);
        session = SSL_get1_session(raw.ssl);
        cw__tickets_put(&t, "a.test", session);
        tls_raw_close(&raw);
        cw__tls_close(end.session);
        cw__buf_free(&end.received);
    }
    SSL_CTX_free(context);
    count_sessions("a.test", &t, CW__TICKETS_OF_HOST);
    SSL_SESSION *newest = cw__tickets_take(&t, "a.test");
    assert_non_null(newest);
    assert_ptr_not_equal(newest, session);
    const unsigned char *ticket, *newest_ticket;
    size_t len, newest_len;
    SSL_SESSION_get0_ticket(session, &ticket, &len);
    SSL_SESSION_get0_ticket(newest, &newest_ticket, &newest_len);
    assert_int_equal(newest_len, len);
    assert_memory_equal(newest_ticket, ticket, len);
    SSL_SESSION_free(newest);
    for (size_t left = CW__TICKETS_OF_HOST - 1; left > 0; left--) {
        count_sessions("a.test", &t, left);
        SSL_SESSION_free(cw__tickets_take(&t, "a.test"));
    }
    for (int i = 0; i < 3; i++) {
        SSL_SESSION *last = cw__tickets_take(&t, "a.test");
        assert_non_null(last);
        SSL_SESSION_free(last);
        count_sessions("a.test", &t, 1);
    }
    assert_null(cw__tickets_take(&t, "b.test"));
    SSL_SESSION_free(session);
    cw__tickets_close(&t);
    cw_tls_free(server);
}

/* ---- threads -------------------------------------------------------------- */

typedef struct worker {
    pthread_t thread;
    cw_tls *client, *server;
    int resumed, failed;
} worker;

enum { CONNECTIONS = 20 };

/* No assertions of cmocka here: it belongs to the main thread. */
static void *work(void *arg)
{
    worker *w = arg;
    for (int i = 0; i < CONNECTIONS; i++) {
        cw__tls_session *c = cw__tls_open(w->client, "a.test", CW_HTTP_ANY, NULL);
        cw__tls_session *s = cw__tls_open(w->server, NULL, CW_HTTP_ANY, NULL);
        cw__buf records = {NULL, 0, 0, 0}, plain = {NULL, 0, 0, 0};
        bool good = c != NULL && s != NULL && cw__tls_start(c, NULL) == CW_NET_OK;
        for (int k = 0; good && k < 3; k++) {
            good = cw__tls_take(c, &records) &&
                   cw__tls_feed(s, cw__buf_bytes(&records), &plain, NULL) == CW_NET_OK;
            cw__buf_clear(&records);
            good = good && cw__tls_take(s, &records) &&
                   cw__tls_feed(c, cw__buf_bytes(&records), &plain, NULL) == CW_NET_OK;
            cw__buf_clear(&records);
        }
        good = good && cw__tls_is_open(c) && cw__tls_is_open(s);
        w->failed += !good;
        w->resumed += good && cw__tls_was_resumed(c);
        cw__buf_free(&records);
        cw__buf_free(&plain);
        cw__tls_close(c);
        cw__tls_close(s);
    }
    cw_tls_free(w->client);
    cw_tls_free(w->server);
    return NULL;
}

static void threads(void **state)
{
    (void)state;
    worker workers[4] = {{.resumed = 0}};
    cw_tls *server = tls_server_of("p256", plain_server);
    cw_tls *client = tls_client_of("p256", plain_client);
    assert_false(connect_once(client, server, "a.test"));
    for (size_t i = 0; i < COUNT(workers); i++) {
        workers[i].client = cw__tls_hold(client);
        workers[i].server = cw__tls_hold(server);
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    cw_tls_free(client);
    cw_tls_free(server);
    for (size_t i = 0; i < COUNT(workers); i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_int_equal(workers[i].failed, 0);
        assert_int_equal(workers[i].resumed, CONNECTIONS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resumes),
        cmocka_unit_test(switched_off),
        cmocka_unit_test(not_across),
        cmocka_unit_test(at_once),
        cmocka_unit_test(more_than_are_kept),
        cmocka_unit_test(after_a_drop),
        cmocka_unit_test(tls_1_2),
        cmocka_unit_test(trust_is_the_context),
        cmocka_unit_test(hosts_are_bounded),
        cmocka_unit_test(tickets_are_bounded),
        cmocka_unit_test(threads),
    };
    return cmocka_run_group_tests(tests, make_files, NULL);
}
