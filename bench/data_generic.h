/* SPDX-License-Identifier: MIT */
/* Data for any message: what is raced when a schema has no sample of its own. */
#ifndef BENCH_DATA_GENERIC_H
#define BENCH_DATA_GENERIC_H

#include "cwire/cwire.h"

/*
 * Fills a message of the type (struct_size bytes, any content) with data that depends on the type
 * alone, seeded by its full name: every singular field is set (of a oneof one member), lists and
 * maps have 1 to 4 elements; submessages end at a depth of 4 or after a few hundred values,
 * required ones excepted. Values are never zero or empty. Everything is in the arena. False: out of
 * memory.
 */
bool bench_data_generic(const cw_type *type, void *message, cw_arena *a);

#endif
