/* SPDX-License-Identifier: MIT */
/* Records among unknown bytes: which there are, whose they are, and without them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "extension_support.h"

/* ---- records ----------------------------------------------------------------------------------
 */

typedef struct record_row {
    int line;
    const char *bytes;
    size_t n;
    bool message_set;
    uint32_t number; /* of the first record; 0: there is none */
    unsigned wire_type;
    size_t whole;   /* its length */
    size_t payload; /* where its payload begins */
    size_t payload_len;
    bool is_item;
} record_row;

static const record_row record_rows[] = {
    {__LINE__, BYTES(""), false, 0, 0, 0, 0, 0, false},
    {__LINE__, BYTES("\x08\x96\x01\x10\x00"), false, 1, 0, 3, 1, 2, false},
    {__LINE__,
     BYTES("\x09"
           "12345678"),
     false, 1, 1, 9, 1, 8, false},
    {__LINE__,
     BYTES("\x0d"
           "1234"),
     false, 1, 5, 5, 1, 4, false},
    {__LINE__, BYTES("\x82\x01\x03xyz\x08\x01"), false, 16, 2, 6, 3, 3, false},
    {__LINE__, BYTES("\x8a\x00\x83\x00xyz"), false, 1, 2, 7, 4, 3, false}, /* overlong */
    {__LINE__, BYTES("\x0a\x00"), false, 1, 2, 2, 2, 0, false},
    {__LINE__, BYTES("\x0b\x0c"), false, 1, 3, 2, 1, 0, false},
    {__LINE__, BYTES("\x0b\x08\x01\x13\x0b\x0c\x14\x0c\x08\x01"), false, 1, 3, 8, 1, 6, false},
    /* malformed */
    {__LINE__, BYTES("\x08"), false, 0, 0, 0, 0, 0, false},
    {__LINE__, BYTES("\x08\x80"), false, 0, 0, 0, 0, 0, false},
    {__LINE__, BYTES("\x0a\x02x"), false, 0, 0, 0, 0, 0, false},
    {__LINE__, BYTES("\x00\x01"), false, 0, 0, 0, 0, 0, false},
    {__LINE__, BYTES("\x03\x04"), false, 0, 0, 0, 0, 0, false},
    {__LINE__, BYTES("\x0e\x01"), false, 0, 0, 0, 0, 0, false},
    {__LINE__, BYTES("\x0c"), false, 0, 0, 0, 0, 0, false},
    {__LINE__, BYTES("\x0b\x08\x01"), false, 0, 0, 0, 0, 0, false},
    {__LINE__, BYTES("\x0b\x14"), false, 0, 0, 0, 0, 0, false},
    {__LINE__, BYTES("\x0b\x04\x0c"), false, 0, 0, 0, 0, 0, false},
    {__LINE__, BYTES("\x0b\x08\x0c"), false, 0, 0, 0, 0, 0, false},
    /* message sets: 0b (10 type-id | 1a message | junk)* 0c */
    {__LINE__, BYTES("\x0b\x10\x07\x1a\x02xy\x0c"), true, 7, 2, 8, 5, 2, true},
    {__LINE__, BYTES("\x0b\x10\x07\x1a\x02xy\x0c"), false, 1, 3, 8, 1, 6, false},
    {__LINE__, BYTES("\x0b\x1a\x02xy\x10\x87\x01\x0c"), true, 135, 2, 9, 3, 2, true},
    {__LINE__, BYTES("\x0b\x1a\x00\x10\x07\x0c"), true, 7, 2, 6, 3, 0, true},
    {__LINE__, BYTES("\x0b\x20\x01\x10\x07\x2b\x10\x09\x2c\x1a\x01x\x0c"), true, 7, 2, 13, 11, 1,
     true},
    {__LINE__, BYTES("\x0b\x10\x07\x10\x08\x1a\x01x\x1a\x01y\x0c"), true, 7, 2, 12, 7, 1, true},
    {__LINE__, BYTES("\x0b\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x1a\x00\x0c"), true,
     UINT32_MAX, 2, 15, 14, 0, true},
    {__LINE__, BYTES("\x0b\x10\x07\x1a\x00\x23\x2c\x0c"), true, 1, 3, 8, 1, 6, false},
    {__LINE__, BYTES("\x0b\x10\x07\x0c"), true, 1, 3, 4, 1, 2, false},
    {__LINE__, BYTES("\x0b\x1a\x01x\x0c"), true, 1, 3, 5, 1, 3, false},
    {__LINE__,
     BYTES("\x0b\x15"
           "1234\x1a\x01x\x0c"),
     true, 1, 3, 10, 1, 8, false},
    {__LINE__, BYTES("\x3a\x01x"), true, 7, 2, 3, 2, 1, false},
    {__LINE__, BYTES("\x13\x10\x07\x1a\x01x\x14"), true, 2, 3, 7, 1, 5, false},
};

static void reads_records(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof record_rows / sizeof record_rows[0]; i++) {
        const record_row *r = &record_rows[i];
        cw_unknown u = unknown_of(r->bytes, r->n);
        cw__ext_record record;
        size_t pos = 0;
        bool found = cw__ext_next(&u, r->message_set, &pos, &record);
        if (found != (r->number != 0)) {
            fail_msg("line %d: found %d", r->line, found);
        }
        if (!found) {
            assert_int_equal(pos, 0);
        } else {
            bool same = record.number == r->number && record.wire_type == r->wire_type &&
                        record.whole.data == u.data && record.whole.len == r->whole &&
                        record.payload.data == u.data + r->payload &&
                        record.payload.len == r->payload_len && record.is_item == r->is_item;
            if (!same || pos != r->whole) {
                fail_msg("line %d: number %u, wire type %u, whole %u, payload %u at %d", r->line,
                         (unsigned)record.number, record.wire_type, (unsigned)record.whole.len,
                         (unsigned)record.payload.len, (int)(record.payload.data - u.data));
            }
        }
        free(u.data);
    }
}

static void goes_from_record_to_record(void **state)
{
    (void)state;
    cw_unknown u = unknown_of(BYTES("\x08\x01\x0b\x08\x02\x0c\x12\x01x\x08"));
    const uint32_t numbers[] = {1, 1, 2};
    cw__ext_record record;
    size_t pos = 0, n = 0;
    while (cw__ext_next(&u, false, &pos, &record)) {
        assert_int_equal(record.number, numbers[n++]);
    }
    assert_int_equal(n, 3);
    assert_int_equal(pos, u.len - 1); /* the last byte is no field */
    free(u.data);
    pos = 0;
    assert_false(cw__ext_next(NULL, false, &pos, &record));
}

/* Groups may be nested as deeply as one likes: no stack, no memory. */
static void skips_deep_groups(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    uint8_t *bytes = malloc(2 * DEEP + 2);
    assert_non_null(bytes);
    memset(bytes, 0x0b, DEEP);
    memset(bytes + DEEP, 0x0c, DEEP);
    memcpy(bytes + 2 * DEEP, "\x10\x01", 2);
    cw_unknown u = {bytes, 2 * DEEP + 2, 2 * DEEP + 2};
    const cw__ext second = {"x.second", 2, CW_KIND_INT32, .element_size = 4};
    assert_true(cw__ext_has(&u, &second));
    cw__ext_clear(&u, &second);
    assert_int_equal(u.len, 2 * DEEP);
    free(bytes);
}

/* ---- has and clear ----------------------------------------------------------------------------
 */

static const cw__ext int_1 = {"x.int_1", 1, CW_KIND_INT32, .element_size = 4};
static const cw__ext double_1 = {"x.double_1", 1, CW_KIND_DOUBLE, .element_size = 8};
static const cw__ext fixed_1 = {"x.fixed_1", 1, CW_KIND_FIXED32, .element_size = 4};
static const cw__ext string_1 = {"x.string_1", 1, CW_KIND_STRING, .element_size = sizeof(cw_str)};
static const cw__ext ints_1 = {"x.ints_1", 1, CW_KIND_INT32, .repeated = true, .element_size = 4};
static const cw__ext enum_1 = {"x.enum_1", 1, CW_KIND_ENUM, .known = is_1_or_2, .element_size = 4};
static const cw__ext enums_1 = {
    "x.enums_1", 1, CW_KIND_ENUM, .repeated = true, .known = is_1_or_2, .element_size = 4};
static const cw__ext message_1 = {"x.message_1", 1, CW_KIND_MESSAGE,
                                  .element_size = sizeof(google_protobuf_Duration),
                                  .message = &duration_message};
static const cw__ext group_1 = {"x.group_1", 1, CW_KIND_GROUP,
                                .element_size = sizeof(google_protobuf_Duration),
                                .message = &duration_message};
static const cw__ext set_1 = {"x.set_1",
                              1,
                              CW_KIND_MESSAGE,
                              .in_message_set = true,
                              .element_size = sizeof(google_protobuf_Duration),
                              .message = &duration_message};
static const cw__ext set_max = {"x.set_max",
                                0x7ffffffe,
                                CW_KIND_MESSAGE,
                                .in_message_set = true,
                                .element_size = sizeof(google_protobuf_Duration),
                                .message = &duration_message};

typedef struct has_row {
    int line;
    const cw__ext *x;
    const char *bytes;
    size_t n;
    bool has;
    const char *left; /* after clear */
    size_t left_n;
} has_row;

static const has_row has_rows[] = {
    {__LINE__, &int_1, BYTES(""), false, BYTES("")},
    {__LINE__, &int_1, BYTES("\x08\x00"), true, BYTES("")},
    {__LINE__, &int_1, BYTES("\x10\x00"), false, BYTES("\x10\x00")},
    {__LINE__, &int_1, BYTES("\x10\x00\x08\x05\x1a\x01x\x08\x06"), true,
     BYTES("\x10\x00\x1a\x01x")},
    {__LINE__, &int_1, BYTES("\x0a\x01\x05"), false, BYTES("")}, /* packed is for lists only */
    {__LINE__, &int_1,
     BYTES("\x0d"
           "1234\x10\x01"),
     false, BYTES("\x10\x01")},
    {__LINE__, &int_1, BYTES("\x13\x08\x01\x14"), false, BYTES("\x13\x08\x01\x14")}, /* inside */
    {__LINE__, &double_1,
     BYTES("\x09"
           "12345678"),
     true, BYTES("")},
    {__LINE__, &double_1,
     BYTES("\x0d"
           "1234"),
     false, BYTES("")},
    {__LINE__, &fixed_1,
     BYTES("\x0d"
           "1234"),
     true, BYTES("")},
    {__LINE__, &fixed_1, BYTES("\x08\x01"), false, BYTES("")},
    {__LINE__, &string_1, BYTES("\x0a\x00"), true, BYTES("")},
    {__LINE__, &ints_1, BYTES("\x08\x05"), true, BYTES("")},
    {__LINE__, &ints_1, BYTES("\x0a\x01\x05"), true, BYTES("")},
    {__LINE__, &ints_1, BYTES("\x0a\x00"), false, BYTES("")},
    {__LINE__, &enum_1, BYTES("\x08\x02"), true, BYTES("")},
    {__LINE__, &enum_1, BYTES("\x08\x03"), false, BYTES("")},
    {__LINE__, &enum_1, BYTES("\x08\x01\x08\x03"), true, BYTES("")},
    {__LINE__, &enums_1, BYTES("\x08\x03\x0a\x02\x04\x05"), false, BYTES("")},
    {__LINE__, &enums_1, BYTES("\x0a\x03\x04\x05\x01"), true, BYTES("")},
    {__LINE__, &enums_1, BYTES("\x0a\x01\x80"), false, BYTES("")},
    {__LINE__, &message_1, BYTES("\x0a\x02\x08\x01"), true, BYTES("")},
    {__LINE__, &message_1, BYTES("\x0b\x08\x01\x0c"), false, BYTES("")},
    {__LINE__, &group_1, BYTES("\x0b\x08\x01\x0c"), true, BYTES("")},
    {__LINE__, &group_1, BYTES("\x0a\x02\x08\x01"), false, BYTES("")},
    {__LINE__, &message_1, BYTES("\x0b\x10\x01\x1a\x00\x0c"), false, BYTES("")}, /* no set */
    {__LINE__, &set_1, BYTES("\x0b\x10\x01\x1a\x00\x0c\x10\x01"), true, BYTES("\x10\x01")},
    {__LINE__, &set_1, BYTES("\x0b\x10\x02\x1a\x00\x0c"), false, BYTES("\x0b\x10\x02\x1a\x00\x0c")},
    {__LINE__, &set_1, BYTES("\x0b\x10\x01\x0c"), false, BYTES("\x0b\x10\x01\x0c")},
    {__LINE__, &set_1, BYTES("\x0b\x1a\x00\x0c"), false, BYTES("\x0b\x1a\x00\x0c")},
    {__LINE__, &set_1, BYTES("\x0a\x00\x0b\x10\x01\x1a\x00\x0c"), true, BYTES("")}, /* both forms */
    {__LINE__, &set_max, BYTES("\x0b\x10\xfe\xff\xff\xff\x07\x1a\x00\x0c"), true, BYTES("")},
    /* what is behind malformed bytes is not seen, and stays */
    {__LINE__, &int_1, BYTES("\x10\x01\x00\x08\x01"), false, BYTES("\x10\x01\x00\x08\x01")},
    {__LINE__, &int_1, BYTES("\x08\x02\x00\x08\x01"), true, BYTES("\x00\x08\x01")},
    {__LINE__, &int_1, BYTES("\x08\x02\x10\x03\x08"), true, BYTES("\x10\x03\x08")},
};

static void knows_and_clears(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof has_rows / sizeof has_rows[0]; i++) {
        const has_row *r = &has_rows[i];
        cw_unknown u = unknown_of(r->bytes, r->n);
        bool has = cw__ext_has(&u, r->x);
        cw__ext_clear(&u, r->x);
        if (has != r->has || u.len != r->left_n || memcmp(u.data, r->left, r->left_n) != 0) {
            fail_msg("line %d: has %d, %u bytes left", r->line, has, (unsigned)u.len);
        }
        assert_false(cw__ext_has(&u, r->x));
        free(u.data);
    }
    assert_false(cw__ext_has(NULL, &int_1));
    cw__ext_clear(NULL, &int_1);
}

/* ---- from tables ------------------------------------------------------------------------------
 */

static const cw_enum_value values[] = {{"ONE", 1}, {"TWO", 2}};
static const cw_enum number_enum = {"x.Number", values, 2, true, NULL};
static const cw_type plain = {.full_name = "x.Plain", .has_extensions = true};
static const cw_type set = {.full_name = "x.Set", .is_message_set = true};

static void describes_a_tables_row(void **state)
{
    (void)state;
    const cw_field enums = {.name = "enums",
                            .number = 5,
                            .kind = CW_KIND_ENUM,
                            .shape = CW_SHAPE_REPEATED,
                            .packed = true,
                            .closed_enum = true,
                            .enum_type = &number_enum};
    const cw_extension row = {"x.enums", &plain, &enums};
    cw__ext x;
    cw__ext_message m;
    cw__ext_of(&row, &x, &m);
    assert_string_equal(x.full_name, "x.enums");
    assert_int_equal(x.number, 5);
    assert_int_equal(x.kind, CW_KIND_ENUM);
    assert_true(x.repeated && x.packed && !x.in_message_set && !x.check_utf8);
    assert_int_equal(x.element_size, sizeof(int32_t));
    assert_null(x.message);
    cw_unknown u = unknown_of(BYTES("\x28\x03"));
    assert_false(cw__ext_has(&u, &x));
    u.data[1] = 2;
    assert_true(cw__ext_has(&u, &x));
    free(u.data);

    const cw_field message = {.name = "duration",
                              .number = 0x7ffffffe,
                              .kind = CW_KIND_MESSAGE,
                              .shape = CW_SHAPE_OPTIONAL,
                              .message = &google_protobuf_Duration_type};
    const cw_extension item = {"x.duration", &set, &message};
    cw__ext_of(&item, &x, &m);
    assert_true(x.in_message_set && !x.repeated);
    assert_ptr_equal(x.message, &m);
    assert_int_equal(x.element_size, sizeof(google_protobuf_Duration));
    cw_arena a;
    cw_arena_init(&a, NULL);
    cw_unknown *to = NULL;
    google_protobuf_Duration d = {.seconds = 5}, back;
    assert_int_equal(cw__ext_set(&to, &x, &a, &d, NULL), CW_OK);
    assert_unknown(to, BYTES("\x0b\x10\xfe\xff\xff\xff\x07\x1a\x02\x08\x05\x0c"));
    bool found = false;
    assert_int_equal(cw__ext_get(to, &x, &a, NULL, &back, &found, NULL), CW_OK);
    assert_true(found);
    assert_int_equal(back.seconds, 5);
    cw_arena_free(&a);

    const cw_field string = {.name = "s",
                             .number = 1,
                             .kind = CW_KIND_STRING,
                             .shape = CW_SHAPE_OPTIONAL,
                             .check_utf8 = true,
                             .enum_type = NULL};
    const cw_extension text = {"x.s", &plain, &string};
    cw__ext_of(&text, &x, &m);
    assert_true(x.check_utf8);
    assert_int_equal(x.element_size, sizeof(cw_str));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_records),          cmocka_unit_test(goes_from_record_to_record),
        cmocka_unit_test(skips_deep_groups),      cmocka_unit_test(knows_and_clears),
        cmocka_unit_test(describes_a_tables_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
