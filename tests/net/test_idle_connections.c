/* SPDX-License-Identifier: MIT */
/*
 * What idle connections cost the server: 10,000 of them, each of which has carried a request, held
 * by another process; and that nothing is left of them when that process dies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <malloc.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cwire/net/server.h"

enum {
    CONNECTIONS = 10000,
    SPARE_FILES = 100,
    BYTES_EACH = 4096, /* heap of the server for one idle connection, at most */
    BYTES_AFTER = 400000
};

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
size_t __sanitizer_get_current_allocated_bytes(void);
#endif
#endif

static size_t heap_bytes(void)
{
#ifdef SANITIZED
    return __sanitizer_get_current_allocated_bytes();
#else
    return mallinfo2().uordblks + mallinfo2().hblkhd;
#endif
}

typedef struct world {
    uv_loop_t loop;
    cw_http_server *server;
    uv_poll_t told; /* the other process has all its connections */
    uv_timer_t wait;
    int pipe[2];
    pid_t child;
    size_t connections;
    size_t before;
} world;

static void on_request(void *ctx, cw_http_call *call)
{
    (void)ctx;
    assert_int_equal(cw_http_respond(call, 200, (cw_http_fields){NULL, 0}, cw_http_call_body(call)),
                     CW_NET_OK);
}

/* The other process: plain blocking sockets; ends when it is killed. */
static _Noreturn void hold_connections(const world *w, int port)
{
    static const char request[] = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi";
    char answer[512];
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (size_t i = 0; i < w->connections; i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (fd < 0 || connect(fd, (const struct sockaddr *)&to, sizeof to) != 0 ||
            write(fd, request, sizeof request - 1) != sizeof request - 1 ||
            read(fd, answer, sizeof answer) <= 0 || memcmp(answer, "HTTP/1.1 200", 12) != 0) {
            perror("connection");
            _exit(1);
        }
    }
    if (write(w->pipe[1], "!", 1) != 1) {
        _exit(1);
    }
    for (;;) {
        pause();
    }
}

static void on_server_closed(void *ctx)
{
    world *w = ctx;
    uv_close((uv_handle_t *)&w->told, NULL);
    uv_close((uv_handle_t *)&w->wait, NULL);
}

/* The server has noticed that all are gone. */
static void on_wait(uv_timer_t *timer)
{
    world *w = timer->data;
    cw_net_counters c;
    cw_http_server_counters(w->server, &c);
    if (c.connections_open > 0) {
        return;
    }
    uv_timer_stop(timer);
    assert_int_equal(c.connections, w->connections);
    assert_int_equal(c.requests, w->connections);
    assert_int_equal(c.answered, w->connections);
    assert_int_equal(c.failed, 0);
}

static void on_told(uv_poll_t *poll, int status, int events)
{
    world *w = poll->data;
    char byte = 0;
    (void)events;
    assert_int_equal(status, 0);
    assert_int_equal(read(w->pipe[0], &byte, 1), 1); /* 0: the other process has failed */
    uv_poll_stop(poll);
    cw_net_counters c;
    cw_http_server_counters(w->server, &c);
    assert_int_equal(c.connections_open, w->connections);
    size_t each = (heap_bytes() - w->before) / w->connections;
    print_message("%zu idle connections: %zu bytes each\n", w->connections, each);
    assert_in_range(each, 100, BYTES_EACH);
    kill(w->child, SIGKILL);
    uv_timer_start(&w->wait, on_wait, 20, 20);
}

static size_t possible_connections(void)
{
    struct rlimit files;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    files.rlim_cur = files.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
    assert_true(files.rlim_cur > 1000 + SPARE_FILES);
    return files.rlim_cur - SPARE_FILES < CONNECTIONS ? files.rlim_cur - SPARE_FILES : CONNECTIONS;
}

static void test_idle_connections(void **state)
{
    const cw_http_handler handler = {.on_request = on_request};
    const cw_http_server_options options = {.host = "127.0.0.1"};
    cw_net_error e;
    world w = {.connections = possible_connections()};
    (void)state;
    assert_int_equal(uv_loop_init(&w.loop), 0);
    w.server = cw_http_server_open(&w.loop, &options, &handler, &w, &e);
    assert_non_null(w.server);
    assert_int_equal(pipe(w.pipe), 0);
    w.child = fork();
    assert_true(w.child >= 0);
    if (w.child == 0) {
        close(w.pipe[0]);
        hold_connections(&w, cw_http_server_port(w.server));
    }
    close(w.pipe[1]);
    uv_poll_init(&w.loop, &w.told, w.pipe[0]);
    uv_timer_init(&w.loop, &w.wait);
    w.told.data = w.wait.data = &w;
    w.before = heap_bytes();
    uv_poll_start(&w.told, UV_READABLE, on_told);
    while (uv_is_active((uv_handle_t *)&w.told) || uv_is_active((uv_handle_t *)&w.wait)) {
        uv_run(&w.loop, UV_RUN_ONCE);
    }
    size_t after = heap_bytes();
    print_message("after they are gone: %zu bytes more than before\n",
                  after > w.before ? after - w.before : 0);
    assert_true(after < w.before + BYTES_AFTER);
    cw_http_server_close(w.server, on_server_closed);
    uv_run(&w.loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&w.loop), 0);
    assert_int_equal(waitpid(w.child, NULL, 0), w.child);
    close(w.pipe[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_idle_connections)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
