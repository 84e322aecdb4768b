/* SPDX-License-Identifier: MIT */
#include "json_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json.cw.h"
#include "json_names.cw.h"
#include "json_proto2.cw.h"

/* ---- types ------------------------------------------------------------------------------------
 */

static char *print_everything(const void *m, cw__json_writer *w, char *p, int depth)
{
    return json_Everything__print(m, w, p, depth);
}

static char *print_scalars(const void *m, cw__json_writer *w, char *p, int depth)
{
    return json_Scalars__print(m, w, p, depth);
}

static char *print_optionals(const void *m, cw__json_writer *w, char *p, int depth)
{
    return json_Optionals__print(m, w, p, depth);
}

static char *print_lists(const void *m, cw__json_writer *w, char *p, int depth)
{
    return json_Lists__print(m, w, p, depth);
}

static char *print_maps(const void *m, cw__json_writer *w, char *p, int depth)
{
    return json_Maps__print(m, w, p, depth);
}

static char *print_choice(const void *m, cw__json_writer *w, char *p, int depth)
{
    return json_Choice__print(m, w, p, depth);
}

static char *print_node(const void *m, cw__json_writer *w, char *p, int depth)
{
    return json_Node__print(m, w, p, depth);
}

static char *print_nothing(const void *m, cw__json_writer *w, char *p, int depth)
{
    return json_Nothing__print(m, w, p, depth);
}

static char *print_closed(const void *m, cw__json_writer *w, char *p, int depth)
{
    return json2_Closed__print(m, w, p, depth);
}

static char *print_grouped(const void *m, cw__json_writer *w, char *p, int depth)
{
    return json2_Grouped__print(m, w, p, depth);
}

static char *print_odd(const void *m, cw__json_writer *w, char *p, int depth)
{
    return json_names_Odd__print(m, w, p, depth);
}

static char *print_lengths(const void *m, cw__json_writer *w, char *p, int depth)
{
    return json_names_Lengths__print(m, w, p, depth);
}

static char *print_wide(const void *m, cw__json_writer *w, char *p, int depth)
{
    return json_names_Wide__print(m, w, p, depth);
}

const json_type json_types[] = {
    {&json_Everything_type, print_everything},
    {&json_Scalars_type, print_scalars},
    {&json_Optionals_type, print_optionals},
    {&json_Lists_type, print_lists},
    {&json_Maps_type, print_maps},
    {&json_Choice_type, print_choice},
    {&json_Node_type, print_node},
    {&json_Nothing_type, print_nothing},
    {&json2_Closed_type, print_closed},
    {&json2_Grouped_type, print_grouped},
    {&json_names_Odd_type, print_odd},
    {&json_names_Lengths_type, print_lengths},
    {&json_names_Wide_type, print_wide},
};
const size_t json_type_count = sizeof json_types / sizeof json_types[0];

void *json_new(const cw_type *t, cw_arena *a)
{
    void *m = cw_arena_alloc(a, t->struct_size);
    assert_non_null(m);
    t->init(m);
    return m;
}

/* ---- text -------------------------------------------------------------------------------------
 */

cw_str json_text(const cw_type *t, const void *m, cw_arena *a)
{
    cw_str out = {NULL, 0};
    assert_int_equal(t->to_json(m, a, NULL, &out, NULL), CW_OK);
    return out;
}

cw_status json_parse(const cw_type *t, void *m, const char *text, size_t len, cw_arena *a,
                     const cw_json_parse_options *o, cw_error *e)
{
    char *exact = malloc(len ? len : 1);
    assert_non_null(exact);
    memcpy(exact, text, len);
    cw_status st = t->from_json(m, exact, len, a, o, e);
    free(exact);
    return st;
}

/* ---- rows -------------------------------------------------------------------------------------
 */

static void check_success(const cw_type *t, const json_row *row, cw_status st, const void *m,
                          const cw_registry *types, const cw_error *e, cw_arena *a)
{
    if (st != CW_OK) {
        fail_msg("row at line %d: %s: %s at %zu: %s", row->line, row->text, cw_status_name(st),
                 e->offset, e->path);
    }
    const cw_json_print_options o = {.types = types};
    cw_str printed = {"", 0};
    st = t->to_json(m, a, &o, &printed, NULL);
    if (st != CW_OK || strcmp(printed.data, row->then) != 0) {
        fail_msg("row at line %d: %s: printed as %s (%s), not %s", row->line, row->text,
                 printed.data, cw_status_name(st), row->then);
    }
}

static void check_failure(const json_row *row, const char *text, const char *caret, cw_status st,
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

void json_check_rows(const cw_type *t, const json_row *rows, size_t n,
                     const cw_json_parse_options *o)
{
    for (size_t i = 0; i < n; i++) {
        const json_row *row = &rows[i];
        size_t len = strlen(row->text);
        char *text = malloc(len + 1);
        assert_non_null(text);
        const char *caret = row->status == CW_OK ? NULL : strchr(row->text, '^');
        size_t before = caret ? (size_t)(caret - row->text) : len;
        memcpy(text, row->text, before);
        memcpy(text + before, row->text + before + (caret != NULL),
               len + 1 - before - (caret != NULL));
        len -= caret != NULL;

        cw_arena a;
        cw_error e = {.offset = 77};
        cw_arena_init(&a, NULL);
        void *m = json_new(t, &a);
        cw_status st = json_parse(t, m, text, len, &a, o, &e);
        if (row->status == CW_OK) {
            check_success(t, row, st, m, o ? o->types : NULL, &e, &a);
        } else {
            check_failure(row, text, caret, st, &e);
        }
        cw_arena_free(&a);
        free(text);
    }
}
