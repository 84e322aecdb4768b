/* SPDX-License-Identifier: MIT */
/* extension.c: the records among a message's unknown bytes: which there are, and whose. */
#include "extension_scan.h"

#define TAG_NUMBER(tag) ((tag) >> 3)
#define TAG_WIRE(tag)   ((tag)&7)

/* A message set's item is `repeated group Item = 1 { int32 type_id = 2; bytes message = 3; }`. */
#define ITEM_NUMBER 1u
#define TYPE_ID_TAG (2u << 3 | CW__WIRE_VARINT)
#define MESSAGE_TAG (3u << 3 | CW__WIRE_LEN)

const cw__ext_kind cw__ext_kinds[] = {
    [CW_KIND_DOUBLE] = {CW__WIRE_64, true, CW__FIXED64, sizeof(double)},
    [CW_KIND_FLOAT] = {CW__WIRE_32, true, CW__FIXED32, sizeof(float)},
    [CW_KIND_INT64] = {CW__WIRE_VARINT, true, CW__VARINT64, sizeof(int64_t)},
    [CW_KIND_UINT64] = {CW__WIRE_VARINT, true, CW__VARINT64, sizeof(uint64_t)},
    [CW_KIND_INT32] = {CW__WIRE_VARINT, true, CW__INT32, sizeof(int32_t)},
    [CW_KIND_FIXED64] = {CW__WIRE_64, true, CW__FIXED64, sizeof(uint64_t)},
    [CW_KIND_FIXED32] = {CW__WIRE_32, true, CW__FIXED32, sizeof(uint32_t)},
    [CW_KIND_BOOL] = {CW__WIRE_VARINT, true, CW__BOOL, sizeof(bool)},
    [CW_KIND_STRING] = {CW__WIRE_LEN, false, CW__VARINT32, sizeof(cw_str)},
    [CW_KIND_GROUP] = {CW__WIRE_GROUP, false, CW__VARINT32, 0},
    [CW_KIND_MESSAGE] = {CW__WIRE_LEN, false, CW__VARINT32, 0},
    [CW_KIND_BYTES] = {CW__WIRE_LEN, false, CW__VARINT32, sizeof(cw_bytes)},
    [CW_KIND_UINT32] = {CW__WIRE_VARINT, true, CW__VARINT32, sizeof(uint32_t)},
    [CW_KIND_ENUM] = {CW__WIRE_VARINT, true, CW__INT32, sizeof(int32_t)},
    [CW_KIND_SFIXED32] = {CW__WIRE_32, true, CW__FIXED32, sizeof(int32_t)},
    [CW_KIND_SFIXED64] = {CW__WIRE_64, true, CW__FIXED64, sizeof(int64_t)},
    [CW_KIND_SINT32] = {CW__WIRE_VARINT, true, CW__ZIGZAG32, sizeof(int32_t)},
    [CW_KIND_SINT64] = {CW__WIRE_VARINT, true, CW__ZIGZAG64, sizeof(int64_t)},
};

void cw__ext_of(const cw_extension *from, cw__ext *x, cw__ext_message *m)
{
    const cw_field *f = from->field;
    memset(x, 0, sizeof *x);
    x->full_name = from->full_name;
    x->number = f->number;
    x->kind = f->kind;
    x->repeated = f->shape == CW_SHAPE_REPEATED;
    x->packed = f->packed;
    x->check_utf8 = f->check_utf8;
    x->in_message_set = from->extendee->is_message_set;
    x->element_size = cw__ext_kind_of(f->kind)->size;
    x->closed = f->closed_enum ? f->enum_type : NULL;
    if (!f->message) {
        return;
    }
    const cw_type *t = f->message;
    m->struct_size = t->struct_size;
    m->init = t->init;
    m->wire_put = t->wire_put;
    m->wire_get = t->wire_get;
    m->required = t->required;
    m->sort_maps = t->sort_maps;
    x->element_size = t->struct_size;
    x->message = m;
}

bool cw__ext_is_stranger(const cw__ext *x, int32_t v)
{
    if (x->known) {
        return !x->known(v);
    }
    if (!x->closed) {
        return false;
    }
    for (uint32_t i = 0; i < x->closed->n_values; i++) {
        if (x->closed->values[i].number == v) {
            return false;
        }
    }
    return true;
}

/* ---- records ----------------------------------------------------------------------------------
 */

cw__decoder cw__ext_reader(const cw_unknown *u)
{
    static const uint8_t nothing[1] = {0};
    cw__decoder d;
    memset(&d, 0, sizeof d);
    d.begin = u && u->len > 0 ? u->data : nothing;
    d.end = d.begin + (u ? u->len : 0);
    return d;
}

/*
 * The group whose start tag has been read: what follows its end tag; *inside is set to what is
 * between the two. No stack of numbers, so that any depth can be skipped without memory: the ends
 * inside are counted only.
 */
static const uint8_t *skip_group(cw__decoder *d, const uint8_t *start, const uint8_t *p,
                                 uint32_t number, cw_bytes *inside)
{
    const uint8_t *begin = p;
    size_t open = 1;
    while (p < d->end) {
        const uint8_t *at = p;
        uint32_t tag = 0;
        p = cw__get_tag(d, p, d->end, &tag);
        if (!p) {
            return NULL;
        }
        if (TAG_NUMBER(tag) > 0 && TAG_WIRE(tag) == CW__WIRE_GROUP) {
            open++;
        } else if (TAG_NUMBER(tag) > 0 && TAG_WIRE(tag) == CW__WIRE_END) {
            open--;
        } else {
            p = cw__get_unknown(d, at, p, d->end, tag, NULL, 0);
        }
        if (open == 0) {
            *inside = cw_bytes_of(begin, (size_t)(at - begin));
            return TAG_NUMBER(tag) == number ? p : cw__get_fail(d, CW_ERR_GROUP, at, NULL);
        }
        if (!p) {
            return NULL;
        }
    }
    return cw__get_fail(d, CW_ERR_TRUNCATED, start, "group without its end");
}

/* A field whose tag has been read: what follows it; *payload is set. */
static const uint8_t *skip_field(cw__decoder *d, const uint8_t *start, const uint8_t *p,
                                 uint32_t tag, cw_bytes *payload)
{
    const uint8_t *value = p;
    if (TAG_WIRE(tag) == CW__WIRE_GROUP && TAG_NUMBER(tag) > 0) {
        return skip_group(d, start, p, TAG_NUMBER(tag), payload);
    }
    p = cw__get_unknown(d, start, p, d->end, tag, NULL, 0);
    if (p && TAG_WIRE(tag) == CW__WIRE_LEN) {
        size_t n = 0;
        value = cw__get_len(d, value, d->end, &n);
    }
    if (p) {
        *payload = cw_bytes_of(value, (size_t)(p - value));
    }
    return p;
}

/*
 * The group 1 of a message set, read as an item when it is one. Groups in it have been counted
 * only: what is wrong with their ends is no failure of d, the group is then no item.
 */
static void read_item(const cw__decoder *outer, cw__ext_record *r)
{
    cw__decoder inside = *outer;
    cw__decoder *d = &inside;
    d->error = NULL;
    const uint8_t *p = r->payload.data;
    const uint8_t *end = p + r->payload.len;
    bool has_id = false, has_message = false;
    uint32_t id = 0;
    cw_bytes message = {NULL, 0};
    while (p && p < end) {
        const uint8_t *start = p;
        uint32_t tag = 0;
        cw_bytes payload = {NULL, 0};
        p = cw__get_tag(d, p, end, &tag);
        p = p ? skip_field(d, start, p, tag, &payload) : NULL;
        if (!p) {
            return;
        }
        if (tag == TYPE_ID_TAG && !has_id) {
            has_id = cw__get_uint32(d, payload.data, p, &id) != NULL;
        } else if (tag == MESSAGE_TAG && !has_message) {
            has_message = true;
            message = payload;
        }
    }
    if (has_id && has_message) {
        r->number = id;
        r->wire_type = CW__WIRE_LEN;
        r->payload = message;
        r->is_item = true;
    }
}

const uint8_t *cw__ext_scan(cw__decoder *d, const uint8_t *p, bool in_message_set,
                            cw__ext_record *r)
{
    const uint8_t *start = p;
    uint32_t tag = 0;
    p = cw__get_tag(d, p, d->end, &tag);
    p = p ? skip_field(d, start, p, tag, &r->payload) : NULL;
    if (!p) {
        return NULL;
    }
    r->number = TAG_NUMBER(tag);
    r->wire_type = TAG_WIRE(tag);
    r->whole = cw_bytes_of(start, (size_t)(p - start));
    r->is_item = false;
    if (in_message_set && tag == (ITEM_NUMBER << 3 | CW__WIRE_GROUP)) {
        read_item(d, r);
    }
    return p;
}

bool cw__ext_next(const cw_unknown *u, bool in_message_set, size_t *pos, cw__ext_record *record)
{
    cw__decoder d = cw__ext_reader(u);
    const uint8_t *p = d.begin + *pos;
    if (p >= d.end) {
        return false;
    }
    p = cw__ext_scan(&d, p, in_message_set, record);
    if (!p) {
        return false;
    }
    *pos = (size_t)(p - d.begin);
    return true;
}

/* ---- whose they are ---------------------------------------------------------------------------
 */

bool cw__ext_is_of(const cw__ext *x, const cw__ext_record *r)
{
    /* A message set's group 1 that is no item is nobody's. */
    return r->number == x->number &&
           !(x->in_message_set && r->wire_type == CW__WIRE_GROUP && r->number == ITEM_NUMBER);
}

bool cw__ext_fits(const cw__ext *x, const cw__ext_record *r)
{
    if (!cw__ext_is_of(x, r)) {
        return false;
    }
    if (r->is_item) {
        return x->kind == CW_KIND_MESSAGE;
    }
    const cw__ext_kind *kind = cw__ext_kind_of(x->kind);
    return r->wire_type == kind->wire_type ||
           (r->wire_type == CW__WIRE_LEN && x->repeated && kind->packable);
}

/* Is there one value among the varints that the closed enum has? */
static bool holds_known(const cw__ext *x, cw__decoder *d, cw_bytes varints)
{
    const uint8_t *p = varints.data;
    const uint8_t *end = p + varints.len;
    while (p && p < end) {
        int32_t v = 0;
        p = cw__get_enum(d, p, end, &v);
        if (p && !cw__ext_is_stranger(x, v)) {
            return true;
        }
    }
    return false;
}

static bool holds_value(const cw__ext *x, cw__decoder *d, const cw__ext_record *r)
{
    if (!cw__ext_fits(x, r)) {
        return false;
    }
    if (x->known || x->closed) {
        return holds_known(x, d, r->payload);
    }
    bool packed = r->wire_type != cw__ext_kind_of(x->kind)->wire_type;
    return !packed || r->payload.len > 0;
}

bool cw__ext_has(const cw_unknown *u, const cw__ext *x)
{
    cw__decoder d = cw__ext_reader(u);
    const uint8_t *p = d.begin;
    while (p && p < d.end) {
        cw__ext_record r;
        p = cw__ext_scan(&d, p, x->in_message_set, &r);
        if (p && holds_value(x, &d, &r)) {
            return true;
        }
    }
    return false;
}

void cw__ext_clear(cw_unknown *u, const cw__ext *x)
{
    cw__decoder d = cw__ext_reader(u);
    const uint8_t *p = d.begin;
    size_t kept = 0;
    while (p && p < d.end) {
        cw__ext_record r;
        const uint8_t *start = p;
        p = cw__ext_scan(&d, p, x->in_message_set, &r);
        const uint8_t *upto = p ? p : d.end; /* malformed bytes stay, all that follows with them */
        if (p && cw__ext_is_of(x, &r)) {
            continue;
        }
        size_t n = (size_t)(upto - start);
        if (u->data + kept != start) {
            memmove(u->data + kept, start, n);
        }
        kept += n;
    }
    if (u) {
        u->len = kept;
    }
}
