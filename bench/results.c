/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"

void bench_results_add(bench_results *r, const bench_row *row)
{
    if (r->len == r->cap) {
        size_t cap = r->cap ? 2 * r->cap : 64;
        bench_row *rows = realloc(r->rows, cap * sizeof *rows);
        if (rows == NULL) {
            bench_die("out of memory (%zu rows)", cap);
        }
        r->rows = rows;
        r->cap = cap;
    }
    r->rows[r->len++] = *row;
}

void bench_results_free(bench_results *r)
{
    free(r->rows);
    *r = (bench_results){NULL, 0, 0};
}

const bench_row *bench_results_find(const bench_results *r, const char *payload,
                                    const char *contender, const char *op)
{
    for (size_t i = 0; i < r->len; i++) {
        const bench_row *row = &r->rows[i];
        if (strcmp(row->suite, "codec") == 0 && strcmp(row->payload, payload) == 0 &&
            strcmp(row->contender, contender) == 0 && strcmp(row->op, op) == 0) {
            return row;
        }
    }
    return NULL;
}

static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fputc('\\', out);
        }
        if ((unsigned char)*c < 0x20) {
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)*c);
        } else {
            fputc(*c, out);
        }
    }
    fputc('"', out);
}

static void put_text(FILE *out, const char *before, const char *name, const char *text)
{
    fprintf(out, "%s\"%s\": ", before, name);
    put_string(out, text);
}

/* null for what was not measured. */
static void put_number(FILE *out, const char *name, double v)
{
    if (v < 0) {
        fprintf(out, ", \"%s\": null", name);
    } else {
        fprintf(out, ", \"%s\": %.10g", name, v);
    }
}

static void put_machine(FILE *out, const bench_machine *m)
{
    put_text(out, "{", "system", m->system);
    put_text(out, ", ", "cpu", m->cpu);
    fprintf(out, ", \"cpus\": %d", m->cpus);
    put_number(out, "pinned_to", m->pinned);
    put_text(out, ", ", "compiler", m->compiler);
    put_text(out, ", ", "flags", m->flags);
    put_text(out, ", ", "libraries", m->libraries);
    put_text(out, ", ", "date", m->date);
    fputs("}", out);
}

static void put_row(FILE *out, const bench_row *row)
{
    put_text(out, "{", "suite", row->suite);
    put_text(out, ", ", "payload", row->payload);
    put_text(out, ", ", "contender", row->contender);
    put_text(out, ", ", "op", row->op);
    put_number(out, "ns_median", row->ns_median);
    put_number(out, "ns_min", row->ns_min);
    put_number(out, "ns_max", row->ns_max);
    put_number(out, "bytes", (double)row->bytes);
    put_number(out, "mb_per_s", row->mb_per_s);
    put_number(out, "allocs", row->allocs);
    put_number(out, "alloc_bytes", row->alloc_bytes);
    fputs("}", out);
}

static bool write_all(const bench_results *r, const bench_machine *m, const char *path)
{
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        return false;
    }
    fputs("{\"machine\": ", out);
    put_machine(out, m);
    fputs(",\n \"rows\": [\n", out);
    for (size_t i = 0; i < r->len; i++) {
        put_row(out, &r->rows[i]);
        fputs(i + 1 < r->len ? ",\n" : "\n", out);
    }
    fputs("]}\n", out);
    bool written = !ferror(out) && fflush(out) == 0 && fsync(fileno(out)) == 0;
    return fclose(out) == 0 && written;
}

bool bench_results_write(const bench_results *r, const bench_machine *m, const char *path)
{
    char fresh[4096];
    int n = snprintf(fresh, sizeof fresh, "%s.new", path);
    if (n < 0 || (size_t)n >= sizeof fresh) {
        fprintf(stderr, "cwire-bench: %s: the name is too long\n", path);
        return false;
    }
    if (write_all(r, m, fresh) && rename(fresh, path) == 0) {
        return true;
    }
    fprintf(stderr, "cwire-bench: cannot write %s: %s\n", path, strerror(errno));
    remove(fresh);
    return false;
}
