/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "article.cw.h"
#include "data.h"
#include "random.h"

enum { BODY = 2000 /* bytes, about */, SPARSE = 200, DENSE = 30 };

static const char *const words[] = {
    "the",     "of",      "and",      "to",      "a",       "in",     "that",   "is",
    "was",     "for",     "on",       "with",    "as",      "by",     "at",     "from",
    "which",   "river",   "morning",  "letters", "market",  "window", "under",  "between",
    "before",  "quiet",   "harbour",  "walked",  "through", "old",    "street", "carried",
    "stones",  "winter",  "nobody",   "answer",  "table",   "lamps",  "once",   "remembered",
    "journey", "perhaps", "distance", "evening", "beside",  "garden", "slowly", "understood",
};

/* One character of two bytes in each. */
static const char *const accented[] = {"caf\xc3\xa9",
                                       "\xc3\xbc"
                                       "ber",
                                       "se\xc3\xb1or",
                                       "na\xc3\xafve",
                                       "fa\xc3\xa7"
                                       "ade",
                                       "h\xc3\xb6rt",
                                       "gar\xc3\xa7on",
                                       "voil\xc3\xa0"};

/* Text in the making. */
typedef struct prose {
    char text[BODY + 64];
    size_t len;
    size_t last_accent; /* where the last character of two bytes stands */
} prose;

static void append(prose *p, const char *word)
{
    size_t n = strlen(word);
    memcpy(p->text + p->len, word, n);
    p->len += n;
}

/* Sentences of 6 to 17 words. */
static void write_body(prose *p, uint64_t *random, size_t every)
{
    size_t target = BODY - 40 + bench_random_below(random, 80);
    p->len = p->last_accent = 0;
    while (p->len < target) {
        uint32_t n = 6 + bench_random_below(random, 12);
        for (uint32_t i = 0; i < n && p->len < target; i++) {
            const char *word = words[bench_random_below(random, sizeof words / sizeof words[0])];
            append(p, i == 0 ? "" : " ");
            if (p->len - p->last_accent + 5 > every) {
                word = accented[bench_random_below(random, sizeof accented / sizeof accented[0])];
                p->last_accent = p->len;
            }
            append(p, word);
        }
        append(p, p->len < target ? ". " : ".");
    }
}

static bool fill_article(article_Article *article, cw_arena *a, uint64_t *random, size_t every)
{
    static const char *const names[] = {"Ada Lindqvist", "Tom Okafor", "Ruth Marchetti",
                                        "Jan Kowalski"};
    static const char *const tags[] = {"travel", "harbour", "history", "essay", "winter"};
    char title[64];
    prose body;
    if (article == NULL) {
        return false;
    }
    const char *right = words[17 + bench_random_below(random, 31)];
    const char *left = words[17 + bench_random_below(random, 31)];
    snprintf(title, sizeof title, "The %s and the %s", left, right);
    article->author = cw_str_from(names[bench_random_below(random, 4)]);
    uint32_t n = 2 + bench_random_below(random, 3), first = bench_random_below(random, 5);
    for (uint32_t i = 0; i < n; i++) {
        if (!article_Article_add_tags(article, cw_str_from(tags[(first + i) % 5]), a)) {
            return false;
        }
    }
    write_body(&body, random, every);
    return cw_arena_str(a, cw_str_from(title), &article->title) &&
           cw_arena_str(a, cw_str_of(body.text, body.len), &article->body);
}

static bool fill(article_Articles *articles, cw_arena *a, uint32_t n, size_t every)
{
    uint64_t random = bench_seed(2048);
    article_Articles_init(articles);
    for (uint32_t i = 0; i < n; i++) {
        if (!fill_article(article_Articles_add_articles(articles, a), a, &random, every)) {
            return false;
        }
    }
    return true;
}

bool bench_data_article(void *articles, cw_arena *a, uint32_t n)
{
    return fill(articles, a, n, SPARSE);
}

bool bench_data_article_dense(void *articles, cw_arena *a, uint32_t n)
{
    return fill(articles, a, n, DENSE);
}
