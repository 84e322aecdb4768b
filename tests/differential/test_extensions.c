/* SPDX-License-Identifier: MIT */
/*
 * test_extensions.c: random extensions through protoc. What EXT_set writes in ascending order are
 * the bytes that protoc makes of the text that it printed of them; and of records that are
 * repeated, split, packed the other way or (closed enums) unknown, EXT_get finds the value that
 * protoc prints.
 *
 * Where protoc is no measure: in a proto2 file it takes every enum for closed, also one that a
 * proto3 file declares open (its documentation says so), and a map key that two records give it
 * prints twice: of its bytes, too, what EXT_get finds is compared.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cwire/extension.h"
#include "extensions.cw.h"
#include "extensions_only.cw.h"
#include "protoc.h"

enum { SEEDS = 60, MOST_EXTENSIONS = 100 };

/* The extensions of one message type, ascending. */
typedef struct family {
    const cw_type *t;
    const cw_extension *members[MOST_EXTENSIONS];
    size_t n;
} family;

static family family_of(const cw_type *t)
{
    family f = {.t = t};
    for (size_t i = 0; i < sample_file_count(); i++) {
        const cw_file *file = sample_file(i);
        for (uint32_t k = 0; k < file->n_extensions; k++) {
            const cw_extension *x = file->extensions[k];
            if (x->extendee != t) {
                continue;
            }
            assert_true(f.n < MOST_EXTENSIONS);
            size_t at = f.n++;
            for (; at > 0 && f.members[at - 1]->field->number > x->field->number; at--) {
                f.members[at] = f.members[at - 1];
            }
            f.members[at] = x;
        }
    }
    assert_true(f.n > 3);
    return f;
}

static size_t sample_index(const cw_type *t)
{
    for (size_t i = 0; i < sample_type_count(); i++) {
        if (sample_type(i) == t) {
            return i;
        }
    }
    fail_msg("%s is no sample", t->full_name);
    return 0;
}

/* A value of any extension. */
typedef union value {
    ext_Host host;
    ext_Note note;
    ext_Strict strict;
    ext_Pair pair;
    ext_Scope scope;
    google_protobuf_Duration duration;
    google_protobuf_Struct a_struct;
    cw_list_view list;
    cw_str string;
    uint64_t number;
} value;

static void random_value(const cw_extension *row, const cw__ext *x, value *v, cw_arena *a,
                         test_random *r)
{
    assert_true(x->repeated || x->element_size <= sizeof *v);
    cw_field f = *row->field;
    f.element_size = x->element_size;
    f.closed_enum = true; /* no number that an open one does not name */
    test_random_value(&f, v, a, r, 4);
}

static cw_unknown **unknown_of(const cw_type *t, void *m)
{
    return (cw_unknown **)(void *)((char *)m + t->unknown_offset);
}

static void *new_message(const cw_type *t, cw_arena *a, test_random *r)
{
    void *m = cw_arena_alloc(a, t->struct_size);
    assert_non_null(m);
    test_random_fill(t, m, a, r, 0);
    return m;
}

static cw_bytes encoded(const cw_type *t, const void *m, cw_arena *a)
{
    cw_bytes bytes;
    assert_int_equal(t->encode_arena(m, a, &bytes, NULL), CW_OK);
    return bytes;
}

/* Sets each extension with some luck. */
static cw_bytes make_plain(const family *f, cw_arena *a, test_random *r)
{
    void *m = new_message(f->t, a, r);
    for (size_t i = 0; i < f->n; i++) {
        cw__ext x;
        cw__ext_message type;
        cw__ext_of(f->members[i], &x, &type);
        value v;
        if (test_random_below(r, 3) > 0) {
            random_value(f->members[i], &x, &v, a, r);
            assert_int_equal(cw__ext_set(unknown_of(f->t, m), &x, a, &v, NULL), CW_OK);
        }
    }
    return encoded(f->t, m, a);
}

/* Several records of one extension, packed either way, closed enums with numbers they have not. */
static void add_records(const cw_extension *row, cw_unknown **u, cw_arena *a, test_random *r)
{
    cw__ext x;
    cw__ext_message type;
    cw__ext_of(row, &x, &type);
    size_t n = (size_t)test_random_below(r, 4);
    for (size_t i = 0; i < n; i++) {
        value v;
        random_value(row, &x, &v, a, r);
        x.packed = x.repeated && !x.message && x.kind != CW_KIND_STRING &&
                   x.kind != CW_KIND_BYTES && test_random_below(r, 2);
        assert_int_equal(cw__ext_add(u, &x, a, &v, NULL), CW_OK);
        if (x.closed && test_random_below(r, 2)) {
            cw__ext open = x;
            open.closed = NULL;
            int32_t stranger[] = {1000, 1, -77};
            v.list = (cw_list_view){stranger, 3, 0};
            if (!x.repeated) {
                v.number = 0;
                memcpy(&v, stranger, sizeof stranger[0]);
            }
            assert_int_equal(cw__ext_add(u, &open, a, &v, NULL), CW_OK);
        }
    }
}

/* Records in any order, also those of one extension apart from each other. */
static cw_bytes make_scattered(const family *f, cw_arena *a, test_random *r)
{
    void *m = new_message(f->t, a, r);
    for (size_t i = 0; i < 2 * f->n; i++) {
        add_records(f->members[test_random_below(r, f->n)], unknown_of(f->t, m), a, r);
    }
    return encoded(f->t, m, a);
}

/* The message with each extension got and set anew, nothing else unknown. */
static cw_bytes gathered(const family *f, cw_bytes bytes, cw_arena *a)
{
    void *m = sample_decode(f->t, bytes, a, "cwire");
    void *to = cw_arena_alloc(a, f->t->struct_size);
    assert_non_null(to);
    assert_int_equal(f->t->copy(to, m, a), CW_OK);
    *unknown_of(f->t, to) = NULL;
    for (size_t i = 0; i < f->n; i++) {
        cw__ext x;
        cw__ext_message type;
        cw__ext_of(f->members[i], &x, &type);
        value v;
        bool found;
        assert_int_equal(cw__ext_get(*unknown_of(f->t, m), &x, a, NULL, &v, &found, NULL), CW_OK);
        assert_int_equal(cw__ext_has(*unknown_of(f->t, m), &x), found);
        if (found) {
            assert_int_equal(cw__ext_set(unknown_of(f->t, to), &x, a, &v, NULL), CW_OK);
        }
    }
    return encoded(f->t, to, a);
}

/* Takes the lines away that begin with a number: fields that are unknown to protoc. */
static void drop_unknown(char *text)
{
    char *to = text;
    for (char *line = text; *line;) {
        char *next = strchr(line, '\n');
        next = next ? next + 1 : line + strlen(line);
        size_t n = (size_t)(next - line);
        char first = line[strspn(line, " ")];
        if (first < '0' || first > '9') {
            memmove(to, line, n);
            to += n;
        }
        line = next;
    }
    *to = 0;
}

typedef cw_bytes maker(const family *f, cw_arena *a, test_random *r);

/* Both ways, all seeds; `gather` what protoc is expected to make of the bytes. */
static void compare(const char *name, maker *make, bool gather)
{
    protoc_box box = {0}, want = {0};
    const cw_type *const types[] = {&ext_Host_type, &ext_Set_type};
    family families[] = {family_of(types[0]), family_of(types[1])};
    for (size_t i = 0; i < 2; i++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            cw_arena a;
            cw_arena_init(&a, NULL);
            test_random r = {.state = seed * 31 + i + 1, .most = 3};
            cw_bytes bytes = make(&families[i], &a, &r);
            protoc_box_add(&box, sample_index(types[i]), bytes);
            protoc_box_add(&want, sample_index(types[i]),
                           gather ? gathered(&families[i], bytes, &a) : bytes);
            cw_arena_free(&a);
        }
    }
    char *text = protoc_decode(&box, name);
    if (gather) {
        drop_unknown(text);
    }
    protoc_box theirs = protoc_encode(text, name);
    free(text);
    cw_bytes a = cw_bytes_of(want.data, want.len), b = cw_bytes_of(theirs.data, theirs.len);
    cw_bytes x, y;
    size_t type, their_type, n = 0;
    while (protoc_box_next(&a, &type, &x)) {
        assert_true(protoc_box_next(&b, &their_type, &y));
        assert_int_equal(type, their_type);
        cw_arena arena;
        cw_arena_init(&arena, NULL);
        y = gather ? gathered(&families[n / SEEDS], y, &arena) : y;
        sample_same_bytes(sample_type(type), n % SEEDS, x, y);
        cw_arena_free(&arena);
        n++;
    }
    assert_int_equal(b.len, 0);
    assert_int_equal(n, 2 * SEEDS);
    print_message("%zu messages, %zu bytes\n", n, box.len);
    free(box.data);
    free(want.data);
    free(theirs.data);
}

static void set_writes_what_protoc_writes(void **state)
{
    (void)state;
    compare("extensions", make_plain, false);
}

static void get_reads_what_protoc_reads(void **state)
{
    (void)state;
    compare("scattered", make_scattered, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(set_writes_what_protoc_writes),
                                       cmocka_unit_test(get_reads_what_protoc_reads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
