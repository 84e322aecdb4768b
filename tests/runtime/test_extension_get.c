/* SPDX-License-Identifier: MIT */
/* Values out of unknown bytes: every kind, lists, merging, message sets, limits and errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "extension_support.h"

typedef union any_value {
    bool b;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    float f;
    double d;
    cw_str s;
    cw_bytes bytes;
} any_value;

static cw__ext of_kind(cw_kind kind)
{
    cw__ext x = {.full_name = "x.e", .number = 1};
    x.kind = kind;
    return x;
}

/* ---- one value --------------------------------------------------------------------------------
 */

typedef struct number_row {
    int line;
    cw_kind kind;
    size_t size;
    const char *bytes;
    size_t n;
    any_value value; /* its first `size` bytes */
} number_row;

static const number_row number_rows[] = {
    {__LINE__, CW_KIND_DOUBLE, 8, BYTES("\x09\x00\x00\x00\x00\x00\x00\xf8\xbf"), {.d = -1.5}},
    {__LINE__, CW_KIND_FLOAT, 4, BYTES("\x0d\x00\x00\xc0\xbf"), {.f = -1.5f}},
    {__LINE__,
     CW_KIND_INT64,
     8,
     BYTES("\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
     {.i64 = -2}},
    {__LINE__,
     CW_KIND_UINT64,
     8,
     BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
     {.u64 = UINT64_MAX}},
    {__LINE__,
     CW_KIND_INT32,
     4,
     BYTES("\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
     {.i32 = -2}},
    {__LINE__, CW_KIND_INT32, 4, BYTES("\x08\x07\x10\x09\x08\x08"), {.i32 = 8}},
    {__LINE__,
     CW_KIND_FIXED64,
     8,
     BYTES("\x09\x08\x07\x06\x05\x04\x03\x02\x01"),
     {.u64 = 0x0102030405060708}},
    {__LINE__, CW_KIND_FIXED32, 4, BYTES("\x0d\x04\x03\x02\x01"), {.u32 = 0x01020304}},
    {__LINE__, CW_KIND_BOOL, sizeof(bool), BYTES("\x08\x80\x02"), {.b = true}},
    {__LINE__, CW_KIND_UINT32, 4, BYTES("\x08\xac\x02"), {.u32 = 300}},
    {__LINE__, CW_KIND_ENUM, 4, BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), {.i32 = -1}},
    {__LINE__, CW_KIND_SFIXED32, 4, BYTES("\x0d\xff\xff\xff\xff"), {.i32 = -1}},
    {__LINE__, CW_KIND_SFIXED64, 8, BYTES("\x09\xff\xff\xff\xff\xff\xff\xff\xff"), {.i64 = -1}},
    {__LINE__, CW_KIND_SINT32, 4, BYTES("\x08\x03"), {.i32 = -2}},
    {__LINE__, CW_KIND_SINT64, 8, BYTES("\x08\x03"), {.i64 = -2}},
};

static void gets_numbers(void **state)
{
    (void)state;
    cw_arena a = {0};
    for (size_t i = 0; i < sizeof number_rows / sizeof number_rows[0]; i++) {
        const number_row *r = &number_rows[i];
        cw__ext x = of_kind(r->kind);
        x.element_size = r->size;
        cw_unknown u = unknown_of(r->bytes, r->n);
        any_value v;
        memset(&v, 0, sizeof v);
        bool found = false;
        cw_status st = cw__ext_get(&u, &x, &a, NULL, &v, &found, NULL);
        if (st != CW_OK || !found || memcmp(&v, &r->value, r->size) != 0) {
            fail_msg("line %d: status %d, found %d", r->line, (int)st, found);
        }
        free(u.data);
        v.u64 = 99;
        assert_int_equal(cw__ext_get(NULL, &x, &a, NULL, &v, &found, NULL), CW_OK);
        assert_false(found);
        assert_int_equal(v.u64, 99);
    }
    cw_arena_free(&a);
}

static void gets_strings(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw__ext x = of_kind(CW_KIND_STRING);
    x.element_size = sizeof(cw_str);
    cw_unknown u = unknown_of(BYTES("\x0a\x01x\x0a\x02yz"));
    cw_str s;
    assert_int_equal(cw__ext_get(&u, &x, &a, NULL, &s, NULL, NULL), CW_OK);
    assert_int_equal(s.len, 2);
    assert_string_equal(s.data, "yz");
    const cw_decode_options alias = {.alias = true};
    assert_int_equal(cw__ext_get(&u, &x, &a, &alias, &s, NULL, NULL), CW_OK);
    assert_int_equal(s.len, 2);
    assert_ptr_equal(s.data, u.data + 5);
    x.kind = CW_KIND_BYTES;
    cw_bytes b;
    assert_int_equal(cw__ext_get(&u, &x, &a, NULL, &b, NULL, NULL), CW_OK);
    assert_memory_equal(b.data, "yz", 2);
    free(u.data);
    cw_arena_free(&a);
}

/* An unknown number is no value, and what was there before stays. */
static void leaves_unknown_enum_numbers(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw__ext x = of_kind(CW_KIND_ENUM);
    x.element_size = 4;
    x.known = is_1_or_2;
    cw_unknown u = unknown_of(BYTES("\x08\x02\x08\x03"));
    int32_t v = 0;
    bool found = false;
    assert_int_equal(cw__ext_get(&u, &x, &a, NULL, &v, &found, NULL), CW_OK);
    assert_true(found);
    assert_int_equal(v, 2);
    u.data[1] = 7;
    v = 99;
    assert_int_equal(cw__ext_get(&u, &x, &a, NULL, &v, &found, NULL), CW_OK);
    assert_false(found);
    assert_int_equal(v, 99);
    free(u.data);
    cw_arena_free(&a);
}

/* ---- lists ------------------------------------------------------------------------------------
 */

typedef struct list_row {
    int line;
    cw_kind kind;
    bool closed;
    const char *bytes;
    size_t n;
    size_t len;
    int32_t values[6]; /* of 4-byte kinds */
} list_row;

static const list_row list_rows[] = {
    {__LINE__, CW_KIND_INT32, false, BYTES("\x08\x01\x10\x09\x08\x02"), 2, {1, 2}},
    {__LINE__,
     CW_KIND_INT32,
     false,
     BYTES("\x0a\x02\x01\x02\x08\x03\x0a\x00\x0a\x01\x04"),
     4,
     {1, 2, 3, 4}},
    {__LINE__, CW_KIND_INT32, false, BYTES("\x0a\x00"), 0, {0}},
    {__LINE__, CW_KIND_INT32, false, BYTES(""), 0, {0}},
    {__LINE__, CW_KIND_SINT32, false, BYTES("\x08\x01\x0a\x02\x03\x04"), 3, {-1, -2, 2}},
    {__LINE__,
     CW_KIND_SFIXED32,
     false,
     BYTES("\x0d\x01\x00\x00\x00\x0a\x08\xff\xff\xff\xff\x02\x00\x00\x00"),
     3,
     {1, -1, 2}},
    {__LINE__, CW_KIND_ENUM, false, BYTES("\x0a\x02\x07\x08\x08\x09"), 3, {7, 8, 9}},
    {__LINE__, CW_KIND_ENUM, true, BYTES("\x0a\x04\x07\x01\x88\x01\x08\x09\x08\x02"), 2, {1, 2}},
    {__LINE__, CW_KIND_ENUM, true, BYTES("\x08\x09\x0a\x01\x03"), 0, {0}},
};

static void gets_lists(void **state)
{
    (void)state;
    cw_arena a = {0};
    for (size_t i = 0; i < sizeof list_rows / sizeof list_rows[0]; i++) {
        const list_row *r = &list_rows[i];
        cw__ext x = of_kind(r->kind);
        x.element_size = 4;
        x.repeated = true;
        x.known = r->closed ? is_1_or_2 : NULL;
        cw_unknown u = unknown_of(r->bytes, r->n);
        cw_i32_list v = {NULL, 99, 0};
        bool found = false;
        cw_status st = cw__ext_get(&u, &x, &a, NULL, &v, &found, NULL);
        if (st != CW_OK || found != (r->len > 0) || v.len != (r->len > 0 ? r->len : 99) ||
            (r->len > 0 && memcmp(v.data, r->values, 4 * r->len) != 0)) {
            fail_msg("line %d: status %d, found %d, %u elements", r->line, (int)st, found,
                     (unsigned)v.len);
        }
        free(u.data);
    }
    cw_arena_free(&a);
}

static void gets_lists_of_wide_elements(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw__ext x = of_kind(CW_KIND_STRING);
    x.element_size = sizeof(cw_str);
    x.repeated = true;
    cw_unknown u = unknown_of(BYTES("\x0a\x01x\x10\x01\x0a\x00\x0a\x02yz"));
    cw_str_list list;
    assert_int_equal(cw__ext_get(&u, &x, &a, NULL, &list, NULL, NULL), CW_OK);
    assert_int_equal(list.len, 3);
    assert_int_equal(list.cap >= 3, 1);
    assert_string_equal(list.data[0].data, "x");
    assert_string_equal(list.data[1].data, "");
    assert_string_equal(list.data[2].data, "yz");
    free(u.data);
    x.kind = CW_KIND_BOOL;
    x.element_size = sizeof(bool);
    u = unknown_of(BYTES("\x08\x01\x0a\x02\x00\x05"));
    cw_bool_list bools;
    assert_int_equal(cw__ext_get(&u, &x, &a, NULL, &bools, NULL, NULL), CW_OK);
    assert_int_equal(bools.len, 3);
    assert_true(bools.data[0] && !bools.data[1] && bools.data[2]);
    free(u.data);
    cw_arena_free(&a);
}

/* ---- messages ---------------------------------------------------------------------------------
 */

static const cw__ext message = {"x.message", 1, CW_KIND_MESSAGE,
                                .element_size = sizeof(google_protobuf_Duration),
                                .message = &duration_message};

typedef struct message_row {
    int line;
    cw_kind kind;
    bool message_set;
    const char *bytes;
    size_t n;
    int64_t seconds;
    int32_t nanos;
    size_t unknown; /* bytes of its own */
} message_row;

static const message_row message_rows[] = {
    {__LINE__, CW_KIND_MESSAGE, false, BYTES("\x0a\x04\x08\x05\x10\x06"), 5, 6, 0},
    {__LINE__, CW_KIND_MESSAGE, false, BYTES("\x0a\x00"), 0, 0, 0},
    {__LINE__, CW_KIND_MESSAGE, false, BYTES("\x0a\x04\x08\x05\x10\x06\x10\x01\x0a\x02\x08\x07"), 7,
     6, 0},
    {__LINE__, CW_KIND_MESSAGE, false, BYTES("\x0a\x02\x18\x05\x0a\x02\x18\x06"), 0, 0, 4},
    {__LINE__, CW_KIND_GROUP, false, BYTES("\x0b\x08\x05\x0c\x0b\x10\x06\x0c"), 5, 6, 0},
    {__LINE__, CW_KIND_GROUP, false, BYTES("\x0b\x23\x08\x05\x24\x08\x05\x0c"), 5, 0, 4},
    {__LINE__, CW_KIND_MESSAGE, true, BYTES("\x0b\x10\x01\x1a\x02\x08\x05\x0c"), 5, 0, 0},
    {__LINE__, CW_KIND_MESSAGE, true,
     BYTES("\x0b\x1a\x00\x10\x01\x23\x2c\x0c\x0b\x1a\x02\x08\x05\x10\x01\x0c\x0b\x10\x02\x1a\x02"
           "\x08\x09\x0c\x0a\x02\x10\x06"),
     5, 6, 0},
};

static void gets_and_merges_messages(void **state)
{
    (void)state;
    cw_arena a = {0};
    for (size_t i = 0; i < sizeof message_rows / sizeof message_rows[0]; i++) {
        const message_row *r = &message_rows[i];
        cw__ext x = message;
        x.kind = r->kind;
        x.in_message_set = r->message_set;
        cw_unknown u = unknown_of(r->bytes, r->n);
        google_protobuf_Duration d;
        memset(&d, 0xff, sizeof d);
        bool found = false;
        cw_status st = cw__ext_get(&u, &x, &a, NULL, &d, &found, NULL);
        if (st != CW_OK || !found || d.seconds != r->seconds || d.nanos != r->nanos ||
            (d.unknown ? d.unknown->len : 0) != r->unknown) {
            fail_msg("line %d: status %d, found %d", r->line, (int)st, found);
        }
        free(u.data);
    }
    cw_arena_free(&a);
}

static void gets_lists_of_messages(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw__ext x = message;
    x.repeated = true;
    cw_unknown u = unknown_of(BYTES("\x0a\x02\x08\x05\x10\x01\x0a\x00\x0a\x02\x08\x07"));
    google_protobuf_Duration_list list;
    assert_int_equal(cw__ext_get(&u, &x, &a, NULL, &list, NULL, NULL), CW_OK);
    assert_int_equal(list.len, 3);
    assert_int_equal(list.data[0].seconds, 5);
    assert_int_equal(list.data[1].seconds, 0);
    assert_int_equal(list.data[2].seconds, 7);
    free(u.data);
    cw_arena_free(&a);
}

/* The map entries of two records are sorted once, at the end. */
static void sorts_maps(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw__ext x = message;
    x.message = &struct_message;
    x.element_size = sizeof(google_protobuf_Struct);
    cw_unknown u = unknown_of(BYTES("\x0a\x07\x0a\x05\x0a\x01z\x12\x00"
                                    "\x0a\x07\x0a\x05\x0a\x01"
                                    "a\x12\x00"));
    google_protobuf_Struct s;
    assert_int_equal(cw__ext_get(&u, &x, &a, NULL, &s, NULL, NULL), CW_OK);
    assert_int_equal(s.fields.len, 2);
    assert_string_equal(s.fields.data[0].key.data, "a");
    assert_string_equal(s.fields.data[1].key.data, "z");
    free(u.data);
    cw_arena_free(&a);
}

/* ---- errors -----------------------------------------------------------------------------------
 */

typedef struct error_row {
    int line;
    cw_kind kind;
    bool repeated;
    const char *bytes;
    size_t n;
    cw_status status;
    size_t offset;
    const char *path;
} error_row;

static const error_row error_rows[] = {
    {__LINE__, CW_KIND_INT32, false, BYTES("\x08\x01\x10"), CW_ERR_TRUNCATED, 3, "x.e"},
    {__LINE__, CW_KIND_INT32, false, BYTES("\x08\x01\x00\x01"), CW_ERR_TAG, 2, "x.e"},
    {__LINE__, CW_KIND_INT32, true, BYTES("\x10\x01\x0a\x02\x01\x80"), CW_ERR_TRUNCATED, 3, "x.e"},
    {__LINE__, CW_KIND_FIXED32, true, BYTES("\x0a\x03xyz"), CW_ERR_LENGTH, 1, "x.e"},
    {__LINE__, CW_KIND_STRING, false, BYTES("\x0a\x01x\x0a\x01\xff"), CW_ERR_UTF8, 4, "x.e"},
    {__LINE__, CW_KIND_STRING, true, BYTES("\x0a\x01x\x0a\x01\xff"), CW_ERR_UTF8, 4, "x.e[1]"},
    {__LINE__, CW_KIND_MESSAGE, false, BYTES("\x0a\x02\x08\x05\x0a\x01\x10"), CW_ERR_TRUNCATED, 7,
     "x.e.nanos"},
    {__LINE__, CW_KIND_MESSAGE, true, BYTES("\x10\x01\x0a\x00\x0a\x02\x08\x80\x0a\x00"),
     CW_ERR_LENGTH, 8, "x.e[1]"},
    {__LINE__, CW_KIND_GROUP, false, BYTES("\x0b\x23\x1c\x0c"), CW_ERR_GROUP, 2, "x.e"},
    {__LINE__, CW_KIND_MESSAGE, false, BYTES("\x0a\x02\x08\x00"), CW_ERR_REQUIRED, SIZE_MAX,
     "x.e.seconds"},
    {__LINE__, CW_KIND_MESSAGE, true, BYTES("\x0a\x02\x08\x01\x0a\x02\x10\x01"), CW_ERR_REQUIRED,
     SIZE_MAX, "x.e[1].seconds"},
};

static void says_what_is_wrong(void **state)
{
    (void)state;
    cw_arena a = {0};
    for (size_t i = 0; i < sizeof error_rows / sizeof error_rows[0]; i++) {
        const error_row *r = &error_rows[i];
        cw__ext x = of_kind(r->kind);
        bool is_message = r->kind == CW_KIND_MESSAGE || r->kind == CW_KIND_GROUP;
        x.repeated = r->repeated;
        x.check_utf8 = true;
        x.element_size = is_message                  ? sizeof(google_protobuf_Duration)
                         : r->kind == CW_KIND_STRING ? sizeof(cw_str)
                                                     : 4;
        x.message = is_message ? &strict_message : NULL;
        cw_unknown u = unknown_of(r->bytes, r->n);
        union {
            google_protobuf_Duration d;
            cw_list_view list;
            cw_str s;
        } value;
        cw_error e;
        bool found = false;
        cw_status st = cw__ext_get(&u, &x, &a, NULL, &value, &found, &e);
        if (st != r->status || e.status != st || e.offset != r->offset ||
            strcmp(e.path, r->path) != 0) {
            fail_msg("line %d: status %d at %ld, path %s", r->line, (int)st, (long)e.offset,
                     e.path);
        }
        assert_int_equal(cw__ext_get(&u, &x, &a, NULL, &value, NULL, NULL), r->status);
        free(u.data);
    }
    cw_arena_free(&a);
}

/* Required fields may come in several records, and may be missing when the caller says so. */
static void required_fields(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw__ext x = message;
    x.message = &strict_message;
    google_protobuf_Duration d;
    cw_unknown u = unknown_of(BYTES("\x0a\x02\x10\x05\x0a\x02\x08\x06"));
    assert_int_equal(cw__ext_get(&u, &x, &a, NULL, &d, NULL, NULL), CW_OK);
    assert_int_equal(d.seconds, 6);
    free(u.data);
    u = unknown_of(BYTES("\x0a\x02\x10\x05"));
    assert_int_equal(cw__ext_get(&u, &x, &a, NULL, &d, NULL, NULL), CW_ERR_REQUIRED);
    const cw_decode_options partial = {.allow_partial = true};
    assert_int_equal(cw__ext_get(&u, &x, &a, &partial, &d, NULL, NULL), CW_OK);
    free(u.data);
    cw_arena_free(&a);
}

/* Levels: the extendee 0, the extension 1, groups in it. */
static void depth_is_the_extendees(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw_decode_options o = {.depth = 1};
    google_protobuf_Duration d;
    cw_unknown u = unknown_of(BYTES("\x0a\x02\x08\x05"));
    assert_int_equal(cw__ext_get(&u, &message, &a, &o, &d, NULL, NULL), CW_OK);
    free(u.data);
    u = unknown_of(BYTES("\x0a\x02\x23\x24"));
    assert_int_equal(cw__ext_get(&u, &message, &a, &o, &d, NULL, NULL), CW_ERR_DEPTH);
    o.depth = 2;
    assert_int_equal(cw__ext_get(&u, &message, &a, &o, &d, NULL, NULL), CW_OK);
    free(u.data);

    for (size_t deep = 99; deep <= 100; deep++) { /* 100 levels with the extension's own: pass */
        uint8_t all[3 + 200] = {0x0a, (uint8_t)(2 * deep | 0x80), 1};
        memset(all + 3, 0x23, deep);
        memset(all + 3 + deep, 0x24, deep);
        u = unknown_of(all, 3 + 2 * deep);
        assert_int_equal(cw__ext_get(&u, &message, &a, NULL, &d, NULL, NULL),
                         deep == 99 ? CW_OK : CW_ERR_DEPTH);
        free(u.data);
    }
    cw_arena_free(&a);
}

static void memory_has_its_limit(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw__ext x = message;
    x.repeated = true;
    enum { N = 1000 };
    uint8_t *all = malloc(2 * N);
    assert_non_null(all);
    for (size_t i = 0; i < N; i++) {
        memcpy(all + 2 * i, "\x0a\x00", 2);
    }
    cw_unknown u = {all, 2 * N, 2 * N};
    google_protobuf_Duration_list list;
    cw_decode_options o = {.max_memory = N * sizeof(google_protobuf_Duration)};
    assert_int_equal(cw__ext_get(&u, &x, &a, &o, &list, NULL, NULL), CW_OK);
    assert_int_equal(list.len, N);
    assert_int_equal(list.cap, N); /* counted, not doubled */
    o.max_memory -= 8;
    cw_error e;
    assert_int_equal(cw__ext_get(&u, &x, &a, &o, &list, NULL, &e), CW_ERR_LIMIT);
    assert_string_equal(e.path, "x.message");
    free(all);
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gets_numbers),
        cmocka_unit_test(gets_strings),
        cmocka_unit_test(leaves_unknown_enum_numbers),
        cmocka_unit_test(gets_lists),
        cmocka_unit_test(gets_lists_of_wide_elements),
        cmocka_unit_test(gets_and_merges_messages),
        cmocka_unit_test(gets_lists_of_messages),
        cmocka_unit_test(sorts_maps),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(required_fields),
        cmocka_unit_test(depth_is_the_extendees),
        cmocka_unit_test(memory_has_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
