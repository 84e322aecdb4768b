/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "coding.h"

enum { MIB = 1 << 20, EXPANSION = 1032 };
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const unsigned codings[] = {CW_HTTP_GZIP, CW_HTTP_BR};

/* ---- helpers -------------------------------------------------------------- */

/* Text-like, with repeats and with bytes that do not compress. */
static uint8_t *new_body(size_t len)
{
    static const char *const words[] = {"{\"id\":", "\"name\":\"", "Berlin", "\",", "1234", "}\n"};
    uint8_t *body = malloc(len + 16);
    assert_non_null(body);
    uint32_t seed = 1;
    for (size_t n = 0; n < len;) {
        seed = seed * 1664525 + 1013904223;
        const char *word = words[(seed >> 24) % COUNT(words)];
        size_t size = strlen(word);
        memcpy(body + n, word, size);
        body[n] = seed >> 31 ? (uint8_t)(seed >> 16) : body[n];
        n += size;
    }
    return body;
}

/* A copy that ends where its block does. */
static uint8_t *exact(cw_bytes s)
{
    uint8_t *copy = malloc(s.len > 0 ? s.len : 1);
    assert_non_null(copy);
    if (s.len > 0) {
        memcpy(copy, s.data, s.len);
    }
    return copy;
}

/* Feeds a body in pieces of `cut` bytes (0: as a whole), each in a block of its own. The end comes
 * with the last piece, or after it when `apart`. */
static cw_net_status feed(cw__coder *c, bool encodes, cw_bytes in, size_t cut, bool apart,
                          size_t room, cw__buf *out, cw_net_error *e)
{
    cut = cut > 0 && cut < in.len ? cut : in.len;
    cw_net_status st = CW_NET_OK;
    size_t at = 0;
    do {
        size_t n = in.len - at < cut ? in.len - at : cut;
        uint8_t *piece = exact(cw_bytes_of(n > 0 ? in.data + at : NULL, n));
        at += n;
        bool last = at == in.len && !apart;
        st = encodes ? cw__encode(c, cw_bytes_of(piece, n), last, out, e)
                     : cw__decode(c, cw_bytes_of(piece, n), last, room - cw__buf_len(out), out, e);
        free(piece);
    } while (st == CW_NET_OK && at < in.len);
    if (st == CW_NET_OK && apart) {
        cw_bytes none = {NULL, 0};
        st = encodes ? cw__encode(c, none, true, out, e)
                     : cw__decode(c, none, true, room - cw__buf_len(out), out, e);
    }
    return st;
}

static void encode(cw__coder *c, cw_bytes in, size_t cut, bool apart, cw__buf *out)
{
    cw_net_error e = {0};
    assert_true(cw__coder_reset(c));
    cw__buf_clear(out);
    assert_int_equal(feed(c, true, in, cut, apart, 0, out, &e), CW_NET_OK);
}

static cw_net_status decode(cw__coder *c, cw_bytes in, size_t cut, bool apart, size_t room,
                            cw__buf *out, cw_net_error *e)
{
    *e = (cw_net_error){.status = CW_NET_OK};
    assert_true(cw__coder_reset(c));
    cw__buf_free(out);
    cw_net_status st = feed(c, false, in, cut, apart, room, out, e);
    assert_true(cw__buf_len(out) <= room);
    assert_int_equal(e->status, st);
    return st;
}

static void assert_decodes(cw__coder *c, cw_bytes in, size_t cut, cw_bytes expected)
{
    cw__buf out = {NULL, 0, 0, 0};
    cw_net_error e;
    for (int apart = 0; apart < 2; apart++) {
        assert_int_equal(decode(c, in, cut, apart, expected.len, &out, &e), CW_NET_OK);
        assert_int_equal(cw__buf_len(&out), expected.len);
        assert_true(cw_bytes_equal(cw__buf_bytes(&out), expected));
    }
    cw__buf_free(&out);
}

/* A body of zeros of this size, coded. */
static cw__buf coded_zeros(unsigned coding, size_t len)
{
    uint8_t *zeros = calloc(len, 1);
    assert_non_null(zeros);
    cw__coder *c = cw__encoder_open(coding, 9);
    assert_non_null(c);
    cw__buf out = {NULL, 0, 0, 0};
    encode(c, cw_bytes_of(zeros, len), 0, false, &out);
    cw__coder_free(c);
    free(zeros);
    return out;
}

/* ---- round trips ---------------------------------------------------------- */

static void all_levels(void **state)
{
    (void)state;
    static const size_t lengths[] = {0, 1, 113, 1000, 23000, 200000};
    static const size_t cuts[] = {0, 1, 7, 4096};
    uint8_t *body = new_body(200000);
    for (size_t k = 0; k < COUNT(codings); k++) {
        cw__coder *decoder = cw__decoder_open(codings[k], EXPANSION);
        assert_non_null(decoder);
        for (int level = 0; level <= (codings[k] == CW_HTTP_GZIP ? 10 : 12); level++) {
            cw__coder *encoder = cw__encoder_open(codings[k], level);
            assert_non_null(encoder);
            cw__buf out = {NULL, 0, 0, 0};
            for (size_t i = 0; i < COUNT(lengths); i++) {
                cw_bytes plain = cw_bytes_of(body, lengths[i]);
                if (codings[k] == CW_HTTP_BR && level > 9 && plain.len > 23000) {
                    continue; /* a second each */
                }
                encode(encoder, plain, 0, i % 2, &out);
                assert_decodes(decoder, cw__buf_bytes(&out),
                               cuts[(i + (size_t)level) % COUNT(cuts)], plain);
            }
            cw__buf_free(&out);
            cw__coder_free(encoder);
        }
        cw__coder_free(decoder);
    }
    free(body);
}

static void odd_cuts(void **state)
{
    (void)state;
    static const size_t cuts[] = {0, 1, 2, 3, 17, 1000, 16384};
    uint8_t *body = new_body(20000);
    cw_bytes plain = cw_bytes_of(body, 20000);
    for (size_t k = 0; k < COUNT(codings); k++) {
        cw__coder *encoder = cw__encoder_open(codings[k], 1);
        cw__coder *decoder = cw__decoder_open(codings[k], EXPANSION);
        cw__buf out = {NULL, 0, 0, 0};
        for (size_t i = 0; i < COUNT(cuts); i++) {
            /* Each piece is flushed: one byte at a time makes it long, not wrong. */
            encode(encoder, plain, cuts[i], i % 2, &out);
            assert_true(cuts[i] < 1000 || cw__buf_len(&out) < plain.len);
            for (size_t j = 0; j < COUNT(cuts); j++) {
                assert_decodes(decoder, cw__buf_bytes(&out), cuts[j], plain);
            }
        }
        cw__buf_free(&out);
        cw__coder_free(decoder);
        cw__coder_free(encoder);
    }
    free(body);
}

/* What was written so far can be decoded, without the end. */
static void pieces_are_flushed(void **state)
{
    (void)state;
    uint8_t *body = new_body(5000);
    for (size_t k = 0; k < COUNT(codings); k++) {
        cw__coder *encoder = cw__encoder_open(codings[k], 0);
        cw__coder *decoder = cw__decoder_open(codings[k], EXPANSION);
        cw__buf coded = {NULL, 0, 0, 0}, plain = {NULL, 0, 0, 0};
        cw_net_error e = {0};
        for (size_t at = 0; at < 5000; at += 1250) {
            cw__buf_clear(&coded);
            assert_int_equal(cw__encode(encoder, cw_bytes_of(body + at, 1250), false, &coded, &e),
                             CW_NET_OK);
            assert_int_equal(
                cw__decode(decoder, cw__buf_bytes(&coded), false, SIZE_MAX, &plain, &e), CW_NET_OK);
            assert_int_equal(cw__buf_len(&plain), at + 1250);
            assert_memory_equal(plain.data, body, at + 1250);
        }
        cw__buf_clear(&coded);
        assert_int_equal(cw__encode(encoder, cw_bytes_of(NULL, 0), false, &coded, &e), CW_NET_OK);
        assert_int_equal(cw__buf_len(&coded), 0);
        assert_int_equal(cw__encode(encoder, cw_bytes_of(NULL, 0), true, &coded, &e), CW_NET_OK);
        assert_true(cw__buf_len(&coded) > 0);
        assert_int_equal(cw__encode(encoder, cw_bytes_of(body, 1), true, &coded, &e),
                         CW_NET_ERR_ARGUMENT);
        assert_int_equal(cw__decode(decoder, cw__buf_bytes(&coded), true, SIZE_MAX, &plain, &e),
                         CW_NET_OK);
        cw__buf_free(&coded);
        cw__buf_free(&plain);
        cw__coder_free(decoder);
        cw__coder_free(encoder);
    }
    free(body);
}

/* Bytes that other programs made. */
static void foreign(void **state)
{
    (void)state;
#define ROW(coding, bytes, text)                                                                   \
    {                                                                                              \
        __LINE__, coding, bytes, sizeof(bytes) - 1, text                                           \
    }
    static const struct {
        int line;
        unsigned coding;
        const char *bytes;
        size_t len;
        const char *text;
    } rows[] = {
        ROW(CW_HTTP_GZIP,
            "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36"
            "\x05\x00\x00\x00",
            "hello"),
        /* extra field, name, comment, header checksum */
        ROW(CW_HTTP_GZIP,
            "\x1f\x8b\x08\x1f\x01\x02\x03\x04\x00\x03\x04\x00\x41\x42\x00\x00\x6e\x61\x6d\x65\x00"
            "\x63\x6f\x6d\x6d\x65\x6e\x74\x00\x66\x7e\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36"
            "\x05\x00\x00\x00",
            "hello"),
        /* two members, the first of them empty */
        ROW(CW_HTTP_GZIP,
            "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x1f"
            "\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05"
            "\x00\x00\x00",
            "hello"),
        ROW(CW_HTTP_BR, "\x06", ""),
        ROW(CW_HTTP_BR,
            "\x0b\x02\x80"
            "hello\x03",
            "hello"),
        /* no bytes at all are an empty body */
        ROW(CW_HTTP_GZIP, "", ""),
        ROW(CW_HTTP_BR, "", ""),
    };
#undef ROW
    for (size_t i = 0; i < COUNT(rows); i++) {
        cw__coder *c = cw__decoder_open(rows[i].coding, EXPANSION);
        for (size_t cut = 0; cut < 4; cut++) {
            cw_str text = cw_str_from(rows[i].text);
            cw__buf out = {NULL, 0, 0, 0};
            cw_net_error e;
            if (decode(c, cw_bytes_of(rows[i].bytes, rows[i].len), cut, cut % 2, text.len, &out,
                       &e) != CW_NET_OK ||
                !cw_bytes_equal(cw__buf_bytes(&out), cw_bytes_of(text.data, text.len))) {
                fail_msg("row at line %d: %s, %zu bytes", rows[i].line, e.detail,
                         cw__buf_len(&out));
            }
            cw__buf_free(&out);
        }
        cw__coder_free(c);
    }
}

static void many_members(void **state)
{
    (void)state;
    uint8_t *body = new_body(3000);
    cw__coder *encoder = cw__encoder_open(CW_HTTP_GZIP, 6);
    cw__coder *decoder = cw__decoder_open(CW_HTTP_GZIP, EXPANSION);
    cw__buf all = {NULL, 0, 0, 0}, one = {NULL, 0, 0, 0};
    for (size_t i = 0; i < 30; i++) {
        encode(encoder, cw_bytes_of(body + 100 * i, 100), 0, false, &one);
        assert_true(cw__buf_append_bytes(&all, cw__buf_bytes(&one)));
    }
    for (size_t cut = 0; cut < 40; cut++) {
        assert_decodes(decoder, cw__buf_bytes(&all), cut, cw_bytes_of(body, 3000));
    }
    cw__buf_free(&all);
    cw__buf_free(&one);
    cw__coder_free(decoder);
    cw__coder_free(encoder);
    free(body);
}

/* ---- errors --------------------------------------------------------------- */

static void cut_off(void **state)
{
    (void)state;
    uint8_t *body = new_body(600);
    for (size_t k = 0; k < COUNT(codings); k++) {
        cw__coder *encoder = cw__encoder_open(codings[k], 5);
        cw__coder *decoder = cw__decoder_open(codings[k], EXPANSION);
        cw__buf coded = {NULL, 0, 0, 0}, out = {NULL, 0, 0, 0};
        cw_net_error e;
        encode(encoder, cw_bytes_of(body, 600), 0, false, &coded);
        for (size_t len = 1; len < cw__buf_len(&coded); len++) {
            cw_bytes prefix = cw_bytes_of(coded.data, len);
            assert_int_equal(decode(decoder, prefix, 0, len % 2, 600, &out, &e), CW_NET_ERR_CODING);
            assert_string_equal(e.detail, k == 0 ? "gzip: cut off" : "br: cut off");
            /* and it stays so until the next body */
            assert_int_equal(cw__decode(decoder, cw_bytes_of(NULL, 0), true, 600, &out, &e),
                             CW_NET_ERR_CODING);
        }
        assert_decodes(decoder, cw__buf_bytes(&coded), 0, cw_bytes_of(body, 600));
        cw__buf_free(&coded);
        cw__buf_free(&out);
        cw__coder_free(decoder);
        cw__coder_free(encoder);
    }
    free(body);
}

static void bytes_after_the_end(void **state)
{
    (void)state;
    static const struct {
        const char *tail;
        size_t len;
    } tails[] = {
        {"x", 1},        {"\0", 1},           {"\x1f", 1},
        {"\x1f\x8b", 2}, {"\x1f\x8c\x08", 3}, {"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20}};
    uint8_t *body = new_body(50);
    for (size_t k = 0; k < COUNT(codings); k++) {
        cw__coder *encoder = cw__encoder_open(codings[k], 5);
        cw__coder *decoder = cw__decoder_open(codings[k], EXPANSION);
        cw__buf coded = {NULL, 0, 0, 0}, out = {NULL, 0, 0, 0};
        for (size_t i = 0; i < COUNT(tails); i++) {
            cw_net_error e;
            encode(encoder, cw_bytes_of(body, 50), 0, false, &coded);
            assert_true(cw__buf_append(&coded, tails[i].tail, tails[i].len));
            for (size_t cut = 0; cut < 3; cut++) {
                assert_int_equal(
                    decode(decoder, cw__buf_bytes(&coded), cut, cut % 2, SIZE_MAX, &out, &e),
                    CW_NET_ERR_CODING);
            }
        }
        cw__buf_free(&coded);
        cw__buf_free(&out);
        cw__coder_free(decoder);
        cw__coder_free(encoder);
    }
    free(body);
}

/* One bit wrong: an error, or (in a header field that means nothing) the same body; in br, which
 * has no checksum, perhaps another body. */
static void corrupt(void **state)
{
    (void)state;
    uint8_t *body = new_body(300);
    for (size_t k = 0; k < COUNT(codings); k++) {
        cw__coder *encoder = cw__encoder_open(codings[k], 5);
        cw__coder *decoder = cw__decoder_open(codings[k], EXPANSION);
        cw__buf coded = {NULL, 0, 0, 0}, out = {NULL, 0, 0, 0};
        encode(encoder, cw_bytes_of(body, 300), 0, false, &coded);
        size_t bits = 8 * cw__buf_len(&coded), failed = 0;
        for (size_t bit = 0; bit < bits; bit++) {
            cw_net_error e;
            coded.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            cw_net_status st =
                decode(decoder, cw__buf_bytes(&coded), bit % 3, bit % 2, 100000, &out, &e);
            coded.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            failed += st == CW_NET_ERR_CODING;
            if (st == CW_NET_OK && k == 0) {
                assert_true(cw_bytes_equal(cw__buf_bytes(&out), cw_bytes_of(body, 300)));
            } else if (st != CW_NET_OK) {
                assert_int_equal(st, CW_NET_ERR_CODING);
                assert_true(strlen(e.detail) > 6);
            }
        }
        assert_true(failed > (k == 0 ? bits - 64 : bits / 20));
        cw__buf_free(&coded);
        cw__buf_free(&out);
        cw__coder_free(decoder);
        cw__coder_free(encoder);
    }
    free(body);
}

static void not_coded_at_all(void **state)
{
    (void)state;
    static const char text[] = "{\"id\":12345,\"name\":\"nothing here was compressed\"}";
    for (size_t k = 0; k < COUNT(codings); k++) {
        cw__coder *decoder = cw__decoder_open(codings[k], EXPANSION);
        cw__buf out = {NULL, 0, 0, 0};
        cw_net_error e;
        assert_int_equal(
            decode(decoder, cw_bytes_of(text, sizeof text - 1), 0, false, SIZE_MAX, &out, &e),
            CW_NET_ERR_CODING);
        if (k == 0) {
            assert_string_equal(e.detail, "gzip: incorrect header check");
        }
        /* What comes later does not mend it. */
        cw__buf good = coded_zeros(codings[k], 10);
        assert_int_equal(cw__decode(decoder, cw__buf_bytes(&good), true, SIZE_MAX, &out, &e),
                         CW_NET_ERR_CODING);
        assert_string_equal(e.detail, "the body was corrupt before");
        assert_int_equal(decode(decoder, cw__buf_bytes(&good), 0, false, 10, &out, &e), CW_NET_OK);
        cw__buf_free(&good);
        cw__buf_free(&out);
        cw__coder_free(decoder);
    }
}

/* ---- limits --------------------------------------------------------------- */

static void bombs(void **state)
{
    (void)state;
    static const size_t cuts[] = {0, 1, 100};
    for (size_t k = 0; k < COUNT(codings); k++) {
        cw__buf coded = coded_zeros(codings[k], 10 * MIB);
        assert_true(cw__buf_len(&coded) < 20000);
        cw__coder *decoder = cw__decoder_open(codings[k], EXPANSION);
        for (size_t i = 0; i < COUNT(cuts); i++) {
            cw__buf out = {NULL, 0, 0, 0};
            cw_net_error e;
            assert_int_equal(decode(decoder, cw__buf_bytes(&coded), cuts[i], false, MIB, &out, &e),
                             CW_NET_ERR_BODY_LIMIT);
            assert_true(cw__buf_len(&out) <= MIB);
            assert_true(out.cap <= MIB);
            assert_int_equal(decode(decoder, cw__buf_bytes(&coded), cuts[i], false, 0, &out, &e),
                             CW_NET_ERR_BODY_LIMIT);
            assert_int_equal(out.cap, 0);
            cw__buf_free(&out);
        }
        cw__coder_free(decoder);
        cw__buf_free(&coded);
    }
}

/* Whatever the room is: what a few bytes may become has a limit; gzip does not reach the default.
 */
static void expansion(void **state)
{
    (void)state;
    enum { FREE = 256 * 1024 };
    static const struct {
        size_t max;
        bool lets_gzip, lets_br;
    } rows[] = {{EXPANSION, true, false}, {10, false, false}, {SIZE_MAX, true, true}};
    static const size_t cuts[] = {0, 1, 1000};
    for (size_t n = 0; n < COUNT(codings) * COUNT(rows); n++) {
        size_t k = n % COUNT(codings), max = rows[n / COUNT(codings)].max;
        bool is_gzip = codings[k] == CW_HTTP_GZIP;
        bool is_let =
            is_gzip ? rows[n / COUNT(codings)].lets_gzip : rows[n / COUNT(codings)].lets_br;
        cw__buf free_size = coded_zeros(codings[k], FREE),
                coded = coded_zeros(codings[k], 20 * MIB);
        cw__coder *decoder = cw__decoder_open(codings[k], max);
        for (size_t i = 0; i < COUNT(cuts); i++) {
            cw__buf out = {NULL, 0, 0, 0};
            cw_net_error e;
            cw_bytes in = cw__buf_bytes(&free_size);
            assert_int_equal(decode(decoder, in, cuts[i], false, SIZE_MAX, &out, &e), CW_NET_OK);
            assert_int_equal(cw__buf_len(&out), FREE);
            in = cw__buf_bytes(&coded);
            assert_int_equal(decode(decoder, in, cuts[i], false, SIZE_MAX, &out, &e),
                             is_let ? CW_NET_OK : CW_NET_ERR_BODY_LIMIT);
            size_t most = is_let ? 20 * MIB : FREE + max * in.len;
            assert_in_range(cw__buf_len(&out), is_let ? 20 * MIB : 0, most);
            assert_true(is_let || out.cap <= 2 * (FREE + max * in.len));
            cw__buf_free(&out);
        }
        cw__coder_free(decoder);
        cw__buf_free(&free_size);
        cw__buf_free(&coded);
    }
}

static void exact_room(void **state)
{
    (void)state;
    static const size_t lengths[] = {1, 113, 1024, 1025, 65536, 100000};
    for (size_t k = 0; k < COUNT(codings); k++) {
        cw__coder *decoder = cw__decoder_open(codings[k], EXPANSION);
        for (size_t i = 0; i < COUNT(lengths); i++) {
            cw__buf coded = coded_zeros(codings[k], lengths[i]), out = {NULL, 0, 0, 0};
            for (size_t cut = 0; cut < 2; cut++) {
                cw_net_error e;
                cw_bytes in = cw__buf_bytes(&coded);
                assert_int_equal(decode(decoder, in, cut, cut, lengths[i], &out, &e), CW_NET_OK);
                assert_int_equal(cw__buf_len(&out), lengths[i]);
                assert_int_equal(decode(decoder, in, cut, cut, lengths[i] + 1, &out, &e),
                                 CW_NET_OK);
                assert_int_equal(cw__buf_len(&out), lengths[i]);
                assert_int_equal(decode(decoder, in, cut, cut, lengths[i] - 1, &out, &e),
                                 CW_NET_ERR_BODY_LIMIT);
            }
            cw__buf_free(&coded);
            cw__buf_free(&out);
        }
        cw__coder_free(decoder);
    }
}

/* Growth goes by steps: a great room costs nothing. */
static void memory_follows_the_body(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(codings); k++) {
        cw__buf coded = coded_zeros(codings[k], 113), out = {NULL, 0, 0, 0};
        cw__coder *decoder = cw__decoder_open(codings[k], EXPANSION);
        cw_net_error e;
        assert_int_equal(decode(decoder, cw__buf_bytes(&coded), 0, false, SIZE_MAX, &out, &e),
                         CW_NET_OK);
        assert_true(out.cap <= 1024);
        cw__coder_free(decoder);
        cw__buf_free(&coded);
        cw__buf_free(&out);
    }
}

/* An encoder or decoder that was left in the middle, or failed, is as good as new after a reset. */
static void reset_in_the_middle(void **state)
{
    (void)state;
    uint8_t *body = new_body(4000);
    cw_bytes plain = cw_bytes_of(body, 4000);
    for (size_t k = 0; k < COUNT(codings); k++) {
        cw__coder *encoder = cw__encoder_open(codings[k], 6);
        cw__coder *decoder = cw__decoder_open(codings[k], EXPANSION);
        cw__buf coded = {NULL, 0, 0, 0}, out = {NULL, 0, 0, 0}, again = {NULL, 0, 0, 0};
        cw_net_error e;
        encode(encoder, plain, 0, false, &coded);
        assert_true(cw__coder_reset(encoder));
        assert_int_equal(cw__encode(encoder, plain, false, &out, &e), CW_NET_OK);
        encode(encoder, plain, 0, false, &again);
        assert_true(cw_bytes_equal(cw__buf_bytes(&coded), cw__buf_bytes(&again)));
        cw__buf_clear(&out);
        assert_true(cw__coder_reset(decoder));
        assert_int_equal(
            cw__decode(decoder, cw_bytes_of(coded.data, 40), false, SIZE_MAX, &out, &e), CW_NET_OK);
        assert_decodes(decoder, cw__buf_bytes(&coded), 0, plain);
        cw__buf_free(&coded);
        cw__buf_free(&out);
        cw__buf_free(&again);
        cw__coder_free(decoder);
        cw__coder_free(encoder);
    }
    cw__coder_free(NULL);
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_levels),
        cmocka_unit_test(odd_cuts),
        cmocka_unit_test(pieces_are_flushed),
        cmocka_unit_test(foreign),
        cmocka_unit_test(many_members),
        cmocka_unit_test(cut_off),
        cmocka_unit_test(bytes_after_the_end),
        cmocka_unit_test(corrupt),
        cmocka_unit_test(not_coded_at_all),
        cmocka_unit_test(bombs),
        cmocka_unit_test(expansion),
        cmocka_unit_test(exact_room),
        cmocka_unit_test(memory_follows_the_body),
        cmocka_unit_test(reset_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
