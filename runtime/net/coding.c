/* SPDX-License-Identifier: MIT */
#define ZLIB_CONST /* input is const */

#include "coding.h"

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <limits.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <zlib.h>

enum {
    GZIP_WINDOW = 15 + 16, /* 32 KiB, with gzip's header and trailer */
    GZIP_MEMORY = 8, /* zlib's default: less is slower from 20 KB on, and saves 0.6 us below */
    GZIP_LEVEL = 6,
    BR_QUALITY = 4,
    STEP_MIN = 1024, /* output grows by as much, doubling, up to ... */
    STEP_MAX = 65536,
    EXPANSION_FREE = 1 << 18, /* may come out of a decoder, whatever has gone in */
    /* A block of Brotli's decoder, but for its window: 256 tables of 1080 codes are the most, and
     * no byte can make more than two of them. */
    TABLES_FIRST = 65536,
    TABLES_EACH = 8192,
    TABLES_BYTES = 256
};

/* In front of what Brotli's encoder allocates. */
typedef union block {
    struct {
        union block *next, **prev;
    } link;
    max_align_t aligned;
} block;

struct cw__coder {
    unsigned coding;
    bool encodes, begun, ended, broken;
    int level;
    size_t step;          /* of output */
    size_t max_expansion; /* of a decoder */
    size_t taken, made;   /* bytes, of a decoder */
    z_stream z;
    BrotliEncoderState *br_encoder; /* NULL: to be made for the next body */
    BrotliDecoderState *br_decoder;
    size_t block_max;  /* of br_decoder */
    bool is_too_large; /* it has asked for more */
    block *blocks;     /* of br_encoder */
    jmp_buf no_memory; /* where to go on without memory, during a call of br_encoder */
};

/* ---- a coder -------------------------------------------------------------- */

static int clamp(int level, int otherwise, int max)
{
    return level <= 0 ? otherwise : level > max ? max : level;
}

static cw__coder *coder_open(unsigned coding, bool encodes, int level)
{
    cw__coder *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return NULL;
    }
    c->coding = coding;
    c->encodes = encodes;
    c->level = level;
    c->step = STEP_MIN;
    int ready = Z_OK;
    if (coding == CW_HTTP_GZIP) {
        ready = encodes ? deflateInit2(&c->z, level, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                                       Z_DEFAULT_STRATEGY)
                        : inflateInit2(&c->z, GZIP_WINDOW);
    }
    if (ready != Z_OK) {
        free(c);
        return NULL;
    }
    return c;
}

cw__coder *cw__encoder_open(unsigned coding, int level)
{
    return coder_open(coding, true,
                      coding == CW_HTTP_GZIP ? clamp(level, GZIP_LEVEL, Z_BEST_COMPRESSION)
                                             : clamp(level, BR_QUALITY, BROTLI_MAX_QUALITY));
}

cw__coder *cw__decoder_open(unsigned coding, size_t max_expansion)
{
    cw__coder *c = coder_open(coding, false, 0);
    if (c != NULL) {
        c->max_expansion = max_expansion;
    }
    return c;
}

/* Brotli's states cannot be used twice. */
static void drop_brotli(cw__coder *c)
{
    BrotliEncoderDestroyInstance(c->br_encoder);
    BrotliDecoderDestroyInstance(c->br_decoder);
    c->br_encoder = NULL;
    c->br_decoder = NULL;
}

void cw__coder_free(cw__coder *c)
{
    if (c == NULL) {
        return;
    }
    if (c->coding == CW_HTTP_GZIP) {
        (void)(c->encodes ? deflateEnd(&c->z) : inflateEnd(&c->z));
    }
    drop_brotli(c);
    free(c);
}

bool cw__coder_reset(cw__coder *c)
{
    c->begun = c->ended = c->broken = c->is_too_large = false;
    c->step = STEP_MIN;
    c->taken = c->made = 0;
    drop_brotli(c);
    return c->coding != CW_HTTP_GZIP ||
           (c->encodes ? deflateReset(&c->z) : inflateReset(&c->z)) == Z_OK;
}

static cw_net_status break_off(cw__coder *c, cw_net_error *e, cw_net_status st, const char *detail)
{
    c->broken = true;
    return cw_net_error_set(e, st, 0, "%s: %s", c->coding == CW_HTTP_GZIP ? "gzip" : "br", detail);
}

/* Room at the end of out, for the next step; all that out has, but `max` at most. */
static uint8_t *step_room(cw__coder *c, cw__buf *out, size_t max, size_t *n)
{
    uint8_t *to = cw__buf_reserve(out, c->step < max ? c->step : max);
    if (to != NULL) {
        size_t has = out->cap - out->end;
        *n = has < max ? has : max;
        c->step = c->step < STEP_MAX ? 2 * c->step : STEP_MAX;
    }
    return to;
}

static uInt zlib_len(size_t n)
{
    return n < UINT_MAX ? (uInt)n : UINT_MAX;
}

/* ---- encoding ------------------------------------------------------------- */

static cw_net_status deflate_some(cw__coder *c, cw_bytes in, bool last, cw__buf *out,
                                  cw_net_error *e)
{
    z_stream *z = &c->z;
    int result;
    /* A small body's output is made in one step. */
    c->step = in.len <= STEP_MAX / 2 ? deflateBound(z, (uLong)in.len) : STEP_MAX;
    do {
        size_t n = 0;
        uint8_t *to = step_room(c, out, UINT_MAX, &n);
        if (to == NULL) {
            return break_off(c, e, CW_NET_ERR_MEMORY, "no room for the output");
        }
        uInt piece = zlib_len(in.len);
        bool is_rest = piece == in.len;
        z->next_in = in.data;
        z->avail_in = piece;
        z->next_out = to;
        z->avail_out = (uInt)n;
        result = deflate(z, !is_rest ? Z_NO_FLUSH : last ? Z_FINISH : Z_SYNC_FLUSH);
        if (result == Z_STREAM_ERROR) {
            return break_off(c, e, CW_NET_ERR_ARGUMENT, "encoder misused");
        }
        cw__buf_added(out, n - z->avail_out);
        in = cw_bytes_of(z->next_in, in.len - (piece - z->avail_in));
    } while (in.len > 0 || z->avail_out == 0 || (last && result != Z_STREAM_END));
    return CW_NET_OK;
}

/*
 * Brotli's encoder ends the process when its allocator has nothing to give. So ours does not return
 * then, but jumps out of the encoder, and knows all of its blocks, the encoder's state included.
 */
static void *block_new(void *coder, size_t size)
{
    cw__coder *c = coder;
    block *b = size < SIZE_MAX - sizeof *b ? malloc(sizeof *b + size) : NULL;
    if (b == NULL) {
        longjmp(c->no_memory, 1);
    }
    b->link.next = c->blocks;
    b->link.prev = &c->blocks;
    if (c->blocks != NULL) {
        c->blocks->link.prev = &b->link.next;
    }
    c->blocks = b;
    return b + 1;
}

static void block_free(void *coder, void *data)
{
    (void)coder;
    block *b = data != NULL ? (block *)data - 1 : NULL;
    if (b != NULL) {
        *b->link.prev = b->link.next;
        if (b->link.next != NULL) {
            b->link.next->link.prev = b->link.prev;
        }
        free(b);
    }
}

/* One call of the encoder; it is made first where there is none. False: no memory. */
static bool brotli_call(cw__coder *c, cw_bytes *in, bool last)
{
    if (setjmp(c->no_memory) != 0) {
        while (c->blocks != NULL) {
            block_free(c, c->blocks + 1);
        }
        c->br_encoder = NULL;
        return false;
    }
    if (c->br_encoder == NULL) {
        c->br_encoder = BrotliEncoderCreateInstance(block_new, block_free, c);
        BrotliEncoderSetParameter(c->br_encoder, BROTLI_PARAM_QUALITY, (uint32_t)c->level);
    }
    size_t none = 0;
    return BrotliEncoderCompressStream(c->br_encoder,
                                       last ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_FLUSH,
                                       &in->len, &in->data, &none, NULL, NULL);
}

static cw_net_status brotli_some(cw__coder *c, cw_bytes in, bool last, cw__buf *out,
                                 cw_net_error *e)
{
    do {
        if (!brotli_call(c, &in, last)) {
            return break_off(c, e, CW_NET_ERR_MEMORY, "encoder");
        }
        size_t n = 0; /* as much as there is */
        const uint8_t *made = BrotliEncoderTakeOutput(c->br_encoder, &n);
        if (!cw__buf_append(out, made, n)) {
            return break_off(c, e, CW_NET_ERR_MEMORY, "no room for the output");
        }
    } while (in.len > 0 || BrotliEncoderHasMoreOutput(c->br_encoder) ||
             (last && !BrotliEncoderIsFinished(c->br_encoder)));
    return CW_NET_OK;
}

cw_net_status cw__encode(cw__coder *c, cw_bytes in, bool last, cw__buf *out, cw_net_error *e)
{
    if (c->broken || c->ended) {
        return cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "encoder used on without a reset");
    }
    c->ended = last;
    if (in.len == 0 && !last) {
        return CW_NET_OK;
    }
    return c->coding == CW_HTTP_GZIP ? deflate_some(c, in, last, out, e)
                                     : brotli_some(c, in, last, out, e);
}

/* ---- decoding ------------------------------------------------------------- */

typedef enum step_result {
    STEP_INPUT,
    STEP_OUTPUT,
    STEP_END,
    STEP_CORRUPT,
    STEP_LIMIT,
    STEP_MEMORY
} step_result;

/* Takes from *in and writes to the *n bytes at `to`; *n becomes what was written. */
static step_result inflate_step(cw__coder *c, cw_bytes *in, uint8_t *to, size_t *n)
{
    z_stream *z = &c->z;
    if (c->ended && inflateReset(z) != Z_OK) { /* the next member */
        return STEP_MEMORY;
    }
    uInt piece = zlib_len(in->len), room = zlib_len(*n);
    z->next_in = in->data;
    z->avail_in = piece;
    z->next_out = to;
    z->avail_out = room;
    int result = inflate(z, Z_NO_FLUSH);
    *n = room - z->avail_out;
    *in = cw_bytes_of(z->next_in, in->len - (piece - z->avail_in));
    switch (result) {
    case Z_STREAM_END:
        return STEP_END;
    case Z_OK:
        return z->avail_out == 0 ? STEP_OUTPUT : STEP_INPUT;
    case Z_BUF_ERROR: /* nothing to do: it is out of input */
        return STEP_INPUT;
    case Z_MEM_ERROR:
        return STEP_MEMORY;
    default:
        return STEP_CORRUPT;
    }
}

/*
 * Brotli's decoder makes its window as large as the next part of the body says that it is (less
 * than twice that), and fills it before anything comes out.
 */
static void *decoder_new(void *coder, size_t size)
{
    cw__coder *c = coder;
    c->is_too_large = c->is_too_large || size > c->block_max; /* it asks for several in a row */
    return c->is_too_large ? NULL : malloc(size);
}

static void decoder_free(void *coder, void *data)
{
    (void)coder;
    free(data);
}

static step_result brotli_step(cw__coder *c, cw_bytes *in, uint8_t *to, size_t *n)
{
    if (c->ended) {
        *n = 0;
        return STEP_CORRUPT;
    }
    if (c->br_decoder == NULL) {
        c->br_decoder = BrotliDecoderCreateInstance(decoder_new, decoder_free, c);
        if (c->br_decoder == NULL) {
            return STEP_MEMORY;
        }
    }
    size_t left = *n;
    BrotliDecoderResult result =
        BrotliDecoderDecompressStream(c->br_decoder, &in->len, &in->data, &left, &to, NULL);
    *n -= left;
    switch (result) {
    case BROTLI_DECODER_RESULT_SUCCESS:
        return STEP_END;
    case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
        return STEP_INPUT;
    case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
        return STEP_OUTPUT;
    default:
        break;
    }
    if (c->is_too_large) {
        return STEP_LIMIT;
    }
    BrotliDecoderErrorCode code = BrotliDecoderGetErrorCode(c->br_decoder);
    return code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
                   code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES
               ? STEP_MEMORY
               : STEP_CORRUPT;
}

static const char *corrupt_text(const cw__coder *c)
{
    if (c->coding == CW_HTTP_GZIP) {
        return c->z.msg != NULL ? c->z.msg : "corrupt";
    }
    return c->ended ? "bytes after the end"
                    : BrotliDecoderErrorString(BrotliDecoderGetErrorCode(c->br_decoder));
}

/* How much more may be made of what was taken. */
static size_t room_by_expansion(const cw__coder *c)
{
    bool is_any = c->taken > (SIZE_MAX - EXPANSION_FREE) / c->max_expansion;
    return (is_any ? SIZE_MAX : EXPANSION_FREE + c->max_expansion * c->taken) - c->made;
}

/* What Brotli's decoder may ask for at once when it has got all that there is. */
static size_t block_max(const cw__coder *c, size_t room)
{
    size_t tables =
        TABLES_FIRST + TABLES_EACH * (c->taken < TABLES_BYTES ? c->taken : TABLES_BYTES);
    return room < SIZE_MAX / 4 ? 2 * room + tables : SIZE_MAX;
}

static cw_net_status decode_steps(cw__coder *c, cw_bytes in, size_t room, cw__buf *out,
                                  cw_net_error *e)
{
    step_result result = STEP_INPUT;
    size_t guess = in.len < STEP_MAX / 16 ? 4 * in.len : STEP_MAX / 4;
    c->step = c->step < guess ? guess : c->step;
    while (in.len > 0 || result == STEP_OUTPUT) {
        uint8_t beyond;
        uint8_t *to = &beyond; /* when there is no room left: does more follow? */
        size_t n = 1;
        if (room > 0 && (to = step_room(c, out, room, &n)) == NULL) {
            return break_off(c, e, CW_NET_ERR_MEMORY, "no room for the output");
        }
        result =
            c->coding == CW_HTTP_GZIP ? inflate_step(c, &in, to, &n) : brotli_step(c, &in, to, &n);
        if (result == STEP_MEMORY) {
            return break_off(c, e, CW_NET_ERR_MEMORY, "decoder");
        }
        if (result == STEP_LIMIT || n > room) {
            return break_off(c, e, CW_NET_ERR_BODY_LIMIT, "decoded size");
        }
        cw__buf_added(out, n);
        c->made += n;
        room -= n;
        if (result == STEP_CORRUPT) {
            return break_off(c, e, CW_NET_ERR_CODING, corrupt_text(c));
        }
        c->ended = result == STEP_END;
    }
    return CW_NET_OK;
}

cw_net_status cw__decode(cw__coder *c, cw_bytes in, bool last, size_t room, cw__buf *out,
                         cw_net_error *e)
{
    if (c->broken) {
        return cw_net_error_set(e, CW_NET_ERR_CODING, 0, "the body was corrupt before");
    }
    bool is_whole = last && !c->begun;
    c->begun = c->begun || in.len > 0;
    c->taken += in.len;
    room = room < room_by_expansion(c) ? room : room_by_expansion(c);
    c->block_max = is_whole ? block_max(c, room) : SIZE_MAX;
    cw_net_status st = decode_steps(c, in, room, out, e);
    if (st == CW_NET_OK && last && c->begun && !c->ended) {
        st = break_off(c, e, CW_NET_ERR_CODING, "cut off");
    }
    return st;
}
