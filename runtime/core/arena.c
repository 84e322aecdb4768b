/* SPDX-License-Identifier: MIT */
/*
 * arena.c: where blocks come from. The bump itself is inline (arena.h).
 *
 * Blocks form a chain in order of allocation that is never reordered: after a reset the same
 * requests find the same blocks, so that steady state allocates nothing. Every block knows its free
 * room [top, end); for the current one `top` is stale (the arena's ptr holds).
 */
#include "cwire/arena.h"

#include <stdlib.h>

#define DEFAULT_BLOCK ((size_t)4096)
#define LARGEST_STEP  ((size_t)1 << 20)
/* Free room of which half is worth lending to an inner arena. */
#define LEAST_LENDING ((size_t)1024)

struct cw__arena_block {
    cw__arena_block *next;
    char *top;
    char *end;
    size_t size; /* of the whole block, this header included */
    bool callers;
};

/* The header's length, rounded so that the first byte after it is 8-aligned. */
#define HEADER   ((sizeof(cw__arena_block) + 7) & ~(size_t)7)
#define OVERHEAD (HEADER + CW__ARENA_SLACK)

static size_t round_up(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

static char *block_begin(cw__arena_block *b)
{
    return (char *)b + HEADER;
}

/* The end of what a fresh block may give out. */
static char *block_end(cw__arena_block *b)
{
    return (char *)b + (b->size & ~(size_t)7) - CW__ARENA_SLACK;
}

static size_t block_room(const cw__arena_block *b)
{
    return (size_t)(b->end - b->top);
}

static void *block_alloc(cw_arena *a, size_t size)
{
    return a->alloc.alloc ? a->alloc.alloc(a->alloc.ctx, size) : malloc(size);
}

static void block_free(cw_arena *a, cw__arena_block *b)
{
    a->got -= b->size;
    if (a->outer) {
        a->outer->got -= b->size;
    }
    if (!a->alloc.alloc) {
        free(b);
    } else if (a->alloc.free) {
        a->alloc.free(a->alloc.ctx, b, b->size);
    }
}

static void block_clear(cw__arena_block *b)
{
    b->top = block_begin(b);
    b->end = block_end(b);
}

/* Sets `end` from the current block and the budget. */
static void clip(cw_arena *a)
{
    a->end = a->current ? a->current->end : a->ptr;
    if (a->budgeted && (size_t)(a->end - a->ptr) > a->budget) {
        a->end = a->ptr + (a->budget & ~(size_t)7);
    }
}

/* Charges what was given out by the bump since the last time, and `more` bytes. */
static void charge(cw_arena *a, size_t more)
{
    if (a->budgeted) {
        a->budget -= (size_t)(a->ptr - a->budget_base) + more;
    }
    a->budget_base = a->ptr;
}

/* Makes b the block that ptr and end are in. */
static void enter_block(cw_arena *a, cw__arena_block *b)
{
    charge(a, 0);
    if (a->current) {
        a->current->top = a->ptr;
    }
    a->current = b;
    a->ptr = b->top;
    a->budget_base = a->ptr;
    clip(a);
}

/* A block of the caller's memory; NULL when it is too small to be of use. */
static cw__arena_block *callers_block(void *memory, size_t size)
{
    if (!memory) {
        return NULL;
    }
    size_t skip = (size_t)(-(uintptr_t)memory & 7);
    if (size < skip + OVERHEAD + 8) {
        return NULL;
    }
    cw__arena_block *b = (cw__arena_block *)(void *)((char *)memory + skip);
    b->next = NULL;
    b->size = size - skip;
    b->callers = true;
    block_clear(b);
    return b;
}

void cw_arena_init(cw_arena *a, const cw_arena_options *o)
{
    memset(a, 0, sizeof *a);
    if (!o) {
        return;
    }
    a->limit = o->limit;
    a->next_size = o->first_block;
    a->first_size = o->first_block;
    a->no_alloc = o->no_alloc;
    if (o->alloc) {
        a->alloc = *o->alloc;
    }
    a->first = callers_block(o->block, o->block_size);
    a->scan = a->first;
    if (a->first) {
        enter_block(a, a->first);
    }
}

void cw_arena_reset(cw_arena *a)
{
    for (cw__arena_block *b = a->first; b; b = b->next) {
        block_clear(b);
    }
    a->budgeted = false;
    a->failure = CW_OK;
    a->current = NULL;
    a->scan = a->first;
    if (a->first) {
        enter_block(a, a->first);
    }
}

void cw_arena_free(cw_arena *a)
{
    cw__arena_block *own = NULL;
    for (cw__arena_block *b = a->first, *next; b; b = next) {
        next = b->next;
        if (b->callers) {
            own = b;
            own->next = NULL;
        } else {
            block_free(a, b);
        }
    }
    a->first = own;
    a->ptr = NULL;
    a->end = NULL;
    a->next_size = a->first_size;
    cw_arena_reset(a);
}

size_t cw_arena_held(const cw_arena *a)
{
    return a->got;
}

static void *fail(cw_arena *a, cw_status why)
{
    a->failure = why;
    return NULL;
}

/* Bytes of blocks that the limit still allows; the outer arena's when there is one. */
static size_t allowance(const cw_arena *a)
{
    const cw_arena *top = a->outer ? a->outer : a;
    return top->limit > 0 ? top->limit - top->got : SIZE_MAX;
}

/* Gives blocks back in which nothing is, until `size` more bytes fit under the limit. */
static void release_unused(cw_arena *a, size_t size)
{
    cw__arena_block **link = &a->first;
    while (*link && size > allowance(a)) {
        cw__arena_block *b = *link;
        if (b != a->current && !b->callers && b->top == block_begin(b) && b->end == block_end(b)) {
            if (a->scan == b) {
                a->scan = b->next;
            }
            *link = b->next;
            block_free(a, b);
        } else {
            link = &b->next;
        }
    }
}

/* A new block at the chain's end with at least n bytes of room; n is rounded. */
static cw__arena_block *add_block(cw_arena *a, size_t n)
{
    size_t size = a->next_size > 0 ? a->next_size : DEFAULT_BLOCK;
    size_t needed = n + OVERHEAD;
    if (a->no_alloc) {
        return fail(a, CW_ERR_LIMIT);
    }
    if (size < needed) {
        size = needed;
    }
    if (size > allowance(a)) {
        release_unused(a, needed);
        if (a->outer) {
            release_unused(a->outer, needed);
        }
        size_t most = allowance(a);
        if (needed > most) {
            return fail(a, CW_ERR_LIMIT);
        }
        size = size > most ? most : size;
    }
    cw__arena_block *b = block_alloc(a, size);
    if (!b) {
        return fail(a, CW_ERR_MEMORY);
    }
    a->got += size;
    if (a->outer) {
        a->outer->got += size;
    }
    if (a->next_size < LARGEST_STEP) {
        size_t twice = 2 * (a->next_size > 0 ? a->next_size : DEFAULT_BLOCK);
        a->next_size = twice < LARGEST_STEP ? twice : LARGEST_STEP;
    }
    b->next = NULL;
    b->size = size;
    b->callers = false;
    block_clear(b);
    cw__arena_block **link = a->current ? &a->current->next : &a->first;
    while (*link) {
        link = &(*link)->next;
    }
    *link = b;
    if (!a->scan) {
        a->scan = b;
    }
    return b;
}

/* A block with n bytes of room, n rounded and > 0: an old one that has it, or a new one. */
static cw__arena_block *find_block(cw_arena *a, size_t n)
{
    if (a->budgeted) {
        charge(a, 0);
        if (n > a->budget) {
            return fail(a, CW_ERR_LIMIT);
        }
    }
    if (a->current) {
        a->current->top = a->ptr;
    }
    while (a->scan && block_room(a->scan) < a->scan->size / 8) {
        a->scan = a->scan->next;
    }
    for (cw__arena_block *b = a->scan; b; b = b->next) {
        if (block_room(b) >= n) {
            return b;
        }
    }
    return add_block(a, n);
}

void *cw__arena_alloc_slow(cw_arena *a, size_t n)
{
    if (n == 0) {
        if (a->ptr) {
            return a->ptr;
        }
        n = 1;
    }
    if (n > SIZE_MAX - OVERHEAD - 7) {
        return fail(a, CW_ERR_LIMIT);
    }
    n = round_up(n);
    cw__arena_block *b = find_block(a, n);
    if (!b) {
        return NULL;
    }
    /* A block for a huge request that has less room left than the current one is used, but not
     * entered. */
    if (a->current && b != a->current && block_room(b) - n < block_room(a->current)) {
        char *r = b->top;
        b->top += n;
        charge(a, n);
        clip(a);
        return r;
    }
    if (b != a->current) {
        enter_block(a, b);
    }
    char *r = a->ptr;
    a->ptr += n;
    return r;
}

bool cw__arena_room(cw_arena *a, size_t n)
{
    if (n <= (size_t)(a->end - a->ptr)) {
        return true;
    }
    if (n > SIZE_MAX - OVERHEAD - 7) {
        fail(a, CW_ERR_LIMIT);
        return false;
    }
    cw__arena_block *b = find_block(a, round_up(n));
    if (!b) {
        return false;
    }
    if (b != a->current) {
        enter_block(a, b);
    }
    return true;
}

bool cw__arena_room_output(cw_arena *a, size_t n)
{
    if (a->output <= n || a->output <= (size_t)(a->end - a->ptr) || a->budgeted) {
        return cw__arena_room(a, n);
    }
    if (a->current) {
        a->current->top = a->ptr;
    }
    for (cw__arena_block *b = a->scan; b; b = b->next) {
        if (block_room(b) >= a->output) {
            enter_block(a, b);
            return true;
        }
    }
    return cw__arena_room(a, n);
}

void cw__arena_take_front(cw_arena *a, char *upto)
{
    a->ptr += round_up((size_t)(upto - a->ptr));
}

void cw__arena_take_back(cw_arena *a, char *from)
{
    size_t taken = (size_t)(a->end - from);
    if (taken == 0) {
        return;
    }
    charge(a, taken);
    size_t room = (size_t)(from - a->ptr);
    if (room < CW__ARENA_SLACK + 8) {
        /* Nothing of use is left in front of the bytes: the block is full. */
        a->ptr = block_end(a->current);
        a->current->end = a->ptr;
        a->budget_base = a->ptr;
    } else {
        /* The slack must not reach into the bytes taken. */
        a->current->end = a->ptr + ((room - CW__ARENA_SLACK) & ~(size_t)7);
    }
    clip(a);
}

void cw__arena_budget_begin(cw_arena *a, size_t max)
{
    a->budgeted = max != SIZE_MAX;
    a->budget = max;
    a->budget_base = a->ptr;
    clip(a);
}

void cw__arena_budget_end(cw_arena *a)
{
    a->budgeted = false;
    clip(a);
}

void cw__arena_inner_begin(cw__arena_inner *in, cw_arena *outer, char *used)
{
    cw_arena_options o = {
        .first_block = outer->first_size, .no_alloc = outer->no_alloc, .alloc = &outer->alloc};
    in->lender = NULL;
    if (used && (size_t)(outer->end - used) >= LEAST_LENDING) {
        char *from = outer->end - ((size_t)(outer->end - used) / 2 & ~(size_t)7);
        o.block = from;
        o.block_size = (size_t)(outer->end - from) + CW__ARENA_SLACK;
        in->lender = outer->current;
        in->lender_end = outer->current->end;
        outer->current->end = from - CW__ARENA_SLACK;
        clip(outer);
    }
    cw_arena_init(&in->arena, &o);
    in->arena.outer = outer;
}

void cw__arena_inner_end(cw__arena_inner *in)
{
    cw_arena *outer = in->arena.outer;
    cw_arena_free(&in->arena);
    if (!in->lender) {
        return;
    }
    in->lender->end = in->lender_end;
    if (outer->current == in->lender) {
        clip(outer);
    }
}

void *cw_arena_array(cw_arena *a, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        return fail(a, CW_ERR_LIMIT);
    }
    return cw_arena_alloc(a, count * size);
}

bool cw_arena_str(cw_arena *a, cw_str s, cw_str *out)
{
    if (s.len == SIZE_MAX) {
        fail(a, CW_ERR_LIMIT);
        return false;
    }
    char *r = cw_arena_alloc(a, s.len + 1);
    if (!r) {
        return false;
    }
    if (s.len > 0) {
        memcpy(r, s.data, s.len);
    }
    r[s.len] = 0;
    *out = cw_str_of(r, s.len);
    return true;
}

bool cw_arena_bytes(cw_arena *a, cw_bytes s, cw_bytes *out)
{
    uint8_t *r = cw_arena_alloc(a, s.len);
    if (!r) {
        return false;
    }
    if (s.len > 0) {
        memcpy(r, s.data, s.len);
    }
    *out = cw_bytes_of(r, s.len);
    return true;
}
