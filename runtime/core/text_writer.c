/* SPDX-License-Identifier: MIT */
/* text_writer.c: the text that a printer makes. */
#include "text_writer.h"

bool cw__text_put_fail(cw__text_writer *w, cw_status st)
{
    if (w->status == CW_OK) {
        w->status = st;
        cw__error_clear(w->error);
        cw__error_set(w->error, st, SIZE_MAX, NULL);
    }
    return false;
}

bool cw__text_put_fail_at(cw__text_writer *w, const char *name, size_t index)
{
    cw__error_prefix(w->error, name, index);
    return false;
}

/* Room for n more bytes and a NUL. */
static bool room(cw__text_writer *w, size_t n)
{
    if (CW_LIKELY(n < w->cap - w->len)) {
        return true;
    }
    char *data = n < SIZE_MAX ? cw__list_grow(w->arena, w->data, w->len, &w->cap, 1, n + 1) : NULL;
    if (!data) {
        return cw__text_put_fail(w, n < SIZE_MAX ? w->arena->failure : CW_ERR_LIMIT);
    }
    w->data = data;
    return true;
}

bool cw__text_put(cw__text_writer *w, const char *s, size_t n)
{
    if (!room(w, n)) {
        return false;
    }
    if (n > 0) {
        memcpy(w->data + w->len, s, n);
        w->len += n;
    }
    return true;
}

bool cw__text_put_literal(cw__text_writer *w, const char *s)
{
    return cw__text_put(w, s, strlen(s));
}

bool cw__text_begin_field(cw__text_writer *w)
{
    if (w->single_line) {
        return w->len == 0 || cw__text_put(w, " ", 1);
    }
    size_t n = w->level * w->indent;
    if (!room(w, n)) {
        return false;
    }
    memset(w->data + w->len, ' ', n);
    w->len += n;
    return true;
}

bool cw__text_end_field(cw__text_writer *w)
{
    return w->single_line || cw__text_put(w, "\n", 1);
}

bool cw__text_open(cw__text_writer *w)
{
    w->level++;
    return w->single_line ? cw__text_put(w, " {", 2) : cw__text_put(w, " {\n", 3);
}

bool cw__text_close(cw__text_writer *w)
{
    w->level--;
    return cw__text_begin_field(w) && cw__text_put(w, "}", 1) && cw__text_end_field(w);
}
