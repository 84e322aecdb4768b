/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include "http/alarm.h"

#include "clock.h"
#include "die.h"

#ifdef __linux__

#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

const char *bench_alarm_kind(void)
{
    return "timerfd";
}

static void set(const bench_alarm *a, uint64_t at_ns)
{
    struct itimerspec when = {0};
    when.it_value.tv_sec = (time_t)(at_ns / 1000000000u);
    when.it_value.tv_nsec = (long)(at_ns % 1000000000u);
    if (timerfd_settime(a->fd, TFD_TIMER_ABSTIME, &when, NULL) != 0) {
        bench_die("timerfd_settime failed");
    }
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    bench_alarm *a = poll->data;
    uint64_t times;
    (void)events;
    /* Nothing to read: it was set anew after this turn's poll. */
    if (status == 0 && read(a->fd, &times, sizeof times) == (ssize_t)sizeof times) {
        a->ring(a->ctx);
    }
}

bool bench_alarm_open(bench_alarm *a, uv_loop_t *loop, void (*ring)(void *ctx), void *ctx)
{
    *a = (bench_alarm){.loop = loop, .ring = ring, .ctx = ctx};
    a->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (a->fd < 0) {
        return false;
    }
    if (uv_poll_init(loop, &a->uv.poll, a->fd) != 0) {
        close(a->fd);
        return false;
    }
    a->uv.poll.data = a;
    uv_poll_start(&a->uv.poll, UV_READABLE, on_poll);
    return true;
}

void bench_alarm_set(bench_alarm *a, uint64_t at_ns)
{
    set(a, at_ns ? at_ns : 1); /* 0 would disarm it */
}

void bench_alarm_clear(bench_alarm *a)
{
    set(a, 0);
}

static void on_closed(uv_handle_t *handle)
{
    bench_alarm *a = handle->data;
    close(a->fd);
    if (a->closed != NULL) {
        a->closed(a->ctx);
    }
}

void bench_alarm_close(bench_alarm *a, void (*closed)(void *ctx))
{
    a->closed = closed;
    uv_close(&a->uv.handle, on_closed);
}

#else

const char *bench_alarm_kind(void)
{
    return "uv_timer";
}

static void on_timer(uv_timer_t *timer)
{
    bench_alarm *a = timer->data;
    a->ring(a->ctx);
}

bool bench_alarm_open(bench_alarm *a, uv_loop_t *loop, void (*ring)(void *ctx), void *ctx)
{
    *a = (bench_alarm){.fd = -1, .loop = loop, .ring = ring, .ctx = ctx};
    if (uv_timer_init(loop, &a->uv.timer) != 0) {
        return false;
    }
    a->uv.timer.data = a;
    return true;
}

void bench_alarm_set(bench_alarm *a, uint64_t at_ns)
{
    uint64_t now = bench_wall_ns();
    uv_update_time(a->loop);
    uv_timer_start(&a->uv.timer, on_timer, at_ns > now ? (at_ns - now + 999999) / 1000000 : 0, 0);
}

void bench_alarm_clear(bench_alarm *a)
{
    uv_timer_stop(&a->uv.timer);
}

static void on_closed(uv_handle_t *handle)
{
    bench_alarm *a = handle->data;
    if (a->closed != NULL) {
        a->closed(a->ctx);
    }
}

void bench_alarm_close(bench_alarm *a, void (*closed)(void *ctx))
{
    a->closed = closed;
    uv_close(&a->uv.handle, on_closed);
}

#endif
