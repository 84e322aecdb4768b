/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>

#include "data_order.h"
#include "die.h"
#include "mem.h"
#include "payloads.h"
#include "sizes.h"

/* What an article on this very data printed for the bare JSON array and the binary form. */
static const bench_sizes article_one = {316, 212, 169, 113, 128};
static const bench_sizes article_many = {63130, 3610, 2108, 22823, 3037};

static void add_row(bench_run *run, const char *payload, const char *form, size_t bytes)
{
    bench_row row = {"size", payload, form, "size", -1, -1, -1, bytes, -1, -1, -1};
    bench_results_add(&run->results, &row);
}

static void add_rows(bench_run *run, const char *payload, const bench_sizes *s)
{
    add_row(run, payload, "json", s->json);
    add_row(run, payload, "json_gzip", s->json_gzip);
    add_row(run, payload, "json_brotli", s->json_brotli);
    add_row(run, payload, "binary", s->binary);
    add_row(run, payload, "binary_gzip", s->binary_gzip);
}

static void print_line(const char *payload, const char *form, const bench_sizes *s)
{
    const size_t all[] = {s->json, s->json_gzip, s->json_brotli, s->binary, s->binary_gzip};
    printf("| %-12s | %-14s |", payload, form);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        printf(" %6zu (%.3f) |", all[i], (double)all[i] / (double)s->json);
    }
    printf("\n");
}

/* The orders as issued: a payload's would have been changed for the race. */
static void print_orders(bench_run *run, const char *name, const char *array_name, uint32_t first,
                         uint32_t count, const bench_sizes *article)
{
    cw_arena arena = {0};
    shop_Batch batch;
    cw_bytes binary, array;
    cw_str json;
    if (!bench_data_orders(&batch, &arena, first, count) ||
        shop_Batch_encode_arena(&batch, &arena, &binary, NULL) != CW_OK ||
        shop_Batch_to_json(&batch, &arena, &bench_print_options, &json, NULL) != CW_OK ||
        !bench_bare_array(bench_bytes_of(json), &array)) {
        bench_die("%s: the orders cannot be written", name);
    }
    bench_sizes of_message = bench_sizes_of(bench_bytes_of(json), binary);
    bench_sizes of_array = bench_sizes_of(array, binary);
    print_line(name, "message", &of_message);
    print_line(name, "bare array", &of_array);
    print_line(name, "article, array", article);
    add_rows(run, name, &of_message);
    add_rows(run, array_name, &of_array);
    cw_arena_free(&arena);
}

/* A payload as its builder makes it. */
static void print_named(bench_run *run, const char *name)
{
    cw_arena arena = {0};
    cw_bytes binary;
    cw_str json;
    const bench_named *named = bench_named_find(name);
    void *message = bench_calloc(1, named->type->struct_size);
    bench_named_build(named, 0, message, &arena);
    if (named->type->encode_arena(message, &arena, &binary, NULL) != CW_OK ||
        named->type->to_json(message, &arena, &bench_print_options, &json, NULL) != CW_OK) {
        bench_die("%s: cannot be written", name);
    }
    bench_sizes sizes = bench_sizes_of(bench_bytes_of(json), binary);
    print_line(name, "message", &sizes);
    add_rows(run, name, &sizes);
    free(message);
    cw_arena_free(&arena);
}

void bench_size(bench_run *run)
{
    printf("\n## Sizes in bytes (and as a part of JSON)\n\n");
    printf("| %-12s | %-14s | %-14s | %-14s | %-14s | %-14s | %-14s |\n", "", "JSON form", "JSON",
           "+ gzip -6", "+ brotli 11", "binary", "binary + gzip");
    printf("|--------------|----------------|---------------:|---------------:|---------------:|"
           "---------------:|---------------:|\n");
    print_orders(run, "one", "one_array", 1, 1, &article_one);
    print_orders(run, "many", "many_array", 0, BENCH_MANY, &article_many);
    print_named(run, "document");
    print_named(run, "sensor_x100");
    print_named(run, "article_x100");
    print_named(run, "org");
}
