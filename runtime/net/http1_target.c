/* SPDX-License-Identifier: MIT */
/* Whom a request is for: host and request target (RFC 9112, section 3.2). */
#include "http1_internal.h"
#include "target.h"

bool cw__http1_check_host(cw__http1 *h)
{
    const cw__http1_facts *facts = &h->facts;
    if (facts->hosts > 1 || (facts->hosts == 0 && h->s.head.version == CW_HTTP_1_1)) {
        return cw__http1_refuse(h, 400, facts->hosts > 1 ? "two host fields" : "no host field");
    }
    if (facts->hosts == 1 && !cw__is_authority(facts->host)) {
        return cw__http1_refuse(h, 400, "host is no host");
    }
    h->s.head.authority = facts->host;
    return true;
}

/* "http://host/path": what it says stands above the host field (RFC 9112, 3.2.2). */
static bool read_absolute(cw__http1 *h, cw_str target)
{
    size_t n = strlen(h->scheme);
    cw_http_head *head = &h->s.head;
    if (target.len < n + 3 || memcmp(target.data + n, "://", 3) != 0 ||
        !cw__name_is(cw_str_of(target.data, n), h->scheme)) {
        return cw__http1_refuse(h, 400, "request target of an unknown form");
    }
    char *from = (char *)h->head.text.data + h->target + n + 3;
    size_t rest = target.len - n - 3, len = 0;
    while (len < rest && from[len] != '/' && from[len] != '?') {
        len++;
    }
    head->authority = cw_str_of(from, len);
    if (!cw__is_authority(head->authority)) {
        return cw__http1_refuse(h, 400, "request target without a valid host");
    }
    if (len == rest) {
        bool is_options = cw_str_equal(head->method, CW_STR("OPTIONS"));
        head->path = is_options ? CW_STR("*") : CW_STR("/");
    } else if (from[len] == '?') {
        /* The host moves over the second slash to make room for the one of the path. */
        memmove(from - 1, from, len);
        from[len - 1] = '/';
        head->authority.data = from - 1;
        head->path = cw_str_of(from + len - 1, rest - len + 1);
    } else {
        head->path = cw_str_of(from + len, rest - len);
    }
    return true;
}

bool cw__http1_check_target(cw__http1 *h)
{
    cw_http_head *head = &h->s.head;
    cw_str target = cw__http1_text(&h->head, h->target, h->target_end);
    if (!cw__is_target(target)) {
        return cw__http1_refuse(h, 400, "request target with characters that it must not have");
    }
    if (cw_str_equal(head->method, CW_STR("CONNECT"))) {
        return cw__http1_refuse(h, 501, "CONNECT");
    }
    head->path = target;
    if (target.data[0] == '/') {
        return true;
    }
    if (target.data[0] == '*') {
        return (target.len == 1 && cw_str_equal(head->method, CW_STR("OPTIONS"))) ||
               cw__http1_refuse(h, 400, "request target of an unknown form");
    }
    return read_absolute(h, target);
}
