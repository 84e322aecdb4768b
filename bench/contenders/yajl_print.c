/* SPDX-License-Identifier: MIT */
#include "yajl_state.h"

#include <stdio.h>

/*
 * Numbers go through yajl_gen_number with digits made here: yajl_gen_integer formats with snprintf,
 * which is slower, and knows no unsigned 64-bit numbers. One generator is kept and reset: an alloc
 * for each message is slower, too.
 */

static bool print_message(yajl_state *s, const bench_json_type *t, const void *m);

static bool print_text(yajl_state *s, const char *text, size_t len)
{
    return yajl_gen_string(s->gen, (const unsigned char *)text, len) == yajl_gen_status_ok;
}

static bool print_value(yajl_state *s, const bench_json_field *f, const void *at)
{
    char digits[32], *begin;
    cw_str text;
    size_t len;
    switch (f->field->kind) {
    case CW_KIND_MESSAGE:
    case CW_KIND_GROUP:
        return print_message(s, f->sub, at);
    case CW_KIND_STRING:
        text = bench_load_str(at);
        return print_text(s, text.data, text.len);
    case CW_KIND_BYTES:
        begin = bench_base64(&s->base.arena, bench_load_bytes(at), &len);
        return begin != NULL && print_text(s, begin, len);
    case CW_KIND_BOOL:
        return yajl_gen_bool(s->gen, *(const uint8_t *)at) == yajl_gen_status_ok;
    case CW_KIND_DOUBLE:
    case CW_KIND_FLOAT:
        len = bench_float_text(digits, at, f->field->kind);
        return yajl_gen_number(s->gen, digits, len) == yajl_gen_status_ok;
    default:
        begin = bench_integer_text(digits + sizeof digits, at, f->field->kind);
        len = (size_t)(digits + sizeof digits - begin);
        return yajl_gen_number(s->gen, begin, len) == yajl_gen_status_ok;
    }
}

static bool print_list(yajl_state *s, const bench_json_field *f, const void *at)
{
    cw_list_view list = cw_list_load(at);
    const char *element = list.data;
    bool ok = yajl_gen_array_open(s->gen) == yajl_gen_status_ok;
    for (size_t i = 0; i < list.len && ok; i++, element += f->field->element_size) {
        ok = print_value(s, f, element);
    }
    return ok && yajl_gen_array_close(s->gen) == yajl_gen_status_ok;
}

static bool print_map(yajl_state *s, const bench_json_field *f, const void *at)
{
    cw_list_view list = cw_list_load(at);
    const bench_json_field *key = &f->sub->fields[0], *value = &f->sub->fields[1];
    const char *entry = list.data;
    bool ok = yajl_gen_map_open(s->gen) == yajl_gen_status_ok;
    for (size_t i = 0; i < list.len && ok; i++, entry += f->field->element_size) {
        const char *at_key = entry + key->field->offset;
        if (key->field->kind == CW_KIND_STRING) {
            ok = print_value(s, key, at_key);
        } else {
            char digits[32], *end = digits + sizeof digits;
            char *begin = bench_integer_text(end, at_key, key->field->kind);
            ok = print_text(s, begin, (size_t)(end - begin));
        }
        ok = ok && print_value(s, value, entry + value->field->offset);
    }
    return ok && yajl_gen_map_close(s->gen) == yajl_gen_status_ok;
}

static bool print_field(yajl_state *s, const bench_json_type *t, const bench_json_field *f,
                        const void *m)
{
    const char *at = (const char *)m + f->field->offset;
    if (!print_text(s, f->name, f->name_len)) {
        return false;
    }
    if (f->field->shape == CW_SHAPE_MAP) {
        return print_map(s, f, at);
    }
    if (f->field->shape == CW_SHAPE_REPEATED) {
        return print_list(s, f, at);
    }
    bool nested = bench_is_message_kind(f->field->kind);
    return print_value(s, f, nested ? bench_submessage(t->type, f->field, m) : at);
}

static bool print_message(yajl_state *s, const bench_json_type *t, const void *m)
{
    bool ok = yajl_gen_map_open(s->gen) == yajl_gen_status_ok;
    for (uint32_t i = 0; i < t->n_fields && ok; i++) {
        if (bench_is_present(t->type, i, m)) {
            ok = print_field(s, t, &t->fields[i], m);
        }
    }
    return ok && yajl_gen_map_close(s->gen) == yajl_gen_status_ok;
}

cw_bytes bench_yajl_print(void *state, const void *message)
{
    yajl_state *s = state;
    const unsigned char *text;
    size_t len;
    cw_arena_reset(&s->base.arena); /* base64 */
    yajl_gen_reset(s->gen, NULL);
    yajl_gen_clear(s->gen);
    if (!print_message(s, bench_json_table_root(s->table), message) ||
        yajl_gen_get_buf(s->gen, &text, &len) != yajl_gen_status_ok) {
        return cw_bytes_of(NULL, 0);
    }
    return cw_bytes_of(text, len);
}
