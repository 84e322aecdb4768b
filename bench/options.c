/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(const char *what, const char *which)
{
    fprintf(stderr, "cwire-bench: %s: %s (try: cwire-bench help)\n", which, what);
    return false;
}

static bool read_cpu(const char *text, int *out)
{
    char *end;
    errno = 0;
    long v = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || v < 0 || v > INT_MAX) {
        return fail("not the number of a CPU", text);
    }
    *out = (int)v;
    return true;
}

bool bench_options_read(bench_options *o, int argc, char **argv)
{
    *o = (bench_options){.command = NULL, .cpu = -1};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        bool has_value =
            strcmp(arg, "--json") == 0 || strcmp(arg, "--filter") == 0 || strcmp(arg, "--cpu") == 0;
        if (has_value && ++i == argc) {
            return fail("needs a value", arg);
        }
        if (strcmp(arg, "--json") == 0) {
            o->json = argv[i];
        } else if (strcmp(arg, "--filter") == 0) {
            o->filter = argv[i];
        } else if (strcmp(arg, "--cpu") == 0) {
            if (!read_cpu(argv[i], &o->cpu)) {
                return false;
            }
        } else if (strcmp(arg, "--quick") == 0) {
            o->quick = true;
        } else if (strcmp(arg, "--full") == 0) {
            o->full = true;
        } else if (strcmp(arg, "--help") == 0) {
            o->command = "help";
        } else if (arg[0] == '-') {
            return fail("unknown option", arg);
        } else if (o->command != NULL) {
            return fail("one subcommand only", arg);
        } else {
            o->command = arg;
        }
    }
    if (o->quick && o->full) {
        return fail("--quick and --full exclude each other", "options");
    }
    o->command = o->command ? o->command : "help";
    return true;
}
