/* SPDX-License-Identifier: MIT */
#include "fields.h"

#include <stdlib.h>

enum {
    FIRST_FIELDS = 16,
    KEPT_TEXT = 4096, /* more than an ordinary head needs */
    KEPT_FIELDS = 64
};

void cw__fields_clear(cw__fields *f)
{
    cw__buf_clear(&f->text);
    f->len = 0;
    f->size = 0;
}

void cw__fields_free(cw__fields *f)
{
    cw__buf_free(&f->text);
    free(f->refs);
    free(f->views);
    *f = (cw__fields){.refs = NULL};
}

void cw__fields_trim(cw__fields *f)
{
    if (f->cap > KEPT_FIELDS || f->text.cap > KEPT_TEXT) {
        cw__fields_free(f);
    } else {
        cw__fields_clear(f);
    }
}

static bool grow(cw__fields *f)
{
    size_t cap = f->cap ? 2 * f->cap : FIRST_FIELDS;
    cw__field_ref *refs = realloc(f->refs, cap * sizeof *refs);
    if (refs == NULL) {
        return false;
    }
    f->refs = refs;
    cw_http_field *views = realloc(f->views, cap * sizeof *views);
    if (views == NULL) {
        return false;
    }
    f->views = views;
    f->cap = cap;
    return true;
}

size_t cw__fields_text(cw__fields *f, cw_str s)
{
    size_t at = f->text.end;
    if (at > UINT32_MAX / 2 || s.len > UINT32_MAX / 2 || !cw__buf_append(&f->text, s.data, s.len)) {
        return SIZE_MAX;
    }
    return at;
}

bool cw__fields_begin(cw__fields *f)
{
    if (f->text.end > UINT32_MAX / 2 || (f->len == f->cap && !grow(f))) {
        return false;
    }
    uint32_t at = (uint32_t)f->text.end;
    f->refs[f->len++] = (cw__field_ref){at, 0, at, 0};
    f->size += 32;
    return true;
}

cw_http_fields cw__fields_seal(cw__fields *f)
{
    /* text.start is 0: nothing is taken from it. */
    const char *text = f->text.data != NULL ? (const char *)f->text.data : "";
    for (size_t i = 0; i < f->len; i++) {
        const cw__field_ref *r = &f->refs[i];
        f->views[i].name = cw_str_of(text + r->name, r->name_len);
        f->views[i].value = cw_str_of(text + r->value, r->value_len);
    }
    return (cw_http_fields){f->views, f->len};
}

/* Cleared, with room for this much text and so many views. False: no memory. */
static bool keep_room(cw__fields *f, size_t text, size_t fields)
{
    cw__fields_clear(f);
    while (f->cap < fields) {
        if (!grow(f)) {
            return false;
        }
    }
    return cw__buf_reserve(&f->text, text + 1) != NULL; /* not NULL for no text either */
}

static cw_str keep_str(cw__fields *f, cw_str s)
{
    char *at = (char *)f->text.data + f->text.end;
    if (s.len > 0) {
        memcpy(at, s.data, s.len);
    }
    cw__buf_added(&f->text, s.len);
    return cw_str_of(at, s.len);
}

static size_t text_size(cw_http_fields fields)
{
    size_t n = 0;
    for (size_t i = 0; i < fields.len; i++) {
        n += fields.data[i].name.len + fields.data[i].value.len;
    }
    return n;
}

static cw_http_fields keep_all(cw__fields *f, cw_http_fields fields)
{
    for (size_t i = 0; i < fields.len; i++) {
        f->views[i].name = keep_str(f, fields.data[i].name);
        f->views[i].value = keep_str(f, fields.data[i].value);
    }
    return (cw_http_fields){f->views, fields.len};
}

bool cw__fields_keep(cw__fields *f, cw_http_fields fields, cw_http_fields *copy)
{
    if (!keep_room(f, text_size(fields), fields.len)) {
        return false;
    }
    *copy = keep_all(f, fields);
    return true;
}

bool cw__fields_keep_head(cw__fields *f, const cw_http_head *head, cw_http_head *copy)
{
    size_t text = head->method.len + head->scheme.len + head->authority.len + head->path.len;
    if (!keep_room(f, text + text_size(head->fields), head->fields.len)) {
        return false;
    }
    *copy = (cw_http_head){.version = head->version, .status = head->status};
    copy->method = keep_str(f, head->method);
    copy->scheme = keep_str(f, head->scheme);
    copy->authority = keep_str(f, head->authority);
    copy->path = keep_str(f, head->path);
    copy->fields = keep_all(f, head->fields);
    return true;
}

static bool is_named(const cw__fields *f, size_t i, cw_str name)
{
    const cw__field_ref *r = &f->refs[i];
    return r->name_len == name.len && memcmp(f->text.data + r->name, name.data, name.len) == 0;
}

bool cw__fields_join(cw__fields *f, cw_str name, cw_str separator)
{
    size_t size = 0, n = 0, first = 0, kept = 0;
    for (size_t i = 0; i < f->len; i++) {
        if (is_named(f, i, name)) {
            first = n++ == 0 ? i : first;
            size += f->refs[i].value_len + separator.len;
        }
    }
    if (n < 2) {
        return true;
    }
    uint8_t *to = f->text.end <= UINT32_MAX / 2 ? cw__buf_reserve(&f->text, size) : NULL;
    if (to == NULL) {
        return false;
    }
    size_t at = f->text.end;
    for (size_t i = 0; i < f->len; i++) {
        const cw__field_ref *r = &f->refs[i];
        if (!is_named(f, i, name)) {
            f->refs[kept++] = *r;
            continue;
        }
        if (i > first) {
            cw__buf_append(&f->text, separator.data, separator.len); /* there is room */
        }
        cw__buf_append(&f->text, f->text.data + r->value, r->value_len);
        if (i == first) {
            f->refs[kept++] = *r;
        }
    }
    f->refs[first].value = (uint32_t)at;
    f->refs[first].value_len = (uint32_t)(f->text.end - at);
    f->len = kept;
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

cw_str cw__trim(cw_str s)
{
    while (s.len > 0 && is_blank(s.data[0])) {
        s = cw_str_of(s.data + 1, s.len - 1);
    }
    while (s.len > 0 && is_blank(s.data[s.len - 1])) {
        s.len--;
    }
    return s;
}

cw_str cw__next_part(cw_str *s, char separator)
{
    const char *end = s->len > 0 ? memchr(s->data, separator, s->len) : NULL;
    size_t len = end != NULL ? (size_t)(end - s->data) : s->len;
    cw_str part = cw__trim(cw_str_of(s->data, len));
    *s = end != NULL ? cw_str_of(end + 1, s->len - len - 1) : cw_str_of(NULL, 0);
    return part;
}

bool cw__name_is(cw_str name, const char *lower)
{
    size_t i = 0;
    for (; i < name.len; i++) {
        char c = name.data[i];
        c = c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
        if (lower[i] == '\0' || c != lower[i]) {
            return false;
        }
    }
    return lower[i] == '\0';
}

/* What a byte may be part of. */
enum { TOKEN = 1, VALUE = 2 };

/* RFC 9110, 5.6.2 (tokens) and 5.5 (values: visible characters, bytes above 127, space, tab). */
#define V4(v)  v, v, v, v
#define V16(v) V4(v), V4(v), V4(v), V4(v)
static const uint8_t classes[256] = {['\t'] = VALUE,
                                     [' '] = VALUE,
                                     ['!'] = TOKEN | VALUE,
                                     ['"'] = VALUE,
                                     ['#'] = TOKEN | VALUE,
                                     ['$'] = TOKEN | VALUE,
                                     ['%'] = TOKEN | VALUE,
                                     ['&'] = TOKEN | VALUE,
                                     ['\''] = TOKEN | VALUE,
                                     ['('] = VALUE,
                                     [')'] = VALUE,
                                     ['*'] = TOKEN | VALUE,
                                     ['+'] = TOKEN | VALUE,
                                     [','] = VALUE,
                                     ['-'] = TOKEN | VALUE,
                                     ['.'] = TOKEN | VALUE,
                                     ['/'] = VALUE,
                                     ['0'] = V4(TOKEN | VALUE),
                                     V4(TOKEN | VALUE),
                                     TOKEN | VALUE,
                                     TOKEN | VALUE,
                                     [':'] = VALUE,
                                     VALUE,
                                     VALUE,
                                     VALUE,
                                     VALUE,
                                     VALUE,
                                     VALUE,
                                     ['A'] = V16(TOKEN | VALUE),
                                     V4(TOKEN | VALUE),
                                     V4(TOKEN | VALUE),
                                     TOKEN | VALUE,
                                     TOKEN | VALUE,
                                     ['['] = VALUE,
                                     VALUE,
                                     VALUE,
                                     TOKEN | VALUE,
                                     TOKEN | VALUE,
                                     TOKEN | VALUE,
                                     ['a'] = V16(TOKEN | VALUE),
                                     V4(TOKEN | VALUE),
                                     V4(TOKEN | VALUE),
                                     TOKEN | VALUE,
                                     TOKEN | VALUE,
                                     ['{'] = VALUE,
                                     TOKEN | VALUE,
                                     VALUE,
                                     TOKEN | VALUE,
                                     [128] = V16(VALUE),
                                     V16(VALUE),
                                     V16(VALUE),
                                     V16(VALUE),
                                     V16(VALUE),
                                     V16(VALUE),
                                     V16(VALUE),
                                     V16(VALUE)};

static bool is_all(cw_str s, uint8_t class)
{
    uint8_t all = class;
    for (size_t i = 0; i < s.len; i++) {
        all &= classes[(uint8_t)s.data[i]];
    }
    return all != 0;
}

static bool is_value(cw_str s)
{
    return s.len == 0 || (is_all(s, VALUE) && !is_blank(s.data[0]) && !is_blank(s.data[s.len - 1]));
}

static const char *const ours[] = {
    "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te",
    "host",       "date",       "content-length"};
static const char *const not_in_trailers[] = {"content-encoding", "content-type", "trailer"};

static bool is_one_of(cw_str name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (cw__name_is(name, names[i])) {
            return true;
        }
    }
    return false;
}

const char *cw__fields_refusal(cw_http_fields fields, bool are_trailers)
{
    for (size_t i = 0; i < fields.len; i++) {
        cw_str name = fields.data[i].name;
        if (name.len == 0 || !is_all(name, TOKEN)) {
            return "a field's name is not a token";
        }
        if (!is_value(fields.data[i].value)) {
            return "a field's value holds characters that it must not";
        }
        if (is_one_of(name, ours, sizeof ours / sizeof ours[0])) {
            return "a field is the library's to write";
        }
        if (are_trailers &&
            is_one_of(name, not_in_trailers, sizeof not_in_trailers / sizeof not_in_trailers[0])) {
            return "a field that must not be in trailers";
        }
    }
    return NULL;
}

bool cw__may_trail(cw_str name)
{
    static const char *const names[] = {"authorization",
                                        "cache-control",
                                        "connection",
                                        "content-encoding",
                                        "content-length",
                                        "content-range",
                                        "content-type",
                                        "cookie",
                                        "date",
                                        "expect",
                                        "host",
                                        "keep-alive",
                                        "max-forwards",
                                        "proxy-authenticate",
                                        "proxy-authorization",
                                        "proxy-connection",
                                        "range",
                                        "set-cookie",
                                        "te",
                                        "trailer",
                                        "transfer-encoding",
                                        "upgrade",
                                        "www-authenticate"};
    return !is_one_of(name, names, sizeof names / sizeof names[0]);
}
