/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/page.h"

typedef struct form {
    const char *name, *title;
    unsigned tone;
} form;

static const form forms[] = {
    {"json", "JSON", 1},
    {"json_gzip", "JSON + gzip", 1},
    {"json_brotli", "JSON + brotli", 1},
    {"json_zstd", "JSON + zstd", 1},
    {"binary", "protobuf", 0},
    {"binary_gzip", "protobuf + gzip", 0},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

static void put_table(const page *p, const html_bar *bars, size_t n, double json)
{
    char text[HTML_NUMBER];
    html_table(p->out, "Table", "<form|bytes|of JSON");
    for (size_t i = 0; i < n; i++) {
        fprintf(p->out, "<tr data-row=\"%zu\">", bars[i].row);
        html_cell_text(p->out, bars[i].label);
        html_cell(p->out, "bytes", bars[i].number, html_count(text, bars[i].number));
        fputs("<td>", p->out);
        html_put(p->out, "%s", html_percent(text, bars[i].number / json));
        fputs("</td></tr>\n", p->out);
    }
    html_table_end(p->out);
}

static void put_payload(page *p, const char *payload)
{
    html_bar bars[FORMS];
    size_t n = 0;
    double json = page_number(p, page_find(p, "size", payload, "json", "size"), "bytes");
    double most = json;
    char title[HTML_LABEL], count[HTML_NUMBER], part[HTML_NUMBER];
    for (size_t i = 0; i < FORMS && json > 0; i++) {
        size_t row = page_find(p, "size", payload, forms[i].name, "size");
        double bytes = page_number(p, row, "bytes");
        if (bytes < 0) {
            continue;
        }
        html_bar *bar = &bars[n++];
        *bar = (html_bar){.tone = forms[i].tone,
                          .row = row,
                          .rival = SIZE_MAX,
                          .field = "bytes",
                          .number = bytes};
        snprintf(bar->label, sizeof bar->label, "%s", forms[i].title);
        snprintf(bar->value, sizeof bar->value, i == 0 ? "%s B" : "%s B · %s",
                 html_count(count, bytes), html_percent(part, bytes / json));
        most = bytes > most ? bytes : most;
    }
    if (n == 0) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        bars[i].part = bars[i].number / most;
    }
    fputs("<article class=\"card\"><h3>", p->out);
    html_put(p->out, "%s", payload);
    fputs("</h3>\n", p->out);
    snprintf(title, sizeof title, "Bytes of %s in each form", payload);
    html_chart(p->out, ++p->charts, title,
               "Shorter is smaller. The values stand in the table below.", bars, n, -1);
    put_table(p, bars, n, json);
    fputs("</article>\n", p->out);
}

void page_sizes(page *p)
{
    size_t at = 0;
    const char *payload = page_next_payload(p, "size", NULL, &at);
    fputs("<section id=\"sizes\"><h2>Sizes</h2>\n", p->out);
    if (payload == NULL) {
        fputs("<p class=\"none\">This run measured no sizes (<code>cwire-bench size</code>).</p>"
              "</section>\n",
              p->out);
        return;
    }
    fprintf(p->out,
            "<p>Bytes of the message, and as a part of its JSON. %sSeveral messages are compressed "
            "one by one.</p>\n<div class=\"cards\">\n",
            p->given != NULL ? ""
                             : "A name that ends in <code>_array</code> is the same list without "
                               "the object around it. ");
    for (; payload != NULL; payload = page_next_payload(p, "size", NULL, &at)) {
        put_payload(p, payload);
    }
    fputs("</div>\n", p->out);
    page_command(p, "size", NULL);
    fputs("</section>\n", p->out);
}
