/* SPDX-License-Identifier: MIT */
/* What a thread has used up so far. */
#ifndef BENCH_HTTP_USAGE_H
#define BENCH_HTTP_USAGE_H

#include <stdint.h>

typedef struct bench_usage {
    uint64_t cpu_ns;           /* user and system together, exact */
    uint64_t user_ns, sys_ns;  /* the split as the kernel estimates it; 0: not known */
    uint64_t waits, preempted; /* context switches: it waited for something; it was pushed aside */
} bench_usage;

/* Of the calling thread. */
bench_usage bench_usage_now(void);

/* into += end - begin */
void bench_usage_add(bench_usage *into, const bench_usage *begin, const bench_usage *end);

#endif
