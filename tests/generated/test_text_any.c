/* SPDX-License-Identifier: MIT */
/* Any and extensions in the text format, message sets too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cwire/wkt.h"
#include "json.cw.h"
#include "json_any.cw.h"
#include "json_extension.cw.h"
#include "json_proto2.cw.h"
#include "text.cw.h"
#include "text_support.h"
#include "wire.cw.h"

#define CHECK(type, rows, o) text_check_rows(&type##_type, rows, sizeof rows / sizeof *rows, o)

static const cw_file *const files[] = {&text_file, &wire_file, &json_extension_file};
static const cw_registry registry = {files, sizeof files / sizeof files[0]};

static void any(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "any { [type.googleapis.com/json_any.Own] { number: 5 } }", CW_OK,
         "any { [type.googleapis.com/json_any.Own] { number: 5 } }"},
        {__LINE__, "any: < [a/json.Case]: < n: 1 r: [1, 2] > ; >", CW_OK,
         "any { [a/json.Case] { n: 1 r: 1 r: 2 } }"},
        {__LINE__, "any { [a.b/c-d/~!$&()*+,;=/%2F/json.Nothing] { } }", CW_OK,
         "any { [a.b/c-d/~!$&()*+,;=/%2F/json.Nothing] { } }"},
        {__LINE__, "any { [ ty pe.go # comment ]\n ogle\tapis.com/\n js on.No\nthing ] { } }",
         CW_OK, "any { [type.googleapis.com/json.Nothing] { } }"},
        {__LINE__, "any { [a/json.Node] { named { key: 'b' } named { key: 'a' } } }", CW_OK,
         "any { [a/json.Node] { named { key: \"a\" value { } } named { key: \"b\" value { } } } }"},
        /* As bytes; what the text means is the same. */
        {__LINE__, "any { type_url: 'a/json_any.Own' value: '\\010\\005' }", CW_OK,
         "any { [a/json_any.Own] { number: 5 } }"},
        {__LINE__, "any { type_url: 'a/no.such' value: '\\xff' }", CW_OK,
         "any { type_url: \"a/no.such\" value: \"\\377\" }"},
        {__LINE__, "any { type_url: 'a/json_any.Own' value: '\\xff' }", CW_OK,
         "any { type_url: \"a/json_any.Own\" value: \"\\377\" }"},
        {__LINE__, "any { type_url: 'a/json2.Part' }", CW_OK,
         "any { type_url: \"a/json2.Part\" }"}, /* a required field is missing */
        {__LINE__, "any { type_url: 'json_any.Own' }", CW_OK, "any { type_url: \"json_any.Own\" }"},
        {__LINE__, "any { type_url: '/json_any.Own' }", CW_OK,
         "any { type_url: \"/json_any.Own\" }"},
        {__LINE__, "any { type_url: 'a b/json_any.Own' }", CW_OK,
         "any { type_url: \"a b/json_any.Own\" }"},
        {__LINE__, "any { value: 'x' }", CW_OK, "any { value: \"x\" }"},
        {__LINE__, "any { }", CW_OK, "any { }"},
        /* Any of Any, of well-known types, in lists, maps, oneofs. */
        {__LINE__,
         "any { [a/google.protobuf.Any] { [b/google.protobuf.Any] { "
         "[c/google.protobuf.Duration] { seconds: 1 } } } }",
         CW_OK,
         "any { [a/google.protobuf.Any] { [b/google.protobuf.Any] { "
         "[c/google.protobuf.Duration] { seconds: 1 } } } }"},
        {__LINE__,
         "list [{ [a/json.Nothing] {} }, {}] map { key: 'k' value { [a/json.Nothing] {} } } "
         "picked { [a/json.Nothing] {} }",
         CW_OK,
         "list { [a/json.Nothing] { } } list { } map { key: \"k\" value { [a/json.Nothing] "
         "{ } } } picked { [a/json.Nothing] { } }"},
        {__LINE__, "any { ^[a/no.such] { } }", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any.[a/no.such]"},
        {__LINE__, "any { ^[a/wire.Leaf] { } }", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any.[a/wire.Leaf]"},
        {__LINE__, "any { ^[json.Nothing] { } }", CW_ERR_SYNTAX, "json_any.Holder.any"},
        {__LINE__, "any { ^[/json.Nothing] { } }", CW_ERR_SYNTAX, "json_any.Holder.any"},
        {__LINE__, "any { ^[a/] { } }", CW_ERR_SYNTAX, "json_any.Holder.any"},
        {__LINE__, "any { ^[a/json.] { } }", CW_ERR_SYNTAX, "json_any.Holder.any"},
        {__LINE__, "any { ^[a/.json] { } }", CW_ERR_SYNTAX, "json_any.Holder.any"},
        {__LINE__, "any { ^[a/js..on] { } }", CW_ERR_SYNTAX, "json_any.Holder.any"},
        {__LINE__, "any { ^[a/1json] { } }", CW_ERR_SYNTAX, "json_any.Holder.any"},
        {__LINE__, "any { ^[a/%ZZ/json.Nothing] { } }", CW_ERR_SYNTAX, "json_any.Holder.any"},
        {__LINE__, "any { ^[a%2/json.Nothing] { } }", CW_ERR_SYNTAX, "json_any.Holder.any"},
        {__LINE__, "any { [a/js^\"on] { } }", CW_ERR_SYNTAX, "json_any.Holder.any"},
        {__LINE__, "any { [a/json^", CW_ERR_TRUNCATED, "json_any.Holder.any"},
        {__LINE__, "any { [a/json.Nothing] ^1 }", CW_ERR_TYPE,
         "json_any.Holder.any.[a/json.Nothing]"},
        {__LINE__, "any { [a/json.Case] { n: ^x } }", CW_ERR_TYPE,
         "json_any.Holder.any.[a/json.Case].n"},
        {__LINE__, "any { [a/json2.Part] { } }", CW_ERR_REQUIRED,
         "json_any.Holder.any.[a/json2.Part].name"},
        /* Either form, once. */
        {__LINE__, "any { [a/json.Nothing] {} ^[a/json.Nothing] {} }", CW_ERR_DUPLICATE,
         "json_any.Holder.any"},
        {__LINE__, "any { type_url: 'a' ^[a/json.Nothing] {} }", CW_ERR_DUPLICATE,
         "json_any.Holder.any"},
        {__LINE__, "any { [a/json.Nothing] {} ^value: 'a' }", CW_ERR_DUPLICATE,
         "json_any.Holder.any.value"},
        {__LINE__, "^[a/json.Nothing] {}", CW_ERR_SYNTAX, "json_any.Holder"},
    };
    CHECK(json_any_Holder, rows, NULL);
    static const text_row with_registry[] = {
        {__LINE__, "any { [a/wire.Leaf] { x: 1 } }", CW_OK, "any { [a/wire.Leaf] { x: 1 } }"},
        {__LINE__, "any { [a/json_ext.Base] { [json_ext.i32]: 7 n: 1 } }", CW_OK,
         "any { [a/json_ext.Base] { n: 1 [json_ext.i32]: 7 } }"},
    };
    CHECK(json_any_Holder, with_registry, &(cw_text_parse_options){.types = &registry});
    static const text_row partial[] = {
        {__LINE__, "any { [a/json2.Part] { } }", CW_OK, "any { type_url: \"a/json2.Part\" }"},
    };
    CHECK(json_any_Holder, partial, &(cw_text_parse_options){.allow_partial = true});
    static const text_row overwriting[] = {
        {__LINE__, "any { [a/json.Case] { n: 1 } [b/json.Case] { n: 2 n: 3 } }", CW_OK,
         "any { [b/json.Case] { n: 3 } }"},
    };
    CHECK(json_any_Holder, overwriting, &(cw_text_parse_options){.overwrite = true});
    /* An unknown type is nothing that could be ignored. */
    static const text_row ignoring[] = {
        {__LINE__, "any { ^[a/no.such] { } }", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any.[a/no.such]"},
        {__LINE__, "any { nope: 1 [a/json.Case] { nope: 1 n: 1 } }", CW_OK,
         "any { [a/json.Case] { n: 1 } }"},
    };
    CHECK(json_any_Holder, ignoring, &(cw_text_parse_options){.ignore_unknown = true});
}

static void any_alone(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    const google_protobuf_Any *m = text_get(
        &google_protobuf_Any_type, "[x.y/google.protobuf.StringValue] { value: 'v' }", NULL, &a);
    assert_string_equal(m->type_url.data, "x.y/google.protobuf.StringValue");
    assert_true(cw_bytes_equal(m->value, cw_bytes_of("\x0a\x01v", 3)));
    assert_string_equal(text_of(&google_protobuf_Any_type, m, NULL, &a).data,
                        "[x.y/google.protobuf.StringValue] {\n  value: \"v\"\n}\n");
    assert_string_equal(
        text_of(&google_protobuf_Any_type, m, &(cw_text_print_options){.raw_any = true}, &a).data,
        "type_url: \"x.y/google.protobuf.StringValue\"\nvalue: \"\\n\\001v\"\n");
    cw_arena_free(&a);
}

static void extensions(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "[json_ext.i32]: 5 n: 1", CW_OK, "n: 1 [json_ext.i32]: 5"},
        {__LINE__,
         "[json_ext.d]: .5 [json_ext.f]: -inf [json_ext.i64]: -1 [json_ext.u64]: 0x10 "
         "[json_ext.f64]: 1 [json_ext.f32]: 2 [json_ext.b]: t [json_ext.s]: 'a' \"b\" "
         "[json_ext.raw]: '\\xff' [json_ext.u32]: 3 [json_ext.e]: ALSO_DARK "
         "[json_ext.sf32]: -3 [json_ext.sf64]: -4 [json_ext.s32]: -5 [json_ext.s64]: -6",
         CW_OK,
         "[json_ext.d]: 0.5 [json_ext.f]: -inf [json_ext.i64]: -1 [json_ext.u64]: 16 "
         "[json_ext.f64]: 1 [json_ext.f32]: 2 [json_ext.b]: true [json_ext.s]: \"ab\" "
         "[json_ext.raw]: \"\\377\" [json_ext.u32]: 3 [json_ext.e]: DARK [json_ext.sf32]: -3 "
         "[json_ext.sf64]: -4 [json_ext.s32]: -5 [json_ext.s64]: -6"},
        /* Zero was given: it is there. */
        {__LINE__, "[json_ext.i32]: 0 [json_ext.s]: '' [json_ext.leaf] { }", CW_OK,
         "[json_ext.i32]: 0 [json_ext.s]: \"\" [json_ext.leaf] { }"},
        {__LINE__,
         "[json_ext.box] { w: 1 } [json_ext.leaf]: < x: 1 leaf { [json_ext.mark]: 'm' } >", CW_OK,
         "[json_ext.box] { w: 1 } [json_ext.leaf] { x: 1 leaf { [json_ext.mark]: \"m\" } }"},
        {__LINE__, "[json_ext.base] { n: 1 [json_ext.base] { [json_ext.i32]: 1 } }", CW_OK,
         "[json_ext.base] { n: 1 [json_ext.base] { [json_ext.i32]: 1 } }"},
        {__LINE__, "[json_ext.Leaf.inner] { x: 1 }", CW_OK, "[json_ext.Leaf.inner] { x: 1 }"},
        {__LINE__, "[ json _ext . # comment\n le\taf ] { }", CW_OK, "[json_ext.leaf] { }"},
        {__LINE__,
         "[json_ext.ds]: [1, 2] [json_ext.ds]: 3 [json_ext.i64s]: [] [json_ext.i64s]: [4]", CW_OK,
         "[json_ext.ds]: 1 [json_ext.ds]: 2 [json_ext.ds]: 3 [json_ext.i64s]: 4"},
        {__LINE__, "[json_ext.ss]: ['a', 'b' 'c'] [json_ext.packed_es]: [LIGHT, 2]", CW_OK,
         "[json_ext.ss]: \"a\" [json_ext.ss]: \"bc\" [json_ext.packed_es]: LIGHT "
         "[json_ext.packed_es]: DARK"},
        {__LINE__, "[json_ext.leaves] [{ x: 1 }, < >] [json_ext.row] { x: 2 } [json_ext.leaves] {}",
         CW_OK,
         "[json_ext.leaves] { x: 1 } [json_ext.leaves] { } [json_ext.leaves] { } "
         "[json_ext.row] { x: 2 }"},
        {__LINE__,
         "[json_ext.any] { [a/json_ext.Leaf] { x: 1 } } [json_ext.value] { bool_value: f }", CW_OK,
         "[json_ext.any] { [a/json_ext.Leaf] { x: 1 } } [json_ext.value] { bool_value: false }"},
        {__LINE__, "[json_ext.far]: 1 [json_ext.needy] { name: 'n' }", CW_OK,
         "[json_ext.needy] { name: \"n\" } [json_ext.far]: 1"},
        /* Maps of messages inside are sorted, too. */
        {__LINE__, "[json_ext.value] { struct_value { fields { key: 'b' } fields { key: 'a' } } }",
         CW_OK,
         "[json_ext.value] { struct_value { fields { key: \"a\" value { } } "
         "fields { key: \"b\" value { } } } }"},
        {__LINE__, "^[json_ext.nope]: 1", CW_ERR_UNKNOWN_FIELD, "json_ext.Base.[json_ext.nope]"},
        {__LINE__, "^[i32]: 1", CW_ERR_UNKNOWN_FIELD, "json_ext.Base.[i32]"},
        {__LINE__, "^[json_ext.Box] { w: 1 }", CW_ERR_UNKNOWN_FIELD,
         "json_ext.Base.[json_ext.Box]"},
        {__LINE__, "^[json_ext.one]: 1", CW_ERR_UNKNOWN_FIELD, "json_ext.Base.[json_ext.one]"},
        {__LINE__, "^[a/json_ext.i32]: 1", CW_ERR_SYNTAX, "json_ext.Base"},
        {__LINE__, "^[]: 1", CW_ERR_SYNTAX, "json_ext.Base"},
        {__LINE__, "[json_ext.i32] ^1", CW_ERR_SYNTAX, "json_ext.Base.[json_ext.i32]"},
        {__LINE__, "[json_ext.i32]: ^'1'", CW_ERR_TYPE, "json_ext.Base.[json_ext.i32]"},
        {__LINE__, "[json_ext.i32]: ^[1]", CW_ERR_TYPE, "json_ext.Base.[json_ext.i32]"},
        {__LINE__, "[json_ext.e]: ^9", CW_ERR_UNKNOWN_ENUM, "json_ext.Base.[json_ext.e]"},
        {__LINE__, "[json_ext.s]: ^'\\xff'", CW_ERR_UTF8, "json_ext.Base.[json_ext.s]"},
        {__LINE__, "[json_ext.leaf] { x: ^y }", CW_ERR_TYPE, "json_ext.Base.[json_ext.leaf].x"},
        {__LINE__, "[json_ext.leaves]: [{}, { x: ^y }]", CW_ERR_TYPE,
         "json_ext.Base.[json_ext.leaves][1].x"},
        {__LINE__, "[json_ext.needy] { }", CW_ERR_REQUIRED, "json_ext.Base.[json_ext.needy].name"},
        {__LINE__, "[json_ext.i32]: 1 ^[json_ext.i32]: 1", CW_ERR_DUPLICATE,
         "json_ext.Base.[json_ext.i32]"},
        {__LINE__, "[json_ext.leaf] { } ^[json_ext.leaf] { }", CW_ERR_DUPLICATE,
         "json_ext.Base.[json_ext.leaf]"},
        {__LINE__, "[json_ext.i32^", CW_ERR_TRUNCATED, "json_ext.Base"},
        {__LINE__, "[json_ext.i32]^", CW_ERR_TRUNCATED, "json_ext.Base.[json_ext.i32]"},
    };
    CHECK(json_ext_Base, rows, NULL);
    static const text_row overwriting[] = {
        {__LINE__, "[json_ext.i32]: 1 [json_ext.i32]: 2", CW_OK, "[json_ext.i32]: 2"},
        {__LINE__, "[json_ext.leaf] { x: 1 } [json_ext.leaf] { leaf { x: 2 } }", CW_OK,
         "[json_ext.leaf] { x: 1 leaf { x: 2 } }"},
    };
    CHECK(json_ext_Base, overwriting, &(cw_text_parse_options){.overwrite = true});
    static const text_row ignoring[] = {
        {__LINE__, "[json_ext.nope]: 1 [json_ext.e]: 9 [json_ext.es]: [LIGHT, 9] n: 1", CW_OK,
         "n: 1 [json_ext.es]: LIGHT"},
        {__LINE__, "[json_ext.one]: 1 [nope.nope] { [nope]: [1] } n: 1", CW_OK, "n: 1"},
        {__LINE__, "[nope.nope] { [nope]: [1 ^2] } n: 1", CW_ERR_SYNTAX,
         "json_ext.Base.[nope.nope]"},
    };
    CHECK(json_ext_Base, ignoring, &(cw_text_parse_options){.ignore_unknown = true});
    static const text_row partial[] = {
        {__LINE__, "[json_ext.needy] { }", CW_OK, "[json_ext.needy] { }"},
    };
    CHECK(json_ext_Base, partial, &(cw_text_parse_options){.allow_partial = true});
    /* Known by the registry alone. */
    static const text_row foreign[] = {
        {__LINE__, "any { [a/json_ext.Base] { [json_ext.i32]: 1 } }", CW_OK,
         "any { [a/json_ext.Base] { [json_ext.i32]: 1 } }"},
    };
    CHECK(json_any_Holder, foreign, &(cw_text_parse_options){.types = &registry});
}

static void message_sets(void **state)
{
    (void)state;
    static const text_row rows[] = {
        {__LINE__, "[json_ext.Piece.piece] { word: 'a' }", CW_OK,
         "[json_ext.Piece] { word: \"a\" }"},
        {__LINE__, "[json_ext.Piece] { word: 'a' set { [json_ext.Piece] { } } }", CW_OK,
         "[json_ext.Piece] { word: \"a\" set { [json_ext.Piece] { } } }"},
        {__LINE__, "[json_ext.Piece]: { } ^[json_ext.Piece.piece] { }", CW_ERR_DUPLICATE,
         "json_ext.Set.[json_ext.Piece.piece]"},
        {__LINE__, "^[json_ext.Leaf] { }", CW_ERR_UNKNOWN_FIELD, "json_ext.Set.[json_ext.Leaf]"},
    };
    CHECK(json_ext_Set, rows, NULL);
    cw_arena a;
    cw_arena_init(&a, NULL);
    const json_ext_Set *m =
        text_get(&json_ext_Set_type, "[json_ext.Piece.piece] { word: 'a' }", NULL, &a);
    cw_bytes bytes;
    assert_int_equal(json_ext_Set_encode_arena(m, &a, &bytes, NULL), CW_OK);
    assert_true(cw_bytes_equal(bytes, cw_bytes_of("\x0b\x10\xe8\x07\x1a\x03\x0a\x01"
                                                  "a\x0c",
                                                  10)));
    /* An item that nobody knows. */
    json_ext_Set unknown;
    assert_int_equal(
        json_ext_Set_decode(&unknown, "\x0b\x10\x09\x1a\x02\x08\x01\x0c", 8, &a, NULL, NULL),
        CW_OK);
    const cw_text_print_options o = {.single_line = true, .unknown_fields = true};
    assert_string_equal(text_of(&json_ext_Set_type, &unknown, &o, &a).data,
                        "1 { 2: 9 3 { 1: 1 } }");
    cw_arena_free(&a);
}

/* Bytes of an extension that cannot be read as its value: an error, with the name. */
static void broken_extensions(void **state)
{
    (void)state;
    cw_arena a;
    cw_error e;
    cw_str out;
    json_ext_Base m;
    cw_arena_init(&a, NULL);
    assert_int_equal(json_ext_Base_decode(&m, "\xb2\x07\x01\x08", 4, &a, NULL, NULL), CW_OK);
    assert_int_not_equal(cw_text_print(&json_ext_Base_type, &m, &a, NULL, &out, &e), CW_OK);
    assert_string_equal(e.path, "json_ext.Base.[json_ext.leaf]");
    assert_int_equal(json_ext_Base_decode(&m, "\xb2\x07\x00\xea\x06\x01\xff", 7, &a, NULL, NULL),
                     CW_OK);
    assert_int_equal(cw_text_print(&json_ext_Base_type, &m, &a, NULL, &out, &e), CW_ERR_UTF8);
    assert_string_equal(e.path, "json_ext.Base.[json_ext.s]");
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any),
        cmocka_unit_test(any_alone),
        cmocka_unit_test(extensions),
        cmocka_unit_test(message_sets),
        cmocka_unit_test(broken_extensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
