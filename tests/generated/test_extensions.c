/* SPDX-License-Identifier: MIT */
/* The functions of extensions: every kind, defaults, lists, and the bytes that come of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "extensions.cw.h"
#include "extensions_only.cw.h"

static cw_arena arena;

static int free_arena(void **state)
{
    (void)state;
    cw_arena_free(&arena);
    return 0;
}

/* ---- singular numbers -------------------------------------------------------------------------
 */

/* Absent: the default. Set: that value, in a copy through bytes too. Cleared: absent. */
#define CHECK_NUMBER(type, name, default_value, some_value)                                        \
    do {                                                                                           \
        ext_Host m = {0}, back;                                                                    \
        type v = (some_value);                                                                     \
        assert_false(name##_has(&m));                                                              \
        assert_int_equal(name##_get(&m, &arena, &v, NULL), CW_OK);                                 \
        assert_true(v == (default_value));                                                         \
        assert_int_equal(name##_set(&m, &arena, (some_value)), CW_OK);                             \
        through_bytes(&m, &back);                                                                  \
        assert_true(name##_has(&m) && name##_has(&back));                                          \
        v = (default_value);                                                                       \
        assert_int_equal(name##_get(&back, &arena, &v, NULL), CW_OK);                              \
        assert_true(v == (some_value));                                                            \
        name##_clear(&m);                                                                          \
        assert_false(name##_has(&m));                                                              \
        assert_int_equal(ext_Host_size(&m), 0);                                                    \
    } while (0)

static void through_bytes(const ext_Host *m, ext_Host *back)
{
    cw_bytes bytes;
    assert_int_equal(ext_Host_encode_arena(m, &arena, &bytes, NULL), CW_OK);
    assert_int_equal(ext_Host_size(m), bytes.len);
    assert_int_equal(ext_Host_decode(back, bytes.data, bytes.len, &arena, NULL, NULL), CW_OK);
    assert_true(ext_Host_equal(m, back));
}

static void numbers(void **state)
{
    (void)state;
    CHECK_NUMBER(double, ext_a_double, -1.5, 1e300);
    CHECK_NUMBER(float, ext_a_float, cw__float_of_bits(0x7f800000), 0.0f);
    CHECK_NUMBER(int64_t, ext_an_int64, INT64_MIN, -1);
    CHECK_NUMBER(uint64_t, ext_a_uint64, UINT64_MAX, 1u);
    CHECK_NUMBER(int32_t, ext_an_int32, INT32_MIN, 0);
    CHECK_NUMBER(uint64_t, ext_a_fixed64, 64u, 0x0102030405060708u);
    CHECK_NUMBER(uint32_t, ext_a_fixed32, 32u, 0x01020304u);
    CHECK_NUMBER(bool, ext_a_bool, true, false);
    CHECK_NUMBER(uint32_t, ext_a_uint32, UINT32_MAX, 300u);
    CHECK_NUMBER(int32_t, ext_an_sfixed32, -32, INT32_MAX);
    CHECK_NUMBER(int64_t, ext_an_sfixed64, -64, INT64_MIN);
    CHECK_NUMBER(int32_t, ext_an_sint32, -1, INT32_MIN);
    CHECK_NUMBER(int64_t, ext_an_sint64, -2, INT64_MAX);
    CHECK_NUMBER(ext_Color, ext_a_color, ext_RED, ext_BLUE);
    CHECK_NUMBER(ext_Color, ext_a_green, ext_GREEN, ext_RED);
    CHECK_NUMBER(ext_Open, ext_an_open, ext_OPEN_ZERO, 99);
    CHECK_NUMBER(int32_t, ext_plain, 0, 5);
    CHECK_NUMBER(int32_t, ext_Scope_nested, 0, 5);
    CHECK_NUMBER(int32_t, ext_far, 0, 5);
    CHECK_NUMBER(int32_t, ext_taken, 0, 5);
    CHECK_NUMBER(ext_Color, only_color, ext_RED, ext_GREEN);
    assert_int_equal(extensions_only_file.n_extensions, 4); /* the option is none */
}

/* ---- strings and messages ---------------------------------------------------------------------
 */

static void strings(void **state)
{
    (void)state;
    ext_Host m = {0};
    cw_str s;
    cw_bytes b;
    assert_int_equal(ext_a_string_get(&m, &arena, &s, NULL), CW_OK);
    assert_true(cw_str_equal(s, CW_STR("a \"string\"")));
    assert_int_equal(ext_a_bytes_get(&m, &arena, &b, NULL), CW_OK);
    assert_true(cw_bytes_equal(b, cw_bytes_of("\x00\xff", 2)));
    assert_int_equal(ext_plain_string_get(&m, &arena, &s, NULL), CW_OK);
    assert_int_equal(s.len, 0);
    assert_int_equal(ext_plain_bytes_get(&m, &arena, &b, NULL), CW_OK);
    assert_int_equal(b.len, 0);

    assert_int_equal(ext_a_string_set(&m, &arena, CW_STR("")), CW_OK);
    assert_true(ext_a_string_has(&m));
    assert_int_equal(ext_a_string_get(&m, &arena, &s, NULL), CW_OK);
    assert_int_equal(s.len, 0);
    assert_int_equal(ext_a_string_set(&m, &arena, CW_STR("text")), CW_OK);
    assert_int_equal(ext_a_bytes_set(&m, &arena, cw_bytes_of("\xff", 1)), CW_OK);
    assert_int_equal(ext_a_string_get(&m, &arena, &s, NULL), CW_OK);
    assert_string_equal(s.data, "text"); /* with its NUL */
    assert_int_equal(ext_a_bytes_get(&m, &arena, &b, NULL), CW_OK);
    assert_true(cw_bytes_equal(b, cw_bytes_of("\xff", 1)));
    ext_a_string_clear(&m);
    assert_false(ext_a_string_has(&m));
    assert_true(ext_a_bytes_has(&m));
}

static void messages(void **state)
{
    (void)state;
    ext_Host m = {0}, back;
    ext_Note note;
    memset(&note, 0xff, sizeof note);
    assert_false(ext_a_note_has(&m));
    assert_int_equal(ext_a_note_get(&m, &arena, &note, NULL), CW_OK);
    ext_Note empty = {0};
    assert_true(ext_Note_equal(&note, &empty));

    ext_Note_set_text(&note, CW_STR("top"));
    assert_true(ext_Note_add_numbers(&note, -7, &arena));
    *ext_Note_map_put(&note, CW_STR("b"), &arena) = 2;
    *ext_Note_map_put(&note, CW_STR("a"), &arena) = 1;
    assert_int_equal(ext_Scope_Deep_in_note_set(&note, &arena, CW_STR("inside")), CW_OK);
    assert_int_equal(ext_a_note_set(&m, &arena, &note), CW_OK);
    through_bytes(&m, &back);
    ext_Note got;
    assert_int_equal(ext_a_note_get(&back, &arena, &got, NULL), CW_OK);
    assert_true(ext_Note_equal(&note, &got));
    cw_str s;
    assert_int_equal(ext_Scope_Deep_in_note_get(&got, &arena, &s, NULL), CW_OK);
    assert_string_equal(s.data, "inside");
    ext_a_note_clear(&back);
    assert_false(ext_a_note_has(&back));

    ext_Pair pair = {0}, pair_back;
    ext_Pair_set_x(&pair, 5);
    ext_Pair_set_y(&pair, CW_STR("y"));
    assert_int_equal(ext_pair_set(&m, &arena, &pair), CW_OK);
    assert_true(ext_pair_has(&m));
    assert_int_equal(ext_pair_get(&m, &arena, &pair_back, NULL), CW_OK);
    assert_true(ext_Pair_equal(&pair, &pair_back));

    ext_Scope scope = {0}, scope_back;
    ext_Scope_set_i(&scope, 5);
    assert_int_equal(ext_Scope_scope_set(&m, &arena, &scope), CW_OK);
    assert_int_equal(ext_Scope_scope_get(&m, &arena, &scope_back, NULL), CW_OK);
    assert_int_equal(scope_back.i, 5);

    google_protobuf_Struct st = {0}, st_back;
    google_protobuf_Value_set_number_value(
        google_protobuf_Struct_fields_put(&st, CW_STR("z"), &arena), 1);
    google_protobuf_Value_set_bool_value(
        google_protobuf_Struct_fields_put(&st, CW_STR("y"), &arena), true);
    assert_int_equal(only_struct_set(&m, &arena, &st), CW_OK);
    assert_int_equal(only_struct_get(&m, &arena, &st_back, NULL), CW_OK);
    assert_true(google_protobuf_Struct_equal(&st, &st_back));
}

static void required_fields(void **state)
{
    (void)state;
    ext_Host m = {0};
    ext_Strict strict = {0};
    assert_int_equal(ext_a_strict_set(&m, &arena, &strict), CW_ERR_REQUIRED);
    assert_false(ext_a_strict_has(&m));
    ext_Strict_set_id(&strict, 5);
    assert_int_equal(ext_a_strict_set(&m, &arena, &strict), CW_OK);
    assert_int_equal(ext_a_strict_get(&m, &arena, &strict, NULL), CW_OK);
    assert_int_equal(strict.id, 5);
    static const uint8_t without[] = {0xc2, 7, 2, 0x10, 1}; /* a_strict = 120: more = 1 */
    assert_int_equal(ext_Host_decode(&m, without, sizeof without, &arena, NULL, NULL), CW_OK);
    assert_true(ext_a_strict_has(&m));
    cw_error e;
    assert_int_equal(ext_a_strict_get(&m, &arena, &strict, &e), CW_ERR_REQUIRED);
    assert_string_equal(e.path, "ext.a_strict.id");
}

/* ---- lists ------------------------------------------------------------------------------------
 */

/* Empty; set from an array; the same list back through bytes; an empty list is no value. */
#define CHECK_LIST(list_type, name, ...)                                                           \
    do {                                                                                           \
        ext_Host m = {0}, back;                                                                    \
        list_type list;                                                                            \
        memset(&list, 0xff, sizeof list);                                                          \
        assert_false(name##_has(&m));                                                              \
        assert_int_equal(name##_get(&m, &arena, &list, NULL), CW_OK);                              \
        assert_int_equal(list.len, 0);                                                             \
        list_type want = {__VA_ARGS__, 3, 0};                                                      \
        assert_int_equal(name##_set(&m, &arena, &want), CW_OK);                                    \
        through_bytes(&m, &back);                                                                  \
        assert_true(name##_has(&back));                                                            \
        assert_int_equal(name##_get(&back, &arena, &list, NULL), CW_OK);                           \
        assert_int_equal(list.len, 3);                                                             \
        assert_memory_equal(list.data, want.data, 3 * sizeof *want.data);                          \
        assert_int_equal(name##_set(&m, &arena, &(list_type){0}), CW_OK);                          \
        assert_false(name##_has(&m));                                                              \
        name##_clear(&back);                                                                       \
        assert_int_equal(ext_Host_size(&back), 0);                                                 \
    } while (0)

static void lists_of_numbers(void **state)
{
    (void)state;
    CHECK_LIST(cw_f64_list, ext_doubles, ((double[]){1.5, -0.0, 1e300}));
    CHECK_LIST(cw_f32_list, ext_floats, ((float[]){1.5f, -0.0f, 0}));
    CHECK_LIST(cw_i64_list, ext_int64s, ((int64_t[]){INT64_MIN, 0, 1}));
    CHECK_LIST(cw_u64_list, ext_uint64s, ((uint64_t[]){UINT64_MAX, 0, 1}));
    CHECK_LIST(cw_i32_list, ext_int32s, ((int32_t[]){INT32_MIN, 0, 1}));
    CHECK_LIST(cw_u64_list, ext_fixed64s, ((uint64_t[]){UINT64_MAX, 0, 1}));
    CHECK_LIST(cw_u32_list, ext_fixed32s, ((uint32_t[]){UINT32_MAX, 0, 1}));
    CHECK_LIST(cw_bool_list, ext_bools, ((bool[]){true, false, true}));
    CHECK_LIST(cw_u32_list, ext_uint32s, ((uint32_t[]){UINT32_MAX, 0, 300}));
    CHECK_LIST(cw_i32_list, ext_sfixed32s, ((int32_t[]){INT32_MIN, 0, 1}));
    CHECK_LIST(cw_i64_list, ext_sfixed64s, ((int64_t[]){INT64_MIN, 0, 1}));
    CHECK_LIST(cw_i32_list, ext_sint32s, ((int32_t[]){INT32_MIN, 0, -1}));
    CHECK_LIST(cw_i64_list, ext_sint64s, ((int64_t[]){INT64_MIN, 0, -1}));
    CHECK_LIST(cw_i32_list, ext_colors, ((int32_t[]){ext_GREEN, ext_BLUE, ext_RED}));
    CHECK_LIST(cw_i32_list, ext_opens, ((int32_t[]){1, -99, 0}));
    CHECK_LIST(cw_f64_list, ext_packed_doubles, ((double[]){1.5, -0.0, 1e300}));
    CHECK_LIST(cw_i32_list, ext_packed_int32s, ((int32_t[]){-1, 0, 1}));
    CHECK_LIST(cw_bool_list, ext_packed_bools, ((bool[]){true, false, true}));
    CHECK_LIST(cw_i64_list, ext_packed_sint64s, ((int64_t[]){INT64_MIN, 0, -1}));
    CHECK_LIST(cw_u32_list, ext_packed_fixed32s, ((uint32_t[]){UINT32_MAX, 0, 1}));
    CHECK_LIST(cw_i32_list, ext_packed_colors, ((int32_t[]){ext_GREEN, ext_BLUE, ext_RED}));
}

static void lists_of_others(void **state)
{
    (void)state;
    ext_Host m = {0};
    cw_str words[] = {CW_STR_INIT("a"), CW_STR_INIT(""), CW_STR_INIT("bc")};
    cw_str_list strings_in = {words, 3, 0}, strings_out;
    assert_int_equal(ext_strings_set(&m, &arena, &strings_in), CW_OK);
    assert_int_equal(ext_strings_get(&m, &arena, &strings_out, NULL), CW_OK);
    assert_int_equal(strings_out.len, 3);
    assert_string_equal(strings_out.data[2].data, "bc");

    cw_bytes raw[] = {{(const uint8_t *)"\xff", 1}};
    cw_bytes_list bytes_in = {raw, 1, 0}, bytes_out;
    assert_int_equal(ext_many_bytes_set(&m, &arena, &bytes_in), CW_OK);
    assert_int_equal(ext_many_bytes_get(&m, &arena, &bytes_out, NULL), CW_OK);
    assert_int_equal(bytes_out.len, 1);
    assert_memory_equal(bytes_out.data[0].data, "\xff", 1);

    ext_Note notes[2];
    memset(notes, 0, sizeof notes);
    ext_Note_set_text(&notes[1], CW_STR("second"));
    ext_Note_list notes_in = {notes, 2, 0}, notes_out;
    assert_int_equal(ext_notes_set(&m, &arena, &notes_in), CW_OK);
    assert_int_equal(ext_notes_get(&m, &arena, &notes_out, NULL), CW_OK);
    assert_int_equal(notes_out.len, 2);
    assert_true(ext_Note_equal(&notes_out.data[1], &notes[1]));

    ext_Row rows[2];
    memset(rows, 0, sizeof rows);
    ext_Row_set_x(ext_Row_add_rows(&rows[0], &arena), 9);
    ext_Row_list rows_in = {rows, 2, 0}, rows_out;
    assert_int_equal(ext_row_set(&m, &arena, &rows_in), CW_OK);
    assert_int_equal(ext_row_get(&m, &arena, &rows_out, NULL), CW_OK);
    assert_int_equal(rows_out.len, 2);
    assert_int_equal(rows_out.data[0].rows.data[0].x, 9);

    ext_Strict stricts[2];
    memset(stricts, 0, sizeof stricts);
    ext_Strict_list stricts_in = {stricts, 2, 0};
    ext_Strict_set_id(&stricts[0], 1);
    assert_int_equal(ext_stricts_set(&m, &arena, &stricts_in), CW_ERR_REQUIRED);
    assert_false(ext_stricts_has(&m));

    google_protobuf_Duration times[1] = {{.seconds = 3}};
    google_protobuf_Duration_list times_in = {times, 1, 0}, times_out;
    assert_int_equal(durations_set(&m, &arena, &times_in), CW_OK);
    assert_int_equal(durations_get(&m, &arena, &times_out, NULL), CW_OK);
    assert_int_equal(times_out.data[0].seconds, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(numbers, free_arena),
        cmocka_unit_test_teardown(strings, free_arena),
        cmocka_unit_test_teardown(messages, free_arena),
        cmocka_unit_test_teardown(required_fields, free_arena),
        cmocka_unit_test_teardown(lists_of_numbers, free_arena),
        cmocka_unit_test_teardown(lists_of_others, free_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
