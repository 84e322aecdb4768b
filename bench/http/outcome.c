/* SPDX-License-Identifier: MIT */
#include "http/outcome.h"

#include <stdio.h>

void bench_outcome_open(bench_outcome *o)
{
    *o = (bench_outcome){0};
    bench_histogram_open(&o->latency);
}

void bench_outcome_free(bench_outcome *o)
{
    bench_histogram_free(&o->latency);
}

void bench_outcome_clear(bench_outcome *o)
{
    bench_histogram latency = o->latency;
    bench_histogram_clear(&latency);
    *o = (bench_outcome){.latency = latency};
}

bool bench_outcome_adds_up(const bench_outcome *o)
{
    return o->sent == o->completed + o->failed + o->late;
}

void bench_outcome_explain(bench_outcome *o, const char *text)
{
    if (o->first_failure[0] == '\0') {
        snprintf(o->first_failure, sizeof o->first_failure, "%s", text);
    }
}

void bench_counters_add(cw_net_counters *into, const cw_net_counters *before,
                        const cw_net_counters *after)
{
#define ADD(member) into->member += after->member - before->member
    ADD(connections);
    ADD(connections_failed);
    ADD(handshakes_full);
    ADD(handshakes_resumed);
    ADD(handshakes_failed);
    ADD(requests);
    ADD(answered);
    ADD(failed);
    ADD(bad_requests);
    ADD(reads);
    ADD(writes);
    ADD(bytes_in);
    ADD(bytes_out);
    ADD(tcp_bytes_in);
    ADD(tcp_bytes_out);
    ADD(tcp_segments_in);
    ADD(tcp_segments_out);
    ADD(tcp_retransmits);
#undef ADD
    into->connections_open = after->connections_open;
}
