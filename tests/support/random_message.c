/* SPDX-License-Identifier: MIT */
#include "random_message.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cwire/map.h"

static uint64_t next(test_random *r)
{
    /* splitmix64 */
    uint64_t x = r->state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t test_random_below(test_random *r, uint64_t n)
{
    return next(r) % n;
}

static bool leave_out(test_random *r)
{
    return test_random_below(r, 8) < (r->empty ? r->empty : 3);
}

static void *take(cw_arena *a, size_t n)
{
    void *p = cw_arena_alloc(a, n);
    assert_non_null(p);
    return p;
}

/* ---- scalars ----------------------------------------------------------------------------------
 */

/* Small, large and limiting numbers, about as often. */
static uint64_t random_bits(test_random *r)
{
    static const uint64_t limits[] = {0,
                                      1,
                                      0x7f,
                                      0x80,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      0x100000000,
                                      0x7fffffffffffffff,
                                      0x8000000000000000,
                                      0xffffffffffffffff};
    switch (test_random_below(r, 4)) {
    case 0:
        return limits[test_random_below(r, sizeof limits / sizeof limits[0])];
    case 1:
        return test_random_below(r, 100);
    default:
        return next(r) >> test_random_below(r, 64);
    }
}

static double random_double(test_random *r)
{
    double v;
    uint64_t bits = next(r);
    switch (test_random_below(r, 4)) {
    case 0:
        return (double)test_random_below(r, 1000000) / 100.0 - 5000.0;
    case 1:
        bits = test_random_below(r, 2) ? 0x8000000000000000u : 0x7ff0000000000000u; /* -0, inf */
        break;
    default:
        break;
    }
    memcpy(&v, &bits, sizeof v);
    return isnan(v) ? 1.5 : v;
}

static float random_float(test_random *r)
{
    float v;
    uint32_t bits = (uint32_t)next(r);
    if (test_random_below(r, 4) == 0) {
        bits = test_random_below(r, 2) ? 0x80000000u : 0xff800000u; /* -0, -inf */
    }
    memcpy(&v, &bits, sizeof v);
    return isnan(v) ? 0.25f : v;
}

/* A character that is plain, wants an escape, or takes 2 to 4 bytes; returns its bytes. */
static size_t random_char(test_random *r, char *to)
{
    static const char *const rare[] = {"\"",
                                       "\\",
                                       "/",
                                       "\b",
                                       "\n",
                                       "\x1f",
                                       "\x7f",
                                       "\xc3\xa9",
                                       "\xe2\x80\xa8",
                                       "\xed\x9f\xbf",
                                       "\xf0\x9f\x98\x81",
                                       "\xf4\x8f\xbf\xbf"};
    if (test_random_below(r, 8) > 0) {
        *to = (char)(' ' + test_random_below(r, 95));
        return 1;
    }
    const char *s = rare[test_random_below(r, sizeof rare / sizeof rare[0])];
    size_t n = strlen(s);
    memcpy(to, s, n);
    return n;
}

/* Text after `prefix`; plain ASCII half of the time. In memory of its own, with a NUL. */
static cw_str random_string(test_random *r, cw_arena *a, const char *prefix)
{
    size_t chars = (size_t)test_random_below(r, test_random_below(r, 8) == 0 ? 200 : 24);
    bool plain = test_random_below(r, 2) == 0;
    size_t n = strlen(prefix);
    char *s = take(a, n + chars * 4 + 1);
    memcpy(s, prefix, n);
    for (size_t i = 0; i < chars; i++) {
        if (plain) {
            s[n++] = (char)('a' + test_random_below(r, 26));
        } else {
            n += random_char(r, s + n);
        }
    }
    s[n] = 0;
    return cw_str_of(s, n);
}

static cw_bytes random_bytes(test_random *r, cw_arena *a)
{
    size_t n = (size_t)test_random_below(r, 20);
    uint8_t *s = take(a, n + 1);
    for (size_t i = 0; i <= n; i++) {
        s[i] = (uint8_t)next(r);
    }
    return cw_bytes_of(s, n);
}

static int32_t random_enum(test_random *r, const cw_enum *e, bool closed)
{
    if (!closed && test_random_below(r, 4) == 0) {
        return (int32_t)(uint32_t)random_bits(r);
    }
    return e->values[test_random_below(r, e->n_values)].number;
}

static void store_i32(void *to, int32_t v)
{
    memcpy(to, &v, sizeof v);
}

static void store_64(void *to, uint64_t v)
{
    memcpy(to, &v, sizeof v);
}

/* A value of the field's kind (no message) at `to`. */
static void fill_scalar(const cw_field *f, void *to, cw_arena *a, test_random *r)
{
    switch (f->kind) {
    case CW_KIND_DOUBLE: {
        double v = random_double(r);
        memcpy(to, &v, sizeof v);
        break;
    }
    case CW_KIND_FLOAT: {
        float v = random_float(r);
        memcpy(to, &v, sizeof v);
        break;
    }
    case CW_KIND_INT64:
    case CW_KIND_UINT64:
    case CW_KIND_FIXED64:
    case CW_KIND_SFIXED64:
    case CW_KIND_SINT64:
        store_64(to, random_bits(r));
        break;
    case CW_KIND_INT32:
    case CW_KIND_UINT32:
    case CW_KIND_FIXED32:
    case CW_KIND_SFIXED32:
    case CW_KIND_SINT32:
        store_i32(to, (int32_t)(uint32_t)random_bits(r));
        break;
    case CW_KIND_ENUM:
        store_i32(to, random_enum(r, f->enum_type, f->closed_enum));
        break;
    case CW_KIND_BOOL: {
        bool v = test_random_below(r, 2) == 1;
        memcpy(to, &v, sizeof v);
        break;
    }
    case CW_KIND_STRING: {
        cw_str v = random_string(r, a, "");
        memcpy(to, &v, sizeof v);
        break;
    }
    case CW_KIND_BYTES: {
        cw_bytes v = random_bytes(r, a);
        memcpy(to, &v, sizeof v);
        break;
    }
    case CW_KIND_GROUP:
    case CW_KIND_MESSAGE:
        fail_msg("%s is a message", f->name);
    }
}

/* ---- lists and maps ---------------------------------------------------------------------------
 */

static void fill_list(const cw_field *f, void *list, cw_arena *a, test_random *r, int depth)
{
    size_t n = (size_t)test_random_below(r, (r->most ? r->most : 3) + 1u);
    char *data = take(a, n * f->element_size + 1);
    for (size_t i = 0; i < n; i++) {
        if (f->message) {
            test_random_fill(f->message, data + i * f->element_size, a, r, depth - 1);
        } else {
            fill_scalar(f, data + i * f->element_size, a, r);
        }
    }
    cw_list_store(list, (cw_list_view){n ? data : NULL, n, n});
}

/* The i-th key of n, greater than those before it. */
static void fill_key(const cw_field *f, void *to, cw_arena *a, test_random *r, size_t i)
{
    switch (f->kind) {
    case CW_KIND_STRING: {
        char prefix[8] = {(char)('A' + i), 0};
        cw_str v = i == 0 ? cw_str_of("", 0) : random_string(r, a, prefix);
        memcpy(to, &v, sizeof v);
        break;
    }
    case CW_KIND_BOOL: {
        bool v = i > 0;
        memcpy(to, &v, sizeof v);
        break;
    }
    case CW_KIND_INT32:
    case CW_KIND_SINT32:
    case CW_KIND_SFIXED32: /* from the least number on */
        store_i32(to, (int32_t)((int64_t)INT32_MIN + (int64_t)i * 0x10000000 +
                                (int64_t)test_random_below(r, 0x10000000)));
        break;
    case CW_KIND_UINT32:
    case CW_KIND_FIXED32:
        store_i32(to, (int32_t)(uint32_t)(i * 0x10000000 + test_random_below(r, 0x10000000)));
        break;
    case CW_KIND_INT64:
    case CW_KIND_SINT64:
    case CW_KIND_SFIXED64:
        store_64(to, (uint64_t)INT64_MIN + i * 0x1000000000000000u +
                         test_random_below(r, 0x1000000000000000u));
        break;
    default:
        store_64(to, i * 0x1000000000000000u + test_random_below(r, 0x1000000000000000u));
        break;
    }
}

static void fill_map(const cw_field *f, void *list, cw_arena *a, test_random *r, int depth)
{
    const cw_field *key = &f->message->fields[0], *value = &f->message->fields[1];
    unsigned most = r->most ? r->most : 3;
    size_t n = (size_t)test_random_below(r, (most < 14 ? most : 14) + 1u);
    if (key->kind == CW_KIND_BOOL && n > 2) {
        n = 2;
    }
    if (depth < (value->message ? 2 : 1)) {
        n = 0;
    }
    char *data = take(a, n * f->element_size + 1);
    memset(data, 0, n * f->element_size);
    for (size_t i = 0; i < n; i++) {
        char *entry = data + i * f->element_size;
        fill_key(key, entry + key->offset, a, r, i);
        if (value->message) {
            test_random_fill(value->message, entry + value->offset, a, r, depth - 2);
        } else {
            fill_scalar(value, entry + value->offset, a, r);
        }
    }
    cw_list_store(list, (cw_list_view){n ? data : NULL, n, n});
}

/* ---- messages ---------------------------------------------------------------------------------
 */

/* A new message for a pointer member. */
static void fill_pointer(const cw_field *f, void *member, cw_arena *a, test_random *r, int depth)
{
    void *x = take(a, f->element_size);
    test_random_fill(f->message, x, a, r, depth - 1);
    memcpy(member, &x, sizeof x);
}

/* One of a oneof's members at most: each is the chosen one as often. */
static bool choose_oneof(const cw_type *t, const cw_field *f, test_random *r)
{
    unsigned before = 0;
    for (const cw_field *x = t->fields; x < f; x++) {
        before += x->shape == CW_SHAPE_ONEOF && x->case_offset == f->case_offset;
    }
    return test_random_below(r, before + 2u) == 0;
}

static void fill_member(const cw_type *t, const cw_field *f, char *m, cw_arena *a, test_random *r,
                        int depth)
{
    void *member = m + f->offset;
    bool required = f->shape == CW_SHAPE_REQUIRED;
    if ((leave_out(r) && !required) || (f->message && depth <= 0)) {
        return;
    }
    if (f->shape == CW_SHAPE_MAP) {
        fill_map(f, member, a, r, depth);
    } else if (f->shape == CW_SHAPE_REPEATED) {
        fill_list(f, member, a, r, depth);
    } else if (f->shape == CW_SHAPE_ONEOF) {
        if (!choose_oneof(t, f, r)) {
            return;
        }
        int number = (int)f->number;
        memcpy(m + f->case_offset, &number, sizeof number);
        if (f->message) {
            fill_pointer(f, member, a, r, depth);
        } else {
            fill_scalar(f, member, a, r);
        }
    } else if (f->message) {
        fill_pointer(f, member, a, r, depth);
    } else {
        fill_scalar(f, member, a, r);
        if (f->shape != CW_SHAPE_IMPLICIT) {
            t->set_has(m, (uint32_t)(f - t->fields), true);
        }
    }
}

void test_random_fill(const cw_type *t, void *m, cw_arena *a, test_random *r, int depth)
{
    t->init(m);
    for (uint32_t i = 0; i < t->n_fields; i++) {
        fill_member(t, &t->fields[i], m, a, r, depth);
    }
}

void test_random_value(const cw_field *f, void *to, cw_arena *a, test_random *r, int depth)
{
    if (f->shape == CW_SHAPE_REPEATED) {
        fill_list(f, to, a, r, depth);
    } else if (f->message) {
        test_random_fill(f->message, to, a, r, depth - 1);
    } else {
        fill_scalar(f, to, a, r);
    }
}
