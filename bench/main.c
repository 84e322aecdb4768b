/* SPDX-License-Identifier: MIT */
/* cwire-bench: how large and how fast, compared with the field. */
#include <stdio.h>
#include <string.h>

#include "record/compare.h"
#include "report.h"
#include "report/page.h"
#include "suite.h"

/* What no shell needs quotes for. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=,:+@%"

static void run_all(bench_run *run)
{
    bench_size(run);
    bench_codec(run);
#if BENCH_HAVE_HTTP
    bench_http(run);
#endif
}

typedef struct command {
    const char *name;
    void (*run)(bench_run *run);
    const char *help;
    int (*read)(const bench_options *options); /* in place of run: measures nothing */
    bool is_end; /* one end of a connection: no race, so no heading, and pinned only on demand */
} command;

static const command commands[] = {
    {"size", bench_size, "sizes of messages: JSON, binary, and both compressed", NULL, false},
    {"codec", bench_codec, "encode, decode, print and parse, against other libraries", NULL, false},
#if BENCH_HAVE_HTTP
    {"http", bench_http, "the same messages over HTTP/1.1 and HTTP/2, plain and over TLS", NULL,
     false},
#endif
    {"all", run_all, "all of these", NULL, false},
    {"articles", bench_articles, "the tables of three published write-ups, ours beside theirs",
     NULL, false},
    {"race", bench_race, "all of these on your own schema and data", NULL, false},
    {"compare", NULL, "two files of --json: ratios and noise; exit 1 when something got worse",
     bench_compare, false},
    {"report", NULL, "RESULTS.json OUT.html: a file of --json as a page with charts", bench_page,
     false},
#if BENCH_HAVE_HTTP
    {"serve", bench_serve, "the HTTP server of the race alone, until SIGINT or SIGTERM", NULL,
     true},
    {"drive", bench_drive, "the HTTP client of the race, against any server", NULL, true},
#endif
};

#if BENCH_HAVE_HTTP
static const bench_own_options *const own_options[] = {
    &bench_articles_own, &bench_race_own,    &bench_http_own, &bench_serve_own,
    &bench_drive_own,    &bench_compare_own, &bench_page_own, NULL};
static const char missing[] = "";
#else
static const bench_own_options *const own_options[] = {&bench_articles_own, &bench_race_own,
                                                       &bench_compare_own, &bench_page_own, NULL};
static const char missing[] =
    "  http, serve and drive are not in this build (CWIRE_BUILD_NET is off)\n";
#endif

static void print_help(void)
{
    printf("usage: cwire-bench SUBCOMMAND [OPTION...]\n\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        printf("  %-14s %s\n", commands[i].name, commands[i].help);
    }
    printf("  %-14s this text\n%s\n", "help", missing);
    bench_options_help(own_options);
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

/* The command line as it can be typed again. */
static void keep_command(bench_machine *m, int argc, char **argv)
{
    size_t len = (size_t)snprintf(m->command, sizeof m->command, "cwire-bench");
    for (int i = 1; i < argc && len < sizeof m->command; i++) {
        bool plain = argv[i][0] != '\0' && argv[i][strspn(argv[i], PLAIN)] == '\0';
        len += (size_t)snprintf(m->command + len, sizeof m->command - len, plain ? " %s" : " '%s'",
                                argv[i]);
    }
}

static int run_command(const command *chosen, const bench_options *options, int argc, char **argv)
{
    bench_machine machine;
    bench_run run = {.options = options, .machine = &machine};
    bench_machine_look(&machine);
    keep_command(&machine, argc, argv);
    bool wants_cpu = !chosen->is_end || options->cpu >= 0;
    if (wants_cpu && !bench_machine_pin(&machine, options->cpu) && options->cpu >= 0) {
        fprintf(stderr, "cwire-bench: cannot be pinned to CPU %d\n", options->cpu);
        return 1;
    }
    if (!chosen->is_end) {
        bench_report_machine(&machine);
    }
    chosen->run(&run);
    bool written =
        options->json == NULL || bench_results_write(&run.results, &machine, options->json);
    written &= options->csv == NULL || bench_results_write_csv(&run.results, options->csv);
    written = written && (options->html == NULL || bench_page_write(options->json, options->html));
    bench_results_free(&run.results);
    if (ferror(stdout) || fflush(stdout) != 0) {
        fprintf(stderr, "cwire-bench: cannot write the tables\n");
        return 1;
    }
    return written && !run.failed ? 0 : 1;
}

int main(int argc, char **argv)
{
    bench_options options;
    int code = 2;
    if (!bench_options_read(&options, own_options, argc, argv)) {
        bench_options_free(&options);
        return code;
    }
    const command *chosen = find_command(options.command);
    if (strcmp(options.command, "help") == 0) {
        print_help();
        code = 0;
    } else if (chosen == NULL) {
        fprintf(stderr, "cwire-bench: no subcommand '%s' (try: cwire-bench help)\n",
                options.command);
    } else {
        code = chosen->read != NULL ? chosen->read(&options)
                                    : run_command(chosen, &options, argc, argv);
    }
    bench_options_free(&options);
    return code;
}
