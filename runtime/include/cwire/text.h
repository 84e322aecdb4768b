/* SPDX-License-Identifier: MIT */
/*
 * text.h: the protobuf text format, printed and parsed through the tables of a type
 * (NAME.cw_type.c). The format: https://protobuf.dev/reference/protobuf/textformat-spec
 *
 * With the plugin's option text=on every message TYPE has TYPE_to_text and TYPE_from_text, which
 * call these two functions.
 */
#ifndef CWIRE_TEXT_H
#define CWIRE_TEXT_H

#include "cwire/type.h"

CW_BEGIN_DECLS

/* All zero is the default: a field a line, two blanks a level, known fields, Any expanded. */
typedef struct cw_text_print_options {
    bool single_line;    /* all on one line, blanks between fields */
    bool unknown_fields; /* also unknown fields, under their numbers; what is length-delimited is
                            shown as a message where it can be read as one, else as a string */
    bool raw_any;        /* type_url and value of an Any, even where its type is known */
    unsigned indent;     /* blanks a level; 0: 2; at most 16 */
    unsigned depth;      /* most open messages below the top; 0: CW_DEPTH_DEFAULT */
    const cw_registry *types; /* for Any and extensions that the type's own file and its imports do
                                 not have; may be NULL */
} cw_text_print_options;

/* All zero is the default: strict. */
typedef struct cw_text_parse_options {
    bool ignore_unknown; /* unknown fields and extensions, fields named by number, and unknown enum
                            values (in lists the element goes, in maps the entry) */
    bool allow_partial;  /* missing required fields are no error */
    bool overwrite;      /* a singular field may come again, and another member of its oneof: the
                            last one holds, messages are merged */
    unsigned depth;      /* most open messages below the top; 0: CW_DEPTH_DEFAULT */
    size_t max_memory; /* most bytes drawn from the arena; 0: 64 MiB + 64 x input length; SIZE_MAX:
                          any */
    const cw_registry *types; /* as for printing */
} cw_text_parse_options;

/*
 * Prints *m as text, *out: in the arena, NUL-terminated (not counted in len). Deterministic: fields
 * ascending by number with extensions among them, maps in the order of their keys, numbers in the
 * shortest form that reads back equal. An Any whose type is not known or whose value cannot be read
 * is printed as type_url and value. What Anys and extensions were decoded to
 * for that stays in the arena, too. o and e may be NULL. Errors: CW_ERR_UTF8 for a string that is
 * not UTF-8; CW_ERR_DEPTH; what decoding an extension's bytes answers; CW_ERR_MEMORY, CW_ERR_LIMIT.
 * The error has a path and no place; *out is then untouched.
 */
CW_API cw_status cw_text_print(const cw_type *type, const void *m, cw_arena *a,
                               const cw_text_print_options *o, cw_str *out, cw_error *e);

/*
 * Parses text to *m, which is initialised first; all of it is in the arena afterwards, nothing
 * points into the text. text may be NULL when len is 0 (an empty message); o and e may be NULL.
 * Known fields are taken strictly: a singular field once, one member of a oneof. Of repeated map
 * keys the last one holds. Names that the schema reserves are skipped with their value. On failure
 * *m is safe to discard, and the error has offset, line, column and path; a missing required field
 * has a path only. Errors: CW_ERR_SYNTAX, CW_ERR_TYPE (another kind of value than the field's),
 * CW_ERR_RANGE, CW_ERR_STRING (a bad escape, a line end in a string), CW_ERR_UTF8,
 * CW_ERR_DUPLICATE, CW_ERR_UNKNOWN_FIELD, CW_ERR_UNKNOWN_ENUM, CW_ERR_UNKNOWN_TYPE (of an Any),
 * CW_ERR_REQUIRED, CW_ERR_TRUNCATED (the text ends too early), CW_ERR_DEPTH, CW_ERR_MEMORY,
 * CW_ERR_LIMIT.
 */
CW_API cw_status cw_text_parse(const cw_type *type, void *m, const char *text, size_t len,
                               cw_arena *a, const cw_text_parse_options *o, cw_error *e);

CW_END_DECLS
#endif
