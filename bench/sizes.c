/* SPDX-License-Identifier: MIT */
#include "sizes.h"

#include <string.h>

#include "compress.h"
#include "mem.h"

bench_sizes bench_sizes_of(cw_bytes json, cw_bytes binary)
{
    cw_bytes json_gzip = bench_gzip(json);
    cw_bytes json_brotli = bench_brotli(json);
    cw_bytes binary_gzip = bench_gzip(binary);
    bench_sizes s = {json.len, json_gzip.len, json_brotli.len, binary.len, binary_gzip.len, 0};
#if BENCH_HAVE_ZSTD
    cw_bytes json_zstd = bench_zstd(json);
    s.json_zstd = json_zstd.len;
    bench_release(json_zstd);
#endif
    bench_release(json_gzip);
    bench_release(json_brotli);
    bench_release(binary_gzip);
    return s;
}

bool bench_bare_array(cw_bytes message_json, cw_bytes *out)
{
    static const char before[] = "{\"orders\":";
    const size_t n = sizeof before - 1;
    if (message_json.len < n + 1 || memcmp(message_json.data, before, n) != 0) {
        return false;
    }
    *out = cw_bytes_of(message_json.data + n, message_json.len - n - 1);
    return true;
}
