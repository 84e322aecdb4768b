/* SPDX-License-Identifier: MIT */
/* Random messages: printed as a plain printer prints them, from any block, and parsed back equal.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json_support.h"
#include "plain_json.h"
#include "random_message.h"

/* A random message of the i-th type. */
static void *random_of(size_t i, uint64_t seed, cw_arena *a)
{
    test_random r = {.state = seed * 1000 + i, .most = 3, .empty = (unsigned)(seed % 7)};
    void *m = json_new(json_types[i].type, a);
    test_random_fill(json_types[i].type, m, a, &r, 3);
    return m;
}

static cw_json_print_options options_of(unsigned bits)
{
    return (cw_json_print_options){.proto_names = bits & 1,
                                   .enums_as_numbers = bits & 2,
                                   .int64_as_numbers = bits & 4,
                                   .print_defaults = bits & 8};
}

static void prints_as_the_plain_printer(void **state)
{
    (void)state;
    for (size_t i = 0; i < json_type_count; i++) {
        const cw_type *t = json_types[i].type;
        for (uint64_t seed = 0; seed < 48; seed++) {
            cw_arena a;
            cw_arena_init(&a, NULL);
            void *m = random_of(i, seed, &a);
            cw_json_print_options o = options_of((unsigned)seed & 15);
            size_t len;
            char *plain = test_plain_json(t, m, &o, &len);
            cw_str out;
            assert_int_equal(t->to_json(m, &a, &o, &out, NULL), CW_OK);
            assert_int_equal(out.len, len);
            assert_string_equal(out.data, plain);
            free(plain);
            cw_arena_free(&a);
        }
    }
}

static void parses_back_equal(void **state)
{
    (void)state;
    for (size_t i = 0; i < json_type_count; i++) {
        const cw_type *t = json_types[i].type;
        for (uint64_t seed = 100; seed < 164; seed++) {
            cw_arena a;
            cw_arena_init(&a, NULL);
            void *m = random_of(i, seed, &a);
            cw_json_print_options o = options_of((unsigned)seed & 15);
            o.indent = seed & 16 ? 2 : 0;
            cw_json_parse_options parse = {.alias = seed & 32};
            cw_str out;
            cw_error e;
            assert_int_equal(t->to_json(m, &a, &o, &out, &e), CW_OK);
            void *again = json_new(t, &a);
            cw_status st = t->from_json(again, out.data, out.len, &a, &parse, &e);
            if (st != CW_OK) {
                fail_msg("%s, seed %d: %s at %zu: %s\n%s", t->full_name, (int)seed,
                         cw_status_name(st), e.offset, e.path, out.data);
            }
            if (!t->equal(m, again)) {
                fail_msg("%s, seed %d: not equal: %s\nis now %s", t->full_name, (int)seed, out.data,
                         json_text(t, again, &a).data);
            }
            cw_arena_free(&a);
        }
    }
}

/*
 * The promise of T__print: it never needs room that it did not ask for, and leaves 16 bytes. Text
 * that ran past w->end would stay there to the end (all room would then seem to be there), so it is
 * enough to look at the end, for a first block that is full after every byte of the text.
 */
static void leaves_room_wherever_the_block_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < json_type_count; i++) {
        const cw_type *t = json_types[i].type;
        for (unsigned bits = 0; bits < 16; bits += 5) {
            cw_arena a;
            cw_arena_init(&a, NULL);
            void *m = random_of(i, 200 + bits, &a);
            cw_json_print_options o = options_of(bits);
            size_t len;
            char *plain = test_plain_json(t, m, &o, &len);
            for (size_t size = 0; size < len + 40 && size < 6000; size += 1 + size / 1500) {
                cw_arena text;
                cw_arena_init(&text, NULL);
                cw__json_writer w;
                int depth = 0;
                assert_non_null(cw__json_write_begin(&w, &text, &o, &depth, NULL));
                char *block = malloc(size + CW__JSON_SLACK);
                assert_non_null(block);
                w.begin = block;
                w.end = block + size;
                char *p = json_types[i].print(m, &w, w.begin, depth);
                assert_non_null(p);
                assert_true(w.end - p >= 16);
                assert_int_equal((size_t)(p - w.begin), len);
                assert_memory_equal(w.begin, plain, len);
                free(block);
                cw_arena_free(&text);
            }
            free(plain);
            cw_arena_free(&a);
        }
    }
}

/* The same through the public function: a caller's block of every size. */
static void prints_from_blocks_of_all_sizes(void **state)
{
    (void)state;
    for (size_t i = 0; i < json_type_count; i++) {
        const cw_type *t = json_types[i].type;
        cw_arena a;
        cw_arena_init(&a, NULL);
        void *m = random_of(i, 300, &a);
        size_t len;
        char *plain = test_plain_json(t, m, NULL, &len);
        for (size_t size = 0; size < len + 200 && size < 4000; size += 1 + size / 500) {
            for (int fixed = 0; fixed < 2; fixed++) {
                char *block = malloc(size ? size : 1);
                assert_non_null(block);
                cw_arena text;
                cw_arena_init(&text, &(cw_arena_options){.block = block,
                                                         .block_size = size,
                                                         .first_block = 64 + size,
                                                         .no_alloc = fixed == 1});
                cw_str out = {"untouched", 9};
                cw_error e = {.status = CW_OK};
                cw_status st = t->to_json(m, &text, NULL, &out, &e);
                if (st == CW_OK) {
                    assert_int_equal(out.len, len);
                    assert_memory_equal(out.data, plain, len + 1);
                } else {
                    assert_int_equal(fixed, 1);
                    assert_int_equal(st, CW_ERR_LIMIT);
                    assert_int_equal(e.status, CW_ERR_LIMIT);
                    assert_string_equal(out.data, "untouched");
                    assert_true(size < len + 1200);
                }
                cw_arena_free(&text);
                free(block);
            }
        }
        free(plain);
        cw_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_as_the_plain_printer),
        cmocka_unit_test(parses_back_equal),
        cmocka_unit_test(leaves_room_wherever_the_block_ends),
        cmocka_unit_test(prints_from_blocks_of_all_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
