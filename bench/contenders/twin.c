/* SPDX-License-Identifier: MIT */
/*
 * cwire on the twins of schemas/twin.proto: the same bytes on the wire as another message, and less
 * work. They stand beside contenders that check less than we do: `bytes` for `string` is a decode
 * without the UTF-8 check, a list of entries for a map is one that is neither sorted nor freed of
 * duplicates.
 */
#include "contender.h"

#include <stdlib.h>

#include "die.h"
#include "mem.h"
#include "twin.cw.h"

typedef struct twin_pair {
    const char *full_name; /* of the payload's type */
    const cw_type *twin;
} twin_pair;

static const twin_pair bytes_for_string[] = {
    {"shop.Batch", &twin_Batch_type},        {"shop.Order", &twin_Order_type},
    {"shop.Item", &twin_Item_type},          {"article.Articles", &twin_Articles_type},
    {"article.Article", &twin_Article_type}, {"org.Orgs", &twin_Orgs_type},
    {"org.OrgNode", &twin_OrgNode_type},     {NULL, NULL},
};

static const twin_pair list_for_map[] = {
    {"shapes.Maps", &twin_Maps_type},
    {NULL, NULL},
};

typedef struct twin_state {
    const cw_type *type;
    cw_arena arena;         /* of results */
    cw_arena proof;         /* of `matches` */
    cw_arena sources_arena; /* owns what follows */
    void **sources;
    void *message; /* what the read operations fill */
    uint8_t *buffer;
    size_t buffer_size;
} twin_state;

static const cw_type *find_twin(const twin_pair *pairs, const bench_payload *p)
{
    for (; !p->is_users && pairs->full_name != NULL; pairs++) {
        if (strcmp(pairs->full_name, p->type->full_name) == 0) {
            return pairs->twin;
        }
    }
    return NULL;
}

static bool matches(void *state, const void *message, cw_bytes binary)
{
    twin_state *s = state;
    cw_bytes again;
    cw_arena_reset(&s->proof);
    return s->type->encode_arena(message, &s->proof, &again, NULL) == CW_OK &&
           cw_bytes_equal(again, binary);
}

static void *setup(const bench_payload *p, const cw_type *type)
{
    twin_state *s = bench_calloc(1, sizeof *s);
    cw_arena *a = &s->sources_arena;
    s->type = type;
    s->message = bench_calloc(1, type->struct_size);
    s->buffer_size = 2 * p->longest[BENCH_BINARY] + 64;
    s->buffer = bench_calloc(s->buffer_size, 1);
    s->sources = bench_calloc(p->n_messages, sizeof(void *));
    for (size_t i = 0; i < p->n_messages; i++) {
        cw_bytes binary = bench_payload_binary(p, i);
        void *m = s->sources[i] = cw_arena_alloc(a, type->struct_size);
        if (m == NULL || type->decode(m, binary.data, binary.len, a, NULL, NULL) != CW_OK ||
            !matches(s, m, binary)) {
            bench_die("payload %s: not the same bytes as %s", p->name, type->full_name);
        }
    }
    return s;
}

static void teardown(void *state)
{
    twin_state *s = state;
    cw_arena_free(&s->arena);
    cw_arena_free(&s->proof);
    cw_arena_free(&s->sources_arena);
    free(s->sources);
    free(s->message);
    free(s->buffer);
    free(s);
}

static void *source(void *state, size_t index)
{
    return ((twin_state *)state)->sources[index];
}

static bool probe(void *state, const bench_leaf *leaf, bench_probe *out)
{
    return bench_probe_cwire(((twin_state *)state)->type, leaf, out);
}

static cw_bytes encode(void *state, const void *message)
{
    twin_state *s = state;
    size_t len;
    if (s->type->encode(message, s->buffer, s->buffer_size, &len, NULL) != CW_OK) {
        return cw_bytes_of(NULL, 0);
    }
    return cw_bytes_of(s->buffer, len);
}

static const void *decode_with(twin_state *s, cw_bytes input, const cw_decode_options *options)
{
    cw_arena_reset(&s->arena);
    cw_status st = s->type->decode(s->message, input.data, input.len, &s->arena, options, NULL);
    return st == CW_OK ? s->message : NULL;
}

static const void *decode_copy(void *state, cw_bytes input)
{
    return decode_with(state, input, NULL);
}

static const void *decode_alias(void *state, cw_bytes input)
{
    static const cw_decode_options options = {.alias = true};
    return decode_with(state, input, &options);
}

/* ---- bytes for string --------------------------------------------------------------------------
 */

static const char *unchecked_refuses(const bench_payload *p)
{
    return find_twin(bytes_for_string, p) ? NULL : "the type has no twin without strings";
}

static void *unchecked_setup(const bench_payload *p)
{
    return setup(p, find_twin(bytes_for_string, p));
}

static const bench_op unchecked_ops[] = {
    {"decode_copy", BENCH_BINARY, NULL, decode_copy, NULL},
    {"decode_alias", BENCH_BINARY, NULL, decode_alias, NULL},
};

const bench_contender bench_cwire_unchecked = {
    .name = "cwire_unchecked",
    .refuses = unchecked_refuses,
    .is_twin = true,
    .setup = unchecked_setup,
    .teardown = teardown,
    .source = source,
    .probe = probe,
    .matches = matches,
    .ops = unchecked_ops,
    .n_ops = sizeof unchecked_ops / sizeof unchecked_ops[0],
};

/* ---- lists for maps ----------------------------------------------------------------------------
 */

static const char *map_as_list_refuses(const bench_payload *p)
{
    return find_twin(list_for_map, p) ? NULL : "the type has no twin without maps";
}

static void *map_as_list_setup(const bench_payload *p)
{
    return setup(p, find_twin(list_for_map, p));
}

static const bench_op map_as_list_ops[] = {
    {"encode", BENCH_BINARY, encode, NULL, NULL},
    {"decode_copy", BENCH_BINARY, NULL, decode_copy, NULL},
    {"decode_alias", BENCH_BINARY, NULL, decode_alias, NULL},
};

const bench_contender bench_cwire_map_as_list = {
    .name = "cwire_map_as_list",
    .refuses = map_as_list_refuses,
    .is_twin = true,
    .setup = map_as_list_setup,
    .teardown = teardown,
    .source = source,
    .probe = probe,
    .matches = matches,
    .ops = map_as_list_ops,
    .n_ops = sizeof map_as_list_ops / sizeof map_as_list_ops[0],
};
