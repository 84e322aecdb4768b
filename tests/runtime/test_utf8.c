/* SPDX-License-Identifier: MIT */
/* UTF-8 validation against a decoder written the other way round: by code point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core_support.h"
#include "cwire/wire.h"
#include "utf8.h"

/* The definition: the bytes are the shortest forms of code points that are no surrogates. */
static bool reference(const uint8_t *s, size_t n)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    for (size_t i = 0; i < n;) {
        size_t len = s[i] < 0x80           ? 1
                     : (s[i] >> 5) == 0x06 ? 2
                     : (s[i] >> 4) == 0x0e ? 3
                     : (s[i] >> 3) == 0x1e ? 4
                                           : 0;
        if (len == 0 || len > n - i) {
            return false;
        }
        uint32_t c = len == 1 ? s[i] : s[i] & (0x7fu >> len);
        for (size_t k = 1; k < len; k++) {
            if ((s[i + k] & 0xc0) != 0x80) {
                return false;
            }
            c = c << 6 | (s[i + k] & 0x3fu);
        }
        if (c < smallest[len] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) {
            return false;
        }
        i += len;
    }
    return true;
}

/* One path's answer with and without copying; the copy ends where it should. */
static bool answers(bool (*path)(char *to, const uint8_t *s, size_t n), const uint8_t *s, size_t n,
                    bool expected)
{
    char *to = malloc(n + 1);
    assert_non_null(to);
    to[n] = '#';
    bool ok = path(NULL, s, n) == expected && path(to, s, n) == expected && to[n] == '#';
    ok = ok && (!expected || n == 0 || memcmp(to, s, n) == 0);
    free(to);
    return ok;
}

static bool chosen(char *to, const uint8_t *s, size_t n)
{
    return to ? cw__utf8_copy(to, (const char *)s, n) : cw__utf8_valid((const char *)s, n);
}

/* Do all paths that this machine has say `expected` of the block s, which ends at s + n? */
static bool all_answer(const uint8_t *s, size_t n, bool expected)
{
    bool ok = answers(chosen, s, n, expected) && answers(cw__utf8_portable, s, n, expected);
#if CW__AVX2
    if (n >= CW__UTF8_LONG && cw__have_avx2()) {
        ok = ok && answers(cw__utf8_avx2, s, n, expected);
    }
#endif
#if CW__NEON
    if (n >= CW__UTF8_LONG) {
        ok = ok && answers(cw__utf8_neon, s, n, expected);
    }
#endif
    return ok;
}

/* Checks s[0..n) alone and behind and before ASCII, in blocks of the exact size. */
static void check(const uint8_t *s, size_t n)
{
    static const size_t before[] = {0, 1, 7, 8, 31, 33, 63, 94};
    static const size_t after[] = {0, 3, 8};
    uint8_t text[128];
    bool expected = reference(s, n);
    for (size_t b = 0; b < sizeof before / sizeof *before; b++) {
        for (size_t a = 0; a < sizeof after / sizeof *after; a++) {
            size_t len = before[b] + n + after[a];
            memset(text, 'a', len);
            memcpy(text + before[b], s, n);
            uint8_t *exact = exact_copy(text, len);
            if (!all_answer(exact, len, expected)) {
                fail_msg("%02x %02x %02x %02x, %zu bytes behind %zu, before %zu: expected %d", s[0],
                         n > 1 ? s[1] : 0, n > 2 ? s[2] : 0, n > 3 ? s[3] : 0, n, before[b],
                         after[a], expected);
            }
            free(exact);
        }
    }
}

/* Bytes at which the answer may change. */
static const uint8_t edges[] = {0x00, 0x01, 0x41, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x9f, 0xa0,
                                0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
                                0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff};
#define N_EDGES (sizeof edges)

static void one_and_two_bytes(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 256; a++) {
        uint8_t s[2] = {(uint8_t)a, 0};
        check(s, 1);
        for (unsigned b = 0; b < 256; b += 1) {
            s[1] = (uint8_t)b;
            bool expected = reference(s, 2);
            if (cw__utf8_valid((const char *)s, 2) != expected) {
                fail_msg("%02x %02x: expected %d", a, b, expected);
            }
        }
    }
}

static void boundaries_of_three_bytes(void **state)
{
    (void)state;
    for (size_t a = 0; a < N_EDGES; a++) {
        for (size_t b = 0; b < N_EDGES; b++) {
            for (size_t c = 0; c < N_EDGES; c++) {
                uint8_t s[3] = {edges[a], edges[b], edges[c]};
                check(s, 3);
            }
        }
    }
}

static void boundaries_of_four_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_EDGES * N_EDGES * N_EDGES * N_EDGES; i++) {
        uint8_t s[5];
        size_t k = i;
        for (size_t j = 0; j < 4; j++) {
            s[j] = edges[k % N_EDGES];
            k /= N_EDGES;
        }
        s[4] = 'z';
        if (cw__utf8_valid((const char *)s, 4) != reference(s, 4) ||
            cw__utf8_valid((const char *)s, 5) != reference(s, 5)) {
            fail_msg("%02x %02x %02x %02x", s[0], s[1], s[2], s[3]);
        }
    }
}

/* Every code point, surrogates included, in its natural length. */
static void every_code_point(void **state)
{
    (void)state;
    for (uint32_t c = 0; c < 0x110000; c++) {
        uint8_t s[4];
        size_t n;
        if (c < 0x80) {
            s[0] = (uint8_t)c;
            n = 1;
        } else if (c < 0x800) {
            s[0] = (uint8_t)(0xc0 | c >> 6);
            n = 2;
        } else if (c < 0x10000) {
            s[0] = (uint8_t)(0xe0 | c >> 12);
            n = 3;
        } else {
            s[0] = (uint8_t)(0xf0 | c >> 18);
            n = 4;
        }
        for (size_t k = 1; k < n; k++) {
            s[k] = (uint8_t)(0x80 | ((c >> (6 * (n - 1 - k))) & 0x3f));
        }
        bool expected = c < 0xd800 || c > 0xdfff;
        if (cw__utf8_valid((const char *)s, n) != expected) {
            fail_msg("U+%04X: expected %d", (unsigned)c, expected);
        }
        if (n > 1 && cw__utf8_valid((const char *)s, n - 1)) {
            fail_msg("U+%04X without its last byte is taken", (unsigned)c);
        }
    }
}

/* A wrong byte at every place of texts of every length up to 100. */
static void any_place_of_long_texts(void **state)
{
    (void)state;
    char text[100];
    for (size_t n = 0; n <= sizeof text; n++) {
        for (size_t i = 0; i < n; i++) {
            text[i] = (char)('a' + i % 26);
        }
        uint8_t *exact = exact_copy(text, n);
        assert_true(cw__utf8_valid((const char *)exact, n));
        for (size_t at = 0; at < n; at++) {
            uint8_t kept = exact[at];
            exact[at] = 0xff;
            if (cw__utf8_valid((const char *)exact, n)) {
                fail_msg("length %zu: ff at %zu is taken", n, at);
            }
            exact[at] = 0xc3;
            if (cw__utf8_valid((const char *)exact, n)) {
                fail_msg("length %zu: lone c3 at %zu is taken", n, at);
            }
            if (at + 1 < n) {
                uint8_t next = exact[at + 1];
                exact[at + 1] = 0xa4;
                if (!cw__utf8_valid((const char *)exact, n)) {
                    fail_msg("length %zu: c3 a4 at %zu is refused", n, at);
                }
                exact[at + 1] = next;
            }
            exact[at] = kept;
        }
        free(exact);
    }
    assert_true(cw__utf8_valid(NULL, 0));
}

/* Characters at the ends of their ranges, and what is none. */
static const char *const pieces[] = {
    "\x7f",
    "\xc2\x80",
    "\xdf\xbf",
    "\xe0\xa0\x80",
    "\xe1\x80\xbf",
    "\xec\xbf\xbf",
    "\xed\x9f\xbf",
    "\xee\x80\x80",
    "\xef\xbf\xbf",
    "\xf0\x90\x80\x80",
    "\xf3\xbf\xbf\xbf",
    "\xf4\x8f\xbf\xbf",
    "\x80",
    "\xbf",
    "\xc0",
    "\xc1",
    "\xc0\x80",
    "\xc1\xbf",
    "\xc2",
    "\xdf",
    "\xdf\xc3",
    "\xc3\xa4\x80",
    "\xe0",
    "\xe0\xa0",
    "\xe0\x9f\xbf",
    "\xe1\x80",
    "\xe1\x80\xc0",
    "\xed\xa0\x80",
    "\xed\xbf\xbf",
    "\xef\xbf",
    "\xef\xbf\xbf\xbf",
    "\xf0",
    "\xf0\x8f\xbf\xbf",
    "\xf0\x90\x80",
    "\xf1\x80",
    "\xf1\x80\x80\x80\x80",
    "\xf4\x90\x80\x80",
    "\xf4\x8f\xbf",
    "\xf5\x80\x80\x80",
    "\xf7\xbf\xbf\xbf",
    "\xf8\x88\x80\x80\x80",
    "\xfe",
    "\xff",
};

/* Each piece at places around the steps of the vector paths, in text of characters of every
 * length. */
static void any_piece_at_any_step(void **state)
{
    (void)state;
    static const char *const fillers[] = {"a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x99\x82"};
    static const size_t lengths[] = {64, 65, 95, 96, 97, 127, 128, 160, 330, 660};
    uint8_t text[700];
    for (size_t f = 0; f < sizeof fillers / sizeof *fillers; f++) {
        size_t unit = strlen(fillers[f]);
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            size_t n = lengths[l];
            for (size_t at = 0; at < n; at = at == 72 && n > 330 ? 246
                                             : at == 330         ? n - 40
                                                                 : at + 1) {
                for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
                    size_t size = strlen(pieces[i]), fill = 0;
                    memset(text, 'a', n);
                    /* Whole characters before the piece, ASCII up to it, characters behind. */
                    for (; fill + unit <= at; fill += unit) {
                        memcpy(text + fill, fillers[f], unit);
                    }
                    size_t put = size < n - at ? size : n - at;
                    memcpy(text + at, pieces[i], put);
                    for (fill = at + put; fill + unit <= n; fill += unit) {
                        memcpy(text + fill, fillers[f], unit);
                    }
                    uint8_t *exact = exact_copy(text, n);
                    if (!all_answer(exact, n, reference(exact, n))) {
                        fail_msg("piece %zu at %zu of %zu, filler %zu", i, at, n, f);
                    }
                    free(exact);
                }
            }
        }
    }
}

/* Random texts of characters, with now and then a byte changed. */
static void random_texts(void **state)
{
    (void)state;
    uint32_t seed = 1;
    uint8_t text[1200];
    for (int round = 0; round < 20000; round++) {
        seed = seed * 1664525u + 1013904223u;
        size_t n = (seed >> 8) % (round % 4 ? 300 : 1190), len = 0;
        unsigned rare = (seed >> 4) % 5 * 8, kinds = 1 + (seed >> 20) % 4;
        while (len < n) {
            seed = seed * 1664525u + 1013904223u;
            const char *s = (seed >> 8) % (rare + 1) ? "x" : pieces[3 * ((seed >> 16) % kinds)];
            memcpy(text + len, s, strlen(s));
            len += strlen(s);
        }
        if (round % 2 && len > 0) {
            seed = seed * 1664525u + 1013904223u;
            text[(seed >> 8) % len] = edges[(seed >> 3) % N_EDGES];
        }
        uint8_t *exact = exact_copy(text, len);
        if (!all_answer(exact, len, reference(exact, len))) {
            fail_msg("round %d, %zu bytes", round, len);
        }
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_and_two_bytes),
        cmocka_unit_test(boundaries_of_three_bytes),
        cmocka_unit_test(boundaries_of_four_bytes),
        cmocka_unit_test(every_code_point),
        cmocka_unit_test(any_place_of_long_texts),
        cmocka_unit_test(any_piece_at_any_step),
        cmocka_unit_test(random_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
