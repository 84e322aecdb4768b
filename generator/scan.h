/* SPDX-License-Identifier: MIT */
/* scan.h: what must be known of a request's bytes before protobuf-c may see them. */
#ifndef CWG_SCAN_H
#define CWG_SCAN_H

#include <stdint.h>

#include "diag.h"

/* Nested message types beyond this are refused; protoc itself stops at 32. */
#define CWG_MAX_NESTING 64

/*
 * Walks files and their nested messages: protobuf-c's unpacking recurses without a limit. False:
 * malformed, or nested too deeply.
 */
bool cwg_scan_request(const uint8_t *data, size_t len, cwg_diag *d);

/* A varint at *p, before end; *p is moved behind it. False: it does not end, or is longer than 10
 * bytes. */
bool cwg_scan_varint(const uint8_t **p, const uint8_t *end, uint64_t *value);

#endif
