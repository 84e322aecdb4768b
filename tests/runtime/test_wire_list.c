/* SPDX-License-Identifier: MIT */
/* Lists on the wire: each kind of element against a plain encoder, packed and unpacked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_support.h"
#include "cwire/wire.h"

#define BYTES(s) s, sizeof(s) - 1

typedef struct input {
    cw__decoder d;
    cw_arena arena;
    cw_error error;
    uint8_t *bytes;
} input;

static void input_open(input *in, const void *bytes, size_t n)
{
    memset(in, 0, sizeof *in);
    in->bytes = exact_copy(bytes, n);
    cw_arena_init(&in->arena, NULL);
    cw__decode_begin(&in->d, in->bytes, n, &in->arena, NULL, &in->error);
}

static void input_close(input *in)
{
    cw__decode_end(&in->d, "a.B");
    cw_arena_free(&in->arena);
    free(in->bytes);
}

static size_t plain_varint(uint8_t *to, uint64_t v)
{
    size_t n = 0;
    for (; v >= 0x80; v >>= 7) {
        to[n++] = (uint8_t)(v | 0x80);
    }
    to[n++] = (uint8_t)v;
    return n;
}

/* ---- each kind against a plain encoder --------------------------------------------------------
 */

enum { MAX_LEN = 200 };

/* What one list holds: `wire` is element i as the format has it. */
typedef struct sample {
    cw__element kind;
    size_t len, elem;
    uint64_t wire[MAX_LEN];
    uint8_t data[MAX_LEN * 8];
} sample;

static void put_data(sample *s, size_t i, uint64_t v)
{
    bool b = v != 0;
    uint32_t v32 = (uint32_t)v;
    if (s->kind == CW__BOOL) {
        memcpy(s->data + i * s->elem, &b, sizeof b);
    } else if (s->elem == 4) {
        memcpy(s->data + 4 * i, &v32, 4);
    } else {
        memcpy(s->data + 8 * i, &v, 8);
    }
}

/* Values of all sizes, both signs; such of one byte; such of one and two; runs of either. */
static void sample_make(sample *s, cw__element kind, size_t len, uint64_t seed)
{
    uint64_t x = seed * 2654435761u + 88172645463325252u;
    s->kind = kind;
    s->len = len;
    s->elem = kind == CW__BOOL                                                      ? sizeof(bool)
              : kind == CW__VARINT64 || kind == CW__ZIGZAG64 || kind == CW__FIXED64 ? 8
                                                                                    : 4;
    memset(s->data, 0, sizeof s->data);
    for (size_t i = 0; i < len; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        uint64_t v = seed % 3 == 0                             ? x % 100
                     : seed == 4 || (seed == 5 && i < len / 2) ? x % 1000
                     : seed == 5                               ? x % 60
                                                               : x >> (x % 64);
        int32_t low = (int32_t)(uint32_t)v;
        put_data(s, i, v);
        switch (kind) {
        case CW__VARINT32:
        case CW__FIXED32:
            s->wire[i] = (uint32_t)v;
            break;
        case CW__INT32:
            s->wire[i] = (uint64_t)(int64_t)low;
            break;
        case CW__ZIGZAG32:
            s->wire[i] = (uint32_t)(low < 0 ? ~((uint32_t)low << 1) : (uint32_t)low << 1);
            break;
        case CW__ZIGZAG64:
            s->wire[i] = v >> 63 ? ~(v << 1) : v << 1;
            break;
        case CW__BOOL:
            s->wire[i] = v != 0;
            break;
        case CW__VARINT64:
        case CW__FIXED64:
            s->wire[i] = v;
            break;
        }
    }
}

/* Element i as bytes. */
static size_t plain_element(const sample *s, size_t i, uint8_t *to)
{
    size_t n = s->kind == CW__FIXED32 ? 4 : 8;
    if (s->kind != CW__FIXED32 && s->kind != CW__FIXED64) {
        return plain_varint(to, s->wire[i]);
    }
    for (size_t k = 0; k < n; k++) {
        to[k] = (uint8_t)(s->wire[i] >> (8 * k));
    }
    return n;
}

/* tag 0: packed, with the length; else each element with the tag. */
static size_t plain_list(const sample *s, uint32_t tag, uint8_t *to)
{
    uint8_t elements[MAX_LEN * 15];
    size_t n = 0;
    for (size_t i = 0; i < s->len; i++) {
        n += tag ? plain_varint(elements + n, tag) : 0;
        n += plain_element(s, i, elements + n);
    }
    size_t head = tag || s->len == 0 ? 0 : plain_varint(to, n);
    memcpy(to + head, elements, n);
    return head + n;
}

static void check_put(const sample *s, uint32_t tag)
{
    uint8_t expected[MAX_LEN * 15 + 10];
    size_t n = plain_list(s, tag, expected);
    for (size_t spare = 0; spare < 400; spare += spare < 24 ? 1 : 47) {
        uint8_t *buf = malloc(n + spare + 1);
        cw__encoder w;
        size_t len = 0;
        uint8_t *p = cw__encode_begin(&w, buf + 1, n + spare, NULL);
        p = tag ? cw__put_unpacked(&w, p, s->data, s->len, s->kind, tag, 30)
                : cw__put_packed(&w, p, s->data, s->len, s->kind, 30);
        assert_true(!p || (size_t)(p - w.begin) >= 20);
        assert_int_equal(cw__encode_end(&w, p, buf + 1, &len, "A"), CW_OK);
        if (len != n || memcmp(buf + 1, expected, n) != 0) {
            fail_msg("kind %d, %zu elements, tag %u, %zu spare", s->kind, s->len, tag, spare);
        }
        free(buf);
    }
    if (n > 0) {
        uint8_t *small = malloc(n);
        cw__encoder w;
        uint8_t *p = cw__encode_begin(&w, small, n - 1, NULL);
        p = tag ? cw__put_unpacked(&w, p, s->data, s->len, s->kind, tag, 30)
                : cw__put_packed(&w, p, s->data, s->len, s->kind, 30);
        assert_int_equal(cw__encode_end(&w, p, small, NULL, "A"), CW_ERR_SPACE);
        free(small);
    }
}

static void check_array(const cw__array *x, const sample *s, size_t times)
{
    assert_int_equal(x->len, s->len * times);
    assert_true(x->cap >= x->len);
    for (size_t k = 0; s->len > 0 && k < times; k++) {
        assert_memory_equal((char *)x->data + k * s->len * s->elem, s->data, s->len * s->elem);
    }
}

/* Packed twice over, then every prefix of it. */
static void check_get_packed(const sample *s)
{
    uint8_t bytes[2 * (MAX_LEN * 15 + 10) + 20];
    size_t n = plain_list(s, 0, bytes);
    if (s->len == 0) {
        bytes[n++] = 0;
    }
    memcpy(bytes + n, bytes, n);
    memset(bytes + 2 * n, 0x80, 20);
    for (size_t after = 0; after <= 20; after += 10) {
        input in;
        cw__array x = {NULL, 0, 0};
        input_open(&in, bytes, 2 * n + after);
        const uint8_t *p = in.d.begin, *end = p + 2 * n;
        p = cw__get_packed(&in.d, p, end, &x, s->kind);
        assert_ptr_equal(p, in.d.begin + n);
        assert_true(s->len == 0 || x.cap == (s->len < 4 ? 4 : s->len)); /* exact */
        p = cw__get_packed(&in.d, p, end, &x, s->kind);
        assert_ptr_equal(p, end);
        check_array(&x, s, 2);
        input_close(&in);
    }
    for (size_t cut = 0; cut < n; cut++) {
        input in;
        cw__array x = {NULL, 0, 0};
        input_open(&in, bytes, cut);
        assert_null(cw__get_packed(&in.d, in.d.begin, in.d.end, &x, s->kind));
        assert_int_equal(in.d.status, CW_ERR_TRUNCATED);
        assert_int_equal(in.error.offset, 0);
        assert_int_equal(x.len, 0);
        input_close(&in);
    }
}

/* Elements one by one, as generated code takes unpacked ones. */
static void check_get_elements(const sample *s)
{
    uint8_t bytes[MAX_LEN * 15];
    size_t n = plain_list(s, 0x7d << 3, bytes);
    input in;
    cw__array x = {NULL, 0, 0};
    input_open(&in, bytes, n);
    const uint8_t *p = in.d.begin;
    for (size_t i = 0; i < s->len; i++) {
        uint32_t tag = 0;
        p = cw__get_tag(&in.d, p, in.d.end, &tag);
        assert_int_equal(tag, 0x7d << 3);
        p = cw__get_element(&in.d, p, in.d.end, &x, s->kind);
        assert_non_null(p);
    }
    assert_ptr_equal(p, in.d.end);
    check_array(&x, s, 1);
    assert_null(cw__get_element(&in.d, p, in.d.end, &x, s->kind));
    assert_int_equal(in.d.status, CW_ERR_TRUNCATED);
    assert_int_equal(in.error.offset, n);
    assert_int_equal(x.len, s->len);
    input_close(&in);
}

static void every_kind(void **state)
{
    (void)state;
    for (int kind = CW__VARINT32; kind <= CW__BOOL; kind++) {
        for (size_t len = 0; len <= MAX_LEN; len += len < 20 ? 1 : len < 70 ? 10 : 65) {
            for (uint64_t seed = 0; seed < 6; seed++) {
                sample s;
                sample_make(&s, (cw__element)kind, len, seed);
                check_put(&s, 0);
                check_put(&s, 1 << 3);
                check_put(&s, 536870911u << 3);
                check_get_packed(&s);
                check_get_elements(&s);
                uint8_t plain[MAX_LEN * 15 + 10];
                size_t with_tags = plain_list(&s, 1 << 3, plain);
                assert_int_equal(cw__size_elements(s.data, len, s.kind), with_tags - len);
            }
        }
    }
}

/* ---- reports ----------------------------------------------------------------------------------
 */

/* B21: one element a varint, whatever its length. */
static void long_varints_in_bools(void **state)
{
    (void)state;
    input in;
    cw_bool_list x = {0};
    input_open(&in, BYTES("\x0c\x01\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00"));
    assert_non_null(cw__get_packed_bool(&in.d, in.d.begin, in.d.end, &x));
    assert_int_equal(x.len, 3);
    assert_true(x.data[0] && x.data[1] && !x.data[2]);
    input_close(&in);
    cw_i32_list y = {0};
    input_open(&in, BYTES("\x0d\x01\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x80\x00"));
    assert_non_null(cw__get_packed_int32(&in.d, in.d.begin, in.d.end, &y));
    assert_int_equal(y.len, 3);
    assert_int_equal(y.data[0], 1);
    assert_int_equal(y.data[1], -2);
    assert_int_equal(y.data[2], 0);
    input_close(&in);
}

static void wrong_packed_fields(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *bytes;
        size_t n;
        cw__element kind;
        cw_status status;
        size_t offset;
    } rows[] = {
        {__LINE__, BYTES("\x02\x80\x80"), CW__INT32, CW_ERR_TRUNCATED, 0}, /* B28 */
        {__LINE__, BYTES("\x03\x01\x02\x80"), CW__BOOL, CW_ERR_TRUNCATED, 0},
        {__LINE__, BYTES("\x02\x01\x80\x00"), CW__INT32, CW_ERR_TRUNCATED, 0},
        {__LINE__, BYTES("\x05\x01\x02"), CW__INT32, CW_ERR_TRUNCATED, 0},
        {__LINE__,
         BYTES("\x03"
               "123"),
         CW__FIXED32, CW_ERR_LENGTH, 0},
        {__LINE__,
         BYTES("\x09"
               "123456789"),
         CW__FIXED64, CW_ERR_LENGTH, 0},
        {__LINE__, BYTES("\x0c\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), CW__INT32,
         CW_ERR_VARINT, 2},
        {__LINE__, BYTES("\xff\xff\xff\xff\x0f"), CW__INT32, CW_ERR_LENGTH, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        input in;
        cw__array x = {NULL, 0, 0};
        input_open(&in, rows[i].bytes, rows[i].n);
        const uint8_t *p = cw__get_packed(&in.d, in.d.begin, in.d.end, &x, rows[i].kind);
        if (p || in.d.status != rows[i].status || in.error.offset != rows[i].offset || x.len) {
            fail_msg("row at line %d: %s at %zu", rows[i].line, cw_status_name(in.d.status),
                     in.error.offset);
        }
        input_close(&in);
    }
}

/* A varint of eleven bytes is found wherever it stands in a long list, and of ten it is none. */
static void wrong_varints_in_long_lists(void **state)
{
    (void)state;
    enum { LEN = 250 };
    for (size_t at = 0; at < LEN - 11; at++) {
        for (size_t n = 10; n <= 11; n++) {
            uint8_t bytes[2 + LEN];
            memset(bytes, at % 2 ? 0x01 : 0x81, sizeof bytes);
            for (size_t i = 1; i < LEN; i += 2) {
                bytes[2 + i] = 0x01;
            }
            bytes[0] = 0x80 | (LEN & 0x7f);
            bytes[1] = LEN >> 7;
            if (at > 0) {
                bytes[2 + at - 1] = 0x01;
            }
            memset(bytes + 2 + at, 0xff, n - 1);
            bytes[2 + at + n - 1] = 0x01;
            for (int kind = 0; kind < 3; kind++) {
                static const cw__element kinds[] = {CW__INT32, CW__VARINT64, CW__BOOL};
                input in;
                cw__array x = {NULL, 0, 0};
                input_open(&in, bytes, sizeof bytes);
                const uint8_t *p = cw__get_packed(&in.d, in.d.begin, in.d.end, &x, kinds[kind]);
                assert_int_equal(in.d.status, n == 10 ? CW_OK : CW_ERR_VARINT);
                assert_true(p == (n == 10 ? in.d.end : NULL));
                assert_true(n == 10 || (in.error.offset == 2 + at && x.len == 0));
                input_close(&in);
            }
        }
    }
}

/* B38: little-endian on the wire, whatever the host is. */
static void doubles(void **state)
{
    (void)state;
    static const uint8_t bytes[] = "\x10\x00\x00\x00\x00\x00\x80\x59\x40\x00\x00\x00\x00\x00\x00"
                                   "\xf0\xbf";
    input in;
    cw_f64_list x = {0};
    input_open(&in, bytes, 17);
    assert_non_null(cw__get_packed_double(&in.d, in.d.begin, in.d.end, &x));
    assert_int_equal(x.len, 2);
    assert_true(x.data[0] > 101.99 && x.data[0] < 102.01);
    assert_true(x.data[1] < -0.99 && x.data[1] > -1.01);
    uint8_t buf[40];
    cw__encoder w;
    size_t len = 0;
    uint8_t *p = cw__encode_begin(&w, buf, sizeof buf, NULL);
    p = cw__put_packed_double(&w, p, &x, 12);
    assert_int_equal(cw__encode_end(&w, p, buf, &len, "A"), CW_OK);
    assert_int_equal(len, 17);
    assert_memory_equal(buf, bytes, 17);
    input_close(&in);
}

/* ---- closed enums -----------------------------------------------------------------------------
 */

static bool is_small(int32_t v)
{
    return v >= -1 && v <= 3;
}

static void closed_enums(void **state)
{
    (void)state;
    static const char packed[] = "\x0f\x01\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x03\x90\x4e";
    input in;
    cw_i32_list x = {0};
    cw_unknown *u = NULL;
    input_open(&in, packed, 16);
    assert_ptr_equal(cw__get_packed_closed(&in.d, in.d.begin, in.d.end, &x, is_small, 9 << 3, &u),
                     in.d.end);
    assert_int_equal(x.len, 3);
    assert_int_equal(x.data[0], 1);
    assert_int_equal(x.data[1], -1);
    assert_int_equal(x.data[2], 3);
    assert_int_equal(u->len, 5);
    assert_memory_equal(u->data, "\x48\x05\x48\x90\x4e", 5);
    assert_ptr_equal(cw__get_closed(&in.d, in.d.begin + 1, in.d.end, &x, is_small, 9 << 3, &u),
                     in.d.begin + 2);
    assert_int_equal(x.len, 4);
    assert_ptr_equal(cw__get_closed(&in.d, in.d.begin + 2, in.d.end, &x, is_small, 9 << 3, &u),
                     in.d.begin + 3);
    assert_int_equal(x.len, 4);
    assert_int_equal(u->len, 7);
    input_close(&in);
    for (size_t n = 0; n < 16; n++) {
        input_open(&in, packed, n);
        assert_null(cw__get_packed_closed(&in.d, in.d.begin, in.d.end, &x, is_small, 9 << 3, &u));
        assert_int_equal(in.d.status, CW_ERR_TRUNCATED);
        input_close(&in);
    }
    x.len = x.cap = 0;
    input_open(&in, "\x00", 1);
    assert_non_null(cw__get_packed_closed(&in.d, in.d.begin, in.d.end, &x, is_small, 72, &u));
    assert_int_equal(x.len, 0);
    input_close(&in);
}

/* ---- strings ----------------------------------------------------------------------------------
 */

static void strings(void **state)
{
    (void)state;
    enum { N = 40 };
    static const uint32_t tags[] = {0x0a, 0x82, 0x40002};
    char text[N * 3];
    cw_str elements[N];
    memset(text, 's', sizeof text);
    for (size_t i = 0; i < N; i++) {
        elements[i] = cw_str_of(i == 1 ? NULL : text, i == 1 ? 0 : i * 7 % (3 * N));
    }
    cw_str_list list = {elements, N, 0};
    for (size_t t = 0; t < 3; t++) {
        uint8_t buf[8000];
        cw__encoder w;
        size_t len = 0, tag_len = cw__varint_size(tags[t]);
        size_t size = (size_t)cw__size_strings(&list) + N * tag_len;
        uint8_t *p = cw__encode_begin(&w, buf, size, NULL);
        p = cw__put_strings(&w, p, &list, tags[t], 40);
        assert_int_equal(cw__encode_end(&w, p, buf, &len, "A"), CW_OK);
        assert_int_equal(len, size);
        cw_str_list back = {0};
        cw_bytes_list raw = {0};
        input in;
        input_open(&in, buf, len);
        const uint8_t *q = in.d.begin;
        while (q != in.d.end) {
            uint32_t tag = 0;
            q = cw__get_tag(&in.d, q, in.d.end, &tag);
            assert_int_equal(tag, tags[t]);
            assert_non_null(cw__get_bytes_list(&in.d, q, in.d.end, &raw, tag));
            raw.len = back.len + 1;
            q = cw__get_strings(&in.d, q, in.d.end, &back, tag, true);
            assert_non_null(q);
        }
        assert_int_equal(back.len, N);
        assert_int_equal(back.cap, N); /* one run: exact */
        for (size_t i = 0; i < N; i++) {
            assert_true(cw_str_equal(back.data[i], elements[i]));
            assert_int_equal(back.data[i].data[back.data[i].len], 0);
        }
        input_close(&in);
        for (size_t n = tag_len; n < len; n++) { /* never past the end */
            input_open(&in, buf, n);
            back = (cw_str_list){0};
            q = in.d.begin;
            while (q && q != in.d.end) {
                uint32_t tag = 0;
                q = cw__get_tag(&in.d, q, in.d.end, &tag);
                q = q ? cw__get_strings(&in.d, q, in.d.end, &back, tag, true) : NULL;
            }
            assert_true(q || in.d.status == CW_ERR_TRUNCATED);
            input_close(&in);
        }
    }
}

static void lists_of_bytes(void **state)
{
    (void)state;
    cw_bytes elements[] = {cw_bytes_of("\xff\x00", 2), cw_bytes_of(NULL, 0), cw_bytes_of("x", 1)};
    cw_bytes_list list = {elements, 3, 0};
    uint8_t buf[9];
    cw__encoder w;
    size_t len = 0;
    assert_int_equal(cw__size_bytes_list(&list), 6);
    uint8_t *p = cw__encode_begin(&w, buf, sizeof buf, NULL);
    p = cw__put_bytes_list(&w, p, &list, 0x0a, 30);
    assert_int_equal(cw__encode_end(&w, p, buf, &len, "A"), CW_OK);
    assert_int_equal(len, 9);
    assert_memory_equal(buf, "\x0a\x02\xff\x00\x0a\x00\x0a\x01x", 9);
    cw_bytes_list back = {0};
    input in;
    input_open(&in, buf, len);
    assert_ptr_equal(cw__get_bytes_list(&in.d, in.d.begin + 1, in.d.end, &back, 0x0a), in.d.end);
    assert_int_equal(back.len, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(cw_bytes_equal(back.data[i], elements[i]));
    }
    input_close(&in);
}

static void wrong_strings(void **state)
{
    (void)state;
    input in;
    cw_str_list x = {0};
    input_open(&in, BYTES("\x01x\x0a\x01y\x0a\x01\xff\x0a\x00"));
    assert_null(cw__get_strings(&in.d, in.d.begin, in.d.end, &x, 0x0a, true));
    assert_int_equal(in.d.status, CW_ERR_UTF8);
    assert_int_equal(in.error.offset, 6);
    assert_int_equal(x.len, 2); /* the index of the wrong one */
    input_close(&in);
    x = (cw_str_list){0};
    input_open(&in, BYTES("\x01x\x0a\x01\xff"));
    assert_non_null(cw__get_strings(&in.d, in.d.begin, in.d.end, &x, 0x0a, false));
    assert_int_equal(x.len, 2);
    input_close(&in);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static void every_allocation_may_fail(void **state)
{
    (void)state;
    sample s;
    uint8_t bytes[MAX_LEN * 15 + 10];
    sample_make(&s, CW__VARINT64, MAX_LEN, 1);
    size_t n = plain_list(&s, 0, bytes);
    cw_status st = CW_ERR_MEMORY;
    size_t failures;
    for (failures = 0; st != CW_OK; failures++) {
        counter c = {.fail_at = failures + 1};
        cw_arena a;
        counter_arena(&a, &c, &(cw_arena_options){.first_block = 64});
        cw__decoder d;
        cw__array x = {NULL, 0, 0};
        cw__decode_begin(&d, bytes, n, &a, NULL, NULL);
        for (int i = 0; i < 20; i++) {
            size_t len = x.len;
            const uint8_t *p = cw__get_packed(&d, d.begin, d.end, &x, s.kind);
            if (!p) {
                assert_int_equal(x.len, len);
                break;
            }
            check_array(&x, &s, (size_t)i + 1);
        }
        st = cw__decode_end(&d, "A");
        assert_true(st == CW_OK || st == CW_ERR_MEMORY);
        cw_arena_free(&a);
        assert_int_equal(c.live, 0);
    }
    assert_true(failures > 3);
}

static void budgets_hold(void **state)
{
    (void)state;
    sample s;
    uint8_t bytes[MAX_LEN * 15 + 10];
    sample_make(&s, CW__BOOL, 70, 0);
    size_t n = plain_list(&s, 0, bytes);
    for (size_t max = 1; max < 200; max++) {
        cw_arena a = {0};
        cw__decoder d;
        cw__array x = {NULL, 0, 0};
        cw__decode_begin(&d, bytes, n, &a, &(cw_decode_options){.max_memory = max}, NULL);
        cw__get_packed(&d, d.begin, d.end, &x, s.kind);
        /* 70 bytes, rounded to 72 */
        assert_int_equal(cw__decode_end(&d, "A"), max >= 72 ? CW_OK : CW_ERR_LIMIT);
        cw_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(long_varints_in_bools),
        cmocka_unit_test(wrong_packed_fields),
        cmocka_unit_test(wrong_varints_in_long_lists),
        cmocka_unit_test(doubles),
        cmocka_unit_test(closed_enums),
        cmocka_unit_test(strings),
        cmocka_unit_test(lists_of_bytes),
        cmocka_unit_test(wrong_strings),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(budgets_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
