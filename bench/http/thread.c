/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* setns, and uv.h wants POSIX types */

#include "http/thread.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "mem.h"
#include "pin.h"

typedef enum request { NOTHING, SAMPLE, STOP } request;

struct bench_thread {
    const bench_served *served;
    const void *options;
    bench_place place;
    int port;
    uv_thread_t thread;
    uv_loop_t loop;
    uv_async_t async; /* a request was made */
    uv_sem_t done;    /* and has been dealt with: what follows was written before */
    request request;
    bench_sample sample;
    void *state;
};

#ifdef __linux__
static bool enter_namespace(int netns)
{
    return netns < 0 || setns(netns, CLONE_NEWNET) == 0;
}
#else
static bool enter_namespace(int netns)
{
    return netns < 0;
}
#endif

static void on_async(uv_async_t *async)
{
    bench_thread *t = async->data;
    request r = t->request;
    t->request = NOTHING;
    if (r == SAMPLE) {
        t->sample.usage = bench_usage_now();
        t->served->counters(t->state, &t->sample.counters);
        uv_sem_post(&t->done);
    } else if (r == STOP) {
        t->served->close(t->state);
        uv_close((uv_handle_t *)async, NULL);
    }
}

static void run(void *arg)
{
    bench_thread *t = arg;
    if (t->place.cpu >= 0 && !bench_pin(t->place.cpu)) {
        bench_die("the server cannot be pinned to CPU %d", t->place.cpu);
    }
    if (!enter_namespace(t->place.netns)) {
        bench_die("the server cannot enter its network namespace: %s", strerror(errno));
    }
    if (uv_loop_init(&t->loop) != 0 || uv_async_init(&t->loop, &t->async, on_async) != 0) {
        bench_die("no loop for the server");
    }
    t->async.data = t;
    t->state = t->served->open(t->options, &t->loop, &t->port);
    uv_sem_post(&t->done);
    uv_run(&t->loop, UV_RUN_DEFAULT);
    if (uv_loop_close(&t->loop) != 0) {
        bench_die("the server's loop has handles left");
    }
}

bench_thread *bench_thread_start(const bench_served *served, const void *options, bench_place place)
{
    bench_thread *t = bench_calloc(1, sizeof *t);
    t->served = served;
    t->options = options;
    t->place = place;
    if (uv_sem_init(&t->done, 0) != 0 || uv_thread_create(&t->thread, run, t) != 0) {
        bench_die("no thread for the server");
    }
    uv_sem_wait(&t->done);
    return t;
}

int bench_thread_port(const bench_thread *t)
{
    return t->port;
}

static void ask(bench_thread *t, request r)
{
    t->request = r; /* uv_async_send orders this before the callback */
    uv_async_send(&t->async);
}

bench_sample bench_thread_sample(bench_thread *t)
{
    ask(t, SAMPLE);
    uv_sem_wait(&t->done);
    return t->sample;
}

void bench_thread_stop(bench_thread *t)
{
    ask(t, STOP);
    uv_thread_join(&t->thread);
    uv_sem_destroy(&t->done);
    free(t);
}
