/* SPDX-License-Identifier: MIT */
#include "coding.h"
#include "fields.h"

const char *cw__coding_accept(unsigned codings)
{
    static const char *const values[] = {NULL, "gzip", "br", "br, gzip"};
    return values[codings & (CW_HTTP_GZIP | CW_HTTP_BR)];
}

const char *cw__coding_name(unsigned coding)
{
    return coding == CW_HTTP_GZIP ? "gzip" : coding == CW_HTTP_BR ? "br" : NULL;
}

/* ---- lists ---------------------------------------------------------------- */

/* A list field may come in several lines (RFC 9110, 5.3): this walks over the members of all. */
typedef struct members {
    cw_http_fields fields;
    const char *name;
    size_t next;
    cw_str rest;
} members;

/* The next member that is not empty. False: no more. */
static bool next_member(members *m, cw_str *member)
{
    for (;;) {
        while (m->rest.len > 0) {
            *member = cw__next_part(&m->rest, ',');
            if (member->len > 0) {
                return true;
            }
        }
        while (m->next < m->fields.len && !cw__name_is(m->fields.data[m->next].name, m->name)) {
            m->next++;
        }
        if (m->next == m->fields.len) {
            return false;
        }
        m->rest = m->fields.data[m->next++].value;
    }
}

/* ---- Accept-Encoding ------------------------------------------------------ */

enum { Q_ONE = 1000, Q_NONE = -1 };

/* RFC 9110, 12.4.2: 0, 0.123, 1, 1.000; Q_NONE: anything else. */
static int parse_q(cw_str s)
{
    if (s.len == 0 || s.len > 5 || (s.data[0] != '0' && s.data[0] != '1') ||
        (s.len > 1 && s.data[1] != '.')) {
        return Q_NONE;
    }
    int q = s.data[0] == '1' ? Q_ONE : 0, unit = 100;
    for (size_t i = 2; i < s.len; i++, unit /= 10) {
        if (s.data[i] < '0' || s.data[i] > '9') {
            return Q_NONE;
        }
        q += (s.data[i] - '0') * unit;
    }
    return q <= Q_ONE ? q : Q_NONE;
}

/* The weight of a member, whose coding goes to *coding; Q_NONE: malformed. */
static int parse_member(cw_str member, cw_str *coding)
{
    bool weighted = memchr(member.data, ';', member.len) != NULL;
    *coding = cw__next_part(&member, ';');
    if (!weighted) {
        return Q_ONE;
    }
    cw_str weight = cw__trim(member);
    if (weight.len < 2 || (weight.data[0] != 'q' && weight.data[0] != 'Q') ||
        weight.data[1] != '=') {
        return Q_NONE;
    }
    return parse_q(cw_str_of(weight.data + 2, weight.len - 2));
}

/* What a request says of each coding: a weight, Q_NONE: nothing. The first word counts. */
typedef struct wishes {
    int gzip, br, identity, any;
} wishes;

static wishes read_wishes(cw_http_fields request)
{
    wishes w = {Q_NONE, Q_NONE, Q_NONE, Q_NONE};
    members m = {.fields = request, .name = "accept-encoding"};
    cw_str member, coding;
    while (next_member(&m, &member)) {
        int q = parse_member(member, &coding);
        int *of = cw__name_is(coding, "gzip") || cw__name_is(coding, "x-gzip") ? &w.gzip
                  : cw__name_is(coding, "br")                                  ? &w.br
                  : cw__name_is(coding, "identity")                            ? &w.identity
                  : cw_str_equal(coding, CW_STR("*"))                          ? &w.any
                                                                               : NULL;
        if (q != Q_NONE && of != NULL && *of == Q_NONE) {
            *of = q;
        }
    }
    /* "*" is every coding that is not named. */
    w.gzip = w.gzip == Q_NONE ? w.any : w.gzip;
    w.br = w.br == Q_NONE ? w.any : w.br;
    w.identity = w.identity == Q_NONE ? w.any : w.identity;
    return w;
}

static unsigned best(wishes w, unsigned offered)
{
    int br = offered & CW_HTTP_BR ? w.br : Q_NONE;
    int gzip = offered & CW_HTTP_GZIP ? w.gzip : Q_NONE;
    int q = br > gzip ? br : gzip;
    if (q <= 0 || q < w.identity) {
        return 0;
    }
    return br == q ? CW_HTTP_BR : CW_HTTP_GZIP;
}

unsigned cw__coding_choose(cw_http_fields request, unsigned offered)
{
    return best(read_wishes(request), offered);
}

/* ---- Content-Encoding ----------------------------------------------------- */

cw_net_status cw__coding_of(cw_http_fields fields, unsigned *coding, cw_net_error *e)
{
    members m = {.fields = fields, .name = "content-encoding"};
    cw_str name;
    *coding = 0;
    while (next_member(&m, &name)) {
        unsigned one = cw__name_is(name, "gzip") || cw__name_is(name, "x-gzip") ? CW_HTTP_GZIP
                       : cw__name_is(name, "br")                                ? CW_HTTP_BR
                                                                                : 0;
        if (one == 0 && !cw__name_is(name, "identity")) {
            return cw_net_error_set(e, CW_NET_ERR_CODING, 0, "content coding \"%.*s\"",
                                    (int)(name.len < 40 ? name.len : 40), name.data);
        }
        if (one != 0 && *coding != 0) {
            return cw_net_error_set(e, CW_NET_ERR_CODING, 0, "more than one content coding");
        }
        *coding |= one;
    }
    return CW_NET_OK;
}
