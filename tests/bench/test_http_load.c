/* SPDX-License-Identifier: MIT */
/* The loads of the HTTP race against its server: short windows whose counts have to add up. */
#define _GNU_SOURCE /* uv.h wants POSIX types */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if BENCH_HAVE_HTTP

#include <stdio.h>

#include "http/tables.h"

static const bench_http_pace pace = {
    .runs = 2,
    .requests = 20,
    .slice_ns = 20000000,
    .many_ns = 20000000,
    .open_ns = 50000000,
    .serial_ns = 10000000,
    .warm_ns = 2000000,
    .handshakes = 3,
};

static const bench_options options = {.command = "http", .cpu = -1, .quick = true};
static const bench_machine machine = {.pinned = -1, .other = -1, .cpus = 1};

typedef struct fixture {
    bench_run run;
    bench_stage *stage;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return -1;
    }
    f->run = (bench_run){.options = &options, .machine = &machine};
    f->stage = bench_stage_open(&f->run, &pace, NULL, NULL);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    bench_stage_close(f->stage);
    bench_results_free(&f->run.results);
    free(f);
    return 0;
}

/* One stage for all tests; what a test left behind does not count in the next. */
static int begin(void **state)
{
    fixture *f = *state;
    bench_stage_stop_servers(f->stage);
    bench_results_free(&f->run.results);
    f->run.failed = false;
    return 0;
}

/* ---- closed loops ------------------------------------------------------------------------------
 */

static const bench_case cases[] = {
    {.table = "t", .version = CW_HTTP_1_1, .connections = 5, .in_flight = 5},
    {.table = "t", .version = CW_HTTP_2, .connections = 1, .in_flight = 20},
    {.table = "t",
     .version = CW_HTTP_2,
     .connections = 1,
     .in_flight = 20,
     .wire = BENCH_JSON,
     .coding = BENCH_GZIP_6,
     .many = true},
    {.table = "t",
     .version = CW_HTTP_1_1,
     .connections = 3,
     .in_flight = 3,
     .security = BENCH_P256,
     .coding = BENCH_BR_4},
    {.table = "t",
     .version = CW_HTTP_1_1,
     .connections = 4,
     .in_flight = 4,
     .no_keep_alive = true,
     .security = BENCH_RSA},
};

static void a_number_of_requests(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bench_plan plan = {.requests = 100};
        bench_trial t;
        bench_trial_open(&t, f->stage, &cases[i]);
        if (!cases[i].no_keep_alive) {
            bench_trial_warm(&t, &plan); /* takes the tickets that follow a TLS handshake */
        }
        bench_trial_run(&t, &plan);
        bench_trial_run(&t, &plan);
        bench_http_row row = bench_trial_report(&t);
        assert_false(f->run.failed);
        assert_int_equal(t.outcome.sent, 200);
        assert_int_equal(t.outcome.completed, 200);
        assert_int_equal(t.outcome.latency.total, 200);
        assert_int_equal(t.outcome.counters.requests, 200);
        assert_int_equal(t.outcome.counters.answered, 200);
        assert_int_equal(t.server_counters.requests, 200);
        assert_int_equal(t.server_counters.answered, 200);
        if (!cases[i].no_keep_alive) { /* the last words of a connection come after the window */
            assert_int_equal(t.server_counters.bytes_in, t.outcome.counters.bytes_out);
            assert_int_equal(t.server_counters.bytes_out, t.outcome.counters.bytes_in);
        }
        assert_int_equal(t.outcome.body_up, t.outcome.body_down);
        assert_int_equal(row.connections_in_window, cases[i].no_keep_alive ? 200 : 0);
        assert_int_equal(row.connections_before, cases[i].no_keep_alive ? 0 : cases[i].connections);
        assert_int_equal(row.handshakes_full + row.handshakes_resumed,
                         cases[i].no_keep_alive ? 200 : 0);
        assert_true(row.ms_min > 0 && row.ms_min <= row.ms_median && row.ms_median <= row.ms_max);
        assert_true(row.p50_us > 0 && row.p50_us <= row.p99_us && row.p99_us <= row.max_us);
        assert_true(row.client_cpu_us > 0 && row.server_cpu_us > 0);
        assert_true(row.p999_us < 0); /* too few samples */
        bench_trial_close(&t);
    }
}

static void a_length_of_time(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < 2; i++) {
        const bench_plan plan = {.duration_ns = 50000000};
        bench_trial t;
        bench_trial_open(&t, f->stage, &cases[i]);
        bench_trial_warm(&t, &plan);
        bench_trial_run(&t, &plan);
        assert_true(t.outcome.completed >= cases[i].in_flight);
        assert_int_equal(t.outcome.completed, t.outcome.sent);
        assert_int_equal(t.server_counters.answered, t.outcome.sent);
        assert_true(t.outcome.wall_ns >= plan.duration_ns);
        bench_trial_close(&t);
    }
}

/* Nothing is faster than its think time, and a row of n requests than its rounds. */
static void thinking_takes_its_time(void **state)
{
    fixture *f = *state;
    const bench_case c = {
        .table = "t", .version = CW_HTTP_2, .connections = 1, .in_flight = 5, .think_ms = 2};
    const bench_plan plan = {.requests = 20};
    bench_trial t;
    bench_trial_open(&t, f->stage, &c);
    bench_trial_run(&t, &plan);
    bench_http_row row = bench_trial_report(&t);
    assert_int_equal(t.outcome.completed, 20);
    assert_true(row.ms_min >= 8);
    assert_true(row.p50_us >= 2000);
    bench_trial_close(&t);
}

/* ---- open loops --------------------------------------------------------------------------------
 */

static void an_open_loop_sends_what_is_due(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < 2; i++) {
        const bench_plan plan = {.duration_ns = 100000000, .rate = 2000};
        bench_trial t;
        bench_trial_open(&t, f->stage, &cases[i]);
        bench_trial_run(&t, &plan);
        assert_int_equal(t.outcome.sent, 200);
        assert_int_equal(t.outcome.completed + t.outcome.late, 200);
        assert_int_equal(t.outcome.latency.total, 200);
        assert_true(t.server_counters.requests >= t.outcome.completed);
        bench_trial_close(&t);
    }
}

/* A server that is too slow: the requests that it could not answer are late, and their latency
 * counts from when they were due. */
static void what_is_not_answered_is_late(void **state)
{
    fixture *f = *state;
    const bench_case c = {
        .table = "t", .version = CW_HTTP_1_1, .connections = 1, .in_flight = 1, .think_ms = 50};
    const bench_plan plan = {.duration_ns = 100000000, .rate = 200};
    bench_trial t;
    bench_trial_open(&t, f->stage, &c);
    bench_trial_run(&t, &plan);
    assert_int_equal(t.outcome.sent, 20);
    assert_int_equal(t.outcome.completed + t.outcome.late, 20);
    assert_true(t.outcome.late >= 10 && t.outcome.completed >= 1);
    assert_int_equal(t.outcome.latency.total, 20);
    assert_true(bench_histogram_percentile(&t.outcome.latency, 50) >
                BENCH_GRACE_MS * UINT64_C(1000000));
    bench_http_row row = bench_trial_report(&t);
    assert_int_equal(row.late, t.outcome.late);
    assert_false(f->run.failed); /* that is what an open loop is for */
    bench_trial_close(&t);
}

/* ---- failures ----------------------------------------------------------------------------------
 */

typedef struct one_load {
    fixture *f;
    bench_thread *server;
    bench_outcome out;
} one_load;

static void open_one_load(one_load *o, fixture *f)
{
    static const bench_server_options server = {0};
    o->f = f;
    o->server = bench_thread_start(&bench_server, &server, (bench_place){-1, -1});
    bench_outcome_open(&o->out);
}

static void run_one_load(one_load *o, const bench_load_options *wanted, const bench_plan *plan)
{
    char origin[64];
    cw_net_error e = {0};
    bench_load_options l = *wanted;
    snprintf(origin, sizeof origin, "http://127.0.0.1:%d", bench_thread_port(o->server));
    l.origin = origin;
    l.connections = l.in_flight = 3;
    bench_load *load = bench_load_open(bench_stage_loop(o->f->stage), &l, &e);
    assert_non_null(load);
    bench_load_run(load, plan, &o->out);
    bench_load_close(load);
}

static void wrong_answers_are_failures(void **state)
{
    fixture *f = *state;
    one_load o;
    const bench_plan plan = {.requests = 30};
    bench_source *one = bench_stage_source(f->stage, false);
    open_one_load(&o, f);
    run_one_load(&o, &(bench_load_options){.version = CW_HTTP_2, .path = "/nowhere", .source = one},
                 &plan);
    assert_int_equal(o.out.failed, 30);
    assert_string_equal(o.out.first_failure, "HTTP status 404");
    bench_outcome_clear(&o.out);

    /* The right kind of message, but not the one that was sent. */
    run_one_load(&o,
                 &(bench_load_options){
                     .version = CW_HTTP_1_1, .path = "/one", .method = "GET", .source = one},
                 &plan);
    assert_int_equal(o.out.sent, 30);
    assert_int_equal(o.out.completed, 0);
    assert_string_equal(o.out.first_failure, "the answer is not what was sent");
    bench_outcome_clear(&o.out);

    run_one_load(
        &o,
        &(bench_load_options){.version = CW_HTTP_1_1, .path = "/", .method = "GET", .source = one},
        &plan);
    assert_int_equal(o.out.failed, 30);
    assert_string_equal(o.out.first_failure, "the answer is not in the form of the request");
    bench_outcome_clear(&o.out);

    /* Without a body any message will do. */
    run_one_load(&o,
                 &(bench_load_options){.version = CW_HTTP_2, .path = "/many", .wire = BENCH_JSON},
                 &plan);
    assert_int_equal(o.out.completed, 30);
    assert_int_equal(o.out.body_down / 30, 63141);
    bench_outcome_free(&o.out);
    bench_thread_stop(o.server);
}

static void stop_server(uv_timer_t *timer)
{
    one_load *o = timer->data;
    bench_thread_stop(o->server);
    o->server = NULL;
    uv_close((uv_handle_t *)timer, NULL);
}

/* The server goes away in the middle: every request is told of, and the load goes on to its end. */
static void a_server_that_goes_away(void **state)
{
    fixture *f = *state;
    static const cw_http_version versions[] = {CW_HTTP_1_1, CW_HTTP_2};
    for (size_t i = 0; i < 2; i++) {
        const bench_plan plan = {.duration_ns = 60000000};
        one_load o;
        uv_timer_t timer;
        open_one_load(&o, f);
        uv_timer_init(bench_stage_loop(f->stage), &timer);
        timer.data = &o;
        uv_update_time(bench_stage_loop(f->stage));
        uv_timer_start(&timer, stop_server, 20, 0);
        run_one_load(&o,
                     &(bench_load_options){.version = versions[i],
                                           .source = bench_stage_source(f->stage, false)},
                     &plan);
        assert_null(o.server);
        assert_true(o.out.completed > 0);
        assert_true(o.out.failed > 0);
        assert_int_equal(o.out.sent, o.out.completed + o.out.failed + o.out.late);
        assert_true(o.out.first_failure[0] != '\0');
        bench_outcome_free(&o.out);
    }
}

/* ---- the rows ----------------------------------------------------------------------------------
 */

/* What a row of the race has to hold, each named. */
static const char *const fields[] = {
    "suite",
    "table",
    "transport",
    "tls",
    "placement",
    "payload",
    "form",
    "coding",
    "timer",
    "article",
    "reference",
    "congestion",
    "connections",
    "in_flight",
    "keep_alive",
    "resumption",
    "think_ms",
    "rtt_ms",
    "loss_percent",
    "offered_per_s",
    "capacity_percent",
    "runs",
    "samples",
    "sent",
    "completed",
    "failed",
    "refused",
    "late",
    "ms_median",
    "ms_min",
    "ms_max",
    "req_per_s",
    "mean_us",
    "p50_us",
    "p90_us",
    "p99_us",
    "p999_us",
    "max_us",
    "client_cpu_us",
    "client_user_us",
    "client_sys_us",
    "server_cpu_us",
    "server_user_us",
    "server_sys_us",
    "client_waits",
    "client_preempted",
    "server_waits",
    "server_preempted",
    "client_reads",
    "client_writes",
    "server_reads",
    "server_writes",
    "message_bytes_up",
    "message_bytes_down",
    "socket_bytes_up",
    "socket_bytes_down",
    "tcp_bytes_up",
    "tcp_bytes_down",
    "tcp_segments_up",
    "tcp_segments_down",
    "codec_us",
    "codec_percent",
    "tcp_retransmits",
    "connections_before",
    "connections_in_window",
    "handshakes_full",
    "handshakes_resumed",
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static size_t count_of(const bench_results *r, const char *table)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_records; i++) {
        n += strcmp(r->records[i].values[1].text, table) == 0;
    }
    return n;
}

static double number_of(const bench_record *record, const char *name)
{
    for (size_t i = 0; i < record->n; i++) {
        if (strcmp(record->values[i].name, name) == 0) {
            return record->values[i].number;
        }
    }
    return -2;
}

/* Every table at a run: as many rows as it promises, each with every field, and nothing failed. */
static void every_table_makes_its_rows(void **state)
{
    fixture *f = *state;
    bench_table_echo(f->stage, false);
    bench_table_think(f->stage, false, false);
    bench_table_think(f->stage, false, true);
    bench_table_handshake(f->stage, false);
    bench_table_open(f->stage, false, false);
    bench_table_exchange(f->stage, false);
    const bench_results *r = &f->run.results;
    assert_int_equal(count_of(r, "echo"), 2);
    assert_int_equal(count_of(r, "think"), 7);
    assert_int_equal(count_of(r, "tls"), 10);
    assert_int_equal(count_of(r, "handshake"), 5);
    assert_int_equal(count_of(r, "open"), 4);
    assert_int_equal(count_of(r, "exchange"), 16);
    for (size_t i = 0; i < r->n_records; i++) {
        const bench_record *record = &r->records[i];
        assert_int_equal(record->n, FIELDS);
        for (size_t k = 0; k < FIELDS; k++) {
            assert_string_equal(record->values[k].name, fields[k]);
        }
        assert_true(number_of(record, "completed") > 0);
        assert_true(number_of(record, "failed") == 0);
        assert_true(number_of(record, "client_cpu_us") > 0);
        assert_true(number_of(record, "server_cpu_us") > 0);
    }
    assert_false(f->run.failed);
}

static void a_filter_chooses_rows(void **state)
{
    fixture *f = *state;
    bench_options filtered = options;
    filtered.filter = "many/protobuf/gzip 1";
    f->run.options = &filtered;
    bench_table_echo(f->stage, false);
    bench_table_closed(f->stage, false, false);
    bench_table_open(f->stage, false, false);
    assert_int_equal(f->run.results.n_records, 2); /* HTTP/1.1 and HTTP/2 */
    assert_string_equal(f->run.results.records[0].values[7].text, "gzip 1");
    f->run.options = &options;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_number_of_requests, begin),
        cmocka_unit_test_setup(a_length_of_time, begin),
        cmocka_unit_test_setup(thinking_takes_its_time, begin),
        cmocka_unit_test_setup(an_open_loop_sends_what_is_due, begin),
        cmocka_unit_test_setup(what_is_not_answered_is_late, begin),
        cmocka_unit_test_setup(wrong_answers_are_failures, begin),
        cmocka_unit_test_setup(a_server_that_goes_away, begin),
        cmocka_unit_test_setup(every_table_makes_its_rows, begin),
        cmocka_unit_test_setup(a_filter_chooses_rows, begin),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

#else

static void not_in_this_build(void **state)
{
    (void)state;
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_in_this_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
