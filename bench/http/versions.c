/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include "http/versions.h"

#include <nghttp2/nghttp2.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <uv.h>

const char *bench_http_versions(char *out, size_t cap)
{
    snprintf(out, cap, "libuv %s, nghttp2 %s, OpenSSL %s", uv_version_string(),
             nghttp2_version(0)->version_str, OpenSSL_version(OPENSSL_VERSION_STRING));
    return out;
}
