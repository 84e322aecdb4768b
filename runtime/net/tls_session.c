/* SPDX-License-Identifier: MIT */
#include "tls_session.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include "tls_context.h"

enum {
    RECORD_MAX = 16384,    /* plaintext of a record (RFC 8446, 5.1) */
    RECORD_EXTRA = 64,     /* header, nonce, type and tag of any cipher */
    KEPT_OUT = 512,        /* buffer that a session keeps when it has nothing to send */
    IDLE_MESSAGES_MAX = 32 /* KeyUpdate, NewSessionTicket ... without any data in between */
};

struct cw__tls_session {
    cw__tls_link link;
    SSL *ssl;
    cw_bytes in; /* during cw__tls_feed: what OpenSSL has not read yet */
    cw__buf out;
    cw_http_version version; /* client: what ALPN may choose */
    cw_net_status broken;    /* the error that ended it */
    bool is_open, peer_ended, ended, no_memory;
};

/* ---- between OpenSSL and the session ------------------------------------ */

static int bio_read(BIO *bio, char *to, size_t size, size_t *n)
{
    cw__tls_session *t = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (t->in.len == 0 || t->link.idle > IDLE_MESSAGES_MAX) {
        *n = 0;
        BIO_set_retry_read(bio);
        return 0;
    }
    *n = t->in.len < size ? t->in.len : size;
    memcpy(to, t->in.data, *n);
    t->in = cw_bytes_of(t->in.data + *n, t->in.len - *n);
    return 1;
}

static int bio_write(BIO *bio, const char *data, size_t size, size_t *n)
{
    cw__tls_session *t = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (!cw__buf_append(&t->out, data, size)) {
        t->no_memory = true;
        *n = 0;
        return 0;
    }
    *n = size;
    return 1;
}

static long bio_ctrl(BIO *bio, int command, long number, void *pointer)
{
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH;
}

BIO_METHOD *cw__tls_bio_method(void)
{
    BIO_METHOD *m = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "cwire");
    if (m != NULL &&
        (BIO_meth_set_read_ex(m, bio_read) != 1 || BIO_meth_set_write_ex(m, bio_write) != 1 ||
         BIO_meth_set_ctrl(m, bio_ctrl) != 1)) {
        BIO_meth_free(m);
        return NULL;
    }
    return m;
}

/* ---- open and close ----------------------------------------------------- */

static bool is_address(const char *host)
{
    unsigned char room[16];
    return inet_pton(AF_INET, host, room) == 1 || inet_pton(AF_INET6, host, room) == 1;
}

/* A name in its form for DNS is the same with a dot at its end; in TLS it has none (RFC 6066, 3).
 */
static char *name_without_dot(const char *host)
{
    size_t len = strlen(host);
    return strndup(host, len > 1 && host[len - 1] == '.' ? len - 1 : len);
}

static cw_net_status ask_for(cw__tls_session *t, const char *host, cw_net_error *e)
{
    const char *name = t->link.context->server_name;
    name = name != NULL ? name : host;
    bool verifies = SSL_get_verify_mode(t->ssl) != SSL_VERIFY_NONE;
    if (name == NULL || name[0] == '\0') {
        return verifies ? cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "no name to verify")
                        : CW_NET_OK;
    }
    t->link.name = name_without_dot(name);
    if (t->link.name == NULL) {
        return cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "TLS session");
    }
    name = t->link.name;
    X509_VERIFY_PARAM *rules = SSL_get0_param(t->ssl);
    bool good = is_address(name) ? X509_VERIFY_PARAM_set1_ip_asc(rules, name) == 1
                                 : X509_VERIFY_PARAM_set1_host(rules, name, 0) == 1 &&
                                       SSL_set_tlsext_host_name(t->ssl, t->link.name) == 1;
    return good ? CW_NET_OK : cw__tls_error(e, CW_NET_ERR_ARGUMENT, "server name");
}

static cw_net_status prepare_client(cw__tls_session *t, const char *host, cw_net_error *e)
{
    SSL_set_connect_state(t->ssl);
    cw_net_status st = ask_for(t, host, e);
    if (st != CW_NET_OK) {
        return st;
    }
    bool only_2 = t->version == CW_HTTP_2, any = t->version == CW_HTTP_ANY;
    cw_bytes offer = cw__tls_protocols(only_2 || any, !only_2);
    if (SSL_set_alpn_protos(t->ssl, offer.data, (unsigned)offer.len) != 0) {
        return cw__tls_error(e, CW_NET_ERR_TLS, "ALPN");
    }
    SSL_SESSION *session =
        t->link.name != NULL ? cw__tickets_take(&t->link.context->tickets, t->link.name) : NULL;
    if (session != NULL) {
        SSL_set_session(t->ssl, session); /* refused: the handshake is a full one */
        SSL_SESSION_free(session);
    }
    return CW_NET_OK;
}

static cw_net_status prepare(cw__tls_session *t, const char *host, cw_net_error *e)
{
    cw_tls *context = t->link.context;
    t->ssl = SSL_new(context->ssl);
    BIO *bio = t->ssl != NULL ? BIO_new(context->bio) : NULL;
    if (bio == NULL) {
        return cw__tls_error(e, CW_NET_ERR_MEMORY, "TLS session");
    }
    BIO_set_data(bio, t);
    BIO_set_init(bio, 1);
    SSL_set_bio(t->ssl, bio, bio);
    if (SSL_set_app_data(t->ssl, &t->link) != 1) {
        return cw__tls_error(e, CW_NET_ERR_MEMORY, "TLS session");
    }
    if (context->is_server) {
        SSL_set_accept_state(t->ssl);
        return CW_NET_OK;
    }
    return prepare_client(t, host, e);
}

cw__tls_session *cw__tls_open(cw_tls *context, const char *host, cw_http_version version,
                              cw_net_error *e)
{
    cw__tls_session *t = calloc(1, sizeof *t);
    if (t == NULL) {
        cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "TLS session");
        return NULL;
    }
    ERR_clear_error();
    t->link.context = cw__tls_hold(context);
    t->version = version;
    if (prepare(t, host, e) != CW_NET_OK) {
        cw__tls_close(t);
        return NULL;
    }
    ERR_clear_error();
    return t;
}

void cw__tls_close(cw__tls_session *t)
{
    if (t == NULL) {
        return;
    }
    SSL_free(t->ssl);
    cw_tls_free(t->link.context);
    free(t->link.name);
    cw__buf_free(&t->out);
    free(t);
}

/* ---- the work ----------------------------------------------------------- */

static cw_net_status break_off(cw__tls_session *t, cw_net_status st)
{
    t->broken = st;
    return st;
}

static cw_net_status broken_before(const cw__tls_session *t, cw_net_error *e)
{
    return cw_net_error_set(e, t->broken, 0, "the TLS session has failed before");
}

/* OpenSSL has given up: why? */
static cw_net_status reason(cw__tls_session *t, cw_net_error *e)
{
    unsigned long error = ERR_peek_error();
    bool is_ssl = ERR_GET_LIB(error) == ERR_LIB_SSL;
    int number = ERR_GET_REASON(error);
    long verified = SSL_get_verify_result(t->ssl);
    if (t->no_memory) {
        ERR_clear_error();
        return cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "TLS records");
    }
    if (t->link.no_alpn) {
        ERR_clear_error();
        return cw_net_error_set(e, CW_NET_ERR_ALPN, 0, "the client offers nothing of ours");
    }
    if (is_ssl && number == SSL_R_CERTIFICATE_VERIFY_FAILED) {
        ERR_clear_error();
        return cw_net_error_set(e, CW_NET_ERR_CERTIFICATE, (int)verified, "%s",
                                X509_verify_cert_error_string(verified));
    }
    if (is_ssl && number > SSL_AD_REASON_OFFSET && number < SSL_AD_REASON_OFFSET + 256) {
        int alert = number - SSL_AD_REASON_OFFSET;
        cw_net_status st =
            alert == SSL_AD_NO_APPLICATION_PROTOCOL ? CW_NET_ERR_ALPN : CW_NET_ERR_TLS;
        ERR_clear_error();
        return cw_net_error_set(e, st, 0, "alert of the peer: %s",
                                SSL_alert_desc_string_long(alert));
    }
    return cw__tls_error(e, CW_NET_ERR_TLS, t->is_open ? "records" : "handshake");
}

/* What a call of OpenSSL that has not succeeded means. OK: it waits for records. */
static cw_net_status outcome(cw__tls_session *t, int result, cw_net_error *e)
{
    int kind = SSL_get_error(t->ssl, result);
    if (t->link.idle > IDLE_MESSAGES_MAX) {
        ERR_clear_error();
        return break_off(
            t, cw_net_error_set(e, CW_NET_ERR_FLOOD, 0, "TLS messages that bring no data"));
    }
    if (kind == SSL_ERROR_WANT_READ) {
        return CW_NET_OK;
    }
    if (kind == SSL_ERROR_ZERO_RETURN) {
        t->peer_ended = true;
        return t->is_open ? CW_NET_OK
                          : break_off(t, cw_net_error_set(e, CW_NET_ERR_CLOSED, 0,
                                                          "in the middle of the handshake"));
    }
    return break_off(t, reason(t, e));
}

/* A server may leave ALPN out, or a bad one choose what was not offered. */
static cw_net_status check_choice(cw__tls_session *t, cw_net_error *e)
{
    cw_http_version chosen = cw__tls_alpn(t);
    bool fits = t->link.context->is_server || t->version == CW_HTTP_ANY ||
                (t->version == CW_HTTP_2) == (chosen == CW_HTTP_2);
    if (fits) {
        return CW_NET_OK;
    }
    cw__tls_end(t);
    return break_off(t, cw_net_error_set(e, CW_NET_ERR_ALPN, 0,
                                         "the server does not speak the version asked for"));
}

static cw_net_status shake_hands(cw__tls_session *t, cw_net_error *e)
{
    int result = SSL_do_handshake(t->ssl);
    if (result != 1) {
        return outcome(t, result, e);
    }
    t->is_open = true;
    return check_choice(t, e);
}

static cw_net_status read_records(cw__tls_session *t, cw__buf *plain, cw_net_error *e)
{
    while (t->in.len > 0 || SSL_has_pending(t->ssl)) {
        uint8_t *to = cw__buf_reserve(plain, RECORD_MAX);
        if (to == NULL) {
            return break_off(t, cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "TLS records"));
        }
        size_t n = 0;
        int result = SSL_read_ex(t->ssl, to, plain->cap - plain->end, &n);
        if (result != 1) {
            return outcome(t, result, e);
        }
        cw__buf_added(plain, n);
        t->link.idle = 0;
    }
    return CW_NET_OK;
}

cw_net_status cw__tls_start(cw__tls_session *t, cw_net_error *e)
{
    ERR_clear_error();
    return t->link.context->is_server ? CW_NET_OK : shake_hands(t, e);
}

cw_net_status cw__tls_feed(cw__tls_session *t, cw_bytes in, cw__buf *plain, cw_net_error *e)
{
    if (t->broken != CW_NET_OK) {
        return broken_before(t, e);
    }
    ERR_clear_error();
    t->in = in;
    cw_net_status st = t->is_open ? CW_NET_OK : shake_hands(t, e);
    if (st == CW_NET_OK && t->is_open) {
        st = read_records(t, plain, e);
        if (t->link.idle > 0) {
            SSL_free_buffers(t->ssl); /* after data it does that itself */
        }
    }
    t->in = cw_bytes_of(NULL, 0);
    return st;
}

cw_net_status cw__tls_write(cw__tls_session *t, cw_bytes plain, cw_net_error *e)
{
    if (t->broken != CW_NET_OK) {
        return broken_before(t, e);
    }
    if (!t->is_open || t->ended) {
        return cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "TLS session not open");
    }
    if (plain.len == 0) {
        return CW_NET_OK;
    }
    size_t records = (plain.len - 1) / RECORD_MAX + 1;
    if (cw__buf_reserve(&t->out, plain.len + records * RECORD_EXTRA) == NULL) {
        return break_off(t, cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "TLS records"));
    }
    ERR_clear_error();
    size_t n = 0;
    int result = SSL_write_ex(t->ssl, plain.data, plain.len, &n);
    if (result != 1) {
        return break_off(t, reason(t, e));
    }
    return CW_NET_OK;
}

bool cw__tls_take(cw__tls_session *t, cw__buf *out)
{
    if (cw__buf_len(out) > 0) {
        if (!cw__buf_append_bytes(out, cw__buf_bytes(&t->out))) {
            return false;
        }
    } else if (cw__buf_len(&t->out) > 0) {
        cw__buf empty = *out;
        *out = t->out;
        t->out = empty;
    }
    cw__buf_trim(&t->out, KEPT_OUT);
    return true;
}

void cw__tls_end(cw__tls_session *t)
{
    if (t->is_open && !t->ended && t->broken == CW_NET_OK) {
        ERR_clear_error();
        SSL_shutdown(t->ssl);
        ERR_clear_error();
    }
    t->ended = true;
}

bool cw__tls_is_open(const cw__tls_session *t)
{
    return t->is_open;
}

bool cw__tls_peer_ended(const cw__tls_session *t)
{
    return t->peer_ended;
}

bool cw__tls_was_resumed(const cw__tls_session *t)
{
    return SSL_session_reused(t->ssl) == 1;
}

cw_http_version cw__tls_alpn(const cw__tls_session *t)
{
    const unsigned char *name;
    unsigned len;
    SSL_get0_alpn_selected(t->ssl, &name, &len);
    cw_str chosen = cw_str_of((const char *)name, len);
    return cw_str_equal(chosen, CW_STR("h2"))         ? CW_HTTP_2
           : cw_str_equal(chosen, CW_STR("http/1.1")) ? CW_HTTP_1_1
                                                      : CW_HTTP_ANY;
}
