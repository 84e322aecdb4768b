/* SPDX-License-Identifier: MIT */
/* net/tls.h: certificates, trust and sessions for servers and clients. */
#ifndef CWIRE_NET_TLS_H
#define CWIRE_NET_TLS_H

#include "cwire/net/http.h"

CW_BEGIN_DECLS

/*
 * What the connections of a server or of clients share: certificate, trust, ALPN, tickets. Counted
 * references: each server and client that is opened with one holds it, so the caller may free it
 * right after. May be used by several threads.
 */
typedef struct cw_tls cw_tls;

/* All zero but the files is a good default. Text is copied. */
typedef struct cw_tls_server_options {
    const char *certificate_file; /* PEM, the chain, leaf first */
    const char *key_file;         /* PEM */
    bool tls_1_2;                 /* take TLS 1.2 too (else 1.3 only) */
    bool no_http_2;               /* ALPN offers http/1.1 only */
    bool no_http_1;     /* ALPN offers h2 only: others fail with no_application_protocol */
    bool no_resumption; /* no session tickets */
} cw_tls_server_options;

typedef struct cw_tls_client_options {
    const char *ca_file;      /* PEM of what is trusted; NULL: the system's store */
    bool insecure;            /* no verification: for tests, never for anything else */
    bool tls_1_2;             /* take TLS 1.2 too (else 1.3 only) */
    bool no_resumption;       /* every handshake is a full one */
    const char *server_name;  /* to ask for and to verify; NULL: the host of the origin */
    const char *key_log_file; /* append secrets for a packet analyser; NULL: none */
} cw_tls_client_options;

/* NULL with *e filled: a file cannot be read or does not fit. Release with cw_tls_free. */
CW_API cw_tls *cw_tls_server(const cw_tls_server_options *o, cw_net_error *e);
CW_API cw_tls *cw_tls_client(const cw_tls_client_options *o, cw_net_error *e);
CW_API void cw_tls_free(cw_tls *t);

typedef enum cw_tls_key { CW_TLS_P256, CW_TLS_RSA_2048 } cw_tls_key;

/*
 * Writes a new key and a certificate for it, signed by itself, for local use and tests: valid from
 * an hour ago for `days` days (negative: expired so long ago), for the names in `names` (comma
 * between them; an IP address is one too). The certificate file is also the ca_file that trusts it.
 * The key file is made readable by its owner only. Existing files are replaced as a whole.
 */
CW_API cw_net_status cw_tls_self_signed(cw_tls_key key, const char *names, int days,
                                        const char *certificate_file, const char *key_file,
                                        cw_net_error *e);

CW_END_DECLS
#endif
