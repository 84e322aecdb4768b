/* SPDX-License-Identifier: MIT */
/*
 * wire.h: the protobuf wire format for generated code: options, and primitives that put and get one
 * value.
 *
 * The fast paths are inline because a generated message calls one per field; each has an
 * out-of-line twin
 * (`_slow`) for long varints, full buffers and errors. The format:
 * https://protobuf.dev/programming-guides/encoding
 *
 * Encoding goes backward, from the end of the room to its begin: a submessage's length is known
 * when its tag is written, so that there is no size pass. Room is proven once (cw__put_room) and
 * then written into unchecked. Decoding goes forward; `end` is the end of the message, d->end that
 * of the whole input.
 */
#ifndef CWIRE_WIRE_H
#define CWIRE_WIRE_H

#include "cwire/arena.h"
#include "cwire/status.h"
#include "cwire/str.h"

CW_BEGIN_DECLS

/* Messages, groups and map entries that may be open below the top one, where options say 0. */
#define CW_DEPTH_DEFAULT 100

/* All zero is the default. */
typedef struct cw_decode_options {
    bool alias;         /* strings and bytes point into the input instead of being copied */
    bool allow_partial; /* missing required fields are no error */
    unsigned depth;     /* most open messages below the top; 0: CW_DEPTH_DEFAULT */
    size_t max_memory;  /* most bytes drawn from the arena; 0: 64 MiB + 64 x input length; SIZE_MAX:
                           any */
} cw_decode_options;

CW_END_DECLS

#include "cwire/wire_put.h"
#include "cwire/wire_get.h"
#include "cwire/wire_list.h"

#endif
