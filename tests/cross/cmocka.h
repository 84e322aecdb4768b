/* SPDX-License-Identifier: MIT */
/*
 * The part of cmocka's interface that tests/runtime and tests/generated use, for machines that
 * Debian has a cross compiler but no cmocka for. A test that compiles here compiles with cmocka;
 * what is missing here is added when a test wants it. One thread, no mocks.
 */
#ifndef CWIRE_TESTS_CROSS_CMOCKA_H
#define CWIRE_TESTS_CROSS_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uintmax_t LargestIntegralType;

typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
    const char *name;
    CMUnitTestFunction test_func;
    CMFixtureFunction setup_func;
    CMFixtureFunction teardown_func;
    void *initial_state;
};

#define cmocka_unit_test(f)                                                                        \
    {                                                                                              \
#f, f, NULL, NULL, NULL                                                                    \
    }
#define cmocka_unit_test_setup(f, setup)                                                           \
    {                                                                                              \
#f, f, setup, NULL, NULL                                                                   \
    }
#define cmocka_unit_test_teardown(f, teardown)                                                     \
    {                                                                                              \
#f, f, NULL, teardown, NULL                                                                \
    }
#define cmocka_unit_test_setup_teardown(f, setup, teardown)                                        \
    {                                                                                              \
#f, f, setup, teardown, NULL                                                               \
    }
#define cmocka_unit_test_prestate(f, state)                                                        \
    {                                                                                              \
#f, f, NULL, NULL, state                                                                   \
    }

#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    _cmocka_run_group_tests(#tests, tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    _cmocka_run_group_tests(name, tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)

/* Runs the tests one after the other and prints their names; returns how many failed. */
int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                            CMFixtureFunction setup, CMFixtureFunction teardown);

/* Prints the place and leaves the running test. */
_Noreturn void _fail(const char *file, int line);
_Noreturn void _skip(const char *file, int line);

void print_message(const char *format, ...);
void print_error(const char *format, ...);

void _assert_true(LargestIntegralType result, const char *expression, const char *file, int line);
void _assert_int_equal(LargestIntegralType a, LargestIntegralType b, const char *file, int line);
void _assert_int_not_equal(LargestIntegralType a, LargestIntegralType b, const char *file,
                           int line);
void _assert_in_range(LargestIntegralType value, LargestIntegralType low, LargestIntegralType high,
                      const char *file, int line);
void _assert_string_equal(const char *a, const char *b, const char *file, int line);
void _assert_string_not_equal(const char *a, const char *b, const char *file, int line);
void _assert_memory_equal(const void *a, const void *b, size_t size, const char *file, int line);
void _assert_memory_not_equal(const void *a, const void *b, size_t size, const char *file,
                              int line);

#define cast_to_largest_integral_type(value)     ((LargestIntegralType)(value))
#define cast_ptr_to_largest_integral_type(value) ((LargestIntegralType)(uintptr_t)(value))

#define fail() _fail(__FILE__, __LINE__)
#define skip() _skip(__FILE__, __LINE__)
#define fail_msg(...)                                                                              \
    do {                                                                                           \
        print_error("error: " __VA_ARGS__);                                                        \
        print_error("\n");                                                                         \
        fail();                                                                                    \
    } while (0)

#define assert_true(c)     _assert_true((c) ? 1 : 0, #c, __FILE__, __LINE__)
#define assert_false(c)    _assert_true((c) ? 0 : 1, "!(" #c ")", __FILE__, __LINE__)
#define assert_null(p)     _assert_true((p) == NULL, #p " == NULL", __FILE__, __LINE__)
#define assert_non_null(p) _assert_true((p) != NULL, #p " != NULL", __FILE__, __LINE__)
#define assert_int_equal(a, b)                                                                     \
    _assert_int_equal(cast_to_largest_integral_type(a), cast_to_largest_integral_type(b),          \
                      __FILE__, __LINE__)
#define assert_int_not_equal(a, b)                                                                 \
    _assert_int_not_equal(cast_to_largest_integral_type(a), cast_to_largest_integral_type(b),      \
                          __FILE__, __LINE__)
#define assert_ptr_equal(a, b)                                                                     \
    _assert_int_equal(cast_ptr_to_largest_integral_type(a), cast_ptr_to_largest_integral_type(b),  \
                      __FILE__, __LINE__)
#define assert_ptr_not_equal(a, b)                                                                 \
    _assert_int_not_equal(cast_ptr_to_largest_integral_type(a),                                    \
                          cast_ptr_to_largest_integral_type(b), __FILE__, __LINE__)
#define assert_in_range(value, low, high)                                                          \
    _assert_in_range(cast_to_largest_integral_type(value), cast_to_largest_integral_type(low),     \
                     cast_to_largest_integral_type(high), __FILE__, __LINE__)
#define assert_string_equal(a, b)     _assert_string_equal(a, b, __FILE__, __LINE__)
#define assert_string_not_equal(a, b) _assert_string_not_equal(a, b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, size)                                                            \
    _assert_memory_equal((const void *)(a), (const void *)(b), size, __FILE__, __LINE__)
#define assert_memory_not_equal(a, b, size)                                                        \
    _assert_memory_not_equal((const void *)(a), (const void *)(b), size, __FILE__, __LINE__)

#endif
