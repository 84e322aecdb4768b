/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "histogram.h"

static void empty(void **state)
{
    (void)state;
    bench_histogram h;
    bench_histogram_open(&h);
    assert_int_equal(bench_histogram_percentile(&h, 50), 0);
    assert_true(bench_histogram_mean(&h) == 0);
    bench_histogram_free(&h);
}

/* Below 2048 every value has a bucket of its own: percentiles are exact. */
static void small_values_are_exact(void **state)
{
    (void)state;
    bench_histogram h;
    bench_histogram_open(&h);
    for (uint64_t v = 1000; v >= 1; v--) {
        bench_histogram_add(&h, v);
    }
    assert_int_equal(h.total, 1000);
    assert_int_equal(h.max, 1000);
    assert_int_equal(bench_histogram_percentile(&h, 50), 500);
    assert_int_equal(bench_histogram_percentile(&h, 90), 900);
    assert_int_equal(bench_histogram_percentile(&h, 99.9), 999);
    assert_int_equal(bench_histogram_percentile(&h, 100), 1000);
    assert_int_equal(bench_histogram_percentile(&h, 0), 1);
    assert_true(bench_histogram_mean(&h) > 500.4 && bench_histogram_mean(&h) < 500.6);
    bench_histogram_free(&h);
}

/* Each value alone: what comes back is not below it and at most 0.1 % above; with a larger one
 * beside it, so that the exact maximum does not help. */
static void large_values_are_right_to_three_digits(void **state)
{
    (void)state;
    static const uint64_t values[] = {2047,       2048,       2049,         4095,
                                      4096,       123456,     999999,       1048576,
                                      987654321,  1000000000, 123456789012, (UINT64_C(1) << 40) + 1,
                                      2000000000, 60000000000};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        bench_histogram h;
        uint64_t v = values[i];
        bench_histogram_open(&h);
        bench_histogram_add(&h, v);
        assert_int_equal(bench_histogram_percentile(&h, 50), v); /* never above the maximum */
        bench_histogram_add(&h, 4 * v);
        uint64_t found = bench_histogram_percentile(&h, 50);
        if (found < v || (double)(found - v) > 0.001 * (double)v) {
            fail_msg("%llu is found as %llu", (unsigned long long)v, (unsigned long long)found);
        }
        assert_int_equal(bench_histogram_percentile(&h, 99), 4 * v);
        bench_histogram_free(&h);
    }
}

static void beyond_the_last_bucket(void **state)
{
    (void)state;
    bench_histogram h;
    bench_histogram_open(&h);
    bench_histogram_add(&h, 7);
    bench_histogram_add(&h, UINT64_MAX);
    bench_histogram_add(&h, UINT64_C(1) << 41);
    assert_int_equal(bench_histogram_percentile(&h, 30), 7);
    assert_true(bench_histogram_percentile(&h, 60) == UINT64_MAX);
    assert_int_equal(h.total, 3);
    bench_histogram_free(&h);
}

/* Two halves merged are the whole. */
static void merging_adds(void **state)
{
    (void)state;
    bench_histogram whole, a, b;
    bench_histogram_open(&whole);
    bench_histogram_open(&a);
    bench_histogram_open(&b);
    uint64_t v = 12345;
    for (int i = 0; i < 10000; i++) {
        v = (v * UINT64_C(6364136223846793005) + 1442695040888963407) % 50000000;
        bench_histogram_add(&whole, v);
        bench_histogram_add(i % 3 ? &a : &b, v);
    }
    bench_histogram_merge(&a, &b);
    assert_int_equal(a.total, whole.total);
    assert_int_equal(a.max, whole.max);
    static const double percents[] = {1, 10, 50, 90, 99, 99.9, 100};
    for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++) {
        assert_int_equal(bench_histogram_percentile(&a, percents[i]),
                         bench_histogram_percentile(&whole, percents[i]));
    }
    bench_histogram_clear(&a);
    assert_int_equal(a.total, 0);
    assert_int_equal(bench_histogram_percentile(&a, 99), 0);
    bench_histogram_free(&whole);
    bench_histogram_free(&a);
    bench_histogram_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty),
        cmocka_unit_test(small_values_are_exact),
        cmocka_unit_test(large_values_are_right_to_three_digits),
        cmocka_unit_test(beyond_the_last_bucket),
        cmocka_unit_test(merging_adds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
