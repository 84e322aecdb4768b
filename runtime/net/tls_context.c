/* SPDX-License-Identifier: MIT */
#include "tls_context.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tls_session.h"

/* TLS 1.2: what HTTP/2 allows (RFC 9113, appendix A rules out the rest). */
#define CIPHERS_1_2 "ECDHE+AESGCM:ECDHE+CHACHA20"

cw_net_status cw__tls_error(cw_net_error *e, cw_net_status st, const char *what)
{
    unsigned long error = ERR_get_error();
    ERR_clear_error();
    int reason = ERR_GET_REASON(error);
    if (error == 0) {
        return cw_net_error_set(e, st, 0, "%s", what);
    }
    if (reason == ERR_R_MALLOC_FAILURE) {
        return cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "%s", what);
    }
    if (ERR_SYSTEM_ERROR(error)) {
        /* libuv's codes are negated errno values on every system that has these files. */
        return cw_net_error_set(e, CW_NET_ERR_IO, -reason, "%s: %s", what, strerror(reason));
    }
    const char *text = ERR_reason_error_string(error);
    if (text == NULL) {
        return cw_net_error_set(e, st, 0, "%s: OpenSSL error %lx", what, error);
    }
    return cw_net_error_set(e, st, 0, "%s: %s", what, text);
}

cw_bytes cw__tls_protocols(bool http_2, bool http_1)
{
    static const uint8_t list[] = "\x02h2\x08http/1.1";
    size_t from = http_2 ? 0 : 3, to = http_1 ? 12 : 3;
    return cw_bytes_of(list + from, to - from);
}

/* ---- callbacks of OpenSSL ----------------------------------------------- */

static cw__tls_link *link_of(const SSL *ssl)
{
    return SSL_get_app_data(ssl);
}

static int on_alpn(SSL *ssl, const unsigned char **out, unsigned char *out_len,
                   const unsigned char *in, unsigned in_len, void *arg)
{
    (void)arg;
    cw__tls_link *link = link_of(ssl);
    cw_bytes ours = cw__tls_protocols(link->context->offers[0], link->context->offers[1]);
    unsigned char *chosen = NULL;
    if (SSL_select_next_proto(&chosen, out_len, ours.data, (unsigned)ours.len, in, in_len) !=
        OPENSSL_NPN_NEGOTIATED) {
        link->no_alpn = true;
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    }
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

/* A client without ALPN would go on in HTTP/1.1: where that is not offered it is refused too. */
static int on_hello(SSL *ssl, int *alert, void *arg)
{
    (void)arg;
    const unsigned char *data;
    size_t len;
    if (SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_application_layer_protocol_negotiation, &data,
                                  &len) == 1) {
        return SSL_CLIENT_HELLO_SUCCESS;
    }
    link_of(ssl)->no_alpn = true;
    *alert = SSL_AD_NO_APPLICATION_PROTOCOL;
    return SSL_CLIENT_HELLO_ERROR;
}

static int on_ticket(SSL *ssl, SSL_SESSION *session)
{
    cw__tls_link *link = link_of(ssl);
    if (link->name != NULL) {
        cw__tickets_put(&link->context->tickets, link->name, session);
    }
    return 0; /* not taken over */
}

static void on_message(int is_ours, int version, int type, const void *data, size_t len, SSL *ssl,
                       void *arg)
{
    (void)version, (void)data, (void)len, (void)arg;
    if (!is_ours && type == SSL3_RT_HANDSHAKE) {
        link_of(ssl)->idle++;
    }
}

/* One write for a line: the file may be open for appending in several contexts. */
static void on_key(const SSL *ssl, const char *line)
{
    size_t len = strlen(line);
    char *text = malloc(len + 1);
    if (text != NULL) {
        memcpy(text, line, len);
        text[len] = '\n';
        ssize_t n = write(link_of(ssl)->context->key_log, text, len + 1);
        (void)n; /* a debugging aid: the connection does not depend on it */
        free(text);
    }
}

/* A key with a passphrase is refused; OpenSSL would ask for it on the terminal. */
static int on_passphrase(char *buf, int size, int is_write, void *was_asked)
{
    (void)buf, (void)size, (void)is_write;
    *(bool *)was_asked = true;
    return -1;
}

/* ---- making one --------------------------------------------------------- */

static cw_tls *new_context(bool is_server, bool tls_1_2, cw_net_error *e)
{
    ERR_clear_error();
    cw_tls *t = calloc(1, sizeof *t);
    if (t == NULL || !cw__tickets_open(&t->tickets)) {
        free(t);
        cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "TLS context");
        return NULL;
    }
    atomic_init(&t->references, 1);
    t->is_server = is_server;
    t->key_log = -1;
    t->bio = cw__tls_bio_method();
    t->ssl = SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method());
    if (t->bio == NULL || t->ssl == NULL ||
        SSL_CTX_set_min_proto_version(t->ssl, tls_1_2 ? TLS1_2_VERSION : TLS1_3_VERSION) != 1 ||
        SSL_CTX_set_max_proto_version(t->ssl, TLS1_3_VERSION) != 1 ||
        SSL_CTX_set_cipher_list(t->ssl, CIPHERS_1_2) != 1) {
        cw__tls_error(e, CW_NET_ERR_TLS, "TLS context");
        cw_tls_free(t);
        return NULL;
    }
    SSL_CTX_set_options(t->ssl, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    /* The buffers of an idle connection are given back. */
    SSL_CTX_set_mode(t->ssl, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(t->ssl, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_msg_callback(t->ssl, on_message);
    return t;
}

static bool load_key(cw_tls *t, const cw_tls_server_options *o, cw_net_error *e)
{
    bool has_passphrase = false;
    SSL_CTX_set_default_passwd_cb(t->ssl, on_passphrase);
    SSL_CTX_set_default_passwd_cb_userdata(t->ssl, &has_passphrase);
    bool good = SSL_CTX_use_certificate_chain_file(t->ssl, o->certificate_file) == 1;
    const char *what = good ? "key file" : "certificate file";
    good = good && SSL_CTX_use_PrivateKey_file(t->ssl, o->key_file, SSL_FILETYPE_PEM) == 1;
    SSL_CTX_set_default_passwd_cb_userdata(t->ssl, NULL);
    if (has_passphrase) {
        ERR_clear_error();
        cw_net_error_set(e, CW_NET_ERR_UNSUPPORTED, 0, "%s: it has a passphrase", what);
    } else if (!good) {
        cw__tls_error(e, CW_NET_ERR_TLS, what);
    }
    return good;
}

cw_tls *cw_tls_server(const cw_tls_server_options *o, cw_net_error *e)
{
    static const unsigned char id[] = "cwire";
    if (o == NULL || o->certificate_file == NULL || o->key_file == NULL) {
        cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "a server needs a certificate and its key");
        return NULL;
    }
    if (o->no_http_1 && o->no_http_2) {
        cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "no protocol left to offer");
        return NULL;
    }
    cw_tls *t = new_context(true, o->tls_1_2, e);
    if (t == NULL) {
        return NULL;
    }
    t->offers[0] = !o->no_http_2;
    t->offers[1] = !o->no_http_1;
    SSL_CTX_set_alpn_select_cb(t->ssl, on_alpn, NULL);
    if (o->no_http_1) {
        SSL_CTX_set_client_hello_cb(t->ssl, on_hello, NULL);
    }
    if (o->no_resumption) {
        SSL_CTX_set_options(t->ssl, SSL_OP_NO_TICKET);
    }
    /* Tickets hold the session encrypted: the server keeps nothing. */
    if (SSL_CTX_set_num_tickets(t->ssl, o->no_resumption ? 0 : 2) != 1 ||
        SSL_CTX_set_session_id_context(t->ssl, id, sizeof id - 1) != 1) {
        cw__tls_error(e, CW_NET_ERR_TLS, "session tickets");
        cw_tls_free(t);
        return NULL;
    }
    if (!load_key(t, o, e)) {
        cw_tls_free(t);
        return NULL;
    }
    ERR_clear_error();
    return t;
}

static bool load_trust(cw_tls *t, const cw_tls_client_options *o, cw_net_error *e)
{
    if (o->insecure) {
        return true;
    }
    SSL_CTX_set_verify(t->ssl, SSL_VERIFY_PEER, NULL);
    /* Names are those of subjectAltName (RFC 9110, 4.3.4). */
    X509_VERIFY_PARAM_set_hostflags(SSL_CTX_get0_param(t->ssl),
                                    X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS |
                                        X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    int loaded = o->ca_file != NULL ? SSL_CTX_load_verify_file(t->ssl, o->ca_file)
                                    : SSL_CTX_set_default_verify_paths(t->ssl);
    if (loaded != 1) {
        cw__tls_error(e, CW_NET_ERR_TLS, "file of trusted certificates");
        return false;
    }
    return true;
}

static bool open_key_log(cw_tls *t, const char *path, cw_net_error *e)
{
    if (path == NULL) {
        return true;
    }
    t->key_log = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (t->key_log < 0) {
        cw_net_error_set(e, CW_NET_ERR_IO, -errno, "key log: %s", strerror(errno));
        return false;
    }
    SSL_CTX_set_keylog_callback(t->ssl, on_key);
    return true;
}

cw_tls *cw_tls_client(const cw_tls_client_options *o, cw_net_error *e)
{
    static const cw_tls_client_options defaults;
    o = o != NULL ? o : &defaults;
    cw_tls *t = new_context(false, o->tls_1_2, e);
    if (t == NULL) {
        return NULL;
    }
    if (!load_trust(t, o, e) || !open_key_log(t, o->key_log_file, e)) {
        cw_tls_free(t);
        return NULL;
    }
    if (o->server_name != NULL && (t->server_name = strdup(o->server_name)) == NULL) {
        cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "TLS context");
        cw_tls_free(t);
        return NULL;
    }
    if (o->no_resumption) {
        SSL_CTX_set_options(t->ssl, SSL_OP_NO_TICKET);
    } else {
        SSL_CTX_set_session_cache_mode(t->ssl, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
        SSL_CTX_sess_set_new_cb(t->ssl, on_ticket);
    }
    ERR_clear_error();
    return t;
}

cw_tls *cw__tls_hold(cw_tls *t)
{
    atomic_fetch_add_explicit(&t->references, 1, memory_order_relaxed);
    return t;
}

void cw_tls_free(cw_tls *t)
{
    if (t == NULL || atomic_fetch_sub_explicit(&t->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    SSL_CTX_free(t->ssl);
    BIO_meth_free(t->bio);
    cw__tickets_close(&t->tickets);
    if (t->key_log >= 0) {
        close(t->key_log);
    }
    free(t->server_name);
    free(t);
}

bool cw__tls_is_server(const cw_tls *t)
{
    return t->is_server;
}
