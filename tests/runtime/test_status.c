/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cwire/status.h"

static void texts_and_names(void **state)
{
    (void)state;
    assert_int_equal(CW_OK, 0);
    assert_string_equal(cw_status_text(CW_OK), "ok");
    assert_string_equal(cw_status_name(CW_OK), "CW_OK");
    assert_string_equal(cw_status_text(CW_ERR_UTF8), "invalid UTF-8");
    assert_string_equal(cw_status_name(CW_ERR_UTF8), "CW_ERR_UTF8");
    assert_string_equal(cw_status_name(CW_ERR_UNSUPPORTED), "CW_ERR_UNSUPPORTED");
    assert_string_equal(cw_status_text(CW_STATUS_COUNT), "unknown status");
    assert_string_equal(cw_status_text((cw_status)1000), "unknown status");
    assert_string_equal(cw_status_name((cw_status)1000), "unknown status");
    for (int i = 0; i < CW_STATUS_COUNT; i++) {
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(cw_status_text((cw_status)i), cw_status_text((cw_status)k));
            assert_string_not_equal(cw_status_name((cw_status)i), cw_status_name((cw_status)k));
        }
    }
}

static void prints(void **state)
{
    (void)state;
    static const struct {
        int line;
        cw_error e;
        const char *text;
    } rows[] = {
        {__LINE__,
         {CW_ERR_TYPE, 40, 12, 7, "expected an integer", "shop.Order.items[3].qty"},
         "shop.Order.items[3].qty: expected an integer at 12:7"},
        {__LINE__,
         {CW_ERR_TRUNCATED, 17, 0, 0, NULL, "shop.Order.id"},
         "shop.Order.id: input ends inside a field at byte 17"},
        {__LINE__,
         {CW_ERR_TRUNCATED, 0, 0, 0, NULL, "A"},
         "A: input ends inside a field at byte 0"},
        {__LINE__,
         {CW_ERR_REQUIRED, SIZE_MAX, 0, 0, NULL, "a.B.c"},
         "a.B.c: required field is missing"},
        {__LINE__, {CW_ERR_MEMORY, SIZE_MAX, 0, 0, NULL, ""}, "out of memory"},
        {__LINE__, {CW_OK, SIZE_MAX, 0, 0, NULL, ""}, "ok"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t len = strlen(rows[i].text);
        for (size_t cap = 0; cap <= len + 2; cap++) {
            char *buf = malloc(cap ? cap : 1);
            size_t n = cw_error_print(&rows[i].e, cap ? buf : NULL, cap);
            if (n != len) {
                fail_msg("row at line %d: length %zu, not %zu", rows[i].line, n, len);
            }
            if (cap > 0) {
                size_t kept = len < cap ? len : cap - 1;
                if (strlen(buf) != kept || strncmp(buf, rows[i].text, kept) != 0) {
                    fail_msg("row at line %d, cap %zu: %s", rows[i].line, cap, buf);
                }
            }
            free(buf);
        }
    }
}

static void first_failure_wins(void **state)
{
    (void)state;
    cw_error e;
    memset(&e, 0xaa, sizeof e);
    cw__error_clear(&e);
    assert_int_equal(e.status, CW_OK);
    assert_true(e.offset == SIZE_MAX);
    assert_int_equal(e.line, 0);
    assert_int_equal(e.column, 0);
    assert_null(e.detail);
    assert_string_equal(e.path, "");
    cw__error_set(&e, CW_ERR_UTF8, 5, "first");
    cw__error_set(&e, CW_ERR_TAG, 6, "second");
    assert_int_equal(e.status, CW_ERR_UTF8);
    assert_int_equal(e.offset, 5);
    assert_string_equal(e.detail, "first");
}

static void builds_paths(void **state)
{
    (void)state;
    cw_error e;
    cw__error_clear(&e);
    cw__error_set(&e, CW_ERR_RANGE, 0, NULL);
    cw__error_prefix(&e, "qty", SIZE_MAX);
    assert_string_equal(e.path, ".qty");
    cw__error_prefix(&e, NULL, SIZE_MAX);
    assert_string_equal(e.path, ".qty");
    cw__error_prefix(&e, NULL, 3);
    assert_string_equal(e.path, "[3].qty");
    e.path[0] = 0;
    cw__error_prefix(&e, "qty", SIZE_MAX);
    cw__error_prefix(&e, "items", 3);
    assert_string_equal(e.path, ".items[3].qty");
    cw__error_prefix_key(&e, "by_name", "a b", 3);
    assert_string_equal(e.path, ".by_name[\"a b\"].items[3].qty");
    cw__error_root(&e, "shop.Order");
    assert_string_equal(e.path, "shop.Order.by_name[\"a b\"].items[3].qty");
}

static void accepts_null(void **state)
{
    (void)state;
    cw__error_clear(NULL);
    cw__error_set(NULL, CW_ERR_TAG, 0, NULL);
    cw__error_prefix(NULL, "a", 0);
    cw__error_prefix_key(NULL, "a", "b", 1);
    cw__error_root(NULL, "a");
    cw__error_locate(NULL, "a", 1);
}

/* The end of a path stays, whatever the lengths of its segments are. */
static void long_paths_lose_their_front(void **state)
{
    (void)state;
    char name[CW_ERROR_PATH_MAX * 2 + 1];
    for (size_t len = 1; len < sizeof name; len++) {
        char whole[sizeof name * 4];
        size_t n = 0;
        memset(name, 'n', len);
        name[len] = 0;
        name[0] = 'x';
        cw_error e;
        cw__error_clear(&e);
        cw__error_prefix(&e, "last", 7);
        cw__error_prefix(&e, name, SIZE_MAX);
        cw__error_prefix(&e, "mid", SIZE_MAX);
        cw__error_root(&e, "p.M");
        memcpy(whole, "p.M.mid.", 8);
        n = 8;
        memcpy(whole + n, name, len);
        n += len;
        memcpy(whole + n, ".last[7]", 9);
        n += 8;
        if (n < CW_ERROR_PATH_MAX) {
            assert_string_equal(e.path, whole);
        } else {
            size_t kept = strlen(e.path);
            assert_int_equal(kept, CW_ERROR_PATH_MAX - 1);
            assert_memory_equal(e.path, "...", 3);
            assert_string_equal(e.path + 3, whole + n - (kept - 3));
        }
    }
}

static void locates(void **state)
{
    (void)state;
    static const char text[] = "ab\nc\n\nd";
    static const struct {
        int at;
        size_t offset, line, column;
    } rows[] = {
        {__LINE__, 0, 1, 1}, {__LINE__, 2, 1, 3}, {__LINE__, 3, 2, 1}, {__LINE__, 4, 2, 2},
        {__LINE__, 5, 3, 1}, {__LINE__, 6, 4, 1}, {__LINE__, 7, 4, 2}, {__LINE__, 99, 4, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cw_error e;
        cw__error_clear(&e);
        cw__error_set(&e, CW_ERR_SYNTAX, rows[i].offset, NULL);
        cw__error_locate(&e, text, sizeof text - 1);
        if (e.line != rows[i].line || e.column != rows[i].column) {
            fail_msg("row at line %d: %zu:%zu", rows[i].at, e.line, e.column);
        }
    }
    cw_error none;
    cw__error_clear(&none);
    cw__error_locate(&none, text, sizeof text - 1);
    assert_int_equal(none.line, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_names),
        cmocka_unit_test(prints),
        cmocka_unit_test(first_failure_wins),
        cmocka_unit_test(builds_paths),
        cmocka_unit_test(accepts_null),
        cmocka_unit_test(long_paths_lose_their_front),
        cmocka_unit_test(locates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
