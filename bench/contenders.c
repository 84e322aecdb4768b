/* SPDX-License-Identifier: MIT */
#include "contender.h"

#if BENCH_HAVE_CJSON
extern const bench_contender bench_cjson;
#endif
#if BENCH_HAVE_MSGPACK
extern const bench_contender bench_msgpack;
#endif

/* In the order in which the tables list them. */
const bench_contender *const bench_contenders[] = {
    &bench_cwire,
    &bench_cwire_unchecked,
    &bench_cwire_map_as_list,
    &bench_protobuf_c,
    &bench_naive,
    &bench_yajl,
#if BENCH_HAVE_CJSON
    &bench_cjson,
#endif
#if BENCH_HAVE_MSGPACK
    &bench_msgpack,
#endif
    &bench_gzip_json,
    NULL,
};
