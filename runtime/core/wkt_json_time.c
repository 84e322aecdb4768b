/* SPDX-License-Identifier: MIT */
/* JSON of google.protobuf.Timestamp (RFC 3339) and Duration ("1.5s"). */
#include "cwire/cwire.h"
#include "cwire/wkt.h"
#include "wkt_json.h"

/* Digits with leading zeros: n of them. */
static char *put_digits(char *p, uint32_t v, int n)
{
    for (int i = n; i > 0; i--) {
        p[i - 1] = (char)('0' + v % 10);
        v /= 10;
    }
    return p + n;
}

/* Exactly n digits at *s. */
static bool read_digits(const char **s, const char *end, int n, uint32_t *v)
{
    uint32_t x = 0;
    if (end - *s < n) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        unsigned d = (unsigned)(unsigned char)(*s)[i] - '0';
        if (d > 9) {
            return false;
        }
        x = x * 10 + d;
    }
    *s += n;
    *v = x;
    return true;
}

static bool read_char(const char **s, const char *end, char c)
{
    if (*s >= end || **s != c) {
        return false;
    }
    *s += 1;
    return true;
}

char *cw__put_nanos(char *p, uint32_t nanos)
{
    if (nanos == 0) {
        return p;
    }
    *p++ = '.';
    if (nanos % 1000000 == 0) {
        return put_digits(p, nanos / 1000000, 3);
    }
    if (nanos % 1000 == 0) {
        return put_digits(p, nanos / 1000, 6);
    }
    return put_digits(p, nanos, 9);
}

bool cw__read_nanos(const char **s, const char *end, uint32_t *nanos)
{
    uint32_t x = 0;
    int n = 0;
    for (; *s < end && (unsigned)(unsigned char)**s - '0' < 10; *s += 1) {
        if (++n > 9) {
            return false;
        }
        x = x * 10 + (uint32_t)(unsigned char)**s - '0';
    }
    for (int i = n; i < 9; i++) {
        x *= 10;
    }
    *nanos = x;
    return n > 0;
}

/*
 * Days since 1970-01-01 of a date of the proleptic Gregorian calendar, year 0..9999. Counted in
 * years that begin in March, so that the leap day is the last one; 719468 is the day number of
 * 1970-01-01 from 0000-03-01.
 */
static int64_t days_of_date(uint32_t year, uint32_t month, uint32_t day)
{
    int64_t y = (int64_t)year - (month <= 2);
    int64_t m = (month + 9) % 12;
    int64_t leaps = (y >= 0 ? y / 4 : -1) - (y >= 0 ? y / 100 : -1) + (y >= 0 ? y / 400 : -1);
    return y * 365 + leaps + (153 * m + 2) / 5 + day - 1 - 719468;
}

/* The inverse, for days of the years 1..9999. */
static void date_of_days(int64_t days, uint32_t *year, uint32_t *month, uint32_t *day)
{
    int64_t z = days + 719468;
    int64_t era = z / 146097;
    int64_t in_era = z - era * 146097;
    int64_t y = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    int64_t in_year = in_era - (365 * y + y / 4 - y / 100);
    int64_t m = (5 * in_year + 2) / 153;
    *day = (uint32_t)(in_year - (153 * m + 2) / 5 + 1);
    *month = (uint32_t)(m < 10 ? m + 3 : m - 9);
    *year = (uint32_t)(y + era * 400 + (*month <= 2));
}

static uint32_t days_in_month(uint32_t year, uint32_t month)
{
    static const uint8_t days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap ? 1u : 0u);
}

char *google_protobuf_Timestamp__print(const google_protobuf_Timestamp *m, cw__json_writer *w,
                                       char *p, int depth)
{
    (void)depth;
    if (m->seconds < CW__TIMESTAMP_MIN || m->seconds > CW__TIMESTAMP_MAX || m->nanos < 0 ||
        m->nanos > CW__NANOS_MAX) {
        return cw__json_put_fail(
            w, CW_ERR_RANGE, "timestamp outside years 1 to 9999, or nanos outside 0 to 999999999");
    }
    p = cw__json_room(w, p, 64 + CW__WKT_KEEP);
    if (p == NULL) {
        return NULL;
    }
    int64_t days = m->seconds / 86400;
    int64_t rest = m->seconds % 86400;
    if (rest < 0) {
        rest += 86400;
        days -= 1;
    }
    uint32_t year, month, day, second = (uint32_t)rest;
    date_of_days(days, &year, &month, &day);
    *p++ = '"';
    p = put_digits(p, year, 4);
    *p++ = '-';
    p = put_digits(p, month, 2);
    *p++ = '-';
    p = put_digits(p, day, 2);
    *p++ = 'T';
    p = put_digits(p, second / 3600, 2);
    *p++ = ':';
    p = put_digits(p, second / 60 % 60, 2);
    *p++ = ':';
    p = put_digits(p, second % 60, 2);
    p = cw__put_nanos(p, (uint32_t)m->nanos);
    *p++ = 'Z';
    *p++ = '"';
    return p;
}

/* "2024-03-01T05:45:00.5+05:45" as RFC 3339 has it, upper-case T and Z only (so the conformance
 * suite). */
static bool read_timestamp(const char *s, const char *end, google_protobuf_Timestamp *m)
{
    uint32_t year, month, day, hour, minute, second, nanos = 0;
    if (!read_digits(&s, end, 4, &year) || !read_char(&s, end, '-') ||
        !read_digits(&s, end, 2, &month) || !read_char(&s, end, '-') ||
        !read_digits(&s, end, 2, &day) || !read_char(&s, end, 'T') ||
        !read_digits(&s, end, 2, &hour) || !read_char(&s, end, ':') ||
        !read_digits(&s, end, 2, &minute) || !read_char(&s, end, ':') ||
        !read_digits(&s, end, 2, &second)) {
        return false;
    }
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month) ||
        hour > 23 || minute > 59 || second > 59) {
        return false;
    }
    if (read_char(&s, end, '.') && !cw__read_nanos(&s, end, &nanos)) {
        return false;
    }
    int64_t offset = 0;
    if (!read_char(&s, end, 'Z')) {
        uint32_t h, min;
        bool minus = s < end && *s == '-';
        if (!(minus || (s < end && *s == '+'))) {
            return false;
        }
        s++;
        if (!read_digits(&s, end, 2, &h) || !read_char(&s, end, ':') ||
            !read_digits(&s, end, 2, &min) || h > 23 || min > 59) {
            return false;
        }
        offset = (int64_t)(h * 3600 + min * 60) * (minus ? -1 : 1);
    }
    int64_t seconds =
        days_of_date(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset;
    if (s != end || seconds < CW__TIMESTAMP_MIN || seconds > CW__TIMESTAMP_MAX) {
        return false;
    }
    m->seconds = seconds;
    m->nanos = (int32_t)nanos;
    return true;
}

const char *google_protobuf_Timestamp__parse(google_protobuf_Timestamp *m, cw__json_reader *r,
                                             const char *p, int depth)
{
    cw_str s = {0};
    const char *at = p;
    (void)depth;
    p = cw__json_get_string(r, p, &s);
    if (p == NULL) {
        return NULL;
    }
    if (!read_timestamp(s.data, s.data + s.len, m)) {
        return cw__json_fail(
            r, CW_ERR_RANGE, at,
            "expected a time such as \"2024-03-01T12:00:00Z\" of the years 1 to 9999");
    }
    return p;
}

char *google_protobuf_Duration__print(const google_protobuf_Duration *m, cw__json_writer *w,
                                      char *p, int depth)
{
    (void)depth;
    if (m->seconds < -CW__DURATION_MAX || m->seconds > CW__DURATION_MAX ||
        m->nanos < -CW__NANOS_MAX || m->nanos > CW__NANOS_MAX || (m->seconds > 0 && m->nanos < 0) ||
        (m->seconds < 0 && m->nanos > 0)) {
        return cw__json_put_fail(
            w, CW_ERR_RANGE, "duration beyond 10000 years, or seconds and nanos of different sign");
    }
    p = cw__json_room(w, p, 64 + CW__WKT_KEEP);
    if (p == NULL) {
        return NULL;
    }
    bool minus = m->seconds < 0 || m->nanos < 0;
    *p++ = '"';
    if (minus) {
        *p++ = '-';
    }
    p = cw__json_put_uint_long(p, (uint64_t)(minus ? -m->seconds : m->seconds));
    p = cw__put_nanos(p, (uint32_t)(minus ? -m->nanos : m->nanos));
    *p++ = 's';
    *p++ = '"';
    return p;
}

static bool read_duration(const char *s, const char *end, google_protobuf_Duration *m)
{
    bool minus = read_char(&s, end, '-');
    int64_t seconds = 0;
    uint32_t nanos = 0;
    const char *digits = s;
    for (; s < end && (unsigned)(unsigned char)*s - '0' < 10; s++) {
        seconds = seconds * 10 + (*s - '0');
        if (seconds > CW__DURATION_MAX) {
            return false;
        }
    }
    if (s == digits || (read_char(&s, end, '.') && !cw__read_nanos(&s, end, &nanos)) ||
        !read_char(&s, end, 's') || s != end) {
        return false;
    }
    m->seconds = minus ? -seconds : seconds;
    m->nanos = minus ? -(int32_t)nanos : (int32_t)nanos;
    return true;
}

const char *google_protobuf_Duration__parse(google_protobuf_Duration *m, cw__json_reader *r,
                                            const char *p, int depth)
{
    cw_str s = {0};
    const char *at = p;
    (void)depth;
    p = cw__json_get_string(r, p, &s);
    if (p == NULL) {
        return NULL;
    }
    if (!read_duration(s.data, s.data + s.len, m)) {
        return cw__json_fail(r, CW_ERR_RANGE, at,
                             "expected a duration such as \"1.5s\" of at most 10000 years");
    }
    return p;
}
