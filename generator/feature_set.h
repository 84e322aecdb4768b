/* SPDX-License-Identifier: MIT */
/*
 * feature_set.h: proto2, proto3 and the editions as one set of features per element, so that
 * nothing behind this asks for the syntax. Numbers are those of google.protobuf.FeatureSet; 0 in an
 * override means inherited.
 *
 * (Not features.h: with -I that would hide a header of glibc.)
 *
 * Inheritance: edition defaults <- file <- message (outer to inner) <- oneof <- field, or enum.
 */
#ifndef CWG_FEATURE_SET_H
#define CWG_FEATURE_SET_H

#include <stdbool.h>

enum cwg_edition {
    CWG_PROTO2 = 998,
    CWG_PROTO3 = 999,
    CWG_EDITION_2023 = 1000,
    CWG_EDITION_2024 = 1001
};

enum cwg_presence {
    CWG_PRESENCE_EXPLICIT = 1,
    CWG_PRESENCE_IMPLICIT = 2,
    CWG_PRESENCE_REQUIRED = 3
};
enum cwg_enum_openness { CWG_ENUM_OPEN = 1, CWG_ENUM_CLOSED = 2 };
enum cwg_repeated_encoding { CWG_REPEATED_PACKED = 1, CWG_REPEATED_EXPANDED = 2 };
enum cwg_utf8 { CWG_UTF8_VERIFY = 2, CWG_UTF8_NONE = 3 };
enum cwg_message_encoding { CWG_MESSAGE_PREFIXED = 1, CWG_MESSAGE_DELIMITED = 2 };
enum cwg_json_format { CWG_JSON_ALLOW = 1, CWG_JSON_LEGACY = 2 };

typedef struct cwg_features {
    int presence;
    int enum_type;
    int repeated;
    int utf8;
    int message_encoding;
    int json;
} cwg_features;

/* What the field's own declaration says apart from features. */
typedef struct cwg_field_facts {
    int edition;
    int label;            /* FieldDescriptorProto.Label: 1 optional, 2 required, 3 repeated */
    bool proto3_optional; /* proto3's `optional` */
    bool is_group;        /* TYPE_GROUP */
    int packed;           /* [packed = ...]: -1 not given, 0, 1 */
} cwg_field_facts;

/* The defaults of an edition; false: an edition that is not known. */
bool cwg_features_default(int edition, cwg_features *out);

/* base with what `over` sets. Returns NULL, or the name of the feature whose number in `over` is
 * not known. */
const char *cwg_features_merge(cwg_features *base, const cwg_features *over);

/* Legacy spellings (required, proto3 optional, group, packed) become features of the field. */
void cwg_features_of_field(cwg_features *f, const cwg_field_facts *facts);

#endif
