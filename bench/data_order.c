/* SPDX-License-Identifier: MIT */
#include "data_order.h"

#include <stdio.h>

#include "data.h"
#include "random.h"

static bool fill_item(shop_Item *item, uint32_t i, uint32_t j)
{
    static const cw_str skus[] = {
        CW_STR_INIT("WID-4471"), CW_STR_INIT("BRK-0092"), CW_STR_INIT("CBL-1180"),
        CW_STR_INIT("MNT-7734"), CW_STR_INIT("PSU-0451"), CW_STR_INIT("FAN-2210"),
    };
    if (item == NULL) {
        return false;
    }
    item->sku = skus[(i + j) % 6];
    item->qty = 1 + (i + j) % 9;
    item->unit_cents = 4999 + 250 * j;
    return true;
}

static bool fill_order(shop_Order *order, cw_arena *a, uint32_t i)
{
    if (order == NULL) {
        return false;
    }
    char customer[32];
    snprintf(customer, sizeof customer, "acme-industrial-%u", (unsigned)(i % 97));
    order->id = UINT64_C(918273645000) + i;
    order->currency = CW_STR("USD");
    order->total_cents = UINT64_C(1499500) + UINT64_C(37) * i;
    order->created_at = UINT64_C(1756598400) + i;
    order->status = (shop_Status)(i % 4 + 1);
    for (uint32_t j = 0; j < 3 + i % 3; j++) {
        if (!fill_item(shop_Order_add_items(order, a), i, j)) {
            return false;
        }
    }
    return cw_arena_str(a, cw_str_from(customer), &order->customer);
}

bool bench_data_orders(shop_Batch *batch, cw_arena *a, uint32_t first, uint32_t count)
{
    shop_Batch_init(batch);
    for (uint32_t i = first; i < first + count; i++) {
        if (!fill_order(shop_Batch_add_orders(batch, a), a, i)) {
            return false;
        }
    }
    return true;
}

bool bench_data_one(void *batch, cw_arena *a, uint32_t n)
{
    return bench_data_orders(batch, a, 1, n);
}

bool bench_data_many(void *batch, cw_arena *a, uint32_t n)
{
    return bench_data_orders(batch, a, 0, n);
}

/* ---- orders of many shapes ----------------------------------------------------------------------
 */

/* `least` to `most` characters; about one text in 20 has a letter beyond ASCII. */
static bool random_text(cw_arena *a, uint64_t *random, uint32_t least, uint32_t most, cw_str *out)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyz0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ.";
    char text[64];
    uint32_t len = least + bench_random_below(random, most - least + 1);
    for (uint32_t i = 0; i < len; i++) {
        text[i] = letters[bench_random(random) >> 58];
    }
    if (len > 4 && bench_random_below(random, 20) == 0) {
        memcpy(text + bench_random_below(random, len - 1), "\xc3\xa9", 2);
    }
    return cw_arena_str(a, cw_str_of(text, len), out);
}

static uint64_t random_width(uint64_t *random, unsigned bits)
{
    return bench_random_bits(random, 1 + bench_random_below(random, bits));
}

static bool random_item(shop_Item *item, cw_arena *a, uint64_t *random)
{
    if (item == NULL) {
        return false;
    }
    if (bench_random_below(random, 8) != 0) {
        item->qty = (uint32_t)random_width(random, 10);
    }
    if (bench_random_below(random, 8) != 0) {
        item->unit_cents = (uint32_t)random_width(random, 28);
    }
    return bench_random_below(random, 8) == 0 || random_text(a, random, 1, 24, &item->sku);
}

/* 0 to 12; half of the orders have one or two. */
static uint32_t random_item_count(uint64_t *random)
{
    static const uint8_t counts[32] = {0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2,  2,  2,  2,
                                       2, 3, 3, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12};
    return counts[bench_random(random) >> 59];
}

bool bench_data_order_shape(void *message, cw_arena *a, uint32_t n)
{
    shop_Order *order = message;
    uint64_t random = bench_seed(1000 + n);
    shop_Order_init(order);
    order->id = random_width(&random, 53);
    if (bench_random_below(&random, 4) != 0) {
        order->total_cents = random_width(&random, 40);
    }
    if (bench_random_below(&random, 4) != 0) {
        order->created_at = random_width(&random, 41);
    }
    if (bench_random_below(&random, 4) != 0) {
        order->status = (shop_Status)(1 + bench_random_below(&random, 4));
    }
    if (bench_random_below(&random, 3) != 0) {
        order->currency = CW_STR("USD");
    }
    if (bench_random_below(&random, 6) != 0 && !random_text(a, &random, 1, 48, &order->customer)) {
        return false;
    }
    uint32_t n_items = random_item_count(&random);
    for (uint32_t i = 0; i < n_items; i++) {
        if (!random_item(shop_Order_add_items(order, a), a, &random)) {
            return false;
        }
    }
    return true;
}
