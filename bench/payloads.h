/* SPDX-License-Identifier: MIT */
/* The payloads that have names, and which of all payloads a run visits. */
#ifndef BENCH_PAYLOADS_H
#define BENCH_PAYLOADS_H

#include "payload.h"

/* A row of the table: how the data is made, and how many bytes it has to have. */
typedef struct bench_named {
    const char *name;
    const cw_type *type;
    bool (*build)(void *message, cw_arena *a, uint32_t n); /* data.h */
    uint32_t n;          /* elements of the message; set: messages, made with n = 0, 1, ... */
    unsigned repeats;    /* set: see bench_payload; 0: one message */
    bool is_short;       /* raced by "make bench"; the others only with --full or by name */
    size_t binary, text; /* exact sizes in bytes, of a set in all; text as bench_print_options */
} bench_named;

extern const bench_named bench_named_payloads[];
extern const size_t bench_named_count;

/* The row of that name; NULL: there is none. */
const bench_named *bench_named_find(const char *name);

/* Fills the message (set: message number `index`) in the arena; dies without memory. */
void bench_named_build(const bench_named *named, uint32_t index, void *message, cw_arena *a);

/* Builds the data and measures it; in all, of a set. */
void bench_named_measure(const bench_named *named, size_t *binary, size_t *text);

/* Dies when the data has not the sizes that its row says. */
void bench_named_check(const bench_named *named);

/* Dies as bench_named_check does. Release with bench_payload_free. */
bench_payload *bench_named_make(const bench_named *named);

/* Which payloads a run visits. */
typedef struct bench_choice {
    bool full;          /* all named ones, and every other message type of schemas/ */
    const char *filter; /* see bench_options; a named one that it names is visited without full */
    /* Rows of that payload pass the filter. */
    bool (*wants)(void *ctx, const char *payload);
    void (*visit)(void *ctx, const bench_payload *p);
    void *ctx;
} bench_choice;

/* The part of the filter before the first slash, or all of it, occurs in the payload's name. */
bool bench_filter_names(const char *filter, const char *payload);

/*
 * Visits the payloads that are chosen: the named ones in the order of the table, then other message
 * types, with data from schemas/samples/FULL.NAME.json or from the generator. Without full those
 * are the types of .proto files that have no named payload: what a user adds to schemas/. Every
 * named payload to be visited is checked before the first visit; each is freed after its visit.
 */
void bench_payloads_each(const bench_choice *choice);

#endif
