/* SPDX-License-Identifier: MIT */
/* request.c: files, messages, enums, oneofs, extensions and imports of the request. See request.h.
 */
#include "request.h"

#include <string.h>

#include "request_internal.h"
#include "scan.h"

/* --- small helpers ---------------------------------------------------------------------------- */

bool cwg__bad(reader *r, const char *element, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    const char *reason = cwg_vprintf(r->arena, format, ap);
    va_end(ap);
    const char *file = r->file && r->file->name ? r->file->name : "request";
    if (!element || !*element)
        return cwg_error(r->diag, "%s: %s", file, reason);
    return cwg_error(r->diag, "%s: %s: %s", file, element, reason);
}

bool cwg__is_identifier(const char *s)
{
    if (!s || !*s || (*s >= '0' && *s <= '9'))
        return false;
    for (; *s; s++) {
        bool letter = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
        if (!letter && !(*s >= '0' && *s <= '9') && *s != '_')
            return false;
    }
    return true;
}

/* Identifiers between dots. "" is no package. */
static bool is_package(const char *s, cwg_arena *a)
{
    char *part = cwg_dup(a, s);
    while (part && *s) {
        char *dot = strchr(part, '.');
        if (dot)
            *dot = '\0';
        if (!cwg__is_identifier(part))
            return false;
        part = dot ? dot + 1 : NULL;
    }
    return true;
}

static const char *join(reader *r, const char *scope, const char *name)
{
    return *scope ? cwg_printf(r->arena, "%s.%s", scope, name) : cwg_dup(r->arena, name);
}

bool cwg__merge_features(reader *r, cwg_features *base, const pb_features *over,
                         const char *element)
{
    if (!over)
        return true;
    cwg_features set = {
        .presence = over->field_presence,
        .enum_type = over->enum_type,
        .repeated = over->repeated_field_encoding,
        .utf8 = over->utf8_validation,
        .message_encoding = over->message_encoding,
        .json = over->json_format,
    };
    const char *unknown = cwg_features_merge(base, &set);
    return !unknown || cwg__bad(r, element, "feature %s has a value that is not known", unknown);
}

/* --- comments --------------------------------------------------------------------------------- */

/* A location's path as "4,0,2,1"; NULL when it is malformed. */
static char *path_text(reader *r, const pb_location *l)
{
    const uint8_t *p = l->path.data;
    const uint8_t *end = p + l->path.len;
    char *text = cwg_new(r->arena, l->path.len * 12 + 1, 1);
    char *to = text;
    while (p < end) {
        uint64_t v;
        if (!cwg_scan_varint(&p, end, &v) || v > INT32_MAX)
            return NULL;
        const char *n = cwg_printf(r->arena, to == text ? "%u" : ",%u", (unsigned)v);
        to = strcpy(to, n) + strlen(n);
    }
    return text;
}

static void collect_comments(reader *r, const pb_file *pb)
{
    for (size_t i = 0; pb->source_code_info && i < pb->source_code_info->n_location; i++) {
        pb_location *l = pb->source_code_info->location[i];
        bool some = (l->leading_comments && *l->leading_comments) ||
                    (l->trailing_comments && *l->trailing_comments);
        char *path = some && l->path.len > 0 && l->path.len < 4096 ? path_text(r, l) : NULL;
        if (path)
            cwg_map_put(r->arena, &r->comments, path, l);
    }
}

cwg_comments cwg__comments(reader *r, const char *path)
{
    const pb_location *l = cwg_map_get(&r->comments, path);
    cwg_comments c = {NULL, NULL};
    if (l && l->leading_comments && *l->leading_comments)
        c.leading = cwg_dup(r->arena, l->leading_comments);
    if (l && l->trailing_comments && *l->trailing_comments)
        c.trailing = cwg_dup(r->arena, l->trailing_comments);
    return c;
}

/* --- declarations: every type's name is known before fields are read ---------------------------
 */

static bool declare(reader *r, const char *full_name, symbol_kind kind, message_decl *message,
                    cwg_enum *e)
{
    symbol *s = cwg_new(r->arena, 1, sizeof *s);
    *s = (symbol){kind, message, e, r->file};
    const symbol *other = cwg_map_put(r->arena, &r->symbols, full_name, s);
    return !other || cwg__bad(r, full_name, "is declared twice, also in %s", other->file->name);
}

static bool read_enum(reader *r, const pb_enum *pb, message_decl *parent, const char *path)
{
    const char *scope = parent ? parent->full_name : r->file->package;
    if (!cwg__is_identifier(pb->name))
        return cwg__bad(r, scope, "enum name \"%s\" is no identifier", pb->name ? pb->name : "");
    cwg_enum *e = cwg_new(r->arena, 1, sizeof *e);
    e->name = cwg_dup(r->arena, pb->name);
    e->full_name = join(r, scope, e->name);
    e->file = r->file;
    e->parent = parent ? parent->message : NULL;
    e->comments = cwg__comments(r, path);
    cwg_features features = parent ? parent->features : r->features;
    if (pb->options) {
        e->deprecated = pb->options->deprecated;
        e->allow_alias = pb->options->allow_alias;
        if (!cwg__merge_features(r, &features, pb->options->features, e->full_name))
            return false;
    }
    e->closed = features.enum_type == CWG_ENUM_CLOSED;
    if (pb->n_value == 0 || pb->n_value > INT32_MAX)
        return cwg__bad(r, e->full_name, "an enum needs a value");
    e->n_values = (int)pb->n_value;
    e->values = cwg_new(r->arena, pb->n_value, sizeof *e->values);
    cwg_strmap numbers = {0};
    for (int i = 0; i < e->n_values; i++) {
        const Cwire__Plugin__EnumValueDescriptorProto *v = pb->value[i];
        if (!cwg__is_identifier(v->name))
            return cwg__bad(r, e->full_name, "value name \"%s\" is no identifier",
                            v->name ? v->name : "");
        e->values[i].name = cwg_dup(r->arena, v->name);
        e->values[i].number = v->number;
        e->values[i].deprecated = v->options && v->options->deprecated;
        e->values[i].comments = cwg__comments(r, cwg_printf(r->arena, "%s,2,%d", path, i));
        const char *key = cwg_printf(r->arena, "%d", (int)v->number);
        e->values[i].is_alias = cwg_map_put(r->arena, &numbers, key, e) != NULL;
        if (!declare(r, join(r, scope, e->values[i].name), SYMBOL_OTHER, NULL, NULL))
            return false;
    }
    if (!e->closed && e->values[0].number != 0)
        return cwg__bad(r, e->full_name, "the first value of an open enum must be 0");
    e->index = r->file->n_enums;
    r->file->enums[r->file->n_enums++] = e;
    return declare(r, e->full_name, SYMBOL_ENUM, NULL, e);
}

static void add_decl(reader *r, message_decl *d)
{
    if (r->n_decls == r->cap_decls) {
        int cap = r->cap_decls ? r->cap_decls * 2 : 64;
        message_decl **bigger = cwg_new(r->arena, (size_t)cap, sizeof *bigger);
        if (r->n_decls > 0)
            memcpy(bigger, r->decls, (size_t)r->n_decls * sizeof *bigger);
        r->decls = bigger;
        r->cap_decls = cap;
    }
    r->decls[r->n_decls++] = d;
}

/* The well-known types whose JSON is not that of an ordinary message. */
static bool has_own_json(const char *full_name)
{
    static const char *const names[] = {"Any",        "BoolValue",   "BytesValue",  "DoubleValue",
                                        "Duration",   "FieldMask",   "FloatValue",  "Int32Value",
                                        "Int64Value", "ListValue",   "StringValue", "Struct",
                                        "Timestamp",  "UInt32Value", "UInt64Value", "Value"};
    static const char package[] = "google.protobuf.";
    if (strncmp(full_name, package, sizeof package - 1) != 0)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(full_name + sizeof package - 1, names[i]) == 0)
            return true;
    }
    return false;
}

static cwg_message *new_message(reader *r, const pb_message *pb, message_decl *d)
{
    cwg_message *m = cwg_new(r->arena, 1, sizeof *m);
    m->name = cwg_dup(r->arena, pb->name);
    m->full_name = d->full_name;
    m->own_json = r->file->is_wkt && has_own_json(m->full_name);
    m->comments = cwg__comments(r, d->path);
    m->file = r->file;
    m->parent = d->parent ? d->parent->message : NULL;
    m->deprecated = pb->options && pb->options->deprecated;
    m->is_message_set = pb->options && pb->options->message_set_wire_format;
    m->index = r->file->n_messages;
    r->file->messages[r->file->n_messages++] = m;
    return m;
}

/* Declares a message and what is nested in it. Depth is bounded by the scan of the request. */
static bool declare_message(reader *r, const pb_message *pb, message_decl *parent, const char *path)
{
    const char *scope = parent ? parent->full_name : r->file->package;
    if (!cwg__is_identifier(pb->name))
        return cwg__bad(r, scope, "message name \"%s\" is no identifier", pb->name ? pb->name : "");
    message_decl *d = cwg_new(r->arena, 1, sizeof *d);
    d->pb = pb;
    d->parent = parent;
    d->full_name = join(r, scope, pb->name);
    d->path = path;
    d->features = parent ? parent->features : r->features;
    if (pb->options && !cwg__merge_features(r, &d->features, pb->options->features, d->full_name))
        return false;
    if (!pb->options || !pb->options->map_entry)
        d->message = new_message(r, pb, d);
    else if (!parent || !parent->message)
        return cwg__bad(r, d->full_name, "a map entry type must be nested in a message");
    add_decl(r, d);
    if (!declare(r, d->full_name, SYMBOL_MESSAGE, d, NULL))
        return false;
    for (size_t i = 0; i < pb->n_nested_type; i++) {
        if (!d->message)
            return cwg__bad(r, d->full_name, "a map entry type cannot have nested types");
        if (!declare_message(r, pb->nested_type[i], d, cwg_printf(r->arena, "%s,3,%zu", path, i)))
            return false;
    }
    for (size_t i = 0; i < pb->n_enum_type; i++) {
        if (!d->message)
            return cwg__bad(r, d->full_name, "a map entry type cannot have nested types");
        if (!read_enum(r, pb->enum_type[i], d, cwg_printf(r->arena, "%s,4,%zu", path, i)))
            return false;
    }
    return true;
}

/* --- members of messages ------------------------------------------------------------------------
 */

/* Real oneofs by descriptor index, NULL where it belongs to a proto3 `optional`. NULL: error set.
 */
static cwg_oneof **read_oneofs(reader *r, message_decl *d)
{
    const pb_message *pb = d->pb;
    cwg_message *m = d->message;
    size_t n = pb->n_oneof_decl;
    cwg_oneof **all = cwg_new(r->arena, n + 1, sizeof *all);
    size_t *members = cwg_new(r->arena, n + 1, sizeof *members);
    size_t *optional = cwg_new(r->arena, n + 1, sizeof *optional);
    for (size_t i = 0; i < pb->n_field; i++) {
        const pb_field *f = pb->field[i];
        if (!f->has_oneof_index || f->oneof_index < 0 || (size_t)f->oneof_index >= n)
            continue; /* read_field complains */
        members[f->oneof_index]++;
        optional[f->oneof_index] += f->proto3_optional ? 1 : 0;
    }
    m->oneofs = cwg_new(r->arena, n + 1, sizeof *m->oneofs);
    for (size_t i = 0; i < n; i++) {
        const char *name = pb->oneof_decl[i]->name;
        if (!cwg__is_identifier(name)) {
            cwg__bad(r, d->full_name, "oneof name \"%s\" is no identifier", name ? name : "");
            return NULL;
        }
        if (members[i] == 0 || (optional[i] != 0 && members[i] != 1)) {
            cwg__bad(r, d->full_name, "oneof %s has %s", name,
                     members[i] == 0 ? "no members" : "a proto3 optional field among its members");
            return NULL;
        }
        if (optional[i] != 0)
            continue;
        cwg_oneof *o = cwg_new(r->arena, 1, sizeof *o);
        o->name = cwg_dup(r->arena, name);
        o->parent = m;
        o->fields = cwg_new(r->arena, members[i], sizeof(cwg_field *));
        o->comments = cwg__comments(r, cwg_printf(r->arena, "%s,8,%zu", d->path, i));
        all[i] = o;
        m->oneofs[m->n_oneofs++] = o;
    }
    return all;
}

static bool read_ranges(reader *r, const cwg_message *m, Cwire__Plugin__Range *const *from,
                        size_t n, cwg_range **to, int *n_to)
{
    *to = cwg_new(r->arena, n + 1, sizeof **to);
    for (size_t i = 0; i < n; i++) {
        if (from[i]->start <= 0 || from[i]->end <= from[i]->start)
            return cwg__bad(r, m->full_name, "range %d to %d is not valid", (int)from[i]->start,
                            (int)from[i]->end);
        (*to)[(*n_to)++] = (cwg_range){(uint32_t)from[i]->start, (uint32_t)from[i]->end};
    }
    return true;
}

static bool read_members(reader *r, message_decl *d)
{
    const pb_message *pb = d->pb;
    cwg_message *m = d->message;
    if (pb->n_field > INT32_MAX / 2 || pb->n_oneof_decl > INT32_MAX / 2)
        return cwg__bad(r, d->full_name, "too many fields");
    cwg_oneof **oneofs = read_oneofs(r, d);
    if (!oneofs)
        return false;
    m->fields = cwg_new(r->arena, pb->n_field + 1, sizeof(cwg_field *));
    m->maps = cwg_new(r->arena, pb->n_field + 1, sizeof(cwg_map *));
    for (size_t i = 0; i < pb->n_field; i++) {
        if (pb->field[i]->extendee)
            return cwg__bad(r, d->full_name,
                            "a member of the message says that it is an extension");
        const char *path = cwg_printf(r->arena, "%s,2,%zu", d->path, i);
        cwg_field *f = cwg__read_field(r, pb->field[i], d, oneofs, path);
        if (!f)
            return false;
        m->fields[m->n_fields++] = f;
        if (f->map)
            m->maps[m->n_maps++] = f->map;
        if (f->oneof) {
            f->oneof_index = f->oneof->n_fields;
            f->oneof->fields[f->oneof->n_fields++] = f;
        }
    }
    m->reserved_names = cwg_new(r->arena, pb->n_reserved_name + 1, sizeof(char *));
    for (size_t i = 0; i < pb->n_reserved_name; i++)
        m->reserved_names[m->n_reserved_names++] = cwg_dup(r->arena, pb->reserved_name[i]);
    return read_ranges(r, m, pb->extension_range, pb->n_extension_range, &m->extension_ranges,
                       &m->n_extension_ranges) &&
           read_ranges(r, m, pb->reserved_range, pb->n_reserved_range, &m->reserved_ranges,
                       &m->n_reserved_ranges);
}

static bool read_extension(reader *r, const pb_field *pb, message_decl *scope, const char *path)
{
    if (!pb->extendee)
        return cwg__bad(r, scope ? scope->full_name : "",
                        "an extension without the type it extends");
    const symbol *s = pb->extendee[0] == '.' ? cwg_map_get(&r->symbols, pb->extendee + 1) : NULL;
    if (s && strcmp(s->file->name, DESCRIPTOR_PROTO) == 0 && !s->file->generate)
        return true; /* an option: nothing that a message carries */
    cwg_field *f = cwg__read_field(r, pb, scope, NULL, path);
    if (!f)
        return false;
    if (f->map)
        return cwg__bad(r, f->full_name, "an extension cannot be a map");
    cwg_extension *e = cwg_new(r->arena, 1, sizeof *e);
    e->full_name = f->full_name;
    e->json_name = cwg_printf(r->arena, "[%s]", f->full_name);
    e->field = f;
    e->extendee = f->parent;
    e->scope = scope ? scope->message : NULL;
    e->file = r->file;
    f->index = r->file->n_extensions;
    r->file->extensions[r->file->n_extensions++] = e;
    return declare(r, e->full_name, SYMBOL_OTHER, NULL, NULL);
}

static bool in_ranges(const cwg_message *m, uint32_t number)
{
    for (int i = 0; i < m->n_extension_ranges; i++) {
        if (number >= m->extension_ranges[i].start && number < m->extension_ranges[i].end)
            return true;
    }
    return false;
}

/* --- files ------------------------------------------------------------------------------------ */

static void count_types(const pb_message *pb, size_t *messages, size_t *enums, size_t *extensions)
{
    *messages += 1;
    *enums += pb->n_enum_type;
    *extensions += pb->n_extension;
    for (size_t i = 0; i < pb->n_nested_type; i++)
        count_types(pb->nested_type[i], messages, enums, extensions);
}

static bool read_edition(reader *r, const pb_file *pb)
{
    const char *syntax = pb->syntax && *pb->syntax ? pb->syntax : "proto2";
    r->edition = CWG_PROTO2;
    if (strcmp(syntax, "proto3") == 0)
        r->edition = CWG_PROTO3;
    else if (strcmp(syntax, "editions") == 0)
        r->edition = pb->edition;
    else if (strcmp(syntax, "proto2") != 0)
        return cwg__bad(r, NULL, "syntax \"%s\" is not known", syntax);
    if (!cwg_features_default(r->edition, &r->features))
        return cwg__bad(r, NULL, "edition %d is not known; editions 2023 and 2024 are", r->edition);
    r->file->edition = r->edition == CWG_PROTO2         ? "proto2"
                       : r->edition == CWG_PROTO3       ? "proto3"
                       : r->edition == CWG_EDITION_2023 ? "edition 2023"
                                                        : "edition 2024";
    return !pb->options || cwg__merge_features(r, &r->features, pb->options->features, NULL);
}

/* All of a file's types, then all of its fields. */
static bool read_contents(reader *r, const pb_file *pb)
{
    cwg_file *f = r->file;
    size_t messages = 0, enums = pb->n_enum_type, extensions = pb->n_extension;
    for (size_t i = 0; i < pb->n_message_type; i++)
        count_types(pb->message_type[i], &messages, &enums, &extensions);
    f->messages = cwg_new(r->arena, messages + 1, sizeof(cwg_message *));
    f->enums = cwg_new(r->arena, enums + 1, sizeof(cwg_enum *));
    f->extensions = cwg_new(r->arena, extensions + 1, sizeof(cwg_extension *));
    r->n_decls = 0;
    for (size_t i = 0; i < pb->n_message_type; i++) {
        if (!declare_message(r, pb->message_type[i], NULL, cwg_printf(r->arena, "4,%zu", i)))
            return false;
    }
    for (size_t i = 0; i < pb->n_enum_type; i++) {
        if (!read_enum(r, pb->enum_type[i], NULL, cwg_printf(r->arena, "5,%zu", i)))
            return false;
    }
    for (int i = 0; i < r->n_decls; i++) {
        if (r->decls[i]->message && !read_members(r, r->decls[i]))
            return false;
    }
    for (int i = 0; i < r->n_decls; i++) {
        message_decl *d = r->decls[i];
        if (!d->message && !d->map_used)
            return cwg__bad(r, d->full_name, "a map entry type without its field");
        for (size_t k = 0; k < d->pb->n_extension; k++) {
            const char *path = cwg_printf(r->arena, "%s,6,%zu", d->path, k);
            if (!read_extension(r, d->pb->extension[k], d, path))
                return false;
        }
    }
    for (size_t i = 0; i < pb->n_extension; i++) {
        if (!read_extension(r, pb->extension[i], NULL, cwg_printf(r->arena, "7,%zu", i)))
            return false;
    }
    for (int i = 0; i < f->n_extensions; i++) {
        const cwg_extension *e = f->extensions[i];
        if (!in_ranges(e->extendee, e->field->number))
            return cwg__bad(r, e->full_name, "number %u is not in an extension range of %s",
                            e->field->number, e->extendee->full_name);
    }
    return true;
}

static bool read_file(reader *r, const pb_file *pb, const cwg_strmap *wanted)
{
    cwg_file *f = cwg_new(r->arena, 1, sizeof *f);
    r->file = f;
    if (!pb->name || !*pb->name)
        return cwg__bad(r, NULL, "a file without a name");
    f->name = cwg_dup(r->arena, pb->name);
    f->package = cwg_dup(r->arena, pb->package ? pb->package : "");
    f->generate = cwg_map_get(wanted, f->name) != NULL;
    if (!is_package(f->package, r->arena))
        return cwg__bad(r, NULL, "package \"%s\" is no list of identifiers", f->package);
    memset(&r->used, 0, sizeof r->used);
    memset(&r->comments, 0, sizeof r->comments);
    f->is_wkt = cwg__is_well_known(f->name);
    /* The well-known types' comments are not ours to ship. */
    if (!f->is_wkt)
        collect_comments(r, pb);
    f->comments = cwg__comments(r, pb->edition ? "14" : "12");
    if (!f->comments.leading)
        f->comments = cwg__comments(r, "2");
    if (!cwg__set_paths(r) || !read_edition(r, pb) || !read_contents(r, pb) ||
        !cwg__read_imports(r, pb))
        return false;
    if (cwg_map_put(r->arena, &r->files, f->name, f))
        return cwg__bad(r, NULL, "is in the request twice");
    r->model->files[r->model->n_files++] = f;
    return true;
}

static bool read_all(reader *r, const Cwire__Plugin__CodeGeneratorRequest *pb)
{
    cwg_strmap wanted = {0};
    for (size_t i = 0; i < pb->n_file_to_generate; i++)
        cwg_map_put(r->arena, &wanted, pb->file_to_generate[i], pb->file_to_generate[i]);
    r->model->files = cwg_new(r->arena, pb->n_proto_file + 1, sizeof(cwg_file *));
    for (size_t i = 0; i < pb->n_proto_file; i++) {
        if (!read_file(r, pb->proto_file[i], &wanted))
            return false;
    }
    for (size_t i = 0; i < pb->n_file_to_generate; i++) {
        if (!cwg_map_get(&r->files, pb->file_to_generate[i]))
            return cwg_error(r->diag, "%s: is to be generated but not in the request",
                             pb->file_to_generate[i]);
    }
    return true;
}

bool cwg_request_read(const uint8_t *data, size_t len, cwg_model *model, const char **parameter,
                      cwg_diag *d)
{
    memset(model, 0, sizeof *model);
    *parameter = NULL;
    if (!cwg_scan_request(data, len, d))
        return false;
    Cwire__Plugin__CodeGeneratorRequest *pb =
        cwire__plugin__code_generator_request__unpack(NULL, len, data);
    if (!pb)
        return cwg_error(d, "malformed CodeGeneratorRequest");
    reader r = {.arena = d->arena, .diag = d, .model = model};
    *parameter = cwg_dup(d->arena, pb->parameter);
    bool ok = read_all(&r, pb);
    cwire__plugin__code_generator_request__free_unpacked(pb, NULL);
    return ok;
}
