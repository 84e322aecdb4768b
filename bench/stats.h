/* SPDX-License-Identifier: MIT */
/* Reduction of samples to what a row shows. */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stddef.h>

typedef struct bench_summary {
    double median; /* of an even number of samples: the mean of the two in the middle */
    double min;
    double max;
} bench_summary;

/* Sorts the samples in place; all zero for n == 0. */
bench_summary bench_summarise(double *samples, size_t n);

/* 1e-6 bytes a second: `bytes` in `ns` nanoseconds; 0 for no time. */
double bench_mb_per_s(size_t bytes, double ns);

#endif
