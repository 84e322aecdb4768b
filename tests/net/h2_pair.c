/* SPDX-License-Identifier: MIT */
#include "h2_pair.h"

#include <stdio.h>
#include <stdlib.h>

static void need(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "h2_pair: %s\n", what);
        abort();
    }
}

static uint64_t now_of(void *ctx)
{
    return ((const h2_pair *)((const record *)ctx)->user)->now;
}

void h2_pair_open_with(h2_pair *p, const cw_http_limits *client, const cw_http_limits *server,
                       size_t max_in_flight)
{
    const cw_http_limits theirs = cw_http_limits_of(server);
    const cw_http_limits ours = cw_http_limits_of(client);
    *p = (h2_pair){.now = 1000000};
    p->client.user = p->server.user = p;
    p->server.on = record_echo;
    p->client.core =
        cw__http2_open(false, max_in_flight, &ours, now_of, &record_events, &p->client);
    p->server.core = cw__http2_open(true, SIZE_MAX, &theirs, now_of, &record_events, &p->server);
    need(p->client.core != NULL && p->server.core != NULL, "memory");
}

void h2_pair_open(h2_pair *p, const cw_http_limits *limits)
{
    h2_pair_open_with(p, limits, limits, SIZE_MAX);
}

void h2_pair_close(h2_pair *p)
{
    record_free(&p->client);
    record_free(&p->server);
    cw__buf_free(&p->wire);
}

static size_t carry(record *from, record *to, size_t cut)
{
    (void)record_drain(from);
    cw__buf bytes = from->sent;
    size_t len = cw__buf_len(&bytes);
    from->sent = (cw__buf){.data = NULL};
    size_t piece = cut > 0 ? cut : len;
    for (size_t i = 0; i < len; i += piece) {
        (void)record_feed(to, bytes.data + bytes.start + i, piece < len - i ? piece : len - i);
    }
    cw__buf_free(&bytes);
    return len;
}

bool h2_pair_to_server(h2_pair *p)
{
    if (!p->keeps_wire) {
        return carry(&p->client, &p->server, p->cut) > 0;
    }
    (void)record_drain(&p->client);
    need(cw__buf_append_bytes(&p->wire, cw__buf_bytes(&p->client.sent)), "memory");
    return carry(&p->client, &p->server, p->cut) > 0;
}

bool h2_pair_to_client(h2_pair *p)
{
    size_t n = carry(&p->server, &p->client, p->cut);
    p->to_client += n;
    return n > 0;
}

void h2_pair_run(h2_pair *p)
{
    bool moved = true;
    for (unsigned rounds = 0; moved; rounds++) {
        need(rounds < 100000, "the cores talk without end");
        moved = h2_pair_to_server(p);
        moved = h2_pair_to_client(p) || moved;
    }
}

static cw__stream *request(h2_pair *p, const char *method, const char *path, cw_http_fields fields,
                           cw_bytes body, bool end)
{
    const cw_http_head head = {.method = cw_str_from(method),
                               .scheme = CW_STR("http"),
                               .authority = CW_STR("host"),
                               .path = cw_str_from(path),
                               .fields = fields};
    return record_request(&p->client, &head, body, end, false);
}

cw__stream *h2_pair_request(h2_pair *p, const char *method, const char *path, cw_bytes body)
{
    return request(p, method, path, (cw_http_fields){NULL, 0}, body, true);
}

cw__stream *h2_pair_begin(h2_pair *p, const char *method, cw_http_fields fields, cw_bytes body,
                          bool end)
{
    return request(p, method, "/", fields, body, end);
}

cw_bytes h2_pair_bytes(const char *s)
{
    return cw_bytes_of(s, strlen(s));
}

uint8_t *h2_pair_pattern(size_t n)
{
    uint8_t *data = malloc(n > 0 ? n : 1);
    need(data != NULL, "memory");
    for (size_t i = 0; i < n; i++) {
        data[i] = (uint8_t)(i * 7 + i / 251);
    }
    return data;
}

size_t h2_pair_arrived(const record *r, unsigned number)
{
    const cw__stream *s = record_find(r, number);
    return s != NULL ? record_body(s).len : 0;
}
