/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data_generic.h"
#include "data_order.h"
#include "entry.h"
#include "json.cw.h"
#include "json_proto2.cw.h"
#include "suite.h"
#include "wire.cw.h"
#include "wire2.cw.h"

/*
 * The generic contenders on every message of the test schemas: all kinds and shapes, maps, oneofs,
 * groups, required fields. (The orders are checked by each run of the bench itself.)
 */

static const cw_file *const files[] = {&wire_file, &wire2_file, &json_file, &json_proto2_file};

static void check_op(const bench_payload *p, const bench_contender *c, const bench_op *op, void *s)
{
    bench_entry e;
    uint64_t ns;
    const char *wrong = bench_entry_open(&e, p, c, op, s);
    wrong = wrong != NULL ? wrong : bench_entry_verify(&e);
    wrong = wrong != NULL ? wrong : bench_entry_run(&e, 33, 3, &ns);
    if (wrong != NULL) {
        fail_msg("%s/%s/%s: %s", p->name, c->name, op->name, wrong);
    }
    bench_entry_close(&e);
}

static size_t check_payload(const bench_payload *p)
{
    size_t checked = 0;
    for (size_t i = 0; bench_contenders[i] != NULL; i++) {
        const bench_contender *c = bench_contenders[i];
        if (c->refuses != NULL && c->refuses(p) != NULL) {
            continue;
        }
        void *s = c->setup(p);
        for (size_t j = 0; j < c->n_ops; j++, checked++) {
            check_op(p, c, &c->ops[j], s);
        }
        c->teardown(s);
    }
    return checked;
}

static void every_test_message(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        for (uint32_t j = 0; j < files[i]->n_types; j++) {
            const cw_type *type = files[i]->types[j];
            cw_arena arena = {0};
            void *message = cw_arena_alloc(&arena, type->struct_size);
            assert_non_null(message);
            assert_true(bench_data_generic(type, message, &arena));
            bench_payload *p = bench_payload_make(type->full_name, type, message);
            size_t checked = check_payload(p);
            assert_true(checked >= 8 + 1 + 2); /* cwire, naive, gzip at least */
            bench_payload_free(p);
            cw_arena_free(&arena);
        }
    }
}

static void orders_with_every_contender(void **state)
{
    (void)state;
    bench_payload *p = bench_payload_orders("one", 1, 1);
    assert_true(check_payload(p) >= 8 + 3 + 1 + 2 + 2);
    bench_payload_free(p);
}

/* The data depends on the type alone, and every field that can be is set. */
static void generic_data_is_the_same_each_time(void **state)
{
    (void)state;
    cw_arena arena = {0};
    shop_Order a, b;
    assert_true(bench_data_generic(&shop_Order_type, &a, &arena));
    assert_true(bench_data_generic(&shop_Order_type, &b, &arena));
    assert_true(shop_Order_equal(&a, &b));
    assert_true(a.id != 0 && a.total_cents != 0 && a.created_at != 0 && a.status != 0);
    assert_true(a.customer.len > 0 && a.currency.len > 0);
    assert_in_range(a.items.len, 1, 4);
    assert_true(a.items.data[0].qty != 0 && a.items.data[0].sku.len > 0);
    cw_arena_free(&arena);
}

static void generic_data_without_memory(void **state)
{
    (void)state;
    uint64_t block[16];
    cw_arena arena;
    shop_Batch batch;
    cw_arena_init(
        &arena, &(cw_arena_options){.block = block, .block_size = sizeof block, .no_alloc = true});
    assert_false(bench_data_generic(&shop_Batch_type, &batch, &arena));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_test_message),
        cmocka_unit_test(orders_with_every_contender),
        cmocka_unit_test(generic_data_is_the_same_each_time),
        cmocka_unit_test(generic_data_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
