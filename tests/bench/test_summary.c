/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "report.h"

static void add(bench_results *r, const char *payload, const char *contender, const char *op,
                double ns, double allocs)
{
    bench_row row = {"codec", payload, contender, op, ns, ns, ns, 1, 1, allocs, 0};
    bench_results_add(r, &row);
}

/* What the summary prints. */
static void capture(const bench_results *r, char *out, size_t cap)
{
    fflush(stdout);
    FILE *file = tmpfile();
    int kept = dup(STDOUT_FILENO);
    assert_non_null(file);
    assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0);
    bench_report_summary(r);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    rewind(file);
    size_t len = fread(out, 1, cap - 1, file);
    out[len] = '\0';
    fclose(file);
}

/* The line of a payload without blanks. */
static void line_of(const char *text, const char *payload, char *out)
{
    const char *at = strstr(text, payload);
    assert_non_null(at);
    for (; *at != '\n' && *at != '\0'; at++) {
        if (*at != ' ') {
            *out++ = *at;
        }
    }
    *out = '\0';
}

static void the_fastest_rival_counts(void **state)
{
    (void)state;
    char text[8192], line[512];
    bench_results r = {0};
    add(&r, "small", "cwire", "encode", 10, 0);
    add(&r, "small", "cwire", "decode_copy", 20, 0);
    add(&r, "small", "cwire", "json_print", 30, 0.25);
    add(&r, "small", "cwire_unchecked", "decode_copy", 1, 0);
    add(&r, "small", "protobuf-c", "encode", 45, 0);
    add(&r, "small", "protobuf-c", "decode_malloc", 200, 9);
    add(&r, "small", "protobuf-c", "decode_bump", 100, 0);
    add(&r, "small", "naive", "encode", 35, 3); /* no library */
    add(&r, "small", "yajl", "json_print", 90, 0);
    add(&r, "small", "cwire+gzip", "json_print_gzip", 5, 0); /* another format */
    add(&r, "other", "yajl", "json_parse", 90, 0);           /* nothing of cwire's */
    capture(&r, text, sizeof text);
    line_of(text, "small", line);
    assert_string_equal(line, "small|4.50|-|-|10.00|5.00|-|-|3.00|-|0.25|");
    line_of(text, "other", line);
    assert_string_equal(line, "other|-|-|-|-|-|-|-|-|-|-|");
    bench_results_free(&r);
}

static void nothing_of_nothing(void **state)
{
    (void)state;
    char text[64];
    bench_results r = {0};
    bench_row sized = {"size", "one", "json", "size", -1, -1, -1, 327, -1, -1, -1};
    bench_results_add(&r, &sized);
    capture(&r, text, sizeof text);
    assert_string_equal(text, "");
    bench_results_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_rival_counts),
        cmocka_unit_test(nothing_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
