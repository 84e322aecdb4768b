/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base64.h"

/* Decodes from and into heap blocks of the exact sizes; then again in place. */
static bool decode(const char *text, size_t len, uint8_t *out, size_t *out_len, size_t *bad)
{
    char *input = malloc(len ? len : 1);
    size_t room = cw__base64_decoded_max(len);
    uint8_t *output = malloc(room ? room : 1);
    assert_non_null(input);
    assert_non_null(output);
    memcpy(input, text, len);
    bool ok = cw__base64_decode(output, out_len, input, len, bad);
    if (ok) {
        assert_true(*out_len <= room && room - *out_len <= 2);
        memcpy(out, output, *out_len);
    }
    size_t len_again = 0, bad_again = 0;
    assert_int_equal(cw__base64_decode((uint8_t *)input, &len_again, input, len, &bad_again), ok);
    if (ok) {
        assert_int_equal(len_again, *out_len);
        assert_memory_equal(input, output, *out_len);
    } else {
        assert_int_equal(bad_again, *bad);
    }
    free(output);
    free(input);
    return ok;
}

static size_t encode(char *out, const void *data, size_t len)
{
    size_t size;
    assert_true(cw__base64_encoded_size(len, &size));
    uint8_t *input = malloc(len ? len : 1);
    char *output = malloc(size ? size : 1);
    assert_non_null(input);
    assert_non_null(output);
    memcpy(input, data, len);
    assert_int_equal(cw__base64_encode(output, input, len), size);
    memcpy(out, output, size);
    free(output);
    free(input);
    return size;
}

static void accepted(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text, *bytes, *printed; /* printed: NULL when it is `text` itself */
    } rows[] = {
        {__LINE__, "", "", NULL},
        {__LINE__, "Zg==", "f", NULL},
        {__LINE__, "Zm8=", "fo", NULL},
        {__LINE__, "Zm9v", "foo", NULL},
        {__LINE__, "Zm9vYg==", "foob", NULL},
        {__LINE__, "Zm9vYmE=", "fooba", NULL},
        {__LINE__, "Zm9vYmFy", "foobar", NULL},
        {__LINE__, "Zm9vYmFyYmE=", "foobarba", NULL},
        {__LINE__, "Zm9vYmFyYg", "foobarb", "Zm9vYmFyYg=="},
        {__LINE__, "QUJD", "ABC", NULL},       /* B50 */
        {__LINE__, "-_8", "\xfb\xff", "+/8="}, /* B51 */
        {__LINE__, "+/8=", "\xfb\xff", NULL},
        {__LINE__, "-_8=", "\xfb\xff", "+/8="},
        {__LINE__, "-_", "\xfb", "+w=="},
        {__LINE__, "+_-/", "\xfb\xff\xbf", "+/+/"},
        {__LINE__, "Zh==", "f", "Zg=="},
        {__LINE__, "Zm9=", "fo", "Zm8="},
        {__LINE__, "09azAZ+/", "\xd3\xd6\xb3\x01\x9f\xbf", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[16] = {0};
        char text[16] = {0};
        size_t len = 99, bad = 99;
        bool ok = decode(rows[i].text, strlen(rows[i].text), bytes, &len, &bad);
        const char *printed = rows[i].printed ? rows[i].printed : rows[i].text;
        if (!ok || len != strlen(rows[i].bytes) || memcmp(bytes, rows[i].bytes, len) != 0) {
            print_error("row at line %d: decoded %d, %d bytes\n", rows[i].line, ok, (int)len);
            fail();
        }
        if (encode(text, bytes, len) != strlen(printed) || strcmp(text, printed) != 0) {
            print_error("row at line %d: printed %s\n", rows[i].line, text);
            fail();
        }
    }
}

static void rejected(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
        size_t bad;
    } rows[] = {
        {__LINE__, "QUJD!!!", 4}, /* B50 */
        {__LINE__, "QUJ D", 3},
        {__LINE__, "QUJD=", 4},
        {__LINE__, "!!!", 0},
        {__LINE__, "=", 0},
        {__LINE__, "==", 0},
        {__LINE__, "====", 0},
        {__LINE__, "Q", 0},
        {__LINE__, "QUJDQ", 4},
        {__LINE__, "Q===", 1},
        {__LINE__, "QQ=", 2},
        {__LINE__, "QUI==", 3},
        {__LINE__, "QUJD====", 4},
        {__LINE__, "QQ==QQ==", 2},
        {__LINE__, "QUI=QUI=", 3},
        {__LINE__, "=QUJ", 0},
        {__LINE__, "QUJDQ=I=", 5},
        {__LINE__, "QUJD\n", 4},
        {__LINE__, "QUJDQUJDQUJDQUJ\xc3\xa4", 15},
        {__LINE__, "QUJDQUJDQUJDQUJDQ\x7fJD", 17},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[32];
        size_t len = 99, bad = 99;
        bool ok = decode(rows[i].text, strlen(rows[i].text), bytes, &len, &bad);
        if (ok || bad != rows[i].bad) {
            print_error("row at line %d: decoded %d, bad at %d\n", rows[i].line, ok, (int)bad);
            fail();
        }
    }
}

/* Exactly 66 characters mean something, each at every place of a group. */
static void every_character(void **state)
{
    (void)state;
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (unsigned place = 0; place < 4; place++) {
        for (unsigned c = 0; c < 256; c++) {
            char text[] = "AAAAAAAA";
            text[4 + place] = (char)c;
            const char *at = c ? strchr(alphabet, (int)c) : NULL;
            int value = at ? (int)(at - alphabet) : c == '-' ? 62 : c == '_' ? 63 : -1;
            uint8_t bytes[8] = {0};
            size_t len = 99, bad = 99;
            bool ok = decode(text, 8, bytes, &len, &bad);
            if (c == '=' && place == 3) {
                value = 0;
            }
            assert_int_equal(ok, value >= 0);
            if (!ok) {
                assert_int_equal(bad, 4 + place);
                continue;
            }
            assert_int_equal(len, c == '=' ? 5 : 6);
            uint32_t group = (uint32_t)value << (18 - 6 * place);
            assert_int_equal(bytes[3], group >> 16);
            assert_int_equal(bytes[4], group >> 8 & 0xff);
            assert_int_equal(bytes[5], group & 0xff);
        }
    }
}

/* Against bit-by-bit encoding, and back, for every length up to 200, with and without padding. */
static void every_length(void **state)
{
    (void)state;
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t seed = 1;
    uint8_t data[203] = {0};
    for (size_t len = 0; len <= 200; len++) {
        for (size_t i = 0; i < len; i++) {
            seed = seed * 1664525 + 1013904223;
            data[i] = (uint8_t)(seed >> 24);
        }
        memset(data + len, 0, 2);
        char expected[272];
        size_t digits = (len * 8 + 5) / 6;
        for (size_t i = 0; i < digits; i++) {
            unsigned value = 0;
            for (size_t bit = 6 * i; bit < 6 * i + 6; bit++) {
                value = value << 1 | ((unsigned)data[bit / 8] >> (7 - bit % 8) & 1);
            }
            expected[i] = alphabet[value];
        }
        size_t total = (digits + 3) / 4 * 4;
        memset(expected + digits, '=', total - digits);

        char text[272];
        assert_int_equal(encode(text, data, len), total);
        assert_memory_equal(text, expected, total);
        for (int padded = 0; padded < 2; padded++) {
            uint8_t back[200];
            size_t back_len = 999, bad = 999;
            assert_true(decode(text, padded ? total : digits, back, &back_len, &bad));
            assert_int_equal(back_len, len);
            assert_memory_equal(back, data, len);
        }
    }
}

static void sizes(void **state)
{
    (void)state;
    size_t size = 99;
    assert_true(cw__base64_encoded_size(0, &size));
    assert_int_equal(size, 0);
    assert_true(cw__base64_encoded_size(4, &size));
    assert_int_equal(size, 8);
    size_t most = SIZE_MAX / 4 * 3;
    assert_true(cw__base64_encoded_size(most, &size));
    assert_int_equal(size, SIZE_MAX - 3);
    size = 99;
    assert_false(cw__base64_encoded_size(most + 1, &size));
    assert_false(cw__base64_encoded_size(SIZE_MAX, &size));
    assert_int_equal(size, 99);
    assert_int_equal(cw__base64_decoded_max(2), 1);
    assert_int_equal(cw__base64_decoded_max(3), 2);
    assert_int_equal(cw__base64_decoded_max(8), 6);
    assert_true(cw__base64_decoded_max(SIZE_MAX) < SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted),        cmocka_unit_test(rejected),
        cmocka_unit_test(every_character), cmocka_unit_test(every_length),
        cmocka_unit_test(sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
