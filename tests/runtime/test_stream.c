/* SPDX-License-Identifier: MIT */
/* Delimited streams, with a message type made by hand: everything in it is unknown to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_support.h"
#include "cwire/stream.h"

typedef struct blob {
    cw_unknown *unknown;
} blob;

static void blob_init(void *m)
{
    ((blob *)m)->unknown = NULL;
}

static cw_status blob_encode_arena(const void *m, cw_arena *a, cw_bytes *out, cw_error *e)
{
    cw__encoder w;
    uint8_t *p = cw__encode_arena_begin(&w, a, e);
    p = p ? cw__put_unknown(&w, p, ((const blob *)m)->unknown, 0) : NULL;
    return cw__encode_arena_end(&w, p, out, "a.Blob");
}

static cw_status blob_decode(void *m, const void *data, size_t len, cw_arena *a,
                             const cw_decode_options *o, cw_error *e)
{
    cw__decoder d;
    int depth = cw__decode_begin(&d, data, len, a, o, e);
    const uint8_t *p = d.begin;
    while (p && p < d.end) {
        const uint8_t *start = p;
        uint32_t tag;
        p = cw__get_tag(&d, p, d.end, &tag);
        p = p ? cw__get_unknown(&d, start, p, d.end, tag, &((blob *)m)->unknown, depth) : NULL;
    }
    return cw__decode_end(&d, "a.Blob");
}

static const cw_type blob_type = {.full_name = "a.Blob",
                                  .struct_size = sizeof(blob),
                                  .init = blob_init,
                                  .encode_arena = blob_encode_arena,
                                  .decode = blob_decode};

/* A pipe: writes append; reads give at most `piece` bytes. */
typedef struct pipe {
    uint8_t bytes[70000];
    size_t len, at, piece;
    size_t fail_write, fail_read; /* which call fails, from 1 */
    size_t writes, reads;
} pipe;

static bool pipe_write(void *ctx, const void *data, size_t n)
{
    pipe *s = ctx;
    if (++s->writes == s->fail_write) {
        return false;
    }
    assert_true(n <= sizeof s->bytes - s->len);
    memcpy(s->bytes + s->len, data, n);
    s->len += n;
    return true;
}

static bool pipe_read(void *ctx, void *buf, size_t n, size_t *got)
{
    pipe *s = ctx;
    if (++s->reads == s->fail_read) {
        return false;
    }
    assert_true(n > 0);
    *got = s->len - s->at;
    *got = *got < n ? *got : n;
    *got = *got < s->piece ? *got : s->piece;
    memcpy(buf, s->bytes + s->at, *got);
    s->at += *got;
    return true;
}

/* A message of n bytes: n - 3 or so of them in one field; 0 and from 2 on. */
static blob blob_of(cw_arena *a, size_t n)
{
    blob m = {NULL};
    uint8_t head[8] = {0x0a};
    if (n == 0) {
        return m;
    }
    size_t length = n - 2 < 128 ? n - 2 : n - 3 < 16384 ? n - 3 : n - 4;
    size_t head_len = 1 + cw_delimited_prefix(head + 1, length);
    assert_true(cw__unknown_add(a, &m.unknown, head, head_len));
    for (size_t i = 0; i < length; i++) {
        assert_true(cw__unknown_add(a, &m.unknown, "y", 1));
    }
    assert_int_equal(m.unknown->len, n);
    return m;
}

static const size_t sizes[] = {0, 2, 3, 127, 128, 129, 200, 4095, 4096, 4097, 9000, 20000};
#define N_SIZES (sizeof sizes / sizeof *sizes)

static void round_trip(void **state)
{
    (void)state;
    static const size_t pieces[] = {1, 2, 100, 5000, SIZE_MAX};
    static pipe s;
    for (size_t k = 0; k < 5; k++) {
        cw_arena a = {0};
        cw_error e;
        memset(&s, 0, sizeof s);
        s.piece = pieces[k];
        for (size_t i = 0; i < N_SIZES; i++) {
            blob m = blob_of(&a, sizes[i]);
            assert_int_equal(cw_write_delimited(&blob_type, &m, pipe_write, &s, &a, &e), CW_OK);
        }
        for (size_t i = 0; i < N_SIZES; i++) {
            blob m, expected = blob_of(&a, sizes[i]);
            bool eof = true;
            memset(&m, 0xaa, sizeof m);
            assert_int_equal(
                cw_read_delimited(&blob_type, &m, pipe_read, &s, &a, NULL, 0, &eof, &e), CW_OK);
            assert_false(eof);
            assert_int_equal(m.unknown ? m.unknown->len : 0, sizes[i]);
            if (sizes[i] > 0) {
                assert_memory_equal(m.unknown->data, expected.unknown->data, sizes[i]);
            }
        }
        blob last;
        bool eof = false;
        memset(&last, 0xaa, sizeof last);
        assert_int_equal(cw_read_delimited(&blob_type, &last, pipe_read, &s, &a, NULL, 0, &eof, &e),
                         CW_OK);
        assert_true(eof);
        assert_null(last.unknown);
        cw_arena_free(&a);
    }
}

static void wrong_streams(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *bytes;
        size_t n, max_size;
        cw_status status;
    } rows[] = {
        {__LINE__, "\x80", 1, 0, CW_ERR_TRUNCATED},
        {__LINE__, "\x02\x08", 2, 0, CW_ERR_TRUNCATED},
        {__LINE__, "\x02", 1, 0, CW_ERR_TRUNCATED},
        {__LINE__, "\x02\x08\x01", 3, 2, CW_OK},
        {__LINE__, "\x02\x08\x01", 3, 1, CW_ERR_LIMIT},
        {__LINE__, "\x80\x80\x80\x20", 4, 0, CW_ERR_TRUNCATED},
        {__LINE__, "\x81\x80\x80\x20", 4, 0, CW_ERR_LIMIT}, /* 64 MiB and 1 */
        {__LINE__, "\xff\xff\xff\xff\x07", 5, SIZE_MAX, CW_ERR_TRUNCATED},
        {__LINE__, "\x80\x80\x80\x80\x08", 5, SIZE_MAX, CW_ERR_LENGTH},
        {__LINE__, "\xff\xff\xff\xff\x0f", 5, SIZE_MAX, CW_ERR_LENGTH},
        {__LINE__, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, 0, CW_ERR_VARINT},
        {__LINE__, "\x02\x08\x80", 3, 0, CW_ERR_TRUNCATED}, /* the decoder's */
        {__LINE__, "\x02\x00\x01", 3, 0, CW_ERR_TAG},
    };
    static pipe s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        counter c = {0};
        cw_arena a;
        counter_arena(&a, &c, NULL);
        memset(&s, 0, sizeof s);
        s.piece = 3;
        pipe_write(&s, rows[i].bytes, rows[i].n);
        blob m;
        bool eof = true;
        cw_error e = {0};
        cw_status st =
            cw_read_delimited(&blob_type, &m, pipe_read, &s, &a, NULL, rows[i].max_size, &eof, &e);
        if (st != rows[i].status || eof || e.status != st ||
            (st != CW_OK && strcmp(e.path, "a.Blob") != 0)) {
            fail_msg("row at line %d: %s", rows[i].line, cw_status_name(st));
        }
        /* A length prefix alone makes nobody allocate. */
        assert_true(c.live_bytes < 20000);
        cw_arena_free(&a);
    }
}

static void failing_calls(void **state)
{
    (void)state;
    static pipe s;
    cw_arena a = {0};
    cw_error e;
    for (size_t n = 1; n <= 2; n++) {
        memset(&s, 0, sizeof s);
        s.fail_write = n;
        blob m = blob_of(&a, 10);
        assert_int_equal(cw_write_delimited(&blob_type, &m, pipe_write, &s, &a, &e), CW_ERR_IO);
        assert_int_equal(e.status, CW_ERR_IO);
        assert_string_equal(e.path, "a.Blob");
    }
    for (size_t n = 1; n <= 3; n++) {
        memset(&s, 0, sizeof s);
        s.piece = 1000;
        pipe_write(&s, "\x82\x00\x08\x01", 4);
        s.fail_read = n;
        blob m;
        bool eof = true;
        assert_int_equal(cw_read_delimited(&blob_type, &m, pipe_read, &s, &a, NULL, 0, &eof, &e),
                         CW_ERR_IO);
        assert_false(eof);
        assert_int_equal(e.status, CW_ERR_IO);
    }
    cw_arena_free(&a);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static pipe s, kept;
    cw_arena own = {0};
    blob m = blob_of(&own, 20000);
    memset(&s, 0, sizeof s);
    s.piece = 1000;
    cw_status st = CW_ERR_MEMORY;
    size_t n;
    for (n = 1; st != CW_OK; n++) {
        counter c = {.fail_at = n};
        cw_arena a;
        counter_arena(&a, &c, NULL);
        s.len = 0;
        st = cw_write_delimited(&blob_type, &m, pipe_write, &s, &a, NULL);
        assert_true(st == CW_OK || (st == CW_ERR_MEMORY && s.len == 0));
        cw_arena_free(&a);
    }
    assert_true(n > 2);
    kept = s;
    st = CW_ERR_MEMORY;
    for (n = 1; st != CW_OK; n++) {
        counter c = {.fail_at = n};
        cw_arena a;
        bool eof;
        blob back;
        counter_arena(&a, &c, NULL);
        s = kept;
        st = cw_read_delimited(&blob_type, &back, pipe_read, &s, &a, NULL, 0, &eof, NULL);
        assert_true(st == CW_OK || st == CW_ERR_MEMORY);
        assert_true(st != CW_OK || back.unknown->len == 20000);
        cw_arena_free(&a);
        assert_int_equal(c.live, 0);
    }
    assert_true(n > 3);
    cw_arena_free(&own);
}

static void buffers_of_messages(void **state)
{
    (void)state;
    static const char bytes[] = "\x02yz\x00\x81\x00x\x05yz";
    uint8_t *exact = exact_copy(bytes, 10);
    cw_bytes rest = cw_bytes_of(exact, 10), m = {NULL, 9};
    assert_int_equal(cw_delimited_next(&rest, &m), CW_OK);
    assert_ptr_equal(m.data, exact + 1);
    assert_int_equal(m.len, 2);
    assert_int_equal(cw_delimited_next(&rest, &m), CW_OK);
    assert_int_equal(m.len, 0);
    assert_int_equal(cw_delimited_next(&rest, &m), CW_OK);
    assert_int_equal(m.len, 1);
    assert_int_equal(m.data[0], 'x');
    assert_int_equal(rest.len, 3);
    assert_int_equal(cw_delimited_next(&rest, &m), CW_ERR_TRUNCATED);
    assert_int_equal(rest.len, 3);
    rest.len = 0;
    assert_int_equal(cw_delimited_next(&rest, &m), CW_ERR_TRUNCATED);
    free(exact);
    static const struct {
        int line;
        const char *bytes;
        size_t n;
        cw_status status;
    } rows[] = {
        {__LINE__, "\x80", 1, CW_ERR_TRUNCATED},
        {__LINE__, "\xff\xff\xff\xff\x07", 5, CW_ERR_TRUNCATED},
        {__LINE__, "\xff\xff\xff\xff\x0f", 5, CW_ERR_LENGTH},
        {__LINE__, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, CW_ERR_LENGTH},
        {__LINE__, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10, CW_ERR_VARINT},
        {__LINE__, "\xff\xff\xff\xff\xff\xff\xff\xff\xff", 9, CW_ERR_TRUNCATED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        exact = exact_copy(rows[i].bytes, rows[i].n);
        rest = cw_bytes_of(exact, rows[i].n);
        cw_status st = cw_delimited_next(&rest, &m);
        if (st != rows[i].status || rest.data != exact || rest.len != rows[i].n) {
            fail_msg("row at line %d: %s", rows[i].line, cw_status_name(st));
        }
        free(exact);
    }
}

static void prefixes(void **state)
{
    (void)state;
    static const struct {
        size_t len, n;
        const char *bytes;
    } rows[] = {{0, 1, "\x00"},
                {127, 1, "\x7f"},
                {128, 2, "\x80\x01"},
                {16384, 3, "\x80\x80\x01"},
                {INT32_MAX, 5, "\xff\xff\xff\xff\x07"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t prefix[CW_DELIMITED_PREFIX_MAX];
        assert_int_equal(cw_delimited_prefix(prefix, rows[i].len), rows[i].n);
        assert_memory_equal(prefix, rows[i].bytes, rows[i].n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),          cmocka_unit_test(wrong_streams),
        cmocka_unit_test(failing_calls),       cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(buffers_of_messages), cmocka_unit_test(prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
