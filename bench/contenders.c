/* SPDX-License-Identifier: MIT */
#include "contender.h"

#if BENCH_HAVE_CJSON
extern const bench_contender bench_cjson;
#endif
#if BENCH_HAVE_MSGPACK
extern const bench_contender bench_msgpack;
#endif

#if BENCH_HAVE_PROTOBUF_CXX
extern const bench_contender bench_protobuf_cxx;
#endif
#if BENCH_HAVE_RAPIDJSON
extern const bench_contender bench_rapidjson;
#endif
#if BENCH_HAVE_SIMDJSON
extern const bench_contender bench_simdjson;
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
#if BENCH_HAVE_PROTOBUF_CXX
    &bench_protobuf_cxx,
#endif
#if BENCH_HAVE_RAPIDJSON
    &bench_rapidjson,
#endif
#if BENCH_HAVE_SIMDJSON
    &bench_simdjson,
#endif
    NULL,
};
