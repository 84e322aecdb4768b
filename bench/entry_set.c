/* SPDX-License-Identifier: MIT */
/*
 * Runs of a set. The order of its messages is drawn anew before each run, outside the timed region:
 * PICKS_MIN of them at least, far more than a branch predictor can keep, so that the run may go
 * over them several times.
 */
#include "entry_look.h"

#include <stdlib.h>

#include "clock.h"
#include "mem.h"
#include "random.h"

#define PICKS_MIN 65536

/* Seven of eight times the look goes to the message's first field, which most messages have in the
 * same place: so it seldom costs a mispredicted branch. The eighth goes anywhere. */
#define LOOK_ANYWHERE 8

/* The generator of an order: passes over all messages, each shuffled. */
typedef struct dealer {
    const bench_entry *e;
    uint64_t random;
    size_t at;      /* in e->deck */
    unsigned again; /* times that the message at `at` is taken again */
    unsigned count; /* of picks, modulo LOOK_ANYWHERE */
} dealer;

static void shuffle(dealer *d)
{
    uint16_t *deck = d->e->deck;
    for (size_t i = d->e->payload->n_messages; i > 1; i--) {
        size_t j = bench_random_below(&d->random, (uint32_t)i);
        uint16_t moved = deck[i - 1];
        deck[i - 1] = deck[j];
        deck[j] = moved;
    }
}

/* The same start, the same order. */
static void start_dealing(dealer *d, const bench_entry *e, uint64_t start)
{
    *d = (dealer){.e = e, .random = bench_seed(start), .again = e->payload->repeats};
    for (size_t i = 0; i < e->payload->n_messages; i++) {
        e->deck[i] = (uint16_t)i;
    }
    shuffle(d);
}

/* Which part of the message is looked at; *value is what has to be there. */
static uint16_t deal_look(dealer *d, size_t message, uint64_t *value)
{
    const bench_entry *e = d->e;
    const bench_payload *p = e->payload;
    if (e->op->write != NULL) {
        cw_bytes out = e->output[message];
        size_t window = out.len > sizeof(uint64_t) ? out.len - sizeof(uint64_t) + 1 : 1;
        uint32_t offset = bench_random_below(&d->random, (uint32_t)window);
        *value = bench_look_at(out, offset) ^ out.len;
        return (uint16_t)offset;
    }
    size_t first = p->first_look[message], n = p->first_look[message + 1] - first;
    bool anywhere = d->count++ % LOOK_ANYWHERE == 0;
    size_t at = first + (anywhere ? bench_random_below(&d->random, (uint32_t)n) : 0);
    *value = p->looks[at].value;
    return (uint16_t)p->looks[at].probe;
}

static bench_pick deal(dealer *d, uint64_t *value)
{
    if (d->again == 0) {
        d->again = d->e->payload->repeats;
        if (++d->at == d->e->payload->n_messages) {
            d->at = 0;
            shuffle(d);
        }
    }
    d->again--;
    uint16_t message = d->e->deck[d->at];
    return (bench_pick){message, deal_look(d, message, value)};
}

void bench_set_open(bench_entry *e)
{
    size_t pass = (size_t)bench_entry_pass(e);
    e->n_picks = (PICKS_MIN + pass - 1) / pass * pass;
    e->picks = bench_calloc(e->n_picks, sizeof *e->picks);
    e->deck = bench_calloc(e->payload->n_messages, sizeof *e->deck);
}

/* The running value that `count` iterations from that start must give. */
static uint64_t expect(const bench_entry *e, uint64_t count, uint64_t start)
{
    dealer d;
    uint64_t running = 0, value;
    for (uint64_t i = 0; i < count; i++) {
        if (i % e->n_picks == 0) {
            start_dealing(&d, e, start);
        }
        deal(&d, &value);
        running = bench_fold(running, value);
    }
    return running;
}

static uint64_t run_writes(bench_entry *e, uint64_t count, uint64_t *ns)
{
    cw_bytes (*write)(void *, const void *) = e->op->write;
    void *state = e->state;
    void *const *source = e->source;
    const bench_pick *pick = e->picks, *end = e->picks + e->n_picks;
    uint64_t running = 0;
    uint64_t begin = bench_cpu_ns();
    for (uint64_t i = 0; i < count; i++) {
        cw_bytes out = write(state, source[pick->message]);
        running = bench_fold(running, bench_look_at(out, pick->look) ^ out.len);
        pick = ++pick == end ? e->picks : pick;
    }
    *ns = bench_cpu_ns() - begin;
    return running;
}

/* A failed read ends it early, and the value is then not the expected. */
static uint64_t run_reads(bench_entry *e, uint64_t count, uint64_t *ns)
{
    const void *(*read)(void *, cw_bytes) = e->op->read;
    void (*release)(void *, const void *) = e->op->release;
    void *state = e->state;
    const cw_bytes *input = e->input;
    const bench_probe *probe = e->probe;
    const bench_pick *pick = e->picks, *end = e->picks + e->n_picks;
    uint64_t running = 0;
    uint64_t begin = bench_cpu_ns();
    for (uint64_t i = 0; i < count; i++) {
        const void *m = read(state, input[pick->message]);
        if (CW_UNLIKELY(m == NULL)) {
            break;
        }
        running = bench_fold(running, bench_probe_load(&probe[pick->look], m));
        if (release != NULL) {
            release(state, m);
        }
        pick = ++pick == end ? e->picks : pick;
    }
    *ns = bench_cpu_ns() - begin;
    return running;
}

const char *bench_set_run(bench_entry *e, uint64_t count, uint64_t start, uint64_t *ns,
                          unsigned *next)
{
    dealer d;
    uint64_t value;
    start_dealing(&d, e, start);
    for (size_t i = 0; i < e->n_picks && i <= count; i++) {
        e->picks[i] = deal(&d, &value);
    }
    *next = e->picks[count % e->n_picks].message;
    if (e->op->write != NULL) {
        return run_writes(e, count, ns) == expect(e, count, start)
                   ? NULL
                   : "the running value of the outputs is not that of the references";
    }
    return run_reads(e, count, ns) == expect(e, count, start)
               ? NULL
               : "the running value of the messages is not that of the references";
}
