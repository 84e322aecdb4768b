/* SPDX-License-Identifier: MIT */
/*
 * test_protobuf_c.c: random messages of every type that protobuf-c has code for, in both
 * directions. It reads our bytes, what it writes of that we read, and the message is the same.
 *
 * Its bytes are ours, but for maps: protobuf-c takes an entry for a message and leaves out a key or
 * value that is zero, where we (and protoc) write both. It also takes -0.0 in a proto3 field for
 * the default and drops it: no such field has one here. It has no groups, and no code for a schema
 * with one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <protobuf-c/protobuf-c.h>

#include "samples.h"

enum { SEEDS = 300 };

extern const ProtobufCMessageDescriptor *const test_pbc_types[];
extern const size_t test_pbc_type_count;

static const ProtobufCMessageDescriptor *find(const char *full_name)
{
    for (size_t i = 0; i < test_pbc_type_count; i++) {
        if (strcmp(test_pbc_types[i]->name, full_name) == 0) {
            return test_pbc_types[i];
        }
    }
    return NULL;
}

/* What makes bytes differ by right: see above. *ctx: is there a map entry? */
static void prepare(const cw_type *t, void *m, void *ctx)
{
    static const double zero_d = 0;
    static const float zero_f = 0;
    bool *has_entry = ctx;
    for (uint32_t i = 0; i < t->n_fields; i++) {
        const cw_field *f = &t->fields[i];
        void *member = (char *)m + f->offset;
        if (f->shape == CW_SHAPE_MAP) {
            *has_entry |= cw_list_load(member).len > 0;
        } else if (f->shape == CW_SHAPE_IMPLICIT && f->kind == CW_KIND_DOUBLE) {
            double v;
            memcpy(&v, member, sizeof v);
            if (!(v < 0) && !(v > 0)) {
                memcpy(member, &zero_d, sizeof zero_d);
            }
        } else if (f->shape == CW_SHAPE_IMPLICIT && f->kind == CW_KIND_FLOAT) {
            float v;
            memcpy(&v, member, sizeof v);
            if (!(v < 0) && !(v > 0)) {
                memcpy(member, &zero_f, sizeof zero_f);
            }
        }
    }
}

/* The bytes that protobuf-c writes of the message that it reads from ours, in malloc memory. */
static cw_bytes through_protobuf_c(const ProtobufCMessageDescriptor *d, cw_bytes ours)
{
    ProtobufCMessage *x = protobuf_c_message_unpack(d, NULL, ours.len, ours.data);
    if (!x) {
        fail_msg("protobuf-c refuses our %s of %zu bytes", d->name, ours.len);
    }
    size_t len = protobuf_c_message_get_packed_size(x);
    uint8_t *out = malloc(len ? len : 1);
    assert_non_null(out);
    assert_int_equal(protobuf_c_message_pack(x, out), len);
    protobuf_c_message_free_unpacked(x, NULL);
    return cw_bytes_of(out, len);
}

static void one(const cw_type *t, const ProtobufCMessageDescriptor *d, uint64_t seed)
{
    cw_arena a;
    cw_arena_init(&a, NULL);
    cw_bytes ours;
    void *m = sample_make(t, seed, &a, &ours);
    if (m) {
        bool has_entry = false;
        sample_visit(t, m, prepare, &has_entry);
        assert_int_equal(t->encode_arena(m, &a, &ours, NULL), CW_OK);
        cw_bytes theirs = through_protobuf_c(d, ours);
        void *again = sample_decode(t, theirs, &a, "protobuf-c");
        if (!has_entry) {
            sample_same_bytes(t, seed, ours, theirs);
        }
        cw_bytes back;
        assert_int_equal(t->encode_arena(again, &a, &back, NULL), CW_OK);
        sample_same_bytes(t, seed, ours, back);
        if (!t->equal(m, again)) {
            fail_msg("%s, seed %llu: not equal", t->full_name, (unsigned long long)seed);
        }
        uint8_t *made;
        memcpy(&made, &theirs.data, sizeof made);
        free(made);
    }
    cw_arena_free(&a);
}

static void messages_are_the_same_in_protobuf_c(void **state)
{
    (void)state;
    size_t types = 0;
    for (size_t i = 0; i < sample_type_count(); i++) {
        const cw_type *t = sample_type(i);
        const ProtobufCMessageDescriptor *d = find(t->full_name);
        if (d) {
            types++;
            for (uint64_t seed = 0; seed < SEEDS; seed++) {
                one(t, d, seed);
            }
        }
    }
    /* All kinds, lists of them packed and not, maps of them, oneofs. */
    static const char *const musts[] = {"json.Scalars", "json.Optionals", "json.Lists",
                                        "json.Maps",    "json.Choice",    "wire.UnpackedLists",
                                        "wire.All",     "wide.Wide"};
    for (size_t i = 0; i < sizeof musts / sizeof musts[0]; i++) {
        if (!find(musts[i])) {
            fail_msg("no protobuf-c code for %s", musts[i]);
        }
    }
    print_message("%zu types, %d messages each\n", types, SEEDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages_are_the_same_in_protobuf_c)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
