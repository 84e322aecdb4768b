/* SPDX-License-Identifier: MIT */
/* The JSON writer: numbers, strings, growth, indentation, failures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_support.h"
#include "cwire/json.h"

/* One print call on an arena of its own. */
typedef struct print {
    cw_arena arena;
    cw__json_writer w;
    cw_error e;
    int depth;
} print;

static char *begin(print *t, const cw_json_print_options *o)
{
    cw_arena_init(&t->arena, NULL);
    memset(&t->e, 0, sizeof t->e);
    char *p = cw__json_write_begin(&t->w, &t->arena, o, &t->depth, &t->e);
    assert_non_null(p);
    return cw__json_room(&t->w, p, CW__JSON_PUT_MAX);
}

static void end_as(print *t, char *p, const char *want, int line)
{
    cw_str out;
    if (cw__json_write_end(&t->w, p, &out, "M") != CW_OK || strcmp(out.data, want) != 0 ||
        strlen(want) != out.len) {
        fail_msg("line %d: %s instead of %s", line,
                 t->w.status == CW_OK ? out.data : cw_status_name(t->w.status), want);
    }
    cw_arena_free(&t->arena);
}

/* ---- numbers ----------------------------------------------------------------------------------
 */

static void unsigned_numbers(void **state)
{
    (void)state;
    print t;
    begin(&t, NULL);
    char want[32], got[64];
    uint64_t power = 1;
    for (int digits = 1; digits <= 20; digits++) {
        const uint64_t values[] = {power - 1,     power,         power + 1,     power * 2,
                                   power * 9 + 7, power / 7 * 8, power | 0x5555};
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            uint64_t v = values[i];
            snprintf(want, sizeof want, "%llu", (unsigned long long)v);
            memset(got, '#', sizeof got);
            *cw__json_put_uint_long(got, v) = 0;
            assert_string_equal(got, want);
            /* Nothing beyond the slack is touched. */
            for (size_t k = strlen(want) + CW__JSON_SLACK; k < sizeof got; k++) {
                assert_int_equal(got[k], '#');
            }
            *cw__json_put_uint32(got, (uint32_t)v) = 0;
            snprintf(want, sizeof want, "%lu", (unsigned long)(uint32_t)v);
            assert_string_equal(got, want);
        }
        power *= 10;
    }
    for (uint32_t v = 0; v < 120000; v++) {
        *cw__json_put_uint32(got, v) = 0;
        assert_int_equal(strtoul(got, NULL, 10), v);
        assert_true(got[0] != '0' || v == 0);
    }
    *cw__json_put_uint_long(got, UINT64_MAX) = 0;
    assert_string_equal(got, "18446744073709551615");
    end_as(&t, t.w.begin, "", __LINE__);
}

static void all_numbers(void **state)
{
    (void)state;
    print t;
    char *p = begin(&t, NULL);
    p = cw__json_put_int32(p, INT32_MIN);
    *p++ = ' ';
    p = cw__json_put_int32(p, -1);
    *p++ = ' ';
    p = cw__json_put_int32(p, 0);
    *p++ = ' ';
    p = cw__json_put_int32(p, INT32_MAX);
    *p++ = ' ';
    p = cw__json_put_int64(&t.w, p, INT64_MIN);
    *p++ = ' ';
    p = cw__json_put_int64(&t.w, p, -1);
    *p++ = ' ';
    p = cw__json_put_int64(&t.w, p, INT64_MAX);
    *p++ = ' ';
    p = cw__json_put_uint64(&t.w, p, 0);
    *p++ = ' ';
    p = cw__json_put_uint64(&t.w, p, UINT64_MAX);
    *p++ = ' ';
    p = cw__json_put_bool(p, true);
    *p++ = ' ';
    p = cw__json_put_bool(p, false);
    end_as(&t, p,
           "-2147483648 -1 0 2147483647 \"-9223372036854775808\" \"-1\" \"9223372036854775807\" "
           "\"0\" \"18446744073709551615\" true false",
           __LINE__);
    cw_json_print_options numbers = {.int64_as_numbers = true};
    p = begin(&t, &numbers);
    p = cw__json_put_int64(&t.w, p, INT64_MIN);
    *p++ = ' ';
    p = cw__json_put_int64(&t.w, p, 5);
    *p++ = ' ';
    p = cw__json_put_uint64(&t.w, p, UINT64_MAX);
    end_as(&t, p, "-9223372036854775808 5 18446744073709551615", __LINE__);
}

static double from_bits(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* B58 */
static void reals(void **state)
{
    (void)state;
    static const struct {
        int line;
        uint64_t bits;
        const char *text, *as_float;
    } rows[] = {
        {__LINE__, 0, "0", "0"},
        {__LINE__, 0x8000000000000000u, "-0", "-0"},
        {__LINE__, 0x3ff8000000000000u, "1.5", "1.5"},
        {__LINE__, 0x3fb999999999999au, "0.1", "0.1"},
        {__LINE__, 0xc0f24f8000000000u, "-75000", "-75000"},
        {__LINE__, 0x7ff8000000000000u, "\"NaN\"", "\"NaN\""},
        {__LINE__, 0xfff8000000000001u, "\"NaN\"", "\"NaN\""},
        {__LINE__, 0x7ff0000000000000u, "\"Infinity\"", "\"Infinity\""},
        {__LINE__, 0xfff0000000000000u, "\"-Infinity\"", "\"-Infinity\""},
        {__LINE__, 0xffefffffffffffffu, "-1.7976931348623157e+308", "\"-Infinity\""},
        {__LINE__, 0x0000000000000001u, "5e-324", "0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print t;
        char *p = begin(&t, NULL);
        double v = from_bits(rows[i].bits);
        end_as(&t, cw__json_put_double(p, v), rows[i].text, rows[i].line);
        if (rows[i].bits != 0xffefffffffffffffu) { /* out of a float's range: undefined */
            p = begin(&t, NULL);
            end_as(&t, cw__json_put_float(p, (float)v), rows[i].as_float, rows[i].line);
        }
    }
}

/* ---- strings ----------------------------------------------------------------------------------
 */

static const struct {
    int line;
    cw_str value;
    const char *text; /* NULL: invalid UTF-8 */
} strings[] = {
    {__LINE__, {NULL, 0}, ""},
    {__LINE__, CW_STR_INIT("USD"), "USD"},
    {__LINE__, CW_STR_INIT("a/b\x7f~ "), "a/b\x7f~ "},
    {__LINE__, CW_STR_INIT("\""), "\\\""},
    {__LINE__, CW_STR_INIT("\\"), "\\\\"},
    {__LINE__, CW_STR_INIT("\b\t\n\f\r"), "\\b\\t\\n\\f\\r"},
    {__LINE__, CW_STR_INIT("\0\x01\x0b\x1f"), "\\u0000\\u0001\\u000b\\u001f"},
    {__LINE__, CW_STR_INIT("\x0e\x10"), "\\u000e\\u0010"},
    {__LINE__, CW_STR_INIT("a\nb"), "a\\nb"},
    {__LINE__, CW_STR_INIT("na\xc3\xafve"), "na\xc3\xafve"},
    /* B49 */
    {__LINE__, CW_STR_INIT("\xf0\x9f\x98\x81\xe2\x80\xa8"), "\xf0\x9f\x98\x81\xe2\x80\xa8"},
    {__LINE__, CW_STR_INIT("\xc3\xa9\"\xc3\xa9\\\xc3\xa9\x01"),
     "\xc3\xa9\\\"\xc3\xa9\\\\\xc3\xa9\\u0001"},
    {__LINE__, CW_STR_INIT("\x80"), NULL},
    {__LINE__, CW_STR_INIT("\xc3"), NULL},
    {__LINE__, CW_STR_INIT("\xed\xa0\x80"), NULL},
    {__LINE__, CW_STR_INIT("\xc0\x80"), NULL},
    {__LINE__, CW_STR_INIT("\xf4\x90\x80\x80"), NULL},
    {__LINE__, CW_STR_INIT("\n\xff"), NULL},
};

/* Each with 0 to 200 plain bytes before it and 0 to 3 behind it, in a heap block of the exact
 * size. */
static void strings_at_every_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        for (size_t place = 0; place < 201 * 4; place++) {
            size_t before = place / 4, after = place % 4, n = strings[i].value.len;
            size_t len = before + n + after;
            char *s = len > 0 ? malloc(len) : NULL;
            if (s) {
                memset(s, 'x', len);
                memcpy(s + before, strings[i].value.data ? strings[i].value.data : "", n);
            }
            print t;
            char *p = begin(&t, NULL);
            p = cw__json_put_string(&t.w, p, cw_str_of(s, len), 2);
            free(s);
            if (!strings[i].text) {
                cw_str out = CW_STR("untouched");
                assert_null(p);
                assert_int_equal(cw__json_write_end(&t.w, p, &out, "M"), CW_ERR_UTF8);
                assert_int_equal(t.e.status, CW_ERR_UTF8);
                assert_true(t.e.offset == SIZE_MAX);
                assert_string_equal(t.e.path, "M");
                assert_string_equal(out.data, "untouched");
                cw_arena_free(&t.arena);
                continue;
            }
            char want[320], padding[201];
            memset(padding, 'x', sizeof padding);
            snprintf(want, sizeof want, "\"%.*s%s%.*s\"", (int)before, padding, strings[i].text,
                     (int)after, "xxx");
            end_as(&t, p, want, strings[i].line);
        }
    }
}

static void bytes_enums_and_keys(void **state)
{
    (void)state;
    print t;
    char *p = begin(&t, NULL);
    p = cw__json_put_bytes(&t.w, p, cw_bytes_of("\xfb\xff", 2), 1);
    p = cw__json_put_bytes(&t.w, p, cw_bytes_of(NULL, 0), 1);
    p = cw__json_put_enum(&t.w, p, 1, CW_STR("GREEN"), 1);
    p = cw__json_put_enum(&t.w, p, INT32_MIN, (cw_str){NULL, 0}, 1);
    p = cw__json_put_key_string(&t.w, p, CW_STR("a\"b"), 1);
    p = cw__json_put_key_int64(&t.w, p, INT64_MIN, 1);
    p = cw__json_put_key_int64(&t.w, p, 7, 1);
    p = cw__json_put_key_uint64(&t.w, p, UINT64_MAX, 1);
    p = cw__json_put_key_bool(&t.w, p, true, 1);
    p = cw__json_put_key_bool(&t.w, p, false, 1);
    end_as(&t, p,
           "\"+/8=\"\"\"\"GREEN\"-2147483648\"a\\\"b\":\"-9223372036854775808\":\"7\":"
           "\"18446744073709551615\":\"true\":\"false\":",
           __LINE__);
    cw_json_print_options numbers = {.enums_as_numbers = true, .int64_as_numbers = true};
    p = begin(&t, &numbers);
    p = cw__json_put_enum(&t.w, p, 1, CW_STR("GREEN"), 20);
    p = cw__json_put_key_int64(&t.w, p, 7, 1); /* keys are strings all the same */
    end_as(&t, p, "1\"7\":", __LINE__);
}

static void options(void **state)
{
    (void)state;
    print t;
    char *p = begin(&t, NULL);
    assert_int_equal(t.depth, CW_DEPTH_DEFAULT);
    assert_false(t.w.proto_names || t.w.print_defaults || t.w.enums_as_numbers);
    end_as(&t, p, "", __LINE__);
    cw_json_print_options o = {.proto_names = true, .print_defaults = true, .depth = 7};
    p = begin(&t, &o);
    assert_int_equal(t.depth, 7);
    assert_true(t.w.proto_names && t.w.print_defaults);
    end_as(&t, p, "", __LINE__);
}

/* ---- growth -----------------------------------------------------------------------------------
 */

/* Prints n elements: an array of [string, number, bytes] in turn. */
static char *print_many(cw__json_writer *w, char *p, unsigned n)
{
    p = p ? cw__json_room(w, p, 8) : NULL;
    if (!p) {
        return NULL;
    }
    *p++ = '[';
    for (unsigned i = 0; i < n; i++) {
        char text[64];
        snprintf(text, sizeof text, "%.*s\"%u", (int)(i % 40),
                 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", i);
        if (i > 0) {
            *p++ = ',';
        }
        p = i % 3 == 0   ? cw__json_put_string(w, p, cw_str_from(text), 8)
            : i % 3 == 1 ? cw__json_put_bytes(w, p, cw_bytes_of(text, strlen(text)), 8)
                         : cw__json_put_enum(w, p, (int32_t)i, (cw_str){NULL, 0}, 8);
        if (!p) {
            return cw__json_put_fail_at(w, "list", i);
        }
    }
    *p++ = ']';
    return cw__json_room(w, p, 8);
}

static char *expected_many(unsigned n, size_t *len)
{
    cw_arena a;
    cw_arena_options o = {.first_block = 1 << 20};
    cw_arena_init(&a, &o);
    cw__json_writer w;
    int depth;
    cw_str out;
    char *p = print_many(&w, cw__json_write_begin(&w, &a, NULL, &depth, NULL), n);
    assert_int_equal(cw__json_write_end(&w, p, &out, "M"), CW_OK);
    char *copy = malloc(out.len + 1);
    assert_non_null(copy);
    memcpy(copy, out.data, out.len + 1);
    *len = out.len;
    cw_arena_free(&a);
    return copy;
}

/* The same text whatever blocks the arena has, and with allocation failing at each place. */
static void growth(void **state)
{
    (void)state;
    size_t len;
    char *want = expected_many(300, &len);
    for (size_t first = 1; first < 3000; first += 61) {
        size_t fail_at = 0, failures = 0;
        bool failed;
        do {
            counter c = {.fail_at = ++fail_at};
            cw_arena_options o = {.first_block = first};
            cw_arena a;
            cw__json_writer w;
            int depth;
            cw_error e = {CW_OK, 0, 0, 0, NULL, ""};
            cw_str out = {NULL, 0};
            counter_arena(&a, &c, &o);
            char *p = print_many(&w, cw__json_write_begin(&w, &a, NULL, &depth, &e), 300);
            cw_status st = cw__json_write_end(&w, p, &out, "M");
            failed = c.calls >= fail_at;
            assert_int_equal(e.status, st);
            if (st == CW_OK) {
                assert_int_equal(out.len, len);
                assert_memory_equal(out.data, want, len + 1);
                /* The text is taken: the next allocation is elsewhere. */
                char *next = cw_arena_alloc(&a, 8);
                assert_true(next + 8 <= out.data || next > out.data + len);
            } else {
                /* Where twice the room is not to be had, a little more may be: not every failure
                 * is one of the call. */
                assert_int_equal(st, CW_ERR_MEMORY);
                assert_true(failed);
                failures++;
                assert_null(out.data);
                assert_true(fail_at == 1 ? strcmp(e.path, "M") == 0
                                         : strncmp(e.path, "M.list[", 7) == 0);
            }
            cw_arena_free(&a);
            assert_int_equal(c.live, 0);
        } while (failed);
        assert_true(failures >= 1);
        assert_true(fail_at >= 2);
    }
    free(want);
}

static void limits(void **state)
{
    (void)state;
    size_t len;
    char *want = expected_many(300, &len);
    /* A limit with little more than the text's own size is enough: when doubling does not fit,
     * what is needed is asked for. */
    bool done = false;
    for (size_t limit = 64; limit < 4 * len; limit += 512) {
        cw_arena_options o = {.first_block = 64, .limit = limit};
        cw_arena a;
        cw__json_writer w;
        int depth;
        cw_str out;
        cw_arena_init(&a, &o);
        char *p = print_many(&w, cw__json_write_begin(&w, &a, NULL, &depth, NULL), 300);
        cw_status st = cw__json_write_end(&w, p, &out, "M");
        assert_int_equal(st, done ? CW_OK : st == CW_OK ? CW_OK : CW_ERR_LIMIT);
        done = st == CW_OK;
        assert_true(!done || limit > len);
        assert_true(cw_arena_held(&a) <= limit);
        cw_arena_free(&a);
    }
    assert_true(done);
    /* Only the caller's block, just large enough. */
    char *block = malloc(len + 256);
    assert_non_null(block);
    cw_arena_options o = {.block = block, .block_size = len + 256, .no_alloc = true};
    cw_arena a;
    cw__json_writer w;
    int depth;
    cw_str out;
    cw_arena_init(&a, &o);
    char *p = print_many(&w, cw__json_write_begin(&w, &a, NULL, &depth, NULL), 300);
    assert_int_equal(cw__json_write_end(&w, p, &out, "M"), CW_OK);
    assert_memory_equal(out.data, want, len + 1);
    assert_true(out.data >= block && out.data < block + len + 256);
    cw_arena_free(&a);
    free(block);
    free(want);
}

/* ---- indentation ------------------------------------------------------------------------------
 */

static void indented(void **state)
{
    (void)state;
    static const struct {
        int line;
        unsigned indent;
        const char *compact, *text;
    } rows[] = {
        {__LINE__, 2, "{}", "{}"},
        {__LINE__, 2, "7", "7"},
        {__LINE__, 2, "\"a:{,}\"", "\"a:{,}\""},
        {__LINE__, 2, "{\"a\":1}", "{\n  \"a\": 1\n}"},
        {__LINE__, 2, "{\"a\":1,\"b\":[]}", "{\n  \"a\": 1,\n  \"b\": []\n}"},
        {__LINE__, 1, "[1,[2,{}],{\"k\":{\"l\":[3]}}]",
         "[\n 1,\n [\n  2,\n  {}\n ],\n {\n  \"k\": {\n   \"l\": [\n    3\n   ]\n  }\n }\n]"},
        {__LINE__, 4, "{\"q\\\"{\":\"\\\\\",\"x\":\"]\\\\\\\"[,:\"}",
         "{\n    \"q\\\"{\": \"\\\\\",\n    \"x\": \"]\\\\\\\"[,:\"\n}"},
        {__LINE__, 3, "{\"long key, longer than a vector\":\"and a long value: it has \xc3\xa9\"}",
         "{\n   \"long key, longer than a vector\": \"and a long value: it has \xc3\xa9\"\n}"},
        {__LINE__, 99, "[1]", "[\n                1\n]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print t;
        cw_json_print_options o = {.indent = rows[i].indent};
        char *p = begin(&t, &o);
        size_t n = strlen(rows[i].compact);
        memcpy(p, rows[i].compact, n);
        end_as(&t, p + n, rows[i].text, rows[i].line);
    }
}

static void deeply_indented(void **state)
{
    (void)state;
    enum { DEPTH = 1000 };
    print t;
    cw_json_print_options o = {.indent = 1};
    char *p = begin(&t, &o);
    p = cw__json_room(&t.w, p, (size_t)2 * DEPTH);
    assert_non_null(p);
    memset(p, '[', DEPTH);
    memset(p + DEPTH, ']', DEPTH);
    cw_str out;
    assert_int_equal(cw__json_write_end(&t.w, p + 2 * DEPTH, &out, "M"), CW_OK);
    /* All but the innermost pair take lines; level k is k blanks in. */
    size_t levels = DEPTH - 1;
    assert_int_equal(out.len, 2 * DEPTH + 2 * levels + levels * (levels + 1) / 2 +
                                  levels * (levels - 1) / 2);
    cw_arena_free(&t.arena);
}

/* Indenting in place moves the text whatever the room: compared with a plain layout. */
static void indented_growth(void **state)
{
    (void)state;
    for (size_t first = 64; first < 4000; first += 127) {
        cw_arena_options o = {.first_block = first};
        cw_arena a;
        cw__json_writer w;
        cw_json_print_options print_options = {.indent = 3};
        int depth;
        cw_str out;
        cw_arena_init(&a, &o);
        char *p = print_many(&w, cw__json_write_begin(&w, &a, &print_options, &depth, NULL), 100);
        assert_int_equal(cw__json_write_end(&w, p, &out, "M"), CW_OK);
        size_t len;
        char *compact = expected_many(100, &len);
        assert_int_equal(out.len, len + 1 + 99 + 1 + 3 * 100);
        size_t k = 0;
        for (size_t i = 0; i < len; i++) {
            assert_int_equal(out.data[k], compact[i]);
            k++;
            bool comma = compact[i] == ',' && out.data[k] == '\n';
            if (i == 0 || comma) {
                assert_memory_equal(out.data + k, "\n   ", 4);
                k += 4;
            } else if (i == len - 2) {
                assert_int_equal(out.data[k], '\n');
                k++;
            }
        }
        assert_int_equal(k, out.len);
        free(compact);
        cw_arena_free(&a);
    }
}

static void first_failure_wins(void **state)
{
    (void)state;
    print t;
    begin(&t, NULL);
    assert_null(cw__json_put_fail(&t.w, CW_ERR_DEPTH, "deep"));
    assert_null(cw__json_put_fail(&t.w, CW_ERR_UTF8, NULL));
    assert_null(cw__json_put_fail_at(&t.w, "items", 3));
    assert_null(cw__json_put_fail_at(&t.w, "order", SIZE_MAX));
    cw_str out;
    assert_int_equal(cw__json_write_end(&t.w, NULL, &out, "shop.Batch"), CW_ERR_DEPTH);
    assert_string_equal(t.e.path, "shop.Batch.order.items[3]");
    assert_string_equal(t.e.detail, "deep");
    cw_arena_free(&t.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsigned_numbers),
        cmocka_unit_test(all_numbers),
        cmocka_unit_test(reals),
        cmocka_unit_test(strings_at_every_place),
        cmocka_unit_test(bytes_enums_and_keys),
        cmocka_unit_test(options),
        cmocka_unit_test(growth),
        cmocka_unit_test(limits),
        cmocka_unit_test(indented),
        cmocka_unit_test(deeply_indented),
        cmocka_unit_test(indented_growth),
        cmocka_unit_test(first_failure_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
