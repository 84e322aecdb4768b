/* SPDX-License-Identifier: MIT */
/* Sizes of one message in the forms that the size table compares. */
#ifndef BENCH_SIZES_H
#define BENCH_SIZES_H

#include <stdbool.h>

#include "cwire/str.h"

typedef struct bench_sizes {
    size_t json, json_gzip, json_brotli, binary, binary_gzip; /* bytes */
    size_t json_zstd;                                         /* 0: not in this build */
} bench_sizes;

/* What the article on the orders printed for One and Many: the JSON is the bare array. */
extern const bench_sizes bench_article_one, bench_article_many;

/* Compresses both texts (gzip level 6, Brotli 11, Zstandard 3); dies without memory. */
bench_sizes bench_sizes_of(cw_bytes json, cw_bytes binary);

/* The array inside {"orders":[...]}, a view of it; false: the text is not of that form. */
bool bench_bare_array(cw_bytes message_json, cw_bytes *out);

#endif
