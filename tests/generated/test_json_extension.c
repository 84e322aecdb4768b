/* SPDX-License-Identifier: MIT */
/* JSON of extensions, "[pkg.name]": what they look like, what is refused and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cwire/extension.h"
#include "json_extension.cw.h"
#include "json_extension_more.cw.h"
#include "json_support.h"
#include "wire2.cw.h"

#define ROWS(t, rows) json_check_rows(&t##_type, rows, sizeof(rows) / sizeof(rows)[0], NULL)
#define ROWS_WITH(t, rows, ...)                                                                    \
    json_check_rows(&t##_type, rows, sizeof(rows) / sizeof(rows)[0],                               \
                    &(cw_json_parse_options){__VA_ARGS__})

/* A row whose text prints as it is. */
#define SAME(text) __LINE__, text, CW_OK, text

static const cw_file *const files[] = {&json_extension_more_file};
static const cw_registry registry = {files, 1};

static void every_kind(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {SAME("{\"[json_ext.d]\":-1.5}")},
        {SAME("{\"[json_ext.d]\":\"NaN\"}")},
        {SAME("{\"[json_ext.f]\":3.4028235e+38}")},
        {SAME("{\"[json_ext.i64]\":\"-9223372036854775808\"}")},
        {SAME("{\"[json_ext.u64]\":\"18446744073709551615\"}")},
        {SAME("{\"[json_ext.i32]\":-2147483648}")},
        {SAME("{\"[json_ext.f64]\":\"1\"}")},
        {SAME("{\"[json_ext.f32]\":4294967295}")},
        {SAME("{\"[json_ext.b]\":true}")},
        {SAME("{\"[json_ext.s]\":\"a \\\"b\\\" \xc3\xa9\"}")},
        {SAME("{\"[json_ext.raw]\":\"+/8=\"}")},
        {SAME("{\"[json_ext.u32]\":7}")},
        {SAME("{\"[json_ext.e]\":\"LIGHT\"}")},
        {SAME("{\"[json_ext.sf32]\":-1}")},
        {SAME("{\"[json_ext.sf64]\":\"-2\"}")},
        {SAME("{\"[json_ext.s32]\":-3}")},
        {SAME("{\"[json_ext.s64]\":\"-4\"}")},
        {SAME("{\"[json_ext.box]\":{\"w\":1}}")},
        {SAME("{\"[json_ext.leaf]\":{\"x\":1,\"leaf\":{}}}")},
        {SAME("{\"[json_ext.Leaf.inner]\":{}}")},
        {SAME("{\"[json_ext.base]\":{\"n\":1,\"[json_ext.base]\":{\"[json_ext.b]\":false}}}")},
        {SAME(
            "{\"[json_ext.any]\":{\"@type\":\"x/json_ext.Base\",\"n\":1,\"[json_ext.b]\":true}}")},
        {SAME("{\"[json_ext.at]\":\"1970-01-01T00:00:00Z\"}")},
        {SAME("{\"[json_ext.far]\":5}")},
        /* Values that a field without presence would not show. */
        {SAME("{\"[json_ext.d]\":0,\"[json_ext.i64]\":\"0\",\"[json_ext.b]\":false,"
              "\"[json_ext.s]\":\"\",\"[json_ext.raw]\":\"\",\"[json_ext.leaf]\":{}}")},
        {SAME("{\"[json_ext.ds]\":[1,\"-Infinity\",0]}")},
        {SAME("{\"[json_ext.i64s]\":[\"1\",\"-1\"]}")},
        {SAME("{\"[json_ext.bs]\":[true,false]}")},
        {SAME("{\"[json_ext.ss]\":[\"\",\"x\"]}")},
        {SAME("{\"[json_ext.raws]\":[\"AA==\",\"\"]}")},
        {SAME("{\"[json_ext.es]\":[\"DARK\",\"LIGHT\",\"DARK\"]}")},
        {SAME("{\"[json_ext.packed_es]\":[\"LIGHT\"]}")},
        {SAME("{\"[json_ext.leaves]\":[{},{\"x\":2,\"[json_ext.mark]\":\"m\"}]}")},
        {SAME("{\"[json_ext.row]\":[{\"x\":1},{},{\"x\":3}]}")},
        {SAME("{\"[json_ext.values]\":[null,1,[],{}]}")},
        {SAME("{\"[json_ext.nones]\":[null,null,-7]}")},
        {__LINE__, "{\"[json_ext.i32]\":\"1e3\",\"[json_ext.raw]\":\"-_8\",\"[json_ext.e]\":2}",
         CW_OK, "{\"[json_ext.i32]\":1000,\"[json_ext.raw]\":\"+/8=\",\"[json_ext.e]\":\"DARK\"}"},
        {__LINE__, "{\"[json_ext.e]\":\"ALSO_DARK\",\"[json_ext.nones]\":[0,\"NULL_VALUE\"]}",
         CW_OK, "{\"[json_ext.e]\":\"DARK\",\"[json_ext.nones]\":[null,null]}"},
    };
    ROWS(json_ext_Base, rows);
    static const json_row bare[] = {
        {SAME("{}")},
        {SAME("{\"[json_ext.one]\":1}")},
        {SAME("{\"[json_ext.one]\":1,\"[json_ext.names]\":[\"a\"]}")},
    };
    ROWS(json_ext_Bare, bare);
    static const json_row inside[] = {
        {SAME("{\"base\":{\"n\":1,\"[json_ext.b]\":true},\"list\":[{},{\"[json_ext.i32]\":1}],"
              "\"[json_ext.other_number]\":3}")},
    };
    ROWS(json_ext_Other, inside);
}

static void message_sets(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {SAME("{}")},
        {SAME("{\"[json_ext.Piece.piece]\":{\"word\":\"x\"}}")},
        {SAME("{\"[json_ext.Piece.piece]\":{\"set\":{\"[json_ext.Piece.second]\":{}}},"
              "\"[json_ext.Piece.second]\":{}}")},
        {__LINE__, "{^\"[json_ext.Piece]\":{}}", CW_ERR_UNKNOWN_FIELD,
         "json_ext.Set.[json_ext.Piece]"},
        {__LINE__, "{\"[json_ext.Piece.piece]\":{},^\"[json_ext.Piece.piece]\":{}}",
         CW_ERR_DUPLICATE, "json_ext.Set.[json_ext.Piece.piece]"},
    };
    ROWS(json_ext_Set, rows);
    static const json_row more[] = {
        {SAME("{\"[json_ext_more.note]\":{\"x\":1},\"[json_ext.Piece.piece]\":{}}")},
    };
    ROWS_WITH(json_ext_Set, more, .types = &registry);
}

static void names_and_order(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__,
         "{\"[json_ext.far]\":3,\"text\":\"x\",\"[json_ext.b]\":true,\"n\":1,"
         "\"[json_ext.i32]\":2}",
         CW_OK,
         "{\"n\":1,\"text\":\"x\",\"[json_ext.i32]\":2,\"[json_ext.b]\":true,\"[json_ext.far]\":"
         "3}"},
        {__LINE__, "{ \"\\u005bjson_ext.i32\\u005d\" : 1 , \"[json_ext.\\u0062]\":\ttrue }", CW_OK,
         "{\"[json_ext.i32]\":1,\"[json_ext.b]\":true}"},
        {__LINE__, "{^\"[json_ext.no]\":1}", CW_ERR_UNKNOWN_FIELD, "json_ext.Base.[json_ext.no]"},
        {__LINE__, "{^\"json_ext.i32\":1}", CW_ERR_UNKNOWN_FIELD, "json_ext.Base.json_ext.i32"},
        {__LINE__, "{^\"[json_ext.i32\":1}", CW_ERR_UNKNOWN_FIELD, "json_ext.Base.[json_ext.i32"},
        {__LINE__, "{^\"[]\":1}", CW_ERR_UNKNOWN_FIELD, "json_ext.Base.[]"},
        {__LINE__, "{^\"[\":1}", CW_ERR_UNKNOWN_FIELD, "json_ext.Base.["},
        {__LINE__, "{^\"[.json_ext.i32]\":1}", CW_ERR_UNKNOWN_FIELD,
         "json_ext.Base.[.json_ext.i32]"},
        {__LINE__, "{^\"[json_ext.Base]\":1}", CW_ERR_UNKNOWN_FIELD,
         "json_ext.Base.[json_ext.Base]"},
        /* Of another message. */
        {__LINE__, "{\"n\":1,\n^\"[json_ext.one]\":1}", CW_ERR_UNKNOWN_FIELD,
         "json_ext.Base.[json_ext.one]"},
        {__LINE__, "{\"[json_ext.i32]\":1,^\"[json_ext.i32]\":1}", CW_ERR_DUPLICATE,
         "json_ext.Base.[json_ext.i32]"},
        {__LINE__, "{\"[json_ext.i32]\":null,^\"[json_ext.i32]\":1}", CW_ERR_DUPLICATE,
         "json_ext.Base.[json_ext.i32]"},
        {__LINE__, "{\"[json_ext.ds]\":[],\"n\":1,^\"[json_ext.ds]\":[]}", CW_ERR_DUPLICATE,
         "json_ext.Base.[json_ext.ds]"},
        {__LINE__, "{^\"[json_ext_more.late]\":1}", CW_ERR_UNKNOWN_FIELD,
         "json_ext.Base.[json_ext_more.late]"},
    };
    ROWS(json_ext_Base, rows);
    static const json_row not_extendable[] = {
        {__LINE__, "{^\"[json_ext.i32]\":1}", CW_ERR_UNKNOWN_FIELD,
         "json_ext.Needy.[json_ext.i32]"},
    };
    ROWS(json_ext_Needy, not_extendable);
    static const json_row more[] = {
        {SAME("{\"[json_ext.at]\":\"1970-01-01T00:00:00Z\",\"[json_ext_more.late]\":\"x\","
              "\"[json_ext.ds]\":[1],\"[json_ext_more.also_needy]\":{\"name\":\"\"}}")},
    };
    ROWS_WITH(json_ext_Base, more, .types = &registry);
    static const json_row ignored[] = {
        {__LINE__, "{\"[json_ext.no]\":[{}],\"n\":1,\"[\":1,\"[json_ext.b]\":true}", CW_OK,
         "{\"n\":1,\"[json_ext.b]\":true}"},
        {__LINE__, "{\"[json_ext.e]\":\"NOPE\",\"[json_ext.es]\":[\"LIGHT\",\"NOPE\",9,2]}", CW_OK,
         "{\"[json_ext.es]\":[\"LIGHT\",\"DARK\"]}"},
        {__LINE__, "{\"[json_ext.es]\":[\"NOPE\",9],\"[json_ext.leaf]\":{\"[json_ext.b]x\":1}}",
         CW_OK, "{\"[json_ext.leaf]\":{}}"},
        /* What it extends is known: this is a mistake rather than something unknown. */
        {__LINE__, "{^\"[json_ext.one]\":1}", CW_ERR_UNKNOWN_FIELD, "json_ext.Base.[json_ext.one]"},
        {__LINE__, "{\"[json_ext.e]\":\"NOPE\",^\"[json_ext.e]\":\"NOPE\"}", CW_ERR_DUPLICATE,
         "json_ext.Base.[json_ext.e]"},
    };
    ROWS_WITH(json_ext_Base, ignored, .ignore_unknown = true);
}

static void nulls(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"[json_ext.i32]\":null,\"[json_ext.leaf]\":null,\"[json_ext.s]\":null}",
         CW_OK, "{}"},
        {__LINE__, "{\"[json_ext.ds]\":null,\"[json_ext.values]\":null,\"[json_ext.nones]\":null}",
         CW_OK, "{}"},
        {__LINE__, "{\"[json_ext.ds]\":[],\"[json_ext.leaves]\":[]}", CW_OK, "{}"},
        {SAME("{\"[json_ext.value]\":null,\"[json_ext.none]\":null}")},
        {__LINE__, "{\"[json_ext.ds]\":[1,^null]}", CW_ERR_TYPE, "json_ext.Base.[json_ext.ds][1]"},
        {__LINE__, "{\"[json_ext.leaves]\":[^null]}", CW_ERR_TYPE,
         "json_ext.Base.[json_ext.leaves][0]"},
        {__LINE__, "{\"[json_ext.es]\":[^null]}", CW_ERR_TYPE, "json_ext.Base.[json_ext.es][0]"},
    };
    ROWS(json_ext_Base, rows);
}

static void errors(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"[json_ext.i32]\":^true}", CW_ERR_TYPE, "json_ext.Base.[json_ext.i32]"},
        {__LINE__, "{\"n\":1,\n \"[json_ext.u32]\": ^-1}", CW_ERR_RANGE,
         "json_ext.Base.[json_ext.u32]"},
        {__LINE__, "{\"[json_ext.i64]\":^9223372036854775808}", CW_ERR_RANGE,
         "json_ext.Base.[json_ext.i64]"},
        {__LINE__, "{\"[json_ext.f]\":^1e39}", CW_ERR_RANGE, "json_ext.Base.[json_ext.f]"},
        {__LINE__, "{\"[json_ext.b]\":^1}", CW_ERR_TYPE, "json_ext.Base.[json_ext.b]"},
        {__LINE__, "{\"[json_ext.s]\":\"^\xff\"}", CW_ERR_UTF8, "json_ext.Base.[json_ext.s]"},
        {__LINE__, "{\"[json_ext.raw]\":\"AB^!D\"}", CW_ERR_BASE64, "json_ext.Base.[json_ext.raw]"},
        {__LINE__, "{\"[json_ext.e]\":^\"GREY\"}", CW_ERR_UNKNOWN_ENUM,
         "json_ext.Base.[json_ext.e]"},
        {__LINE__, "{\"[json_ext.e]\":^3}", CW_ERR_UNKNOWN_ENUM, "json_ext.Base.[json_ext.e]"},
        {__LINE__, "{\"[json_ext.e]\":^true}", CW_ERR_TYPE, "json_ext.Base.[json_ext.e]"},
        {__LINE__, "{\"[json_ext.e]\":^2.5}", CW_ERR_TYPE, "json_ext.Base.[json_ext.e]"},
        {__LINE__, "{\"[json_ext.leaf]\":^[]}", CW_ERR_TYPE, "json_ext.Base.[json_ext.leaf]"},
        {__LINE__, "{\"[json_ext.leaf]\":{\"leaf\":{^\"y\":1}}}", CW_ERR_UNKNOWN_FIELD,
         "json_ext.Base.[json_ext.leaf].leaf.y"},
        {__LINE__, "{\"[json_ext.ds]\":^1}", CW_ERR_TYPE, "json_ext.Base.[json_ext.ds]"},
        {__LINE__, "{\"[json_ext.ds]\":[1,^\"x\"]}", CW_ERR_TYPE, "json_ext.Base.[json_ext.ds][1]"},
        {__LINE__, "{\"[json_ext.ds]\":[1^,]}", CW_ERR_SYNTAX, "json_ext.Base.[json_ext.ds]"},
        {__LINE__, "{\"[json_ext.leaves]\":[{},{\"x\":^\"y\"}]}", CW_ERR_TYPE,
         "json_ext.Base.[json_ext.leaves][1].x"},
        {__LINE__, "{\"[json_ext.at]\":^\"1970\"}", CW_ERR_RANGE, "json_ext.Base.[json_ext.at]"},
        {__LINE__, "{\"[json_ext.needy]\":\n^{}}", CW_ERR_REQUIRED,
         "json_ext.Base.[json_ext.needy].name"},
        {__LINE__, "{\"[json_ext.base]\":{\"[json_ext.needy]\":^{}}}", CW_ERR_REQUIRED,
         "json_ext.Base.[json_ext.base].[json_ext.needy].name"},
        {__LINE__, "{\"[json_ext.any]\":^{\"@type\":\"x/json_ext.Needy\"}}", CW_ERR_REQUIRED,
         "json_ext.Base.[json_ext.any].[x/json_ext.Needy].name"},
        {__LINE__, "{\"[json_ext.i32]\" ^1}", CW_ERR_SYNTAX, "json_ext.Base"},
        {__LINE__, "{\"[json_ext.i32]\":1^", CW_ERR_TRUNCATED, "json_ext.Base"},
    };
    ROWS(json_ext_Base, rows);
    static const json_row partial[] = {
        {SAME("{\"[json_ext.base]\":{\"[json_ext.needy]\":{}}}")},
        {SAME("{\"[json_ext.needy]\":{},\"[json_ext.any]\":{\"@type\":\"x/json_ext.Needy\"}}")},
    };
    ROWS_WITH(json_ext_Base, partial, .allow_partial = true);
}

/* ---- from and to binary -----------------------------------------------------------------------
 */

typedef struct wire_row {
    int line;
    const cw_type *type;
    const char *bytes;
    size_t len;
    const char *json;
    bool same; /* the JSON parses to these very bytes */
} wire_row;

#define BYTES(s) s, sizeof(s) - 1

static const wire_row wire_rows[] = {
    {__LINE__, &json_ext_Base_type, BYTES("\xc8\x06\x05"), "{\"[json_ext.i32]\":5}", true},
    {__LINE__, &json_ext_Base_type, BYTES("\xc2\x08\x02\x01\x00"),
     "{\"[json_ext.es]\":[\"LIGHT\"]}", false},
    {__LINE__, &json_ext_Base_type, BYTES("\xa2\x08\x02\x02\x01"),
     "{\"[json_ext.i64s]\":[\"2\",\"1\"]}", true},
    /* The last one counts, messages merge, lists are collected, packed and not. */
    {__LINE__, &json_ext_Base_type, BYTES("\xc8\x06\x05\xc8\x06\x07"), "{\"[json_ext.i32]\":7}",
     false},
    {__LINE__, &json_ext_Base_type, BYTES("\xb2\x07\x02\x08\x01\xc8\x06\x05\xb2\x07\x02\x12\x00"),
     "{\"[json_ext.i32]\":5,\"[json_ext.leaf]\":{\"x\":1,\"leaf\":{}}}", false},
    {__LINE__, &json_ext_Base_type, BYTES("\xa8\x08\x01\xaa\x08\x02\x00\x01\xa8\x08\x00"),
     "{\"[json_ext.bs]\":[true,false,true,false]}", false},
    {__LINE__, &json_ext_Base_type, BYTES("\xab\x07\x08\x09\xac\x07"),
     "{\"[json_ext.box]\":{\"w\":9}}", true},
    {__LINE__, &json_ext_Base_type, BYTES("\xdb\x08\xdc\x08\xdb\x08\x08\x01\xdc\x08"),
     "{\"[json_ext.row]\":[{},{\"x\":1}]}", true},
    /* By number, whatever their order; fields that are in the schema before them. */
    {__LINE__, &json_ext_Base_type, BYTES("\xe0\x06\x01\xc8\x06\x05\x08\x01"),
     "{\"n\":1,\"[json_ext.i32]\":5,\"[json_ext.b]\":true}", false},
    /* No extension, no known number of the enum, another wire type: not there. */
    {__LINE__, &json_ext_Base_type,
     BYTES("\xc0\x3e\x01\x18\x02\x80\x07\x05\xc9\x06\x01\x00\x00"
           "\x00\x00\x00\x00\x00\xe0\x06\x00"),
     "{\"[json_ext.b]\":false}", false},
    {__LINE__, &json_ext_Base_type, BYTES("\xc0\x08\x01\xc0\x08\x05\xc0\x08\x02"),
     "{\"[json_ext.es]\":[\"LIGHT\",\"DARK\"]}", false},
    /* Of a message that nothing is known to extend. */
    {__LINE__, &wire2_Boxed_type, BYTES("\xa0\x06\x07\x32\x01\x61"), "{\"word\":\"a\"}", false},
    {__LINE__, &json_ext_Bare_type, BYTES("\x12\x01\x61\x08\x05\x12\x00"),
     "{\"[json_ext.one]\":5,\"[json_ext.names]\":[\"a\",\"\"]}", false},
    {__LINE__, &json_ext_Set_type, BYTES("\x0b\x10\xe8\x07\x1a\x03\x0a\x01\x78\x0c"),
     "{\"[json_ext.Piece.piece]\":{\"word\":\"x\"}}", true},
    {__LINE__, &json_ext_Set_type, BYTES("\x0b\x1a\x03\x0a\x01\x78\x10\xe9\x07\x0c"),
     "{\"[json_ext.Piece.second]\":{\"word\":\"x\"}}", false},
    {__LINE__, &json_ext_Set_type, BYTES("\xc2\x3e\x03\x0a\x01\x78"),
     "{\"[json_ext.Piece.piece]\":{\"word\":\"x\"}}", false},
};

static void from_and_to_binary(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wire_rows / sizeof wire_rows[0]; i++) {
        const wire_row *row = &wire_rows[i];
        const cw_type *t = row->type;
        cw_arena a;
        cw_error e;
        cw_str out = {"", 0};
        cw_arena_init(&a, NULL);
        void *m = json_new(t, &a), *again = json_new(t, &a);
        cw_status st = t->decode(m, row->bytes, row->len, &a, NULL, &e);
        if (st == CW_OK) {
            st = t->to_json(m, &a, NULL, &out, &e);
        }
        if (st != CW_OK || strcmp(out.data, row->json) != 0) {
            fail_msg("row at line %d: %s: %s", row->line, cw_status_name(st), out.data);
        }
        st = t->from_json(again, out.data, out.len, &a, NULL, &e);
        cw_bytes bytes = {NULL, 0};
        if (st == CW_OK) {
            st = t->encode_arena(again, &a, &bytes, &e);
        }
        if (st != CW_OK ||
            (row->same && (bytes.len != row->len || memcmp(bytes.data, row->bytes, bytes.len)))) {
            fail_msg("row at line %d: %s, or other bytes", row->line, cw_status_name(st));
        }
        cw_arena_free(&a);
    }
}

/* Bytes that are not the extension's message. */
static void what_cannot_be_printed(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *bytes;
        size_t len;
        cw_status status;
        const char *path;
    } rows[] = {
        {__LINE__, BYTES("\xb2\x07\x01\x08"), CW_ERR_TRUNCATED, "[json_ext.leaf].x"},
        {__LINE__, BYTES("\xd2\x08\x00\xd2\x08\x01\x0c"), CW_ERR_GROUP, "[json_ext.leaves][1].x"},
        {__LINE__, BYTES("\xca\x07\x03\x0a\x01\x78"), CW_ERR_UNKNOWN_TYPE, "[json_ext.any].[x]"},
        {__LINE__, BYTES("\xe2\x07\x02\x10\xff"), CW_ERR_TRUNCATED, "[json_ext.at].nanos"},
        {__LINE__, BYTES("\xe2\x07\x0b\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), CW_ERR_RANGE,
         "[json_ext.at]"},
        {__LINE__, BYTES("\xea\x06\x01\xff"), CW_ERR_UTF8, "[json_ext.s]"},
        {__LINE__, BYTES("\xb2\x08\x00\xb2\x08\x01\xff"), CW_ERR_UTF8, "[json_ext.ss][1]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw_arena a;
        cw_error e = {0};
        cw_str out;
        json_ext_Base m;
        cw_arena_init(&a, NULL);
        assert_int_equal(json_ext_Base_decode(&m, rows[i].bytes, rows[i].len, &a, NULL, &e), CW_OK);
        cw_status st = json_ext_Base_to_json(&m, &a, NULL, &out, &e);
        char path[200] = "json_ext.Base.";
        strcat(path, rows[i].path);
        if (st != rows[i].status || e.status != st || strcmp(e.path, path) != 0 ||
            e.offset != SIZE_MAX) {
            fail_msg("row at line %d: %s at %s", rows[i].line, cw_status_name(st), e.path);
        }
        cw_arena_free(&a);
    }
}

/* An extension of a message whose file was generated without JSON. */
static void a_type_without_json(void **state)
{
    (void)state;
    cw_type mute = json_ext_Leaf_type;
    mute.json_put = NULL;
    mute.json_get = NULL;
    const cw_field field = {.name = "mute",
                            .json_name = "[x.mute]",
                            .number = 1000,
                            .kind = CW_KIND_MESSAGE,
                            .shape = CW_SHAPE_OPTIONAL,
                            .message = &mute};
    const cw_extension extension = {
        .full_name = "x.mute", .extendee = &json_ext_Base_type, .field = &field};
    const cw_extension *const extensions[] = {&extension};
    const cw_file file = {.extensions = extensions, .n_extensions = 1};
    const cw_file *const mute_files[] = {&file};
    const cw_registry mutes = {mute_files, 1};
    static const json_row row = {__LINE__, "{\"[x.mute]\":^{}}", CW_ERR_UNSUPPORTED,
                                 "json_ext.Base.[x.mute]"};
    json_check_rows(&json_ext_Base_type, &row, 1, &(cw_json_parse_options){.types = &mutes});
    cw_arena a;
    cw_error e;
    cw_str out;
    json_ext_Base m;
    cw_arena_init(&a, NULL);
    assert_int_equal(json_ext_Base_decode(&m, BYTES("\xc2\x3e\x00"), &a, NULL, &e), CW_OK);
    const cw_json_print_options o = {.types = &mutes};
    assert_int_equal(json_ext_Base_to_json(&m, &a, &o, &out, &e), CW_ERR_UNSUPPORTED);
    assert_string_equal(e.path, "json_ext.Base.[x.mute]");
    assert_int_equal(json_ext_Base_to_json(&m, &a, NULL, &out, &e), CW_OK);
    assert_string_equal(out.data, "{}");
    cw_arena_free(&a);
}

static void print_options(void **state)
{
    (void)state;
    static const char text[] =
        "{\"[json_ext.i64]\":\"5\",\"[json_ext.e]\":\"DARK\",\"[json_ext.leaf]\":{\"x\":1},"
        "\"[json_ext.es]\":[\"LIGHT\"]}";
    static const struct {
        int line;
        cw_json_print_options o;
        const char *text;
    } rows[] = {
        {__LINE__, {.proto_names = true}, text},
        {__LINE__, {.print_defaults = true}, text},
        {__LINE__,
         {.enums_as_numbers = true, .int64_as_numbers = true},
         "{\"[json_ext.i64]\":5,\"[json_ext.e]\":2,\"[json_ext.leaf]\":{\"x\":1},"
         "\"[json_ext.es]\":[1]}"},
        {__LINE__,
         {.indent = 1},
         "{\n \"[json_ext.i64]\": \"5\",\n \"[json_ext.e]\": \"DARK\",\n \"[json_ext.leaf]\": {\n  "
         "\"x\": 1\n },\n \"[json_ext.es]\": [\n  \"LIGHT\"\n ]\n}"},
    };
    cw_arena a;
    cw_error e;
    json_ext_Base m;
    cw_arena_init(&a, NULL);
    assert_int_equal(json_ext_Base_from_json(&m, text, sizeof text - 1, &a, NULL, &e), CW_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw_str out = {"", 0};
        cw_status st = json_ext_Base_to_json(&m, &a, &rows[i].o, &out, &e);
        if (st != CW_OK || strcmp(out.data, rows[i].text) != 0) {
            fail_msg("row at line %d: %s: %s", rows[i].line, cw_status_name(st), out.data);
        }
    }
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(message_sets),
        cmocka_unit_test(names_and_order),
        cmocka_unit_test(nulls),
        cmocka_unit_test(errors),
        cmocka_unit_test(from_and_to_binary),
        cmocka_unit_test(what_cannot_be_printed),
        cmocka_unit_test(a_type_without_json),
        cmocka_unit_test(print_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
