/* SPDX-License-Identifier: MIT */
/* test_wire_cases.c: inputs that public reports on other implementations tell of; each test has the
 * number of its report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "wire.cw.h"
#include "wire2.cw.h"
#include "wire_support.h"

/* An input that is to fail: with what, where, and at which member. */
typedef struct bad_row {
    int line;
    const cw_type *type;
    const char *hex;
    cw_status status;
    size_t offset;
    const char *path;
} bad_row;

static void check_bad(const bad_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const bad_row *r = &rows[i];
        cw_arena a;
        cw_arena_init(&a, NULL);
        cw_error e = {.status = CW_OK};
        void *m = test_new(r->type, &a);
        cw_status st = test_decode_hex(r->type, m, r->hex, &a, &e);
        if (st != r->status || e.status != st || e.offset != r->offset ||
            strcmp(e.path, r->path) != 0) {
            print_error("line %d: %s at %zu, %s\n", r->line, cw_status_name(st), e.offset, e.path);
            fail();
        }
        cw_arena_free(&a);
    }
}

#define CHECK_BAD(rows) check_bad(rows, sizeof(rows) / sizeof(rows)[0])

/* An input that is to succeed, and what it is encoded as again. */
typedef struct good_row {
    int line;
    const cw_type *type;
    const char *hex;
    const char *again;
} good_row;

static void check_good(const good_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const good_row *r = &rows[i];
        cw_arena a;
        cw_arena_init(&a, NULL);
        cw_error e = {.status = CW_OK};
        void *m = test_new(r->type, &a);
        cw_status st = test_decode_hex(r->type, m, r->hex, &a, &e);
        if (st != CW_OK || e.status != CW_OK) {
            print_error("line %d: %s at %zu, %s\n", r->line, cw_status_name(st), e.offset, e.path);
            fail();
        }
        test_encodes_to(r->type, m, r->again, r->line);
        cw_arena_free(&a);
    }
}

#define CHECK_GOOD(rows) check_good(rows, sizeof(rows) / sizeof(rows)[0])

/* The second member of a oneof is cut off. */
static void test_b16(void **state)
{
    (void)state;
    static const bad_row rows[] = {
        {__LINE__, &wire_Blob_type, "08 01 2a", CW_ERR_TRUNCATED, 3, "wire.Blob.blob"},
        {__LINE__, &wire_Blob_type, "08 01 2a 02 61", CW_ERR_TRUNCATED, 3, "wire.Blob.blob"},
    };
    CHECK_BAD(rows);
}

/* A oneof goes from a number to a message, and through all its members. */
static void test_b17(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    wire_Choice m;
    assert_int_equal(test_decode_hex(&wire_Choice_type, &m, "08 01 12 02 08 07", &a, NULL), CW_OK);
    assert_int_equal(m.v_case, wire_Choice_v_leaf);
    assert_int_equal(m.v.leaf->x, 7);
    /* number, text, message again: the first message's x is gone */
    assert_int_equal(
        test_decode_hex(&wire_Choice_type, &m, "12 02 08 07 08 05 1a 01 61 12 00 40 03", &a, NULL),
        CW_OK);
    assert_int_equal(m.v_case, wire_Choice_v_leaf);
    assert_int_equal(m.v.leaf->x, 0);
    assert_int_equal(m.after, 3);
    /* the same message twice is merged */
    assert_int_equal(test_decode_hex(&wire_Choice_type, &m, "32 02 40 09 32 02 08 04", &a, NULL),
                     CW_OK);
    assert_int_equal(m.v_case, wire_Choice_v_choice);
    assert_int_equal(m.v.choice->after, 9);
    assert_int_equal(m.v.choice->v_case, wire_Choice_v_n);
    assert_int_equal(m.v.choice->v.n, 4);
    cw_arena_free(&a);
}

/* Negative enum values take ten bytes; five are read as well. */
static void test_b19(void **state)
{
    (void)state;
    static const good_row rows[] = {
        {__LINE__, &wire_Signed_type, "08 ff ff ff ff ff ff ff ff ff 01",
         "08 ff ff ff ff ff ff ff ff ff 01"},
        {__LINE__, &wire_Signed_type, "08 ff ff ff ff 0f", "08 ff ff ff ff ff ff ff ff ff 01"},
        {__LINE__, &wire_Signed_type, "08 80 80 80 80 f8 ff ff ff ff 01",
         "08 80 80 80 80 f8 ff ff ff ff 01"},
        {__LINE__, &wire_Signed_type, "08 05", "08 05"},
        {__LINE__, &wire_Signed_type, "08 00", ""},
    };
    CHECK_GOOD(rows);
    wire_Signed m = {.sign = wire_NEG};
    test_encodes_to(&wire_Signed_type, &m, "08 ff ff ff ff ff ff ff ff ff 01", __LINE__);
    assert_int_equal(wire_LOWEST, INT32_MIN);
}

/* Packed bools: one element a varint, however long. */
static void test_b21(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    wire_Flags m;
    assert_int_equal(test_decode_hex(&wire_Flags_type, &m,
                                     "0a 0c 01 fe ff ff ff ff ff ff ff ff 01 00", &a, NULL),
                     CW_OK);
    assert_int_equal(m.b.len, 3);
    assert_true(m.b.data[0] && m.b.data[1] && !m.b.data[2]);
    static const good_row rows[] = {
        {__LINE__, &wire_Packed_type, "12 0b 01 ff ff ff ff ff ff ff ff ff 01",
         "12 0b 01 ff ff ff ff ff ff ff ff ff 01"},
        {__LINE__, &wire_Packed_type, "12 05 ff ff ff ff 0f",
         "12 0a ff ff ff ff ff ff ff ff ff 01"},
        {__LINE__, &wire_Packed_type, "12 00", ""},
    };
    CHECK_GOOD(rows);
    cw_arena_free(&a);
}

/* The largest field numbers. */
static void test_b24(void **state)
{
    (void)state;
    static const good_row rows[] = {
        {__LINE__, &wire_Far_type, "f8 ff ff ff 0f 01", "f8 ff ff ff 0f 01"},
        {__LINE__, &wire_Far_type, "f2 ff ff ff 0f 01 61 f2 ff ff ff 0f 00",
         "f2 ff ff ff 0f 01 61 f2 ff ff ff 0f 00"},
        {__LINE__, &wire_Far_type, "ea ff ff ff 0f 02 08 01 ea ff ff ff 0f 00",
         "ea ff ff ff 0f 02 08 01 ea ff ff ff 0f 00"},
        {__LINE__, &wire_Far_type, "81 80 08 01 00 00 00 00 00 00 00",
         "81 80 08 01 00 00 00 00 00 00 00"},
    };
    CHECK_GOOD(rows);
    static const bad_row bad[] = {
        {__LINE__, &wire_Far_type, "f8 ff ff ff 1f 01", CW_ERR_TAG, 0, "wire.Far"},
        {__LINE__, &wire_Far_type, "f8 ff ff ff ff 01", CW_ERR_TAG, 0, "wire.Far"},
        {__LINE__, &wire_Far_type, "f8 ff ff ff 0f", CW_ERR_TRUNCATED, 5, "wire.Far.big"},
        {__LINE__, &wire_Far_type, "f8 ff ff", CW_ERR_TRUNCATED, 0, "wire.Far"},
    };
    CHECK_BAD(bad);
}

/* Map entries without key or value. */
static void test_b25(void **state)
{
    (void)state;
    static const good_row rows[] = {
        {__LINE__, &wire_Maps_type, "22 00", "22 04 0a 00 10 00"},
        {__LINE__, &wire_Maps_type, "22 03 0a 01 61", "22 05 0a 01 61 10 00"},
        {__LINE__, &wire_Maps_type, "22 02 10 05", "22 04 0a 00 10 05"},
        {__LINE__, &wire_Maps_type, "22 05 10 05 0a 01 61", "22 05 0a 01 61 10 05"},
        {__LINE__, &wire_Maps_type, "2a 00", "2a 04 0a 00 12 00"},
    };
    CHECK_GOOD(rows);
}

/* In one entry a message value is merged, and unknown fields are skipped. */
static void test_b26(void **state)
{
    (void)state;
    static const good_row rows[] = {
        {__LINE__, &wire_Maps_type, "2a 0d 0a 01 6b 12 03 0a 01 61 12 03 0a 01 62",
         "2a 0b 0a 01 6b 12 06 0a 01 61 0a 01 62"},
        {__LINE__, &wire_Maps_type, "2a 0a 0a 01 6b 18 07 12 03 0a 01 61",
         "2a 08 0a 01 6b 12 03 0a 01 61"},
        /* two entries of one key are not merged: the last one stands */
        {__LINE__, &wire_Maps_type, "2a 08 0a 01 6b 12 03 0a 01 61 2a 08 0a 01 6b 12 03 0a 01 62",
         "2a 08 0a 01 6b 12 03 0a 01 62"},
    };
    CHECK_GOOD(rows);
}

/* Packed and unpacked mixed, whatever the declaration. */
static void test_b27(void **state)
{
    (void)state;
    static const good_row rows[] = {
        {__LINE__, &wire_Packed_type, "10 01 12 02 02 03 10 04", "12 04 01 02 03 04"},
        {__LINE__, &wire_Unpacked_type, "10 01 12 02 02 03 10 04", "10 01 10 02 10 03 10 04"},
    };
    CHECK_GOOD(rows);
}

/* A packed element is cut off. */
static void test_b28(void **state)
{
    (void)state;
    static const bad_row rows[] = {
        {__LINE__, &wire_Packed_type, "12 02 80 80", CW_ERR_TRUNCATED, 1, "wire.Packed.v"},
        {__LINE__, &wire_Unpacked_type, "12 02 80 80", CW_ERR_TRUNCATED, 1, "wire.Unpacked.v"},
        {__LINE__, &wire_Packed_type, "10 80", CW_ERR_TRUNCATED, 1, "wire.Packed.v"},
    };
    CHECK_BAD(rows);
}

/* Lengths that no memory has. */
static void test_b29(void **state)
{
    (void)state;
    static const bad_row rows[] = {
        {__LINE__, &wire_Text_type, "0a ff ff ff ff 0f", CW_ERR_LENGTH, 1, "wire.Text.s"},
        {__LINE__, &wire_Text_type, "0a ff ff ff ff ff ff ff ff ff 01", CW_ERR_LENGTH, 1,
         "wire.Text.s"},
        {__LINE__, &wire_Text_type, "12 ff ff ff ff 0f", CW_ERR_LENGTH, 1, "wire.Text.raw"},
        {__LINE__, &wire_Text_type, "12 ff ff ff ff 07", CW_ERR_TRUNCATED, 1, "wire.Text.raw"},
        {__LINE__, &wire_Text_type, "1a ff ff ff ff ff ff ff ff ff 01", CW_ERR_LENGTH, 1,
         "wire.Text"},
    };
    CHECK_BAD(rows);
}

/* n messages in one another through `tag`, as hex text. */
static char *nested(unsigned char tag, size_t n)
{
    /* From the inside: the bytes are made backward. */
    size_t cap = n * 8 + 1;
    uint8_t *bytes = malloc(cap);
    char *hex = malloc(cap * 2 + 1);
    assert_non_null(bytes);
    assert_non_null(hex);
    uint8_t *p = bytes + cap;
    for (size_t i = 0; i < n; i++) {
        p = cw__put_varint(p, (uint64_t)(bytes + cap - p));
        *--p = tag;
    }
    size_t len = (size_t)(bytes + cap - p);
    for (size_t i = 0; i < len; i++) {
        static const char digits[] = "0123456789abcdef";
        hex[2 * i] = digits[p[i] >> 4];
        hex[2 * i + 1] = digits[p[i] & 15];
    }
    hex[2 * len] = 0;
    free(bytes);
    return hex;
}

/* The depth of messages. */
static void test_b32(void **state)
{
    (void)state;
    static const unsigned char tags[] = {0x0a, 0x12, 0x32}; /* in, list, other */
    for (size_t i = 0; i < sizeof tags; i++) {
        static const struct {
            size_t depth;
            cw_status status;
        } rows[] = {{1, CW_OK}, {100, CW_OK}, {101, CW_ERR_DEPTH}, {100000, CW_ERR_DEPTH}};
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
            cw_arena a;
            cw_arena_init(&a, NULL);
            wire_Nest m;
            cw_error e = {.status = CW_OK};
            char *hex = nested(tags[i], rows[k].depth);
            assert_int_equal(test_decode_hex(&wire_Nest_type, &m, hex, &a, &e), rows[k].status);
            assert_int_equal(e.status, rows[k].status);
            if (rows[k].status == CW_OK) {
                assert_int_equal(wire_Nest_check(&m, NULL), CW_OK);
                test_encodes_to(&wire_Nest_type, &m, hex, __LINE__);
            }
            free(hex);
            cw_arena_free(&a);
        }
    }
}

/* `open` group starts of field 3 and `close` ends. */
static char *groups(size_t open, size_t close)
{
    char *hex = malloc((open + close) * 2 + 1);
    assert_non_null(hex);
    hex[0] = 0;
    for (size_t i = 0; i < open + close; i++) {
        memcpy(hex + 2 * i, i < open ? "1b" : "1c", 3);
    }
    return hex;
}

/* The depth of groups, known and unknown ones. */
static void test_b33(void **state)
{
    (void)state;
    static const struct {
        const cw_type *type;
        size_t open, close;
        cw_status status;
    } rows[] = {
        {&wire_Number_type, 100000, 0, CW_ERR_DEPTH},
        {&wire_Number_type, 101, 101, CW_ERR_DEPTH},
        {&wire_Number_type, 100, 100, CW_OK},
        {&wire_Number_type, 100, 99, CW_ERR_TRUNCATED},
        {&wire_Number_type, 1, 2, CW_ERR_GROUP},
        {&wire2_Boxed_type, 100000, 0, CW_ERR_DEPTH},
        {&wire2_Boxed_type, 101, 101, CW_ERR_DEPTH},
        {&wire2_Boxed_type, 100, 100, CW_OK},
        {&wire2_Boxed_type, 100, 99, CW_ERR_TRUNCATED},
        {&wire2_Boxed_type, 1, 2, CW_ERR_GROUP},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw_arena a;
        cw_arena_init(&a, NULL);
        void *m = test_new(rows[i].type, &a);
        char *hex = groups(rows[i].open, rows[i].close);
        assert_int_equal(test_decode_hex(rows[i].type, m, hex, &a, NULL), rows[i].status);
        if (rows[i].status == CW_OK) {
            test_encodes_to(rows[i].type, m, hex, __LINE__);
        }
        free(hex);
        cw_arena_free(&a);
    }
}

/* Group ends that do not match. */
static void test_b34(void **state)
{
    (void)state;
    static const good_row good[] = {
        {__LINE__, &wire2_Boxed_type, "1b 08 05 1c", "1b 08 05 1c"},
        {__LINE__, &wire2_Boxed_type, "1b 1c 1b 08 05 1c", "1b 08 05 1c"},
        {__LINE__, &wire2_Boxed_type, "23 24 23 08 01 24", "23 24 23 08 01 24"},
        {__LINE__, &wire2_Boxed_type, "1b 13 0a 01 61 14 13 0a 01 62 14 1c",
         "1b 13 0a 01 61 0a 01 62 14 1c"},
        {__LINE__, &wire2_Boxed_type, "2b 08 03 2c", "2b 08 03 2c"},
        {__LINE__, &wire2_Boxed_type, "fb ff ff ff 0f 08 01 fc ff ff ff 0f",
         "fb ff ff ff 0f 08 01 fc ff ff ff 0f"},
        /* a group in a delimited message in a group */
        {__LINE__, &wire2_Boxed_type, "1b 22 04 1b 08 07 1c 1c", "1b 22 04 1b 08 07 1c 1c"},
        /* unknown groups in known ones, with the same number */
        {__LINE__, &wire2_Boxed_type, "1b 1b 08 01 1c 1c", "1b 1b 08 01 1c 1c"},
    };
    CHECK_GOOD(good);
    static const bad_row bad[] = {
        {__LINE__, &wire2_Boxed_type, "1b 08 05 2c", CW_ERR_GROUP, 3, "wire2.Boxed.box"},
        {__LINE__, &wire2_Boxed_type, "1b 08 05", CW_ERR_TRUNCATED, 3, "wire2.Boxed.box"},
        {__LINE__, &wire2_Boxed_type, "0c", CW_ERR_GROUP, 0, "wire2.Boxed"},
        {__LINE__, &wire2_Boxed_type, "1c", CW_ERR_GROUP, 0, "wire2.Boxed.box"},
        {__LINE__, &wire2_Boxed_type, "1b 22 01 1c 1c", CW_ERR_GROUP, 3,
         "wire2.Boxed.box.boxed.box"},
        {__LINE__, &wire2_Boxed_type, "23 24 23", CW_ERR_TRUNCATED, 3, "wire2.Boxed.row[1]"},
        {__LINE__, &wire2_Boxed_type, "1b 13 1c", CW_ERR_GROUP, 2, "wire2.Boxed.box.inner"},
    };
    CHECK_BAD(bad);
}

/* Field number 0 is no end of a message. */
static void test_b35(void **state)
{
    (void)state;
    static const bad_row rows[] = {
        {__LINE__, &wire_Number_type, "08 01 00 08 02", CW_ERR_TAG, 2, "wire.Number"},
        {__LINE__, &wire_Number_type, "80 00", CW_ERR_TAG, 0, "wire.Number"},
        {__LINE__, &wire_Number_type, "02 00", CW_ERR_TAG, 0, "wire.Number"},
        {__LINE__, &wire_Number_type, "0e 00", CW_ERR_TAG, 0, "wire.Number.n"},
        {__LINE__, &wire_Number_type, "17 00", CW_ERR_TAG, 0, "wire.Number"},
    };
    CHECK_BAD(rows);
}

/* A required field is missing. */
static void test_b37(void **state)
{
    (void)state;
    static const bad_row rows[] = {
        {__LINE__, &wire2_Req_type, "12 00", CW_ERR_REQUIRED, SIZE_MAX, "wire2.Req.name"},
        {__LINE__, &wire2_Reqs_type, "12 03 0a 01 61 12 00 33 08 01 12 00 18 00 34 3a 00",
         CW_ERR_REQUIRED, SIZE_MAX, "wire2.Reqs.list[1].name"},
        {__LINE__, &wire2_Reqs_type, "33 08 01 18 00 34 3a 00", CW_ERR_REQUIRED, SIZE_MAX,
         "wire2.Reqs.must.raw"},
        {__LINE__, &wire2_Reqs_type, "33 08 01 12 00 18 00 34", CW_ERR_REQUIRED, SIZE_MAX,
         "wire2.Reqs.leaf"},
        {__LINE__, &wire2_Reqs_type, "22 00 33 08 01 12 00 18 00 34 3a 00", CW_ERR_REQUIRED,
         SIZE_MAX, "wire2.Reqs.other.name"},
        {__LINE__, &wire2_Reqs_type, "1a 03 0a 01 61 33 08 01 12 00 18 00 34 3a 00",
         CW_ERR_REQUIRED, SIZE_MAX, "wire2.Reqs.map[0].name"},
        /* a closed enum's unknown value does not set the field */
        {__LINE__, &wire2_Reqs_type, "33 08 07 12 00 18 00 34 3a 00", CW_ERR_REQUIRED, SIZE_MAX,
         "wire2.Reqs.must.color"},
    };
    CHECK_BAD(rows);
    cw_arena a;
    cw_arena_init(&a, NULL);
    wire2_Req m;
    cw_decode_options o = {.allow_partial = true};
    test_bytes in = test_hex("12 00");
    assert_int_equal(wire2_Req_decode(&m, in.data, in.len, &a, &o, NULL), CW_OK);
    assert_int_equal(m.rows.len, 1);
    cw_error e = {.status = CW_OK};
    size_t len = 0;
    uint8_t buf[8];
    assert_int_equal(wire2_Req_encode(&m, buf, sizeof buf, &len, &e), CW_ERR_REQUIRED);
    assert_string_equal(e.path, "wire2.Req.name");
    assert_int_equal(wire2_Req_check(&m, &e), CW_ERR_REQUIRED);
    cw_bytes out;
    assert_int_equal(wire2_Req_encode_arena(&m, &a, &out, NULL), CW_ERR_REQUIRED);
    test_free_bytes(&in);
    cw_arena_free(&a);
}

/* Fixed width, on hosts of every byte order. */
static void test_b38(void **state)
{
    (void)state;
    wire_Fixed m = {.sf32 = INT32_MIN};
    double one = 102.0;
    test_encodes_to(&wire_Fixed_type, &m, "25 00 00 00 80", __LINE__);
    m.sf32 = 0;
    m.doubles.data = &one;
    m.doubles.len = 1;
    test_encodes_to(&wire_Fixed_type, &m, "3a 08 00 00 00 00 00 80 59 40", __LINE__);
    cw_arena a;
    cw_arena_init(&a, NULL);
    assert_int_equal(test_decode_hex(&wire_Fixed_type, &m,
                                     "0d 04 03 02 01 11 08 07 06 05 04 03 02 01 1d 00 00 80 3f "
                                     "25 00 00 00 80 29 fe ff ff ff ff ff ff ff 31 00 00 00 00 00 "
                                     "80 59 40 3a 08 00 00 00 00 00 80 59 40 42 08 01 00 00 00 ff "
                                     "ff ff ff 4d 00 00 00 40",
                                     &a, NULL),
                     CW_OK);
    assert_int_equal(m.f32, 0x01020304);
    assert_int_equal(m.f64, 0x0102030405060708);
    assert_true(m.f == 1.0f);
    assert_int_equal(m.sf32, INT32_MIN);
    assert_int_equal(m.sf64, -2);
    assert_true(m.d == 102.0 && m.doubles.data[0] == 102.0);
    assert_int_equal(m.sf32s.len, 2);
    assert_int_equal(m.sf32s.data[1], -1);
    assert_true(m.floats.data[0] == 2.0f);
    cw_arena_free(&a);
    static const bad_row rows[] = {
        {__LINE__, &wire_Fixed_type, "25 00 00 00", CW_ERR_TRUNCATED, 1, "wire.Fixed.sf32"},
        {__LINE__, &wire_Fixed_type, "31 00 00 00 00 00 80 59", CW_ERR_TRUNCATED, 1,
         "wire.Fixed.d"},
    };
    CHECK_BAD(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_b16), cmocka_unit_test(test_b17), cmocka_unit_test(test_b19),
        cmocka_unit_test(test_b21), cmocka_unit_test(test_b24), cmocka_unit_test(test_b25),
        cmocka_unit_test(test_b26), cmocka_unit_test(test_b27), cmocka_unit_test(test_b28),
        cmocka_unit_test(test_b29), cmocka_unit_test(test_b32), cmocka_unit_test(test_b33),
        cmocka_unit_test(test_b34), cmocka_unit_test(test_b35), cmocka_unit_test(test_b37),
        cmocka_unit_test(test_b38),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
