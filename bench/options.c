/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

static const bench_option common[] = {
    {.name = "--json",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(bench_options, json),
     .value = "FILE",
     .help = "write the rows to FILE as well"},
    {.name = "--csv",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(bench_options, csv),
     .value = "FILE",
     .help = "the same as comma-separated values"},
    {.name = "--html",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(bench_options, html),
     .value = "FILE",
     .help = "with --json: a page with charts of it as well"},
    {.name = "--filter",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(bench_options, filter),
     .value = "TEXT",
     .help = "only rows whose payload/contender/op contains TEXT (http: "
             "table/transport/in flight/TLS/payload/form/coding)"},
    {.name = "--quick",
     .kind = BENCH_OPTION_FLAG,
     .at = offsetof(bench_options, quick),
     .help = "a smoke test: few and short rounds"},
    {.name = "--full",
     .kind = BENCH_OPTION_FLAG,
     .at = offsetof(bench_options, full),
     .help = "more rounds, all payloads, and every message type of the schemas"},
    {.name = "--cpu",
     .kind = BENCH_OPTION_INT,
     .at = offsetof(bench_options, cpu),
     .value = "N",
     .help = "run on CPU N (else the last one allowed)",
     .max = INT_MAX},
};
static const size_t n_common = sizeof common / sizeof common[0];

static bool fail(const char *what, const char *which)
{
    fprintf(stderr, "cwire-bench: %s: %s (try: cwire-bench help)\n", which, what);
    return false;
}

static const bench_option *find(const bench_option *options, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(options[i].name, name) == 0) {
            return &options[i];
        }
    }
    return NULL;
}

/* Is the text one of "a|b|c"? */
static bool is_choice(const char *choices, const char *text)
{
    size_t len = strlen(text);
    for (const char *at = choices; len > 0; at++) {
        size_t n = strcspn(at, "|");
        if (n == len && memcmp(at, text, len) == 0) {
            return true;
        }
        at += n;
        if (*at == '\0') {
            break;
        }
    }
    return false;
}

static bool read_number(const bench_option *option, const char *text, double *out)
{
    char *end;
    errno = 0;
    double v =
        option->kind == BENCH_OPTION_INT ? (double)strtol(text, &end, 10) : strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !(v >= option->min && v <= option->max)) {
        fprintf(stderr, "cwire-bench: %s: not a number from %.10g to %.10g: %s\n", option->name,
                option->min, option->max, text);
        return false;
    }
    *out = v;
    return true;
}

static bool take_item(const bench_option *option, void *at, const char *text)
{
    bench_list list;
    memcpy(&list, at, sizeof list);
    if (list.n == BENCH_LIST_MAX) {
        return fail("too many of them", option->name);
    }
    list.item[list.n++] = text;
    memcpy(at, &list, sizeof list);
    return true;
}

/* Puts the value into the struct. */
static bool take(const bench_option *option, char *into, const char *text)
{
    void *at = into + option->at;
    double v;
    int whole;
    switch (option->kind) {
    case BENCH_OPTION_FLAG:
        memcpy(at, &(bool){true}, sizeof(bool));
        return true;
    case BENCH_OPTION_TEXT:
        if (option->choices != NULL && !is_choice(option->choices, text)) {
            fprintf(stderr, "cwire-bench: %s: not one of %s: %s\n", option->name, option->choices,
                    text);
            return false;
        }
        memcpy(at, &text, sizeof text);
        return true;
    case BENCH_OPTION_LIST:
        return take_item(option, at, text);
    case BENCH_OPTION_INT:
        if (!read_number(option, text, &v)) {
            return false;
        }
        whole = (int)v;
        memcpy(at, &whole, sizeof whole);
        return true;
    default:
        if (!read_number(option, text, &v)) {
            return false;
        }
        memcpy(at, &v, sizeof v);
        return true;
    }
}

static const bench_own_options *own_of(const bench_own_options *const *own, const char *command)
{
    for (size_t i = 0; own != NULL && own[i] != NULL; i++) {
        if (strcmp(own[i]->command, command) == 0) {
            return own[i];
        }
    }
    return NULL;
}

static const bench_own_options *implied_by(const bench_own_options *const *own, const char *option)
{
    for (size_t i = 0; own != NULL && own[i] != NULL; i++) {
        if (own[i]->is_implied && find(own[i]->options, own[i]->n, option) != NULL) {
            return own[i];
        }
    }
    return NULL;
}

static unsigned count_operands(const bench_own_options *own)
{
    return own == NULL || own->operand == NULL ? 0 : own->second == NULL ? 1 : 2;
}

/* A word that is no option: the command, or one of its operands. */
static bool take_word(bench_options *o, const bench_own_options *const *own,
                      const bench_own_options **mine, unsigned *words, const char *word)
{
    if (o->command == NULL) {
        o->command = word;
        *mine = own_of(own, word);
        if (*mine != NULL) {
            o->own = bench_calloc(1, (*mine)->size);
            memcpy(o->own, (*mine)->defaults, (*mine)->size);
        }
        return true;
    }
    if (*mine == NULL || (*mine)->operand == NULL) {
        return fail("one subcommand only", word);
    }
    if (*words == count_operands(*mine)) {
        return fail("one word too many", word);
    }
    size_t at = *words == 0 ? (*mine)->operand_at : (*mine)->second_at;
    memcpy((char *)o->own + at, &word, sizeof word);
    ++*words;
    return true;
}

static bool check(const bench_options *o, const bench_own_options *mine, unsigned words)
{
    if (o->quick && o->full) {
        return fail("--quick and --full exclude each other", "options");
    }
    if (o->html != NULL && o->json == NULL) {
        return fail("needs --json FILE, which it shows", "--html");
    }
    if (words < count_operands(mine) && strcmp(o->command, "help") != 0) {
        return fail("has to follow it", words == 0 ? mine->operand : mine->second);
    }
    return true;
}

bool bench_options_read(bench_options *o, const bench_own_options *const *own, int argc,
                        char **argv)
{
    const bench_own_options *mine = NULL;
    unsigned words = 0;
    *o = (bench_options){.command = NULL, .cpu = -1};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (strcmp(arg, "--help") == 0) {
            o->command = "help";
            continue;
        }
        if (arg[0] != '-') {
            if (!take_word(o, own, &mine, &words, arg)) {
                return false;
            }
            continue;
        }
        char *into = (char *)o;
        const bench_option *option = find(common, n_common, arg);
        const bench_own_options *implied =
            option == NULL && o->command == NULL ? implied_by(own, arg) : NULL;
        if (implied != NULL && !take_word(o, own, &mine, &words, implied->command)) {
            return false;
        }
        if (option == NULL && mine != NULL) {
            into = o->own;
            option = find(mine->options, mine->n, arg);
        }
        if (option == NULL) {
            return fail("unknown option", arg);
        }
        bool has_value = option->kind != BENCH_OPTION_FLAG;
        if (has_value && ++i == argc) {
            return fail("needs a value", arg);
        }
        if (!take(option, into, has_value ? argv[i] : NULL)) {
            return false;
        }
    }
    o->command = o->command ? o->command : "help";
    return check(o, mine, words);
}

void bench_options_free(bench_options *o)
{
    free(o->own);
    o->own = NULL;
}

static void print_options(const bench_option *options, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const bench_option *option = &options[i];
        const char *value = option->value ? option->value : option->choices ? option->choices : "";
        char words[64];
        snprintf(words, sizeof words, "%s %s", option->name, value);
        printf("  %-26s %s\n", words, option->help);
    }
}

void bench_options_help(const bench_own_options *const *own)
{
    print_options(common, n_common);
    for (size_t i = 0; own != NULL && own[i] != NULL; i++) {
        const char *operand = own[i]->operand, *second = own[i]->second;
        if (own[i]->n == 0) {
            continue;
        }
        printf("\nOptions of %s%s%s%s%s:\n\n", own[i]->command, operand ? " " : "",
               operand ? operand : "", second ? " " : "", second ? second : "");
        print_options(own[i]->options, own[i]->n);
    }
}
