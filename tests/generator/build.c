/* SPDX-License-Identifier: MIT */
/* build.c: see build.h. */
#include "build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"
#include "names.h"
#include "request.h"

rec *rec_new(cwg_arena *a)
{
    rec *r = cwg_new(a, 1, sizeof *r);
    r->arena = a;
    return r;
}

void rec_bytes(rec *r, const void *data, size_t len)
{
    if (r->cap - r->len < len) {
        size_t cap = r->cap * 2 + len + 64;
        uint8_t *bigger = cwg_new(r->arena, cap, 1);
        if (r->len != 0)
            memcpy(bigger, r->data, r->len);
        r->data = bigger;
        r->cap = cap;
    }
    if (len != 0)
        memcpy(r->data + r->len, data, len);
    r->len += len;
}

static void put_varint(rec *r, uint64_t v)
{
    do {
        uint8_t b = (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
        rec_bytes(r, &b, 1);
        v >>= 7;
    } while (v != 0);
}

void rec_num(rec *r, int number, uint64_t value)
{
    put_varint(r, (uint64_t)number << 3);
    put_varint(r, value);
}

static void put_delimited(rec *r, int number, const void *data, size_t len)
{
    put_varint(r, (uint64_t)number << 3 | 2);
    put_varint(r, len);
    rec_bytes(r, data, len);
}

void rec_str(rec *r, int number, const char *s)
{
    put_delimited(r, number, s, strlen(s));
}

void rec_sub(rec *r, int number, const rec *sub)
{
    put_delimited(r, number, sub->data, sub->len);
}

rec *rec_field(cwg_arena *a, const char *name, int number, int label, int type,
               const char *type_name)
{
    rec *f = rec_new(a);
    rec_str(f, 1, name);
    rec_num(f, 3, (uint64_t)number);
    rec_num(f, 4, (uint64_t)label);
    rec_num(f, 5, (uint64_t)type);
    if (type_name)
        rec_str(f, 6, type_name);
    return f;
}

rec *rec_named(cwg_arena *a, const char *name)
{
    rec *m = rec_new(a);
    rec_str(m, 1, name);
    return m;
}

void rec_value(rec *e, const char *name, int number)
{
    rec *v = rec_named(e->arena, name);
    rec_num(v, 2, (uint64_t)(int64_t)number);
    rec_sub(e, 2, v);
}

rec *rec_file(cwg_arena *a, const char *name, const char *package, const char *syntax, int edition)
{
    rec *f = rec_named(a, name);
    rec_str(f, FILE_PACKAGE, package);
    rec_str(f, FILE_SYNTAX, syntax);
    if (edition != 0)
        rec_num(f, FILE_EDITION, (uint64_t)edition);
    return f;
}

rec *rec_features(cwg_arena *a, int options_number, int feature, int value)
{
    rec *features = rec_new(a);
    rec_num(features, feature, (uint64_t)value);
    rec *options = rec_new(a);
    rec_sub(options, options_number, features);
    return options;
}

rec *rec_request(cwg_arena *a, rec *const *files, int n, const char *parameter)
{
    rec *r = rec_new(a);
    for (int i = 0; i < n; i++) {
        /* the name is the first field: tag, length below 128, bytes */
        rec_str(r, 1, cwg_dup_bytes(a, (const char *)files[i]->data + 2, files[i]->data[1]));
    }
    if (parameter)
        rec_str(r, 2, parameter);
    for (int i = 0; i < n; i++)
        rec_sub(r, 15, files[i]);
    return r;
}

const char *read_model(const rec *request, cwg_model *model, cwg_arena *a)
{
    cwg_diag d = {a, NULL};
    cwg_options options;
    const char *parameter;
    if (cwg_request_read(request->data, request->len, model, &parameter, &d) &&
        cwg_options_parse(parameter, &options, &d)) {
        cwg_model_finish(model, a);
        if (cwg_check_model(model, options.json, &d))
            cwg_names_assign(model, &options, &d);
    }
    return d.error;
}

cwg_message *find_message(const cwg_model *model, const char *full_name)
{
    for (int i = 0; i < model->n_files; i++) {
        for (int k = 0; k < model->files[i]->n_messages; k++) {
            if (strcmp(model->files[i]->messages[k]->full_name, full_name) == 0)
                return model->files[i]->messages[k];
        }
    }
    fail_msg("no message %s", full_name);
    return NULL;
}

cwg_enum *find_enum(const cwg_model *model, const char *full_name)
{
    for (int i = 0; i < model->n_files; i++) {
        for (int k = 0; k < model->files[i]->n_enums; k++) {
            if (strcmp(model->files[i]->enums[k]->full_name, full_name) == 0)
                return model->files[i]->enums[k];
        }
    }
    fail_msg("no enum %s", full_name);
    return NULL;
}

cwg_field *find_field(const cwg_model *model, const char *message, const char *name)
{
    cwg_message *m = find_message(model, message);
    for (int i = 0; i < m->n_fields; i++) {
        if (strcmp(m->fields[i]->name, name) == 0)
            return m->fields[i];
    }
    fail_msg("no field %s in %s", name, message);
    return NULL;
}
