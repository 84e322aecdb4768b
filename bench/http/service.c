/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include "http/service.h"

#include <stdlib.h>

#include "clock.h"
#include "data_order.h"
#include "die.h"
#include "http/alarm.h"
#include "http/message.h"
#include "mem.h"

/* An answer that waits for its time. All wait equally long, so they come due in order. */
typedef struct waiting {
    cw_http_call *call;
    uint64_t due_ns;
} waiting;

struct bench_service {
    void *owner;
    uint64_t think_ns;
    cw_http_version version;
    bench_alarm alarm; /* at the first waiting answer's time */
    waiting *ring;     /* a power of two of places */
    size_t cap, begin, len;
    cw_arena arena; /* of one answer */
    cw_arena kept;  /* of one and many */
    const cw_type *type;
    void *message; /* of that type */
    shop_Batch one, many;
    cw_net_error first_error;
};

static void answer_text(cw_http_call *call, unsigned status, cw_str text)
{
    const cw_http_field type = {CW_STR_INIT("content-type"),
                                CW_STR_INIT("text/plain; charset=utf-8")};
    const cw_http_fields fields = {&type, 1};
    cw_http_respond(call, status, fields, bench_bytes_of(text));
}

static void answer_message(bench_service *s, cw_http_call *call, bench_wire wire,
                           const cw_type *type, const void *message)
{
    cw_bytes body;
    if (bench_message_encode(type, wire, message, &s->arena, &body, NULL) != CW_OK) {
        answer_text(call, 500, CW_STR("the message cannot be encoded\n"));
        return;
    }
    const cw_http_field form = {CW_STR_INIT("content-type"), bench_wires[wire].content_type};
    const cw_http_fields fields = {&form, 1};
    cw_http_respond(call, 200, fields, body);
}

static void post_batch(bench_service *s, cw_http_call *call)
{
    const cw_http_head *head = cw_http_call_head(call);
    bench_wire wire = bench_wire_of(cw_http_find(head->fields, "content-type"));
    cw_error e = {0};
    char text[256];
    if (wire == BENCH_WIRES) {
        answer_text(call, 415, CW_STR("application/x-protobuf or application/json\n"));
        return;
    }
    if (bench_message_decode(s->type, wire, cw_http_call_body(call), s->message, &s->arena, &e) !=
        CW_OK) {
        cw_error_print(&e, text, sizeof text);
        answer_text(call, 400, cw_str_from(text));
        return;
    }
    answer_message(s, call, wire, s->type, s->message);
}

/* The first of ours in the list; protobuf when there is none. */
static bench_wire accepted(cw_str accept)
{
    for (size_t i = 0; i < accept.len; i++) {
        bench_wire wire = bench_wire_of(cw_str_of(accept.data + i, accept.len - i));
        if (wire != BENCH_WIRES) {
            return wire;
        }
        while (i < accept.len && accept.data[i] != ',' && accept.data[i] != ' ') {
            i++;
        }
    }
    return BENCH_PROTOBUF;
}

static void get_root(bench_service *s, cw_http_call *call)
{
    (void)s;
    answer_text(call, 200, CW_STR("cwire-bench: POST /batch, GET /one, GET /many\n"));
}

static void get_one(bench_service *s, cw_http_call *call)
{
    cw_str accept = cw_http_find(cw_http_call_head(call)->fields, "accept");
    answer_message(s, call, accepted(accept), &shop_Batch_type, &s->one);
}

static void get_many(bench_service *s, cw_http_call *call)
{
    cw_str accept = cw_http_find(cw_http_call_head(call)->fields, "accept");
    answer_message(s, call, accepted(accept), &shop_Batch_type, &s->many);
}

typedef struct route {
    cw_str path;
    bool is_post;
    void (*answer)(bench_service *s, cw_http_call *call);
} route;

static const route routes[] = {
    {CW_STR_INIT("/batch"), true, post_batch},
    {CW_STR_INIT("/"), false, get_root},
    {CW_STR_INIT("/one"), false, get_one},
    {CW_STR_INIT("/many"), false, get_many},
};

static bool is_method(const route *r, cw_str method)
{
    return r->is_post ? cw_str_equal(method, CW_STR("POST"))
                      : cw_str_equal(method, CW_STR("GET")) || cw_str_equal(method, CW_STR("HEAD"));
}

static void answer_wrong_method(const route *r, cw_http_call *call)
{
    const cw_http_field allow = {CW_STR_INIT("allow"),
                                 r->is_post ? CW_STR("POST") : CW_STR("GET, HEAD")};
    const cw_http_fields fields = {&allow, 1};
    cw_http_respond(call, 405, fields, (cw_bytes){0});
}

static void answer(bench_service *s, cw_http_call *call)
{
    const cw_http_head *head = cw_http_call_head(call);
    const char *query = head->path.len ? memchr(head->path.data, '?', head->path.len) : NULL;
    size_t len = query != NULL ? (size_t)(query - head->path.data) : head->path.len;
    cw_str path = cw_str_of(head->path.data, len);
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        if (!cw_str_equal(path, routes[i].path)) {
            continue;
        }
        if (is_method(&routes[i], head->method)) {
            routes[i].answer(s, call);
            cw_arena_reset(&s->arena);
        } else {
            answer_wrong_method(&routes[i], call);
        }
        return;
    }
    answer_text(call, 404, CW_STR("not here: POST /batch, GET /one, GET /many\n"));
}

/* ---- thinking ----------------------------------------------------------------------------------
 */

static waiting *at(bench_service *s, size_t i)
{
    return &s->ring[(s->begin + i) & (s->cap - 1)];
}

/* Twice the places, the first answer in the first. */
static void make_room(bench_service *s)
{
    size_t cap = s->cap ? 2 * s->cap : 64;
    waiting *ring = bench_calloc(cap, sizeof *ring);
    for (size_t i = 0; i < s->len; i++) {
        ring[i] = *at(s, i);
    }
    free(s->ring);
    s->ring = ring;
    s->cap = cap;
    s->begin = 0;
}

static void answer_first(bench_service *s)
{
    cw_http_call *call = at(s, 0)->call;
    s->begin++;
    s->len--;
    answer(s, call);
}

static void on_alarm(void *ctx)
{
    bench_service *s = ctx;
    uint64_t now = bench_wall_ns();
    while (s->len > 0 && at(s, 0)->due_ns <= now) {
        answer_first(s);
    }
    if (s->len > 0) {
        bench_alarm_set(&s->alarm, at(s, 0)->due_ns);
    }
}

static void think(bench_service *s, cw_http_call *call)
{
    if (s->len == s->cap) {
        make_room(s);
    }
    *at(s, s->len) = (waiting){call, bench_wall_ns() + s->think_ns};
    if (s->len++ == 0) {
        bench_alarm_set(&s->alarm, at(s, 0)->due_ns);
    }
}

/* ---- the handler -------------------------------------------------------------------------------
 */

static void on_request(void *ctx, cw_http_call *call)
{
    bench_service *s = ctx;
    bool is_2 = cw_http_call_head(call)->version == CW_HTTP_2;
    if (s->version != CW_HTTP_ANY && is_2 != (s->version == CW_HTTP_2)) {
        answer_text(call, 505, CW_STR("this server was told to speak another version\n"));
    } else if (s->think_ns > 0) {
        think(s, call);
    } else {
        answer(s, call);
    }
}

static void on_error(void *ctx, const cw_net_error *e)
{
    bench_service *s = ctx;
    if (s->first_error.status == CW_NET_OK) {
        s->first_error = *e;
    }
}

const cw_http_handler bench_service_handler = {.on_request = on_request, .on_error = on_error};

bench_service *bench_service_open(uv_loop_t *loop, const cw_type *type, uint64_t think_ns,
                                  cw_http_version version, void *owner)
{
    bench_service *s = bench_calloc(1, sizeof *s);
    s->type = type ? type : &shop_Batch_type;
    s->message = bench_calloc(1, s->type->struct_size);
    s->owner = owner;
    s->think_ns = think_ns;
    s->version = version;
    if (!bench_alarm_open(&s->alarm, loop, on_alarm, s)) {
        bench_die("no timer for the server");
    }
    if (!bench_data_orders(&s->one, &s->kept, 1, 1) ||
        !bench_data_orders(&s->many, &s->kept, 0, BENCH_MANY)) {
        bench_die("out of memory");
    }
    return s;
}

void *bench_service_owner(const bench_service *s)
{
    return s->owner;
}

static void on_alarm_closed(void *ctx)
{
    free(ctx);
}

void bench_service_close(bench_service *s)
{
    while (s->len > 0) {
        answer_first(s);
    }
    cw_arena_free(&s->arena);
    cw_arena_free(&s->kept);
    free(s->ring);
    free(s->message);
    bench_alarm_close(&s->alarm, on_alarm_closed);
}

const cw_net_error *bench_service_error(const bench_service *s)
{
    return &s->first_error;
}
