/* SPDX-License-Identifier: MIT */
/* Content codings through the whole server, both ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "coding.h"
#include "h2_client.h"
#include "server_fixture.h"

static const cw_http_server_options plain = {.port = 0};
static const cw_http_server_options both = {.coding = {.codings = CW_HTTP_GZIP | CW_HTTP_BR}};

#define HOST "Host: localhost\r\n"

enum { EXPANSION = 1032 };

static unsigned coding_of(const char *name)
{
    return strcmp(name, "gzip") == 0 ? CW_HTTP_GZIP : strcmp(name, "br") == 0 ? CW_HTTP_BR : 0;
}

static cw__buf encoded(unsigned coding, const void *data, size_t n)
{
    cw__buf out = {.data = NULL};
    cw_net_error e;
    cw__coder *c = cw__encoder_open(coding, 5);
    assert_non_null(c);
    assert_int_equal(cw__encode(c, cw_bytes_of(data, n), true, &out, &e), CW_NET_OK);
    cw__coder_free(c);
    return out;
}

static cw__buf decoded(unsigned coding, const void *data, size_t n)
{
    cw__buf out = {.data = NULL};
    cw_net_error e;
    cw__coder *c = cw__decoder_open(coding, EXPANSION);
    assert_non_null(c);
    if (cw__decode(c, cw_bytes_of(data, n), true, 1 << 24, &out, &e) != CW_NET_OK) {
        fail_msg("cannot be decoded: %s", e.detail);
    }
    cw__coder_free(c);
    return out;
}

static void assert_alphabet(const cw__buf *b, size_t n)
{
    assert_int_equal(cw__buf_len(b), n);
    for (size_t i = 0; i < n; i++) {
        if (b->data[b->start + i] != 'a' + i % 26) {
            fail_msg("byte %zu is %d", i, b->data[b->start + i]);
        }
    }
}

/* ---- responses ---------------------------------------------------------------------------------
 */

static void responses(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *method, *path, *accept;
        int status;
        const char *coding; /* NULL: none */
        bool varies;
        size_t size; /* decoded; SIZE_MAX: no body */
    } rows[] = {
        {__LINE__, "GET", "/big", "gzip", 200, "gzip", true, 100000},
        {__LINE__, "GET", "/big", "br", 200, "br", true, 100000},
        {__LINE__, "GET", "/big", "gzip, br", 200, "br", true, 100000},
        {__LINE__, "GET", "/big", "gzip, br;q=0.5", 200, "gzip", true, 100000},
        {__LINE__, "GET", "/big", "zstd", 200, NULL, true, 100000},
        {__LINE__, "GET", "/big", NULL, 200, NULL, true, 100000},
        {__LINE__, "GET", "/big", "gzip;q=0", 200, NULL, true, 100000},
        {__LINE__, "GET", "/hello", "gzip", 200, NULL, false, 5},
        {__LINE__, "GET", "/coded", "gzip", 200, "identity", false, 100000},
        {__LINE__, "HEAD", "/big", "gzip", 200, "gzip", true, SIZE_MAX},
        {__LINE__, "HEAD", "/big", "zstd", 200, NULL, true, SIZE_MAX},
        {__LINE__, "GET", "/status/204", "gzip", 204, NULL, false, SIZE_MAX},
        {__LINE__, "GET", "/status/304", "gzip", 304, NULL, false, SIZE_MAX},
        {__LINE__, "GET", "/stream/200000", "gzip", 200, "gzip", true, 200000},
        {__LINE__, "GET", "/stream/200000", "br", 200, "br", true, 200000},
        {__LINE__, "GET", "/stream/1", "br", 200, "br", true, 1},
        {__LINE__, "GET", "/stream/0", "gzip", 200, "gzip", true, 0},
        {__LINE__, "GET", "/stream/200000", NULL, 200, NULL, true, 200000},
        {__LINE__, "HEAD", "/stream/200000", "gzip", 200, "gzip", true, SIZE_MAX},
    };
    fixture *f = fixture_open(&both);
    raw_client c;
    assert_true(raw_open(&c, f->port));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char request[200], line[100];
        raw_response r;
        snprintf(request, sizeof request, "%s %s HTTP/1.1\r\n" HOST "%s%s%s\r\n", rows[i].method,
                 rows[i].path, rows[i].accept ? "Accept-Encoding: " : "",
                 rows[i].accept ? rows[i].accept : "", rows[i].accept ? "\r\n" : "");
        int status = raw_ask(&c, request, &r);
        snprintf(line, sizeof line, "content-encoding: %s",
                 rows[i].coding ? rows[i].coding : "none");
        bool is_named =
            rows[i].coding ? raw_has_line(&r, line) : strstr(r.head, "content-encoding") == NULL;
        if (status != rows[i].status || !is_named ||
            raw_has_line(&r, "vary: accept-encoding") != rows[i].varies) {
            fail_msg("row at line %d: %s", rows[i].line, r.head);
        }
        if (rows[i].size == SIZE_MAX) {
            assert_int_equal(r.body_len, 0);
            assert_true(rows[i].coding == NULL || strstr(r.head, "content-length") == NULL);
        } else if (rows[i].coding != NULL && coding_of(rows[i].coding) != 0) {
            cw__buf body = decoded(coding_of(rows[i].coding), r.body, r.body_len);
            assert_alphabet(&body, rows[i].size);
            assert_true(rows[i].size < 1000 || r.body_len < rows[i].size / 20);
            cw__buf_free(&body);
        } else {
            assert_int_equal(r.body_len, rows[i].size);
        }
        raw_response_free(&r);
    }
    raw_close(&c);
    fixture_close(f);
}

static void no_coding_unless_asked_for(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_int_equal(
        raw_ask(&c, "GET /big HTTP/1.1\r\n" HOST "Accept-Encoding: gzip, br\r\n\r\n", &r), 200);
    assert_int_equal(r.body_len, 100000);
    assert_null(strstr(r.head, "vary"));
    raw_response_free(&r);
    raw_close(&c);
    fixture_close(f);
}

static void threshold_and_levels(void **state)
{
    (void)state;
    const cw_http_server_options o = {
        .coding = {.codings = CW_HTTP_GZIP, .gzip_level = 9, .min_size = 5}};
    fixture *f = fixture_open(&o);
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    /* "hello" is not below the threshold, but coding makes it larger. */
    assert_int_equal(
        raw_ask(&c, "GET /hello HTTP/1.1\r\n" HOST "Accept-Encoding: gzip\r\n\r\n", &r), 200);
    assert_string_equal(r.body, "hello");
    assert_true(raw_has_line(&r, "vary: accept-encoding"));
    assert_null(strstr(r.head, "content-encoding"));
    raw_response_free(&r);
    raw_close(&c);
    fixture_close(f);
}

static void h2_responses(void **state)
{
    (void)state;
    static const char *const accept[] = {"accept-encoding", "br", NULL};
    fixture *f = fixture_open(&both);
    h2_client c;
    assert_true(h2_open(&c, f->port));
    const h2_stream *whole = h2_request_with(&c, "GET", "/big", accept, NULL, 0, false);
    const h2_stream *head = h2_request_with(&c, "HEAD", "/big", accept, NULL, 0, false);
    const h2_stream *pieces = h2_request_with(&c, "GET", "/stream/300000", accept, NULL, 0, false);
    assert_true(h2_wait(&c, whole));
    cw__buf body = decoded(CW_HTTP_BR, whole->body.data, whole->body.len);
    assert_alphabet(&body, 100000);
    cw__buf_free(&body);
    assert_true(h2_wait(&c, head));
    assert_true(h2_has_line(&head->head, "content-encoding: br"));
    assert_int_equal(head->body.len, 0);
    assert_true(h2_wait(&c, pieces));
    body = decoded(CW_HTTP_BR, pieces->body.data, pieces->body.len);
    assert_alphabet(&body, 300000);
    cw__buf_free(&body);
    assert_true(h2_has_line(&pieces->trailers, "x-sum: 300000"));
    h2_close(&c);
    fixture_close(f);
}

/* ---- requests ----------------------------------------------------------------------------------
 */

static int post(raw_client *c, const char *path, const char *coding, const cw__buf *body,
                size_t step, raw_response *r)
{
    char head[200];
    snprintf(head, sizeof head,
             "POST %s HTTP/1.1\r\n" HOST "Content-Encoding: %s\r\nContent-Length: %zu\r\n\r\n",
             path, coding, cw__buf_len(body));
    assert_true(raw_send_text(c, head));
    assert_true(raw_send_cut(c, (const char *)body->data + body->start, cw__buf_len(body), step));
    return raw_get_response(c, true, r) ? r->status : -1;
}

static void requests(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    static const char *const codings[] = {"gzip", "br", "x-gzip", "GZIP", "identity"};
    static const char *const paths[] = {"/echo", "/pieces"};
    char text[26 * 40 + 1] = "";
    for (size_t i = 0; i < sizeof text - 1; i++) {
        text[i] = (char)('a' + i % 26);
    }
    raw_client c;
    assert_true(raw_open(&c, f->port));
    for (size_t i = 0; i < 5; i++) {
        unsigned coding = i == 1 ? CW_HTTP_BR : i == 4 ? 0 : CW_HTTP_GZIP;
        cw__buf body = {.data = NULL};
        if (coding != 0) {
            body = encoded(coding, text, sizeof text - 1);
        } else {
            assert_true(cw__buf_append(&body, text, sizeof text - 1));
        }
        for (size_t p = 0; p < 2; p++) {
            for (size_t step = 1; step < 10000; step *= 100) {
                raw_response r;
                assert_int_equal(post(&c, paths[p], codings[i], &body, step, &r), 200);
                assert_string_equal(r.body, text);
                raw_response_free(&r);
            }
        }
        cw__buf_free(&body);
    }
    raw_close(&c);
    fixture_close(f);
}

static void empty_bodies(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    const cw__buf none = {.data = (uint8_t[1]){0}};
    static const char *const paths[] = {"/echo", "/pieces"};
    raw_client c;
    assert_true(raw_open(&c, f->port));
    for (size_t p = 0; p < 2; p++) {
        raw_response r;
        assert_int_equal(post(&c, paths[p], "gzip", &none, 1, &r), 200);
        assert_int_equal(r.body_len, 0);
        raw_response_free(&r);
    }
    raw_close(&c);
    fixture_close(f);
}

static void requests_that_cannot_be_read(void **state)
{
    (void)state;
    static const struct {
        int line;
        const char *path, *name;
        unsigned coding; /* what it really is */
        int cut;         /* bytes taken off the end; -1: the middle is spoiled */
        int status;
        cw_net_status st;
    } rows[] = {
        {__LINE__, "/echo", "zstd", CW_HTTP_GZIP, 0, 415, CW_NET_ERR_CODING},
        {__LINE__, "/echo", "gzip, br", CW_HTTP_GZIP, 0, 415, CW_NET_ERR_CODING},
        {__LINE__, "/pieces", "zstd", CW_HTTP_GZIP, 0, 415, CW_NET_ERR_CODING},
        {__LINE__, "/echo", "br", CW_HTTP_GZIP, 0, 400, CW_NET_ERR_CODING},
        {__LINE__, "/echo", "gzip", CW_HTTP_BR, 0, 400, CW_NET_ERR_CODING},
        {__LINE__, "/echo", "gzip", CW_HTTP_GZIP, 3, 400, CW_NET_ERR_CODING},
        {__LINE__, "/echo", "br", CW_HTTP_BR, 3, 400, CW_NET_ERR_CODING},
        {__LINE__, "/echo", "gzip", CW_HTTP_GZIP, -1, 400, CW_NET_ERR_CODING},
    };
    for (size_t is_bare = 0; is_bare < 2; is_bare++) {
        fixture *f = is_bare ? fixture_open_bare(&plain) : fixture_open(&plain);
        size_t n_done = 0, n_errors = 0;
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            raw_client c;
            raw_response r;
            cw__buf body = encoded(rows[i].coding, "text text text text other", 25);
            if (rows[i].cut < 0) {
                body.data[body.start + cw__buf_len(&body) - 6] ^= 0x55; /* the checksum */
            } else {
                body.end -= (size_t)rows[i].cut;
            }
            assert_true(raw_open(&c, f->port));
            int status = post(&c, rows[i].path, rows[i].name, &body, 10000, &r);
            if (status != rows[i].status) {
                fail_msg("row at line %d: %d", rows[i].line, status);
            }
            if (status == 415) {
                assert_true(raw_has_line(&r, "accept-encoding: br, gzip"));
            }
            raw_response_free(&r);
            raw_close(&c);
            cw__buf_free(&body);
            /* An unknown coding is refused before on_head. */
            bool is_shown = status != 415 && !is_bare;
            assert_true(fixture_wait(f, is_shown ? fixture_has_done : fixture_has_errors,
                                     is_shown ? n_done + 1 : n_errors + 1));
            const cw_net_error *e = is_shown ? &f->done[n_done] : &f->errors[n_errors];
            n_done += is_shown;
            n_errors += !is_shown;
            assert_int_equal(e->status, rows[i].st);
            assert_int_equal(e->code, rows[i].status);
        }
        assert_int_equal(f->n_requests, 0);
        assert_int_equal(f->n_done, n_done);
        assert_int_equal(f->n_errors, n_errors);
        cw_net_counters n = fixture_counters(f);
        assert_int_equal(n.failed, sizeof rows / sizeof *rows);
        assert_int_equal(n.bad_requests, n_errors);
        fixture_close(f);
    }
}

/* A streamed call has begun its response when the fault is found: it is cut off. */
static void streamed_requests_that_cannot_be_read(void **state)
{
    (void)state;
    fixture *f = fixture_open(&plain);
    static const unsigned codings[] = {CW_HTTP_GZIP, CW_HTTP_BR};
    for (size_t i = 0; i < 2; i++) {
        raw_client c;
        raw_response r;
        cw__buf body = encoded(codings[i], "text text text text other", 25);
        body.end -= 3;
        assert_true(raw_open(&c, f->port));
        assert_int_equal(post(&c, "/pieces", cw__coding_name(codings[i]), &body, 1000, &r), -1);
        raw_response_free(&r);
        raw_close(&c);
        cw__buf_free(&body);
        assert_true(fixture_wait(f, fixture_has_done, i + 1));
        assert_int_equal(f->done[i].status, CW_NET_ERR_CODING);
    }
    fixture_close(f);
}

static void bombs(void **state)
{
    (void)state;
    const cw_http_server_options o = {.limits = {.max_decoded = 1000000}};
    static char zeros[20000000];
    static const unsigned codings[] = {CW_HTTP_GZIP, CW_HTTP_BR};
    fixture *f = fixture_open(&o);
    uint32_t seed = 1;
    for (size_t i = 0; i < 1000000; i += 512) { /* what fits is not beyond belief */
        seed = seed * 1664525 + 1013904223;
        zeros[i] = (char)(seed >> 24);
    }
    for (size_t i = 0; i < 2; i++) {
        const char *name = cw__coding_name(codings[i]);
        cw__buf fits = encoded(codings[i], zeros, 1000000);
        cw__buf bomb = encoded(codings[i], zeros, sizeof zeros);
        assert_in_range(cw__buf_len(&bomb), 1, 30000);
        raw_client c;
        raw_response r;
        assert_true(raw_open(&c, f->port));
        assert_int_equal(post(&c, "/echo", name, &fits, 100000, &r), 200);
        assert_int_equal(r.body_len, 1000000);
        raw_response_free(&r);
        assert_int_equal(post(&c, "/echo", name, &bomb, 100000, &r), 413);
        raw_response_free(&r);
        raw_close(&c);
        assert_true(fixture_wait(f, fixture_has_done, 4 * i + 2));
        assert_int_equal(f->done[4 * i + 1].status, CW_NET_ERR_BODY_LIMIT);
        /* The same in pieces: no more than the limit is given to the handler. */
        f->streamed = 0;
        assert_true(raw_open(&c, f->port));
        char head[200];
        snprintf(head, sizeof head,
                 "POST /paused HTTP/1.1\r\n" HOST
                 "Content-Encoding: %s\r\nContent-Length: %zu\r\n\r\n",
                 name, cw__buf_len(&bomb));
        assert_true(raw_send_text(&c, head));
        assert_true(raw_send(&c, bomb.data + bomb.start, cw__buf_len(&bomb)));
        assert_true(raw_get_response(&c, true, &r));
        assert_int_equal(r.status, 413);
        raw_response_free(&r);
        raw_close(&c);
        assert_true(fixture_wait(f, fixture_has_done, 4 * i + 3));
        assert_int_equal(f->done[4 * i + 2].status, CW_NET_ERR_BODY_LIMIT);
        assert_in_range(f->streamed, 0, 1000000);
        /* And over HTTP/2. */
        const char *const fields[] = {"content-encoding", name, NULL};
        h2_client h2;
        assert_true(h2_open(&h2, f->port));
        const h2_stream *s = h2_request_with(&h2, "POST", "/echo", fields, bomb.data + bomb.start,
                                             cw__buf_len(&bomb), false);
        assert_true(h2_wait(&h2, s));
        assert_int_equal(s->status, 413);
        h2_close(&h2);
        assert_true(fixture_wait(f, fixture_has_done, 4 * i + 4));
        cw__buf_free(&fits);
        cw__buf_free(&bomb);
    }
    fixture_close(f);
}

/* How much a byte may become is the server's to say. */
static void expansion(void **state)
{
    (void)state;
    static const struct {
        size_t max;
        unsigned coding;
        int status;
    } rows[] = {
        {0, CW_HTTP_GZIP, 200}, {0, CW_HTTP_BR, 413},          {10, CW_HTTP_GZIP, 413},
        {10, CW_HTTP_BR, 413},  {SIZE_MAX, CW_HTTP_GZIP, 200}, {SIZE_MAX, CW_HTTP_BR, 200},
    };
    static const char zeros[3000000];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cw_http_server_options o = {.limits = {.max_expansion = rows[i].max}};
        static const char *const paths[] = {"/echo", "/pieces"}; /* collected; streamed */
        fixture *f = fixture_open(&o);
        cw__buf body = encoded(rows[i].coding, zeros, sizeof zeros);
        for (size_t k = 0; k < 2; k++) {
            raw_client c;
            raw_response r;
            assert_true(raw_open(&c, f->port));
            int status = post(&c, paths[k], cw__coding_name(rows[i].coding), &body, 100000, &r);
            if (rows[i].status == 200 || k == 0) {
                assert_int_equal(status, rows[i].status);
            }
            raw_response_free(&r);
            raw_close(&c);
            assert_true(fixture_wait(f, fixture_has_done, k + 1));
            assert_int_equal(f->done[k].status,
                             rows[i].status == 200 ? CW_NET_OK : CW_NET_ERR_BODY_LIMIT);
        }
        cw__buf_free(&body);
        fixture_close(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses),
        cmocka_unit_test(no_coding_unless_asked_for),
        cmocka_unit_test(threshold_and_levels),
        cmocka_unit_test(h2_responses),
        cmocka_unit_test(requests),
        cmocka_unit_test(empty_bodies),
        cmocka_unit_test(requests_that_cannot_be_read),
        cmocka_unit_test(streamed_requests_that_cannot_be_read),
        cmocka_unit_test(bombs),
        cmocka_unit_test(expansion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
