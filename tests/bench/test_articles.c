/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "articles.h"
#include "contender.h"
#include "entry.h"
#include "payloads.h"

enum { JSON, MESSAGEPACK, PROTOBUF };

/* What is printed from begin_capture on; the caller frees it. */
typedef struct capture {
    FILE *file;
    int kept;
} capture;

static capture begin_capture(void)
{
    fflush(stdout);
    capture c = {tmpfile(), dup(STDOUT_FILENO)};
    assert_non_null(c.file);
    assert_true(dup2(fileno(c.file), STDOUT_FILENO) >= 0);
    return c;
}

static char *end_capture(capture c)
{
    fflush(stdout);
    dup2(c.kept, STDOUT_FILENO);
    close(c.kept);
    fseek(c.file, 0, SEEK_END);
    long len = ftell(c.file);
    rewind(c.file);
    char *text = malloc((size_t)len + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)len, c.file), len);
    text[len] = '\0';
    fclose(c.file);
    return text;
}

/* The line that has the payload and the format, without blanks; "" without. */
static const char *line_of(const char *text, const char *payload, const char *format, char *out,
                           size_t cap)
{
    char names[128];
    snprintf(names, sizeof names, "| %-14s | %-23s |", payload, format);
    const char *at = strstr(text, names);
    size_t n = 0;
    for (; at != NULL && *at != '\n' && *at != '\0' && n + 1 < cap; at++) {
        if (*at != ' ') {
            out[n++] = *at;
        }
    }
    out[n] = '\0';
    return out;
}

static void add(bench_results *r, unsigned format, const char *op, double ns, size_t bytes,
                double allocs, double heap)
{
    bench_row row = {
        "articles", "small", bench_article_formats[format].name, op, ns, ns, ns, bytes, 1,
        allocs,     heap};
    bench_results_add(r, &row);
}

static void add_all(bench_results *r, unsigned format, double write_ns, double read_ns, double both,
                    size_t bytes)
{
    add(r, format, "serialize", write_ns, bytes, 0, 0);
    add(r, format, "deserialize", read_ns, bytes, 2, 64);
    add(r, format, "round_trip", both, bytes, 2, 64);
    add(r, format, "serialize_first", -1, bytes, 1, 4096);
    add(r, format, "deserialize_first", -1, bytes, -1, -1);
}

static void ratios_of_rows(void **state)
{
    (void)state;
    bench_results r = {0};
    const bench_article_format *f = bench_article_formats;
    add_all(&r, JSON, 1000, 2000, 2500, 448);
    add_all(&r, PROTOBUF, 250, 1000, 1250, 155);
    assert_true(bench_articles_ratio(&r, "small", &f[PROTOBUF], BENCH_SERIALIZE) == 0.25);
    assert_true(bench_articles_ratio(&r, "small", &f[PROTOBUF], BENCH_DESERIALIZE) == 0.5);
    assert_true(bench_articles_ratio(&r, "small", &f[PROTOBUF], BENCH_ROUND_TRIP) == 0.5);
    assert_true(bench_articles_ratio(&r, "small", &f[JSON], BENCH_ROUND_TRIP) == 1);
    assert_true(bench_articles_ratio(&r, "small", &f[MESSAGEPACK], BENCH_SERIALIZE) < 0);
    assert_true(bench_articles_ratio(&r, "large", &f[PROTOBUF], BENCH_SERIALIZE) < 0);
    assert_true(bench_articles_cycles(&r, "small", &f[JSON]) == 400000);
    assert_true(bench_articles_cycles(&r, "small", &f[PROTOBUF]) == 800000);
    assert_true(bench_articles_cycles(&r, "small", &f[MESSAGEPACK]) < 0);
    bench_results_free(&r);
}

static void tables_of_rows(void **state)
{
    (void)state;
    char line[512];
    bench_results r = {0};
    const char *const payloads[] = {"absent", "small"};
    add_all(&r, JSON, 1000, 2000, 2500, 448);
    add_all(&r, PROTOBUF, 250, 1000, 1250, 155);
    bench_published published = {0};
    capture c = begin_capture();
    bench_articles_print_times(&r, &published, payloads, 2);
    char *text = end_capture(c);
    assert_string_equal(line_of(text, "small", "JSON (cwire)", line, sizeof line),
                        "|small|JSON(cwire)|448|1.000|1.000|1.000|2.000|1.000|2.500|1.000|");
    assert_string_equal(line_of(text, "small", "protobuf (cwire)", line, sizeof line),
                        "|small|protobuf(cwire)|155|0.346|0.250|0.250|1.000|0.500|1.250|0.500|");
    assert_null(strstr(text, "MessagePack"));
    assert_null(strstr(text, "absent"));
    free(text);

    c = begin_capture();
    bench_articles_print_heap(&r, &published, payloads, 2);
    text = end_capture(c);
    assert_string_equal(line_of(text, "small", "protobuf (cwire)", line, sizeof line),
                        "|small|protobuf(cwire)|0|0|2|64|1|4096|-|-|");
    free(text);

    c = begin_capture();
    bench_articles_print_cycles(&r, &published, "small");
    text = end_capture(c);
    assert_string_equal(line_of(text, "small", "JSON (cwire)", line, sizeof line),
                        "|small|JSON(cwire)|448|1.000|400000|1.00|");
    assert_string_equal(line_of(text, "small", "protobuf (cwire)", line, sizeof line),
                        "|small|protobuf(cwire)|155|0.346|800000|2.00|");
    free(text);
    bench_results_free(&r);
}

/* A file with this text. */
static const char *file_of(const char *text)
{
    static char path[] = "/tmp/test_articles.XXXXXX";
    strcpy(path + sizeof path - 7, "XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    return path;
}

static void published_stands_below(void **state)
{
    (void)state;
    char line[512];
    bench_results r = {0};
    bench_published published = {0};
    const char *const payloads[] = {"small"};
    add_all(&r, JSON, 1000, 2000, 2500, 448);
    add_all(&r, PROTOBUF, 250, 1000, 1250, 155);
    const char *path = file_of("# a comment\n\n"
                               "small,json,bytes,400\n"
                               " small , protobuf , bytes , 100 \r\n"
                               "small,protobuf,round_trip,0.375\n"
                               "small,protobuf,deserialize_allocs,7\n"
                               "small,json,cycles,1000\n"
                               "small,protobuf,cycles,2500\n"
                               "large,protobuf,serialize,0.5");
    assert_true(bench_published_read(path, &published));
    unlink(path);
    assert_int_equal(published.n, 7);
    const bench_article_format *f = bench_article_formats;
    assert_true(bench_published_find(&published, "large", &f[PROTOBUF], "serialize") == 0.5);
    assert_true(bench_published_find(&published, "small", &f[PROTOBUF], "serialize") < 0);

    capture c = begin_capture();
    bench_articles_print_times(&r, &published, payloads, 1);
    char *text = end_capture(c);
    const char *below = strchr(strstr(text, "protobuf (cwire)"), '\n') + 1;
    assert_string_equal(line_of(below, "", "  published", line, sizeof line),
                        "||published|100|0.250|-|-|-|-|-|0.375|");
    free(text);

    c = begin_capture();
    bench_articles_print_heap(&r, &published, payloads, 1);
    text = end_capture(c);
    assert_string_equal(line_of(text, "", "  published", line, sizeof line),
                        "||published|-|-|7|-|-|-|-|-|");
    assert_null(strstr(strstr(text, "published") + 1, "published"));
    free(text);

    c = begin_capture();
    bench_articles_print_cycles(&r, &published, "small");
    text = end_capture(c);
    below = strchr(strstr(text, "protobuf (cwire)"), '\n') + 1;
    assert_string_equal(line_of(below, "", "  published", line, sizeof line),
                        "||published|100|0.250|2500|2.50|");
    free(text);

    /* What no table has is named. */
    path = file_of("small,json,serialize,1\nsmal,json,serialize,1\nsmall,json,cycles,5");
    bench_published_free(&published);
    assert_true(bench_published_read(path, &published));
    unlink(path);
    c = begin_capture();
    bench_articles_print_times(&r, &published, payloads, 1);
    bench_published_print_rest(&published);
    text = end_capture(c);
    assert_non_null(strstr(text, "shown nowhere above"));
    assert_null(strstr(text, "- small, json, serialize"));
    assert_non_null(strstr(text, "- smal, json, serialize\n- small, json, cycles\n"));
    free(text);
    bench_published_free(&published);
    bench_results_free(&r);
}

static void published_is_read_strictly(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "small,json,bytes\n",
        "small,json,bytes,1,2\n",
        "small,xml,bytes,1\n",
        "small,json,weight,1\n",
        "small,json,bytes,many\n",
        "small,json,bytes,-1\n",
        "small,json,bytes,nan\n",
        "small,json,bytes,inf\n",
        "small,json,bytes,1x\n",
        "# fine\n,json,bytes,1\n",
        "no commas\n",
        "small,json,bytes,1\nsmall,json,bytes,1\n",
        "a_name_that_is_longer_than_any_payload_has,json,bytes,1\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        bench_published published = {0};
        const char *path = file_of(wrong[i]);
        if (bench_published_read(path, &published)) {
            fail_msg("taken: %s", wrong[i]);
        }
        unlink(path);
        bench_published_free(&published);
    }
    bench_published none = {0};
    assert_false(bench_published_read("/nonexistent/file", &none));
}

static const bench_op *cwire_op(const char *name)
{
    for (size_t i = 0; i < bench_cwire.n_ops; i++) {
        if (strcmp(bench_cwire.ops[i].name, name) == 0) {
            return &bench_cwire.ops[i];
        }
    }
    fail_msg("no operation %s", name);
    return NULL;
}

/* Reads the first input again and again. */
static const void *read_stale(void *state, cw_bytes input)
{
    (void)input;
    bench_cwire_state *s = state;
    return cwire_op("decode_copy")->read(state, s->payload->input[BENCH_BINARY]);
}

static const void *read_nothing(void *state, cw_bytes input)
{
    (void)state;
    (void)input;
    return NULL;
}

static void cycles_are_checked(void **state)
{
    (void)state;
    bench_payload *p = bench_named_make(bench_named_find("document"));
    void *states[] = {bench_cwire.setup(p), bench_cwire.setup(p)};
    bench_op lie = *cwire_op("decode_copy");
    bench_entry writer, reader;
    uint64_t ns = 0;
    assert_null(bench_entry_open(&writer, p, &bench_cwire, cwire_op("encode_arena"), states[0]));
    assert_null(bench_entry_open(&reader, p, &bench_cwire, cwire_op("decode_copy"), states[1]));
    assert_null(bench_entry_verify(&writer));
    assert_null(bench_entry_verify(&reader));
    assert_null(bench_entry_cycle(&writer, &reader, 100, &ns));
    assert_true(ns > 0);
    reader.op = &lie;
    lie.read = read_stale;
    assert_string_equal(bench_entry_cycle(&writer, &reader, 100, &ns),
                        "the running value of the cycles is not that of the references");
    lie.read = read_nothing;
    assert_string_equal(bench_entry_cycle(&writer, &reader, 100, &ns), "the operation failed");
    bench_entry_close(&writer);
    bench_entry_close(&reader);
    bench_cwire.teardown(states[0]);
    bench_cwire.teardown(states[1]);
    bench_payload_free(p);
}

/* ---- the command -------------------------------------------------------------------------------
 */

static const bench_row *row_of(const bench_results *r, const char *payload, const char *contender,
                               const char *op)
{
    const bench_row *found = NULL;
    for (size_t i = 0; i < r->len; i++) {
        const bench_row *row = &r->rows[i];
        if (strcmp(row->suite, "articles") == 0 && strcmp(row->payload, payload) == 0 &&
            strcmp(row->contender, contender) == 0 && strcmp(row->op, op) == 0) {
            assert_null(found); /* once */
            found = row;
        }
    }
    if (found == NULL) {
        fail_msg("no row %s/%s/%s", payload, contender, op);
    }
    return found;
}

static void check_format(const bench_results *r, const char *payload, const char *format,
                         size_t bytes)
{
    for (unsigned act = 0; act < BENCH_ACTS; act++) {
        const bench_row *row = row_of(r, payload, format, bench_act_names[act]);
        const bench_row *first = row_of(r, payload, format, bench_first_names[act]);
        assert_int_equal(row->bytes, bytes);
        assert_true(row->ns_min > 0 && row->ns_median >= row->ns_min);
        assert_true(row->ns_max >= row->ns_median);
        if (bench_allocs_available()) {
            assert_true(row->allocs == 0 && row->alloc_bytes == 0);
            assert_true(first->allocs >= 1 && first->alloc_bytes > 0);
        } else {
            assert_true(row->allocs < 0 && first->allocs < 0);
        }
    }
}

static void check_http(const bench_results *r)
{
    size_t think = 0, tls = 0, published = 0;
    for (size_t i = 0; i < r->n_records; i++) {
        const bench_record *record = &r->records[i];
        for (size_t k = 0; k < record->n; k++) {
            const bench_value *v = &record->values[k];
            bool is_table = strcmp(v->name, "table") == 0;
            think += is_table && strcmp(v->text, "think") == 0;
            tls += is_table && strcmp(v->text, "tls") == 0;
            published += strcmp(v->name, "article") == 0 && v->text != NULL;
        }
    }
    assert_int_equal(think, BENCH_HAVE_HTTP ? 7 : 0);
    assert_int_equal(tls, BENCH_HAVE_HTTP ? 10 : 0);
    assert_int_equal(published, BENCH_HAVE_HTTP ? 6 + 5 + 1 : 0);
}

static void the_command(void **state)
{
    (void)state;
    static const struct {
        const char *payload;
        size_t json, binary;
    } raced[] = {{"one", 327, 113},          {"many", 63141, 22823},
                 {"sensor_x1", 308, 76},     {"sensor_x100", 29409, 7568},
                 {"article_x1", 2141, 2089}, {"article_x100", 211077, 207359},
                 {"org_x1", 86, 33},         {"org_x100", 18814, 9308},
                 {"org", 41203, 20448},      {"document", 448, 155}};
    const bench_options options = {.command = "articles", .cpu = -1, .quick = true};
    char line[512];
    bench_machine machine;
    bench_run run = {.options = &options, .machine = &machine};
    bench_machine_look(&machine);
    capture c = begin_capture();
    bench_articles(&run);
    char *text = end_capture(c);
    assert_false(run.failed);
    for (size_t i = 0; i < sizeof raced / sizeof raced[0]; i++) {
        const char *payload = raced[i].payload;
        check_format(&run.results, payload, "json", raced[i].json);
        check_format(&run.results, payload, "protobuf", raced[i].binary);
        line_of(text, payload, "protobuf (cwire)", line, sizeof line);
        assert_non_null(strstr(line, "|protobuf(cwire)|"));
    }
    assert_int_equal(row_of(&run.results, "one_array", "json", "published_size")->bytes, 316);
    assert_int_equal(row_of(&run.results, "many_array", "binary_gzip", "published_size")->bytes,
                     3037);
    check_http(&run.results);
    /* What is not known is said, and the largest are not in a smoke test. */
    assert_non_null(strstr(text, "Published: not found;"));
    assert_null(strstr(text, "x10000"));
    free(text);
    bench_results_free(&run.results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_of_rows),         cmocka_unit_test(tables_of_rows),
        cmocka_unit_test(published_stands_below), cmocka_unit_test(published_is_read_strictly),
        cmocka_unit_test(cycles_are_checked),     cmocka_unit_test(the_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
