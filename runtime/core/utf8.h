/* SPDX-License-Identifier: MIT */
/*
 * utf8.h: UTF-8 checked while it is copied, and the paths behind it, which tests call one by one.
 * Private to runtime/core.
 */
#ifndef CWIRE_CORE_UTF8_H
#define CWIRE_CORE_UTF8_H

#include "vector.h"

/*
 * Copies n bytes from s to `to` (apart from each other) and says whether they are UTF-8, as
 * cw__utf8_valid does. Nothing outside is read or written; what stands at `to` when they are not is
 * unspecified.
 */
bool cw__utf8_copy(char *to, const char *s, size_t n);

/* From this length on the vector paths are used: they need it. */
#define CW__UTF8_LONG 64

/*
 * Is [s, s + n) UTF-8? Copies it to `to` on the way unless that is NULL. The first one takes any n
 * and runs everywhere, the others take n >= CW__UTF8_LONG and run where their condition holds.
 */
bool cw__utf8_portable(char *to, const uint8_t *s, size_t n);
#if CW__AVX2
bool cw__utf8_avx2(char *to, const uint8_t *s, size_t n); /* cw__have_avx2() */
#endif
#if CW__NEON
bool cw__utf8_neon(char *to, const uint8_t *s, size_t n);
#endif

#endif
