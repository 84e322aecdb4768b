/* SPDX-License-Identifier: MIT */
#include "data_order.h"

#include <stdio.h>

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
