/* SPDX-License-Identifier: MIT */
/* test_limits.c: depth, memory, size, and that work and memory are linear in the input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "wire.cw.h"
#include "wire2.cw.h"
#include "wire_support.h"

/* ---- depth ------------------------------------------------------------------------------------
 */

/* A chain of `depth` messages below m through each kind of member in turn. */
static void chain(wire_Nest *m, cw_arena *a, int kind, int depth)
{
    for (int i = 0; i < depth; i++) {
        switch (kind) {
        case 0:
            m = wire_Nest_mut_in(m, a);
            break;
        case 1:
            m = wire_Nest_add_list(m, a);
            break;
        case 2:
            m = wire_Nest_mut_other(m, a);
            break;
        default:
            m = wire_Nest_map_put(m, i, a);
            break;
        }
        assert_non_null(m);
        m->v = i + 1;
    }
}

static void test_depth_both_ways(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        int most = kind == 3 ? 50 : 100; /* a map's entry is a level too */
        for (int depth = most - 1; depth <= most + 1; depth++) {
            cw_arena a;
            cw_arena_init(&a, NULL);
            cw_status want = depth <= most ? CW_OK : CW_ERR_DEPTH;
            wire_Nest m, back;
            wire_Nest_init(&m);
            chain(&m, &a, kind, depth);
            cw_bytes out = {NULL, 0};
            cw_error e = {.status = CW_OK};
            assert_int_equal(wire_Nest_encode_arena(&m, &a, &out, &e), want);
            assert_int_equal(e.status, want);
            uint8_t buf[4000];
            size_t len = 0;
            assert_int_equal(wire_Nest_encode(&m, buf, sizeof buf, &len, NULL), want);
            cw_error x = {.status = CW_OK};
            assert_int_equal(wire_Nest_check(&m, &x), want);
            assert_int_equal(x.status, want);
            if (want == CW_OK) {
                assert_int_equal(wire_Nest_size(&m), len);
                assert_int_equal(wire_Nest_decode(&back, buf, len, &a, NULL, NULL), CW_OK);
                assert_true(wire_Nest_equal(&back, &m));
            } else {
                assert_true(wire_Nest_size(&m) > INT32_MAX);
            }
            cw_arena_free(&a);
        }
    }
}

static void test_depth_option(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    test_bytes three = test_hex("0a 06 0a 04 0a 02 28 01");
    wire_Nest m;
    cw_decode_options o = {.depth = 3};
    assert_int_equal(wire_Nest_decode(&m, three.data, three.len, &a, &o, NULL), CW_OK);
    o.depth = 2;
    cw_error e = {.status = CW_OK};
    assert_int_equal(wire_Nest_decode(&m, three.data, three.len, &a, &o, &e), CW_ERR_DEPTH);
    assert_string_equal(e.path, "wire.Nest.in.in.in");
    assert_int_equal(e.offset, 4);
    test_free_bytes(&three);
    /* map: the entry is one level, its message another */
    test_bytes map = test_hex("22 02 12 00");
    o.depth = 1;
    assert_int_equal(wire_Nest_decode(&m, map.data, map.len, &a, &o, &e), CW_ERR_DEPTH);
    o.depth = 2;
    assert_int_equal(wire_Nest_decode(&m, map.data, map.len, &a, &o, NULL), CW_OK);
    test_free_bytes(&map);
    cw_arena_free(&a);
}

/* ---- memory and size --------------------------------------------------------------------------
 */

static void test_max_memory(void **state)
{
    (void)state;
    enum { LEN = 100000 };
    uint8_t *many = malloc(LEN);
    assert_non_null(many);
    for (size_t i = 0; i < LEN; i += 2) { /* empty elements: 24 bytes for 2 of input */
        many[i] = 0x2a;
        many[i + 1] = 0;
    }
    static const struct {
        size_t max;
        cw_status status;
    } rows[] = {{100, CW_ERR_LIMIT},
                {LEN / 2 * sizeof(wire_Leaf) - 100, CW_ERR_LIMIT},
                {LEN / 2 * sizeof(wire_Leaf) + 64, CW_OK},
                {SIZE_MAX, CW_OK},
                {0, CW_OK}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw_arena a;
        cw_arena_init(&a, NULL);
        wire_Growth m;
        cw_decode_options o = {.max_memory = rows[i].max};
        cw_error e = {.status = CW_OK};
        assert_int_equal(wire_Growth_decode(&m, many, LEN, &a, &o, &e), rows[i].status);
        if (rows[i].status != CW_OK) {
            assert_string_equal(e.path, "wire.Growth.leaves");
        }
        cw_arena_free(&a);
        cw_arena_init(&a, &(cw_arena_options){.limit = 10000});
        assert_int_equal(wire_Growth_decode(&m, many, LEN, &a, &o, NULL), CW_ERR_LIMIT);
        cw_arena_free(&a);
    }
    free(many);
}

/* Encode and decode without malloc. */
static void test_no_alloc(void **state)
{
    (void)state;
    static uint64_t block[300];
    cw_arena a;
    cw_arena_init(
        &a, &(cw_arena_options){.block = block, .block_size = sizeof block, .no_alloc = true});
    wire_Growth m;
    test_bytes in = test_hex("0a 03 01 02 03 1a 02 68 69 2a 02 08 05 32 04 08 01 10 02");
    assert_int_equal(wire_Growth_decode(&m, in.data, in.len, &a, NULL, NULL), CW_OK);
    cw_bytes out = {NULL, 0};
    assert_int_equal(wire_Growth_encode_arena(&m, &a, &out, NULL), CW_OK);
    assert_int_equal(out.len, in.len);
    assert_memory_equal(out.data, in.data, in.len);
    assert_int_equal(cw_arena_held(&a), 0);
    test_free_bytes(&in);
    cw_arena_free(&a);
}

/* Over INT32_MAX bytes; nobody may read them. */
static void test_too_large(void **state)
{
    (void)state;
    static const uint8_t few[4];
    wire_Text m = {.raw = {few, (size_t)INT32_MAX + 1}};
    uint8_t buf[64];
    size_t len = 0;
    cw_error e = {.status = CW_OK};
    assert_int_equal(wire_Text_encode(&m, buf, sizeof buf, &len, &e), CW_ERR_TOO_LARGE);
    assert_int_equal(e.status, CW_ERR_TOO_LARGE);
    assert_int_equal(wire_Text_check(&m, &e), CW_ERR_TOO_LARGE);
    assert_true(wire_Text_size(&m) > INT32_MAX);
    m.raw.len = INT32_MAX - 5; /* with tag and length one byte too much */
    assert_int_equal(wire_Text_check(&m, &e), CW_ERR_TOO_LARGE);
    m.raw.len--;
    assert_int_equal(wire_Text_check(&m, NULL), CW_OK);
    assert_int_equal(wire_Text_size(&m), INT32_MAX);
}

/* ---- growth -----------------------------------------------------------------------------------
 */

/* Writes the i-th piece of an input at p; returns the byte after it. */
typedef uint8_t *piece(uint8_t *p, uint32_t i);

static uint8_t *put_text(uint8_t *p, const char *s, size_t n)
{
    memcpy(p, s, n);
    return p + n;
}
#define PUT(p, literal) put_text(p, literal, sizeof(literal) - 1)

/* v in four bytes, as an overlong varint: all entries have one size. */
static uint8_t *put_key(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 3; i++) {
        *p++ = (uint8_t)(0x80 | (v >> (7 * i) & 0x7f));
    }
    *p++ = (uint8_t)(v >> 21 & 0x7f);
    return p;
}

static uint8_t *two_numbers(uint8_t *p, uint32_t i)
{
    (void)i;
    return PUT(p, "\x08\x01\x10\x01");
}
static uint8_t *two_packed(uint8_t *p, uint32_t i)
{
    (void)i;
    return PUT(p, "\x0a\x01\x01\x12\x01\x01");
}
static uint8_t *strings_and_bytes(uint8_t *p, uint32_t i)
{
    (void)i;
    return PUT(p, "\x1a\x01\x61\x22\x01\x62");
}
static uint8_t *messages_and_numbers(uint8_t *p, uint32_t i)
{
    (void)i;
    return PUT(p, "\x2a\x00\x08\x01");
}
static uint8_t *merged_list(uint8_t *p, uint32_t i)
{
    (void)i;
    return PUT(p, "\x3a\x02\x08\x01");
}
static uint8_t *merged_messages(uint8_t *p, uint32_t i)
{
    (void)i;
    return PUT(p, "\x3a\x04\x2a\x00\x10\x01");
}
static uint8_t *merged_deep(uint8_t *p, uint32_t i)
{
    (void)i;
    return PUT(p, "\x3a\x06\x3a\x04\x3a\x02\x08\x01");
}
static uint8_t *unknown_fields(uint8_t *p, uint32_t i)
{
    (void)i;
    return PUT(p, "\xf8\x01\x01\x08\x01");
}
static uint8_t *merged_unknown(uint8_t *p, uint32_t i)
{
    (void)i;
    return PUT(p, "\x3a\x03\xf8\x01\x01");
}
static uint8_t *one_string_again(uint8_t *p, uint32_t i)
{
    (void)i;
    return PUT(p, "\x52\x01\x61");
}
static uint8_t *many_messages(uint8_t *p, uint32_t i)
{
    (void)i;
    return PUT(p, "\x5a\x02\x08\x01");
}
static uint8_t *chunks_and_elements(uint8_t *p, uint32_t i)
{
    (void)i;
    return PUT(p, "\x40\x01\x42\x02\x02\x03");
}
static uint8_t *map_up(uint8_t *p, uint32_t i)
{
    return put_key(PUT(p, "\x32\x05\x08"), i);
}
static uint8_t *map_down(uint8_t *p, uint32_t i)
{
    return put_key(PUT(p, "\x32\x05\x08"), 0xfffffff - i);
}
static uint8_t *map_mixed(uint8_t *p, uint32_t i)
{
    return put_key(PUT(p, "\x32\x05\x08"), (i * 2654435761u) >> 4);
}
static uint8_t *map_one_key(uint8_t *p, uint32_t i)
{
    return put_key(PUT(p, "\x32\x05\x08"), i & 1);
}
static uint8_t *merged_map_down(uint8_t *p, uint32_t i)
{
    return put_key(PUT(p, "\x3a\x07\x32\x05\x08"), 0xfffffff - i);
}
static uint8_t *merged_maps(uint8_t *p, uint32_t i)
{
    p = put_key(PUT(p, "\x3a\x10\x32\x05\x08"), (i * 2654435761u) >> 4);
    p = PUT(p, "\x62\x07\x08");
    p = put_key(p, 0xfffffff - i);
    return PUT(p, "\x12\x00");
}
static uint8_t *maps_of_messages(uint8_t *p, uint32_t i)
{
    return PUT(put_key(PUT(p, "\x62\x09\x08"), 0xfffffff - i), "\x12\x02\x08\x01");
}

static size_t fill(uint8_t *to, size_t size, piece *make)
{
    uint8_t *p = to;
    for (uint32_t i = 0; p + 32 <= to + size; i++) {
        p = make(p, i);
    }
    return (size_t)(p - to);
}

/* Decodes; returns the bytes that the arena got. */
static size_t draw(const uint8_t *in, size_t len, int line)
{
    cw_arena a;
    cw_arena_init(&a, NULL);
    wire_Growth m;
    cw_error e = {.status = CW_OK};
    clock_t begin = clock();
    cw_status st = wire_Growth_decode(&m, in, len, &a, NULL, &e);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (st != CW_OK || seconds > 20.0) {
        print_error("line %d: %s at %zu, %s, %f s\n", line, cw_status_name(st), e.offset, e.path,
                    seconds);
        fail();
    }
    size_t held = cw_arena_held(&a);
    cw_arena_free(&a);
    return held;
}

/*
 * Twice the input takes twice the memory and not more (blocks double: a factor of 4 in all is
 * allowed where 1 MB against 2 MB would be a factor of 4 and more for each doubling), and quadratic
 * time would be minutes.
 */
static void test_growth_is_linear(void **state)
{
    (void)state;
    static const struct {
        int line;
        piece *make;
        size_t times; /* most bytes of memory a byte of input */
    } rows[] = {
        {__LINE__, two_numbers, 16},
        {__LINE__, two_packed, 16},
        {__LINE__, strings_and_bytes, 60},
        {__LINE__, messages_and_numbers, 40},
        {__LINE__, merged_list, 16},
        {__LINE__, merged_messages, 40},
        {__LINE__, merged_deep, 16},
        {__LINE__, unknown_fields, 16},
        {__LINE__, merged_unknown, 16},
        {__LINE__, one_string_again, 16},
        {__LINE__, many_messages, 200},
        {__LINE__, chunks_and_elements, 16},
        {__LINE__, map_up, 16},
        {__LINE__, map_down, 16},
        {__LINE__, map_mixed, 16},
        {__LINE__, map_one_key, 16},
        {__LINE__, merged_map_down, 16},
        {__LINE__, merged_maps, 120},
        {__LINE__, maps_of_messages, 120},
    };
    enum { MEGABYTE = 1 << 20 };
    uint8_t *in = malloc(2 * MEGABYTE);
    assert_non_null(in);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t len = fill(in, 2 * MEGABYTE, rows[i].make);
        size_t two = draw(in, len, rows[i].line);
        size_t half = fill(in, MEGABYTE, rows[i].make);
        size_t one = draw(in, half, rows[i].line);
        if (two > one * 4 || two > len * rows[i].times) {
            print_error("line %d: %zu bytes for 1 MB, %zu for 2 MB\n", rows[i].line, one, two);
            fail();
        }
    }
    free(in);
}

/* The size of a run is known before it is decoded: nothing is wasted. */
static void test_runs_are_exact(void **state)
{
    (void)state;
    cw_arena a;
    cw_arena_init(&a, NULL);
    wire_Growth m;
    test_bytes in =
        test_hex("2a 00 2a 02 08 01 2a 00 2a 00 2a 00 1a 00 1a 01 61 1a 00 0a 05 01 02 03 "
                 "04 05");
    assert_int_equal(wire_Growth_decode(&m, in.data, in.len, &a, NULL, NULL), CW_OK);
    assert_int_equal(m.leaves.len, 5);
    assert_int_equal(m.leaves.cap, 5);
    assert_int_equal(m.a.len, 5);
    assert_int_equal(m.a.cap, 5);
    assert_int_equal(m.s.len, 3);
    test_free_bytes(&in);
    cw_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth_both_ways), cmocka_unit_test(test_depth_option),
        cmocka_unit_test(test_max_memory),      cmocka_unit_test(test_no_alloc),
        cmocka_unit_test(test_too_large),       cmocka_unit_test(test_growth_is_linear),
        cmocka_unit_test(test_runs_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
