/* SPDX-License-Identifier: MIT */
/*
 * wire.h: the protobuf wire format for generated code: options, and primitives that put and get one
 * value.
 *
 * The fast paths are inline because a generated message calls one per field; each has an
 * out-of-line twin
 * (`_slow`) for long varints, full buffers and errors. The format:
 * https://protobuf.dev/programming-guides/encoding
 *
 * Encoding goes backward, from the end of the room to its begin: a submessage's length is known
 * when its tag is written, so that there is no size pass. Room is proven once (cw__put_room) and
 * then written into unchecked. Decoding goes forward; `end` is the end of the message, d->end that
 * of the whole input.
 */
#ifndef CWIRE_WIRE_H
#define CWIRE_WIRE_H

#include "cwire/arena.h"
#include "cwire/status.h"
#include "cwire/str.h"

CW_BEGIN_DECLS

/* Messages, groups and map entries that may be open below the top one, where options say 0. */
#define CW_DEPTH_DEFAULT 100

/* All zero is the default. */
typedef struct cw_decode_options {
    bool alias;         /* strings and bytes point into the input instead of being copied */
    bool allow_partial; /* missing required fields are no error */
    unsigned depth;     /* most open messages below the top; 0: CW_DEPTH_DEFAULT */
    size_t max_memory;  /* most bytes drawn from the arena; 0: 64 MiB + 64 x input length; SIZE_MAX:
                           any */
} cw_decode_options;

/* ---- encoding -----------------------------------------------------------------------------------
 */

/* What one cw__put_room may ask for at most: a fixed buffer's begin is bridged through an edge this
 * long. */
#define CW__PUT_MAX 192
/* Room that every message leaves for its own length and tag, and that whole-word stores may touch.
 */
#define CW__PUT_HEADER 16

/*
 * State of one encode call. Bytes are written downward in [begin, p). `end` is the number that
 * makes end - (uintptr_t)p the count of bytes written so far, also after the bytes moved to a
 * larger block.
 */
typedef struct cw__encoder {
    uint8_t *begin;
    uintptr_t end;
    cw_arena *arena;   /* NULL: a fixed buffer */
    uint8_t *fixed;    /* fixed buffer: its begin */
    uint8_t *edge_top; /* fixed buffer: where in it the edge's bytes belong (they end here); NULL:
                          not in the edge */
    cw_error *error;
    cw_status status;
    uint8_t edge[CW__PUT_MAX + 64];
} cw__encoder;

/* Starts an encode into buf[0..cap): returns the p to write from, with no room proven yet. buf may
 * be NULL when cap is 0. Never fails. */
CW_API uint8_t *cw__encode_begin(cw__encoder *w, void *buf, size_t cap, cw_error *e);
/*
 * Ends it: p is what the message's encoder returned (NULL: failed). Moves the bytes to buf and sets
 * *len (may be NULL). On CW_ERR_SPACE the caller sets *len to the size needed. On failure roots the
 * error at `full_name`.
 */
CW_API cw_status cw__encode_end(cw__encoder *w, uint8_t *p, void *buf, size_t *len,
                                const char *full_name);
/* The same into the arena: the bytes stay at the back of its current block. NULL: no memory (the
 * encoder is then not called; cw__encode_arena_end takes the NULL). */
CW_API uint8_t *cw__encode_arena_begin(cw__encoder *w, cw_arena *a, cw_error *e);
CW_API cw_status cw__encode_arena_end(cw__encoder *w, uint8_t *p, cw_bytes *out,
                                      const char *full_name);

/* Sets the first failure; returns NULL for `return cw__put_fail(...)`. */
CW_API CW_COLD uint8_t *cw__put_fail(cw__encoder *w, cw_status st, const char *detail);
/* A member's encoder failed: puts `.name[index]` in front of the path (SIZE_MAX: no index); returns
 * NULL. */
CW_API CW_COLD uint8_t *cw__put_fail_at(cw__encoder *w, const char *name, size_t index);

CW_API CW_COLD uint8_t *cw__put_room_slow(cw__encoder *w, uint8_t *p, size_t n);

/* Makes sure that n <= CW__PUT_MAX bytes can be written before the returned p; NULL: failed (status
 * set). */
CW_ALWAYS_INLINE uint8_t *cw__put_room(cw__encoder *w, uint8_t *p, size_t n)
{
    if (CW_LIKELY((size_t)(p - w->begin) >= n)) {
        return p;
    }
    return cw__put_room_slow(w, p, n);
}

/* Bytes written so far; the difference of two marks is a submessage's length. */
CW_ALWAYS_INLINE size_t cw__put_mark(const cw__encoder *w, const uint8_t *p)
{
    return w->end - (uintptr_t)p;
}

/* Length of v as a varint, 1 to 10. */
CW_ALWAYS_INLINE size_t cw__varint_size(uint64_t v)
{
    return ((size_t)(63 - CW__CLZ64(v | 1)) * 9 + 73) / 64;
}

/* The low 56 bits of v as eight groups of 7 bits, one a byte, lowest first. */
CW_ALWAYS_INLINE uint64_t cw__spread7(uint64_t v)
{
    uint64_t x = (v & 0x0fffffffu) | ((v & 0xfffffff0000000u) << 4);
    x = (x & 0x00003fff00003fffu) | ((x & 0x0fffc0000fffc000u) << 2);
    return (x & 0x007f007f007f007fu) | ((x & 0x3f803f803f803f80u) << 1);
}

/* The inverse: eight bytes of 7 bits to 56 bits; the bytes' top bits are ignored. */
CW_ALWAYS_INLINE uint64_t cw__gather7(uint64_t x)
{
    x = (x & 0x007f007f007f007fu) | ((x & 0x7f007f007f007f00u) >> 1);
    x = (x & 0x00003fff00003fffu) | ((x & 0x3fff00003fff0000u) >> 2);
    return (x & 0x0fffffffu) | ((x & 0x0fffffff00000000u) >> 4);
}

/* Needs 10 bytes of room (8 for values below 2^56). */
static inline uint8_t *cw__put_varint_long(uint8_t *p, uint64_t v)
{
    size_t n = cw__varint_size(v);
    if (CW_LIKELY(n <= 8)) {
        uint64_t x = cw__spread7(v) | 0x8080808080808080u;
        x &= ~((uint64_t)0x80 << (8 * (n - 1)));
        cw__store64(p - 8, x << (64 - 8 * n));
        return p - n;
    }
    p -= n;
    cw__store64(p, cw__spread7(v) | 0x8080808080808080u);
    if (n == 9) {
        p[8] = (uint8_t)(v >> 56);
    } else {
        p[8] = (uint8_t)((v >> 56) | 0x80);
        p[9] = 1;
    }
    return p;
}

CW_ALWAYS_INLINE uint8_t *cw__put_varint(uint8_t *p, uint64_t v)
{
    if (CW_LIKELY(v < 0x80)) {
        *--p = (uint8_t)v;
        return p;
    }
    /* Two bytes are frequent, and a foreseen branch does not make the next p wait for v's length.
     */
    if (v < 0x4000) {
        p -= 2;
        p[0] = (uint8_t)(v | 0x80);
        p[1] = (uint8_t)(v >> 7);
        return p;
    }
    return cw__put_varint_long(p, v);
}

/* Tag given as the value of the varint (number << 3 | wire type), one or more bytes; a constant
 * folds. */
CW_ALWAYS_INLINE uint8_t *cw__put_tag(uint8_t *p, uint32_t tag)
{
    if (tag < 0x80) {
        *--p = (uint8_t)tag;
    } else if (tag < 0x4000) {
        p -= 2;
        p[0] = (uint8_t)(tag | 0x80);
        p[1] = (uint8_t)(tag >> 7);
    } else {
        /* Exact, unlike cw__put_varint_long: a tag's room is its length. */
        p -= cw__varint_size(tag);
        uint8_t *q = p;
        for (; tag >= 0x80; tag >>= 7) {
            *q++ = (uint8_t)(tag | 0x80);
        }
        *q = (uint8_t)tag;
    }
    return p;
}

/* Zigzag: 0 -1 1 -2 -> 0 1 2 3 */
CW_ALWAYS_INLINE uint32_t cw__zigzag32(int32_t v)
{
    return ((uint32_t)v << 1) ^ (v < 0 ? UINT32_MAX : 0);
}
CW_ALWAYS_INLINE uint64_t cw__zigzag64(int64_t v)
{
    return ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0);
}
CW_ALWAYS_INLINE int32_t cw__unzigzag32(uint32_t v)
{
    return (int32_t)((v >> 1) ^ (0u - (v & 1)));
}
CW_ALWAYS_INLINE int64_t cw__unzigzag64(uint64_t v)
{
    return (int64_t)((v >> 1) ^ ((uint64_t)0 - (v & 1)));
}

/* One value of each kind, without tag. Each needs the kind's room (10 for varints; see kinds.c). */
CW_ALWAYS_INLINE uint8_t *cw__put_uint32(uint8_t *p, uint32_t v)
{
    return cw__put_varint(p, v);
}
CW_ALWAYS_INLINE uint8_t *cw__put_uint64(uint8_t *p, uint64_t v)
{
    return cw__put_varint(p, v);
}
CW_ALWAYS_INLINE uint8_t *cw__put_int32(uint8_t *p, int32_t v)
{
    return cw__put_varint(p, (uint64_t)(int64_t)v);
}
CW_ALWAYS_INLINE uint8_t *cw__put_int64(uint8_t *p, int64_t v)
{
    return cw__put_varint(p, (uint64_t)v);
}
CW_ALWAYS_INLINE uint8_t *cw__put_enum(uint8_t *p, int32_t v)
{
    return cw__put_varint(p, (uint64_t)(int64_t)v);
}
CW_ALWAYS_INLINE uint8_t *cw__put_sint32(uint8_t *p, int32_t v)
{
    return cw__put_varint(p, cw__zigzag32(v));
}
CW_ALWAYS_INLINE uint8_t *cw__put_sint64(uint8_t *p, int64_t v)
{
    return cw__put_varint(p, cw__zigzag64(v));
}
CW_ALWAYS_INLINE uint8_t *cw__put_bool(uint8_t *p, bool v)
{
    *--p = v ? 1 : 0;
    return p;
}
CW_ALWAYS_INLINE uint8_t *cw__put_fixed32(uint8_t *p, uint32_t v)
{
    p -= 4;
    cw__store32(p, v);
    return p;
}
CW_ALWAYS_INLINE uint8_t *cw__put_fixed64(uint8_t *p, uint64_t v)
{
    p -= 8;
    cw__store64(p, v);
    return p;
}
CW_ALWAYS_INLINE uint8_t *cw__put_sfixed32(uint8_t *p, int32_t v)
{
    return cw__put_fixed32(p, (uint32_t)v);
}
CW_ALWAYS_INLINE uint8_t *cw__put_sfixed64(uint8_t *p, int64_t v)
{
    return cw__put_fixed64(p, (uint64_t)v);
}
CW_ALWAYS_INLINE uint32_t cw__float_bits(float v)
{
    uint32_t x;
    memcpy(&x, &v, sizeof x);
    return x;
}
CW_ALWAYS_INLINE uint64_t cw__double_bits(double v)
{
    uint64_t x;
    memcpy(&x, &v, sizeof x);
    return x;
}
CW_ALWAYS_INLINE uint8_t *cw__put_float(uint8_t *p, float v)
{
    return cw__put_fixed32(p, cw__float_bits(v));
}
CW_ALWAYS_INLINE uint8_t *cw__put_double(uint8_t *p, double v)
{
    return cw__put_fixed64(p, cw__double_bits(v));
}

/*
 * Copies n <= 16 bytes so that they end at p, reading nothing outside [s, s + n). The room before p
 * is known, the string's neighbours are not.
 */
CW_ALWAYS_INLINE uint8_t *cw__copy_short_back(uint8_t *p, const void *src, size_t n)
{
    const uint8_t *s = (const uint8_t *)src;
    p -= n;
    if (n >= 8) {
        uint64_t a, b;
        memcpy(&a, s, 8);
        memcpy(&b, s + n - 8, 8);
        memcpy(p, &a, 8);
        memcpy(p + n - 8, &b, 8);
    } else if (n >= 4) {
        uint32_t a, b;
        memcpy(&a, s, 4);
        memcpy(&b, s + n - 4, 4);
        memcpy(p, &a, 4);
        memcpy(p + n - 4, &b, 4);
    } else if (n > 0) {
        uint8_t a = s[0], b = s[n / 2], c = s[n - 1];
        p[0] = a;
        p[n / 2] = b;
        p[n - 1] = c;
    }
    return p;
}

/* n bytes of any length without length or tag; afterwards there is room for `keep` <= CW__PUT_MAX
 * more. */
CW_API CW_MUST_USE uint8_t *cw__put_raw(cw__encoder *w, uint8_t *p, const void *s, size_t n,
                                        size_t keep);

/*
 * A string or bytes value with its length, without tag. `keep` is the room that is needed for what
 * this message writes next (its own tag, the 10 bytes of the length, and all scalars up to the next
 * room check); on return there is room for keep - 10. NULL: failed.
 */
CW_ALWAYS_INLINE uint8_t *cw__put_bytes_view(cw__encoder *w, uint8_t *p, const void *s, size_t n,
                                             size_t keep)
{
    if (CW_LIKELY(n <= 16 && (size_t)(p - w->begin) >= keep + 16)) {
        p = cw__copy_short_back(p, s, n);
        *--p = (uint8_t)n;
        return p;
    }
    p = cw__put_raw(w, p, s, n, keep);
    return p ? cw__put_varint(p, n) : NULL;
}
CW_ALWAYS_INLINE uint8_t *cw__put_string(cw__encoder *w, uint8_t *p, cw_str s, size_t keep)
{
    return cw__put_bytes_view(w, p, s.data, s.len, keep);
}
CW_ALWAYS_INLINE uint8_t *cw__put_bytes(cw__encoder *w, uint8_t *p, cw_bytes s, size_t keep)
{
    return cw__put_bytes_view(w, p, s.data, s.len, keep);
}

/* The unknown fields as they came; room for `keep` afterwards. u may be NULL. */
static inline uint8_t *cw__put_unknown(cw__encoder *w, uint8_t *p, const cw_unknown *u, size_t keep)
{
    return u && u->len ? cw__put_raw(w, p, u->data, u->len, keep) : cw__put_room(w, p, keep);
}

/* ---- size: exact length of a value without tag --------------------------------------------------
 */

CW_ALWAYS_INLINE uint64_t cw__size_uint32(uint32_t v)
{
    return cw__varint_size(v);
}
CW_ALWAYS_INLINE uint64_t cw__size_uint64(uint64_t v)
{
    return cw__varint_size(v);
}
CW_ALWAYS_INLINE uint64_t cw__size_int32(int32_t v)
{
    return cw__varint_size((uint64_t)(int64_t)v);
}
CW_ALWAYS_INLINE uint64_t cw__size_int64(int64_t v)
{
    return cw__varint_size((uint64_t)v);
}
CW_ALWAYS_INLINE uint64_t cw__size_enum(int32_t v)
{
    return cw__varint_size((uint64_t)(int64_t)v);
}
CW_ALWAYS_INLINE uint64_t cw__size_sint32(int32_t v)
{
    return cw__varint_size(cw__zigzag32(v));
}
CW_ALWAYS_INLINE uint64_t cw__size_sint64(int64_t v)
{
    return cw__varint_size(cw__zigzag64(v));
}
/* A length-delimited value: its length prefix and its n bytes. */
CW_ALWAYS_INLINE uint64_t cw__size_len(uint64_t n)
{
    return cw__varint_size(n) + n;
}
CW_ALWAYS_INLINE uint64_t cw__size_unknown(const cw_unknown *u)
{
    return u ? u->len : 0;
}
/* Saturates to size_t. */
CW_ALWAYS_INLINE size_t cw__size_clamp(uint64_t n)
{
    return n > SIZE_MAX ? SIZE_MAX : (size_t)n;
}

/* ---- decoding -----------------------------------------------------------------------------------
 */

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
    return cw__get_varint_slow(d, p, v);
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
    return cw__get_tag_slow(d, p, end, tag);
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
    return cw__get_len_slow(d, p, end, n);
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

#include "cwire/wire_list.h"

#endif
