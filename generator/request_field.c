/* SPDX-License-Identifier: MIT */
/* request_field.c: one field of the request. See request.h. */
#include <string.h>

#include "defaults.h"
#include "request_internal.h"

#define MAX_NUMBER     536870911u /* 2^29 - 1 */
#define FIRST_RESERVED 19000u
#define LAST_RESERVED  19999u

enum { LABEL_OPTIONAL = 1, LABEL_REQUIRED = 2, LABEL_REPEATED = 3, TYPE_GROUP = 10 };

static cwg_tag make_tag(uint32_t number, int wire)
{
    cwg_tag t = {0};
    if (number > MAX_NUMBER) /* an extension of a message set: has no tag of its own */
        return t;
    t.value = number << 3 | (uint32_t)wire;
    uint32_t v = t.value;
    for (; v >= 0x80; v >>= 7)
        t.bytes[t.len++] = (uint8_t)(v | 0x80);
    t.bytes[t.len++] = (uint8_t)v;
    return t;
}

/* lowerCamelCase as protoc does it. */
static char *camel(const char *name, cwg_arena *a)
{
    char *r = cwg_dup(a, name);
    char *to = r;
    bool upper = false;
    for (; *name; name++) {
        if (*name == '_') {
            upper = true;
            continue;
        }
        *to++ = upper && *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name;
        upper = false;
    }
    *to = '\0';
    return r;
}

/* A JSON string with its quotes. */
static char *json_quote(const char *s, cwg_arena *a)
{
    static const char hex[] = "0123456789abcdef";
    char *r = cwg_new(a, strlen(s) * 6 + 3, 1);
    char *p = r;
    *p++ = '"';
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c < 0x20 || c == 0x7f) {
            memcpy(p, "\\u00", 4);
            p[4] = hex[c >> 4];
            p[5] = hex[c & 15];
            p += 6;
            continue;
        }
        if (c == '"' || c == '\\')
            *p++ = '\\';
        *p++ = (char)c;
    }
    *p++ = '"';
    return r;
}

static bool check_number(reader *r, const pb_field *pb, const cwg_field *f,
                         const cwg_message *extendee)
{
    uint32_t most = extendee && extendee->is_message_set ? 0x7ffffffeu : MAX_NUMBER;
    if (!pb->has_number || pb->number <= 0 || (uint32_t)pb->number > most)
        return cwg__bad(r, f->full_name, "field number %d is not in 1 to %u", (int)pb->number,
                        most);
    uint32_t n = (uint32_t)pb->number;
    if (n >= FIRST_RESERVED && n <= LAST_RESERVED && !(extendee && extendee->is_message_set))
        return cwg__bad(r, f->full_name, "field numbers %u to %u are reserved", FIRST_RESERVED,
                        LAST_RESERVED);
    return true;
}

/* The type a type_name stands for; marks its file as used. NULL: error set. */
static symbol *find_type(reader *r, const cwg_field *f, const char *type_name)
{
    symbol *s = NULL;
    if (type_name && type_name[0] == '.')
        s = cwg_map_get(&r->symbols, type_name + 1);
    if (!s || s->kind == SYMBOL_OTHER) {
        cwg__bad(r, f->full_name, "type \"%s\" is not in the request", type_name ? type_name : "");
        return NULL;
    }
    if (s->file != r->file)
        cwg_map_put(r->arena, &r->used, s->file->name, s->file);
    return s;
}

static bool is_key_kind(const cwg_kind *k)
{
    return k->id == CWG_KIND_STRING || (k->packable && !k->is_float && k->id != CWG_KIND_ENUM);
}

/* A repeated field of a map entry type becomes a map. */
static bool read_map(reader *r, cwg_field *f, message_decl *entry, message_decl *scope)
{
    if (entry->parent != scope || f->shape != CWG_REPEATED || entry->map_used)
        return cwg__bad(r, f->full_name, "map entry type %s is used as an ordinary type",
                        entry->full_name);
    entry->map_used = true;
    const pb_message *pb = entry->pb;
    if (pb->n_field != 2 || pb->n_nested_type || pb->n_enum_type || pb->n_oneof_decl ||
        pb->n_extension || pb->n_extension_range)
        return cwg__bad(r, f->full_name, "map entry type %s is malformed", entry->full_name);
    cwg_map *map = cwg_new(r->arena, 1, sizeof *map);
    for (size_t i = 0; i < 2; i++) {
        cwg_field *part = cwg__read_field(r, pb->field[i], entry, NULL, "");
        if (!part)
            return false;
        bool plain = part->shape == CWG_OPTIONAL || part->shape == CWG_IMPLICIT;
        part->shape = CWG_IMPLICIT;
        part->has_bit = false;
        if (plain && part->number == 1 && strcmp(part->name, "key") == 0)
            map->key = part;
        if (plain && part->number == 2 && strcmp(part->name, "value") == 0)
            map->value = part;
    }
    if (!map->key || !map->value || !is_key_kind(map->key->kind))
        return cwg__bad(r, f->full_name, "map entry type %s is malformed", entry->full_name);
    map->key->parent = map->value->parent = f->parent;
    map->value->index = 1;
    map->full_name = entry->full_name;
    map->field = f;
    f->map = map;
    f->shape = CWG_MAP;
    return true;
}

/* Kind, and the message, enum or map of it. */
static bool read_type(reader *r, const pb_field *pb, cwg_field *f, message_decl *scope)
{
    f->kind = cwg_kind_find(pb->has_type ? pb->type : 0);
    if (!f->kind)
        return cwg__bad(r, f->full_name, "field type %d is not known", (int)pb->type);
    bool wants_enum = f->kind->id == CWG_KIND_ENUM;
    if (!wants_enum && f->kind->id != CWG_KIND_MESSAGE)
        return true;
    symbol *s = find_type(r, f, pb->type_name);
    if (!s)
        return false;
    if ((s->kind == SYMBOL_ENUM) != wants_enum)
        return cwg__bad(r, f->full_name, "%s is %s", pb->type_name,
                        wants_enum ? "not an enum" : "not a message");
    if (wants_enum) {
        f->enum_type = s->enum_type;
        f->closed_enum = s->enum_type->closed;
        return true;
    }
    if (!s->message->message)
        return read_map(r, f, s->message, scope);
    f->message = s->message->message;
    return true;
}

/* A group-like field has its type's name in the text format: declared beside it, named like it in
 * lower case. */
static bool group_like(const cwg_field *f, const cwg_message *scope)
{
    const char *a = f->message->name;
    const char *b = f->name;
    for (; *a && *b; a++, b++) {
        char lower = *a >= 'A' && *a <= 'Z' ? (char)(*a - 'A' + 'a') : *a;
        if (lower != *b)
            return false;
    }
    return *a == *b && f->message->parent == scope;
}

static bool read_shape(reader *r, const pb_field *pb, cwg_field *f, const cwg_features *features,
                       cwg_oneof *oneof)
{
    bool message = f->kind->id == CWG_KIND_MESSAGE;
    if (f->shape == CWG_REPEATED || f->shape == CWG_MAP) {
        if (oneof || pb->proto3_optional || pb->label != LABEL_REPEATED)
            return cwg__bad(r, f->full_name, "a repeated field cannot be in a oneof or optional");
        return true;
    }
    if (oneof) {
        f->shape = CWG_ONEOF;
        f->oneof = oneof;
        return pb->label == LABEL_OPTIONAL ||
               cwg__bad(r, f->full_name, "a member of a oneof cannot be required");
    }
    if (features->presence == CWG_PRESENCE_REQUIRED && !pb->extendee)
        f->shape = CWG_REQUIRED;
    else if (message || pb->extendee || features->presence != CWG_PRESENCE_IMPLICIT)
        f->shape = CWG_OPTIONAL;
    else
        f->shape = CWG_IMPLICIT;
    if (f->shape == CWG_IMPLICIT && f->closed_enum && f->enum_type->values[0].number != 0)
        return cwg__bad(r, f->full_name,
                        "closed enum %s without zero needs a field with explicit presence",
                        f->enum_type->full_name);
    f->has_bit = !message && f->shape != CWG_IMPLICIT && !pb->extendee;
    return true;
}

/* "repeated Item items = 7": names without the package, or without the scope that they are in. */
static const char *type_text(const reader *r, const cwg_field *f)
{
    const char *name = f->message     ? f->message->full_name
                       : f->enum_type ? f->enum_type->full_name
                                      : f->kind->name;
    size_t n = strlen(r->file->package);
    if ((f->message || f->enum_type) && n > 0 && strncmp(name, r->file->package, n) == 0 &&
        name[n] == '.')
        name += n + 1;
    return name;
}

static const char *decl_text(const reader *r, const cwg_field *f, const pb_field *pb)
{
    const char *label = "";
    if (f->shape == CWG_MAP)
        return cwg_printf(r->arena, "map<%s, %s> %s = %u", f->map->key->kind->name,
                          type_text(r, f->map->value), f->name, f->number);
    if (f->shape == CWG_REPEATED)
        label = "repeated ";
    else if (pb->label == LABEL_REQUIRED)
        label = "required ";
    else if (pb->proto3_optional || (r->edition == CWG_PROTO2 && f->shape == CWG_OPTIONAL))
        label = "optional ";
    return cwg_printf(r->arena, "%s%s%s %s = %u", label, pb->type == TYPE_GROUP ? "group " : "",
                      type_text(r, f), f->name, f->number);
}

static bool read_features(reader *r, const pb_field *pb, const message_decl *scope,
                          const cwg_oneof *oneof, const pb_oneof *oneof_pb, const char *full_name,
                          cwg_features *features)
{
    const Cwire__Plugin__FieldOptions *o = pb->options;
    *features = scope ? scope->features : r->features;
    if (oneof && oneof_pb->options &&
        !cwg__merge_features(r, features, oneof_pb->options->features, full_name))
        return false;
    if (o && !cwg__merge_features(r, features, o->features, full_name))
        return false;
    cwg_field_facts facts = {
        .label = pb->label,
        .proto3_optional = pb->proto3_optional,
        .is_group = pb->type == TYPE_GROUP,
        .packed = o && o->has_packed ? (o->packed ? 1 : 0) : -1,
    };
    cwg_features_of_field(features, &facts);
    return true;
}

static void set_tags(cwg_field *f, const cwg_features *features, bool in_entry)
{
    bool map = f->shape == CWG_MAP;
    f->is_group =
        f->message && !map && !in_entry && features->message_encoding == CWG_MESSAGE_DELIMITED;
    f->tag = make_tag(f->number, f->is_group ? CWG_WIRE_GROUP : (int)f->kind->wire);
    if (f->is_group)
        f->end_tag = make_tag(f->number, CWG_WIRE_END);
    if (f->shape != CWG_REPEATED || !f->kind->packable)
        return;
    f->packed_tag = make_tag(f->number, CWG_WIRE_LEN);
    f->packed = features->repeated == CWG_REPEATED_PACKED;
}

/* The oneof that pb names, or NULL in *oneof when there is none or it is synthetic. */
static bool find_oneof(reader *r, const pb_field *pb, const message_decl *scope, cwg_oneof **oneofs,
                       const char *full_name, cwg_oneof **oneof)
{
    *oneof = NULL;
    if (!pb->has_oneof_index)
        return !pb->proto3_optional || pb->extendee ||
               cwg__bad(r, full_name, "proto3 optional without its oneof");
    if (!scope || pb->extendee || !oneofs || pb->oneof_index < 0 ||
        (size_t)pb->oneof_index >= scope->pb->n_oneof_decl)
        return cwg__bad(r, full_name, "oneof index %d is not valid", (int)pb->oneof_index);
    *oneof = oneofs[pb->oneof_index];
    return true;
}

cwg_field *cwg__read_field(reader *r, const pb_field *pb, message_decl *scope, cwg_oneof **oneofs,
                           const char *path)
{
    const char *in = scope ? scope->full_name : r->file->package;
    cwg_field *f = cwg_new(r->arena, 1, sizeof *f);
    if (!cwg__is_identifier(pb->name)) {
        cwg__bad(r, in, "field name \"%s\" is no identifier", pb->name ? pb->name : "");
        return NULL;
    }
    f->name = cwg_dup(r->arena, pb->name);
    f->full_name = cwg_printf(r->arena, "%s%s%s", in, *in ? "." : "", f->name);
    symbol *extendee = NULL;
    if (pb->extendee) {
        extendee = find_type(r, f, pb->extendee);
        if (!extendee)
            return NULL;
        if (extendee->kind != SYMBOL_MESSAGE || !extendee->message->message) {
            cwg__bad(r, f->full_name, "%s cannot be extended", pb->extendee);
            return NULL;
        }
    }
    f->parent = extendee ? extendee->message->message : scope ? scope->message : NULL;
    if (!check_number(r, pb, f, extendee ? f->parent : NULL))
        return NULL;
    f->number = (uint32_t)pb->number;
    if (!pb->has_label || pb->label < LABEL_OPTIONAL || pb->label > LABEL_REPEATED ||
        (extendee && pb->label == LABEL_REQUIRED)) {
        cwg__bad(r, f->full_name, "label %d is not valid here", (int)pb->label);
        return NULL;
    }
    f->shape = pb->label == LABEL_REPEATED ? CWG_REPEATED : CWG_OPTIONAL;
    cwg_oneof *oneof;
    cwg_features features;
    if (!find_oneof(r, pb, scope, oneofs, f->full_name, &oneof) ||
        !read_features(r, pb, scope, oneof, oneof ? scope->pb->oneof_decl[pb->oneof_index] : NULL,
                       f->full_name, &features) ||
        !read_type(r, pb, f, scope) || !read_shape(r, pb, f, &features, oneof))
        return NULL;
    set_tags(f, &features, scope && !scope->message);
    f->validate_utf8 = f->kind->id == CWG_KIND_STRING && features.utf8 == CWG_UTF8_VERIFY;
    f->json_name = pb->json_name ? cwg_dup(r->arena, pb->json_name) : camel(f->name, r->arena);
    f->json_key = json_quote(f->json_name, r->arena);
    f->text_name = f->name;
    if (f->is_group && group_like(f, scope ? scope->message : NULL))
        f->text_name = f->message->name;
    f->decl = decl_text(r, f, pb);
    f->deprecated = pb->options && pb->options->deprecated;
    f->comments = cwg__comments(r, path);
    if (!cwg_default_set(f, pb->default_value, r->arena)) {
        cwg__bad(r, f->full_name, "default value \"%s\" is not valid here", pb->default_value);
        return NULL;
    }
    if (f->shape == CWG_IMPLICIT && f->has_default && scope && scope->message) {
        cwg__bad(r, f->full_name, "a field with implicit presence cannot have a default");
        return NULL;
    }
    return f;
}
