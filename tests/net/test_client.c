/* SPDX-License-Identifier: MIT */
/* The client over HTTP/1.1 against scripted servers: what it sends, and what it makes of answers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "client_fixture.h"
#include "fake_server.h"

/* ---- responses ---------------------------------------------------------------------------------
 */

typedef struct response_row {
    int line;
    const char *method, *bytes;
    bool closes; /* the server, after it */
    /* What it is to the client: */
    cw_net_status st;
    unsigned status;
    const char *body, *trailers;
    bool reused; /* the connection, for the next request */
} response_row;

#define HEAD "HTTP/1.1 200 OK\r\n"

static const response_row responses[] = {
    /* complete, by length */
    {__LINE__, "GET", HEAD "content-length: 5\r\n\r\nhello", false, CW_NET_OK, 200, "hello", "",
     true},
    {__LINE__, "GET", HEAD "Content-Length: 0\r\n\r\n", false, CW_NET_OK, 200, "", "", true},
    {__LINE__, "GET", "HTTP/1.1 404 \r\ncontent-length: 2\r\n\r\nno", false, CW_NET_OK, 404, "no",
     "", true},
    {__LINE__, "GET", "HTTP/1.1 599 X\r\ncontent-length: 2\r\n\r\nno", false, CW_NET_OK, 599, "no",
     "", true},
    /* complete, by chunks */
    {__LINE__, "GET", HEAD "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", false,
     CW_NET_OK, 200, "hello", "", true},
    {__LINE__, "GET",
     HEAD "Transfer-Encoding: Chunked\r\n\r\n2;x=\"y\"\r\nhe\r\n003\r\nllo\r\n0\r\nX-A: 1\r\n"
          "x-b:  2 \r\n\r\n",
     false, CW_NET_OK, 200, "hello", "x-a: 1\nx-b: 2\n", true},
    {__LINE__, "GET", HEAD "transfer-encoding: chunked\r\n\r\n0\r\n\r\n", false, CW_NET_OK, 200, "",
     "", true},
    /* complete, without a body by nature */
    {__LINE__, "GET", "HTTP/1.1 204 No Content\r\n\r\n", false, CW_NET_OK, 204, "", "", true},
    {__LINE__, "GET", "HTTP/1.1 304 Not Modified\r\ncontent-length: 99\r\n\r\n", false, CW_NET_OK,
     304, "", "", true},
    {__LINE__, "HEAD", HEAD "content-length: 99\r\n\r\n", false, CW_NET_OK, 200, "", "", true},
    {__LINE__, "HEAD", HEAD "transfer-encoding: chunked\r\n\r\n", false, CW_NET_OK, 200, "", "",
     true},
    {__LINE__, "HEAD", HEAD "content-encoding: zstd\r\n\r\n", false, CW_NET_OK, 200, "", "", true},
    /* complete, by the connection's end */
    {__LINE__, "GET", HEAD "\r\nhello", true, CW_NET_OK, 200, "hello", "", false},
    {__LINE__, "GET", HEAD "connection: close\r\n\r\nhello", true, CW_NET_OK, 200, "hello", "",
     false},
    {__LINE__, "GET", HEAD "\r\n", true, CW_NET_OK, 200, "", "", false},
    {__LINE__, "GET", "HTTP/1.0 200 OK\r\n\r\nhello", true, CW_NET_OK, 200, "hello", "", false},
    /* complete, and the connection ends */
    {__LINE__, "GET", HEAD "content-length: 5\r\nconnection: Close\r\n\r\nhello", false, CW_NET_OK,
     200, "hello", "", false},
    {__LINE__, "GET", HEAD "content-length: 5\r\nconnection: x, close\r\n\r\nhello", false,
     CW_NET_OK, 200, "hello", "", false},
    {__LINE__, "GET", "HTTP/1.0 200 OK\r\ncontent-length: 5\r\n\r\nhello", false, CW_NET_OK, 200,
     "hello", "", false},
    {__LINE__, "GET", HEAD "content-length: 5\r\n\r\nhello", true, CW_NET_OK, 200, "hello", "",
     false},
    /* informational ones are not shown */
    {__LINE__, "GET",
     "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" HEAD
     "content-length: 5\r\n\r\nhello",
     false, CW_NET_OK, 200, "hello", "", true},
    /* incomplete is no success */
    {__LINE__, "GET", "", true, CW_NET_ERR_CLOSED, 0, "", "", false},
    {__LINE__, "GET", "HTTP/1.1 200 O", true, CW_NET_ERR_CLOSED, 0, "", "", false},
    {__LINE__, "GET", HEAD "content-length: 5\r\n", true, CW_NET_ERR_CLOSED, 0, "", "", false},
    {__LINE__, "GET", "HTTP/1.1 100 Continue\r\n\r\n", true, CW_NET_ERR_CLOSED, 0, "", "", false},
    {__LINE__, "GET", HEAD "content-length: 5\r\n\r\n", true, CW_NET_ERR_CLOSED, 200, "", "",
     false},
    {__LINE__, "GET", HEAD "content-length: 5\r\n\r\nhell", true, CW_NET_ERR_CLOSED, 200, "hell",
     "", false},
    {__LINE__, "GET", HEAD "transfer-encoding: chunked\r\n\r\n5\r\nhell", true, CW_NET_ERR_CLOSED,
     200, "hell", "", false},
    {__LINE__, "GET", HEAD "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n", true,
     CW_NET_ERR_CLOSED, 200, "hello", "", false},
    {__LINE__, "GET", HEAD "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n", true,
     CW_NET_ERR_CLOSED, 200, "hello", "", false},
    {__LINE__, "GET", HEAD "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nx: y\r\n", true,
     CW_NET_ERR_CLOSED, 200, "hello", "", false},
    /* wrong */
    {__LINE__, "GET", "hello\r\n\r\n", false, CW_NET_ERR_PROTOCOL, 0, "", "", false},
    {__LINE__, "GET", HEAD "transfer-encoding: chunked\r\n\r\nx\r\n", false, CW_NET_ERR_PROTOCOL,
     200, "", "", false},
    {__LINE__, "GET", HEAD "content-length: 5\r\ncontent-length: 6\r\n\r\nhello", false,
     CW_NET_ERR_PROTOCOL, 0, "", "", false},
    {__LINE__, "GET", HEAD "content-length: -1\r\n\r\n", false, CW_NET_ERR_PROTOCOL, 0, "", "",
     false},
    {__LINE__, "GET", HEAD "a b: c\r\ncontent-length: 0\r\n\r\n", false, CW_NET_ERR_PROTOCOL, 0, "",
     "", false},
};

static void answer_with_row(fake_peer *p)
{
    const response_row *row = p->ctx;
    while (fake_read_request(p)) {
        if (!fake_write(p, row->bytes) || row->closes) {
            return;
        }
    }
}

static void responses_are_framed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof responses / sizeof responses[0]; i++) {
        response_row row = responses[i];
        client_fixture f;
        answer first = {.f = NULL}, second = {.f = NULL};
        fake_server *server = fake_start(answer_with_row, &row);
        client_setup(&f, &(cw_http_client_options){.max_connections = 1}, server->port);
        const cw_http_request request = {.method = cw_str_from(row.method)};
        client_fetch(&f, &request, &first);
        bool is_right = first.e.status == row.st && first.status == row.status &&
                        strcmp(first.body, row.body) == 0 &&
                        strcmp(first.trailers, row.trailers) == 0 &&
                        first.heads == (row.status != 0 ? 1 : 0) && !first.reused;
        if (!is_right) {
            fail_msg("line %d: %s (%s) %u \"%s\" \"%s\", %u heads", row.line,
                     cw_net_status_name(first.e.status), first.e.detail, first.status, first.body,
                     first.trailers, first.heads);
        }
        client_fetch(&f, &request, &second);
        if (second.reused != row.reused || fake_accepted(server) != (row.reused ? 1 : 2)) {
            fail_msg("line %d: reused %d, %u connections", row.line, second.reused,
                     fake_accepted(server));
        }
        client_teardown(&f);
        fake_stop(server);
        answer_free(&first);
        answer_free(&second);
    }
}

/* Bytes after a response belong to nobody: the answer counts, the connection is not used again. */
static void answer_and_more(fake_peer *p)
{
    while (fake_read_request(p)) {
        fake_write(p, HEAD "content-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n");
    }
}

static void a_response_nobody_asked_for_is_not_taken(void **state)
{
    (void)state;
    client_fixture f;
    answer a[3] = {{.f = NULL}};
    fake_server *server = fake_start(answer_and_more, NULL);
    client_setup(&f, NULL, server->port);
    for (unsigned i = 0; i < 3; i++) {
        client_get(&f, "/", &a[i]);
        assert_answer(&a[i], 200, "ok");
        assert_false(a[i].reused);
    }
    assert_int_equal(fake_accepted(server), 3);
    client_teardown(&f);
    assert_int_equal(f.errors, 3);
    assert_int_equal(f.error.status, CW_NET_ERR_PROTOCOL);
    fake_stop(server);
    for (unsigned i = 0; i < 3; i++) {
        answer_free(&a[i]);
    }
}

/* ---- requests ----------------------------------------------------------------------------------
 */

/* Answers with the head and body that came. */
static void mirror(fake_peer *p)
{
    while (fake_read_request(p)) {
        char head[64];
        snprintf(head, sizeof head, HEAD "content-length: %zu\r\n\r\n",
                 strlen(p->head) + p->body_len);
        fake_write(p, head);
        fake_write(p, p->head);
        fake_write_bytes(p, p->body, p->body_len);
    }
}

static void requests_arrive_as_they_were_given(void **state)
{
    (void)state;
    static const cw_http_field two[] = {{CW_STR_INIT("X-A"), CW_STR_INIT("1")},
                                        {CW_STR_INIT("x-b"), CW_STR_INIT("")}};
    static const struct {
        int line;
        cw_http_request request;
        const char *line_1, *body;
        const char *fields[3], *not [2];
    } rows[] = {
        {__LINE__,
         {.path = CW_STR_INIT("/a?b=c")},
         "GET /a?b=c HTTP/1.1\r\n",
         "",
         {NULL},
         {"content-length", "accept-encoding"}},
        {__LINE__, {.user = NULL}, "GET / HTTP/1.1\r\n", "", {NULL}, {"transfer-encoding"}},
        {__LINE__,
         {.body = {(const uint8_t *)"hey", 3}},
         "POST / HTTP/1.1\r\n",
         "hey",
         {"content-length: 3"},
         {"transfer-encoding"}},
        {__LINE__,
         {.method = CW_STR_INIT("POST")},
         "POST / HTTP/1.1\r\n",
         "",
         {"content-length: 0"},
         {NULL}},
        {__LINE__,
         {.method = CW_STR_INIT("X-CHECK_1"), .fields = {two, 2}},
         "X-CHECK_1 / HTTP/1.1\r\n",
         "",
         {"x-a: 1", "x-b: "},
         {NULL}},
        {__LINE__,
         {.method = CW_STR_INIT("OPTIONS"), .path = CW_STR_INIT("*")},
         "OPTIONS * HTTP/1.1\r\n",
         "",
         {NULL},
         {NULL}},
        {__LINE__,
         {.method = CW_STR_INIT("PUT"), .body = {(const uint8_t *)"a\0b", 3}},
         "PUT / HTTP/1.1\r\n",
         "a",
         {"content-length: 3"},
         {NULL}},
    };
    client_fixture f;
    char host[64];
    fake_server *server = fake_start(mirror, NULL);
    client_setup(&f, NULL, server->port);
    snprintf(host, sizeof host, "\r\nhost: 127.0.0.1:%d\r\n", server->port);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        answer a = {.f = NULL};
        client_fetch(&f, &rows[i].request, &a);
        const char *end = strstr(a.body, "\r\n\r\n");
        if (a.e.status != CW_NET_OK ||
            strncmp(a.body, rows[i].line_1, strlen(rows[i].line_1)) != 0 ||
            strcasestr(a.body, host) == NULL || end == NULL || strcmp(end + 4, rows[i].body) != 0) {
            fail_msg("line %d: %s", rows[i].line, a.body);
        }
        for (size_t k = 0; k < 3 && rows[i].fields[k] != NULL; k++) {
            char line[64];
            snprintf(line, sizeof line, "\r\n%s\r\n", rows[i].fields[k]);
            if (strcasestr(a.body, line) == NULL) {
                fail_msg("line %d: %s in %s", rows[i].line, rows[i].fields[k], a.body);
            }
        }
        for (size_t k = 0; k < 2 && rows[i].not [k] != NULL; k++) {
            if (strcasestr(a.body, rows[i].not [k]) != NULL) {
                fail_msg("line %d: no %s in %s", rows[i].line, rows[i].not [k], a.body);
            }
        }
        assert_int_equal(a.body_len, (size_t)(end + 4 - a.body) + rows[i].request.body.len);
        answer_free(&a);
    }
    assert_int_equal(fake_accepted(server), 1);
    client_teardown(&f);
    fake_stop(server);
}

static void on_nothing(void *user, cw_http_exchange *x, const cw_net_error *e)
{
    (void)user;
    (void)x;
    fail_msg("%s", cw_net_status_name(e->status));
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
#define FIELD(name, value)                                                                         \
    {                                                                                              \
        .fields = {&(const cw_http_field){CW_STR_INIT(name), CW_STR_INIT(value)}, 1},              \
        .on_response = on_nothing                                                                  \
    }
#define PATH(p)                                                                                    \
    {                                                                                              \
        .path = CW_STR_INIT(p), .on_response = on_nothing                                          \
    }
    const struct {
        int line;
        cw_http_request request;
        cw_net_status st;
    } rows[] = {
        {__LINE__, {.user = NULL}, CW_NET_ERR_ARGUMENT},
        {__LINE__, PATH("x"), CW_NET_ERR_ARGUMENT},
        {__LINE__, PATH("/a b"), CW_NET_ERR_ARGUMENT},
        {__LINE__, PATH("/a\r\nx: y"), CW_NET_ERR_ARGUMENT},
        {__LINE__, PATH("/a\x7f"), CW_NET_ERR_ARGUMENT},
        {__LINE__, PATH("/\xc3\xbc"), CW_NET_ERR_ARGUMENT},
        {__LINE__, PATH("/a#b"), CW_NET_ERR_ARGUMENT},
        {__LINE__, PATH("/a\0b"), CW_NET_ERR_ARGUMENT},
        {__LINE__, PATH("*"), CW_NET_ERR_ARGUMENT},
        {__LINE__, PATH("http://h/"), CW_NET_ERR_ARGUMENT},
        {__LINE__, {.method = CW_STR_INIT("G T"), .on_response = on_nothing}, CW_NET_ERR_ARGUMENT},
        {__LINE__,
         {.method = CW_STR_INIT("GET\r\n"), .on_response = on_nothing},
         CW_NET_ERR_ARGUMENT},
        {__LINE__,
         {.method = CW_STR_INIT("CONNECT"), .on_response = on_nothing},
         CW_NET_ERR_UNSUPPORTED},
        {__LINE__, FIELD("host", "h"), CW_NET_ERR_ARGUMENT},
        {__LINE__, FIELD("Content-Length", "1"), CW_NET_ERR_ARGUMENT},
        {__LINE__, FIELD("transfer-encoding", "chunked"), CW_NET_ERR_ARGUMENT},
        {__LINE__, FIELD("connection", "close"), CW_NET_ERR_ARGUMENT},
        {__LINE__, FIELD("te", "trailers"), CW_NET_ERR_ARGUMENT},
        {__LINE__, FIELD("Accept-Encoding", "gzip"), CW_NET_ERR_ARGUMENT},
        {__LINE__, FIELD("", "x"), CW_NET_ERR_ARGUMENT},
        {__LINE__, FIELD(":path", "/"), CW_NET_ERR_ARGUMENT},
        {__LINE__, FIELD("a b", "x"), CW_NET_ERR_ARGUMENT},
        {__LINE__, FIELD("a", "x\r\ny: z"), CW_NET_ERR_ARGUMENT},
        {__LINE__, FIELD("a", "x\0"), CW_NET_ERR_ARGUMENT},
    };
#undef FIELD
#undef PATH
    client_fixture f;
    client_setup(&f, NULL, fake_dead_port());
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cw_net_error e = {.status = CW_NET_OK};
        cw_http_exchange *x = NULL;
        cw_net_status st = cw_http_send(f.client, &rows[i].request, &x, &e);
        if (st != rows[i].st || e.status != st || x != NULL || e.detail[0] == '\0') {
            fail_msg("line %d: %s %s", rows[i].line, cw_net_status_name(st), e.detail);
        }
        assert_int_equal(cw_http_send(f.client, &rows[i].request, NULL, NULL), rows[i].st);
    }
    assert_int_equal(client_counters(&f).requests, 0);
    client_teardown(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses_are_framed),
        cmocka_unit_test(a_response_nobody_asked_for_is_not_taken),
        cmocka_unit_test(requests_arrive_as_they_were_given),
        cmocka_unit_test(bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
