/* SPDX-License-Identifier: MIT */
/* tls_pair.h: two TLS sessions back to back without sockets, and certificates for them. */
#ifndef CWIRE_TESTS_NET_TLS_PAIR_H
#define CWIRE_TESTS_NET_TLS_PAIR_H

#include <openssl/ssl.h>

#include "tls_session.h"

/* ---- certificates: files in the working directory ------------------------- */

typedef struct tls_recipe {
    const char *file;        /* FILE.crt and FILE.key are written */
    const char *issuer;      /* the file of a recipe made before; NULL: signed by itself */
    const char *common_name; /* NULL: the file */
    const char *names;       /* "DNS:a.example,IP:127.0.0.1"; NULL: none */
    const char *usage;       /* extended; NULL: serverAuth */
    long from, to;           /* validity, seconds from now */
    bool is_ca;
} tls_recipe;

void tls_make(const tls_recipe *r);

/* Appends the certificates of one file to another. */
void tls_append(const char *to, const char *more);

/* FILE.crt and FILE.key by cw_tls_self_signed, for a month. */
void tls_make_local(const char *file, cw_tls_key key, const char *names);

/* Contexts; the test fails when there is none. certificate_file, key_file and ca_file are set to
 * FILE.crt and FILE.key. */
cw_tls *tls_server_of(const char *file, cw_tls_server_options o);
cw_tls *tls_client_of(const char *ca_file, cw_tls_client_options o);

/* ---- a pair --------------------------------------------------------------- */

typedef struct tls_end {
    cw__tls_session *session;
    cw__buf received;   /* plaintext */
    cw_net_error error; /* the first, when there was one */
    size_t records_out; /* bytes */
} tls_end;

typedef struct tls_pair {
    tls_end client, server;
} tls_pair;

/* Opens both ends, but moves nothing. The contexts stay the caller's. */
void tls_pair_open(tls_pair *p, cw_tls *client, cw_tls *server, const char *host,
                   cw_http_version version);
/* Moves records both ways until nobody has any, in pieces of `cut` bytes (0: all at once). */
void tls_pair_pump(tls_pair *p, size_t cut);
/* The same from one end to the other, once. False: there was nothing. */
bool tls_move(tls_end *from, tls_end *to, size_t cut);
void tls_pair_close(tls_pair *p);
/* Both have completed the handshake without an error; the test fails when not. */
void tls_assert_open(const tls_pair *p);
/* Sends this text and moves it; the test fails when it does not arrive. */
void tls_assert_passes(tls_pair *p, const char *from_client, const char *from_server);

/* ---- a session against OpenSSL as it is ----------------------------------- */

/* An SSL over memory BIOs. The context is freed with it. */
typedef struct tls_raw {
    SSL_CTX *context;
    SSL *ssl;
    BIO *in, *out;
} tls_raw;

void tls_raw_open(tls_raw *r, SSL_CTX *context, bool is_server);
/* Lets both work (handshake, then reading) until nobody sends; false: the session failed. */
bool tls_raw_pump(tls_raw *r, tls_end *end);
void tls_raw_close(tls_raw *r);

#endif
