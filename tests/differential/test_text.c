/* SPDX-License-Identifier: MIT */
/*
 * test_text.c: the text format against protoc, in both directions: what `--decode` prints we parse
 * to the same bytes, and of what we print `--encode` makes the same bytes. Unknown fields,
 * extensions and message sets are printed as protoc prints them, to the letter.
 *
 * To the letter only there, because protoc 3.21 writes all that is not ASCII as escapes, and
 * numbers with "%g".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "extensions_only.cw.h"
#include "protoc.h"

enum { SEEDS = 40, UNKNOWN_SEEDS = 2000 };

/* ---- the box's text ---------------------------------------------------------------------------
 */

/* The next `fN {` ... `}` of the box's text: its type, and the lines between, which are indented.
 * False: there is none. */
static bool next_block(const char **text, size_t *type, cw_str *inside)
{
    if (**text == 0) {
        return false;
    }
    const char *begin = strstr(*text, " {\n");
    assert_true(begin && sscanf(*text, "f%zu", type) == 1);
    begin += 3;
    const char *end = *begin == '}' ? begin : strstr(begin, "\n}\n");
    assert_non_null(end);
    end += *end == '\n';
    --*type;
    *inside = cw_str_of(begin, (size_t)(end - begin));
    *text = end + 2;
    return true;
}

typedef struct growing {
    char *data;
    size_t len, cap;
} growing;

static void append(growing *g, const char *s, size_t n)
{
    if (g->cap - g->len <= n) {
        g->cap = 2 * (g->len + n + 1);
        g->data = realloc(g->data, g->cap);
        assert_non_null(g->data);
    }
    memcpy(g->data + g->len, s, n);
    g->len += n;
    g->data[g->len] = 0;
}

/* Adds a block with our text in it. */
static void add_block(growing *g, size_t type, cw_str inside)
{
    char head[40];
    append(g, head, (size_t)snprintf(head, sizeof head, "f%zu {\n", type + 1));
    append(g, inside.data, inside.len);
    append(g, "\n}\n", 3);
}

static void *parse(const cw_type *t, cw_str text, const cw_registry *types, cw_arena *a,
                   const char *who)
{
    const cw_text_parse_options o = {.types = types};
    cw_error e;
    void *m = cw_arena_alloc(a, t->struct_size);
    assert_non_null(m);
    cw_status st = cw_text_parse(t, m, text.data, text.len, a, &o, &e);
    if (st != CW_OK) {
        fail_msg("%s of %s is refused: %s at %s, %zu:%zu of\n%.*s", t->full_name, who,
                 cw_status_name(st), e.path, e.line, e.column, (int)text.len, text.data);
    }
    return m;
}

static cw_str print(const cw_type *t, const void *m, const cw_text_print_options *o, cw_arena *a)
{
    cw_str out;
    assert_int_equal(cw_text_print(t, m, a, o, &out, NULL), CW_OK);
    return out;
}

/* ---- known fields -----------------------------------------------------------------------------
 */

/* protoc's text of our bytes, parsed by us, has these bytes. */
static void their_text_is_ours(const protoc_box *ours, const char *text)
{
    cw_bytes rest = cw_bytes_of(ours->data, ours->len), bytes, again;
    cw_str inside;
    size_t type, text_type, n = 0;
    for (; protoc_box_next(&rest, &type, &bytes); n++) {
        assert_true(next_block(&text, &text_type, &inside));
        assert_int_equal(type, text_type);
        const cw_type *t = sample_type(type);
        cw_arena a;
        cw_arena_init(&a, NULL);
        void *m = parse(t, inside, NULL, &a, "protoc");
        assert_int_equal(t->encode_arena(m, &a, &again, NULL), CW_OK);
        sample_same_bytes(t, n, again, bytes);
        cw_arena_free(&a);
    }
    assert_false(next_block(&text, &type, &inside));
    print_message("%zu messages\n", n);
}

static void messages_are_the_same_in_protoc(void **state)
{
    (void)state;
    protoc_box ours = {0};
    growing text = {0};
    for (size_t i = 0; i < sample_type_count(); i++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            cw_arena a;
            cw_arena_init(&a, NULL);
            cw_bytes bytes;
            const cw_type *t = sample_type(i);
            const void *m = sample_make(t, seed, &a, &bytes);
            if (m) {
                const cw_text_print_options o = {.single_line = seed % 2 == 1};
                protoc_box_add(&ours, i, bytes);
                add_block(&text, i, print(t, m, &o, &a));
            }
            cw_arena_free(&a);
        }
    }
    char *theirs = protoc_decode(&ours, "text_known");
    their_text_is_ours(&ours, theirs);
    free(theirs);
    protoc_box of_ours = protoc_encode(text.data, "text_ours");
    cw_bytes a = cw_bytes_of(ours.data, ours.len), b = cw_bytes_of(of_ours.data, of_ours.len), x, y;
    size_t type, their_type, n = 0;
    for (; protoc_box_next(&a, &type, &x); n++) {
        assert_true(protoc_box_next(&b, &their_type, &y));
        assert_int_equal(type, their_type);
        sample_same_bytes(sample_type(type), n, x, y);
    }
    assert_int_equal(b.len, 0);
    free(text.data);
    free(ours.data);
    free(of_ours.data);
}

/* ---- to the letter ----------------------------------------------------------------------------
 */

/* Our text, indented as protoc's is in the box. */
static void same_letters(size_t type, cw_str ours, cw_str theirs)
{
    const char *s = ours.data, *end = ours.data + ours.len;
    const char *t = theirs.data, *their_end = theirs.data + theirs.len;
    while (s < end || t < their_end) {
        const char *line = s, *their_line = t;
        s = s < end ? memchr(s, '\n', (size_t)(end - s)) : NULL;
        t = t < their_end ? memchr(t, '\n', (size_t)(their_end - t)) : NULL;
        size_t n = s ? (size_t)(s - line) : 0;
        if (!s || !t || (size_t)(t - their_line) != n + 2 || memcmp(line, their_line + 2, n) != 0) {
            fail_msg("%s: ours:\n%.*s\ntheirs:\n%.*s", sample_type(type)->full_name,
                     (int)(s ? n : 0), line, (int)(t ? t - their_line : 0), their_line);
        }
        s++;
        t++;
    }
}

static size_t index_of(const char *full_name)
{
    for (size_t i = 0; i < sample_type_count(); i++) {
        if (strcmp(sample_type(i)->full_name, full_name) == 0) {
            return i;
        }
    }
    fail_msg("no sample %s", full_name);
    return 0;
}

/* ---- random unknown fields: at most `room` bytes, which is at least 32 ----------------------- */

static size_t random_fields(uint8_t *to, size_t room, test_random *r, int depth);

/* ASCII: of other bytes protoc also reads tags of more than five bytes, and takes for a message
 * what no decoder would. */
static size_t random_text(uint8_t *to, test_random *r)
{
    static const char chars[] = "\x08\x01\x12\x02\x0b\x0c\x1a ab'\"\\\n\x7f";
    size_t n = (size_t)test_random_below(r, 6);
    for (size_t i = 0; i < n; i++) {
        to[i] = (uint8_t)chars[test_random_below(r, sizeof chars)];
    }
    return n;
}

static size_t random_field(uint8_t *to, size_t room, test_random *r, int depth)
{
    static const unsigned wire_types[] = {0, 1, 5, 2, 2, 2, 3};
    unsigned wire_type = wire_types[test_random_below(r, depth > 0 && room > 64 ? 7 : 4)];
    unsigned number = 1 + (unsigned)test_random_below(r, 15);
    size_t n = 0;
    to[n++] = (uint8_t)(number << 3 | wire_type);
    if (wire_type == 2) {
        bool text = depth == 0 || room <= 64 || test_random_below(r, 3) == 0;
        size_t most = room - 2 < 127 ? room - 2 : 127;
        to[n] =
            (uint8_t)(text ? random_text(to + 2, r) : random_fields(to + 2, most, r, depth - 1));
        return 2 + (size_t)to[n];
    }
    if (wire_type == 3) {
        n += random_fields(to + n, room - 2, r, depth - 1);
        to[n++] = (uint8_t)(number << 3 | 4);
        return n;
    }
    for (unsigned i = wire_type == 1 ? 8 : wire_type == 5 ? 4 : 1; i > 0; i--) {
        to[n++] = (uint8_t)test_random_below(r, wire_type == 0 ? 128 : 256);
    }
    return n;
}

static size_t random_fields(uint8_t *to, size_t room, test_random *r, int depth)
{
    size_t n = 0;
    for (uint64_t left = test_random_below(r, 4); left > 0 && room - n >= 32; left--) {
        n += random_field(to + n, room - n, r, depth);
    }
    return n;
}

static void unknown_fields_are_printed_so(void **state)
{
    (void)state;
    const size_t nothing = index_of("json.Nothing");
    const cw_type *t = sample_type(nothing);
    const cw_text_print_options o = {.unknown_fields = true};
    protoc_box box = {0};
    for (uint64_t seed = 0; seed < UNKNOWN_SEEDS; seed++) {
        uint8_t bytes[1000];
        test_random r = {.state = seed};
        size_t len = random_fields(bytes, sizeof bytes, &r, (int)(seed % 14));
        protoc_box_add(&box, nothing, cw_bytes_of(bytes, len));
    }
    char *theirs = protoc_decode(&box, "text_unknown");
    const char *text = theirs;
    cw_bytes rest = cw_bytes_of(box.data, box.len), bytes;
    cw_str inside;
    size_t type;
    while (protoc_box_next(&rest, &type, &bytes)) {
        cw_arena a;
        cw_arena_init(&a, NULL);
        assert_true(next_block(&text, &type, &inside));
        same_letters(type, print(t, sample_decode(t, bytes, &a, "samples"), &o, &a), inside);
        cw_arena_free(&a);
    }
    print_message("%zu bytes of text\n", strlen(theirs));
    free(theirs);
    free(box.data);
}

/* In the order of the samples. */
static const struct row {
    const char *type, *text;
} rows[] = {
    {"json2.Grouped", "Box { wide_side: 1 Lid { mark: 'm' } } InOneof { x: 2 }"},
    {"ext.Host", "own: 1 below { [ext.plain]: 3 } [ext.a_double]: 0.5 [ext.a_float]: -inf "
                 "[ext.an_int64]: -1 [ext.a_uint64]: 18446744073709551615 [ext.an_int32]: 0 "
                 "[ext.a_fixed64]: 7 [ext.a_fixed32]: 8 [ext.a_bool]: false [ext.a_string]: 'x\\n' "
                 "[ext.a_bytes]: '\\377' [ext.a_uint32]: 4294967295 [ext.an_sint64]: -5 "
                 "[ext.a_color]: BLUE [ext.an_open]: 0"},
    {"ext.Host", "[ext.a_note] { text: 'a' numbers: [1, 2] map { key: 'b' value: 1 } map { key: "
                 "'c' value: 2 } [ext.Scope.Deep.in_note]: 'd' } [ext.pair] { x: 1 y: 'z' } "
                 "[ext.a_strict] { id: 1 }"},
    {"ext.Host", "[ext.doubles]: [1, 2.5] [ext.strings]: ['a', '', 'b'] [ext.colors]: [RED, GREEN] "
                 "[ext.notes] [{}, { text: 'n' }] [ext.row] { x: 1 rows { x: 2 } } "
                 "[ext.packed_int32s]: [1, -2, 3] [ext.packed_bools]: [true, false]"},
    {"ext.Host", "[ext.Scope.nested]: 1 [ext.Scope.scope] { i: 2 } [ext.Scope.Deep.deep] { } "
                 "[only_color]: GREEN [durations] { seconds: 3 nanos: 4 } [only_struct] { fields { "
                 "key: 'k' value { list_value { values { bool_value: true } } } } } [ext.far]: 9"},
    {"ext.Set", "[ext.Scope.in_set] { i: 1 } [ext.strict_in_set] { id: 2 } [duration_in_set] { "
                "seconds: 1 } [ext.last] { text: 'l' }"},
    {"ext.Holder", "sets { [ext.last] { note { [ext.Scope.Deep.in_note]: 'x' } } } sets { } "
                   "map { key: 'h' value { [ext.plain]: 1 } }"},
    {"json_any.Holder",
     "any { [type.googleapis.com/json_any.Own] { number: 1 case { n: 2 } } } "
     "list { [type.googleapis.com/json2.Part] { name: 'p' } } list { } "
     "map { key: 'k' value { [type.googleapis.com/json_any.Holder] { before: 1 } } }"},
    {"text.Plain", "n: -5 s: 'q\\'uo\"te' raw: '\\001\\200' b: true word: nan words: [true, inf] "
                   "gone: { x: [1] } plain < n: 0x10; > list { } name: ''"},
    {"text.Groups", "OneTwo { a: 1 } Many { a: 2 Many { b: 3 } } Many { } ONETWO: 4"},
};

/* Extensions, message sets, groups, Any: protoc reads the same from the same text, and prints it as
 * we do. */
static void texts_are_the_same(void **state)
{
    (void)state;
    growing text = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        add_block(&text, index_of(rows[i].type), cw_str_from(rows[i].text));
    }
    protoc_box box = protoc_encode(text.data, "text_rows");
    char *printed = protoc_decode(&box, "text_rows");
    const char *theirs = printed;
    cw_bytes rest = cw_bytes_of(box.data, box.len), bytes, ours;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t type, text_type;
        cw_str inside;
        cw_arena a;
        cw_arena_init(&a, NULL);
        assert_true(protoc_box_next(&rest, &type, &bytes));
        assert_true(next_block(&theirs, &text_type, &inside));
        const cw_type *t = sample_type(type);
        /* extensions_only.proto is imported by none of these. */
        static const cw_file *const files[] = {&extensions_only_file};
        static const cw_registry registry = {files, 1};
        void *m = parse(t, cw_str_from(rows[i].text), &registry, &a, "rows");
        assert_int_equal(t->encode_arena(m, &a, &ours, NULL), CW_OK);
        sample_same_bytes(t, i, ours, bytes);
        const cw_text_print_options o = {.types = &registry, .raw_any = true};
        same_letters(type, print(t, m, &o, &a), inside);
        cw_arena_free(&a);
    }
    free(text.data);
    free(printed);
    free(box.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages_are_the_same_in_protoc),
                                       cmocka_unit_test(unknown_fields_are_printed_so),
                                       cmocka_unit_test(texts_are_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
