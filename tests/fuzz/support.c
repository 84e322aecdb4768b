/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include "cwire/wkt.h"
#include "json.cw.h"
#include "json_any.cw.h"
#include "json_extension.cw.h"
#include "json_proto2.cw.h"
#include "json_wkt.cw.h"
#include "order.cw.h"
#include "text.cw.h"
#include "wide.cw.h"
#include "wire.cw.h"
#include "wire2.cw.h"

const fuzz_type fuzz_types[] = {
    {&json_Everything_type, false, false, false},
    {&wire_All_type, false, false, false},
    {&wire2_All_type, true, false, false},
    {&wire_Growth_type, false, false, false},
    {&wire_Choice_type, false, false, false},
    {&wire_Nest_type, false, false, false},
    {&wire_Segments_type, false, false, false},
    {&wire_UnpackedLists_type, false, false, false},
    {&wire_Fixed_type, false, false, false},
    {&wire_Maps_type, false, false, false},
    {&wire_Far_type, false, false, false},
    {&wire2_Boxed_type, true, false, false},
    {&wire2_Reqs_type, true, false, false},
    {&wire2_Closed_type, false, false, false},
    {&wire2_Defaults_type, true, false, false},
    {&wire2_Loose_type, true, false, false},
    {&json_Lists_type, false, false, false},
    {&json_Maps_type, false, false, false},
    {&json_Choice_type, false, false, false},
    {&json_Optionals_type, false, false, false},
    {&json_Node_type, false, false, false},
    {&json_Case_type, false, false, false},
    {&json2_Closed_type, true, false, false},
    {&json2_Grouped_type, true, false, false},
    {&json2_Defaults_type, true, false, false},
    {&wide_Wide_type, false, false, false},
    {&shop_Batch_type, false, false, false},
    {&google_protobuf_Struct_type, false, true, false},
    {&google_protobuf_Value_type, false, true, false},
    {&google_protobuf_Any_type, false, true, true},
    {&google_protobuf_Timestamp_type, false, true, false},
    {&google_protobuf_Duration_type, false, true, false},
    {&google_protobuf_FieldMask_type, false, true, false},
    {&google_protobuf_Type_type, false, true, true},
    {&google_protobuf_DoubleValue_type, false, true, false},
    {&google_protobuf_BytesValue_type, false, true, false},
    {&json_wkt_Nulls_type, false, true, false},
    {&json_wkt_Members_type, false, true, false},
    {&json_any_Holder_type, false, true, true},
    {&json_ext_Base_type, true, true, true},
    {&json_ext_Other_type, true, true, true},
    {&json_ext_Set_type, true, true, true},
    {&text_Plain_type, true, false, false},
    {&text_Groups_type, false, false, false},
    {&text_Needs_type, false, false, false},
    {&text_Scattered_type, true, false, true},
};
const size_t fuzz_type_count = sizeof fuzz_types / sizeof fuzz_types[0];

static const cw_file *const files[] = {&json_file,     &wire2_file,    &google_protobuf_struct_file,
                                       &json_wkt_file, &json_any_file, &json_extension_file,
                                       &text_file};
const cw_registry fuzz_registry = {files, sizeof files / sizeof files[0]};

bool fuzz_input_read(fuzz_input *in, const uint8_t *data, size_t size)
{
    if (size < FUZZ_HEADER) {
        return false;
    }
    in->of = &fuzz_types[data[0] % fuzz_type_count];
    in->type = in->of->type;
    in->flags = data[1];
    in->amount = data[2];
    in->len = size - FUZZ_HEADER;
    in->data = malloc(in->len ? in->len : 1);
    if (!in->data) {
        return false;
    }
    memcpy(in->data, data + FUZZ_HEADER, in->len);
    return true;
}

void fuzz_input_free(fuzz_input *in)
{
    free(in->data);
}

void fuzz_arena_init(const fuzz_input *in, cw_arena *a, void **block)
{
    cw_arena_options o = {0};
    *block = NULL;
    if (in->flags & FUZZ_BLOCK) {
        o.block_size = (size_t)in->amount * 16;
        o.block = *block = malloc(o.block_size ? o.block_size : 1);
        o.no_alloc = true;
    } else if (in->flags & FUZZ_LIMIT) {
        o.limit = (size_t)in->amount * 64 + 64;
        o.first_block = 64;
    }
    cw_arena_init(a, &o);
}

void *fuzz_new(const cw_type *t, cw_arena *a)
{
    void *m = cw_arena_alloc(a, t->struct_size);
    if (!m) {
        fuzz_broken(__FILE__, __LINE__, "memory for a message", NULL);
    }
    t->init(m);
    return m;
}

bool fuzz_is_limit(cw_status st)
{
    return st == CW_ERR_MEMORY || st == CW_ERR_LIMIT || st == CW_ERR_DEPTH;
}

_Noreturn void fuzz_broken(const char *file, int line, const char *promise, const cw_error *e)
{
    char text[512] = "";
    if (e) {
        cw_error_print(e, text, sizeof text);
    }
    fprintf(stderr, "%s:%d: does not hold: %s%s%s\n", file, line, promise, e ? ": " : "", text);
    abort();
}
