/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articles.h"
#include "die.h"

static const char *const names[] = {
    "bytes",           "serialize",          "deserialize",       "round_trip", "serialize_allocs",
    "serialize_bytes", "deserialize_allocs", "deserialize_bytes", "cycles",
};

static bool is_known(const char *name)
{
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        found = found || strcmp(names[i], name) == 0;
    }
    return found;
}

static bool is_format(const char *name)
{
    bool found = false;
    for (size_t i = 0; i < BENCH_ARTICLE_FORMATS; i++) {
        found = found || strcmp(bench_article_formats[i].name, name) == 0;
    }
    return found;
}

/* NULL, or what is wrong with the line. */
static const char *read_line(const char *line, bench_published_value *v)
{
    char number[64], rest;
    if (sscanf(line, " %31[^, ] , %31[^, ] , %31[^, ] , %63s %c", v->payload, v->format, v->name,
               number, &rest) != 4) {
        return "not \"payload,format,value,number\"";
    }
    char *end;
    v->number = strtod(number, &end);
    return !is_format(v->format)                   ? "no such format (json, messagepack, protobuf)"
           : !is_known(v->name)                    ? "no such value"
           : *end != '\0'                          ? "not a number"
           : !(v->number >= 0 && v->number < 1e18) ? "no such number can be"
                                                   : NULL;
}

static bench_published_value *look_up(const bench_published *p, const char *payload,
                                      const char *format, const char *name)
{
    for (size_t i = 0; i < p->n; i++) {
        bench_published_value *v = &p->values[i];
        if (strcmp(v->payload, payload) == 0 && strcmp(v->format, format) == 0 &&
            strcmp(v->name, name) == 0) {
            return v;
        }
    }
    return NULL;
}

/* NULL, or what is wrong with the value. */
static const char *add(bench_published *p, const bench_published_value *v)
{
    if (look_up(p, v->payload, v->format, v->name) != NULL) {
        return "this value stands there twice";
    }
    p->values = realloc(p->values, (p->n + 1) * sizeof *p->values);
    if (p->values == NULL) {
        bench_die("out of memory");
    }
    p->values[p->n++] = *v;
    return NULL;
}

bool bench_published_read(const char *path, bench_published *p)
{
    FILE *in = fopen(path, "r");
    char line[512];
    if (in == NULL) {
        fprintf(stderr, "cwire-bench: %s: %s\n", path, strerror(errno));
        return false;
    }
    const char *wrong = NULL;
    unsigned n = 0;
    while (wrong == NULL && fgets(line, sizeof line, in) != NULL) {
        bench_published_value v = {.is_shown = false};
        n++;
        size_t blank = strspn(line, " \t\r\n");
        if (line[blank] == '#' || line[blank] == '\0') {
            continue;
        }
        wrong = read_line(line, &v);
        wrong = wrong != NULL ? wrong : add(p, &v);
    }
    if (wrong == NULL && ferror(in)) {
        wrong = strerror(errno);
    }
    fclose(in);
    if (wrong != NULL) {
        fprintf(stderr, "cwire-bench: %s:%u: %s\n", path, n, wrong);
    }
    return wrong == NULL;
}

void bench_published_free(bench_published *p)
{
    free(p->values);
    *p = (bench_published){0};
}

double bench_published_find(bench_published *p, const char *payload,
                            const bench_article_format *format, const char *name)
{
    bench_published_value *v = look_up(p, payload, format->name, name);
    if (v == NULL) {
        return -1;
    }
    v->is_shown = true;
    return v->number;
}

bool bench_published_has(bench_published *p, const char *payload,
                         const bench_article_format *format, const char *const *of, size_t n)
{
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        found = found || bench_published_find(p, payload, format, of[i]) >= 0;
    }
    return found;
}

void bench_published_print_rest(const bench_published *p)
{
    bool is_first = true;
    for (size_t i = 0; i < p->n; i++) {
        const bench_published_value *v = &p->values[i];
        if (!v->is_shown) {
            printf("%s- %s, %s, %s\n",
                   is_first ? "\nPublished, and shown nowhere above: no table has this line.\n\n"
                            : "",
                   v->payload, v->format, v->name);
            is_first = false;
        }
    }
}
