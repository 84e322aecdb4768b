/* SPDX-License-Identifier: MIT */
/* One-shot compression, for sizes and references; not for timed regions. */
#ifndef BENCH_COMPRESS_H
#define BENCH_COMPRESS_H

#include "cwire/str.h"

/* gzip (zlib, level 6) and Brotli (quality 11). The result is from malloc; dies on failure. */
cw_bytes bench_gzip(cw_bytes plain);
cw_bytes bench_brotli(cw_bytes plain);

#if BENCH_HAVE_ZSTD
/* Zstandard, level 3; as above. */
cw_bytes bench_zstd(cw_bytes plain);
#endif

/* Brotli's version, for the header: written to out, which is returned. */
const char *bench_brotli_version(char *out, size_t cap);

#endif
