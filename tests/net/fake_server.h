/* SPDX-License-Identifier: MIT */
/*
 * fake_server.h: a server for tests of the client that does what a script says, bytes and all: each
 * connection has a thread with a blocking socket, which runs the script and closes the socket when
 * it returns. A script that waits for a client that does not come is woken by fake_stop.
 */
#ifndef FAKE_SERVER_H
#define FAKE_SERVER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAKE_PEERS = 256, FAKE_LOG = 64, FAKE_LINE = 80 };

typedef struct fake_server fake_server;

/* A connection, in its thread. */
typedef struct fake_peer {
    fake_server *server;
    void *ctx;
    unsigned number; /* in the order of being accepted, from 0 */
    int fd;
    pthread_t thread;
    char *data; /* received and not used yet, NUL-terminated */
    size_t len, cap;
    /* The last request read, NUL-terminated: its head with the empty line, its body with chunks put
     * together. */
    char *head, *body;
    size_t body_len, body_cap;
} fake_peer;

typedef void fake_script(fake_peer *p);

struct fake_server {
    fake_script *script;
    void *ctx;
    int port;
    int fd;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_stopping;
    fake_peer peers[FAKE_PEERS];
    unsigned accepted;
    unsigned open, most_open; /* connections with a running script */
    /* the request lines in the order in which they came */
    char log[FAKE_LOG][FAKE_LINE];
    unsigned requests;
    unsigned signals; /* fake_signal so far */
};

/* On 127.0.0.1 and a free port. */
fake_server *fake_start(fake_script *script, void *ctx);
/* Wakes scripts that read or wait, waits for their end. */
void fake_stop(fake_server *s);
/* No connection is taken any more. */
void fake_stop_listening(fake_server *s);
/* A port at which nobody listens. */
int fake_dead_port(void);

/* ---- from the test's thread ---- */
unsigned fake_accepted(fake_server *s);
unsigned fake_most_open(fake_server *s);
unsigned fake_requests(fake_server *s);
/* Lets every script that waits in fake_wait go on once. */
void fake_signal(fake_server *s);

/* ---- from scripts ---- */

/* The next request of HTTP/1.1 with its body; false: the client has closed. Written to the log. */
bool fake_read_request(fake_peer *p);
/* Only the head: the body stays in data. */
bool fake_read_head(fake_peer *p);
/* The body that the head announces. */
bool fake_read_body(fake_peer *p);
/* Until there are n bytes in data. */
bool fake_read(fake_peer *p, size_t n);
void fake_take(fake_peer *p, size_t n);
bool fake_write(fake_peer *p, const char *text);
bool fake_write_bytes(fake_peer *p, const void *data, size_t n);
/* Reads and forgets what comes until the client closes. */
void fake_wait_end(fake_peer *p);
/* Closes our direction, and waits so: unread bytes would make a reset of the close. */
void fake_end(fake_peer *p);
/* Until the n-th fake_signal; false: the server stops. */
bool fake_wait(fake_peer *p, unsigned n);
/* The close at the script's end is a reset. */
void fake_reset(fake_peer *p);
/* Does the head have this line, "name: value"? */
bool fake_has_line(const fake_peer *p, const char *line);

#endif
