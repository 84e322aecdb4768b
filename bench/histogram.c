/* SPDX-License-Identifier: MIT */
#include "histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

/* Buckets come in groups of HALF with one width each; the first group has twice as many. */
enum { HALF = 1 << (BENCH_HISTOGRAM_BITS - 1), BUCKETS = (BENCH_HISTOGRAM_SHIFTS + 2) * HALF };

void bench_histogram_open(bench_histogram *h)
{
    *h = (bench_histogram){.counts = bench_calloc(BUCKETS, sizeof *h->counts)};
}

void bench_histogram_free(bench_histogram *h)
{
    free(h->counts);
    *h = (bench_histogram){0};
}

void bench_histogram_clear(bench_histogram *h)
{
    memset(h->counts, 0, BUCKETS * sizeof *h->counts);
    h->total = h->max = 0;
    h->sum = 0;
}

static unsigned bits_of(uint64_t v)
{
    unsigned n = 0;
    for (unsigned step = 32; step > 0; step /= 2) {
        if (v >> step) {
            v >>= step;
            n += step;
        }
    }
    return n + (v != 0);
}

/* A value of n bits loses n - BITS of them. */
static size_t bucket_of(uint64_t value)
{
    unsigned n = bits_of(value);
    if (n <= BENCH_HISTOGRAM_BITS) {
        return (size_t)value;
    }
    unsigned shift = n - BENCH_HISTOGRAM_BITS;
    return shift > BENCH_HISTOGRAM_SHIFTS ? BUCKETS - 1 : shift * HALF + (size_t)(value >> shift);
}

/* The largest value that is counted there. */
static uint64_t end_of(size_t bucket)
{
    if (bucket < 2 * HALF) {
        return bucket;
    }
    size_t shift = bucket / HALF - 1;
    uint64_t kept = bucket - shift * HALF;
    return ((kept + 1) << shift) - 1;
}

void bench_histogram_add(bench_histogram *h, uint64_t value)
{
    h->counts[bucket_of(value)]++;
    h->total++;
    h->sum += (double)value;
    h->max = value > h->max ? value : h->max;
}

void bench_histogram_merge(bench_histogram *into, const bench_histogram *from)
{
    for (size_t i = 0; i < BUCKETS; i++) {
        into->counts[i] += from->counts[i];
    }
    into->total += from->total;
    into->sum += from->sum;
    into->max = from->max > into->max ? from->max : into->max;
}

uint64_t bench_histogram_percentile(const bench_histogram *h, double percent)
{
    /* 99.9 % of 1000 is 999, though it may come out as a little more. */
    double wanted = ceil(percent / 100 * (double)h->total - 1e-6);
    uint64_t rank = wanted < 1 ? 1 : (uint64_t)wanted, seen = 0;
    for (size_t i = 0; i < BUCKETS - 1 && h->total > 0; i++) {
        seen += h->counts[i];
        if (seen >= rank) {
            return end_of(i) < h->max ? end_of(i) : h->max;
        }
    }
    return h->max;
}

double bench_histogram_mean(const bench_histogram *h)
{
    return h->total > 0 ? h->sum / (double)h->total : 0;
}
