/* SPDX-License-Identifier: MIT */
/* text_shared.h: what printer and parser of the text format must agree on. Private to runtime/core.
 */
#ifndef CWIRE_CORE_TEXT_SHARED_H
#define CWIRE_CORE_TEXT_SHARED_H

#include "cwire/text.h"

/* Is it google.protobuf.Any: type_url and value? */
static inline bool cw__text_is_any(const cw_type *t)
{
    return t->n_fields == 2 && strcmp(t->full_name, "google.protobuf.Any") == 0 &&
           t->fields[0].kind == CW_KIND_STRING && t->fields[0].shape == CW_SHAPE_IMPLICIT &&
           t->fields[1].kind == CW_KIND_BYTES && t->fields[1].shape == CW_SHAPE_IMPLICIT;
}

/*
 * A message set's extension that is declared inside of its own message goes by that message's name
 * instead of its own: [pkg.Type] for pkg.Type.ext.
 */
static inline bool cw__text_named_by_type(const cw_extension *x)
{
    const cw_type *t = x->field->message;
    if (!x->extendee->is_message_set || x->field->shape == CW_SHAPE_REPEATED || !t) {
        return false;
    }
    size_t n = strlen(t->full_name);
    return strncmp(x->full_name, t->full_name, n) == 0 && x->full_name[n] == '.' &&
           strchr(x->full_name + n + 1, '.') == NULL;
}

/* A message that is only a map's entry has no unknown fields, no functions, and two fields. */
static inline bool cw__text_is_entry(const cw_type *t)
{
    return t->unknown_offset == SIZE_MAX;
}

/* The unknown fields of *m, which is no map's entry. */
static inline cw_unknown **cw__text_unknown_of(const cw_type *t, void *m)
{
    return (cw_unknown **)(void *)((char *)m + t->unknown_offset);
}

/*
 * May the name stand in brackets? One "pkg.name", or "example.com/pkg.name" whose prefix up to the
 * last '/' is *prefix bytes long (0: none).
 */
bool cw__text_check_name(cw_str name, size_t *prefix);

#endif
