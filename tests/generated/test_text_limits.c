/* SPDX-License-Identifier: MIT */
/* Depth, memory and time of the text format: what hostile text or a full arena can do is fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "cwire/wkt.h"
#include "json.cw.h"
#include "json_any.cw.h"
#include "json_extension.cw.h"
#include "json_proto2.cw.h"
#include "random_message.h"
#include "text.cw.h"
#include "text_support.h"
#include "wire2.cw.h"

/* n times `open`, then n times `close`; malloc memory with a NUL. */
static char *nested(const char *open, const char *close, size_t n)
{
    size_t a = strlen(open), b = strlen(close);
    char *text = malloc(n * (a + b) + 1);
    assert_non_null(text);
    char *p = text;
    for (size_t i = 0; i < n; i++, p += a) {
        memcpy(p, open, a);
    }
    for (size_t i = 0; i < n; i++, p += b) {
        memcpy(p, close, b);
    }
    *p = 0;
    return text;
}

/* ---- depth ------------------------------------------------------------------------------------
 */

static const struct nesting {
    int line;
    const cw_type *type;
    const char *open, *close;
    unsigned levels; /* of the 100 that are allowed, each `open` takes so many */
} nestings[] = {
    {__LINE__, &json_Node_type, "next {", "}", 1},
    {__LINE__, &json_Node_type, "kids: [<", ">]", 1},
    {__LINE__, &json_Node_type, "left: {", "}", 1},
    {__LINE__, &json_Node_type, "named { key: 'k' value {", "}}", 2},
    {__LINE__, &wire2_Boxed_type, "Box { boxed {", "}}", 2},
    {__LINE__, &google_protobuf_ListValue_type, "values { list_value {", "}}", 2},
    {__LINE__, &google_protobuf_Struct_type, "fields { key: 'k' value { struct_value {", "}}}", 3},
    {__LINE__, &json_ext_Leaf_type, "leaf {", "}", 1},
    {__LINE__, &json_ext_Base_type, "[json_ext.base] {", "}", 1},
    {__LINE__, &google_protobuf_Any_type, "[a/google.protobuf.Any] {", "}", 1},
    {__LINE__, &json_any_Holder_type, "any { [a/json_any.Holder] {", "}}", 2},
};

static void check_depth(const struct nesting *x, const char *text, cw_arena *a, size_t n)
{
    bool fits = n * x->levels <= 100;
    cw_error e;
    cw_str out;
    cw_bytes bytes;
    void *m = text_new(x->type, a);
    cw_status st = text_parse(x->type, m, text, strlen(text), a, NULL, &e);
    if (st != (fits ? CW_OK : CW_ERR_DEPTH)) {
        fail_msg("row at line %d, %zu times: %s", x->line, n, cw_status_name(st));
    }
    if (!fits) {
        assert_true(e.offset < strlen(text) && e.line == 1);
        return;
    }
    /* Binary takes the same, and so does what is printed, with not one level less. */
    const cw_text_print_options all = {.depth = (unsigned)n * x->levels, .single_line = true};
    const cw_text_print_options less = {.depth = (unsigned)n * x->levels - 1};
    const cw_text_parse_options parse_less = {.depth = (unsigned)n * x->levels - 1};
    assert_int_equal(x->type->encode_arena(m, a, &bytes, &e), CW_OK);
    assert_int_equal(x->type->decode(m, bytes.data, bytes.len, a, NULL, &e), CW_OK);
    assert_int_equal(cw_text_print(x->type, m, a, &all, &out, &e), CW_OK);
    assert_int_equal(text_parse(x->type, m, out.data, out.len, a, NULL, &e), CW_OK);
    if (less.depth > 0) {
        assert_int_equal(cw_text_print(x->type, m, a, &less, &out, &e), CW_ERR_DEPTH);
        assert_int_equal(text_parse(x->type, m, text, strlen(text), a, &parse_less, &e),
                         CW_ERR_DEPTH);
    }
}

static void hundred_levels_pass(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof nestings / sizeof nestings[0]; i++) {
        const struct nesting *x = &nestings[i];
        for (size_t n = 100 / x->levels - 1; n <= 100 / x->levels + 1; n++) {
            cw_arena a;
            cw_arena_init(&a, NULL);
            char *text = nested(x->open, x->close, n);
            check_depth(x, text, &a, n);
            free(text);
            cw_arena_free(&a);
        }
    }
}

/* Values that nobody wants count, too, and end. */
static void skipped_values_count(void **state)
{
    (void)state;
    static const struct {
        const char *open, *close;
        cw_status strict; /* CW_OK: a reserved name, inside of which nothing is known */
    } rows[] = {
        {"gone {", "}", CW_OK},
        {"gone: [<", ">]", CW_OK},
        {"nope {", "}", CW_ERR_UNKNOWN_FIELD},
        {"[no.pe]: {", "}", CW_ERR_UNKNOWN_FIELD},
        {"7 <", ">", CW_ERR_SYNTAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t n = 99; n <= 101; n++) {
            cw_arena a;
            cw_error e;
            text_Plain m;
            cw_arena_init(&a, NULL);
            char *text = nested(rows[i].open, rows[i].close, n);
            const cw_text_parse_options o = {.ignore_unknown = true};
            assert_int_equal(text_parse(&text_Plain_type, &m, text, strlen(text), &a, &o, &e),
                             n <= 100 ? CW_OK : CW_ERR_DEPTH);
            cw_status strict = n <= 100 ? CW_OK : CW_ERR_DEPTH;
            assert_int_equal(text_parse(&text_Plain_type, &m, text, strlen(text), &a, NULL, &e),
                             rows[i].strict != CW_OK ? rows[i].strict : strict);
            free(text);
            cw_arena_free(&a);
        }
    }
    cw_arena a;
    cw_error e;
    text_Plain m;
    cw_arena_init(&a, NULL);
    char *text = nested("gone { [a.b] <", "", 200000);
    assert_int_equal(text_parse(&text_Plain_type, &m, text, strlen(text), &a, NULL, &e),
                     CW_ERR_DEPTH);
    assert_string_equal(e.path, "text.Plain.gone");
    free(text);
    cw_arena_free(&a);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static void memory_is_limited(void **state)
{
    (void)state;
    static const struct {
        const cw_type *type;
        const char *text;
        size_t least; /* that it cannot do without */
    } rows[] = {
        {&json_Lists_type, "some_scalars: [{}, {}, {}, {}, {}, {}, {}, {}] s: 'that is copied'",
         8 * sizeof(json_Scalars)},
        {&json_Maps_type, "i32_str { key: 2 value: 'x' } i32_str { key: 1 } i32_str { key: 3 }",
         3 * sizeof(json_Maps_i32_str_entry)},
        {&json_any_Holder_type, "any { [a/json_any.Holder] { before: 5 } }",
         sizeof(json_any_Holder)},
        {&json_ext_Base_type, "[json_ext.ss]: ['abc', 'def'] [json_ext.leaf] { x: 1 }",
         sizeof(json_ext_Leaf)},
        {&text_Scattered_type, "inner { inner { inner { f1: 1 } } }", 3 * sizeof(text_Scattered)},
        {&text_Plain_type, "gone { [no.such.extension]: 1 } reals: .5", 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t len = strlen(rows[i].text), max = 1;
        for (;; max += 7) {
            cw_arena a;
            cw_error e;
            cw_arena_init(&a, NULL);
            void *m = text_new(rows[i].type, &a);
            const cw_text_parse_options o = {.max_memory = max};
            cw_status st = text_parse(rows[i].type, m, rows[i].text, len, &a, &o, &e);
            cw_arena_free(&a);
            if (st == CW_OK) {
                break;
            }
            assert_int_equal(st, CW_ERR_LIMIT);
            assert_true(max < 100000);
        }
        assert_true(max >= rows[i].least);
    }
}

/* An allocator whose calls fail from the n-th on. */
typedef struct failing {
    size_t left;
} failing;

static void *failing_alloc(void *ctx, size_t size)
{
    failing *f = ctx;
    if (f->left == 0) {
        return NULL;
    }
    f->left--;
    return malloc(size);
}

static void failing_free(void *ctx, void *block, size_t size)
{
    (void)ctx;
    (void)size;
    free(block);
}

/* Prints and parses with n allocations only: *done when both succeed. */
static void with_allocations(const cw_type *t, const void *m, cw_str text, size_t n, bool *done)
{
    failing f = {n};
    const cw_allocator alloc = {failing_alloc, failing_free, &f};
    cw_arena b;
    cw_error e;
    cw_str out = {NULL, 0};
    cw_arena_init(&b, &(cw_arena_options){.alloc = &alloc, .first_block = 64});
    cw_status print = cw_text_print(t, m, &b, NULL, &out, &e);
    assert_true(print == CW_OK ? cw_str_equal(out, text)
                               : print == CW_ERR_MEMORY && e.status == print);
    cw_arena_free(&b);

    f.left = n;
    cw_arena_init(&b, &(cw_arena_options){.alloc = &alloc, .first_block = 64});
    void *again = malloc(t->struct_size);
    assert_non_null(again);
    cw_status parse = text_parse(t, again, text.data, text.len, &b, NULL, &e);
    assert_true(parse == CW_OK || (parse == CW_ERR_MEMORY && e.status == parse));
    *done = print == CW_OK && parse == CW_OK;
    free(again);
    cw_arena_free(&b);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const struct {
        const cw_type *type;
        const char *text;
    } rows[] = {
        {&json_Everything_type, NULL},
        {&json2_Closed_type, NULL},
        {&text_Plain_type, NULL},
        {&json_any_Holder_type, "any { [a/json_any.Holder] { map { key: 'b' } map { key: 'a' value "
                                "{ [a/json.Nothing] {} } } before: 5 behind: 'a text of some "
                                "length, so that it takes more than one block' } }"},
        {&json_ext_Base_type, "[json_ext.ss]: ['abc', 'def'] [json_ext.leaf] { leaf { x: 1 } } "
                              "[json_ext.box] { w: 2 } [json_ext.i64s]: [1, 2, 3, 4, 5, 6, 7, 8]"},
        {&json_ext_Set_type, "[json_ext.Piece] { word: 'a' set { [json_ext.Piece] { } } }"},
        {&text_Many_type, "[text.e1]: 1 [text.e66]: 66"},
        {&text_Scattered_type, "inner { inner { inner { inner { inner { inner { inner { inner { "
                               "inner { inner { inner { inner { inner { inner { inner { inner { "
                               "inner { inner { } } } } } } } } } } } } } } } } } }"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cw_type *t = rows[i].type;
        cw_arena a;
        cw_arena_init(&a, NULL);
        void *m = text_new(t, &a);
        if (rows[i].text) {
            m = text_get(t, rows[i].text, NULL, &a);
        } else {
            test_random r = {.state = i, .empty = 1};
            test_random_fill(t, m, &a, &r, 3);
        }
        cw_str text = text_of(t, m, NULL, &a);
        bool done = false;
        for (size_t n = 0; !done; n++) {
            assert_true(n < 10000);
            with_allocations(t, m, text, n, &done);
        }
        cw_arena_free(&a);
    }
}

/* In an arena of the caller's own memory nothing else is asked for. */
static void a_fixed_block_is_enough(void **state)
{
    (void)state;
    static uint64_t block[512];
    cw_arena a;
    cw_str out;
    json_Node m;
    cw_arena_init(
        &a, &(cw_arena_options){.block = block, .block_size = sizeof block, .no_alloc = true});
    static const char text[] = "value: 1 next { value: 2 } leaf: \"text\"";
    assert_int_equal(cw_text_parse(&json_Node_type, &m, text, sizeof text - 1, &a, NULL, NULL),
                     CW_OK);
    const cw_text_print_options o = {.single_line = true};
    assert_int_equal(cw_text_print(&json_Node_type, &m, &a, &o, &out, NULL), CW_OK);
    assert_string_equal(out.data, text);
    /* What the text did not need is free again. */
    cw_str second;
    assert_int_equal(cw_text_print(&json_Node_type, &m, &a, &o, &second, NULL), CW_OK);
    assert_true(second.data >= out.data + out.len && second.data <= out.data + out.len + 8);
    cw_arena_free(&a);
}

/* ---- broken text ------------------------------------------------------------------------------
 */

static const cw_type *const sample_types[] = {
    &json_Everything_type, &json_Lists_type,    &json_Maps_type, &json_Choice_type,
    &json2_Closed_type,    &json2_Grouped_type, &wire2_All_type, &text_Plain_type,
    &text_Groups_type,     &text_Needs_type,
};
enum { SAMPLES = sizeof sample_types / sizeof sample_types[0] };

static cw_str sample(size_t i, uint64_t seed, bool single_line, cw_arena *a)
{
    const cw_type *t = sample_types[i];
    void *m = text_new(t, a);
    test_random r = {.state = seed + i, .most = 2, .empty = 4};
    test_random_fill(t, m, a, &r, 3);
    return text_of(t, m, &(cw_text_print_options){.single_line = single_line}, a);
}

/* A text that ends too early is refused where it ends, or is a whole one. */
static void every_prefix(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        const cw_type *t = sample_types[i];
        cw_arena a, b;
        cw_arena_init(&a, NULL);
        cw_arena_init(&b, NULL);
        cw_str text = sample(i, 7, i % 2 == 1, &a);
        void *m = text_new(t, &a);
        const cw_text_parse_options o = {.allow_partial = true};
        for (size_t len = 0; len < text.len && len < 3000; len++) {
            cw_error e = {0};
            cw_arena_reset(&b);
            cw_status st = text_parse(t, m, text.data, len, &b, &o, &e);
            if (st != e.status || (st != CW_OK && e.offset > len)) {
                fail_msg("%s: %.*s: %s at %zu", t->full_name, (int)len, text.data,
                         cw_status_name(st), e.offset);
            }
            if (st == CW_OK) {
                text_of(t, m, NULL, &b);
            } else if (st != CW_ERR_TRUNCATED && st != CW_ERR_UNKNOWN_FIELD &&
                       st != CW_ERR_UNKNOWN_ENUM && st != CW_ERR_DUPLICATE && st != CW_ERR_TYPE &&
                       st != CW_ERR_UTF8) {
                fail_msg("%s: %.*s: %s", t->full_name, (int)len, text.data, cw_status_name(st));
            }
        }
        cw_arena_free(&a);
        cw_arena_free(&b);
    }
}

/* Each byte replaced by those that mean something: the text is refused with its place, or what it
 * says prints and reads back. */
static void check_changed(const cw_type *t, const char *text, size_t len,
                          const cw_text_parse_options *o, void *m, void *again, cw_arena *b)
{
    cw_error e = {0};
    cw_arena_reset(b);
    cw_status st = text_parse(t, m, text, len, b, o, &e);
    assert_int_equal(st, e.status);
    if (st != CW_OK) {
        assert_true(e.offset <= len && e.line > 0 && e.column > 0);
        return;
    }
    cw_str out = text_of(t, m, NULL, b);
    assert_int_equal(cw_text_parse(t, again, out.data, out.len, b, o, &e), CW_OK);
    cw_str second = text_of(t, again, NULL, b);
    if (!cw_str_equal(out, second)) {
        fail_msg("%s: %.*s: printed as %s and as %s", t->full_name, (int)len, text, out.data,
                 second.data);
    }
}

static void every_byte_may_change(void **state)
{
    (void)state;
    static const char bytes[] = "\"'\\{}<>[]:,;#0-.xeEntf/ \n\x00\x1f\x80\xc3\xff"
                                "9";
    for (size_t i = 0; i < SAMPLES; i++) {
        const cw_type *t = sample_types[i];
        cw_arena a, b;
        cw_arena_init(&a, NULL);
        cw_arena_init(&b, NULL);
        cw_str text = sample(i, 3, true, &a);
        void *m = text_new(t, &a), *again = text_new(t, &a);
        char *copy = malloc(text.len + 1);
        assert_non_null(copy);
        memcpy(copy, text.data, text.len + 1);
        const cw_text_parse_options o = {
            .ignore_unknown = i % 2 == 1, .allow_partial = true, .overwrite = i % 3 == 0};
        for (size_t at = 0; at < text.len && at < 1000; at++) {
            for (size_t k = 0; k < sizeof bytes - 1; k++) {
                copy[at] = bytes[k];
                check_changed(t, copy, text.len, &o, m, again, &b);
            }
            copy[at] = text.data[at];
        }
        free(copy);
        cw_arena_free(&a);
        cw_arena_free(&b);
    }
}

/* ---- time -------------------------------------------------------------------------------------
 */

static const struct repeated {
    int line;
    const cw_type *type;
    const char *piece; /* %zu: a number that falls */
    bool overwrite, ignore;
} repetitions[] = {
    {__LINE__, &text_Plain_type, "numbers: 1 texts: 'a' words: nan ", false, false},
    {__LINE__, &text_Plain_type, "list {} numbers: [1] ", false, false},
    {__LINE__, &text_Plain_type, "map { key: '%zu' } ", false, false},
    {__LINE__, &text_Plain_type, "map { key: 'k' } ", false, false},
    {__LINE__, &text_Plain_type, "plain { map { key: '%zu' } } ", true, false},
    {__LINE__, &text_Plain_type, "n: 1 number: 2 name: 'x' message { numbers: 1 } ", true, false},
    {__LINE__, &text_Plain_type, "nope { a: [1, 2] } 7: 0 [a.b]: 1 ", false, true},
    {__LINE__, &text_Plain_type, "gone: 'a' \"b\" #\n", false, false},
    {__LINE__, &text_Scattered_type, "[text.Scattered.behind]: 'x' ", false, false},
    {__LINE__, &json_ext_Base_type, "[json_ext.leaves] {} [json_ext.i64s]: 1 ", false, false},
    {__LINE__, &json_ext_Base_type, "[json_ext.i32]: 1 [json_ext.leaf] { x: 1 } ", true, false},
    {__LINE__, &json_any_Holder_type, "list { [a/json.Nothing] { } } ", false, false},
};

/* Parses and prints n repetitions; seconds. */
static double repeat(const struct repeated *x, size_t n, size_t *memory)
{
    size_t room = n * (strlen(x->piece) + 10) + 1, len = 0;
    char *text = malloc(room);
    assert_non_null(text);
    for (size_t i = 0; i < n; i++) {
        const char *number = strstr(x->piece, "%zu");
        size_t front = number ? (size_t)(number - x->piece) : strlen(x->piece);
        memcpy(text + len, x->piece, front);
        len += front;
        if (number) {
            len += (size_t)snprintf(text + len, room - len, "%zu%s", 9999999 - i, number + 3);
        }
    }
    clock_t begin = clock();
    cw_arena a;
    cw_error e;
    cw_arena_init(&a, NULL);
    void *m = text_new(x->type, &a);
    const cw_text_parse_options o = {.overwrite = x->overwrite, .ignore_unknown = x->ignore};
    cw_status st = cw_text_parse(x->type, m, text, len, &a, &o, &e);
    if (st != CW_OK) {
        fail_msg("row at line %d: %s at %s", x->line, cw_status_name(st), e.path);
    }
    text_of(x->type, m, NULL, &a);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    *memory = cw_arena_held(&a);
    cw_arena_free(&a);
    free(text);
    return seconds;
}

/* Twice the text takes about twice the time and memory; a factor of 4 in all is the limit for
 * memory (blocks double), and for time, which a busy machine stretches, of 8 and a little. */
static void work_is_linear(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof repetitions / sizeof repetitions[0]; i++) {
        const struct repeated *x = &repetitions[i];
        size_t n = 200000 / strlen(x->piece), memory, twice;
        double seconds = repeat(x, n, &memory), more = repeat(x, 2 * n, &twice);
        if (twice > 4 * memory || more > 8 * seconds + 0.5) {
            fail_msg("row at line %d: %f s and %zu bytes, then %f s and %zu bytes", x->line,
                     seconds, memory, more, twice);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hundred_levels_pass),     cmocka_unit_test(skipped_values_count),
        cmocka_unit_test(memory_is_limited),       cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_fixed_block_is_enough), cmocka_unit_test(every_prefix),
        cmocka_unit_test(every_byte_may_change),   cmocka_unit_test(work_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
