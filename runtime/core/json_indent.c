/* SPDX-License-Identifier: MIT */
/* json_indent.c: lays out compact JSON, one member or element a line. */
#include "json_indent.h"

#include "json_scan.h"

/* The byte after the string that opens at p; the text is valid. */
static const char *string_end(const char *p, const char *end)
{
    uint64_t high = 0;
    p++;
    p += cw__json_run(NULL, p, (size_t)(end - p), &high);
    while (*p != '"') {
        p += 2; /* over an escape */
        p += cw__json_run(NULL, p, (size_t)(end - p), &high);
    }
    return p + 1;
}

/*
 * What stands between tokens. Walks the text [p, end) and either only counts (to == NULL) or writes
 * the indented text at `to`, which may overlap the text as long as it does not overtake it. Returns
 * the number of bytes; UINT64_MAX: beyond any memory.
 */
static uint64_t lay_out(const char *p, const char *end, char *to, unsigned indent)
{
    uint64_t count = 0, margin = 0;
    char *begin = to;
    while (p < end) {
        const char *from = p;
        char c = *p;
        bool line_before = false, line_after = false;
        if (c == '"') {
            p = string_end(p, end);
        } else {
            p++;
            if (c == '{' || c == '[') {
                /* p < end: what is open is closed. */
                if (*p == c + 2) {
                    p++;
                } else {
                    margin += indent;
                    line_after = true;
                }
            } else if (c == '}' || c == ']') {
                margin -= indent;
                line_before = true;
            } else if (c == ',') {
                line_after = true;
            }
        }
        size_t n = (size_t)(p - from);
        if (!begin) {
            count += n + (c == ':') + (line_before || line_after ? 1 + margin : 0);
            if (count > SIZE_MAX / 2) {
                return UINT64_MAX;
            }
            continue;
        }
        if (line_before) {
            *to++ = '\n';
            memset(to, ' ', (size_t)margin);
            to += margin;
            *to++ = c;
            continue;
        }
        memmove(to, from, n);
        to += n;
        if (c == ':') {
            *to++ = ' ';
        } else if (line_after) {
            *to++ = '\n';
            memset(to, ' ', (size_t)margin);
            to += margin;
        }
    }
    return begin ? (uint64_t)(to - begin) : count;
}

char *cw__json_indent(cw__json_writer *w, char *p)
{
    size_t compact = (size_t)(p - w->begin);
    uint64_t whole = lay_out(w->begin, p, NULL, w->indent);
    if (whole == UINT64_MAX) {
        return cw__json_put_fail(w, CW_ERR_LIMIT, NULL);
    }
    size_t more = (size_t)whole - compact;
    p = cw__json_room(w, p, more);
    if (!p) {
        return NULL;
    }
    /*
     * The text moves to the end of the room and is laid out from its front. Writing never overtakes
     * reading: of any rest of the text, the indented form is at least as long, and both end at the
     * same place.
     */
    char *from = w->begin + more;
    memmove(from, w->begin, compact);
    lay_out(from, from + compact, w->begin, w->indent);
    return w->begin + whole;
}
