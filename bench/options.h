/* SPDX-License-Identifier: MIT */
/* The command line. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>

typedef struct bench_options {
    const char *command;
    const char *json;   /* file for the rows; NULL: none */
    const char *filter; /* only rows whose "payload/contender/op" contains it; NULL: all */
    int cpu;            /* to pin to; -1: the last one allowed */
    bool quick;         /* a smoke test: few and short rounds */
    bool full;          /* more rounds, and every message type */
} bench_options;

/* Reads argv; false, with a line on stderr: something is wrong with it. "help" without arguments.
 */
bool bench_options_read(bench_options *o, int argc, char **argv);

#endif
