/* SPDX-License-Identifier: MIT */
/* text_print.c: messages as text, field by field, over the tables of their types. */
#include "parse_limits.h"
#include "text_shared.h"
#include "text_writer.h"

#define DEFAULT_INDENT 2
#define LARGEST_INDENT 16

/* ---- one value --------------------------------------------------------------------------------
 */

static bool put_message(cw__text_writer *w, const cw_type *t, const void *m, int depth)
{
    if (depth < 1) {
        return cw__text_put_fail(w, CW_ERR_DEPTH);
    }
    return cw__text_open(w) && cw__text_put_fields(w, t, m, depth - 1) && cw__text_close(w);
}

bool cw__text_put_field(cw__text_writer *w, const cw_field *f, cw_str name, const void *p,
                        int depth)
{
    if (!cw__text_begin_field(w) || !cw__text_put(w, name.data, name.len)) {
        return false;
    }
    if (f->message) {
        return put_message(w, f->message, p, depth);
    }
    return cw__text_put(w, ": ", 2) && cw__text_put_value(w, f, p) && cw__text_end_field(w);
}

/* ---- fields -----------------------------------------------------------------------------------
 */

/* Is there a bit in the value? Zero is absent, but for -0.0. */
static bool is_set(const cw_field *f, const char *p)
{
    static const char zeros[8] = {0};
    cw_bytes s;
    switch (f->kind) {
    case CW_KIND_STRING:
    case CW_KIND_BYTES:
        memcpy(&s, p, sizeof s); /* a cw_str has the same members */
        return s.len > 0;
    case CW_KIND_BOOL:
        return memcmp(p, zeros, sizeof(bool)) != 0;
    case CW_KIND_DOUBLE:
    case CW_KIND_INT64:
    case CW_KIND_UINT64:
    case CW_KIND_FIXED64:
    case CW_KIND_SFIXED64:
    case CW_KIND_SINT64:
        return memcmp(p, zeros, 8) != 0;
    default:
        return memcmp(p, zeros, 4) != 0;
    }
}

/* Where the value of a singular field is; NULL: there is none. */
static const void *value_of(const cw_type *t, const cw_field *f, const char *m)
{
    const char *p = m + f->offset;
    bool is_pointer = f->message != NULL;
    if (cw__text_is_entry(t)) {
        return p; /* key and value are always there, a message by value */
    }
    if (f->shape == CW_SHAPE_ONEOF) {
        int chosen;
        memcpy(&chosen, m + f->case_offset, sizeof chosen);
        if (chosen != (int)f->number) {
            return NULL;
        }
    } else if (f->shape == CW_SHAPE_IMPLICIT) {
        return is_set(f, p) ? p : NULL;
    } else if (!is_pointer && !t->has(m, (uint32_t)(f - t->fields))) {
        return NULL;
    }
    if (is_pointer) {
        memcpy(&p, m + f->offset, sizeof p);
    }
    return p;
}

static bool put_list(cw__text_writer *w, const cw_field *f, cw_str name, cw_list_view list,
                     int depth)
{
    for (size_t i = 0; i < list.len; i++) {
        if (!cw__text_put_field(w, f, name, (char *)list.data + i * f->element_size, depth)) {
            return cw__text_put_fail_at(w, f->name, i);
        }
    }
    return true;
}

static bool put_member(cw__text_writer *w, const cw_type *t, const cw_field *f, const char *m,
                       int depth)
{
    cw_str name = cw_str_from(f->text_name ? f->text_name : f->name);
    if (f->shape == CW_SHAPE_REPEATED || f->shape == CW_SHAPE_MAP) {
        return put_list(w, f, name, cw_list_load(m + f->offset), depth);
    }
    const void *p = value_of(t, f, m);
    return !p || cw__text_put_field(w, f, name, p, depth) ||
           cw__text_put_fail_at(w, f->name, SIZE_MAX);
}

bool cw__text_put_fields(cw__text_writer *w, const cw_type *t, const void *m, int depth)
{
    cw__text_extensions x = {0};
    bool done = false;
    if (cw__text_is_any(t) && !cw__text_put_any(w, t, m, depth, &done)) {
        return false;
    }
    if (!cw__text_is_entry(t) && !cw__text_find_extensions(w, t, m, &x)) {
        return false;
    }
    for (uint32_t i = 0; i < t->n_fields && !done; i++) {
        if (!cw__text_put_extensions(w, &x, t->fields[i].number, depth) ||
            !put_member(w, t, &t->fields[i], m, depth)) {
            return false;
        }
    }
    return cw__text_put_extensions(w, &x, UINT32_MAX, depth) &&
           (!w->unknown_fields || cw__text_put_unknown(w, t, &x, depth));
}

/* ---- the whole --------------------------------------------------------------------------------
 */

/* The text with a NUL; what was got for it and is not used goes back. */
static bool end(cw__text_writer *w, cw_str *out)
{
    if (!cw__text_put(w, "", 1)) {
        return false;
    }
    w->len--;
    size_t held = (w->cap + 7) & ~(size_t)7, used = (w->len + 8) & ~(size_t)7;
    if (w->data + held == w->arena->ptr) {
        w->arena->ptr = w->data + used;
    }
    *out = cw_str_of(w->data, w->len);
    return true;
}

cw_status cw_text_print(const cw_type *type, const void *m, cw_arena *a,
                        const cw_text_print_options *o, cw_str *out, cw_error *e)
{
    static const cw_text_print_options plain = {0};
    o = o ? o : &plain;
    cw__text_writer w = {.arena = a,
                         .error = e,
                         .root = type,
                         .types = o->types,
                         .single_line = o->single_line,
                         .unknown_fields = o->unknown_fields,
                         .raw_any = o->raw_any};
    w.indent = o->indent == 0 ? DEFAULT_INDENT : o->indent;
    w.indent = w.indent < LARGEST_INDENT ? w.indent : LARGEST_INDENT;
    if (!cw__text_put_fields(&w, type, m, cw__limit_depth(o->depth)) || !end(&w, out)) {
        cw__error_root(e, type->full_name);
        return w.status;
    }
    return CW_OK;
}
