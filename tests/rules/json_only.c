/* SPDX-License-Identifier: MIT */
/* Encodes and prints; linked with order.cw.c, order.cw_json.c and the runtime, without the tables.
 */
#include <string.h>

#include "order.cw.h"

int main(void)
{
    static const char expected[] = "{\"sku\":\"S\",\"qty\":150}";
    cw_arena a;
    cw_str text;
    shop_Item item, again;
    shop_Item_init(&item);
    item.sku = CW_STR("S");
    item.qty = 150;
    cw_arena_init(&a, NULL);
    if (shop_Item_to_json(&item, &a, NULL, &text, NULL) != CW_OK ||
        shop_Item_from_json(&again, text.data, text.len, &a, NULL, NULL) != CW_OK) {
        return 1;
    }
    int result = strcmp(text.data, expected) == 0 && shop_Item_equal(&item, &again) ? 0 : 2;
    cw_arena_free(&a);
    return result;
}
