/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cwire/type.h"

static const cw_field fields[] = {
    {.name = "id", .json_name = "id", .number = 1},
    {.name = "unit_cents", .json_name = "unitCents", .number = 3},
    {.name = "far", .json_name = "away", .number = 536870911},
};

static const cw_type order = {.full_name = "shop.Order", .fields = fields, .n_fields = 3};
static const cw_type item = {.full_name = "shop.Order.Item"};
static const cw_type other = {.full_name = "b.Other"};
static const cw_type deep = {.full_name = "c.Deep"};
static const cw_type nameless = {.full_name = ""};
static const cw_extension note = {.full_name = "shop.note", .extendee = &order};
static const cw_extension deep_note = {.full_name = "c.note", .extendee = &order};

static const cw_type *const deep_types[] = {&deep};
static const cw_extension *const deep_extensions[] = {&deep_note};
static const cw_file deep_file = {.name = "deep.proto",
                                  .types = deep_types,
                                  .n_types = 1,
                                  .extensions = deep_extensions,
                                  .n_extensions = 1};
static const cw_file *const other_imports[] = {&deep_file};
static const cw_type *const other_types[] = {&other};
static const cw_file other_file = {.name = "other.proto",
                                   .types = other_types,
                                   .n_types = 1,
                                   .imports = other_imports,
                                   .n_imports = 1};
static const cw_file *const shop_imports[] = {&other_file, &deep_file};
static const cw_type *const shop_types[] = {&order, &item};
static const cw_extension *const shop_extensions[] = {&note};
static const cw_file shop_file = {.name = "shop.proto",
                                  .types = shop_types,
                                  .n_types = 2,
                                  .extensions = shop_extensions,
                                  .n_extensions = 1,
                                  .imports = shop_imports,
                                  .n_imports = 2};

static void in_a_file_and_its_imports(void **state)
{
    (void)state;
    assert_ptr_equal(cw_file_find_type(&shop_file, CW_STR("shop.Order")), &order);
    assert_ptr_equal(cw_file_find_type(&shop_file, CW_STR("shop.Order.Item")), &item);
    assert_ptr_equal(cw_file_find_type(&shop_file, CW_STR("b.Other")), &other);
    assert_ptr_equal(cw_file_find_type(&shop_file, CW_STR("c.Deep")), &deep);
    assert_ptr_equal(cw_file_find_type(&other_file, CW_STR("c.Deep")), &deep);
    assert_null(cw_file_find_type(&other_file, CW_STR("shop.Order")));
    assert_null(cw_file_find_type(&shop_file, CW_STR("shop.Orde")));
    assert_null(cw_file_find_type(&shop_file, CW_STR("shop.Order\0")));
    assert_null(cw_file_find_type(&shop_file, CW_STR("shop.Orders")));
    assert_null(cw_file_find_type(&shop_file, CW_STR("shop.note")));
    assert_null(cw_file_find_type(&shop_file, (cw_str){0}));
    assert_ptr_equal(cw_file_find_extension(&shop_file, CW_STR("shop.note")), &note);
    assert_ptr_equal(cw_file_find_extension(&shop_file, CW_STR("c.note")), &deep_note);
    assert_null(cw_file_find_extension(&other_file, CW_STR("shop.note")));
    const cw_type *const types[] = {&nameless};
    const cw_file odd = {.types = types, .n_types = 1};
    assert_ptr_equal(cw_file_find_type(&odd, (cw_str){0}), &nameless);
}

static void in_a_registry(void **state)
{
    (void)state;
    const cw_file *const files[] = {&other_file, &shop_file};
    const cw_registry r = {files, 2}, empty = {NULL, 0};
    assert_ptr_equal(cw_registry_find_type(&r, CW_STR("shop.Order")), &order);
    assert_ptr_equal(cw_registry_find_type(&r, CW_STR("c.Deep")), &deep);
    assert_null(cw_registry_find_type(&r, CW_STR("c.Deeper")));
    assert_ptr_equal(cw_registry_find_extension(&r, CW_STR("shop.note")), &note);
    assert_ptr_equal(cw_registry_find_extension(&r, CW_STR("c.note")), &deep_note);
    assert_null(cw_registry_find_extension(&r, CW_STR("c.Deep")));
    assert_null(cw_registry_find_type(&empty, CW_STR("shop.Order")));
    assert_null(cw_registry_find_type(NULL, CW_STR("shop.Order")));
    assert_null(cw_registry_find_extension(NULL, CW_STR("shop.note")));
}

/* Layers of two files, each importing both of the next layer: 2^60 paths, 120 files. And a cycle,
 * which .proto files cannot have but tables made by hand can. */
static void import_graphs_are_walked_once(void **state)
{
    (void)state;
    enum { LAYERS = 60 };
    static cw_file files[LAYERS * 2];
    static const cw_file *imports[LAYERS * 2][2];
    for (size_t i = 0; i < (size_t)LAYERS * 2; i++) {
        size_t next = (i / 2 + 1) % LAYERS * 2;
        imports[i][0] = &files[next];
        imports[i][1] = &files[next + 1];
        files[i].imports = imports[i];
        files[i].n_imports = 2;
    }
    files[LAYERS * 2 - 1].types = deep_types;
    files[LAYERS * 2 - 1].n_types = 1;
    assert_ptr_equal(cw_file_find_type(&files[0], CW_STR("c.Deep")), &deep);
    assert_null(cw_file_find_type(&files[0], CW_STR("c.Other")));
}

/* More files than a search follows imports through: those that are listed are all found. */
static void large_registries(void **state)
{
    (void)state;
    enum { N = 2000 };
    static const cw_file *files[N];
    static cw_file fillers[N];
    for (size_t i = 0; i < N; i++) {
        files[i] = &fillers[i];
    }
    files[N - 1] = &shop_file;
    const cw_registry r = {files, N};
    const cw_extension *found[2] = {NULL, NULL};
    assert_int_equal(cw__extensions_of(&order, NULL, &r, found, 2), 1);
    assert_ptr_equal(found[0], &note);
    assert_ptr_equal(cw_registry_find_type(&r, CW_STR("shop.Order")), &order);
    assert_ptr_equal(cw_registry_find_extension(&r, CW_STR("shop.note")), &note);
}

static void extensions_of_a_message(void **state)
{
    (void)state;
    const cw_file *const files[] = {&other_file, &shop_file, &other_file};
    const cw_registry r = {files, 3}, empty = {NULL, 0};
    const cw_extension *found[4] = {NULL, NULL, NULL, NULL};
    assert_int_equal(cw__extensions_of(&order, &shop_file, NULL, found, 4), 2);
    assert_ptr_equal(found[0], &note);
    assert_ptr_equal(found[1], &deep_note);
    assert_null(found[2]);
    /* Each file once, the own one and its imports first. */
    assert_int_equal(cw__extensions_of(&order, &shop_file, &r, found, 4), 2);
    assert_ptr_equal(found[0], &note);
    assert_int_equal(cw__extensions_of(&order, &other_file, &r, found, 4), 2);
    assert_ptr_equal(found[0], &deep_note);
    assert_ptr_equal(found[1], &note);
    assert_int_equal(cw__extensions_of(&order, NULL, &r, found, 1), 2);
    assert_ptr_equal(found[0], &note);
    assert_ptr_equal(found[1], &note); /* of the call before */
    assert_int_equal(cw__extensions_of(&order, NULL, NULL, found, 4), 0);
    assert_int_equal(cw__extensions_of(&order, NULL, &empty, NULL, 0), 0);
    assert_int_equal(cw__extensions_of(&item, &shop_file, &r, found, 4), 0);
}

static void fields_of_a_type(void **state)
{
    (void)state;
    assert_ptr_equal(cw_type_field(&order, 1), &fields[0]);
    assert_ptr_equal(cw_type_field(&order, 3), &fields[1]);
    assert_ptr_equal(cw_type_field(&order, 536870911), &fields[2]);
    assert_null(cw_type_field(&order, 0));
    assert_null(cw_type_field(&order, 2));
    assert_null(cw_type_field(&order, 4));
    assert_null(cw_type_field(&order, UINT32_MAX));
    assert_null(cw_type_field(&item, 1));
    assert_ptr_equal(cw_type_field_named(&order, CW_STR("unit_cents")), &fields[1]);
    assert_ptr_equal(cw_type_field_named(&order, CW_STR("unitCents")), &fields[1]);
    assert_ptr_equal(cw_type_field_named(&order, CW_STR("away")), &fields[2]);
    assert_null(cw_type_field_named(&order, CW_STR("unit")));
    assert_null(cw_type_field_named(&order, (cw_str){0}));
}

static void list_views(void **state)
{
    (void)state;
    uint32_t numbers[] = {1, 2};
    cw_u32_list list = {numbers, 2, 0};
    cw_list_view v = cw_list_load(&list);
    assert_ptr_equal(v.data, numbers);
    assert_int_equal(v.len, 2);
    v.len = 1;
    cw_list_store(&list, v);
    assert_int_equal(list.len, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_a_file_and_its_imports),
        cmocka_unit_test(in_a_registry),
        cmocka_unit_test(import_graphs_are_walked_once),
        cmocka_unit_test(large_registries),
        cmocka_unit_test(extensions_of_a_message),
        cmocka_unit_test(fields_of_a_type),
        cmocka_unit_test(list_views),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
