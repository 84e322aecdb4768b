/* SPDX-License-Identifier: MIT */
/* status.c: texts of statuses, and the path of an error, which is built from its inside out. */
#include "cwire/status.h"

#include <stdio.h>

#define ELLIPSIS "..."

typedef struct status_row {
    const char *name;
    const char *text;
} status_row;

static const status_row statuses[] = {
#define STATUS_ROW(name, text) {"CW_" #name, text},
    CW_STATUS_LIST(STATUS_ROW)
#undef STATUS_ROW
};

const char *cw_status_text(cw_status st)
{
    return (unsigned)st < CW_STATUS_COUNT ? statuses[st].text : "unknown status";
}

const char *cw_status_name(cw_status st)
{
    return (unsigned)st < CW_STATUS_COUNT ? statuses[st].name : "unknown status";
}

/* Text that goes to a buffer which may be too small: counts on. */
typedef struct text_out {
    char *buf;
    size_t cap;
    size_t len;
} text_out;

static void add(text_out *t, const char *s)
{
    size_t n = strlen(s);
    if (t->len < t->cap) {
        size_t room = t->cap - t->len;
        memcpy(t->buf + t->len, s, n < room ? n : room);
    }
    t->len += n;
}

static void add_number(text_out *t, size_t n)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%zu", n);
    add(t, digits);
}

size_t cw_error_print(const cw_error *e, char *buf, size_t cap)
{
    text_out t = {buf, cap, 0};
    if (e->path[0]) {
        add(&t, e->path);
        add(&t, ": ");
    }
    add(&t, e->detail ? e->detail : cw_status_text(e->status));
    if (e->line > 0) {
        add(&t, " at ");
        add_number(&t, e->line);
        add(&t, ":");
        add_number(&t, e->column);
    } else if (e->status != CW_OK && e->offset != SIZE_MAX) {
        add(&t, " at byte ");
        add_number(&t, e->offset);
    }
    if (cap > 0) {
        buf[t.len < cap ? t.len : cap - 1] = 0;
    }
    return t.len;
}

void cw__error_clear(cw_error *e)
{
    if (!e) {
        return;
    }
    e->status = CW_OK;
    e->offset = SIZE_MAX;
    e->line = 0;
    e->column = 0;
    e->detail = NULL;
    e->path[0] = 0;
}

void cw__error_set(cw_error *e, cw_status st, size_t offset, const char *detail)
{
    if (!e || e->status != CW_OK) {
        return;
    }
    cw__error_clear(e);
    e->status = st;
    e->offset = offset;
    e->detail = detail;
}

/*
 * Puts n bytes in front of the path. What does not fit is lost at the front, with "..." in its
 * place; after that nothing more can be put in front.
 */
static void prepend(cw_error *e, const char *s, size_t n)
{
    const size_t most = CW_ERROR_PATH_MAX - 1;
    size_t len = strlen(e->path);
    if (strncmp(e->path, ELLIPSIS, sizeof ELLIPSIS - 1) == 0) {
        return;
    }
    if (n <= most - len) {
        memmove(e->path + n, e->path, len + 1);
        memcpy(e->path, s, n);
        return;
    }
    /* "...", the last bytes of s, then as much of the old path's end as fits. */
    size_t room = most - (sizeof ELLIPSIS - 1);
    size_t old = len < room ? len : room;
    size_t own = room - old;
    memmove(e->path + (sizeof ELLIPSIS - 1) + own, e->path + len - old, old + 1);
    memcpy(e->path + (sizeof ELLIPSIS - 1), s + n - own, own);
    memcpy(e->path, ELLIPSIS, sizeof ELLIPSIS - 1);
}

void cw__error_prefix(cw_error *e, const char *name, size_t index)
{
    if (!e) {
        return;
    }
    if (index != SIZE_MAX) {
        char subscript[32];
        int n = snprintf(subscript, sizeof subscript, "[%zu]", index);
        prepend(e, subscript, (size_t)n);
    }
    if (name) {
        prepend(e, name, strlen(name));
        prepend(e, ".", 1);
    }
}

void cw__error_prefix_key(cw_error *e, const char *name, const char *key, size_t key_len)
{
    if (!e) {
        return;
    }
    prepend(e, "\"]", 2);
    prepend(e, key, key_len);
    prepend(e, "[\"", 2);
    prepend(e, name, strlen(name));
    prepend(e, ".", 1);
}

void cw__error_root(cw_error *e, const char *full_name)
{
    if (e) {
        prepend(e, full_name, strlen(full_name));
    }
}

void cw__error_locate(cw_error *e, const char *text, size_t len)
{
    if (!e || e->offset == SIZE_MAX) {
        return;
    }
    size_t at = e->offset < len ? e->offset : len;
    size_t line = 1, start = 0;
    for (size_t i = 0; i < at; i++) {
        if (text[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    e->line = line;
    e->column = at - start + 1;
}
