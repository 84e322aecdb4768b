/* SPDX-License-Identifier: MIT */
/*
 * cJSON: a tree is built from cwire's structs and printed; text is parsed to a tree, from which the
 * structs are filled. Its numbers are doubles.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

#include "../json_table.h"
#include "contender.h"
#include "mem.h"

typedef struct cjson_state {
    bench_cwire_state base;
    bench_json_table *table;
    char *text; /* of the last print, freed by the next */
    void *message;
} cjson_state;

extern const bench_contender bench_cjson;

/* ---- printing -----------------------------------------------------------------------------------
 */

static cJSON *tree_of_message(cjson_state *s, const bench_json_type *t, const void *m);

/* Beyond 15 digits cJSON's own are rounded. */
static cJSON *tree_of_integer(const void *at, cw_kind kind)
{
    uint64_t v = bench_load_integer(at, kind);
    double d = bench_is_signed(kind) ? (double)(int64_t)v : (double)v;
    char digits[32], *end = digits + sizeof digits - 1;
    if (d > -1e15 && d < 1e15) {
        return cJSON_CreateNumber(d);
    }
    *end = '\0';
    return cJSON_CreateRaw(bench_integer_text(end, at, kind));
}

/* A NUL-terminated view: strings of a decoded message end with one, as cJSON needs it. */
static cJSON *tree_of_value(cjson_state *s, const bench_json_field *f, const void *at)
{
    char digits[33];
    size_t len;
    switch (f->field->kind) {
    case CW_KIND_MESSAGE:
    case CW_KIND_GROUP:
        return tree_of_message(s, f->sub, at);
    case CW_KIND_STRING:
        return cJSON_CreateString(bench_load_str(at).data);
    case CW_KIND_BYTES:
        return cJSON_CreateString(bench_base64(&s->base.arena, bench_load_bytes(at), &len));
    case CW_KIND_BOOL:
        return cJSON_CreateBool(*(const uint8_t *)at);
    case CW_KIND_DOUBLE:
    case CW_KIND_FLOAT: /* cJSON's own digits lose the last bit of some */
        digits[bench_float_text(digits, at, f->field->kind)] = '\0';
        return cJSON_CreateRaw(digits);
    default:
        return tree_of_integer(at, f->field->kind);
    }
}

static cJSON *tree_of_list(cjson_state *s, const bench_json_field *f, const void *at)
{
    cw_list_view list = cw_list_load(at);
    const char *element = list.data;
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < list.len; i++, element += f->field->element_size) {
        cJSON_AddItemToArray(array, tree_of_value(s, f, element));
    }
    return array;
}

static cJSON *tree_of_map(cjson_state *s, const bench_json_field *f, const void *at)
{
    cw_list_view list = cw_list_load(at);
    const cw_field *key = f->sub->fields[0].field, *value = f->sub->fields[1].field;
    const char *entry = list.data;
    cJSON *object = cJSON_CreateObject();
    for (size_t i = 0; i < list.len; i++, entry += f->field->element_size) {
        char digits[32], *end = digits + sizeof digits - 1;
        const char *name = bench_load_str(entry + key->offset).data;
        *end = '\0';
        if (key->kind != CW_KIND_STRING) {
            name = bench_integer_text(end, entry + key->offset, key->kind);
        }
        cJSON *item = tree_of_value(s, &f->sub->fields[1], entry + value->offset);
        cJSON_AddItemToObject(object, name, item);
    }
    return object;
}

static cJSON *tree_of_message(cjson_state *s, const bench_json_type *t, const void *m)
{
    cJSON *object = cJSON_CreateObject();
    for (uint32_t i = 0; i < t->n_fields; i++) {
        const bench_json_field *f = &t->fields[i];
        const char *at = (const char *)m + f->field->offset;
        cJSON *item;
        if (!bench_is_present(t->type, i, m)) {
            continue;
        }
        if (f->field->shape == CW_SHAPE_MAP) {
            item = tree_of_map(s, f, at);
        } else if (f->field->shape == CW_SHAPE_REPEATED) {
            item = tree_of_list(s, f, at);
        } else {
            bool nested = bench_is_message_kind(f->field->kind);
            item = tree_of_value(s, f, nested ? bench_submessage(t->type, f->field, m) : at);
        }
        cJSON_AddItemToObjectCS(object, f->name, item);
    }
    return object;
}

static cw_bytes json_print(void *state, const void *message)
{
    cjson_state *s = state;
    cJSON_free(s->text);
    cw_arena_reset(&s->base.arena); /* base64 */
    cJSON *tree = tree_of_message(s, bench_json_table_root(s->table), message);
    s->text = cJSON_PrintUnformatted(tree);
    cJSON_Delete(tree);
    return bench_bytes_of(cw_str_from(s->text));
}

/* ---- parsing ------------------------------------------------------------------------------------
 */

static bool read_message(cjson_state *s, const bench_json_type *t, void *m, const cJSON *object);

static bool read_integer(void *at, cw_kind kind, double v)
{
    uint64_t wide = v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v;
    uint32_t narrow = (uint32_t)wide;
    memcpy(at, bench_kind_size(kind) == 4 ? (void *)&narrow : (void *)&wide, bench_kind_size(kind));
    return true;
}

static bool read_value(cjson_state *s, const bench_json_field *f, void *at, const cJSON *item)
{
    cw_str text = {0};
    cw_bytes bytes = {0};
    float narrow;
    bool yes = cJSON_IsTrue(item), ok;
    switch (f->field->kind) {
    case CW_KIND_MESSAGE:
    case CW_KIND_GROUP:
        bench_init_message(f->sub->type, at);
        return read_message(s, f->sub, at, item);
    case CW_KIND_STRING:
        ok = cJSON_IsString(item) &&
             cw_arena_str(&s->base.arena, cw_str_from(item->valuestring), &text);
        memcpy(at, &text, sizeof text);
        return ok;
    case CW_KIND_BYTES:
        ok = cJSON_IsString(item) &&
             bench_unbase64(&s->base.arena, item->valuestring, strlen(item->valuestring), &bytes);
        memcpy(at, &bytes, sizeof bytes);
        return ok;
    case CW_KIND_BOOL:
        memcpy(at, &yes, sizeof yes);
        return cJSON_IsBool(item);
    case CW_KIND_DOUBLE:
        memcpy(at, &item->valuedouble, sizeof item->valuedouble);
        return cJSON_IsNumber(item);
    case CW_KIND_FLOAT:
        narrow = (float)item->valuedouble;
        memcpy(at, &narrow, sizeof narrow);
        return cJSON_IsNumber(item);
    default:
        return cJSON_IsNumber(item) && read_integer(at, f->field->kind, item->valuedouble);
    }
}

static bool read_list(cjson_state *s, const bench_json_field *f, void *at, const cJSON *array)
{
    cw_list_view list = {NULL, 0, 0};
    for (const cJSON *item = array->child; item != NULL; item = item->next) {
        void *element = bench_list_add(&s->base.arena, &list, f->field->element_size);
        if (element == NULL || !read_value(s, f, element, item)) {
            return false;
        }
    }
    cw_list_store(at, list);
    return true;
}

static bool read_map(cjson_state *s, const bench_json_field *f, void *at, const cJSON *object)
{
    cw_list_view list = {NULL, 0, 0};
    const cw_field *key = f->sub->fields[0].field, *value = f->sub->fields[1].field;
    for (const cJSON *item = object->child; item != NULL; item = item->next) {
        char *entry = bench_list_add(&s->base.arena, &list, f->field->element_size);
        if (entry == NULL) {
            return false;
        }
        memset(entry, 0, f->field->element_size);
        if (!bench_store_key(entry + key->offset, key->kind, item->string, strlen(item->string),
                             &s->base.arena) ||
            !read_value(s, &f->sub->fields[1], entry + value->offset, item)) {
            return false;
        }
    }
    cw_list_store(at, list);
    return true;
}

static bool read_field(cjson_state *s, const bench_json_type *t, const bench_json_field *f, void *m,
                       const cJSON *item)
{
    char *at = (char *)m + f->field->offset;
    if (f->field->shape == CW_SHAPE_MAP) {
        return read_map(s, f, at, item);
    }
    if (f->field->shape == CW_SHAPE_REPEATED) {
        return read_list(s, f, at, item);
    }
    bench_mark_present(t, f, m);
    if (bench_is_message_kind(f->field->kind)) {
        void *sub = cw_arena_alloc(&s->base.arena, f->field->element_size);
        if (sub == NULL) {
            return false;
        }
        memcpy(at, &sub, sizeof sub);
        at = sub;
    }
    return read_value(s, f, at, item);
}

static bool read_message(cjson_state *s, const bench_json_type *t, void *m, const cJSON *object)
{
    uint32_t expected = 0;
    for (const cJSON *item = object->child; item != NULL; item = item->next) {
        const bench_json_field *f =
            bench_json_find(t, item->string, strlen(item->string), &expected);
        if (f == NULL || !read_field(s, t, f, m, item)) {
            return false;
        }
    }
    return true;
}

static const void *json_parse(void *state, cw_bytes input)
{
    cjson_state *s = state;
    const bench_json_type *root = bench_json_table_root(s->table);
    cw_arena_reset(&s->base.arena);
    bench_init_message(root->type, s->message);
    cJSON *tree = cJSON_ParseWithLength((const char *)input.data, input.len);
    bool ok = tree != NULL && read_message(s, root, s->message, tree);
    cJSON_Delete(tree);
    return ok ? s->message : NULL;
}

/* ---- the row ------------------------------------------------------------------------------------
 */

static const char *version(char *out, size_t cap)
{
    snprintf(out, cap, "cJSON %s", cJSON_Version());
    return out;
}

static const char *refuses(const bench_payload *p)
{
    if (!bench_json_table_fits(p->type)) {
        return "the type reaches more types, or has more fields, than its table holds";
    }
    if (p->has_well_known) {
        return "well-known types have a JSON form of their own";
    }
    return p->has_wide_integers ? "its numbers are doubles, and integers beyond 2^53 occur" : NULL;
}

static void *setup(const bench_payload *p)
{
    cjson_state *s = bench_calloc(1, sizeof *s);
    bench_cwire_state_init(&s->base, p);
    s->table = bench_json_table_make(p->type);
    s->message = bench_calloc(1, p->type->struct_size);
    return s;
}

static void teardown(void *state)
{
    cjson_state *s = state;
    cJSON_free(s->text);
    bench_json_table_free(s->table);
    free(s->message);
    bench_cwire_state_free(&s->base);
    free(s);
}

static const bench_op ops[] = {
    {"json_print", BENCH_TEXT, json_print, NULL, NULL},
    {"json_parse", BENCH_TEXT, NULL, json_parse, NULL},
};

const bench_contender bench_cjson = {
    .name = "cjson",
    .version = version,
    .refuses = refuses,
    .setup = setup,
    .teardown = teardown,
    .source = bench_cwire_source,
    .probe = bench_cwire_probe,
    .matches = bench_cwire_matches,
    .own_text = true,
    .ops = ops,
    .n_ops = sizeof ops / sizeof ops[0],
};
