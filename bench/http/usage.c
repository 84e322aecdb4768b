/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* RUSAGE_THREAD */

#include "http/usage.h"

#include <sys/resource.h>

#include "clock.h"

#ifdef RUSAGE_THREAD

static uint64_t ns_of(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

static void read_thread(bench_usage *u)
{
    struct rusage r;
    if (getrusage(RUSAGE_THREAD, &r) == 0) {
        u->user_ns = ns_of(r.ru_utime);
        u->sys_ns = ns_of(r.ru_stime);
        u->waits = (uint64_t)r.ru_nvcsw;
        u->preempted = (uint64_t)r.ru_nivcsw;
    }
}

#else

static void read_thread(bench_usage *u)
{
    (void)u;
}

#endif

bench_usage bench_usage_now(void)
{
    bench_usage u = {.cpu_ns = bench_cpu_ns()};
    read_thread(&u);
    return u;
}

void bench_usage_add(bench_usage *into, const bench_usage *begin, const bench_usage *end)
{
    into->cpu_ns += end->cpu_ns - begin->cpu_ns;
    into->user_ns += end->user_ns - begin->user_ns;
    into->sys_ns += end->sys_ns - begin->sys_ns;
    into->waits += end->waits - begin->waits;
    into->preempted += end->preempted - begin->preempted;
}
