/* SPDX-License-Identifier: MIT */
/* emit_json_common.c: names in JSON, and what kinds of fields share. See emit_json_common.h. */
#include "emit_json_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes one byte of a JSON string at `to` (6 bytes of room); returns how many were written. */
static size_t escape_byte(char *to, unsigned char c)
{
    static const char short_forms[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    const char *s = c ? strchr(short_forms, c) : NULL;
    if (s) {
        to[0] = '\\';
        to[1] = letters[s - short_forms];
        return 2;
    }
    if (c < 0x20) {
        static const char hex[] = "0123456789abcdef";
        memcpy(to, "\\u00", 4);
        to[4] = hex[c >> 4];
        to[5] = hex[c & 15];
        return 6;
    }
    to[0] = (char)c;
    return 1;
}

size_t cwg__json_name_len(const char *name)
{
    size_t n = 0;
    char scratch[6];
    for (const char *s = name; *s; s++)
        n += escape_byte(scratch, (unsigned char)*s);
    return n;
}

char *cwg__json_text(cwg_text *t, const char *before, const char *name, const char *after,
                     size_t *len)
{
    size_t n = cwg__json_name_len(name);
    *len = 0;
    if (n > CWG_JSON_NAME_MAX) {
        cwg_fail(t, "the JSON name \"%.40s...\" is longer than %d bytes", name, CWG_JSON_NAME_MAX);
        return NULL;
    }
    size_t n_before = strlen(before), n_after = strlen(after);
    char *text = malloc(n_before + n + n_after + 1);
    if (!text) {
        cwg_fail(t, "out of memory");
        return NULL;
    }
    memcpy(text, before, n_before);
    char *p = text + n_before;
    for (const char *s = name; *s; s++)
        p += escape_byte(p, (unsigned char)*s);
    memcpy(p, after, n_after + 1);
    *len = n_before + n + n_after;
    return text;
}

void cwg__json_set_text(cwg_text *t, const char *var, const char *before, const char *name,
                        const char *after)
{
    size_t len;
    char *text = cwg__json_text(t, before, name, after, &len);
    if (!text)
        return;
    char len_var[64];
    snprintf(len_var, sizeof len_var, "%s_len", var);
    cwg_set_literal(t, var, text, len);
    cwg_seti(t, len_var, (long long)len);
    free(text);
}

const char *cwg__json_stem(const cwg_field *f)
{
    switch (f->kind->id) {
    case CWG_KIND_INT32:
    case CWG_KIND_SINT32:
    case CWG_KIND_SFIXED32:
        return "int32";
    case CWG_KIND_UINT32:
    case CWG_KIND_FIXED32:
        return "uint32";
    case CWG_KIND_INT64:
    case CWG_KIND_SINT64:
    case CWG_KIND_SFIXED64:
        return "int64";
    case CWG_KIND_UINT64:
    case CWG_KIND_FIXED64:
        return "uint64";
    case CWG_KIND_BOOL:
    case CWG_KIND_DOUBLE:
    case CWG_KIND_FLOAT:
    case CWG_KIND_STRING:
    case CWG_KIND_BYTES:
        return f->kind->name;
    case CWG_KIND_ENUM:
    case CWG_KIND_MESSAGE:
        break;
    }
    return NULL;
}

bool cwg__json_is_null_value(const cwg_field *f)
{
    return f->enum_type && strcmp(f->enum_type->full_name, "google.protobuf.NullValue") == 0;
}

bool cwg__json_takes_null(const cwg_field *f)
{
    if (f->shape == CWG_REPEATED || f->shape == CWG_MAP)
        return false;
    return cwg__json_is_null_value(f) ||
           (f->message && strcmp(f->message->full_name, "google.protobuf.Value") == 0);
}

void cwg__json_emit_file(const cwg_message *m, const char *state, cwg_text *t)
{
    if (!m->reaches_any && !m->reaches_extensions)
        return;
    cwg_set(t, "state", state);
    cwg_set(t, "I", m->file->ident);
    cwg_emit(t, "$state$.file = &$I$_file;\n");
}
