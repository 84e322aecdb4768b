/* SPDX-License-Identifier: MIT */
/* cwire-bench: how large and how fast, compared with the field. */
#include <stdio.h>
#include <string.h>

#include "report.h"
#include "suite.h"

static void run_all(bench_run *run)
{
    bench_size(run);
    bench_codec(run);
}

typedef struct command {
    const char *name;
    void (*run)(bench_run *run);
    const char *help;
} command;

static const command commands[] = {
    {"size", bench_size, "sizes of the orders: JSON, binary, and both compressed"},
    {"codec", bench_codec, "encode, decode, print and parse, against other libraries"},
    {"all", run_all, "all of these"},
};

static void print_help(void)
{
    printf("usage: cwire-bench SUBCOMMAND [OPTION...]\n\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        printf("  %-14s %s\n", commands[i].name, commands[i].help);
    }
    printf("  %-14s this text\n\n", "help");
    printf("  --json FILE    write the rows to FILE as well\n"
           "  --filter TEXT  only rows whose payload/contender/op contains TEXT\n"
           "  --quick        a smoke test: few and short rounds\n"
           "  --full         more rounds, and every message type of the schemas\n"
           "  --cpu N        run on CPU N (else the last one allowed)\n");
}

static const command *find_command(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    bench_options options;
    bench_machine machine;
    if (!bench_options_read(&options, argc, argv)) {
        return 2;
    }
    if (strcmp(options.command, "help") == 0) {
        print_help();
        return 0;
    }
    const command *chosen = find_command(options.command);
    if (chosen == NULL) {
        fprintf(stderr, "cwire-bench: no subcommand '%s' (try: cwire-bench help)\n",
                options.command);
        return 2;
    }
    bench_run run = {.options = &options, .machine = &machine};
    bench_machine_look(&machine, options.cpu);
    bench_report_machine(&machine);
    chosen->run(&run);
    bool written =
        options.json == NULL || bench_results_write(&run.results, &machine, options.json);
    bench_results_free(&run.results);
    if (ferror(stdout) || fflush(stdout) != 0) {
        fprintf(stderr, "cwire-bench: cannot write the tables\n");
        return 1;
    }
    return written ? 0 : 1;
}
