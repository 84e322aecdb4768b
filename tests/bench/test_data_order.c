/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data_order.h"
#include "mem.h"
#include "payload.h"
#include "sizes.h"

typedef struct size_case {
    int line;
    uint32_t first, count;
    size_t binary, message_json, array_json;
} size_case;

/* The six numbers of the order: 113 and 22,823 bytes; 327 and 63,141; 316 and 63,130. */
static void sizes_are_as_ordered(void **state)
{
    (void)state;
    static const size_case cases[] = {
        {__LINE__, 1, 1, 113, 327, 316},
        {__LINE__, 0, BENCH_MANY, 22823, 63141, 63130},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_case *c = &cases[i];
        cw_arena arena = {0};
        shop_Batch batch;
        cw_bytes binary, array;
        cw_str json;
        assert_true(bench_data_orders(&batch, &arena, c->first, c->count));
        assert_int_equal(shop_Batch_encode_arena(&batch, &arena, &binary, NULL), CW_OK);
        assert_int_equal(shop_Batch_to_json(&batch, &arena, &bench_print_options, &json, NULL),
                         CW_OK);
        assert_true(bench_bare_array(bench_bytes_of(json), &array));
        if (binary.len != c->binary || json.len != c->message_json || array.len != c->array_json) {
            fail_msg("line %d: %zu bytes binary, %zu and %zu bytes JSON", c->line, binary.len,
                     json.len, array.len);
        }
        assert_int_equal(array.data[0], '[');
        assert_int_equal(array.data[array.len - 1], ']');
        assert_int_equal(shop_Batch_size(&batch), c->binary);
        cw_arena_free(&arena);
    }
}

static void order_1(void **state)
{
    (void)state;
    static const char expected[] =
        "{\"orders\":[{\"id\":918273645001,\"customer\":\"acme-industrial-1\",\"currency\":\"USD\","
        "\"total_cents\":1499537,\"created_at\":1756598401,\"status\":2,\"items\":["
        "{\"sku\":\"BRK-0092\",\"qty\":2,\"unit_cents\":4999},"
        "{\"sku\":\"CBL-1180\",\"qty\":3,\"unit_cents\":5249},"
        "{\"sku\":\"MNT-7734\",\"qty\":4,\"unit_cents\":5499},"
        "{\"sku\":\"PSU-0451\",\"qty\":5,\"unit_cents\":5749}]}]}";
    cw_arena arena = {0};
    shop_Batch batch;
    cw_str json;
    assert_true(bench_data_orders(&batch, &arena, 1, 1));
    assert_int_equal(shop_Batch_to_json(&batch, &arena, &bench_print_options, &json, NULL), CW_OK);
    assert_int_equal(json.len, sizeof expected - 1);
    assert_memory_equal(json.data, expected, json.len);
    cw_arena_free(&arena);
}

static void the_last_of_many(void **state)
{
    (void)state;
    cw_arena arena = {0};
    shop_Batch batch;
    assert_true(bench_data_orders(&batch, &arena, 0, BENCH_MANY));
    assert_int_equal(batch.orders.len, 200);
    const shop_Order *order = &batch.orders.data[199];
    assert_true(order->id == UINT64_C(918273645199));
    assert_true(cw_str_equal(order->customer, CW_STR("acme-industrial-5"))); /* 199 mod 97 */
    assert_true(order->total_cents == 1499500 + 37 * 199);
    assert_int_equal(order->status, shop_STATUS_DELIVERED);
    assert_int_equal(order->items.len, 4);                                   /* 3 + 199 mod 3 */
    assert_true(cw_str_equal(order->items.data[3].sku, CW_STR("PSU-0451"))); /* 202 mod 6 */
    assert_int_equal(order->items.data[3].qty, 5);                           /* 1 + 202 mod 9 */
    assert_int_equal(order->items.data[3].unit_cents, 5749);
    cw_arena_free(&arena);
}

static void running_out_of_memory_is_told(void **state)
{
    (void)state;
    for (size_t limit = 64; limit < 40000; limit += 997) {
        uint64_t block[5000];
        cw_arena arena;
        cw_arena_init(&arena,
                      &(cw_arena_options){.block = block, .block_size = limit, .no_alloc = true});
        shop_Batch batch;
        assert_false(bench_data_orders(&batch, &arena, 0, BENCH_MANY));
    }
}

static void a_bare_array_needs_its_wrapping(void **state)
{
    (void)state;
    cw_bytes array;
    assert_false(bench_bare_array(bench_bytes_of(CW_STR("{}")), &array));
    assert_false(bench_bare_array(bench_bytes_of(CW_STR("")), &array));
    assert_false(bench_bare_array(bench_bytes_of(CW_STR("{\"orders\":")), &array));
    assert_true(bench_bare_array(bench_bytes_of(CW_STR("{\"orders\":[]}")), &array));
    assert_int_equal(array.len, 2);
}

/* Incompressible and repetitive bytes: the compressors are really called, in the right order. */
static void compressed_sizes(void **state)
{
    (void)state;
    static const char text[] =
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    bench_sizes s = bench_sizes_of(cw_bytes_of(text, sizeof text - 1), bench_bytes_of(CW_STR("x")));
    assert_int_equal(s.json, sizeof text - 1);
    assert_true(s.json_gzip > 18 && s.json_gzip < 30); /* 18 bytes of frame */
    assert_true(s.json_brotli > 2 && s.json_brotli < s.json_gzip);
    assert_int_equal(s.binary, 1);
    assert_true(s.binary_gzip > 18 && s.binary_gzip < 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_as_ordered),
        cmocka_unit_test(order_1),
        cmocka_unit_test(the_last_of_many),
        cmocka_unit_test(running_out_of_memory_is_told),
        cmocka_unit_test(a_bare_array_needs_its_wrapping),
        cmocka_unit_test(compressed_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
