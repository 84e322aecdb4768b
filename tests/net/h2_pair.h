/* SPDX-License-Identifier: MIT */
/* h2_pair.h: an HTTP/2 client and server core back to back, both recorded. */
#ifndef CWIRE_TESTS_NET_H2_PAIR_H
#define CWIRE_TESTS_NET_H2_PAIR_H

#include "http2_internal.h"
#include "record.h"

typedef struct h2_pair {
    record client, server;
    uint64_t now;
    size_t cut;      /* bytes of one feed; 0: all there is */
    bool keeps_wire; /* what the client sends is collected in `wire` */
    cw__buf wire;
    size_t to_client; /* bytes, so far */
    void *user;       /* the test's */
} h2_pair;

/* Limits of both; NULL: defaults. The server answers as record_echo until its `on` is set. */
void h2_pair_open(h2_pair *p, const cw_http_limits *limits);
void h2_pair_open_with(h2_pair *p, const cw_http_limits *client, const cw_http_limits *server,
                       size_t max_in_flight);
void h2_pair_close(h2_pair *p);

/* Carries bytes both ways until neither core has any left. */
void h2_pair_run(h2_pair *p);
/* What the client has goes to the server; and the other way round. False: there was nothing. */
bool h2_pair_to_server(h2_pair *p);
bool h2_pair_to_client(h2_pair *p);

/* A request: method, path, body (empty: none, at an end). */
cw__stream *h2_pair_request(h2_pair *p, const char *method, const char *path, cw_bytes body);
/* The same with fields; end: the body is whole. */
cw__stream *h2_pair_begin(h2_pair *p, const char *method, cw_http_fields fields, cw_bytes body,
                          bool end);

/* The bytes of a string. */
cw_bytes h2_pair_bytes(const char *s);
/* n bytes that tell where they belong, to be freed. */
uint8_t *h2_pair_pattern(size_t n);
/* How much of its body has come for the open stream of this number; 0: it is closed. */
size_t h2_pair_arrived(const record *r, unsigned number);

#endif
