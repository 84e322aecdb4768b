/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* unshare, setns, and uv.h wants POSIX types */

#include "http/emulate.h"

#include <stdio.h>

#ifdef __linux__

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "die.h"
#include "mem.h"

/* The two ends of the one network that both namespaces know. */
static const char *const addresses[2] = {"10.77.0.1", "10.77.0.2"};
enum { SERVER, CLIENT };

#define NETMASK    "255.255.255.0"
#define NAMESPACE  "/proc/thread-self/ns/net"
#define CONGESTION "/proc/sys/net/ipv4/tcp_congestion_control"
#define ALLOWED    "/proc/sys/net/ipv4/tcp_allowed_congestion_control"

struct bench_emulator {
    bench_scene scene;
    char congestion[32];
    bool has_moved;
    int home; /* the namespace that the thread came from */
    int server_namespace;
    int tun[2];
    bench_relay *relay;
};

static void close_file(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

static bool fail(const char *what)
{
    fprintf(stderr, "cwire-bench: --rtt: %s: %s%s\n", what, strerror(errno),
            errno == EPERM || errno == EACCES ? " (it needs root, with CAP_SYS_ADMIN and "
                                                "CAP_NET_ADMIN)"
                                              : "");
    return false;
}

/* One ioctl on an interface; what it sets is in the request already. */
static bool set_interface(unsigned long what, struct ifreq *request, const char *name)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    snprintf(request->ifr_name, sizeof request->ifr_name, "%s", name);
    bool done = fd >= 0 && ioctl(fd, what, request) == 0;
    int why = errno;
    if (fd >= 0) {
        close(fd);
    }
    errno = why;
    return done;
}

static bool set_address(unsigned long what, const char *name, const char *address)
{
    struct ifreq request = {0};
    struct sockaddr_in in = {.sin_family = AF_INET};
    inet_pton(AF_INET, address, &in.sin_addr);
    memcpy(&request.ifr_addr, &in, sizeof in);
    return set_interface(what, &request, name);
}

static bool set_up(const char *name)
{
    struct ifreq request = {.ifr_flags = IFF_UP | IFF_RUNNING};
    return set_interface(SIOCSIFFLAGS, &request, name);
}

/* A device that gives and takes the packets of this namespace's network; -1: none. */
static int open_tun(const char *address)
{
    static const char name[] = "cwire0";
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    struct ifreq queue = {.ifr_qlen = 10000};
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        fail("/dev/net/tun");
        return -1;
    }
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (ioctl(fd, TUNSETIFF, &request) != 0 || !set_address(SIOCSIFADDR, name, address) ||
        !set_address(SIOCSIFNETMASK, name, NETMASK) ||
        !set_interface(SIOCSIFTXQLEN, &queue, name) || !set_up(name) || !set_up("lo")) {
        fail("the TUN device cannot be set up");
        close(fd);
        return -1;
    }
    return fd;
}

/* A setting of the kernel's: one write of the whole text. */
static bool write_setting(int fd, const char *text)
{
    return fd >= 0 && pwrite(fd, text, strlen(text), 0) == (ssize_t)strlen(text);
}

/*
 * A namespace may choose among the congestion controls that are allowed to everybody. Allows one
 * more; *before: what was allowed; "" when nothing was changed. The setting can be written from the
 * first namespace only: returns it open. Where this fails, choosing says so.
 */
static int allow_congestion(const char *name, char *before, size_t cap)
{
    char longer[512];
    int fd = open(ALLOWED, O_RDWR | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, before, cap - 1) : 0;
    before[n > 0 ? n : 0] = '\0';
    before[strcspn(before, "\n")] = '\0';
    snprintf(longer, sizeof longer, "%s %s", before, name);
    if (before[0] == '\0' || !write_setting(fd, longer)) {
        before[0] = '\0';
    }
    return fd;
}

static bool set_congestion(const char *name)
{
    char text[96];
    int fd = open(CONGESTION, O_WRONLY | O_CLOEXEC);
    bool done = write_setting(fd, name);
    snprintf(text, sizeof text, "congestion control \"%.32s\" cannot be set", name);
    if (!done) {
        fail(text);
    }
    close_file(fd);
    return done;
}

/* A new namespace with one device, which this thread is in from now. */
static bool open_end(bench_emulator *e, int end)
{
    if (unshare(CLONE_NEWNET) != 0) {
        return fail("no network namespace");
    }
    e->has_moved = true;
    e->tun[end] = open_tun(addresses[end]);
    return e->tun[end] >= 0 && set_congestion(e->congestion);
}

static int open_namespace(void)
{
    int fd = open(NAMESPACE, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        fail(NAMESPACE);
    }
    return fd;
}

static bool open_both(bench_emulator *e)
{
    e->home = open_namespace();
    return e->home >= 0 && open_end(e, SERVER) && (e->server_namespace = open_namespace()) >= 0 &&
           open_end(e, CLIENT);
}

bench_emulator *bench_emulator_open(const bench_emulation *o)
{
    bench_emulator *e = bench_calloc(1, sizeof *e);
    char allowed[256];
    e->home = e->server_namespace = e->tun[0] = e->tun[1] = -1;
    snprintf(e->congestion, sizeof e->congestion, "%s", o->congestion ? o->congestion : "cubic");
    int setting = allow_congestion(e->congestion, allowed, sizeof allowed);
    bool done = open_both(e);
    if (allowed[0] != '\0' && !write_setting(setting, allowed)) {
        fprintf(stderr, "cwire-bench: --rtt: %s has been \"%s\", and stays changed\n", ALLOWED,
                allowed);
    }
    close_file(setting);
    if (!done) {
        bench_emulator_close(e);
        return NULL;
    }
    const bench_relay_options relay = {
        .ends = {e->tun[0], e->tun[1]},
        .delay_ns = (uint64_t)(o->rtt_ms * 1e6 / 2),
        .loss_percent = o->loss_percent,
        .seed = (uint64_t)o->seed,
        .cpu = o->cpu,
    };
    e->relay = bench_relay_start(&relay);
    e->scene = (bench_scene){
        .host = addresses[SERVER],
        .netns = e->server_namespace,
        .rtt_ms = o->rtt_ms,
        .loss_percent = o->loss_percent,
        .congestion = e->congestion,
    };
    return e;
}

const bench_scene *bench_emulator_scene(const bench_emulator *e)
{
    return &e->scene;
}

bench_relay_counts bench_emulator_close(bench_emulator *e)
{
    bench_relay_counts counts = {{0}, {0}};
    if (e->relay != NULL) {
        counts = bench_relay_stop(e->relay);
    }
    if (e->has_moved && setns(e->home, CLONE_NEWNET) != 0) {
        bench_die("the thread cannot return to its network namespace: %s", strerror(errno));
    }
    close_file(e->home);
    close_file(e->server_namespace);
    close_file(e->tun[0]);
    close_file(e->tun[1]);
    free(e);
    return counts;
}

#else

bench_emulator *bench_emulator_open(const bench_emulation *o)
{
    (void)o;
    fprintf(stderr, "cwire-bench: --rtt: network namespaces and TUN devices are Linux's\n");
    return NULL;
}

const bench_scene *bench_emulator_scene(const bench_emulator *e)
{
    (void)e;
    return NULL;
}

bench_relay_counts bench_emulator_close(bench_emulator *e)
{
    (void)e;
    return (bench_relay_counts){{0}, {0}};
}

#endif
