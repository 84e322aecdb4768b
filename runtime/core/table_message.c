/* SPDX-License-Identifier: MIT */
/* table_message.c: required, check, copy and equal, by table. */
#include "table_field.h"

/* ---- required and check -----------------------------------------------------------------------
 */

/* cw__table_required or cw__table_check_below. */
typedef bool walk(const cw_type *t, const void *m, cw_error *e, int depth);

/* The messages that field f holds. */
static bool messages_below(const cw_type *t, const cw_field *f, const void *m, cw_error *e,
                           int depth, walk *function)
{
    const cw_type *held = cw__field_held(f);
    if (!cw__field_is_list(f)) {
        return !cw__field_present(t, f, m) ||
               function(held, cw__field_message(f, m), e, depth - 1) ||
               cw__check_fail_at(e, f->name, SIZE_MAX);
    }
    bool map = f->shape == CW_SHAPE_MAP;
    cw_list_view v = cw__field_list(f, m);
    for (size_t i = 0; i < v.len; i++) {
        const char *x = cw__element_of(f, v, i);
        x += map ? f->message->fields[1].offset : 0;
        if (!function(held, x, e, depth - (map ? 2 : 1))) {
            return cw__check_fail_at(e, f->name, i);
        }
    }
    return true;
}

bool cw__table_required(const cw_type *t, const void *m, cw_error *e, int depth)
{
    if (!t->required) {
        return true;
    }
    for (uint32_t i = 0; i < t->n_fields; i++) {
        const cw_field *f = &t->fields[i];
        if (f->shape == CW_SHAPE_REQUIRED && !cw__field_present(t, f, m)) {
            return cw__check_fail(e, CW_ERR_REQUIRED, f->name, SIZE_MAX);
        }
    }
    if (depth < 1) {
        return true; /* too deep a message is somebody else's finding */
    }
    for (uint32_t i = 0; i < t->n_fields; i++) {
        const cw_type *held = cw__field_held(&t->fields[i]);
        if (held && held->required &&
            !messages_below(t, &t->fields[i], m, e, depth, cw__table_required)) {
            return false;
        }
    }
    return true;
}

/* One value that is no message, in `name`[index]. */
static bool check_value(const cw_field *f, const void *place, cw_error *e, const char *name,
                        size_t index)
{
    if (f->kind == CW_KIND_STRING) {
        const cw_str *s = place;
        return cw__utf8_valid(s->data, s->len) || cw__check_fail(e, CW_ERR_UTF8, name, index);
    }
    if (f->closed_enum) {
        int32_t v;
        memcpy(&v, place, sizeof v);
        return f->enum_type->known(v) || cw__check_fail(e, CW_ERR_ENUM, name, index);
    }
    return true;
}

static bool has_rules(const cw_field *f)
{
    return f->kind == CW_KIND_STRING || f->closed_enum;
}

static bool check_list(const cw_field *f, const void *m, cw_error *e)
{
    const cw_field *parts = f->shape == CW_SHAPE_MAP ? f->message->fields : f;
    uint32_t n = f->shape == CW_SHAPE_MAP ? 2 : 1;
    if (!has_rules(&parts[0]) && !has_rules(&parts[n - 1])) {
        return true;
    }
    cw_list_view v = cw__field_list(f, m);
    for (size_t i = 0; i < v.len; i++) {
        const char *x = cw__element_of(f, v, i);
        for (uint32_t k = 0; k < n; k++) {
            if (!check_value(&parts[k], n > 1 ? x + parts[k].offset : x, e, f->name, i)) {
                return false;
            }
        }
    }
    return true;
}

static bool check_field(const cw_type *t, const cw_field *f, const void *m, cw_error *e, int depth)
{
    if (f->shape == CW_SHAPE_REQUIRED && !cw__field_present(t, f, m)) {
        return cw__check_fail(e, CW_ERR_REQUIRED, f->name, SIZE_MAX);
    }
    if (cw__field_is_list(f)) {
        /* An entry is a level of its own. */
        if (f->shape == CW_SHAPE_MAP && depth < 1 && cw__field_list(f, m).len > 0) {
            return cw__check_fail(e, CW_ERR_DEPTH, f->name, SIZE_MAX);
        }
        if (!check_list(f, m, e)) {
            return false;
        }
    } else if (has_rules(f) && cw__field_present(t, f, m) &&
               !check_value(f, cw__field_in(f, m), e, f->name, SIZE_MAX)) {
        return false;
    }
    return !cw__field_held(f) || messages_below(t, f, m, e, depth, cw__table_check_below);
}

bool cw__table_check_below(const cw_type *t, const void *m, cw_error *e, int depth)
{
    if (depth < 0) {
        return cw__check_too_deep(e);
    }
    for (uint32_t i = 0; i < t->n_fields; i++) {
        if (!check_field(t, &t->fields[i], m, e, depth)) {
            return false;
        }
    }
    return true;
}

cw_status cw__table_check(const cw_type *t, const void *m, cw_error *e)
{
    cw_error own;
    cw_error *x = e ? e : &own;
    bool ok = cw__table_check_below(t, m, x, CW_DEPTH_DEFAULT);
    return cw__check_end(x, ok, cw__table_size(t, m, CW_DEPTH_DEFAULT), t->full_name);
}

/* ---- copy -------------------------------------------------------------------------------------
 */

/* What is behind a value, messages by value. The value itself was copied. */
static bool copy_value(const cw_field *f, void *to, const void *from, cw_arena *a)
{
    if (f->message) {
        return cw__table_copy_below(f->message, to, from, a);
    }
    if (f->kind == CW_KIND_STRING) {
        return cw_arena_str(a, *(const cw_str *)from, to);
    }
    return f->kind != CW_KIND_BYTES || cw_arena_bytes(a, *(const cw_bytes *)from, to);
}

static bool copy_singular(const cw_type *t, const cw_field *f, void *to, const void *from,
                          cw_arena *a)
{
    if (!f->message) { /* an absent one may have a default, but in a oneof */
        return (f->shape == CW_SHAPE_ONEOF && !cw__field_present(t, f, from)) ||
               copy_value(f, cw__field_at(f, to), cw__field_in(f, from), a);
    }
    if (!cw__field_present(t, f, from)) {
        return true;
    }
    void *x = cw_arena_alloc(a, f->message->struct_size);
    if (!x || !cw__table_copy_below(f->message, x, cw__field_message(f, from), a)) {
        return false;
    }
    memcpy(cw__field_at(f, to), &x, sizeof x);
    return true;
}

static bool copy_list(const cw_field *f, void *to, const void *from, cw_arena *a)
{
    cw_list_view v = cw__field_list(f, from), copy = {NULL, v.len, v.len};
    if (!cw__copy_array(a, v.data, v.len, f->element_size, &copy.data)) {
        return false;
    }
    cw_list_store(cw__field_at(f, to), copy);
    bool map = f->shape == CW_SHAPE_MAP;
    if (!map && !f->message && !cw__field_is_view(f)) {
        return true;
    }
    for (size_t i = 0; i < v.len; i++) {
        char *x = cw__element_of(f, copy, i);
        const char *y = cw__element_of(f, v, i);
        if (!map) {
            if (!copy_value(f, x, y, a)) {
                return false;
            }
            continue;
        }
        for (uint32_t k = 0; k < 2; k++) {
            const cw_field *part = &f->message->fields[k];
            if (!copy_value(part, x + part->offset, y + part->offset, a)) {
                return false;
            }
        }
    }
    return true;
}

bool cw__table_copy_below(const cw_type *t, void *to, const void *from, cw_arena *a)
{
    memcpy(to, from, t->struct_size);
    for (uint32_t i = 0; i < t->n_fields; i++) {
        const cw_field *f = &t->fields[i];
        if (!(cw__field_is_list(f) ? copy_list(f, to, from, a)
                                   : copy_singular(t, f, to, from, a))) {
            return false;
        }
    }
    return cw__copy_unknown(a, cw__unknown_in(t, from), cw__unknown_at(t, to));
}

cw_status cw__table_copy(const cw_type *t, void *to, const void *from, cw_arena *a)
{
    if (cw__table_copy_below(t, to, from, a)) {
        return CW_OK;
    }
    t->init(to);
    return a->failure;
}

/* ---- equal ------------------------------------------------------------------------------------
 */

/* Floats are compared by their bits. */
static bool equal_value(const cw_field *f, const void *a, const void *b)
{
    if (f->message) {
        return cw__table_equal(f->message, a, b);
    }
    if (cw__field_is_view(f)) {
        return cw_bytes_equal(cw__view_in(f, a), cw__view_in(f, b));
    }
    return memcmp(a, b, cw__field_kind(f)->size) == 0;
}

static bool equal_singular(const cw_type *t, const cw_field *f, const void *a, const void *b)
{
    const void *x = cw__field_in(f, a), *y = cw__field_in(f, b);
    if (f->shape != CW_SHAPE_IMPLICIT) {
        bool has = cw__field_present(t, f, a);
        if (has != cw__field_present(t, f, b)) {
            return false;
        }
        if (!has) {
            return true;
        }
        if (f->message) {
            x = cw__field_message(f, a);
            y = cw__field_message(f, b);
        }
    }
    return equal_value(f, x, y);
}

static bool equal_list(const cw_field *f, const void *a, const void *b)
{
    cw_list_view x = cw__field_list(f, a), y = cw__field_list(f, b);
    bool map = f->shape == CW_SHAPE_MAP;
    if (!map && !f->message && !cw__field_is_view(f)) {
        return cw__equal_array(x.data, x.len, y.data, y.len, f->element_size);
    }
    if (x.len != y.len) {
        return false;
    }
    const cw_field *parts = map ? f->message->fields : f;
    for (size_t i = 0; i < x.len; i++) {
        for (uint32_t k = 0; k < (map ? 2u : 1u); k++) {
            size_t offset = map ? parts[k].offset : 0;
            const char *p = cw__element_of(f, x, i), *q = cw__element_of(f, y, i);
            if (!equal_value(&parts[k], p + offset, q + offset)) {
                return false;
            }
        }
    }
    return true;
}

bool cw__table_equal(const cw_type *t, const void *a, const void *b)
{
    for (uint32_t i = 0; i < t->n_fields; i++) {
        const cw_field *f = &t->fields[i];
        if (!(cw__field_is_list(f) ? equal_list(f, a, b) : equal_singular(t, f, a, b))) {
            return false;
        }
    }
    return cw__equal_unknown(cw__unknown_in(t, a), cw__unknown_in(t, b));
}
