/* SPDX-License-Identifier: MIT */
/*
 * test_mutations.c: valid inputs cut off at every byte, with every byte changed, and decoded,
 * encoded and copied while the n-th allocation fails, for all n. Inputs stand in heap blocks of
 * exactly their size: a sanitizer sees every step outside.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "random_message.h"
#include "wire.cw.h"
#include "wire2.cw.h"
#include "wire_support.h"

/* A random message's bytes, short enough to try all changes of. */
static test_bytes random_bytes(const cw_type *t, uint64_t seed)
{
    test_random r = {.state = seed};
    r.most = 2;
    r.empty = 6;
    cw_arena a;
    cw_arena_init(&a, NULL);
    test_bytes b = {NULL, 0};
    void *m = cw_arena_alloc(&a, t->struct_size);
    assert_non_null(m);
    test_random_fill(t, m, &a, &r, 2);
    cw_bytes out = {NULL, 0};
    if (t->encode_arena(m, &a, &out, NULL) == CW_OK && out.len <= 400) {
        b = test_copy_bytes(out.data, out.len);
    }
    cw_arena_free(&a);
    return b;
}

/*
 * Decodes; what was accepted must survive encode and decode. Views and copies must agree. Returns
 * the status.
 */
static cw_status try_bytes(const cw_type *t, const test_bytes *in)
{
    cw_arena a;
    cw_arena_init(&a, NULL);
    cw_decode_options alias = {.alias = true};
    cw_error e = {.status = CW_OK};
    void *m = test_new(t, &a);
    void *view = test_new(t, &a);
    cw_status st = t->decode(m, in->data, in->len, &a, NULL, &e);
    assert_int_equal(e.status, st);
    assert_int_equal(t->decode(view, in->data, in->len, &a, &alias, NULL), st);
    if (st == CW_OK) {
        assert_true(t->equal(m, view));
        cw_bytes out = {NULL, 0};
        assert_int_equal(t->encode_arena(m, &a, &out, NULL), CW_OK);
        assert_int_equal(out.len, t->encoded_size(m));
        void *again = test_new(t, &a);
        assert_int_equal(t->decode(again, out.data, out.len, &a, NULL, NULL), CW_OK);
        assert_true(t->equal(m, again));
    } else {
        assert_true(strncmp(e.path, t->full_name, strlen(t->full_name)) == 0);
        assert_true(e.offset == SIZE_MAX || e.offset <= in->len);
    }
    cw_arena_free(&a);
    return st;
}

static const cw_type *const types[] = {
    &wire_Choice_type, &wire_Far_type,           &wire_Maps_type,      &wire_Nest_type,
    &wire_Fixed_type,  &wire_UnpackedLists_type, &wire_Growth_type,    &wire_Segments_type,
    &wire2_Boxed_type, &wire2_Closed_type,       &wire2_Defaults_type, &wire2_Reqs_type,
    &wire2_Loose_type,
};
enum { TYPES = sizeof types / sizeof types[0] };

static void test_every_prefix(void **state)
{
    (void)state;
    size_t failed = 0;
    for (size_t i = 0; i < TYPES; i++) {
        for (uint64_t seed = 1; seed < 12; seed++) {
            test_bytes b = random_bytes(types[i], seed);
            for (size_t n = 0; n < b.len; n++) {
                test_bytes cut = test_copy_bytes(b.data, n);
                failed += try_bytes(types[i], &cut) == CW_OK ? 0 : 1;
                test_free_bytes(&cut);
            }
            test_free_bytes(&b);
        }
    }
    assert_true(failed > 500);
}

static void test_every_byte(void **state)
{
    (void)state;
    static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff, 0x0b, 0x0c};
    size_t failed = 0;
    for (size_t i = 0; i < TYPES; i++) {
        for (uint64_t seed = 1; seed < 5; seed++) {
            test_bytes b = random_bytes(types[i], seed);
            for (size_t at = 0; at < b.len; at++) {
                uint8_t old = b.data[at];
                for (size_t k = 0; k < sizeof values + 8; k++) {
                    b.data[at] =
                        k < sizeof values ? values[k] : (uint8_t)(old ^ 1u << (k - sizeof values));
                    failed += try_bytes(types[i], &b) == CW_OK ? 0 : 1;
                }
                b.data[at] = old;
            }
            test_free_bytes(&b);
        }
    }
    assert_true(failed > 2000);
}

/* ---- allocations that fail --------------------------------------------------------------------
 */

typedef struct countdown {
    size_t left; /* allocations that succeed */
} countdown;

static void *countdown_alloc(void *ctx, size_t size)
{
    countdown *c = ctx;
    if (c->left == 0) {
        return NULL;
    }
    c->left--;
    return malloc(size);
}

static void countdown_free(void *ctx, void *block, size_t size)
{
    (void)ctx;
    (void)size;
    free(block);
}

/* One pass with `left` blocks of 64 bytes and more; returns whether all went well. */
static bool pass(const cw_type *t, const test_bytes *in, size_t left)
{
    countdown c = {left};
    cw_allocator alloc = {countdown_alloc, countdown_free, &c};
    cw_arena a;
    cw_arena_init(&a, &(cw_arena_options){.alloc = &alloc, .first_block = 64});
    void *m = malloc(t->struct_size);
    void *copy = malloc(t->struct_size);
    assert_non_null(m);
    assert_non_null(copy);
    cw_error e = {.status = CW_OK};
    cw_bytes out = {NULL, 0};
    cw_status st = t->decode(m, in->data, in->len, &a, NULL, &e);
    assert_int_equal(e.status, st);
    if (st == CW_OK) {
        st = t->copy(copy, m, &a);
    }
    if (st == CW_OK) {
        assert_true(t->equal(copy, m));
        st = t->encode_arena(copy, &a, &out, &e);
    }
    if (st == CW_OK) {
        assert_int_equal(out.len, t->encoded_size(m));
    } else {
        assert_int_equal(st, CW_ERR_MEMORY);
    }
    cw_arena_free(&a);
    free(m);
    free(copy);
    return st == CW_OK;
}

static void test_allocations_fail(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < TYPES; i++) {
        for (uint64_t seed = 1; seed < 8; seed++) {
            test_bytes b = random_bytes(types[i], seed);
            size_t left = 0;
            while (!pass(types[i], &b, left)) {
                left++;
                assert_true(left < 1000);
            }
            failures += left;
            test_free_bytes(&b);
        }
    }
    assert_true(failures > 100);
}

/* A limit in the middle of everything: the answer is a limit's, or success. */
static void test_limits_everywhere(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < TYPES; i++) {
        test_bytes b = random_bytes(types[i], 3);
        for (size_t max = 1; max < 6000; max += 13) {
            cw_arena a;
            cw_arena_init(&a, NULL);
            void *m = test_new(types[i], &a);
            cw_decode_options o = {.max_memory = max};
            cw_status st = types[i]->decode(m, b.data, b.len, &a, &o, NULL);
            assert_true(st == CW_OK || st == CW_ERR_LIMIT);
            failures += st == CW_OK ? 0 : 1;
            cw_arena_free(&a);
        }
        test_free_bytes(&b);
    }
    assert_true(failures > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_prefix),
        cmocka_unit_test(test_every_byte),
        cmocka_unit_test(test_allocations_fail),
        cmocka_unit_test(test_limits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
