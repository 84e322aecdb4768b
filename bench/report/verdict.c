/* SPDX-License-Identifier: MIT */
/* The record in sentences. Each is put together from rows and left out where one is missing. */
#include <string.h>

#include "report/page.h"

/* Below this, two rates are called alike: one window on a shared machine says no more. */
static const double alike = 1.05;

static void begin(const page *p)
{
    fputs("<li>", p->out);
}

static void end(const page *p)
{
    fputs("</li>\n", p->out);
}

/* "For one," with the name set apart. */
static void put_for(const page *p, const char *payload)
{
    fputs("For <b>", p->out);
    html_put(p->out, "%s", payload);
    fputs("</b> ", p->out);
}

static void say_size(const page *p, const char *payload)
{
    static const char *const forms[][2] = {{"json", "JSON"},
                                           {"json_gzip", "JSON with gzip"},
                                           {"json_brotli", "JSON with brotli"},
                                           {"json_zstd", "JSON with zstd"},
                                           {"binary", "protobuf"},
                                           {"binary_gzip", "protobuf with gzip"}};
    double json = page_number(p, page_find(p, "size", payload, "json", "size"), "bytes");
    double binary = page_number(p, page_find(p, "size", payload, "binary", "size"), "bytes");
    double zipped = page_number(p, page_find(p, "size", payload, "json_gzip", "size"), "bytes");
    double least = -1;
    const char *smallest = "";
    char a[HTML_NUMBER], b[HTML_NUMBER], c[HTML_NUMBER];
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        double v = page_number(p, page_find(p, "size", payload, forms[i][0], "size"), "bytes");
        if (v >= 0 && (least < 0 || v < least)) {
            least = v;
            smallest = forms[i][1];
        }
    }
    if (json <= 0 || binary < 0) {
        return;
    }
    begin(p);
    put_for(p, payload);
    html_put(p->out, "protobuf takes %s of JSON's bytes (%s instead of %s)",
             html_percent(a, binary / json), html_count(b, binary), html_count(c, json));
    if (zipped >= 0) {
        html_put(p->out, "; gzip alone makes the JSON %s than protobuf as it is",
                 zipped < binary   ? "smaller"
                 : zipped > binary ? "smaller, though still larger"
                                   : "no larger");
    }
    html_put(p->out, ". The smallest is %s with %s bytes.", smallest, html_count(a, least));
    end(p);
}

/* The least and the most of a number over all payloads of a suite. */
typedef struct span {
    double least, most;
    const char *at_least, *at_most;
} span;

static span span_of(const page *p, const char *suite, const char *op,
                    double (*of)(const page *, const char *payload, const char *op))
{
    span s = {-1, -1, "", ""};
    size_t at = 0;
    for (const char *w; (w = page_next_payload(p, suite, NULL, &at)) != NULL;) {
        double v = of(p, w, op);
        if (v > 0 && (s.least < 0 || v < s.least)) {
            s.least = v;
            s.at_least = w;
        }
        if (v > s.most) {
            s.most = v;
            s.at_most = w;
        }
    }
    return s;
}

static void put_span(const page *p, const span *s, const char *(*shown)(char *buf, double v))
{
    char a[HTML_NUMBER], b[HTML_NUMBER];
    if (s->at_least == s->at_most && p->given != NULL) { /* there is but one message */
        html_put(p->out, "%s", shown(a, s->least));
    } else if (s->at_least == s->at_most) {
        html_put(p->out, "%s (%s)", shown(a, s->least), s->at_least);
    } else {
        html_put(p->out, "%s (%s) to %s (%s)", shown(a, s->least), s->at_least, shown(b, s->most),
                 s->at_most);
    }
}

static double time_of(const page *p, const char *payload, const char *op)
{
    return page_number(p, page_find(p, "codec", payload, "cwire", op), "ns_median");
}

static double times_faster(const page *p, const char *payload, const char *op)
{
    double ours = time_of(p, payload, op);
    double theirs = page_number(p, page_rival(p, payload, op), "ns_median");
    return ours > 0 && theirs > 0 ? theirs / ours : -1;
}

/* JSON's time to protobuf's, both written and read by cwire. */
static double json_to_binary(const page *p, const char *payload, const char *op)
{
    double json[] = {time_of(p, payload, "json_print"), time_of(p, payload, "json_parse")};
    double binary[] = {time_of(p, payload, "encode"), time_of(p, payload, "decode_copy")};
    (void)op;
    return json[0] > 0 && json[1] > 0 && binary[0] > 0 && binary[1] > 0
               ? (json[0] + json[1]) / (binary[0] + binary[1])
               : -1;
}

static double bytes_to_json(const page *p, const char *payload, const char *form)
{
    double json = page_number(p, page_find(p, "size", payload, "json", "size"), "bytes");
    double bytes = page_number(p, page_find(p, "size", payload, form, "size"), "bytes");
    return json > 0 && bytes > 0 ? bytes / json : -1;
}

static void say_codec(const page *p)
{
    static const char *const jobs[][2] = {{"encode", "Encoding"},
                                          {"decode_copy", "Decoding"},
                                          {"json_print", "Printing JSON"},
                                          {"json_parse", "Parsing JSON"}};
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        span s = span_of(p, "codec", jobs[i][0], times_faster);
        if (s.least > 0) {
            begin(p);
            html_put(p->out, "%s, cwire is ", jobs[i][1]);
            put_span(p, &s, html_times);
            fputs(" as fast as the fastest C library.", p->out);
            end(p);
        }
    }
    span s = span_of(p, "codec", "", json_to_binary);
    if (s.least > 0) {
        begin(p);
        fputs("Writing and reading JSON takes cwire ", p->out);
        put_span(p, &s, html_times);
        fputs(" the time of protobuf.", p->out);
        end(p);
    }
}

static void say_bytes(const page *p)
{
    static const char *const forms[][2] = {{"binary", "Protobuf"},
                                           {"json_gzip", "JSON with gzip"},
                                           {"binary_gzip", "Protobuf with gzip"}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        span s = span_of(p, "size", forms[i][0], bytes_to_json);
        if (s.least > 0) {
            begin(p);
            html_put(p->out, "%s takes ", forms[i][1]);
            put_span(p, &s, html_percent);
            fputs(" of JSON's bytes.", p->out);
            end(p);
        }
    }
}

/* What the form costs where cwire does both. */
static void say_forms(const page *p, const char *payload)
{
    double sum[2] = {time_of(p, payload, "encode") + time_of(p, payload, "decode_copy"),
                     time_of(p, payload, "json_print") + time_of(p, payload, "json_parse")};
    char a[HTML_NUMBER], b[HTML_NUMBER], c[HTML_NUMBER];
    if (json_to_binary(p, payload, "") <= 0) {
        return;
    }
    begin(p);
    put_for(p, payload);
    html_put(p->out,
             "writing and reading once takes %s as protobuf and %s as JSON: ", html_time(a, sum[0]),
             html_time(b, sum[1]));
    bool json_wins = sum[1] < sum[0];
    html_put(p->out, "%s is %s faster.", json_wins ? "JSON" : "protobuf",
             html_times(c, json_wins ? sum[0] / sum[1] : sum[1] / sum[0]));
    end(p);
}

/* "29 % more than", "as many as" ... */
static void put_relation(const page *p, double a, double b)
{
    char text[HTML_NUMBER];
    double r = a / b;
    if (r < alike && r > 1 / alike) {
        fputs("about as many as", p->out);
    } else if (r >= 2) {
        html_put(p->out, "%s as many as", html_times(text, r));
    } else {
        html_put(p->out, "%s %s than", html_percent(text, r > 1 ? r - 1 : 1 - r),
                 r > 1 ? "more" : "fewer");
    }
}

static double rate(const page *p, const page_case *c)
{
    return page_number(p, page_find_http(p, c), "req_per_s");
}

static void say_rate(const page *p, const char *payload)
{
    char a[HTML_NUMBER], b[HTML_NUMBER];
    page_case c = {"closed", payload, "HTTP/2", "none", "json"};
    double json2 = rate(p, &c);
    c.form = "protobuf";
    double binary2 = rate(p, &c);
    c.transport = "HTTP/1.1";
    double binary1 = rate(p, &c);
    c.form = "json";
    double json1 = rate(p, &c);
    if (json2 <= 0 || binary2 <= 0 || json1 <= 0 || binary1 <= 0) {
        return;
    }
    begin(p);
    put_for(p, payload);
    html_put(p->out,
             "and %.10g in flight JSON over HTTP/2 gets %s requests a second, protobuf over HTTP/2 "
             "%s: ",
             page_number(p, page_find_http(p, &c), "in_flight"), html_count(a, json2),
             html_count(b, binary2));
    put_relation(p, binary2, json2);
    fputs(" JSON. JSON over HTTP/2 gets ", p->out);
    put_relation(p, json2, json1);
    html_put(p->out, " JSON over HTTP/1.1 (%s). ", html_count(a, json1));
    double form = binary1 > json1 ? binary1 / json1 : json1 / binary1;
    double transport = json2 > json1 ? json2 / json1 : json1 / json2;
    if (form < alike && transport < alike) {
        fputs("Neither matters here.", p->out);
    } else {
        html_put(p->out, "Here the %s matters more (%s; the %s %s).",
                 transport > form ? "transport" : "format",
                 html_times(a, transport > form ? transport : form),
                 transport > form ? "format" : "transport",
                 html_times(b, transport > form ? form : transport));
    }
    end(p);
}

static void say_share(const page *p, const char *payload)
{
    double least[2] = {-1, -1}, most[2] = {-1, -1};
    char a[HTML_NUMBER], b[HTML_NUMBER];
    for (size_t i = 0; i < p->saved.n_rows; i++) {
        double v = page_number(p, i, "codec_percent");
        if (v < 0 || strcmp(page_text(p, i, "payload"), payload) != 0) {
            continue;
        }
        int k = strcmp(page_text(p, i, "form"), "json") == 0;
        least[k] = least[k] < 0 || v < least[k] ? v : least[k];
        most[k] = v > most[k] ? v : most[k];
    }
    if (least[0] < 0 || least[1] < 0) {
        return;
    }
    begin(p);
    put_for(p, payload);
    html_put(p->out, "encoding and decoding at both ends are %s to %s of a round trip as protobuf",
             html_percent(a, least[0] / 100), html_percent(b, most[0] / 100));
    html_put(p->out, ", %s to %s as JSON; the rest is transport.", html_percent(a, least[1] / 100),
             html_percent(b, most[1] / 100));
    end(p);
}

/* The first row of an http table that has this text and this number; PAGE_NONE: none. */
static size_t find_where(const page *p, const char *table, const char *text_field, const char *text,
                         const char *number_field, double number)
{
    for (size_t i = 0; i < p->saved.n_rows; i++) {
        if (strcmp(page_text(p, i, "table"), table) == 0 &&
            strcmp(page_text(p, i, text_field), text) == 0 &&
            page_number(p, i, number_field) == number) {
            return i;
        }
    }
    return PAGE_NONE;
}

/* Of the open loop's first transport. */
static double tail_at(const page *p, const char *payload, double percent)
{
    return page_number(p, find_where(p, "open", "payload", payload, "capacity_percent", percent),
                       "p99_us");
}

static void say_load(const page *p, const char *payload)
{
    size_t row = find_where(p, "open", "payload", payload, "capacity_percent", 50);
    double half = tail_at(p, payload, 50), most = tail_at(p, payload, 90);
    char a[HTML_NUMBER], b[HTML_NUMBER];
    if (half <= 0 || most <= 0) {
        return;
    }
    begin(p);
    put_for(p, payload);
    html_put(
        p->out,
        "99\u00a0%% of the answers are there within %s at half of what %s can carry, and within "
        "%s at 90\u00a0%% of it.",
        html_time(a, half * 1e3), page_text(p, row, "transport"), html_time(b, most * 1e3));
    end(p);
}

static double time_to_connect(const page *p, const char *tls, double resumption)
{
    return page_number(p, find_where(p, "handshake", "tls", tls, "resumption", resumption),
                       "p50_us");
}

static void say_handshake(const page *p)
{
    double plain = time_to_connect(p, "none", 0), full = time_to_connect(p, "P-256", 0);
    double resumed = time_to_connect(p, "P-256", 1);
    char a[HTML_NUMBER], b[HTML_NUMBER], c[HTML_NUMBER];
    if (plain <= 0 || full <= 0 || resumed <= 0) {
        return;
    }
    begin(p);
    html_put(p->out, "A new connection takes %s without TLS, %s with it (P-256), %s resumed.",
             html_time(a, plain * 1e3), html_time(b, full * 1e3), html_time(c, resumed * 1e3));
    end(p);
}

static void each(const page *p, const char *suite, const char *table,
                 void (*say)(const page *, const char *))
{
    size_t at = 0;
    for (const char *w; (w = page_next_payload(p, suite, table, &at)) != NULL;) {
        say(p, w);
    }
}

/* The same of every message, folded. */
static void fold(const page *p, const char *suite, void (*say)(const page *, const char *))
{
    fputs("</ul><details><summary>Message by message</summary><ul>\n", p->out);
    each(p, suite, NULL, say);
    fputs("</ul></details><ul>\n", p->out);
}

static void put_group(const page *p, const char *heading)
{
    fprintf(p->out, "</ul><h3>%s</h3><ul>\n", heading);
}

void page_verdict(page *p)
{
    size_t a = 0, b = 0, c = 0;
    fputs("<section id=\"verdict\"><h2>In short</h2><div class=\"verdict\"><ul>\n", p->out);
    if (page_next_payload(p, "http", NULL, &a) != NULL) {
        put_group(p, "Over a socket");
        each(p, "http", "closed", say_rate);
        each(p, "http", "exchange", say_share);
        each(p, "http", "open", say_load);
        say_handshake(p);
    }
    if (page_next_payload(p, "codec", NULL, &b) != NULL) {
        put_group(p, "Writing and reading");
        say_codec(p);
        fold(p, "codec", say_forms);
    }
    if (page_next_payload(p, "size", NULL, &c) != NULL) {
        put_group(p, "Bytes");
        say_bytes(p);
        fold(p, "size", say_size);
    }
    fputs("</ul></div></section>\n", p->out);
}
