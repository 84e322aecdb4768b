/* SPDX-License-Identifier: MIT */
/*
 * mutate_plugin.c: how fuzz_plugin's inputs are changed when libFuzzer runs it: one field of the
 * message, or of one inside of it, is changed, doubled, moved or left out, and the lengths around
 * it are set right, so that the request can still be read.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 512, DEEPEST = 8 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

typedef struct field {
    size_t start, value, end; /* the tag; what is behind tag and length; the next field */
    unsigned wire;
} field;

typedef struct output {
    uint8_t *data;
    size_t len, max;
    bool full;
} output;

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static bool take_varint(const uint8_t *in, size_t n, size_t *at, uint64_t *v)
{
    *v = 0;
    for (unsigned shift = 0; shift < 64 && *at < n; shift += 7) {
        uint8_t byte = in[(*at)++];
        *v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

/* The fields of a message; 0: it is none, or an empty one. */
static size_t split(const uint8_t *in, size_t n, field *fields)
{
    size_t count = 0;
    for (size_t at = 0; at < n; count++) {
        uint64_t tag, len;
        field f = {.start = at};
        if (count == MOST_FIELDS || !take_varint(in, n, &at, &tag) || tag < 8) {
            return 0;
        }
        f.wire = tag & 7;
        f.value = at;
        if (f.wire == 0 ? !take_varint(in, n, &at, &len) : f.wire != 2) {
            return 0; /* a request has nothing but varints and lengths */
        }
        if (f.wire == 2) {
            if (!take_varint(in, n, &at, &len) || len > n - at) {
                return 0;
            }
            f.value = at;
            at += (size_t)len;
        }
        f.end = at;
        fields[count] = f;
    }
    return count;
}

static void put(output *out, const uint8_t *bytes, size_t n)
{
    if (n > out->max - out->len) {
        out->full = true;
        return;
    }
    if (n > 0) {
        memcpy(out->data + out->len, bytes, n);
        out->len += n;
    }
}

static void put_varint(output *out, uint64_t v)
{
    uint8_t bytes[10];
    size_t n = 0;
    for (; v >= 0x80; v >>= 7) {
        bytes[n++] = (uint8_t)(v | 0x80);
    }
    bytes[n++] = (uint8_t)v;
    put(out, bytes, n);
}

static void change(const uint8_t *in, size_t n, output *out, unsigned *seed, int depth);

/* The field with another value: its message changed, or its bytes. */
static void put_changed(const uint8_t *in, const field *f, output *out, unsigned *seed, int depth)
{
    uint64_t tag;
    size_t at = f->start;
    take_varint(in, f->end, &at, &tag);
    put_varint(out, tag);
    if (f->wire == 0) {
        put_varint(out, next(seed) % 4 ? next(seed) % 20 : (uint64_t)next(seed) << next(seed) % 40);
        return;
    }
    size_t n = f->end - f->value, room = n + 64;
    output inner = {malloc(room), 0, room, false};
    if (!inner.data) {
        abort();
    }
    change(in + f->value, n, &inner, seed, depth + 1);
    if (inner.full) {
        inner.len = 0;
    }
    put_varint(out, inner.len);
    put(out, inner.data, inner.len);
    free(inner.data);
}

static void change(const uint8_t *in, size_t n, output *out, unsigned *seed, int depth)
{
    field *fields = malloc(MOST_FIELDS * sizeof *fields);
    if (!fields) {
        abort();
    }
    size_t count = depth < DEEPEST && next(seed) % 16 ? split(in, n, fields) : 0;
    if (count == 0) {
        put(out, in, n);
        if (!out->full) {
            out->len = LLVMFuzzerMutate(out->data, n, out->max);
        }
        free(fields);
        return;
    }
    const field *f = &fields[next(seed) % count], *other = &fields[next(seed) % count];
    unsigned what = next(seed) % 16;
    for (const field *x = fields; x < fields + count; x++) {
        if (x == other && what < 2) { /* 0: doubled, 1: moved */
            put(out, in + f->start, f->end - f->start);
        }
        if (x != f || what == 0) {
            put(out, in + x->start, x->end - x->start);
        } else if (what > 2) { /* 2: left out */
            put_changed(in, x, out, seed, depth);
        }
    }
    free(fields);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    output out = {malloc(max_size), 0, max_size, false};
    if (!out.data) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    change(data, size, &out, &seed, 0);
    if (out.full || out.len == 0) {
        free(out.data);
        return LLVMFuzzerMutate(data, size, max_size);
    }
    memcpy(data, out.data, out.len);
    free(out.data);
    return out.len;
}
