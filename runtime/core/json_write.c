/* SPDX-License-Identifier: MIT */
/*
 * json_write.c: the writer behind generated printers. Text grows forward in the free room of the
 * arena's current block and moves to a larger one when that is full.
 */
#include "cwire/json.h"

#include <assert.h>
#include <math.h>

#include "base64.h"
#include "json_indent.h"
#include "json_scan.h"
#include "json_writer.h"
#include "number.h"
#include "number_digits.h"
#include "parse_limits.h"

/* The arena keeps CW__ARENA_SLACK bytes behind its end; the rest of CW__JSON_SLACK is ours to keep.
 */
#define KEPT_BACK ((size_t)(CW__JSON_SLACK - CW__ARENA_SLACK))
/* Free room below which a new text does not begin in the current block. */
#define LEAST_ROOM 64
/* Text up to here grows fourfold, longer text twofold. */
#define FEW_BYTES   ((size_t)1 << 20)
#define MOST_INDENT 16

/* ---- begin, grow, end -------------------------------------------------------------------------
 */

static void use_room(cw__json_writer *w)
{
    w->begin = w->arena->ptr;
    w->end = w->arena->end - KEPT_BACK;
}

char *cw__json_write_begin(cw__json_writer *w, cw_arena *a, const cw_json_print_options *o,
                           int *depth, cw_error *e)
{
    static const cw_json_print_options plain = {0};
    o = o ? o : &plain;
    w->arena = a;
    w->error = e;
    w->types = o->types;
    w->status = CW_OK;
    w->indent = o->indent < MOST_INDENT ? o->indent : MOST_INDENT;
    w->quote64 = o->int64_as_numbers ? 0 : 1;
    w->proto_names = o->proto_names;
    w->enums_as_numbers = o->enums_as_numbers;
    w->print_defaults = o->print_defaults;
    w->file = NULL;
    w->begin = NULL;
    w->end = NULL;
    *depth = cw__limit_depth(o->depth);
    if (!cw__arena_room_output(a, LEAST_ROOM)) {
        return cw__json_put_fail(w, a->failure, NULL);
    }
    use_room(w);
    return w->begin;
}

char *cw__json_room_slow(cw__json_writer *w, char *p, size_t n)
{
    char *old = w->begin;
    size_t used = (size_t)(p - old);
    size_t whole = (size_t)(w->end - old);
    if (n > SIZE_MAX - used - KEPT_BACK) {
        return cw__json_put_fail(w, CW_ERR_LIMIT, NULL);
    }
    size_t needed = used + n + KEPT_BACK;
    /* A multiple, so that copying stays linear (four times while that is little, so that an arena
     * that is reset and used again goes through fewer blocks); when that does not fit a limit, what
     * is needed. */
    size_t factor = whole < FEW_BYTES ? 4 : 2;
    while (whole > SIZE_MAX / 4 - KEPT_BACK || factor * (whole + KEPT_BACK) < needed ||
           !cw__arena_room(w->arena, factor * (whole + KEPT_BACK))) {
        factor /= 2;
        if (factor < 2) {
            if (!cw__arena_room(w->arena, needed)) {
                return cw__json_put_fail(w, w->arena->failure, NULL);
            }
            break;
        }
    }
    cw__arena_output_took(w->arena, needed);
    use_room(w);
    if (w->begin != old) {
        memcpy(w->begin, old, used);
    }
    return w->begin + used;
}

cw_status cw__json_write_end(cw__json_writer *w, char *p, cw_str *out, const char *full_name)
{
    assert(p || w->status != CW_OK);
    if (p && w->indent) {
        p = cw__json_indent(w, p);
    }
    p = p ? cw__json_room(w, p, 1) : NULL;
    if (!p) {
        cw__error_root(w->error, full_name);
        return w->status;
    }
    *p = 0;
    *out = cw_str_of(w->begin, (size_t)(p - w->begin));
    cw__arena_output_took(w->arena, (size_t)(p - w->begin) + LEAST_ROOM);
    cw__arena_take_front(w->arena, p + 1);
    return CW_OK;
}

char *cw__json_put_fail(cw__json_writer *w, cw_status st, const char *detail)
{
    if (w->status == CW_OK) {
        w->status = st;
        cw__error_clear(w->error);
        cw__error_set(w->error, st, SIZE_MAX, detail);
    }
    return NULL;
}

char *cw__json_put_fail_with(cw__json_writer *w, cw_status st)
{
    if (w->status == CW_OK) {
        w->status = st;
        if (w->error) {
            w->error->offset = SIZE_MAX;
        }
    }
    return NULL;
}

char *cw__json_put_fail_at(cw__json_writer *w, const char *name, size_t index)
{
    cw__error_prefix(w->error, name, index);
    return NULL;
}

/* ---- an arena beside the text -----------------------------------------------------------------
 */

void cw__json_inner_begin(cw__json_writer *w, char *p, cw__arena_inner *in)
{
    bool at_home = w->begin == w->arena->ptr;
    cw__arena_inner_begin(in, w->arena, at_home ? p : NULL);
    if (at_home) {
        use_room(w);
    }
}

void cw__json_inner_end(cw__json_writer *w, cw__arena_inner *in)
{
    cw__arena_inner_end(in);
    if (w->begin == w->arena->ptr) {
        use_room(w);
    }
}

/* ---- strings ----------------------------------------------------------------------------------
 */

/* One byte below ' ', '"' or '\' as its escape; at most 6 bytes. */
static char *put_escape(char *p, unsigned char byte)
{
    static const char letters[128] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
                                      ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\'};
    static const char hex[] = "0123456789abcdef";
    p[0] = '\\';
    p[1] = letters[byte];
    if (CW_LIKELY(p[1] != 0)) {
        return p + 2;
    }
    memcpy(p + 1, "u00", 3);
    p[4] = hex[byte >> 4];
    p[5] = hex[byte & 15];
    return p + 6;
}

/*
 * Long strings, and what is not all plain, run by run; UTF-8 is checked where there is any. There
 * is room for s, the quotes and `keep`.
 */
static CW_NOINLINE char *put_string_runs(cw__json_writer *w, char *p, cw_str s, size_t keep)
{
    const char *from = s.data;
    size_t left = s.len;
    uint64_t high = 0;
    *p++ = '"';
    for (;;) {
        size_t run = cw__json_run_near(p, from, left, &high);
        p += run;
        left -= run;
        if (left == 0) {
            break;
        }
        from += run;
        left--;
        /* The escape, what comes behind it and the closing quote. */
        if (CW_UNLIKELY((size_t)(w->end - p) < left + 7 + keep)) {
            if (!cw__utf8_valid(s.data, s.len)) {
                return cw__json_put_fail(w, CW_ERR_UTF8, NULL);
            }
            p = cw__json_room_slow(w, p, left + 7 + keep);
            if (!p) {
                return NULL;
            }
        }
        p = put_escape(p, (unsigned char)*from++);
    }
    if (high && !cw__utf8_valid(s.data, s.len)) {
        return cw__json_put_fail(w, CW_ERR_UTF8, NULL);
    }
    *p++ = '"';
    return p;
}

/* From this length on put_string_runs is quicker with plain strings, too. */
#define LONG_STRING 128

/* Copies n > 16 bytes; true when all are plain. */
static bool copy_long(char *to, const char *s, size_t n)
{
    size_t i = 0;
    do {
        memcpy(to + i, s + i, 16);
        if (CW_UNLIKELY(cw__json_plain16(s + i) < 16)) {
            return false;
        }
        i += 16;
    } while (i <= n - 16);
    memcpy(to + n - 16, s + n - 16, 16);
    return cw__json_plain16(s + n - 16) == 16;
}

char *cw__json_put_string(cw__json_writer *w, char *p, cw_str s, size_t keep)
{
    size_t n = s.len;
    size_t room = (size_t)(w->end - p);
    assert(keep <= CW__JSON_PUT_MAX);
    if (CW_UNLIKELY(n > room || room - n < keep + 2)) {
        p = n < SIZE_MAX / 2 ? cw__json_room_slow(w, p, n + keep + 2)
                             : cw__json_put_fail(w, CW_ERR_LIMIT, NULL);
        if (!p) {
            return NULL;
        }
    }
    bool plain = n > 16   ? n < LONG_STRING && copy_long(p + 1, s.data, n)
                 : n >= 8 ? cw__json_copy_8_to_16(p + 1, s.data, n)
                          : cw__json_copy_below_8(p + 1, s.data, n);
    if (CW_UNLIKELY(!plain)) {
        return put_string_runs(w, p, s, keep);
    }
    p[0] = '"';
    p[n + 1] = '"';
    return p + n + 2;
}

char *cw__json_put_bytes(cw__json_writer *w, char *p, cw_bytes s, size_t keep)
{
    size_t n;
    if (!cw__base64_encoded_size(s.len, &n) || n > SIZE_MAX - keep - 2) {
        return cw__json_put_fail(w, CW_ERR_LIMIT, NULL);
    }
    p = cw__json_room(w, p, n + keep + 2);
    if (!p) {
        return NULL;
    }
    *p++ = '"';
    if (s.len > 0) {
        p += cw__base64_encode(p, s.data, s.len);
    }
    *p++ = '"';
    return p;
}

/* ---- numbers ----------------------------------------------------------------------------------
 */

static const char digit_pairs[201] = {"0001020304050607080910111213141516171819"
                                      "2021222324252627282930313233343536373839"
                                      "4041424344454647484950515253545556575859"
                                      "6061626364656667686970717273747576777879"
                                      "8081828384858687888990919293949596979899"};

CW_ALWAYS_INLINE void put_pair(char *p, uint32_t v)
{
    memcpy(p, digit_pairs + 2 * v, 2);
}

/* One or two digits without a leading zero: v < 100. */
CW_ALWAYS_INLINE char *put_leading(char *p, uint32_t v)
{
    uint32_t short_by = v < 10;
    memcpy(p, digit_pairs + 2 * v + short_by, 2);
    return p + 2 - short_by;
}

CW_ALWAYS_INLINE char *put_4(char *p, uint32_t v)
{
    put_pair(p, v / 100);
    put_pair(p + 2, v % 100);
    return p + 4;
}

/* 1 to 8 digits, by jumps: integers in JSON are mostly short, and of about the same length. */
CW_ALWAYS_INLINE char *put_upto_8(char *p, uint32_t v)
{
    if (v < 10000) {
        if (v < 100) {
            return put_leading(p, v);
        }
        p = put_leading(p, v / 100);
        put_pair(p, v % 100);
        return p + 2;
    }
    uint32_t high = v / 10000;
    if (high < 100) {
        p = put_leading(p, high);
    } else {
        p = put_leading(p, high / 100);
        put_pair(p, high % 100);
        p += 2;
    }
    return put_4(p, v % 10000);
}

char *cw__json_put_uint_long(char *p, uint64_t v)
{
    if (v < CW__TEN_8) {
        return put_upto_8(p, (uint32_t)v);
    }
    if (v < CW__TEN_16) {
        return cw__put_below_ten_16(p, v);
    }
    p = put_upto_8(p, (uint32_t)(v / CW__TEN_16));
    cw__put_digits16(p, cw__sixteen_digits(v % CW__TEN_16));
    return p + 16;
}

static char *put_not_finite(char *p, bool nan, bool negative)
{
    const char *text = nan ? "\"NaN\"" : negative ? "\"-Infinity\"" : "\"Infinity\"";
    size_t n = strlen(text);
    memcpy(p, text, n);
    return p + n;
}

char *cw__json_put_double(char *p, double v)
{
    return isfinite(v) ? p + cw__print_double(p, v) : put_not_finite(p, isnan(v), v < 0);
}

char *cw__json_put_float(char *p, float v)
{
    return isfinite(v) ? p + cw__print_float(p, v) : put_not_finite(p, isnan(v), v < 0);
}

/* Text in quotes that needs no escapes. */
static char *put_quoted(cw__json_writer *w, char *p, const char *s, size_t n, size_t keep)
{
    p = cw__json_room(w, p, n + keep + 2);
    if (!p) {
        return NULL;
    }
    p[0] = '"';
    memcpy(p + 1, s, n);
    p[n + 1] = '"';
    return p + n + 2;
}

char *cw__json_put_enum(cw__json_writer *w, char *p, int32_t v, cw_str name, size_t keep)
{
    if (name.data && !w->enums_as_numbers) {
        return put_quoted(w, p, name.data, name.len, keep);
    }
    p = cw__json_room(w, p, CW__JSON_NUMBER + keep);
    return p ? cw__json_put_int32(p, v) : NULL;
}

/* ---- map keys ---------------------------------------------------------------------------------
 */

char *cw__json_put_key_string(cw__json_writer *w, char *p, cw_str v, size_t keep)
{
    p = cw__json_put_string(w, p, v, keep + 1);
    if (p) {
        *p++ = ':';
    }
    return p;
}

static char *put_key_number(cw__json_writer *w, char *p, bool negative, uint64_t magnitude,
                            size_t keep)
{
    p = cw__json_room(w, p, CW__JSON_NUMBER + 1 + keep);
    if (!p) {
        return NULL;
    }
    *p++ = '"';
    *p = '-';
    p += negative;
    p = cw__json_put_uint_long(p, magnitude);
    *p++ = '"';
    *p++ = ':';
    return p;
}

char *cw__json_put_key_int64(cw__json_writer *w, char *p, int64_t v, size_t keep)
{
    return put_key_number(w, p, v < 0, v < 0 ? (uint64_t)0 - (uint64_t)v : (uint64_t)v, keep);
}

char *cw__json_put_key_uint64(cw__json_writer *w, char *p, uint64_t v, size_t keep)
{
    return put_key_number(w, p, false, v, keep);
}

char *cw__json_put_key_bool(cw__json_writer *w, char *p, bool v, size_t keep)
{
    p = v ? put_quoted(w, p, "true", 4, keep + 1) : put_quoted(w, p, "false", 5, keep + 1);
    if (p) {
        *p++ = ':';
    }
    return p;
}
