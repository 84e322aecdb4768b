/* SPDX-License-Identifier: MIT */
#include "samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "extensions.cw.h"
#include "extensions_only.cw.h"
#include "json.cw.h"
#include "json_any.cw.h"
#include "json_names.cw.h"
#include "json_proto2.cw.h"
#include "names.cw.h"
#include "order.cw.h"
#include "text.cw.h"
#include "wide.cw.h"
#include "wire.cw.h"
#include "wire2.cw.h"

static const cw_file *const files[] = {
    &wire_file,       &wire2_file,           &wide_file,       &order_file,
    &json_file,       &json_proto2_file,     &json_names_file, &names_file,
    &extensions_file, &extensions_only_file, &json_any_file,   &text_file};

size_t sample_file_count(void)
{
    return sizeof files / sizeof files[0];
}

const cw_file *sample_file(size_t index)
{
    return files[index];
}

size_t sample_type_count(void)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        n += files[i]->n_types;
    }
    return n;
}

const cw_type *sample_type(size_t index)
{
    size_t i = 0;
    for (; index >= files[i]->n_types; i++) {
        index -= files[i]->n_types;
    }
    return files[i]->types[index];
}

void *sample_make(const cw_type *t, uint64_t seed, cw_arena *a, cw_bytes *bytes)
{
    test_random r = {
        .state = seed * 104729 + 7, .most = seed % 4 == 0 ? 6 : 2, .empty = (unsigned)(seed % 7)};
    void *m = cw_arena_alloc(a, t->struct_size);
    assert_non_null(m);
    test_random_fill(t, m, a, &r, (int)(seed % 3) + 1);
    cw_status st = t->encode_arena(m, a, bytes, NULL);
    if (st == CW_ERR_REQUIRED) {
        return NULL;
    }
    assert_int_equal(st, CW_OK);
    return m;
}

static void *pointer_at(const void *member)
{
    void *p;
    memcpy(&p, member, sizeof p);
    return p;
}

static void visit_list(const cw_field *f, void *list, sample_visitor *visit, void *ctx)
{
    const cw_type *t = f->message;
    const cw_field *value = f->shape == CW_SHAPE_MAP ? &t->fields[1] : NULL;
    cw_list_view v = cw_list_load(list);
    for (size_t i = 0; i < v.len; i++) {
        char *at = (char *)v.data + i * f->element_size;
        if (!value) {
            sample_visit(t, at, visit, ctx);
            continue;
        }
        visit(t, at, ctx);
        if (value->message) {
            sample_visit(value->message, at + value->offset, visit, ctx);
        }
    }
}

void sample_visit(const cw_type *t, void *m, sample_visitor *visit, void *ctx)
{
    visit(t, m, ctx);
    for (uint32_t i = 0; i < t->n_fields; i++) {
        const cw_field *f = &t->fields[i];
        char *member = (char *)m + f->offset;
        if (!f->message) {
            continue;
        }
        if (f->shape == CW_SHAPE_MAP || f->shape == CW_SHAPE_REPEATED) {
            visit_list(f, member, visit, ctx);
            continue;
        }
        int chosen = 0;
        if (f->shape == CW_SHAPE_ONEOF) {
            memcpy(&chosen, (char *)m + f->case_offset, sizeof chosen);
        }
        void *x =
            f->shape != CW_SHAPE_ONEOF || chosen == (int)f->number ? pointer_at(member) : NULL;
        if (x) {
            sample_visit(f->message, x, visit, ctx);
        }
    }
}

void *sample_decode(const cw_type *t, cw_bytes bytes, cw_arena *a, const char *who)
{
    void *m = cw_arena_alloc(a, t->struct_size);
    uint8_t *exact = malloc(bytes.len ? bytes.len : 1);
    assert_true(m && exact);
    if (bytes.len) {
        memcpy(exact, bytes.data, bytes.len);
    }
    cw_error e;
    cw_status st = t->decode(m, exact, bytes.len, a, NULL, &e);
    free(exact);
    if (st != CW_OK) {
        char text[400];
        cw_error_print(&e, text, sizeof text);
        fail_msg("%s of %s is refused: %s", t->full_name, who, text);
    }
    return m;
}

static void print_hex(const char *who, cw_bytes b)
{
    print_error("%s:", who);
    for (size_t i = 0; i < b.len && i < 400; i++) {
        print_error(" %02x", b.data[i]);
    }
    print_error("\n");
}

void sample_same_bytes(const cw_type *t, uint64_t seed, cw_bytes ours, cw_bytes theirs)
{
    if (!cw_bytes_equal(ours, theirs)) {
        print_hex("ours", ours);
        print_hex("theirs", theirs);
        fail_msg("%s, seed %llu: bytes differ", t->full_name, (unsigned long long)seed);
    }
}
