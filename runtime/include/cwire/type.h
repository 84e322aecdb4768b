/* SPDX-License-Identifier: MIT */
/*
 * type.h: a message described as data, for generic code (a dump, a bench, JSON of Any and
 * extensions). The tables are in NAME.cw_type.c; who does not use them does not link them.
 */
#ifndef CWIRE_TYPE_H
#define CWIRE_TYPE_H

#include "cwire/json.h"
#include "cwire/wire.h"

CW_BEGIN_DECLS

typedef enum cw_kind {
    CW_KIND_DOUBLE = 1, /* numbered as FieldDescriptorProto.Type */
    CW_KIND_FLOAT = 2,
    CW_KIND_INT64 = 3,
    CW_KIND_UINT64 = 4,
    CW_KIND_INT32 = 5,
    CW_KIND_FIXED64 = 6,
    CW_KIND_FIXED32 = 7,
    CW_KIND_BOOL = 8,
    CW_KIND_STRING = 9,
    CW_KIND_GROUP = 10, /* a message in group (delimited) encoding */
    CW_KIND_MESSAGE = 11,
    CW_KIND_BYTES = 12,
    CW_KIND_UINT32 = 13,
    CW_KIND_ENUM = 14,
    CW_KIND_SFIXED32 = 15,
    CW_KIND_SFIXED64 = 16,
    CW_KIND_SINT32 = 17,
    CW_KIND_SINT64 = 18
} cw_kind;

/* How a field sits in its struct. */
typedef enum cw_shape {
    CW_SHAPE_IMPLICIT, /* the value; present when not zero */
    CW_SHAPE_OPTIONAL, /* the value and a `has` bit, or for messages a pointer: NULL is absent */
    CW_SHAPE_REQUIRED, /* the same */
    CW_SHAPE_ONEOF,    /* the value in the union; present when the case member is its number */
    CW_SHAPE_REPEATED, /* a list {data, len, cap}; messages by value */
    CW_SHAPE_MAP       /* a list of entries sorted by key; `message` is the entry's type */
} cw_shape;

typedef struct cw_type cw_type;
typedef struct cw_field cw_field;
typedef struct cw_enum cw_enum;
typedef struct cw_enum_value cw_enum_value;
typedef struct cw_extension cw_extension;
typedef struct cw_file cw_file;
typedef struct cw_registry cw_registry;

struct cw_enum_value {
    const char *name;
    int32_t number;
};

struct cw_enum {
    const char *full_name; /* "shop.Status" */
    const cw_enum_value
        *values; /* in .proto order: the first of equal numbers is the one printed */
    uint32_t n_values;
    bool closed;
    cw__enum_known *known; /* closed: is it one of the numbers?; else NULL */
};

struct cw_field {
    const char *name;      /* "unit_cents" */
    const char *json_name; /* "unitCents"; of an extension "[shop.note]" */
    const char *text_name; /* name in the text format where it is not `name` (group-like fields:
                              their type's name); else NULL */
    uint32_t number;
    cw_kind kind; /* of one element; map: CW_KIND_MESSAGE */
    cw_shape shape;
    bool packed;      /* repeated: written packed */
    bool closed_enum; /* unknown numbers go to `unknown` */
    bool check_utf8;
    size_t offset;       /* of the member: value, pointer, list; oneof: of the value in the union */
    size_t case_offset;  /* oneof: of the case member, a C enum (sizeof(int)) holding the field
                            number */
    size_t element_size; /* repeated and map: sizeof one element; singular message: sizeof the
                            message */
    const cw_type *message; /* kind message or group: its type; map: the entry's type; else NULL */
    const cw_enum *enum_type; /* kind enum */
};

/*
 * A message type. Function members are NULL for a concern that was not generated (json=off), and
 * for map entries all but `size` of struct, names and fields are NULL.
 */
struct cw_type {
    const char *full_name; /* "shop.Order" */
    size_t struct_size;
    const cw_field
        *fields; /* ascending by number; a map entry has key (1) and value (2), both IMPLICIT */
    uint32_t n_fields;
    const cw_file *file;
    size_t unknown_offset;             /* of the member `unknown`; SIZE_MAX for map entries */
    const char *const *reserved_names; /* of fields that there were: text skips them */
    uint32_t n_reserved_names;
    bool has_extensions; /* there are extension ranges: `unknown` may hold extensions */
    bool is_message_set; /* its extensions are written in message set format */
    bool own_json;       /* its JSON is not an object of its fields (some well-known types) */

    /* The presence bit of fields[index]; only for OPTIONAL and REQUIRED fields that are no
     * messages. */
    bool (*has)(const void *m, uint32_t index);
    void (*set_has)(void *m, uint32_t index, bool value);

    void (*init)(void *m);
    size_t (*encoded_size)(const void *m);
    cw_status (*encode)(const void *m, void *buf, size_t cap, size_t *len, cw_error *e);
    cw_status (*encode_arena)(const void *m, cw_arena *a, cw_bytes *out, cw_error *e);
    cw_status (*decode)(void *m, const void *data, size_t len, cw_arena *a,
                        const cw_decode_options *o, cw_error *e);
    cw_status (*merge_from)(void *m, const void *data, size_t len, cw_arena *a,
                            const cw_decode_options *o, cw_error *e);
    cw_status (*check)(const void *m, cw_error *e);
    cw_status (*copy)(void *to, const void *from, cw_arena *a);
    bool (*equal)(const void *a, const void *b);
    cw_status (*to_json)(const void *m, cw_arena *a, const cw_json_print_options *o, cw_str *out,
                         cw_error *e);
    cw_status (*from_json)(void *m, const char *json, size_t len, cw_arena *a,
                           const cw_json_parse_options *o, cw_error *e);
    /* Internal: a message inside a running encode, decode, print or parse, as the generated ones
     * call each other. After a decode: are all required fields there, and sort maps that wait for
     * it; NULL where no message below has such fields. */
    uint8_t *(*wire_put)(const void *m, cw__encoder *w, uint8_t *p, int depth);
    const uint8_t *(*wire_get)(void *m, const uint8_t *p, const uint8_t *end, cw__decoder *d,
                               int depth);
    bool (*required)(const void *m, cw_error *e, int depth);
    bool (*sort_maps)(void *m, cw_arena *a);
    char *(*json_put)(const void *m, cw__json_writer *w, char *p, int depth);
    const char *(*json_get)(void *m, cw__json_reader *r, const char *p, int depth);
};

/* An extension: kept in the extendee's `unknown` as bytes. */
struct cw_extension {
    const char *full_name; /* "shop.note" */
    const cw_type *extendee;
    const cw_field *field; /* offset is meaningless */
};

/* One .proto file: what it declares and what it imports. */
struct cw_file {
    const char *name; /* "shop/order.proto" */
    const cw_type *const
        *types; /* all messages, nested ones behind their parents; no map entries */
    uint32_t n_types;
    const cw_enum *const *enums;
    uint32_t n_enums;
    const cw_extension *const *extensions;
    uint32_t n_extensions;
    const cw_file *const *imports;
    uint32_t n_imports;
};

/* A caller's list of files: what JSON and text may meet in Any and in extensions. */
struct cw_registry {
    const cw_file *const *files;
    size_t n_files;
};

/* The type "shop.Order" in a file or the files it imports (any depth); NULL: none. */
CW_API const cw_type *cw_file_find_type(const cw_file *f, cw_str full_name);
/* The same over a registry; r may be NULL. */
CW_API const cw_type *cw_registry_find_type(const cw_registry *r, cw_str full_name);
/* The extension "shop.note" (full name), NULL: none. */
CW_API const cw_extension *cw_file_find_extension(const cw_file *f, cw_str full_name);
CW_API const cw_extension *cw_registry_find_extension(const cw_registry *r, cw_str full_name);

/*
 * Internal, for printers: every extension of a message that a file (NULL: none), what it imports,
 * and a registry (NULL: none) know, in this order; the first `cap` go to `to`. Returns how many
 * there are.
 */
CW_API size_t cw__extensions_of(const cw_type *extendee, const cw_file *f, const cw_registry *r,
                                const cw_extension **to, size_t cap);

/* The field with this number or (proto or JSON) name; NULL: none. */
CW_API const cw_field *cw_type_field(const cw_type *t, uint32_t number);
CW_API const cw_field *cw_type_field_named(const cw_type *t, cw_str name);

/* A view of any list member: read with cw_list_load, written back with cw_list_store (both memcpy).
 */
typedef struct cw_list_view {
    void *data;
    size_t len, cap;
} cw_list_view;

static inline cw_list_view cw_list_load(const void *list)
{
    cw_list_view v;
    memcpy(&v, list, sizeof v);
    return v;
}

static inline void cw_list_store(void *list, cw_list_view v)
{
    memcpy(list, &v, sizeof v);
}

CW_END_DECLS
#endif
