/* SPDX-License-Identifier: MIT */
/* extension_get.c: a value out of the unknown bytes, as the extendee's own decoder would read it.
 */
#include "cwire/message.h"

#include "extension_scan.h"

typedef struct getter {
    cw__decoder d;
    const cw__ext *x;
    int depth; /* of the extendee */
    cw_error *error;
    void *value;    /* singular: where it goes */
    cw__array list; /* repeated: what was collected */
    bool found;     /* singular */
} getter;

/* ---- one element ------------------------------------------------------------------------------
 */

static const uint8_t *get_message(getter *g, const cw__ext_record *r, void *m)
{
    cw__decoder *d = &g->d;
    const uint8_t *p = r->payload.data;
    if (g->depth < 1) {
        return cw__get_fail(d, CW_ERR_DEPTH, r->whole.data, NULL);
    }
    if (g->x->kind != CW_KIND_GROUP) {
        return g->x->message->wire_get(m, p, p + r->payload.len, d, g->depth - 1);
    }
    cw__group outer = cw__group_open(d, m, g->x->number);
    p = g->x->message->wire_get(m, p, d->end, d, g->depth - 1);
    return cw__group_close(d, outer, m, p, d->end);
}

/* The value that is not a message at p, into `place`. *stranger: a closed enum's unknown number,
 * `place` is as it was. */
static const uint8_t *get_value(getter *g, const uint8_t *p, void *place, bool *stranger)
{
    cw__decoder *d = &g->d;
    const cw__ext *x = g->x;
    *stranger = false;
    if (x->kind == CW_KIND_STRING) {
        return x->check_utf8 ? cw__get_string(d, p, d->end, place)
                             : cw__get_string_raw(d, p, d->end, place);
    }
    if (x->kind == CW_KIND_BYTES) {
        return cw__get_bytes(d, p, d->end, place);
    }
    if (x->kind == CW_KIND_ENUM) {
        int32_t v = 0;
        p = cw__get_enum(d, p, d->end, &v);
        *stranger = cw__ext_is_stranger(x, v);
        if (p && !*stranger) {
            memcpy(place, &v, sizeof v);
        }
        return p;
    }
    cw__array one = {place, 0, 1};
    return cw__get_element(d, p, d->end, &one, cw__ext_kind_of(x->kind)->element);
}

/* Where the record's value begins: behind its tag. */
static const uint8_t *behind_tag(getter *g, const cw__ext_record *r)
{
    uint32_t tag = 0;
    return cw__get_tag(&g->d, r->whole.data, g->d.end, &tag);
}

static const uint8_t *get_singular(getter *g, const cw__ext_record *r)
{
    if (g->x->message) {
        if (!g->found) {
            g->x->message->init(g->value);
            g->found = true;
        }
        return get_message(g, r, g->value);
    }
    bool stranger;
    const uint8_t *p = get_value(g, behind_tag(g, r), g->value, &stranger);
    g->found |= !stranger;
    return p;
}

/* ---- lists ------------------------------------------------------------------------------------
 */

/* Room for n more elements; the place of the first one, NULL: no memory. */
static void *reserve(getter *g, size_t n, const uint8_t *at)
{
    cw__array *x = &g->list;
    size_t elem = g->x->element_size;
    if (n > x->cap - x->len) {
        void *data = cw__list_grow(g->d.arena, x->data, x->len, &x->cap, elem, n);
        if (!data) {
            cw__get_fail_memory(&g->d, at);
            return NULL;
        }
        x->data = data;
    }
    return (char *)x->data + x->len * elem;
}

/* How many records of one element there are: they get their room at once. */
static size_t count_elements(const cw_unknown *u, const cw__ext *x)
{
    cw__decoder d = cw__ext_reader(u);
    const uint8_t *p = d.begin;
    size_t n = 0;
    while (p && p < d.end) {
        cw__ext_record r;
        p = cw__ext_scan(&d, p, x->in_message_set, &r);
        n += p && cw__ext_fits(x, &r) && r.wire_type == cw__ext_kind_of(x->kind)->wire_type;
    }
    return n;
}

/* A packed list of which the closed enum's unknown numbers are left out. */
static const uint8_t *get_packed_closed(getter *g, const cw__ext_record *r)
{
    const uint8_t *p = r->payload.data;
    const uint8_t *end = p + r->payload.len;
    if (p < end && end[-1] >= 0x80) {
        return cw__get_fail(&g->d, CW_ERR_TRUNCATED, p, "packed field ends inside an element");
    }
    while (p < end) {
        const uint8_t *at = p;
        bool stranger;
        void *place = reserve(g, 1, at);
        p = place ? get_value(g, p, place, &stranger) : NULL;
        if (!p) {
            return NULL;
        }
        g->list.len += !stranger;
    }
    return p;
}

static const uint8_t *get_repeated(getter *g, const cw__ext_record *r)
{
    const cw__ext *x = g->x;
    const cw__ext_kind *kind = cw__ext_kind_of(x->kind);
    if (r->wire_type != kind->wire_type) { /* packed */
        return x->known || x->closed
                   ? get_packed_closed(g, r)
                   : cw__get_packed(&g->d, behind_tag(g, r), g->d.end, &g->list, kind->element);
    }
    void *place = reserve(g, 1, r->whole.data);
    if (!place) {
        return NULL;
    }
    const uint8_t *p;
    bool stranger = false;
    if (x->message) {
        x->message->init(place);
        p = get_message(g, r, place);
    } else {
        p = get_value(g, behind_tag(g, r), place, &stranger);
    }
    if (!p) {
        return cw__get_fail_at(&g->d, NULL, g->list.len);
    }
    g->list.len += !stranger;
    return p;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static bool get_records(getter *g)
{
    const uint8_t *p = g->d.begin;
    while (p < g->d.end) {
        cw__ext_record r;
        const uint8_t *next = cw__ext_scan(&g->d, p, g->x->in_message_set, &r);
        if (!next) {
            return false;
        }
        if (cw__ext_fits(g->x, &r) &&
            !(g->x->repeated ? get_repeated(g, &r) : get_singular(g, &r))) {
            return false;
        }
        p = next;
    }
    return true;
}

/* What a message's decoder leaves for the end: maps and required fields. */
static bool finish_message(getter *g, void *m)
{
    const cw__ext_message *t = g->x->message;
    if (g->d.maps_unsorted && t->sort_maps && !t->sort_maps(m, g->d.arena)) {
        cw__get_fail_memory(&g->d, g->d.end);
        return false;
    }
    if (!g->d.allow_partial && t->required && !t->required(m, g->error, g->depth - 1)) {
        g->d.status = CW_ERR_REQUIRED;
        return false;
    }
    return true;
}

static bool finish_messages(getter *g)
{
    if (!g->x->repeated) {
        return !g->found || finish_message(g, g->value);
    }
    for (size_t i = 0; i < g->list.len; i++) {
        if (!finish_message(g, (char *)g->list.data + i * g->x->element_size)) {
            cw__get_fail_at(&g->d, NULL, i);
            return false;
        }
    }
    return true;
}

cw_status cw__ext_get(const cw_unknown *u, const cw__ext *x, cw_arena *a,
                      const cw_decode_options *o, void *value, bool *found, cw_error *e)
{
    getter g;
    memset(&g, 0, sizeof g);
    g.x = x;
    g.value = value;
    g.error = e;
    g.depth = cw__decode_begin(&g.d, u ? u->data : NULL, u ? u->len : 0, a, o, e);
    size_t elements = x->repeated ? count_elements(u, x) : 0;
    bool ok = elements == 0 || reserve(&g, elements, g.d.begin) != NULL;
    ok = ok && get_records(&g) && (!x->message || finish_messages(&g));
    if (ok && x->repeated && g.list.len > 0) {
        cw_list_view list = {g.list.data, g.list.len, g.list.cap};
        cw_list_store(value, list);
        g.found = true;
    }
    if (found) {
        *found = g.found;
    }
    return cw__decode_end(&g.d, x->full_name);
}
