/* SPDX-License-Identifier: MIT */
/* What generated parsers accept, refuse, and say about it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json.cw.h"
#include "json_names.cw.h"
#include "json_proto2.cw.h"
#include "json_support.h"

#define ROWS(t, rows) json_check_rows(&t##_type, rows, sizeof(rows) / sizeof(rows)[0], NULL)
#define ROWS_WITH(t, rows, ...)                                                                    \
    json_check_rows(&t##_type, rows, sizeof(rows) / sizeof(rows)[0],                               \
                    &(cw_json_parse_options){__VA_ARGS__})

static void integers(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{}", CW_OK, "{}"},
        {__LINE__, " \r\n\t{ \n\"i32\" : 5 , \"u32\":6}\n ", CW_OK, "{\"i32\":5,\"u32\":6}"},
        {__LINE__, "{\"i32\":2147483647}", CW_OK, "{\"i32\":2147483647}"},
        {__LINE__, "{\"i32\":-2147483648}", CW_OK, "{\"i32\":-2147483648}"},
        {__LINE__, "{\"i32\":\"-2147483648\"}", CW_OK, "{\"i32\":-2147483648}"},
        {__LINE__, "{\"i32\":^2147483648}", CW_ERR_RANGE, "json.Scalars.i32"},
        {__LINE__, "{\"i32\":^-2147483649}", CW_ERR_RANGE, "json.Scalars.i32"},
        {__LINE__, "{\"s32\":-1,\"sf32\":-2}", CW_OK, "{\"sf32\":-2,\"s32\":-1}"},
        {__LINE__, "{\"u32\":4294967295}", CW_OK, "{\"u32\":4294967295}"},
        {__LINE__, "{\"u32\":^4294967296}", CW_ERR_RANGE, "json.Scalars.u32"},
        {__LINE__, "{\"f32\":^-1}", CW_ERR_RANGE, "json.Scalars.f32"},
        {__LINE__, "{\"i64\":\"9223372036854775807\"}", CW_OK, "{\"i64\":\"9223372036854775807\"}"},
        {__LINE__, "{\"i64\":-9223372036854775808}", CW_OK, "{\"i64\":\"-9223372036854775808\"}"},
        {__LINE__, "{\"i64\":^9223372036854775808}", CW_ERR_RANGE, "json.Scalars.i64"},
        {__LINE__, "{\"s64\":\"-5\",\"sf64\":-6}", CW_OK, "{\"sf64\":\"-6\",\"s64\":\"-5\"}"},
        {__LINE__, "{\"u64\":18446744073709551615}", CW_OK, "{\"u64\":\"18446744073709551615\"}"},
        {__LINE__, "{\"u64\":^18446744073709551616}", CW_ERR_RANGE, "json.Scalars.u64"},
        {__LINE__, "{\"f64\":\"18446744073709551615\"}", CW_OK,
         "{\"f64\":\"18446744073709551615\"}"},
        {__LINE__, "{\"i32\":1e3}", CW_OK, "{\"i32\":1000}"},
        {__LINE__, "{\"i32\":100.000}", CW_OK, "{\"i32\":100}"},
        {__LINE__, "{\"i32\":\"1.5e1\"}", CW_OK, "{\"i32\":15}"},
        {__LINE__, "{\"i32\":-0}", CW_OK, "{}"},
        {__LINE__, "{\"i32\":^true}", CW_ERR_TYPE, "json.Scalars.i32"},
        {__LINE__, "{\"i32\":^[1]}", CW_ERR_TYPE, "json.Scalars.i32"},
        {__LINE__, "{\"i32\":^{}}", CW_ERR_TYPE, "json.Scalars.i32"},
        {__LINE__, "{\"i64\":^[]}", CW_ERR_TYPE, "json.Scalars.i64"},
    };
    ROWS(json_Scalars, rows);
}

static void other_scalars(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"b\":true}", CW_OK, "{\"b\":true}"},
        {__LINE__, "{\"b\":false}", CW_OK, "{}"},
        {__LINE__, "{\"b\":^1}", CW_ERR_TYPE, "json.Scalars.b"},
        {__LINE__, "{\"d\":1.5,\"f\":\"-2.25\"}", CW_OK, "{\"d\":1.5,\"f\":-2.25}"},
        {__LINE__, "{\"d\":\"NaN\",\"f\":\"-Infinity\"}", CW_OK,
         "{\"d\":\"NaN\",\"f\":\"-Infinity\"}"},
        {__LINE__, "{\"d\":\"Infinity\"}", CW_OK, "{\"d\":\"Infinity\"}"},
        {__LINE__, "{\"d\":5e-324}", CW_OK, "{\"d\":5e-324}"},
        {__LINE__, "{\"d\":^1e309}", CW_ERR_RANGE, "json.Scalars.d"},
        {__LINE__, "{\"f\":^1e39}", CW_ERR_RANGE, "json.Scalars.f"},
        {__LINE__, "{\"d\":^false}", CW_ERR_TYPE, "json.Scalars.d"},
        {__LINE__, "{\"s\":\"\"}", CW_OK, "{}"},
        {__LINE__, "{\"s\":\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"}", CW_OK,
         "{\"s\":\"a\\\"\\\\/\\b\\f\\n\\r\\t\xc3\xa9\"}"},
        {__LINE__, "{\"s\":\"\\u0000\"}", CW_OK, "{\"s\":\"\\u0000\"}"},
        {__LINE__, "{\"s\":^5}", CW_ERR_TYPE, "json.Scalars.s"},
        {__LINE__, "{\"raw\":\"AAEC\"}", CW_OK, "{\"raw\":\"AAEC\"}"},
        {__LINE__, "{\"raw\":^5}", CW_ERR_TYPE, "json.Scalars.raw"},
        {__LINE__, "{\"e\":\"ON\"}", CW_OK, "{\"e\":\"ON\"}"},
        {__LINE__, "{\"e\":\"NEGATIVE\"}", CW_OK, "{\"e\":\"NEGATIVE\"}"},
        {__LINE__, "{\"e\":-5}", CW_OK, "{\"e\":\"NEGATIVE\"}"},
        {__LINE__, "{\"e\":77}", CW_OK, "{\"e\":77}"},
        {__LINE__, "{\"e\":^\"on\"}", CW_ERR_UNKNOWN_ENUM, "json.Scalars.e"},
        {__LINE__, "{\"e\":^true}", CW_ERR_TYPE, "json.Scalars.e"},
        {__LINE__, "{\"e\":^2147483648}", CW_ERR_RANGE, "json.Scalars.e"},
    };
    ROWS(json_Scalars, rows);
}

static void presence(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"aDouble\":0,\"aFloat\":0,\"anInt64\":0,\"aUint64\":0}", CW_OK,
         "{\"aDouble\":0,\"aFloat\":0,\"anInt64\":\"0\",\"aUint64\":\"0\"}"},
        {__LINE__, "{\"aBool\":false,\"aString\":\"\",\"someBytes\":\"\",\"aMode\":\"OFF\"}", CW_OK,
         "{\"aBool\":false,\"aString\":\"\",\"someBytes\":\"\",\"aMode\":\"OFF\"}"},
        {__LINE__, "{\"a_mode\":0,\"an_sint64\":0,\"aUint32\":0}", CW_OK,
         "{\"aUint32\":0,\"aMode\":\"OFF\",\"anSint64\":\"0\"}"},
        {__LINE__, "{\"nothing\":{},\"scalars\":{\"i32\":0}}", CW_OK,
         "{\"nothing\":{},\"scalars\":{}}"},
        {__LINE__, "{\"aDouble\":null,\"aMode\":null,\"nothing\":null}", CW_OK, "{}"},
        {__LINE__, "{\"aMode\":^\"nope\"}", CW_ERR_UNKNOWN_ENUM, "json.Optionals.a_mode"},
        {__LINE__, "{\"scalars\":{\"i32\":^\"x\"}}", CW_ERR_TYPE, "json.Optionals.scalars.i32"},
        {__LINE__, "{\"nothing\":^[]}", CW_ERR_TYPE, "json.Optionals.nothing"},
        {__LINE__, "{\"nothing\":{^\"x\":1}}", CW_ERR_UNKNOWN_FIELD, "json.Optionals.nothing.x"},
    };
    ROWS(json_Optionals, rows);
}

static void names(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"aDouble\":1,\"a_float\":2,\"anInt64\":3}", CW_OK,
         "{\"aDouble\":1,\"aFloat\":2,\"anInt64\":\"3\"}"},
        {__LINE__, "{\"a_\\u0064ouble\":1,\"\\u0061Float\":2}", CW_OK,
         "{\"aDouble\":1,\"aFloat\":2}"},
        {__LINE__, "{\"aDouble\":1,^\"aDouble\":1}", CW_ERR_DUPLICATE, "json.Optionals.a_double"},
        {__LINE__, "{\"aDouble\":1,\n ^\"a_double\":1}", CW_ERR_DUPLICATE,
         "json.Optionals.a_double"},
        {__LINE__, "{\"a_double\":null,^\"aDouble\":1}", CW_ERR_DUPLICATE,
         "json.Optionals.a_double"},
        {__LINE__, "{\"aDouble\":1,^\"a\\u0044ouble\":1}", CW_ERR_DUPLICATE,
         "json.Optionals.a_double"},
        {__LINE__, "{^\"ADouble\":1}", CW_ERR_UNKNOWN_FIELD, "json.Optionals.ADouble"},
        {__LINE__, "{^\"aDoubl\":1}", CW_ERR_UNKNOWN_FIELD, "json.Optionals.aDoubl"},
        {__LINE__, "{^\"\":1}", CW_ERR_UNKNOWN_FIELD, "json.Optionals."},
        {__LINE__, "{\"aMode\":1,\n\"aFloat\":2,\n  ^\"aDoubles\":1}", CW_ERR_UNKNOWN_FIELD,
         "json.Optionals.aDoubles"},
    };
    ROWS(json_Optionals, rows);
}

static void odd_names(void **state)
{
    (void)state;
    static const json_row odd[] = {
        {__LINE__, "{\"a\\\"b\":1}", CW_OK, "{\"a\\\"b\":1}"},
        {__LINE__, "{\"quote\":1}", CW_OK, "{\"a\\\"b\":1}"},
        {__LINE__, "{\"a\\u0022b\":1}", CW_OK, "{\"a\\\"b\":1}"},
        {__LINE__, "{\"c:\\\\d\":2}", CW_OK, "{\"c:\\\\d\":2}"},
        {__LINE__, "{\"c:\\u005cd\":2}", CW_OK, "{\"c:\\\\d\":2}"},
        {__LINE__, "{\"\\u0001\\t\\n\x7f\":3}", CW_OK, "{\"\\u0001\\t\\n\x7f\":3}"},
        {__LINE__, "{\"\\u0001\\u0009\\u000a\\u007f\":3}", CW_OK, "{\"\\u0001\\t\\n\x7f\":3}"},
        {__LINE__, "{\"na\xc3\xafve\":4}", CW_OK, "{\"na\xc3\xafve\":4}"},
        {__LINE__, "{\"na\\u00efve\":4}", CW_OK, "{\"na\xc3\xafve\":4}"},
        {__LINE__, "{\"what?\?/really\":5}", CW_OK, "{\"what?\?/really\":5}"},
        {__LINE__, "{\"\\ud83d\\ude01\":6}", CW_OK, "{\"\xf0\x9f\x98\x81\":6}"},
        {__LINE__, "{\"a\\/b\":7}", CW_OK, "{\"a/b\":7}"},
        {__LINE__, "{\" \":8,\"{}[](),:\":9,\"$T$ $$\":10,\"%s%n\":11}", CW_OK,
         "{\" \":8,\"{}[](),:\":9,\"$T$ $$\":10,\"%s%n\":11}"},
        {__LINE__, "{\"\\\"list\\\"\":[\"x\"],\"'map'\":{\"k\":1}}", CW_OK,
         "{\"\\\"list\\\"\":[\"x\"],\"'map'\":{\"k\":1}}"},
        {__LINE__, "{\"@type\":14,\"*/ /* //\":15}", CW_OK, "{\"@type\":14,\"*/ /* //\":15}"},
        {__LINE__, "{\"a\\\"b\":1,^\"quote\":1}", CW_ERR_DUPLICATE, "json_names.Odd.quote"},
        {__LINE__, "{^\"a\\\"c\":1}", CW_ERR_UNKNOWN_FIELD, "json_names.Odd.a\"c"},
    };
    ROWS(json_names_Odd, odd);
    static const json_row lengths[] = {
        {__LINE__,
         "{\"abcdefghij\":1,\"abcdefghijk\":2,\"abcdefghijkl\":3,\"abcdefghijklm\":4,"
         "\"abcdefghijklmn\":5,\"abcdefghijklmno\":6,\"abcdefghijklmnop\":7,"
         "\"abcdefghijklmnopq\":8,\"abcdefghijklmnopqr\":9,\"abcdefghijklmnopqs\":10}",
         CW_OK,
         "{\"abcdefghij\":1,\"abcdefghijk\":2,\"abcdefghijkl\":3,\"abcdefghijklm\":4,"
         "\"abcdefghijklmn\":5,\"abcdefghijklmno\":6,\"abcdefghijklmnop\":7,"
         "\"abcdefghijklmnopq\":8,\"abcdefghijklmnopqr\":9,\"abcdefghijklmnopqs\":10}"},
        {__LINE__, "{\"abcdefghijklmnopqs\" :10,\"abcdefghijklmnop\"\n:7 ,\"abcdefghij\": 1}",
         CW_OK, "{\"abcdefghij\":1,\"abcdefghijklmnop\":7,\"abcdefghijklmnopqs\":10}"},
        {__LINE__, "{^\"abcdefghijklmnopqt\":1}", CW_ERR_UNKNOWN_FIELD,
         "json_names.Lengths.abcdefghijklmnopqt"},
        {__LINE__, "{\"aLongNameThatHasALongJsonNameWithMoreThanSixtyFourBytesInIt\":5}", CW_OK,
         "{\"aLongNameThatHasALongJsonNameWithMoreThanSixtyFourBytesInIt\":5}"},
    };
    ROWS(json_names_Lengths, lengths);
}

static void lists(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"i32\":[]}", CW_OK, "{}"},
        {__LINE__, "{\"i32\":[ 1 , 2,3 ],\"s\":[\"\",\"x\"]}", CW_OK,
         "{\"i32\":[1,2,3],\"s\":[\"\",\"x\"]}"},
        {__LINE__, "{\"b\":[true,false],\"e\":[\"ON\",0,9]}", CW_OK,
         "{\"b\":[true,false],\"e\":[\"ON\",\"OFF\",9]}"},
        {__LINE__, "{\"nothings\":[{},{}]}", CW_OK, "{\"nothings\":[{},{}]}"},
        {__LINE__, "{\"someScalars\":[{\"i32\":1},{},{\"s\":\"x\"}]}", CW_OK,
         "{\"someScalars\":[{\"i32\":1},{},{\"s\":\"x\"}]}"},
        {__LINE__, "{\"i32\":null}", CW_OK, "{}"},
        {__LINE__, "{\"i32\":[1,^null]}", CW_ERR_TYPE, "json.Lists.i32[1]"},
        {__LINE__, "{\"nothings\":[{},{},^null]}", CW_ERR_TYPE, "json.Lists.nothings[2]"},
        {__LINE__, "{\"s\":[^null]}", CW_ERR_TYPE, "json.Lists.s[0]"},
        {__LINE__, "{\"i32\":^1}", CW_ERR_TYPE, "json.Lists.i32"},
        {__LINE__, "{\"i32\":^{}}", CW_ERR_TYPE, "json.Lists.i32"},
        {__LINE__, "{\"i32\":[1,^[2]]}", CW_ERR_TYPE, "json.Lists.i32[1]"},
        {__LINE__, "{\"someScalars\":[{},{\"i32\":^\"x\"}]}", CW_ERR_TYPE,
         "json.Lists.some_scalars[1].i32"},
        {__LINE__, "{\"e\":[\"ON\",^\"nope\"]}", CW_ERR_UNKNOWN_ENUM, "json.Lists.e[1]"},
    };
    ROWS(json_Lists, rows);
}

static void maps(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"strI32\":{}}", CW_OK, "{}"},
        {__LINE__, "{\"strI32\":{\"b\":2,\"\":0,\"a\":1}}", CW_OK,
         "{\"strI32\":{\"\":0,\"a\":1,\"b\":2}}"},
        {__LINE__, "{\"i32Str\":{\"-1\":\"x\",\"5\":\"\",\"-2147483648\":\"y\"}}", CW_OK,
         "{\"i32Str\":{\"-2147483648\":\"y\",\"-1\":\"x\",\"5\":\"\"}}"},
        {__LINE__, "{\"u32D\":{\"4294967295\":1,\"0\":2.5}}", CW_OK,
         "{\"u32D\":{\"0\":2.5,\"4294967295\":1}}"},
        {__LINE__, "{\"u64F\":{\"18446744073709551615\":1}}", CW_OK,
         "{\"u64F\":{\"18446744073709551615\":1}}"},
        {__LINE__, "{\"bS64\":{\"true\":1,\"false\":-1}}", CW_OK,
         "{\"bS64\":{\"false\":\"-1\",\"true\":\"1\"}}"},
        {__LINE__, "{\"s64E\":{\"1\":\"ON\",\"0\":0}}", CW_OK,
         "{\"s64E\":{\"0\":\"OFF\",\"1\":\"ON\"}}"},
        {__LINE__, "{\"strNothing\":{\"x\":{}},\"strScalars\":{\"y\":{\"i32\":1},\"x\":{}}}", CW_OK,
         "{\"strNothing\":{\"x\":{}},\"strScalars\":{\"x\":{},\"y\":{\"i32\":1}}}"},
        {__LINE__, "{\"strI32\":{\"a\":1,^\"a\":1}}", CW_ERR_DUPLICATE, "json.Maps.str_i32"},
        {__LINE__, "{\"strI32\":{\"a\":1,^\"\\u0061\":1}}", CW_ERR_DUPLICATE, "json.Maps.str_i32"},
        {__LINE__, "{\"strI32\":^{\"b\":1,\"a\":1,\"c\":1,\"b\":1}}", CW_ERR_DUPLICATE,
         "json.Maps.str_i32[\"b\"]"},
        {__LINE__, "{\"i32Str\":^{\"1\":\"\",\"2\":\"\",\"1\":\"\"}}", CW_ERR_DUPLICATE,
         "json.Maps.i32_str"},
        {__LINE__, "{\"bE\":^{\"true\":0,\"false\":0,\"true\":1}}", CW_ERR_DUPLICATE,
         "json.Maps.b_e"},
        {__LINE__, "{\"strI32\":{\"k\":^null}}", CW_ERR_TYPE, "json.Maps.str_i32[\"k\"]"},
        {__LINE__, "{\"strNothing\":{\"k\":^null}}", CW_ERR_TYPE, "json.Maps.str_nothing[\"k\"]"},
        {__LINE__, "{\"i32Str\":{\"-7\":^5}}", CW_ERR_TYPE, "json.Maps.i32_str[\"-7\"]"},
        {__LINE__, "{\"strScalars\":{\"a\\n\":{\"i32\":^\"x\"}}}", CW_ERR_TYPE,
         "json.Maps.str_scalars[\"a?\"].i32"},
        {__LINE__, "{\"i32Str\":{^1:\"\"}}", CW_ERR_SYNTAX, "json.Maps.i32_str"},
        {__LINE__, "{\"strI32\":^[]}", CW_ERR_TYPE, "json.Maps.str_i32"},
        {__LINE__, "{\"s64E\":{\"5\":^\"nope\"}}", CW_ERR_UNKNOWN_ENUM, "json.Maps.s64_e[\"5\"]"},
    };
    ROWS(json_Maps, rows);
}

static void map_keys_of_another_kind(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
    } rows[] = {
        {__LINE__, "{\"i32Str\":{\"x\":\"\"}}"},
        {__LINE__, "{\"i32Str\":{\"\":\"\"}}"},
        {__LINE__, "{\"i32Str\":{\"1.5\":\"\"}}"},
        {__LINE__, "{\"i32Str\":{\" 1\":\"\"}}"},
        {__LINE__, "{\"i32Str\":{\"2147483648\":\"\"}}"},
        {__LINE__, "{\"u32D\":{\"-1\":1}}"},
        {__LINE__, "{\"u32D\":{\"4294967296\":1}}"},
        {__LINE__, "{\"bS64\":{\"1\":1}}"},
        {__LINE__, "{\"bS64\":{\"True\":1}}"},
        {__LINE__, "{\"bS64\":{true:1}}"},
        {__LINE__, "{\"i64Raw\":{\"1x\":\"\"}}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw_arena a;
        cw_error e;
        json_Maps m;
        cw_arena_init(&a, NULL);
        cw_status st =
            json_parse(&json_Maps_type, &m, rows[i].text, strlen(rows[i].text), &a, NULL, &e);
        if (st == CW_OK || e.status != st) {
            fail_msg("row at line %d: %s: accepted", rows[i].line, rows[i].text);
        }
        cw_arena_free(&a);
    }
}

static void oneofs(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"d\":0}", CW_OK, "{\"d\":0}"},
        {__LINE__, "{\"b\":false,\"otherName\":\"\"}", CW_OK, "{\"b\":false,\"otherName\":\"\"}"},
        {__LINE__, "{\"s\":\"x\",\"before\":3}", CW_OK, "{\"before\":3,\"s\":\"x\"}"},
        {__LINE__, "{\"nothing\":{}}", CW_OK, "{\"nothing\":{}}"},
        {__LINE__, "{\"someScalars\":{\"u32\":1}}", CW_OK, "{\"someScalars\":{\"u32\":1}}"},
        {__LINE__, "{\"e\":\"stop\"}", CW_OK, "{\"e\":\"OFF\"}"},
        {__LINE__, "{\"d\":null,\"f\":1,\"s\":null}", CW_OK, "{\"f\":1}"},
        {__LINE__, "{\"d\":1,^\"f\":1}", CW_ERR_DUPLICATE, "json.Choice.f"},
        {__LINE__, "{\"someScalars\":{},^\"nothing\":{}}", CW_ERR_DUPLICATE, "json.Choice.nothing"},
        {__LINE__, "{\"e\":0,^\"e\":1}", CW_ERR_DUPLICATE, "json.Choice.e"},
        {__LINE__, "{\"e\":0,^\"raw\":\"\"}", CW_ERR_DUPLICATE, "json.Choice.raw"},
        {__LINE__, "{\"d\":^\"x\"}", CW_ERR_TYPE, "json.Choice.d"},
    };
    ROWS(json_Choice, rows);
}

static void unknown_is_ignored(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"nope\":1,\"n\":2,\"no\":[{\"x\":null}],\"s\":\"x\",\"y\":{}}", CW_OK,
         "{\"n\":2,\"s\":\"x\"}"},
        {__LINE__, "{\"nope\":1,\"nope\":2}", CW_OK, "{}"},
        {__LINE__, "{\"e\":\"nope\",\"n\":1}", CW_OK, "{\"n\":1}"},
        {__LINE__, "{\"no\":{\"x\":[1,^x]}}", CW_ERR_SYNTAX, "json.Case.no"},
        {__LINE__, "{\"no\":\"^\\q\"}", CW_ERR_STRING, "json.Case.no"},
        {__LINE__, "{\"e\":^true}", CW_ERR_TYPE, "json.Case.e"},
    };
    ROWS_WITH(json_Case, rows, .ignore_unknown = true);
    static const json_row in_lists[] = {
        {__LINE__, "{\"e\":[\"nope\",\"ON\",\"no\",\"NEGATIVE\",\"\"]}", CW_OK,
         "{\"e\":[\"ON\",\"NEGATIVE\"]}"},
        {__LINE__, "{\"e\":[\"nope\"]}", CW_OK, "{}"},
    };
    ROWS_WITH(json_Lists, in_lists, .ignore_unknown = true);
    static const json_row in_maps[] = {
        {__LINE__, "{\"s64E\":{\"3\":\"nope\",\"1\":\"ON\",\"2\":\"no\"}}", CW_OK,
         "{\"s64E\":{\"1\":\"ON\"}}"},
        {__LINE__, "{\"bE\":{\"true\":\"nope\",\"false\":\"ON\"}}", CW_OK,
         "{\"bE\":{\"false\":\"ON\"}}"},
    };
    ROWS_WITH(json_Maps, in_maps, .ignore_unknown = true);
    static const json_row in_oneofs[] = {
        {__LINE__, "{\"e\":\"nope\"}", CW_OK, "{}"},
        {__LINE__, "{\"e\":\"nope\",\"s\":\"x\"}", CW_OK, "{\"s\":\"x\"}"},
    };
    ROWS_WITH(json_Choice, in_oneofs, .ignore_unknown = true);
}

static void proto2(void **state)
{
    (void)state;
    static const json_row defaults[] = {
        {__LINE__, "{}", CW_OK, "{}"},
        {__LINE__, "{\"n\":0,\"yes\":false}", CW_OK, "{\"n\":0,\"yes\":false}"},
        {__LINE__, "{\"color\":\"BLUE\",\"first\":1}", CW_OK,
         "{\"color\":\"BLUE\",\"first\":\"RED\"}"},
        {__LINE__, "{\"color\":^3}", CW_ERR_UNKNOWN_ENUM, "json2.Defaults.color"},
        {__LINE__, "{\"color\":^0}", CW_ERR_UNKNOWN_ENUM, "json2.Defaults.color"},
    };
    ROWS(json2_Defaults, defaults);
    static const json_row required[] = {
        {__LINE__, "{\"name\":\"\"}", CW_OK, "{\"name\":\"\"}"},
        {__LINE__, "{}", CW_ERR_REQUIRED, "json2.Part.name"},
        {__LINE__, "{\"name\":null}", CW_ERR_REQUIRED, "json2.Part.name"},
    };
    ROWS(json2_Part, required);
    static const json_row partial[] = {
        {__LINE__, "{}", CW_OK, "{}"},
    };
    ROWS_WITH(json2_Part, partial, .allow_partial = true);
    static const json_row closed[] = {
        {__LINE__, "{\"colors\":[\"RED\",4]}", CW_OK, "{\"colors\":[\"RED\",\"BLUE\"]}"},
        {__LINE__, "{\"colors\":[1,^5]}", CW_ERR_UNKNOWN_ENUM, "json2.Closed.colors[1]"},
        {__LINE__, "{\"byName\":{\"x\":\"BRIGHT\",\"a\":0}}", CW_OK,
         "{\"byName\":{\"a\":\"DARK\",\"x\":\"BRIGHT\"}}"},
        {__LINE__, "{\"byName\":{\"x\":^1}}", CW_ERR_UNKNOWN_ENUM, "json2.Closed.by_name[\"x\"]"},
        {__LINE__, "{\"color\":^9}", CW_ERR_UNKNOWN_ENUM, "json2.Closed.color"},
        {__LINE__, "{\"part\":{\"name\":\"a\"},\"parts\":[{\"name\":\"b\"}]}", CW_OK,
         "{\"part\":{\"name\":\"a\"},\"parts\":[{\"name\":\"b\"}]}"},
        {__LINE__, "{\"parts\":[{\"name\":\"b\"},{}]}", CW_ERR_REQUIRED,
         "json2.Closed.parts[1].name"},
    };
    ROWS(json2_Closed, closed);
    static const json_row groups[] = {
        {__LINE__, "{\"box\":{\"wideSide\":1,\"lid\":[{\"mark\":\"x\"}]},\"inoneof\":{\"x\":2}}",
         CW_OK, "{\"box\":{\"wideSide\":1,\"lid\":[{\"mark\":\"x\"}]},\"inoneof\":{\"x\":2}}"},
        {__LINE__, "{\"y\":1,^\"inoneof\":{}}", CW_ERR_DUPLICATE, "json2.Grouped.inoneof"},
        {__LINE__, "{\"box\":{\"lid\":[^5]}}", CW_ERR_TYPE, "json2.Grouped.box.lid[0]"},
    };
    ROWS(json2_Grouped, groups);
}

/* Members that are not in the text get their defaults, also in elements and map values. */
static void defaults_are_set(void **state)
{
    (void)state;
    static const char text[] = "{\"withDefaults\":{\"2\":{},\"1\":{\"n\":5}},"
                               "\"moreDefaults\":[{}],\"part\":{\"name\":\"\",\"defaults\":{}}}";
    cw_arena a;
    json2_Closed m;
    cw_arena_init(&a, NULL);
    assert_int_equal(json_parse(&json2_Closed_type, &m, text, sizeof text - 1, &a, NULL, NULL),
                     CW_OK);
    assert_int_equal(m.with_defaults.len, 2);
    assert_int_equal(m.with_defaults.data[0].value.n, 5);
    assert_int_equal(m.with_defaults.data[1].value.n, -7);
    assert_int_equal(m.with_defaults.data[1].value.color, json2_GREEN);
    assert_int_equal(m.more_defaults.data[0].first, json2_RED);
    assert_string_equal(m.more_defaults.data[0].text.data, "a \"quoted\" text");
    assert_int_equal(m.one_case, json2_Closed_one_part);
    assert_true(m.one.part->defaults->yes);
    assert_false(m.one.part->defaults->has.yes);
    cw_arena_free(&a);
}

/* 150 fields, each given once in an order of its own. */
static void wide_messages(void **state)
{
    (void)state;
    const cw_type *t = &json_names_Wide_type;
    assert_int_equal(t->n_fields, 150);
    cw_arena a;
    cw_arena_init(&a, NULL);
    char *text = cw_arena_alloc(&a, 150 * 80);
    assert_non_null(text);
    size_t n = 0;
    for (uint32_t i = 0; i < 150; i++) {
        const cw_field *f = &t->fields[i * 7 % 150];
        const char *value = f->kind == CW_KIND_STRING  ? "\"text\""
                            : f->kind == CW_KIND_BYTES ? "\"AAEC\""
                            : f->kind == CW_KIND_BOOL  ? "true"
                                                       : "7";
        bool list = f->shape == CW_SHAPE_REPEATED;
        n += (size_t)snprintf(text + n, 80, "%s\"%s\":%s%s%s", i ? "," : "{",
                              i % 2 ? f->name : f->json_name, list ? "[" : "", value,
                              list ? "]" : "");
    }
    text[n++] = '}';
    cw_error e;
    json_names_Wide m;
    assert_int_equal(json_parse(t, &m, text, n, &a, NULL, &e), CW_OK);
    cw_str printed = json_text(t, &m, &a);
    size_t members = 0;
    for (size_t i = 0; i < printed.len; i++) {
        members += printed.data[i] == ':';
    }
    assert_int_equal(members, 150);
    /* Each field a second time. */
    for (uint32_t i = 0; i < 150; i++) {
        n = (size_t)snprintf(text, 400, "{\"%s\":null,\"%s\":null}", t->fields[i].name,
                             t->fields[i].json_name);
        assert_int_equal(json_parse(t, &m, text, n, &a, NULL, &e), CW_ERR_DUPLICATE);
        assert_int_equal(e.offset, 1 + strlen(t->fields[i].name) + 8);
    }
    cw_arena_free(&a);
}

static void aliasing(void **state)
{
    (void)state;
    static const char text[] = "{\"s\":[\"plain\",\"with \\n escape\",\"\"],\"raw\":[\"AAEC\"]}";
    cw_arena a;
    json_Lists m;
    cw_arena_init(&a, NULL);
    const cw_json_parse_options alias = {.alias = true};
    assert_int_equal(json_Lists_from_json(&m, text, sizeof text - 1, &a, &alias, NULL), CW_OK);
    assert_ptr_equal(m.s.data[0].data, text + 7);
    assert_int_equal(m.s.data[0].len, 5);
    assert_true(cw_str_equal(m.s.data[1], CW_STR("with \n escape")));
    assert_int_equal(m.s.data[2].len, 0);
    assert_int_equal(json_Lists_from_json(&m, text, sizeof text - 1, &a, NULL, NULL), CW_OK);
    assert_string_equal(m.s.data[0].data, "plain");
    assert_true(m.s.data[0].data < text || m.s.data[0].data >= text + sizeof text);
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),      cmocka_unit_test(other_scalars),
        cmocka_unit_test(presence),      cmocka_unit_test(names),
        cmocka_unit_test(odd_names),     cmocka_unit_test(lists),
        cmocka_unit_test(maps),          cmocka_unit_test(map_keys_of_another_kind),
        cmocka_unit_test(oneofs),        cmocka_unit_test(unknown_is_ignored),
        cmocka_unit_test(proto2),        cmocka_unit_test(defaults_are_set),
        cmocka_unit_test(wide_messages), cmocka_unit_test(aliasing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
