/* SPDX-License-Identifier: MIT */
/* extension_support.h: extensions as generated code would describe them. Included after cmocka.h.
 */
#ifndef CWIRE_TESTS_EXTENSION_SUPPORT_H
#define CWIRE_TESTS_EXTENSION_SUPPORT_H

#include "cwire/extension.h"
#include "cwire/message.h"
#include "cwire/wkt.h"

#include "core_support.h"

/* BYTES("\x08\x01") in an initialiser: pointer and length. */
#define BYTES(s) s, sizeof(s) - 1

static inline bool is_1_or_2(int32_t v)
{
    return v == 1 || v == 2;
}

static inline void duration_init(void *m)
{
    google_protobuf_Duration_init(m);
}

static inline uint8_t *duration_put(const void *m, cw__encoder *w, uint8_t *p, int depth)
{
    return google_protobuf_Duration__enc(m, w, p, depth);
}

static inline const uint8_t *duration_get(void *m, const uint8_t *p, const uint8_t *end,
                                          cw__decoder *d, int depth)
{
    return google_protobuf_Duration__dec(m, p, end, d, depth);
}

/* As if `seconds` were required. */
static inline bool duration_required(const void *m, cw_error *e, int depth)
{
    const google_protobuf_Duration *duration = m;
    (void)depth;
    return duration->seconds != 0 || cw__check_fail(e, CW_ERR_REQUIRED, "seconds", SIZE_MAX);
}

static inline void struct_init(void *m)
{
    google_protobuf_Struct_init(m);
}

static inline uint8_t *struct_put(const void *m, cw__encoder *w, uint8_t *p, int depth)
{
    return google_protobuf_Struct__enc(m, w, p, depth);
}

static inline const uint8_t *struct_get(void *m, const uint8_t *p, const uint8_t *end,
                                        cw__decoder *d, int depth)
{
    return google_protobuf_Struct__dec(m, p, end, d, depth);
}

static inline bool struct_sort_maps(void *m, cw_arena *a)
{
    return google_protobuf_Struct__sort_maps(m, a);
}

static const cw__ext_message duration_message = {
    .struct_size = sizeof(google_protobuf_Duration),
    .init = duration_init,
    .wire_put = duration_put,
    .wire_get = duration_get,
};

static const cw__ext_message strict_message = {
    .struct_size = sizeof(google_protobuf_Duration),
    .init = duration_init,
    .wire_put = duration_put,
    .wire_get = duration_get,
    .required = duration_required,
};

static const cw__ext_message struct_message = {
    .struct_size = sizeof(google_protobuf_Struct),
    .init = struct_init,
    .wire_put = struct_put,
    .wire_get = struct_get,
    .sort_maps = struct_sort_maps,
};

/* Bytes as a message's unknown ones, in a block of exactly their size. Free .data. */
static inline cw_unknown unknown_of(const void *bytes, size_t n)
{
    cw_unknown u = {exact_copy(bytes, n), n, n};
    return u;
}

/* The unknown bytes are exactly these. */
static inline void assert_unknown(const cw_unknown *u, const void *bytes, size_t n)
{
    assert_int_equal(u ? u->len : 0, n);
    if (n > 0) {
        assert_memory_equal(u->data, bytes, n);
    }
}

#endif
