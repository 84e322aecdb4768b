/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "options.h"

/* A command with options of its own, as serve and drive have. */
typedef struct fetch_options {
    const char *url, *version;
    int port;
    double rate;
    bool tls;
} fetch_options;

static const fetch_options fetch_defaults = {.version = "any", .port = 80};
static const bench_option fetch_list[] = {
    {.name = "--tls", .kind = BENCH_OPTION_FLAG, .at = offsetof(fetch_options, tls)},
    {.name = "--port", .kind = BENCH_OPTION_INT, .at = offsetof(fetch_options, port), .max = 65535},
    {.name = "--rate",
     .kind = BENCH_OPTION_REAL,
     .at = offsetof(fetch_options, rate),
     .min = 0.5,
     .max = 10},
    {.name = "--version",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(fetch_options, version),
     .choices = "1|2|any"},
};
static const bench_own_options fetch = {
    .command = "fetch",
    .options = fetch_list,
    .n = sizeof fetch_list / sizeof fetch_list[0],
    .operand = "URL",
    .operand_at = offsetof(fetch_options, url),
    .defaults = &fetch_defaults,
    .size = sizeof fetch_defaults,
};
/* A command that its options imply. */
typedef struct mix_options {
    bench_list parts;
    const char *into;
} mix_options;

static const mix_options mix_defaults = {.into = "bowl"};
static const bench_option mix_list[] = {
    {.name = "--part", .kind = BENCH_OPTION_LIST, .at = offsetof(mix_options, parts)},
    {.name = "--into", .kind = BENCH_OPTION_TEXT, .at = offsetof(mix_options, into)},
};
static const bench_own_options mix = {
    .command = "mix",
    .is_implied = true,
    .options = mix_list,
    .n = sizeof mix_list / sizeof mix_list[0],
    .defaults = &mix_defaults,
    .size = sizeof mix_defaults,
};
static const bench_own_options *const own[] = {&fetch, &mix, NULL};

/* The options point into the words. */
static bool read_words(bench_options *o, const char *const *words)
{
    char *argv[12] = {0};
    int argc = 1;
    for (; words[argc - 1] != NULL; argc++) {
        memcpy(&argv[argc], &words[argc - 1], sizeof argv[argc]);
    }
    return bench_options_read(o, own, argc, argv);
}

static void everything(void **state)
{
    (void)state;
    bench_options o;
    assert_true(read_words(&o, (const char *[]){"codec", "--json", "x.json", "--filter", "many/",
                                                "--cpu", "1", "--quick", NULL}));
    assert_string_equal(o.command, "codec");
    assert_string_equal(o.json, "x.json");
    assert_string_equal(o.filter, "many/");
    assert_int_equal(o.cpu, 1);
    assert_true(o.quick);
    assert_false(o.full);
    assert_null(o.own);
    bench_options_free(&o);
}

static void own_options(void **state)
{
    (void)state;
    bench_options o;
    assert_true(
        read_words(&o, (const char *[]){"fetch", "--tls", "--port", "8080", "--cpu", "0",
                                        "http://x", "--rate", "2.5", "--version", "2", NULL}));
    const fetch_options *f = o.own;
    assert_string_equal(o.command, "fetch");
    assert_int_equal(o.cpu, 0);
    assert_string_equal(f->url, "http://x");
    assert_true(f->tls);
    assert_int_equal(f->port, 8080);
    assert_true(f->rate > 2.49 && f->rate < 2.51);
    assert_string_equal(f->version, "2");
    bench_options_free(&o);
}

static void own_defaults(void **state)
{
    (void)state;
    bench_options o;
    assert_true(read_words(&o, (const char *[]){"fetch", "http://x", NULL}));
    const fetch_options *f = o.own;
    assert_false(f->tls);
    assert_int_equal(f->port, 80);
    assert_string_equal(f->version, "any");
    bench_options_free(&o);
}

static void defaults(void **state)
{
    (void)state;
    bench_options o;
    assert_true(read_words(&o, (const char *[]){NULL}));
    assert_string_equal(o.command, "help");
    assert_null(o.json);
    assert_null(o.filter);
    assert_int_equal(o.cpu, -1);
    assert_false(o.quick);
}

typedef struct refusal {
    int line;
    const char *words[5];
} refusal;

static void refusals(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {__LINE__, {"--json"}},
        {__LINE__, {"codec", "--filter"}},
        {__LINE__, {"--cpu", "one"}},
        {__LINE__, {"--cpu", "-1"}},
        {__LINE__, {"--cpu", ""}},
        {__LINE__, {"--cpu", "1x"}},
        {__LINE__, {"--fast"}},
        {__LINE__, {"size", "codec"}},
        {__LINE__, {"all", "-q"}},
        {__LINE__, {"--cpu", "99999999999999999999"}},
        {__LINE__, {"--quick", "--full"}},
        {__LINE__, {"codec", "--tls"}},      /* another command's */
        {__LINE__, {"--tls", "fetch", "u"}}, /* before its command */
        {__LINE__, {"fetch"}},               /* no operand */
        {__LINE__, {"fetch", "u", "v"}},
        {__LINE__, {"fetch", "u", "--port"}},
        {__LINE__, {"fetch", "u", "--port", "65536"}},
        {__LINE__, {"fetch", "u", "--port", "1.5"}},
        {__LINE__, {"fetch", "u", "--rate", "0.4"}},
        {__LINE__, {"fetch", "u", "--rate", "nan"}},
        {__LINE__, {"fetch", "u", "--rate", "x"}},
        {__LINE__, {"fetch", "u", "--version", "3"}},
        {__LINE__, {"fetch", "u", "--version", ""}},
        {__LINE__, {"fetch", "u", "--version", "1|2"}},
        {__LINE__, {"fetch", "u", "--version", "an"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_options o;
        if (read_words(&o, cases[i].words)) {
            fail_msg("line %d: accepted", cases[i].line);
        }
        bench_options_free(&o);
    }
}

static void implied_command(void **state)
{
    (void)state;
    static const char *const words[] = {"--quick", "--part", "flour", "--part",
                                        "eggs",    "--into", "pan",   NULL};
    bench_options o;
    assert_true(read_words(&o, words));
    const mix_options *mixed = o.own;
    assert_string_equal(o.command, "mix");
    assert_int_equal(mixed->parts.n, 2);
    assert_string_equal(mixed->parts.item[0], "flour");
    assert_string_equal(mixed->parts.item[1], "eggs");
    assert_string_equal(mixed->into, "pan");
    assert_true(o.quick);
    bench_options_free(&o);
    /* It stays the command that was named, and no second one may follow. */
    static const char *const other[] = {"fetch", "u", "--part", "x", NULL};
    assert_false(read_words(&o, other));
    bench_options_free(&o);
    static const char *const two[] = {"--part", "x", "fetch", NULL};
    assert_false(read_words(&o, two));
    bench_options_free(&o);
}

static void a_list_is_bounded(void **state)
{
    (void)state;
    char *argv[2 + 2 * (BENCH_LIST_MAX + 1)] = {0};
    char option[] = "--part", value[] = "x";
    for (size_t i = 0; i <= BENCH_LIST_MAX; i++) {
        argv[1 + 2 * i] = option;
        argv[2 + 2 * i] = value;
    }
    bench_options o;
    assert_true(bench_options_read(&o, own, 1 + 2 * BENCH_LIST_MAX, argv));
    assert_int_equal(((const mix_options *)o.own)->parts.n, BENCH_LIST_MAX);
    bench_options_free(&o);
    assert_false(bench_options_read(&o, own, 3 + 2 * BENCH_LIST_MAX, argv));
    bench_options_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything),        cmocka_unit_test(defaults),
        cmocka_unit_test(own_options),       cmocka_unit_test(own_defaults),
        cmocka_unit_test(refusals),          cmocka_unit_test(implied_command),
        cmocka_unit_test(a_list_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
