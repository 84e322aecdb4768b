/* SPDX-License-Identifier: MIT */
#include "tls_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void path_of(char *to, size_t cap, const char *file, const char *ending)
{
    int n = snprintf(to, cap, "%s.%s", file, ending);
    assert_true(n > 0 && (size_t)n < cap);
}

void tls_make_local(const char *file, cw_tls_key key, const char *names)
{
    char certificate[64], key_file[64];
    cw_net_error e = {.status = CW_NET_OK};
    path_of(certificate, sizeof certificate, file, "crt");
    path_of(key_file, sizeof key_file, file, "key");
    assert_int_equal(cw_tls_self_signed(key, names, 30, certificate, key_file, &e), CW_NET_OK);
}

cw_tls *tls_server_of(const char *file, cw_tls_server_options o)
{
    char certificate[64], key_file[64];
    cw_net_error e = {.status = CW_NET_OK};
    path_of(certificate, sizeof certificate, file, "crt");
    path_of(key_file, sizeof key_file, file, "key");
    o.certificate_file = certificate;
    o.key_file = key_file;
    cw_tls *t = cw_tls_server(&o, &e);
    if (t == NULL) {
        fail_msg("%s: %s", file, e.detail);
    }
    return t;
}

cw_tls *tls_client_of(const char *ca_file, cw_tls_client_options o)
{
    char certificate[64];
    cw_net_error e = {.status = CW_NET_OK};
    if (ca_file != NULL) {
        path_of(certificate, sizeof certificate, ca_file, "crt");
        o.ca_file = certificate;
    }
    cw_tls *t = cw_tls_client(&o, &e);
    if (t == NULL) {
        fail_msg("%s: %s", ca_file != NULL ? ca_file : "system", e.detail);
    }
    return t;
}

/* ---- a pair --------------------------------------------------------------- */

void tls_pair_open(tls_pair *p, cw_tls *client, cw_tls *server, const char *host,
                   cw_http_version version)
{
    *p = (tls_pair){.client = {.session = NULL}};
    p->client.session = cw__tls_open(client, host, version, &p->client.error);
    p->server.session = cw__tls_open(server, NULL, CW_HTTP_ANY, &p->server.error);
    if (p->client.session == NULL || p->server.session == NULL) {
        fail_msg("%s%s", p->client.error.detail, p->server.error.detail);
    }
    assert_int_equal(cw__tls_start(p->server.session, &p->server.error), CW_NET_OK);
    assert_int_equal(cw__tls_start(p->client.session, &p->client.error), CW_NET_OK);
}

static void feed(tls_end *to, const uint8_t *data, size_t len)
{
    /* A block that ends where the piece does. */
    uint8_t *piece = malloc(len);
    assert_non_null(piece);
    memcpy(piece, data, len);
    cw_net_error e = {.status = CW_NET_OK};
    cw_net_status st = cw__tls_feed(to->session, cw_bytes_of(piece, len), &to->received, &e);
    assert_int_equal(e.status, st);
    if (to->error.status == CW_NET_OK) {
        to->error = e;
    }
    free(piece);
}

bool tls_move(tls_end *from, tls_end *to, size_t cut)
{
    cw__buf records = {NULL, 0, 0, 0};
    assert_true(cw__tls_take(from->session, &records));
    size_t len = cw__buf_len(&records);
    from->records_out += len;
    for (size_t at = 0; at < len;) {
        size_t n = cut == 0 || len - at < cut ? len - at : cut;
        feed(to, records.data + at, n);
        at += n;
    }
    cw__buf_free(&records);
    return len > 0;
}

void tls_pair_pump(tls_pair *p, size_t cut)
{
    bool moved = true;
    while (moved) {
        moved = tls_move(&p->client, &p->server, cut);
        moved = tls_move(&p->server, &p->client, cut) || moved;
    }
}

void tls_pair_close(tls_pair *p)
{
    cw__tls_close(p->client.session);
    cw__tls_close(p->server.session);
    cw__buf_free(&p->client.received);
    cw__buf_free(&p->server.received);
}

void tls_assert_open(const tls_pair *p)
{
    if (p->client.error.status != CW_NET_OK || p->server.error.status != CW_NET_OK) {
        fail_msg("client: %s, server: %s", p->client.error.detail, p->server.error.detail);
    }
    assert_true(cw__tls_is_open(p->client.session));
    assert_true(cw__tls_is_open(p->server.session));
}

static void assert_received(tls_end *end, const char *text)
{
    assert_int_equal(cw__buf_len(&end->received), strlen(text));
    assert_true(cw_bytes_equal(cw__buf_bytes(&end->received), cw_bytes_of(text, strlen(text))));
    cw__buf_clear(&end->received);
}

void tls_assert_passes(tls_pair *p, const char *from_client, const char *from_server)
{
    cw_net_error e;
    assert_int_equal(
        cw__tls_write(p->client.session, cw_bytes_of(from_client, strlen(from_client)), &e),
        CW_NET_OK);
    assert_int_equal(
        cw__tls_write(p->server.session, cw_bytes_of(from_server, strlen(from_server)), &e),
        CW_NET_OK);
    tls_pair_pump(p, 0);
    assert_received(&p->server, from_client);
    assert_received(&p->client, from_server);
}

/* ---- a session against OpenSSL as it is ----------------------------------- */

void tls_raw_open(tls_raw *r, SSL_CTX *context, bool is_server)
{
    r->context = context;
    r->ssl = SSL_new(context);
    r->in = BIO_new(BIO_s_mem());
    r->out = BIO_new(BIO_s_mem());
    assert_non_null(r->ssl);
    assert_non_null(r->in);
    assert_non_null(r->out);
    SSL_set_bio(r->ssl, r->in, r->out);
    if (is_server) {
        SSL_set_accept_state(r->ssl);
    } else {
        SSL_set_connect_state(r->ssl);
    }
}

static bool raw_work(tls_raw *r)
{
    char room[4096];
    if (!SSL_is_init_finished(r->ssl)) {
        SSL_do_handshake(r->ssl);
    }
    while (SSL_read(r->ssl, room, sizeof room) > 0) {
    }
    return BIO_pending(r->out) > 0;
}

bool tls_raw_pump(tls_raw *r, tls_end *end)
{
    bool moved = true;
    while (moved) {
        moved = raw_work(r);
        char *data = NULL;
        long len = BIO_get_mem_data(r->out, &data);
        if (len > 0) {
            feed(end, (const uint8_t *)data, (size_t)len);
            BIO_reset(r->out);
        }
        cw__buf records = {NULL, 0, 0, 0};
        assert_true(cw__tls_take(end->session, &records));
        if (cw__buf_len(&records) > 0) {
            moved = true;
            BIO_write(r->in, records.data, (int)cw__buf_len(&records));
        }
        cw__buf_free(&records);
    }
    return end->error.status == CW_NET_OK;
}

void tls_raw_close(tls_raw *r)
{
    SSL_free(r->ssl);
    SSL_CTX_free(r->context);
}
