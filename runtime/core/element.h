/* SPDX-License-Identifier: MIT */
/*
 * element.h: one element of a list of scalars in memory. Inlined with the kind a constant; elements
 * move by memcpy, so that one loop serves signed, unsigned and floating-point lists. Private to
 * runtime/core.
 */
#ifndef CWIRE_CORE_ELEMENT_H
#define CWIRE_CORE_ELEMENT_H

#include "cwire/wire.h"

/* Bytes of an element in memory. */
CW_ALWAYS_INLINE size_t cw__element_size(cw__element kind)
{
    switch (kind) {
    case CW__BOOL:
        return sizeof(bool);
    case CW__VARINT64:
    case CW__ZIGZAG64:
    case CW__FIXED64:
        return 8;
    case CW__VARINT32:
    case CW__INT32:
    case CW__ZIGZAG32:
    case CW__FIXED32:
        break;
    }
    return 4;
}

/* Room for n more elements of `elem` bytes; false: no memory, failed at `at`. */
CW_ALWAYS_INLINE bool cw__element_reserve(cw__decoder *d, cw__array *x, size_t elem, size_t n,
                                          const uint8_t *at)
{
    if (n <= x->cap && x->len <= x->cap - n) {
        return true;
    }
    void *data = cw__list_grow(d->arena, x->data, x->len, &x->cap, elem, n);
    if (!data) {
        cw__get_fail_memory(d, at);
        return false;
    }
    x->data = data;
    return true;
}

/* The varint v as element i. */
CW_ALWAYS_INLINE void cw__element_store(void *data, size_t i, cw__element kind, uint64_t v)
{
    if (kind == CW__BOOL) {
        ((bool *)data)[i] = v != 0;
    } else if (kind == CW__VARINT64 || kind == CW__ZIGZAG64) {
        v = kind == CW__ZIGZAG64 ? (uint64_t)cw__unzigzag64(v) : v;
        memcpy((char *)data + 8 * i, &v, 8);
    } else {
        uint32_t x = (uint32_t)v;
        x = kind == CW__ZIGZAG32 ? (uint32_t)cw__unzigzag32(x) : x;
        memcpy((char *)data + 4 * i, &x, 4);
    }
}

/* Element i as the varint that goes on the wire; fixed kinds: its bits. */
CW_ALWAYS_INLINE uint64_t cw__element_load(const void *data, size_t i, cw__element kind)
{
    if (kind == CW__BOOL) {
        return ((const bool *)data)[i] ? 1 : 0;
    }
    if (kind == CW__VARINT64 || kind == CW__ZIGZAG64 || kind == CW__FIXED64) {
        uint64_t v;
        memcpy(&v, (const char *)data + 8 * i, 8);
        return kind == CW__ZIGZAG64 ? cw__zigzag64((int64_t)v) : v;
    }
    uint32_t v;
    memcpy(&v, (const char *)data + 4 * i, 4);
    if (kind == CW__INT32) {
        return (uint64_t)(int64_t)(int32_t)v;
    }
    return kind == CW__ZIGZAG32 ? cw__zigzag32((int32_t)v) : v;
}

#endif
