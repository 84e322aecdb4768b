/* SPDX-License-Identifier: MIT */
/* json_reader.h: what the files of the JSON reader share. */
#ifndef CWIRE_CORE_JSON_READER_H
#define CWIRE_CORE_JSON_READER_H

#include "cwire/json.h"
#include "json_scan.h"

static inline bool cw__json_is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* True when the number that ends before p (p < end, the reader's) ends as one may. */
static inline bool cw__json_is_delimiter(char c)
{
    return c == ',' || c == '}' || c == ']' || cw__json_is_blank(c);
}

/*
 * The value at p is not what the field needs: CW_ERR_TYPE when a value of another kind begins
 * there, CW_ERR_SYNTAX when none does.
 */
CW_COLD const char *cw__json_fail_value(cw__json_reader *r, const char *p, const char *detail);

/*
 * A call that has put its failure into r->error was for what stands at `at` in the input: takes the
 * status, and the place is that of the error; returns NULL.
 */
CW_COLD const char *cw__json_fail_with(cw__json_reader *r, cw_status st, const char *at);

/*
 * The string at p (CW_ERR_TYPE with `detail` when there is none), checked as cw__json_get_string
 * does, without copying it: *v is a view of the input when it has no escapes (v->data is then p +
 * 1), else unescaped and NUL-terminated in the arena. Either is followed by a byte that is no
 * digit or letter. Returns the byte after the closing quote; NULL: failed.
 */
const char *cw__json_view_slow(cw__json_reader *r, const char *p, cw_str *v, const char *detail);

CW_ALWAYS_INLINE const char *cw__json_view(cw__json_reader *r, const char *p, cw_str *v,
                                           const char *detail)
{
    if (CW_LIKELY(r->end - p >= 17 && *p == '"')) {
        size_t n = cw__json_plain16(p + 1);
        if (CW_LIKELY(n < 16 && p[n + 1] == '"')) {
            v->data = p + 1;
            v->len = n;
            return p + n + 2;
        }
    }
    return cw__json_view_slow(r, p, v, detail);
}

/* Over the string at p, fully checked. */
const char *cw__json_skip_string(cw__json_reader *r, const char *p);

/* The ':' after a key and blanks on both sides; returns p at the value (it is there: p < end). */
const char *cw__json_colon(cw__json_reader *r, const char *p);

#endif
