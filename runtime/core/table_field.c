/* SPDX-License-Identifier: MIT */
/* table_field.c: enums, presence, and the list and map helpers, by table. */
#include "table_field.h"

/* ---- enums ------------------------------------------------------------------------------------
 */

static const cw_enum_value *by_number(const cw_enum *e, int32_t number)
{
    for (uint32_t i = 0; i < e->n_values; i++) {
        if (e->values[i].number == number) {
            return &e->values[i];
        }
    }
    return NULL;
}

cw_str cw__table_enum_name(const cw_enum *e, int32_t v)
{
    const cw_enum_value *x = by_number(e, v);
    return x ? cw_str_from(x->name) : cw_str_of(NULL, 0);
}

bool cw__table_enum_from_name(const cw_enum *e, const char *name, size_t len, int32_t *v)
{
    for (uint32_t i = 0; i < e->n_values; i++) {
        const char *own = e->values[i].name;
        if (strlen(own) == len && memcmp(own, name, len) == 0) {
            *v = e->values[i].number;
            return true;
        }
    }
    return false;
}

bool cw__table_enum_known(const cw_enum *e, int32_t v)
{
    /* Mostly they count from 0. */
    if (v >= 0 && (uint32_t)v < e->n_values && e->values[v].number == v) {
        return true;
    }
    return by_number(e, v) != NULL;
}

/* ---- presence ---------------------------------------------------------------------------------
 */

static bool is_zero(const cw_field *f, const void *place)
{
    uint64_t x = 0;
    uint32_t word = 0;
    if (cw__field_is_view(f)) {
        return cw__view_in(f, place).len == 0;
    }
    switch (cw__field_kind(f)->size) { /* by the bits: -0.0 is not zero */
    case sizeof x:
        memcpy(&x, place, sizeof x);
        return x == 0;
    case sizeof word:
        memcpy(&word, place, sizeof word);
        return word == 0;
    default:
        return !*(const bool *)place;
    }
}

bool cw__field_present(const cw_type *t, const cw_field *f, const void *m)
{
    if (f->shape == CW_SHAPE_ONEOF && cw__field_case(f, m) != (int)f->number) {
        return false;
    }
    if (f->message) {
        return cw__field_message(f, m) != NULL;
    }
    if (f->shape == CW_SHAPE_IMPLICIT) {
        return !is_zero(f, cw__field_in(f, m));
    }
    return f->shape == CW_SHAPE_ONEOF || t->has(m, cw__field_index(t, f));
}

void cw__field_set_present(const cw_type *t, const cw_field *f, void *m)
{
    if (f->shape == CW_SHAPE_ONEOF) {
        int number = (int)f->number;
        memcpy((char *)m + f->case_offset, &number, sizeof number);
    } else if (f->shape != CW_SHAPE_IMPLICIT && !f->message) {
        t->set_has(m, cw__field_index(t, f), true);
    }
}

void cw__field_clear_others(const cw_type *t, const cw_field *f, void *m)
{
    int number = cw__field_case(f, m);
    const cw_field *other =
        number > 0 && number != (int)f->number ? cw_type_field(t, (uint32_t)number) : NULL;
    if (other) {
        memset(cw__field_at(other, m), 0,
               other->message ? sizeof(void *) : cw__field_kind(other)->size);
    }
}

void *cw__field_new_message(const cw_type *t, const cw_field *f, void *m, cw_arena *a)
{
    void *x = cw_arena_alloc(a, f->message->struct_size);
    if (x) {
        f->message->init(x);
        if (f->shape == CW_SHAPE_ONEOF) {
            cw__field_clear_others(t, f, m);
        }
        memcpy(cw__field_at(f, m), &x, sizeof x);
        cw__field_set_present(t, f, m);
    }
    return x;
}

void *cw__table_mut(const cw_type *t, uint32_t index, void *m, cw_arena *a)
{
    const cw_field *f = &t->fields[index];
    return cw__field_present(t, f, m) ? cw__field_message(f, m) : cw__field_new_message(t, f, m, a);
}

/* ---- lists ------------------------------------------------------------------------------------
 */

void *cw__table_add(const cw_type *t, uint32_t index, void *m, cw_arena *a)
{
    const cw_field *f = &t->fields[index];
    cw_list_view v = cw__field_list(f, m);
    if (v.len >= v.cap) {
        void *data = cw__list_grow(a, v.data, v.len, &v.cap, f->element_size, 1);
        if (!data) {
            return NULL;
        }
        v.data = data;
    }
    void *x = cw__element_of(f, v, v.len++);
    if (f->message) {
        f->message->init(x);
    }
    cw_list_store(cw__field_at(f, m), v);
    return x;
}

/* ---- maps -------------------------------------------------------------------------------------
 */

cw__map_compare *cw__key_order(cw_kind kind)
{
    switch (kind) {
    case CW_KIND_INT32:
    case CW_KIND_SINT32:
    case CW_KIND_SFIXED32:
        return cw__map_compare_int32;
    case CW_KIND_INT64:
    case CW_KIND_SINT64:
    case CW_KIND_SFIXED64:
        return cw__map_compare_int64;
    case CW_KIND_UINT32:
    case CW_KIND_FIXED32:
        return cw__map_compare_uint32;
    case CW_KIND_UINT64:
    case CW_KIND_FIXED64:
        return cw__map_compare_uint64;
    case CW_KIND_BOOL:
        return cw__map_compare_bool;
    default:
        return cw__map_compare_str;
    }
}

void cw__entry_init(const cw_type *entry, void *x)
{
    const cw_field *value = &entry->fields[1];
    memset(x, 0, entry->struct_size);
    if (value->message) {
        value->message->init(cw__field_at(value, x));
    } else if (value->enum_type) {
        memcpy(cw__field_at(value, x), &value->enum_type->values[0].number, sizeof(int32_t));
    }
}

/* The place of the key at `key`, which is as good as an entry: its key is its first member. */
static size_t find(const cw_field *f, cw_list_view v, const void *key, bool *found)
{
    return cw__map_find(v.data, v.len, f->element_size, key,
                        cw__key_order(f->message->fields[0].kind), found);
}

static void *value_of(const cw_field *f, cw_list_view v, size_t i)
{
    return cw__field_at(&f->message->fields[1], cw__element_of(f, v, i));
}

void *cw__table_map_get(const cw_type *t, uint32_t index, const void *m, const void *key)
{
    const cw_field *f = &t->fields[index];
    cw_list_view v = cw__field_list(f, m);
    bool found = false;
    size_t i = find(f, v, key, &found);
    return found ? value_of(f, v, i) : NULL;
}

void *cw__table_map_put(const cw_type *t, uint32_t index, void *m, const void *key, cw_arena *a)
{
    const cw_field *f = &t->fields[index];
    cw_list_view v = cw__field_list(f, m);
    bool found = false;
    size_t i = find(f, v, key, &found);
    if (found) {
        return value_of(f, v, i);
    }
    if (v.len >= v.cap) {
        void *data = cw__list_grow(a, v.data, v.len, &v.cap, f->element_size, 1);
        if (!data) {
            return NULL;
        }
        v.data = data;
    }
    char *x = cw__element_of(f, v, i);
    memmove(x + f->element_size, x, (v.len - i) * f->element_size);
    cw__entry_init(f->message, x);
    memcpy(x, key, cw__field_kind(&f->message->fields[0])->size);
    v.len++;
    cw_list_store(cw__field_at(f, m), v);
    return value_of(f, v, i);
}

bool cw__table_map_sort(const cw_type *t, uint32_t index, void *m, cw_arena *a)
{
    const cw_field *f = &t->fields[index];
    cw_list_view v = cw__field_list(f, m);
    bool ok =
        cw__map_sort(a, v.data, &v.len, f->element_size, cw__key_order(f->message->fields[0].kind));
    cw_list_store(cw__field_at(f, m), v);
    return ok;
}

/* The maps below field f, whose messages reach some. */
static bool sort_below(const cw_type *t, const cw_field *f, void *m, cw_arena *a)
{
    const cw_type *held = cw__field_held(f);
    if (!cw__field_is_list(f)) {
        return !cw__field_present(t, f, m) || cw__table_sort_maps(held, cw__field_message(f, m), a);
    }
    cw_list_view v = cw__field_list(f, m);
    for (size_t i = 0; i < v.len; i++) {
        void *x = f->shape == CW_SHAPE_MAP ? value_of(f, v, i) : cw__element_of(f, v, i);
        if (!cw__table_sort_maps(held, x, a)) {
            return false;
        }
    }
    return true;
}

bool cw__table_sort_maps(const cw_type *t, void *m, cw_arena *a)
{
    for (uint32_t i = 0; i < t->n_fields; i++) {
        const cw_field *f = &t->fields[i];
        const cw_type *held = cw__field_held(f);
        if (f->shape == CW_SHAPE_MAP && !cw__table_map_sort(t, i, m, a)) {
            return false;
        }
        if (held && held->sort_maps && !sort_below(t, f, m, a)) {
            return false;
        }
    }
    return true;
}
