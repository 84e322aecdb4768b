/* SPDX-License-Identifier: MIT */
/* plugin.h: the whole plugin as a function of bytes. */
#ifndef CWG_PLUGIN_H
#define CWG_PLUGIN_H

#include <stdint.h>

#include "mem.h"

/*
 * Answers a CodeGeneratorRequest. The response's bytes belong to the arena; whatever is wrong with
 * the request is told in the response. Only lack of memory ends the program (mem.h).
 */
const uint8_t *cwg_plugin_run(const uint8_t *request, size_t len, cwg_arena *a, size_t *out_len);

#endif
