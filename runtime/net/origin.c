/* SPDX-License-Identifier: MIT */
#include "origin.h"

#include <stdio.h>

#include "cwire/str.h"

enum { HTTP_PORT = 80, HTTPS_PORT = 443, PORT_MAX = 65535, PORT_DIGITS = 5, DETAIL_TEXT = 60 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes `prefix` (in lower case) from the front of *s. */
static bool take_prefix(cw_str *s, const char *prefix)
{
    size_t len = strlen(prefix);
    if (s->len < len) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (lower(s->data[i]) != prefix[i]) {
            return false;
        }
    }
    *s = cw_str_of(s->data + len, s->len - len);
    return true;
}

/* A name or an IPv4 address. RFC 3986 would take more; no name on a network has it. */
static bool is_name_char(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == '.' || c == '-' || c == '_';
}

/* Of an IPv6 address without a zone, which is nobody's business but this machine's. */
static bool is_ipv6_char(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || c == ':' || c == '.';
}

/* What is wrong with the host, or NULL; it is written to o->host in lower case. */
static const char *take_host(cw_str *s, cw__origin *o)
{
    o->is_ipv6 = s->len > 0 && s->data[0] == '[';
    size_t at = o->is_ipv6 ? 1 : 0, len = 0;
    for (; at < s->len; at++) {
        char c = lower(s->data[at]);
        if (o->is_ipv6 ? !is_ipv6_char(c) : !is_name_char(c)) {
            break;
        }
        if (len == CW__HOST_MAX) {
            return "the host is too long";
        }
        o->host[len++] = c;
    }
    o->host[len] = '\0';
    if (len == 0) {
        return "there is no host";
    }
    if (o->is_ipv6) {
        if (at == s->len || s->data[at] != ']') {
            return "no IPv6 address in the brackets";
        }
        at++;
    }
    *s = cw_str_of(s->data + at, s->len - at);
    return NULL;
}

static const char *take_port(cw_str *s, cw__origin *o)
{
    o->port = o->is_tls ? HTTPS_PORT : HTTP_PORT;
    if (s->len == 0 || s->data[0] != ':') {
        return NULL;
    }
    size_t at = 1;
    int port = 0;
    for (; at < s->len && at <= PORT_DIGITS && is_digit(s->data[at]); at++) {
        port = 10 * port + (s->data[at] - '0');
    }
    if (port == 0 || port > PORT_MAX || (at < s->len && is_digit(s->data[at]))) {
        return "the port is none from 1 to 65535";
    }
    o->port = port;
    *s = cw_str_of(s->data + at, s->len - at);
    return NULL;
}

static void make_authority(cw__origin *o)
{
    char port[PORT_DIGITS + 2] = "";
    if (o->port != (o->is_tls ? HTTPS_PORT : HTTP_PORT)) {
        snprintf(port, sizeof port, ":%d", o->port);
    }
    snprintf(o->authority, sizeof o->authority, o->is_ipv6 ? "[%s]%s" : "%s%s", o->host, port);
}

bool cw__origin_address(const cw__origin *o, struct sockaddr_storage *address)
{
    return (!o->is_ipv6 && uv_ip4_addr(o->host, o->port, (struct sockaddr_in *)address) == 0) ||
           (o->is_ipv6 && uv_ip6_addr(o->host, o->port, (struct sockaddr_in6 *)address) == 0);
}

static const char *parse(cw_str s, cw__origin *o)
{
    if (take_prefix(&s, "https://")) {
        o->is_tls = true;
    } else if (!take_prefix(&s, "http://")) {
        return "it begins with neither http:// nor https://";
    }
    const char *wrong = take_host(&s, o);
    wrong = wrong != NULL ? wrong : take_port(&s, o);
    if (wrong != NULL) {
        return wrong;
    }
    if (s.len > 0 && !(s.len == 1 && s.data[0] == '/')) {
        return "something follows host and port";
    }
    struct sockaddr_storage address;
    if (o->is_ipv6 && !cw__origin_address(o, &address)) {
        return "no IPv6 address in the brackets";
    }
    make_authority(o);
    return NULL;
}

cw_net_status cw__origin_parse(const char *text, cw__origin *o, cw_net_error *e)
{
    cw__origin parsed = {.is_tls = false};
    if (text != NULL && strchr(text, '@') != NULL) {
        return cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0,
                                "%s", /* not shown: a password is in it */
                                "origin: user information in it");
    }
    const char *wrong = text != NULL ? parse(cw_str_from(text), &parsed) : "there is none";
    if (wrong != NULL) {
        return cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "origin \"%.*s\": %s", DETAIL_TEXT,
                                text != NULL ? text : "", wrong);
    }
    *o = parsed;
    return CW_NET_OK;
}
