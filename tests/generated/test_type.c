/* SPDX-License-Identifier: MIT */
/* The type tables tell the truth about the structs and functions that they describe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "json.cw.h"
#include "json_proto2.cw.h"
#include "json_support.h"
#include "order.cw.h"

static void order(void **state)
{
    (void)state;
    const cw_type *t = &shop_Order_type;
    assert_string_equal(t->full_name, "shop.Order");
    assert_int_equal(t->struct_size, sizeof(shop_Order));
    assert_int_equal(t->n_fields, 7);
    assert_ptr_equal(t->file, &order_file);
    assert_int_equal(t->unknown_offset, offsetof(shop_Order, unknown));
    assert_null(t->has);
    static const struct {
        const char *name, *json_name;
        uint32_t number;
        cw_kind kind;
        cw_shape shape;
        size_t offset, element_size;
    } want[] = {
        {"id", "id", 1, CW_KIND_UINT64, CW_SHAPE_IMPLICIT, offsetof(shop_Order, id), 0},
        {"customer", "customer", 2, CW_KIND_STRING, CW_SHAPE_IMPLICIT,
         offsetof(shop_Order, customer), 0},
        {"currency", "currency", 3, CW_KIND_STRING, CW_SHAPE_IMPLICIT,
         offsetof(shop_Order, currency), 0},
        {"total_cents", "totalCents", 4, CW_KIND_UINT64, CW_SHAPE_IMPLICIT,
         offsetof(shop_Order, total_cents), 0},
        {"created_at", "createdAt", 5, CW_KIND_UINT64, CW_SHAPE_IMPLICIT,
         offsetof(shop_Order, created_at), 0},
        {"status", "status", 6, CW_KIND_ENUM, CW_SHAPE_IMPLICIT, offsetof(shop_Order, status), 0},
        {"items", "items", 7, CW_KIND_MESSAGE, CW_SHAPE_REPEATED, offsetof(shop_Order, items),
         sizeof(shop_Item)},
    };
    for (size_t i = 0; i < 7; i++) {
        const cw_field *f = &t->fields[i];
        assert_string_equal(f->name, want[i].name);
        assert_string_equal(f->json_name, want[i].json_name);
        assert_int_equal(f->number, want[i].number);
        assert_int_equal(f->kind, want[i].kind);
        assert_int_equal(f->shape, want[i].shape);
        assert_int_equal(f->offset, want[i].offset);
        assert_int_equal(f->element_size, want[i].element_size);
    }
    assert_ptr_equal(t->fields[6].message, &shop_Item_type);
    assert_ptr_equal(t->fields[5].enum_type, &shop_Status_values);
    assert_true(t->fields[1].check_utf8);
    assert_false(t->fields[5].closed_enum);
    assert_string_equal(order_file.name, "order.proto");
    assert_int_equal(order_file.n_imports, 0);
}

static void enums(void **state)
{
    (void)state;
    const cw_enum *e = &json_Mode_values;
    assert_string_equal(e->full_name, "json.Mode");
    assert_int_equal(e->n_values, 5);
    assert_false(e->closed);
    assert_string_equal(e->values[2].name, "stop");
    assert_int_equal(e->values[2].number, 0);
    assert_string_equal(e->values[4].name, "NEGATIVE");
    assert_int_equal(e->values[4].number, -5);
    assert_true(json2_Color_values.closed);
}

static void presence_bits(void **state)
{
    (void)state;
    const cw_type *t = &json_Optionals_type;
    json_Optionals m = {0};
    for (uint32_t i = 0; i < t->n_fields; i++) {
        if (t->fields[i].message) {
            assert_int_equal(t->fields[i].shape, CW_SHAPE_OPTIONAL);
            assert_false(t->has(&m, i));
            continue;
        }
        assert_false(t->has(&m, i));
        t->set_has(&m, i, true);
        for (uint32_t k = 0; k < t->n_fields; k++) {
            assert_int_equal(t->has(&m, k), k == i);
        }
        assert_int_equal(m.has.a_string, i == 8);
        t->set_has(&m, i, false);
        assert_false(t->has(&m, i));
    }
    assert_false(t->has(&m, 1000));
}

static void oneofs(void **state)
{
    (void)state;
    const cw_type *t = &json_Choice_type;
    for (uint32_t i = 0; i < t->n_fields; i++) {
        const cw_field *f = &t->fields[i];
        if (f->number == 3) {
            assert_int_equal(f->shape, CW_SHAPE_IMPLICIT);
            continue;
        }
        assert_int_equal(f->shape, CW_SHAPE_ONEOF);
        assert_int_equal(f->case_offset, f->number < 19 ? offsetof(json_Choice, kind_case)
                                                        : offsetof(json_Choice, other_case));
        assert_int_equal(f->offset, f->number < 19 ? offsetof(json_Choice, kind)
                                                   : offsetof(json_Choice, other));
    }
    assert_int_equal(sizeof(json_Choice_kind_case), sizeof(int));
    const cw_field *f = cw_type_field(t, 15);
    assert_non_null(f);
    assert_int_equal(f->element_size, sizeof(json_Scalars));
    assert_ptr_equal(f->message, &json_Scalars_type);
}

static void maps(void **state)
{
    (void)state;
    const cw_field *f = cw_type_field_named(&json_Maps_type, CW_STR("strScalars"));
    assert_non_null(f);
    assert_int_equal(f->shape, CW_SHAPE_MAP);
    assert_int_equal(f->kind, CW_KIND_MESSAGE);
    assert_int_equal(f->element_size, sizeof(json_Maps_str_scalars_entry));
    const cw_type *entry = f->message;
    assert_string_equal(entry->full_name, "json.Maps.StrScalarsEntry");
    assert_int_equal(entry->struct_size, sizeof(json_Maps_str_scalars_entry));
    assert_int_equal(entry->n_fields, 2);
    assert_int_equal(entry->unknown_offset, SIZE_MAX);
    assert_null(entry->init);
    assert_int_equal(entry->fields[0].number, 1);
    assert_int_equal(entry->fields[0].kind, CW_KIND_STRING);
    assert_int_equal(entry->fields[0].offset, offsetof(json_Maps_str_scalars_entry, key));
    assert_int_equal(entry->fields[1].offset, offsetof(json_Maps_str_scalars_entry, value));
    assert_int_equal(entry->fields[1].element_size, sizeof(json_Scalars));
    assert_int_equal(entry->fields[1].shape, CW_SHAPE_IMPLICIT);
}

static void groups_and_proto2(void **state)
{
    (void)state;
    const cw_field *box = cw_type_field(&json2_Grouped_type, 3);
    assert_non_null(box);
    assert_int_equal(box->kind, CW_KIND_GROUP);
    assert_ptr_equal(box->message, &json2_Grouped_Box_type);
    assert_int_equal(json2_Part_type.fields[0].shape, CW_SHAPE_REQUIRED);
    assert_true(json2_Defaults_type.fields[2].closed_enum);
    assert_false(json2_Defaults_type.fields[1].check_utf8);
    json2_Defaults m;
    json2_Defaults_type.init(&m);
    assert_int_equal(m.n, -7);
}

/* Each function member does what the function of that name does. */
static void functions(void **state)
{
    (void)state;
    const cw_type *t = &json_Scalars_type;
    cw_arena a;
    cw_error e;
    cw_arena_init(&a, NULL);
    json_Scalars m, n;
    t->init(&m);
    m.i32 = 150;
    m.s = CW_STR("x");
    static const uint8_t bytes[] = {0x28, 0x96, 0x01, 0x4a, 0x01, 'x'};
    assert_int_equal(t->encoded_size(&m), sizeof bytes);
    uint8_t buf[16];
    size_t len = 0;
    assert_int_equal(t->encode(&m, buf, sizeof buf, &len, &e), CW_OK);
    assert_int_equal(len, sizeof bytes);
    assert_memory_equal(buf, bytes, sizeof bytes);
    cw_bytes out;
    assert_int_equal(t->encode_arena(&m, &a, &out, &e), CW_OK);
    assert_int_equal(out.len, sizeof bytes);
    assert_memory_equal(out.data, bytes, sizeof bytes);
    assert_int_equal(t->decode(&n, bytes, sizeof bytes, &a, NULL, &e), CW_OK);
    assert_true(t->equal(&m, &n));
    assert_int_equal(t->merge_from(&n, "\x60\x07", 2, &a, NULL, &e), CW_OK);
    assert_int_equal(n.e, 7);
    assert_false(t->equal(&m, &n));
    assert_int_equal(t->copy(&m, &n, &a), CW_OK);
    assert_true(t->equal(&m, &n));
    assert_int_equal(t->check(&m, &e), CW_OK);
    m.s = CW_STR("\xff");
    assert_int_equal(t->check(&m, &e), CW_ERR_UTF8);
    cw_str text;
    assert_int_equal(t->to_json(&n, &a, NULL, &text, &e), CW_OK);
    assert_string_equal(text.data, "{\"i32\":150,\"s\":\"x\",\"e\":7}");
    assert_int_equal(t->from_json(&m, "{\"e\":7}", 7, &a, NULL, &e), CW_OK);
    assert_int_equal(m.e, 7);
    assert_int_equal(m.i32, 0);
    cw_arena_free(&a);
}

static void files(void **state)
{
    (void)state;
    assert_int_equal(json_file.n_types, 9);
    assert_int_equal(json_file.n_enums, 1);
    assert_ptr_equal(json_file.enums[0], &json_Mode_values);
    assert_ptr_equal(cw_file_find_type(&json_file, CW_STR("json.Node")), &json_Node_type);
    assert_null(cw_file_find_type(&json_file, CW_STR("json.Maps.StrScalarsEntry")));
    for (size_t i = 0; i < json_type_count; i++) {
        const cw_type *t = json_types[i].type;
        for (uint32_t k = 1; k < t->n_fields; k++) {
            assert_true(t->fields[k].number > t->fields[k - 1].number);
        }
    }
}

static void extensions(void **state)
{
    (void)state;
    static const struct {
        const char *full_name, *name, *json_name;
        uint32_t number;
        cw_kind kind;
        cw_shape shape;
    } want[] = {
        {"json2.plus", "plus", "[json2.plus]", 100, CW_KIND_INT32, CW_SHAPE_OPTIONAL},
        {"json2.part_plus", "part_plus", "[json2.part_plus]", 101, CW_KIND_MESSAGE,
         CW_SHAPE_REPEATED},
        {"json2.Extendable.inner", "inner", "[json2.Extendable.inner]", 102, CW_KIND_ENUM,
         CW_SHAPE_OPTIONAL},
    };
    assert_int_equal(json_proto2_file.n_extensions, 3);
    for (size_t i = 0; i < 3; i++) {
        const cw_extension *x =
            cw_file_find_extension(&json_proto2_file, cw_str_from(want[i].full_name));
        assert_non_null(x);
        assert_ptr_equal(x->extendee, &json2_Extendable_type);
        assert_string_equal(x->field->name, want[i].name);
        assert_string_equal(x->field->json_name, want[i].json_name);
        assert_int_equal(x->field->number, want[i].number);
        assert_int_equal(x->field->kind, want[i].kind);
        assert_int_equal(x->field->shape, want[i].shape);
    }
    assert_int_equal(json2_Extendable_type.n_fields, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order),     cmocka_unit_test(enums), cmocka_unit_test(presence_bits),
        cmocka_unit_test(oneofs),    cmocka_unit_test(maps),  cmocka_unit_test(groups_and_proto2),
        cmocka_unit_test(functions), cmocka_unit_test(files), cmocka_unit_test(extensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
