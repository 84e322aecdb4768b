/* SPDX-License-Identifier: MIT */
/* text_print_value.c: scalars of the text format. */
#include "number.h"
#include "text_writer.h"

/* Room for what cw__json_put_* and the printers of numbers may touch. */
#define NUMBER_MAX 64

/* ---- numbers ----------------------------------------------------------------------------------
 */

bool cw__text_put_uint(cw__text_writer *w, uint64_t v)
{
    char text[NUMBER_MAX];
    const char *end = cw__json_put_uint_long(text, v);
    return cw__text_put(w, text, (size_t)(end - text));
}

static bool put_int(cw__text_writer *w, int64_t v)
{
    uint64_t u = (uint64_t)v;
    return v < 0 ? cw__text_put(w, "-", 1) && cw__text_put_uint(w, 0 - u) : cw__text_put_uint(w, u);
}

bool cw__text_put_hex(cw__text_writer *w, uint64_t v, unsigned digits)
{
    char text[18] = "0x";
    for (unsigned i = 0; i < digits; i++) {
        text[2 + i] = "0123456789abcdef"[v >> 4 * (digits - 1 - i) & 15];
    }
    return cw__text_put(w, text, 2 + digits);
}

/* A double, or the float that it was made of. */
static bool put_real(cw__text_writer *w, double v, bool narrow)
{
    char text[CW__DOUBLE_MAX];
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    uint64_t magnitude = bits & (UINT64_MAX >> 1);
    if (magnitude > 0x7ff0000000000000u) {
        return cw__text_put(w, "nan", 3);
    }
    if (magnitude == 0x7ff0000000000000u) {
        return bits == magnitude ? cw__text_put(w, "inf", 3) : cw__text_put(w, "-inf", 4);
    }
    size_t n = narrow ? cw__print_float(text, (float)v) : cw__print_double(text, v);
    return cw__text_put(w, text, n);
}

/* ---- strings ----------------------------------------------------------------------------------
 */

/* Must the byte be escaped? `bytes`: also all that is not ASCII. */
static bool is_escaped(unsigned char c, bool bytes)
{
    return c < ' ' || c == 0x7f || c == '"' || c == '\'' || c == '\\' || (bytes && c > 0x7f);
}

static bool put_escape(cw__text_writer *w, unsigned char c)
{
    static const char named[] = "\n\r\t\"'\\", names[] = "nrt\"'\\";
    const char *found = c ? strchr(named, c) : NULL;
    char text[4] = {'\\'};
    if (found) {
        text[1] = names[found - named];
        return cw__text_put(w, text, 2);
    }
    text[1] = (char)('0' + (c >> 6));
    text[2] = (char)('0' + (c >> 3 & 7));
    text[3] = (char)('0' + (c & 7));
    return cw__text_put(w, text, 4);
}

static bool put_quoted(cw__text_writer *w, const char *s, size_t len, bool bytes)
{
    if (!cw__text_put(w, "\"", 1)) {
        return false;
    }
    size_t i = 0;
    while (i < len) {
        size_t run = i;
        while (run < len && !is_escaped((unsigned char)s[run], bytes)) {
            run++;
        }
        if (!cw__text_put(w, s + i, run - i)) {
            return false;
        }
        i = run;
        if (i < len && !put_escape(w, (unsigned char)s[i++])) {
            return false;
        }
    }
    return cw__text_put(w, "\"", 1);
}

bool cw__text_put_bytes(cw__text_writer *w, cw_bytes s)
{
    return put_quoted(w, (const char *)s.data, s.len, true);
}

static bool put_string(cw__text_writer *w, cw_str s)
{
    if (!cw__utf8_valid(s.data, s.len)) {
        return cw__text_put_fail(w, CW_ERR_UTF8);
    }
    return put_quoted(w, s.data, s.len, false);
}

/* ---- enums ------------------------------------------------------------------------------------
 */

static bool put_enum(cw__text_writer *w, const cw_enum *e, int32_t v)
{
    for (uint32_t i = 0; i < e->n_values; i++) {
        if (e->values[i].number == v) {
            return cw__text_put_literal(w, e->values[i].name);
        }
    }
    return put_int(w, v);
}

/* ---- all --------------------------------------------------------------------------------------
 */

/* A value of any kind but a message. */
typedef union scalar {
    double d;
    float f;
    int64_t i64;
    uint64_t u64;
    int32_t i32;
    uint32_t u32;
    bool b;
    cw_str s;
    cw_bytes raw;
} scalar;

bool cw__text_put_value(cw__text_writer *w, const cw_field *f, const void *p)
{
    scalar v;
    switch (f->kind) {
    case CW_KIND_DOUBLE:
        memcpy(&v.d, p, sizeof v.d);
        return put_real(w, v.d, false);
    case CW_KIND_FLOAT:
        memcpy(&v.f, p, sizeof v.f);
        return put_real(w, (double)v.f, true);
    case CW_KIND_INT64:
    case CW_KIND_SFIXED64:
    case CW_KIND_SINT64:
        memcpy(&v.i64, p, sizeof v.i64);
        return put_int(w, v.i64);
    case CW_KIND_UINT64:
    case CW_KIND_FIXED64:
        memcpy(&v.u64, p, sizeof v.u64);
        return cw__text_put_uint(w, v.u64);
    case CW_KIND_INT32:
    case CW_KIND_SFIXED32:
    case CW_KIND_SINT32:
        memcpy(&v.i32, p, sizeof v.i32);
        return put_int(w, v.i32);
    case CW_KIND_UINT32:
    case CW_KIND_FIXED32:
        memcpy(&v.u32, p, sizeof v.u32);
        return cw__text_put_uint(w, v.u32);
    case CW_KIND_BOOL:
        memcpy(&v.b, p, sizeof v.b);
        return cw__text_put_literal(w, v.b ? "true" : "false");
    case CW_KIND_ENUM:
        memcpy(&v.i32, p, sizeof v.i32);
        return put_enum(w, f->enum_type, v.i32);
    case CW_KIND_STRING:
        memcpy(&v.s, p, sizeof v.s);
        return put_string(w, v.s);
    case CW_KIND_BYTES:
        memcpy(&v.raw, p, sizeof v.raw);
        return cw__text_put_bytes(w, v.raw);
    case CW_KIND_GROUP:
    case CW_KIND_MESSAGE:
        break;
    }
    return cw__text_put_fail(w, CW_ERR_TYPE); /* not called for these */
}
