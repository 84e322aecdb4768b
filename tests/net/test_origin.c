/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "origin.h"

static void origins_are_taken_apart(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text;
        bool is_tls, is_ipv6, is_numeric;
        const char *host;
        int port;
        const char *authority;
    } rows[] = {
        {__LINE__, "http://example.org", false, false, false, "example.org", 80, "example.org"},
        {__LINE__, "https://example.org", true, false, false, "example.org", 443, "example.org"},
        {__LINE__, "http://example.org/", false, false, false, "example.org", 80, "example.org"},
        {__LINE__, "HTTP://EXAMPLE.Org:80/", false, false, false, "example.org", 80, "example.org"},
        {__LINE__, "https://h:443", true, false, false, "h", 443, "h"},
        {__LINE__, "https://h:80", true, false, false, "h", 80, "h:80"},
        {__LINE__, "http://h:443", false, false, false, "h", 443, "h:443"},
        {__LINE__, "http://h:1", false, false, false, "h", 1, "h:1"},
        {__LINE__, "http://h:65535/", false, false, false, "h", 65535, "h:65535"},
        {__LINE__, "http://h:00080", false, false, false, "h", 80, "h"},
        {__LINE__, "http://a_b-c.9.", false, false, false, "a_b-c.9.", 80, "a_b-c.9."},
        {__LINE__, "http://127.0.0.1:8080", false, false, true, "127.0.0.1", 8080,
         "127.0.0.1:8080"},
        {__LINE__, "http://[::1]", false, true, true, "::1", 80, "[::1]"},
        {__LINE__, "https://[2001:DB8::a]:8443/", true, true, true, "2001:db8::a", 8443,
         "[2001:db8::a]:8443"},
        {__LINE__, "http://[::ffff:127.0.0.1]:81", false, true, true, "::ffff:127.0.0.1", 81,
         "[::ffff:127.0.0.1]:81"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw__origin o;
        cw_net_error e;
        struct sockaddr_storage address;
        if (cw__origin_parse(rows[i].text, &o, &e) != CW_NET_OK) {
            fail_msg("line %d: %s", rows[i].line, e.detail);
        }
        assert_string_equal(o.host, rows[i].host);
        assert_string_equal(o.authority, rows[i].authority);
        assert_int_equal(o.port, rows[i].port);
        if (o.is_tls != rows[i].is_tls || o.is_ipv6 != rows[i].is_ipv6 ||
            cw__origin_address(&o, &address) != rows[i].is_numeric) {
            fail_msg("line %d: %d %d", rows[i].line, o.is_tls, o.is_ipv6);
        }
        if (rows[i].is_numeric) {
            const struct sockaddr_in *a = (const struct sockaddr_in *)&address;
            assert_int_equal(a->sin_family, o.is_ipv6 ? AF_INET6 : AF_INET);
            assert_int_equal(ntohs(a->sin_port), o.port);
        }
    }
}

static void junk_is_refused(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *text, *detail;
    } rows[] = {
        {__LINE__, NULL, "origin \"\": there is none"},
        {__LINE__, "", "origin \"\": it begins with neither http:// nor https://"},
        {__LINE__, "example.org", "origin \"example.org\": it begins with neither"},
        {__LINE__, "ftp://h", "origin \"ftp://h\": it begins with neither"},
        {__LINE__, "http:/h", "neither"},
        {__LINE__, "http//h", "neither"},
        {__LINE__, "httpss://h", "neither"},
        {__LINE__, " http://h", "neither"},
        {__LINE__, "http://", "there is no host"},
        {__LINE__, "http:///", "there is no host"},
        {__LINE__, "http://:80", "there is no host"},
        {__LINE__, "http://user@h", "origin: user information in it"},
        {__LINE__, "http://user:secret@h:80/", "origin: user information in it"},
        {__LINE__, "http://h:", "the port is none"},
        {__LINE__, "http://h:0", "the port is none"},
        {__LINE__, "http://h:65536", "the port is none"},
        {__LINE__, "http://h:000080", "the port is none"},
        {__LINE__, "http://h:99999999999999999999", "the port is none"},
        {__LINE__, "http://h:-1", "the port is none"},
        {__LINE__, "http://h:http", "the port is none"},
        {__LINE__, "http://h:80x", "something follows"},
        {__LINE__, "http://h/path", "something follows"},
        {__LINE__, "http://h//", "something follows"},
        {__LINE__, "http://h?q", "something follows"},
        {__LINE__, "http://h#f", "something follows"},
        {__LINE__, "http://h h", "something follows"},
        {__LINE__, "http://h\r\nx: y", "something follows"},
        {__LINE__, "http://b\xc3\xbc.de", "something follows"},
        {__LINE__, "http://a%20b", "something follows"},
        {__LINE__, "http://[::1", "no IPv6 address"},
        {__LINE__, "http://[]", "there is no host"},
        {__LINE__, "http://[::1]x", "something follows"},
        {__LINE__, "http://[fe80::1%eth0]", "no IPv6 address"},
        {__LINE__, "http://[127.0.0.1]", "no IPv6 address"},
        {__LINE__, "http://[1:2]", "no IPv6 address"},
        {__LINE__, "http://[:::]", "no IPv6 address"},
        {__LINE__, "http://::1", "there is no host"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw__origin o = {.port = 7};
        cw_net_error e = {.status = CW_NET_OK};
        cw_net_status st = cw__origin_parse(rows[i].text, &o, &e);
        if (st != CW_NET_ERR_ARGUMENT || e.status != st ||
            strstr(e.detail, rows[i].detail) == NULL) {
            fail_msg("line %d: %s, \"%s\"", rows[i].line, cw_net_status_name(st), e.detail);
        }
        assert_int_equal(o.port, 7);
        assert_null(strstr(e.detail, "secret"));
    }
    assert_int_equal(cw__origin_parse("http://", &(cw__origin){.port = 0}, NULL),
                     CW_NET_ERR_ARGUMENT);
}

/* The longest host has room, with a port, and one more character has none. */
static void hosts_are_bounded(void **state)
{
    (void)state;
    for (size_t len = CW__HOST_MAX - 1; len <= CW__HOST_MAX + 2; len++) {
        char *text = calloc(1, len + 16);
        assert_non_null(text);
        memcpy(text, "https://", 8);
        memset(text + 8, 'a', len);
        memcpy(text + 8 + len, ":65535", 7);
        cw__origin o;
        cw_net_error e;
        cw_net_status st = cw__origin_parse(text, &o, &e);
        assert_int_equal(st, len <= CW__HOST_MAX ? CW_NET_OK : CW_NET_ERR_ARGUMENT);
        if (st == CW_NET_OK) {
            assert_int_equal(strlen(o.host), len);
            assert_string_equal(o.authority, text + 8);
        } else {
            assert_non_null(strstr(e.detail, "the host is too long"));
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(origins_are_taken_apart),
        cmocka_unit_test(junk_is_refused),
        cmocka_unit_test(hosts_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
