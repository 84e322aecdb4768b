/* SPDX-License-Identifier: MIT */
#include "report/page.h"

#include <errno.h>
#include <string.h>

typedef struct page_options {
    const char *record, *html;
} page_options;

static const page_options defaults = {NULL, NULL};

const bench_own_options bench_page_own = {
    .command = "report",
    .operand = "RESULTS.json",
    .operand_at = offsetof(page_options, record),
    .second = "OUT.html",
    .second_at = offsetof(page_options, html),
    .defaults = &defaults,
    .size = sizeof defaults,
};

static void put_fact(const page *p, const char *name, const char *value)
{
    if (value[0] != '\0') {
        fprintf(p->out, "<dt>%s</dt><dd>", name);
        html_put(p->out, "%s", value);
        fputs("</dd>\n", p->out);
    }
}

static void put_head(const page *p)
{
    const bench_fields *m = p->saved.machine;
    char cpus[HTML_NUMBER] = "", rows[HTML_NUMBER];
    FILE *out = p->out;
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>cwire-bench, ",
          out);
    html_put(out, "%s", bench_field_text(m, "date"));
    fprintf(out, "</title>\n<style>%s</style></head>\n<body><main>\n", page_style);
    fputs("<h1>JSON or protobuf, over which HTTP?</h1>\n<p class=\"lead\">What one and the same "
          "messages weigh as JSON and as protobuf, what it costs to write and read them, and what "
          "is left of that over a socket. Each number was measured by <code>cwire-bench</code> in "
          "one run.</p>\n<dl class=\"facts\">\n",
          out);
    snprintf(cpus, sizeof cpus, "%.10g usable", bench_field_number(m, "cpus"));
    put_fact(p, "Made", bench_field_text(m, "date"));
    put_fact(p, "Processor", bench_field_text(m, "cpu"));
    put_fact(p, "CPUs", bench_field_number(m, "cpus") > 0 ? cpus : "");
    put_fact(p, "System", bench_field_text(m, "system"));
    put_fact(p, "Compiler", bench_field_text(m, "compiler"));
    put_fact(p, "Flags", bench_field_text(m, "flags"));
    put_fact(p, "Libraries", bench_field_text(m, "libraries"));
    for (size_t i = 0; i < p->saved.n_rows; i++) {
        if (bench_field_is(p->saved.rows[i], "table", "environment")) {
            put_fact(p, "Network", bench_field_text(p->saved.rows[i], "libraries"));
            break;
        }
    }
    put_fact(p, "Command", bench_field_text(m, "command"));
    put_fact(p, "Rows", html_count(rows, (double)p->saved.n_rows));
    fputs("</dl>\n", out);
}

static void put_page(page *p)
{
    put_head(p);
    page_verdict(p);
    page_sizes(p);
    page_codec(p);
    page_http(p);
    fputs(
        "<footer><p>Times of the codec are CPU time of the thread, the median of several rounds; "
        "their least and most stand in the tables. Client and server of the transports share the "
        "machine. This page holds what its JSON file holds: <code>cwire-bench report RESULTS.json "
        "OUT.html</code> makes it again.</p></footer>\n</main></body></html>\n",
        p->out);
}

static bool write_page(page *p, const char *html)
{
    char fresh[4096];
    int n = snprintf(fresh, sizeof fresh, "%s.new", html);
    p->out = n > 0 && (size_t)n < sizeof fresh ? fopen(fresh, "w") : NULL;
    if (p->out != NULL) {
        put_page(p);
        bool written = !ferror(p->out);
        if (fclose(p->out) == 0 && written && rename(fresh, html) == 0) {
            return true;
        }
        int code = errno;
        remove(fresh);
        errno = code;
    }
    fprintf(stderr, "cwire-bench: cannot write %s: %s\n", html, strerror(errno));
    return false;
}

static int make_page(const char *record, const char *html)
{
    page p = {.charts = 0};
    int code = 2;
    if (bench_saved_open(&p.saved, record)) {
        const char *command = bench_field_text(p.saved.machine, "command");
        p.given = strstr(command, "--proto") != NULL ? command : NULL;
        code = write_page(&p, html) ? 0 : 1;
    }
    bench_saved_close(&p.saved);
    return code;
}

bool bench_page_write(const char *record, const char *html)
{
    return make_page(record, html) == 0;
}

int bench_page(const bench_options *options)
{
    const page_options *o = options->own;
    return make_page(o->record, o->html);
}
