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
static const char *read_unicode(cw__json_reader *r, const char *s, const char *end, char **to)
{
    int32_t c = unit(s, end);
    if (c < 0) {
        return cw__json_fail(r, CW_ERR_STRING, s, "invalid \\u escape");
    }
    const char *next = s + 6;
    if (c >= 0xd800 && c < 0xe000) {
        int32_t low = c < 0xdc00 ? unit(next, end) : -1;
        if (low < 0xdc00 || low > 0xdfff) {
            return cw__json_fail(r, CW_ERR_STRING, s, "surrogate without its other half");
        }
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        next += 6;
    }
    *to = put_utf8(*to, (uint32_t)c);
    return next;
}

/*
 * One escape at s, where at least two bytes stand before the string's end. Writes its UTF-8, at
 * most 4 bytes and never more than it reads; returns the byte after it.
 */
static const char *read_escape(cw__json_reader *r, const char *s, const char *end, char **to)
{
    char c;
    switch (s[1]) {
    case '"':
    case '\\':
    case '/':
        c = s[1];
        break;
    case 'b':
        c = '\b';
        break;
    case 'f':
        c = '\f';
        break;
    case 'n':
        c = '\n';
        break;
    case 'r':
        c = '\r';
        break;
    case 't':
        c = '\t';
        break;
    case 'u':
        return read_unicode(r, s, end, to);
    default:
        return cw__json_fail(r, CW_ERR_STRING, s, "invalid escape");
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
    *escaped = false;
    for (;;) {
        q = cw__json_raw_end(q, r->end);
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
    if (!cw__utf8_valid(s, (size_t)(q - s))) {
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
        s = read_escape(r, stop, end, &to);
        if (!s) {
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
        s = read_escape(r, s, end, &to);
        if (!s) {
            return NULL;
        }
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

/*
 * The plain string whose text begins at s, copied while it is scanned; what is not plain, or too
 * near an end, is get_string_slow's.
 */
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
    }
    return get_string_slow(r, s - 1, v);
}

/* The same as a view. */
static const char *view_string(cw__json_reader *r, const char *s, cw_str *v)
{
    for (const char *q = s; r->end - q >= 16; q += 16) {
        size_t n = cw__json_plain16(q);
        if (n < 16) {
            q += n;
            if (CW_UNLIKELY(*q != '"')) {
                break;
            }
            v->data = s;
            v->len = (size_t)(q - s);
            return q + 1;
        }
    }
    return get_string_slow(r, s - 1, v);
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
