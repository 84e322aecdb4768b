/* SPDX-License-Identifier: MIT */
/* table_json_parse.c: JSON parsing by table: what emit_json_parse.c spells out for each message. */
#include "json_generic.h"
#include "json_reader.h"
#include "table_field.h"

/* Fields of which it is known without memory whether they were there, by 64. */
#define FEW_WORDS 4

/* One message that is parsed. */
typedef struct frame {
    const cw_type *type;
    void *m;
    cw__json_reader *r;
    int depth;
    bool named; /* the failed field is in the path already */
    uint64_t *seen;
    uint64_t few[FEW_WORDS];
    cw__json_seen extensions;
} frame;

/* ---- keys -------------------------------------------------------------------------------------
 */

static bool is_name(const char *name, cw_str s)
{
    return strncmp(name, s.data, s.len) == 0 && name[s.len] == '\0';
}

static bool is_field(const cw_field *f, cw_str name)
{
    return is_name(f->json_name, name) || (f->json_name != f->name && is_name(f->name, name));
}

/* The field of this name; fields[next] is the likely one. NULL: none. */
static const cw_field *find_field(const cw_type *t, cw_str name, uint32_t next)
{
    if (memchr(name.data, '\0', name.len)) {
        return NULL;
    }
    if (next < t->n_fields && is_field(&t->fields[next], name)) {
        return &t->fields[next];
    }
    for (uint32_t i = 0; i < t->n_fields; i++) {
        if (is_field(&t->fields[i], name)) {
            return &t->fields[i];
        }
    }
    return NULL;
}

/* A key and its ':' at p; *f is its field, NULL: unknown, which the reader remembers. */
static const char *get_key(frame *s, const char *p, uint32_t next, const cw_field **f)
{
    const char *start = p;
    cw_str name;
    if (p >= s->r->end || *p != '"') {
        return cw__json_fail(s->r, CW_ERR_SYNTAX, p, "expected a key in quotes");
    }
    p = cw__json_view(s->r, p, &name, NULL);
    if (!p) {
        return NULL;
    }
    *f = find_field(s->type, name, next);
    if (!*f) {
        s->r->key = name;
        s->r->key_at = start;
    }
    return cw__json_colon(s->r, p);
}

/* ---- values -----------------------------------------------------------------------------------
 */

/* `key` is where the field's key begins. */
static const char *get_singular(frame *s, const cw_field *f, const char *p, const char *key)
{
    cw__json_reader *r = s->r;
    bool ignored = false;
    if (f->shape == CW_SHAPE_ONEOF && cw__field_case(f, s->m) != 0) {
        return cw__json_fail(r, CW_ERR_DUPLICATE, key, "another member of the oneof is set");
    }
    if (f->message) {
        if (s->depth == 0) {
            return cw__json_fail(r, CW_ERR_DEPTH, p, NULL);
        }
        void *x = cw__field_new_message(s->type, f, s->m, r->arena);
        return x ? cw__json_get_value(f, x, r, p, s->depth, &ignored) : cw__json_fail_memory(r, p);
    }
    p = cw__json_get_value(f, cw__field_at(f, s->m), r, p, s->depth, &ignored);
    if (p && !ignored) {
        cw__field_set_present(s->type, f, s->m);
    }
    return p;
}

/* Room for one more; false: failed. */
static bool grow(frame *s, const cw_field *f, cw_list_view *v, const char *p)
{
    if (v->len < v->cap) {
        return true;
    }
    void *data = cw__list_grow(s->r->arena, v->data, v->len, &v->cap, f->element_size, 4);
    if (!data) {
        cw__json_fail_memory(s->r, p);
        return false;
    }
    v->data = data;
    cw_list_store(cw__field_at(f, s->m), *v);
    return true;
}

static const char *get_list(frame *s, const cw_field *f, const char *p)
{
    cw__json_reader *r = s->r;
    cw_list_view v = cw__field_list(f, s->m);
    p = cw__json_array(r, p);
    while (p && *p != ']') {
        bool ignored = false;
        if (f->message && s->depth == 0) {
            cw__json_fail(r, CW_ERR_DEPTH, p, NULL);
            s->named = true;
            return cw__json_fail_at(r, f->name, v.len);
        }
        if (!grow(s, f, &v, p)) {
            return NULL;
        }
        p = cw__json_get_value(f, cw__element_of(f, v, v.len), r, p, s->depth, &ignored);
        if (!p) {
            s->named = true;
            return cw__json_fail_at(r, f->name, v.len);
        }
        v.len += !ignored;
        cw_list_store(cw__field_at(f, s->m), v);
        p = cw__json_element_next(r, p);
    }
    return p ? p + 1 : NULL;
}

/* ---- maps -------------------------------------------------------------------------------------
 */

static const char *get_map_key(const cw_field *f, cw__json_reader *r, const char *p, void *place)
{
    switch (f->kind) {
    case CW_KIND_STRING:
        return cw__json_map_key_string(r, p, place);
    case CW_KIND_BOOL:
        return cw__json_map_key_bool(r, p, place);
    case CW_KIND_UINT32:
    case CW_KIND_FIXED32:
        return cw__json_map_key_uint32(r, p, place);
    case CW_KIND_UINT64:
    case CW_KIND_FIXED64:
        return cw__json_map_key_uint64(r, p, place);
    case CW_KIND_INT64:
    case CW_KIND_SINT64:
    case CW_KIND_SFIXED64:
        return cw__json_map_key_int64(r, p, place);
    default:
        return cw__json_map_key_int32(r, p, place);
    }
}

/* The value of the entry x did not parse; its key begins at `name`. */
static const char *fail_value(frame *s, const cw_field *f, const void *x, const char *name)
{
    const cw_field *key = &f->message->fields[0];
    const cw_str *text = cw__field_in(key, x);
    s->named = true;
    return cw__json_fail_at_key(
        s->r, f->name,
        key->kind == CW_KIND_STRING ? *text : cw_str_of(name + 1, strcspn(name + 1, "\\\"")));
}

/* One entry at p, appended; *sorted becomes false when it is out of order. */
static const char *get_entry(frame *s, const cw_field *f, cw_list_view *v, const char *p,
                             bool *sorted)
{
    cw__json_reader *r = s->r;
    const cw_field *parts = f->message->fields;
    const char *name = p;
    bool ignored = false;
    if (s->depth == 0) { /* an entry is a level */
        return cw__json_fail(r, CW_ERR_DEPTH, p, NULL);
    }
    if (!grow(s, f, v, p)) {
        return NULL;
    }
    char *x = cw__element_of(f, *v, v->len);
    cw__entry_init(f->message, x);
    p = get_map_key(&parts[0], r, p, cw__field_at(&parts[0], x));
    if (!p) {
        return NULL;
    }
    p = cw__json_get_value(&parts[1], cw__field_at(&parts[1], x), r, p, s->depth - 1, &ignored);
    if (!p) {
        return fail_value(s, f, x, name);
    }
    if (ignored) {
        return p;
    }
    if (v->len > 0) {
        int order = cw__key_order(parts[0].kind)(x - f->element_size, x);
        if (order == 0) {
            return cw__json_fail(r, CW_ERR_DUPLICATE, name, "a key is there twice");
        }
        *sorted = *sorted && order < 0;
    }
    v->len++;
    cw_list_store(cw__field_at(f, s->m), *v);
    return p;
}

/* Keys that did not come in order: they are sorted, and one that is there twice is found. */
static const char *sort_map(frame *s, const cw_field *f, cw_list_view v, const char *p,
                            const char *start)
{
    const cw_field *key = &f->message->fields[0];
    size_t second = SIZE_MAX;
    if (!cw__map_sort_strict(s->r->arena, v.data, v.len, f->element_size, cw__key_order(key->kind),
                             &second)) {
        return cw__json_fail_memory(s->r, p);
    }
    if (second == SIZE_MAX) {
        return p;
    }
    cw__json_fail(s->r, CW_ERR_DUPLICATE, start, "a key is there twice");
    if (key->kind != CW_KIND_STRING) {
        return NULL;
    }
    const cw_str *text = cw__field_in(key, cw__element_of(f, v, second));
    s->named = true;
    return cw__json_fail_at_key(s->r, f->name, *text);
}

static const char *get_map(frame *s, const cw_field *f, const char *p)
{
    const char *start = p;
    bool sorted = true;
    cw_list_view v = cw__field_list(f, s->m);
    p = cw__json_object(s->r, p);
    while (p && *p != '}') {
        p = get_entry(s, f, &v, p, &sorted);
        p = p ? cw__json_member_next(s->r, p) : NULL;
    }
    if (p && !sorted) {
        p = sort_map(s, f, v, p, start);
    }
    return p ? p + 1 : NULL;
}

/* ---- messages ---------------------------------------------------------------------------------
 */

static const char *get_field(frame *s, const cw_field *f, const char *p, const char *key)
{
    switch (f->shape) {
    case CW_SHAPE_REPEATED:
        return get_list(s, f, p);
    case CW_SHAPE_MAP:
        return get_map(s, f, p);
    default:
        return get_singular(s, f, p, key);
    }
}

/* The member of field f, whose value is at p. */
static const char *get_member(frame *s, const cw_field *f, const char *p, const char *key)
{
    uint32_t at = cw__field_index(s->type, f);
    uint64_t bit = (uint64_t)1 << at % 64;
    if (s->seen[at / 64] & bit) {
        cw__json_fail(s->r, CW_ERR_DUPLICATE, key, NULL);
        return cw__json_fail_at(s->r, f->name, SIZE_MAX);
    }
    s->seen[at / 64] |= bit;
    bool takes_null = !cw__field_is_list(f) && cw__json_null_is_value(f);
    if (!takes_null && cw__json_null(s->r, &p)) { /* as if it was not there */
        return p;
    }
    p = get_field(s, f, p, key);
    return p || s->named ? p : cw__json_fail_at(s->r, f->name, SIZE_MAX);
}

static const char *get_unknown(frame *s, const char *p)
{
    if (!s->type->has_extensions) {
        return cw__json_unknown(s->r, p, s->depth);
    }
    return cw__json_extension(s->r, p, s->type, cw__unknown_at(s->type, s->m), &s->extensions,
                              s->depth);
}

/* Which fields were there: none yet. */
static bool begin_seen(frame *s, const char *p)
{
    size_t words = ((size_t)s->type->n_fields + 63) / 64;
    s->seen = s->few;
    if (words > FEW_WORDS) {
        s->seen = cw_arena_array(s->r->arena, words, sizeof *s->seen);
        if (!s->seen) {
            cw__json_fail_memory(s->r, p);
            return false;
        }
        memset(s->seen, 0, words * sizeof *s->seen);
    }
    return true;
}

const char *cw__table_parse(const cw_type *t, void *m, cw__json_reader *r, const char *p, int depth)
{
    frame s = {.type = t, .m = m, .r = r, .depth = depth};
    uint32_t next = 0;
    p = cw__json_object(r, p);
    if (!p || !begin_seen(&s, p)) {
        return NULL;
    }
    while (*p != '}') {
        const char *key = p;
        const cw_field *f = NULL;
        p = get_key(&s, p, next, &f);
        if (!p) {
            return NULL;
        }
        p = f ? get_member(&s, f, p, key) : get_unknown(&s, p);
        next = f ? cw__field_index(t, f) + 1 : next;
        p = p ? cw__json_member_next(r, p) : NULL;
        if (!p) {
            return NULL;
        }
    }
    return p + 1;
}

cw_status cw__table_from_json(const cw_type *t, void *m, const char *json, size_t len, cw_arena *a,
                              const cw_json_parse_options *o, cw_error *e)
{
    cw__json_reader r;
    int depth = 0;
    t->init(m);
    const char *p = cw__json_read_begin(&r, json, len, a, o, &depth, e);
    if (p) {
        r.file = t->file;
        p = t->json_get(m, &r, p, depth);
    }
    if (p && !r.allow_partial && !cw__table_required(t, m, e, depth)) {
        r.status = CW_ERR_REQUIRED;
    }
    return cw__json_read_end(&r, p, t->full_name);
}
