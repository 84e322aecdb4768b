/* SPDX-License-Identifier: MIT */
/* No contender: one more way to make JSON smaller, for the table of sizes. */
#include <zstd.h>

#include "../../compress.h"
#include "../../die.h"
#include "../../mem.h"

enum { ZSTD_LEVEL = 3 }; /* its default */

cw_bytes bench_zstd(cw_bytes plain)
{
    size_t cap = ZSTD_compressBound(plain.len);
    uint8_t *out = bench_calloc(cap, 1);
    size_t len = ZSTD_compress(out, cap, plain.data, plain.len, ZSTD_LEVEL);
    if (ZSTD_isError(len)) {
        bench_die("zstd: %s on %zu bytes", ZSTD_getErrorName(len), plain.len);
    }
    return cw_bytes_of(out, len);
}
