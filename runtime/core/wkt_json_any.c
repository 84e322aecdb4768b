/* SPDX-License-Identifier: MIT */
/*
 * JSON of google.protobuf.Any: {"@type":"host/pkg.Type", ...} with the fields of the message beside
 * "@type", or with "value" where the message's JSON is not an object of its fields; {} when it is
 * empty. google.protobuf.Empty is read with "value":{} and without it, and printed with it.
 *
 * The message inside is one level of depth below the Any.
 */
#include "any.h"
#include "cwire/wkt.h"
#include "json_reader.h"
#include "json_writer.h"
#include "wkt_json.h"

static const char no_type[] = "the type of a google.protobuf.Any is not known";
static const char no_json[] = "the type of a google.protobuf.Any has no JSON";

/* A field that is called like the key of the type: such a message has no JSON in an Any. */
static bool has_type_field(const cw_type *t)
{
    for (uint32_t i = 0; i < t->n_fields; i++) {
        if (t->fields[i].json_name[0] == '@' && strcmp(t->fields[i].json_name, "@type") == 0) {
            return true;
        }
    }
    return false;
}

/* ---- print ------------------------------------------------------------------------------------
 */

/* Implementations differ: the form with "value" is written, both are read (report B57). */
static bool is_empty_type(const cw_type *t)
{
    return strcmp(t->full_name, "google.protobuf.Empty") == 0;
}

/* What follows the "@type" member: the rest of the object. */
static char *print_rest(const cw_type *t, const void *x, cw__json_writer *w, char *p, int depth)
{
    size_t at = (size_t)(p - w->begin);
    if (t->own_json || is_empty_type(t)) {
        p = cw__json_lit(p, ",\"value\":", 9);
        p = t->json_put(x, w, p, depth);
        if (!p) {
            return cw__json_put_fail_at(w, "value", SIZE_MAX);
        }
        p = cw__json_room(w, p, 1 + CW__WKT_KEEP);
        if (p) {
            *p++ = '}';
        }
        return p;
    }
    p = t->json_put(x, w, p, depth);
    if (!p) {
        return NULL;
    }
    if ((size_t)(p - w->begin) > at + 2) {
        w->begin[at] = ','; /* its '{' */
    } else {
        p = w->begin + at;
        *p++ = '}';
    }
    return p;
}

static char *print_message(const google_protobuf_Any *m, const cw_type *t, cw__json_writer *w,
                           char *p, int depth)
{
    cw__arena_inner in;
    void *x = NULL;
    cw__json_inner_begin(w, p, &in);
    cw_status st = cw__any_decode(t, m->value, &in.arena, depth, &x, w->error);
    p = st == CW_OK ? print_rest(t, x, w, p, depth) : cw__json_put_fail_with(w, st);
    cw__json_inner_end(w, &in);
    return p;
}

/* The type of m's message; NULL: failed. */
static const cw_type *type_to_print(const google_protobuf_Any *m, cw__json_writer *w, int depth)
{
    const cw_type *t = cw__any_type(w->file, w->types, m->type_url);
    if (!t) {
        cw__json_put_fail(w, CW_ERR_UNKNOWN_TYPE, no_type);
    } else if (!t->json_put || has_type_field(t)) {
        cw__json_put_fail(w, CW_ERR_UNSUPPORTED, no_json);
    } else if (depth == 0) {
        cw__json_put_fail(w, CW_ERR_DEPTH, NULL);
    } else {
        return t;
    }
    return NULL;
}

char *google_protobuf_Any__print(const google_protobuf_Any *m, cw__json_writer *w, char *p,
                                 int depth)
{
    p = cw__json_room(w, p, sizeof "{\"@type\":" + CW__WKT_KEEP);
    if (!p) {
        return NULL;
    }
    if (m->type_url.len == 0 && m->value.len == 0) {
        return cw__json_lit(p, "{}", 2);
    }
    const cw_type *t = type_to_print(m, w, depth);
    p = cw__json_lit(p, "{\"@type\":", 9);
    p = t ? cw__json_put_string(w, p, m->type_url, CW__WKT_KEEP) : NULL;
    p = p ? print_message(m, t, w, p, depth - 1) : NULL;
    p = p ? cw__json_room(w, p, CW__WKT_KEEP) : NULL;
    if (!p) {
        cw__any_fail_at(w->error, m->type_url);
    }
    return p;
}

/* ---- parse ------------------------------------------------------------------------------------
 */

/* The text of an Any: "@type" may be its last member, so that it is looked for first. */
typedef struct any_text {
    const char *open;    /* '{' */
    const char *type_at; /* the key "@type"; NULL: none */
    const char *url_at;  /* its value */
    const char *close;   /* '}' */
} any_text;

/* A key and its ':' at p; returns p at the value. */
static const char *read_key(cw__json_reader *r, const char *p, cw_str *key)
{
    if (*p != '"') {
        return cw__json_fail(r, CW_ERR_SYNTAX, p, "expected a key in quotes");
    }
    p = cw__json_view(r, p, key, NULL);
    return p ? cw__json_colon(r, p) : NULL;
}

static const char *fail_twice(cw__json_reader *r, const char *at, const char *name)
{
    cw__json_fail(r, CW_ERR_DUPLICATE, at, NULL);
    return cw__json_fail_at(r, name, SIZE_MAX);
}

/*
 * Finds "@type" among the members, whose syntax is checked, and reads it. What stands in n Anys one
 * inside of the other is scanned n times: depth is what bounds that, with 100 levels at most 100
 * times.
 */
static const char *scan_members(google_protobuf_Any *m, cw__json_reader *r, int depth,
                                any_text *text)
{
    /* A level of depth is at most an object in an array. */
    const int most = depth < INT32_MAX / 2 ? 2 * depth + 2 : INT32_MAX;
    const char *p = cw__json_object(r, text->open);
    while (p && *p != '}') {
        const char *at = p;
        cw_str key;
        p = read_key(r, p, &key);
        if (!p) {
            return NULL;
        }
        if (!cw_str_equal(key, CW_STR("@type"))) {
            p = cw__json_skip(r, p, most);
        } else if (text->type_at) {
            return fail_twice(r, at, "@type");
        } else {
            text->type_at = at;
            text->url_at = p;
            p = cw__json_get_string(r, p, &m->type_url);
            if (!p) {
                return cw__json_fail_at(r, "@type", SIZE_MAX);
            }
        }
        p = p ? cw__json_member_next(r, p) : NULL;
    }
    text->close = p;
    return p;
}

/* A message whose JSON is the member "value". */
static const char *parse_value(const cw_type *t, void *x, cw__json_reader *r, const any_text *text,
                               int depth)
{
    bool seen = false;
    const char *p = cw__json_object(r, text->open);
    while (p && *p != '}') {
        const char *at = p;
        cw_str key;
        p = read_key(r, p, &key);
        if (!p) {
            return NULL;
        }
        if (at == text->type_at) {
            p = cw__json_skip_string(r, p);
        } else if (!cw_str_equal(key, CW_STR("value"))) {
            r->key = key;
            r->key_at = at;
            p = cw__json_unknown(r, p, depth);
        } else if (seen) {
            return fail_twice(r, at, "value");
        } else {
            seen = true;
            p = t->json_get(x, r, p, depth);
            if (!p) {
                return cw__json_fail_at(r, "value", SIZE_MAX);
            }
        }
        p = p ? cw__json_member_next(r, p) : NULL;
    }
    if (p && !seen && !is_empty_type(t)) {
        cw__json_fail(r, CW_ERR_REQUIRED, p, "\"value\" is missing");
        return cw__json_fail_at(r, "value", SIZE_MAX);
    }
    return p ? p + 1 : NULL;
}

/* The type of what the text holds; NULL: failed. */
static const cw_type *type_to_parse(const google_protobuf_Any *m, cw__json_reader *r,
                                    const any_text *text, int depth)
{
    const cw_type *t = cw__any_type(r->file, r->types, m->type_url);
    if (!t) {
        cw__json_fail(r, CW_ERR_UNKNOWN_TYPE, text->url_at, no_type);
    } else if (!t->json_get || has_type_field(t)) {
        cw__json_fail(r, CW_ERR_UNSUPPORTED, text->url_at, no_json);
    } else if (depth == 0) {
        cw__json_fail(r, CW_ERR_DEPTH, text->open, NULL);
    } else {
        return t;
    }
    return NULL;
}

static const char *parse_message(google_protobuf_Any *m, const cw_type *t, cw__json_reader *r,
                                 const any_text *text, int depth)
{
    void *x = cw_arena_alloc(r->arena, t->struct_size);
    if (!x) {
        return cw__json_fail_memory(r, text->open);
    }
    t->init(x);
    const char *outer = r->type_at;
    const char *p;
    if (t->own_json || is_empty_type(t)) {
        p = parse_value(t, x, r, text, depth);
    } else {
        r->type_at = text->type_at;
        p = t->json_get(x, r, text->open, depth);
        r->type_at = outer;
    }
    if (!p) {
        return NULL;
    }
    cw_status st = cw__any_encode(t, x, r->arena, depth, r->allow_partial, &m->value, r->error);
    return st == CW_OK ? p : cw__json_fail_with(r, st, text->open);
}

const char *google_protobuf_Any__parse(google_protobuf_Any *m, cw__json_reader *r, const char *p,
                                       int depth)
{
    any_text text = {p, NULL, NULL, NULL};
    if (!scan_members(m, r, depth, &text)) {
        return NULL;
    }
    if (!text.type_at && cw__json_blanks(r, p + 1) == text.close) {
        return text.close + 1;
    }
    if (!text.type_at) {
        return cw__json_fail(r, CW_ERR_UNKNOWN_TYPE, p, "a google.protobuf.Any has no \"@type\"");
    }
    const cw_type *t = type_to_parse(m, r, &text, depth);
    p = t ? parse_message(m, t, r, &text, depth - 1) : NULL;
    if (!p) {
        cw__any_fail_at(r->error, m->type_url);
    }
    return p;
}
