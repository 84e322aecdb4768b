/* SPDX-License-Identifier: MIT */
/* protobuf-c, through its descriptors. It does not check UTF-8 on decode; cwire does. */
#include "contender.h"

#include <stdio.h>
#include <stdlib.h>

#include "die.h"
#include "mem.h"
#include "pbc_registry.h"
#include "reflect.h"

/* An allocator that only moves a pointer: what a careful user of protobuf-c would write. */
typedef struct bump {
    uint8_t *block;
    size_t size, used;
    ProtobufCAllocator allocator;
} bump;

typedef struct pbc_state {
    const ProtobufCMessageDescriptor *type;
    ProtobufCMessage **messages; /* the sources */
    size_t n_messages;
    uint8_t *buffer;
    size_t buffer_size;
    bump bump;
} pbc_state;

static void *bump_alloc(void *data, size_t size)
{
    bump *b = data;
    size = (size + 7) & ~(size_t)7;
    if (size > b->size - b->used) {
        return NULL;
    }
    void *block = b->block + b->used;
    b->used += size;
    return block;
}

static void bump_free(void *data, void *block)
{
    (void)data;
    (void)block;
}

static const ProtobufCMessageDescriptor *find_type(const char *full_name)
{
    for (size_t i = 0; i < bench_pbc_type_count; i++) {
        if (strcmp(bench_pbc_types[i]->name, full_name) == 0) {
            return bench_pbc_types[i];
        }
    }
    return NULL;
}

static const ProtobufCMessageDescriptor *type_of(const bench_payload *p)
{
    return p->is_users ? p->pbc_type : find_type(p->type->full_name);
}

static const char *version(char *out, size_t cap)
{
    snprintf(out, cap, "protobuf-c %s", protobuf_c_version());
    return out;
}

static const char *refuses(const bench_payload *p)
{
    return type_of(p) ? NULL : "protoc-c made no code for this type";
}

static void *setup(const bench_payload *p)
{
    pbc_state *s = bench_calloc(1, sizeof *s);
    s->type = type_of(p);
    s->n_messages = p->n_messages;
    s->messages = bench_calloc(p->n_messages, sizeof(void *));
    for (size_t i = 0; i < p->n_messages; i++) {
        cw_bytes binary = bench_payload_binary(p, i);
        s->messages[i] = protobuf_c_message_unpack(s->type, NULL, binary.len, binary.data);
        if (s->messages[i] == NULL) {
            bench_die("payload %s: protobuf-c cannot unpack it", p->name);
        }
    }
    s->buffer_size = p->longest[BENCH_BINARY];
    s->buffer = bench_calloc(s->buffer_size, 1);
    s->bump.size = 65536 + 64 * s->buffer_size;
    s->bump.block = bench_calloc(s->bump.size, 1);
    s->bump.allocator = (ProtobufCAllocator){bump_alloc, bump_free, &s->bump};
    return s;
}

static void teardown(void *state)
{
    pbc_state *s = state;
    for (size_t i = 0; i < s->n_messages; i++) {
        protobuf_c_message_free_unpacked(s->messages[i], NULL);
    }
    free(s->messages);
    free(s->buffer);
    free(s->bump.block);
    free(s);
}

static void *source(void *state, size_t index)
{
    return ((pbc_state *)state)->messages[index];
}

static uint32_t width_of(const ProtobufCFieldDescriptor *f)
{
    switch (f->type) {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return 8;
    default:
        return 4; /* bool is an int here */
    }
}

static size_t element_size(const ProtobufCFieldDescriptor *f)
{
    switch (f->type) {
    case PROTOBUF_C_TYPE_MESSAGE:
    case PROTOBUF_C_TYPE_STRING:
        return sizeof(void *);
    case PROTOBUF_C_TYPE_BYTES:
        return sizeof(ProtobufCBinaryData);
    default:
        return width_of(f);
    }
}

/* Lists and submessages are pointers, a list of messages one of pointers; strings end with NUL. */
static bool probe(void *state, const bench_leaf *leaf, bench_probe *out)
{
    const ProtobufCMessageDescriptor *type = ((pbc_state *)state)->type;
    size_t offset = 0;
    out->n = 0;
    out->width = 0;
    out->tag = 0;
    for (uint32_t i = 0; i < leaf->n_steps; i++) {
        const ProtobufCFieldDescriptor *f =
            protobuf_c_message_descriptor_get_field(type, leaf->steps[i].number);
        if (f == NULL) {
            return false;
        }
        offset += f->offset;
        if (f->label == PROTOBUF_C_LABEL_REPEATED) {
            out->offset[out->n++] = offset;
            offset = leaf->steps[i].index * element_size(f);
        }
        if (f->type == PROTOBUF_C_TYPE_MESSAGE) {
            out->offset[out->n++] = offset;
            offset = 0;
            type = f->descriptor;
        } else if (f->type == PROTOBUF_C_TYPE_STRING || f->type == PROTOBUF_C_TYPE_BYTES) {
            bool bytes = f->type == PROTOBUF_C_TYPE_BYTES;
            out->offset[out->n++] = offset + (bytes ? offsetof(ProtobufCBinaryData, data) : 0);
            offset = leaf->byte;
            out->width = 1;
        } else {
            out->width = width_of(f);
        }
    }
    out->offset[out->n++] = offset;
    return out->width != 0;
}

static bool matches(void *state, const void *message, cw_bytes binary)
{
    (void)state;
    size_t size = protobuf_c_message_get_packed_size(message);
    uint8_t *again = bench_calloc(size, 1);
    protobuf_c_message_pack(message, again);
    bool same = cw_bytes_equal(cw_bytes_of(again, size), binary);
    free(again);
    return same;
}

/* The size first: pack does not know the buffer's. */
static cw_bytes encode(void *state, const void *message)
{
    pbc_state *s = state;
    if (protobuf_c_message_get_packed_size(message) > s->buffer_size) {
        return cw_bytes_of(NULL, 0);
    }
    return cw_bytes_of(s->buffer, protobuf_c_message_pack(message, s->buffer));
}

static const void *decode_malloc(void *state, cw_bytes input)
{
    pbc_state *s = state;
    return protobuf_c_message_unpack(s->type, NULL, input.len, input.data);
}

static void free_malloc(void *state, const void *message)
{
    (void)state;
    protobuf_c_message_free_unpacked((ProtobufCMessage *)(uintptr_t)message, NULL);
}

static const void *decode_bump(void *state, cw_bytes input)
{
    pbc_state *s = state;
    s->bump.used = 0;
    return protobuf_c_message_unpack(s->type, &s->bump.allocator, input.len, input.data);
}

static const bench_op ops[] = {
    {"encode", BENCH_BINARY, encode, NULL, NULL},
    {"decode_malloc", BENCH_BINARY, NULL, decode_malloc, free_malloc},
    {"decode_bump", BENCH_BINARY, NULL, decode_bump, NULL},
};

const bench_contender bench_protobuf_c = {
    .name = "protobuf-c",
    .version = version,
    .refuses = refuses,
    .setup = setup,
    .teardown = teardown,
    .source = source,
    .probe = probe,
    .matches = matches,
    .ops = ops,
    .n_ops = sizeof ops / sizeof ops[0],
};
