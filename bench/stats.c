/* SPDX-License-Identifier: MIT */
#include "stats.h"

#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

bench_summary bench_summarise(double *samples, size_t n)
{
    bench_summary s = {0, 0, 0};
    if (n == 0) {
        return s;
    }
    qsort(samples, n, sizeof *samples, compare_doubles);
    s.median = n % 2 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
    s.min = samples[0];
    s.max = samples[n - 1];
    return s;
}

double bench_mb_per_s(size_t bytes, double ns)
{
    return ns > 0 ? (double)bytes * 1000.0 / ns : 0;
}
