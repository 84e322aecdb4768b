/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/page.h"

/* How a chart's bars are named, and what their length is. */
typedef enum bars_of {
    OF_RATE,      /* requests a second */
    OF_SHARE,     /* a round trip, and the codec's part of it */
    OF_RUNS,      /* milliseconds of a run */
    OF_LOAD,      /* the 99th percentile at a part of the capacity, and the median in it */
    OF_HANDSHAKE, /* a connection is opened */
    OF_ECHO       /* the same without HTTP */
} bars_of;

/* A chart of the transports: one table of the http suite, a bar for each row without content coding
 * in the placement of the first. */
typedef struct race {
    const char *table, *heading, *text, *title;
    bars_of kind;
    const char *field; /* a bar's length */
    const char *card;  /* the heading of its only card; NULL: one for each payload */
} race;

static const race races[] = {
    {"closed", "As much as goes",
     "Requests a second. The number behind the format is that of sockets (HTTP/1.1) or of requests "
     "in flight on one connection (HTTP/2). Each message is encoded, decoded, answered, encoded "
     "and decoded.",
     "Requests a second", OF_RATE, "req_per_s", NULL},
    {"exchange", "One at a time",
     "The median time of a round trip. The part set apart is encoding and decoding at both ends: "
     "the codec's share, all the rest is transport.",
     "Median round trip and the codec's share", OF_SHARE, "p50_us", NULL},
    {"open", "Under load",
     "Requests leave at fixed times, whether answers have come or not: so many a second, which is "
     "that percentage of what goes with many in flight. Half of the answers are there within the "
     "part set apart, 99 % within the bar.",
     "Latency by load: 99th percentile, and the median in it", OF_LOAD, "p99_us", NULL},
    {"think", "A handler that takes its time",
     "Milliseconds until all requests are answered by a handler that waits for each. New: every "
     "request opens a connection.",
     "Milliseconds for all requests", OF_RUNS, "ms_median", NULL},
    {"tls", "The same over TLS 1.3",
     "Milliseconds until all requests are answered. New: every request opens a connection; "
     "resumed: with a TLS session from before.",
     "Milliseconds for all requests over TLS", OF_RUNS, "ms_median", NULL},
    {"handshake", "Opening a connection",
     "The median time from the first packet until requests may leave, without TLS and with each "
     "kind of key. Resumed: with a TLS session from before.",
     "Median time to open a connection", OF_HANDSHAKE, "p50_us", "connect"},
    {"echo", "The floor",
     "Round trips a second of the same number of bytes on bare sockets: no HTTP, no codec.",
     "Round trips a second without HTTP", OF_ECHO, "req_per_s", "echo"},
};
enum { RACES = sizeof races / sizeof races[0] };

static bool is_row(const page *p, size_t row, const race *r, const char *payload)
{
    return strcmp(page_text(p, row, "suite"), "http") == 0 &&
           strcmp(page_text(p, row, "table"), r->table) == 0 &&
           strcmp(page_text(p, row, "payload"), payload) == 0;
}

/* "HTTP/2 P-256" */
static const char *transport_of(const page *p, size_t row, char *buf, size_t cap)
{
    const char *tls = page_text(p, row, "tls");
    bool is_plain = strcmp(tls, "none") == 0;
    snprintf(buf, cap, "%s%s%s", page_text(p, row, "transport"), is_plain ? "" : " ",
             is_plain ? "" : tls);
    return buf;
}

/* What the number of connections stands for. */
static const char *sockets_of(const page *p, size_t row)
{
    if (page_number(p, row, "keep_alive") == 0) {
        bool has_tls = strcmp(page_text(p, row, "tls"), "none") != 0;
        return has_tls && page_number(p, row, "resumption") > 0 ? "resumed" : "new";
    }
    return page_number(p, row, "connections") <= 1 ? "in flight" : "sockets";
}

static void put_label(const page *p, size_t row, const race *r, html_bar *bar)
{
    char transport[64];
    char *out = bar->label;
    const size_t cap = sizeof bar->label;
    const char *form = page_text(p, row, "form"), *tls = page_text(p, row, "tls");
    double in_flight = page_number(p, row, "in_flight");
    transport_of(p, row, transport, sizeof transport);
    switch (r->kind) {
    case OF_RATE:
        snprintf(out, cap, "%s · %s · %.10g", transport, form, in_flight);
        break;
    case OF_SHARE:
        snprintf(out, cap, "%s · %s", transport, form);
        break;
    case OF_RUNS:
        snprintf(out, cap, "%s · %.10g %s", transport, in_flight, sockets_of(p, row));
        break;
    case OF_LOAD:
        snprintf(out, cap, "%s · %.10g %%", transport, page_number(p, row, "capacity_percent"));
        break;
    case OF_HANDSHAKE:
        snprintf(out, cap, "%s%s", strcmp(tls, "none") == 0 ? "no TLS" : tls,
                 page_number(p, row, "resumption") > 0 ? " · resumed" : "");
        break;
    case OF_ECHO:
        snprintf(out, cap, "%.10g %s", page_number(p, row, "connections"),
                 page_number(p, row, "connections") > 1 ? "sockets" : "socket");
        break;
    }
}

static void put_value(const page *p, size_t row, const race *r, html_bar *bar)
{
    char text[HTML_NUMBER], other[HTML_NUMBER];
    char *out = bar->value;
    const size_t cap = sizeof bar->value;
    double share = page_number(p, row, "codec_percent") / 100, p50 = page_number(p, row, "p50_us");
    switch (r->kind) {
    case OF_RATE:
    case OF_ECHO:
        snprintf(out, cap, "%s", html_count(text, bar->number));
        break;
    case OF_RUNS:
        snprintf(out, cap, "%s", html_time(text, bar->number * 1e6));
        break;
    case OF_HANDSHAKE:
        snprintf(out, cap, "%s", html_time(text, bar->number * 1e3));
        break;
    case OF_SHARE:
        bar->inner = share >= 0 ? share : 0;
        snprintf(out, cap, share >= 0 ? "%s · %s" : "%s", html_time(text, bar->number * 1e3),
                 html_percent(other, share));
        break;
    case OF_LOAD:
        bar->inner = p50 > 0 ? p50 / bar->number : 0;
        snprintf(out, cap, "%s · %s", html_time(text, p50 * 1e3),
                 html_time(other, bar->number * 1e3));
        break;
    }
}

static size_t collect(const page *p, const race *r, const char *payload, html_bar *bars)
{
    size_t n = 0;
    double most = 0;
    const char *placement = NULL;
    for (size_t i = 0; i < p->saved.n_rows && n < PAGE_BARS; i++) {
        double v = page_number(p, i, r->field);
        const char *coding = page_text(p, i, "coding");
        if (!is_row(p, i, r, payload) || v <= 0 ||
            (coding[0] != '\0' && strcmp(coding, "identity") != 0)) {
            continue;
        }
        placement = placement != NULL ? placement : page_text(p, i, "placement");
        if (strcmp(placement, page_text(p, i, "placement")) != 0) {
            continue;
        }
        bars[n] = (html_bar){.tone = strcmp(page_text(p, i, "form"), "json") == 0,
                             .row = i,
                             .rival = SIZE_MAX,
                             .field = r->field,
                             .number = v};
        put_label(p, i, r, &bars[n]);
        put_value(p, i, r, &bars[n++]);
        most = v > most ? v : most;
    }
    for (size_t i = 0; i < n; i++) {
        bars[i].part = bars[i].number / most;
    }
    return n;
}

/* A number of a row, and how many digits after the point are shown. */
typedef struct column {
    const char *field;
    int decimals;
} column;

static const column columns[] = {
    {"connections", 0},   {"in_flight", 0},        {"capacity_percent", 0},
    {"offered_per_s", 0}, {"ms_median", 2},        {"ms_min", 2},
    {"ms_max", 2},        {"req_per_s", 0},        {"p50_us", 1},
    {"p99_us", 1},        {"max_us", 1},           {"client_cpu_us", 1},
    {"server_cpu_us", 1}, {"message_bytes_up", 0}, {"socket_bytes_up", 0},
    {"codec_percent", 1}, {"failed", 0},           {"late", 0},
};
static const char headings[] =
    "<transport|<TLS|<form|<coding|<placement|<article|<nginx|sockets|in flight|load "
    "%|due/s|ms|least|most|"
    "requests/s|p50 µs|p99 µs|max µs|client CPU µs|server CPU µs|message bytes|socket bytes|"
    "codec %|failed|late";

static void put_table(const page *p, const race *r, const char *payload)
{
    static const char *const words[] = {"transport", "tls",     "form",     "coding",
                                        "placement", "article", "reference"};
    html_table(p->out, "Table, with content codings", headings);
    for (size_t i = 0; i < p->saved.n_rows; i++) {
        if (!is_row(p, i, r, payload)) {
            continue;
        }
        fprintf(p->out, "<tr data-row=\"%zu\">", i);
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
            const char *text = page_text(p, i, words[k]);
            html_cell_text(p->out, text[0] != '\0' ? text : "–");
        }
        for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
            char text[HTML_NUMBER];
            double v = page_number(p, i, columns[k].field);
            if (columns[k].decimals == 0) {
                html_count(text, v);
            } else {
                snprintf(text, sizeof text, "%.*f", columns[k].decimals, v);
            }
            html_cell(p->out, columns[k].field, v, text);
        }
        fputs("</tr>\n", p->out);
    }
    html_table_end(p->out);
}

static void put_card(page *p, const race *r, const char *payload)
{
    html_bar bars[PAGE_BARS];
    char text[HTML_LABEL];
    size_t n = collect(p, r, payload, bars);
    bool is_rate = r->kind == OF_RATE || r->kind == OF_ECHO;
    fputs("<article class=\"card\"><h3>", p->out);
    html_put(p->out, "%s", r->card != NULL ? r->card : payload);
    fputs("</h3>\n", p->out);
    if (n > 0) {
        snprintf(text, sizeof text, "%s%s%s", r->title, r->card != NULL ? "" : ": ", payload);
        html_chart(p->out, ++p->charts, text, is_rate ? "Longer is more." : "Shorter is faster.",
                   bars, n, -1);
    }
    put_table(p, r, payload);
    fputs("</article>\n", p->out);
}

static bool has_rows(const page *p, const race *r)
{
    for (size_t i = 0; i < p->saved.n_rows; i++) {
        if (is_row(p, i, r, "")) {
            return true;
        }
    }
    return false;
}

static void put_race(page *p, const race *r)
{
    size_t at = 0;
    char text[HTML_LABEL];
    const char *payload = r->card == NULL  ? page_next_payload(p, "http", r->table, &at)
                          : has_rows(p, r) ? ""
                                           : NULL;
    if (payload == NULL) {
        return;
    }
    fprintf(p->out, "<h3 class=\"race\">%s</h3><p>%s</p>\n<div class=\"cards\">\n", r->heading,
            r->text);
    while (payload != NULL) {
        put_card(p, r, payload);
        payload = r->card == NULL ? page_next_payload(p, "http", r->table, &at) : NULL;
    }
    fputs("</div>\n", p->out);
    snprintf(text, sizeof text, "%s/", r->table);
    page_command(p, "http", text);
}

void page_http(page *p)
{
    size_t at = 0;
    fputs("<section id=\"transports\"><h2>Transports</h2>\n", p->out);
    if (page_next_payload(p, "http", NULL, &at) == NULL) {
        fputs(
            "<p class=\"none\">This run sent nothing over sockets (<code>cwire-bench http</code>)."
            "</p></section>\n",
            p->out);
        return;
    }
    fputs("<p>The same messages through cwire's own server and client, on one machine.</p>\n",
          p->out);
    for (size_t i = 0; i < RACES; i++) {
        put_race(p, &races[i]);
    }
    fputs("</section>\n", p->out);
}
