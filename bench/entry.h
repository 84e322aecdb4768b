/* SPDX-License-Identifier: MIT */
/*
 * An entry of the race: one operation of one contender on one payload. Here it is proven right,
 * timed, and proven right again.
 */
#ifndef BENCH_ENTRY_H
#define BENCH_ENTRY_H

#include "alloc_count.h"
#include "contender.h"

/* One iteration of a set: which message, and what of the result is looked at (an offset in what is
 * written, an index of e->probe). */
typedef struct bench_pick {
    uint16_t message, look;
} bench_pick;

typedef struct bench_entry {
    const bench_payload *payload;
    const bench_contender *contender;
    const bench_op *op;
    void *state;
    void **source;                  /* write: the messages */
    bench_patch patch[BENCH_SITES]; /* what changes before iteration i: patch[i mod n_patches] */
    unsigned n_patches;
    bench_probe site_probe[BENCH_SITES]; /* read: the changed fields in the result */
    bench_probe *probe;                  /* read: other fields */
    cw_bytes *input;   /* read: the bytes of each state (patched ones are the same) */
    cw_bytes *output;  /* write: what must come out in each state */
    bool owns_output;  /* own_text, BENCH_OWN: recorded from the contender itself */
    bool owns_input;   /* BENCH_OWN: written by the contender */
    size_t window;     /* write: offsets below this are looked at */
    bench_pick *picks; /* set: what a run takes */
    size_t n_picks;
    uint16_t *deck;  /* set: the messages of a pass */
    uint8_t nothing; /* what a constant input "changes" */
} bench_entry;

/* Sets up the entry. NULL, or why it cannot be raced. The entry must not be moved. */
const char *bench_entry_open(bench_entry *e, const bench_payload *p, const bench_contender *c,
                             const bench_op *op, void *state);
void bench_entry_close(bench_entry *e);

/*
 * Runs every state once, untimed, and compares whole outputs with the references: written bytes are
 * equal (or read back equal, see own_text), read messages encode to the reference. NULL, or what
 * is wrong: a constant text.
 */
const char *bench_entry_verify(bench_entry *e);

/*
 * Runs `count` iterations from state 0 and sets *ns to the CPU time of all. Each iteration changes
 * the input, does the work and folds into a running value what it made: the length and 8 bytes at
 * an offset that moves on from `start` (written bytes), or the changed field and one more field
 * (messages). Of a set, each iteration takes the next message of an order that `start` seeds.
 * Afterwards the running value is compared with that of the references. NULL, or what is wrong.
 */
const char *bench_entry_run(bench_entry *e, uint64_t count, uint64_t start, uint64_t *ns);

/*
 * Runs `count` cycles from state 0 and sets *ns to the CPU time of all: changes the message, writes
 * it, reads what was written, folds the changed field of the result into a running value, which is
 * compared afterwards. The two are entries of one contender and payload, no set, with a state each
 * (or the reader would overwrite what it reads). NULL, or what is wrong.
 */
const char *bench_entry_cycle(bench_entry *writer, bench_entry *reader, uint64_t count,
                              uint64_t *ns);

/* Iterations after which all states have been taken equally often: a timed run is a multiple. 1
 * where the states are alike. */
uint64_t bench_entry_pass(const bench_entry *e);

/* Heap requests of *count iterations, which it sets. */
bench_allocs bench_entry_allocs(bench_entry *e, uint64_t *count);

/* Bytes of a row: the mean length of what is written or read. */
size_t bench_entry_bytes(const bench_entry *e);

#endif
