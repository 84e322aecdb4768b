/* SPDX-License-Identifier: MIT */
/*
 * The tables of three published write-ups on protobuf and JSON, for our implementations: (1) orders
 * over HTTP and TLS, (2) sensors, articles and organisations in three formats, (3) one document.
 *
 * Sources: none of the three could be found again (looked for on 2026-12-01 by their payloads,
 * sizes and figures), and the project never recorded their titles and addresses. What it did record
 * of the first, the sizes that it printed and what its server took on a machine of this kind, is
 * shown. Of the others' tables only their shapes are known (and the third's 448 and 155 bytes): no
 * figure stands beside ours there, but those that whoever has the write-up gives in a file.
 */
#ifndef BENCH_ARTICLES_H
#define BENCH_ARTICLES_H

#include "suite.h"

/* What is done with a message. */
typedef enum bench_act {
    BENCH_SERIALIZE,
    BENCH_DESERIALIZE,
    BENCH_ROUND_TRIP, /* one after the other, the second of what the first wrote */
    BENCH_ACTS
} bench_act;

/* As rows (suite "articles") have them in `op`. The requests of a first time, when nothing can be
 * reused yet, are in rows of their own. */
extern const char *const bench_act_names[BENCH_ACTS];
extern const char *const bench_first_names[BENCH_ACTS];

/* A format as rows have it in `contender`, and whose code does it. */
typedef struct bench_article_format {
    const char *name;
    const char *title;
    const char *contender; /* its name in bench_contenders */
    const char *write, *read;
} bench_article_format;

enum { BENCH_ARTICLE_FORMATS = 3 };

/* JSON is the first: what the others are compared with. */
extern const bench_article_format bench_article_formats[BENCH_ARTICLE_FORMATS];

/* Races the formats on the payload and adds a row for each format and act. A format whose library
 * is not in this build has none. */
void bench_articles_race(bench_run *run, const bench_payload *p);

/* The row's time as a part of that of JSON; negative: a row is missing. */
double bench_articles_ratio(const bench_results *r, const char *payload,
                            const bench_article_format *format, bench_act act);

/* How often a second the payload can be written and read again; negative: there is no row. */
double bench_articles_cycles(const bench_results *r, const char *payload,
                             const bench_article_format *format);

/* ---- what a write-up printed -------------------------------------------------------------------
 */

typedef struct bench_published_value {
    char payload[32], format[32], name[32];
    double number;
    bool is_shown; /* it was asked for */
} bench_published_value;

/* {0} is empty. */
typedef struct bench_published {
    bench_published_value *values;
    size_t n;
} bench_published;

/*
 * Reads lines "payload,format,value,number"; blank ones and those that begin with # are left out.
 * A format is json, messagepack or protobuf; a value is bytes, serialize, deserialize or round_trip
 * (parts of JSON's time), serialize_allocs, serialize_bytes, deserialize_allocs, deserialize_bytes,
 * or cycles (a second). False, with file and line on stderr: something else stands there, or the
 * same value twice. Release with bench_published_free, also after false.
 */
bool bench_published_read(const char *path, bench_published *p);
void bench_published_free(bench_published *p);

/* Negative: there is none. It is shown from then on. */
double bench_published_find(bench_published *p, const char *payload,
                            const bench_article_format *format, const char *name);
/* Is there one of these values? */
bool bench_published_has(bench_published *p, const char *payload,
                         const bench_article_format *format, const char *const *of, size_t n);
/* Names those that no table has asked for: a line each, after one that says so. */
void bench_published_print_rest(const bench_published *p);

/* Tables of the payloads' rows, a line for each payload and format that has rows: sizes and times,
 * beside them as parts of JSON's; heap requests and bytes, in steady state and the first time;
 * cycles a second. Below a line stands what was published of it. */
void bench_articles_print_times(const bench_results *r, bench_published *published,
                                const char *const *payloads, size_t n);
void bench_articles_print_heap(const bench_results *r, bench_published *published,
                               const char *const *payloads, size_t n);
void bench_articles_print_cycles(const bench_results *r, bench_published *published,
                                 const char *payload);

#endif
