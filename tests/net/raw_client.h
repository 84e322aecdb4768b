/* SPDX-License-Identifier: MIT */
/* raw_client.h: a blocking socket (plain or TLS) for tests: sends any bytes, reads what comes. */
#ifndef RAW_CLIENT_H
#define RAW_CLIENT_H

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct raw_client {
    int fd;
    SSL_CTX *context; /* NULL: plain */
    SSL *ssl;
    char *data; /* received and not used yet, NUL-terminated */
    size_t len, cap;
    bool ended; /* the peer has closed, or reset */
    bool was_reset;
} raw_client;

/* A response of HTTP/1.1, parsed as a careful client would. Text is NUL-terminated. */
typedef struct raw_response {
    int status;
    char *head; /* from the status line to the empty line, as it came */
    char *body; /* chunks put together */
    size_t body_len;
    char *trailers; /* "name: value\r\n" ..., empty when there are none */
} raw_response;

enum { RAW_WAIT_MS = 20000 }; /* more than any test needs, on a loaded machine too */

/* Connects to 127.0.0.1; false: refused. */
bool raw_open(raw_client *c, int port);
/* TLS 1.3 on top of it: alpn as in "\x02h2", NULL for none. False: the handshake failed. */
bool raw_start_tls(raw_client *c, const char *alpn);
void raw_close(raw_client *c);
/* Closes by a reset: the peer sees at once that nobody is there any more. */
void raw_reset(raw_client *c);
/* No more is sent; reading goes on. */
void raw_end(raw_client *c);

bool raw_send(raw_client *c, const void *data, size_t n);
bool raw_send_text(raw_client *c, const char *text);
/* In writes of `step` bytes each. */
bool raw_send_cut(raw_client *c, const char *text, size_t n, size_t step);
/* As much as the socket takes without waiting. */
size_t raw_send_some(raw_client *c, const void *data, size_t n);

/* One read into data. False: nothing came in this time, or the end. */
bool raw_read(raw_client *c, int timeout_ms);
/* Reads until the peer closes. False: it did not. */
bool raw_read_to_end(raw_client *c);
/* Reads until `text` is there. */
bool raw_read_until(raw_client *c, const char *text);
/* Takes n bytes off the front of data. */
void raw_take(raw_client *c, size_t n);

/* The next response; has_body false for one to HEAD. False: none, or not well-formed. */
bool raw_get_response(raw_client *c, bool has_body, raw_response *r);
void raw_response_free(raw_response *r);
/* Does the head have this line, "name: value"? */
bool raw_has_line(const raw_response *r, const char *line);

/* raw_send_text, raw_get_response, and its status (-1: none). */
int raw_ask(raw_client *c, const char *request, raw_response *r);

#endif
