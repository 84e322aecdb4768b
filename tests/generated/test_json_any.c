/* SPDX-License-Identifier: MIT */
/* JSON of google.protobuf.Any: what it looks like, what is refused and where, options inside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cwire/wkt.h"
#include "json_any.cw.h"
#include "json_support.h"
#include "wire2.cw.h"

#define ROWS(t, rows) json_check_rows(&t##_type, rows, sizeof(rows) / sizeof(rows)[0], NULL)
#define ROWS_WITH(t, rows, ...)                                                                    \
    json_check_rows(&t##_type, rows, sizeof(rows) / sizeof(rows)[0],                               \
                    &(cw_json_parse_options){__VA_ARGS__})

#define URL "type.googleapis.com/"
/* How an error's path goes on after the Any. */
#define IN(type) "[" URL type "]"

static const cw_file *const files[] = {&wire2_file};
static const cw_registry registry = {files, 1};

/* ---- tables -----------------------------------------------------------------------------------
 */

static void messages(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"@type\":\"" URL "json.Case\",\"n\":12345}", CW_OK,
         "{\"@type\":\"" URL "json.Case\",\"n\":12345}"},
        {__LINE__, "{\"n\":12345,\"@type\":\"" URL "json.Case\"}", CW_OK,
         "{\"@type\":\"" URL "json.Case\",\"n\":12345}"},
        {__LINE__, " { \"n\" : 1 ,\n\"@type\" :\t\"" URL "json.Case\" , \"s\":\"x\" } ", CW_OK,
         "{\"@type\":\"" URL "json.Case\",\"n\":1,\"s\":\"x\"}"},
        {__LINE__, "{\"\\u0040type\":\"type.googleapis.com\\/json.Case\"}", CW_OK,
         "{\"@type\":\"" URL "json.Case\"}"},
        {__LINE__, "{\"@type\":\"" URL "json.Nothing\"}", CW_OK,
         "{\"@type\":\"" URL "json.Nothing\"}"},
        {__LINE__, "{\"@type\":\"/json.Case\",\"b\":true}", CW_OK,
         "{\"@type\":\"/json.Case\",\"b\":true}"},
        {__LINE__, "{\"@type\":\"a.b/c d/\xc3\xa9/json.Case\"}", CW_OK,
         "{\"@type\":\"a.b/c d/\xc3\xa9/json.Case\"}"},
        {__LINE__, "{\"long_number\":7,\"@type\":\"" URL "json.Case\",\"m\":{\"@type\":\"x\"}}",
         CW_OK, "{\"@type\":\"" URL "json.Case\",\"m\":{\"@type\":\"x\"},\"longNumber\":\"7\"}"},
        {__LINE__, "{\"@type\":\"" URL "json2.Part\",\"name\":\"\",\"defaults\":{\"n\":0}}", CW_OK,
         "{\"@type\":\"" URL "json2.Part\",\"name\":\"\",\"defaults\":{\"n\":0}}"},
        /* Of a file that is not imported: no fields of it are needed to be found. */
        {__LINE__, "{\"@type\":^\"" URL "wire2.Leaf\"}", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any." IN("wire2.Leaf")},
    };
    enum { N = sizeof rows / sizeof rows[0] };
    for (size_t i = 0; i < N; i++) { /* each as a member */
        char text[400], then[400];
        json_row row = rows[i];
        assert_true(strlen(row.text) + strlen(row.then) < 300);
        strcpy(text, "{\"any\":");
        strcat(strcat(text, row.text), "}");
        row.text = text;
        if (row.status == CW_OK) {
            strcpy(then, "{\"any\":");
            strcat(strcat(then, row.then), "}");
            row.then = then;
        }
        json_check_rows(&json_any_Holder_type, &row, 1, NULL);
    }
}

static void without_a_type(void **state)
{
    (void)state;
    static const json_row rows[] = {
        /* B45, and the suite's AnyWithNoType and AnyNull. */
        {__LINE__, "{\"any\":{}}", CW_OK, "{\"any\":{}}"},
        {__LINE__, "{\"any\": { } }", CW_OK, "{\"any\":{}}"},
        {__LINE__, "{\"any\":null}", CW_OK, "{}"},
        {__LINE__, "{\"list\":[{},{}]}", CW_OK, "{\"list\":[{},{}]}"},
        {__LINE__, "{\"list\":[{},^null]}", CW_ERR_TYPE, "json_any.Holder.list[1]"},
        {__LINE__, "{\"any\":^{\"n\":1}}", CW_ERR_UNKNOWN_TYPE, "json_any.Holder.any"},
        {__LINE__, "{\"any\":^{\"typeUrl\":\"x/json.Case\"}}", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any"},
        {__LINE__, "{\"any\":^[]}", CW_ERR_TYPE, "json_any.Holder.any"},
        {__LINE__, "{\"any\":^\"x\"}", CW_ERR_TYPE, "json_any.Holder.any"},
        {__LINE__, "{\"any\":{^5:1}}", CW_ERR_SYNTAX, "json_any.Holder.any"},
        {__LINE__, "{\"any\":{\"@type\":^5}}", CW_ERR_TYPE, "json_any.Holder.any.@type"},
        {__LINE__, "{\"any\":{\"@type\":^null}}", CW_ERR_TYPE, "json_any.Holder.any.@type"},
        {__LINE__, "{\"any\":{\"@type\":\"^\\ud800\"}}", CW_ERR_STRING,
         "json_any.Holder.any.@type"},
        /* The suite's AnyWktRepresentationWithEmptyTypeAndValue and ...WithBadType. */
        {__LINE__, "{\"any\":{\"@type\":^\"\",\"value\":\"\"}}", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any.[]"},
        {__LINE__, "{\"any\":{\"@type\":^\"not_a_url\",\"value\":\"\"}}", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any.[not_a_url]"},
        {__LINE__, "{\"any\":{\"@type\":^\"json.Case\"}}", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any.[json.Case]"},
        {__LINE__, "{\"any\":{\"@type\":^\"x/\"}}", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any.[x/]"},
        {__LINE__, "{\"any\":{\"@type\":^\"json.Case/\"}}", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any.[json.Case/]"},
        {__LINE__, "{\"any\":\n {\"n\":1,\n  \"@type\": ^\"x/\\u0001\\n\"}}", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any.[x/?\?]"},
    };
    ROWS(json_any_Holder, rows);
}

static void errors_inside(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Case\",^\"@type\":\"x/json.Case\"}}",
         CW_ERR_DUPLICATE, "json_any.Holder.any.@type"},
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Case\",\n^\"\\u0040type\":\"\"}}",
         CW_ERR_DUPLICATE, "json_any.Holder.any.@type"},
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Case\",\n\n  \"n\":^true}}", CW_ERR_TYPE,
         "json_any.Holder.any.[x/json.Case].n"},
        {__LINE__, "{\"any\":{\"n\":1,\"@type\":\"x/json.Case\",^\"n\":1}}", CW_ERR_DUPLICATE,
         "json_any.Holder.any.[x/json.Case].n"},
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Case\",^\"x\":1}}", CW_ERR_UNKNOWN_FIELD,
         "json_any.Holder.any.[x/json.Case].x"},
        /* "value" is a member like any where the type has fields. */
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Case\",^\"value\":{}}}", CW_ERR_UNKNOWN_FIELD,
         "json_any.Holder.any.[x/json.Case].value"},
        {__LINE__, "{\"any\":{\"@type\":\"x/json_any.Valued\",\"value\":5}}", CW_OK,
         "{\"any\":{\"@type\":\"x/json_any.Valued\",\"value\":5}}"},
        /* The "@type" of an Any is not one of the messages in it. */
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Node\",\"next\":{^\"@type\":\"x/json.Node\"}}}",
         CW_ERR_UNKNOWN_FIELD, "json_any.Holder.any.[x/json.Node].next.@type"},
        {__LINE__, "{^\"@type\":\"x/json_any.Holder\"}", CW_ERR_UNKNOWN_FIELD,
         "json_any.Holder.@type"},
        {__LINE__,
         "{\"any\":{\"any\":{\"@type\":\"x/json.Case\",\"s\":^1},\"@type\":\"x/json_any.Valued\"}}",
         CW_ERR_TYPE, "json_any.Holder.any.[x/json_any.Valued].any.[x/json.Case].s"},
        {__LINE__, "{\"list\":[{},{\"@type\":\"x/json.Case\",\"s\":^1}]}", CW_ERR_TYPE,
         "json_any.Holder.list[1].[x/json.Case].s"},
        {__LINE__, "{\"map\":{\"k\":{\"@type\":\"x/json.Case\",\"s\":^1}}}", CW_ERR_TYPE,
         "json_any.Holder.map[\"k\"].[x/json.Case].s"},
        /* Syntax is looked at first, of all members. */
        {__LINE__, "{\"any\":{\"n\":true,\"s\":^tru,\"@type\":\"x/json.Case\"}}", CW_ERR_TYPE,
         "json_any.Holder.any"},
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Case\"^,}}", CW_ERR_SYNTAX, "json_any.Holder.any"},
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Case\"}^", CW_ERR_TRUNCATED, "json_any.Holder"},
        /* A member that is called "@type" cannot stand beside it. */
        {__LINE__, "{\"any\":{\"@type\":^\"x/json_any.Confusing\"}}", CW_ERR_UNSUPPORTED,
         "json_any.Holder.any.[x/json_any.Confusing]"},
        /* Required fields. */
        {__LINE__, "{\"any\":^{\"@type\":\"x/json2.Part\"}}", CW_ERR_REQUIRED,
         "json_any.Holder.any.[x/json2.Part].name"},
        {__LINE__, "{\"any\":\n^{\"@type\":\"x/json_any.Own\",\"part\":{\"defaults\":{}}}}",
         CW_ERR_REQUIRED, "json_any.Holder.any.[x/json_any.Own].part.name"},
        {__LINE__, "{\"holder\":{\"picked\":{},^\"word\":\"x\"}}", CW_ERR_DUPLICATE,
         "json_any.Holder.holder.word"},
    };
    ROWS(json_any_Holder, rows);
    static const json_row partial[] = {
        {__LINE__, "{\"any\":{\"@type\":\"x/json2.Part\"}}", CW_OK,
         "{\"any\":{\"@type\":\"x/json2.Part\"}}"},
        {__LINE__, "{\"any\":{\"@type\":\"x/json_any.Own\",\"part\":{\"defaults\":{}}}}", CW_OK,
         "{\"any\":{\"@type\":\"x/json_any.Own\",\"part\":{\"defaults\":{}}}}"},
    };
    ROWS_WITH(json_any_Holder, partial, .allow_partial = true);
}

static void the_value_form(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"value\":\"1.5s\",\"@type\":\"x/google.protobuf.Duration\"}", CW_OK,
         "{\"@type\":\"x/google.protobuf.Duration\",\"value\":\"1.500s\"}"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Duration\"^}", CW_ERR_REQUIRED,
         "google.protobuf.Any.[x/google.protobuf.Duration].value"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Duration\",\"value\":\"1s\",^\"value\":\"1s\"}",
         CW_ERR_DUPLICATE, "google.protobuf.Any.[x/google.protobuf.Duration].value"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Duration\",^\"seconds\":1}",
         CW_ERR_UNKNOWN_FIELD, "google.protobuf.Any.[x/google.protobuf.Duration].seconds"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Duration\",\"value\":^5}", CW_ERR_TYPE,
         "google.protobuf.Any.[x/google.protobuf.Duration].value"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Int32Value\",\"value\":^null}", CW_ERR_TYPE,
         "google.protobuf.Any.[x/google.protobuf.Int32Value].value"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Value\",\"value\":null}", CW_OK,
         "{\"@type\":\"x/google.protobuf.Value\",\"value\":null}"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Struct\",\"value\":{\"a\":^x}}", CW_ERR_SYNTAX,
         "google.protobuf.Any"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Struct\",\"value\":^{\"a\":1,\"a\":2}}",
         CW_ERR_DUPLICATE, "google.protobuf.Any.[x/google.protobuf.Struct].value"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Any\",\"value\":{}}", CW_OK,
         "{\"@type\":\"x/google.protobuf.Any\",\"value\":{}}"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Any\",\"value\":^null}", CW_ERR_TYPE,
         "google.protobuf.Any.[x/google.protobuf.Any].value"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Any\"^}", CW_ERR_REQUIRED,
         "google.protobuf.Any.[x/google.protobuf.Any].value"},
        {__LINE__,
         "{\"@type\":\"x/google.protobuf.Any\",\"value\":{\"@type\":\"x/google.protobuf.Any\","
         "\"value\":{^\"n\":1,\"@type\":\"x/google.protobuf.Int64Value\",\"value\":[]}}}",
         CW_ERR_UNKNOWN_FIELD,
         "google.protobuf.Any.[x/google.protobuf.Any].value.[x/google.protobuf.Any].value."
         "[x/google.protobuf.Int64Value].n"},
        /* google.protobuf.Empty: printed with "value" (B57), read without, too. */
        {__LINE__, "{\"@type\":\"x/google.protobuf.Empty\"}", CW_OK,
         "{\"@type\":\"x/google.protobuf.Empty\",\"value\":{}}"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Empty\",\"value\":{}}", CW_OK,
         "{\"@type\":\"x/google.protobuf.Empty\",\"value\":{}}"},
        {__LINE__, "{\"value\":{},\"@type\":\"x/google.protobuf.Empty\",^\"value\":{}}",
         CW_ERR_DUPLICATE, "google.protobuf.Any.[x/google.protobuf.Empty].value"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Empty\",\"value\":{^\"a\":1}}",
         CW_ERR_UNKNOWN_FIELD, "google.protobuf.Any.[x/google.protobuf.Empty].value.a"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Empty\",\"value\":^1}", CW_ERR_TYPE,
         "google.protobuf.Any.[x/google.protobuf.Empty].value"},
        {__LINE__, "{\"@type\":\"x/google.protobuf.Empty\",^\"a\":1}", CW_ERR_UNKNOWN_FIELD,
         "google.protobuf.Any.[x/google.protobuf.Empty].a"},
        /* Well-known types that have fields. */
        {__LINE__,
         "{\"@type\":\"x/google.protobuf.Option\",\"name\":\"o\",\"value\":{\"@type\":"
         "\"x/google.protobuf.BoolValue\",\"value\":true}}",
         CW_OK,
         "{\"@type\":\"x/google.protobuf.Option\",\"name\":\"o\",\"value\":{\"@type\":"
         "\"x/google.protobuf.BoolValue\",\"value\":true}}"},
    };
    ROWS(google_protobuf_Any, rows);
}

static void unknown_is_ignored(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"any\":{\"x\":[{}],\"@type\":\"x/json.Case\",\"n\":1,\"y\":null}}", CW_OK,
         "{\"any\":{\"@type\":\"x/json.Case\",\"n\":1}}"},
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Node\",\"next\":{\"@type\":5,\"value\":1}}}",
         CW_OK, "{\"any\":{\"@type\":\"x/json.Node\",\"next\":{\"value\":1}}}"},
        {__LINE__,
         "{\"any\":{\"x\":1,\"@type\":\"x/google.protobuf.BoolValue\",\"y\":{},\"value\":true}}",
         CW_OK, "{\"any\":{\"@type\":\"x/google.protobuf.BoolValue\",\"value\":true}}"},
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Case\",\"e\":\"NOPE\"}}", CW_OK,
         "{\"any\":{\"@type\":\"x/json.Case\"}}"},
        {__LINE__, "{\"any\":{\"@type\":\"x/json.Case\",^\"@type\":\"x/json.Case\"}}",
         CW_ERR_DUPLICATE, "json_any.Holder.any.@type"},
        {__LINE__, "{\"any\":^{\"x\":1}}", CW_ERR_UNKNOWN_TYPE, "json_any.Holder.any"},
        {__LINE__, "{\"any\":{\"@type\":^\"x/json.Cases\"}}", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any.[x/json.Cases]"},
    };
    ROWS_WITH(json_any_Holder, rows, .ignore_unknown = true);
}

static void the_registry(void **state)
{
    (void)state;
    static const json_row rows[] = {
        {__LINE__, "{\"any\":{\"@type\":\"x/wire2.Leaf\",\"x\":1}}", CW_OK,
         "{\"any\":{\"@type\":\"x/wire2.Leaf\",\"x\":1}}"},
        {__LINE__, "{\"any\":{\"@type\":\"x/json2.Part\",\"name\":\"\"}}", CW_OK,
         "{\"any\":{\"@type\":\"x/json2.Part\",\"name\":\"\"}}"},
        {__LINE__, "{\"any\":{\"@type\":\"x/wire2.Boxed\",\"box\":{\"w\":1},\"word\":\"\"}}", CW_OK,
         "{\"any\":{\"@type\":\"x/wire2.Boxed\",\"box\":{\"w\":1},\"word\":\"\"}}"},
        {__LINE__, "{\"any\":{\"@type\":^\"x/wire2.Leaf.x\"}}", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any.[x/wire2.Leaf.x]"},
        /* An entry of a map is no message. */
        {__LINE__, "{\"any\":{\"@type\":^\"x/wire2.Reqs.MapEntry\"}}", CW_ERR_UNKNOWN_TYPE,
         "json_any.Holder.any.[x/wire2.Reqs.MapEntry]"},
    };
    ROWS_WITH(json_any_Holder, rows, .types = &registry);
    static const json_row alone[] = {
        /* Any's own file imports nothing of ours. */
        {__LINE__, "{\"@type\":^\"x/json.Case\"}", CW_ERR_UNKNOWN_TYPE,
         "google.protobuf.Any.[x/json.Case]"},
        {__LINE__, "{\"@type\":\"x/wire2.Leaf\"}", CW_OK, "{\"@type\":\"x/wire2.Leaf\"}"},
    };
    ROWS_WITH(google_protobuf_Any, alone, .types = &registry);
}

/* A type whose file was generated without JSON. */
static void a_type_without_json(void **state)
{
    (void)state;
    cw_type mute = wire2_Leaf_type;
    mute.to_json = NULL;
    mute.from_json = NULL;
    mute.json_put = NULL;
    mute.json_get = NULL;
    const cw_type *const types[] = {&mute};
    const cw_file file = {.types = types, .n_types = 1};
    const cw_file *const mute_files[] = {&file};
    const cw_registry mutes = {mute_files, 1};
    static const json_row row = {__LINE__, "{\"any\":{\"@type\":^\"x/wire2.Leaf\"}}",
                                 CW_ERR_UNSUPPORTED, "json_any.Holder.any.[x/wire2.Leaf]"};
    json_check_rows(&json_any_Holder_type, &row, 1, &(cw_json_parse_options){.types = &mutes});
    cw_arena a;
    cw_error e;
    cw_str out;
    google_protobuf_Any any = {0};
    any.type_url = CW_STR("x/wire2.Leaf");
    cw_arena_init(&a, NULL);
    const cw_json_print_options o = {.types = &mutes};
    assert_int_equal(google_protobuf_Any_to_json(&any, &a, &o, &out, &e), CW_ERR_UNSUPPORTED);
    assert_string_equal(e.path, "google.protobuf.Any.[x/wire2.Leaf]");
    cw_arena_free(&a);
}

/* ---- every well-known type --------------------------------------------------------------------
 */

typedef struct well_known {
    int line;
    const cw_type *type;
    const char *json; /* "value", or for objects of fields the members, "" for none */
} well_known;

#define WELL(name) __LINE__, &google_protobuf_##name##_type

static const well_known well_knowns[] = {
    {WELL(DoubleValue), "\"-Infinity\""},
    {WELL(FloatValue), "1.5"},
    {WELL(Int64Value), "\"-9223372036854775808\""},
    {WELL(UInt64Value), "\"18446744073709551615\""},
    {WELL(Int32Value), "-12345"},
    {WELL(UInt32Value), "0"},
    {WELL(BoolValue), "false"},
    {WELL(StringValue), "\"a \\\"quoted\\\" text\""},
    {WELL(BytesValue), "\"+/8=\""},
    {WELL(Duration), "\"-0.500s\""},
    {WELL(Timestamp), "\"1970-01-01T00:00:00Z\""},
    {WELL(FieldMask), "\"foo,barBaz\""},
    {WELL(Struct), "{\"foo\":1,\"list\":[{},null]}"},
    {WELL(Value), "{\"foo\":1}"},
    {WELL(Value), "1"},
    {WELL(Value), "null"},
    {WELL(ListValue), "[1,\"x\",[]]"},
    {WELL(Any), "{\"@type\":\"x/google.protobuf.Any\",\"value\":{}}"},
    {WELL(Empty), "{}"},
    {WELL(SourceContext), "{\"fileName\":\"a.proto\"}"},
    {WELL(Method), "{\"name\":\"m\",\"requestStreaming\":true,\"options\":[{\"name\":\"o\"}]}"},
};

/* The JSON of a well-known type in an Any, and the Any's bytes: what the type's own functions say.
 */
static void well_known_types(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof well_knowns / sizeof well_knowns[0]; i++) {
        const well_known *k = &well_knowns[i];
        const char *name = k->type->full_name;
        char text[300];
        strcat(strcat(strcpy(text, "{\"@type\":\"x/"), name), "\"");
        if (k->type->own_json || k->type == &google_protobuf_Empty_type) {
            strcat(strcat(text, ",\"value\":"), k->json);
            strcat(text, "}");
        } else if (k->json[1] == '}') {
            strcat(text, "}");
        } else {
            strcat(strcat(text, ","), k->json + 1);
        }
        cw_arena a;
        cw_error e = {0};
        google_protobuf_Any any;
        cw_arena_init(&a, NULL);
        if (json_parse(&google_protobuf_Any_type, &any, text, strlen(text), &a, NULL, &e)) {
            fail_msg("row at line %d: %s: %s", k->line, text, cw_status_name(e.status));
        }
        void *alone = json_new(k->type, &a);
        cw_bytes bytes;
        assert_int_equal(k->type->from_json(alone, k->json, strlen(k->json), &a, NULL, &e), CW_OK);
        assert_int_equal(k->type->encode_arena(alone, &a, &bytes, &e), CW_OK);
        if (!cw_bytes_equal(bytes, any.value)) {
            fail_msg("row at line %d: other bytes", k->line);
        }
        assert_true(any.type_url.len == strlen(name) + 2);
        assert_string_equal(json_text(&google_protobuf_Any_type, &any, &a).data, text);
        cw_arena_free(&a);
    }
}

/* ---- printing ---------------------------------------------------------------------------------
 */

/* The JSON of an Any of these bytes, which are copied to a block of their size. */
static cw_status print_bytes(const char *url, const char *bytes, size_t len,
                             const cw_json_print_options *o, cw_arena *a, cw_str *out, cw_error *e)
{
    json_any_Holder m = {0};
    google_protobuf_Any any = {0};
    char *exact = malloc(len ? len : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, len);
    any.type_url = cw_str_from(url);
    any.value = cw_bytes_of((const uint8_t *)exact, len);
    m.any = &any;
    cw_status st = json_any_Holder_to_json(&m, a, o, out, e);
    free(exact);
    return st;
}

static void what_cannot_be_printed(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *url, *bytes;
        size_t len;
        cw_status status;
        const char *path;
    } rows[] = {
        {__LINE__, "", "\x08\x01", 2, CW_ERR_UNKNOWN_TYPE, "[]"},
        {__LINE__, "x", "", 0, CW_ERR_UNKNOWN_TYPE, "[x]"},
        {__LINE__, "json.Case", "", 0, CW_ERR_UNKNOWN_TYPE, "[json.Case]"},
        {__LINE__, "x/no.Such", "\x08\x01", 2, CW_ERR_UNKNOWN_TYPE, "[x/no.Such]"},
        {__LINE__, "x/wire2.Leaf", "\x08\x01", 2, CW_ERR_UNKNOWN_TYPE, "[x/wire2.Leaf]"},
        {__LINE__, "\xff/json.Case", "", 0, CW_ERR_UTF8, "[\xff/json.Case]"},
        {__LINE__, "x/json_any.Confusing", "", 0, CW_ERR_UNSUPPORTED, "[x/json_any.Confusing]"},
        /* Bytes that are no such message. */
        {__LINE__, "x/json.Case", "\x08", 1, CW_ERR_TRUNCATED, "[x/json.Case].n"},
        {__LINE__, "x/json.Case", "\x12\x05", 2, CW_ERR_TRUNCATED, "[x/json.Case].s"},
        {__LINE__, "x/json.Case", "\x12\x01\xff", 3, CW_ERR_UTF8, "[x/json.Case].s"},
        {__LINE__, "x/json.Case", "\x0f", 1, CW_ERR_TAG, "[x/json.Case].n"},
        {__LINE__, "x/json.Node", "\x12\x03\x12\x01\x08", 5, CW_ERR_TRUNCATED,
         "[x/json.Node].next.next.value"},
        /* Messages that have no JSON. */
        {__LINE__, "x/google.protobuf.Duration",
         "\x08\x01\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 13, CW_ERR_RANGE,
         "[x/google.protobuf.Duration].value"},
        {__LINE__, "x/google.protobuf.Value", "", 0, CW_ERR_REQUIRED,
         "[x/google.protobuf.Value].value"},
        {__LINE__, "x/google.protobuf.Any", "\x12\x01\x61", 3, CW_ERR_UNKNOWN_TYPE,
         "[x/google.protobuf.Any].value.[]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw_arena a;
        cw_error e = {.offset = 77};
        cw_str out = {NULL, 0};
        char path[300] = "json_any.Holder.any.";
        cw_arena_init(&a, NULL);
        cw_status st = print_bytes(rows[i].url, rows[i].bytes, rows[i].len, NULL, &a, &out, &e);
        strcat(path, rows[i].path);
        if (st != rows[i].status || e.status != st || strcmp(e.path, path) != 0) {
            fail_msg("row at line %d: %s at %s", rows[i].line, cw_status_name(st), e.path);
        }
        assert_true(e.offset == SIZE_MAX && e.line == 0 && e.column == 0);
        assert_null(out.data);
        assert_int_equal(print_bytes(rows[i].url, rows[i].bytes, rows[i].len, NULL, &a, &out, NULL),
                         st);
        cw_arena_free(&a);
    }
}

/* Missing required fields are printed as they are elsewhere: not at all. Unknown fields go. */
static void what_is_left_out(void **state)
{
    (void)state;
    cw_arena a;
    cw_error e;
    cw_str out;
    cw_arena_init(&a, NULL);
    assert_int_equal(print_bytes("x/json2.Part", "\x12\x00", 2, NULL, &a, &out, &e), CW_OK);
    assert_string_equal(out.data, "{\"any\":{\"@type\":\"x/json2.Part\",\"defaults\":{}}}");
    assert_int_equal(print_bytes("x/json.Case", "\xa0\x1f\x01\x08\x02", 5, NULL, &a, &out, &e),
                     CW_OK);
    assert_string_equal(out.data, "{\"any\":{\"@type\":\"x/json.Case\",\"n\":2}}");
    /* Map entries out of order: sorted, the last one counts. */
    assert_int_equal(print_bytes("x/json.Case",
                                 "\x3a\x05\x0a\x01\x62\x10\x01\x3a\x05\x0a\x01\x61\x10\x02"
                                 "\x3a\x05\x0a\x01\x62\x10\x03",
                                 21, NULL, &a, &out, &e),
                     CW_OK);
    assert_string_equal(out.data,
                        "{\"any\":{\"@type\":\"x/json.Case\",\"map\":{\"a\":2,\"b\":3}}}");
    cw_arena_free(&a);
}

static void print_options(void **state)
{
    (void)state;
    static const char bytes[] = "\x48\x01\x58\x05";
    static const struct {
        int line;
        cw_json_print_options o;
        const char *text;
    } rows[] = {
        {__LINE__, {0}, "{\"any\":{\"@type\":\"x/json.Case\",\"e\":\"ON\",\"longNumber\":\"5\"}}"},
        {__LINE__,
         {.proto_names = true},
         "{\"any\":{\"@type\":\"x/json.Case\",\"e\":\"ON\",\"long_number\":\"5\"}}"},
        {__LINE__,
         {.enums_as_numbers = true, .int64_as_numbers = true},
         "{\"any\":{\"@type\":\"x/json.Case\",\"e\":1,\"longNumber\":5}}"},
        {__LINE__,
         {.print_defaults = true},
         "{\"before\":0,\"any\":{\"@type\":\"x/json.Case\",\"n\":0,\"s\":\"\",\"raw\":\"\",\"d\":0,"
         "\"f\":0,\"r\":[],\"map\":{},\"b\":false,\"e\":\"ON\",\"m\":{},\"longNumber\":\"5\"},"
         "\"list\":[],\"map\":{},\"behind\":\"\"}"},
        {__LINE__,
         {.indent = 2},
         "{\n  \"any\": {\n    \"@type\": \"x/json.Case\",\n    \"e\": \"ON\",\n    "
         "\"longNumber\": \"5\"\n  }\n}"},
        {__LINE__,
         {.types = &registry, .depth = 2},
         "{\"any\":{\"@type\":\"x/json.Case\",\"e\":\"ON\",\"longNumber\":\"5\"}}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw_arena a;
        cw_error e;
        cw_str out = {"", 0};
        cw_arena_init(&a, NULL);
        cw_status st =
            print_bytes("x/json.Case", bytes, sizeof bytes - 1, &rows[i].o, &a, &out, &e);
        if (st != CW_OK || strcmp(out.data, rows[i].text) != 0) {
            fail_msg("row at line %d: %s: %s", rows[i].line, cw_status_name(st), out.data);
        }
        cw_arena_free(&a);
    }
}

/* With `alias` the URL stays where it is; the value is the Any's own in any case. */
static void alias(void **state)
{
    (void)state;
    static const char text[] = "{\"@type\":\"x/google.protobuf.StringValue\",\"value\":\"abc\"}";
    cw_arena a;
    cw_error e;
    google_protobuf_Any m;
    cw_arena_init(&a, NULL);
    for (int i = 0; i < 2; i++) {
        const cw_json_parse_options o = {.alias = i == 1};
        assert_int_equal(google_protobuf_Any_from_json(&m, text, sizeof text - 1, &a, &o, &e),
                         CW_OK);
        assert_int_equal(m.type_url.data == text + 10, i);
        assert_int_equal(m.type_url.len, 29);
        assert_int_equal(m.value.len, 5);
        assert_memory_equal(m.value.data,
                            "\x0a\x03"
                            "abc",
                            5);
    }
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages),
        cmocka_unit_test(without_a_type),
        cmocka_unit_test(errors_inside),
        cmocka_unit_test(the_value_form),
        cmocka_unit_test(unknown_is_ignored),
        cmocka_unit_test(the_registry),
        cmocka_unit_test(well_known_types),
        cmocka_unit_test(what_cannot_be_printed),
        cmocka_unit_test(what_is_left_out),
        cmocka_unit_test(print_options),
        cmocka_unit_test(alias),
        cmocka_unit_test(a_type_without_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
