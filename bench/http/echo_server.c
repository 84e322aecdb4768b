/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include "http/echo_server.h"

#include <stdlib.h>

#include "die.h"
#include "mem.h"

enum { BACKLOG = 128, ROOM = 65536 };

typedef struct server {
    uv_tcp_t listener;
    uv_loop_t *loop;
    struct peer *peers;
    cw_net_counters counters;
    unsigned open; /* handles */
    char room[ROOM];
} server;

typedef struct peer {
    uv_tcp_t tcp;
    server *server;
    struct peer *next, **prev;
} peer;

static void let_go(server *s)
{
    if (--s->open == 0) {
        free(s);
    }
}

static void on_peer_closed(uv_handle_t *handle)
{
    peer *p = handle->data;
    let_go(p->server);
    free(p);
}

static void close_peer(peer *p)
{
    *p->prev = p->next;
    if (p->next != NULL) {
        p->next->prev = p->prev;
    }
    p->server->counters.connections_open--;
    uv_close((uv_handle_t *)&p->tcp, on_peer_closed);
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *out)
{
    peer *p = handle->data;
    (void)suggested;
    *out = uv_buf_init(p->server->room, ROOM);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    peer *p = stream->data;
    server *s = p->server;
    if (n < 0) {
        close_peer(p);
        return;
    }
    if (n > 0) {
        s->counters.reads++;
        s->counters.bytes_in += (uint64_t)n;
        uv_buf_t back = uv_buf_init(buf->base, (unsigned)n);
        if (uv_try_write(stream, &back, 1) != (int)n) {
            close_peer(p); /* no client of ours has so much under way */
            return;
        }
        s->counters.writes++;
        s->counters.bytes_out += (uint64_t)n;
    }
}

static void on_connection(uv_stream_t *listener, int status)
{
    server *s = listener->data;
    if (status != 0) {
        return;
    }
    peer *p = bench_calloc(1, sizeof *p);
    p->server = s;
    p->tcp.data = p;
    p->next = s->peers;
    p->prev = &s->peers;
    if (s->peers != NULL) {
        s->peers->prev = &p->next;
    }
    s->peers = p;
    uv_tcp_init(s->loop, &p->tcp);
    s->open++;
    s->counters.connections++;
    s->counters.connections_open++;
    if (uv_accept(listener, (uv_stream_t *)&p->tcp) != 0) {
        close_peer(p);
        return;
    }
    uv_tcp_nodelay(&p->tcp, 1);
    uv_read_start((uv_stream_t *)&p->tcp, on_room, on_read);
}

static void *open_server(const void *options, uv_loop_t *loop, int *port)
{
    struct sockaddr_in address;
    int len = sizeof address;
    server *s = bench_calloc(1, sizeof *s);
    s->loop = loop;
    s->listener.data = s;
    s->open = 1;
    if (uv_tcp_init(loop, &s->listener) != 0 || uv_ip4_addr(options, 0, &address) != 0 ||
        uv_tcp_bind(&s->listener, (const struct sockaddr *)&address, 0) != 0 ||
        uv_listen((uv_stream_t *)&s->listener, BACKLOG, on_connection) != 0 ||
        uv_tcp_getsockname(&s->listener, (struct sockaddr *)&address, &len) != 0) {
        bench_die("the echo server cannot listen");
    }
    *port = ntohs(address.sin_port);
    return s;
}

static void read_counters(const void *served, cw_net_counters *out)
{
    *out = ((const server *)served)->counters;
}

static void on_listener_closed(uv_handle_t *handle)
{
    let_go(handle->data);
}

static void close_server(void *served)
{
    server *s = served;
    while (s->peers != NULL) {
        close_peer(s->peers);
    }
    uv_close((uv_handle_t *)&s->listener, on_listener_closed);
}

const bench_served bench_echo_server = {open_server, read_counters, close_server};
