/* SPDX-License-Identifier: MIT */
#include "h2_frames.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { HEADER = 9, SHOWN_DATA = 40, MAX_FIELDS = 4096 };

static void need(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "h2_frames: %s\n", what);
        abort();
    }
}

uint64_t frames_now(void *ctx)
{
    const frames *f = ((record *)ctx)->user;
    return f->now;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static void put32(uint8_t *to, uint32_t n)
{
    to[0] = (uint8_t)(n >> 24);
    to[1] = (uint8_t)(n >> 16);
    to[2] = (uint8_t)(n >> 8);
    to[3] = (uint8_t)n;
}

static uint32_t get32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

void frames_raw(frames *f, uint8_t type, uint8_t flags, int32_t stream, const void *payload,
                size_t len)
{
    uint8_t header[HEADER] = {(uint8_t)(len >> 16), (uint8_t)(len >> 8), (uint8_t)len, type, flags};
    put32(header + 5, (uint32_t)stream);
    need(cw__buf_append(&f->out, header, sizeof header) && cw__buf_append(&f->out, payload, len),
         "memory");
}

void frames_settings(frames *f, const uint32_t *entries)
{
    uint8_t payload[6 * 64];
    size_t len = 0;
    for (; entries[0] != 0; entries += 2, len += 6) {
        need(len < sizeof payload, "too many settings");
        payload[len] = (uint8_t)(entries[0] >> 8);
        payload[len + 1] = (uint8_t)entries[0];
        put32(payload + len + 2, entries[1]);
    }
    frames_raw(f, NGHTTP2_SETTINGS, 0, 0, payload, len);
}

void frames_block(frames *f, const char *const *fields, cw__buf *to)
{
    static nghttp2_nv nv[MAX_FIELDS];
    size_t n = 0;
    for (; fields[2 * n] != NULL; n++) {
        need(n < MAX_FIELDS, "too many fields");
        nv[n] = (nghttp2_nv){.name = (uint8_t *)(uintptr_t)fields[2 * n],
                             .value = (uint8_t *)(uintptr_t)fields[2 * n + 1],
                             .namelen = strlen(fields[2 * n]),
                             .valuelen = strlen(fields[2 * n + 1])};
    }
    size_t bound = nghttp2_hd_deflate_bound(f->deflater, nv, n);
    uint8_t *at = cw__buf_reserve(to, bound);
    need(at != NULL, "memory");
    ssize_t len = nghttp2_hd_deflate_hd(f->deflater, at, bound, nv, n);
    need(len >= 0, "deflate");
    cw__buf_added(to, (size_t)len);
}

void frames_headers(frames *f, uint8_t flags, int32_t stream, const char *const *fields)
{
    cw__buf block = {.data = NULL};
    frames_block(f, fields, &block);
    frames_raw(f, NGHTTP2_HEADERS, flags | NGHTTP2_FLAG_END_HEADERS, stream, block.data,
               cw__buf_len(&block));
    cw__buf_free(&block);
}

void frames_request(frames *f, uint8_t flags, int32_t stream, const char *method, const char *path)
{
    const char *const fields[] = {":method", method,  ":scheme", "http", ":authority",
                                  "host",    ":path", path,      NULL};
    frames_headers(f, flags, stream, fields);
}

void frames_large_request(frames *f, uint8_t flags, int32_t stream, unsigned n, size_t size)
{
    static const char *fields[2100];
    static char value[65536];
    static const char *const usual[] = {FRAMES_REQUEST};
    memcpy(fields, usual, sizeof usual);
    memset(value, 'y', sizeof value);
    value[size - 33] = '\0';
    size_t i = 8;
    for (; n > 0; n--) {
        fields[i++] = "x";
        fields[i++] = value;
    }
    fields[i] = NULL;
    frames_headers(f, flags, stream, fields);
}

void frames_data(frames *f, uint8_t flags, int32_t stream, const void *data, size_t len)
{
    frames_raw(f, NGHTTP2_DATA, flags, stream, data, len);
}

static void number_frame(frames *f, uint8_t type, int32_t stream, uint32_t n)
{
    uint8_t payload[4];
    put32(payload, n);
    frames_raw(f, type, 0, stream, payload, sizeof payload);
}

void frames_rst(frames *f, int32_t stream, uint32_t code)
{
    number_frame(f, NGHTTP2_RST_STREAM, stream, code);
}

void frames_window(frames *f, int32_t stream, uint32_t increment)
{
    number_frame(f, NGHTTP2_WINDOW_UPDATE, stream, increment);
}

void frames_ping(frames *f, uint8_t flags, const char opaque[8])
{
    frames_raw(f, NGHTTP2_PING, flags, 0, opaque, 8);
}

void frames_goaway(frames *f, int32_t last, uint32_t code)
{
    uint8_t payload[8];
    put32(payload, (uint32_t)last);
    put32(payload + 4, code);
    frames_raw(f, NGHTTP2_GOAWAY, 0, 0, payload, sizeof payload);
}

cw_net_status frames_feed(frames *f)
{
    cw__buf out = f->out;
    f->out = (cw__buf){.data = NULL};
    cw_net_status st = record_feed(&f->r, out.data, cw__buf_len(&out));
    cw__buf_free(&out);
    return st;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 2, 3)))
#endif
static void
print(frames *f, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    need(n >= 0 && (size_t)n < sizeof text && cw__buf_append(&f->log, text, (size_t)n), "print");
}

static void print_text(frames *f, const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (data[i] < 0x20 || data[i] > 0x7e) {
            print(f, "\\x%02x", data[i]);
        } else {
            print(f, "%c", data[i]);
        }
    }
}

static void print_block(frames *f, const uint8_t *block, size_t len)
{
    for (;;) {
        nghttp2_nv nv;
        int flags = 0;
        ssize_t n = nghttp2_hd_inflate_hd2(f->inflater, &nv, &flags, block, len, 1);
        need(n >= 0, "the core's header block is wrong");
        block += n;
        len -= (size_t)n;
        if ((flags & NGHTTP2_HD_INFLATE_EMIT) != 0) {
            print(f, "  %.*s: %.*s\n", (int)nv.namelen, (const char *)nv.name, (int)nv.valuelen,
                  (const char *)nv.value);
        }
        if ((flags & NGHTTP2_HD_INFLATE_FINAL) != 0) {
            nghttp2_hd_inflate_end_headers(f->inflater);
            return;
        }
    }
}

static void print_settings(frames *f, uint8_t flags, const uint8_t *at, size_t len)
{
    print(f, "SETTINGS%s", (flags & NGHTTP2_FLAG_ACK) != 0 ? " ACK" : "");
    for (size_t i = 0; i + 6 <= len; i += 6) {
        print(f, " %u=%" PRIu32, (unsigned)(at[i] << 8 | at[i + 1]), get32(at + i + 2));
    }
    print(f, "\n");
}

static void print_data(frames *f, uint8_t flags, uint32_t stream, const uint8_t *at, size_t len)
{
    print(f, "DATA %" PRIu32 " %zu%s%s", stream, len,
          (flags & NGHTTP2_FLAG_END_STREAM) != 0 ? " END" : "",
          len > 0 && len <= SHOWN_DATA ? " " : "");
    if (len <= SHOWN_DATA) {
        print_text(f, at, len);
    }
    print(f, "\n");
}

/* HEADERS and the CONTINUATION frames after it; returns how many bytes of these there are. */
static size_t print_headers(frames *f, uint8_t flags, uint32_t stream, const uint8_t *at,
                            size_t len, size_t rest)
{
    cw__buf block = {.data = NULL};
    size_t more = 0;
    need(cw__buf_append(&block, at, len), "memory");
    print(f, "HEADERS %" PRIu32 "%s\n", stream,
          (flags & NGHTTP2_FLAG_END_STREAM) != 0 ? " END" : "");
    for (at += len; (flags & NGHTTP2_FLAG_END_HEADERS) == 0; at += HEADER + len) {
        need(rest >= HEADER && at[3] == NGHTTP2_CONTINUATION, "CONTINUATION expected");
        len = (size_t)at[0] << 16 | (size_t)at[1] << 8 | at[2];
        need(rest >= HEADER + len && cw__buf_append(&block, at + HEADER, len), "CONTINUATION");
        flags = at[4];
        more += HEADER + len;
        rest -= HEADER + len;
    }
    print_block(f, block.data, cw__buf_len(&block));
    cw__buf_free(&block);
    return more;
}

static void print_other(frames *f, uint8_t type, uint8_t flags, uint32_t stream, const uint8_t *at,
                        size_t len)
{
    switch (type) {
    case NGHTTP2_SETTINGS:
        print_settings(f, flags, at, len);
        break;
    case NGHTTP2_DATA:
        print_data(f, flags, stream, at, len);
        break;
    case NGHTTP2_RST_STREAM:
        print(f, "RST_STREAM %" PRIu32 " %s\n", stream, nghttp2_http2_strerror(get32(at)));
        break;
    case NGHTTP2_PING:
        print(f, "PING %s", (flags & NGHTTP2_FLAG_ACK) != 0 ? "ACK " : "");
        print_text(f, at, len);
        print(f, "\n");
        break;
    case NGHTTP2_GOAWAY:
        print(f, "GOAWAY %" PRIu32 " %s%s", get32(at), nghttp2_http2_strerror(get32(at + 4)),
              len > 8 ? " " : "");
        print_text(f, at + 8, len - 8);
        print(f, "\n");
        break;
    case NGHTTP2_WINDOW_UPDATE:
        print(f, "WINDOW_UPDATE %" PRIu32 " %" PRIu32 "\n", stream, get32(at));
        break;
    default:
        print(f, "FRAME %u %" PRIu32 " %zu\n", (unsigned)type, stream, len);
        break;
    }
}

static size_t skip_preface(frames *f, const uint8_t *at, size_t len)
{
    if (len < CW__HTTP2_PREFACE_LEN || memcmp(at, CW__HTTP2_PREFACE, CW__HTTP2_PREFACE_LEN) != 0) {
        return 0;
    }
    print(f, "PREFACE\n");
    return CW__HTTP2_PREFACE_LEN;
}

const char *frames_read(frames *f)
{
    cw__buf_clear(&f->log);
    (void)record_drain(&f->r);
    cw_bytes in = cw__buf_bytes(&f->r.sent);
    size_t i = skip_preface(f, in.data, in.len);
    while (i < in.len) {
        const uint8_t *at = in.data + i;
        need(in.len - i >= HEADER, "a frame is cut");
        size_t len = (size_t)at[0] << 16 | (size_t)at[1] << 8 | at[2];
        uint32_t stream = get32(at + 5) & INT32_MAX;
        need(in.len - i >= HEADER + len, "a frame is cut");
        i += HEADER + len;
        if (at[3] == NGHTTP2_HEADERS) {
            i += print_headers(f, at[4], stream, at + HEADER, len, in.len - i);
        } else {
            print_other(f, at[3], at[4], stream, at + HEADER, len);
        }
    }
    cw__buf_clear(&f->r.sent);
    print(f, "%c", '\0');
    return (const char *)f->log.data + f->log.start;
}

const char *frames_exchange(frames *f)
{
    need(frames_feed(f) == CW_NET_OK, "the core failed");
    return frames_read(f);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static bool heap_refuses(frames_heap *h)
{
    if (h->is_limited && h->left == 0) {
        h->refused++;
        return true;
    }
    h->left -= h->is_limited;
    return false;
}

static void *heap_realloc(void *old, size_t size, void *user)
{
    frames_heap *h = user;
    size_t *block = old != NULL ? (size_t *)old - 2 : NULL;
    size_t had = block != NULL ? block[0] : 0;
    if (heap_refuses(h)) {
        return NULL;
    }
    block = realloc(block, size + 2 * sizeof *block);
    need(block != NULL, "memory");
    block[0] = size;
    h->used += size - had;
    h->most = h->used > h->most ? h->used : h->most;
    return block + 2;
}

static void *heap_malloc(size_t size, void *user)
{
    return heap_realloc(NULL, size, user);
}

static void *heap_calloc(size_t n, size_t size, void *user)
{
    void *p = heap_realloc(NULL, n * size, user);
    return p != NULL ? memset(p, 0, n * size) : NULL;
}

static void heap_free(void *p, void *user)
{
    frames_heap *h = user;
    if (p != NULL) {
        size_t *block = (size_t *)p - 2;
        h->used -= block[0];
        free(block);
    }
}

nghttp2_mem frames_heap_mem(frames_heap *h)
{
    return (nghttp2_mem){h, heap_malloc, heap_free, heap_calloc, heap_realloc};
}

/* ---- life -------------------------------------------------------------------------------------
 */

void frames_open(frames *f, bool core_is_server, const cw_http_limits *limits)
{
    frames_open_with(f, core_is_server, limits, NULL);
    need(f->r.core != NULL, "memory");
}

void frames_open_with(frames *f, bool core_is_server, const cw_http_limits *limits,
                      nghttp2_mem *mem)
{
    const cw_http_limits l = cw_http_limits_of(limits);
    *f = (frames){.now = 1000000, .is_client = core_is_server};
    need(nghttp2_hd_deflate_new(&f->deflater, 4096) == 0 &&
             nghttp2_hd_inflate_new(&f->inflater) == 0,
         "memory");
    f->r.user = f;
    f->r.core =
        cw__http2_open_with(core_is_server, SIZE_MAX, &l, frames_now, &record_events, &f->r, mem);
    if (core_is_server) {
        need(cw__buf_append(&f->out, CW__HTTP2_PREFACE, CW__HTTP2_PREFACE_LEN), "memory");
    }
    frames_settings(f, (const uint32_t[]){0});
}

void frames_start(frames *f, bool core_is_server, const cw_http_limits *limits)
{
    frames_open(f, core_is_server, limits);
    frames_raw(f, NGHTTP2_SETTINGS, NGHTTP2_FLAG_ACK, 0, NULL, 0);
    (void)frames_read(f); /* SETTINGS and window come first, or the ACK would be unexpected */
    (void)frames_exchange(f);
    record_clear(&f->r);
}

void frames_close(frames *f)
{
    record_free(&f->r);
    nghttp2_hd_deflate_del(f->deflater);
    nghttp2_hd_inflate_del(f->inflater);
    cw__buf_free(&f->out);
    cw__buf_free(&f->log);
}
