/* SPDX-License-Identifier: MIT */
/* text_parse.c: messages of the text format, field by field, over the tables of their types. */
#include "text_reader.h"

#include "parse_limits.h"
#include "table_field.h"
#include "text_shared.h"

/* Fields that the open messages may have, by 32, before the arena is asked for memory. */
#define FIRST_SEEN 32

/* ---- which fields were there ------------------------------------------------------------------
 */

/* Makes the message of type t the innermost one; *outer is for close_seen. */
static bool open_seen(cw__text_reader *r, const cw_type *t, size_t *outer)
{
    size_t words = r->overwrite ? 0 : (t->n_fields + 31) / 32;
    *outer = r->seen_base;
    r->seen_base = r->seen_len;
    if (words > r->seen_cap - r->seen_len) {
        uint32_t *seen =
            cw__list_grow(r->arena, r->seen, r->seen_len, &r->seen_cap, sizeof *r->seen, words);
        if (!seen) {
            return cw__text_fail_memory(r, r->token.at);
        }
        r->seen = seen;
    }
    memset(r->seen + r->seen_len, 0, words * sizeof *r->seen);
    r->seen_len += words;
    return true;
}

static void close_seen(cw__text_reader *r, size_t outer)
{
    r->seen_len = r->seen_base;
    r->seen_base = outer;
}

bool cw__text_first(cw__text_reader *r, uint32_t index)
{
    uint32_t *word = &r->seen[r->seen_base + index / 32];
    uint32_t bit = (uint32_t)1 << index % 32;
    bool first = (*word & bit) == 0;
    *word |= bit;
    return first;
}

/* ---- lists ------------------------------------------------------------------------------------
 */

bool cw__text_colon(cw__text_reader *r, const cw_field *f)
{
    return cw__text_take(r, ':') || f->message ||
           cw__text_fail(r, CW_ERR_SYNTAX, r->token.at, "expected ':'");
}

/* Parses one element to the list; puts its name and index into the path when it fails. */
typedef bool element_parser(cw__text_reader *r, const void *what, void *list, int depth);

/* Behind '['. */
static bool bracketed_elements(cw__text_reader *r, element_parser *element, const void *what,
                               const char *name, void *list, int depth)
{
    bool done = cw__text_take(r, ']');
    while (!done) {
        if (!element(r, what, list, depth)) {
            return false;
        }
        done = cw__text_take(r, ']');
        if (!done && !cw__text_take(r, ',')) {
            cw__text_fail(r, CW_ERR_SYNTAX, r->token.at, "expected ',' or ']'");
            return cw__text_fail_at(r, name, SIZE_MAX);
        }
    }
    return true;
}

static bool parse_elements(cw__text_reader *r, element_parser *element, const void *what,
                           const char *name, void *list, int depth)
{
    return cw__text_take(r, '[') ? bracketed_elements(r, element, what, name, list, depth)
                                 : element(r, what, list, depth);
}

/* Room for one more element; the list at `list` knows of it. NULL: failed. */
static void *new_element(cw__text_reader *r, void *list, cw_list_view *v, size_t elem)
{
    *v = cw_list_load(list);
    if (v->len == v->cap) {
        void *data = cw__list_grow(r->arena, v->data, v->len, &v->cap, elem, 1);
        if (!data) {
            cw__text_fail_memory(r, r->token.at);
            return NULL;
        }
        v->data = data;
        cw_list_store(list, *v);
    }
    return (char *)v->data + v->len * elem;
}

typedef struct list_field {
    const cw_field *f;
    size_t elem;
    const char *name;
} list_field;

static bool list_element(cw__text_reader *r, const void *what, void *list, int depth)
{
    const list_field *x = what;
    const cw_type *t = x->f->message;
    cw_list_view v;
    bool ignored = false;
    void *place = new_element(r, list, &v, x->elem);
    bool ok = place != NULL;
    if (ok && t) {
        t->init(place);
        ok = cw__text_message(r, t, place, depth);
    } else if (ok) {
        ok = cw__text_value(r, x->f, place, &ignored);
    }
    if (!ok) {
        return cw__text_fail_at(r, x->name, v.len);
    }
    v.len += !ignored;
    cw_list_store(list, v);
    return true;
}

bool cw__text_list(cw__text_reader *r, const cw_field *f, size_t elem, const char *name, void *list,
                   int depth)
{
    list_field x = {f, elem, name};
    return parse_elements(r, list_element, &x, name, list, depth);
}

/* ---- maps -------------------------------------------------------------------------------------
 */

static bool map_element(cw__text_reader *r, const void *what, void *list, int depth)
{
    const cw_field *f = what;
    const cw_type *entry = f->message;
    cw_list_view v;
    char *x = new_element(r, list, &v, f->element_size);
    if (!x) {
        return cw__text_fail_at(r, f->name, v.len);
    }
    cw__entry_init(entry, x);
    r->entry_ignored = false;
    if (!cw__text_message(r, entry, x, depth)) {
        return cw__text_fail_at(r, f->name, v.len);
    }
    /* Only an enum is ever ignored, and nothing is below it that could have set this. */
    if (entry->fields[1].enum_type && r->entry_ignored) {
        return true;
    }
    if (v.len > 0 && cw__key_order(entry->fields[0].kind)(x - f->element_size, x) >= 0) {
        r->maps_unsorted = true;
    }
    v.len++;
    cw_list_store(list, v);
    return true;
}

/* ---- singular fields --------------------------------------------------------------------------
 */

static int case_of(const cw_field *f, const char *m)
{
    int number;
    memcpy(&number, m + f->case_offset, sizeof number);
    return number;
}

/* The singular field f of *m is there now. */
static void set_present(const cw_type *t, const cw_field *f, char *m)
{
    if (f->shape == CW_SHAPE_ONEOF) {
        int number = (int)f->number;
        memcpy(m + f->case_offset, &number, sizeof number);
    } else if (f->shape != CW_SHAPE_IMPLICIT && !f->message) {
        t->set_has(m, (uint32_t)(f - t->fields), true);
    }
}

/* The message in field f of *m, a new one if there is none. NULL: failed. */
static void *submessage(cw__text_reader *r, const cw_type *t, const cw_field *f, char *m)
{
    if (cw__text_is_entry(t)) {
        return m + f->offset;
    }
    void *x = NULL;
    if (f->shape != CW_SHAPE_ONEOF || case_of(f, m) == (int)f->number) {
        memcpy(&x, m + f->offset, sizeof x);
    }
    if (!x) {
        x = cw_arena_alloc(r->arena, f->element_size);
        if (!x) {
            cw__text_fail_memory(r, r->token.at);
            return NULL;
        }
        f->message->init(x);
        memcpy(m + f->offset, &x, sizeof x);
        set_present(t, f, m);
    }
    return x;
}

static bool singular(cw__text_reader *r, const cw_type *t, const cw_field *f, char *m, int depth)
{
    bool ok, ignored = false;
    if (f->message) {
        void *x = submessage(r, t, f, m);
        ok = x && cw__text_message(r, f->message, x, depth);
    } else {
        ok = cw__text_value(r, f, m + f->offset, &ignored);
        if (ok && ignored) {
            r->entry_ignored = true;
        } else if (ok) {
            set_present(t, f, m);
        }
    }
    return ok || cw__text_fail_at(r, f->name, SIZE_MAX);
}

/* Is it the first time in this message that f is met, and no other member of its oneof was? */
static bool check_once(cw__text_reader *r, const cw_type *t, const cw_field *f, const char *m,
                       const char *at)
{
    if (r->overwrite || f->shape == CW_SHAPE_REPEATED || f->shape == CW_SHAPE_MAP) {
        return true;
    }
    const char *detail = NULL;
    bool once = cw__text_first(r, (uint32_t)(f - t->fields));
    if (once && f->shape == CW_SHAPE_ONEOF && case_of(f, m) != 0) {
        once = false;
        detail = "another member of its oneof was given before";
    }
    if (!once) {
        cw__text_fail(r, CW_ERR_DUPLICATE, at, detail);
        return cw__text_fail_at(r, f->name, SIZE_MAX);
    }
    return true;
}

/* ---- fields -----------------------------------------------------------------------------------
 */

static bool is_name(const char *name, cw_str s)
{
    return strncmp(name, s.data, s.len) == 0 && name[s.len] == 0;
}

/*
 * The field of this name; *next is the one behind the last that was found, which it likely is.
 * Group-like fields also go by their type's name. NULL: none.
 */
static const cw_field *find_field(const cw_type *t, cw_str name, uint32_t *next)
{
    for (uint32_t i = 0; i < t->n_fields; i++) {
        uint32_t k = *next + i < t->n_fields ? *next + i : *next + i - t->n_fields;
        if (is_name(t->fields[k].name, name)) {
            *next = k + 1 < t->n_fields ? k + 1 : 0;
            return &t->fields[k];
        }
    }
    for (uint32_t k = 0; k < t->n_fields; k++) {
        if (t->fields[k].text_name && is_name(t->fields[k].text_name, name)) {
            return &t->fields[k];
        }
    }
    return NULL;
}

static bool is_reserved(const cw_type *t, cw_str name)
{
    for (uint32_t i = 0; i < t->n_reserved_names; i++) {
        if (is_name(t->reserved_names[i], name)) {
            return true;
        }
    }
    return false;
}

bool cw__text_unknown(cw__text_reader *r, const char *at, int depth)
{
    return r->ignore_unknown ? cw__text_skip(r, depth)
                             : cw__text_fail(r, CW_ERR_UNKNOWN_FIELD, at, NULL);
}

static bool known_field(cw__text_reader *r, const cw_type *t, const cw_field *f, char *m,
                        const char *at, int depth)
{
    if (!check_once(r, t, f, m, at)) {
        return false;
    }
    if (!cw__text_colon(r, f)) {
        return cw__text_fail_at(r, f->name, SIZE_MAX);
    }
    if (f->shape == CW_SHAPE_REPEATED) {
        return cw__text_list(r, f, f->element_size, f->name, m + f->offset, depth);
    }
    if (f->shape == CW_SHAPE_MAP) {
        return parse_elements(r, map_element, f, f->name, m + f->offset, depth);
    }
    return singular(r, t, f, m, depth);
}

/* A field whose name is a word, or a number which only the option ignore_unknown lets pass. */
static bool named_field(cw__text_reader *r, const cw_type *t, char *m, uint32_t *next, int depth)
{
    cw__text_token token = r->token;
    cw_str name = cw_str_of(token.at, (size_t)(token.end - token.at));
    if (token.kind != CW__TEXT_IDENT && !(token.kind == CW__TEXT_INT && r->ignore_unknown)) {
        return cw__text_fail(r, CW_ERR_SYNTAX, token.at, "expected a field's name");
    }
    const cw_field *f = find_field(t, name, next);
    cw__text_next(r);
    if (f) {
        return known_field(r, t, f, m, token.at, depth);
    }
    bool ok = is_reserved(t, name) ? cw__text_skip(r, depth) : cw__text_unknown(r, token.at, depth);
    return ok || cw__text_fail_at_name(r, name);
}

static bool any_field(cw__text_reader *r, const cw_type *t, void *m, uint32_t *next, int depth)
{
    if (!cw__text_is(r, '[')) {
        return named_field(r, t, m, next, depth);
    }
    return cw__text_is_any(t) ? cw__text_any(r, t, m, depth) : cw__text_extension(r, t, m, depth);
}

/* The fields of *m up to `close`; 0: to the end of the text. */
static bool fields(cw__text_reader *r, const cw_type *t, void *m, char close, int depth)
{
    size_t outer;
    uint32_t next = 0;
    if (!open_seen(r, t, &outer)) {
        return false;
    }
    while (close ? !cw__text_is(r, close) : r->token.kind != CW__TEXT_END) {
        if (!any_field(r, t, m, &next, depth)) {
            return false;
        }
        cw__text_separator(r);
    }
    close_seen(r, outer);
    return true;
}

bool cw__text_message(cw__text_reader *r, const cw_type *t, void *m, int depth)
{
    if (!cw__text_is(r, '{') && !cw__text_is(r, '<')) {
        return cw__text_fail_value(r, "expected a message");
    }
    if (depth < 1) {
        return cw__text_fail(r, CW_ERR_DEPTH, r->token.at, NULL);
    }
    char close = *r->token.at == '{' ? '}' : '>';
    cw__text_next(r);
    if (!fields(r, t, m, close, depth - 1)) {
        return false;
    }
    cw__text_next(r);
    return true;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static void begin(cw__text_reader *r, const cw_type *type, const char *text, size_t len,
                  cw_arena *a, const cw_text_parse_options *o, cw_error *e)
{
    memset(r, 0, sizeof *r);
    r->begin = len > 0 ? text : "";
    r->end = r->begin + len;
    r->token.end = r->begin;
    r->arena = a;
    r->error = e;
    r->root = type;
    r->types = o->types;
    r->ignore_unknown = o->ignore_unknown;
    r->allow_partial = o->allow_partial;
    r->overwrite = o->overwrite;
}

/* What waits for the end: maps, and the required fields. */
static bool finish(cw__text_reader *r, void *m, int depth)
{
    const cw_type *t = r->root;
    if (r->maps_unsorted && t->sort_maps && !t->sort_maps(m, r->arena)) {
        return cw__text_fail_memory(r, r->end);
    }
    if (!r->allow_partial && t->required && !t->required(m, r->error, depth)) {
        r->status = CW_ERR_REQUIRED;
        return false;
    }
    return true;
}

cw_status cw_text_parse(const cw_type *type, void *m, const char *text, size_t len, cw_arena *a,
                        const cw_text_parse_options *o, cw_error *e)
{
    static const cw_text_parse_options strict = {0};
    cw__text_reader r;
    uint32_t seen[FIRST_SEEN];
    o = o ? o : &strict;
    begin(&r, type, text, len, a, o, e);
    r.seen = seen;
    r.seen_cap = FIRST_SEEN;
    int depth = cw__limit_depth(o->depth);
    type->init(m);
    cw__arena_budget_begin(a, cw__limit_memory(o->max_memory, len));
    cw__text_next(&r);
    bool ok = fields(&r, type, m, 0, depth) && finish(&r, m, depth);
    cw__arena_budget_end(a);
    if (ok) {
        return CW_OK;
    }
    cw__error_root(e, type->full_name);
    cw__error_locate(e, r.begin, len);
    return r.status;
}
