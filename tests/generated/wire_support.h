/* SPDX-License-Identifier: MIT */
/* wire_support.h: what the tests of binary code share. */
#ifndef CWIRE_TESTS_WIRE_SUPPORT_H
#define CWIRE_TESTS_WIRE_SUPPORT_H

#include "cwire/cwire.h"

/* Bytes in a heap block of exactly their size, so that a sanitizer sees every read past the end. */
typedef struct test_bytes {
    uint8_t *data;
    size_t len;
} test_bytes;

/* "08 01 2a" -> 3 bytes; blanks are skipped. Fails the test on anything else. */
test_bytes test_hex(const char *hex);
test_bytes test_copy_bytes(const void *data, size_t len);
void test_free_bytes(test_bytes *b);

/* A message of any type in zeroed memory of the arena, initialised. */
void *test_new(const cw_type *t, cw_arena *a);

/* Decodes hex into m; the bytes are freed before the return, so that nothing may point to them. */
cw_status test_decode_hex(const cw_type *t, void *m, const char *hex, cw_arena *a, cw_error *e);

/* Encodes m and compares with hex; `line` is printed when they differ. */
void test_encodes_to(const cw_type *t, const void *m, const char *hex, int line);

/* Message types of all test schemas, for tests that try every one. NULL-terminated. */
extern const cw_file *const test_files[];

#endif
