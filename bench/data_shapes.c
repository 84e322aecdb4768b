/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "data.h"
#include "random.h"
#include "shapes.cw.h"

/* 1 in 16 negative, all widths up to `bits`; never 0. */
static int64_t random_signed(uint64_t *random, unsigned bits)
{
    int64_t v = (int64_t)bench_random_bits(random, 1 + bench_random_below(random, bits));
    return bench_random_below(random, 16) == 0 ? -v : v;
}

static bool put_entries(shapes_Maps *maps, cw_arena *a, uint64_t *random, uint32_t i)
{
    static const char *const units[] = {"requests", "errors", "cache.hits", "bytes_out"};
    char key[48], label[80];
    cw_str kept_key, kept_label;
    unsigned number = (unsigned)(bench_random(random) >> 48);
    snprintf(key, sizeof key, "%s.%04x", units[bench_random_below(random, 4)], number);
    snprintf(label, sizeof label, "label %u of %s", (unsigned)i, key);
    if (!cw_arena_str(a, cw_str_from(key), &kept_key) ||
        !cw_arena_str(a, cw_str_from(label), &kept_label)) {
        return false;
    }
    int64_t *counter = shapes_Maps_counters_put(maps, kept_key, a);
    cw_str *text = shapes_Maps_labels_put(maps, 1 + i * 37, a);
    shapes_Point *point = shapes_Maps_points_put(maps, kept_key, a);
    if (counter == NULL || text == NULL || point == NULL) {
        return false;
    }
    *counter = random_signed(random, 40);
    *text = kept_label;
    point->x = (int32_t)random_signed(random, 20);
    point->y = (int32_t)random_signed(random, 20);
    return true;
}

bool bench_data_maps(void *maps, cw_arena *a, uint32_t n)
{
    uint64_t random = bench_seed(3);
    shapes_Maps_init(maps);
    for (uint32_t i = 0; i < n; i++) {
        if (!put_entries(maps, a, &random, i)) {
            return false;
        }
    }
    return true;
}

/* A value whose varint takes `bytes` bytes, 1 to 10. */
static uint64_t of_length(uint64_t *random, unsigned bytes)
{
    unsigned most = bytes == 10 ? 64 : 7 * bytes, least = 7 * (bytes - 1) + 1;
    return bench_random_bits(random, least + bench_random_below(random, most - least + 1));
}

bool bench_data_varints(void *message, cw_arena *a, uint32_t n)
{
    shapes_Varints *varints = message;
    uint64_t random = bench_seed(10);
    shapes_Varints_init(varints);
    for (uint32_t i = 0; i < n; i++) {
        shapes_VarintRow *row = shapes_Varints_add_rows(varints, a);
        if (row == NULL) {
            return false;
        }
        uint64_t *const at[] = {&row->n1, &row->n2, &row->n3, &row->n4, &row->n5,
                                &row->n6, &row->n7, &row->n8, &row->n9, &row->n10};
        for (unsigned j = 0; j < 10; j++) {
            *at[j] = of_length(&random, j + 1);
        }
    }
    for (uint32_t i = 0; i < 10 * n; i++) {
        uint64_t v = of_length(&random, 1 + bench_random_below(&random, 10));
        if (!shapes_Varints_add_mixed(varints, v, a)) {
            return false;
        }
    }
    return true;
}

bool bench_data_packed_int32(void *packed, cw_arena *a, uint32_t n)
{
    uint64_t random = bench_seed(32);
    bool ok = true;
    shapes_Packed_init(packed);
    for (uint32_t i = 0; i < n && ok; i++) {
        ok = shapes_Packed_add_ints(packed, (int32_t)random_signed(&random, 31), a);
    }
    return ok;
}

bool bench_data_packed_int64(void *packed, cw_arena *a, uint32_t n)
{
    uint64_t random = bench_seed(64);
    bool ok = true;
    shapes_Packed_init(packed);
    for (uint32_t i = 0; i < n && ok; i++) {
        ok = shapes_Packed_add_longs(packed, random_signed(&random, 63), a);
    }
    return ok;
}

bool bench_data_packed_double(void *packed, cw_arena *a, uint32_t n)
{
    uint64_t random = bench_seed(8);
    bool ok = true;
    shapes_Packed_init(packed);
    for (uint32_t i = 0; i < n && ok; i++) {
        ok = shapes_Packed_add_doubles(packed, bench_data_double(&random, 1000), a);
    }
    return ok;
}

bool bench_data_packed_bool(void *packed, cw_arena *a, uint32_t n)
{
    uint64_t random = bench_seed(1);
    bool ok = true;
    shapes_Packed_init(packed);
    for (int32_t i = 0; i < 4 && ok; i++) {
        ok = shapes_Packed_add_ints(packed, 1000 + i, a);
    }
    for (uint32_t i = 0; i < n && ok; i++) {
        ok = shapes_Packed_add_flags(packed, bench_random_below(&random, 2) != 0, a);
    }
    return ok;
}
