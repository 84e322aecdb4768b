/* SPDX-License-Identifier: MIT */
/* Values of the text format: numbers, words and strings in all their spellings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "json.cw.h"
#include "text.cw.h"
#include "text_support.h"
#include "wire2.cw.h"

#define CHECK(type, rows, o) text_check_rows(&type##_type, rows, sizeof rows / sizeof *rows, o)

static void integers(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "i32: 2147483647", CW_OK, "i32: 2147483647"},
        {__LINE__, "i32: -2147483648", CW_OK, "i32: -2147483648"},
        {__LINE__, "i32: 0x7fffFFFF", CW_OK, "i32: 2147483647"},
        {__LINE__, "i32: -0X80000000", CW_OK, "i32: -2147483648"},
        {__LINE__, "i32: 017777777777", CW_OK, "i32: 2147483647"},
        {__LINE__, "i32: -020000000000", CW_OK, "i32: -2147483648"},
        {__LINE__, "i32: - # a comment\n 5", CW_OK, "i32: -5"},
        {__LINE__, "i32: -0", CW_OK, ""},
        {__LINE__, "i32: 00", CW_OK, ""},
        {__LINE__, "i32: 0x000000000000000000001", CW_OK, "i32: 1"},
        {__LINE__, "i32: ^2147483648", CW_ERR_RANGE, "json.Scalars.i32"},
        {__LINE__, "i32: ^-2147483649", CW_ERR_RANGE, "json.Scalars.i32"},
        {__LINE__, "i32: ^0x80000000", CW_ERR_RANGE, "json.Scalars.i32"},
        {__LINE__, "i32: ^-020000000001", CW_ERR_RANGE, "json.Scalars.i32"},
        {__LINE__, "u32: 4294967295 s32: -1 sf32: 0x10 f32: 010", CW_OK,
         "f32: 8 u32: 4294967295 sf32: 16 s32: -1"},
        {__LINE__, "u32: ^4294967296", CW_ERR_RANGE, "json.Scalars.u32"},
        {__LINE__, "u32: ^-1", CW_ERR_RANGE, "json.Scalars.u32"},
        {__LINE__, "u32: ^-0", CW_ERR_RANGE, "json.Scalars.u32"},
        {__LINE__, "i64: 9223372036854775807 u64: 0xFFFFFFFFFFFFFFFF", CW_OK,
         "i64: 9223372036854775807 u64: 18446744073709551615"},
        {__LINE__, "i64: -9223372036854775808", CW_OK, "i64: -9223372036854775808"},
        {__LINE__, "s64: -01000000000000000000000", CW_OK, "s64: -9223372036854775808"},
        {__LINE__, "i64: ^9223372036854775808", CW_ERR_RANGE, "json.Scalars.i64"},
        {__LINE__, "i64: ^-9223372036854775809", CW_ERR_RANGE, "json.Scalars.i64"},
        {__LINE__, "u64: ^18446744073709551616", CW_ERR_RANGE, "json.Scalars.u64"},
        {__LINE__, "u64: ^02000000000000000000000", CW_ERR_RANGE, "json.Scalars.u64"},
        {__LINE__, "u64: ^0x10000000000000000", CW_ERR_RANGE, "json.Scalars.u64"},
        {__LINE__, "u64: ^99999999999999999999999999999999", CW_ERR_RANGE, "json.Scalars.u64"},
        /* No integers. */
        {__LINE__, "i32: ^1.0", CW_ERR_TYPE, "json.Scalars.i32"},
        {__LINE__, "i32: ^1e3", CW_ERR_TYPE, "json.Scalars.i32"},
        {__LINE__, "i32: ^1f", CW_ERR_TYPE, "json.Scalars.i32"},
        {__LINE__, "i32: ^\"1\"", CW_ERR_TYPE, "json.Scalars.i32"},
        {__LINE__, "i32: ^true", CW_ERR_TYPE, "json.Scalars.i32"},
        {__LINE__, "i32: -^one", CW_ERR_TYPE, "json.Scalars.i32"},
        {__LINE__, "i32: ^{}", CW_ERR_TYPE, "json.Scalars.i32"},
        {__LINE__, "i32: ^[1]", CW_ERR_TYPE, "json.Scalars.i32"},
        {__LINE__, "i32: ^,", CW_ERR_SYNTAX, "json.Scalars.i32"},
        {__LINE__, "i32: ^+1", CW_ERR_SYNTAX, "json.Scalars.i32"},
        {__LINE__, "i32: -^-1", CW_ERR_TYPE, "json.Scalars.i32"},
        {__LINE__, "i32: 0^89", CW_ERR_SYNTAX, "json.Scalars.i32"},
        {__LINE__, "i32: 0^9", CW_ERR_SYNTAX, "json.Scalars.i32"},
        {__LINE__, "i32: 0x^g", CW_ERR_SYNTAX, "json.Scalars.i32"},
        {__LINE__, "i32: 0x1^g", CW_ERR_SYNTAX, "json.Scalars.i32"},
        {__LINE__, "i32: 0x1^.5", CW_ERR_SYNTAX, "json.Scalars.i32"},
        {__LINE__, "i32: 10^bar: 20", CW_ERR_SYNTAX, "json.Scalars.i32"},
        {__LINE__, "i32: 10^_", CW_ERR_SYNTAX, "json.Scalars.i32"},
        {__LINE__, "i32: ^", CW_ERR_TRUNCATED, "json.Scalars.i32"},
        {__LINE__, "i32: -^", CW_ERR_TRUNCATED, "json.Scalars.i32"},
        {__LINE__, "i32: 0x^", CW_ERR_TRUNCATED, "json.Scalars.i32"},
    };
    CHECK(json_Scalars, rows, NULL);
}

static void reals(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "d: 1.5 f: 2.5", CW_OK, "d: 1.5 f: 2.5"},
        {__LINE__, "d: 10 f: 10f", CW_OK, "d: 10 f: 10"},
        {__LINE__, "d: 1.5F f: 1e1f", CW_OK, "d: 1.5 f: 10"},
        {__LINE__, "d: .5 f: -.5e1", CW_OK, "d: 0.5 f: -5"},
        {__LINE__, "d: 1. f: 1.e+2", CW_OK, "d: 1 f: 100"},
        {__LINE__, "d: 1.f f: .5f", CW_OK, "d: 1 f: 0.5"},
        {__LINE__, "d: 0f", CW_OK, ""},
        {__LINE__, "d: -0 f: -0.0", CW_OK, "d: -0 f: -0"},
        {__LINE__, "d: inf f: -INF", CW_OK, "d: inf f: -inf"},
        {__LINE__, "d: - Infinity f: iNfInItY", CW_OK, "d: -inf f: inf"},
        {__LINE__, "d: nan f: -NaN", CW_OK, "d: nan f: nan"},
        {__LINE__, "d: 1e9999 f: 1e50", CW_OK, "d: inf f: inf"},
        {__LINE__, "d: -1e18446744073709551616 f: -3.5e38", CW_OK, "d: -inf f: -inf"},
        {__LINE__, "d: 1e-18446744073709551616 f: -1e-50", CW_OK, "f: -0"},
        {__LINE__, "d: 123456789012345678901234567890", CW_OK, "d: 1.2345678901234568e+29"},
        {__LINE__, "d: 3.123456789123456789 f: 3.123456789123456789", CW_OK,
         "d: 3.123456789123457 f: 3.1234567"},
        /* Half between two floats, and a bit more: rounded once, not by way of a double. */
        {__LINE__, "f: 1.00000005960464477539062500000001", CW_OK, "f: 1.0000001"},
        {__LINE__, "f: 1.000000059604644775390625", CW_OK, "f: 1"},
        {__LINE__, "f: 3.4028235e+38 d: 4.9e-324", CW_OK, "d: 5e-324 f: 3.4028235e+38"},
        {__LINE__, "f: 3.40282357e+38", CW_OK, "f: inf"},
        /* Neither octal nor hexadecimal. */
        {__LINE__, "d: ^0x1", CW_ERR_TYPE, "json.Scalars.d"},
        {__LINE__, "d: -^0x1", CW_ERR_TYPE, "json.Scalars.d"},
        {__LINE__, "f: ^012", CW_ERR_TYPE, "json.Scalars.f"},
        {__LINE__, "f: ^00", CW_ERR_TYPE, "json.Scalars.f"},
        {__LINE__, "f: 00^.5", CW_ERR_SYNTAX, "json.Scalars.f"},
        {__LINE__, "d: 1.5^.5", CW_ERR_SYNTAX, "json.Scalars.d"},
        {__LINE__, "d: 1e^", CW_ERR_TRUNCATED, "json.Scalars.d"},
        {__LINE__, "d: 1e+^x", CW_ERR_SYNTAX, "json.Scalars.d"},
        {__LINE__, "d: 1e5^e", CW_ERR_SYNTAX, "json.Scalars.d"},
        {__LINE__, "d: 1f^f", CW_ERR_SYNTAX, "json.Scalars.d"},
        {__LINE__, "d: 2 ^. 0", CW_ERR_SYNTAX, "json.Scalars"},
        {__LINE__, "d: ^.", CW_ERR_SYNTAX, "json.Scalars.d"},
        {__LINE__, "d: ^inff", CW_ERR_TYPE, "json.Scalars.d"},
        {__LINE__, "d: -^true", CW_ERR_TYPE, "json.Scalars.d"},
        {__LINE__, "d: ^'1'", CW_ERR_TYPE, "json.Scalars.d"},
    };
    CHECK(json_Scalars, rows, NULL);
}

static void words(void **state)
{
    (void)state;
    static const text_row booleans[] = {
        {__LINE__, "b: true", CW_OK, "b: true"},
        {__LINE__, "b: True", CW_OK, "b: true"},
        {__LINE__, "b: t", CW_OK, "b: true"},
        {__LINE__, "b: 1", CW_OK, "b: true"},
        {__LINE__, "b: 0x01", CW_OK, "b: true"},
        {__LINE__, "b: 01", CW_OK, "b: true"},
        {__LINE__, "b: false", CW_OK, ""},
        {__LINE__, "b: False", CW_OK, ""},
        {__LINE__, "b: f", CW_OK, ""},
        {__LINE__, "b: 00", CW_OK, ""},
        {__LINE__, "b: ^2", CW_ERR_RANGE, "json.Scalars.b"},
        {__LINE__, "b: ^-1", CW_ERR_TYPE, "json.Scalars.b"},
        {__LINE__, "b: ^TRUE", CW_ERR_TYPE, "json.Scalars.b"},
        {__LINE__, "b: ^T", CW_ERR_TYPE, "json.Scalars.b"},
        {__LINE__, "b: ^1.0", CW_ERR_TYPE, "json.Scalars.b"},
        {__LINE__, "b: ^\"true\"", CW_ERR_TYPE, "json.Scalars.b"},
    };
    CHECK(json_Scalars, booleans, NULL);
    static const text_row open_enums[] = {
        {__LINE__, "e: ON", CW_OK, "e: ON"},
        {__LINE__, "e: 1", CW_OK, "e: ON"},
        {__LINE__, "e: -5", CW_OK, "e: NEGATIVE"},
        {__LINE__, "e: 0x1", CW_OK, "e: ON"},
        {__LINE__, "e: STOP", CW_OK, ""},
        {__LINE__, "e: 42", CW_OK, "e: 42"},
        {__LINE__, "e: -2147483648", CW_OK, "e: -2147483648"},
        {__LINE__, "e: ^2147483648", CW_ERR_RANGE, "json.Scalars.e"},
        {__LINE__, "e: ^on", CW_ERR_UNKNOWN_ENUM, "json.Scalars.e"},
        {__LINE__, "e: ^O", CW_ERR_UNKNOWN_ENUM, "json.Scalars.e"},
        {__LINE__, "e: ^ONE", CW_ERR_UNKNOWN_ENUM, "json.Scalars.e"},
        {__LINE__, "e: -^ON", CW_ERR_TYPE, "json.Scalars.e"},
        {__LINE__, "e: ^'ON'", CW_ERR_TYPE, "json.Scalars.e"},
        {__LINE__, "e: ^1.0", CW_ERR_TYPE, "json.Scalars.e"},
    };
    CHECK(json_Scalars, open_enums, NULL);
    static const text_row closed_enums[] = {
        {__LINE__, "one: GREEN", CW_OK, "one: GREEN"},
        {__LINE__, "one: ALSO_GREEN", CW_OK, "one: GREEN"},
        {__LINE__, "one: 2", CW_OK, "one: GREEN"},
        {__LINE__, "one: -3", CW_OK, "one: NEGATIVE"},
        {__LINE__, "one: ^42", CW_ERR_UNKNOWN_ENUM, "wire2.Closed.one"},
        {__LINE__, "list: [RED, ^0]", CW_ERR_UNKNOWN_ENUM, "wire2.Closed.list[1]"},
        {__LINE__, "map { key: 1 value: ^9 }", CW_ERR_UNKNOWN_ENUM, "wire2.Closed.map[0].value"},
    };
    CHECK(wire2_Closed, closed_enums, NULL);
    /* Names that are words of the format. */
    static const text_row odd_names[] = {
        {__LINE__, "word: true words: [nan, inf, infinity, f]", CW_OK,
         "word: true words: nan words: inf words: infinity words: f"},
        {__LINE__, "word: ^NaN", CW_ERR_UNKNOWN_ENUM, "text.Plain.word"},
        {__LINE__, "word: -^inf", CW_ERR_TYPE, "text.Plain.word"},
    };
    CHECK(text_Plain, odd_names, NULL);
}

static void strings(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "s: 'Hello, \"World\"!'", CW_OK, "s: \"Hello, \\\"World\\\"!\""},
        {__LINE__, "s: \"it's\"", CW_OK, "s: \"it\\'s\""},
        {__LINE__, "s: 'first' \"second\"\n# more\n'third'", CW_OK, "s: \"firstsecondthird\""},
        {__LINE__, "s: 'a''b'\"c\"\"\"", CW_OK, "s: \"abc\""},
        {__LINE__, "s: '\\a\\b\\f\\n\\r\\t\\v\\?\\\\\\'\\\"'", CW_OK,
         "s: \"\\007\\010\\014\\n\\r\\t\\013?\\\\\\'\\\"\""},
        {__LINE__, "s: '\\341\\210\\264'", CW_OK, "s: \"\xe1\x88\xb4\""},
        {__LINE__, "s: '\\xe1\\x88\\xb4'", CW_OK, "s: \"\xe1\x88\xb4\""},
        {__LINE__, "s: '\\xe1' '\\x88\\xb4'", CW_OK, "s: \"\xe1\x88\xb4\""},
        {__LINE__, "s: '\\u1234\\U00010437\\u00e9\\u0041'", CW_OK,
         "s: \"\xe1\x88\xb4\xf0\x90\x90\xb7\xc3\xa9"
         "A\""},
        {__LINE__, "s: '\\U0010ffff'", CW_OK, "s: \"\xf4\x8f\xbf\xbf\""},
        {__LINE__, "s: '\\1234\\x213\\5Hello\\xFHello'", CW_OK, "s: \"S4!3\\005Hello\\017Hello\""},
        {__LINE__, "s: '\\0\\00\\000'", CW_OK, "s: \"\\000\\000\\000\""},
        {__LINE__, "s: 'tab\there, cr\rthere'", CW_OK, "s: \"tab\\there, cr\\rthere\""},
        {__LINE__, "s: '\x7f#'", CW_OK, "s: \"\\177#\""},
        {__LINE__, "s: 'caf\xc3\xa9 \xf0\x9f\x98\x81'", CW_OK,
         "s: \"caf\xc3\xa9 \xf0\x9f\x98\x81\""},
        {__LINE__, "raw: '\\300\\xff\\u00e9 \\377'", CW_OK, "raw: \"\\300\\377\\303\\251 \\377\""},
        {__LINE__, "raw: '\xc3\xa9'", CW_OK, "raw: \"\\303\\251\""},
        {__LINE__, "s: ''", CW_OK, ""},
        /* What is no string. */
        {__LINE__, "s: ^abc", CW_ERR_TYPE, "json.Scalars.s"},
        {__LINE__, "s: ^1", CW_ERR_TYPE, "json.Scalars.s"},
        {__LINE__, "raw: ^{}", CW_ERR_TYPE, "json.Scalars.raw"},
        {__LINE__, "s: 'first line^\nsecond line'", CW_ERR_STRING, "json.Scalars.s"},
        {__LINE__, "raw: 'a' \"^\n\"", CW_ERR_STRING, "json.Scalars.raw"},
        {__LINE__, "s: 'abc^", CW_ERR_TRUNCATED, "json.Scalars.s"},
        {__LINE__, "s: 'abc\\^", CW_ERR_TRUNCATED, "json.Scalars.s"},
        {__LINE__, "s: 'abc\\u12^", CW_ERR_TRUNCATED, "json.Scalars.s"},
        {__LINE__, "s: 'abc\\x^", CW_ERR_TRUNCATED, "json.Scalars.s"},
        {__LINE__, "s: 'abc\\'^", CW_ERR_TRUNCATED, "json.Scalars.s"},
        {__LINE__, "s: 'abc\"^", CW_ERR_TRUNCATED, "json.Scalars.s"},
        {__LINE__, "s: 'a^\\q'", CW_ERR_STRING, "json.Scalars.s"},
        {__LINE__, "s: 'a^\\8'", CW_ERR_STRING, "json.Scalars.s"},
        {__LINE__, "s: 'a^\\xg'", CW_ERR_STRING, "json.Scalars.s"},
        {__LINE__, "s: 'a^\\X41'", CW_ERR_STRING, "json.Scalars.s"},
        {__LINE__, "s: 'a^\\u12'", CW_ERR_STRING, "json.Scalars.s"},
        {__LINE__, "s: 'a^\\u12g4'", CW_ERR_STRING, "json.Scalars.s"},
        {__LINE__, "s: 'a^\\U0001043'", CW_ERR_STRING, "json.Scalars.s"},
        {__LINE__, "s: 'a^\\U00110000'", CW_ERR_STRING, "json.Scalars.s"},
        {__LINE__, "s: 'a^\\Uffffffff'", CW_ERR_STRING, "json.Scalars.s"},
        {__LINE__, "s: '^\\ud801\\udc37'", CW_ERR_STRING, "json.Scalars.s"},
        {__LINE__, "raw: '^\\ud800'", CW_ERR_STRING, "json.Scalars.raw"},
        {__LINE__, "raw: '^\\udfff'", CW_ERR_STRING, "json.Scalars.raw"},
        {__LINE__, "raw: '^\\U0000d800'", CW_ERR_STRING, "json.Scalars.raw"},
        {__LINE__, "raw: '^\\400'", CW_ERR_STRING, "json.Scalars.raw"},
        {__LINE__, "raw: '^\\\n'", CW_ERR_STRING, "json.Scalars.raw"},
        /* UTF-8: of what stands in the text, and of what a string is then. */
        {__LINE__, "s: ^'\\300'", CW_ERR_UTF8, "json.Scalars.s"},
        {__LINE__, "s: ^'ab' '\\xed\\xa0\\x80'", CW_ERR_UTF8, "json.Scalars.s"},
        {__LINE__, "s: 'a^\xff'", CW_ERR_UTF8, "json.Scalars.s"},
        {__LINE__, "raw: 'ab\xc3\xa9^\xc3'", CW_ERR_UTF8, "json.Scalars.raw"},
        {__LINE__, "s: 'a^\xe1\x88\\xb4'", CW_ERR_UTF8, "json.Scalars.s"},
    };
    CHECK(json_Scalars, rows, NULL);
    /* A schema that does not want its binary form checked does not change what text is. */
    static const text_row loose[] = {
        {__LINE__, "s: ^'\\300'", CW_ERR_UTF8, "wire2.Loose.s"},
        {__LINE__, "list: ['a', ^'\\300']", CW_ERR_UTF8, "wire2.Loose.list[1]"},
        {__LINE__, "map { key: ^'\\300' }", CW_ERR_UTF8, "wire2.Loose.map[0].key"},
    };
    CHECK(wire2_Loose, loose, NULL);
}

/* A NUL ends neither the text nor a string, and is nowhere. */
static void a_nul_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t len, at;
        cw_status status;
    } rows[] = {
        {"b: true\0", 8, 7, CW_ERR_SYNTAX},   {"s: 'a\0b'", 8, 5, CW_ERR_STRING},
        {"s: 'a\\\0b'", 9, 5, CW_ERR_STRING}, {"# a\0\n", 5, 3, CW_ERR_SYNTAX},
        {"\0", 1, 0, CW_ERR_SYNTAX},
    };
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw_error e;
        json_Scalars m;
        assert_int_equal(
            text_parse(&json_Scalars_type, &m, rows[i].text, rows[i].len, &a, NULL, &e),
            rows[i].status);
        assert_int_equal(e.offset, rows[i].at);
    }
    cw_arena_free(&a);
}

/* Strings are terminated, and are not in the text. */
static void strings_are_copies(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    char text[] = "s: 'plain' raw: 'x'";
    json_Scalars m;
    assert_int_equal(cw_text_parse(&json_Scalars_type, &m, text, sizeof text - 1, &a, NULL, NULL),
                     CW_OK);
    memset(text, '-', sizeof text);
    assert_string_equal(m.s.data, "plain");
    assert_int_equal(m.raw.len, 1);
    assert_int_equal(m.raw.data[0], 'x');
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(reals),
        cmocka_unit_test(words),
        cmocka_unit_test(strings),
        cmocka_unit_test(a_nul_is_refused),
        cmocka_unit_test(strings_are_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
