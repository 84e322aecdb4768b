/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "options.h"

/* The options point into the words. */
static bool read_words(bench_options *o, const char *const *words)
{
    char *argv[12] = {0};
    int argc = 1;
    for (; words[argc - 1] != NULL; argc++) {
        memcpy(&argv[argc], &words[argc - 1], sizeof argv[argc]);
    }
    return bench_options_read(o, argc, argv);
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
    const char *words[4];
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
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_options o;
        if (read_words(&o, cases[i].words)) {
            fail_msg("line %d: accepted", cases[i].line);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything),
        cmocka_unit_test(defaults),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
