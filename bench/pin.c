/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_setaffinity */

#include "pin.h"

#include <sched.h>
#include <stddef.h>

bool bench_pin(int cpu)
{
    cpu_set_t one;
    if (cpu < 0 || cpu >= CPU_SETSIZE) {
        return false;
    }
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}
