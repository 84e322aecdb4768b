/* SPDX-License-Identifier: MIT */
/* Two records of the same rows, side by side. */
#ifndef BENCH_RECORD_COMPARE_H
#define BENCH_RECORD_COMPARE_H

#include "options.h"

/*
 * Prints the tables. The exit status: 0; 1 when a row got worse by more than the noise of both runs
 * and the tolerance; 2 when a record cannot be read, or they have no row in common.
 */
int bench_compare(const bench_options *options);
extern const bench_own_options bench_compare_own;

#endif
