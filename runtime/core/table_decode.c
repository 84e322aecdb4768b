/* SPDX-License-Identifier: MIT */
/* table_decode.c: decode by table: the generated decoders' cases, chosen by a field's row. */
#include "table_field.h"

/* Maps of one message that are sorted at its end; those behind them wait for the whole's end. */
#define MAPS_MOST 64

/* One message that is decoded. */
typedef struct frame {
    const cw_type *type;
    void *m;
    const uint8_t *start; /* of the field that is read */
    const uint8_t *end;
    cw__decoder *d;
    int depth;
    bool named;        /* the failed field is in the path already */
    uint64_t had;      /* maps, in their order, that had entries before */
    uint64_t unsorted; /* maps that got entries out of order */
} frame;

/* ---- values -----------------------------------------------------------------------------------
 */

/* The varint x as a value at `place`. */
static void store_varint(cw__element element, uint64_t x, void *place)
{
    uint32_t word = (uint32_t)x;
    switch (element) {
    case CW__BOOL:
        *(bool *)place = x != 0;
        return;
    case CW__ZIGZAG64:
        x = (uint64_t)cw__unzigzag64(x);
        memcpy(place, &x, sizeof x);
        return;
    case CW__VARINT64:
        memcpy(place, &x, sizeof x);
        return;
    case CW__ZIGZAG32:
        word = (uint32_t)cw__unzigzag32(word);
        break;
    default:
        break;
    }
    memcpy(place, &word, sizeof word);
}

/* A value that is no message; any number of an enum. */
static const uint8_t *get_value(const cw_field *f, cw__decoder *d, const uint8_t *p,
                                const uint8_t *end, void *place)
{
    if (f->kind == CW_KIND_STRING) {
        return f->check_utf8 ? cw__get_string(d, p, end, place)
                             : cw__get_string_raw(d, p, end, place);
    }
    if (f->kind == CW_KIND_BYTES) {
        return cw__get_bytes(d, p, end, place);
    }
    uint64_t x = 0;
    uint32_t word = 0;
    const cw__ext_kind *kind = cw__field_kind(f);
    switch (kind->wire_type) {
    case CW__WIRE_64:
        p = cw__get_fixed64(d, p, end, &x);
        memcpy(place, &x, sizeof x);
        return p;
    case CW__WIRE_32:
        p = cw__get_fixed32(d, p, end, &word);
        memcpy(place, &word, sizeof word);
        return p;
    default:
        p = cw__get_varint(d, p, end, &x);
        store_varint(kind->element, x, place);
        return p;
    }
}

/* The singular value at `value` becomes the field's. */
static void set_field(frame *s, const cw_field *f, const void *value)
{
    if (f->shape == CW_SHAPE_ONEOF) {
        cw__field_clear_others(s->type, f, s->m);
    }
    memcpy(cw__field_at(f, s->m), value, cw__field_kind(f)->size);
    cw__field_set_present(s->type, f, s->m);
}

/* A closed enum's value: known ones are stored, others go to the unknown fields. */
static const uint8_t *get_closed(frame *s, const cw_field *f, const uint8_t *p)
{
    uint64_t v = 0;
    p = cw__get_uint64(s->d, p, s->end, &v);
    int32_t number = (int32_t)(uint32_t)v;
    if (!p) {
        return NULL;
    }
    if (f->enum_type->known(number)) {
        set_field(s, f, &number);
    } else if (!cw__unknown_varint(s->d, cw__unknown_at(s->type, s->m), cw__field_tag(f), v)) {
        return cw__get_fail_memory(s->d, s->start);
    }
    return p;
}

static const uint8_t *get_scalar(frame *s, const cw_field *f, const uint8_t *p)
{
    if (f->closed_enum) {
        return get_closed(s, f, p);
    }
    if (f->shape == CW_SHAPE_ONEOF) {
        union {
            cw_str str;
            cw_bytes bytes;
            uint64_t number;
        } value;
        memset(&value, 0, sizeof value);
        p = get_value(f, s->d, p, s->end, &value);
        if (p) {
            set_field(s, f, &value);
        }
        return p;
    }
    p = get_value(f, s->d, p, s->end, cw__field_at(f, s->m));
    cw__field_set_present(s->type, f, s->m);
    return p;
}

/* ---- messages ---------------------------------------------------------------------------------
 */

/* Decodes n bytes at p into x, or a group of which the end is not known. */
static const uint8_t *get_into(frame *s, const cw_field *f, void *x, const uint8_t *p, size_t n)
{
    if (f->kind != CW_KIND_GROUP) {
        return cw__table_dec(f->message, x, p, p + n, s->d, s->depth - 1);
    }
    cw__group outer = cw__group_open(s->d, x, f->number);
    p = cw__table_dec(f->message, x, p, s->end, s->d, s->depth - 1);
    return cw__group_close(s->d, outer, x, p, s->end);
}

/* A second occurrence merges, also in a oneof. */
static const uint8_t *get_message(frame *s, const cw_field *f, const uint8_t *p)
{
    size_t n = 0;
    if (f->kind != CW_KIND_GROUP) {
        p = cw__get_len(s->d, p, s->end, &n);
        if (!p) {
            return NULL;
        }
    }
    void *x = cw__field_present(s->type, f, s->m)
                  ? cw__field_message(f, s->m)
                  : cw__field_new_message(s->type, f, s->m, s->d->arena);
    return x ? get_into(s, f, x, p, n) : cw__get_fail_memory(s->d, s->start);
}

/* Room for `more` elements behind those of the list. */
static bool grow(frame *s, const cw_field *f, cw_list_view *v, size_t more)
{
    void *data = cw__list_grow(s->d->arena, v->data, v->len, &v->cap, f->element_size, more);
    if (!data) {
        cw__get_fail_memory(s->d, s->start);
        return false;
    }
    v->data = data;
    cw_list_store(cw__field_at(f, s->m), *v);
    return true;
}

static const uint8_t *get_messages(frame *s, const cw_field *f, const uint8_t *p)
{
    bool group = f->kind == CW_KIND_GROUP;
    uint32_t tag = cw__field_tag(f);
    cw_list_view v = cw__field_list(f, s->m);
    do {
        size_t n = 0;
        if (v.len >= v.cap && !grow(s, f, &v, group ? 1 : cw__count_run(p, s->end, tag))) {
            return NULL;
        }
        if (!group) {
            p = cw__get_len(s->d, p, s->end, &n);
            if (!p) {
                return NULL;
            }
        }
        void *x = cw__element_of(f, v, v.len);
        f->message->init(x);
        p = get_into(s, f, x, p, n);
        if (!p) {
            s->named = true;
            return cw__get_fail_at(s->d, f->name, v.len);
        }
        v.len++;
        cw_list_store(cw__field_at(f, s->m), v);
    } while (!group && cw__next_is(&p, s->end, tag));
    return p;
}

/* ---- lists ------------------------------------------------------------------------------------
 */

static const uint8_t *get_numbers(frame *s, const cw_field *f, const uint8_t *p, bool packed)
{
    void *member = cw__field_at(f, s->m);
    if (f->closed_enum) {
        cw_unknown **u = cw__unknown_at(s->type, s->m);
        uint32_t tag = cw__field_tag(f);
        cw__enum_known *known = f->enum_type->known;
        return packed ? cw__get_packed_closed(s->d, p, s->end, member, known, tag, u)
                      : cw__get_closed(s->d, p, s->end, member, known, tag, u);
    }
    cw__element element = cw__field_kind(f)->element;
    cw_list_view v = cw_list_load(member);
    cw__array x = {v.data, v.len, v.cap};
    p = packed ? cw__get_packed(s->d, p, s->end, &x, element)
               : cw__get_element(s->d, p, s->end, &x, element);
    v = (cw_list_view){x.data, x.len, x.cap};
    cw_list_store(member, v);
    return p;
}

static const uint8_t *get_list(frame *s, const cw_field *f, const uint8_t *p, bool packed)
{
    void *member = cw__field_at(f, s->m);
    if (f->message) {
        return get_messages(s, f, p);
    }
    if (f->kind == CW_KIND_STRING) {
        return cw__get_strings(s->d, p, s->end, member, cw__field_tag(f), f->check_utf8);
    }
    if (f->kind == CW_KIND_BYTES) {
        return cw__get_bytes_list(s->d, p, s->end, member, cw__field_tag(f));
    }
    return get_numbers(s, f, p, packed);
}

/* ---- maps -------------------------------------------------------------------------------------
 */

/* The value of an entry at x, of which the field begins at `at`. *known: no stranger to a closed
 * enum. */
static const uint8_t *get_entry_value(frame *s, const cw_field *f, void *x, const uint8_t *p,
                                      const uint8_t *at, const uint8_t *end, bool *known)
{
    void *place = cw__field_at(f, x);
    if (f->message) {
        size_t n = 0;
        if (s->depth < 2) {
            return cw__get_fail(s->d, CW_ERR_DEPTH, at, NULL);
        }
        p = cw__get_len(s->d, p, end, &n);
        return p ? cw__table_dec(f->message, place, p, p + n, s->d, s->depth - 2) : NULL;
    }
    p = get_value(f, s->d, p, end, place);
    if (f->closed_enum) {
        int32_t v;
        memcpy(&v, place, sizeof v);
        *known = f->enum_type->known(v);
    }
    return p;
}

/* The fields of the entry x, which ends at `end`. */
static const uint8_t *get_entry(frame *s, const cw_field *parts, void *x, const uint8_t *p,
                                const uint8_t *end, bool *known)
{
    while (p < end) {
        const uint8_t *at = p;
        uint32_t tag = 0;
        p = cw__get_tag(s->d, p, end, &tag);
        if (!p) {
            return NULL;
        }
        if (tag == cw__field_tag(&parts[0])) {
            p = get_value(&parts[0], s->d, p, end, cw__field_at(&parts[0], x));
        } else if (tag == (parts[1].message ? 2u << 3 | CW__WIRE_LEN : cw__field_tag(&parts[1]))) {
            p = get_entry_value(s, &parts[1], x, p, at, end, known);
        } else {
            p = cw__get_unknown(s->d, at, p, end, tag, NULL, s->depth - 1);
        }
        if (!p) {
            return NULL;
        }
    }
    return p == end ? p : cw__get_fail(s->d, CW_ERR_LENGTH, end, NULL);
}

/* Map f has got an entry out of order. */
static void note_unsorted(frame *s, const cw_field *f)
{
    uint32_t nth = 0;
    for (const cw_field *x = s->type->fields; x < f; x++) {
        nth += x->shape == CW_SHAPE_MAP;
    }
    if (nth < MAPS_MOST) {
        s->unsorted |= (uint64_t)1 << nth;
    } else {
        s->d->maps_unsorted = true;
    }
}

/* One entry, appended. */
static const uint8_t *get_map(frame *s, const cw_field *f, const uint8_t *p)
{
    size_t n = 0;
    bool known = true;
    cw_list_view v = cw__field_list(f, s->m);
    uint32_t tag = f->number << 3 | CW__WIRE_LEN;
    if (v.len >= v.cap && !grow(s, f, &v, cw__count_run(p, s->end, tag))) {
        return NULL;
    }
    p = cw__get_len(s->d, p, s->end, &n);
    if (!p) {
        return NULL;
    }
    char *x = cw__element_of(f, v, v.len);
    cw__entry_init(f->message, x);
    p = get_entry(s, f->message->fields, x, p, p + n, &known);
    if (!p) {
        return NULL;
    }
    if (!known) { /* the whole entry is unknown */
        bool ok = cw__unknown_add(s->d->arena, cw__unknown_at(s->type, s->m), s->start,
                                  (size_t)(p - s->start));
        return ok ? p : cw__get_fail_memory(s->d, s->start);
    }
    if (v.len > 0 && cw__key_order(f->message->fields[0].kind)(x - f->element_size, x) >= 0) {
        note_unsorted(s, f);
    }
    v.len++;
    cw_list_store(cw__field_at(f, s->m), v);
    return p;
}

static uint64_t maps_with_entries(const cw_type *t, const void *m)
{
    uint64_t had = 0, bit = 1;
    for (uint32_t i = 0; i < t->n_fields && bit != 0; i++) {
        if (t->fields[i].shape == CW_SHAPE_MAP) {
            had |= cw__field_list(&t->fields[i], m).len > 0 ? bit : 0;
            bit <<= 1;
        }
    }
    return had;
}

/* Maps that got keys out of order are sorted once; those that had entries before wait for the end
 * of the whole decode, so that many small merges stay linear. */
static const uint8_t *sort_maps(frame *s, const uint8_t *p)
{
    uint64_t bit = 1;
    for (uint32_t i = 0; i < s->type->n_fields && bit != 0; i++) {
        if (s->type->fields[i].shape != CW_SHAPE_MAP) {
            continue;
        }
        if (s->unsorted & s->had & bit) {
            s->d->maps_unsorted = true;
        } else if ((s->unsorted & bit) && !cw__table_map_sort(s->type, i, s->m, s->d->arena)) {
            return cw__get_fail_memory(s->d, p);
        }
        bit <<= 1;
    }
    return p;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

/* The field of this number; fields[*next] is where writers are likely to go on. NULL: none. */
static const cw_field *find_field(const cw_type *t, uint32_t number, uint32_t *next)
{
    for (uint32_t i = *next; i < t->n_fields && i < *next + 2; i++) {
        if (t->fields[i].number == number) {
            *next = i;
            return &t->fields[i];
        }
    }
    const cw_field *f = cw_type_field(t, number);
    *next = f ? cw__field_index(t, f) : *next;
    return f;
}

/* The field f behind its tag, which is of the right wire type. */
static const uint8_t *get_field(frame *s, const cw_field *f, const uint8_t *p, bool packed)
{
    if (f->message && s->depth < 1) {
        return cw__get_fail(s->d, CW_ERR_DEPTH, s->start, NULL);
    }
    if (f->shape == CW_SHAPE_MAP) {
        return get_map(s, f, p);
    }
    if (f->shape == CW_SHAPE_REPEATED) {
        return get_list(s, f, p, packed);
    }
    return f->message ? get_message(s, f, p) : get_scalar(s, f, p);
}

const uint8_t *cw__table_dec(const cw_type *t, void *m, const uint8_t *p, const uint8_t *end,
                             cw__decoder *d, int depth)
{
    frame s = {.type = t, .m = m, .end = end, .d = d, .depth = depth};
    uint32_t next = 0;
    if (t->sort_maps) {
        s.had = maps_with_entries(t, m);
    }
    while (p < s.end) {
        uint32_t tag = 0;
        s.start = p;
        p = cw__get_tag(d, p, s.end, &tag);
        if (!p) {
            return NULL;
        }
        const cw_field *f = find_field(t, tag >> 3, &next);
        bool plain = f && tag == cw__field_tag(f);
        bool packed = f && !plain && f->shape == CW_SHAPE_REPEATED && cw__field_kind(f)->packable &&
                      tag == cw__field_packed_tag(f);
        if (plain || packed) {
            p = get_field(&s, f, p, packed);
        } else if (cw__group_ends(d, m, tag)) {
            s.end = p;
        } else {
            p = cw__get_unknown(d, s.start, p, s.end, tag, cw__unknown_at(t, m), depth);
        }
        if (!p) {
            return f && !s.named ? cw__get_fail_at(d, f->name, SIZE_MAX) : NULL;
        }
    }
    if (p != s.end) {
        return cw__get_fail(d, CW_ERR_LENGTH, s.end, NULL);
    }
    return s.unsorted != 0 ? sort_maps(&s, p) : p;
}

cw_status cw__table_merge_from(const cw_type *t, void *m, const void *data, size_t len, cw_arena *a,
                               const cw_decode_options *o, cw_error *e)
{
    cw__decoder d;
    int depth = cw__decode_begin(&d, data, len, a, o, e);
    const uint8_t *p = cw__table_dec(t, m, d.begin, d.end, &d, depth);
    if (p && d.maps_unsorted && t->sort_maps && !cw__table_sort_maps(t, m, a)) {
        p = cw__get_fail_memory(&d, d.end);
    }
    if (p && !d.allow_partial && !cw__table_required(t, m, e, depth)) {
        d.status = CW_ERR_REQUIRED;
    }
    return cw__decode_end(&d, t->full_name);
}
