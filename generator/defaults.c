/* SPDX-License-Identifier: MIT */
/* defaults.c: see defaults.h. */
#include "defaults.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "literal.h"

static bool parse_signed(const char *s, int64_t *v)
{
    char *end;
    errno = 0;
    *v = strtoll(s, &end, 10);
    return errno == 0 && end != s && *end == '\0' && (*s == '-' || (*s >= '0' && *s <= '9'));
}

static bool parse_unsigned(const char *s, uint64_t *v)
{
    char *end;
    errno = 0;
    *v = strtoull(s, &end, 10);
    return errno == 0 && end != s && *end == '\0' && *s >= '0' && *s <= '9';
}

static bool set_int(cwg_field *f, const char *text, cwg_arena *a)
{
    int64_t v;
    bool wide = f->kind->is_64;
    if (!parse_signed(text, &v) || (!wide && (v < INT32_MIN || v > INT32_MAX)))
        return false;
    f->default_nonzero = v != 0;
    if (v == INT64_MIN)
        f->default_c = "INT64_MIN";
    else if (!wide && v == INT32_MIN)
        f->default_c = "INT32_MIN";
    else
        f->default_c = cwg_printf(a, wide ? "INT64_C(%" PRId64 ")" : "%" PRId64, v);
    return true;
}

static bool set_uint(cwg_field *f, const char *text, cwg_arena *a)
{
    uint64_t v;
    bool wide = f->kind->is_64;
    if (!parse_unsigned(text, &v) || (!wide && v > UINT32_MAX))
        return false;
    f->default_nonzero = v != 0;
    f->default_c = cwg_printf(a, wide ? "UINT64_C(%" PRIu64 ")" : "%" PRIu64 "u", v);
    return true;
}

static bool set_float(cwg_field *f, const char *text, cwg_arena *a)
{
    bool wide = f->kind->id == CWG_KIND_DOUBLE;
    char *end;
    double v = strtod(text, &end); /* the program never leaves the C locale */
    if (end == text || *end != '\0')
        return false;
    if (!wide)
        v = (double)(float)v;
    f->default_nonzero = v != 0 || signbit(v);
    if (isnan(v) || isinf(v)) {
        /* By bits: generated code has no math.h, and an overflowing product is no infinity where
         * floats are computed as doubles (s390x). */
        const char *bits = isnan(v) ? wide ? "UINT64_C(0x7ff8000000000000)" : "0x7fc00000u"
                           : v < 0  ? wide ? "UINT64_C(0xfff0000000000000)" : "0xff800000u"
                           : wide   ? "UINT64_C(0x7ff0000000000000)"
                                    : "0x7f800000u";
        f->default_c = cwg_printf(a, "cw__%s_of_bits(%s)", wide ? "double" : "float", bits);
        return true;
    }
    char digits[40];
    snprintf(digits, sizeof digits, wide ? "%.17g" : "%.9g", v);
    f->default_c =
        cwg_printf(a, "%s%s%s", digits, strpbrk(digits, ".e") ? "" : ".0", wide ? "" : "f");
    return true;
}

static bool set_bool(cwg_field *f, const char *text)
{
    f->default_nonzero = strcmp(text, "true") == 0;
    f->default_c = f->default_nonzero ? "true" : "false";
    return f->default_nonzero || strcmp(text, "false") == 0;
}

static int digit(char c, int base)
{
    int v = c >= '0' && c <= '9'   ? c - '0'
            : c >= 'a' && c <= 'f' ? c - 'a' + 10
            : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                   : 99;
    return v < base ? v : -1;
}

/* One escape at *s, behind the backslash; -1: malformed. */
static int unescape_one(const char **s)
{
    static const char from[] = "abfnrtv\\'\"?";
    static const char to[] = "\a\b\f\n\r\t\v\\'\"?";
    char c = *(*s)++;
    const char *at = c ? strchr(from, c) : NULL;
    if (at)
        return (unsigned char)to[at - from];
    bool hex = c == 'x' || c == 'X';
    int base = hex ? 16 : 8;
    int most = hex ? 2 : 3;
    int v = 0, n = 0;
    if (!hex)
        (*s)--;
    for (; n < most && digit(**s, base) >= 0; n++)
        v = v * base + digit(*(*s)++, base);
    return n > 0 && v < 256 ? v : -1;
}

/* Bytes defaults come C-escaped. */
static bool unescape(const char *text, char *to, size_t *len)
{
    *len = 0;
    while (*text) {
        int c = (unsigned char)*text++;
        if (c == '\\') {
            if (*text == '\0')
                return false;
            c = unescape_one(&text);
            if (c < 0)
                return false;
        }
        to[(*len)++] = (char)c;
    }
    return true;
}

static bool set_text(cwg_field *f, const char *text, cwg_arena *a)
{
    size_t len = strlen(text);
    char *data = cwg_dup(a, text);
    if (f->kind->id == CWG_KIND_BYTES && !unescape(text, data, &len))
        return false;
    f->default_data = data;
    f->default_len = len;
    f->default_nonzero = len != 0;
    char *literal = cwg_new(a, cwg_literal_size(len), 1);
    cwg_literal_write(literal, data, len);
    if (f->kind->id == CWG_KIND_BYTES)
        f->default_c = cwg_printf(a, "cw_bytes_of(%s, %zu)", literal, len);
    else
        f->default_c = cwg_printf(a, "CW_STR(%s)", literal);
    return true;
}

/* Without a default, a closed enum's first value is it. */
static bool set_enum(cwg_field *f, const char *text)
{
    const cwg_enum *e = f->enum_type;
    f->default_value = &e->values[0];
    for (int i = 0; text; i++) {
        if (i == e->n_values)
            return false;
        if (strcmp(e->values[i].name, text) == 0) {
            f->default_value = &e->values[i];
            break;
        }
    }
    f->default_nonzero = f->default_value->number != 0;
    f->has_default = text || f->default_nonzero;
    if (f->has_default)
        f->default_proto = f->default_value->name;
    return true;
}

bool cwg_default_set(cwg_field *f, const char *text, cwg_arena *a)
{
    bool plural = f->shape == CWG_REPEATED || f->shape == CWG_MAP;
    if (f->kind->id == CWG_KIND_MESSAGE)
        return !text;
    if (f->kind->id == CWG_KIND_ENUM && !plural)
        return set_enum(f, text);
    f->default_c = f->kind->zero;
    f->default_data = "";
    if (!text)
        return true;
    if (plural)
        return false;
    f->has_default = true;
    f->default_proto = cwg_dup(a, text);
    if (f->kind->id == CWG_KIND_BOOL)
        return set_bool(f, text);
    if (f->kind->is_float)
        return set_float(f, text, a);
    if (f->kind->wire == CWG_WIRE_LEN)
        return set_text(f, text, a);
    return f->kind->is_signed ? set_int(f, text, a) : set_uint(f, text, a);
}
