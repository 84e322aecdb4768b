/* SPDX-License-Identifier: MIT */
/* The JSON reader's values: numbers, strings, bytes, enums, booleans, null, map keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json_message.h"

/*
 * `{"KEY":VALUE` with each of these behind it: values near the end of the text take other paths
 * than those with room behind them.
 */
static const char *const tails[] = {"}", " \n}", ",\"short_name\":\"y\"}",
                                    "                                                 }"};
#define TAILS (sizeof tails / sizeof tails[0])

/* Parses `{"KEY":VALUE` + tails[tail]; e.offset is made relative to the value. */
static cw_status parse_value(message *m, const char *key, cw_str value, size_t tail, cw_arena *a,
                             const cw_json_parse_options *o, cw_error *e)
{
    size_t size = strlen(key) + value.len + strlen(tails[tail]) + 8;
    char *text = malloc(size);
    assert_non_null(text);
    size_t start = (size_t)snprintf(text, size, "{\"%s\":", key);
    memcpy(text + start, value.data, value.len);
    memcpy(text + start + value.len, tails[tail], strlen(tails[tail]));
    memset(e, 0, sizeof *e);
    cw_status st = message_from_json(m, text, start + value.len + strlen(tails[tail]), a, o, e);
    if (st != CW_OK) {
        e->offset -= start;
    }
    free(text);
    return st;
}

/* ---- integers ---------------------------------------------------------------------------------
 */

typedef struct integer_row {
    int line;
    const char *text;
    cw_status status; /* with CW_OK: */
    int64_t value;    /* unsigned ones as their two's complement; with an error: its offset */
} integer_row;

/* Spellings that all four integer types treat alike. */
static const integer_row spellings[] = {
    {__LINE__, "0", CW_OK, 0},
    {__LINE__, "-0", CW_OK, 0},
    {__LINE__, "7", CW_OK, 7},
    {__LINE__, "1234567890", CW_OK, 1234567890},
    {__LINE__, "2147483647", CW_OK, INT32_MAX},
    {__LINE__, "\"0\"", CW_OK, 0},
    {__LINE__, "\"-0\"", CW_OK, 0},
    {__LINE__, "\"42\"", CW_OK, 42},
    {__LINE__, "\"\\u0034\\u0032\"", CW_OK, 42},
    {__LINE__, "1e3", CW_OK, 1000}, /* B45 */
    {__LINE__, "1E+3", CW_OK, 1000},
    {__LINE__, "100.0", CW_OK, 100},
    {__LINE__, "\"1e5\"", CW_OK, 100000},
    {__LINE__, "\"100.000\"", CW_OK, 100},
    {__LINE__, "1.5e1", CW_OK, 15},
    {__LINE__, "20e-1", CW_OK, 2},
    {__LINE__, "0e99999999999", CW_OK, 0},
    {__LINE__, "0.000e5", CW_OK, 0},
    {__LINE__, "00", CW_ERR_SYNTAX, 1},
    {__LINE__, "01", CW_ERR_SYNTAX, 1},
    {__LINE__, "-01", CW_ERR_SYNTAX, 2},
    {__LINE__, "0.5", CW_ERR_TYPE, 0},
    {__LINE__, "1e-1", CW_ERR_TYPE, 0},
    {__LINE__, "\"0.5\"", CW_ERR_TYPE, 0},
    {__LINE__, "-", CW_ERR_SYNTAX, 1},
    {__LINE__, "--1", CW_ERR_SYNTAX, 1},
    {__LINE__, "+1", CW_ERR_SYNTAX, 0},
    {__LINE__, ".5", CW_ERR_SYNTAX, 0},
    {__LINE__, "1.", CW_ERR_SYNTAX, 1},
    {__LINE__, "1.x", CW_ERR_SYNTAX, 1},
    {__LINE__, "1e", CW_ERR_SYNTAX, 1},
    {__LINE__, "1e+", CW_ERR_SYNTAX, 1},
    {__LINE__, "0x10", CW_ERR_SYNTAX, 1},
    {__LINE__, "x", CW_ERR_SYNTAX, 0},
    {__LINE__, "\"-\"", CW_ERR_TYPE, 0},
    {__LINE__, "\"\"", CW_ERR_TYPE, 0},
    {__LINE__, "\" 1\"", CW_ERR_TYPE, 0},
    {__LINE__, "\"1 \"", CW_ERR_TYPE, 0},
    {__LINE__, "\"+1\"", CW_ERR_TYPE, 0},
    {__LINE__, "\"01\"", CW_ERR_TYPE, 0},
    {__LINE__, "\"0x10\"", CW_ERR_TYPE, 0},
    {__LINE__, "\"1,000\"", CW_ERR_TYPE, 0},
    {__LINE__, "\"1\\u0000\"", CW_ERR_TYPE, 0},
    {__LINE__, "\"NaN\"", CW_ERR_TYPE, 0},
    {__LINE__, "\"abcdefghijklmnopqrstuvwxyz\"", CW_ERR_TYPE, 0},
    {__LINE__, "true", CW_ERR_TYPE, 0},
    {__LINE__, "{}", CW_ERR_TYPE, 0},
    {__LINE__, "[1]", CW_ERR_TYPE, 0},
    {__LINE__, "1e20", CW_ERR_RANGE, 0},
    {__LINE__, "18446744073709551616", CW_ERR_RANGE, 0},
    {__LINE__, "\"18446744073709551616\"", CW_ERR_RANGE, 0},
    {__LINE__, "-9223372036854775809", CW_ERR_RANGE, 0},
    {__LINE__, "99999999999999999999999999999999999999", CW_ERR_RANGE, 0},
    {__LINE__, "1e99999999999999999999", CW_ERR_RANGE, 0},
};

static const integer_row int32_rows[] = {
    {__LINE__, "-2147483648", CW_OK, INT32_MIN},
    {__LINE__, "\"-2147483648\"", CW_OK, INT32_MIN},
    {__LINE__, "-2.147483648e9", CW_OK, INT32_MIN},
    {__LINE__, "-1", CW_OK, -1},
    {__LINE__, "\"-1\"", CW_OK, -1},
    {__LINE__, "2147483648", CW_ERR_RANGE, 0},
    {__LINE__, "-2147483649", CW_ERR_RANGE, 0},
    {__LINE__, "\"2147483648\"", CW_ERR_RANGE, 0},
    {__LINE__, "4294967297", CW_ERR_RANGE, 0},
};

static const integer_row uint32_rows[] = {
    {__LINE__, "4294967295", CW_OK, UINT32_MAX},
    {__LINE__, "\"4294967295\"", CW_OK, UINT32_MAX},
    {__LINE__, "4294967295.0", CW_OK, UINT32_MAX},
    {__LINE__, "4294967296", CW_ERR_RANGE, 0},
    {__LINE__, "-1", CW_ERR_RANGE, 0},
    {__LINE__, "\"-1\"", CW_ERR_RANGE, 0},
    {__LINE__, "9999999999999999999", CW_ERR_RANGE, 0},
};

static const integer_row int64_rows[] = {
    {__LINE__, "9223372036854775807", CW_OK, INT64_MAX},
    {__LINE__, "\"9223372036854775807\"", CW_OK, INT64_MAX},
    {__LINE__, "-9223372036854775808", CW_OK, INT64_MIN},
    {__LINE__, "\"-9223372036854775808\"", CW_OK, INT64_MIN},
    {__LINE__, "-9223372036854775807", CW_OK, -INT64_MAX},
    {__LINE__, "-1", CW_OK, -1},
    {__LINE__, "9223372036854775807.0", CW_OK, INT64_MAX},
    {__LINE__, "9223372036854775808", CW_ERR_RANGE, 0},
    {__LINE__, "\"9223372036854775808\"", CW_ERR_RANGE, 0},
    {__LINE__, "\"-9223372036854775809\"", CW_ERR_RANGE, 0},
};

static const integer_row uint64_rows[] = {
    {__LINE__, "18446744073709551615", CW_OK, -1},
    {__LINE__, "\"18446744073709551615\"", CW_OK, -1},
    {__LINE__, "9999999999999999999", CW_OK, -8446744073709551617},
    {__LINE__, "10000000000000000000", CW_OK, -8446744073709551616},
    {__LINE__, "1844674407370955161.5e1", CW_OK, -1},
    {__LINE__, "-1", CW_ERR_RANGE, 0},
    {__LINE__, "\"-1\"", CW_ERR_RANGE, 0},
};

static void check_integers(const char *key, const integer_row *rows, size_t n)
{
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t i = 0; i < n; i++) {
        for (size_t tail = 0; tail < TAILS; tail++) {
            message m;
            cw_error e;
            cw_status st = parse_value(&m, key, cw_str_from(rows[i].text), tail, &a, NULL, &e);
            int64_t value = *key == 'n'                ? m.n
                            : strcmp(key, "u") == 0    ? (int64_t)m.u
                            : strcmp(key, "ubig") == 0 ? (int64_t)m.ubig
                                                       : m.big;
            value = st == CW_OK ? value : (int64_t)e.offset;
            if (st != rows[i].status || value != rows[i].value) {
                fail_msg("line %d, %s, tail %zu: %s, %lld", rows[i].line, key, tail,
                         cw_status_name(st), (long long)value);
            }
        }
    }
    cw_arena_free(&a);
}

#define CHECK_INTEGERS(key, rows) check_integers(key, rows, sizeof(rows) / sizeof(rows)[0])

static void integers(void **state)
{
    (void)state;
    CHECK_INTEGERS("n", spellings);
    CHECK_INTEGERS("u", spellings);
    CHECK_INTEGERS("big", spellings);
    CHECK_INTEGERS("ubig", spellings);
    CHECK_INTEGERS("n", int32_rows);
    CHECK_INTEGERS("u", uint32_rows);
    CHECK_INTEGERS("big", int64_rows);
    CHECK_INTEGERS("ubig", uint64_rows);
}

/* ---- doubles and floats -----------------------------------------------------------------------
 */

static void doubles(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
        cw_status status;
        uint64_t bits; /* or the offset */
        cw_status float_status;
        uint32_t float_bits;
    } rows[] = {
        {__LINE__, "0", CW_OK, 0, CW_OK, 0},
        {__LINE__, "-0", CW_OK, 0x8000000000000000u, CW_OK, 0x80000000u},
        {__LINE__, "-0.0", CW_OK, 0x8000000000000000u, CW_OK, 0x80000000u},
        {__LINE__, "1", CW_OK, 0x3ff0000000000000u, CW_OK, 0x3f800000u},
        {__LINE__, "0.1", CW_OK, 0x3fb999999999999au, CW_OK, 0x3dcccccdu},
        {__LINE__, "\"0.1\"", CW_OK, 0x3fb999999999999au, CW_OK, 0x3dcccccdu},
        {__LINE__, "\"1e0\"", CW_OK, 0x3ff0000000000000u, CW_OK, 0x3f800000u},
        {__LINE__, "\"\\u0031\"", CW_OK, 0x3ff0000000000000u, CW_OK, 0x3f800000u},
        {__LINE__, "\"NaN\"", CW_OK, 0x7ff8000000000000u, CW_OK, 0x7fc00000u},
        {__LINE__, "\"Infinity\"", CW_OK, 0x7ff0000000000000u, CW_OK, 0x7f800000u},
        {__LINE__, "\"-Infinity\"", CW_OK, 0xfff0000000000000u, CW_OK, 0xff800000u},
        {__LINE__, "\"-Inf\\u0069nity\"", CW_OK, 0xfff0000000000000u, CW_OK, 0xff800000u},
        {__LINE__, "1.7976931348623157e308", CW_OK, 0x7fefffffffffffffu, CW_ERR_RANGE, 0},
        {__LINE__, "3.4028235e38", CW_OK, 0x47efffffe54daff8u, CW_OK, 0x7f7fffffu},
        {__LINE__, "1e400", CW_ERR_RANGE, 0, CW_ERR_RANGE, 0}, /* B58 */
        {__LINE__, "\"-1e400\"", CW_ERR_RANGE, 0, CW_ERR_RANGE, 0},
        {__LINE__, "3.5e38", CW_OK, 0x47f074f8c4d3cd7bu, CW_ERR_RANGE, 0},
        {__LINE__, "1e-400", CW_OK, 0, CW_OK, 0},
        {__LINE__, "NaN", CW_ERR_SYNTAX, 0, CW_ERR_SYNTAX, 0},
        {__LINE__, "Infinity", CW_ERR_SYNTAX, 0, CW_ERR_SYNTAX, 0},
        {__LINE__, "-Infinity", CW_ERR_SYNTAX, 1, CW_ERR_SYNTAX, 1},
        {__LINE__, "\"nan\"", CW_ERR_TYPE, 0, CW_ERR_TYPE, 0},
        {__LINE__, "\"-NaN\"", CW_ERR_TYPE, 0, CW_ERR_TYPE, 0},
        {__LINE__, "\"+Infinity\"", CW_ERR_TYPE, 0, CW_ERR_TYPE, 0},
        {__LINE__, "\"1.0 \"", CW_ERR_TYPE, 0, CW_ERR_TYPE, 0},
        {__LINE__, "\"\"", CW_ERR_TYPE, 0, CW_ERR_TYPE, 0},
        {__LINE__, "\"1.\"", CW_ERR_TYPE, 0, CW_ERR_TYPE, 0},
        {__LINE__, "01", CW_ERR_SYNTAX, 1, CW_ERR_SYNTAX, 1},
        {__LINE__, "1.", CW_ERR_SYNTAX, 1, CW_ERR_SYNTAX, 1},
        {__LINE__, ".5", CW_ERR_SYNTAX, 0, CW_ERR_SYNTAX, 0},
        {__LINE__, "1e", CW_ERR_SYNTAX, 1, CW_ERR_SYNTAX, 1},
        {__LINE__, "1.5x", CW_ERR_SYNTAX, 3, CW_ERR_SYNTAX, 3},
        {__LINE__, "1e400x", CW_ERR_SYNTAX, 5, CW_ERR_SYNTAX, 5},
        {__LINE__, "true", CW_ERR_TYPE, 0, CW_ERR_TYPE, 0},
        {__LINE__, "[]", CW_ERR_TYPE, 0, CW_ERR_TYPE, 0},
    };
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t tail = 0; tail < TAILS; tail++) {
            message m;
            cw_error e;
            uint64_t bits;
            uint32_t float_bits;
            cw_str text = cw_str_from(rows[i].text);
            cw_status st = parse_value(&m, "d", text, tail, &a, NULL, &e);
            memcpy(&bits, &m.d, sizeof bits);
            bits = st == CW_OK ? bits : e.offset;
            if (st != rows[i].status || bits != rows[i].bits) {
                fail_msg("line %d, tail %zu: %s, %llx", rows[i].line, tail, cw_status_name(st),
                         (unsigned long long)bits);
            }
            st = parse_value(&m, "f", text, tail, &a, NULL, &e);
            memcpy(&float_bits, &m.f, sizeof float_bits);
            float_bits = st == CW_OK ? float_bits : (uint32_t)e.offset;
            if (st != rows[i].float_status || float_bits != rows[i].float_bits) {
                fail_msg("line %d, tail %zu: float %s, %x", rows[i].line, tail, cw_status_name(st),
                         (unsigned)float_bits);
            }
        }
    }
    cw_arena_free(&a);
}

/* ---- strings ----------------------------------------------------------------------------------
 */

typedef struct string_row {
    int line;
    cw_str text;
    cw_status status;
    cw_str value;
    size_t offset;
} string_row;

static const string_row strings[] = {
    {__LINE__, CW_STR_INIT("\"\""), CW_OK, CW_STR_INIT(""), 0},
    {__LINE__, CW_STR_INIT("\"USD\""), CW_OK, CW_STR_INIT("USD"), 0},
    {__LINE__, CW_STR_INIT("\"a/b\x7f\""), CW_OK, CW_STR_INIT("a/b\x7f"), 0},
    {__LINE__, CW_STR_INIT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), CW_OK, CW_STR_INIT("\"\\/\b\f\n\r\t"),
     0},
    {__LINE__, CW_STR_INIT("\"\\u0041\\u00e9\\u20AC\\uFFFF\\u07ff\\u0800\""), CW_OK,
     CW_STR_INIT("A\xc3\xa9\xe2\x82\xac\xef\xbf\xbf\xdf\xbf\xe0\xa0\x80"), 0},
    {__LINE__, CW_STR_INIT("\"a\\u0000b\""), CW_OK, CW_STR_INIT("a\0b"), 0},
    {__LINE__, CW_STR_INIT("\"\\ud83d\\ude01\""), CW_OK, CW_STR_INIT("\xf0\x9f\x98\x81"), 0},
    {__LINE__, CW_STR_INIT("\"\\uD800\\uDC00\\uDBFF\\uDFFF\""), CW_OK,
     CW_STR_INIT("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"), 0},
    {__LINE__, CW_STR_INIT("\"\xf0\x9f\x98\x81\xe2\x80\xa8\""), CW_OK,
     CW_STR_INIT("\xf0\x9f\x98\x81\xe2\x80\xa8"), 0},
    {__LINE__, CW_STR_INIT("\"na\xc3\xafve, and some more text behind it\""), CW_OK,
     CW_STR_INIT("na\xc3\xafve, and some more text behind it"), 0},
    /* B48 */
    {__LINE__, CW_STR_INIT("\"\\ud800\\\\u0\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\\udbff\\u\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\\udca0\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\\u005g\""), CW_ERR_STRING, {NULL, 0}, 1},
    /* other escapes that are none */
    {__LINE__, CW_STR_INIT("\"abc\\ud83d\""), CW_ERR_STRING, {NULL, 0}, 4},
    {__LINE__, CW_STR_INIT("\"\\ud83dx\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\\ud83d\\u0041\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\\ud83d\\ud83d\\ude01\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\\ude01\\ud83d\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"ab\\U0041\""), CW_ERR_STRING, {NULL, 0}, 3}, /* B67 */
    {__LINE__, CW_STR_INIT("\"\\x41\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\\'\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\\0\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\\\xc3\xa9\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\\u\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\\u004\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\\u 041\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\\u+041\""), CW_ERR_STRING, {NULL, 0}, 1},
    /* control characters */
    {__LINE__, CW_STR_INIT("\"a\nb\""), CW_ERR_STRING, {NULL, 0}, 2},
    {__LINE__, CW_STR_INIT("\"\x1f\""), CW_ERR_STRING, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"a\0b\""), CW_ERR_STRING, {NULL, 0}, 2},
    /* UTF-8 */
    {__LINE__, CW_STR_INIT("\"\x80\""), CW_ERR_UTF8, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"ab\xc3\""), CW_ERR_UTF8, {NULL, 0}, 3},
    {__LINE__, CW_STR_INIT("\"ab\xc3\xa9\xc0\x80\""), CW_ERR_UTF8, {NULL, 0}, 5},
    {__LINE__, CW_STR_INIT("\"\xed\xa0\x80\""), CW_ERR_UTF8, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\xf4\x90\x80\x80\""), CW_ERR_UTF8, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\xff\\n\""), CW_ERR_UTF8, {NULL, 0}, 1},
    {__LINE__, CW_STR_INIT("\"\xe2\x82\\u00ac\""), CW_ERR_UTF8, {NULL, 0}, 1},
    /* other values */
    {__LINE__, CW_STR_INIT("1"), CW_ERR_TYPE, {NULL, 0}, 0},
    {__LINE__, CW_STR_INIT("true"), CW_ERR_TYPE, {NULL, 0}, 0},
    {__LINE__, CW_STR_INIT("'a'"), CW_ERR_SYNTAX, {NULL, 0}, 0},
    {__LINE__, CW_STR_INIT("abc"), CW_ERR_SYNTAX, {NULL, 0}, 0},
};

static void check_string(const string_row *row, cw_str text, size_t shift, cw_arena *a, bool alias)
{
    for (size_t tail = 0; tail < TAILS; tail++) {
        message m;
        cw_error e;
        cw_json_parse_options o = {.alias = alias};
        cw_status st = parse_value(&m, "s", text, tail, a, &o, &e);
        if (st != row->status) {
            fail_msg("line %d, shift %zu, tail %zu: %s", row->line, shift, tail,
                     cw_status_name(st));
        }
        if (st != CW_OK) {
            size_t offset = row->offset + (row->offset > 0 ? shift : 0);
            if (e.offset != offset) {
                fail_msg("line %d, shift %zu, tail %zu: at %zu", row->line, shift, tail, e.offset);
            }
        } else if (!alias) {
            assert_int_equal(m.s.data[m.s.len], 0);
            assert_int_equal(m.s.len, shift + row->value.len);
            assert_memory_equal(m.s.data + shift, row->value.data, row->value.len);
            for (size_t i = 0; i < shift; i++) {
                assert_int_equal(m.s.data[i], 'x');
            }
        } else {
            assert_int_equal(m.s.len, shift + row->value.len);
        }
    }
}

/* Each string with 0 to 40 plain bytes in front: what matters gets to every place of a vector. */
static void strings_at_every_place(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        const string_row *row = &strings[i];
        size_t most = row->text.data[0] == '"' ? 40 : 0;
        for (size_t shift = 0; shift <= most; shift++) {
            char text[128];
            text[0] = row->text.data[0];
            memset(text + 1, 'x', shift);
            memcpy(text + 1 + shift, row->text.data + 1, row->text.len - 1);
            text[row->text.len + shift] = 0;
            check_string(row, cw_str_of(text, row->text.len + shift), shift, &a, false);
            check_string(row, cw_str_of(text, row->text.len + shift), shift, &a, true);
            cw_arena_reset(&a);
        }
    }
    cw_arena_free(&a);
}

/* Plain strings of every length into arenas with every little room left. */
static void strings_at_the_arenas_end(void **state)
{
    (void)state;
    for (size_t left = 0; left <= 96; left += 8) {
        for (size_t n = 0; n < 80; n++) {
            cw_arena_options o = {.first_block = 512};
            cw_arena a;
            cw_arena_init(&a, &o);
            cw_arena_alloc(&a, 1);
            cw_arena_alloc(&a, (size_t)(a.end - a.ptr) - left);
            char text[160];
            int start = snprintf(text, sizeof text, "{\"s\":\"");
            memset(text + start, 'a', n);
            int len = start + (int)n;
            len +=
                snprintf(text + len, sizeof text - (size_t)len, "\",\"short_name\":\"%040d\"}", 7);
            message m;
            assert_int_equal(message_from_json(&m, text, (size_t)len, &a, NULL, NULL), CW_OK);
            assert_int_equal(m.s.len, n);
            assert_int_equal(strlen(m.s.data), n);
            assert_true(n == 0 || m.s.data[n - 1] == 'a');
            assert_int_equal(m.short_name.len, 40);
            assert_int_equal(strlen(m.short_name.data), 40);
            cw_arena_free(&a);
        }
    }
}

/* ---- bytes ------------------------------------------------------------------------------------
 */

static void base64(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text, *value;
        cw_status status;
        size_t offset;
    } rows[] = {
        {__LINE__, "\"\"", "", CW_OK, 0},
        {__LINE__, "\"QUJD\"", "ABC", CW_OK, 0},
        {__LINE__, "\"Zm9vYmE=\"", "fooba", CW_OK, 0},
        {__LINE__, "\"Zm9vYmFyIGJhciBiYXo\"", "foobar bar baz", CW_OK, 0},
        {__LINE__, "\"-_8\"", "\xfb\xff", CW_OK, 0}, /* B51 */
        {__LINE__, "\"+/8=\"", "\xfb\xff", CW_OK, 0},
        {__LINE__, "\"+\\/8\\u003d\"", "\xfb\xff", CW_OK, 0},
        {__LINE__, "\"QUJD!!!\"", "", CW_ERR_BASE64, 5}, /* B50 */
        {__LINE__, "\"QUJ D\"", "", CW_ERR_BASE64, 4},
        {__LINE__, "\"QUJD=\"", "", CW_ERR_BASE64, 5},
        {__LINE__, "\"!!!\"", "", CW_ERR_BASE64, 1},
        {__LINE__, "\"QUJ\\u0044!\"", "", CW_ERR_BASE64, 0},
        {__LINE__, "\"QUJDQUJDQUJDQUJDQUJD QUJDQUJD\"", "", CW_ERR_BASE64, 21},
        {__LINE__, "12", "", CW_ERR_TYPE, 0},
        {__LINE__, "\"\xff\"", "", CW_ERR_UTF8, 1},
    };
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t tail = 0; tail < TAILS; tail++) {
            message m;
            cw_error e;
            cw_str text = cw_str_from(rows[i].text);
            cw_status st = parse_value(&m, "data", text, tail, &a, NULL, &e);
            if (st != rows[i].status ||
                (st == CW_OK ? m.data.len != strlen(rows[i].value) ||
                                   memcmp(m.data.data, rows[i].value, m.data.len) != 0
                             : e.offset != rows[i].offset)) {
                fail_msg("line %d, tail %zu: %s at %zu", rows[i].line, tail, cw_status_name(st),
                         e.offset);
            }
        }
    }
    cw_arena_free(&a);
}

/* ---- enums, booleans, null --------------------------------------------------------------------
 */

static void enums(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
        cw_status open, closed;
        int32_t value;
        bool ignored_when_open, ignored_when_closed; /* with ignore_unknown */
    } rows[] = {
        {__LINE__, "\"GREEN\"", CW_OK, CW_OK, 1, false, false},
        {__LINE__, "\"GR\\u0045EN\"", CW_OK, CW_OK, 1, false, false},
        {__LINE__, "2", CW_OK, CW_OK, 2, false, false},
        {__LINE__, "2.0", CW_OK, CW_OK, 2, false, false},
        {__LINE__, "20e-1", CW_OK, CW_OK, 2, false, false},
        {__LINE__, "-7", CW_OK, CW_ERR_UNKNOWN_ENUM, -7, false, true},
        {__LINE__, "3", CW_OK, CW_ERR_UNKNOWN_ENUM, 3, false, true},
        {__LINE__, "2147483647", CW_OK, CW_ERR_UNKNOWN_ENUM, INT32_MAX, false, true},
        {__LINE__, "2147483648", CW_ERR_RANGE, CW_ERR_RANGE, 0, false, false},
        {__LINE__, "\"green\"", CW_ERR_UNKNOWN_ENUM, CW_ERR_UNKNOWN_ENUM, 0, true, true},
        {__LINE__, "\"\"", CW_ERR_UNKNOWN_ENUM, CW_ERR_UNKNOWN_ENUM, 0, true, true},
        {__LINE__, "\"A_NAME_LONGER_THAN_A_VECTOR\"", CW_ERR_UNKNOWN_ENUM, CW_ERR_UNKNOWN_ENUM, 0,
         true, true},
        {__LINE__, "\"GREEN\\q\"", CW_ERR_STRING, CW_ERR_STRING, 0, false, false},
        {__LINE__, "1.5", CW_ERR_TYPE, CW_ERR_TYPE, 0, false, false},
        {__LINE__, "true", CW_ERR_TYPE, CW_ERR_TYPE, 0, false, false},
        {__LINE__, "{}", CW_ERR_TYPE, CW_ERR_TYPE, 0, false, false},
    };
    cw_arena a;
    cw_arena_init(&a, NULL);
    const cw_json_parse_options lenient = {.ignore_unknown = true};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t tail = 0; tail < TAILS; tail++) {
            message m;
            cw_error e;
            cw_str text = cw_str_from(rows[i].text);
            cw_status st = parse_value(&m, "e", text, tail, &a, NULL, &e);
            if (st != rows[i].open || (st == CW_OK && m.e != rows[i].value) || m.ignored) {
                fail_msg("line %d, open: %s, %d", rows[i].line, cw_status_name(st), m.e);
            }
            if (st == CW_ERR_UNKNOWN_ENUM) {
                assert_int_equal(e.offset, 0);
            }
            st = parse_value(&m, "c", text, tail, &a, NULL, &e);
            if (st != rows[i].closed || (st == CW_OK && m.c != rows[i].value) || m.ignored) {
                fail_msg("line %d, closed: %s, %d", rows[i].line, cw_status_name(st), m.c);
            }
            st = parse_value(&m, "e", text, tail, &a, &lenient, &e);
            if (m.ignored != rows[i].ignored_when_open ||
                st != (m.ignored ? CW_OK : rows[i].open)) {
                fail_msg("line %d, open, lenient: %s", rows[i].line, cw_status_name(st));
            }
            st = parse_value(&m, "c", text, tail, &a, &lenient, &e);
            if (m.ignored != rows[i].ignored_when_closed ||
                st != (m.ignored ? CW_OK : rows[i].closed)) {
                fail_msg("line %d, closed, lenient: %s", rows[i].line, cw_status_name(st));
            }
        }
    }
    cw_arena_free(&a);
}

static void booleans(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
        cw_status status;
        size_t offset;
        bool value;
    } rows[] = {
        {__LINE__, "true", CW_OK, 0, true},
        {__LINE__, "false", CW_OK, 0, false},
        {__LINE__, "True", CW_ERR_SYNTAX, 0, false},
        {__LINE__, "truE", CW_ERR_TYPE, 0, false},
        {__LINE__, "\"true\"", CW_ERR_TYPE, 0, false}, /* B67 */
        {__LINE__, "1", CW_ERR_TYPE, 0, false},
        {__LINE__, "truex", CW_ERR_SYNTAX, 4, false},
        {__LINE__, "fals", CW_ERR_TYPE, 0, false},
        {__LINE__, "false1", CW_ERR_SYNTAX, 5, false},
    };
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t tail = 0; tail < TAILS; tail++) {
            message m;
            cw_error e;
            cw_arena_reset(&a);
            char text[64];
            snprintf(text, sizeof text, "{\"b\":%s%s", rows[i].text, tails[tail]);
            cw_status st = message_from_json(&m, text, strlen(text), &a, NULL, &e);
            if (st != rows[i].status ||
                (st == CW_OK ? m.b != rows[i].value : e.offset != 5 + rows[i].offset)) {
                fail_msg("line %d, tail %zu: %s", rows[i].line, tail, cw_status_name(st));
            }
        }
    }
    cw_arena_free(&a);
}

/* B61 */
static void nulls(void **state)
{
    (void)state;
    static const char text[] = "{\"e\":null,\"s\":null ,\"map\":null,\"r\":null,\"child\":null}";
    cw_arena a;
    cw_arena_init(&a, NULL);
    message m;
    cw_error e;
    assert_int_equal(message_from_json(&m, text, strlen(text), &a, NULL, NULL), CW_OK);
    assert_null(m.child);
    assert_int_equal(m.r.len + m.map_len + m.s.len, 0);
    static const char in_map[] = "{\"map\":{\"k\":null}}";
    assert_int_equal(message_from_json(&m, in_map, strlen(in_map), &a, NULL, &e), CW_ERR_TYPE);
    assert_int_equal(e.offset, 12);
    assert_string_equal(e.path, "M.map[\"k\"]");
    cw_arena_free(&a);
}

/* ---- map keys ---------------------------------------------------------------------------------
 */

typedef enum key_kind { INT32, INT64, UINT32, UINT64, BOOL } key_kind;

/* Reads `KEY:1}` as a key of a kind; the value as int64, or the offset of the error. */
static cw_status read_key(key_kind kind, const char *key, const char *after, int64_t *value)
{
    char text[96];
    int len = snprintf(text, sizeof text, "%s%s1}", key, after);
    cw_arena a;
    cw_arena_init(&a, NULL);
    cw_error e;
    cw__json_reader r;
    int depth;
    const char *p = cw__json_read_begin(&r, text, (size_t)len, &a, NULL, &depth, &e);
    const char *expected = r.end - 2;
    int32_t i32 = 0;
    int64_t i64 = 0;
    uint32_t u32 = 0;
    uint64_t u64 = 0;
    bool b = false;
    switch (kind) {
    case INT32:
        p = cw__json_map_key_int32(&r, p, &i32);
        break;
    case INT64:
        p = cw__json_map_key_int64(&r, p, &i64);
        break;
    case UINT32:
        p = cw__json_map_key_uint32(&r, p, &u32);
        break;
    case UINT64:
        p = cw__json_map_key_uint64(&r, p, &u64);
        break;
    case BOOL:
        p = cw__json_map_key_bool(&r, p, &b);
        break;
    }
    if (p) {
        assert_ptr_equal(p, expected);
    }
    *value = i32 + i64 + u32 + (int64_t)u64 + b;
    /* The '}' is never reached: one too many. */
    cw_status st = cw__json_read_end(&r, p ? p + 2 : NULL, "M");
    if (st != CW_OK) {
        *value = (int64_t)e.offset;
    }
    cw_arena_free(&a);
    return st;
}

static void map_keys(void **state)
{
    (void)state;
    static const struct {
        int line;
        key_kind kind;
        const char *text;
        cw_status status;
        int64_t value; /* or offset */
    } rows[] = {
        {__LINE__, INT32, "\"7\"", CW_OK, 7},
        {__LINE__, INT32, "\"-2147483648\"", CW_OK, INT32_MIN},
        {__LINE__, INT32, "\"2147483647\"", CW_OK, INT32_MAX},
        {__LINE__, INT32, "\"0\"", CW_OK, 0},
        {__LINE__, INT32, "\"\\u0037\"", CW_OK, 7},
        {__LINE__, INT32, "\"2147483648\"", CW_ERR_RANGE, 0},
        {__LINE__, INT32, "\"01\"", CW_ERR_TYPE, 0},
        {__LINE__, INT32, "\"1.0\"", CW_ERR_TYPE, 0},
        {__LINE__, INT32, "\"1e1\"", CW_ERR_TYPE, 0},
        {__LINE__, INT32, "\"+1\"", CW_ERR_TYPE, 0},
        {__LINE__, INT32, "\" 1\"", CW_ERR_TYPE, 0},
        {__LINE__, INT32, "\"1-\"", CW_ERR_TYPE, 0},
        {__LINE__, INT32, "\"-\"", CW_ERR_TYPE, 0},
        {__LINE__, INT32, "\"\"", CW_ERR_TYPE, 0},
        {__LINE__, INT32, "\"x\"", CW_ERR_TYPE, 0},
        {__LINE__, INT32, "7", CW_ERR_SYNTAX, 0},
        {__LINE__, UINT32, "\"4294967295\"", CW_OK, UINT32_MAX},
        {__LINE__, UINT32, "\"4294967296\"", CW_ERR_RANGE, 0},
        {__LINE__, UINT32, "\"-1\"", CW_ERR_RANGE, 0},
        {__LINE__, INT64, "\"-9223372036854775808\"", CW_OK, INT64_MIN},
        {__LINE__, INT64, "\"9223372036854775808\"", CW_ERR_RANGE, 0},
        {__LINE__, UINT64, "\"18446744073709551615\"", CW_OK, -1},
        {__LINE__, UINT64, "\"18446744073709551616\"", CW_ERR_RANGE, 0},
        {__LINE__, BOOL, "\"true\"", CW_OK, 1},
        {__LINE__, BOOL, "\"false\"", CW_OK, 0},
        {__LINE__, BOOL, "\"True\"", CW_ERR_TYPE, 0},
        {__LINE__, BOOL, "\"1\"", CW_ERR_TYPE, 0},
        {__LINE__, BOOL, "true", CW_ERR_SYNTAX, 0},
    };
    static const char *const colons[] = {":", " : ", ":                                  "};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t k = 0; k < 3; k++) {
            int64_t value;
            cw_status st = read_key(rows[i].kind, rows[i].text, colons[k], &value);
            if (st != rows[i].status || value != rows[i].value) {
                fail_msg("line %d, %zu: %s, %lld", rows[i].line, k, cw_status_name(st),
                         (long long)value);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(doubles),
        cmocka_unit_test(strings_at_every_place),
        cmocka_unit_test(strings_at_the_arenas_end),
        cmocka_unit_test(base64),
        cmocka_unit_test(enums),
        cmocka_unit_test(booleans),
        cmocka_unit_test(nulls),
        cmocka_unit_test(map_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
