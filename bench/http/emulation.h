/* SPDX-License-Identifier: MIT */
/* What a network that is emulated is like, and the options for it. */
#ifndef BENCH_HTTP_EMULATION_H
#define BENCH_HTTP_EMULATION_H

#include <limits.h>

#include "options.h"

typedef struct bench_emulation {
    double rtt_ms;       /* each packet waits for half of it; negative: the loopback as it is */
    double loss_percent; /* of each way */
    int seed;
    const char *congestion; /* NULL: cubic */
    int cpu;                /* of the relay; -1: any */
} bench_emulation;

/* Before any option is read. */
#define BENCH_EMULATION_NONE                                                                       \
    {                                                                                              \
        .rtt_ms = -1, .seed = 1, .cpu = -1                                                         \
    }

/* NULL, or what its options lack. */
static inline const char *bench_emulation_lacks(const bench_emulation *e)
{
    return e->loss_percent > 0 && e->rtt_ms < 0 ? "--loss needs --rtt" : NULL;
}

/* The options of a command whose struct has a bench_emulation there, for its list. */
#define BENCH_EMULATION_OPTION_LIST(type, member)                                                  \
    {.name = "--rtt",                                                                              \
     .kind = BENCH_OPTION_REAL,                                                                    \
     .at = offsetof(type, member.rtt_ms),                                                          \
     .value = "MS",                                                                                \
     .help = "through network namespaces with this round trip time (root only)",                   \
     .max = 2000},                                                                                 \
        {.name = "--loss",                                                                         \
         .kind = BENCH_OPTION_REAL,                                                                \
         .at = offsetof(type, member.loss_percent),                                                \
         .value = "PERCENT",                                                                       \
         .help = "with --rtt: so many of the packets are lost, each way",                          \
         .max = 50},                                                                               \
        {.name = "--seed",                                                                         \
         .kind = BENCH_OPTION_INT,                                                                 \
         .at = offsetof(type, member.seed),                                                        \
         .value = "N",                                                                             \
         .help = "with --rtt: of the generator that chooses them (1)",                             \
         .max = INT_MAX},                                                                          \
    {                                                                                              \
        .name = "--congestion", .kind = BENCH_OPTION_TEXT,                                         \
        .at = offsetof(type, member.congestion), .value = "NAME",                                  \
        .help = "with --rtt: TCP's congestion control (cubic)"                                     \
    }

#endif
