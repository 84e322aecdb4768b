/* SPDX-License-Identifier: MIT */
/*
 * make_seeds.c: writes the seeds of fuzz_decode and fuzz_json: `make_seeds CORPUS_DIR`. A random
 * message of every type, and the wire and JSON cases that public reports tell of. The same files
 * every time; crashes that were found lie beside them under other names.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_message.h"
#include "support.h"

enum { SMALLEST = 24, LARGEST = 700, SEEDS = 200 };

typedef struct wire_case {
    const char *name, *type, *hex;
} wire_case;

static const wire_case wire_cases[] = {
    {"oneof_truncated", "wire.Choice", "08 01 3a"},
    {"oneof_scalar_then_message", "wire.Choice", "08 01 12 02 08 07"},
    {"oneof_message_twice", "wire.Choice", "12 02 08 07 12 00 32 02 08 01 32 02 40 05"},
    {"long_varints_packed", "wire.All", "72 0c 12 0a ff ff ff ff ff ff ff ff ff 01 6a 02 10 05"},
    {"field_number_largest", "wire.Far", "f8 ff ff ff 0f 01"},
    {"map_entry_empty", "wire.Maps", "22 00 22 03 0a 01 61"},
    {"map_value_merges", "wire.Maps", "2a 0d 0a 01 6b 12 03 0a 01 61 12 03 0a 01 62"},
    {"map_entry_unknown", "wire.Maps", "2a 0a 0a 01 6b 18 07 12 03 0a 01 61"},
    {"map_out_of_order", "wire.Maps", "22 05 0a 01 62 10 01 22 05 0a 01 61 10 02 22 03 0a 01 62"},
    {"packed_and_unpacked", "wire.Growth", "08 01 0a 02 02 03 08 04 42 02 01 02 40 03"},
    {"packed_truncated_varint", "wire.Growth", "0a 02 80 80"},
    {"length_32_bits", "wire.Growth", "52 ff ff ff ff 0f"},
    {"length_64_bits", "wire.Growth", "52 ff ff ff ff ff ff ff ff ff 01"},
    {"interleaved", "wire.Growth", "08 01 10 01 08 02 10 02 1a 01 61 22 01 62 1a 01 63 22 01 64"},
    {"nested", "wire.Nest", "0a 06 0a 04 0a 02 28 01 12 04 12 02 28 02"},
    {"unknown_groups", "wire.Nest", "1b 1b 08 05 1c 1c 28 01"},
    {"unknown_group_open", "wire.Nest", "1b 1b 1b 1b 1b"},
    {"group", "wire2.Boxed", "1b 08 05 1c"},
    {"group_wrong_end", "wire2.Boxed", "1b 08 05 2c"},
    {"group_no_end", "wire2.Boxed", "1b 08 05"},
    {"group_end_alone", "wire2.Boxed", "0c"},
    {"group_twice", "wire2.Boxed", "1b 08 05 1c 1b 13 0a 01 61 14 1c"},
    {"group_as_message", "wire2.Boxed", "1a 02 08 05"},
    {"extension", "wire2.Boxed", "a0 06 07 aa 06 03 61 62 63"},
    {"tag_zero", "wire.Nest", "28 01 00 28 02"},
    {"required_missing", "wire2.Reqs", "12 02 12 00"},
    {"required", "wire2.Reqs", "33 08 01 12 00 18 01 34 3a 00"},
    {"closed_enum_unknown", "wire2.Closed", "08 63 10 01 10 63 1a 03 01 63 02 28 01 28 63"},
    {"closed_enum_in_map", "wire2.Closed", "22 04 08 01 10 05 22 04 08 01 10 63"},
    {"not_utf8", "wire2.Loose", "0a 02 c3 28 1a 06 0a 01 ff 12 01 fe"},
    {"not_utf8_checked", "wire.Growth", "52 02 c3 28"},
    {"fixed", "wire.Fixed", "25 00 00 00 80 3a 08 00 00 00 00 00 80 59 40"},
    {"nan_payload", "wire.Fixed", "31 01 00 00 00 00 00 f8 7f 1d 01 00 a0 7f"},
    {"any", "google.protobuf.Any",
     "0a 24 74 79 70 65 2e 67 6f 6f 67 6c 65 61 70 69 73 2e 63 6f 6d 2f 67 6f 6f 67 6c 65 2e 70 72 "
     "6f 74 6f 62 75 66"},
    {"any_of_a_message", "google.protobuf.Any",
     "0a 0b 78 2f 6a 73 6f 6e 2e 43 61 73 65 12 04 08 07 12 00"},
    {"any_in_any", "json_any.Holder",
     "12 1f 0a 15 78 2f 67 6f 6f 67 6c 65 2e 70 72 6f 74 6f 62 75 66 2e 41 6e 79 12 06 0a 04 78 2f "
     "61 62 "
     "08 01"},
    {"any_of_no_such_bytes", "google.protobuf.Any",
     "0a 0b 78 2f 6a 73 6f 6e 2e 43 61 73 65 12 03 12 05 61"},
    {"extensions", "json_ext.Base",
     "c8 06 05 b2 07 02 08 01 ab 07 08 09 ac 07 98 08 01 a2 08 02 02 01 b2 07 02 12 00 08 01"},
    {"extension_in_extension", "json_ext.Base", "ba 07 05 ba 07 02 08 01 ca 07 04 0a 02 78 2f"},
    {"message_set", "json_ext.Set", "0b 10 e8 07 1a 03 0a 01 78 0c 0b 1a 00 10 e9 07 0c c2 3e 00"},
    {"timestamp", "google.protobuf.Timestamp", "08 80 a0 cc c5 06 10 80 ca b5 ee 01"},
    {"value", "google.protobuf.Value", "32 09 0a 00 0a 02 20 01 0a 01 08"},
};

typedef struct json_case {
    const char *name, *type, *text;
} json_case;

static const json_case json_cases[] = {
    {"exponents", "json.Case", "{\"n\":\"1e5\",\"longNumber\":\"100.000\",\"r\":[1e3,-0]}"},
    {"surrogate_bad", "json.Case", "{\"s\":\"\\ud800\\\\u0\"}"},
    {"surrogate_pair", "json.Case", "{\"s\":\"\\ud83d\\ude01 \\u2028\"}"},
    {"escapes", "json.Case", "{\"s\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\"}"},
    {"base64", "json.Case", "{\"raw\":\"-_8\"}"},
    {"base64_padded", "json.Case", "{\"raw\":\"+/8=\"}"},
    {"base64_foreign", "json.Case", "{\"raw\":\"QUJ D\"}"},
    {"not_a_number", "json.Case", "{\"d\":\"NaN\",\"f\":\"-Infinity\"}"},
    {"minus_zero", "json.Case", "{\"d\":-0.0,\"f\":-0,\"n\":-0}"},
    {"too_large", "json.Case", "{\"d\":1e400}"},
    {"float_too_large", "json.Case", "{\"f\":3.5e38}"},
    {"nulls", "json.Case", "{\"e\":null,\"s\":null,\"m\":null,\"r\":null,\"d\":null}"},
    {"null_element", "json.Case", "{\"r\":[1,null]}"},
    {"byte_order_mark", "json.Case", "\xef\xbb\xbf{}"},
    {"comma_at_end", "json.Case", "{\"n\":1,}"},
    {"text_behind", "json.Case", "{} x"},
    {"maps", "json.Case", "{ \"map\" : {\"b\":1,\"a\":2} ,\n \"m\":{\"\":\"x\"} }"},
    {"key_twice", "json.Case", "{\"map\":{\"a\":1,\"a\":2}}"},
    {"alias_names", "json.Case", "{\"e\":\"stop\",\"long_number\":7}"},
    {"enum_unknown", "json.Lists", "{\"e\":[\"ON\",\"HALF\",7,\"STOP\"]}"},
    {"field_unknown", "json.Node", "{\"x\":{\"y\":[1,{\"z\":\"\\u00e9\"},null,true]},\"value\":3}"},
    {"map_keys", "json.Maps", "{\"i32Str\":{\"-1\":\"x\",\"1\":\"y\"},\"bS64\":{\"true\":\"-3\"}}"},
    {"oneof_twice", "json.Choice", "{\"d\":1,\"s\":\"x\"}"},
    {"nested", "json.Node", "{\"next\":{\"kids\":[{\"named\":{\"a\":{\"leaf\":\"b\"}}}]}}"},
    {"open_arrays", "google.protobuf.Value", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["},
    {"value", "google.protobuf.Value", "{\"a\":[null,true,1.5,\"s\",{}],\"b\":{\"c\":[]}}"},
    {"struct", "google.protobuf.Struct", "{\"b\":1,\"a\":{\"x\":null}}"},
    {"any", "google.protobuf.Any",
     "{\"@type\":\"type.googleapis.com/json.Case\",\"n\":1,\"s\":\"x\"}"},
    {"any_value", "google.protobuf.Any",
     "{\"@type\":\"type.googleapis.com/google.protobuf.Struct\",\"value\":{}}"},
    {"any_empty", "google.protobuf.Any", "{}"},
    {"any_type_late", "google.protobuf.Any", "{\"n\":1,\"@type\":\"/json.Case\",\"r\":[1]}"},
    {"any_in_any", "google.protobuf.Any",
     "{\"@type\":\"x/google.protobuf.Any\",\"value\":{\"value\":{\"@type\":\"x/"
     "google.protobuf.Empty\"},"
     "\"@type\":\"x/google.protobuf.Any\"}}"},
    {"any_members", "json_any.Holder",
     "{\"any\":{\"@type\":\"x/json_any.Holder\",\"list\":[{},{\"@type\":\"x/"
     "google.protobuf.Duration\","
     "\"value\":\"1s\"}]},\"map\":{\"k\":{\"@type\":\"x/"
     "json2.Part\",\"name\":\"\"}},\"picked\":{}}"},
    {"any_type_twice", "google.protobuf.Any", "{\"@type\":\"x/json.Case\",\"\\u0040type\":\"\"}"},
    {"any_of_extensions", "google.protobuf.Any",
     "{\"@type\":\"x/"
     "json_ext.Base\",\"[json_ext.leaf]\":{\"[json_ext.mark]\":\"\"},\"[json_ext.b]\":true}"},
    {"extensions", "json_ext.Base",
     "{\"n\":1,\"[json_ext.e]\":\"DARK\",\"[json_ext.box]\":{\"w\":1},\"[json_ext.es]\":[\"LIGHT\","
     "2],"
     "\"[json_ext.i64s]\":[\"1\"],\"[json_ext.any]\":{\"@type\":\"x/"
     "json_ext.Needy\",\"name\":\"\"}}"},
    {"extensions_more", "json_ext.Base",
     "{\"[json_ext.far]\":1,\"[json_ext.base]\":{\"[json_ext.value]\":null,\"[json_ext.ds]\":[]},"
     "\"[json_ext.raw]\":\"AA==\",\"[json_ext.row]\":[{},{\"x\":1}],\"[json_ext.s]\":null}"},
    {"extension_of_another", "json_ext.Other",
     "{\"base\":{},\"[json_ext.other_number]\":1,"
     "\"[json_ext.one]\":1}"},
    {"message_set", "json_ext.Set",
     "{\"[json_ext.Piece.piece]\":{\"set\":{\"[json_ext.Piece.second]\":{\"word\":\"x\"}}}}"},
    {"timestamp", "google.protobuf.Timestamp", "\"2024-03-01T05:45:00.123+05:45\""},
    {"timestamp_no_day", "google.protobuf.Timestamp", "\"2023-02-29T00:00:00Z\""},
    {"duration", "google.protobuf.Duration", "\"-3.000000001s\""},
    {"field_mask", "google.protobuf.FieldMask", "\"userName,photo.fileSize\""},
    {"double_value", "google.protobuf.DoubleValue", "\"-Infinity\""},
    {"nulls_that_are_values", "json_wkt.Nulls",
     "{\"value\":null,\"none\":null,\"maybeNone\":null,\"values\":[null],\"nones\":[null],"
     "\"valueMap\":{\"a\":null},\"noneMap\":{\"a\":null},\"pickedNone\":null}"},
    {"members", "json_wkt.Members",
     "{\"at\":\"1970-01-01T00:00:00Z\",\"steps\":[\"1.5s\"],\"byNumber\":{\"-1\":{\"a\":[1]}},"
     "\"wrapped\":\"-5\",\"texts\":[\"a\"]}"},
    {"required_missing", "wire2.Reqs", "{\"list\":[{}]}"},
    {"group", "wire2.Boxed", "{\"box\":{\"w\":1},\"row\":[{},{\"x\":2}]}"},
};

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

static void write_seed(const char *dir, const char *target, const char *name, size_t type,
                       unsigned flags, const void *data, size_t len)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s/seed_%s", dir, target, name);
    FILE *out = fopen(path, "wb");
    uint8_t head[FUZZ_HEADER] = {(uint8_t)type, (uint8_t)flags, (uint8_t)(type * 7 + 40)};
    if (!out || fwrite(head, 1, sizeof head, out) != sizeof head ||
        fwrite(data, 1, len, out) != len || fclose(out) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
}

static size_t from_hex(const char *hex, uint8_t *out, size_t cap)
{
    size_t n = 0;
    for (const char *p = hex; *p; p += p[0] == ' ' ? 1 : 2) {
        if (*p != ' ' && n < cap) {
            char pair[3] = {p[0], p[1], 0};
            out[n++] = (uint8_t)strtoul(pair, NULL, 16);
        }
    }
    return n;
}

/* The largest of some random messages that is not too large, as bytes and as JSON. */
static void write_random(const char *dir, size_t type)
{
    const cw_type *t = fuzz_types[type].type;
    unsigned flags = type % 2 ? FUZZ_MORE : FUZZ_MORE | FUZZ_ALIAS | FUZZ_IGNORE;
    cw_arena a, best_a;
    cw_arena_init(&a, NULL);
    cw_arena_init(&best_a, NULL);
    cw_bytes best = {NULL, 0};
    cw_str best_json = {NULL, 0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        test_random r = {.state = seed, .most = 2, .empty = (unsigned)(seed % 6)};
        void *m = fuzz_new(t, &a);
        test_random_fill(t, m, &a, &r, 2);
        cw_bytes out;
        cw_str json;
        if (t->encode_arena(m, &a, &out, NULL) == CW_OK && out.len > best.len &&
            out.len <= LARGEST) {
            cw_arena_bytes(&best_a, out, &best);
        }
        if (t->to_json(m, &a, NULL, &json, NULL) == CW_OK && json.len > best_json.len &&
            json.len <= LARGEST) {
            cw_arena_str(&best_a, json, &best_json);
        }
        cw_arena_reset(&a);
    }
    if (best.len > 0) {
        write_seed(dir, "decode", t->full_name, type, flags, best.data, best.len);
    }
    if (best_json.len > 0) {
        write_seed(dir, "json", t->full_name, type, flags, best_json.data, best_json.len);
    }
    cw_arena_free(&a);
    cw_arena_free(&best_a);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_seeds CORPUS_DIR\n");
        return 1;
    }
    for (size_t i = 0; i < fuzz_type_count; i++) {
        write_random(argv[1], i);
    }
    for (size_t i = 0; i < sizeof wire_cases / sizeof wire_cases[0]; i++) {
        uint8_t bytes[256];
        size_t n = from_hex(wire_cases[i].hex, bytes, sizeof bytes);
        write_seed(argv[1], "decode", wire_cases[i].name, type_index(wire_cases[i].type), 0, bytes,
                   n);
    }
    for (size_t i = 0; i < sizeof json_cases / sizeof json_cases[0]; i++) {
        const char *text = json_cases[i].text;
        write_seed(argv[1], "json", json_cases[i].name, type_index(json_cases[i].type), 0, text,
                   strlen(text));
    }
    return 0;
}
