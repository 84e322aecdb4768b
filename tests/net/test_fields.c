/* SPDX-License-Identifier: MIT */
/* What fields a user may send, and how those that arrived are kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fields.h"

static cw_http_fields of(const cw_http_field *data, size_t len)
{
    return (cw_http_fields){data, len};
}

static void assert_str(cw_str s, const char *text)
{
    if (!cw_str_equal(s, cw_str_from(text))) {
        fail_msg("\"%.*s\", not \"%s\"", (int)s.len, s.data, text);
    }
}

/* ---- sending -----------------------------------------------------------------------------------
 */

/* Each byte as a name and as a value: RFC 9110, 5.1 and 5.5. */
static void every_byte(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        const char byte = (char)c, in_word[] = {'a', byte, 'b'};
        const cw_http_field name = {{&byte, 1}, CW_STR("v")};
        const cw_http_field value = {CW_STR("n"), {in_word, sizeof in_word}};
        const cw_http_field edge = {CW_STR("n"), {&byte, 1}};
        bool is_token = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                        (c >= 'A' && c <= 'Z') || (c != 0 && strchr("!#$%&'*+-.^_`|~", c) != NULL);
        bool is_value = c == '\t' || (c >= ' ' && c != 0x7f);
        bool is_blank = c == ' ' || c == '\t';
        assert_int_equal(cw__fields_refusal(of(&name, 1), false) == NULL, is_token);
        assert_int_equal(cw__fields_refusal(of(&value, 1), false) == NULL, is_value);
        assert_int_equal(cw__fields_refusal(of(&edge, 1), false) == NULL, is_value && !is_blank);
    }
}

static void names_that_are_not_the_users(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool in_head, in_trailers, is_shown_in_trailers;
    } rows[] = {
        {"x-a", true, true, true},
        {"etag", true, true, true},
        {"content-encoding", true, false, false},
        {"Content-Type", true, false, false},
        {"trailer", true, false, false},
        {"authorization", true, true, false},
        {"set-cookie", true, true, false},
        {"Date", false, false, false},
        {"Content-Length", false, false, false},
        {"transfer-encoding", false, false, false},
        {"connection", false, false, false},
        {"keep-alive", false, false, false},
        {"proxy-connection", false, false, false},
        {"upgrade", false, false, false},
        {"HOST", false, false, false},
        {"te", false, false, false},
        {"", false, false, true},
        {":path", false, false, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cw_http_field fields[] = {{CW_STR("a"), CW_STR("b")},
                                        {cw_str_from(rows[i].name), CW_STR("v")}};
        if ((cw__fields_refusal(of(fields, 2), false) == NULL) != rows[i].in_head ||
            (cw__fields_refusal(of(fields, 2), true) == NULL) != rows[i].in_trailers ||
            cw__may_trail(fields[1].name) != rows[i].is_shown_in_trailers) {
            fail_msg("\"%s\"", rows[i].name);
        }
    }
    assert_null(cw__fields_refusal(of(NULL, 0), false));
}

/* ---- keeping -----------------------------------------------------------------------------------
 */

static void a_head_is_copied(void **state)
{
    (void)state;
    char text[] = "GEThttphost/pathnamevalue";
    const cw_http_field fields[] = {{{text + 16, 4}, {text + 20, 5}}, {CW_STR("e"), {NULL, 0}}};
    const cw_http_head head = {.version = CW_HTTP_1_0,
                               .method = {text, 3},
                               .scheme = {text + 3, 4},
                               .authority = {text + 7, 4},
                               .path = {text + 11, 5},
                               .fields = of(fields, 2)};
    cw__fields f = {.len = 0};
    cw_http_head copy;
    for (int round = 0; round < 2; round++) { /* the memory is used again */
        assert_true(cw__fields_keep_head(&f, &head, &copy));
    }
    memset(text, 'X', sizeof text);
    assert_int_equal(copy.version, CW_HTTP_1_0);
    assert_str(copy.method, "GET");
    assert_str(copy.scheme, "http");
    assert_str(copy.authority, "host");
    assert_str(copy.path, "/path");
    assert_int_equal(copy.fields.len, 2);
    assert_str(copy.fields.data[0].name, "name");
    assert_str(copy.fields.data[0].value, "value");
    assert_str(copy.fields.data[1].name, "e");
    assert_str(copy.fields.data[1].value, "");
    cw__fields_free(&f);
}

static void any_number_of_fields_is_copied(void **state)
{
    (void)state;
    enum { MANY = 200 };
    cw_http_field fields[MANY];
    char names[MANY];
    for (size_t i = 0; i < MANY; i++) {
        names[i] = (char)('a' + i % 26);
        fields[i] = (cw_http_field){{&names[i], 1}, CW_STR("value")};
    }
    cw__fields f = {.len = 0};
    for (size_t n = 0; n <= MANY; n++) {
        cw_http_fields copy;
        assert_true(cw__fields_keep(&f, of(fields, n), &copy));
        assert_int_equal(copy.len, n);
        for (size_t i = 0; i < n; i++) {
            assert_memory_equal(copy.data[i].name.data, &names[i], 1);
            assert_str(copy.data[i].value, "value");
        }
    }
    cw__fields_free(&f);
}

static void add(cw__fields *f, const char *name, const char *value)
{
    assert_true(cw__fields_begin(f));
    size_t at = cw__fields_text(f, cw_str_from(name));
    size_t value_at = cw__fields_text(f, cw_str_from(value));
    f->refs[f->len - 1] = (cw__field_ref){(uint32_t)at, (uint32_t)strlen(name), (uint32_t)value_at,
                                          (uint32_t)strlen(value)};
}

static void fields_are_joined(void **state)
{
    (void)state;
    cw__fields f = {.len = 0};
    for (int round = 0; round < 2; round++) {
        cw__fields_clear(&f);
        assert_true(cw__fields_join(&f, CW_STR("a"), CW_STR("; ")));
        add(&f, "b", "1");
        add(&f, "a", "2");
        assert_true(cw__fields_join(&f, CW_STR("a"), CW_STR("; ")));
        assert_int_equal(cw__fields_seal(&f).len, 2);
        add(&f, "aa", "3");
        add(&f, "a", "");
        add(&f, "c", "4");
        add(&f, "a", "5; 6");
        assert_true(cw__fields_join(&f, CW_STR("a"), CW_STR("; ")));
        cw_http_fields all = cw__fields_seal(&f);
        assert_int_equal(all.len, 4);
        assert_str(all.data[0].name, "b");
        assert_str(all.data[0].value, "1");
        assert_str(all.data[1].name, "a");
        assert_str(all.data[1].value, "2; ; 5; 6");
        assert_str(all.data[2].name, "aa");
        assert_str(all.data[2].value, "3");
        assert_str(all.data[3].name, "c");
        assert_str(all.data[3].value, "4");
    }
    cw__fields_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte),        cmocka_unit_test(names_that_are_not_the_users),
        cmocka_unit_test(a_head_is_copied),  cmocka_unit_test(any_number_of_fields_is_copied),
        cmocka_unit_test(fields_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
