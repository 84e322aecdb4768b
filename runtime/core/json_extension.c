/* SPDX-License-Identifier: MIT */
/* json_extension.c: JSON of extensions, `"[pkg.name]": value`. */
#include "cwire/extension.h"
#include "cwire/map.h"
#include "json_generic.h"
#include "json_reader.h"
#include "json_writer.h"

/* So many extensions of a message are looked at without memory. */
#define FEW 32

/* Any value that is no message: a scalar, a string, a list. */
typedef union scalar {
    double d;
    float f;
    bool b;
    int32_t i32;
    int64_t i64;
    uint32_t u32;
    uint64_t u64;
    cw_str s;
    cw_bytes bytes;
    cw_list_view list;
} scalar;

/* An error's path that begins with the extension's name begins behind it. */
static void strip_root(cw_error *e, const char *root)
{
    size_t n = strlen(root);
    if (e && strncmp(e->path, root, n) == 0) {
        memmove(e->path, e->path + n, strlen(e->path + n) + 1);
    }
}

/* ---- print ------------------------------------------------------------------------------------
 */

typedef struct known {
    uint32_t number; /* first: the key */
    bool present;
    const cw_extension *extension;
} known;

static char *print_list(const cw_field *f, cw_list_view list, size_t element_size,
                        cw__json_writer *w, char *p, int depth)
{
    *p++ = '[';
    for (size_t i = 0; i < list.len; i++) {
        p = cw__json_put_value(f, (const char *)list.data + i * element_size, w, p, depth);
        if (!p) {
            return cw__json_put_fail_at(w, NULL, i);
        }
        *p++ = ',';
    }
    p[-1] = ']'; /* an extension that is there has elements */
    return p;
}

static char *print_extension(const cw_extension *extension, const cw_unknown *u, cw_arena *a,
                             cw__json_writer *w, char *p, int depth)
{
    const cw_field *f = extension->field;
    cw__ext x;
    cw__ext_message message;
    scalar place;
    void *value = &place;
    bool found = false;
    cw__ext_of(extension, &x, &message);
    if (x.message && !x.repeated) {
        value = cw_arena_alloc(a, message.struct_size);
        if (!value) {
            return cw__json_put_fail(w, a->failure, NULL);
        }
    }
    /* A depth of 0 has no message below it, which is found when it is printed. */
    const cw_decode_options o = {
        .alias = true, .allow_partial = true, .depth = depth > 0 ? (unsigned)depth : 1};
    cw_status st = cw__ext_get(u, &x, a, &o, value, &found, w->error);
    if (st != CW_OK) {
        strip_root(w->error, x.full_name);
        return cw__json_put_fail_with(w, st);
    }
    if (!found) {
        return p;
    }
    size_t n = strlen(f->json_name);
    p = cw__json_room(w, p, n + 5 + CW__GENERIC_KEEP);
    if (!p) {
        return NULL;
    }
    p = cw__json_lit(p, ",\"", 2);
    p = cw__json_lit(p, f->json_name, n);
    p = cw__json_lit(p, "\":", 2);
    return x.repeated ? print_list(f, cw_list_load(value), x.element_size, w, p, depth)
                      : cw__json_put_value(f, value, w, p, depth);
}

/* What is known of the n extensions of t, sorted, each number once; in the arena. NULL: no memory.
 */
static known *sort_known(const cw_extension *const *list, size_t *n, cw_arena *a)
{
    known *k = cw_arena_array(a, *n, sizeof *k);
    if (!k) {
        return NULL;
    }
    /* Of equal numbers the last one stays: the one that was found first. */
    for (size_t i = 0; i < *n; i++) {
        const cw_extension *x = list[*n - 1 - i];
        k[i] = (known){x->field->number, false, x};
    }
    return cw__map_sort(a, k, n, sizeof *k, cw__map_compare_uint32) ? k : NULL;
}

/* Which of them there are. */
static void mark_present(known *k, size_t n, const cw_type *t, const cw_unknown *u)
{
    cw__ext_record record;
    size_t pos = 0;
    while (cw__ext_next(u, t->is_message_set, &pos, &record)) {
        const known key = {record.number, false, NULL};
        bool found;
        size_t i = cw__map_find(k, n, sizeof *k, &key, cw__map_compare_uint32, &found);
        if (found) {
            k[i].present = true;
        }
    }
}

static char *print_known(const cw_extension *const *list, size_t n, const cw_type *t,
                         const cw_unknown *u, cw_arena *a, cw__json_writer *w, char *p, int depth)
{
    known *k = sort_known(list, &n, a);
    if (!k) {
        return cw__json_put_fail(w, a->failure, NULL);
    }
    mark_present(k, n, t, u);
    for (size_t i = 0; i < n; i++) {
        if (!k[i].present) {
            continue;
        }
        p = print_extension(k[i].extension, u, a, w, p, depth);
        if (!p) {
            return cw__json_put_fail_at(w, k[i].extension->field->json_name, SIZE_MAX);
        }
    }
    return p;
}

char *cw__json_put_extensions(cw__json_writer *w, char *p, const cw_type *t, const cw_unknown *u,
                              int depth)
{
    const cw_extension *few[FEW];
    const cw_extension **list = few;
    size_t n = cw__extensions_of(t, w->file, w->types, few, FEW);
    if (n == 0 || !u) {
        return p;
    }
    cw__arena_inner in;
    cw__json_inner_begin(w, p, &in);
    if (n > FEW) {
        list = cw_arena_array(&in.arena, n, sizeof *list);
        n = list ? cw__extensions_of(t, w->file, w->types, list, n) : 0;
    }
    p = list ? print_known(list, n, t, u, &in.arena, w, p, depth)
             : cw__json_put_fail(w, in.arena.failure, NULL);
    cw__json_inner_end(w, &in);
    return p;
}

/* ---- parse ------------------------------------------------------------------------------------
 */

static const char *parse_list(const cw_field *f, cw_list_view *list, size_t element_size,
                              cw__json_reader *r, const char *p, int depth)
{
    p = cw__json_array(r, p);
    while (p && *p != ']') {
        if (list->len == list->cap) {
            void *data =
                cw__list_grow(r->arena, list->data, list->len, &list->cap, element_size, 4);
            if (!data) {
                return cw__json_fail_memory(r, p);
            }
            list->data = data;
        }
        bool ignored;
        p = cw__json_get_value(f, (char *)list->data + list->len * element_size, r, p, depth,
                               &ignored);
        if (!p) {
            return cw__json_fail_at(r, NULL, list->len);
        }
        list->len += !ignored;
        p = cw__json_element_next(r, p);
    }
    return p ? p + 1 : NULL;
}

static const char *parse_value(const cw_extension *extension, cw_unknown **u, cw__json_reader *r,
                               const char *p, int depth)
{
    const cw_field *f = extension->field;
    const char *at = p;
    cw__ext x;
    cw__ext_message message;
    scalar place = {0};
    void *value = &place;
    bool ignored = false;
    cw__ext_of(extension, &x, &message);
    if ((x.repeated || !cw__json_null_is_value(f)) && cw__json_null(r, &p)) {
        return p; /* as if it was not there */
    }
    if (x.message) {
        if (r->allow_partial) {
            message.required = NULL;
        }
        if (!x.repeated) {
            value = cw_arena_alloc(r->arena, message.struct_size);
            if (!value) {
                return cw__json_fail_memory(r, p);
            }
        }
    }
    if (x.repeated) {
        place.list = (cw_list_view){NULL, 0, 0};
        p = parse_list(f, &place.list, x.element_size, r, p, depth);
    } else {
        p = cw__json_get_value(f, value, r, p, depth, &ignored);
    }
    if (!p || ignored) {
        return p;
    }
    cw_status st = cw__ext_add(u, &x, r->arena, value, r->error);
    if (st != CW_OK) {
        strip_root(r->error, x.full_name);
        return cw__json_fail_with(r, st, at);
    }
    return p;
}

/* The extension that the last key names; NULL: none. */
static const cw_extension *find(const cw__json_reader *r)
{
    cw_str key = r->key;
    if (key.len < 2 || key.data[0] != '[' || key.data[key.len - 1] != ']') {
        return NULL;
    }
    cw_str name = cw_str_of(key.data + 1, key.len - 2);
    const cw_extension *x = r->file ? cw_file_find_extension(r->file, name) : NULL;
    return x ? x : cw_registry_find_extension(r->types, name);
}

/* Not there yet: *x is from now on. False: failed. */
static bool take(const cw_extension *x, cw__json_seen *seen, cw__json_reader *r)
{
    for (size_t i = 0; i < seen->len; i++) {
        if (seen->list[i] == x) {
            cw__json_fail(r, CW_ERR_DUPLICATE, r->key_at, NULL);
            return false;
        }
    }
    if (seen->len == seen->cap) {
        void *list =
            cw__list_grow(r->arena, seen->list, seen->len, &seen->cap, sizeof(cw_extension *), 4);
        if (!list) {
            cw__json_fail_memory(r, r->key_at);
            return false;
        }
        seen->list = list;
    }
    seen->list[seen->len++] = x;
    return true;
}

const char *cw__json_extension(cw__json_reader *r, const char *p, const cw_type *t, cw_unknown **u,
                               cw__json_seen *seen, int depth)
{
    const cw_extension *x = find(r);
    if (!x) {
        return cw__json_unknown(r, p, depth);
    }
    if (x->extendee != t) {
        cw__json_fail(r, CW_ERR_UNKNOWN_FIELD, r->key_at, "an extension of another message");
        p = NULL;
    } else {
        p = take(x, seen, r) ? parse_value(x, u, r, p, depth) : NULL;
    }
    return p ? p : cw__json_fail_at(r, x->field->json_name, SIZE_MAX);
}
