/* SPDX-License-Identifier: MIT */
#include "plain_json.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct printer {
    const cw_json_print_options *options;
    char *data;
    size_t len, cap;
} printer;

static void add(printer *to, const char *s, size_t n)
{
    if (to->cap - to->len <= n) {
        to->cap = 2 * to->cap + n + 64;
        to->data = realloc(to->data, to->cap);
        assert_non_null(to->data);
    }
    memcpy(to->data + to->len, s, n);
    to->len += n;
    to->data[to->len] = 0;
}

static void add_text(printer *to, const char *s)
{
    add(to, s, strlen(s));
}

static void add_string(printer *to, const char *s, size_t n)
{
    add_text(to, "\"");
    for (size_t i = 0; i < n; i++) {
        static const char from[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
        unsigned char c = (unsigned char)s[i];
        const char *at = c ? strchr(from, c) : NULL;
        char escape[8];
        if (at) {
            snprintf(escape, sizeof escape, "\\%c", letters[at - from]);
            add_text(to, escape);
        } else if (c < 0x20) {
            snprintf(escape, sizeof escape, "\\u%04x", c);
            add_text(to, escape);
        } else {
            add(to, s + i, 1);
        }
    }
    add_text(to, "\"");
}

static void add_base64(printer *to, const uint8_t *s, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    add_text(to, "\"");
    for (size_t i = 0; i < n; i += 3) {
        uint32_t x = (uint32_t)s[i] << 16;
        x |= i + 1 < n ? (uint32_t)s[i + 1] << 8 : 0;
        x |= i + 2 < n ? s[i + 2] : 0;
        char four[4] = {digits[x >> 18], digits[x >> 12 & 63], digits[x >> 6 & 63], digits[x & 63]};
        if (i + 1 >= n) {
            four[2] = '=';
        }
        if (i + 2 >= n) {
            four[3] = '=';
        }
        add(to, four, 4);
    }
    add_text(to, "\"");
}

static const char *enum_name(const cw_enum *e, int32_t v)
{
    for (uint32_t i = 0; i < e->n_values; i++) {
        if (e->values[i].number == v) {
            return e->values[i].name;
        }
    }
    return NULL;
}

/* ---- values -----------------------------------------------------------------------------------
 */

static int32_t load_i32(const void *from)
{
    int32_t v;
    memcpy(&v, from, sizeof v);
    return v;
}

static uint64_t load_64(const void *from)
{
    uint64_t v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* The text of a number, bool or enum; *quoted: it is a 64-bit integer. */
static void number_text(const cw_field *f, const void *from, char text[64], bool *quoted)
{
    *quoted = false;
    switch (f->kind) {
    case CW_KIND_DOUBLE: {
        double v;
        memcpy(&v, from, sizeof v);
        *cw__json_put_double(text, v) = 0;
        break;
    }
    case CW_KIND_FLOAT: {
        float v;
        memcpy(&v, from, sizeof v);
        *cw__json_put_float(text, v) = 0;
        break;
    }
    case CW_KIND_INT64:
    case CW_KIND_SFIXED64:
    case CW_KIND_SINT64:
        snprintf(text, 64, "%" PRId64, (int64_t)load_64(from));
        *quoted = true;
        break;
    case CW_KIND_UINT64:
    case CW_KIND_FIXED64:
        snprintf(text, 64, "%" PRIu64, load_64(from));
        *quoted = true;
        break;
    case CW_KIND_UINT32:
    case CW_KIND_FIXED32:
        snprintf(text, 64, "%" PRIu32, (uint32_t)load_i32(from));
        break;
    case CW_KIND_BOOL:
        snprintf(text, 64, "%s", *(const bool *)from ? "true" : "false");
        break;
    default:
        snprintf(text, 64, "%" PRId32, load_i32(from));
        break;
    }
}

static void add_message(printer *to, const cw_type *t, const void *m);

static void print_value(printer *to, const cw_field *f, const void *from)
{
    char text[64];
    bool quoted;
    if (f->message) {
        add_message(to, f->message, from);
    } else if (f->kind == CW_KIND_STRING) {
        cw_str v;
        memcpy(&v, from, sizeof v);
        add_string(to, v.data, v.len);
    } else if (f->kind == CW_KIND_BYTES) {
        cw_bytes v;
        memcpy(&v, from, sizeof v);
        add_base64(to, v.data, v.len);
    } else if (f->kind == CW_KIND_ENUM && !to->options->enums_as_numbers &&
               enum_name(f->enum_type, load_i32(from))) {
        const char *name = enum_name(f->enum_type, load_i32(from));
        add_string(to, name, strlen(name));
    } else {
        number_text(f, from, text, &quoted);
        quoted = quoted && !to->options->int64_as_numbers;
        add_text(to, quoted ? "\"" : "");
        add_text(to, text);
        add_text(to, quoted ? "\"" : "");
    }
}

/* Keys are strings whatever their kind. */
static void print_key(printer *to, const cw_field *f, const void *from)
{
    char text[64];
    bool quoted;
    if (f->kind == CW_KIND_STRING) {
        print_value(to, f, from);
    } else {
        number_text(f, from, text, &quoted);
        add_string(to, text, strlen(text));
    }
    add_text(to, ":");
}

/* ---- members ----------------------------------------------------------------------------------
 */

static bool is_zero(const cw_field *f, const void *member)
{
    static const uint8_t zeros[sizeof(double)] = {0};
    switch (f->kind) {
    case CW_KIND_STRING: {
        cw_str v;
        memcpy(&v, member, sizeof v);
        return v.len == 0;
    }
    case CW_KIND_BYTES: {
        cw_bytes v;
        memcpy(&v, member, sizeof v);
        return v.len == 0;
    }
    case CW_KIND_BOOL:
        return !*(const bool *)member;
    case CW_KIND_DOUBLE:
    case CW_KIND_INT64:
    case CW_KIND_UINT64:
    case CW_KIND_FIXED64:
    case CW_KIND_SFIXED64:
    case CW_KIND_SINT64:
        return memcmp(member, zeros, 8) == 0;
    default:
        return memcmp(member, zeros, 4) == 0;
    }
}

static const void *load_pointer(const void *member)
{
    const void *p;
    memcpy(&p, member, sizeof p);
    return p;
}

static bool is_present(const printer *to, const cw_type *t, uint32_t i, const char *m)
{
    const cw_field *f = &t->fields[i];
    const void *member = m + f->offset;
    int number;
    switch (f->shape) {
    case CW_SHAPE_IMPLICIT:
        return to->options->print_defaults || !is_zero(f, member);
    case CW_SHAPE_OPTIONAL:
    case CW_SHAPE_REQUIRED:
        return f->message ? load_pointer(member) != NULL : t->has(m, i);
    case CW_SHAPE_ONEOF:
        memcpy(&number, m + f->case_offset, sizeof number);
        return number == (int)f->number && (!f->message || load_pointer(member));
    case CW_SHAPE_REPEATED:
    case CW_SHAPE_MAP:
        return to->options->print_defaults || cw_list_load(member).len > 0;
    }
    return false;
}

static void print_elements(printer *to, const cw_field *f, const void *member)
{
    cw_list_view list = cw_list_load(member);
    bool map = f->shape == CW_SHAPE_MAP;
    add_text(to, map ? "{" : "[");
    for (size_t i = 0; i < list.len; i++) {
        const char *x = (const char *)list.data + i * f->element_size;
        add_text(to, i ? "," : "");
        if (map) {
            const cw_field *key = &f->message->fields[0], *value = &f->message->fields[1];
            print_key(to, key, x + key->offset);
            print_value(to, value, x + value->offset);
        } else {
            print_value(to, f, x);
        }
    }
    add_text(to, map ? "}" : "]");
}

static void add_message(printer *to, const cw_type *t, const void *m)
{
    bool first = true;
    add_text(to, "{");
    for (uint32_t i = 0; i < t->n_fields; i++) {
        const cw_field *f = &t->fields[i];
        if (!is_present(to, t, i, m)) {
            continue;
        }
        const char *name = to->options->proto_names ? f->name : f->json_name;
        const void *member = (const char *)m + f->offset;
        add_text(to, first ? "" : ",");
        first = false;
        add_string(to, name, strlen(name));
        add_text(to, ":");
        if (f->shape == CW_SHAPE_REPEATED || f->shape == CW_SHAPE_MAP) {
            print_elements(to, f, member);
        } else {
            print_value(to, f, f->message ? load_pointer(member) : member);
        }
    }
    add_text(to, "}");
}

char *test_plain_json(const cw_type *t, const void *m, const cw_json_print_options *options,
                      size_t *len)
{
    static const cw_json_print_options plain = {0};
    printer to = {options ? options : &plain, NULL, 0, 0};
    add_message(&to, t, m);
    *len = to.len;
    return to.data;
}
