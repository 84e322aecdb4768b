/* SPDX-License-Identifier: MIT */
/*
 * json_read.c: the structure behind generated parsers: begin and end, failures, blanks, objects,
 * arrays, keys, and values that are skipped. Strings are in json_read_string.c, numbers in
 * json_read_number.c.
 */
#include "json_reader.h"

#include <assert.h>

#include "parse_limits.h"
#include "printable.h"

/* ---- begin and end ----------------------------------------------------------------------------
 */

/* The text with a '}' behind it, for text that does not end with one. */
static bool copy_text(cw__json_reader *r, size_t len)
{
    char *copy = len < SIZE_MAX ? cw_arena_alloc(r->arena, len + 1) : NULL;
    if (!copy) {
        cw__json_fail_memory(r, r->begin);
        return false;
    }
    memcpy(copy, r->begin, len);
    copy[len] = '}';
    r->begin = copy;
    r->end = copy + len + 1;
    r->copied = true;
    return true;
}

const char *cw__json_read_begin(cw__json_reader *r, const char *json, size_t len, cw_arena *a,
                                const cw_json_parse_options *o, int *depth, cw_error *e)
{
    static const cw_json_parse_options strict = {0};
    o = o ? o : &strict;
    json = len > 0 ? json : "";
    memset(r, 0, sizeof *r);
    r->begin = json;
    r->text = json;
    r->text_len = len;
    r->arena = a;
    r->error = e;
    r->types = o->types;
    r->alias = o->alias;
    r->ignore_unknown = o->ignore_unknown;
    r->allow_partial = o->allow_partial;
    *depth = cw__limit_depth(o->depth);
    cw__arena_budget_begin(a, cw__limit_memory(o->max_memory, len));

    size_t used = len;
    while (used > 0 && cw__json_is_blank(json[used - 1])) {
        used--;
    }
    r->end = json + used;
    if (used == 0) {
        return cw__json_fail(r, CW_ERR_SYNTAX, r->end, NULL);
    }
    if (used >= 3 && memcmp(json, "\xef\xbb\xbf", 3) == 0) {
        return cw__json_fail(r, CW_ERR_SYNTAX, json, "byte order mark");
    }
    if (json[used - 1] != '}' && !copy_text(r, used)) {
        return NULL;
    }
    return cw__json_blanks(r, r->begin);
}

cw_status cw__json_read_end(cw__json_reader *r, const char *p, const char *full_name)
{
    assert(p || r->status != CW_OK);
    if (p && r->status == CW_OK) {
        p = cw__json_blanks(r, p);
        const char *last = r->end - r->copied;
        if (p < last) {
            cw__json_fail(r, CW_ERR_TRAILING, p, NULL);
        } else if (p > last) {
            cw__json_fail(r, CW_ERR_SYNTAX, p, NULL);
        }
    }
    cw__arena_budget_end(r->arena);
    if (r->status != CW_OK) {
        cw__error_root(r->error, full_name);
        cw__error_locate(r->error, r->text, r->text_len);
    }
    return r->status;
}

/* ---- failures ---------------------------------------------------------------------------------
 */

/* Is a failure at the text's end or after it that of an input which ends too early? */
static bool is_truncation(const cw__json_reader *r, cw_status st)
{
    switch (st) {
    case CW_ERR_SYNTAX:
    case CW_ERR_TYPE:
    case CW_ERR_STRING:
        return true;
    case CW_ERR_MEMORY:
    case CW_ERR_LIMIT:
    case CW_ERR_DEPTH:
        return false;
    default:
        /* The '}' at the end is not the caller's: what it completed was not complete. */
        return r->copied;
    }
}

const char *cw__json_fail(cw__json_reader *r, cw_status st, const char *at, const char *detail)
{
    if (r->status != CW_OK) {
        return NULL;
    }
    size_t offset = SIZE_MAX;
    if (at) {
        offset = (size_t)(at - r->begin);
        if (at >= r->end - r->copied) {
            offset = r->text_len;
            if (is_truncation(r, st)) {
                st = CW_ERR_TRUNCATED;
                detail = "unexpected end of input";
            }
        }
    }
    r->status = st;
    cw__error_clear(r->error);
    cw__error_set(r->error, st, offset, detail);
    return NULL;
}

const char *cw__json_fail_memory(cw__json_reader *r, const char *at)
{
    cw_status st = r->arena->failure;
    return cw__json_fail(r, st != CW_OK ? st : CW_ERR_MEMORY, at, NULL);
}

const char *cw__json_fail_at(cw__json_reader *r, const char *name, size_t index)
{
    cw__error_prefix(r->error, name, index);
    return NULL;
}

const char *cw__json_fail_with(cw__json_reader *r, cw_status st, const char *at)
{
    if (r->status == CW_OK) {
        r->status = st;
        if (r->error) {
            r->error->offset = (size_t)(at - r->begin);
        }
    }
    return NULL;
}

const char *cw__json_fail_at_key(cw__json_reader *r, const char *name, cw_str key)
{
    cw__printable shown;
    cw__make_printable(&shown, key);
    cw__error_prefix_key(r->error, name, shown.text, shown.len);
    return NULL;
}

const char *cw__json_fail_value(cw__json_reader *r, const char *p, const char *detail)
{
    bool value = p < r->end && *p != 0 && strchr("{[\"tfn-0123456789", *p) != NULL;
    return cw__json_fail(r, value ? CW_ERR_TYPE : CW_ERR_SYNTAX, p, detail);
}

/* ---- blanks, objects, arrays ------------------------------------------------------------------
 */

const char *cw__json_blanks_slow(const cw__json_reader *r, const char *p)
{
    while (p < r->end && cw__json_is_blank(*p)) {
        p++;
        /* Indentation. */
        while (r->end - p >= 8 && cw__load64(p) == CW__BYTES(' ')) {
            p += 8;
        }
    }
    return p;
}

const char *cw__json_object_fail(cw__json_reader *r, const char *p)
{
    return cw__json_fail_value(r, p, "expected an object");
}

const char *cw__json_array_fail(cw__json_reader *r, const char *p)
{
    return cw__json_fail_value(r, p, "expected an array");
}

const char *cw__json_next_slow(cw__json_reader *r, const char *p, char close)
{
    p = cw__json_blanks(r, p);
    if (p < r->end && *p == close) {
        return p;
    }
    if (p >= r->end || *p != ',') {
        return cw__json_fail(r, CW_ERR_SYNTAX, p,
                             close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
    }
    /* ',' is not the last byte. */
    const char *comma = p;
    p = cw__json_blanks(r, p + 1);
    if (*p == close && p < r->end - r->copied) {
        return cw__json_fail(r, CW_ERR_SYNTAX, comma, "comma after the last one");
    }
    if (close == '}' && *p != '"') {
        return cw__json_fail(r, CW_ERR_SYNTAX, p, "expected a key in quotes");
    }
    return p;
}

/* ---- keys -------------------------------------------------------------------------------------
 */

const char *cw__json_colon(cw__json_reader *r, const char *p)
{
    p = cw__json_blanks(r, p);
    if (p >= r->end || *p != ':') {
        return cw__json_fail(r, CW_ERR_SYNTAX, p, "expected ':'");
    }
    return cw__json_blanks(r, p + 1);
}

/*
 * generator/emit_json_keys.c has the same function. Both ends of the key go in, so that names which
 * differ in one of them part; no byte outside the key is read.
 */
static uint64_t hash_key(cw_str key)
{
    const char *s = key.data;
    size_t n = key.len;
    uint64_t first = 0, last = 0;
    if (n >= 8) {
        first = cw__load64(s);
        last = cw__load64(s + n - 8);
    } else if (n >= 4) {
        first = cw__load32(s) | (uint64_t)cw__load32(s + n - 4) << 32;
    } else if (n > 0) {
        first = (unsigned char)s[0] | (uint64_t)(unsigned char)s[n / 2] << 8 |
                (uint64_t)(unsigned char)s[n - 1] << 16;
    }
    return first + last * 0x9e3779b97f4a7c15u + n;
}

static bool name_is(const cw__json_name *name, cw_str key)
{
    return name->len == key.len && memcmp(name->text, key.data, key.len) == 0;
}

/* What `slots` says about the key, without the 1; CW__JSON_NO_FIELD: it is no field's. */
static uint32_t find_place(cw__json_reader *r, const cw__json_keys *keys, cw_str key)
{
    if (keys->count == 0) {
        return CW__JSON_NO_FIELD;
    }
    uint64_t mask = ((uint64_t)1 << (64 - keys->shift)) - 1;
    uint64_t slot = (hash_key(key) * keys->multiplier) >> keys->shift;
    uint32_t found;
    while ((found = keys->slots[slot]) != 0) {
        uint32_t place = (found & ~CW__JSON_TAKES_NULL) - 1;
        if (name_is(&keys->names[place], key)) {
            uint32_t style = place % 2; /* 0 also where both names are the same */
            if (style != r->style && !name_is(&keys->names[place ^ 1], key)) {
                r->style = style;
            }
            return found - 1;
        }
        slot = (slot + 1) & mask;
    }
    return CW__JSON_NO_FIELD;
}

/* The key at p as cw__json_view has it, at any length in the quick way. */
static const char *view_key(cw__json_reader *r, const char *p, cw_str *key)
{
    for (const char *q = p + 1; r->end - q >= 16; q += 16) {
        size_t n = cw__json_plain16(q);
        if (n < 16) {
            if (q[n] != '"') {
                break;
            }
            *key = cw_str_of(p + 1, (size_t)(q + n - (p + 1)));
            return q + n + 1;
        }
    }
    return cw__json_view_slow(r, p, key, NULL);
}

/* The key at p and its ':'; or the object's end. */
static const char *read_key(cw__json_reader *r, const char *p, const cw__json_keys *keys,
                            uint64_t *seen)
{
    cw_str key;
    if (CW_UNLIKELY(*p != '"')) {
        if (*p == '}') {
            r->at = CW__JSON_END;
            return p + 1;
        }
        return cw__json_fail(r, CW_ERR_SYNTAX, p, "expected a key in quotes");
    }
    const char *start = p;
    r->key_at = p;
    p = view_key(r, p, &key);
    if (CW_UNLIKELY(!p)) {
        return NULL;
    }
    uint32_t place = find_place(r, keys, key);
    p = CW_LIKELY(*p == ':' && (unsigned char)p[1] > ' ') ? p + 1 : cw__json_colon(r, p);
    if (CW_UNLIKELY(!p)) {
        return NULL;
    }
    if (CW_UNLIKELY(place == CW__JSON_NO_FIELD)) {
        r->key = key;
        r->at = place;
        return p;
    }
    uint32_t at = (place & ~CW__JSON_TAKES_NULL) / 2;
    uint64_t bit = (uint64_t)1 << at % 64;
    if (CW_UNLIKELY((seen[at / 64] & bit) != 0)) {
        cw__json_fail(r, CW_ERR_DUPLICATE, start, NULL);
        return cw__json_fail_at(r, keys->names[2 * at + 1].text, SIZE_MAX);
    }
    seen[at / 64] |= bit;
    r->at = at;
    if (CW_UNLIKELY(*p == 'n') && !(place & CW__JSON_TAKES_NULL) && cw__json_null(r, &p)) {
        r->at = CW__JSON_NULL;
    }
    return p;
}

const char *cw__json_first(cw__json_reader *r, const char *p, const cw__json_keys *keys,
                           uint64_t *seen)
{
    p = cw__json_object(r, p);
    return p ? read_key(r, p, keys, seen) : NULL;
}

const char *cw__json_member(cw__json_reader *r, const char *p, const cw__json_keys *keys,
                            uint64_t *seen)
{
    p = cw__json_member_next(r, p);
    return p ? read_key(r, p, keys, seen) : NULL;
}

const char *cw__json_unknown(cw__json_reader *r, const char *p, int depth)
{
    if (r->key_at == r->type_at) {
        return cw__json_skip_string(r, p); /* Any's parser has read it: it is a string */
    }
    p = r->ignore_unknown ? cw__json_skip(r, p, depth)
                          : cw__json_fail(r, CW_ERR_UNKNOWN_FIELD, r->key_at, NULL);
    if (!p) {
        cw__printable name;
        cw__make_printable(&name, r->key);
        cw__error_prefix(r->error, name.text, SIZE_MAX);
    }
    return p;
}

/* ---- values that are not looked at ------------------------------------------------------------
 */

bool cw__json_null_slow(cw__json_reader *r, const char **p)
{
    if (r->end - *p >= 4 && memcmp(*p, "null", 4) == 0) {
        *p += 4;
        return true;
    }
    return false;
}

static const char *skip_digits(const char *p)
{
    while ((unsigned)(unsigned char)*p - '0' < 10) {
        p++; /* stops at the text's last byte, a '}' */
    }
    return p;
}

static const char *skip_number(cw__json_reader *r, const char *p)
{
    static const char detail[] = "invalid number";
    p += *p == '-';
    const char *digits = p;
    p = skip_digits(p);
    if (p == digits || (*digits == '0' && p - digits > 1)) {
        return cw__json_fail(r, CW_ERR_SYNTAX, digits, detail);
    }
    if (*p == '.') {
        digits = p + 1;
        p = skip_digits(digits);
        if (p == digits) {
            return cw__json_fail(r, CW_ERR_SYNTAX, p, detail);
        }
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        p += *p == '-' || *p == '+';
        digits = p;
        p = skip_digits(p);
        if (p == digits) {
            return cw__json_fail(r, CW_ERR_SYNTAX, p, detail);
        }
    }
    return cw__json_is_delimiter(*p) ? p : cw__json_fail(r, CW_ERR_SYNTAX, p, detail);
}

static const char *skip_scalar(cw__json_reader *r, const char *p)
{
    bool b;
    switch (*p) {
    case '"':
        return cw__json_skip_string(r, p);
    case 't':
    case 'f':
        return cw__json_get_bool(r, p, &b);
    case 'n':
        return cw__json_null(r, &p) ? p : cw__json_fail(r, CW_ERR_SYNTAX, p, "expected a value");
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return skip_number(r, p);
    default:
        return cw__json_fail(r, CW_ERR_SYNTAX, p, "expected a value");
    }
}

/* What is open while a value is skipped: the closing brackets, innermost last. */
typedef struct open_list {
    char *close;
    size_t len, cap;
    char first[256];
} open_list;

static bool open_push(cw__json_reader *r, open_list *open, char close, const char *at)
{
    if (open->len == open->cap) {
        char *more = cw_arena_array(r->arena, 2, open->cap);
        if (!more) {
            cw__json_fail_memory(r, at);
            return false;
        }
        memcpy(more, open->close, open->len);
        open->close = more;
        open->cap *= 2;
    }
    open->close[open->len++] = close;
    return true;
}

static const char *skip_key(cw__json_reader *r, const char *p)
{
    if (*p != '"') {
        return cw__json_fail(r, CW_ERR_SYNTAX, p, "expected a key in quotes");
    }
    p = cw__json_skip_string(r, p);
    return p ? cw__json_colon(r, p) : NULL;
}

/*
 * After a value: closes what ends here. Returns p at the next value, or with nothing open the byte
 * after all.
 */
static const char *skip_after(cw__json_reader *r, const char *p, open_list *open)
{
    while (open->len > 0) {
        char close = open->close[open->len - 1];
        p = cw__json_next_slow(r, p, close);
        if (!p) {
            return NULL;
        }
        if (*p != close) {
            return close == '}' ? skip_key(r, p) : p;
        }
        open->len--;
        p++;
    }
    return p;
}

const char *cw__json_skip(cw__json_reader *r, const char *p, int depth)
{
    open_list open;
    open.close = open.first;
    open.cap = sizeof open.first;
    open.len = 0;
    assert(p < r->end);
    do {
        if (*p == '{' || *p == '[') {
            if ((size_t)(depth > 0 ? depth : 0) <= open.len) {
                return cw__json_fail(r, CW_ERR_DEPTH, p, NULL);
            }
            char close = *p == '{' ? '}' : ']';
            if (!open_push(r, &open, close, p)) {
                return NULL;
            }
            p = cw__json_blanks(r, p + 1);
            if (*p != close) {
                p = close == '}' ? skip_key(r, p) : p;
                continue;
            }
            open.len--;
            p++;
        } else {
            p = skip_scalar(r, p);
        }
        p = p ? skip_after(r, p, &open) : NULL;
    } while (p && open.len > 0);
    return p;
}
