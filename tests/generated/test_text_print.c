/* SPDX-License-Identifier: MIT */
/* How the text format is printed: lines, options, numbers, strings, unknown fields. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json.cw.h"
#include "json_extension.cw.h"
#include "json_proto2.cw.h"
#include "order.cw.h"
#include "text.cw.h"
#include "text_support.h"
#include "wire.cw.h"
#include "wire2.cw.h"

static void check(const char *got, const char *want)
{
    if (strcmp(got, want) != 0) {
        fail_msg("printed:\n%s\nnot:\n%s", got, want);
    }
}

static void lines(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    const cw_type *t = &shop_Batch_type;
    const void *m = text_get(t,
                             "orders { id: 7 customer: 'Ann' status: STATUS_PAID "
                             "items { sku: 'a' qty: 1 } items { } } orders { status: 9 }",
                             NULL, &a);
    check(text_of(t, m, NULL, &a).data, "orders {\n"
                                        "  id: 7\n"
                                        "  customer: \"Ann\"\n"
                                        "  status: STATUS_PAID\n"
                                        "  items {\n"
                                        "    sku: \"a\"\n"
                                        "    qty: 1\n"
                                        "  }\n"
                                        "  items {\n"
                                        "  }\n"
                                        "}\n"
                                        "orders {\n"
                                        "  status: 9\n"
                                        "}\n");
    check(text_of(t, m, &(cw_text_print_options){.indent = 1}, &a).data, "orders {\n"
                                                                         " id: 7\n"
                                                                         " customer: \"Ann\"\n"
                                                                         " status: STATUS_PAID\n"
                                                                         " items {\n"
                                                                         "  sku: \"a\"\n"
                                                                         "  qty: 1\n"
                                                                         " }\n"
                                                                         " items {\n"
                                                                         " }\n"
                                                                         "}\n"
                                                                         "orders {\n"
                                                                         " status: 9\n"
                                                                         "}\n");
    check(text_of(t, m, &(cw_text_print_options){.single_line = true}, &a).data,
          "orders { id: 7 customer: \"Ann\" status: STATUS_PAID items { sku: \"a\" qty: 1 } "
          "items { } } orders { status: 9 }");
    cw_str wide = text_of(t, m, &(cw_text_print_options){.indent = 1000}, &a);
    assert_int_equal(strspn(strchr(wide.data, '\n') + 1, " "), 16);
    check(text_of(t, text_new(t, &a), NULL, &a).data, "");
    cw_arena_free(&a);
}

static void numbers(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    json_Lists m;
    json_Lists_init(&m);
    double d[] = {0.1, 1e21, 1e-7, 123456789012345680.0, -0.0, 5e-324, 1.7976931348623157e308};
    float f[] = {0.1f, 16777216.0f, 1e10f, 3.4028235e38f, 1e-45f};
    int64_t i64[] = {INT64_MIN, -1, 0, INT64_MAX};
    uint32_t u32[] = {0, UINT32_MAX};
    int32_t e[] = {0, 1, -5, 77, INT32_MIN};
    bool b[] = {true, false};
    m.d = (cw_f64_list){d, sizeof d / sizeof *d, 0};
    m.f = (cw_f32_list){f, sizeof f / sizeof *f, 0};
    m.i64 = (cw_i64_list){i64, 4, 0};
    m.u32 = (cw_u32_list){u32, 2, 0};
    m.e.data = e;
    m.e.len = 5;
    m.b = (cw_bool_list){b, 2, 0};
    check(
        text_of(&json_Lists_type, &m, &(cw_text_print_options){.single_line = true}, &a).data,
        "d: 0.1 d: 1e+21 d: 1e-7 d: 123456789012345680 d: -0 d: 5e-324 d: 1.7976931348623157e+308 "
        "f: 0.1 f: 16777216 f: 10000000000 f: 3.4028235e+38 f: 1e-45 "
        "i64: -9223372036854775808 i64: -1 i64: 0 i64: 9223372036854775807 b: true b: false "
        "u32: 0 u32: 4294967295 e: OFF e: ON e: NEGATIVE e: 77 e: -2147483648");
    cw_arena_free(&a);
}

static void bytes_and_strings(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    uint8_t all[256];
    for (unsigned i = 0; i < 256; i++) {
        all[i] = (uint8_t)i;
    }
    json_Scalars m;
    json_Scalars_init(&m);
    m.raw = cw_bytes_of(all, sizeof all);
    m.s = CW_STR("\n\t\"'\\ \x7f \xc3\xa9\xe2\x80\xa8");
    const cw_type *t = &json_Scalars_type;
    cw_str out = text_of(t, &m, NULL, &a);
    assert_non_null(strstr(out.data, "s: \"\\n\\t\\\"\\'\\\\ \\177 \xc3\xa9\xe2\x80\xa8\"\n"));
    assert_non_null(
        strstr(out.data, "raw: \"\\000\\001\\002\\003\\004\\005\\006\\007\\010\\t\\n\\013"));
    assert_non_null(strstr(out.data, "!\\\"#$%&\\'()*+,-./0123456789"));
    assert_non_null(strstr(out.data, "}~\\177\\200\\201"));
    assert_non_null(strstr(out.data, "\\376\\377\"\n"));
    const json_Scalars *again = text_get(t, out.data, NULL, &a);
    assert_true(json_Scalars_equal(&m, again));

    /* A string that is no UTF-8 is no text. */
    cw_error e;
    m.s = CW_STR("a\xff");
    cw_str untouched = {"x", 1};
    assert_int_equal(cw_text_print(t, &m, &a, NULL, &untouched, &e), CW_ERR_UTF8);
    assert_string_equal(e.path, "json.Scalars.s");
    assert_int_equal(e.offset, SIZE_MAX);
    assert_string_equal(untouched.data, "x");
    assert_int_equal(cw_text_print(t, &m, &a, NULL, &untouched, NULL), CW_ERR_UTF8);
    cw_arena_free(&a);
}

/* What is present: by its bit, its pointer, its case, or because it is not zero. */
static void presence(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    static const struct {
        const cw_type *type;
        const char *text, *line;
    } rows[] = {
        {&json_Optionals_type, "an_int32: 0 a_string: '' some_bytes: '' a_mode: OFF nothing {}",
         "an_int32: 0 a_string: \"\" some_bytes: \"\" a_mode: OFF nothing { }"},
        {&json_Choice_type, "s: '' other_number: 0", "s: \"\" other_number: 0"},
        {&json_Choice_type, "e: OFF", "e: OFF"},
        {&json_Choice_type, "nothing { }", "nothing { }"},
        {&json2_Defaults_type, "n: -7 text: '' yes: false", "n: -7 text: \"\" yes: false"},
        {&json2_Defaults_type, "", ""},
        {&json_Scalars_type, "i32: 0 b: false s: '' raw: '' d: 0 f: 0 u64: 0 e: OFF", ""},
        {&wire2_Defaults_type, "in_oneof: 0", "in_oneof: 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const void *m = text_get(rows[i].type, rows[i].text, NULL, &a);
        check(text_of(rows[i].type, m, &(cw_text_print_options){.single_line = true}, &a).data,
              rows[i].line);
    }
    cw_arena_free(&a);
}

static void fields_go_by_number(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    const void *m =
        text_get(&text_Scattered_type,
                 "[text.Scattered.behind]: 'x' last: 1 [text.Scattered.between]: 2 inner {} f1: 3 "
                 "[text.Scattered.behind]: ['y', 'z']",
                 NULL, &a);
    check(text_of(&text_Scattered_type, m, NULL, &a).data, "f1: 3\n"
                                                           "inner {\n"
                                                           "}\n"
                                                           "[text.Scattered.between]: 2\n"
                                                           "last: 1\n"
                                                           "[text.Scattered.behind]: \"x\"\n"
                                                           "[text.Scattered.behind]: \"y\"\n"
                                                           "[text.Scattered.behind]: \"z\"\n");
    m = text_get(&text_Many_type, "[text.e66]: 66 [text.e1]: 1 [text.e65]: 65 [text.e64]: 64", NULL,
                 &a);
    check(text_of(&text_Many_type, m, NULL, &a).data,
          "[text.e1]: 1\n[text.e64]: 64\n[text.e65]: 65\n[text.e66]: 66\n");
    cw_arena_free(&a);
}

/* ---- unknown fields ---------------------------------------------------------------------------
 */

/* Prints the bytes as unknown fields of a message without fields, on one line. */
static const char *print_unknown(const char *bytes, size_t len, cw_arena *a)
{
    json_Nothing m;
    assert_int_equal(json_Nothing_decode(&m, bytes, len, a, NULL, NULL), CW_OK);
    check(text_of(&json_Nothing_type, &m, NULL, a).data, "");
    const cw_text_print_options o = {.single_line = true, .unknown_fields = true};
    return text_of(&json_Nothing_type, &m, &o, a).data;
}

static void unknown_fields(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *bytes;
        size_t len;
        const char *text;
    } rows[] = {
        {__LINE__, "\x08\x7b", 2, "1: 123"},
        {__LINE__, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, "1: 18446744073709551615"},
        {__LINE__, "\x0d\x01\x00\x00\xf0", 5, "1: 0xf0000001"},
        {__LINE__, "\x09\x01\x00\x00\x00\x00\x00\x00\xf0", 9, "1: 0xf000000000000001"},
        {__LINE__, "\x12\x05hello", 7, "2: \"hello\""},
        {__LINE__, "\x12\x02\xc3\xa9", 4, "2: \"\\303\\251\""},
        {__LINE__, "\x12\x00", 2, "2: \"\""},
        {__LINE__, "\x12\x02\x08\x01", 4, "2 { 1: 1 }"},
        {__LINE__, "\x12\x04\x12\x02\x08\x01\x08\x02", 8, "2 { 2 { 1: 1 } } 1: 2"},
        {__LINE__, "\x12\x03\x08\x01\x08", 5, "2: \"\\010\\001\\010\""},
        {__LINE__, "\x12\x02\x0b\x0c", 4, "2 { 1 { } }"},
        {__LINE__, "\x12\x02\x0b\x14", 4, "2: \"\\013\\024\""},
        {__LINE__, "\x12\x01\x0c", 3, "2: \"\\014\""},
        {__LINE__, "\x0b\x08\x01\x0b\x0c\x0c\x08\x02", 8, "1 { 1: 1 1 { } } 1: 2"},
        /* Of the largest number, and the same one again. */
        {__LINE__, "\xf8\xff\xff\xff\x0f\x00\xf8\xff\xff\xff\x0f\x01", 12,
         "536870911: 0 536870911: 1"},
    };
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *got = print_unknown(rows[i].bytes, rows[i].len, &a);
        if (strcmp(got, rows[i].text) != 0) {
            fail_msg("row at line %d: %s", rows[i].line, got);
        }
        /* It parses, and is ignored. */
        text_get(&json_Nothing_type, got, &(cw_text_parse_options){.ignore_unknown = true}, &a);
    }
    cw_arena_free(&a);
}

/* Ten messages are guessed inside each other, no more; in groups fewer. */
static void guesses_end(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    char bytes[64];
    size_t at = sizeof bytes;
    bytes[--at] = 1;
    bytes[--at] = 8; /* 1: 1 */
    for (int i = 0; i < 12; i++) {
        size_t len = sizeof bytes - at;
        bytes[--at] = (char)len;
        bytes[--at] = 0x12;
    }
    const char *got = print_unknown(bytes + at, sizeof bytes - at, &a);
    size_t braces = 0;
    for (const char *s = got; *s; s++) {
        braces += *s == '{';
    }
    assert_int_equal(braces, 10);
    assert_non_null(strstr(got, "2: \"\\022\\002\\010\\001\""));

    /* Groups that nobody knows count as messages do. */
    uint8_t deep[204];
    memset(deep, 0x0b, 101);
    memset(deep + 101, 0x0c, 101);
    json_Nothing m;
    assert_int_equal(json_Nothing_decode(&m, deep + 1, 200, &a, NULL, NULL), CW_OK);
    cw_text_print_options o = {.single_line = true, .unknown_fields = true};
    text_of(&json_Nothing_type, &m, &o, &a);
    o.depth = 99;
    cw_str out;
    cw_error e;
    assert_int_equal(cw_text_print(&json_Nothing_type, &m, &a, &o, &out, &e), CW_ERR_DEPTH);
    assert_string_equal(e.path, "json.Nothing");
    cw_arena_free(&a);
}

/* Values of a closed enum that it has not, and extensions that are and are not known. */
static void known_and_unknown(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    const cw_text_print_options o = {.single_line = true, .unknown_fields = true};
    wire2_Closed closed;
    assert_int_equal(wire2_Closed_decode(&closed, "\x08\x09\x10\x02\x10\x07", 6, &a, NULL, NULL),
                     CW_OK);
    check(text_of(&wire2_Closed_type, &closed, &o, &a).data, "list: GREEN 1: 9 2: 7");

    json_ext_Base base;
    /* 105 as a string that it is not, and as a number; 112 with a number that the enum has not, and
     * with DARK; 1023. */
    static const char bytes[] = "\xca\x06\x01x\xc8\x06\x05\x80\x07\x63\x80\x07\x02\xf8\x3f\x01";
    assert_int_equal(json_ext_Base_decode(&base, bytes, sizeof bytes - 1, &a, NULL, NULL), CW_OK);
    check(text_of(&json_ext_Base_type, &base, &o, &a).data,
          "[json_ext.i32]: 5 [json_ext.e]: DARK 105: \"x\" 112: 99 1023: 1");
    check(
        text_of(&json_ext_Base_type, &base, &(cw_text_print_options){.single_line = true}, &a).data,
        "[json_ext.i32]: 5 [json_ext.e]: DARK");
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),
        cmocka_unit_test(numbers),
        cmocka_unit_test(bytes_and_strings),
        cmocka_unit_test(presence),
        cmocka_unit_test(fields_go_by_number),
        cmocka_unit_test(unknown_fields),
        cmocka_unit_test(guesses_end),
        cmocka_unit_test(known_and_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
