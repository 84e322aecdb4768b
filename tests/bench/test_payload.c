/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data_order.h"
#include "payload.h"
#include "suite.h"

/* All states differ from each other in content and in nothing else. */
static void states_differ_but_not_in_length(void **state)
{
    (void)state;
    bench_payload *p = bench_payload_orders("many", 0, BENCH_MANY);
    assert_false(p->is_constant);
    assert_int_equal(p->n_sites, BENCH_SITES);
    assert_int_equal(p->n_states, BENCH_STATES);
    for (int form = BENCH_BINARY; form <= BENCH_TEXT; form++) {
        size_t len = form == BENCH_BINARY ? 22823 : 63141;
        for (unsigned a = 0; a < p->n_states; a++) {
            assert_int_equal(p->output[form][a].len, len);
            for (unsigned b = 0; b < a; b++) {
                assert_memory_not_equal(p->output[form][a].data, p->output[form][b].data, len);
            }
        }
    }
    bench_payload_free(p);
}

/* Patching the input bytes gives what encoding the patched message gives. */
static void patched_inputs_are_the_references(void **state)
{
    (void)state;
    bench_payload *p = bench_payload_orders("many", 0, BENCH_MANY);
    for (int form = BENCH_BINARY; form <= BENCH_TEXT; form++) {
        bench_patch_reset(p->patch[form], p->n_sites);
        for (unsigned turn = 0; turn < 2; turn++) { /* the states repeat */
            for (unsigned k = 0; k < p->n_states; k++) {
                bench_patch_apply(&p->patch[form][k % p->n_sites], k / p->n_sites);
                assert_int_equal(p->input[form].len, p->output[form][k].len);
                assert_memory_equal(p->input[form].data, p->output[form][k].data,
                                    p->input[form].len);
            }
        }
    }
    bench_payload_free(p);
}

static void patched_messages_are_the_references(void **state)
{
    (void)state;
    bench_payload *p = bench_payload_orders("one", 1, 1);
    cw_arena arena = {0};
    bench_patch_reset(p->in_message, p->n_sites);
    for (unsigned k = 0; k < p->n_states; k++) {
        cw_bytes binary;
        bench_patch_apply(&p->in_message[k % p->n_sites], k / p->n_sites);
        assert_int_equal(shop_Batch_encode_arena(p->message, &arena, &binary, NULL), CW_OK);
        assert_true(cw_bytes_equal(binary, p->output[BENCH_BINARY][k]));
    }
    cw_arena_free(&arena);
    bench_payload_free(p);
}

/* Another field of the order at each site: ids, totals, dates. */
static void sites_are_spread(void **state)
{
    (void)state;
    bench_payload *p = bench_payload_orders("many", 0, BENCH_MANY);
    for (unsigned i = 0; i < p->n_sites; i++) {
        assert_int_equal(p->sites[i].leaf.kind, CW_KIND_UINT64);
        for (unsigned j = 0; j < i; j++) {
            assert_true(p->sites[i].leaf.steps[0].index > p->sites[j].leaf.steps[0].index);
        }
    }
    assert_int_equal(p->sites[0].leaf.steps[1].number, 1); /* id */
    assert_int_equal(p->sites[1].leaf.steps[1].number, 4); /* total_cents */
    assert_int_equal(p->sites[2].leaf.steps[1].number, 5); /* created_at */
    bench_payload_free(p);
}

static void messages_without_integers_change_too(void **state)
{
    (void)state;
    shop_Order order = {.customer = CW_STR_INIT("acme"), .currency = CW_STR_INIT("\xc3\xa9")};
    bench_payload *p = bench_payload_make("text", &shop_Order_type, &order);
    assert_int_equal(p->n_sites, 1); /* not the accented letter's last byte */
    assert_int_equal(p->n_states, BENCH_VALUES);
    assert_int_equal(p->sites[0].leaf.steps[0].number, 2);
    assert_int_equal(p->output[BENCH_TEXT][0].len, p->output[BENCH_TEXT][3].len);
    bench_payload_free(p);
}

static void an_empty_message_is_constant(void **state)
{
    (void)state;
    shop_Order order = {0};
    bench_payload *p = bench_payload_make("empty", &shop_Order_type, &order);
    assert_true(p->is_constant);
    assert_int_equal(p->n_states, BENCH_VALUES);
    assert_int_equal(p->output[BENCH_BINARY][1].len, 0);
    assert_int_equal(p->output[BENCH_TEXT][1].len, 2);
    bench_payload_free(p);
}

static void flags(void **state)
{
    (void)state;
    shop_Order order = {.id = UINT64_C(1) << 53};
    bench_payload *p = bench_payload_make("narrow", &shop_Order_type, &order);
    assert_false(p->has_wide_integers);
    assert_false(p->has_floats);
    assert_false(p->has_well_known);
    bench_payload_free(p);
    order.id++;
    p = bench_payload_make("wide", &shop_Order_type, &order);
    assert_true(p->has_wide_integers);
    bench_payload_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_differ_but_not_in_length),
        cmocka_unit_test(patched_inputs_are_the_references),
        cmocka_unit_test(patched_messages_are_the_references),
        cmocka_unit_test(sites_are_spread),
        cmocka_unit_test(messages_without_integers_change_too),
        cmocka_unit_test(an_empty_message_is_constant),
        cmocka_unit_test(flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
