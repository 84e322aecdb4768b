/* SPDX-License-Identifier: MIT */
/* Macros that SDKs, RTOSes and Windows headers define, with bodies that break what uses the word.
 * libc's headers come first: the words must not hurt ours, libc's own are not our concern. */
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define PACKED __attribute__((packed))
#define OPTIONAL
#define REQUIRED
#define REPEATED  +
#define BYTES     4
#define min(a, b) 0
#define max(a, b) 0
#define abs(a)    0
#define round(a)  0
#define IN
#define OUT
#define INOUT
#define near
#define far
#define small     char
#define hyper     long
#define interface struct
#define ERROR     0
#define DELETE    0x00010000L
#define CONST     const
#define VOID      void
#define STRICT    1
#define TRUE      1
#define FALSE     0
#define OK        0
#define FAIL      1
#define BIT(n)    (1u << (n))
#define LOW       0
#define HIGH      1
#define INPUT     0
#define OUTPUT    1
#define F(s)      (s)
#define B1        1
#define I         1.0fi
#define unix      1
#define linux     1
#define major(d)  0
#define minor(d)  0
#define bit(n)    n
#define swap(a)   a
#define likely(x) x
