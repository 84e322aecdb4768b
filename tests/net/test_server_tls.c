/* SPDX-License-Identifier: MIT */
/* The server over TLS: both versions by ALPN, and clients that have it wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>
#include <openssl/err.h>

#include "h2_client.h"
#include "server_fixture.h"

#define HOST "Host: localhost\r\n"

static cw_tls *tls_of(cw_tls_server_options o)
{
    cw_net_error e;
    o.certificate_file = "server.crt";
    o.key_file = "server.key";
    cw_tls *tls = cw_tls_server(&o, &e);
    if (tls == NULL) {
        fail_msg("%s", e.detail);
    }
    return tls;
}

static fixture *open_tls(cw_tls_server_options o, cw_http_limits limits)
{
    const cw_http_server_options server = {.tls = tls_of(o), .limits = limits};
    fixture *f = fixture_open(&server);
    cw_tls_free(server.tls); /* the server holds it */
    return f;
}

static int make_certificate(void **state)
{
    cw_net_error e;
    (void)state;
    return cw_tls_self_signed(CW_TLS_P256, "localhost,127.0.0.1", 1, "server.crt", "server.key",
                              &e) == CW_NET_OK
               ? 0
               : -1;
}

static void http_1(void **state)
{
    (void)state;
    fixture *f =
        open_tls((cw_tls_server_options){.tls_1_2 = false}, (cw_http_limits){.max_body = 0});
    static const char *const alpns[] = {"\x08http/1.1", NULL};
    for (size_t i = 0; i < 2; i++) {
        raw_client c;
        raw_response r;
        assert_true(raw_open(&c, f->port));
        assert_true(raw_start_tls(&c, alpns[i]));
        for (int k = 0; k < 2; k++) {
            assert_int_equal(raw_ask(&c, "GET /hello HTTP/1.1\r\n" HOST "\r\n", &r), 200);
            assert_string_equal(r.body, "hello");
            raw_response_free(&r);
        }
        assert_int_equal(raw_ask(&c, "GET /stream/3000000 HTTP/1.1\r\n" HOST "\r\n", &r), 200);
        assert_int_equal(r.body_len, 3000000);
        assert_string_equal(r.trailers, "x-sum: 3000000\r\n");
        raw_response_free(&r);
        SSL_shutdown(c.ssl);
        raw_close(&c);
    }
    cw_net_counters n = fixture_counters(f);
    assert_int_equal(n.handshakes_full, 2);
    assert_int_equal(n.handshakes_failed, 0);
    assert_true(n.bytes_out > 6000000);
    fixture_close(f);
}

static void http_2(void **state)
{
    (void)state;
    fixture *f =
        open_tls((cw_tls_server_options){.tls_1_2 = false}, (cw_http_limits){.max_body = 0});
    static uint8_t body[1000000];
    h2_client c;
    assert_true(h2_open_tls(&c, f->port));
    const h2_stream *s = h2_request(&c, "GET", "/hello", NULL, 0);
    const h2_stream *echo = h2_request(&c, "POST", "/echo", body, sizeof body);
    const h2_stream *stream = h2_request(&c, "GET", "/stream/3000000", NULL, 0);
    assert_true(h2_wait(&c, s));
    assert_string_equal(s->body.data, "hello");
    assert_true(h2_wait(&c, echo));
    assert_int_equal(echo->body.len, sizeof body);
    assert_true(h2_wait(&c, stream));
    assert_int_equal(stream->body.len, 3000000);
    const unsigned char *alpn;
    unsigned len;
    SSL_get0_alpn_selected(c.raw.ssl, &alpn, &len);
    assert_int_equal(len, 2);
    assert_memory_equal(alpn, "h2", 2);
    assert_string_equal(SSL_get_version(c.raw.ssl), "TLSv1.3");
    h2_close(&c);
    fixture_close(f);
}

static void h2_is_chosen_first(void **state)
{
    (void)state;
    static const struct {
        int line;
        bool no_http_2, no_http_1;
        const char *offer;
        const char *chosen; /* NULL: the handshake fails */
    } rows[] = {
        {__LINE__, false, false, "\x08http/1.1\x02h2", "h2"},
        {__LINE__, true, false, "\x02h2\x08http/1.1", "http/1.1"},
        {__LINE__, false, true, "\x02h2\x08http/1.1", "h2"},
        {__LINE__, false, true, "\x08http/1.1", NULL},
        {__LINE__, true, false, "\x02h2", NULL},
        {__LINE__, false, false, "\x03spd", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture *f = open_tls(
            (cw_tls_server_options){.no_http_2 = rows[i].no_http_2, .no_http_1 = rows[i].no_http_1},
            (cw_http_limits){.max_body = 0});
        raw_client c;
        assert_true(raw_open(&c, f->port));
        bool is_open = raw_start_tls(&c, rows[i].offer);
        if (is_open != (rows[i].chosen != NULL)) {
            fail_msg("row at line %d", rows[i].line);
        }
        if (is_open) {
            const unsigned char *alpn;
            unsigned len;
            SSL_get0_alpn_selected(c.ssl, &alpn, &len);
            assert_int_equal(len, strlen(rows[i].chosen));
            assert_memory_equal(alpn, rows[i].chosen, len);
        } else {
            assert_true(fixture_wait(f, fixture_has_errors, 1));
            assert_int_equal(f->errors[0].status, CW_NET_ERR_ALPN);
            cw_net_counters n = fixture_counters(f);
            assert_int_equal(n.handshakes_failed, 1);
            assert_int_equal(n.bad_requests, 1);
        }
        raw_close(&c);
        fixture_close(f);
    }
}

static void no_tls_at_all(void **state)
{
    (void)state;
    fixture *f = open_tls((cw_tls_server_options){.tls_1_2 = false},
                          (cw_http_limits){.header_timeout_ms = 300});
    static const char *const texts[] = {"GET /hello HTTP/1.1\r\n" HOST "\r\n",
                                        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                                        "\x16\x03\x01\x00\x05garbage and more of it"};
    for (size_t i = 0; i < 3; i++) {
        raw_client c;
        assert_true(raw_open(&c, f->port));
        assert_true(raw_send_text(&c, texts[i]));
        assert_true(raw_read_to_end(&c));
        assert_true(c.len == 0 || memmem(c.data, c.len, "hello", 5) == NULL);
        raw_close(&c);
        assert_true(fixture_wait(f, fixture_has_errors, i + 1));
    }
    assert_int_equal(f->errors[0].status, CW_NET_ERR_TLS);
    assert_int_equal(f->errors[1].status, CW_NET_ERR_TLS);
    cw_net_counters n = fixture_counters(f);
    assert_int_equal(n.requests, 0);
    assert_int_equal(n.bad_requests, 3);
    fixture_close(f);
}

/* A handshake that is begun and not ended, or not even begun. */
static void slow_handshakes(void **state)
{
    (void)state;
    fixture *f = open_tls((cw_tls_server_options){.tls_1_2 = false},
                          (cw_http_limits){.header_timeout_ms = 200});
    raw_client silent, half;
    assert_true(raw_open(&silent, f->port));
    assert_true(raw_open(&half, f->port));
    assert_true(raw_send(&half, "\x16\x03\x01\x01", 4));
    assert_true(raw_read_to_end(&silent));
    assert_true(raw_read_to_end(&half));
    assert_true(fixture_wait(f, fixture_has_errors, 2));
    assert_int_equal(f->errors[0].status, CW_NET_ERR_TIMEOUT);
    assert_int_equal(f->errors[1].status, CW_NET_ERR_TIMEOUT);
    raw_close(&silent);
    raw_close(&half);
    fixture_close(f);
}

/* A response that is cut off must not look complete: no close_notify without an end. */
static void cut_off(void **state)
{
    (void)state;
    fixture *f =
        open_tls((cw_tls_server_options){.tls_1_2 = false}, (cw_http_limits){.max_body = 0});
    raw_client c;
    raw_response r;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_start_tls(&c, "\x08http/1.1"));
    assert_true(raw_send_text(&c, "GET /half HTTP/1.1\r\n" HOST "\r\n"));
    assert_false(raw_get_response(&c, true, &r));
    raw_response_free(&r);
    raw_close(&c);
    assert_true(fixture_wait(f, fixture_has_done, 1));
    assert_int_equal(f->done[0].status, CW_NET_ERR_CANCELLED);
    fixture_close(f);
}

static void shutdown_waits_for_work(void **state)
{
    (void)state;
    fixture *f =
        open_tls((cw_tls_server_options){.tls_1_2 = false}, (cw_http_limits){.max_body = 0});
    raw_client c, handshaking;
    raw_response r;
    h2_client h2;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_start_tls(&c, NULL));
    assert_true(raw_send_text(&c, "GET /keep HTTP/1.1\r\n" HOST "\r\n"));
    assert_true(h2_open_tls(&h2, f->port));
    const h2_stream *s = h2_request(&h2, "GET", "/keep", NULL, 0);
    assert_true(h2_flush(&h2));
    assert_true(raw_open(&handshaking, f->port));
    assert_true(fixture_wait(f, fixture_has_kept, 2));
    assert_true(fixture_wait_open(f, 3));
    fixture_shutdown(f);
    assert_true(raw_read_to_end(&handshaking));
    fixture_answer_kept(f);
    assert_true(raw_get_response(&c, true, &r));
    assert_string_equal(r.body, "kept");
    raw_response_free(&r);
    assert_true(h2_wait(&h2, s));
    assert_string_equal(s->body.data, "kept");
    assert_true(raw_read_to_end(&c));
    assert_true(SSL_get_shutdown(c.ssl) & SSL_RECEIVED_SHUTDOWN); /* close_notify came */
    assert_true(h2_wait_end(&h2));
    raw_close(&c);
    raw_close(&handshaking);
    h2_close(&h2);
    assert_true(fixture_wait(f, fixture_is_closed, 0));
    assert_int_equal(f->last.answered, 2);
    fixture_close(f);
}

/* Records that cannot be decrypted: the client is told by an alert (RFC 8446, 6.2). */
static void bad_records_get_an_alert(void **state)
{
    (void)state;
    static const char record[] = "\x17\x03\x03\x00\x20 thirty-two bytes, but no record.";
    fixture *f =
        open_tls((cw_tls_server_options){.tls_1_2 = false}, (cw_http_limits){.max_body = 0});
    raw_client c;
    raw_response r;
    char byte;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_start_tls(&c, NULL));
    assert_int_equal(raw_ask(&c, "GET /hello HTTP/1.1\r\n" HOST "\r\n", &r), 200);
    raw_response_free(&r);
    assert_int_equal(send(c.fd, record, 5 + 32, 0), 5 + 32);
    assert_true(SSL_read(c.ssl, &byte, 1) <= 0);
    assert_int_equal(ERR_GET_REASON(ERR_get_error()), SSL_R_SSLV3_ALERT_BAD_RECORD_MAC);
    assert_true(fixture_wait(f, fixture_has_errors, 1));
    assert_int_equal(f->errors[0].status, CW_NET_ERR_TLS);
    assert_int_equal(fixture_counters(f).handshakes_failed, 0);
    raw_close(&c);
    fixture_close(f);
}

/* Gone in the middle of the handshake: it has failed, too. */
static void handshakes_that_are_given_up_are_counted(void **state)
{
    (void)state;
    fixture *f =
        open_tls((cw_tls_server_options){.tls_1_2 = false}, (cw_http_limits){.max_body = 0});
    raw_client c;
    assert_true(raw_open(&c, f->port));
    assert_true(raw_send(&c, "\x16\x03\x01", 3));
    raw_close(&c);
    assert_true(fixture_wait(f, fixture_has_errors, 1));
    assert_int_equal(f->errors[0].status, CW_NET_ERR_CLOSED);
    assert_int_equal(fixture_counters(f).handshakes_failed, 1);
    fixture_close(f);
}

static void client_context_is_refused(void **state)
{
    (void)state;
    cw_net_error e;
    uv_loop_t loop;
    const cw_tls_client_options client = {.insecure = true};
    cw_tls *tls = cw_tls_client(&client, &e);
    assert_non_null(tls);
    const cw_http_server_options o = {.tls = tls, .host = "127.0.0.1"};
    fixture *f =
        open_tls((cw_tls_server_options){.tls_1_2 = true}, (cw_http_limits){.max_body = 0});
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_null(cw_http_server_open(&loop, &o, &f->handler, NULL, &e));
    assert_int_equal(e.status, CW_NET_ERR_ARGUMENT);
    assert_int_equal(uv_loop_close(&loop), 0);
    cw_tls_free(tls);
    fixture_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(http_1),
        cmocka_unit_test(http_2),
        cmocka_unit_test(h2_is_chosen_first),
        cmocka_unit_test(no_tls_at_all),
        cmocka_unit_test(slow_handshakes),
        cmocka_unit_test(cut_off),
        cmocka_unit_test(shutdown_waits_for_work),
        cmocka_unit_test(bad_records_get_an_alert),
        cmocka_unit_test(handshakes_that_are_given_up_are_counted),
        cmocka_unit_test(client_context_is_refused),
    };
    return cmocka_run_group_tests(tests, make_certificate, NULL);
}
