/* SPDX-License-Identifier: MIT */
/*
 * wire_list.h: lists on the wire. One out-of-line function a class of elements does the work on a
 * cw__array; the inline wrappers move a typed list in and out of it, since no list is ever accessed
 * through another struct type. Included by wire.h.
 */
#ifndef CWIRE_WIRE_LIST_H
#define CWIRE_WIRE_LIST_H

#include "cwire/wire_get.h"
#include "cwire/wire_put.h"

CW_BEGIN_DECLS

/* How an element is stored in the list and on the wire. */
typedef enum cw__element {
    CW__VARINT32, /* uint32: 4 bytes stored, the low 32 bits of a varint */
    CW__INT32,    /* int32, enum: 4 bytes stored, written sign-extended to 64 bits */
    CW__VARINT64, /* int64, uint64 */
    CW__ZIGZAG32,
    CW__ZIGZAG64,
    CW__FIXED32, /* fixed32, sfixed32, float */
    CW__FIXED64, /* fixed64, sfixed64, double */
    CW__BOOL     /* bool stored, any varint but 0 is true */
} cw__element;

/* Any list: elements are accessed with memcpy or through their own type only. */
typedef struct cw__array {
    void *data;
    size_t len, cap;
} cw__array;

/* Which values a closed enum has. */
typedef bool cw__enum_known(int32_t v);

/* A packed field's length and elements, appended to x (exact reservation by the growth rule). NULL:
 * failed. */
CW_API const uint8_t *cw__get_packed(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                     cw__array *x, cw__element kind);
/* One unpacked element at p, appended. */
CW_API const uint8_t *cw__get_element(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                      cw__array *x, cw__element kind);
/* Packed closed enum: unknown values go to *u, each as a varint field with this tag (number << 3).
 */
CW_API const uint8_t *cw__get_packed_closed(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                            cw_i32_list *x, cw__enum_known *known, uint32_t tag,
                                            cw_unknown **u);
/* One unpacked element of a closed enum. */
CW_API const uint8_t *cw__get_closed(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                     cw_i32_list *x, cw__enum_known *known, uint32_t tag,
                                     cw_unknown **u);
/* String or bytes elements, appended: the one at p and those that follow it without another field
 * between (the run is counted first; tag is the raw tag value). On failure x->len is the index of
 * the wrong element. */
CW_API const uint8_t *cw__get_strings(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                      cw_str_list *x, uint32_t tag, bool check_utf8);
CW_API const uint8_t *cw__get_bytes_list(cw__decoder *d, const uint8_t *p, const uint8_t *end,
                                         cw_bytes_list *x, uint32_t tag);

/*
 * Elements and their total length, without the tag; nothing is written for an empty list. On return
 * there is room for keep - 10 more (see cw__put_bytes_view).
 */
CW_API uint8_t *cw__put_packed(cw__encoder *w, uint8_t *p, const void *data, size_t len,
                               cw__element kind, size_t keep);
/* Each element with its tag (raw value). Room for `keep` afterwards. */
CW_API uint8_t *cw__put_unpacked(cw__encoder *w, uint8_t *p, const void *data, size_t len,
                                 cw__element kind, uint32_t tag, size_t keep);
CW_API uint8_t *cw__put_strings(cw__encoder *w, uint8_t *p, const cw_str_list *x, uint32_t tag,
                                size_t keep);
CW_API uint8_t *cw__put_bytes_list(cw__encoder *w, uint8_t *p, const cw_bytes_list *x, uint32_t tag,
                                   size_t keep);

/* Bytes of the elements alone: no tags, no length. */
CW_API uint64_t cw__size_elements(const void *data, size_t len, cw__element kind);
/* Bytes of all elements with their length prefixes, without tags. */
CW_API uint64_t cw__size_strings(const cw_str_list *x);
CW_API uint64_t cw__size_bytes_list(const cw_bytes_list *x);

static inline const uint8_t *cw__get_packed_int32(cw__decoder *d, const uint8_t *p,
                                                  const uint8_t *end, cw_i32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__INT32);
    v->data = (int32_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_int32(cw__decoder *d, const uint8_t *p,
                                                   const uint8_t *end, cw_i32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__INT32);
    v->data = (int32_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_int32(cw__encoder *w, uint8_t *p, const cw_i32_list *v,
                                            size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__INT32, keep);
}
static inline uint8_t *cw__put_unpacked_int32(cw__encoder *w, uint8_t *p, const cw_i32_list *v,
                                              uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__INT32, tag, keep);
}
static inline uint64_t cw__size_elements_int32(const cw_i32_list *v)
{
    return cw__size_elements(v->data, v->len, CW__INT32);
}

static inline const uint8_t *cw__get_packed_sint32(cw__decoder *d, const uint8_t *p,
                                                   const uint8_t *end, cw_i32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__ZIGZAG32);
    v->data = (int32_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_sint32(cw__decoder *d, const uint8_t *p,
                                                    const uint8_t *end, cw_i32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__ZIGZAG32);
    v->data = (int32_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_sint32(cw__encoder *w, uint8_t *p, const cw_i32_list *v,
                                             size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__ZIGZAG32, keep);
}
static inline uint8_t *cw__put_unpacked_sint32(cw__encoder *w, uint8_t *p, const cw_i32_list *v,
                                               uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__ZIGZAG32, tag, keep);
}
static inline uint64_t cw__size_elements_sint32(const cw_i32_list *v)
{
    return cw__size_elements(v->data, v->len, CW__ZIGZAG32);
}

static inline const uint8_t *cw__get_packed_uint32(cw__decoder *d, const uint8_t *p,
                                                   const uint8_t *end, cw_u32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__VARINT32);
    v->data = (uint32_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_uint32(cw__decoder *d, const uint8_t *p,
                                                    const uint8_t *end, cw_u32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__VARINT32);
    v->data = (uint32_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_uint32(cw__encoder *w, uint8_t *p, const cw_u32_list *v,
                                             size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__VARINT32, keep);
}
static inline uint8_t *cw__put_unpacked_uint32(cw__encoder *w, uint8_t *p, const cw_u32_list *v,
                                               uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__VARINT32, tag, keep);
}
static inline uint64_t cw__size_elements_uint32(const cw_u32_list *v)
{
    return cw__size_elements(v->data, v->len, CW__VARINT32);
}

static inline const uint8_t *cw__get_packed_int64(cw__decoder *d, const uint8_t *p,
                                                  const uint8_t *end, cw_i64_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__VARINT64);
    v->data = (int64_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_int64(cw__decoder *d, const uint8_t *p,
                                                   const uint8_t *end, cw_i64_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__VARINT64);
    v->data = (int64_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_int64(cw__encoder *w, uint8_t *p, const cw_i64_list *v,
                                            size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__VARINT64, keep);
}
static inline uint8_t *cw__put_unpacked_int64(cw__encoder *w, uint8_t *p, const cw_i64_list *v,
                                              uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__VARINT64, tag, keep);
}
static inline uint64_t cw__size_elements_int64(const cw_i64_list *v)
{
    return cw__size_elements(v->data, v->len, CW__VARINT64);
}

static inline const uint8_t *cw__get_packed_sint64(cw__decoder *d, const uint8_t *p,
                                                   const uint8_t *end, cw_i64_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__ZIGZAG64);
    v->data = (int64_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_sint64(cw__decoder *d, const uint8_t *p,
                                                    const uint8_t *end, cw_i64_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__ZIGZAG64);
    v->data = (int64_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_sint64(cw__encoder *w, uint8_t *p, const cw_i64_list *v,
                                             size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__ZIGZAG64, keep);
}
static inline uint8_t *cw__put_unpacked_sint64(cw__encoder *w, uint8_t *p, const cw_i64_list *v,
                                               uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__ZIGZAG64, tag, keep);
}
static inline uint64_t cw__size_elements_sint64(const cw_i64_list *v)
{
    return cw__size_elements(v->data, v->len, CW__ZIGZAG64);
}

static inline const uint8_t *cw__get_packed_uint64(cw__decoder *d, const uint8_t *p,
                                                   const uint8_t *end, cw_u64_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__VARINT64);
    v->data = (uint64_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_uint64(cw__decoder *d, const uint8_t *p,
                                                    const uint8_t *end, cw_u64_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__VARINT64);
    v->data = (uint64_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_uint64(cw__encoder *w, uint8_t *p, const cw_u64_list *v,
                                             size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__VARINT64, keep);
}
static inline uint8_t *cw__put_unpacked_uint64(cw__encoder *w, uint8_t *p, const cw_u64_list *v,
                                               uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__VARINT64, tag, keep);
}
static inline uint64_t cw__size_elements_uint64(const cw_u64_list *v)
{
    return cw__size_elements(v->data, v->len, CW__VARINT64);
}

static inline const uint8_t *cw__get_packed_fixed32(cw__decoder *d, const uint8_t *p,
                                                    const uint8_t *end, cw_u32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__FIXED32);
    v->data = (uint32_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_fixed32(cw__decoder *d, const uint8_t *p,
                                                     const uint8_t *end, cw_u32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__FIXED32);
    v->data = (uint32_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_fixed32(cw__encoder *w, uint8_t *p, const cw_u32_list *v,
                                              size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__FIXED32, keep);
}
static inline uint8_t *cw__put_unpacked_fixed32(cw__encoder *w, uint8_t *p, const cw_u32_list *v,
                                                uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__FIXED32, tag, keep);
}
static inline uint64_t cw__size_elements_fixed32(const cw_u32_list *v)
{
    return cw__size_elements(v->data, v->len, CW__FIXED32);
}

static inline const uint8_t *cw__get_packed_sfixed32(cw__decoder *d, const uint8_t *p,
                                                     const uint8_t *end, cw_i32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__FIXED32);
    v->data = (int32_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_sfixed32(cw__decoder *d, const uint8_t *p,
                                                      const uint8_t *end, cw_i32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__FIXED32);
    v->data = (int32_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_sfixed32(cw__encoder *w, uint8_t *p, const cw_i32_list *v,
                                               size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__FIXED32, keep);
}
static inline uint8_t *cw__put_unpacked_sfixed32(cw__encoder *w, uint8_t *p, const cw_i32_list *v,
                                                 uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__FIXED32, tag, keep);
}
static inline uint64_t cw__size_elements_sfixed32(const cw_i32_list *v)
{
    return cw__size_elements(v->data, v->len, CW__FIXED32);
}

static inline const uint8_t *cw__get_packed_fixed64(cw__decoder *d, const uint8_t *p,
                                                    const uint8_t *end, cw_u64_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__FIXED64);
    v->data = (uint64_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_fixed64(cw__decoder *d, const uint8_t *p,
                                                     const uint8_t *end, cw_u64_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__FIXED64);
    v->data = (uint64_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_fixed64(cw__encoder *w, uint8_t *p, const cw_u64_list *v,
                                              size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__FIXED64, keep);
}
static inline uint8_t *cw__put_unpacked_fixed64(cw__encoder *w, uint8_t *p, const cw_u64_list *v,
                                                uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__FIXED64, tag, keep);
}
static inline uint64_t cw__size_elements_fixed64(const cw_u64_list *v)
{
    return cw__size_elements(v->data, v->len, CW__FIXED64);
}

static inline const uint8_t *cw__get_packed_sfixed64(cw__decoder *d, const uint8_t *p,
                                                     const uint8_t *end, cw_i64_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__FIXED64);
    v->data = (int64_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_sfixed64(cw__decoder *d, const uint8_t *p,
                                                      const uint8_t *end, cw_i64_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__FIXED64);
    v->data = (int64_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_sfixed64(cw__encoder *w, uint8_t *p, const cw_i64_list *v,
                                               size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__FIXED64, keep);
}
static inline uint8_t *cw__put_unpacked_sfixed64(cw__encoder *w, uint8_t *p, const cw_i64_list *v,
                                                 uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__FIXED64, tag, keep);
}
static inline uint64_t cw__size_elements_sfixed64(const cw_i64_list *v)
{
    return cw__size_elements(v->data, v->len, CW__FIXED64);
}

static inline const uint8_t *cw__get_packed_float(cw__decoder *d, const uint8_t *p,
                                                  const uint8_t *end, cw_f32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__FIXED32);
    v->data = (float *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_float(cw__decoder *d, const uint8_t *p,
                                                   const uint8_t *end, cw_f32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__FIXED32);
    v->data = (float *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_float(cw__encoder *w, uint8_t *p, const cw_f32_list *v,
                                            size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__FIXED32, keep);
}
static inline uint8_t *cw__put_unpacked_float(cw__encoder *w, uint8_t *p, const cw_f32_list *v,
                                              uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__FIXED32, tag, keep);
}
static inline uint64_t cw__size_elements_float(const cw_f32_list *v)
{
    return cw__size_elements(v->data, v->len, CW__FIXED32);
}

static inline const uint8_t *cw__get_packed_double(cw__decoder *d, const uint8_t *p,
                                                   const uint8_t *end, cw_f64_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__FIXED64);
    v->data = (double *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_double(cw__decoder *d, const uint8_t *p,
                                                    const uint8_t *end, cw_f64_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__FIXED64);
    v->data = (double *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_double(cw__encoder *w, uint8_t *p, const cw_f64_list *v,
                                             size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__FIXED64, keep);
}
static inline uint8_t *cw__put_unpacked_double(cw__encoder *w, uint8_t *p, const cw_f64_list *v,
                                               uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__FIXED64, tag, keep);
}
static inline uint64_t cw__size_elements_double(const cw_f64_list *v)
{
    return cw__size_elements(v->data, v->len, CW__FIXED64);
}

static inline const uint8_t *cw__get_packed_bool(cw__decoder *d, const uint8_t *p,
                                                 const uint8_t *end, cw_bool_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__BOOL);
    v->data = (bool *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_bool(cw__decoder *d, const uint8_t *p,
                                                  const uint8_t *end, cw_bool_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__BOOL);
    v->data = (bool *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_bool(cw__encoder *w, uint8_t *p, const cw_bool_list *v,
                                           size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__BOOL, keep);
}
static inline uint8_t *cw__put_unpacked_bool(cw__encoder *w, uint8_t *p, const cw_bool_list *v,
                                             uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__BOOL, tag, keep);
}
static inline uint64_t cw__size_elements_bool(const cw_bool_list *v)
{
    return cw__size_elements(v->data, v->len, CW__BOOL);
}

static inline const uint8_t *cw__get_packed_enum(cw__decoder *d, const uint8_t *p,
                                                 const uint8_t *end, cw_i32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_packed(d, p, end, &x, CW__INT32);
    v->data = (int32_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline const uint8_t *cw__get_element_enum(cw__decoder *d, const uint8_t *p,
                                                  const uint8_t *end, cw_i32_list *v)
{
    cw__array x = {v->data, v->len, v->cap};
    p = cw__get_element(d, p, end, &x, CW__INT32);
    v->data = (int32_t *)x.data;
    v->len = x.len;
    v->cap = x.cap;
    return p;
}
static inline uint8_t *cw__put_packed_enum(cw__encoder *w, uint8_t *p, const cw_i32_list *v,
                                           size_t keep)
{
    return cw__put_packed(w, p, v->data, v->len, CW__INT32, keep);
}
static inline uint8_t *cw__put_unpacked_enum(cw__encoder *w, uint8_t *p, const cw_i32_list *v,
                                             uint32_t tag, size_t keep)
{
    return cw__put_unpacked(w, p, v->data, v->len, CW__INT32, tag, keep);
}
static inline uint64_t cw__size_elements_enum(const cw_i32_list *v)
{
    return cw__size_elements(v->data, v->len, CW__INT32);
}

CW_END_DECLS
#endif
