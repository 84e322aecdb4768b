/* SPDX-License-Identifier: MIT */
/* extension_scan.h: what extension*.c share. Private to runtime/core. */
#ifndef CWIRE_CORE_EXTENSION_SCAN_H
#define CWIRE_CORE_EXTENSION_SCAN_H

#include "cwire/extension.h"

enum { CW__WIRE_VARINT, CW__WIRE_64, CW__WIRE_LEN, CW__WIRE_GROUP, CW__WIRE_END, CW__WIRE_32 };

/* How values of a kind are written; `element` and `size` only for what is packable. */
typedef struct cw__ext_kind {
    uint8_t wire_type;
    bool packable;
    cw__element element;
    size_t size; /* of the C type */
} cw__ext_kind;

/* By cw_kind. */
extern const cw__ext_kind cw__ext_kinds[];

/* The row of a kind; kind is one of cw_kind's. */
static inline const cw__ext_kind *cw__ext_kind_of(cw_kind kind)
{
    return &cw__ext_kinds[kind];
}

/* A decoder over the bytes of u (may be NULL), good for reading records. No error, no arena. */
cw__decoder cw__ext_reader(const cw_unknown *u);

/* The record at p < d->end; returns what follows it. NULL: malformed, d->status says how. */
const uint8_t *cw__ext_scan(cw__decoder *d, const uint8_t *p, bool in_message_set,
                            cw__ext_record *r);

/* Is it one of this extension's number? */
bool cw__ext_is_of(const cw__ext *x, const cw__ext_record *r);

/* ... and of a wire type that it may have? */
bool cw__ext_fits(const cw__ext *x, const cw__ext_record *r);

/* Is x a closed enum's, and v none of its numbers? */
bool cw__ext_is_stranger(const cw__ext *x, int32_t v);

#endif
