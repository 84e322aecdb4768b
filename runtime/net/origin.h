/* SPDX-License-Identifier: MIT */
/* origin.h (internal): "https://example.org:8443" taken apart (RFC 6454, RFC 3986). */
#ifndef CWIRE_NET_ORIGIN_H
#define CWIRE_NET_ORIGIN_H

#include <uv.h>

#include "cwire/net/status.h"

#define CW__HOST_MAX 253 /* characters of a name (RFC 1035, 2.3.4), more than an address */

typedef struct cw__origin {
    bool is_tls;
    bool is_ipv6;                          /* host is the address without its brackets */
    int port;                              /* 1 to 65535 */
    char host[CW__HOST_MAX + 1];           /* in lower case */
    char authority[CW__HOST_MAX + 1 + 16]; /* without the scheme's default port */
} cw__origin;

/* Not OK (ERR_ARGUMENT): *e says what is wrong; *o is not changed. */
cw_net_status cw__origin_parse(const char *text, cw__origin *o, cw_net_error *e);

/* The address, where the host is one in figures. False: it is a name. */
bool cw__origin_address(const cw__origin *o, struct sockaddr_storage *address);

#endif
