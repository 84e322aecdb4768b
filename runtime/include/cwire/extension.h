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

/* The type of an extension's messages: what is needed of cw_type's members of these names, so that
 * who uses EXT_* functions need not link the tables. */
typedef struct cw__ext_message {
    size_t struct_size;
    void (*init)(void *m);
    uint8_t *(*wire_put)(const void *m, cw__encoder *w, uint8_t *p, int depth);
    const uint8_t *(*wire_get)(void *m, const uint8_t *p, const uint8_t *end, cw__decoder *d,
                               int depth);
    bool (*required)(const void *m, cw_error *e, int depth); /* NULL: no required fields */
    bool (*sort_maps)(void *m, cw_arena *a);                 /* NULL: no maps */
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

/* Here and below `u` may be NULL. Bytes that no decoder would take (only a caller's own code can
 * put them there) end the fields: what follows them is not looked at. */

/* Is there a value: a record of this number whose wire type fits, and which is not only unknown
 * numbers of a closed enum or an empty packed list? Values are not decoded. */
CW_API bool cw__ext_has(const cw_unknown *u, const cw__ext *x);

/*
 * Decodes it into *value as the extendee's decoder would if it were a field: the last record wins,
 * messages are merged (*value is overwritten, not merged into), lists collected, packed and not;
 * unknown numbers of a closed enum are no values. Without a value *value is untouched and *found
 * (may be NULL) false. Strings and bytes point into the unknown bytes (o->alias) or are copied to
 * the arena. Checks what decode checks; the extension's message is one level below the extendee,
 * for which o->depth is. Opens the arena's budget: not for use inside of another parse. On failure
 * *value is safe to discard, e->offset counts from the first unknown byte, the path begins with the
 * extension's name.
 */
CW_API cw_status cw__ext_get(const cw_unknown *u, const cw__ext *x, cw_arena *a,
                             const cw_decode_options *o, void *value, bool *found, cw_error *e);

/*
 * Replaces it (an empty list: as clear); the new record goes to the end. *u (a message's member;
 * NULL: none yet) and its bytes are in the arena afterwards. Fails and changes nothing when decode
 * would not take the value: required fields, depth, UTF-8 and closed enums (of the extension
 * itself, not of fields of its message), or when *u holds malformed bytes.
 */
CW_API cw_status cw__ext_set(cw_unknown **u, const cw__ext *x, cw_arena *a, const void *value,
                             cw_error *e);

/*
 * The same without removing or looking at what there is: for a repeated extension one more piece of
 * the list, and for any where the caller knows that there is none yet (a parser of a new message
 * that refuses duplicates: set looks through all of *u each time).
 */
CW_API cw_status cw__ext_add(cw_unknown **u, const cw__ext *x, cw_arena *a, const void *value,
                             cw_error *e);

/* Removes every record of this number. In place: moves the bytes behind them. */
CW_API void cw__ext_clear(cw_unknown *u, const cw__ext *x);

/*
 * The records of `u` one by one, for printers: *pos goes from 0; false: no more (*pos < u->len then
 * says that malformed bytes follow). A group is one record. In a message set a group 1 with a type
 * id and a message (any order, the first of each counts) is one item: its number is the type id,
 * its wire type 2. Without both it is a group 1 like any.
 */
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
