/* SPDX-License-Identifier: MIT */
/*
 * names.h: every C identifier that generated code has from a .proto.
 *
 * 1. A C name is the full name with `.` -> `_`:
 *        shop.v1.Order.Item       shop_v1_Order_Item       (prefix=my: my_shop_v1_Order_Item;
 * strip_package: Order_Item) its functions            shop_v1_Order_Item_init,
 * shop_v1_Order_Item_set_note, ... (list in model.h) enum value of package    shop_STATUS_PAID
 * (enum shop.Status { STATUS_PAID = 2; }) enum value of a message  shop_Order_KIND_A (message Order
 * { enum Kind { KIND_A = 0; } }) extension shop.note      shop_note_get, shop_note_set, ... fields
 * and oneofs keep their names. The types of google/protobuf/ that ship with the runtime never get a
 * prefix and keep their package.
 * 2. On a clash each yields to those before it in this order, by adding `_` until it is free: names
 * of generated functions and constants; the members `has`, `unknown`, `ONEOF_case`; messages,
 * enums, enum values, fields, each in file order. A field yields when one of its functions clashes
 * with an earlier generated name. Only names of one file yield to each other: what a file's names
 * are must not depend on who imports it.
 * 3. Reserved (names_reserved.inc): keywords everywhere; macros that are no functions, and names of
 * C types, everywhere; at file scope also libc functions, macros like functions, locals of
 * generated code, and the patterns cw_*, CW_*, _X*, *__*, which always get a `_` (names of ours
 * with `__` never end in one). A member does not carry the name of a type that its struct could use
 * either: C++ forbids it.
 * 4. Names of different files that still meet are an error naming both.
 *
 * Examples: field `has` -> has_; field `class` -> class_; message Order_init beside Order ->
 * Order_init_; map field `set` beside `optional int32 get` -> get_ (both would make T_set_get).
 */
#ifndef CWG_NAMES_H
#define CWG_NAMES_H

#include "diag.h"
#include "model.h"
#include "options.h"

/*
 * Fills all C names, file idents and guards, the texts made of them (c_type, c_list_type, default_c
 * of enums) and cwg_file.changed. False: d->error is set.
 */
bool cwg_names_assign(cwg_model *model, const cwg_options *o, cwg_diag *d);

typedef enum cwg_scope { CWG_SCOPE_FILE, CWG_SCOPE_MEMBER } cwg_scope;

/* The reserved words as a table for cwg_is_reserved. */
cwg_strmap cwg_reserved_words(cwg_arena *a);

/* The name is in the list for this scope (patterns are not looked at). */
bool cwg_is_reserved(const cwg_strmap *words, const char *name, cwg_scope scope);

/* cw_*, CW_*, _X*, *__*; members: _X* and __* only. */
bool cwg_is_reserved_pattern(const char *name, cwg_scope scope);

#endif
