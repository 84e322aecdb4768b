/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "article.cw.h"
#include "data.h"
#include "document.cw.h"
#include "order.cw.h"
#include "org.cw.h"
#include "payloads.h"
#include "shapes.cw.h"
#include "telemetry.cw.h"
#include "wide_record.cw.h"

#include <stdio.h>

typedef struct size_case {
    int line;
    const char *name;
    size_t binary, text;
} size_case;

/* Every byte of the data counts: figures of different days are of the same messages. */
static const size_case sizes[] = {
    {__LINE__, "one", 113, 327},
    {__LINE__, "many", 22823, 63141},
    {__LINE__, "document", 155, 448},
    {__LINE__, "sensor_x1", 76, 308},
    {__LINE__, "sensor_x100", 7568, 29409},
    {__LINE__, "sensor_x10000", 756940, 2938239},
    {__LINE__, "article_x1", 2089, 2141},
    {__LINE__, "article_x100", 207359, 211077},
    {__LINE__, "article_x100_dense", 207351, 211073},
    {__LINE__, "article_x10000", 20754700, 21124770},
    {__LINE__, "org", 20448, 41203},
    {__LINE__, "org_small", 9308, 18814},
    {__LINE__, "maps", 16046, 19051},
    {__LINE__, "wide", 121, 328},
    {__LINE__, "varints", 12116, 29089},
    {__LINE__, "packed_int32", 32102, 62700},
    {__LINE__, "packed_int64", 52627, 109748},
    {__LINE__, "packed_double", 80004, 181127},
    {__LINE__, "packed_bool", 10013, 55014},
    {__LINE__, "orders_hot", 114599, 281414},
    {__LINE__, "orders_shuffled", 114599, 281414},
};

static void sizes_are_what_they_were(void **state)
{
    (void)state;
    assert_int_equal(sizeof sizes / sizeof sizes[0], bench_named_count);
    for (size_t i = 0; i < bench_named_count; i++) {
        size_t binary, text;
        const bench_named *named = bench_named_find(sizes[i].name);
        assert_non_null(named);
        bench_named_measure(named, &binary, &text);
        if (binary != sizes[i].binary || text != sizes[i].text) {
            fail_msg("line %d: %s: %zu, %zu", sizes[i].line, sizes[i].name, binary, text);
        }
        bench_named_check(named); /* the table says the same, or this dies */
    }
}

static void a_document_is_as_published(void **state)
{
    (void)state;
    cw_arena a = {0};
    document_Document d;
    assert_true(bench_data_document(&d, &a, 8));
    assert_int_equal(document_Document_size(&d), 155);
    assert_int_equal(d.items.len, 8);
    assert_int_equal(d.id.len + d.meta->region.len, 17);
    assert_in_range(d.status, 1, 9);
    assert_in_range(d.meta->version, 1, 9);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(d.items.data[i].sku.len, 7);
        assert_in_range(d.items.data[i].qty, 10, 99);
        assert_in_range(d.items.data[i].price_minor, 1000, 9999);
    }
    cw_arena_free(&a);
}

/* How many digits the double needs to be read back as itself. */
static int count_digits(double v)
{
    char text[40];
    int n = 0;
    do {
        n++;
        snprintf(text, sizeof text, "%.*g", n, v);
    } while (strtod(text, NULL) < v || strtod(text, NULL) > v);
    return n;
}

static void sensors_have_all_their_digits(void **state)
{
    (void)state;
    cw_arena a = {0};
    telemetry_Readings r;
    assert_true(bench_data_telemetry(&r, &a, 1000));
    assert_int_equal(r.sensors.len, 1000);
    size_t bytes = telemetry_Readings_size(&r) / 1000;
    assert_in_range(bytes, 73, 77); /* two of them belong to the list */
    unsigned by_digits[18] = {0};
    for (size_t i = 0; i < 1000; i++) {
        const telemetry_Sensor *s = &r.sensors.data[i];
        const double all[] = {s->temperature_celsius, s->relative_humidity, s->pressure_hpa,
                              s->latitude, s->longitude};
        for (size_t j = 0; j < 5; j++) {
            by_digits[count_digits(all[j])]++;
        }
    }
    assert_true(by_digits[15] > 0 && by_digits[16] > 1000 && by_digits[17] > 500);
    /* A few are shorter by chance. */
    assert_true(by_digits[15] + by_digits[16] + by_digits[17] >= 4950);
    cw_arena_free(&a);
}

static size_t count_two_byte(cw_str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        n += ((uint8_t)text.data[i] & 0xE0) == 0xC0;
        assert_true((uint8_t)text.data[i] >= 0x20);
        assert_true(text.data[i] != '"' && text.data[i] != '\\');
    }
    return n;
}

static void articles_are_prose(void **state)
{
    (void)state;
    for (int dense = 0; dense < 2; dense++) {
        cw_arena a = {0};
        article_Articles all;
        size_t bytes = 0, two = 0;
        assert_true(dense ? bench_data_article_dense(&all, &a, 50)
                          : bench_data_article(&all, &a, 50));
        assert_int_equal(all.articles.len, 50);
        for (size_t i = 0; i < 50; i++) {
            const article_Article *one = &all.articles.data[i];
            assert_in_range(one->body.len, 1900, 2060);
            assert_in_range(one->tags.len, 2, 4);
            assert_true(one->title.len > 0 && one->author.len > 0);
            bytes += one->body.len;
            two += count_two_byte(one->body);
            assert_int_equal(article_Article_check(one, NULL), CW_OK);
        }
        assert_in_range(bytes / two, dense ? 27 : 185, dense ? 33 : 215);
        cw_arena_free(&a);
    }
}

static size_t count_nodes(const org_OrgNode *node, unsigned *levels)
{
    size_t n = 1;
    unsigned deepest = 0;
    for (size_t i = 0; i < node->reports.len; i++) {
        unsigned below;
        n += count_nodes(&node->reports.data[i], &below);
        deepest = below > deepest ? below : deepest;
    }
    *levels = deepest + 1;
    return n;
}

static void an_organisation_is_deep(void **state)
{
    (void)state;
    cw_arena a = {0};
    org_OrgNode top;
    org_Orgs small;
    unsigned levels;
    assert_true(bench_data_org(&top, &a, 1000));
    assert_in_range(count_nodes(&top, &levels), 900, 1100);
    assert_int_equal(levels, 6);
    assert_true(bench_data_org_small(&small, &a, 100));
    assert_int_equal(small.roots.len, 100);
    for (size_t i = 0; i < 100; i++) {
        assert_in_range(count_nodes(&small.roots.data[i], &levels), 2, 13);
        assert_in_range(levels, 2, 3);
    }
    cw_arena_free(&a);
}

static void maps_and_varints(void **state)
{
    (void)state;
    cw_arena a = {0};
    shapes_Maps maps;
    shapes_Varints varints;
    assert_true(bench_data_maps(&maps, &a, 200));
    assert_int_equal(maps.counters.len, 200);
    assert_int_equal(maps.labels.len, 200);
    assert_int_equal(maps.points.len, 200);
    assert_true(bench_data_varints(&varints, &a, 100));
    assert_int_equal(varints.rows.len, 100);
    assert_int_equal(varints.mixed.len, 1000);
    for (size_t i = 0; i < 100; i++) {
        /* 1 to 10 bytes and a tag of one byte each: 55 + 10 */
        assert_int_equal(shapes_VarintRow_size(&varints.rows.data[i]), 65);
    }
    cw_arena_free(&a);
}

static void packed_lists(void **state)
{
    (void)state;
    cw_arena a = {0};
    shapes_Packed p;
    assert_true(bench_data_packed_int32(&p, &a, 10000));
    assert_int_equal(p.ints.len, 10000);
    assert_true(bench_data_packed_int64(&p, &a, 10000));
    assert_int_equal(p.longs.len, 10000);
    assert_true(bench_data_packed_double(&p, &a, 10000));
    assert_int_equal(p.doubles.len, 10000);
    assert_true(bench_data_packed_bool(&p, &a, 10000));
    assert_int_equal(p.flags.len, 10000);
    size_t set = 0;
    for (size_t i = 0; i < p.flags.len; i++) {
        set += p.flags.data[i];
    }
    assert_in_range(set, 4500, 5500);
    cw_arena_free(&a);
}

static void few_wide_fields(void **state)
{
    (void)state;
    cw_arena a = {0};
    wide_Record record;
    unsigned present = 0;
    assert_true(bench_data_wide(&record, &a, 1));
    bench_leaves leaves = bench_leaves_of(&wide_Record_type, &record);
    for (size_t i = 0; i < leaves.len; i++) {
        present += i == 0 || leaves.data[i].steps[0].number != leaves.data[i - 1].steps[0].number;
    }
    assert_in_range(present, 10, 16);
    assert_true(wide_Record_type.n_fields == 150);
    bench_leaves_free(&leaves);
    cw_arena_free(&a);
}

/* All that a branch could guess happens, and what could be missing is missing sometimes. */
static void orders_differ_in_shape(void **state)
{
    (void)state;
    unsigned items[13] = {0}, missing[5] = {0}, other_letters = 0, lengths = 0;
    bool seen[64] = {false};
    for (uint32_t i = 0; i < 1000; i++) {
        cw_arena a = {0};
        shop_Order order;
        assert_true(bench_data_order_shape(&order, &a, i));
        assert_true(order.id > 0 && order.id < UINT64_C(1) << 53);
        assert_in_range(order.items.len, 0, 12);
        assert_int_equal(shop_Order_check(&order, NULL), CW_OK);
        items[order.items.len]++;
        missing[0] += order.customer.len == 0;
        missing[1] += order.currency.len == 0;
        missing[2] += order.total_cents == 0;
        missing[3] += order.created_at == 0;
        missing[4] += order.status == 0;
        lengths += !seen[order.customer.len];
        seen[order.customer.len] = true;
        for (size_t j = 0; j < order.customer.len; j++) {
            other_letters += (uint8_t)order.customer.data[j] == 0xC3;
        }
        cw_arena_free(&a);
    }
    for (size_t i = 0; i < 13; i++) {
        assert_in_range(items[i], 10, 300);
    }
    for (size_t i = 0; i < 5; i++) {
        assert_in_range(missing[i], 100, 400);
    }
    assert_int_equal(lengths, 49); /* 0 to 48 */
    assert_in_range(other_letters, 10, 100);
}

static void running_out_of_memory_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < bench_named_count; i++) {
        const bench_named *named = &bench_named_payloads[i];
        uint64_t block[8];
        cw_arena arena;
        void *message = calloc(1, named->type->struct_size);
        assert_non_null(message);
        cw_arena_init(&arena, &(cw_arena_options){
                                  .block = block, .block_size = sizeof block, .no_alloc = true});
        /* Number 1 of the set has items, number 0 need not. */
        assert_false(named->build(message, &arena, named->repeats > 0 ? 1 : named->n));
        free(message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_what_they_were),
        cmocka_unit_test(a_document_is_as_published),
        cmocka_unit_test(sensors_have_all_their_digits),
        cmocka_unit_test(articles_are_prose),
        cmocka_unit_test(an_organisation_is_deep),
        cmocka_unit_test(maps_and_varints),
        cmocka_unit_test(packed_lists),
        cmocka_unit_test(few_wide_fields),
        cmocka_unit_test(orders_differ_in_shape),
        cmocka_unit_test(running_out_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
