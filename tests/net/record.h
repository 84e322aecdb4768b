/* SPDX-License-Identifier: MIT */
/*
 * record.h: a protocol core's owner that writes every event down, for tests of cores without
 * sockets. A record is zeroed, opened with a core whose events are record_events and whose ctx is
 * the record, and freed with record_free. The log has a line for each event:
 *
 *     stream 1                                   streams are numbered from 1 as they begin
 *     head 1 POST http example.org /path 1.1     a request
 *     head 1 200 1.1                             a response
 *       name: value                              each field of a head
 *     continue 1
 *     end 1 5 hello                              length and content of the whole body
 *       ~ name: value                            each trailer
 *     writable 1
 *     closed 1 CW_NET_OK 0                       status and code
 *     closed 1 CW_NET_ERR_CLOSED 0 after 3 hel   when the body had begun and not ended
 *     room 1                                     what room() says then
 *     feed CW_NET_ERR_PROTOCOL 400               a call that was not OK: feed, feed_end, drain
 *
 * Pieces of a body are joined, so that the log does not depend on how the input was cut. Bytes that
 * are no visible ASCII are written as \xHH, of a body no more than the first 200.
 */
#ifndef CWIRE_TESTS_NET_RECORD_H
#define CWIRE_TESTS_NET_RECORD_H

#include "core.h"

typedef struct record record;

/* What a record keeps of an open stream, its owner. */
typedef struct record_stream {
    unsigned number;
    cw__stream *s;
    cw__buf body;
    struct record_stream *next;
} record_stream;

struct record {
    cw__core *core;
    cw__buf log;
    cw__buf sent;            /* all that drain gave */
    record_stream *open;     /* the streams that were not closed, the youngest first */
    unsigned streams;        /* begun so far */
    unsigned ended, closed;  /* events so far */
    cw_net_error error, why; /* of the last feed, feed_end or drain that was not OK; of on_closed */
    bool keeps_body;         /* does not consume() */
    size_t drain_max;        /* 0: no limit */
    /* Called after "stream", "head", "continue", "body", "end", "writable", "room" (s is NULL),
     * and before "closed" is final; NULL: nobody. */
    void (*on)(record *r, cw__stream *s, const char *event);
    void *user;
};

extern const cw__core_events record_events;

/* Frees the core, if there is one, and what the record holds. */
void record_free(record *r);

/* The log so far, NUL-terminated. */
const char *record_log(record *r);
/* What drain gave so far, NUL-terminated. */
const char *record_sent(record *r);
void record_clear(record *r);

/* Into the core, from a block of exactly this size, so that an over-read is seen. */
cw_net_status record_feed(record *r, const void *data, size_t len);
cw_net_status record_feed_text(record *r, const char *text);
/* In pieces of `piece` bytes, draining after each; ends at the first that is not OK. */
cw_net_status record_feed_cut(record *r, const void *data, size_t len, size_t piece);
cw_net_status record_feed_end(record *r);
/* Once, into `sent`. */
cw_net_status record_drain(record *r);

/* request() of the core. NULL: not OK, r->error says why. */
cw__stream *record_request(record *r, const cw_http_head *head, cw_bytes body, bool end,
                           bool hold_body);

/* What is known of an open stream. */
unsigned record_number(const cw__stream *s);
cw_bytes record_body(const cw__stream *s);
/* The open stream of that number, NULL: closed. */
cw__stream *record_find(const record *r, unsigned number);

/* For `on`: answers at "end" with 200 and the request's body; fields {"x-number": number}. */
void record_echo(record *r, cw__stream *s, const char *event);

#endif
