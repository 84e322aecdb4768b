/* SPDX-License-Identifier: MIT */
/* The emitter: substitution, layout, comments, literals, sticky errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text.h"

/* What a template without variables becomes. */
static const struct {
    int line;
    const char *template;
    const char *text;
} layout[] = {
    {__LINE__, "", ""},
    {__LINE__, "int x;", "int x;\n"},
    {__LINE__, "{\nx;\n}\n", "{\n    x;\n}\n"},
    {__LINE__, "  {\n      x;  \n }\n", "{\n    x;\n}\n"},
    {__LINE__, "f() { /* { */\nx;\n}\n", "f() { /* { */\n    x;\n}\n"},
    {__LINE__, "s = \"{\";\nc = '{';\nd = '\\'';\n// {\nx;\n",
     "s = \"{\";\nc = '{';\nd = '\\'';\n// {\nx;\n"},
    {__LINE__, "if (a) {\nx;\n} else {\ny;\n}\nz;\n",
     "if (a) {\n    x;\n} else {\n    y;\n}\nz;\n"},
    {__LINE__, "if (a)\nx;\nelse\ny;\nz;\n", "if (a)\n    x;\nelse\n    y;\nz;\n"},
    {__LINE__, "if (a)\nx; /* why */\ny;\n", "if (a)\n    x; /* why */\ny;\n"},
    {__LINE__, "if (a)\nif (b)\nx;\ny;\n", "if (a)\n    if (b)\n        x;\ny;\n"},
    {__LINE__, "do {\nx;\n} while (a);\ny;\n", "do {\n    x;\n} while (a);\ny;\n"},
    {__LINE__, "switch (x) {\ncase 1:\na;\nbreak;\ndefault:\nb;\n}\n",
     "switch (x) {\ncase 1:\n    a;\n    break;\ndefault:\n    b;\n}\n"},
    {__LINE__, "switch (x) {\ncase 1: {\na;\n}\ncase 2:\nb;\n}\nc;\n",
     "switch (x) {\ncase 1: {\n    a;\n}\ncase 2:\n    b;\n}\nc;\n"},
    {__LINE__, "{\nfail:\nx;\n}\n", "{\nfail:\n    x;\n}\n"},
    {__LINE__, "{\nf(a,\nb);\nc;\n}\n", "{\n    f(a,\n      b);\n    c;\n}\n"},
    {__LINE__, "if (a &&\nb)\nx;\n", "if (a &&\n    b)\n    x;\n"},
    {__LINE__, "x =\n5;\ny;\n", "x =\n    5;\ny;\n"},
    {__LINE__, "{\n#if A\nx;\n#endif\n}\n", "{\n#if A\n    x;\n#endif\n}\n"},
    {__LINE__, "t[] = {\n{1, 2},\n{3, 4},\n};\n", "t[] = {\n    {1, 2},\n    {3, 4},\n};\n"},
    {__LINE__, "x = {0};\ny;\n", "x = {0};\ny;\n"},
    {__LINE__, "a;\n\n\n\nb;\n\n", "a;\n\nb;\n\n"},
    {__LINE__, "{\n\na;\n}\n", "{\n\n    a;\n}\n"},
    {__LINE__, "/*\n* a {\n* b\n*/\nx;\n", "/*\n * a {\n * b\n */\nx;\n"},
    {__LINE__, "price$$\n", "price$\n"},
};

static void lays_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof layout / sizeof layout[0]; i++) {
        cwg_text t;
        cwg_text_init(&t);
        cwg_emit(&t, layout[i].template);
        size_t len = 0;
        const char *text = cwg_text_finish(&t, &len);
        if (!text || strcmp(text, layout[i].text) != 0)
            fail_msg("row of line %d: %s", layout[i].line, text ? text : cwg_text_error(&t));
        assert_int_equal(len, strlen(text));
        cwg_text_free(&t);
    }
}

static void wraps(void **state)
{
    (void)state;
    cwg_text t;
    size_t len;
    cwg_text_init(&t);
    cwg_emit(&t,
             "cw_status shop_Order_to_json(const shop_Order *m, cw_arena *a, const "
             "cw_json_print_options *o, cw_str *out, cw_error *e);\n"
             "{\n"
             "s = f(\"a string, with commas, that must not be broken, whatever happens, however, "
             "long, it, is, going, to, be\", x);\n"
             "}\n");
    assert_string_equal(
        cwg_text_finish(&t, &len),
        "cw_status shop_Order_to_json(const shop_Order *m, cw_arena *a, const "
        "cw_json_print_options *o,\n"
        "                             cw_str *out, cw_error *e);\n"
        "{\n"
        "    s =\n"
        "        f(\"a string, with commas, that must not be broken, whatever happens, however, "
        "long, it, is, going, to, be\", x);\n"
        "}\n");
    cwg_text_free(&t);
}

static void substitutes(void **state)
{
    (void)state;
    cwg_text t;
    size_t len;
    cwg_text_init(&t);
    cwg_push(&t);
    cwg_set(&t, "T", "Order");
    cwg_seti(&t, "n", -7);
    cwg_push(&t);
    cwg_set(&t, "T", "Item");
    cwg_setf(&t, "F", "%s_%d", "f", 2);
    assert_string_equal(cwg_get(&t, "T"), "Item");
    cwg_emit(&t, "$T$_$F$ $n$;\n");
    cwg_set(&t, "F", "$n$ }");
    cwg_emit(&t, "// $F$\n");
    cwg_pop(&t);
    assert_null(cwg_get(&t, "F"));
    cwg_emit(&t, "$T$$$;\n");
    cwg_pop(&t);
    const char *text = cwg_text_finish(&t, &len);
    assert_non_null(text);
    assert_string_equal(text, "Item_f_2 -7;\n// $n$ }\nOrder$;\n");
    cwg_text_free(&t);
}

static void missing_variable(cwg_text *t)
{
    cwg_emit(t, "a $nope$;\n");
}
static void lonely_dollar(cwg_text *t)
{
    cwg_emit(t, "a $ b;\n");
}
static void null_value(cwg_text *t)
{
    cwg_set(t, "v", NULL);
}
static void closes_too_much(cwg_text *t)
{
    cwg_emit(t, "x;\n}\n");
}
static void stays_open(cwg_text *t)
{
    cwg_emit(t, "{\nx;\n");
}
static void paren_mismatch(cwg_text *t)
{
    cwg_emit(t, "f(a];\n");
}
static void pop_alone(cwg_text *t)
{
    cwg_pop(t);
}
static void push_alone(cwg_text *t)
{
    cwg_push(t);
}
static void open_comment(cwg_text *t)
{
    cwg_emit(t, "/* a\n");
}
static void open_string(cwg_text *t)
{
    cwg_emit(t, "x = \"a;\n");
}
static void told(cwg_text *t)
{
    cwg_fail(t, "field %d", 3);
}

static void errors_are_sticky(void **state)
{
    (void)state;
    static const struct {
        int line;
        void (*act)(cwg_text *t);
        const char *error;
    } rows[] = {
        {__LINE__, missing_variable, "unknown template variable $nope$ in: a $nope$;\n"},
        {__LINE__, lonely_dollar, "lonely $ in a template: $ b;\n"},
        {__LINE__, null_value, "template variable $v$ was set to NULL"},
        {__LINE__, closes_too_much, "unbalanced } in a template"},
        {__LINE__, stays_open, "a block or parenthesis is still open at the end of the file"},
        {__LINE__, paren_mismatch, "unbalanced [ in a template"},
        {__LINE__, pop_alone, "cwg_pop without cwg_push"},
        {__LINE__, push_alone, "cwg_push without cwg_pop"},
        {__LINE__, open_comment, "a comment is still open at the end of the file"},
        {__LINE__, open_string, "a literal does not end on its line: x = \"a;"},
        {__LINE__, told, "field 3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cwg_text t;
        size_t len;
        cwg_text_init(&t);
        assert_null(cwg_text_error(&t));
        rows[i].act(&t);
        if (cwg_text_error(&t)) { /* else it is an error of the end */
            cwg_emit(&t, "int fine;\n");
            cwg_comment(&t, " more");
            cwg_blank(&t);
        }
        assert_null(cwg_text_finish(&t, &len));
        cwg_fail(&t, "a later error");
        if (strcmp(cwg_text_error(&t), rows[i].error) != 0)
            fail_msg("row of line %d: %s", rows[i].line, cwg_text_error(&t));
        cwg_text_free(&t);
    }
}

static void literals(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *bytes;
        size_t len;
        const char *literal;
    } rows[] = {
        {__LINE__, "", 0, "\"\""},
        {__LINE__, "abc", 3, "\"abc\""},
        {__LINE__, "a\"b\\", 4, "\"a\\\"b\\\\\""},
        {__LINE__, "\0001", 2, "\"\\0001\""},
        {__LINE__, "\n\177\200\377f", 5, "\"\\012\\177\\200\\377f\""},
        {__LINE__, "a?\?/b?", 6, "\"a?\\?/b?\""},
        {__LINE__, "?\?\?", 3, "\"?\\?\\?\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cwg_text t;
        cwg_text_init(&t);
        cwg_set_literal(&t, "x", rows[i].bytes, rows[i].len);
        if (strcmp(cwg_get(&t, "x"), rows[i].literal) != 0)
            fail_msg("row of line %d: %s", rows[i].line, cwg_get(&t, "x"));
        cwg_text_free(&t);
    }
}

static void comments(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *comment;
        const char *text;
    } rows[] = {
        {__LINE__, NULL, ""},
        {__LINE__, " \n \n", ""},
        {__LINE__, " One line.\n", "/* One line. */\n"},
        {__LINE__, " a */ b /* c", "/* a * / b / * c */\n"},
        {__LINE__, " ends in *", "/* ends in * */\n"},
        {__LINE__, " what?\?/\n", "/* what? ?/ */\n"},
        {__LINE__, " a\tb\x01.", "/* a b . */\n"},
        {__LINE__, "*\n Doc.\n", "/* Doc. */\n"},
        {__LINE__, " a\n   b { \"\n\n c\n", "/*\n * a\n *   b { \"\n *\n * c\n */\n"},
        {__LINE__, "\r\n a\r\n b\r\n", "/*\n * a\n * b\n */\n"},
        {__LINE__,
         " aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhhhh "
         "iiiiiiiii "
         "jjjjjjjjj k",
         "/*\n * aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhhhh "
         "iiiiiiiii\n"
         " * jjjjjjjjj k\n */\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cwg_text t;
        size_t len;
        cwg_text_init(&t);
        cwg_comment(&t, rows[i].comment);
        const char *text = cwg_text_finish(&t, &len);
        if (!text || strcmp(text, rows[i].text) != 0)
            fail_msg("row of line %d: %s", rows[i].line, text ? text : cwg_text_error(&t));
        cwg_text_free(&t);
    }
    cwg_text t;
    size_t len;
    cwg_text_init(&t);
    cwg_set_comment(&t, "c", "map<a, b> */ x\ny");
    cwg_emit(&t, "x; /* $c$ */\ny;\n");
    assert_string_equal(cwg_text_finish(&t, &len), "x; /* map<a, b> * / x y */\ny;\n");
    cwg_text_free(&t);
}

static void long_text(void **state)
{
    (void)state;
    cwg_text t;
    size_t len;
    cwg_text_init(&t);
    for (int i = 0; i < 20000; i++) {
        cwg_push(&t);
        cwg_seti(&t, "i", i);
        cwg_emit(&t, "int x$i$;\n");
        cwg_pop(&t);
    }
    const char *text = cwg_text_finish(&t, &len);
    assert_non_null(text);
    assert_int_equal(len, strlen(text));
    assert_int_equal(len, 20000 * 7 + 10 + 90 * 2 + 900 * 3 + 9000 * 4 + 10000 * 5);
    cwg_text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lays_out),    cmocka_unit_test(wraps),
        cmocka_unit_test(substitutes), cmocka_unit_test(errors_are_sticky),
        cmocka_unit_test(literals),    cmocka_unit_test(comments),
        cmocka_unit_test(long_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
