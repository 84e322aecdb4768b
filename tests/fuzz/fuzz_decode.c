/* SPDX-License-Identifier: MIT */
/*
 * fuzz_decode.c: any bytes as a message of any type, under any options and limits.
 *
 *   - Options and limits change nothing but what they are for: a limited decode fails because of
 *     its limit, or answers what the default one answers (status, offset, message).
 *   - What was decoded passes check (a string that decode may not check for UTF-8 aside), encodes,
 *     to the length that size tells, in a buffer and in an arena to the same bytes.
 *   - Those bytes decode to an equal message, and so does a copy.
 *   - Decoding the input twice in one go is merging it the second time.
 *   - The message has JSON, and that is parsed to a message that prints the same.
 */
#include <stdlib.h>

#include "support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The message that the default options (but `allow_partial`) give; NULL: none. */
static void *decode_plainly(const fuzz_input *in, cw_arena *a, cw_status *st, cw_error *e)
{
    cw_decode_options o = {.allow_partial = in->flags & FUZZ_PARTIAL};
    void *m = fuzz_new(in->type, a);
    *st = in->type->decode(m, in->data, in->len, a, &o, e);
    return *st == CW_OK ? m : NULL;
}

/* Decodes under the input's limits and compares with the plain result. */
static void decode_limited(const fuzz_input *in, const void *plain, cw_status plain_status,
                           const cw_error *plain_error)
{
    cw_decode_options o = {
        .alias = in->flags & FUZZ_ALIAS,
        .allow_partial = in->flags & FUZZ_PARTIAL,
        .depth = in->flags & FUZZ_DEPTH ? in->amount % 128 + 1 : 0,
        .max_memory = in->flags & FUZZ_MEMORY ? in->amount * 16 + 1 : 0,
    };
    cw_arena a, place;
    void *block;
    fuzz_arena_init(in, &a, &block);
    cw_arena_init(&place, NULL);
    void *m = fuzz_new(in->type, &place);
    cw_error e;
    cw_status st = in->type->decode(m, in->data, in->len, &a, &o, &e);
    if (st == CW_OK) {
        /* A larger depth than the default one may accept more. */
        FUZZ_CHECK(plain || (plain_status == CW_ERR_DEPTH && o.depth > CW_DEPTH_DEFAULT));
        FUZZ_CHECK(!plain || in->type->equal(m, plain));
    } else if (!fuzz_is_limit(st) && plain_status != CW_ERR_DEPTH) {
        FUZZ_CHECK(!plain);
        FUZZ_CHECK(st == plain_status && e.offset == plain_error->offset);
    }
    cw_arena_free(&a);
    cw_arena_free(&place);
    free(block);
}

/* Encodes m every way and returns the bytes, in the arena. */
static cw_bytes encode(const fuzz_input *in, const void *m, cw_arena *a)
{
    const cw_type *t = in->type;
    cw_bytes out = {NULL, 0};
    cw_error e;
    FUZZ_CHECK_OK(t->encode_arena(m, a, &out, &e), &e);
    FUZZ_CHECK(t->encoded_size(m) == out.len);

    uint8_t *exact = malloc(out.len ? out.len : 1);
    FUZZ_CHECK(exact);
    size_t len = 0;
    FUZZ_CHECK_OK(t->encode(m, exact, out.len, &len, &e), &e);
    FUZZ_CHECK(len == out.len && (len == 0 || memcmp(exact, out.data, len) == 0));
    free(exact);
    if (out.len > 0) {
        size_t less = in->amount % out.len;
        uint8_t *small = malloc(less ? less : 1);
        FUZZ_CHECK(small);
        FUZZ_CHECK(t->encode(m, small, less, &len, &e) == CW_ERR_SPACE && len == out.len);
        free(small);
    }
    return out;
}

static void round_trip(const fuzz_input *in, const void *m, cw_arena *a)
{
    const cw_type *t = in->type;
    cw_error e;
    cw_bytes out = encode(in, m, a);
    void *again = fuzz_new(t, a);
    FUZZ_CHECK_OK(t->decode(again, out.data, out.len, a, NULL, &e), &e);
    FUZZ_CHECK(t->equal(m, again) && t->equal(again, m));
    cw_bytes second = encode(in, again, a);
    FUZZ_CHECK(cw_bytes_equal(out, second));

    void *copy = fuzz_new(t, a);
    FUZZ_CHECK_OK(t->copy(copy, m, a), NULL);
    FUZZ_CHECK(t->equal(m, copy));
    FUZZ_CHECK(t->encoded_size(copy) == out.len);
}

/* decode(x x) is decode(x), merge_from(x). */
static void merge(const fuzz_input *in, void *m, cw_arena *a)
{
    const cw_type *t = in->type;
    cw_decode_options o = {.allow_partial = in->flags & FUZZ_PARTIAL, .max_memory = SIZE_MAX};
    cw_error e;
    char *both = malloc(in->len ? in->len * 2 : 1);
    FUZZ_CHECK(both);
    memcpy(both, in->data, in->len);
    memcpy(both + in->len, in->data, in->len);
    void *twice = fuzz_new(t, a);
    FUZZ_CHECK_OK(t->decode(twice, both, in->len * 2, a, &o, &e), &e);
    free(both);
    FUZZ_CHECK_OK(t->merge_from(m, in->data, in->len, a, &o, &e), &e);
    FUZZ_CHECK(t->equal(m, twice));
}

/* JSON of m (which may lack required fields), if it has any. */
static void through_json(const fuzz_input *in, const void *m, cw_arena *a)
{
    const cw_type *t = in->type;
    cw_json_print_options print = {.types = &fuzz_registry, .indent = in->amount % 17};
    cw_json_parse_options parse = {
        .types = &fuzz_registry, .allow_partial = true, .max_memory = SIZE_MAX};
    cw_str text, again;
    cw_error e;
    cw_status st = t->to_json(m, a, &print, &text, &e);
    if (st != CW_OK) {
        FUZZ_CHECK_OK(in->of->strict || (in->of->loose && st == CW_ERR_UTF8) ? CW_OK : st, &e);
        return;
    }
    void *parsed = fuzz_new(t, a);
    FUZZ_CHECK_OK(t->from_json(parsed, text.data, text.len, a, &parse, &e), &e);
    FUZZ_CHECK_OK(t->to_json(parsed, a, &print, &again, &e), &e);
    FUZZ_CHECK(cw_str_equal(text, again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in;
    if (!fuzz_input_read(&in, data, size)) {
        return 0;
    }
    cw_arena a;
    cw_arena_init(&a, NULL);
    cw_status st;
    cw_error e = {.status = CW_OK};
    void *m = decode_plainly(&in, &a, &st, &e);
    decode_limited(&in, m, st, &e);
    if (m) {
        cw_status check = in.type->check(m, &e);
        bool partial = in.flags & FUZZ_PARTIAL; /* another string may be what check names first */
        if (check == CW_OK || (check == CW_ERR_UTF8 && in.of->loose && !partial)) {
            round_trip(&in, m, &a);
        } else {
            bool allowed = check == CW_ERR_REQUIRED || (check == CW_ERR_UTF8 && in.of->loose);
            FUZZ_CHECK_OK(partial && allowed ? CW_OK : check, &e);
        }
        if (in.flags & FUZZ_MORE) {
            through_json(&in, m, &a);
        }
        if (in.flags & FUZZ_IGNORE) {
            merge(&in, m, &a);
        }
    }
    cw_arena_free(&a);
    fuzz_input_free(&in);
    return 0;
}
