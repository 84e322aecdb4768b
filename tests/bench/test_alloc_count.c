/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_count.h"

/* The compiler must not see that the blocks are unused. */
static void *volatile keep;

static void requests_are_counted(void **state)
{
    (void)state;
    if (!bench_allocs_available()) {
        skip();
    }
    bench_allocs_start();
    keep = malloc(100);
    keep = realloc(keep, 1000);
    free(keep);
    keep = calloc(3, 7);
    free(keep);
    free(NULL);
    keep = aligned_alloc(64, 128);
    free(keep);
    bench_allocs a = bench_allocs_stop();
    assert_int_equal(a.calls, 4);
    assert_int_equal(a.bytes, 100 + 1000 + 21 + 128);
    assert_int_equal(a.frees, 3);
}

static void nothing_is_counted_before_and_after(void **state)
{
    (void)state;
    keep = malloc(10);
    bench_allocs_start();
    bench_allocs a = bench_allocs_stop();
    free(keep);
    assert_int_equal(a.calls, 0);
    assert_int_equal(a.frees, 0);
    for (int i = 0; i < 3; i++) { /* starting again works, and starts at zero */
        bench_allocs_start();
        keep = malloc(10);
        a = bench_allocs_stop();
        free(keep);
        if (bench_allocs_available()) {
            assert_int_equal(a.calls, 1);
            assert_int_equal(a.bytes, 10);
            assert_int_equal(a.frees, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_counted),
        cmocka_unit_test(nothing_is_counted_before_and_after),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
