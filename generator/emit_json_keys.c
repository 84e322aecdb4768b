/* SPDX-License-Identifier: MIT */
/*
 * emit_json_keys.c: how a parser knows its fields: the names as they stand in text (T__json_names),
 * the look-up by switch on length and, among many names of one length, on the byte that tells most
 * of them apart (T__json_find), and the names for error paths (T__json_fields).
 */
#include "emit_json_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD     16 /* sizeof cw__json_name.head */
#define FEW_KEYS 3  /* so many names of one length are compared one after the other */

/* --- names as text ---------------------------------------------------------------------------- */

/*
 * The initialiser of `head`: the literal itself when it leaves room for its NUL, else a list of
 * bytes (a literal that loses its NUL is legal C, but newer compilers warn).
 */
static void set_head(const char *text, size_t len, cwg_text *t)
{
    char list[HEAD * 8 + 4] = "{";
    if (len < HEAD) {
        cwg_set_literal(t, "head", text, len);
        return;
    }
    for (size_t i = 0; i < HEAD; i++) {
        unsigned char c = (unsigned char)text[i];
        char one[12];
        if (c == '\'' || c == '\\')
            snprintf(one, sizeof one, "'\\%c'", c);
        else if (c < 0x20 || c >= 0x7f)
            snprintf(one, sizeof one, "'\\%03o'", (unsigned)c);
        else
            snprintf(one, sizeof one, "'%c'", c);
        strcat(list, one);
        strcat(list, i + 1 < HEAD ? ", " : "}");
    }
    cwg_set(t, "head", list);
}

static void emit_name(const char *name, cwg_text *t)
{
    size_t len;
    char *text = cwg__json_text(t, "\"", name, "\"", &len);
    if (!text)
        return;
    set_head(text, len, t);
    cwg_set_literal(t, "full", text, len);
    cwg_seti(t, "len", (long long)len);
    cwg_emit(t, "{$head$, $len$, $full$},\n");
    free(text);
}

/* --- look-up ---------------------------------------------------------------------------------- */

typedef struct key {
    const char *name;
    size_t len;
    int index;
    bool done;
} key;

static int compare_keys(const void *a, const void *b)
{
    const key *x = a, *y = b;
    if (x->len != y->len)
        return x->len < y->len ? -1 : 1;
    int c = memcmp(x->name, y->name, x->len);
    return c ? c : x->index - y->index;
}

/* The two names of every field, sorted by length and name, each name once; NULL: no memory. */
static key *collect_keys(const cwg_message *m, int *n)
{
    key *keys = malloc(2 * (size_t)m->n_fields * sizeof *keys);
    if (!keys)
        return NULL;
    int count = 0;
    for (int i = 0; i < m->n_fields; i++) {
        const cwg_field *f = m->by_number[i];
        keys[count++] = (key){f->json_name, strlen(f->json_name), i, false};
        keys[count++] = (key){f->name, strlen(f->name), i, false};
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    *n = 0;
    for (int i = 0; i < count; i++) {
        key *last = *n > 0 ? &keys[*n - 1] : NULL;
        if (last && last->len == keys[i].len && !memcmp(last->name, keys[i].name, last->len))
            continue;
        keys[(*n)++] = keys[i];
    }
    return keys;
}

static void emit_compare(const key *k, cwg_text *t)
{
    cwg_set_literal(t, "name", k->name, k->len);
    cwg_seti(t, "len", (long long)k->len);
    cwg_seti(t, "index", k->index);
    if (k->len == 0)
        cwg_emit(t, "return $index$;\n");
    else
        cwg_emit(t, "if (memcmp(key, $name$, $len$) == 0) {\n"
                    "return $index$;\n"
                    "}\n");
}

/* The place in names of one length at which most different bytes stand. */
static size_t best_place(const key *keys, int n)
{
    size_t best = 0;
    int most = 0;
    for (size_t place = 0; place < keys[0].len; place++) {
        bool there[256] = {false};
        int different = 0;
        for (int i = 0; i < n; i++) {
            unsigned char c = (unsigned char)keys[i].name[place];
            different += !there[c];
            there[c] = true;
        }
        if (different > most) {
            most = different;
            best = place;
        }
    }
    return best;
}

static void emit_by_byte(key *keys, int n, cwg_text *t)
{
    size_t place = best_place(keys, n);
    cwg_seti(t, "place", (long long)place);
    cwg_emit(t, "switch ((unsigned char)key[$place$]) {\n");
    for (int i = 0; i < n; i++) {
        if (keys[i].done)
            continue;
        unsigned char c = (unsigned char)keys[i].name[place];
        if (c == '\'' || c == '\\' || c < 0x20 || c >= 0x7f)
            cwg_setf(t, "byte", "0x%02x", (unsigned)c);
        else
            cwg_setf(t, "byte", "'%c'", c);
        cwg_emit(t, "case $byte$:\n");
        for (int k = i; k < n; k++) {
            if ((unsigned char)keys[k].name[place] != c)
                continue;
            emit_compare(&keys[k], t);
            keys[k].done = true;
        }
        cwg_emit(t, "break;\n");
    }
    cwg_emit(t, "default:\n"
                "break;\n"
                "}\n");
}

static void emit_find(const cwg_message *m, cwg_text *t)
{
    int n = 0;
    key *keys = collect_keys(m, &n);
    if (!keys) {
        cwg_fail(t, "out of memory");
        return;
    }
    cwg_blank(t);
    cwg_emit(t, "static uint32_t $T$__json_find(const char *key, size_t len)\n"
                "{\n"
                "switch (len) {\n");
    for (int i = 0; i < n;) {
        int end = i;
        while (end < n && keys[end].len == keys[i].len)
            end++;
        cwg_seti(t, "len", (long long)keys[i].len);
        cwg_emit(t, "case $len$:\n");
        if (end - i > FEW_KEYS)
            emit_by_byte(keys + i, end - i, t);
        else
            for (int k = i; k < end; k++)
                emit_compare(&keys[k], t);
        if (keys[i].len > 0)
            cwg_emit(t, "break;\n");
        i = end;
    }
    cwg_emit(t, "default:\n"
                "break;\n"
                "}\n"
                "return CW__JSON_NO_FIELD;\n"
                "}\n");
    free(keys);
}

/* --- all -------------------------------------------------------------------------------------- */

static void emit_no_keys(cwg_text *t)
{
    cwg_emit(t, "static uint32_t $T$__json_find(const char *key, size_t len)\n"
                "{\n"
                "(void)key;\n"
                "(void)len;\n"
                "return CW__JSON_NO_FIELD;\n"
                "}\n"
                "\n"
                "static const cw__json_keys $T$__json_keys = {NULL, 0, $T$__json_find};\n");
}

void cwg__json_emit_keys(const cwg_message *m, cwg_text *t)
{
    cwg_push(t);
    cwg_blank(t);
    if (m->n_fields == 0) {
        emit_no_keys(t);
        cwg_pop(t);
        return;
    }
    cwg_emit(t, "/* The JSON name and the .proto name of each field. */\n"
                "/* clang-format off */\n"
                "static const cw__json_name $T$__json_names[] = {\n");
    for (int i = 0; i < m->n_fields; i++) {
        emit_name(m->by_number[i]->json_name, t);
        emit_name(m->by_number[i]->name, t);
    }
    cwg_emit(t, "};\n\n"
                "static const char *const $T$__json_fields[] = {\n");
    for (int i = 0; i < m->n_fields; i++) {
        cwg_set_literal(t, "name", m->by_number[i]->name, strlen(m->by_number[i]->name));
        cwg_emit(t, "$name$,\n");
    }
    cwg_emit(t, "};\n"
                "/* clang-format on */\n");
    emit_find(m, t);
    cwg_seti(t, "n", m->n_fields);
    cwg_blank(t);
    cwg_emit(t, "static const cw__json_keys $T$__json_keys = {$T$__json_names, $n$, "
                "$T$__json_find};\n");
    cwg_pop(t);
}
