/* SPDX-License-Identifier: MIT */
/* Encoding: the primitives' bytes, and where they go: exact buffers, small ones, arenas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_support.h"
#include "cwire/wire.h"

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* The definition of a varint. */
static size_t plain_varint(uint8_t *to, uint64_t v)
{
    size_t n = 0;
    for (; v >= 0x80; v >>= 7) {
        to[n++] = (uint8_t)(v | 0x80);
    }
    to[n++] = (uint8_t)v;
    return n;
}

/* Writes v in room that is exactly what the contract demands. */
static void check_varint(uint64_t v)
{
    uint8_t expected[10];
    size_t n = plain_varint(expected, v);
    uint8_t *room = malloc(10);
    uint8_t *p = cw__put_varint(room + 10, v);
    if ((size_t)(room + 10 - p) != n || memcmp(p, expected, n) != 0) {
        fail_msg("varint %llx: %zu bytes, not %zu", (unsigned long long)v, (size_t)(room + 10 - p),
                 n);
    }
    assert_int_equal(cw__varint_size(v), n);
    assert_int_equal(cw__size_len(v), n + v);
    if (v >> 32 == 0) {
        uint8_t *tag_room = malloc(n);
        assert_ptr_equal(cw__put_tag(tag_room + n, (uint32_t)v), tag_room);
        assert_memory_equal(tag_room, expected, n);
        free(tag_room);
    }
    free(room);
}

static void varints_and_tags(void **state)
{
    (void)state;
    for (unsigned shift = 0; shift < 64; shift++) {
        for (int64_t around = -3; around <= 3; around++) {
            check_varint(((uint64_t)1 << shift) + (uint64_t)around);
        }
    }
    uint32_t seed = 5;
    for (int i = 0; i < 20000; i++) {
        uint64_t v = next_random(&seed);
        v = (v << 24 | next_random(&seed)) << 24 | next_random(&seed);
        check_varint(v >> (i % 64));
    }
}

static void each_kind(void **state)
{
    (void)state;
    uint8_t room[32], *end = room + sizeof room;
    uint8_t *p;
    p = cw__put_int32(end, -1); /* B19: negative enums and int32 take ten bytes */
    assert_int_equal(end - p, 10);
    assert_memory_equal(p, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
    assert_int_equal(cw__size_int32(-1), 10);
    p = cw__put_enum(end, -1);
    assert_int_equal(end - p, 10);
    assert_memory_equal(p, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
    assert_int_equal(cw__size_enum(-1), 10);
    p = cw__put_int64(end, INT64_MIN);
    assert_int_equal(end - p, 10);
    assert_memory_equal(p, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 10);
    p = cw__put_sint32(end, INT32_MIN);
    assert_int_equal(end - p, 5);
    assert_memory_equal(p, "\xff\xff\xff\xff\x0f", 5);
    assert_int_equal(cw__size_sint32(INT32_MIN), 5);
    p = cw__put_sint64(end, -2);
    assert_int_equal(end - p, 1);
    assert_int_equal(*p, 3);
    assert_int_equal(cw__size_sint64(INT64_MIN), 10);
    p = cw__put_bool(end, true);
    assert_int_equal(end - p, 1);
    assert_int_equal(*p, 1);
    p = cw__put_sfixed32(end, INT32_MIN); /* B38: little-endian everywhere */
    assert_int_equal(end - p, 4);
    assert_memory_equal(p, "\x00\x00\x00\x80", 4);
    p = cw__put_fixed64(end, UINT64_C(0x0102030405060708));
    assert_int_equal(end - p, 8);
    assert_memory_equal(p, "\x08\x07\x06\x05\x04\x03\x02\x01", 8);
    p = cw__put_double(end, 102.0);
    assert_memory_equal(p, "\x00\x00\x00\x00\x00\x80\x59\x40", 8);
    p = cw__put_float(end, 1.5f);
    assert_memory_equal(p, "\x00\x00\xc0\x3f", 4);
    p = cw__put_tag(end, 536870911u << 3); /* B24 */
    assert_int_equal(end - p, 5);
    assert_memory_equal(p, "\xf8\xff\xff\xff\x0f", 5);
    static const int32_t signs[] = {0, -1, 1, -2, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        assert_int_equal(cw__unzigzag32(cw__zigzag32(signs[i])), signs[i]);
        assert_true(cw__unzigzag64(cw__zigzag64(signs[i])) == signs[i]);
    }
    assert_int_equal(cw__zigzag32(-2), 3);
    assert_true(cw__size_clamp(UINT64_MAX) == SIZE_MAX);
    assert_true(cw__size_clamp(7) == 7);
}

static void short_copies_stay_inside(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 16; n++) {
        char text[16];
        for (size_t i = 0; i < n; i++) {
            text[i] = (char)('a' + i);
        }
        uint8_t *from = exact_copy(text, n), *to = exact_copy(text, n);
        memset(to, 0, n);
        assert_ptr_equal(cw__copy_short_back(to + n, from, n), to);
        assert_memory_equal(to, text, n);
        free(from);
        free(to);
    }
}

/* A step of a made-up message: a varint, a string with its length, raw bytes, or a room request
 * that is not made use of. */
typedef struct step {
    int kind;
    uint64_t number;
    uint8_t *bytes;
    size_t n;
} step;

enum { N_STEPS = 60 };

typedef struct script {
    step steps[N_STEPS];
    uint8_t *expected;
    size_t len;
} script;

static void script_make(script *s, uint32_t seed, uint32_t longest)
{
    uint8_t text[3000];
    s->expected = malloc(N_STEPS * (sizeof text + 10));
    s->len = 0;
    for (int i = 0; i < N_STEPS; i++) {
        step *x = &s->steps[i];
        uint32_t r = next_random(&seed);
        x->kind = (int)(r % 4);
        x->number = ((uint64_t)next_random(&seed) << 40 | next_random(&seed)) >> (r % 60);
        x->n = x->kind == 1 || x->kind == 2 ? next_random(&seed) % longest : 0;
        for (size_t k = 0; k < x->n; k++) {
            text[k] = (uint8_t)next_random(&seed);
        }
        x->bytes = exact_copy(text, x->n);
        if (x->kind == 0) {
            s->len += plain_varint(s->expected + s->len, x->number);
        } else if (x->kind == 1) {
            s->len += plain_varint(s->expected + s->len, x->n);
        }
        memcpy(s->expected + s->len, x->bytes, x->n);
        s->len += x->n;
    }
}

static void script_free(script *s)
{
    for (int i = 0; i < N_STEPS; i++) {
        free(s->steps[i].bytes);
    }
    free(s->expected);
}

/* Runs a script backward as generated code would; checks the promises about room and marks. */
static uint8_t *script_run(const script *s, cw__encoder *w, uint8_t *p)
{
    size_t written = 0;
    for (int i = N_STEPS; p && i-- > 0;) {
        const step *x = &s->steps[i];
        size_t keep = 20 + (size_t)i, before = cw__put_mark(w, p);
        assert_int_equal(before, written);
        if (x->kind == 0) {
            p = cw__put_room(w, p, 10);
            p = p ? cw__put_varint(p, x->number) : NULL;
            written += cw__varint_size(x->number);
        } else if (x->kind == 1) {
            p = cw__put_bytes(w, p, cw_bytes_of(x->bytes, x->n), keep);
            assert_true(!p || (size_t)(p - w->begin) >= keep - 10);
            written += x->n + cw__varint_size(x->n);
        } else if (x->kind == 2) {
            p = cw__put_raw(w, p, x->n ? x->bytes : NULL, x->n, keep);
            assert_true(!p || (size_t)(p - w->begin) >= keep);
            written += x->n;
        } else {
            p = cw__put_room(w, p, CW__PUT_MAX);
            assert_true(!p || (size_t)(p - w->begin) >= CW__PUT_MAX);
        }
    }
    return p;
}

static void fixed_buffers_of_any_size(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 40; seed++) {
        script s;
        script_make(&s, seed, seed % 4 == 0 ? 3000 : seed % 4 == 1 ? 12 : 80);
        size_t step_down = s.len > 4000 ? s.len / 300 : 1;
        for (size_t cap = s.len + 400; cap != SIZE_MAX;
             cap = cap < step_down ? SIZE_MAX : cap - 1) {
            if (cap + 300 < s.len && cap % step_down != 0) {
                continue;
            }
            uint8_t *buf = cap ? malloc(cap) : NULL;
            cw__encoder w;
            cw_error e;
            size_t len = 12345;
            memset(&e, 0xaa, sizeof e);
            uint8_t *p = script_run(&s, &w, cw__encode_begin(&w, buf, cap, &e));
            cw_status st = cw__encode_end(&w, p, buf, &len, "a.B");
            if (st != (cap < s.len ? CW_ERR_SPACE : CW_OK)) {
                fail_msg("seed %u, %zu bytes into %zu: %s", seed, s.len, cap, cw_status_name(st));
            }
            if (st == CW_OK) {
                assert_int_equal(len, s.len);
                assert_memory_equal(buf, s.expected, len);
                assert_int_equal(((uint8_t *)&e)[0], 0xaa); /* untouched by success */
            } else {
                assert_int_equal(len, 12345);
                assert_int_equal(e.status, CW_ERR_SPACE);
                assert_true(e.offset == SIZE_MAX);
                assert_string_equal(e.path, "a.B");
            }
            free(buf);
        }
        script_free(&s);
    }
}

static void nothing_into_nothing(void **state)
{
    (void)state;
    cw__encoder w;
    size_t len = 1;
    uint8_t *p = cw__encode_begin(&w, NULL, 0, NULL);
    assert_non_null(p);
    assert_int_equal(cw__encode_end(&w, p, NULL, &len, "A"), CW_OK);
    assert_int_equal(len, 0);
    p = cw__encode_begin(&w, NULL, 0, NULL);
    p = cw__put_room(&w, p, 10);
    p = cw__put_varint(p, 1);
    assert_int_equal(cw__encode_end(&w, p, NULL, NULL, "A"), CW_ERR_SPACE);
    char buf[1];
    p = cw__encode_begin(&w, buf, 1, NULL);
    p = cw__put_room(&w, p, 10);
    p = cw__put_varint(p, 7);
    assert_int_equal(cw__encode_end(&w, p, buf, NULL, "A"), CW_OK);
    assert_int_equal(buf[0], 7);
}

/* Any arena, the n-th allocation failing for all n: the right bytes or the right error, and what
 * was in the arena stays. */
static void arenas_of_any_size(void **state)
{
    (void)state;
    static const size_t firsts[] = {0, 1, 100, 300, 1000, 100000};
    for (uint32_t seed = 0; seed < 60; seed++) {
        script s;
        script_make(&s, seed, seed % 4 == 0 ? 3000 : seed % 4 == 1 ? 12 : 80);
        bool failed = true;
        for (size_t n = 1; failed; n++) {
            counter c = {.fail_at = n};
            cw_arena a;
            counter_arena(&a, &c, &(cw_arena_options){.first_block = firsts[seed % 6]});
            char *mine = cw_arena_alloc(&a, 40);
            failed = !mine;
            if (mine) {
                memset(mine, 'm', 40);
                cw__encoder w;
                cw_error e;
                cw_bytes out = {NULL, 0};
                uint8_t *p = cw__encode_arena_begin(&w, &a, &e);
                p = p ? script_run(&s, &w, p) : NULL;
                cw_status st = cw__encode_arena_end(&w, p, &out, "a.B");
                failed = st != CW_OK;
                char *next = cw_arena_alloc(&a, 64);
                if (next) {
                    memset(next, 'n', 64);
                }
                for (int i = 0; i < 40; i++) {
                    assert_int_equal(mine[i], 'm');
                }
                if (failed) {
                    assert_int_equal(st, CW_ERR_MEMORY);
                    assert_int_equal(e.status, CW_ERR_MEMORY);
                    assert_string_equal(e.path, "a.B");
                } else {
                    assert_int_equal(out.len, s.len);
                    assert_memory_equal(out.data, s.expected, s.len);
                }
            }
            cw_arena_free(&a);
            assert_int_equal(c.live, 0);
            assert_true(n < 100);
        }
        script_free(&s);
    }
}

/* What the block had to spare is there for the next allocation. */
static void arenas_get_the_rest_back(void **state)
{
    (void)state;
    static char block[4096];
    cw_arena a;
    cw_arena_init(
        &a, &(cw_arena_options){.block = block, .block_size = sizeof block, .no_alloc = true});
    for (int i = 0; i < 30; i++) {
        cw__encoder w;
        cw_bytes out;
        uint8_t *p = cw__encode_arena_begin(&w, &a, NULL);
        assert_non_null(p);
        p = cw__put_string(&w, p, CW_STR("one hundred bytes at most"), 20);
        assert_non_null(p);
        assert_int_equal(cw__encode_arena_end(&w, p, &out, "A"), CW_OK);
        assert_int_equal(out.len, 26);
        assert_memory_equal(out.data, "\x19one hundred bytes at most", 26);
        assert_non_null(cw_arena_alloc(&a, 16));
    }
    cw_arena_reset(&a);
    cw__encoder w;
    cw_error e;
    cw_bytes out;
    uint8_t *p = cw__encode_arena_begin(&w, &a, &e);
    assert_null(cw__put_raw(&w, p, block, 5000, 0));
    assert_int_equal(cw__encode_arena_end(&w, NULL, &out, "A"), CW_ERR_LIMIT);
    assert_int_equal(e.status, CW_ERR_LIMIT);
}

static void more_than_two_gib(void **state)
{
    (void)state;
    static const char text[] = "never read";
    cw__encoder w;
    cw_error e;
    size_t two = (size_t)INT32_MAX + 1;
    uint8_t *p = cw__encode_begin(&w, NULL, 0, &e);
    assert_null(cw__put_raw(&w, p, text, two, 10));
    assert_int_equal(cw__encode_end(&w, NULL, NULL, NULL, "a.B"), CW_ERR_TOO_LARGE);
    assert_int_equal(e.status, CW_ERR_TOO_LARGE);
    p = cw__encode_begin(&w, NULL, 0, &e);
    assert_null(cw__put_raw(&w, p, text, SIZE_MAX, 10));
    assert_int_equal(w.status, CW_ERR_TOO_LARGE);
    p = cw__encode_begin(&w, NULL, 0, &e);
    assert_null(cw__put_raw(&w, p, text, two - 1, 10));
    assert_int_equal(w.status, CW_ERR_SPACE);
    /* One byte before makes it too long. */
    uint8_t buf[100];
    p = cw__encode_begin(&w, buf, sizeof buf, &e);
    p = cw__put_varint(cw__put_room(&w, p, 10), 1);
    assert_null(cw__put_raw(&w, p, text, two - 1, 10));
    assert_int_equal(w.status, CW_ERR_TOO_LARGE);
    cw_arena a = {0};
    p = cw__encode_arena_begin(&w, &a, &e);
    assert_null(cw__put_raw(&w, p, text, two, 10));
    assert_int_equal(w.status, CW_ERR_TOO_LARGE);
    /* As if so much had been written before. */
    p = cw__encode_begin(&w, buf, sizeof buf, &e);
    p = cw__put_varint(cw__put_room(&w, p, 10), 1);
    w.end += INT32_MAX;
    assert_int_equal(cw__encode_end(&w, p, buf, NULL, "a.B"), CW_ERR_TOO_LARGE);
    cw_arena_free(&a);
}

static void errors_carry_a_path(void **state)
{
    (void)state;
    cw__encoder w;
    cw_error e;
    cw__encode_begin(&w, NULL, 0, &e);
    assert_null(cw__put_fail(&w, CW_ERR_DEPTH, "detail"));
    assert_null(cw__put_fail(&w, CW_ERR_SPACE, NULL));
    assert_null(cw__put_fail_at(&w, "inner", SIZE_MAX));
    assert_null(cw__put_fail_at(&w, "list", 2));
    assert_int_equal(cw__encode_end(&w, NULL, NULL, NULL, "a.B"), CW_ERR_DEPTH);
    assert_string_equal(e.path, "a.B.list[2].inner");
    assert_string_equal(e.detail, "detail");
    cw__encode_begin(&w, NULL, 0, NULL);
    assert_null(cw__put_fail(&w, CW_ERR_DEPTH, NULL));
    assert_null(cw__put_fail_at(&w, "inner", 0));
    assert_int_equal(cw__encode_end(&w, NULL, NULL, NULL, "a.B"), CW_ERR_DEPTH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(varints_and_tags),         cmocka_unit_test(each_kind),
        cmocka_unit_test(short_copies_stay_inside), cmocka_unit_test(fixed_buffers_of_any_size),
        cmocka_unit_test(nothing_into_nothing),     cmocka_unit_test(arenas_of_any_size),
        cmocka_unit_test(arenas_get_the_rest_back), cmocka_unit_test(more_than_two_gib),
        cmocka_unit_test(errors_carry_a_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
