/* SPDX-License-Identifier: MIT */
/* Bodies of requests over HTTP/1.1: in pieces, against slow servers, 100-continue, coded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "client_fixture.h"
#include "coding.h"

enum { KIB = 1024, MIB = 1024 * KIB, EXPANSION = 1032 };

/* ---- up ----------------------------------------------------------------------------------------
 */

/* Answers with what came; the head's last line ends with an empty line. */
static void mirror(fake_peer *p)
{
    while (fake_read_request(p)) {
        char head[80];
        snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\ncontent-length: %zu\r\n\r\n",
                 strlen(p->head) + p->body_len);
        fake_write(p, head);
        fake_write(p, p->head);
        fake_write_bytes(p, p->body, p->body_len);
    }
}

static const char *body_of(const answer *a)
{
    const char *end = a->body != NULL ? strstr(a->body, "\r\n\r\n") : NULL;
    return end != NULL ? end + 4 : "(none)";
}

static void write_text(answer *a, const char *text)
{
    assert_int_equal(cw_http_exchange_write(a->x, cw_bytes_of(text, strlen(text))), CW_NET_OK);
}

static void end_upload(answer *a)
{
    assert_int_equal(cw_http_exchange_end(a->x, (cw_http_fields){.len = 0}), CW_NET_OK);
}

/* Before there is a connection, while there is one, or both. */
static void uploads_are_written_in_pieces(void **state)
{
    (void)state;
    static const struct {
        int line;
        unsigned pieces_before, pieces_after;
        bool ends_before;
        const char *framing;
    } rows[] = {
        {__LINE__, 3, 0, true, "content-length: 9"}, /* it was known in time */
        {__LINE__, 0, 0, true, "content-length: 3"},
        {__LINE__, 3, 0, false, "transfer-encoding: chunked"},
        {__LINE__, 0, 3, false, "transfer-encoding: chunked"},
        {__LINE__, 2, 4, false, "transfer-encoding: chunked"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client_fixture f;
        answer a = {.f = NULL};
        char wanted[64] = "x--";
        fake_server *server = fake_start(mirror, NULL);
        client_setup(&f, NULL, server->port);
        const cw_http_request request = {.body = {(const uint8_t *)"x--", 3}, .streamed = true};
        client_send(&f, &request, &a);
        assert_int_equal(cw_http_exchange_unsent(a.x), 3);
        for (unsigned k = 0; k < rows[i].pieces_before; k++) {
            write_text(&a, "12");
            strcat(wanted, "12");
        }
        assert_int_equal(cw_http_exchange_unsent(a.x), 3 + 2 * rows[i].pieces_before);
        if (rows[i].ends_before) {
            end_upload(&a);
        } else {
            client_wait_for_flight(&f);
            for (unsigned k = 0; k < rows[i].pieces_after; k++) {
                write_text(&a, "345");
                strcat(wanted, "345");
                client_run_for(&f, 2);
            }
            end_upload(&a);
        }
        assert_int_equal(cw_http_exchange_write(a.x, cw_bytes_of("x", 1)), CW_NET_ERR_ARGUMENT);
        assert_int_equal(cw_http_exchange_end(a.x, (cw_http_fields){.len = 0}),
                         CW_NET_ERR_ARGUMENT);
        client_wait(&f, 1);
        if (a.e.status != CW_NET_OK || strcmp(body_of(&a), wanted) != 0 ||
            strcasestr(a.body, rows[i].framing) == NULL || strncmp(a.body, "POST ", 5) != 0) {
            fail_msg("line %d: %s %s", rows[i].line, cw_net_status_name(a.e.status), a.body);
        }
        client_teardown(&f);
        fake_stop(server);
        answer_free(&a);
    }
}

static void only_streamed_requests_are_written_to(void **state)
{
    (void)state;
    client_fixture f;
    answer a = {.f = NULL};
    fake_server *server = fake_start(mirror, NULL);
    client_setup(&f, NULL, server->port);
    client_send_get(&f, "/", &a);
    assert_int_equal(cw_http_exchange_write(a.x, cw_bytes_of("x", 1)), CW_NET_ERR_ARGUMENT);
    assert_int_equal(cw_http_exchange_end(a.x, (cw_http_fields){.len = 0}), CW_NET_ERR_ARGUMENT);
    client_wait(&f, 1);
    client_teardown(&f);
    fake_stop(server);
    answer_free(&a);
}

/* Reads the head, the rest when it is told to; answers with how much came. */
static void count_when_told(fake_peer *p)
{
    if (fake_read_head(p) && fake_wait(p, 1) && fake_read_body(p)) {
        char text[100], number[20];
        snprintf(number, sizeof number, "%zu", p->body_len);
        snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\ncontent-length: %zu\r\n\r\n%s",
                 strlen(number), number);
        fake_write(p, text);
        fake_wait_end(p);
    }
}

typedef struct upload {
    size_t left, most_unsent, calls;
} upload;

enum { PIECE = 10000 };

/* A producer that keeps to the rules: writes until 64 KiB are unsent, goes on when told. */
static void write_more(answer *a)
{
    static const uint8_t piece[PIECE] = {1, 2, 3};
    upload *u = a->user;
    u->calls++;
    while (u->left > 0 && cw_http_exchange_unsent(a->x) < 64 * KIB) {
        size_t n = u->left < PIECE ? u->left : PIECE;
        assert_int_equal(cw_http_exchange_write(a->x, cw_bytes_of(piece, n)), CW_NET_OK);
        u->left -= n;
        size_t unsent = cw_http_exchange_unsent(a->x);
        u->most_unsent = unsent > u->most_unsent ? unsent : u->most_unsent;
        if (u->left == 0) {
            end_upload(a);
        }
    }
}

static void an_upload_waits_for_a_slow_server(void **state)
{
    (void)state;
    enum { LEN = 24 * MIB + 7 };
    client_fixture f;
    upload u = {.left = LEN};
    answer a = {.at_writable = write_more, .user = &u};
    fake_server *server = fake_start(count_when_told, NULL);
    client_setup(&f, NULL, server->port);
    client_send(&f, &(const cw_http_request){.streamed = true}, &a);
    write_more(&a);
    size_t left;
    do {
        left = u.left;
        client_run_for(&f, 100);
    } while (u.left < left || fake_requests(server) == 0);
    assert_true(u.left > LEN / 4); /* the sockets hold the rest */
    fake_signal(server);
    client_wait(&f, 1);
    char number[20];
    snprintf(number, sizeof number, "%d", LEN);
    assert_answer(&a, 200, number);
    assert_int_equal(u.left, 0);
    assert_true(u.most_unsent < 64 * KIB + PIECE);
    assert_true(u.calls > 10);
    client_teardown(&f);
    fake_stop(server);
    answer_free(&a);
}

/* Answers after the head, does not read the body. */
static void answer_early(fake_peer *p)
{
    const char *const *says = p->ctx;
    if (fake_read_head(p)) {
        fake_write(p, *says);
        fake_wait_end(p);
    }
}

static void an_answer_may_come_before_the_upload_ends(void **state)
{
    (void)state;
    for (int is_streamed = 0; is_streamed < 2; is_streamed++) {
        client_fixture f;
        answer a = {.f = NULL}, next = {.f = NULL};
        const char *says = "HTTP/1.1 413 Too much\r\ncontent-length: 2\r\n\r\nno";
        uint8_t *body = calloc(1, 16 * MIB);
        fake_server *server = fake_start(answer_early, &says);
        client_setup(&f, NULL, server->port);
        const cw_http_request request = {.body = {body, is_streamed ? 100 : 16 * MIB},
                                         .streamed = is_streamed};
        client_fetch(&f, &request, &a);
        assert_answer(&a, 413, "no");
        client_get(&f, "/", &next); /* on a new connection: the old one is in mid-request */
        assert_answer(&next, 413, "no");
        assert_false(next.reused);
        client_teardown(&f);
        assert_int_equal(f.errors, 0);
        fake_stop(server);
        answer_free(&a);
        answer_free(&next);
        free(body);
    }
}

/* ---- 100-continue ------------------------------------------------------------------------------
 */

/* Reads the head; what the client does before it is told "100 Continue" is seen after a while. */
static void answer_expectation(fake_peer *p)
{
    const char *const *says = p->ctx;
    if (!fake_read_head(p) || !fake_has_line(p, "expect: 100-continue")) {
        return;
    }
    usleep(100000);
    char byte;
    bool is_early = recv(p->fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK) == 1 || p->len > 0;
    fake_write(p, *says);
    if (is_early || strstr(*says, " 4") != NULL || !fake_read_body(p)) {
        return;
    }
    char text[200];
    snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\ncontent-length: %zu\r\n\r\n%s", p->body_len,
             p->body);
    fake_write(p, text);
    fake_wait_end(p);
}

static void the_body_waits_for_100_continue(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *says;
        bool is_streamed;
        unsigned status, least_ms;
        const char *body;
    } rows[] = {
        {__LINE__, "HTTP/1.1 100 Continue\r\n\r\n", false, 200, 90, "the body"},
        {__LINE__, "HTTP/1.1 100 Continue\r\n\r\n", true, 200, 90, "the body"},
        {__LINE__, "", false, 200, 990, "the body"}, /* after a second it goes on by itself */
        {__LINE__, "HTTP/1.1 417 No\r\ncontent-length: 2\r\n\r\nno", false, 417, 90, "no"},
        {__LINE__, "HTTP/1.1 403 No\r\ncontent-length: 2\r\n\r\nno", true, 403, 90, "no"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client_fixture f;
        const char *says = rows[i].says;
        answer a = {.f = NULL};
        fake_server *server = fake_start(answer_expectation, &says);
        client_setup(&f, NULL, server->port);
        uint64_t begin = uv_hrtime();
        const cw_http_request request = {.body = {(const uint8_t *)"the body", 8},
                                         .expect = true,
                                         .streamed = rows[i].is_streamed,
                                         .timeout_ms = 30000};
        client_send(&f, &request, &a);
        if (rows[i].is_streamed) {
            end_upload(&a);
        }
        client_wait(&f, 1);
        uint64_t ms = (uv_hrtime() - begin) / 1000000;
        if (a.e.status != CW_NET_OK || a.status != rows[i].status ||
            strcmp(a.body, rows[i].body) != 0 || ms < rows[i].least_ms) {
            fail_msg("line %d: %s %u %s after %u ms", rows[i].line, cw_net_status_name(a.e.status),
                     a.status, a.body, (unsigned)ms);
        }
        client_teardown(&f);
        fake_stop(server);
        answer_free(&a);
    }
}

static void waiting_for_100_continue_has_a_limit_too(void **state)
{
    (void)state;
    client_fixture f;
    const char *says = "";
    answer a = {.f = NULL}, cancelled = {.f = NULL};
    fake_server *server = fake_start(answer_expectation, &says);
    client_setup(&f, NULL, server->port);
    const cw_http_request request = {.body = {(const uint8_t *)"x", 1}, .expect = true};
    cw_http_request limited = request;
    limited.timeout_ms = 50;
    client_fetch(&f, &limited, &a);
    assert_failed(&a, CW_NET_ERR_TIMEOUT);
    client_send(&f, &request, &cancelled);
    client_wait_for_requests(&f, server, 2);
    cw_http_exchange_cancel(cancelled.x);
    client_wait(&f, 2);
    assert_failed(&cancelled, CW_NET_ERR_CANCELLED);
    client_teardown(&f);
    fake_stop(server);
    answer_free(&a);
    answer_free(&cancelled);
}

/* ---- content coding ----------------------------------------------------------------------------
 */

static void requests_are_coded(void **state)
{
    (void)state;
    static const cw_http_field own[] = {{CW_STR_INIT("Content-Encoding"), CW_STR_INIT("x-own")}};
    static const struct {
        int line;
        cw_http_coding_options o;
        size_t len;
        cw_http_fields fields;
        bool is_random, is_streamed;
        unsigned coding; /* that is expected */
        const char *accept;
    } rows[] = {
        {__LINE__,
         {.request_coding = CW_HTTP_GZIP},
         5000,
         {NULL, 0},
         false,
         false,
         CW_HTTP_GZIP,
         NULL},
        {__LINE__,
         {.request_coding = CW_HTTP_BR, .codings = CW_HTTP_BR},
         5000,
         {NULL, 0},
         false,
         false,
         CW_HTTP_BR,
         "accept-encoding: br"},
        {__LINE__,
         {.request_coding = CW_HTTP_GZIP, .codings = CW_HTTP_BR | CW_HTTP_GZIP},
         1024,
         {NULL, 0},
         false,
         false,
         CW_HTTP_GZIP,
         "accept-encoding: br, gzip"},
        {__LINE__, {.request_coding = CW_HTTP_GZIP}, 1023, {NULL, 0}, false, false, 0, NULL},
        {__LINE__,
         {.request_coding = CW_HTTP_GZIP, .min_size = 100},
         100,
         {NULL, 0},
         false,
         false,
         CW_HTTP_GZIP,
         NULL},
        {__LINE__, {.request_coding = CW_HTTP_GZIP}, 5000, {NULL, 0}, true, false, 0, NULL},
        {__LINE__, {.request_coding = CW_HTTP_GZIP}, 5000, {own, 1}, false, false, 0, NULL},
        {__LINE__, {.request_coding = CW_HTTP_GZIP}, 5000, {NULL, 0}, false, true, 0, NULL},
        {__LINE__,
         {.codings = CW_HTTP_GZIP},
         5000,
         {NULL, 0},
         false,
         false,
         0,
         "accept-encoding: gzip"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client_fixture f;
        uint8_t plain[5000];
        for (uint32_t k = 0, seed = 1; k < sizeof plain; k++) {
            seed = seed * 1664525u + 1013904223u;
            plain[k] = rows[i].is_random ? (uint8_t)(seed >> 24) : (uint8_t)('a' + k % 26);
        }
        fake_server *server = fake_start(mirror, NULL);
        client_setup(&f, &(cw_http_client_options){.coding = rows[i].o}, server->port);
        const cw_http_request request = {.body = {plain, rows[i].len},
                                         .fields = rows[i].fields,
                                         .streamed = rows[i].is_streamed};
        for (int again = 0; again < 2; again++) {
            answer a = {.f = NULL};
            client_send(&f, &request, &a);
            if (rows[i].is_streamed) {
                end_upload(&a);
            }
            client_wait(&f, f.ended + 1);
            const char *body = body_of(&a);
            size_t len = a.body_len - (size_t)(body - a.body);
            char line[64];
            snprintf(line, sizeof line, "\r\ncontent-encoding: %s\r\n",
                     rows[i].coding ? cw__coding_name(rows[i].coding) : "");
            bool is_named = strcasestr(a.body, line) != NULL;
            bool accepts = rows[i].accept != NULL ? strcasestr(a.body, rows[i].accept) != NULL
                                                  : strcasestr(a.body, "accept-enc") == NULL;
            cw__buf out = {.data = NULL};
            if (rows[i].coding != 0) {
                cw_net_error e;
                cw__coder *decoder = cw__decoder_open(rows[i].coding, EXPANSION);
                assert_int_equal(cw__decode(decoder, cw_bytes_of(body, len), true, MIB, &out, &e),
                                 CW_NET_OK);
                cw__coder_free(decoder);
            } else {
                cw__buf_append(&out, body, len);
            }
            if (is_named != (rows[i].coding != 0) || !accepts ||
                !cw_bytes_equal(cw__buf_bytes(&out), request.body) ||
                (rows[i].coding != 0) != (len < rows[i].len)) {
                fail_msg("line %d: %zu of %zu bytes: %.300s", rows[i].line, len, rows[i].len,
                         a.body);
            }
            cw__buf_free(&out);
            answer_free(&a);
        }
        client_teardown(&f);
        fake_stop(server);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uploads_are_written_in_pieces),
        cmocka_unit_test(only_streamed_requests_are_written_to),
        cmocka_unit_test(an_upload_waits_for_a_slow_server),
        cmocka_unit_test(an_answer_may_come_before_the_upload_ends),
        cmocka_unit_test(the_body_waits_for_100_continue),
        cmocka_unit_test(waiting_for_100_continue_has_a_limit_too),
        cmocka_unit_test(requests_are_coded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
