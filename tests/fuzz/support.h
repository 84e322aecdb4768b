/* SPDX-License-Identifier: MIT */
/* support.h: what the fuzz targets share: the message types, inputs, stopping at a broken promise.
 */
#ifndef CWIRE_TESTS_FUZZ_SUPPORT_H
#define CWIRE_TESTS_FUZZ_SUPPORT_H

#include "cwire/cwire.h"

/* A message type that an input may choose. */
typedef struct fuzz_type {
    const cw_type *type;
    bool loose;  /* a string in it is not checked for UTF-8 by decode */
    bool strict; /* its JSON form refuses values that binary takes (well-known types) */
    bool packs;  /* it holds messages as bytes (Any, extensions): after a way through JSON their
                    fields may stand in another order */
} fuzz_type;

/* Only ever grows at its end: the first byte of an input is an index. */
extern const fuzz_type fuzz_types[];
extern const size_t fuzz_type_count;

/* Files for Any and extensions. */
extern const cw_registry fuzz_registry;

/*
 * An input is three bytes and then the message:
 *   type    index in fuzz_types, modulo their number
 *   flags   FUZZ_* below
 *   amount  what a flag wants a number for
 */
enum {
    FUZZ_ALIAS = 1,
    FUZZ_PARTIAL = 2,
    FUZZ_DEPTH = 4,   /* option depth: amount % 128 + 1 */
    FUZZ_MEMORY = 8,  /* option max_memory: amount * 16 + 1 */
    FUZZ_BLOCK = 16,  /* nothing but a block of amount * 16 bytes for the arena */
    FUZZ_LIMIT = 32,  /* arena limit: amount * 64 + 64, first block 64 */
    FUZZ_IGNORE = 64, /* JSON: ignore_unknown. Decode: merge the input a second time */
    FUZZ_MORE = 128,  /* the costly properties */
    FUZZ_HEADER = 3
};

typedef struct fuzz_input {
    const fuzz_type *of;
    const cw_type *type;
    unsigned flags;
    unsigned amount;
    char *data; /* heap block of exactly len bytes */
    size_t len;
} fuzz_input;

/* Takes the header off and copies the rest; false: too short. Release with fuzz_input_free. */
bool fuzz_input_read(fuzz_input *in, const uint8_t *data, size_t size);
void fuzz_input_free(fuzz_input *in);

/* An arena as the flags say; *block is a heap block to free after the arena, or NULL. */
void fuzz_arena_init(const fuzz_input *in, cw_arena *a, void **block);

/* A new message in the arena, which is not limited. */
void *fuzz_new(const cw_type *t, cw_arena *a);

/* May a call that has these limits fail so, whatever its input? */
bool fuzz_is_limit(cw_status st);

/* Prints what was promised and stops when it does not hold. */
#define FUZZ_CHECK(promise) ((promise) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #promise, NULL))
#define FUZZ_CHECK_OK(call, e)                                                                     \
    ((call) == CW_OK ? (void)0 : fuzz_broken(__FILE__, __LINE__, #call, e))
_Noreturn void fuzz_broken(const char *file, int line, const char *promise, const cw_error *e);

#endif
