/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "data.h"
#include "org.cw.h"
#include "random.h"

typedef struct tree {
    cw_arena *arena;
    uint64_t random;
    uint32_t next_id;
    uint32_t limit;       /* no more nodes than this */
    uint32_t least, most; /* who report to a node */
} tree;

static bool fill_node(tree *t, org_OrgNode *node, unsigned levels)
{
    static const char *const first[] = {"Ada", "Bela", "Chen", "Dora", "Emil", "Fatima",
                                        "Gus", "Hana", "Ivo",  "Jun",  "Kofi", "Leonora"};
    static const char *const last[] = {"Abel",     "Brandt",   "Castellanos", "Diaz",
                                       "Eriksson", "Fontaine", "Gupta",       "Hoang"};
    char name[64];
    if (node == NULL) {
        return false;
    }
    const char *family = last[bench_random_below(&t->random, 8)];
    const char *given = first[bench_random_below(&t->random, 12)];
    snprintf(name, sizeof name, "%s %s", given, family);
    node->id = t->next_id++;
    if (!cw_arena_str(t->arena, cw_str_from(name), &node->name)) {
        return false;
    }
    uint32_t n = t->least + bench_random_below(&t->random, t->most - t->least + 1);
    for (uint32_t i = 0; levels > 1 && i < n && t->next_id < t->limit; i++) {
        if (!fill_node(t, org_OrgNode_add_reports(node, t->arena), levels - 1)) {
            return false;
        }
    }
    return true;
}

bool bench_data_org(void *node, cw_arena *a, uint32_t n)
{
    tree t = {a, bench_seed(n), 10000, 10000 + n + n / 10, 2, 6};
    org_OrgNode_init(node);
    return fill_node(&t, node, 6);
}

bool bench_data_org_small(void *message, cw_arena *a, uint32_t n)
{
    org_Orgs *orgs = message;
    tree t = {a, bench_seed(n), 100, UINT32_MAX, 1, 3};
    org_Orgs_init(orgs);
    for (uint32_t i = 0; i < n; i++) {
        unsigned levels = 2 + bench_random_below(&t.random, 2);
        if (!fill_node(&t, org_Orgs_add_roots(orgs, a), levels)) {
            return false;
        }
    }
    return true;
}
