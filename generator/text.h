/* SPDX-License-Identifier: MIT */
/*
 * text.h: the emitter. Templates look like the C they make; named values are put in between
 * dollars.
 *
 *     cwg_push(t);
 *     cwg_set(t, "T", m->c_name);
 *     cwg_emit(t, "void $T$_init($T$ *m)\n"
 *                 "{\n"
 *                 "memset(m, 0, sizeof *m);\n");
 *     if (m->has_defaults)
 *         emit_defaults(m, t);
 *     cwg_emit(t, "}\n\n");
 *     cwg_pop(t);
 *
 * Indentation comes from the braces of the text (outside comments, strings and character literals),
 * 4 columns each; leading blanks in a template line are dropped, so a template
 * may be indented as its author likes. `case X:`, `default:` and labels stand one level out. Inside
 * open parentheses the next line is aligned behind the parenthesis. A line after `if (...)`,
 * `else`, `for (...)`, `while (...)` without a brace is one deeper. Preprocessor lines (`#`) stand
 * at column 0, `extern "C" {` is written through a macro. Lines longer than 100 columns are broken
 * behind a comma where that is possible.
 *
 * Errors are sticky: the first unknown $name$, unbalanced brace or lack of memory is kept in the
 * text, everything after it is dropped, and the plugin reports it once.
 */
#ifndef CWG_TEXT_H
#define CWG_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CWG_TEXT_MAX_NEST 64

typedef struct cwg_var {
    char *name;
    char *value;
} cwg_var;

/* Fields are private to text.c. */
typedef struct cwg_text {
    char *data; /* finished lines; NUL-terminated */
    size_t len, cap;
    char *line; /* the line being made */
    size_t line_len, line_cap;
    cwg_var *vars; /* a stack; scopes[] has the heights that cwg_pop returns to */
    size_t n_vars, cap_vars;
    size_t *scopes;
    size_t n_scopes, cap_scopes;
    int depth;                           /* open blocks */
    bool case_brace[CWG_TEXT_MAX_NEST];  /* the block was opened by `case X: {` */
    int parens;                          /* open parentheses, brackets and inline braces */
    char paren_kind[CWG_TEXT_MAX_NEST];  /* '(' '[' '{' */
    int paren_column[CWG_TEXT_MAX_NEST]; /* column behind each */
    int indent;                          /* columns of the statement's first line */
    int extra;       /* levels added by `if (...)` and the like without a brace */
    bool control;    /* the statement began with if, for, while or else */
    bool continued;  /* the last line ended in an operator */
    bool in_comment; /* inside a block comment */
    bool last_blank; /* the last line was empty or only opened a block */
    char *error;     /* first error, or NULL */
    bool failed;     /* an error happened (error is NULL when even its text had no memory) */
} cwg_text;

void cwg_text_init(cwg_text *t);
void cwg_text_free(cwg_text *t);

/* The finished text, NUL-terminated, owned by t; NULL after an error. Checks that braces are
 * balanced. */
const char *cwg_text_finish(cwg_text *t, size_t *len);

/* The first error, or NULL. */
const char *cwg_text_error(const cwg_text *t);

/* Records an error (printf format) unless there is one already. For emitters that meet the
 * impossible. */
void cwg_fail(cwg_text *t, const char *format, ...);

/* Opens a scope of variables; cwg_pop forgets those set since the matching push. */
void cwg_push(cwg_text *t);
void cwg_pop(cwg_text *t);

/*
 * Sets a variable in the innermost scope (copied; hides the same name of outer scopes; replaces it
 * in this one). A value is put in as it is: no $ in it is looked at, and its braces do not count.
 * NULL value: an error.
 */
void cwg_set(cwg_text *t, const char *name, const char *value);
void cwg_setf(cwg_text *t, const char *name, const char *format, ...);
void cwg_seti(cwg_text *t, const char *name, long long value);

/* The value of a variable, or NULL (no error). */
const char *cwg_get(const cwg_text *t, const char *name);

/* Appends a template. `$$` is a dollar. A line is finished by `\n`; several calls may make one
 * line. */
void cwg_emit(cwg_text *t, const char *template);

/* Appends text as it is (no $), but laid out like a template. */
void cwg_emit_plain(cwg_text *t, const char *s);

/* An empty line, unless the text is empty, the last line is empty, or it only opened a brace. */
void cwg_blank(cwg_text *t);

/*
 * A C comment of its own line(s) with this text (a .proto comment: may have many lines, `*` `/`
 * pairs, trigraphs, tabs, any bytes). Nothing for NULL or blank text. Lines over 100 columns are
 * wrapped.
 */
void cwg_comment(cwg_text *t, const char *s);

/*
 * Sets a variable to the text made fit to stand inside a one-line C comment: no comment end, no
 * newline, no trigraph.
 */
void cwg_set_comment(cwg_text *t, const char *name, const char *s);

/*
 * Sets a variable to the C string literal for `len` bytes, quotes included: printable ASCII as it
 * is, the rest as three-digit octal escapes, `?` after `?` escaped (trigraphs). "" for len 0.
 */
void cwg_set_literal(cwg_text *t, const char *name, const char *bytes, size_t len);

#endif
