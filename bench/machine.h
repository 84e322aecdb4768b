/* SPDX-License-Identifier: MIT */
/* Where and with what the numbers were made. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_machine {
    char system[160];   /* "Linux 6.1.0 x86_64" */
    char cpu[160];      /* the model's name, or "unknown" */
    int cpus;           /* that this process may use */
    int pinned;         /* the CPU it runs on; -1: not pinned */
    int other;          /* another CPU it may use; -1: there is none */
    char compiler[160]; /* name and version */
    char flags[256];    /* how this program was compiled, as far as known */
    char date[32];      /* UTC */
    char libraries[320];
    char command[1024]; /* that measures; cut where it is longer */
} bench_machine;

/* Collects the facts. Nothing is pinned yet. */
void bench_machine_look(bench_machine *m);

/* Chooses the CPU to run on from now (-1: the last one that is allowed), and another one for the
 * other end of a connection. False: the system does not let us pin. */
bool bench_machine_pin(bench_machine *m, int cpu);

#endif
