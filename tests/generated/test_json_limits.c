/* SPDX-License-Identifier: MIT */
/* Depth, memory and failures: what hostile JSON or a full arena can do is fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json.cw.h"
#include "json_support.h"
#include "random_message.h"

/* ---- depth ------------------------------------------------------------------------------------
 */

/* n times `open`, then n times `close`. */
static char *nested(const char *open, const char *close, size_t n, size_t *len)
{
    size_t a = strlen(open), b = strlen(close);
    char *text = malloc(n * (a + b) + 3);
    assert_non_null(text);
    char *p = text;
    *p++ = '{';
    for (size_t i = 0; i < n; i++) {
        memcpy(p, open, a);
        p += a;
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(p, close, b);
        p += b;
    }
    *p++ = '}';
    *len = (size_t)(p - text);
    return text;
}

static const struct nesting {
    int line;
    const char *open, *close;
    unsigned levels; /* of the 100 that are allowed, each `open` takes so many */
} nestings[] = {
    {__LINE__, "\"next\":{", "}", 1},
    {__LINE__, "\"kids\":[{", "}]", 1},
    {__LINE__, "\"left\":{", "}", 1},
    {__LINE__, "\"named\":{\"k\":{", "}}", 2},
};

static void hundred_levels_pass(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof nestings / sizeof nestings[0]; i++) {
        const struct nesting *x = &nestings[i];
        for (size_t more = 0; more < 2; more++) {
            size_t len;
            char *text = nested(x->open, x->close, 100 / x->levels + more, &len);
            cw_arena a;
            cw_error e = {0};
            json_Node m;
            cw_arena_init(&a, NULL);
            cw_status st = json_parse(&json_Node_type, &m, text, len, &a, NULL, &e);
            if (st != (more ? CW_ERR_DEPTH : CW_OK)) {
                fail_msg("row at line %d: %s", x->line, cw_status_name(st));
            }
            if (more) {
                assert_int_equal(e.offset, 1 + 100 / x->levels * strlen(x->open) + strlen(x->open) -
                                               (x->levels == 2 ? 5 : 1));
            } else {
                /* What was parsed prints, and not with one level less. */
                cw_str out;
                assert_int_equal(json_Node_to_json(&m, &a, NULL, &out, &e), CW_OK);
                assert_int_equal(out.len, len);
                assert_memory_equal(out.data, text, len);
                const cw_json_print_options less = {.depth = 99};
                assert_int_equal(json_Node_to_json(&m, &a, &less, &out, &e), CW_ERR_DEPTH);
                const cw_json_parse_options one_less = {.depth = 99};
                assert_int_equal(json_parse(&json_Node_type, &m, text, len, &a, &one_less, &e),
                                 CW_ERR_DEPTH);
            }
            cw_arena_free(&a);
            free(text);
        }
    }
}

static void a_map_entry_is_a_level(void **state)
{
    (void)state;
    static const char text[] = "{\"map\":{\"k\":1}}";
    cw_arena a;
    cw_error e;
    json_Case m;
    json_Everything outer;
    cw_arena_init(&a, NULL);
    assert_int_equal(json_Case_from_json(&m, text, sizeof text - 1, &a,
                                         &(cw_json_parse_options){.depth = 1}, &e),
                     CW_OK);
    cw_str out;
    const cw_json_print_options one = {.depth = 1};
    assert_int_equal(json_Case_to_json(&m, &a, &one, &out, &e), CW_OK);
    static const char deeper[] = "{\"maps\":{\"strI32\":{\"k\":1}}}";
    const cw_json_parse_options parse_one = {.depth = 1};
    assert_int_equal(
        json_Everything_from_json(&outer, deeper, sizeof deeper - 1, &a, &parse_one, &e),
        CW_ERR_DEPTH);
    assert_string_equal(e.path, "json.Everything.maps.str_i32");
    assert_int_equal(e.offset, 19);
    assert_int_equal(json_Everything_from_json(&outer, deeper, sizeof deeper - 1, &a, NULL, &e),
                     CW_OK);
    assert_int_equal(json_Everything_to_json(&outer, &a, &one, &out, &e), CW_ERR_DEPTH);
    assert_string_equal(e.path, "json.Everything.maps.str_i32[0]");
    cw_arena_free(&a);
}

static void unknown_values_count_levels(void **state)
{
    (void)state;
    const cw_json_parse_options ignore = {.ignore_unknown = true};
    for (size_t n = 99; n < 103; n++) {
        size_t len;
        char *text = nested("\"x\":{", "}", n, &len);
        cw_arena a;
        cw_error e;
        json_Case m;
        cw_arena_init(&a, NULL);
        assert_int_equal(json_parse(&json_Case_type, &m, text, len, &a, &ignore, &e),
                         n <= 100 ? CW_OK : CW_ERR_DEPTH);
        cw_arena_free(&a);
        free(text);
    }
    static char many[1000001];
    memset(many, '[', sizeof many);
    memcpy(many, "{\"x\":", 5);
    cw_arena a;
    cw_error e;
    json_Case m;
    cw_arena_init(&a, NULL);
    assert_int_equal(json_parse(&json_Case_type, &m, many, sizeof many, &a, &ignore, &e),
                     CW_ERR_DEPTH);
    cw_arena_free(&a);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static void memory_is_limited(void **state)
{
    (void)state;
    static const char text[] =
        "{\"someScalars\":[{},{},{},{},{},{},{},{}],\"s\":[\"some text that is copied\"]}";
    cw_arena a;
    cw_error e;
    json_Lists m;
    cw_arena_init(&a, NULL);
    size_t least = 0;
    for (size_t max = 1; max < 8000; max += 7) {
        const cw_json_parse_options o = {.max_memory = max};
        cw_arena_reset(&a);
        cw_status st = json_parse(&json_Lists_type, &m, text, sizeof text - 1, &a, &o, &e);
        if (st == CW_OK) {
            least = max;
            break;
        }
        assert_int_equal(st, CW_ERR_LIMIT);
        assert_true(strncmp(e.path, "json.Lists.", 11) == 0);
    }
    assert_true(least >= 8 * sizeof(json_Scalars));
    cw_arena_free(&a);
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

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < json_type_count; i++) {
        const cw_type *t = json_types[i].type;
        cw_arena a;
        cw_arena_init(&a, NULL);
        void *m = json_new(t, &a);
        test_random r = {.state = i, .empty = 1};
        test_random_fill(t, m, &a, &r, 3);
        cw_str text = json_text(t, m, &a);
        cw_status print = CW_ERR_MEMORY, parse = CW_ERR_MEMORY;
        for (size_t n = 0; print != CW_OK || parse != CW_OK; n++) {
            assert_true(n < 1000);
            failing f = {n};
            const cw_allocator alloc = {failing_alloc, failing_free, &f};
            cw_arena b;
            cw_error e = {0};
            cw_arena_init(&b, &(cw_arena_options){.alloc = &alloc, .first_block = 64});
            cw_str out = {"untouched", 9};
            print = t->to_json(m, &b, NULL, &out, &e);
            assert_int_equal(print, e.status);
            if (print == CW_OK) {
                assert_string_equal(out.data, text.data);
            } else {
                assert_int_equal(print, CW_ERR_MEMORY);
                assert_string_equal(out.data, "untouched");
            }
            cw_arena_free(&b);

            f.left = n;
            void *again = json_new(t, &a);
            cw_arena_init(&b, &(cw_arena_options){.alloc = &alloc, .first_block = 64});
            e.status = CW_OK;
            parse = json_parse(t, again, text.data, text.len, &b, NULL, &e);
            assert_int_equal(parse, e.status);
            if (parse == CW_OK) {
                assert_true(t->equal(m, again));
            } else {
                assert_int_equal(parse, CW_ERR_MEMORY);
            }
            cw_arena_free(&b);
        }
        cw_arena_free(&a);
    }
}

/* ---- broken text ------------------------------------------------------------------------------
 */

static cw_str sample(size_t i, uint64_t seed, unsigned indent, cw_arena *a)
{
    const cw_type *t = json_types[i].type;
    void *m = json_new(t, a);
    test_random r = {.state = seed + i, .most = 2, .empty = 4};
    test_random_fill(t, m, a, &r, 2);
    cw_str out;
    const cw_json_print_options o = {.indent = indent};
    assert_int_equal(t->to_json(m, a, &o, &out, NULL), CW_OK);
    return out;
}

static void every_prefix_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < json_type_count; i++) {
        const cw_type *t = json_types[i].type;
        cw_arena a, b;
        cw_arena_init(&a, NULL);
        cw_arena_init(&b, NULL);
        cw_str text = sample(i, 7, i % 2 ? 1 : 0, &a);
        void *m = json_new(t, &a);
        for (size_t len = 0; len < text.len && len < 3000; len++) {
            cw_error e = {0};
            cw_arena_reset(&b);
            cw_status st = json_parse(t, m, text.data, len, &b, NULL, &e);
            if (st == CW_OK || e.status != st || e.offset > len) {
                fail_msg("%s: %.*s: %s at %zu", t->full_name, (int)len, text.data,
                         cw_status_name(st), e.offset);
            }
        }
        cw_arena_free(&a);
        cw_arena_free(&b);
    }
}

/*
 * Each byte replaced by those that mean something in JSON: the text is refused with its place, or
 * what it says prints and reads back equal.
 */
static void every_byte_may_change(void **state)
{
    (void)state;
    static const char bytes[] = "\"\\{}[]:,0-.eEntf/ \n\x00\x1f\x80\xc3\xff"
                                "9";
    for (size_t i = 0; i < json_type_count; i++) {
        const cw_type *t = json_types[i].type;
        cw_arena a, b;
        cw_arena_init(&a, NULL);
        cw_arena_init(&b, NULL);
        cw_str text = sample(i, 3, 0, &a);
        void *m = json_new(t, &a), *again = json_new(t, &a);
        char *copy = malloc(text.len + 1);
        assert_non_null(copy);
        memcpy(copy, text.data, text.len + 1);
        const cw_json_parse_options o = {.ignore_unknown = i % 2 == 1, .allow_partial = true};
        for (size_t at = 0; at < text.len && at < 1200; at++) {
            for (size_t k = 0; k < sizeof bytes - 1; k++) {
                cw_error e = {0};
                copy[at] = bytes[k];
                cw_arena_reset(&b);
                cw_status st = json_parse(t, m, copy, text.len, &b, &o, &e);
                assert_int_equal(st, e.status);
                if (st != CW_OK) {
                    assert_true(e.offset <= text.len && e.line > 0 && e.column > 0);
                    continue;
                }
                cw_str out;
                assert_int_equal(t->to_json(m, &b, NULL, &out, &e), CW_OK);
                st = t->from_json(again, out.data, out.len, &b, &o, &e);
                if (st != CW_OK || !t->equal(m, again)) {
                    fail_msg("%s: %.*s: printed as %s: %s", t->full_name, (int)text.len, copy,
                             out.data, cw_status_name(st));
                }
            }
            copy[at] = text.data[at];
        }
        free(copy);
        cw_arena_free(&a);
        cw_arena_free(&b);
    }
}

/* ---- maps -------------------------------------------------------------------------------------
 */

/* Keys in falling order, many: sorted once, not at every key. */
static void a_map_in_reverse(void **state)
{
    (void)state;
    enum { N = 20000 };
    char *text = malloc(N * 16 + 32);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "{\"map\":{");
    for (int i = N; i > 0; i--) {
        n += (size_t)sprintf(text + n, "\"%06d\":%d%s", i, i, i > 1 ? "," : "}}");
    }
    cw_arena a;
    cw_error e;
    json_Case m;
    cw_arena_init(&a, NULL);
    assert_int_equal(json_parse(&json_Case_type, &m, text, n, &a, NULL, &e), CW_OK);
    assert_int_equal(m.map.len, N);
    for (int i = 0; i < N; i++) {
        assert_int_equal(m.map.data[i].value, i + 1);
    }
    cw_arena_free(&a);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hundred_levels_pass),         cmocka_unit_test(a_map_entry_is_a_level),
        cmocka_unit_test(unknown_values_count_levels), cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(every_allocation_may_fail),   cmocka_unit_test(every_prefix_is_refused),
        cmocka_unit_test(every_byte_may_change),       cmocka_unit_test(a_map_in_reverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
