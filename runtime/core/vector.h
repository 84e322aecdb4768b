/* SPDX-License-Identifier: MIT */
/*
 * vector.h: vector instructions beyond what port.h has for everyone, for the few files that
 * use them. Private to runtime/core. As port.h, the only place with #ifdefs on targets.
 *
 * CW__AVX2: the compiler can make AVX2 code in functions marked CW__TARGET_AVX2, whatever the
 * target's baseline is; cw__have_avx2() says whether this machine (and its operating system) runs
 * it: one load and a test of what the compiler's own library found out before main.
 */
#ifndef CWIRE_CORE_VECTOR_H
#define CWIRE_CORE_VECTOR_H

#include "cwire/port.h"

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#include <immintrin.h>
#define CW__AVX2        1
#define CW__TARGET_AVX2 __attribute__((target("avx2")))
CW_ALWAYS_INLINE bool cw__have_avx2(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}

/* 32 bytes at any address. */
CW_ALWAYS_INLINE CW__TARGET_AVX2 __m256i cw__load256(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

CW_ALWAYS_INLINE CW__TARGET_AVX2 void cw__store256(void *p, __m256i x)
{
    _mm256_storeu_si256((__m256i *)p, x);
}
#else
#define CW__AVX2 0
#endif

/* Baseline where it exists. Its loads and lane order are used as on little-endian machines. */
#if defined(__GNUC__) && defined(__aarch64__) && defined(__ARM_NEON) && CW_LITTLE_ENDIAN
#include <arm_neon.h>
#define CW__NEON 1
#else
#define CW__NEON 0
#endif

#endif
