/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_support.h"

static void the_growth_rule(void **state)
{
    (void)state;
    static const struct {
        int line;
        size_t len, cap, elem, add, new_cap;
    } rows[] = {
        {__LINE__, 0, 0, 8, 1, 4},       /* small elements: four to begin with */
        {__LINE__, 0, 0, 16, 3, 4},      /* */
        {__LINE__, 0, 0, 24, 1, 1},      /* larger ones: exact */
        {__LINE__, 0, 0, 8, 100, 100},   /* one run: exact */
        {__LINE__, 100, 100, 8, 1, 200}, /* from the second on: at least twice */
        {__LINE__, 100, 100, 8, 500, 600}, {__LINE__, 3, 8, 8, 5, 8}, /* enough already */
        {__LINE__, 3, 8, 8, 6, 16},        {__LINE__, 5, 0, 8, 1, 6}, /* borrowed */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cw_arena a = {0};
        uint8_t *data = NULL;
        uint8_t *borrowed = calloc(rows[i].len + 1, rows[i].elem);
        size_t bytes = rows[i].len * rows[i].elem, cap = rows[i].cap;
        if (cap > 0) {
            data = cw_arena_alloc(&a, cap * rows[i].elem);
        } else if (rows[i].len > 0) {
            data = borrowed;
        }
        for (size_t k = 0; k < bytes; k++) {
            data[k] = (uint8_t)k;
        }
        uint8_t *r = cw__list_grow(&a, data, rows[i].len, &cap, rows[i].elem, rows[i].add);
        if (!r || cap != rows[i].new_cap || (data == borrowed && r == borrowed)) {
            fail_msg("row at line %d: cap %zu", rows[i].line, cap);
        }
        for (size_t k = 0; k < bytes; k++) {
            assert_int_equal(r[k], (uint8_t)k);
        }
        memset(r + bytes, 0, (cap - rows[i].len) * rows[i].elem);
        free(borrowed);
        cw_arena_free(&a);
    }
}

static void grows_in_place_at_the_arenas_end(void **state)
{
    (void)state;
    cw_arena a = {0};
    size_t cap = 0;
    char *data = cw__list_grow(&a, NULL, 0, &cap, 12, 3);
    assert_non_null(data);
    assert_int_equal(cap, 4);
    memset(data, 'x', 48);
    assert_ptr_equal(cw__list_grow(&a, data, 4, &cap, 12, 1), data);
    assert_int_equal(cap, 8);
    assert_true((char *)cw_arena_alloc(&a, 8) >= data + 8 * 12);
    char *moved = cw__list_grow(&a, data, 8, &cap, 12, 1);
    assert_ptr_not_equal(moved, data);
    assert_memory_equal(moved, data, 48);
    /* Across the block's end it moves. */
    size_t len = cap;
    while (moved) {
        char *again = cw__list_grow(&a, moved, len, &cap, 12, 1);
        assert_non_null(again);
        assert_memory_equal(again, data, 48);
        len = cap;
        if (again != moved && len > 1000) {
            break;
        }
        moved = again;
    }
    cw_arena_free(&a);
}

/* Counts and products that overflow (a public report): no allocation at all is tried. */
static void b30_overflows_are_limits(void **state)
{
    (void)state;
    static const struct {
        int line;
        size_t len, cap, elem, add;
    } rows[] = {
        {__LINE__, 0, 0, 8, SIZE_MAX / 8 + 1}, {__LINE__, 0, 0, 24, SIZE_MAX / 24 + 1},
        {__LINE__, 0, 0, 2, SIZE_MAX / 2 + 1}, {__LINE__, 1, 4, 8, SIZE_MAX},
        {__LINE__, 1, 1, 1, SIZE_MAX - 1},     {__LINE__, 4, 4, 1, SIZE_MAX - 4},
        {__LINE__, 0, 0, 1, SIZE_MAX / 2 + 1}, {__LINE__, 0, 0, 4096, SIZE_MAX / 4096 + 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        counter c = {0};
        cw_arena a;
        counter_arena(&a, &c, NULL);
        char *data = cw_arena_alloc(&a, 32);
        size_t cap = rows[i].cap;
        memset(data, 0, 32);
        if (cw__list_grow(&a, data, rows[i].len, &cap, rows[i].elem, rows[i].add)) {
            fail_msg("row at line %d: got memory", rows[i].line);
        }
        assert_int_equal(a.failure, CW_ERR_LIMIT);
        assert_int_equal(cap, rows[i].cap);
        assert_int_equal(c.calls, 1);
        cw_arena_free(&a);
    }
    /* 2^32 + 1 elements: asked for in full, or refused where size_t is too small for the bytes. */
    uint64_t count = ((uint64_t)1 << 32) + 1;
    if (count <= SIZE_MAX) {
        counter c = {.fail_at = 1};
        cw_arena a;
        size_t cap = 0;
        counter_arena(&a, &c, NULL);
        assert_null(cw__list_grow(&a, NULL, 0, &cap, 8, (size_t)count));
        assert_int_equal(a.failure, CW_ERR_MEMORY);
        assert_true(c.largest >= (size_t)count * 8);
        assert_int_equal(cap, 0);
        cw_arena_free(&a);
    }
}

/* When twice is over the limit, what is needed may still fit. */
static void doubles_only_as_far_as_allowed(void **state)
{
    (void)state;
    cw_arena a = {0};
    size_t cap = 0;
    cw__arena_budget_begin(&a, 2000);
    char *data = cw__list_grow(&a, NULL, 0, &cap, 1, 1000);
    assert_int_equal(cap, 1000);
    data = cw__list_grow(&a, data, 1000, &cap, 1, 1);
    assert_non_null(data);
    assert_int_equal(cap, 2000);
    assert_null(cw__list_grow(&a, data, 2000, &cap, 1, 1));
    assert_int_equal(a.failure, CW_ERR_LIMIT);
    assert_int_equal(cap, 2000);
    cw__arena_budget_end(&a);
    cw__arena_budget_begin(&a, 2500);
    assert_non_null(cw__list_grow(&a, data, 2000, &cap, 1, 400));
    assert_int_equal(cap, 4000);
    cw__arena_budget_end(&a);
    assert_non_null(cw_arena_alloc(&a, 1));
    data = cw_arena_alloc(&a, 100);
    cap = 100;
    memset(data, 'q', 100);
    assert_non_null(cw_arena_alloc(&a, 1));
    cw__arena_budget_begin(&a, 150);
    data = cw__list_grow(&a, data, 100, &cap, 1, 10);
    assert_non_null(data);
    assert_int_equal(cap, 110);
    assert_int_equal(data[99], 'q');
    cw__arena_budget_end(&a);
    cw_arena_free(&a);
}

/* Two lists that grow in turn, one element at a time: total memory stays linear. */
static void interleaved_growth_is_linear(void **state)
{
    (void)state;
    counter c = {0};
    cw_arena a;
    counter_arena(&a, &c, NULL);
    uint32_t *data[2] = {NULL, NULL};
    size_t cap[2] = {0, 0};
    const size_t n = 100000;
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++) {
            if (i == cap[k]) {
                data[k] = cw__list_grow(&a, data[k], i, &cap[k], sizeof **data, 1);
                assert_non_null(data[k]);
            }
            data[k][i] = (uint32_t)(i * 2 + (size_t)k);
        }
    }
    for (size_t i = 0; i < n; i++) {
        assert_true(data[0][i] == i * 2 && data[1][i] == i * 2 + 1);
    }
    assert_true(c.live_bytes < 8 * 2 * n * sizeof **data);
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_growth_rule),
        cmocka_unit_test(grows_in_place_at_the_arenas_end),
        cmocka_unit_test(b30_overflows_are_limits),
        cmocka_unit_test(doubles_only_as_far_as_allowed),
        cmocka_unit_test(interleaved_growth_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
