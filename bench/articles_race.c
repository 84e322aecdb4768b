/* SPDX-License-Identifier: MIT */
#include "articles.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "entry.h"
#include "mem.h"
#include "progress.h"
#include "stats.h"

const char *const bench_act_names[BENCH_ACTS] = {"serialize", "deserialize", "round_trip"};
const char *const bench_first_names[BENCH_ACTS] = {"serialize_first", "deserialize_first",
                                                   "round_trip_first"};

const bench_article_format bench_article_formats[BENCH_ARTICLE_FORMATS] = {
    {"json", "JSON (cwire)", "cwire", "json_print", "json_parse"},
    {"messagepack", "MessagePack (msgpack-c)", "msgpack-c", "msgpack_pack", "msgpack_unpack"},
    {"protobuf", "protobuf (cwire)", "cwire", "encode_arena", "decode_copy"},
};

typedef struct pace {
    unsigned rounds, large_rounds;
    uint64_t slice_ns; /* of one act of one format in one round, about */
} pace;

static const pace normal_pace = {15, 7, 8000000};
static const pace quick_pace = {3, 3, 500000};
static const pace full_pace = {31, 11, 20000000};

enum { ROUNDS_MAX = 31 };

/* One format on one payload. Two states: what one holds may be read while the other reads. */
typedef struct lane {
    const bench_article_format *format;
    const bench_contender *contender;
    void *state[2];
    bench_entry writer, reader;
    bench_allocs first[BENCH_ACTS];
    uint64_t counts[BENCH_ACTS];
    double samples[BENCH_ACTS][ROUNDS_MAX];
} lane;

static const bench_contender *find_contender(const char *name)
{
    for (size_t i = 0; bench_contenders[i] != NULL; i++) {
        if (strcmp(bench_contenders[i]->name, name) == 0) {
            return bench_contenders[i];
        }
    }
    return NULL;
}

static const bench_op *find_op(const bench_contender *c, const char *name)
{
    for (size_t i = 0; i < c->n_ops; i++) {
        if (strcmp(c->ops[i].name, name) == 0) {
            return &c->ops[i];
        }
    }
    bench_die("%s has no operation %s", c->name, name);
}

static _Noreturn void die_of(const lane *l, const char *wrong)
{
    bench_die("%s/%s: %s", l->writer.payload->name, l->format->name, wrong);
}

static bench_allocs sum(bench_allocs a, bench_allocs b)
{
    return (bench_allocs){a.calls + b.calls, a.bytes + b.bytes, a.frees + b.frees};
}

/* What the first operation of each new state asks for. */
static void count_first(lane *l)
{
    const bench_op *write = l->writer.op, *read = l->reader.op;
    bench_allocs_start();
    cw_bytes out = write->write(l->state[0], l->contender->source(l->state[0], 0));
    l->first[BENCH_SERIALIZE] = bench_allocs_stop();
    if (out.data == NULL) {
        die_of(l, "cannot be written");
    }
    bench_allocs_start();
    const void *m = read->read(l->state[1], out);
    if (m != NULL && read->release != NULL) {
        read->release(l->state[1], m);
    }
    l->first[BENCH_DESERIALIZE] = bench_allocs_stop();
    if (m == NULL) {
        die_of(l, "cannot be read");
    }
    l->first[BENCH_ROUND_TRIP] = sum(l->first[BENCH_SERIALIZE], l->first[BENCH_DESERIALIZE]);
}

static void open_entry(lane *l, bench_entry *e, const bench_payload *p, const bench_op *op,
                       void *state)
{
    const char *wrong = bench_entry_open(e, p, l->contender, op, state);
    wrong = wrong != NULL ? wrong : bench_entry_verify(e);
    if (wrong != NULL) {
        die_of(l, wrong);
    }
}

static bool open_lane(lane *l, const bench_article_format *format, const bench_payload *p)
{
    *l = (lane){.format = format, .contender = find_contender(format->contender)};
    const bench_contender *c = l->contender;
    if (c == NULL || (c->refuses != NULL && c->refuses(p) != NULL)) {
        return false;
    }
    l->writer = (bench_entry){.payload = p, .op = find_op(c, format->write)};
    l->reader = (bench_entry){.payload = p, .op = find_op(c, format->read)};
    for (unsigned i = 0; i < 2; i++) {
        l->state[i] = c->setup(p);
    }
    count_first(l);
    open_entry(l, &l->writer, p, l->writer.op, l->state[0]);
    open_entry(l, &l->reader, p, l->reader.op, l->state[1]);
    return true;
}

static void close_lane(lane *l)
{
    bench_entry_close(&l->writer);
    bench_entry_close(&l->reader);
    for (unsigned i = 0; i < 2; i++) {
        l->contender->teardown(l->state[i]);
    }
}

static uint64_t timed_run(lane *l, bench_act act, uint64_t count, uint64_t start)
{
    uint64_t ns = 0;
    const char *wrong = act == BENCH_SERIALIZE ? bench_entry_run(&l->writer, count, start, &ns)
                        : act == BENCH_DESERIALIZE
                            ? bench_entry_run(&l->reader, count, start, &ns)
                            : bench_entry_cycle(&l->writer, &l->reader, count, &ns);
    if (wrong != NULL) {
        die_of(l, wrong);
    }
    return ns;
}

/* How many iterations fill a slice. */
static uint64_t calibrate(lane *l, bench_act act, uint64_t slice_ns)
{
    uint64_t count = 1, ns = timed_run(l, act, 1, 0);
    while (ns < slice_ns / 8) {
        count *= 2;
        ns = timed_run(l, act, count, 0);
    }
    count = (uint64_t)((double)count * (double)slice_ns / (double)ns);
    return count > 0 ? count : 1;
}

/* Steady state: of n operations. */
static bench_allocs count_steady(lane *l, bench_act act, uint64_t *n)
{
    uint64_t ns;
    if (act != BENCH_ROUND_TRIP) {
        return bench_entry_allocs(act == BENCH_SERIALIZE ? &l->writer : &l->reader, n);
    }
    *n = l->writer.payload->is_large ? 2 : 16;
    bench_allocs_start();
    const char *wrong = bench_entry_cycle(&l->writer, &l->reader, *n, &ns);
    bench_allocs allocs = bench_allocs_stop();
    if (wrong != NULL) {
        die_of(l, wrong);
    }
    return allocs;
}

static void add_rows(bench_run *run, lane *l, bench_act act, unsigned rounds)
{
    uint64_t n;
    bench_allocs allocs = count_steady(l, act, &n);
    bench_summary s = bench_summarise(l->samples[act], rounds);
    bool counted = bench_allocs_available();
    bench_row row = {
        .suite = "articles",
        .payload = l->writer.payload->name,
        .contender = l->format->name,
        .op = bench_act_names[act],
        .ns_median = s.median,
        .ns_min = s.min,
        .ns_max = s.max,
        .bytes = bench_entry_bytes(&l->writer),
        .mb_per_s = bench_mb_per_s(bench_entry_bytes(&l->writer), s.median),
        .allocs = counted ? (double)allocs.calls / (double)n : -1,
        .alloc_bytes = counted ? (double)allocs.bytes / (double)n : -1,
    };
    bench_results_add(&run->results, &row);
    row.op = bench_first_names[act];
    row.ns_median = row.ns_min = row.ns_max = row.mb_per_s = -1;
    row.allocs = counted ? (double)l->first[act].calls : -1;
    row.alloc_bytes = counted ? (double)l->first[act].bytes : -1;
    bench_results_add(&run->results, &row);
}

/* Round by round, so that what disturbs the machine for a while disturbs all alike. */
static void run_rounds(lane *lanes, size_t n, unsigned rounds, uint64_t slice_ns)
{
    const size_t cells = n * BENCH_ACTS;
    for (size_t i = 0; i < cells; i++) {
        lane *l = &lanes[i / BENCH_ACTS];
        l->counts[i % BENCH_ACTS] = calibrate(l, i % BENCH_ACTS, slice_ns);
    }
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t k = 0; k < cells; k++) {
            size_t i = round % 2 ? cells - 1 - k : k;
            lane *l = &lanes[i / BENCH_ACTS];
            bench_act act = i % BENCH_ACTS;
            uint64_t start = 997 * (uint64_t)round, count = l->counts[act];
            if (count >= 16) {
                timed_run(l, act, count / 16, start); /* warm caches */
            }
            l->samples[act][round] = (double)timed_run(l, act, count, start) / (double)count;
        }
    }
}

void bench_articles_race(bench_run *run, const bench_payload *p)
{
    const bench_options *o = run->options;
    const pace *chosen = o->quick ? &quick_pace : o->full ? &full_pace : &normal_pace;
    unsigned rounds = p->is_large ? chosen->large_rounds : chosen->rounds;
    lane *lanes = bench_calloc(BENCH_ARTICLE_FORMATS, sizeof *lanes);
    size_t n = 0;
    bench_progress("articles: %s", p->name);
    for (size_t i = 0; i < BENCH_ARTICLE_FORMATS; i++) {
        n += open_lane(&lanes[n], &bench_article_formats[i], p);
    }
    run_rounds(lanes, n, rounds, chosen->slice_ns);
    for (size_t i = 0; i < n; i++) {
        for (unsigned act = 0; act < BENCH_ACTS; act++) {
            add_rows(run, &lanes[i], act, rounds);
        }
        close_lane(&lanes[i]);
    }
    bench_progress(NULL);
    free(lanes);
}
