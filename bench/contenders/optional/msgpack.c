/* SPDX-License-Identifier: MIT */
/*
 * msgpack-c: a third format. A message is a map from field names to values, as in JSON: present
 * fields only, enums as numbers, bytes as bin, a map's keys as what they are. Packed from cwire's
 * structs; unpacked into msgpack-c's objects, from which the structs are filled. It does not check
 * UTF-8. Buffer and zone are kept, as a careful user would.
 */
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>

#include "../json_table.h"
#include "contender.h"
#include "die.h"
#include "mem.h"

enum {
    NESTING_MAX = 31 /* maps and arrays in each other: msgpack-c's unpacker has a fixed stack */
};

typedef struct msgpack_state {
    bench_cwire_state base;
    bench_json_table *table;
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    msgpack_zone zone;
    void *message;
} msgpack_state;

extern const bench_contender bench_msgpack;

/* ---- packing ------------------------------------------------------------------------------------
 */

static bool pack_message(msgpack_packer *to, const bench_json_type *t, const void *m);

static bool pack_value(msgpack_packer *to, const bench_json_field *f, const void *at)
{
    cw_str text;
    cw_bytes bytes;
    uint64_t v;
    switch (f->field->kind) {
    case CW_KIND_MESSAGE:
    case CW_KIND_GROUP:
        return pack_message(to, f->sub, at);
    case CW_KIND_STRING:
        text = bench_load_str(at);
        return msgpack_pack_str_with_body(to, text.data, text.len) == 0;
    case CW_KIND_BYTES:
        bytes = bench_load_bytes(at);
        return msgpack_pack_bin_with_body(to, bytes.data, bytes.len) == 0;
    case CW_KIND_BOOL:
        return (*(const uint8_t *)at ? msgpack_pack_true(to) : msgpack_pack_false(to)) == 0;
    case CW_KIND_DOUBLE:
        return msgpack_pack_double(to, bench_load_double(at)) == 0;
    case CW_KIND_FLOAT:
        return msgpack_pack_float(to, bench_load_float(at)) == 0;
    default:
        v = bench_load_integer(at, f->field->kind);
        return (bench_is_signed(f->field->kind) ? msgpack_pack_int64(to, (int64_t)v)
                                                : msgpack_pack_uint64(to, v)) == 0;
    }
}

static bool pack_list(msgpack_packer *to, const bench_json_field *f, const void *at)
{
    cw_list_view list = cw_list_load(at);
    const char *element = list.data;
    bool ok = msgpack_pack_array(to, list.len) == 0;
    for (size_t i = 0; i < list.len && ok; i++, element += f->field->element_size) {
        ok = pack_value(to, f, element);
    }
    return ok;
}

static bool pack_map(msgpack_packer *to, const bench_json_field *f, const void *at)
{
    cw_list_view list = cw_list_load(at);
    const bench_json_field *key = &f->sub->fields[0], *value = &f->sub->fields[1];
    const char *entry = list.data;
    bool ok = msgpack_pack_map(to, list.len) == 0;
    for (size_t i = 0; i < list.len && ok; i++, entry += f->field->element_size) {
        ok = pack_value(to, key, entry + key->field->offset) &&
             pack_value(to, value, entry + value->field->offset);
    }
    return ok;
}

static bool pack_field(msgpack_packer *to, const bench_json_type *t, const bench_json_field *f,
                       const void *m)
{
    const char *at = (const char *)m + f->field->offset;
    if (msgpack_pack_str_with_body(to, f->name, f->name_len) != 0) {
        return false;
    }
    if (f->field->shape == CW_SHAPE_MAP) {
        return pack_map(to, f, at);
    }
    if (f->field->shape == CW_SHAPE_REPEATED) {
        return pack_list(to, f, at);
    }
    bool nested = bench_is_message_kind(f->field->kind);
    return pack_value(to, f, nested ? bench_submessage(t->type, f->field, m) : at);
}

/* The number of entries comes first: presence is looked up once and remembered. */
static bool pack_message(msgpack_packer *to, const bench_json_type *t, const void *m)
{
    uint16_t present[BENCH_JSON_FIELDS_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n_fields; i++) {
        present[n] = (uint16_t)i;
        n += bench_is_present(t->type, i, m);
    }
    bool ok = msgpack_pack_map(to, n) == 0;
    for (uint32_t i = 0; i < n && ok; i++) {
        ok = pack_field(to, t, &t->fields[present[i]], m);
    }
    return ok;
}

static cw_bytes msgpack_write(void *state, const void *message)
{
    msgpack_state *s = state;
    msgpack_sbuffer_clear(&s->buffer);
    if (!pack_message(&s->packer, bench_json_table_root(s->table), message)) {
        return cw_bytes_of(NULL, 0);
    }
    return cw_bytes_of(s->buffer.data, s->buffer.size);
}

/* ---- unpacking ----------------------------------------------------------------------------------
 */

static bool read_message(msgpack_state *s, const bench_json_type *t, void *m,
                         const msgpack_object *object);

static bool read_integer(void *at, cw_kind kind, const msgpack_object *object)
{
    uint64_t wide = object->via.u64; /* a negative one is in i64, the same bits */
    uint32_t narrow = (uint32_t)wide;
    memcpy(at, bench_kind_size(kind) == 4 ? (void *)&narrow : (void *)&wide, bench_kind_size(kind));
    return object->type == MSGPACK_OBJECT_POSITIVE_INTEGER ||
           object->type == MSGPACK_OBJECT_NEGATIVE_INTEGER;
}

static bool read_float(void *at, cw_kind kind, const msgpack_object *object)
{
    double wide = object->via.f64;
    float narrow = (float)wide;
    memcpy(at, kind == CW_KIND_FLOAT ? (void *)&narrow : (void *)&wide, bench_kind_size(kind));
    return object->type == MSGPACK_OBJECT_FLOAT64 || object->type == MSGPACK_OBJECT_FLOAT32;
}

static bool read_view(msgpack_state *s, void *at, cw_kind kind, const msgpack_object *object)
{
    cw_arena *a = &s->base.arena;
    cw_str text = {0};
    cw_bytes bytes = {0};
    if (kind == CW_KIND_STRING) {
        if (object->type != MSGPACK_OBJECT_STR ||
            !cw_arena_str(a, cw_str_of(object->via.str.ptr, object->via.str.size), &text)) {
            return false;
        }
        memcpy(at, &text, sizeof text);
        return true;
    }
    if (object->type != MSGPACK_OBJECT_BIN ||
        !cw_arena_bytes(a, cw_bytes_of(object->via.bin.ptr, object->via.bin.size), &bytes)) {
        return false;
    }
    memcpy(at, &bytes, sizeof bytes);
    return true;
}

static bool read_value(msgpack_state *s, const bench_json_field *f, void *at,
                       const msgpack_object *object)
{
    switch (f->field->kind) {
    case CW_KIND_MESSAGE:
    case CW_KIND_GROUP:
        bench_init_message(f->sub->type, at);
        return read_message(s, f->sub, at, object);
    case CW_KIND_STRING:
    case CW_KIND_BYTES:
        return read_view(s, at, f->field->kind, object);
    case CW_KIND_BOOL:
        memcpy(at, &object->via.boolean, sizeof(bool));
        return object->type == MSGPACK_OBJECT_BOOLEAN;
    case CW_KIND_DOUBLE:
    case CW_KIND_FLOAT:
        return read_float(at, f->field->kind, object);
    default:
        return read_integer(at, f->field->kind, object);
    }
}

/* `n` elements in the arena as the list at `at`; NULL: no memory. Their number is known. */
static char *make_list(msgpack_state *s, const bench_json_field *f, void *at, size_t n)
{
    void *data = cw_arena_array(&s->base.arena, n, f->field->element_size);
    if (data != NULL) {
        cw_list_store(at, (cw_list_view){data, n, n});
    }
    return data;
}

static bool read_list(msgpack_state *s, const bench_json_field *f, void *at,
                      const msgpack_object *object)
{
    if (object->type != MSGPACK_OBJECT_ARRAY) {
        return false;
    }
    const msgpack_object_array array = object->via.array;
    char *element = make_list(s, f, at, array.size);
    bool ok = element != NULL;
    for (uint32_t i = 0; i < array.size && ok; i++, element += f->field->element_size) {
        ok = read_value(s, f, element, &array.ptr[i]);
    }
    return ok;
}

/* Keys come sorted, because cwire's maps are: nothing is sorted here, to msgpack's advantage. */
static bool read_map(msgpack_state *s, const bench_json_field *f, void *at,
                     const msgpack_object *object)
{
    if (object->type != MSGPACK_OBJECT_MAP) {
        return false;
    }
    const msgpack_object_map map = object->via.map;
    const bench_json_field *key = &f->sub->fields[0], *value = &f->sub->fields[1];
    char *entry = make_list(s, f, at, map.size);
    bool ok = entry != NULL;
    for (uint32_t i = 0; i < map.size && ok; i++, entry += f->field->element_size) {
        memset(entry, 0, f->field->element_size);
        ok = read_value(s, key, entry + key->field->offset, &map.ptr[i].key) &&
             read_value(s, value, entry + value->field->offset, &map.ptr[i].val);
    }
    return ok;
}

static bool read_field(msgpack_state *s, const bench_json_type *t, const bench_json_field *f,
                       void *m, const msgpack_object *object)
{
    char *at = (char *)m + f->field->offset;
    if (f->field->shape == CW_SHAPE_MAP) {
        return read_map(s, f, at, object);
    }
    if (f->field->shape == CW_SHAPE_REPEATED) {
        return read_list(s, f, at, object);
    }
    bench_mark_present(t, f, m);
    if (bench_is_message_kind(f->field->kind)) {
        void *sub = cw_arena_alloc(&s->base.arena, f->field->element_size);
        if (sub == NULL) {
            return false;
        }
        memcpy(at, &sub, sizeof sub);
        at = sub;
    }
    return read_value(s, f, at, object);
}

static bool read_message(msgpack_state *s, const bench_json_type *t, void *m,
                         const msgpack_object *object)
{
    uint32_t expected = 0;
    if (object->type != MSGPACK_OBJECT_MAP) {
        return false;
    }
    const msgpack_object_map map = object->via.map;
    for (uint32_t i = 0; i < map.size; i++) {
        const msgpack_object *key = &map.ptr[i].key;
        if (key->type != MSGPACK_OBJECT_STR) {
            return false;
        }
        const bench_json_field *f =
            bench_json_find(t, key->via.str.ptr, key->via.str.size, &expected);
        if (f == NULL || !read_field(s, t, f, m, &map.ptr[i].val)) {
            return false;
        }
    }
    return true;
}

static const void *msgpack_read(void *state, cw_bytes input)
{
    msgpack_state *s = state;
    const bench_json_type *root = bench_json_table_root(s->table);
    msgpack_object object;
    size_t offset = 0;
    cw_arena_reset(&s->base.arena);
    msgpack_zone_clear(&s->zone);
    bench_init_message(root->type, s->message);
    if (msgpack_unpack((const char *)input.data, input.len, &offset, &s->zone, &object) !=
            MSGPACK_UNPACK_SUCCESS ||
        offset != input.len || !read_message(s, root, s->message, &object)) {
        return NULL;
    }
    return s->message;
}

/* ---- the row ------------------------------------------------------------------------------------
 */

static const char *version(char *out, size_t cap)
{
    snprintf(out, cap, "msgpack-c %s", msgpack_version());
    return out;
}

/* Maps and arrays open at once at the deepest place. */
static unsigned nesting_of(const cw_type *type, const void *m)
{
    unsigned deepest = 0;
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const cw_field *f = &type->fields[i];
        const char *at = (const char *)m + f->offset;
        unsigned below = 0;
        if (!bench_is_present(type, i, m)) {
            continue;
        }
        if (bench_is_list(f->shape)) {
            cw_list_view list = cw_list_load(at);
            for (size_t j = 0; j < list.len && bench_is_message_kind(f->kind); j++) {
                unsigned n = nesting_of(f->message, (char *)list.data + j * f->element_size);
                below = n > below ? n : below;
            }
            below += 1; /* a map's entries are no objects of their own: one too many there */
        } else if (bench_is_message_kind(f->kind)) {
            below = nesting_of(f->message, bench_submessage(type, f, m));
        }
        deepest = below > deepest ? below : deepest;
    }
    return deepest + 1;
}

static const char *refuses(const bench_payload *p)
{
    if (p->has_well_known) {
        return "its objects are those of the JSON form, which well-known types do not have";
    }
    for (size_t i = 0; i < p->n_messages; i++) {
        if (nesting_of(p->type, p->messages[i]) > NESTING_MAX) {
            return "the message is nested deeper than its unpacker's stack";
        }
    }
    return NULL;
}

static void *setup(const bench_payload *p)
{
    msgpack_state *s = bench_calloc(1, sizeof *s);
    bench_cwire_state_init(&s->base, p);
    s->table = bench_json_table_make(p->type);
    s->message = bench_calloc(1, p->type->struct_size);
    msgpack_sbuffer_init(&s->buffer);
    msgpack_packer_init(&s->packer, &s->buffer, msgpack_sbuffer_write);
    /* One chunk for all objects: the zone keeps it when it is cleared. */
    if (!msgpack_zone_init(&s->zone, 65536 + 16 * p->longest[BENCH_BINARY])) {
        bench_die("msgpack: out of memory");
    }
    return s;
}

static void teardown(void *state)
{
    msgpack_state *s = state;
    msgpack_sbuffer_destroy(&s->buffer);
    msgpack_zone_destroy(&s->zone);
    bench_json_table_free(s->table);
    free(s->message);
    bench_cwire_state_free(&s->base);
    free(s);
}

static const bench_op ops[] = {
    {"msgpack_pack", BENCH_OWN, msgpack_write, NULL, NULL},
    {"msgpack_unpack", BENCH_OWN, NULL, msgpack_read, NULL},
};

const bench_contender bench_msgpack = {
    .name = "msgpack-c",
    .version = version,
    .refuses = refuses,
    .setup = setup,
    .teardown = teardown,
    .source = bench_cwire_source,
    .probe = bench_cwire_probe,
    .matches = bench_cwire_matches,
    .ops = ops,
    .n_ops = sizeof ops / sizeof ops[0],
};
