/* SPDX-License-Identifier: MIT */
/* See cmocka.h beside this file. */
#include "cmocka.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { PASSED, FAILED, SKIPPED };

/* Where a failed assertion returns to; a test program is one thread. */
static jmp_buf leave_test;
static bool in_test;

void print_message(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

void print_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fflush(stdout);
    vfprintf(stderr, format, args);
    va_end(args);
}

_Noreturn static void leave(int outcome)
{
    if (!in_test) {
        exit(1);
    }
    longjmp(leave_test, outcome);
}

_Noreturn void _fail(const char *file, int line)
{
    print_error("%s:%d: error: Failure!\n", file, line);
    leave(FAILED);
}

_Noreturn void _skip(const char *file, int line)
{
    print_message("%s:%d: skipped\n", file, line);
    leave(SKIPPED);
}

void _assert_true(LargestIntegralType result, const char *expression, const char *file, int line)
{
    if (!result) {
        print_error("%s\n", expression);
        _fail(file, line);
    }
}

void _assert_int_equal(LargestIntegralType a, LargestIntegralType b, const char *file, int line)
{
    if (a != b) {
        print_error("%#" PRIxMAX " != %#" PRIxMAX "\n", a, b);
        _fail(file, line);
    }
}

void _assert_int_not_equal(LargestIntegralType a, LargestIntegralType b, const char *file, int line)
{
    if (a == b) {
        print_error("%#" PRIxMAX " == %#" PRIxMAX "\n", a, b);
        _fail(file, line);
    }
}

void _assert_in_range(LargestIntegralType value, LargestIntegralType low, LargestIntegralType high,
                      const char *file, int line)
{
    if (value < low || value > high) {
        print_error("%" PRIuMAX " is not within %" PRIuMAX "-%" PRIuMAX "\n", value, low, high);
        _fail(file, line);
    }
}

void _assert_string_equal(const char *a, const char *b, const char *file, int line)
{
    if (strcmp(a, b) != 0) {
        print_error("\"%s\" != \"%s\"\n", a, b);
        _fail(file, line);
    }
}

void _assert_string_not_equal(const char *a, const char *b, const char *file, int line)
{
    if (strcmp(a, b) == 0) {
        print_error("\"%s\" == \"%s\"\n", a, b);
        _fail(file, line);
    }
}

void _assert_memory_equal(const void *a, const void *b, size_t size, const char *file, int line)
{
    const unsigned char *left = a;
    const unsigned char *right = b;
    for (size_t i = 0; i < size; i++) {
        if (left[i] != right[i]) {
            print_error("difference at offset %zu: 0x%02x 0x%02x\n", i, left[i], right[i]);
            _fail(file, line);
        }
    }
}

void _assert_memory_not_equal(const void *a, const void *b, size_t size, const char *file, int line)
{
    if (memcmp(a, b, size) == 0) {
        print_error("%zu equal bytes\n", size);
        _fail(file, line);
    }
}

/* Apart from run_test, so that no local lives across the setjmp. */
static int call_test(CMUnitTestFunction test, void **state)
{
    switch (setjmp(leave_test)) {
    case PASSED:
        in_test = true;
        test(state);
        return PASSED;
    case SKIPPED:
        return SKIPPED;
    default:
        return FAILED;
    }
}

static int run_test(const struct CMUnitTest *test, void *group_state)
{
    static const char *const words[] = {"       OK", "  FAILED ", " SKIPPED "};
    void *state = test->initial_state != NULL ? test->initial_state : group_state;
    print_message("[ RUN      ] %s\n", test->name);
    fflush(stdout);
    if (test->setup_func != NULL && test->setup_func(&state) != 0) {
        print_error("%s: set-up failed\n", test->name);
        return FAILED;
    }
    int outcome = call_test(test->test_func, &state);
    in_test = false;
    if (test->teardown_func != NULL && test->teardown_func(&state) != 0) {
        print_error("%s: tear-down failed\n", test->name);
        outcome = FAILED;
    }
    print_message("[%s ] %s\n", words[outcome], test->name);
    return outcome;
}

int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                            CMFixtureFunction setup, CMFixtureFunction teardown)
{
    void *state = NULL;
    int failed = 0;
    print_message("[==========] %s: %zu test(s).\n", group, count);
    if (setup != NULL && setup(&state) != 0) {
        print_error("%s: set-up failed\n", group);
        return (int)count;
    }
    for (size_t i = 0; i < count; i++) {
        failed += run_test(&tests[i], state) == FAILED;
    }
    if (teardown != NULL && teardown(&state) != 0) {
        print_error("%s: tear-down failed\n", group);
        failed++;
    }
    print_message("[==========] %zu run, %d failed.\n", count, failed);
    return failed;
}
