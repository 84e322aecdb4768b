/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "die.h"
#include "http/print.h"
#include "http/tables.h"
#include "mem.h"
#include "stats.h"

static const bench_column columns[] = {
    {"payload", 7, BENCH_WORDS},
    {"form", 8, BENCH_WORDS},
    {"transport", 9, BENCH_WORDS},
    {"TLS", 5, BENCH_WORDS},
    {"bytes up: message", 17, 0},
    {"socket", 6, 0},
    {"TCP", 6, 0},
    {"segments", 8, 2},
    {"down: message", 13, 0},
    {"socket", 6, 0},
    {"TCP", 6, 0},
    {"segments", 8, 2},
    {"round trip us", 13, 1},
    {"codec us", 8, 2},
    {"share %", 7, 1},
    {"done", 6, 0},
    {"failed", 6, 0},
};
static const size_t n_columns = sizeof columns / sizeof columns[0];

static void print_row(const bench_http_row *row)
{
    const bench_column *c = columns;
    bench_print_words(c++, row->payload);
    bench_print_words(c++, row->form);
    bench_print_words(c++, row->transport);
    bench_print_words(c++, row->tls);
    const double numbers[] = {
        row->message_bytes_up, row->socket_bytes_up,    row->tcp_bytes_up,
        row->tcp_segments_up,  row->message_bytes_down, row->socket_bytes_down,
        row->tcp_bytes_down,   row->tcp_segments_down,  row->p50_us,
        row->codec_us,         row->codec_percent,      row->completed,
        row->failed,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        bench_print_number(c++, numbers[i]);
    }
    bench_print_end();
}

/* ---- the codec by itself -----------------------------------------------------------------------
 */

/* Both ends' memory for messages. */
typedef struct codec {
    bench_source *source;
    bench_wire wire;
    void *at_server, *at_client;
    cw_arena client, server;
} codec;

/* What both ends do with one message, and nothing else. */
static void exchange_once(codec *k)
{
    const cw_type *type = k->source->payload->type;
    cw_bytes answer = {0};
    unsigned state;
    cw_arena_reset(&k->client);
    cw_arena_reset(&k->server);
    cw_bytes request = bench_source_next(k->source, k->wire, &k->client, &state);
    if (bench_message_decode(type, k->wire, request, k->at_server, &k->server, NULL) != CW_OK ||
        bench_message_encode(type, k->wire, k->at_server, &k->server, &answer, NULL) != CW_OK ||
        bench_message_decode(type, k->wire, answer, k->at_client, &k->client, NULL) != CW_OK) {
        bench_die("payload %s: the codec fails", k->source->payload->name);
    }
}

/* Microseconds of CPU time for the four steps of one exchange: the median of rounds. */
static double measure_codec(bench_source *source, bench_wire wire)
{
    enum { ROUNDS = 11 };
    const uint64_t round_ns = 2000000;
    double us[ROUNDS];
    size_t size = source->payload->type->struct_size;
    codec k = {source, wire, bench_calloc(1, size), bench_calloc(1, size), {0}, {0}};
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t n = 0, begin = bench_cpu_ns(), now = begin;
        while (now - begin < round_ns) {
            for (unsigned i = 0; i < 16; i++) {
                exchange_once(&k);
            }
            n += 16;
            now = bench_cpu_ns();
        }
        us[round] = (double)(now - begin) / (double)n / 1000;
    }
    free(k.at_server);
    free(k.at_client);
    cw_arena_free(&k.client);
    cw_arena_free(&k.server);
    return bench_summarise(us, ROUNDS).median;
}

/* ---- the rows ----------------------------------------------------------------------------------
 */

static void run_case(bench_stage *s, const bench_case *c, double codec_us)
{
    const bench_plan warm = {.duration_ns = bench_stage_pace(s)->warm_ns};
    const bench_plan plan = {.duration_ns = bench_stage_pace(s)->serial_ns};
    bench_trial t;
    bench_trial_open(&t, s, c);
    bench_trial_warm(&t, &warm);
    bench_trial_run(&t, &plan);
    bench_http_row row = bench_trial_report(&t);
    row.codec_us = codec_us;
    row.codec_percent = row.p50_us > 0 ? 100 * codec_us / row.p50_us : -1;
    print_row(&row);
    bench_http_row_add(&bench_stage_run(s)->results, &row);
    bench_trial_close(&t);
}

static void print_title(bench_stage *s, bool two_cores)
{
    printf("\n## HTTP: one exchange at a time on one connection (%s)\n\n",
           bench_stage_placement(s, two_cores));
    printf("Bytes of one exchange in steady state. Codec: the client's encode and decode and the "
           "server's, by themselves, in CPU time; its share is of the median round trip.\n\n");
    bench_print_heading(columns, n_columns);
}

/* Payload, form, then TLS, then version. */
static bench_case case_of(unsigned i, bool two_cores)
{
    return (bench_case){
        .table = "exchange",
        .version = i & 1 ? CW_HTTP_2 : CW_HTTP_1_1,
        .connections = 1,
        .in_flight = 1,
        .security = i & 2 ? BENCH_P256 : BENCH_PLAIN,
        .two_cores = two_cores,
        .wire = i & 4 ? BENCH_JSON : BENCH_PROTOBUF,
        .many = i & 8,
    };
}

void bench_table_exchange(bench_stage *s, bool two_cores)
{
    double codec_us = -1;
    bool titled = false;
    unsigned n = bench_stage_payload_count(s) * 8;
    for (unsigned i = 0; i < n; i++) {
        bench_case c = case_of(i, two_cores);
        codec_us = i % 4 ? codec_us : -1; /* another message */
        if (!bench_case_is_wanted(s, &c)) {
            continue;
        }
        if (!titled) {
            print_title(s, two_cores);
            titled = true;
        }
        if (codec_us < 0) {
            codec_us = measure_codec(bench_stage_source(s, c.many), c.wire);
        }
        run_case(s, &c, codec_us);
    }
}
