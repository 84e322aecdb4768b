/* SPDX-License-Identifier: MIT */
/*
 * Reading messages through their cw_type: what the generic contenders and the data generator share.
 * Inline, because contenders call it per field inside the timed region and must not be slowed down.
 */
#ifndef BENCH_REFLECT_H
#define BENCH_REFLECT_H

#include "cwire/cwire.h"

/* Map entries have two fields that are always there, and messages by value. */
static inline bool bench_is_map_entry(const cw_type *type)
{
    return type->unknown_offset == SIZE_MAX;
}

static inline bool bench_is_message_kind(cw_kind kind)
{
    return kind == CW_KIND_MESSAGE || kind == CW_KIND_GROUP;
}

/* Strings and bytes: {pointer, length}. */
static inline bool bench_is_view_kind(cw_kind kind)
{
    return kind == CW_KIND_STRING || kind == CW_KIND_BYTES;
}

static inline bool bench_is_list(cw_shape shape)
{
    return shape == CW_SHAPE_REPEATED || shape == CW_SHAPE_MAP;
}

static inline bool bench_is_signed(cw_kind kind)
{
    return kind == CW_KIND_INT32 || kind == CW_KIND_INT64 || kind == CW_KIND_SINT32 ||
           kind == CW_KIND_SINT64 || kind == CW_KIND_SFIXED32 || kind == CW_KIND_SFIXED64 ||
           kind == CW_KIND_ENUM;
}

/* sizeof a scalar of that kind in cwire's structs: 1, 4, 8, or of a view. 0: a message. */
static inline size_t bench_kind_size(cw_kind kind)
{
    switch (kind) {
    case CW_KIND_BOOL:
        return 1;
    case CW_KIND_INT32:
    case CW_KIND_UINT32:
    case CW_KIND_SINT32:
    case CW_KIND_FIXED32:
    case CW_KIND_SFIXED32:
    case CW_KIND_FLOAT:
    case CW_KIND_ENUM:
        return 4;
    case CW_KIND_INT64:
    case CW_KIND_UINT64:
    case CW_KIND_SINT64:
    case CW_KIND_FIXED64:
    case CW_KIND_SFIXED64:
    case CW_KIND_DOUBLE:
        return 8;
    case CW_KIND_STRING:
    case CW_KIND_BYTES:
        return sizeof(cw_str);
    case CW_KIND_MESSAGE:
    case CW_KIND_GROUP:
        break;
    }
    return 0;
}

static inline uint32_t bench_load_u32(const void *at)
{
    uint32_t v;
    memcpy(&v, at, sizeof v);
    return v;
}

static inline uint64_t bench_load_u64(const void *at)
{
    uint64_t v;
    memcpy(&v, at, sizeof v);
    return v;
}

static inline double bench_load_double(const void *at)
{
    double v;
    memcpy(&v, at, sizeof v);
    return v;
}

static inline float bench_load_float(const void *at)
{
    float v;
    memcpy(&v, at, sizeof v);
    return v;
}

static inline cw_str bench_load_str(const void *at)
{
    cw_str v;
    memcpy(&v, at, sizeof v);
    return v;
}

static inline cw_bytes bench_load_bytes(const void *at)
{
    cw_bytes v;
    memcpy(&v, at, sizeof v);
    return v;
}

/* An integer, bool or enum as 64 bits; signed kinds are sign-extended. */
static inline uint64_t bench_load_integer(const void *at, cw_kind kind)
{
    switch (bench_kind_size(kind)) {
    case 1:
        return *(const uint8_t *)at;
    case 4: {
        uint32_t v = bench_load_u32(at);
        return bench_is_signed(kind) ? (uint64_t)(int64_t)(int32_t)v : v;
    }
    default:
        return bench_load_u64(at);
    }
}

/* The value is one that a field without presence does not write. */
static inline bool bench_is_zero(const void *at, cw_kind kind)
{
    switch (bench_kind_size(kind)) {
    case 1:
        return *(const uint8_t *)at == 0;
    case 4:
        return bench_load_u32(at) == 0;
    case 8:
        return bench_load_u64(at) == 0;
    default:
        return bench_load_str(at).len == 0;
    }
}

/* A singular submessage: by value in map entries, else a pointer, NULL when absent. */
static inline const void *bench_submessage(const cw_type *type, const cw_field *f, const void *m)
{
    const char *at = (const char *)m + f->offset;
    if (bench_is_map_entry(type)) {
        return at;
    }
    const void *p;
    memcpy(&p, at, sizeof p);
    return p;
}

/* type->fields[index] would be written. */
static inline bool bench_is_present(const cw_type *type, uint32_t index, const void *m)
{
    const cw_field *f = &type->fields[index];
    const char *at = (const char *)m + f->offset;
    switch (f->shape) {
    case CW_SHAPE_IMPLICIT:
        return bench_is_map_entry(type) || !bench_is_zero(at, f->kind);
    case CW_SHAPE_OPTIONAL:
    case CW_SHAPE_REQUIRED:
        return bench_is_message_kind(f->kind) ? bench_submessage(type, f, m) != NULL
                                              : type->has(m, index);
    case CW_SHAPE_ONEOF:
        return bench_load_u32((const char *)m + f->case_offset) == f->number;
    case CW_SHAPE_REPEATED:
    case CW_SHAPE_MAP:
        return cw_list_load(at).len > 0;
    }
    return false;
}

#endif
