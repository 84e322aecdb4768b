/* SPDX-License-Identifier: MIT */
/*
 * test_json.c: small inputs from public bug reports in this field, each named after its number in
 * our list: those about the well-known types. The others of the JSON area are in
 * tests/generated/test_json_cases.c and test_json_wkt.c.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cwire/wkt.h"
#include "json_any.cw.h"
#include "json_support.h"
#include "json_wkt.cw.h"

#define ROWS(t, rows) json_check_rows(&t##_type, rows, sizeof(rows) / sizeof(rows)[0], NULL)

#define URL "type.googleapis.com/google.protobuf."

/* The part of B45 that is no number: an Any without a type is there, and empty. */
static void b45_empty_any(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"any\":{}}", CW_OK, "{\"any\":{}}"},
    };
    ROWS(json_any_Holder, rows);
    cw_arena a;
    json_any_Holder m;
    cw_arena_init(&a, NULL);
    assert_int_equal(json_any_Holder_from_json(&m, rows[0].text, 10, &a, NULL, NULL), CW_OK);
    assert_non_null(m.any);
    assert_int_equal(m.any->type_url.len, 0);
    assert_int_equal(m.any->value.len, 0);
    cw_arena_free(&a);
}

/* A duration, and what it is printed as; NULL: an error. */
typedef struct duration_row {
    int line;
    int64_t seconds;
    int32_t nanos;
    const char *want;
} duration_row;

static void check_durations(const duration_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        cw_arena a;
        cw_arena_init(&a, NULL);
        google_protobuf_Duration m;
        google_protobuf_Duration_init(&m);
        m.seconds = rows[i].seconds;
        m.nanos = rows[i].nanos;
        cw_str out = {"", 0};
        cw_status st = google_protobuf_Duration_to_json(&m, &a, NULL, &out, NULL);
        const char *want = rows[i].want ? rows[i].want : "";
        if (st != (rows[i].want ? CW_OK : CW_ERR_RANGE) || strcmp(out.data, want) != 0) {
            fail_msg("row at line %d: %s, %s", rows[i].line, cw_status_name(st), out.data);
        }
        cw_arena_free(&a);
    }
}

/* The sign of a duration of less than a second. */
static void b52_sign_of_a_duration(void **state)
{
    (void)state;
    static const duration_row rows[] = {
        {__LINE__, 0, -1, "\"-0.000000001s\""},
        {__LINE__, 0, -500000000, "\"-0.500s\""},
        {__LINE__, -3600, 0, "\"-3600s\""},
        {__LINE__, 1, 340012, "\"1.000340012s\""},
    };
    check_durations(rows, sizeof rows / sizeof rows[0]);
}

/* Seconds and nanos of different signs, a duration that is too long; text that is none. */
static void b53_no_duration(void **state)
{
    (void)state;
    static const duration_row print[] = {
        {__LINE__, 1, -5, NULL},
        {__LINE__, -1, 5, NULL},
        {__LINE__, 315576000001, 0, NULL},
    };
    check_durations(print, sizeof print / sizeof print[0]);
    static const json_row parse[] = {
        {__LINE__, "{\"steps\":[^\"0.0000000001s\"]}", CW_ERR_RANGE, "json_wkt.Members.steps[0]"},
        {__LINE__, "{\"steps\":[^\"1\"]}", CW_ERR_RANGE, "json_wkt.Members.steps[0]"},
        {__LINE__, "{\"steps\":[^\"-.5s\"]}", CW_ERR_RANGE, "json_wkt.Members.steps[0]"},
    };
    ROWS(json_wkt_Members, parse);
}

/* Offsets and the calendar. */
static void b55_timestamps(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"at\":\"2024-03-01T05:45:00+05:45\"}", CW_OK,
         "{\"at\":\"2024-03-01T00:00:00Z\"}"},
        {__LINE__, "{\"at\":^\"2023-02-29T00:00:00Z\"}", CW_ERR_RANGE, "json_wkt.Members.at"},
        {__LINE__, "{\"at\":^\"2024-01-01T24:00:00Z\"}", CW_ERR_RANGE, "json_wkt.Members.at"},
        {__LINE__, "{\"at\":^\"2024-01-01T00:60:00Z\"}", CW_ERR_RANGE, "json_wkt.Members.at"},
        {__LINE__, "{\"at\":^\"2024-13-01T00:00:00Z\"}", CW_ERR_RANGE, "json_wkt.Members.at"},
        {__LINE__, "{\"at\":^\"2024-01-01T00:00:00\"}", CW_ERR_RANGE, "json_wkt.Members.at"},
        {__LINE__, "{\"at\":^\"2024-01-01t00:00:00z\"}", CW_ERR_RANGE, "json_wkt.Members.at"},
    };
    ROWS(json_wkt_Members, rows);
}

/* An Any of Empty is read with a value and without one; it is printed with it. */
static void b57_any_of_empty(void **state)
{
    (void)state;
    static const cw_file *const files[] = {&google_protobuf_empty_file};
    static const cw_registry registry = {files, 1};
    static const cw_json_parse_options options = {.types = &registry};
    static const json_row rows[] = {
        {__LINE__, "{\"any\":{\"@type\":\"" URL "Empty\",\"value\":{}}}", CW_OK,
         "{\"any\":{\"@type\":\"" URL "Empty\",\"value\":{}}}"},
        {__LINE__, "{\"any\":{\"@type\":\"" URL "Empty\"}}", CW_OK,
         "{\"any\":{\"@type\":\"" URL "Empty\",\"value\":{}}}"},
    };
    json_check_rows(&json_any_Holder_type, rows, 2, &options);
}

/* What is a string in a double has no form in a Value. */
static void b58_value_that_is_no_number(void **state)
{
    (void)state;
    static const double numbers[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < 3; i++) {
        cw_arena a;
        cw_arena_init(&a, NULL);
        google_protobuf_Value m;
        google_protobuf_Value_init(&m);
        google_protobuf_Value_set_number_value(&m, numbers[i]);
        cw_str out;
        assert_int_equal(google_protobuf_Value_to_json(&m, &a, NULL, &out, NULL), CW_ERR_RANGE);
        cw_arena_free(&a);
    }
    static const json_row rows[] = {
        {__LINE__, "{\"value\":^NaN}", CW_ERR_SYNTAX, "json_wkt.Nulls.value"},
        {__LINE__, "{\"value\":\"NaN\"}", CW_OK, "{\"value\":\"NaN\"}"},
    };
    ROWS(json_wkt_Nulls, rows);
}

/* n times `open`, `core`, n times `close`, parsed as a member of a message. */
static cw_status nested(const cw_type *t, const char *key, size_t n, const char *open,
                        const char *core, const char *close)
{
    size_t open_len = strlen(open), close_len = strlen(close);
    size_t len = strlen(key) + n * (open_len + close_len) + strlen(core) + 1;
    char *text = malloc(len + 1);
    assert_non_null(text);
    char *p = text + strlen(strcpy(text, key));
    for (size_t i = 0; i < n; i++, p += open_len) {
        memcpy(p, open, open_len);
    }
    p += strlen(strcpy(p, core));
    for (size_t i = 0; i < n; i++, p += close_len) {
        memcpy(p, close, close_len);
    }
    *p = '}';
    cw_arena a;
    cw_arena_init(&a, NULL);
    void *m = json_new(t, &a);
    cw_status st = json_parse(t, m, text, len, &a, NULL, NULL);
    cw_arena_free(&a);
    free(text);
    return st;
}

/* Depth holds through Value and Any, however deep the input is. */
static void b62_depth(void **state)
{
    (void)state;
    const cw_type *values = &json_wkt_Nulls_type, *anys = &json_any_Holder_type;
    const char *any = "{\"@type\":\"" URL "Any\",\"value\":";
    assert_int_equal(nested(values, "{\"value\":", 40, "[", "0", "]"), CW_OK);
    assert_int_equal(nested(values, "{\"value\":", 200, "[", "0", "]"), CW_ERR_DEPTH);
    assert_int_equal(nested(values, "{\"value\":", 30, "{\"k\":", "0", "}"), CW_OK);
    assert_int_equal(nested(values, "{\"value\":", 200, "{\"k\":", "0", "}"), CW_ERR_DEPTH);
    assert_int_equal(nested(values, "{\"value\":", 1000000, "[", "0", "]"), CW_ERR_DEPTH);
    assert_int_equal(nested(anys, "{\"any\":", 90, any, "{}", "}"), CW_OK);
    assert_int_equal(nested(anys, "{\"any\":", 200, any, "{}", "}"), CW_ERR_DEPTH);
    assert_int_equal(nested(anys, "{\"any\":", 100000, any, "{}", "}"), CW_ERR_DEPTH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b45_empty_any),    cmocka_unit_test(b52_sign_of_a_duration),
        cmocka_unit_test(b53_no_duration),  cmocka_unit_test(b55_timestamps),
        cmocka_unit_test(b57_any_of_empty), cmocka_unit_test(b58_value_that_is_no_number),
        cmocka_unit_test(b62_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
