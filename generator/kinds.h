/* SPDX-License-Identifier: MIT */
/*
 * kinds.h: one row per field type of the language. Emitters take what differs between scalar kinds
 * from here, so that they switch over shapes only.
 */
#ifndef CWG_KINDS_H
#define CWG_KINDS_H

#include <stdbool.h>

/* Numbered as FieldDescriptorProto.Type. A group is CWG_KIND_MESSAGE with field->is_group. */
typedef enum cwg_kind_id {
    CWG_KIND_DOUBLE = 1,
    CWG_KIND_FLOAT = 2,
    CWG_KIND_INT64 = 3,
    CWG_KIND_UINT64 = 4,
    CWG_KIND_INT32 = 5,
    CWG_KIND_FIXED64 = 6,
    CWG_KIND_FIXED32 = 7,
    CWG_KIND_BOOL = 8,
    CWG_KIND_STRING = 9,
    CWG_KIND_MESSAGE = 11,
    CWG_KIND_BYTES = 12,
    CWG_KIND_UINT32 = 13,
    CWG_KIND_ENUM = 14,
    CWG_KIND_SFIXED32 = 15,
    CWG_KIND_SFIXED64 = 16,
    CWG_KIND_SINT32 = 17,
    CWG_KIND_SINT64 = 18
} cwg_kind_id;

typedef enum cwg_wire {
    CWG_WIRE_VARINT = 0,
    CWG_WIRE_I64 = 1,
    CWG_WIRE_LEN = 2,
    CWG_WIRE_GROUP = 3, /* only as a field's wire type, never in a kind's row */
    CWG_WIRE_END = 4,
    CWG_WIRE_I32 = 5
} cwg_wire;

typedef struct cwg_kind {
    cwg_kind_id id;
    const char *name;    /* in the .proto, and the stem of runtime primitives: "sint32", "bytes" */
    const char *c_type;  /* "int32_t", "cw_str"; enum: "int32_t" (field->c_type has the typedef);
                            message: NULL */
    const char *c_list;  /* "cw_i32_list"; message: NULL */
    const char *lst;     /* stem of the list: "i32" "f64" "str" ...; message: NULL */
    const char *rt_kind; /* constant of cwire/type.h: "CW_KIND_SINT32" */
    const char *nonzero; /* condition with $v$ for the value: "$v$ != 0", "$v$.len != 0" */
    const char *zero;    /* "0", "false", "CW_STR(\"\")"; message: NULL */
    cwg_wire wire;       /* of one value */
    int max_size;   /* most bytes of one value without tag; strings, bytes, messages: of the length
                       alone (5) */
    int fixed_size; /* 4 or 8 for fixed-width kinds, 1 for bool, else 0 */
    bool packable;  /* numbers, bools and enums */
    bool is_64;     /* 64-bit integer: JSON prints it as a string */
    bool is_signed; /* int32 sint32 sfixed32 int64 sint64 sfixed64 enum */
    bool is_float;  /* float, double */
} cwg_kind;

/* The row of a kind, or NULL when there is none. 10 (group) gives the message row. */
const cwg_kind *cwg_kind_find(int type);

#endif
