/* SPDX-License-Identifier: MIT */
#include "http/row.h"

#include <stddef.h>
#include <string.h>

typedef struct field {
    const char *name;
    size_t at;
} field;

#define FIELD(member)                                                                              \
    {                                                                                              \
#member, offsetof(bench_http_row, member)                                                  \
    }

static const field texts[] = {
    FIELD(table),   FIELD(transport), FIELD(tls),        FIELD(placement),
    FIELD(payload), FIELD(form),      FIELD(coding),     FIELD(timer),
    FIELD(article), FIELD(reference), FIELD(congestion),
};

static const field numbers[] = {
    FIELD(connections),
    FIELD(in_flight),
    FIELD(keep_alive),
    FIELD(resumption),
    FIELD(think_ms),
    FIELD(rtt_ms),
    FIELD(loss_percent),
    FIELD(offered_per_s),
    FIELD(capacity_percent),
    FIELD(runs),
    FIELD(samples),
    FIELD(sent),
    FIELD(completed),
    FIELD(failed),
    FIELD(refused),
    FIELD(late),
    FIELD(ms_median),
    FIELD(ms_min),
    FIELD(ms_max),
    FIELD(req_per_s),
    FIELD(mean_us),
    FIELD(p50_us),
    FIELD(p90_us),
    FIELD(p99_us),
    FIELD(p999_us),
    FIELD(max_us),
    FIELD(client_cpu_us),
    FIELD(client_user_us),
    FIELD(client_sys_us),
    FIELD(server_cpu_us),
    FIELD(server_user_us),
    FIELD(server_sys_us),
    FIELD(client_waits),
    FIELD(client_preempted),
    FIELD(server_waits),
    FIELD(server_preempted),
    FIELD(client_reads),
    FIELD(client_writes),
    FIELD(server_reads),
    FIELD(server_writes),
    FIELD(message_bytes_up),
    FIELD(message_bytes_down),
    FIELD(socket_bytes_up),
    FIELD(socket_bytes_down),
    FIELD(tcp_bytes_up),
    FIELD(tcp_bytes_down),
    FIELD(tcp_segments_up),
    FIELD(tcp_segments_down),
    FIELD(codec_us),
    FIELD(codec_percent),
    FIELD(tcp_retransmits),
    FIELD(connections_before),
    FIELD(connections_in_window),
    FIELD(handshakes_full),
    FIELD(handshakes_resumed),
};

enum { N_TEXTS = sizeof texts / sizeof texts[0], N_NUMBERS = sizeof numbers / sizeof numbers[0] };

static void *member(bench_http_row *row, const field *f)
{
    return (char *)row + f->at;
}

bench_http_row bench_http_row_empty(void)
{
    bench_http_row row;
    memset(&row, 0, sizeof row);
    for (size_t i = 0; i < N_NUMBERS; i++) {
        *(double *)member(&row, &numbers[i]) = -1;
    }
    return row;
}

static double us_of(uint64_t ns)
{
    return (double)ns / 1000;
}

static void set_latencies(bench_http_row *row, const bench_histogram *h)
{
    row->samples = (double)h->total;
    if (h->total == 0) {
        return;
    }
    row->mean_us = bench_histogram_mean(h) / 1000;
    row->p50_us = us_of(bench_histogram_percentile(h, 50));
    row->p90_us = us_of(bench_histogram_percentile(h, 90));
    row->p99_us = h->total >= 100 ? us_of(bench_histogram_percentile(h, 99)) : -1;
    row->p999_us = h->total >= BENCH_SAMPLES_P999 ? us_of(bench_histogram_percentile(h, 99.9)) : -1;
    row->max_us = us_of(h->max);
}

void bench_http_row_outcome(bench_http_row *row, const bench_outcome *o)
{
    const cw_net_counters *c = &o->counters;
    row->sent = (double)o->sent;
    row->completed = (double)o->completed;
    row->failed = (double)o->failed;
    row->refused = (double)o->refused;
    row->late = (double)o->late;
    row->connections_in_window = (double)c->connections;
    row->handshakes_full = (double)c->handshakes_full;
    row->handshakes_resumed = (double)c->handshakes_resumed;
    row->tcp_retransmits = (double)c->tcp_retransmits;
    set_latencies(row, &o->latency);
    if (o->completed == 0 || o->wall_ns == 0) {
        return;
    }
    const double n = (double)o->completed;
    row->req_per_s = n * 1e9 / (double)o->wall_ns;
    row->client_cpu_us = us_of(o->usage.cpu_ns) / n;
    row->client_user_us = us_of(o->usage.user_ns) / n;
    row->client_sys_us = us_of(o->usage.sys_ns) / n;
    row->client_waits = (double)o->usage.waits / n;
    row->client_preempted = (double)o->usage.preempted / n;
    row->client_reads = (double)c->reads / n;
    row->client_writes = (double)c->writes / n;
    row->message_bytes_up = (double)o->body_up / n;
    row->message_bytes_down = (double)o->body_down / n;
    row->socket_bytes_up = (double)c->bytes_out / n;
    row->socket_bytes_down = (double)c->bytes_in / n;
    row->tcp_bytes_up = (double)c->tcp_bytes_out / n;
    row->tcp_bytes_down = (double)c->tcp_bytes_in / n;
    row->tcp_segments_up = (double)c->tcp_segments_out / n;
    row->tcp_segments_down = (double)c->tcp_segments_in / n;
}

void bench_http_row_server(bench_http_row *row, const bench_outcome *o, const bench_usage *usage,
                           const cw_net_counters *counters)
{
    if (o->completed == 0) {
        return;
    }
    const double n = (double)o->completed;
    row->server_cpu_us = us_of(usage->cpu_ns) / n;
    row->server_user_us = us_of(usage->user_ns) / n;
    row->server_sys_us = us_of(usage->sys_ns) / n;
    row->server_waits = (double)usage->waits / n;
    row->server_preempted = (double)usage->preempted / n;
    row->server_reads = (double)counters->reads / n;
    row->server_writes = (double)counters->writes / n;
}

void bench_http_row_add(bench_results *results, const bench_http_row *row)
{
    bench_http_row copy = *row;
    bench_value values[1 + N_TEXTS + N_NUMBERS];
    size_t n = 0;
    values[n++] = (bench_value){"suite", "http", -1};
    for (size_t i = 0; i < N_TEXTS; i++) {
        const char *text = *(const char **)member(&copy, &texts[i]);
        values[n++] = (bench_value){texts[i].name, text, -1};
    }
    for (size_t i = 0; i < N_NUMBERS; i++) {
        double v = *(double *)member(&copy, &numbers[i]);
        values[n++] = (bench_value){numbers[i].name, NULL, v};
    }
    bench_results_add_record(results, values, n);
}
