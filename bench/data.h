/* SPDX-License-Identifier: MIT */
/*
 * The data of the payloads, one file a schema. A builder fills the message (of the type it is named
 * after, any content) with data that depends on n alone; everything is in the arena. False: out of
 * memory.
 */
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include "cwire/cwire.h"

/* document.Document with n items: 7-character skus, two-digit quantities, four-digit prices, id and
 * region of 17 characters together. With 8 items it has the sizes of a published race. */
bool bench_data_document(void *document, cw_arena *a, uint32_t n);

/* telemetry.Readings of n sensors; nearly every double has 15 to 17 significant digits. */
bool bench_data_telemetry(void *readings, cw_arena *a, uint32_t n);

/* article.Articles of n articles: prose of about 2 KB without anything that JSON escapes, with a
 * two-byte character in about every 200 bytes; dense: in about every 30. */
bool bench_data_article(void *articles, cw_arena *a, uint32_t n);
bool bench_data_article_dense(void *articles, cw_arena *a, uint32_t n);

/* org.OrgNode: about n nodes in 6 levels. */
bool bench_data_org(void *node, cw_arena *a, uint32_t n);

/* org.Orgs: n trees of 3 to 13 nodes in 2 or 3 levels. */
bool bench_data_org_small(void *orgs, cw_arena *a, uint32_t n);

/* shapes.Maps: n entries in each of the three maps. */
bool bench_data_maps(void *maps, cw_arena *a, uint32_t n);

/* shapes.Varints: n rows of one value of each length, and 10 n values of mixed lengths. */
bool bench_data_varints(void *varints, cw_arena *a, uint32_t n);

/* shapes.Packed with one list of n elements. Numbers are of all widths, one in 16 is negative. The
 * bools have four int32 beside them, so that something in the message can change. */
bool bench_data_packed_int32(void *packed, cw_arena *a, uint32_t n);
bool bench_data_packed_int64(void *packed, cw_arena *a, uint32_t n);
bool bench_data_packed_double(void *packed, cw_arena *a, uint32_t n);
bool bench_data_packed_bool(void *packed, cw_arena *a, uint32_t n);

/* wide.Record with about one in 12 of its 150 fields set. n is not used. */
bool bench_data_wide(void *record, cw_arena *a, uint32_t n);

/* shop.Batch of one order, and of the orders 0 to n - 1 (see data_order.h). */
bool bench_data_one(void *batch, cw_arena *a, uint32_t n);
bool bench_data_many(void *batch, cw_arena *a, uint32_t n);

/* shop.Order number n of a set in which no two are alike in shape: 0 to 12 items, mostly few;
 * strings of many lengths, some with letters beyond ASCII; fields missing; numbers of all widths
 * up to 2^53. The id is always there. */
bool bench_data_order_shape(void *order, cw_arena *a, uint32_t n);

/* A double from 1 to `limit`, at most 1000, of 15 to 17 digits: a random integer divided once, for
 * compilers may contract longer expressions in ways of their own. */
double bench_data_double(uint64_t *random, uint32_t limit);

#endif
