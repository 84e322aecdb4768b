/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/err.h>

#include "tls_pair.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const cw_tls_server_options plain_server;
static const cw_tls_client_options plain_client;

static int make_files(void **state)
{
    (void)state;
    tls_make_local("p256", CW_TLS_P256, "localhost, 127.0.0.1,::1 ,*.test.example");
    tls_make_local("rsa", CW_TLS_RSA_2048, "localhost");
    return 0;
}

/* A pair with contexts of its own. */
static void open_pair(tls_pair *p, const char *file, cw_tls_server_options so,
                      cw_tls_client_options co, const char *host, cw_http_version version)
{
    cw_tls *server = tls_server_of(file, so), *client = tls_client_of(file, co);
    assert_true(cw__tls_is_server(server));
    assert_false(cw__tls_is_server(client));
    tls_pair_open(p, client, server, host, version);
    cw_tls_free(server); /* the sessions hold them */
    cw_tls_free(client);
}

/* ---- handshake and data --------------------------------------------------- */

static void handshake(void **state)
{
    (void)state;
    static const char *const files[] = {"p256", "rsa"};
    static const size_t cuts[] = {0, 1, 2, 5, 100, 1000};
    for (size_t k = 0; k < COUNT(files); k++) {
        for (size_t i = 0; i < COUNT(cuts); i++) {
            tls_pair p;
            open_pair(&p, files[k], plain_server, plain_client, "localhost", CW_HTTP_ANY);
            assert_false(cw__tls_is_open(p.client.session));
            assert_false(cw__tls_is_open(p.server.session));
            tls_pair_pump(&p, cuts[i]);
            tls_assert_open(&p);
            assert_int_equal(cw__tls_alpn(p.client.session), CW_HTTP_2);
            assert_int_equal(cw__tls_alpn(p.server.session), CW_HTTP_2);
            assert_false(cw__tls_was_resumed(p.client.session));
            assert_false(cw__tls_was_resumed(p.server.session));
            tls_assert_passes(&p, "request", "response");
            assert_false(cw__tls_peer_ended(p.client.session));
            tls_pair_close(&p);
        }
    }
}

static uint8_t *new_data(size_t len)
{
    uint8_t *data = malloc(len);
    assert_non_null(data);
    uint32_t seed = 7;
    for (size_t i = 0; i < len; i++) {
        seed = seed * 1664525 + 1013904223;
        data[i] = (uint8_t)(seed >> 24);
    }
    return data;
}

/* Batches of these sizes one after the other, both ways, cut into pieces of odd sizes. */
static void odd_cuts(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 113, 16383, 16384, 16385, 40000, 3};
    static const size_t cuts[] = {0, 1, 3, 1449, 16384, 16406, 65536};
    size_t total = 0;
    for (size_t k = 0; k < COUNT(sizes); k++) {
        total += sizes[k];
    }
    uint8_t *data = new_data(total);
    tls_pair p;
    open_pair(&p, "p256", plain_server, plain_client, "localhost", CW_HTTP_ANY);
    tls_pair_pump(&p, 0);
    tls_assert_open(&p);
    for (size_t i = 0; i < COUNT(cuts); i++) {
        size_t at = 0;
        for (size_t k = 0; k < COUNT(sizes); k++) {
            cw_net_error e;
            cw_bytes batch = cw_bytes_of(data + at, sizes[k]);
            assert_int_equal(cw__tls_write(p.client.session, batch, &e), CW_NET_OK);
            assert_int_equal(cw__tls_write(p.server.session, batch, &e), CW_NET_OK);
            at += sizes[k];
        }
        tls_pair_pump(&p, cuts[i]);
        assert_int_equal(cw__buf_len(&p.server.received), total);
        assert_memory_equal(p.server.received.data, data, total);
        assert_int_equal(cw__buf_len(&p.client.received), total);
        assert_memory_equal(p.client.received.data, data, total);
        cw__buf_clear(&p.client.received);
        cw__buf_clear(&p.server.received);
    }
    tls_assert_open(&p);
    tls_pair_close(&p);
    free(data);
}

/* One write of 1 MiB leaves in full records: 22 bytes for each 16 KiB. */
static void large(void **state)
{
    (void)state;
    enum { LEN = 1 << 20 };
    uint8_t *data = new_data(LEN);
    tls_pair p;
    open_pair(&p, "rsa", plain_server, plain_client, "localhost", CW_HTTP_ANY);
    tls_pair_pump(&p, 0);
    tls_assert_open(&p);
    cw_net_error e;
    p.server.records_out = p.client.records_out = 0;
    assert_int_equal(cw__tls_write(p.server.session, cw_bytes_of(data, LEN), &e), CW_NET_OK);
    tls_pair_pump(&p, 0);
    assert_int_equal(p.server.records_out, LEN + LEN / 16384 * 22);
    assert_int_equal(p.client.records_out, 0);
    assert_int_equal(cw__buf_len(&p.client.received), LEN);
    assert_memory_equal(p.client.received.data, data, LEN);
    tls_pair_close(&p);
    free(data);
}

/* Records wait until they are taken; a buffer that holds bytes keeps them in front. */
static void take(void **state)
{
    (void)state;
    tls_pair p;
    cw_net_error e;
    open_pair(&p, "p256", plain_server, plain_client, "localhost", CW_HTTP_ANY);
    tls_pair_pump(&p, 0);
    cw__buf out = {NULL, 0, 0, 0};
    assert_true(cw__tls_take(p.client.session, &out));
    assert_int_equal(cw__buf_len(&out), 0);
    assert_true(cw__buf_append(&out, "front", 5));
    assert_true(cw__tls_take(p.client.session, &out));
    assert_int_equal(cw__buf_len(&out), 5);
    assert_int_equal(cw__tls_write(p.client.session, cw_bytes_of("a", 1), &e), CW_NET_OK);
    assert_int_equal(cw__tls_write(p.client.session, cw_bytes_of("bc", 2), &e), CW_NET_OK);
    assert_int_equal(cw__tls_write(p.client.session, cw_bytes_of(NULL, 0), &e), CW_NET_OK);
    assert_true(cw__tls_take(p.client.session, &out));
    assert_int_equal(cw__buf_len(&out), 5 + 22 + 1 + 22 + 2);
    assert_memory_equal(out.data, "front", 5);
    cw__buf_take(&out, 5);
    assert_int_equal(cw__tls_feed(p.server.session, cw__buf_bytes(&out), &p.server.received, &e),
                     CW_NET_OK);
    assert_int_equal(cw__buf_len(&p.server.received), 3);
    assert_memory_equal(p.server.received.data, "abc", 3);
    cw__buf_free(&out);
    tls_pair_close(&p);
}

static void close_notify(void **state)
{
    (void)state;
    cw_net_error e;
    tls_pair p;
    open_pair(&p, "p256", plain_server, plain_client, "localhost", CW_HTTP_ANY);
    tls_pair_pump(&p, 0);
    assert_int_equal(cw__tls_write(p.client.session, cw_bytes_of("last words", 10), &e), CW_NET_OK);
    cw__tls_end(p.client.session);
    cw__tls_end(p.client.session); /* once is enough */
    p.client.records_out = 0;
    tls_pair_pump(&p, 1);
    assert_int_equal(p.client.records_out, 22 + 10 + 24);
    assert_true(cw__tls_peer_ended(p.server.session));
    assert_false(cw__tls_peer_ended(p.client.session));
    assert_int_equal(cw__buf_len(&p.server.received), 10);
    /* The other direction goes on. */
    assert_int_equal(cw__tls_write(p.server.session, cw_bytes_of("answer", 6), &e), CW_NET_OK);
    tls_pair_pump(&p, 0);
    assert_int_equal(cw__buf_len(&p.client.received), 6);
    assert_int_equal(cw__tls_write(p.client.session, cw_bytes_of("x", 1), &e), CW_NET_ERR_ARGUMENT);
    /* Bytes after the end count for nothing. */
    assert_int_equal(
        cw__tls_feed(p.server.session, cw_bytes_of("garbage", 7), &p.server.received, &e),
        CW_NET_OK);
    assert_int_equal(cw__buf_len(&p.server.received), 10);
    cw__tls_end(p.server.session);
    tls_pair_pump(&p, 0);
    assert_true(cw__tls_peer_ended(p.client.session));
    tls_assert_open(&p);
    tls_pair_close(&p);
}

/* ---- ALPN ----------------------------------------------------------------- */

static void alpn(void **state)
{
    (void)state;
    static const cw_tls_server_options both, only_1 = {.no_http_2 = true},
                                             only_2 = {.no_http_1 = true};
    static const struct {
        int line;
        cw_http_version version;
        const cw_tls_server_options *server;
        cw_net_status st; /* at both ends */
        cw_http_version chosen;
    } rows[] = {
        {__LINE__, CW_HTTP_ANY, &both, CW_NET_OK, CW_HTTP_2},
        {__LINE__, CW_HTTP_ANY, &only_1, CW_NET_OK, CW_HTTP_1_1},
        {__LINE__, CW_HTTP_ANY, &only_2, CW_NET_OK, CW_HTTP_2},
        {__LINE__, CW_HTTP_1_1, &both, CW_NET_OK, CW_HTTP_1_1},
        {__LINE__, CW_HTTP_1_1, &only_1, CW_NET_OK, CW_HTTP_1_1},
        {__LINE__, CW_HTTP_1_1, &only_2, CW_NET_ERR_ALPN, CW_HTTP_ANY},
        {__LINE__, CW_HTTP_2, &both, CW_NET_OK, CW_HTTP_2},
        {__LINE__, CW_HTTP_2, &only_1, CW_NET_ERR_ALPN, CW_HTTP_ANY},
        {__LINE__, CW_HTTP_2, &only_2, CW_NET_OK, CW_HTTP_2},
    };
    for (size_t i = 0; i < COUNT(rows) * 2; i++) {
        const cw_tls_client_options co = {.tls_1_2 = i >= COUNT(rows)};
        size_t k = i % COUNT(rows);
        tls_pair p;
        open_pair(&p, "p256", *rows[k].server, co, "localhost", rows[k].version);
        tls_pair_pump(&p, 0);
        bool good = rows[k].st == CW_NET_OK;
        if (p.client.error.status != rows[k].st || p.server.error.status != rows[k].st ||
            cw__tls_alpn(p.client.session) != rows[k].chosen ||
            (good && cw__tls_alpn(p.server.session) != rows[k].chosen) ||
            cw__tls_is_open(p.client.session) != good) {
            fail_msg("row at line %d: client %s, server %s", rows[k].line, p.client.error.detail,
                     p.server.error.detail);
        }
        if (!good) {
            assert_string_equal(p.client.error.detail,
                                "alert of the peer: no application protocol");
            assert_string_equal(p.server.error.detail, "the client offers nothing of ours");
        }
        tls_pair_close(&p);
    }
}

/* A client that does not know ALPN speaks HTTP/1.1. */
static void client_without_alpn(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const cw_tls_server_options so = {.no_http_2 = i == 1, .no_http_1 = i == 2};
        cw_tls *server = tls_server_of("p256", so);
        tls_end end = {.session = cw__tls_open(server, NULL, CW_HTTP_ANY, NULL)};
        tls_raw raw;
        tls_raw_open(&raw, SSL_CTX_new(TLS_client_method()), false);
        assert_int_equal(tls_raw_pump(&raw, &end), i < 2);
        assert_int_equal(cw__tls_is_open(end.session), i < 2);
        assert_int_equal(SSL_is_init_finished(raw.ssl), i < 2);
        assert_int_equal(end.error.status, i < 2 ? CW_NET_OK : CW_NET_ERR_ALPN);
        if (i < 2) {
            assert_int_equal(cw__tls_alpn(end.session), CW_HTTP_ANY);
        }
        tls_raw_close(&raw);
        cw__tls_close(end.session);
        cw__buf_free(&end.received);
        cw_tls_free(server);
    }
}

/* A server that does not know ALPN will do, unless HTTP/2 was asked for. */
static void server_without_alpn(void **state)
{
    (void)state;
    static const cw_http_version versions[] = {CW_HTTP_ANY, CW_HTTP_1_1, CW_HTTP_2};
    for (size_t i = 0; i < COUNT(versions); i++) {
        bool good = versions[i] != CW_HTTP_2;
        cw_tls *client = tls_client_of("p256", plain_client);
        tls_end end = {.session = cw__tls_open(client, "localhost", versions[i], NULL)};
        SSL_CTX *context = SSL_CTX_new(TLS_server_method());
        SSL_CTX_use_certificate_chain_file(context, "p256.crt");
        SSL_CTX_use_PrivateKey_file(context, "p256.key", SSL_FILETYPE_PEM);
        tls_raw raw;
        tls_raw_open(&raw, context, true);
        assert_int_equal(cw__tls_start(end.session, NULL), CW_NET_OK);
        assert_int_equal(tls_raw_pump(&raw, &end), good);
        assert_int_equal(end.error.status, good ? CW_NET_OK : CW_NET_ERR_ALPN);
        assert_int_equal(cw__tls_alpn(end.session), CW_HTTP_ANY);
        /* It is told, with close_notify. */
        assert_int_equal(SSL_get_shutdown(raw.ssl), good ? 0 : SSL_RECEIVED_SHUTDOWN);
        tls_raw_close(&raw);
        cw__tls_close(end.session);
        cw__buf_free(&end.received);
        cw_tls_free(client);
    }
}

/* ---- versions ------------------------------------------------------------- */

static SSL_CTX *raw_client(int version, const char *ciphers)
{
    static const unsigned char list[] = "\x02h2";
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    assert_non_null(context);
    SSL_CTX_set_max_proto_version(context, version);
    SSL_CTX_set_alpn_protos(context, list, 3);
    if (ciphers != NULL) {
        assert_int_equal(SSL_CTX_set_cipher_list(context, ciphers), 1);
    }
    return context;
}

/* TLS 1.2 where it is asked for, with ciphers that HTTP/2 allows; nothing older. */
static void versions(void **state)
{
    (void)state;
    static const struct {
        int line;
        int version; /* the client's highest */
        const char *ciphers;
        bool tls_1_2, good;
        const char *detail;
    } rows[] = {
        {__LINE__, TLS1_3_VERSION, NULL, false, true, ""},
        {__LINE__, TLS1_3_VERSION, NULL, true, true, ""},
        {__LINE__, TLS1_2_VERSION, NULL, true, true, ""},
        {__LINE__, TLS1_2_VERSION, NULL, false, false, "handshake: unsupported protocol"},
        {__LINE__, TLS1_2_VERSION, "ECDHE+AESGCM", true, true, ""},
        {__LINE__, TLS1_2_VERSION, "ECDHE+CHACHA20", true, true, ""},
        {__LINE__, TLS1_2_VERSION, "ECDHE+SHA256", true, false, "handshake: no shared cipher"},
        {__LINE__, TLS1_2_VERSION, "DHE+AESGCM", true, false, "handshake: no shared cipher"},
        {__LINE__, TLS1_1_VERSION, "ALL:@SECLEVEL=0", true, false,
         "handshake: unsupported protocol"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const cw_tls_server_options so = {.tls_1_2 = rows[i].tls_1_2};
        cw_tls *server = tls_server_of("p256", so);
        tls_end end = {.session = cw__tls_open(server, NULL, CW_HTTP_ANY, NULL)};
        tls_raw raw;
        tls_raw_open(&raw, raw_client(rows[i].version, rows[i].ciphers), false);
        bool good = tls_raw_pump(&raw, &end);
        if (good != rows[i].good || strcmp(end.error.detail, rows[i].detail) != 0 ||
            (good &&
             (SSL_version(raw.ssl) != rows[i].version || cw__tls_alpn(end.session) != CW_HTTP_2))) {
            fail_msg("row at line %d: %s", rows[i].line, end.error.detail);
        }
        assert_int_equal(end.error.status, good ? CW_NET_OK : CW_NET_ERR_TLS);
        tls_raw_close(&raw);
        cw__tls_close(end.session);
        cw__buf_free(&end.received);
        cw_tls_free(server);
    }
}

static void client_and_tls_1_2(void **state)
{
    (void)state;
    for (int allowed = 0; allowed < 2; allowed++) {
        const cw_tls_client_options co = {.tls_1_2 = allowed};
        cw_tls *client = tls_client_of("p256", co);
        tls_end end = {.session = cw__tls_open(client, "localhost", CW_HTTP_ANY, NULL)};
        SSL_CTX *context = SSL_CTX_new(TLS_server_method());
        SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
        SSL_CTX_use_certificate_chain_file(context, "p256.crt");
        SSL_CTX_use_PrivateKey_file(context, "p256.key", SSL_FILETYPE_PEM);
        tls_raw raw;
        tls_raw_open(&raw, context, true);
        assert_int_equal(cw__tls_start(end.session, NULL), CW_NET_OK);
        assert_int_equal(tls_raw_pump(&raw, &end), allowed);
        assert_int_equal(cw__tls_is_open(end.session), allowed);
        assert_string_equal(end.error.detail, allowed ? "" : "alert of the peer: protocol version");
        tls_raw_close(&raw);
        cw__tls_close(end.session);
        cw__buf_free(&end.received);
        cw_tls_free(client);
    }
}

/* ---- what else a client can ask for --------------------------------------- */

static void names(void **state)
{
    (void)state;
    static const char *const good[] = {"localhost", "LocalHost", "localhost.",     "127.0.0.1",
                                       "::1",       "0::0:1",    "a.test.example", NULL};
    for (size_t i = 0; i < COUNT(good); i++) {
        /* server_name comes first */
        const cw_tls_client_options co = {.server_name = good[i] == NULL ? "localhost" : NULL};
        tls_pair p;
        open_pair(&p, "p256", plain_server, co, good[i] != NULL ? good[i] : "elsewhere.example",
                  CW_HTTP_ANY);
        tls_pair_pump(&p, 0);
        tls_assert_open(&p);
        tls_pair_close(&p);
    }
}

/* The name goes out for the server to choose by; an address does not (RFC 6066, 3). */
static void server_name_indication(void **state)
{
    (void)state;
    static const struct {
        const char *host, *sent;
    } rows[] = {{"localhost", "localhost"},
                {"localhost.", "localhost"},
                {"127.0.0.1", NULL},
                {"::1", NULL}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        cw_tls *client = tls_client_of("p256", plain_client);
        tls_end end = {.session = cw__tls_open(client, rows[i].host, CW_HTTP_ANY, NULL)};
        SSL_CTX *context = SSL_CTX_new(TLS_server_method());
        SSL_CTX_use_certificate_chain_file(context, "p256.crt");
        SSL_CTX_use_PrivateKey_file(context, "p256.key", SSL_FILETYPE_PEM);
        tls_raw raw;
        tls_raw_open(&raw, context, true);
        assert_int_equal(cw__tls_start(end.session, NULL), CW_NET_OK);
        assert_true(tls_raw_pump(&raw, &end));
        const char *sent = SSL_get_servername(raw.ssl, TLSEXT_NAMETYPE_host_name);
        if (rows[i].sent == NULL) {
            assert_null(sent);
        } else {
            assert_non_null(sent);
            assert_string_equal(sent, rows[i].sent);
        }
        tls_raw_close(&raw);
        cw__tls_close(end.session);
        cw__buf_free(&end.received);
        cw_tls_free(client);
    }
}

static void key_log(void **state)
{
    (void)state;
    unlink("keys.log");
    for (int i = 0; i < 2; i++) {
        const cw_tls_client_options co = {.key_log_file = "keys.log"};
        tls_pair p;
        open_pair(&p, "p256", plain_server, co, "localhost", CW_HTTP_ANY);
        tls_pair_pump(&p, 0);
        tls_assert_open(&p);
        tls_pair_close(&p);
    }
    struct stat info;
    assert_int_equal(stat("keys.log", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    FILE *in = fopen("keys.log", "r");
    assert_non_null(in);
    char line[512];
    int lines = 0, traffic = 0;
    while (fgets(line, sizeof line, in) != NULL) {
        lines++;
        traffic += strncmp(line, "CLIENT_TRAFFIC_SECRET_0 ", 24) == 0;
    }
    fclose(in);
    assert_int_equal(lines, 2 * 5);
    assert_int_equal(traffic, 2);
}

/* Errors that others left in OpenSSL's queue are not taken for ours, and ours do not stay. */
static void error_queue(void **state)
{
    (void)state;
    ERR_raise(ERR_LIB_USER, ERR_R_INTERNAL_ERROR);
    cw_tls *server = tls_server_of("p256", plain_server);
    ERR_raise(ERR_LIB_USER, ERR_R_INTERNAL_ERROR);
    cw_tls *client = tls_client_of("p256", plain_client);
    tls_pair p;
    ERR_raise(ERR_LIB_USER, ERR_R_INTERNAL_ERROR);
    tls_pair_open(&p, client, server, "localhost", CW_HTTP_ANY);
    while (true) {
        ERR_raise(ERR_LIB_USER, ERR_R_INTERNAL_ERROR);
        bool moved = tls_move(&p.client, &p.server, 0);
        ERR_raise(ERR_LIB_USER, ERR_R_INTERNAL_ERROR);
        if (!tls_move(&p.server, &p.client, 0) && !moved) {
            break;
        }
    }
    tls_assert_open(&p);
    ERR_raise(ERR_LIB_USER, ERR_R_INTERNAL_ERROR);
    tls_assert_passes(&p, "a", "b");
    /* also where OpenSSL has to wait for the rest of a record */
    cw_net_error e;
    cw__buf record = {NULL, 0, 0, 0};
    assert_int_equal(cw__tls_write(p.client.session, cw_bytes_of("abc", 3), &e), CW_NET_OK);
    assert_true(cw__tls_take(p.client.session, &record));
    for (size_t i = 0; i < cw__buf_len(&record); i++) {
        ERR_raise(ERR_LIB_USER, ERR_R_INTERNAL_ERROR);
        assert_int_equal(
            cw__tls_feed(p.server.session, cw_bytes_of(record.data + i, 1), &p.server.received, &e),
            CW_NET_OK);
    }
    assert_int_equal(cw__buf_len(&p.server.received), 3);
    cw__buf_free(&record);
    ERR_raise(ERR_LIB_USER, ERR_R_INTERNAL_ERROR);
    cw__tls_end(p.client.session);
    tls_pair_pump(&p, 0);
    assert_true(cw__tls_peer_ended(p.server.session));
    tls_pair_close(&p);
    assert_int_equal(ERR_peek_error(), 0);
    cw_tls_free(client);
    cw_tls_free(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handshake),
        cmocka_unit_test(odd_cuts),
        cmocka_unit_test(large),
        cmocka_unit_test(take),
        cmocka_unit_test(close_notify),
        cmocka_unit_test(alpn),
        cmocka_unit_test(client_without_alpn),
        cmocka_unit_test(server_without_alpn),
        cmocka_unit_test(versions),
        cmocka_unit_test(client_and_tls_1_2),
        cmocka_unit_test(names),
        cmocka_unit_test(server_name_indication),
        cmocka_unit_test(key_log),
        cmocka_unit_test(error_queue),
    };
    return cmocka_run_group_tests(tests, make_files, NULL);
}
