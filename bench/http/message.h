/* SPDX-License-Identifier: MIT */
/* The messages that both ends of the HTTP race exchange, and how they look on the wire. */
#ifndef BENCH_HTTP_MESSAGE_H
#define BENCH_HTTP_MESSAGE_H

#include "payload.h"

typedef enum bench_wire { BENCH_PROTOBUF, BENCH_JSON, BENCH_WIRES } bench_wire;

typedef struct bench_wire_info {
    const char *name; /* "protobuf" */
    cw_str content_type;
    bench_form form; /* of a payload's references; the text is printed as in the codec race */
} bench_wire_info;

extern const bench_wire_info bench_wires[BENCH_WIRES];

/* The form that the text begins with, as a Content-Type or an element of Accept does; parameters
 * are left aside. BENCH_WIRES: none of ours. */
bench_wire bench_wire_of(cw_str media_type);

/*
 * One message to bytes in the arena, and back: what both ends do with every request. Failures fill
 * *e (which may be NULL).
 */
cw_status bench_message_encode(const cw_type *type, bench_wire wire, const void *message,
                               cw_arena *a, cw_bytes *out, cw_error *e);
cw_status bench_message_decode(const cw_type *type, bench_wire wire, cw_bytes in, void *message,
                               cw_arena *a, cw_error *e);

/*
 * A payload as the source of requests: one field of its message changes from request to request, as
 * in the codec race. Shared by all that send it in turn, for it owns the message.
 */
typedef struct bench_source {
    bench_payload *payload;
    unsigned next; /* state of the next request */
} bench_source;

void bench_source_open(bench_source *s, bench_payload *p);
void bench_source_free(bench_source *s);

/* Changes the message and encodes it; *state is the payload's state that it stands for. Dies when
 * that fails. */
cw_bytes bench_source_next(bench_source *s, bench_wire wire, cw_arena *a, unsigned *state);

#endif
