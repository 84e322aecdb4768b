/* SPDX-License-Identifier: MIT */
/* The relay of the emulated network, between sockets in place of TUN devices. */
#define _GNU_SOURCE /* sockets */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if BENCH_HAVE_HTTP

#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "http/relay.h"

enum { PACKETS = 200 };

/* ours[i] talks to the relay's end i. */
typedef struct wires {
    int ours[2], theirs[2];
} wires;

static void open_wires(wires *w)
{
    for (size_t i = 0; i < 2; i++) {
        int pair[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair), 0);
        w->ours[i] = pair[0];
        w->theirs[i] = pair[1];
    }
}

static void close_wires(const wires *w)
{
    for (size_t i = 0; i < 2; i++) {
        close(w->ours[i]);
        close(w->theirs[i]);
    }
}

/* The next packet, waited for; its number. -1: none comes. */
static int receive(int fd, int timeout_ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    uint8_t packet[64];
    if (poll(&p, 1, timeout_ms) != 1) {
        return -1;
    }
    assert_int_equal(read(fd, packet, sizeof packet), 20);
    assert_int_equal(packet[0], 0x45);
    return packet[1] << 8 | packet[2];
}

static void send_packet(int fd, int number, uint8_t version)
{
    uint8_t packet[20] = {(uint8_t)(version << 4 | 5), (uint8_t)(number >> 8), (uint8_t)number};
    assert_int_equal(write(fd, packet, sizeof packet), sizeof packet);
}

/* Both ways, in order, none of them before its time. */
static void packets_wait(void **state)
{
    (void)state;
    wires w;
    open_wires(&w);
    const bench_relay_options o = {
        .ends = {w.theirs[0], w.theirs[1]}, .delay_ns = 5000000, .cpu = -1};
    bench_relay *r = bench_relay_start(&o);
    for (int way = 0; way < 2; way++) {
        uint64_t begin = bench_wall_ns();
        for (int i = 0; i < 10; i++) {
            send_packet(w.ours[way], i, 4);
        }
        for (int i = 0; i < 10; i++) {
            assert_int_equal(receive(w.ours[1 - way], 5000), i);
            assert_true(bench_wall_ns() - begin >= o.delay_ns);
        }
    }
    bench_relay_counts counts = bench_relay_stop(r);
    assert_int_equal(counts.carried[0], 10);
    assert_int_equal(counts.carried[1], 10);
    assert_int_equal(counts.lost[0], 0);
    close_wires(&w);
}

/* Which of the packets one seed lets through. */
static size_t pass(uint64_t seed, double percent, bool *through)
{
    wires w;
    open_wires(&w);
    const bench_relay_options o = {
        .ends = {w.theirs[0], w.theirs[1]}, .loss_percent = percent, .seed = seed, .cpu = -1};
    bench_relay *r = bench_relay_start(&o);
    memset(through, 0, PACKETS * sizeof *through);
    size_t n = 0;
    for (int i = 0; i < PACKETS; i++) {
        send_packet(w.ours[0], i, 4);
        if (i % 20 == 19) { /* a socket holds so many */
            for (int got; (got = receive(w.ours[1], 50)) >= 0; n++) {
                through[got] = true;
            }
        }
    }
    bench_relay_counts counts = bench_relay_stop(r);
    assert_int_equal(counts.carried[0], n);
    assert_int_equal(counts.carried[0] + counts.lost[0], PACKETS);
    close_wires(&w);
    return n;
}

static void the_seed_chooses_what_is_lost(void **state)
{
    (void)state;
    bool a[PACKETS], again[PACKETS], other[PACKETS];
    size_t n = pass(7, 30, a);
    assert_true(n > PACKETS / 2 && n < PACKETS * 9 / 10);
    assert_int_equal(pass(7, 30, again), n);
    assert_memory_equal(a, again, sizeof a);
    pass(8, 30, other);
    assert_memory_not_equal(a, other, sizeof a);
    assert_int_equal(pass(7, 0, a), PACKETS);
}

static void others_than_ipv4_are_left_out(void **state)
{
    (void)state;
    wires w;
    open_wires(&w);
    const bench_relay_options o = {.ends = {w.theirs[0], w.theirs[1]}, .cpu = -1};
    bench_relay *r = bench_relay_start(&o);
    send_packet(w.ours[0], 1, 6);
    send_packet(w.ours[0], 2, 4);
    assert_int_equal(receive(w.ours[1], 5000), 2);
    bench_relay_counts counts = bench_relay_stop(r);
    assert_int_equal(counts.carried[0], 1);
    assert_int_equal(counts.lost[0], 0);
    close_wires(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_wait),
        cmocka_unit_test(the_seed_chooses_what_is_lost),
        cmocka_unit_test(others_than_ipv4_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void not_in_this_build(void **state)
{
    (void)state;
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_in_this_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
