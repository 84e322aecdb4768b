/* SPDX-License-Identifier: MIT */
#define ZLIB_CONST /* input is const */

#include "compress.h"

#include <brotli/encode.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "die.h"
#include "mem.h"

enum {
    GZIP_LEVEL = 6,
    GZIP_WINDOW = 15 + 16, /* 32 KiB, with gzip's header and trailer */
    GZIP_MEMORY = 8,       /* zlib's default */
    BROTLI_LEVEL = 11
};

cw_bytes bench_gzip(cw_bytes plain)
{
    z_stream z = {0};
    if (deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        bench_die("zlib: deflateInit2 failed");
    }
    size_t cap = deflateBound(&z, (uLong)plain.len);
    uint8_t *out = bench_calloc(cap, 1);
    z.next_in = plain.data;
    z.avail_in = (uInt)plain.len;
    z.next_out = out;
    z.avail_out = (uInt)cap;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END) {
        bench_die("zlib: deflate failed on %zu bytes", plain.len);
    }
    size_t len = z.total_out;
    deflateEnd(&z);
    return cw_bytes_of(out, len);
}

cw_bytes bench_brotli(cw_bytes plain)
{
    size_t len = BrotliEncoderMaxCompressedSize(plain.len);
    uint8_t *out = bench_calloc(len, 1);
    if (!BrotliEncoderCompress(BROTLI_LEVEL, BROTLI_DEFAULT_WINDOW, BROTLI_DEFAULT_MODE, plain.len,
                               plain.data, &len, out)) {
        bench_die("brotli: compression failed on %zu bytes", plain.len);
    }
    return cw_bytes_of(out, len);
}

const char *bench_brotli_version(char *out, size_t cap)
{
    uint32_t v = BrotliEncoderVersion();
    snprintf(out, cap, "%u.%u.%u", (unsigned)(v >> 24), (unsigned)(v >> 12 & 0xfff),
             (unsigned)(v & 0xfff));
    return out;
}
