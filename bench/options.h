/* SPDX-License-Identifier: MIT */
/* The command line: options that all subcommands take, and those that one of them takes. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum bench_option_kind {
    BENCH_OPTION_FLAG, /* bool */
    BENCH_OPTION_TEXT, /* const char *, a view of argv; with `choices`: one of them */
    BENCH_OPTION_LIST, /* bench_list: the option may come more than once */
    BENCH_OPTION_INT,  /* int */
    BENCH_OPTION_REAL  /* double */
} bench_option_kind;

enum { BENCH_LIST_MAX = 32 };

typedef struct bench_list {
    const char *item[BENCH_LIST_MAX]; /* views of argv */
    size_t n;
} bench_list;

typedef struct bench_option {
    const char *name; /* "--port" */
    bench_option_kind kind;
    size_t at;           /* where the value goes: an offset in the struct */
    const char *value;   /* what stands for it in the help, "N"; a flag has none */
    const char *help;    /* one line */
    const char *choices; /* TEXT: what is allowed, "1|2|any"; NULL: anything */
    double min, max;     /* INT and REAL */
} bench_option;

/* What one subcommand takes beside the options of all. */
typedef struct bench_own_options {
    const char *command;
    bool is_implied; /* the command's name may be left out: its options say enough */
    const bench_option *options;
    size_t n;
    const char
        *operand;       /* one word that has to follow the command, as the help shows it; or NULL */
    size_t operand_at;  /* a const char * */
    const char *second; /* another word behind it; or NULL */
    size_t second_at;
    const void *defaults; /* the struct before anything is read */
    size_t size;
} bench_own_options;

typedef struct bench_options {
    const char *command;
    const char *json;   /* file for the rows; NULL: none */
    const char *csv;    /* the same, as comma-separated values */
    const char *html;   /* the same as a page; goes with json */
    const char *filter; /* only rows whose "payload/contender/op" contains it; NULL: all */
    int cpu;            /* to pin to; -1: the last one allowed */
    bool quick;         /* a smoke test: few and short rounds */
    bool full;          /* more rounds, and every message type */
    void *own;          /* the command's own struct; NULL: it has none */
} bench_options;

/*
 * Reads argv; false, with a line on stderr: something is wrong with it. "help" without arguments.
 * own: a list that ends with NULL; own options stand behind their command. Release with
 * bench_options_free, also after false.
 */
bool bench_options_read(bench_options *o, const bench_own_options *const *own, int argc,
                        char **argv);
void bench_options_free(bench_options *o);

/* Prints a line for each of the options that all commands take, and of each command's own. */
void bench_options_help(const bench_own_options *const *own);

#endif
