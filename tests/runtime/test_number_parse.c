/* SPDX-License-Identifier: MIT */
/*
 * Parsing numbers. strtod and strtof, exact in glibc, are the reference of the random sweeps;
 * middles between neighbours come from long addition of their exact decimals.
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

/* Both parsers against the C library: the number is the first `len` bytes of [text, all). */
static void check_number(const char *text, size_t len, const char *all)
{
    double v = -77, expected = strtod(text, NULL);
    cw__number_status status = CW__NUMBER_NONE;
    const char *end = cw__parse_double(text, all, &v, &status);
    cw__number_status expected_status = isinf(expected) ? CW__NUMBER_RANGE : CW__NUMBER_OK;
    if (end != text + len || bits_of(v) != bits_of(expected) || status != expected_status) {
        print_error("%.900s: %.17g, expected %.17g; status %d\n", text, v, expected, (int)status);
        fail();
    }
    float f = -77, expected_float = strtof(text, NULL);
    end = cw__parse_float(text, all, &f, &status);
    expected_status = isinf(expected_float) ? CW__NUMBER_RANGE : CW__NUMBER_OK;
    if (end != text + len || float_bits(f) != float_bits(expected_float) ||
        status != expected_status) {
        print_error("%.900s: %.9g, expected %.9g as float; status %d\n", text, (double)f,
                    (double)expected_float, (int)status);
        fail();
    }
}

/* The same for a text that is one whole number, at the end of the input and with more behind it. */
static void check_against_library(const char *text, size_t len)
{
    static const char behind[] = ",\"longitude\":12.345678901234567}";
    check_number(text, len, text + len);
    char *more = malloc(len + sizeof behind);
    assert_non_null(more);
    memcpy(more, text, len);
    memcpy(more + len, behind, sizeof behind);
    check_number(more, len, more + len + sizeof behind - 1);
    free(more);
}

static void parse_doubles(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
        double v;
        cw__number_status status;
    } rows[] = {
        {__LINE__, "0", 0.0, CW__NUMBER_OK},
        {__LINE__, "-0", -0.0, CW__NUMBER_OK},
        {__LINE__, "-0.0", -0.0, CW__NUMBER_OK},
        {__LINE__, "0e999999999999999999999", 0.0, CW__NUMBER_OK},
        {__LINE__, "-0.000e-999", -0.0, CW__NUMBER_OK},
        {__LINE__, "1", 1.0, CW__NUMBER_OK},
        {__LINE__, "-1.5e1", -15.0, CW__NUMBER_OK},
        {__LINE__, "1E2", 100.0, CW__NUMBER_OK},
        {__LINE__, "1e+2", 100.0, CW__NUMBER_OK},
        {__LINE__, "100e-2", 1.0, CW__NUMBER_OK},
        {__LINE__, "1e000000000000000000000000000000000001", 10.0, CW__NUMBER_OK},
        {__LINE__, "0.1", 0.1, CW__NUMBER_OK},
        {__LINE__, "1e23", 1e23, CW__NUMBER_OK},
        {__LINE__, "123456789012345680000", 123456789012345680000.0, CW__NUMBER_OK},
        {__LINE__, "9007199254740993", 0x1p53, CW__NUMBER_OK},
        {__LINE__, "9007199254740993.0000000000000000000000000000000", 0x1p53, CW__NUMBER_OK},
        {__LINE__, "9007199254740993.0000000000000000000000000000001", 9007199254740994.0,
         CW__NUMBER_OK},
        {__LINE__, "9007199254740992.9999999999999999999999999999999", 0x1p53, CW__NUMBER_OK},
        {__LINE__, "9007199254740995", 9007199254740996.0, CW__NUMBER_OK},
        {__LINE__, "1.00000000000000011102230246251565404236316680908203125", 1.0, CW__NUMBER_OK},
        {__LINE__, "1.00000000000000011102230246251565404236316680908203124", 1.0, CW__NUMBER_OK},
        {__LINE__, "1.00000000000000011102230246251565404236316680908203126", 0x1.0000000000001p0,
         CW__NUMBER_OK},
        {__LINE__, "18446744073709551615", 0x1p64, CW__NUMBER_OK},
        {__LINE__, "9999999999999999999", 1e19, CW__NUMBER_OK},
        {__LINE__, "2.2250738585072011e-308", 0x0.fffffffffffffp-1022, CW__NUMBER_OK},
        {__LINE__, "2.2250738585072012e-308", 0x1p-1022, CW__NUMBER_OK},
        {__LINE__, "2.2250738585072014e-308", 0x1p-1022, CW__NUMBER_OK},
        {__LINE__, "4.9406564584124654e-324", 0x1p-1074, CW__NUMBER_OK},
        {__LINE__, "2.4703282292062327e-324", 0.0, CW__NUMBER_OK},
        {__LINE__, "2.4703282292062328e-324", 0x1p-1074, CW__NUMBER_OK},
        {__LINE__, "-2.4703282292062327e-324", -0.0, CW__NUMBER_OK},
        {__LINE__, "7.4109846876186981e-324", 0x1p-1074, CW__NUMBER_OK},
        {__LINE__, "7.4109846876186982e-324", 0x1p-1073, CW__NUMBER_OK},
        {__LINE__, "1e-400", 0.0, CW__NUMBER_OK},
        {__LINE__, "1e-99999999999", 0.0, CW__NUMBER_OK},
        {__LINE__, "1e-99999999999999999999999999999999999999", 0.0, CW__NUMBER_OK},
        {__LINE__, "1.7976931348623157e308", DBL_MAX, CW__NUMBER_OK},
        {__LINE__, "1.7976931348623158e308", DBL_MAX, CW__NUMBER_OK},
        {__LINE__, "1.797693134862315807e308", DBL_MAX, CW__NUMBER_OK},
        {__LINE__, "1.797693134862315808e308", INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "1.7976931348623159e308", INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "1e309", INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "1e400", INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "-1e400", -INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "1e99999999999", INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "1e99999999999999999999999999999999999999", INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "0.00000000000000000000000000000000000000001e350", INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "0.00000000000000000000000000000000000000001e349", 1e308, CW__NUMBER_OK},
        {__LINE__, "1000000000000000000000000000000000000000e-39", 1.0, CW__NUMBER_OK},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *text = rows[i].text;
        double v = -77;
        cw__number_status status = CW__NUMBER_NONE;
        const char *end = cw__parse_double(text, text + strlen(text), &v, &status);
        if (*end || bits_of(v) != bits_of(rows[i].v) || status != rows[i].status) {
            print_error("row at line %d: %.17g, status %d\n", rows[i].line, v, (int)status);
            fail();
        }
    }
}

static void parse_floats(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
        float v;
        cw__number_status status;
    } rows[] = {
        {__LINE__, "-0", -0.0f, CW__NUMBER_OK},
        {__LINE__, "0.1", 0.1f, CW__NUMBER_OK},
        {__LINE__, "16777217", 16777216.0f, CW__NUMBER_OK},
        {__LINE__, "16777217.0000000000000000000000000001", 16777218.0f, CW__NUMBER_OK},
        {__LINE__, "16777219", 16777220.0f, CW__NUMBER_OK},
        /* Just above a middle of floats, by less than a double holds: rounding twice goes down. */
        {__LINE__, "1.00000017881393432617187499", 0x1.000002p0f, CW__NUMBER_OK},
        {__LINE__, "1.00000017881393432617187500", 0x1.000004p0f, CW__NUMBER_OK},
        {__LINE__, "1.00000005960464477539062501", 0x1.000002p0f, CW__NUMBER_OK},
        {__LINE__, "3.4028234663852886e38", FLT_MAX, CW__NUMBER_OK},
        {__LINE__, "3.4028235e38", FLT_MAX, CW__NUMBER_OK},
        {__LINE__, "3.4028235677973365e38", FLT_MAX, CW__NUMBER_OK},
        {__LINE__, "340282356779733661637539395458142568447.9999", FLT_MAX, CW__NUMBER_OK},
        {__LINE__, "340282356779733661637539395458142568448", INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "3.4028235677973366e38", FLT_MAX, CW__NUMBER_OK},
        {__LINE__, "3.4028235677973367e38", INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "-3.5e38", -INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "1e39", INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "1e308", INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "1e400", INFINITY, CW__NUMBER_RANGE},
        {__LINE__, "1.1754943508222875e-38", 0x1p-126f, CW__NUMBER_OK},
        {__LINE__, "1.401298464324817e-45", 0x1p-149f, CW__NUMBER_OK},
        {__LINE__, "7.00649232162408535e-46", 0.0f, CW__NUMBER_OK},
        {__LINE__, "7.00649232162408536e-46", 0x1p-149f, CW__NUMBER_OK},
        {__LINE__, "1e-46", 0.0f, CW__NUMBER_OK},
        {__LINE__, "-1e-300", -0.0f, CW__NUMBER_OK},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *text = rows[i].text;
        float v = -77;
        cw__number_status status = CW__NUMBER_NONE;
        const char *end = cw__parse_float(text, text + strlen(text), &v, &status);
        if (*end || float_bits(v) != float_bits(rows[i].v) || status != rows[i].status) {
            print_error("row at line %d: %.9g, status %d\n", rows[i].line, (double)v, (int)status);
            fail();
        }
    }
}

/* The length of the longest prefix that is a JSON number; the grammar as a table of states. */
static size_t number_prefix(const char *text, size_t len)
{
    enum { START, MINUS, ZERO, WHOLE, POINT, FRACTION, E, SIGN, EXPONENT, STOP };
    static const unsigned char next[STOP][6] = {
        /* '-', '+', '0', '1'-'9', '.', 'e' */
        [START] = {MINUS, STOP, ZERO, WHOLE, STOP, STOP},
        [MINUS] = {STOP, STOP, ZERO, WHOLE, STOP, STOP},
        [ZERO] = {STOP, STOP, STOP, STOP, POINT, E},
        [WHOLE] = {STOP, STOP, WHOLE, WHOLE, POINT, E},
        [POINT] = {STOP, STOP, FRACTION, FRACTION, STOP, STOP},
        [FRACTION] = {STOP, STOP, FRACTION, FRACTION, STOP, E},
        [E] = {SIGN, SIGN, EXPONENT, EXPONENT, STOP, STOP},
        [SIGN] = {STOP, STOP, EXPONENT, EXPONENT, STOP, STOP},
        [EXPONENT] = {STOP, STOP, EXPONENT, EXPONENT, STOP, STOP},
    };
    static const char classes[] = "-+0123456789.eE";
    static const unsigned char class_of[] = {0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 5, 5};
    size_t longest = 0;
    unsigned now = START;
    for (size_t i = 0; i < len; i++) {
        const char *at = text[i] ? strchr(classes, text[i]) : NULL;
        now = at ? next[now][class_of[at - classes]] : (unsigned)STOP;
        if (now == STOP) {
            break;
        }
        if (now == ZERO || now == WHOLE || now == FRACTION || now == EXPONENT) {
            longest = i + 1;
        }
    }
    return longest;
}

/* All three parsers on exactly these bytes, in a heap block that ends with them. */
static void check_prefix(const char *text, size_t len)
{
    char *block = malloc(len ? len : 1);
    assert_non_null(block);
    memcpy(block, text, len);
    const char *end = block + len;
    size_t expected = number_prefix(text, len);

    double v = -77;
    cw__number_status status = CW__NUMBER_RANGE;
    const char *stop = cw__parse_double(block, end, &v, &status);
    if ((size_t)(stop - block) != expected) {
        print_error("%.*s: read %d, expected %d\n", (int)len, text, (int)(stop - block),
                    (int)expected);
        fail();
    }
    assert_int_equal(status == CW__NUMBER_NONE, expected == 0);
    if (expected == 0) {
        assert_true(v == -77);
    } else {
        char copy[64];
        assert_true(expected < sizeof copy);
        memcpy(copy, text, expected);
        copy[expected] = 0;
        assert_true(bits_of(v) == bits_of(strtod(copy, NULL)));
    }
    float f = -77;
    assert_ptr_equal(cw__parse_float(block, end, &f, &status), block + expected);
    assert_int_equal(status == CW__NUMBER_NONE, expected == 0);
    bool negative = false;
    uint64_t magnitude = 77;
    assert_ptr_equal(cw__parse_integer_text(block, end, &negative, &magnitude, &status),
                     block + expected);
    assert_int_equal(status == CW__NUMBER_NONE, expected == 0);
    free(block);
}

static void prefixes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "-",
        "+1",
        ".5",
        "-.5",
        "01",
        "-01",
        "1.",
        "1.e5",
        "1e",
        "1e+",
        "1e-",
        "1.5e",
        "0e0",
        "1ee5",
        "1.5.",
        "1-2",
        "0x10",
        "1_000",
        "NaN",
        "-Inf",
        "1 ",
        "1,2",
        "1e5e5",
        "1e5.",
        "--1",
        "1E+0",
        "-0.0e-0",
        "-1234567890123456789012345.6789012345678901234567890e-123,",
        "0.000000000000000000000000000001]",
        "12345678.87654321e00000000007}",
        "12345678/1234567:",
        "1\xb1\xff",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        for (size_t len = 0; len <= strlen(texts[i]); len++) {
            check_prefix(texts[i], len);
        }
    }
    /* Every byte after one, seven and eight digits, where the readers of eight decide. */
    for (int c = 0; c < 256; c++) {
        char text[] = "12345678912345678";
        text[1] = (char)c;
        check_prefix(text, 17);
        memcpy(text, "12345678912345678", 17);
        text[7] = (char)c;
        check_prefix(text, 17);
        memcpy(text, "12345678912345678", 17);
        text[8] = (char)c;
        check_prefix(text, 17);
    }
    uint64_t seed = 3;
    for (int i = 0; i < 20000; i++) {
        char text[24];
        for (size_t k = 0; k < sizeof text; k++) {
            text[k] = "00112345678999..--+eE"[next_random(&seed) % 21];
        }
        check_prefix(text, sizeof text);
    }
}

static void parse_random(void **state)
{
    (void)state;
    uint64_t seed = 7;
    char text[128];
    for (int i = 0; i < 30000; i++) {
        double v = double_of(next_random(&seed));
        if (isfinite(v)) {
            int precision = (int)(14 + next_random(&seed) % 6);
            check_against_library(text, (size_t)snprintf(text, sizeof text, "%.*e", precision, v));
        }
        /* A float's neighbourhood, where rounding by way of double would err. */
        float f = float_of((uint32_t)next_random(&seed));
        if (isfinite(f)) {
            check_against_library(text,
                                  (size_t)snprintf(text, sizeof text, "%.*e", i % 12, (double)f));
        }
        /* As most numbers are printed: a few digits before the point, all that count in sum. */
        v = (double)(int64_t)next_random(&seed) * (i % 3 ? 0x1p-53 : 0x1p-43);
        check_against_library(text, (size_t)snprintf(text, sizeof text, "%.*f", i % 20, v));
        check_against_library(
            text, (size_t)snprintf(text, sizeof text, "%.*f", i % 20, (double)(float)v));
        size_t len = 0;
        unsigned digits = 1 + (unsigned)(next_random(&seed) % 40);
        unsigned point = (unsigned)(next_random(&seed) % 40);
        for (unsigned k = 0; k < digits; k++) {
            if (k > 0 && k == point) {
                text[len++] = '.';
            }
            text[len++] = (char)('0' + next_random(&seed) % (k ? 10 : 9) + (k == 0));
        }
        int exponent = (int)(next_random(&seed) % 700) - 350;
        len += (size_t)snprintf(text + len, sizeof text - len, i % 2 ? "e%d" : "%.0d",
                                i % 2 ? exponent : 0);
        check_against_library(text, len);
    }
}

/* Short enough for the way that most numbers take, and in the middle of two floats. */
static void short_middles(void **state)
{
    (void)state;
    uint64_t seed = 11;
    char text[64];
    for (int i = 0; i < 10000; i++) {
        /* 25 bits of which 1 to 6 stand behind the point */
        double v = (double)(next_random(&seed) >> 40 << 1 | 1) / (double)(2 << i % 6);
        check_against_library(text, (size_t)snprintf(text, sizeof text, "%.*f", i % 6 + 1, v));
        check_against_library(text, (size_t)snprintf(text, sizeof text, "%.*f", i % 6 + 7, v));
    }
}

/* ---- Middles: the exact decimals of two numbers, added and halved ------------------------------
 */

#define PLACES  1080
#define LONGEST (320 + PLACES)

/* Writes the middle of a and b (not negative, finite) with all its digits; returns the length. */
static size_t middle_text(char *out, double a, double b)
{
    static char first[LONGEST], second[LONGEST];
    /* Both with 310 digits before the point, so that places agree. */
    snprintf(first, sizeof first, "%0*.*f", 311 + PLACES, PLACES, a);
    snprintf(second, sizeof second, "%0*.*f", 311 + PLACES, PLACES, b);
    size_t len = strlen(first);
    assert_int_equal(strlen(second), len);
    int carry = 0;
    for (size_t i = len; i-- > 0;) {
        if (first[i] != '.') {
            int sum = first[i] - '0' + second[i] - '0' + carry;
            first[i] = (char)(sum % 10); /* digits as values from here on */
            carry = sum / 10;
        }
    }
    for (size_t i = 0; i < len; i++) {
        if (first[i] != '.') {
            int v = carry * 10 + first[i];
            first[i] = (char)('0' + v / 2);
            carry = v % 2;
        }
    }
    assert_int_equal(carry, 0);
    size_t skip = strspn(first, "0");
    skip -= first[skip] == '.';
    memcpy(out, first + skip, len - skip + 1);
    return len - skip;
}

/* The middle itself, a trace above, a trace below: even, up, down. */
static void check_middle(double low, double high, const char *text, size_t len, bool is_float)
{
    static char changed[LONGEST + 700];
    cw__number_status status;
    uint64_t even = is_float ? float_bits((float)low) : bits_of(low);
    for (int side = -1; side <= 1; side++) {
        memcpy(changed, text, len + 1);
        size_t changed_len = len;
        if (side > 0) {
            /* The zeros push the 1 behind everything that can be kept. */
            memset(changed + len, '0', 600);
            changed[len + 600] = '1';
            changed_len = len + 601;
        } else if (side < 0) {
            size_t last = len;
            while (changed[last - 1] == '0' || changed[last - 1] == '.') {
                last--;
            }
            changed[last - 1]--;
            memset(changed + last, '9', len - last);
            char *point = strchr(text, '.') - text + changed;
            *point = '.';
        }
        double expected = side > 0 || (side == 0 && (even & 1)) ? high : low;
        double v = -77;
        const char *end;
        if (is_float) {
            float f = -77;
            end = cw__parse_float(changed, changed + changed_len, &f, &status);
            v = f;
        } else {
            end = cw__parse_double(changed, changed + changed_len, &v, &status);
        }
        if (end != changed + changed_len || bits_of(v) != bits_of(expected)) {
            print_error("middle of %a and %a, side %d: %a\n", low, high, side, v);
            fail();
        }
    }
}

static void middles(void **state)
{
    (void)state;
    static char text[LONGEST];
    uint64_t seed = 11;
    for (int i = 0; i < 1500; i++) {
        uint64_t bits = next_random(&seed) >> 1;
        if (i % 8 == 0) {
            bits &= (3ull << 52) - 1; /* subnormal or next to it */
        } else if (i % 8 == 1) {
            bits &= 0xff; /* the smallest of all */
        } else if (i % 8 == 2) {
            bits = (1023 - 40 + next_random(&seed) % 160) << 52 | bits >> 12; /* around 1 */
        } else if (i % 8 == 3) {
            bits = bits >> 52 << 52; /* a power of two, with its lower neighbour below */
            bits -= bits > 0;
        }
        double low = double_of(bits), high = double_of(bits + 1);
        if (isfinite(low) && isfinite(high)) {
            size_t len = middle_text(text, low, high);
            check_middle(low, high, text, len, false);
        }
        uint32_t single = (uint32_t)(bits >> 32) & 0x7fffffff;
        float low_float = float_of(single), high_float = float_of(single + 1);
        if (isfinite(low_float) && isfinite(high_float)) {
            size_t len = middle_text(text, (double)low_float, (double)high_float);
            check_middle((double)low_float, (double)high_float, text, len, true);
        }
    }
}

/* ---- Integers ---------------------------------------------------------------------------------
 */

static void integers(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
        bool negative;
        uint64_t magnitude;
        cw__number_status status;
    } rows[] = {
        {__LINE__, "0", false, 0, CW__NUMBER_OK},
        {__LINE__, "-0", true, 0, CW__NUMBER_OK},
        {__LINE__, "0.000e5", false, 0, CW__NUMBER_OK},
        {__LINE__, "0e-99999999999999999999", false, 0, CW__NUMBER_OK},
        {__LINE__, "-0.00000000000000000000000000", true, 0, CW__NUMBER_OK},
        {__LINE__, "7", false, 7, CW__NUMBER_OK},
        {__LINE__, "-12", true, 12, CW__NUMBER_OK},
        {__LINE__, "1e3", false, 1000, CW__NUMBER_OK},
        {__LINE__, "1E+3", false, 1000, CW__NUMBER_OK},
        {__LINE__, "100.000", false, 100, CW__NUMBER_OK},
        {__LINE__, "-1.5e1", true, 15, CW__NUMBER_OK},
        {__LINE__, "10e-1", false, 1, CW__NUMBER_OK},
        {__LINE__, "1200.00e-2", false, 12, CW__NUMBER_OK},
        {__LINE__, "0.00012e5", false, 12, CW__NUMBER_OK},
        {__LINE__, "0.5", false, 0, CW__NUMBER_FRACTION},
        {__LINE__, "1e-1", false, 0, CW__NUMBER_FRACTION},
        {__LINE__, "1.00000000000000000000000000000000000001", false, 0, CW__NUMBER_FRACTION},
        {__LINE__, "1e-99999999999999999999", false, 0, CW__NUMBER_FRACTION},
        {__LINE__, "123456789012345678901234567890.5", false, 0, CW__NUMBER_FRACTION},
        {__LINE__, "18446744073709551615", false, UINT64_MAX, CW__NUMBER_OK},
        {__LINE__, "18446744073709551615.000", false, UINT64_MAX, CW__NUMBER_OK},
        {__LINE__, "1844674407370955161500000000000000000000e-20", false, UINT64_MAX,
         CW__NUMBER_OK},
        {__LINE__, "0.0000000000000000000018446744073709551615e39", false, 0, CW__NUMBER_FRACTION},
        {__LINE__, "0.0000000000000000000018446744073709551615e40", false, UINT64_MAX,
         CW__NUMBER_OK},
        {__LINE__, "18446744073709551616", false, 0, CW__NUMBER_RANGE},
        {__LINE__, "-18446744073709551615", true, UINT64_MAX, CW__NUMBER_OK},
        {__LINE__, "9223372036854775808", false, 9223372036854775808u, CW__NUMBER_OK},
        {__LINE__, "1e19", false, 10000000000000000000u, CW__NUMBER_OK},
        {__LINE__, "1.8446744073709551615e19", false, UINT64_MAX, CW__NUMBER_OK},
        {__LINE__, "1.8446744073709551616e19", false, 0, CW__NUMBER_RANGE},
        {__LINE__, "2e19", false, 0, CW__NUMBER_RANGE},
        {__LINE__, "1e20", false, 0, CW__NUMBER_RANGE},
        {__LINE__, "1e99999999999999999999", false, 0, CW__NUMBER_RANGE},
        {__LINE__, "99999999999999999999999999999999", false, 0, CW__NUMBER_RANGE},
        {__LINE__, "x", false, 0, CW__NUMBER_NONE},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *text = rows[i].text;
        bool ok = rows[i].status == CW__NUMBER_OK;
        bool negative = !rows[i].negative;
        uint64_t magnitude = 77;
        cw__number_status status = CW__NUMBER_OK;
        const char *end =
            cw__parse_integer_text(text, text + strlen(text), &negative, &magnitude, &status);
        if (status != rows[i].status || (*end && status != CW__NUMBER_NONE) ||
            magnitude != (ok ? rows[i].magnitude : 77) ||
            negative != (ok ? rows[i].negative : !rows[i].negative)) {
            print_error("row at line %d: status %d\n", rows[i].line, (int)status);
            fail();
        }
    }
}

/* ---- Size -------------------------------------------------------------------------------------
 */

/* Megabytes of digits; quadratic work would run into the test's time limit. */
static void very_long(void **state)
{
    (void)state;
    enum { N = 1 << 22 };
    char *text = malloc(N + 32);
    assert_non_null(text);
    double v;
    float f;
    bool negative;
    uint64_t magnitude;
    cw__number_status status;

    /* 0.000...0001e4194305 */
    memset(text, '0', N);
    text[1] = '.';
    size_t len = N + (size_t)sprintf(text + N, "1e%d", N - 1);
    assert_ptr_equal(cw__parse_double(text, text + len, &v, &status), text + len);
    assert_int_equal(status, CW__NUMBER_OK);
    assert_true(v == 1);
    assert_ptr_equal(cw__parse_integer_text(text, text + len, &negative, &magnitude, &status),
                     text + len);
    assert_int_equal(status, CW__NUMBER_OK);
    assert_int_equal(magnitude, 1);

    /* 16777217.000...0001: just above the middle of two floats */
    memset(text, '0', N);
    memcpy(text, "16777217.", 9);
    text[N - 1] = '1';
    assert_ptr_equal(cw__parse_float(text, text + N, &f, &status), text + N);
    assert_int_equal(status, CW__NUMBER_OK);
    assert_true(f == 16777218.0f);
    text[N - 1] = '0';
    assert_ptr_equal(cw__parse_float(text, text + N, &f, &status), text + N);
    assert_true(f == 16777216.0f);

    /* 999...999e-4194304 is 1 */
    memset(text, '9', N);
    len = N + (size_t)sprintf(text + N, "e-%d", N);
    assert_ptr_equal(cw__parse_double(text, text + len, &v, &status), text + len);
    assert_int_equal(status, CW__NUMBER_OK);
    assert_true(v == 1);
    assert_ptr_equal(cw__parse_integer_text(text, text + len, &negative, &magnitude, &status),
                     text + len);
    assert_int_equal(status, CW__NUMBER_FRACTION);

    /* and without the exponent it is out of range */
    assert_ptr_equal(cw__parse_double(text, text + N, &v, &status), text + N);
    assert_int_equal(status, CW__NUMBER_RANGE);
    assert_ptr_equal(cw__parse_integer_text(text, text + N, &negative, &magnitude, &status),
                     text + N);
    assert_int_equal(status, CW__NUMBER_RANGE);

    /* An exponent of a million digits. */
    memcpy(text, "1e", 2);
    assert_ptr_equal(cw__parse_double(text, text + N, &v, &status), text + N);
    assert_int_equal(status, CW__NUMBER_RANGE);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parse_doubles), cmocka_unit_test(parse_floats),
        cmocka_unit_test(prefixes),      cmocka_unit_test(parse_random),
        cmocka_unit_test(middles),       cmocka_unit_test(integers),
        cmocka_unit_test(very_long),     cmocka_unit_test(short_middles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
