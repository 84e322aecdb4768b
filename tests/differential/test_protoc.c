/* SPDX-License-Identifier: MIT */
/*
 * test_protoc.c: random messages of all types through protoc, which is the C++ implementation, in
 * both directions: `--decode` reads our bytes, `--encode` makes bytes of the text that it printed.
 * These are the same bytes: fields ascending, map entries sorted, key and value always written.
 *
 * Text has no NaN payloads (random messages have no NaN) and unknown fields cannot be parsed from
 * it: for these, the text of the bytes that we read is compared with that of the bytes that we
 * write.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "extensions.cw.h"
#include "protoc.h"

enum { SEEDS = 40, UNKNOWN_SEEDS = 30 };

static void bytes_are_the_same_in_protoc(void **state)
{
    (void)state;
    protoc_box ours = {0};
    size_t messages = 0;
    for (size_t i = 0; i < sample_type_count(); i++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            cw_arena a;
            cw_arena_init(&a, NULL);
            cw_bytes bytes;
            if (sample_make(sample_type(i), seed, &a, &bytes)) {
                protoc_box_add(&ours, i, bytes);
                messages++;
            }
            cw_arena_free(&a);
        }
    }
    char *text = protoc_decode(&ours, "known");
    protoc_box theirs = protoc_encode(text, "known");
    free(text);

    cw_bytes a = cw_bytes_of(ours.data, ours.len), b = cw_bytes_of(theirs.data, theirs.len);
    cw_bytes x, y;
    size_t type, their_type, compared = 0;
    while (protoc_box_next(&a, &type, &x)) {
        assert_true(protoc_box_next(&b, &their_type, &y));
        assert_int_equal(type, their_type);
        const cw_type *t = sample_type(type);
        sample_same_bytes(t, compared, x, y);
        cw_arena arena;
        cw_arena_init(&arena, NULL);
        void *from_theirs = sample_decode(t, y, &arena, "protoc");
        void *from_ours = sample_decode(t, x, &arena, "cwire");
        assert_true(t->equal(from_ours, from_theirs));
        cw_arena_free(&arena);
        compared++;
    }
    assert_int_equal(b.len, 0);
    assert_int_equal(compared, messages);
    assert_true(messages > sample_type_count() * (SEEDS / 2));
    print_message("%zu types, %zu messages, %zu bytes\n", sample_type_count(), messages, ours.len);
    free(ours.data);
    free(theirs.data);
}

/*
 * Where protoc's text does not tell the same: unknown fields in map entries are skipped and double
 * keys made one, by us as by generated C++, but protoc --decode (which works by reflection) prints
 * them; and of a closed enum's unknown number it keeps 64 bits in a packed run (whether the list is
 * declared packed or not) and 32 in a single field, which is what the numbers of the run become.
 * And it decodes extensions at once, so that it may refuse what we keep as it is.
 */
static void note_awkward(const cw_type *t, void *m, void *ctx)
{
    bool *awkward = ctx;
    (void)m;
    *awkward |= t->unknown_offset == SIZE_MAX || t->file == &extensions_file;
    for (uint32_t i = 0; i < t->n_fields; i++) {
        *awkward |= t->fields[i].shape == CW_SHAPE_REPEATED && t->fields[i].closed_enum;
    }
}

/*
 * Bytes of one type read as another: most fields are unknown or have another wire type. What we
 * read and write again means the same to protoc.
 */
static void add_unknown(size_t of, size_t as, uint64_t seed, protoc_box *before, protoc_box *after)
{
    const cw_type *t = sample_type(as);
    cw_arena a;
    cw_arena_init(&a, NULL);
    cw_bytes bytes, again;
    void *m = cw_arena_alloc(&a, t->struct_size);
    bool awkward = false;
    if (m && sample_make(sample_type(of), seed, &a, &bytes) && bytes.len < 2000 &&
        t->decode(m, bytes.data, bytes.len, &a, NULL, NULL) == CW_OK) {
        sample_visit(t, m, note_awkward, &awkward);
        assert_int_equal(t->encode_arena(m, &a, &again, NULL), CW_OK);
        if (!awkward) {
            protoc_box_add(before, as, bytes);
            protoc_box_add(after, as, again);
        }
    }
    cw_arena_free(&a);
}

static void unknown_fields_are_the_same_in_protoc(void **state)
{
    (void)state;
    protoc_box before = {0}, after = {0};
    size_t n = sample_type_count();
    for (size_t as = 0; as < n; as++) {
        for (uint64_t seed = 0; seed < UNKNOWN_SEEDS; seed++) {
            add_unknown((as * 7 + (size_t)seed * 13 + 1) % n, as, seed + 50, &before, &after);
        }
    }
    char *a = protoc_decode(&before, "unknown_before");
    char *b = protoc_decode(&after, "unknown_after");
    assert_true(strlen(a) > 10000);
    size_t line = 1;
    for (size_t i = 0; a[i] || b[i]; i++) {
        if (a[i] != b[i]) {
            fail_msg("texts differ in line %zu: unknown_before.txt, unknown_after.txt", line);
        }
        line += a[i] == '\n';
    }
    print_message("%zu lines of text\n", line);
    free(a);
    free(b);
    free(before.data);
    free(after.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_are_the_same_in_protoc),
                                       cmocka_unit_test(unknown_fields_are_the_same_in_protoc)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
