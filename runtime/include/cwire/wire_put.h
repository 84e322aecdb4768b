/* SPDX-License-Identifier: MIT */
/*
 * wire_put.h: encoding and sizes, one value at a time. Included by wire.h, which has the rules.
 *
 * Inline because a generated message calls one function a field; what is long or rare is out of
 * line.
 */
#ifndef CWIRE_WIRE_PUT_H
#define CWIRE_WIRE_PUT_H

#include "cwire/arena.h"
#include "cwire/status.h"
#include "cwire/str.h"

CW_BEGIN_DECLS

/* Messages, groups and map entries that may be open below the top one, where options say 0. */
#define CW_DEPTH_DEFAULT 100

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
    uint8_t *later;    /* fixed buffer: the first of the copies that are put off; NULL: none */
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
        /* The last byte comes to the top; what is below the first one is not the value's. */
        cw__store64(p - 8, cw__spread7(v) << (64 - 8 * n) | 0x0080808080808080u);
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
/* The inverse; generated code writes infinities and NaN so. */
CW_ALWAYS_INLINE float cw__float_of_bits(uint32_t x)
{
    float v;
    memcpy(&v, &x, sizeof v);
    return v;
}
CW_ALWAYS_INLINE double cw__double_of_bits(uint64_t x)
{
    double v;
    memcpy(&v, &x, sizeof v);
    return v;
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

CW_END_DECLS

#endif
