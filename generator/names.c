/* SPDX-License-Identifier: MIT */
/* names.c: C identifiers; the rules are in names.h. */
#include "names.h"

#include <string.h>

#include "names_internal.h"

/* More rounds than any schema needs; a chain of clashes costs one each. */
#define MAX_ROUNDS 100

/* --- helpers shared with names_member.c ---------------------------------------------------------
 */

const char *cwg__add_underscore(namer *n, const char *name)
{
    return cwg_printf(n->arena, "%s_", name);
}

/*
 * The name could be an internal one of a type or extension of this file: TYPE__verb or
 * TYPE__FIELD_verb. Those never end in `_`, and what follows their `__` has no second one.
 */
static bool looks_internal(const namer *n, const char *name)
{
    size_t len = strlen(name);
    if (len == 0 || name[len - 1] == '_')
        return false;
    for (const char *p = strstr(name, "__"); p; p = strstr(p + 1, "__")) {
        if (p[2] == '_' || p == name || strstr(p + 2, "__"))
            continue;
        const char *type = cwg_dup_bytes(n->arena, name, (size_t)(p - name));
        if (cwg_map_get(&n->types, type))
            return true;
    }
    return false;
}

bool cwg__is_free(const namer *n, const char *name)
{
    return !cwg_map_get(&n->claims, name) &&
           !cwg_is_reserved(&n->shared->reserved, name, CWG_SCOPE_FILE) && !looks_internal(n, name);
}

bool cwg__claim(namer *n, const char *name, const char *proto)
{
    if (!cwg__is_free(n, name))
        return false;
    owner *o = cwg_new(n->arena, 1, sizeof *o);
    o->proto = proto;
    o->file = n->file;
    cwg_map_put(n->arena, &n->claims, name, o);
    return true;
}

/* The full name in C, rule 1, before anything yields. */
static const char *wanted_name(const namer *n, const char *full_name)
{
    const cwg_file *f = n->file;
    const cwg_options *o = n->shared->options;
    const char *prefix = f->is_wkt ? "" : o->prefix;
    size_t package = strlen(f->package);
    if (o->strip_package && !f->is_wkt && package > 0 &&
        strncmp(full_name, f->package, package) == 0)
        full_name += package + 1;
    char *name = cwg_printf(n->arena, "%s%s%s", prefix, *prefix ? "_" : "", full_name);
    for (char *p = name; *p; p++) {
        if (*p == '.')
            *p = '_';
    }
    return name;
}

/* A name at file scope to begin with: reserved patterns have their `_` already. */
static const char *first_name(const namer *n, const char *full_name)
{
    const char *name = wanted_name(n, full_name);
    if (cwg_is_reserved_pattern(name, CWG_SCOPE_FILE))
        name = cwg_printf(n->arena, "%s_", name);
    /* functions of a type cw_ would be cw__init: the runtime's own space */
    if (strcmp(name, "cw_") == 0 || strcmp(name, "CW_") == 0)
        name = cwg_printf(n->arena, "%s_", name);
    return name;
}

/* --- one round over a file ----------------------------------------------------------------------
 */

/* Claims TYPE + each suffix; false: one is taken. Suffixes are words separated by blanks. */
static bool claim_functions(namer *n, const char *type, const char *suffixes, const char *proto)
{
    char *list = cwg_dup(n->arena, suffixes);
    bool ok = true;
    while (ok && list) {
        char *end = strchr(list, ' ');
        if (end)
            *end++ = '\0';
        ok = cwg__claim(n, cwg_printf(n->arena, "%s_%s", type, list), proto);
        list = end;
    }
    return ok;
}

static void yield_type(namer *n, const char **c_name)
{
    *c_name = cwg__add_underscore(n, *c_name);
    n->changed = true;
}

static void claim_generated(namer *n)
{
    cwg_file *f = n->file;
    cwg__claim(n, cwg_printf(n->arena, "%s_file", f->ident), f->name);
    for (int i = 0; i < f->n_messages; i++) {
        cwg_message *m = f->messages[i];
        if (!claim_functions(n, m->c_name, CWG__MESSAGE_SUFFIXES, m->full_name))
            yield_type(n, &m->c_name);
    }
    for (int i = 0; i < f->n_enums; i++) {
        cwg_enum *e = f->enums[i];
        if (!claim_functions(n, e->c_name, CWG__ENUM_SUFFIXES, e->full_name))
            yield_type(n, &e->c_name);
    }
    for (int i = 0; i < f->n_extensions; i++) {
        cwg_extension *e = f->extensions[i];
        if (!claim_functions(n, e->c_name, CWG__EXTENSION_SUFFIXES, e->full_name))
            yield_type(n, &e->c_name);
    }
}

/* The user's types and constants yield to what is claimed. */
static void claim_types(namer *n)
{
    cwg_file *f = n->file;
    for (int i = 0; i < f->n_messages; i++) {
        if (!cwg__claim(n, f->messages[i]->c_name, f->messages[i]->full_name))
            yield_type(n, &f->messages[i]->c_name);
    }
    for (int i = 0; i < f->n_enums; i++) {
        if (!cwg__claim(n, f->enums[i]->c_name, f->enums[i]->full_name))
            yield_type(n, &f->enums[i]->c_name);
    }
    for (int i = 0; i < f->n_enums; i++) {
        cwg_enum *e = f->enums[i];
        for (int k = 0; k < e->n_values; k++) {
            const char *proto = cwg__value_name(n, e, k);
            e->values[k].c_name = first_name(n, proto);
            while (!cwg__claim(n, e->values[k].c_name, proto))
                e->values[k].c_name = cwg__add_underscore(n, e->values[k].c_name);
        }
    }
}

const char *cwg__value_name(const namer *n, const cwg_enum *e, int index)
{
    const char *scope = e->parent ? e->parent->full_name : e->file->package;
    return cwg_printf(n->arena, "%s%s%s", scope, *scope ? "." : "", e->values[index].name);
}

/* What has internal names, in this round, for looks_internal. */
static void note_types(namer *n)
{
    cwg_file *f = n->file;
    memset(&n->claims, 0, sizeof n->claims);
    memset(&n->types, 0, sizeof n->types);
    for (int i = 0; i < f->n_messages; i++)
        cwg_map_put(n->arena, &n->types, f->messages[i]->c_name, f->messages[i]);
    for (int i = 0; i < f->n_enums; i++)
        cwg_map_put(n->arena, &n->types, f->enums[i]->c_name, f->enums[i]);
    for (int i = 0; i < f->n_extensions; i++)
        cwg_map_put(n->arena, &n->types, f->extensions[i]->c_name, f->extensions[i]);
}

static bool resolve(namer *n)
{
    cwg_file *f = n->file;
    for (int i = 0; i < f->n_messages; i++)
        f->messages[i]->c_name = first_name(n, f->messages[i]->full_name);
    for (int i = 0; i < f->n_enums; i++)
        f->enums[i]->c_name = first_name(n, f->enums[i]->full_name);
    for (int i = 0; i < f->n_extensions; i++)
        f->extensions[i]->c_name = first_name(n, f->extensions[i]->full_name);
    for (int round = 0; round < MAX_ROUNDS; round++) {
        n->changed = false;
        note_types(n);
        claim_generated(n);
        for (int i = 0; i < f->n_messages && !n->changed; i++) {
            if (!cwg__name_members(n, f->messages[i]))
                return cwg_error(n->shared->diag, "%s: %s: no C names can be found for its members",
                                 f->name, f->messages[i]->full_name);
        }
        if (!n->changed)
            claim_types(n);
        if (!n->changed)
            return true;
    }
    return cwg_error(n->shared->diag, "%s: its C names clash in too many ways", f->name);
}

/* --- files ------------------------------------------------------------------------------------ */

static void name_file(namer *n)
{
    cwg_file *f = n->file;
    size_t len = strlen(f->name);
    if (len > 6 && strcmp(f->name + len - 6, ".proto") == 0)
        len -= 6;
    const char *prefix = f->is_wkt ? "" : n->shared->options->prefix;
    char *ident = cwg_printf(n->arena, "%s%s%.*s", prefix, *prefix ? "_" : "", (int)len, f->name);
    for (char *p = ident; *p; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z');
        if (!letter && !(*p >= '0' && *p <= '9'))
            *p = '_';
    }
    bool letter = (*ident >= 'a' && *ident <= 'z') || (*ident >= 'A' && *ident <= 'Z');
    f->ident = ident;
    if (!letter || strncmp(ident, "cw_", 3) == 0 || strncmp(ident, "CW_", 3) == 0 ||
        strcmp(ident, "cw") == 0 || strcmp(ident, "CW") == 0)
        f->ident = cwg_printf(n->arena, "proto_%s", ident);
    char *guard = cwg_printf(n->arena, "%s_CW_H", f->ident);
    for (char *p = guard; *p; p++)
        *p = *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
    f->guard = guard;
}

static void note_change(namer *n, const char *proto, const char *wanted, const char *got)
{
    if (strcmp(wanted, got) == 0)
        return;
    if (n->file->changed)
        n->file->changed[n->file->n_changed] = (cwg_changed_name){proto, wanted, got};
    n->file->n_changed++;
}

/* Run twice: counts, then writes the list. */
static void list_changes(namer *n)
{
    cwg_file *f = n->file;
    f->n_changed = 0;
    for (int i = 0; i < f->n_messages; i++) {
        const cwg_message *m = f->messages[i];
        note_change(n, m->full_name, wanted_name(n, m->full_name), m->c_name);
        for (int k = 0; k < m->n_oneofs; k++)
            note_change(n, cwg_printf(n->arena, "%s.%s", m->full_name, m->oneofs[k]->name),
                        m->oneofs[k]->name, m->oneofs[k]->c_name);
        for (int k = 0; k < m->n_fields; k++)
            note_change(n, m->fields[k]->full_name, m->fields[k]->name, m->fields[k]->c_name);
    }
    for (int i = 0; i < f->n_enums; i++) {
        const cwg_enum *e = f->enums[i];
        note_change(n, e->full_name, wanted_name(n, e->full_name), e->c_name);
        for (int k = 0; k < e->n_values; k++) {
            const char *proto = cwg__value_name(n, e, k);
            note_change(n, proto, wanted_name(n, proto), e->values[k].c_name);
        }
    }
    for (int i = 0; i < f->n_extensions; i++) {
        const cwg_extension *e = f->extensions[i];
        note_change(n, e->full_name, wanted_name(n, e->full_name), e->c_name);
    }
}

/* Rule 4. */
static bool join_all(shared *s, const namer *n)
{
    for (size_t i = 0; i < n->claims.cap; i++) {
        const char *name = n->claims.keys[i];
        owner *o = n->claims.values[i];
        const owner *other = name ? cwg_map_put(s->arena, &s->all, name, o) : NULL;
        if (other)
            return cwg_error(s->diag,
                             "%s: %s: its C name %s is also made from %s in %s; see the "
                             "options prefix and strip_package",
                             o->file->name, o->proto, name, other->proto, other->file->name);
    }
    owner *guard = cwg_new(s->arena, 1, sizeof *guard);
    *guard = (owner){"header guard", n->file};
    const owner *other = cwg_map_put(s->arena, &s->all, n->file->guard, guard);
    if (other)
        return cwg_error(s->diag, "%s: its header guard %s is also made from %s", n->file->name,
                         n->file->guard, other->file->name);
    return true;
}

/* --- texts made of names ------------------------------------------------------------------------
 */

static void finish_field(cwg_field *f, cwg_arena *a)
{
    f->c_type = f->map         ? f->map->c_name
                : f->message   ? f->message->c_name
                : f->enum_type ? f->enum_type->c_name
                               : f->kind->c_type;
    if (f->shape == CWG_MAP)
        f->c_list_type = f->map->c_list_name;
    else if (f->shape == CWG_REPEATED)
        f->c_list_type =
            f->message ? cwg_printf(a, "%s_list", f->message->c_name) : f->kind->c_list;
    if (f->default_value)
        f->default_c = f->default_value->c_name;
    else if (f->enum_type)
        f->default_c = "0";
    if (f->map) {
        f->map->key->c_name = "key";
        f->map->value->c_name = "value";
        finish_field(f->map->key, a);
        finish_field(f->map->value, a);
    }
}

static void finish_file(cwg_file *f, cwg_arena *a)
{
    for (int i = 0; i < f->n_messages; i++) {
        for (int k = 0; k < f->messages[i]->n_fields; k++)
            finish_field(f->messages[i]->fields[k], a);
    }
    for (int i = 0; i < f->n_extensions; i++) {
        f->extensions[i]->field->c_name = f->extensions[i]->c_name;
        finish_field(f->extensions[i]->field, a);
    }
}

bool cwg_names_assign(cwg_model *model, const cwg_options *o, cwg_diag *d)
{
    shared s = {
        .arena = d->arena, .diag = d, .options = o, .reserved = cwg_reserved_words(d->arena)};
    for (int i = 0; i < model->n_files; i++) {
        namer n = {.shared = &s, .arena = d->arena, .file = model->files[i]};
        name_file(&n);
        if (!resolve(&n) || !join_all(&s, &n))
            return false;
        list_changes(&n);
        n.file->changed = cwg_new(d->arena, (size_t)n.file->n_changed + 1, sizeof *n.file->changed);
        list_changes(&n);
    }
    for (int i = 0; i < model->n_files; i++)
        finish_file(model->files[i], d->arena);
    return true;
}
