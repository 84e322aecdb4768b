/* SPDX-License-Identifier: MIT */
/* json_read_number.c: numbers, booleans, enums, and map keys that stand for them. */
#include "json_reader.h"

#include <assert.h>

#include "number.h"

/* An integer before its field's range is looked at. */
typedef struct integer {
    uint64_t magnitude;
    bool negative;
} integer;

static const char expected_integer[] = "expected an integer";
static const char expected_number[] = "expected a number";

/* ---- integers ---------------------------------------------------------------------------------
 */

/* The failure of a number that was parsed from `at`. */
static const char *fail_number(cw__json_reader *r, cw__number_status st, const char *at,
                               const char *detail)
{
    switch (st) {
    case CW__NUMBER_RANGE:
        return cw__json_fail(r, CW_ERR_RANGE, at, NULL);
    case CW__NUMBER_FRACTION:
        return cw__json_fail(r, CW_ERR_TYPE, at, detail);
    case CW__NUMBER_NONE:
    case CW__NUMBER_OK: /* the number ended too early */
        break;
    }
    return cw__json_fail(r, CW_ERR_SYNTAX, at, detail);
}

/* Any spelling of an integer in a string; p is at its quote. */
static const char *integer_in_quotes(cw__json_reader *r, const char *p, integer *v)
{
    cw_str text;
    const char *next = cw__json_view(r, p, &text, expected_integer);
    if (!next) {
        return NULL;
    }
    const char *end = text.data + text.len;
    cw__number_status st;
    const char *q = cw__parse_integer_text(text.data, end, &v->negative, &v->magnitude, &st);
    if (st == CW__NUMBER_NONE || q != end) {
        return cw__json_fail(r, CW_ERR_TYPE, p, expected_integer);
    }
    return st == CW__NUMBER_OK ? next : fail_number(r, st, p, expected_integer);
}

/* An integer in any of ProtoJSON's spellings: 7, "7", 7.0, "7e0". */
static const char *get_integer(cw__json_reader *r, const char *p, integer *v)
{
    assert(p < r->end);
    bool quoted = *p == '"';
    const char *digits = p + quoted;
    v->negative = *digits == '-';
    digits += v->negative;
    const char *q = cw__json_plain_long(r, digits, &v->magnitude);
    if (CW_LIKELY(q && (!quoted || *q == '"'))) {
        return q + quoted;
    }
    if (quoted) {
        return integer_in_quotes(r, p, v);
    }
    cw__number_status st;
    q = cw__parse_integer_text(p, r->end, &v->negative, &v->magnitude, &st);
    if (st == CW__NUMBER_NONE) {
        return *p == '-' ? fail_number(r, st, p + 1, expected_integer)
                         : cw__json_fail_value(r, p, expected_integer);
    }
    if (!cw__json_is_delimiter(*q)) {
        return fail_number(r, CW__NUMBER_OK, q, expected_integer);
    }
    return st == CW__NUMBER_OK ? q : fail_number(r, st, p, expected_integer);
}

/* Is v in [-below, above]? */
static bool in_range(const integer *v, uint64_t below, uint64_t above)
{
    return v->magnitude <= (v->negative ? below : above);
}

/* The two's complement of v, whose range has been checked. */
static int64_t signed_value(const integer *v)
{
    return v->negative ? -(int64_t)(v->magnitude - (v->magnitude > 0)) - (v->magnitude > 0)
                       : (int64_t)v->magnitude;
}

/* An integer in [-below, above]; NULL: failed. */
static const char *get_ranged(cw__json_reader *r, const char *p, integer *v, uint64_t below,
                              uint64_t above)
{
    const char *q = get_integer(r, p, v);
    if (q && CW_UNLIKELY(!in_range(v, below, above))) {
        return cw__json_fail(r, CW_ERR_RANGE, p, NULL);
    }
    return q;
}

#define BELOW_32 ((uint64_t)1 << 31)
#define BELOW_64 ((uint64_t)1 << 63)

const char *cw__json_get_uint32_slow(cw__json_reader *r, const char *p, uint32_t *v)
{
    integer x;
    p = get_ranged(r, p, &x, 0, UINT32_MAX);
    if (p) {
        *v = (uint32_t)x.magnitude;
    }
    return p;
}

const char *cw__json_get_uint64_slow(cw__json_reader *r, const char *p, uint64_t *v)
{
    integer x;
    p = get_ranged(r, p, &x, 0, UINT64_MAX);
    if (p) {
        *v = x.magnitude;
    }
    return p;
}

const char *cw__json_get_int32_slow(cw__json_reader *r, const char *p, int32_t *v)
{
    integer x;
    p = get_ranged(r, p, &x, BELOW_32, BELOW_32 - 1);
    if (p) {
        *v = (int32_t)signed_value(&x);
    }
    return p;
}

const char *cw__json_get_int64_slow(cw__json_reader *r, const char *p, int64_t *v)
{
    integer x;
    p = get_ranged(r, p, &x, BELOW_64, BELOW_64 - 1);
    if (p) {
        *v = signed_value(&x);
    }
    return p;
}

/* ---- doubles, floats --------------------------------------------------------------------------
 */

/* NaN, Infinity, -Infinity: false when the text is none of them. */
static bool special_number(cw_str text, double *v)
{
    static const struct {
        cw_str name;
        uint64_t bits;
    } specials[] = {{CW_STR_INIT("NaN"), 0x7ff8000000000000u},
                    {CW_STR_INIT("Infinity"), 0x7ff0000000000000u},
                    {CW_STR_INIT("-Infinity"), 0xfff0000000000000u}};
    for (size_t i = 0; i < sizeof specials / sizeof specials[0]; i++) {
        if (cw_str_equal(text, specials[i].name)) {
            memcpy(v, &specials[i].bits, sizeof *v);
            return true;
        }
    }
    return false;
}

/* Text [p, end) as a double or, in *narrow when it is not NULL, a float. */
static const char *parse_real(const char *p, const char *end, double *wide, float *narrow,
                              cw__number_status *st)
{
    return narrow ? cw__parse_float(p, end, narrow, st) : cw__parse_double(p, end, wide, st);
}

static const char *real_in_quotes(cw__json_reader *r, const char *p, double *wide, float *narrow)
{
    cw_str text;
    const char *next = cw__json_view(r, p, &text, expected_number);
    if (!next) {
        return NULL;
    }
    double special;
    if (special_number(text, &special)) {
        if (narrow) {
            *narrow = (float)special;
        } else {
            *wide = special;
        }
        return next;
    }
    cw__number_status st;
    const char *end = text.data + text.len;
    if (parse_real(text.data, end, wide, narrow, &st) != end || st == CW__NUMBER_NONE) {
        return cw__json_fail(r, CW_ERR_TYPE, p, expected_number);
    }
    return st == CW__NUMBER_OK ? next : fail_number(r, st, p, expected_number);
}

CW_ALWAYS_INLINE const char *get_real(cw__json_reader *r, const char *p, double *wide,
                                      float *narrow)
{
    cw__number_status st;
    assert(p < r->end);
    if (CW_UNLIKELY(*p == '"')) {
        return real_in_quotes(r, p, wide, narrow);
    }
    const char *q = parse_real(p, r->end, wide, narrow, &st);
    if (CW_LIKELY(st == CW__NUMBER_OK && cw__json_is_delimiter(*q))) {
        return q;
    }
    if (st == CW__NUMBER_NONE) {
        return *p == '-' ? fail_number(r, st, p + 1, expected_number)
                         : cw__json_fail_value(r, p, expected_number);
    }
    return cw__json_is_delimiter(*q) ? fail_number(r, st, p, expected_number)
                                     : fail_number(r, CW__NUMBER_OK, q, expected_number);
}

const char *cw__json_get_double(cw__json_reader *r, const char *p, double *v)
{
    return get_real(r, p, v, NULL);
}

const char *cw__json_get_float(cw__json_reader *r, const char *p, float *v)
{
    return get_real(r, p, NULL, v);
}

/* ---- booleans, enums --------------------------------------------------------------------------
 */

const char *cw__json_get_bool(cw__json_reader *r, const char *p, bool *v)
{
    size_t left = (size_t)(r->end - p);
    if (left >= 4 && memcmp(p, "true", 4) == 0) {
        *v = true;
        return p + 4;
    }
    if (left >= 5 && memcmp(p, "false", 5) == 0) {
        *v = false;
        return p + 5;
    }
    return cw__json_fail_value(r, p, "expected true or false");
}

const char *cw__json_get_enum(cw__json_reader *r, const char *p, int32_t *v,
                              cw__enum_from_name *from_name, cw__enum_known *known, bool *ignored)
{
    assert(p < r->end);
    const char *start = p;
    bool found;
    *ignored = false;
    if (*p == '"') {
        cw_str name;
        p = cw__json_view(r, p, &name, NULL);
        found = p && from_name(name.data, name.len, v);
    } else if (*p != '-' && (unsigned)(unsigned char)*p - '0' > 9) {
        return cw__json_fail_value(r, p, "expected an enum value's name or number");
    } else {
        p = cw__json_get_int32(r, p, v);
        found = p && (!known || known(*v));
    }
    if (CW_LIKELY(found) || !p) {
        return p;
    }
    if (!r->ignore_unknown) {
        return cw__json_fail(r, CW_ERR_UNKNOWN_ENUM, start, NULL);
    }
    *ignored = true;
    return p;
}

/* ---- map keys ---------------------------------------------------------------------------------
 */

/* The key at p: an integer as it is printed, in [-below, above]. Returns p at the value. */
static const char *key_integer(cw__json_reader *r, const char *p, integer *v, uint64_t below,
                               uint64_t above)
{
    cw_str text;
    if (p >= r->end || *p != '"') {
        return cw__json_fail(r, CW_ERR_SYNTAX, p, "expected a key in quotes");
    }
    const char *next = cw__json_view(r, p, &text, NULL);
    if (!next) {
        return NULL;
    }
    /* Only digits and '-': no fraction, no exponent. */
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned)(unsigned char)text.data[i] - '0' >= 10 && text.data[i] != '-') {
            return cw__json_fail(r, CW_ERR_TYPE, p, expected_integer);
        }
    }
    cw__number_status st;
    const char *end = text.data + text.len;
    const char *q = cw__parse_integer_text(text.data, end, &v->negative, &v->magnitude, &st);
    if (st == CW__NUMBER_NONE || q != end) {
        return cw__json_fail(r, CW_ERR_TYPE, p, expected_integer);
    }
    if (st != CW__NUMBER_OK || !in_range(v, below, above)) {
        return cw__json_fail(r, CW_ERR_RANGE, p, NULL);
    }
    return cw__json_colon(r, next);
}

const char *cw__json_map_key_int32(cw__json_reader *r, const char *p, int32_t *v)
{
    integer x;
    p = key_integer(r, p, &x, BELOW_32, BELOW_32 - 1);
    if (p) {
        *v = (int32_t)signed_value(&x);
    }
    return p;
}

const char *cw__json_map_key_int64(cw__json_reader *r, const char *p, int64_t *v)
{
    integer x;
    p = key_integer(r, p, &x, BELOW_64, BELOW_64 - 1);
    if (p) {
        *v = signed_value(&x);
    }
    return p;
}

const char *cw__json_map_key_uint32(cw__json_reader *r, const char *p, uint32_t *v)
{
    integer x;
    p = key_integer(r, p, &x, 0, UINT32_MAX);
    if (p) {
        *v = (uint32_t)x.magnitude;
    }
    return p;
}

const char *cw__json_map_key_uint64(cw__json_reader *r, const char *p, uint64_t *v)
{
    integer x;
    p = key_integer(r, p, &x, 0, UINT64_MAX);
    if (p) {
        *v = x.magnitude;
    }
    return p;
}

const char *cw__json_map_key_bool(cw__json_reader *r, const char *p, bool *v)
{
    cw_str text;
    if (p >= r->end || *p != '"') {
        return cw__json_fail(r, CW_ERR_SYNTAX, p, "expected a key in quotes");
    }
    const char *next = cw__json_view(r, p, &text, NULL);
    if (!next) {
        return NULL;
    }
    *v = cw_str_equal(text, CW_STR("true"));
    if (!*v && !cw_str_equal(text, CW_STR("false"))) {
        return cw__json_fail(r, CW_ERR_TYPE, p, "expected \"true\" or \"false\"");
    }
    return cw__json_colon(r, next);
}
