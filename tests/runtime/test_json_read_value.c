/* SPDX-License-Identifier: MIT */
/* The JSON reader's numbers, enums, booleans, null, map keys. Values near the end of the text take
 * other paths than those with room behind them: every row is tried with each of value_tails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json_message.h"

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
        for (size_t tail = 0; tail < VALUE_TAILS; tail++) {
            message m;
            cw_error e;
            cw_status st =
                message_from_value(&m, key, cw_str_from(rows[i].text), tail, &a, NULL, &e);
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
        for (size_t tail = 0; tail < VALUE_TAILS; tail++) {
            message m;
            cw_error e;
            uint64_t bits;
            uint32_t float_bits;
            cw_str text = cw_str_from(rows[i].text);
            cw_status st = message_from_value(&m, "d", text, tail, &a, NULL, &e);
            memcpy(&bits, &m.d, sizeof bits);
            bits = st == CW_OK ? bits : e.offset;
            if (st != rows[i].status || bits != rows[i].bits) {
                fail_msg("line %d, tail %zu: %s, %llx", rows[i].line, tail, cw_status_name(st),
                         (unsigned long long)bits);
            }
            st = message_from_value(&m, "f", text, tail, &a, NULL, &e);
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
        for (size_t tail = 0; tail < VALUE_TAILS; tail++) {
            message m;
            cw_error e;
            cw_str text = cw_str_from(rows[i].text);
            cw_status st = message_from_value(&m, "e", text, tail, &a, NULL, &e);
            if (st != rows[i].open || (st == CW_OK && m.e != rows[i].value) || m.ignored) {
                fail_msg("line %d, open: %s, %d", rows[i].line, cw_status_name(st), m.e);
            }
            if (st == CW_ERR_UNKNOWN_ENUM) {
                assert_int_equal(e.offset, 0);
            }
            if (text.data[0] == 't' || text.data[0] == '{') {
                assert_string_equal(e.detail, "expected an enum value's name or number");
            }
            st = message_from_value(&m, "c", text, tail, &a, NULL, &e);
            if (st != rows[i].closed || (st == CW_OK && m.c != rows[i].value) || m.ignored) {
                fail_msg("line %d, closed: %s, %d", rows[i].line, cw_status_name(st), m.c);
            }
            st = message_from_value(&m, "e", text, tail, &a, &lenient, &e);
            if (m.ignored != rows[i].ignored_when_open ||
                st != (m.ignored ? CW_OK : rows[i].open)) {
                fail_msg("line %d, open, lenient: %s", rows[i].line, cw_status_name(st));
            }
            st = message_from_value(&m, "c", text, tail, &a, &lenient, &e);
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
        for (size_t tail = 0; tail < VALUE_TAILS; tail++) {
            message m;
            cw_error e;
            cw_arena_reset(&a);
            char text[64];
            snprintf(text, sizeof text, "{\"b\":%s%s", rows[i].text, value_tails[tail]);
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

/* Keys in an error's path are cut between characters. */
static void long_keys(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t before = 0; before < 2; before++) {
        char text[320], path[320];
        size_t n = (size_t)snprintf(text, sizeof text, "{\"%s", before ? "a" : "");
        size_t k = (size_t)snprintf(path, sizeof path, "M.%s", before ? "a" : "");
        for (size_t i = 0; i < 100; i++) {
            n += (size_t)snprintf(text + n, sizeof text - n, "\xc3\xa9");
            if (i < 40 - before) {
                k += (size_t)snprintf(path + k, sizeof path - k, "\xc3\xa9");
            }
        }
        snprintf(text + n, sizeof text - n, "\":1}");
        snprintf(path + k, sizeof path - k, "...");
        message m;
        cw_error e;
        assert_int_equal(message_from_json(&m, text, strlen(text), &a, NULL, &e),
                         CW_ERR_UNKNOWN_FIELD);
        assert_string_equal(e.path, path);
        assert_int_equal(e.offset, 1);
    }
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),  cmocka_unit_test(doubles), cmocka_unit_test(enums),
        cmocka_unit_test(booleans),  cmocka_unit_test(nulls),   cmocka_unit_test(map_keys),
        cmocka_unit_test(long_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
