/* SPDX-License-Identifier: MIT */
/* Decoding: every reader at the input's end (exact heap blocks) and before other bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_support.h"
#include "cwire/wire.h"

/* A decode call on a copy of `n` bytes in a block of the exact size. */
typedef struct input {
    cw__decoder d;
    cw_arena arena;
    cw_error error;
    uint8_t *bytes;
} input;

static void input_open(input *in, const void *bytes, size_t n, const cw_decode_options *o)
{
    memset(in, 0, sizeof *in);
    in->bytes = exact_copy(bytes, n);
    cw_arena_init(&in->arena, NULL);
    cw__decode_begin(&in->d, in->bytes, n, &in->arena, o, &in->error);
}

static void input_close(input *in)
{
    cw__decode_end(&in->d, "a.B");
    cw_arena_free(&in->arena);
    free(in->bytes);
}

/* How the bytes of a row stand in the input. */
static const struct {
    size_t after; /* bytes behind the row's */
    uint8_t filler;
    bool inside; /* they belong to the message too */
} places[] = {{0, 0, false}, {3, 0, true}, {30, 0xff, true}, {30, 0x01, true}, {30, 0xff, false}};
#define N_PLACES (sizeof places / sizeof *places)

typedef struct row {
    int line;
    const char *bytes;
    size_t n;
    cw_status status;
    uint64_t value;
} row;

#define BYTES(s) s, sizeof(s) - 1

static const row varint_rows[] = {
    {__LINE__, BYTES("\x00"), CW_OK, 0},
    {__LINE__, BYTES("\x7f"), CW_OK, 127},
    {__LINE__, BYTES("\x80\x01"), CW_OK, 128},
    {__LINE__, BYTES("\x80\x00"), CW_OK, 0},
    {__LINE__, BYTES("\xff\xff\xff\xff\x0f"), CW_OK, UINT32_MAX},
    {__LINE__, BYTES("\xff\xff\xff\xff\xff\xff\xff\x7f"), CW_OK, ((uint64_t)1 << 56) - 1},
    {__LINE__, BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), CW_OK, INT64_MAX},
    {__LINE__, BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), CW_OK, UINT64_MAX},
    {__LINE__, BYTES("\x81\x82\x84\x88\x90\xa0\xc0\x80\x81\x01"), CW_OK,
     UINT64_C(1) | 2u << 7 | 4u << 14 | 8u << 21 | UINT64_C(16) << 28 | UINT64_C(32) << 35 |
         UINT64_C(64) << 42 | UINT64_C(1) << 56 | UINT64_C(1) << 63},
    /* what the tenth byte has beyond one bit is dropped */
    {__LINE__, BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), CW_OK, UINT64_MAX},
    {__LINE__, BYTES("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02"), CW_OK, 0},
    {__LINE__, BYTES("\x85\x80\x80\x80\x80\x80\x80\x80\x80\x00"), CW_OK, 5},
    {__LINE__, BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), CW_ERR_VARINT, 0},
    {__LINE__, BYTES("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"), CW_ERR_VARINT, 0},
};

static const row tag_rows[] = {
    {__LINE__, BYTES("\x08"), CW_OK, 1 << 3},
    {__LINE__, BYTES("\x82\x01"), CW_OK, 16 << 3 | 2},
    {__LINE__, BYTES("\x88\x00"), CW_OK, 8}, /* overlong, but 2 bytes: taken */
    {__LINE__, BYTES("\x88\x80\x00"), CW_OK, 8},
    {__LINE__, BYTES("\x88\x80\x80\x80\x00"), CW_OK, 8},
    {__LINE__, BYTES("\xf8\xff\xff\xff\x0f"), CW_OK, UINT64_C(536870911) << 3},
    {__LINE__, BYTES("\xfd\xff\xff\xff\x0f"), CW_OK, UINT64_C(536870911) << 3 | 5},
    {__LINE__, BYTES("\x88\x80\x80\x80\x40"), CW_ERR_TAG, 0}, /* 2^34 + 8 */
    {__LINE__, BYTES("\xf8\xff\xff\xff\x1f"), CW_ERR_TAG, 0},
    {__LINE__, BYTES("\x88\x80\x80\x80\x80\x00"), CW_ERR_TAG, 0}, /* six bytes */
    {__LINE__, BYTES("\x88\x80\x80\x80\x80\x80\x80\x80\x80\x00"), CW_ERR_TAG, 0},
    {__LINE__, BYTES("\x80\x80\x00"), CW_ERR_TAG, 0}, /* number 0 */
    {__LINE__, BYTES("\x82\x80\x00"), CW_ERR_TAG, 0},
    {__LINE__, BYTES("\x8e\x80\x00"), CW_ERR_TAG, 0}, /* wire type 6 */
    {__LINE__, BYTES("\x8f\x80\x01"), CW_ERR_TAG, 0}, /* wire type 7 */
};

typedef const uint8_t *reader(cw__decoder *d, const uint8_t *p, const uint8_t *end, uint64_t *v);

static const uint8_t *read_varint(cw__decoder *d, const uint8_t *p, const uint8_t *end, uint64_t *v)
{
    return cw__get_varint(d, p, end, v);
}

static const uint8_t *read_tag(cw__decoder *d, const uint8_t *p, const uint8_t *end, uint64_t *v)
{
    uint32_t tag = 0;
    p = cw__get_tag(d, p, end, &tag);
    *v = tag;
    return p;
}

/* Each row at each place, behind two other bytes; then each of its prefixes. */
static void check_rows(const row *rows, size_t n_rows, reader *read, bool in_message)
{
    for (size_t i = 0; i < n_rows; i++) {
        const row *r = &rows[i];
        for (size_t k = 0; k < N_PLACES; k++) {
            uint8_t bytes[64];
            size_t len = 2 + r->n + places[k].after;
            memset(bytes, places[k].filler, len);
            memcpy(bytes + 2, r->bytes, r->n);
            input in;
            uint64_t v = 77;
            input_open(&in, bytes, len, NULL);
            const uint8_t *end = places[k].inside ? in.d.end : in.d.begin + 2 + r->n;
            const uint8_t *p = read(&in.d, in.d.begin + 2, end, &v);
            if (in.d.status != r->status || (p ? v != r->value || p != in.d.begin + 2 + r->n
                                               : r->status == CW_OK || in.error.offset != 2)) {
                fail_msg("row at line %d, place %zu: %s, value %llx, offset %zu", r->line, k,
                         cw_status_name(in.d.status), (unsigned long long)v, in.error.offset);
            }
            input_close(&in);
        }
        size_t longest = r->status == CW_OK ? r->n - 1 : 0;
        for (size_t n = in_message ? 1 : 0; n <= longest; n++) {
            input in;
            uint64_t v;
            input_open(&in, r->bytes, n, NULL);
            assert_null(read(&in.d, in.d.begin, in.d.end, &v));
            if (in.d.status != CW_ERR_TRUNCATED || in.error.offset != 0) {
                fail_msg("row at line %d: %zu bytes of it are not truncated", r->line, n);
            }
            input_close(&in);
        }
    }
}

static void varints(void **state)
{
    (void)state;
    check_rows(varint_rows, sizeof varint_rows / sizeof *varint_rows, read_varint, false);
}

static void tags(void **state)
{
    (void)state;
    check_rows(tag_rows, sizeof tag_rows / sizeof *tag_rows, read_tag, true);
}

/* Every length of varint with all kinds of bits, near the end and far from it. */
static void varints_round_trip(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        uint64_t v = x >> (i % 64);
        uint8_t room[40];
        memset(room, 0x80, sizeof room);
        uint8_t *p = cw__put_varint(room + 20, v);
        for (size_t after = 0; after <= 20; after += 5) {
            cw__decoder d;
            cw_arena a = {0};
            uint64_t got = 0;
            cw__decode_begin(&d, p, (size_t)(room + 20 - p) + after, &a, NULL, NULL);
            assert_ptr_equal(cw__get_varint(&d, p, room + 20, &got), room + 20);
            if (got != v) {
                fail_msg("%llx came back as %llx", (unsigned long long)v, (unsigned long long)got);
            }
        }
    }
}

static void each_kind(void **state)
{
    (void)state;
    static const uint8_t minus_one[] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
    static const uint8_t fixed[] = "\x01\x02\x03\x04\x05\x06\x07\x88";
    input in;
    input_open(&in, minus_one, 10, NULL);
    cw__decoder *d = &in.d;
    const uint8_t *p = d->begin, *end = d->end;
    int32_t i32 = 0;
    int64_t i64 = 0;
    uint32_t u32 = 0;
    uint64_t u64 = 0;
    bool b = false;
    assert_ptr_equal(cw__get_int32(d, p, end, &i32), end);
    assert_int_equal(i32, -1);
    assert_ptr_equal(cw__get_enum(d, p, end, &i32), end);
    assert_int_equal(i32, -1);
    assert_ptr_equal(cw__get_int64(d, p, end, &i64), end);
    assert_true(i64 == -1);
    assert_ptr_equal(cw__get_uint32(d, p, end, &u32), end);
    assert_true(u32 == UINT32_MAX);
    assert_ptr_equal(cw__get_uint64(d, p, end, &u64), end);
    assert_true(u64 == UINT64_MAX);
    assert_ptr_equal(cw__get_sint32(d, p, end, &i32), end);
    assert_int_equal(i32, INT32_MIN);
    assert_ptr_equal(cw__get_sint64(d, p, end, &i64), end);
    assert_true(i64 == INT64_MIN);
    assert_ptr_equal(cw__get_bool(d, p, end, &b), end);
    assert_true(b);
    input_close(&in);
    input_open(&in, "\xff\xff\xff\xff\x0f", 5, NULL); /* B19: also the short form */
    assert_non_null(cw__get_enum(&in.d, in.d.begin, in.d.end, &i32));
    assert_int_equal(i32, -1);
    input_close(&in);

    for (size_t n = 0; n <= 8; n++) {
        double f64 = 0;
        float f32 = 0;
        input_open(&in, fixed, n, NULL);
        p = cw__get_fixed32(d, in.d.begin, in.d.end, &u32);
        if (n >= 4) {
            assert_ptr_equal(p, in.d.begin + 4);
            assert_int_equal(u32, 0x04030201);
            assert_non_null(cw__get_sfixed32(d, in.d.begin, in.d.end, &i32));
            assert_non_null(cw__get_float(d, in.d.begin, in.d.end, &f32));
            assert_int_equal(cw__float_bits(f32), 0x04030201);
        } else {
            assert_null(p);
            assert_int_equal(in.d.status, CW_ERR_TRUNCATED);
        }
        in.d.status = CW_OK;
        p = cw__get_fixed64(d, in.d.begin, in.d.end, &u64);
        if (n == 8) {
            assert_ptr_equal(p, in.d.end);
            assert_true(u64 == UINT64_C(0x8807060504030201));
            assert_non_null(cw__get_sfixed64(d, in.d.begin, in.d.end, &i64));
            assert_true(i64 < 0);
            assert_non_null(cw__get_double(d, in.d.begin, in.d.end, &f64));
            assert_true(cw__double_bits(f64) == u64);
        } else {
            assert_null(p);
            assert_int_equal(in.d.status, CW_ERR_TRUNCATED);
        }
        input_close(&in);
    }
}

static void lengths(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *bytes;
        size_t n, message; /* of the input; of the message in it */
        cw_status status;
        size_t length;
    } rows[] = {
        {__LINE__, BYTES("\x00"), 1, CW_OK, 0},
        {__LINE__, BYTES("\x02yz"), 3, CW_OK, 2},
        {__LINE__, BYTES("\x82\x00yz"), 4, CW_OK, 2},
        {__LINE__, BYTES("\x82\x80\x80\x80\x80\x80\x80\x80\x80\x00yz"), 12, CW_OK, 2},
        {__LINE__, BYTES(""), 0, CW_ERR_TRUNCATED, 0},
        {__LINE__, BYTES("\x80"), 1, CW_ERR_TRUNCATED, 0},
        {__LINE__, BYTES("\x03yz"), 3, CW_ERR_TRUNCATED, 0},
        {__LINE__, BYTES("\x83\x00yz"), 4, CW_ERR_TRUNCATED, 0},
        /* inside the input, but past the message */
        {__LINE__, BYTES("\x03xyz"), 3, CW_ERR_LENGTH, 0},
        {__LINE__, BYTES("\x02xyz"), 3, CW_OK, 2},
        {__LINE__, BYTES("\x82\x00yz"), 1, CW_ERR_LENGTH, 0},
        {__LINE__, BYTES("\x82\x00yz"), 2, CW_ERR_LENGTH, 0},
        {__LINE__, BYTES("\x02yz"), 0, CW_ERR_TRUNCATED, 0},
        /* B29 */
        {__LINE__, BYTES("\xff\xff\xff\xff\x0f"), 5, CW_ERR_LENGTH, 0},
        {__LINE__, BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 10, CW_ERR_LENGTH, 0},
        {__LINE__, BYTES("\x80\x80\x80\x80\x08"), 5, CW_ERR_LENGTH, 0},
        {__LINE__, BYTES("\xff\xff\xff\xff\x07"), 5, CW_ERR_TRUNCATED, 0},
        {__LINE__, BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 11, CW_ERR_VARINT, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        input in;
        input_open(&in, rows[i].bytes, rows[i].n, NULL);
        size_t n = 0;
        const uint8_t *p = cw__get_len(&in.d, in.d.begin, in.d.begin + rows[i].message, &n);
        if (in.d.status != rows[i].status || (p && n != rows[i].length) ||
            (!p && (rows[i].status == CW_OK || in.error.offset != 0))) {
            fail_msg("row at line %d: %s, %zu", rows[i].line, cw_status_name(in.d.status), n);
        }
        input_close(&in);
    }
}

/* A string of n bytes at `at` of the input, `after` bytes behind it. */
static void check_string(const char *text, size_t n, size_t after, bool alias, bool in_message)
{
    uint8_t bytes[700];
    uint8_t *q = bytes;
    if (n >= 0x80) {
        *q++ = (uint8_t)(n | 0x80);
    }
    *q++ = (uint8_t)(n < 0x80 ? n : n >> 7);
    size_t head = (size_t)(q - bytes);
    memcpy(q, text, n);
    memset(q + n, 'z', after);
    input in;
    input_open(&in, bytes, head + n + after, &(cw_decode_options){.alias = alias});
    const uint8_t *end = in_message ? in.d.end : in.d.begin + head + n;
    cw_str s = {0};
    cw_bytes b = {0};
    assert_ptr_equal(cw__get_string(&in.d, in.d.begin, end, &s), in.d.begin + head + n);
    assert_ptr_equal(cw__get_bytes(&in.d, in.d.begin, end, &b), in.d.begin + head + n);
    assert_int_equal(s.len, n);
    assert_memory_equal(s.data, text, n);
    assert_int_equal(b.len, n);
    assert_memory_equal(b.data, text, n);
    bool views = s.data == (const char *)in.d.begin + head && b.data == in.d.begin + head;
    assert_int_equal(views, alias);
    if (!alias) {
        assert_int_equal(s.data[n], 0);
        assert_int_equal(b.data[n], 0);
    }
    cw_str raw = {0};
    assert_non_null(cw__get_string_raw(&in.d, in.d.begin, end, &raw));
    assert_true(cw_str_equal(raw, s));
    input_close(&in);
}

static void strings_of_any_length(void **state)
{
    (void)state;
    static const size_t after[] = {0, 1, 15, 16, 17, 40};
    for (size_t n = 0; n < 300; n++) {
        char text[600];
        for (size_t i = 0; i < n; i++) {
            text[i] = (char)('A' + i % 50);
        }
        for (size_t k = 0; k < 6 * 4; k++) {
            check_string(text, n, after[k / 4], k & 1, k & 2);
        }
        if (n >= 2) {
            memcpy(text + n - 2, "\xc3\xa4", 2);
            for (size_t k = 0; k < 6 * 4; k++) {
                check_string(text, n, after[k / 4], k & 1, k & 2);
            }
        }
    }
}

static void strings_are_utf8(void **state)
{
    (void)state;
    for (size_t n = 1; n < 60; n++) {
        for (size_t at = 0; at < n; at++) {
            for (size_t after = 0; after < 40; after += 20) {
                uint8_t bytes[100];
                memset(bytes, 'a', sizeof bytes);
                bytes[0] = (uint8_t)n;
                bytes[1 + at] = 0xff;
                input in;
                cw_str s = {"kept", 4};
                input_open(&in, bytes, 1 + n + after, NULL);
                assert_null(cw__get_string(&in.d, in.d.begin, in.d.end, &s));
                assert_int_equal(in.d.status, CW_ERR_UTF8);
                assert_int_equal(in.error.offset, 0);
                assert_int_equal(s.len, 4);
                in.d.status = CW_OK;
                assert_non_null(cw__get_string_raw(&in.d, in.d.begin, in.d.end, &s));
                assert_int_equal((uint8_t)s.data[at], 0xff);
                input_close(&in);
            }
        }
    }
    for (size_t n = 0; n <= 16; n++) { /* what stands behind the string does not matter */
        uint8_t bytes[40];
        memset(bytes, 0xff, sizeof bytes);
        memset(bytes, 'a', n + 1);
        bytes[0] = (uint8_t)n;
        input in;
        cw_str s = {0};
        input_open(&in, bytes, sizeof bytes, NULL);
        assert_non_null(cw__get_string(&in.d, in.d.begin, in.d.end, &s));
        assert_int_equal(s.len, n);
        assert_true(cw__ascii16(in.d.begin + 1, n));
        assert_true(n == 16 || !cw__ascii16(in.d.begin + 1, n + 1));
        input_close(&in);
    }
}

/* The arena's last bytes: strings fill it to the end and are whole. */
static void strings_fill_an_arena(void **state)
{
    (void)state;
    for (size_t size = 64; size < 400; size += 8) {
        uint8_t *block = malloc(size);
        uint8_t bytes[40] = "\x0b"
                            "hello world and more";
        cw_arena a;
        cw_arena_init(&a,
                      &(cw_arena_options){.block = block, .block_size = size, .no_alloc = true});
        cw__decoder d;
        cw_error e;
        cw__decode_begin(&d, bytes, sizeof bytes, &a, NULL, &e);
        cw_str s[40];
        size_t n = 0;
        while (cw__get_string(&d, bytes, bytes + sizeof bytes, &s[n])) {
            n++;
        }
        assert_int_equal(cw__decode_end(&d, "a.B"), CW_ERR_LIMIT);
        assert_int_equal(e.status, CW_ERR_LIMIT);
        assert_true(n * 16 + 16 + 80 > size);
        for (size_t i = 0; i < n; i++) {
            assert_string_equal(s[i].data, "hello world");
        }
        free(block);
    }
}

static void runs_are_counted(void **state)
{
    (void)state;
    static const struct {
        int line;
        uint32_t tag;
        const char *bytes;
        size_t n, count;
    } rows[] = {
        {__LINE__, 0x0a, BYTES("\x00"), 1},
        {__LINE__, 0x0a, BYTES(""), 1},
        {__LINE__, 0x0a, BYTES("\x00\x0a\x00\x0a\x01x"), 3},
        {__LINE__, 0x0a, BYTES("\x02xy\x0a\x00\x12\x00\x0a\x00"), 2},
        {__LINE__, 0x0a, BYTES("\x82\x00xy\x0a\x00"), 2},
        {__LINE__, 0x0a, BYTES("\xff\xff\xff\xff\x07\x0a\x00"), 1},
        {__LINE__, 0x0a, BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x0a\x00"), 1},
        {__LINE__, 0x0a, BYTES("\x80"), 1},
        {__LINE__, 0x0a, BYTES("\x05xy\x0a\x00"), 1},
        {__LINE__, 0x82, BYTES("\x00\x82\x01\x00\x82\x02\x00"), 2},
        {__LINE__, 0x102, BYTES("\x00\x82\x02\x00\x82\x02\x00\x82"), 3},
        {__LINE__, 0x40002, BYTES("\x00\x82\x80\x10\x00\x82\x80\x10\x00\x82\x80"), 3},
        {__LINE__, 0xfffffffau, BYTES("\x00\xfa\xff\xff\xff\x0f\x00\xfa\xff\xff\xff\x1f\x00"), 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t *exact = exact_copy(rows[i].bytes, rows[i].n);
        size_t count = cw__count_run(exact, exact + rows[i].n, rows[i].tag);
        if (count != rows[i].count) {
            fail_msg("row at line %d: %zu", rows[i].line, count);
        }
        free(exact);
    }
}

static void next_element(void **state)
{
    (void)state;
    uint8_t *one = exact_copy("\x0a", 1), *two = exact_copy("\x82\x02", 2);
    const uint8_t *p = one;
    assert_true(cw__next_is(&p, one + 1, 0x0a));
    assert_ptr_equal(p, one + 1);
    assert_false(cw__next_is(&p, one + 1, 0x0a));
    p = two;
    assert_false(cw__next_is(&p, two + 2, 0x0a));
    assert_false(cw__next_is(&p, two + 1, 0x102));
    assert_false(cw__next_is(&p, two + 2, 0x82));
    assert_ptr_equal(p, two);
    assert_true(cw__next_is(&p, two + 2, 0x102));
    assert_ptr_equal(p, two + 2);
    free(one);
    free(two);
}

static void options(void **state)
{
    (void)state;
    cw__decoder d;
    cw_arena a = {0};
    uint8_t byte = 0;
    assert_int_equal(cw__decode_begin(&d, NULL, 0, &a, NULL, NULL), 100);
    assert_non_null(d.begin);
    assert_ptr_equal(d.begin, d.end);
    assert_false(d.alias || d.allow_partial);
    assert_int_equal(a.budget, (size_t)64 << 20);
    assert_int_equal(cw__decode_end(&d, "A"), CW_OK);
    assert_int_equal(
        cw__decode_begin(&d, &byte, 1, &a, &(cw_decode_options){.depth = 7, .alias = true}, NULL),
        7);
    assert_true(d.alias);
    assert_int_equal(a.budget, ((size_t)64 << 20) + 64);
    cw__decode_end(&d, "A");
    assert_true(cw__decode_begin(&d, &byte, 1, &a,
                                 &(cw_decode_options){.depth = UINT32_MAX, .max_memory = 5},
                                 NULL) > 1000);
    assert_null(cw_arena_alloc(&a, 6));
    cw__decode_end(&d, "A");
    cw__decode_begin(&d, &byte, 1, &a, &(cw_decode_options){.max_memory = SIZE_MAX}, NULL);
    assert_false(a.budgeted);
    assert_non_null(cw_arena_alloc(&a, 6));
    cw__decode_end(&d, "A");
    cw_arena_free(&a);
}

static void errors_carry_a_path(void **state)
{
    (void)state;
    input in;
    input_open(&in, "abc", 3, NULL);
    assert_null(cw__get_fail(&in.d, CW_ERR_DEPTH, in.d.begin + 2, "why"));
    assert_null(cw__get_fail(&in.d, CW_ERR_TAG, in.d.begin, NULL));
    assert_null(cw__get_fail_at(&in.d, "x", 4));
    assert_null(cw__get_fail_at(&in.d, "y", SIZE_MAX));
    assert_int_equal(cw__decode_end(&in.d, "a.B"), CW_ERR_DEPTH);
    assert_int_equal(in.error.status, CW_ERR_DEPTH);
    assert_int_equal(in.error.offset, 2);
    assert_int_equal(in.error.line, 0);
    assert_string_equal(in.error.detail, "why");
    assert_string_equal(in.error.path, "a.B.y.x[4]");
    cw_arena_free(&in.arena);
    free(in.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(varints),
        cmocka_unit_test(tags),
        cmocka_unit_test(varints_round_trip),
        cmocka_unit_test(each_kind),
        cmocka_unit_test(lengths),
        cmocka_unit_test(strings_of_any_length),
        cmocka_unit_test(strings_are_utf8),
        cmocka_unit_test(strings_fill_an_arena),
        cmocka_unit_test(runs_are_counted),
        cmocka_unit_test(next_element),
        cmocka_unit_test(options),
        cmocka_unit_test(errors_carry_a_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
