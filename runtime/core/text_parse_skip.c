/* SPDX-License-Identifier: MIT */
/*
 * text_parse_skip.c: the value of a field that nobody knows or that was there once: any value that
 * the format has. Its syntax is checked.
 */
#include "text_reader.h"

static bool skip_message(cw__text_reader *r, int depth);

/* One value that is neither message nor list. */
static bool skip_scalar(cw__text_reader *r)
{
    if (r->token.kind == CW__TEXT_STRING) {
        do {
            cw__text_next(r);
        } while (r->token.kind == CW__TEXT_STRING);
        return true;
    }
    bool minus = cw__text_take(r, '-');
    bool number = r->token.kind == CW__TEXT_INT || r->token.kind == CW__TEXT_FLOAT;
    bool word = r->token.kind == CW__TEXT_IDENT && (!minus || cw__text_is_special(r));
    if (!number && !word) {
        return cw__text_fail(r, CW_ERR_SYNTAX, r->token.at, "expected a value");
    }
    cw__text_next(r);
    return true;
}

static bool opens_message(const cw__text_reader *r)
{
    return cw__text_is(r, '{') || cw__text_is(r, '<');
}

/* One value that is no list; `scalars`: may it be anything but a message? */
static bool skip_value(cw__text_reader *r, bool scalars, int depth)
{
    return opens_message(r) || !scalars ? skip_message(r, depth) : skip_scalar(r);
}

/* Behind '['. */
static bool skip_list(cw__text_reader *r, bool scalars, int depth)
{
    bool done = cw__text_take(r, ']');
    while (!done) {
        if (!skip_value(r, scalars, depth)) {
            return false;
        }
        done = cw__text_take(r, ']');
        if (!done && !cw__text_take(r, ',')) {
            return cw__text_fail(r, CW_ERR_SYNTAX, r->token.at, "expected ',' or ']'");
        }
    }
    return true;
}

bool cw__text_skip(cw__text_reader *r, int depth)
{
    bool colon = cw__text_take(r, ':');
    return cw__text_take(r, '[') ? skip_list(r, colon, depth) : skip_value(r, colon, depth);
}

static bool skip_field(cw__text_reader *r, int depth)
{
    if (cw__text_is(r, '[')) {
        cw__text_name name;
        if (!cw__text_bracketed(r, &name)) {
            return false;
        }
    } else if (r->token.kind == CW__TEXT_IDENT ||
               (r->token.kind == CW__TEXT_INT && r->ignore_unknown)) {
        cw__text_next(r);
    } else {
        return cw__text_fail(r, CW_ERR_SYNTAX, r->token.at, "expected a field's name");
    }
    if (!cw__text_skip(r, depth)) {
        return false;
    }
    cw__text_separator(r);
    return true;
}

static bool skip_message(cw__text_reader *r, int depth)
{
    if (!opens_message(r)) {
        return cw__text_fail(r, CW_ERR_SYNTAX, r->token.at, "expected ':' or a message");
    }
    if (depth < 1) {
        return cw__text_fail(r, CW_ERR_DEPTH, r->token.at, NULL);
    }
    char close = *r->token.at == '{' ? '}' : '>';
    cw__text_next(r);
    while (!cw__text_take(r, close)) {
        if (!skip_field(r, depth - 1)) {
            return false;
        }
    }
    return true;
}
