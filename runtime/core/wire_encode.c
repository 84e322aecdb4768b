/* SPDX-License-Identifier: MIT */
/*
 * wire_encode.c: where the bytes of an encode call go.
 *
 * A fixed buffer is filled downward from its end. When fewer bytes are left in it than a message
 * asks room for, writing goes on in w->edge; the next time room is asked for, what was written
 * there is moved to its place, the bytes that end at w->edge_top. So an exactly sized buffer
 * suffices although room is asked for generously. At last all bytes move to the buffer's begin;
 * long strings and arrays wait for that: until then only their place is held, see `later`. An arena
 * is filled downward from the end of its current block; a larger block takes the bytes over.
 */
#include "cwire/wire.h"

#include "copy.h"

#define FIRST_ROOM ((size_t)256)

/* From this many bytes on a copy is worth to be put off. */
#define LATER_MIN ((size_t)512)

/*
 * Bytes of a fixed buffer that are to be copied when their place is known. Stands itself in the
 * place that is held for them; the last one written, in front, is w->later.
 */
typedef struct later {
    const void *from;
    size_t n;
    uint8_t *next; /* NULL: none behind it */
} later;

uint8_t *cw__put_fail(cw__encoder *w, cw_status st, const char *detail)
{
    if (w->status == CW_OK) {
        w->status = st;
        cw__error_clear(w->error);
        cw__error_set(w->error, st, SIZE_MAX, detail);
    }
    return NULL;
}

uint8_t *cw__put_fail_at(cw__encoder *w, const char *name, size_t index)
{
    cw__error_prefix(w->error, name, index);
    return NULL;
}

/*
 * Fixed buffer, `count` bytes written so far, the last of them at q in the buffer: goes on in the
 * buffer when n bytes are left before q, else in the edge.
 */
static uint8_t *fixed_continue(cw__encoder *w, uint8_t *q, size_t count, size_t n)
{
    if ((size_t)(q - w->fixed) >= n) {
        w->begin = w->fixed;
        w->edge_top = NULL;
        w->end = (uintptr_t)q + count;
        return q;
    }
    uint8_t *p = w->edge + sizeof w->edge;
    w->begin = w->edge;
    w->edge_top = q;
    w->end = (uintptr_t)p + count;
    return p;
}

/* Moves the edge's bytes to the buffer; returns where the next ones end in it. NULL: no space. */
static uint8_t *fixed_flush(cw__encoder *w, const uint8_t *p)
{
    size_t n = (size_t)(w->edge + sizeof w->edge - p);
    if (n > (size_t)(w->edge_top - w->fixed)) {
        return cw__put_fail(w, CW_ERR_SPACE, NULL);
    }
    w->edge_top -= n;
    memcpy(w->edge_top, p, n);
    return w->edge_top;
}

/*
 * Arena: a block at least twice as large, with n bytes before the `count` <= INT32_MAX bytes at p;
 * just large enough when a limit does not allow that much.
 */
static uint8_t *arena_grow(cw__encoder *w, const uint8_t *p, size_t count, size_t n)
{
    cw_arena *a = w->arena;
    if (n > SIZE_MAX - count) {
        return cw__put_fail(w, CW_ERR_TOO_LARGE, NULL);
    }
    size_t now = count + (size_t)(p - w->begin);
    size_t want = now > SIZE_MAX / 2 ? SIZE_MAX : 2 * now;
    if (want < count + n) {
        want = count + n;
    }
    bool ok = cw__arena_room(a, want);
    if (!ok && a->failure == CW_ERR_LIMIT) {
        ok = cw__arena_room(a, count + n);
    }
    if (!ok) {
        return cw__put_fail(w, a->failure, NULL);
    }
    uint8_t *end = (uint8_t *)a->end;
    memcpy(end - count, p, count);
    w->begin = (uint8_t *)a->ptr;
    w->end = (uintptr_t)end;
    return end - count;
}

uint8_t *cw__put_room_slow(cw__encoder *w, uint8_t *p, size_t n)
{
    size_t count = cw__put_mark(w, p);
    if (count > INT32_MAX) {
        return cw__put_fail(w, CW_ERR_TOO_LARGE, NULL);
    }
    if (w->arena) {
        return arena_grow(w, p, count, n);
    }
    uint8_t *q = w->edge_top ? fixed_flush(w, p) : p;
    return q ? fixed_continue(w, q, count, n) : NULL;
}

/* n > 0 bytes to p, which has room for them in the fixed buffer: now or later. */
static void fixed_copy(cw__encoder *w, uint8_t *p, const void *s, size_t n)
{
    if (n < LATER_MIN) {
        memcpy(p, s, n);
        return;
    }
    later x = {s, n, w->later};
    memcpy(p, &x, sizeof x);
    w->later = p;
}

/* Moves what is written, [p, end), to buf, with what was put off. The bytes move downward, the
 * lowest first: what is not yet read is not overwritten. */
static void fixed_settle(const cw__encoder *w, uint8_t *buf, const uint8_t *p, const uint8_t *end)
{
    if (p == buf && !w->later) {
        return;
    }
    for (const uint8_t *at = w->later; at;) {
        later x;
        memcpy(&x, at, sizeof x);
        memmove(buf, p, (size_t)(at - p));
        buf += at - p;
        memcpy(buf, x.from, x.n);
        buf += x.n;
        p = at + x.n;
        at = x.next;
    }
    memmove(buf, p, (size_t)(end - p));
}

/* cw__put_raw when the room at hand does not do. */
static CW_NOINLINE uint8_t *put_raw_slow(cw__encoder *w, uint8_t *p, const void *s, size_t n,
                                         size_t keep)
{
    size_t count = cw__put_mark(w, p);
    if (n > INT32_MAX || count > INT32_MAX - n) {
        return cw__put_fail(w, CW_ERR_TOO_LARGE, NULL);
    }
    if (w->arena) {
        p = arena_grow(w, p, count, n + keep);
        if (p && n > 0) {
            p -= n;
            memcpy(p, s, n);
        }
        return p;
    }
    uint8_t *q = w->edge_top ? fixed_flush(w, p) : p;
    if (!q) {
        return NULL;
    }
    if (n > (size_t)(q - w->fixed)) {
        return cw__put_fail(w, CW_ERR_SPACE, NULL);
    }
    if (n > 0) {
        q -= n;
        fixed_copy(w, q, s, n);
    }
    return fixed_continue(w, q, count + n, keep);
}

uint8_t *cw__put_raw(cw__encoder *w, uint8_t *p, const void *s, size_t n, size_t keep)
{
    size_t room = (size_t)(p - w->begin);
    if (CW_UNLIKELY(n > room || room - n < keep)) {
        return put_raw_slow(w, p, s, n, keep);
    }
    if (n <= 16) {
        return cw__copy_short_back(p, s, n);
    }
    p -= n;
    if (CW_LIKELY(n <= 64)) {
        cw__copy_medium(p, s, n);
    } else if (w->arena || w->edge_top) {
        memcpy(p, s, n);
    } else {
        fixed_copy(w, p, s, n);
    }
    return p;
}

uint8_t *cw__encode_begin(cw__encoder *w, void *buf, size_t cap, cw_error *e)
{
    w->arena = NULL;
    w->later = NULL;
    w->error = e;
    w->status = CW_OK;
    if (cap == 0) {
        w->fixed = w->edge; /* no room at all, and never NULL */
        return fixed_continue(w, w->fixed, 0, 1);
    }
    w->fixed = buf;
    return fixed_continue(w, w->fixed + cap, 0, 0);
}

/* Sums up: the count of bytes, or SIZE_MAX after a failure. */
static size_t written(cw__encoder *w, const uint8_t *p, const char *full_name)
{
    size_t count = p ? cw__put_mark(w, p) : SIZE_MAX;
    if (p && count > INT32_MAX) {
        cw__put_fail(w, CW_ERR_TOO_LARGE, NULL);
    }
    if (w->status != CW_OK || !p) {
        cw__error_root(w->error, full_name);
        return SIZE_MAX;
    }
    return count;
}

cw_status cw__encode_end(cw__encoder *w, uint8_t *p, void *buf, size_t *len, const char *full_name)
{
    if (p && w->status == CW_OK && w->edge_top) {
        size_t count = cw__put_mark(w, p);
        p = fixed_flush(w, p);
        w->end = p ? (uintptr_t)p + count : 0;
    }
    size_t count = written(w, p, full_name);
    if (count == SIZE_MAX) {
        return w->status;
    }
    if (count > 0) {
        fixed_settle(w, buf, p, p + count);
    }
    if (len) {
        *len = count;
    }
    return CW_OK;
}

uint8_t *cw__encode_arena_begin(cw__encoder *w, cw_arena *a, cw_error *e)
{
    w->arena = a;
    w->fixed = NULL;
    w->edge_top = NULL;
    w->later = NULL;
    w->error = e;
    w->status = CW_OK;
    w->begin = NULL;
    w->end = 0;
    if (!cw__arena_room_output(a, FIRST_ROOM)) {
        return cw__put_fail(w, a->failure, NULL);
    }
    w->begin = (uint8_t *)a->ptr;
    w->end = (uintptr_t)a->end;
    return (uint8_t *)a->end;
}

cw_status cw__encode_arena_end(cw__encoder *w, uint8_t *p, cw_bytes *out, const char *full_name)
{
    size_t count = written(w, p, full_name);
    if (count == SIZE_MAX) {
        return w->status;
    }
    cw__arena_output_took(w->arena, count + FIRST_ROOM);
    cw__arena_take_back(w->arena, (char *)p);
    *out = cw_bytes_of(p, count);
    return CW_OK;
}
