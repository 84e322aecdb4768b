/* SPDX-License-Identifier: MIT */
/* target.h (internal): whom a request is for, in the form that both versions of HTTP take. */
#ifndef CWIRE_NET_TARGET_H
#define CWIRE_NET_TARGET_H

#include "cwire/str.h"

/* host [":" port], the host not empty (RFC 9110, 4.2.1), no user information. */
bool cw__is_authority(cw_str s);

/* Not empty, visible characters of ASCII alone, and no '#' (RFC 3986, 3.3 to 3.5). */
bool cw__is_target(cw_str s);

#endif
