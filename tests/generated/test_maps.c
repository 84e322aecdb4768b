/* SPDX-License-Identifier: MIT */
/* test_maps.c: order, uniqueness, look-up and the wire form of maps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json.cw.h"
#include "random_message.h"
#include "wire.cw.h"
#include "wire2.cw.h"
#include "wire_support.h"

/* Keys put in any order stand in order, each once; get finds them and nothing else. */
static void test_put_get(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    json_Maps m;
    json_Maps_init(&m);
    test_random r = {.state = 5};
    for (int i = 0; i < 500; i++) {
        int32_t key = (int32_t)test_random_below(&r, 400) - 200;
        cw_str *v = json_Maps_i32_str_put(&m, key, &a);
        assert_non_null(v);
        *v = key < 0 ? CW_STR("negative") : CW_STR("other");
        bool *b = json_Maps_s32_b_put(&m, -key, &a);
        assert_non_null(b);
        *b = key < 0;
    }
    assert_in_range(m.i32_str.len, 200, 400);
    for (size_t i = 1; i < m.i32_str.len; i++) {
        assert_true(m.i32_str.data[i - 1].key < m.i32_str.data[i].key);
        assert_true(m.s32_b.data[i - 1].key < m.s32_b.data[i].key);
    }
    size_t found = 0;
    for (int32_t key = -250; key < 250; key++) {
        cw_str *v = json_Maps_i32_str_get(&m, key);
        bool *b = json_Maps_s32_b_get(&m, -key);
        assert_int_equal(v != NULL, b != NULL);
        if (v) {
            assert_true(cw_str_equal(*v, key < 0 ? CW_STR("negative") : CW_STR("other")));
            assert_int_equal(*b, key < 0);
            found++;
        }
    }
    assert_int_equal(found, m.i32_str.len);
    cw_arena_free(&a);
}

/* Every kind of key in its own order. */
static void test_orders(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    json_Maps m;
    json_Maps_init(&m);
    static const char *const names[] = {"b", "", "ab", "a", "\xc3\xa9", "B", "aa"};
    for (size_t i = 0; i < 7; i++) {
        *json_Maps_str_i32_put(&m, cw_str_from(names[i]), &a) = (int32_t)i;
    }
    static const char *const sorted[] = {"", "B", "a", "aa", "ab", "b", "\xc3\xa9"};
    for (size_t i = 0; i < 7; i++) {
        assert_true(cw_str_equal(m.str_i32.data[i].key, cw_str_from(sorted[i])));
    }
    *json_Maps_u64_f_put(&m, UINT64_MAX, &a) = 1.0f;
    *json_Maps_u64_f_put(&m, 0, &a) = 2.0f;
    assert_true(m.u64_f.data[1].key == UINT64_MAX);
    *json_Maps_sf64_sf64_put(&m, INT64_MAX, &a) = 1;
    *json_Maps_sf64_sf64_put(&m, INT64_MIN, &a) = 2;
    assert_true(m.sf64_sf64.data[0].key == INT64_MIN);
    *json_Maps_u32_d_put(&m, UINT32_MAX, &a) = 1.0;
    *json_Maps_u32_d_put(&m, 1, &a) = 2.0;
    assert_true(m.u32_d.data[0].key == 1);
    *json_Maps_b_s64_put(&m, true, &a) = 1;
    *json_Maps_b_s64_put(&m, false, &a) = 2;
    assert_true(!m.b_s64.data[0].key && m.b_s64.data[1].key);
    assert_null(json_Maps_i64_raw_get(&m, 0));
    cw_arena_free(&a);
}

/* Out of order on the wire: sorted, of equal keys the last one; written in order. */
static void test_decode_order(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *hex;
        const char *again;
    } rows[] = {
        {__LINE__, "32 04 08 03 10 01 32 04 08 01 10 02 32 04 08 02 10 03",
         "32 04 08 01 10 02 32 04 08 02 10 03 32 04 08 03 10 01"},
        {__LINE__, "32 04 08 03 10 01 32 04 08 03 10 02", "32 04 08 03 10 02"},
        {__LINE__, "32 04 08 03 10 01 32 04 08 01 10 05 32 04 08 03 10 02",
         "32 04 08 01 10 05 32 04 08 03 10 02"},
        /* the sort of a merged message's map comes at the end, and still counts the order */
        {__LINE__, "3a 06 32 04 08 03 10 01 3a 06 32 04 08 01 10 02 3a 06 32 04 08 03 10 03",
         "3a 0c 32 04 08 01 10 02 32 04 08 03 10 03"},
        {__LINE__, "5a 0a 3a 08 3a 06 32 04 08 03 10 01", "5a 0a 3a 08 3a 06 32 04 08 03 10 01"},
        /* in a map's value: merged within one entry */
        {__LINE__, "62 12 08 01 12 06 32 04 08 03 10 01 12 06 32 04 08 01 10 02",
         "62 10 08 01 12 0c 32 04 08 01 10 02 32 04 08 03 10 01"},
        {__LINE__, "3a 04 62 02 08 02 3a 04 62 02 08 01",
         "3a 0c 62 04 08 01 12 00 62 04 08 02 12 00"},
        {__LINE__, "4a 05 0a 01 62 12 00 4a 07 0a 01 61 12 02 08 01",
         "4a 07 0a 01 61 12 02 08 01 4a 05 0a 01 62 12 00"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw_arena a;
        cw_arena_init(&a, NULL);
        wire_Growth m;
        cw_status st = test_decode_hex(&wire_Growth_type, &m, rows[i].hex, &a, NULL);
        if (st != CW_OK) {
            print_error("line %d: %s\n", rows[i].line, cw_status_name(st));
            fail();
        }
        test_encodes_to(&wire_Growth_type, &m, rows[i].again, rows[i].line);
        cw_arena_free(&a);
    }
}

/* merge_from into a map that has entries. */
static void test_merge_from(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    wire_Growth m;
    assert_int_equal(
        test_decode_hex(&wire_Growth_type, &m, "32 04 08 02 10 01 32 04 08 04 10 01", &a, NULL),
        CW_OK);
    test_bytes more = test_hex("32 04 08 03 10 09 32 04 08 02 10 07 32 04 08 01 10 08");
    assert_int_equal(wire_Growth_merge_from(&m, more.data, more.len, &a, NULL, NULL), CW_OK);
    test_free_bytes(&more);
    test_encodes_to(&wire_Growth_type, &m,
                    "32 04 08 01 10 08 32 04 08 02 10 07 32 04 08 03 10 09 32 04 08 04 10 01",
                    __LINE__);
    assert_int_equal(*wire_Growth_map_get(&m, 2), 7);
    assert_null(wire_Growth_map_get(&m, 5));
    cw_arena_free(&a);
}

/* A closed enum's unknown value: the whole entry is an unknown field. */
static void test_closed_values(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    wire2_Closed m;
    assert_int_equal(test_decode_hex(&wire2_Closed_type, &m,
                                     "22 04 08 01 10 05 22 04 08 02 10 07 22 02 08 03 "
                                     "22 06 08 04 10 09 10 05 22 06 08 05 10 05 10 09",
                                     &a, NULL),
                     CW_OK);
    assert_int_equal(m.map.len, 3);
    assert_int_equal(m.map.data[1].key, 3);
    assert_int_equal(m.map.data[1].value, wire2_NONE);
    assert_int_equal(m.map.data[2].value, wire2_SOFT);
    test_encodes_to(&wire2_Closed_type, &m,
                    "22 04 08 01 10 05 22 04 08 03 10 00 22 04 08 04 10 05 "
                    "22 04 08 02 10 07 22 06 08 05 10 05 10 09",
                    __LINE__);
    m.map.data[0].value = 3;
    cw_error e = {.status = CW_OK};
    assert_int_equal(wire2_Closed_check(&m, &e), CW_ERR_ENUM);
    assert_string_equal(e.path, "wire2.Closed.map[0]");
    cw_arena_free(&a);
}

/* Edited by hand, then sorted. */
static void test_sort(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    wire_Growth_map_entry entries[] = {{5, 1}, {2, 2}, {5, 3}, {-1, 4}};
    wire_Growth m;
    wire_Growth_init(&m);
    m.map.data = entries;
    m.map.len = 4;
    assert_true(wire_Growth_map_sort(&m, &a));
    assert_int_equal(m.map.len, 3);
    assert_int_equal(m.map.data[0].key, -1);
    assert_int_equal(m.map.data[1].value, 2);
    assert_int_equal(m.map.data[2].value, 3);
    /* a borrowed list is copied before it grows */
    assert_non_null(wire_Growth_map_put(&m, 3, &a));
    assert_true(m.map.data != entries);
    assert_int_equal(m.map.len, 4);
    assert_int_equal(m.map.data[2].key, 3);
    cw_arena_free(&a);
}

/* Copies of views: keys and values are not shared. */
static void test_copy(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    char key[] = "key";
    wire_Growth m, copy;
    wire_Growth_init(&m);
    wire_Growth_named_put(&m, cw_str_from(key), &a)->x = 3;
    assert_int_equal(wire_Growth_copy(&copy, &m, &a), CW_OK);
    key[0] = 'z';
    assert_int_equal(wire_Growth_named_get(&copy, CW_STR("key"))->x, 3);
    assert_false(wire_Growth_equal(&m, &copy));
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_put_get),       cmocka_unit_test(test_orders),
        cmocka_unit_test(test_decode_order),  cmocka_unit_test(test_merge_from),
        cmocka_unit_test(test_closed_values), cmocka_unit_test(test_sort),
        cmocka_unit_test(test_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
