/* SPDX-License-Identifier: MIT */
#include "http1_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void open_core(record *r, bool is_server, const cw_http_limits *limits)
{
    cw_http_limits all = cw_http_limits_of(limits);
    r->core = cw__http1_open(is_server, "http", &all, &record_events, r);
    assert_non_null(r->core);
    assert_int_equal(r->core->version, CW_HTTP_1_1);
}

void http1_server(record *r, const cw_http_limits *limits)
{
    open_core(r, true, limits);
    r->on = record_echo;
}

void http1_client(record *r, const cw_http_limits *limits)
{
    open_core(r, false, limits);
}

void http1_assert_text(const char *is, const char *wanted, const char *file, int line)
{
    if (strcmp(is, wanted) == 0) {
        return;
    }
    size_t same = 0;
    while (is[same] != '\0' && is[same] == wanted[same]) {
        same++;
    }
    print_error("is:\n%s\nwanted:\n%s\nthe same up to %zu\n", is, wanted, same);
    _fail(file, line);
}

static cw_http_head head_of(const char *method, const char *path)
{
    return (cw_http_head){.method = cw_str_from(method),
                          .scheme = CW_STR("http"),
                          .authority = CW_STR("example.org"),
                          .path = cw_str_from(path)};
}

cw_http_head http1_get(const char *path)
{
    return head_of("GET", path);
}

cw_http_head http1_post(const char *path)
{
    return head_of("POST", path);
}

cw_bytes http1_bytes(const char *text)
{
    return cw_bytes_of(text, strlen(text));
}

char *http1_repeat(char c, size_t n)
{
    char *s = malloc(n + 1);
    assert_non_null(s);
    memset(s, c, n);
    s[n] = '\0';
    return s;
}
