/* SPDX-License-Identifier: MIT */
#include "record/record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool complain(const char *path, const char *what)
{
    fprintf(stderr, "cwire-bench: %s: %s\n", path, what);
    return false;
}

/* The whole file in the arena; it may be a pipe. */
static bool read_file(bench_saved *s, cw_str *out)
{
    size_t len = 0, cap = (size_t)1 << 16;
    FILE *in = fopen(s->path, "rb");
    char *text = in != NULL ? cw_arena_alloc(&s->arena, cap) : NULL;
    while (text != NULL) {
        len += fread(text + len, 1, cap - len, in);
        if (len < cap) {
            break;
        }
        char *larger = cw_arena_alloc(&s->arena, 2 * cap);
        if (larger != NULL) {
            memcpy(larger, text, len);
        }
        text = larger;
        cap *= 2;
    }
    bool failed = text == NULL || ferror(in);
    if (failed) {
        complain(s->path, strerror(errno));
    }
    if (in != NULL) {
        fclose(in);
    }
    *out = (cw_str){text, len};
    return !failed;
}

static bool parse(bench_saved *s, cw_str text)
{
    cw_error e = {0};
    if (google_protobuf_Value_from_json(&s->root, text.data, text.len, &s->arena, NULL, &e) ==
        CW_OK) {
        return true;
    }
    fprintf(stderr, "cwire-bench: %s:%zu:%zu: %s%s%s\n", s->path, e.line, e.column,
            cw_status_text(e.status), e.detail != NULL ? ": " : "",
            e.detail != NULL ? e.detail : "");
    return false;
}

static const google_protobuf_Value *member(const bench_fields *f, const char *name)
{
    return f != NULL ? google_protobuf_Struct_fields_get(f, cw_str_from(name)) : NULL;
}

static const bench_fields *object(const google_protobuf_Value *v)
{
    return v != NULL && v->kind_case == google_protobuf_Value_kind_struct_value
               ? v->kind.struct_value
               : NULL;
}

/* What is JSON, yet no record, is told by the place in the record. */
static bool take_rows(bench_saved *s)
{
    const google_protobuf_Value *list = member(object(&s->root), "rows");
    if (list == NULL || list->kind_case != google_protobuf_Value_kind_list_value) {
        return complain(s->path, "no record of cwire-bench: it has no list \"rows\"");
    }
    const google_protobuf_Value_list *values = &list->kind.list_value->values;
    s->rows = cw_arena_array(&s->arena, values->len + 1, sizeof *s->rows);
    for (size_t i = 0; s->rows != NULL && i < values->len; i++) {
        s->rows[i] = object(&values->data[i]);
        if (s->rows[i] == NULL || bench_field_text(s->rows[i], "suite")[0] == '\0') {
            char what[96];
            snprintf(what, sizeof what, "no record of cwire-bench: rows[%zu] names no suite", i);
            return complain(s->path, what);
        }
    }
    s->n_rows = values->len;
    s->machine = object(member(object(&s->root), "machine"));
    return s->rows != NULL || complain(s->path, "out of memory");
}

bool bench_saved_open(bench_saved *s, const char *path)
{
    cw_str text;
    *s = (bench_saved){.path = path};
    cw_arena_init(&s->arena, NULL);
    return read_file(s, &text) && parse(s, text) && take_rows(s);
}

void bench_saved_close(bench_saved *s)
{
    cw_arena_free(&s->arena);
}

const char *bench_field_text(const bench_fields *f, const char *name)
{
    const google_protobuf_Value *v = member(f, name);
    return v != NULL && v->kind_case == google_protobuf_Value_kind_string_value &&
                   v->kind.string_value.len > 0
               ? v->kind.string_value.data
               : "";
}

double bench_field_number(const bench_fields *f, const char *name)
{
    const google_protobuf_Value *v = member(f, name);
    return v != NULL && v->kind_case == google_protobuf_Value_kind_number_value
               ? v->kind.number_value
               : -1;
}

bool bench_field_is(const bench_fields *f, const char *name, const char *text)
{
    return strcmp(bench_field_text(f, name), text) == 0;
}
