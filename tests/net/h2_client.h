/* SPDX-License-Identifier: MIT */
/* h2_client.h: HTTP/2 over a raw_client, blocking, by a bare nghttp2 session. */
#ifndef H2_CLIENT_H
#define H2_CLIENT_H

#include <nghttp2/nghttp2.h>

#include "raw_client.h"

typedef struct h2_text {
    char *data;
    size_t len, cap;
} h2_text;

typedef struct h2_stream {
    int32_t id;
    int status;   /* 0: no head yet */
    h2_text head; /* "name: value\n" ... */
    h2_text body;
    h2_text trailers;
    bool has_head;  /* the final one is complete */
    bool is_ended;  /* END_STREAM came */
    bool is_closed; /* or reset, see error */
    uint32_t error;
    const uint8_t *up; /* the request's body: not copied */
    size_t up_len, up_at;
    bool has_trailers; /* "x-t: up" follows the body */
    bool never_ends;   /* nothing follows the body, not even its end */
} h2_stream;

enum { H2_MAX_STREAMS = 8192 };

typedef struct h2_client {
    raw_client raw;
    nghttp2_session *session;
    h2_stream **streams;
    size_t n;
    bool has_settings;
    unsigned goaways;
    int32_t goaway_last;
    uint32_t goaway_error;
    bool holds_window; /* received data is not acknowledged by WINDOW_UPDATE */
} h2_client;

/* Connects, sends preface and SETTINGS. */
bool h2_open(h2_client *c, int port);
bool h2_open_tls(h2_client *c, int port);
void h2_close(h2_client *c);

/* Submits a request, NULL: nghttp2 refused it. up: the body, NULL: none. Sent by the next pump. */
h2_stream *h2_request(h2_client *c, const char *method, const char *path, const void *up,
                      size_t up_len);
h2_stream *h2_request_with(h2_client *c, const char *method, const char *path,
                           const char *const *fields /* name, value, ..., NULL */, const void *up,
                           size_t up_len, bool has_trailers);

/* Sends what there is. */
bool h2_flush(h2_client *c);
/* Sends what there is and reads once. False: nothing came in this time, or the end. */
bool h2_pump(h2_client *c, int timeout_ms);
/* Pumps until the stream is closed; false: it never was. */
bool h2_wait(h2_client *c, const h2_stream *s);
/* Pumps until the server closes the connection. */
bool h2_wait_end(h2_client *c);
/* Is this line, "name: value", in the text? */
bool h2_has_line(const h2_text *text, const char *line);

#endif
