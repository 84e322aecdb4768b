/* SPDX-License-Identifier: MIT */
/*
 * json.h: options of the JSON mapping, and the reader and writer that generated printers and
 * parsers call. The mapping is ProtoJSON: https://protobuf.dev/programming-guides/json
 *
 * What is inline here is what a generated printer or parser does per field.
 */
#ifndef CWIRE_JSON_H
#define CWIRE_JSON_H

#include "cwire/arena.h"
#include "cwire/status.h"
#include "cwire/str.h"
#include "cwire/wire.h"

CW_BEGIN_DECLS

struct cw_registry;
struct cw_file;
struct cw_type;
struct cw_extension;

/*
 * All zero is the default: the canonical mapping, compact.
 *
 * What is in an Any, and extensions, are decoded while they are printed, under the default limits
 * of decoding. That takes half of the free room of the arena's current block, and blocks from the
 * arena's allocator, within its limit, which are freed again; with `no_alloc` half of the free room
 * is all there is.
 */
typedef struct cw_json_print_options {
    bool proto_names;      /* "unit_cents" instead of "unitCents" */
    bool enums_as_numbers; /* 3 instead of "STATUS_PAID" */
    bool int64_as_numbers; /* 64-bit integers as numbers instead of strings */
    bool print_defaults;   /* also fields without presence that are zero or empty (ProtoJSON's
                              always-print-fields-with-no-presence) */
    unsigned indent; /* blanks a level, each member on a line of its own; 0: compact; at most 16 */
    unsigned depth;  /* most open messages below the top; 0: CW_DEPTH_DEFAULT */
    /* for Any and extensions beside what the message's own file and its imports hold; may be NULL
     */
    const struct cw_registry *types;
} cw_json_print_options;

/* All zero is the default: strict. */
typedef struct cw_json_parse_options {
    bool ignore_unknown; /* unknown fields, and unknown enum names (also in lists and maps: the
                            element goes) */
    bool alias;          /* strings without escapes point into the input */
    bool allow_partial;  /* missing required fields are no error */
    unsigned depth;      /* most open messages below the top; 0: CW_DEPTH_DEFAULT */
    size_t max_memory; /* most bytes drawn from the arena; 0: 64 MiB + 64 x input length; SIZE_MAX:
                          any */
    const struct cw_registry *types; /* as for printing */
} cw_json_parse_options;

/* ---- writer -------------------------------------------------------------------------------------
 */

/* Bytes that a store may touch beyond what it writes: number and string primitives store whole
 * words. */
#define CW__JSON_SLACK 32
/* What one cw__json_room may ask for at most. */
#define CW__JSON_PUT_MAX 1024

/*
 * State of one print call. Text is written forward from begin; [p, end) is free, and CW__JSON_SLACK
 * bytes more may be touched. Generated code keeps p in a local and hands it on; a printer returns
 * the new p, NULL on failure. Between begin and end nothing else may be allocated from the arena:
 * the text stands in its free room.
 */
typedef struct cw__json_writer {
    char *begin;
    char *end;
    cw_arena *arena;
    cw_error *error;
    const struct cw_registry *types;
    cw_status status;
    unsigned indent;
    unsigned quote64; /* 1: 64-bit integers in quotes */
    bool proto_names;
    bool enums_as_numbers;
    bool print_defaults;
    const struct cw_file *file; /* of the message that is printed, when it reaches an Any or
                                   extensions: searched before `types`; else NULL */
} cw__json_writer;

/* Starts a print call; returns the first p and sets *depth; NULL: no memory (end it all the same).
 */
CW_API char *cw__json_write_begin(cw__json_writer *w, cw_arena *a, const cw_json_print_options *o,
                                  int *depth, cw_error *e);
/*
 * Ends it: *out is the text in the arena, NUL-terminated (not counted in len); indents it when
 * asked. p is NULL when the printer failed (its status was set by cw__json_put_fail); then *out is
 * untouched and the error's path is rooted at full_name. Returns the status.
 */
CW_API cw_status cw__json_write_end(cw__json_writer *w, char *p, cw_str *out,
                                    const char *full_name);

/* Sets the first failure (no input place belongs to it); returns NULL. */
CW_API CW_COLD char *cw__json_put_fail(cw__json_writer *w, cw_status st, const char *detail);
/* Puts `.name[index]` in front of the error's path (SIZE_MAX: none); returns NULL. */
CW_API CW_COLD char *cw__json_put_fail_at(cw__json_writer *w, const char *name, size_t index);

CW_API CW_COLD char *cw__json_room_slow(cw__json_writer *w, char *p, size_t n);

/* Makes sure that n bytes can be written at the returned p. */
CW_ALWAYS_INLINE char *cw__json_room(cw__json_writer *w, char *p, size_t n)
{
    if (CW_LIKELY((size_t)(w->end - p) >= n)) {
        return p;
    }
    return cw__json_room_slow(w, p, n);
}

/* A literal of n bytes: a constant copy. Room is the caller's. */
CW_ALWAYS_INLINE char *cw__json_lit(char *p, const char *literal, size_t n)
{
    memcpy(p, literal, n);
    return p + n;
}

/*
 * A string in quotes, escaped as needed; invalid UTF-8 is an error. Afterwards there is room for
 * `keep`.
 */
CW_API char *cw__json_put_string(cw__json_writer *w, char *p, cw_str s, size_t keep);
/* Bytes in base64 (standard alphabet, padded), in quotes. */
CW_API char *cw__json_put_bytes(cw__json_writer *w, char *p, cw_bytes s, size_t keep);

/* Numbers; room is the caller's: CW__JSON_NUMBER bytes each (quotes included). */
#define CW__JSON_NUMBER 34

CW_API char *cw__json_put_uint_long(char *p, uint64_t v);

CW_ALWAYS_INLINE char *cw__json_put_uint32(char *p, uint32_t v)
{
    if (v < 10) {
        *p = (char)('0' + v);
        return p + 1;
    }
    return cw__json_put_uint_long(p, v);
}
CW_ALWAYS_INLINE char *cw__json_put_int32(char *p, int32_t v)
{
    uint32_t u = (uint32_t)v;
    *p = '-';
    p += v < 0;
    return cw__json_put_uint32(p, v < 0 ? 0u - u : u);
}
CW_ALWAYS_INLINE char *cw__json_put_uint64(const cw__json_writer *w, char *p, uint64_t v)
{
    *p = '"';
    p += w->quote64;
    p = cw__json_put_uint_long(p, v);
    *p = '"';
    return p + w->quote64;
}
CW_ALWAYS_INLINE char *cw__json_put_int64(const cw__json_writer *w, char *p, int64_t v)
{
    uint64_t u = (uint64_t)v;
    *p = '"';
    p += w->quote64;
    *p = '-';
    p += v < 0;
    p = cw__json_put_uint_long(p, v < 0 ? (uint64_t)0 - u : u);
    *p = '"';
    return p + w->quote64;
}
/* Without a branch, which could not be foreseen in a list. */
CW_ALWAYS_INLINE char *cw__json_put_bool(char *p, bool v)
{
    uint32_t no, yes;
    memcpy(&no, "fals", 4);
    memcpy(&yes, "true", 4);
    no ^= (no ^ yes) & (0u - (uint32_t)v);
    memcpy(p, &no, 4);
    p[4] = 'e';
    return p + (5 - (unsigned)v);
}
/* NaN and infinities are written as strings; the rest in the shortest form that reads back equal.
 */
CW_API char *cw__json_put_double(char *p, double v);
CW_API char *cw__json_put_float(char *p, float v);

/* An enum value by its name, or as a number when the name is unknown ({NULL, 0}) or the options ask
 * for numbers. Room is made; keep as above. */
CW_API char *cw__json_put_enum(cw__json_writer *w, char *p, int32_t v, cw_str name, size_t keep);

/*
 * The extensions among the unknown fields of a message of type t which can be found, in the order
 * of their numbers, as `,"[pkg.name]":value`; other unknown fields have no JSON. Room is made.
 */
CW_API char *cw__json_put_extensions(cw__json_writer *w, char *p, const struct cw_type *t,
                                     const cw_unknown *u, int depth);

/* ---- reader -------------------------------------------------------------------------------------
 */

/*
 * State of one parse call. Blanks behind the text are cut off, and the last byte is '}' (text that
 * ends otherwise is copied with one put behind, and cw__json_read_end answers that the input ended
 * too early): so loops over digits, blanks and letters stop by themselves, and only what steps over
 * a '}' or looks further ahead than one byte compares with `end`. A parser takes p at the first
 * byte of a value and returns the byte after it (blanks not yet skipped), NULL on failure.
 */
typedef struct cw__json_reader {
    const char *begin;
    const char *end;  /* after the last '}' */
    const char *text; /* the caller's text and length, for line and column */
    size_t text_len;
    cw_arena *arena;
    cw_error *error;
    const struct cw_registry *types;
    cw_status status;
    unsigned style; /* which of a field's names is tried first: 0 JSON name, 1 proto name (the last
                       seen) */
    bool alias;
    bool ignore_unknown;
    bool allow_partial;
    bool copied;         /* the text was copied: a '}' that is not the caller's stands at the end */
    uint32_t at;         /* what cw__json_first and cw__json_member have met */
    const char *key_at;  /* where the quote of the last key is that these have read */
    cw_str key;          /* the last unknown one */
    const char *type_at; /* the "@type" key of the Any whose fields are parsed; NULL: of none */
    const struct cw_file *file; /* as the writer's */
} cw__json_reader;

/*
 * Starts a parse call: opens the arena's budget and sets *depth; returns p at the first byte that
 * is not blank. NULL: failed; end it all the same. Empty text is CW_ERR_TRUNCATED, a byte order
 * mark CW_ERR_SYNTAX. json may be NULL when len is 0; o and e may be NULL.
 */
CW_API const char *cw__json_read_begin(cw__json_reader *r, const char *json, size_t len,
                                       cw_arena *a, const cw_json_parse_options *o, int *depth,
                                       cw_error *e);
/*
 * Ends it and closes the budget: only blanks may follow p (CW_ERR_TRAILING); NULL: the parser
 * failed. On failure line and column are computed and the path is rooted. Returns the status.
 */
CW_API cw_status cw__json_read_end(cw__json_reader *r, const char *p, const char *full_name);

/*
 * Sets the first failure at input position `at` (NULL: none); returns NULL. Where the text is at
 * its end, syntax, type and string errors become CW_ERR_TRUNCATED, with the text's length as the
 * offset.
 */
CW_API CW_COLD const char *cw__json_fail(cw__json_reader *r, cw_status st, const char *at,
                                         const char *detail);
/* The same with the reason that the arena's last allocation failed (memory or limit). */
CW_API CW_COLD const char *cw__json_fail_memory(cw__json_reader *r, const char *at);
/* A member failed: `.name[index]` goes in front of the path (index SIZE_MAX: none); returns NULL.
 */
CW_API CW_COLD const char *cw__json_fail_at(cw__json_reader *r, const char *name, size_t index);
/* The same for a map's value: `.name["key"]`. The key may be any text: it is made printable. */
CW_API CW_COLD const char *cw__json_fail_at_key(cw__json_reader *r, const char *name, cw_str key);

/* Over ' ', '\t', '\n', '\r'; any other byte stays. */
CW_API const char *cw__json_blanks_slow(const cw__json_reader *r, const char *p);

/* Over blanks; p may be at r->end. */
CW_ALWAYS_INLINE const char *cw__json_blanks(const cw__json_reader *r, const char *p)
{
    if (CW_UNLIKELY(p < r->end && (unsigned char)*p <= ' ')) {
        return cw__json_blanks_slow(r, p);
    }
    return p;
}

/* One name of a field as it stands in text. */
typedef struct cw__json_name {
    const char *text; /* without quotes */
    size_t len;
} cw__json_name;

/* What stands at a member's place beside fields, which are known by their index. */
#define CW__JSON_NO_FIELD UINT32_MAX       /* a key that no field has */
#define CW__JSON_END      (UINT32_MAX - 1) /* the object's end */
#define CW__JSON_NULL     (UINT32_MAX - 2) /* a field that is null: as if it was not there */

/*
 * The keys of a message: two names a field ([2 * i] JSON name, [2 * i + 1] proto name), and a table
 * of 1 << (64 - shift) slots, at most half of them taken: at the key's hash, or behind it (behind
 * the last comes the first), stands 1 + its place in `names`, 0 ends the search. generator/
 * emit_json_keys.c makes the table and has the same hash; `multiplier` is chosen so that the
 * searches are short.
 */
typedef struct cw__json_keys {
    const cw__json_name *names;
    const uint32_t *slots; /* with CW__JSON_TAKES_NULL set where null is a value of the field */
    uint64_t multiplier;
    uint32_t shift;
    uint32_t count; /* fields; 0: the rest is not looked at */
} cw__json_keys;

#define CW__JSON_TAKES_NULL 0x80000000u

/*
 * Opens an object: p at its first byte. Returns p at the first key's quote or at '}'.
 */
CW_API CW_COLD const char *cw__json_object_fail(cw__json_reader *r, const char *p);
CW_ALWAYS_INLINE const char *cw__json_object(cw__json_reader *r, const char *p)
{
    if (CW_UNLIKELY(*p != '{')) {
        return cw__json_object_fail(r, p);
    }
    /* A lone '{' cannot be the text's last byte. */
    p++;
    return cw__json_blanks(r, p);
}

/*
 * Opens the object at p and goes to its first member; cw__json_member goes to the next one when p
 * stands after a value. r->at is then the index of the member's field and p its value's first byte
 * (there is one: the text ends with '}'), the key and ':' lie behind. CW__JSON_NULL: p stands after
 * the value. CW__JSON_NO_FIELD: the key is unknown, and remembered for cw__json_unknown.
 * CW__JSON_END: p stands after the '}'. `seen` has a bit a field, which is set; when it was set
 * before: CW_ERR_DUPLICATE at the key, with the field in the path.
 */
CW_API const char *cw__json_first(cw__json_reader *r, const char *p, const cw__json_keys *keys,
                                  uint64_t *seen);
CW_API const char *cw__json_member(cw__json_reader *r, const char *p, const cw__json_keys *keys,
                                   uint64_t *seen);

/* Does the object end at p, after a member's value? Blanks are cw__json_member's to skip. */
CW_ALWAYS_INLINE bool cw__json_ends(const cw__json_reader *r, const char *p)
{
    return CW_LIKELY(p < r->end) && CW_LIKELY(*p == '}');
}

/*
 * n when `key` (n bytes: '{' or ',', the name in quotes and ':') stands at p and a number or enum
 * behind it, without blanks and not null; else 0, and cw__json_first or cw__json_member decides.
 * The key is a constant: one or two comparisons. p may be NULL.
 */
CW_ALWAYS_INLINE size_t cw__json_expect(const cw__json_reader *r, const char *p, const char *key,
                                        size_t n)
{
    if (CW_LIKELY(p != NULL) && CW_LIKELY((size_t)(r->end - p) > n) &&
        CW_LIKELY(memcmp(p, key, n) == 0) &&
        CW_LIKELY((unsigned)(unsigned char)p[n] - ('"' - 1) < 'n' - ('"' - 1))) {
        return n;
    }
    return 0;
}

/* The same for any value. */
CW_ALWAYS_INLINE size_t cw__json_expect_any(const cw__json_reader *r, const char *p,
                                            const char *key, size_t n)
{
    if (CW_LIKELY(p != NULL) && CW_LIKELY((size_t)(r->end - p) > n) &&
        CW_LIKELY(memcmp(p, key, n) == 0) && CW_LIKELY((unsigned char)p[n] > ' ') &&
        CW_LIKELY(p[n] != 'n')) {
        return n;
    }
    return 0;
}

/* The same where the value's first byte (a quote or bracket) is the last of `key`. */
CW_ALWAYS_INLINE size_t cw__json_expect_open(const cw__json_reader *r, const char *p,
                                             const char *key, size_t n)
{
    if (CW_LIKELY(p != NULL) && CW_LIKELY((size_t)(r->end - p) > n) &&
        CW_LIKELY(memcmp(p, key, n) == 0)) {
        return n - 1;
    }
    return 0;
}

/* The same as the two below, with blanks: `close` is what ends the object or array. A comma before
 * it is an error. */
CW_API const char *cw__json_next_slow(cw__json_reader *r, const char *p, char close);

/* After a member's value: over ',' to the next key's quote, or to the '}' that ends the object. */
CW_ALWAYS_INLINE const char *cw__json_member_next(cw__json_reader *r, const char *p)
{
    if (CW_LIKELY(p < r->end)) { /* and a ',' is not the last byte */
        if (CW_LIKELY(p[0] == ',' && p[1] == '"')) {
            return p + 1;
        }
        if (CW_LIKELY(p[0] == '}')) {
            return p;
        }
    }
    return cw__json_next_slow(r, p, '}');
}

/* Opens an array: p at its first byte. Returns p at the first element or at ']'. */
CW_API CW_COLD const char *cw__json_array_fail(cw__json_reader *r, const char *p);
CW_ALWAYS_INLINE const char *cw__json_array(cw__json_reader *r, const char *p)
{
    if (CW_UNLIKELY(*p != '[')) {
        return cw__json_array_fail(r, p);
    }
    /* A '[' is not the text's last byte. */
    p++;
    return cw__json_blanks(r, p);
}

/* Elements that a list of messages, strings or map entries begins with. */
#define CW__JSON_FIRST_ELEMENTS 4

/*
 * Room for one more element of `elem` bytes (a constant) in a full list; as cw__list_grow. A
 * list's first elements are taken from the arena's block at once.
 */
CW_ALWAYS_INLINE void *cw__json_list_grow(cw__json_reader *r, void *data, size_t len, size_t *cap,
                                          size_t elem)
{
    cw_arena *a = r->arena;
    size_t n = (CW__JSON_FIRST_ELEMENTS * elem + 7) & ~(size_t)7;
    if (CW_LIKELY(len == 0) && CW_LIKELY(n <= (size_t)(a->end - a->ptr))) {
        void *first = a->ptr;
        a->ptr += n;
        *cap = CW__JSON_FIRST_ELEMENTS;
        return first;
    }
    return cw__list_grow(a, data, len, cap, elem, CW__JSON_FIRST_ELEMENTS);
}

/* After an element: over ',' to the next element, or to the ']' that ends the array. */
CW_ALWAYS_INLINE const char *cw__json_element_next(cw__json_reader *r, const char *p)
{
    if (CW_LIKELY(p < r->end)) {
        if (CW_LIKELY(p[0] == ',' && (unsigned char)p[1] > ' ' && p[1] != ']')) {
            return p + 1;
        }
        if (CW_LIKELY(p[0] == ']')) {
            return p;
        }
    }
    return cw__json_next_slow(r, p, ']');
}

CW_API bool cw__json_null_slow(cw__json_reader *r, const char **p);

/* True when the value at *p is the literal null (*p then stands after it). */
CW_ALWAYS_INLINE bool cw__json_null(cw__json_reader *r, const char **p)
{
    return CW_UNLIKELY(**p == 'n') && cw__json_null_slow(r, p);
}

/*
 * Values, p at the first byte (there is one). Numbers may stand in quotes; "1e3", 100.0 are
 * integers; true and false stand for themselves only; doubles also know "NaN", "Infinity" and
 * "-Infinity". Errors: CW_ERR_TYPE for another kind of value (a fraction for an integer, too),
 * CW_ERR_SYNTAX for none, CW_ERR_RANGE. Then *v is not to be used.
 */
CW_API const char *cw__json_get_uint32_slow(cw__json_reader *r, const char *p, uint32_t *v);
CW_API const char *cw__json_get_uint64_slow(cw__json_reader *r, const char *p, uint64_t *v);
CW_API const char *cw__json_get_int32_slow(cw__json_reader *r, const char *p, int32_t *v);
CW_API const char *cw__json_get_int64_slow(cw__json_reader *r, const char *p, int64_t *v);
CW_API const char *cw__json_get_bool(cw__json_reader *r, const char *p, bool *v);
CW_API const char *cw__json_get_double(cw__json_reader *r, const char *p, double *v);
CW_API const char *cw__json_get_float(cw__json_reader *r, const char *p, float *v);

/* Are these eight bytes digits all? (0x30..0x39: the high half is 3, also after adding 6.) */
CW_ALWAYS_INLINE bool cw__json_eight_digits(uint64_t x)
{
    return ((x & (x + 0x0606060606060606u)) & 0xf0f0f0f0f0f0f0f0u) == 0x3030303030303030u &&
           ((x | (x + 0x0606060606060606u)) & 0xf0f0f0f0f0f0f0f0u) == 0x3030303030303030u;
}

/* Their value: pairs, fours and eight are joined by one multiplication each; the first digit is the
 * lowest byte. */
CW_ALWAYS_INLINE uint64_t cw__json_eight_value(uint64_t x)
{
    x = (x & 0x0f0f0f0f0f0f0f0fu) * (10 * 256 + 1) >> 8;
    x = (x & 0x00ff00ff00ff00ffu) * (100 * 65536 + 1) >> 16;
    return (x & 0x0000ffff0000ffffu) * (((uint64_t)10000 << 32) + 1) >> 32;
}

/* Over the digits at p; *v goes in as the value of those before them. */
CW_ALWAYS_INLINE const char *cw__json_digits(const char *p, uint64_t *v)
{
    uint64_t x = *v;
    unsigned d;
    while ((d = (unsigned)(unsigned char)*p - '0') < 10) {
        x = x * 10 + d; /* may wrap: who calls counts the digits */
        p++;
    }
    *v = x;
    return p;
}

/* False: the digits [s, p) have a leading zero, or a fraction or an exponent goes on at p. */
CW_ALWAYS_INLINE bool cw__json_plain_end(const char *s, const char *p)
{
    if (CW_UNLIKELY(*s == '0' && p - s > 1)) {
        return false;
    }
    /* ',' is what mostly follows, and what is looked for next. */
    return CW_LIKELY(*p == ',') || (*p != '.' && (*p | 0x20) != 'e');
}

/*
 * A plain integer in [0, most], most < 2^32. Returns the byte after it; NULL when it is not that
 * (out of range, sign, leading zero, no digit, fraction, exponent): the slow twin decides.
 */
CW_ALWAYS_INLINE const char *cw__json_plain_short(const char *p, uint32_t most, uint32_t *v)
{
    const char *s = p;
    uint64_t x = 0;
    p = cw__json_digits(p, &x);
    size_t n = (size_t)(p - s);
    /* Up to nine digits are in any range here. */
    if (CW_UNLIKELY(n - 1 >= 9 && (n != 10 || x > most)) || !cw__json_plain_end(s, p)) {
        return NULL;
    }
    *v = (uint32_t)x;
    return p;
}

/* The same for up to 19 digits, which fit in 64 bits: eight in one step where there are so many. */
CW_ALWAYS_INLINE const char *cw__json_plain_long(const cw__json_reader *r, const char *p,
                                                 uint64_t *v)
{
    const char *s = p;
    *v = 0;
    if (r->end - p >= 8) {
        uint64_t x = cw__load64(p);
        if (cw__json_eight_digits(x)) {
            *v = cw__json_eight_value(x);
            p += 8;
        }
    }
    p = cw__json_digits(p, v);
    if (CW_UNLIKELY((size_t)(p - s) - 1 >= 19) || !cw__json_plain_end(s, p)) {
        return NULL;
    }
    return p;
}

CW_ALWAYS_INLINE const char *cw__json_get_uint32(cw__json_reader *r, const char *p, uint32_t *v)
{
    const char *q = cw__json_plain_short(p, UINT32_MAX, v);
    return CW_LIKELY(q != NULL) ? q : cw__json_get_uint32_slow(r, p, v);
}
CW_ALWAYS_INLINE const char *cw__json_get_int32(cw__json_reader *r, const char *p, int32_t *v)
{
    uint32_t x;
    const char *q = cw__json_plain_short(p, INT32_MAX, &x);
    if (CW_LIKELY(q != NULL)) {
        *v = (int32_t)x;
        return q;
    }
    return cw__json_get_int32_slow(r, p, v);
}
/* The canonical form of 64-bit integers is in quotes. */
CW_ALWAYS_INLINE const char *cw__json_get_uint64(cw__json_reader *r, const char *p, uint64_t *v)
{
    uint64_t x;
    unsigned quoted = *p == '"';
    const char *q = cw__json_plain_long(r, p + quoted, &x);
    if (CW_LIKELY(q && (!quoted || *q == '"'))) {
        *v = x;
        return q + quoted;
    }
    return cw__json_get_uint64_slow(r, p, v);
}
CW_ALWAYS_INLINE const char *cw__json_get_int64(cw__json_reader *r, const char *p, int64_t *v)
{
    uint64_t x;
    unsigned quoted = *p == '"';
    const char *q = cw__json_plain_long(r, p + quoted, &x);
    if (CW_LIKELY(q && x <= INT64_MAX && (!quoted || *q == '"'))) {
        *v = (int64_t)x;
        return q + quoted;
    }
    return cw__json_get_int64_slow(r, p, v);
}

/*
 * A string: UTF-8 checked (CW_ERR_UTF8), unescaped (CW_ERR_STRING: an invalid escape, half a
 * surrogate pair, a control character), copied with a NUL (alias: a view when it has no escapes).
 */
CW_API const char *cw__json_get_string(cw__json_reader *r, const char *p, cw_str *v);
/* A base64 string, either alphabet, padded or not, into the arena; CW_ERR_BASE64. */
CW_API const char *cw__json_get_bytes(cw__json_reader *r, const char *p, cw_bytes *v);

/* A name to a number; false: no such name. */
typedef bool cw__enum_from_name(const char *name, size_t len, int32_t *v);

/*
 * An enum: a name, or a number (of any value when `known` is NULL: open). What is unknown is
 * CW_ERR_UNKNOWN_ENUM, or with the option ignore_unknown no error and *ignored becomes true: the
 * value is then not to be stored. Else *ignored becomes false.
 */
CW_API const char *cw__json_get_enum(cw__json_reader *r, const char *p, int32_t *v,
                                     cw__enum_from_name *from_name, cw__enum_known *known,
                                     bool *ignored);

/* Over any value, its syntax checked; at most `depth` objects and arrays may be open in it. No
 * recursion. */
CW_API const char *cw__json_skip(cw__json_reader *r, const char *p, int depth);

/*
 * The value of the unknown key that has just been met: CW_ERR_UNKNOWN_FIELD at the key,
 * whose name goes into the path; with ignore_unknown skipped. An Any's "@type" is skipped, too.
 */
CW_API const char *cw__json_unknown(cw__json_reader *r, const char *p, int depth);

/* The extensions that one object has had so far; zeroed at its begin. */
typedef struct cw__json_seen {
    const struct cw_extension **list;
    size_t len, cap;
} cw__json_seen;

/*
 * The same in a message of type t with extension ranges: "[pkg.name]" is an extension, when it can
 * be found. Its value goes to *u, the message's unknown fields; a second one is CW_ERR_DUPLICATE.
 */
CW_API const char *cw__json_extension(cw__json_reader *r, const char *p, const struct cw_type *t,
                                      cw_unknown **u, cw__json_seen *seen, int depth);

/*
 * Map keys: a string at p, then ':'; returns p at the value. Keys of every kind are strings in
 * JSON. Bool keys are "true" and "false", integers stand as they are printed: no fraction, exponent
 * or leading zero. Errors as for values.
 */
CW_API const char *cw__json_map_key_string(cw__json_reader *r, const char *p, cw_str *v);
CW_API const char *cw__json_map_key_int32(cw__json_reader *r, const char *p, int32_t *v);
CW_API const char *cw__json_map_key_int64(cw__json_reader *r, const char *p, int64_t *v);
CW_API const char *cw__json_map_key_uint32(cw__json_reader *r, const char *p, uint32_t *v);
CW_API const char *cw__json_map_key_uint64(cw__json_reader *r, const char *p, uint64_t *v);
CW_API const char *cw__json_map_key_bool(cw__json_reader *r, const char *p, bool *v);
/* Map keys printed: in quotes, with the ':' behind. Room is made; keep as above. */
CW_API char *cw__json_put_key_string(cw__json_writer *w, char *p, cw_str v, size_t keep);
CW_API char *cw__json_put_key_int64(cw__json_writer *w, char *p, int64_t v, size_t keep);
CW_API char *cw__json_put_key_uint64(cw__json_writer *w, char *p, uint64_t v, size_t keep);
CW_API char *cw__json_put_key_bool(cw__json_writer *w, char *p, bool v, size_t keep);

CW_END_DECLS
#endif
