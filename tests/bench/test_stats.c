/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats.h"

static bool near(double a, double b)
{
    return a > b - 1e-9 && a < b + 1e-9;
}

typedef struct summary_case {
    int line;
    size_t n;
    double samples[5];
    double median, min, max;
} summary_case;

static void summaries(void **state)
{
    (void)state;
    static const summary_case cases[] = {
        {__LINE__, 0, {0}, 0, 0, 0},
        {__LINE__, 1, {7}, 7, 7, 7},
        {__LINE__, 2, {9, 4}, 6.5, 4, 9},
        {__LINE__, 3, {9, 1, 4}, 4, 1, 9},
        {__LINE__, 4, {4, 3, 2, 1}, 2.5, 1, 4},
        {__LINE__, 5, {5, 5, 1, 1000, 5}, 5, 1, 1000},
        {__LINE__, 5, {-1, -2, -3, -4, -5}, -3, -5, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double samples[5];
        memcpy(samples, cases[i].samples, sizeof samples);
        bench_summary s = bench_summarise(samples, cases[i].n);
        if (!near(s.median, cases[i].median) || !near(s.min, cases[i].min) ||
            !near(s.max, cases[i].max)) {
            fail_msg("line %d: median %g min %g max %g", cases[i].line, s.median, s.min, s.max);
        }
    }
}

static void rates(void **state)
{
    (void)state;
    assert_true(near(bench_mb_per_s(1000, 1000), 1000)); /* 1000 bytes in 1 us: 1 GB/s */
    assert_true(near(bench_mb_per_s(22823, 4000), 5705.75));
    assert_true(near(bench_mb_per_s(100, 0), 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summaries),
        cmocka_unit_test(rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
