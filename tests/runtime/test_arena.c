/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_support.h"

static bool is_aligned(const void *p)
{
    return ((uintptr_t)p & 7) == 0;
}

/* A small random sequence, the same in every run. */
static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Everything given out is aligned, writable (slack too) and apart from everything else. */
static void allocations_do_not_overlap(void **state)
{
    (void)state;
    enum { N = 2000 };
    static uint8_t *blocks[N];
    static size_t sizes[N];
    counter c = {0};
    cw_arena a;
    counter_arena(&a, &c, NULL);
    for (int round = 0; round < 3; round++) {
        uint32_t seed = 7;
        for (int i = 0; i < N; i++) {
            uint32_t r = next_random(&seed);
            sizes[i] = r % 97 == 0 ? r % 50000 : r % 200;
            blocks[i] = cw_arena_alloc(&a, sizes[i]);
            assert_non_null(blocks[i]);
            assert_true(is_aligned(blocks[i]));
            memset(blocks[i], i & 0xff, sizes[i]);
            assert_true(is_aligned(a.ptr) && is_aligned(a.end));
            memset(a.end, 0x55, CW__ARENA_SLACK);
        }
        for (int i = 0; i < N; i++) {
            for (size_t k = 0; k < sizes[i]; k++) {
                if (blocks[i][k] != (i & 0xff)) {
                    fail_msg("round %d: allocation %d, byte %zu was overwritten", round, i, k);
                }
            }
        }
        cw_arena_reset(&a);
    }
    cw_arena_free(&a);
    assert_int_equal(c.live, 0);
    assert_int_equal(c.live_bytes, 0);
}

/* The same work after a reset takes no new block, whatever its pattern was. */
static void steady_state_allocates_nothing(void **state)
{
    (void)state;
    for (uint32_t pattern = 0; pattern < 30; pattern++) {
        counter c = {0};
        cw_arena a;
        counter_arena(&a, &c, &(cw_arena_options){.first_block = 64 + 200 * pattern});
        size_t calls = 0;
        for (int round = 0; round < 4; round++) {
            uint32_t seed = pattern;
            for (int i = 0; i < 300; i++) {
                uint32_t r = next_random(&seed);
                size_t n = r % 11 == 0 ? r % 30000 : r % 300;
                if (r % 13 == 0) {
                    assert_true(cw__arena_room(&a, n));
                    cw__arena_take_back(&a, a.end - n);
                } else {
                    assert_non_null(cw_arena_alloc(&a, n));
                }
            }
            if (round == 0) {
                calls = c.calls;
            }
            if (c.calls != calls) {
                fail_msg("pattern %u, round %d: %zu calls, not %zu", pattern, round, c.calls,
                         calls);
            }
            assert_int_equal(cw_arena_held(&a), c.live_bytes);
            cw_arena_reset(&a);
        }
        cw_arena_free(&a);
        assert_int_equal(c.live, 0);
    }
}

static void a_zeroed_arena_works(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw_arena_reset(&a);
    assert_int_equal(cw_arena_held(&a), 0);
    char *p = cw_arena_alloc(&a, 100);
    assert_non_null(p);
    memset(p, 1, 100);
    assert_true(cw_arena_held(&a) > 100);
    cw_arena_free(&a);
    assert_int_equal(cw_arena_held(&a), 0);
    cw_arena_free(&a);
    p = cw_arena_alloc(&a, 1);
    assert_non_null(p);
    cw_arena_free(&a);
}

static void zero_bytes_are_a_valid_pointer(void **state)
{
    (void)state;
    cw_arena a = {0};
    void *p = cw_arena_alloc(&a, 0);
    assert_non_null(p);
    void *q = cw_arena_alloc(&a, 0);
    assert_non_null(q);
    cw_arena_free(&a);
}

/* The caller's block is used first, wherever it begins, never freed and used again after free. */
static void callers_block(void **state)
{
    (void)state;
    static char memory[1024 + 8];
    for (size_t shift = 0; shift < 8; shift++) {
        counter c = {0};
        cw_arena a;
        counter_arena(&a, &c, &(cw_arena_options){.block = memory + shift, .block_size = 1024});
        for (int round = 0; round < 2; round++) {
            size_t used = 0;
            while (c.calls == (size_t)round) {
                char *p = cw_arena_alloc(&a, 40);
                assert_non_null(p);
                assert_true(is_aligned(p));
                if (c.calls == (size_t)round) {
                    assert_true(p >= memory + shift);
                    assert_true(p + 40 + CW__ARENA_SLACK <= memory + shift + 1024);
                    used += 40;
                }
            }
            assert_true(used > 800);
            cw_arena_free(&a);
            assert_int_equal(c.live, 0);
        }
    }
    for (size_t size = 0; size < 120; size++) {
        char *exact = malloc(size ? size : 1);
        cw_arena a;
        cw_arena_init(&a,
                      &(cw_arena_options){.block = exact, .block_size = size, .no_alloc = true});
        char *p = cw_arena_alloc(&a, 8);
        if (p) {
            memset(p, 0, 8 + CW__ARENA_SLACK);
        } else {
            assert_int_equal(a.failure, CW_ERR_LIMIT);
            assert_true(size < 100);
        }
        cw_arena_free(&a);
        free(exact);
    }
}

static void no_alloc_is_a_limit(void **state)
{
    (void)state;
    static char memory[512];
    cw_arena a;
    cw_arena_init(
        &a, &(cw_arena_options){.block = memory, .block_size = sizeof memory, .no_alloc = true});
    assert_non_null(cw_arena_alloc(&a, 256));
    assert_null(cw_arena_alloc(&a, 512));
    assert_int_equal(a.failure, CW_ERR_LIMIT);
    assert_non_null(cw_arena_alloc(&a, 64));
    assert_false(cw__arena_room(&a, 512));
    assert_int_equal(cw_arena_held(&a), 0);
    cw_arena_reset(&a);
    assert_non_null(cw_arena_alloc(&a, 400));
    cw_arena_free(&a);
    assert_non_null(cw_arena_alloc(&a, 400));
}

static void limit_counts_blocks(void **state)
{
    (void)state;
    counter c = {0};
    cw_arena a;
    counter_arena(&a, &c, &(cw_arena_options){.limit = 10000, .first_block = 1000});
    size_t total = 0;
    while (cw_arena_alloc(&a, 100)) {
        total += 100;
    }
    assert_int_equal(a.failure, CW_ERR_LIMIT);
    assert_true(c.live_bytes <= 10000);
    assert_true(total > 8000);
    /* The same limit after a reset, with one request that no kept block is large enough for: the
     * unused blocks make way. */
    cw_arena_reset(&a);
    assert_null(cw_arena_alloc(&a, 10000));
    assert_int_equal(a.failure, CW_ERR_LIMIT);
    assert_non_null(cw_arena_alloc(&a, 8000));
    assert_true(c.live_bytes <= 10000);
    assert_int_equal(c.live, 2);
    cw_arena_free(&a);
    assert_int_equal(c.live, 0);
}

static void allocator_failure_is_memory(void **state)
{
    (void)state;
    for (size_t n = 1; n < 8; n++) {
        counter c = {.fail_at = n};
        cw_arena a;
        counter_arena(&a, &c, NULL);
        size_t got = 0;
        while (cw_arena_alloc(&a, 1000)) {
            got++;
        }
        assert_int_equal(a.failure, CW_ERR_MEMORY);
        assert_int_equal(c.calls, n);
        assert_true(got >= 2 * (n - 1));
        /* It is usable afterwards. */
        assert_non_null(cw_arena_alloc(&a, 1000));
        cw_arena_free(&a);
        assert_int_equal(c.live, 0);
    }
}

static void absurd_sizes_are_refused(void **state)
{
    (void)state;
    static const size_t back[] = {0, 1, 6, 7, 8, 15, 16, 31, 32, 47, 48, 63, 64, 100};
    counter c = {0};
    cw_arena a;
    counter_arena(&a, &c, &(cw_arena_options){.limit = 1 << 20});
    for (int filled = 0; filled < 2; filled++) {
        size_t calls = c.calls;
        for (size_t i = 0; i < sizeof back / sizeof *back; i++) {
            assert_null(cw_arena_alloc(&a, SIZE_MAX - back[i]));
            assert_int_equal(a.failure, CW_ERR_LIMIT);
            assert_false(cw__arena_room(&a, SIZE_MAX - back[i]));
            assert_null(cw_arena_array(&a, SIZE_MAX / 8 + 1 + back[i], 8));
            assert_null(cw_arena_array(&a, 2, SIZE_MAX / 2 + 1 + back[i]));
        }
        cw_str out = {"kept", 4};
        assert_false(cw_arena_str(&a, cw_str_of("x", SIZE_MAX), &out));
        assert_string_equal(out.data, "kept");
        assert_int_equal(c.calls, calls);
        assert_non_null(cw_arena_alloc(&a, 10));
    }
    assert_non_null(cw_arena_array(&a, 3, 5));
    cw_arena_free(&a);
}

static void huge_requests_leave_the_current_block(void **state)
{
    (void)state;
    counter c = {0};
    cw_arena a;
    counter_arena(&a, &c, NULL);
    char *first = cw_arena_alloc(&a, 8);
    char *huge = cw_arena_alloc(&a, 1 << 20);
    char *second = cw_arena_alloc(&a, 8);
    assert_non_null(huge);
    assert_ptr_equal(second, first + 8);
    assert_int_equal(c.calls, 2);
    cw_arena_free(&a);
}

static void copies_strings(void **state)
{
    (void)state;
    counter c = {0};
    cw_arena a;
    counter_arena(&a, &c, NULL);
    cw_str s = {0};
    assert_true(cw_arena_str(&a, CW_STR("abc"), &s));
    assert_int_equal(s.len, 3);
    assert_string_equal(s.data, "abc");
    assert_true(cw_arena_str(&a, (cw_str){0}, &s));
    assert_int_equal(s.len, 0);
    assert_string_equal(s.data, "");
    cw_bytes b = {0};
    assert_true(cw_arena_bytes(&a, cw_bytes_of("\0\1", 2), &b));
    assert_int_equal(b.len, 2);
    assert_memory_equal(b.data, "\0\1", 2);
    assert_true(cw_arena_bytes(&a, (cw_bytes){0}, &b));
    assert_int_equal(b.len, 0);
    cw_arena_free(&a);
    counter failing = {.fail_at = 1};
    counter_arena(&a, &failing, NULL);
    s = CW_STR("kept");
    assert_false(cw_arena_str(&a, CW_STR("abc"), &s));
    assert_string_equal(s.data, "kept");
    cw_arena_free(&a);
}

/* A budget gives out exactly its bytes, over any number of blocks, and ends without a trace. */
static void budgets_are_exact(void **state)
{
    (void)state;
    static const size_t budgets[] = {0, 1, 7, 8, 9, 100, 4000, 4096, 5000, 20000, 100000};
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        for (size_t before = 0; before < 4000; before += 1000) {
            for (size_t each = 8; each <= 2000; each = each * 3 + 8) {
                counter c = {0};
                cw_arena a;
                counter_arena(&a, &c, NULL);
                assert_non_null(cw_arena_alloc(&a, before));
                cw__arena_budget_begin(&a, budgets[i]);
                size_t total = 0;
                while (cw_arena_alloc(&a, each)) {
                    total += each;
                }
                assert_int_equal(a.failure, CW_ERR_LIMIT);
                if (total != budgets[i] / each * each) {
                    fail_msg("budget %zu by %zu gave %zu", budgets[i], each, total);
                }
                size_t calls = c.calls;
                cw__arena_budget_end(&a);
                assert_non_null(cw_arena_alloc(&a, 8));
                assert_true(c.calls <= calls + 1);
                cw_arena_free(&a);
            }
        }
    }
}

static void budgets_end_restores_the_block(void **state)
{
    (void)state;
    counter c = {0};
    cw_arena a;
    counter_arena(&a, &c, NULL);
    char *first = cw_arena_alloc(&a, 8);
    cw__arena_budget_begin(&a, 16);
    assert_non_null(cw_arena_alloc(&a, 16));
    assert_null(cw_arena_alloc(&a, 1));
    assert_false(cw__arena_room(&a, 1));
    assert_int_equal(a.failure, CW_ERR_LIMIT);
    cw__arena_budget_end(&a);
    assert_ptr_equal(cw_arena_alloc(&a, 3000), first + 24);
    assert_int_equal(c.calls, 1);
    cw__arena_budget_begin(&a, SIZE_MAX);
    assert_non_null(cw_arena_alloc(&a, 100000));
    cw__arena_budget_end(&a);
    cw_arena_free(&a);
}

static void budgets_count_room_and_takes(void **state)
{
    (void)state;
    counter c = {0};
    cw_arena a;
    counter_arena(&a, &c, NULL);
    cw__arena_budget_begin(&a, 10000);
    assert_false(cw__arena_room(&a, 10001));
    assert_true(cw__arena_room(&a, 9000));
    cw__arena_take_front(&a, a.ptr + 2999); /* 3000 with rounding */
    assert_true(cw__arena_room(&a, 7000));
    assert_false(cw__arena_room(&a, 7001));
    cw__arena_take_back(&a, a.end - 2000);
    assert_true(cw__arena_room(&a, 5000));
    assert_false(cw__arena_room(&a, 5001));
    assert_non_null(cw_arena_alloc(&a, 4000));
    assert_null(cw_arena_alloc(&a, 1001));
    assert_non_null(cw_arena_alloc(&a, 1000));
    assert_null(cw_arena_alloc(&a, 1));
    cw__arena_budget_end(&a);
    assert_non_null(cw_arena_alloc(&a, 1));
    cw_arena_free(&a);
}

/* Bytes taken from the back stay as they are, the slack included, whatever is done afterwards. */
static void takes_from_the_back(void **state)
{
    (void)state;
    for (size_t n = 1; n < 600; n++) {
        for (size_t left = 0; left < 40; left += 3) {
            counter c = {0};
            cw_arena a;
            counter_arena(&a, &c, &(cw_arena_options){.first_block = 1024});
            assert_true(cw__arena_room(&a, n + left));
            size_t room = (size_t)(a.end - a.ptr);
            if (room > n + left) {
                cw__arena_take_front(&a, a.ptr + ((room - n - left) & ~(size_t)7));
            }
            char *bytes = a.end - n;
            memset(bytes, 0x77, n);
            cw__arena_take_back(&a, bytes);
            assert_true(is_aligned(a.ptr) && is_aligned(a.end));
            assert_true(a.ptr <= a.end);
            for (int i = 0; i < 30; i++) {
                char *p = cw_arena_alloc(&a, 16);
                assert_non_null(p);
                memset(p, 0x11, 16);
                memset(a.end, 0x22, CW__ARENA_SLACK);
            }
            for (size_t k = 0; k < n; k++) {
                if (bytes[k] != 0x77) {
                    fail_msg("%zu bytes with %zu before: byte %zu was overwritten", n, left, k);
                }
            }
            cw_arena_free(&a);
        }
    }
}

/* After a reset an output begins in a block that has what the last one took, and no new one is got
 * for it; a budget and small outputs are served as ever. */
static void outputs_begin_where_the_last_one_fitted(void **state)
{
    (void)state;
    counter c = {0};
    cw_arena a;
    counter_arena(&a, &c, NULL);
    for (int round = 0; round < 3; round++) {
        assert_true(cw__arena_room_output(&a, 100));
        assert_true(round == 0 || (size_t)(a.end - a.ptr) >= 50000);
        assert_true(cw__arena_room(&a, 50000));
        cw__arena_output_took(&a, 50000);
        cw__arena_take_front(&a, a.ptr + 50000);
        assert_int_equal(c.live, 2);
        cw_arena_reset(&a);
    }
    cw__arena_budget_begin(&a, 200);
    assert_true(cw__arena_room_output(&a, 100));
    assert_true((size_t)(a.end - a.ptr) <= 200);
    cw__arena_budget_end(&a);
    cw_arena_free(&a);
    assert_true(cw__arena_room_output(&a, 100)); /* what was taken once is no need */
    assert_int_equal(cw_arena_held(&a), 4096);
    cw_arena_free(&a);
    assert_int_equal(c.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_do_not_overlap),
        cmocka_unit_test(steady_state_allocates_nothing),
        cmocka_unit_test(a_zeroed_arena_works),
        cmocka_unit_test(zero_bytes_are_a_valid_pointer),
        cmocka_unit_test(callers_block),
        cmocka_unit_test(no_alloc_is_a_limit),
        cmocka_unit_test(limit_counts_blocks),
        cmocka_unit_test(allocator_failure_is_memory),
        cmocka_unit_test(absurd_sizes_are_refused),
        cmocka_unit_test(huge_requests_leave_the_current_block),
        cmocka_unit_test(copies_strings),
        cmocka_unit_test(budgets_are_exact),
        cmocka_unit_test(budgets_end_restores_the_block),
        cmocka_unit_test(budgets_count_room_and_takes),
        cmocka_unit_test(takes_from_the_back),
        cmocka_unit_test(outputs_begin_where_the_last_one_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
