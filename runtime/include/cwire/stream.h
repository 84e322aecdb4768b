/* SPDX-License-Identifier: MIT */
/*
 * stream.h: streams of messages, each behind its length as a varint: the format that other
 * protobuf libraries call "delimited". For any message type, through its cw_type.
 */
#ifndef CWIRE_STREAM_H
#define CWIRE_STREAM_H

#include "cwire/type.h"

CW_BEGIN_DECLS

/* The longest message that cw_read_delimited takes when max_size is 0. */
#define CW_DELIMITED_MAX ((size_t)64 << 20)

/* Most bytes of a length prefix. */
#define CW_DELIMITED_PREFIX_MAX 5

/* Writes all n bytes; false: failed. */
typedef bool (*cw_write_fn)(void *ctx, const void *data, size_t n);

/* Reads at least 1 and at most n >= 1 bytes to buf and sets *got, or *got = 0 at the end of the
 * stream; false: failed. */
typedef bool (*cw_read_fn)(void *ctx, void *buf, size_t n, size_t *got);

/*
 * Writes one message with its length: two calls of `write`. The encoded bytes are made in `scratch`
 * and stay there until it is reset. Errors: the encoder's; CW_ERR_IO when `write` failed.
 */
CW_API cw_status cw_write_delimited(const cw_type *type, const void *m, cw_write_fn write,
                                    void *ctx, cw_arena *scratch, cw_error *e);

/*
 * Reads one message with its length to *m. At the end of the stream, where a message could begin,
 * *eof is true, the result CW_OK and *m initialised. The bytes go to the arena (with option `alias`
 * the message points to them) as they arrive: a length prefix alone makes nobody allocate. max_size
 * is the longest message accepted, 0: CW_DELIMITED_MAX. `read` is called for single bytes of the
 * prefix: it should be buffered, and nothing behind the message is read. Errors: the decoder's
 * (offset in the message); CW_ERR_IO when `read` failed; CW_ERR_TRUNCATED when the stream ends
 * inside a message; CW_ERR_VARINT, CW_ERR_LENGTH, CW_ERR_LIMIT for a bad or too large length.
 */
CW_API cw_status cw_read_delimited(const cw_type *type, void *m, cw_read_fn read, void *ctx,
                                   cw_arena *a, const cw_decode_options *o, size_t max_size,
                                   bool *eof, cw_error *e);

/* The length prefix for a message of `len` <= INT32_MAX bytes; returns its own length. */
CW_API size_t cw_delimited_prefix(uint8_t prefix[CW_DELIMITED_PREFIX_MAX], size_t len);

/*
 * The next message's bytes in a buffer of messages: takes prefix and bytes off the front of *rest
 * and sets *message to a view of the bytes. CW_ERR_TRUNCATED: no whole message is there (yet), also
 * when *rest is empty; CW_ERR_VARINT, CW_ERR_LENGTH: the prefix is wrong. *rest is then unchanged.
 */
CW_API cw_status cw_delimited_next(cw_bytes *rest, cw_bytes *message);

CW_END_DECLS
#endif
