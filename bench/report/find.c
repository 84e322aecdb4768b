/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/page.h"

const char *page_text(const page *p, size_t row, const char *field)
{
    return row == PAGE_NONE ? "" : bench_field_text(p->saved.rows[row], field);
}

double page_number(const page *p, size_t row, const char *field)
{
    return row == PAGE_NONE ? -1 : bench_field_number(p->saved.rows[row], field);
}

static bool is_of(const page *p, size_t row, const char *suite, const char *table)
{
    return strcmp(page_text(p, row, "suite"), suite) == 0 &&
           (table == NULL || strcmp(page_text(p, row, "table"), table) == 0);
}

const char *page_next_payload(const page *p, const char *suite, const char *table, size_t *at)
{
    for (; *at < p->saved.n_rows; ++*at) {
        const char *payload = page_text(p, *at, "payload");
        bool is_new = payload[0] != '\0' && is_of(p, *at, suite, table);
        for (size_t i = 0; is_new && i < *at; i++) {
            is_new = !is_of(p, i, suite, table) || strcmp(page_text(p, i, "payload"), payload) != 0;
        }
        if (is_new) {
            ++*at;
            return payload;
        }
    }
    return NULL;
}

size_t page_find(const page *p, const char *suite, const char *payload, const char *contender,
                 const char *op)
{
    for (size_t i = 0; i < p->saved.n_rows; i++) {
        const bench_fields *row = p->saved.rows[i];
        if (bench_field_is(row, "suite", suite) && bench_field_is(row, "payload", payload) &&
            bench_field_is(row, "contender", contender) && bench_field_is(row, "op", op)) {
            return i;
        }
    }
    return PAGE_NONE;
}

size_t page_find_http(const page *p, const page_case *c)
{
    size_t best = PAGE_NONE;
    for (size_t i = 0; i < p->saved.n_rows; i++) {
        const bench_fields *row = p->saved.rows[i];
        if (bench_field_is(row, "table", c->table) && bench_field_is(row, "payload", c->payload) &&
            bench_field_is(row, "transport", c->transport) && bench_field_is(row, "tls", c->tls) &&
            bench_field_is(row, "form", c->form) && bench_field_is(row, "coding", "identity") &&
            (best == PAGE_NONE ||
             page_number(p, i, "in_flight") > page_number(p, best, "in_flight"))) {
            best = i;
        }
    }
    return best;
}

/* Ours are none; C++ libraries and what is no library are shown and are none either. */
static bool is_yardstick(const char *contender)
{
    static const char *const others[] = {"protobuf-c++", "rapidjson", "simdjson", "naive"};
    bool counts = strncmp(contender, "cwire", 5) != 0;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        counts = counts && strcmp(contender, others[i]) != 0;
    }
    return counts;
}

size_t page_rival(const page *p, const char *payload, const char *op)
{
    size_t best = PAGE_NONE;
    for (size_t i = 0; i < p->saved.n_rows; i++) {
        const char *theirs = page_text(p, i, "op");
        bool decodes = strncmp(op, "decode", 6) == 0 && strncmp(theirs, "decode", 6) == 0;
        if (!is_of(p, i, "codec", NULL) || strcmp(page_text(p, i, "payload"), payload) != 0 ||
            !is_yardstick(page_text(p, i, "contender")) || (!decodes && strcmp(op, theirs) != 0) ||
            page_number(p, i, "ns_median") <= 0) {
            continue;
        }
        if (best == PAGE_NONE ||
            page_number(p, i, "ns_median") < page_number(p, best, "ns_median")) {
            best = i;
        }
    }
    return best;
}

void page_command(const page *p, const char *subcommand, const char *filter)
{
    char text[1024];
    if (p->given != NULL) {
        html_command(p->out, p->given);
        return;
    }
    int n =
        snprintf(text, 512, "cwire-bench %s%s", subcommand, filter != NULL ? " --filter '" : "");
    for (const char *c = filter; c != NULL && *c != '\0' && n < 1000; c++) {
        n += snprintf(text + n, sizeof text - (size_t)n, *c == '\'' ? "'\\''" : "%c", *c);
    }
    snprintf(text + n, sizeof text - (size_t)n, "%s", filter != NULL ? "'" : "");
    html_command(p->out, text);
}
