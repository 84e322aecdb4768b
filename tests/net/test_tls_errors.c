/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "tls_pair.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { DAY = 86400 };

static const cw_tls_server_options plain_server;
static const cw_tls_client_options plain_client;

static int make_files(void **state)
{
    (void)state;
    static const tls_recipe recipes[] = {
        {.file = "root", .from = -DAY, .to = DAY, .is_ca = true},
        {.file = "other_root", .from = -DAY, .to = DAY, .is_ca = true},
        {.file = "middle", .issuer = "root", .from = -DAY, .to = DAY, .is_ca = true},
        {.file = "leaf", .issuer = "root", .names = "DNS:a.test", .from = -DAY, .to = DAY},
        {.file = "below", .issuer = "middle", .names = "DNS:a.test", .from = -DAY, .to = DAY},
        {.file = "stale", .issuer = "root", .names = "DNS:a.test", .from = -2 * DAY, .to = -1},
        {.file = "early", .issuer = "root", .names = "DNS:a.test", .from = DAY, .to = 2 * DAY},
        {.file = "by_name", .issuer = "root", .common_name = "a.test", .from = -DAY, .to = DAY},
        {.file = "client",
         .issuer = "root",
         .names = "DNS:a.test",
         .usage = "clientAuth",
         .from = -DAY,
         .to = DAY},
        {.file = "star",
         .issuer = "root",
         .names = "DNS:*.a.test,DNS:b*.c.test",
         .from = -DAY,
         .to = DAY},
        {.file = "number",
         .issuer = "root",
         .names = "DNS:192.0.2.1,IP:192.0.2.2,IP:2001:db8::1",
         .from = -DAY,
         .to = DAY},
        {.file = "forged", .issuer = "leaf", .names = "DNS:a.test", .from = -DAY, .to = DAY},
    };
    for (size_t i = 0; i < COUNT(recipes); i++) {
        tls_make(&recipes[i]);
    }
    tls_append("below", "middle");
    tls_append("forged", "leaf");
    tls_make_local("local", CW_TLS_P256, "a.test");
    return 0;
}

static void open_pair(tls_pair *p, const char *file, const char *ca_file, cw_tls_client_options co,
                      const char *host)
{
    cw_tls *server = tls_server_of(file, plain_server), *client = tls_client_of(ca_file, co);
    tls_pair_open(p, client, server, host, CW_HTTP_ANY);
    cw_tls_free(server);
    cw_tls_free(client);
}

/* OpenSSL's own words differ from version to version where a text ends with ": ". */
static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* ---- certificates --------------------------------------------------------- */

static void certificates(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *file, *ca_file, *host;
        int code;
        const char *text;  /* the client's */
        const char *alert; /* what the server hears of it */
    } rows[] = {
        {__LINE__, "leaf", "root", "a.test", X509_V_OK, "", ""},
        {__LINE__, "below", "root", "a.test", X509_V_OK, "", ""},
        {__LINE__, "local", "local", "a.test", X509_V_OK, "", ""},
        {__LINE__, "star", "root", "x.a.test", X509_V_OK, "", ""},
        {__LINE__, "number", "root", "192.0.2.2", X509_V_OK, "", ""},
        {__LINE__, "number", "root", "2001:db8:0::1", X509_V_OK, "", ""},
        {__LINE__, "stale", "root", "a.test", X509_V_ERR_CERT_HAS_EXPIRED,
         "certificate has expired", "certificate expired"},
        {__LINE__, "early", "root", "a.test", X509_V_ERR_CERT_NOT_YET_VALID,
         "certificate is not yet valid", "bad certificate"},
        {__LINE__, "leaf", "root", "b.test", X509_V_ERR_HOSTNAME_MISMATCH, "hostname mismatch",
         "bad certificate"},
        {__LINE__, "leaf", "root", "a.test.b.test", X509_V_ERR_HOSTNAME_MISMATCH,
         "hostname mismatch", "bad certificate"},
        {__LINE__, "by_name", "root", "a.test", X509_V_ERR_HOSTNAME_MISMATCH, "hostname mismatch",
         "bad certificate"},
        {__LINE__, "star", "root", "a.test", X509_V_ERR_HOSTNAME_MISMATCH, "hostname mismatch",
         "bad certificate"},
        {__LINE__, "star", "root", "x.y.a.test", X509_V_ERR_HOSTNAME_MISMATCH, "hostname mismatch",
         "bad certificate"},
        {__LINE__, "star", "root", "bx.c.test", X509_V_ERR_HOSTNAME_MISMATCH, "hostname mismatch",
         "bad certificate"},
        {__LINE__, "number", "root", "192.0.2.1", X509_V_ERR_IP_ADDRESS_MISMATCH,
         "IP address mismatch", "bad certificate"},
        {__LINE__, "leaf", "root", "127.0.0.1", X509_V_ERR_IP_ADDRESS_MISMATCH,
         "IP address mismatch", "bad certificate"},
        {__LINE__, "leaf", "other_root", "a.test", X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
         "unable to get local issuer certificate", "unknown CA"},
        {__LINE__, "below", "other_root", "a.test", X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
         "unable to get local issuer certificate", "unknown CA"},
        {__LINE__, "local", "root", "a.test", X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
         "self-signed certificate", "unknown CA"},
        {__LINE__, "local", NULL, "a.test", X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
         "self-signed certificate", "unknown CA"},
        {__LINE__, "client", "root", "a.test", X509_V_ERR_INVALID_PURPOSE,
         "unsuitable certificate purpose", "unsupported certificate"},
        {__LINE__, "forged", "root", "a.test", X509_V_ERR_INVALID_CA, "invalid CA certificate",
         "unknown CA"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        tls_pair p;
        open_pair(&p, rows[i].file, rows[i].ca_file, plain_client, rows[i].host);
        tls_pair_pump(&p, i % 2);
        bool good = rows[i].code == X509_V_OK;
        char alert[64] = "";
        if (!good) {
            snprintf(alert, sizeof alert, "alert of the peer: %s", rows[i].alert);
        }
        if (p.client.error.status != (good ? CW_NET_OK : CW_NET_ERR_CERTIFICATE) ||
            p.client.error.code != rows[i].code ||
            strcmp(p.client.error.detail, rows[i].text) != 0 ||
            p.server.error.status != (good ? CW_NET_OK : CW_NET_ERR_TLS) ||
            strcmp(p.server.error.detail, alert) != 0) {
            fail_msg("row at line %d: client %d %d %s, server %s", rows[i].line,
                     p.client.error.status, p.client.error.code, p.client.error.detail,
                     p.server.error.detail);
        }
        assert_int_equal(cw__tls_is_open(p.client.session), good);
        assert_int_equal(cw__tls_is_open(p.server.session), good);
        assert_int_equal(ERR_peek_error(), 0);
        tls_pair_close(&p);
    }
}

static void expired_by_self_signed(void **state)
{
    (void)state;
    cw_net_error e;
    assert_int_equal(cw_tls_self_signed(CW_TLS_P256, "a.test", -1, "old.crt", "old.key", &e),
                     CW_NET_OK);
    tls_pair p;
    open_pair(&p, "old", "old", plain_client, "a.test");
    tls_pair_pump(&p, 0);
    assert_int_equal(p.client.error.status, CW_NET_ERR_CERTIFICATE);
    assert_int_equal(p.client.error.code, X509_V_ERR_CERT_HAS_EXPIRED);
    tls_pair_close(&p);
}

/* No verification where it is asked for, and only there. */
static void insecure(void **state)
{
    (void)state;
    static const char *const files[] = {"local", "stale", "early", "client"};
    const cw_tls_client_options co = {.insecure = true};
    for (size_t i = 0; i < COUNT(files); i++) {
        tls_pair p;
        open_pair(&p, files[i], NULL, co, i == 0 ? NULL : "wrong.test");
        tls_pair_pump(&p, 0);
        tls_assert_open(&p);
        tls_assert_passes(&p, "a", "b");
        tls_pair_close(&p);
    }
    cw_tls *client = tls_client_of("root", plain_client);
    for (int i = 0; i < 2; i++) {
        cw_net_error e;
        assert_null(cw__tls_open(client, i == 0 ? NULL : "", CW_HTTP_ANY, &e));
        assert_int_equal(e.status, CW_NET_ERR_ARGUMENT);
        assert_string_equal(e.detail, "no name to verify");
    }
    char name[400];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cw_net_error e;
    assert_null(cw__tls_open(client, name, CW_HTTP_ANY, &e));
    assert_int_equal(e.status, CW_NET_ERR_ARGUMENT);
    cw_tls_free(client);
}

/* ---- records -------------------------------------------------------------- */

/* Feeds `bytes` in pieces: the session fails with this text, and stays broken. */
static void assert_refused(cw__tls_session *t, cw_bytes bytes, size_t cut, const char *detail,
                           int line)
{
    cw__buf plain = {NULL, 0, 0, 0};
    cw_net_error e = {.status = CW_NET_OK};
    cw_net_status st = cw__tls_start(t, &e);
    for (size_t at = 0; at < bytes.len && st == CW_NET_OK;) {
        size_t n = cut == 0 || bytes.len - at < cut ? bytes.len - at : cut;
        st = cw__tls_feed(t, cw_bytes_of(bytes.data + at, n), &plain, &e);
        at += n;
    }
    if (st != CW_NET_ERR_TLS || e.status != st || !begins_with(e.detail, detail)) {
        fail_msg("row at line %d: %d %s", line, st, e.detail);
    }
    assert_int_equal(cw__buf_len(&plain), 0);
    assert_false(cw__tls_is_open(t));
    assert_int_equal(cw__tls_feed(t, cw_bytes_of("x", 1), &plain, &e), CW_NET_ERR_TLS);
    assert_int_equal(cw__tls_write(t, cw_bytes_of("x", 1), &e), CW_NET_ERR_TLS);
    assert_string_equal(e.detail, "the TLS session has failed before");
    assert_int_equal(ERR_peek_error(), 0);
    cw__tls_end(t);
    cw__tls_close(t);
    cw__buf_free(&plain);
}

/* Other things than TLS, to a server and to a client. */
static void not_tls(void **state)
{
    (void)state;
#define ROW(is_server, bytes, detail)                                                              \
    {                                                                                              \
        __LINE__, is_server, bytes, sizeof(bytes) - 1, detail                                      \
    }
    static const struct {
        int line;
        bool is_server;
        const char *bytes;
        size_t len;
        const char *detail;
    } rows[] = {
        ROW(true, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "handshake: http request"),
        ROW(true, "POST / HTTP/1.1\r\n\r\n", "handshake: http request"),
        ROW(true, "CONNECT a:1 HTTP/1.1\r\n\r\n", "handshake: https proxy request"),
        ROW(true, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "handshake: wrong version number"),
        ROW(true, "\0\0\0\0\0\0\0\0\0\0\0\0", "handshake: wrong version number"),
        ROW(true, "\x16\x03\x01\x00\x04\x01\x00\x00\x00", "handshake: "), /* empty ClientHello */
        ROW(true, "\x16\x03\x01\x7f\xff\x01\x00\x7f\xfb", "handshake: "), /* record too long */
        ROW(true, "\x17\x03\x03\x00\x08\x01\x02\x03\x04\x05\x06\x07\x08", "handshake: "),
        ROW(true, "\x15\x03\x03\x00\x02\x02\x28", "handshake: "), /* an alert */
        ROW(false, "HTTP/1.1 400 Bad Request\r\n\r\n", "handshake: wrong version number"),
        ROW(false, "\x16\x03\x03\x00\x04\x0e\x00\x00\x00", "handshake: "),
        ROW(false, "\x15\x03\x03\x00\x02\x02\x28", "alert of the peer: handshake failure"),
    };
#undef ROW
    cw_tls *server = tls_server_of("leaf", plain_server);
    cw_tls *client = tls_client_of("root", plain_client);
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (size_t cut = 0; cut < 3; cut++) {
            cw__tls_session *t =
                cw__tls_open(rows[i].is_server ? server : client, "a.test", CW_HTTP_ANY, NULL);
            assert_non_null(t);
            assert_refused(t, cw_bytes_of(rows[i].bytes, rows[i].len), cut, rows[i].detail,
                           rows[i].line);
        }
    }
    cw_tls_free(client);
    cw_tls_free(server);
}

/* A record that was changed on its way ends the session, and the peer is told. */
static void tampered(void **state)
{
    (void)state;
    tls_pair p;
    open_pair(&p, "leaf", "root", plain_client, "a.test");
    tls_pair_pump(&p, 0);
    tls_assert_open(&p);
    cw_net_error e;
    cw__buf records = {NULL, 0, 0, 0};
    assert_int_equal(cw__tls_write(p.client.session, cw_bytes_of("secret", 6), &e), CW_NET_OK);
    assert_true(cw__tls_take(p.client.session, &records));
    records.data[9] ^= 1;
    assert_int_equal(
        cw__tls_feed(p.server.session, cw__buf_bytes(&records), &p.server.received, &e),
        CW_NET_ERR_TLS);
    assert_string_equal(e.detail, "records: decryption failed or bad record mac");
    assert_int_equal(cw__buf_len(&p.server.received), 0);
    assert_int_equal(cw__tls_write(p.server.session, cw_bytes_of("x", 1), &e), CW_NET_ERR_TLS);
    assert_true(tls_move(&p.server, &p.client, 0));
    assert_int_equal(p.client.error.status, CW_NET_ERR_TLS);
    assert_string_equal(p.client.error.detail, "alert of the peer: bad record mac");
    assert_false(cw__tls_peer_ended(p.client.session));
    cw__buf_free(&records);
    tls_pair_close(&p);
}

/* The stream just stops: nobody may take that for an end. */
static void truncated(void **state)
{
    (void)state;
    tls_pair p;
    open_pair(&p, "leaf", "root", plain_client, "a.test");
    tls_pair_pump(&p, 0);
    cw_net_error e;
    cw__buf records = {NULL, 0, 0, 0};
    assert_int_equal(cw__tls_write(p.client.session, cw_bytes_of("0123456789", 10), &e), CW_NET_OK);
    cw__tls_end(p.client.session);
    assert_true(cw__tls_take(p.client.session, &records));
    size_t len = cw__buf_len(&records);
    assert_int_equal(len, 32 + 24);
    for (size_t at = 0; at < len; at++) {
        assert_false(cw__tls_peer_ended(p.server.session));
        assert_int_equal(cw__buf_len(&p.server.received), at < 32 ? 0 : 10);
        assert_int_equal(cw__tls_feed(p.server.session, cw_bytes_of(records.data + at, 1),
                                      &p.server.received, &e),
                         CW_NET_OK);
    }
    assert_true(cw__tls_peer_ended(p.server.session));
    cw__buf_free(&records);
    tls_pair_close(&p);
}

/* Every prefix of a client's first flight is waited on, and its end in the middle is an error. */
static void end_in_the_handshake(void **state)
{
    (void)state;
    tls_pair p;
    cw_net_error e;
    open_pair(&p, "leaf", "root", plain_client, "a.test");
    assert_int_equal(cw__tls_write(p.client.session, cw_bytes_of("early", 5), &e),
                     CW_NET_ERR_ARGUMENT);
    assert_true(tls_move(&p.client, &p.server, 1));
    assert_int_equal(p.server.error.status, CW_NET_OK);
    assert_false(cw__tls_is_open(p.server.session));
    assert_int_equal(cw__tls_feed(p.client.session, cw_bytes_of("\x15\x03\x03\x00\x02\x01\x00", 7),
                                  &p.client.received, &e),
                     CW_NET_ERR_CLOSED);
    assert_true(cw__tls_peer_ended(p.client.session));
    assert_string_equal(e.detail, "in the middle of the handshake");
    tls_pair_close(&p);
}

/* ---- messages without data ------------------------------------------------ */

static cw_net_status update_keys(tls_raw *raw, tls_end *end, int times)
{
    for (int i = 0; i < times; i++) {
        assert_int_equal(SSL_key_update(raw->ssl, SSL_KEY_UPDATE_REQUESTED), 1);
        assert_int_equal(SSL_do_handshake(raw->ssl), 1);
    }
    tls_raw_pump(raw, end);
    return end->error.status;
}

static void key_updates(void **state)
{
    (void)state;
    for (int at_once = 0; at_once < 2; at_once++) {
        cw_tls *server = tls_server_of("leaf", plain_server);
        tls_end end = {.session = cw__tls_open(server, NULL, CW_HTTP_ANY, NULL)};
        tls_raw raw;
        tls_raw_open(&raw, SSL_CTX_new(TLS_client_method()), false);
        assert_true(tls_raw_pump(&raw, &end));
        for (int i = 0; i < 5; i++) {
            assert_int_equal(update_keys(&raw, &end, 30), CW_NET_OK);
            assert_int_equal(SSL_write(raw.ssl, "x", 1), 1);
            assert_true(tls_raw_pump(&raw, &end)); /* data: the count begins anew */
        }
        assert_int_equal(cw__buf_len(&end.received), 5);
        for (int i = 0; i < 32 && at_once == 0; i++) {
            assert_int_equal(update_keys(&raw, &end, 1), CW_NET_OK);
        }
        assert_int_equal(update_keys(&raw, &end, at_once ? 500 : 1), CW_NET_ERR_FLOOD);
        assert_string_equal(end.error.detail, "TLS messages that bring no data");
        tls_raw_close(&raw);
        cw__tls_close(end.session);
        cw__buf_free(&end.received);
        cw_tls_free(server);
    }
}

/* TLS 1.2: a client that wants to negotiate anew is told no, and may go on. */
static void renegotiation(void **state)
{
    (void)state;
    const cw_tls_server_options so = {.tls_1_2 = true};
    cw_tls *server = tls_server_of("leaf", so);
    tls_end end = {.session = cw__tls_open(server, NULL, CW_HTTP_ANY, NULL)};
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
    tls_raw raw;
    tls_raw_open(&raw, context, false);
    assert_true(tls_raw_pump(&raw, &end));
    assert_int_equal(SSL_renegotiate(raw.ssl), 1);
    assert_int_equal(SSL_do_handshake(raw.ssl), -1);
    char *hello = NULL;
    long len = BIO_get_mem_data(raw.out, &hello);
    assert_true(len > 100);
    cw_net_error e;
    assert_int_equal(cw__tls_feed(end.session, cw_bytes_of(hello, (size_t)len), &end.received, &e),
                     CW_NET_OK);
    cw__buf answer = {NULL, 0, 0, 0};
    assert_true(cw__tls_take(end.session, &answer));
    BIO_write(raw.in, answer.data, (int)cw__buf_len(&answer));
    assert_int_equal(SSL_do_handshake(raw.ssl), -1);
    assert_int_equal(ERR_GET_REASON(ERR_peek_error()), SSL_R_NO_RENEGOTIATION);
    ERR_clear_error();
    cw__buf_free(&answer);
    tls_raw_close(&raw);
    cw__tls_close(end.session);
    cw__buf_free(&end.received);
    cw_tls_free(server);
}

/* ---- contexts ------------------------------------------------------------- */

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void server_options(void **state)
{
    (void)state;
    write_file("empty.pem", "");
    write_file("text.pem", "this is no certificate\n");
    /* A key with a passphrase must not make anybody ask for it. */
    FILE *f = fopen("leaf.key", "r");
    EVP_PKEY *key = PEM_read_PrivateKey(f, NULL, NULL, NULL);
    fclose(f);
    f = fopen("locked.key", "w");
    assert_int_equal(PEM_write_PrivateKey(f, key, EVP_aes_128_cbc(), NULL, 0, NULL, "secret"), 1);
    fclose(f);
    EVP_PKEY_free(key);
    static const struct {
        int line;
        const char *certificate, *key;
        cw_net_status st;
        int code;
        const char *detail;
    } rows[] = {
        {__LINE__, NULL, "leaf.key", CW_NET_ERR_ARGUMENT, 0,
         "a server needs a certificate and its key"},
        {__LINE__, "leaf.crt", NULL, CW_NET_ERR_ARGUMENT, 0,
         "a server needs a certificate and its key"},
        {__LINE__, "none.crt", "leaf.key", CW_NET_ERR_IO, -ENOENT,
         "certificate file: No such file or directory"},
        {__LINE__, "leaf.crt", "none.key", CW_NET_ERR_IO, -ENOENT,
         "key file: No such file or directory"},
        {__LINE__, "empty.pem", "leaf.key", CW_NET_ERR_TLS, 0, "certificate file: "},
        {__LINE__, "text.pem", "leaf.key", CW_NET_ERR_TLS, 0, "certificate file: "},
        {__LINE__, "leaf.key", "leaf.key", CW_NET_ERR_TLS, 0, "certificate file: "},
        {__LINE__, "leaf.crt", "leaf.crt", CW_NET_ERR_TLS, 0, "key file: "},
        {__LINE__, "leaf.crt", "below.key", CW_NET_ERR_TLS, 0, "key file: key values mismatch"},
        {__LINE__, "leaf.crt", "locked.key", CW_NET_ERR_UNSUPPORTED, 0,
         "key file: it has a passphrase"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const cw_tls_server_options o = {.certificate_file = rows[i].certificate,
                                         .key_file = rows[i].key};
        cw_net_error e = {.status = CW_NET_OK};
        cw_tls *t = cw_tls_server(&o, &e);
        if (t != NULL || e.status != rows[i].st || e.code != rows[i].code ||
            !begins_with(e.detail, rows[i].detail)) {
            fail_msg("row at line %d: %d %d %s", rows[i].line, e.status, e.code, e.detail);
        }
        assert_int_equal(ERR_peek_error(), 0);
        assert_null(cw_tls_server(&o, NULL));
    }
    const cw_tls_server_options nothing = {"leaf.crt", "leaf.key", false, true, true, false};
    cw_net_error e;
    assert_null(cw_tls_server(&nothing, &e));
    assert_int_equal(e.status, CW_NET_ERR_ARGUMENT);
    assert_string_equal(e.detail, "no protocol left to offer");
    assert_null(cw_tls_server(NULL, NULL));
}

static void client_options(void **state)
{
    (void)state;
    static const struct {
        cw_tls_client_options o;
        cw_net_status st;
        const char *detail;
    } rows[] = {
        {{.ca_file = "none.crt"},
         CW_NET_ERR_IO,
         "file of trusted certificates: No such file or directory"},
        {{.ca_file = "text.pem"}, CW_NET_ERR_TLS, "file of trusted certificates: "},
        {{.insecure = true, .key_log_file = "no/such/folder/keys"},
         CW_NET_ERR_IO,
         "key log: No such file or directory"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cw_net_error e = {.status = CW_NET_OK};
        assert_null(cw_tls_client(&rows[i].o, &e));
        assert_int_equal(e.status, rows[i].st);
        assert_true(begins_with(e.detail, rows[i].detail));
        assert_int_equal(e.code, rows[i].st == CW_NET_ERR_IO ? -ENOENT : 0);
        assert_int_equal(ERR_peek_error(), 0);
    }
    cw_tls *t = cw_tls_client(NULL, NULL); /* the defaults */
    assert_non_null(t);
    cw_tls_free(t);
    cw_tls_free(NULL);
    cw__tls_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certificates),
        cmocka_unit_test(expired_by_self_signed),
        cmocka_unit_test(insecure),
        cmocka_unit_test(not_tls),
        cmocka_unit_test(tampered),
        cmocka_unit_test(truncated),
        cmocka_unit_test(end_in_the_handshake),
        cmocka_unit_test(key_updates),
        cmocka_unit_test(renegotiation),
        cmocka_unit_test(server_options),
        cmocka_unit_test(client_options),
    };
    return cmocka_run_group_tests(tests, make_files, NULL);
}
