/* SPDX-License-Identifier: MIT */
/*
 * str.h: string and byte views and the list types of scalars.
 *
 * A view owns nothing: what it points to lives as long as the arena it was decoded into, the input
 * (option `alias`), or whatever the caller pointed it at.
 */
#ifndef CWIRE_STR_H
#define CWIRE_STR_H

#include "cwire/port.h"

CW_BEGIN_DECLS

/* UTF-8 text of `len` bytes. NUL-terminated when it came from a parse without `alias`. {0} is
 * empty. */
typedef struct cw_str {
    const char *data;
    size_t len;
} cw_str;

/* Any bytes. {0} is empty. */
typedef struct cw_bytes {
    const uint8_t *data;
    size_t len;
} cw_bytes;

/* CW_STR("USD"): a cw_str of a string literal, as an expression; CW_STR_INIT("USD"): as an
 * initialiser. */
#ifdef __cplusplus
#define CW_STR(literal) (cw_str{"" literal, sizeof(literal) - 1})
#else
#define CW_STR(literal) ((cw_str){"" literal, sizeof(literal) - 1})
#endif
#define CW_STR_INIT(literal)                                                                       \
    {                                                                                              \
        "" literal, sizeof(literal) - 1                                                            \
    }

/* A view of a NUL-terminated string; NULL gives the empty view. */
static inline cw_str cw_str_from(const char *s)
{
    cw_str r = {s, s ? strlen(s) : 0};
    return r;
}

/* A view of `len` bytes at `data`. */
static inline cw_str cw_str_of(const char *data, size_t len)
{
    cw_str r = {data, len};
    return r;
}

/* The same for any bytes. */
static inline cw_bytes cw_bytes_of(const void *data, size_t len)
{
    cw_bytes r = {(const uint8_t *)data, len};
    return r;
}

/* The same length and bytes? */
static inline bool cw_str_equal(cw_str a, cw_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool cw_bytes_equal(cw_bytes a, cw_bytes b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* -1, 0, 1: byte order, a shorter prefix first. The order of map keys. */
static inline int cw_str_compare(cw_str a, cw_str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int c = n ? memcmp(a.data, b.data, n) : 0;
    return c < 0 ? -1 : c > 0 ? 1 : a.len < b.len ? -1 : a.len > b.len;
}

/*
 * Lists of scalars: `data[0..len)` is valid, `cap` elements have room; {0} is empty. cap 0 with len
 * > 0 is a list that borrows the caller's array: it can be encoded, and is copied before it grows.
 */
typedef struct cw_bool_list {
    bool *data;
    size_t len, cap;
} cw_bool_list;
typedef struct cw_i32_list {
    int32_t *data;
    size_t len, cap;
} cw_i32_list;
typedef struct cw_i64_list {
    int64_t *data;
    size_t len, cap;
} cw_i64_list;
typedef struct cw_u32_list {
    uint32_t *data;
    size_t len, cap;
} cw_u32_list;
typedef struct cw_u64_list {
    uint64_t *data;
    size_t len, cap;
} cw_u64_list;
typedef struct cw_f32_list {
    float *data;
    size_t len, cap;
} cw_f32_list;
typedef struct cw_f64_list {
    double *data;
    size_t len, cap;
} cw_f64_list;
typedef struct cw_str_list {
    cw_str *data;
    size_t len, cap;
} cw_str_list;
typedef struct cw_bytes_list {
    cw_bytes *data;
    size_t len, cap;
} cw_bytes_list;

/*
 * The raw fields (tags included) that a message's schema does not know, in order of arrival;
 * written back after the known fields. NULL when there are none.
 */
typedef struct cw_unknown {
    uint8_t *data;
    size_t len, cap;
} cw_unknown;

CW_END_DECLS
#endif
