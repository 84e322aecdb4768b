/* SPDX-License-Identifier: MIT */
/* cwire-bench http: the order of the tables, and what is said before them. */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "http/emulate.h"
#include "http/tables.h"
#include "http/versions.h"

static const bench_http_pace normal_pace = {
    .runs = 7,
    .requests = 400,
    .slice_ns = 500000000,
    .many_ns = 1000000000,
    .open_ns = 3000000000,
    .serial_ns = 200000000,
    .warm_ns = 100000000,
    .handshakes = 200,
};

static const bench_http_pace quick_pace = {
    .runs = 2,
    .requests = 50,
    .slice_ns = 20000000,
    .many_ns = 30000000,
    .open_ns = 50000000,
    .serial_ns = 10000000,
    .warm_ns = 2000000,
    .handshakes = 10,
};

static const bench_http_pace full_pace = {
    .runs = 21,
    .requests = 400,
    .slice_ns = 1000000000,
    .many_ns = 2000000000,
    .open_ns = 6000000000,
    .serial_ns = 500000000,
    .warm_ns = 200000000,
    .handshakes = 500,
};

/* Round trips are long here. */
static const bench_http_pace emulated_pace = {
    .runs = 3,
    .requests = 400,
    .slice_ns = 2000000000,
    .many_ns = 4000000000,
    .open_ns = 5000000000,
    .serial_ns = 1000000000,
    .warm_ns = 500000000,
    .handshakes = 20,
};

/* All three write-ups' tables together take less than a minute. */
enum { ARTICLE_RUNS = 5 };

typedef struct http_options {
    const char *placement; /* "same", "two", "both"; NULL: as --full says */
    bench_emulation emulation;
} http_options;

static const http_options defaults = {.emulation = BENCH_EMULATION_NONE};

static const bench_option options[] = {
    {.name = "--placement",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(http_options, placement),
     .choices = "same|two|both",
     .help = "both ends on one core (the default), on two, or both ways (--full)"},
    BENCH_EMULATION_OPTION_LIST(http_options, emulation),
};

const bench_own_options bench_http_own = {
    .command = "http",
    .options = options,
    .n = sizeof options / sizeof options[0],
    .defaults = &defaults,
    .size = sizeof defaults,
};

/* The first line of a file; "" without. */
static const char *read_line(const char *path, char *out, size_t cap)
{
    out[0] = '\0';
    FILE *in = fopen(path, "r");
    if (in != NULL) {
        if (fgets(out, (int)cap, in) == NULL) {
            out[0] = '\0';
        }
        fclose(in);
    }
    out[strcspn(out, "\n")] = '\0';
    return out;
}

/* Ticks of all CPUs so far, and those of them that were idle. */
static bool read_ticks(double *all, double *idle)
{
    char line[256];
    unsigned long long v[8];
    read_line("/proc/stat", line, sizeof line);
    if (sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1], &v[2], &v[3],
               &v[4], &v[5], &v[6], &v[7]) != 8) {
        return false;
    }
    *all = 0;
    for (size_t i = 0; i < 8; i++) {
        *all += (double)v[i];
    }
    *idle = (double)(v[3] + v[4]);
    return true;
}

/* How much of the machine was free just before; negative: not known. */
static double idle_percent(void)
{
    double all, idle, all_before, idle_before;
    if (!read_ticks(&all_before, &idle_before)) {
        return -1;
    }
    uv_sleep(200);
    if (!read_ticks(&all, &idle) || all <= all_before) {
        return -1;
    }
    return 100 * (idle - idle_before) / (all - all_before);
}

static void report_environment(bench_run *run, const bench_scene *scene)
{
    char congestion[64], versions[128];
    double idle = idle_percent();
    const char *control = scene ? scene->congestion
                                : read_line("/proc/sys/net/ipv4/tcp_congestion_control", congestion,
                                            sizeof congestion);
    printf("\n# The HTTP race\n\n- %s; TCP with %s; CPUs idle just before: ",
           bench_http_versions(versions, sizeof versions),
           control[0] ? control : "unknown congestion control");
    printf(idle < 0 ? "unknown\n" : "%.0f %%\n", idle);
    if (strcmp(control, "bbr") == 0) {
        printf("- bbr spreads what a connection sends by timers, which costs the one connection of "
               "HTTP/2 more CPU here than the many of HTTP/1.1; cubic does not (sysctl "
               "net.ipv4.tcp_congestion_control).\n");
    }
    if (scene != NULL) {
        printf("- Round trip time %g ms, %g %% of the packets lost each way: two network "
               "namespaces, TUN devices, a relay.\n",
               scene->rtt_ms, scene->loss_percent);
    }
    printf("- Client and server are two threads of this process, each with its own loop%s.\n",
           run->machine->pinned >= 0 ? " and pinned" : "; neither could be pinned");
    const bench_value values[] = {
        {"suite", "http", -1},       {"table", "environment", -1}, {"libraries", versions, -1},
        {"congestion", control, -1}, {"idle_percent", NULL, idle},
    };
    bench_results_add_record(&run->results, values, sizeof values / sizeof values[0]);
    fflush(stdout);
}

/* ---- the orders of tables ----------------------------------------------------------------------
 */

/* One of them: what runs on the stage that is set. */
typedef struct programme {
    void (*tables)(bench_stage *s, const char *placement);
    const char *placement; /* "same", "two", "both"; NULL: as --full says */
    const bench_emulation *emulation;
    const bench_http_pace *pace;
    bench_payload *payload; /* NULL: the orders */
} programme;

static void run_tables(bench_stage *s, bool two_cores)
{
    bool all = bench_stage_run(s)->options->full;
    bench_table_echo(s, two_cores);
    bench_table_think(s, two_cores, false);
    bench_table_think(s, two_cores, true);
    bench_stage_stop_servers(s);
    bench_table_handshake(s, two_cores);
    bench_table_closed(s, two_cores, all);
    bench_stage_stop_servers(s);
    bench_table_open(s, two_cores, all);
    bench_table_exchange(s, two_cores);
    bench_stage_stop_servers(s);
}

static void run_placements(bench_stage *s, const char *chosen)
{
    const bench_run *run = bench_stage_run(s);
    const char *placement = chosen ? chosen : run->options->full ? "both" : "same";
    if (strcmp(placement, "two") != 0) {
        run_tables(s, false);
    }
    if (strcmp(placement, "same") == 0) {
        return;
    }
    if (run->machine->other < 0) {
        printf("\nThere is no second CPU for the server: no rows with two cores.\n");
        return;
    }
    run_tables(s, true);
}

/* What a user asks of his own message: what a round trip costs, how many a second, and how long
 * they take at some of that. */
static void run_users(bench_stage *s, const char *placement)
{
    bool all = bench_stage_run(s)->options->full;
    (void)placement;
    bench_table_exchange(s, false);
    bench_table_closed(s, false, all);
    bench_stage_stop_servers(s);
    bench_table_open(s, false, all);
}

static void run_article(bench_stage *s, const char *placement)
{
    (void)placement;
    bench_table_think(s, false, false);
    bench_table_think(s, false, true);
    bench_stage_stop_servers(s);
    bench_table_handshake(s, false);
    bench_table_exchange(s, false);
}

/* ---- the stage they run on ---------------------------------------------------------------------
 */

static const bench_http_pace *pace_of(const bench_run *run, const bench_emulation *e)
{
    return run->options->quick  ? &quick_pace
           : e->rtt_ms >= 0     ? &emulated_pace
           : run->options->full ? &full_pace
                                : &normal_pace;
}

static void run_on(bench_run *run, const programme *p, const bench_scene *scene)
{
    report_environment(run, scene);
    bench_stage *s = bench_stage_open(run, p->pace, scene, p->payload);
    p->tables(s, p->placement);
    bench_stage_close(s);
}

static void run_emulated(bench_run *run, const programme *p)
{
    bench_emulation emulation = *p->emulation;
    emulation.cpu = run->machine->other;
    bench_emulator *emulator = bench_emulator_open(&emulation);
    if (emulator == NULL) {
        run->failed = true;
        bench_payload_free(p->payload);
        return;
    }
    run_on(run, p, bench_emulator_scene(emulator));
    bench_relay_counts n = bench_emulator_close(emulator);
    printf("\nPackets to the client: %llu carried, %llu lost; to the server: %llu carried, %llu "
           "lost.\n",
           (unsigned long long)n.carried[0], (unsigned long long)n.lost[0],
           (unsigned long long)n.carried[1], (unsigned long long)n.lost[1]);
}

static void run_programme(bench_run *run, const programme *p)
{
    if (p->emulation->rtt_ms >= 0) {
        run_emulated(run, p);
    } else {
        run_on(run, p, NULL);
    }
}

void bench_http_payload(bench_run *run, bench_payload *payload, const bench_emulation *emulation)
{
    const programme p = {.tables = run_users,
                         .emulation = emulation,
                         .pace = pace_of(run, emulation),
                         .payload = payload};
    run_programme(run, &p);
}

void bench_http_article(bench_run *run)
{
    bench_http_pace pace = *pace_of(run, &defaults.emulation);
    pace.runs = pace.runs > ARTICLE_RUNS && !run->options->full ? ARTICLE_RUNS : pace.runs;
    const programme p = {.tables = run_article, .emulation = &defaults.emulation, .pace = &pace};
    run_programme(run, &p);
}

void bench_http(bench_run *run)
{
    const http_options *o = run->options->own ? run->options->own : &defaults;
    const char *lacks = bench_emulation_lacks(&o->emulation);
    if (lacks != NULL) {
        fprintf(stderr, "cwire-bench: http: %s\n", lacks);
        run->failed = true;
        return;
    }
    const programme p = {.tables = run_placements,
                         .placement = o->placement,
                         .emulation = &o->emulation,
                         .pace = pace_of(run, &o->emulation)};
    run_programme(run, &p);
}
