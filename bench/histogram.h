/* SPDX-License-Identifier: MIT */
/*
 * Times of many requests: buckets whose width grows with the value, so that every percentile is
 * right to three digits (0.1 %) whatever its size, and two histograms are merged by adding.
 */
#ifndef BENCH_HISTOGRAM_H
#define BENCH_HISTOGRAM_H

#include <stdint.h>

enum {
    BENCH_HISTOGRAM_BITS = 11,  /* of a value that are kept: below 2^11 each has its own bucket */
    BENCH_HISTOGRAM_SHIFTS = 30 /* values up to 2^(11 + 30): 36 minutes in nanoseconds */
};

typedef struct bench_histogram {
    uint64_t *counts;
    uint64_t total, max; /* max is exact */
    double sum;
} bench_histogram;

/* Empty; dies without memory. Release with bench_histogram_free. */
void bench_histogram_open(bench_histogram *h);
void bench_histogram_free(bench_histogram *h);
void bench_histogram_clear(bench_histogram *h);

/* A value beyond the last bucket is counted in it. */
void bench_histogram_add(bench_histogram *h, uint64_t value);
void bench_histogram_merge(bench_histogram *into, const bench_histogram *from);

/*
 * The value that `percent` of the values do not exceed (50: the median), rounded up to its bucket's
 * end and never above max. 0 without values.
 */
uint64_t bench_histogram_percentile(const bench_histogram *h, double percent);
double bench_histogram_mean(const bench_histogram *h);

#endif
