/* SPDX-License-Identifier: MIT */
/* Tables for people: aligned, and valid Markdown. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "results.h"

/* The machine and the libraries. */
void bench_report_machine(const bench_machine *m);

/* The codec rows of one payload. */
void bench_report_codec(const bench_results *r, const char *payload);

/* How many times faster cwire is than the others at the same job; pairs without rows are left out.
 */
void bench_report_ratios(const bench_results *r, const char *payload);

/*
 * One line for each payload that was raced: how many times faster cwire is than the fastest rival
 * at encoding, decoding (than protobuf-c with malloc and with a bump allocator), printing and
 * parsing, and its heap requests.
 */
void bench_report_summary(const bench_results *r);

#endif
