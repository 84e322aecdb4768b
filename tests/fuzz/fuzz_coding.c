/* SPDX-License-Identifier: MIT */
/*
 * fuzz_coding.c: any bytes as a coded body, as a body to code, and as the value of Accept-Encoding
 * and Content-Encoding.
 *
 *   - Decoding never makes more than there is room for.
 *   - It ends the same however the body is cut: with the same bytes, or with an error.
 *   - What was coded, in whatever pieces, is decoded to itself.
 *   - A coding is only chosen when it is offered, and a list means the same in one line and in two.
 *
 * An input is three bytes (coding and level, size of pieces, room in units of 64 bytes), then data.
 */
#include <stdlib.h>

#include "coding.h"
#include "support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 3, ROOM_UNIT = 64, EXPANSION = 1032 };

typedef struct coding_input {
    unsigned coding;
    int level;
    size_t cut, room;
    cw_bytes data;
} coding_input;

/* Each piece in a block of its own size. */
static cw_net_status run(cw__coder *c, bool encodes, cw_bytes in, size_t cut, size_t room,
                         cw__buf *out)
{
    cw_net_error e = {.status = CW_NET_OK};
    cw_net_status st = CW_NET_OK;
    size_t at = 0;
    cut = cut > 0 ? cut : in.len;
    do {
        size_t n = in.len - at < cut ? in.len - at : cut;
        uint8_t *piece = malloc(n > 0 ? n : 1);
        FUZZ_CHECK(piece);
        if (n > 0) {
            memcpy(piece, in.data + at, n);
        }
        at += n;
        cw_bytes bytes = cw_bytes_of(piece, n);
        st = encodes ? cw__encode(c, bytes, at == in.len, out, &e)
                     : cw__decode(c, bytes, at == in.len, room - cw__buf_len(out), out, &e);
        free(piece);
        FUZZ_CHECK(st == e.status || st == CW_NET_OK);
        FUZZ_CHECK(encodes || cw__buf_len(out) <= room);
    } while (st == CW_NET_OK && at < in.len);
    return st;
}

static void decode(const coding_input *in)
{
    cw__coder *c = cw__decoder_open(in->coding, EXPANSION);
    FUZZ_CHECK(c);
    cw__buf whole = {NULL, 0, 0, 0}, pieces = {NULL, 0, 0, 0};
    cw_net_status st = run(c, false, in->data, 0, in->room, &whole);
    FUZZ_CHECK(cw__coder_reset(c));
    cw_net_status again = run(c, false, in->data, in->cut, in->room, &pieces);
    FUZZ_CHECK((st == CW_NET_OK) == (again == CW_NET_OK));
    FUZZ_CHECK(st == CW_NET_OK || st == CW_NET_ERR_CODING || st == CW_NET_ERR_BODY_LIMIT);
    FUZZ_CHECK(again == CW_NET_OK || again == CW_NET_ERR_CODING || again == CW_NET_ERR_BODY_LIMIT);
    FUZZ_CHECK(st != CW_NET_OK || cw_bytes_equal(cw__buf_bytes(&whole), cw__buf_bytes(&pieces)));
    cw__buf_free(&whole);
    cw__buf_free(&pieces);
    cw__coder_free(c);
}

static void round_trip(const coding_input *in)
{
    cw__coder *encoder = cw__encoder_open(in->coding, in->level);
    cw__coder *decoder = cw__decoder_open(in->coding, EXPANSION);
    FUZZ_CHECK(encoder && decoder);
    cw__buf coded = {NULL, 0, 0, 0}, plain = {NULL, 0, 0, 0};
    FUZZ_CHECK(run(encoder, true, in->data, in->cut, 0, &coded) == CW_NET_OK);
    FUZZ_CHECK(run(decoder, false, cw__buf_bytes(&coded), in->cut, in->data.len, &plain) ==
               CW_NET_OK);
    FUZZ_CHECK(cw_bytes_equal(cw__buf_bytes(&plain), in->data));
    cw__buf_free(&coded);
    cw__buf_free(&plain);
    cw__coder_free(encoder);
    cw__coder_free(decoder);
}

static void negotiate(const coding_input *in)
{
    cw_str value = cw_str_of((const char *)in->data.data, in->data.len);
    const char *comma = value.len > 0 ? memchr(value.data, ',', value.len) : NULL;
    size_t head = comma ? (size_t)(comma - value.data) : value.len;
    size_t tail = comma ? value.len - head - 1 : 0;
    cw_http_field one[] = {{CW_STR("accept-encoding"), value}};
    cw_http_field two[] = {
        {CW_STR("accept-encoding"), cw_str_of(value.data, head)},
        {CW_STR("accept-encoding"), cw_str_of(comma ? comma + 1 : value.data, tail)}};
    for (unsigned offered = 0; offered < 4; offered++) {
        unsigned chosen = cw__coding_choose((cw_http_fields){one, 1}, offered);
        FUZZ_CHECK(chosen == 0 || chosen == CW_HTTP_GZIP || chosen == CW_HTTP_BR);
        FUZZ_CHECK((chosen & offered) == chosen);
        FUZZ_CHECK(cw__coding_choose((cw_http_fields){two, 2}, offered) == chosen);
    }
    one[0].name = two[0].name = two[1].name = CW_STR("content-encoding");
    unsigned coding, of_two;
    cw_net_status st = cw__coding_of((cw_http_fields){one, 1}, &coding, NULL);
    FUZZ_CHECK(st == CW_NET_OK || st == CW_NET_ERR_CODING);
    FUZZ_CHECK(cw__coding_of((cw_http_fields){two, 2}, &of_two, NULL) == st);
    FUZZ_CHECK(st != CW_NET_OK || (coding <= CW_HTTP_BR && coding == of_two));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEADER) {
        return 0;
    }
    /* A block that ends where the data does. */
    size_t len = size - HEADER;
    uint8_t *exact = malloc(len > 0 ? len : 1);
    FUZZ_CHECK(exact);
    if (len > 0) {
        memcpy(exact, data + HEADER, len);
    }
    coding_input in = {
        .coding = data[0] & 1 ? CW_HTTP_BR : CW_HTTP_GZIP,
        .level = data[0] >> 1 & 7, /* brotli's slow levels are left out */
        .cut = data[1],
        .room = (size_t)data[2] * ROOM_UNIT,
        .data = cw_bytes_of(exact, len),
    };
    decode(&in);
    round_trip(&in);
    negotiate(&in);
    free(exact);
    return 0;
}
