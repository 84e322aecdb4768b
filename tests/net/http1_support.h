/* SPDX-License-Identifier: MIT */
/* http1_support.h: HTTP/1.1 cores under a record, for tests of http1*.c. */
#ifndef CWIRE_TESTS_NET_HTTP1_SUPPORT_H
#define CWIRE_TESTS_NET_HTTP1_SUPPORT_H

#include "http1.h"
#include "record.h"

/* A zeroed record gets a core. limits may be NULL. A server echoes (record_echo) until r->on is
 * set to something else. */
void http1_server(record *r, const cw_http_limits *limits);
void http1_client(record *r, const cw_http_limits *limits);

/* Compares texts and shows both, and where they differ, when they are not the same. */
#define assert_text(is, wanted) http1_assert_text(is, wanted, __FILE__, __LINE__)
void http1_assert_text(const char *is, const char *wanted, const char *file, int line);

/* A request without body: GET and POST heads for example.org. */
cw_http_head http1_get(const char *path);
cw_http_head http1_post(const char *path);
cw_bytes http1_bytes(const char *text);

/* A head of n bytes of text from a heap block; free it. */
char *http1_repeat(char c, size_t n);

#endif
