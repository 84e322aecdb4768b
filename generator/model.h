/* SPDX-License-Identifier: MIT */
/*
 * model.h: what the emitters read. Plain structs, every derived fact computed once, nothing to
 * free.
 *
 * Reading order of the generator:
 *   mem.h    the arena that owns the model, and the string table
 *   kinds.h     one row per scalar kind: C type, wire type, primitive names
 *   model.h     this file
 *   text.h      the emitter: templates that look like the C they make
 *   options.h   --cwire_opt
 *   feature_set.h  proto2 / proto3 / editions become per-field facts
 *   request.h   CodeGeneratorRequest -> model, with all checks (only request*.c see protobuf-c)
 *   names.h     every C identifier and file name, with the rules
 *   emit.h      the list of emitters; emit_*.c: one concern a file
 *   plugin.h    request bytes in, response bytes out; main.c: stdin and stdout around it
 *
 * How generated C is named from the model (T = message c_name, F = field c_name, O = oneof c_name,
 * E = enum c_name); names.c has claimed all of these, so a template may simply paste `$T$_set_$F$`:
 *   T  T_list  T_init T_clear T_size T_encode T_encode_arena T_decode T_merge_from T_to_json
 * T_from_json T_to_text T_from_text T_check T_copy T_equal T_type T_set_F T_clear_F T_mut_F T_add_F
 * T_F_entry T_F_entry_list T_F_get T_F_put T_F_sort (maps) T_O_case (typedef) T_O_F ... T_O_NOT_SET
 * (its constants); members O (union) and O_case E  E_name E_from_name E_values; extensions with
 * c_name X: X_has X_get X_set X_clear; T__verb, T__F_verb, E__verb, X__verb for internal names: any
 * lower-case verb that does not end in `_`. Locals and parameters of generated functions must be
 * among those listed in names_reserved.inc.
 */
#ifndef CWG_MODEL_H
#define CWG_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kinds.h"
#include "mem.h"

typedef struct cwg_file cwg_file;
typedef struct cwg_message cwg_message;
typedef struct cwg_field cwg_field;
typedef struct cwg_oneof cwg_oneof;
typedef struct cwg_map cwg_map;
typedef struct cwg_enum cwg_enum;
typedef struct cwg_enum_value cwg_enum_value;
typedef struct cwg_extension cwg_extension;

/* .proto comments as written there, without the comment signs; NULL: none. */
typedef struct cwg_comments {
    const char *leading;
    const char *trailing;
} cwg_comments;

/* A tag as number and as the bytes on the wire. */
typedef struct cwg_tag {
    uint32_t value; /* number << 3 | wire type */
    int len;        /* 1..5; 0: this tag does not exist */
    uint8_t bytes[5];
} cwg_tag;

/* How a field sits in the message. What remains in an emitter is a switch over this. */
typedef enum cwg_shape {
    CWG_IMPLICIT, /* singular, present when not zero; never a message */
    CWG_OPTIONAL, /* singular, explicit presence: has.F, or a pointer that is not NULL for messages
                   */
    CWG_REQUIRED, /* as CWG_OPTIONAL, and must be there */
    CWG_ONEOF,    /* member of a oneof: m->O.F, present when m->O_case == T_O_F */
    CWG_REPEATED, /* list: m->F.data[0..m->F.len); messages by value */
    CWG_MAP       /* list of entries, sorted by key; see cwg_field.map */
} cwg_shape;

struct cwg_field {
    const char *name;      /* "qty", as in the .proto */
    const char *c_name;    /* "qty"; the struct member and the F of function names */
    const char *json_name; /* "unitCents" */
    const char
        *json_key; /* json_name as a JSON string, quotes included, escaped: "\"unitCents\"" */
    const char *text_name; /* name in the text format: the type's name for groups, else `name` */
    const char *full_name; /* "shop.Item.qty" */
    const char *decl;      /* the .proto line: "repeated Item items = 7" */
    cwg_comments comments;
    bool deprecated;

    uint32_t number;
    int index; /* place in message.by_number: 0, 1, ...; an emitter's dense id of the field */
    cwg_shape shape;
    const cwg_kind
        *kind; /* type of the value (of one element when repeated); maps: CWG_KIND_MESSAGE */

    cwg_tag tag;        /* of one value: of one element when repeated, of one entry for maps */
    cwg_tag packed_tag; /* the same number with wire type 2, when repeated and kind->packable */
    cwg_tag end_tag;    /* of the group's end, when is_group */
    bool packed;        /* written packed (read both ways whenever kind->packable) */
    bool is_group;      /* wire form is start tag .. end tag (proto2 group, editions DELIMITED) */

    cwg_message *message; /* kind message; NULL otherwise and for maps */
    cwg_enum *enum_type;  /* kind enum */
    bool closed_enum;     /* unknown numbers go to `unknown` */
    bool validate_utf8;   /* kind string, and decode must check it */

    const char *c_type;      /* of one value: "uint32_t", "cw_str", "shop_Item", "shop_Status" */
    const char *c_list_type; /* repeated: "cw_u32_list", "shop_Item_list"; maps:
                                "shop_Order_tags_entry_list" */

    bool has_bit; /* m->has.F exists: OPTIONAL or REQUIRED and not a message */

    bool has_default; /* an explicit default in the .proto, or a closed enum whose first value is
                         not 0 */
    bool default_nonzero;      /* has_default, and its bits are not all zero: _init must set it */
    const char *default_c;     /* a C expression, usable in functions: "-5", "CW_STR(\"abc\")",
                                  "shop_STATUS_PAID";     never NULL for scalars ("0", "false",
                                  "CW_STR(\"\")" when there is no default) */
    const char *default_proto; /* as in the descriptor, NULL when not has_default */
    const cwg_enum_value *default_value; /* kind enum: the value that default_c names */
    const char *default_data;            /* kind string and bytes: the unescaped bytes */
    size_t default_len;

    cwg_oneof *oneof; /* shape CWG_ONEOF */
    int oneof_index;  /* place in oneof->fields */
    cwg_map *map;     /* shape CWG_MAP */

    cwg_message *parent; /* the message it is a member of; for extensions: the extendee */
};

/* A map's entry: a struct of its own, {K key; V value;}. Messages are held by value. Never in
 * `messages`. */
struct cwg_map {
    const char *c_name;      /* "shop_Order_tags_entry" */
    const char *c_list_name; /* "shop_Order_tags_entry_list" */
    const char *full_name;   /* "shop.Order.TagsEntry" */
    cwg_field *key;          /* number 1, c_name "key", shape CWG_IMPLICIT */
    cwg_field *value; /* number 2, c_name "value", shape CWG_IMPLICIT (also when it is a message) */
    cwg_field *field; /* the map field */
};

struct cwg_oneof {
    const char *name;        /* "method" */
    const char *c_name;      /* the union member */
    const char *c_case;      /* "method_case", the case member */
    const char *c_case_type; /* "shop_Pay_method_case", the typedef of the case enum */
    const char *c_not_set;   /* "shop_Pay_method_NOT_SET", 0 */
    cwg_field *
        *fields; /* file order; constant of member F: c_case_type's T_O_F, value = field number */
    int n_fields;
    cwg_message *parent;
    cwg_comments comments;
};

/* Numbers [start, end). */
typedef struct cwg_range {
    uint32_t start, end;
} cwg_range;

struct cwg_message {
    const char *name;      /* "Item" */
    const char *full_name; /* "shop.Order.Item", no leading dot */
    const char *c_name;    /* "shop_Order_Item" */
    cwg_comments comments;
    bool deprecated;

    cwg_file *file;
    cwg_message *parent; /* NULL: top level */
    int index;           /* place in file->messages */
    int serial;          /* place among all messages of the request */

    cwg_field **fields; /* file order */
    cwg_field **by_number;
    int n_fields;
    cwg_oneof **oneofs; /* real ones: the synthetic oneofs of proto3 `optional` are not here */
    int n_oneofs;
    cwg_map **maps; /* file order of their fields */
    int n_maps;

    cwg_range *extension_ranges;
    int n_extension_ranges;
    cwg_range *reserved_ranges;
    int n_reserved_ranges;
    const char **reserved_names;
    int n_reserved_names;

    bool is_message_set;
    bool own_json;          /* T__print and T__parse are hand-written, in the runtime */
    bool has_presence_bits; /* the struct has a member `has` */
    bool has_defaults;      /* _init sets more than zeros (singular fields outside oneofs only) */
    bool has_required;      /* has a required field itself */
    bool reaches_required;  /* ... or in some message reachable from it */
    bool reaches_strings;   /* a string field here or reachable: _check has UTF-8 to look at */
    bool reaches_closed_enum;
    bool reaches_maps;       /* a map field here or reachable */
    bool reaches_extensions; /* extension ranges here or reachable */
    bool reaches_any;        /* is google.protobuf.Any, or one is reachable */
    bool is_leaf;            /* no member holds a message: no message fields, no maps of messages */
    bool is_recursive;       /* can contain itself */
    int max_depth; /* most messages, groups and map entries that can be open below this one; 0: leaf
                      without maps; -1: no bound (reaches a recursive message) */
};

struct cwg_enum_value {
    const char *name;   /* "STATUS_PAID" */
    const char *c_name; /* "shop_STATUS_PAID" */
    int32_t number;
    bool is_alias; /* an earlier value has the same number: printing uses that one */
    bool deprecated;
    cwg_comments comments;
};

struct cwg_enum {
    const char *name;
    const char *full_name;
    const char *c_name;
    cwg_comments comments;
    bool deprecated;
    bool closed;
    bool allow_alias;
    cwg_file *file;
    cwg_message *parent;    /* NULL: top level */
    int index;              /* place in file->enums */
    cwg_enum_value *values; /* file order */
    int n_values;           /* at least 1 */
};

/* extend X { T name = n; }: functions are named after the extension (c_name), never after X. */
struct cwg_extension {
    const char *full_name; /* "shop.note" */
    const char *c_name;    /* "shop_note" */
    const char *json_name; /* "[shop.note]" */
    cwg_field *field;      /* shape OPTIONAL or REPEATED; parent is the extendee; index is in
                              file->extensions */
    cwg_message *extendee;
    cwg_message *scope; /* the message that it is declared in; NULL: top level */
    cwg_file *file;
};

/* One identifier that could not be kept. */
typedef struct cwg_changed_name {
    const char *proto;  /* "shop.Order.has" */
    const char *wanted; /* "has" */
    const char *got;    /* "has_" */
} cwg_changed_name;

/* A file whose header is included, because its types are used or it is a public import. */
typedef struct cwg_dep {
    cwg_file *file;
    const char *include; /* "shop/base.cw.h", "cwire/wkt.h" */
} cwg_dep;

struct cwg_file {
    const char *name;    /* "shop/order.proto" */
    const char *package; /* "shop"; "" when there is none */
    const char
        *base; /* "shop/order": outputs are base.cw.h base.cw.c base.cw_json.c base.cw_type.c */
    const char *include; /* "shop/order.cw.h": how others include it */
    const char
        *ident; /* "shop_order": C identifier made from `base`; the cw_file table is IDENT_file */
    const char *guard;   /* "SHOP_ORDER_CW_H" */
    const char *edition; /* "proto2", "proto3", "edition 2023": for the header's comment only */
    cwg_comments comments;

    cwg_message *
        *messages; /* all, nested ones behind their parents, in declaration order; no map entries */
    int n_messages;
    cwg_enum **enums; /* all, also nested ones, in declaration order */
    int n_enums;
    cwg_extension *
        *extensions; /* all, also nested ones; without those of descriptor.proto's options */
    int n_extensions;

    cwg_dep *deps; /* to include; each header once, in import order */
    int n_deps;
    cwg_file **imports; /* every import that is in `deps` or whose types are reachable: for the
                           cw_file table */
    int n_imports;

    cwg_changed_name *changed;
    int n_changed;

    bool generate;  /* in file_to_generate */
    bool is_wkt;    /* one of the google/protobuf/ files that ship with the runtime */
    bool with_json; /* base.cw_json.c is made (and T_to_json declared) */
    bool with_text; /* base.cw_text.c is made (and T_to_text declared) */
    bool for_size;  /* optimize=size: the functions go by the tables */
};

/* The whole request. */
typedef struct cwg_model {
    cwg_file **files; /* dependencies before those that import them */
    int n_files;
} cwg_model;

/*
 * Fills what follows from the whole request: by_number and index, the flags of messages, recursion
 * and depth (model.c). Called once, after request.h has read everything.
 */
void cwg_model_finish(cwg_model *model, cwg_arena *a);

#endif
