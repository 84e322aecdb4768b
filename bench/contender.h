/* SPDX-License-Identifier: MIT */
/*
 * What takes part in the race. A contender is a row of the table in contenders.c and a file: it
 * knows its library; the harness owns changing the input, checking, counting and timing.
 *
 * Everything between struct and bytes belongs to the timed operations, memory management included.
 */
#ifndef BENCH_CONTENDER_H
#define BENCH_CONTENDER_H

#include "payload.h"

/* One timed operation: either write or read is NULL. */
typedef struct bench_op {
    const char *name; /* "encode", "decode_copy", "json_print" ... */
    bench_form form;  /* what it writes or reads */
    /* Struct to bytes: writes one of the contender's source messages. The result is valid until the
     * next call. data NULL: failed. */
    cw_bytes (*write)(void *state, const void *message);
    /* Bytes to struct; valid until release, or until the next call where that is NULL. NULL:
     * failed. */
    const void *(*read)(void *state, cw_bytes input);
    void (*release)(void *state, const void *message); /* timed too */
} bench_op;

typedef struct bench_contender {
    const char *name;
    /* Name and version of the library, for the header; NULL: nothing but our own code. */
    const char *(*version)(char *out, size_t cap);
    /* NULL: takes this payload; else why it cannot, a constant text. */
    const char *(*refuses)(const bench_payload *p);
    /* Everything that is not timed: buffers, tables, the source messages. Dies when that fails. */
    void *(*setup)(const bench_payload *p);
    void (*teardown)(void *state);
    /* The payload's message number `index`, below n_messages, in the contender's structs: what
     * `write` is given; the harness changes it. NULL: the contender only reads. */
    void *(*source)(void *state, size_t index);
    /* How a leaf is reached in this contender's structs. */
    bool (*probe)(void *state, const bench_leaf *leaf, bench_probe *out);
    /* A message that `read` made says the same as these bytes: it is encoded again. */
    bool (*matches)(void *state, const void *message, cw_bytes binary);
    /* May print the same message in other characters (digits of a double, an escape): then its
     * texts are proven by reading them back. */
    bool own_text;
    bool is_cxx;    /* a C++ library: shown, and no yardstick */
    bool is_lesson; /* no library: shown, and no yardstick */
    bool is_twin;   /* cwire on a twin of the payload's type; most payloads have none */
    const bench_op *ops;
    size_t n_ops;
} bench_contender;

/* Every contender of this build; a NULL follows the last. */
extern const bench_contender *const bench_contenders[];

extern const bench_contender bench_cwire;
extern const bench_contender bench_cwire_unchecked;
extern const bench_contender bench_cwire_map_as_list;
extern const bench_contender bench_protobuf_c;
extern const bench_contender bench_naive;
extern const bench_contender bench_yajl;
extern const bench_contender bench_gzip_json;

/* ---- for contenders whose structs are cwire's: their state begins with this --------------------
 */

typedef struct bench_cwire_state {
    const bench_payload *payload;
    cw_arena arena; /* of results */
    cw_arena proof; /* of `matches` */
} bench_cwire_state;

void bench_cwire_state_init(bench_cwire_state *s, const bench_payload *p);
void bench_cwire_state_free(bench_cwire_state *s);
void *bench_cwire_source(void *state, size_t index);
bool bench_cwire_probe(void *state, const bench_leaf *leaf, bench_probe *out);
bool bench_cwire_matches(void *state, const void *message, cw_bytes binary);

#endif
