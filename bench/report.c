/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <stdio.h>
#include <string.h>

void bench_report_machine(const bench_machine *m)
{
    printf("# cwire-bench, %s\n\n", m->date);
    printf("- %s, %d CPUs of %s", m->cpu, m->cpus, m->system);
    if (m->pinned >= 0) {
        printf(", pinned to CPU %d\n", m->pinned);
    } else {
        printf(", not pinned\n");
    }
    printf("- %s, %s\n", m->compiler, m->flags[0] ? m->flags : "no flags");
    printf("- %s\n", m->libraries);
}

/* "-" for what was not measured. */
static void print_count(int width, double v)
{
    if (v < 0) {
        printf(" %*s |", width, "-");
    } else {
        printf(" %*.*f |", width, v == (double)(long long)v ? 0 : 1, v);
    }
}

static void print_time(int width, double ns)
{
    printf(" %*.*f |", width, ns < 1000 ? 1 : 0, ns);
}

void bench_report_codec(const bench_results *r, const char *payload)
{
    printf("| %-17s | %-16s | %10s | %10s | %10s | %8s | %7s | %7s | %9s |\n", "contender", "op",
           "ns median", "min", "max", "bytes", "MB/s", "allocs", "heap B");
    printf(
        "|-------------------|------------------|-----------:|-----------:|-----------:|--------:|"
        "--------:|--------:|----------:|\n");
    for (size_t i = 0; i < r->len; i++) {
        const bench_row *row = &r->rows[i];
        if (strcmp(row->suite, "codec") != 0 || strcmp(row->payload, payload) != 0) {
            continue;
        }
        printf("| %-17s | %-16s |", row->contender, row->op);
        print_time(10, row->ns_median);
        print_time(10, row->ns_min);
        print_time(10, row->ns_max);
        printf(" %7zu | %7.0f |", row->bytes, row->mb_per_s);
        print_count(7, row->allocs);
        print_count(9, row->alloc_bytes);
        printf("\n");
    }
}

/* cwire's operation and what it is compared with. */
typedef struct pair {
    const char *op, *contender, *other;
} pair;

static const pair pairs[] = {
    {"encode", "protobuf-c", "encode"},
    {"encode_exact", "protobuf-c", "encode"},
    {"encode_arena", "protobuf-c", "encode"},
    {"encode", "naive", "encode"},
    {"decode_copy", "protobuf-c", "decode_malloc"},
    {"decode_copy", "protobuf-c", "decode_bump"},
    {"decode_alias", "protobuf-c", "decode_malloc"},
    {"decode_alias", "protobuf-c", "decode_bump"},
    {"json_print", "yajl", "json_print"},
    {"json_parse", "yajl", "json_parse"},
    {"json_parse_alias", "yajl", "json_parse"},
    {"json_print", "cjson", "json_print"},
    {"json_parse", "cjson", "json_parse"},
    {"encode", "cwire+gzip", "json_print_gzip"},
    {"decode_copy", "cwire+gzip", "json_parse_gzip"},
};

void bench_report_ratios(const bench_results *r, const char *payload)
{
    bool any = false;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const bench_row *ours = bench_results_find(r, payload, "cwire", pairs[i].op);
        const bench_row *theirs =
            bench_results_find(r, payload, pairs[i].contender, pairs[i].other);
        if (ours == NULL || theirs == NULL) {
            continue;
        }
        if (!any) {
            printf("\n| %-22s | %-26s | %12s |\n", "cwire", "against", "times faster");
            printf("|------------------------|----------------------------|-------------:|\n");
            any = true;
        }
        char against[64];
        snprintf(against, sizeof against, "%s %s", pairs[i].contender, pairs[i].other);
        printf("| %-22s | %-26s | %12.2f |\n", pairs[i].op, against,
               theirs->ns_median / ours->ns_median);
    }
}
