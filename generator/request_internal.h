/* SPDX-License-Identifier: MIT */
/* request_internal.h: what request.c and request_field.c share. */
#ifndef CWG_REQUEST_INTERNAL_H
#define CWG_REQUEST_INTERNAL_H

#include "feature_set.h"
#include "plugin.pb-c.h"
#include "request.h"

#define DESCRIPTOR_PROTO "google/protobuf/descriptor.proto"

typedef Cwire__Plugin__FileDescriptorProto pb_file;
typedef Cwire__Plugin__DescriptorProto pb_message;
typedef Cwire__Plugin__FieldDescriptorProto pb_field;
typedef Cwire__Plugin__EnumDescriptorProto pb_enum;
typedef Cwire__Plugin__OneofDescriptorProto pb_oneof;
typedef Cwire__Plugin__FeatureSet pb_features;
typedef Cwire__Plugin__SourceCodeInfo__Location pb_location;

/* A message type as it stands in the request, also a map entry's. */
typedef struct message_decl {
    const pb_message *pb;
    cwg_message *message; /* NULL: a map entry */
    struct message_decl *parent;
    const char *full_name;
    const char *path; /* its place in SourceCodeInfo, "4,0,3,1" */
    cwg_features features;
    bool map_used; /* a map entry that a field has taken */
} message_decl;

typedef enum symbol_kind { SYMBOL_MESSAGE, SYMBOL_ENUM, SYMBOL_OTHER } symbol_kind;

/* What a full name means. */
typedef struct symbol {
    symbol_kind kind;
    message_decl *message;
    cwg_enum *enum_type;
    cwg_file *file;
} symbol;

/* State of one reading. */
typedef struct reader {
    cwg_arena *arena;
    cwg_diag *diag;
    cwg_model *model;
    cwg_strmap symbols; /* full name -> symbol, of all files so far */
    cwg_strmap files;   /* proto name -> cwg_file, so far */

    /* of the file that is being read */
    cwg_file *file;
    int edition;
    cwg_features features;
    cwg_strmap comments; /* path -> pb_location */
    message_decl **decls;
    int n_decls, cap_decls;
    cwg_strmap used; /* proto names of files whose types are used */
} reader;

/* "FILE: ELEMENT: reason" as the error; returns false. */
bool cwg__bad(reader *r, const char *element, const char *format, ...);

bool cwg__is_identifier(const char *s);

/* base with the overrides of an options message (NULL: none); false: unknown number. */
bool cwg__merge_features(reader *r, cwg_features *base, const pb_features *over,
                         const char *element);

/* The comments of the element at a path of SourceCodeInfo. */
cwg_comments cwg__comments(reader *r, const char *path);

/*
 * Builds a field of message `scope` (for extensions: of the scope they are declared in, NULL at
 * file level). oneofs: the message's oneofs by descriptor index, NULL where synthetic. NULL: error
 * set.
 */
cwg_field *cwg__read_field(reader *r, const pb_field *pb, message_decl *scope, cwg_oneof **oneofs,
                           const char *path);

/* One of the files of google/protobuf/ that ship with the runtime. */
bool cwg__is_well_known(const char *name);

/* base and include from the file's name. */
bool cwg__set_paths(reader *r);

/* deps and imports: after the fields, which tell whose types are used. */
bool cwg__read_imports(reader *r, const pb_file *pb);

#endif
