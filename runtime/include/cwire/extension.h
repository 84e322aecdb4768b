/* SPDX-License-Identifier: MIT */
/*
 * extension.h (internal, for generated EXT_* functions, JSON and text): extensions in a message's
 * unknown bytes. They are kept there as they came; a value is decoded when it is asked for, and
 * encoded when it is set.
 */
#ifndef CWIRE_EXTENSION_H
#define CWIRE_EXTENSION_H

#include "cwire/type.h"

CW_BEGIN_DECLS

/* The type of an extension's messages: the functions of cw_type that are needed, so that who uses
 * EXT_* functions need not link the tables. */
typedef struct cw__ext_message {
    size_t struct_size;
    void (*init)(void *m);
    cw_status (*merge_from)(void *m, const void *data, size_t len, cw_arena *a,
                            const cw_decode_options *o, cw_error *e);
    cw_status (*encode_arena)(const void *m, cw_arena *a, cw_bytes *out, cw_error *e);
} cw__ext_message;

/*
 * One extension. A value is, by kind: bool, int32_t (enums too), uint32_t, int64_t, uint64_t,
 * float, double, cw_str, cw_bytes, or for messages the struct itself; of a repeated one the list
 * {data, len, cap} of such.
 */
typedef struct cw__ext {
    const char *full_name; /* for errors' paths */
    uint32_t number;
    cw_kind kind;
    bool repeated;
    bool packed;         /* written packed; read both ways */
    bool check_utf8;     /* kind string */
    bool in_message_set; /* the extendee is a message set */
    size_t element_size;
    cw__enum_known *known;          /* closed enum: which numbers it has; NULL: all */
    const cw_enum *closed;          /* the same for tables: a closed enum, or NULL */
    const cw__ext_message *message; /* kind message or group */
} cw__ext;

/* Fills *x (and *m, for messages, which x then points to) from a table's row. */
CW_API void cw__ext_of(const cw_extension *from, cw__ext *x, cw__ext_message *m);

/* Is there a value: a record of this number whose wire type fits? Here and below `u` may be NULL.
 */
CW_API bool cw__ext_has(const cw_unknown *u, const cw__ext *x);

/*
 * Decodes it into *value: the last record wins, messages are merged, lists collected (packed and
 * not). Without a record *value is untouched and *found (may be NULL) false. Strings and bytes
 * point into the unknown bytes (o->alias) or are copied to the arena. Checks what decode checks.
 */
CW_API cw_status cw__ext_get(const cw_unknown *u, const cw__ext *x, cw_arena *a,
                             const cw_decode_options *o, void *value, bool *found, cw_error *e);

/* Replaces it; the new record goes to the end. *u (a message's member; NULL: none yet) and its
 * bytes are in the arena afterwards. */
CW_API cw_status cw__ext_set(cw_unknown **u, const cw__ext *x, cw_arena *a, const void *value,
                             cw_error *e);

/* Removes every record of this number. In place: moves the bytes behind them. */
CW_API void cw__ext_clear(cw_unknown *u, const cw__ext *x);

/* The records of `u` one by one, for printers: *pos goes from 0; false: no more. Group and message
 * set records are one each; `number` of a message set's item is its type id. */
typedef struct cw__ext_record {
    uint32_t number;
    unsigned wire_type;
    cw_bytes whole;   /* with its tag(s) */
    cw_bytes payload; /* length-delimited, group or message set item: what is inside; else the
                         value's bytes */
    bool is_item;     /* of a message set */
} cw__ext_record;
CW_API bool cw__ext_next(const cw_unknown *u, bool in_message_set, size_t *pos,
                         cw__ext_record *record);

CW_END_DECLS
#endif
