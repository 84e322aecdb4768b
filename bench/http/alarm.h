/* SPDX-License-Identifier: MIT */
/*
 * An alarm at an absolute time. libuv's own timers tick in milliseconds; on Linux this is a timerfd
 * that the loop polls, good to microseconds, elsewhere such a timer, rounded up.
 */
#ifndef BENCH_HTTP_ALARM_H
#define BENCH_HTTP_ALARM_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

/* Must not move while it is open. */
typedef struct bench_alarm {
    union {
        uv_handle_t handle;
        uv_poll_t poll;
        uv_timer_t timer;
    } uv;
    int fd;
    uv_loop_t *loop;
    void (*ring)(void *ctx);
    void (*closed)(void *ctx);
    void *ctx;
} bench_alarm;

/* What it is made of, for the output. */
const char *bench_alarm_kind(void);

/* ring(ctx) is called on the loop when the time has come. False: the system has none. */
bool bench_alarm_open(bench_alarm *a, uv_loop_t *loop, void (*ring)(void *ctx), void *ctx);

/* Rings once at this time of bench_wall_ns, at once when it has passed; in place of an earlier
 * setting. */
void bench_alarm_set(bench_alarm *a, uint64_t at_ns);
void bench_alarm_clear(bench_alarm *a);

/* The memory is the alarm's until closed(ctx) is called (NULL: until the loop has run once more).
 */
void bench_alarm_close(bench_alarm *a, void (*closed)(void *ctx));

#endif
