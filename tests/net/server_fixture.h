/* SPDX-License-Identifier: MIT */
/*
 * server_fixture.h: a server on a loop in a thread of its own, with a handler that does what the
 * path says, and a record of what the server has told. The test's thread is the client.
 *
 *   /hello         "hello"
 *   /echo          the body; each trailer comes back as a field "x-NAME"
 *   /head          answered from on_head, 403
 *   /early         answered from on_head, 200 "early"
 *   /stream/N      N bytes ('a' + i % 26), written as on_writable asks, trailers "x-sum: N"
 *   /pieces        streamed request: each piece is written back at once
 *   /paused        streamed request, paused at once: waits for fixture_resume, then counts
 *   /keep          kept: fixture_answer_kept answers it
 *   /abort         cw_http_abort from on_request
 *   /half          starts a response, writes "half", aborts
 *   /status/N      a response with that status and the body "body"
 *   /big           100,000 bytes that compress well
 *   /coded         has a content-encoding of its own
 *   /fields/N      N fields "X-Field-I: VALUE I"
 *   /huge-field    a field of 200,000 bytes
 *   /bad-field     a field that the handler must not send; /split: another; /bad-trailer
 *   /twice         responds twice
 */
#ifndef SERVER_FIXTURE_H
#define SERVER_FIXTURE_H

#include <pthread.h>

#include "cwire/net/server.h"

enum { FIXTURE_LOG = 256, FIXTURE_KEPT = 512 };

typedef struct fixture fixture;

struct fixture {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    cw_http_server_options options;
    cw_http_handler handler;
    uv_loop_t loop;
    uv_async_t async;
    cw_http_server *server;
    int port;
    /* a job for the loop's thread */
    void (*job)(fixture *f, void *arg);
    void *job_arg;
    bool has_job;
    /* what was told, under the lock */
    cw_net_error done[FIXTURE_LOG], errors[FIXTURE_LOG];
    size_t n_done, n_errors, n_requests, n_bad_results;
    size_t streamed;   /* bytes given to on_body for /paused */
    size_t max_unsent; /* of /stream/N: fixture_max_unsent */
    bool was_gone;     /* cw_http_call_gone when a kept call was answered */
    bool is_closed;
    size_t n_closed;
    cw_net_counters last; /* when it was closed */
    /* the loop's thread only */
    cw_http_call *kept[FIXTURE_KEPT];
    size_t n_kept;
    cw_http_call *paused;
};

/* host and port are filled in where they are 0. Fails the test when it cannot be opened. */
fixture *fixture_open(const cw_http_server_options *o);
/* Without on_head and on_done (and on_error where that is said). */
fixture *fixture_open_bare(const cw_http_server_options *o);

/*
 * Ends the server (unless that was done) and the thread; kept calls are answered after the server
 * is gone. Fails the test unless requests == answered + failed and the loop is empty.
 */
void fixture_close(fixture *f);

/* Runs job in the loop's thread; returns when it has returned. */
void fixture_run(fixture *f, void (*job)(fixture *f, void *arg), void *arg);
void fixture_shutdown(fixture *f);
void fixture_close_server(fixture *f);
void fixture_resume(fixture *f);
void fixture_answer_kept(fixture *f);
cw_net_counters fixture_counters(fixture *f);
/* Waits until that many heads have come, or so many connections are left; false after a long time.
 */
bool fixture_wait_heads(fixture *f, uint64_t requests);
bool fixture_wait_open(fixture *f, uint64_t connections);

/* The most that a /stream/N had unsent. */
size_t fixture_max_unsent(fixture *f);

/* Waits until is(f) holds, which is called with the lock held; false after a long time. */
bool fixture_wait(fixture *f, bool (*is)(fixture *f, size_t n), size_t n);
bool fixture_has_done(fixture *f, size_t n);   /* on_done came n times */
bool fixture_has_errors(fixture *f, size_t n); /* on_error came n times */
bool fixture_has_requests(fixture *f, size_t n);
bool fixture_has_kept(fixture *f, size_t n);
bool fixture_is_closed(fixture *f, size_t n); /* n is not looked at */

#endif
