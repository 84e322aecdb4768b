/* SPDX-License-Identifier: MIT */
/* Numbers for data and orders that are the same on every machine: xorshift64*, never libc's. */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

/* The next 64 bits; *state is the seed at first, and never zero. */
static inline uint64_t bench_random(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * UINT64_C(0x2545F4914F6CDD1D);
}

/* 0 to n - 1. */
static inline uint32_t bench_random_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(((bench_random(state) >> 32) * n) >> 32);
}

/* A number of exactly that many bits, 1 to 64. */
static inline uint64_t bench_random_bits(uint64_t *state, unsigned bits)
{
    return (bench_random(state) | UINT64_C(1) << 63) >> (64 - bits);
}

/* A seed from a small number; never zero. */
static inline uint64_t bench_seed(uint64_t n)
{
    return (n + 1) * UINT64_C(0x9E3779B97F4A7C15) | 1;
}

#endif
