/* SPDX-License-Identifier: MIT */
/*
 * arena.h: the owner of everything decoded, printed or built. Bump allocation: nothing is freed
 * alone, everything by reset or free. One arena belongs to one thread at a time.
 *
 * The bump is inline because generated loops call it per string and per list; blocks are got out of
 * line.
 */
#ifndef CWIRE_ARENA_H
#define CWIRE_ARENA_H

#include "cwire/status.h"
#include "cwire/str.h"

CW_BEGIN_DECLS

/*
 * Where blocks come from. alloc returns memory of `size` bytes, aligned as malloc's (8 is enough),
 * or NULL; free gets the size that was asked for. ctx is passed through.
 */
typedef struct cw_allocator {
    void *(*alloc)(void *ctx, size_t size);
    void (*free)(void *ctx, void *block, size_t size);
    void *ctx;
} cw_allocator;

/* All zero is the default. */
typedef struct cw_arena_options {
    void *block;        /* optional first block of the caller's (stack, static); never freed */
    size_t block_size;  /* its size in bytes */
    size_t limit;       /* most bytes of blocks beyond the caller's one; 0: no limit */
    size_t first_block; /* size of the first block got from alloc; 0: 4096 */
    bool no_alloc;      /* never ask for more than `block`: beyond it is CW_ERR_LIMIT */
    const cw_allocator *alloc; /* NULL: malloc and free. Copied; its ctx must outlive the arena */
} cw_arena_options;

/*
 * Every block keeps this many bytes free after what the bump may give out, so that short strings
 * can be copied 16 bytes at a time.
 */
#define CW__ARENA_SLACK 16

typedef struct cw__arena_block cw__arena_block;

/*
 * Fields are private. Invariant: [ptr, end) is free, ptr and end are 8-aligned, and
 * CW__ARENA_SLACK more bytes after `end` are writable. A zeroed arena is a valid empty one (blocks
 * from malloc). A budget works by clipping `end`, so that the inline path does not know of it.
 */
typedef struct cw_arena {
    char *ptr;
    char *end;
    cw__arena_block *current; /* the block that ptr and end are in; NULL: none yet */
    cw__arena_block *first;   /* chain in order of allocation, the caller's block first */
    cw__arena_block *scan;    /* blocks before this one in the chain are (nearly) full */
    size_t got;               /* bytes of blocks got from alloc */
    char *budget_base;        /* ptr when `budget` was last brought up to date */
    size_t budget;            /* bytes that may be drawn from budget_base on, when budgeted */
    size_t limit;
    size_t next_size;  /* of the next block; 0: the default */
    size_t first_size; /* next_size at the start */
    size_t output;     /* room that the last outputs of unknown length took; see below */
    cw_allocator alloc;
    cw_status failure; /* why the last allocation failed: CW_ERR_MEMORY or CW_ERR_LIMIT */
    bool no_alloc;
    bool budgeted;
    struct cw_arena *outer; /* of an inner arena: whose limit counts its blocks, too; else NULL */
} cw_arena;

/* Sets up an arena; o may be NULL. Allocates nothing. Release with cw_arena_free. */
CW_API void cw_arena_init(cw_arena *a, const cw_arena_options *o);

/* Forgets everything that was given out and keeps the blocks, so that steady state allocates
 * nothing. */
CW_API void cw_arena_reset(cw_arena *a);

/* Returns all blocks to the allocator; the arena is then as after cw_arena_init with the same
 * options. */
CW_API void cw_arena_free(cw_arena *a);

/* Bytes of blocks that the arena holds from its allocator now. */
CW_API size_t cw_arena_held(const cw_arena *a);

/* Slow twin of cw_arena_alloc: the current block is full (or n is huge). */
CW_API void *cw__arena_alloc_slow(cw_arena *a, size_t n);

/*
 * `n` bytes, 8-aligned, not zeroed; valid until reset or free. NULL when memory, limit or budget is
 * exhausted (cw_arena.failure says which). n == 0 gives a valid pointer.
 */
static inline void *cw_arena_alloc(cw_arena *a, size_t n)
{
    /* ptr and end are 8-aligned, so that the rounded size fits when n does; n == 0 wraps around and
     * is the slow path's. */
    if (CW_LIKELY(n - 1 < (size_t)(a->end - a->ptr))) {
        char *r = a->ptr;
        a->ptr = r + ((n + 7) & ~(size_t)7);
        return r;
    }
    return cw__arena_alloc_slow(a, n);
}

/* count * size bytes with the product checked; NULL (failure CW_ERR_LIMIT) when it overflows. */
CW_API void *cw_arena_array(cw_arena *a, size_t count, size_t size);

/* A NUL-terminated copy of s in the arena; *out is unchanged on failure. False: no memory. */
CW_API bool cw_arena_str(cw_arena *a, cw_str s, cw_str *out);
CW_API bool cw_arena_bytes(cw_arena *a, cw_bytes s, cw_bytes *out);

/*
 * Room for `add` more elements of `elem` bytes in a list: returns the (maybe moved) data pointer
 * and sets *cap, or NULL (list unchanged; cw_arena.failure tells why). Reserves max(len + add, 2 *
 * cap) as the growth rule says; in place when the list is the arena's last allocation. New memory
 * is not zeroed. Borrowed lists (cap 0, len > 0) are copied.
 */
CW_API void *cw__list_grow(cw_arena *a, void *data, size_t len, size_t *cap, size_t elem,
                           size_t add);

/*
 * The budget of one call (cw_decode_options.max_memory): between begin and end the arena gives out
 * at most `max` bytes (SIZE_MAX: any). Not nested.
 */
CW_API void cw__arena_budget_begin(cw_arena *a, size_t max);
CW_API void cw__arena_budget_end(cw_arena *a);

/* The whole rest of the current block for an encoder or printer that fills it from one of its ends:
 * after writing, take it by moving ptr (filled from the front) or end (filled from the back) with
 * these. */

/* Makes sure that at least n bytes are free in one block: [a->ptr, a->end). False: no memory. */
CW_API bool cw__arena_room(cw_arena *a, size_t n);
/*
 * The same for an output of a length that is not known yet: in a block that the arena holds with
 * room for as much as the last ones took, if there is one, so that in steady state nothing is
 * copied on the way to it. Never gets a block for that.
 */
CW_API bool cw__arena_room_output(cw_arena *a, size_t n);
/* Such an output took n bytes of room. */
static inline void cw__arena_output_took(cw_arena *a, size_t n)
{
    if (n > a->output || n < a->output / 16) {
        a->output = n;
    }
}
/* Takes [a->ptr, upto): `upto` is inside the free room. */
CW_API void cw__arena_take_front(cw_arena *a, char *upto);
/* Takes [from, a->end): `from` is inside the free room. */
CW_API void cw__arena_take_back(cw_arena *a, char *from);

/*
 * An inner arena: for what a printer needs for a while, when its text stands in the free room of
 * the outer one, which must not be allocated from then. It begins with the back half of that free
 * room, as far as that is behind `used` (NULL: none of it), so that mostly nothing is allocated;
 * then come blocks from the outer arena's allocator, which count for its limit. An outer arena with
 * `no_alloc` can lend that half, no more: beyond it is CW_ERR_LIMIT. The outer one has no budget
 * open; its `end` changes in begin and in end. Pairs nest.
 */
typedef struct cw__arena_inner {
    cw_arena arena;
    cw__arena_block *lender; /* the outer arena's block that lends; NULL: none */
    char *lender_end;        /* where its free room ended before */
} cw__arena_inner;

CW_API void cw__arena_inner_begin(cw__arena_inner *in, cw_arena *outer, char *used);
/* Frees all that the inner arena gave out. */
CW_API void cw__arena_inner_end(cw__arena_inner *in);

CW_END_DECLS
#endif
