/* SPDX-License-Identifier: MIT */
/* The turn of the loop: when connections are flushed and swept, and how all of it ends. */
#include "connection.h"
#include "tcp_info.h"

#include <signal.h>

enum {
    READ_SIZE = 65536,
    FLUSH_PASSES = 2,    /* in one turn, when flushing makes more to flush */
    SWEEPS_PER_TIME = 8, /* how fine time limits are kept */
    SWEEP_MIN_MS = 5,
    SWEEP_MAX_MS = 1000
};

static void take_dirty(cw__pool *p)
{
    cw__connection *c = p->dirty;
    p->dirty = NULL;
    while (c != NULL) {
        cw__connection *next = c->next_dirty;
        c->is_dirty = false;
        cw__connection_flush(c);
        c = next;
    }
}

/* A producer that always has more must not keep the loop from its other work. */
static void flush_all(cw__pool *p)
{
    for (unsigned i = 0; p->dirty != NULL && i < FLUSH_PASSES; i++) {
        take_dirty(p);
    }
}

static void on_again(uv_idle_t *handle)
{
    (void)handle;
}

static void flush_turn(cw__pool *p)
{
    flush_all(p);
    if (p->closing) {
        return;
    }
    if (p->dirty != NULL) {
        uv_idle_start(&p->again, on_again);
    } else {
        uv_idle_stop(&p->again);
    }
}

static void on_prepare(uv_prepare_t *handle)
{
    flush_turn(handle->data);
}

static void on_check(uv_check_t *handle)
{
    flush_turn(handle->data);
}

static void on_sweep(uv_timer_t *handle)
{
    cw__pool *p = handle->data;
    uint64_t now = uv_now(p->o.loop);
    /* Connections leave the list in the loop's closing phase only. */
    for (cw__connection *c = p->all; c != NULL; c = c->next) {
        cw__connection_sweep(c, now);
    }
    p->o.events->on_sweep(p->o.ctx, now);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned sweep_interval(const cw__pool_options *o)
{
    unsigned t = least(o->limits.header_timeout_ms, o->limits.body_timeout_ms);
    t = least(least(t, o->limits.idle_timeout_ms), o->open_timeout_ms) / SWEEPS_PER_TIME;
    return t < SWEEP_MIN_MS ? SWEEP_MIN_MS : least(t, SWEEP_MAX_MS);
}

static void watch_head(void *ctx, cw__stream *s)
{
    cw__connection *c = ctx;
    c->heads++;
    c->pool->o.core_events->on_head(c, s);
}

/*
 * libuv writes without MSG_NOSIGNAL: a peer that resets at the wrong moment would end the process.
 * Blocked in this thread alone, the signal does nothing; write() answers EPIPE.
 */
static void block_sigpipe(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

bool cw__pool_open(cw__pool *p, const cw__pool_options *o, cw_net_error *e)
{
    *p = (cw__pool){.o = *o, .events = *o->core_events};
    p->events.on_head = watch_head;
    p->sweep_ms = sweep_interval(o);
    if (cw__buf_reserve(&p->read, READ_SIZE) == NULL) {
        cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "read buffer");
        return false;
    }
    block_sigpipe();
    p->o.tls = o->tls != NULL ? cw__tls_hold(o->tls) : NULL;
    uv_prepare_init(o->loop, &p->prepare); /* these four never fail */
    uv_check_init(o->loop, &p->check);
    uv_idle_init(o->loop, &p->again);
    uv_timer_init(o->loop, &p->sweep);
    p->prepare.data = p->check.data = p->again.data = p->sweep.data = p;
    p->handles_open = 4;
    uv_prepare_start(&p->prepare, on_prepare);
    uv_check_start(&p->check, on_check);
    /* Sockets keep the loop alive, these do not. */
    uv_unref((uv_handle_t *)&p->prepare);
    uv_unref((uv_handle_t *)&p->check);
    uv_unref((uv_handle_t *)&p->again);
    uv_unref((uv_handle_t *)&p->sweep);
    return true;
}

void cw__pool_handle_closed(cw__pool *p)
{
    p->handles_open--;
    if (!p->closing || p->handles_open > 0) {
        return;
    }
    cw__buf_free(&p->read);
    cw__buf_free(&p->plain);
    cw__buf_free(&p->out);
    cw__buf_free(&p->records);
    if (p->o.tls != NULL) {
        cw_tls_free(p->o.tls);
    }
    if (p->closed != NULL) {
        p->closed(p->o.ctx);
    }
}

static void on_handle_closed(uv_handle_t *handle)
{
    cw__pool_handle_closed(handle->data);
}

void cw__pool_close(cw__pool *p, void (*closed)(void *ctx))
{
    cw_net_error why;
    cw_net_error_set(&why, p->o.is_server ? CW_NET_ERR_SHUTDOWN : CW_NET_ERR_CANCELLED, 0, "%s",
                     p->o.is_server ? "the server is closed" : "the client is closed");
    p->closing = true;
    p->closed = closed;
    for (cw__connection *c = p->all; c != NULL; c = c->next) {
        cw__connection_close(c, &why);
    }
    uv_close((uv_handle_t *)&p->prepare, on_handle_closed);
    uv_close((uv_handle_t *)&p->check, on_handle_closed);
    uv_close((uv_handle_t *)&p->again, on_handle_closed);
    uv_close((uv_handle_t *)&p->sweep, on_handle_closed);
}

void cw__pool_add(cw__pool *p, cw__connection *c)
{
    if (p->all == NULL) {
        uv_timer_start(&p->sweep, on_sweep, p->sweep_ms, p->sweep_ms);
    } else {
        p->all->prev = &c->next;
    }
    c->next = p->all;
    c->prev = &p->all;
    p->all = c;
    p->handles_open++;
}

void cw__pool_remove(cw__pool *p, cw__connection *c)
{
    *c->prev = c->next;
    if (c->next != NULL) {
        c->next->prev = c->prev;
    }
    if (c->is_dirty) {
        cw__connection **at = &p->dirty;
        while (*at != c) {
            at = &(*at)->next_dirty;
        }
        *at = c->next_dirty;
    }
    if (p->all == NULL && !p->closing) {
        uv_timer_stop(&p->sweep);
    }
}

void cw__pool_counters(const cw__pool *p, cw_net_counters *out)
{
    *out = p->counters;
    for (const cw__connection *c = p->all; c != NULL; c = c->next) {
        uv_os_fd_t fd;
        if (c->state != CW__CLOSING && c->is_counted &&
            uv_fileno((const uv_handle_t *)&c->tcp, &fd) == 0) {
            cw__tcp_info_add(fd, out);
        }
    }
}
