/* SPDX-License-Identifier: MIT */
/*
 * What a JSON library needs to know about message types and cw_type does not hold ready: lengths of
 * names, and the sub-table of each field. Made once in setup, so that the generic JSON contenders
 * are as quick as hand-written code for one message would be.
 */
#ifndef BENCH_JSON_TABLE_H
#define BENCH_JSON_TABLE_H

#include "reflect.h"

/* Fields of one message; setup dies on a type with more. */
#define BENCH_JSON_FIELDS_MAX 512

typedef struct bench_json_type bench_json_type;

typedef struct bench_json_field {
    const cw_field *field;
    const char *name; /* the proto name */
    size_t name_len;
    const bench_json_type *sub; /* messages and maps (the entry's type); else NULL */
} bench_json_field;

struct bench_json_type {
    const cw_type *type;
    const bench_json_field *fields; /* in the order of type->fields */
    uint32_t n_fields;
};

typedef struct bench_json_table bench_json_table;

/* Neither the type nor what it reaches is too much for a table. */
bool bench_json_table_fits(const cw_type *type);

/* The table of a type that fits and all that it reaches; dies without memory. */
bench_json_table *bench_json_table_make(const cw_type *type);
void bench_json_table_free(bench_json_table *table);
const bench_json_type *bench_json_table_root(const bench_json_table *table);

/*
 * The field of that name; NULL: none. `expected` is the index that is tried first (messages are
 * mostly read in the order in which they were written); it is set to the one after the field found.
 */
static inline const bench_json_field *bench_json_find(const bench_json_type *t, const char *name,
                                                      size_t len, uint32_t *expected)
{
    uint32_t i = *expected;
    for (uint32_t tried = 0; tried < t->n_fields; tried++, i++) {
        i = i >= t->n_fields ? 0 : i;
        if (t->fields[i].name_len == len && memcmp(t->fields[i].name, name, len) == 0) {
            *expected = i + 1;
            return &t->fields[i];
        }
    }
    return NULL;
}

/* Decimal digits of v so that they end before `end`; returns the first. Needs 20 bytes. */
static inline char *bench_digits(char *end, uint64_t v)
{
    do {
        *--end = (char)('0' + v % 10);
        v /= 10;
    } while (v != 0);
    return end;
}

/* The text of an integer, enum or (map keys) bool so that it ends before `end`; needs 21 bytes. */
char *bench_integer_text(char *end, const void *at, cw_kind kind);

/* The shortest "%.NNg" that is sure to read back equal; out has 32 bytes. Returns the length. */
size_t bench_float_text(char *out, const void *at, cw_kind kind);

/* Standard base64 of the bytes in the arena; NULL: no memory. */
char *bench_base64(cw_arena *a, cw_bytes in, size_t *len);
/* The reverse; false: not base64, or no memory. */
bool bench_unbase64(cw_arena *a, const char *text, size_t len, cw_bytes *out);

/* Reads "-12" (all of it) and stores it as the kind; false: not an integer. */
bool bench_store_integer(void *at, cw_kind kind, const char *text, size_t len);
/* The same for double and float. */
bool bench_store_float(void *at, cw_kind kind, const char *text, size_t len);
/* A map's key: a string (copied to the arena), "true", or an integer. */
bool bench_store_key(void *at, cw_kind kind, const char *text, size_t len, cw_arena *a);
/* Marks a singular scalar or message as there: its `has` bit or its oneof's case. */
static inline void bench_mark_present(const bench_json_type *t, const bench_json_field *f, void *m)
{
    const cw_field *field = f->field;
    if (field->shape == CW_SHAPE_ONEOF) {
        int number = (int)field->number;
        memcpy((char *)m + field->case_offset, &number, sizeof number);
    } else if ((field->shape == CW_SHAPE_OPTIONAL || field->shape == CW_SHAPE_REQUIRED) &&
               !bench_is_message_kind(field->kind)) {
        t->type->set_has(m, (uint32_t)(f - t->fields), true);
    }
}

/*
 * One more element at the end of a list that is being built in the arena (not zeroed); NULL: no
 * memory.
 */
static inline void *bench_list_add(cw_arena *a, cw_list_view *list, size_t element_size)
{
    if (list->len == list->cap) {
        size_t cap = list->cap ? 2 * list->cap : 4;
        void *data = cw_arena_alloc(a, cap * element_size);
        if (data == NULL) {
            return NULL;
        }
        if (list->len > 0) {
            memcpy(data, list->data, list->len * element_size);
        }
        list->data = data;
        list->cap = cap;
    }
    return (char *)list->data + element_size * list->len++;
}

/* An empty message at m: defaults set; map entries zeroed. */
static inline void bench_init_message(const cw_type *type, void *m)
{
    if (type->init != NULL) {
        type->init(m);
    } else {
        memset(m, 0, type->struct_size);
    }
}

#endif
