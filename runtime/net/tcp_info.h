/* SPDX-License-Identifier: MIT */
/* tcp_info.h (internal): what the kernel counts for a TCP socket. */
#ifndef CWIRE_NET_TCP_INFO_H
#define CWIRE_NET_TCP_INFO_H

#include "cwire/net/http.h"

/* Adds TCP_INFO's counts of this socket to the tcp_ members; nothing where the kernel has none. */
void cw__tcp_info_add(int fd, cw_net_counters *to);

/* Bytes that the peer has acknowledged; 0 where the kernel does not say. */
uint64_t cw__tcp_taken(int fd);

#endif
