/* SPDX-License-Identifier: MIT */
/* The four rules of names.h. Schemas are written as short texts: see parse_schema. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "build.h"
#include "names.h"

/*
 * "M{f g? h* k% o:i o:j m=X N{} e[A B]}": messages, nested ones and enums (with the values' names).
 * Members: f int32 without presence, g? with presence, h* repeated, k% a map, o:i member of oneof
 * o, m=X of type .PACKAGE.X.
 */
typedef struct parser {
    const char *p;
    cwg_arena *a;
    const char *package;
} parser;

static const char *word(parser *x)
{
    const char *start = x->p;
    while (*x->p && !strchr("{}[] ?*%:=", *x->p))
        x->p++;
    return cwg_dup_bytes(x->a, start, (size_t)(x->p - start));
}

static void parse_enum(parser *x, rec *parent, int number, const char *name)
{
    rec *e = rec_named(x->a, name);
    x->p++;
    for (int i = 0; *x->p != ']';) {
        if (*x->p == ' ') {
            x->p++;
            continue;
        }
        rec_value(e, word(x), i++);
    }
    x->p++;
    rec_sub(parent, number, e);
}

static void parse_map(parser *x, rec *m, const char *scope, const char *name, int number)
{
    const char *entry = cwg_printf(x->a, "%s_Map", name);
    rec *e = rec_named(x->a, entry);
    rec_sub(e, MESSAGE_FIELD, rec_field(x->a, "key", 1, OPTIONAL_, INT32_, NULL));
    rec_sub(e, MESSAGE_FIELD, rec_field(x->a, "value", 2, OPTIONAL_, INT32_, NULL));
    rec *options = rec_new(x->a);
    rec_num(options, 7, 1);
    rec_sub(e, MESSAGE_OPTIONS, options);
    rec_sub(m, MESSAGE_NESTED, e);
    rec_sub(m, MESSAGE_FIELD,
            rec_field(x->a, name, number, REPEATED_, MESSAGE_,
                      cwg_printf(x->a, ".%s.%s", scope, entry)));
}

static void parse_message(parser *x, rec *parent, int place, const char *scope, const char *name)
{
    rec *m = rec_named(x->a, name);
    scope = *scope ? cwg_printf(x->a, "%s.%s", scope, name) : name;
    cwg_strmap oneofs = {0};
    int n_oneofs = 0, number = 0;
    x->p++;
    while (*x->p != '}') {
        if (*x->p == ' ') {
            x->p++;
            continue;
        }
        const char *w = word(x);
        rec *f = rec_field(x->a, w, ++number, OPTIONAL_, INT32_, NULL);
        char sign = *x->p;
        if (sign == '{') {
            parse_message(x, m, MESSAGE_NESTED, scope, w);
        } else if (sign == '[') {
            parse_enum(x, m, MESSAGE_ENUM, w);
        } else if (sign == '%') {
            x->p++;
            parse_map(x, m, scope, w, number);
        } else if (sign == '?' || sign == ':') {
            x->p++;
            const char *oneof = sign == '?' ? cwg_printf(x->a, "_opt_%s", w) : w;
            if (sign == ':')
                f = rec_field(x->a, word(x), number, OPTIONAL_, INT32_, NULL);
            else
                rec_num(f, FIELD_PROTO3_OPTIONAL, 1);
            int *index = cwg_new(x->a, 1, sizeof *index);
            *index = n_oneofs;
            int *old = cwg_map_put(x->a, &oneofs, oneof, index);
            if (!old) {
                rec_sub(m, MESSAGE_ONEOF, rec_named(x->a, oneof));
                n_oneofs++;
            }
            rec_num(f, FIELD_ONEOF, (uint64_t)(old ? *old : *index));
            rec_sub(m, MESSAGE_FIELD, f);
        } else if (sign == '*' || sign == '=') {
            x->p++;
            const char *dot = *x->package ? "." : "";
            const char *type =
                sign == '=' ? cwg_printf(x->a, ".%s%s%s", x->package, dot, word(x)) : NULL;
            rec_sub(m, MESSAGE_FIELD,
                    rec_field(x->a, w, number, type ? OPTIONAL_ : REPEATED_,
                              type ? MESSAGE_ : INT32_, type));
        } else {
            rec_sub(m, MESSAGE_FIELD, f);
        }
    }
    x->p++;
    rec_sub(parent, place, m);
}

static rec *parse_schema(cwg_arena *a, const char *file, const char *package, const char *text)
{
    rec *f = rec_file(a, file, package, "proto3", 0);
    parser x = {text, a, package};
    while (*x.p) {
        if (*x.p == ' ') {
            x.p++;
            continue;
        }
        const char *w = word(&x);
        if (*x.p == '[')
            parse_enum(&x, f, FILE_ENUM, w);
        else
            parse_message(&x, f, FILE_MESSAGE, package, w);
    }
    return f;
}

/* "shop.Order" -> "shop_Order shop.Order.qty" ...: the C name of any element. */
static const char *c_name_of(const cwg_model *model, const char *proto)
{
    for (int i = 0; i < model->n_files; i++) {
        const cwg_file *f = model->files[i];
        for (int k = 0; k < f->n_messages; k++) {
            const cwg_message *m = f->messages[k];
            size_t n = strlen(m->full_name);
            if (strcmp(m->full_name, proto) == 0)
                return m->c_name;
            for (int j = 0; j < m->n_fields; j++) {
                if (strcmp(m->fields[j]->full_name, proto) == 0)
                    return m->fields[j]->c_name;
            }
            for (int j = 0; j < m->n_oneofs; j++) {
                if (strncmp(m->full_name, proto, n) == 0 && proto[n] == '.' &&
                    strcmp(m->oneofs[j]->name, proto + n + 1) == 0)
                    return m->oneofs[j]->c_name;
            }
        }
        for (int k = 0; k < f->n_enums; k++) {
            const cwg_enum *e = f->enums[k];
            size_t n = strlen(e->full_name);
            if (strcmp(e->full_name, proto) == 0)
                return e->c_name;
            for (int j = 0; j < e->n_values; j++) {
                /* written as ENUM/VALUE */
                if (strncmp(e->full_name, proto, n) == 0 && proto[n] == '/' &&
                    strcmp(e->values[j].name, proto + n + 1) == 0)
                    return e->values[j].c_name;
            }
        }
    }
    return "nothing";
}

static const struct {
    int line;
    const char *package;
    const char *options;
    const char *schema;
    const char *names; /* "proto=c proto=c ..." */
    int changed;       /* entries in the list of changed names */
} rows[] = {
    /* rule 1 */
    {__LINE__, "shop", NULL, "Order{qty Item{KIND[A B]} }  Status[PAID]",
     "shop.Order=shop_Order shop.Order.Item=shop_Order_Item shop.Order.qty=qty "
     "shop.Status/PAID=shop_PAID shop.Order.Item.KIND/B=shop_Order_Item_B "
     "shop.Order.Item.KIND=shop_Order_Item_KIND",
     0},
    {__LINE__, "shop.v1", NULL, "Order{}", "shop.v1.Order=shop_v1_Order", 0},
    {__LINE__, "", NULL, "Order{}", "Order=Order", 0},
    {__LINE__, "shop.v1", "prefix=my", "Order{} E[A]",
     "shop.v1.Order=my_shop_v1_Order shop.v1.E/A=my_shop_v1_A", 0},
    {__LINE__, "shop.v1", "strip_package", "Order{Item{}} E[A]",
     "shop.v1.Order=Order shop.v1.Order.Item=Order_Item shop.v1.E/A=A", 0},
    {__LINE__, "Cart", "strip_package", "Cart{Line{n} line=Cart.Line}",
     "Cart.Cart=Cart Cart.Cart.Line=Cart_Line", 0},
    {__LINE__, "a", "strip_package,prefix=p", "M{}", "a.M=p_M", 0},
    {__LINE__, "", "strip_package", "M{}", "M=M", 0},
    /* B05: values of nested enums stand in the message */
    {__LINE__, "p", NULL, "P{K[OK]} Q{J[OK]}", "p.P.K/OK=p_P_OK p.Q.J/OK=p_Q_OK", 0},
    /* rule 2: types yield to generated functions */
    {__LINE__, "", NULL, "M{} M_init{} M_size{}", "M=M M_init=M_init_ M_size=M_size_", 2},
    {__LINE__, "", NULL, "M_init{} M{}", "M=M M_init=M_init_", 1},
    {__LINE__, "", NULL, "M{} M_init{} M_init_{}", "M_init=M_init_ M_init_=M_init___", 2},
    {__LINE__, "p", NULL, "M{} M_list{} E[A] E_name[B]", "p.M_list=p_M_list_ p.E_name=p_E_name_",
     2},
    {__LINE__, "p", NULL, "M{ f? } M_set_f{} M_clear_f{} M_mut_f{}",
     "p.M_set_f=p_M_set_f_ p.M_clear_f=p_M_clear_f_ p.M_mut_f=p_M_mut_f", 2},
    {__LINE__, "p", NULL, "M{ f } M_set_f{} M_add_f{}", "p.M_set_f=p_M_set_f p.M_add_f=p_M_add_f",
     0},
    {__LINE__, "p", NULL, "M{ f* } M_add_f{}", "p.M_add_f=p_M_add_f_", 1},
    {__LINE__, "p", NULL, "M{ f% } M_f_get{} M_f_sort{} M_f{}",
     "p.M.f=f p.M_f_get=p_M_f_get_ p.M_f_sort=p_M_f_sort_ p.M_f=p_M_f", 2},
    /* both make p_M_f_entry_list: the field comes after the message */
    {__LINE__, "p", NULL, "M{ f% f_entry{} }", "p.M.f_entry=p_M_f_entry p.M.f=f_", 1},
    {__LINE__, "p", NULL, "M{ f% f_entry[A] }", "p.M.f_entry=p_M_f_entry_ p.M.f=f", 1},
    {__LINE__, "p", NULL, "M{ o:a o:b o_case{} } M_o_a{} M_o_NOT_SET{}",
     "p.M.o_case=p_M_o_case_ p.M_o_a=p_M_o_a_ p.M_o_NOT_SET=p_M_o_NOT_SET_", 3},
    /* B06, B07 */
    {__LINE__, "", NULL, "Pick{ Label[L0 L1] label:lab label:num }",
     "Pick.Label=Pick_Label Pick.label=label", 0},
    {__LINE__, "", NULL, "A_B{C{p}} A{B_C{q}}", "A_B.C=A_B_C A.B_C=A_B_C__", 1},
    /* members */
    {__LINE__, "p", NULL, "M{ has unknown has_ }",
     "p.M.has=has_ p.M.unknown=unknown_ p.M.has_=has__", 3},
    {__LINE__, "p", NULL, "M{ base legs* n_legs has_note note? }",
     "p.M.base=base p.M.legs=legs p.M.n_legs=n_legs p.M.has_note=has_note p.M.note=note", 0},
    {__LINE__, "p", NULL, "M{ o:a o_case }", "p.M.o=o p.M.o_case=o_case_", 1},
    {__LINE__, "p", NULL, "M{ o:a o_case:b }", "p.M.o=o p.M.o_case=o_case_", 1},
    {__LINE__, "p", NULL, "M{ o:NOT_SET o:case }", "p.M.NOT_SET=NOT_SET_ p.M.case=case_", 2},
    /* generated against generated: T_set_get of `get?` and of the map `set` */
    {__LINE__, "p", NULL, "M{ set% get? }", "p.M.set=set p.M.get=get_", 1},
    {__LINE__, "p", NULL, "M{ get? set% }", "p.M.get=get p.M.set=set_", 1},
    /* the constant T_set_x of a oneof `set` and the setter of its member x */
    {__LINE__, "p", NULL, "M{ set:x }", "p.M.set=set_ p.M.x=x", 1},
    {__LINE__, "p", NULL, "A{init?} A_set{}", "p.A_set=p_A_set p.A.init=init_", 1},
    /* rule 3: keywords and macros */
    {__LINE__, "p", NULL, "M{ class int and nullptr co_await constexpr typeof register }",
     "p.M.class=class_ p.M.int=int_ p.M.and=and_ p.M.nullptr=nullptr_ p.M.co_await=co_await_ "
     "p.M.constexpr=constexpr_ p.M.typeof=typeof_ p.M.register=register_",
     8},
    {__LINE__, "p", NULL, "M{ errno stdin EOF NULL INFINITY linux unix IN OUT ERROR near small I }",
     "p.M.errno=errno_ p.M.stdin=stdin_ p.M.EOF=EOF_ p.M.NULL=NULL_ p.M.INFINITY=INFINITY_ "
     "p.M.linux=linux_ p.M.unix=unix_ p.M.IN=IN_ p.M.OUT=OUT_ p.M.ERROR=ERROR_ p.M.near=near_ "
     "p.M.small=small_ p.M.I=I_",
     13},
    {__LINE__, "p", NULL, "M{ min max major minor index data len }",
     "p.M.min=min p.M.max=max p.M.major=major p.M.index=index p.M.data=data p.M.len=len", 0},
    {__LINE__, "p", NULL, "M{ _Bool __x _y linux__ __linux__ }",
     "p.M._Bool=_Bool_ p.M.__x=__x_ p.M._y=_y p.M.linux__=linux__ p.M.__linux__=__linux___", 3},
    {__LINE__, "p", NULL, "M{ cw_str size_t uint32_t cw_power }",
     "p.M.cw_str=cw_str_ p.M.size_t=size_t_ p.M.uint32_t=uint32_t_ p.M.cw_power=cw_power", 3},
    /* at file scope, without package */
    {__LINE__, "", NULL, "target{} out{} len{} size_t{} printf{} min{} index{} int{} Order{}",
     "target=target_ out=out_ len=len_ size_t=size_t_ printf=printf_ min=min_ index=index_ "
     "int=int_ "
     "Order=Order",
     8},
    {__LINE__, "", NULL, "E[OK ERROR NULL end INT_MAX]",
     "E/OK=OK E/ERROR=ERROR_ E/NULL=NULL_ E/end=end_ E/INT_MAX=INT_MAX_", 4},
    {__LINE__, "", NULL, "sem{} pthread{}", "sem=sem_ pthread=pthread_",
     2}, /* sem_init, pthread_equal */
    {__LINE__, "p", NULL, "target{} min{} E[ERROR]",
     "p.target=p_target p.min=p_min p.E/ERROR=p_ERROR", 0},
    {__LINE__, "cw", NULL, "str{} arena{init?}", "cw.str=cw_str_ cw.arena=cw_arena_", 2},
    {__LINE__, "", NULL, "cw{} CW{}", "cw=cw__ CW=CW__", 2},
    {__LINE__, "", NULL, "_X{} _x{} a__b{}", "_X=_X_ _x=_x a__b=a__b_", 2},
    {__LINE__, "", NULL, "M{} M__write{} M_{}", "M__write=M__write_ M_=M__", 2},
    /* C++: no member is named like a type that the struct uses */
    {__LINE__, "", NULL, "Bar{ Bar=Bar Baz=Baz Foo } Baz{} Foo{}",
     "Bar.Bar=Bar_ Bar.Baz=Baz_ Bar.Foo=Foo", 2},
    {__LINE__, "p", NULL, "Bar{ Bar=Bar }", "p.Bar.Bar=Bar", 0},
};

static void c_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cwg_arena a = {0};
        rec *file = parse_schema(&a, "t.proto", rows[i].package, rows[i].schema);
        cwg_model model;
        const char *options = cwg_printf(&a, "json=off%s%s", rows[i].options ? "," : "",
                                         rows[i].options ? rows[i].options : "");
        const char *error = read_model(rec_request(&a, &file, 1, options), &model, &a);
        if (error)
            fail_msg("row of line %d: %s", rows[i].line, error);
        char *list = cwg_dup(&a, rows[i].names);
        while (list) {
            char *proto = list;
            list = strchr(list, ' ');
            if (list)
                *list++ = '\0';
            char *want = strchr(proto, '=');
            *want++ = '\0';
            const char *got = c_name_of(&model, proto);
            if (strcmp(got, want) != 0)
                fail_msg("row of line %d: %s is %s, not %s", rows[i].line, proto, got, want);
        }
        if (model.files[0]->n_changed != rows[i].changed)
            fail_msg("row of line %d: %d changed names", rows[i].line, model.files[0]->n_changed);
        cwg_arena_free(&a);
    }
}

/* Rule 4: names of different files do not yield to each other. */
static void across_files(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *name1, *package1, *schema1;
        const char *name2, *package2, *schema2;
        const char *options;
        const char *error; /* NULL: all is well */
    } pairs[] = {
        {__LINE__, "a.proto", "a", "M{}", "b.proto", "b", "M{}", NULL, NULL},
        {__LINE__, "a.proto", "a", "M{}", "b.proto", "b", "M{}", "strip_package", "M"},
        {__LINE__, "a.proto", "", "A_B{C{}}", "b.proto", "", "A{B_C{}}", NULL, "A.B_C"},
        {__LINE__, "a.proto", "a", "E[X]", "b.proto", "b", "F[X]", "strip_package", "b.X"},
        {__LINE__, "a.proto", "", "M{f?}", "b.proto", "", "M_set_f{}", NULL, "M_set_f"},
        {__LINE__, "a-b.proto", "a", "M{}", "a_b.proto", "b", "M{}", NULL, "a_b_file"},
        {__LINE__, "a/b.proto", "a", "", "a_b.proto", "b", "", NULL, "a_b_file"},
        {__LINE__, "a.proto", "a", "M{}", "A.proto", "b", "M{}", NULL, "A_CW_H"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        cwg_arena a = {0};
        rec *files[] = {
            parse_schema(&a, pairs[i].name1, pairs[i].package1, pairs[i].schema1),
            parse_schema(&a, pairs[i].name2, pairs[i].package2, pairs[i].schema2),
        };
        cwg_model model;
        const char *error = read_model(rec_request(&a, files, 2, pairs[i].options), &model, &a);
        if (!pairs[i].error && error)
            fail_msg("row of line %d: %s", pairs[i].line, error);
        if (pairs[i].error) {
            /* names both files and what meets */
            if (!error || !strstr(error, pairs[i].name1) || !strstr(error, pairs[i].name2) ||
                !strstr(error, pairs[i].error))
                fail_msg("row of line %d: %s", pairs[i].line, error ? error : "no error");
        }
        cwg_arena_free(&a);
    }
}

/* What a file's names are does not depend on the other files of the request. */
static void independent_of_company(void **state)
{
    (void)state;
    cwg_arena a = {0};
    const char *schema = "M{ has } M_init{} target{}";
    rec *alone = parse_schema(&a, "z.proto", "", schema);
    rec *files[] = {parse_schema(&a, "o.proto", "other", "M{} M_init{ x? }"), alone};
    cwg_model one, two;
    assert_null(read_model(rec_request(&a, &alone, 1, NULL), &one, &a));
    assert_null(read_model(rec_request(&a, files, 2, NULL), &two, &a));
    for (int i = 0; i < 3; i++)
        assert_string_equal(one.files[0]->messages[i]->c_name, two.files[1]->messages[i]->c_name);
    cwg_arena_free(&a);
}

static void files(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *name;
        const char *options;
        const char *base, *include, *ident, *guard;
    } table[] = {
        {__LINE__, "shop/order.proto", NULL, "shop/order", "shop/order.cw.h", "shop_order",
         "SHOP_ORDER_CW_H"},
        {__LINE__, "a b/c-d.e.proto", NULL, "a b/c-d.e", "a b/c-d.e.cw.h", "a_b_c_d_e",
         "A_B_C_D_E_CW_H"},
        {__LINE__, "noext", NULL, "noext", "noext.cw.h", "noext", "NOEXT_CW_H"},
        {__LINE__, "3d.proto", NULL, "3d", "3d.cw.h", "proto_3d", "PROTO_3D_CW_H"},
        {__LINE__, "cw/x.proto", NULL, "cw/x", "cw/x.cw.h", "proto_cw_x", "PROTO_CW_X_CW_H"},
        {__LINE__, "x.proto", "prefix=my", "x", "x.cw.h", "my_x", "MY_X_CW_H"},
        {__LINE__, "google/protobuf/any.proto", "prefix=my", "cwire/wkt/any", "cwire/wkt/any.cw.h",
         "google_protobuf_any", "GOOGLE_PROTOBUF_ANY_CW_H"},
        {__LINE__, "google/protobuf/test_messages.proto", NULL, "google/protobuf/test_messages",
         "google/protobuf/test_messages.cw.h", "google_protobuf_test_messages",
         "GOOGLE_PROTOBUF_TEST_MESSAGES_CW_H"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        cwg_arena a = {0};
        rec *file = rec_file(&a, table[i].name, "p", "proto3", 0);
        cwg_model model;
        const char *error = read_model(rec_request(&a, &file, 1, table[i].options), &model, &a);
        if (error)
            fail_msg("row of line %d: %s", table[i].line, error);
        const cwg_file *f = model.files[0];
        if (strcmp(f->base, table[i].base) != 0 || strcmp(f->include, table[i].include) != 0 ||
            strcmp(f->ident, table[i].ident) != 0 || strcmp(f->guard, table[i].guard) != 0)
            fail_msg("row of line %d: %s %s %s %s", table[i].line, f->base, f->include, f->ident,
                     f->guard);
        cwg_arena_free(&a);
    }
}

/* A file that uses a well-known type: never with a prefix, and by the runtime's one header. */
static void well_known(void **state)
{
    (void)state;
    cwg_arena a = {0};
    rec *any = rec_file(&a, "google/protobuf/any.proto", "google.protobuf", "proto3", 0);
    rec_sub(any, FILE_MESSAGE, rec_named(&a, "Any"));
    rec *time = rec_file(&a, "google/protobuf/timestamp.proto", "google.protobuf", "proto3", 0);
    rec_sub(time, FILE_MESSAGE, rec_named(&a, "Timestamp"));
    rec *user = rec_file(&a, "u.proto", "u", "proto3", 0);
    rec_str(user, FILE_DEPENDENCY, "google/protobuf/any.proto");
    rec_str(user, FILE_DEPENDENCY, "google/protobuf/timestamp.proto");
    rec *m = rec_named(&a, "M");
    rec_sub(m, MESSAGE_FIELD,
            rec_field(&a, "t", 1, OPTIONAL_, MESSAGE_, ".google.protobuf.Timestamp"));
    rec_sub(m, MESSAGE_FIELD, rec_field(&a, "a", 2, OPTIONAL_, MESSAGE_, ".google.protobuf.Any"));
    rec_sub(user, FILE_MESSAGE, m);
    rec *request = rec_new(&a);
    rec_str(request, 1, "u.proto");
    rec_str(request, 2, "prefix=x,strip_package");
    rec_sub(request, 15, any);
    rec_sub(request, 15, time);
    rec_sub(request, 15, user);
    cwg_model model;
    assert_null(read_model(request, &model, &a));
    const cwg_file *f = model.files[2];
    assert_string_equal(find_message(&model, "u.M")->c_name, "x_M");
    assert_string_equal(find_field(&model, "u.M", "t")->c_type, "google_protobuf_Timestamp");
    assert_int_equal(f->n_deps, 1);
    assert_string_equal(f->deps[0].include, "cwire/wkt.h");
    assert_int_equal(f->n_imports, 2);
    assert_string_equal(f->imports[1]->ident, "google_protobuf_timestamp");
    assert_false(model.files[0]->generate);
    assert_true(f->generate);
    cwg_arena_free(&a);
}

/* Every reserved word is an identifier and in its scope. */
static void reserved_words(void **state)
{
    (void)state;
    cwg_arena a = {0};
    cwg_strmap words = cwg_reserved_words(&a);
    assert_true(words.used > 700);
    for (size_t i = 0; i < words.cap; i++) {
        if (!words.keys[i])
            continue;
        assert_true(cwg_is_reserved(&words, words.keys[i], CWG_SCOPE_FILE));
        assert_int_equal(strspn(words.keys[i],
                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_"),
                         strlen(words.keys[i]));
    }
    assert_false(cwg_is_reserved(&words, "min", CWG_SCOPE_MEMBER));
    assert_false(cwg_is_reserved(&words, "malloc", CWG_SCOPE_MEMBER));
    assert_true(cwg_is_reserved(&words, "errno", CWG_SCOPE_MEMBER));
    assert_false(cwg_is_reserved(&words, "Order", CWG_SCOPE_FILE));
    cwg_arena_free(&a);
}

static void options(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *parameter;
        const char *error; /* NULL: all is well */
        bool json, text, strip;
        const char *prefix;
    } table[] = {
        {__LINE__, NULL, NULL, true, false, false, ""},
        {__LINE__, "", NULL, true, false, false, ""},
        {__LINE__, "json=off", NULL, false, false, false, ""},
        {__LINE__, "json=on,text=off,optimize=speed", NULL, true, false, false, ""},
        {__LINE__, "strip_package,prefix=ab_1", NULL, true, false, true, "ab_1"},
        {__LINE__, "text=on", NULL, true, true, false, ""},
        {__LINE__, "json=off,text=on", NULL, false, true, false, ""},
        {__LINE__, "text", "option text: expected text=on or text=off", 0, 0, 0, ""},
        {__LINE__, "json", "option json: expected json=on or json=off", 0, 0, 0, ""},
        {__LINE__, "json=yes", "option json: expected json=on or json=off", 0, 0, 0, ""},
        {__LINE__, "json=on,json=on", "option json is given twice", 0, 0, 0, ""},
        {__LINE__, "text=yes", "option text: expected text=on or text=off", 0, 0, 0, ""},
        {__LINE__, "optimize=size", NULL, true, false, false, ""},
        {__LINE__, "optimize=fast", "option optimize: expected optimize=speed or optimize=size", 0,
         0, 0, ""},
        {__LINE__, "strip_package=1", "option strip_package takes no value", 0, 0, 0, ""},
        {__LINE__, "prefix", "option prefix: \"\" does not begin a C identifier", 0, 0, 0, ""},
        {__LINE__, "prefix=1a", "option prefix: \"1a\" does not begin a C identifier", 0, 0, 0, ""},
        {__LINE__, "prefix=a_",
         "option prefix: give the name without the final \"_\" and without \"__\"", 0, 0, 0, ""},
        {__LINE__, "prefix=cw", "option prefix: \"cw\" is the runtime's own prefix", 0, 0, 0, ""},
        {__LINE__, "json=on,",
         "unknown option \"\"; valid are: json=on|off, text=on|off, prefix=NAME, strip_package, "
         "optimize=speed|size",
         0, 0, 0, ""},
        {__LINE__, "Json=on",
         "unknown option \"Json\"; valid are: json=on|off, text=on|off, prefix=NAME, "
         "strip_package, "
         "optimize=speed|size",
         0, 0, 0, ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        cwg_arena a = {0};
        cwg_diag d = {&a, NULL};
        cwg_options o;
        bool ok = cwg_options_parse(table[i].parameter, &o, &d);
        if (ok != !table[i].error || (d.error && strcmp(d.error, table[i].error) != 0))
            fail_msg("row of line %d: %s", table[i].line, d.error ? d.error : "no error");
        if (ok && (o.json != table[i].json || o.strip_package != table[i].strip ||
                   o.text != table[i].text || strcmp(o.prefix, table[i].prefix) != 0))
            fail_msg("row of line %d: wrong values", table[i].line);
        cwg_arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c_names),    cmocka_unit_test(across_files),
        cmocka_unit_test(files),      cmocka_unit_test(independent_of_company),
        cmocka_unit_test(well_known), cmocka_unit_test(reserved_words),
        cmocka_unit_test(options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
