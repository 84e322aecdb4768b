/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "clock.h"

#include <time.h>

uint64_t bench_cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void bench_date(char *out, size_t cap)
{
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) == NULL || strftime(out, cap, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) {
        out[0] = '\0';
    }
}
