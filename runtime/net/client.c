/* SPDX-License-Identifier: MIT */
/* A client as a whole: how it is set up, its turn of the loop and its clock, how it ends. */
#include "client_internal.h"

#include <stdlib.h>

enum { CONNECT_TIMEOUT_MS = 10000, GZIP_LEVEL = 6, BR_QUALITY = 4, MIN_CODED = 1024 };

/* ---- the turn ----------------------------------------------------------------------------------
 */

static void finish_list(cw__exchange_list *list, const cw_net_error *why)
{
    while (list->first != NULL) {
        cw_http_exchange *x = list->first;
        cw__exchange_finish(x, cw__is_error(&x->error) ? &x->error : why);
    }
}

static void on_pool_closed(void *ctx)
{
    cw__client_handle_closed(ctx);
}

static void on_handle_closed(uv_handle_t *handle)
{
    cw__client_handle_closed(handle->data);
}

/* The close that cw_http_client_close has asked for. */
static void stop(cw_http_client *c)
{
    cw_net_error why;
    cw_net_error_set(&why, CW_NET_ERR_CANCELLED, 0, "%s", "the client is closed");
    finish_list(&c->fresh, &why);
    finish_list(&c->queue, &why);
    finish_list(&c->ended, &why);
    if (c->ready != NULL) {
        c->ready(c->ready_ctx, &why);
    }
    if (c->is_resolving) {
        uv_cancel((uv_req_t *)&c->resolve);
    }
    c->is_stopped = true;
    cw__pool_close(&c->pool, on_pool_closed);
    uv_close((uv_handle_t *)&c->turn, on_handle_closed);
    uv_close((uv_handle_t *)&c->timer, on_handle_closed);
}

static void on_turn(uv_idle_t *handle)
{
    cw_http_client *c = handle->data;
    uv_idle_stop(handle);
    if (c->is_closing) {
        stop(c);
        return;
    }
    cw__exchange_list ended = c->ended;
    for (cw_http_exchange *x = ended.first; x != NULL; x = x->next) {
        x->list = &ended;
    }
    c->ended = (cw__exchange_list){.first = NULL};
    finish_list(&ended, NULL);
    cw__links_turn(c);
}

void cw__client_wake(cw_http_client *c)
{
    if (!c->is_stopped) {
        uv_idle_start(&c->turn, on_turn);
    }
}

/* ---- the clock ---------------------------------------------------------------------------------
 */

uint64_t cw__client_now(void)
{
    return uv_hrtime() / 1000000;
}

static void on_timer(uv_timer_t *handle);

/* One that is set too early does no harm: it fires and is set again. */
static void arm(cw_http_client *c)
{
    const cw__deadline *first = cw__deadlines_first(&c->deadlines);
    if (first == NULL || first->due_ms >= c->timer_ms || c->is_stopped) {
        return;
    }
    uint64_t now = cw__client_now();
    c->timer_ms = first->due_ms;
    uv_timer_start(&c->timer, on_timer, first->due_ms > now ? first->due_ms - now : 0, 0);
}

static void on_timer(uv_timer_t *handle)
{
    cw_http_client *c = handle->data;
    uint64_t now = cw__client_now();
    cw__deadline *first;
    c->timer_ms = UINT64_MAX;
    while ((first = cw__deadlines_first(&c->deadlines)) != NULL && first->due_ms <= now) {
        cw__exchange_time_out(first->owner, now);
    }
    arm(c);
}

bool cw__client_set_timer(cw_http_client *c, cw_http_exchange *x, uint64_t due_ms)
{
    if (!cw__deadlines_set(&c->deadlines, &x->timer, due_ms)) {
        return false;
    }
    arm(c);
    return true;
}

/* ---- beginning and end -------------------------------------------------------------------------
 */

static void free_client(cw_http_client *c)
{
    while (c->spare.first != NULL) {
        cw_http_exchange *x = c->spare.first;
        cw__list_remove(x);
        cw__exchange_free(x);
    }
    for (size_t i = 0; i < CW__CODINGS; i++) {
        while (c->decoder_count[i] > 0) {
            cw__coder_free(c->decoders[i][--c->decoder_count[i]]);
        }
    }
    if (c->encoder != NULL) {
        cw__coder_free(c->encoder);
    }
    cw__deadlines_free(&c->deadlines);
    cw__buf_free(&c->coded);
    cw__buf_free(&c->decoded);
    free(c->fields);
    free(c->addresses);
    free(c);
}

void cw__client_handle_closed(cw_http_client *c)
{
    c->handles_open--;
    if (!c->is_stopped || c->handles_open > 0) {
        return;
    }
    void (*closed)(void *) = c->closed;
    void *ctx = c->closed_ctx;
    free_client(c);
    if (closed != NULL) {
        closed(ctx);
    }
}

static cw_net_status check(const cw_http_client_options *o, cw_net_error *e)
{
    unsigned coding = o->coding.request_coding;
    if (o->version != CW_HTTP_ANY && o->version != CW_HTTP_1_1 && o->version != CW_HTTP_2) {
        return cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "%s", "version");
    }
    if (coding != 0 && coding != CW_HTTP_GZIP && coding != CW_HTTP_BR) {
        return cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "%s", "request_coding");
    }
    if (o->tls != NULL && cw__tls_is_server(o->tls)) {
        return cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "%s", "tls is a server's");
    }
    return CW_NET_OK;
}

static void set_defaults(cw_http_client_options *o)
{
    cw_http_coding_options *coding = &o->coding;
    o->connect_timeout_ms = o->connect_timeout_ms > 0 ? o->connect_timeout_ms : CONNECT_TIMEOUT_MS;
    o->max_in_flight = o->max_in_flight > 0 ? o->max_in_flight : SIZE_MAX;
    coding->gzip_level = coding->gzip_level > 0 ? coding->gzip_level : GZIP_LEVEL;
    coding->br_quality = coding->br_quality > 0 ? coding->br_quality : BR_QUALITY;
    coding->min_size = coding->min_size > 0 ? coding->min_size : MIN_CODED;
}

/* A host in figures needs no resolver. */
static bool find_numeric(cw_http_client *c)
{
    struct sockaddr_storage address;
    memset(&address, 0, sizeof address);
    c->is_numeric = cw__origin_address(&c->origin, &address);
    if (c->is_numeric) {
        c->addresses = malloc(sizeof *c->addresses);
        if (c->addresses == NULL) {
            return false;
        }
        c->addresses[0] = address;
        c->address_count = 1;
    }
    return true;
}

static bool open_pool(cw_http_client *c, uv_loop_t *loop, cw_net_error *e)
{
    cw_tls *tls = c->o.tls;
    if (c->origin.is_tls && tls == NULL) {
        tls = cw_tls_client(&(cw_tls_client_options){.ca_file = NULL}, e);
        if (tls == NULL) {
            return false;
        }
    }
    const cw__pool_options options = {
        .loop = loop,
        .tls = c->origin.is_tls ? tls : NULL,
        .host = c->origin.host,
        .version = c->version,
        .max_in_flight = c->o.max_in_flight,
        .open_timeout_ms = c->o.connect_timeout_ms,
        .limits = cw_http_limits_of(&c->o.limits),
        .core_events = &cw__exchange_events,
        .events = &cw__link_events,
        .ctx = c,
    };
    bool is_open = cw__pool_open(&c->pool, &options, e);
    if (tls != NULL && c->o.tls == NULL) {
        cw_tls_free(tls); /* the pool holds it */
    }
    return is_open;
}

cw_http_client *cw_http_client_open(uv_loop_t *loop, const cw_http_client_options *o,
                                    cw_net_error *e)
{
    cw__origin origin;
    if (cw__origin_parse(o->origin, &origin, e) != CW_NET_OK || check(o, e) != CW_NET_OK) {
        return NULL;
    }
    cw_http_client *c = calloc(1, sizeof *c);
    if (c == NULL) {
        cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "%s", "client");
        return NULL;
    }
    c->origin = origin;
    c->o = *o;
    c->o.origin = NULL;
    set_defaults(&c->o);
    c->version = o->version == CW_HTTP_ANY && !origin.is_tls ? CW_HTTP_1_1 : o->version;
    c->timer_ms = UINT64_MAX;
    if (!find_numeric(c)) {
        cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "%s", "client");
        free_client(c);
        return NULL;
    }
    if (!open_pool(c, loop, e)) {
        free_client(c);
        return NULL;
    }
    c->o.tls = NULL;
    uv_idle_init(loop, &c->turn); /* these never fail */
    uv_timer_init(loop, &c->timer);
    c->turn.data = c->timer.data = c;
    c->handles_open = 3; /* and the pool */
    /* What deadlines wait for keeps the loop alive, not the timer. */
    uv_unref((uv_handle_t *)&c->timer);
    return c;
}

void cw_http_client_close(cw_http_client *c, void (*closed)(void *ctx), void *ctx)
{
    if (c->is_closing) {
        return;
    }
    c->is_closing = true;
    c->closed = closed;
    c->closed_ctx = ctx;
    cw__client_wake(c);
}

size_t cw_http_client_queued(const cw_http_client *c)
{
    return c->queue.len + c->fresh.len;
}

size_t cw_http_client_in_flight(const cw_http_client *c)
{
    return c->in_flight;
}

void cw_http_client_counters(const cw_http_client *c, cw_net_counters *out)
{
    cw__pool_counters(&c->pool, out);
}
