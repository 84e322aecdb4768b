/* SPDX-License-Identifier: MIT */
/* kinds.c: the table of field kinds. See kinds.h. */
#include "kinds.h"

#include <stddef.h>

/*
 * Minus zero is not the zero value of float and double: their bits are looked at. An int32 that is
 * negative takes ten bytes, as an enum does.
 */
/* clang-format off */
static const cwg_kind kinds[] = {
    /* id                 name        c_type      c_list           lst      rt_kind             nonzero                       zero            wire             max fix packable 64     signed float */
    {CWG_KIND_DOUBLE,   "double",   "double",   "cw_f64_list",   "f64",   "CW_KIND_DOUBLE",   "cw__double_bits($v$) != 0", "0.0",          CWG_WIRE_I64,    8, 8, true,  false, false, true},
    {CWG_KIND_FLOAT,    "float",    "float",    "cw_f32_list",   "f32",   "CW_KIND_FLOAT",    "cw__float_bits($v$) != 0",  "0.0f",         CWG_WIRE_I32,    4, 4, true,  false, false, true},
    {CWG_KIND_INT64,    "int64",    "int64_t",  "cw_i64_list",   "i64",   "CW_KIND_INT64",    "$v$ != 0",                  "0",            CWG_WIRE_VARINT, 10, 0, true,  true,  true,  false},
    {CWG_KIND_UINT64,   "uint64",   "uint64_t", "cw_u64_list",   "u64",   "CW_KIND_UINT64",   "$v$ != 0",                  "0",            CWG_WIRE_VARINT, 10, 0, true,  true,  false, false},
    {CWG_KIND_INT32,    "int32",    "int32_t",  "cw_i32_list",   "i32",   "CW_KIND_INT32",    "$v$ != 0",                  "0",            CWG_WIRE_VARINT, 10, 0, true,  false, true,  false},
    {CWG_KIND_FIXED64,  "fixed64",  "uint64_t", "cw_u64_list",   "u64",   "CW_KIND_FIXED64",  "$v$ != 0",                  "0",            CWG_WIRE_I64,    8, 8, true,  true,  false, false},
    {CWG_KIND_FIXED32,  "fixed32",  "uint32_t", "cw_u32_list",   "u32",   "CW_KIND_FIXED32",  "$v$ != 0",                  "0",            CWG_WIRE_I32,    4, 4, true,  false, false, false},
    {CWG_KIND_BOOL,     "bool",     "bool",     "cw_bool_list",  "bool",  "CW_KIND_BOOL",     "$v$",                       "false",        CWG_WIRE_VARINT, 1, 1, true,  false, false, false},
    {CWG_KIND_STRING,   "string",   "cw_str",   "cw_str_list",   "str",   "CW_KIND_STRING",   "$v$.len != 0",              "CW_STR(\"\")", CWG_WIRE_LEN,    5, 0, false, false, false, false},
    {CWG_KIND_MESSAGE,  "message",  NULL,       NULL,            NULL,    "CW_KIND_MESSAGE",  "$v$ != NULL",               NULL,           CWG_WIRE_LEN,    5, 0, false, false, false, false},
    {CWG_KIND_BYTES,    "bytes",    "cw_bytes", "cw_bytes_list", "bytes", "CW_KIND_BYTES",    "$v$.len != 0",              "cw_bytes_of(\"\", 0)", CWG_WIRE_LEN, 5, 0, false, false, false, false},
    {CWG_KIND_UINT32,   "uint32",   "uint32_t", "cw_u32_list",   "u32",   "CW_KIND_UINT32",   "$v$ != 0",                  "0",            CWG_WIRE_VARINT, 5, 0, true,  false, false, false},
    {CWG_KIND_ENUM,     "enum",     "int32_t",  "cw_i32_list",   "i32",   "CW_KIND_ENUM",     "$v$ != 0",                  "0",            CWG_WIRE_VARINT, 10, 0, true,  false, true,  false},
    {CWG_KIND_SFIXED32, "sfixed32", "int32_t",  "cw_i32_list",   "i32",   "CW_KIND_SFIXED32", "$v$ != 0",                  "0",            CWG_WIRE_I32,    4, 4, true,  false, true,  false},
    {CWG_KIND_SFIXED64, "sfixed64", "int64_t",  "cw_i64_list",   "i64",   "CW_KIND_SFIXED64", "$v$ != 0",                  "0",            CWG_WIRE_I64,    8, 8, true,  true,  true,  false},
    {CWG_KIND_SINT32,   "sint32",   "int32_t",  "cw_i32_list",   "i32",   "CW_KIND_SINT32",   "$v$ != 0",                  "0",            CWG_WIRE_VARINT, 5, 0, true,  false, true,  false},
    {CWG_KIND_SINT64,   "sint64",   "int64_t",  "cw_i64_list",   "i64",   "CW_KIND_SINT64",   "$v$ != 0",                  "0",            CWG_WIRE_VARINT, 10, 0, true,  true,  true,  false},
};
/* clang-format on */

const cwg_kind *cwg_kind_find(int type)
{
    if (type == 10) /* TYPE_GROUP */
        type = CWG_KIND_MESSAGE;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if ((int)kinds[i].id == type)
            return &kinds[i];
    }
    return NULL;
}
