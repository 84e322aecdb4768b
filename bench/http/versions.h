/* SPDX-License-Identifier: MIT */
/* The libraries under libcwire_net, as they run. */
#ifndef BENCH_HTTP_VERSIONS_H
#define BENCH_HTTP_VERSIONS_H

#include <stddef.h>

/* "libuv 1.44.2, nghttp2 1.52.0, OpenSSL 3.0.17", written to out, which is returned. */
const char *bench_http_versions(char *out, size_t cap);

#endif
