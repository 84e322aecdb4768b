/* SPDX-License-Identifier: MIT */
#include "sites.h"

#include <stdlib.h>

#include "die.h"
#include "reflect.h"

/* What a leaf is good for; lower numbers are better. */
typedef enum site_class { WIDE, NARROW, TEXT, FLOATING, CLASSES, UNFIT } site_class;

static site_class class_of(const bench_leaf *leaf)
{
    if (leaf->is_key) {
        return UNFIT;
    }
    switch (leaf->kind) {
    case CW_KIND_INT64:
    case CW_KIND_UINT64:
    case CW_KIND_SINT64:
    case CW_KIND_FIXED64:
    case CW_KIND_SFIXED64:
        return WIDE;
    case CW_KIND_INT32:
    case CW_KIND_UINT32:
    case CW_KIND_SINT32:
    case CW_KIND_FIXED32:
    case CW_KIND_SFIXED32:
        return NARROW;
    case CW_KIND_STRING:
    case CW_KIND_BYTES:
        return TEXT;
    case CW_KIND_DOUBLE:
    case CW_KIND_FLOAT:
        return FLOATING;
    default:
        return UNFIT;
    }
}

static bool is_letter_or_digit(uint64_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* 1.5, 2.5 ... as the bits of a double or float. */
static uint64_t half_number(cw_kind kind, unsigned n)
{
    double wide = n + 1.5;
    float narrow = (float)wide;
    uint64_t v = 0;
    uint32_t bits;
    if (kind == CW_KIND_DOUBLE) {
        memcpy(&v, &wide, sizeof v);
        return v;
    }
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

/* The n-th value that may stand for `now`: another last digit, another letter, a short number with
 * a fraction. False: none is left. */
static bool candidate(const bench_leaf *leaf, uint64_t now, unsigned n, uint64_t *out)
{
    if (n >= 10) {
        return false;
    }
    if (class_of(leaf) == TEXT) {
        *out = 'a' + n;
        return is_letter_or_digit(now) || leaf->kind == CW_KIND_BYTES;
    }
    if (class_of(leaf) == FLOATING) {
        *out = half_number(leaf->kind, n);
        return n < 8;
    }
    bool narrow = bench_kind_size(leaf->kind) == 4;
    if (bench_is_signed(leaf->kind) && (narrow ? (int32_t)now < 0 : (int64_t)now < 0)) {
        return false;
    }
    *out = now - now % 10 + n;
    return true;
}

/* Bytes in both forms, or false when the message cannot be written. */
static bool measure(const bench_payload *p, cw_arena *a, size_t *binary, size_t *text)
{
    cw_str json;
    cw_arena_reset(a);
    *binary = p->type->encoded_size(p->message);
    if (p->type->to_json(p->message, a, &bench_print_options, &json, NULL) != CW_OK) {
        return false;
    }
    *text = json.len;
    return true;
}

static void store(const bench_probe *probe, void *message, uint64_t v)
{
    uint8_t *place = bench_probe_place(probe, message);
    uint32_t narrow = (uint32_t)v;
    switch (probe->width) {
    case 1:
        *place = (uint8_t)v;
        break;
    case 4:
        memcpy(place, &narrow, 4);
        break;
    default:
        memcpy(place, &v, 8);
        break;
    }
}

/* Finds p->n_values values of equal length for the leaf; the message is as before afterwards. */
static bool try_site(const bench_payload *p, cw_arena *a, const bench_leaf *leaf, bench_site *site)
{
    bench_probe probe;
    size_t binary, text, new_binary, new_text;
    if (!bench_probe_cwire(p->type, leaf, &probe) || !measure(p, a, &binary, &text)) {
        return false;
    }
    uint64_t now = bench_probe_load(&probe, p->message), v = 0;
    unsigned found = 0;
    for (unsigned n = 0; found < p->n_values && candidate(leaf, now, n, &v); n++) {
        store(&probe, p->message, v);
        if (v == 0 || !measure(p, a, &new_binary, &new_text)) {
            continue;
        }
        if (found == 0 && class_of(leaf) == FLOATING) {
            text = new_text; /* as long as each other, not as the value that was there */
        }
        if (new_binary == binary && new_text == text) {
            memcpy(site->value[found], bench_probe_at(&probe, p->message), probe.width);
            found++;
        }
    }
    store(&probe, p->message, now);
    site->leaf = *leaf;
    for (unsigned i = found; i < BENCH_VALUES && found > 0; i++) {
        memcpy(site->value[i], site->value[i % found], sizeof site->value[i]);
    }
    return found == p->n_values;
}

void bench_sites_choose(bench_payload *p, const bench_leaves *leaves)
{
    const bench_leaf **fit = calloc(leaves->len + 1, sizeof *fit);
    if (fit == NULL) {
        bench_die("out of memory");
    }
    cw_arena scratch = {0};
    for (int wanted = WIDE; wanted < CLASSES && p->n_sites == 0; wanted++) {
        size_t n = 0;
        for (size_t i = 0; i < leaves->len; i++) {
            if (class_of(&leaves->data[i]) == (site_class)wanted) {
                fit[n++] = &leaves->data[i];
            }
        }
        size_t next = 0;
        const size_t most = p->is_large ? BENCH_SITES / 2 : BENCH_SITES;
        for (size_t j = 0; j < most; j++) {
            /* Evenly spread; + j so that a regular message does not offer the same field each time.
             */
            size_t i = j * n / most + j;
            for (i = i < next ? next : i; i < n; i++) {
                if (try_site(p, &scratch, fit[i], &p->sites[p->n_sites])) {
                    p->n_sites++;
                    next = i + 1;
                    break;
                }
            }
        }
    }
    cw_arena_free(&scratch);
    free(fit);
}
