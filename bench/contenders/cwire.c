/* SPDX-License-Identifier: MIT */
/* cwire through its public face, by way of cw_type. */
#include "contender.h"

#include <stdio.h>
#include <stdlib.h>

#include "mem.h"

typedef struct cwire_state {
    bench_cwire_state base;
    void *message;  /* what the read operations fill; its contents are in base.arena */
    uint8_t *roomy; /* encode: a caller's buffer that is large enough for more than this message */
    size_t roomy_size;
    uint8_t *exact; /* encode_exact */
    size_t exact_size;
} cwire_state;

/* ---- shared with every contender that uses cwire's structs -------------------------------------
 */

void bench_cwire_state_init(bench_cwire_state *s, const bench_payload *p)
{
    s->payload = p;
    cw_arena_init(&s->arena, NULL);
    cw_arena_init(&s->proof, NULL);
}

void bench_cwire_state_free(bench_cwire_state *s)
{
    cw_arena_free(&s->arena);
    cw_arena_free(&s->proof);
}

void *bench_cwire_source(void *state, size_t index)
{
    return ((bench_cwire_state *)state)->payload->messages[index];
}

bool bench_cwire_probe(void *state, const bench_leaf *leaf, bench_probe *out)
{
    return bench_probe_cwire(((bench_cwire_state *)state)->payload->type, leaf, out);
}

bool bench_cwire_matches(void *state, const void *message, cw_bytes binary)
{
    bench_cwire_state *s = state;
    cw_bytes again;
    cw_arena_reset(&s->proof);
    return s->payload->type->encode_arena(message, &s->proof, &again, NULL) == CW_OK &&
           cw_bytes_equal(again, binary);
}

/* ---- the contender ------------------------------------------------------------------------------
 */

static const char *version(char *out, size_t cap)
{
    snprintf(out, cap, "cwire %s", CWIRE_VERSION);
    return out;
}

static void *setup(const bench_payload *p)
{
    cwire_state *s = bench_calloc(1, sizeof *s);
    bench_cwire_state_init(&s->base, p);
    s->message = bench_calloc(1, p->type->struct_size);
    s->exact_size = p->longest[BENCH_BINARY];
    s->exact = bench_calloc(s->exact_size, 1);
    s->roomy_size = 64;
    while (s->roomy_size < 2 * s->exact_size) {
        s->roomy_size *= 2;
    }
    s->roomy = bench_calloc(s->roomy_size, 1);
    return s;
}

static void teardown(void *state)
{
    cwire_state *s = state;
    free(s->message);
    free(s->roomy);
    free(s->exact);
    bench_cwire_state_free(&s->base);
    free(s);
}

static cw_bytes encode(void *state, const void *message)
{
    cwire_state *s = state;
    const cw_type *type = s->base.payload->type;
    size_t len;
    if (type->encode(message, s->roomy, s->roomy_size, &len, NULL) != CW_OK) {
        return cw_bytes_of(NULL, 0);
    }
    return cw_bytes_of(s->roomy, len);
}

/* The size first, then into a buffer of exactly that size, as who allocates exactly must. */
static cw_bytes encode_exact(void *state, const void *message)
{
    cwire_state *s = state;
    const cw_type *type = s->base.payload->type;
    size_t len, need = type->encoded_size(message);
    if (need > s->exact_size || type->encode(message, s->exact, need, &len, NULL) != CW_OK) {
        return cw_bytes_of(NULL, 0);
    }
    return cw_bytes_of(s->exact, len);
}

static cw_bytes encode_arena(void *state, const void *message)
{
    cwire_state *s = state;
    const cw_type *type = s->base.payload->type;
    cw_bytes out;
    cw_arena_reset(&s->base.arena);
    if (type->encode_arena(message, &s->base.arena, &out, NULL) != CW_OK) {
        return cw_bytes_of(NULL, 0);
    }
    return out;
}

static const void *decode_with(cwire_state *s, cw_bytes input, const cw_decode_options *options)
{
    const cw_type *type = s->base.payload->type;
    cw_arena_reset(&s->base.arena);
    cw_status st = type->decode(s->message, input.data, input.len, &s->base.arena, options, NULL);
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

static cw_bytes json_print(void *state, const void *message)
{
    cwire_state *s = state;
    const cw_type *type = s->base.payload->type;
    cw_str out;
    cw_arena_reset(&s->base.arena);
    if (type->to_json(message, &s->base.arena, &bench_print_options, &out, NULL) != CW_OK) {
        return cw_bytes_of(NULL, 0);
    }
    return bench_bytes_of(out);
}

static const void *parse_with(cwire_state *s, cw_bytes input, const cw_json_parse_options *options)
{
    const cw_type *type = s->base.payload->type;
    cw_arena_reset(&s->base.arena);
    cw_status st = type->from_json(s->message, (const char *)input.data, input.len, &s->base.arena,
                                   options, NULL);
    return st == CW_OK ? s->message : NULL;
}

static const void *json_parse(void *state, cw_bytes input)
{
    return parse_with(state, input, NULL);
}

static const void *json_parse_alias(void *state, cw_bytes input)
{
    static const cw_json_parse_options options = {.alias = true};
    return parse_with(state, input, &options);
}

static const bench_op ops[] = {
    {"encode", BENCH_BINARY, encode, NULL, NULL},
    {"encode_exact", BENCH_BINARY, encode_exact, NULL, NULL},
    {"encode_arena", BENCH_BINARY, encode_arena, NULL, NULL},
    {"decode_copy", BENCH_BINARY, NULL, decode_copy, NULL},
    {"decode_alias", BENCH_BINARY, NULL, decode_alias, NULL},
    {"json_print", BENCH_TEXT, json_print, NULL, NULL},
    {"json_parse", BENCH_TEXT, NULL, json_parse, NULL},
    {"json_parse_alias", BENCH_TEXT, NULL, json_parse_alias, NULL},
};

const bench_contender bench_cwire = {
    .name = "cwire",
    .version = version,
    .setup = setup,
    .teardown = teardown,
    .source = bench_cwire_source,
    .probe = bench_cwire_probe,
    .matches = bench_cwire_matches,
    .ops = ops,
    .n_ops = sizeof ops / sizeof ops[0],
};
