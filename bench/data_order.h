/* SPDX-License-Identifier: MIT */
/* The orders of the benchmark: the same data an article on this schema used. */
#ifndef BENCH_DATA_ORDER_H
#define BENCH_DATA_ORDER_H

#include "order.cw.h"

/* "One" is order(1), "many" is order(0) to order(199). */
#define BENCH_MANY 200

/*
 * Fills the batch with order(first) .. order(first + count - 1), everything in the arena: order(i)
 * has id 918273645000 + i, customer "acme-industrial-" and i mod 97, currency USD, total_cents
 * 1499500 + 37i, created_at 1756598400 + i, status i mod 4 + 1, and 3 + i mod 3 items; its item j
 * has the sku (i + j) mod 6 of six, qty 1 + (i + j) mod 9, unit_cents 4999 + 250j. False: out of
 * memory.
 */
bool bench_data_orders(shop_Batch *batch, cw_arena *a, uint32_t first, uint32_t count);

#endif
