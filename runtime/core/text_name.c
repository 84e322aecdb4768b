/* SPDX-License-Identifier: MIT */
/* text_name.c: names in brackets, of extensions and of types in an Any. */
#include "text_reader.h"
#include "text_shared.h"

/* What a URL may hold, as RFC 3986 has it for paths; '_' is a letter here. */
static bool is_url(char c)
{
    return cw__text_is_letter(c) || cw__text_is_digit(c) ||
           (c != 0 && strchr("-.~!$&()*+,;=%/", c) != NULL);
}

/* Over the name behind '[' up to ']'; its bytes go to `to` if that is not NULL, *n is their count.
 * NULL: failed. */
static const char *scan(cw__text_reader *r, const char *p, char *to, size_t *n)
{
    *n = 0;
    for (;;) {
        p = cw__text_blanks(r, p);
        if (p == r->end || !is_url(*p)) {
            break;
        }
        if (to) {
            to[*n] = *p;
        }
        ++*n;
        p++;
    }
    if (p == r->end || *p != ']') {
        cw__text_fail(r, CW_ERR_SYNTAX, p, "expected ']'");
        return NULL;
    }
    return p;
}

/* IDENT { "." IDENT } */
static bool is_full_name(cw_str s)
{
    bool begins = true;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        bool good = begins ? cw__text_is_letter(c)
                           : cw__text_is_letter(c) || cw__text_is_digit(c) || c == '.';
        if (!good) {
            return false;
        }
        begins = c == '.';
    }
    return !begins;
}

/* A host at least, and two digits behind each '%'. */
static bool is_prefix(cw_str s)
{
    if (s.data[0] == '/') {
        return false;
    }
    for (size_t i = 0; i < s.len; i++) {
        if (s.data[i] == '%' &&
            (s.len - i < 3 || cw__text_hex(s.data[i + 1]) < 0 || cw__text_hex(s.data[i + 2]) < 0)) {
            return false;
        }
    }
    return true;
}

bool cw__text_check_name(cw_str name, size_t *prefix)
{
    size_t n = name.len;
    if (n == 0) {
        return false;
    }
    while (n > 0 && name.data[n - 1] != '/') {
        n--;
    }
    *prefix = n;
    for (size_t i = 0; i < n; i++) {
        if (!is_url(name.data[i])) {
            return false;
        }
    }
    return is_full_name(cw_str_of(name.data + n, name.len - n)) &&
           (n == 0 || is_prefix(cw_str_of(name.data, n)));
}

bool cw__text_bracketed(cw__text_reader *r, cw__text_name *name)
{
    const char *at = r->token.at;
    size_t n;
    const char *end = scan(r, at + 1, NULL, &n);
    if (!end) {
        return false;
    }
    if (!cw__arena_room(r->arena, n + 1)) {
        return cw__text_fail_memory(r, at);
    }
    char *to = r->arena->ptr;
    scan(r, at + 1, to, &n);
    to[n] = 0;
    name->whole = cw_str_of(to, n);
    if (!cw__text_check_name(name->whole, &name->prefix)) {
        return cw__text_fail(r, CW_ERR_SYNTAX, at, "invalid name in brackets");
    }
    r->token.end = end + 1;
    cw__text_next(r);
    return true;
}
