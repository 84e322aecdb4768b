/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

#include "payloads.h"

typedef struct visits {
    const char *label; /* only payloads whose name occurs in it; NULL: all */
    char names[2048];
} visits;

static bool wants(void *ctx, const char *payload)
{
    visits *v = ctx;
    /* What takes long to build is seen here, and not built. */
    size_t len = strlen(v->names);
    snprintf(v->names + len, sizeof v->names - len, "%s ", payload);
    return v->label != NULL && strstr(v->label, payload) != NULL;
}

static void visit(void *ctx, const bench_payload *p)
{
    visits *v = ctx;
    size_t len = strlen(v->names);
    snprintf(v->names + len, sizeof v->names - len, "[%s %zu] ", p->name, p->n_messages);
}

static void run(visits *v, bool full, const char *filter, const char *label)
{
    *v = (visits){.label = label};
    const bench_choice choice = {full, filter, wants, visit, v};
    bench_payloads_each(&choice);
}

static bool asked(const visits *v, const char *name)
{
    char word[64];
    snprintf(word, sizeof word, "%s ", name);
    const char *at = strstr(v->names, word);
    return at != NULL && (at == v->names || at[-1] == ' ');
}

static void a_plain_run(void **state)
{
    (void)state;
    static const char *const in[] = {"one",          "many", "document",   "sensor_x100",
                                     "article_x100", "org",  "orders_hot", "orders_shuffled"};
    static const char *const out[] = {"sensor_x1",     "sensor_x10000", "article_x100_dense",
                                      "maps",          "wide",          "packed_bool",
                                      "document.Item", "shop.Item",     "twin.Item",
                                      "org.Orgs",      "shapes.Point"};
    visits v;
    run(&v, false, NULL, NULL);
    for (size_t i = 0; i < sizeof in / sizeof in[0]; i++) {
        if (!asked(&v, in[i])) {
            fail_msg("%s is left out", in[i]);
        }
    }
    for (size_t i = 0; i < sizeof out / sizeof out[0]; i++) {
        if (asked(&v, out[i])) {
            fail_msg("%s is raced", out[i]);
        }
    }
}

static void a_full_run(void **state)
{
    (void)state;
    visits v;
    run(&v, true, NULL, NULL);
    for (size_t i = 0; i < bench_named_count; i++) {
        assert_true(asked(&v, bench_named_payloads[i].name));
    }
    assert_true(asked(&v, "document.Item"));
    assert_true(asked(&v, "twin.Order"));
    assert_true(asked(&v, "shapes.VarintRow"));
    assert_false(asked(&v, "shop.Batch")); /* has a name */
}

static void a_filter_brings_in_what_it_names(void **state)
{
    (void)state;
    visits v;
    run(&v, false, "sensor_x1/cwire", "sensor_x1");
    assert_non_null(strstr(v.names, "[sensor_x1 1]"));
    assert_false(asked(&v, "maps"));
    run(&v, false, "packed_", NULL);
    assert_true(asked(&v, "packed_int32") && asked(&v, "packed_bool"));
    run(&v, false, "/encode", NULL);
    assert_false(asked(&v, "maps"));
    run(&v, false, "twin.Item/", "twin.Item");
    assert_non_null(strstr(v.names, "[twin.Item 1]"));
}

static void filters(void **state)
{
    (void)state;
    assert_true(bench_filter_names("org_small", "org_small"));
    assert_true(bench_filter_names("org", "org_small"));
    assert_true(bench_filter_names("small/cwire/encode", "org_small"));
    assert_false(bench_filter_names("org_small", "org"));
    assert_false(bench_filter_names("/org", "org"));
    assert_false(bench_filter_names("", "org"));
    assert_false(bench_filter_names(NULL, "org"));
}

static void names_are_told_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < bench_named_count; i++) {
        const bench_named *named = &bench_named_payloads[i];
        assert_ptr_equal(bench_named_find(named->name), named);
    }
    assert_null(bench_named_find("two"));
}

static void a_large_payload_keeps_few_references(void **state)
{
    (void)state;
    bench_payload *p = bench_named_make(bench_named_find("sensor_x10000"));
    assert_true(p->is_large);
    assert_int_equal(p->n_sites, 2);
    assert_int_equal(p->n_states, 4);
    assert_null(p->output[BENCH_TEXT_GZIP][0].data);
    bench_patch_reset(p->patch[BENCH_TEXT], p->n_sites);
    for (unsigned k = 0; k < 2 * p->n_states; k++) {
        /* As a run counts: the second pair of values is the first again. */
        bench_patch_apply(&p->patch[BENCH_TEXT][k % 2], k / 2 % BENCH_VALUES);
        assert_true(cw_bytes_equal(p->input[BENCH_TEXT], p->output[BENCH_TEXT][k % 4]));
        assert_false(cw_bytes_equal(p->input[BENCH_TEXT], p->output[BENCH_TEXT][(k + 1) % 4]));
    }
    bench_payload_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_run),
        cmocka_unit_test(a_full_run),
        cmocka_unit_test(a_filter_brings_in_what_it_names),
        cmocka_unit_test(filters),
        cmocka_unit_test(names_are_told_apart),
        cmocka_unit_test(a_large_payload_keeps_few_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
