/* SPDX-License-Identifier: MIT */
#include "record/compare.h"

#include <stdio.h>
#include <string.h>

#include "cwire/arena.h"
#include "die.h"
#include "record/record.h"

typedef struct compare_options {
    const char *before, *after;
    double tolerance;
} compare_options;

static const compare_options defaults = {.tolerance = 5};

static const bench_option options[] = {
    {.name = "--tolerance",
     .kind = BENCH_OPTION_REAL,
     .at = offsetof(compare_options, tolerance),
     .value = "PERCENT",
     .help = "a time that grew by less is no regression, whatever the noise (5)",
     .max = 1000},
};

const bench_own_options bench_compare_own = {
    .command = "compare",
    .options = options,
    .n = sizeof options / sizeof options[0],
    .operand = "OLD.json",
    .operand_at = offsetof(compare_options, before),
    .second = "NEW.json",
    .second_at = offsetof(compare_options, after),
    .defaults = &defaults,
    .size = sizeof defaults,
};

/* What a kind of row is compared by. Times have the least and the most of their run beside them. */
typedef struct metric {
    const char *title, *name, *min, *max;
    bool more_is_better;
} metric;

static const metric codec_time = {"ns an operation", "ns_median", "ns_min", "ns_max", false};
static const metric heap = {"heap requests an operation", "allocs", NULL, NULL, false};
static const metric size = {"bytes", "bytes", NULL, NULL, false};
static const metric http_time = {"ms for all requests", "ms_median", "ms_min", "ms_max", false};
static const metric rate = {"requests a second, one window", "req_per_s", NULL, NULL, true};
static const metric code_size = {"bytes of code", "text", NULL, NULL, false};
static const metric compile_time = {"ms to compile", "compile_ms", NULL, NULL, false};

/* A part of the comparison: a table for one metric of one suite. */
typedef struct part {
    const char *suite;
    const metric *metric;
    bool is_exact; /* the same program gives the same number: any growth counts */
    bool several;  /* only rows of several runs, or of one */
    bool single;
} part;

static const part parts[] = {
    {"size", &size, true, false, false},          {"codec", &codec_time, false, false, false},
    {"codec", &heap, true, false, false},         {"http", &http_time, false, true, false},
    {"http", &rate, false, false, true},          {"cost", &code_size, true, false, false},
    {"cost", &compile_time, false, false, false}, {"articles", &codec_time, false, false, false},
};

/* What tells rows of a suite apart. */
static const char *const names[] = {
    "payload",    "contender", "op",     "table",        "transport",        "tls",
    "placement",  "form",      "coding", "connections",  "in_flight",        "keep_alive",
    "resumption", "think_ms",  "rtt_ms", "loss_percent", "capacity_percent", "compiler",
    "schema",     "code",      "part",
};
enum { N_NAMES = sizeof names / sizeof names[0], LABEL = 512 };

/* "payload/contender/op": every name that the row has. */
static const char *label_of(const bench_fields *row, char *out)
{
    size_t len = 0;
    out[0] = '\0';
    for (size_t i = 0; i < N_NAMES && len < LABEL - 1; i++) {
        const char *text = bench_field_text(row, names[i]);
        const char *slash = len > 0 ? "/" : "";
        double number = bench_field_number(row, names[i]);
        int n = 0;
        if (text[0] != '\0') {
            n = snprintf(out + len, LABEL - len, "%s%s", slash, text);
        } else if (number > 0) { /* zero and absent say the same: not so */
            n = snprintf(out + len, LABEL - len, "%s%s %.10g", slash, names[i], number);
        }
        len += n > 0 ? (size_t)n : 0;
    }
    return out;
}

/* A record and the labels of its rows. */
typedef struct side {
    bench_saved saved;
    const char **labels;
} side;

static bool open_side(side *s, const char *path)
{
    char label[LABEL];
    if (!bench_saved_open(&s->saved, path)) {
        return false;
    }
    s->labels = cw_arena_array(&s->saved.arena, s->saved.n_rows + 1, sizeof *s->labels);
    for (size_t i = 0; s->labels != NULL && i < s->saved.n_rows; i++) {
        cw_str kept;
        label_of(s->saved.rows[i], label);
        if (!cw_arena_str(&s->saved.arena, cw_str_from(label), &kept)) {
            bench_die("out of memory (%zu labels)", s->saved.n_rows);
        }
        s->labels[i] = kept.len > 0 ? kept.data : "";
    }
    return s->labels != NULL;
}

/* The row of the other record that is called the same; NULL: there is none. */
static const bench_fields *twin_of(const side *other, const bench_fields *row, const char *label)
{
    const char *suite = bench_field_text(row, "suite");
    for (size_t i = 0; i < other->saved.n_rows; i++) {
        if (strcmp(other->labels[i], label) == 0 &&
            bench_field_is(other->saved.rows[i], "suite", suite)) {
            return other->saved.rows[i];
        }
    }
    return NULL;
}

typedef struct comparison {
    side before, after;
    const bench_options *options;
    double tolerance;
    size_t pairs, worse, better;
} comparison;

static bool is_wanted(const comparison *c, const char *label)
{
    return c->options->filter == NULL || strstr(label, c->options->filter) != NULL;
}

static bool belongs(const part *p, const bench_fields *row)
{
    bool several = bench_field_number(row, "runs") > 1;
    return bench_field_is(row, "suite", p->suite) &&
           bench_field_number(row, p->metric->name) >= 0 && (!p->several || several) &&
           (!p->single || !several);
}

/* A value with the least and the most of its run. */
typedef struct measure {
    double value, min, max;
    bool has_noise;
} measure;

static measure measure_of(const metric *m, const bench_fields *row)
{
    measure v = {.value = bench_field_number(row, m->name)};
    v.min = m->min != NULL ? bench_field_number(row, m->min) : -1;
    v.max = m->max != NULL ? bench_field_number(row, m->max) : -1;
    v.has_noise = v.min >= 0 && v.max >= v.min;
    return v;
}

/* How far the least and the most are apart, as a part of the value. */
static double noise_of(const measure *v)
{
    return v->value > 0 ? (v->max - v->min) / v->value : 0;
}

/* Above 1: worse. Of nothing, nothing is as much and anything is endlessly more. */
static double ratio_of(const metric *m, double before, double after)
{
    double least = m->more_is_better ? after : before, most = m->more_is_better ? before : after;
    return least > 0 ? most / least : most > 0 ? 1e9 : 1;
}

typedef enum verdict { SAME, BETTER, WORSE, UNKNOWN } verdict;

static const char *const verdicts[] = {"", "better", "WORSE", "?"};

/*
 * Times: the change is larger than the noise of both runs together, and than the tolerance. What
 * was measured once has no known noise and is not judged.
 */
static verdict judge(const comparison *c, const part *p, const measure *a, const measure *b)
{
    double ratio = ratio_of(p->metric, a->value, b->value);
    if (p->is_exact) { /* heap requests are a mean over changing input */
        return ratio > 1.0001 ? WORSE : ratio < 0.9999 ? BETTER : SAME;
    }
    if (!a->has_noise || !b->has_noise) {
        return UNKNOWN;
    }
    double noise = noise_of(a) + noise_of(b), tolerance = c->tolerance / 100;
    double limit = 1 + (noise > tolerance ? noise : tolerance);
    return ratio > limit ? WORSE : ratio < 1 / limit ? BETTER : SAME;
}

static void print_measure(const measure *v)
{
    if (v->has_noise) {
        printf(" %11.6g | %6.1f %% |", v->value, 100 * noise_of(v));
    } else {
        printf(" %11.6g | %8s |", v->value, "-");
    }
}

static void print_heading(const part *p)
{
    printf("\n## %s: %s\n\n| %-46s | %11s | %8s | %11s | %8s | %7s | %-6s |\n", p->suite,
           p->metric->title, "row", "old", "noise", "new", "noise", "ratio", "");
    printf("|------------------------------------------------|------------:|---------:|"
           "------------:|---------:|--------:|--------|\n");
}

static void print_part(comparison *c, const part *p)
{
    bool titled = false;
    for (size_t i = 0; i < c->after.saved.n_rows; i++) {
        const char *label = c->after.labels[i];
        const bench_fields *after = c->after.saved.rows[i], *before;
        if (!belongs(p, after) || !is_wanted(c, label) ||
            (before = twin_of(&c->before, after, label)) == NULL || !belongs(p, before)) {
            continue;
        }
        measure a = measure_of(p->metric, before), b = measure_of(p->metric, after);
        verdict v = judge(c, p, &a, &b);
        c->pairs++;
        c->worse += v == WORSE;
        c->better += v == BETTER;
        if (p->metric == &heap && v == SAME) {
            continue; /* none of most rows: only what changed is worth a line */
        }
        if (!titled) {
            print_heading(p);
            titled = true;
        }
        double ratio = ratio_of(p->metric, a.value, b.value);
        printf("| %-46s |", label);
        print_measure(&a);
        print_measure(&b);
        if (ratio < 1e9) {
            printf(" %7.3f | %-6s |\n", ratio, verdicts[v]);
        } else {
            printf(" %7s | %-6s |\n", "-", verdicts[v]);
        }
    }
}

/* What makes the ratios say as much of the place as of the program. */
static void print_machines(const comparison *c)
{
    static const char *const facts[] = {"system",   "cpu",   "cpus",     "pinned_to",
                                        "compiler", "flags", "libraries"};
    bool same = true;
    printf("# %s and %s\n\n", c->before.saved.path, c->after.saved.path);
    printf("- made %s and %s\n", bench_field_text(c->before.saved.machine, "date"),
           bench_field_text(c->after.saved.machine, "date"));
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        const char *a = bench_field_text(c->before.saved.machine, facts[i]);
        const char *b = bench_field_text(c->after.saved.machine, facts[i]);
        double m = bench_field_number(c->before.saved.machine, facts[i]);
        double n = bench_field_number(c->after.saved.machine, facts[i]);
        if (strcmp(a, b) != 0) {
            printf("- **other %s**: `%s`, then `%s`\n", facts[i], a, b);
            same = false;
        } else if (m < n || m > n) {
            printf("- **other %s**: %.10g, then %.10g\n", facts[i], m, n);
            same = false;
        }
    }
    printf(same ? "- the same machine and build\n"
                : "- The ratios say as much of these differences as of cwire.\n");
}

static void print_missing(const comparison *c, const side *in, const side *out)
{
    bool titled = false;
    for (size_t i = 0; i < in->saved.n_rows; i++) {
        const char *label = in->labels[i];
        if (!is_wanted(c, label) || twin_of(out, in->saved.rows[i], label) != NULL) {
            continue;
        }
        if (!titled) {
            printf("\n## Only in %s\n\n", in->saved.path);
            titled = true;
        }
        printf("- %s: %s\n", bench_field_text(in->saved.rows[i], "suite"), label);
    }
}

static int compare(comparison *c)
{
    print_machines(c);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        print_part(c, &parts[i]);
    }
    print_missing(c, &c->before, &c->after);
    print_missing(c, &c->after, &c->before);
    printf(
        "\nRatios are new to old, of rates old to new: above 1 is worse. Noise is the distance "
        "of the least and the most\nround or run, as a part of the median. A time got worse or "
        "better when it changed by more than the noise of both\ntogether and %g %%; bytes and "
        "heap requests, when they changed at all; \"?\" was measured once and is not judged.\n\n",
        c->tolerance);
    printf("%zu values in both: %zu worse, %zu better.\n", c->pairs, c->worse, c->better);
    fflush(stdout);
    if (c->pairs == 0) {
        fprintf(stderr, "cwire-bench: %s and %s have no row in common\n", c->before.saved.path,
                c->after.saved.path);
        return 2;
    }
    return c->worse > 0 ? 1 : 0;
}

int bench_compare(const bench_options *given)
{
    const compare_options *o = given->own;
    comparison c = {.options = given, .tolerance = o->tolerance};
    int code = 2;
    bool opened = open_side(&c.before, o->before);
    if (open_side(&c.after, o->after) && opened) {
        code = compare(&c);
    }
    bench_saved_close(&c.before.saved);
    bench_saved_close(&c.after.saved);
    return code;
}
