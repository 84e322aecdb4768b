/* SPDX-License-Identifier: MIT */
/* type.c: look-ups in the tables of generated files. */
#include "cwire/type.h"

/* Most files that one search follows imports through; all files of a registry are searched. */
#define FILES_MAX 512

/* The files of a search: each once, in breadth-first order, since imports form a graph in which
 * paths can be far more numerous than files. */
typedef struct visit {
    const cw_file *files[FILES_MAX];
    size_t len;
    uint16_t slots[2 * FILES_MAX]; /* hash table: place in `files` + 1, 0 is free */
} visit;

/* False: there is no room for it. */
static bool visit_add(visit *v, const cw_file *f)
{
    const uint32_t mask = 2 * FILES_MAX - 1;
    uint32_t slot = ((uint32_t)((uintptr_t)f >> 4) * 0x9e3779b1u >> 16) & mask;
    for (; v->slots[slot] != 0; slot = (slot + 1) & mask) {
        if (v->files[v->slots[slot] - 1] == f) {
            return true;
        }
    }
    if (v->len == FILES_MAX) {
        return false;
    }
    v->files[v->len++] = f;
    v->slots[slot] = (uint16_t)v->len;
    return true;
}

/* Puts the imports of the i-th file at the end. */
static void visit_imports(visit *v, size_t i)
{
    const cw_file *f = v->files[i];
    for (uint32_t k = 0; k < f->n_imports; k++) {
        visit_add(v, f->imports[k]);
    }
}

static bool is(const char *name, cw_str s)
{
    return strlen(name) == s.len && (s.len == 0 || memcmp(name, s.data, s.len) == 0);
}

static const cw_type *type_in(const cw_file *f, cw_str full_name)
{
    for (uint32_t k = 0; k < f->n_types; k++) {
        if (is(f->types[k]->full_name, full_name)) {
            return f->types[k];
        }
    }
    return NULL;
}

static const cw_extension *extension_in(const cw_file *f, cw_str full_name)
{
    for (uint32_t k = 0; k < f->n_extensions; k++) {
        if (is(f->extensions[k]->full_name, full_name)) {
            return f->extensions[k];
        }
    }
    return NULL;
}

static const cw_type *find_type(visit *v, cw_str full_name)
{
    const cw_type *found = NULL;
    for (size_t i = 0; i < v->len && !found; i++) {
        found = type_in(v->files[i], full_name);
        visit_imports(v, i);
    }
    return found;
}

static const cw_extension *find_extension(visit *v, cw_str full_name)
{
    const cw_extension *found = NULL;
    for (size_t i = 0; i < v->len && !found; i++) {
        found = extension_in(v->files[i], full_name);
        visit_imports(v, i);
    }
    return found;
}

static void visit_none(visit *v)
{
    v->len = 0;
    memset(v->slots, 0, sizeof v->slots);
}

static void visit_one(visit *v, const cw_file *f)
{
    visit_none(v);
    visit_add(v, f);
}

static void visit_registry(visit *v, const cw_registry *r)
{
    visit_none(v);
    for (size_t i = 0; i < r->n_files; i++) {
        visit_add(v, r->files[i]);
    }
}

const cw_type *cw_file_find_type(const cw_file *f, cw_str full_name)
{
    visit v;
    visit_one(&v, f);
    return find_type(&v, full_name);
}

const cw_type *cw_registry_find_type(const cw_registry *r, cw_str full_name)
{
    if (!r) {
        return NULL;
    }
    for (size_t i = 0; i < r->n_files; i++) {
        const cw_type *found = type_in(r->files[i], full_name);
        if (found) {
            return found;
        }
    }
    visit v;
    visit_registry(&v, r);
    return find_type(&v, full_name);
}

const cw_extension *cw_file_find_extension(const cw_file *f, cw_str full_name)
{
    visit v;
    visit_one(&v, f);
    return find_extension(&v, full_name);
}

const cw_extension *cw_registry_find_extension(const cw_registry *r, cw_str full_name)
{
    if (!r) {
        return NULL;
    }
    for (size_t i = 0; i < r->n_files; i++) {
        const cw_extension *found = extension_in(r->files[i], full_name);
        if (found) {
            return found;
        }
    }
    visit v;
    visit_registry(&v, r);
    return find_extension(&v, full_name);
}

/* ---- the extensions of one message ------------------------------------------------------------
 */

/* Where what is found goes: the first `cap`. */
typedef struct findings {
    const cw_type *extendee;
    const cw_extension **to;
    size_t cap, len;
} findings;

static void collect(findings *found, const cw_file *f)
{
    for (uint32_t k = 0; k < f->n_extensions; k++) {
        if (f->extensions[k]->extendee != found->extendee) {
            continue;
        }
        if (found->len < found->cap) {
            found->to[found->len] = f->extensions[k];
        }
        found->len++;
    }
}

size_t cw__extensions_of(const cw_type *extendee, const cw_file *f, const cw_registry *r,
                         const cw_extension **to, size_t cap)
{
    findings found = {extendee, to, cap, 0};
    visit v;
    visit_none(&v);
    if (f) {
        visit_add(&v, f);
    }
    for (size_t i = 0; i < v.len; i++) {
        collect(&found, v.files[i]);
        visit_imports(&v, i);
    }
    size_t own = v.len;
    for (size_t i = 0; r && i < r->n_files; i++) {
        if (!visit_add(&v, r->files[i])) {
            collect(&found, r->files[i]); /* too many to follow its imports */
        }
    }
    for (size_t i = own; i < v.len; i++) {
        collect(&found, v.files[i]);
        visit_imports(&v, i);
    }
    return found.len;
}

/* ---- fields -----------------------------------------------------------------------------------
 */

const cw_field *cw_type_field(const cw_type *t, uint32_t number)
{
    size_t low = 0, high = t->n_fields;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (t->fields[mid].number == number) {
            return &t->fields[mid];
        }
        if (t->fields[mid].number < number) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return NULL;
}

const cw_field *cw_type_field_named(const cw_type *t, cw_str name)
{
    for (uint32_t i = 0; i < t->n_fields; i++) {
        if (is(t->fields[i].name, name) || is(t->fields[i].json_name, name)) {
            return &t->fields[i];
        }
    }
    return NULL;
}
