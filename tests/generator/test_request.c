/* SPDX-License-Identifier: MIT */
/* What is wrong with a request is an error that names file, element and reason; malformed bytes
 * never crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "build.h"
#include "plugin.h"

/* One request: file t.proto, package p, message M { int32 x = 1; } and what a row adds. */
typedef struct setup {
    cwg_arena *a;
    rec *file;
    rec *m;     /* added to the file when the row is done */
    rec *file2; /* a second file, NULL: none */
    const char *parameter;
} setup;

typedef void row_fn(setup *s);

static void add_field(setup *s, const char *name, int number, int label, int type,
                      const char *type_name)
{
    rec_sub(s->m, MESSAGE_FIELD, rec_field(s->a, name, number, label, type, type_name));
}

static void nothing(setup *s)
{
    (void)s;
}
static void number_zero(setup *s)
{
    add_field(s, "y", 0, OPTIONAL_, INT32_, NULL);
}
static void number_negative(setup *s)
{
    add_field(s, "y", -1, OPTIONAL_, INT32_, NULL);
}
static void number_large(setup *s)
{
    add_field(s, "y", 536870912, OPTIONAL_, INT32_, NULL);
}
static void number_largest(setup *s)
{
    add_field(s, "y", 536870911, OPTIONAL_, INT32_, NULL);
}
static void number_reserved(setup *s)
{
    add_field(s, "y", 19500, OPTIONAL_, INT32_, NULL);
}
static void number_twice(setup *s)
{
    add_field(s, "y", 1, OPTIONAL_, INT32_, NULL);
}
static void name_twice(setup *s)
{
    add_field(s, "x", 2, OPTIONAL_, INT32_, NULL);
}
static void name_bad(setup *s)
{
    add_field(s, "a-b", 2, OPTIONAL_, INT32_, NULL);
}
static void name_empty(setup *s)
{
    add_field(s, "", 2, OPTIONAL_, INT32_, NULL);
}
static void name_missing(setup *s)
{
    rec_sub(s->m, MESSAGE_FIELD, rec_new(s->a));
}
static void type_unknown(setup *s)
{
    add_field(s, "y", 2, OPTIONAL_, 19, NULL);
}
static void label_unknown(setup *s)
{
    add_field(s, "y", 2, 4, INT32_, NULL);
}
static void type_dangling(setup *s)
{
    add_field(s, "y", 2, OPTIONAL_, MESSAGE_, ".p.N");
}
static void type_relative(setup *s)
{
    add_field(s, "y", 2, OPTIONAL_, MESSAGE_, "p.M");
}
static void type_absent(setup *s)
{
    add_field(s, "y", 2, OPTIONAL_, MESSAGE_, NULL);
}
static void type_not_enum(setup *s)
{
    add_field(s, "y", 2, OPTIONAL_, ENUM_, ".p.M");
}
static void oneof_index(setup *s)
{
    rec *f = rec_field(s->a, "y", 2, OPTIONAL_, INT32_, NULL);
    rec_num(f, FIELD_ONEOF, 7);
    rec_sub(s->m, MESSAGE_FIELD, f);
}
static void oneof_negative(setup *s)
{
    rec *f = rec_field(s->a, "y", 2, OPTIONAL_, INT32_, NULL);
    rec_num(f, FIELD_ONEOF, (uint64_t)-1);
    rec_sub(s->m, MESSAGE_FIELD, f);
}
static void oneof_empty(setup *s)
{
    rec_sub(s->m, MESSAGE_ONEOF, rec_named(s->a, "o"));
}
static void oneof_repeated(setup *s)
{
    rec_sub(s->m, MESSAGE_ONEOF, rec_named(s->a, "o"));
    rec *f = rec_field(s->a, "y", 2, REPEATED_, INT32_, NULL);
    rec_num(f, FIELD_ONEOF, 0);
    rec_sub(s->m, MESSAGE_FIELD, f);
}
static void optional_alone(setup *s)
{
    rec *f = rec_field(s->a, "y", 2, OPTIONAL_, INT32_, NULL);
    rec_num(f, FIELD_PROTO3_OPTIONAL, 1);
    rec_sub(s->m, MESSAGE_FIELD, f);
}
static void default_bad(setup *s)
{
    rec *f = rec_field(s->a, "y", 2, REQUIRED_, INT32_, NULL);
    rec_str(f, FIELD_DEFAULT, "12x");
    rec_sub(s->m, MESSAGE_FIELD, f);
}
static void default_range(setup *s)
{
    rec *f = rec_field(s->a, "y", 2, REQUIRED_, INT32_, NULL);
    rec_str(f, FIELD_DEFAULT, "2147483648");
    rec_sub(s->m, MESSAGE_FIELD, f);
}
static void default_implicit(setup *s)
{
    rec *f = rec_field(s->a, "y", 2, OPTIONAL_, INT32_, NULL);
    rec_str(f, FIELD_DEFAULT, "1");
    rec_sub(s->m, MESSAGE_FIELD, f);
}
static void default_escape(setup *s)
{
    rec *f = rec_field(s->a, "y", 2, REQUIRED_, BYTES_, NULL);
    rec_str(f, FIELD_DEFAULT, "a\\");
    rec_sub(s->m, MESSAGE_FIELD, f);
}
static void message_name(setup *s)
{
    rec_sub(s->file, FILE_MESSAGE, rec_named(s->a, "1M"));
}
static void message_nameless(setup *s)
{
    rec_sub(s->file, FILE_MESSAGE, rec_new(s->a));
}
static void message_twice(setup *s)
{
    rec_sub(s->file, FILE_MESSAGE, rec_named(s->a, "M"));
}
static void enum_empty(setup *s)
{
    rec_sub(s->file, FILE_ENUM, rec_named(s->a, "E"));
}
static void enum_not_zero(setup *s)
{
    rec *e = rec_named(s->a, "E");
    rec_value(e, "A", 1);
    rec_sub(s->file, FILE_ENUM, e);
}
static void enum_value_twice(setup *s)
{
    rec *e = rec_named(s->a, "E");
    rec_value(e, "A", 0);
    rec_value(e, "A", 1);
    rec_sub(s->file, FILE_ENUM, e);
}
static void import_missing(setup *s)
{
    rec_str(s->file, FILE_DEPENDENCY, "none.proto");
}
static void import_later(setup *s)
{
    rec_str(s->file, FILE_DEPENDENCY, "u.proto");
    s->file2 = rec_file(s->a, "u.proto", "q", "proto3", 0);
}
static void file_twice(setup *s)
{
    s->file2 = rec_file(s->a, "t.proto", "q", "proto3", 0);
}
static void public_bad(setup *s)
{
    rec_num(s->file, FILE_PUBLIC, 3);
}
static void package_bad(setup *s)
{
    rec_str(s->file, FILE_PACKAGE, "p..q");
}
static void syntax_bad(setup *s)
{
    rec_str(s->file, FILE_SYNTAX, "proto4");
}
static void edition_bad(setup *s)
{
    rec_str(s->file, FILE_SYNTAX, "editions");
    rec_num(s->file, FILE_EDITION, 99999);
}
static void feature_bad(setup *s)
{
    rec_sub(s->m, MESSAGE_OPTIONS, rec_features(s->a, 12, 1, 77));
}
static void json_twice(setup *s)
{
    rec *f = rec_field(s->a, "y", 2, OPTIONAL_, INT32_, NULL);
    rec_str(f, FIELD_JSON_NAME, "x");
    rec_sub(s->m, MESSAGE_FIELD, f);
}
static void json_twice_off(setup *s)
{
    json_twice(s);
    s->parameter = "json=off";
}
static void json_camel(setup *s)
{
    add_field(s, "a_b", 2, OPTIONAL_, INT32_, NULL);
    add_field(s, "aB", 3, OPTIONAL_, INT32_, NULL);
}
static void json_other(setup *s)
{
    rec *f = rec_field(s->a, "y", 2, OPTIONAL_, INT32_, NULL);
    rec_str(f, FIELD_JSON_NAME, "z");
    rec_sub(s->m, MESSAGE_FIELD, f);
    f = rec_field(s->a, "z", 3, OPTIONAL_, INT32_, NULL);
    rec_str(f, FIELD_JSON_NAME, "w");
    rec_sub(s->m, MESSAGE_FIELD, f);
}
static void json_long(setup *s)
{
    static char name[802];
    memset(name, 'n', sizeof name - 1);
    rec *f = rec_field(s->a, "y", 2, OPTIONAL_, INT32_, NULL);
    rec_str(f, FIELD_JSON_NAME, name);
    rec_sub(s->m, MESSAGE_FIELD, f);
}
static void json_long_off(setup *s)
{
    json_long(s);
    s->parameter = "json=off";
}
static void range_bad(setup *s)
{
    rec *r = rec_new(s->a);
    rec_num(r, 1, 10);
    rec_num(r, 2, 10);
    rec_sub(s->m, MESSAGE_RANGE, r);
}
static void number_in_reserved(setup *s)
{
    rec *r = rec_new(s->a);
    rec_num(r, 1, 1);
    rec_num(r, 2, 5);
    rec_sub(s->m, MESSAGE_RESERVED, r);
}
static void extension_range(setup *s)
{
    rec *f = rec_field(s->a, "e", 100, OPTIONAL_, INT32_, NULL);
    rec_str(f, FIELD_EXTENDEE, ".p.M");
    rec_sub(s->file, FILE_EXTENSION, f);
}
static void extension_of_none(setup *s)
{
    rec_sub(s->file, FILE_EXTENSION, rec_field(s->a, "e", 100, OPTIONAL_, INT32_, NULL));
}
static void member_extends(setup *s)
{
    rec *f = rec_field(s->a, "e", 100, OPTIONAL_, INT32_, NULL);
    rec_str(f, FIELD_EXTENDEE, ".p.M");
    rec_sub(s->m, MESSAGE_FIELD, f);
}

static rec *map_entry(setup *s, const char *name, int key_type, int parts)
{
    rec *e = rec_named(s->a, name);
    if (parts > 0)
        rec_sub(e, MESSAGE_FIELD, rec_field(s->a, "key", 1, OPTIONAL_, key_type, NULL));
    if (parts > 1)
        rec_sub(e, MESSAGE_FIELD, rec_field(s->a, "value", 2, OPTIONAL_, INT32_, NULL));
    rec *options = rec_new(s->a);
    rec_num(options, 7, 1);
    rec_sub(e, MESSAGE_OPTIONS, options);
    return e;
}
static void map_good(setup *s)
{
    rec_sub(s->m, MESSAGE_NESTED, map_entry(s, "YEntry", INT32_, 2));
    add_field(s, "y", 2, REPEATED_, MESSAGE_, ".p.M.YEntry");
}
static void map_float_key(setup *s)
{
    rec_sub(s->m, MESSAGE_NESTED, map_entry(s, "YEntry", DOUBLE_, 2));
    add_field(s, "y", 2, REPEATED_, MESSAGE_, ".p.M.YEntry");
}
static void map_no_value(setup *s)
{
    rec_sub(s->m, MESSAGE_NESTED, map_entry(s, "YEntry", INT32_, 1));
    add_field(s, "y", 2, REPEATED_, MESSAGE_, ".p.M.YEntry");
}
static void map_singular(setup *s)
{
    rec_sub(s->m, MESSAGE_NESTED, map_entry(s, "YEntry", INT32_, 2));
    add_field(s, "y", 2, OPTIONAL_, MESSAGE_, ".p.M.YEntry");
}
static void map_shared(setup *s)
{
    map_good(s);
    add_field(s, "z", 3, REPEATED_, MESSAGE_, ".p.M.YEntry");
}
static void map_unused(setup *s)
{
    rec_sub(s->m, MESSAGE_NESTED, map_entry(s, "YEntry", INT32_, 2));
}
static void map_top(setup *s)
{
    rec_sub(s->file, FILE_MESSAGE, map_entry(s, "YEntry", INT32_, 2));
}
static void map_of_itself(setup *s)
{
    rec *e = rec_named(s->a, "YEntry");
    rec_sub(e, MESSAGE_FIELD, rec_field(s->a, "key", 1, OPTIONAL_, INT32_, NULL));
    rec_sub(e, MESSAGE_FIELD, rec_field(s->a, "value", 2, REPEATED_, MESSAGE_, ".p.M.YEntry"));
    rec *options = rec_new(s->a);
    rec_num(options, 7, 1);
    rec_sub(e, MESSAGE_OPTIONS, options);
    rec_sub(s->m, MESSAGE_NESTED, e);
    add_field(s, "y", 2, REPEATED_, MESSAGE_, ".p.M.YEntry");
}
static void nest(setup *s, int depth)
{
    rec *inner = rec_named(s->a, "N");
    for (int i = 1; i < depth; i++) {
        rec *outer = rec_named(s->a, "N");
        rec_sub(outer, MESSAGE_NESTED, inner);
        inner = outer;
    }
    rec_sub(s->file, FILE_MESSAGE, inner);
}
static void nested_64(setup *s)
{
    nest(s, 64);
}
static void nested_65(setup *s)
{
    nest(s, 65);
}
static void include_quote(setup *s)
{
    s->file2 = rec_file(s->a, "a\"b.proto", "q", "proto3", 0);
}
static void unknown_option(setup *s)
{
    s->parameter = "json=on,jsn=off";
}

static const struct {
    int line;
    const char *syntax;
    row_fn *add;
    const char *error; /* NULL: all is well */
} rows[] = {
    {__LINE__, "proto3", nothing, NULL},
    {__LINE__, "proto2", nothing, NULL},
    {__LINE__, "proto3", number_zero, "t.proto: p.M.y: field number 0 is not in 1 to 536870911"},
    {__LINE__, "proto3", number_negative,
     "t.proto: p.M.y: field number -1 is not in 1 to 536870911"},
    {__LINE__, "proto3", number_large,
     "t.proto: p.M.y: field number 536870912 is not in 1 to 536870911"},
    {__LINE__, "proto3", number_largest, NULL},
    {__LINE__, "proto3", number_reserved,
     "t.proto: p.M.y: field numbers 19000 to 19999 are reserved"},
    {__LINE__, "proto3", number_twice, "t.proto: p.M: fields x and y have the same number 1"},
    {__LINE__, "proto3", name_twice, "t.proto: p.M.x: its name is used twice"},
    {__LINE__, "proto3", name_bad, "t.proto: p.M: field name \"a-b\" is no identifier"},
    {__LINE__, "proto3", name_empty, "t.proto: p.M: field name \"\" is no identifier"},
    {__LINE__, "proto3", name_missing, "t.proto: p.M: field name \"\" is no identifier"},
    {__LINE__, "proto3", type_unknown, "t.proto: p.M.y: field type 19 is not known"},
    {__LINE__, "proto3", label_unknown, "t.proto: p.M.y: label 4 is not valid here"},
    {__LINE__, "proto3", type_dangling, "t.proto: p.M.y: type \".p.N\" is not in the request"},
    {__LINE__, "proto3", type_relative, "t.proto: p.M.y: type \"p.M\" is not in the request"},
    {__LINE__, "proto3", type_absent, "t.proto: p.M.y: type \"\" is not in the request"},
    {__LINE__, "proto3", type_not_enum, "t.proto: p.M.y: .p.M is not an enum"},
    {__LINE__, "proto3", oneof_index, "t.proto: p.M.y: oneof index 7 is not valid"},
    {__LINE__, "proto3", oneof_negative, "t.proto: p.M.y: oneof index -1 is not valid"},
    {__LINE__, "proto3", oneof_empty, "t.proto: p.M: oneof o has no members"},
    {__LINE__, "proto3", oneof_repeated,
     "t.proto: p.M.y: a repeated field cannot be in a oneof or optional"},
    {__LINE__, "proto3", optional_alone, "t.proto: p.M.y: proto3 optional without its oneof"},
    {__LINE__, "proto2", default_bad, "t.proto: p.M.y: default value \"12x\" is not valid here"},
    {__LINE__, "proto2", default_range,
     "t.proto: p.M.y: default value \"2147483648\" is not valid here"},
    {__LINE__, "proto2", default_escape, "t.proto: p.M.y: default value \"a\\\" is not valid here"},
    {__LINE__, "proto3", default_implicit,
     "t.proto: p.M.y: a field with implicit presence cannot have a default"},
    {__LINE__, "proto3", message_name, "t.proto: p: message name \"1M\" is no identifier"},
    {__LINE__, "proto3", message_nameless, "t.proto: p: message name \"\" is no identifier"},
    {__LINE__, "proto3", message_twice, "t.proto: p.M: is declared twice, also in t.proto"},
    {__LINE__, "proto3", enum_empty, "t.proto: p.E: an enum needs a value"},
    {__LINE__, "proto3", enum_not_zero, "t.proto: p.E: the first value of an open enum must be 0"},
    {__LINE__, "proto2", enum_not_zero, NULL},
    {__LINE__, "proto3", enum_value_twice, "t.proto: p.A: is declared twice, also in t.proto"},
    {__LINE__, "proto3", import_missing,
     "t.proto: imports \"none.proto\", which is not in the request before it"},
    {__LINE__, "proto3", import_later,
     "t.proto: imports \"u.proto\", which is not in the request before it"},
    {__LINE__, "proto3", file_twice, "t.proto: is in the request twice"},
    {__LINE__, "proto3", public_bad, "t.proto: malformed public dependency"},
    {__LINE__, "proto3", package_bad, "t.proto: package \"p..q\" is no list of identifiers"},
    {__LINE__, "proto3", syntax_bad, "t.proto: syntax \"proto4\" is not known"},
    {__LINE__, "proto3", edition_bad,
     "t.proto: edition 99999 is not known; editions 2023 and 2024 are"},
    {__LINE__, "proto3", feature_bad,
     "t.proto: p.M: feature field_presence has a value that is not known"},
    {__LINE__, "proto3", json_twice,
     "t.proto: p.M: fields x and y are both \"x\" in JSON; set json_name, or generate without JSON "
     "(json=off)"},
    {__LINE__, "proto3", json_twice_off, NULL},
    {__LINE__, "proto2", json_camel,
     "t.proto: p.M: fields a_b and aB are both \"aB\" in JSON; set json_name, or generate without "
     "JSON (json=off)"},
    {__LINE__, "proto3", json_other,
     "t.proto: p.M: fields y and z are both \"z\" in JSON; set json_name, or generate without JSON "
     "(json=off)"},
    {__LINE__, "proto3", json_long,
     "t.proto: p.M.y: its name in JSON is too long; shorten it, or generate without JSON "
     "(json=off)"},
    {__LINE__, "proto3", json_long_off, NULL},
    {__LINE__, "proto2", range_bad, "t.proto: p.M: range 10 to 10 is not valid"},
    {__LINE__, "proto2", number_in_reserved, "t.proto: p.M.x: its number is reserved"},
    {__LINE__, "proto2", extension_range,
     "t.proto: p.e: number 100 is not in an extension range of p.M"},
    {__LINE__, "proto2", extension_of_none, "t.proto: an extension without the type it extends"},
    {__LINE__, "proto2", member_extends,
     "t.proto: p.M: a member of the message says that it is an extension"},
    {__LINE__, "proto3", map_good, NULL},
    {__LINE__, "proto2", map_good, NULL},
    {__LINE__, "proto3", map_float_key, "t.proto: p.M.y: map entry type p.M.YEntry is malformed"},
    {__LINE__, "proto3", map_no_value, "t.proto: p.M.y: map entry type p.M.YEntry is malformed"},
    {__LINE__, "proto3", map_singular,
     "t.proto: p.M.y: map entry type p.M.YEntry is used as an ordinary type"},
    {__LINE__, "proto3", map_shared,
     "t.proto: p.M.z: map entry type p.M.YEntry is used as an ordinary type"},
    {__LINE__, "proto3", map_unused, "t.proto: p.M.YEntry: a map entry type without its field"},
    {__LINE__, "proto3", map_top,
     "t.proto: p.YEntry: a map entry type must be nested in a message"},
    {__LINE__, "proto3", map_of_itself,
     "t.proto: p.M.YEntry.value: map entry type p.M.YEntry is used as an ordinary type"},
    {__LINE__, "proto3", nested_64, NULL},
    {__LINE__, "proto3", nested_65, "message types are nested more than 64 deep"},
    {__LINE__, "proto3", include_quote, "a\"b.proto: the file's name cannot stand in an #include"},
    {__LINE__, "proto3", unknown_option,
     "unknown option \"jsn\"; valid are: json=on|off, text=on|off, prefix=NAME, strip_package, "
     "optimize=speed|size"},
};

static void wrong_requests(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cwg_arena a = {0};
        setup s = {.a = &a};
        s.file = rec_file(&a, "t.proto", "p", rows[i].syntax, 0);
        s.m = rec_named(&a, "M");
        int label = OPTIONAL_;
        rec_sub(s.m, MESSAGE_FIELD, rec_field(&a, "x", 1, label, INT32_, NULL));
        rows[i].add(&s);
        rec_sub(s.file, FILE_MESSAGE, s.m);
        rec *files[] = {s.file, s.file2};
        cwg_model model;
        const char *error =
            read_model(rec_request(&a, files, s.file2 ? 2 : 1, s.parameter), &model, &a);
        if (strcmp(error ? error : "no error", rows[i].error ? rows[i].error : "no error") != 0)
            fail_msg("row of line %d: %s", rows[i].line, error ? error : "no error");
        cwg_arena_free(&a);
    }
}

/* The response's error field of raw request bytes, in an exact-size block; NULL: none. */
static char *run_raw(const uint8_t *data, size_t len)
{
    uint8_t *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    if (len)
        memcpy(copy, data, len);
    cwg_arena a = {0};
    size_t out_len;
    const uint8_t *out = cwg_plugin_run(copy, len, &a, &out_len);
    free(copy);
    char *error = NULL;
    if (out_len > 2 && out[0] == 0x0a) {
        size_t n = out[1] & 0x7f, at = 2;
        if (out[1] & 0x80)
            n |= (size_t)out[at++] << 7;
        error = malloc(n + 1);
        assert_non_null(error);
        memcpy(error, out + at, n);
        error[n] = '\0';
    }
    cwg_arena_free(&a);
    return error;
}

static void malformed_bytes(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *bytes;
        size_t len;
        const char *error;
    } raw[] = {
        {__LINE__, "", 0, NULL},
        {__LINE__, "\x7a", 1, "malformed CodeGeneratorRequest"},
        {__LINE__, "\x7a\xff\xff\xff\xff\x0f", 6, "malformed CodeGeneratorRequest"},
        {__LINE__, "\x7a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11,
         "malformed CodeGeneratorRequest"},
        {__LINE__, "\x7a\x02\x22\x7f", 4, "malformed CodeGeneratorRequest"},
        {__LINE__, "\x0b", 1, "malformed CodeGeneratorRequest"},
        {__LINE__, "\x00\x00", 2, "malformed CodeGeneratorRequest"},
        {__LINE__, "\x7a\x00", 2, "request: a file without a name"},
        {__LINE__, "\x0a\x01x", 3, "x: is to be generated but not in the request"},
    };
    for (size_t i = 0; i < sizeof raw / sizeof raw[0]; i++) {
        char *error = run_raw((const uint8_t *)raw[i].bytes, raw[i].len);
        if (strcmp(error ? error : "no error", raw[i].error ? raw[i].error : "no error") != 0)
            fail_msg("row of line %d: %s", raw[i].line, error ? error : "no error");
        free(error);
    }
}

/* Deep nesting must not reach the recursion of protobuf-c. Lengths are as wide as needed, so 100000
 * fit. */
static void nested_100000(void **state)
{
    (void)state;
    cwg_arena a = {0};
    size_t cap = 100000 * 8, at = cap;
    uint8_t *bytes = malloc(cap);
    assert_non_null(bytes);
    for (int i = 0; i < 100000; i++) {
        rec *head = rec_new(&a);
        static const uint8_t nested = 3 << 3 | 2, message = 4 << 3 | 2, file = 15 << 3 | 2;
        rec_bytes(head, i == 99999 ? &file : i == 99998 ? &message : &nested, 1);
        size_t n = cap - at;
        do {
            uint8_t b = (uint8_t)((n & 0x7f) | (n > 0x7f ? 0x80 : 0));
            rec_bytes(head, &b, 1);
            n >>= 7;
        } while (n != 0);
        at -= head->len;
        memcpy(bytes + at, head->data, head->len);
        if (i % 1000 == 0)
            cwg_arena_free(&a);
    }
    char *error = run_raw(bytes + at, cap - at);
    assert_non_null(error);
    assert_string_equal(error, "message types are nested more than 64 deep");
    free(error);
    free(bytes);
    cwg_arena_free(&a);
}

/* A request that uses most of the descriptor. */
static rec *rich_request(cwg_arena *a)
{
    rec *base = rec_file(a, "base.proto", "b", "proto2", 0);
    rec *e = rec_named(a, "E");
    rec_value(e, "NEG", -1);
    rec_value(e, "TWO", 2);
    rec_sub(base, FILE_ENUM, e);
    rec *file = rec_file(a, "dir/top.proto", "p.q", "proto3", 0);
    rec_str(file, FILE_DEPENDENCY, "base.proto");
    rec_num(file, FILE_PUBLIC, 0);
    setup s = {.a = a, .file = file, .m = rec_named(a, "M")};
    rec_sub(s.m, MESSAGE_NESTED, map_entry(&s, "YEntry", INT32_, 2));
    add_field(&s, "y", 2, REPEATED_, MESSAGE_, ".p.q.M.YEntry");
    add_field(&s, "self", 3, OPTIONAL_, MESSAGE_, ".p.q.M");
    add_field(&s, "nums", 1, REPEATED_, INT64_, NULL);
    rec_sub(s.m, MESSAGE_ONEOF, rec_named(a, "which"));
    rec *f = rec_field(a, "text", 300, OPTIONAL_, STRING_, NULL);
    rec_num(f, FIELD_ONEOF, 0);
    rec_sub(s.m, MESSAGE_FIELD, f);
    rec_sub(file, FILE_MESSAGE, s.m);
    rec *source = rec_new(a);
    rec *location = rec_new(a);
    rec *path = rec_new(a);
    rec_bytes(path, "\x04\x00", 2);
    rec_sub(location, 1, path);
    rec_str(location, 3, " About M.\n");
    rec_sub(source, 1, location);
    rec_sub(file, FILE_SOURCE, source);
    rec *files[] = {base, file};
    return rec_request(a, files, 2, NULL);
}

static void every_prefix_and_byte(void **state)
{
    (void)state;
    cwg_arena a = {0};
    const rec *r = rich_request(&a);
    for (size_t n = 0; n < r->len; n++)
        free(run_raw(r->data, n));
    uint8_t *copy = malloc(r->len);
    assert_non_null(copy);
    static const uint8_t flips[] = {0x01, 0x80, 0xff, 0x07};
    for (size_t i = 0; i < r->len; i++) {
        for (size_t k = 0; k < sizeof flips; k++) {
            memcpy(copy, r->data, r->len);
            copy[i] ^= flips[k];
            free(run_raw(copy, r->len));
        }
    }
    free(copy);
    cwg_arena_free(&a);
}

static void facts(void **state)
{
    (void)state;
    cwg_arena a = {0};
    cwg_model model;
    assert_null(read_model(rich_request(&a), &model, &a));
    assert_int_equal(model.n_files, 2);
    const cwg_file *top = model.files[1];
    assert_string_equal(top->base, "dir/top");
    assert_string_equal(top->include, "dir/top.cw.h");
    assert_string_equal(top->ident, "dir_top");
    assert_string_equal(top->guard, "DIR_TOP_CW_H");
    assert_string_equal(top->edition, "proto3");
    assert_int_equal(top->n_deps, 1); /* public */
    assert_string_equal(top->deps[0].include, "base.cw.h");
    const cwg_message *m = find_message(&model, "p.q.M");
    assert_string_equal(m->c_name, "p_q_M");
    assert_string_equal(m->comments.leading, " About M.\n");
    assert_int_equal(m->n_fields, 4);
    assert_string_equal(m->by_number[0]->name, "nums");
    assert_string_equal(m->by_number[3]->name, "text");
    assert_true(m->is_recursive);
    assert_int_equal(m->max_depth, -1);
    assert_false(m->is_leaf);
    assert_true(m->reaches_strings);
    assert_true(m->reaches_maps);
    assert_int_equal(m->n_oneofs, 1);
    assert_string_equal(m->oneofs[0]->c_case_type, "p_q_M_which_case");
    const cwg_field *nums = find_field(&model, "p.q.M", "nums");
    assert_int_equal(nums->shape, CWG_REPEATED);
    assert_true(nums->packed);
    assert_int_equal(nums->tag.value, 8);
    assert_int_equal(nums->packed_tag.value, 10);
    assert_string_equal(nums->c_list_type, "cw_i64_list");
    assert_string_equal(nums->decl, "repeated int64 nums = 1");
    const cwg_field *text = find_field(&model, "p.q.M", "text");
    assert_int_equal(text->shape, CWG_ONEOF);
    assert_true(text->validate_utf8);
    assert_int_equal(text->tag.len, 2);
    assert_memory_equal(text->tag.bytes, "\xe2\x12", 2);
    const cwg_field *y = find_field(&model, "p.q.M", "y");
    assert_int_equal(y->shape, CWG_MAP);
    assert_string_equal(y->decl, "map<int32, int32> y = 2");
    assert_string_equal(y->map->c_name, "p_q_M_y_entry");
    assert_string_equal(y->c_list_type, "p_q_M_y_entry_list");
    const cwg_enum *e = find_enum(&model, "b.E");
    assert_true(e->closed);
    assert_string_equal(e->values[0].c_name, "b_NEG");
    assert_int_equal(e->values[0].number, -1);
    cwg_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_requests), cmocka_unit_test(malformed_bytes),
        cmocka_unit_test(nested_100000),  cmocka_unit_test(every_prefix_and_byte),
        cmocka_unit_test(facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
