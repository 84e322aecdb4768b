/* SPDX-License-Identifier: MIT */
/* Values into unknown bytes: every kind, what is replaced, what is refused, and no memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "extension_support.h"

static cw__ext of_kind(cw_kind kind, size_t size)
{
    cw__ext x = {.full_name = "x.e", .number = 1};
    x.kind = kind;
    x.element_size = size;
    return x;
}

/* Unknown bytes in the arena, as a decoder leaves them. */
static cw_unknown *kept(cw_arena *a, const void *bytes, size_t n)
{
    cw_unknown *u = NULL;
    assert_true(cw__unknown_add(a, &u, bytes, n));
    return u;
}

/* ---- bytes ------------------------------------------------------------------------------------
 */

typedef struct number_row {
    int line;
    cw_kind kind;
    size_t size;
    uint64_t bits; /* the value's */
    const char *bytes;
    size_t n;
} number_row;

static const number_row number_rows[] = {
    {__LINE__, CW_KIND_DOUBLE, 8, 0xbff8000000000000,
     BYTES("\x09\x00\x00\x00\x00\x00\x00\xf8\xbf")},
    {__LINE__, CW_KIND_FLOAT, 4, 0xbfc00000, BYTES("\x0d\x00\x00\xc0\xbf")},
    {__LINE__, CW_KIND_INT64, 8, UINT64_MAX - 1,
     BYTES("\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01")},
    {__LINE__, CW_KIND_UINT64, 8, 300, BYTES("\x08\xac\x02")},
    {__LINE__, CW_KIND_INT32, 4, UINT32_MAX - 1,
     BYTES("\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01")},
    {__LINE__, CW_KIND_FIXED64, 8, 0x0102030405060708,
     BYTES("\x09\x08\x07\x06\x05\x04\x03\x02\x01")},
    {__LINE__, CW_KIND_FIXED32, 4, 0x01020304, BYTES("\x0d\x04\x03\x02\x01")},
    {__LINE__, CW_KIND_UINT32, 4, 0, BYTES("\x08\x00")},
    {__LINE__, CW_KIND_ENUM, 4, 7, BYTES("\x08\x07")},
    {__LINE__, CW_KIND_SFIXED32, 4, UINT32_MAX, BYTES("\x0d\xff\xff\xff\xff")},
    {__LINE__, CW_KIND_SFIXED64, 8, 1, BYTES("\x09\x01\x00\x00\x00\x00\x00\x00\x00")},
    {__LINE__, CW_KIND_SINT32, 4, UINT32_MAX, BYTES("\x08\x01")},
    {__LINE__, CW_KIND_SINT64, 8, UINT64_MAX, BYTES("\x08\x01")},
};

static void sets_numbers(void **state)
{
    (void)state;
    cw_arena a = {0};
    for (size_t i = 0; i < sizeof number_rows / sizeof number_rows[0]; i++) {
        const number_row *r = &number_rows[i];
        cw__ext x = of_kind(r->kind, r->size);
        uint32_t low = (uint32_t)r->bits;
        cw_unknown *u = NULL;
        const void *value = r->size == 8 ? (const void *)&r->bits : (const void *)&low;
        cw_status st = cw__ext_set(&u, &x, &a, value, NULL);
        if (st != CW_OK || u->len != r->n || memcmp(u->data, r->bytes, r->n) != 0) {
            fail_msg("line %d: status %d", r->line, (int)st);
        }
    }
    cw__ext x = of_kind(CW_KIND_BOOL, sizeof(bool));
    cw_unknown *u = NULL;
    bool yes = true;
    assert_int_equal(cw__ext_set(&u, &x, &a, &yes, NULL), CW_OK);
    assert_unknown(u, BYTES("\x08\x01"));
    cw_arena_free(&a);
}

static void sets_strings(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw_unknown *u = NULL;
    cw__ext x = of_kind(CW_KIND_STRING, sizeof(cw_str));
    cw_str s = CW_STR("xyz");
    assert_int_equal(cw__ext_set(&u, &x, &a, &s, NULL), CW_OK);
    assert_unknown(u, BYTES("\x0a\x03xyz"));
    cw_str empty = {NULL, 0};
    assert_int_equal(cw__ext_set(&u, &x, &a, &empty, NULL), CW_OK);
    assert_unknown(u, BYTES("\x0a\x00"));
    x.number = 536870911;
    x.kind = CW_KIND_BYTES;
    cw_bytes b = cw_bytes_of("\xff", 1);
    assert_int_equal(cw__ext_set(&u, &x, &a, &b, NULL), CW_OK);
    assert_unknown(u, BYTES("\x0a\x00\xfa\xff\xff\xff\x0f\x01\xff"));
    cw_arena_free(&a);
}

static void sets_lists(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw_unknown *u = NULL;
    cw__ext x = of_kind(CW_KIND_INT32, 4);
    x.repeated = true;
    int32_t numbers[] = {1, 300};
    cw_i32_list list = {numbers, 2, 0};
    assert_int_equal(cw__ext_set(&u, &x, &a, &list, NULL), CW_OK);
    assert_unknown(u, BYTES("\x08\x01\x08\xac\x02"));
    x.packed = true;
    assert_int_equal(cw__ext_set(&u, &x, &a, &list, NULL), CW_OK);
    assert_unknown(u, BYTES("\x0a\x03\x01\xac\x02"));
    assert_int_equal(cw__ext_add(&u, &x, &a, &list, NULL), CW_OK);
    assert_unknown(u, BYTES("\x0a\x03\x01\xac\x02\x0a\x03\x01\xac\x02"));
    cw_i32_list four;
    assert_int_equal(cw__ext_get(u, &x, &a, NULL, &four, NULL, NULL), CW_OK);
    assert_int_equal(four.len, 4);
    list.len = 0; /* an empty list is no record */
    assert_int_equal(cw__ext_add(&u, &x, &a, &list, NULL), CW_OK);
    assert_int_equal(u->len, 10);
    assert_int_equal(cw__ext_set(&u, &x, &a, &list, NULL), CW_OK);
    assert_int_equal(u->len, 0);
    x = of_kind(CW_KIND_STRING, sizeof(cw_str));
    x.repeated = true;
    cw_str words[] = {CW_STR_INIT("a"), CW_STR_INIT(""), CW_STR_INIT("bc")};
    cw_str_list strings = {words, 3, 0};
    assert_int_equal(cw__ext_set(&u, &x, &a, &strings, NULL), CW_OK);
    assert_unknown(u, BYTES("\x0a\x01"
                            "a\x0a\x00\x0a\x02"
                            "bc"));
    cw_arena_free(&a);
}

static void sets_messages(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw_unknown *u = NULL;
    cw__ext x = of_kind(CW_KIND_MESSAGE, sizeof(google_protobuf_Duration));
    x.message = &duration_message;
    google_protobuf_Duration d[2] = {{.seconds = 5}, {.nanos = 6}};
    assert_int_equal(cw__ext_set(&u, &x, &a, &d[0], NULL), CW_OK);
    assert_unknown(u, BYTES("\x0a\x02\x08\x05"));
    x.in_message_set = true;
    assert_int_equal(cw__ext_set(&u, &x, &a, &d[0], NULL), CW_OK);
    assert_unknown(u, BYTES("\x0b\x10\x01\x1a\x02\x08\x05\x0c"));
    x.in_message_set = false;
    x.kind = CW_KIND_GROUP;
    u = NULL;
    assert_int_equal(cw__ext_set(&u, &x, &a, &d[0], NULL), CW_OK);
    assert_unknown(u, BYTES("\x0b\x08\x05\x0c"));
    x.repeated = true;
    google_protobuf_Duration_list list = {d, 2, 0};
    assert_int_equal(cw__ext_set(&u, &x, &a, &list, NULL), CW_OK);
    assert_unknown(u, BYTES("\x0b\x08\x05\x0c\x0b\x10\x06\x0c"));
    x.kind = CW_KIND_MESSAGE;
    assert_int_equal(cw__ext_set(&u, &x, &a, &list, NULL), CW_OK);
    assert_unknown(u, BYTES("\x0a\x02\x08\x05\x0a\x02\x10\x06"));
    cw_arena_free(&a);
}

/* ---- what is there ----------------------------------------------------------------------------
 */

/* Every record of the number goes, the others keep their bytes and order; the new one is last. */
static void replaces(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw__ext x = of_kind(CW_KIND_INT32, 4);
    cw_unknown *u = kept(&a, BYTES("\x08\x05\x92\x00\x01x\x0d"
                                   "1234\x1b\x08\x01\x1c\x08\x06"));
    int32_t v = 7;
    assert_int_equal(cw__ext_set(&u, &x, &a, &v, NULL), CW_OK);
    assert_unknown(u, BYTES("\x92\x00\x01x\x1b\x08\x01\x1c\x08\x07"));
    v = INT32_MIN;
    assert_int_equal(cw__ext_set(&u, &x, &a, &v, NULL), CW_OK);
    assert_unknown(
        u, BYTES("\x92\x00\x01x\x1b\x08\x01\x1c\x08\x80\x80\x80\x80\xf8\xff\xff\xff\xff\x01"));
    cw_arena_free(&a);
}

/* What was got from the bytes without copying may be set again. */
static void sets_its_own_view(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw__ext x = of_kind(CW_KIND_STRING, sizeof(cw_str));
    cw_unknown *u = kept(&a, BYTES("\x0a\x03xyz\x10\x01"));
    const cw_decode_options alias = {.alias = true};
    cw_str s;
    assert_int_equal(cw__ext_get(u, &x, &a, &alias, &s, NULL, NULL), CW_OK);
    assert_int_equal(cw__ext_set(&u, &x, &a, &s, NULL), CW_OK);
    assert_unknown(u, BYTES("\x10\x01\x0a\x03xyz"));
    cw_arena_free(&a);
}

static void setting_again_takes_no_memory(void **state)
{
    (void)state;
    char block[1024];
    cw_arena a;
    const cw_arena_options o = {.block = block, .block_size = sizeof block, .no_alloc = true};
    cw_arena_init(&a, &o);
    cw__ext x = of_kind(CW_KIND_UINT32, 4);
    cw_unknown *u = NULL;
    for (uint32_t i = 0; i < 100000; i++) {
        assert_int_equal(cw__ext_set(&u, &x, &a, &i, NULL), CW_OK);
    }
    uint32_t last = 0;
    assert_int_equal(cw__ext_get(u, &x, &a, NULL, &last, NULL, NULL), CW_OK);
    assert_int_equal(last, 99999);
}

/* ---- refusals ---------------------------------------------------------------------------------
 */

static void refuse(cw_unknown *u, const cw__ext *x, cw_arena *a, const void *value, cw_status st,
                   const char *path)
{
    cw_error e;
    cw_unknown was = *u;
    assert_int_equal(cw__ext_set(&u, x, a, value, &e), st);
    assert_int_equal(e.status, st);
    assert_string_equal(e.path, path);
    assert_int_equal(cw__ext_set(&u, x, a, value, NULL), st);
    assert_unknown(u, was.data, was.len);
}

static void refuses_what_get_would_not_take(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw_unknown *u = kept(&a, BYTES("\x08\x01"));
    cw__ext x = of_kind(CW_KIND_STRING, sizeof(cw_str));
    x.check_utf8 = true;
    cw_str words[] = {CW_STR_INIT("a"), CW_STR_INIT("\xff")};
    refuse(u, &x, &a, &words[1], CW_ERR_UTF8, "x.e");
    x.repeated = true;
    cw_str_list list = {words, 2, 0};
    refuse(u, &x, &a, &list, CW_ERR_UTF8, "x.e[1]");
    x = of_kind(CW_KIND_ENUM, 4);
    x.known = is_1_or_2;
    int32_t three = 3;
    refuse(u, &x, &a, &three, CW_ERR_ENUM, "x.e");
    x = of_kind(CW_KIND_MESSAGE, sizeof(google_protobuf_Duration));
    x.message = &strict_message;
    google_protobuf_Duration d[] = {{.seconds = 1}, {.seconds = 0}};
    refuse(u, &x, &a, &d[1], CW_ERR_REQUIRED, "x.e.seconds");
    x.repeated = true;
    google_protobuf_Duration_list durations = {d, 2, 0};
    refuse(u, &x, &a, &durations, CW_ERR_REQUIRED, "x.e[1].seconds");
    u = kept(&a, BYTES("\x08\x01\x00"));
    x = of_kind(CW_KIND_INT32, 4);
    refuse(u, &x, &a, &three, CW_ERR_TAG, "x.e");
    cw_arena_free(&a);
}

/* A value in a list of one, `levels` times around null: each list costs two levels of depth. */
static void nest(cw_arena *a, google_protobuf_Value *v, int levels)
{
    for (int i = 0; i < levels; i++) {
        google_protobuf_ListValue *list = google_protobuf_Value_mut_list_value(v, a);
        assert_non_null(list);
        v = google_protobuf_ListValue_add_values(list, a);
        assert_non_null(v);
    }
    google_protobuf_Value_set_null_value(v, 0);
}

static void value_init(void *m)
{
    google_protobuf_Value_init(m);
}

static uint8_t *value_put(const void *m, cw__encoder *w, uint8_t *p, int depth)
{
    return google_protobuf_Value__enc(m, w, p, depth);
}

static const uint8_t *value_get(void *m, const uint8_t *p, const uint8_t *end, cw__decoder *d,
                                int depth)
{
    return google_protobuf_Value__dec(m, p, end, d, depth);
}

static void depth_is_that_of_get(void **state)
{
    (void)state;
    cw_arena a = {0};
    const cw__ext_message values = {.struct_size = sizeof(google_protobuf_Value),
                                    .init = value_init,
                                    .wire_put = value_put,
                                    .wire_get = value_get};
    cw__ext x = of_kind(CW_KIND_MESSAGE, sizeof(google_protobuf_Value));
    x.message = &values;
    google_protobuf_Value v, back;
    google_protobuf_Value_init(&v);
    nest(&a, &v, 49); /* 1 + 98 levels */
    cw_unknown *u = NULL;
    assert_int_equal(cw__ext_set(&u, &x, &a, &v, NULL), CW_OK);
    assert_int_equal(cw__ext_get(u, &x, &a, NULL, &back, NULL, NULL), CW_OK);
    google_protobuf_Value_init(&v);
    nest(&a, &v, 50); /* 1 + 100 levels */
    cw_error e;
    assert_int_equal(cw__ext_set(&u, &x, &a, &v, &e), CW_ERR_DEPTH);
    cw_arena_free(&a);
}

/* ---- without memory ---------------------------------------------------------------------------
 */

static void survives_without_memory(void **state)
{
    (void)state;
    char text[3000];
    memset(text, 'x', sizeof text);
    cw_str s = cw_str_of(text, sizeof text);
    cw__ext x = of_kind(CW_KIND_STRING, sizeof(cw_str));
    size_t calls = SIZE_MAX;
    for (size_t fail_at = 1; fail_at <= calls + 1; fail_at++) {
        counter c = {.fail_at = fail_at};
        cw_arena a;
        const cw_arena_options o = {.first_block = 256};
        counter_arena(&a, &c, &o);
        cw_unknown *u = NULL;
        cw_status first = cw_arena_alloc(&a, 100) ? CW_OK : CW_ERR_MEMORY;
        first = first == CW_OK ? cw__ext_set(&u, &x, &a, &s, NULL) : first;
        if (first == CW_OK) {
            assert_int_equal(u->len, 3 + sizeof text);
            calls = c.calls < calls ? c.calls : calls;
        } else {
            assert_int_equal(first, CW_ERR_MEMORY);
            assert_int_equal(u ? u->len : 0, 0);
        }
        cw_arena_free(&a);
        assert_int_equal(c.live, 0);
    }
}

/* Limits small and smaller: what does not fit is refused, nothing has changed. */
static void keeps_the_limit(void **state)
{
    (void)state;
    char block[2048];
    char text[300];
    memset(text, 'x', sizeof text);
    cw_str s = cw_str_of(text, sizeof text);
    cw__ext x = of_kind(CW_KIND_STRING, sizeof(cw_str));
    cw__ext other = of_kind(CW_KIND_INT32, 4);
    other.number = 2;
    int32_t v = 5;
    size_t done = 0;
    for (size_t size = 64; size <= sizeof block; size += 8) {
        cw_arena a;
        const cw_arena_options o = {.block = block, .block_size = size, .no_alloc = true};
        cw_arena_init(&a, &o);
        cw_unknown *u = NULL;
        bool with_other = cw__ext_set(&u, &other, &a, &v, NULL) == CW_OK;
        cw_status st = cw__ext_set(&u, &x, &a, &s, NULL);
        assert_true(st == CW_OK || st == CW_ERR_LIMIT);
        assert_int_equal(u ? u->len : 0, (with_other ? 2 : 0) + (st == CW_OK ? 303 : 0));
        done += st == CW_OK;
    }
    assert_true(done > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_numbers),
        cmocka_unit_test(sets_strings),
        cmocka_unit_test(sets_lists),
        cmocka_unit_test(sets_messages),
        cmocka_unit_test(replaces),
        cmocka_unit_test(sets_its_own_view),
        cmocka_unit_test(setting_again_takes_no_memory),
        cmocka_unit_test(refuses_what_get_would_not_take),
        cmocka_unit_test(depth_is_that_of_get),
        cmocka_unit_test(survives_without_memory),
        cmocka_unit_test(keeps_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
