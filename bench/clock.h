/* SPDX-License-Identifier: MIT */
/* The clock of every measurement. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/*
 * Nanoseconds that this thread has spent on a CPU: for work that never waits the same as the time
 * on the wall, except that time taken away by other processes does not count.
 */
uint64_t bench_cpu_ns(void);

/* Nanoseconds on the wall since some moment of the past: CLOCK_MONOTONIC, for what waits. */
uint64_t bench_wall_ns(void);

/* Today's date and time in UTC, "2026-11-30T17:06:55Z", NUL-terminated; cap must be 21 at least. */
void bench_date(char *out, size_t cap);

#endif
