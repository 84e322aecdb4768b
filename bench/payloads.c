/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "data_generic.h"
#include "data_order.h"
#include "die.h"
#include "mem.h"
#include "schema_registry.h"

/* Where schemas/samples is; the build sets it. */
#ifndef BENCH_SAMPLES_DIR
#define BENCH_SAMPLES_DIR "schemas/samples"
#endif

static const cw_type *find_type(const char *full_name)
{
    cw_registry all = {bench_cw_files, bench_cw_file_count};
    const cw_type *type = cw_registry_find_type(&all, cw_str_from(full_name));
    if (type == NULL) {
        bench_die("the schemas have no message %s", full_name);
    }
    return type;
}

bench_payload *bench_payload_orders(const char *name, uint32_t first, uint32_t count)
{
    cw_arena arena = {0};
    shop_Batch batch;
    if (!bench_data_orders(&batch, &arena, first, count)) {
        bench_die("out of memory");
    }
    bench_payload *p = bench_payload_make(name, find_type("shop.Batch"), &batch);
    cw_arena_free(&arena);
    return p;
}

/* The whole sample file of the type in the arena; false: there is none. */
static bool read_sample(const cw_type *type, cw_arena *a, cw_str *out)
{
    char path[1024];
    size_t cap = 4096, len = 0, got;
    snprintf(path, sizeof path, "%s/%s.json", BENCH_SAMPLES_DIR, type->full_name);
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        return false;
    }
    char *text = cw_arena_alloc(a, cap);
    while (text != NULL && (got = fread(text + len, 1, cap - len, in)) > 0) {
        len += got;
        if (len == cap) {
            char *more = cw_arena_alloc(a, 2 * cap);
            if (more != NULL) {
                memcpy(more, text, len);
            }
            text = more;
            cap *= 2;
        }
    }
    if (text == NULL || ferror(in)) {
        bench_die("cannot read %s: %s", path, text ? strerror(errno) : "out of memory");
    }
    fclose(in);
    *out = cw_str_of(text, len);
    return true;
}

static bench_payload *make_any(const cw_type *type)
{
    cw_arena arena = {0};
    cw_str sample;
    cw_error e = {0};
    void *message = bench_calloc(1, type->struct_size);
    if (read_sample(type, &arena, &sample)) {
        if (type->from_json(message, sample.data, sample.len, &arena, NULL, &e) != CW_OK) {
            char text[512];
            cw_error_print(&e, text, sizeof text);
            bench_die("%s/%s.json: %s", BENCH_SAMPLES_DIR, type->full_name, text);
        }
    } else if (!bench_data_generic(type, message, &arena)) {
        bench_die("out of memory");
    }
    bench_payload *p = bench_payload_make(type->full_name, type, message);
    free(message);
    cw_arena_free(&arena);
    return p;
}

/* What "one" and "many" are made of. */
static bool is_order_type(const cw_type *type)
{
    return strcmp(type->full_name, "shop.Item") == 0 ||
           strcmp(type->full_name, "shop.Order") == 0 || strcmp(type->full_name, "shop.Batch") == 0;
}

static void visit_and_free(bench_payload *p, void (*visit)(void *, const bench_payload *),
                           void *ctx)
{
    visit(ctx, p);
    bench_payload_free(p);
}

void bench_payloads_each(bool all, void (*visit)(void *ctx, const bench_payload *p), void *ctx)
{
    visit_and_free(bench_payload_orders("one", 1, 1), visit, ctx);
    visit_and_free(bench_payload_orders("many", 0, BENCH_MANY), visit, ctx);
    for (size_t i = 0; i < bench_cw_file_count; i++) {
        const cw_file *file = bench_cw_files[i];
        for (uint32_t j = 0; j < file->n_types; j++) {
            if (all || !is_order_type(file->types[j])) {
                visit_and_free(make_any(file->types[j]), visit, ctx);
            }
        }
    }
}
