/* SPDX-License-Identifier: MIT */
/* extension_set.c: a value into the unknown bytes. It is encoded before anything changes. */
#include "extension_scan.h"

/* Room for a tag and a varint that is stored as a whole word. */
#define HEAD_ROOM 24u
/* The extension's message is one level below the extendee. */
#define DEPTH (CW_DEPTH_DEFAULT - 1)

enum { ITEM_BEGIN = 1 << 3 | CW__WIRE_GROUP, ITEM_END = 1 << 3 | CW__WIRE_END };
enum { TYPE_ID_TAG = 2 << 3 | CW__WIRE_VARINT, MESSAGE_TAG = 3 << 3 | CW__WIRE_LEN };

/* What is to be written: singular values are lists of one. */
typedef struct elements {
    const char *data;
    size_t len;
} elements;

static elements elements_of(const cw__ext *x, const void *value)
{
    elements v = {value, 1};
    if (x->repeated) {
        cw_list_view list = cw_list_load(value);
        v.data = list.data;
        v.len = list.len;
    }
    return v;
}

/* The string or bytes value at `place` as bytes. */
static cw_bytes view_at(const cw__ext *x, const char *place)
{
    cw_bytes b;
    if (x->kind == CW_KIND_STRING) {
        cw_str s;
        memcpy(&s, place, sizeof s);
        return cw_bytes_of(s.data, s.len);
    }
    memcpy(&b, place, sizeof b);
    return b;
}

/* ---- checks -----------------------------------------------------------------------------------
 */

static cw_status check_one(const cw__ext *x, const char *place, cw_error *e)
{
    if (x->message) {
        return x->message->required && !x->message->required(place, e, DEPTH) ? CW_ERR_REQUIRED
                                                                              : CW_OK;
    }
    cw_status st = CW_OK;
    if (x->kind == CW_KIND_STRING && x->check_utf8) {
        cw_bytes s = view_at(x, place);
        st = cw__utf8_valid((const char *)s.data, s.len) ? CW_OK : CW_ERR_UTF8;
    } else if (x->kind == CW_KIND_ENUM) {
        int32_t v;
        memcpy(&v, place, sizeof v);
        st = cw__ext_is_stranger(x, v) ? CW_ERR_ENUM : CW_OK;
    }
    if (st != CW_OK) {
        cw__error_clear(e);
        cw__error_set(e, st, SIZE_MAX, NULL);
    }
    return st;
}

static cw_status check(const cw__ext *x, elements v, cw_error *e)
{
    for (size_t i = 0; i < v.len; i++) {
        cw_status st = check_one(x, v.data + i * x->element_size, e);
        if (st != CW_OK) {
            cw__error_prefix(e, NULL, x->repeated ? i : SIZE_MAX);
            return st;
        }
    }
    return CW_OK;
}

/* A new record behind bytes that cannot be read would never be found. */
static cw_status check_readable(const cw__ext *x, const cw_unknown *u, cw_error *e)
{
    cw__decoder d = cw__ext_reader(u);
    d.error = e;
    const uint8_t *p = d.begin;
    while (p && p < d.end) {
        cw__ext_record r;
        p = cw__ext_scan(&d, p, x->in_message_set, &r);
    }
    return d.status;
}

/* ---- encoding, backward -----------------------------------------------------------------------
 */

static uint32_t tag_of(const cw__ext *x, unsigned wire_type)
{
    return x->number << 3 | wire_type;
}

static uint8_t *put_message(const cw__ext *x, cw__encoder *w, uint8_t *p, const void *m)
{
    bool group = x->kind == CW_KIND_GROUP;
    p = cw__put_room(w, p, HEAD_ROOM);
    if (p && (group || x->in_message_set)) {
        p = cw__put_tag(p, group ? tag_of(x, CW__WIRE_END) : ITEM_END);
    }
    if (!p) {
        return NULL;
    }
    size_t mark = cw__put_mark(w, p);
    p = x->message->wire_put(m, w, p, DEPTH);
    p = p ? cw__put_room(w, p, 2 * HEAD_ROOM) : NULL;
    if (!p || group) {
        return p ? cw__put_tag(p, tag_of(x, CW__WIRE_GROUP)) : NULL;
    }
    p = cw__put_varint(p, cw__put_mark(w, p) - mark);
    if (!x->in_message_set) {
        return cw__put_tag(p, tag_of(x, CW__WIRE_LEN));
    }
    p = cw__put_tag(p, MESSAGE_TAG);
    p = cw__put_varint(p, x->number);
    p = cw__put_tag(p, TYPE_ID_TAG);
    return cw__put_tag(p, ITEM_BEGIN);
}

static uint8_t *put_view(const cw__ext *x, cw__encoder *w, uint8_t *p, const char *place)
{
    cw_bytes s = view_at(x, place);
    p = cw__put_bytes_view(w, p, s.data, s.len, HEAD_ROOM);
    return p ? cw__put_tag(p, tag_of(x, CW__WIRE_LEN)) : NULL;
}

static uint8_t *put(const cw__ext *x, cw__encoder *w, uint8_t *p, elements v)
{
    const cw__ext_kind *kind = cw__ext_kind_of(x->kind);
    if (kind->packable && x->repeated && x->packed) {
        p = v.len > 0 ? cw__put_packed(w, p, v.data, v.len, kind->element, HEAD_ROOM) : p;
        return p && v.len > 0 ? cw__put_tag(p, tag_of(x, CW__WIRE_LEN)) : p;
    }
    if (kind->packable) {
        return cw__put_unpacked(w, p, v.data, v.len, kind->element, tag_of(x, kind->wire_type), 0);
    }
    for (size_t i = v.len; p && i-- > 0;) {
        const char *place = v.data + i * x->element_size;
        p = x->message ? put_message(x, w, p, place) : put_view(x, w, p, place);
        if (!p) {
            return cw__put_fail_at(w, NULL, x->repeated ? i : SIZE_MAX);
        }
    }
    return p;
}

/* ---- the record's place -----------------------------------------------------------------------
 */

/* Bytes of u that stay when x is cleared. */
static size_t kept_bytes(const cw_unknown *u, const cw__ext *x)
{
    cw__decoder d = cw__ext_reader(u);
    size_t kept = (size_t)(d.end - d.begin);
    const uint8_t *p = d.begin;
    while (p && p < d.end) {
        cw__ext_record r;
        p = cw__ext_scan(&d, p, x->in_message_set, &r);
        kept -= p && cw__ext_is_of(x, &r) ? r.whole.len : 0;
    }
    return kept;
}

/* Room for n more bytes behind all that are there. False: no memory, nothing has changed. */
static bool reserve(cw_unknown **u, cw_arena *a, size_t n)
{
    cw_unknown *to = *u;
    if (!to) {
        to = cw_arena_alloc(a, sizeof *to);
        if (!to) {
            return false;
        }
        memset(to, 0, sizeof *to);
    }
    uint8_t *data = cw__list_grow(a, to->data, to->len, &to->cap, 1, n);
    if (!data) {
        return false;
    }
    to->data = data;
    *u = to;
    return true;
}

/*
 * The n bytes at p, which are the end of the arena's free room, become the end of *u. Where they
 * fit into what *u has, they need no memory of their own: setting one extension over and over does
 * not fill the arena.
 */
static bool append(cw_unknown **u, const cw__ext *x, cw_arena *a, uint8_t *p, size_t n,
                   bool replace)
{
    size_t kept = !*u ? 0 : replace ? kept_bytes(*u, x) : (*u)->len;
    if (!*u || n > (*u)->cap || kept > (*u)->cap - n) {
        cw__arena_take_back(a, (char *)p);
        if (!reserve(u, a, n)) {
            return false;
        }
    }
    if (replace) {
        cw__ext_clear(*u, x);
    }
    memcpy((*u)->data + (*u)->len, p, n);
    (*u)->len += n;
    return true;
}

static cw_status fail(const cw__ext *x, cw_status st, cw_error *e)
{
    cw__error_root(e, x->full_name);
    return st;
}

static cw_status write(cw_unknown **u, const cw__ext *x, cw_arena *a, const void *value,
                       bool replace, cw_error *e)
{
    elements v = elements_of(x, value);
    cw_status st = check(x, v, e);
    if (st == CW_OK && replace) {
        st = check_readable(x, *u, e);
    }
    if (st != CW_OK) {
        return fail(x, st, e);
    }
    cw__encoder w;
    uint8_t *p = cw__encode_arena_begin(&w, a, e);
    p = p ? put(x, &w, p, v) : NULL;
    size_t n = p ? cw__put_mark(&w, p) : 0;
    if (p && n > INT32_MAX) {
        p = cw__put_fail(&w, CW_ERR_TOO_LARGE, NULL);
    }
    if (!p) {
        return fail(x, w.status, e);
    }
    if (n == 0) {
        if (replace) {
            cw__ext_clear(*u, x);
        }
        return CW_OK;
    }
    if (!append(u, x, a, p, n, replace)) {
        cw__error_clear(e);
        cw__error_set(e, a->failure, SIZE_MAX, NULL);
        return fail(x, a->failure, e);
    }
    return CW_OK;
}

cw_status cw__ext_set(cw_unknown **u, const cw__ext *x, cw_arena *a, const void *value, cw_error *e)
{
    return write(u, x, a, value, true, e);
}

cw_status cw__ext_add(cw_unknown **u, const cw__ext *x, cw_arena *a, const void *value, cw_error *e)
{
    return write(u, x, a, value, false, e);
}
