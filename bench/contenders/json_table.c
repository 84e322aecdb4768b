/* SPDX-License-Identifier: MIT */
#include "json_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "die.h"
#include "mem.h"

enum { TYPES_MAX = 512 };

struct bench_json_table {
    bench_json_type types[TYPES_MAX];
    size_t n_types;
};

/* The table of the type, made with everything below it when it is not there yet. */
static const bench_json_type *add_type(bench_json_table *table, const cw_type *type)
{
    for (size_t i = 0; i < table->n_types; i++) {
        if (table->types[i].type == type) {
            return &table->types[i];
        }
    }
    if (table->n_types == TYPES_MAX) {
        bench_die("%s reaches more than %d types", type->full_name, (int)TYPES_MAX);
    }
    if (type->n_fields > BENCH_JSON_FIELDS_MAX) {
        bench_die("%s has more than %d fields", type->full_name, BENCH_JSON_FIELDS_MAX);
    }
    bench_json_type *t = &table->types[table->n_types++];
    bench_json_field *fields = bench_calloc(type->n_fields, sizeof *fields);
    *t = (bench_json_type){type, fields, type->n_fields};
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const cw_field *f = &type->fields[i];
        fields[i] = (bench_json_field){f, f->name, strlen(f->name), NULL};
        if (f->message != NULL) {
            fields[i].sub = add_type(table, f->message);
        }
    }
    return t;
}

/* Marks the types that are reached; false: more than fit. */
static bool fits(const cw_type *type, const cw_type **seen, size_t *n)
{
    for (size_t i = 0; i < *n; i++) {
        if (seen[i] == type) {
            return true;
        }
    }
    if (*n == TYPES_MAX || type->n_fields > BENCH_JSON_FIELDS_MAX) {
        return false;
    }
    seen[(*n)++] = type;
    for (uint32_t i = 0; i < type->n_fields; i++) {
        if (type->fields[i].message != NULL && !fits(type->fields[i].message, seen, n)) {
            return false;
        }
    }
    return true;
}

bool bench_json_table_fits(const cw_type *type)
{
    const cw_type *seen[TYPES_MAX];
    size_t n = 0;
    return fits(type, seen, &n);
}

bench_json_table *bench_json_table_make(const cw_type *type)
{
    bench_json_table *table = bench_calloc(1, sizeof *table);
    add_type(table, type);
    return table;
}

void bench_json_table_free(bench_json_table *table)
{
    for (size_t i = 0; i < table->n_types; i++) {
        bench_release(cw_bytes_of(table->types[i].fields, 0));
    }
    free(table);
}

const bench_json_type *bench_json_table_root(const bench_json_table *table)
{
    return &table->types[0];
}

char *bench_integer_text(char *end, const void *at, cw_kind kind)
{
    uint64_t v = bench_load_integer(at, kind);
    if (kind == CW_KIND_BOOL) {
        const char *text = v ? "true" : "false";
        return memcpy(end - strlen(text), text, strlen(text));
    }
    bool negative = bench_is_signed(kind) && (int64_t)v < 0;
    char *begin = bench_digits(end, negative ? (uint64_t)0 - v : v);
    if (negative) {
        *--begin = '-';
    }
    return begin;
}

size_t bench_float_text(char *out, const void *at, cw_kind kind)
{
    int n = kind == CW_KIND_FLOAT ? snprintf(out, 32, "%.9g", (double)bench_load_float(at))
                                  : snprintf(out, 32, "%.17g", bench_load_double(at));
    return (size_t)n;
}

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *bench_base64(cw_arena *a, cw_bytes in, size_t *len)
{
    char *out = cw_arena_alloc(a, (in.len + 2) / 3 * 4 + 1), *p = out;
    if (out == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < in.len; i += 3) {
        size_t left = in.len - i;
        uint32_t v = (uint32_t)in.data[i] << 16;
        v |= left > 1 ? (uint32_t)in.data[i + 1] << 8 : 0;
        v |= left > 2 ? in.data[i + 2] : 0;
        *p++ = base64_digits[v >> 18];
        *p++ = base64_digits[v >> 12 & 63];
        *p++ = left > 1 ? base64_digits[v >> 6 & 63] : '=';
        *p++ = left > 2 ? base64_digits[v & 63] : '=';
    }
    *p = '\0';
    *len = (size_t)(p - out);
    return out;
}

static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool bench_unbase64(cw_arena *a, const char *text, size_t len, cw_bytes *out)
{
    uint8_t *data = cw_arena_alloc(a, len / 4 * 3 + 3);
    uint32_t bits = 0, n_bits = 0;
    size_t n = 0;
    if (data == NULL) {
        return false;
    }
    for (size_t i = 0; i < len && text[i] != '='; i++) {
        int v = base64_value(text[i]);
        if (v < 0) {
            return false;
        }
        bits = bits << 6 | (uint32_t)v;
        n_bits += 6;
        if (n_bits >= 8) {
            n_bits -= 8;
            data[n++] = (uint8_t)(bits >> n_bits);
        }
    }
    *out = cw_bytes_of(data, n);
    return true;
}

bool bench_store_integer(void *at, cw_kind kind, const char *text, size_t len)
{
    size_t i = len > 0 && text[0] == '-';
    bool negative = i != 0;
    uint64_t v = 0;
    if (i == len || len > 20) {
        return false;
    }
    for (; i < len; i++) {
        unsigned digit = (unsigned)(text[i] - '0');
        if (digit > 9) {
            return false;
        }
        v = v * 10 + digit;
    }
    v = negative ? (uint64_t)0 - v : v;
    if (bench_kind_size(kind) == 4) {
        uint32_t narrow = (uint32_t)v;
        memcpy(at, &narrow, sizeof narrow);
    } else {
        memcpy(at, &v, sizeof v);
    }
    return true;
}

bool bench_store_float(void *at, cw_kind kind, const char *text, size_t len)
{
    char copy[64];
    char *end;
    if (len == 0 || len >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, len);
    copy[len] = '\0';
    if (kind == CW_KIND_FLOAT) {
        float narrow = strtof(copy, &end);
        memcpy(at, &narrow, sizeof narrow);
    } else {
        double wide = strtod(copy, &end);
        memcpy(at, &wide, sizeof wide);
    }
    return end == copy + len;
}

bool bench_store_key(void *at, cw_kind kind, const char *text, size_t len, cw_arena *a)
{
    if (kind == CW_KIND_STRING) {
        cw_str copy;
        if (!cw_arena_str(a, cw_str_of(text, len), &copy)) {
            return false;
        }
        memcpy(at, &copy, sizeof copy);
        return true;
    }
    if (kind == CW_KIND_BOOL) {
        bool v = len == 4;
        memcpy(at, &v, sizeof v);
        return true;
    }
    return bench_store_integer(at, kind, text, len);
}
