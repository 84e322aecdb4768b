/* SPDX-License-Identifier: MIT */
/* proto2, proto3 and editions become the same facts of the model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "build.h"
#include "feature_set.h"

static void defaults(void **state)
{
    (void)state;
    static const struct {
        int line;
        int edition;
        int presence, enum_type, repeated, utf8, encoding, json;
    } rows[] = {
        {__LINE__, CWG_PROTO2, 1, 2, 2, 3, 1, 2},
        {__LINE__, CWG_PROTO3, 2, 1, 1, 2, 1, 1},
        {__LINE__, CWG_EDITION_2023, 1, 1, 1, 2, 1, 1},
        {__LINE__, CWG_EDITION_2024, 1, 1, 1, 2, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cwg_features f;
        assert_true(cwg_features_default(rows[i].edition, &f));
        if (f.presence != rows[i].presence || f.enum_type != rows[i].enum_type ||
            f.repeated != rows[i].repeated || f.utf8 != rows[i].utf8 ||
            f.message_encoding != rows[i].encoding || f.json != rows[i].json)
            fail_msg("row of line %d", rows[i].line);
    }
    cwg_features f;
    assert_false(cwg_features_default(0, &f));
    assert_false(cwg_features_default(900, &f));
    assert_false(cwg_features_default(1002, &f));
}

static void merging(void **state)
{
    (void)state;
    cwg_features f, over = {0};
    assert_true(cwg_features_default(CWG_EDITION_2023, &f));
    assert_null(cwg_features_merge(&f, &over));
    assert_int_equal(f.presence, CWG_PRESENCE_EXPLICIT);
    over.presence = CWG_PRESENCE_IMPLICIT;
    over.utf8 = CWG_UTF8_NONE;
    assert_null(cwg_features_merge(&f, &over));
    assert_int_equal(f.presence, CWG_PRESENCE_IMPLICIT);
    assert_int_equal(f.utf8, CWG_UTF8_NONE);
    assert_int_equal(f.repeated, CWG_REPEATED_PACKED);
    over = (cwg_features){.presence = 4};
    assert_string_equal(cwg_features_merge(&f, &over), "field_presence");
    over = (cwg_features){.enum_type = 3};
    assert_string_equal(cwg_features_merge(&f, &over), "enum_type");
    over = (cwg_features){.repeated = -1};
    assert_string_equal(cwg_features_merge(&f, &over), "repeated_field_encoding");
    over = (cwg_features){.utf8 = 1};
    assert_string_equal(cwg_features_merge(&f, &over), "utf8_validation");
    over = (cwg_features){.message_encoding = 3};
    assert_string_equal(cwg_features_merge(&f, &over), "message_encoding");
    over = (cwg_features){.json = 3};
    assert_string_equal(cwg_features_merge(&f, &over), "json_format");
}

/* Number of the features in an options message. */
enum { IN_FILE = 50, IN_MESSAGE = 12, IN_FIELD = 21, IN_ONEOF = 1, IN_ENUM = 7 };

/* One field "x" of message p.M in a file of one syntax, with a feature set at one level; 0: none.
 */
typedef struct field_row {
    int line;
    const char *syntax;
    int edition;
    int level, feature, value;
    int label, type;
    int packed; /* option packed: -1 not given */
    bool optional;
    /* expected */
    cwg_shape shape;
    bool is_packed, is_group, utf8, closed, has_bit;
} field_row;

#define P2   "proto2", 0
#define P3   "proto3", 0
#define E23  "editions", 1000
#define E24  "editions", 1001
#define NONE 0, 0, 0

static const field_row field_rows[] = {
    /* presence */
    {__LINE__, P2, NONE, OPTIONAL_, INT32_, -1, false, CWG_OPTIONAL, 0, 0, 0, 0, 1},
    {__LINE__, P2, NONE, REQUIRED_, INT32_, -1, false, CWG_REQUIRED, 0, 0, 0, 0, 1},
    {__LINE__, P3, NONE, OPTIONAL_, INT32_, -1, false, CWG_IMPLICIT, 0, 0, 0, 0, 0},
    {__LINE__, P3, NONE, OPTIONAL_, INT32_, -1, true, CWG_OPTIONAL, 0, 0, 0, 0, 1},
    {__LINE__, P3, NONE, OPTIONAL_, MESSAGE_, -1, false, CWG_OPTIONAL, 0, 0, 0, 0, 0},
    {__LINE__, E23, NONE, OPTIONAL_, INT32_, -1, false, CWG_OPTIONAL, 0, 0, 0, 0, 1},
    {__LINE__, E24, NONE, OPTIONAL_, INT32_, -1, false, CWG_OPTIONAL, 0, 0, 0, 0, 1},
    {__LINE__, E23, IN_FILE, 1, 2, OPTIONAL_, INT32_, -1, false, CWG_IMPLICIT, 0, 0, 0, 0, 0},
    {__LINE__, E23, IN_FIELD, 1, 2, OPTIONAL_, INT32_, -1, false, CWG_IMPLICIT, 0, 0, 0, 0, 0},
    {__LINE__, E23, IN_FIELD, 1, 3, OPTIONAL_, INT32_, -1, false, CWG_REQUIRED, 0, 0, 0, 0, 1},
    {__LINE__, E23, IN_FIELD, 1, 3, OPTIONAL_, MESSAGE_, -1, false, CWG_REQUIRED, 0, 0, 0, 0, 0},
    {__LINE__, E23, IN_FILE, 1, 2, OPTIONAL_, MESSAGE_, -1, false, CWG_OPTIONAL, 0, 0, 0, 0, 0},
    /* packed */
    {__LINE__, P2, NONE, REPEATED_, INT32_, -1, false, CWG_REPEATED, 0, 0, 0, 0, 0},
    {__LINE__, P2, NONE, REPEATED_, INT32_, 1, false, CWG_REPEATED, 1, 0, 0, 0, 0},
    {__LINE__, P3, NONE, REPEATED_, INT32_, -1, false, CWG_REPEATED, 1, 0, 0, 0, 0},
    {__LINE__, P3, NONE, REPEATED_, INT32_, 0, false, CWG_REPEATED, 0, 0, 0, 0, 0},
    {__LINE__, P3, NONE, REPEATED_, BYTES_, -1, false, CWG_REPEATED, 0, 0, 0, 0, 0},
    {__LINE__, E23, NONE, REPEATED_, DOUBLE_, -1, false, CWG_REPEATED, 1, 0, 0, 0, 0},
    {__LINE__, E24, IN_FILE, 3, 2, REPEATED_, DOUBLE_, -1, false, CWG_REPEATED, 0, 0, 0, 0, 0},
    {__LINE__, E23, IN_MESSAGE, 3, 2, REPEATED_, ENUM_, -1, false, CWG_REPEATED, 0, 0, 0, 0, 0},
    {__LINE__, E23, IN_FIELD, 3, 2, REPEATED_, ENUM_, -1, false, CWG_REPEATED, 0, 0, 0, 0, 0},
    /* UTF-8 */
    {__LINE__, P2, NONE, OPTIONAL_, STRING_, -1, false, CWG_OPTIONAL, 0, 0, 0, 0, 1},
    {__LINE__, P3, NONE, OPTIONAL_, STRING_, -1, false, CWG_IMPLICIT, 0, 0, 1, 0, 0},
    {__LINE__, E23, NONE, REPEATED_, STRING_, -1, false, CWG_REPEATED, 0, 0, 1, 0, 0},
    {__LINE__, E23, IN_FIELD, 4, 3, OPTIONAL_, STRING_, -1, false, CWG_OPTIONAL, 0, 0, 0, 0, 1},
    {__LINE__, E23, IN_FILE, 4, 3, OPTIONAL_, STRING_, -1, false, CWG_OPTIONAL, 0, 0, 0, 0, 1},
    {__LINE__, E23, IN_FILE, 4, 3, OPTIONAL_, BYTES_, -1, false, CWG_OPTIONAL, 0, 0, 0, 0, 1},
    /* groups */
    {__LINE__, P2, NONE, OPTIONAL_, GROUP_, -1, false, CWG_OPTIONAL, 0, 1, 0, 0, 0},
    {__LINE__, P2, NONE, REPEATED_, GROUP_, -1, false, CWG_REPEATED, 0, 1, 0, 0, 0},
    {__LINE__, P2, NONE, OPTIONAL_, MESSAGE_, -1, false, CWG_OPTIONAL, 0, 0, 0, 0, 0},
    {__LINE__, E23, IN_FIELD, 5, 2, OPTIONAL_, MESSAGE_, -1, false, CWG_OPTIONAL, 0, 1, 0, 0, 0},
    {__LINE__, E23, IN_FILE, 5, 2, REPEATED_, MESSAGE_, -1, false, CWG_REPEATED, 0, 1, 0, 0, 0},
    {__LINE__, E23, IN_FILE, 5, 2, OPTIONAL_, INT32_, -1, false, CWG_OPTIONAL, 0, 0, 0, 0, 1},
    /* closed enums */
    {__LINE__, P2, NONE, OPTIONAL_, ENUM_, -1, false, CWG_OPTIONAL, 0, 0, 0, 1, 1},
    {__LINE__, P3, NONE, OPTIONAL_, ENUM_, -1, false, CWG_IMPLICIT, 0, 0, 0, 0, 0},
    {__LINE__, E23, NONE, OPTIONAL_, ENUM_, -1, false, CWG_OPTIONAL, 0, 0, 0, 0, 1},
    {__LINE__, E23, IN_ENUM, 2, 2, OPTIONAL_, ENUM_, -1, false, CWG_OPTIONAL, 0, 0, 0, 1, 1},
    {__LINE__, E23, IN_FILE, 2, 2, OPTIONAL_, ENUM_, -1, false, CWG_OPTIONAL, 0, 0, 0, 1, 1},
};

static rec *field_file(cwg_arena *a, const field_row *row)
{
    rec *file = rec_file(a, "t.proto", "p", row->syntax, row->edition);
    rec *e = rec_named(a, "E");
    rec_value(e, "ZERO", 0);
    rec *m = rec_named(a, "M");
    const char *type = row->type == ENUM_                             ? ".p.E"
                       : row->type == MESSAGE_ || row->type == GROUP_ ? ".p.M"
                                                                      : NULL;
    rec *f = rec_field(a, "x", 1, row->label, row->type, type);
    if (row->optional) {
        rec_sub(m, MESSAGE_ONEOF, rec_named(a, "_x"));
        rec_num(f, FIELD_ONEOF, 0);
        rec_num(f, FIELD_PROTO3_OPTIONAL, 1);
    }
    if (row->packed >= 0) {
        rec *o = rec_new(a);
        rec_num(o, 2, (uint64_t)row->packed);
        rec_sub(f, FIELD_OPTIONS, o);
    }
    const rec *options = row->level ? rec_features(a, row->level, row->feature, row->value) : NULL;
    if (row->level == IN_FILE)
        rec_sub(file, FILE_OPTIONS, options);
    if (row->level == IN_MESSAGE)
        rec_sub(m, MESSAGE_OPTIONS, options);
    if (row->level == IN_FIELD)
        rec_sub(f, FIELD_OPTIONS, options);
    if (row->level == IN_ENUM)
        rec_sub(e, 3, options);
    rec_sub(m, MESSAGE_FIELD, f);
    rec_sub(file, FILE_MESSAGE, m);
    rec_sub(file, FILE_ENUM, e);
    return file;
}

static void fields(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof field_rows / sizeof field_rows[0]; i++) {
        const field_row *row = &field_rows[i];
        cwg_arena a = {0};
        rec *file = field_file(&a, row);
        cwg_model model;
        const char *error = read_model(rec_request(&a, &file, 1, NULL), &model, &a);
        if (error)
            fail_msg("row of line %d: %s", row->line, error);
        const cwg_field *f = find_field(&model, "p.M", "x");
        if (f->shape != row->shape || f->packed != row->is_packed || f->is_group != row->is_group ||
            f->validate_utf8 != row->utf8 || f->closed_enum != row->closed ||
            f->has_bit != row->has_bit)
            fail_msg("row of line %d: shape %d packed %d group %d utf8 %d closed %d has %d",
                     row->line, (int)f->shape, f->packed, f->is_group, f->validate_utf8,
                     f->closed_enum, f->has_bit);
        if (f->is_group) {
            assert_int_equal(f->tag.value, 1 << 3 | 3);
            assert_int_equal(f->end_tag.value, 1 << 3 | 4);
        }
        assert_int_equal(find_message(&model, "p.M")->n_oneofs, 0);
        cwg_arena_free(&a);
    }
}

/* A feature of the outer level holds until an inner one says otherwise. */
static void inheritance(void **state)
{
    (void)state;
    cwg_arena a = {0};
    rec *file = rec_file(&a, "t.proto", "p", "editions", CWG_EDITION_2023);
    rec_sub(file, FILE_OPTIONS, rec_features(&a, IN_FILE, 3, CWG_REPEATED_EXPANDED));
    rec *outer = rec_named(&a, "O");
    rec_sub(outer, MESSAGE_OPTIONS, rec_features(&a, IN_MESSAGE, 3, CWG_REPEATED_PACKED));
    rec *inner = rec_named(&a, "I");
    rec_sub(inner, MESSAGE_FIELD, rec_field(&a, "packed", 1, REPEATED_, INT32_, NULL));
    rec *f = rec_field(&a, "expanded", 2, REPEATED_, INT32_, NULL);
    rec_sub(f, FIELD_OPTIONS, rec_features(&a, IN_FIELD, 3, CWG_REPEATED_EXPANDED));
    rec_sub(inner, MESSAGE_FIELD, f);
    rec *o = rec_named(&a, "o");
    rec_sub(o, 2, rec_features(&a, IN_ONEOF, 4, CWG_UTF8_NONE));
    rec_sub(inner, MESSAGE_ONEOF, o);
    f = rec_field(&a, "unchecked", 3, OPTIONAL_, STRING_, NULL);
    rec_num(f, FIELD_ONEOF, 0);
    rec_sub(inner, MESSAGE_FIELD, f);
    f = rec_field(&a, "checked", 4, OPTIONAL_, STRING_, NULL);
    rec_num(f, FIELD_ONEOF, 0);
    rec_sub(f, FIELD_OPTIONS, rec_features(&a, IN_FIELD, 4, CWG_UTF8_VERIFY));
    rec_sub(inner, MESSAGE_FIELD, f);
    rec_sub(outer, MESSAGE_NESTED, inner);
    rec_sub(file, FILE_MESSAGE, outer);
    rec *plain = rec_named(&a, "P");
    rec_sub(plain, MESSAGE_FIELD, rec_field(&a, "expanded", 1, REPEATED_, INT32_, NULL));
    rec_sub(file, FILE_MESSAGE, plain);
    cwg_model model;
    assert_null(read_model(rec_request(&a, &file, 1, NULL), &model, &a));
    assert_string_equal(model.files[0]->edition, "edition 2023");
    assert_true(find_field(&model, "p.O.I", "packed")->packed);
    assert_false(find_field(&model, "p.O.I", "expanded")->packed);
    assert_false(find_field(&model, "p.P", "expanded")->packed);
    assert_false(find_field(&model, "p.O.I", "unchecked")->validate_utf8);
    assert_true(find_field(&model, "p.O.I", "checked")->validate_utf8);
    assert_int_equal(find_field(&model, "p.O.I", "checked")->shape, CWG_ONEOF);
    cwg_arena_free(&a);
}

/* DELIMITED never touches maps; a delimited field has its type's name in text only when it looks
 * like a group. */
static void delimited(void **state)
{
    (void)state;
    cwg_arena a = {0};
    rec *file = rec_file(&a, "t.proto", "p", "editions", CWG_EDITION_2024);
    rec_sub(file, FILE_OPTIONS, rec_features(&a, IN_FILE, 5, CWG_MESSAGE_DELIMITED));
    rec *m = rec_named(&a, "M");
    rec *entry = rec_named(&a, "MapEntry");
    rec_sub(entry, MESSAGE_FIELD, rec_field(&a, "key", 1, OPTIONAL_, STRING_, NULL));
    rec_sub(entry, MESSAGE_FIELD, rec_field(&a, "value", 2, OPTIONAL_, MESSAGE_, ".p.M"));
    rec *options = rec_new(&a);
    rec_num(options, 7, 1);
    rec_sub(entry, MESSAGE_OPTIONS, options);
    rec_sub(m, MESSAGE_NESTED, entry);
    rec_sub(m, MESSAGE_NESTED, rec_named(&a, "Box"));
    rec_sub(m, MESSAGE_FIELD, rec_field(&a, "map", 1, REPEATED_, MESSAGE_, ".p.M.MapEntry"));
    rec_sub(m, MESSAGE_FIELD, rec_field(&a, "box", 2, OPTIONAL_, MESSAGE_, ".p.M.Box"));
    rec_sub(m, MESSAGE_FIELD, rec_field(&a, "other", 3, OPTIONAL_, MESSAGE_, ".p.M.Box"));
    rec_sub(m, MESSAGE_FIELD, rec_field(&a, "m", 4, OPTIONAL_, MESSAGE_, ".p.M"));
    rec_sub(file, FILE_MESSAGE, m);
    cwg_model model;
    assert_null(read_model(rec_request(&a, &file, 1, NULL), &model, &a));
    const cwg_field *map = find_field(&model, "p.M", "map");
    assert_int_equal(map->shape, CWG_MAP);
    assert_false(map->is_group);
    assert_int_equal(map->tag.value, 1 << 3 | 2);
    assert_false(map->map->value->is_group);
    assert_int_equal(map->map->value->shape, CWG_IMPLICIT);
    assert_true(find_field(&model, "p.M", "box")->is_group);
    assert_string_equal(find_field(&model, "p.M", "box")->text_name, "Box");
    assert_true(find_field(&model, "p.M", "other")->is_group);
    assert_string_equal(find_field(&model, "p.M", "other")->text_name, "other");
    assert_string_equal(find_field(&model, "p.M", "m")->text_name, "m");
    cwg_arena_free(&a);
}

/* Default values: descriptor text to C. */
static void default_values(void **state)
{
    (void)state;
    static const struct {
        int line;
        int type;
        const char *text; /* NULL: none */
        const char *c;
        bool nonzero;
    } rows[] = {
        {__LINE__, INT32_, NULL, "0", false},
        {__LINE__, INT32_, "0", "0", false},
        {__LINE__, INT32_, "-5", "-5", true},
        {__LINE__, INT32_, "-2147483648", "INT32_MIN", true},
        {__LINE__, INT64_, "-9223372036854775808", "INT64_MIN", true},
        {__LINE__, INT64_, "7", "INT64_C(7)", true},
        {__LINE__, 13, "4294967295", "4294967295u", true},
        {__LINE__, 4, "18446744073709551615", "UINT64_C(18446744073709551615)", true},
        {__LINE__, 8, "true", "true", true},
        {__LINE__, 8, "false", "false", false},
        {__LINE__, DOUBLE_, NULL, "0.0", false},
        {__LINE__, DOUBLE_, "0.1", "0.10000000000000001", true},
        {__LINE__, DOUBLE_, "1e+100", "1e+100", true},
        {__LINE__, DOUBLE_, "5", "5.0", true},
        {__LINE__, DOUBLE_, "-0", "-0.0", true},
        {__LINE__, DOUBLE_, "inf", "cw__double_of_bits(UINT64_C(0x7ff0000000000000))", true},
        {__LINE__, DOUBLE_, "-inf", "cw__double_of_bits(UINT64_C(0xfff0000000000000))", true},
        {__LINE__, DOUBLE_, "nan", "cw__double_of_bits(UINT64_C(0x7ff8000000000000))", true},
        {__LINE__, 2, "1.5", "1.5f", true},
        {__LINE__, 2, "16777217", "16777216.0f", true},
        {__LINE__, 2, "-inf", "cw__float_of_bits(0xff800000u)", true},
        {__LINE__, STRING_, NULL, "CW_STR(\"\")", false},
        {__LINE__, STRING_, "", "CW_STR(\"\")", false},
        {__LINE__, STRING_, "a\"\\b\n", "CW_STR(\"a\\\"\\\\b\\012\")", true},
        {__LINE__, BYTES_, NULL, "cw_bytes_of(\"\", 0)", false},
        {__LINE__, BYTES_, "\\001\\xffa\\n", "cw_bytes_of(\"\\001\\377a\\012\", 4)", true},
        {__LINE__, BYTES_, "\\000", "cw_bytes_of(\"\\000\", 1)", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cwg_arena a = {0};
        rec *file = rec_file(&a, "t.proto", "p", "proto2", 0);
        rec *m = rec_named(&a, "M");
        rec *f = rec_field(&a, "x", 1, OPTIONAL_, rows[i].type, NULL);
        if (rows[i].text)
            rec_str(f, FIELD_DEFAULT, rows[i].text);
        rec_sub(m, MESSAGE_FIELD, f);
        rec_sub(file, FILE_MESSAGE, m);
        cwg_model model;
        const char *error = read_model(rec_request(&a, &file, 1, NULL), &model, &a);
        if (error)
            fail_msg("row of line %d: %s", rows[i].line, error);
        const cwg_field *x = find_field(&model, "p.M", "x");
        if (strcmp(x->default_c, rows[i].c) != 0 || x->default_nonzero != rows[i].nonzero ||
            x->has_default != (rows[i].text != NULL))
            fail_msg("row of line %d: %s %d %d", rows[i].line, x->default_c, x->default_nonzero,
                     x->has_default);
        assert_int_equal(find_message(&model, "p.M")->has_defaults, rows[i].nonzero);
        cwg_arena_free(&a);
    }
}

static void enum_defaults(void **state)
{
    (void)state;
    cwg_arena a = {0};
    rec *file = rec_file(&a, "t.proto", "p", "proto2", 0);
    rec *e = rec_named(&a, "E");
    rec_value(e, "FIRST", 3);
    rec_value(e, "ZERO", 0);
    rec_value(e, "ALIAS", 3);
    rec_sub(file, FILE_ENUM, e);
    rec *m = rec_named(&a, "M");
    rec_sub(m, MESSAGE_FIELD, rec_field(&a, "plain", 1, OPTIONAL_, ENUM_, ".p.E"));
    rec *f = rec_field(&a, "zero", 2, OPTIONAL_, ENUM_, ".p.E");
    rec_str(f, FIELD_DEFAULT, "ZERO");
    rec_sub(m, MESSAGE_FIELD, f);
    rec_sub(m, MESSAGE_FIELD, rec_field(&a, "list", 3, REPEATED_, ENUM_, ".p.E"));
    rec_sub(file, FILE_MESSAGE, m);
    cwg_model model;
    assert_null(read_model(rec_request(&a, &file, 1, NULL), &model, &a));
    const cwg_field *plain = find_field(&model, "p.M", "plain");
    assert_true(plain->has_default);
    assert_true(plain->default_nonzero);
    assert_string_equal(plain->default_c, "p_FIRST");
    const cwg_field *zero = find_field(&model, "p.M", "zero");
    assert_true(zero->has_default);
    assert_false(zero->default_nonzero);
    assert_string_equal(zero->default_c, "p_ZERO");
    assert_false(find_field(&model, "p.M", "list")->default_nonzero);
    const cwg_enum *p = find_enum(&model, "p.E");
    assert_false(p->values[0].is_alias);
    assert_false(p->values[1].is_alias);
    assert_true(p->values[2].is_alias);
    cwg_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),      cmocka_unit_test(merging),
        cmocka_unit_test(fields),        cmocka_unit_test(inheritance),
        cmocka_unit_test(delimited),     cmocka_unit_test(default_values),
        cmocka_unit_test(enum_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
