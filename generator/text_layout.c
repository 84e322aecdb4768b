/* SPDX-License-Identifier: MIT */
/* text_layout.c: where a line stands and where it is broken. See text.h for the rules. */
#include "text_layout.h"

#include <string.h>

#define INDENT 4

/* --- a small lexer of C: what is code, what is string or comment -------------------------------
 */

enum lex_mode { IN_CODE, IN_STRING, IN_CHAR, IN_BLOCK, IN_LINE };

typedef struct lexer {
    enum lex_mode mode;
    bool escaped; /* the byte before was a backslash in a literal */
    bool skip;    /* the next byte ends or begins a comment together with this one */
} lexer;

/* Steps over s[0] (s[1] may be looked at: NUL-terminated). True: it is code. */
static bool lex(lexer *x, const char *s)
{
    if (x->skip) {
        x->skip = false;
        return false;
    }
    char c = s[0];
    switch (x->mode) {
    case IN_CODE:
        if (c == '/' && (s[1] == '*' || s[1] == '/')) {
            x->mode = s[1] == '*' ? IN_BLOCK : IN_LINE;
            x->skip = true;
            return false;
        }
        if (c == '"' || c == '\'')
            x->mode = c == '"' ? IN_STRING : IN_CHAR;
        return c != '"' && c != '\'';
    case IN_STRING:
    case IN_CHAR:
        if (x->escaped)
            x->escaped = false;
        else if (c == '\\')
            x->escaped = true;
        else if (c == (x->mode == IN_STRING ? '"' : '\''))
            x->mode = IN_CODE;
        return false;
    case IN_BLOCK:
        if (c == '*' && s[1] == '/') {
            x->mode = IN_CODE;
            x->skip = true;
        }
        return false;
    case IN_LINE:
        break;
    }
    return false;
}

/* --- layout ----------------------------------------------------------------------------------- */

static bool starts_with(const char *s, const char *word)
{
    return strncmp(s, word, strlen(word)) == 0;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* `case X:`, `default:` or a label. */
static bool is_label(const char *s)
{
    if (starts_with(s, "case ") || starts_with(s, "default:"))
        return true;
    size_t n = 0;
    while (is_word(s[n]))
        n++;
    return n > 0 && s[n] == ':' && s[n + 1] == '\0';
}

static bool is_control(const char *s)
{
    if (starts_with(s, "} "))
        s += 2;
    if (starts_with(s, "else"))
        return !is_word(s[4]);
    return starts_with(s, "if (") || starts_with(s, "for (") || starts_with(s, "while (");
}

/* Nothing but blanks and comments from s on. */
static bool only_comments(const char *s)
{
    lexer x = {IN_CODE, false, false};
    for (; *s; s++) {
        if (lex(&x, s) && *s != ' ')
            return false;
        if (x.mode == IN_STRING || x.mode == IN_CHAR)
            return false;
    }
    return true;
}

/* Columns of the blocks that are open: a block of `case X: {` adds none. */
int cwg__block_columns(const cwg_text *t)
{
    int levels = 0;
    for (int i = 0; i < t->depth; i++)
        levels += t->case_brace[i] ? 0 : 1;
    return levels * INDENT;
}

static void out_spaces(cwg_text *t, int n)
{
    for (; n > 0; n--)
        cwg__out(t, " ", 1);
}

static void open_paren(cwg_text *t, char kind, int column)
{
    if (t->parens == CWG_TEXT_MAX_NEST) {
        cwg_fail(t, "template nests parentheses too deeply");
        return;
    }
    t->paren_kind[t->parens] = kind;
    t->paren_column[t->parens] = column;
    t->parens++;
}

static void close_paren(cwg_text *t, char kind)
{
    if (t->parens == 0 || t->paren_kind[t->parens - 1] != kind) {
        cwg_fail(t, "unbalanced %c in a template", kind);
        return;
    }
    t->parens--;
}

static void open_block(cwg_text *t, bool after_case)
{
    if (t->depth == CWG_TEXT_MAX_NEST) {
        cwg_fail(t, "template nests blocks too deeply");
        return;
    }
    t->case_brace[t->depth++] = after_case;
}

static void close_block(cwg_text *t)
{
    if (t->depth == 0)
        cwg_fail(t, "unbalanced } in a template");
    else
        t->depth--;
}

/* Follows the parentheses and braces of n bytes that begin at `column`. `line` is the whole line.
 */
static void track(cwg_text *t, const char *s, size_t n, int column, bool after_case)
{
    lexer x = {IN_CODE, false, false};
    for (size_t i = 0; i < n && !t->failed; i++) {
        if (!lex(&x, s + i))
            continue;
        char c = s[i];
        if (c == '(' || c == '[')
            open_paren(t, c, column + (int)i + 1);
        else if (c == ')' || c == ']')
            close_paren(t, c == ')' ? '(' : '[');
        else if (c == '{' && only_comments(s + i + 1))
            open_block(t, after_case);
        else if (c == '{')
            open_paren(t, c, column + (int)i + 1);
        else if (c == '}' && t->parens > 0 && t->paren_kind[t->parens - 1] == '{')
            t->parens--;
        else if (c == '}')
            close_block(t);
    }
    t->in_comment = x.mode == IN_BLOCK;
    if (x.mode == IN_STRING || x.mode == IN_CHAR)
        cwg_fail(t, "a literal does not end on its line: %.60s", s);
}

/*
 * Where to break a line so that the first part fits in `room` columns: behind a comma, `;`, && or
 * || in parentheses, as far out and then as far right as possible; else behind && || or = outside
 * of them. 0: nowhere.
 */
static size_t find_break(const char *s, size_t room, int nest)
{
    lexer x = {IN_CODE, false, false};
    size_t best = 0;
    int best_nest = 1000;
    for (size_t i = 0; s[i] != '\0' && i < room; i++) {
        if (!lex(&x, s + i))
            continue;
        char c = s[i];
        if (c == '(' || c == '[' || c == '{')
            nest++;
        if (c == ')' || c == ']' || c == '}')
            nest--;
        if (s[i + 1] != ' ' || i == 0)
            continue;
        bool comma = (c == ',' || c == ';') && nest > 0;
        bool logic = (c == '&' || c == '|') && s[i - 1] == c;
        bool assign = c == '=' && s[i - 1] == ' ';
        int cost = nest > 0 ? nest : 500;
        if ((comma || logic || (assign && nest == 0)) && cost <= best_nest) {
            best_nest = cost;
            best = i + 1;
        }
    }
    return best;
}

/* Writes one line of code at t->indent or deeper, broken where it is too long. */
static void put_code(cwg_text *t, const char *s, int column, bool after_case)
{
    while (!t->failed) {
        size_t n = strlen(s);
        size_t cut = 0;
        if (column + (int)n > CWG_COLUMNS && column < CWG_COLUMNS)
            cut = find_break(s, (size_t)(CWG_COLUMNS - column), t->parens);
        if (cut == 0)
            cut = n;
        out_spaces(t, column);
        cwg__out(t, s, cut);
        cwg__out(t, "\n", 1);
        track(t, s, cut, column, after_case);
        s += cut;
        while (*s == ' ')
            s++;
        if (*s == '\0')
            return;
        column = t->parens > 0 ? t->paren_column[t->parens - 1] : t->indent + INDENT;
    }
}

/* The last byte of code on a line and the one before it; false: there is no code. */
static bool last_code(const char *s, char *last, char *before)
{
    lexer x = {IN_CODE, false, false};
    bool any = false;
    char back = ' ';
    *last = *before = ' ';
    for (; *s; s++) {
        bool code = lex(&x, s);
        bool literal = x.mode == IN_STRING || x.mode == IN_CHAR || *s == '"' || *s == '\'';
        if ((code || (literal && x.mode != IN_BLOCK)) && *s != ' ') {
            *before = back;
            *last = *s;
            any = true;
        }
        back = *s;
    }
    return any;
}

/* What the end of a line means for the next one: an open statement or not. */
static void note_end(cwg_text *t, const char *s)
{
    char last, before;
    if (t->parens > 0 || !last_code(s, &last, &before))
        return;
    t->continued = (last == '=' && before == ' ') || (last == '&' && before == '&') ||
                   (last == '|' && before == '|');
    if (t->continued)
        return;
    size_t n = strlen(s);
    bool bare_else = n >= 4 && strcmp(s + n - 4, "else") == 0;
    if (t->control && (last == ')' || bare_else))
        t->extra++;
    else if (last == ';' || last == '}' || last == '{')
        t->extra = 0;
    t->control = false;
}

/* One finished line, leading and trailing blanks gone, not empty. */
void cwg__layout_line(cwg_text *t, const char *s, size_t n)
{
    if (t->in_comment) {
        out_spaces(t, t->indent + (s[0] == '*' ? 1 : 3));
        cwg__out(t, s, n);
        cwg__out(t, "\n", 1);
        lexer x = {IN_BLOCK, false, false};
        for (size_t i = 0; i < n; i++)
            lex(&x, s + i);
        t->in_comment = x.mode == IN_BLOCK;
        return;
    }
    if (s[0] == '#') {
        cwg__out(t, s, n);
        cwg__out(t, "\n", 1);
        return;
    }
    if (t->parens > 0) {
        put_code(t, s, t->paren_column[t->parens - 1], false);
        note_end(t, s);
        return;
    }
    int column = cwg__block_columns(t) + t->extra * INDENT;
    if (t->continued) {
        put_code(t, s, t->indent + INDENT, false);
        note_end(t, s);
        return;
    }
    if (s[0] == '}' && t->depth > 0)
        column = cwg__block_columns(t) - INDENT;
    else if (is_label(s))
        column -= INDENT;
    t->indent = column < 0 ? 0 : column;
    t->control = is_control(s);
    put_code(t, s, t->indent, starts_with(s, "case ") || starts_with(s, "default:"));
    note_end(t, s);
}
