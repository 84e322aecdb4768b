/* SPDX-License-Identifier: MIT */
/* Where a thread runs. */
#ifndef BENCH_PIN_H
#define BENCH_PIN_H

#include <stdbool.h>

/* Keeps the calling thread (and threads it makes later) on one CPU; false: the system says no. */
bool bench_pin(int cpu);

#endif
