/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>

#include "data_order.h"
#include "die.h"
#include "mem.h"
#include "payloads.h"
#include "sizes.h"

const bench_sizes bench_article_one = {316, 212, 169, 113, 128, 0};
const bench_sizes bench_article_many = {63130, 3610, 2108, 22823, 3037, 0};

enum { COLUMNS = 5 + BENCH_HAVE_ZSTD };

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
    if (s->json_zstd > 0) {
        add_row(run, payload, "json_zstd", s->json_zstd);
    }
    add_row(run, payload, "binary", s->binary);
    add_row(run, payload, "binary_gzip", s->binary_gzip);
}

static void print_line(const char *payload, const char *form, const bench_sizes *s)
{
    const size_t all[] = {s->json,   s->json_gzip,   s->json_brotli,
                          s->binary, s->binary_gzip, s->json_zstd};
    const double json = s->json > 0 ? (double)s->json : 1;
    printf("| %-12s | %-14s |", payload, form);
    for (size_t i = 0; i < COLUMNS; i++) {
        if (all[i] > 0 || i < 5) {
            printf(" %6zu (%.3f) |", all[i], (double)all[i] / json);
        } else {
            printf(" %14s |", "-");
        }
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

static void print_heading(void)
{
    static const char *const titles[] = {"JSON",   "+ gzip -6",     "+ brotli 11",
                                         "binary", "binary + gzip", "JSON + zstd 3"};
    printf("\n## Sizes in bytes (and as a part of JSON)\n\n| %-12s | %-14s |", "", "JSON form");
    for (size_t i = 0; i < COLUMNS; i++) {
        printf(" %-14s |", titles[i]);
    }
    printf("\n|--------------|----------------|");
    for (size_t i = 0; i < COLUMNS; i++) {
        printf("---------------:|");
    }
    printf("\n");
}

void bench_size_messages(bench_run *run, const char *name, const cw_type *type,
                         const void *messages, size_t n)
{
    bench_sizes all = {0};
    cw_arena arena = {0};
    for (size_t i = 0; i < n; i++) {
        const char *message = (const char *)messages + i * type->struct_size;
        cw_bytes binary;
        cw_str json;
        cw_error e = {0};
        cw_arena_reset(&arena);
        if (type->encode_arena(message, &arena, &binary, &e) != CW_OK ||
            type->to_json(message, &arena, &bench_print_options, &json, &e) != CW_OK) {
            char text[512];
            cw_error_print(&e, text, sizeof text);
            bench_die("%s: message %zu cannot be written: %s", name, i + 1, text);
        }
        bench_sizes s = bench_sizes_of(bench_bytes_of(json), binary);
        all.json += s.json;
        all.json_gzip += s.json_gzip;
        all.json_brotli += s.json_brotli;
        all.binary += s.binary;
        all.binary_gzip += s.binary_gzip;
        all.json_zstd += s.json_zstd;
    }
    print_heading();
    print_line(name, n > 1 ? "all messages" : "message", &all);
    add_rows(run, name, &all);
    cw_arena_free(&arena);
}

void bench_size_orders(bench_run *run)
{
    print_heading();
    print_orders(run, "one", "one_array", 1, 1, &bench_article_one);
    print_orders(run, "many", "many_array", 0, BENCH_MANY, &bench_article_many);
}

void bench_size(bench_run *run)
{
    bench_size_orders(run);
    print_named(run, "document");
    print_named(run, "sensor_x100");
    print_named(run, "article_x100");
    print_named(run, "org");
}
