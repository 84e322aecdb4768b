/* SPDX-License-Identifier: MIT */
#include "payloads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "article.cw.h"
#include "data.h"
#include "data_generic.h"
#include "data_order.h"
#include "die.h"
#include "document.cw.h"
#include "mem.h"
#include "org.cw.h"
#include "schema_registry.h"
#include "shapes.cw.h"
#include "suite.h"
#include "telemetry.cw.h"
#include "wide_record.cw.h"

/* Where schemas/samples is; the build sets it. */
#ifndef BENCH_SAMPLES_DIR
#define BENCH_SAMPLES_DIR "schemas/samples"
#endif

/* "hot" takes each order often enough that its branches and bytes are known; both rows of the set
 * do the same work otherwise. */
enum { SHUFFLED = 1, HOT = 16, SET = 1000 };

/* clang-format off */
const bench_named bench_named_payloads[] = {
    {"one", &shop_Batch_type, bench_data_one, 1, 0, true, 113, 327},
    {"many", &shop_Batch_type, bench_data_many, BENCH_MANY, 0, true, 22823, 63141},
    {"document", &document_Document_type, bench_data_document, 8, 0, true, 155, 448},
    {"sensor_x1", &telemetry_Readings_type, bench_data_telemetry, 1, 0, false, 76, 308},
    {"sensor_x100", &telemetry_Readings_type, bench_data_telemetry, 100, 0, true, 7568, 29409},
    {"sensor_x10000", &telemetry_Readings_type, bench_data_telemetry, 10000, 0, false, 756940, 2938239},
    {"article_x1", &article_Articles_type, bench_data_article, 1, 0, false, 2089, 2141},
    {"article_x100", &article_Articles_type, bench_data_article, 100, 0, true, 207359, 211077},
    {"article_x100_dense", &article_Articles_type, bench_data_article_dense, 100, 0, false, 207351, 211073},
    {"article_x10000", &article_Articles_type, bench_data_article, 10000, 0, false, 20754700, 21124770},
    {"org", &org_OrgNode_type, bench_data_org, 1000, 0, true, 20448, 41203},
    {"org_small", &org_Orgs_type, bench_data_org_small, 100, 0, false, 9308, 18814},
    {"maps", &shapes_Maps_type, bench_data_maps, 200, 0, false, 16046, 19051},
    {"wide", &wide_Record_type, bench_data_wide, 1, 0, false, 121, 328},
    {"varints", &shapes_Varints_type, bench_data_varints, 100, 0, false, 12116, 29089},
    {"packed_int32", &shapes_Packed_type, bench_data_packed_int32, 10000, 0, false, 32102, 62700},
    {"packed_int64", &shapes_Packed_type, bench_data_packed_int64, 10000, 0, false, 52627, 109748},
    {"packed_double", &shapes_Packed_type, bench_data_packed_double, 10000, 0, false, 80004, 181127},
    {"packed_bool", &shapes_Packed_type, bench_data_packed_bool, 10000, 0, false, 10013, 55014},
    {"orders_hot", &shop_Order_type, bench_data_order_shape, SET, HOT, true, 114599, 281414},
    {"orders_shuffled", &shop_Order_type, bench_data_order_shape, SET, SHUFFLED, true, 114599, 281414},
};
/* clang-format on */
const size_t bench_named_count = sizeof bench_named_payloads / sizeof bench_named_payloads[0];

/* ---- named payloads -----------------------------------------------------------------------------
 */

const bench_named *bench_named_find(const char *name)
{
    for (size_t i = 0; i < bench_named_count; i++) {
        if (strcmp(bench_named_payloads[i].name, name) == 0) {
            return &bench_named_payloads[i];
        }
    }
    return NULL;
}

void bench_named_build(const bench_named *named, uint32_t index, void *message, cw_arena *a)
{
    if (!named->build(message, a, named->repeats > 0 ? index : named->n)) {
        bench_die("payload %s: out of memory", named->name);
    }
}

/* 1, or how many the set has. */
static uint32_t count_messages(const bench_named *named)
{
    return named->repeats > 0 ? named->n : 1;
}

void bench_named_measure(const bench_named *named, size_t *binary, size_t *text)
{
    cw_arena arena = {0};
    cw_str json;
    void *message = bench_calloc(1, named->type->struct_size);
    *binary = *text = 0;
    for (uint32_t i = 0; i < count_messages(named); i++) {
        cw_arena_reset(&arena);
        bench_named_build(named, i, message, &arena);
        if (named->type->to_json(message, &arena, &bench_print_options, &json, NULL) != CW_OK) {
            bench_die("payload %s: cannot be printed", named->name);
        }
        *binary += named->type->encoded_size(message);
        *text += json.len;
    }
    free(message);
    cw_arena_free(&arena);
}

void bench_named_check(const bench_named *named)
{
    size_t binary, text;
    bench_named_measure(named, &binary, &text);
    if (binary != named->binary || text != named->text) {
        bench_die("payload %s: %zu bytes binary and %zu bytes JSON, where %zu and %zu are due",
                  named->name, binary, text, named->binary, named->text);
    }
}

bench_payload *bench_named_make(const bench_named *named)
{
    cw_arena arena = {0};
    const uint32_t n = count_messages(named);
    char *messages = bench_calloc(n, named->type->struct_size);
    bench_named_check(named);
    for (uint32_t i = 0; i < n; i++) {
        bench_named_build(named, i, messages + i * named->type->struct_size, &arena);
    }
    bench_payload *p = named->repeats > 0 ? bench_payload_make_set(named->name, named->type,
                                                                   messages, n, named->repeats)
                                          : bench_payload_make(named->name, named->type, messages);
    free(messages);
    cw_arena_free(&arena);
    return p;
}

bench_payload *bench_payload_orders(const char *name, uint32_t first, uint32_t count)
{
    cw_arena arena = {0};
    shop_Batch batch;
    if (!bench_data_orders(&batch, &arena, first, count)) {
        bench_die("out of memory");
    }
    bench_payload *p = bench_payload_make(name, &shop_Batch_type, &batch);
    cw_arena_free(&arena);
    return p;
}

/* ---- every other message type -------------------------------------------------------------------
 */

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

static bool is_named_type(const cw_type *type)
{
    for (size_t i = 0; i < bench_named_count; i++) {
        if (bench_named_payloads[i].type == type) {
            return true;
        }
    }
    return false;
}

/* One of the bench's own: it has a named payload, or twins of such messages. */
static bool is_own_file(const cw_file *file)
{
    for (uint32_t i = 0; i < file->n_types; i++) {
        if (is_named_type(file->types[i]) || strncmp(file->types[i]->full_name, "twin.", 5) == 0) {
            return true;
        }
    }
    return false;
}

static void visit_and_free(const bench_choice *choice, bench_payload *p)
{
    choice->visit(choice->ctx, p);
    bench_payload_free(p);
}

static void visit_types(const bench_choice *choice, const cw_file *file)
{
    for (uint32_t i = 0; i < file->n_types; i++) {
        const cw_type *type = file->types[i];
        bool named_by_filter = bench_filter_names(choice->filter, type->full_name);
        if ((choice->full || named_by_filter || !is_own_file(file)) && !is_named_type(type) &&
            choice->wants(choice->ctx, type->full_name)) {
            visit_and_free(choice, make_any(type));
        }
    }
}

/* ---- the choice ---------------------------------------------------------------------------------
 */

bool bench_filter_names(const char *filter, const char *payload)
{
    char part[128];
    size_t len = filter != NULL ? strcspn(filter, "/") : 0;
    if (len == 0 || len >= sizeof part) {
        return false;
    }
    memcpy(part, filter, len);
    part[len] = '\0';
    return strstr(payload, part) != NULL;
}

static bool is_chosen(const bench_choice *choice, const bench_named *named)
{
    return (choice->full || named->is_short || bench_filter_names(choice->filter, named->name)) &&
           choice->wants(choice->ctx, named->name);
}

void bench_payloads_each(const bench_choice *choice)
{
    for (size_t i = 0; i < bench_named_count; i++) {
        if (is_chosen(choice, &bench_named_payloads[i])) {
            bench_named_check(&bench_named_payloads[i]);
        }
    }
    for (size_t i = 0; i < bench_named_count; i++) {
        if (is_chosen(choice, &bench_named_payloads[i])) {
            visit_and_free(choice, bench_named_make(&bench_named_payloads[i]));
        }
    }
    for (size_t i = 0; i < bench_cw_file_count; i++) {
        visit_types(choice, bench_cw_files[i]);
    }
}
