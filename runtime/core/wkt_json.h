/* SPDX-License-Identifier: MIT */
/*
 * wkt_json.h: what the hand-written JSON forms of the well-known types share. Each T__print and
 * T__parse has the signature and the room rule of a generated one; the types are declared in
 * cwire/wkt.h.
 */
#ifndef CWIRE_CORE_WKT_JSON_H
#define CWIRE_CORE_WKT_JSON_H

#include "cwire/json.h"

/* Room that a printer leaves for what its caller writes next. */
#define CW__WKT_KEEP 64

/* Seconds of 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, and of 10,000 years (duration.proto).
 */
#define CW__TIMESTAMP_MIN (-62135596800)
#define CW__TIMESTAMP_MAX 253402300799
#define CW__DURATION_MAX  315576000000
#define CW__NANOS_MAX     999999999

/* ".5" -> ".500": 0, 3, 6 or 9 digits of nanoseconds (0..CW__NANOS_MAX), with the point; nothing
 * for 0. */
char *cw__put_nanos(char *p, uint32_t nanos);

/*
 * Digits of a fraction at *s (after the point), at most 9: *nanos is their value in nanoseconds.
 * False: none, or more than 9.
 */
bool cw__read_nanos(const char **s, const char *end, uint32_t *nanos);

#endif
