/* SPDX-License-Identifier: MIT */
/* The client's connections: where they lead, when they are made, who gets which. */
#include "client_internal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "http1.h"
#include "http2.h"

enum { HTTP_1_CONNECTIONS = 6, HTTP_2_CONNECTIONS = 1 };

/* ---- lists -------------------------------------------------------------------------------------
 */

static void leave_ready(cw__link *l)
{
    cw_http_client *c = l->client;
    if (!l->is_ready) {
        return;
    }
    l->is_ready = false;
    *(l->prev_ready != NULL ? &l->prev_ready->next_ready : &c->ready_first) = l->next_ready;
    *(l->next_ready != NULL ? &l->next_ready->prev_ready : &c->ready_last) = l->prev_ready;
    l->next_ready = l->prev_ready = NULL;
}

static void join_ready(cw__link *l)
{
    cw_http_client *c = l->client;
    if (l->is_ready) {
        return;
    }
    l->is_ready = true;
    l->prev_ready = NULL;
    l->next_ready = c->ready_first;
    *(c->ready_first != NULL ? &c->ready_first->prev_ready : &c->ready_last) = l;
    c->ready_first = l;
}

static cw__link *add_link(cw_http_client *c)
{
    cw__link *l = calloc(1, sizeof *l);
    if (l == NULL) {
        return NULL;
    }
    l->client = c;
    l->base = c->address_first;
    l->next = c->links;
    if (c->links != NULL) {
        c->links->prev = l;
    }
    c->links = l;
    c->link_count++;
    c->connecting++;
    return l;
}

static void remove_link(cw__link *l)
{
    cw_http_client *c = l->client;
    leave_ready(l);
    *(l->prev != NULL ? &l->prev->next : &c->links) = l->next;
    if (l->next != NULL) {
        l->next->prev = l->prev;
    }
    c->link_count--;
    c->connecting -= l->is_open ? 0 : 1;
    c->leaving -= l->is_leaving ? 1 : 0;
    free(l);
}

/* ---- who gets which ----------------------------------------------------------------------------
 */

static bool has_room(const cw__link *l)
{
    const cw__connection *connection = l->connection;
    return l->is_open && connection->state == CW__OPEN && !connection->has_failed &&
           !connection->read_ended && !connection->is_deaf &&
           connection->core->ops->room(connection->core) > 0;
}

/* A connection that only finishes what it has gives its place to another (RFC 9113, 6.8). */
static void find_leaving(cw__link *l)
{
    const cw__core *core = l->connection->core;
    if (!l->is_leaving && core->version == CW_HTTP_2 && cw__http2_is_leaving(core)) {
        l->is_leaving = true;
        l->client->leaving++;
        l->client->may_grow = true;
    }
}

void cw__link_update(cw__link *l)
{
    find_leaving(l);
    if (has_room(l)) {
        join_ready(l);
    } else {
        leave_ready(l);
    }
}

/* HTTP/1.1: the one used last, which is the least likely to be closed by the server just now.
 * HTTP/2: the one with the fewest requests. */
cw__link *cw__link_pick(cw_http_client *c)
{
    cw__link *best = NULL;
    for (cw__link *l = c->ready_first, *next; l != NULL; l = next) {
        next = l->next_ready;
        if (!has_room(l)) {
            leave_ready(l);
        } else if (best == NULL || l->in_flight < best->in_flight) {
            best = l;
            if (l->in_flight == 0) {
                break;
            }
        }
    }
    return best;
}

static cw__link *pick_new(const cw_http_client *c)
{
    cw__link *l = c->ready_first;
    while (l != NULL && (l->carried > 0 || !has_room(l))) {
        l = l->next_ready;
    }
    return l;
}

static void start(cw_http_exchange *x, cw__link *l)
{
    cw_net_error e;
    cw__list_remove(x);
    if (cw__request_start(x, l, &e) != CW_NET_OK) {
        cw__exchange_end_later(x, &e);
    }
}

void cw__links_dispatch(cw_http_client *c)
{
    cw__link *l;
    while (c->fresh.first != NULL && (l = pick_new(c)) != NULL) {
        start(c->fresh.first, l);
    }
    while (c->queue.first != NULL && (l = cw__link_pick(c)) != NULL) {
        start(c->queue.first, l);
    }
}

/* ---- failing -----------------------------------------------------------------------------------
 */

/* A connection could not be made. The turn tells, so that nobody hears of it inside a call. */
static void fail(cw_http_client *c, const cw_net_error *why)
{
    c->has_failed = true;
    c->may_grow = false;
    c->error = *why;
    if (!c->is_numeric) {
        /* The name may lead elsewhere by now. */
        free(c->addresses);
        c->addresses = NULL;
        c->address_count = 0;
    }
    cw__client_wake(c);
}

/* All that wait at this moment: who is sent by their callbacks has its own chance. */
static bool fail_waiting(cw_http_client *c, const cw_net_error *why)
{
    cw__exchange_list waiting = {.first = NULL};
    while (c->fresh.first != NULL || c->queue.first != NULL) {
        cw_http_exchange *x = c->fresh.first != NULL ? c->fresh.first : c->queue.first;
        cw__list_remove(x);
        cw__list_add(&waiting, x);
    }
    bool is_any = waiting.first != NULL;
    while (waiting.first != NULL) {
        cw__exchange_finish(waiting.first, why);
    }
    return is_any;
}

static void tell_ready(cw_http_client *c, const cw_net_error *e)
{
    void (*ready)(void *, const cw_net_error *) = c->ready;
    c->ready = NULL;
    c->ahead = 0;
    ready(c->ready_ctx, e);
}

static void tell_failure(cw_http_client *c)
{
    const cw_net_error why = c->error;
    c->has_failed = false;
    /* As long as there is another connection, open or to be, requests wait for that one. */
    bool is_told = c->link_count == c->leaving && fail_waiting(c, &why);
    if (c->ready != NULL) {
        tell_ready(c, &why);
        is_told = true;
    }
    if (!is_told && c->o.on_error != NULL) {
        c->o.on_error(c->o.ctx, &why);
    }
}

/* ---- addresses ---------------------------------------------------------------------------------
 */

static bool keep_addresses(cw_http_client *c, const struct addrinfo *list)
{
    size_t n = 0;
    for (const struct addrinfo *a = list; a != NULL; a = a->ai_next) {
        n++;
    }
    c->addresses = n > 0 ? calloc(n, sizeof *c->addresses) : NULL;
    if (c->addresses == NULL) {
        return false;
    }
    for (const struct addrinfo *a = list; a != NULL; a = a->ai_next) {
        if (a->ai_addrlen <= sizeof *c->addresses) {
            memcpy(&c->addresses[c->address_count++], a->ai_addr, a->ai_addrlen);
        }
    }
    return c->address_count > 0;
}

static void fail_to_resolve(cw_http_client *c, int status)
{
    cw_net_error e;
    cw_net_error_set(&e, CW_NET_ERR_RESOLVE, status, "%s: %s", c->origin.host, uv_strerror(status));
    fail(c, &e);
}

static void on_resolved(uv_getaddrinfo_t *req, int status, struct addrinfo *list)
{
    cw_http_client *c = req->data;
    c->is_resolving = false;
    c->address_first = 0;
    if (!c->is_closing) {
        if (status < 0 || !keep_addresses(c, list)) {
            fail_to_resolve(c, status < 0 ? status : UV_ENOMEM);
        }
        cw__client_wake(c);
    }
    uv_freeaddrinfo(list);
    cw__client_handle_closed(c);
}

/* True: there are addresses now. */
static bool resolve(cw_http_client *c)
{
    if (c->address_count > 0 || c->is_resolving) {
        return c->address_count > 0;
    }
    char port[8];
    snprintf(port, sizeof port, "%d", c->origin.port);
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_protocol = IPPROTO_TCP};
    c->resolve.data = c;
    int status =
        uv_getaddrinfo(c->pool.o.loop, &c->resolve, on_resolved, c->origin.host, port, &hints);
    if (status < 0) {
        fail_to_resolve(c, status);
    } else {
        c->is_resolving = true;
        c->handles_open++;
    }
    return false;
}

/* ---- making connections ------------------------------------------------------------------------
 */

static void try_next_address(cw__link *l)
{
    cw_http_client *c = l->client;
    cw_net_error e;
    const struct sockaddr_storage *address = &c->addresses[(l->base + l->tried) % c->address_count];
    l->tried++;
    l->connection = cw__connection_connect(&c->pool, (const struct sockaddr *)address, &e);
    if (l->connection == NULL) {
        remove_link(l);
        fail(c, &e);
    } else {
        l->connection->user = l;
    }
}

static size_t max_links(const cw_http_client *c)
{
    if (c->version == CW_HTTP_ANY) {
        return 1; /* which version it is decides how many there may be */
    }
    size_t usual = c->version == CW_HTTP_2 ? HTTP_2_CONNECTIONS : HTTP_1_CONNECTIONS;
    return c->o.max_connections > 0 ? c->o.max_connections : usual;
}

static size_t links_ahead(const cw_http_client *c)
{
    return c->ahead < max_links(c) ? c->ahead : max_links(c);
}

/* Is one more connection wanted? If so there is something that no connection has room for. */
static bool wants_link(const cw_http_client *c)
{
    size_t staying = c->link_count - c->leaving;
    size_t waiting = c->queue.len + c->fresh.len;
    if (!c->may_grow || staying >= max_links(c)) {
        return false;
    }
    bool is_missing =
        c->version == CW_HTTP_2 ? waiting > 0 && c->connecting == 0 : waiting > c->connecting;
    return is_missing || staying < links_ahead(c);
}

/* A request that needs a new connection waits, and all there may be are there and idle. */
static cw__link *to_be_replaced(const cw_http_client *c)
{
    bool is_full = c->link_count - c->leaving >= max_links(c);
    return c->fresh.first != NULL && is_full && c->connecting == 0 ? c->ready_last : NULL;
}

bool cw__links_are_short(const cw_http_client *c)
{
    return wants_link(c) || to_be_replaced(c) != NULL;
}

static void grow(cw_http_client *c)
{
    cw__link *old = to_be_replaced(c);
    if (old != NULL && old->in_flight == 0) {
        cw__connection_shutdown(old->connection);
        cw__link_update(old);
    }
    while (wants_link(c) && resolve(c)) {
        cw__link *l = add_link(c);
        if (l == NULL) {
            cw_net_error e;
            cw_net_error_set(&e, CW_NET_ERR_MEMORY, 0, "%s", "connection");
            fail(c, &e);
            return;
        }
        try_next_address(l);
    }
}

static bool is_up(const cw__link *l)
{
    const cw__connection *connection = l->connection;
    return l->is_open && connection->state == CW__OPEN &&
           (connection->core->version != CW_HTTP_2 || cw__http2_is_ready(connection->core));
}

static bool are_all_up(const cw_http_client *c)
{
    size_t up = 0;
    for (const cw__link *l = c->links; l != NULL; l = l->next) {
        up += is_up(l) ? 1 : 0;
    }
    /* Before the first handshake max_links is not the last word. */
    return up >= links_ahead(c) && (c->version != CW_HTTP_ANY || c->ahead == 0);
}

void cw__links_turn(cw_http_client *c)
{
    if (c->has_failed) {
        tell_failure(c);
    }
    cw__links_dispatch(c);
    grow(c);
    if (c->ready != NULL && !c->has_failed && are_all_up(c)) {
        const cw_net_error ok = {.status = CW_NET_OK};
        tell_ready(c, &ok);
    }
}

void cw_http_client_connect(cw_http_client *c, size_t connections,
                            void (*ready)(void *ctx, const cw_net_error *e), void *ctx)
{
    assert(c->ready == NULL);
    c->ahead = connections;
    c->ready = ready;
    c->ready_ctx = ctx;
    c->may_grow = true;
    cw__client_wake(c);
}

/* ---- events of the pool ------------------------------------------------------------------------
 */

static void on_open(void *ctx, cw__connection *connection)
{
    cw_http_client *c = ctx;
    cw__link *l = connection->user;
    l->is_open = true;
    c->connecting--;
    c->version = connection->core->version;
    if (c->address_count > 0) {
        c->address_first = (l->base + l->tried - 1) % c->address_count;
    }
    if (c->o.no_keep_alive && connection->core->version != CW_HTTP_2) {
        cw__http1_close_after(connection->core);
    }
    cw__link_update(l);
    cw__links_dispatch(c);
    cw__client_wake(c);
}

/* TLS and what it says of the server do not get better with another address. */
static bool is_worth_next_address(const cw__link *l, const cw_net_error *why)
{
    bool is_of_transport = why->status == CW_NET_ERR_CONNECT || why->status == CW_NET_ERR_TIMEOUT ||
                           why->status == CW_NET_ERR_CLOSED || why->status == CW_NET_ERR_IO;
    return is_of_transport && l->tried < l->client->address_count;
}

static void on_close(void *ctx, cw__connection *connection, const cw_net_error *why)
{
    cw_http_client *c = ctx;
    cw__link *l = connection->user;
    if (!connection->is_counted && !c->is_closing) {
        c->pool.counters.connections_failed++;
    }
    if (!l->is_open && !c->is_closing && is_worth_next_address(l, why)) {
        try_next_address(l);
        return;
    }
    cw_net_error e = *why;
    /* Open, but of no use: that would go on for ever. */
    bool is_useless = l->carried == 0 && (cw_http_client_queued(c) > 0 || c->ready != NULL);
    bool has_failed = !l->is_open || is_useless;
    bool is_news = cw__is_error(why) && !l->has_told;
    if (has_failed && !cw__is_error(&e)) {
        cw_net_error_set(&e, CW_NET_ERR_CLOSED, 0, "%s", "before the first request");
    }
    remove_link(l);
    if (c->is_closing) {
        return;
    }
    if (has_failed) {
        fail(c, &e);
        return;
    }
    c->may_grow = true;
    cw__client_wake(c);
    if (is_news && c->o.on_error != NULL) {
        c->o.on_error(c->o.ctx, &e);
    }
}

static void on_sweep(void *ctx, uint64_t now_ms)
{
    (void)ctx; /* exchanges have deadlines of their own */
    (void)now_ms;
}

const cw__pool_events cw__link_events = {on_open, on_close, on_sweep};
