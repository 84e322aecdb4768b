/* SPDX-License-Identifier: MIT */
#include "die.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void bench_die(const char *format, ...)
{
    fflush(stdout);
    va_list args;
    va_start(args, format);
    fputs("cwire-bench: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}
