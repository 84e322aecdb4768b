/* SPDX-License-Identifier: MIT */
#include "target.h"

#include <string.h>

enum { MAX_PORT_DIGITS = 5 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* RFC 3986, 3.2.2, but for ',', which joins the values of two fields. */
static bool is_name_char(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '-' || (c != '\0' && strchr("_~!$&'()*+;=", c) != NULL);
}

/* The length of a host's name or address at the front of s; 0: none. */
static size_t host_len(cw_str s)
{
    size_t i = 0;
    if (s.len > 0 && s.data[0] == '[') {
        i = 1;
        while (i < s.len && (is_hex(s.data[i]) || s.data[i] == ':' || s.data[i] == '.')) {
            i++;
        }
        return i > 2 && i < s.len && s.data[i] == ']' ? i + 1 : 0;
    }
    while (i < s.len) {
        bool is_escape =
            s.data[i] == '%' && i + 2 < s.len && is_hex(s.data[i + 1]) && is_hex(s.data[i + 2]);
        if (!is_escape && !is_name_char(s.data[i])) {
            break;
        }
        i += is_escape ? 3 : 1;
    }
    return i;
}

bool cw__is_authority(cw_str s)
{
    size_t n = host_len(s);
    if (n == 0 || n == s.len) {
        return n > 0;
    }
    unsigned port = 0;
    if (s.data[n] != ':' || s.len - n - 1 > MAX_PORT_DIGITS) {
        return false;
    }
    for (size_t i = n + 1; i < s.len; i++) {
        if (!is_digit(s.data[i])) {
            return false;
        }
        port = 10 * port + (unsigned)(s.data[i] - '0');
    }
    return port <= UINT16_MAX;
}

bool cw__is_target(cw_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.data[i] <= ' ' || s.data[i] > '~' || s.data[i] == '#') {
            return false;
        }
    }
    return s.len > 0;
}
