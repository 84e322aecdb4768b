/* SPDX-License-Identifier: MIT */
/* text_parse_value.c: scalars of the text format. */
#include "text_reader.h"

#include <assert.h>

#include "number.h"

/* An integer before its field's range is looked at. */
typedef struct integer {
    uint64_t magnitude;
    bool negative;
} integer;

static const char expected_integer[] = "expected an integer";
static const char expected_number[] = "expected a number";

bool cw__text_fail_value(cw__text_reader *r, const char *detail)
{
    bool value = r->token.kind != CW__TEXT_END && r->token.kind != CW__TEXT_SYMBOL;
    if (r->token.kind == CW__TEXT_SYMBOL) {
        value = strchr("-{<[", *r->token.at) != NULL;
    }
    return cw__text_fail(r, value ? CW_ERR_TYPE : CW_ERR_SYNTAX, r->token.at, detail);
}

static cw_str token_text(const cw__text_reader *r)
{
    return cw_str_of(r->token.at, (size_t)(r->token.end - r->token.at));
}

/* ---- integers ---------------------------------------------------------------------------------
 */

/* The value of an integer's token; false: more than 64 bits. */
static bool magnitude(const char *p, const char *end, uint64_t *v)
{
    uint64_t base = 10, x = 0;
    if (*p == '0' && end - p > 1) {
        bool hex = p[1] == 'x' || p[1] == 'X';
        base = hex ? 16 : 8;
        p += hex ? 2 : 1;
    }
    for (; p < end; p++) {
        uint64_t digit = (uint64_t)cw__text_hex(*p);
        if (x > (UINT64_MAX - digit) / base) {
            return false;
        }
        x = x * base + digit;
    }
    *v = x;
    return true;
}

/* An integer in [-below, above]; `negative` ones are none of an unsigned field (below is 0), also
 * -0. */
static bool get_integer(cw__text_reader *r, integer *v, uint64_t below, uint64_t above)
{
    const char *at = r->token.at;
    v->negative = cw__text_take(r, '-');
    if (r->token.kind != CW__TEXT_INT) {
        return cw__text_fail_value(r, expected_integer);
    }
    if (!magnitude(r->token.at, r->token.end, &v->magnitude) ||
        v->magnitude > (v->negative ? below : above) || (v->negative && below == 0)) {
        return cw__text_fail(r, CW_ERR_RANGE, at, NULL);
    }
    cw__text_next(r);
    return true;
}

static bool get_signed(cw__text_reader *r, int64_t *v, uint64_t most)
{
    integer x;
    if (!get_integer(r, &x, most + 1, most)) {
        return false;
    }
    *v = x.negative && x.magnitude > 0 ? -(int64_t)(x.magnitude - 1) - 1 : (int64_t)x.magnitude;
    return true;
}

static bool get_int32(cw__text_reader *r, void *to)
{
    int64_t x;
    if (!get_signed(r, &x, INT32_MAX)) {
        return false;
    }
    int32_t v = (int32_t)x;
    memcpy(to, &v, sizeof v);
    return true;
}

static bool get_int64(cw__text_reader *r, void *to)
{
    int64_t v;
    if (!get_signed(r, &v, INT64_MAX)) {
        return false;
    }
    memcpy(to, &v, sizeof v);
    return true;
}

static bool get_uint32(cw__text_reader *r, void *to)
{
    integer x;
    if (!get_integer(r, &x, 0, UINT32_MAX)) {
        return false;
    }
    uint32_t v = (uint32_t)x.magnitude;
    memcpy(to, &v, sizeof v);
    return true;
}

static bool get_uint64(cw__text_reader *r, void *to)
{
    integer x;
    if (!get_integer(r, &x, 0, UINT64_MAX)) {
        return false;
    }
    memcpy(to, &x.magnitude, sizeof x.magnitude);
    return true;
}

/* ---- booleans, enums --------------------------------------------------------------------------
 */

static bool is_one_of(cw_str text, const char *a, const char *b, const char *c)
{
    return cw_str_equal(text, cw_str_from(a)) || cw_str_equal(text, cw_str_from(b)) ||
           cw_str_equal(text, cw_str_from(c));
}

static bool get_bool(cw__text_reader *r, void *to)
{
    bool v = false;
    if (r->token.kind == CW__TEXT_INT) {
        integer x;
        if (!get_integer(r, &x, 0, 1)) {
            return false;
        }
        v = x.magnitude == 1;
    } else {
        bool word = r->token.kind == CW__TEXT_IDENT;
        v = word && is_one_of(token_text(r), "true", "True", "t");
        if (!v && !(word && is_one_of(token_text(r), "false", "False", "f"))) {
            return cw__text_fail_value(r, "expected true or false");
        }
        cw__text_next(r);
    }
    memcpy(to, &v, sizeof v);
    return true;
}

static bool find_name(const cw_enum *e, cw_str name, int32_t *v)
{
    for (uint32_t i = 0; i < e->n_values; i++) {
        if (strncmp(e->values[i].name, name.data, name.len) == 0 &&
            e->values[i].name[name.len] == 0) {
            *v = e->values[i].number;
            return true;
        }
    }
    return false;
}

static bool find_number(const cw_enum *e, int32_t v)
{
    for (uint32_t i = 0; i < e->n_values; i++) {
        if (e->values[i].number == v) {
            return true;
        }
    }
    return false;
}

static bool get_enum(cw__text_reader *r, const cw_field *f, void *to, bool *ignored)
{
    const char *at = r->token.at;
    int32_t v = 0;
    bool known;
    if (r->token.kind == CW__TEXT_IDENT) {
        known = find_name(f->enum_type, token_text(r), &v);
        cw__text_next(r);
    } else if (r->token.kind == CW__TEXT_INT || cw__text_is(r, '-')) {
        if (!get_int32(r, &v)) {
            return false;
        }
        known = !f->closed_enum || find_number(f->enum_type, v);
    } else {
        return cw__text_fail_value(r, "expected an enum value's name or number");
    }
    if (known) {
        memcpy(to, &v, sizeof v);
    } else if (!r->ignore_unknown) {
        return cw__text_fail(r, CW_ERR_UNKNOWN_ENUM, at, NULL);
    }
    *ignored = !known;
    return true;
}

/* ---- floats, doubles --------------------------------------------------------------------------
 */

/* Is the token this word, in letters of any case? `word` is in lower case. */
static bool is_word(cw_str text, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i < n && n == text.len; i++) {
        if ((text.data[i] | 0x20) != word[i]) {
            return false;
        }
    }
    return n == text.len;
}

/* inf, infinity, nan: the bits of the double; 0: none of them. */
static uint64_t special_bits(cw_str text)
{
    if (is_word(text, "inf") || is_word(text, "infinity")) {
        return 0x7ff0000000000000u;
    }
    return is_word(text, "nan") ? 0x7ff8000000000000u : 0;
}

bool cw__text_is_special(const cw__text_reader *r)
{
    return r->token.kind == CW__TEXT_IDENT && special_bits(token_text(r)) != 0;
}

/*
 * The number as the parser for JSON takes it: a digit on both sides of the point. *from is it: the
 * token itself, or a copy in the free room of the arena. False: no memory.
 */
static bool normal_number(cw__text_reader *r, const char **from, const char **end)
{
    const char *s = *from, *point = memchr(s, '.', (size_t)(*end - s));
    bool bare_front = point == s;
    bool bare_back = point && (point + 1 == *end || !cw__text_is_digit(point[1]));
    if (!bare_front && !bare_back) {
        return true;
    }
    if (!cw__arena_room(r->arena, (size_t)(*end - s) + 2)) {
        return cw__text_fail_memory(r, s);
    }
    char *copy = r->arena->ptr, *p = copy;
    if (bare_front) {
        *p++ = '0';
    }
    size_t n = (size_t)(point + 1 - s);
    memcpy(p, s, n);
    p += n;
    if (bare_back) {
        *p++ = '0';
    }
    n = (size_t)(*end - point) - 1;
    memcpy(p, point + 1, n);
    *from = copy;
    *end = p + n;
    return true;
}

/* The digits of the token, which may end with an f, as a double or (not NULL) a float. What is too
 * large is infinite. */
static bool parse_digits(cw__text_reader *r, double *wide, float *narrow)
{
    const char *s = r->token.at, *end = r->token.end;
    if (r->token.kind == CW__TEXT_FLOAT) {
        end -= end[-1] == 'f' || end[-1] == 'F';
    } else if (*s == '0' && end - s > 1) {
        return cw__text_fail(r, CW_ERR_TYPE, s, "expected a decimal number");
    }
    if (!normal_number(r, &s, &end)) {
        return false;
    }
    cw__number_status st;
    const char *p =
        narrow ? cw__parse_float(s, end, narrow, &st) : cw__parse_double(s, end, wide, &st);
    assert(p == end && st != CW__NUMBER_NONE);
    (void)p;
    return true;
}

static bool get_real(cw__text_reader *r, double *wide, float *narrow)
{
    bool negative = cw__text_take(r, '-');
    if (cw__text_is_special(r)) {
        uint64_t bits = special_bits(token_text(r));
        memcpy(wide, &bits, sizeof *wide);
        if (narrow) {
            *narrow = (float)*wide;
        }
    } else if (r->token.kind != CW__TEXT_INT && r->token.kind != CW__TEXT_FLOAT) {
        return cw__text_fail_value(r, expected_number);
    } else if (!parse_digits(r, wide, narrow)) {
        return false;
    }
    if (negative && narrow) {
        *narrow = -*narrow;
    } else if (negative) {
        *wide = -*wide;
    }
    cw__text_next(r);
    return true;
}

static bool get_double(cw__text_reader *r, void *to)
{
    double v = 0;
    if (!get_real(r, &v, NULL)) {
        return false;
    }
    memcpy(to, &v, sizeof v);
    return true;
}

static bool get_float(cw__text_reader *r, void *to)
{
    double wide = 0;
    float v = 0;
    if (!get_real(r, &wide, &v)) {
        return false;
    }
    memcpy(to, &v, sizeof v);
    return true;
}

/* ---- strings ----------------------------------------------------------------------------------
 */

/* The string's text without its quotes and escapes to p; returns where it ends. */
static char *unescape(cw__text_token token, char *p)
{
    const char *s = token.at + 1, *end = token.end - 1;
    for (;;) {
        const char *stop = memchr(s, '\\', (size_t)(end - s));
        size_t run = (size_t)((stop ? stop : end) - s);
        memcpy(p, s, run);
        p += run;
        if (!stop) {
            return p;
        }
        size_t n = 0;
        const char *why;
        s = cw__text_escape(stop, end, p, &n, &why);
        assert(s); /* the lexer has looked at it */
        p += n;
    }
}

/* One or more strings, which are one value, in the arena with a NUL behind. */
static bool get_text(cw__text_reader *r, const char *detail, char **data, size_t *len)
{
    if (r->token.kind != CW__TEXT_STRING) {
        return cw__text_fail_value(r, detail);
    }
    cw__text_token first = r->token;
    size_t most = 1;
    do {
        most += (size_t)(r->token.end - r->token.at);
        cw__text_next(r);
    } while (r->token.kind == CW__TEXT_STRING);
    if (r->token.kind == CW__TEXT_BAD && (*r->token.at == '"' || *r->token.at == '\'')) {
        return cw__text_fail_value(r, detail); /* one more string, a bad one */
    }
    if (!cw__arena_room(r->arena, most)) {
        return cw__text_fail_memory(r, first.at);
    }
    cw__text_token behind = r->token;
    char *p = r->arena->ptr;
    *data = p;
    for (r->token = first; r->token.at != behind.at; cw__text_next(r)) {
        p = unescape(r->token, p);
    }
    *p = 0;
    *len = (size_t)(p - *data);
    cw__arena_take_front(r->arena, p + 1);
    return true;
}

static bool get_string(cw__text_reader *r, void *to)
{
    const char *at = r->token.at;
    char *data;
    size_t len;
    if (!get_text(r, "expected a string", &data, &len)) {
        return false;
    }
    if (!cw__utf8_valid(data, len)) {
        return cw__text_fail(r, CW_ERR_UTF8, at, NULL);
    }
    cw_str v = cw_str_of(data, len);
    memcpy(to, &v, sizeof v);
    return true;
}

static bool get_bytes(cw__text_reader *r, void *to)
{
    char *data;
    size_t len;
    if (!get_text(r, "expected a string of bytes", &data, &len)) {
        return false;
    }
    cw_bytes v = cw_bytes_of(data, len);
    memcpy(to, &v, sizeof v);
    return true;
}

/* ---- all --------------------------------------------------------------------------------------
 */

bool cw__text_value(cw__text_reader *r, const cw_field *f, void *to, bool *ignored)
{
    *ignored = false;
    switch (f->kind) {
    case CW_KIND_DOUBLE:
        return get_double(r, to);
    case CW_KIND_FLOAT:
        return get_float(r, to);
    case CW_KIND_INT64:
    case CW_KIND_SFIXED64:
    case CW_KIND_SINT64:
        return get_int64(r, to);
    case CW_KIND_UINT64:
    case CW_KIND_FIXED64:
        return get_uint64(r, to);
    case CW_KIND_INT32:
    case CW_KIND_SFIXED32:
    case CW_KIND_SINT32:
        return get_int32(r, to);
    case CW_KIND_UINT32:
    case CW_KIND_FIXED32:
        return get_uint32(r, to);
    case CW_KIND_BOOL:
        return get_bool(r, to);
    case CW_KIND_ENUM:
        return get_enum(r, f, to, ignored);
    case CW_KIND_STRING:
        return get_string(r, to);
    case CW_KIND_BYTES:
        return get_bytes(r, to);
    case CW_KIND_GROUP:
    case CW_KIND_MESSAGE:
        break;
    }
    return cw__text_fail_value(r, "expected no message"); /* not called for these */
}
