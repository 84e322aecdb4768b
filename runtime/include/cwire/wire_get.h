/* SPDX-License-Identifier: MIT */
/*
 * wire_get.h: decoding, one value at a time. Included by wire.h, which has the rules.
 *
 * Inline because a generated message calls one function a field; what is long or rare is out of
 * line.
 */
#ifndef CWIRE_WIRE_GET_H
#define CWIRE_WIRE_GET_H

#include "cwire/arena.h"
#include "cwire/status.h"
#include "cwire/str.h"
#include "cwire/wire_put.h"

CW_BEGIN_DECLS

/* All zero is the default. */
typedef struct cw_decode_options {
    bool alias;         /* strings and bytes point into the input instead of being copied */
    bool allow_partial; /* missing required fields are no error */
    unsigned depth;     /* most open messages below the top; 0: CW_DEPTH_DEFAULT */
    size_t max_memory;  /* most bytes drawn from the arena; 0: 64 MiB + 64 x input length; SIZE_MAX:
                           any */
} cw_decode_options;

/* State of one decode call. */
typedef struct cw__decoder {
    const uint8_t *begin;
    const uint8_t *end; /* of the whole input */
    cw_arena *arena;
    cw_error *error;
    cw_status status;
    bool alias;
    bool allow_partial;
    bool maps_unsorted; /* a map that had entries before was added to out of order: sort at the end
                         */
    const void *group;  /* the innermost open group's message, see message.h; NULL: none */
    uint32_t group_number; /* its field number */
} cw__decoder;

/*
 * Starts a decode call: opens the arena's budget; returns the depth to pass on. o and e may be
 * NULL, data too when len is 0: read from d->begin, which is never NULL.
 */
CW_API int cw__decode_begin(cw__decoder *d, const void *data, size_t len, cw_arena *a,
                            const cw_decode_options *o, cw_error *e);
/* Ends it: closes the budget; on failure roots the error's path at full_name. Returns d->status. */
CW_API cw_status cw__decode_end(cw__decoder *d, const char *full_name);

/* First failure at input position `at`; returns NULL. */
CW_API CW_COLD const uint8_t *cw__get_fail(cw__decoder *d, cw_status st, const uint8_t *at,
                                           const char *detail);
/* The same with the reason that the arena's last allocation failed (memory or limit). */
CW_API CW_COLD const uint8_t *cw__get_fail_memory(cw__decoder *d, const uint8_t *at);
/* A member failed: `.name[index]` goes in front of the path (index SIZE_MAX: none); returns NULL.
 */
CW_API CW_COLD const uint8_t *cw__get_fail_at(cw__decoder *d, const char *name, size_t index);

CW_API const uint8_t *cw__get_varint_slow(cw__decoder *d, const uint8_t *p, uint64_t *v);

/*
 * A varint at p; `end` is the end of the message. More than one byte is read up to the input's end
 * even when that runs past `end`: the message's loop finds p != end. NULL: failed.
 */
CW_ALWAYS_INLINE const uint8_t *cw__get_varint(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                               uint64_t *v)
{
    if (CW_LIKELY(p < end && *p < 0x80)) {
        *v = *p;
        return p + 1;
    }
    if (end - p >= 2 && p[1] < 0x80) {
        *v = (uint64_t)(p[0] & 0x7f) | (uint64_t)p[1] << 7;
        return p + 2;
    }
    if (CW_LIKELY(d->end - p >= 8)) {
        uint64_t x = cw__load64(p);
        uint64_t stop = ~x & 0x8080808080808080u;
        if (CW_LIKELY(stop != 0)) {
            size_t n = (size_t)CW__CTZ64(stop) / 8 + 1;
            *v = cw__gather7(x & (stop ^ (stop - 1)));
            return p + n;
        }
    }
    uint64_t other = 0; /* as in cw__get_tag */
    p = cw__get_varint_slow(d, p, &other);
    *v = other;
    return p;
}

/* A tag of two and more bytes (or an overlong one, at most 5 bytes), p at its first byte. Checks
 * number, range and wire type (at most 5). */
CW_API const uint8_t *cw__get_tag_slow(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                       uint32_t *tag);

/* Reads a tag; p < end. The value is number << 3 | wire type, not yet checked when it is one byte.
 */
CW_ALWAYS_INLINE const uint8_t *cw__get_tag(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                            uint32_t *tag)
{
    uint32_t t = *p;
    if (CW_LIKELY(t < 0x80)) {
        *tag = t;
        return p + 1;
    }
    if (CW_LIKELY(end - p >= 2 && p[1] < 0x80)) {
        *tag = (t & 0x7f) | (uint32_t)p[1] << 7;
        return p + 2;
    }
    uint32_t other = 0; /* only its address gets away: *tag can stay in a register */
    p = cw__get_tag_slow(d, p, end, &other);
    *tag = other;
    return p;
}

CW_API const uint8_t *cw__get_len_slow(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                       size_t *n);

/* A length prefix; on success [p, p + n) is inside the message. */
CW_ALWAYS_INLINE const uint8_t *cw__get_len(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                            size_t *n)
{
    if (CW_LIKELY(p < end && *p < 0x80 && *p < end - p)) {
        *n = *p;
        return p + 1;
    }
    size_t other = 0; /* as in cw__get_tag */
    p = cw__get_len_slow(d, p, end, &other);
    *n = other;
    return p;
}

CW_ALWAYS_INLINE const uint8_t *cw__get_uint32(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                               uint32_t *v)
{
    uint64_t x = 0;
    p = cw__get_varint(d, p, end, &x);
    *v = (uint32_t)x;
    return p;
}
CW_ALWAYS_INLINE const uint8_t *cw__get_uint64(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                               uint64_t *v)
{
    uint64_t x = 0;
    p = cw__get_varint(d, p, end, &x);
    *v = x;
    return p;
}
CW_ALWAYS_INLINE const uint8_t *cw__get_int32(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                              int32_t *v)
{
    uint64_t x = 0;
    p = cw__get_varint(d, p, end, &x);
    *v = (int32_t)(uint32_t)x;
    return p;
}
CW_ALWAYS_INLINE const uint8_t *cw__get_int64(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                              int64_t *v)
{
    uint64_t x = 0;
    p = cw__get_varint(d, p, end, &x);
    *v = (int64_t)x;
    return p;
}
/* An open enum's value; a closed one's is looked at by the generated code. */
CW_ALWAYS_INLINE const uint8_t *cw__get_enum(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                             int32_t *v)
{
    return cw__get_int32(d, p, end, v);
}
CW_ALWAYS_INLINE const uint8_t *cw__get_sint32(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                               int32_t *v)
{
    uint64_t x = 0;
    p = cw__get_varint(d, p, end, &x);
    *v = cw__unzigzag32((uint32_t)x);
    return p;
}
CW_ALWAYS_INLINE const uint8_t *cw__get_sint64(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                               int64_t *v)
{
    uint64_t x = 0;
    p = cw__get_varint(d, p, end, &x);
    *v = cw__unzigzag64(x);
    return p;
}
CW_ALWAYS_INLINE const uint8_t *cw__get_bool(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                             bool *v)
{
    uint64_t x = 0;
    p = cw__get_varint(d, p, end, &x);
    *v = x != 0;
    return p;
}
CW_ALWAYS_INLINE const uint8_t *cw__get_fixed32(cw__decoder *d, const uint8_t *p,
                                                const uint8_t *end, uint32_t *v)
{
    if (CW_UNLIKELY(end - p < 4)) {
        return cw__get_fail(d, CW_ERR_TRUNCATED, p, NULL);
    }
    *v = cw__load32(p);
    return p + 4;
}
CW_ALWAYS_INLINE const uint8_t *cw__get_fixed64(cw__decoder *d, const uint8_t *p,
                                                const uint8_t *end, uint64_t *v)
{
    if (CW_UNLIKELY(end - p < 8)) {
        return cw__get_fail(d, CW_ERR_TRUNCATED, p, NULL);
    }
    *v = cw__load64(p);
    return p + 8;
}
CW_ALWAYS_INLINE const uint8_t *cw__get_sfixed32(cw__decoder *d, const uint8_t *p,
                                                 const uint8_t *end, int32_t *v)
{
    uint32_t x = 0;
    p = cw__get_fixed32(d, p, end, &x);
    *v = (int32_t)x;
    return p;
}
CW_ALWAYS_INLINE const uint8_t *cw__get_sfixed64(cw__decoder *d, const uint8_t *p,
                                                 const uint8_t *end, int64_t *v)
{
    uint64_t x = 0;
    p = cw__get_fixed64(d, p, end, &x);
    *v = (int64_t)x;
    return p;
}
CW_ALWAYS_INLINE const uint8_t *cw__get_float(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                              float *v)
{
    uint32_t x = 0;
    p = cw__get_fixed32(d, p, end, &x);
    memcpy(v, &x, sizeof x);
    return p;
}
CW_ALWAYS_INLINE const uint8_t *cw__get_double(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                               double *v)
{
    uint64_t x = 0;
    p = cw__get_fixed64(d, p, end, &x);
    memcpy(v, &x, sizeof x);
    return p;
}

/* True when s[0..n) is UTF-8 (no surrogates, no overlong forms, at most U+10FFFF). */
CW_API bool cw__utf8_valid(const char *s, size_t n);

CW_API const uint8_t *cw__get_string_slow(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                          cw_str *v, bool check_utf8);

/*
 * Is [p, p + n) with n <= 16 all ASCII? 16 bytes must be readable at p.
 */
CW_ALWAYS_INLINE bool cw__ascii16(const uint8_t *p, size_t n)
{
#if CW_SSE2
    unsigned high = (unsigned)_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)(const void *)p));
    return (high & ((1u << n) - 1)) == 0;
#else
    uint64_t a = cw__load64(p), b = cw__load64(p + 8);
    uint64_t keep_a = n >= 8 ? UINT64_MAX : ((uint64_t)1 << (8 * n)) - 1;
    uint64_t keep_b = n <= 8 ? 0 : n >= 16 ? UINT64_MAX : ((uint64_t)1 << (8 * (n - 8))) - 1;
    return (((a & keep_a) | (b & keep_b)) & 0x8080808080808080u) == 0;
#endif
}

/* A string with its length; UTF-8 is checked. Copied to the arena with a NUL, or a view of the
 * input (alias). */
CW_ALWAYS_INLINE const uint8_t *cw__get_string(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                               cw_str *v)
{
    if (CW_LIKELY(p < end && d->end - p >= 17)) {
        size_t n = *p;
        if (CW_LIKELY(n <= 16 && (ptrdiff_t)n < end - p && cw__ascii16(p + 1, n))) {
            p++;
            if (d->alias) {
                v->data = (const char *)p;
            } else {
                cw_arena *a = d->arena;
                /* n + 1 <= 17 bytes; the store of 16 may pass the allocation into the block's
                 * slack. */
                if (CW_UNLIKELY(a->end - a->ptr < 24)) {
                    return cw__get_string_slow(d, p - 1, end, v, true);
                }
                memcpy(a->ptr, p, 16);
                a->ptr[n] = 0;
                v->data = a->ptr;
                a->ptr += (n + 8) & ~(size_t)7;
            }
            v->len = n;
            return p + n;
        }
    }
    return cw__get_string_slow(d, p, end, v, true);
}

/* The same without the UTF-8 check (feature utf8_validation = NONE). */
static inline const uint8_t *cw__get_string_raw(cw__decoder *d, const uint8_t *p,
                                                const uint8_t *end, cw_str *v)
{
    return cw__get_string_slow(d, p, end, v, false);
}
CW_API const uint8_t *cw__get_bytes(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                    cw_bytes *v);

/*
 * A field that the schema does not know: `start` is where its tag begins, p is after the tag. Kept
 * in *u (allocated on first use), or only skipped when u is NULL. Groups count for depth. An
 * invalid tag (number 0, wire types 6 and 7, a lone group end) is an error.
 */
CW_API const uint8_t *cw__get_unknown(cw__decoder *d, const uint8_t *start, const uint8_t *p,
                                      const uint8_t *end, uint32_t tag, cw_unknown **u, int depth);

/* A closed enum's unknown value goes to *u as a varint field (tag is number << 3). False: no
 * memory. */
CW_API bool cw__unknown_varint(cw__decoder *d, cw_unknown **u, uint32_t tag, uint64_t value);
/* Appends raw field bytes to *u. False: no memory. */
CW_API bool cw__unknown_add(cw_arena *a, cw_unknown **u, const void *bytes, size_t n);

/*
 * How many elements follow each other from p, where p is after the tag of the first one (a
 * length-delimited field); at least 1. Hops over the lengths, never past `end`. tag is the raw tag
 * value.
 */
CW_API size_t cw__count_run(const uint8_t *p, const uint8_t *end, uint32_t tag);

/*
 * Decodes a delimited element of a run: true when the bytes at p are `tag` again. For the inner
 * loop of repeated messages; p <= end.
 */
CW_ALWAYS_INLINE bool cw__next_is(const uint8_t **p, const uint8_t *end, uint32_t tag)
{
    if (tag < 0x80) {
        if (*p < end && **p == tag) {
            *p += 1;
            return true;
        }
        return false;
    }
    if (tag < 0x4000) {
        if (end - *p >= 2 && (*p)[0] == (uint8_t)(tag | 0x80) && (*p)[1] == (uint8_t)(tag >> 7)) {
            *p += 2;
            return true;
        }
    }
    return false;
}

CW_END_DECLS

#endif
