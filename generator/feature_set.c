/* SPDX-License-Identifier: MIT */
/* feature_set.c: see feature_set.h. */
#include "feature_set.h"

#include <stddef.h>

bool cwg_features_default(int edition, cwg_features *out)
{
    static const struct {
        int edition;
        cwg_features features;
    } defaults[] = {
        {CWG_PROTO2,
         {CWG_PRESENCE_EXPLICIT, CWG_ENUM_CLOSED, CWG_REPEATED_EXPANDED, CWG_UTF8_NONE,
          CWG_MESSAGE_PREFIXED, CWG_JSON_LEGACY}},
        {CWG_PROTO3,
         {CWG_PRESENCE_IMPLICIT, CWG_ENUM_OPEN, CWG_REPEATED_PACKED, CWG_UTF8_VERIFY,
          CWG_MESSAGE_PREFIXED, CWG_JSON_ALLOW}},
        {CWG_EDITION_2023,
         {CWG_PRESENCE_EXPLICIT, CWG_ENUM_OPEN, CWG_REPEATED_PACKED, CWG_UTF8_VERIFY,
          CWG_MESSAGE_PREFIXED, CWG_JSON_ALLOW}},
        {CWG_EDITION_2024,
         {CWG_PRESENCE_EXPLICIT, CWG_ENUM_OPEN, CWG_REPEATED_PACKED, CWG_UTF8_VERIFY,
          CWG_MESSAGE_PREFIXED, CWG_JSON_ALLOW}},
    };
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++) {
        if (defaults[i].edition == edition) {
            *out = defaults[i].features;
            return true;
        }
    }
    return false;
}

/* Sets *base when `over` is given and one of low..high. */
static bool merge(int *base, int over, int low, int high)
{
    if (over == 0)
        return true;
    if (over < low || over > high)
        return false;
    *base = over;
    return true;
}

const char *cwg_features_merge(cwg_features *base, const cwg_features *over)
{
    if (!merge(&base->presence, over->presence, CWG_PRESENCE_EXPLICIT, CWG_PRESENCE_REQUIRED))
        return "field_presence";
    if (!merge(&base->enum_type, over->enum_type, CWG_ENUM_OPEN, CWG_ENUM_CLOSED))
        return "enum_type";
    if (!merge(&base->repeated, over->repeated, CWG_REPEATED_PACKED, CWG_REPEATED_EXPANDED))
        return "repeated_field_encoding";
    if (!merge(&base->utf8, over->utf8, CWG_UTF8_VERIFY, CWG_UTF8_NONE))
        return "utf8_validation";
    if (!merge(&base->message_encoding, over->message_encoding, CWG_MESSAGE_PREFIXED,
               CWG_MESSAGE_DELIMITED))
        return "message_encoding";
    if (!merge(&base->json, over->json, CWG_JSON_ALLOW, CWG_JSON_LEGACY))
        return "json_format";
    return NULL;
}

void cwg_features_of_field(cwg_features *f, const cwg_field_facts *facts)
{
    if (facts->label == 2)
        f->presence = CWG_PRESENCE_REQUIRED;
    if (facts->proto3_optional)
        f->presence = CWG_PRESENCE_EXPLICIT;
    if (facts->is_group)
        f->message_encoding = CWG_MESSAGE_DELIMITED;
    if (facts->packed == 1)
        f->repeated = CWG_REPEATED_PACKED;
    if (facts->packed == 0)
        f->repeated = CWG_REPEATED_EXPANDED;
}
