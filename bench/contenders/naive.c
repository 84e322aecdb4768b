/* SPDX-License-Identifier: MIT */
/*
 * The encoder that beginners write: every nested message is encoded into a heap buffer of its own,
 * which grows as it is appended to and is then copied, behind its length, into the parent's.
 * Generic over cw_type.
 */
#include "contender.h"

#include <stdlib.h>

#include "mem.h"
#include "reflect.h"

typedef struct buffer {
    uint8_t *data;
    size_t len, cap;
    bool failed;
} buffer;

typedef struct naive_state {
    bench_cwire_state base;
    buffer out; /* of the last call, freed by the next */
} naive_state;

enum { VARINT = 0, FIXED64 = 1, LENGTH = 2, GROUP_START = 3, GROUP_END = 4, FIXED32 = 5 };

static void put_message(buffer *b, const cw_type *type, const void *m);

static void put_raw(buffer *b, const void *data, size_t n)
{
    if (b->cap - b->len < n) {
        size_t cap = b->cap ? 2 * b->cap : 64;
        while (cap - b->len < n) {
            cap *= 2;
        }
        uint8_t *grown = realloc(b->data, cap);
        if (grown == NULL) {
            b->failed = true;
            return;
        }
        b->data = grown;
        b->cap = cap;
    }
    if (n > 0) {
        memcpy(b->data + b->len, data, n);
    }
    b->len += n;
}

static void put_varint(buffer *b, uint64_t v)
{
    uint8_t bytes[10];
    size_t n = 0;
    for (; v >= 0x80; v >>= 7) {
        bytes[n++] = (uint8_t)(v | 0x80);
    }
    bytes[n++] = (uint8_t)v;
    put_raw(b, bytes, n);
}

static void put_fixed(buffer *b, uint64_t v, size_t size)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(v >> (8 * i));
    }
    put_raw(b, bytes, size);
}

static unsigned wire_type(cw_kind kind)
{
    switch (kind) {
    case CW_KIND_DOUBLE:
    case CW_KIND_FIXED64:
    case CW_KIND_SFIXED64:
        return FIXED64;
    case CW_KIND_FLOAT:
    case CW_KIND_FIXED32:
    case CW_KIND_SFIXED32:
        return FIXED32;
    case CW_KIND_STRING:
    case CW_KIND_BYTES:
    case CW_KIND_MESSAGE:
        return LENGTH;
    case CW_KIND_GROUP:
        return GROUP_START;
    default:
        return VARINT;
    }
}

/* A scalar without its tag. */
static void put_scalar(buffer *b, cw_kind kind, const void *at)
{
    cw_str view;
    int64_t v;
    switch (wire_type(kind)) {
    case FIXED64:
        put_fixed(b, bench_load_u64(at), 8);
        return;
    case FIXED32:
        put_fixed(b, bench_load_u32(at), 4);
        return;
    case LENGTH:
        view = bench_load_str(at);
        put_varint(b, view.len);
        put_raw(b, view.data, view.len);
        return;
    default:
        break;
    }
    v = (int64_t)bench_load_integer(at, kind);
    if (kind == CW_KIND_SINT32 || kind == CW_KIND_SINT64) {
        put_varint(b, ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0));
    } else {
        put_varint(b, (uint64_t)v);
    }
}

/* A nested buffer's bytes behind their length; it is freed. */
static void put_nested(buffer *b, buffer *nested)
{
    put_varint(b, nested->len);
    put_raw(b, nested->data, nested->len);
    b->failed |= nested->failed;
    free(nested->data);
}

static void put_value(buffer *b, const cw_field *f, const void *at)
{
    put_varint(b, (uint64_t)f->number << 3 | wire_type(f->kind));
    if (f->kind == CW_KIND_MESSAGE) {
        buffer nested = {NULL, 0, 0, false};
        put_message(&nested, f->message, at);
        put_nested(b, &nested);
    } else if (f->kind == CW_KIND_GROUP) {
        put_message(b, f->message, at);
        put_varint(b, (uint64_t)f->number << 3 | GROUP_END);
    } else {
        put_scalar(b, f->kind, at);
    }
}

static void put_list(buffer *b, const cw_field *f, const void *at)
{
    cw_list_view list = cw_list_load(at);
    const char *element = list.data;
    if (!f->packed) {
        for (size_t i = 0; i < list.len; i++, element += f->element_size) {
            put_value(b, f, element);
        }
        return;
    }
    buffer nested = {NULL, 0, 0, false};
    for (size_t i = 0; i < list.len; i++, element += f->element_size) {
        put_scalar(&nested, f->kind, element);
    }
    put_varint(b, (uint64_t)f->number << 3 | LENGTH);
    put_nested(b, &nested);
}

static void put_message(buffer *b, const cw_type *type, const void *m)
{
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const cw_field *f = &type->fields[i];
        const char *at = (const char *)m + f->offset;
        if (!bench_is_present(type, i, m)) {
            continue;
        }
        if (bench_is_list(f->shape)) {
            put_list(b, f, at);
        } else {
            put_value(b, f, bench_is_message_kind(f->kind) ? bench_submessage(type, f, m) : at);
        }
    }
    if (!bench_is_map_entry(type)) {
        const cw_unknown *unknown;
        memcpy(&unknown, (const char *)m + type->unknown_offset, sizeof unknown);
        if (unknown != NULL) {
            put_raw(b, unknown->data, unknown->len);
        }
    }
}

static void *setup(const bench_payload *p)
{
    naive_state *s = bench_calloc(1, sizeof *s);
    bench_cwire_state_init(&s->base, p);
    return s;
}

static void teardown(void *state)
{
    naive_state *s = state;
    free(s->out.data);
    bench_cwire_state_free(&s->base);
    free(s);
}

static cw_bytes encode(void *state, const void *message)
{
    naive_state *s = state;
    free(s->out.data);
    s->out = (buffer){NULL, 0, 0, false};
    put_message(&s->out, s->base.payload->type, message);
    if (s->out.failed) {
        return cw_bytes_of(NULL, 0);
    }
    return cw_bytes_of(s->out.data != NULL ? (const void *)s->out.data : "", s->out.len);
}

static const bench_op ops[] = {
    {"encode", BENCH_BINARY, encode, NULL, NULL},
};

const bench_contender bench_naive = {
    .name = "naive",
    .is_lesson = true,
    .setup = setup,
    .teardown = teardown,
    .source = bench_cwire_source,
    .probe = bench_cwire_probe,
    .matches = bench_cwire_matches,
    .ops = ops,
    .n_ops = sizeof ops / sizeof ops[0],
};
