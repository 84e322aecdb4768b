/* SPDX-License-Identifier: MIT */
/*
 * utf8_vector.c: UTF-8 of long strings by table look-ups in vector registers.
 *
 * ASCII goes by two registers a step. Where another character comes the text is looked at closely
 * from there on, until a stretch of it was all ASCII: text with some characters in each line is
 * then checked without a branch on where they stand, which costs less than the branches that would
 * be mispredicted. A stretch is first taken to have characters of one and two bytes only, which is
 * less than half of the work; when that is not so it is looked at again in full, and what follows
 * in full at once.
 *
 * A byte is judged by itself and the three before it. These are loaded again, one place off each,
 * which also makes looking twice at the same bytes harmless: the last step of a string overlaps the
 * one before.
 */
#include "utf8.h"

#if CW__AVX2 || CW__NEON

#include "utf8_tables.h"

/* The few operations that the two instruction sets name differently; `vec` is a register of WIDTH
 * unsigned bytes. */
#if CW__AVX2

#define WIDTH  32
#define TARGET CW__TARGET_AVX2
typedef __m256i vec;

CW_ALWAYS_INLINE TARGET vec load(const uint8_t *p)
{
    return cw__load256(p);
}

CW_ALWAYS_INLINE TARGET void store(char *p, vec x)
{
    cw__store256(p, x);
}

CW_ALWAYS_INLINE TARGET vec all(unsigned byte)
{
    return _mm256_set1_epi8((char)byte);
}

CW_ALWAYS_INLINE TARGET vec table_of(const uint8_t table[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

/* Indices below 16. */
CW_ALWAYS_INLINE TARGET vec look_up(vec table, vec index)
{
    return _mm256_shuffle_epi8(table, index);
}

CW_ALWAYS_INLINE TARGET vec high_half(vec x)
{
    return _mm256_and_si256(_mm256_srli_epi16(x, 4), all(0x0f));
}

CW_ALWAYS_INLINE TARGET vec both(vec a, vec b)
{
    return _mm256_and_si256(a, b);
}

CW_ALWAYS_INLINE TARGET vec either(vec a, vec b)
{
    return _mm256_or_si256(a, b);
}

CW_ALWAYS_INLINE TARGET vec differ(vec a, vec b)
{
    return _mm256_xor_si256(a, b);
}

CW_ALWAYS_INLINE TARGET vec add(vec a, vec b)
{
    return _mm256_add_epi8(a, b);
}

/* a - b, at least 0. */
CW_ALWAYS_INLINE TARGET vec above(vec a, vec b)
{
    return _mm256_subs_epu8(a, b);
}

CW_ALWAYS_INLINE TARGET vec greatest(vec a, vec b)
{
    return _mm256_max_epu8(a, b);
}

CW_ALWAYS_INLINE TARGET vec signed_greatest(vec a, vec b)
{
    return _mm256_max_epi8(a, b);
}

/* 0xff where a < b as signed numbers, else 0. */
CW_ALWAYS_INLINE TARGET vec signed_less(vec a, vec b)
{
    return _mm256_cmpgt_epi8(b, a);
}

CW_ALWAYS_INLINE TARGET bool none(vec x)
{
    return _mm256_testz_si256(x, x);
}

CW_ALWAYS_INLINE TARGET bool is_ascii(vec x)
{
    return !_mm256_movemask_epi8(x);
}

/* x moved up by one, two and three places, zeros below. */
CW_ALWAYS_INLINE TARGET void move_up(vec x, vec *by1, vec *by2, vec *by3)
{
    vec below = _mm256_permute2x128_si256(x, x, 0x08); /* the lower half, above zeros */
    *by1 = _mm256_alignr_epi8(x, below, 15);
    *by2 = _mm256_alignr_epi8(x, below, 14);
    *by3 = _mm256_alignr_epi8(x, below, 13);
}

#else

#define WIDTH 16
#define TARGET
typedef uint8x16_t vec;

CW_ALWAYS_INLINE vec load(const uint8_t *p)
{
    return vld1q_u8(p);
}

CW_ALWAYS_INLINE void store(char *p, vec x)
{
    vst1q_u8((uint8_t *)p, x);
}

CW_ALWAYS_INLINE vec all(unsigned byte)
{
    return vdupq_n_u8((uint8_t)byte);
}

CW_ALWAYS_INLINE vec table_of(const uint8_t table[16])
{
    return vld1q_u8(table);
}

/* Indices below 16. */
CW_ALWAYS_INLINE vec look_up(vec table, vec index)
{
    return vqtbl1q_u8(table, index);
}

CW_ALWAYS_INLINE vec high_half(vec x)
{
    return vshrq_n_u8(x, 4);
}

CW_ALWAYS_INLINE vec both(vec a, vec b)
{
    return vandq_u8(a, b);
}

CW_ALWAYS_INLINE vec either(vec a, vec b)
{
    return vorrq_u8(a, b);
}

CW_ALWAYS_INLINE vec differ(vec a, vec b)
{
    return veorq_u8(a, b);
}

CW_ALWAYS_INLINE vec add(vec a, vec b)
{
    return vaddq_u8(a, b);
}

/* a - b, at least 0. */
CW_ALWAYS_INLINE vec above(vec a, vec b)
{
    return vqsubq_u8(a, b);
}

CW_ALWAYS_INLINE vec greatest(vec a, vec b)
{
    return vmaxq_u8(a, b);
}

CW_ALWAYS_INLINE vec signed_greatest(vec a, vec b)
{
    return vreinterpretq_u8_s8(vmaxq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)));
}

/* 0xff where a < b as signed numbers, else 0. */
CW_ALWAYS_INLINE vec signed_less(vec a, vec b)
{
    return vcltq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b));
}

CW_ALWAYS_INLINE bool none(vec x)
{
    return vmaxvq_u8(x) == 0;
}

CW_ALWAYS_INLINE bool is_ascii(vec x)
{
    return vmaxvq_u8(x) < 0x80;
}

/* x moved up by one, two and three places, zeros below. */
CW_ALWAYS_INLINE void move_up(vec x, vec *by1, vec *by2, vec *by3)
{
    vec zero = vdupq_n_u8(0);
    *by1 = vextq_u8(zero, x, 15);
    *by2 = vextq_u8(zero, x, 14);
    *by3 = vextq_u8(zero, x, 13);
}

#endif

/* Bytes after which the closer look asks whether it is still needed. */
#define STRETCH 1024

typedef struct lookups {
    vec first_high, first_low, second_high;
} lookups;

/* Not 0 where bytes of x are wrong after the ones that stand one, two and three places before. */
CW_ALWAYS_INLINE TARGET vec mistakes(const lookups *t, vec x, vec before1, vec before2, vec before3)
{
    vec of_first = both(look_up(t->first_high, high_half(before1)),
                        look_up(t->first_low, both(before1, all(0x0f))));
    vec found = both(of_first, look_up(t->second_high, high_half(x)));
    /* The top bit is set where the third byte of three or the fourth of four belongs. */
    vec third = above(before2, all(0xe0 - 0x80));
    vec fourth = above(before3, all(0xf0 - 0x80));
    return differ(found, both(either(third, fourth), all(0x80)));
}

/* The same for a register full at p, which has three more bytes before it. */
CW_ALWAYS_INLINE TARGET vec mistakes_at(const lookups *t, const uint8_t *p, vec x)
{
    return mistakes(t, x, load(p - 1), load(p - 2), load(p - 3));
}

/* The same where nothing stands before. */
CW_ALWAYS_INLINE TARGET vec mistakes_first(const lookups *t, vec x)
{
    vec by1, by2, by3;
    move_up(x, &by1, &by2, &by3);
    return mistakes(t, x, by1, by2, by3);
}

/* What has been seen of characters of one and two bytes. */
typedef struct pairs_seen {
    vec wrong, highest, low_lead;
} pairs_seen;

/* One register full at p more. */
CW_ALWAYS_INLINE TARGET void see_pairs(pairs_seen *seen, char *to, const uint8_t *p)
{
    vec x = load(p);
    if (to) {
        store(to, x);
    }
    /* c2 to df become the 30 smallest signed bytes, c0 and c1 the two greatest ones. */
    vec before = add(load(p - 1), all(0x180 - 0xc2));
    vec lead = signed_less(before, all(0x80 + 30));
    vec continues = signed_less(x, all(0xc0));
    seen->wrong = either(seen->wrong, differ(lead, continues));
    seen->low_lead = signed_greatest(seen->low_lead, before);
    seen->highest = greatest(seen->highest, x);
}

/* Are [p, stop), a multiple of WIDTH bytes with one more before it, characters of one and two bytes
 * (which may begin before p and end after stop), given that no longer one goes on into it? *ascii:
 * of one byte all. */
CW_ALWAYS_INLINE TARGET bool copy_pairs(char *to, const uint8_t *p, const uint8_t *stop,
                                        bool *ascii)
{
    pairs_seen seen = {all(0), all(0), all(0x80)};
    for (; stop - p >= 2 * WIDTH; p += 2 * WIDTH) {
        see_pairs(&seen, to, p);
        see_pairs(&seen, to ? to + WIDTH : NULL, p + WIDTH);
        to = to ? to + 2 * WIDTH : NULL;
    }
    if (p < stop) {
        see_pairs(&seen, to, p);
    }
    *ascii = is_ascii(seen.highest);
    vec wrong = either(seen.wrong, signed_less(all(125), seen.low_lead));
    return none(either(wrong, above(seen.highest, all(0xdf))));
}

/* Is [p, stop), a multiple of WIDTH bytes with three more before it, right after those? */
CW_ALWAYS_INLINE TARGET bool copy_any(char *to, const lookups *t, const uint8_t *p,
                                      const uint8_t *stop, bool *ascii)
{
    vec wrong = all(0), seen = wrong;
    for (; p < stop; p += WIDTH) {
        vec x = load(p);
        if (to) {
            store(to, x);
            to += WIDTH;
        }
        seen = either(seen, x);
        wrong = either(wrong, mistakes_at(t, p, x));
    }
    *ascii = is_ascii(seen);
    return none(wrong);
}

/* Does the text that ends at `end` end inside a character? At least three bytes stand there. */
CW_ALWAYS_INLINE bool ends_inside(const uint8_t *end)
{
    return end[-1] >= 0xc0 || end[-2] >= 0xe0 || end[-3] >= 0xf0;
}

/* The closer look from p on, the beginning of a character. Returns where it is not needed any more,
 * `end` at the end; NULL: not UTF-8. */
CW_ALWAYS_INLINE TARGET const uint8_t *look(char *to, const uint8_t *s, const uint8_t *p,
                                            const uint8_t *end)
{
    const lookups t = {table_of(first_high), table_of(first_low), table_of(second_high)};
    bool pairs = true, ascii = false;
    if (p == s) {
        vec x = load(p);
        if (to) {
            store(to, x);
        }
        if (!none(mistakes_first(&t, x))) {
            return NULL;
        }
        p += WIDTH;
        pairs = p[-1] < 0xe0 && p[-2] < 0xe0 && p[-3] < 0xf0; /* nothing longer goes on behind */
    }
    while (!ascii && end - p >= WIDTH) {
        const uint8_t *stop =
            p + (end - p > STRETCH ? STRETCH : (end - p) & ~(ptrdiff_t)(WIDTH - 1));
        char *at = to ? to + (p - s) : NULL;
        pairs = pairs && copy_pairs(at, p, stop, &ascii);
        if (!pairs && CW_UNLIKELY(!copy_any(at, &t, p, stop, &ascii))) {
            return NULL;
        }
        p = stop;
    }
    if (ascii) {
        return p;
    }
    /* Less than a register full is left: the last one. */
    vec x = load(end - WIDTH);
    if (to) {
        store(to + (end - s) - WIDTH, x);
    }
    return none(mistakes_at(&t, end - WIDTH, x)) && !ends_inside(end) ? end : NULL;
}

CW_ALWAYS_INLINE TARGET bool check(char *to, const uint8_t *s, size_t n)
{
    const uint8_t *p = s, *end = s + n;
    while (p < end) {
        /* The last step overlaps the one before: all bytes before p are checked. */
        const uint8_t *at = end - p < 2 * WIDTH ? end - 2 * WIDTH : p;
        vec a = load(at), b = load(at + WIDTH);
        if (to) {
            store(to + (at - s), a);
            store(to + (at - s) + WIDTH, b);
        }
        if (CW_LIKELY(is_ascii(either(a, b)))) {
            p = at + 2 * WIDTH;
            continue;
        }
        p = look(to, s, p, end);
        if (CW_UNLIKELY(!p)) {
            return false;
        }
    }
    return true;
}

#if CW__AVX2
CW__TARGET_AVX2 bool cw__utf8_avx2(char *to, const uint8_t *s, size_t n)
#else
bool cw__utf8_neon(char *to, const uint8_t *s, size_t n)
#endif
{
    return to ? check(to, s, n) : check(NULL, s, n);
}

#endif
