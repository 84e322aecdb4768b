/* SPDX-License-Identifier: MIT */
/* emit_map.c: T_F_get, T_F_put, T_F_sort of map fields, and T__sort_maps of all maps in a tree. */
#include "emit_common.h"

static void emit_find(cwg_text *t)
{
    cwg_emit(t, "$V$ *$T$_$F$_get(const $T$ *m, $K$ key)\n"
                "{\n"
                "bool found = false;\n"
                "$X$ x;\n"
                "x.key = key;\n"
                "size_t at = cw__map_find($v$.data, $v$.len, sizeof x, &x, "
                "cw__map_compare_$order$, &found);\n"
                "return found ? &$v$.data[at].value : NULL;\n"
                "}\n"
                "\n");
}

static void emit_put(cwg_text *t, const cwg_field *value)
{
    cwg_emit(t, "$V$ *$T$_$F$_put($T$ *m, $K$ key, cw_arena *a)\n"
                "{\n"
                "bool found = false;\n"
                "$X$ x;\n"
                "memset(&x, 0, sizeof x);\n"
                "x.key = key;\n"
                "size_t at = cw__map_find($v$.data, $v$.len, sizeof x, &x, "
                "cw__map_compare_$order$, &found);\n"
                "if (found) {\n"
                "return &$v$.data[at].value;\n"
                "}\n"
                "if ($v$.len >= $v$.cap) {\n"
                "void *data = cw__list_grow(a, $v$.data, $v$.len, &$v$.cap, sizeof x, 1);\n"
                "if (data == NULL) {\n"
                "return NULL;\n"
                "}\n"
                "$v$.data = data;\n"
                "}\n");
    if (value->message) {
        cwg_set(t, "M", value->message->c_name);
        cwg_emit(t, "$M$_init(&x.value);\n");
    } else if (value->default_nonzero) {
        cwg_set(t, "default", value->default_c);
        cwg_emit(t, "x.value = $default$;\n");
    }
    cwg_emit(t, "memmove(&$v$.data[at + 1], &$v$.data[at], ($v$.len - at) * sizeof x);\n"
                "$v$.data[at] = x;\n"
                "$v$.len++;\n"
                "return &$v$.data[at].value;\n"
                "}\n"
                "\n");
}

/* All maps at and below a message, once: after merges that left some out of order. */
static void emit_sort_maps(const cwg_message *m, cwg_text *t)
{
    cwg_emit(t, "bool $T$__sort_maps($T$ *m, cw_arena *a)\n"
                "{\n");
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->fields[i];
        const cwg_field *holder = f->map ? f->map->value : f;
        bool below = holder->message && holder->message->reaches_maps;
        if (!f->map && !below)
            continue;
        cwg_push(t);
        cwg_set_field(t, f);
        if (holder->message)
            cwg_set(t, "M", holder->message->c_name);
        if (f->map)
            cwg_emit(t, "if (!$T$_$F$_sort(m, a)) {\n"
                        "return false;\n"
                        "}\n");
        if (below && cwg_is_singular(f)) {
            cwg_set_present(t, "present", f, "m");
            cwg_emit(t, "if ($present$ && !$M$__sort_maps($v$, a)) {\n"
                        "return false;\n"
                        "}\n");
        } else if (below) {
            cwg_set(t, "value", f->map ? ".value" : "");
            cwg_emit(t, "for (size_t i = 0; i < $v$.len; i++) {\n"
                        "if (!$M$__sort_maps(&$v$.data[i]$value$, a)) {\n"
                        "return false;\n"
                        "}\n"
                        "}\n");
        }
        cwg_pop(t);
    }
    cwg_emit(t, "return true;\n"
                "}\n"
                "\n");
}

void cwg_emit_map_functions(const cwg_message *m, cwg_text *t)
{
    for (int i = 0; i < m->n_maps; i++) {
        const cwg_map *map = m->maps[i];
        cwg_push(t);
        cwg_set_field(t, map->field);
        cwg_set(t, "K", map->key->c_type);
        cwg_set(t, "V", map->value->c_type);
        emit_find(t);
        emit_put(t, map->value);
        cwg_emit(t, "bool $T$_$F$_sort($T$ *m, cw_arena *a)\n"
                    "{\n"
                    "return cw__map_sort(a, $v$.data, &$v$.len, sizeof *$v$.data, "
                    "cw__map_compare_$order$);\n"
                    "}\n"
                    "\n");
        cwg_pop(t);
    }
    if (m->reaches_maps)
        emit_sort_maps(m, t);
}
