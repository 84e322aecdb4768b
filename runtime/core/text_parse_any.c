/* SPDX-License-Identifier: MIT */
/*
 * text_parse_any.c: messages that are kept as bytes: the value of an Any, and extensions. They are
 * parsed to a struct, which is then encoded.
 */
#include "cwire/extension.h"

#include "any.h"
#include "text_reader.h"
#include "text_shared.h"

/* A new message of the type; NULL: failed. */
static void *new_message(cw__text_reader *r, const cw_type *t)
{
    void *m = cw_arena_alloc(r->arena, t->struct_size);
    if (!m) {
        cw__text_fail_memory(r, r->token.at);
        return NULL;
    }
    t->init(m);
    return m;
}

/* Maps that wait for a message's end: before it is encoded. */
static bool sort_maps(cw__text_reader *r, const cw_type *t, void *m)
{
    return !r->maps_unsorted || !t->sort_maps || t->sort_maps(m, r->arena) ||
           cw__text_fail_memory(r, r->token.at);
}

/* ---- Any --------------------------------------------------------------------------------------
 */

/* `{ ... }` as a message of type t, encoded. */
static bool any_value(cw__text_reader *r, const cw_type *t, cw_bytes *value, int depth)
{
    void *m = new_message(r, t);
    if (!m || !cw__text_message(r, t, m, depth) || !sort_maps(r, t, m)) {
        return false;
    }
    r->status = cw__any_encode(t, m, r->arena, depth - 1, r->allow_partial, value, r->error);
    return r->status == CW_OK;
}

bool cw__text_any(cw__text_reader *r, const cw_type *any, void *m, int depth)
{
    const char *at = r->token.at;
    cw__text_name name;
    if (!cw__text_bracketed(r, &name)) {
        return false;
    }
    cw__arena_take_front(r->arena, r->arena->ptr + name.whole.len + 1);
    if (name.prefix == 0) {
        return cw__text_fail(r, CW_ERR_SYNTAX, at, "a type in an Any needs a domain before it");
    }
    if (!r->overwrite && !(cw__text_first(r, 0) && cw__text_first(r, 1))) {
        return cw__text_fail(r, CW_ERR_DUPLICATE, at, NULL);
    }
    const cw_type *t = cw__any_type(r->root->file, r->types, name.whole);
    bool outer = r->maps_unsorted;
    cw_bytes value = {NULL, 0};
    r->maps_unsorted = false;
    cw__text_take(r, ':');
    bool ok = t ? any_value(r, t, &value, depth) : cw__text_fail(r, CW_ERR_UNKNOWN_TYPE, at, NULL);
    r->maps_unsorted = outer;
    if (!ok) {
        cw__any_fail_at(r->error, name.whole);
        return false;
    }
    memcpy((char *)m + any->fields[0].offset, &name.whole, sizeof name.whole);
    memcpy((char *)m + any->fields[1].offset, &value, sizeof value);
    return true;
}

/* ---- extensions -------------------------------------------------------------------------------
 */

static bool names(cw_str name, const char *full_name)
{
    return cw_str_equal(name, cw_str_from(full_name));
}

/* A message set's extension may go by its message's name, when it is declared in there. */
static const cw_extension *find_by_type(cw__text_reader *r, const cw_type *set, cw_str full_name)
{
    const cw_type *t = cw_file_find_type(r->root->file, full_name);
    t = t ? t : cw_registry_find_type(r->types, full_name);
    for (uint32_t i = 0; t && i < t->file->n_extensions; i++) {
        const cw_extension *x = t->file->extensions[i];
        if (x->extendee == set && x->field->message == t && cw__text_named_by_type(x)) {
            return x;
        }
    }
    return NULL;
}

/* The extension of message type t; NULL: there is none of this name. */
static const cw_extension *find_extension(cw__text_reader *r, const cw_type *t, cw_str name)
{
    const cw_extension *x = r->extension;
    if (x && x->extendee == t && names(name, x->full_name)) {
        return x;
    }
    x = cw_file_find_extension(r->root->file, name);
    x = x ? x : cw_registry_find_extension(r->types, name);
    if (!x && t->is_message_set) {
        return find_by_type(r, t, name);
    }
    if (!x || x->extendee != t) {
        return NULL;
    }
    r->extension = x;
    return x;
}

/* An extension on its way to the unknown fields. */
typedef struct adding {
    const cw_extension *extension;
    cw__ext ext;
    cw__ext_message message;
    cw_unknown **unknown;
    const char *at; /* its name */
} adding;

static bool add(cw__text_reader *r, const adding *x, const void *value)
{
    cw_status st = cw__ext_add(x->unknown, &x->ext, r->arena, value, NULL);
    return st == CW_OK || cw__text_fail(r, st, x->at, NULL);
}

/* A message that is to be added: its end, as cw__text_parse's. */
static bool finish(cw__text_reader *r, const cw_type *t, void *m, int depth)
{
    if (!sort_maps(r, t, m)) {
        return false;
    }
    if (!r->allow_partial && t->required && !t->required(m, r->error, depth)) {
        r->status = CW_ERR_REQUIRED;
        return false;
    }
    return true;
}

static bool add_list(cw__text_reader *r, const adding *x, int depth)
{
    const cw_field *f = x->extension->field;
    cw_list_view list = {NULL, 0, 0};
    if (!cw__text_list(r, f, x->ext.element_size, NULL, &list, depth)) {
        return false;
    }
    for (size_t i = 0; f->message && i < list.len; i++) {
        if (!finish(r, f->message, (char *)list.data + i * x->ext.element_size, depth - 1)) {
            return cw__text_fail_at(r, NULL, i);
        }
    }
    return add(r, x, &list);
}

static bool add_singular(cw__text_reader *r, const adding *x, int depth)
{
    const cw_field *f = x->extension->field;
    if (f->message) {
        void *m = new_message(r, f->message);
        return m && cw__text_message(r, f->message, m, depth) &&
               finish(r, f->message, m, depth - 1) && add(r, x, m);
    }
    union {
        cw_str s;
        uint64_t number;
        double real;
    } value;
    bool ignored;
    return cw__text_value(r, f, &value, &ignored) && (ignored || add(r, x, &value));
}

static bool add_extension(cw__text_reader *r, adding *x, int depth)
{
    cw__ext_of(x->extension, &x->ext, &x->message);
    x->message.required = NULL; /* is looked at here */
    if (!x->ext.repeated && !r->overwrite && cw__ext_has(*x->unknown, &x->ext)) {
        return cw__text_fail(r, CW_ERR_DUPLICATE, x->at, NULL);
    }
    if (!cw__text_colon(r, x->extension->field)) {
        return false;
    }
    return x->ext.repeated ? add_list(r, x, depth) : add_singular(r, x, depth);
}

bool cw__text_extension(cw__text_reader *r, const cw_type *t, void *m, int depth)
{
    const char *at = r->token.at;
    cw__text_name name;
    if (!cw__text_bracketed(r, &name)) {
        return false;
    }
    if (name.prefix > 0) {
        return cw__text_fail(r, CW_ERR_SYNTAX, at, "a domain in an extension's name");
    }
    adding x = {.extension = find_extension(r, t, name.whole), .at = at};
    cw__arena_take_front(r->arena, r->arena->ptr + name.whole.len + 1);
    bool outer = r->maps_unsorted;
    r->maps_unsorted = false;
    bool ok;
    if (x.extension) {
        x.unknown = cw__text_unknown_of(t, m);
        ok = add_extension(r, &x, depth);
    } else {
        ok = cw__text_unknown(r, at, depth);
    }
    r->maps_unsorted = outer;
    if (!ok) {
        cw__any_fail_at(r->error, name.whole);
    }
    return ok;
}
