/* SPDX-License-Identifier: MIT */
/* Unknown fields: kept byte for byte, groups matched and bounded, wrong tags refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_support.h"
#include "cwire/wire.h"

#define BYTES(s) s, sizeof(s) - 1

/* Reads a message of which no field is known, as generated code would. */
static cw_status read_all(const uint8_t *bytes, size_t n, size_t input, cw_arena *a,
                          const cw_decode_options *o, cw_unknown **u, cw_error *e)
{
    cw__decoder d;
    int depth = cw__decode_begin(&d, bytes, input, a, o, e);
    const uint8_t *p = d.begin, *end = d.begin + n;
    while (p && p < end) {
        const uint8_t *start = p;
        uint32_t tag;
        p = cw__get_tag(&d, p, end, &tag);
        p = p ? cw__get_unknown(&d, start, p, end, tag, u, depth) : NULL;
    }
    assert_true(!p || p == end);
    assert_int_equal(p == NULL, d.status != CW_OK);
    return cw__decode_end(&d, "a.B");
}

typedef struct row {
    int line;
    const char *bytes;
    size_t n;
    cw_status status;
    size_t offset;
} row;

static const row rows[] = {
    {__LINE__, BYTES(""), CW_OK, 0},
    {__LINE__, BYTES("\x08\x96\x01"), CW_OK, 0},
    {__LINE__,
     BYTES("\x09"
           "12345678"),
     CW_OK, 0},
    {__LINE__,
     BYTES("\x0d"
           "1234"),
     CW_OK, 0},
    {__LINE__, BYTES("\x0a\x03xyz\x08\x01\x82\x01\x00"), CW_OK, 0},
    {__LINE__, BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), CW_OK, 0},
    {__LINE__, BYTES("\xf8\xff\xff\xff\x0f\x01"), CW_OK, 0},
    /* groups: B34 */
    {__LINE__, BYTES("\x1b\x08\x05\x1c"), CW_OK, 0},
    {__LINE__, BYTES("\x1b\x1c\x08\x01"), CW_OK, 0},
    {__LINE__,
     BYTES("\x1b\x0b\x12\x01x\x0c\x0d"
           "1234\x1c"),
     CW_OK, 0},
    {__LINE__, BYTES("\x83\x01\x1b\x1c\x84\x01"), CW_OK, 0},
    {__LINE__, BYTES("\x1b\x08\x05\x2c"), CW_ERR_GROUP, 3},
    {__LINE__, BYTES("\x1b\x08\x05"), CW_ERR_TRUNCATED, 0},
    {__LINE__, BYTES("\x0c"), CW_ERR_GROUP, 0},
    {__LINE__, BYTES("\x08\x01\x0c"), CW_ERR_GROUP, 2},
    {__LINE__, BYTES("\x1b\x0b\x1c\x0c"), CW_ERR_GROUP, 2},
    {__LINE__, BYTES("\x1b\x1c\x1c"), CW_ERR_GROUP, 2},
    {__LINE__, BYTES("\x1b\x84\x01"), CW_ERR_GROUP, 1},
    /* tags: B35 */
    {__LINE__, BYTES("\x00\x08\x02"), CW_ERR_TAG, 0},
    {__LINE__, BYTES("\x08\x01\x00\x08\x02"), CW_ERR_TAG, 2},
    {__LINE__, BYTES("\x01\x08\x02"), CW_ERR_TAG, 0},
    {__LINE__, BYTES("\x03\x04"), CW_ERR_TAG, 0},
    {__LINE__, BYTES("\x80\x00\x01"), CW_ERR_TAG, 0},
    {__LINE__, BYTES("\x0e\x01"), CW_ERR_TAG, 0},
    {__LINE__, BYTES("\x0f\x01"), CW_ERR_TAG, 0},
    {__LINE__, BYTES("\x86\x01\x01"), CW_ERR_TAG, 0},
    {__LINE__, BYTES("\x1b\x00\x01\x1c"), CW_ERR_TAG, 1},
    {__LINE__, BYTES("\x1b\x04\x1c"), CW_ERR_TAG, 1},
    {__LINE__, BYTES("\x1b\x03\x1c"), CW_ERR_TAG, 1},
    {__LINE__, BYTES("\x1b\x0e\x1c"), CW_ERR_TAG, 1},
    /* values */
    {__LINE__, BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), CW_ERR_VARINT, 1},
    {__LINE__, BYTES("\x0a\xff\xff\xff\xff\x0f"), CW_ERR_LENGTH, 1},
    {__LINE__, BYTES("\x0a\x02x"), CW_ERR_TRUNCATED, 1},
    {__LINE__, BYTES("\x1b\x0a\x02x"), CW_ERR_TRUNCATED, 2},
};

static void fields_are_kept_or_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t *exact = exact_copy(rows[i].bytes, rows[i].n);
        for (int keep = 0; keep < 2; keep++) {
            cw_arena a = {0};
            cw_unknown *u = NULL;
            cw_error e = {0};
            cw_status st = read_all(exact, rows[i].n, rows[i].n, &a, NULL, keep ? &u : NULL, &e);
            if (st != rows[i].status || (st != CW_OK && e.offset != rows[i].offset)) {
                fail_msg("row at line %d: %s at %zu", rows[i].line, cw_status_name(st), e.offset);
            }
            if (!keep || rows[i].n == 0) {
                assert_null(u);
            } else if (st == CW_OK) {
                assert_int_equal(u->len, rows[i].n);
                assert_memory_equal(u->data, rows[i].bytes, rows[i].n);
            }
            cw_arena_free(&a);
        }
        free(exact);
    }
}

/* A prefix is whole fields and is taken, or ends inside one and is refused. */
static void prefixes(void **state)
{
    (void)state;
    static const char text[] = "\x08\x96\x01\x0a\x02zz\x1b\x08\x05\x1c\x0d"
                               "1234\x82\x01\x01x\x09"
                               "12345678";
    static const size_t whole[] = {0, 3, 7, 11, 16, 20, 29};
    for (size_t n = 0; n < sizeof text; n++) {
        bool ends_field = false;
        for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) {
            ends_field = ends_field || whole[k] == n;
        }
        uint8_t *exact = exact_copy(text, n);
        cw_arena a = {0};
        cw_unknown *u = NULL;
        cw_error e;
        cw_status st = read_all(exact, n, n, &a, NULL, &u, &e);
        assert_int_equal(st, ends_field ? CW_OK : CW_ERR_TRUNCATED);
        if (st == CW_OK && n > 0) {
            assert_int_equal(u->len, n);
            assert_memory_equal(u->data, text, n);
        }
        cw_arena_free(&a);
        free(exact);
    }
}

/* Fields that run past the message, though not past the input. */
static void inside_a_submessage(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *bytes;
        size_t n, message;
        cw_status status;
    } cut[] = {
        {__LINE__, BYTES("\x08\x96\x01\x08\x01"), 2, CW_ERR_LENGTH},
        {__LINE__, BYTES("\x0a\x02yz\x08\x01"), 3, CW_ERR_LENGTH},
        {__LINE__,
         BYTES("\x0d"
               "1234"),
         3, CW_ERR_TRUNCATED},
        {__LINE__,
         BYTES("\x09"
               "12345678"),
         8, CW_ERR_TRUNCATED},
        {__LINE__, BYTES("\x1b\x08\x01\x1c"), 3, CW_ERR_GROUP},
        {__LINE__, BYTES("\x82\x01\x00"), 1, CW_ERR_TRUNCATED},
    };
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        cw_arena a = {0};
        uint8_t *exact = exact_copy(cut[i].bytes, cut[i].n);
        cw_status st = read_all(exact, cut[i].message, cut[i].n, &a, NULL, NULL, NULL);
        if (st != cut[i].status) {
            fail_msg("row at line %d: %s", cut[i].line, cw_status_name(st));
        }
        free(exact);
        cw_arena_free(&a);
    }
}

/* B33: n groups in each other; `close`: with their ends. */
static cw_status nested(size_t n, bool close, unsigned depth, cw_arena *a, cw_unknown **u)
{
    uint8_t *bytes = malloc(2 * n);
    memset(bytes, 0x1b, n);
    memset(bytes + n, 0x1c, n);
    size_t len = close ? 2 * n : n;
    cw_status st = read_all(bytes, len, len, a, &(cw_decode_options){.depth = depth}, u, NULL);
    free(bytes);
    return st;
}

static void groups_are_bounded(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw_unknown *u = NULL;
    assert_int_equal(nested(100, true, 0, &a, &u), CW_OK);
    assert_int_equal(u->len, 200);
    assert_int_equal(nested(101, true, 0, &a, NULL), CW_ERR_DEPTH);
    assert_int_equal(nested(100000, false, 0, &a, NULL), CW_ERR_DEPTH);
    assert_int_equal(nested(1, true, 1, &a, NULL), CW_OK);
    assert_int_equal(nested(2, true, 1, &a, NULL), CW_ERR_DEPTH);
    assert_int_equal(nested(99, false, 0, &a, NULL), CW_ERR_TRUNCATED);
    /* A caller who allows it may nest deeper than what is kept on the stack. */
    assert_int_equal(nested(100000, true, 100000, &a, NULL), CW_OK);
    assert_int_equal(nested(100001, true, 100000, &a, NULL), CW_ERR_DEPTH);
    cw_arena_free(&a);
    cw_arena_init(&a, &(cw_arena_options){.no_alloc = true});
    assert_int_equal(nested(100, true, 1000, &a, NULL), CW_OK);
    assert_int_equal(nested(101, true, 1000, &a, NULL), CW_ERR_LIMIT);
    /* A depth that is used up: generated code passes what is left. */
    cw__decoder d;
    static const uint8_t group[] = "\x1b\x1c";
    cw__decode_begin(&d, group, 2, &a, NULL, NULL);
    assert_null(cw__get_unknown(&d, group, group + 1, group + 2, 0x1b, NULL, 0));
    assert_int_equal(d.status, CW_ERR_DEPTH);
    cw__decode_end(&d, "A");
    cw_arena_free(&a);
}

/* Megabytes of small unknown fields, with other allocations between: memory stays linear. */
static void growth_is_linear(void **state)
{
    (void)state;
    counter c = {0};
    cw_arena a;
    counter_arena(&a, &c, NULL);
    cw_unknown *u = NULL;
    const size_t n = 500000;
    for (size_t i = 0; i < n; i++) {
        assert_true(cw__unknown_add(&a, &u, "\x08\x01", 2));
        assert_non_null(cw_arena_alloc(&a, 1));
    }
    assert_int_equal(u->len, 2 * n);
    for (size_t i = 0; i < 2 * n; i += 2) {
        assert_true(u->data[i] == 8 && u->data[i + 1] == 1);
    }
    assert_true(c.live_bytes < 8 * 2 * n + 8 * n + (1 << 21));
    cw_arena_free(&a);
}

static void closed_enum_values(void **state)
{
    (void)state;
    cw_arena a = {0};
    cw__decoder d;
    cw_unknown *u = NULL;
    cw__decode_begin(&d, NULL, 0, &a, NULL, NULL);
    assert_true(cw__unknown_varint(&d, &u, 1 << 3, 7));
    assert_true(cw__unknown_varint(&d, &u, 16 << 3, (uint64_t)-1));
    assert_true(cw__unknown_varint(&d, &u, 536870911u << 3, UINT64_MAX));
    assert_int_equal(u->len, 2 + 12 + 15);
    assert_memory_equal(u->data,
                        "\x08\x07"
                        "\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
                        "\xf8\xff\xff\xff\x0f\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                        29);
    assert_int_equal(cw__decode_end(&d, "A"), CW_OK);
    assert_true(cw__unknown_add(&a, &u, NULL, 0));
    assert_int_equal(u->len, 29);
    cw_arena_free(&a);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    uint8_t bytes[9000];
    for (size_t i = 0; i < sizeof bytes; i += 3) {
        memcpy(bytes + i, "\x0a\x01x", 3);
    }
    cw_status st = CW_ERR_MEMORY;
    size_t n;
    for (n = 1; st != CW_OK; n++) {
        counter c = {.fail_at = n};
        cw_arena a;
        counter_arena(&a, &c, &(cw_arena_options){.first_block = 128});
        cw_unknown *u = NULL;
        cw_error e = {0};
        st = read_all(bytes, sizeof bytes, sizeof bytes, &a, NULL, &u, &e);
        if (st != CW_OK) {
            assert_int_equal(st, CW_ERR_MEMORY);
            assert_int_equal(e.status, CW_ERR_MEMORY);
            assert_true(e.offset % 3 == 0);
        } else {
            assert_int_equal(u->len, sizeof bytes);
            assert_memory_equal(u->data, bytes, sizeof bytes);
        }
        cw_arena_free(&a);
        assert_int_equal(c.live, 0);
    }
    assert_true(n > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_kept_or_refused), cmocka_unit_test(prefixes),
        cmocka_unit_test(inside_a_submessage),        cmocka_unit_test(groups_are_bounded),
        cmocka_unit_test(growth_is_linear),           cmocka_unit_test(closed_enum_values),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
