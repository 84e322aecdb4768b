/* SPDX-License-Identifier: MIT */
/* The end of a run that cannot go on. */
#ifndef BENCH_DIE_H
#define BENCH_DIE_H

#if defined(__GNUC__) || defined(__clang__)
#define BENCH_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define BENCH_PRINTF(text, first)
#endif

/* Prints "cwire-bench: ..." to stderr and exits with code 1. */
_Noreturn void bench_die(const char *format, ...) BENCH_PRINTF(1, 2);

#endif
