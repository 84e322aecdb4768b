/* SPDX-License-Identifier: MIT */
/* Words of the command line that serve and drive share. */
#ifndef BENCH_HTTP_WORDS_H
#define BENCH_HTTP_WORDS_H

#include "cwire/net/http.h"

#define BENCH_CODING_WORDS "none|gzip|br|any"

/* The set of codings; 0 for "none". */
unsigned bench_codings_of(const char *word);

/* "1", "2", "any". */
cw_http_version bench_version_of(const char *word);

#endif
