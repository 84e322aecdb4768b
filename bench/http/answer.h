/* SPDX-License-Identifier: MIT */
/* Is an answer what the request asked for? */
#ifndef BENCH_HTTP_ANSWER_H
#define BENCH_HTTP_ANSWER_H

#include "http/message.h"

typedef struct bench_answer {
    const bench_source *source; /* of the requests; NULL: they have no body */
    const cw_type *type;
    void *message; /* of the last answer; its contents are in the arena */
    cw_arena arena;
    bench_probe site[BENCH_SITES];
} bench_answer;

/* Dies without memory. Release with bench_answer_free. */
void bench_answer_open(bench_answer *a, const bench_source *source);
void bench_answer_free(bench_answer *a);

/*
 * Decodes the body, and where requests have one, proves that it says what was sent: it has the
 * bytes of the reference (or, printed otherwise, encodes to them), and the changed field has its
 * value. NULL: all is well; else what is wrong, a constant text.
 */
const char *bench_answer_check(bench_answer *a, bench_wire wire, cw_bytes body, unsigned state);

#endif
