/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "coding.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { NONE = 0, GZIP = CW_HTTP_GZIP, BR = CW_HTTP_BR, BOTH = GZIP | BR };

/* Fields around those of this name, whose lines are parted by '\n' in text; NULL: there is none. */
static cw_http_fields fields_of(cw_http_field *room, const char *name, const char *text)
{
    size_t n = 0;
    room[n++] = (cw_http_field){CW_STR("content-type"), CW_STR("br")};
    while (text != NULL) {
        size_t len = strcspn(text, "\n");
        room[n++] = (cw_http_field){cw_str_from(name), cw_str_of(text, len)};
        text = text[len] == '\n' ? text + len + 1 : NULL;
    }
    room[n++] = (cw_http_field){CW_STR("accept"), CW_STR("gzip")};
    return (cw_http_fields){room, n};
}

static void names(void **state)
{
    (void)state;
    assert_null(cw__coding_accept(NONE));
    assert_string_equal(cw__coding_accept(GZIP), "gzip");
    assert_string_equal(cw__coding_accept(BR), "br");
    assert_string_equal(cw__coding_accept(BOTH), "br, gzip");
    assert_null(cw__coding_name(NONE));
    assert_string_equal(cw__coding_name(GZIP), "gzip");
    assert_string_equal(cw__coding_name(BR), "br");
}

/* RFC 9110, 12.5.3 */
static void accept_encoding(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *value;
        unsigned offered, chosen;
    } rows[] = {
        /* line, value, offered, chosen, refused */
        {__LINE__, NULL, BOTH, NONE},
        {__LINE__, "", BOTH, NONE},
        {__LINE__, "gzip", BOTH, GZIP},
        {__LINE__, "br", BOTH, BR},
        {__LINE__, "gzip, br", BOTH, BR},
        {__LINE__, "br,gzip", BOTH, BR},
        {__LINE__, "gzip, deflate, br, zstd", BOTH, BR},
        {__LINE__, "gzip, deflate, br, zstd", GZIP, GZIP},
        {__LINE__, "gzip, deflate, br, zstd", NONE, NONE},
        {__LINE__, "deflate, zstd", BOTH, NONE},
        {__LINE__, "br", GZIP, NONE},
        {__LINE__, "GZip", BOTH, GZIP},
        {__LINE__, "BR", BOTH, BR},
        {__LINE__, "x-gzip", BOTH, GZIP},
        {__LINE__, "X-GZIP;q=0.3", BOTH, GZIP},
        {__LINE__, "gzi", BOTH, NONE},
        {__LINE__, "gzipp", BOTH, NONE},
        /* weights */
        {__LINE__, "gzip;q=1.0, br;q=0.9", BOTH, GZIP},
        {__LINE__, "gzip;q=0.9, br;q=0.91", BOTH, BR},
        {__LINE__, "gzip;q=0.501, br;q=0.5", BOTH, GZIP},
        {__LINE__, "gzip;q=0.001", BOTH, GZIP},
        {__LINE__, "gzip;q=0.5, br;q=0.5", BOTH, BR},
        {__LINE__, "gzip;Q=0.5, br;q=0.4", BOTH, GZIP},
        {__LINE__, "gzip;q=0", BOTH, NONE},
        {__LINE__, "gzip;q=0.000, br;q=0.", BOTH, NONE},
        {__LINE__, "br;q=0, gzip", BOTH, GZIP},
        {__LINE__, "br;q=1.000, gzip;q=1", BOTH, BR},
        {__LINE__, "gzip;q=1.", BOTH, GZIP},
        {__LINE__, "gzip;q=0.2, gzip;q=0.9, br;q=0.5", BOTH, BR}, /* the first counts */
        /* the star is what was not named */
        {__LINE__, "*", BOTH, BR},
        {__LINE__, "*", GZIP, GZIP},
        {__LINE__, "*;q=0.1", BOTH, BR},
        {__LINE__, "gzip, *;q=0.5", BOTH, GZIP},
        {__LINE__, "gzip;q=0.5, *", BOTH, BR},
        {__LINE__, "br;q=0, *", BOTH, GZIP},
        {__LINE__, "br;q=0, gzip;q=0, *", BOTH, NONE},
        {__LINE__, "*;q=0", BOTH, NONE},
        {__LINE__, "*;q=0, gzip", BOTH, GZIP},
        {__LINE__, "gzip, *;q=0", BR, NONE},
        {__LINE__, "*;q=0, identity", BOTH, NONE},
        {__LINE__, "*;q=0, identity;q=0.1", NONE, NONE},
        {__LINE__, "gzip;q=0.5, *;q=0.8", GZIP, NONE}, /* identity is liked better */
        /* identity */
        {__LINE__, "identity", BOTH, NONE},
        {__LINE__, "identity;q=0", BOTH, NONE},
        {__LINE__, "identity;q=0.0", NONE, NONE},
        {__LINE__, "gzip, identity;q=0", BOTH, GZIP},
        {__LINE__, "gzip, identity;q=0", BR, NONE},
        {__LINE__, "gzip;q=0, identity;q=0", BOTH, NONE},
        {__LINE__, "identity;q=0, *;q=0.1", BOTH, BR},
        {__LINE__, "gzip;q=0.5, identity", BOTH, NONE},
        {__LINE__, "gzip;q=0.5, identity;q=0.5", BOTH, GZIP},
        {__LINE__, "gzip;q=0.5, identity;q=0.4", BOTH, GZIP},
        /* several lines are one list */
        {__LINE__, "gzip;q=0.5\nbr;q=0.8", BOTH, BR},
        {__LINE__, "deflate\ngzip", BOTH, GZIP},
        {__LINE__, "\n\ngzip", BOTH, GZIP},
        {__LINE__, "gzip\n*;q=0", BR, NONE},
        /* odd blanks, empty members */
        {__LINE__, "  gzip  ", BOTH, GZIP},
        {__LINE__, ",,, gzip ,,", BOTH, GZIP},
        {__LINE__, ",", BOTH, NONE},
        {__LINE__, "gzip \t; \tq=0.5 ,\tbr\t;q=0.4", BOTH, GZIP},
        {__LINE__, "gzip;q=0.5,br;q=0.6", BOTH, BR},
        /* what is malformed is as if it was not there */
        {__LINE__, "gzip;", BOTH, NONE},
        {__LINE__, "gzip;q", BOTH, NONE},
        {__LINE__, "gzip;q=", BOTH, NONE},
        {__LINE__, "gzip;q=1.001", BOTH, NONE},
        {__LINE__, "gzip;q=1.1", BOTH, NONE},
        {__LINE__, "gzip;q=2", BOTH, NONE},
        {__LINE__, "gzip;q=0.1234", BOTH, NONE},
        {__LINE__, "gzip;q=.5", BOTH, NONE},
        {__LINE__, "gzip;q=0,5", BOTH, NONE},
        {__LINE__, "gzip;q=-1", BOTH, NONE},
        {__LINE__, "gzip;q=0.5x", BOTH, NONE},
        {__LINE__, "gzip;q=00", BOTH, NONE},
        {__LINE__, "gzip;q = 1", BOTH, NONE},
        {__LINE__, "gzip;q= 1", BOTH, NONE},
        {__LINE__, "gzip;level=1", BOTH, NONE},
        {__LINE__, "gzip;q=1;x=2", BOTH, NONE},
        {__LINE__, "gzip q=1", BOTH, NONE},
        {__LINE__, "gzip br", BOTH, NONE},
        {__LINE__, "gzip;q=9, br", BOTH, BR},
        {__LINE__, ";q=1, gzip", BOTH, GZIP},
        {__LINE__, "identity;q=x", BOTH, NONE},
        {__LINE__, "**", BOTH, NONE},
        {__LINE__, "\"gzip\"", BOTH, NONE},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cw_http_field room[8];
        cw_http_fields fields = fields_of(room, "accept-encoding", rows[i].value);
        unsigned chosen = cw__coding_choose(fields, rows[i].offered);
        if (chosen != rows[i].chosen) {
            fail_msg("row at line %d: chosen %u", rows[i].line, chosen);
        }
    }
    assert_int_equal(cw__coding_choose((cw_http_fields){NULL, 0}, BOTH), NONE);
}

/* RFC 9110, 8.4 */
static void content_encoding(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *value;
        cw_net_status st;
        unsigned coding;
        const char *detail;
    } rows[] = {
        {__LINE__, NULL, CW_NET_OK, NONE, ""},
        {__LINE__, "", CW_NET_OK, NONE, ""},
        {__LINE__, "identity", CW_NET_OK, NONE, ""},
        {__LINE__, "gzip", CW_NET_OK, GZIP, ""},
        {__LINE__, "GZIP", CW_NET_OK, GZIP, ""},
        {__LINE__, "x-gzip", CW_NET_OK, GZIP, ""},
        {__LINE__, "br", CW_NET_OK, BR, ""},
        {__LINE__, "Br", CW_NET_OK, BR, ""},
        {__LINE__, " gzip\t", CW_NET_OK, GZIP, ""},
        {__LINE__, ", gzip ,,", CW_NET_OK, GZIP, ""},
        {__LINE__, "identity, br", CW_NET_OK, BR, ""},
        {__LINE__, "gzip\nidentity", CW_NET_OK, GZIP, ""},
        {__LINE__, "gzip, br", CW_NET_ERR_CODING, NONE, "more than one content coding"},
        {__LINE__, "gzip, gzip", CW_NET_ERR_CODING, NONE, "more than one content coding"},
        {__LINE__, "br\nx-gzip", CW_NET_ERR_CODING, NONE, "more than one content coding"},
        {__LINE__, "deflate", CW_NET_ERR_CODING, NONE, "content coding \"deflate\""},
        {__LINE__, "zstd", CW_NET_ERR_CODING, NONE, "content coding \"zstd\""},
        {__LINE__, "compress, gzip", CW_NET_ERR_CODING, NONE, "content coding \"compress\""},
        {__LINE__, "gzip, deflate", CW_NET_ERR_CODING, NONE, "content coding \"deflate\""},
        {__LINE__, "gzip;q=1", CW_NET_ERR_CODING, NONE, "content coding \"gzip;q=1\""},
        {__LINE__, "*", CW_NET_ERR_CODING, NONE, "content coding \"*\""},
        {__LINE__, "a-name-that-is-much-longer-than-any-of-a-content-coding", CW_NET_ERR_CODING,
         NONE, "content coding \"a-name-that-is-much-longer-than-any-of-a\""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cw_http_field room[8];
        cw_net_error e = {0};
        unsigned coding = 99;
        cw_net_status st =
            cw__coding_of(fields_of(room, "content-encoding", rows[i].value), &coding, &e);
        if (st != rows[i].st || e.status != st || strcmp(e.detail, rows[i].detail) != 0 ||
            (st == CW_NET_OK && coding != rows[i].coding)) {
            fail_msg("row at line %d: status %d, coding %u, %s", rows[i].line, st, coding,
                     e.detail);
        }
        assert_int_equal(
            cw__coding_of(fields_of(room, "content-encoding", rows[i].value), &coding, NULL), st);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(accept_encoding),
        cmocka_unit_test(content_encoding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
