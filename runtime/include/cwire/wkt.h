/* SPDX-License-Identifier: MIT */
/*
 * wkt.h: the well-known types of google/protobuf/, generated once and shipped with the runtime. A
 * .proto that imports google/protobuf/timestamp.proto includes this header.
 */
#ifndef CWIRE_WKT_H
#define CWIRE_WKT_H

#include "cwire/wkt/any.cw.h"
#include "cwire/wkt/api.cw.h"
#include "cwire/wkt/duration.cw.h"
#include "cwire/wkt/empty.cw.h"
#include "cwire/wkt/field_mask.cw.h"
#include "cwire/wkt/source_context.cw.h"
#include "cwire/wkt/struct.cw.h"
#include "cwire/wkt/timestamp.cw.h"
#include "cwire/wkt/type.cw.h"
#include "cwire/wkt/wrappers.cw.h"

#endif
