/* SPDX-License-Identifier: MIT */
/* json_read_string.c: strings, bytes, and string keys of maps. */
#include "base64.h"
#include "json_reader.h"

#include <assert.h>

/* ---- failures ---------------------------------------------------------------------------------
 */

/* The first byte of [s, end) where UTF-8 breaks; end: nowhere. */
static CW_COLD const char *first_invalid(const char *s, const char *end)
{
    while (s < end) {
        unsigned char lead = (unsigned char)*s;
        size_t n = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        if ((size_t)(end - s) < n || !cw__utf8_valid(s, n)) {
            return s;
        }
        s += n;
    }
    return end;
}

/* ---- escapes ----------------------------------------------------------------------------------
 */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four hex digits of a \u escape that begins at s; -1: [s, end) does not begin with one. */
static int32_t unit(const char *s, const char *end)
{
    int32_t v = 0;
    if (end - s < 6 || s[0] != '\\' || s[1] != 'u') {
        return -1;
    }
    for (int i = 2; i < 6; i++) {
        int digit = hex_digit(s[i]);
        if (digit < 0) {
            return -1;
        }
        v = v * 16 + digit;
    }
    return v;
}

static char *put_utf8(char *to, uint32_t c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *to++ = (char)(0xe0 | c >> 12);
        } else {
            *to++ = (char)(0xf0 | c >> 18);
            *to++ = (char)(0x80 | (c >> 12 & 0x3f));
        }
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (c & 0x3f));
    return to;
}

/* A \u escape, or two that are a surrogate pair. */
static const char *read_unicode(const char *s, const char *end, char **to, const char **why)
{
    int32_t c = unit(s, end);
    if (c < 0) {
        *why = "invalid \\u escape";
        return NULL;
    }
    const char *next = s + 6;
    if (c >= 0xd800 && c < 0xe000) {
        int32_t low = c < 0xdc00 ? unit(next, end) : -1;
        if (low < 0xdc00 || low > 0xdfff) {
            *why = "surrogate without its other half";
            return NULL;
        }
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        next += 6;
    }
    *to = put_utf8(*to, (uint32_t)c);
    return next;
}

/* What the letter behind a '\' stands for (RFC 8259, section 7); 0: nothing, or more follows. */
static const char single_escapes[256] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                         ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};

/*
 * One escape at s, where at least two bytes stand before `end`, the string's or the text's. Writes
 * its UTF-8, at most 4 bytes and never more than it reads; returns the byte after it. NULL: it is
 * none, for the reason *why.
 */
static const char *read_escape(const char *s, const char *end, char **to, const char **why)
{
    if (s[1] == 'u') {
        return read_unicode(s, end, to, why);
    }
    char c = single_escapes[(unsigned char)s[1]];
    if (c == 0) {
        *why = "invalid escape";
        return NULL;
    }
    *(*to)++ = c;
    return s + 2;
}

/* ---- any string -------------------------------------------------------------------------------
 */

/* The closing quote of the string whose text begins at s; UTF-8 and control characters are checked,
 * escapes not. */
static const char *find_quote(cw__json_reader *r, const char *s, bool *escaped)
{
    const char *q = s;
    uint64_t high = 0;
    *escaped = false;
    for (;;) {
        q += cw__json_run(NULL, q, (size_t)(r->end - q), &high);
        if (q >= r->end || *q == '"') {
            break;
        }
        if (*q != '\\') {
            return cw__json_fail(r, CW_ERR_STRING, q, "control character in a string");
        }
        *escaped = true;
        q += r->end - q >= 2 ? 2 : 1;
    }
    if (q >= r->end) {
        return cw__json_fail(r, CW_ERR_STRING, r->end, NULL);
    }
    if (high && !cw__utf8_valid(s, (size_t)(q - s))) {
        return cw__json_fail(r, CW_ERR_UTF8, first_invalid(s, q), NULL);
    }
    return q;
}

/* The text [s, end) with its escapes resolved, in the arena. False: failed. */
static bool unescape(cw__json_reader *r, const char *s, const char *end, cw_str *v)
{
    size_t most = (size_t)(end - s) + 1;
    if (!cw__arena_room(r->arena, most)) {
        cw__json_fail_memory(r, s);
        return false;
    }
    char *begin = r->arena->ptr;
    char *to = begin;
    for (;;) {
        const char *stop = memchr(s, '\\', (size_t)(end - s));
        size_t run = (size_t)((stop ? stop : end) - s);
        memcpy(to, s, run);
        to += run;
        if (!stop) {
            break;
        }
        const char *why = NULL;
        s = read_escape(stop, end, &to, &why);
        if (!s) {
            cw__json_fail(r, CW_ERR_STRING, stop, why);
            return false;
        }
    }
    *to = 0;
    *v = cw_str_of(begin, (size_t)(to - begin));
    cw__arena_take_front(r->arena, to + 1);
    return true;
}

const char *cw__json_view_slow(cw__json_reader *r, const char *p, cw_str *v, const char *detail)
{
    bool escaped;
    if (p >= r->end || *p != '"') {
        return cw__json_fail_value(r, p, detail);
    }
    const char *s = p + 1;
    const char *end = find_quote(r, s, &escaped);
    if (!end) {
        return NULL;
    }
    *v = cw_str_of(s, (size_t)(end - s));
    if (escaped && !unescape(r, s, end, v)) {
        return NULL;
    }
    return end + 1;
}

const char *cw__json_skip_string(cw__json_reader *r, const char *p)
{
    bool escaped;
    const char *s = p + 1;
    const char *end = find_quote(r, s, &escaped);
    while (end && escaped && (s = memchr(s, '\\', (size_t)(end - s))) != NULL) {
        char dropped[4], *to = dropped;
        const char *why = NULL, *next = read_escape(s, end, &to, &why);
        if (!next) {
            return cw__json_fail(r, CW_ERR_STRING, s, why);
        }
        s = next;
    }
    return end ? end + 1 : NULL;
}

/* ---- values -----------------------------------------------------------------------------------
 */

static CW_NOINLINE const char *get_string_slow(cw__json_reader *r, const char *p, cw_str *v)
{
    cw_str view;
    const char *next = cw__json_view_slow(r, p, &view, "expected a string");
    if (!next) {
        return NULL;
    }
    if (view.data == p + 1 && !r->alias) {
        if (!cw_arena_str(r->arena, view, v)) {
            return cw__json_fail_memory(r, p);
        }
    } else {
        *v = view;
    }
    return next;
}

/* Bytes of a string after which runs are looked at in larger steps. */
#define LONG_STRING 64

/*
 * The string whose text begins at s: copied while it is scanned, its escapes resolved on the way.
 * What is wrong, or too near an end, is get_string_slow's, which also finds out what is wrong
 * first.
 */
static CW_NOINLINE const char *copy_string_runs(cw__json_reader *r, const char *s, cw_str *v)
{
    cw_arena *a = r->arena;
    const char *p = s, *why;
    char *to = a->ptr;
    uint64_t high = 0;
    for (;;) {
        size_t input = (size_t)(r->end - p), room = (size_t)(a->end - to);
        size_t most = input < room ? input : room;
        size_t run = cw__json_run_near(to, p, most, &high);
        if (CW_UNLIKELY(most - run < 4)) { /* an escape's most */
            return get_string_slow(r, s - 1, v);
        }
        p += run;
        to += run;
        if (*p == '"') {
            break;
        }
        char one = *p == '\\' ? single_escapes[(unsigned char)p[1]] : 0;
        if (CW_LIKELY(one != 0)) {
            *to++ = one;
            p += 2;
            continue;
        }
        p = *p == '\\' ? read_escape(p, r->end, &to, &why) : NULL;
        if (CW_UNLIKELY(!p)) {
            return get_string_slow(r, s - 1, v);
        }
    }
    size_t n = (size_t)(to - a->ptr);
    if (high && CW_UNLIKELY(!cw__utf8_valid(a->ptr, n))) {
        return get_string_slow(r, s - 1, v);
    }
    *to = 0;
    *v = cw_str_of(a->ptr, n);
    cw__arena_take_front(a, to + 1);
    return p + 1;
}

/* The same as a view where it has no escapes. */
static CW_NOINLINE const char *view_string_run(cw__json_reader *r, const char *s, cw_str *v)
{
    size_t left = (size_t)(r->end - s);
    uint64_t high = 0;
    size_t n = cw__json_run(NULL, s, left, &high);
    if (n < left && s[n] == '"' && (!high || cw__utf8_valid(s, n))) {
        *v = cw_str_of(s, n);
        return s + n + 1;
    }
    return copy_string_runs(r, s, v);
}

/* The string whose text begins at s, copied while it is scanned. */
static const char *copy_string(cw__json_reader *r, const char *s, cw_str *v)
{
    cw_arena *a = r->arena;
    char *to = a->ptr;
    size_t input = (size_t)(r->end - s), room = (size_t)(a->end - to);
    size_t most = input < room ? input : room;
    for (size_t i = 0; i + 16 <= most; i += 16) {
        size_t n = cw__json_plain16(s + i);
        memcpy(to + i, s + i, 16);
        if (n < 16) {
            n += i;
            if (CW_UNLIKELY(s[n] != '"')) {
                break;
            }
            to[n] = 0;
            /* n + 1 bytes rounded up; n < room, and room is a multiple of 8. */
            a->ptr = to + ((n + 8) & ~(size_t)7);
            v->data = to;
            v->len = n;
            return s + n + 1;
        }
        if (i == LONG_STRING - 16) {
            break;
        }
    }
    return copy_string_runs(r, s, v);
}

/* The same as a view. */
static const char *view_string(cw__json_reader *r, const char *s, cw_str *v)
{
    for (size_t i = 0; i < LONG_STRING && (size_t)(r->end - s) - i >= 16; i += 16) {
        size_t n = cw__json_plain16(s + i);
        if (n < 16) {
            n += i;
            if (CW_UNLIKELY(s[n] != '"')) {
                break;
            }
            v->data = s;
            v->len = n;
            return s + n + 1;
        }
    }
    return view_string_run(r, s, v);
}

const char *cw__json_get_string(cw__json_reader *r, const char *p, cw_str *v)
{
    assert(p < r->end);
    if (CW_UNLIKELY(*p != '"')) {
        return get_string_slow(r, p, v);
    }
    return r->alias ? view_string(r, p + 1, v) : copy_string(r, p + 1, v);
}

const char *cw__json_get_bytes(cw__json_reader *r, const char *p, cw_bytes *v)
{
    cw_str text;
    const char *next = cw__json_view(r, p, &text, "expected a base64 string");
    if (!next) {
        return NULL;
    }
    uint8_t *to = cw_arena_alloc(r->arena, cw__base64_decoded_max(text.len));
    if (!to) {
        return cw__json_fail_memory(r, p);
    }
    size_t len = 0, bad = 0;
    if (!cw__base64_decode(to, &len, text.data, text.len, &bad)) {
        /* With escapes in it, the place in the input is not known. */
        return cw__json_fail(r, CW_ERR_BASE64, text.data == p + 1 ? p + 1 + bad : p, NULL);
    }
    *v = cw_bytes_of(to, len);
    return next;
}

const char *cw__json_map_key_string(cw__json_reader *r, const char *p, cw_str *v)
{
    if (p >= r->end || *p != '"') {
        return cw__json_fail(r, CW_ERR_SYNTAX, p, "expected a key in quotes");
    }
    p = cw__json_get_string(r, p, v);
    return p ? cw__json_colon(r, p) : NULL;
}
