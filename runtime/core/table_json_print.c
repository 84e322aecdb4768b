/* SPDX-License-Identifier: MIT */
/* table_json_print.c: JSON printing by table: what emit_json_print.c spells out for each message.
 */
#include "json_generic.h"
#include "table_field.h"

/* What every printer leaves, '{' when nothing was written, and '}'. */
#define ROOM_END 18

static char *put_too_deep(cw__json_writer *w, const cw_field *f)
{
    cw__json_put_fail(w, CW_ERR_DEPTH, NULL);
    return cw__json_put_fail_at(w, f->name, cw__field_is_list(f) ? 0 : SIZE_MAX);
}

/* `,"name":`, behind which there is room for CW__GENERIC_KEEP. */
static char *put_name(const cw_field *f, cw__json_writer *w, char *p)
{
    p = cw__json_room(w, p, 1);
    if (!p) {
        return NULL;
    }
    *p++ = ',';
    return cw__json_put_key_string(w, p, cw_str_from(w->proto_names ? f->name : f->json_name),
                                   CW__GENERIC_KEEP);
}

/* An entry's key in quotes, and ':'. */
static char *put_key(const cw_field *f, const void *place, cw__json_writer *w, char *p)
{
    const size_t keep = CW__GENERIC_KEEP;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    switch (f->kind) {
    case CW_KIND_STRING:
        return cw__json_put_key_string(w, p, *(const cw_str *)place, keep);
    case CW_KIND_BOOL:
        return cw__json_put_key_bool(w, p, *(const bool *)place, keep);
    case CW_KIND_UINT32:
    case CW_KIND_FIXED32:
        memcpy(&u32, place, sizeof u32);
        return cw__json_put_key_uint64(w, p, u32, keep);
    case CW_KIND_UINT64:
    case CW_KIND_FIXED64:
        memcpy(&u64, place, sizeof u64);
        return cw__json_put_key_uint64(w, p, u64, keep);
    case CW_KIND_INT64:
    case CW_KIND_SINT64:
    case CW_KIND_SFIXED64:
        memcpy(&i64, place, sizeof i64);
        return cw__json_put_key_int64(w, p, i64, keep);
    default:
        break;
    }
    memcpy(&i32, place, sizeof i32);
    return cw__json_put_key_int64(w, p, i32, keep);
}

static char *put_singular(const cw_field *f, const void *m, cw__json_writer *w, char *p, int depth)
{
    if (f->message && depth == 0) {
        return put_too_deep(w, f);
    }
    p = put_name(f, w, p);
    if (p) {
        const void *value = f->message ? cw__field_message(f, m) : cw__field_in(f, m);
        p = cw__json_put_value(f, value, w, p, depth);
    }
    return p ? p : cw__json_put_fail_at(w, f->name, SIZE_MAX);
}

/* A list's or map's elements, each with a ',' behind it: the last one becomes the bracket. */
static char *put_list(const cw_field *f, const void *m, cw__json_writer *w, char *p, int depth)
{
    bool map = f->shape == CW_SHAPE_MAP;
    const cw_field *parts = map ? f->message->fields : NULL;
    cw_list_view v = cw__field_list(f, m);
    if (v.len != 0 && ((map && depth < (parts[1].message ? 2 : 1)) || (f->message && depth == 0))) {
        return put_too_deep(w, f);
    }
    p = put_name(f, w, p);
    if (!p) {
        return NULL;
    }
    *p++ = map ? '{' : '[';
    for (size_t i = 0; i < v.len; i++) {
        const void *x = cw__element_of(f, v, i);
        if (map) {
            p = put_key(&parts[0], cw__field_in(&parts[0], x), w, p);
            p = p ? cw__json_put_value(&parts[1], cw__field_in(&parts[1], x), w, p, depth - 1)
                  : NULL;
        } else {
            p = cw__json_put_value(f, x, w, p, depth);
        }
        if (!p) {
            return cw__json_put_fail_at(w, f->name, i);
        }
        *p++ = ',';
    }
    p -= v.len != 0;
    *p++ = map ? '}' : ']';
    return p;
}

char *cw__table_print(const cw_type *t, const void *m, cw__json_writer *w, char *p, int depth)
{
    size_t start = (size_t)(p - w->begin);
    for (uint32_t i = 0; i < t->n_fields; i++) {
        const cw_field *f = &t->fields[i];
        if (cw__field_is_list(f)) {
            if (w->print_defaults || cw__field_list(f, m).len != 0) {
                p = put_list(f, m, w, p, depth);
            }
        } else if ((w->print_defaults && f->shape == CW_SHAPE_IMPLICIT) ||
                   cw__field_present(t, f, m)) {
            p = put_singular(f, m, w, p, depth);
        }
        if (!p) {
            return NULL;
        }
    }
    const cw_unknown *u = cw__unknown_in(t, m);
    if (t->has_extensions && u) {
        p = cw__json_put_extensions(w, p, t, u, depth);
    }
    p = p ? cw__json_room(w, p, ROOM_END) : NULL;
    if (!p) {
        return NULL;
    }
    p += (size_t)(p - w->begin) == start; /* no member */
    w->begin[start] = '{';
    *p++ = '}';
    return p;
}

cw_status cw__table_to_json(const cw_type *t, const void *m, cw_arena *a,
                            const cw_json_print_options *o, cw_str *out, cw_error *e)
{
    cw__json_writer w;
    int depth = 0;
    char *p = cw__json_write_begin(&w, a, o, &depth, e);
    if (p) {
        w.file = t->file;
        p = t->json_put(m, &w, p, depth);
    }
    return cw__json_write_end(&w, p, out, t->full_name);
}
