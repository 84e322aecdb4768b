/* SPDX-License-Identifier: MIT */
#include "text_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

void *text_new(const cw_type *t, cw_arena *a)
{
    void *m = cw_arena_alloc(a, t->struct_size);
    assert_non_null(m);
    t->init(m);
    return m;
}

cw_str text_of(const cw_type *t, const void *m, const cw_text_print_options *o, cw_arena *a)
{
    cw_str out = {NULL, 0};
    cw_error e;
    cw_status st = cw_text_print(t, m, a, o, &out, &e);
    if (st != CW_OK) {
        fail_msg("does not print: %s at %s", cw_status_name(st), e.path);
    }
    assert_int_equal(out.data[out.len], 0);
    return out;
}

cw_status text_parse(const cw_type *t, void *m, const char *text, size_t len, cw_arena *a,
                     const cw_text_parse_options *o, cw_error *e)
{
    char *exact = malloc(len ? len : 1);
    assert_non_null(exact);
    memcpy(exact, text, len);
    cw_status st = cw_text_parse(t, m, exact, len, a, o, e);
    free(exact);
    return st;
}

void *text_get(const cw_type *t, const char *text, const cw_text_parse_options *o, cw_arena *a)
{
    cw_error e;
    void *m = text_new(t, a);
    if (text_parse(t, m, text, strlen(text), a, o, &e) != CW_OK) {
        fail_msg("%s: %s at %s, %zu:%zu", text, cw_status_name(e.status), e.path, e.line, e.column);
    }
    return m;
}

/* ---- rows -------------------------------------------------------------------------------------
 */

static cw_str one_line(const cw_type *t, const void *m, const cw_text_parse_options *o, cw_arena *a)
{
    const cw_text_print_options line = {.single_line = true, .types = o ? o->types : NULL};
    return text_of(t, m, &line, a);
}

static void check_success(const cw_type *t, const text_row *row, cw_status st, const void *m,
                          const cw_text_parse_options *o, const cw_error *e, cw_arena *a)
{
    if (st != CW_OK) {
        fail_msg("row at line %d: %s: %s at %zu: %s", row->line, row->text, cw_status_name(st),
                 e->offset, e->path);
    }
    cw_str printed = one_line(t, m, o, a);
    if (strcmp(printed.data, row->then) != 0) {
        fail_msg("row at line %d: %s: printed as %s, not %s", row->line, row->text, printed.data,
                 row->then);
    }
    cw_str again = one_line(t, text_get(t, printed.data, o, a), o, a);
    if (!cw_str_equal(printed, again)) {
        fail_msg("row at line %d: %s prints as %s, which prints as %s", row->line, row->text,
                 printed.data, again.data);
    }
}

static void check_failure(const text_row *row, const char *text, const char *caret, cw_status st,
                          const cw_error *e)
{
    if (st != row->status || e->status != st) {
        fail_msg("row at line %d: %s: %s (error %s), not %s", row->line, row->text,
                 cw_status_name(st), cw_status_name(e->status), cw_status_name(row->status));
    }
    size_t offset = caret ? (size_t)(caret - row->text) : SIZE_MAX;
    size_t line = caret ? 1 : 0, column = caret ? 1 : 0;
    for (size_t i = 0; caret && i < offset; i++) {
        column++;
        if (text[i] == '\n') {
            line++;
            column = 1;
        }
    }
    if (e->offset != offset || e->line != line || e->column != column) {
        fail_msg("row at line %d: %s: error at %zd %zu:%zu, not %zd %zu:%zu", row->line, row->text,
                 (ptrdiff_t)e->offset, e->line, e->column, (ptrdiff_t)offset, line, column);
    }
    if (strcmp(e->path, row->then) != 0) {
        fail_msg("row at line %d: %s: path %s, not %s", row->line, row->text, e->path, row->then);
    }
}

static void check_row(const cw_type *t, const text_row *row, const cw_text_parse_options *o)
{
    const char *caret = row->status == CW_OK ? NULL : strchr(row->text, '^');
    size_t len = strlen(row->text) - (caret != NULL);
    size_t before = caret ? (size_t)(caret - row->text) : len;
    char *text = malloc(len + 1);
    assert_non_null(text);
    memcpy(text, row->text, before);
    memcpy(text + before, row->text + before + (caret != NULL), len - before);

    cw_arena a;
    cw_error e = {.offset = 77};
    cw_arena_init(&a, NULL);
    void *m = text_new(t, &a);
    cw_status st = text_parse(t, m, text, len, &a, o, &e);
    if (row->status == CW_OK) {
        check_success(t, row, st, m, o, &e, &a);
    } else {
        check_failure(row, text, caret, st, &e);
    }
    /* Without room for an error it is the same. */
    assert_int_equal(text_parse(t, m, text, len, &a, o, NULL), row->status);
    cw_arena_free(&a);
    free(text);
}

void text_check_rows(const cw_type *t, const text_row *rows, size_t n,
                     const cw_text_parse_options *o)
{
    for (size_t i = 0; i < n; i++) {
        check_row(t, &rows[i], o);
    }
}
