/* SPDX-License-Identifier: MIT */
/*
 * test_names_cases.c: names that public reports on other generators tell of. Most of the test is
 * that names.proto and its like compile, in C and in C++.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "names.cw.h"
#include "names_cart.cw.h"
#include "names_pkg.cw.h"
#include "wire_support.h"

/* Fields with the names of members that a generator adds. */
static void test_b01(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    Desk m;
    Desk_init(&m);
    Desk_set_base(&m, 1);
    assert_true(Desk_add_legs(&m, 2, &a));
    Desk_set_n_legs(&m, 3);
    Desk_set_has_note(&m, true);
    Desk_set_note(&m, CW_STR("n"));
    Desk_set_has_(&m, 6);
    Desk_set_unknown_(&m, 7);
    test_encodes_to(&Desk_type, &m, "08 01 10 02 18 03 20 01 2a 01 6e 30 06 38 07", __LINE__);
    cw_str text;
    assert_int_equal(Desk_to_json(&m, &a, NULL, &text, NULL), CW_OK);
    assert_string_equal(text.data, "{\"base\":1,\"legs\":[2],\"nLegs\":3,\"hasNote\":true,"
                                   "\"note\":\"n\",\"has\":6,\"unknown\":7}");
    Desk back;
    assert_int_equal(Desk_from_json(&back, text.data, text.len, &a, NULL, NULL), CW_OK);
    assert_true(Desk_equal(&m, &back));
    cw_arena_free(&a);
}

/* Messages named like parameters and locals of generated functions. */
static void test_b04(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    target_ t = {.a = 1};
    target__set_a(&t, 2);
    test_encodes_to(&target__type, &t, "08 02", __LINE__);
    stream s = {.a = 1};
    stream_set_a(&s, 3);
    test_encodes_to(&stream_type, &s, "08 03", __LINE__);
    out_ o;
    out__init(&o);
    len_ l;
    len__init(&l);
    size_t_ z;
    size_t__init(&z);
    test_encodes_to(&size_t__type, &z, "", __LINE__);
    m_ m;
    m__init(&m);
    m_ *inner = m__mut_m(&m, &a);
    assert_non_null(inner);
    inner->m = m__mut_m(inner, &a); /* required, without end */
    cw_error e = {.status = CW_OK};
    size_t n = 0;
    assert_int_equal(m__encode(&m, NULL, 0, &n, &e), CW_ERR_REQUIRED);
    assert_string_equal(e.path, "m.m.m.m");
    cw_arena_free(&a);
}

/* Nested enums with one value name. */
static void test_b05(void **state)
{
    (void)state;
    P p1;
    P_init(&p1);
    P_set_k(&p1, P_OK);
    Q q1;
    Q_init(&q1);
    Q_set_j(&q1, Q_OK);
    test_encodes_to(&P_type, &p1, "08 01", __LINE__);
    test_encodes_to(&Q_type, &q1, "08 01", __LINE__);
}

/* A oneof and a nested enum with one name but for the case of a letter. */
static void test_b06(void **state)
{
    (void)state;
    Pick m;
    Pick_init(&m);
    Pick_Label label = Pick_L1;
    Pick_set_lab(&m, label);
    Pick_label_case which = m.label_case;
    assert_int_equal(which, Pick_label_lab);
    test_encodes_to(&Pick_type, &m, "08 01", __LINE__);
}

/* Nested names that meet when they are joined: two types. */
static void test_b07(void **state)
{
    (void)state;
    A_B_C c;
    A_B_C_init(&c);
    A_B_C_set_p(&c, 1);
    A_B_C__ d;
    A_B_C___init(&d);
    A_B_C___set_q(&d, 2);
    test_encodes_to(&A_B_C_type, &c, "08 01", __LINE__);
    test_encodes_to(&A_B_C___type, &d, "08 02", __LINE__);
    assert_string_equal(A_B_C_type.full_name, "A_B.C");
    assert_string_equal(A_B_C___type.full_name, "A.B_C");
}

/* A file with a package that imports one without. */
static void test_b09(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    x1_y_User m;
    x1_y_User_init(&m);
    assert_non_null(x1_y_User_mut_bare(&m, &a));
    assert_non_null(x1_y_User_bares_put(&m, CW_STR("k"), &a));
    test_encodes_to(&x1_y_User_type, &m, "0a 00 1a 05 0a 01 6b 12 00", __LINE__);
    cw_arena_free(&a);
}

/* A package and a message with one name. */
static void test_b10(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    Cart_Cart m;
    Cart_Cart_init(&m);
    Cart_Cart_Line *line = Cart_Cart_mut_line(&m, &a);
    assert_non_null(line);
    line->n = 4;
    test_encodes_to(&Cart_Cart_type, &m, "0a 02 08 04", __LINE__);
    cw_arena_free(&a);
}

/* Aliases: the first name of a number is its name; all are read. */
static void test_b11(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    assert_true(cw_str_equal(Mode_name(STOP), CW_STR("OFF")));
    static const char *const names[] = {"OFF", "STOP", "stop"};
    for (size_t i = 0; i < 3; i++) {
        Mode v = 9;
        assert_true(Mode_from_name(names[i], strlen(names[i]), &v));
        assert_int_equal(v, 0);
    }
    Moded m;
    cw_str text;
    assert_int_equal(Moded_from_json(&m, "{\"mode\":\"stop\"}", 15, &a, NULL, NULL), CW_OK);
    assert_true(m.has.mode);
    assert_int_equal(Moded_to_json(&m, &a, NULL, &text, NULL), CW_OK);
    assert_string_equal(text.data, "{\"mode\":\"OFF\"}");
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_b01), cmocka_unit_test(test_b04), cmocka_unit_test(test_b05),
        cmocka_unit_test(test_b06), cmocka_unit_test(test_b07), cmocka_unit_test(test_b09),
        cmocka_unit_test(test_b10), cmocka_unit_test(test_b11),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
