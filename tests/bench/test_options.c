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
static const bench_own_options *const own[] = {&fetch, NULL};

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything),   cmocka_unit_test(defaults), cmocka_unit_test(own_options),
        cmocka_unit_test(own_defaults), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
