/* SPDX-License-Identifier: MIT */
/*
 * build.h: plugin requests made by hand, field by field on the wire, so that also what protoc would
 * never write can be tried. All memory belongs to the arena.
 */
#ifndef TEST_BUILD_H
#define TEST_BUILD_H

#include <stdint.h>

#include "diag.h"
#include "model.h"
#include "options.h"

/* FieldDescriptorProto.Label and .Type */
enum { OPTIONAL_ = 1, REQUIRED_ = 2, REPEATED_ = 3 };
enum {
    DOUBLE_ = 1,
    INT64_ = 3,
    INT32_ = 5,
    STRING_ = 9,
    GROUP_ = 10,
    MESSAGE_ = 11,
    BYTES_ = 12,
    ENUM_ = 14
};

/* Numbers of the descriptor's fields that tests write. */
enum {
    FILE_NAME = 1,
    FILE_PACKAGE = 2,
    FILE_DEPENDENCY = 3,
    FILE_MESSAGE = 4,
    FILE_ENUM = 5,
    FILE_EXTENSION = 7,
    FILE_OPTIONS = 8,
    FILE_SOURCE = 9,
    FILE_PUBLIC = 10,
    FILE_SYNTAX = 12,
    FILE_EDITION = 14,
    MESSAGE_FIELD = 2,
    MESSAGE_NESTED = 3,
    MESSAGE_ENUM = 4,
    MESSAGE_RANGE = 5,
    MESSAGE_EXTENSION = 6,
    MESSAGE_OPTIONS = 7,
    MESSAGE_ONEOF = 8,
    MESSAGE_RESERVED = 9,
    FIELD_EXTENDEE = 2,
    FIELD_DEFAULT = 7,
    FIELD_OPTIONS = 8,
    FIELD_ONEOF = 9,
    FIELD_JSON_NAME = 10,
    FIELD_PROTO3_OPTIONAL = 17
};

typedef struct rec {
    cwg_arena *arena;
    uint8_t *data;
    size_t len, cap;
} rec;

rec *rec_new(cwg_arena *a);
void rec_bytes(rec *r, const void *data, size_t len); /* as they are, no tag */
void rec_num(rec *r, int number, uint64_t value);
void rec_str(rec *r, int number, const char *s);
void rec_sub(rec *r, int number, const rec *sub);

/* A FieldDescriptorProto; type_name NULL: none. */
rec *rec_field(cwg_arena *a, const char *name, int number, int label, int type,
               const char *type_name);

/* A DescriptorProto or EnumDescriptorProto or OneofDescriptorProto with its name. */
rec *rec_named(cwg_arena *a, const char *name);

/* An EnumValueDescriptorProto added to an enum. */
void rec_value(rec *e, const char *name, int number);

/* A FileDescriptorProto. edition 0: `syntax` is "proto2" or "proto3". */
rec *rec_file(cwg_arena *a, const char *name, const char *package, const char *syntax, int edition);

/* options with features: {feature number, value}, in the options message of an element, at that
 * number there. */
rec *rec_features(cwg_arena *a, int options_number, int feature, int value);

/* A request that generates all of the n files. */
rec *rec_request(cwg_arena *a, rec *const *files, int n, const char *parameter);

/* What plugin.c does before emitting. NULL, or the error. */
const char *read_model(const rec *request, cwg_model *model, cwg_arena *a);

/* By full name; fails the test when there is none. */
cwg_message *find_message(const cwg_model *model, const char *full_name);
cwg_enum *find_enum(const cwg_model *model, const char *full_name);
cwg_field *find_field(const cwg_model *model, const char *message, const char *name);

#endif
