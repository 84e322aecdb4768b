/* SPDX-License-Identifier: MIT */
/* The floor of the race: a server that sends back what it gets, on a loop like the HTTP server's.
 */
#ifndef BENCH_HTTP_ECHO_SERVER_H
#define BENCH_HTTP_ECHO_SERVER_H

#include "http/thread.h"

/* Its options are the address to listen on, a const char *. */
extern const bench_served bench_echo_server;

#endif
