/* SPDX-License-Identifier: MIT */
/*
 * net/http.h: what server and client have in common: heads, fields, limits, counters.
 *
 * HTTP semantics are those of RFC 9110; HTTP/1.1 is RFC 9112, HTTP/2 is RFC 9113. Both look the
 * same from here: field names are in lower case, there are no hop-by-hop fields, and the host is
 * `authority`.
 *
 * Threads: a server or client belongs to one uv_loop_t and is used from that loop's thread only.
 * Nothing is shared between two of them except a cw_tls, which may be. Opening one blocks SIGPIPE
 * in that thread, since a peer may reset a connection while it is written to.
 */
#ifndef CWIRE_NET_HTTP_H
#define CWIRE_NET_HTTP_H

#include "cwire/net/status.h"
#include "cwire/str.h"

CW_BEGIN_DECLS

typedef enum cw_http_version {
    CW_HTTP_ANY = 0, /* to be chosen: by ALPN over TLS, HTTP/1.1 without */
    CW_HTTP_1_0 = 10,
    CW_HTTP_1_1 = 11,
    CW_HTTP_2 = 20
} cw_http_version;

/* One header or trailer field. Names are in lower case when received. */
typedef struct cw_http_field {
    cw_str name;
    cw_str value;
} cw_http_field;

/* {0} is no fields. */
typedef struct cw_http_fields {
    const cw_http_field *data;
    size_t len;
} cw_http_fields;

/*
 * The head of a received message. A request has method, scheme, authority ("example.org:8080"; the
 * Host field, which is not repeated in fields) and path (with the query, "*" for OPTIONS *); a
 * response has status. Connection-specific fields (connection, keep-alive, proxy-connection,
 * transfer-encoding, upgrade, te) are not shown.
 */
typedef struct cw_http_head {
    cw_http_version version;
    unsigned status;
    cw_str method, scheme, authority, path;
    cw_http_fields fields;
} cw_http_head;

/* The value of the first field of this name (in lower case); {NULL, 0} when there is none. */
CW_API cw_str cw_http_find(cw_http_fields fields, const char *name);

/*
 * What a peer may cost. 0 in any member is the default beside it. A peer that goes beyond gets the
 * answer that its version of HTTP knows (431, 413, 408, RST_STREAM, GOAWAY) and is cut off.
 *
 * What one connection can make a server hold is the product of some: max_running bodies of
 * max_decoded over HTTP/2, one over HTTP/1.1, and as many responses as max_streams. A streamed call
 * holds no body, but a decoder where it is coded (br: its window, up to 16 MiB).
 */
typedef struct cw_http_limits {
    size_t max_header_bytes;    /* of one header section, name + value + 32 for each field as HTTP/2
                                   counts (RFC 9113, 6.5.2); request line included: 16 KiB */
    size_t max_header_fields;   /* in one section: 100 */
    size_t max_body;            /* bytes of a body on the wire that is collected: 16 MiB */
    size_t max_decoded;         /* bytes of a body after its content coding is undone: 64 MiB */
    size_t max_expansion;       /* of those, beyond 256 KiB, for each byte on the wire: 1032, gzip's
                                   utmost (br could make 60 MB of 53 bytes) */
    size_t max_connections;     /* of a server: 16384; one more is closed at once */
    size_t max_streams;         /* HTTP/2: concurrent requests of a connection: 128 */
    size_t max_running;         /* calls of one connection that the handler has not answered yet,
                                   those whose client has reset them included: 256 */
    size_t max_resets;          /* HTTP/2: burst of streams reset by the peer, or by us because of
                                   what the peer sent: 1000 */
    size_t resets_per_second;   /* refill of that burst: 33 */
    size_t max_empty_frames;    /* HTTP/2: frames in a row that bring nothing (empty DATA, SETTINGS,
                                   PING, PRIORITY, ...): 1000 */
    uint32_t stream_window;     /* HTTP/2 flow control, bytes in flight to us for a stream: 1 MiB */
    uint32_t connection_window; /* and for a connection: 4 MiB */
    unsigned header_timeout_ms; /* from the first byte (connect, for the TLS handshake) until the
                                   head is complete: 10,000 */
    unsigned body_timeout_ms;   /* without a byte of an expected body, or without one of ours
                                   taken by the peer (acknowledged, on Linux): 30,000 */
    unsigned idle_timeout_ms;   /* with no request: 60,000 */
    unsigned drain_timeout_ms;  /* a shutdown waits so long for requests in work: 10,000 */
} cw_http_limits;

/* The limits with every 0 replaced by its default; NULL gives the defaults. */
CW_API cw_http_limits cw_http_limits_of(const cw_http_limits *limits);

/* Content codings, as a set. identity is always there. */
enum { CW_HTTP_GZIP = 1, CW_HTTP_BR = 2 };

/*
 * Content-Encoding (RFC 9110, 8.4). Bodies that arrive coded are always decoded (and counted
 * against max_decoded), while the fields stay what they were: content-encoding, and content-length,
 * speak of the coded body. These options say what is sent. A response is coded when the request's
 * Accept-Encoding takes one of `codings` (higher q wins, br before gzip at the same q); a request
 * is coded with `request_coding`, since nothing is known of the server then.
 */
typedef struct cw_http_coding_options {
    unsigned codings;        /* server: offered; client: named in Accept-Encoding. 0: none */
    unsigned request_coding; /* client: CW_HTTP_GZIP or CW_HTTP_BR, 0: identity */
    int gzip_level;          /* 1 to 9; 0: 6 */
    int br_quality;          /* 1 to 11; 0: 4 */
    size_t min_size;         /* a smaller body is sent as it is; 0: 1024 bytes */
} cw_http_coding_options;

/*
 * What a server or client has done so far. Bytes are counted at the socket (TLS records included).
 * The tcp_ members come from the kernel (TCP_INFO), closed connections included; 0 where the
 * kernel has none.
 */
typedef struct cw_net_counters {
    uint64_t connections;        /* accepted, or connected */
    uint64_t connections_failed; /* refused by limits, or that could not be made */
    uint64_t connections_open;   /* now */
    uint64_t handshakes_full, handshakes_resumed, handshakes_failed; /* TLS */
    uint64_t requests;      /* server: heads received; client: sent or queued */
    uint64_t answered;      /* complete responses: sent by a server, received by a client */
    uint64_t failed;        /* requests that ended in any other way, each of them counted here */
    uint64_t bad_requests;  /* server: errors that on_error has told, but for connections_failed: of
                               connections, and of requests that no callback had shown (those of
                               them whose head had come are in failed, too) */
    uint64_t reads, writes; /* system calls that moved bytes */
    uint64_t bytes_in, bytes_out;
    uint64_t tcp_bytes_in, tcp_bytes_out; /* payload of segments, retransmitted ones included */
    uint64_t tcp_segments_in, tcp_segments_out, tcp_retransmits;
} cw_net_counters;

CW_END_DECLS
#endif
