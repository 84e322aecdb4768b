/* SPDX-License-Identifier: MIT */
/*
 * Carries packets between two files that give and take one packet with each read and write (TUN
 * devices, datagram sockets): each waits for the same time, and some are lost on the way.
 */
#ifndef BENCH_HTTP_RELAY_H
#define BENCH_HTTP_RELAY_H

#include <stdint.h>

typedef struct bench_relay_options {
    int ends[2];         /* non-blocking; stay the caller's */
    uint64_t delay_ns;   /* of each way */
    double loss_percent; /* of each way */
    uint64_t seed;       /* the same seed loses the same packets of a way, by their order */
    int cpu;             /* of the relay's thread; -1: any that the caller has */
} bench_relay_options;

/* From ends[0] to ends[1], and back. */
typedef struct bench_relay_counts {
    uint64_t carried[2], lost[2];
} bench_relay_counts;

typedef struct bench_relay bench_relay;

/* Starts its thread; dies without memory. Packets other than IPv4 are not carried, nor counted. */
bench_relay *bench_relay_start(const bench_relay_options *o);

/* Ends it; packets on their way are gone. */
bench_relay_counts bench_relay_stop(bench_relay *r);

#endif
