/* SPDX-License-Identifier: MIT */
/* samples.h: the message types that are compared with other implementations, and random ones. */
#ifndef CWIRE_TESTS_SAMPLES_H
#define CWIRE_TESTS_SAMPLES_H

#include "cwire/cwire.h"
#include "random_message.h"

/* The .proto files that they and their extensions are from. */
size_t sample_file_count(void);
const cw_file *sample_file(size_t index);

/* All message types of the test schemas and of schemas/order.proto, in a fixed order. */
size_t sample_type_count(void);
const cw_type *sample_type(size_t index);

/*
 * The seed-th random message of the type, in the arena, with its bytes. NULL: the random one cannot
 * be encoded (a required message did not fit in its depth).
 */
void *sample_make(const cw_type *t, uint64_t seed, cw_arena *a, cw_bytes *bytes);

/* What sample_visit calls for every message and map entry: m itself and those below it. */
typedef void sample_visitor(const cw_type *t, void *m, void *ctx);
void sample_visit(const cw_type *t, void *m, sample_visitor *visit, void *ctx);

/* Decodes bytes from a heap block of exactly their size. Fails the test when they are refused. */
void *sample_decode(const cw_type *t, cw_bytes bytes, cw_arena *a, const char *who);

/* Fails the test with type, seed and both as hex when the bytes differ. */
void sample_same_bytes(const cw_type *t, uint64_t seed, cw_bytes ours, cw_bytes theirs);

#endif
