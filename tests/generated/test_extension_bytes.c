/* SPDX-License-Identifier: MIT */
/* Extensions on the wire: bytes written by hand, merging, closed enums, message sets, errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "extensions.cw.h"
#include "extensions_only.cw.h"

#define BYTES(s) s, sizeof(s) - 1

static cw_arena arena;

static int free_arena(void **state)
{
    (void)state;
    cw_arena_free(&arena);
    return 0;
}

static void decode_host(ext_Host *m, const char *bytes, size_t n)
{
    assert_int_equal(ext_Host_decode(m, bytes, n, &arena, NULL, NULL), CW_OK);
}

static void assert_host(const ext_Host *m, const char *bytes, size_t n)
{
    cw_bytes out;
    assert_int_equal(ext_Host_encode_arena(m, &arena, &out, NULL), CW_OK);
    assert_int_equal(out.len, n);
    assert_memory_equal(out.data, bytes, n);
}

/* Tags: 121 is c8 07 (varint), 122 d2 07 (length), 119 bb 07 .. bc 07 (group). */
static void bytes_are_those_of_fields(void **state)
{
    (void)state;
    ext_Host m = {0};
    ext_Host_set_own(&m, 1);
    assert_int_equal(ext_plain_set(&m, &arena, 300), CW_OK);
    assert_int_equal(ext_plain_string_set(&m, &arena, CW_STR("x")), CW_OK);
    ext_Pair pair = {0};
    ext_Pair_set_x(&pair, 2);
    assert_int_equal(ext_pair_set(&m, &arena, &pair), CW_OK);
    assert_int_equal(ext_far_set(&m, &arena, 3), CW_OK);
    assert_host(&m, BYTES("\x08\x01\xc8\x07\xac\x02\xd2\x07\x01x\xbb\x07\x08\x02\xbc\x07"
                          "\xf8\xff\xff\xff\x0f\x03"));
    assert_int_equal(ext_plain_set(&m, &arena, 5), CW_OK); /* to the end */
    assert_host(&m, BYTES("\x08\x01\xd2\x07\x01x\xbb\x07\x08\x02\xbc\x07\xf8\xff\xff\xff\x0f\x03"
                          "\xc8\x07\x05"));
    ext_pair_clear(&m);
    ext_far_clear(&m);
    ext_plain_clear(&m);
    assert_host(&m, BYTES("\x08\x01\xd2\x07\x01x"));

    cw_i32_list numbers = {(int32_t[]){1, 2}, 2, 0};
    ext_Host_init(&m);
    assert_int_equal(ext_int32s_set(&m, &arena, &numbers), CW_OK);        /* 134: b0 08 */
    assert_int_equal(ext_packed_int32s_set(&m, &arena, &numbers), CW_OK); /* 151: ba 09 */
    assert_host(&m, BYTES("\xb0\x08\x01\xb0\x08\x02\xba\x09\x02\x01\x02"));
}

static void records_merge(void **state)
{
    (void)state;
    ext_Host m;
    int32_t i;
    decode_host(&m, BYTES("\xc8\x07\x01\x08\x05\xc8\x07\x02"));
    assert_int_equal(ext_plain_get(&m, &arena, &i, NULL), CW_OK);
    assert_int_equal(i, 2);
    assert_int_equal(ext_Host_merge_from(&m, BYTES("\xc8\x07\x03"), &arena, NULL, NULL), CW_OK);
    assert_int_equal(ext_plain_get(&m, &arena, &i, NULL), CW_OK);
    assert_int_equal(i, 3);
    assert_int_equal(ext_plain_set(&m, &arena, 4), CW_OK);
    assert_host(&m, BYTES("\x08\x05\xc8\x07\x04"));

    /* a_note, 118: b2 07 */
    ext_Note note;
    decode_host(&m, BYTES("\xb2\x07\x05\x0a\x01t\x10\x01\xb2\x07\x06\x10\x02\x22\x02\x0a\x00"
                          "\xb2\x07\x02\x1a\x00"));
    assert_int_equal(ext_a_note_get(&m, &arena, &note, NULL), CW_OK);
    assert_string_equal(note.text.data, "t");
    assert_int_equal(note.numbers.len, 2);
    assert_int_equal(note.map.len, 1);
    assert_non_null(note.note);

    /* int32s, 134: b0 08, packed b2 08 */
    cw_i32_list list;
    decode_host(&m, BYTES("\xb0\x08\x01\xb2\x08\x02\x02\x03\xb2\x08\x00\xb0\x08\x04"));
    assert_int_equal(ext_int32s_get(&m, &arena, &list, NULL), CW_OK);
    assert_int_equal(list.len, 4);
    assert_int_equal(list.data[3], 4);

    /* the extendee's own copy and equality take extensions along */
    ext_Host copy;
    assert_int_equal(ext_Host_copy(&copy, &m, &arena), CW_OK);
    assert_true(ext_Host_equal(&copy, &m));
    assert_int_equal(ext_int32s_set(&copy, &arena, &list), CW_OK);
    assert_int_equal(m.unknown->len, 14);
}

/* a_color, 115: 98 07; colors, 145: 88 09, packed 8a 09. */
static void unknown_numbers_of_closed_enums(void **state)
{
    (void)state;
    ext_Host m;
    ext_Color c;
    cw_i32_list list;
    decode_host(&m, BYTES("\x98\x07\x07\x88\x09\x07\x8a\x09\x03\x07\x02\x08"));
    assert_false(ext_a_color_has(&m));
    assert_int_equal(ext_a_color_get(&m, &arena, &c, NULL), CW_OK);
    assert_int_equal(c, ext_RED);
    assert_true(ext_colors_has(&m));
    assert_int_equal(ext_colors_get(&m, &arena, &list, NULL), CW_OK);
    assert_int_equal(list.len, 1);
    assert_int_equal(list.data[0], ext_GREEN);
    assert_int_equal(ext_a_color_set(&m, &arena, 7), CW_ERR_ENUM);
    assert_host(&m, BYTES("\x98\x07\x07\x88\x09\x07\x8a\x09\x03\x07\x02\x08"));
    assert_int_equal(ext_an_open_set(&m, &arena, 7), CW_OK);
}

/* ---- message sets -----------------------------------------------------------------------------
 */

static void assert_set(const ext_Set *m, const char *bytes, size_t n)
{
    cw_bytes out;
    assert_int_equal(ext_Set_encode_arena(m, &arena, &out, NULL), CW_OK);
    assert_int_equal(out.len, n);
    assert_memory_equal(out.data, bytes, n);
}

static void message_sets(void **state)
{
    (void)state;
    ext_Set m = {0};
    ext_Scope scope = {0};
    ext_Scope_set_i(&scope, 5);
    ext_Note note = {0};
    assert_int_equal(ext_Scope_in_set_set(&m, &arena, &scope), CW_OK);
    assert_int_equal(ext_last_set(&m, &arena, &note), CW_OK);
    assert_set(&m, BYTES("\x0b\x10\x05\x1a\x02\x08\x05\x0c"
                         "\x0b\x10\xfe\xff\xff\xff\x07\x1a\x00\x0c"));
    ext_Scope_set_i(&scope, 6);
    assert_int_equal(ext_Scope_in_set_set(&m, &arena, &scope), CW_OK);
    assert_set(&m, BYTES("\x0b\x10\xfe\xff\xff\xff\x07\x1a\x00\x0c"
                         "\x0b\x10\x05\x1a\x02\x08\x06\x0c"));
    ext_last_clear(&m);
    assert_false(ext_last_has(&m));
    assert_true(ext_Scope_in_set_has(&m));

    /* two items, one the other way round, and a plain field: merged */
    static const char bytes[] = "\x0b\x1a\x02\x08\x05\x10\xeb\x07\x0c"
                                "\x0b\x10\xeb\x07\x1a\x02\x10\x06\x0c"
                                "\xda\x3e\x02\x18\x07";
    assert_int_equal(ext_Set_decode(&m, BYTES(bytes), &arena, NULL, NULL), CW_OK);
    google_protobuf_Duration d;
    assert_true(duration_in_set_has(&m));
    assert_int_equal(duration_in_set_get(&m, &arena, &d, NULL), CW_OK);
    assert_int_equal(d.seconds, 5);
    assert_int_equal(d.nanos, 6);
    assert_int_equal(d.unknown->len, 2);
    assert_set(&m, BYTES(bytes)); /* as it came */
    assert_int_equal(duration_in_set_set(&m, &arena, &d), CW_OK);
    assert_set(&m, BYTES("\x0b\x10\xeb\x07\x1a\x06\x08\x05\x10\x06\x18\x07\x0c"));
    duration_in_set_clear(&m);
    assert_int_equal(ext_Set_size(&m), 0);

    ext_Strict strict = {0};
    assert_int_equal(ext_strict_in_set_set(&m, &arena, &strict), CW_ERR_REQUIRED);
}

/* ---- errors and limits ------------------------------------------------------------------------
 */

static void errors_have_a_place(void **state)
{
    (void)state;
    ext_Host m;
    cw_error e;
    ext_Note note;
    decode_host(&m, BYTES("\x08\x01\xb2\x07\x03\x0a\x02x")); /* text longer than its message */
    assert_true(ext_a_note_has(&m));
    assert_int_equal(ext_a_note_get(&m, &arena, &note, &e), CW_ERR_TRUNCATED);
    assert_string_equal(e.path, "ext.a_note.text");
    assert_int_equal(e.offset, 4); /* of the unknown bytes: own = 1 is not among them */
    ext_Row_list rows;
    decode_host(&m, BYTES("\xa3\x09\xa4\x09\xa3\x09\x08\x01\xa4\x09"));
    assert_int_equal(ext_row_get(&m, &arena, &rows, &e), CW_OK);
    assert_int_equal(rows.len, 2);
    decode_host(&m, BYTES("\xa3\x09\xa4\x09\xa3\x09\x12\x01\x00\xa4\x09"));
    assert_int_equal(ext_row_get(&m, &arena, &rows, &e), CW_ERR_TAG);
    assert_string_equal(e.path, "ext.row[1].rows[0]");
    ext_Strict_list stricts; /* 149: aa 09 */
    decode_host(&m, BYTES("\xaa\x09\x02\x08\x01\xaa\x09\x00"));
    assert_int_equal(ext_stricts_get(&m, &arena, &stricts, &e), CW_ERR_REQUIRED);
    assert_string_equal(e.path, "ext.stricts[1].id");
}

/* Host.below 100 times; an extension in the innermost is not looked into by decode. */
static void extensions_count_for_depth(void **state)
{
    (void)state;
    ext_Host m = {0};
    ext_Note note = {0}, *n = &note;
    for (int i = 0; i < 99; i++) { /* the extension and 99 below it */
        n = ext_Note_mut_note(n, &arena);
        assert_non_null(n);
    }
    assert_int_equal(ext_a_note_set(&m, &arena, &note), CW_OK);
    assert_int_equal(ext_a_note_get(&m, &arena, &note, NULL), CW_OK);
    for (n = &note; n->note != NULL;)
        n = n->note;
    assert_non_null(ext_Note_mut_note(n, &arena));
    assert_int_equal(ext_a_note_set(&m, &arena, &note), CW_ERR_DEPTH);
}

static void out_of_memory(void **state)
{
    (void)state;
    char block[512];
    cw_arena small;
    const cw_arena_options o = {.block = block, .block_size = sizeof block, .no_alloc = true};
    cw_arena_init(&small, &o);
    char text[600] = {0};
    ext_Host m = {0};
    assert_int_equal(ext_plain_string_set(&m, &small, cw_str_of(text, sizeof text)), CW_ERR_LIMIT);
    assert_false(ext_plain_string_has(&m));
    assert_int_equal(ext_plain_string_set(&m, &arena, cw_str_of(text, sizeof text)), CW_OK);
    cw_str s;
    cw_error e;
    assert_int_equal(ext_plain_string_get(&m, &small, &s, &e), CW_ERR_LIMIT);
    assert_string_equal(e.path, "ext.plain_string");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(bytes_are_those_of_fields, free_arena),
        cmocka_unit_test_teardown(records_merge, free_arena),
        cmocka_unit_test_teardown(unknown_numbers_of_closed_enums, free_arena),
        cmocka_unit_test_teardown(message_sets, free_arena),
        cmocka_unit_test_teardown(errors_have_a_place, free_arena),
        cmocka_unit_test_teardown(extensions_count_for_depth, free_arena),
        cmocka_unit_test_teardown(out_of_memory, free_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
