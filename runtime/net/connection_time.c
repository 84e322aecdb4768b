/* SPDX-License-Identifier: MIT */
/* A connection's time limits, looked at by the pool's sweep. */
#include "connection.h"

#include "http1.h"
#include "tcp_info.h"

enum {
    LINGER_MS = 1000,     /* for the peer's end, after ours: RFC 9112, 9.6 */
    LINGER_MAX_MS = 30000 /* ... while it still sends */
};

/* Sets since_ms when `is` begins to hold; has it held for longer than `limit`? */
static bool lasts(cw__connection *c, bool is, bool *was, uint64_t now_ms, unsigned limit)
{
    bool held = is && *was && c->heads == c->heads_swept;
    *was = is;
    if (is && !held) {
        c->since_ms = now_ms;
    }
    return held && now_ms - c->since_ms > limit;
}

/* Does the peer, though the write is not done, take bytes? As slowly as it likes. */
static bool is_moving(cw__connection *c)
{
    uv_os_fd_t fd;
    uint64_t before = c->taken;
    c->taken = c->is_writing && uv_fileno((uv_handle_t *)&c->tcp, &fd) == 0 ? cw__tcp_taken(fd) : 0;
    return c->was_writing && c->taken > before;
}

/* A write that is not done: does it go on? */
static void sweep_write(cw__connection *c, uint64_t now_ms)
{
    c->core->is_moving = is_moving(c);
    if (!c->was_writing || c->core->is_moving) {
        c->writing_since_ms = now_ms;
    }
    c->was_writing = c->is_writing;
    if (c->is_writing && now_ms - c->writing_since_ms > c->pool->o.limits.body_timeout_ms) {
        cw__connection_fail(c, CW_NET_ERR_TIMEOUT, 0, "the peer does not read");
    }
}

static void sweep_open(cw__connection *c, uint64_t now_ms)
{
    cw__core *core = c->core;
    const cw_http_limits *limits = &c->pool->o.limits;
    sweep_write(c, now_ms);
    if (c->state == CW__CLOSING) {
        return;
    }
    core->ops->sweep(core, now_ms);
    bool in_head = core->ops->in_head(core);
    bool is_idle = !in_head && core->ops->streams(core) == 0;
    if (lasts(c, in_head, &c->was_in_head, now_ms, limits->header_timeout_ms)) {
        if (c->pool->o.is_server && core->version != CW_HTTP_2) {
            cw__http1_timeout(core);
        } else {
            cw__connection_fail(c, CW_NET_ERR_TIMEOUT, 0, "the head does not come");
        }
    }
    if (lasts(c, is_idle, &c->was_idle, now_ms, limits->idle_timeout_ms)) {
        core->ops->shutdown(core);
    }
    c->heads_swept = c->heads;
    cw__connection_touch(c);
}

void cw__connection_sweep(cw__connection *c, uint64_t now_ms)
{
    const cw__pool_options *o = &c->pool->o;
    uint64_t age = now_ms - c->since_ms;
    if (c->is_deaf) {
        if (age > LINGER_MS) {
            cw__connection_fail(c, CW_NET_ERR_CLOSED, 0, "the peer takes nothing");
        }
        return;
    }
    switch (c->state) {
    case CW__CONNECTING:
        if (age > o->open_timeout_ms) {
            cw__connection_fail(c, CW_NET_ERR_TIMEOUT, 0, "no connection");
        }
        break;
    case CW__OPENING:
        if (age > (c->tls != NULL ? o->open_timeout_ms : o->limits.header_timeout_ms)) {
            cw__connection_fail(c, CW_NET_ERR_TIMEOUT, 0,
                                c->tls != NULL ? "no TLS handshake" : "no request");
        }
        break;
    case CW__OPEN:
        sweep_open(c, now_ms);
        break;
    case CW__LINGERING:
        if (now_ms - c->heard_ms > LINGER_MS || age > LINGER_MAX_MS) {
            cw__connection_close(c, NULL);
        }
        break;
    case CW__CLOSING:
        break;
    }
}
