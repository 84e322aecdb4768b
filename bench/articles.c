/* SPDX-License-Identifier: MIT */
/* cwire-bench articles: which tables, in which order, and what is said about them. */
#include "articles.h"

#include <stdio.h>
#include <string.h>

#include "data.h"
#include "data_order.h"
#include "org.cw.h"
#include "payloads.h"
#include "sizes.h"

typedef struct articles_options {
    const char *part;      /* "orders", "formats", "document"; NULL: all */
    const char *published; /* a file of what they printed; NULL: none */
} articles_options;

static const articles_options defaults = {0};

static const bench_option options[] = {
    {.name = "--part",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(articles_options, part),
     .choices = "orders|formats|document",
     .help = "one write-up's tables only"},
    {.name = "--published",
     .kind = BENCH_OPTION_TEXT,
     .at = offsetof(articles_options, published),
     .value = "FILE",
     .help = "what they printed, to stand beside ours: lines payload,format,value,number"},
};

const bench_own_options bench_articles_own = {
    .command = "articles",
    .options = options,
    .n = sizeof options / sizeof options[0],
    .defaults = &defaults,
    .size = sizeof defaults,
};

/* N organisations as the second write-up has them, which the other suites do not race: small trees
 * of 2 or 3 levels. */
static const bench_named organisations[] = {
    {"org_x1", &org_Orgs_type, bench_data_org_small, 1, 0, false, 33, 86},
    {"org_x100", &org_Orgs_type, bench_data_org_small, 100, 0, false, 9308, 18814},
    {"org_x10000", &org_Orgs_type, bench_data_org_small, 10000, 0, false, 964775, 1963067},
};

static const bench_named *find_payload(const char *name)
{
    for (size_t i = 0; i < sizeof organisations / sizeof organisations[0]; i++) {
        if (strcmp(organisations[i].name, name) == 0) {
            return &organisations[i];
        }
    }
    return bench_named_find(name);
}

/* Races those of the payloads that the filter leaves. A smoke test leaves out the largest. */
static void race(bench_run *run, const char *const *payloads, size_t n)
{
    const bench_options *o = run->options;
    for (size_t i = 0; i < n; i++) {
        const bench_named *named = find_payload(payloads[i]);
        if ((o->quick && named->n >= 10000) ||
            (o->filter != NULL && !bench_filter_names(o->filter, named->name))) {
            continue;
        }
        bench_payload *p = bench_named_make(named);
        bench_articles_race(run, p);
        bench_payload_free(p);
    }
}

static void print_heap(const bench_results *r, bench_published *published,
                       const char *const *payloads, size_t n)
{
    printf("\nHeap requests and bytes of one operation: in steady state, with arena and buffers "
           "reused; and of the first one, with nothing to reuse. (The pool of msgpack-c's objects, "
           "64 KB and 16 bytes for each of the message, is made before and is not in it.)\n\n");
    bench_articles_print_heap(r, published, payloads, n);
}

/* ---- the parts ---------------------------------------------------------------------------------
 */

static void add_published(bench_run *run, const char *payload, const bench_sizes *s)
{
    const struct {
        const char *form;
        size_t bytes;
    } all[] = {{"json", s->json},
               {"json_gzip", s->json_gzip},
               {"json_brotli", s->json_brotli},
               {"binary", s->binary},
               {"binary_gzip", s->binary_gzip}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        bench_row row = {"articles", payload, all[i].form, "published_size",
                         -1,         -1,      -1,          all[i].bytes,
                         -1,         -1,      -1};
        bench_results_add(&run->results, &row);
    }
}

static void run_orders(bench_run *run, bench_published *published)
{
    static const char *const payloads[] = {"one", "many"};
    printf("\n# 1. Orders: sizes, encode and decode, HTTP and TLS\n\nPublished: the sizes in the "
           "lines \"article\"; of the other tables, what its server took on a machine of this "
           "kind, not what it printed, which was not found.\n");
    bench_size_orders(run);
    add_published(run, "one_array", &bench_article_one);
    add_published(run, "many_array", &bench_article_many);
    printf("\n## Encode and decode\n\n");
    race(run, payloads, 2);
    bench_articles_print_times(&run->results, published, payloads, 2);
    fflush(stdout);
#if BENCH_HAVE_HTTP
    bench_http_article(run);
#else
    printf("\nHTTP and TLS are not in this build (CWIRE_BUILD_NET is off).\n");
#endif
}

static void run_formats(bench_run *run, bench_published *published)
{
    static const char *const payloads[] = {
        "sensor_x1",      "sensor_x100", "sensor_x10000", "article_x1", "article_x100",
        "article_x10000", "org_x1",      "org_x100",      "org_x10000", "org",
    };
    const size_t n = sizeof payloads / sizeof payloads[0];
    printf(
        "\n# 2. Three formats: sensors (numbers), articles (prose), organisations (nesting)\n\n"
        "Published: not found; --published FILE puts it beside ours. Each N is one message with a "
        "list of N; org_xN are small trees, "
        "org is one tree of about 1,000 nodes on 6 levels. \"/JSON\": the part of JSON's bytes "
        "or time. A round trip reads what it has just written. MessagePack goes through tables and "
        "msgpack-c's objects; JSON and protobuf are generated code.\n\n");
    race(run, payloads, n);
    bench_articles_print_times(&run->results, published, payloads, n);
    print_heap(&run->results, published, payloads, n);
    fflush(stdout);
}

static void run_document(bench_run *run, bench_published *published)
{
    static const char *const payloads[] = {"document"};
    printf("\n# 3. A document: cycles of encode and decode a second\n\nPublished: 448 bytes of "
           "JSON and 155 of protobuf; the cycles were not found "
           "(--published FILE).\n\n");
    race(run, payloads, 1);
    bench_articles_print_cycles(&run->results, published, payloads[0]);
    fflush(stdout);
}

void bench_articles(bench_run *run)
{
    const articles_options *o = run->options->own ? run->options->own : &defaults;
    static const struct {
        const char *name;
        void (*run)(bench_run *run, bench_published *published);
    } parts[] = {{"orders", run_orders}, {"formats", run_formats}, {"document", run_document}};
    bench_published published = {0};
    if (o->published != NULL && !bench_published_read(o->published, &published)) {
        bench_published_free(&published);
        run->failed = true;
        return;
    }
    printf("\nThe tables of three published write-ups for our implementations. Sources: none of "
           "the three was found again, and their titles and addresses are not on record; only "
           "figures that the project had recorded stand beside ours.\n");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (o->part == NULL || strcmp(o->part, parts[i].name) == 0) {
            parts[i].run(run, &published);
        }
    }
    printf("\nTimes are CPU time of one operation, medians. cwire checks UTF-8 when it decodes, "
           "prints and parses; msgpack-c never does.\n");
    bench_published_print_rest(&published);
    bench_published_free(&published);
}
