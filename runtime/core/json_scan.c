/* SPDX-License-Identifier: MIT */
/*
 * json_scan.c: runs of raw bytes of any length.
 *
 * Blocks are looked at as a whole, and only one that holds a byte which is not raw is asked where:
 * the place of the next block does not wait for what was found in this one. The last block of a run
 * overlaps the one before.
 */
#include "json_scan.h"

#include "vector.h"

/* Bytes of a block. */
#define LONG 64

/* A run of which fewer than 16 bytes are left; looks at each byte once or twice. */
CW_ALWAYS_INLINE size_t short_run(char *to, const char *s, size_t n, uint64_t *high)
{
    uint64_t x, stop;
    if (n >= 8) {
        uint64_t first = cw__load64(s), last = cw__load64(s + n - 8);
        if (to) {
            cw__store64(to, first);
            cw__store64(to + n - 8, last);
        }
        *high |= (first | last) & CW__BYTES(0x80);
        stop = cw__json_word_escapes(first);
        if (stop) {
            return (size_t)CW__CTZ64(stop) / 8;
        }
        stop = cw__json_word_escapes(last);
        return stop ? n - 8 + (size_t)CW__CTZ64(stop) / 8 : n;
    }
    if (n >= 4) {
        uint32_t first = cw__load32(s), last = cw__load32(s + n - 4);
        if (to) {
            cw__store32(to, first);
            cw__store32(to + n - 4, last);
        }
        x = first | (uint64_t)last << 32;
        *high |= x & CW__BYTES(0x80);
        stop = cw__json_word_escapes(x);
        size_t at = stop ? (size_t)CW__CTZ64(stop) / 8 : 8;
        return at < 4 ? at : n - 8 + at;
    }
    for (size_t i = 0; i < n; i++) {
        unsigned char byte = (unsigned char)s[i];
        if (byte < ' ' || byte == '"' || byte == '\\') {
            return i;
        }
        *high |= byte & 0x80;
        if (to) {
            to[i] = s[i];
        }
    }
    return n;
}

/* Any n, with what every target has. */
CW_ALWAYS_INLINE size_t run(char *to, const char *s, size_t n, uint64_t *high)
{
    size_t i = 0;
    for (; n - i >= 16; i += 16) {
        if (to) {
            memcpy(to + i, s + i, 16);
        }
        size_t raw = cw__json_raw16(s + i, high);
        if (raw < 16) {
            return i + raw;
        }
    }
    return i + short_run(to ? to + i : NULL, s + i, n - i, high);
}

size_t cw__json_run_portable(char *to, const char *s, size_t n, uint64_t *high)
{
    return to ? run(to, s, n, high) : run(NULL, s, n, high);
}

#if CW__AVX2

/* All bits of each byte that is not raw. */
CW_ALWAYS_INLINE CW__TARGET_AVX2 __m256i stops(__m256i x)
{
    __m256i low = _mm256_cmpeq_epi8(_mm256_min_epu8(x, _mm256_set1_epi8(0x1f)), x);
    __m256i quote = _mm256_cmpeq_epi8(x, _mm256_set1_epi8('"'));
    __m256i slash = _mm256_cmpeq_epi8(x, _mm256_set1_epi8('\\'));
    return _mm256_or_si256(low, _mm256_or_si256(quote, slash));
}

/* n >= LONG. */
CW_ALWAYS_INLINE CW__TARGET_AVX2 size_t run_avx2(char *to, const char *s, size_t n, uint64_t *high)
{
    __m256i seen = _mm256_setzero_si256();
    size_t i = 0, found = n;
    for (;;) {
        __m256i a = cw__load256(s + i), b = cw__load256(s + i + 32);
        if (to) {
            cw__store256(to + i, a);
            cw__store256(to + i + 32, b);
        }
        __m256i stop_a = stops(a), stop_b = stops(b);
        seen = _mm256_or_si256(seen, _mm256_or_si256(a, b));
        if (_mm256_movemask_epi8(_mm256_or_si256(stop_a, stop_b))) {
            uint64_t bits = (uint32_t)_mm256_movemask_epi8(stop_a) |
                            (uint64_t)(uint32_t)_mm256_movemask_epi8(stop_b) << 32;
            found = i + (size_t)CW__CTZ64(bits);
            break;
        }
        i += LONG;
        if (n - i < LONG) {
            if (i == n) {
                break;
            }
            i = n - LONG;
        }
    }
    *high |= (uint32_t)_mm256_movemask_epi8(seen);
    return found;
}

CW__TARGET_AVX2 size_t cw__json_run_avx2(char *to, const char *s, size_t n, uint64_t *high)
{
    return to ? run_avx2(to, s, n, high) : run_avx2(NULL, s, n, high);
}

#endif

size_t cw__json_run(char *to, const char *s, size_t n, uint64_t *high)
{
#if CW__AVX2
    if (n >= LONG && CW_LIKELY(cw__have_avx2())) {
        return cw__json_run_avx2(to, s, n, high);
    }
#endif
    return cw__json_run_portable(to, s, n, high);
}
