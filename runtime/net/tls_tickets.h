/* SPDX-License-Identifier: MIT */
/* tls_tickets.h (internal to the tls_ files): what a client keeps to resume sessions with. */
#ifndef CWIRE_NET_TLS_TICKETS_H
#define CWIRE_NET_TLS_TICKETS_H

#include <openssl/ssl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CW__TICKET_HOSTS = 32, CW__TICKETS_OF_HOST = 8 };

typedef struct cw__ticket_host {
    char *name; /* NULL: free */
    uint64_t used;
    size_t count;
    SSL_SESSION *tickets[CW__TICKETS_OF_HOST]; /* the newest last */
} cw__ticket_host;

/* Used by any thread. Every session in it is the only reference to its object: OpenSSL writes to
 * the sessions it works with. */
typedef struct cw__tickets {
    pthread_mutex_t lock;
    uint64_t clock;
    cw__ticket_host hosts[CW__TICKET_HOSTS];
} cw__tickets;

bool cw__tickets_open(cw__tickets *t);
void cw__tickets_close(cw__tickets *t);

/* Keeps a copy of the session. The oldest of its host makes room, or the host that was not used for
 * the longest time. Without memory nothing is kept. */
void cw__tickets_put(cw__tickets *t, const char *host, const SSL_SESSION *session);

/*
 * A session to resume, for the caller to free; NULL: none. A ticket of TLS 1.3 is given out once,
 * so that nobody can link connections by it (RFC 8446, C.4), but for the last one: connections that
 * are opened at once would pay for full handshakes otherwise. One of TLS 1.2 stays.
 */
SSL_SESSION *cw__tickets_take(cw__tickets *t, const char *host);

#endif
