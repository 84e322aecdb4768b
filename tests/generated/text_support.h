/* SPDX-License-Identifier: MIT */
/* text_support.h: what the tests of the text format share. */
#ifndef CWIRE_TESTS_TEXT_SUPPORT_H
#define CWIRE_TESTS_TEXT_SUPPORT_H

#include "cwire/cwire.h"

/* A new message of the type in the arena, initialised. Fails the test when there is no memory. */
void *text_new(const cw_type *t, cw_arena *a);

/* m as text in the arena; o may be NULL. Fails the test when it does not print. */
cw_str text_of(const cw_type *t, const void *m, const cw_text_print_options *o, cw_arena *a);

/* Parses text that is given in a heap block of exactly its size. */
cw_status text_parse(const cw_type *t, void *m, const char *text, size_t len, cw_arena *a,
                     const cw_text_parse_options *o, cw_error *e);

/* The same for text that must parse; a new message. */
void *text_get(const cw_type *t, const char *text, const cw_text_parse_options *o, cw_arena *a);

/*
 * One input. When `status` is CW_OK, `then` is how the message prints on one line, which must parse
 * to what prints so again. Otherwise `then` is the error's path, and the place of the error is
 * where a '^' stands in the text (which is taken out before it is parsed; no '^': the error has no
 * place).
 */
typedef struct text_row {
    int line;
    const char *text;
    cw_status status;
    const char *then;
} text_row;

/* Parses each of the n rows as a message of the type and fails the test at the first surprise. */
void text_check_rows(const cw_type *t, const text_row *rows, size_t n,
                     const cw_text_parse_options *o);

#endif
