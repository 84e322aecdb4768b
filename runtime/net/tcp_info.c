/* SPDX-License-Identifier: MIT */
/*
 * What the kernel counts for a TCP socket. A file of its own: the C library's <netinet/tcp.h> lacks
 * the members wanted here, and <linux/tcp.h> cannot be included beside it.
 */
#include "tcp_info.h"

#ifdef __linux__

#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>

#define HAS(len, member)                                                                           \
    ((len) >= offsetof(struct tcp_info, member) + sizeof(((struct tcp_info *)0)->member))

void cw__tcp_info_add(int fd, cw_net_counters *to)
{
    struct tcp_info info = {0};
    socklen_t len = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) != 0 || !HAS(len, tcpi_bytes_sent)) {
        return;
    }
    to->tcp_bytes_in += info.tcpi_bytes_received;
    to->tcp_bytes_out += info.tcpi_bytes_sent;
    to->tcp_segments_in += info.tcpi_segs_in;
    to->tcp_segments_out += info.tcpi_segs_out;
    to->tcp_retransmits += info.tcpi_total_retrans;
}

uint64_t cw__tcp_taken(int fd)
{
    struct tcp_info info = {0};
    socklen_t len = sizeof info;
    bool has =
        getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0 && HAS(len, tcpi_bytes_acked);
    return has ? info.tcpi_bytes_acked : 0;
}

#else

void cw__tcp_info_add(int fd, cw_net_counters *to)
{
    (void)fd;
    (void)to;
}

uint64_t cw__tcp_taken(int fd)
{
    (void)fd;
    return 0;
}

#endif
