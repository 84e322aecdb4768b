/* SPDX-License-Identifier: MIT */
/*
 * JSON of the wrappers (the bare value), FieldMask ("a.bC,d") and Any. The wrappers' null is the
 * caller's business: a null member is an absent one.
 */
#include "cwire/cwire.h"
#include "cwire/wkt.h"
#include "wkt_json.h"

char *google_protobuf_DoubleValue__print(const google_protobuf_DoubleValue *m, cw__json_writer *w,
                                         char *p, int depth)
{
    (void)depth;
    p = cw__json_room(w, p, CW__JSON_NUMBER + CW__WKT_KEEP);
    return p ? cw__json_put_double(p, m->value) : NULL;
}

const char *google_protobuf_DoubleValue__parse(google_protobuf_DoubleValue *m, cw__json_reader *r,
                                               const char *p, int depth)
{
    (void)depth;
    return cw__json_get_double(r, p, &m->value);
}

char *google_protobuf_FloatValue__print(const google_protobuf_FloatValue *m, cw__json_writer *w,
                                        char *p, int depth)
{
    (void)depth;
    p = cw__json_room(w, p, CW__JSON_NUMBER + CW__WKT_KEEP);
    return p ? cw__json_put_float(p, m->value) : NULL;
}

const char *google_protobuf_FloatValue__parse(google_protobuf_FloatValue *m, cw__json_reader *r,
                                              const char *p, int depth)
{
    (void)depth;
    return cw__json_get_float(r, p, &m->value);
}

char *google_protobuf_Int64Value__print(const google_protobuf_Int64Value *m, cw__json_writer *w,
                                        char *p, int depth)
{
    (void)depth;
    p = cw__json_room(w, p, CW__JSON_NUMBER + CW__WKT_KEEP);
    return p ? cw__json_put_int64(w, p, m->value) : NULL;
}

const char *google_protobuf_Int64Value__parse(google_protobuf_Int64Value *m, cw__json_reader *r,
                                              const char *p, int depth)
{
    (void)depth;
    return cw__json_get_int64(r, p, &m->value);
}

char *google_protobuf_UInt64Value__print(const google_protobuf_UInt64Value *m, cw__json_writer *w,
                                         char *p, int depth)
{
    (void)depth;
    p = cw__json_room(w, p, CW__JSON_NUMBER + CW__WKT_KEEP);
    return p ? cw__json_put_uint64(w, p, m->value) : NULL;
}

const char *google_protobuf_UInt64Value__parse(google_protobuf_UInt64Value *m, cw__json_reader *r,
                                               const char *p, int depth)
{
    (void)depth;
    return cw__json_get_uint64(r, p, &m->value);
}

char *google_protobuf_Int32Value__print(const google_protobuf_Int32Value *m, cw__json_writer *w,
                                        char *p, int depth)
{
    (void)depth;
    p = cw__json_room(w, p, CW__JSON_NUMBER + CW__WKT_KEEP);
    return p ? cw__json_put_int32(p, m->value) : NULL;
}

const char *google_protobuf_Int32Value__parse(google_protobuf_Int32Value *m, cw__json_reader *r,
                                              const char *p, int depth)
{
    (void)depth;
    return cw__json_get_int32(r, p, &m->value);
}

char *google_protobuf_UInt32Value__print(const google_protobuf_UInt32Value *m, cw__json_writer *w,
                                         char *p, int depth)
{
    (void)depth;
    p = cw__json_room(w, p, CW__JSON_NUMBER + CW__WKT_KEEP);
    return p ? cw__json_put_uint32(p, m->value) : NULL;
}

const char *google_protobuf_UInt32Value__parse(google_protobuf_UInt32Value *m, cw__json_reader *r,
                                               const char *p, int depth)
{
    (void)depth;
    return cw__json_get_uint32(r, p, &m->value);
}

char *google_protobuf_BoolValue__print(const google_protobuf_BoolValue *m, cw__json_writer *w,
                                       char *p, int depth)
{
    (void)depth;
    p = cw__json_room(w, p, CW__JSON_NUMBER + CW__WKT_KEEP);
    return p ? cw__json_put_bool(p, m->value) : NULL;
}

const char *google_protobuf_BoolValue__parse(google_protobuf_BoolValue *m, cw__json_reader *r,
                                             const char *p, int depth)
{
    (void)depth;
    return cw__json_get_bool(r, p, &m->value);
}

char *google_protobuf_StringValue__print(const google_protobuf_StringValue *m, cw__json_writer *w,
                                         char *p, int depth)
{
    (void)depth;
    return cw__json_put_string(w, p, m->value, CW__WKT_KEEP);
}

const char *google_protobuf_StringValue__parse(google_protobuf_StringValue *m, cw__json_reader *r,
                                               const char *p, int depth)
{
    (void)depth;
    return cw__json_get_string(r, p, &m->value);
}

char *google_protobuf_BytesValue__print(const google_protobuf_BytesValue *m, cw__json_writer *w,
                                        char *p, int depth)
{
    (void)depth;
    return cw__json_put_bytes(w, p, m->value, CW__WKT_KEEP);
}

const char *google_protobuf_BytesValue__parse(google_protobuf_BytesValue *m, cw__json_reader *r,
                                              const char *p, int depth)
{
    (void)depth;
    return cw__json_get_bytes(r, p, &m->value);
}

/* ---- FieldMask: paths in lowerCamelCase, joined by commas (field_mask.proto)
 * ---------------------- */

/* snake_case to camelCase; false when it would not come back equal (upper case, '_' not before a
 * letter). */
static bool camel_path(char *out, cw_str path, size_t *len)
{
    size_t n = 0;
    for (size_t i = 0; i < path.len; i++) {
        char c = path.data[i];
        if (c >= 'A' && c <= 'Z') {
            return false;
        }
        if (c == '_') {
            if (++i == path.len || path.data[i] < 'a' || path.data[i] > 'z') {
                return false;
            }
            c = (char)(path.data[i] - 'a' + 'A');
        }
        out[n++] = c;
    }
    *len = n;
    return true;
}

char *google_protobuf_FieldMask__print(const google_protobuf_FieldMask *m, cw__json_writer *w,
                                       char *p, int depth)
{
    (void)depth;
    /* Room for quotes and one comma is kept at every step. Paths of plain field names need no
     * escape; others are refused, since their camelCase would be no path either. */
    p = cw__json_room(w, p, CW__WKT_KEEP);
    if (p == NULL) {
        return NULL;
    }
    *p++ = '"';
    for (size_t i = 0; i < m->paths.len; i++) {
        cw_str path = m->paths.data[i];
        size_t n = 0;
        for (size_t k = 0; k < path.len; k++) {
            unsigned char c = (unsigned char)path.data[k];
            if (c != '_' && c != '.' && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z')) {
                cw__json_put_fail(w, CW_ERR_STRING, "a field mask path has no lowerCamelCase form");
                return cw__json_put_fail_at(w, "paths", i);
            }
        }
        if (i > 0) {
            *p++ = ',';
        }
        p = cw__json_room(w, p, path.len + CW__WKT_KEEP);
        if (p == NULL) {
            return NULL;
        }
        if (!camel_path(p, path, &n)) {
            cw__json_put_fail(w, CW_ERR_STRING, "a field mask path has no lowerCamelCase form");
            return cw__json_put_fail_at(w, "paths", i);
        }
        p += n;
    }
    *p++ = '"';
    return cw__json_room(w, p, CW__WKT_KEEP);
}

/* One path, camelCase to snake_case, into the arena: what prints again as it is here. False: not of
 * that form, or no memory (*st says). */
static bool snake_path(cw_arena *a, const char *s, size_t len, cw_str *out, cw_status *st)
{
    size_t extra = 0;
    for (size_t i = 0; i < len; i++) {
        char c = s[i];
        bool upper = c >= 'A' && c <= 'Z';
        if (!upper && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '.') {
            *st = CW_ERR_STRING;
            return false;
        }
        extra += upper;
    }
    char *t = (char *)cw_arena_alloc(a, len + extra + 1);
    if (t == NULL) {
        *st = a->failure;
        return false;
    }
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        char c = s[i];
        if (c >= 'A' && c <= 'Z') {
            t[n++] = '_';
            c = (char)(c - 'A' + 'a');
        }
        t[n++] = c;
    }
    t[n] = 0;
    *out = cw_str_of(t, n);
    return true;
}

const char *google_protobuf_FieldMask__parse(google_protobuf_FieldMask *m, cw__json_reader *r,
                                             const char *p, int depth)
{
    cw_str s = {0};
    const char *at = p;
    (void)depth;
    p = cw__json_get_string(r, p, &s);
    if (p == NULL || s.len == 0) {
        return p;
    }
    for (size_t begin = 0; begin <= s.len;) {
        size_t stop = begin;
        cw_status st = CW_OK;
        while (stop < s.len && s.data[stop] != ',') {
            stop++;
        }
        if (m->paths.len == m->paths.cap) {
            void *data = cw__list_grow(r->arena, m->paths.data, m->paths.len, &m->paths.cap,
                                       sizeof *m->paths.data, 1);
            if (data == NULL) {
                return cw__json_fail_memory(r, at);
            }
            m->paths.data = (cw_str *)data;
        }
        if (!snake_path(r->arena, s.data + begin, stop - begin, &m->paths.data[m->paths.len],
                        &st)) {
            return cw__json_fail(r, st, at,
                                 "a field mask has lowerCamelCase paths, joined by commas");
        }
        m->paths.len++;
        begin = stop + 1;
    }
    return p;
}
