/* SPDX-License-Identifier: MIT */
/*
 * text_writer.h: what the files of the text printer share. Private to runtime/core.
 *   text_writer.c        the text, its lines and indentation, failures
 *   text_print_value.c   scalars of every kind
 *   text_print_any.c     values of Any, extensions
 *   text_print_unknown.c unknown fields by number
 *   text_print.c         messages and their fields, begin and end
 */
#ifndef CWIRE_CORE_TEXT_WRITER_H
#define CWIRE_CORE_TEXT_WRITER_H

#include "cwire/text.h"

/* An extension that messages of a type may have. */
typedef struct cw__text_extension_row {
    uint32_t number; /* first: rows are sorted by it */
    const cw_extension *extension;
} cw__text_extension_row;

/*
 * State of one print. The text is a list of bytes in the arena, which grows as lists do: other
 * things can be allocated in between. Functions that print return false when they failed.
 */
typedef struct cw__text_writer {
    char *data;
    size_t len;
    size_t cap;
    cw_arena *arena;
    cw_error *error;
    cw_status status;
    const cw_type *root;
    const cw_registry *types;
    const cw_type *extendee; /* the type whose extensions were listed last, in rows */
    const cw__text_extension_row *rows;
    size_t n_rows;
    size_t level; /* of indentation */
    size_t indent;
    bool single_line;
    bool unknown_fields;
    bool raw_any;
} cw__text_writer;

/* ---- text_writer.c ----------------------------------------------------------------------------
 */

bool cw__text_put(cw__text_writer *w, const char *s, size_t n);
bool cw__text_put_literal(cw__text_writer *w, const char *s);

/* What is before a field's name, and behind its value. */
bool cw__text_begin_field(cw__text_writer *w);
bool cw__text_end_field(cw__text_writer *w);
/* The braces around a message that is a field's value. */
bool cw__text_open(cw__text_writer *w);
bool cw__text_close(cw__text_writer *w);

/* Sets the first failure; false. */
CW_COLD bool cw__text_put_fail(cw__text_writer *w, cw_status st);
/* A member failed: `.name[index]` goes in front of the path (index SIZE_MAX: none); false. */
CW_COLD bool cw__text_put_fail_at(cw__text_writer *w, const char *name, size_t index);

/* ---- text_print_value.c -----------------------------------------------------------------------
 */

/* The value of the field's kind, which is no message's, at p. */
bool cw__text_put_value(cw__text_writer *w, const cw_field *f, const void *p);

bool cw__text_put_uint(cw__text_writer *w, uint64_t v);
/* 0x and so many digits. */
bool cw__text_put_hex(cw__text_writer *w, uint64_t v, unsigned digits);
/* In quotes, all that is not visible ASCII as escapes. */
bool cw__text_put_bytes(cw__text_writer *w, cw_bytes s);

/* ---- text_print_any.c -------------------------------------------------------------------------
 */

/* The Any *m as `[example.com/pkg.Type] { ... }`. *done: false when it must be printed as it is. */
bool cw__text_put_any(cw__text_writer *w, const cw_type *any, const void *m, int depth, bool *done);

/* The extensions that a message has among its unknown fields. */
typedef struct cw__text_extensions {
    const cw__text_extension_row *rows; /* what its type may have, ascending */
    size_t len;
    size_t next; /* the first one that is not printed yet */
    const cw_unknown *unknown;
    uint64_t *present; /* a bit a row: the message has a record of this number */
    uint64_t few;      /* what `present` points to while it suffices */
} cw__text_extensions;

/* Finds those of *m, which is of type t. *x must stay where it is. */
bool cw__text_find_extensions(cw__text_writer *w, const cw_type *t, const void *m,
                              cw__text_extensions *x);
/* The extension of this number; NULL: none. */
const cw_extension *cw__text_extension_of(const cw__text_extensions *x, uint32_t number);
/* Prints those that are left whose numbers are below `number`. */
bool cw__text_put_extensions(cw__text_writer *w, cw__text_extensions *x, uint32_t number,
                             int depth);

/* ---- text_print_unknown.c ---------------------------------------------------------------------
 */

/* The unknown fields of a message that are none of its extensions. */
bool cw__text_put_unknown(cw__text_writer *w, const cw_type *t, const cw__text_extensions *x,
                          int depth);

/* ---- text_print.c -----------------------------------------------------------------------------
 */

/* A field with the value at p: a line, or for a message some. `name` is what stands in the text. */
bool cw__text_put_field(cw__text_writer *w, const cw_field *f, cw_str name, const void *p,
                        int depth);

/* The fields of *m. */
bool cw__text_put_fields(cw__text_writer *w, const cw_type *t, const void *m, int depth);

#endif
