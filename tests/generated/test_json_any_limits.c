/* SPDX-License-Identifier: MIT */
/* JSON of Any and extensions under limits: depth, memory, failing allocators, broken and hostile
 * text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cwire/wkt.h"
#include "json_any.cw.h"
#include "json_extension.cw.h"
#include "json_support.h"

#define ANY_OPEN  "{\"@type\":\"x/google.protobuf.Any\",\"value\":"
#define ANY_LATE  "{\"value\":"
#define TYPE_LATE ",\"@type\":\"x/google.protobuf.Any\"}"

/* A Holder with Anys in every place, Anys in Anys, maps and lists in them. */
static const char any_sample[] =
    "{\"before\":1,\"any\":{\"@type\":\"x/json_any.Holder\",\"any\":{\"@type\":\"x/json.Case\","
    "\"n\":5,\"s\":\"some text that takes a while, with \\\"quotes\\\" in it\",\"r\":[1,2,3],"
    "\"map\":{\"a\":1,\"b\":2}},\"list\":[{},{\"@type\":\"x/google.protobuf.Timestamp\","
    "\"value\":\"1970-01-01T00:00:00Z\"},{\"@type\":\"x/google.protobuf.Any\",\"value\":"
    "{\"@type\":\"x/google.protobuf.Struct\",\"value\":{\"k\":[1,\"x\",null]}}}]},\"map\":{\"k\":"
    "{\"@type\":\"x/google.protobuf.Empty\",\"value\":{}},\"l\":{\"@type\":\"x/"
    "json.Node\",\"next\":"
    "{\"next\":{\"value\":1}},\"kids\":[{},{\"value\":2}]}},\"picked\":{\"@type\":"
    "\"x/google.protobuf.BytesValue\",\"value\":\"AAEC\"},\"behind\":\"the end\"}";

/* Extensions of all sorts, in each other, and with an Any. */
static const char extension_sample[] =
    "{\"n\":1,\"text\":\"some text\",\"[json_ext.d]\":1.5,\"[json_ext.i64]\":\"5\","
    "\"[json_ext.s]\":\"a string that is longer than a word or two\",\"[json_ext.raw]\":\"AAEC\","
    "\"[json_ext.e]\":\"DARK\",\"[json_ext.box]\":{\"w\":1},\"[json_ext.leaf]\":{\"x\":1,\"leaf\":"
    "{\"leaf\":{},\"[json_ext.mark]\":\"deep\"}},\"[json_ext.base]\":{\"[json_ext.base]\":{\"n\":2}"
    ","
    "\"[json_ext.ss]\":[\"a\",\"b\"]},\"[json_ext.needy]\":{\"name\":\"\"},\"[json_ext.any]\":"
    "{\"@type\":\"x/json_ext.Base\",\"n\":3,\"[json_ext.at]\":\"1970-01-01T00:00:00Z\"},"
    "\"[json_ext.ds]\":[1,2,3,4,5,6,7,8],\"[json_ext.es]\":[\"LIGHT\",\"DARK\"],"
    "\"[json_ext.leaves]\":[{},{\"x\":2,\"leaf\":{\"x\":3}}],\"[json_ext.values]\":[{\"a\":[1]}],"
    "\"[json_ext.Leaf.inner]\":{\"x\":4},\"[json_ext.far]\":7}";

typedef struct sample {
    const cw_type *type;
    const cw_file *file;
    const char *text;
    size_t len;
} sample;

static const sample samples[] = {
    {&json_any_Holder_type, &json_any_file, any_sample, sizeof any_sample - 1},
    {&json_ext_Base_type, &json_extension_file, extension_sample, sizeof extension_sample - 1},
};
#define EACH_SAMPLE(s)                                                                             \
    const sample *s = samples;                                                                     \
    s < samples + sizeof samples / sizeof samples[0];                                              \
    s++

static void *parse_sample(const sample *s, cw_arena *a)
{
    void *m = json_new(s->type, a);
    cw_error e;
    assert_int_equal(s->type->from_json(m, s->text, s->len, a, NULL, &e), CW_OK);
    return m;
}

/* ---- depth ------------------------------------------------------------------------------------
 */

/* n Anys, one in the other, the innermost one empty; in malloc memory. */
static char *nested(size_t n, bool late)
{
    const char *open = late ? ANY_LATE : ANY_OPEN, *close = late ? TYPE_LATE : "}";
    size_t a = strlen(open), b = strlen(close);
    char *text = malloc(n * (a + b) + 3);
    assert_non_null(text);
    char *p = text;
    for (size_t i = 0; i < n; i++, p += a) {
        memcpy(p, open, a);
    }
    memcpy(p, "{}", 2);
    p += 2;
    for (size_t i = 0; i < n; i++, p += b) {
        memcpy(p, close, b);
    }
    *p = 0;
    return text;
}

/* B62. The message in an Any is one level below it: 100 pass, 101 fail; so in binary, and printed.
 */
static void b62_any_in_any(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        for (unsigned depth = 1; depth <= 100; depth += 33) {
            char *text = nested(depth, late), *more = nested(depth + 1, late);
            const cw_json_parse_options parse = {.depth = depth}, parse_less = {.depth = depth - 1};
            const cw_json_print_options print = {.depth = depth}, print_less = {.depth = depth - 1};
            cw_arena a;
            cw_error e;
            cw_str out;
            google_protobuf_Any m, deeper;
            cw_arena_init(&a, NULL);
            const cw_type *t = &google_protobuf_Any_type;
            assert_int_equal(json_parse(t, &m, text, strlen(text), &a, &parse, &e), CW_OK);
            assert_int_equal(t->to_json(&m, &a, &print, &out, &e), CW_OK);
            char *early = nested(depth, false);
            assert_string_equal(out.data, early);
            free(early);
            assert_int_equal(json_parse(t, &deeper, more, strlen(more), &a, &parse, &e),
                             CW_ERR_DEPTH);
            assert_int_equal(e.offset,
                             depth * strlen(late ? ANY_LATE : ANY_OPEN)); /* the 101st object */
            if (depth > 1) {
                assert_int_equal(t->to_json(&m, &a, &print_less, &out, &e), CW_ERR_DEPTH);
                assert_int_equal(json_parse(t, &deeper, text, strlen(text), &a, &parse_less, &e),
                                 CW_ERR_DEPTH);
            }
            if (depth == 100) { /* which is the default */
                assert_int_equal(json_parse(t, &m, text, strlen(text), &a, NULL, &e), CW_OK);
                assert_int_equal(t->to_json(&m, &a, NULL, &out, &e), CW_OK);
                assert_int_equal(json_parse(t, &m, more, strlen(more), &a, NULL, &e), CW_ERR_DEPTH);
                /* And 101 made by hand are not printed. */
                google_protobuf_Any top = {0};
                assert_int_equal(json_parse(t, &m, text, strlen(text), &a, NULL, &e), CW_OK);
                assert_int_equal(t->encode_arena(&m, &a, &top.value, &e), CW_OK);
                top.type_url = CW_STR("x/google.protobuf.Any");
                assert_int_equal(t->to_json(&top, &a, NULL, &out, &e), CW_ERR_DEPTH);
            }
            cw_arena_free(&a);
            free(text);
            free(more);
        }
    }
}

/* What is left of the depth is for the message inside. */
static void depth_goes_on_inside(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
        unsigned depth; /* that it takes */
        size_t offset;  /* of the error with one less */
    } rows[] = {
        {__LINE__, "{\"any\":{}}", 1, SIZE_MAX},
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Nothing\"}}", 2, 7},
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Node\",\"next\":{}}}", 3, 37},
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Node\",\"named\":{\"k\":{}}}}", 4, 43},
        {__LINE__, "{\"map\":{\"k\":{\"@type\":\"x/json.Nothing\"}}}", 3, 12},
        {__LINE__, "{\"any\":{\"@type\":\"x/google.protobuf.Struct\",\"value\":{\"a\":1}}}", 4, 52},
        {__LINE__, "{\"any\":{\"@type\":\"x/google.protobuf.Value\",\"value\":[1]}}", 4, 51},
        {__LINE__,
         "{\"any\":{\"@type\":\"x/json_any.Valued\",\"any\":{\"@type\":\"x/json.Case\"}}}", 4, 42},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned depth = rows[i].depth;
        const cw_json_parse_options parse = {.depth = depth}, parse_less = {.depth = depth - 1};
        const cw_json_print_options print = {.depth = depth}, print_less = {.depth = depth - 1};
        cw_arena a;
        cw_error e = {0};
        cw_str out = {"", 0};
        json_any_Holder m, again;
        cw_arena_init(&a, NULL);
        const cw_type *t = &json_any_Holder_type;
        size_t len = strlen(rows[i].text);
        cw_status st = json_parse(t, &m, rows[i].text, len, &a, &parse, &e);
        if (st == CW_OK) {
            st = t->to_json(&m, &a, &print, &out, &e);
        }
        if (st != CW_OK || strcmp(out.data, rows[i].text) != 0) {
            fail_msg("row at line %d: %s: %s", rows[i].line, cw_status_name(st), out.data);
        }
        if (depth == 1) { /* 0 is the default depth */
            cw_arena_free(&a);
            continue;
        }
        st = json_parse(t, &again, rows[i].text, len, &a, &parse_less, &e);
        if (st != CW_ERR_DEPTH || e.offset != rows[i].offset) {
            fail_msg("row at line %d: %s at %zu", rows[i].line, cw_status_name(st), e.offset);
        }
        st = t->to_json(&m, &a, &print_less, &out, &e);
        if (st != CW_ERR_DEPTH) {
            fail_msg("row at line %d: printed with one level less: %s", rows[i].line,
                     cw_status_name(st));
        }
        cw_arena_free(&a);
    }
}

/* Extensions in extensions: each is a level. */
static void extensions_are_levels(void **state)
{
    (void)state;
    static const char open[] = "{\"[json_ext.base]\":";
    for (size_t n = 99; n < 103; n++) {
        char text[102 * (sizeof open + 1) + 3] = "";
        size_t len = 0;
        for (size_t i = 0; i < n; i++, len += sizeof open - 1) {
            memcpy(text + len, open, sizeof open - 1);
        }
        memcpy(text + len, "{}", 2);
        memset(text + len + 2, '}', n);
        cw_arena a;
        cw_error e;
        cw_str out;
        json_ext_Base m;
        cw_arena_init(&a, NULL);
        const cw_type *t = &json_ext_Base_type;
        cw_status st = json_parse(t, &m, text, len + 2 + n, &a, NULL, &e);
        assert_int_equal(st, n <= 100 ? CW_OK : CW_ERR_DEPTH);
        if (st == CW_OK) {
            const cw_json_print_options print = {.depth = (unsigned)n}, less = {.depth = 98};
            assert_int_equal(t->to_json(&m, &a, &print, &out, &e), CW_OK);
            assert_string_equal(out.data, text);
            assert_int_equal(t->to_json(&m, &a, &less, &out, &e), CW_ERR_DEPTH);
        } else {
            assert_int_equal(e.offset, 101 * (sizeof open - 1));
        }
        cw_arena_free(&a);
    }
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static void parsing_keeps_to_max_memory(void **state)
{
    (void)state;
    for (EACH_SAMPLE(s)) {
        cw_arena a, place;
        cw_error e;
        cw_arena_init(&place, NULL);
        cw_arena_init(&a, NULL);
        void *m = json_new(s->type, &place);
        size_t least = 0;
        for (size_t max = 1; max < 60000 && least == 0; max += 8) {
            const cw_json_parse_options o = {.max_memory = max};
            cw_arena_reset(&a);
            cw_status st = json_parse(s->type, m, s->text, s->len, &a, &o, &e);
            if (st == CW_OK) {
                least = max;
            } else {
                assert_int_equal(st, CW_ERR_LIMIT);
                assert_true(strncmp(e.path, s->type->full_name, strlen(s->type->full_name)) == 0);
                assert_true(e.offset < s->len);
            }
        }
        assert_true(least > 1000);
        for (size_t max = least; max < 2 * least; max += 56) {
            const cw_json_parse_options o = {.max_memory = max};
            cw_arena_reset(&a);
            assert_int_equal(json_parse(s->type, m, s->text, s->len, &a, &o, &e), CW_OK);
        }
        cw_arena_free(&a);
        cw_arena_free(&place);
    }
}

/* With a limit on blocks the text comes out or CW_ERR_LIMIT, and from some limit on the text. */
static void printing_keeps_to_the_limit(void **state)
{
    (void)state;
    for (EACH_SAMPLE(s)) {
        cw_arena source, a;
        cw_arena_init(&source, NULL);
        const void *m = parse_sample(s, &source);
        bool fits = false;
        for (size_t limit = 64; limit < 40000; limit += limit / 16) {
            cw_error e;
            cw_str out = {NULL, 0};
            cw_arena_init(&a, &(cw_arena_options){.limit = limit, .first_block = 64});
            for (int again = 0; again < 3; again++) { /* with blocks that are there already */
                cw_arena_reset(&a);
                cw_status st = s->type->to_json(m, &a, NULL, &out, &e);
                if (st == CW_OK) {
                    assert_string_equal(out.data, s->text);
                    fits = true;
                } else {
                    assert_int_equal(st, CW_ERR_LIMIT);
                    assert_true(limit < 20000);
                }
                assert_true(cw_arena_held(&a) <= limit);
            }
            cw_arena_free(&a);
        }
        assert_true(fits);
        cw_arena_free(&source);
    }
}

/* Without any allocator: print and parse in a block of the caller's. */
static void a_block_alone_is_enough(void **state)
{
    (void)state;
    for (EACH_SAMPLE(s)) {
        cw_arena source, a;
        cw_arena_init(&source, NULL);
        const void *m = parse_sample(s, &source);
        void *again = json_new(s->type, &source);
        size_t fits = 0;
        for (size_t size = 0; size < 24000; size += 8 + size / 32) {
            char *block = malloc(size ? size : 1);
            assert_non_null(block);
            cw_error e;
            cw_str out = {NULL, 0};
            cw_arena_init(
                &a, &(cw_arena_options){.block = block, .block_size = size, .no_alloc = true});
            cw_status st = s->type->to_json(m, &a, NULL, &out, &e);
            if (st == CW_OK) {
                assert_string_equal(out.data, s->text);
                fits++;
            } else {
                assert_int_equal(st, CW_ERR_LIMIT);
            }
            cw_arena_reset(&a);
            st = json_parse(s->type, again, s->text, s->len, &a, NULL, &e);
            assert_true(st == CW_OK || st == CW_ERR_LIMIT);
            assert_true(st == CW_ERR_LIMIT || s->type->equal(m, again));
            cw_arena_free(&a);
            free(block);
        }
        assert_true(fits > 5);
        cw_arena_free(&source);
    }
}

/* An allocator that counts, and fails when nothing is left. */
typedef struct counting {
    size_t calls, left;
} counting;

static void *counting_alloc(void *ctx, size_t size)
{
    counting *c = ctx;
    c->calls++;
    if (c->left == 0) {
        return NULL;
    }
    c->left--;
    return malloc(size);
}

static void counting_free(void *ctx, void *block, size_t size)
{
    (void)ctx;
    (void)size;
    free(block);
}

static void steady_state_allocates_nothing(void **state)
{
    (void)state;
    for (EACH_SAMPLE(s)) {
        counting c = {0, SIZE_MAX};
        const cw_allocator alloc = {counting_alloc, counting_free, &c};
        cw_arena source, a;
        cw_arena_init(&source, NULL);
        const void *m = parse_sample(s, &source);
        void *again = json_new(s->type, &source);
        cw_arena_init(&a, &(cw_arena_options){.alloc = &alloc, .first_block = 65536});
        for (int i = 0; i < 3; i++) {
            cw_error e;
            cw_str out;
            size_t before = c.calls;
            cw_arena_reset(&a);
            assert_int_equal(s->type->to_json(m, &a, NULL, &out, &e), CW_OK);
            assert_int_equal(s->type->from_json(again, out.data, out.len, &a, NULL, &e), CW_OK);
            assert_true(i == 0 || c.calls == before);
        }
        cw_arena_free(&a);
        cw_arena_free(&source);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (EACH_SAMPLE(s)) {
        cw_arena source, a;
        cw_arena_init(&source, NULL);
        const void *m = parse_sample(s, &source);
        void *again = json_new(s->type, &source);
        cw_status print = CW_ERR_MEMORY, parse = CW_ERR_MEMORY;
        for (size_t n = 0; print != CW_OK || parse != CW_OK; n++) {
            assert_true(n < 300);
            counting c = {0, n};
            const cw_allocator alloc = {counting_alloc, counting_free, &c};
            cw_error e = {0};
            cw_str out;
            cw_arena_init(&a, &(cw_arena_options){.alloc = &alloc, .first_block = 64});
            print = s->type->to_json(m, &a, NULL, &out, &e);
            assert_int_equal(print, e.status);
            assert_true(print == CW_OK || print == CW_ERR_MEMORY);
            if (print == CW_OK) {
                assert_string_equal(out.data, s->text);
            }
            cw_arena_free(&a);
            c.left = n;
            e.status = CW_OK;
            parse = s->type->from_json(again, s->text, s->len, &a, NULL, &e);
            assert_int_equal(parse, e.status);
            assert_true(parse == CW_OK || parse == CW_ERR_MEMORY);
            assert_true(parse != CW_OK || s->type->equal(m, again));
            cw_arena_free(&a);
        }
        cw_arena_free(&source);
    }
}

/* From first blocks of all sizes, in the arena and out of it, as in test_json_random.c. */
static void leaves_room_wherever_the_block_ends(void **state)
{
    (void)state;
    for (EACH_SAMPLE(s)) {
        cw_arena source;
        cw_error e;
        cw_arena_init(&source, NULL);
        const void *m = parse_sample(s, &source);
        for (size_t size = 0; size < s->len + 3000; size += 3) {
            char *block = malloc(size + CW__JSON_SLACK);
            assert_non_null(block);
            for (int inside = 0; inside < 2; inside++) {
                cw_arena a;
                cw__json_writer w;
                int depth = 0;
                cw_arena_init(
                    &a, &(cw_arena_options){.block = inside ? block : NULL, .block_size = size});
                assert_non_null(cw__json_write_begin(&w, &a, NULL, &depth, &e));
                w.file = s->file;
                if (!inside) {
                    w.begin = block;
                    w.end = block + size;
                }
                char *p = s->type->json_put(m, &w, w.begin, depth);
                assert_non_null(p);
                assert_true(w.end - p >= 16);
                assert_int_equal((size_t)(p - w.begin), s->len);
                assert_memory_equal(w.begin, s->text, s->len);
                cw_arena_free(&a);
            }
            free(block);
        }
        cw_arena_free(&source);
    }
}

/* ---- broken text ------------------------------------------------------------------------------
 */

static void every_prefix_is_refused(void **state)
{
    (void)state;
    for (EACH_SAMPLE(s)) {
        cw_arena a, place;
        cw_arena_init(&place, NULL);
        cw_arena_init(&a, NULL);
        void *m = json_new(s->type, &place);
        for (size_t len = 0; len < s->len; len++) {
            cw_error e = {0};
            cw_arena_reset(&a);
            cw_status st = json_parse(s->type, m, s->text, len, &a, NULL, &e);
            if (st == CW_OK || e.status != st || e.offset > len) {
                fail_msg("%.*s: %s at %zu", (int)len, s->text, cw_status_name(st), e.offset);
            }
        }
        cw_arena_free(&a);
        cw_arena_free(&place);
    }
}

/* Each byte replaced: refused with its place, or what it says prints and reads back equal. */
static void change_every_byte(const sample *s, void *m, void *again, char *copy)
{
    static const char bytes[] = "\"\\{}[]:,0e@ntv/ \x00\xc3"
                                "9";
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t at = 0; at < s->len; at++) {
        for (size_t k = 0; k < sizeof bytes - 1; k++) {
            const cw_json_parse_options o = {.ignore_unknown = k % 2 == 1};
            cw_error e = {0};
            cw_str out;
            copy[at] = bytes[k];
            cw_arena_reset(&a);
            cw_status st = s->type->from_json(m, copy, s->len, &a, &o, &e);
            assert_int_equal(st, e.status);
            if (st != CW_OK) {
                assert_true(e.offset <= s->len && e.line > 0 && e.column > 0);
                continue;
            }
            assert_int_equal(s->type->to_json(m, &a, NULL, &out, &e), CW_OK);
            st = s->type->from_json(again, out.data, out.len, &a, &o, &e);
            cw_str second = {"", 0};
            if (st == CW_OK) {
                st = s->type->to_json(again, &a, NULL, &second, &e);
            }
            if (st != CW_OK || !cw_str_equal(out, second)) {
                fail_msg("%s: printed as %s: %s", copy, out.data, cw_status_name(st));
            }
        }
        copy[at] = s->text[at];
    }
    cw_arena_free(&a);
}

static void every_byte_may_change(void **state)
{
    (void)state;
    for (EACH_SAMPLE(s)) {
        cw_arena place;
        cw_arena_init(&place, NULL);
        char *copy = malloc(s->len + 1);
        assert_non_null(copy);
        memcpy(copy, s->text, s->len + 1);
        change_every_byte(s, json_new(s->type, &place), json_new(s->type, &place), copy);
        free(copy);
        cw_arena_free(&place);
    }
}

/* 100 Anys around one text of 100,000 bytes, "@type" last: each level scans it, and that is all. */
static void hostile_nesting(void **state)
{
    (void)state;
    enum { TEXT = 100000, LEVELS = 99 };
    char *text = malloc(TEXT + LEVELS * 60 + 100);
    assert_non_null(text);
    char *p = text;
    for (int i = 0; i < LEVELS; i++) {
        p += sprintf(p, ANY_LATE);
    }
    p += sprintf(p, "{\"value\":\"");
    memset(p, 'a', TEXT);
    p += TEXT;
    p += sprintf(p, "\",\"@type\":\"x/google.protobuf.StringValue\"}");
    for (int i = 0; i < LEVELS; i++) {
        p += sprintf(p, TYPE_LATE);
    }
    cw_arena a;
    cw_error e;
    cw_str out;
    google_protobuf_Any m;
    cw_arena_init(&a, NULL);
    const cw_type *t = &google_protobuf_Any_type;
    assert_int_equal(json_parse(t, &m, text, (size_t)(p - text), &a, NULL, &e), CW_OK);
    assert_int_equal(t->to_json(&m, &a, NULL, &out, &e), CW_OK);
    assert_int_equal(out.len, (size_t)(p - text));
    free(text);
    /* Nothing but opening brackets: of an Any, and of arrays in one. */
    static const char *const opens[] = {ANY_OPEN, ANY_LATE, "{\"x\":[", "{"};
    for (size_t k = 0; k < sizeof opens / sizeof opens[0]; k++) {
        size_t n = strlen(opens[k]), len = 20000 * n;
        char *many = malloc(len);
        assert_non_null(many);
        for (size_t i = 0; i < len; i += n) {
            memcpy(many + i, opens[k], n);
        }
        const cw_json_parse_options ignore = {.ignore_unknown = true};
        cw_status st = json_parse(t, &m, many, len, &a, &ignore, &e);
        assert_int_equal(st, k == 3 ? CW_ERR_SYNTAX : CW_ERR_DEPTH);
        free(many);
    }
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b62_any_in_any),
        cmocka_unit_test(depth_goes_on_inside),
        cmocka_unit_test(extensions_are_levels),
        cmocka_unit_test(parsing_keeps_to_max_memory),
        cmocka_unit_test(printing_keeps_to_the_limit),
        cmocka_unit_test(a_block_alone_is_enough),
        cmocka_unit_test(steady_state_allocates_nothing),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(leaves_room_wherever_the_block_ends),
        cmocka_unit_test(every_prefix_is_refused),
        cmocka_unit_test(every_byte_may_change),
        cmocka_unit_test(hostile_nesting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
