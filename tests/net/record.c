/* SPDX-License-Identifier: MIT */
#include "record.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN_BODY = 200 };

/* Tests do not go on without memory. */
static void need(bool ok)
{
    if (!ok) {
        fprintf(stderr, "record: out of memory\n");
        abort();
    }
}

#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 2, 3)))
#endif
static void
print(record *r, const char *format, ...)
{
    char line[300];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    need(n >= 0 && (size_t)n < sizeof line);
    need(cw__buf_append(&r->log, line, (size_t)n));
}

static void print_bytes(record *r, const void *data, size_t len)
{
    const unsigned char *c = data;
    for (size_t i = 0; i < len; i++) {
        if (c[i] > 0x7e || c[i] < 0x20) {
            print(r, "\\x%02x", c[i]);
        } else {
            print(r, "%c", c[i]);
        }
    }
}

static void print_str(record *r, const char *before, cw_str s)
{
    print(r, "%s", before);
    print_bytes(r, s.data, s.len);
}

static void print_fields(record *r, const char *before, cw_http_fields fields)
{
    for (size_t i = 0; i < fields.len; i++) {
        print_str(r, before, fields.data[i].name);
        print_str(r, ": ", fields.data[i].value);
        print(r, "\n");
    }
}

static void print_body(record *r, cw_bytes body)
{
    print(r, " %zu ", body.len);
    print_bytes(r, body.data, body.len < SHOWN_BODY ? body.len : SHOWN_BODY);
    print(r, "\n");
}

static record_stream *of(const cw__stream *s)
{
    return s->owner;
}

unsigned record_number(const cw__stream *s)
{
    return of(s)->number;
}

cw_bytes record_body(const cw__stream *s)
{
    return cw__buf_bytes(&of(s)->body);
}

cw__stream *record_find(const record *r, unsigned number)
{
    for (record_stream *o = r->open; o != NULL; o = o->next) {
        if (o->number == number) {
            return o->s;
        }
    }
    return NULL;
}

static void tell(record *r, cw__stream *s, const char *event)
{
    if (r->on != NULL) {
        r->on(r, s, event);
    }
}

static record_stream *add(record *r)
{
    record_stream *o = calloc(1, sizeof *o);
    need(o != NULL);
    o->number = ++r->streams;
    o->next = r->open;
    r->open = o;
    return o;
}

static void drop(record *r, record_stream *o)
{
    record_stream **at = &r->open;
    while (*at != o) {
        at = &(*at)->next;
    }
    *at = o->next;
    cw__buf_free(&o->body);
    free(o);
}

static void on_stream(void *ctx, cw__stream *s)
{
    record *r = ctx;
    record_stream *o = add(r);
    o->s = s;
    s->owner = o;
    print(r, "stream %u\n", o->number);
    tell(r, s, "stream");
}

static void on_head(void *ctx, cw__stream *s)
{
    record *r = ctx;
    const cw_http_head *h = &s->head;
    print(r, "head %u", record_number(s));
    if (h->status != 0) {
        print(r, " %u", h->status);
    } else {
        print_str(r, " ", h->method);
        print_str(r, " ", h->scheme);
        print_str(r, " ", h->authority);
        print_str(r, " ", h->path);
    }
    print(r, " %d.%d\n", h->version / 10, h->version % 10);
    print_fields(r, "  ", h->fields);
    tell(r, s, "head");
}

static void on_continue(void *ctx, cw__stream *s)
{
    print(ctx, "continue %u\n", record_number(s));
    tell(ctx, s, "continue");
}

static void on_body(void *ctx, cw__stream *s, cw_bytes piece)
{
    record *r = ctx;
    need(cw__buf_append_bytes(&of(s)->body, piece));
    if (!r->keeps_body) {
        r->core->ops->consume(s, piece.len);
    }
    tell(r, s, "body");
}

static void on_end(void *ctx, cw__stream *s)
{
    record *r = ctx;
    r->ended++;
    print(r, "end %u", record_number(s));
    print_body(r, record_body(s));
    print_fields(r, "  ~ ", s->trailers);
    tell(r, s, "end");
}

static void on_writable(void *ctx, cw__stream *s)
{
    print(ctx, "writable %u\n", record_number(s));
    tell(ctx, s, "writable");
}

static void on_closed(void *ctx, cw__stream *s, const cw_net_error *why)
{
    record *r = ctx;
    r->closed++;
    r->why = *why;
    tell(r, s, "closed");
    print(r, "closed %u %s %d", record_number(s), cw_net_status_name(why->status), why->code);
    if (record_body(s).len > 0 && !s->received) {
        print(r, " after");
        print_body(r, record_body(s));
    } else {
        print(r, "\n");
    }
    drop(r, of(s));
    s->owner = NULL;
}

static void on_room(void *ctx)
{
    record *r = ctx;
    print(r, "room %zu\n", r->core->ops->room(r->core));
    tell(r, NULL, "room");
}

const cw__core_events record_events = {
    .on_stream = on_stream,
    .on_head = on_head,
    .on_continue = on_continue,
    .on_body = on_body,
    .on_end = on_end,
    .on_writable = on_writable,
    .on_closed = on_closed,
    .on_room = on_room,
};

void record_free(record *r)
{
    if (r->core != NULL) {
        static const cw_net_error why = {.status = CW_NET_ERR_SHUTDOWN};
        r->core->ops->free(r->core, &why);
    }
    need(r->open == NULL);
    cw__buf_free(&r->log);
    cw__buf_free(&r->sent);
    r->core = NULL;
}

static const char *text_of(cw__buf *b)
{
    uint8_t *end = cw__buf_reserve(b, 1);
    need(end != NULL);
    *end = '\0';
    return (const char *)b->data + b->start;
}

const char *record_log(record *r)
{
    return text_of(&r->log);
}

const char *record_sent(record *r)
{
    return text_of(&r->sent);
}

void record_clear(record *r)
{
    cw__buf_clear(&r->log);
    cw__buf_clear(&r->sent);
}

static cw_net_status check(record *r, const char *call, cw_net_status st, const cw_net_error *e)
{
    if (st != CW_NET_OK) {
        need(e->status == st);
        r->error = *e;
        print(r, "%s %s %d\n", call, cw_net_status_name(st), e->code);
    }
    return st;
}

cw_net_status record_feed(record *r, const void *data, size_t len)
{
    uint8_t *exact = malloc(len > 0 ? len : 1);
    need(exact != NULL);
    if (len > 0) {
        memcpy(exact, data, len);
    }
    cw_net_error e = {.status = CW_NET_OK};
    cw_net_status st = r->core->ops->feed(r->core, cw_bytes_of(exact, len), &e);
    free(exact);
    return check(r, "feed", st, &e);
}

cw_net_status record_feed_text(record *r, const char *text)
{
    return record_feed(r, text, strlen(text));
}

cw_net_status record_feed_cut(record *r, const void *data, size_t len, size_t piece)
{
    const uint8_t *at = data;
    cw_net_status st = CW_NET_OK;
    for (size_t done = 0; done < len && st == CW_NET_OK; done += piece) {
        st = record_feed(r, at + done, piece < len - done ? piece : len - done);
        cw_net_status drained = record_drain(r);
        st = st == CW_NET_OK ? drained : st;
    }
    return st;
}

cw_net_status record_feed_end(record *r)
{
    cw_net_error e = {.status = CW_NET_OK};
    return check(r, "feed_end", r->core->ops->feed_end(r->core, &e), &e);
}

cw_net_status record_drain(record *r)
{
    cw_net_error e = {.status = CW_NET_OK};
    size_t max = r->drain_max != 0 ? r->drain_max : SIZE_MAX / 2;
    cw__buf out = {.data = NULL};
    cw_net_status st = r->core->ops->drain(r->core, &out, max, &e);
    need(cw__buf_append_bytes(&r->sent, cw__buf_bytes(&out)));
    cw__buf_free(&out);
    return check(r, "drain", st, &e);
}

cw__stream *record_request(record *r, const cw_http_head *head, cw_bytes body, bool end,
                           bool hold_body)
{
    record_stream *o = add(r);
    cw__stream *s = r->core->ops->request(r->core, head, body, end, hold_body, o, &r->error);
    if (s == NULL) {
        r->streams--;
        drop(r, o);
        return NULL;
    }
    o->s = s;
    need(s->owner == o);
    return s;
}

void record_echo(record *r, cw__stream *s, const char *event)
{
    if (strcmp(event, "end") != 0) {
        return;
    }
    char number[16];
    int n = snprintf(number, sizeof number, "%u", record_number(s));
    cw_http_field field = {CW_STR_INIT("x-number"), {number, (size_t)n}};
    need(r->core->ops->respond(s, 200, (cw_http_fields){&field, 1}, record_body(s), true) ==
         CW_NET_OK);
}
