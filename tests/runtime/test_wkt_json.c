/* SPDX-License-Identifier: MIT */
/* JSON forms of the well-known types: table tests, among them the public reports B52, B53, B55,
 * B58, B61, B62. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cwire/cwire.h"
#include "cwire/wkt.h"

/* Parses `json` into a message of `type`, prints it again; `want` NULL: the parse must fail with
 * `st`. */
typedef struct row {
    int line;
    const cw_type *type;
    const char *json;
    const char *want;
    cw_status st;
} row;

static void check_row(const row *r)
{
    uint64_t m[64];
    cw_arena a;
    cw_error e;
    cw_str out = {0};
    cw_arena_init(&a, NULL);
    assert_true(r->type->struct_size <= sizeof m);
    size_t len = strlen(r->json);
    char *exact = (char *)malloc(len ? len : 1);
    assert_non_null(exact);
    memcpy(exact, r->json, len);
    cw_status st = r->type->from_json(m, exact, len, &a, NULL, &e);
    if (r->want == NULL) {
        if (st != r->st) {
            fail_msg("line %d: %s: status %s", r->line, r->json, cw_status_name(st));
        }
    } else {
        if (st != CW_OK) {
            fail_msg("line %d: %s: status %s", r->line, r->json, cw_status_name(st));
        }
        st = r->type->to_json(m, &a, NULL, &out, &e);
        if (st != CW_OK || strcmp(out.data, r->want) != 0) {
            fail_msg("line %d: %s: %s, printed %s", r->line, r->json, cw_status_name(st),
                     st ? "" : out.data);
        }
    }
    free(exact);
    cw_arena_free(&a);
}

#define OK(type, json, want)                                                                       \
    {                                                                                              \
        __LINE__, &google_protobuf_##type##_type, json, want, CW_OK                                \
    }
#define BAD(type, json, st)                                                                        \
    {                                                                                              \
        __LINE__, &google_protobuf_##type##_type, json, NULL, st                                   \
    }

static void test_parse_print(void **state)
{
    static const row rows[] = {
        OK(Timestamp, "\"1970-01-01T00:00:00Z\"", "\"1970-01-01T00:00:00Z\""),
        OK(Timestamp, "\"2024-03-01T05:45:00+05:45\"", "\"2024-03-01T00:00:00Z\""), /* B55 */
        OK(Timestamp, "\"2024-02-29T23:59:59.5-01:00\"", "\"2024-03-01T00:59:59.500Z\""),
        OK(Timestamp, "\"0001-01-01T00:00:00Z\"", "\"0001-01-01T00:00:00Z\""),
        OK(Timestamp, "\"9999-12-31T23:59:59.999999999Z\"", "\"9999-12-31T23:59:59.999999999Z\""),
        OK(Timestamp, " \"1969-12-31T23:59:59.000001Z\" ", "\"1969-12-31T23:59:59.000001Z\""),
        BAD(Timestamp, "\"2023-02-29T00:00:00Z\"", CW_ERR_RANGE), /* B55 */
        BAD(Timestamp, "\"2024-01-01T24:00:00Z\"", CW_ERR_RANGE),
        BAD(Timestamp, "\"2024-01-01T00:60:00Z\"", CW_ERR_RANGE),
        BAD(Timestamp, "\"2024-13-01T00:00:00Z\"", CW_ERR_RANGE),
        BAD(Timestamp, "\"2024-01-01T00:00:00\"", CW_ERR_RANGE),
        BAD(Timestamp, "\"2024-01-01t00:00:00z\"", CW_ERR_RANGE),
        BAD(Timestamp, "\"2024-01-01T00:00:00.Z\"", CW_ERR_RANGE),
        BAD(Timestamp, "\"2024-01-01T00:00:00.0000000000Z\"", CW_ERR_RANGE),
        BAD(Timestamp, "\"0000-12-31T23:59:59Z\"", CW_ERR_RANGE),
        BAD(Timestamp, "\"0001-01-01T00:00:00+00:01\"", CW_ERR_RANGE),
        BAD(Timestamp, "\"9999-12-31T23:59:59-00:01\"", CW_ERR_RANGE),
        OK(Duration, "\"0s\"", "\"0s\""),
        OK(Duration, "\"-0.5s\"", "\"-0.500s\""), /* B52 */
        OK(Duration, "\"1.340012s\"", "\"1.340012s\""),
        OK(Duration, "\"-3600s\"", "\"-3600s\""),
        OK(Duration, "\"315576000000s\"", "\"315576000000s\""),
        BAD(Duration, "\"315576000001s\"", CW_ERR_RANGE),
        BAD(Duration, "\"0.0000000001s\"", CW_ERR_RANGE), /* B53 */
        BAD(Duration, "\"1\"", CW_ERR_RANGE),
        BAD(Duration, "\"-.5s\"", CW_ERR_RANGE),
        BAD(Duration, "\"s\"", CW_ERR_RANGE),
        BAD(Duration, "\"1ss\"", CW_ERR_RANGE),
        OK(FieldMask, "\"\"", "\"\""),
        OK(FieldMask, "\"userName,photo.bigOne\"", "\"userName,photo.bigOne\""),
        BAD(FieldMask, "\"user_name\"", CW_ERR_STRING),
        BAD(FieldMask, "\"userName,photo@home\"", CW_ERR_STRING),
        OK(FieldMask, "\"UserName,a1\"", "\"UserName,a1\""),
        OK(Int64Value, "\"-9223372036854775808\"", "\"-9223372036854775808\""),
        OK(UInt64Value, "18446744073709551615", "\"18446744073709551615\""),
        OK(Int32Value, "-2147483648", "-2147483648"),
        OK(UInt32Value, "4294967295", "4294967295"),
        OK(DoubleValue, "\"NaN\"", "\"NaN\""),
        OK(DoubleValue, "-0.0", "-0"), /* B58 */
        BAD(DoubleValue, "1e400", CW_ERR_RANGE),
        BAD(FloatValue, "3.5e38", CW_ERR_RANGE),
        OK(FloatValue, "1.5", "1.5"),
        OK(BoolValue, "true", "true"),
        OK(StringValue, "\"a\\nb\"", "\"a\\nb\""),
        OK(BytesValue, "\"-_8\"", "\"+/8=\""),
        OK(Value, "null", "null"),
        OK(Value, "1e2", "100"),
        OK(Value, "[1, true, \"x\", null, {}, []]", "[1,true,\"x\",null,{},[]]"),
        OK(Struct, "{\"b\": 1, \"a\": {\"c\": [false]}}", "{\"a\":{\"c\":[false]},\"b\":1}"),
        BAD(Struct, "{\"a\": 1, \"b\": 2, \"a\": 3}", CW_ERR_DUPLICATE),
        BAD(Value, "NaN", CW_ERR_SYNTAX),
        OK(ListValue, "[[], [[1]]]", "[[],[[1]]]"),
        BAD(ListValue, "[1,]", CW_ERR_SYNTAX),
        BAD(ListValue, "[1", CW_ERR_TRUNCATED),
        OK(Empty, "{}", "{}"),
        BAD(Empty, "{\"a\":1}", CW_ERR_UNKNOWN_FIELD),
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_row(&rows[i]);
    }
}

static void test_duration_print(void **state)
{
    static const struct {
        int line;
        int64_t seconds;
        int32_t nanos;
        const char *want;
    } rows[] = {
        {__LINE__, 0, -1, "\"-0.000000001s\""},
        {__LINE__, 0, -500000000, "\"-0.500s\""},
        {__LINE__, -3600, 0, "\"-3600s\""},
        {__LINE__, 1, 340012000, "\"1.340012s\""},
        {__LINE__, 1, -5, NULL},
        {__LINE__, -1, 5, NULL},
        {__LINE__, 315576000001, 0, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw_arena a;
        cw_error e;
        cw_str out = {0};
        google_protobuf_Duration d = {0};
        cw_arena_init(&a, NULL);
        d.seconds = rows[i].seconds;
        d.nanos = rows[i].nanos;
        cw_status st = google_protobuf_Duration_to_json(&d, &a, NULL, &out, &e);
        if (rows[i].want ? st != CW_OK || strcmp(out.data, rows[i].want) != 0
                         : st != CW_ERR_RANGE) {
            fail_msg("line %d: %s", rows[i].line, cw_status_name(st));
        }
        cw_arena_free(&a);
    }
}

static void test_value_without_form(void **state)
{
    cw_arena a;
    cw_error e;
    cw_str out = {0};
    google_protobuf_Value v = {0};
    google_protobuf_Timestamp t = {0};
    google_protobuf_Any any = {0};
    (void)state;
    cw_arena_init(&a, NULL);
    assert_int_equal(google_protobuf_Value_to_json(&v, &a, NULL, &out, &e), CW_ERR_REQUIRED);
    v.kind_case = google_protobuf_Value_kind_number_value;
    v.kind.number_value = (double)NAN;
    assert_int_equal(google_protobuf_Value_to_json(&v, &a, NULL, &out, &e), CW_ERR_RANGE);
    /* A case that was set by hand without its message is as good as unset. */
    v.kind.struct_value = NULL;
    v.kind_case = google_protobuf_Value_kind_struct_value;
    assert_int_equal(google_protobuf_Value_to_json(&v, &a, NULL, &out, &e), CW_ERR_REQUIRED);
    v.kind.list_value = NULL;
    v.kind_case = google_protobuf_Value_kind_list_value;
    assert_int_equal(google_protobuf_Value_to_json(&v, &a, NULL, &out, &e), CW_ERR_REQUIRED);
    t.seconds = 253402300800;
    assert_int_equal(google_protobuf_Timestamp_to_json(&t, &a, NULL, &out, &e), CW_ERR_RANGE);
    t.seconds = 0;
    t.nanos = -1;
    assert_int_equal(google_protobuf_Timestamp_to_json(&t, &a, NULL, &out, &e), CW_ERR_RANGE);
    assert_int_equal(google_protobuf_Any_to_json(&any, &a, NULL, &out, &e), CW_OK);
    assert_string_equal(out.data, "{}");
    cw_arena_free(&a);
}

/* B62: what nests in JSON costs what it costs in binary: 2 levels an array, 3 an object. */
static void nest(size_t n, const char *open, const char *core, const char *close, cw_status want)
{
    size_t lo = strlen(open), lc = strlen(close), len = n * (lo + lc) + strlen(core);
    char *json = (char *)malloc(len + 1);
    assert_non_null(json);
    char *p = json;
    for (size_t i = 0; i < n; i++) {
        memcpy(p, open, lo);
        p += lo;
    }
    memcpy(p, core, strlen(core));
    p += strlen(core);
    for (size_t i = 0; i < n; i++) {
        memcpy(p, close, lc);
        p += lc;
    }
    cw_arena a;
    cw_error e;
    google_protobuf_Value v;
    cw_bytes bytes = {0};
    cw_arena_init(&a, NULL);
    cw_status st = google_protobuf_Value_from_json(&v, json, len, &a, NULL, &e);
    if (st != want) {
        fail_msg("%zu x %s: %s", n, open, cw_status_name(st));
    }
    if (st == CW_OK) {
        /* What JSON accepts, binary accepts. */
        google_protobuf_Value again;
        assert_int_equal(google_protobuf_Value_encode_arena(&v, &a, &bytes, &e), CW_OK);
        assert_int_equal(google_protobuf_Value_decode(&again, bytes.data, bytes.len, &a, NULL, &e),
                         CW_OK);
        assert_true(google_protobuf_Value_equal(&v, &again));
    }
    cw_arena_free(&a);
    free(json);
}

static void test_B62_depth(void **state)
{
    (void)state;
    nest(50, "[", "0", "]", CW_OK);
    nest(51, "[", "0", "]", CW_ERR_DEPTH);
    nest(200, "[", "0", "]", CW_ERR_DEPTH);
    nest(33, "{\"k\":", "0", "}", CW_OK);
    nest(34, "{\"k\":", "0", "}", CW_ERR_DEPTH);
    nest(200, "{\"k\":", "0", "}", CW_ERR_DEPTH);
    nest(1000000, "[", "0", "]", CW_ERR_DEPTH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_print),
        cmocka_unit_test(test_duration_print),
        cmocka_unit_test(test_value_without_form),
        cmocka_unit_test(test_B62_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
