/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity */

#include "machine.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "clock.h"
#include "compress.h"
#include "contender.h"
#include "pin.h"

/* The build says what it compiles with. */
#ifndef BENCH_COMPILER
#define BENCH_COMPILER "unknown"
#endif
#ifndef BENCH_FLAGS
#define BENCH_FLAGS "unknown"
#endif

static void look_at_system(bench_machine *m)
{
    struct utsname u;
    if (uname(&u) == 0) {
        snprintf(m->system, sizeof m->system, "%.40s %.60s %.40s", u.sysname, u.release, u.machine);
    }
}

/* The first line of /proc/cpuinfo that names the model. */
static void look_at_cpu(bench_machine *m)
{
    snprintf(m->cpu, sizeof m->cpu, "unknown");
    FILE *in = fopen("/proc/cpuinfo", "r");
    if (in == NULL) {
        return;
    }
    char line[512];
    while (fgets(line, sizeof line, in) != NULL) {
        char *value = strchr(line, ':');
        if (value != NULL && strncmp(line, "model name", 10) == 0) {
            value += strspn(value, ": \t");
            value[strcspn(value, "\n")] = '\0';
            snprintf(m->cpu, sizeof m->cpu, "%.150s", value);
            break;
        }
    }
    fclose(in);
}

static void count_cpus(bench_machine *m)
{
    cpu_set_t allowed;
    m->pinned = m->other = -1;
    m->cpus = sched_getaffinity(0, sizeof allowed, &allowed) == 0
                  ? CPU_COUNT(&allowed)
                  : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

bool bench_machine_pin(bench_machine *m, int cpu)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return false;
    }
    for (int i = CPU_SETSIZE - 1; cpu < 0 && i >= 0; i--) {
        cpu = CPU_ISSET((size_t)i, &allowed) ? i : -1;
    }
    if (!bench_pin(cpu)) {
        return false;
    }
    m->pinned = cpu;
    for (int i = CPU_SETSIZE - 1; m->other < 0 && i >= 0; i--) {
        m->other = i != cpu && CPU_ISSET((size_t)i, &allowed) ? i : -1;
    }
    return true;
}

static void append(char *to, size_t cap, const char *text)
{
    size_t len = strlen(to);
    snprintf(to + len, cap - len, "%s%s", len ? ", " : "", text);
}

/* The libraries of the contenders, each once, and Brotli. */
static void look_at_libraries(bench_machine *m)
{
    char text[64], brotli[32];
    for (const bench_contender *const *c = bench_contenders; *c != NULL; c++) {
        if ((*c)->version != NULL) {
            append(m->libraries, sizeof m->libraries, (*c)->version(text, sizeof text));
        }
    }
    snprintf(text, sizeof text, "brotli %s", bench_brotli_version(brotli, sizeof brotli));
    append(m->libraries, sizeof m->libraries, text);
}

void bench_machine_look(bench_machine *m)
{
    memset(m, 0, sizeof *m);
    look_at_system(m);
    look_at_cpu(m);
    count_cpus(m);
    look_at_libraries(m);
    snprintf(m->compiler, sizeof m->compiler, "%s", BENCH_COMPILER);
    snprintf(m->flags, sizeof m->flags, "%s", BENCH_FLAGS);
    bench_date(m->date, sizeof m->date);
}
