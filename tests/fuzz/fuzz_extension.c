/* SPDX-License-Identifier: MIT */
/*
 * fuzz_extension.c: any bytes as the unknown ones of a message.
 *
 *   - What get finds of all extensions is what a decoder finds that has them as fields, and has
 *     agrees with get.
 *   - After a set get finds that value, and the other records are what they were, byte for byte;
 *     after clear there is none and the others are the same. What set refuses changes nothing.
 *   - Malformed bytes are an error for get and set, and stay as they are.
 *   - What a decoder keeps as unknown is never malformed.
 */
#include <stdlib.h>

#include "extension_family.h"
#include "extensions.cw.h"
#include "extensions_mirror.cw.h"
#include "random_message.h"
#include "support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct input {
    extension_family family;
    unsigned flags;
    unsigned which;
    unsigned seed;
    cw_bytes bytes; /* heap block of exactly its length */
    bool good;      /* they are records to their end */
} input;

/* A copy of bytes as a message's unknown ones; NULL when there are none. */
static cw_unknown *unknown_of(cw_bytes bytes, cw_arena *a)
{
    cw_unknown *u = NULL;
    FUZZ_CHECK(cw__unknown_add(a, &u, bytes.data, bytes.len));
    return u;
}

static cw_bytes bytes_of(const cw_unknown *u)
{
    return u ? cw_bytes_of(u->data, u->len) : cw_bytes_of(NULL, 0);
}

static bool is_good(const cw_unknown *u, bool message_set)
{
    size_t pos = 0;
    cw__ext_record r;
    while (cw__ext_next(u, message_set, &pos, &r)) {
        FUZZ_CHECK(r.whole.len > 0 && r.whole.data + r.whole.len == u->data + pos);
        FUZZ_CHECK(r.payload.data >= r.whole.data &&
                   r.payload.data + r.payload.len <= r.whole.data + r.whole.len);
    }
    return pos == (u ? u->len : 0);
}

static void *new_value(const cw__ext *x, cw_arena *a)
{
    void *v = cw_arena_alloc(a, x->repeated ? sizeof(cw_list_view) : x->element_size);
    FUZZ_CHECK(v);
    return v;
}

/* ---- get --------------------------------------------------------------------------------------
 */

/* Gets every extension and adds what was found to *to. False: not all could be got. */
static bool get_all(const input *in, const cw_unknown *u, cw_unknown **to, cw_arena *a)
{
    const cw_decode_options o = {.alias = in->flags & EXTENSION_ALIAS,
                                 .allow_partial = in->flags & EXTENSION_PARTIAL};
    bool all = true;
    for (size_t i = 0; i < in->family.n; i++) {
        cw__ext x;
        cw__ext_message type;
        cw__ext_of(in->family.rows[i], &x, &type);
        void *v = new_value(&x, a);
        bool found;
        cw_error e = {.status = CW_OK};
        cw_status st = cw__ext_get(u, &x, a, &o, v, &found, &e);
        FUZZ_CHECK(e.status == st);
        all &= st == CW_OK;
        if (st != CW_OK) {
            continue;
        }
        FUZZ_CHECK(in->good && found == cw__ext_has(u, &x));
        if (found) {
            st = cw__ext_add(to, &x, a, v, &e);
            FUZZ_CHECK_OK(st == CW_ERR_REQUIRED && o.allow_partial ? CW_OK : st, &e);
        }
    }
    return all;
}

/* Against ext.Mirror, which has the extensions of ext.Host as fields. */
static void compare_with_fields(const input *in, const cw_unknown *u, cw_arena *a)
{
    cw_unknown *got = NULL;
    bool all = get_all(in, u, &got, a);
    if (in->flags & (EXTENSION_SET | EXTENSION_PARTIAL)) {
        return;
    }
    ext_Mirror m;
    cw_error e;
    cw_status st = ext_Mirror_decode(&m, in->bytes.data, in->bytes.len, a, NULL, &e);
    if (st != CW_OK) {
        /* Only unknown groups are looked into more closely by a decoder. */
        FUZZ_CHECK_OK(!all || st == CW_ERR_GROUP || st == CW_ERR_DEPTH ? CW_OK : st, &e);
        return;
    }
    FUZZ_CHECK(all);
    cw_bytes fields;
    m.unknown = NULL;
    FUZZ_CHECK_OK(ext_Mirror_encode_arena(&m, a, &fields, &e), &e);
    FUZZ_CHECK(cw_bytes_equal(fields, bytes_of(got)));
}

/* ---- set and clear ----------------------------------------------------------------------------
 */

/* The records that are not of x, and malformed bytes behind them. */
static cw_bytes others(const cw_unknown *u, const cw__ext *x, cw_arena *a)
{
    cw_unknown *kept = NULL;
    cw__ext_record r;
    size_t pos = 0;
    while (cw__ext_next(u, x->in_message_set, &pos, &r)) {
        bool broken_item = x->in_message_set && r.number == 1 && r.wire_type == 3;
        if (r.number != x->number || broken_item) {
            FUZZ_CHECK(cw__unknown_add(a, &kept, r.whole.data, r.whole.len));
        }
    }
    if (u) {
        FUZZ_CHECK(cw__unknown_add(a, &kept, u->data + pos, u->len - pos));
    }
    return bytes_of(kept);
}

static void check_value(const cw_unknown *u, const cw__ext *x, const void *value, cw_arena *a)
{
    void *got = new_value(x, a);
    bool found;
    cw_error e;
    FUZZ_CHECK_OK(cw__ext_get(u, x, a, NULL, got, &found, &e), &e);
    cw_unknown *want = NULL, *is = NULL;
    FUZZ_CHECK_OK(cw__ext_set(&want, x, a, value, &e), &e);
    FUZZ_CHECK(found == (want != NULL) && found == cw__ext_has(u, x));
    if (found) {
        FUZZ_CHECK_OK(cw__ext_set(&is, x, a, got, &e), &e);
        FUZZ_CHECK(cw_bytes_equal(bytes_of(want), bytes_of(is)));
        FUZZ_CHECK(u->len >= want->len &&
                   memcmp(u->data + u->len - want->len, want->data, want->len) == 0);
    }
}

/* Sets with nothing but a small block for memory; true when it was done. */
static bool set_in_block(const input *in, cw_unknown **u, const cw__ext *x, const void *value,
                         void *block)
{
    cw_arena small;
    const cw_arena_options o = {.block = block, .block_size = in->seed * 8, .no_alloc = true};
    cw_arena_init(&small, &o);
    cw_status st = cw__ext_set(u, x, &small, value, NULL);
    FUZZ_CHECK(st == CW_OK || st == CW_ERR_LIMIT || !in->good);
    return st == CW_OK;
}

static void set_and_clear(const input *in, cw_arena *a)
{
    const cw_extension *row = in->family.rows[in->which % in->family.n];
    cw__ext x;
    cw__ext_message type;
    cw__ext_of(row, &x, &type);
    cw_unknown *u = unknown_of(in->bytes, a);
    cw_bytes rest = others(u, &x, a);
    cw_field f = *row->field;
    f.element_size = x.element_size;
    test_random r = {.state = in->seed * 977, .most = 3};
    void *value = new_value(&x, a);
    test_random_value(&f, value, a, &r, 3);

    void *block = in->flags & EXTENSION_BLOCK ? malloc(in->seed * 8 + 1) : NULL;
    cw_error e = {.status = CW_OK};
    bool done;
    if (block) {
        done = set_in_block(in, &u, &x, value, block);
    } else {
        cw_status st = cw__ext_set(&u, &x, a, value, &e);
        done = st == CW_OK;
        FUZZ_CHECK_OK(done == in->good ? CW_OK : st, &e);
    }
    if (done) {
        FUZZ_CHECK(is_good(u, x.in_message_set));
        FUZZ_CHECK(bytes_of(u).len >= rest.len);
        FUZZ_CHECK(cw_bytes_equal(others(u, &x, a), rest));
        FUZZ_CHECK(rest.len == 0 || memcmp(u->data, rest.data, rest.len) == 0);
        check_value(u, &x, value, a);
    } else {
        FUZZ_CHECK(cw_bytes_equal(bytes_of(u), in->bytes));
    }
    cw__ext_clear(u, &x);
    FUZZ_CHECK(!cw__ext_has(u, &x) && cw_bytes_equal(bytes_of(u), rest));
    free(block);
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static void decode(const input *in, cw_arena *a)
{
    const cw_type *t = in->family.type;
    void *m = fuzz_new(t, a);
    const cw_decode_options o = {.depth = in->seed % 2 ? 1000 : 0};
    if (t->decode(m, in->bytes.data, in->bytes.len, a, &o, NULL) == CW_OK) {
        const cw_unknown *u;
        memcpy(&u, (const char *)m + t->unknown_offset, sizeof u);
        FUZZ_CHECK(is_good(u, t->is_message_set));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < EXTENSION_HEADER) {
        return 0;
    }
    input in = {.flags = data[0], .which = data[1], .seed = data[2]};
    size_t n = size - EXTENSION_HEADER;
    uint8_t *exact = malloc(n ? n : 1);
    FUZZ_CHECK(exact);
    memcpy(exact, data + EXTENSION_HEADER, n);
    in.family = extension_family_of(in.flags & EXTENSION_SET);
    in.bytes = cw_bytes_of(exact, n);
    cw_unknown u = {exact, n, n};
    in.good = is_good(&u, in.family.type->is_message_set);
    cw_arena a;
    cw_arena_init(&a, NULL);
    compare_with_fields(&in, &u, &a);
    set_and_clear(&in, &a);
    decode(&in, &a);
    cw_arena_free(&a);
    free(exact);
    return 0;
}
