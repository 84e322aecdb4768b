/* SPDX-License-Identifier: MIT */
/*
 * h2_frames.h: a hand-made HTTP/2 peer for one core (a record): writes frames of any kind, right or
 * wrong, and reads those of the core as text, one line for each:
 *
 *     SETTINGS 3=128 4=1048576        SETTINGS ACK
 *     HEADERS 1 END                   with CONTINUATION joined; then a line for each field:
 *       :status: 200
 *     DATA 1 5 END hello              content up to 40 bytes
 *     RST_STREAM 1 PROTOCOL_ERROR     PING cw-drain           PING ACK 12345678
 *     GOAWAY 1 NO_ERROR text          WINDOW_UPDATE 0 65535
 */
#ifndef CWIRE_TESTS_NET_H2_FRAMES_H
#define CWIRE_TESTS_NET_H2_FRAMES_H

#include <nghttp2/nghttp2.h>

#include "http2_internal.h"
#include "record.h"

/* Memory of nghttp2, counted. is_limited: `left` allocations more, then there is none. */
typedef struct frames_heap {
    size_t used, most;
    size_t left, refused;
    bool is_limited;
} frames_heap;
nghttp2_mem frames_heap_mem(frames_heap *h);

typedef struct frames {
    cw__buf out; /* not given to the core yet */
    cw__buf log;
    nghttp2_hd_deflater *deflater;
    nghttp2_hd_inflater *inflater;
    uint64_t now; /* the core's clock */
    bool is_client;
    record r; /* the core */
} frames;

/* A server core with these limits (0: defaults), and a client by hand whose preface is in `out`; or
 * a client core and a server whose SETTINGS are in `out`. */
void frames_open(frames *f, bool core_is_server, const cw_http_limits *limits);
/* nghttp2's memory comes from mem; f->r.core is NULL when there is none. */
void frames_open_with(frames *f, bool core_is_server, const cw_http_limits *limits,
                      nghttp2_mem *mem);
/* The same, and the first exchange is over: both SETTINGS are acknowledged. */
void frames_start(frames *f, bool core_is_server, const cw_http_limits *limits);
void frames_close(frames *f);

/* The clock of frames and of pairs of cores: `now` of the frames, whose record is ctx. */
uint64_t frames_now(void *ctx);

/* ---- writing ---- */
void frames_raw(frames *f, uint8_t type, uint8_t flags, int32_t stream, const void *payload,
                size_t len);
/* A list of (id, value), ended by id 0. */
void frames_settings(frames *f, const uint32_t *entries);
/* fields: name, value, ..., NULL. END_HEADERS is added. */
void frames_headers(frames *f, uint8_t flags, int32_t stream, const char *const *fields);
/* The usual fields of a request, for lists of fields. */
#define FRAMES_REQUEST ":method", "GET", ":scheme", "http", ":authority", "host", ":path", "/"
/* Only the header block of these fields, appended to `to`. */
void frames_block(frames *f, const char *const *fields, cw__buf *to);
/* A request with the usual fields; flags: END_STREAM or 0. */
void frames_request(frames *f, uint8_t flags, int32_t stream, const char *method, const char *path);
/* A GET with n more fields "x: yyy..." of `size` bytes each, as RFC 9113 counts. */
void frames_large_request(frames *f, uint8_t flags, int32_t stream, unsigned n, size_t size);
void frames_data(frames *f, uint8_t flags, int32_t stream, const void *data, size_t len);
void frames_rst(frames *f, int32_t stream, uint32_t code);
void frames_window(frames *f, int32_t stream, uint32_t increment);
void frames_ping(frames *f, uint8_t flags, const char opaque[8]);
void frames_goaway(frames *f, int32_t last, uint32_t code);

/* Gives `out` to the core. */
cw_net_status frames_feed(frames *f);

/* ---- reading ---- */
/* Drains the core; what it sends now, as text, valid until the next call. */
const char *frames_read(frames *f);
/* Feeds and reads; the feed must be OK. */
const char *frames_exchange(frames *f);

#endif
