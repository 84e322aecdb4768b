/* SPDX-License-Identifier: MIT */
/* test_presence.c: presence, defaults, oneofs, closed enums, unknown fields, lists, check. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json.cw.h"
#include "wire.cw.h"
#include "wire2.cw.h"
#include "wire_support.h"

/* Without presence zero is absent, by bits: -0.0 is there. With presence zero is there. */
static void test_zeros(void **state)
{
    (void)state;
    json_Scalars s;
    json_Scalars_init(&s);
    test_encodes_to(&json_Scalars_type, &s, "", __LINE__);
    s.d = -0.0;
    s.f = -0.0f;
    test_encodes_to(&json_Scalars_type, &s, "09 00 00 00 00 00 00 00 80 15 00 00 00 80", __LINE__);
    json_Optionals o;
    json_Optionals_init(&o);
    test_encodes_to(&json_Optionals_type, &o, "", __LINE__);
    json_Optionals_set_an_int32(&o, 0);
    json_Optionals_set_a_string(&o, CW_STR(""));
    json_Optionals_set_a_bool(&o, false);
    test_encodes_to(&json_Optionals_type, &o, "28 00 40 00 4a 00", __LINE__);
    json_Optionals_clear_an_int32(&o);
    json_Optionals_clear_a_string(&o);
    json_Optionals_clear_a_bool(&o);
    test_encodes_to(&json_Optionals_type, &o, "", __LINE__);
    o.an_int32 = 5; /* a value without its bit is absent */
    test_encodes_to(&json_Optionals_type, &o, "", __LINE__);
    json_Optionals none;
    json_Optionals_init(&none);
    assert_true(json_Optionals_equal(&o, &none));
}

static void test_messages(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    json_Optionals o;
    json_Optionals_init(&o);
    json_Scalars *s = json_Optionals_mut_scalars(&o, &a);
    assert_non_null(s);
    assert_ptr_equal(json_Optionals_mut_scalars(&o, &a), s);
    s->i32 = 3;
    test_encodes_to(&json_Optionals_type, &o, "92 01 02 28 03", __LINE__);
    json_Optionals_clear_scalars(&o);
    assert_null(o.scalars);
    json_Nothing nothing;
    json_Nothing_init(&nothing);
    json_Optionals_set_nothing(&o, &nothing);
    test_encodes_to(&json_Optionals_type, &o, "8a 01 00", __LINE__);
    /* a second occurrence merges */
    assert_int_equal(
        test_decode_hex(&json_Optionals_type, &o, "92 01 04 28 03 58 01 92 01 02 28 04", &a, NULL),
        CW_OK);
    assert_int_equal(o.scalars->i32, 4);
    assert_int_equal(o.scalars->u32, 1);
    cw_arena_free(&a);
}

static void test_oneof(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    wire_Choice m;
    wire_Choice_init(&m);
    assert_int_equal(m.v_case, wire_Choice_v_NOT_SET);
    wire_Choice_set_n(&m, 0);
    assert_int_equal(m.v_case, 1);
    test_encodes_to(&wire_Choice_type, &m, "08 00", __LINE__);
    wire_Choice_set_d(&m, 0.0);
    test_encodes_to(&wire_Choice_type, &m, "21 00 00 00 00 00 00 00 00", __LINE__);
    wire_Choice_set_text(&m, CW_STR("hi"));
    test_encodes_to(&wire_Choice_type, &m, "1a 02 68 69", __LINE__);
    wire_Choice_clear_n(&m); /* not the one that is set */
    assert_int_equal(m.v_case, wire_Choice_v_text);
    wire_Leaf *leaf = wire_Choice_mut_leaf(&m, &a);
    assert_non_null(leaf);
    leaf->x = 1;
    assert_ptr_equal(wire_Choice_mut_leaf(&m, &a), leaf);
    test_encodes_to(&wire_Choice_type, &m, "12 02 08 01", __LINE__);
    wire_Choice_clear_leaf(&m);
    assert_int_equal(m.v_case, wire_Choice_v_NOT_SET);
    wire_Choice_set_leaf(&m, NULL);
    assert_int_equal(m.v_case, wire_Choice_v_NOT_SET);
    m.v_case = wire_Choice_v_leaf; /* set by hand, without a message: as good as unset */
    test_encodes_to(&wire_Choice_type, &m, "", __LINE__);
    assert_int_equal(wire_Choice_check(&m, NULL), CW_OK);
    wire_Choice copy;
    assert_int_equal(wire_Choice_copy(&copy, &m, &a), CW_OK);
    assert_true(wire_Choice_equal(&copy, &m));
    /* the last one on the wire stands */
    assert_int_equal(test_decode_hex(&wire_Choice_type, &m,
                                     "1a 01 61 21 00 00 00 00 00 00 00 00 "
                                     "28 01 3a 01 ff",
                                     &a, NULL),
                     CW_OK);
    assert_int_equal(m.v_case, wire_Choice_v_raw);
    assert_int_equal(m.v.raw.data[0], 0xff);
    cw_arena_free(&a);
}

static void check_defaults(const wire2_Defaults *m)
{
    assert_true(m->d == -1.5 && isnan(m->f) && m->infinite < 0 && isinf(m->infinite));
    assert_true(m->i64 == INT64_MIN && m->u64 == UINT64_MAX && m->i32 == INT32_MIN);
    assert_true(m->f64 == 1 && m->f32 == UINT32_MAX && m->b && m->u32 == 7);
    assert_true(cw_str_equal(m->s, CW_STR("tab\there, \"quote\", \303\251")));
    assert_true(cw_bytes_equal(m->raw, cw_bytes_of("\000\001\377?\?=", 6)));
    assert_int_equal(m->e, wire2_NEGATIVE);
    assert_true(m->sf32 == -1 && m->sf64 == -2 && m->s32 == -3 && m->s64 == -4);
    assert_int_equal(m->first, wire2_RED);
    assert_int_equal(m->none.len, 0);
}

static void test_defaults(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    wire2_Defaults m;
    memset(&m, 0x55, sizeof m);
    wire2_Defaults_init(&m);
    check_defaults(&m);
    test_encodes_to(&wire2_Defaults_type, &m, "", __LINE__);
    assert_int_equal(test_decode_hex(&wire2_Defaults_type, &m, "28 05 4a 00", &a, NULL), CW_OK);
    assert_true(m.has.i32 && m.has.s && !m.has.d);
    assert_int_equal(m.i32, 5);
    assert_int_equal(m.s.len, 0);
    wire2_Defaults_clear_i32(&m);
    wire2_Defaults_clear_s(&m);
    check_defaults(&m);
    wire2_Defaults_set_e(&m, wire2_GREEN);
    wire2_Defaults_clear(&m);
    check_defaults(&m);
    assert_false(m.has.e);
    wire2_Defaults copy;
    assert_int_equal(wire2_Defaults_copy(&copy, &m, &a), CW_OK);
    check_defaults(&copy);
    assert_true(wire2_Defaults_equal(&copy, &m));
    cw_arena_free(&a);
}

static void test_closed(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    wire2_Closed m;
    /* known, then unknown: field and oneof stay as they were */
    assert_int_equal(test_decode_hex(&wire2_Closed_type, &m, "08 02 08 07 30 04 28 09", &a, NULL),
                     CW_OK);
    assert_true(m.has.one);
    assert_int_equal(m.one, wire2_ALSO_GREEN);
    assert_int_equal(m.way_case, wire2_Closed_way_number);
    test_encodes_to(&wire2_Closed_type, &m, "08 02 30 04 08 07 28 09", __LINE__);
    assert_int_equal(
        test_decode_hex(&wire2_Closed_type, &m,
                        "10 01 12 03 02 07 01 10 08 1a 0d 01 09 fd ff ff ff ff ff ff ff ff 01 07",
                        &a, NULL),
        CW_OK);
    assert_int_equal(m.list.len, 3);
    assert_int_equal(m.packed_list.len, 2);
    assert_int_equal(m.packed_list.data[1], wire2_NEGATIVE);
    test_encodes_to(&wire2_Closed_type, &m,
                    "10 01 10 02 10 01 1a 0b 01 fd ff ff ff ff ff ff ff ff 01 "
                    "10 07 10 08 18 09 18 07",
                    __LINE__);
    assert_true(wire2_Color__known(-3) && !wire2_Color__known(0));
    m.list.data[1] = 0;
    cw_error e = {.status = CW_OK};
    assert_int_equal(wire2_Closed_check(&m, &e), CW_ERR_ENUM);
    assert_string_equal(e.path, "wire2.Closed.list[1]");
    cw_arena_free(&a);
}

/* Kept as they came, written last, compared. */
static void test_unknown(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    wire_Number m, n;
    const char *hex =
        "08 05 15 01 02 03 04 1b 08 01 1c 19 01 02 03 04 05 06 07 08 22 02 61 62 80 01 80 "
        "80 00";
    assert_int_equal(test_decode_hex(&wire_Number_type, &m, hex, &a, NULL), CW_OK);
    test_encodes_to(&wire_Number_type, &m, hex, __LINE__);
    assert_int_equal(wire_Number_copy(&n, &m, &a), CW_OK);
    assert_true(wire_Number_equal(&m, &n));
    assert_ptr_not_equal(m.unknown->data, n.unknown->data);
    n.unknown->data[n.unknown->len - 1] = 1;
    assert_false(wire_Number_equal(&m, &n));
    /* the right number with another wire type */
    assert_int_equal(
        test_decode_hex(&wire_Number_type, &m, "0a 01 61 08 07 0d 01 02 03 04", &a, NULL), CW_OK);
    assert_int_equal(m.n, 7);
    test_encodes_to(&wire_Number_type, &m, "08 07 0a 01 61 0d 01 02 03 04", __LINE__);
    wire_Number_init(&n);
    cw_unknown empty = {NULL, 0, 0};
    m = n;
    m.unknown = &empty;
    assert_true(wire_Number_equal(&m, &n));
    test_encodes_to(&wire_Number_type, &m, "", __LINE__);
    cw_arena_free(&a);
}

static void test_lists(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    int32_t borrowed[] = {1, 2};
    wire_Growth m;
    wire_Growth_init(&m);
    m.a.data = borrowed;
    m.a.len = 2;
    assert_true(wire_Growth_add_a(&m, 3, &a));
    assert_true(wire_Growth_add_s(&m, CW_STR("x"), &a));
    wire_Leaf *leaf = wire_Growth_add_leaves(&m, &a);
    assert_non_null(leaf);
    leaf->x = 9;
    test_encodes_to(&wire_Growth_type, &m, "0a 03 01 02 03 1a 01 78 2a 02 08 09", __LINE__);
    assert_int_equal(borrowed[0], 1);
    /* decoding appends to a borrowed list, too */
    m.a.data = borrowed;
    m.a.len = 2;
    m.a.cap = 0;
    test_bytes more = test_hex("08 07 0a 01 08 2a 00");
    assert_int_equal(wire_Growth_merge_from(&m, more.data, more.len, &a, NULL, NULL), CW_OK);
    test_free_bytes(&more);
    assert_int_equal(m.a.len, 4);
    assert_int_equal(m.a.data[3], 8);
    assert_int_equal(m.leaves.len, 2);
    assert_int_equal(m.leaves.data[0].x, 9);
    cw_arena_free(&a);
    /* no memory: the list is as before */
    cw_arena_init(&a, &(cw_arena_options){.no_alloc = true});
    size_t len = m.leaves.len;
    m.leaves.cap = len;
    assert_null(wire_Growth_add_leaves(&m, &a));
    assert_int_equal(m.leaves.len, len);
    assert_int_equal(a.failure, CW_ERR_LIMIT);
    wire_Growth none;
    wire_Growth_init(&none);
    assert_null(wire_Growth_mut_sub(&none, &a));
    assert_null(none.sub);
    assert_null(wire_Growth_map_put(&none, 1, &a));
    assert_int_equal(none.map.len, 0);
}

/* UTF-8: proto3 decodes only valid text, proto2 takes all and check complains. */
static void test_utf8(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    wire_Text text;
    cw_error e = {.status = CW_OK};
    assert_int_equal(test_decode_hex(&wire_Text_type, &text, "0a 02 61 ff", &a, &e), CW_ERR_UTF8);
    assert_string_equal(e.path, "wire.Text.s");
    assert_int_equal(test_decode_hex(&wire_Text_type, &text, "12 02 61 ff", &a, NULL), CW_OK);
    static const struct {
        int line;
        const char *hex;
        const char *path;
    } rows[] = {
        {__LINE__, "0a 02 61 ff", "wire2.Loose.s"},
        {__LINE__, "12 01 61 12 02 c3 28", "wire2.Loose.list[1]"},
        {__LINE__, "1a 04 0a 02 61 ff", "wire2.Loose.map[0]"},
        {__LINE__, "1a 04 12 02 61 ff", "wire2.Loose.map[0]"},
        {__LINE__, "22 03 ed a0 80", "wire2.Loose.picked"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wire2_Loose m;
        assert_int_equal(test_decode_hex(&wire2_Loose_type, &m, rows[i].hex, &a, NULL), CW_OK);
        assert_int_equal(wire2_Loose_check(&m, &e), CW_ERR_UTF8);
        if (strcmp(e.path, rows[i].path) != 0) {
            print_error("line %d: %s\n", rows[i].line, e.path);
            fail();
        }
        assert_int_equal(e.offset, SIZE_MAX);
    }
    cw_arena_free(&a);
}

/* Floats by their bits. */
static void test_equal_floats(void **state)
{
    (void)state;
    json_Scalars x, y;
    json_Scalars_init(&x);
    json_Scalars_init(&y);
    x.d = y.d = (double)NAN;
    x.f = y.f = (float)NAN;
    assert_true(json_Scalars_equal(&x, &y));
    x.d = 0.0;
    y.d = -0.0;
    assert_false(json_Scalars_equal(&x, &y));
    double a[] = {(double)NAN, 1.0}, b[] = {(double)NAN, 1.0};
    json_Lists v, w;
    json_Lists_init(&v);
    json_Lists_init(&w);
    v.d.data = a;
    w.d.data = b;
    v.d.len = w.d.len = 2;
    assert_true(json_Lists_equal(&v, &w));
    b[1] = 2.0;
    assert_false(json_Lists_equal(&v, &w));
    w.d.len = 1;
    assert_false(json_Lists_equal(&v, &w));
}

static void test_enum_names(void **state)
{
    (void)state;
    assert_true(cw_str_equal(wire_Sign_name(-1), CW_STR("NEG")));
    assert_true(cw_str_equal(wire_Sign_name(INT32_MIN), CW_STR("LOWEST")));
    assert_null(wire_Sign_name(5).data);
    wire_Sign v = 77;
    assert_true(wire_Sign_from_name("LOWEST", 6, &v));
    assert_int_equal(v, INT32_MIN);
    assert_false(wire_Sign_from_name("LOWEST", 5, &v));
    assert_false(wire_Sign_from_name("lowest", 6, &v));
    assert_false(wire_Sign_from_name("", 0, &v));
    assert_int_equal(v, INT32_MIN);
    wire2_Color c;
    assert_true(wire2_Color_from_name("ALSO_GREEN", 10, &c));
    assert_true(cw_str_equal(wire2_Color_name(c), CW_STR("GREEN")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zeros),        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_oneof),        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_closed),       cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_lists),        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_equal_floats), cmocka_unit_test(test_enum_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
