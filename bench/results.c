/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"

/* Room for one more in a list of `len`; the list, maybe moved. */
static void *grow(void *list, size_t len, size_t *cap, size_t size)
{
    if (len < *cap) {
        return list;
    }
    *cap = *cap ? 2 * *cap : 64;
    list = realloc(list, *cap * size);
    if (list == NULL) {
        bench_die("out of memory (%zu rows)", *cap);
    }
    return list;
}

void bench_results_add(bench_results *r, const bench_row *row)
{
    r->rows = grow(r->rows, r->len, &r->cap, sizeof *row);
    r->rows[r->len++] = *row;
}

void bench_results_add_record(bench_results *r, const bench_value *values, size_t n)
{
    bench_value *copy = cw_arena_array(&r->texts, n, sizeof *copy);
    for (size_t i = 0; i < n && copy != NULL; i++) {
        cw_str name, text = {0};
        if (!cw_arena_str(&r->texts, cw_str_from(values[i].name), &name) ||
            (values[i].text != NULL &&
             !cw_arena_str(&r->texts, cw_str_from(values[i].text), &text))) {
            copy = NULL;
            break;
        }
        copy[i] = (bench_value){name.data, text.data, values[i].number};
    }
    if (copy == NULL) {
        bench_die("out of memory (%zu values)", n);
    }
    r->records = grow(r->records, r->n_records, &r->cap_records, sizeof *r->records);
    r->records[r->n_records++] = (bench_record){copy, n};
}

void bench_results_free(bench_results *r)
{
    free(r->rows);
    free(r->records);
    cw_arena_free(&r->texts);
    *r = (bench_results){0};
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
static void put_number(FILE *out, const char *before, const char *name, double v)
{
    if (v < 0) {
        fprintf(out, "%s\"%s\": null", before, name);
    } else {
        fprintf(out, "%s\"%s\": %.10g", before, name, v);
    }
}

static void put_machine(FILE *out, const bench_machine *m)
{
    put_text(out, "{", "system", m->system);
    put_text(out, ", ", "cpu", m->cpu);
    fprintf(out, ", \"cpus\": %d", m->cpus);
    put_number(out, ", ", "pinned_to", m->pinned);
    put_text(out, ", ", "compiler", m->compiler);
    put_text(out, ", ", "flags", m->flags);
    put_text(out, ", ", "libraries", m->libraries);
    put_text(out, ", ", "date", m->date);
    put_text(out, ", ", "command", m->command);
    fputs("}", out);
}

static void put_row(FILE *out, const bench_row *row)
{
    put_text(out, "", "suite", row->suite);
    put_text(out, ", ", "payload", row->payload);
    put_text(out, ", ", "contender", row->contender);
    put_text(out, ", ", "op", row->op);
    put_number(out, ", ", "ns_median", row->ns_median);
    put_number(out, ", ", "ns_min", row->ns_min);
    put_number(out, ", ", "ns_max", row->ns_max);
    put_number(out, ", ", "bytes", (double)row->bytes);
    put_number(out, ", ", "mb_per_s", row->mb_per_s);
    put_number(out, ", ", "allocs", row->allocs);
    put_number(out, ", ", "alloc_bytes", row->alloc_bytes);
}

static void put_record(FILE *out, const bench_record *record)
{
    for (size_t i = 0; i < record->n; i++) {
        const bench_value *v = &record->values[i];
        const char *before = i ? ", " : "";
        if (v->text != NULL) {
            put_text(out, before, v->name, v->text);
        } else {
            put_number(out, before, v->name, v->number);
        }
    }
}

static void put_rows(FILE *out, const bench_results *r)
{
    for (size_t i = 0; i < r->len + r->n_records; i++) {
        fputs(i ? ",\n{" : "{", out);
        if (i < r->len) {
            put_row(out, &r->rows[i]);
        } else {
            put_record(out, &r->records[i - r->len]);
        }
        fputs("}", out);
    }
    fputs(r->len + r->n_records ? "\n" : "", out);
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
    put_rows(out, r);
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
