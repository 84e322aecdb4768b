/* SPDX-License-Identifier: MIT */
#include "server_fixture.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static const cw_http_fields no_fields = {NULL, 0};

/* ---- the record --------------------------------------------------------------------------------
 */

static void lock(fixture *f)
{
    pthread_mutex_lock(&f->lock);
}

static void unlock(fixture *f)
{
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

static void expect_status(fixture *f, cw_net_status st, cw_net_status wanted)
{
    if (st != wanted) {
        lock(f);
        f->n_bad_results++;
        unlock(f);
    }
}

/* ---- the handler -------------------------------------------------------------------------------
 */

static bool path_is(const cw_http_call *call, const char *path)
{
    return cw_str_equal(cw_http_call_head(call)->path, cw_str_from(path));
}

static bool path_begins(const cw_http_call *call, const char *path, size_t *number)
{
    cw_str s = cw_http_call_head(call)->path;
    size_t n = strlen(path);
    if (s.len <= n || memcmp(s.data, path, n) != 0) {
        return false;
    }
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)(s.len - n), s.data + n);
    *number = strtoul(text, NULL, 10);
    return true;
}

static cw_bytes text_of(const char *text)
{
    return cw_bytes_of(text, strlen(text));
}

static void echo(fixture *f, cw_http_call *call)
{
    cw_http_fields trailers = cw_http_call_trailers(call);
    cw_http_field fields[8];
    char names[8][64];
    size_t n = trailers.len < 8 ? trailers.len : 8;
    for (size_t i = 0; i < n; i++) {
        cw_str name = trailers.data[i].name;
        snprintf(names[i], sizeof names[i], "x-%.*s", (int)name.len, name.data);
        fields[i] = (cw_http_field){cw_str_from(names[i]), trailers.data[i].value};
    }
    expect_status(f,
                  cw_http_respond(call, 200, (cw_http_fields){fields, n}, cw_http_call_body(call)),
                  CW_NET_OK);
}

/* /stream/N: user is what is left to write. */
static void write_more(fixture *f, cw_http_call *call)
{
    size_t total = 0;
    path_begins(call, "/stream/", &total);
    size_t left = (size_t)(uintptr_t)cw_http_call_user(call);
    uint8_t piece[16384];
    while (left > 0 && cw_http_unsent(call) < 65536) {
        size_t n = left < sizeof piece ? left : sizeof piece;
        for (size_t i = 0; i < n; i++) {
            piece[i] = (uint8_t)('a' + (total - left + i) % 26);
        }
        if (cw_http_write(call, cw_bytes_of(piece, n)) != CW_NET_OK || cw_http_call_gone(call)) {
            break;
        }
        left -= n;
        lock(f);
        size_t unsent = cw_http_unsent(call);
        f->max_unsent = unsent > f->max_unsent ? unsent : f->max_unsent;
        unlock(f);
    }
    cw_http_call_set_user(call, (void *)(uintptr_t)left);
    if (left == 0) {
        char sum[32];
        snprintf(sum, sizeof sum, "%zu", total);
        const cw_http_field trailer = {CW_STR("x-sum"), cw_str_from(sum)};
        expect_status(f, cw_http_end(call, (cw_http_fields){&trailer, 1}), CW_NET_OK);
    }
}

static void start_stream(fixture *f, cw_http_call *call, size_t total)
{
    const cw_http_field type = {CW_STR("content-type"), CW_STR("text/plain")};
    cw_http_call_set_user(call, (void *)(uintptr_t)total);
    expect_status(f, cw_http_start(call, 200, (cw_http_fields){&type, 1}), CW_NET_OK);
    write_more(f, call);
}

static void respond_wrongly(fixture *f, cw_http_call *call)
{
    const cw_http_field bad = {CW_STR("content-length"), CW_STR("5")};
    const cw_http_field split = {CW_STR("x-a"), CW_STR("b\r\nset-cookie: c")};
    if (path_is(call, "/bad-field")) {
        expect_status(f, cw_http_respond(call, 200, (cw_http_fields){&bad, 1}, text_of("12345")),
                      CW_NET_ERR_ARGUMENT);
    } else if (path_is(call, "/split")) {
        expect_status(f, cw_http_start(call, 200, (cw_http_fields){&split, 1}),
                      CW_NET_ERR_ARGUMENT);
        expect_status(f, cw_http_write(call, text_of("x")), CW_NET_ERR_ARGUMENT);
        expect_status(f, cw_http_end(call, no_fields), CW_NET_ERR_ARGUMENT);
    } else if (path_is(call, "/twice")) {
        expect_status(f, cw_http_write(call, text_of("x")), CW_NET_ERR_ARGUMENT);
        expect_status(f, cw_http_end(call, no_fields), CW_NET_ERR_ARGUMENT);
        expect_status(f, cw_http_respond(call, 200, no_fields, text_of("once")), CW_NET_OK);
        expect_status(f, cw_http_respond(call, 200, no_fields, text_of("more")),
                      CW_NET_ERR_ARGUMENT);
        expect_status(f, cw_http_start(call, 200, no_fields), CW_NET_ERR_ARGUMENT);
        expect_status(f, cw_http_write(call, text_of("x")), CW_NET_ERR_ARGUMENT);
    } else if (path_is(call, "/bad-trailer")) {
        const cw_http_field trailer = {CW_STR("content-type"), CW_STR("text/plain")};
        expect_status(f, cw_http_start(call, 200, no_fields), CW_NET_OK);
        expect_status(f, cw_http_write(call, text_of("part")), CW_NET_OK);
        expect_status(f, cw_http_end(call, (cw_http_fields){&trailer, 1}), CW_NET_ERR_ARGUMENT);
    } else {
        cw_http_respond(call, 404, no_fields, text_of("no such path"));
    }
}

static void respond_big(cw_http_call *call, bool is_coded)
{
    static uint8_t big[100000];
    const cw_http_field coding = {CW_STR("content-encoding"), CW_STR("identity")};
    for (size_t i = 0; i < sizeof big; i++) {
        big[i] = (uint8_t)('a' + i % 26);
    }
    cw_http_respond(call, 200, (cw_http_fields){&coding, is_coded ? 1 : 0},
                    cw_bytes_of(big, sizeof big));
}

static void respond_fields(cw_http_call *call, size_t n)
{
    static cw_http_field fields[100];
    static char names[100][24], values[100][24];
    for (size_t i = 0; i < n && i < 100; i++) {
        snprintf(names[i], sizeof names[i], "X-Field-%zu", i);
        snprintf(values[i], sizeof values[i], "VALUE %zu", i);
        fields[i] = (cw_http_field){cw_str_from(names[i]), cw_str_from(values[i])};
    }
    cw_http_respond(call, 200, (cw_http_fields){fields, n}, text_of("fields"));
}

static void respond_huge(fixture *f, cw_http_call *call)
{
    static char value[200000];
    memset(value, 'v', sizeof value);
    const cw_http_field field = {CW_STR("x-huge"), cw_str_of(value, sizeof value)};
    bool is_h2 = cw_http_call_head(call)->version == CW_HTTP_2;
    expect_status(f, cw_http_respond(call, 200, (cw_http_fields){&field, 1}, text_of("huge")),
                  is_h2 ? CW_NET_ERR_ARGUMENT : CW_NET_OK);
}

static void on_request(void *ctx, cw_http_call *call)
{
    fixture *f = ctx;
    size_t n;
    if (path_is(call, "/hello")) {
        cw_http_respond(call, 200, no_fields, text_of("hello"));
    } else if (path_is(call, "/echo")) {
        echo(f, call);
    } else if (path_begins(call, "/stream/", &n)) {
        start_stream(f, call, n);
    } else if (path_begins(call, "/status/", &n)) {
        expect_status(f, cw_http_respond(call, (unsigned)n, no_fields, text_of("body")),
                      n >= 200 && n <= 599 ? CW_NET_OK : CW_NET_ERR_ARGUMENT);
    } else if (path_is(call, "/keep") || path_is(call, "/keep-started")) {
        if (path_is(call, "/keep-started")) {
            cw_http_start(call, 200, no_fields);
            cw_http_write(call, text_of("begun"));
        }
        lock(f);
        f->kept[f->n_kept++ % FIXTURE_KEPT] = call;
        unlock(f);
    } else if (path_is(call, "/abort")) {
        cw_http_abort(call);
    } else if (path_is(call, "/half")) {
        cw_http_start(call, 200, no_fields);
        cw_http_write(call, text_of("half"));
        cw_http_abort(call);
    } else if (path_begins(call, "/fields/", &n)) {
        respond_fields(call, n);
    } else if (path_is(call, "/huge-field")) {
        respond_huge(f, call);
    } else if (path_is(call, "/big") || path_is(call, "/coded")) {
        respond_big(call, path_is(call, "/coded"));
    } else if (path_is(call, "/pieces")) {
        expect_status(f, cw_http_end(call, cw_http_call_trailers(call)), CW_NET_OK);
    } else if (path_is(call, "/paused")) {
        char text[32];
        snprintf(text, sizeof text, "%zu", f->streamed);
        f->paused = NULL;
        cw_http_respond(call, 200, no_fields, text_of(text));
    } else {
        respond_wrongly(f, call);
    }
    lock(f);
    f->n_requests++;
    unlock(f);
}

static void on_head(void *ctx, cw_http_call *call)
{
    fixture *f = ctx;
    if (path_is(call, "/head")) {
        cw_http_respond(call, 403, no_fields, text_of("no"));
    } else if (path_is(call, "/early")) {
        cw_http_respond(call, 200, no_fields, text_of("early"));
    } else if (path_is(call, "/pieces")) {
        cw_http_call_stream(call);
        cw_http_start(call, 200, no_fields);
    } else if (path_is(call, "/paused")) {
        cw_http_call_stream(call);
        cw_http_call_pause(call);
        f->paused = call;
    }
}

static void on_body(void *ctx, cw_http_call *call, cw_bytes piece)
{
    fixture *f = ctx;
    if (path_is(call, "/pieces")) {
        cw_http_write(call, piece);
        return;
    }
    lock(f);
    f->streamed += piece.len;
    unlock(f);
}

static void on_writable(void *ctx, cw_http_call *call)
{
    size_t n;
    if (path_begins(call, "/stream/", &n)) {
        write_more(ctx, call);
    }
}

static void on_done(void *ctx, cw_http_call *call, const cw_net_error *e)
{
    fixture *f = ctx;
    size_t n;
    if (f->paused == call) {
        f->paused = NULL;
        cw_http_respond(call, 200, no_fields, text_of("too late"));
    } else if (e->status != CW_NET_OK && path_begins(call, "/stream/", &n)) {
        if ((size_t)(uintptr_t)cw_http_call_user(call) > 0) {
            cw_http_end(call, no_fields); /* it had not ended */
        }
    } else if (e->status != CW_NET_OK && path_is(call, "/pieces")) {
        cw_http_abort(call);
    }
    lock(f);
    f->done[f->n_done++ % FIXTURE_LOG] = *e;
    unlock(f);
}

static void on_error(void *ctx, const cw_net_error *e)
{
    fixture *f = ctx;
    lock(f);
    f->errors[f->n_errors++ % FIXTURE_LOG] = *e;
    unlock(f);
}

/* ---- the thread --------------------------------------------------------------------------------
 */

static void on_async(uv_async_t *async)
{
    fixture *f = async->data;
    lock(f);
    void (*job)(fixture *, void *) = f->has_job ? f->job : NULL;
    unlock(f);
    if (job != NULL) {
        job(f, f->job_arg);
        lock(f);
        f->has_job = false;
        unlock(f);
    }
}

static void *loop_thread(void *ctx)
{
    fixture *f = ctx;
    uv_run(&f->loop, UV_RUN_DEFAULT);
    return NULL;
}

static fixture *open_with(const cw_http_server_options *o, const cw_http_handler *h)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    cw_net_error e = {.status = CW_NET_OK};
    f->options = *o;
    f->options.host = o->host != NULL ? o->host : "127.0.0.1";
    f->handler = *h;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->changed, NULL);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    uv_async_init(&f->loop, &f->async, on_async);
    f->async.data = f;
    f->server = cw_http_server_open(&f->loop, &f->options, &f->handler, f, &e);
    if (f->server == NULL) {
        fail_msg("no server: %s: %s", cw_net_status_text(e.status), e.detail);
    }
    f->port = cw_http_server_port(f->server);
    assert_int_equal(pthread_create(&f->thread, NULL, loop_thread, f), 0);
    return f;
}

fixture *fixture_open(const cw_http_server_options *o)
{
    static const cw_http_handler handler = {.on_request = on_request,
                                            .on_head = on_head,
                                            .on_body = on_body,
                                            .on_writable = on_writable,
                                            .on_done = on_done,
                                            .on_error = on_error};
    return open_with(o, &handler);
}

fixture *fixture_open_bare(const cw_http_server_options *o)
{
    static const cw_http_handler handler = {.on_request = on_request, .on_error = on_error};
    return open_with(o, &handler);
}

void fixture_run(fixture *f, void (*job)(fixture *f, void *arg), void *arg)
{
    lock(f);
    f->job = job;
    f->job_arg = arg;
    f->has_job = true;
    uv_async_send(&f->async);
    while (f->has_job) {
        pthread_cond_wait(&f->changed, &f->lock);
    }
    unlock(f);
}

static void on_closed(void *ctx)
{
    fixture *f = ctx;
    lock(f);
    cw_http_server_counters(f->server, &f->last);
    f->is_closed = true;
    f->n_closed++;
    unlock(f);
}

static void get_counters(fixture *f, void *arg)
{
    cw_http_server_counters(f->server, arg);
}

cw_net_counters fixture_counters(fixture *f)
{
    cw_net_counters c;
    fixture_run(f, get_counters, &c);
    return c;
}

size_t fixture_max_unsent(fixture *f)
{
    lock(f);
    size_t n = f->max_unsent;
    unlock(f);
    return n;
}

enum { POLL_MS = 5, POLLS = 4000 };

static void nap(void)
{
    const struct timespec t = {.tv_nsec = POLL_MS * 1000000};
    nanosleep(&t, NULL);
}

bool fixture_wait_heads(fixture *f, uint64_t requests)
{
    for (int i = 0; i < POLLS; i++) {
        if (fixture_counters(f).requests >= requests) {
            return true;
        }
        nap();
    }
    return false;
}

bool fixture_wait_open(fixture *f, uint64_t connections)
{
    for (int i = 0; i < POLLS; i++) {
        if (fixture_counters(f).connections_open == connections) {
            return true;
        }
        nap();
    }
    return false;
}

static void shutdown_job(fixture *f, void *arg)
{
    (void)arg;
    cw_http_server_shutdown(f->server, on_closed);
}

void fixture_shutdown(fixture *f)
{
    fixture_run(f, shutdown_job, NULL);
}

static void close_job(fixture *f, void *arg)
{
    (void)arg;
    cw_http_server_close(f->server, on_closed);
}

void fixture_close_server(fixture *f)
{
    fixture_run(f, close_job, NULL);
}

static void resume_job(fixture *f, void *arg)
{
    (void)arg;
    if (f->paused != NULL) {
        cw_http_call_resume(f->paused);
    }
}

void fixture_resume(fixture *f)
{
    fixture_run(f, resume_job, NULL);
}

static void answer_job(fixture *f, void *arg)
{
    (void)arg;
    lock(f);
    for (size_t i = 0; i < f->n_kept; i++) {
        cw_http_call *call = f->kept[i];
        f->was_gone = cw_http_call_gone(call);
        cw_net_status st = path_is(call, "/keep")
                               ? cw_http_respond(call, 200, no_fields, text_of("kept"))
                               : cw_http_end(call, no_fields);
        f->n_bad_results += st != CW_NET_OK;
    }
    f->n_kept = 0;
    unlock(f);
}

void fixture_answer_kept(fixture *f)
{
    fixture_run(f, answer_job, NULL);
}

static void end_job(fixture *f, void *arg)
{
    (void)arg;
    uv_close((uv_handle_t *)&f->async, NULL);
}

void fixture_close(fixture *f)
{
    if (!f->is_closed) {
        fixture_close_server(f);
        assert_true(fixture_wait(f, fixture_is_closed, 0));
    }
    fixture_answer_kept(f);
    fixture_run(f, end_job, NULL);
    pthread_join(f->thread, NULL);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    assert_int_equal(f->n_closed, 1);
    assert_int_equal(f->n_bad_results, 0);
    assert_int_equal(f->last.connections_open, 0);
    assert_int_equal(f->last.requests, f->last.answered + f->last.failed);
    pthread_cond_destroy(&f->changed);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

/* ---- waiting -----------------------------------------------------------------------------------
 */

bool fixture_wait(fixture *f, bool (*is)(fixture *f, size_t n), size_t n)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    pthread_mutex_lock(&f->lock);
    int status = 0;
    while (!is(f, n) && status != ETIMEDOUT) {
        status = pthread_cond_timedwait(&f->changed, &f->lock, &until);
    }
    bool holds = is(f, n);
    pthread_mutex_unlock(&f->lock);
    return holds;
}

bool fixture_has_done(fixture *f, size_t n)
{
    return f->n_done >= n;
}

bool fixture_has_errors(fixture *f, size_t n)
{
    return f->n_errors >= n;
}

bool fixture_has_requests(fixture *f, size_t n)
{
    return f->n_requests >= n;
}

bool fixture_has_kept(fixture *f, size_t n)
{
    return f->n_kept >= n;
}

bool fixture_is_closed(fixture *f, size_t n)
{
    (void)n;
    return f->is_closed;
}
