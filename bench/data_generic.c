/* SPDX-License-Identifier: MIT */
#include "data_generic.h"

#include <stdio.h>

#include "reflect.h"

enum {
    DEPTH_MAX = 4,     /* open messages below the top */
    VALUES_MAX = 400,  /* scalars in all; after that lists get one element, messages none */
    REQUIRED_MAX = 16, /* required members are filled to here: deeper ones never end */
};

typedef struct filler {
    cw_arena *arena;
    uint64_t random; /* xorshift64*: never zero */
    unsigned values; /* scalars so far */
} filler;

static bool fill_message(filler *f, const cw_type *type, void *message, unsigned depth);

static uint64_t next_random(filler *f)
{
    uint64_t x = f->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    f->random = x;
    return x * UINT64_C(0x2545F4914F6CDD1D);
}

/* 1 to 4. */
static unsigned list_length(filler *f)
{
    return f->values < VALUES_MAX ? 1 + (unsigned)(next_random(f) >> 62) : 1;
}

/* Mostly small, sometimes wide, as numbers in messages are; never zero, below 2^bits. */
static uint64_t random_number(filler *f, unsigned bits)
{
    uint64_t r = next_random(f);
    unsigned width = 1 + (unsigned)(r & 63) * (bits - 1) / 63;
    uint64_t v = (next_random(f) >> 1) >> (63 - width);
    return v ? v : 1;
}

static bool random_text(filler *f, cw_str *out)
{
    static const char *const words[] = {"alpha",  "bravo", "carbon", "delta",    "engine", "field",
                                        "global", "hotel", "index",  "junction", "kilo",   "lemma",
                                        "metric", "node",  "orbit",  "packet"};
    char text[96];
    uint64_t r = next_random(f);
    unsigned count = 1 + (unsigned)(r >> 62);
    size_t len = 0;
    for (unsigned i = 0; i < count; i++) {
        int n = snprintf(text + len, sizeof text - len, i ? " %s" : "%s", words[r >> (4 * i) & 15]);
        len += (size_t)n;
    }
    return cw_arena_str(f->arena, cw_str_of(text, len), out);
}

static bool random_bytes(filler *f, cw_bytes *out)
{
    uint8_t data[40];
    size_t len = 8 + (size_t)(next_random(f) >> 59);
    for (size_t i = 0; i < len; i++) {
        data[i] = (uint8_t)(next_random(f) >> 56);
    }
    return cw_arena_bytes(f->arena, cw_bytes_of(data, len), out);
}

static int32_t random_enum(filler *f, const cw_enum *e)
{
    uint32_t start = (uint32_t)(next_random(f) >> 33);
    for (uint32_t i = 0; i < e->n_values; i++) {
        int32_t number = e->values[(start + i) % e->n_values].number;
        if (number != 0) {
            return number;
        }
    }
    return e->n_values ? e->values[0].number : 0;
}

/* Stores a number of the size that the kind has in a struct. */
static void store_number(void *at, cw_kind kind, uint64_t v)
{
    uint32_t narrow = (uint32_t)v;
    uint8_t byte = (uint8_t)v;
    switch (bench_kind_size(kind)) {
    case 1:
        memcpy(at, &byte, 1);
        break;
    case 4:
        memcpy(at, &narrow, 4);
        break;
    default:
        memcpy(at, &v, 8);
        break;
    }
}

static bool fill_scalar(filler *f, const cw_field *field, void *at)
{
    cw_str text = {0};
    cw_bytes bytes = {0};
    double wide;
    float narrow;
    bool ok = true;
    f->values++;
    switch (field->kind) {
    case CW_KIND_STRING:
        ok = random_text(f, &text);
        memcpy(at, &text, sizeof text);
        break;
    case CW_KIND_BYTES:
        ok = random_bytes(f, &bytes);
        memcpy(at, &bytes, sizeof bytes);
        break;
    case CW_KIND_DOUBLE:
        wide = (double)(int64_t)random_number(f, 40) / 1024 + 0.1;
        memcpy(at, &wide, sizeof wide);
        break;
    case CW_KIND_FLOAT:
        narrow = (float)(int64_t)random_number(f, 20) / 64 + 0.1f;
        memcpy(at, &narrow, sizeof narrow);
        break;
    case CW_KIND_BOOL:
        store_number(at, CW_KIND_BOOL, 1);
        break;
    case CW_KIND_ENUM:
        store_number(at, CW_KIND_ENUM, (uint64_t)(int64_t)random_enum(f, field->enum_type));
        break;
    default: {
        uint64_t v = random_number(f, bench_kind_size(field->kind) == 4 ? 31 : 63);
        bool negative = bench_is_signed(field->kind) && next_random(f) >> 62 == 0;
        store_number(at, field->kind, negative ? (uint64_t)0 - v : v);
        break;
    }
    }
    return ok;
}

static bool fill_value(filler *f, const cw_field *field, void *at, unsigned depth)
{
    if (!bench_is_message_kind(field->kind)) {
        return fill_scalar(f, field, at);
    }
    return fill_message(f, field->message, at, depth + 1);
}

/* Keys ascend, so that entries are in the order a map keeps; a bool map has one entry: true. */
static bool fill_key(filler *f, const cw_field *key, void *at, unsigned index)
{
    if (key->kind == CW_KIND_STRING) {
        char text[32];
        int n = snprintf(text, sizeof text, "key-%u-%04x", index, (unsigned)(next_random(f) >> 48));
        cw_str stored = {0};
        bool ok = cw_arena_str(f->arena, cw_str_of(text, (size_t)n), &stored);
        memcpy(at, &stored, sizeof stored);
        return ok;
    }
    store_number(at, key->kind, 1 + (uint64_t)index * 1000 * (key->kind != CW_KIND_BOOL));
    return true;
}

static bool fill_map(filler *f, const cw_field *field, void *at, unsigned depth)
{
    const cw_field *key = &field->message->fields[0], *value = &field->message->fields[1];
    unsigned count = key->kind == CW_KIND_BOOL ? 1 : list_length(f);
    char *entries = cw_arena_array(f->arena, count, field->element_size);
    if (entries == NULL) {
        return false;
    }
    memset(entries, 0, count * field->element_size);
    for (unsigned i = 0; i < count; i++) {
        char *entry = entries + i * field->element_size;
        if (!fill_key(f, key, entry + key->offset, i) ||
            !fill_value(f, value, entry + value->offset, depth + 1)) {
            return false;
        }
    }
    cw_list_store(at, (cw_list_view){entries, count, count});
    return true;
}

static bool fill_list(filler *f, const cw_field *field, void *at, unsigned depth)
{
    unsigned count = list_length(f);
    char *elements = cw_arena_array(f->arena, count, field->element_size);
    if (elements == NULL) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        if (!fill_value(f, field, elements + i * field->element_size, depth)) {
            return false;
        }
    }
    cw_list_store(at, (cw_list_view){elements, count, count});
    return true;
}

static bool fill_pointer(filler *f, const cw_field *field, void *at, unsigned depth)
{
    void *sub = cw_arena_alloc(f->arena, field->element_size);
    if (sub == NULL || !fill_message(f, field->message, sub, depth + 1)) {
        return false;
    }
    memcpy(at, &sub, sizeof sub);
    return true;
}

static bool fill_field(filler *f, const cw_type *type, uint32_t index, void *message,
                       unsigned depth)
{
    const cw_field *field = &type->fields[index];
    char *at = (char *)message + field->offset;
    switch (field->shape) {
    case CW_SHAPE_MAP:
        return fill_map(f, field, at, depth);
    case CW_SHAPE_REPEATED:
        return fill_list(f, field, at, depth);
    case CW_SHAPE_ONEOF: {
        int number = (int)field->number;
        memcpy((char *)message + field->case_offset, &number, sizeof number);
        break;
    }
    case CW_SHAPE_OPTIONAL:
    case CW_SHAPE_REQUIRED:
        if (!bench_is_message_kind(field->kind)) {
            type->set_has(message, index, true);
        }
        break;
    case CW_SHAPE_IMPLICIT:
        break;
    }
    return bench_is_message_kind(field->kind) ? fill_pointer(f, field, at, depth)
                                              : fill_scalar(f, field, at);
}

/*
 * The field to fill at position `index`: itself; at the first member of a oneof one of its members,
 * drawn; at the others none (n_fields).
 */
static uint32_t choose_field(filler *f, const cw_type *type, uint32_t index)
{
    const cw_field *fields = type->fields;
    if (fields[index].shape != CW_SHAPE_ONEOF) {
        return index;
    }
    uint32_t chosen = index, members = 0;
    for (uint32_t i = 0; i < type->n_fields; i++) {
        if (fields[i].shape != CW_SHAPE_ONEOF ||
            fields[i].case_offset != fields[index].case_offset) {
            continue;
        }
        if (i < index) {
            return type->n_fields;
        }
        members++;
        if ((next_random(f) >> 32) % members == 0) {
            chosen = i; /* each of the members seen so far with the same chance */
        }
    }
    return chosen;
}

/* A submessage that is not filled, so that the data ends. */
static bool is_left_out(const filler *f, const cw_field *field, unsigned depth)
{
    if (field->kind != CW_KIND_MESSAGE && field->kind != CW_KIND_GROUP) {
        return false;
    }
    if (field->shape == CW_SHAPE_REQUIRED) {
        return depth >= REQUIRED_MAX;
    }
    return depth >= DEPTH_MAX || f->values >= VALUES_MAX;
}

static bool fill_message(filler *f, const cw_type *type, void *message, unsigned depth)
{
    if (type->init != NULL) {
        type->init(message);
    } else {
        memset(message, 0, type->struct_size);
    }
    for (uint32_t i = 0; i < type->n_fields; i++) {
        uint32_t chosen = choose_field(f, type, i);
        if (chosen == type->n_fields || is_left_out(f, &type->fields[chosen], depth)) {
            continue;
        }
        if (!fill_field(f, type, chosen, message, depth)) {
            return false;
        }
    }
    return true;
}

bool bench_data_generic(const cw_type *type, void *message, cw_arena *a)
{
    filler f = {.arena = a, .random = UINT64_C(14695981039346656037), .values = 0};
    for (const char *c = type->full_name; *c != '\0'; c++) {
        f.random = (f.random ^ (uint8_t)*c) * UINT64_C(1099511628211);
    }
    f.random |= 1;
    return fill_message(&f, type, message, 0);
}
