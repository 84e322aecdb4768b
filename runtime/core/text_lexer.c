/* SPDX-License-Identifier: MIT */
/* text_lexer.c: tokens of the text format, and failures with their place. */
#include "printable.h"
#include "text_reader.h"

/* ---- failures ---------------------------------------------------------------------------------
 */

bool cw__text_fail(cw__text_reader *r, cw_status st, const char *at, const char *detail)
{
    if (r->status != CW_OK) {
        return false;
    }
    if (r->token.kind == CW__TEXT_BAD && at == r->token.at) {
        st = r->bad.status;
        at = r->bad.at;
        detail = r->bad.detail;
    }
    bool cut = st == CW_ERR_SYNTAX || st == CW_ERR_TYPE || st == CW_ERR_STRING;
    if (cut && at == r->end) {
        st = CW_ERR_TRUNCATED;
        detail = "unexpected end of input";
    }
    r->status = st;
    cw__error_clear(r->error);
    cw__error_set(r->error, st, (size_t)(at - r->begin), detail);
    return false;
}

bool cw__text_fail_memory(cw__text_reader *r, const char *at)
{
    cw_status st = r->arena->failure;
    return cw__text_fail(r, st != CW_OK ? st : CW_ERR_MEMORY, at, NULL);
}

bool cw__text_fail_at(cw__text_reader *r, const char *name, size_t index)
{
    cw__error_prefix(r->error, name, index);
    return false;
}

bool cw__text_fail_at_name(cw__text_reader *r, cw_str name)
{
    cw__printable shown;
    cw__make_printable(&shown, name);
    return cw__text_fail_at(r, shown.text, SIZE_MAX);
}

/* There is no token: what whoever expects one fails with. NULL. */
static CW_COLD const char *bad(cw__text_reader *r, cw_status st, const char *at, const char *detail)
{
    r->bad.status = st;
    r->bad.at = at;
    r->bad.detail = detail;
    return NULL;
}

/* The first byte of [s, end) where UTF-8 breaks; there is one. */
static const char *first_invalid(const char *s, const char *end)
{
    while (s < end) {
        unsigned char lead = (unsigned char)*s;
        size_t n = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        if ((size_t)(end - s) < n || !cw__utf8_valid(s, n)) {
            break;
        }
        s += n;
    }
    return s;
}

/* ---- blanks -----------------------------------------------------------------------------------
 */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

const char *cw__text_blanks(const cw__text_reader *r, const char *p)
{
    while (p < r->end) {
        if (is_blank(*p)) {
            p++;
        } else if (*p == '#') {
            while (p < r->end && *p != '\n' && *p != 0) {
                p++;
            }
        } else {
            break;
        }
    }
    return p;
}

/* ---- numbers ----------------------------------------------------------------------------------
 */

int cw__text_hex(char c)
{
    if (cw__text_is_digit(c)) {
        return c - '0';
    }
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Digits up to the text's end. */
static const char *digits(const cw__text_reader *r, const char *p)
{
    while (p < r->end && cw__text_is_digit(*p)) {
        p++;
    }
    return p;
}

static bool one_of(const cw__text_reader *r, const char *p, char a, char b)
{
    return p < r->end && (*p == a || *p == b);
}

/* 0x1F or 017; p is behind the first 0. NULL: bad. */
static const char *based_number(cw__text_reader *r, const char *p)
{
    if (one_of(r, p, 'x', 'X')) {
        const char *first = ++p;
        while (p < r->end && cw__text_hex(*p) >= 0) {
            p++;
        }
        if (p == first) {
            return bad(r, CW_ERR_SYNTAX, p, "expected a hexadecimal digit");
        }
        return p;
    }
    while (p < r->end && *p >= '0' && *p <= '7') {
        p++;
    }
    if (p < r->end && cw__text_is_digit(*p)) {
        return bad(r, CW_ERR_SYNTAX, p, "a leading 0 is for octal numbers");
    }
    return p;
}

/* Decimal: *real when it has a point, an exponent or an f. */
static const char *decimal_number(cw__text_reader *r, const char *p, bool *real)
{
    p = digits(r, p);
    if (p < r->end && *p == '.') {
        *real = true;
        p = digits(r, p + 1);
    }
    if (one_of(r, p, 'e', 'E')) {
        *real = true;
        p++;
        p += one_of(r, p, '+', '-');
        const char *first = p;
        p = digits(r, p);
        if (p == first) {
            return bad(r, CW_ERR_SYNTAX, p, "expected an exponent");
        }
    }
    if (one_of(r, p, 'f', 'F')) {
        *real = true;
        p++;
    }
    return p;
}

static const char *number(cw__text_reader *r, const char *p, cw__text_kind *kind)
{
    bool real = false;
    bool based =
        *p == '0' && p + 1 < r->end && (cw__text_is_digit(p[1]) || one_of(r, p + 1, 'x', 'X'));
    p = based ? based_number(r, p + 1) : decimal_number(r, p, &real);
    if (!p) {
        return NULL;
    }
    if (p < r->end && (cw__text_is_letter(*p) || cw__text_is_digit(*p) || *p == '.')) {
        return bad(r, CW_ERR_SYNTAX, p, "expected a blank behind the number");
    }
    *kind = real ? CW__TEXT_FLOAT : CW__TEXT_INT;
    return p;
}

/* ---- strings ----------------------------------------------------------------------------------
 */

static size_t put_utf8(char *to, uint32_t c)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n; --i > 0; c >>= 6) {
        to[i] = (char)(0x80 | (c & 0x3f));
    }
    to[0] = (char)((0xf00u >> n) | c);
    return n;
}

/* \uXXXX and \UXXXXXXXX: n digits at s. */
static const char *escape_unicode(const char *s, const char *end, size_t n, char *to, size_t *len,
                                  const char **why)
{
    uint32_t c = 0;
    for (size_t i = 0; i < n; i++) {
        int digit = s + i < end ? cw__text_hex(s[i]) : -1;
        if (digit < 0) {
            *why = s + i < end ? "too few digits in an escape" : NULL;
            return NULL;
        }
        c = c << 4 | (uint32_t)digit;
    }
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
        *why = "escape of no character";
        return NULL;
    }
    *len = put_utf8(to, c);
    return s + n;
}

/* \7, \17 and \377: up to three digits at s, of which the first is there. */
static const char *escape_octal(const char *s, const char *end, char *to, const char **why)
{
    unsigned v = 0;
    for (int i = 0; i < 3 && s < end && *s >= '0' && *s <= '7'; i++) {
        v = v * 8 + (unsigned)(*s++ - '0');
    }
    if (v > 0xff) {
        *why = "octal escape of more than a byte";
        return NULL;
    }
    *to = (char)v;
    return s;
}

/* \x1 and \x1F: up to two digits at s. */
static const char *escape_hex(const char *s, const char *end, char *to, const char **why)
{
    unsigned v = 0;
    const char *first = s;
    while (s < end && s - first < 2 && cw__text_hex(*s) >= 0) {
        v = v * 16 + (unsigned)cw__text_hex(*s++);
    }
    if (s == first) {
        *why = s < end ? "too few digits in an escape" : NULL;
        return NULL;
    }
    *to = (char)v;
    return s;
}

const char *cw__text_escape(const char *s, const char *end, char *to, size_t *n, const char **why)
{
    static const char names[] = "abfnrtv?\\'\"";
    static const char bytes[] = "\a\b\f\n\r\t\v?\\'\"";
    s++;
    if (s == end) {
        *why = NULL;
        return NULL;
    }
    *n = 1;
    switch (*s) {
    case 'x':
        return escape_hex(s + 1, end, to, why);
    case 'u':
        return escape_unicode(s + 1, end, 4, to, n, why);
    case 'U':
        return escape_unicode(s + 1, end, 8, to, n, why);
    default:
        break;
    }
    if (*s >= '0' && *s <= '7') {
        return escape_octal(s, end, to, why);
    }
    const char *name = *s != 0 ? strchr(names, *s) : NULL;
    if (!name) {
        *why = "unknown escape";
        return NULL;
    }
    *to = bytes[name - names];
    return s + 1;
}

/* Over the string at p, fully checked: returns what follows its closing quote. */
static const char *string(cw__text_reader *r, const char *p)
{
    char quote = *p++;
    const char *begin = p;
    bool ascii = true;
    while (p < r->end && *p != quote) {
        if (*p == '\n' || *p == 0) {
            return bad(r, CW_ERR_STRING, p, *p ? "a line ends in a string" : "NUL in a string");
        }
        ascii &= (unsigned char)*p < 0x80;
        if (*p != '\\') {
            p++;
            continue;
        }
        char dropped[4];
        size_t n;
        const char *why;
        const char *next = cw__text_escape(p, r->end, dropped, &n, &why);
        if (!next) {
            return bad(r, CW_ERR_STRING, why ? p : r->end, why);
        }
        p = next;
    }
    if (!ascii && !cw__utf8_valid(begin, (size_t)(p - begin))) {
        return bad(r, CW_ERR_UTF8, first_invalid(begin, p), NULL);
    }
    if (p == r->end) {
        return bad(r, CW_ERR_STRING, p, NULL);
    }
    return p + 1;
}

/* ---- all --------------------------------------------------------------------------------------
 */

static const char *identifier(const cw__text_reader *r, const char *p)
{
    while (p < r->end && (cw__text_is_letter(*p) || cw__text_is_digit(*p))) {
        p++;
    }
    return p;
}

/* The token at p < r->end, its kind in *kind: returns what follows it; NULL: bad. */
static const char *token(cw__text_reader *r, const char *p, cw__text_kind *kind)
{
    if (cw__text_is_letter(*p)) {
        *kind = CW__TEXT_IDENT;
        return identifier(r, p);
    }
    if (cw__text_is_digit(*p) || (*p == '.' && p + 1 < r->end && cw__text_is_digit(p[1]))) {
        return number(r, p, kind);
    }
    if (*p == '"' || *p == '\'') {
        *kind = CW__TEXT_STRING;
        return string(r, p);
    }
    if (*p > ' ' && *p < 0x7f) {
        *kind = CW__TEXT_SYMBOL;
        return p + 1;
    }
    bool mark = p == r->begin && r->end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0;
    return bad(r, CW_ERR_SYNTAX, p, mark ? "byte order mark" : "stray character");
}

void cw__text_next(cw__text_reader *r)
{
    cw__text_token *t = &r->token;
    t->at = cw__text_blanks(r, t->end);
    t->kind = CW__TEXT_END;
    t->end = t->at < r->end ? token(r, t->at, &t->kind) : t->at;
    if (!t->end) {
        t->kind = CW__TEXT_BAD;
        t->end = t->at;
    }
}
