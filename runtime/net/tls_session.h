/* SPDX-License-Identifier: MIT */
/*
 * tls_session.h (internal): TLS on one connection, without I/O: records in, plaintext out, and the
 * other way round.
 */
#ifndef CWIRE_NET_TLS_SESSION_H
#define CWIRE_NET_TLS_SESSION_H

#include "buffer.h"
#include "cwire/net/tls.h"

typedef struct cw__tls_session cw__tls_session;

/*
 * context decides about the role. host: client, to ask for by SNI (no IP address is), to verify,
 * and to find a ticket by; version: client, what ALPN offers (CW_HTTP_ANY: h2, then http/1.1). NULL
 * with *e.
 */
cw__tls_session *cw__tls_open(cw_tls *context, const char *host, cw_http_version version,
                              cw_net_error *e);
void cw__tls_close(cw__tls_session *t);

/* Client: the first flight, to be taken by cw__tls_take. */
cw_net_status cw__tls_start(cw__tls_session *t, cw_net_error *e);

/*
 * Records from the peer, all of which are taken; plaintext is appended to `plain`. Not OK: after
 * what cw__tls_take gives (an alert) the connection is to be closed.
 */
cw_net_status cw__tls_feed(cw__tls_session *t, cw_bytes in, cw__buf *plain, cw_net_error *e);

/* Plaintext to be sent, in records of up to 16 KiB; only after the handshake. */
cw_net_status cw__tls_write(cw__tls_session *t, cw_bytes plain, cw_net_error *e);

/* Appends the records that wait to be sent to out (swaps when out is empty). False: no memory. */
bool cw__tls_take(cw__tls_session *t, cw__buf *out);

/* close_notify, to be taken by cw__tls_take. */
void cw__tls_end(cw__tls_session *t);

bool cw__tls_is_open(const cw__tls_session *t);    /* the handshake is done */
bool cw__tls_peer_ended(const cw__tls_session *t); /* close_notify arrived */
bool cw__tls_was_resumed(const cw__tls_session *t);
/* What ALPN chose: CW_HTTP_2, CW_HTTP_1_1, or CW_HTTP_ANY where the peer did not take part. */
cw_http_version cw__tls_alpn(const cw__tls_session *t);

/* Another reference to a context. */
cw_tls *cw__tls_hold(cw_tls *t);
bool cw__tls_is_server(const cw_tls *t);

#endif
