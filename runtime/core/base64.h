/* SPDX-License-Identifier: MIT */
/*
 * Base64 (RFC 4648) as ProtoJSON uses it for bytes: printed with the standard alphabet and padding,
 * read in the standard and the URL-safe alphabet, with or without padding.
 */
#ifndef CWIRE_CORE_BASE64_H
#define CWIRE_CORE_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets *size to the length of `len` bytes in base64. False when that exceeds SIZE_MAX. */
bool cw__base64_encoded_size(size_t len, size_t *size);

/*
 * Writes `len` bytes in base64 (`+` and `/`, padded with `=`, no NUL) and returns the length, which
 * cw__base64_encoded_size() gives beforehand; `out` has exactly that room and does not overlap
 * `data`.
 */
size_t cw__base64_encode(char *out, const uint8_t *data, size_t len);

/* An upper bound for the bytes in `len` characters of base64, at most 2 above what they decode to.
 */
static inline size_t cw__base64_decoded_max(size_t len)
{
    return len / 4 * 3 + len % 4 / 2 + len % 4 / 3;
}

/*
 * Decodes the `len` characters at `s` into `out`, which has room for cw__base64_decoded_max(len)
 * bytes (`out` may be `s` itself: decoding in place is fine). *out_len is the number of bytes.
 *
 * Accepted: `+/` and `-_`, also mixed; complete padding or none; unused bits that are not zero (the
 * conformance suite wants "-_" read as FB). Everything else is false, with *bad the offset of the
 * first offending character: a foreign one (white space too), a `=` that is not the right padding,
 * or a last character that stands alone. Then `out` may hold bytes of the part before it.
 */
bool cw__base64_decode(uint8_t *out, size_t *out_len, const char *s, size_t len, size_t *bad);

#endif
