/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include "http/load.h"

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "die.h"
#include "http/alarm.h"
#include "http/answer.h"
#include "mem.h"

enum {
    CHUNK = 64,     /* slots that are made at once */
    OPEN_MAX = 256, /* requests of an open loop that the client has at once: the queue behind them
                       is the schedule itself, which has no bound and costs nothing */
    GUARD_MS = 50   /* how often the guard looks */
};

/* A request in flight, or room for one. */
typedef struct slot {
    bench_load *load;
    struct slot *next_free;
    cw_http_exchange *exchange;
    uint64_t begin_ns; /* latency counts from here */
    unsigned state;    /* of the payload, that was sent */
    bool is_used, given_up;
} slot;

typedef struct chunk {
    struct chunk *next;
    slot slots[CHUNK];
} chunk;

/* What runs now. */
typedef struct window {
    bench_plan plan;
    bench_outcome *out;
    uint64_t start_ns, end_ns; /* no request leaves after the end */
    uint64_t due;              /* requests of an open loop */
    uint64_t issued, in_flight;
    uint64_t progress, progress_ns; /* what the guard saw last, and when it changed */
    bool is_waiting;                /* open loop: for the alarm */
    bool given_up, is_done;
} window;

struct bench_load {
    bench_load_options o;
    uv_loop_t *loop;
    cw_http_client *client;
    cw_http_request request; /* all but body and user */
    cw_http_field field;
    bench_alarm alarm; /* open loop: a request is due */
    uv_timer_t guard;
    chunk *chunks;
    slot *free;
    cw_arena arena; /* of a request */
    bench_answer answer;
    window w;
    unsigned open; /* handles and client that are not closed yet */
    cw_net_error *ready_error;
    bool is_ready;
};

/* ---- slots -------------------------------------------------------------------------------------
 */

static slot *take_slot(bench_load *l)
{
    if (l->free == NULL) {
        chunk *c = bench_calloc(1, sizeof *c);
        c->next = l->chunks;
        l->chunks = c;
        for (size_t i = 0; i < CHUNK; i++) {
            c->slots[i] = (slot){.load = l, .next_free = l->free};
            l->free = &c->slots[i];
        }
    }
    slot *s = l->free;
    l->free = s->next_free;
    s->is_used = true;
    s->given_up = false;
    return s;
}

static void release_slot(slot *s)
{
    s->is_used = false;
    s->next_free = s->load->free;
    s->load->free = s;
}

/* ---- one request -------------------------------------------------------------------------------
 */

static void count_failure(bench_outcome *out, const cw_net_error *e)
{
    char text[256];
    cw_net_error_print(e, text, sizeof text);
    bench_outcome_explain(out, text);
    out->failed++;
    out->refused += e->status == CW_NET_ERR_REFUSED || e->status == CW_NET_ERR_CONNECT;
}

/* Any server may answer with some JSON; that of a batch is known from our own. */
static bool is_ours(const cw_http_head *head)
{
    return cw_str_equal(cw_http_find(head->fields, "server"), CW_STR("cwire-bench"));
}

/* What is wrong with an answer of success; NULL: nothing. */
static const char *judge(bench_load *l, const slot *s, const cw_http_exchange *x)
{
    const cw_http_head *head = cw_http_exchange_head(x);
    bench_wire wire = bench_wire_of(cw_http_find(head->fields, "content-type"));
    if (l->o.any_answer && (wire == BENCH_WIRES || !is_ours(head))) {
        return NULL;
    }
    if (wire != l->o.wire) {
        return "the answer is not in the form of the request";
    }
    return bench_answer_check(&l->answer, wire, cw_http_exchange_body(x), s->state);
}

static void count_answer(bench_load *l, const slot *s, const cw_http_exchange *x)
{
    bench_outcome *out = l->w.out;
    unsigned status = cw_http_exchange_head(x)->status;
    char text[64];
    const char *wrong = text;
    if (status < 200 || status > 299) {
        snprintf(text, sizeof text, "HTTP status %u", status);
    } else {
        wrong = judge(l, s, x);
    }
    if (wrong != NULL) {
        bench_outcome_explain(out, wrong);
        out->failed++;
        return;
    }
    out->completed++;
    out->body_down += cw_http_exchange_body(x).len;
    bench_histogram_add(&out->latency, bench_wall_ns() - s->begin_ns);
}

static void go_on(bench_load *l);

static void on_response(void *user, cw_http_exchange *x, const cw_net_error *e)
{
    slot *s = user;
    bench_load *l = s->load;
    if (!s->given_up) {
        if (e->status == CW_NET_OK) {
            count_answer(l, s, x);
        } else {
            count_failure(l->w.out, e);
        }
    }
    release_slot(s);
    l->w.in_flight--;
    go_on(l);
}

static void send_one(bench_load *l, uint64_t begin_ns)
{
    bench_outcome *out = l->w.out;
    slot *s = take_slot(l);
    cw_net_error e = {0};
    s->begin_ns = begin_ns;
    if (l->o.source != NULL) {
        cw_arena_reset(&l->arena);
        l->request.body = bench_source_next(l->o.source, l->o.wire, &l->arena, &s->state);
    }
    l->request.user = s;
    l->w.issued++;
    out->sent++;
    if (cw_http_send(l->client, &l->request, &s->exchange, &e) == CW_NET_OK) {
        l->w.in_flight++;
        out->body_up += l->request.body.len;
    } else {
        count_failure(out, &e);
        release_slot(s);
    }
}

/* ---- the window --------------------------------------------------------------------------------
 */

static uint64_t due_at(const window *w, uint64_t i)
{
    return w->start_ns + (uint64_t)((double)i * 1e9 / w->plan.rate);
}

/* Nothing more is to be sent. */
static bool is_over(const window *w, uint64_t now)
{
    return w->given_up || (w->plan.rate > 0       ? w->issued == w->due
                           : w->plan.requests > 0 ? w->issued == w->plan.requests
                                                  : now >= w->end_ns);
}

/* Open loop: sends what is due, then waits for what will be. */
static void send_due(bench_load *l)
{
    window *w = &l->w;
    while (!is_over(w, 0) && w->in_flight < OPEN_MAX && due_at(w, w->issued) <= bench_wall_ns()) {
        send_one(l, due_at(w, w->issued));
    }
    w->is_waiting = !is_over(w, 0) && w->in_flight < OPEN_MAX;
    if (w->is_waiting) {
        bench_alarm_set(&l->alarm, due_at(w, w->issued));
    }
}

/* Closed loop: fills up. */
static void fill_up(bench_load *l)
{
    window *w = &l->w;
    uint64_t now = bench_wall_ns();
    while (w->in_flight < l->o.in_flight && !is_over(w, now)) {
        send_one(l, now);
        now = bench_wall_ns();
    }
}

/* After an answer, and at the start. */
static void go_on(bench_load *l)
{
    window *w = &l->w;
    if (w->plan.rate <= 0) {
        fill_up(l);
    } else if (!w->is_waiting) {
        send_due(l);
    }
    if (w->in_flight > 0 || w->is_done) {
        return;
    }
    uint64_t now = bench_wall_ns();
    if (is_over(w, now)) {
        w->is_done = true;
        w->out->wall_ns += now - w->start_ns;
        uv_timer_stop(&l->guard);
        uv_stop(l->loop);
    }
}

static void on_alarm(void *ctx)
{
    bench_load *l = ctx;
    l->w.is_waiting = false;
    go_on(l);
}

static void count_late(bench_outcome *out, uint64_t latency_ns)
{
    out->late++;
    bench_histogram_add(&out->latency, latency_ns);
}

static void give_up(bench_load *l, uint64_t now)
{
    window *w = &l->w;
    w->given_up = true;
    for (; w->issued < w->due; w->issued++) {
        w->out->sent++;
        count_late(w->out, now - due_at(w, w->issued));
    }
    for (chunk *c = l->chunks; c != NULL; c = c->next) {
        for (size_t i = 0; i < CHUNK; i++) {
            slot *s = &c->slots[i];
            if (s->is_used) {
                s->given_up = true;
                count_late(w->out, now - s->begin_ns);
                cw_http_exchange_cancel(s->exchange);
            }
        }
    }
}

/* Every request ends, at the latest here. */
static void on_guard(uv_timer_t *timer)
{
    bench_load *l = timer->data;
    window *w = &l->w;
    uint64_t now = bench_wall_ns();
    uint64_t progress = w->out->completed + w->out->failed + w->in_flight;
    uint64_t grace_ns = BENCH_GRACE_MS * UINT64_C(1000000);
    uint64_t stall_ns = BENCH_STALL_MS * UINT64_C(1000000);
    if (progress != w->progress) {
        w->progress = progress;
        w->progress_ns = now;
    }
    bool stalled = now - w->progress_ns > stall_ns;
    if (stalled && w->given_up) {
        bench_die("%llu requests were given up, and the client never told of their end",
                  (unsigned long long)w->in_flight);
    }
    if (!w->given_up && (stalled || (w->plan.rate > 0 && now > w->end_ns + grace_ns))) {
        give_up(l, now);
        go_on(l);
    }
}

void bench_load_run(bench_load *l, const bench_plan *plan, bench_outcome *into)
{
    cw_net_counters before, after;
    window *w = &l->w;
    cw_http_client_counters(l->client, &before);
    *w = (window){.plan = *plan, .out = into};
    bench_usage begin = bench_usage_now();
    w->start_ns = w->progress_ns = bench_wall_ns();
    w->end_ns = w->start_ns + plan->duration_ns;
    uv_update_time(l->loop);
    uv_timer_start(&l->guard, on_guard, GUARD_MS, GUARD_MS);
    if (plan->rate > 0) {
        w->due = (uint64_t)(plan->rate * (double)plan->duration_ns / 1e9);
    }
    go_on(l);
    while (!w->is_done) {
        uv_run(l->loop, UV_RUN_DEFAULT);
    }
    bench_usage end = bench_usage_now();
    bench_usage_add(&into->usage, &begin, &end);
    cw_http_client_counters(l->client, &after);
    bench_counters_add(&into->counters, &before, &after);
    if (!bench_outcome_adds_up(into)) {
        bench_die("requests are not accounted for");
    }
}

/* ---- opening and closing -----------------------------------------------------------------------
 */

static char *copy_of(const char *text)
{
    return (char *)(uintptr_t)bench_clone(cw_bytes_of(text, strlen(text) + 1)).data;
}

static void set_request(bench_load *l, const bench_load_options *o)
{
    const cw_str form = bench_wires[o->wire].content_type;
    l->o.method = copy_of(o->method ? o->method : o->source ? "POST" : "GET");
    l->o.path = copy_of(o->path ? o->path : "/batch");
    l->field = (cw_http_field){o->source ? CW_STR("content-type") : CW_STR("accept"), form};
    l->request = (cw_http_request){
        .method = cw_str_from(l->o.method),
        .path = cw_str_from(l->o.path),
        .fields = {&l->field, 1},
        .on_response = on_response,
    };
}

static void free_load(bench_load *l)
{
    while (l->chunks != NULL) {
        chunk *next = l->chunks->next;
        free(l->chunks);
        l->chunks = next;
    }
    free((char *)(uintptr_t)l->o.method);
    free((char *)(uintptr_t)l->o.path);
    bench_answer_free(&l->answer);
    cw_arena_free(&l->arena);
    free(l);
}

bench_load *bench_load_open(uv_loop_t *loop, const bench_load_options *o, cw_net_error *e)
{
    const cw_http_client_options client = {
        .origin = o->origin,
        .version = o->version,
        .max_connections = o->connections,
        .no_keep_alive = o->no_keep_alive,
        .tls = o->tls,
        .coding = o->coding,
        .limits = o->limits,
    };
    cw_http_client *c = cw_http_client_open(loop, &client, e);
    if (c == NULL) {
        return NULL;
    }
    bench_load *l = bench_calloc(1, sizeof *l);
    l->o = *o;
    l->o.origin = NULL;
    l->loop = loop;
    l->client = c;
    set_request(l, o);
    bench_answer_open(&l->answer, o->source);
    if (!bench_alarm_open(&l->alarm, loop, on_alarm, l)) {
        bench_die("no timer for the client");
    }
    uv_timer_init(loop, &l->guard);
    l->guard.data = l;
    l->open = 3;
    return l;
}

static void on_ready(void *ctx, const cw_net_error *e)
{
    bench_load *l = ctx;
    l->is_ready = true;
    *l->ready_error = *e;
    uv_stop(l->loop);
}

cw_net_status bench_load_connect(bench_load *l, cw_net_error *e)
{
    l->is_ready = false;
    l->ready_error = e;
    cw_http_client_connect(l->client, l->o.connections, on_ready, l);
    while (!l->is_ready) {
        uv_run(l->loop, UV_RUN_DEFAULT);
    }
    return e->status;
}

uint64_t bench_load_connections(const bench_load *l)
{
    cw_net_counters counters;
    cw_http_client_counters(l->client, &counters);
    return counters.connections;
}

static void on_closed(void *ctx)
{
    bench_load *l = ctx;
    l->open--;
}

static void on_guard_closed(uv_handle_t *handle)
{
    on_closed(handle->data);
}

void bench_load_close(bench_load *l)
{
    cw_http_client_close(l->client, on_closed, l);
    bench_alarm_close(&l->alarm, on_closed);
    uv_close((uv_handle_t *)&l->guard, on_guard_closed);
    while (l->open > 0) {
        uv_run(l->loop, UV_RUN_ONCE);
    }
    free_load(l);
}
