/* SPDX-License-Identifier: MIT */
/*
 * The n-th allocation fails, and every later one, for all n: those of zlib and Brotli too, since
 * this program's malloc takes the place of glibc's. Sanitizers bring their own: skipped there.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "coding.h"

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    HAS_FEATURE(address_sanitizer) || HAS_FEATURE(thread_sanitizer) ||                             \
    HAS_FEATURE(memory_sanitizer)
#define OURS 0
#else
#define OURS 1
#endif

/* left: allocations until all fail, -1: never; live: blocks that were not freed. */
static long left = -1, live, refused;

#if OURS
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);

static bool may(void)
{
    if (left == 0) {
        refused++;
        errno = ENOMEM;
        return false;
    }
    left -= left > 0;
    return true;
}

static void *counted(void *p)
{
    live += p != NULL;
    return p;
}

void *malloc(size_t n)
{
    return may() ? counted(__libc_malloc(n)) : NULL;
}

void *calloc(size_t n, size_t size)
{
    return may() ? counted(__libc_calloc(n, size)) : NULL;
}

void *realloc(void *p, size_t n)
{
    return !may() ? NULL : p == NULL ? counted(__libc_realloc(p, n)) : __libc_realloc(p, n);
}

void free(void *p)
{
    live -= p != NULL;
    __libc_free(p);
}
#endif

enum { BODY = 30000, EXPANSION = 1032 };
static uint8_t body[BODY];

/* A round trip in two pieces. Everything it takes is given back. */
static cw_net_status round_trip(unsigned coding, int level)
{
    cw__buf coded = {NULL, 0, 0, 0}, plain = {NULL, 0, 0, 0};
    cw_net_status st = CW_NET_ERR_MEMORY;
    cw__coder *encoder = cw__encoder_open(coding, level),
              *decoder = cw__decoder_open(coding, EXPANSION);
    if (encoder != NULL && decoder != NULL) {
        st = cw__encode(encoder, cw_bytes_of(body, 10000), false, &coded, NULL);
    }
    if (st == CW_NET_OK) {
        st = cw__encode(encoder, cw_bytes_of(body + 10000, BODY - 10000), true, &coded, NULL);
    }
    if (st == CW_NET_OK) {
        st = cw__decode(decoder, cw_bytes_of(coded.data, 500), false, BODY, &plain, NULL);
    }
    if (st == CW_NET_OK) {
        st = cw__decode(decoder, cw_bytes_of(coded.data + 500, cw__buf_len(&coded) - 500), true,
                        BODY - cw__buf_len(&plain), &plain, NULL);
    }
    if (st == CW_NET_OK && !cw_bytes_equal(cw__buf_bytes(&plain), cw_bytes_of(body, sizeof body))) {
        st = CW_NET_ERR_CODING;
    }
    cw__buf_free(&coded);
    cw__buf_free(&plain);
    cw__coder_free(encoder);
    cw__coder_free(decoder);
    return st;
}

static void every_allocation_fails(unsigned coding, int level)
{
    cw_net_status st = CW_NET_ERR_MEMORY;
    long n = 0;
    for (; st != CW_NET_OK; n++) {
        long before = live;
        refused = 0;
        left = n;
        st = round_trip(coding, level);
        left = -1;
        assert_int_equal(live, before);
        assert_int_equal(st, refused > 0 ? CW_NET_ERR_MEMORY : CW_NET_OK);
    }
    assert_in_range(n, 10, 1000);
}

static void gzip(void **state)
{
    (void)state;
    every_allocation_fails(CW_HTTP_GZIP, 6);
}

/* Brotli's encoder would end the process. */
static void br(void **state)
{
    (void)state;
    every_allocation_fails(CW_HTTP_BR, 4);
    every_allocation_fails(CW_HTTP_BR, 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gzip),
        cmocka_unit_test(br),
    };
    for (size_t i = 0; i < sizeof body; i++) {
        body[i] = (uint8_t)(i * i >> 7);
    }
    if (!OURS) {
        print_message("skipped: the sanitizer has an allocator of its own\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
