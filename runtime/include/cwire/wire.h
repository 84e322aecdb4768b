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

#include "cwire/wire_get.h"
#include "cwire/wire_list.h"
#include "cwire/wire_put.h"

#endif
