/* SPDX-License-Identifier: MIT */
/* table_field.h: a field's place and presence by its row; what table_*.c share. */
#ifndef CWIRE_CORE_TABLE_FIELD_H
#define CWIRE_CORE_TABLE_FIELD_H

#include "cwire/map.h"
#include "cwire/table.h"

#include "extension_scan.h"

/* A field's row of kinds: wire type, size of the C type; both also of strings and bytes. */
static inline const cw__ext_kind *cw__field_kind(const cw_field *f)
{
    return cw__ext_kind_of(f->kind);
}

/* Tags as raw values: of one value (of an element, of an entry), and of a packed list. */
static inline uint32_t cw__field_tag(const cw_field *f)
{
    return f->number << 3 | cw__field_kind(f)->wire_type;
}

static inline uint32_t cw__field_packed_tag(const cw_field *f)
{
    return f->number << 3 | CW__WIRE_LEN;
}

static inline bool cw__field_is_list(const cw_field *f)
{
    return f->shape == CW_SHAPE_REPEATED || f->shape == CW_SHAPE_MAP;
}

static inline bool cw__field_is_view(const cw_field *f)
{
    return f->kind == CW_KIND_STRING || f->kind == CW_KIND_BYTES;
}

static inline uint32_t cw__field_index(const cw_type *t, const cw_field *f)
{
    return (uint32_t)(f - t->fields);
}

/* The member: value, pointer to a message, or list. */
static inline void *cw__field_at(const cw_field *f, void *m)
{
    return (char *)m + f->offset;
}

static inline const void *cw__field_in(const cw_field *f, const void *m)
{
    return (const char *)m + f->offset;
}

static inline cw_list_view cw__field_list(const cw_field *f, const void *m)
{
    return cw_list_load(cw__field_in(f, m));
}

/* Element i of a list. */
static inline void *cw__element_of(const cw_field *f, cw_list_view v, size_t i)
{
    return (char *)v.data + i * f->element_size;
}

/* The message behind a singular field's pointer, also of an inactive oneof member. */
static inline void *cw__field_message(const cw_field *f, const void *m)
{
    void *x;
    memcpy(&x, cw__field_in(f, m), sizeof x);
    return x;
}

/* The number of the oneof's member that is set; 0: none. */
static inline int cw__field_case(const cw_field *f, const void *m)
{
    int number;
    memcpy(&number, (const char *)m + f->case_offset, sizeof number);
    return number;
}

/* The message type that a field, or its map's values, are of; NULL: none. */
static inline const cw_type *cw__field_held(const cw_field *f)
{
    return f->shape == CW_SHAPE_MAP ? f->message->fields[1].message : f->message;
}

static inline cw_unknown **cw__unknown_at(const cw_type *t, void *m)
{
    void *place = (char *)m + t->unknown_offset;
    return (cw_unknown **)place;
}

static inline const cw_unknown *cw__unknown_in(const cw_type *t, const void *m)
{
    const cw_unknown *u;
    memcpy(&u, (const char *)m + t->unknown_offset, sizeof u);
    return u;
}

/* The string or bytes at `place` as bytes. */
static inline cw_bytes cw__view_in(const cw_field *f, const void *place)
{
    if (f->kind == CW_KIND_STRING) {
        const cw_str *s = (const cw_str *)place;
        return cw_bytes_of(s->data, s->len);
    }
    return *(const cw_bytes *)place;
}

/* Is the singular field there? */
bool cw__field_present(const cw_type *t, const cw_field *f, const void *m);
/* It is there now: its `has` bit or its oneof's case, which it is not looked at before. */
void cw__field_set_present(const cw_type *t, const cw_field *f, void *m);
/* Zeroes what another member of the oneof has put into the union. */
void cw__field_clear_others(const cw_type *t, const cw_field *f, void *m);
/* A new message in the singular field; NULL: no memory. */
void *cw__field_new_message(const cw_type *t, const cw_field *f, void *m, cw_arena *a);

/* The order of a map's entries by keys of this kind. */
cw__map_compare *cw__key_order(cw_kind kind);
/* An entry without key and value: zero, and what the value's type begins with. */
void cw__entry_init(const cw_type *entry, void *x);

#endif
