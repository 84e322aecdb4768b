/* SPDX-License-Identifier: MIT */
/* The JSON reader's structure: objects, keys, commas, ends, errors with their places, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_support.h"
#include "json_message.h"

static const char whole[] =
    "{\"n\":-12,\"u\":4000000000,\"big\":\"-9007199254740993\",\"ubig\":\"18446744073709551615\","
    "\"b\":true,\"d\":-1.5e3,\"f\":\"0.1\",\"s\":\"acme-industrial-42 \xc3\xa9 \\u00e9\\n\","
    "\"data\":\"Zm9vYg==\",\"e\":\"GREEN\",\"c\":2,\"r\":[1,-2,3e0],"
    "\"child\":{\"unitCentsInTotal\":7,\"shortName\":\"x\"},\"map\":{\"k\":1,\"\":2},"
    "\"unitCentsInTotal\":4999,\"shortName\":\"USD\"}";

static const char spaced[] =
    " \r\n{\t\"n\" : -12 , \"u\":4000000000,\"big\": \"-9007199254740993\",\n"
    "          \"ubig\":\"18446744073709551615\" ,\"b\":true ,\"d\":-1.5e3 ,\"f\":\"0.1\" ,\n\n"
    "\"s\":\"acme-industrial-42 \xc3\xa9 \\u00e9\\n\" , \"data\":\"Zm9vYg==\",\"e\":\"GREEN\",\n"
    "                                \"c\":2 , \"r\" : [ 1 , -2 , 3e0 ] ,\"child\":{ "
    "\"unitCentsInTotal\" :7, \"shortName\":\"x\" } , \"map\":{ \"k\" : 1 , \"\" : 2 } ,"
    "\"unitCentsInTotal\":4999,\"shortName\":\"USD\" }  \t\r\n ";

static cw_status parse(message *m, const char *text, cw_arena *a, cw_error *e)
{
    return message_from_json(m, text, strlen(text), a, NULL, e);
}

static void check_whole(const message *m)
{
    assert_int_equal(m->n, -12);
    assert_int_equal(m->u, 4000000000u);
    assert_true(m->big == -9007199254740993);
    assert_true(m->ubig == UINT64_MAX);
    assert_true(m->b);
    assert_true(m->d == -1500);
    const float tenth = 0.1f; /* a constant may have more bits than a float (FLT_EVAL_METHOD) */
    assert_true(m->f == tenth);
    assert_string_equal(m->s.data, "acme-industrial-42 \xc3\xa9 \xc3\xa9\n");
    assert_int_equal(m->s.len, 25);
    assert_int_equal(m->data.len, 4);
    assert_memory_equal(m->data.data, "foob", 4);
    assert_int_equal(m->e, 1);
    assert_int_equal(m->c, 2);
    assert_int_equal(m->r.len, 3);
    assert_int_equal(m->r.data[0], 1);
    assert_int_equal(m->r.data[1], -2);
    assert_int_equal(m->r.data[2], 3);
    assert_non_null(m->child);
    assert_int_equal(m->child->unit_cents_in_total, 7);
    assert_string_equal(m->child->short_name.data, "x");
    assert_int_equal(m->map_len, 2);
    assert_string_equal(m->map[0].key.data, "k");
    assert_int_equal(m->map[0].value, 1);
    assert_int_equal(m->map[1].key.len, 0);
    assert_int_equal(m->map[1].value, 2);
    assert_int_equal(m->unit_cents_in_total, 4999);
    assert_string_equal(m->short_name.data, "USD");
}

static void a_whole_message(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    message m;
    cw_error e;
    memset(&e, 0x55, sizeof e); /* untouched by success */
    cw_error before = e;
    assert_int_equal(parse(&m, whole, &a, &e), CW_OK);
    check_whole(&m);
    assert_int_equal(parse(&m, spaced, &a, &e), CW_OK);
    check_whole(&m);
    assert_memory_equal(&e, &before, sizeof e);
    cw_json_parse_options alias = {.alias = true};
    assert_int_equal(message_from_json(&m, whole, strlen(whole), &a, &alias, NULL), CW_OK);
    assert_int_equal(m.short_name.len, 3);
    assert_true(m.short_name.data > whole && m.short_name.data < whole + sizeof whole);
    assert_true(m.map[0].key.data > whole && m.map[0].key.data < whole + sizeof whole);
    /* The one with escapes cannot be a view. */
    assert_string_equal(m.s.data, "acme-industrial-42 \xc3\xa9 \xc3\xa9\n");
    cw_arena_free(&a);
}

/* ---- keys -------------------------------------------------------------------------------------
 */

static void both_names(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
        unsigned style;
    } rows[] = {
        {__LINE__, "{\"unitCentsInTotal\":7,\"shortName\":\"x\"}", 0},
        {__LINE__, "{\"unit_cents_in_total\":7,\"short_name\":\"x\"}", 1},
        {__LINE__, "{\"short_name\":\"x\",\"unit_cents_in_total\":7}", 1},
        {__LINE__, "{\"short_name\":\"x\",\"unitCentsInTotal\":7}", 0},
        {__LINE__, "{\"unit_cents_in_total\":7,\"shortName\":\"x\"}", 0},
        {__LINE__, "{\"short_name\":\"x\",\"n\":0,\"unit_cents_in_total\":7}", 1},
        {__LINE__, "{\"shortName\" :\"x\",\"unit_cents_in_total\" : 7}", 1},
        {__LINE__, "{\"short\\u004eame\":\"x\",\"unit\\u005fcents_in_total\":7}", 1},
        {__LINE__, "{\"short_name\":\"x\",\"unit_cents_in_total\":7,\"n\":00000}", 9},
    };
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        message m;
        cw_status st = parse(&m, rows[i].text, &a, NULL);
        if (rows[i].style == 9
                ? st != CW_ERR_SYNTAX
                : st != CW_OK || m.unit_cents_in_total != 7 ||
                      !cw_str_equal(m.short_name, CW_STR("x")) || m.style != rows[i].style) {
            fail_msg("line %d: %s, style %u", rows[i].line, cw_status_name(st), m.style);
        }
    }
    cw_arena_free(&a);
}

/* ---- errors and their places ------------------------------------------------------------------
 */

#define END SIZE_MAX

static void errors(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
        cw_status status;
        size_t offset; /* END: the text's length */
        const char *path;
    } rows[] = {
        /* too short */
        {__LINE__, "", CW_ERR_TRUNCATED, 0, "M"},
        {__LINE__, " \n\t ", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{ ", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"n", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"n\"", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"n\":", CW_ERR_TRUNCATED, END, "M.n"},
        {__LINE__, "{\"n\":-", CW_ERR_TRUNCATED, END, "M.n"},
        {__LINE__, "{\"n\":1", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"n\":1,", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"n\":1,  \n", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"r\":[", CW_ERR_TRUNCATED, END, "M.r[0]"},
        {__LINE__, "{\"r\":[1", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"r\":[1,", CW_ERR_TRUNCATED, END, "M.r[1]"},
        {__LINE__, "{\"r\":[1]", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"child\":{\"n\":1}", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"child\":{\"n\":1", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"child\":{", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"child\":{}", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"map\":{\"a\":1", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"s\":\"abc", CW_ERR_TRUNCATED, END, "M.s"},
        {__LINE__, "{\"s\":\"abc}", CW_ERR_TRUNCATED, END, "M.s"},
        {__LINE__, "{\"s\":\"abc\\", CW_ERR_TRUNCATED, END, "M.s"},
        {__LINE__, "{\"s\":\"abcdefghijklmnopqrstuvwxyz}", CW_ERR_TRUNCATED, END, "M.s"},
        {__LINE__, "{\"b\":tru", CW_ERR_TYPE, 5, "M.b"},
        /* objects, arrays, commas (B67) */
        {__LINE__, "[]", CW_ERR_TYPE, 0, "M"},
        {__LINE__, "1", CW_ERR_TYPE, 0, "M"},
        {__LINE__, "null", CW_ERR_TYPE, 0, "M"},
        {__LINE__, "}", CW_ERR_SYNTAX, 0, "M"},
        {__LINE__, "x}", CW_ERR_SYNTAX, 0, "M"},
        {__LINE__, "{} x", CW_ERR_TRAILING, 3, "M"},
        {__LINE__, "{}{}", CW_ERR_TRAILING, 2, "M"},
        {__LINE__, "{}}", CW_ERR_TRAILING, 2, "M"},
        {__LINE__, "{\"n\":1} ,", CW_ERR_TRAILING, 8, "M"},
        {__LINE__, "{\"n\":1,}", CW_ERR_SYNTAX, 6, "M"},
        {__LINE__, "{\"n\":1 , }", CW_ERR_SYNTAX, 7, "M"},
        {__LINE__, "{,}", CW_ERR_SYNTAX, 1, "M"},
        {__LINE__, "{\"n\":1,,\"u\":1}", CW_ERR_SYNTAX, 7, "M"},
        {__LINE__, "{\"n\":1 \"u\":1}", CW_ERR_SYNTAX, 7, "M"},
        {__LINE__, "{\"n\":1]}", CW_ERR_SYNTAX, 6, "M"},
        {__LINE__, "{\"r\":[1,]}", CW_ERR_SYNTAX, 7, "M"},
        {__LINE__, "{\"r\":[1 , ]}", CW_ERR_SYNTAX, 8, "M"},
        {__LINE__, "{\"r\":[,1]}", CW_ERR_SYNTAX, 6, "M.r[0]"},
        {__LINE__, "{\"r\":[1,,2]}", CW_ERR_SYNTAX, 8, "M.r[1]"},
        {__LINE__, "{\"r\":[1 2]}", CW_ERR_SYNTAX, 8, "M"},
        {__LINE__, "{\"r\":[1}}", CW_ERR_SYNTAX, 7, "M"},
        {__LINE__, "{\"r\":[1,2,null]}", CW_ERR_TYPE, 10, "M.r[2]"},
        {__LINE__, "{\"r\":1}", CW_ERR_TYPE, 5, "M"},
        {__LINE__, "{\"r\":{}}", CW_ERR_TYPE, 5, "M"},
        {__LINE__, "{\"child\":[]}", CW_ERR_TYPE, 9, "M.child"},
        {__LINE__, "{\"child\":{\"n\":x}}", CW_ERR_SYNTAX, 14, "M.child.n"},
        {__LINE__, "{\"n\":nul}", CW_ERR_TYPE, 5, "M.n"},
        {__LINE__, "{\"n\":nullx}", CW_ERR_SYNTAX, 9, "M"},
        {__LINE__, "{\"n\":\f1}", CW_ERR_SYNTAX, 5, "M.n"},
        /* keys */
        {__LINE__, "{n:1}", CW_ERR_SYNTAX, 1, "M"},
        {__LINE__, "{'n':1}", CW_ERR_SYNTAX, 1, "M"},
        {__LINE__, "{1:1}", CW_ERR_SYNTAX, 1, "M"},
        {__LINE__, "{\"u\":1,n:1}", CW_ERR_SYNTAX, 7, "M"},
        {__LINE__, "{\"n\"1}", CW_ERR_SYNTAX, 4, "M"},
        {__LINE__, "{\"n\" 1}", CW_ERR_SYNTAX, 5, "M"},
        {__LINE__, "{\"n\"::1}", CW_ERR_SYNTAX, 5, "M.n"},
        {__LINE__, "{\"n\":}", CW_ERR_SYNTAX, 5, "M.n"},
        {__LINE__, "{\"n}", CW_ERR_TRUNCATED, END, "M"},
        {__LINE__, "{\"\\x\":1}", CW_ERR_STRING, 2, "M"},
        {__LINE__, "{\"\xff\":1}", CW_ERR_UTF8, 2, "M"},
        {__LINE__, "{\"n\":1,\"n\":2}", CW_ERR_DUPLICATE, 7, "M.n"},
        {__LINE__, "{\"n\":1,\"u\":1,\"\\u006e\":2}", CW_ERR_DUPLICATE, 13, "M.n"},
        {__LINE__, "{\"shortName\":\"\",\"short_name\":\"\"}", CW_ERR_DUPLICATE, 16,
         "M.short_name"},
        {__LINE__, "{\"nope\":1}", CW_ERR_UNKNOWN_FIELD, 1, "M.nope"},
        {__LINE__, "{\"n\":1,\"no\\u0001p\\u00e9\":1}", CW_ERR_UNKNOWN_FIELD, 7, "M.no?p\xc3\xa9"},
        {__LINE__, "{\"child\":{\"N\":1}}", CW_ERR_UNKNOWN_FIELD, 10, "M.child.N"},
        {__LINE__, "{\"\":1}", CW_ERR_UNKNOWN_FIELD, 1, "M."},
        {__LINE__, "{\"map\":{\"a b\":true}}", CW_ERR_TYPE, 14, "M.map[\"a b\"]"},
        {__LINE__, "{\"map\":{a:1}}", CW_ERR_SYNTAX, 8, "M"},
        {__LINE__, "{\"map\":{\"a\" 1}}", CW_ERR_SYNTAX, 12, "M"},
        {__LINE__, "{\"map\":{\"a\":1,}}", CW_ERR_SYNTAX, 13, "M"},
        {__LINE__, "{\"map\":[]}", CW_ERR_TYPE, 7, "M"},
        /* byte order marks (B65): an error */
        {__LINE__, "\xef\xbb\xbf{}", CW_ERR_SYNTAX, 0, "M"},
        {__LINE__, "\xef\xbb\xbf", CW_ERR_SYNTAX, 0, "M"},
        {__LINE__, "\xef\xbb", CW_ERR_SYNTAX, 0, "M"},
        {__LINE__, "\xef", CW_ERR_SYNTAX, 0, "M"},
    };
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        message m;
        cw_error e;
        size_t offset = rows[i].offset == END ? strlen(rows[i].text) : rows[i].offset;
        cw_status st = parse(&m, rows[i].text, &a, &e);
        if (st != rows[i].status || e.status != st || e.offset != offset ||
            strcmp(e.path, rows[i].path) != 0) {
            fail_msg("line %d: %s at %zu, path %s", rows[i].line, cw_status_name(st), e.offset,
                     e.path);
        }
        assert_int_equal(parse(&m, rows[i].text, &a, NULL), st);
        cw_arena_reset(&a);
    }
    cw_arena_free(&a);
}

static void lines_and_columns(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    message m;
    cw_error e;
    assert_int_equal(parse(&m, "{\n  \"n\": 1,\n  \"u\": -1\n}", &a, &e), CW_ERR_RANGE);
    assert_int_equal(e.line, 3);
    assert_int_equal(e.column, 8);
    assert_int_equal(parse(&m, "{\n\"n\":1\n\n", &a, &e), CW_ERR_TRUNCATED);
    assert_int_equal(e.line, 4);
    assert_int_equal(e.column, 1);
    assert_string_equal(e.detail, "unexpected end of input");
    char text[128];
    parse(&m, "{\n  \"child\": {\"r\": [1, \"x\"]}\n}", &a, &e);
    cw_error_print(&e, text, sizeof text);
    assert_string_equal(text, "M.child.r[1]: expected an integer at 2:22");
    cw_arena_free(&a);
}

/* ---- unknown fields ---------------------------------------------------------------------------
 */

static void skipped_values(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *value;
        cw_status status;
        size_t offset; /* in the value */
    } rows[] = {
        {__LINE__, "0", CW_OK, 0},
        {__LINE__, "-0", CW_OK, 0},
        {__LINE__, "12.50e-3", CW_OK, 0},
        {__LINE__, "1E+400", CW_OK, 0},
        {__LINE__, "true", CW_OK, 0},
        {__LINE__, "false", CW_OK, 0},
        {__LINE__, "null", CW_OK, 0},
        {__LINE__, "\"\"", CW_OK, 0},
        {__LINE__, "\"a\\u00e9\\ud83d\\ude01\\\\ \xc3\xa9\"", CW_OK, 0},
        {__LINE__, "{}", CW_OK, 0},
        {__LINE__, "[]", CW_OK, 0},
        {__LINE__, "[ ]", CW_OK, 0},
        {__LINE__, "{ }", CW_OK, 0},
        {__LINE__, "[[],{},[{\"a\":[1,2,{\"b\":null}],\"a\":1}],\"}\"]", CW_OK, 0},
        {__LINE__, " [ 1 , { \"x\" : [ ] , \"y\" : 2 } , -3 ] ", CW_OK, 0},
        {__LINE__, "01", CW_ERR_SYNTAX, 0},
        {__LINE__, "-", CW_ERR_SYNTAX, 1},
        {__LINE__, "1.", CW_ERR_SYNTAX, 2},
        {__LINE__, ".5", CW_ERR_SYNTAX, 0},
        {__LINE__, "+1", CW_ERR_SYNTAX, 0},
        {__LINE__, "1e", CW_ERR_SYNTAX, 2},
        {__LINE__, "1e+", CW_ERR_SYNTAX, 3},
        {__LINE__, "1x", CW_ERR_SYNTAX, 1},
        {__LINE__, "tru", CW_ERR_TYPE, 0},
        {__LINE__, "nul", CW_ERR_SYNTAX, 0},
        {__LINE__, "truex", CW_ERR_SYNTAX, 4},
        {__LINE__, "NaN", CW_ERR_SYNTAX, 0},
        {__LINE__, "'a'", CW_ERR_SYNTAX, 0},
        {__LINE__, "\"\\ud800\"", CW_ERR_STRING, 1},
        {__LINE__, "\"\\ud800\\\\u0\"", CW_ERR_STRING, 1},
        {__LINE__, "\"\\q\"", CW_ERR_STRING, 1},
        {__LINE__, "\"a\tb\"", CW_ERR_STRING, 2},
        {__LINE__, "\"a\xc3\"", CW_ERR_UTF8, 2},
        {__LINE__, "[1,]", CW_ERR_SYNTAX, 2},
        {__LINE__, "[1 2]", CW_ERR_SYNTAX, 3},
        {__LINE__, "[1}", CW_ERR_SYNTAX, 2},
        {__LINE__, "[,]", CW_ERR_SYNTAX, 1},
        {__LINE__, "{\"a\":1,}", CW_ERR_SYNTAX, 6},
        {__LINE__, "{\"a\"}", CW_ERR_SYNTAX, 4},
        {__LINE__, "{\"a\":}", CW_ERR_SYNTAX, 5},
        {__LINE__, "{a:1}", CW_ERR_SYNTAX, 1},
        {__LINE__, "{\"a\":1]", CW_ERR_SYNTAX, 6},
        {__LINE__, "{\"\\u12\":1}", CW_ERR_STRING, 2},
    };
    static const char *const tails[] = {"}", ",\"u\":1}", "                                   }"};
    cw_json_parse_options lenient = {.ignore_unknown = true};
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t k = 0; k < sizeof tails / sizeof tails[0]; k++) {
            char text[256];
            message m;
            cw_error e;
            snprintf(text, sizeof text, "{\"n\":3,\"nope\":%s%s", rows[i].value, tails[k]);
            cw_status st = message_from_json(&m, text, strlen(text), &a, &lenient, &e);
            size_t offset = 14 + rows[i].offset;
            if (st != rows[i].status ||
                (st != CW_OK ? e.offset != offset : m.n != 3 || m.u != (k == 1))) {
                fail_msg("line %d, tail %zu: %s at %zu", rows[i].line, k, cw_status_name(st),
                         st != CW_OK ? e.offset : 0);
            }
        }
    }
    cw_arena_free(&a);
}

/* ---- limits -----------------------------------------------------------------------------------
 */

/* `before` n times `open`, `middle`, n times `close`, `after`. */
static char *nested(const char *before, const char *open, const char *middle, const char *close,
                    size_t n, const char *after)
{
    size_t size =
        strlen(before) + n * (strlen(open) + strlen(close)) + strlen(middle) + strlen(after) + 1;
    char *text = malloc(size), *p = text;
    assert_non_null(text);
    p += snprintf(p, size, "%s", before);
    for (size_t i = 0; i < n; i++) {
        memcpy(p, open, strlen(open));
        p += strlen(open);
    }
    memcpy(p, middle, strlen(middle));
    p += strlen(middle);
    for (size_t i = 0; i < n; i++) {
        memcpy(p, close, strlen(close));
        p += strlen(close);
    }
    memcpy(p, after, strlen(after) + 1);
    return text;
}

static void depth(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *before, *open, *middle, *close;
        size_t n;
        const char *after;
        unsigned depth;
        cw_status status;
    } rows[] = {
        {__LINE__, "{\"nope\":", "[", "", "]", 100, "}", 0, CW_OK},
        {__LINE__, "{\"nope\":", "[", "", "]", 101, "}", 0, CW_ERR_DEPTH},
        {__LINE__, "{\"nope\":", "{\"k\":", "1", "}", 100, "}", 0, CW_OK},
        {__LINE__, "{\"nope\":", "{\"k\":", "1", "}", 101, "}", 0, CW_ERR_DEPTH},
        {__LINE__, "{\"nope\":", "[", "", "]", 3, "}", 3, CW_OK},
        {__LINE__, "{\"nope\":", "[", "", "]", 4, "}", 3, CW_ERR_DEPTH},
        {__LINE__, "{\"nope\":", "[", "", "]", 1000000, "}", 0, CW_ERR_DEPTH},
        {__LINE__, "{\"nope\":", "[", "", "", 1000000, "", 0, CW_ERR_DEPTH},
        {__LINE__, "{\"nope\":", "[{\"k\":", "[]", "}]", 200000, "}", 1000000, CW_OK},
        {__LINE__, "{\"nope\":", "[", "", "]", 300000, "}", UINT32_MAX, CW_OK},
        {__LINE__, "{\"nope\":", "[", "]", "", 300000, "}", UINT32_MAX, CW_ERR_SYNTAX},
        {__LINE__, "", "{\"child\":", "{}", "}", 100, "", 0, CW_OK},
        {__LINE__, "", "{\"child\":", "{}", "}", 101, "", 0, CW_ERR_DEPTH},
        {__LINE__, "", "{\"child\":", "{}", "}", 5, "", 5, CW_OK},
        {__LINE__, "", "{\"child\":", "{}", "}", 6, "", 5, CW_ERR_DEPTH},
        {__LINE__, "{\"child\":{\"nope\":", "[", "1", "]", 99, "}}", 0, CW_OK},
        {__LINE__, "{\"child\":{\"nope\":", "[", "1", "]", 100, "}}", 0, CW_ERR_DEPTH},
        {__LINE__, "", "[", "", "]", 1000000, "", 0, CW_ERR_TYPE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = nested(rows[i].before, rows[i].open, rows[i].middle, rows[i].close, rows[i].n,
                            rows[i].after);
        cw_json_parse_options o = {.ignore_unknown = true, .depth = rows[i].depth};
        cw_arena a;
        cw_arena_init(&a, NULL);
        message m;
        cw_error e = {CW_OK, 0, 0, 0, NULL, ""};
        cw_status st = message_from_json(&m, text, strlen(text), &a, &o, &e);
        if (st != rows[i].status) {
            fail_msg("line %d: %s at %zu", rows[i].line, cw_status_name(st), e.offset);
        }
        cw_arena_free(&a);
        free(text);
    }
}

static void memory(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    message m;
    cw_error e;
    cw_json_parse_options o = {.max_memory = 8};
    assert_int_equal(message_from_json(&m, whole, strlen(whole), &a, &o, &e), CW_ERR_LIMIT);
    /* The copy that a text without its last '}' needs counts as well. */
    assert_int_equal(message_from_json(&m, "{\"n\":12345", 10, &a, &o, &e), CW_ERR_LIMIT);
    assert_int_equal(message_from_json(&m, "{\"n\":12345}", 11, &a, &o, NULL), CW_OK);
    o.max_memory = 4096;
    assert_int_equal(message_from_json(&m, whole, strlen(whole), &a, &o, NULL), CW_OK);
    o.max_memory = SIZE_MAX;
    assert_int_equal(message_from_json(&m, whole, strlen(whole), &a, &o, NULL), CW_OK);
    check_whole(&m);
    /* The budget ends with the call. */
    assert_non_null(cw_arena_alloc(&a, 1 << 20));
    cw_arena_free(&a);
    /* No memory but the caller's. */
    union {
        char bytes[1024];
        uint64_t aligned;
    } block;
    cw_arena_options caller = {.block = block.bytes, .block_size = sizeof block, .no_alloc = true};
    cw_arena_init(&a, &caller);
    assert_int_equal(parse(&m, whole, &a, NULL), CW_OK);
    check_whole(&m);
    cw_arena_free(&a);
}

/* ---- hostile input ----------------------------------------------------------------------------
 */

static void every_prefix(void **state)
{
    (void)state;
    const char *const texts[] = {whole, spaced};
    for (size_t t = 0; t < 2; t++) {
        size_t last = (size_t)(strrchr(texts[t], '}') - texts[t]) + 1;
        for (size_t n = 0; n <= strlen(texts[t]); n++) {
            cw_arena a;
            cw_arena_init(&a, NULL);
            message m;
            cw_error e;
            cw_status st = message_from_json(&m, texts[t], n, &a, NULL, &e);
            if (n >= last) {
                assert_int_equal(st, CW_OK);
            } else if (st == CW_OK || (st == CW_ERR_TRUNCATED && e.offset != n) || e.offset > n) {
                fail_msg("text %zu, %zu bytes: %s at %zu", t, n, cw_status_name(st), e.offset);
            }
            cw_arena_free(&a);
        }
    }
}

/* Is the text read the same when blanks stand before its last '}'? Most fast paths look ahead some
 * bytes and leave values near the end to the slow ones, so this compares the two. */
static void check_fast_and_slow(const char *text, size_t len, const cw_json_parse_options *o)
{
    char *padded = malloc(len + 64);
    assert_non_null(padded);
    memcpy(padded, text, len - 1);
    memset(padded + len - 1, ' ', 64);
    padded[len + 63] = '}';
    cw_arena a;
    cw_arena_init(&a, NULL);
    message m, k;
    cw_error e = {CW_OK, 0, 0, 0, NULL, ""}, f = {CW_OK, 0, 0, 0, NULL, ""};
    cw_status st = message_from_json(&m, text, len, &a, o, &e);
    cw_status padded_st = message_from_json(&k, padded, len + 64, &a, o, &f);
    bool at_end = st == CW_ERR_TRUNCATED || e.offset >= len - 1;
    if (st != padded_st || (st == CW_OK && !message_equal(&m, &k)) ||
        (st != CW_OK && ((!at_end && e.offset != f.offset) || strcmp(e.path, f.path) != 0))) {
        fail_msg("%.*s: %s at %zu, %s; with blanks %s at %zu, %s", (int)len, text,
                 cw_status_name(st), e.offset, e.path, cw_status_name(padded_st), f.offset, f.path);
    }
    cw_arena_free(&a);
    free(padded);
}

static void every_change(void **state)
{
    (void)state;
    static const char others[] = "\"\\{}[],:0e-.nt u\x80\xc3\xff\x01";
    char text[sizeof whole];
    const cw_json_parse_options lenient = {.ignore_unknown = true};
    size_t len = strlen(whole);
    for (size_t i = 0; i + 1 < len; i++) {
        for (size_t k = 0; k < sizeof others; k++) {
            memcpy(text, whole, len);
            text[i] = others[k];
            check_fast_and_slow(text, len, k % 2 ? &lenient : NULL);
        }
    }
    /* The last byte decides whether the text is copied. */
    cw_arena a;
    cw_arena_init(&a, NULL);
    for (int c = 0; c < 256; c++) {
        message m;
        cw_error e;
        memcpy(text, whole, len);
        text[len - 1] = (char)c;
        cw_status st = message_from_json(&m, text, len, &a, NULL, &e);
        assert_int_equal(st == CW_OK, c == '}');
        cw_arena_reset(&a);
    }
    cw_arena_free(&a);
}

/* One byte taken out of, and one doubled in, the text. */
static void every_shift(void **state)
{
    (void)state;
    char text[sizeof whole + 1];
    size_t len = strlen(whole);
    for (size_t i = 0; i + 1 < len; i++) {
        memcpy(text, whole, i);
        memcpy(text + i, whole + i + 1, len - i - 1);
        check_fast_and_slow(text, len - 1, NULL);
        memcpy(text, whole, i + 1);
        memcpy(text + i + 1, whole + i, len - i);
        check_fast_and_slow(text, len + 1, NULL);
    }
}

static void allocation_failures(void **state)
{
    (void)state;
    static const char no_end[] =
        "{\"r\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20],\"s\":1";
    const char *const texts[] = {whole, spaced, no_end};
    for (size_t t = 0; t < 3; t++) {
        cw_status st = CW_ERR_MEMORY;
        size_t n = 0;
        while (st == CW_ERR_MEMORY) {
            counter c = {.fail_at = ++n};
            cw_arena_options o = {.first_block = 16};
            cw_arena a;
            counter_arena(&a, &c, &o);
            message m;
            cw_error e = {CW_OK, 0, 0, 0, NULL, ""};
            st = message_from_json(&m, texts[t], strlen(texts[t]), &a, NULL, &e);
            assert_int_equal(e.status, st);
            if (c.calls < c.fail_at) {
                assert_int_equal(st, t == 2 ? CW_ERR_TYPE : CW_OK);
            } else {
                assert_int_equal(st, CW_ERR_MEMORY);
            }
            cw_arena_free(&a);
            assert_int_equal(c.live, 0);
        }
        assert_true(n > 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_message),
        cmocka_unit_test(both_names),
        cmocka_unit_test(errors),
        cmocka_unit_test(lines_and_columns),
        cmocka_unit_test(skipped_values),
        cmocka_unit_test(depth),
        cmocka_unit_test(memory),
        cmocka_unit_test(every_prefix),
        cmocka_unit_test(every_change),
        cmocka_unit_test(every_shift),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
