/* SPDX-License-Identifier: MIT */
/* yajl: printing through yajl_gen, parsing with callbacks into cwire's structs. It checks the UTF-8
 * of what it parses, not of what it prints; cwire checks both. */
#include "yajl_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <yajl/yajl_version.h>

#include "die.h"
#include "mem.h"

static const char *version(char *out, size_t cap)
{
    int v = yajl_version();
    snprintf(out, cap, "yajl %d.%d.%d", v / 10000, v / 100 % 100, v % 100);
    return out;
}

static const char *refuses(const bench_payload *p)
{
    if (!bench_json_table_fits(p->type)) {
        return "the type reaches more types, or has more fields, than its table holds";
    }
    return p->has_well_known ? "well-known types have a JSON form of their own" : NULL;
}

static void *setup(const bench_payload *p)
{
    yajl_state *s = bench_calloc(1, sizeof *s);
    bench_cwire_state_init(&s->base, p);
    s->table = bench_json_table_make(p->type);
    s->message = bench_calloc(1, p->type->struct_size);
    s->gen = yajl_gen_alloc(NULL);
    s->parser = bench_yajl_parser(s);
    if (s->gen == NULL || s->parser == NULL) {
        bench_die("yajl: out of memory");
    }
    return s;
}

static void teardown(void *state)
{
    yajl_state *s = state;
    yajl_gen_free(s->gen);
    yajl_free(s->parser);
    bench_json_table_free(s->table);
    free(s->message);
    bench_cwire_state_free(&s->base);
    free(s);
}

static const bench_op ops[] = {
    {"json_print", BENCH_TEXT, bench_yajl_print, NULL, NULL},
    {"json_parse", BENCH_TEXT, NULL, bench_yajl_parse, NULL},
};

const bench_contender bench_yajl = {
    .name = "yajl",
    .version = version,
    .refuses = refuses,
    .setup = setup,
    .teardown = teardown,
    .source = bench_cwire_source,
    .probe = bench_cwire_probe,
    .matches = bench_cwire_matches,
    .own_text = true,
    .ops = ops,
    .n_ops = sizeof ops / sizeof ops[0],
};
