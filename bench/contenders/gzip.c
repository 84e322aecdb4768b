/* SPDX-License-Identifier: MIT */
/*
 * What many services send: JSON in gzip. cwire's JSON, compressed and decompressed by zlib at level
 * 6; the streams are reset, not made anew, for each message.
 */
#define ZLIB_CONST

#include "contender.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "die.h"
#include "mem.h"

typedef struct gzip_state {
    bench_cwire_state base;
    z_stream deflater, inflater;
    uint8_t *packed, *plain;
    size_t packed_size, plain_size;
    void *message;
} gzip_state;

static const char *version(char *out, size_t cap)
{
    snprintf(out, cap, "zlib %s", zlibVersion());
    return out;
}

static const char *refuses(const bench_payload *p)
{
    return p->is_large ? "the message is large, and compression takes most of the time" : NULL;
}

static void *setup(const bench_payload *p)
{
    gzip_state *s = bench_calloc(1, sizeof *s);
    bench_cwire_state_init(&s->base, p);
    if (deflateInit2(&s->deflater, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
        inflateInit2(&s->inflater, 15 + 16) != Z_OK) {
        bench_die("zlib: the streams cannot be set up");
    }
    s->plain_size = p->longest[BENCH_TEXT];
    s->plain = bench_calloc(s->plain_size, 1);
    s->packed_size = deflateBound(&s->deflater, (uLong)s->plain_size);
    s->packed = bench_calloc(s->packed_size, 1);
    s->message = bench_calloc(1, p->type->struct_size);
    return s;
}

static void teardown(void *state)
{
    gzip_state *s = state;
    deflateEnd(&s->deflater);
    inflateEnd(&s->inflater);
    free(s->packed);
    free(s->plain);
    free(s->message);
    bench_cwire_state_free(&s->base);
    free(s);
}

static cw_bytes json_print_gzip(void *state, const void *message)
{
    gzip_state *s = state;
    const cw_type *type = s->base.payload->type;
    const cw_bytes failed = {NULL, 0};
    cw_str text;
    cw_arena_reset(&s->base.arena);
    if (type->to_json(message, &s->base.arena, &bench_print_options, &text, NULL) != CW_OK ||
        deflateReset(&s->deflater) != Z_OK) {
        return failed;
    }
    z_stream *z = &s->deflater;
    z->next_in = (const Bytef *)text.data;
    z->avail_in = (uInt)text.len;
    z->next_out = s->packed;
    z->avail_out = (uInt)s->packed_size;
    return deflate(z, Z_FINISH) == Z_STREAM_END ? cw_bytes_of(s->packed, z->total_out) : failed;
}

static const void *json_parse_gzip(void *state, cw_bytes input)
{
    gzip_state *s = state;
    const cw_type *type = s->base.payload->type;
    z_stream *z = &s->inflater;
    cw_arena_reset(&s->base.arena);
    if (inflateReset(z) != Z_OK) {
        return NULL;
    }
    z->next_in = input.data;
    z->avail_in = (uInt)input.len;
    z->next_out = s->plain;
    z->avail_out = (uInt)s->plain_size;
    if (inflate(z, Z_FINISH) != Z_STREAM_END) {
        return NULL;
    }
    cw_status st = type->from_json(s->message, (const char *)s->plain, z->total_out, &s->base.arena,
                                   NULL, NULL);
    return st == CW_OK ? s->message : NULL;
}

static const bench_op ops[] = {
    {"json_print_gzip", BENCH_TEXT_GZIP, json_print_gzip, NULL, NULL},
    {"json_parse_gzip", BENCH_TEXT_GZIP, NULL, json_parse_gzip, NULL},
};

const bench_contender bench_gzip_json = {
    .name = "cwire+gzip",
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
