/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include "http/trial.h"

#include <stdio.h>
#include <string.h>

#include "die.h"
#include "http/alarm.h"
#include "stats.h"

/* A type's full name may be long; what does not fit is cut. */
enum { LABEL = 512 };

static const char *transport_of(const bench_case *c)
{
    return c->version == CW_HTTP_2 ? "HTTP/2" : "HTTP/1.1";
}

const char *bench_case_label(const bench_stage *s, const bench_case *c, char *out, size_t cap)
{
    snprintf(out, cap, "%s/%s/%u%s/%s/%s/%s/%s", c->table, transport_of(c), c->in_flight,
             c->no_keep_alive ? " no keep-alive" : "", bench_security_names[c->security],
             bench_stage_payload(s, c->many), bench_wires[c->wire].name,
             bench_codings[c->coding].name);
    return out;
}

bool bench_case_is_wanted(const bench_stage *s, const bench_case *c)
{
    char label[LABEL];
    const char *filter = bench_stage_run(s)->options->filter;
    return filter == NULL || strstr(bench_case_label(s, c, label, sizeof label), filter) != NULL;
}

void bench_case_describe(const bench_case *c, const bench_stage *stage, bench_http_row *row)
{
    row->table = c->table;
    row->transport = transport_of(c);
    row->tls = bench_security_names[c->security];
    row->placement = bench_stage_placement(stage, c->two_cores);
    row->payload = bench_stage_payload(stage, c->many);
    row->form = bench_wires[c->wire].name;
    row->coding = bench_codings[c->coding].name;
    row->timer = c->think_ms > 0 ? bench_alarm_kind() : NULL;
    row->connections = c->connections;
    row->in_flight = c->in_flight;
    row->keep_alive = !c->no_keep_alive;
    row->resumption = !c->no_resumption;
    row->think_ms = c->think_ms;
    bench_stage_describe(stage, row);
}

static _Noreturn void die_of(const bench_trial *t, const cw_net_error *e)
{
    char label[LABEL], text[256];
    cw_net_error_print(e, text, sizeof text);
    bench_die("%s: %s", bench_case_label(t->stage, &t->c, label, sizeof label), text);
}

static void open_load(bench_trial *t)
{
    const bench_case *c = &t->c;
    char origin[64];
    cw_net_error e = {0};
    const bench_load_options options = {
        .origin = bench_stage_origin(t->stage, t->server, c->security, origin, sizeof origin),
        .version = c->version,
        .connections = c->connections,
        .in_flight = c->in_flight,
        .no_keep_alive = c->no_keep_alive,
        .tls = bench_stage_client_tls(t->stage, c->security, c->no_resumption),
        .coding = bench_codings[c->coding].options,
        .limits = bench_stage_limits,
        .source = bench_stage_source(t->stage, c->many),
        .wire = c->wire,
    };
    t->load = bench_load_open(bench_stage_loop(t->stage), &options, &e);
    if (t->load == NULL || (!c->no_keep_alive && bench_load_connect(t->load, &e) != CW_NET_OK)) {
        die_of(t, &e);
    }
}

void bench_trial_open(bench_trial *t, bench_stage *stage, const bench_case *c)
{
    const bench_server_kind kind = {c->security, c->two_cores, c->think_ms, c->coding};
    *t = (bench_trial){.stage = stage, .c = *c};
    bench_outcome_open(&t->outcome);
    t->server = bench_stage_server(stage, &kind);
    open_load(t);
}

void bench_trial_close(bench_trial *t)
{
    bench_load_close(t->load);
    bench_outcome_free(&t->outcome);
}

void bench_trial_warm(bench_trial *t, const bench_plan *plan)
{
    bench_outcome scratch;
    bench_outcome_open(&scratch);
    bench_load_run(t->load, plan, &scratch);
    bench_outcome_free(&scratch);
}

void bench_trial_run(bench_trial *t, const bench_plan *plan)
{
    uint64_t wall_ns = t->outcome.wall_ns;
    bench_sample before = bench_thread_sample(t->server);
    if (t->runs == 0) {
        t->connections_before = (double)bench_load_connections(t->load);
    }
    bench_load_run(t->load, plan, &t->outcome);
    bench_sample after = bench_thread_sample(t->server);
    bench_usage_add(&t->server_usage, &before.usage, &after.usage);
    bench_counters_add(&t->server_counters, &before.counters, &after.counters);
    t->is_open_loop = plan->rate > 0;
    if (t->runs < BENCH_RUNS_MAX) {
        t->run_ms[t->runs++] = (double)(t->outcome.wall_ns - wall_ns) / 1e6;
    }
}

static void complain(bench_trial *t)
{
    const bench_outcome *o = &t->outcome;
    char label[LABEL];
    if (o->failed == 0 && (o->late == 0 || t->is_open_loop)) {
        return;
    }
    fprintf(stderr, "cwire-bench: %s: of %llu requests %llu failed, %llu were late%s%s\n",
            bench_case_label(t->stage, &t->c, label, sizeof label), (unsigned long long)o->sent,
            (unsigned long long)o->failed, (unsigned long long)o->late,
            o->first_failure[0] ? "; the first: " : "", o->first_failure);
    bench_stage_run(t->stage)->failed = true;
}

bench_http_row bench_trial_report(bench_trial *t)
{
    bench_http_row row = bench_http_row_empty();
    bench_case_describe(&t->c, t->stage, &row);
    row.connections_before = t->connections_before;
    row.runs = t->runs;
    bench_summary ms = bench_summarise(t->run_ms, t->runs);
    row.ms_median = ms.median;
    row.ms_min = ms.min;
    row.ms_max = ms.max;
    bench_http_row_outcome(&row, &t->outcome);
    bench_http_row_server(&row, &t->outcome, &t->server_usage, &t->server_counters);
    complain(t);
    return row;
}
