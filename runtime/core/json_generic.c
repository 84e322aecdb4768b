/* SPDX-License-Identifier: MIT */
/* json_generic.c: see json_generic.h. */
#include "json_generic.h"

#include <assert.h>

#include "cwire/table.h"
#include "json_reader.h"

static const char no_json[] = "an extension's type has no JSON";

/* ---- enums ------------------------------------------------------------------------------------
 */

static bool is_null_value(const cw_field *f)
{
    return f->enum_type && strcmp(f->enum_type->full_name, "google.protobuf.NullValue") == 0;
}

bool cw__json_null_is_value(const cw_field *f)
{
    return is_null_value(f) ||
           (f->message && strcmp(f->message->full_name, "google.protobuf.Value") == 0);
}

static char *put_enum(const cw_field *f, int32_t v, cw__json_writer *w, char *p)
{
    if (is_null_value(f)) {
        return v == 0 ? cw__json_lit(p, "null", 4) : cw__json_put_int32(p, v);
    }
    return cw__json_put_enum(w, p, v, cw__table_enum_name(f->enum_type, v), CW__GENERIC_KEEP);
}

/* As cw__json_get_enum, by the table. */
static const char *get_enum(const cw_field *f, int32_t *v, cw__json_reader *r, const char *p,
                            bool *ignored)
{
    const char *start = p;
    bool found;
    if (is_null_value(f) && cw__json_null(r, &p)) {
        *v = 0;
        return p;
    }
    if (*p == '"') {
        cw_str name;
        p = cw__json_view(r, p, &name, NULL);
        *v = 0;
        found = p && cw__table_enum_from_name(f->enum_type, name.data, name.len, v);
    } else if (*p != '-' && (unsigned)(unsigned char)*p - '0' > 9) {
        return cw__json_fail_value(r, p, "expected an enum value's name or number");
    } else {
        p = cw__json_get_int32(r, p, v);
        found = p && (!f->closed_enum || cw__table_enum_known(f->enum_type, *v));
    }
    if (!p || found) {
        return p;
    }
    *ignored = r->ignore_unknown;
    return *ignored ? p : cw__json_fail(r, CW_ERR_UNKNOWN_ENUM, start, NULL);
}

/* ---- messages ---------------------------------------------------------------------------------
 */

static char *put_message(const cw_field *f, const void *m, cw__json_writer *w, char *p, int depth)
{
    if (!f->message->json_put) {
        return cw__json_put_fail(w, CW_ERR_UNSUPPORTED, no_json);
    }
    if (depth == 0) {
        return cw__json_put_fail(w, CW_ERR_DEPTH, NULL);
    }
    p = f->message->json_put(m, w, p, depth - 1);
    return p ? cw__json_room(w, p, CW__GENERIC_KEEP) : NULL;
}

static const char *get_message(const cw_field *f, void *m, cw__json_reader *r, const char *p,
                               int depth)
{
    if (!f->message->json_get) {
        return cw__json_fail(r, CW_ERR_UNSUPPORTED, p, no_json);
    }
    if (depth == 0) {
        return cw__json_fail(r, CW_ERR_DEPTH, p, NULL);
    }
    f->message->init(m);
    return f->message->json_get(m, r, p, depth - 1);
}

/* ---- any kind ---------------------------------------------------------------------------------
 */

char *cw__json_put_value(const cw_field *f, const void *value, cw__json_writer *w, char *p,
                         int depth)
{
    p = cw__json_room(w, p, CW__JSON_NUMBER + CW__GENERIC_KEEP);
    if (!p) {
        return NULL;
    }
    switch (f->kind) {
    case CW_KIND_DOUBLE:
        return cw__json_put_double(p, *(const double *)value);
    case CW_KIND_FLOAT:
        return cw__json_put_float(p, *(const float *)value);
    case CW_KIND_INT64:
    case CW_KIND_SINT64:
    case CW_KIND_SFIXED64:
        return cw__json_put_int64(w, p, *(const int64_t *)value);
    case CW_KIND_UINT64:
    case CW_KIND_FIXED64:
        return cw__json_put_uint64(w, p, *(const uint64_t *)value);
    case CW_KIND_INT32:
    case CW_KIND_SINT32:
    case CW_KIND_SFIXED32:
        return cw__json_put_int32(p, *(const int32_t *)value);
    case CW_KIND_UINT32:
    case CW_KIND_FIXED32:
        return cw__json_put_uint32(p, *(const uint32_t *)value);
    case CW_KIND_BOOL:
        return cw__json_put_bool(p, *(const bool *)value);
    case CW_KIND_ENUM:
        return put_enum(f, *(const int32_t *)value, w, p);
    case CW_KIND_STRING:
        return cw__json_put_string(w, p, *(const cw_str *)value, CW__GENERIC_KEEP);
    case CW_KIND_BYTES:
        return cw__json_put_bytes(w, p, *(const cw_bytes *)value, CW__GENERIC_KEEP);
    case CW_KIND_MESSAGE:
    case CW_KIND_GROUP:
        break;
    }
    return put_message(f, value, w, p, depth);
}

const char *cw__json_get_value(const cw_field *f, void *value, cw__json_reader *r, const char *p,
                               int depth, bool *ignored)
{
    assert(p < r->end);
    *ignored = false;
    switch (f->kind) {
    case CW_KIND_DOUBLE:
        return cw__json_get_double(r, p, value);
    case CW_KIND_FLOAT:
        return cw__json_get_float(r, p, value);
    case CW_KIND_INT64:
    case CW_KIND_SINT64:
    case CW_KIND_SFIXED64:
        return cw__json_get_int64(r, p, value);
    case CW_KIND_UINT64:
    case CW_KIND_FIXED64:
        return cw__json_get_uint64(r, p, value);
    case CW_KIND_INT32:
    case CW_KIND_SINT32:
    case CW_KIND_SFIXED32:
        return cw__json_get_int32(r, p, value);
    case CW_KIND_UINT32:
    case CW_KIND_FIXED32:
        return cw__json_get_uint32(r, p, value);
    case CW_KIND_BOOL:
        return cw__json_get_bool(r, p, value);
    case CW_KIND_ENUM:
        return get_enum(f, value, r, p, ignored);
    case CW_KIND_STRING:
        return cw__json_get_string(r, p, value);
    case CW_KIND_BYTES:
        return cw__json_get_bytes(r, p, value);
    case CW_KIND_MESSAGE:
    case CW_KIND_GROUP:
        break;
    }
    return get_message(f, value, r, p, depth);
}
