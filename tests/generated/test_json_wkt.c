/* SPDX-License-Identifier: MIT */
/* Well-known types as members: what the generated code around them does, null above all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json_support.h"
#include "json_wkt.cw.h"

#define ROWS(t, rows) json_check_rows(&t##_type, rows, sizeof(rows) / sizeof(rows)[0], NULL)

/* B61, with the suite's rules for Value and NullValue. */
static void b61_null_as_a_value(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"value\":null}", CW_OK, "{\"value\":null}"},
        {__LINE__, "{\"none\":null}", CW_OK, "{}"},
        {__LINE__, "{\"none\":\"NULL_VALUE\"}", CW_OK, "{}"},
        {__LINE__, "{\"none\":0}", CW_OK, "{}"},
        {__LINE__, "{\"maybeNone\":null}", CW_OK, "{\"maybeNone\":null}"},
        {__LINE__, "{\"pickedNone\":null}", CW_OK, "{\"pickedNone\":null}"},
        {__LINE__, "{\"pickedNone\":\"NULL_VALUE\"}", CW_OK, "{\"pickedNone\":null}"},
        {__LINE__, "{\"pickedValue\":null}", CW_OK, "{\"pickedValue\":null}"},
        {__LINE__, "{\"pickedText\":null,\"pickedNone\":null}", CW_OK, "{\"pickedNone\":null}"},
        {__LINE__, "{\"pickedNone\":null,\"pickedText\":null}", CW_OK, "{\"pickedNone\":null}"},
        {__LINE__, "{\"pickedNone\":null,^\"pickedValue\":null}", CW_ERR_DUPLICATE,
         "json_wkt.Nulls.picked_value"},
        {__LINE__, "{\"values\":[null,1,[null],{\"x\":null}]}", CW_OK,
         "{\"values\":[null,1,[null],{\"x\":null}]}"},
        {__LINE__, "{\"values\":null,\"nones\":null,\"valueMap\":null}", CW_OK, "{}"},
        {__LINE__, "{\"nones\":[null,0,\"NULL_VALUE\"]}", CW_OK, "{\"nones\":[null,null,null]}"},
        {__LINE__, "{\"valueMap\":{\"k\":null,\"j\":true}}", CW_OK,
         "{\"valueMap\":{\"j\":true,\"k\":null}}"},
        {__LINE__, "{\"noneMap\":{\"k\":null}}", CW_OK, "{\"noneMap\":{\"k\":null}}"},
        /* The enum is open: numbers without a name stay numbers. */
        {__LINE__, "{\"maybeNone\":96,\"nones\":[null,-1],\"noneMap\":{\"k\":2147483647}}", CW_OK,
         "{\"maybeNone\":96,\"nones\":[null,-1],\"noneMap\":{\"k\":2147483647}}"},
        {__LINE__, "{\"none\":^\"NO\"}", CW_ERR_UNKNOWN_ENUM, "json_wkt.Nulls.none"},
        {__LINE__, "{\"none\":^nul}", CW_ERR_TYPE, "json_wkt.Nulls.none"},
    };
    ROWS(json_wkt_Nulls, rows);
}

static void members(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"at\":\"2024-03-01T05:45:00+05:45\",\"last\":\"x\"}", CW_OK,
         "{\"at\":\"2024-03-01T00:00:00Z\",\"last\":\"x\"}"},
        {__LINE__, "{\"steps\":[\"1.5s\",\"-0.5s\"]}", CW_OK,
         "{\"steps\":[\"1.500s\",\"-0.500s\"]}"},
        {__LINE__, "{\"byNumber\":{\"2\":{\"b\":[1]},\"1\":{}}}", CW_OK,
         "{\"byNumber\":{\"1\":{},\"2\":{\"b\":[1]}}}"},
        {__LINE__, "{\"wrapped\":\"5\",\"texts\":[\"\",\"x\"]}", CW_OK,
         "{\"wrapped\":\"5\",\"texts\":[\"\",\"x\"]}"},
        {__LINE__, "{\"at\":null,\"wrapped\":null}", CW_OK, "{}"},
        {__LINE__, "{\"steps\":[\"1s\",^null]}", CW_ERR_TYPE, "json_wkt.Members.steps[1]"},
        {__LINE__, "{\"texts\":[^null]}", CW_ERR_TYPE, "json_wkt.Members.texts[0]"},
    };
    ROWS(json_wkt_Members, rows);
}

/* From first blocks of all sizes, as in test_json_random.c: wkt printers keep the room rule. */
static void leaves_room_wherever_the_block_ends(void **state)
{
    (void)state;
    static const char text[] =
        "{\"at\":\"2024-03-01T00:00:00.123456789Z\",\"steps\":[\"1.500s\",\"-0.500s\",\"0s\"],"
        "\"byNumber\":{\"1\":{},\"2\":{\"b\":[1,\"text\",null,true,{\"c\":{}}]}},"
        "\"wrapped\":\"-9223372036854775808\",\"texts\":[\"\",\"some longer text, plain\"],"
        "\"last\":\"end\"}";
    cw_arena a;
    cw_error e;
    json_wkt_Members m;
    cw_arena_init(&a, NULL);
    assert_int_equal(json_wkt_Members_from_json(&m, text, sizeof text - 1, &a, NULL, &e), CW_OK);
    for (size_t size = 0; size < sizeof text + 400; size++) {
        cw_arena b;
        cw_arena_init(&b, NULL);
        cw__json_writer w;
        int depth = 0;
        assert_non_null(cw__json_write_begin(&w, &b, NULL, &depth, &e));
        char *block = malloc(size + CW__JSON_SLACK);
        assert_non_null(block);
        w.begin = block;
        w.end = block + size;
        char *p = json_wkt_Members__print(&m, &w, w.begin, depth);
        assert_non_null(p);
        assert_true(w.end - p >= 16);
        assert_int_equal((size_t)(p - w.begin), sizeof text - 1);
        assert_memory_equal(w.begin, text, sizeof text - 1);
        free(block);
        cw_arena_free(&b);
    }
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b61_null_as_a_value),
        cmocka_unit_test(members),
        cmocka_unit_test(leaves_room_wherever_the_block_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
