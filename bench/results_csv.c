/* SPDX-License-Identifier: MIT */
/* Results as comma-separated values (RFC 4180, with line ends of this system). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "results.h"

/* The columns: the fields of rows, then those of records in the order in which they first come. */
typedef struct columns {
    const char **name;
    size_t n, cap;
} columns;

static size_t column_of(columns *c, const char *name)
{
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->name[i], name) == 0) {
            return i;
        }
    }
    if (c->n == c->cap) {
        c->cap = c->cap ? 2 * c->cap : 64;
        c->name = realloc(c->name, c->cap * sizeof *c->name);
        if (c->name == NULL) {
            bench_die("out of memory (%zu columns)", c->cap);
        }
    }
    c->name[c->n] = name;
    return c->n++;
}

static void put_text(FILE *out, const char *text)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"\"" : (const char[]){*text, '\0'}, out);
    }
    fputc('"', out);
}

/* Nothing for what was not measured. */
static void put_value(FILE *out, const bench_value *v)
{
    if (v->text != NULL) {
        put_text(out, v->text);
    } else if (v->number >= 0) {
        fprintf(out, "%.10g", v->number);
    }
}

static void put_line(FILE *out, columns *c, const bench_value *values, size_t n)
{
    for (size_t i = 0; i < c->n; i++) {
        if (i > 0) {
            fputc(',', out);
        }
        for (size_t k = 0; k < n; k++) {
            if (column_of(c, values[k].name) == i) {
                put_value(out, &values[k]);
                break;
            }
        }
    }
    fputc('\n', out);
}

enum { ROW_FIELDS = 11 };

static void row_values(const bench_row *row, bench_value out[ROW_FIELDS])
{
    const bench_value values[ROW_FIELDS] = {
        {"suite", row->suite, -1},
        {"payload", row->payload, -1},
        {"contender", row->contender, -1},
        {"op", row->op, -1},
        {"ns_median", NULL, row->ns_median},
        {"ns_min", NULL, row->ns_min},
        {"ns_max", NULL, row->ns_max},
        {"bytes", NULL, (double)row->bytes},
        {"mb_per_s", NULL, row->mb_per_s},
        {"allocs", NULL, row->allocs},
        {"alloc_bytes", NULL, row->alloc_bytes},
    };
    memcpy(out, values, sizeof values);
}

static void write_all(FILE *out, const bench_results *r)
{
    columns c = {0};
    bench_value values[ROW_FIELDS];
    row_values(&(bench_row){"", "", "", "", 0, 0, 0, 0, 0, 0, 0}, values);
    for (size_t i = 0; i < ROW_FIELDS; i++) {
        column_of(&c, values[i].name);
    }
    for (size_t i = 0; i < r->n_records; i++) {
        for (size_t k = 0; k < r->records[i].n; k++) {
            column_of(&c, r->records[i].values[k].name);
        }
    }
    for (size_t i = 0; i < c.n; i++) {
        fprintf(out, "%s%s", i > 0 ? "," : "", c.name[i]);
    }
    fputc('\n', out);
    for (size_t i = 0; i < r->len; i++) {
        row_values(&r->rows[i], values);
        put_line(out, &c, values, ROW_FIELDS);
    }
    for (size_t i = 0; i < r->n_records; i++) {
        put_line(out, &c, r->records[i].values, r->records[i].n);
    }
    free(c.name);
}

bool bench_results_write_csv(const bench_results *r, const char *path)
{
    FILE *out = fopen(path, "w");
    bool written = out != NULL;
    if (written) {
        write_all(out, r);
        written = !ferror(out);
        written = fclose(out) == 0 && written;
    }
    if (!written) {
        fprintf(stderr, "cwire-bench: cannot write %s: %s\n", path, strerror(errno));
    }
    return written;
}
