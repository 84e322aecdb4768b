/* SPDX-License-Identifier: MIT */
/*
 * text_reader.h: what the files of the text parser share. Private to runtime/core.
 *   text_lexer.c         tokens, failures
 *   text_parse_value.c   scalars of every kind
 *   text_parse_skip.c    values that nobody wants
 *   text_name.c    what stands between [ and ]
 *   text_parse_any.c     values of Any, extensions
 *   text_parse.c         messages and their fields, begin and end
 */
#ifndef CWIRE_CORE_TEXT_READER_H
#define CWIRE_CORE_TEXT_READER_H

#include "cwire/text.h"

typedef enum cw__text_kind {
    CW__TEXT_END,
    CW__TEXT_IDENT,
    CW__TEXT_INT,    /* decimal, octal or hexadecimal, without a sign */
    CW__TEXT_FLOAT,  /* with a point, an exponent or an f */
    CW__TEXT_STRING, /* quotes included; its escapes are checked, and its bytes are UTF-8 */
    CW__TEXT_SYMBOL, /* one visible ASCII character */
    CW__TEXT_BAD     /* no token: `bad` says why. Who expects anything here fails with that */
} cw__text_kind;

typedef struct cw__text_token {
    cw__text_kind kind;
    const char *at;
    const char *end;
} cw__text_token;

/*
 * State of one parse. One token is looked at, nothing behind it. Functions that parse begin at the
 * first token of what they parse and leave the first one behind it; false: failed.
 */
typedef struct cw__text_reader {
    cw__text_token token;
    const char *begin;
    const char *end;
    cw_arena *arena;
    cw_error *error;
    cw_status status;
    struct {
        cw_status status;
        const char *at;
        const char *detail;
    } bad; /* of the token, when it is CW__TEXT_BAD */
    const cw_type *root;
    const cw_registry *types;
    const cw_extension *extension; /* the last one that was looked up */
    bool ignore_unknown;
    bool allow_partial;
    bool overwrite;
    bool maps_unsorted; /* a map's keys did not come in order: sort before the message is used */
    bool entry_ignored; /* of the map entry that was parsed last, the value was */
    /* Fields met so far, a bit each, of all open messages; from seen_base on the innermost one's.
     */
    uint32_t *seen;
    size_t seen_base;
    size_t seen_len;
    size_t seen_cap;
} cw__text_reader;

/* ---- text_lexer.c -----------------------------------------------------------------------------
 */

/* Steps to the next token. */
void cw__text_next(cw__text_reader *r);

/* Sets the first failure at input position `at`; false. At a bad token it is that token's failure;
 * at the text's end a failure of syntax, type or string is CW_ERR_TRUNCATED. */
CW_COLD bool cw__text_fail(cw__text_reader *r, cw_status st, const char *at, const char *detail);
/* The same with the reason that the arena's last allocation failed. */
CW_COLD bool cw__text_fail_memory(cw__text_reader *r, const char *at);
/* A member failed: `.name[index]` goes in front of the path (index SIZE_MAX: none); false. */
CW_COLD bool cw__text_fail_at(cw__text_reader *r, const char *name, size_t index);
/* The same for a name that stands in the text. */
CW_COLD bool cw__text_fail_at_name(cw__text_reader *r, cw_str name);

/* Over blanks and comments. */
const char *cw__text_blanks(const cw__text_reader *r, const char *p);

static inline bool cw__text_is(const cw__text_reader *r, char symbol)
{
    return r->token.kind == CW__TEXT_SYMBOL && *r->token.at == symbol;
}

static inline bool cw__text_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool cw__text_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The value of a hexadecimal digit; -1: it is none. */
int cw__text_hex(char c);

/* Over the symbol; false: it is not there. */
static inline bool cw__text_take(cw__text_reader *r, char symbol)
{
    bool found = cw__text_is(r, symbol);
    if (found) {
        cw__text_next(r);
    }
    return found;
}

/* Over what may follow a field. */
static inline void cw__text_separator(cw__text_reader *r)
{
    if (!cw__text_take(r, ';')) {
        cw__text_take(r, ',');
    }
}

/*
 * One escape at s, a backslash: its bytes (at most 4, never more than it takes in the text) go to
 * `to`, their count to *n. Returns what follows it; NULL: it is none, *why says in which way (NULL:
 * the text ends in it).
 */
const char *cw__text_escape(const char *s, const char *end, char *to, size_t *n, const char **why);

/* ---- text_parse_value.c -----------------------------------------------------------------------
 */

/*
 * A value of the field's kind, which is no message's, to `to`. *ignored: an unknown enum value
 * which the options let pass; `to` is then as it was.
 */
bool cw__text_value(cw__text_reader *r, const cw_field *f, void *to, bool *ignored);

/* Is the token inf, infinity or nan, in letters of any case: what may stand behind '-'? */
bool cw__text_is_special(const cw__text_reader *r);

/* The value is of another kind than the field: CW_ERR_TYPE when a value begins here, else
 * CW_ERR_SYNTAX; false. */
CW_COLD bool cw__text_fail_value(cw__text_reader *r, const char *detail);

/* ---- text_parse_skip.c ------------------------------------------------------------------------
 */

/* What follows the name of a field that nobody knows: a value of any shape. */
bool cw__text_skip(cw__text_reader *r, int depth);

/* ---- text_name.c ------------------------------------------------------------------------
 */

/* A name in brackets, blanks and comments inside taken out: "pkg.ext" or, with a prefix that ends
 * with '/', "example.com/pkg.Type". */
typedef struct cw__text_name {
    cw_str whole;  /* in the free room of the arena: until something is allocated */
    size_t prefix; /* its length, 0: none */
} cw__text_name;

/* Over the name in brackets; the token is '['. */
bool cw__text_bracketed(cw__text_reader *r, cw__text_name *name);

/* ---- text_parse_any.c -------------------------------------------------------------------------
 */

/* `[example.com/pkg.Type] { ... }` in the Any *m; the token is '['. */
bool cw__text_any(cw__text_reader *r, const cw_type *any, void *m, int depth);

/* `[pkg.ext]: ...` in *m; the token is '['. */
bool cw__text_extension(cw__text_reader *r, const cw_type *t, void *m, int depth);

/* ---- text_parse.c -----------------------------------------------------------------------------
 */

/* `{ ... }` or `< ... >` to *m, which is initialised. */
bool cw__text_message(cw__text_reader *r, const cw_type *t, void *m, int depth);

/* Adds one element, or those in `[ ... ]`, to the list at `list` (no map's) of field f, each of
 * `elem` bytes; the ':' is behind. `name` is for the path. */
bool cw__text_list(cw__text_reader *r, const cw_field *f, size_t elem, const char *name, void *list,
                   int depth);

/* Over ':', which only a message may go without. */
bool cw__text_colon(cw__text_reader *r, const cw_field *f);

/* A name that is not known at `at`, the token behind it: skipped, or CW_ERR_UNKNOWN_FIELD. */
bool cw__text_unknown(cw__text_reader *r, const char *at, int depth);

/* Notes that field `index` was met in the innermost message; false: it was before. */
bool cw__text_first(cw__text_reader *r, uint32_t index);

#endif
