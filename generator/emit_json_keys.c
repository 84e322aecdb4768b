/* SPDX-License-Identifier: MIT */
/*
 * emit_json_keys.c: how a parser knows its fields: their names (T__json_names) and the hash table
 * that finds them (T__json_slots). A table, not code: any key of any message is found in the same
 * few steps, and it is small.
 */
#include "emit_json_common.h"

#include <stdlib.h>
#include <string.h>

#define TAKES_NULL  0x80000000u /* CW__JSON_TAKES_NULL */
#define MULTIPLIERS 64          /* tried for the table with the shortest searches */

/* --- the table -------------------------------------------------------------------------------- */

typedef struct key {
    const char *name;
    size_t len;
    uint32_t place; /* in T__json_names */
    bool takes_null;
} key;

static int compare_keys(const void *a, const void *b)
{
    const key *x = a, *y = b;
    if (x->len != y->len)
        return x->len < y->len ? -1 : 1;
    int c = memcmp(x->name, y->name, x->len);
    return c ? c : x->place < y->place ? -1 : 1;
}

/* The two names of every field, sorted by length and name, each name once (the first field has it);
 * NULL: no memory. */
static key *collect_keys(const cwg_message *m, size_t *n)
{
    key *keys = malloc(2 * (size_t)m->n_fields * sizeof *keys);
    if (!keys)
        return NULL;
    size_t count = 0;
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->by_number[i];
        bool null = cwg__json_takes_null(f);
        keys[count] = (key){f->json_name, strlen(f->json_name), (uint32_t)count, null};
        count++;
        keys[count] = (key){f->name, strlen(f->name), (uint32_t)count, null};
        count++;
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    *n = 0;
    for (size_t i = 0; i < count; i++) {
        key *last = *n > 0 ? &keys[*n - 1] : NULL;
        if (last && last->len == keys[i].len && !memcmp(last->name, keys[i].name, last->len))
            continue;
        keys[(*n)++] = keys[i];
    }
    return keys;
}

/* n <= 8 bytes, the first one lowest. */
static uint64_t load(const char *s, size_t n)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++)
        v |= (uint64_t)(unsigned char)s[i] << (8 * i);
    return v;
}

/* The same function as in runtime/core/json_read.c. */
static uint64_t hash_key(const char *s, size_t n)
{
    uint64_t first = 0, last = 0;
    if (n >= 8) {
        first = load(s, 8);
        last = load(s + n - 8, 8);
    } else if (n >= 4) {
        first = load(s, 4) | load(s + n - 4, 4) << 32;
    } else if (n > 0) {
        first = load(s, 1) | load(s + n / 2, 1) << 8 | load(s + n - 1, 1) << 16;
    }
    return first + last * UINT64_C(0x9e3779b97f4a7c15) + n;
}

/* Fills 1 << bits slots; returns how many steps it takes to find every key once. */
static size_t fill(uint32_t *slots, unsigned bits, const key *keys, size_t n, uint64_t multiplier)
{
    size_t count = (size_t)1 << bits, steps = 0;
    memset(slots, 0, count * sizeof *slots);
    for (size_t i = 0; i < n; i++) {
        size_t at = (size_t)((hash_key(keys[i].name, keys[i].len) * multiplier) >> (64 - bits));
        for (; slots[at] != 0; at = (at + 1) % count)
            steps++;
        slots[at] = (keys[i].place + 1) | (keys[i].takes_null ? TAKES_NULL : 0);
        steps++;
    }
    return steps;
}

/* An odd number of 64 bits that depends on i alone (splitmix64). */
static uint64_t multiplier_of(uint64_t i)
{
    uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (x ^ x >> 31) | 1;
}

static void emit_table(uint32_t *slots, unsigned bits, const key *keys, size_t n, cwg_text *t)
{
    uint64_t best = 0;
    size_t least = SIZE_MAX;
    for (uint64_t i = 0; i < MULTIPLIERS && least > n; i++) {
        size_t steps = fill(slots, bits, keys, n, multiplier_of(i));
        if (steps < least) {
            least = steps;
            best = multiplier_of(i);
        }
    }
    fill(slots, bits, keys, n, best);
    cwg_emit(t, "\nstatic const uint32_t $T$__json_slots[] = {\n");
    for (size_t i = 0; i < (size_t)1 << bits; i++) {
        cwg_seti(t, "slot", slots[i]);
        cwg_emit(t, (i + 1) % 16 == 0 || i + 1 == (size_t)1 << bits ? "$slot$,\n" : "$slot$, ");
    }
    cwg_emit(t, "};\n");
    cwg_setf(t, "multiplier", "0x%016llx", (unsigned long long)best);
    cwg_seti(t, "shift", 64 - (long long)bits);
}

/* T__json_slots, and what T__json_keys says about it. */
static void emit_slots(const cwg_message *m, cwg_text *t)
{
    size_t n = 0;
    unsigned bits = 1;
    key *keys = collect_keys(m, &n);
    while ((size_t)1 << bits < 2 * n)
        bits++;
    uint32_t *slots = keys ? malloc(((size_t)1 << bits) * sizeof *slots) : NULL;
    if (slots)
        emit_table(slots, bits, keys, n, t);
    else
        cwg_fail(t, "out of memory");
    free(slots);
    free(keys);
}

/* --- all -------------------------------------------------------------------------------------- */

static void emit_name(const char *name, cwg_text *t)
{
    cwg_set_literal(t, "name", name, strlen(name));
    cwg_seti(t, "len", (long long)strlen(name));
    cwg_emit(t, "{$name$, $len$},\n");
}

void cwg__json_emit_keys(const cwg_message *m, cwg_text *t)
{
    cwg_push(t);
    cwg_blank(t);
    if (m->n_fields == 0) {
        cwg_emit(t, "static const cw__json_keys $T$__json_keys = {0};\n");
        cwg_pop(t);
        return;
    }
    cwg_emit(t, "/* The JSON name and the .proto name of each field. */\n"
                "/* clang-format off */\n"
                "static const cw__json_name $T$__json_names[] = {\n");
    for (int i = 0; i < m->n_fields; i++) {
        emit_name(m->by_number[i]->json_name, t);
        emit_name(m->by_number[i]->name, t);
    }
    cwg_emit(t, "};\n");
    emit_slots(m, t);
    cwg_seti(t, "n", m->n_fields);
    cwg_emit(t, "\nstatic const cw__json_keys $T$__json_keys = {\n"
                "$T$__json_names,\n$T$__json_slots,\n$multiplier$,\n$shift$,\n$n$,\n"
                "};\n"
                "/* clang-format on */\n");
    cwg_pop(t);
}
