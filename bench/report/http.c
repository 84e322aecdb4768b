/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/page.h"

/* A chart of the transports: one table of the http suite, a bar for each row without content coding
 * in the placement of the first. */
typedef struct race {
    const char *table, *heading, *text, *title;
    const char *field; /* a bar's length */
    const char *inner; /* percent of it in another tone; NULL: none */
    bool is_rate;
} race;

static const race races[] = {
    {"closed", "As much as goes",
     "Requests a second. The number behind the format is that of sockets (HTTP/1.1) or of requests "
     "in "
     "flight on one connection (HTTP/2). Each message is encoded, decoded, answered, encoded and "
     "decoded.",
     "Requests a second", "req_per_s", NULL, true},
    {"exchange", "One at a time",
     "The median time of a round trip. The part set apart is encoding and decoding at both ends: "
     "the "
     "codec's share, all the rest is transport.",
     "Median round trip and the codec's share", "p50_us", "codec_percent", false},
    {"think", "A handler that takes its time",
     "Milliseconds until all requests are answered by a handler that waits for each. New: every "
     "request opens a connection.",
     "Milliseconds for all requests", "ms_median", NULL, false},
    {"tls", "The same over TLS 1.3",
     "Milliseconds until all requests are answered. New: every request opens a connection; "
     "resumed: "
     "with a TLS session from before.",
     "Milliseconds for all requests over TLS", "ms_median", NULL, false},
};
enum { RACES = sizeof races / sizeof races[0] };

static bool is_row(const page *p, size_t row, const race *r, const char *payload)
{
    return strcmp(page_text(p, row, "suite"), "http") == 0 &&
           strcmp(page_text(p, row, "table"), r->table) == 0 &&
           strcmp(page_text(p, row, "payload"), payload) == 0;
}

static void label(const page *p, size_t row, const race *r, html_bar *bar)
{
    const char *tls = page_text(p, row, "tls");
    char kind[64], value[HTML_NUMBER];
    double connections = page_number(p, row, "connections");
    const char *tls_name = strcmp(tls, "none") == 0 ? "" : tls;
    bool names_form = r->is_rate || r->inner != NULL;
    const char *sockets = connections <= 1 ? "in flight" : "sockets";
    if (page_number(p, row, "keep_alive") == 0) {
        bool resumes = tls_name[0] != '\0' && page_number(p, row, "resumption") > 0;
        sockets = resumes ? "resumed" : "new";
    }
    snprintf(kind, sizeof kind, " · %.10g %s", page_number(p, row, "in_flight"),
             r->is_rate ? "" : sockets);
    snprintf(bar->label, sizeof bar->label, "%s%s%s%s%s%s", page_text(p, row, "transport"),
             tls_name[0] != '\0' ? " " : "", tls_name, names_form ? " · " : "",
             names_form ? page_text(p, row, "form") : "", r->inner != NULL ? "" : kind);
    double share = r->inner != NULL ? page_number(p, row, r->inner) : -1;
    double scale = strcmp(r->field, "p50_us") == 0 ? 1e3 : 1e6;
    if (r->is_rate) {
        html_count(bar->value, bar->number);
    } else if (share >= 0) {
        snprintf(bar->value, sizeof bar->value, "%s", html_time(value, bar->number * scale));
        size_t len = strlen(bar->value);
        snprintf(bar->value + len, sizeof bar->value - len, " · %s",
                 html_percent(value, share / 100));
        bar->inner = share / 100;
    } else {
        snprintf(bar->value, sizeof bar->value, "%s", html_time(value, bar->number * scale));
    }
}

static size_t collect(const page *p, const race *r, const char *payload, html_bar *bars)
{
    size_t n = 0;
    double most = 0;
    const char *placement = NULL;
    for (size_t i = 0; i < p->saved.n_rows && n < PAGE_BARS; i++) {
        double v = page_number(p, i, r->field);
        if (!is_row(p, i, r, payload) || v <= 0 ||
            strcmp(page_text(p, i, "coding"), "identity") != 0) {
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
        label(p, i, r, &bars[n++]);
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
    {"connections", 0},   {"in_flight", 0},     {"ms_median", 2},        {"ms_min", 2},
    {"ms_max", 2},        {"req_per_s", 0},     {"p50_us", 1},           {"p99_us", 1},
    {"client_cpu_us", 1}, {"server_cpu_us", 1}, {"message_bytes_up", 0}, {"socket_bytes_up", 0},
    {"codec_percent", 1}, {"failed", 0},
};
static const char headings[] =
    "<transport|<TLS|<form|<coding|<article|<nginx|sockets|in flight|ms|least|most|requests/s|"
    "p50 µs|p99 µs|client CPU µs|server CPU µs|message bytes|socket bytes|codec %|failed";

static void put_table(const page *p, const race *r, const char *payload)
{
    static const char *const words[] = {"transport", "tls",     "form",
                                        "coding",    "article", "reference"};
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

static void put_race(page *p, const race *r)
{
    size_t at = 0;
    char text[HTML_LABEL];
    const char *payload = page_next_payload(p, "http", r->table, &at);
    if (payload == NULL) {
        return;
    }
    fprintf(p->out, "<h3 class=\"race\">%s</h3><p>%s</p>\n<div class=\"cards\">\n", r->heading,
            r->text);
    for (; payload != NULL; payload = page_next_payload(p, "http", r->table, &at)) {
        html_bar bars[PAGE_BARS];
        size_t n = collect(p, r, payload, bars);
        fputs("<article class=\"card\"><h3>", p->out);
        html_put(p->out, "%s", payload);
        fputs("</h3>\n", p->out);
        if (n > 0) {
            snprintf(text, sizeof text, "%s: %s", r->title, payload);
            html_chart(p->out, ++p->charts, text,
                       r->is_rate ? "Longer is more." : "Shorter is faster.", bars, n, -1);
        }
        put_table(p, r, payload);
        fputs("</article>\n", p->out);
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
