/* SPDX-License-Identifier: MIT */
/* Runs of raw bytes, each path against a loop over bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_support.h"
#include "json_scan.h"

typedef size_t run_path(char *to, const char *s, size_t n, uint64_t *high);

static size_t reference(const uint8_t *s, size_t n, bool *high)
{
    size_t i = 0;
    *high = false;
    while (i < n && s[i] >= ' ' && s[i] != '"' && s[i] != '\\') {
        *high = *high || s[i] >= 0x80;
        i++;
    }
    return i;
}

static void check_path(run_path *path, const uint8_t *s, size_t n)
{
    bool expect_high, any_high = false;
    size_t expected = reference(s, n, &expect_high);
    for (size_t i = 0; i < n; i++) {
        any_high = any_high || s[i] >= 0x80;
    }
    char *to = malloc(n + 1);
    assert_non_null(to);
    to[n] = '#';
    for (int copies = 0; copies < 2; copies++) {
        uint64_t high = 0;
        assert_int_equal(path(copies ? to : NULL, (const char *)s, n, &high), expected);
        assert_true(high ? any_high : !expect_high);
    }
    assert_int_equal(to[n], '#');
    if (expected > 0) {
        assert_memory_equal(to, s, expected);
    }
    free(to);
}

static void check(const uint8_t *s, size_t n)
{
    uint8_t *exact = exact_copy(s, n);
    check_path(cw__json_run, exact, n);
    check_path(cw__json_run_portable, exact, n);
#if CW__AVX2
    if (n >= 64 && cw__have_avx2()) {
        check_path(cw__json_run_avx2, exact, n);
    }
#endif
    free(exact);
}

enum { LONGEST = 200 };

/* One byte that is not plain at every place of every length. */
static void any_place(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0, 0x1f, ' ', '!', '"', '#', '[', '\\', ']', 0x7f, 0x80, 0xff};
    uint8_t text[LONGEST];
    memset(text, 'x', sizeof text);
    for (size_t n = 0; n <= LONGEST; n++) {
        check(text, n);
        for (size_t at = 0; at < n; at++) {
            for (size_t i = 0; i < sizeof bytes; i++) {
                text[at] = bytes[i];
                check(text, n);
            }
            text[at] = 'x';
        }
    }
}

/* Every byte, in the middle of a word and of a block. */
static void every_byte(void **state)
{
    (void)state;
    uint8_t text[96];
    memset(text, 'x', sizeof text);
    for (int byte = 0; byte < 256; byte++) {
        text[5] = (uint8_t)byte;
        check(text, 6);
        check(text, 11);
        text[5] = 'x';
        text[50] = (uint8_t)byte;
        check(text, sizeof text);
        text[50] = 'x';
    }
}

/* Two bytes that are not plain: the first one counts, and what is behind it may be anything. */
static void two_places(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {'"', '\\', '\n', 0xc3};
    uint8_t text[150];
    memset(text, 'x', sizeof text);
    for (size_t n = 1; n <= sizeof text; n += n < 20 ? 1 : 13) {
        for (size_t a = 0; a < n; a++) {
            for (size_t b = a + 1; b < n; b++) {
                text[a] = bytes[(a + b) % 4];
                text[b] = bytes[(a * 3 + b / 2) % 4];
                check(text, n);
                text[a] = text[b] = 'x';
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_place),
        cmocka_unit_test(every_byte),
        cmocka_unit_test(two_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
