/* SPDX-License-Identifier: MIT */
/* cwire-bench race: a user's schema and data through all that the bench has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "suite.h"
#include "user/user.h"

/* A set takes no message beyond the one; beyond the other one exchange takes a window of its own.
 */
enum { SET_MESSAGE_MAX = UINT16_MAX, HTTP_MESSAGE_MAX = 64 << 20 };

static const user_options defaults = {.emulation = BENCH_EMULATION_NONE};

static const bench_option options[] = {
    {.name = "--proto",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(user_options, proto),
     .value = "FILE",
     .help = "the schema (`race` itself may be left out before this)"},
    {.name = "--import",
     .kind = BENCH_OPTION_LIST,
     .at = offsetof(user_options, imports),
     .value = "DIR",
     .help = "where its imports are; may come more than once (the schema's own folder is last)"},
    {.name = "--type",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(user_options, type),
     .value = "NAME",
     .help = "the message: package.Message"},
    {.name = "--data",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(user_options, data),
     .value = "PATH",
     .help = "one such message as .json, .binpb or .txtpb, or a folder of them"},
    {.name = "--cache",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(user_options, cache),
     .value = "DIR",
     .help = "where compiled schemas are kept (~/.cache/cwire-bench)"},
    {.name = "--no-http",
     .kind = BENCH_OPTION_FLAG,
     .at = offsetof(user_options, no_http),
     .help = "sizes and codec only"},
#if BENCH_HAVE_HTTP
    BENCH_EMULATION_OPTION_LIST(user_options, emulation),
#endif
};

const bench_own_options bench_race_own = {
    .command = "race",
    .is_implied = true,
    .options = options,
    .n = sizeof options / sizeof options[0],
    .defaults = &defaults,
    .size = sizeof defaults,
};

static bool is_complete(const user_options *o)
{
    const char *missing = o->proto == NULL  ? "needs --proto FILE"
                          : o->type == NULL ? "needs --type NAME"
                          : o->data == NULL ? "needs --data PATH"
                                            : bench_emulation_lacks(&o->emulation);
    if (missing != NULL) {
        fprintf(stderr, "cwire-bench: race: %s (try: cwire-bench help)\n", missing);
    }
    return missing == NULL;
}

/* What the harness would die of is said here first, with the number of the message. */
static bool can_be_raced(const user_schema *schema, const user_data *data, size_t *longest)
{
    cw_arena arena = {0};
    bool ok = true;
    *longest = 0;
    for (size_t i = 0; ok && i < data->n; i++) {
        const void *message = data->messages + i * schema->type->struct_size;
        cw_error e = {0};
        cw_str json = {0};
        cw_bytes binary = {0};
        cw_arena_reset(&arena);
        if (schema->type->to_json(message, &arena, &bench_print_options, &json, &e) != CW_OK ||
            schema->type->encode_arena(message, &arena, &binary, &e) != CW_OK) {
            char text[512];
            cw_error_print(&e, text, sizeof text);
            fprintf(stderr, "cwire-bench: message %zu of the data: %s\n", i + 1, text);
            ok = false;
        } else if (data->n > 1 && (json.len > SET_MESSAGE_MAX || binary.len == 0)) {
            fprintf(stderr,
                    "cwire-bench: message %zu of the data has %zu bytes of JSON: each file of a "
                    "folder has 1 to %d and is not empty (race a larger one by itself)\n",
                    i + 1, json.len, (int)SET_MESSAGE_MAX);
            ok = false;
        }
        *longest = json.len > *longest ? json.len : *longest;
        *longest = binary.len > *longest ? binary.len : *longest;
    }
    cw_arena_free(&arena);
    return ok;
}

static bench_payload *make_payload(const user_schema *schema, const user_data *data)
{
    const char *name = schema->type->full_name;
    bench_payload *p = data->n > 1
                           ? bench_payload_make_set(name, schema->type, data->messages, data->n, 1)
                           : bench_payload_make(name, schema->type, data->messages);
    p->is_users = true;
    p->pbc_type = schema->pbc_type;
    return p;
}

/* ---- what it comes to --------------------------------------------------------------------------
 */

static double us_of(const bench_results *r, const char *payload, const char *op)
{
    const bench_row *row = bench_results_find(r, payload, "cwire", op);
    return row != NULL ? row->ns_median / 1000 : -1;
}

static double bytes_of(const bench_results *r, const char *payload, const char *form)
{
    for (size_t i = 0; i < r->len; i++) {
        const bench_row *row = &r->rows[i];
        if (strcmp(row->suite, "size") == 0 && strcmp(row->payload, payload) == 0 &&
            strcmp(row->contender, form) == 0) {
            return (double)row->bytes;
        }
    }
    return -1;
}

static const bench_value *value_of(const bench_record *record, const char *name)
{
    for (size_t i = 0; i < record->n; i++) {
        if (strcmp(record->values[i].name, name) == 0) {
            return &record->values[i];
        }
    }
    return NULL;
}

static bool says(const bench_record *record, const char *name, const char *text)
{
    const bench_value *value = value_of(record, name);
    return value != NULL && value->text != NULL && strcmp(value->text, text) == 0;
}

/* A number of the row without TLS and content coding in such a table that has the most in flight;
 * negative: not measured. */
static double number_of(const bench_results *r, const char *table, const char *transport,
                        const char *form, const char *name)
{
    double most = -1, number = -1;
    for (size_t i = 0; i < r->n_records; i++) {
        const bench_record *record = &r->records[i];
        if (says(record, "table", table) && says(record, "transport", transport) &&
            says(record, "tls", "none") && says(record, "form", form) &&
            says(record, "coding", "identity")) {
            const bench_value *value = value_of(record, name);
            const bench_value *in_flight = value_of(record, "in_flight");
            if (value != NULL && in_flight != NULL && in_flight->number > most) {
                most = in_flight->number;
                number = value->number;
            }
        }
    }
    return number;
}

static void print_transports(const bench_results *r)
{
    double share = number_of(r, "exchange", "HTTP/2", "protobuf", "codec_percent");
    double json_share = number_of(r, "exchange", "HTTP/2", "json", "codec_percent");
    double binary2 = number_of(r, "closed", "HTTP/2", "protobuf", "req_per_s");
    double json2 = number_of(r, "closed", "HTTP/2", "json", "req_per_s");
    double binary1 = number_of(r, "closed", "HTTP/1.1", "protobuf", "req_per_s");
    double json1 = number_of(r, "closed", "HTTP/1.1", "json", "req_per_s");
    if (share >= 0 && json_share >= 0) {
        printf("- Of a round trip on HTTP/2 without TLS and think time, both ends' codec is "
               "%.1f %% in binary and %.1f %% in JSON; the rest is the transport.\n",
               share, json_share);
    }
    if (binary2 > 0 && json2 > 0 && binary1 > 0 && json1 > 0) {
        printf("- With %.0f in flight, a second takes this many of them: HTTP/2 %.0f in binary and "
               "%.0f in JSON, HTTP/1.1 %.0f and %.0f. Binary for JSON brings %.2f times (HTTP/2) "
               "and %.2f times (HTTP/1.1) as many; HTTP/2 for HTTP/1.1 %.2f times (binary) and "
               "%.2f times (JSON).\n",
               number_of(r, "closed", "HTTP/2", "protobuf", "in_flight"), binary2, json2, binary1,
               json1, binary2 / json2, binary1 / json1, binary2 / binary1, json2 / json1);
    }
}

/* Three digits that count, and no exponent. */
static const char *us_text(char *buf, size_t cap, double us)
{
    snprintf(buf, cap, "%.*f", us < 10 ? 2 : us < 100 ? 1 : 0, us);
    return buf;
}

static void print_verdict(const bench_run *run, const char *name)
{
    const bench_results *r = &run->results;
    double json = bytes_of(r, name, "json"), binary = bytes_of(r, name, "binary");
    double json_gzip = bytes_of(r, name, "json_gzip"), gzip = bytes_of(r, name, "binary_gzip");
    double out = us_of(r, name, "encode"), in = us_of(r, name, "decode_copy");
    double print = us_of(r, name, "json_print"), parse = us_of(r, name, "json_parse");
    printf("\n## For this payload\n\n");
    if (binary > 0 && gzip > 0) {
        printf("- JSON has %.2f times the bytes of the binary form; gzipped %.2f times those of "
               "the gzipped one.\n",
               json / binary, json_gzip / gzip);
    }
    if (out > 0 && in > 0 && print > 0 && parse > 0) {
        char a[32], b[32];
        printf("- Out and in again takes %s us in binary and %s us in JSON: %.1f times as long.\n",
               us_text(a, sizeof a, out + in), us_text(b, sizeof b, print + parse),
               (print + parse) / (out + in));
    }
    print_transports(r);
}

static void race(bench_run *run, const user_options *o, const user_schema *schema,
                 const user_data *data, size_t longest)
{
    bench_payload *p = make_payload(schema, data);
    printf("\nSchema %s, data %s (%zu message%s)\n", o->proto, o->data, data->n,
           data->n == 1 ? "" : "s");
    bench_size_messages(run, p->name, schema->type, data->messages, data->n);
    bench_codec_payload(run, p);
    bench_codec_end(run);
#if BENCH_HAVE_HTTP
    if (!o->no_http && longest <= HTTP_MESSAGE_MAX) {
        bench_http_payload(run, p, &o->emulation);
        p = NULL;
    } else if (!o->no_http) {
        printf("\nMessages beyond 64 MiB are not sent over HTTP here.\n");
    }
#else
    (void)longest;
#endif
    print_verdict(run, schema->type->full_name);
    if (p != NULL) {
        bench_payload_free(p);
    }
}

void bench_race(bench_run *run)
{
    const user_options *o = run->options->own;
    user_schema schema;
    user_data data = {0};
    size_t longest = 0;
    char *library = is_complete(o) ? user_build_library(o) : NULL;
    bool ok = library != NULL && user_load(library, o->type, &schema) &&
              user_data_read(&schema, o->data, &data) && can_be_raced(&schema, &data, &longest);
    if (ok) {
        race(run, o, &schema, &data, longest);
    }
    run->failed |= !ok;
    user_data_free(&data);
    free(library);
}
