/* SPDX-License-Identifier: MIT */
#include "yajl_state.h"

/*
 * Callbacks that build cwire's structs in the arena. The handle is kept for all messages (it takes
 * several values one after another); making one for each is slower.
 */

static int on_start_map(void *ctx)
{
    return bench_build_object(ctx);
}

static int on_map_key(void *ctx, const unsigned char *key, size_t len)
{
    return bench_build_key(ctx, (const char *)key, len);
}

static int on_end(void *ctx)
{
    return bench_build_end(ctx);
}

static int on_start_array(void *ctx)
{
    return bench_build_array(ctx);
}

static int on_number(void *ctx, const char *text, size_t len)
{
    return bench_build_number(ctx, text, len);
}

static int on_string(void *ctx, const unsigned char *text, size_t len)
{
    return bench_build_string(ctx, (const char *)text, len);
}

static int on_bool(void *ctx, int value)
{
    return bench_build_bool(ctx, value != 0);
}

static const yajl_callbacks callbacks = {
    .yajl_boolean = on_bool,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_start_map,
    .yajl_map_key = on_map_key,
    .yajl_end_map = on_end,
    .yajl_start_array = on_start_array,
    .yajl_end_array = on_end,
};

yajl_handle bench_yajl_parser(yajl_state *s)
{
    s->builder.arena = &s->base.arena;
    s->builder.root = bench_json_table_root(s->table);
    s->builder.message = s->message;
    yajl_handle parser = yajl_alloc(&callbacks, NULL, &s->builder);
    if (parser != NULL) {
        yajl_config(parser, yajl_allow_multiple_values, 1);
    }
    return parser;
}

const void *bench_yajl_parse(void *state, cw_bytes input)
{
    yajl_state *s = state;
    cw_arena_reset(&s->base.arena);
    bench_build_begin(&s->builder);
    yajl_status status = yajl_parse(s->parser, input.data, input.len);
    return status == yajl_status_ok && s->builder.complete ? s->message : NULL;
}
