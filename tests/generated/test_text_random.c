/* SPDX-License-Identifier: MIT */
/*
 * Random messages of every type of the test schemas: printed, parsed and equal; in binary the same
 * bytes; with all options of the printer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json.cw.h"
#include "json_any.cw.h"
#include "json_names.cw.h"
#include "json_proto2.cw.h"
#include "json_wkt.cw.h"
#include "names.cw.h"
#include "order.cw.h"
#include "random_message.h"
#include "text.cw.h"
#include "text_support.h"
#include "wide.cw.h"
#include "wire.cw.h"
#include "wire2.cw.h"

enum { SEEDS = 24 };

static const cw_file *const files[] = {
    &json_file,  &json_any_file, &json_names_file, &json_proto2_file, &json_wkt_file, &names_file,
    &order_file, &text_file,     &wide_file,       &wire_file,        &wire2_file,
};

static void same(const cw_type *t, const void *m, cw_str text, cw_arena *a)
{
    cw_error e;
    cw_bytes x, y;
    const cw_text_parse_options o = {.allow_partial = true};
    void *again = text_new(t, a);
    cw_status st = text_parse(t, again, text.data, text.len, a, &o, &e);
    if (st != CW_OK) {
        fail_msg("%s: %s at %s, %zu:%zu of\n%s", t->full_name, cw_status_name(st), e.path, e.line,
                 e.column, text.data);
    }
    if (!t->equal(m, again)) {
        fail_msg("%s: not equal:\n%s", t->full_name, text.data);
    }
    if (t->encode_arena(m, a, &x, NULL) == CW_OK) {
        assert_int_equal(t->encode_arena(again, a, &y, NULL), CW_OK);
        assert_true(cw_bytes_equal(x, y));
    }
}

static void messages_are_the_same(void **state)
{
    (void)state;
    /* Random bytes in an Any are mostly none of its type's; they stay as they are. */
    static const cw_text_print_options options[] = {
        {.raw_any = true},
        {.raw_any = true, .single_line = true},
        {.raw_any = true, .unknown_fields = true, .indent = 1},
    };
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        for (uint32_t k = 0; k < files[f]->n_types; k++) {
            for (uint64_t seed = 0; seed < SEEDS; seed++) {
                const cw_type *t = files[f]->types[k];
                cw_arena a;
                cw_arena_init(&a, NULL);
                test_random r = {.state = seed * 7919 + k,
                                 .most = seed % 4 == 0 ? 6 : 2,
                                 .empty = (unsigned)(seed % 7)};
                void *m = text_new(t, &a);
                test_random_fill(t, m, &a, &r, (int)(seed % 4) + 1);
                same(t, m, text_of(t, m, &options[seed % 3], &a), &a);
                cw_arena_free(&a);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages_are_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
