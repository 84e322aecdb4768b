/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "data.h"
#include "document.cw.h"
#include "random.h"

static bool fill_item(document_Item *item, cw_arena *a, uint64_t *random)
{
    char sku[16];
    if (item == NULL) {
        return false;
    }
    snprintf(sku, sizeof sku, "SKU-%03u", (unsigned)bench_random_below(random, 1000));
    item->qty = 10 + (int32_t)bench_random_below(random, 90);
    item->price_minor = 1000 + (int32_t)bench_random_below(random, 9000);
    return cw_arena_str(a, cw_str_from(sku), &item->sku);
}

bool bench_data_document(void *message, cw_arena *a, uint32_t n)
{
    document_Document *document = message;
    uint64_t random = bench_seed(155448);
    document_Document_init(document);
    document->id = CW_STR("doc-4711");
    document->status = 2;
    document_Meta *meta = document_Document_mut_meta(document, a);
    if (meta == NULL) {
        return false;
    }
    meta->region = CW_STR("eu-west-1");
    meta->version = 3;
    for (uint32_t i = 0; i < n; i++) {
        if (!fill_item(document_Document_add_items(document, a), a, &random)) {
            return false;
        }
    }
    return true;
}
