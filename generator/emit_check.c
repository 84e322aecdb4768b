/* SPDX-License-Identifier: MIT */
/*
 * emit_check.c: T__required (are all required fields there?) and T_check (required fields, depth,
 * UTF-8, closed enums, size). Both put the path of the first fault into the error.
 */
#include "emit_common.h"

/* `if (!FUNCTION(...)) return fail_at` for the message at the pointer $place$. */
static void emit_below(cwg_text *t, const char *place, const char *index)
{
    cwg_set(t, "place", place);
    cwg_set(t, "index", index);
    cwg_emit(t, "if (!$M$__$function$($place$, e, depth - $levels$)) {\n"
                "return cw__check_fail_at(e, \"$name$\", $index$);\n"
                "}\n");
}

/* The messages that field f (or the values of its map) holds. $function$ is set. */
static void emit_messages_below(cwg_text *t, const cwg_field *f)
{
    const cwg_field *holder = f->map ? f->map->value : f;
    cwg_set(t, "M", holder->message->c_name);
    cwg_seti(t, "levels", f->map ? 2 : 1);
    if (cwg_is_singular(f)) {
        cwg_set_present(t, "present", f, "m");
        cwg_emit(t, "if ($present$) {\n");
        emit_below(t, cwg_get(t, "v"), "SIZE_MAX");
    } else {
        cwg_emit(t, "for (size_t i = 0; i < $v$.len; i++) {\n");
        cwg_setf(t, "item", "&%s.data[i]%s", cwg_get(t, "v"), f->map ? ".value" : "");
        emit_below(t, cwg_get(t, "item"), "i");
    }
    cwg_emit(t, "}\n");
}

static const cwg_message *held(const cwg_field *f)
{
    return f->map ? f->map->value->message : f->message;
}

/* Too deep a message is somebody else's finding. */
static void emit_required(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "bool $T$__required(const $T$ *m, cw_error *e, int depth)\n"
                "{\n");
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->by_number[i];
        if (f->shape != CWG_REQUIRED)
            continue;
        cwg_push(t);
        cwg_set_field(t, f);
        cwg_set_present(t, "present", f, "m");
        cwg_emit(t, "if (CW_UNLIKELY(!($present$))) {\n"
                    "return cw__check_fail(e, CW_ERR_REQUIRED, \"$name$\", SIZE_MAX);\n"
                    "}\n");
        cwg_pop(t);
    }
    bool guarded = false;
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->by_number[i];
        if (!held(f) || !held(f)->reaches_required)
            continue;
        if (!guarded)
            cwg_emit(t, "if (depth < 1) {\n"
                        "return true;\n"
                        "}\n");
        guarded = true;
        cwg_push(t);
        cwg_set_field(t, f);
        cwg_set(t, "function", "required");
        emit_messages_below(t, f);
        cwg_pop(t);
    }
    if (!guarded)
        cwg_emit(t, "(void)depth;\n");
    if (!guarded && !m->has_required)
        cwg_emit(t, "(void)m;\n"
                    "(void)e;\n");
    cwg_emit(t, "return true;\n"
                "}\n"
                "\n");
}

/* One value that is not a message at `place`, when `condition` holds; in `name`[index]. */
static void emit_value(cwg_text *t, const cwg_field *f, const char *condition, const char *place,
                       const char *index)
{
    cwg_set(t, "place", place);
    cwg_set(t, "condition", condition);
    cwg_set(t, "index", index);
    if (cwg_is_string(f))
        cwg_emit(t, "if ($condition$!cw__utf8_valid($place$.data, $place$.len)) {\n"
                    "return cw__check_fail(e, CW_ERR_UTF8, \"$name$\", $index$);\n"
                    "}\n");
    else if (f->closed_enum) {
        cwg_set(t, "E", f->enum_type->c_name);
        cwg_emit(t, "if ($condition$!$E$__known($place$)) {\n"
                    "return cw__check_fail(e, CW_ERR_ENUM, \"$name$\", $index$);\n"
                    "}\n");
    }
}

static bool has_rules(const cwg_field *f)
{
    return cwg_is_string(f) || f->closed_enum;
}

static void emit_check_list(cwg_text *t, const cwg_field *f)
{
    const cwg_field *key = f->map ? f->map->key : NULL;
    const cwg_field *value = f->map ? f->map->value : f;
    if (!has_rules(value) && !(key && has_rules(key)))
        return;
    cwg_emit(t, "for (size_t i = 0; i < $v$.len; i++) {\n");
    if (key) {
        cwg_setf(t, "item", "%s.data[i].key", cwg_get(t, "v"));
        emit_value(t, key, "", cwg_get(t, "item"), "i");
    }
    cwg_setf(t, "item", "%s.data[i]%s", cwg_get(t, "v"), key ? ".value" : "");
    emit_value(t, value, "", cwg_get(t, "item"), "i");
    cwg_emit(t, "}\n");
}

static void emit_check_field(cwg_text *t, const cwg_field *f)
{
    if (f->shape == CWG_REQUIRED) {
        cwg_set_present(t, "present", f, "m");
        cwg_emit(t, "if (!($present$)) {\n"
                    "return cw__check_fail(e, CW_ERR_REQUIRED, \"$name$\", SIZE_MAX);\n"
                    "}\n");
    }
    if (!cwg_is_singular(f)) {
        if (f->map) { /* an entry is a level of its own */
            cwg_emit(t, "if ($v$.len > 0 && depth < 1) {\n"
                        "return cw__check_fail(e, CW_ERR_DEPTH, \"$name$\", SIZE_MAX);\n"
                        "}\n");
        }
        emit_check_list(t, f);
    } else if (has_rules(f)) {
        cwg_set_present(t, "present", f, "m");
        cwg_setf(t, "condition", "%s && ", cwg_get(t, "present"));
        emit_value(t, f, cwg_get(t, "condition"), cwg_get(t, "v"), "SIZE_MAX");
    }
    if (held(f)) {
        cwg_set(t, "function", "check");
        emit_messages_below(t, f);
    }
}

static bool uses_m(const cwg_message *m)
{
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->fields[i];
        if (f->shape == CWG_REQUIRED || has_rules(f) || held(f) || f->map)
            return true;
    }
    return false;
}

void cwg_emit_check(const cwg_message *m, cwg_text *t)
{
    if (m->reaches_required)
        emit_required(m, t);
    cwg_emit(t, "bool $T$__check(const $T$ *m, cw_error *e, int depth)\n"
                "{\n"
                "if (depth < 0) {\n"
                "return cw__check_too_deep(e);\n"
                "}\n");
    if (!uses_m(m))
        cwg_emit(t, "(void)m;\n");
    for (int i = 0; i < m->n_fields; i++) {
        cwg_push(t);
        cwg_set_field(t, m->by_number[i]);
        emit_check_field(t, m->by_number[i]);
        cwg_pop(t);
    }
    cwg_emit(t, "return true;\n"
                "}\n"
                "\n"
                "cw_status $T$_check(const $T$ *m, cw_error *e)\n"
                "{\n"
                "cw_error own;\n"
                "cw_error *x = e != NULL ? e : &own;\n"
                "bool ok = $T$__check(m, x, CW_DEPTH_DEFAULT);\n"
                "return cw__check_end(x, ok, $T$__size(m, CW_DEPTH_DEFAULT), \"$full$\");\n"
                "}\n"
                "\n");
}
