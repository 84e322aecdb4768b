/* SPDX-License-Identifier: MIT */
#include "payload.h"

#include <stdlib.h>

#include "die.h"
#include "mem.h"
#include "reflect.h"

static bool is_same_leaf(const bench_leaf *a, const bench_leaf *b)
{
    return a->n_steps == b->n_steps && a->kind == b->kind && a->byte == b->byte &&
           memcmp(a->steps, b->steps, a->n_steps * sizeof a->steps[0]) == 0;
}

/* The leaf's index among the set's probes, where it is put if it is new. */
static size_t probe_of(bench_payload *p, const bench_leaf *leaf)
{
    size_t i = 0;
    while (i < p->n_probes && !is_same_leaf(&p->probes[i], leaf)) {
        i++;
    }
    if (i == p->n_probes) {
        bench_leaf *grown = realloc(p->probes, (i + 1) * sizeof *grown);
        if (grown == NULL || i == UINT16_MAX) {
            bench_die("payload %s: %zu different fields", p->name, i);
        }
        grown[i] = *leaf;
        p->probes = grown;
        p->n_probes++;
    }
    return i;
}

/* What can be looked at in message number `index`. Of texts it is the first byte: few probes serve
 * all messages then, and stay in the cache. */
static void add_looks(bench_payload *p, size_t index)
{
    bench_leaves leaves = bench_leaves_of(p->type, p->messages[index]);
    bench_payload_flags(p, p->messages[index], &leaves);
    if (leaves.len == 0) {
        bench_die("payload %s: message %zu is empty", p->name, index);
    }
    size_t first = p->first_look[index];
    bench_look *grown = realloc(p->looks, (first + leaves.len) * sizeof *grown);
    if (grown == NULL) {
        bench_die("out of memory (%zu leaves)", first + leaves.len);
    }
    p->looks = grown;
    for (size_t i = 0; i < leaves.len; i++) {
        bench_leaf *leaf = &leaves.data[i];
        bench_probe probe;
        leaf->byte = 0;
        bench_probe_cwire(p->type, leaf, &probe);
        p->looks[first + i] =
            (bench_look){probe_of(p, leaf), bench_probe_load(&probe, p->messages[index])};
    }
    p->first_look[index + 1] = first + leaves.len;
    bench_leaves_free(&leaves);
}

static void add_outputs(bench_payload *p, size_t index, cw_arena *scratch)
{
    for (int form = 0; form < BENCH_FORMS; form++) {
        cw_bytes out = bench_payload_write(p, p->messages[index], (bench_form)form, scratch);
        if (out.len > UINT16_MAX) {
            bench_die("payload %s: message %zu is too long for a set", p->name, index);
        }
        p->output[form][index] = out;
        if (form <= BENCH_TEXT) {
            p->total[form] += out.len;
            p->longest[form] = out.len > p->longest[form] ? out.len : p->longest[form];
        }
    }
}

bench_payload *bench_payload_make_set(const char *name, const cw_type *type, const void *messages,
                                      size_t n, unsigned repeats)
{
    if (n < 2 || n > UINT16_MAX || repeats == 0) {
        bench_die("payload %s: not a set", name);
    }
    bench_payload *p = bench_calloc(1, sizeof *p);
    cw_arena scratch = {0};
    p->name = name;
    p->type = type;
    p->n_messages = n;
    p->n_states = (unsigned)n;
    p->repeats = repeats;
    p->messages = bench_calloc(n, sizeof(void *));
    p->first_look = bench_calloc(n + 1, sizeof *p->first_look);
    bench_payload_room(p);
    for (size_t i = 0; i < n; i++) {
        const char *at = (const char *)messages + i * type->struct_size;
        p->messages[i] = bench_payload_copy(p, at, &scratch);
        add_looks(p, i);
        add_outputs(p, i, &scratch);
    }
    p->message = p->messages[0];
    cw_arena_free(&scratch);
    return p;
}
