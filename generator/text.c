/* SPDX-License-Identifier: MIT */
/*
 * text.c: the emitter. See text.h.
 *
 * Text is collected line by line; a finished line is laid out by the braces, parentheses and
 * statements that stand open when it begins (text_layout.c), and only then appended to the result.
 */
#include "text.h"
#include "literal.h"
#include "text_layout.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDENT      4
#define CWG_COLUMNS 100

/* --- memory and errors ------------------------------------------------------------------------ */

void cwg_text_init(cwg_text *t)
{
    memset(t, 0, sizeof *t);
    t->last_blank = true;
}

static void forget_vars(cwg_text *t, size_t keep)
{
    while (t->n_vars > keep) {
        t->n_vars--;
        free(t->vars[t->n_vars].name);
        free(t->vars[t->n_vars].value);
    }
}

void cwg_text_free(cwg_text *t)
{
    forget_vars(t, 0);
    free(t->vars);
    free(t->scopes);
    free(t->data);
    free(t->line);
    free(t->error);
    memset(t, 0, sizeof *t);
}

const char *cwg_text_error(const cwg_text *t)
{
    if (!t->failed)
        return NULL;
    return t->error ? t->error : "out of memory";
}

/* vsnprintf into memory of its own; NULL when there is none. */
static char *format_copy(const char *format, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, format, ap);
    char *s = n < 0 ? NULL : malloc((size_t)n + 1);
    if (s)
        vsnprintf(s, (size_t)n + 1, format, again);
    va_end(again);
    return s;
}

void cwg_fail(cwg_text *t, const char *format, ...)
{
    if (t->failed)
        return;
    t->failed = true;
    va_list ap;
    va_start(ap, format);
    t->error = format_copy(format, ap);
    va_end(ap);
}

static void no_memory(cwg_text *t)
{
    t->failed = true;
}

/* Makes room for `more` elements after n; false: out of memory, noted. */
static bool reserve(cwg_text *t, void **data, size_t *cap, size_t n, size_t more, size_t size)
{
    if (t->failed)
        return false;
    if (*cap - n >= more)
        return true;
    size_t want = *cap ? *cap * 2 : 64;
    while (want - n < more && want < SIZE_MAX / 4)
        want *= 2;
    void *bigger = want - n < more || want > SIZE_MAX / size ? NULL : realloc(*data, want * size);
    if (!bigger) {
        no_memory(t);
        return false;
    }
    *data = bigger;
    *cap = want;
    return true;
}

static void append(cwg_text *t, char **data, size_t *cap, size_t *len, const char *s, size_t n)
{
    void *p = *data;
    if (n == 0 || !reserve(t, &p, cap, *len, n + 1, 1))
        return;
    *data = p;
    memcpy(*data + *len, s, n);
    *len += n;
    (*data)[*len] = '\0';
}

void cwg__out(cwg_text *t, const char *s, size_t n)
{
    append(t, &t->data, &t->cap, &t->len, s, n);
}

/* --- variables -------------------------------------------------------------------------------- */

void cwg_push(cwg_text *t)
{
    void *p = t->scopes;
    if (!reserve(t, &p, &t->cap_scopes, t->n_scopes, 1, sizeof *t->scopes))
        return;
    t->scopes = p;
    t->scopes[t->n_scopes++] = t->n_vars;
}

void cwg_pop(cwg_text *t)
{
    if (t->failed)
        return;
    if (t->n_scopes == 0) {
        cwg_fail(t, "cwg_pop without cwg_push");
        return;
    }
    forget_vars(t, t->scopes[--t->n_scopes]);
}

static cwg_var *find_var(const cwg_text *t, const char *name, size_t len, size_t from)
{
    for (size_t i = t->n_vars; i > from; i--) {
        cwg_var *v = &t->vars[i - 1];
        if (strncmp(v->name, name, len) == 0 && v->name[len] == '\0')
            return v;
    }
    return NULL;
}

const char *cwg_get(const cwg_text *t, const char *name)
{
    const cwg_var *v = find_var(t, name, strlen(name), 0);
    return v ? v->value : NULL;
}

static char *copy_string(const char *s)
{
    size_t n = strlen(s) + 1;
    char *r = malloc(n);
    return r ? memcpy(r, s, n) : NULL;
}

/* Takes over `value` (malloc). */
static void set_owned(cwg_text *t, const char *name, char *value)
{
    if (t->failed || !value) {
        no_memory(t);
        free(value);
        return;
    }
    size_t base = t->n_scopes ? t->scopes[t->n_scopes - 1] : 0;
    cwg_var *v = find_var(t, name, strlen(name), base);
    if (v) {
        free(v->value);
        v->value = value;
        return;
    }
    void *p = t->vars;
    char *key = copy_string(name);
    if (!key || !reserve(t, &p, &t->cap_vars, t->n_vars, 1, sizeof *t->vars)) {
        no_memory(t);
        free(key);
        free(value);
        return;
    }
    t->vars = p;
    t->vars[t->n_vars].name = key;
    t->vars[t->n_vars].value = value;
    t->n_vars++;
}

void cwg_set(cwg_text *t, const char *name, const char *value)
{
    if (!value) {
        cwg_fail(t, "template variable $%s$ was set to NULL", name);
        return;
    }
    set_owned(t, name, copy_string(value));
}

void cwg_setf(cwg_text *t, const char *name, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    set_owned(t, name, format_copy(format, ap));
    va_end(ap);
}

void cwg_seti(cwg_text *t, const char *name, long long value)
{
    cwg_setf(t, name, "%lld", value);
}

void cwg_set_literal(cwg_text *t, const char *name, const char *bytes, size_t len)
{
    size_t size = cwg_literal_size(len);
    char *s = size ? malloc(size) : NULL;
    if (!s) {
        no_memory(t);
        return;
    }
    cwg_literal_write(s, bytes, len);
    set_owned(t, name, s);
}

/*
 * Copies n bytes of a comment to `to` (room for 2 * n + 1): a blank goes between characters that
 * would end or begin a comment or make a trigraph, and control characters become blanks.
 */
static void clean_comment(char *to, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = s[i];
        char last = i > 0 ? s[i - 1] : '\0';
        if ((last == '*' && c == '/') || (last == '/' && c == '*') || (last == '?' && c == '?'))
            *to++ = ' ';
        *to++ = (unsigned char)c < 0x20 || c == 0x7f ? ' ' : c;
    }
    *to = '\0';
}

void cwg_set_comment(cwg_text *t, const char *name, const char *s)
{
    size_t n = s ? strlen(s) : 0;
    char *clean = n > (SIZE_MAX - 1) / 2 ? NULL : malloc(2 * n + 1);
    if (!clean) {
        no_memory(t);
        return;
    }
    clean_comment(clean, n ? s : "", n);
    set_owned(t, name, clean);
}

/* --- lines ------------------------------------------------------------------------------------ */

static void finish_line(cwg_text *t)
{
    char *s = t->line;
    size_t n = t->line_len;
    t->line_len = 0;
    if (t->failed)
        return;
    while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t'))
        n--;
    if (s)
        s[n] = '\0';
    while (n > 0 && (*s == ' ' || *s == '\t')) {
        s++;
        n--;
    }
    if (n == 0) {
        if (!t->last_blank)
            cwg__out(t, "\n", 1);
        t->last_blank = true;
        return;
    }
    cwg__layout_line(t, s, n);
    t->last_blank = s[n - 1] == '{' && n > 1;
}

/* Adds text that belongs to the current line, or ends it at each newline. */
static void add(cwg_text *t, const char *s, size_t n)
{
    while (n > 0 && !t->failed) {
        const char *nl = memchr(s, '\n', n);
        size_t part = nl ? (size_t)(nl - s) : n;
        append(t, &t->line, &t->line_cap, &t->line_len, s, part);
        if (nl) {
            finish_line(t);
            part++;
        }
        s += part;
        n -= part;
    }
}

/* --- templates -------------------------------------------------------------------------------- */

void cwg_emit_plain(cwg_text *t, const char *s)
{
    add(t, s, strlen(s));
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void cwg_emit(cwg_text *t, const char *template)
{
    const char *s = template;
    while (*s && !t->failed) {
        const char *dollar = strchr(s, '$');
        if (!dollar) {
            cwg_emit_plain(t, s);
            return;
        }
        add(t, s, (size_t)(dollar - s));
        const char *name = dollar + 1;
        size_t n = 0;
        while (is_word(name[n]))
            n++;
        if (name[n] != '$') {
            cwg_fail(t, "lonely $ in a template: %.60s", dollar);
            return;
        }
        const cwg_var *v = n ? find_var(t, name, n, 0) : NULL;
        if (n == 0)
            add(t, "$", 1);
        else if (v)
            add(t, v->value, strlen(v->value));
        else
            cwg_fail(t, "unknown template variable $%.*s$ in: %.60s", (int)n, name, template);
        s = name + n + 1;
    }
}

void cwg_blank(cwg_text *t)
{
    if (t->line_len > 0)
        finish_line(t);
    if (!t->last_blank)
        cwg__out(t, "\n", 1);
    t->last_blank = true;
}

/* --- comments --------------------------------------------------------------------------------- */

/* One source line of a comment as ` * ...` lines of at most CWG_COLUMNS columns. */
static void comment_line(cwg_text *t, const char *s, size_t n, int room)
{
    while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\r' || s[n - 1] == '\t'))
        n--;
    char *clean = malloc(2 * n + 1);
    if (!clean) {
        no_memory(t);
        return;
    }
    clean_comment(clean, s, n);
    const char *p = clean;
    do {
        size_t len = strlen(p);
        size_t cut = len;
        if (len > (size_t)room) {
            cut = (size_t)room;
            while (cut > 0 && p[cut] != ' ')
                cut--;
            if (cut == 0)
                cut = strcspn(p, " ");
        }
        cwg_emit_plain(t, *p ? "* " : "*");
        add(t, p, cut);
        cwg_emit_plain(t, "\n");
        p += cut;
        while (*p == ' ')
            p++;
    } while (*p);
    free(clean);
}

void cwg_comment(cwg_text *t, const char *s)
{
    if (!s)
        return;
    if (s[0] == '*' && (s[1] == ' ' || s[1] == '\n')) /* the second star of a doc comment */
        s++;
    while (*s == '\n' || *s == '\r' || (*s == ' ' && strspn(s, " \r\n") > strspn(s, " ")))
        s++;
    size_t n = strlen(s);
    while (n > 0 && (s[n - 1] == '\n' || s[n - 1] == ' ' || s[n - 1] == '\r' || s[n - 1] == '\t'))
        n--;
    if (n == 0 || t->failed)
        return;
    if (t->line_len > 0)
        finish_line(t);
    int room = CWG_COLUMNS - 3 - cwg__block_columns(t);
    if (room < 40)
        room = 40;
    if (!memchr(s, '\n', n) && n + 6 < (size_t)room && n < SIZE_MAX / 2) {
        char *clean = malloc(2 * n + 1);
        if (!clean) {
            no_memory(t);
            return;
        }
        size_t skip = s[0] == ' ' ? strspn(s, " ") : 0;
        clean_comment(clean, s + skip, n - skip);
        cwg_emit_plain(t, "/* ");
        cwg_emit_plain(t, clean);
        cwg_emit_plain(t, " */\n");
        free(clean);
        return;
    }
    cwg_emit_plain(t, "/*\n");
    while (n > 0 && !t->failed) {
        const char *nl = memchr(s, '\n', n);
        size_t part = nl ? (size_t)(nl - s) : n;
        size_t skip = part > 0 && s[0] == ' ' ? 1 : 0; /* the blank behind `//` */
        comment_line(t, s + skip, part - skip, room);
        part += nl ? 1 : 0;
        s += part;
        n -= part;
    }
    cwg_emit_plain(t, "*/\n");
}

const char *cwg_text_finish(cwg_text *t, size_t *len)
{
    if (t->line_len > 0)
        finish_line(t);
    if (!t->failed && (t->depth != 0 || t->parens != 0))
        cwg_fail(t, "a block or parenthesis is still open at the end of the file");
    if (!t->failed && t->in_comment)
        cwg_fail(t, "a comment is still open at the end of the file");
    if (!t->failed && t->n_scopes != 0)
        cwg_fail(t, "cwg_push without cwg_pop");
    if (t->failed)
        return NULL;
    *len = t->len;
    return t->data ? t->data : "";
}
