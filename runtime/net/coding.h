/* SPDX-License-Identifier: MIT */
/* coding.h (internal): content codings (RFC 9110, 8.4; gzip RFC 1952, br RFC 7932). */
#ifndef CWIRE_NET_CODING_H
#define CWIRE_NET_CODING_H

#include "buffer.h"
#include "cwire/net/http.h"

/* The value of Accept-Encoding for a set of codings, "br, gzip"; NULL for none. A constant text. */
const char *cw__coding_accept(unsigned codings);

/* "gzip", "br"; NULL for 0. */
const char *cw__coding_name(unsigned coding);

/*
 * The coding for a response: the best of `offered` that the fields' Accept-Encoding takes (RFC
 * 9110, 12.5.3: q-values, "*", q=0, several field lines, x-gzip); 0: identity, which is sent even
 * where that is ruled out (a 406 would help nobody).
 */
unsigned cw__coding_choose(cw_http_fields request, unsigned offered);

/*
 * Which coding the fields' Content-Encoding names (absent, "identity": 0; "x-gzip" is gzip). Not OK
 * (ERR_CODING): one that is not known, or more than one applied.
 */
cw_net_status cw__coding_of(cw_http_fields fields, unsigned *coding, cw_net_error *e);

/* Streams kept from body to body: an encoder or decoder costs more to set up than to use on small
 * bodies. One user at a time; a call that streams takes one of its own. Zeroed is empty. */
typedef struct cw__coder cw__coder;

/* Encoder for this coding (level: gzip_level or br_quality) or decoder (max_expansion, not 0, as in
 * cw_http_limits). NULL: no memory. */
cw__coder *cw__encoder_open(unsigned coding, int level);
cw__coder *cw__decoder_open(unsigned coding, size_t max_expansion);
void cw__coder_free(cw__coder *c);
/* Ready for the next body. */
bool cw__coder_reset(cw__coder *c);

/*
 * Appends what `in` becomes; last: the body ends with it. A piece that is not the last is flushed,
 * so that the peer can decode all of it (some 5 bytes a piece). Encoders only fail without memory.
 */
cw_net_status cw__encode(cw__coder *c, cw_bytes in, bool last, cw__buf *out, cw_net_error *e);

/*
 * Appends what `in` becomes, `room` bytes at most, and beyond 256 KiB at most max_expansion for
 * each byte that went in since the body's first: else CW_NET_ERR_BODY_LIMIT, without having decoded
 * much more.
 * ERR_CODING: corrupt, or bytes after the end. last: it must be complete now. Several gzip members
 * in a row are one body (RFC 1952, 2.2); bytes of length 0 in all are an empty body.
 */
cw_net_status cw__decode(cw__coder *c, cw_bytes in, bool last, size_t room, cw__buf *out,
                         cw_net_error *e);

#endif
