/* SPDX-License-Identifier: MIT */
/*
 * cwire's structs from the events of a JSON parser: what yajl and rapidjson share. Inline, because
 * it is called for every token inside the timed region. Strings are copied. Maps come sorted,
 * because cwire printed them: nothing is sorted here, to the contenders' advantage.
 */
#ifndef BENCH_JSON_BUILD_H
#define BENCH_JSON_BUILD_H

#include "json_table.h"

/* Open messages, lists and maps. */
#define BENCH_BUILD_FRAMES_MAX 128

typedef enum bench_frame_kind { BENCH_IN_MESSAGE, BENCH_IN_LIST, BENCH_IN_MAP } bench_frame_kind;

typedef struct bench_frame {
    bench_frame_kind kind;
    uint32_t expected;             /* IN_MESSAGE: index of the field that should be next */
    const bench_json_type *type;   /* IN_MESSAGE: of the message */
    const bench_json_field *field; /* IN_MESSAGE: whose value is next; else the list's or map's */
    char *message;                 /* IN_MESSAGE: the message; else the one that gets the list */
    cw_list_view list;             /* IN_LIST, IN_MAP: so far */
} bench_frame;

typedef struct bench_builder {
    cw_arena *arena;
    const bench_json_type *root;
    void *message; /* the result */
    bool complete; /* the top message was closed */
    int depth;     /* open frames */
    bench_frame frames[BENCH_BUILD_FRAMES_MAX];
} bench_builder;

/* Where the next value belongs, and its field; NULL: out of memory, or no value is expected. */
static inline char *bench_build_slot(bench_builder *b, const bench_json_field **field)
{
    if (b->depth == 0) {
        return NULL;
    }
    bench_frame *top = &b->frames[b->depth - 1];
    const bench_json_field *f = top->field;
    *field = f;
    switch (top->kind) {
    case BENCH_IN_LIST:
        return (char *)bench_list_add(b->arena, &top->list, f->field->element_size);
    case BENCH_IN_MAP: /* the entry was added with its key */
        *field = &f->sub->fields[1];
        return (char *)top->list.data + (top->list.len - 1) * f->field->element_size +
               f->sub->fields[1].field->offset;
    case BENCH_IN_MESSAGE:
        break;
    }
    if (f == NULL || bench_is_list(f->field->shape)) {
        return NULL;
    }
    bench_mark_present(top->type, f, top->message);
    return top->message + f->field->offset;
}

static inline bool bench_build_push_message(bench_builder *b, const bench_json_type *type,
                                            char *message)
{
    if (b->depth == BENCH_BUILD_FRAMES_MAX) {
        return false;
    }
    bench_init_message(type->type, message);
    bench_frame *top = &b->frames[b->depth++];
    top->kind = BENCH_IN_MESSAGE;
    top->expected = 0;
    top->type = type;
    top->field = NULL;
    top->message = message;
    return true;
}

/* A list or map of the message that is open. */
static inline bool bench_build_push_list(bench_builder *b, bench_frame_kind kind)
{
    if (b->depth == BENCH_BUILD_FRAMES_MAX) {
        return false;
    }
    bench_frame *top = &b->frames[b->depth++];
    top->kind = kind;
    top->field = top[-1].field;
    top->message = top[-1].message;
    top->list.data = NULL;
    top->list.len = top->list.cap = 0;
    return true;
}

/* The field whose value is next is a list or map of the given shape. */
static inline bool bench_build_expects(const bench_builder *b, cw_shape shape)
{
    if (b->depth == 0) {
        return false;
    }
    const bench_frame *top = &b->frames[b->depth - 1];
    return top->kind == BENCH_IN_MESSAGE && top->field != NULL && top->field->field->shape == shape;
}

static inline void bench_build_begin(bench_builder *b)
{
    b->depth = 0;
    b->complete = false;
}

/* ---- the events; false: no such thing is expected here, or no memory ---------------------------
 */

static inline bool bench_build_object(bench_builder *b)
{
    const bench_json_field *f;
    if (b->depth == 0) {
        return bench_build_push_message(b, b->root, (char *)b->message);
    }
    if (bench_build_expects(b, CW_SHAPE_MAP)) {
        return bench_build_push_list(b, BENCH_IN_MAP);
    }
    bool by_value = b->frames[b->depth - 1].kind != BENCH_IN_MESSAGE;
    char *slot = bench_build_slot(b, &f);
    if (slot == NULL || f->sub == NULL) {
        return false;
    }
    if (!by_value) {
        char *message = (char *)cw_arena_alloc(b->arena, f->field->element_size);
        if (message == NULL) {
            return false;
        }
        memcpy(slot, &message, sizeof message);
        slot = message;
    }
    return bench_build_push_message(b, f->sub, slot);
}

static inline bool bench_build_key(bench_builder *b, const char *key, size_t len)
{
    bench_frame *top = &b->frames[b->depth - 1];
    if (top->kind == BENCH_IN_MESSAGE) {
        top->field = bench_json_find(top->type, key, len, &top->expected);
        return top->field != NULL;
    }
    const cw_field *f = top->field->field;
    const cw_field *key_field = f->message->fields;
    char *entry = (char *)bench_list_add(b->arena, &top->list, f->element_size);
    if (entry == NULL) {
        return false;
    }
    memset(entry, 0, f->element_size);
    return bench_store_key(entry + key_field->offset, key_field->kind, key, len, b->arena);
}

static inline bool bench_build_array(bench_builder *b)
{
    return bench_build_expects(b, CW_SHAPE_REPEATED) && bench_build_push_list(b, BENCH_IN_LIST);
}

/* The end of a message, list or map. */
static inline bool bench_build_end(bench_builder *b)
{
    bench_frame *top = &b->frames[--b->depth];
    if (top->kind != BENCH_IN_MESSAGE) {
        cw_list_store(top->message + top->field->field->offset, top->list);
    }
    b->complete = b->depth == 0;
    return true;
}

/* A string or, in base64, bytes. */
static inline bool bench_build_string(bench_builder *b, const char *text, size_t len)
{
    const bench_json_field *f;
    cw_str copy;
    cw_bytes bytes;
    char *slot = bench_build_slot(b, &f);
    if (slot == NULL || !bench_is_view_kind(f->field->kind)) {
        return false;
    }
    if (f->field->kind == CW_KIND_STRING) {
        if (!cw_arena_str(b->arena, cw_str_of(text, len), &copy)) {
            return false;
        }
        memcpy(slot, &copy, sizeof copy);
        return true;
    }
    if (!bench_unbase64(b->arena, text, len, &bytes)) {
        return false;
    }
    memcpy(slot, &bytes, sizeof bytes);
    return true;
}

static inline bool bench_build_bool(bench_builder *b, bool value)
{
    const bench_json_field *f;
    char *slot = bench_build_slot(b, &f);
    if (slot == NULL || f->field->kind != CW_KIND_BOOL) {
        return false;
    }
    memcpy(slot, &value, sizeof value);
    return true;
}

/* Digits, for parsers that hand them over as they came. */
static inline bool bench_build_number(bench_builder *b, const char *text, size_t len)
{
    const bench_json_field *f;
    char *slot = bench_build_slot(b, &f);
    if (slot == NULL) {
        return false;
    }
    switch (f->field->kind) {
    case CW_KIND_DOUBLE:
    case CW_KIND_FLOAT:
        return bench_store_float(slot, f->field->kind, text, len);
    case CW_KIND_STRING:
    case CW_KIND_BYTES:
    case CW_KIND_BOOL:
    case CW_KIND_MESSAGE:
    case CW_KIND_GROUP:
        return false;
    default:
        return bench_store_integer(slot, f->field->kind, text, len);
    }
}

#endif
