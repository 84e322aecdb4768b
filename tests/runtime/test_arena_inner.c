/* SPDX-License-Identifier: MIT */
/* An arena that borrows from another one, in whose free room a text stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_support.h"

/* A text of n bytes in the free room of a, which is then at least `room`. Returns its end. */
static char *begin_text(cw_arena *a, size_t n, size_t room)
{
    assert_true(cw__arena_room(a, room));
    memset(a->ptr, 0x55, n);
    return a->ptr + n;
}

static void check_bytes(const char *p, size_t n, char value)
{
    for (size_t i = 0; i < n; i++) {
        if (p[i] != value) {
            fail_msg("byte %zu of %zu was overwritten", i, n);
        }
    }
}

/* Everything from a fresh block, the text at any length. */
static void lends_half_of_what_is_free(void **state)
{
    (void)state;
    for (size_t n = 0; n < 4000; n += 37) {
        counter c = {0};
        cw_arena a;
        cw__arena_inner in;
        counter_arena(&a, &c, NULL);
        char *used = begin_text(&a, n, 4000);
        char *end = a.end;
        size_t free_room = (size_t)(end - used);
        cw__arena_inner_begin(&in, &a, used);
        assert_true(a.end == end ? free_room < 1024 : free_room >= 1024);
        size_t lent = (size_t)(in.arena.end - in.arena.ptr);
        assert_true(free_room < 1024 ? lent == 0 : lent > free_room / 2 - 80);
        assert_true(a.end >= used && (size_t)(a.end - used) + 40 > free_room / 2);
        if (lent > 0) {
            char *mine = cw_arena_alloc(&in.arena, lent);
            assert_non_null(mine);
            memset(used, 0x66, (size_t)(a.end - used) + CW__ARENA_SLACK);
            memset(mine, 0x77, lent + CW__ARENA_SLACK);
            check_bytes(used, (size_t)(a.end - used) + CW__ARENA_SLACK, 0x66);
        }
        assert_int_equal(c.calls, 1);
        char *more = cw_arena_alloc(&in.arena, 5000);
        assert_non_null(more);
        memset(more, 0x77, 5000);
        assert_int_equal(c.calls, 2);
        assert_true(cw_arena_held(&a) > 9000);
        check_bytes(a.ptr, n, 0x55);
        cw__arena_inner_end(&in);
        assert_int_equal(c.live, 1);
        assert_int_equal(cw_arena_held(&a), c.live_bytes);
        assert_ptr_equal(a.end, end);
        cw_arena_free(&a);
        assert_int_equal(c.live, 0);
    }
}

/* Several at once, while the text moves to another block in between. */
static void nests(void **state)
{
    (void)state;
    enum { LEVELS = 12 };
    for (size_t moves_at = 0; moves_at <= LEVELS; moves_at++) {
        counter c = {0};
        cw_arena a;
        cw__arena_inner in[LEVELS];
        char *mine[LEVELS];
        counter_arena(&a, &c, &(cw_arena_options){.first_block = 8192});
        char *used = begin_text(&a, 100, 4000);
        char *end = a.end;
        for (size_t i = 0; i < LEVELS; i++) {
            if (i == moves_at) {
                used = begin_text(&a, 100, 20000);
                assert_ptr_not_equal(a.end, end);
                end = a.end;
            }
            cw__arena_inner_begin(&in[i], &a, used);
            mine[i] = cw_arena_alloc(&in[i].arena, 200);
            assert_non_null(mine[i]);
            memset(mine[i], (int)(i + 1), 200);
            assert_true(a.end > used);
        }
        for (size_t i = LEVELS; i-- > 0;) {
            check_bytes(mine[i], 200, (char)(i + 1));
            cw__arena_inner_end(&in[i]);
        }
        check_bytes(used - 100, 100, 0x55);
        assert_ptr_equal(a.end, end);
        /* The block that the text left is whole again. */
        cw_arena_reset(&a);
        assert_non_null(cw_arena_alloc(&a, 8000));
        size_t calls = c.calls;
        assert_non_null(cw_arena_alloc(&a, moves_at < LEVELS ? 20000 : 8));
        assert_int_equal(c.calls, calls);
        cw_arena_free(&a);
        assert_int_equal(c.live, 0);
    }
}

static void the_limit_is_the_outer_one(void **state)
{
    (void)state;
    counter c = {0};
    cw_arena a;
    cw__arena_inner in;
    counter_arena(&a, &c, &(cw_arena_options){.limit = 16384, .first_block = 4096});
    char *used = begin_text(&a, 10, 4000);
    cw__arena_inner_begin(&in, &a, used);
    size_t given = 0;
    while (cw_arena_alloc(&in.arena, 64)) {
        given += 64;
    }
    assert_int_equal(in.arena.failure, CW_ERR_LIMIT);
    assert_true(given > 12000 && cw_arena_held(&a) <= 16384);
    /* Nothing is left for the text either, until the inner one ends. */
    assert_false(cw__arena_room(&a, 6000));
    assert_int_equal(a.failure, CW_ERR_LIMIT);
    cw__arena_inner_end(&in);
    assert_true(cw__arena_room(&a, 6000));
    /* Blocks that the outer one keeps from earlier, and has nothing in, count no more. */
    cw_arena_reset(&a);
    used = begin_text(&a, 10, 1000);
    cw__arena_inner_begin(&in, &a, used);
    assert_non_null(cw_arena_alloc(&in.arena, 11000));
    assert_true(cw_arena_held(&a) <= 16384);
    cw__arena_inner_end(&in);
    cw_arena_free(&a);
    assert_int_equal(c.live, 0);
}

static void no_alloc_lends_and_no_more(void **state)
{
    (void)state;
    static uint64_t block[512];
    cw_arena a;
    cw__arena_inner in;
    cw_arena_init(
        &a, &(cw_arena_options){.block = block, .block_size = sizeof block, .no_alloc = true});
    char *used = begin_text(&a, 1000, 1000);
    cw__arena_inner_begin(&in, &a, used);
    assert_non_null(cw_arena_alloc(&in.arena, 1200));
    assert_null(cw_arena_alloc(&in.arena, 1200));
    assert_int_equal(in.arena.failure, CW_ERR_LIMIT);
    assert_false(cw__arena_room(&a, 3000));
    cw__arena_inner_end(&in);
    assert_true(cw__arena_room(&a, 3000));
    /* Nothing to lend. */
    used = begin_text(&a, 3500, 3500);
    cw__arena_inner_begin(&in, &a, used);
    assert_null(cw_arena_alloc(&in.arena, 8));
    assert_int_equal(in.arena.failure, CW_ERR_LIMIT);
    cw__arena_inner_end(&in);
    cw__arena_inner_begin(&in, &a, NULL);
    assert_null(cw_arena_alloc(&in.arena, 8));
    cw__arena_inner_end(&in);
    cw_arena_free(&a);
}

static void no_memory(void **state)
{
    (void)state;
    counter c = {.fail_at = 2};
    cw_arena a;
    cw__arena_inner in;
    counter_arena(&a, &c, NULL);
    char *used = begin_text(&a, 10, 100);
    cw__arena_inner_begin(&in, &a, used);
    assert_null(cw_arena_alloc(&in.arena, 10000));
    assert_int_equal(in.arena.failure, CW_ERR_MEMORY);
    assert_non_null(cw_arena_alloc(&in.arena, 1000));
    cw__arena_inner_end(&in);
    cw_arena_free(&a);
    assert_int_equal(c.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lends_half_of_what_is_free),
        cmocka_unit_test(nests),
        cmocka_unit_test(the_limit_is_the_outer_one),
        cmocka_unit_test(no_alloc_lends_and_no_more),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
