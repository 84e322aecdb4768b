/* SPDX-License-Identifier: MIT */
/*
 * A payload: one message, its reference outputs, and the ways in which it changes while it is
 * raced; or a set of messages, which are taken one after another.
 *
 * The input changes on every iteration, so that nobody can reuse what was made before. Of one
 * message, iteration i puts value (i / n_sites) mod BENCH_VALUES into site i mod n_sites. All
 * values of a site encode to the same number of bytes, binary and JSON, so that lengths stay and a
 * change is a patch of a few bytes at the same place: in the structs that are encoded as in the
 * bytes that are decoded. Before iteration 0 every site holds its last value, so the states repeat
 * after n_states iterations; the output of each is kept as the reference. A large message has fewer
 * sites and values, so that fewer references are kept.
 *
 * A set has no sites: its messages are its states. They are taken in passes; each pass takes all in
 * an order shuffled anew, each of them `repeats` times in a row.
 */
#ifndef BENCH_PAYLOAD_H
#define BENCH_PAYLOAD_H

#include "cwire/cwire.h"
#include "path.h"

struct ProtobufCMessageDescriptor;

enum {
    BENCH_SITES = 4,
    BENCH_VALUES = 4,
    BENCH_STATES = BENCH_SITES * BENCH_VALUES,
    BENCH_PROBES = 64,    /* fields of a result that are looked at in turn */
    BENCH_PATCH_MAX = 32, /* bytes */
    BENCH_LARGE = 1 << 20 /* bytes of JSON, from which on a message is large */
};

/* What goes over the wire. */
typedef enum bench_form {
    BENCH_BINARY,
    BENCH_TEXT,      /* JSON: proto names, enums and 64-bit integers as numbers */
    BENCH_TEXT_GZIP, /* the same, gzip level 6 */
    BENCH_FORMS,
    BENCH_OWN = BENCH_FORMS /* a format that the payload does not know: its contender has one
                             * operation that writes it and one that reads it */
} bench_form;

/* A place in memory and what may be there. */
typedef struct bench_patch {
    uint8_t *at;
    size_t size;
    uint8_t value[BENCH_VALUES][BENCH_PATCH_MAX];
} bench_patch;

typedef struct bench_site {
    bench_leaf leaf;
    uint8_t value[BENCH_VALUES][8]; /* as in a struct: 1, 4 or 8 bytes, in this machine's order */
} bench_site;

/* A field of one message of a set, and what it holds. */
typedef struct bench_look {
    size_t probe; /* index in the payload's probes */
    uint64_t value;
} bench_look;

typedef struct bench_payload {
    const char *name;
    const cw_type *type;
    cw_arena arena;    /* owns the messages */
    size_t n_messages; /* 1; a set has many */
    void **messages;   /* cwire's structs, patched while contenders write them */
    void *message;     /* the first */
    size_t longest[2]; /* BENCH_BINARY, BENCH_TEXT: bytes of the longest message */
    size_t total[2];   /* of all messages */
    unsigned repeats;  /* set: how often in a row a message is taken; 0: no set */
    bool is_large;     /* BENCH_LARGE; it has no BENCH_TEXT_GZIP */
    bool has_floats;
    bool has_wide_integers; /* beyond 2^53: a double cannot carry them */
    bool has_well_known;    /* google.protobuf types, whose JSON is special */
    bool is_constant;       /* nothing in the message can change */
    bool is_users; /* its type was loaded while the program runs; the bench's own may have its name
                    */
    const struct ProtobufCMessageDescriptor *pbc_type; /* users': NULL, there is none */
    unsigned n_sites;                                  /* 0: is_constant, or a set */
    unsigned n_values; /* different ones of a site; the places for more repeat them */
    unsigned n_states; /* n_sites * n_values; constant: BENCH_VALUES; set: n_messages */
    bench_site sites[BENCH_SITES];
    size_t n_probes; /* up to BENCH_PROBES; a set: what its messages' looks need */
    bench_leaf *probes;
    bench_look *looks;             /* set: those of message i are first_look[i] and following */
    size_t *first_look;            /* n_messages + 1 */
    cw_bytes *output[BENCH_FORMS]; /* references by state, each in a block of its own */
    uint64_t (*site_value)[BENCH_SITES];   /* by state */
    uint64_t (*probe_value)[BENCH_PROBES]; /* by state; no set */
    cw_bytes input[2]; /* BENCH_BINARY, BENCH_TEXT: patched while they are read; no set */
    bench_patch patch[2][BENCH_SITES];   /* in input[] */
    bench_patch in_message[BENCH_SITES]; /* in message */
} bench_payload;

/* The JSON that every contender prints. */
extern const cw_json_print_options bench_print_options;

/*
 * A payload of this message (copied). The name is kept, not copied. Dies with a reason when the
 * message cannot be encoded and read back. Release with bench_payload_free.
 */
bench_payload *bench_payload_make(const char *name, const cw_type *type, const void *message);

/* A set of these messages, n structs one behind the other, 2 to 65,535; repeats is at least 1. As
 * above. */
bench_payload *bench_payload_make_set(const char *name, const cw_type *type, const void *messages,
                                      size_t n, unsigned repeats);
/* NULL is nothing to do. */
void bench_payload_free(bench_payload *p);

/* The binary form of message number `index`, from which contenders make their own. */
static inline cw_bytes bench_payload_binary(const bench_payload *p, size_t index)
{
    return p->output[BENCH_BINARY][index];
}

/* Puts value number `value` at the patch's place. */
static inline void bench_patch_apply(const bench_patch *patch, unsigned value)
{
    switch (patch->size) {
    case 1:
        *patch->at = patch->value[value][0];
        break;
    case 8:
        memcpy(patch->at, patch->value[value], 8);
        break;
    default:
        memcpy(patch->at, patch->value[value], patch->size);
        break;
    }
}

/* Every site back to its last value: the state before iteration 0. */
static inline void bench_patch_reset(const bench_patch *patches, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        bench_patch_apply(&patches[i], BENCH_VALUES - 1);
    }
}

/* For payload.c and payload_set.c: the message in one form, a block of its own; a copy through the
 * wire, in p->arena; the flags that hang on the leaves; room for the references. */
cw_bytes bench_payload_write(const bench_payload *p, const void *message, bench_form form,
                             cw_arena *scratch);
void *bench_payload_copy(bench_payload *p, const void *message, cw_arena *scratch);
void bench_payload_flags(bench_payload *p, const void *message, const bench_leaves *leaves);
void bench_payload_room(bench_payload *p);

/* The payload's sites in a message of any layout, given a probe for each. */
void bench_patches_in_message(const bench_payload *p, const bench_probe *site_probes, void *message,
                              bench_patch *out);

#endif
