/* SPDX-License-Identifier: MIT */
/* The JSON reader's strings and bytes, each tried with all of value_tails behind it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json_message.h"

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
    for (size_t tail = 0; tail < VALUE_TAILS; tail++) {
        message m;
        cw_error e;
        cw_json_parse_options o = {.alias = alias};
        cw_status st = message_from_value(&m, "s", text, tail, a, &o, &e);
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

/* Each string with 0 to 200 plain bytes in front: what matters gets to every place of a vector. */
static void strings_at_every_place(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        const string_row *row = &strings[i];
        size_t most = row->text.data[0] == '"' ? 200 : 0;
        for (size_t shift = 0; shift <= most; shift++) {
            char text[320];
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
        for (size_t tail = 0; tail < VALUE_TAILS; tail++) {
            message m;
            cw_error e;
            cw_str text = cw_str_from(rows[i].text);
            cw_status st = message_from_value(&m, "data", text, tail, &a, NULL, &e);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_at_every_place),
        cmocka_unit_test(strings_at_the_arenas_end),
        cmocka_unit_test(base64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
