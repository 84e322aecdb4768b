/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* ppoll, and uv.h wants POSIX types */

#include "http/relay.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "clock.h"
#include "die.h"
#include "mem.h"
#include "pin.h"

enum { PACKET_MAX = 65536, AT_ONCE = 64 };

typedef struct packet {
    struct packet *next;
    uint64_t due_ns;
    size_t len;
    uint8_t bytes[];
} packet;

/* One direction. All packets wait equally long, so the first that came is the first to go. */
typedef struct way {
    int from, to;
    packet *first, **last;
    uint64_t random;
    uint64_t carried, lost;
} way;

struct bench_relay {
    bench_relay_options o;
    way ways[2];
    int stop[2]; /* a pipe: closed at its end, it says stop */
    uv_thread_t thread;
    uint8_t room[PACKET_MAX];
};

/* SplitMix64: a fixed sequence for each seed. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static bool is_lost(const bench_relay *r, way *w)
{
    double part = (double)(next_random(&w->random) >> 11) / (double)(UINT64_C(1) << 53);
    return part < r->o.loss_percent / 100;
}

static void enqueue(bench_relay *r, way *w, size_t len)
{
    packet *p = malloc(sizeof *p + len);
    if (p == NULL) {
        bench_die("out of memory (a packet)");
    }
    p->next = NULL;
    p->due_ns = bench_wall_ns() + r->o.delay_ns;
    p->len = len;
    memcpy(p->bytes, r->room, len);
    *w->last = p;
    w->last = &p->next;
}

/* Takes what has arrived, some at a time so that neither way starves. */
static void take(bench_relay *r, way *w)
{
    for (unsigned i = 0; i < AT_ONCE; i++) {
        ssize_t n = read(w->from, r->room, sizeof r->room);
        if (n <= 0) {
            return;
        }
        if (r->room[0] >> 4 != 4) {
            continue;
        }
        if (is_lost(r, w)) {
            w->lost++;
        } else {
            enqueue(r, w, (size_t)n);
        }
    }
}

static void give(way *w)
{
    uint64_t now = bench_wall_ns();
    while (w->first != NULL && w->first->due_ns <= now) {
        packet *p = w->first;
        w->first = p->next;
        w->last = w->first != NULL ? w->last : &w->first;
        if (write(w->to, p->bytes, p->len) == (ssize_t)p->len) {
            w->carried++;
        } else {
            w->lost++;
        }
        free(p);
    }
}

/* Until the first packet is due; NULL: none waits. */
static const struct timespec *time_left(const bench_relay *r, struct timespec *out)
{
    uint64_t due = UINT64_MAX, now = bench_wall_ns();
    for (size_t i = 0; i < 2; i++) {
        const packet *first = r->ways[i].first;
        due = first != NULL && first->due_ns < due ? first->due_ns : due;
    }
    if (due == UINT64_MAX) {
        return NULL;
    }
    uint64_t left = due > now ? due - now : 0;
    out->tv_sec = (time_t)(left / 1000000000u);
    out->tv_nsec = (long)(left % 1000000000u);
    return out;
}

static void run(void *arg)
{
    bench_relay *r = arg;
    struct timespec left;
    struct pollfd fds[3] = {
        {.fd = r->ways[0].from, .events = POLLIN},
        {.fd = r->ways[1].from, .events = POLLIN},
        {.fd = r->stop[0], .events = POLLIN},
    };
    if (r->o.cpu >= 0 && !bench_pin(r->o.cpu)) {
        bench_die("the relay cannot be pinned to CPU %d", r->o.cpu);
    }
#ifdef __linux__
    prctl(PR_SET_TIMERSLACK, 1UL); /* else a wait may last 50 us longer */
#endif
    while (fds[2].revents == 0) {
        if (ppoll(fds, 3, time_left(r, &left), NULL) < 0 && errno != EINTR) {
            bench_die("the relay cannot wait: %s", strerror(errno));
        }
        for (size_t i = 0; i < 2; i++) {
            if (fds[i].revents != 0) {
                take(r, &r->ways[i]);
            }
            give(&r->ways[i]);
        }
    }
}

bench_relay *bench_relay_start(const bench_relay_options *o)
{
    bench_relay *r = bench_calloc(1, sizeof *r);
    r->o = *o;
    for (size_t i = 0; i < 2; i++) {
        way *w = &r->ways[i];
        *w = (way){.from = o->ends[i], .to = o->ends[1 - i], .random = o->seed + i};
        w->last = &w->first;
    }
    if (pipe(r->stop) != 0 || uv_thread_create(&r->thread, run, r) != 0) {
        bench_die("no thread for the relay");
    }
    return r;
}

bench_relay_counts bench_relay_stop(bench_relay *r)
{
    bench_relay_counts counts;
    close(r->stop[1]);
    uv_thread_join(&r->thread);
    close(r->stop[0]);
    for (size_t i = 0; i < 2; i++) {
        way *w = &r->ways[i];
        counts.carried[i] = w->carried;
        counts.lost[i] = w->lost;
        while (w->first != NULL) {
            packet *next = w->first->next;
            free(w->first);
            w->first = next;
        }
    }
    free(r);
    return counts;
}
