/* SPDX-License-Identifier: MIT */
/*
 * cost_driver.c: encode, decode (copying), print and parse of 200 orders, for bench_cost.sh, which
 * builds it once with the code made for speed and once with that made for size. Without arguments
 * it prints the least nanoseconds of each; with the name of one it does that ten times (under
 * callgrind, which counts the function `measured`).
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "order.cw.h"

typedef struct work {
    shop_Batch batch;
    cw_bytes bytes;
    cw_str json;
    cw_arena kept, arena;
    char buf[1 << 17];
} work;

static const char *const operations[] = {"encode", "decode", "json_print", "json_parse"};
enum { OPERATIONS = 4, ORDERS = 200, ROUNDS = 400 };

static void fill(work *w)
{
    static const char *const names[] = {"Ada Lovelace", "Grace Hopper", "Alan Turing", "B. Liskov"};
    for (unsigned i = 0; i < ORDERS; i++) {
        shop_Order *o = shop_Batch_add_orders(&w->batch, &w->kept);
        if (!o) {
            abort();
        }
        o->id = 100000 + i * 7;
        o->customer = cw_str_from(names[i % 4]);
        o->currency = CW_STR("USD");
        o->total_cents = 1000 + i * 331;
        o->created_at = 1700000000000u + i * 997;
        o->status = (shop_Status)(1 + i % 4);
        for (unsigned k = 0; k <= i % 7; k++) {
            shop_Item *x = shop_Order_add_items(o, &w->kept);
            if (!x) {
                abort();
            }
            *x = (shop_Item){.sku = CW_STR("SKU-12345"), .qty = 1 + k, .unit_cents = 199 + k * 100};
        }
    }
}

/* One operation; whatever it gives is in w. Not static: callgrind looks for its name. */
cw_status measured(work *w, int operation);
CW_NOINLINE cw_status measured(work *w, int operation)
{
    shop_Batch m;
    size_t len = 0;
    cw_str text;
    cw_arena_reset(&w->arena);
    switch (operation) {
    case 0:
        return shop_Batch_encode(&w->batch, w->buf, sizeof w->buf, &len, NULL);
    case 1:
        return shop_Batch_decode(&m, w->bytes.data, w->bytes.len, &w->arena, NULL, NULL);
    case 2:
        return shop_Batch_to_json(&w->batch, &w->arena, NULL, &text, NULL);
    default:
        return shop_Batch_from_json(&m, w->json.data, w->json.len, &w->arena, NULL, NULL);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    static work w;
    cw_arena_init(&w.kept, NULL);
    cw_arena_init(&w.arena, NULL);
    fill(&w);
    if (shop_Batch_encode_arena(&w.batch, &w.kept, &w.bytes, NULL) != CW_OK ||
        shop_Batch_to_json(&w.batch, &w.kept, NULL, &w.json, NULL) != CW_OK) {
        return 1;
    }
    for (int op = 0; op < OPERATIONS; op++) {
        if (argc > 1 && strcmp(argv[1], operations[op]) != 0) {
            continue;
        }
        double least = 1e18;
        for (int i = 0; i < (argc > 1 ? 10 : ROUNDS); i++) {
            double begin = now();
            if (measured(&w, op) != CW_OK) {
                return 1;
            }
            double took = now() - begin;
            least = took < least ? took : least;
        }
        printf("%s %.0f\n", operations[op], least);
    }
    return 0;
}
