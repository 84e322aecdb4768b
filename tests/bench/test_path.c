/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data_order.h"
#include "path.h"

/* The leaves of order(1): 6 scalars of the order, 3 of each of its 4 items. */
static void leaves_of_one_order(void **state)
{
    (void)state;
    cw_arena arena = {0};
    shop_Batch batch;
    assert_true(bench_data_orders(&batch, &arena, 1, 1));
    bench_leaves leaves = bench_leaves_of(&shop_Batch_type, &batch);
    assert_int_equal(leaves.len, 6 + 4 * 3);

    const bench_leaf *id = &leaves.data[0];
    assert_int_equal(id->n_steps, 2);
    assert_int_equal(id->steps[0].number, 1);
    assert_int_equal(id->steps[0].index, 0);
    assert_int_equal(id->steps[1].number, 1);
    assert_int_equal(id->kind, CW_KIND_UINT64);
    assert_false(id->is_key);

    const bench_leaf *last_cents = &leaves.data[17];
    assert_int_equal(last_cents->n_steps, 3);
    assert_int_equal(last_cents->steps[1].number, 7);
    assert_int_equal(last_cents->steps[1].index, 3);
    assert_int_equal(last_cents->steps[2].number, 3);
    assert_int_equal(last_cents->kind, CW_KIND_UINT32);
    bench_leaves_free(&leaves);
    assert_int_equal(leaves.len, 0);
    cw_arena_free(&arena);
}

typedef struct probe_case {
    int line;
    size_t leaf;
    uint32_t width;
    uint64_t value;
} probe_case;

static void probes_read_what_is_there(void **state)
{
    (void)state;
    static const probe_case cases[] = {
        {__LINE__, 0, 8, UINT64_C(918273645001)},
        {__LINE__, 1, 1, '1'}, /* the customer's last character */
        {__LINE__, 2, 1, 'D'}, /* USD */
        {__LINE__, 3, 8, 1499537},
        {__LINE__, 5, 4, 2},   /* status */
        {__LINE__, 6, 1, '2'}, /* BRK-0092 */
        {__LINE__, 7, 4, 2},
        {__LINE__, 17, 4, 5749},
    };
    cw_arena arena = {0};
    shop_Batch batch;
    assert_true(bench_data_orders(&batch, &arena, 1, 1));
    bench_leaves leaves = bench_leaves_of(&shop_Batch_type, &batch);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_probe probe;
        if (!bench_probe_cwire(&shop_Batch_type, &leaves.data[cases[i].leaf], &probe) ||
            probe.width != cases[i].width || bench_probe_load(&probe, &batch) != cases[i].value) {
            fail_msg("line %d", cases[i].line);
        }
    }
    bench_leaves_free(&leaves);
    cw_arena_free(&arena);
}

static void probes_lead_into_the_struct(void **state)
{
    (void)state;
    cw_arena arena = {0};
    shop_Batch batch;
    assert_true(bench_data_orders(&batch, &arena, 0, 2));
    bench_leaf leaf = {.steps = {{1, 1}, {7, 2}, {2, 0}}, .n_steps = 3, .kind = CW_KIND_UINT32};
    bench_probe probe;
    assert_true(bench_probe_cwire(&shop_Batch_type, &leaf, &probe));
    assert_ptr_equal(bench_probe_place(&probe, &batch), &batch.orders.data[1].items.data[2].qty);
    leaf.steps[1].number = 99;
    assert_false(bench_probe_cwire(&shop_Batch_type, &leaf, &probe));
    cw_arena_free(&arena);
}

static void absent_fields_are_no_leaves(void **state)
{
    (void)state;
    shop_Order empty = {0};
    bench_leaves leaves = bench_leaves_of(&shop_Order_type, &empty);
    assert_int_equal(leaves.len, 0);
    bench_leaves_free(&leaves);
    shop_Order some = {.total_cents = 5, .currency = CW_STR_INIT("")};
    leaves = bench_leaves_of(&shop_Order_type, &some);
    assert_int_equal(leaves.len, 1);
    assert_int_equal(leaves.data[0].steps[0].number, 4);
    bench_leaves_free(&leaves);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_of_one_order),
        cmocka_unit_test(probes_read_what_is_there),
        cmocka_unit_test(probes_lead_into_the_struct),
        cmocka_unit_test(absent_fields_are_no_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
