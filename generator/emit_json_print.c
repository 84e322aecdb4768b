/* SPDX-License-Identifier: MIT */
/*
 * emit_json_print.c: T__print and T_to_json. See runtime/include/cwire/json.h.
 *
 * Every member is written with a ',' before it, and the first byte of the message is made '{' at
 * the end. Every element is written with a ',' behind it, and the last one is made ']' or '}'.
 *
 * Room. T__print needs none when called and leaves ROOM_AFTER bytes. Members are taken in segments:
 * at a segment's start there is one cw__json_room for the most that all its members together may
 * write. Strings, bytes and enum names make their own room and leave `keep`: what the segment's
 * later members may still write, and its tail. A message, list or map ends its segment: it makes
 * room for itself, and what it leaves is only good for one ',' or bracket; so do extensions. The
 * last segment's tail, or a cw__json_room at the end, is for '{' '}' and ROOM_AFTER.
 */
#include "emit.h"
#include "emit_common.h"
#include "emit_json_common.h"

#include <string.h>

#define ROOM_AFTER  16               /* what every T__print leaves */
#define ROOM_END    (ROOM_AFTER + 2) /* '{' when nothing was written, and '}' */
#define ROOM_COMMA  (ROOM_AFTER + 1) /* the separator behind an element */
#define ROOM_NUMBER 34               /* CW__JSON_NUMBER */
#define ROOM_BOOL   5                /* "false" */
#define ROOM_MOST   1024             /* CW__JSON_PUT_MAX */

/* --- room ------------------------------------------------------------------------------------- */

static bool ends_segment(const cwg_field *f)
{
    return f->message || f->shape == CWG_REPEATED || f->shape == CWG_MAP;
}

/* Most bytes that a value writes into room made by others; strings make their own. */
static size_t value_room(const cwg_field *f)
{
    switch (f->kind->id) {
    case CWG_KIND_STRING:
    case CWG_KIND_BYTES:
    case CWG_KIND_MESSAGE:
        return 0;
    case CWG_KIND_BOOL:
        return ROOM_BOOL;
    default: /* an enum may be a number, too */
        return ROOM_NUMBER;
    }
}

/* Most bytes that a member writes into its segment's room: key, brackets, value. */
static size_t member_room(const cwg_field *f)
{
    size_t json = cwg__json_name_len(f->json_name), proto = cwg__json_name_len(f->name);
    size_t key = strlen(",\"\":") + (json > proto ? json : proto);
    if (f->shape == CWG_REPEATED || f->shape == CWG_MAP)
        return key + strlen("[]");
    return key + value_room(f);
}

/*
 * The segment that begins with by_number[from]: returns the index after its last field; *need is
 * the room that it wants.
 */
static int segment_end(const cwg_message *m, int from, size_t *need)
{
    size_t sum = 0;
    int i = from;
    for (; i < m->n_fields; i++) {
        size_t n = member_room(m->by_number[i]);
        if (i > from && sum + n + ROOM_END > ROOM_MOST)
            break;
        sum += n;
        if (ends_segment(m->by_number[i])) {
            *need = sum;
            return i + 1;
        }
    }
    *need = sum + ROOM_END;
    return i;
}

/* --- values ----------------------------------------------------------------------------------- */

/* Leaves the function with $name$ and $index$ in the path when p is NULL. */
static void emit_check(cwg_text *t)
{
    cwg_emit(t, "if (CW_UNLIKELY(p == NULL)) {\n"
                "return cw__json_put_fail_at(w, $name$, $index$);\n"
                "}\n");
}

/* Fails unless `levels` more messages may be opened, when there is one. */
static void emit_depth_check(const cwg_field *f, int levels, cwg_text *t)
{
    cwg_seti(t, "levels", levels);
    cwg_emit(t, "if (CW_UNLIKELY(");
    if (!cwg_is_singular(f))
        cwg_emit(t, "m->$F$.len != 0 && ");
    cwg_emit(t, levels == 1 ? "depth == 0)) {\n"
                            : "depth < $levels$)) { /* an entry is one, too */\n");
    cwg_emit(t, "cw__json_put_fail(w, CW_ERR_DEPTH, NULL);\n"
                "return cw__json_put_fail_at(w, $name$, $first$);\n"
                "}\n");
}

/* A message of which `levels` are opened at once (2: a map's entry and its value). */
static void emit_message_value(const cwg_field *f, int levels, cwg_text *t)
{
    cwg_set(t, "M", f->message->c_name);
    cwg_seti(t, "levels", levels);
    cwg_emit(t, "p = $M$__print($v$, w, p, depth - $levels$);\n");
    emit_check(t);
}

/* The value $v$, after which there is room for `keep`. Numbers have their room already. */
static void emit_value(const cwg_field *f, size_t keep, cwg_text *t)
{
    cwg_seti(t, "keep", (long long)keep);
    if (cwg__json_is_null_value(f)) {
        cwg_emit(t, "if ($v$ == 0) {\n"
                    "p = cw__json_lit(p, \"null\", 4);\n"
                    "} else {\n"
                    "p = cw__json_put_int32(p, $v$); /* a number without a name */\n"
                    "}\n");
        return;
    }
    switch (f->kind->id) {
    case CWG_KIND_STRING:
    case CWG_KIND_BYTES:
        cwg_set(t, "stem", f->kind->name);
        cwg_emit(t, "p = cw__json_put_$stem$(w, p, $v$, $keep$);\n");
        emit_check(t);
        break;
    case CWG_KIND_ENUM:
        cwg_set(t, "E", f->enum_type->c_name);
        cwg_emit(t, "if (w->enums_as_numbers) {\n"
                    "p = cw__json_put_int32(p, $v$);\n"
                    "} else {\n"
                    "p = cw__json_put_enum(w, p, $v$, $E$_name($v$), $keep$);\n"
                    "}\n");
        emit_check(t);
        break;
    default:
        cwg_set(t, "stem", cwg__json_stem(f));
        if (f->kind->is_64)
            cwg_emit(t, "p = cw__json_put_$stem$(w, p, $v$);\n");
        else
            cwg_emit(t, "p = cw__json_put_$stem$(p, $v$);\n");
        break;
    }
}

/* The key with its punctuation; `bracket` is "", "[" or "{". */
static void emit_key(const cwg_field *f, const char *bracket, cwg_text *t)
{
    char after[4] = "\":";
    strcat(after, bracket);
    cwg__json_set_text(t, "json", ",\"", f->json_name, after);
    cwg__json_set_text(t, "proto", ",\"", f->name, after);
    if (strcmp(f->json_name, f->name) == 0)
        cwg_emit(t, "p = cw__json_lit(p, $json$, $json_len$);\n");
    else
        cwg_emit(t, "if (w->proto_names) {\n"
                    "p = cw__json_lit(p, $proto$, $proto_len$);\n"
                    "} else {\n"
                    "p = cw__json_lit(p, $json$, $json_len$);\n"
                    "}\n");
}

/* --- shapes ----------------------------------------------------------------------------------- */

static void emit_singular(const cwg_field *f, size_t keep, cwg_text *t)
{
    cwg_set(t, "index", "SIZE_MAX");
    cwg_set(t, "first", "SIZE_MAX");
    if (f->message)
        emit_depth_check(f, 1, t);
    emit_key(f, "", t);
    if (f->message)
        emit_message_value(f, 1, t);
    else
        emit_value(f, keep, t);
}

static void emit_list(const cwg_field *f, cwg_text *t)
{
    cwg_set(t, "index", "i");
    cwg_set(t, "first", "0");
    if (f->message)
        emit_depth_check(f, 1, t);
    emit_key(f, "[", t);
    cwg_emit(t, "for (size_t i = 0; i < m->$F$.len; i++) {\n");
    cwg_setf(t, "v", f->message ? "&m->%s.data[i]" : "m->%s.data[i]", f->c_name);
    size_t room = value_room(f);
    if (room > 0) {
        cwg_seti(t, "room", (long long)(room + ROOM_COMMA));
        cwg_emit(t, "p = cw__json_room(w, p, $room$);\n");
        emit_check(t);
    }
    if (f->message)
        emit_message_value(f, 1, t);
    else
        emit_value(f, ROOM_COMMA, t);
    cwg_emit(t, "*p++ = ',';\n"
                "}\n"
                "p -= m->$F$.len != 0; /* the last ',' */\n"
                "*p++ = ']';\n");
}

static void emit_map(const cwg_field *f, cwg_text *t)
{
    const cwg_field *key = f->map->key, *value = f->map->value;
    cwg_set(t, "index", "i");
    cwg_set(t, "K", key->c_name);
    cwg_set(t, "key_stem",
            key->kind->id == CWG_KIND_STRING ? "string"
            : key->kind->id == CWG_KIND_BOOL ? "bool"
            : key->kind->is_signed           ? "int64"
                                             : "uint64");
    cwg_seti(t, "keep", (long long)(value_room(value) + ROOM_COMMA));
    cwg_set(t, "first", "0");
    emit_depth_check(f, value->message ? 2 : 1, t);
    emit_key(f, "{", t);
    cwg_emit(t, "for (size_t i = 0; i < m->$F$.len; i++) {\n"
                "const $X$ *x = &m->$F$.data[i];\n"
                "p = cw__json_put_key_$key_stem$(w, p, x->$K$, $keep$);\n");
    emit_check(t);
    cwg_setf(t, "v", value->message ? "&x->%s" : "x->%s", value->c_name);
    if (value->message)
        emit_message_value(value, 2, t);
    else
        emit_value(value, ROOM_COMMA, t);
    cwg_emit(t, "*p++ = ',';\n"
                "}\n"
                "p -= m->$F$.len != 0; /* the last ',' */\n"
                "*p++ = '}';\n");
}

static void emit_member(const cwg_field *f, size_t keep, cwg_text *t)
{
    cwg_push(t);
    cwg_set_field(t, f);
    cwg_set_literal(t, "name", f->name, strlen(f->name));
    cwg_emit(t, "/* $decl$ */\n");
    if (cwg_is_singular(f)) {
        cwg_set_present(t, "present", f, "m");
        cwg_emit(t, f->shape == CWG_IMPLICIT ? "if ($present$ || w->print_defaults) {\n"
                                             : "if ($present$) {\n");
        emit_singular(f, keep, t);
    } else {
        cwg_emit(t, "if (m->$F$.len != 0 || w->print_defaults) {\n");
        if (f->map)
            emit_map(f, t);
        else
            emit_list(f, t);
    }
    cwg_emit(t, "}\n");
    cwg_pop(t);
}

/* --- messages --------------------------------------------------------------------------------- */

static void emit_room(size_t need, cwg_text *t)
{
    cwg_seti(t, "need", (long long)need);
    cwg_emit(t, "p = cw__json_room(w, p, $need$);\n"
                "if (CW_UNLIKELY(p == NULL)) {\n"
                "return NULL;\n"
                "}\n");
}

static void emit_extensions(cwg_text *t)
{
    cwg_emit(t, "if (CW_UNLIKELY(m->unknown != NULL)) {\n"
                "p = cw__json_put_extensions(w, p, &$T$_type, m->unknown, depth);\n"
                "if (p == NULL) {\n"
                "return NULL;\n"
                "}\n"
                "}\n");
}

static void emit_print(const cwg_message *m, cwg_text *t)
{
    bool extensions = m->n_extension_ranges > 0;
    cwg_blank(t);
    cwg_emit(t, "char *$T$__print(const $T$ *m, cw__json_writer *w, char *p, int depth)\n"
                "{\n"
                "size_t start = (size_t)(p - w->begin);\n");
    if (m->n_fields == 0 && !extensions)
        cwg_emit(t, "(void)m;\n");
    if (!cwg_uses_depth(m) && !extensions)
        cwg_emit(t, "(void)depth;\n");
    bool tail = false;
    for (int i = 0; i < m->n_fields;) {
        size_t need;
        int end = segment_end(m, i, &need);
        emit_room(need, t);
        tail = !ends_segment(m->by_number[end - 1]);
        for (; i < end; i++) {
            need -= member_room(m->by_number[i]);
            emit_member(m->by_number[i], need, t);
        }
    }
    if (extensions)
        emit_extensions(t);
    if (!tail || extensions)
        emit_room(ROOM_END, t);
    cwg_emit(t, "p += (size_t)(p - w->begin) == start; /* no member */\n"
                "w->begin[start] = '{';\n"
                "*p++ = '}';\n"
                "return p;\n"
                "}\n");
}

static void emit_to_json(const cwg_message *m, cwg_text *t)
{
    cwg_set_literal(t, "full_name", m->full_name, strlen(m->full_name));
    cwg_blank(t);
    cwg_emit(t, "cw_status $T$_to_json(const $T$ *m, cw_arena *a, const cw_json_print_options *o, "
                "cw_str *out, cw_error *e)\n"
                "{\n"
                "cw__json_writer w;\n"
                "int depth = 0;\n"
                "char *p = cw__json_write_begin(&w, a, o, &depth, e);\n"
                "if (p != NULL) {\n");
    cwg__json_emit_file(m, "w", t);
    cwg_emit(t, "p = $T$__print(m, &w, p, depth);\n"
                "}\n"
                "return cw__json_write_end(&w, p, out, $full_name$);\n"
                "}\n");
}

void cwg_emit_json_top(const cwg_file *f, cwg_text *t)
{
    cwg_emit_first_line(f, t);
    cwg_push(t);
    cwg_set(t, "include", f->include);
    cwg_emit(t, "#include \"$include$\"\n");
    bool maps = false;
    for (int i = 0; i < f->n_messages; i++)
        maps = maps || f->messages[i]->n_maps > 0;
    cwg_emit(t, maps ? "\n#include \"cwire/map.h\"\n" : "");
    cwg_pop(t);
}

void cwg_emit_json_print(const cwg_file *f, cwg_text *t)
{
    for (int i = 0; i < f->n_messages; i++) {
        cwg_push(t);
        cwg_set_message(t, f->messages[i]);
        if (!f->messages[i]->own_json)
            emit_print(f->messages[i], t);
        emit_to_json(f->messages[i], t);
        cwg_pop(t);
    }
}
