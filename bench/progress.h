/* SPDX-License-Identifier: MIT */
/* A line that tells what is being done. */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include "die.h"

/* Shows the text where stderr is a terminal, in the place of the one before; NULL: nothing more is
 * shown. Elsewhere nothing happens. */
void bench_progress(const char *format, ...) BENCH_PRINTF(1, 2);

#endif
