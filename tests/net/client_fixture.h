/* SPDX-License-Identifier: MIT */
/*
 * client_fixture.h: a client on a loop of its own in the test's thread, and what became of each
 * request. The loop is run until what a test waits for has happened; after a minute it fails.
 */
#ifndef CLIENT_FIXTURE_H
#define CLIENT_FIXTURE_H

#include "cwire/net/client.h"
#include "fake_server.h"

typedef struct client_fixture client_fixture;
typedef struct answer answer;

/* What became of a request: filled by its callbacks. Zeroed before. */
struct answer {
    client_fixture *f;
    cw_http_exchange *x; /* NULL once it is over */
    unsigned calls;      /* of on_response */
    unsigned order;      /* the how manieth to end, from 1 */
    uint64_t ended_ns;   /* when it ended: uv_hrtime() */
    cw_net_error e;
    unsigned status, heads;
    cw_http_version version;
    bool reused;
    char *body; /* collected, or the pieces given to on_body; NUL-terminated */
    size_t body_len, body_cap, pieces;
    char fields[512], trailers[256]; /* "name: value\n" ... */
    /* Called from on_response after all this was filled in, and from on_head; NULL: nobody. */
    void (*then)(answer *a);
    void (*at_head)(answer *a);
    void (*at_body)(answer *a); /* makes the body come in pieces; called after each */
    void (*at_writable)(answer *a);
    void *user;
};

struct client_fixture {
    uv_loop_t loop;
    uv_timer_t watchdog;
    cw_http_client *client;
    unsigned ended;     /* requests */
    bool is_sending;    /* a callback that comes now comes too early */
    unsigned errors;    /* on_error */
    cw_net_error error; /* the last of them */
    unsigned readies;   /* of cw_http_client_connect */
    cw_net_error ready;
    bool is_closed;
};

/* origin "http://127.0.0.1:PORT" unless o has one; fails the test when it cannot be opened. */
void client_setup(client_fixture *f, const cw_http_client_options *o, int port);
/* The same with TLS that trusts the certificate of that file; NULL: the system's. */
void client_setup_tls(client_fixture *f, const cw_http_client_options *o, int port,
                      const char *ca_file);
/* As if the origin's name led to these ports. */
void client_set_ports(client_fixture *f, const int *ports, size_t n);
/*
 * Closes the client (unless that was done) and checks that each request was told of, that the
 * counters say so too, and that nothing is left on the loop.
 */
void client_teardown(client_fixture *f);

/* Fails the test unless it is taken. callbacks and user are filled in. */
void client_send(client_fixture *f, const cw_http_request *request, answer *a);
/* Runs the loop until n requests have ended in all. */
void client_wait(client_fixture *f, unsigned n);
/* Runs the loop until *flag. */
void client_wait_flag(client_fixture *f, const bool *flag);
/* Runs the loop until the server has read n requests in all. */
void client_wait_for_requests(client_fixture *f, fake_server *s, unsigned n);
/* Runs the loop until a request is in flight. */
void client_wait_for_flight(client_fixture *f);
/* Runs the loop for so long, whatever happens. */
void client_run_for(client_fixture *f, unsigned ms);
void client_run_until(client_fixture *f, bool (*is)(client_fixture *f, void *arg), void *arg);
/* GET path. */
void client_send_get(client_fixture *f, const char *path, answer *a);
/* Sends and waits for its end. */
void client_fetch(client_fixture *f, const cw_http_request *request, answer *a);
/* GET path, sent and waited for. */
void client_get(client_fixture *f, const char *path, answer *a);
void client_connect(client_fixture *f, size_t n);
void client_close(client_fixture *f);
cw_net_counters client_counters(const client_fixture *f);

void answer_free(answer *a);
void answers_free(answer *a, size_t n);

/* Status OK, this HTTP status and this body. */
#define assert_answer(a, http_status, text)                                                        \
    do {                                                                                           \
        answer_check((a), (http_status), (text), __FILE__, __LINE__);                              \
    } while (0)
void answer_check(const answer *a, unsigned status, const char *body, const char *file, int line);
/* It failed with this status. */
#define assert_failed(a, st)                                                                       \
    do {                                                                                           \
        answer_check_failed((a), (st), __FILE__, __LINE__);                                        \
    } while (0)
void answer_check_failed(const answer *a, cw_net_status st, const char *file, int line);

#endif
