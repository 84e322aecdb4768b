/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/page.h"

typedef struct job {
    const char *op, *title;
    unsigned tone;
} job;

static const job jobs[] = {
    {"encode", "encode", 0},
    {"decode_copy", "decode, copying", 0},
    {"decode_alias", "decode, aliasing", 0},
    {"json_print", "JSON print", 1},
    {"json_parse", "JSON parse", 1},
};
enum { JOBS = sizeof jobs / sizeof jobs[0] };

static double ratio_of(const page *p, const char *payload, const char *op, size_t *row,
                       size_t *rival)
{
    *row = page_find(p, "codec", payload, "cwire", op);
    *rival = page_rival(p, payload, op);
    double ours = page_number(p, *row, "ns_median");
    return *rival != PAGE_NONE && ours > 0 ? page_number(p, *rival, "ns_median") / ours : 0;
}

static double most_of_all(const page *p)
{
    size_t at = 0, row, rival;
    double most = 1;
    for (const char *s; (s = page_next_payload(p, "codec", NULL, &at)) != NULL;) {
        for (size_t i = 0; i < JOBS; i++) {
            double ratio = ratio_of(p, s, jobs[i].op, &row, &rival);
            most = ratio > most ? ratio : most;
        }
    }
    return most;
}

static void put_cell(const page *p, size_t row, const char *field, bool is_time)
{
    char text[HTML_NUMBER];
    double v = page_number(p, row, field);
    if (is_time) {
        html_cell(p->out, field, v, html_time(text, v));
    } else if (v >= 0 && v < 1e15 && v == (double)(long long)v) {
        html_cell(p->out, field, v, html_count(text, v));
    } else {
        snprintf(text, sizeof text, "%.1f", v);
        html_cell(p->out, field, v, text);
    }
}

static void put_table(const page *p, const char *payload)
{
    html_table(p->out, "Times of all operations",
               "<contender|<operation|median|least|most|bytes|MB/s|heap requests|heap bytes");
    for (size_t i = 0; i < p->saved.n_rows; i++) {
        if (strcmp(page_text(p, i, "suite"), "codec") != 0 ||
            strcmp(page_text(p, i, "payload"), payload) != 0) {
            continue;
        }
        fprintf(p->out, "<tr data-row=\"%zu\">", i);
        html_cell_text(p->out, page_text(p, i, "contender"));
        html_cell_text(p->out, page_text(p, i, "op"));
        put_cell(p, i, "ns_median", true);
        put_cell(p, i, "ns_min", true);
        put_cell(p, i, "ns_max", true);
        put_cell(p, i, "bytes", false);
        put_cell(p, i, "mb_per_s", false);
        put_cell(p, i, "allocs", false);
        put_cell(p, i, "alloc_bytes", false);
        fputs("</tr>\n", p->out);
    }
    html_table_end(p->out);
}

/* How many times faster, for the jobs that somebody else does as well. */
static size_t compare_bars(const page *p, const char *payload, double most, html_bar *bars)
{
    size_t n = 0, row, rival;
    char times[HTML_NUMBER], time[HTML_NUMBER];
    for (size_t i = 0; i < JOBS; i++) {
        double ratio = ratio_of(p, payload, jobs[i].op, &row, &rival);
        if (ratio <= 0) {
            continue;
        }
        html_bar *bar = &bars[n++];
        *bar = (html_bar){.part = ratio / most,
                          .tone = jobs[i].tone,
                          .row = row,
                          .rival = rival,
                          .field = "ratio",
                          .number = ratio};
        snprintf(bar->label, sizeof bar->label, "%s · %s", jobs[i].title,
                 html_time(time, page_number(p, row, "ns_median")));
        snprintf(bar->value, sizeof bar->value, "%s %s", html_times(times, ratio),
                 page_text(p, rival, "contender"));
    }
    return n;
}

/* cwire's times for the others. */
static size_t time_bars(const page *p, const char *payload, html_bar *bars)
{
    size_t n = 0;
    double most = 0;
    char time[HTML_NUMBER];
    for (size_t i = 0; i < JOBS; i++) {
        size_t row, rival;
        bool is_compared = ratio_of(p, payload, jobs[i].op, &row, &rival) > 0;
        double ns = page_number(p, row, "ns_median");
        if (is_compared || ns <= 0) {
            continue;
        }
        html_bar *bar = &bars[n++];
        *bar = (html_bar){.tone = jobs[i].tone,
                          .row = row,
                          .rival = SIZE_MAX,
                          .field = "ns_median",
                          .number = ns};
        snprintf(bar->label, sizeof bar->label, "%s", jobs[i].title);
        snprintf(bar->value, sizeof bar->value, "%s", html_time(time, ns));
        most = ns > most ? ns : most;
    }
    for (size_t i = 0; i < n; i++) {
        bars[i].part = bars[i].number / most;
    }
    return n;
}

static void put_payload(page *p, const char *payload, double most)
{
    html_bar bars[JOBS];
    char text[HTML_LABEL];
    size_t n = compare_bars(p, payload, most, bars);
    fputs("<article class=\"card\"><h3>", p->out);
    html_put(p->out, "%s", payload);
    fputs("</h3>\n", p->out);
    if (n > 0) {
        snprintf(text, sizeof text, "%s: how many times faster cwire is", payload);
        html_chart(p->out, ++p->charts, text,
                   "Than the fastest C library at the same job, which is named. The line is 1, as "
                   "fast as that library.",
                   bars, n, 1 / most);
    }
    n = time_bars(p, payload, bars);
    if (n > 0) {
        fputs("<p>No other C library takes part in these: cwire's times alone.</p>\n", p->out);
        snprintf(text, sizeof text, "%s: cwire's time for one operation", payload);
        html_chart(p->out, ++p->charts, text, "Shorter is faster.", bars, n, -1);
    }
    put_table(p, payload);
    snprintf(text, sizeof text, "%s/", payload);
    page_command(p, "codec", text);
    fputs("</article>\n", p->out);
}

void page_codec(page *p)
{
    size_t at = 0;
    const char *payload = page_next_payload(p, "codec", NULL, &at);
    fputs("<section id=\"codec\"><h2>Codec</h2>\n", p->out);
    if (payload == NULL) {
        fputs("<p class=\"none\">This run raced no codecs (<code>cwire-bench codec</code>).</p>"
              "</section>\n",
              p->out);
        return;
    }
    fputs("<p>cwire's time for one operation, and how many times faster that is than the fastest C "
          "library at the same job (of decoding: the faster of malloc and a bump allocator), by "
          "shape of message. Bars of all shapes have one scale; the line marks 1×.</p>\n"
          "<div class=\"cards\">\n",
          p->out);
    double most = most_of_all(p);
    for (; payload != NULL; payload = page_next_payload(p, "codec", NULL, &at)) {
        put_payload(p, payload, most);
    }
    fputs("</div></section>\n", p->out);
}
