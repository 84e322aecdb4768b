/* SPDX-License-Identifier: MIT */
/* wire_decode.c: the slow twins of wire.h's readers, and strings. */
#include "cwire/wire.h"

#include "copy.h"
#include "parse_limits.h"
#include "utf8.h"

static const uint8_t no_input[1] = {0};

int cw__decode_begin(cw__decoder *d, const void *data, size_t len, cw_arena *a,
                     const cw_decode_options *o, cw_error *e)
{
    d->begin = data ? data : no_input;
    d->end = d->begin + len;
    d->arena = a;
    d->error = e;
    d->status = CW_OK;
    d->alias = o && o->alias;
    d->allow_partial = o && o->allow_partial;
    d->maps_unsorted = false;
    d->group = NULL;
    d->group_number = 0;
    cw__arena_budget_begin(a, cw__limit_memory(o ? o->max_memory : 0, len));
    return cw__limit_depth(o ? o->depth : 0);
}

cw_status cw__decode_end(cw__decoder *d, const char *full_name)
{
    cw__arena_budget_end(d->arena);
    if (d->status != CW_OK) {
        cw__error_root(d->error, full_name);
    }
    return d->status;
}

const uint8_t *cw__get_fail(cw__decoder *d, cw_status st, const uint8_t *at, const char *detail)
{
    if (d->status == CW_OK) {
        d->status = st;
        cw__error_clear(d->error);
        cw__error_set(d->error, st, (size_t)(at - d->begin), detail);
    }
    return NULL;
}

const uint8_t *cw__get_fail_memory(cw__decoder *d, const uint8_t *at)
{
    return cw__get_fail(d, d->arena->failure, at, NULL);
}

const uint8_t *cw__get_fail_at(cw__decoder *d, const char *name, size_t index)
{
    cw__error_prefix(d->error, name, index);
    return NULL;
}

/* Byte by byte: a varint in the last bytes of the input, or a wrong one. */
static CW_NOINLINE const uint8_t *varint_careful(cw__decoder *d, const uint8_t *p, uint64_t *v)
{
    size_t left = (size_t)(d->end - p);
    uint64_t x = 0;
    for (size_t i = 0; i < 10; i++) {
        if (i == left) {
            return cw__get_fail(d, CW_ERR_TRUNCATED, p, NULL);
        }
        x |= (uint64_t)(p[i] & 0x7f) << (7 * i); /* the 10th byte's upper bits are dropped */
        if (p[i] < 0x80) {
            *v = x;
            return p + i + 1;
        }
    }
    return cw__get_fail(d, CW_ERR_VARINT, p, NULL);
}

const uint8_t *cw__get_varint_slow(cw__decoder *d, const uint8_t *p, uint64_t *v)
{
    /* Negative numbers take 10 bytes: the eight first ones are known to go on when the inline twin
     * did not find an end in them, but this function is called for other reasons too. */
    if (d->end - p >= 10) {
        uint64_t x = cw__load64(p);
        if (CW_LIKELY((~x & 0x8080808080808080u) == 0)) {
            x = cw__gather7(x);
            if (p[8] < 0x80) {
                *v = x | (uint64_t)p[8] << 56;
                return p + 9;
            }
            if (p[9] < 0x80) {
                *v = x | (uint64_t)(p[8] & 0x7f) << 56 | (uint64_t)p[9] << 63;
                return p + 10;
            }
        }
    }
    return varint_careful(d, p, v);
}

const uint8_t *cw__get_tag_slow(cw__decoder *d, const uint8_t *p, const uint8_t *end, uint32_t *tag)
{
    size_t left = (size_t)(end - p);
    uint64_t x = 0;
    for (size_t i = 0; i < 5; i++) {
        if (i == left) {
            return cw__get_fail(d, CW_ERR_TRUNCATED, p, NULL);
        }
        x |= (uint64_t)(p[i] & 0x7f) << (7 * i);
        if (p[i] < 0x80) {
            if (x > UINT32_MAX || x < 8 || (x & 7) > 5) {
                break;
            }
            *tag = (uint32_t)x;
            return p + i + 1;
        }
    }
    return cw__get_fail(d, CW_ERR_TAG, p, NULL);
}

const uint8_t *cw__get_len_slow(cw__decoder *d, const uint8_t *p, const uint8_t *end, size_t *n)
{
    if (CW_UNLIKELY(p >= end)) {
        return cw__get_fail(d, CW_ERR_TRUNCATED, p, NULL);
    }
    const uint8_t *q;
    uint64_t x = 0;
    if (CW_LIKELY(end - p >= 2 && *p >= 0x80 && p[1] < 0x80)) {
        x = (uint64_t)(*p & 0x7f) | (uint64_t)p[1] << 7;
        q = p + 2;
    } else {
        q = cw__get_varint(d, p, end, &x);
        if (!q) {
            return NULL;
        }
    }
    if (CW_LIKELY(q <= end && x <= (uint64_t)(end - q) && x <= INT32_MAX)) {
        *n = (size_t)x;
        return q;
    }
    if (q > end || x > INT32_MAX || x <= (uint64_t)(d->end - q)) {
        return cw__get_fail(d, CW_ERR_LENGTH, p, NULL);
    }
    return cw__get_fail(d, CW_ERR_TRUNCATED, p, NULL);
}

/* Copies n bytes forward; the short lengths without a call. Nothing outside [s, s + n) is read. */
CW_ALWAYS_INLINE void copy(char *to, const uint8_t *s, size_t n)
{
    if (n <= 16) {
        cw__copy_short_back((uint8_t *)to + n, s, n);
    } else if (CW_LIKELY(n <= 64)) {
        cw__copy_medium(to, s, n);
    } else {
        memcpy(to, s, n);
    }
}

/* A copy of [p, p + n) with a NUL; NULL: no memory (failure set at `at`). */
CW_ALWAYS_INLINE char *keep_string(cw__decoder *d, const uint8_t *p, size_t n, const uint8_t *at)
{
    char *r = cw_arena_alloc(d->arena, n + 1);
    if (CW_UNLIKELY(!r)) {
        cw__get_fail_memory(d, at);
        return NULL;
    }
    copy(r, p, n);
    r[n] = 0;
    return r;
}

const uint8_t *cw__get_string_slow(cw__decoder *d, const uint8_t *p, const uint8_t *end, cw_str *v,
                                   bool check_utf8)
{
    const uint8_t *at = p;
    size_t n;
    p = cw__get_len(d, p, end, &n);
    if (CW_UNLIKELY(!p)) {
        return NULL;
    }
    const char *s = (const char *)p;
    if (d->alias || !check_utf8) {
        if (check_utf8 && CW_UNLIKELY(!cw__utf8_valid(s, n))) {
            return cw__get_fail(d, CW_ERR_UTF8, at, NULL);
        }
        const char *data = d->alias ? s : keep_string(d, p, n, at);
        if (CW_UNLIKELY(!data)) {
            return NULL;
        }
        *v = cw_str_of(data, n);
        return p + n;
    }
    char *to = cw_arena_alloc(d->arena, n + 1);
    if (CW_UNLIKELY(!to)) {
        return cw__utf8_valid(s, n) ? cw__get_fail_memory(d, at)
                                    : cw__get_fail(d, CW_ERR_UTF8, at, NULL);
    }
    if (CW_UNLIKELY(!cw__utf8_copy(to, s, n))) {
        return cw__get_fail(d, CW_ERR_UTF8, at, NULL);
    }
    to[n] = 0;
    *v = cw_str_of(to, n);
    return p + n;
}

const uint8_t *cw__get_bytes(cw__decoder *d, const uint8_t *p, const uint8_t *end, cw_bytes *v)
{
    const uint8_t *at = p;
    size_t n;
    p = cw__get_len(d, p, end, &n);
    if (CW_UNLIKELY(!p)) {
        return NULL;
    }
    const uint8_t *data = p;
    if (!d->alias) {
        data = (const uint8_t *)keep_string(d, p, n, at);
        if (CW_UNLIKELY(!data)) {
            return NULL;
        }
    }
    *v = cw_bytes_of(data, n);
    return p + n;
}

/* Does `tag` stand at p? Sets *after behind it. */
static bool tag_is(const uint8_t *p, const uint8_t *end, uint32_t tag, const uint8_t **after)
{
    *after = p;
    if (tag < 0x4000) {
        return cw__next_is(after, end, tag);
    }
    while (*after < end) {
        uint8_t byte = (uint8_t)(tag < 0x80 ? tag : tag | 0x80);
        if (**after != byte) {
            return false;
        }
        *after += 1;
        if (tag < 0x80) {
            return true;
        }
        tag >>= 7;
    }
    return false;
}

/* The length prefix at *p, as far as counting goes: any wrong one ends a run. False: no more bytes.
 */
CW_ALWAYS_INLINE bool run_length(const uint8_t **p, const uint8_t *end, uint64_t *length)
{
    const uint8_t *q = *p;
    if (q >= end) {
        return false;
    }
    uint64_t n = *q++;
    if (CW_UNLIKELY(n >= 0x80)) {
        n &= 0x7f;
        unsigned shift = 7;
        while (q < end && *q >= 0x80 && shift < 28) {
            n |= (uint64_t)(*q++ & 0x7f) << shift;
            shift += 7;
        }
        if (q == end) {
            return false;
        }
        n |= (uint64_t)*q++ << shift;
    }
    *p = q;
    *length = n;
    return true;
}

size_t cw__count_run(const uint8_t *p, const uint8_t *end, uint32_t tag)
{
    size_t count = 1;
    uint64_t n = 0;
    if (CW_LIKELY(tag < 0x80)) {
        while (run_length(&p, end, &n) && n < (uint64_t)(end - p) && p[n] == tag) {
            p += n + 1;
            count++;
        }
        return count;
    }
    while (run_length(&p, end, &n) && n < (uint64_t)(end - p) && tag_is(p + n, end, tag, &p)) {
        count++;
    }
    return count;
}
