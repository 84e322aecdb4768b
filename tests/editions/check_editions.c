/* SPDX-License-Identifier: MIT */
/* What the features of box.proto (edition 2023) and tray.proto (2024) do to the wire and presence.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#include "box.cw.h"
#include "tray.cw.h"

/* Does m encode to these bytes? */
static void encodes_to(const cw_type *t, const void *m, const char *bytes, size_t len, int line)
{
    cw_arena a;
    cw_arena_init(&a, NULL);
    cw_bytes out;
    assert_int_equal(t->encode_arena(m, &a, &out, NULL), CW_OK);
    if (!cw_bytes_equal(out, cw_bytes_of(bytes, len))) {
        print_error("line %d: %zu bytes, first %02x\n", line, out.len, out.len ? out.data[0] : 0);
        fail();
    }
    cw_arena_free(&a);
}

#define ENCODES_TO(t, m, bytes) encodes_to(&t, m, bytes, sizeof bytes - 1, __LINE__)
#define DECODE(T, m, bytes, a)  T##_decode(m, bytes, sizeof bytes - 1, a, NULL, NULL)

static void presence(void **state)
{
    (void)state;
    ed2023_Box b = {0};
    b.implicit = 0;
    ed2023_Box_set_present(&b, 0);
    ENCODES_TO(ed2023_Box_type, &b, "\x08\x00");
    ed2023_Box_init(&b);
    assert_int_equal(b.with_default, -7);
    assert_false(b.has.with_default);

    ed2024_Tray t = {0};
    t.implicit = 0;
    ed2024_Tray_set_present(&t, 0);
    ENCODES_TO(ed2024_Tray_type, &t, "\x10\x00");

    ed2023_Must m = {0};
    cw_error e;
    assert_int_equal(ed2023_Must_check(&m, &e), CW_ERR_REQUIRED);
    assert_string_equal(e.path, "ed2023.Must.needed");
}

static void message_encoding(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    ed2023_Box b;
    assert_int_equal(DECODE(ed2023_Box, &b,
                            "\x23\x08\x05\x24\x5a\x02\x08\x06\x63\x64\x63\x08\x01\x64"
                            "\x73\x08\x07\x74",
                            &a),
                     CW_OK);
    assert_int_equal(b.delimited->x, 5);
    assert_int_equal(b.prefixed->x, 6);
    assert_int_equal(b.rows.len, 2);
    assert_int_equal(b.rows.data[1].x, 1);
    assert_int_equal(b.way_case, ed2023_Box_way_inner_one);
    ENCODES_TO(ed2023_Box_type, &b,
               "\x23\x08\x05\x24\x5a\x02\x08\x06\x63\x64\x63\x08\x01\x64\x73\x08\x07\x74");

    ed2024_Tray t;
    assert_int_equal(DECODE(ed2024_Tray, &t,
                            "\x23\x08\x05\x24\x5a\x02\x08\x06\x62\x06\x08\x01\x12\x02\x08\x09", &a),
                     CW_OK);
    assert_int_equal(t.delimited->x, 5);
    assert_int_equal(t.prefixed->x, 6);
    /* Maps and their values are always length-prefixed. */
    assert_int_equal(t.named.len, 1);
    assert_int_equal(t.named.data[0].value.x, 9);
    ENCODES_TO(ed2024_Tray_type, &t,
               "\x23\x08\x05\x24\x5a\x02\x08\x06\x62\x06\x08\x01\x12\x02\x08\x09");
    cw_arena_free(&a);
}

static void lists(void **state)
{
    (void)state;
    int32_t values[] = {1, 2};
    ed2023_Box b = {0};
    b.packed = (cw_i32_list){values, 2, 0};
    b.expanded = (cw_i32_list){values, 2, 0};
    ENCODES_TO(ed2023_Box_type, &b, "\x2a\x02\x01\x02\x30\x01\x30\x02");
    ed2024_Tray t = {0};
    t.packed = (cw_i32_list){values, 2, 0};
    t.expanded = (cw_i32_list){values, 2, 0};
    ENCODES_TO(ed2024_Tray_type, &t, "\x28\x01\x28\x02\x32\x02\x01\x02");
}

static void utf8(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    ed2023_Box b;
    assert_int_equal(DECODE(ed2023_Box, &b, "\x3a\x01\xff", &a), CW_ERR_UTF8);
    assert_int_equal(DECODE(ed2023_Box, &b, "\x42\x01\xff", &a), CW_OK);
    ed2024_Tray t;
    assert_int_equal(DECODE(ed2024_Tray, &t, "\x42\x01\xff", &a), CW_ERR_UTF8);
    assert_int_equal(DECODE(ed2024_Tray, &t, "\x3a\x01\xff", &a), CW_OK);
    cw_arena_free(&a);
}

static void enums(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    ed2023_Box b;
    assert_int_equal(DECODE(ed2023_Box, &b, "\x48\x63\x50\x63", &a), CW_OK);
    assert_false(b.has.shut);
    assert_true(b.has.open);
    assert_int_equal(b.open, 99);
    assert_non_null(b.unknown);
    ENCODES_TO(ed2023_Box_type, &b, "\x50\x63\x48\x63");
    ed2024_Tray t;
    assert_int_equal(DECODE(ed2024_Tray, &t,
                            "\x48\x63\x50\x63\x6a\x04\x08\x01\x10\x63\x6a\x04\x08\x01\x10\x01", &a),
                     CW_OK);
    assert_false(t.has.shut);
    assert_int_equal(t.open, 99);
    assert_int_equal(t.shuts.len, 1);
    assert_int_equal(t.shuts.data[0].value, ed2024_SHUT_ONE);
    assert_int_equal(t.unknown->len, 2 + 6);
    cw_arena_free(&a);
}

static void json(void **state)
{
    (void)state;
    static const char text[] = "{\"present\":0,\"delimited\":{\"x\":1},\"shut\":\"SHUT_ONE\"}";
    cw_arena a;
    cw_arena_init(&a, NULL);
    ed2023_Box b;
    cw_str out;
    assert_int_equal(ed2023_Box_from_json(&b, text, sizeof text - 1, &a, NULL, NULL), CW_OK);
    assert_true(b.has.present && b.has.shut);
    assert_int_equal(ed2023_Box_to_json(&b, &a, NULL, &out, NULL), CW_OK);
    assert_string_equal(out.data, text);
    cw_arena_free(&a);
}

/* Tags: 100 to 107 are a2 06, ab 06 .. ac 06, b2 06, b8 06, c2 06, ca 06, d0 06, d8 06; 200 is
 * c3 0c .. c4 0c, 201 c8 0c, 202 d3 0c .. d4 0c. */
static void extensions(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    ed2023_Box b = {0};
    ed2023_Inner one = {.x = 1};
    one.has.x = true;
    int32_t values[] = {1, 2};
    const cw_i32_list list = {values, 2, 0};
    assert_int_equal(ed2023_in_prefixed_set(&b, &a, &one), CW_OK);
    assert_int_equal(ed2023_in_delimited_set(&b, &a, &one), CW_OK);
    assert_int_equal(ed2023_in_packed_set(&b, &a, &list), CW_OK);
    assert_int_equal(ed2023_in_expanded_set(&b, &a, &list), CW_OK);
    ENCODES_TO(ed2023_Box_type, &b,
               "\xa2\x06\x02\x08\x01\xab\x06\x08\x01\xac\x06\xb2\x06\x02\x01\x02"
               "\xb8\x06\x01\xb8\x06\x02");

    ed2023_Box_init(&b); /* on_: the file's features, not those of the extendee's file */
    const ed2023_Inner_list rows = {&one, 1, 0};
    assert_int_equal(ed2024_on_delimited_set(&b, &a, &one), CW_OK);
    assert_int_equal(ed2024_on_expanded_set(&b, &a, &list), CW_OK);
    assert_int_equal(ed2024_on_rows_set(&b, &a, &rows), CW_OK);
    ENCODES_TO(ed2023_Box_type, &b,
               "\xc3\x0c\x08\x01\xc4\x0c\xc8\x0c\x01\xc8\x0c\x02\xd3\x0c\x08\x01\xd4\x0c");
    ed2023_Inner_list back;
    assert_int_equal(ed2024_on_rows_get(&b, &a, &back, NULL), CW_OK);
    assert_int_equal(back.len, 1);
    assert_int_equal(back.data[0].x, 1);

    const cw_str bad = CW_STR("\xff");
    cw_str s;
    cw_error e;
    assert_int_equal(ed2023_in_checked_set(&b, &a, bad), CW_ERR_UTF8);
    assert_int_equal(ed2023_in_unchecked_set(&b, &a, bad), CW_OK);
    assert_int_equal(ed2024_on_checked_set(&b, &a, bad), CW_ERR_UTF8);
    assert_int_equal(ed2024_on_unchecked_set(&b, &a, bad), CW_OK);
    assert_int_equal(ed2024_on_unchecked_get(&b, &a, &s, NULL), CW_OK);
    assert_int_equal(s.len, 1);
    assert_int_equal(DECODE(ed2023_Box, &b, "\xc2\x06\x01\xff", &a), CW_OK);
    assert_int_equal(ed2023_in_checked_get(&b, &a, &s, &e), CW_ERR_UTF8);
    assert_string_equal(e.path, "ed2023.in_checked");

    assert_int_equal(DECODE(ed2023_Box, &b, "\xd0\x06\x63\xd8\x06\x63", &a), CW_OK);
    ed2023_Open open;
    assert_false(ed2023_in_shut_has(&b));
    assert_int_equal(ed2023_in_open_get(&b, &a, &open, NULL), CW_OK);
    assert_int_equal(open, 99);
    assert_int_equal(ed2023_in_shut_set(&b, &a, 99), CW_ERR_ENUM);
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presence),  cmocka_unit_test(message_encoding),
        cmocka_unit_test(lists),     cmocka_unit_test(utf8),
        cmocka_unit_test(enums),     cmocka_unit_test(json),
        cmocka_unit_test(extensions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
