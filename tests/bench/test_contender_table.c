/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data_generic.h"
#include "entry.h"
#include "order.cw.h"
#include "schema_registry.h"

/* The table of contenders, on every message type of schemas/. */

static const bench_contender *find(const char *name)
{
    for (size_t i = 0; bench_contenders[i] != NULL; i++) {
        if (strcmp(bench_contenders[i]->name, name) == 0) {
            return bench_contenders[i];
        }
    }
    return NULL;
}

static bench_payload *make(const cw_type *type)
{
    cw_arena arena = {0};
    void *message = cw_arena_alloc(&arena, type->struct_size);
    assert_non_null(message);
    assert_true(bench_data_generic(type, message, &arena));
    bench_payload *p = bench_payload_make(type->full_name, type, message);
    cw_arena_free(&arena);
    return p;
}

static bench_payload *make_named(const char *full_name)
{
    cw_registry all = {bench_cw_files, bench_cw_file_count};
    const cw_type *type = cw_registry_find_type(&all, cw_str_from(full_name));
    assert_non_null(type);
    return make(type);
}

static void each_type(void (*check)(const bench_payload *p))
{
    for (size_t i = 0; i < bench_cw_file_count; i++) {
        for (uint32_t j = 0; j < bench_cw_files[i]->n_types; j++) {
            bench_payload *p = make(bench_cw_files[i]->types[j]);
            check(p);
            bench_payload_free(p);
        }
    }
}

static const char *refusal(const bench_contender *c, const bench_payload *p)
{
    return c->refuses != NULL ? c->refuses(p) : NULL;
}

/* All operations, every state, whole outputs; then the timed loops. */
static void check_ops(const bench_payload *p, const bench_contender *c)
{
    void *s = c->setup(p);
    for (size_t j = 0; j < c->n_ops; j++) {
        bench_entry e;
        uint64_t ns;
        const char *wrong = bench_entry_open(&e, p, c, &c->ops[j], s);
        wrong = wrong != NULL ? wrong : bench_entry_verify(&e);
        wrong = wrong != NULL ? wrong : bench_entry_run(&e, 33, 3, &ns);
        if (wrong != NULL) {
            fail_msg("%s/%s/%s: %s", p->name, c->name, c->ops[j].name, wrong);
        }
        assert_true(bench_entry_bytes(&e) > 0);
        bench_entry_close(&e);
    }
    c->teardown(s);
}

static void check_all(const bench_payload *p)
{
    for (size_t i = 0; bench_contenders[i] != NULL; i++) {
        const char *why = refusal(bench_contenders[i], p);
        if (why == NULL) {
            check_ops(p, bench_contenders[i]);
        } else {
            assert_true(strlen(why) > 10);
        }
    }
}

static void each_takes_part_or_says_why(void **state)
{
    (void)state;
    each_type(check_all);
}

static void rows_are_complete(void **state)
{
    (void)state;
    for (size_t i = 0; bench_contenders[i] != NULL; i++) {
        const bench_contender *c = bench_contenders[i];
        char version[64] = "";
        assert_ptr_equal(find(c->name), c); /* names are unique */
        assert_true(c->n_ops > 0);
        for (size_t j = 0; j < c->n_ops; j++) {
            assert_true((c->ops[j].write == NULL) != (c->ops[j].read == NULL));
            assert_true(c->ops[j].write == NULL || c->source != NULL);
        }
        /* The header names the library, with a version. */
        if (c->version != NULL) {
            assert_non_null(strpbrk(c->version(version, sizeof version), "0123456789"));
        }
    }
}

/* Which payload has a twin with which of the two contenders. */
static void twins_are_paired_by_type(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        bool unchecked, map_as_list;
    } cases[] = {
        {"shop.Batch", true, false},         {"shop.Order", true, false},
        {"shop.Item", true, false},          {"article.Articles", true, false},
        {"article.Article", true, false},    {"org.Orgs", true, false},
        {"org.OrgNode", true, false},        {"shapes.Maps", false, true},
        {"shapes.Packed", false, false},     {"telemetry.Sensor", false, false},
        {"document.Document", false, false}, {"twin.Maps", false, false},
    };
    const bench_contender *unchecked = find("cwire_unchecked");
    const bench_contender *map_as_list = find("cwire_map_as_list");
    assert_non_null(unchecked);
    assert_non_null(map_as_list);
    assert_true(unchecked->is_twin && map_as_list->is_twin);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_payload *p = make_named(cases[i].type);
        assert_int_equal(refusal(unchecked, p) == NULL, cases[i].unchecked);
        assert_int_equal(refusal(map_as_list, p) == NULL, cases[i].map_as_list);
        bench_payload_free(p);
    }
}

#if BENCH_HAVE_MSGPACK

static cw_bytes pack(const bench_contender *c, void *s, const void *message)
{
    for (size_t j = 0; j < c->n_ops; j++) {
        if (c->ops[j].write != NULL) {
            return c->ops[j].write(s, message);
        }
    }
    return cw_bytes_of(NULL, 0);
}

/* The bytes that MessagePack's specification gives for {"sku": "ab", "qty": 7, "unit_cents": 300}.
 */
static void msgpack_writes_maps_by_name(void **state)
{
    (void)state;
    static const char expected[] = "\x83\xa3sku\xa2"
                                   "ab\xa3qty\x07\xaaunit_cents\xcd\x01\x2c";
    const bench_contender *c = find("msgpack-c");
    shop_Item item = {.sku = CW_STR_INIT("ab"), .qty = 7, .unit_cents = 300};
    bench_payload *p = bench_payload_make("item", &shop_Item_type, &item);
    void *s = c->setup(p);
    cw_bytes packed = pack(c, s, &item);
    assert_int_equal(packed.len, sizeof expected - 1);
    assert_memory_equal(packed.data, expected, packed.len);
    item.sku = cw_str_of(NULL, 0); /* what is absent is not written */
    packed = pack(c, s, &item);
    assert_int_equal(packed.len, 1 + 5 + 14);
    assert_int_equal(packed.data[0], 0x82);
    c->teardown(s);
    bench_payload_free(p);
}

static void msgpack_check(const bench_payload *p)
{
    const bench_contender *c = find("msgpack-c");
    assert_null(refusal(c, p));
    check_ops(p, c);
}

/* Maps, lists and recursion there and back; what it does not take, it names. */
static void msgpack_takes_all_but_well_known_types(void **state)
{
    (void)state;
    each_type(msgpack_check);
    bench_payload *p = make_named("shop.Item");
    p->has_well_known = true;
    assert_non_null(strstr(refusal(find("msgpack-c"), p), "well-known"));
    bench_payload_free(p);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_takes_part_or_says_why),
        cmocka_unit_test(rows_are_complete),
        cmocka_unit_test(twins_are_paired_by_type),
#if BENCH_HAVE_MSGPACK
        cmocka_unit_test(msgpack_writes_maps_by_name),
        cmocka_unit_test(msgpack_takes_all_but_well_known_types),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
