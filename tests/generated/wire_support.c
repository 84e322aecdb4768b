/* SPDX-License-Identifier: MIT */
#include "wire_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json.cw.h"
#include "json_proto2.cw.h"
#include "names.cw.h"
#include "names_pkg.cw.h"
#include "order.cw.h"
#include "wide.cw.h"
#include "wire.cw.h"
#include "wire2.cw.h"

const cw_file *const test_files[] = {&wire_file,        &wire2_file,     &wide_file,
                                     &names_file,       &order_file,     &json_file,
                                     &json_proto2_file, &names_pkg_file, NULL};

test_bytes test_copy_bytes(const void *data, size_t len)
{
    test_bytes b = {malloc(len), len}; /* of no bytes too: then its first may not be read */
    assert_non_null(b.data);
    if (len > 0) {
        memcpy(b.data, data, len);
    }
    return b;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    assert_true(c >= 'a' && c <= 'f');
    return c - 'a' + 10;
}

test_bytes test_hex(const char *hex)
{
    size_t most = strlen(hex) / 2;
    uint8_t *data = malloc(most + 1);
    size_t n = 0;
    assert_non_null(data);
    for (const char *s = hex; *s;) {
        if (*s == ' ') {
            s++;
            continue;
        }
        data[n++] = (uint8_t)(digit(s[0]) * 16 + digit(s[1]));
        s += 2;
    }
    test_bytes b = test_copy_bytes(data, n);
    free(data);
    return b;
}

void test_free_bytes(test_bytes *b)
{
    free(b->data);
    b->data = NULL;
    b->len = 0;
}

void *test_new(const cw_type *t, cw_arena *a)
{
    void *m = cw_arena_alloc(a, t->struct_size);
    assert_non_null(m);
    t->init(m);
    return m;
}

cw_status test_decode_hex(const cw_type *t, void *m, const char *hex, cw_arena *a, cw_error *e)
{
    test_bytes b = test_hex(hex);
    cw_status st = t->decode(m, b.data, b.len, a, NULL, e);
    test_free_bytes(&b);
    return st;
}

void test_encodes_to(const cw_type *t, const void *m, const char *hex, int line)
{
    test_bytes want = test_hex(hex);
    test_bytes have = {malloc(want.len + 1), 0};
    size_t len = 0;
    cw_error e = {.status = CW_OK};
    assert_non_null(have.data);
    cw_status st = t->encode(m, have.data, want.len, &len, &e);
    if (st != CW_OK || len != want.len || memcmp(have.data, want.data, len) != 0 ||
        t->encoded_size(m) != len) {
        print_error("line %d: %s %s, %zu bytes of %zu\n", line, t->full_name, cw_status_text(st),
                    len, want.len);
        fail();
    }
    test_free_bytes(&want);
    free(have.data);
}
