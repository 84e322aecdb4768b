/* SPDX-License-Identifier: MIT */
/* Small inputs from public bug reports in this field, each named after its number in our list. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json.cw.h"
#include "json_support.h"

#define CASES(rows) json_check_rows(&json_Case_type, rows, sizeof(rows) / sizeof(rows)[0], NULL)

static void b11_aliases_of_enums(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"e\":[\"OFF\",\"STOP\",\"stop\",0,\"ON\"]}", CW_OK,
         "{\"e\":[\"OFF\",\"OFF\",\"OFF\",\"OFF\",\"ON\"]}"},
        {__LINE__, "{\"e\":[^\"Stop\"]}", CW_ERR_UNKNOWN_ENUM, "json.Lists.e[0]"},
    };
    json_check_rows(&json_Lists_type, rows, 2, NULL);
}

static void b45_integers_with_exponents(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"n\":\"1e5\"}", CW_OK, "{\"n\":100000}"},
        {__LINE__, "{\"n\":\"100.000\"}", CW_OK, "{\"n\":100}"},
        {__LINE__, "{\"n\":1e3}", CW_OK, "{\"n\":1000}"},
        {__LINE__, "{\"n\":^\"0.5\"}", CW_ERR_TYPE, "json.Case.n"},
        {__LINE__, "{\"n\":^\"-\"}", CW_ERR_TYPE, "json.Case.n"},
        {__LINE__, "{\"n\":^\"\"}", CW_ERR_TYPE, "json.Case.n"},
        {__LINE__, "{\"n\":^0.5}", CW_ERR_TYPE, "json.Case.n"},
        {__LINE__, "{\"longNumber\":\"9.223372036854775807e18\"}", CW_OK,
         "{\"longNumber\":\"9223372036854775807\"}"},
    };
    CASES(rows);
}

static void b48_broken_surrogates(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"s\":\"^\\ud800\\\\u0\"}", CW_ERR_STRING, "json.Case.s"},
        {__LINE__, "{\"s\":\"^\\udbff\\u\"}", CW_ERR_STRING, "json.Case.s"},
        {__LINE__, "{\"s\":\"^\\udca0\"}", CW_ERR_STRING, "json.Case.s"},
        {__LINE__, "{\"s\":\"^\\u005g\"}", CW_ERR_STRING, "json.Case.s"},
    };
    CASES(rows);
}

static void b49_pairs_in_lower_case(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"s\":\"\\ud83d\\ude01\"}", CW_OK, "{\"s\":\"\xf0\x9f\x98\x81\"}"},
        {__LINE__, "{\"s\":\"\\uD83D\\uDE01\"}", CW_OK, "{\"s\":\"\xf0\x9f\x98\x81\"}"},
        {__LINE__, "{\"s\":\"\xf0\x9f\x98\x81\xe2\x80\xa8\"}", CW_OK,
         "{\"s\":\"\xf0\x9f\x98\x81\xe2\x80\xa8\"}"},
    };
    CASES(rows);
}

static void b50_foreign_bytes_in_base64(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"raw\":\"QUJD\"}", CW_OK, "{\"raw\":\"QUJD\"}"},
        {__LINE__, "{\"raw\":\"QUJD^!!!\"}", CW_ERR_BASE64, "json.Case.raw"},
        {__LINE__, "{\"raw\":\"QUJ^ D\"}", CW_ERR_BASE64, "json.Case.raw"},
        {__LINE__, "{\"raw\":\"QUJD^=\"}", CW_ERR_BASE64, "json.Case.raw"},
        {__LINE__, "{\"raw\":\"^!!!\"}", CW_ERR_BASE64, "json.Case.raw"},
    };
    CASES(rows);
}

static void b51_base64_for_urls(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"raw\":\"-_8\"}", CW_OK, "{\"raw\":\"+/8=\"}"},
        {__LINE__, "{\"raw\":\"+/8=\"}", CW_OK, "{\"raw\":\"+/8=\"}"},
        {__LINE__, "{\"raw\":\"-_8=\"}", CW_OK, "{\"raw\":\"+/8=\"}"},
        {__LINE__, "{\"raw\":\"-_\"}", CW_OK, "{\"raw\":\"+w==\"}"},
    };
    CASES(rows);
}

static void b58_not_a_number(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"d\":\"NaN\"}", CW_OK, "{\"d\":\"NaN\"}"},
        {__LINE__, "{\"d\":\"-Infinity\",\"f\":\"Infinity\"}", CW_OK,
         "{\"d\":\"-Infinity\",\"f\":\"Infinity\"}"},
        {__LINE__, "{\"d\":-0.0,\"f\":-0}", CW_OK, "{\"d\":-0,\"f\":-0}"},
        {__LINE__, "{\"d\":^NaN}", CW_ERR_SYNTAX, "json.Case.d"},
        {__LINE__, "{\"d\":^Infinity}", CW_ERR_SYNTAX, "json.Case.d"},
        {__LINE__, "{\"d\":^1e400}", CW_ERR_RANGE, "json.Case.d"},
        {__LINE__, "{\"f\":^3.5e38}", CW_ERR_RANGE, "json.Case.f"},
        {__LINE__, "{\"f\":3.4028234e38}", CW_OK, "{\"f\":3.4028235e+38}"},
        {__LINE__, "{\"d\":^\"nan\"}", CW_ERR_TYPE, "json.Case.d"},
    };
    CASES(rows);
    cw_arena a;
    json_Case m;
    cw_str out;
    cw_arena_init(&a, NULL);
    json_Case_init(&m);
    m.d = -(double)NAN;
    m.f = -0.0f;
    assert_int_equal(json_Case_to_json(&m, &a, NULL, &out, NULL), CW_OK);
    assert_string_equal(out.data, "{\"d\":\"NaN\",\"f\":-0}");
    cw_arena_free(&a);
}

static void b61_null(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"e\":null,\"s\":null,\"m\":null,\"r\":null,\"n\":null,\"b\":null}", CW_OK,
         "{}"},
        {__LINE__, "{\"r\":[1,^null]}", CW_ERR_TYPE, "json.Case.r[1]"},
        {__LINE__, "{\"map\":{\"k\":^null}}", CW_ERR_TYPE, "json.Case.map[\"k\"]"},
        {__LINE__, "{\"m\":{\"k\":^null}}", CW_ERR_TYPE, "json.Case.m[\"k\"]"},
        {__LINE__, "{\"n\":^nul}", CW_ERR_TYPE, "json.Case.n"},
    };
    CASES(rows);
}

/* Documented: a byte order mark is refused. */
static void b65_byte_order_mark(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
        cw_status status;
    } rows[] = {
        {__LINE__, "\xef\xbb\xbf{}", CW_ERR_SYNTAX},
        {__LINE__, "\xef\xbb\xbf", CW_ERR_SYNTAX},
        {__LINE__, "\xef\xbb", CW_ERR_SYNTAX},
        {__LINE__, "", CW_ERR_TRUNCATED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw_arena a;
        cw_error e;
        json_Case m;
        cw_arena_init(&a, NULL);
        cw_status st =
            json_parse(&json_Case_type, &m, rows[i].text, strlen(rows[i].text), &a, NULL, &e);
        if (st != rows[i].status || e.offset != 0 || e.line != 1 || e.column != 1) {
            fail_msg("row at line %d: %s at %zu", rows[i].line, cw_status_name(st), e.offset);
        }
        cw_arena_free(&a);
    }
}

static void b67_what_some_parsers_let_pass(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"n\":1^,}", CW_ERR_SYNTAX, "json.Case"},
        {__LINE__, "{\"r\":[1^,]}", CW_ERR_SYNTAX, "json.Case.r"},
        {__LINE__, "{^'n':1}", CW_ERR_SYNTAX, "json.Case"},
        {__LINE__, "{^n:1}", CW_ERR_SYNTAX, "json.Case"},
        {__LINE__, "{\"b\":^\"true\"}", CW_ERR_TYPE, "json.Case.b"},
        {__LINE__, "{\"r\":^1}", CW_ERR_TYPE, "json.Case.r"},
        {__LINE__, "{\"s\":\"^\\U0041\"}", CW_ERR_STRING, "json.Case.s"},
        {__LINE__, "{} ^x", CW_ERR_TRAILING, "json.Case"},
        {__LINE__, "{}^}", CW_ERR_TRAILING, "json.Case"},
        {__LINE__, "{}^{}", CW_ERR_TRAILING, "json.Case"},
        {__LINE__, "{^,\"n\":1}", CW_ERR_SYNTAX, "json.Case"},
        {__LINE__, "{\"n\" ^1}", CW_ERR_SYNTAX, "json.Case"},
        {__LINE__, "{\"n\":1 ^\"s\":\"\"}", CW_ERR_SYNTAX, "json.Case"},
        {__LINE__, "{\"n\":0^1}", CW_ERR_SYNTAX, "json.Case.n"},
        {__LINE__, "{\"n\":^+1}", CW_ERR_SYNTAX, "json.Case.n"},
        {__LINE__, "{\"d\":^.5}", CW_ERR_SYNTAX, "json.Case.d"},
        {__LINE__, "{\"s\":\"^\x01\"}", CW_ERR_STRING, "json.Case.s"},
        {__LINE__, "{\"s\":\"^\n\"}", CW_ERR_STRING, "json.Case.s"},
        {__LINE__, "{\"s\":\"^\xff\"}", CW_ERR_UTF8, "json.Case.s"},
        {__LINE__, "^[]", CW_ERR_TYPE, "json.Case"},
        {__LINE__, "^null", CW_ERR_TYPE, "json.Case"},
        {__LINE__, "{\"n\":^/* comment */1}", CW_ERR_SYNTAX, "json.Case.n"},
    };
    CASES(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b11_aliases_of_enums),
        cmocka_unit_test(b45_integers_with_exponents),
        cmocka_unit_test(b48_broken_surrogates),
        cmocka_unit_test(b49_pairs_in_lower_case),
        cmocka_unit_test(b50_foreign_bytes_in_base64),
        cmocka_unit_test(b51_base64_for_urls),
        cmocka_unit_test(b58_not_a_number),
        cmocka_unit_test(b61_null),
        cmocka_unit_test(b65_byte_order_mark),
        cmocka_unit_test(b67_what_some_parsers_let_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
