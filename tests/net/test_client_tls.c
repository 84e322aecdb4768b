/* SPDX-License-Identifier: MIT */
/* The client over TLS: whom it trusts, which version it speaks, sessions, cut connections. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include "client_fixture.h"
#include "server_fixture.h"

static void make(const char *names, int days, const char *certificate, const char *key)
{
    cw_net_error e;
    if (cw_tls_self_signed(CW_TLS_P256, names, days, certificate, key, &e) != CW_NET_OK) {
        fail_msg("%s", e.detail);
    }
}

static int make_certificates(void **state)
{
    (void)state;
    make("localhost,127.0.0.1", 1, "good.crt", "good.key");
    make("example.org,10.0.0.1", 1, "other.crt", "other.key");
    make("localhost,127.0.0.1", -1, "old.crt", "old.key");
    return 0;
}

static fixture *open_server(const char *certificate, const char *key, cw_tls_server_options o)
{
    cw_net_error e;
    o.certificate_file = certificate;
    o.key_file = key;
    cw_tls *tls = cw_tls_server(&o, &e);
    if (tls == NULL) {
        fail_msg("%s", e.detail);
    }
    fixture *server = fixture_open(&(cw_http_server_options){.tls = tls});
    cw_tls_free(tls);
    return server;
}

static fixture *open_good(cw_tls_server_options o)
{
    return open_server("good.crt", "good.key", o);
}

static const cw_tls_server_options defaults = {.certificate_file = NULL};

/* ---- trust -------------------------------------------------------------------------------------
 */

static void certificates_are_verified(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *certificate, *key;
        cw_tls_client_options o;
        const char *host;
        cw_net_status st;
        int code;
    } rows[] = {
        {__LINE__, "good.crt", "good.key", {.ca_file = "good.crt"}, "127.0.0.1", CW_NET_OK, 0},
        {__LINE__, "good.crt", "good.key", {.ca_file = "good.crt"}, "localhost", CW_NET_OK, 0},
        /* nobody vouches for it */
        {__LINE__,
         "good.crt",
         "good.key",
         {.ca_file = NULL},
         "127.0.0.1",
         CW_NET_ERR_CERTIFICATE,
         X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT},
        {__LINE__,
         "good.crt",
         "good.key",
         {.ca_file = "other.crt"},
         "127.0.0.1",
         CW_NET_ERR_CERTIFICATE,
         X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT},
        /* it is another's */
        {__LINE__,
         "other.crt",
         "other.key",
         {.ca_file = "other.crt"},
         "localhost",
         CW_NET_ERR_CERTIFICATE,
         X509_V_ERR_HOSTNAME_MISMATCH},
        {__LINE__,
         "other.crt",
         "other.key",
         {.ca_file = "other.crt"},
         "127.0.0.1",
         CW_NET_ERR_CERTIFICATE,
         X509_V_ERR_IP_ADDRESS_MISMATCH},
        {__LINE__,
         "other.crt",
         "other.key",
         {.ca_file = "other.crt", .server_name = "example.org"},
         "127.0.0.1",
         CW_NET_OK,
         0},
        /* it was good once */
        {__LINE__,
         "old.crt",
         "old.key",
         {.ca_file = "old.crt"},
         "127.0.0.1",
         CW_NET_ERR_CERTIFICATE,
         X509_V_ERR_CERT_HAS_EXPIRED},
        /* never mind */
        {__LINE__, "old.crt", "old.key", {.insecure = true}, "127.0.0.1", CW_NET_OK, 0},
        {__LINE__, "other.crt", "other.key", {.insecure = true}, "localhost", CW_NET_OK, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client_fixture f;
        cw_net_error e;
        answer a[2] = {{.f = NULL}};
        char origin[64];
        fixture *server = open_server(rows[i].certificate, rows[i].key, defaults);
        cw_tls *tls = cw_tls_client(&rows[i].o, &e);
        assert_non_null(tls);
        snprintf(origin, sizeof origin, "https://%s:%d", rows[i].host, server->port);
        client_setup(&f, &(cw_http_client_options){.origin = origin, .tls = tls}, 0);
        cw_tls_free(tls);
        client_send_get(&f, "/hello", &a[0]);
        client_send_get(&f, "/hello", &a[1]);
        client_wait(&f, 2);
        for (unsigned k = 0; k < 2; k++) {
            if (a[k].e.status != rows[i].st || a[k].e.code != rows[i].code ||
                (rows[i].st == CW_NET_OK && strcmp(a[k].body, "hello") != 0)) {
                fail_msg("line %d: %s (%s, %d)", rows[i].line, cw_net_status_name(a[k].e.status),
                         a[k].e.detail, a[k].e.code);
            }
        }
        cw_net_counters n = client_counters(&f);
        bool is_fine = rows[i].st == CW_NET_OK;
        assert_int_equal(n.handshakes_full, is_fine ? 1 : 0);
        assert_int_equal(n.handshakes_failed, is_fine ? 0 : 1);
        assert_int_equal(n.failed, is_fine ? 0 : 2);
        assert_int_equal(n.bytes_in > 0, 1);
        client_teardown(&f);
        fixture_close(server);
        answers_free(a, 2);
    }
}

/* https without a context of the caller's: the system's trust, verification on. */
static void the_default_is_to_verify(void **state)
{
    (void)state;
    client_fixture f;
    answer a = {.f = NULL};
    char origin[64];
    fixture *server = open_good(defaults);
    snprintf(origin, sizeof origin, "https://127.0.0.1:%d", server->port);
    client_setup(&f, &(cw_http_client_options){.origin = origin}, 0);
    client_get(&f, "/hello", &a);
    assert_failed(&a, CW_NET_ERR_CERTIFICATE);
    client_teardown(&f);
    fixture_close(server);
    answer_free(&a);
}

static void a_servers_context_is_no_clients(void **state)
{
    (void)state;
    uv_loop_t loop;
    cw_net_error e;
    uv_loop_init(&loop);
    cw_tls *tls = cw_tls_server(
        &(cw_tls_server_options){.certificate_file = "good.crt", .key_file = "good.key"}, &e);
    assert_non_null(tls);
    assert_null(cw_http_client_open(
        &loop, &(cw_http_client_options){.origin = "https://h", .tls = tls}, &e));
    assert_int_equal(e.status, CW_NET_ERR_ARGUMENT);
    cw_tls_free(tls);
    uv_loop_close(&loop);
}

/* Whoever speaks no TLS at all. */
static void speak_plain(fake_peer *p)
{
    fake_write(p, "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    fake_wait_end(p);
}

static void a_server_without_tls_fails(void **state)
{
    (void)state;
    client_fixture f;
    answer a = {.f = NULL};
    fake_server *server = fake_start(speak_plain, NULL);
    client_setup_tls(&f, NULL, server->port, "good.crt");
    client_get(&f, "/", &a);
    assert_failed(&a, CW_NET_ERR_TLS);
    assert_int_equal(client_counters(&f).handshakes_failed, 1);
    client_teardown(&f);
    fake_stop(server);
    answer_free(&a);
}

/* ---- versions ----------------------------------------------------------------------------------
 */

static void alpn_chooses_the_version(void **state)
{
    (void)state;
    enum { N = 20 };
    static const struct {
        int line;
        cw_tls_server_options o;
        cw_http_version client, chosen; /* ANY: none in common */
    } rows[] = {
        {__LINE__, {.tls_1_2 = false}, CW_HTTP_ANY, CW_HTTP_2},
        {__LINE__, {.tls_1_2 = false}, CW_HTTP_1_1, CW_HTTP_1_1},
        {__LINE__, {.tls_1_2 = false}, CW_HTTP_2, CW_HTTP_2},
        {__LINE__, {.no_http_2 = true}, CW_HTTP_ANY, CW_HTTP_1_1},
        {__LINE__, {.no_http_1 = true}, CW_HTTP_ANY, CW_HTTP_2},
        {__LINE__, {.no_http_2 = true}, CW_HTTP_2, CW_HTTP_ANY},
        {__LINE__, {.no_http_1 = true}, CW_HTTP_1_1, CW_HTTP_ANY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client_fixture f;
        answer a[N] = {{.f = NULL}};
        fixture *server = open_good(rows[i].o);
        client_setup_tls(&f, &(cw_http_client_options){.version = rows[i].client}, server->port,
                         "good.crt");
        for (unsigned k = 0; k < N; k++) {
            client_send_get(&f, "/hello", &a[k]);
        }
        client_wait(&f, N);
        for (unsigned k = 0; k < N; k++) {
            if (rows[i].chosen == CW_HTTP_ANY) {
                assert_failed(&a[k], CW_NET_ERR_ALPN);
            } else {
                assert_answer(&a[k], 200, "hello");
                assert_int_equal(a[k].version, rows[i].chosen);
            }
        }
        /* No more connections than the version wants, though it was not known at first. */
        cw_net_counters n = client_counters(&f);
        assert_true(rows[i].chosen != CW_HTTP_2 || n.connections == 1);
        assert_in_range(n.connections, 1, 6);
        if (rows[i].chosen == CW_HTTP_ANY) {
            assert_int_equal(n.handshakes_failed, n.connections);
        }
        client_teardown(&f);
        fixture_close(server);
        answers_free(a, N);
    }
}

/* Takes no part in ALPN, as old servers. */
static void shake_hands_without_alpn(fake_peer *p)
{
    char byte;
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_certificate_chain_file(context, "good.crt");
    SSL_CTX_use_PrivateKey_file(context, "good.key", SSL_FILETYPE_PEM);
    SSL *ssl = SSL_new(context);
    SSL_set_fd(ssl, p->fd);
    if (SSL_accept(ssl) == 1) {
        SSL_read(ssl, &byte, 1);
    }
    SSL_free(ssl);
    SSL_CTX_free(context);
}

/* The handshake is done before it is seen: no request must get to such a connection. */
static void a_server_without_alpn_is_no_http_2_server(void **state)
{
    (void)state;
    enum { N = 20 };
    client_fixture f;
    answer a[N] = {{.f = NULL}};
    fake_server *server = fake_start(shake_hands_without_alpn, NULL);
    client_setup_tls(&f, &(cw_http_client_options){.version = CW_HTTP_2}, server->port, "good.crt");
    for (unsigned k = 0; k < N; k++) {
        client_send_get(&f, "/", &a[k]);
    }
    client_wait(&f, N);
    for (unsigned k = 0; k < N; k++) {
        assert_failed(&a[k], CW_NET_ERR_ALPN);
        assert_false(a[k].reused);
    }
    cw_net_counters n = client_counters(&f);
    assert_int_equal(n.connections, 1);
    assert_int_equal(n.handshakes_full, 0);
    assert_int_equal(n.handshakes_failed, 1);
    client_teardown(&f);
    fake_stop(server);
    answers_free(a, N);
}

static void connections_are_opened_ahead_of_the_version(void **state)
{
    (void)state;
    for (int no_http_2 = 0; no_http_2 < 2; no_http_2++) {
        client_fixture f;
        fixture *server = open_good((cw_tls_server_options){.no_http_2 = no_http_2});
        client_setup_tls(&f, NULL, server->port, "good.crt");
        client_connect(&f, 4);
        assert_int_equal(f.ready.status, CW_NET_OK);
        cw_net_counters n = client_counters(&f);
        assert_int_equal(n.connections_open, no_http_2 ? 4 : 1);
        assert_int_equal(n.handshakes_full + n.handshakes_resumed, n.connections_open);
        client_teardown(&f);
        fixture_close(server);
    }
}

/* ---- sessions ----------------------------------------------------------------------------------
 */

static void sessions_are_resumed(void **state)
{
    (void)state;
    enum { N = 6 };
    static const struct {
        bool server, client, is_resumed;
    } rows[] = {{false, false, true}, {true, false, false}, {false, true, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client_fixture f;
        cw_net_error e;
        answer a[N] = {{.f = NULL}};
        fixture *server = open_good((cw_tls_server_options){.no_resumption = rows[i].server});
        cw_tls *tls = cw_tls_client(
            &(cw_tls_client_options){.ca_file = "good.crt", .no_resumption = rows[i].client}, &e);
        client_setup(
            &f,
            &(cw_http_client_options){
                .version = CW_HTTP_1_1, .no_keep_alive = true, .max_connections = 1, .tls = tls},
            server->port);
        cw_tls_free(tls);
        for (unsigned k = 0; k < N; k++) {
            client_send_get(&f, "/hello", &a[k]);
        }
        client_wait(&f, N);
        for (unsigned k = 0; k < N; k++) {
            assert_answer(&a[k], 200, "hello");
        }
        cw_net_counters n = client_counters(&f), s = fixture_counters(server);
        assert_int_equal(n.connections, N);
        assert_int_equal(n.handshakes_full, rows[i].is_resumed ? 1 : N);
        assert_int_equal(n.handshakes_resumed, rows[i].is_resumed ? N - 1 : 0);
        assert_int_equal(s.handshakes_full, n.handshakes_full);
        assert_int_equal(s.handshakes_resumed, n.handshakes_resumed);
        client_teardown(&f);
        fixture_close(server);
        answers_free(a, N);
    }
}

/* ---- connections that are cut ------------------------------------------------------------------
 */

typedef struct cut {
    const char *says;
    bool says_goodbye; /* close_notify before the end */
} cut;

static void answer_over_tls(fake_peer *p)
{
    const cut *c = p->ctx;
    char request[4096];
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_certificate_chain_file(context, "good.crt");
    SSL_CTX_use_PrivateKey_file(context, "good.key", SSL_FILETYPE_PEM);
    SSL *ssl = SSL_new(context);
    SSL_set_fd(ssl, p->fd);
    if (SSL_accept(ssl) == 1 && SSL_read(ssl, request, sizeof request) > 0) {
        SSL_write(ssl, c->says, (int)strlen(c->says));
        if (c->says_goodbye) {
            SSL_shutdown(ssl);
        }
    }
    SSL_free(ssl);
    SSL_CTX_free(context);
}

/* A body that ends with the connection is complete only when the peer says so: anybody can cut a
 * TCP connection (RFC 8446, 6.1). */
static void a_cut_connection_is_no_end_of_a_body(void **state)
{
    (void)state;
    static const struct {
        cut c;
        cw_net_status st;
    } rows[] = {
        {{"HTTP/1.1 200 OK\r\n\r\nhello", true}, CW_NET_OK},
        {{"HTTP/1.1 200 OK\r\n\r\nhello", false}, CW_NET_ERR_CLOSED},
        {{"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello", false}, CW_NET_OK},
        {{"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nhello", true}, CW_NET_ERR_CLOSED},
        {{"", true}, CW_NET_ERR_CLOSED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client_fixture f;
        cut c = rows[i].c;
        answer a = {.f = NULL};
        fake_server *server = fake_start(answer_over_tls, &c);
        client_setup_tls(&f, NULL, server->port, "good.crt");
        client_get(&f, "/", &a);
        if (rows[i].st == CW_NET_OK) {
            assert_answer(&a, 200, "hello");
        } else {
            assert_failed(&a, rows[i].st);
        }
        client_teardown(&f);
        fake_stop(server);
        answer_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certificates_are_verified),
        cmocka_unit_test(the_default_is_to_verify),
        cmocka_unit_test(a_servers_context_is_no_clients),
        cmocka_unit_test(a_server_without_tls_fails),
        cmocka_unit_test(alpn_chooses_the_version),
        cmocka_unit_test(a_server_without_alpn_is_no_http_2_server),
        cmocka_unit_test(connections_are_opened_ahead_of_the_version),
        cmocka_unit_test(sessions_are_resumed),
        cmocka_unit_test(a_cut_connection_is_no_end_of_a_body),
    };
    return cmocka_run_group_tests(tests, make_certificates, NULL);
}
