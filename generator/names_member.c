/* SPDX-License-Identifier: MIT */
/* names_member.c: members of messages and what is generated for them. The rules are in names.h. */
#include <string.h>

#include "names_internal.h"

/* More tries than a message can need: each one lets a oneof yield. */
#define MAX_TRIES 64

/* One message's names while they are looked for. */
typedef struct members {
    namer *namer;
    cwg_message *message;
    cwg_strmap scope;   /* members of the struct and of its unions */
    cwg_strmap globals; /* names at file scope made for this message */
} members;

/* The struct uses a type of this name: C++ forbids a member that is called like it. */
static bool is_used_type(const cwg_message *m, const char *name)
{
    if (strcmp(name, m->c_name) == 0)
        return true;
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->fields[i];
        const char *type = f->message     ? f->message->c_name
                           : f->enum_type ? f->enum_type->c_name
                                          : NULL;
        if (!type)
            continue;
        if (strcmp(name, type) == 0)
            return true;
        size_t n = strlen(type);
        if (f->message && strncmp(name, type, n) == 0 && strcmp(name + n, "_list") == 0)
            return true;
    }
    return false;
}

static bool is_free_global(const members *x, const char *name)
{
    return !cwg_map_get(&x->globals, name) && cwg__is_free(x->namer, name);
}

static bool is_free_member(const members *x, const char *name)
{
    return !cwg_map_get(&x->scope, name) &&
           !cwg_is_reserved(&x->namer->shared->reserved, name, CWG_SCOPE_MEMBER) &&
           !is_used_type(x->message, name);
}

static void take(members *x, cwg_strmap *map, const char *name, const char *proto)
{
    cwg_map_put(x->namer->arena, map, name, cwg_dup(x->namer->arena, proto));
}

/* T + verb + F for each verb of a list; with `first` F + verb. All free: taken, and true. */
static bool take_functions(members *x, const char *verbs, bool first, const char *name,
                           const char *proto, bool only_look)
{
    cwg_arena *a = x->namer->arena;
    char *list = cwg_dup(a, verbs);
    while (list) {
        char *end = strchr(list, ' ');
        if (end)
            *end++ = '\0';
        const char *function =
            cwg_printf(a, "%s_%s_%s", x->message->c_name, first ? name : list, first ? list : name);
        if (only_look && !is_free_global(x, function))
            return false;
        if (!only_look)
            take(x, &x->globals, function, proto);
        list = end;
    }
    return true;
}

/* What is generated for a field: verbs, and whether the field's name stands before them. "":
 * nothing. */
static const char *verbs_of(const cwg_field *f, bool *first)
{
    *first = f->shape == CWG_MAP;
    switch (f->shape) {
    case CWG_IMPLICIT:
        return "";
    case CWG_OPTIONAL:
    case CWG_REQUIRED:
    case CWG_ONEOF:
        return f->message ? "set clear mut" : "set clear";
    case CWG_REPEATED:
        return "add";
    case CWG_MAP:
        return "entry entry_list get put sort";
    }
    return "";
}

static void name_field(members *x, cwg_field *f)
{
    bool first;
    const char *verbs = verbs_of(f, &first);
    const char *name = f->name;
    if (cwg_is_reserved_pattern(name, CWG_SCOPE_MEMBER))
        name = cwg__add_underscore(x->namer, name);
    for (;; name = cwg__add_underscore(x->namer, name)) {
        if (!is_free_member(x, name))
            continue;
        if (f->oneof && (strcmp(name, "NOT_SET") == 0 || strcmp(name, "case") == 0))
            continue;
        if (*verbs && !take_functions(x, verbs, first, name, f->full_name, true))
            continue;
        break;
    }
    f->c_name = name;
    take(x, &x->scope, name, f->full_name);
    if (*verbs)
        take_functions(x, verbs, first, name, f->full_name, false);
    if (!f->map)
        return;
    f->map->c_name = cwg_printf(x->namer->arena, "%s_%s_entry", x->message->c_name, name);
    f->map->c_list_name = cwg_printf(x->namer->arena, "%s_list", f->map->c_name);
}

/* The union member and its case; keeps `o->c_name` as the least name to try. */
static void name_oneof(members *x, cwg_oneof *o)
{
    for (;; o->c_name = cwg__add_underscore(x->namer, o->c_name)) {
        o->c_case = cwg_printf(x->namer->arena, "%s_case", o->c_name);
        if (is_free_member(x, o->c_name) && is_free_member(x, o->c_case))
            break;
    }
    take(x, &x->scope, o->c_name, o->name);
    take(x, &x->scope, o->c_case, o->name);
}

/* The case type and its constants. False: one is taken, the oneof must yield. */
static bool name_constants(members *x, cwg_oneof *o)
{
    cwg_arena *a = x->namer->arena;
    const char *stem = cwg_printf(a, "%s_%s", x->message->c_name, o->c_name);
    const char *proto = cwg_printf(a, "%s.%s", x->message->full_name, o->name);
    o->c_case_type = cwg_printf(a, "%s_case", stem);
    o->c_not_set = cwg_printf(a, "%s_NOT_SET", stem);
    if (!is_free_global(x, o->c_case_type) || !is_free_global(x, o->c_not_set))
        return false;
    for (int i = 0; i < o->n_fields; i++) {
        if (!is_free_global(x, cwg_printf(a, "%s_%s", stem, o->fields[i]->c_name)))
            return false;
    }
    take(x, &x->globals, o->c_case_type, proto);
    take(x, &x->globals, o->c_not_set, proto);
    for (int i = 0; i < o->n_fields; i++)
        take(x, &x->globals, cwg_printf(a, "%s_%s", stem, o->fields[i]->c_name), proto);
    return true;
}

/* One try; false: a oneof has yielded, begin again. */
static bool try_members(members *x)
{
    cwg_message *m = x->message;
    memset(&x->scope, 0, sizeof x->scope);
    memset(&x->globals, 0, sizeof x->globals);
    take(x, &x->scope, "has", "has");
    take(x, &x->scope, "unknown", "unknown");
    for (int i = 0; i < m->n_oneofs; i++)
        name_oneof(x, m->oneofs[i]);
    for (int i = 0; i < m->n_fields; i++)
        name_field(x, m->fields[i]);
    for (int i = 0; i < m->n_oneofs; i++) {
        if (!name_constants(x, m->oneofs[i])) {
            m->oneofs[i]->c_name = cwg__add_underscore(x->namer, m->oneofs[i]->c_name);
            return false;
        }
    }
    return true;
}

bool cwg__name_members(namer *n, cwg_message *m)
{
    members x = {.namer = n, .message = m};
    for (int i = 0; i < m->n_oneofs; i++) {
        const char *name = m->oneofs[i]->name;
        bool pattern = cwg_is_reserved_pattern(name, CWG_SCOPE_MEMBER);
        m->oneofs[i]->c_name = pattern ? cwg__add_underscore(n, name) : name;
    }
    int tries = 0;
    while (!try_members(&x)) {
        if (++tries == MAX_TRIES)
            return false;
    }
    for (size_t i = 0; i < x.globals.cap; i++) {
        if (x.globals.keys[i])
            cwg__claim(n, x.globals.keys[i], m->full_name);
    }
    for (int i = 0; i < m->n_maps; i++)
        cwg_map_put(n->arena, &n->types, m->maps[i]->c_name, m->maps[i]);
    return true;
}
