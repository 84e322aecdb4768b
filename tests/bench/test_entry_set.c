/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data.h"
#include "entry.h"
#include "order.cw.h"

enum { N = 100 };

/* Contenders that cheat with a set: cwire with something left out. */
typedef struct cheat {
    bench_cwire_state base;
    shop_Order order;
    uint8_t buffer[2048];
    size_t len;
    unsigned calls;
    const void *messages[N + 1]; /* the order in which they came, from the start of a run */
} cheat;

static bench_payload *make_set(unsigned repeats)
{
    cw_arena a = {0};
    shop_Order orders[N];
    for (uint32_t i = 0; i < N; i++) {
        assert_true(bench_data_order_shape(&orders[i], &a, i));
    }
    bench_payload *p = bench_payload_make_set("set", &shop_Order_type, orders, N, repeats);
    cw_arena_free(&a);
    return p;
}

static cw_bytes write_honest(void *state, const void *message)
{
    cheat *c = state;
    c->messages[c->calls++ % (N + 1)] = message;
    assert_int_equal(shop_Order_encode(message, c->buffer, sizeof c->buffer, &c->len, NULL), CW_OK);
    return cw_bytes_of(c->buffer, c->len);
}

/* Honest while it is verified, then always the same message. */
static cw_bytes write_lazily(void *state, const void *message)
{
    cheat *c = state;
    return c->calls >= 2 * N ? cw_bytes_of(c->buffer, c->len) : write_honest(state, message);
}

/* The messages in their own order, whatever is asked for. */
static cw_bytes write_in_order(void *state, const void *message)
{
    cheat *c = state;
    (void)message;
    return write_honest(state, c->base.payload->messages[c->calls % N]);
}

/* One wrong byte in one of the messages, once it is verified. */
static cw_bytes write_wrong_byte(void *state, const void *message)
{
    cheat *c = state;
    write_honest(state, message);
    c->buffer[0] ^= c->calls > N && message == c->base.payload->messages[7];
    return cw_bytes_of(c->buffer, c->len);
}

static const void *read_honest(void *state, cw_bytes input)
{
    cheat *c = state;
    c->calls++;
    cw_arena_reset(&c->base.arena);
    assert_int_equal(
        shop_Order_decode(&c->order, input.data, input.len, &c->base.arena, NULL, NULL), CW_OK);
    return &c->order;
}

/* Honest while it is verified, then always the same message: one that has all fields, for a field
 * that is not there cannot be looked at (a crash ends the run, too). */
static const void *read_lazily(void *state, cw_bytes input)
{
    cheat *c = state;
    if (c->calls < N) {
        return read_honest(state, input);
    }
    if (c->calls++ == N) {
        c->order =
            (shop_Order){.id = 1, .customer = CW_STR_INIT("a"), .currency = CW_STR_INIT("b")};
        for (int i = 0; i < 12; i++) {
            shop_Order_add_items(&c->order, &c->base.arena)->sku = CW_STR("c");
        }
    }
    return &c->order;
}

/* Leaves out the last field, which is looked at now and then only. */
static const void *read_less(void *state, cw_bytes input)
{
    cheat *c = state;
    read_honest(state, input);
    if (c->calls > N && c->order.items.len > 0) {
        c->order.items.data[c->order.items.len - 1].unit_cents ^= 1;
    }
    return &c->order;
}

static const void *read_fails(void *state, cw_bytes input)
{
    cheat *c = state;
    read_honest(state, input);
    return c->calls > N + 50 ? NULL : &c->order;
}

typedef struct cheat_case {
    int line;
    bench_op op;
    bool verifies, runs;
} cheat_case;

static const cheat_case cases[] = {
    {__LINE__, {"honest", BENCH_BINARY, write_honest, NULL, NULL}, true, true},
    {__LINE__, {"lazily", BENCH_BINARY, write_lazily, NULL, NULL}, true, false},
    {__LINE__, {"in order", BENCH_BINARY, write_in_order, NULL, NULL}, true, false},
    {__LINE__, {"wrong", BENCH_BINARY, write_wrong_byte, NULL, NULL}, true, false},
    {__LINE__, {"honest", BENCH_BINARY, NULL, read_honest, NULL}, true, true},
    {__LINE__, {"lazily", BENCH_BINARY, NULL, read_lazily, NULL}, true, false},
    {__LINE__, {"less", BENCH_BINARY, NULL, read_less, NULL}, true, false},
    {__LINE__, {"fails", BENCH_BINARY, NULL, read_fails, NULL}, true, false},
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
    for (unsigned repeats = 1; repeats <= 4; repeats += 3) {
        bench_payload *p = make_set(repeats);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            bench_entry e;
            uint64_t ns;
            cheat *c = calloc(1, sizeof *c);
            assert_non_null(c);
            bench_cwire_state_init(&c->base, p);
            assert_null(bench_entry_open(&e, p, &cheater, &cases[i].op, c));
            bool verifies = bench_entry_verify(&e) == NULL;
            bool runs = bench_entry_run(&e, 100 * N, 5, &ns) == NULL;
            if (verifies != cases[i].verifies || runs != cases[i].runs) {
                fail_msg("line %d: verifies %d, runs %d", cases[i].line, verifies, runs);
            }
            bench_entry_close(&e);
            bench_cwire_state_free(&c->base);
            free(c);
        }
        bench_payload_free(p);
    }
}

/* Over the end of the prepared order, and any number of iterations. */
static void any_number_of_iterations(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 7, 99, 100, 101, 65599, 65600, 65601, 140001};
    bench_payload *p = make_set(3);
    for (size_t reads = 0; reads < 2; reads++) {
        bench_entry e;
        uint64_t ns;
        cheat *c = calloc(1, sizeof *c);
        assert_non_null(c);
        bench_cwire_state_init(&c->base, p);
        assert_null(bench_entry_open(&e, p, &cheater, &cases[4 * reads].op, c));
        assert_int_equal(bench_entry_pass(&e), 3 * N);
        assert_null(bench_entry_verify(&e));
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            assert_null(bench_entry_run(&e, counts[i], i, &ns));
        }
        assert_int_equal(bench_entry_bytes(&e), p->total[BENCH_BINARY] / N);
        bench_entry_close(&e);
        bench_cwire_state_free(&c->base);
        free(c);
    }
    bench_payload_free(p);
}

static size_t index_of(const bench_payload *p, const void *message)
{
    size_t i = 0;
    while (i < N && p->messages[i] != message) {
        i++;
    }
    return i;
}

/* The order of one run of one pass. */
static void order_of(bench_entry *e, cheat *c, uint64_t start, size_t *out)
{
    uint64_t ns;
    c->calls = 0;
    assert_null(bench_entry_run(e, N, start, &ns));
    for (size_t i = 0; i < N; i++) {
        out[i] = index_of(e->payload, c->messages[i]);
    }
}

/* Each message once, shuffled; the same for the same start, another for another one. */
static void a_pass_takes_all_messages(void **state)
{
    (void)state;
    bench_payload *p = make_set(1);
    bench_entry e;
    size_t first[N], again[N], other[N], in_place = 0;
    unsigned seen[N + 1] = {0};
    cheat *c = calloc(1, sizeof *c);
    assert_non_null(c);
    bench_cwire_state_init(&c->base, p);
    assert_null(bench_entry_open(&e, p, &cheater, &cases[0].op, c));
    assert_null(bench_entry_verify(&e));
    order_of(&e, c, 1, first);
    order_of(&e, c, 1, again);
    order_of(&e, c, 2, other);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
    for (size_t i = 0; i < N; i++) {
        seen[first[i]]++;
        in_place += first[i] == i;
    }
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(seen[i], 1);
    }
    assert_in_range(in_place, 0, 8);
    /* The next pass is another order. */
    size_t same = 0;
    for (size_t i = 0; i < N; i++) {
        same += e.picks[i].message == e.picks[N + i].message;
    }
    assert_in_range(same, 0, 8);
    bench_entry_close(&e);
    bench_cwire_state_free(&c->base);
    free(c);
    bench_payload_free(p);
}

/* Every contender, on messages that it made from the set's. */
static void every_contender(void **state)
{
    (void)state;
    bench_payload *p = make_set(2);
    assert_int_equal(p->n_states, N);
    for (size_t i = 0; bench_contenders[i] != NULL; i++) {
        const bench_contender *c = bench_contenders[i];
        if (c->refuses != NULL && c->refuses(p) != NULL) {
            continue;
        }
        void *s = c->setup(p);
        for (size_t j = 0; j < c->n_ops; j++) {
            bench_entry e;
            uint64_t ns;
            const char *wrong = bench_entry_open(&e, p, c, &c->ops[j], s);
            wrong = wrong != NULL ? wrong : bench_entry_verify(&e);
            wrong = wrong != NULL ? wrong : bench_entry_run(&e, 2 * N, 3, &ns);
            if (wrong != NULL) {
                fail_msg("%s/%s: %s", c->name, c->ops[j].name, wrong);
            }
            bench_entry_close(&e);
        }
        c->teardown(s);
    }
    bench_payload_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cheats_are_caught),
        cmocka_unit_test(any_number_of_iterations),
        cmocka_unit_test(a_pass_takes_all_messages),
        cmocka_unit_test(every_contender),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
