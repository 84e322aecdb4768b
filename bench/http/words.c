/* SPDX-License-Identifier: MIT */
#include "http/words.h"

#include <string.h>

unsigned bench_codings_of(const char *word)
{
    return strcmp(word, "gzip") == 0  ? CW_HTTP_GZIP
           : strcmp(word, "br") == 0  ? CW_HTTP_BR
           : strcmp(word, "any") == 0 ? CW_HTTP_GZIP | CW_HTTP_BR
                                      : 0;
}

cw_http_version bench_version_of(const char *word)
{
    return strcmp(word, "1") == 0 ? CW_HTTP_1_1 : strcmp(word, "2") == 0 ? CW_HTTP_2 : CW_HTTP_ANY;
}
