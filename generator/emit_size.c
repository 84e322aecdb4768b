/* SPDX-License-Identifier: MIT */
/*
 * emit_size.c: T__size, the exact number of bytes a message encodes to, and T_size around it.
 * Fields in ascending order; a sum, no bytes are written.
 */
#include "emit.h"
#include "emit_common.h"

/* Sets $bytes$ to the size of the value in $v$ without its tag. */
static void set_bytes_of(cwg_text *t, const cwg_field *f, const char *place)
{
    if (cwg_is_view(f))
        cwg_setf(t, "bytes", "cw__size_len(%s.len)", place);
    else
        cwg_setf(t, "bytes", "cw__size_%s(%s)", f->kind->name, place);
}

/* n += ... of a value that is not a message. */
static void emit_scalar(cwg_text *t, const cwg_field *f, const char *place)
{
    if (f->kind->fixed_size > 0) {
        cwg_seti(t, "all", f->tag.len + f->kind->fixed_size);
        cwg_emit(t, "n += $all$;\n");
        return;
    }
    set_bytes_of(t, f, place);
    cwg_emit(t, "n += $taglen$ + $bytes$;\n");
}

/* n += ... of the message at the pointer `place`, `levels` below this one. */
static void emit_message(cwg_text *t, const cwg_field *f, const char *place, int levels)
{
    cwg_set(t, "place", place);
    cwg_seti(t, "levels", levels);
    if (f->is_group) {
        cwg_seti(t, "tags", 2 * f->tag.len);
        cwg_emit(t, "n += $tags$ + $M$__size($place$, depth - $levels$);\n");
    } else {
        cwg_emit(t, "n += $taglen$ + cw__size_len($M$__size($place$, depth - $levels$));\n");
    }
}

static void emit_too_deep(cwg_text *t, int levels)
{
    cwg_emit(t, levels > 1 ? "if (CW_UNLIKELY(depth < 2)) {\n" : "if (CW_UNLIKELY(depth < 1)) {\n");
    cwg_emit(t, "return CW__SIZE_TOO_DEEP;\n"
                "}\n");
}

static void emit_singular(cwg_text *t, const cwg_field *f)
{
    cwg_set_present(t, "present", f, "m");
    cwg_emit(t, "if ($present$) {\n");
    if (f->message) {
        emit_too_deep(t, 1);
        emit_message(t, f, cwg_get(t, "v"), 1);
    } else {
        emit_scalar(t, f, cwg_get(t, "v"));
    }
    cwg_emit(t, "}\n");
}

static void emit_repeated(cwg_text *t, const cwg_field *f)
{
    if (f->message) {
        cwg_emit(t, "for (size_t i = 0; i < $v$.len; i++) {\n");
        emit_too_deep(t, 1);
        cwg_setf(t, "item", "&%s.data[i]", cwg_get(t, "v"));
        emit_message(t, f, cwg_get(t, "item"), 1);
        cwg_emit(t, "}\n");
    } else if (cwg_is_view(f)) {
        cwg_set(t, "function", cwg_is_string(f) ? "strings" : "bytes_list");
        cwg_emit(t, "n += $taglen$ * (uint64_t)$v$.len + cw__size_$function$(&$v$);\n");
    } else if (f->packed) {
        cwg_emit(t, "if ($v$.len > 0) {\n"
                    "n += $packed_taglen$ + cw__size_len(cw__size_elements_$kind$(&$v$));\n"
                    "}\n");
    } else {
        cwg_emit(t, "n += $taglen$ * (uint64_t)$v$.len + cw__size_elements_$kind$(&$v$);\n");
    }
}

static int fixed_part(const cwg_field *f)
{
    return f->kind->fixed_size > 0 ? f->tag.len + f->kind->fixed_size : 0;
}

/* All entries have one size: key and value are of fixed width. */
static void emit_fixed_map(cwg_text *t, const cwg_map *map)
{
    cwg_seti(t, "all", map->field->tag.len + 1 + fixed_part(map->key) + fixed_part(map->value));
    cwg_emit(t, "if ($v$.len > 0) {\n");
    emit_too_deep(t, 1);
    cwg_emit(t, "n += $all$ * (uint64_t)$v$.len;\n"
                "}\n");
}

static void emit_map(cwg_text *t, const cwg_field *f)
{
    const cwg_map *map = f->map;
    if (fixed_part(map->key) > 0 && fixed_part(map->value) > 0) {
        emit_fixed_map(t, map);
        return;
    }
    bool message = map->value->message != NULL;
    cwg_emit(t, "for (size_t i = 0; i < $v$.len; i++) {\n"
                "const $X$ *x = &$v$.data[i];\n"
                "uint64_t entry = 0;\n");
    emit_too_deep(t, message ? 2 : 1);
    const cwg_field *parts[2] = {map->key, map->value};
    for (int i = 0; i < 2; i++) {
        cwg_push(t);
        cwg_set_field(t, parts[i]);
        cwg_setf(t, "part", "x->%s", parts[i]->c_name);
        if (parts[i]->message) {
            cwg_emit(t, "entry += $taglen$ + cw__size_len($M$__size(&$part$, depth - 2));\n");
        } else if (parts[i]->kind->fixed_size > 0) {
            cwg_seti(t, "all", parts[i]->tag.len + parts[i]->kind->fixed_size);
            cwg_emit(t, "entry += $all$;\n");
        } else {
            set_bytes_of(t, parts[i], cwg_get(t, "part"));
            cwg_emit(t, "entry += $taglen$ + $bytes$;\n");
        }
        cwg_pop(t);
    }
    cwg_emit(t, "n += $taglen$ + cw__size_len(entry);\n"
                "}\n");
}

static void emit_message_size(const cwg_message *m, cwg_text *t)
{
    cwg_push(t);
    cwg_set_message(t, m);
    cwg_emit(t, "uint64_t $T$__size(const $T$ *m, int depth)\n"
                "{\n"
                "uint64_t n = 0;\n");
    if (!cwg_uses_depth(m))
        cwg_emit(t, "(void)depth;\n");
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->by_number[i];
        cwg_push(t);
        cwg_set_field(t, f);
        cwg_emit_decl(t);
        if (f->shape == CWG_MAP)
            emit_map(t, f);
        else if (f->shape == CWG_REPEATED)
            emit_repeated(t, f);
        else
            emit_singular(t, f);
        cwg_pop(t);
    }
    cwg_emit(t, "return n + cw__size_unknown(m->unknown);\n"
                "}\n"
                "\n"
                "size_t $T$_size(const $T$ *m)\n"
                "{\n"
                "return cw__size_clamp($T$__size(m, CW_DEPTH_DEFAULT));\n"
                "}\n"
                "\n");
    cwg_pop(t);
}

void cwg_emit_size(const cwg_file *f, cwg_text *t)
{
    for (int i = 0; i < f->n_messages; i++)
        emit_message_size(f->messages[i], t);
}
