/* SPDX-License-Identifier: MIT */
/* stream.c: messages behind their length. */
#include "cwire/stream.h"

/* The first piece of a message of announced length that room is made for. */
#define FIRST_PIECE ((size_t)4096)

/* State of one cw_read_delimited call. */
typedef struct source {
    cw_read_fn read;
    void *ctx;
} source;

static cw_status fail(cw_error *e, const cw_type *type, cw_status st, size_t offset,
                      const char *detail)
{
    cw__error_clear(e);
    cw__error_set(e, st, offset, detail);
    cw__error_root(e, type->full_name);
    return st;
}

size_t cw_delimited_prefix(uint8_t prefix[CW_DELIMITED_PREFIX_MAX], size_t len)
{
    size_t n = 0;
    for (; len >= 0x80; len >>= 7) {
        prefix[n++] = (uint8_t)(len | 0x80);
    }
    prefix[n++] = (uint8_t)len;
    return n;
}

cw_status cw_delimited_next(cw_bytes *rest, cw_bytes *message)
{
    uint64_t len = 0;
    for (size_t i = 0; i < 10; i++) {
        if (i == rest->len) {
            return CW_ERR_TRUNCATED;
        }
        len |= (uint64_t)(rest->data[i] & 0x7f) << (7 * i);
        if (rest->data[i] < 0x80) {
            if (len > INT32_MAX) {
                return CW_ERR_LENGTH;
            }
            if (len > rest->len - i - 1) {
                return CW_ERR_TRUNCATED;
            }
            *message = cw_bytes_of(rest->data + i + 1, (size_t)len);
            *rest = cw_bytes_of(message->data + len, rest->len - i - 1 - (size_t)len);
            return CW_OK;
        }
    }
    return CW_ERR_VARINT;
}

cw_status cw_write_delimited(const cw_type *type, const void *m, cw_write_fn write, void *ctx,
                             cw_arena *scratch, cw_error *e)
{
    cw_bytes bytes;
    cw_status st = type->encode_arena(m, scratch, &bytes, e);
    if (st != CW_OK) {
        return st;
    }
    uint8_t prefix[CW_DELIMITED_PREFIX_MAX];
    size_t n = cw_delimited_prefix(prefix, bytes.len);
    if (!write(ctx, prefix, n) || (bytes.len > 0 && !write(ctx, bytes.data, bytes.len))) {
        return fail(e, type, CW_ERR_IO, SIZE_MAX, NULL);
    }
    return CW_OK;
}

/* The length prefix; *eof when the stream ends before it. Sets no error details. */
static cw_status read_prefix(const source *s, uint64_t *len, bool *eof)
{
    *len = 0;
    for (size_t i = 0; i < 10; i++) {
        uint8_t byte = 0;
        size_t got = 0;
        if (!s->read(s->ctx, &byte, 1, &got)) {
            return CW_ERR_IO;
        }
        if (got == 0) {
            *eof = i == 0;
            return i == 0 ? CW_OK : CW_ERR_TRUNCATED;
        }
        *len |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            return *len > INT32_MAX ? CW_ERR_LENGTH : CW_OK;
        }
    }
    return CW_ERR_VARINT;
}

/* The message's n bytes to the arena, the room doubling as they arrive. */
static cw_status read_bytes(const source *s, cw_arena *a, size_t n, cw_bytes *out)
{
    uint8_t *data = NULL;
    size_t len = 0, cap = 0;
    while (len < n) {
        if (len == cap) {
            size_t add = cap > 0 ? cap : FIRST_PIECE;
            uint8_t *larger = cw__list_grow(a, data, len, &cap, 1, add < n - len ? add : n - len);
            if (!larger) {
                return a->failure;
            }
            data = larger;
        }
        size_t want = (cap < n ? cap : n) - len, got = 0;
        if (!s->read(s->ctx, data + len, want, &got) || got > want) {
            return CW_ERR_IO;
        }
        if (got == 0) {
            return CW_ERR_TRUNCATED;
        }
        len += got;
    }
    *out = cw_bytes_of(data, n);
    return CW_OK;
}

cw_status cw_read_delimited(const cw_type *type, void *m, cw_read_fn read, void *ctx, cw_arena *a,
                            const cw_decode_options *o, size_t max_size, bool *eof, cw_error *e)
{
    source s = {read, ctx};
    uint64_t len;
    cw_bytes bytes = {NULL, 0};
    *eof = false;
    type->init(m);
    cw_status st = read_prefix(&s, &len, eof);
    if (st == CW_OK && *eof) {
        return CW_OK;
    }
    if (st == CW_OK && len > (max_size > 0 ? max_size : CW_DELIMITED_MAX)) {
        return fail(e, type, CW_ERR_LIMIT, SIZE_MAX, "message larger than max_size");
    }
    if (st == CW_OK) {
        st = read_bytes(&s, a, (size_t)len, &bytes);
    }
    if (st != CW_OK) {
        return fail(e, type, st, SIZE_MAX, NULL);
    }
    return type->decode(m, bytes.data, bytes.len, a, o, e);
}
