/* SPDX-License-Identifier: MIT */
#include "yajl_state.h"

/*
 * Callbacks that build cwire's structs in the arena, strings copied. The handle is kept for all
 * messages (it takes several values one after another); making one for each is slower. Maps come
 * sorted, because cwire printed them: nothing is sorted here, to yajl's advantage.
 */

/* Where the next value belongs, and its field; NULL: out of memory, or no value is expected. */
static char *next_slot(yajl_state *s, const bench_json_field **field)
{
    if (s->depth == 0) {
        return NULL;
    }
    yajl_frame *top = &s->frames[s->depth - 1];
    const bench_json_field *f = top->field;
    *field = f;
    switch (top->kind) {
    case IN_LIST:
        return bench_list_add(&s->base.arena, &top->list, f->field->element_size);
    case IN_MAP: /* the entry was added with its key */
        *field = &f->sub->fields[1];
        return (char *)top->list.data + (top->list.len - 1) * f->field->element_size +
               f->sub->fields[1].field->offset;
    case IN_MESSAGE:
        break;
    }
    if (f == NULL || bench_is_list(f->field->shape)) {
        return NULL;
    }
    bench_mark_present(top->type, f, top->message);
    return top->message + f->field->offset;
}

static bool push_message(yajl_state *s, const bench_json_type *type, char *message)
{
    if (s->depth == YAJL_FRAMES_MAX) {
        return false;
    }
    bench_init_message(type->type, message);
    yajl_frame *top = &s->frames[s->depth++];
    top->kind = IN_MESSAGE;
    top->expected = 0;
    top->type = type;
    top->field = NULL;
    top->message = message;
    return true;
}

/* A list or map of the message that is open. */
static bool push_list(yajl_state *s, yajl_frame_kind kind)
{
    if (s->depth == YAJL_FRAMES_MAX) {
        return false;
    }
    yajl_frame *top = &s->frames[s->depth++];
    top->kind = kind;
    top->field = top[-1].field;
    top->message = top[-1].message;
    top->list = (cw_list_view){NULL, 0, 0};
    return true;
}

/* The field whose value is next, when that is a list or map of the given shape. */
static bool expects(const yajl_state *s, cw_shape shape)
{
    if (s->depth == 0) {
        return false;
    }
    const yajl_frame *top = &s->frames[s->depth - 1];
    return top->kind == IN_MESSAGE && top->field != NULL && top->field->field->shape == shape;
}

static int on_start_map(void *ctx)
{
    yajl_state *s = ctx;
    const bench_json_field *f;
    if (s->depth == 0) {
        return push_message(s, bench_json_table_root(s->table), s->message);
    }
    if (expects(s, CW_SHAPE_MAP)) {
        return push_list(s, IN_MAP);
    }
    bool by_value = s->frames[s->depth - 1].kind != IN_MESSAGE;
    char *slot = next_slot(s, &f);
    if (slot == NULL || f->sub == NULL) {
        return 0;
    }
    if (!by_value) {
        char *message = cw_arena_alloc(&s->base.arena, f->field->element_size);
        if (message == NULL) {
            return 0;
        }
        memcpy(slot, &message, sizeof message);
        slot = message;
    }
    return push_message(s, f->sub, slot);
}

static int on_map_key(void *ctx, const unsigned char *key, size_t len)
{
    yajl_state *s = ctx;
    yajl_frame *top = &s->frames[s->depth - 1];
    if (top->kind == IN_MESSAGE) {
        top->field = bench_json_find(top->type, (const char *)key, len, &top->expected);
        return top->field != NULL;
    }
    const cw_field *f = top->field->field;
    const cw_field *key_field = f->message->fields;
    char *entry = bench_list_add(&s->base.arena, &top->list, f->element_size);
    if (entry == NULL) {
        return 0;
    }
    memset(entry, 0, f->element_size);
    return bench_store_key(entry + key_field->offset, key_field->kind, (const char *)key, len,
                           &s->base.arena);
}

/* The end of a message, list or map. */
static int on_end(void *ctx)
{
    yajl_state *s = ctx;
    yajl_frame *top = &s->frames[--s->depth];
    if (top->kind != IN_MESSAGE) {
        cw_list_store(top->message + top->field->field->offset, top->list);
    }
    s->complete = s->depth == 0;
    return 1;
}

static int on_start_array(void *ctx)
{
    yajl_state *s = ctx;
    return expects(s, CW_SHAPE_REPEATED) && push_list(s, IN_LIST);
}

static int on_number(void *ctx, const char *text, size_t len)
{
    const bench_json_field *f;
    char *slot = next_slot(ctx, &f);
    if (slot == NULL) {
        return 0;
    }
    switch (f->field->kind) {
    case CW_KIND_DOUBLE:
    case CW_KIND_FLOAT:
        return bench_store_float(slot, f->field->kind, text, len);
    case CW_KIND_STRING:
    case CW_KIND_BYTES:
    case CW_KIND_BOOL:
    case CW_KIND_MESSAGE:
    case CW_KIND_GROUP:
        return 0;
    default:
        return bench_store_integer(slot, f->field->kind, text, len);
    }
}

static int on_string(void *ctx, const unsigned char *text, size_t len)
{
    yajl_state *s = ctx;
    const bench_json_field *f;
    char *slot = next_slot(s, &f);
    if (slot == NULL || !bench_is_view_kind(f->field->kind)) {
        return 0;
    }
    if (f->field->kind == CW_KIND_STRING) {
        cw_str copy;
        if (!cw_arena_str(&s->base.arena, cw_str_of((const char *)text, len), &copy)) {
            return 0;
        }
        memcpy(slot, &copy, sizeof copy);
        return 1;
    }
    cw_bytes bytes;
    if (!bench_unbase64(&s->base.arena, (const char *)text, len, &bytes)) {
        return 0;
    }
    memcpy(slot, &bytes, sizeof bytes);
    return 1;
}

static int on_bool(void *ctx, int value)
{
    const bench_json_field *f;
    char *slot = next_slot(ctx, &f);
    bool v = value != 0;
    if (slot == NULL || f->field->kind != CW_KIND_BOOL) {
        return 0;
    }
    memcpy(slot, &v, sizeof v);
    return 1;
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
    yajl_handle parser = yajl_alloc(&callbacks, NULL, s);
    if (parser != NULL) {
        yajl_config(parser, yajl_allow_multiple_values, 1);
    }
    return parser;
}

const void *bench_yajl_parse(void *state, cw_bytes input)
{
    yajl_state *s = state;
    cw_arena_reset(&s->base.arena);
    s->depth = 0;
    s->complete = false;
    yajl_status status = yajl_parse(s->parser, input.data, input.len);
    return status == yajl_status_ok && s->complete ? s->message : NULL;
}
