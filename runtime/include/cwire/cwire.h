/* SPDX-License-Identifier: MIT */
/* cwire.h: everything a user of generated code needs, and the version. */
#ifndef CWIRE_CWIRE_H
#define CWIRE_CWIRE_H

/* Generated code refuses another version: 1000000 * major + 1000 * minor + patch. */
#define CWIRE_VERSION_NUMBER 1000
#define CWIRE_VERSION        "0.1.0"

#include "cwire/arena.h"
#include "cwire/json.h"
#include "cwire/port.h"
#include "cwire/status.h"
#include "cwire/str.h"
#include "cwire/stream.h"
#include "cwire/text.h"
#include "cwire/type.h"
#include "cwire/wire.h"

#endif
