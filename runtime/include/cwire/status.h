/* SPDX-License-Identifier: MIT */
/* status.h: what a call can answer, and where in the input it went wrong. */
#ifndef CWIRE_STATUS_H
#define CWIRE_STATUS_H

#include "cwire/port.h"

CW_BEGIN_DECLS

/* NAME, text. CW_OK is 0; new codes are added at the end (the numbers are part of the ABI). */
#define CW_STATUS_LIST(X)                                                                          \
    X(OK, "ok")                                                                                    \
    X(ERR_MEMORY, "out of memory")                                                                 \
    X(ERR_LIMIT, "memory limit reached")                                                           \
    X(ERR_DEPTH, "nested too deeply")                                                              \
    X(ERR_SPACE, "buffer too small")                                                               \
    X(ERR_TOO_LARGE, "message larger than 2 GiB")                                                  \
    X(ERR_TRUNCATED, "input ends inside a field")                                                  \
    X(ERR_VARINT, "varint longer than 10 bytes")                                                   \
    X(ERR_TAG, "invalid field number or wire type")                                                \
    X(ERR_LENGTH, "length runs past the enclosing message")                                        \
    X(ERR_GROUP, "group end does not match its start")                                             \
    X(ERR_UTF8, "invalid UTF-8")                                                                   \
    X(ERR_REQUIRED, "required field is missing")                                                   \
    X(ERR_ENUM, "unknown value of a closed enum")                                                  \
    X(ERR_SYNTAX, "syntax error")                                                                  \
    X(ERR_TYPE, "value of another type expected")                                                  \
    X(ERR_RANGE, "number out of range")                                                            \
    X(ERR_STRING, "invalid string")                                                                \
    X(ERR_BASE64, "invalid base64")                                                                \
    X(ERR_DUPLICATE, "field given twice")                                                          \
    X(ERR_UNKNOWN_FIELD, "unknown field")                                                          \
    X(ERR_UNKNOWN_ENUM, "unknown enum value")                                                      \
    X(ERR_UNKNOWN_TYPE, "unknown type")                                                            \
    X(ERR_TRAILING, "text after the end of the value")                                             \
    X(ERR_IO, "read or write failed")                                                              \
    X(ERR_UNSUPPORTED, "not supported")

typedef enum cw_status {
#define CW__STATUS_ENUM(name, text) CW_##name,
    CW_STATUS_LIST(CW__STATUS_ENUM)
#undef CW__STATUS_ENUM
        CW_STATUS_COUNT
} cw_status;

#define CW_ERROR_PATH_MAX 240

/*
 * Where and what, filled by the first failure of a call (untouched when the call succeeds).
 * offset: byte offset in the input of a parse; SIZE_MAX when no input place belongs to the error.
 * line, column: both from 1, in bytes, for JSON and text; 0 for binary.
 * path: "shop.Order.items[3].qty", NUL-terminated; its front is replaced by "..." when it would not
 * fit. detail: a constant string that says more than the status, or NULL. Never freed.
 */
typedef struct cw_error {
    cw_status status;
    size_t offset;
    size_t line;
    size_t column;
    const char *detail;
    char path[CW_ERROR_PATH_MAX];
} cw_error;

/* The text of a status, a constant string; "unknown status" for a number that is none. */
CW_API const char *cw_status_text(cw_status st);

/* The name of a status as in the source, "CW_ERR_UTF8"; a constant string. */
CW_API const char *cw_status_name(cw_status st);

/*
 * Writes "shop.Order.items[3].qty: expected an integer at 12:7" (JSON) or "... at byte 17" (binary)
 * to `buf`, always NUL-terminated when cap > 0. Returns the length the whole text has, as snprintf
 * does.
 */
CW_API size_t cw_error_print(const cw_error *e, char *buf, size_t cap);

/*
 * Internal, for generated code and the runtime: the first failure of a call is set here. All take
 * e == NULL. cw__error_set does nothing when e->status is already an error.
 */
CW_API CW_COLD void cw__error_clear(cw_error *e);
CW_API CW_COLD void cw__error_set(cw_error *e, cw_status st, size_t offset, const char *detail);
/* Put a path segment in front of the path: ".name" or ".name[index]" (index SIZE_MAX: none); name
 * NULL: "[index]". */
CW_API CW_COLD void cw__error_prefix(cw_error *e, const char *name, size_t index);
/* Put `.name["key"]`-like segment for a map entry in front; key is already printable text. */
CW_API CW_COLD void cw__error_prefix_key(cw_error *e, const char *name, const char *key,
                                         size_t key_len);
/* Put the root's full name in front ("shop.Order"): the last step. */
CW_API CW_COLD void cw__error_root(cw_error *e, const char *full_name);
/* Line and column of e->offset in text, both from 1. */
CW_API CW_COLD void cw__error_locate(cw_error *e, const char *text, size_t len);

CW_END_DECLS
#endif
