/* SPDX-License-Identifier: MIT */
/* net/status.h: how a request, a connection or a call of libcwire_net ended. */
#ifndef CWIRE_NET_STATUS_H
#define CWIRE_NET_STATUS_H

#include "cwire/port.h"

CW_BEGIN_DECLS

/* NAME, text. CW_NET_OK is 0; new codes are added at the end (the numbers are part of the ABI). */
#define CW_NET_STATUS_LIST(X)                                                                      \
    X(OK, "ok")                                                                                    \
    X(ERR_MEMORY, "out of memory")                                                                 \
    X(ERR_ARGUMENT, "invalid argument")                                                            \
    X(ERR_IO, "system call failed")                                                                \
    X(ERR_RESOLVE, "host name cannot be resolved")                                                 \
    X(ERR_CONNECT, "connection cannot be made")                                                    \
    X(ERR_CLOSED, "connection closed by the peer")                                                 \
    X(ERR_RESET, "reset by the peer")                                                              \
    X(ERR_REFUSED, "not processed by the peer: safe to send again")                                \
    X(ERR_CANCELLED, "cancelled")                                                                  \
    X(ERR_SHUTDOWN, "shutting down")                                                               \
    X(ERR_TIMEOUT, "time limit reached")                                                           \
    X(ERR_PROTOCOL, "protocol violated by the peer")                                               \
    X(ERR_UNSUPPORTED, "not supported")                                                            \
    X(ERR_HEADER_LIMIT, "header section larger than the limit")                                    \
    X(ERR_BODY_LIMIT, "body larger than the limit")                                                \
    X(ERR_FLOOD, "more control traffic than the limit")                                            \
    X(ERR_BUSY, "too many connections or requests at once")                                        \
    X(ERR_CODING, "content coding unknown or body corrupt")                                        \
    X(ERR_TLS, "TLS failed")                                                                       \
    X(ERR_CERTIFICATE, "certificate not accepted")                                                 \
    X(ERR_ALPN, "no protocol in common")

typedef enum cw_net_status {
#define CW__NET_STATUS_ENUM(name, text) CW_NET_##name,
    CW_NET_STATUS_LIST(CW__NET_STATUS_ENUM)
#undef CW__NET_STATUS_ENUM
        CW_NET_STATUS_COUNT
} cw_net_status;

#define CW_NET_DETAIL_MAX 120

/*
 * What went wrong. code: the number of the layer below, 0 when there is none: a libuv error (< 0)
 * for IO, RESOLVE and CONNECT; an HTTP/2 error code (RFC 9113, section 7) for RESET, REFUSED,
 * PROTOCOL and FLOOD on HTTP/2; the HTTP status the server answers with for a bad HTTP/1.1 request;
 * an X509_V_ERR_* for CERTIFICATE. detail: text that says more, NUL-terminated, may be empty.
 */
typedef struct cw_net_error {
    cw_net_status status;
    int code;
    char detail[CW_NET_DETAIL_MAX];
} cw_net_error;

/* The text of a status, a constant string; "unknown status" for a number that is none. */
CW_API const char *cw_net_status_text(cw_net_status st);

/* The name of a status as in the source, "CW_NET_ERR_TLS"; a constant string. */
CW_API const char *cw_net_status_name(cw_net_status st);

/*
 * Fills *e (NULL: nothing happens) with status, code and a detail made like printf's (cut at the
 * end of its room); returns st.
 */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 4, 5)))
#endif
CW_API cw_net_status
cw_net_error_set(cw_net_error *e, cw_net_status st, int code, const char *format, ...);

/*
 * Writes "certificate not accepted: certificate has expired (10)" to buf, always NUL-terminated
 * when cap > 0. Returns the length of the whole text, as snprintf does.
 */
CW_API size_t cw_net_error_print(const cw_net_error *e, char *buf, size_t cap);

CW_END_DECLS
#endif
