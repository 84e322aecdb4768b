/* SPDX-License-Identifier: MIT */
/* A server's life: listening, accepting, counting, ending. */
#include "server_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <netinet/in.h>
#include <sys/socket.h>

enum { DEFAULT_BACKLOG = 1024, RETRY_MS = 100 };

/* ---- the socket --------------------------------------------------------------------------------
 */

typedef struct address {
    struct sockaddr_storage storage;
    socklen_t len;
} address;

static bool address_of(const char *host, int port, address *a)
{
    *a = (address){.len = sizeof(struct sockaddr_in)};
    if (uv_ip4_addr(host, port, (struct sockaddr_in *)&a->storage) == 0) {
        return true;
    }
    a->len = sizeof(struct sockaddr_in6);
    return uv_ip6_addr(host, port, (struct sockaddr_in6 *)&a->storage) == 0;
}

static bool set_option(int fd, int level, int name, int value)
{
    return setsockopt(fd, level, name, &value, sizeof value) == 0;
}

/* A listening socket, or -errno. "::" takes IPv4 too. */
static int listening_socket(const address *a, int backlog, bool reuse_port)
{
    int family = a->storage.ss_family;
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    if (!set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1) ||
        (reuse_port && !set_option(fd, SOL_SOCKET, SO_REUSEPORT, 1)) ||
        (family == AF_INET6 && !set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0)) ||
        bind(fd, (const struct sockaddr *)&a->storage, a->len) != 0 || listen(fd, backlog) != 0) {
        int status = -errno;
        close(fd);
        return status;
    }
    return fd;
}

static bool open_socket(cw_http_server *s, const cw_http_server_options *o, cw_net_error *e)
{
    const char *host = o->host != NULL ? o->host : "::";
    address a;
    if (o->port < 0 || o->port > 65535 || !address_of(host, o->port, &a)) {
        cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "cannot listen on \"%s\" port %d", host,
                         o->port);
        return false;
    }
    s->fd = listening_socket(&a, s->backlog, o->reuse_port);
    if (o->host == NULL && (s->fd == -EAFNOSUPPORT || s->fd == -EADDRNOTAVAIL)) {
        address_of("0.0.0.0", o->port, &a); /* a machine without IPv6 */
        s->fd = listening_socket(&a, s->backlog, o->reuse_port);
    }
    if (s->fd < 0) {
        cw_net_error_set(e, CW_NET_ERR_IO, s->fd, "listen on %s port %d: %s", host, o->port,
                         uv_strerror(s->fd));
        return false;
    }
    a.len = sizeof a.storage;
    if (getsockname(s->fd, (struct sockaddr *)&a.storage, &a.len) != 0) {
        cw_net_error_set(e, CW_NET_ERR_IO, -errno, "getsockname: %s", uv_strerror(-errno));
        return false;
    }
    s->port = a.storage.ss_family == AF_INET6
                  ? ntohs(((const struct sockaddr_in6 *)&a.storage)->sin6_port)
                  : ntohs(((const struct sockaddr_in *)&a.storage)->sin_port);
    return true;
}

/* ---- the end -----------------------------------------------------------------------------------
 */

static void free_struct(cw_http_server *s)
{
    if (s->fd >= 0) {
        close(s->fd);
    }
    for (size_t i = 0; i < 2; i++) {
        cw__coder_free(s->encoders[i]);
        cw__coder_free(s->decoders[i]);
        s->encoders[i] = s->decoders[i] = NULL;
    }
    cw__calls_free(s);
    cw__buf_free(&s->scratch);
    free(s->fields);
    free(s->server_field);
    free(s);
}

void cw__server_release(cw_http_server *s)
{
    if (s->parts == 0 && s->calls == 0) {
        free_struct(s);
    }
}

static void part_closed(cw_http_server *s)
{
    if (--s->parts > 0 || s->state != CW__SERVER_CLOSES) {
        return;
    }
    s->calls++; /* a late answer in `closed` must not free the struct */
    if (s->closed != NULL) {
        s->closed(s->ctx);
    }
    s->calls--;
    cw__server_release(s);
}

static void on_pool_closed(void *ctx)
{
    part_closed(ctx);
}

static void on_timer_closed(uv_handle_t *handle)
{
    part_closed(handle->data);
}

static void on_listener_closed(uv_handle_t *handle);

static void close_listener(cw_http_server *s)
{
    if (s->has_listener && !uv_is_closing((uv_handle_t *)&s->listener)) {
        uv_close((uv_handle_t *)&s->listener, on_listener_closed);
    }
}

static void stop_listening(cw_http_server *s)
{
    if (s->fd >= 0) {
        close(s->fd);
        s->fd = -1;
    }
    uv_timer_stop(&s->retry);
    close_listener(s);
}

static void close_all(cw_http_server *s)
{
    s->state = CW__SERVER_CLOSES;
    stop_listening(s);
    uv_close((uv_handle_t *)&s->retry, on_timer_closed);
    uv_close((uv_handle_t *)&s->end, on_timer_closed);
    if (s->has_pool) {
        cw__pool_close(&s->pool, on_pool_closed);
    }
}

static void on_end(uv_timer_t *timer)
{
    close_all(timer->data);
}

/* Not from inside an event of a connection: the next turn of the loop does it. */
static void end_soon(cw_http_server *s, unsigned ms)
{
    uv_timer_start(&s->end, on_end, ms, 0);
}

static void note_closed(cw_http_server *s, void (*closed)(void *ctx))
{
    if (s->closed == NULL) {
        s->closed = closed;
    }
}

void cw_http_server_shutdown(cw_http_server *s, void (*closed)(void *ctx))
{
    note_closed(s, closed);
    if (s->state != CW__SERVER_RUNS) {
        return;
    }
    s->state = CW__SERVER_DRAINS;
    stop_listening(s);
    /* Connections leave the list in the loop's closing phase only. */
    for (cw__connection *c = s->pool.all; c != NULL; c = c->next) {
        cw__connection_shutdown(c);
    }
    end_soon(s, s->pool.counters.connections_open > 0 ? s->limits.drain_timeout_ms : 0);
}

void cw_http_server_close(cw_http_server *s, void (*closed)(void *ctx))
{
    note_closed(s, closed);
    if (s->state != CW__SERVER_CLOSES) {
        s->state = CW__SERVER_DRAINS;
        stop_listening(s);
        end_soon(s, 0);
    }
}

/* ---- connections -------------------------------------------------------------------------------
 */

static void on_open(void *ctx, cw__connection *c)
{
    (void)ctx;
    (void)c;
}

static void on_sweep(void *ctx, uint64_t now_ms)
{
    (void)ctx;
    (void)now_ms;
}

static void on_close(void *ctx, cw__connection *c, const cw_net_error *why)
{
    cw_http_server *s = ctx;
    cw__peer *peer = c->user;
    if (peer != NULL) {
        for (cw_http_call *call = peer->late; call != NULL; call = call->next) {
            call->connection = NULL;
        }
        /* An idle connection that we close ourselves is nobody's error. */
        if (why->status != CW_NET_OK && why->status != peer->told &&
            why->status != CW_NET_ERR_SHUTDOWN) {
            cw__server_error(s, why);
        }
        free(peer);
    }
    if (s->state == CW__SERVER_DRAINS && s->pool.counters.connections_open == 0) {
        end_soon(s, 0);
    }
}

static const cw__pool_events pool_events = {
    .on_open = on_open,
    .on_close = on_close,
    .on_sweep = on_sweep,
};

/* A connection that could not be had. */
static void tell_failed(cw_http_server *s, const cw_net_error *e)
{
    s->pool.counters.connections_failed++;
    if (s->handler.on_error != NULL) {
        s->handler.on_error(s->ctx, e);
    }
}

static void accept_one(cw_http_server *s)
{
    cw_net_error e;
    cw__connection *c = cw__connection_accept(&s->pool, (uv_stream_t *)&s->listener, &e);
    if (c == NULL) {
        tell_failed(s, &e);
        close_listener(s); /* with what waits in it; see on_listener_closed */
        return;
    }
    c->user = calloc(1, sizeof(cw__peer));
    if (c->user == NULL) {
        cw_net_error_set(&e, CW_NET_ERR_MEMORY, 0, "%s", "connection");
        tell_failed(s, &e);
        cw__connection_close(c, &e);
    }
}

static void on_refused_closed(uv_handle_t *handle)
{
    free(handle);
}

/* One too many: taken from the queue, where it would wait in vain, and closed. */
static void refuse_one(cw_http_server *s)
{
    cw_net_error e;
    uv_tcp_t *tcp = malloc(sizeof *tcp);
    if (tcp == NULL) {
        close_listener(s);
    } else {
        uv_tcp_init(s->listener.loop, tcp);
        uv_accept((uv_stream_t *)&s->listener, (uv_stream_t *)tcp);
        uv_close((uv_handle_t *)tcp, on_refused_closed);
    }
    cw_net_error_set(&e, CW_NET_ERR_BUSY, 0, "%s", "connections");
    tell_failed(s, &e);
}

static void on_connection(uv_stream_t *listener, int status)
{
    cw_http_server *s = listener->data;
    cw_net_error e;
    if (status < 0) {
        cw_net_error_set(&e, CW_NET_ERR_IO, status, "accept: %s", uv_strerror(status));
        tell_failed(s, &e);
        close_listener(s); /* libuv would try again at once, and again: a pause is better */
    } else if (s->pool.counters.connections_open >= s->limits.max_connections) {
        refuse_one(s);
    } else {
        accept_one(s);
    }
}

/* Accepts from here on, by a copy of the socket that can be closed for a pause. */
static int start_accepting(cw_http_server *s)
{
    int fd = fcntl(s->fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    uv_tcp_init(s->end.loop, &s->listener);
    s->listener.data = s;
    s->has_listener = true;
    s->parts++;
    int status = uv_tcp_open(&s->listener, fd);
    if (status < 0) {
        close(fd);
    } else {
        status = uv_listen((uv_stream_t *)&s->listener, s->backlog, on_connection);
    }
    if (status < 0) {
        close_listener(s);
    }
    return status;
}

static void on_retry(uv_timer_t *timer)
{
    cw_http_server *s = timer->data;
    if (start_accepting(s) < 0 && !s->has_listener) {
        uv_timer_start(&s->retry, on_retry, RETRY_MS, 0);
    }
}

static void on_listener_closed(uv_handle_t *handle)
{
    cw_http_server *s = handle->data;
    s->has_listener = false;
    if (s->state == CW__SERVER_RUNS) {
        uv_timer_start(&s->retry, on_retry, RETRY_MS, 0);
    }
    part_closed(s);
}

/* ---- the beginning -----------------------------------------------------------------------------
 */

static void set_coding(cw_http_coding_options *to, const cw_http_coding_options *from)
{
    *to = *from;
    to->gzip_level = from->gzip_level != 0 ? from->gzip_level : 6;
    to->br_quality = from->br_quality != 0 ? from->br_quality : 4;
    to->min_size = from->min_size != 0 ? from->min_size : 1024;
}

static const char *wrong_option(const cw_http_server_options *o)
{
    const cw_http_coding_options *c = &o->coding;
    const cw_http_field server = {CW_STR("server"), cw_str_from(o->server_field)};
    if ((c->codings & ~(unsigned)(CW_HTTP_GZIP | CW_HTTP_BR)) != 0 || c->gzip_level < 0 ||
        c->gzip_level > 9 || c->br_quality < 0 || c->br_quality > 11) {
        return "content coding or its level";
    }
    if (o->tls != NULL && !cw__tls_is_server(o->tls)) {
        return "TLS context of a client";
    }
    return o->server_field != NULL ? cw__fields_refusal((cw_http_fields){&server, 1}, false) : NULL;
}

static cw_http_server *make(const cw_http_server_options *o, const cw_http_handler *handler,
                            void *ctx)
{
    cw_http_server *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->handler = *handler;
    s->ctx = ctx;
    s->limits = cw_http_limits_of(&o->limits);
    set_coding(&s->coding, &o->coding);
    s->no_date = o->no_date;
    s->backlog = o->backlog > 0 ? o->backlog : DEFAULT_BACKLOG;
    s->fd = -1;
    if (o->server_field != NULL) {
        s->server_field = strdup(o->server_field);
        if (s->server_field == NULL) {
            free(s);
            return NULL;
        }
    }
    return s;
}

static bool open_pool(cw_http_server *s, uv_loop_t *loop, cw_tls *tls, cw_net_error *e)
{
    const cw__pool_options o = {
        .loop = loop,
        .is_server = true,
        .tls = tls,
        .max_in_flight = SIZE_MAX,
        .open_timeout_ms = s->limits.header_timeout_ms,
        .limits = s->limits,
        .core_events = &cw__server_core_events,
        .events = &pool_events,
        .ctx = s,
    };
    return cw__pool_open(&s->pool, &o, e);
}

/* From here on there are handles: what fails is closed by the loop. */
static bool start(cw_http_server *s, uv_loop_t *loop, cw_tls *tls, cw_net_error *e)
{
    if (!open_pool(s, loop, tls, e)) {
        free_struct(s);
        return false;
    }
    uv_timer_init(loop, &s->retry);
    uv_timer_init(loop, &s->end);
    s->retry.data = s->end.data = s;
    s->has_pool = true;
    s->parts = 3;
    int status = start_accepting(s);
    if (status < 0) {
        cw_net_error_set(e, CW_NET_ERR_IO, status, "listen: %s", uv_strerror(status));
        close_all(s);
        return false;
    }
    return true;
}

cw_http_server *cw_http_server_open(uv_loop_t *loop, const cw_http_server_options *o,
                                    const cw_http_handler *handler, void *ctx, cw_net_error *e)
{
    const char *wrong = handler->on_request == NULL ? "no on_request" : wrong_option(o);
    if (wrong != NULL) {
        cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "%s", wrong);
        return NULL;
    }
    cw_http_server *s = make(o, handler, ctx);
    if (s == NULL) {
        cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "%s", "server");
        return NULL;
    }
    if (!open_socket(s, o, e)) {
        free_struct(s);
        return NULL;
    }
    return start(s, loop, o->tls, e) ? s : NULL;
}

int cw_http_server_port(const cw_http_server *s)
{
    return s->port;
}

void cw_http_server_counters(const cw_http_server *s, cw_net_counters *out)
{
    cw__pool_counters(&s->pool, out);
}

/* ---- coders ------------------------------------------------------------------------------------
 */

static cw__coder *ready(cw__coder *coder)
{
    return coder != NULL && cw__coder_reset(coder) ? coder : NULL;
}

cw__coder *cw__server_encoder(cw_http_server *s, unsigned coding)
{
    cw__coder **kept = &s->encoders[coding - 1];
    if (*kept == NULL) {
        *kept = cw__encoder_open(coding, cw__coding_level(s, coding));
        return *kept;
    }
    return ready(*kept);
}

cw__coder *cw__server_decoder(cw_http_server *s, unsigned coding)
{
    cw__coder **kept = &s->decoders[coding - 1];
    if (*kept == NULL) {
        *kept = cw__decoder_open(coding, s->limits.max_expansion);
        return *kept;
    }
    return ready(*kept);
}
