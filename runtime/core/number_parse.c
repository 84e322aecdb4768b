/* SPDX-License-Identifier: MIT */
/*
 * JSON numbers to double, float and integer, each rounded once.
 *
 * scan() reads the text. nearest() multiplies the first 19 digits by a 128-bit power of ten and
 * knows when that decides the rounding (Daniel Lemire, "Number parsing at a gigabyte per second",
 * 2021, here with the interval of the true product spelled out, so that subnormals and floats take
 * the same way). What it leaves open, roughly the values within 2^-60 of a rounding border,
 * compare_with_border() settles with big integers of fixed size.
 */
#include "number.h"

#include <assert.h>

/* ---- The text --------------------------------------------------------------------------- */

#define KEPT_DIGITS 19 /* the most that always fit in 64 bits */

typedef struct number_text {
    uint64_t head;      /* the first KEPT_DIGITS digits, leading zeros not counted */
    int64_t exponent;   /* of the last digit: value = all digits as one integer x 10^exponent */
    size_t count;       /* of digits; leading zeros do not count when it is above KEPT_DIGITS */
    const char *digits; /* all digits, leading zeros included, and maybe one point */
    const char *digits_end;
    bool negative;
    bool more; /* a digit that is not in `head` is not zero */
} number_text;

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* The value of eight digits, as bytes 0 to 9, the first in the lowest byte. */
static uint32_t eight_digits(uint64_t v)
{
    /* Pairs, then fours and eights: in each step the lower neighbour counts 10, 10^2, 10^4 times.
     */
    v = v * 10 + (v >> 8);
    v = ((v & 0x000000ff000000ffu) * (100 + (1000000ull << 32)) +
         (v >> 16 & 0x000000ff000000ffu) * (1 + (10000ull << 32))) >>
        32;
    return (uint32_t)v;
}

static const uint32_t powers[8] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};

#define ZERO_CHARACTERS 0x3030303030303030u

/* Bit 7 of each byte of the result says that it is no digit (0 to 9); above the first such byte it
 * may err. */
CW_ALWAYS_INLINE uint64_t not_digits(uint64_t digits)
{
    return ((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u;
}

/* The value of the first `count` < 8 digits: zeros take the place of the others in front, so that
 * how many there are needs no loop. */
CW_ALWAYS_INLINE uint32_t few_digits(uint64_t digits, unsigned count)
{
    return eight_digits(digits << 8 * (7 - count) << 8);
}

/* Reads digits into *v (which wraps around when they are many) and returns their end. */
static const char *read_digits(const char *p, const char *end, uint64_t *v)
{
    uint64_t value = *v;
    while (end - p >= 8) {
        uint64_t digits = cw__load64(p) ^ ZERO_CHARACTERS;
        uint64_t others = not_digits(digits);
        if (others) {
            unsigned count = (unsigned)CW__CTZ64(others) / 8;
            *v = value * powers[count] + few_digits(digits, count);
            return p + count;
        }
        value = value * 100000000 + eight_digits(digits);
        p += 8;
    }
    while (p < end && is_digit(*p)) {
        value = value * 10 + (uint64_t)(*p - '0');
        p++;
    }
    *v = value;
    return p;
}

/* Reads an exponent's digits. It stays below 10^18, which no number of digits in memory can make up
 * for. */
static const char *read_exponent(const char *p, const char *end, int64_t *exponent)
{
    int64_t value = 0;
    for (; p < end && is_digit(*p); p++) {
        if (value < 100000000000000000) {
            value = value * 10 + (*p - '0');
        }
    }
    *exponent = value;
    return p;
}

/* Sets `head`, `count` and `more` of a number with more than KEPT_DIGITS digits. */
static void read_long(number_text *t)
{
    const char *p = t->digits;
    while (p < t->digits_end && (*p == '0' || *p == '.')) {
        p++;
    }
    size_t count = 0;
    t->head = 0;
    for (; p < t->digits_end; p++) {
        if (*p == '.') {
            continue;
        }
        if (count < KEPT_DIGITS) {
            t->head = t->head * 10 + (uint64_t)(*p - '0');
        } else if (*p != '0') {
            t->more = true;
        }
        count++;
    }
    t->count = count;
}

/* Reads the longest JSON number at `p`; its end, or NULL when there is none. */
static const char *scan(const char *p, const char *end, number_text *t)
{
    t->negative = p < end && *p == '-';
    p += t->negative;
    if (p == end || !is_digit(*p)) {
        return NULL;
    }
    t->digits = p;
    t->head = 0;
    t->exponent = 0;
    t->more = false;
    if (*p == '0') {
        p++;
    } else {
        p = read_digits(p, end, &t->head);
    }
    t->count = (size_t)(p - t->digits);
    if (end - p >= 2 && *p == '.' && is_digit(p[1])) {
        const char *fraction = p + 1;
        p = read_digits(fraction, end, &t->head);
        t->count += (size_t)(p - fraction);
        t->exponent = fraction - p;
    }
    t->digits_end = p;
    if (t->count > KEPT_DIGITS) {
        read_long(t);
    }
    if (end - p >= 2 && (*p | 0x20) == 'e') {
        bool down = p[1] == '-';
        const char *first = p + 1 + (down || p[1] == '+');
        if (first < end && is_digit(*first)) {
            int64_t exponent;
            p = read_exponent(first, end, &exponent);
            t->exponent += down ? -exponent : exponent;
        }
    }
    return p;
}

/* ---- Binary formats and rounding -------------------------------------------------------- */

typedef struct format {
    int precision; /* bits of the significand */
    int lowest;    /* the exponent of a subnormal's last bit */
    uint64_t infinity;
} format;

static const format double_format = {53, -1074, 0x7ffull << 52};
static const format float_format = {24, -149, 0xffull << 23};

/* A significand in the format's precision and the exponent of its last bit. */
typedef struct binary {
    uint64_t significand;
    int exponent;
} binary;

/* The bits of `b`, one unit more when `up`: that may carry into the exponent, and up to infinity
 * and beyond. */
static uint64_t encode(const format *f, binary b, bool up)
{
    /* The significand's leading bit, where there is one, adds the 1 that tells normal from
     * subnormal. */
    return ((uint64_t)(b.exponent - f->lowest) << (f->precision - 1)) + b.significand + up;
}

/*
 * Rounds w x 10^n (w not 0, n within the table) to *bits; *down is the same rounded down. False
 * when the product's 192 bits do not tell on which side of the middle between *down and its upper
 * neighbour the value is.
 */
static bool nearest(const format *f, uint64_t w, int n, binary *down, uint64_t *bits)
{
    const uint64_t *power = cw__powers_of_ten[n - CW__POWER_OF_TEN_MIN];
    int zeros = CW__CLZ64(w);
    w <<= zeros;
    /* The true product, in units of the last bit of `low`, is in [high:low, high:low + w). */
    uint64_t high;
    uint64_t low = cw__multiply64(w, power[0], &high);
    int exponent = cw__log2_of_power_of_ten(n) + 1 - zeros; /* of the last bit of `high` */
    int top = exponent + 62 + (int)(high >> 63);
    down->exponent = top - (f->precision - 1);
    if (down->exponent < f->lowest) {
        down->exponent = f->lowest;
    }
    int drop = down->exponent - exponent; /* bits of `high` that do not fit: 10 or more */
    if (drop > 64) {
        /* Below half of the smallest number. */
        down->significand = 0;
        *bits = 0;
        return true;
    }
    uint64_t rest_mask = UINT64_MAX >> (64 - drop);
    uint64_t half = 1ull << (drop - 1);
    uint64_t rest = high & rest_mask;
    uint64_t lowest = 0;
    bool sure = true;
    if ((rest == half - 1 && low + w < low) || (rest == half && low == 0)) {
        /* The rest of the power, which is rounded up: now the true product is in (P - w, P]. */
        uint64_t carry;
        lowest = cw__multiply64(w, power[1], &carry);
        low += carry;
        rest += low < carry;
        sure = (0 <= n && n <= 55) || rest != half || low != 0 || lowest >= w;
    }
    down->significand = drop == 64 ? 0 : high >> drop;
    bool tie = rest == half && (low | lowest) == 0;
    bool up = rest > half || (rest == half && !tie) || (tie && (down->significand & 1));
    *bits = encode(f, *down, up);
    return sure;
}

/* ---- Most numbers ----------------------------------------------------------------------- */

/* 12.345: what most numbers look like. */
typedef struct common_text {
    uint64_t digits; /* all of them as one integer */
    int exponent;    /* -18 to -1: value = digits x 10^exponent */
    bool negative;
    const char *end;
} common_text;

#define COMMON_ROOM 26 /* bytes that are looked at: '-', and three times eight behind one more */

/*
 * Reads a number without exponent, with one to seven digits before its point and at most 19 in all.
 * False: it has another form, or is too near the end, and scan() reads it.
 */
CW_ALWAYS_INLINE bool scan_common(const char *p, const char *end, common_text *t)
{
    if (CW_UNLIKELY(end - p < COMMON_ROOM)) {
        return false;
    }
    t->negative = *p == '-';
    p += t->negative;
    uint64_t first = cw__load64(p) ^ ZERO_CHARACTERS;
    uint64_t others = not_digits(first);
    if (CW_UNLIKELY(others == 0)) {
        return false;
    }
    unsigned before = (unsigned)CW__CTZ64(others) / 8;
    if (CW_UNLIKELY(p[before] != '.' || before == 0 || (*p == '0' && before > 1))) {
        return false;
    }
    /* Eight digits without the point: those before it, and from one byte further those behind. */
    uint64_t behind = UINT64_MAX << 8 * before;
    uint64_t digits = (first & ~behind) | ((cw__load64(p + 1) ^ ZERO_CHARACTERS) & behind);
    const char *fraction = p + before + 1;
    others = not_digits(digits);
    if (CW_UNLIKELY(others != 0)) {
        unsigned count = (unsigned)CW__CTZ64(others) / 8;
        t->digits = few_digits(digits, count);
        p += 1 + count;
        if (p == fraction) {
            return false;
        }
    } else {
        uint64_t value = eight_digits(digits);
        digits = cw__load64(p + 9) ^ ZERO_CHARACTERS;
        others = not_digits(digits);
        p += 9;
        if (others == 0) {
            value = value * 100000000 + eight_digits(digits);
            digits = cw__load64(p + 8) ^ ZERO_CHARACTERS;
            others = not_digits(digits) | (uint64_t)0x80 << 24; /* 19 always fit */
            p += 8;
        }
        unsigned count = (unsigned)CW__CTZ64(others) / 8;
        t->digits = value * powers[count] + few_digits(digits, count);
        p += count;
    }
    t->exponent = (int)(fraction - p);
    t->end = p;
    /* Nothing of the number may follow: no exponent, no 20th digit. */
    return CW_LIKELY((*p | 0x20) != 'e' && !is_digit(*p));
}

/*
 * Rounds w x 10^n, w below 10^19 and n from -18 to -1, where no format ends, like nearest(), but
 * with one half of the power, and gives up when that does not decide.
 */
CW_ALWAYS_INLINE bool nearest_common(const format *f, uint64_t w, int n, uint64_t *bits)
{
    if (CW_UNLIKELY(w == 0)) {
        *bits = 0;
        return true;
    }
    int zeros = CW__CLZ64(w);
    w <<= zeros;
    /* The true product, in units of the last bit of `high`, is in [high, high + 2). */
    uint64_t high;
    (void)cw__multiply64(w, cw__powers_of_ten[n - CW__POWER_OF_TEN_MIN][0], &high);
    int drop = 64 - f->precision - 1 + (int)(high >> 63); /* bits of `high` that do not fit */
    uint64_t half = 1ull << (drop - 1);
    uint64_t rest = high & (2 * half - 1);
    int exponent = cw__log2_of_power_of_ten(n) + 1 - zeros + drop; /* of the last bit that fits */
    uint64_t significand = ((high >> (drop - 1)) + 1) >> 1;
    *bits = ((uint64_t)(exponent - f->lowest) << (f->precision - 1)) + significand;
    /* In the two units around the middle between two numbers what is cut off counts, too. */
    return CW_LIKELY(rest - half + 1 > 1);
}

/* ---- Big integers ----------------------------------------------------------------------- */

/*
 * Halves of the smallest double's unit have 767 digits at most, so among the first EXACT_DIGITS
 * digits and one that stands for "and more" nothing is lost. Both sides of compare_with_border()
 * are below 2^2720.
 */
#define EXACT_DIGITS 800
#define LIMBS        88

typedef struct big {
    size_t length;
    uint32_t limb[LIMBS]; /* the lowest first; limb[length - 1] is not 0 */
} big;

static void multiply_add(big *b, uint32_t factor, uint32_t carry)
{
    for (size_t i = 0; i < b->length; i++) {
        uint64_t v = (uint64_t)b->limb[i] * factor + carry;
        b->limb[i] = (uint32_t)v;
        carry = (uint32_t)(v >> 32);
    }
    if (carry) {
        assert(b->length < LIMBS);
        b->limb[b->length++] = carry;
    }
}

static void multiply_by_power_of_5(big *b, unsigned n)
{
    for (; n >= 13; n -= 13) {
        multiply_add(b, 1220703125, 0);
    }
    for (; n > 0; n--) {
        multiply_add(b, 5, 0);
    }
}

static void shift_left(big *b, unsigned n)
{
    multiply_add(b, 1u << n % 32, 0);
    size_t limbs = n / 32;
    assert(b->length + limbs <= LIMBS);
    memmove(b->limb + limbs, b->limb, b->length * sizeof b->limb[0]);
    memset(b->limb, 0, limbs * sizeof b->limb[0]);
    b->length += limbs;
}

static int compare(const big *a, const big *b)
{
    if (a->length != b->length) {
        return a->length < b->length ? -1 : 1;
    }
    for (size_t i = a->length; i-- > 0;) {
        if (a->limb[i] != b->limb[i]) {
            return a->limb[i] < b->limb[i] ? -1 : 1;
        }
    }
    return 0;
}

/* Sets *b to the digits of `t`, shortened to EXACT_DIGITS; returns the exponent of the last one. */
static int read_big(big *b, const number_text *t)
{
    b->length = 0;
    size_t taken = 0;
    bool more = false;
    uint32_t factor = 1, chunk = 0; /* up to nine digits that are not in *b yet */
    for (const char *p = t->digits; p < t->digits_end && !more; p++) {
        if (*p == '.' || (*p == '0' && taken == 0)) {
            continue;
        }
        if (taken == EXACT_DIGITS) {
            more = *p != '0';
            continue;
        }
        chunk = chunk * 10 + (uint32_t)(*p - '0');
        factor *= 10;
        taken++;
        if (factor == 1000000000) {
            multiply_add(b, factor, chunk);
            factor = 1;
            chunk = 0;
        }
    }
    multiply_add(b, factor, chunk);
    int64_t exponent = t->exponent;
    if (taken == EXACT_DIGITS) {
        exponent += (int64_t)(t->count - taken);
    }
    if (more) {
        multiply_add(b, 10, 1);
        exponent--;
    }
    /* nearest() has seen that the value is in the format's range, so this is about -1125 to 308. */
    return (int)exponent;
}

/* Compares the value of `t` with the middle between `down` and its upper neighbour. */
static int compare_with_border(const number_text *t, binary down)
{
    big value;
    int ten = read_big(&value, t);
    big border = {.length = 0};
    uint64_t middle = 2 * down.significand + 1;
    border.limb[0] = (uint32_t)middle;
    border.limb[1] = (uint32_t)(middle >> 32);
    border.length = border.limb[1] ? 2 : 1;
    int two = down.exponent - 1;

    /* value x 10^ten against border x 2^two, with only positive powers on either side */
    multiply_by_power_of_5(ten >= 0 ? &value : &border, (unsigned)(ten >= 0 ? ten : -ten));
    int shift = two - ten;
    shift_left(shift >= 0 ? &border : &value, (unsigned)(shift >= 0 ? shift : -shift));
    return compare(&value, &border);
}

/* ---- Entry points ----------------------------------------------------------------------- */

/* The bits of the number without its sign; f->infinity or more when it is out of range. */
static uint64_t convert(const number_text *t, const format *f)
{
    if (t->head == 0) {
        return 0;
    }
    int64_t exponent = t->exponent + (t->count > KEPT_DIGITS ? (int64_t)t->count - KEPT_DIGITS : 0);
    if (exponent > 308) {
        return f->infinity;
    }
    if (exponent < CW__POWER_OF_TEN_MIN) {
        return 0;
    }
    binary down;
    uint64_t bits;
    bool sure = nearest(f, t->head, (int)exponent, &down, &bits);
    if (sure && t->more) {
        binary above;
        uint64_t bits_above;
        sure = nearest(f, t->head + 1, (int)exponent, &above, &bits_above) && bits == bits_above;
    }
    if (!sure) {
        int order = compare_with_border(t, down);
        bits = encode(f, down, order > 0 || (order == 0 && (down.significand & 1)));
    }
    return bits;
}

static CW_NOINLINE const char *parse_any_double(const char *p, const char *end, double *out,
                                                cw__number_status *status)
{
    number_text t;
    const char *stop = scan(p, end, &t);
    if (!stop) {
        *status = CW__NUMBER_NONE;
        return p;
    }
    if (t.exponent == 0 && t.count <= KEPT_DIGITS && t.head <= 1ull << 53) {
        /* A plain integer, exact as it is. */
        *out = t.negative ? -(double)t.head : (double)t.head;
        *status = CW__NUMBER_OK;
        return stop;
    }
    uint64_t bits = convert(&t, &double_format);
    bool infinite = bits >= double_format.infinity;
    bits = (infinite ? double_format.infinity : bits) | (uint64_t)t.negative << 63;
    memcpy(out, &bits, sizeof bits);
    *status = infinite ? CW__NUMBER_RANGE : CW__NUMBER_OK;
    return stop;
}

const char *cw__parse_double(const char *p, const char *end, double *out, cw__number_status *status)
{
    common_text t;
    uint64_t bits;
    if (CW_LIKELY(scan_common(p, end, &t) &&
                  nearest_common(&double_format, t.digits, t.exponent, &bits))) {
        bits |= (uint64_t)t.negative << 63;
        memcpy(out, &bits, sizeof bits);
        *status = CW__NUMBER_OK;
        return t.end;
    }
    return parse_any_double(p, end, out, status);
}

static CW_NOINLINE const char *parse_any_float(const char *p, const char *end, float *out,
                                               cw__number_status *status)
{
    number_text t;
    const char *stop = scan(p, end, &t);
    if (!stop) {
        *status = CW__NUMBER_NONE;
        return p;
    }
    uint64_t wide = convert(&t, &float_format);
    bool infinite = wide >= float_format.infinity;
    uint32_t bits = (uint32_t)(infinite ? float_format.infinity : wide) | (uint32_t)t.negative
                                                                              << 31;
    memcpy(out, &bits, sizeof bits);
    *status = infinite ? CW__NUMBER_RANGE : CW__NUMBER_OK;
    return stop;
}

const char *cw__parse_float(const char *p, const char *end, float *out, cw__number_status *status)
{
    common_text t;
    uint64_t wide;
    if (CW_LIKELY(scan_common(p, end, &t) &&
                  nearest_common(&float_format, t.digits, t.exponent, &wide))) {
        uint32_t bits = (uint32_t)wide | (uint32_t)t.negative << 31;
        memcpy(out, &bits, sizeof bits);
        *status = CW__NUMBER_OK;
        return t.end;
    }
    return parse_any_float(p, end, out, status);
}

/* Appends a decimal digit to *v. False when the result exceeds 64 bits. */
static bool append_digit(uint64_t *v, unsigned digit)
{
    if (*v > (UINT64_MAX - digit) / 10) {
        return false;
    }
    *v = *v * 10 + digit;
    return true;
}

/* The value of a scanned number as an integer. */
static cw__number_status to_integer(const number_text *t, uint64_t *magnitude)
{
    if (t->head == 0) {
        *magnitude = 0;
        return CW__NUMBER_OK;
    }
    /* Zeros at the end move into the exponent: then it tells whether there is a fraction. */
    const char *last = t->digits_end;
    int64_t exponent = t->exponent;
    for (; last[-1] == '0' || last[-1] == '.'; last--) {
        exponent += last[-1] == '0';
    }
    if (exponent < 0) {
        return CW__NUMBER_FRACTION;
    }
    if (exponent > 19) {
        return CW__NUMBER_RANGE;
    }
    /* Stops at the 21st digit that counts at the latest. */
    uint64_t v = 0;
    for (const char *p = t->digits; p < last; p++) {
        if (*p != '.' && !append_digit(&v, (unsigned)(*p - '0'))) {
            return CW__NUMBER_RANGE;
        }
    }
    for (; exponent > 0; exponent--) {
        if (!append_digit(&v, 0)) {
            return CW__NUMBER_RANGE;
        }
    }
    *magnitude = v;
    return CW__NUMBER_OK;
}

const char *cw__parse_integer_text(const char *p, const char *end, bool *negative,
                                   uint64_t *magnitude, cw__number_status *status)
{
    number_text t;
    const char *stop = scan(p, end, &t);
    if (!stop) {
        *status = CW__NUMBER_NONE;
        return p;
    }
    *status = to_integer(&t, magnitude);
    if (*status == CW__NUMBER_OK) {
        *negative = t.negative;
    }
    return stop;
}
