/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>

#include "die.h"
#include "entry.h"
#include "mem.h"
#include "payloads.h"
#include "progress.h"
#include "report.h"
#include "stats.h"

/* How long a run takes. */
typedef struct pace {
    unsigned rounds;
    uint64_t slice_ns; /* of one entry in one round, about */
} pace;

static const pace normal_pace = {31, 12000000};
static const pace quick_pace = {5, 4000000};
static const pace full_pace = {41, 20000000};

/* An iteration of a large message may take longer than a slice. */
enum { LARGE_ROUNDS = 11 };

static pace pace_of(const bench_options *o, const bench_payload *p)
{
    pace chosen = o->quick ? quick_pace : o->full ? full_pace : normal_pace;
    if (p->is_large && chosen.rounds > LARGE_ROUNDS) {
        chosen.rounds = LARGE_ROUNDS;
    }
    return chosen;
}

/* One payload's race. */
typedef struct race {
    bench_run *run;
    const bench_payload *payload;
    pace pace;
    void **states; /* by index of contender; NULL: it refuses the payload */
    bench_entry *entries;
    uint64_t *counts; /* iterations of a slice, by entry */
    double *samples;  /* ns of one iteration: by entry, then by round */
    size_t n_entries;
} race;

static bool passes(const char *filter, const char *payload, const bench_contender *c,
                   const bench_op *op)
{
    char label[256];
    snprintf(label, sizeof label, "%s/%s/%s", payload, c->name, op->name);
    return filter == NULL || strstr(label, filter) != NULL;
}

static bool is_wanted(const race *r, const bench_contender *c, const bench_op *op)
{
    return passes(r->run->options->filter, r->payload->name, c, op);
}

static size_t count_wanted(const char *filter, const char *payload)
{
    size_t n = 0;
    for (size_t i = 0; bench_contenders[i] != NULL; i++) {
        for (size_t j = 0; j < bench_contenders[i]->n_ops; j++) {
            n += passes(filter, payload, bench_contenders[i], &bench_contenders[i]->ops[j]);
        }
    }
    return n;
}

static _Noreturn void die_of(const race *r, const bench_entry *e, const char *wrong)
{
    bench_die("%s/%s/%s: %s", r->payload->name, e->contender->name, e->op->name, wrong);
}

static size_t count_contenders(void)
{
    size_t n = 0;
    while (bench_contenders[n] != NULL) {
        n++;
    }
    return n;
}

/* A contender that gets a user's message wrong is out of the race, which is said; ours is not, and
 * on the bench's own data nobody is. */
static void drop_contender(race *r, size_t index, size_t first_entry, const char *wrong)
{
    const bench_contender *c = bench_contenders[index];
    bench_entry *last = &r->entries[r->n_entries - 1];
    if (!r->payload->is_users || c == &bench_cwire) {
        die_of(r, last, wrong);
    }
    printf("%s does not take part: %s: %s.\n\n", c->name, last->op->name, wrong);
    while (r->n_entries > first_entry) {
        bench_entry_close(&r->entries[--r->n_entries]);
    }
    c->teardown(r->states[index]);
    r->states[index] = NULL;
}

/* Opens and proves the contender's entries. */
static void add_entries(race *r, size_t index)
{
    const bench_contender *c = bench_contenders[index];
    size_t wanted = 0;
    for (size_t j = 0; j < c->n_ops; j++) {
        wanted += is_wanted(r, c, &c->ops[j]);
    }
    if (wanted == 0) {
        return;
    }
    const char *refusal = c->refuses != NULL ? c->refuses(r->payload) : NULL;
    if (refusal != NULL && c->is_twin) {
        return;
    }
    if (refusal != NULL) {
        printf("%s does not take part: %s.\n\n", c->name, refusal);
        return;
    }
    size_t first_entry = r->n_entries;
    r->states[index] = c->setup(r->payload);
    for (size_t j = 0; j < c->n_ops; j++) {
        if (!is_wanted(r, c, &c->ops[j])) {
            continue;
        }
        bench_entry *e = &r->entries[r->n_entries++];
        const char *wrong = bench_entry_open(e, r->payload, c, &c->ops[j], r->states[index]);
        wrong = wrong != NULL ? wrong : bench_entry_verify(e);
        if (wrong != NULL) {
            drop_contender(r, index, first_entry, wrong);
            return;
        }
        if (e->owns_output && e->op->form == BENCH_TEXT) {
            printf("%s prints other text for the same message; it was read back and compared.\n\n",
                   c->name);
        }
    }
}

static uint64_t timed_run(const race *r, bench_entry *e, uint64_t count, uint64_t start)
{
    uint64_t ns = 0;
    const char *wrong = bench_entry_run(e, count, start, &ns);
    if (wrong != NULL) {
        die_of(r, e, wrong);
    }
    return ns;
}

/* Whole passes; at least one. */
static uint64_t in_passes(const bench_entry *e, uint64_t count)
{
    uint64_t pass = bench_entry_pass(e);
    return (count / pass + (count < pass)) * pass;
}

/* How many iterations fill a slice: doubled until they take an eighth of it, then scaled. */
static uint64_t calibrate(const race *r, bench_entry *e)
{
    uint64_t count = 1, ns = timed_run(r, e, 1, 0);
    while (ns < r->pace.slice_ns / 8) {
        count *= 2;
        ns = timed_run(r, e, count, 0);
    }
    return in_passes(e, (uint64_t)((double)count * (double)r->pace.slice_ns / (double)ns));
}

/* Round by round, so that what disturbs the machine for a while disturbs all alike. */
static void run_rounds(race *r)
{
    bench_progress("%s, warming up", r->payload->name);
    for (size_t i = 0; i < r->n_entries; i++) {
        r->counts[i] = calibrate(r, &r->entries[i]);
    }
    for (unsigned round = 0; round < r->pace.rounds; round++) {
        bench_progress("%s, round %u of %u", r->payload->name, round + 1, r->pace.rounds);
        for (size_t k = 0; k < r->n_entries; k++) {
            /* Every other round backwards: nobody always runs behind the same one. */
            size_t i = round % 2 ? r->n_entries - 1 - k : k;
            uint64_t start = 997 * (uint64_t)round;
            if (!r->payload->is_large) {
                timed_run(r, &r->entries[i], r->counts[i] / 16 + 1, start); /* warm caches */
            }
            uint64_t ns = timed_run(r, &r->entries[i], r->counts[i], start);
            r->samples[i * r->pace.rounds + round] = (double)ns / (double)r->counts[i];
        }
    }
    bench_progress(NULL);
}

static void add_rows(race *r)
{
    for (size_t i = 0; i < r->n_entries; i++) {
        bench_entry *e = &r->entries[i];
        bench_summary s = bench_summarise(&r->samples[i * r->pace.rounds], r->pace.rounds);
        uint64_t n;
        bench_allocs allocs = bench_entry_allocs(e, &n);
        bool counted = bench_allocs_available();
        size_t bytes = bench_entry_bytes(e);
        bench_row row = {
            .suite = "codec",
            .payload = r->payload->name,
            .contender = e->contender->name,
            .op = e->op->name,
            .ns_median = s.median,
            .ns_min = s.min,
            .ns_max = s.max,
            .bytes = bytes,
            .mb_per_s = bench_mb_per_s(bytes, s.median),
            .allocs = counted ? (double)allocs.calls / (double)n : -1,
            .alloc_bytes = counted ? (double)allocs.bytes / (double)n : -1,
        };
        bench_results_add(&r->run->results, &row);
        if (allocs.calls > 0 && (e->contender == &bench_cwire || e->contender->is_twin)) {
            fprintf(stderr, "cwire-bench: %s/%s/%s: %.3f heap requests an operation, not none\n",
                    row.payload, row.contender, row.op, row.allocs);
            r->run->failed = true;
        }
    }
}

static void close_race(race *r)
{
    for (size_t i = 0; i < r->n_entries; i++) {
        bench_entry_close(&r->entries[i]);
    }
    for (size_t i = 0; bench_contenders[i] != NULL; i++) {
        if (r->states[i] != NULL) {
            bench_contenders[i]->teardown(r->states[i]);
        }
    }
    free(r->states);
    free(r->entries);
    free(r->counts);
    free(r->samples);
}

static void print_heading(const bench_payload *p)
{
    printf("\n## Codec: %s (%s, ", p->name, p->type->full_name);
    if (p->repeats > 0) {
        printf("%zu messages, ", p->n_messages);
    }
    printf("%zu bytes binary, %zu bytes JSON)\n\n", p->total[BENCH_BINARY], p->total[BENCH_TEXT]);
    if (p->repeats == 1) {
        printf("One message an operation, in an order shuffled anew in each pass.\n\n");
    } else if (p->repeats > 1) {
        printf("One message an operation, each %u times in a row.\n\n", p->repeats);
    }
    if (p->is_constant) {
        printf("Nothing in this message can change: the input is the same in every iteration.\n\n");
    }
}

void bench_codec_payload(bench_run *run, const bench_payload *p)
{
    race r = {.run = run, .payload = p, .pace = pace_of(run->options, p)};
    size_t n = count_wanted(run->options->filter, p->name);
    r.states = bench_calloc(count_contenders(), sizeof *r.states);
    r.entries = bench_calloc(n, sizeof *r.entries);
    r.counts = bench_calloc(n, sizeof *r.counts);
    r.samples = bench_calloc(n * r.pace.rounds, sizeof *r.samples);

    print_heading(p);
    for (size_t i = 0; bench_contenders[i] != NULL; i++) {
        add_entries(&r, i);
    }
    fflush(stdout);
    if (r.n_entries > 0) {
        run_rounds(&r);
        add_rows(&r);
        bench_report_codec(&run->results, p->name);
        bench_report_ratios(&run->results, p->name);
    }
    fflush(stdout);
    close_race(&r);
}

static void visit_payload(void *ctx, const bench_payload *p)
{
    bench_codec_payload(ctx, p);
}

static bool wants_payload(void *ctx, const char *payload)
{
    const bench_run *run = ctx;
    return count_wanted(run->options->filter, payload) > 0;
}

void bench_codec(bench_run *run)
{
    const bench_options *o = run->options;
    const bench_choice choice = {o->full, o->filter, wants_payload, visit_payload, run};
    bench_payloads_each(&choice);
    bench_codec_end(run);
}

void bench_codec_end(bench_run *run)
{
    const bench_options *o = run->options;
    bench_report_summary(&run->results);
    printf(
        "\nTimes are nanoseconds of CPU time for one operation: the median, least and most of %u "
        "rounds (of a large message: %d).\n"
        "cwire checks UTF-8 when it decodes, prints and parses; protobuf-c never does, yajl when "
        "it parses.\n",
        o->quick  ? quick_pace.rounds
        : o->full ? full_pace.rounds
                  : normal_pace.rounds,
        o->quick ? (int)quick_pace.rounds : (int)LARGE_ROUNDS);
}
