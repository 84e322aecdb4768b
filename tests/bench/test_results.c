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
#include <sys/stat.h>
#include <unistd.h>

#include "results.h"

static const bench_row timed = {"codec", "many", "cwire", "encode", 4000.5, 3990,
                                4100.25, 22823,  5705.0,  0,        0};
static const bench_row sized = {"size", "one", "json", "size", -1, -1, -1, 327, -1, -1, -1};

static void rows_are_found_by_name(void **state)
{
    (void)state;
    bench_results r = {0};
    for (int i = 0; i < 100; i++) {
        bench_results_add(&r, &sized);
    }
    bench_results_add(&r, &timed);
    assert_int_equal(r.len, 101);
    const bench_row *found = bench_results_find(&r, "many", "cwire", "encode");
    assert_non_null(found);
    assert_int_equal(found->bytes, 22823);
    assert_null(bench_results_find(&r, "one", "cwire", "encode"));
    assert_null(bench_results_find(&r, "many", "yajl", "encode"));
    assert_null(bench_results_find(&r, "many", "cwire", "decode_copy"));
    assert_null(bench_results_find(&r, "one", "json", "size")); /* another suite */
    bench_results_free(&r);
    assert_int_equal(r.len, 0);
}

static const char expected[] =
    "{\"machine\": {\"system\": \"Linux \\\"x\\\"\", \"cpu\": \"a\\\\b\", \"cpus\": 2, "
    "\"pinned_to\": 1, \"compiler\": \"GNU 12\", \"flags\": \"-O2\", \"libraries\": \"a, b\", "
    "\"date\": \"2026-11-30T00:00:00Z\", \"command\": \"cwire-bench all\"},\n"
    " \"rows\": [\n"
    "{\"suite\": \"codec\", \"payload\": \"many\", \"contender\": \"cwire\", \"op\": \"encode\", "
    "\"ns_median\": 4000.5, \"ns_min\": 3990, \"ns_max\": 4100.25, \"bytes\": 22823, "
    "\"mb_per_s\": 5705, \"allocs\": 0, \"alloc_bytes\": 0},\n"
    "{\"suite\": \"size\", \"payload\": \"one\", \"contender\": \"json\", \"op\": \"size\", "
    "\"ns_median\": null, \"ns_min\": null, \"ns_max\": null, \"bytes\": 327, "
    "\"mb_per_s\": null, \"allocs\": null, \"alloc_bytes\": null}\n"
    "]}\n";

static const bench_machine machine = {
    .system = "Linux \"x\"",
    .cpu = "a\\b",
    .cpus = 2,
    .pinned = 1,
    .compiler = "GNU 12",
    .flags = "-O2",
    .libraries = "a, b",
    .date = "2026-11-30T00:00:00Z",
    .command = "cwire-bench all",
};

/* The whole file; len is SIZE_MAX when it cannot be read. */
static size_t read_file(const char *path, char *out, size_t cap)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        return SIZE_MAX;
    }
    size_t len = fread(out, 1, cap, in);
    fclose(in);
    return len;
}

static void the_file_is_written(void **state)
{
    (void)state;
    char text[4096];
    bench_results r = {0};
    bench_results_add(&r, &timed);
    bench_results_add(&r, &sized);
    assert_true(bench_results_write(&r, &machine, "results.json"));
    size_t len = read_file("results.json", text, sizeof text);
    assert_int_equal(len, sizeof expected - 1);
    assert_memory_equal(text, expected, len);
    assert_int_equal(read_file("results.json.new", text, sizeof text), SIZE_MAX);
    bench_results_free(&r);
    remove("results.json");
}

/* Records follow the rows, with the fields that they have; their texts are copied. */
static void records_are_written(void **state)
{
    (void)state;
    char text[4096], name[] = "fast \"one\"";
    bench_results r = {0};
    const bench_value values[] = {
        {"suite", "http", -1}, {"name", name, -1}, {"rate", NULL, 12.5}, {"p999", NULL, -1}};
    bench_results_add_record(&r, values, 4);
    name[0] = 'X';
    assert_true(bench_results_write(&r, &machine, "records.json"));
    size_t len = read_file("records.json", text, sizeof text - 1);
    assert_true(len < sizeof text);
    text[len] = '\0';
    assert_non_null(strstr(text, "\"rows\": [\n{\"suite\": \"http\", \"name\": \"fast "
                                 "\\\"one\\\"\", \"rate\": 12.5, \"p999\": null}\n]}\n"));
    bench_results_add(&r, &sized);
    assert_true(bench_results_write(&r, &machine, "records.json"));
    len = read_file("records.json", text, sizeof text - 1);
    assert_true(len < sizeof text);
    text[len] = '\0';
    assert_non_null(strstr(text, "\"alloc_bytes\": null},\n{\"suite\": \"http\""));
    bench_results_free(&r);
    remove("records.json");
}

static void a_failure_is_told(void **state)
{
    (void)state;
    bench_results r = {0};
    bench_results_add(&r, &timed);
    assert_false(bench_results_write(&r, &machine, "no/such/folder/results.json"));
    bench_results_free(&r);
}

/* The name cannot be taken: what stands there stays, and no half file beside it. */
static void what_stands_there_stays(void **state)
{
    (void)state;
    char text[8];
    bench_results r = {0};
    bench_results_add(&r, &timed);
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_false(bench_results_write(&r, &machine, "folder"));
    assert_int_equal(read_file("folder.new", text, sizeof text), SIZE_MAX);
    assert_int_equal(rmdir("folder"), 0);
    bench_results_free(&r);
}

/* One table for all suites: what a row does not have stays empty. */
static void csv_is_written(void **state)
{
    (void)state;
    static const char csv[] = "suite,payload,contender,op,ns_median,ns_min,ns_max,bytes,mb_per_s,"
                              "allocs,alloc_bytes,rate\n"
                              "codec,many,cwire,encode,4000.5,3990,4100.25,22823,5705,0,0,\n"
                              "size,one,json,size,,,,327,,,,\n"
                              "http,\"a, \"\"b\"\"\",,,,,,,,,,12.5\n";
    char text[1024];
    bench_results r = {0};
    const bench_value values[] = {
        {"suite", "http", -1}, {"payload", "a, \"b\"", -1}, {"rate", NULL, 12.5}};
    bench_results_add(&r, &timed);
    bench_results_add(&r, &sized);
    bench_results_add_record(&r, values, 3);
    assert_true(bench_results_write_csv(&r, "results.csv"));
    size_t len = read_file("results.csv", text, sizeof text);
    assert_int_equal(len, sizeof csv - 1);
    assert_memory_equal(text, csv, len);
    assert_false(bench_results_write_csv(&r, "no folder/results.csv"));
    bench_results_free(&r);
    remove("results.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_found_by_name),  cmocka_unit_test(the_file_is_written),
        cmocka_unit_test(records_are_written),     cmocka_unit_test(a_failure_is_told),
        cmocka_unit_test(what_stands_there_stays), cmocka_unit_test(csv_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
