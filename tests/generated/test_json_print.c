/* SPDX-License-Identifier: MIT */
/* What generated printers write, by option. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json.cw.h"
#include "json_names.cw.h"
#include "json_proto2.cw.h"
#include "json_support.h"

typedef struct print_row {
    int line;
    cw_json_print_options options;
    const char *text;
} print_row;

static void check_prints(const cw_type *t, const void *m, const print_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        cw_arena a;
        cw_error e;
        cw_str out;
        cw_arena_init(&a, NULL);
        cw_status st = t->to_json(m, &a, &rows[i].options, &out, &e);
        if (st != CW_OK) {
            fail_msg("row at line %d: %s: %s", rows[i].line, cw_status_name(st), e.path);
        }
        if (strcmp(out.data, rows[i].text) != 0 || out.len != strlen(rows[i].text)) {
            fail_msg("row at line %d: %s, not %s", rows[i].line, out.data, rows[i].text);
        }
        cw_arena_free(&a);
    }
}

#define PRINTS(t, m, rows) check_prints(&t##_type, m, rows, sizeof(rows) / sizeof(rows)[0])

static void options(void **state)
{
    (void)state;
    json_Optionals m = {0};
    json_Optionals_set_an_int64(&m, -5);
    json_Optionals_set_a_mode(&m, json_ON);
    json_Optionals_set_a_uint64(&m, UINT64_MAX);
    json_Optionals_set_a_bool(&m, false);
    static const print_row rows[] = {
        {__LINE__,
         {0},
         "{\"anInt64\":\"-5\",\"aUint64\":\"18446744073709551615\",\"aBool\":false,"
         "\"aMode\":\"ON\"}"},
        {__LINE__,
         {.proto_names = true},
         "{\"an_int64\":\"-5\",\"a_uint64\":\"18446744073709551615\",\"a_bool\":false,"
         "\"a_mode\":\"ON\"}"},
        {__LINE__,
         {.enums_as_numbers = true, .int64_as_numbers = true},
         "{\"anInt64\":-5,\"aUint64\":18446744073709551615,\"aBool\":false,\"aMode\":1}"},
        {__LINE__,
         {.print_defaults = true},
         "{\"anInt64\":\"-5\",\"aUint64\":\"18446744073709551615\",\"aBool\":false,"
         "\"aMode\":\"ON\"}"},
        {__LINE__,
         {.indent = 2},
         "{\n  \"anInt64\": \"-5\",\n  \"aUint64\": \"18446744073709551615\",\n"
         "  \"aBool\": false,\n  \"aMode\": \"ON\"\n}"},
    };
    PRINTS(json_Optionals, &m, rows);
}

static void defaults(void **state)
{
    (void)state;
    static const print_row scalars[] = {
        {__LINE__, {0}, "{}"},
        {__LINE__, {.indent = 3}, "{}"},
        {__LINE__,
         {.print_defaults = true},
         "{\"d\":0,\"f\":0,\"i64\":\"0\",\"u64\":\"0\",\"i32\":0,\"f64\":\"0\",\"f32\":0,"
         "\"b\":false,\"s\":\"\",\"raw\":\"\",\"u32\":0,\"e\":\"OFF\",\"sf32\":0,\"sf64\":\"0\","
         "\"s32\":0,\"s64\":\"0\"}"},
        {__LINE__,
         {.print_defaults = true, .int64_as_numbers = true, .enums_as_numbers = true},
         "{\"d\":0,\"f\":0,\"i64\":0,\"u64\":0,\"i32\":0,\"f64\":0,\"f32\":0,"
         "\"b\":false,\"s\":\"\",\"raw\":\"\",\"u32\":0,\"e\":0,\"sf32\":0,\"sf64\":0,"
         "\"s32\":0,\"s64\":0}"},
    };
    PRINTS(json_Scalars, &(json_Scalars){0}, scalars);
    static const print_row choice[] = {
        {__LINE__, {.print_defaults = true}, "{\"before\":0}"},
    };
    PRINTS(json_Choice, &(json_Choice){0}, choice);
    static const print_row node[] = {
        {__LINE__, {.print_defaults = true}, "{\"value\":0,\"kids\":[],\"named\":{}}"},
        {__LINE__,
         {.print_defaults = true, .indent = 1},
         "{\n \"value\": 0,\n \"kids\": [],\n \"named\": {}\n}"},
    };
    PRINTS(json_Node, &(json_Node){0}, node);
    json2_Closed closed;
    json2_Closed_init(&closed);
    static const print_row proto2[] = {
        {__LINE__,
         {.print_defaults = true},
         "{\"colors\":[],\"byName\":{},\"parts\":[],\"numbered\":{},\"withDefaults\":{},"
         "\"moreDefaults\":[]}"},
    };
    PRINTS(json2_Closed, &closed, proto2);
}

static void oneof_members(void **state)
{
    (void)state;
    json_Choice m = {0};
    json_Choice_set_b(&m, false);
    json_Choice_set_other_name(&m, CW_STR(""));
    static const print_row set[] = {{__LINE__, {0}, "{\"b\":false,\"otherName\":\"\"}"}};
    PRINTS(json_Choice, &m, set);
    json_Choice_set_e(&m, 99);
    json_Choice_set_other_number(&m, 0);
    static const print_row other[] = {{__LINE__, {0}, "{\"e\":99,\"otherNumber\":0}"}};
    PRINTS(json_Choice, &m, other);
    /* A message member without its message is not there. */
    m.kind_case = json_Choice_kind_nothing;
    m.kind.nothing = NULL;
    m.other_case = json_Choice_other_NOT_SET;
    static const print_row none[] = {{__LINE__, {0}, "{}"}};
    PRINTS(json_Choice, &m, none);
}

/* What cannot be printed, and where it is. */
static void failures(void **state)
{
    (void)state;
    static cw_str bad[] = {CW_STR_INIT("fine"), CW_STR_INIT("\xc3")};
    static json_Maps_str_i32_entry bad_key[] = {{CW_STR_INIT("\xff"), 1}};
    json_Everything m = {0};
    json_Lists lists = {.s = {bad, 2, 2}};
    json_Maps maps = {.str_i32 = {bad_key, 1, 1}};
    json_Scalars scalars = {.s = CW_STR("\xed\xa0\x80")};
    cw_arena a;
    cw_error e;
    cw_str out = {"untouched", 9};
    cw_arena_init(&a, NULL);
    m.lists = &lists;
    assert_int_equal(json_Everything_to_json(&m, &a, NULL, &out, &e), CW_ERR_UTF8);
    assert_string_equal(e.path, "json.Everything.lists.s[1]");
    assert_int_equal(e.offset, SIZE_MAX);
    assert_int_equal(e.line, 0);
    m.lists = NULL;
    m.maps = &maps;
    assert_int_equal(json_Everything_to_json(&m, &a, NULL, &out, &e), CW_ERR_UTF8);
    assert_string_equal(e.path, "json.Everything.maps.str_i32[0]");
    m.maps = NULL;
    m.scalars = &scalars;
    assert_int_equal(json_Everything_to_json(&m, &a, NULL, &out, &e), CW_ERR_UTF8);
    assert_string_equal(e.path, "json.Everything.scalars.s");
    assert_string_equal(out.data, "untouched");
    assert_int_equal(json_Everything_to_json(&m, &a, NULL, &out, NULL), CW_ERR_UTF8);
    cw_arena_free(&a);
}

static void odd_names(void **state)
{
    (void)state;
    json_names_Odd m = {.quote = 1, .backslash = 2, .controls = 3};
    static const print_row rows[] = {
        {__LINE__, {0}, "{\"a\\\"b\":1,\"c:\\\\d\":2,\"\\u0001\\t\\n\x7f\":3}"},
        {__LINE__, {.proto_names = true}, "{\"quote\":1,\"backslash\":2,\"controls\":3}"},
    };
    PRINTS(json_names_Odd, &m, rows);
}

static void required_fields_are_not_asked_for(void **state)
{
    (void)state;
    json2_Part m;
    json2_Part_init(&m);
    static const print_row rows[] = {{__LINE__, {0}, "{}"}};
    PRINTS(json2_Part, &m, rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options),       cmocka_unit_test(defaults),
        cmocka_unit_test(oneof_members), cmocka_unit_test(failures),
        cmocka_unit_test(odd_names),     cmocka_unit_test(required_fields_are_not_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
