/* SPDX-License-Identifier: MIT */
/*
 * port.h: what differs between compilers and targets. The only place with #ifdefs on them;
 * everything else uses these names.
 */
#ifndef CWIRE_PORT_H
#define CWIRE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#define CW_BEGIN_DECLS extern "C" {
#define CW_END_DECLS   }
#else
#define CW_BEGIN_DECLS
#define CW_END_DECLS
#endif

#if defined(__GNUC__) || defined(__clang__)
#define CW_LIKELY(x)     __builtin_expect(!!(x), 1)
#define CW_UNLIKELY(x)   __builtin_expect(!!(x), 0)
#define CW_COLD          __attribute__((cold, noinline))
#define CW_NOINLINE      __attribute__((noinline))
#define CW_ALWAYS_INLINE static inline __attribute__((always_inline))
#define CW_MUST_USE      __attribute__((warn_unused_result))
#define CW_API           __attribute__((visibility("default")))
#else
#define CW_LIKELY(x)   (x)
#define CW_UNLIKELY(x) (x)
#define CW_COLD
#define CW_NOINLINE
#define CW_ALWAYS_INLINE static inline
#define CW_MUST_USE
#define CW_API
#endif

/* Stands where one `case` goes on into the next. */
#if defined(__has_attribute)
#if __has_attribute(fallthrough)
#define CW_FALLTHROUGH __attribute__((fallthrough))
#endif
#endif
#ifndef CW_FALLTHROUGH
#define CW_FALLTHROUGH ((void)0)
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define CW_LITTLE_ENDIAN 0
#else
#define CW_LITTLE_ENDIAN 1
#endif

/* The vector instructions that are in the target's baseline: no run-time choice is made here. */
#if defined(__SSE2__)
#define CW_SSE2 1
#include <emmintrin.h>
#else
#define CW_SSE2 0
#endif

#if defined(__GNUC__) || defined(__clang__)
#define CW__CLZ64(x) __builtin_clzll(x)
#define CW__CTZ64(x) __builtin_ctzll(x)
#define CW__CTZ32(x) __builtin_ctz(x)
#else
#define CW__CLZ64(x) cw__portable_clz64(x)
#define CW__CTZ64(x) cw__portable_ctz64(x)
#define CW__CTZ32(x) cw__portable_ctz64(x)
static inline int cw__portable_clz64(uint64_t x)
{
    int n = 0;
    while (!(x >> 63)) {
        x <<= 1;
        n++;
    }
    return n;
}
static inline int cw__portable_ctz64(uint64_t x)
{
    int n = 0;
    while (!(x & 1)) {
        x >>= 1;
        n++;
    }
    return n;
}
#endif

/* Unaligned loads and stores in the format's byte order (little-endian); compile to one
 * instruction. */

CW_ALWAYS_INLINE uint64_t cw__swap64(uint64_t x)
{
    x = ((x & 0x00ff00ff00ff00ffu) << 8) | ((x >> 8) & 0x00ff00ff00ff00ffu);
    x = ((x & 0x0000ffff0000ffffu) << 16) | ((x >> 16) & 0x0000ffff0000ffffu);
    return (x << 32) | (x >> 32);
}

CW_ALWAYS_INLINE uint32_t cw__swap32(uint32_t x)
{
    x = ((x & 0x00ff00ffu) << 8) | ((x >> 8) & 0x00ff00ffu);
    return (x << 16) | (x >> 16);
}

CW_ALWAYS_INLINE uint64_t cw__load64(const void *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return CW_LITTLE_ENDIAN ? x : cw__swap64(x);
}

CW_ALWAYS_INLINE uint32_t cw__load32(const void *p)
{
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return CW_LITTLE_ENDIAN ? x : cw__swap32(x);
}

CW_ALWAYS_INLINE void cw__store64(void *p, uint64_t x)
{
    x = CW_LITTLE_ENDIAN ? x : cw__swap64(x);
    memcpy(p, &x, sizeof x);
}

CW_ALWAYS_INLINE void cw__store32(void *p, uint32_t x)
{
    x = CW_LITTLE_ENDIAN ? x : cw__swap32(x);
    memcpy(p, &x, sizeof x);
}

#endif
