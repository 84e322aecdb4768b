/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data_order.h"
#include "entry.h"
#include "suite.h"

/*
 * Contenders that cheat, each in its own way, and the check that must catch it. All are cwire with
 * something left out.
 */

typedef struct cheat {
    bench_cwire_state base;
    shop_Batch batch;
    uint8_t buffer[256];
    size_t len;
    unsigned calls;
} cheat;

static cheat *open_cheat(const bench_payload *p)
{
    cheat *c = calloc(1, sizeof *c);
    assert_non_null(c);
    bench_cwire_state_init(&c->base, p);
    return c;
}

static void close_cheat(cheat *c)
{
    bench_cwire_state_free(&c->base);
    free(c);
}

static cw_bytes write_honest(void *state, const void *message)
{
    cheat *c = state;
    c->calls++;
    assert_int_equal(shop_Batch_encode(message, c->buffer, sizeof c->buffer, &c->len, NULL), CW_OK);
    return cw_bytes_of(c->buffer, c->len);
}

/* Encodes the first time only. */
static cw_bytes write_once(void *state, const void *message)
{
    cheat *c = state;
    return c->calls ? cw_bytes_of(c->buffer, c->len) : write_honest(state, message);
}

/* Honest while it is verified, lazy when it is timed. */
static cw_bytes write_lazily(void *state, const void *message)
{
    cheat *c = state;
    return c->calls >= 20 ? cw_bytes_of(c->buffer, c->len) : write_honest(state, message);
}

static cw_bytes write_less(void *state, const void *message)
{
    write_honest(state, message);
    cheat *c = state;
    return cw_bytes_of(c->buffer, c->len - 1);
}

/* One wrong byte, far from what changes, from the 20th call on. */
static cw_bytes write_wrong_byte(void *state, const void *message)
{
    write_honest(state, message);
    cheat *c = state;
    c->buffer[c->len - 3] ^= c->calls >= 20;
    return cw_bytes_of(c->buffer, c->len);
}

static cw_bytes write_nothing(void *state, const void *message)
{
    (void)state;
    (void)message;
    return cw_bytes_of(NULL, 0);
}

static const void *read_honest(void *state, cw_bytes input)
{
    cheat *c = state;
    c->calls++;
    cw_arena_reset(&c->base.arena);
    cw_status st = shop_Batch_decode(&c->batch, input.data, input.len, &c->base.arena, NULL, NULL);
    assert_int_equal(st, CW_OK);
    return &c->batch;
}

static const void *read_once(void *state, cw_bytes input)
{
    cheat *c = state;
    return c->calls ? &c->batch : read_honest(state, input);
}

static const void *read_lazily(void *state, cw_bytes input)
{
    cheat *c = state;
    return c->calls >= 20 ? &c->batch : read_honest(state, input);
}

/* Leaves out the last item's price. */
static const void *read_less(void *state, cw_bytes input)
{
    cheat *c = state;
    read_honest(state, input);
    if (c->calls >= 20) {
        c->batch.orders.data[0].items.data[3].unit_cents = 0;
    }
    return &c->batch;
}

static const void *read_nothing(void *state, cw_bytes input)
{
    (void)state;
    (void)input;
    return NULL;
}

typedef struct cheat_case {
    int line;
    bench_op op;
    bool verifies; /* passes the check before timing */
    bool runs;     /* passes the timed run */
} cheat_case;

static const cheat_case cases[] = {
    {__LINE__, {"honest", BENCH_BINARY, write_honest, NULL, NULL}, true, true},
    {__LINE__, {"once", BENCH_BINARY, write_once, NULL, NULL}, false, false},
    {__LINE__, {"lazily", BENCH_BINARY, write_lazily, NULL, NULL}, true, false},
    {__LINE__, {"less", BENCH_BINARY, write_less, NULL, NULL}, false, false},
    {__LINE__, {"wrong", BENCH_BINARY, write_wrong_byte, NULL, NULL}, true, false},
    {__LINE__, {"nothing", BENCH_BINARY, write_nothing, NULL, NULL}, false, false},
    {__LINE__, {"honest", BENCH_BINARY, NULL, read_honest, NULL}, true, true},
    {__LINE__, {"once", BENCH_BINARY, NULL, read_once, NULL}, false, false},
    {__LINE__, {"lazily", BENCH_BINARY, NULL, read_lazily, NULL}, true, false},
    {__LINE__, {"less", BENCH_BINARY, NULL, read_less, NULL}, true, false},
    {__LINE__, {"nothing", BENCH_BINARY, NULL, read_nothing, NULL}, false, false},
};

static const bench_contender cheater = {
    .name = "cheat",
    .source = bench_cwire_source,
    .probe = bench_cwire_probe,
    .matches = bench_cwire_matches,
};

static void cheats_are_caught(void **state)
{
    (void)state;
    bench_payload *p = bench_payload_orders("one", 1, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_entry e;
        uint64_t ns;
        cheat *c = open_cheat(p);
        assert_null(bench_entry_open(&e, p, &cheater, &cases[i].op, c));
        bool verifies = bench_entry_verify(&e) == NULL;
        bool runs = bench_entry_run(&e, 100, 5, &ns) == NULL;
        if (verifies != cases[i].verifies || runs != cases[i].runs) {
            fail_msg("line %d: verifies %d, runs %d", cases[i].line, verifies, runs);
        }
        bench_entry_close(&e);
        close_cheat(c);
    }
    bench_payload_free(p);
}

/* 1 to 40 iterations from any start: the running value is right whatever the phase. */
static void any_number_of_iterations(void **state)
{
    (void)state;
    bench_payload *p = bench_payload_orders("one", 1, 1);
    for (int reads = 0; reads < 2; reads++) {
        bench_entry e;
        cheat *c = open_cheat(p);
        assert_null(bench_entry_open(&e, p, &cheater, reads ? &cases[6].op : &cases[0].op, c));
        assert_null(bench_entry_verify(&e));
        for (uint64_t count = 1; count <= 40; count++) {
            uint64_t ns;
            assert_null(bench_entry_run(&e, count, count * 13, &ns));
        }
        assert_int_equal(bench_entry_bytes(&e), 113);
        bench_entry_close(&e);
        close_cheat(c);
    }
    bench_payload_free(p);
}

/* A printer with characters of its own is taken at its word only when the text reads back equal. */
static cw_bytes print_indented(void *state, const void *message)
{
    cheat *c = state;
    cw_str text;
    cw_json_print_options options = bench_print_options;
    options.indent = 2;
    c->calls++;
    cw_arena_reset(&c->base.arena);
    assert_int_equal(shop_Batch_to_json(message, &c->base.arena, &options, &text, NULL), CW_OK);
    return cw_bytes_of(text.data, text.len);
}

static cw_bytes print_other_order(void *state, const void *message)
{
    (void)state;
    (void)message;
    static const char text[] = "{\"orders\":[{\"id\":918273645001}]}";
    return cw_bytes_of(text, sizeof text - 1);
}

static void own_text_must_read_back(void **state)
{
    (void)state;
    static const bench_op indented = {"indented", BENCH_TEXT, print_indented, NULL, NULL};
    static const bench_op other = {"other", BENCH_TEXT, print_other_order, NULL, NULL};
    bench_payload *p = bench_payload_orders("one", 1, 1);
    bench_contender strict = cheater, lenient = cheater;
    bench_entry e;
    uint64_t ns;
    lenient.own_text = true;
    cheat *c = open_cheat(p);

    assert_null(bench_entry_open(&e, p, &strict, &indented, c));
    assert_non_null(bench_entry_verify(&e));
    bench_entry_close(&e);

    assert_null(bench_entry_open(&e, p, &lenient, &indented, c));
    assert_null(bench_entry_verify(&e));
    assert_true(e.owns_output);
    assert_true(bench_entry_bytes(&e) > 327);
    assert_null(bench_entry_run(&e, 50, 0, &ns));
    bench_entry_close(&e);

    assert_null(bench_entry_open(&e, p, &lenient, &other, c));
    assert_non_null(bench_entry_verify(&e));
    bench_entry_close(&e);
    close_cheat(c);
    bench_payload_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cheats_are_caught),
        cmocka_unit_test(any_number_of_iterations),
        cmocka_unit_test(own_text_must_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
