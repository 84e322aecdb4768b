/* SPDX-License-Identifier: MIT */
/* Messages of the text format: fields, separators, lists, maps, groups, oneofs, and who may be
 * missing or come twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "json.cw.h"
#include "json_proto2.cw.h"
#include "text.cw.h"
#include "text_support.h"
#include "wire2.cw.h"

#define CHECK(type, rows, o) text_check_rows(&type##_type, rows, sizeof rows / sizeof *rows, o)

static void structure(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "", CW_OK, ""},
        {__LINE__, " \t\r\n\v\f# only a comment", CW_OK, ""},
        {__LINE__, "n: 1 s: 'a'", CW_OK, "n: 1 s: \"a\""},
        {__LINE__, "n:1,s:'a';b:true", CW_OK, "n: 1 s: \"a\" b: true"},
        {__LINE__, "n: 1, # one\n s # two\n : # three\n 'a' ;", CW_OK, "n: 1 s: \"a\""},
        {__LINE__, "n:1^s:'a'", CW_ERR_SYNTAX, "text.Plain.n"},
        {__LINE__, "s:'a'n:1", CW_OK, "n: 1 s: \"a\""},
        {__LINE__, "plain { n: 1 }", CW_OK, "plain { n: 1 }"},
        {__LINE__, "plain: { n: 1, }", CW_OK, "plain { n: 1 }"},
        {__LINE__, "plain < n: 1; >", CW_OK, "plain { n: 1 }"},
        {__LINE__, "plain: <>", CW_OK, "plain { }"},
        {__LINE__, "plain{plain<plain{n:1}>};list{}", CW_OK,
         "plain { plain { plain { n: 1 } } } list { }"},
        {__LINE__, "list {n: 1} list: [{n: 2}, <n: 3>], list [ {} ] list: []", CW_OK,
         "list { n: 1 } list { n: 2 } list { n: 3 } list { }"},
        {__LINE__, "numbers: 1 numbers: [2, 3] numbers: [] numbers: [4]", CW_OK,
         "numbers: 1 numbers: 2 numbers: 3 numbers: 4"},
        {__LINE__, "texts: ['a' 'b', 'c'] texts: 'd' 'e'", CW_OK,
         "texts: \"ab\" texts: \"c\" texts: \"de\""},
        {__LINE__, "reals: [1, .5, -inf]", CW_OK, "reals: 1 reals: 0.5 reals: -inf"},
        /* Separators: one at most, between list elements a comma. */
        {__LINE__, "n: 1,^,", CW_ERR_SYNTAX, "text.Plain"},
        {__LINE__, "n: 1;^;", CW_ERR_SYNTAX, "text.Plain"},
        {__LINE__, "n: 1;^,", CW_ERR_SYNTAX, "text.Plain"},
        {__LINE__, "^, n: 1", CW_ERR_SYNTAX, "text.Plain"},
        {__LINE__, "plain { n: 1,^, }", CW_ERR_SYNTAX, "text.Plain.plain"},
        {__LINE__, "numbers: [1,^,2]", CW_ERR_SYNTAX, "text.Plain.numbers[1]"},
        {__LINE__, "numbers: [1,^]", CW_ERR_SYNTAX, "text.Plain.numbers[1]"},
        {__LINE__, "numbers: [^,]", CW_ERR_SYNTAX, "text.Plain.numbers[0]"},
        {__LINE__, "numbers: [1^;2]", CW_ERR_SYNTAX, "text.Plain.numbers"},
        {__LINE__, "numbers: [1 ^2]", CW_ERR_SYNTAX, "text.Plain.numbers"},
        {__LINE__, "numbers: [^[1]]", CW_ERR_TYPE, "text.Plain.numbers[0]"},
        {__LINE__, "list: [^1]", CW_ERR_TYPE, "text.Plain.list[0]"},
        {__LINE__, "list: [{} ^{}]", CW_ERR_SYNTAX, "text.Plain.list"},
        /* ':' may go before messages only. */
        {__LINE__, "n ^1", CW_ERR_SYNTAX, "text.Plain.n"},
        {__LINE__, "numbers ^[1]", CW_ERR_SYNTAX, "text.Plain.numbers"},
        {__LINE__, "plain ^1", CW_ERR_TYPE, "text.Plain.plain"},
        {__LINE__, "plain ^n: 1", CW_ERR_TYPE, "text.Plain.plain"},
        {__LINE__, "plain: ^[{}]", CW_ERR_TYPE, "text.Plain.plain"},
        {__LINE__, "n: ^[1]", CW_ERR_TYPE, "text.Plain.n"},
        /* Brackets. */
        {__LINE__, "plain { n: 1 ^>", CW_ERR_SYNTAX, "text.Plain.plain"},
        {__LINE__, "plain < n: 1 ^}", CW_ERR_SYNTAX, "text.Plain.plain"},
        {__LINE__, "n: 1 ^}", CW_ERR_SYNTAX, "text.Plain"},
        {__LINE__, "^{ n: 1 }", CW_ERR_SYNTAX, "text.Plain"},
        {__LINE__, "plain { n: 1^", CW_ERR_TRUNCATED, "text.Plain.plain"},
        {__LINE__, "plain^", CW_ERR_TRUNCATED, "text.Plain.plain"},
        {__LINE__, "plain:^", CW_ERR_TRUNCATED, "text.Plain.plain"},
        {__LINE__, "numbers: [^", CW_ERR_TRUNCATED, "text.Plain.numbers[0]"},
        {__LINE__, "numbers: [1^", CW_ERR_TRUNCATED, "text.Plain.numbers"},
        {__LINE__, "numbers: [1,^", CW_ERR_TRUNCATED, "text.Plain.numbers[1]"},
        {__LINE__, "n^", CW_ERR_TRUNCATED, "text.Plain.n"},
        /* What is no name. */
        {__LINE__, "^1: 2", CW_ERR_SYNTAX, "text.Plain"},
        {__LINE__, "^'n': 2", CW_ERR_SYNTAX, "text.Plain"},
        {__LINE__, "n: 1\n ^\xc3\xa9: 1", CW_ERR_SYNTAX, "text.Plain"},
        {__LINE__, "^\x01", CW_ERR_SYNTAX, "text.Plain"},
        {__LINE__, "^\xef\xbb\xbfn: 1", CW_ERR_SYNTAX, "text.Plain"},
        {__LINE__, "n: 1 ^/* no comment */", CW_ERR_SYNTAX, "text.Plain"},
        {__LINE__, "n: 1 ^// no comment", CW_ERR_SYNTAX, "text.Plain"},
        /* Names are exact. */
        {__LINE__, "n: 1\nplain {\n  ^nope: 1\n}", CW_ERR_UNKNOWN_FIELD, "text.Plain.plain.nope"},
        {__LINE__, "^N: 1", CW_ERR_UNKNOWN_FIELD, "text.Plain.N"},
        {__LINE__, "^plai {}", CW_ERR_UNKNOWN_FIELD, "text.Plain.plai"},
        {__LINE__, "^plaine {}", CW_ERR_UNKNOWN_FIELD, "text.Plain.plaine"},
    };
    CHECK(text_Plain, rows, NULL);
}

static void once(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "n: 0 ^n: 0", CW_ERR_DUPLICATE, "text.Plain.n"},
        {__LINE__, "plain { } ^plain { }", CW_ERR_DUPLICATE, "text.Plain.plain"},
        {__LINE__, "list { n: 1 ^n: 2 }", CW_ERR_DUPLICATE, "text.Plain.list[0].n"},
        {__LINE__, "list { n: 1 } list { n: 2 } n: 1", CW_OK, "n: 1 list { n: 1 } list { n: 2 }"},
        {__LINE__, "plain { plain { n: 1 } n: 1 } n: 1", CW_OK,
         "n: 1 plain { n: 1 plain { n: 1 } }"},
        {__LINE__, "number: 0 ^number: 0", CW_ERR_DUPLICATE, "text.Plain.number"},
        {__LINE__, "number: 1 ^name: 'a'", CW_ERR_DUPLICATE, "text.Plain.name"},
        {__LINE__, "name: '' ^message {}", CW_ERR_DUPLICATE, "text.Plain.message"},
        {__LINE__, "message {} ^number: 1", CW_ERR_DUPLICATE, "text.Plain.number"},
        {__LINE__, "message { number: 1 }", CW_OK, "message { number: 1 }"},
        {__LINE__, "map { key: 'a' ^key: 'a' }", CW_ERR_DUPLICATE, "text.Plain.map[0].key"},
        {__LINE__, "map { value {} ^value {} }", CW_ERR_DUPLICATE, "text.Plain.map[0].value"},
    };
    CHECK(text_Plain, rows, NULL);
    /* Fields without presence: zero was there, too. */
    static const text_row implicit[] = {
        {__LINE__, "i32: 0 ^i32: 1", CW_ERR_DUPLICATE, "json.Scalars.i32"},
        {__LINE__, "s: '' ^s: ''", CW_ERR_DUPLICATE, "json.Scalars.s"},
    };
    CHECK(json_Scalars, implicit, NULL);
    static const text_row scattered[] = {
        {__LINE__, "f1: 1 f32: 1 f33: 1 last: 1 inner { last: 1 f33: 1 } f31: 1", CW_OK,
         "f1: 1 f31: 1 f32: 1 f33: 1 inner { f33: 1 last: 1 } last: 1"},
        {__LINE__, "inner {} last: 1 f33: 1 ^last: 1", CW_ERR_DUPLICATE, "text.Scattered.last"},
        {__LINE__, "f33: 1 inner { f33: 1 inner { f33: 1 } } ^f33: 1", CW_ERR_DUPLICATE,
         "text.Scattered.f33"},
    };
    CHECK(text_Scattered, scattered, NULL);
}

static void overwriting(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "n: 1 n: 2", CW_OK, "n: 2"},
        {__LINE__, "plain { n: 1 } plain { s: 'a' n: 2 }", CW_OK, "plain { n: 2 s: \"a\" }"},
        {__LINE__, "number: 1 name: 'a'", CW_OK, "name: \"a\""},
        {__LINE__, "message { n: 1 } message { s: 'a' }", CW_OK, "message { n: 1 s: \"a\" }"},
        {__LINE__, "message { n: 1 } number: 1 message { s: 'a' }", CW_OK, "message { s: \"a\" }"},
        {__LINE__, "name: 'a' number: 7", CW_OK, "number: 7"},
        {__LINE__, "plain { map { key: 'b' } } plain { map { key: 'a' value { n: 1 } } }", CW_OK,
         "plain { map { key: \"a\" value { n: 1 } } map { key: \"b\" value { } } }"},
        {__LINE__, "map { key: 'a' key: 'b' }", CW_OK, "map { key: \"b\" value { } }"},
        {__LINE__, "n: ^x", CW_ERR_TYPE, "text.Plain.n"},
    };
    const cw_text_parse_options o = {.overwrite = true};
    CHECK(text_Plain, rows, &o);
}

static void maps(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "str_i32 { key: 'b' value: 2 } str_i32 { value: 1 key: 'a' }", CW_OK,
         "str_i32 { key: \"a\" value: 1 } str_i32 { key: \"b\" value: 2 }"},
        {__LINE__, "str_i32: [{ key: 'c' }, < value: 5 >, {}]", CW_OK,
         "str_i32 { key: \"\" value: 0 } str_i32 { key: \"c\" value: 0 }"},
        {__LINE__,
         "str_scalars { key: 'd' value: { i32: 1 } } "
         "str_scalars { key: 'd' value { u32: 2 } }",
         CW_OK, "str_scalars { key: \"d\" value { u32: 2 } }"},
        {__LINE__, "str_nothing { key: 'a' } str_nothing [ ]", CW_OK,
         "str_nothing { key: \"a\" value { } }"},
        {__LINE__, "b_s64 { key: true value: -1 } b_s64 { key: f }", CW_OK,
         "b_s64 { key: false value: 0 } b_s64 { key: true value: -1 }"},
        {__LINE__, "s32_b { key: -1 } s32_b { key: 0x10 value: t } s32_b { key: -2 }", CW_OK,
         "s32_b { key: -2 value: false } s32_b { key: -1 value: false } "
         "s32_b { key: 16 value: true }"},
        {__LINE__, "f64_i64 { key: 18446744073709551615 } f64_i64 { key: 1 }", CW_OK,
         "f64_i64 { key: 1 value: 0 } f64_i64 { key: 18446744073709551615 value: 0 }"},
        {__LINE__, "sf64_sf64 { key: 1 } sf64_sf64 { key: -9223372036854775808 }", CW_OK,
         "sf64_sf64 { key: -9223372036854775808 value: 0 } sf64_sf64 { key: 1 value: 0 }"},
        {__LINE__, "f32_u64 { key: 4294967295 } f32_u64 { key: 1 } f32_u64 { key: 1 value: 3 }",
         CW_OK, "f32_u64 { key: 1 value: 3 } f32_u64 { key: 4294967295 value: 0 }"},
        {__LINE__, "str_i32 { key: 'a' value: ^'b' }", CW_ERR_TYPE, "json.Maps.str_i32[0].value"},
        {__LINE__, "str_i32 {} str_i32 { ^nope: 1 }", CW_ERR_UNKNOWN_FIELD,
         "json.Maps.str_i32[1].nope"},
        {__LINE__, "str_i32 { ^[a.b]: 1 }", CW_ERR_UNKNOWN_FIELD, "json.Maps.str_i32[0].[a.b]"},
        {__LINE__, "str_i32: ^1", CW_ERR_TYPE, "json.Maps.str_i32[0]"},
        {__LINE__, "i32_str { key: ^'1' }", CW_ERR_TYPE, "json.Maps.i32_str[0].key"},
    };
    CHECK(json_Maps, rows, NULL);
    /* An entry's value begins as its type does. */
    static const text_row defaults[] = {
        {__LINE__, "with_defaults { key: 2 }", CW_OK, "with_defaults { key: 2 value { } }"},
        {__LINE__, "by_name { key: 'a' }", CW_OK, "by_name { key: \"a\" value: DARK }"},
    };
    CHECK(json2_Closed, defaults, NULL);
    cw_arena a;
    cw_arena_init(&a, NULL);
    const json2_Closed *m =
        text_get(&json2_Closed_type, "with_defaults { key: 2 } more_defaults {}", NULL, &a);
    assert_int_equal(m->with_defaults.data[0].value.n, -7);
    assert_int_equal(m->more_defaults.data[0].n, -7);
    assert_false(m->more_defaults.data[0].has.n);
    cw_arena_free(&a);
}

static void groups(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "OneTwo { a: 1 }", CW_OK, "OneTwo { a: 1 }"},
        {__LINE__, "OneTwo: < a: 1 >", CW_OK, "OneTwo { a: 1 }"},
        {__LINE__, "onetwo { a: 1 }", CW_OK, "OneTwo { a: 1 }"},
        {__LINE__, "ONETWO: 7", CW_OK, "ONETWO: 7"},
        {__LINE__, "Many { a: 1 Many { b: 2 } } many {} Many [{}, { many {} }]", CW_OK,
         "Many { a: 1 Many { b: 2 } } Many { } Many { } Many { Many { } }"},
        {__LINE__, "OneTwo { } ^onetwo { }", CW_ERR_DUPLICATE, "text.Groups.onetwo"},
        {__LINE__, "^oneTwo { }", CW_ERR_UNKNOWN_FIELD, "text.Groups.oneTwo"},
        {__LINE__, "OneTwo: ^1", CW_ERR_TYPE, "text.Groups.onetwo"},
    };
    CHECK(text_Groups, rows, NULL);
    static const text_row in_oneof[] = {
        {__LINE__, "InOneof { x: 1 }", CW_OK, "InOneof { x: 1 }"},
        {__LINE__, "y: 1 ^InOneof { x: 1 }", CW_ERR_DUPLICATE, "json2.Grouped.inoneof"},
        {__LINE__, "Box { Lid { mark: ^1 } }", CW_ERR_TYPE, "json2.Grouped.box.lid[0].mark"},
    };
    CHECK(json2_Grouped, in_oneof, NULL);
}

/* A name that was there once is skipped with a value of any shape. */
static void reserved_names(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "gone: true n: 1", CW_OK, "n: 1"},
        {__LINE__, "gone: -123 gone: 0.5f, gone: 0x1F; gone: - 1e-10", CW_OK, ""},
        {__LINE__, "gone: ENUM_VALUE gone: -inf gone: - Infinity gone: -nan", CW_OK, ""},
        {__LINE__, "gone: 'a' \"b\" n: 1", CW_OK, "n: 1"},
        {__LINE__, "gone: { a: 1 [b.c]: { } } n: 1", CW_OK, "n: 1"},
        {__LINE__, "gone < a { b: [1, 2] }; c: [{}, <>], d [ ] > n: 1", CW_OK, "n: 1"},
        {__LINE__, "gone: [-123, 456] gone: ['a' 'b', 'c'] gone: [] gone: [x]", CW_OK, ""},
        {__LINE__, "gone [{}, {}] gone []", CW_OK, ""},
        {__LINE__, "Gone: 1 old_message { [type.example/a.b] { } n: 1 } n: 1", CW_OK, "n: 1"},
        {__LINE__, "plain { gone: 1 } list { gone { } n: 1 }", CW_OK, "plain { } list { n: 1 }"},
        {__LINE__, "^GONE: 1", CW_ERR_UNKNOWN_FIELD, "text.Plain.GONE"},
        {__LINE__, "gone ^1", CW_ERR_SYNTAX, "text.Plain.gone"},
        {__LINE__, "gone: ^,", CW_ERR_SYNTAX, "text.Plain.gone"},
        {__LINE__, "gone: -^x", CW_ERR_SYNTAX, "text.Plain.gone"},
        {__LINE__, "gone: -^'x'", CW_ERR_SYNTAX, "text.Plain.gone"},
        {__LINE__, "gone: 1^x", CW_ERR_SYNTAX, "text.Plain.gone"},
        {__LINE__, "gone: 'a^\\q'", CW_ERR_STRING, "text.Plain.gone"},
        {__LINE__, "gone: [1 ^2]", CW_ERR_SYNTAX, "text.Plain.gone"},
        {__LINE__, "gone: [1, ^]", CW_ERR_SYNTAX, "text.Plain.gone"},
        {__LINE__, "gone: [^[1]]", CW_ERR_SYNTAX, "text.Plain.gone"},
        {__LINE__, "gone [{}, ^1]", CW_ERR_SYNTAX, "text.Plain.gone"},
        {__LINE__, "gone { a: 1 ^>", CW_ERR_SYNTAX, "text.Plain.gone"},
        {__LINE__, "gone { a ^b }", CW_ERR_SYNTAX, "text.Plain.gone"},
        {__LINE__, "gone { ^1: 1 }", CW_ERR_SYNTAX, "text.Plain.gone"},
        {__LINE__, "gone { a: 1 ^", CW_ERR_TRUNCATED, "text.Plain.gone"},
        {__LINE__, "gone: ^", CW_ERR_TRUNCATED, "text.Plain.gone"},
        {__LINE__, "gone { ^[a b.]: 1 }", CW_ERR_SYNTAX, "text.Plain.gone"},
    };
    CHECK(text_Plain, rows, NULL);
}

static void ignoring(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "nope: 1 n: 2 Nope { n: [1] } nope: 3", CW_OK, "n: 2"},
        {__LINE__, "7: 1 100: { 1: 'a' 2 { 3: 0x00000001 } } n: 2", CW_OK, "n: 2"},
        {__LINE__, "[no.such.extension]: 1 [no.other] { a: 1 } n: 2", CW_OK, "n: 2"},
        {__LINE__, "word: nope words: [inf, nope, 9, true] n: 2", CW_OK,
         "n: 2 words: inf words: true"},
        {__LINE__, "n: 1 ^n: 2", CW_ERR_DUPLICATE, "text.Plain.n"},
        {__LINE__, "nope: ^", CW_ERR_TRUNCATED, "text.Plain.nope"},
        {__LINE__, "nope { a: [1, ^] }", CW_ERR_SYNTAX, "text.Plain.nope"},
        {__LINE__, "12 { a: -^x }", CW_ERR_SYNTAX, "text.Plain.12"},
        {__LINE__, "n: ^1.5", CW_ERR_TYPE, "text.Plain.n"},
        {__LINE__, "^1.5: 1", CW_ERR_SYNTAX, "text.Plain"},
    };
    const cw_text_parse_options o = {.ignore_unknown = true};
    CHECK(text_Plain, rows, &o);
    static const text_row closed[] = {
        {__LINE__, "one: 9 list: [RED, 77, GREEN] picked: 5", CW_OK, "list: RED list: GREEN"},
        {__LINE__, "map { key: 1 value: SOFT } map { key: 2 value: 9 } map { key: 3 }", CW_OK,
         "map { key: 1 value: SOFT } map { key: 3 value: NONE }"},
    };
    CHECK(wire2_Closed, closed, &o);
}

static void required(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "must: 1", CW_OK, "must: 1"},
        {__LINE__, "", CW_ERR_REQUIRED, "text.Needs.must"},
        {__LINE__, "must: 1 one { }", CW_ERR_REQUIRED, "text.Needs.one.must"},
        {__LINE__, "must: 1 list { must: 2 } list { }", CW_ERR_REQUIRED, "text.Needs.list[1].must"},
        {__LINE__, "must: 1 map { key: 5 }", CW_ERR_REQUIRED, "text.Needs.map[0].must"},
        {__LINE__, "must: 1 ^must: 1", CW_ERR_DUPLICATE, "text.Needs.must"},
    };
    CHECK(text_Needs, rows, NULL);
    static const text_row partial[] = {
        {__LINE__, "one { } map { key: 5 }", CW_OK, "one { } map { key: 5 value { } }"},
    };
    const cw_text_parse_options o = {.allow_partial = true};
    CHECK(text_Needs, partial, &o);
}

/* The functions that text=on makes. */
static void generated_functions(void **state)
{
    (void)state;
    cw_arena a;
    cw_error e;
    cw_str out;
    text_Plain m;
    cw_arena_init(&a, NULL);
    assert_int_equal(text_Plain_from_text(&m, "n: 5 plain { }", 14, &a, NULL, &e), CW_OK);
    assert_int_equal(m.n, 5);
    assert_non_null(m.plain);
    assert_int_equal(text_Plain_to_text(&m, &a, NULL, &out, &e), CW_OK);
    assert_string_equal(out.data, "n: 5\nplain {\n}\n");
    assert_int_equal(text_Plain_from_text(&m, NULL, 0, &a, NULL, NULL), CW_OK);
    assert_false(m.has.n);
    assert_int_equal(text_Plain_from_text(&m, "m: 5", 4, &a, NULL, &e), CW_ERR_UNKNOWN_FIELD);
    char text[80];
    cw_error_print(&e, text, sizeof text);
    assert_string_equal(text, "text.Plain.m: unknown field at 1:1");
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structure),
        cmocka_unit_test(once),
        cmocka_unit_test(overwriting),
        cmocka_unit_test(maps),
        cmocka_unit_test(groups),
        cmocka_unit_test(reserved_names),
        cmocka_unit_test(ignoring),
        cmocka_unit_test(required),
        cmocka_unit_test(generated_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
