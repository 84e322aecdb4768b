/* SPDX-License-Identifier: MIT */
/* Every message type that protoc-c made code for, top-level and nested; written at build time by
 * tools/pbc_generate.sh. A type of schemas/ that is missing here is raced without protobuf-c. */
#ifndef BENCH_PBC_REGISTRY_H
#define BENCH_PBC_REGISTRY_H

#include <stddef.h>

#include <protobuf-c/protobuf-c.h>

/* The descriptors, in file order; a NULL follows the last. `->name` is the full protobuf name. */
extern const ProtobufCMessageDescriptor *const bench_pbc_types[];
extern const size_t bench_pbc_type_count;

#endif
