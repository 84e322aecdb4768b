/* SPDX-License-Identifier: MIT */
/* emit_copy.c: T_copy (deep, all into the arena) and T_equal. */
#include "emit_common.h"

/* --- copy ---------------------------------------------------------------------------------------
 */

/* Deep copy of one value that is not a message: only views have something behind them. */
static void emit_copy_view(cwg_text *t, const cwg_field *f, const char *from, const char *to)
{
    cwg_set(t, "function", cwg_is_string(f) ? "str" : "bytes");
    cwg_set(t, "from", from);
    cwg_set(t, "to", to);
    cwg_emit(t, "if (!cw_arena_$function$(a, $from$, &$to$)) {\n"
                "return false;\n"
                "}\n");
}

static void emit_copy_pointer(cwg_text *t)
{
    cwg_emit(t, "$M$ *x = $M$__new(a);\n"
                "if (x == NULL || !$M$__copy(x, $from$, a)) {\n"
                "return false;\n"
                "}\n"
                "$to$ = x;\n");
}

static void emit_copy_singular(cwg_text *t, const cwg_field *f)
{
    if (!f->message && !cwg_is_view(f))
        return;
    cwg_set_place(t, "from", f, "from");
    cwg_set_place(t, "to", f, "to");
    cwg_set_present(t, "present", f, "from");
    if (!f->message && f->shape != CWG_ONEOF) { /* an absent one may have a default */
        emit_copy_view(t, f, cwg_get(t, "from"), cwg_get(t, "to"));
        return;
    }
    cwg_emit(t, "if ($present$) {\n");
    if (f->message)
        emit_copy_pointer(t);
    else
        emit_copy_view(t, f, cwg_get(t, "from"), cwg_get(t, "to"));
    cwg_emit(t, "}\n");
}

/* One element of a list or a map at index i. */
static void emit_copy_element(cwg_text *t, const cwg_field *f, const char *member)
{
    cwg_setf(t, "source", "from->%s.data[i]%s", cwg_get(t, "F"), member);
    cwg_setf(t, "target", "to->%s.data[i]%s", cwg_get(t, "F"), member);
    if (f->message) {
        cwg_set(t, "M", f->message->c_name);
        cwg_emit(t, "if (!$M$__copy(&$target$, &$source$, a)) {\n"
                    "return false;\n"
                    "}\n");
    } else if (cwg_is_view(f)) {
        emit_copy_view(t, f, cwg_get(t, "source"), cwg_get(t, "target"));
    }
}

static void emit_copy_list(cwg_text *t, const cwg_field *f)
{
    cwg_emit(t, "void *data = NULL;\n"
                "if (!cw__copy_array(a, from->$F$.data, from->$F$.len, sizeof *to->$F$.data, "
                "&data)) {\n"
                "return false;\n"
                "}\n"
                "to->$F$.data = data;\n"
                "to->$F$.cap = to->$F$.len;\n");
    const cwg_field *key = f->map ? f->map->key : NULL;
    const cwg_field *value = f->map ? f->map->value : f;
    if (!value->message && !cwg_is_view(value) && !(key && cwg_is_view(key)))
        return;
    cwg_emit(t, "for (size_t i = 0; i < from->$F$.len; i++) {\n");
    if (key)
        emit_copy_element(t, key, ".key");
    emit_copy_element(t, value, key ? ".value" : "");
    cwg_emit(t, "}\n");
}

void cwg_emit_copy(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "bool $T$__copy($T$ *to, const $T$ *from, cw_arena *a)\n"
                "{\n"
                "*to = *from;\n");
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->fields[i];
        cwg_push(t);
        cwg_set_field(t, f);
        if (cwg_is_singular(f)) {
            emit_copy_singular(t, f);
        } else {
            cwg_emit(t, "{ /* $decl$ */\n");
            emit_copy_list(t, f);
            cwg_emit(t, "}\n");
        }
        cwg_pop(t);
    }
    cwg_emit(t, "return cw__copy_unknown(a, from->unknown, &to->unknown);\n"
                "}\n"
                "\n"
                "cw_status $T$_copy($T$ *to, const $T$ *from, cw_arena *a)\n"
                "{\n"
                "if ($T$__copy(to, from, a)) {\n"
                "return CW_OK;\n"
                "}\n"
                "$T$_init(to);\n"
                "return a->failure;\n"
                "}\n"
                "\n");
}

/* --- equal --------------------------------------------------------------------------------------
 */

/* Sets $differ$ to the condition under which the values x and y are not equal; messages: pointers.
 */
static void set_differ(cwg_text *t, const cwg_field *f, const char *x, const char *y)
{
    switch (f->kind->id) {
    case CWG_KIND_MESSAGE:
        cwg_setf(t, "differ", "!%s_equal(%s, %s)", f->message->c_name, x, y);
        break;
    case CWG_KIND_STRING:
        cwg_setf(t, "differ", "!cw_str_equal(%s, %s)", x, y);
        break;
    case CWG_KIND_BYTES:
        cwg_setf(t, "differ", "!cw_bytes_equal(%s, %s)", x, y);
        break;
    case CWG_KIND_FLOAT:
    case CWG_KIND_DOUBLE:
        cwg_setf(t, "differ", "cw__%s_bits(%s) != cw__%s_bits(%s)", f->kind->name, x, f->kind->name,
                 y);
        break;
    default:
        cwg_setf(t, "differ", "%s != %s", x, y);
        break;
    }
}

static void emit_return_false_if(cwg_text *t)
{
    cwg_emit(t, "if ($differ$) {\n"
                "return false;\n"
                "}\n");
}

static void emit_equal_singular(cwg_text *t, const cwg_field *f)
{
    cwg_set_place(t, "x", f, "a");
    cwg_set_place(t, "y", f, "b");
    set_differ(t, f, cwg_get(t, "x"), cwg_get(t, "y"));
    if (f->shape == CWG_IMPLICIT) {
        emit_return_false_if(t);
        return;
    }
    cwg_set_present(t, "a_has", f, "a");
    cwg_set_present(t, "b_has", f, "b");
    cwg_emit(t, "if (($a_has$) != ($b_has$)) {\n"
                "return false;\n"
                "}\n"
                "if (($a_has$) && $differ$) {\n"
                "return false;\n"
                "}\n");
}

static void emit_equal_list(cwg_text *t, const cwg_field *f)
{
    const cwg_field *key = f->map ? f->map->key : NULL;
    const cwg_field *value = f->map ? f->map->value : f;
    if (!key && !value->message && !cwg_is_view(value)) {
        cwg_emit(t, "if (!cw__equal_array(a->$F$.data, a->$F$.len, b->$F$.data, b->$F$.len, "
                    "sizeof *a->$F$.data)) {\n"
                    "return false;\n"
                    "}\n");
        return;
    }
    cwg_emit(t, "if (a->$F$.len != b->$F$.len) {\n"
                "return false;\n"
                "}\n"
                "for (size_t i = 0; i < a->$F$.len; i++) {\n");
    for (int part = key ? 0 : 1; part < 2; part++) {
        const char *member = !key ? "" : part == 0 ? ".key" : ".value";
        const cwg_field *x = part == 0 ? key : value;
        const char *amp = x->message ? "&" : "";
        cwg_setf(t, "x", "%sa->%s.data[i]%s", amp, f->c_name, member);
        cwg_setf(t, "y", "%sb->%s.data[i]%s", amp, f->c_name, member);
        set_differ(t, x, cwg_get(t, "x"), cwg_get(t, "y"));
        emit_return_false_if(t);
    }
    cwg_emit(t, "}\n");
}

void cwg_emit_equal(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "bool $T$_equal(const $T$ *a, const $T$ *b)\n"
                "{\n");
    for (int i = 0; i < m->n_fields; i++) {
        cwg_push(t);
        cwg_set_field(t, m->fields[i]);
        if (cwg_is_singular(m->fields[i]))
            emit_equal_singular(t, m->fields[i]);
        else
            emit_equal_list(t, m->fields[i]);
        cwg_pop(t);
    }
    cwg_emit(t, "return cw__equal_unknown(a->unknown, b->unknown);\n"
                "}\n"
                "\n");
}
