/* SPDX-License-Identifier: MIT */
/* tls_context.h (internal to the tls_ files): a cw_tls, and how OpenSSL's errors become ours. */
#ifndef CWIRE_NET_TLS_CONTEXT_H
#define CWIRE_NET_TLS_CONTEXT_H

#include <openssl/ssl.h>
#include <stdatomic.h>

#include "cwire/net/tls.h"
#include "tls_tickets.h"

struct cw_tls {
    atomic_uint references;
    bool is_server;
    bool offers[2]; /* server, ALPN: h2, http/1.1 */
    SSL_CTX *ssl;
    BIO_METHOD *bio;   /* between the sessions and OpenSSL */
    char *server_name; /* client: NULL for the host of the origin */
    int key_log;       /* client: a file descriptor, -1 for none */
    cw__tickets tickets;
};

/* What the context's callbacks need of a session: the app data of its SSL. */
typedef struct cw__tls_link {
    cw_tls *context;
    char *name;    /* client: who is asked for; NULL: nobody */
    bool no_alpn;  /* server: nothing in common was the reason to refuse */
    unsigned idle; /* messages of the TLS protocol itself since the last byte of data */
} cw__tls_link;

/* ALPN's list (RFC 7301, 3.1) of what is offered: h2, http/1.1 or both in this order. */
cw_bytes cw__tls_protocols(bool http_2, bool http_1);

/* How sessions do their I/O; released with BIO_meth_free. NULL: no memory. In tls_session.c. */
BIO_METHOD *cw__tls_bio_method(void);

/*
 * Fills *e with "what: " and the first error in OpenSSL's queue of this thread, and empties the
 * queue. The status is st, but ERR_IO for a system call that failed and ERR_MEMORY.
 */
cw_net_status cw__tls_error(cw_net_error *e, cw_net_status st, const char *what);

#endif
