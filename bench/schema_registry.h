/* SPDX-License-Identifier: MIT */
/* The tables of every file of schemas/; written at build time by tools/cw_registry.sh. */
#ifndef BENCH_SCHEMA_REGISTRY_H
#define BENCH_SCHEMA_REGISTRY_H

#include <stddef.h>

#include "cwire/cwire.h"

/* One cw_file per .proto, in the order of the file names; a NULL follows the last. */
extern const cw_file *const bench_cw_files[];
extern const size_t bench_cw_file_count;

#endif
