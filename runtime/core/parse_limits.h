/* SPDX-License-Identifier: MIT */
/* parse_limits.h: what the options `max_memory` and `depth` mean: the same for binary and JSON. */
#ifndef CWIRE_CORE_PARSE_LIMITS_H
#define CWIRE_CORE_PARSE_LIMITS_H

#include <limits.h>

#include "cwire/wire.h"

#define CW__MEMORY_BASE      ((size_t)64 << 20)
#define CW__MEMORY_PER_INPUT ((size_t)64)

/* The arena's budget for a parse of len bytes. SIZE_MAX, no budget, only when it was asked for. */
static inline size_t cw__limit_memory(size_t max_memory, size_t len)
{
    if (max_memory > 0) {
        return max_memory;
    }
    return len > (SIZE_MAX - 1 - CW__MEMORY_BASE) / CW__MEMORY_PER_INPUT
               ? SIZE_MAX - 1
               : CW__MEMORY_BASE + CW__MEMORY_PER_INPUT * len;
}

/* How many messages may be open below the top one. */
static inline int cw__limit_depth(unsigned depth)
{
    if (depth == 0) {
        return CW_DEPTH_DEFAULT;
    }
    return depth < INT_MAX ? (int)depth : INT_MAX;
}

#endif
