/* SPDX-License-Identifier: MIT */
/* protoc.h: many messages of many types through one run of protoc. */
#ifndef CWIRE_TESTS_PROTOC_H
#define CWIRE_TESTS_PROTOC_H

#include "samples.h"

/*
 * A message `box.Box` whose field i+1 is a list of sample_type(i): what one run of protoc takes.
 * Add messages with types in ascending order. Files are written to the working directory.
 */
typedef struct protoc_box {
    uint8_t *data;
    size_t len, cap;
} protoc_box;

void protoc_box_add(protoc_box *box, size_t type, cw_bytes message);
/* Takes the next message off `rest`. False at the end. Fails the test when the box is broken. */
bool protoc_box_next(cw_bytes *rest, size_t *type, cw_bytes *message);

/* Text of the box (NUL-terminated), bytes of that text: in malloc memory. `name` is for files. */
char *protoc_decode(const protoc_box *box, const char *name);
protoc_box protoc_encode(const char *text, const char *name);

#endif
