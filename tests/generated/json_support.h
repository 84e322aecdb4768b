/* SPDX-License-Identifier: MIT */
/* json_support.h: what the JSON tests of generated code share. */
#ifndef CWIRE_TESTS_JSON_SUPPORT_H
#define CWIRE_TESTS_JSON_SUPPORT_H

#include "cwire/cwire.h"

/* The printer of a type, with the signature of T__print apart from the message's type. */
typedef char *json_printer(const void *m, cw__json_writer *w, char *p, int depth);

typedef struct json_type {
    const cw_type *type;
    json_printer *print;
} json_type;

/* The message types that random tests go through. */
extern const json_type json_types[];
extern const size_t json_type_count;

/* A new message of the type in the arena, initialised. Fails the test when there is no memory. */
void *json_new(const cw_type *t, cw_arena *a);

/* m as canonical JSON in the arena. */
cw_str json_text(const cw_type *t, const void *m, cw_arena *a);

/* Parses text that is given in a heap block of exactly its size (so no `alias`). */
cw_status json_parse(const cw_type *t, void *m, const char *text, size_t len, cw_arena *a,
                     const cw_json_parse_options *o, cw_error *e);

/*
 * One input. When `status` is CW_OK, `then` is how the message prints. Otherwise `then` is the
 * error's path, and the place of the error is where a '^' stands in the text (which is taken out
 * before it is parsed; no '^': the error has no place).
 */
typedef struct json_row {
    int line;
    const char *text;
    cw_status status;
    const char *then;
} json_row;

/* Parses each of the n rows as a message of the type and fails the test at the first surprise. What
 * is printed again is printed with o's `types`. */
void json_check_rows(const cw_type *t, const json_row *rows, size_t n,
                     const cw_json_parse_options *o);

#endif
