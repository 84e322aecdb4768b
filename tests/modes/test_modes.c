/* SPDX-License-Identifier: MIT */
/*
 * test_modes.c: the test schemas made for speed and once more with optimize=size,prefix=small, both
 * in this program: for random messages, cut off and with bytes changed, under different options,
 * both give the same status, offset, place, detail and path, the same bytes and the same text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cwire/cwire.h"
#include "random_message.h"

/* No header: those of the two are of one name. */
extern const cw_file wire_file, small_wire_file, wire2_file, small_wire2_file;
extern const cw_file json_file, small_json_file, json_proto2_file, small_json_proto2_file;
extern const cw_file json_any_file, small_json_any_file, json_wkt_file, small_json_wkt_file;
extern const cw_file json_extension_file, small_json_extension_file;
extern const cw_file json_names_file, small_json_names_file;
extern const cw_file extensions_file, small_extensions_file, text_file, small_text_file;
extern const cw_file wide_file, small_wide_file;

typedef struct pair {
    const cw_file *speed, *size;
} pair;

static const pair files[] = {
    {&wire_file, &small_wire_file},
    {&wire2_file, &small_wire2_file},
    {&json_file, &small_json_file},
    {&json_proto2_file, &small_json_proto2_file},
    {&json_any_file, &small_json_any_file},
    {&json_wkt_file, &small_json_wkt_file},
    {&json_extension_file, &small_json_extension_file},
    {&json_names_file, &small_json_names_file},
    {&extensions_file, &small_extensions_file},
    {&text_file, &small_text_file},
    {&wide_file, &small_wide_file},
};
enum { FILES = sizeof files / sizeof files[0] };

/* What one mode makes of an input. */
typedef struct outcome {
    const cw_type *type;
    cw_arena arena;
    void *m;
    cw_status status;
    cw_error error;
} outcome;

static void begin(outcome *o, const cw_type *t)
{
    o->type = t;
    cw_arena_init(&o->arena, NULL);
    o->m = cw_arena_alloc(&o->arena, t->struct_size);
    assert_non_null(o->m);
    t->init(o->m);
    o->error = (cw_error){.status = CW_OK};
}

static void same_error(const outcome *a, const outcome *b)
{
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->error.status, b->error.status);
    if (a->error.status == CW_OK) {
        return;
    }
    if (a->error.offset != b->error.offset || strcmp(a->error.path, b->error.path) != 0) {
        print_error("%s: %zu %s; size: %zu %s\n", cw_status_name(a->status), a->error.offset,
                    a->error.path, b->error.offset, b->error.path);
    }
    assert_int_equal(a->error.offset, b->error.offset);
    assert_string_equal(a->error.path, b->error.path);
    assert_int_equal(a->error.line, b->error.line);
    assert_int_equal(a->error.column, b->error.column);
    assert_string_equal(a->error.detail ? a->error.detail : "",
                        b->error.detail ? b->error.detail : "");
}

/* Encodes both: to an arena, and to a buffer that is a byte too small. */
static void same_bytes(outcome *a, outcome *b)
{
    outcome *both[] = {a, b};
    cw_bytes bytes[2] = {{NULL, 0}, {NULL, 0}};
    for (int i = 0; i < 2; i++) {
        outcome *o = both[i];
        o->status = o->type->encode_arena(o->m, &o->arena, &bytes[i], &o->error);
    }
    same_error(a, b);
    if (a->status != CW_OK) {
        return;
    }
    assert_int_equal(bytes[0].len, bytes[1].len);
    assert_int_equal(bytes[0].len, a->type->encoded_size(a->m));
    assert_int_equal(bytes[0].len, b->type->encoded_size(b->m));
    if (bytes[0].len == 0) {
        return;
    }
    assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].len);
    for (size_t less = 0; less < 2; less++) {
        char *buf = malloc(bytes[0].len - less + 1);
        size_t len = 0;
        assert_non_null(buf);
        cw_status st = b->type->encode(b->m, buf, bytes[0].len - less, &len, NULL);
        assert_int_equal(st, less == 0 ? CW_OK : CW_ERR_SPACE);
        assert_int_equal(len, bytes[0].len);
        if (less == 0) {
            assert_memory_equal(buf, bytes[0].data, len);
        }
        free(buf);
    }
}

static void same_text(outcome *a, outcome *b)
{
    for (unsigned bits = 0; bits < 16; bits += 5) {
        cw_json_print_options options = {.proto_names = bits & 1,
                                         .enums_as_numbers = bits & 2,
                                         .int64_as_numbers = bits & 4,
                                         .print_defaults = bits & 8,
                                         .depth = bits == 10 ? 2 : 0};
        outcome *both[] = {a, b};
        cw_str text[2] = {{NULL, 0}, {NULL, 0}};
        for (int i = 0; i < 2; i++) {
            outcome *o = both[i];
            o->status = o->type->to_json(o->m, &o->arena, &options, &text[i], &o->error);
        }
        same_error(a, b);
        if (a->status == CW_OK) {
            assert_string_equal(text[0].data, text[1].data);
        }
        a->error = b->error = (cw_error){.status = CW_OK};
    }
}

/* What can be done with both messages gives the same. */
static void same_message(outcome *a, outcome *b)
{
    a->status = a->type->check(a->m, &a->error);
    b->status = b->type->check(b->m, &b->error);
    same_error(a, b);
    a->error = b->error = (cw_error){.status = CW_OK};
    same_text(a, b);
    same_bytes(a, b);
    outcome copy;
    begin(&copy, b->type);
    assert_int_equal(b->type->copy(copy.m, b->m, &copy.arena), CW_OK);
    assert_true(b->type->equal(copy.m, b->m));
    copy.status = copy.type->check(copy.m, &copy.error);
    cw_arena_free(&copy.arena);
}

static cw_decode_options decode_options(unsigned variant)
{
    return (cw_decode_options){.alias = variant & 1,
                               .allow_partial = variant & 2,
                               .depth = variant & 4 ? 2 : 0,
                               .max_memory = variant & 8 ? 600 : 0};
}

static size_t try_bytes(const cw_type *speed, const cw_type *size, const void *data, size_t len,
                        unsigned variant)
{
    outcome a, b;
    begin(&a, speed);
    begin(&b, size);
    cw_decode_options o = decode_options(variant);
    a.status = speed->decode(a.m, data, len, &a.arena, &o, &a.error);
    b.status = size->decode(b.m, data, len, &b.arena, &o, &b.error);
    same_error(&a, &b);
    size_t failed = a.status != CW_OK;
    if (!failed && variant % 3 == 0) { /* into what is there: lists grow, messages merge */
        a.status = speed->merge_from(a.m, data, len, &a.arena, &o, &a.error);
        b.status = size->merge_from(b.m, data, len, &b.arena, &o, &b.error);
        same_error(&a, &b);
    }
    if (a.status == CW_OK) {
        same_message(&a, &b);
    }
    cw_arena_free(&a.arena);
    cw_arena_free(&b.arena);
    return failed;
}

static size_t try_json(const cw_type *speed, const cw_type *size, const char *text, size_t len,
                       unsigned variant)
{
    outcome a, b;
    begin(&a, speed);
    begin(&b, size);
    cw_json_parse_options o = {.ignore_unknown = variant & 1,
                               .allow_partial = variant & 2,
                               .alias = variant & 4,
                               .depth = variant & 8 ? 2 : 0};
    a.status = speed->from_json(a.m, text, len, &a.arena, &o, &a.error);
    b.status = size->from_json(b.m, text, len, &b.arena, &o, &b.error);
    same_error(&a, &b);
    size_t failed = a.status != CW_OK;
    if (!failed) {
        same_message(&a, &b);
    }
    cw_arena_free(&a.arena);
    cw_arena_free(&b.arena);
    return failed;
}

/* A copy of exactly its size, of which the caller changes bytes. */
static char *copy_of(const void *data, size_t len)
{
    char *copy = malloc(len + 1);
    assert_non_null(copy);
    memcpy(copy, data, len);
    copy[len] = '\0';
    return copy;
}

typedef size_t try_one(const cw_type *speed, const cw_type *size, const char *data, size_t len,
                       unsigned variant);

static size_t bytes_once(const cw_type *speed, const cw_type *size, const char *data, size_t len,
                         unsigned variant)
{
    return try_bytes(speed, size, data, len, variant);
}

/* The input itself, cut off, with bytes changed, with pieces moved; returns how many failed. */
static size_t mutate(const cw_type *speed, const cw_type *size, const void *data, size_t len,
                     test_random *r, const char *bytes, size_t n_bytes, try_one *try_it)
{
    size_t failed = 0;
    for (unsigned round = 0; round < 48; round++) {
        char *input = copy_of(data, len);
        size_t n = len;
        if (round % 4 == 1) {
            n = test_random_below(r, len + 1);
        }
        for (unsigned k = 0; round % 4 > 1 && k <= round % 3 && n > 0; k++) {
            size_t at = test_random_below(r, n);
            if (bytes && test_random_below(r, 2) == 0) {
                input[at] = bytes[test_random_below(r, n_bytes)];
            } else if (test_random_below(r, 2) == 0) {
                input[at] = (char)test_random_below(r, 256);
            } else { /* a piece of it once more */
                size_t from = test_random_below(r, n);
                size_t most = n - (from > at ? from : at);
                memmove(input + at, input + from, test_random_below(r, most + 1));
            }
        }
        char *exact = copy_of(input, n);
        failed += try_it(speed, size, exact, n, round % 16);
        free(exact);
        free(input);
    }
    return failed;
}

/* Both forms of random messages of the file's types. */
static size_t try_file(const pair *p, uint64_t seed)
{
    static const char json_bytes[] = "{}[]\":,0123456789.eE-+ntfu\\ \n";
    size_t failed = 0;
    assert_int_equal(p->speed->n_types, p->size->n_types);
    for (uint32_t i = 0; i < p->speed->n_types; i++) {
        const cw_type *t = p->speed->types[i], *small = p->size->types[i];
        assert_string_equal(t->full_name, small->full_name);
        assert_int_equal(t->struct_size, small->struct_size);
        test_random r = {.state = seed * 1000 + i, .most = 3, .empty = (unsigned)(seed % 8)};
        if (t->n_fields > 100) {
            r.empty = 7;
        }
        cw_arena a;
        cw_arena_init(&a, NULL);
        void *m = cw_arena_alloc(&a, t->struct_size);
        assert_non_null(m);
        test_random_fill(t, m, &a, &r, 3);
        cw_bytes bytes = {NULL, 0};
        cw_str text = {NULL, 0};
        if (t->encode_arena(m, &a, &bytes, NULL) == CW_OK) {
            failed += mutate(t, small, bytes.data, bytes.len, &r, NULL, 0, bytes_once);
        }
        cw_json_print_options o = {.proto_names = seed & 1, .indent = seed & 2 ? 1 : 0};
        if (t->to_json(m, &a, &o, &text, NULL) == CW_OK) {
            failed += mutate(t, small, text.data, text.len, &r, json_bytes, sizeof json_bytes - 1,
                             try_json);
        }
        cw_arena_free(&a);
    }
    return failed;
}

static void both_modes_agree(void **state)
{
    (void)state;
    size_t failed = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        for (size_t i = 0; i < FILES; i++) {
            failed += try_file(&files[i], seed);
        }
    }
    assert_true(failed > 20000);
}

/* Allocations that fail in one mode fail in the other, with the same status. */
static void both_modes_run_out_of_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < FILES; i++) {
        for (uint32_t k = 0; k < files[i].speed->n_types; k++) {
            const cw_type *t = files[i].speed->types[k], *small = files[i].size->types[k];
            test_random r = {.state = 77 + k, .empty = t->n_fields > 100 ? 7 : 2};
            cw_arena a;
            cw_arena_init(&a, NULL);
            void *m = cw_arena_alloc(&a, t->struct_size);
            assert_non_null(m);
            test_random_fill(t, m, &a, &r, 3);
            cw_bytes bytes = {NULL, 0};
            if (t->encode_arena(m, &a, &bytes, NULL) == CW_OK) {
                for (size_t limit = 1; limit < 4000; limit += limit < 200 ? 8 : 136) {
                    outcome x, y;
                    begin(&x, t);
                    begin(&y, small);
                    cw_decode_options o = {.max_memory = limit};
                    x.status = t->decode(x.m, bytes.data, bytes.len, &x.arena, &o, &x.error);
                    y.status = small->decode(y.m, bytes.data, bytes.len, &y.arena, &o, &y.error);
                    same_error(&x, &y);
                    cw_arena_free(&x.arena);
                    cw_arena_free(&y.arena);
                }
            }
            cw_arena_free(&a);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_modes_agree),
        cmocka_unit_test(both_modes_run_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
