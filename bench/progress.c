/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* isatty */

#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void bench_progress(const char *format, ...)
{
    if (!isatty(2)) {
        return;
    }
    fprintf(stderr, "\r\033[K");
    if (format != NULL) {
        va_list args;
        va_start(args, format);
        fprintf(stderr, "cwire-bench: ");
        vfprintf(stderr, format, args);
        va_end(args);
    }
    fflush(stderr);
}
