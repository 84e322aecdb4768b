/* SPDX-License-Identifier: MIT */
/* What the C++ contenders include of the bench. */
#ifndef BENCH_CXX_H
#define BENCH_CXX_H

#include <stdio.h>
#include <stdlib.h>

#include "cwire/cwire.h"

extern "C" {
#include "contender.h"
#include "../json_table.h"
#include "mem.h"

extern const bench_contender bench_protobuf_cxx, bench_rapidjson, bench_simdjson;

/* Ends the program with a reason: die.h is C. */
[[noreturn]] void bench_die(const char *format, ...);
}

#endif
