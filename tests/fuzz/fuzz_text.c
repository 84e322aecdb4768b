/* SPDX-License-Identifier: MIT */
/*
 * fuzz_text.c: any bytes as text, and as the binary form, of a message of any type, under any
 * options and limits.
 *
 *   - A limited parse fails because of its limit, or answers what the unlimited one answers.
 *   - What was parsed prints, on lines or on one; the text is parsed to a message that prints the
 *     same, and is equal unless messages are kept as bytes in it, or NaNs that text knows one of.
 *   - Binary takes what text took: the message passes check, encodes, decodes to an equal one.
 *   - What decode takes prints (but strings that are no UTF-8, extensions that are broken, and what
 *     an Any hides that is nested too deeply), and is parsed to what prints the same. With unknown
 *     fields printed it is still text.
 *
 * Of the flags FUZZ_ALIAS is the option `overwrite`.
 */
#include <stdlib.h>

#include "support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static cw_text_parse_options plain_options(const fuzz_input *in)
{
    return (cw_text_parse_options){
        .ignore_unknown = in->flags & FUZZ_IGNORE,
        .allow_partial = in->flags & FUZZ_PARTIAL,
        .overwrite = in->flags & FUZZ_ALIAS,
        .types = &fuzz_registry,
    };
}

/* Parses under the input's limits and compares with the plain result. */
static void parse_limited(const fuzz_input *in, const void *plain, cw_status plain_status,
                          const cw_error *plain_error)
{
    cw_text_parse_options o = plain_options(in);
    o.depth = in->flags & FUZZ_DEPTH ? in->amount % 128 + 1 : 0;
    o.max_memory = in->flags & FUZZ_MEMORY ? in->amount * 16 + 1 : 0;
    cw_arena a, place;
    void *block;
    fuzz_arena_init(in, &a, &block);
    cw_arena_init(&place, NULL);
    void *m = fuzz_new(in->type, &place);
    cw_error e;
    cw_status st = cw_text_parse(in->type, m, in->data, in->len, &a, &o, &e);
    if (st == CW_OK) {
        FUZZ_CHECK(plain || (plain_status == CW_ERR_DEPTH && o.depth > CW_DEPTH_DEFAULT));
        FUZZ_CHECK(!plain || in->type->equal(m, plain));
    } else {
        FUZZ_CHECK(e.status == st);
        if (!fuzz_is_limit(st) && !fuzz_is_limit(plain_status)) {
            FUZZ_CHECK(!plain);
            FUZZ_CHECK(st == plain_status && e.offset == plain_error->offset &&
                       e.line == plain_error->line && e.column == plain_error->column);
        }
    }
    cw_arena_free(&a);
    cw_arena_free(&place);
    free(block);
}

/* Parses a text that was printed, from a block of its size. */
static void *parse_printed(const cw_type *t, cw_str text, bool ignore, cw_arena *a)
{
    const cw_text_parse_options o = {.ignore_unknown = ignore,
                                     .allow_partial = true,
                                     .types = &fuzz_registry,
                                     .max_memory = SIZE_MAX};
    cw_error e;
    char *exact = malloc(text.len ? text.len : 1);
    FUZZ_CHECK(exact);
    memcpy(exact, text.data, text.len);
    void *m = fuzz_new(t, a);
    FUZZ_CHECK_OK(cw_text_parse(t, m, exact, text.len, a, &o, &e), &e);
    free(exact);
    return m;
}

/* May a message that decode took not print so? */
static bool may_not_print(const fuzz_input *in, cw_status st)
{
    return (st == CW_ERR_UTF8 && in->of->loose) || in->of->packs;
}

/* `decoded`: from the binary form, so that it holds what text does not. */
static void print_and_parse(const fuzz_input *in, const void *m, bool decoded, cw_arena *a,
                            unsigned bits)
{
    const cw_type *t = in->type;
    const cw_text_print_options o = {
        .single_line = bits & 1,
        .raw_any = bits & 2,
        .unknown_fields = bits & 4,
        .indent = in->amount % 20,
        .types = &fuzz_registry,
    };
    cw_str text, second;
    cw_error e;
    cw_status st = cw_text_print(t, m, a, &o, &text, &e);
    if (decoded && st != CW_OK && may_not_print(in, st)) {
        FUZZ_CHECK(e.status == st);
        return;
    }
    FUZZ_CHECK_OK(st, &e);
    FUZZ_CHECK(text.data[text.len] == 0);
    const void *again = parse_printed(t, text, o.unknown_fields, a);
    FUZZ_CHECK_OK(cw_text_print(t, again, a, &o, &second, &e), &e);
    if (!o.unknown_fields) {
        FUZZ_CHECK(cw_str_equal(text, second));
    }
    if (!decoded && !in->of->packs && !strstr(text.data, "nan")) {
        FUZZ_CHECK(t->equal(m, again));
    }
}

static void through_binary(const fuzz_input *in, const void *m, cw_arena *a)
{
    const cw_type *t = in->type;
    cw_error e;
    cw_status st = t->check(m, &e);
    if (st == CW_ERR_REQUIRED && in->flags & FUZZ_PARTIAL) {
        return;
    }
    FUZZ_CHECK_OK(st, &e);
    cw_bytes out;
    FUZZ_CHECK_OK(t->encode_arena(m, a, &out, &e), &e);
    void *again = fuzz_new(t, a);
    FUZZ_CHECK_OK(t->decode(again, out.data, out.len, a, NULL, &e), &e);
    FUZZ_CHECK(t->equal(m, again));
}

static void as_text(const fuzz_input *in, cw_arena *a)
{
    cw_text_parse_options o = plain_options(in);
    cw_error e = {.status = CW_OK};
    void *m = fuzz_new(in->type, a);
    cw_status st = cw_text_parse(in->type, m, in->data, in->len, a, &o, &e);
    FUZZ_CHECK(st == CW_OK || e.status == st);
    FUZZ_CHECK(st == CW_OK || e.offset == SIZE_MAX || e.offset <= in->len);
    parse_limited(in, st == CW_OK ? m : NULL, st, &e);
    if (st == CW_OK) {
        through_binary(in, m, a);
        for (unsigned bits = 0; bits < (in->flags & FUZZ_MORE ? 4u : 1u); bits++) {
            print_and_parse(in, m, false, a, bits);
        }
    }
}

static void as_binary(const fuzz_input *in, cw_arena *a)
{
    const cw_decode_options o = {.allow_partial = true};
    void *m = fuzz_new(in->type, a);
    if (in->type->decode(m, in->data, in->len, a, &o, NULL) == CW_OK) {
        for (unsigned bits = 0; bits < (in->flags & FUZZ_MORE ? 8u : 2u); bits++) {
            print_and_parse(in, m, true, a, bits);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in;
    if (!fuzz_input_read(&in, data, size)) {
        return 0;
    }
    cw_arena a;
    cw_arena_init(&a, NULL);
    as_text(&in, &a);
    cw_arena_reset(&a);
    as_binary(&in, &a);
    cw_arena_free(&a);
    fuzz_input_free(&in);
    return 0;
}
