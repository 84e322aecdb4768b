/* SPDX-License-Identifier: MIT */
/* any.c: see any.h. Who links this links all well-known types. */
#include "any.h"

#include "cwire/message.h"
#include "cwire/wkt.h"
#include "printable.h"

static const cw_file *const well_known_files[] = {
    &google_protobuf_any_file,        &google_protobuf_api_file,
    &google_protobuf_duration_file,   &google_protobuf_empty_file,
    &google_protobuf_field_mask_file, &google_protobuf_source_context_file,
    &google_protobuf_struct_file,     &google_protobuf_timestamp_file,
    &google_protobuf_type_file,       &google_protobuf_wrappers_file,
};
static const cw_registry well_known = {well_known_files,
                                       sizeof well_known_files / sizeof well_known_files[0]};

const cw_type *cw__any_type(const cw_file *file, const cw_registry *types, cw_str url)
{
    size_t begin = url.len;
    while (begin > 0 && url.data[begin - 1] != '/') {
        begin--;
    }
    if (begin == 0 || begin == url.len) {
        return NULL;
    }
    cw_str name = cw_str_of(url.data + begin, url.len - begin);
    const cw_type *found = file ? cw_file_find_type(file, name) : NULL;
    found = found ? found : cw_registry_find_type(types, name);
    return found ? found : cw_registry_find_type(&well_known, name);
}

cw_status cw__any_decode(const cw_type *t, cw_bytes value, cw_arena *a, int depth, void **m,
                         cw_error *e)
{
    const cw_decode_options o = {.alias = true, .allow_partial = true};
    cw__decoder d;
    cw__decode_begin(&d, value.data, value.len, a, &o, e);
    void *x = cw_arena_alloc(a, t->struct_size);
    if (!x) {
        cw__get_fail_memory(&d, d.begin);
        return cw__decode_end(&d, "");
    }
    t->init(x);
    const uint8_t *p = t->wire_get(x, d.begin, d.end, &d, depth);
    if (p && d.maps_unsorted && t->sort_maps && !t->sort_maps(x, a)) {
        cw__get_fail_memory(&d, d.end);
    }
    *m = x;
    return cw__decode_end(&d, "");
}

cw_status cw__any_encode(const cw_type *t, const void *m, cw_arena *a, int depth,
                         bool allow_partial, cw_bytes *out, cw_error *e)
{
    if (!allow_partial && t->required && !t->required(m, e, depth)) {
        return CW_ERR_REQUIRED;
    }
    cw__encoder w;
    uint8_t *p = cw__encode_arena_begin(&w, a, e);
    p = p ? t->wire_put(m, &w, p, depth) : NULL;
    return cw__encode_arena_end(&w, p, out, "");
}

void cw__any_fail_at(cw_error *e, cw_str url)
{
    cw__printable shown;
    char segment[sizeof shown.text + 2];
    cw__make_printable(&shown, url);
    segment[0] = '[';
    memcpy(segment + 1, shown.text, shown.len);
    segment[shown.len + 1] = ']';
    segment[shown.len + 2] = 0;
    cw__error_prefix(e, segment, SIZE_MAX);
}
