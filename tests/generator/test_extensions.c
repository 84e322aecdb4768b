/* SPDX-License-Identifier: MIT */
/* Which extensions are refused, and what the model says of the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "build.h"

/* message NAME { extensions FIRST to LAST; } */
static rec *host(cwg_arena *a, const char *name, int first, int last, bool message_set)
{
    rec *m = rec_named(a, name);
    rec *range = rec_new(a);
    rec_num(range, 1, (uint64_t)first);
    rec_num(range, 2, (uint64_t)last + 1);
    rec_sub(m, MESSAGE_RANGE, range);
    if (message_set) {
        rec *options = rec_new(a);
        rec_num(options, 1, 1);
        rec_sub(m, MESSAGE_OPTIONS, options);
    }
    return m;
}

static const struct {
    int line;
    const char *extendee;
    int number;
    int label;
    int type;
    const char *error; /* NULL: it is good */
} rows[] = {
    {__LINE__, ".p.Host", 100, OPTIONAL_, INT32_, NULL},
    {__LINE__, ".p.Host", 199, REPEATED_, MESSAGE_, NULL},
    {__LINE__, ".p.Host", 200, OPTIONAL_, INT32_,
     "t.proto: p.e: number 200 is not in an extension range of p.Host"},
    {__LINE__, ".p.Host", 100, REQUIRED_, INT32_, "t.proto: p.e: label 2 is not valid here"},
    {__LINE__, ".p.Set", 4, OPTIONAL_, MESSAGE_, NULL},
    {__LINE__, ".p.Set", 0x7ffffffe, OPTIONAL_, MESSAGE_, NULL},
    {__LINE__, ".p.Set", 4, OPTIONAL_, INT32_,
     "t.proto: p.e: an extension of a message set is an optional message"},
    {__LINE__, ".p.Set", 4, OPTIONAL_, GROUP_,
     "t.proto: p.e: an extension of a message set is an optional message"},
    {__LINE__, ".p.Set", 4, REPEATED_, MESSAGE_,
     "t.proto: p.e: an extension of a message set is an optional message"},
};

static void refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cwg_arena a = {0};
        rec *file = rec_file(&a, "t.proto", "p", "proto2", 0);
        rec_sub(file, FILE_MESSAGE, host(&a, "Host", 100, 199, false));
        rec_sub(file, FILE_MESSAGE, host(&a, "Set", 4, 0x7ffffffe, true));
        bool message = rows[i].type == MESSAGE_ || rows[i].type == GROUP_;
        rec *f = rec_field(&a, "e", rows[i].number, rows[i].label, rows[i].type,
                           message ? ".p.Host" : NULL);
        rec_str(f, FIELD_EXTENDEE, rows[i].extendee);
        rec_sub(file, FILE_EXTENSION, f);
        cwg_model model;
        const char *error = read_model(rec_request(&a, &file, 1, NULL), &model, &a);
        const char *want = rows[i].error ? rows[i].error : "no error";
        if (strcmp(error ? error : "no error", want) != 0)
            fail_msg("row of line %d: %s", rows[i].line, error ? error : "no error");
        if (!error)
            assert_int_equal(model.files[0]->n_extensions, 1);
        cwg_arena_free(&a);
    }
}

/* Named after themselves; types yield to their functions, and to what these call their own. */
static void names(void **state)
{
    (void)state;
    static const char *const types[] = {"x_has", "y_has", "y_", "Host_x_set"};
    static const char *const c_names[] = {"p_x_has", "p_y_has_", "p_y__", "p_Host_x_set_"};
    cwg_arena a = {0};
    rec *file = rec_file(&a, "t.proto", "p", "proto2", 0);
    for (size_t i = 0; i < 4; i++)
        rec_sub(file, FILE_MESSAGE, rec_named(&a, types[i]));
    rec *m = host(&a, "Host", 100, 199, false);
    rec *x = rec_field(&a, "x", 100, OPTIONAL_, INT32_, NULL);
    rec_str(x, FIELD_EXTENDEE, ".p.Host");
    rec_sub(m, MESSAGE_EXTENSION, x);
    rec_sub(file, FILE_MESSAGE, m);
    rec *y = rec_field(&a, "y", 101, OPTIONAL_, INT32_, NULL);
    rec_str(y, FIELD_EXTENDEE, ".p.Host");
    rec_sub(file, FILE_EXTENSION, y);
    cwg_model model;
    const char *error = read_model(rec_request(&a, &file, 1, NULL), &model, &a);
    if (error)
        fail_msg("%s", error);
    const cwg_file *f = model.files[0];
    assert_int_equal(f->n_extensions, 2);
    assert_string_equal(f->extensions[0]->full_name, "p.Host.x");
    assert_string_equal(f->extensions[0]->c_name, "p_Host_x");
    assert_string_equal(f->extensions[0]->json_name, "[p.Host.x]");
    assert_ptr_equal(f->extensions[0]->scope, f->extensions[0]->extendee);
    assert_string_equal(f->extensions[1]->c_name, "p_y");
    assert_null(f->extensions[1]->scope);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(f->messages[i]->c_name, c_names[i]);
    assert_int_equal(f->n_changed, 3);
    cwg_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
