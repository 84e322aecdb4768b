/* SPDX-License-Identifier: MIT */
/* The choice of what changes in a payload. */
#ifndef BENCH_SITES_H
#define BENCH_SITES_H

#include "payload.h"

/*
 * Chooses p->sites and p->n_sites among the leaves of p->message: wide integers if there are any,
 * else narrow ones, else the last characters of strings and bytes, else doubles and floats; spread
 * over the message.
 */
void bench_sites_choose(bench_payload *p, const bench_leaves *leaves);

#endif
