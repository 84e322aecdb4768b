/* SPDX-License-Identifier: MIT */
/*
 * JSON of google.protobuf.Struct, Value and ListValue: any JSON as it is. Depth counts what the
 * binary form would: an object costs 3 levels (Struct, entry, Value), an array 2 (ListValue,
 * Value).
 */
#include <math.h>

#include "cwire/cwire.h"
#include "cwire/map.h"
#include "cwire/wkt.h"
#include "wkt_json.h"

static char *print_list(const google_protobuf_ListValue *m, cw__json_writer *w, char *p, int depth);

char *google_protobuf_Struct__print(const google_protobuf_Struct *m, cw__json_writer *w, char *p,
                                    int depth)
{
    p = cw__json_room(w, p, CW__WKT_KEEP);
    if (p == NULL) {
        return NULL;
    }
    if (m->fields.len > 0 && depth < 2) {
        return cw__json_put_fail(w, CW_ERR_DEPTH, NULL);
    }
    *p++ = '{';
    for (size_t i = 0; i < m->fields.len; i++) {
        const google_protobuf_Struct_fields_entry *f = &m->fields.data[i];
        if (i > 0) {
            *p++ = ',';
        }
        p = cw__json_put_key_string(w, p, f->key, CW__WKT_KEEP);
        p = p ? google_protobuf_Value__print(&f->value, w, p, depth - 2) : NULL;
        p = p ? cw__json_room(w, p, CW__WKT_KEEP) : NULL;
        if (p == NULL) {
            return cw__json_put_fail_at(w, "fields", i);
        }
    }
    *p++ = '}';
    return cw__json_room(w, p, CW__WKT_KEEP);
}

char *google_protobuf_Value__print(const google_protobuf_Value *m, cw__json_writer *w, char *p,
                                   int depth)
{
    p = cw__json_room(w, p, CW__JSON_NUMBER + CW__WKT_KEEP);
    if (p == NULL) {
        return NULL;
    }
    switch (m->kind_case) {
    case google_protobuf_Value_kind_null_value:
        return cw__json_lit(p, "null", 4);
    case google_protobuf_Value_kind_number_value:
        if (!isfinite(m->kind.number_value)) {
            return cw__json_put_fail(w, CW_ERR_RANGE,
                                     "a google.protobuf.Value holds no NaN or infinity");
        }
        return cw__json_put_double(p, m->kind.number_value);
    case google_protobuf_Value_kind_string_value:
        return cw__json_put_string(w, p, m->kind.string_value, CW__WKT_KEEP);
    case google_protobuf_Value_kind_bool_value:
        return cw__json_put_bool(p, m->kind.bool_value);
    case google_protobuf_Value_kind_struct_value:
        if (m->kind.struct_value == NULL) { /* as good as unset, like any oneof's message */
            break;
        }
        if (depth == 0) {
            return cw__json_put_fail(w, CW_ERR_DEPTH, NULL);
        }
        return google_protobuf_Struct__print(m->kind.struct_value, w, p, depth - 1);
    case google_protobuf_Value_kind_list_value:
        if (m->kind.list_value == NULL) {
            break;
        }
        if (depth == 0) {
            return cw__json_put_fail(w, CW_ERR_DEPTH, NULL);
        }
        return print_list(m->kind.list_value, w, p, depth - 1);
    case google_protobuf_Value_kind_NOT_SET:
        break;
    }
    return cw__json_put_fail(w, CW_ERR_REQUIRED,
                             "a google.protobuf.Value without a value has no JSON form");
}

static char *print_list(const google_protobuf_ListValue *m, cw__json_writer *w, char *p, int depth)
{
    p = cw__json_room(w, p, CW__WKT_KEEP);
    if (p == NULL) {
        return NULL;
    }
    if (m->values.len > 0 && depth == 0) {
        return cw__json_put_fail(w, CW_ERR_DEPTH, NULL);
    }
    *p++ = '[';
    for (size_t i = 0; i < m->values.len; i++) {
        if (i > 0) {
            *p++ = ',';
        }
        p = google_protobuf_Value__print(&m->values.data[i], w, p, depth - 1);
        p = p ? cw__json_room(w, p, CW__WKT_KEEP) : NULL;
        if (p == NULL) {
            return cw__json_put_fail_at(w, "values", i);
        }
    }
    *p++ = ']';
    return p;
}

char *google_protobuf_ListValue__print(const google_protobuf_ListValue *m, cw__json_writer *w,
                                       char *p, int depth)
{
    return print_list(m, w, p, depth);
}

/* A new last element of m->fields. NULL: no memory. */
static google_protobuf_Struct_fields_entry *add_entry(google_protobuf_Struct *m, cw_arena *a)
{
    if (m->fields.len == m->fields.cap) {
        void *data = cw__list_grow(a, m->fields.data, m->fields.len, &m->fields.cap,
                                   sizeof *m->fields.data, 1);
        if (data == NULL) {
            return NULL;
        }
        m->fields.data = (google_protobuf_Struct_fields_entry *)data;
    }
    google_protobuf_Struct_fields_entry *f = &m->fields.data[m->fields.len];
    memset(f, 0, sizeof *f);
    return f;
}

const char *google_protobuf_Struct__parse(google_protobuf_Struct *m, cw__json_reader *r,
                                          const char *p, int depth)
{
    const char *open = p;
    bool sorted = true;
    p = cw__json_object(r, p);
    while (p != NULL && *p != '}') {
        if (depth < 2) {
            return cw__json_fail(r, CW_ERR_DEPTH, p, NULL);
        }
        google_protobuf_Struct_fields_entry *f = add_entry(m, r->arena);
        if (f == NULL) {
            return cw__json_fail_memory(r, p);
        }
        p = cw__json_map_key_string(r, p, &f->key);
        p = p ? google_protobuf_Value__parse(&f->value, r, p, depth - 2) : NULL;
        if (p == NULL) {
            return cw__json_fail_at_key(r, "fields", f->key);
        }
        sorted = sorted && (m->fields.len == 0 || cw__map_compare_str(f - 1, f) < 0);
        m->fields.len++;
        p = cw__json_member_next(r, p);
    }
    if (p == NULL) {
        return NULL;
    }
    if (!sorted) {
        size_t before = m->fields.len;
        if (!cw__map_sort(r->arena, m->fields.data, &m->fields.len, sizeof *m->fields.data,
                          cw__map_compare_str)) {
            return cw__json_fail_memory(r, open);
        }
        if (m->fields.len != before) {
            return cw__json_fail(r, CW_ERR_DUPLICATE, open, "a key stands twice in this object");
        }
    }
    return p + 1;
}

const char *google_protobuf_ListValue__parse(google_protobuf_ListValue *m, cw__json_reader *r,
                                             const char *p, int depth)
{
    p = cw__json_array(r, p);
    while (p != NULL && *p != ']') {
        if (depth == 0) {
            return cw__json_fail(r, CW_ERR_DEPTH, p, NULL);
        }
        if (m->values.len == m->values.cap) {
            void *data = cw__list_grow(r->arena, m->values.data, m->values.len, &m->values.cap,
                                       sizeof *m->values.data, 1);
            if (data == NULL) {
                return cw__json_fail_memory(r, p);
            }
            m->values.data = (google_protobuf_Value *)data;
        }
        google_protobuf_Value *v = &m->values.data[m->values.len];
        memset(v, 0, sizeof *v);
        p = google_protobuf_Value__parse(v, r, p, depth - 1);
        if (p == NULL) {
            return cw__json_fail_at(r, "values", m->values.len);
        }
        m->values.len++;
        p = cw__json_element_next(r, p);
    }
    return p ? p + 1 : NULL;
}

static const char *parse_struct(google_protobuf_Value *m, cw__json_reader *r, const char *p,
                                int depth)
{
    if (depth == 0) {
        return cw__json_fail(r, CW_ERR_DEPTH, p, NULL);
    }
    google_protobuf_Struct *s = (google_protobuf_Struct *)cw_arena_alloc(r->arena, sizeof *s);
    if (s == NULL) {
        return cw__json_fail_memory(r, p);
    }
    memset(s, 0, sizeof *s);
    m->kind_case = google_protobuf_Value_kind_struct_value;
    m->kind.struct_value = s;
    return google_protobuf_Struct__parse(s, r, p, depth - 1);
}

static const char *parse_list(google_protobuf_Value *m, cw__json_reader *r, const char *p,
                              int depth)
{
    if (depth == 0) {
        return cw__json_fail(r, CW_ERR_DEPTH, p, NULL);
    }
    google_protobuf_ListValue *l = (google_protobuf_ListValue *)cw_arena_alloc(r->arena, sizeof *l);
    if (l == NULL) {
        return cw__json_fail_memory(r, p);
    }
    memset(l, 0, sizeof *l);
    m->kind_case = google_protobuf_Value_kind_list_value;
    m->kind.list_value = l;
    return google_protobuf_ListValue__parse(l, r, p, depth - 1);
}

/* The first byte of JSON tells its type. */
const char *google_protobuf_Value__parse(google_protobuf_Value *m, cw__json_reader *r,
                                         const char *p, int depth)
{
    switch (*p) {
    case '{':
        return parse_struct(m, r, p, depth);
    case '[':
        return parse_list(m, r, p, depth);
    case '"':
        m->kind_case = google_protobuf_Value_kind_string_value;
        return cw__json_get_string(r, p, &m->kind.string_value);
    case 't':
    case 'f':
        m->kind_case = google_protobuf_Value_kind_bool_value;
        return cw__json_get_bool(r, p, &m->kind.bool_value);
    case 'n':
        if (!cw__json_null(r, &p)) {
            break;
        }
        m->kind_case = google_protobuf_Value_kind_null_value;
        m->kind.null_value = 0;
        return p;
    default:
        m->kind_case = google_protobuf_Value_kind_number_value;
        return cw__json_get_double(r, p, &m->kind.number_value);
    }
    return cw__json_fail(r, CW_ERR_SYNTAX, p, "expected a value");
}
