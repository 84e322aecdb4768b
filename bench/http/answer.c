/* SPDX-License-Identifier: MIT */
#include "http/answer.h"

#include <stdlib.h>

#include "die.h"
#include "mem.h"
#include "order.cw.h"

void bench_answer_open(bench_answer *a, const bench_source *source)
{
    const bench_payload *p = source != NULL ? source->payload : NULL;
    *a = (bench_answer){.source = source, .type = p != NULL ? p->type : &shop_Batch_type};
    a->message = bench_calloc(1, a->type->struct_size);
    for (unsigned i = 0; p != NULL && i < p->n_sites; i++) {
        if (!bench_probe_cwire(p->type, &p->sites[i].leaf, &a->site[i])) {
            bench_die("payload %s: a field cannot be reached", p->name);
        }
    }
}

void bench_answer_free(bench_answer *a)
{
    free(a->message);
    cw_arena_free(&a->arena);
}

/* Printed in other words, but the same message? */
static bool encodes_to(bench_answer *a, cw_bytes reference)
{
    cw_bytes again;
    return a->type->encode_arena(a->message, &a->arena, &again, NULL) == CW_OK &&
           cw_bytes_equal(again, reference);
}

const char *bench_answer_check(bench_answer *a, bench_wire wire, cw_bytes body, unsigned state)
{
    cw_arena_reset(&a->arena);
    if (bench_message_decode(a->type, wire, body, a->message, &a->arena, NULL) != CW_OK) {
        return "the answer cannot be decoded";
    }
    if (a->source == NULL) {
        return NULL;
    }
    /* Whole bytes first: a field may be looked at only in a message of the right shape. */
    const bench_payload *p = a->source->payload;
    if (!cw_bytes_equal(body, p->output[bench_wires[wire].form][state]) &&
        !encodes_to(a, p->output[BENCH_BINARY][state])) {
        return "the answer is not what was sent";
    }
    unsigned site = p->n_sites > 0 ? state % p->n_sites : 0;
    if (p->n_sites > 0 &&
        bench_probe_load(&a->site[site], a->message) != p->site_value[state][site]) {
        return "the changed field has another value";
    }
    return NULL;
}
