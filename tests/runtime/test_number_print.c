/* SPDX-License-Identifier: MIT */
/*
 * Printing numbers. The C library's snprintf and strtod, exact in glibc, are the reference of the
 * random sweeps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "number.h"
#include "number_bits.h"

/* The text as a C string, printed into a heap block of the documented size. */
static void print_double(char text[CW__DOUBLE_MAX + 1], double v)
{
    char *room = malloc(CW__DOUBLE_MAX);
    assert_non_null(room);
    size_t len = cw__print_double(room, v);
    assert_in_range(len, 1, 25);
    memcpy(text, room, len);
    text[len] = 0;
    free(room);
}

static void print_float(char text[CW__DOUBLE_MAX + 1], float v)
{
    char *room = malloc(CW__DOUBLE_MAX);
    assert_non_null(room);
    size_t len = cw__print_float(room, v);
    assert_in_range(len, 1, 25);
    memcpy(text, room, len);
    text[len] = 0;
    free(room);
}

static void doubles(void **state)
{
    (void)state;
    static const struct {
        int line;
        double v;
        const char *text;
    } rows[] = {
        {__LINE__, 0.0, "0"},
        {__LINE__, -0.0, "-0"},
        {__LINE__, 1.0, "1"},
        {__LINE__, 9.0, "9"},
        {__LINE__, 10.0, "10"},
        {__LINE__, -100.0, "-100"},
        {__LINE__, 99999999.0, "99999999"},
        {__LINE__, 100000000.0, "100000000"},
        {__LINE__, 123456789012.0, "123456789012"},
        {__LINE__, 9007199254740991.0, "9007199254740991"},
        {__LINE__, 9007199254740993.0, "9007199254740992"},
        {__LINE__, 9007199254740994.0, "9007199254740994"},
        {__LINE__, 0.1, "0.1"},
        {__LINE__, 0.3, "0.3"},
        {__LINE__, 0.1 + 0.2, "0.30000000000000004"},
        {__LINE__, 0.5, "0.5"},
        {__LINE__, -1.5, "-1.5"},
        {__LINE__, 1.0 / 3, "0.3333333333333333"},
        {__LINE__, 2.0 / 3, "0.6666666666666666"},
        {__LINE__, 123.456, "123.456"},
        {__LINE__, 12345678.9, "12345678.9"},
        {__LINE__, 123456789.12345679, "123456789.12345679"},
        {__LINE__, 1234567890.1234567, "1234567890.1234567"},
        {__LINE__, 2251799813685249.5, "2251799813685249.5"},
        {__LINE__, 1125899906842624.25, "1125899906842624.2"}, /* of two as close, the even one */
        {__LINE__, 1125899906842624.75, "1125899906842624.8"},
        {__LINE__, 999999999999999.9, "999999999999999.9"},
        {__LINE__, 1e20, "100000000000000000000"},
        {__LINE__, 123456789012345680000.0, "123456789012345680000"},
        {__LINE__, 999999999999999900000.0, "999999999999999900000"},
        {__LINE__, 1e21, "1e+21"},
        {__LINE__, 1.5e21, "1.5e+21"},
        {__LINE__, 1e22, "1e+22"},
        {__LINE__, 1e23, "1e+23"},
        {__LINE__, 1.0000000000000001e23, "1.0000000000000001e+23"},
        {__LINE__, 0.001, "0.001"},
        {__LINE__, 0.000001, "0.000001"},
        {__LINE__, 0.0000012345678901234567, "0.0000012345678901234567"},
        {__LINE__, 1e-7, "1e-7"},
        {__LINE__, 1.25e-7, "1.25e-7"},
        {__LINE__, 9.5367431640625e-7, "9.5367431640625e-7"},
        {__LINE__, 0x1p-44,
         "5.684341886080802e-14"}, /* ...801 is as close, but does not read back */
        {__LINE__, 2.9802322387695312e-8, "2.9802322387695312e-8"}, /* 2^-25: a tie of two ends */
        {__LINE__, 3543 / 1048576.0, "0.0033788681030273438"},      /* exact: ...4375 */
        {__LINE__, 9.5e-10, "9.5e-10"},
        {__LINE__, 1e-10, "1e-10"},
        {__LINE__, 1e100, "1e+100"},
        {__LINE__, DBL_TRUE_MIN, "5e-324"},
        {__LINE__, -DBL_TRUE_MIN, "-5e-324"},
        {__LINE__, 1e-323, "1e-323"},
        {__LINE__, 2.225073858507201e-308, "2.225073858507201e-308"},
        {__LINE__, DBL_MIN, "2.2250738585072014e-308"},
        {__LINE__, DBL_MAX, "1.7976931348623157e+308"},
        {__LINE__, -DBL_MAX, "-1.7976931348623157e+308"},
        {__LINE__, 2.98023223876953125e-8, "2.9802322387695312e-8"},
        {__LINE__, 4.35, "4.35"},
        {__LINE__, 4.349999999999999, "4.349999999999999"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[CW__DOUBLE_MAX + 1];
        print_double(text, rows[i].v);
        if (strcmp(text, rows[i].text) != 0) {
            print_error("row at line %d: printed %s\n", rows[i].line, text);
            fail();
        }
    }
}

static void floats(void **state)
{
    (void)state;
    static const struct {
        int line;
        float v;
        const char *text;
    } rows[] = {
        {__LINE__, 0.0f, "0"},
        {__LINE__, -0.0f, "-0"},
        {__LINE__, 1.0f, "1"},
        {__LINE__, 16777215.0f, "16777215"},
        {__LINE__, 16777216.0f, "16777216"},
        {__LINE__, 16777218.0f, "16777218"},
        {__LINE__, 33554432.0f, "33554432"},
        {__LINE__, 8388608.5f, "8388608"},
        {__LINE__, 4194304.5f, "4194304.5"},
        {__LINE__, 0.1f, "0.1"},
        {__LINE__, 0.3f, "0.3"},
        {__LINE__, -1.5f, "-1.5"},
        {__LINE__, 3.14159274f, "3.1415927"},
        {__LINE__, 1.17549435e-38f, "1.1754944e-38"},
        {__LINE__, FLT_MAX, "3.4028235e+38"},
        {__LINE__, -FLT_MAX, "-3.4028235e+38"},
        {__LINE__, FLT_TRUE_MIN, "1e-45"},
        {__LINE__, 3e-45f, "3e-45"},
        {__LINE__, 1e20f, "100000000000000000000"},
        {__LINE__, 1e21f, "1e+21"},
        {__LINE__, 123456789.0f, "123456790"},
        {__LINE__, 0.000001f, "0.000001"},
        {__LINE__, 1e-7f, "1e-7"},
        {__LINE__, 9.5367431640625e-7f, "9.536743e-7"},
        {__LINE__, 9007199254740992.0f, "9007199000000000"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[CW__DOUBLE_MAX + 1];
        print_float(text, rows[i].v);
        if (strcmp(text, rows[i].text) != 0) {
            print_error("row at line %d: printed %s\n", rows[i].line, text);
            fail();
        }
    }
}

/* The significant digits of a printed number, and how many. */
static int digits_of(const char *text, char digits[40])
{
    int n = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text >= '0' && *text <= '9' && (n > 0 || *text != '0')) {
            digits[n++] = *text;
        }
    }
    while (n > 0 && digits[n - 1] == '0') {
        n--;
    }
    digits[n] = 0;
    return n;
}

/* JavaScript's choice of form, restated from the digits. */
static void check_form(const char *text)
{
    double size = fabs(strtod(text, NULL));
    bool exponent = strchr(text, 'e') != NULL;
    assert_int_equal(exponent, size != 0 && (size >= 1e21 || size < 1e-6));
    const char *first = text + (*text == '-');
    assert_true(*first >= '0' && *first <= '9');
    assert_true(first[0] != '0' || first[1] == '.' || first[1] == 0);
    const char *point = strchr(text, '.');
    if (point) {
        size_t fraction = strspn(point + 1, "0123456789");
        assert_true(fraction > 0 && point[fraction] != '0');
        assert_true(point[fraction + 1] == 0 || point[fraction + 1] == 'e');
    }
}

/* Reads back as v; one digit less does not; of as many digits, the closest to v. */
static void check_shortest_double(double v)
{
    char text[CW__DOUBLE_MAX + 1], other[64], digits[40], other_digits[40];
    print_double(text, v);
    check_form(text);
    double back = 0;
    cw__number_status status = CW__NUMBER_NONE;
    const char *end = cw__parse_double(text, text + strlen(text), &back, &status);
    int n = digits_of(text, digits);
    if (*end || status != CW__NUMBER_OK || bits_of(back) != bits_of(v) ||
        bits_of(strtod(text, NULL)) != bits_of(v) || n > 17) {
        print_error("%.17g: %s\n", v, text);
        fail();
    }
    if (n > 1) {
        snprintf(other, sizeof other, "%.*e", n - 2, v);
        if (bits_of(strtod(other, NULL)) == bits_of(v)) {
            print_error("%.17g: %s, but %s is shorter\n", v, text, other);
            fail();
        }
        snprintf(other, sizeof other, "%.*e", n - 1, v);
        digits_of(other, other_digits);
        if (bits_of(strtod(other, NULL)) == bits_of(v) && strcmp(digits, other_digits) != 0) {
            /* Where v is exactly between two, either is closest. */
            char exact[64];
            snprintf(exact, sizeof exact, "%.*e", n, v);
            if (digits_of(exact, other_digits) != n + 1 || other_digits[n] != '5') {
                print_error("%.17g: %s, but %s is closer\n", v, text, other);
                fail();
            }
        }
    }
}

static void check_shortest_float(float v)
{
    char text[CW__DOUBLE_MAX + 1], other[64], digits[40], other_digits[40];
    print_float(text, v);
    check_form(text);
    float back = 0;
    cw__number_status status = CW__NUMBER_NONE;
    const char *end = cw__parse_float(text, text + strlen(text), &back, &status);
    int n = digits_of(text, digits);
    if (*end || status != CW__NUMBER_OK || float_bits(back) != float_bits(v) ||
        float_bits(strtof(text, NULL)) != float_bits(v) || n > 9) {
        print_error("%.9g: %s\n", (double)v, text);
        fail();
    }
    if (n > 1) {
        snprintf(other, sizeof other, "%.*e", n - 2, (double)v);
        if (float_bits(strtof(other, NULL)) == float_bits(v)) {
            print_error("%.9g: %s, but %s is shorter\n", (double)v, text, other);
            fail();
        }
        snprintf(other, sizeof other, "%.*e", n - 1, (double)v);
        digits_of(other, other_digits);
        if (float_bits(strtof(other, NULL)) == float_bits(v) && strcmp(digits, other_digits) != 0) {
            char exact[64];
            snprintf(exact, sizeof exact, "%.*e", n, (double)v);
            if (digits_of(exact, other_digits) != n + 1 || other_digits[n] != '5') {
                print_error("%.9g: %s, but %s is closer\n", (double)v, text, other);
                fail();
            }
        }
    }
}

static void every_exponent(void **state)
{
    (void)state;
    for (uint64_t biased = 0; biased < 0x7ff; biased++) {
        for (int near = -2; near <= 2; near++) {
            uint64_t bits = (biased << 52) + (uint64_t)(int64_t)near;
            if (bits < 0x7ffull << 52) {
                check_shortest_double(double_of(bits));
            }
        }
    }
    for (uint32_t biased = 0; biased < 0xff; biased++) {
        for (int near = -2; near <= 2; near++) {
            uint32_t bits = (biased << 23) + (uint32_t)near;
            if (bits < 0xffu << 23) {
                check_shortest_float(float_of(bits));
            }
        }
    }
}

static void random_bits(void **state)
{
    (void)state;
    uint64_t seed = 20261130;
    for (int i = 0; i < 80000; i++) {
        uint64_t bits = next_random(&seed);
        if (isfinite(double_of(bits))) {
            check_shortest_double(double_of(bits));
        }
        if (isfinite(float_of((uint32_t)bits))) {
            check_shortest_float(float_of((uint32_t)bits));
        }
    }
}

static void random_decimals(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 40000; i++) {
        uint64_t whole = next_random(&seed) >> (14 + next_random(&seed) % 50);
        double v = (double)whole;
        for (uint64_t n = next_random(&seed) % 12; n > 0; n--) {
            v /= 10;
        }
        check_shortest_double(v);
        check_shortest_float((float)v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles),         cmocka_unit_test(floats),
        cmocka_unit_test(every_exponent),  cmocka_unit_test(random_bits),
        cmocka_unit_test(random_decimals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
