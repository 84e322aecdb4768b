/* SPDX-License-Identifier: MIT */
#include "client_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "client_internal.h"

enum { PATIENCE_MS = 60000 };

/* ---- set-up ------------------------------------------------------------------------------------
 */

static void on_watchdog(uv_timer_t *timer)
{
    const client_fixture *f = timer->data;
    cw_net_counters n;
    memset(&n, 0, sizeof n);
    if (!f->is_closed) {
        n = client_counters(f);
    }
    printf("requests %d, answered %d, failed %d, ended %u\n", (int)n.requests, (int)n.answered,
           (int)n.failed, f->ended);
    fail_msg("%s", "what the test waits for does not happen");
}

static void on_error(void *ctx, const cw_net_error *e)
{
    client_fixture *f = ctx;
    f->errors++;
    f->error = *e;
}

void client_setup(client_fixture *f, const cw_http_client_options *o, int port)
{
    char origin[64];
    cw_net_error e;
    cw_http_client_options options = o != NULL ? *o : (cw_http_client_options){.origin = NULL};
    memset(f, 0, sizeof *f);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    uv_timer_init(&f->loop, &f->watchdog);
    f->watchdog.data = f;
    uv_timer_start(&f->watchdog, on_watchdog, PATIENCE_MS, 0);
    uv_unref((uv_handle_t *)&f->watchdog);
    if (options.origin == NULL) {
        snprintf(origin, sizeof origin, "%s://127.0.0.1:%d", options.tls != NULL ? "https" : "http",
                 port);
        options.origin = origin;
    }
    options.on_error = on_error;
    options.ctx = f;
    f->client = cw_http_client_open(&f->loop, &options, &e);
    if (f->client == NULL) {
        fail_msg("%s: %s", cw_net_status_name(e.status), e.detail);
    }
}

void client_setup_tls(client_fixture *f, const cw_http_client_options *o, int port,
                      const char *ca_file)
{
    cw_net_error e;
    cw_http_client_options options = o != NULL ? *o : (cw_http_client_options){.origin = NULL};
    cw_tls *tls = cw_tls_client(&(cw_tls_client_options){.ca_file = ca_file}, &e);
    if (tls == NULL) {
        fail_msg("%s: %s", cw_net_status_name(e.status), e.detail);
    }
    options.tls = tls;
    client_setup(f, &options, port);
    cw_tls_free(tls);
}

void client_set_ports(client_fixture *f, const int *ports, size_t n)
{
    cw_http_client *c = f->client;
    free(c->addresses);
    c->addresses = calloc(n, sizeof *c->addresses);
    assert_non_null(c->addresses);
    c->address_count = n;
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(uv_ip4_addr("127.0.0.1", ports[i], (struct sockaddr_in *)&c->addresses[i]),
                         0);
    }
}

static void on_closed(void *ctx)
{
    client_fixture *f = ctx;
    f->is_closed = true;
}

void client_close(client_fixture *f)
{
    cw_http_client_close(f->client, on_closed, f);
}

void client_teardown(client_fixture *f)
{
    if (!f->is_closed) {
        cw_net_counters n = client_counters(f);
        assert_int_equal(n.requests, n.answered + n.failed + cw_http_client_queued(f->client) +
                                         cw_http_client_in_flight(f->client));
        client_close(f);
        client_wait_flag(f, &f->is_closed);
    }
    uv_close((uv_handle_t *)&f->watchdog, NULL);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
}

/* ---- requests ----------------------------------------------------------------------------------
 */

static void add_body(answer *a, cw_bytes piece)
{
    if (a->body_len + piece.len >= a->body_cap) {
        a->body_cap = 2 * (a->body_len + piece.len + 1);
        a->body = realloc(a->body, a->body_cap);
        assert_non_null(a->body);
    }
    if (piece.len > 0) {
        memcpy(a->body + a->body_len, piece.data, piece.len);
    }
    a->body_len += piece.len;
    a->body[a->body_len] = '\0';
}

static void print_fields(char *to, size_t cap, cw_http_fields fields)
{
    size_t at = 0;
    to[0] = '\0';
    for (size_t i = 0; i < fields.len && at < cap; i++) {
        const cw_http_field *field = &fields.data[i];
        at += (size_t)snprintf(to + at, cap - at, "%.*s: %.*s\n", (int)field->name.len,
                               field->name.data, (int)field->value.len, field->value.data);
    }
}

static void on_head(void *user, cw_http_exchange *x)
{
    answer *a = user;
    assert_false(a->f->is_sending);
    assert_int_equal(a->calls, 0);
    a->heads++;
    a->status = cw_http_exchange_head(x)->status;
    if (a->at_head != NULL) {
        a->at_head(a);
    }
}

static void on_body(void *user, cw_http_exchange *x, cw_bytes piece)
{
    answer *a = user;
    assert_int_equal(a->heads, 1);
    assert_ptr_equal(a->x, x);
    assert_true(piece.len > 0);
    add_body(a, piece);
    a->pieces++;
    a->at_body(a);
}

static void on_writable(void *user, cw_http_exchange *x)
{
    answer *a = user;
    assert_ptr_equal(a->x, x);
    a->at_writable(a);
}

static void on_response(void *user, cw_http_exchange *x, const cw_net_error *e)
{
    answer *a = user;
    const cw_http_head *head = cw_http_exchange_head(x);
    assert_false(a->f->is_sending);
    a->x = NULL;
    a->calls++;
    assert_int_equal(a->calls, 1);
    a->order = ++a->f->ended;
    a->ended_ns = uv_hrtime();
    uv_stop(&a->f->loop); /* or it would poll before it returns */
    a->e = *e;
    a->status = head->status;
    a->version = head->version;
    a->reused = cw_http_exchange_reused(x);
    add_body(a, cw_http_exchange_body(x));
    print_fields(a->fields, sizeof a->fields, head->fields);
    print_fields(a->trailers, sizeof a->trailers, cw_http_exchange_trailers(x));
    if (a->then != NULL) {
        a->then(a);
    }
}

void client_send(client_fixture *f, const cw_http_request *request, answer *a)
{
    cw_net_error e = {.status = CW_NET_OK};
    cw_http_request r = *request;
    r.user = a;
    r.on_response = on_response;
    r.on_head = on_head;
    r.on_body = a->at_body != NULL ? on_body : NULL;
    r.on_writable = a->at_writable != NULL ? on_writable : NULL;
    a->f = f;
    bool was = f->is_sending;
    f->is_sending = true;
    cw_net_status st = cw_http_send(f->client, &r, &a->x, &e);
    f->is_sending = was;
    if (st != CW_NET_OK) {
        fail_msg("cw_http_send: %s: %s", cw_net_status_name(st), e.detail);
    }
}

void client_run_until(client_fixture *f, bool (*is)(client_fixture *f, void *arg), void *arg)
{
    uv_update_time(&f->loop);
    uv_timer_start(&f->watchdog, on_watchdog, PATIENCE_MS, 0);
    while (!is(f, arg)) {
        /* Kept alive by the watchdog: what is awaited may be a thread's doing. */
        uv_ref((uv_handle_t *)&f->watchdog);
        uv_run(&f->loop, UV_RUN_ONCE);
        uv_unref((uv_handle_t *)&f->watchdog);
    }
}

static bool has_ended(client_fixture *f, void *arg)
{
    return f->ended >= *(const unsigned *)arg;
}

void client_wait(client_fixture *f, unsigned n)
{
    client_run_until(f, has_ended, &n);
    assert_int_equal(f->ended, n);
}

typedef struct flag {
    const bool *at;
} flag;

static bool is_set(client_fixture *f, void *arg)
{
    (void)f;
    return *((const flag *)arg)->at;
}

void client_wait_flag(client_fixture *f, const bool *at)
{
    flag arg = {at};
    client_run_until(f, is_set, &arg);
}

void client_wait_for_requests(client_fixture *f, fake_server *s, unsigned n)
{
    /* Another thread's doing, which the loop does not hear of. */
    for (unsigned ms = 0; fake_requests(s) < n; ms++) {
        if (ms == PATIENCE_MS) {
            fail_msg("%u requests, not %u", fake_requests(s), n);
        }
        uv_run(&f->loop, UV_RUN_NOWAIT);
        usleep(1000);
    }
}

static bool flies(client_fixture *f, void *arg)
{
    (void)arg;
    return cw_http_client_in_flight(f->client) > 0;
}

void client_wait_for_flight(client_fixture *f)
{
    client_run_until(f, flies, NULL);
}

void client_run_for(client_fixture *f, unsigned ms)
{
    uint64_t end = uv_hrtime() + ms * (uint64_t)1000000;
    while (uv_hrtime() < end) {
        uv_run(&f->loop, UV_RUN_NOWAIT);
        usleep(1000);
    }
}

void client_send_get(client_fixture *f, const char *path, answer *a)
{
    client_send(f, &(const cw_http_request){.path = cw_str_from(path)}, a);
}

void client_fetch(client_fixture *f, const cw_http_request *request, answer *a)
{
    client_send(f, request, a);
    client_wait(f, f->ended + 1);
}

void client_get(client_fixture *f, const char *path, answer *a)
{
    client_send_get(f, path, a);
    client_wait(f, f->ended + 1);
}

static void on_ready(void *ctx, const cw_net_error *e)
{
    client_fixture *f = ctx;
    assert_false(f->is_sending);
    f->readies++;
    uv_stop(&f->loop);
    f->ready = *e;
}

static bool is_ready(client_fixture *f, void *arg)
{
    (void)arg;
    return f->readies > 0;
}

void client_connect(client_fixture *f, size_t n)
{
    f->readies = 0;
    f->is_sending = true;
    cw_http_client_connect(f->client, n, on_ready, f);
    f->is_sending = false;
    client_run_until(f, is_ready, NULL);
    assert_int_equal(f->readies, 1);
}

cw_net_counters client_counters(const client_fixture *f)
{
    cw_net_counters n;
    cw_http_client_counters(f->client, &n);
    return n;
}

/* ---- answers -----------------------------------------------------------------------------------
 */

void answer_free(answer *a)
{
    free(a->body);
    *a = (answer){.f = NULL};
}

void answers_free(answer *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        answer_free(&a[i]);
    }
}

void answer_check(const answer *a, unsigned status, const char *body, const char *file, int line)
{
    if (a->calls != 1 || a->e.status != CW_NET_OK || a->status != status ||
        strcmp(a->body, body) != 0) {
        print_error("%u calls, %s (%s), %u \"%.100s\", not %u \"%.100s\"\n", a->calls,
                    cw_net_status_name(a->e.status), a->e.detail, a->status,
                    a->body != NULL ? a->body : "", status, body);
        _fail(file, line);
    }
}

void answer_check_failed(const answer *a, cw_net_status st, const char *file, int line)
{
    if (a->calls != 1 || a->e.status != st) {
        print_error("%u calls, %s (%s, %d), not %s; %u \"%.100s\"\n", a->calls,
                    cw_net_status_name(a->e.status), a->e.detail, a->e.code, cw_net_status_name(st),
                    a->status, a->body != NULL ? a->body : "");
        _fail(file, line);
    }
}
