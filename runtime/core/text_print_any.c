/* SPDX-License-Identifier: MIT */
/* text_print_any.c: messages that are kept as bytes: the value of an Any, and extensions. */
#include "cwire/extension.h"
#include "cwire/map.h"

#include "any.h"
#include "text_shared.h"
#include "text_writer.h"

static void *allocate(cw__text_writer *w, size_t n)
{
    void *m = cw_arena_alloc(w->arena, n);
    if (!m) {
        cw__text_put_fail(w, w->arena->failure);
    }
    return m;
}

/* ---- Any --------------------------------------------------------------------------------------
 */

/*
 * The value as a message of type t; *m is NULL when it cannot be read as one, or has not all its
 * required fields and so could not be parsed from text. False: failed.
 */
static bool read_value(cw__text_writer *w, const cw_type *t, cw_bytes value, int depth, void **m)
{
    *m = NULL;
    cw_status st = cw__any_decode(t, value, w->arena, depth, m, NULL);
    if (st == CW_ERR_MEMORY || st == CW_ERR_LIMIT || st == CW_ERR_DEPTH) {
        return cw__text_put_fail(w, st);
    }
    if (st != CW_OK || (t->required && !t->required(*m, NULL, depth))) {
        *m = NULL;
    }
    return true;
}

static bool put_expanded(cw__text_writer *w, const cw_type *t, cw_str url, const void *m, int depth)
{
    return cw__text_begin_field(w) && cw__text_put(w, "[", 1) &&
           cw__text_put(w, url.data, url.len) && cw__text_put(w, "]", 1) && cw__text_open(w) &&
           cw__text_put_fields(w, t, m, depth) && cw__text_close(w);
}

static bool put_any_value(cw__text_writer *w, const cw_type *t, cw_str url, cw_bytes value,
                          int depth, bool *done)
{
    if (depth < 1) {
        return cw__text_put_fail(w, CW_ERR_DEPTH);
    }
    void *inner;
    if (!read_value(w, t, value, depth - 1, &inner)) {
        return false;
    }
    *done = inner != NULL;
    return !inner || put_expanded(w, t, url, inner, depth - 1);
}

bool cw__text_put_any(cw__text_writer *w, const cw_type *any, const void *m, int depth, bool *done)
{
    cw_str url;
    cw_bytes value;
    size_t prefix;
    memcpy(&url, (const char *)m + any->fields[0].offset, sizeof url);
    memcpy(&value, (const char *)m + any->fields[1].offset, sizeof value);
    *done = false;
    if (w->raw_any || !cw__text_check_name(url, &prefix) || prefix == 0) {
        return true;
    }
    const cw_type *t = cw__any_type(w->root->file, w->types, url);
    if (!t || put_any_value(w, t, url, value, depth, done)) {
        return true;
    }
    cw__any_fail_at(w->error, url);
    return false;
}

/* ---- extensions: which there are --------------------------------------------------------------
 */

/* Lists in the writer all that a message of type t may have, ascending by number. */
static bool list_extensions(cw__text_writer *w, const cw_type *t)
{
    if (w->extendee == t) {
        return true;
    }
    size_t n = cw__extensions_of(t, w->root->file, w->types, NULL, 0), second;
    const cw_extension **all = cw_arena_array(w->arena, n, sizeof *all);
    cw__text_extension_row *rows = all ? cw_arena_array(w->arena, n, sizeof *rows) : NULL;
    if (!rows) {
        return cw__text_put_fail(w, w->arena->failure);
    }
    cw__extensions_of(t, w->root->file, w->types, all, n);
    for (size_t i = 0; i < n; i++) {
        rows[i].number = all[i]->field->number;
        rows[i].extension = all[i];
    }
    if (!cw__map_sort_strict(w->arena, rows, n, sizeof *rows, cw__map_compare_uint32, &second)) {
        return cw__text_put_fail(w, w->arena->failure);
    }
    w->extendee = t;
    w->rows = rows;
    w->n_rows = n;
    return true;
}

/* The first row whose number is at least this one. */
static size_t find_row(const cw__text_extensions *x, uint32_t number)
{
    size_t low = 0, high = x->len;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (x->rows[mid].number < number) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

const cw_extension *cw__text_extension_of(const cw__text_extensions *x, uint32_t number)
{
    size_t i = find_row(x, number);
    return i < x->len && x->rows[i].number == number ? x->rows[i].extension : NULL;
}

/* No bit set, one for each of the rows. */
static bool clear_present(cw__text_writer *w, cw__text_extensions *x)
{
    size_t words = x->len / 64 + 1;
    x->present = words == 1 ? &x->few : cw_arena_array(w->arena, words, sizeof *x->present);
    if (!x->present) {
        return cw__text_put_fail(w, w->arena->failure);
    }
    memset(x->present, 0, words * sizeof *x->present);
    return true;
}

bool cw__text_find_extensions(cw__text_writer *w, const cw_type *t, const void *m,
                              cw__text_extensions *x)
{
    memset(x, 0, sizeof *x);
    memcpy(&x->unknown, (const char *)m + t->unknown_offset, sizeof x->unknown);
    if (!t->has_extensions || !x->unknown || x->unknown->len == 0) {
        return true;
    }
    if (!list_extensions(w, t)) {
        return false;
    }
    x->rows = w->rows;
    x->len = w->n_rows;
    if (!clear_present(w, x)) {
        return false;
    }
    cw__ext_record r;
    size_t pos = 0;
    while (cw__ext_next(x->unknown, t->is_message_set, &pos, &r)) {
        size_t i = find_row(x, r.number);
        if (i < x->len && x->rows[i].number == r.number) {
            x->present[i / 64] |= (uint64_t)1 << i % 64;
        }
    }
    return true;
}

/* ---- extensions: printing ---------------------------------------------------------------------
 */

static bool put_list(cw__text_writer *w, const cw__ext *x, const cw_field *f, cw_str name,
                     cw_list_view list, int depth)
{
    for (size_t i = 0; i < list.len; i++) {
        if (!cw__text_put_field(w, f, name, (char *)list.data + i * x->element_size, depth)) {
            return cw__text_put_fail_at(w, NULL, i);
        }
    }
    return true;
}

static bool put_extension(cw__text_writer *w, const cw_extension *extension, const cw_unknown *u,
                          cw_str name, int depth)
{
    cw__ext x;
    cw__ext_message message;
    union {
        cw_str s;
        uint64_t number;
        double real;
        cw_list_view list;
    } value;
    cw__ext_of(extension, &x, &message);
    void *to = &value;
    if (x.message && !x.repeated) {
        to = allocate(w, x.element_size);
        if (!to) {
            return false;
        }
    }
    bool found;
    /* A depth of 0 has no message below it, which is found when it is printed. */
    const cw_decode_options o = {
        .alias = true, .allow_partial = true, .depth = depth > 0 ? (unsigned)depth : 1};
    cw_status st = cw__ext_get(u, &x, w->arena, &o, to, &found, NULL);
    if (st != CW_OK) {
        return cw__text_put_fail(w, st);
    }
    if (!found) {
        return true;
    }
    return x.repeated ? put_list(w, &x, extension->field, name, value.list, depth)
                      : cw__text_put_field(w, extension->field, name, to, depth);
}

/* The name of a message set's extension that goes by its type, "[pkg.Type]", in the arena; NULL:
 * failed. */
static const char *type_name(cw__text_writer *w, const cw_type *t)
{
    size_t n = strlen(t->full_name);
    char *to = allocate(w, n + 3);
    if (to) {
        to[0] = '[';
        memcpy(to + 1, t->full_name, n);
        to[n + 1] = ']';
        to[n + 2] = 0;
    }
    return to;
}

bool cw__text_put_extensions(cw__text_writer *w, cw__text_extensions *x, uint32_t number, int depth)
{
    for (; x->next < x->len && x->rows[x->next].number < number; x->next++) {
        if ((x->present[x->next / 64] >> x->next % 64 & 1) == 0) {
            continue;
        }
        const cw_extension *extension = x->rows[x->next].extension;
        const cw_field *f = extension->field;
        const char *name =
            cw__text_named_by_type(extension) ? type_name(w, f->message) : f->json_name;
        if (!name) {
            return false;
        }
        if (!put_extension(w, extension, x->unknown, cw_str_from(name), depth)) {
            return cw__text_put_fail_at(w, name, SIZE_MAX);
        }
    }
    return true;
}
