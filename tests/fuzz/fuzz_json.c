/* SPDX-License-Identifier: MIT */
/*
 * fuzz_json.c: any text as JSON of a message of any type, under any options and limits.
 *
 *   - A limited parse fails because of its limit, or answers what the unlimited one answers.
 *   - What was parsed prints under all options; each text is parsed to an equal message, or where
 *     the message holds others as bytes to one that prints the same.
 *   - Binary takes what JSON took: the message passes check, encodes, decodes to an equal one.
 */
#include <stdlib.h>

#include "support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static cw_json_parse_options plain_options(const fuzz_input *in)
{
    return (cw_json_parse_options){
        .ignore_unknown = in->flags & FUZZ_IGNORE,
        .allow_partial = in->flags & FUZZ_PARTIAL,
        .types = &fuzz_registry,
    };
}

/* Parses under the input's limits and compares with the plain result. */
static void parse_limited(const fuzz_input *in, const void *plain, cw_status plain_status,
                          const cw_error *plain_error)
{
    cw_json_parse_options o = plain_options(in);
    o.alias = in->flags & FUZZ_ALIAS;
    o.depth = in->flags & FUZZ_DEPTH ? in->amount % 128 + 1 : 0;
    o.max_memory = in->flags & FUZZ_MEMORY ? in->amount * 16 + 1 : 0;
    cw_arena a, place;
    void *block;
    fuzz_arena_init(in, &a, &block);
    cw_arena_init(&place, NULL);
    void *m = fuzz_new(in->type, &place);
    cw_error e;
    cw_status st = in->type->from_json(m, in->data, in->len, &a, &o, &e);
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

static void print_and_parse(const fuzz_input *in, const void *m, cw_arena *a, unsigned bits)
{
    const cw_type *t = in->type;
    cw_json_print_options print = {
        .proto_names = bits & 1,
        .enums_as_numbers = bits & 2,
        .int64_as_numbers = bits & 4,
        .print_defaults = bits & 8,
        .indent = bits & 16 ? in->amount % 17 : 0,
        .types = &fuzz_registry,
    };
    cw_json_parse_options parse = {
        .allow_partial = true, .types = &fuzz_registry, .max_memory = SIZE_MAX};
    cw_str text;
    cw_error e;
    FUZZ_CHECK_OK(t->to_json(m, a, &print, &text, &e), &e);
    FUZZ_CHECK(text.data[text.len] == 0);
    /* A block that ends where the text does. */
    char *exact = malloc(text.len ? text.len : 1);
    FUZZ_CHECK(exact);
    memcpy(exact, text.data, text.len);
    void *again = fuzz_new(t, a);
    FUZZ_CHECK_OK(t->from_json(again, exact, text.len, a, &parse, &e), &e);
    free(exact);
    if (in->of->packs) {
        cw_str second;
        FUZZ_CHECK_OK(t->to_json(again, a, &print, &second, &e), &e);
        FUZZ_CHECK(cw_str_equal(text, second));
    } else {
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in;
    if (!fuzz_input_read(&in, data, size)) {
        return 0;
    }
    cw_arena a;
    cw_arena_init(&a, NULL);
    cw_json_parse_options o = plain_options(&in);
    cw_error e = {.status = CW_OK};
    void *m = fuzz_new(in.type, &a);
    cw_status st = in.type->from_json(m, in.data, in.len, &a, &o, &e);
    FUZZ_CHECK(st == CW_OK || e.status == st);
    FUZZ_CHECK(st == CW_OK || e.offset == SIZE_MAX || e.offset <= in.len);
    parse_limited(&in, st == CW_OK ? m : NULL, st, &e);
    if (st == CW_OK) {
        through_binary(&in, m, &a);
        print_and_parse(&in, m, &a, 0);
        if (in.flags & FUZZ_MORE) {
            print_and_parse(&in, m, &a, 16);
            print_and_parse(&in, m, &a, in.amount);
            print_and_parse(&in, m, &a, 15);
        }
    }
    cw_arena_free(&a);
    fuzz_input_free(&in);
    return 0;
}
