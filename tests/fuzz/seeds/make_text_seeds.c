/* SPDX-License-Identifier: MIT */
/*
 * make_text_seeds.c: writes the seeds of fuzz_text: `make_text_seeds FOLDER`. A random message of
 * every type as text and as bytes, and texts by hand. The same files every time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_message.h"
#include "support.h"

enum { LARGEST = 600, SEEDS = 100 };

static const struct hand_case {
    const char *name, *type, *text;
    unsigned flags;
} cases[] = {
    {"numbers", "json.Case", "n: -0x1F d: .5e+2f f: 1.f long_number: 017 r: [1, 00, - 3]", 0},
    {"overflow", "json.Case", "d: 1e9999 f: -1e-50", 0},
    {"words", "json.Case", "b: True d: -inFinity f: nan e: stop", 0},
    {"strings", "json.Case", "s: 'a' \"\\u00e9\\x41\\101\"\n'\\U0001f601' raw: '\\377\\0'", 0},
    {"not_utf8", "json.Case", "s: '\\xc0' raw: '\xff'", 0},
    {"surrogate", "json.Case", "s: '\\ud801\\udc37'", 0},
    {"line_in_string", "json.Case", "s: 'a\nb'", 0},
    {"comments", "json.Node", "# one\nvalue # two\n: # three\n1, next < >; #", 0},
    {"brackets", "json.Node", "next < kids [{}, <>] named: [ { key: 'b' }, { } ] >", 0},
    {"crossed", "json.Node", "next { kids < } >", 0},
    {"deep", "json.Node", "next{next{next{next{next{next{next{next{next{next{next{next{", 0},
    {"maps", "json.Maps", "str_i32 { key: 'b' } str_i32 { value: 1 key: 'a' } b_e { key: t }", 0},
    {"map_twice", "json.Maps", "s32_b { key: 1 } s32_b { key: 1 value: true } s32_b { key: -1 }",
     0},
    {"oneof_twice", "json.Choice", "d: 1 s: 'x'", 0},
    {"overwrite", "json.Choice", "d: 1 s: 'x' nothing {} nothing {} before: 1 before: 2",
     FUZZ_ALIAS},
    {"merge", "json.Node", "next { named { key: 'b' } } next { named { key: 'a' } }", FUZZ_ALIAS},
    {"ignored", "json.Lists", "e: [ON, NOPE, 7] x: [1, 'a' 'b'] y { z: -inf } 5 { } [a.b]: 1 ",
     FUZZ_IGNORE},
    {"reserved", "text.Plain", "gone: [{ a: 1 }, < >] Gone { [x.y/z.w] { } } n: 1 gone: - 1.5", 0},
    {"closed_enum", "text.Plain", "word: true words: [nan, 9]", 0},
    {"groups", "text.Groups", "OneTwo { a: 1 } many { Many { b: 1 } } ONETWO: 1", 0},
    {"group_in_oneof", "wire2.Boxed", "Box { w: 1 Inner { s: 'a' } } Picked { y: 2 }", 0},
    {"required", "text.Needs", "must: 1 one { } map { key: 1 }", 0},
    {"partial", "text.Needs", "one { } map { key: 1 }", FUZZ_PARTIAL},
    {"scattered", "text.Scattered", "f1: 1 f33: 2 [text.Scattered.between]: 3 last: 4", 0},
    {"any", "google.protobuf.Any", "[type.googleapis.com/json.Case] { n: 1 r: [2] }", 0},
    {"any_in_any", "google.protobuf.Any", "[a/google.protobuf.Any]: < [ b / json.No\tde ] { } >",
     0},
    {"any_raw", "google.protobuf.Any", "type_url: 'a/json.Case' value: '\\010\\001'", 0},
    {"any_broken", "google.protobuf.Any", "type_url: 'a/json.Case' value: '\\010'", 0},
    {"any_partial", "google.protobuf.Any", "[%2F/json2.Part] { }", FUZZ_PARTIAL},
    {"any_members", "json_any.Holder", "any { [a/json.Node] {} } list { } map { key: 'k' }", 0},
    {"struct", "google.protobuf.Struct", "fields { key: 'b' value { list_value { } } } fields {}",
     0},
    {"extensions", "json_ext.Base",
     "[json_ext.i32]: 1 n: 2 [json_ext.es]: [LIGHT, 2] [json_ext.box] { w: 1 } "
     "[json_ext.Leaf.inner] { [json_ext.mark]: 'm' } [json_ext.leaves] [{}, {}]",
     0},
    {"extension_twice", "json_ext.Base", "[json_ext.i32]: 1 [json_ext.i32]: 2", FUZZ_ALIAS},
    {"message_set", "json_ext.Set", "[json_ext.Piece] { word: 'a' set { } } ", 0},
    {"required_in_extension", "json_ext.Base", "[json_ext.needy] { }", FUZZ_PARTIAL},
};

static void write_seed(const char *folder, const char *name, const char *kind, size_t type,
                       unsigned flags, const void *data, size_t len)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/seed_%s%s", folder, name, kind);
    FILE *out = fopen(path, "wb");
    uint8_t head[FUZZ_HEADER] = {(uint8_t)type, (uint8_t)flags, (uint8_t)(type * 7 + 40)};
    if (!out || fwrite(head, 1, sizeof head, out) != sizeof head ||
        fwrite(data, 1, len, out) != len || fclose(out) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
}

/* The largest of some random messages that is not too large, in both forms. */
static void write_random(const char *folder, size_t type)
{
    const cw_type *t = fuzz_types[type].type;
    const cw_text_print_options o = {.single_line = type % 2 == 1, .types = &fuzz_registry};
    cw_arena a, best;
    cw_arena_init(&a, NULL);
    cw_arena_init(&best, NULL);
    cw_str text = {NULL, 0}, best_text = {NULL, 0};
    cw_bytes bytes = {NULL, 0}, best_bytes = {NULL, 0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        test_random r = {.state = seed, .most = 2, .empty = (unsigned)(seed % 6)};
        void *m = fuzz_new(t, &a);
        test_random_fill(t, m, &a, &r, 2);
        if (cw_text_print(t, m, &a, &o, &text, NULL) == CW_OK && text.len > best_text.len &&
            text.len <= LARGEST) {
            cw_arena_str(&best, text, &best_text);
        }
        if (t->encode_arena(m, &a, &bytes, NULL) == CW_OK && bytes.len > best_bytes.len &&
            bytes.len <= LARGEST / 2) {
            cw_arena_bytes(&best, bytes, &best_bytes);
        }
        cw_arena_reset(&a);
    }
    if (best_text.len > 0) {
        write_seed(folder, t->full_name, "", type, FUZZ_MORE, best_text.data, best_text.len);
    }
    if (best_bytes.len > 0) {
        write_seed(folder, t->full_name, "_binary", type, FUZZ_MORE, best_bytes.data,
                   best_bytes.len);
    }
    cw_arena_free(&a);
    cw_arena_free(&best);
}

static size_t type_index(const char *full_name)
{
    for (size_t i = 0; i < fuzz_type_count; i++) {
        if (strcmp(fuzz_types[i].type->full_name, full_name) == 0) {
            return i;
        }
    }
    fprintf(stderr, "no type %s\n", full_name);
    exit(1);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_text_seeds FOLDER\n");
        return 1;
    }
    for (size_t i = 0; i < fuzz_type_count; i++) {
        write_random(argv[1], i);
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_seed(argv[1], cases[i].name, "", type_index(cases[i].type),
                   cases[i].flags | FUZZ_MORE, cases[i].text, strlen(cases[i].text));
    }
    return 0;
}
