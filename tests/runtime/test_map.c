/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_support.h"
#include "cwire/map.h"

typedef struct entry {
    int32_t key;
    uint32_t order; /* of arrival */
    char pad[12];
} entry;

static size_t compared;

static int counting_compare(const void *a, const void *b)
{
    compared++;
    return cw__map_compare_int32(a, b);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* The slow definition: the last entry of each key, by key. */
static size_t reference(entry *to, const entry *from, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        size_t at = 0;
        while (at < n && to[at].key < from[i].key) {
            at++;
        }
        if (at == n || to[at].key != from[i].key) {
            memmove(to + at + 1, to + at, (n - at) * sizeof *to);
            n++;
        }
        to[at] = from[i];
    }
    return n;
}

static void sorts_and_keeps_the_last(void **state)
{
    (void)state;
    cw_arena a = {0};
    uint32_t seed = 1;
    for (size_t len = 0; len < 200; len++) {
        for (uint32_t range = 1; range < 400; range = range * 3 + 1) {
            entry data[200], expected[201];
            memset(data, 0, sizeof data);
            for (size_t i = 0; i < len; i++) {
                data[i].key = (int32_t)(next_random(&seed) % range) - 5;
                data[i].order = (uint32_t)i;
                data[i].pad[11] = (char)(i % 100);
            }
            size_t n = reference(expected, data, len), sorted = len;
            const char *before = a.ptr;
            assert_true(cw__map_sort(&a, data, &sorted, sizeof *data, cw__map_compare_int32));
            assert_int_equal(sorted, n);
            assert_memory_equal(data, expected, n * sizeof *data);
            assert_true(before == a.ptr || !before); /* scratch is not kept */
        }
    }
    cw_arena_free(&a);
}

static void sorted_input_is_looked_at_once(void **state)
{
    (void)state;
    enum { N = 1000 };
    static entry data[N];
    for (int i = 0; i < N; i++) {
        data[i].key = i;
    }
    cw_arena a;
    cw_arena_init(&a, &(cw_arena_options){.no_alloc = true}); /* nor needs it memory */
    size_t len = N;
    compared = 0;
    assert_true(cw__map_sort(&a, data, &len, sizeof *data, counting_compare));
    assert_int_equal(len, N);
    assert_int_equal(compared, N - 1);
    len = 0;
    assert_true(cw__map_sort(&a, NULL, &len, sizeof *data, counting_compare));
    len = 1;
    assert_true(cw__map_sort(&a, data, &len, sizeof *data, counting_compare));
    assert_int_equal(len, 1);
}

/* No input makes it quadratic: n log2 n comparisons and a few passes are the most. */
static void no_order_is_quadratic(void **state)
{
    (void)state;
    enum { N = 1 << 14 };
    entry *data = calloc(N, sizeof *data);
    cw_arena a = {0};
    for (int pattern = 0; pattern < 6; pattern++) {
        uint32_t seed = 3;
        for (int i = 0; i < N; i++) {
            const int keys[] = {
                N - i, i % 2 ? i : N - i, i / 2, i ^ 0x155, 7, (int)(next_random(&seed) % N)};
            data[i].key = keys[pattern];
        }
        size_t len = N;
        compared = 0;
        assert_true(cw__map_sort(&a, data, &len, sizeof *data, counting_compare));
        if (compared > (size_t)N * 14 + 4 * (size_t)N) {
            fail_msg("pattern %d took %zu comparisons", pattern, compared);
        }
        for (size_t i = 1; i < len; i++) {
            assert_true(data[i - 1].key < data[i].key);
        }
    }
    cw_arena_free(&a);
    free(data);
}

static void no_memory_leaves_the_list(void **state)
{
    (void)state;
    entry data[3] = {{3, 0, ""}, {2, 1, ""}, {2, 2, ""}}, kept[3];
    memcpy(kept, data, sizeof data);
    size_t len = 3;
    counter c = {.fail_at = 1};
    cw_arena a;
    counter_arena(&a, &c, NULL);
    assert_false(cw__map_sort(&a, data, &len, sizeof *data, cw__map_compare_int32));
    assert_int_equal(a.failure, CW_ERR_MEMORY);
    assert_int_equal(len, 3);
    assert_memory_equal(data, kept, sizeof data);
    cw__arena_budget_begin(&a, sizeof data - 1);
    assert_false(cw__map_sort(&a, data, &len, sizeof *data, cw__map_compare_int32));
    assert_int_equal(a.failure, CW_ERR_LIMIT);
    cw__arena_budget_end(&a);
    cw__arena_budget_begin(&a, sizeof data + 8);
    assert_true(cw__map_sort(&a, data, &len, sizeof *data, cw__map_compare_int32));
    cw__arena_budget_end(&a);
    assert_int_equal(len, 2);
    assert_int_equal(data[0].key, 2);
    assert_int_equal(data[0].order, 2);
    assert_int_equal(data[1].key, 3);
    cw_arena_free(&a);
}

/* Input in which a key may come once: nothing is dropped, the second one is told. */
static void strict_sorting(void **state)
{
    (void)state;
    static const struct {
        int line;
        int32_t keys[5], sorted[5];
        size_t len, second;
    } rows[] = {
        {__LINE__, {0}, {0}, 0, SIZE_MAX},
        {__LINE__, {5}, {5}, 1, SIZE_MAX},
        {__LINE__, {1, 2, 3}, {1, 2, 3}, 3, SIZE_MAX},
        {__LINE__, {3, 1, 2}, {1, 2, 3}, 3, SIZE_MAX},
        {__LINE__, {1, 1}, {1, 1}, 2, 1},
        {__LINE__, {9, 4, 7, 4, 1}, {1, 4, 4, 7, 9}, 5, 2},
        {__LINE__, {9, 4, 9, 8, 1}, {1, 4, 8, 9, 9}, 5, 4},
    };
    cw_arena a = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        entry data[5];
        memset(data, 0, sizeof data);
        for (size_t k = 0; k < rows[i].len; k++) {
            data[k].key = rows[i].keys[k];
            data[k].order = (uint32_t)k;
        }
        size_t second = 77;
        assert_true(cw__map_sort_strict(&a, data, rows[i].len, sizeof *data, cw__map_compare_int32,
                                        &second));
        for (size_t k = 0; k < rows[i].len; k++) {
            if (data[k].key != rows[i].sorted[k]) {
                fail_msg("row at line %d: place %zu", rows[i].line, k);
            }
        }
        if (second != rows[i].second) {
            fail_msg("row at line %d: second %zu", rows[i].line, second);
        }
        if (second != SIZE_MAX) { /* stable: the first one first */
            assert_true(data[second - 1].order < data[second].order);
        }
    }
    cw_arena_free(&a);
    counter c = {.fail_at = 1};
    entry two[2] = {{2, 0, ""}, {1, 1, ""}};
    size_t second;
    counter_arena(&a, &c, NULL);
    assert_false(cw__map_sort_strict(&a, two, 2, sizeof *two, cw__map_compare_int32, &second));
    assert_int_equal(a.failure, CW_ERR_MEMORY);
    assert_int_equal(two[0].key, 2);
    cw_arena_free(&a);
}

static void finds(void **state)
{
    (void)state;
    entry data[50];
    for (size_t len = 0; len <= 50; len++) {
        for (size_t i = 0; i < len; i++) {
            data[i].key = (int32_t)(2 * i);
        }
        for (int32_t key = -1; key <= (int32_t)(2 * len) + 1; key++) {
            entry e = {key, 0, ""};
            bool found = key % 2 != 0; /* the wrong answer */
            size_t at = cw__map_find(len ? data : NULL, len, sizeof *data, &e,
                                     cw__map_compare_int32, &found);
            assert_int_equal(at, (key + 1) / 2 < (int32_t)len ? (size_t)((key + 1) / 2) : len);
            assert_int_equal(found, key >= 0 && key % 2 == 0 && (size_t)key < 2 * len);
        }
    }
}

static void orders_of_keys(void **state)
{
    (void)state;
    const int32_t i32[] = {INT32_MIN, -1, 0, 1, INT32_MAX};
    const int64_t i64[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
    const uint32_t u32[] = {0, 1, 2, UINT32_C(0x80000000), UINT32_MAX};
    const uint64_t u64[] = {0, 1, UINT32_MAX, UINT64_C(1) << 63, UINT64_MAX};
    const cw_str str[] = {
        {0}, CW_STR_INIT("a"), CW_STR_INIT("a\0"), CW_STR_INIT("b"), CW_STR_INIT("\xc3\xa4")};
    const bool b[] = {false, true};
    for (size_t i = 0; i < 5; i++) {
        for (size_t k = 0; k < 5; k++) {
            int sign = i < k ? -1 : i > k;
            assert_int_equal(cw__map_compare_int32(i32 + i, i32 + k), sign);
            assert_int_equal(cw__map_compare_int64(i64 + i, i64 + k), sign);
            assert_int_equal(cw__map_compare_uint32(u32 + i, u32 + k), sign);
            assert_int_equal(cw__map_compare_uint64(u64 + i, u64 + k), sign);
            assert_int_equal(cw__map_compare_str(str + i, str + k), sign);
            if (i < 2 && k < 2) {
                assert_int_equal(cw__map_compare_bool(b + i, b + k), sign);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_and_keeps_the_last),
        cmocka_unit_test(sorted_input_is_looked_at_once),
        cmocka_unit_test(no_order_is_quadratic),
        cmocka_unit_test(no_memory_leaves_the_list),
        cmocka_unit_test(strict_sorting),
        cmocka_unit_test(finds),
        cmocka_unit_test(orders_of_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
